"""`schemaproof read` as a user calls it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parent.parent / "fixtures" / "pages-read"
Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


def test_json_has_every_key_of_the_contract(schemaproof: Run) -> None:
    done = schemaproof("read", "--json", "--base", "https://larch.example/stools/fern", str(FIXTURES / "shop.html"))
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert set(answer) >= {
        "schema_version", "base", "blocks", "items", "microdata", "rdfa", "nodes", "errors", "warnings", "hints",
        "text_chars", "language",
    }  # fmt: skip
    assert answer["schema_version"] == 1
    assert answer["blocks"] == 3
    assert answer["base"] == "https://larch.example/stools/fern"
    assert [item["@type"] for item in answer["items"]] == ["Product", "WebSite"]
    assert answer["microdata"][0]["type"] == ["https://schema.org/Product"]
    assert answer["microdata"][0]["properties"]["offers"][0]["properties"]["price"] == ["249.00"]
    [error] = answer["errors"]
    assert (error["block"], error["line"]) == (1, 19)
    assert error["message"]
    assert {warning["code"] for warning in answer["warnings"]} >= {"comment", "trailing-comma"}
    assert sorted({kind for node in answer["nodes"] for kind in node["types"]}) == ["Offer", "Product", "WebSite"]
    assert answer["language"] == "en"
    assert answer["text_chars"] > 100


def test_text_is_the_visible_text_and_nothing_else(schemaproof: Run) -> None:
    done = schemaproof("read", "--text", "-", stdin=b"<p>Ap<b>ple</b> pie</p><p hidden>x</p><script>y</script>")
    assert (done.returncode, done.stdout) == (0, b"Apple pie\n")
    empty = schemaproof("read", "--text", str(FIXTURES / "app.html"))
    assert (empty.returncode, empty.stdout.strip()) == (0, b"")
    assert b"needs rendering" in empty.stderr


def test_triples_are_n_triples_and_what_is_wrong_goes_to_standard_error(schemaproof: Run) -> None:
    done = schemaproof("read", "--triples", str(FIXTURES / "shop.html"))
    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    assert all(line.endswith(" .") for line in lines)
    assert any("schema.org/WebSite" in line for line in lines)
    assert b"shop.html:19:" in done.stderr
    assert b"[truncated]" in done.stderr


def test_triples_of_rdfa_too(schemaproof: Run) -> None:
    pytest.importorskip("pyRdfa")
    out = schemaproof("read", "--triples", str(FIXTURES / "review.html")).stdout.decode()
    assert "<http://schema.org/ratingValue>" in out or "<https://schema.org/ratingValue>" in out


def test_bare_json_ld_is_read_like_a_block(schemaproof: Run) -> None:
    source = b'{"@context":"https://schema.org","@type":"Product","name":"Lamp",}'
    answer = json.loads(schemaproof("read", "--json", "-", stdin=source).stdout)
    assert answer["blocks"] == 1
    assert answer["text_chars"] == 0
    assert [warning["code"] for warning in answer["warnings"]] == ["trailing-comma"]
    triples = schemaproof("read", "--triples", "-", stdin=source).stdout.decode()
    assert triples.count("\n") == 2


@pytest.mark.parametrize("name", ["shop.html", "review.html", "app.html", "broken.html"])
def test_the_summary_fits_every_page(schemaproof: Run, name: str) -> None:
    done = schemaproof("read", str(FIXTURES / name))
    assert done.returncode == 0, done.stderr
    assert b"characters of visible text" in done.stdout
    assert b"\x1b[" not in done.stdout


def test_the_summary_says_what_a_person_needs(schemaproof: Run) -> None:
    said = schemaproof("read", str(FIXTURES / "shop.html")).stdout.decode()
    assert "Fern stool – Larch & Lathe" in said
    assert "language en (declared)" in said
    assert "microdata" in said
    assert "error 19:" in said
    assert "(nothing readable)" in said


@pytest.mark.parametrize("form", [[], ["--json"], ["--text"], ["--triples"]])
def test_empty_input_and_random_bytes_are_pages(schemaproof: Run, form: list[str]) -> None:
    for data in (b"", b"\x00\xff\xfe<\x80", b"\xff\xfe<\x00p\x00>\x00"):
        assert schemaproof("read", *form, "-", stdin=data).returncode == 0


def test_a_file_that_is_not_there_is_one_line(schemaproof: Run) -> None:
    done = schemaproof("read", "no-such-file.html")
    assert done.returncode in (2, 3)
    assert b"no-such-file.html" in done.stderr
    assert b"Traceback" not in done.stderr
