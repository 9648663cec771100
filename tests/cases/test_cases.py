"""Small inputs of the kinds that break such tools, each with what the standards say of it.

A case is a line of `*.jsonl` beside this file: id, kind, input (HTML or JSON-LD), question, expected, why. The
comparison is strict: of the statements judged, those kept and those rejected are exactly the expected ones.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from schemaproof.cli.read import _answer as reading_answer
from schemaproof.markup import page_graph, to_nquads, to_triples
from schemaproof.page import read_document
from schemaproof.page.model import Page
from schemaproof.pipeline.checking import Checked, Checker, CheckOptions
from schemaproof.vocabulary import load

BASE = "https://example.com/page"
FOLDER = Path(__file__).parent
AGENTS = {
    "validity": ("validity",),
    "factuality": ("validity", "factuality"),
    "compliance": ("validity", "compliance"),
}
PREFIX = re.compile(r"https?://(?:www\.)?schema\.org/(?=\w+$)")
TERM = re.compile(r'<[^>]*>|_:\S+|"(?:[^"\\]|\\.)*"(?:@[A-Za-z0-9-]+|\^\^<[^>]*>)?')
RDF_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


def cases() -> list[Any]:
    found = []
    for file in sorted(FOLDER.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").strip().split("\n"):
            case = json.loads(line)
            found.append(pytest.param(case, id=case["id"]))
    return found


@cache
def checker(question: str) -> Checker:
    return Checker(CheckOptions(agents=AGENTS[question]))


def page_of(case: dict[str, Any]) -> Page:
    return read_document(case["input"].encode("utf-8", "surrogatepass"), url=BASE, name="-")


def plain(value: object) -> str:
    """A value as cases write it: terms of Schema.org by their bare names, Booleans with a capital."""
    text = PREFIX.sub("", str(value))
    return text.capitalize() if text.lower() in ("true", "false") else text


def row_of(statement: dict[str, Any]) -> tuple[str, str, str]:
    types = ",".join(statement["types"]) or "{}"
    entity = statement["entity"]
    value = plain(statement["value"]) if entity is None else "{" + ",".join(entity) + "}"
    return types, statement["property"], value


def bag(rows: Iterable[list[str]]) -> Counter[tuple[str, str, str]]:
    return Counter((types, name, plain(value)) for types, name, value in rows)


def verdict_faults(expected: dict[str, Any], checked: Checked) -> list[str]:
    assert checked.answer is not None, checked.error
    statements = checked.answer["statements"]
    gone = tuple(s["path"] + "/" for s in statements if not s["kept"] and s["entity"] is not None)
    own = [s for s in statements if not s["path"].startswith(gone)]
    kept = Counter(row_of(s) for s in own if s["kept"] and s["property"] != "@type")
    rejected = [s for s in own if not s["kept"] and not s["unclear"]]
    unclear = Counter(row_of(s) for s in own if s["unclear"])
    faults = []
    for name, got, rows in (
        ("kept", kept, expected["kept"]),
        ("rejected", Counter(map(row_of, rejected)), expected["rejected"]),
        ("unclear", unclear, expected.get("unknown", [])),
    ):
        wanted = bag(rows)
        faults += [f"not {name}: {row}" for row in (wanted - got).elements()]
        faults += [f"wrongly {name}: {row}" for row in (got - wanted).elements()]
    for statement in rejected:
        reasons = [v["reason"] for v in statement["verdicts"].values() if v["verdict"] == "reject"]
        if not any(str(reason).strip() for reason in reasons):
            faults.append(f"no reason: {row_of(statement)}")
    if expected.get("warnings") and not any(f.severity != "error" and f.message for f in checked.findings):
        faults.append(f"no warning: {expected['warnings']}")
    for term, better in expected.get("suggestions", {}).items():
        if not any(better in f.suggestion for f in checked.findings):
            faults.append(f"no suggestion {better} for {term}")
    return faults


def triple_faults(expected: dict[str, Any], page: Page) -> list[str]:
    triples, diagnostics = to_triples(page.items, base=page.base)
    rows = []
    for line in to_nquads(triples).splitlines():
        parts = [part.replace("<https://schema.org/", "<http://schema.org/") for part in TERM.findall(line)]
        assert len(parts) in (3, 4), line
        rows.append(parts)
    subjects, objects = {row[0] for row in rows}, {row[2] for row in rows}
    predicates = {row[1] for row in rows}
    faults = [] if len(rows) == expected["count"] else [f"{len(rows)} triples, not {expected['count']}: {rows}"]
    faults += [f"no predicate {name}" for name in expected.get("predicates", ()) if f"<{name}>" not in predicates]
    faults += [f"no subject {name}" for name in expected.get("subjects", ()) if f"<{name}>" not in subjects]
    types = {row[2] for row in rows if row[1] == RDF_TYPE}
    faults += [f"no type {name}" for name in expected.get("types", ()) if f"<{name}>" not in types]
    for term in expected.get("objects", ()):
        full = re.sub(r"\^\^schema:(\w+)", r"^^<http://schema.org/\1>", term)
        full = re.sub(r"\^\^xsd:(\w+)", r"^^<http://www.w3.org/2001/XMLSchema#\1>", full)
        if (full if full.startswith('"') else f"<{full}>") not in objects:
            faults.append(f"no object {full}: {sorted(objects)}")
    faults += [f"has object {name}" for name in expected.get("forbidden_objects", ()) if f"<{name}>" in objects]
    if "schema_org_triples" in expected:
        ours = sum("<http://schema.org/" in (row[2] if row[1] == RDF_TYPE else row[1]) for row in rows)
        if ours != expected["schema_org_triples"]:
            faults.append(f"{ours} triples of Schema.org, not {expected['schema_org_triples']}")
    if "named_graph" in expected and sum(len(row) == 4 for row in rows) != expected["named_graph"]:
        faults.append("named graphs differ")
    said = [*page.errors, *page.warnings, *page.hints, *diagnostics]
    if "said" in expected and bool(said) != expected["said"]:
        faults.append(f"diagnostics {said}, expected {expected['said']}")
    return faults


def reading_faults(expected: dict[str, Any], page: Page) -> list[str]:
    answer = reading_answer(page, page_graph(page, load()))
    json.dumps(answer, ensure_ascii=False).encode("utf-8")
    got = {
        "items": answer["items"],
        "blocks": answer["blocks"],
        "errors": len(answer["errors"]),
        "warnings": bool(answer["warnings"]),
        "hint": bool(answer["hints"]),
        "jsonld_items": len(answer["items"]),
        "microdata_items": len(answer["microdata"]),
        "nodes": len(answer["nodes"]),
        "types": sorted(name for node in answer["nodes"] for name in node["types"]),
    }
    faults = []
    for name, value in got.items():
        wanted = expected.get(name)
        if name in ("warnings", "hint") and "blocks" in expected:
            wanted = bool(wanted)
        elif name not in expected:
            continue
        elif name == "types":
            wanted = sorted(expected["types"])
        if wanted != value:
            faults.append(f"{name}: {value!r}, not {wanted!r} ({answer['warnings']} {answer['hints']})")
    for wanted, item in zip(expected.get("microdata", ()), answer["microdata"], strict=False):
        if wanted["type"] not in item["type"] or wanted["properties"] != item["properties"]:
            faults.append(f"microdata {item}, not {wanted}")
    missing = set(expected.get("node_ids", ())) - {node["id"] for node in answer["nodes"]}
    return faults + [f"no node {name}: {answer['nodes']}" for name in sorted(missing)]


def text_faults(expected: dict[str, Any], page: Page) -> list[str]:
    flat = " ".join(page.text.split())
    faults = [f"lacks {part!r}: {flat!r}" for part in expected["contains"] if " ".join(part.split()) not in flat]
    faults += [f"has {part!r}" for part in expected["not_contains"] if part in page.text]
    if expected.get("empty") and flat:
        faults.append(f"not empty: {flat!r}")
    return faults


def faults_of(case: dict[str, Any]) -> list[str]:
    page = page_of(case)
    expected = case["expected"]
    if case["question"] in AGENTS:
        return verdict_faults(expected, checker(case["question"]).check(page))
    return {"triples": triple_faults, "extraction": reading_faults, "text": text_faults}[case["question"]](
        expected, page
    )


@pytest.mark.parametrize("case", cases())
def test_case(case: dict[str, Any]) -> None:
    assert not faults_of(case), case["why"]


def test_every_question_is_asked() -> None:
    asked = Counter(param.values[0]["question"] for param in cases())
    assert set(asked) == {*AGENTS, "triples", "extraction", "text"}
    assert sum(asked.values()) >= 300
    assert len({param.id for param in cases()}) == sum(asked.values()), "identifiers are unique"
