from __future__ import annotations

import json
from typing import Any

import pytest

from schemaproof.groundtruth.export import passage, records, site_of
from schemaproof.pipeline.result import MarkupResult, PageResult, UnitResult


def page(name: str = "https://shop.example.co.uk/lamp", value: Any = "Lamp") -> PageResult:
    verdicts: dict[str, dict[str, Any]] = {
        "validity": {"verdict": "keep", "rule": "", "reason": ""},
        "factuality": {
            "verdict": "reject",
            "rule": "value-not-in-text",
            "reason": "It is not there.",
            "probability": 0.1,
            "kind": "unsupported",
            "evidence": [{"start": 0, "end": 4, "text": "Desk", "kind": "text"}],
        },
        "compliance": {
            "verdict": "keep",
            "rule": "fits",
            "reason": "It fits.",
            "probability": 0.9,
            "kind": None,
            "evidence": [],
        },
    }
    statement = {
        "path": "/0/name",
        "types": ["Product"],
        "property": "name",
        "value": value,
        "entity": None,
        "verdicts": verdicts,
    }
    link = {**statement, "value": None, "entity": ["Offer"]}
    unclear = {**statement, "value": "?", "verdicts": {"factuality": {**verdicts["factuality"], "verdict": "unclear"}}}
    markup = MarkupResult("human", statements=[statement, statement, link, unclear])
    return PageResult(name, name, "id", "digest", "en", "", "Desk for sale", None, [UnitResult(["Product"], [markup])])


def made(*pages: PageResult, **more: Any) -> list[dict[str, Any]]:
    seen: set[str] = set()
    options: dict[str, Any] = {
        "agents": ("factuality", "compliance"),
        "definitions": {"name": "What it is called."},
        "licence": "CC0",
        "signature": "sig",
        "seen": seen,
        **more,
    }
    return [record for each in pages for record in records(each, **options)]


def test_one_record_for_each_question_and_agent() -> None:
    found = made(page(), page())
    assert [record["agent"] for record in found] == ["factuality", "compliance"]
    first = found[0]
    assert [message["role"] for message in first["messages"]] == ["system", "user", "assistant"]
    assert json.loads(first["messages"][2]["content"]) == {
        "verdict": "reject",
        "kind": "unsupported",
        "reason": "It is not there.",
        "evidence": ["Desk"],
    }
    assert "What it is called." in found[1]["messages"][1]["content"]
    assert first["licence"] == "CC0"
    assert first["provenance"] == {"page_digest": "digest", "signature": "sig", "judge_rule": "value-not-in-text"}


def test_pages_of_a_site_are_in_one_split() -> None:
    found = made(page("https://a.example.org/1", "x"), page("https://b.example.org/2", "y"), agents=("compliance",))
    assert {record["site"] for record in found} == {"example.org"}
    assert len({record["split"] for record in found}) == 1


@pytest.mark.parametrize(
    ("name", "site"),
    [
        ("https://www.shop.example/x", "shop.example"),
        ("https://a.b.shop.co.uk/", "shop.co.uk"),
        ("http://127.0.0.1/x", "127.0.0.1"),
        ("pages/lamp.html", "pages/lamp.html"),
    ],
)
def test_sites(name: str, site: str) -> None:
    assert site_of(PageResult(name, None, "", "")) == site


def test_long_texts_are_cut_around_the_evidence() -> None:
    text = "a" * 10_000 + "NEEDLE" + "b" * 10_000
    assert "NEEDLE" in passage(text, [{"start": 10_000}], 100)
    assert len(passage(text, [{"start": 10_000}], 100)) == 100
    assert passage(text, [], 100) == "a" * 100
    assert passage("short", [], 100) == "short"
