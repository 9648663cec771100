"""What pages say must not control a terminal or forge lines, and closed streams and endless files are no crash."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Call = Callable[..., "subprocess.CompletedProcess[bytes]"]
HOSTILE = r"""<html lang="&#27;[2J"><title>&#27;[31mred</title><p>Lamp</p><script type="application/ld+json">
{"@context": "https://schema.org", "@type": "Product", "na\u202eme": "\u001b[2J\n::error::forged",
 "sku\n::error::forged": 1, "colo\u009b31mur": "\u009b2J", "image": "\u001b]0;owned\u0007"}</script>"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "lamp.html"
    file.write_text(HOSTILE)
    return file


@pytest.mark.parametrize("words", [["read"], ["clean", "--fix"], ["check"], ["check", "--json"], ["read", "--json"]])
def test_values_reach_no_terminal_as_commands(schemaproof: Call, page: Path, words: list[str]) -> None:
    done = schemaproof(*words, str(page))
    shown = (done.stdout + done.stderr).decode()
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(shown)
    assert not any(line.startswith("::") for line in shown.splitlines())
    assert "Traceback" not in shown


def test_json_says_controls_by_their_number(schemaproof: Call, page: Path) -> None:
    answer = json.loads(schemaproof("check", "--json", str(page)).stdout)
    assert "/0/colo\x9b31mur" in [row["path"] for row in answer["statements"]]


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_crash(page: Path, closed: str) -> None:
    command = f'"{sys.executable}" -m schemaproof check {"-" if "<" in closed else page} {closed}'
    done = subprocess.run(["sh", "-c", command], capture_output=True, timeout=60)
    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 1)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no /dev/zero")  # noqa: PTH110
def test_a_file_without_an_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    from schemaproof.sources import files

    monkeypatch.setattr(files, "MAXIMUM_BYTES", 1 << 20)
    source = files.read_file(Path("/dev/zero"))
    assert source.data is None
    assert source.error == "larger than 1 MB"
