"""Whether many tokens are well formed, looked at together: a call for each would cost more than all the reading."""

from __future__ import annotations

from schemaproof.sampling.quads import BLANK

_NOT_IN_IRI = bytes([*range(0x0A), *range(0x0B, 0x21), *b'"{}|^`\\'])
_IN_BLANK = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\n"


def sound_iris(tokens: list[bytes]) -> bool:
    """Whether all of these, each starting with <, are IRIs without escapes."""
    count = len(tokens)
    if not count:
        return True
    joined = b"\n".join(tokens)
    return (
        joined.count(b"<") == count
        and joined.count(b">") == count
        and joined.count(b">\n") == count - 1
        and joined.endswith(b">")
        and len(joined.translate(None, _NOT_IN_IRI)) == len(joined)
    )


def sound_blanks(tokens: list[bytes]) -> bool:
    """Whether all of these are blank node labels."""
    count = len(tokens)
    if not count:
        return True
    joined = b"\n" + b"\n".join(tokens) + b"\n"
    # With letters and digits taken away, "_:" is all that is left of plain labels.
    if joined.count(b"\n_:") == count and len(joined.translate(None, _IN_BLANK)) == 2 * count:
        return b":\n" not in joined
    return all(map(BLANK.fullmatch, tokens))
