"""Counting tokens without a download: bpe-openai where installed (extra `tokens`), else a stated estimate."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import lru_cache

from schemaproof.models.protocol import Ask

# What a chat format adds to each message and to the whole prompt.
PER_MESSAGE = 4
PER_PROMPT = 3
ENCODINGS = ("o200k_base", "cl100k_base")
ESTIMATE = "estimate:utf8/3.6"


@lru_cache(maxsize=16)
def counter(model: str, encoding: str | None = None) -> tuple[str, Callable[[str], int]]:
    """How tokens of a model are counted: name of the tokenizer (or `ESTIMATE`), and the function.

    Arguments:
        model: its name. GPT-3.5 and GPT-4 have cl100k_base, every other is counted with o200k_base: exact for newer
            models of OpenAI, near for others.
        encoding: name of the vocabulary in its place, one of `ENCODINGS`.
    """
    bare = model.rsplit("/", 1)[-1]
    old = bare.startswith(("gpt-3.5", "gpt-4")) and not bare.startswith(("gpt-4o", "gpt-4.1", "gpt-4.5"))
    name = encoding or ("cl100k_base" if old else "o200k_base")
    with warnings.catch_warnings():
        # The package opens its vocabularies by a deprecated function of the standard library.
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            from bpe_openai import get_encoding
        except ImportError:
            return ESTIMATE, estimate
        found = get_encoding(name)
        found.encode_ordinary("a")
    # encode_ordinary: a page may spell special tokens, which are plain text here.
    return name, lambda text: len(found.encode_ordinary(text.encode("utf-8", "replace").decode()))


def estimate(text: str) -> int:
    """Tokens by the length of the text in UTF-8: a token has about 3.6 bytes in running text."""
    return -(-len(text.encode("utf-8", "replace")) * 10 // 36)


def prompt_tokens(ask: Ask, count: Callable[[str], int]) -> int:
    """Tokens of a question as a chat server counts them."""
    return PER_PROMPT + sum(PER_MESSAGE + count(each.text) for each in ask.messages)
