"""The Python API: the same answers as the command line, light to import, results that show and convert."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import schemaproof
from schemaproof import Page, check, clean, memr, read_page, run, score_extraction
from schemaproof.errors import InputError, PageError, SourceError

EXAMPLES = Path(__file__).parent.parent / "examples" / "pages"
BOOK = EXAMPLES / "book.html"
RECIPE = {"@context": "https://schema.org", "@type": "Recipe", "name": "Pie", "cookTime": "PT40M", "prise": "4"}
HTML = f"""<html lang="en"><title>Pie</title><script type="application/ld+json">{json.dumps(RECIPE)}</script>
<h1>Pie</h1><p>Cooking time: 45 minutes</p></html>"""


def test_every_name_is_there_and_comes_late() -> None:
    for name in schemaproof.__all__:
        assert getattr(schemaproof, name) is not None
    assert set(schemaproof.__all__) <= set(dir(schemaproof))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = schemaproof.nothing
    loaded = "print('schemaproof.api' in sys.modules)"
    probe = f"import sys, schemaproof; {loaded}; schemaproof.check; {loaded}"
    done = subprocess.run([sys.executable, "-c", probe], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "True"]


def test_check_says_what_the_command_says() -> None:
    found = check(BOOK)
    done = subprocess.run(
        [sys.executable, "-m", "schemaproof", "check", str(BOOK), "--json"], capture_output=True, check=False
    )
    told = json.loads(done.stdout)
    assert found.signature == told["signature"]
    assert [row for row in found.statements if row not in told.get("links", [])] == told["statements"]
    assert len(found.findings) == len(told["findings"])
    assert not found.ok
    assert len(found.kept) + len(found.rejected) == len(found.statements)


def test_a_page_is_given_in_many_ways(tmp_path: Path) -> None:
    file = tmp_path / "pie.html"
    file.write_text(HTML, encoding="utf-8")
    outcomes = [
        [(row["path"], row["kept"]) for row in check(given).rows]
        for given in (file, str(file), HTML, HTML.encode(), read_page(HTML))
    ]
    assert all(each == outcomes[0] for each in outcomes)
    assert dict(outcomes[0])["/0/prise"] is False
    assert dict(outcomes[0])["/0/name"] is True
    assert isinstance(read_page(HTML, url="https://e.example/"), Page)
    assert read_page(HTML, url="https://e.example/").url == "https://e.example/"


def test_bare_markup_with_and_without_its_page() -> None:
    alone = check(RECIPE)
    assert not any("factuality" in row["verdicts"] for row in alone.statements)
    against = check(RECIPE, evidence=HTML)
    (time,) = [row for row in against.rows if row["property"] == "cookTime"]
    assert time["agent"] == "factuality"
    assert not time["kept"]
    assert {row["property"] for row in check(RECIPE, agents=["validity"]).rejected} == {"prise"}


def test_what_cannot_be_used_is_said() -> None:
    with pytest.raises(SourceError):
        check("no-such-file.html")
    with pytest.raises(PageError, match="not int"):
        check(3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no agent"):
        check(HTML, agents=["truth"])
    with pytest.raises(InputError, match="no profile"):
        score_extraction([], profile="none")
    with pytest.raises(InputError):
        memr({"a": {1, 2}}, RECIPE)


def test_clean_takes_out_what_is_wrong() -> None:
    cleaned = clean(HTML)
    assert {name for _, name, _ in cleaned.removed} == {"prise", "cookTime"}
    (left,) = cleaned.documents
    assert json.loads(cleaned.json()) == left == {key: RECIPE[key] for key in ("@context", "@type", "name")}
    assert [row["property"] for row in cleaned.rows] == [name for _, name, _ in cleaned.removed]


def test_memr_of_two_markups() -> None:
    found = memr({**RECIPE, "author": "Ann"}, {"@context": "https://schema.org", "@type": "Recipe", "name": "Pie"})
    assert found.a_score == 1.0
    assert found.b_score == 0.25
    assert {"property": "name", "a": 1, "b": 1} in found.rows
    empty = memr({"@type": "Recipe"}, {"@type": "Recipe"})
    assert empty.a_score is None
    assert "nothing to compare" in repr(empty)


def test_run_and_its_report(tmp_path: Path) -> None:
    found = run([EXAMPLES / "book.html", EXAMPLES / "faq.html"], file=tmp_path / "run.db", jobs=1)
    assert found.totals["pages"] == 2
    assert {row["contender"] for row in found.rows} == {"human", "extractor"}
    human = found.totals["contenders"]["human"]
    assert sum(row["input"] for row in found.rows if row["contender"] == "human") == human["input"]
    report = found.report(tmp_path / "report.html")
    assert report.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_score_extraction_from_rows() -> None:
    schema = {"type": "object", "properties": {"price": {"type": "number"}}, "required": ["price"]}
    rows: list[dict[str, Any]] = [
        {"id": 1, "response": '{"price": 3}', "gold": {"price": 3}, "schema": schema},
        {"id": 2, "response": "no idea", "gold": {"price": 3}, "schema": schema},
        {"id": 3, "response": None, "gold": {"price": 3}, "schema": schema},
    ]
    found = score_extraction(rows)
    assert found.refused == 1
    assert found.means["is_valid_json"][0] == 0.5
    assert [row["key_f1"] for row in found.rows] == [1.0, 0.0, None]


RESULTS: dict[str, Any] = {
    "check": lambda: check(HTML),
    "clean": lambda: clean(HTML),
    "memr": lambda: memr(HTML, RECIPE),
    "score_extraction": lambda: score_extraction(
        [{"id": 1, "response": "{}", "gold": {}, "schema": {"type": "object"}}]
    ),
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_show_in_a_notebook_and_become_frames(name: str) -> None:
    result = RESULTS[name]()
    html = result._repr_html_()
    assert html.startswith("<table>")
    assert html.count("<tr>") > 1
    assert result.rows
    pyarrow = pytest.importorskip("pyarrow", reason="needs the extra frames")
    table = result.to_arrow()
    assert isinstance(table, pyarrow.Table)
    assert table.num_rows == len(result.rows)
    assert table.column_names == list(result.rows[0])
    for package, convert in (("pandas", result.to_pandas), ("polars", result.to_polars)):
        pytest.importorskip(package, reason="needs the extra frames")
        assert list(convert().columns) == table.column_names


def test_a_notebook_runs_nothing_hostile() -> None:
    bad = {"@context": "https://schema.org", "@type": "Recipe", "name": "<script>alert(1)</script>", "<b>x</b>": "<i>"}
    for result in (check(bad), clean(bad), memr(bad, RECIPE)):
        html = result._repr_html_()
        assert "<script" not in html
        assert "<b>" not in html
        assert "<i>" not in html


def test_a_frame_without_rows_cannot_be_made() -> None:
    from schemaproof.api import Frame

    class Rowless(Frame):
        pass

    with pytest.raises(TypeError, match="rows"):
        Rowless()  # type: ignore[abstract]  # what mypy refuses is what is tested
