"""Formats of addresses of all sorts: URL, e-mail, telephone, country, postal code; languages and media types.

Sources: RFC 3986, RFC 5322 (addr-spec), ISO 3166-1, BCP 47, and the definitions on schema.org.
"""

from __future__ import annotations

import re

from schemaproof.agents import compliance_codes as codes
from schemaproof.agents import compliance_names as names
from schemaproof.agents import compliance_repair as repair
from schemaproof.agents.compliance_fault import Fault

_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):(?!\d+(?:/|$))")
WEB = re.compile(r"(?i)(?:https?|ftp)://[^\s/?#]+(?:[/?#]\S*)?$")
_HOSTLIKE = re.compile(r"(?i)(?:[\w-]+\.)+[a-z]{2,24}(?::\d+)?(?:[/?#]\S*)?$")
_FILELIKE = re.compile(r"[^\s<>\"{}|\\^`]*[/#?.][^\s<>\"{}|\\^`]*$")
EMAIL = re.compile(r"[^\s@<>,;:()\[\]\"/]+@[\w-]+(?:\.[\w-]+)*\.[^\W\d_]{2,24}")
_NO_EMAIL = re.compile(
    r"(?i)(?:your|e-?mail|name|user|username|youremail|yourname)(?:\.\w+)?"
    r"@(?:\w*example|domain|yourdomain|company)\.\w+"
)
_HIDDEN_EMAIL = re.compile(
    r"(?i)\[?email\s*protected\]?|\S+\s*[\[({]\s*(?:at|@|æt)\s*[\])}]\s*\S+|\S+\s+at\s+\S+\s+dot\s+\S+"
)
_PHONE = re.compile(r"[+(\d][\d\s().+/ ‐-–-]*(?:(?:ext|extension|x|poste|wew|int|доб)\.?\s*[:#]?\s*\d{1,6})?", re.I)
_VANITY = re.compile(r"\+?[01]?[-. (]*8\d\d[-. )]*[A-Z0-9-]{7,12}")
_EMERGENCY = frozenset({"110", "111", "112", "113", "114", "115", "116", "117", "118", "119", "122", "999", "911"})
_LANGUAGE = re.compile(r"[a-zA-Z]{2,3}(?:[-_][a-zA-Z0-9]{2,8})*")
MIME = re.compile(
    r"(?:application|audio|chemical|font|example|image|message|model|multipart|text|video)/[\w.+*-]+(?:\s*;.*)?"
)
_IMAGE_NAMES = "jpg jpeg png gif webp svg avif bmp ico tif tiff jfif heic apng"
IMAGES = frozenset(_IMAGE_NAMES.split())
_MEDIA = frozenset((_IMAGE_NAMES + " mp4 webm mov avi mkv m4v mp3 ogg wav m4a flac m3u8").split())
_PAGE_NAMES = "html htm php asp aspx jsp xhtml shtml cfm pdf doc docx xml rss atom"
_PAGES = frozenset(_PAGE_NAMES.split())
_LONG_BREAK = re.compile(r"\s")


