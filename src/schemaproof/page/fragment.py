"""The text of one element, for values that markup takes from the page's text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from schemaproof.page.elements import BLOCK, BREAK, INLINE, KINDS, MEDIUM, QUIET, SKIPPED, SPACED

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_COLLAPSE = re.compile(r"[ \t\n\r\f]+")


def is_apart(tag: str) -> bool:
    """Whether an element of this name is kept apart from the text around it."""
    return KINDS.get(tag, INLINE) in (BLOCK, SPACED, BREAK)


def is_never_text(tag: str) -> bool:
    """Whether what an element of this name holds is never text of the page."""
    return KINDS.get(tag, INLINE) in (SKIPPED, QUIET, MEDIUM)


def element_text(element: LexborNode, work: list[int]) -> str:
    """The text of one element with white space collapsed and its blocks parted by newlines, scripts left out.

    Arguments:
        element: the element.
        work: one number, how many nodes may still be visited; it is counted down, and the text ends where it is 0.
    """
    child = element.first_child
    if child is None:
        return ""
    if child.next is None and child.tag == "-text":
        return _COLLAPSE.sub(" ", child.text_content or "").strip(" ")
    parts: list[str] = []
    stack: list[LexborNode] = [element]
    node: LexborNode | None = child
    while node is not None and work[0] > 0:
        work[0] -= 1
        tag = node.tag or ""
        child = None
        if tag == "-text":
            parts.append(_COLLAPSE.sub(" ", node.text_content or ""))
        else:
            kind = KINDS.get(tag, INLINE)
            if kind in (BLOCK, BREAK):
                parts.append("\n")
            elif kind == SPACED:
                parts.append(" ")
            if kind not in (SKIPPED, QUIET, MEDIUM):
                child = node.first_child
        if child is not None:
            stack.append(node)
            node = child
            continue
        while node is not None and node.next is None:
            node = stack.pop()
            if not stack:
                node = None
            elif KINDS.get(node.tag or "", INLINE) == BLOCK:
                parts.append("\n")
        if node is not None:
            node = node.next
    lines = (_COLLAPSE.sub(" ", line).strip(" ") for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)
