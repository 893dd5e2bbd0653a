"""Words that tell lines and clauses apart, kept as tables, and patterns made of them on first use."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby

from paxman.lazy import lazy_pattern
from paxman.recognizers.tables import entries

_BLANK = {"line_words": " ?", "clause_words": r"\s+"}
_TABLE = lazy_pattern(r"\{([a-z_]+)\}")


@lru_cache(maxsize=1)
def _tables() -> dict[str, list[str]]:
    return {
        head: [word.replace("_", blank) for word in found]
        for name, blank in _BLANK.items()
        for head, found in entries(name)
    }


def words(head: str) -> frozenset[str]:
    return frozenset(_tables()[head])


def any_of(head: str) -> str:
    """An alternation of the words of a table."""
    return "|".join(_tables()[head])


@lru_cache(maxsize=256)
def pattern(template: str, exact: bool = False) -> re.Pattern[str]:
    """A template with `{table}` in the place of words; case matters only if `exact`."""
    if exact:
        return re.compile(_TABLE.sub(lambda table: any_of(table[1]), template))
    return re.compile(_TABLE.sub(lambda table: _any_by_letter(table[1]), template), re.IGNORECASE)


def _any_by_letter(head: str) -> str:
    """`any_of` with words of one first letter together: where case does not matter, each other branch is tried in full.

    What does not begin with a letter keeps its place between them.
    """
    runs = groupby(_tables()[head], key=lambda word: _LETTER.match(word) is not None)
    return "|".join(_by_letter(run) if of_letters else "|".join(run) for of_letters, run in runs)


def _by_letter(words: Iterable[str]) -> str:
    rests: dict[str, list[str]] = {}
    for word in words:
        rests.setdefault(word[0], []).append(word[1:])
    letters = {letter: f"{letter.lower()}{letter.upper()}{_ALSO.get(letter, '')}" for letter in rests}
    return "|".join(f"(?-i:[{letters[letter]}])(?:{'|'.join(rests[letter])})" for letter in rests)


_LETTER = lazy_pattern(r"[^\W\d_ß](?![?*+{])")
_ALSO = {"i": "İı", "k": "\u212a", "s": "ſ"}
"""Other letters that are the same where case does not matter."""
