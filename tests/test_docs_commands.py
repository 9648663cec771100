"""Every command block of the README and the documents is run, in order, as a reader would.

A block's info string says what is special: `needs: ...` names what only a reader has (a key, the network, a terminal of
its own) and leaves the block out; `findings` allows exit status 1. A `text` block right after a command block holds
lines that the output contains. Installing is left out: CI does it before.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
    if "decisions" not in path.parts and path.name != "commands.md"
)
FENCE = re.compile(r"^( *)(`{3,})([^\n`]*)\n(.*?)^\1\2 *$", re.MULTILINE | re.DOTALL)
RUN = ("sh", "bash", "console", "python")


class Block(NamedTuple):
    """A fenced block."""

    language: str
    info: str
    text: str


def blocks(text: str) -> list[Block]:
    found = []
    for indent, _, info, body in FENCE.findall(text):
        language, _, rest = info.strip().partition(" ")
        lines = [line.removeprefix(indent) for line in body.splitlines()]
        found.append(Block(language, rest.strip(), "\n".join(lines) + "\n"))
    return found


def without_installing(text: str) -> str:
    """The commands of a block less those that install."""
    lines = []
    for line in text.splitlines():
        parts = [part for part in line.split(" && ") if not part.lstrip().startswith("pip install")]
        lines.append(" && ".join(parts))
    return "\n".join(lines)


@pytest.fixture
def reader(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """A folder with the examples, and an environment in which `schemaproof` is this one."""
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "schemaproof"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m schemaproof "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "examples").symlink_to(ROOT / "examples")
    (folder / "public").symlink_to(ROOT / "examples" / "pages")
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return folder, {**os.environ, "PATH": path, "XDG_CACHE_HOME": str(tmp_path / "cache")}


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if any(
    block.language in RUN for block in blocks((ROOT / name).read_text(encoding="utf-8"))
)])  # fmt: skip
def test_the_commands_of_a_document_run(name: str, reader: tuple[Path, dict[str, str]]) -> None:
    folder, environment = reader
    said = ""
    ran = 0
    left_out = []
    for block in blocks((ROOT / name).read_text(encoding="utf-8")):
        if block.language == "text" and said:
            for line in block.text.splitlines():
                assert line in said, f"{name}: no output has the line {line!r}"
            said = ""
            continue
        said = ""
        if block.language not in RUN:
            continue
        if "needs:" in block.info:
            left_out.append(block.info)
            continue
        if block.language == "python":
            command = [sys.executable, "-c", block.text]
        else:
            script = without_installing(block.text)
            if not script.strip() or script.strip() == "pytest":
                continue
            # A check that has findings does not end the block, anything worse does.
            worse = "trap 'code=$?; [ $code -le 1 ] || exit $code' ERR\n"
            stop = worse if "findings" in block.info else "set -e\n"
            command = ["bash", "-c", stop + script]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        said = done.stdout + done.stderr
        allowed = (0, 1) if "findings" in block.info else (0,)
        assert done.returncode in allowed, f"{name}:\n{block.text}\nexit status {done.returncode}\n{said[-2000:]}"
        assert "Traceback" not in said, said[-2000:]
        ran += 1
    if not ran:
        pytest.skip(f"{name}: {'; '.join(left_out) or 'installs only'}")


def test_every_reason_to_leave_a_block_out_is_said() -> None:
    for name in DOCUMENTS:
        for block in blocks((ROOT / name).read_text(encoding="utf-8")):
            assert block.info.partition(":")[2].strip() or "needs" not in block.info, f"{name}: {block.info}"


def test_the_reader_of_blocks_can_fail() -> None:
    made = blocks("a\n```sh needs: a key\nfalse\n```\n   ```sh\n   echo 1\n   ```\n```text\n1\n```\n")
    assert [(block.language, block.info, block.text) for block in made] == [
        ("sh", "needs: a key", "false\n"), ("sh", "", "echo 1\n"), ("text", "", "1\n"),
    ]  # fmt: skip
    assert without_installing("pip install . && schemaproof run x") == "schemaproof run x"
