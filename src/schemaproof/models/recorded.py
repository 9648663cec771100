"""Recorded answers as a model, so that a benchmark or a replay runs without one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson

from schemaproof.errors import InputError, SourceError
from schemaproof.models.protocol import Ask, Reply, Subject
from schemaproof.models.tokens import counter, prompt_tokens

_SAID = {"TOKPOS": True, "TOKNEG": False, True: True, False: False, "yes": True, "no": False}
MAXIMUM_LINE = 256 * 1024 * 1024
NOT_RECORDED = "not recorded"


class RecordedModel:
    """Answers from a JSON Lines file; a provider that costs nothing and never fails.

    A line is either {"key": ..., "model": ..., "text": ...} as `memory export` writes it, or a statement with its
    answer: property, value, type or types, text (the whole text that it was judged against; not for compliance), agent
    (default: by the presence of a definition), and the answer: "answer", or a judge's name ("mixtral") with TOKPOS or
    TOKNEG.

    Arguments:
        path: the file.
        judge: name of the field with the answers; None for the first of "answer", "mixtral" that a line has.

    Raises:
        SourceError: the file cannot be opened.
        InputError: a line is neither; with its number.
    """

    context_tokens = 1 << 30

    def __init__(self, path: str | Path, judge: str | None = None) -> None:
        self.name = f"recorded/{path}" + (f"?answers={judge}" if judge else "")
        self._keyed: dict[str, Reply] = {}
        # The model's name is part of a key: questions are looked up under the names of all that were recorded.
        self._models: dict[str, None] = {}
        self._said: dict[Subject, bool] = {}
        self._loose: dict[Subject, bool | None] = {}
        self._texts: dict[str, str] = {}
        self._count = counter("recorded")[1]
        file = Path(path)
        try:
            with file.open("rb") as stream:
                # A device never ends, and neither does its first line.
                for number, line in enumerate(iter(lambda: stream.readline(MAXIMUM_LINE + 1), b""), 1):
                    if len(line) > MAXIMUM_LINE:
                        raise InputError(f"a line larger than {MAXIMUM_LINE >> 20} MB", source=str(path), line=number)
                    if line.strip():
                        self._read(line, number, file, judge)
        except OSError as problem:
            raise SourceError(str(path), f"cannot be opened: {problem.strerror or problem}") from None
        if not self._keyed and not self._said:
            raise InputError("holds no recorded answer", source=str(path))

    def _read(self, line: bytes, number: int, file: Path, judge: str | None) -> None:
        try:
            record = orjson.loads(line)
            if not isinstance(record, dict):
                raise KeyError("property")
            if "key" in record:
                yes = record.get("yes")
                self._models[str(record.get("model") or self.name)] = None
                self._keyed[str(record["key"])] = Reply(
                    str(record["text"]),
                    None if yes is None else float(yes),
                    int(record.get("prompt_tokens") or 0),
                    int(record.get("completion_tokens") or 0),
                )
                return
            self._statement(record, file.stem, judge)
        except orjson.JSONDecodeError as problem:
            raise InputError(f"not JSON ({problem.msg})", source=str(file), line=number, column=problem.colno) from None
        except KeyError as missing:
            message = f"lacks the field {missing}; a line has key and text, or property, value and an answer"
            raise InputError(message, source=str(file), line=number) from None
        except (TypeError, ValueError) as problem:
            raise InputError(f"has an unusable field ({problem})", source=str(file), line=number) from None

    def _statement(self, record: dict[str, Any], stem: str, judge: str | None) -> None:
        names = (judge,) if judge else ("answer", "mixtral")
        answer = next((record[name] for name in names if record.get(name) is not None), None)
        if answer is None:
            return
        if answer not in _SAID:
            raise ValueError(f"an answer is TOKPOS or TOKNEG, yes or no, not {answer!r}")
        agent = str(record.get("agent") or ("compliance" if "definition" in record or "compliance" in stem else ""))
        agent = agent or "factuality"
        types = record.get("types") or ([record["type"]] if record.get("type") else [])
        text = self._digest(str(record.get("text") or "")) if agent == "factuality" else ""
        subject = Subject(agent, tuple(map(str, types)), str(record["property"]), str(record["value"]), text)
        self._said[subject] = _SAID[answer]
        bare = Subject(agent, (), subject.property, subject.value, text)
        # Where statements of several types were answered differently, the bare statement has no answer.
        self._loose[bare] = _SAID[answer] if self._loose.get(bare, _SAID[answer]) == _SAID[answer] else None

    def _digest(self, text: str) -> str:
        """The digest of the text as a page shows it, which is how questions name it."""
        if not text:
            return ""
        if text not in self._texts:
            from schemaproof.agents.llm_questions import text_digest
            from schemaproof.page import page_from_text

            self._texts[text] = text_digest(page_from_text(text).text)
        return self._texts[text]

    def said(self, subject: Subject) -> bool | None:
        """The recorded answer about a statement; None where there is none."""
        exact = Subject(subject.agent, subject.types, subject.property, subject.value, subject.text)
        if exact in self._said:
            return self._said[exact]
        return self._loose.get(Subject(subject.agent, (), subject.property, subject.value, subject.text))

    def complete(self, ask: Ask) -> Reply:
        """The recorded answer; "not recorded" where there is none."""
        keyed = next((self._keyed[key] for name in self._models if (key := ask.key(name)) in self._keyed), None)
        tokens = prompt_tokens(ask, self._count)
        if keyed is not None:
            return keyed
        if not ask.subjects:
            raise InputError("no answer to this question was recorded", source=self.name)
        said = [self.said(each) for each in ask.subjects]
        if ask.yes_no:
            text = NOT_RECORDED if said[0] is None else "Yes" if said[0] else "No"
        else:
            text = json.dumps(
                {
                    "answers": [
                        {"n": number, "verdict": "supported" if yes else "unsupported", "quote": ""}
                        for number, yes in enumerate(said, 1)
                        if yes is not None
                    ]
                }
            )
        return Reply(text, None, tokens, self._count(text))
