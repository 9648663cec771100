"""robots.txt: what a site lets robots fetch (RFC 9309)."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from dataclasses import dataclass, field

from schemaproof.sources.web import without_dots

# RFC 9309, 2.5, asks for 500 KiB at least. It is twice as much, so that leaving out the line that is cut off at the end
# takes nothing of them.
MAXIMUM_BYTES = 1 << 20
MAXIMUM_DELAY = 30.0

_UNRESERVED = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
_OCTET = re.compile(rb"%([0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?#\[\]@!&'()+,;=]")
# Of the reserved characters these have no meaning of their own in a query (RFC 3986, 3.4): the table of RFC 9309,
# 2.2.2, takes ?baz=https://foo.bar and ?baz=https%3A%2F%2Ffoo.bar for one.
_PLAIN_IN_QUERY = {"%2F": "/", "%3A": ":", "%3F": "?", "%40": "@"}


@dataclass(slots=True)
class Robots:
    """The rules that hold for us.

    Attributes:
        rules: (pattern, allowed) in the order of the file. In a pattern, "*" stands for any octets and "$" at its end
            for the end; escapes are as `_comparable` makes them: "%2A" and "%24" stand for the characters themselves.
        delay: seconds between requests that the site asks for (Crawl-delay, not part of the RFC), or 0.
    """

    rules: list[tuple[str, bool]] = field(default_factory=list)
    delay: float = 0.0

    def allows(self, url: str) -> bool:
        """Whether a URL may be fetched: the longest matching rule decides, allowing where two are equally long.

        Arguments:
            url: absolute. Its path is judged without dot segments, as it is asked for; the query counts, even an empty
                one ("/x?"), the fragment does not.
        """
        text = re.sub(r"^[^:/?#]+://[^/?#]*", "", url).partition("#")[0]
        path, mark, query = text.partition("?")
        target = _comparable((without_dots(path) or "/").encode("utf-8", "surrogatepass"))
        if target == "/robots.txt" and not mark:
            return True
        target += mark + _comparable(query.encode("utf-8", "surrogatepass"))
        plain = _plain_query(target)
        best, allowed = -1, True
        for pattern, allow in self.rules:
            size = len(pattern)
            # A rule that names no query is held against the query as it stands.
            if (size > best or (size == best and allow)) and _matches(pattern, plain if "?" in pattern else target):
                best, allowed = size, allow
        return allowed


def _comparable(octets: bytes) -> str:
    """A path or a query with the escapes that matter alone (RFC 9309, 2.2.2; RFC 3986, 6.2.2).

    Unreserved octets are never escaped, octets that may not stand in a URL always, in capitals; reserved ones are told
    from their escapes ("%2F" is no "/"). "*" and "$" are escaped, since rules write them so where they mean the
    characters (RFC 9309, 2.2.3).
    """

    def escape(found: re.Match[bytes]) -> bytes:
        octet = bytes.fromhex(found[1].decode("ascii")) if found[1] else found[0]
        return octet if octet in _UNRESERVED else b"%%%02X" % octet[0]

    return _OCTET.sub(escape, octets).decode("ascii")


def _plain_query(text: str) -> str:
    """What `_comparable` made, with the escapes undone that mean nothing in a query."""
    path, mark, query = text.partition("?")
    return path + mark + re.sub("%(?:2F|3A|3F|40)", lambda found: _PLAIN_IN_QUERY[found[0]], query)


def _matches(pattern: str, text: str) -> bool:
    """Whether a pattern matches from the beginning of a text (RFC 9309, 2.2.3).

    Each part between stars is taken at its first place, so that stars cannot be piled up to cost time.
    """
    anchored = pattern.endswith("$")
    first, *parts = pattern.removesuffix("$").split("*")
    if not text.startswith(first):
        return False
    place = len(first)
    if not parts:
        return not anchored or place == len(text)
    last = parts.pop()
    for part in parts:
        found = text.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    if anchored:
        return text.endswith(last) and len(text) - len(last) >= place
    return text.find(last, place) >= 0


def read_robots(data: bytes, product: str) -> Robots:
    """The rules of a robots.txt for a robot.

    A group begins with the first of its user-agent lines and goes on to the next one behind a rule. Other records
    (Crawl-delay, Sitemap, unknown ones) neither begin nor end one: RFC 9309, 2.2.4, says that they must not interfere,
    and Google documents that it reads user-agent lines with a Sitemap or a Crawl-delay between them as one group.

    Arguments:
        data: the file; what comes after `MAXIMUM_BYTES` is left out.
        product: our product token; groups for it count, else those for "*" (2.2.1).
    """
    if len(data) > MAXIMUM_BYTES:
        # The last line may be cut off: half of "Disallow: /private" would forbid everything.
        data = data[: 1 + max(data.rfind(end, 0, MAXIMUM_BYTES) for end in (b"\r", b"\n"))]
    groups: list[tuple[set[str], Robots]] = []
    naming = False
    # Only these end lines (2.2); what other line ends Unicode knows are part of them.
    for line in re.split(rb"[\r\n]+", data.removeprefix(BOM_UTF8)):
        key, found, value = line.split(b"#", 1)[0].partition(b":")
        key, value = key.strip().lower(), value.strip()
        if not found:
            continue
        if key == b"user-agent":
            if not naming:
                groups.append((set(), Robots()))
            naming = True
            groups[-1][0].add(_token(value))
        elif key in (b"allow", b"disallow"):
            naming = False
            if value and groups:
                groups[-1][1].rules.append((_pattern(value), key == b"allow"))
        elif key == b"crawl-delay" and groups:
            # Not of the RFC, so it holds for the whole group it stands in, also for names that come after it.
            groups[-1][1].delay = max(groups[-1][1].delay, _delay(value))
    own = [robots for names, robots in groups if product.lower() in names]
    own = own or [robots for names, robots in groups if "*" in names]
    rules = [rule for robots in own for rule in robots.rules]
    return Robots(rules, max((robots.delay for robots in own), default=0.0))


def _token(value: bytes) -> str:
    """The product token that a user-agent line names, without what comes after it."""
    name = re.match(rb"\*(?!\S)|[a-z_-]*", value.lower())
    return name[0].decode("ascii") if name else ""


def _pattern(value: bytes) -> str:
    """A rule's path as a pattern."""
    body = value.removesuffix(b"$")
    text = _plain_query("*".join(_comparable(part) for part in body.split(b"*"))) + ("$" if body != value else "")
    return text if text.startswith(("/", "*")) else f"/{text}"


def _delay(value: bytes) -> float:
    try:
        delay = float(value)
    except ValueError:
        return 0.0
    return min(delay, MAXIMUM_DELAY) if delay > 0 else 0.0
