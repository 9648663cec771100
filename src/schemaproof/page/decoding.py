"""Bytes to text the way a browser decides it: byte order mark, then the HTTP header, then the meta element.

Source: WHATWG Encoding (labels, decode) and HTML section 13.2.3.2 (determining the character encoding).
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field

from schemaproof.page.model import Notice

PRESCAN_BYTES = 4096
"""How far the meta element is looked for. The standard says 1024; real heads often start with long scripts."""

_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';,>]+)", re.IGNORECASE)
_META = re.compile(
    rb"<!--.*?-->|<meta\b[^>]*?charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]+)[^>]*>", re.IGNORECASE | re.DOTALL
)
_SURROGATE = re.compile("[\ud800-\udfff]")

# Labels whose meaning on the web differs from Python's codec of that name.
_WEB_LABELS = {
    "iso-8859-1": "windows-1252", "iso8859-1": "windows-1252", "iso_8859-1": "windows-1252", "latin1": "windows-1252",
    "latin-1": "windows-1252", "l1": "windows-1252", "ascii": "windows-1252", "us-ascii": "windows-1252",
    "x-cp1252": "windows-1252", "cp1252": "windows-1252", "cp819": "windows-1252", "ibm819": "windows-1252",
    "iso-8859-9": "windows-1254", "iso8859-9": "windows-1254", "iso_8859-9": "windows-1254",
    "latin5": "windows-1254", "iso-8859-11": "cp874", "tis-620": "cp874", "windows-874": "cp874",
    "gb2312": "gb18030", "gb_2312-80": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030", "chinese": "gb18030",
    "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "x-sjis": "cp932", "ms_kanji": "cp932",
    "windows-31j": "cp932", "euc-kr": "cp949", "ks_c_5601-1987": "cp949", "ksc5601": "cp949", "korean": "cp949",
    "windows-949": "cp949", "big5": "big5hkscs", "big5-hkscs": "big5hkscs", "x-x-big5": "big5hkscs",
    "utf8": "utf-8", "unicode-1-1-utf-8": "utf-8", "x-user-defined": "windows-1252", "x-mac-roman": "mac-roman",
    "macintosh": "mac-roman", "x-mac-cyrillic": "mac-cyrillic", "koi8-ru": "koi8-u", "x-euc-jp": "euc-jp",
}  # fmt: skip

# Codecs of Python that are no character encodings of the web; "base64" and its like are told by their own flag.
_NO_ENCODINGS = frozenset(("idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "utf-7"))

# windows-1252 leaves five bytes open in Python; the web reads them as C1 controls.
_WINDOWS_1252 = {
    byte: bytes([byte]).decode("cp1252") for byte in range(0x80, 0xA0) if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}


@dataclass(frozen=True, slots=True)
class Decoded:
    """Decoded source.

    Attributes:
        text: the source, without its byte order mark; lone surrogates are U+FFFD.
        encoding: name of the encoding used ("utf-8-sig" where a byte order mark stood).
        replaced: how many places were not valid in that encoding and are U+FFFD now.
        utf8: the text in UTF-8, where it was at hand; see `encoded`.
    """

    text: str
    encoding: str
    replaced: int = 0
    utf8: bytes | None = field(default=None, repr=False, compare=False)

    def encoded(self) -> bytes:
        """The text in UTF-8."""
        return self.text.encode() if self.utf8 is None else self.utf8


def codec(label: str) -> str | None:
    """The Python codec for a charset label of the web, or None if there is none."""
    name = label.strip().strip("\"'").lower()
    name = _WEB_LABELS.get(name, name)
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    if info.name in _NO_ENCODINGS or not getattr(info, "_is_text_encoding", True):
        return None
    return "windows-1252" if info.name == "cp1252" else info.name


def _declared(data: bytes, content_type: str | None) -> str | None:
    if content_type:
        found = _CHARSET.search(content_type)
        if found and (name := codec(found.group(1))):
            return name
    for meta in _META.finditer(data, 0, PRESCAN_BYTES):
        label = meta.group(1)
        if label and (name := codec(label.decode("ascii"))):
            # A meta element that could be read as ASCII cannot stand in UTF-16.
            return "utf-8" if name.startswith(("utf-16", "utf-32")) else name
    return None


def decode(data: bytes | str, content_type: str | None = None) -> Decoded:
    """Decode a page; never fails.

    Arguments:
        data: bytes, or text that was decoded elsewhere (kept but for lone surrogates and a byte order mark).
        content_type: value of the HTTP header Content-Type, if there was one.

    Returns:
        The text, its encoding and the number of invalid places.
    """
    if isinstance(data, str):
        text, utf8 = _sound(data.removeprefix("\ufeff"))
        return Decoded(text, "str", 0, utf8)
    for mark, name in _BOMS:
        if data.startswith(mark):
            return _decode(data[len(mark) :], name)
    declared = _declared(data, content_type)
    if declared is not None:
        return _decode(data, declared)
    try:
        return Decoded(data.decode("utf-8"), "utf-8", 0, data)
    except UnicodeDecodeError:
        return _decode(data, "windows-1252")


def decode_json(data: bytes | str) -> Decoded:
    """Decode JSON: UTF-8 (RFC 8259 section 8.1), UTF-16 with a byte order mark, else windows-1252; never fails."""
    if isinstance(data, str):
        return decode(data)
    for mark, name in _BOMS:
        if data.startswith(mark):
            return _decode(data[len(mark) :], name)
    try:
        return Decoded(data.decode("utf-8"), "utf-8", 0, data)
    except UnicodeDecodeError:
        return _decode(data, "windows-1252")


def decoding_notices(decoded: Decoded) -> list[Notice]:
    """What is to be said of bytes that could not be decoded."""
    if not decoded.replaced:
        return []
    places = "place" if decoded.replaced == 1 else "places"
    message = (
        f"{decoded.replaced} {places} are not valid {decoded.encoding} and were read as U+FFFD: declare the encoding"
    )
    return [Notice("bad-bytes", message)]


def _decode(data: bytes, encoding: str) -> Decoded:
    if encoding == "windows-1252":
        text = data.decode("latin-1")
        return Decoded(text if text.isascii() else text.translate(_WINDOWS_1252), encoding)
    name = "utf-8" if encoding == "utf-8-sig" else encoding
    utf8 = data if name == "utf-8" else None
    try:
        text = data.decode(name)
        replaced = 0
    except UnicodeDecodeError:
        text = data.decode(name, "replace")
        replaced = text.count("\ufffd")
        utf8 = None
    if name != "utf-8":
        text, utf8 = _sound(text)
    return Decoded(text, encoding, replaced, utf8)


def _sound(text: str) -> tuple[str, bytes]:
    """The text without lone surrogates, which no encoder takes, and the text in UTF-8."""
    try:
        return text, text.encode()  # five times faster than looking for them
    except UnicodeEncodeError:
        text = _SURROGATE.sub("\ufffd", text)
        return text, text.encode()
