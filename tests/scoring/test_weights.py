from __future__ import annotations

from pathlib import Path

import pytest

from schemaproof.errors import InputError, SourceError
from schemaproof.scoring.memr import read_weights
from schemaproof.scoring.weights import parse_weights


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("w.json", '{"name": 2, "schema:price": 0.5, "*": 0}'),
        ("w.toml", '[weights]\nname = 2\n"https://schema.org/price" = 0.5\n"*" = 0\n'),
        ("w.toml", 'name = 2\nprice = 0.5\n"*" = 0\n'),
        ("w.csv", "property,weight\nname,2\nprice, 0.5\n\n*,0\n"),
        ("w.csv", "\ufeffname,2\nprice,0.5\n*,0\n"),
    ],
)
def test_all_forms_say_the_same(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert read_weights(tmp_path / name) == {"name": 2.0, "price": 0.5, "*": 0.0}


@pytest.mark.parametrize(
    ("form", "text", "message"),
    [
        ("json", '{"name": }', "not JSON"),
        ("json", "[1]", "not an object"),
        ("json", "{}", "no weights"),
        ("json", '{"name": true}', "name is True"),
        ("json", '{"name": -1}', "0 or more"),
        ("json", '{"name": "heavy"}', "0 or more"),
        ("csv", "name,nan", "0 or more"),
        ("toml", "name = ", "not TOML"),
        ("csv", "name,1\nprice", "1 columns"),
        ("csv", "name,1\nschema:name,2", "two weights"),
        ("csv", ",1", "no property"),
        ("yaml", "name: 1", ".json, .toml and .csv"),
    ],
)
def test_bad_weights_are_told(form: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message.replace(".", r"\.")):
        parse_weights(text, form, source="w")


def test_the_line_is_told() -> None:
    with pytest.raises(InputError) as caught:
        parse_weights("property,weight\nname,1\nprice,x\n", "csv", source="w.csv")
    assert str(caught.value).startswith("w.csv:3: ")


def test_no_file_and_no_text(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        read_weights(tmp_path / "none.json")
    (tmp_path / "w.json").write_bytes(b"\xff\xfe{")
    with pytest.raises(InputError, match="UTF-8"):
        read_weights(tmp_path / "w.json")
