"""Web addresses, e-mail addresses and telephone numbers, compared the way people would."""

from __future__ import annotations

import re
from urllib.parse import unquote

ADDRESS = re.compile(r"(?:https?:)?//\S+|[a-z][a-z0-9+.-]*:[^\s/]\S*", re.IGNORECASE)
_PRINTED = re.compile(
    r"(?:https?://|www\.)[^\s<>\"'()\[\]]{1,2000}|(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24}(?![\w-])(?:/[^\s<>\"'()\[\]]{0,2000})?",
    re.IGNORECASE,
)
EMAIL = re.compile(
    r"[\w.+%-]{1,64}(?:@| ?[(\[{] ?(?:at|ät|a|arroba) ?[)\]}] ?| at )[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}", re.IGNORECASE
)
_AT = re.compile(r" ?[(\[{] ?(?:at|ät|a|arroba) ?[)\]}] ?| at ", re.IGNORECASE)
PHONE = re.compile(r"[+(\d][\d ()./\-]{4,24}\d(?!\d)")
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


_PARTS = re.compile(r"(?:(?:[a-z][a-z0-9+.-]*:)?//([^/?#]*))?([^?#]*)(\?[^#]*)?")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:")
_BARE_HOST = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}(?:/|$)")
_DEFAULT_PAGES = (".html", ".htm", ".php", ".asp", ".aspx")
_DEFAULT_PAGE = re.compile(r"/(?:index|default)\.(?:html?|php|aspx?)$")


def normal(address: str) -> str:
    """An address without scheme, "www.", default page, fragment, trailing slash and percent-encoding, lowered."""
    text = address.strip().lower()
    if "%" in text:
        text = unquote(text).lower()
    match = _PARTS.match(text)
    if match is None:
        return text
    host, path, query = match.groups()
    if host is None:
        if _SCHEME.match(text):
            return text
        host = ""
        if _BARE_HOST.match(path):
            host, slash, path = path.partition("/")
            path = slash + path
    host = host.removeprefix("www.").removesuffix(":80").removesuffix(":443")
    if path.endswith(_DEFAULT_PAGES):
        path = _DEFAULT_PAGE.sub("", path)
    return host + path.rstrip("/") + (query if query and len(query) > 1 else "")


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


_SIGN = re.compile(r"@| ?[(\[{] ?(?:at|ät|a|arroba) ?[)\]}] ?| at ")
_LOCAL_PART = re.compile(r"[\w.+%-]{1,64}$")
_DOMAIN = re.compile(r"[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")


def find_emails(text: str) -> dict[str, list[tuple[int, int]]]:
    """E-mail addresses of a folded text, disguised ones ("name (at) host") included: address → spans."""
    found: dict[str, list[tuple[int, int]]] = {}
    for sign in _SIGN.finditer(text):
        before = _LOCAL_PART.search(text, max(0, sign.start() - 64), sign.start())
        after = _DOMAIN.match(text, sign.end())
        if before and after:
            address = f"{before[0]}@{after[0]}".lower()
            found.setdefault(address, []).append((before.start(), after.end()))
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
        before = text[match.start() - 1 : match.start()]
        if before and (before.isalnum() or before in "_.,"):
            continue
        digits = digits_of(match.group())
        if 6 <= len(digits) <= 15:
            found.append((digits, match.start(), match.end()))
    return found


def find_addresses(text: str) -> dict[str, list[tuple[int, int]]]:
    """Web addresses printed in a folded text: normalised → spans."""
    found: dict[str, list[tuple[int, int]]] = {}
    last = 0
    for dot in _INNER_DOT.finditer(text):
        if dot.start() < last:
            continue
        before = _UNBROKEN.search(text, max(last, dot.start() - 80), dot.start())
        start = before.start() if before else dot.start()
        match = _PRINTED.match(text, start)
        if match is None:
            continue
        last = match.end()
        bare = match.group().rstrip(".,;:!?")
        found.setdefault(normal(bare), []).append((match.start(), match.start() + len(bare)))
    return found


_INNER_DOT = re.compile(r"\.[a-z0-9]")
_UNBROKEN = re.compile(r"[^\s<>\"'()\[\]]{1,80}$")
