"""A file of answers is read line by line, and no line without end."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemaproof.errors import InputError
from schemaproof.models import recorded


def test_a_line_that_is_too_long_is_told_with_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded, "MAXIMUM_LINE", 1 << 20)
    file = tmp_path / "answers.jsonl"
    line = b'{"key": "k", "model": "m", "text": "yes"}\r\n'
    file.write_bytes(line + b"\n" + b" " * ((1 << 20) + 1) + line)
    with pytest.raises(InputError, match="larger than 1 MB") as caught:
        recorded.RecordedModel(file)
    assert caught.value.line == 3
    file.write_bytes(line * 3)
    assert recorded.RecordedModel(file).name == f"recorded/{file}"
