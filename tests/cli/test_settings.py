"""`schemaproof.toml` and SCHEMAPROOF_* variables: the options' own names, and clear words for what is none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def call(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    (folder / "a.jsonld").write_text('{"@context": "https://schema.org", "@type": "Thing", "colour": "x"}')
    return subprocess.run(
        [sys.executable, "-m", "schemaproof", *words],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        timeout=60,
    )


@pytest.mark.parametrize("text", ['format = "junit"', 'format = "junit"\nignore = "x"\npage-seconds = 5'])
def test_options_are_written_as_on_the_command_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "schemaproof.toml").write_text(f"[check]\n{text}\n")
    assert call(tmp_path, "check", "a.jsonld").stdout.startswith(b"<?xml")


def test_flags_and_nested_commands(tmp_path: Path) -> None:
    (tmp_path / "schemaproof.toml").write_text("[vocabulary.show]\njson = true\n[read]\njson = true\n")
    assert call(tmp_path, "vocabulary", "show", "Thing").stdout.startswith(b"{")
    assert call(tmp_path, "read", "a.jsonld").stdout.startswith(b"{")
    assert call(tmp_path, "check", "a.jsonld").returncode == 1


def test_variables_have_the_options_names(tmp_path: Path) -> None:
    assert call(tmp_path, "check", "a.jsonld", SCHEMAPROOF_CHECK_FORMAT="junit").stdout.startswith(b"<?xml")
    done = call(tmp_path, "check", "a.jsonld", SCHEMAPROOF_CHECK_FORMAT="nix")
    assert done.returncode == 2
    assert call(tmp_path, "check", "a.jsonld", "--format", "text", SCHEMAPROOF_CHECK_FORMAT="nix").returncode == 1


@pytest.mark.parametrize(
    "text",
    [
        "[check]\nnope = 1",
        "[check]\nignore = 5",
        "[check]\nignore = {a = 1}",
        "[check]\njson = 'perhaps'",
        "[check]\npolicy = ['a']",
        "[check]\nbase = 2020-01-01",
        "[check]\npaths = 5",
        "[[check.paths]]\npattern = '*'\nignore = 5",
    ],
)
def test_what_is_no_setting_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "schemaproof.toml").write_text(text)
    done = call(tmp_path, "check", "a.jsonld")
    assert done.returncode == 2
    assert b"schemaproof.toml: " in done.stderr
    assert b"Traceback" not in done.stderr


def test_rules_of_a_path_by_commas(tmp_path: Path) -> None:
    (tmp_path / "schemaproof.toml").write_text("[[check.paths]]\npattern = '*'\nignore = 'x, unknown-property'")
    assert call(tmp_path, "check", "a.jsonld").returncode == 0


def test_a_shard_in_other_digits_is_a_usage_error(tmp_path: Path) -> None:
    assert call(tmp_path, "run", "a.jsonld", "--shard", "²/²").returncode == 2


def test_a_broken_run_file_is_told_without_a_traceback(tmp_path: Path) -> None:
    assert call(tmp_path, "run", "a.jsonld", "--quiet", "-o", "run.db").returncode == 0
    data = bytearray((tmp_path / "run.db").read_bytes())
    for place in range(4096, len(data), 7):
        data[place] ^= 0x5A
    (tmp_path / "run.db").write_bytes(data)
    done = call(tmp_path, "run", "a.jsonld", "--quiet", "-o", "run.db")
    assert done.returncode == 3
    assert b"Traceback" not in done.stderr
