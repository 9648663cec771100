from __future__ import annotations

import pytest

from schemaproof.page import read_document
from schemaproof.pipeline.location import Locator, is_single

HTML = b"""<!doctype html><title>t</title>
<script type="application/ld+json">{"@type": "A", "name": "x",
  "b": {"c": [1, 2]}}</script>
<script type="application/ld+json">
[{"@type": "B"}, 3, {"@type": "C",
   "name": "z"}]</script>
<div itemscope itemtype="https://schema.org/Thing"><b itemprop="name">m</b></div>
"""


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/0/name", (2, 59)), ("/0/b/c/1", (3, 18)), ("/1/@type", (5, 12)), ("/2/name", (6, 12)), ("/3/name", (0, 0))],
)
def test_places_count_from_the_start_of_the_file(path: str, expected: tuple[int, int]) -> None:
    assert Locator(read_document(HTML)).place(path) == expected


def test_the_place_of_a_key() -> None:
    assert Locator(read_document(HTML)).place("/2/name", key=True) == (6, 4)


def test_a_bare_object_has_pointers_into_itself() -> None:
    page = read_document(b'{"a": {"b": 1}}')
    assert is_single(page)
    assert Locator(page).place("/a/b") == (1, 13)
    assert not is_single(read_document(b'[{"a": 1}]'))
    assert Locator(read_document(b'[{"a": 1}]')).place("/0/a") == (1, 8)
