from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree

from hypothesis import given
from hypothesis import strategies as st

from schemaproof.agents.verdict import Finding
from schemaproof.pipeline.checking import Checked
from schemaproof.reporting.findings import RuleTable, as_github, as_junit, as_sarif, as_text, summary_counts
from schemaproof.reporting.terminal import safe

FINDING = Finding("unknown-property", "error", "/0/prise", "prise is no property.", "price", "validity", 3, 5)
NOTE = Finding("pending-term", "info", "", "pending.", agent="validity")
ANSWER = {"statements": [{"kept": True}, {"kept": False}], "links": [{"kept": True}]}


def checked(name: str = "a.html") -> Checked:
    return Checked(name, ANSWER, [FINDING, NOTE], {(3, 5): ('    "prise": 5', 1)})


def test_text_shows_the_line_with_a_caret_under_the_place() -> None:
    lines = as_text(checked(), [FINDING]).split("\n")
    assert lines[0] == "a.html"
    source, caret = lines[-3], lines[-2]
    assert source[caret.index("^")] == '"'
    assert "instead: price" in lines[3]
    assert lines[-1] == "  2 of 3 statements kept; 1 error"


def test_the_caret_stands_right_below_wide_characters() -> None:
    page = Checked("a", ANSWER, [FINDING], {(3, 5): ('日本 "prise"', 1)})
    source, caret = as_text(page, [FINDING]).split("\n")[-3:-1]
    # Two wide characters take four columns, so the caret is two further than the character's number.
    assert caret.index("^") - source.index("日") == 6


def test_text_of_a_page_that_failed() -> None:
    assert "failed  no such file" in as_text(Checked("a", error="no such file"), [])


def test_control_characters_of_a_page_do_not_reach_the_terminal() -> None:
    assert safe("a\x1b[31mb\u202ec\x07\x9b") == "a\ufffd[31mb\ufffdc\ufffd\ufffd"


def test_counts_in_words() -> None:
    assert summary_counts([FINDING, FINDING, NOTE]) == "2 errors, 1 info"
    assert summary_counts([]) == "nothing to report"


def test_rules_are_grouped_over_pages() -> None:
    table = RuleTable()
    for number in range(30):
        table.add(checked(f"{number}.html"), [FINDING, FINDING])
    table.add(Checked("x", error="broken"), [])
    text = table.text()
    assert "unknown-property  60 on 30 pages" in text
    assert "0.html:3:5" in text
    assert "failed  x: broken" in text
    assert text.endswith("31 pages, 1 rule, 60 findings")


def test_sarif_has_a_rule_and_a_place_for_each_result() -> None:
    run = as_sarif([(checked("a b.html"), [FINDING, NOTE])], lambda rule: f"https://docs.example/#{rule}")["runs"][0]
    first, second = run["results"]
    assert first["level"] == "error"
    assert first["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20b.html"},
        "region": {"startLine": 3, "startColumn": 5},
    }
    assert second["level"] == "note"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["unknown-property", "pending-term"]
    assert run["invocations"][0]["executionSuccessful"]


def test_sarif_tells_pages_that_failed() -> None:
    run = as_sarif([(Checked("a", error="broken"), [])], str)["runs"][0]
    assert not run["invocations"][0]["executionSuccessful"]


def test_github_escapes_what_would_end_a_command() -> None:
    finding = Finding("r", "warning", "", "50% of\nlines::error::x", line=1, column=1)
    assert as_github(Checked("a,b:c"), [finding]) == (
        "::warning file=a%2Cb%3Ac,line=1,col=1,title=r::50%25 of%0Alines::error::x"
    )


@given(st.text(), st.text())
def test_junit_is_well_formed_whatever_a_page_holds(name: str, message: str) -> None:
    finding = Finding("r", "error", "/0", message, message)
    root = ElementTree.fromstring(as_junit([(Checked(name, ANSWER), [finding]), (Checked("b", error=message), [])]))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("2", "1", "1")


@given(st.text())
def test_sarif_is_json_whatever_a_page_holds(message: str) -> None:
    json.dumps(as_sarif([(Checked("a", ANSWER), [Finding("r", "error", "", message)])], str))


def test_sarif_names_files_of_any_bytes() -> None:
    names = ["n\udcff\n.html", "\ud800", "https://shop.example/a b?x=%41#é", "%41.html"]
    finding = Finding("missing-type", "error", "", "m")
    report = as_sarif([(Checked(name), [finding]) for name in names], str)
    found = [row["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for row in report["runs"][0]["results"]]
    assert found == ["n%FF%0A.html", "%3F", "https://shop.example/a%20b?x=%41#%C3%A9", "%2541.html"]
