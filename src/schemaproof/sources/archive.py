"""Keeping visited pages as a WARC file (ISO 28500) that survives being killed at any moment."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from schemaproof.errors import InputError
from schemaproof.sources.visiting import Visit
from schemaproof.sources.web import USER_AGENT

# Headers that describe how the body was sent; it is kept unpacked.
_SENT = {"content-encoding", "transfer-encoding", "content-length", "connection"}


class Archive:
    """A WARC file that pages are added to.

    Each page is written at once, as records that are gzip members of their own: `response` with the page as it came,
    its body unpacked, and `metadata` with how the visit went. A page that was refused or failed has `metadata` only.
    What a killed process left half written is cut off when the file is opened again.

    Arguments:
        path: the file, made where it does not exist.

    Attributes:
        done: address to "" for a page that is there, else why it is not.

    Raises: InputError for a file that is no gzipped WARC.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done: dict[str, str] = {}
        end = 0
        if path.is_file():
            for start, end_of, head, body in members(path):
                if start == 0 and not head.startswith(b"WARC/"):
                    raise InputError("not a WARC file packed record by record; choose another name", source=str(path))
                self._remember(head, body)
                end = end_of
            if end == 0 and path.stat().st_size:
                with path.open("rb") as stream:
                    if stream.read(2) != b"\x1f\x8b":
                        raise InputError("not a .warc.gz file; choose another name", source=str(path))
        self._stream: IO[bytes] = path.open("r+b" if path.exists() else "w+b")
        self._stream.truncate(end)
        self._stream.seek(end)
        if end == 0:
            self._append([self._info()])

    def _remember(self, head: bytes, body: bytes) -> None:
        fields = dict(line.split(": ", 1) for line in head.decode("utf-8", "replace").split("\r\n") if ": " in line)
        url = fields.get("WARC-Target-URI", "")
        if fields.get("WARC-Type") == "metadata" and url:
            try:
                self.done[url] = str(json.loads(body).get("error") or "")
            except ValueError:
                return

    def add(self, visit: Visit) -> None:
        """Keep a visit; it is on disk when this returns."""
        from datetime import UTC, datetime

        when = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        records = []
        facts: dict[str, Any] = {"date": when, "error": visit.error or None, "refused": visit.refused}
        if visit.answer is not None:
            facts |= {"status": visit.answer.status, "final": visit.answer.url, "redirects": visit.hops}
            if not visit.error:
                records.append(self._response(visit, when))
        records.append(self._metadata(visit.url, facts, when))
        self._append(records)
        self.done[visit.url] = visit.error

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _append(self, records: list[bytes]) -> None:
        self._stream.write(b"".join(records))
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def _info(self) -> bytes:
        text = f"software: {USER_AGENT}\r\nformat: WARC File Format 1.1\r\n"
        return _record({"WARC-Type": "warcinfo", "Content-Type": "application/warc-fields"}, text.encode())

    def _response(self, visit: Visit, when: str) -> bytes:
        answer = visit.answer
        assert answer is not None
        lines = [f"HTTP/1.1 {answer.status} {answer.reason}"]
        for name, value in answer.headers.items():
            lines.append(f"{'X-Sent-' + name if name in _SENT else name}: {value}")
        lines.append(f"Content-Length: {len(answer.body)}")
        head = "\r\n".join(lines).encode("utf-8", "replace") + b"\r\n\r\n"
        fields = {
            "WARC-Type": "response",
            "WARC-Target-URI": visit.url,
            "WARC-Date": when,
            "Content-Type": "application/http; msgtype=response",
        }
        return _record(fields, head + answer.body)

    def _metadata(self, url: str, facts: dict[str, Any], when: str) -> bytes:
        fields = {
            "WARC-Type": "metadata",
            "WARC-Target-URI": url,
            "WARC-Date": when,
            "Content-Type": "application/json",
        }
        return _record(fields, json.dumps(facts, ensure_ascii=False).encode())


def _record(fields: dict[str, str], body: bytes) -> bytes:
    from datetime import UTC, datetime
    from uuid import uuid4

    fields.setdefault("WARC-Date", datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if "\n" not in value and "\r" not in value)
    head = f"WARC/1.1\r\nWARC-Record-ID: <urn:uuid:{uuid4()}>\r\n{head}Content-Length: {len(body)}\r\n\r\n"
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return packer.compress(head.encode() + body + b"\r\n\r\n") + packer.flush()


def members(path: Path) -> Iterator[tuple[int, int, bytes, bytes]]:
    """The whole gzip members of a WARC file: (start, end, head, body of metadata); ends where one is cut off.

    Of other records than metadata no body is kept.
    """
    with path.open("rb") as stream:
        start, data = 0, b""
        while True:
            opened = zlib.decompressobj(31)
            kept = BytesIO()
            used = 0
            while not opened.eof:
                if not data:
                    data = stream.read(1 << 18)
                    if not data:
                        return
                try:
                    out = opened.decompress(data)
                except zlib.error:
                    return
                rest = opened.unused_data
                used += len(data) - len(rest)
                data = rest
                if kept.tell() < 1 << 16:
                    kept.write(out)
            head, _, body = kept.getvalue().partition(b"\r\n\r\n")
            yield start, start + used, head, body.removesuffix(b"\r\n\r\n")
            start += used
