"""`clean` as a user calls it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Call = Callable[..., "subprocess.CompletedProcess[bytes]"]
MARKUP = """{
    "name": "Lamp",
    "@context": "https://schema.org",
    "@type": "Product",
    "colour": "Teal",
    "offers": {"@type": "Offer", "price": "9,00", "priceCurrency": "EUR"}
}"""
PAGE = f"""<!doctype html>\r
<html lang="en"><title>Lämp</title><!-- a  comment -->\r
<script type="application/ld+json">{MARKUP}</script>
<script>var x = 1 < 2;</script>
<h1>Lamp</h1><p>9,00 EUR</p>"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "lamp.html"
    file.write_bytes(PAGE.encode())
    return file


def test_rejected_statements_go_and_the_order_stays(schemaproof: Call, page: Path) -> None:
    done = schemaproof("clean", str(page))
    assert done.returncode == 0, done.stderr
    assert list(json.loads(done.stdout)) == ["name", "@context", "@type", "offers"]
    assert b"removed /0/colour" in done.stderr


def test_safe_repairs_are_made_and_told(schemaproof: Call, page: Path) -> None:
    done = schemaproof("clean", str(page), "--fix", "--json")
    answer = json.loads(done.stdout)
    assert answer["documents"][0]["offers"]["price"] == "9.00"
    assert {"path": "/0/offers/price", "before": "9,00", "after": "9.00"} in answer["changes"]


def test_in_place_changes_only_the_script(schemaproof: Call, page: Path) -> None:
    done = schemaproof("clean", str(page), "--fix", "--in-place")
    assert done.returncode == 0, done.stderr
    new = page.read_bytes().decode()
    before, after = PAGE.split(MARKUP)
    assert new.startswith(before)
    assert new.endswith(after)
    inside = new[len(before) : -len(after)]
    assert "colour" not in json.loads(inside)
    again = schemaproof("clean", str(page), "--in-place")
    assert again.stderr == b""
    assert page.read_bytes().decode() == new


def test_in_place_needs_a_file(schemaproof: Call) -> None:
    assert schemaproof("clean", "-", "--in-place", stdin=b"{}").returncode == 2


def test_a_bare_document(schemaproof: Call) -> None:
    done = schemaproof("clean", "-", stdin=MARKUP.encode())
    assert "colour" not in json.loads(done.stdout)


def test_a_cleaned_page_checks_clean(schemaproof: Call, page: Path) -> None:
    cleaned = schemaproof("clean", str(page), "--fix").stdout
    page.write_bytes(PAGE.replace(MARKUP, cleaned.decode()).encode())
    assert schemaproof("check", str(page)).returncode == 0


def test_repairs_go_on_until_nothing_changes(schemaproof: Call, tmp_path: Path) -> None:
    file = tmp_path / "lamp.jsonld"
    file.write_text(
        """{"@context": "https://schema.org", "@type": "product", "Name": "Lamp",
 "Offers": {"@type": "offer", "Price": "9,00", "PriceCurrency": "eur"}}"""
    )
    done = schemaproof("clean", "--fix", str(file))
    assert json.loads(done.stdout) == {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": "Lamp",
        "offers": {"@type": "Offer", "price": "9.00", "priceCurrency": "EUR"},
    }
    assert b"removed" not in done.stderr


def test_what_is_printed_has_no_white_space_of_the_page_around_it(schemaproof: Call, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(
        '<script type="application/ld+json">\n\n    {"@context":"https://schema.org","@type":"Nix"}\n </script>'
    )
    done = schemaproof("clean", str(file))
    assert done.stdout == b"[]\n"


def test_names_with_a_prefix_are_repaired_too(schemaproof: Call, tmp_path: Path) -> None:
    file = tmp_path / "lamp.jsonld"
    file.write_text(
        """{"@context": {"schema": "http://schema.org/"}, "@type": "schema:product", "schema:Name": "Lamp",
 "http://schema.org/Image_": "https://example.com/lamp.png"}"""
    )
    done = schemaproof("clean", "--fix", str(file))
    assert json.loads(done.stdout) == {
        "@context": {"schema": "http://schema.org/"},
        "@type": "schema:Product",
        "schema:name": "Lamp",
        "http://schema.org/image": "https://example.com/lamp.png",
    }


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b"\xef\xbb\xbf"),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
        ("cp1252", b""),
        ("utf-8", b""),
    ],
)
@pytest.mark.parametrize("junk", [b"", b"<p>\xff\x80\xfe</p>\r\n"])
def test_in_place_no_other_byte_changes_whatever_the_encoding(
    schemaproof: Call, tmp_path: Path, encoding: str, mark: bytes, junk: bytes
) -> None:
    bad = '{"@context":"https://schema.org","@type":"Product","name":"Lämp","colour":"x"}'
    good = bad.replace(',"colour":"x"', "")
    script = '<script type="application/ld+json">%s</script>'
    meta = "<meta charset=windows-1252>" if encoding == "cp1252" else ""
    text = f"{meta}<title>Lämp</title>\r\n<!-- {script} -->\r{script}<p>Lämp</p>\n{script}"
    file = tmp_path / "lamp.html"
    file.write_bytes(mark + (text % (bad, bad, bad)).encode(encoding) + junk)
    file.chmod(0o640)
    link = tmp_path / "link.html"
    link.symlink_to(file)
    for _ in range(2):
        done = schemaproof("clean", "--in-place", "--agents", "validity", str(link))
        assert done.returncode == 0, done.stderr
        assert file.read_bytes() == mark + (text % (bad, good, good)).encode(encoding) + junk
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(each.name for each in tmp_path.iterdir()) == ["lamp.html", "link.html"]
