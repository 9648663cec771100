"""Web addresses, e-mail addresses and telephone numbers, compared the way people would."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

ADDRESS = re.compile(r"(?:https?:)?//\S+|[a-z][a-z0-9+.-]*:[^\s/]\S*", re.IGNORECASE)
_PRINTED = re.compile(
    r"(?:https?://|www\.)[^\s<>\"'()\[\]]+|\b(?:[a-z0-9-]+\.)+[a-z]{2,}(?:/[^\s<>\"'()\[\]]*)?", re.IGNORECASE
)
EMAIL = re.compile(r"[\w.+%-]+(?:@| ?[(\[{] ?(?:at|ät|a|arroba) ?[)\]}] ?| at )[\w-]+(?:\.[\w-]+)+", re.IGNORECASE)
_AT = re.compile(r" ?[(\[{] ?(?:at|ät|a|arroba) ?[)\]}] ?| at ", re.IGNORECASE)
PHONE = re.compile(r"(?<![\w.,])(?:\+|00|\()?\d[\d ()./\-]{4,22}\d(?![\d])")
IMAGE = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|avif|bmp|ico|tiff?)(?:$|[?#:!/@])", re.IGNORECASE)
VIDEO = re.compile(
    r"\.(?:mp4|webm|m3u8|mov|avi|mpd|ogv|m4v|flv)(?:$|[?#])|youtube|youtu\.be|vimeo|dailymotion|/embed/|player",
    re.IGNORECASE,
)
AUDIO = re.compile(r"\.(?:mp3|ogg|m4a|wav|flac|aac)(?:$|[?#])|soundcloud|spotify|podcast", re.IGNORECASE)
DOCUMENT = re.compile(r"\.(?:pdf|docx?|xlsx?|pptx?|csv|zip|odt|rtf|epub|txt)(?:$|[?#])", re.IGNORECASE)
# Parts of a file name that tell one size of an image from another.
_SIZE = re.compile(
    r"[-_.]?(?:\d{2,4}x\d{2,4}|\d{2,4}[wp]x?|scaled|thumb(?:nail)?|small|medium|large|full|orig(?:inal)?|min|@\dx)(?=[-_.]|$)",
    re.IGNORECASE,
)
_FOLDERS = re.compile(
    r"/(?:thumbs?|thumbnails?|small|medium|large|orig(?:inal)?s?|cache|resize|\d{2,4}x\d{2,4}|[wh]_?\d+)(?=/)",
    re.IGNORECASE,
)


def is_address(value: str) -> bool:
    """Whether a value is written as a web address: absolute, or relative with a path."""
    text = value.strip()
    if not text or len(text) > 4000:
        return False
    if re.match(r"(?:https?:)?//[^\s/]+", text, re.IGNORECASE):
        return " " not in text or "%" in text
    if " " in text or "\n" in text:
        return False
    return bool(
        re.match(r"(?:\.{0,2}/)[\w%~.-]", text)
        or re.match(r"www\.[\w-]+\.\w+", text, re.IGNORECASE)
        or re.match(
            r"[\w%~-]+(?:/[\w%~.+-]+)*\.(?:html?|php|aspx?|jpe?g|png|gif|svg|webp|pdf|mp[34])(?:[?#]|$)",
            text,
            re.IGNORECASE,
        )
        or re.fullmatch(r"(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|io|info|co|[a-z]{2})(?:/\S*)?", text, re.IGNORECASE)
    )


def normal(address: str) -> str:
    """An address without scheme, "www.", default page, fragment, trailing slash and percent-encoding, lowered."""
    text = address.strip()
    try:
        parts = urlsplit(text)
        host, path, query = parts.netloc, parts.path, parts.query
    except ValueError:
        return text.lower()
    if not parts.scheme and not host and re.match(r"(?:[\w-]+\.)+[a-z]{2,}(?:/|$)", path, re.IGNORECASE):
        host, _, path = path.partition("/")
        path = "/" + path
    elif parts.scheme and not host:
        return unquote(text).lower()
    host = host.lower().removeprefix("www.").removesuffix(":80").removesuffix(":443")
    path = unquote(path)
    path = re.sub(r"/(?:index|default)\.(?:html?|php|aspx?)$", "", path, flags=re.IGNORECASE).rstrip("/")
    tail = f"?{unquote(query)}" if query else ""
    return (host + path + tail).lower()


def without_query(normalised: str) -> str:
    """A normalised address less its query."""
    return normalised.partition("?")[0]


def host_of(normalised: str) -> str:
    """The host of a normalised address."""
    return re.split(r"[/?]", normalised, maxsplit=1)[0]


def path_of(normalised: str) -> str:
    """The path and query of a normalised address, without the leading slash."""
    host = host_of(normalised)
    return normalised[len(host) :].lstrip("/")


def image_name(normalised: str) -> str:
    """The file name of an image without what tells its sizes apart; "" where it is too short to mean anything."""
    name = without_query(normalised).rstrip("/").rpartition("/")[2]
    stem, _, _ = name.rpartition(".")
    bare = _SIZE.sub("", stem or name)
    return bare if len(bare) >= 5 else (stem or name)


def email_of(text: str) -> str:
    """An e-mail address without "mailto:", query and disguise, lowered; "" if it is none."""
    bare = text.strip().removeprefix("mailto:").removeprefix("MAILTO:").partition("?")[0].strip()
    bare = _AT.sub("@", bare)
    return bare.lower() if EMAIL.fullmatch(bare) else ""


def find_emails(text: str) -> dict[str, list[tuple[int, int]]]:
    """E-mail addresses of a folded text, disguised ones ("name (at) host") included: address → spans."""
    found: dict[str, list[tuple[int, int]]] = {}
    for match in EMAIL.finditer(text):
        found.setdefault(_AT.sub("@", match.group()).lower(), []).append(match.span())
    return found


def digits_of(text: str) -> str:
    """The digits of a telephone number without country prefix signs and the trunk zero in brackets."""
    bare = re.sub(r"\(0\)", "", text)
    digits = re.sub(r"\D", "", bare)
    return digits.removeprefix("00")


def same_phone(one: str, other: str) -> bool:
    """Whether two digit strings are one telephone number, written with or without country code and trunk zero."""
    a, b = one.lstrip("0"), other.lstrip("0")
    if not a or not b:
        return False
    if a == b:
        return True
    short, long = sorted((a, b), key=len)
    return len(short) >= 6 and long.endswith(short) and len(long) - len(short) <= 4


def find_phones(text: str) -> list[tuple[str, int, int]]:
    """Telephone numbers of a folded text: digits, start, end."""
    found = []
    for match in PHONE.finditer(text):
        digits = digits_of(match.group())
        if 6 <= len(digits) <= 15:
            found.append((digits, match.start(), match.end()))
    return found


def find_addresses(text: str) -> dict[str, list[tuple[int, int]]]:
    """Web addresses printed in a folded text: normalised → spans."""
    found: dict[str, list[tuple[int, int]]] = {}
    for match in _PRINTED.finditer(text):
        bare = match.group().rstrip(".,;:!?")
        found.setdefault(normal(bare), []).append((match.start(), match.start() + len(bare)))
    return found
