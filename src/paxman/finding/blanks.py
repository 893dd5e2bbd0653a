"""What stands where a value would and is none: dashes, rules to write on, words that say there is none, or where."""

from __future__ import annotations

import re
from functools import lru_cache

from paxman.contract.labels import fold_label
from paxman.lazy import lazy_pattern
from paxman.recognizers.tables import column

SIGNS = r"[-–—_.…]+"
WORDS = (
    r"n\s?/\s?a|n\. ?a\.?|n\. ?d\.?|n\. ?v\. ?t\.?|k\. ?a\.?|s\. ?o\.?|tb[acd]|none|not (?:applicable|available)"
    r"|to be (?:advised|announced|confirmed|determined)|keine angaben?|ohne angabe|entfällt|nicht zutreffend"
    r"|sans objet|non applicable|néant|no aplica|sin datos|non applicabile|non disponibile|não aplicável"
    r"|não se aplica|niet van toepassing|nie dotyczy|brak|ej tillämpligt|ikke relevant|tidak berkenaan"
)
# A rule to write on may lead to the next label.
_ALONE = lazy_pattern(
    rf"\s*(?:{SIGNS}|(?:{WORDS})[.]?)\s*|_{{3,}}[ \t]{{1,80}}[^\W\d_][^:：_]{{0,40}}[:：].*",
    re.IGNORECASE | re.DOTALL,
)
_NO_ITEM = lazy_pattern(
    r"\s*(?:nil|nobody|no one|keine[rs]?|niemand|aucune?s?|personne|ningun[oa]|nadie|nessun[oa]?|nenhum[a]?|ninguém"
    r"|geen|żadn[ey]|inge[nt]|inga|tiada|tidak ada|[无無]|なし)[.]?\s*|\s*(?:see|siehe|voir|véase|vedi|zie|patrz) .*",
    re.IGNORECASE,
)
_LONGEST = 50


def names_nothing(text: str) -> bool:
    """Whether a text that should be a name is a placeholder, or says that it stands elsewhere."""
    return _ALONE.fullmatch(text) is not None or points_on(text)


def is_filled(text: str) -> bool:
    """Whether a cell has more than a sign or a word for nothing in it."""
    return bool(text.strip()) and _ALONE.fullmatch(text) is None


def names_no_item(text: str) -> bool:
    """Whether a text that should be a list says that it has no items."""
    return names_nothing(text) or _NO_ITEM.fullmatch(text) is not None


def points_on(text: str) -> bool:
    """Whether words say where else a value stands."""
    if not 0 < len(text) <= _LONGEST:
        return False
    said = fold_label(text).removeprefix("please ")
    return said in _phrases()["elsewhere"] or said.startswith(_leads())


def is_open(text: str) -> bool:
    """Whether words say that a value is not there yet, or on request only."""
    return 0 < len(text) <= _LONGEST and fold_label(text) in _phrases()["not_yet"]


@lru_cache(maxsize=1)
def _phrases() -> dict[str, frozenset[str]]:
    tables = column("placeholders").items()
    return {head: frozenset(phrase.replace("_", " ") for phrase in said) for head, said in tables}


@lru_cache(maxsize=1)
def _leads() -> tuple[str, ...]:
    return tuple(f"{lead} " for lead in sorted(_phrases()["elsewhere_lead"]))
