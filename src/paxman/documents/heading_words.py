"""The words of a heading, and what a run of them means."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from paxman.contract.labels import compact_word
from paxman.lazy import lazy_pattern

OTHER = -1
"""The meaning of a heading that is known, but no column that is asked for."""

# What stands in brackets or behind a slash is a word of its own: Qty(pcs), Price/USD.
_TOKEN = lazy_pattern(r"[(/\[]{0,3}[^\s(/\[]+")
_WORD = lazy_pattern(r"[nN]°|[^\W_]+|[#№]")

_SIGN = lazy_pattern(r"\s*([%‰€$£¥±])\s*")


class Token(NamedTuple):
    """A word of a heading: its place, and its compact form."""

    start: int
    end: int
    key: str


class Hit(NamedTuple):
    """Tokens `first` to `last` (exclusive) mean a column.

    A `rank` of 4 is a heading that the contract names, 3 only the name of a field that has labels, 2 a whole label,
    1 less than that, 0 a term that gives way.
    """

    first: int
    last: int
    meaning: int
    rank: int


@lru_cache(maxsize=2048)
def _key(word: str) -> str:
    return "".join(map(compact_word, _WORD.findall(word)))


def tokens_of(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """The words of a heading, or the sign that is all of it; a word that ends in a hyphen goes on with the next."""
    tokens: list[Token] = []
    open_word = False
    for match in _TOKEN.finditer(text, start, len(text) if end is None else end):
        word = match[0]
        key = _key(word)
        if open_word and tokens:
            tokens[-1] = Token(tokens[-1].start, match.end(), tokens[-1].key + key)
        elif key:
            tokens.append(Token(*match.span(), key))
        open_word = word[-1] == "-" and len(word) > 1
    if not tokens and (sign := _SIGN.fullmatch(text, start, len(text) if end is None else end)):
        return [Token(*sign.span(1), sign[1])]
    return tokens
