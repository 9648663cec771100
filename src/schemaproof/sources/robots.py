"""robots.txt: what a site lets robots fetch (RFC 9309)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import quote, unquote_to_bytes, urlsplit

MAXIMUM_BYTES = 500 * 1024  # RFC 9309, 2.5
MAXIMUM_DELAY = 30.0


@dataclass(slots=True)
class Robots:
    """The rules that hold for us.

    Attributes:
        rules: (pattern, allowed) in the order of the file.
        delay: seconds between requests that the site asks for (Crawl-delay, not part of the RFC), or 0.
    """

    rules: list[tuple[str, bool]] = field(default_factory=list)
    delay: float = 0.0

    def allows(self, url: str) -> bool:
        """Whether a URL may be fetched: the longest matching rule decides, allowing where two are equally long."""
        parts = urlsplit(url)
        path = _normal(parts.path or "/") + (f"?{_normal(parts.query)}" if parts.query else "")
        if path == "/robots.txt":
            return True
        best, allowed = -1, True
        for pattern, allow in self.rules:
            size = len(pattern)
            if (size > best or (size == best and allow)) and _compiled(pattern).match(path):
                best, allowed = size, allow
        return allowed


FREE = Robots()
CLOSED = Robots([("/", False)])


def _normal(text: str) -> str:
    """Percent-encoding made comparable (RFC 9309, 2.2.2)."""
    return quote(unquote_to_bytes(text), safe="/?=&;:@!$'()*+,~-._%")


@lru_cache(maxsize=4096)
def _compiled(pattern: str) -> re.Pattern[str]:
    anchored = pattern.endswith("$")
    body = re.sub(r"\*+", "*", pattern.removesuffix("$"))
    # Each part is found at its first place (a group that is not entered again), so that stars cannot be piled up.
    parts = [re.escape(part) for part in body.split("*")]
    text = parts[0] + "".join(
        f"(?>.*?{part})" if number < len(parts) - 2 or not anchored else f".*{part}"
        for number, part in enumerate(parts[1:])
    )
    return re.compile(text + ("$" if anchored else ""), re.DOTALL)


def read_robots(data: bytes, product: str) -> Robots:
    """The rules of a robots.txt for a robot.

    Arguments:
        data: the file.
        product: our product token; groups for it count, else those for "*".
    """
    groups: dict[str, Robots] = {}
    names: list[str] = []
    open_group = False
    for line in data[:MAXIMUM_BYTES].decode("utf-8-sig", "replace").splitlines():
        key, found, value = line.split("#", 1)[0].partition(":")
        key, value = key.strip().lower(), value.strip()
        if not found:
            continue
        if key == "user-agent":
            if not open_group:
                names = []
            open_group = True
            name = value.lower()
            names.append("*" if name == "*" else re.match(r"[a-z_-]*", name)[0])  # type: ignore[index]
            groups.setdefault(names[-1], Robots())
        elif key in ("allow", "disallow"):
            open_group = False
            if value:
                pattern = value if value.startswith(("/", "*")) else f"/{value}"
                for name in names:
                    groups[name].rules.append((_normal(pattern), key == "allow"))
        elif key == "crawl-delay":
            open_group = False
            try:
                delay = min(max(float(value), 0.0), MAXIMUM_DELAY)
            except ValueError:
                continue
            for name in names:
                groups[name].delay = delay
    return groups.get(product.lower()) or groups.get("*") or FREE
