"""Vocabulary kept in `data/`: one entry a line, `head: words`, read on first use, and patterns made of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from paxman.lazy import lazy_pattern


@lru_cache(maxsize=64)
def entries(name: str) -> list[tuple[str, list[str]]]:
    """Head and words of every line of a table."""
    lines = (Path(__file__).parent / "data" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split(": ", 1) for line in lines if line and not line.startswith("#"))
    return [(head, words.split()) for head, words in pairs]


@lru_cache(maxsize=64)
def column(name: str) -> dict[str, frozenset[str]]:
    """Every head with its words as a set."""
    return {head: frozenset(words) for head, words in entries(name)}


_TABLE = lazy_pattern(r"\{([a-z_]+)\}")


@lru_cache(maxsize=1)
def _fragments() -> dict[str, list[str]]:
    return {head: [word.replace("_", " ?") for word in found] for head, found in entries("line_words")}


@lru_cache(maxsize=64)
def words(head: str) -> frozenset[str]:
    return frozenset(_fragments()[head])


def any_of(head: str) -> str:
    """An alternation of the words of a table."""
    return "|".join(_fragments()[head])


@lru_cache(maxsize=256)
def pattern(template: str, exact: bool = False) -> re.Pattern[str]:
    """A template with `{table}` in the place of words; case matters only if `exact`."""
    if exact:
        return re.compile(_TABLE.sub(lambda table: any_of(table[1]), template))
    return re.compile(_TABLE.sub(lambda table: _any_by_letter(table[1]), template), re.IGNORECASE)


def match_lead(template: str, text: str) -> re.Match[str] | None:
    """What a template that begins with its tables matches at the start of a text, at most three signs in.

    Only words of the text's first letter are tried: patterns of whole tables are slow to make and to match.
    """
    first = _FIRST.match(text)
    letter = first[1] if first else "_"
    return _leading(template, letter.lower() if len(letter.lower()) == 1 else letter).match(text)


@lru_cache(maxsize=2048)
def _leading(template: str, first: str) -> re.Pattern[str]:
    return re.compile(_TABLE.sub(lambda table: _any_by_letter(table[1], first) or "(?!)", template), re.IGNORECASE)


def _any_by_letter(head: str, first: str = "") -> str:
    """`any_of` with words of one first letter together: where case does not matter, each other branch is tried in full.

    What does not begin with a letter keeps its place between them; of words that do only those of `first` are kept.
    """
    words = [opened for word in _fragments()[head] for opened in (_opened(word) if first else (word,))]
    runs = groupby(words, key=lambda word: _LETTER.match(word) is not None)
    return "|".join(filter(None, (_by_letter(run, first) if of_letters else "|".join(run) for of_letters, run in runs)))


def _opened(word: str) -> Iterator[str]:
    """A word that begins with a choice as one word for each: "(?:paid|sent) by"."""
    choice = _CHOICE.match(word)
    if choice is None or "(" in choice[1]:
        yield word
        return
    for first in (*choice[1].split("|"), *([""] if choice[2] else [])):
        yield from _opened(first + word[choice.end() :])


def _by_letter(words: Iterable[str], first: str) -> str:
    rests: dict[str, list[str]] = {}
    for word in words:
        rests.setdefault(word[0], []).append(word[1:])
    letters = {letter: f"{letter.lower()}{letter.upper()}{_ALSO.get(letter, '')}" for letter in rests}
    return "|".join(f"(?-i:[{own}])(?:{'|'.join(rests[letter])})" for letter, own in letters.items() if first in own)


_CHOICE = lazy_pattern(r"\(\?:([^()]*)\)(\??)(?![?*+{])")
_FIRST = lazy_pattern(r"\W{0,3}(\w)")
_LETTER = lazy_pattern(r"[^\W\d_ß](?![?*+{])")
_ALSO = {"i": "İı", "k": "\u212a", "s": "ſ"}
"""Other letters that are the same where case does not matter."""
