"""WARC files that are broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemaproof.errors import InputError
from schemaproof.sources.warc import read_warc


def test_a_record_without_its_headers_is_an_input_error(tmp_path: Path) -> None:
    file = tmp_path / "a.warc"
    file.write_bytes(b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 99999\r\n\r\nHTTP/1.1 200 OK\r\n\r\n<p>")
    with pytest.raises(InputError, match="not a readable WARC file"):
        list(read_warc(file))
