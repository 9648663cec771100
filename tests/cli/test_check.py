"""`check` as a user calls it."""

from __future__ import annotations

import json
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., "subprocess.CompletedProcess[bytes]"]
PAGE = """<!doctype html>
<html lang="en"><head><title>Lamp</title>
<script type="application/ld+json">
{
  "@context": "https://schema.org",
  "@type": "Product",
  "name": "Lamp",
  "colour": "Teal",
  "sku": "L-1",
  "offers": {"@type": "Offer", "price": "9.00", "priceCurrency": "Euro"}
}
</script></head><body><h1>Lamp</h1><p>Item L-1</p><p>9.00 EUR</p></body></html>
"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "lamp.html"
    file.write_text(PAGE, encoding="utf-8")
    return file


def rows(done: subprocess.CompletedProcess[bytes]) -> dict[str, dict[str, Any]]:
    return {row["path"]: row for row in json.loads(done.stdout)["statements"]}


def test_every_statement_has_verdicts_and_a_reason_where_it_is_rejected(schemaproof: Call, page: Path) -> None:
    done = schemaproof("check", str(page), "--json")
    assert done.returncode == 1
    answer = json.loads(done.stdout)
    assert (answer["schema_version"], answer["page"]) == (1, str(page))
    statements = rows(done)
    assert statements["/0/name"]["kept"]
    evidence = statements["/0/name"]["verdicts"]["factuality"]["evidence"][0]
    assert evidence["text"] == "Lamp"
    assert not statements["/0/colour"]["kept"]
    assert statements["/0/colour"]["verdicts"]["validity"]["rule"] == "unknown-property"
    currency = statements["/0/offers/priceCurrency"]["verdicts"]
    assert [said["verdict"] for said in currency.values()][-1] == "reject"
    assert all(
        any(said["reason"] for said in row["verdicts"].values()) for row in statements.values() if not row["kept"]
    )
    assert [row["path"] for row in answer["links"]] == ["/0/offers"]


def test_findings_have_a_place(schemaproof: Call, page: Path) -> None:
    findings = json.loads(schemaproof("check", str(page), "--json").stdout)["findings"]
    (typo,) = [finding for finding in findings if finding["rule"] == "unknown-property"]
    assert (typo["line"], typo["column"], typo["severity"]) == (8, 3, "error")
    assert typo["suggestion"] == "color"


def test_people_see_the_line_and_a_caret(schemaproof: Call, page: Path) -> None:
    text = schemaproof("check", str(page)).stdout.decode()
    assert "8:3  error  unknown-property" in text
    assert '"colour": "Teal",' in text
    assert "\x1b" not in text


def test_several_pages_are_json_lines(schemaproof: Call, page: Path) -> None:
    done = schemaproof("check", str(page), "absent.html", "--json")
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert first["page"] == str(page)
    assert second["error"] == "no such file"
    assert done.returncode == 1


def test_nothing_could_be_opened(schemaproof: Call) -> None:
    assert schemaproof("check", "absent.html").returncode == 3


def test_bare_json_ld_is_judged_without_a_page(schemaproof: Call) -> None:
    markup = b'{"@context": "https://schema.org", "@type": "Product", "name": "Lamp"}'
    done = schemaproof("check", "-", "--json", stdin=markup)
    assert done.returncode == 0
    assert set(rows(done)["/name"]["verdicts"]) == {"validity", "compliance"}


def test_bare_json_ld_against_its_page(schemaproof: Call, page: Path, tmp_path: Path) -> None:
    (tmp_path / "m.jsonld").write_text('{"@context": "https://schema.org", "@type": "Product", "name": "Chair"}')
    done = schemaproof("check", "m.jsonld", "--page", str(page), "--json")
    assert rows(done)["/name"]["verdicts"]["factuality"]["verdict"] == "reject"


def test_rules_are_selected_and_ignored(schemaproof: Call, page: Path) -> None:
    only = json.loads(schemaproof("check", str(page), "--json", "--select", "unknown-property").stdout)["findings"]
    assert {finding["rule"] for finding in only} == {"unknown-property"}
    assert schemaproof("check", str(page), "--ignore", "validity,compliance,factuality,markup").returncode == 0


def test_only_new_findings_fail_a_baseline(schemaproof: Call, page: Path) -> None:
    assert schemaproof("check", str(page), "--write-baseline", "known.json").returncode == 0
    assert schemaproof("check", str(page), "--baseline", "known.json").returncode == 0
    page.write_text(PAGE.replace('"sku"', '"skew"'), encoding="utf-8")
    done = schemaproof("check", str(page), "--baseline", "known.json", "--json")
    assert done.returncode == 1
    assert [finding["path"] for finding in json.loads(done.stdout)["findings"]] == ["/0/skew"]


def test_settings_of_the_folder_are_defaults(schemaproof: Call, page: Path, tmp_path: Path) -> None:
    settings = tmp_path / "schemaproof.toml"
    settings.write_text(
        '[check]\nagents = "validity"\n[[check.paths]]\npattern = "*.html"\nignore = ["unknown-property"]\n'
    )
    done = schemaproof("check", str(page), "--json")
    assert set(rows(done)["/0/name"]["verdicts"]) == {"validity"}
    assert done.returncode == 0
    settings.write_text("[check\n")
    broken = schemaproof("check", str(page))
    assert broken.returncode == 2
    assert b"schemaproof.toml" in broken.stderr
    settings.write_text("[chekc]\nagents = 'validity'\n")
    assert b"no command" in schemaproof("check", str(page)).stderr


def test_sarif_github_and_junit(schemaproof: Call, page: Path) -> None:
    sarif = json.loads(schemaproof("check", str(page), "--format", "sarif").stdout)
    results = sarif["runs"][0]["results"]
    assert any(
        result["ruleId"] == "unknown-property"
        and result["locations"][0]["physicalLocation"]["region"] == {"startLine": 8, "startColumn": 3}
        for result in results
    )
    github = schemaproof("check", str(page), "--format", "github").stdout.decode()
    assert "line=8,col=3,title=unknown-property::" in github
    root = ElementTree.fromstring(schemaproof("check", str(page), "--format", "junit").stdout)
    assert int(root.get("failures", "0")) >= 2


def test_many_pages_are_grouped_by_rule(schemaproof: Call, page: Path, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(30):
        (folder / f"{number}.html").write_text(PAGE)
    text = schemaproof("check", str(folder)).stdout.decode()
    assert "unknown-property  30 on 30 pages" in text
    assert text.count("\n") < 30


def test_unusable_options_are_said(schemaproof: Call, page: Path) -> None:
    for arguments, words in (
        (["--agents", "x"], b"no agent"),
        (["--policy", "x"], b"policy"),
        (["--judge", "x"], b"SPEC"),
        (["--baseline", "absent.json"], b"--write-baseline"),
    ):
        done = schemaproof("check", str(page), *arguments)
        assert done.returncode == 2, done.stderr
        assert words in done.stderr


def test_a_page_of_odd_bytes_is_no_crash(schemaproof: Call) -> None:
    for data in (b"", b"\xff\xfe\x00", b"{", b"[[[", b"<script type=application/ld+json>{</script>", b"\x00" * 100):
        done = schemaproof("check", "-", stdin=data)
        assert done.returncode in (0, 1), done.stderr
        assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("<title>Bare</title><p>No markup here.", "no structured data on this page; nothing to report"),
        ('<script type="application/ld+json">{}</script>', "no structured data on this page; nothing to report"),
        (
            '<div vocab="http://xmlns.com/foaf/0.1/" typeof="Person"><p property="name">Ann</p></div>',
            "no statement to judge, 2 statements of other vocabularies; nothing to report",
        ),
        (
            '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Thing"}</script>',
            "no statement to judge; nothing to report",
        ),
    ],
    ids=["none", "empty script", "other vocabulary", "type alone"],
)
def test_a_page_without_statements_says_why(schemaproof: Call, page: str, words: str) -> None:
    done = schemaproof("check", "-", stdin=page.encode())
    assert done.returncode == 0
    assert words in done.stdout.decode()


def test_broken_markup_is_not_no_markup(schemaproof: Call) -> None:
    done = schemaproof("check", "-", stdin=b'<script type="application/ld+json">{"a": </script>')
    assert b"no structured data" not in done.stdout
    assert done.returncode == 1


def test_pages_without_structured_data_are_counted_in_the_table(schemaproof: Call, page: Path, tmp_path: Path) -> None:
    (tmp_path / "bare.html").write_text("<p>Nothing.", encoding="utf-8")
    done = schemaproof("check", str(page), "bare.html", "--group", "rule")
    assert b"2 pages, " in done.stdout
    assert b", 1 page without structured data" in done.stdout
