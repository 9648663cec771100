"""`generate` as a user calls it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

Call = Callable[..., "subprocess.CompletedProcess[bytes]"]
EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "pages"
PAGE = b"""<!doctype html><html lang="en"><title>Lamp</title><main><h1>Lamp</h1><p>In stock</p><p>&pound;9.00</p>
<form><button>Add to basket</button></form></main>"""


def test_the_types_of_the_page_s_own_markup_are_written(schemaproof: Call) -> None:
    done = schemaproof("generate", str(EXAMPLES / "movie.html"))
    assert done.returncode == 0
    written = json.loads(done.stdout)
    assert (written["@context"], written["@type"], written["name"]) == (
        "https://schema.org",
        "Movie",
        "The Salt Ledger",
    )
    assert written["duration"] == "PT2H14M"
    assert b"from the page's markup" in done.stderr


def test_without_markup_the_type_is_guessed(schemaproof: Call) -> None:
    done = schemaproof("generate", "-", stdin=PAGE)
    assert json.loads(done.stdout)["@type"] == "Product"
    assert b"guessed" in done.stderr


def test_json_has_the_source_of_every_value(schemaproof: Call) -> None:
    done = schemaproof(
        "generate", "-", "--type", "Product", "--base", "https://shop.example/lamp", "--json", stdin=PAGE
    )
    answer = json.loads(done.stdout)
    assert (answer["schema_version"], answer["types"], answer["types_from"]) == (1, ["Product"], "given")
    assert answer["documents"][0]["offers"]["price"] == 9
    assert answer["sources"]["/0/offers/price"]["text"] == "9.00"
    assert answer["sources"]["/0/url"]["kind"] == "url"


def test_types_of_different_things_give_a_document_each(schemaproof: Call) -> None:
    done = schemaproof(
        "generate", str(EXAMPLES / "how-to.html"), "--type", "HowTo", "--type", "https://schema.org/BreadcrumbList"
    )
    assert [document["@type"] for document in json.loads(done.stdout)] == ["HowTo", "BreadcrumbList"]


def test_an_unknown_type_is_refused_with_a_suggestion(schemaproof: Call) -> None:
    done = schemaproof("generate", "-", "--type", "Prodct", stdin=PAGE)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"did you mean Product?" in done.stderr


def test_a_prompt_for_the_extractor_and_a_wrong_spec_are_refused(schemaproof: Call) -> None:
    assert schemaproof("generate", "-", "--prompt", "short", stdin=PAGE).returncode == 2
    done = schemaproof("generate", "-", "--by", "nonsense", stdin=PAGE)
    assert done.returncode == 2
    assert b"nonsense" in done.stderr


def test_a_page_that_shows_nothing_gives_an_empty_list_and_says_so(schemaproof: Call) -> None:
    done = schemaproof("generate", "-", "--type", "Event", stdin=b"<html></html>")
    assert (done.returncode, json.loads(done.stdout)) == (0, [])
    assert b"nothing on this page" in done.stderr
