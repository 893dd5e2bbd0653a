"""Words that tell lines and clauses apart, kept as tables, and patterns made of them on first use."""

from __future__ import annotations

import re
from functools import lru_cache

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
    filled = _TABLE.sub(lambda table: any_of(table[1]), template)
    return re.compile(filled, re.NOFLAG if exact else re.IGNORECASE)
