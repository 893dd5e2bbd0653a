"""What stands where a value would and is none: dashes, rules to write on, words that say there is none, or where."""

from __future__ import annotations

from functools import lru_cache

from paxman.contract.labels import fold_label
from paxman.recognizers.tables import column, pattern

# A rule to write on may lead to the next label.
_ALONE = r"\s*(?:[-–—_.…]+|(?:{no_value})[.]?)\s*|_{3,}[ \t]{1,80}[^\W\d_][^:：_]{0,40}[:：][\s\S]*"
_NO_ITEM = r"\s*(?:{no_item})[.]?\s*|\s*(?:{see_elsewhere}) .*"
_LONGEST = 50


def names_nothing(text: str) -> bool:
    """Whether a text that should be a name is a placeholder, or says that it stands elsewhere."""
    return pattern(_ALONE).fullmatch(text) is not None or _points_on(text)


def names_no_item(text: str) -> bool:
    """Whether a text that should be a list says that it has no items."""
    return names_nothing(text) or pattern(_NO_ITEM).fullmatch(text) is not None


def _points_on(text: str) -> bool:
    """Whether words say where else a value stands."""
    if not 0 < len(text) <= _LONGEST:
        return False
    said, (phrases, leads) = fold_label(text).removeprefix("please "), _elsewhere()
    return said in phrases or said.startswith(leads)


@lru_cache(maxsize=1)
def _elsewhere() -> tuple[frozenset[str], tuple[str, ...]]:
    phrases, leads = ([phrase.replace("_", " ") for phrase in said] for said in column("placeholders").values())
    return frozenset(phrases), tuple(f"{lead} " for lead in sorted(leads))