def url(text: str, _language: str) -> Fault | None:
    """An address: absolute, or one that can be resolved against the page."""
    plain = text.strip()
    if WEB.match(plain):
        if names.bare_term(plain) != plain and re.search(r"/[A-Z][A-Za-z0-9]+$", plain):
            return Fault("term-for-url", "is a term of Schema.org, not the address of a page", probability=0.2)
        return None
    if _LONG_BREAK.search(plain):
        if WEB.match(plain.split()[0]) and _SCHEME.match(plain) and not re.search(r"\s(?:https?|www)", plain):
            return Fault(
                "url-with-spaces", "has spaces, which addresses write as %20", re.sub(r"\s", "%20", plain), 0.5
            )
        return Fault("not-a-url", "is not an address (URL)")
    if EMAIL.fullmatch(plain):
        return Fault("email-for-url", "is an e-mail address, not the address of a page", probability=0.08)
    if scheme := _SCHEME.match(plain):
        name = scheme[1].casefold()
        if name in ("tel", "mailto", "javascript", "data", "sms", "about", "callto"):
            return Fault("not-a-web-address", f"is a {name}: address, not the address of a page", probability=0.2)
        if name in ("http", "https"):
            return Fault("not-a-url", "is an incomplete address (URL)")
        if name == "file":
            return Fault("local-url", "points to a file of somebody's own machine", probability=0.5)
        return None
    if plain in ("#", "?", "#!"):
        return Fault("not-a-url", "is a link that leads nowhere")
    if plain == "/":
        return Fault("relative-url", "is a relative address; only an absolute one is safe elsewhere", probability=0.6)
    if plain.startswith("//") and _HOSTLIKE.match(plain[2:]):
        return None
    if plain.startswith("www.") and _HOSTLIKE.match(plain):
        return Fault(
            "relative-url", "lacks its scheme and would be read as relative to the page", "https://" + plain, 0.6
        )
    if (
        _FILELIKE.match(plain)
        and not re.fullmatch(r"[\d.,:/-]+|\.+|[A-Z]\.|[a-z]{1,3}/[a-z]{1,3}", plain)
        and not plain.endswith(".")
    ):
        return Fault("relative-url", "is a relative address; only an absolute one is safe elsewhere", probability=0.75)
    return Fault("not-a-url", "is not an address (URL)")


def extension(text: str) -> str:
    """The file extension of an address, lower case, or ""."""
    path = re.split(r"[?#]", text, maxsplit=1)[0]
    last = path.rsplit("/", 1)[-1] if "://" not in path or path.count("/") > 2 else ""
    return last.rsplit(".", 1)[-1].casefold() if "." in last and len(last.rsplit(".", 1)[-1]) <= 5 else ""


def image(text: str, language: str) -> Fault | None:
    """The address of an image."""
    fault = url(text, language)
    if fault and not fault.untidy:
        return (
            Fault("data-url", "embeds the image in the markup", probability=0.6)
            if text.startswith("data:image/")
            else fault
        )
    if "#" in text and extension(text) not in IMAGES:
        return fault  # names a node of the page's own graph
    kind = extension(text)
    if kind in _PAGES or is_home(text) or (kind not in IMAGES and re.search(r"[^/]/$", re.split(r"[?#]", text)[0])):
        return Fault("page-for-image", "is the address of a page, not of an image", probability=0.15)
    return fault


def is_home(text: str) -> bool:
    """True for the address of a whole site ("https://shop.example/")."""
    return bool(re.fullmatch(r"(?i)https?://[^/?#]+/?", text))


def media(text: str) -> bool:
    """True for the address of an image, a film or a recording, by its extension."""
    return extension(text) in _MEDIA


def email(text: str, _language: str) -> Fault | None:
    """One e-mail address."""
    plain = text.strip()
    if re.match(r"(?i)mailto:", plain):
        inner = re.split(r"\?", plain[7:])[0]
        return None if EMAIL.fullmatch(inner) else Fault("not-an-email", "is not an e-mail address")
    if _NO_EMAIL.fullmatch(plain):
        return Fault("placeholder", "is a placeholder for an e-mail address")
    if EMAIL.fullmatch(plain):
        return None
    if _HIDDEN_EMAIL.search(plain):
        return Fault("email-hidden", "is a disguise of an e-mail address, which no program can use")
    found = EMAIL.search(plain)
    return Fault("not-an-email", "is not an e-mail address", found[0] if found else "")


