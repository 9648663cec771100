"""Verdicts of a run as training data in chat form: prompt, verdict and evidence, deduplicated, split by site."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from schemaproof.groundtruth.row import digest, split_of
from schemaproof.pipeline.result import PageResult
from schemaproof.pipeline.store import Store

FACTUALITY_TASK = (
    "You check structured data against the page it describes. Decide whether the text says what the statement says; "
    "what is merely likely is not said. Answer in JSON with the keys verdict (keep or reject), kind (contradicted, "
    "unsupported or empty), reason and evidence (exact pieces of the text)."
)
COMPLIANCE_TASK = (
    "You check whether a value is of the kind that its Schema.org property asks for, whatever the page says. Answer in "
    "JSON with the keys verdict (keep or reject), reason and suggestion (what to write instead, or empty)."
)
TEXT = 6000


def signatures_of(store: Store) -> list[str]:
    """The signatures of the runs that a run file holds, in order."""
    return [str(row[0]) for row in store.connection.execute("SELECT DISTINCT signature FROM pages ORDER BY signature")]


def site_of(page: PageResult) -> str:
    """The site of a page: the last two labels of its host (three below com.xx and co.xx), else its name."""
    host = (urlsplit(page.url or page.name).hostname or "").casefold()
    parts = [part for part in host.split(".") if part]
    if len(parts) < 2 or all(part.isdigit() for part in parts):
        return host or page.name
    short = (
        len(parts) > 2
        and len(parts[-1]) == 2
        and parts[-2] in ("co", "com", "org", "net", "ac", "gov", "edu", "or", "ne")
    )
    return ".".join(parts[-3 if short else -2 :])


def passage(text: str, evidence: list[dict[str, Any]], limit: int = TEXT) -> str:
    """A part of the text of at most `limit` characters: around the first evidence, else its beginning."""
    if len(text) <= limit:
        return text
    start = next((each["start"] for each in evidence if each.get("start", -1) >= 0), 0)
    begin = max(0, min(start - limit // 2, len(text) - limit))
    return text[begin : begin + limit]


def records(
    page: PageResult,
    *,
    agents: tuple[str, ...],
    definitions: Mapping[str, str],
    licence: str,
    signature: str,
    seen: set[str],
    seed: int = 0,
) -> Iterator[dict[str, Any]]:
    """The records of one page.

    Arguments:
        page: with its statements and text.
        agents: whose verdicts: "factuality", "compliance".
        definitions: property to definition, shown to the compliance agent; may be empty.
        licence: of the page's content, as the user states it.
        signature: of the run.
        seen: keys of what was written before; added to.
        seed: of the split.
    """
    site = site_of(page)
    for unit in page.units:
        for markup in unit.markups:
            for statement in markup.statements:
                if statement["value"] is None:
                    continue
                for agent in agents:
                    verdict = statement["verdicts"].get(agent)
                    if verdict is None or verdict["verdict"] == "unclear":
                        continue
                    messages = _messages(agent, page, statement, verdict, definitions)
                    key = digest(json.dumps(messages[:2], sort_keys=True), 32)
                    if key in seen:
                        continue
                    seen.add(key)
                    yield {
                        "id": key,
                        "messages": messages,
                        "agent": agent,
                        "split": split_of(site, seed),
                        "site": site,
                        "page": page.url or page.name,
                        "contender": markup.contender,
                        "path": statement["path"],
                        "language": page.language,
                        "probability": verdict.get("probability"),
                        "licence": licence,
                        "provenance": {
                            "page_digest": page.digest,
                            "signature": signature,
                            "judge_rule": verdict["rule"],
                        },
                    }


def _messages(
    agent: str,
    page: PageResult,
    statement: dict[str, Any],
    verdict: dict[str, Any],
    definitions: Mapping[str, str],
) -> list[dict[str, str]]:
    said = {"types": statement["types"], "property": statement["property"], "value": statement["value"]}
    written = json.dumps(said, ensure_ascii=False)
    answer: dict[str, Any] = {"verdict": verdict["verdict"]}
    if agent == "factuality":
        evidence = verdict.get("evidence") or []
        shown = passage(page.text, evidence)
        question = f"Text:\n{shown}\n\nStatement:\n{written}"
        pieces = [each["text"] for each in evidence if each["text"] in shown]
        answer |= {"kind": verdict.get("kind") or "", "reason": verdict["reason"], "evidence": pieces[:3]}
        task = FACTUALITY_TASK
    else:
        definition = definitions.get(statement["property"], "")
        question = (f"Definition: {definition}\n\n" if definition else "") + f"Statement:\n{written}"
        answer |= {"reason": verdict["reason"], "suggestion": verdict.get("suggestion", "")}
        task = COMPLIANCE_TASK
    return [
        {"role": "system", "content": task},
        {"role": "user", "content": question},
        {"role": "assistant", "content": json.dumps(answer, ensure_ascii=False)},
    ]
