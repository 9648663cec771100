"""Keeping visited pages as a WARC file (ISO 28500) that survives being killed at any moment."""

from __future__ import annotations

import json
import os
import zlib
from pathlib import Path
from typing import IO, Any

from schemaproof.errors import InputError, SourceError
from schemaproof.sources.visiting import Visit
from schemaproof.sources.warc import Member, next_member
from schemaproof.sources.web import USER_AGENT

KEPT = 1 << 20  # bytes of a record that are looked at
MAGIC = b"\x1f\x8b\x08"
TORN = 512  # bytes of a file that may be its first record, half written: too few to tell by what they say
# Headers that describe how the body was sent; it is kept unpacked.
_SENT = {"content-encoding", "transfer-encoding", "content-length", "connection"}


class Archive:
    """A WARC file that pages are added to.

    Each page is written at once, as records that are gzip members of their own: `response` with the page as it came,
    its body unpacked, and `metadata` with how the visit went. A page that was refused or failed has `metadata` only.
    A record that a killed process left half written at the end is cut off when the file is opened again; a file that is
    damaged elsewhere is left as it is.

    Arguments:
        path: the file, made where it does not exist.

    Attributes:
        done: address to "" for a page that is there, else why it is not.
        refused: those of them that may not be fetched.

    Raises: InputError for a file that is no gzipped WARC, or a damaged one; SourceError where it cannot be opened or
        another process writes it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done: dict[str, str] = {}
        self.refused: set[str] = set()
        try:
            self._stream: IO[bytes] = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
        except OSError as problem:
            raise SourceError(str(path), f"cannot be written ({problem.strerror or problem})") from None
        try:
            self._lock()
            end = self._read()
            self._stream.truncate(end)
            self._stream.seek(end)
        except BaseException:
            self._stream.close()
            raise
        if end == 0:
            self._append([self._info()])

    def _lock(self) -> None:
        """Keep other processes from writing it; on systems without such locks nothing does."""
        try:
            import fcntl
        except ImportError:
            return
        try:
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SourceError(str(self.path), "another process is writing it; wait for it, or choose another") from None

    def _read(self) -> int:
        """Take note of what is there; returns where it ends."""
        size = os.fstat(self._stream.fileno()).st_size
        end = 0
        while end < size:
            member = Member(self._stream, end)
            begin = bytearray()
            while len(begin) < KEPT and (data := member.read()):
                begin += data
            after = member.end()
            head, _, body = bytes(begin).partition(b"\r\n\r\n")
            if not head.startswith(b"WARC/") and (after is not None or (not end and not self._is_torn(head))):
                what = "not a WARC file packed record by record" if after is not None else "not a .warc.gz file"
                raise InputError(f"{what}; choose another name", source=str(self.path))
            if after is None:
                # What cannot be read and is the last of all was being written; there is nothing to lose in it.
                if next_member(self._stream, end + 1) is None:
                    break
                raise InputError(
                    f"it is damaged at byte {end}; choose another name, and copy what can be read of it with --from",
                    source=str(self.path),
                )
            self._remember(head, body.removesuffix(b"\r\n\r\n"))
            end = after
        return end

    def _is_torn(self, head: bytes) -> bool:
        """Whether a file may be the beginning of a first record, and what a system that fell left behind it."""
        self._stream.seek(0)
        begin = self._stream.read(1 << 20).rstrip(b"\0")
        return len(begin) <= TORN and MAGIC.startswith(begin[:3]) and b"WARC/".startswith(head[:5])

    def _remember(self, head: bytes, body: bytes) -> None:
        fields = dict(line.split(": ", 1) for line in head.decode("utf-8", "replace").split("\r\n") if ": " in line)
        url = fields.get("WARC-Target-URI", "")
        if fields.get("WARC-Type") == "metadata" and url:
            try:
                facts = json.loads(body)
                self._note(url, str(facts.get("error") or ""), bool(facts.get("refused")))
            except (ValueError, AttributeError):
                return
        elif fields.get("WARC-Type") == "response" and url:
            # Its metadata follows, or was lost with a process that was killed in between: the page is there.
            self._note(url, "", False)

    def _note(self, url: str, error: str, refused: bool) -> None:
        self.done[url] = error
        (self.refused.add if refused else self.refused.discard)(url)

    def wants(self, url: str, *, again: bool) -> bool:
        """Whether a page is still to be had.

        Arguments:
            url: its address.
            again: also where it failed before; what was refused is never asked for again.
        """
        before = self.done.get(url)
        return before is None or (again and before != "" and url not in self.refused)

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
        self._note(visit.url, visit.error, visit.refused)

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
        return _record(fields, json.dumps(facts, ensure_ascii=False).encode("utf-8", "replace"))


def _record(fields: dict[str, str], body: bytes) -> bytes:
    from datetime import UTC, datetime
    from uuid import uuid4

    fields.setdefault("WARC-Date", datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if "\n" not in value and "\r" not in value)
    head = f"WARC/1.1\r\nWARC-Record-ID: <urn:uuid:{uuid4()}>\r\n{head}Content-Length: {len(body)}\r\n\r\n"
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return packer.compress(head.encode("utf-8", "replace") + body + b"\r\n\r\n") + packer.flush()