def telephone(text: str, _language: str) -> Fault | None:
    """One telephone or fax number."""
    plain = repair.ascii_digits(text.strip())
    plain = re.sub(r"(?i)^tel:\s*", "", plain)
    digits = re.sub(r"\D", "", plain)
    if plain in _EMERGENCY:
        return None
    if len(digits) >= 7 and len(set(digits)) == 1:
        return Fault("placeholder", "is a number that stands for none", probability=0.3)
    if _PHONE.fullmatch(plain):
        if re.fullmatch(r"(?:19|20)\d\d[-./]\d\d?[-./]\d\d?|\d\d?[./]\d\d?[./](?:19|20)\d\d", plain):
            return Fault("date-for-telephone", "is a date, not a telephone number", probability=0.1)
        if len(digits) < 5:
            return Fault("not-a-telephone", "is too short for a telephone number", probability=0.1)
        if len(digits) > 22 or re.fullmatch(r"[+-]?\d+\.\d{4,}|\d+\.\d\d?", plain):
            return Fault("not-a-telephone", "is not a telephone number", probability=0.15)
        return None
    if _VANITY.fullmatch(plain):
        return None
    found = re.search(r"\+?\(?\d[\d\s().+/-]{5,}\d", plain)
    letters = sum(char.isalpha() for char in plain)
    if found and letters <= 24 and "@" not in plain:
        return Fault("telephone-with-words", "carries words beside the number", found[0].strip(), 0.5)
    return Fault("not-a-telephone", "is not a telephone number")


def country(text: str, language: str) -> Fault | None:
    """ISO 3166-1 code of two or three letters, or the full name of a country."""
    if names.country_code(text, language):
        return None
    if text.upper() in codes.ALPHA2 and len(text) == 2:
        return Fault("country-case", "should be in capitals", text.upper(), 0.6)
    if re.search(r"[\d@/:]", text) or len(text) > 60:
        return Fault("not-a-country", "is neither a country's code nor its name")
    if re.fullmatch(r"[A-Z]{2}", text):
        return Fault("not-a-country", "is no code of ISO 3166-1", probability=0.2)
    if text.isascii() and (not language or language == "en"):
        return Fault("not-a-country", "is neither a country's code nor its English name", probability=0.25)
    return None


def language_code(text: str, language: str) -> Fault | None:
    """A language tag of BCP 47."""
    found = _LANGUAGE.fullmatch(text)
    if found and names.is_language_code(re.split(r"[-_]", text)[0].lower()):
        better = text.replace("_", "-")
        return None if better == text else Fault("language-untidy", "uses _ where BCP 47 has -", better, 0.6)
    better = names.language_code(text, language)
    return Fault("not-a-language-code", "is not a language code of BCP 47 (such as en or pt-BR)", better, 0.1)


def postal_code(text: str, _language: str) -> Fault | None:
    """A postal code alone."""
    plain = repair.ascii_digits(text.strip())
    if re.fullmatch(r"[A-Za-z0-9]{1,10}(?:[\s‐-―-][A-Za-z0-9]{1,6}){0,2}", plain) and len(plain) <= 12:
        digits = sum(char.isdigit() for char in plain)
        if re.fullmatch(r"0+", plain):
            return Fault("placeholder", "is a code that stands for none", probability=0.2)
        if digits >= 2 and not re.search(r"[A-Za-z]{5}", plain):
            if re.fullmatch(r"\d+", plain) and not 3 <= len(plain) <= 10:
                return Fault("not-a-postal-code", "is too short or too long for a postal code", probability=0.2)
            if re.match(r"[A-Z]{3} \d{4}$", plain):
                return Fault("postal-code-untidy", "carries the region", plain[4:], 0.5)
            return None
    if plain.startswith("〒"):
        return None
    found = re.match(r"\d{4} ?[A-Z]{2}\b", plain) or re.search(r"(?<!\d)\d{4,6}(?!\d)", plain)
    return Fault("not-a-postal-code", "is not a postal code", found[0] if found and len(plain) < 40 else "", 0.06)


def mime_type(text: str, language: str) -> Fault | None:
    """A media type, or an address that names a format."""
    if MIME.fullmatch(text.casefold()):
        return None
    if WEB.match(text):
        return None
    if "/" in text or "@" in text or len(text.split()) > 3:
        return Fault("not-a-media-type", "is not a media type (such as application/pdf)", probability=0.15)
    return Fault("media-type-untidy", "names a format; a media type such as application/pdf is asked", probability=0.5)
