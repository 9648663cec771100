from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from schemaproof.errors import StoreError
from schemaproof.pipeline.result import MarkupResult, PageResult, UnitResult
from schemaproof.pipeline.store import Store

STATEMENT = {
    "path": "/name",
    "types": ["Recipe"],
    "property": "name",
    "value": "Pie",
    "entity": None,
    "kept": False,
    "unclear": False,
    "chain": [[["Recipe"], "name"]],
    "verdicts": {
        "validity": {"verdict": "keep", "rule": "", "reason": ""},
        "factuality": {"verdict": "reject", "rule": "absent", "reason": "not there", "kind": "unsupported"},
    },
}


def page(name: str = "p", **changes: object) -> PageResult:
    counts = {"input": 1, "valid": 1, "factual": 0, "compliant": 0, "unclear": 0}
    markup = MarkupResult(
        "human", counts, {"name": 1}, [{"name": "Pie", "n": 10**30}], [STATEMENT], {"/name": (0, 3, "Pie")}
    )
    made = PageResult(name, None, "id", "digest", "en", "T", "text\ud800", None, [UnitResult(["Recipe"], [markup])])
    for key, value in changes.items():
        setattr(made, key, value)
    return made


def test_what_is_saved_comes_back(tmp_path: Path) -> None:
    with Store(tmp_path / "run.db") as store:
        store.save(page(), "s")
        (back,) = store.pages("s", statements=True)
    whole = page(text="text?")
    assert back == whole
    assert back.units[0].markups[0].documents[0]["n"] == 10**30


def test_the_deciding_verdict_has_columns_of_its_own(tmp_path: Path) -> None:
    with Store(tmp_path / "run.db") as store:
        store.save(page(), "s")
        row = store.connection.execute("SELECT agent, rule, kind, reason, kept FROM statements").fetchone()
    assert row == ("factuality", "absent", "unsupported", "not there", 0)


def test_saving_again_replaces(tmp_path: Path) -> None:
    with Store(tmp_path / "run.db") as store:
        store.save(page(), "s")
        store.save(page(), "s")
        counts = [store.connection.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in ("pages", "statements")]
        assert counts == [1, 1]
        assert store.done("s") == {"p": ("digest", False)}
        assert store.done("other") == {}


def test_a_failed_transaction_leaves_nothing(tmp_path: Path) -> None:
    broken = page()
    broken.units[0].markups[0].statements.append({})
    with Store(tmp_path / "run.db") as store:
        with pytest.raises(KeyError):
            store.save(broken, "s")
        assert store.done("s") == {}


def test_merging_takes_each_page_once_and_prefers_success(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as a, Store(tmp_path / "b.db") as b:
        a.save(page("one", error="broke", units=[]), "s")
        b.save(page("one"), "s")
        b.save(page("two"), "s")
        assert a.absorb(b) == 2
        assert a.absorb(b) == 0
        assert a.done("s") == {"one": ("digest", False), "two": ("digest", False)}


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("no database, but long enough to be taken for one " * 50)
    with pytest.raises(StoreError, match=r"text\.db"):
        Store(tmp_path / "text.db")
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE t (a)")
    other.close()
    with pytest.raises(StoreError, match="no run file"):
        Store(tmp_path / "other.db")
    with pytest.raises(StoreError, match="no such"):
        Store(tmp_path / "absent.db", must_exist=True)


def test_a_run_file_of_another_format_is_refused(tmp_path: Path) -> None:
    with Store(tmp_path / "run.db") as store:
        store.connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="format 99"):
        Store(tmp_path / "run.db")


def test_a_file_that_does_not_tell_what_was_covered_shows_all(tmp_path: Path) -> None:
    with Store(tmp_path / "run.db") as store:
        store.set_meta("signature", "s")
        for name in "ab":
            store.save(page(name), "s")
        assert list(store.numbers("s", whole=False)) == ["a", "b"]
        assert store.others("s") == 0


def test_what_the_last_run_covered(tmp_path: Path) -> None:
    with Store(tmp_path / "run.db") as store:
        for name in "abc":
            store.save(page(name), "s")
        store.begin("s", ["human", "x"])
        store.cover(["c", "a", "not saved yet"])
        store.cover(["c"])
        assert [each.name for each in store.pages("s", whole=False)] == ["c", "a"]
        assert [each.name for each in store.pages("s")] == ["a", "b", "c"]
        assert store.others("s") == 1
        store.begin("t", ["human"])
        store.cover(["b"])
        # The file tells of its last run only.
        assert list(store.numbers("s", whole=False)) == ["a", "b", "c"]


def test_joined_files_cover_what_both_covered(tmp_path: Path) -> None:
    with Store(tmp_path / "a.db") as a, Store(tmp_path / "b.db") as b, Store(tmp_path / "c.db") as joined:
        for store, names in ((a, "ab"), (b, "cd")):
            for name in names:
                store.save(page(name), "s")
            store.begin("s", ["human"])
            store.cover(names[1])
        joined.absorb(a)
        joined.absorb(b)
        assert list(joined.numbers("s", whole=False)) == ["b", "d"]
        assert joined.others("s") == 2
        assert joined.meta("contenders") == "human"
