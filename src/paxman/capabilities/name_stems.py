"""Labels that a field has by its name, besides the name itself: "arrival" and "Anreise" of `arrival_date`.

They are looked for only where a contract has such a field, and only where a label stands.
"""

from __future__ import annotations

import re
from functools import lru_cache

from paxman.capabilities.business_terms import MIXED, label_terms, read_terms
from paxman.contract.labels import compact_label
from paxman.contract.model import CanonicalField
from paxman.types import FieldType

_NOUNS = {
    "date": (FieldType.DATE,),
    "no": (FieldType.STRING, FieldType.INTEGER),
    "code": (FieldType.STRING,),
    "id": (FieldType.STRING,),
    "name": (FieldType.STRING,),
}
_SHORTEST = 4
# Every word has a digit, but for the letters of a series: "MRN 00412-3", "77 A".
_WORD = r"[^\s\d,;:]{0,20}\d[\w./-]{0,20}"
_NUMBER = re.compile(rf"(?=.{{1,30}}\Z)(?:[A-Z]{{1,4}} )?{_WORD}(?: (?:{_WORD}|[A-Z])){{0,4}}")
_NAME = re.compile(r"[^\W\d_][^\d:]+")
_VALUES = {"no": _NUMBER, "code": _NUMBER, "id": _NUMBER, "name": _NAME}


@lru_cache(maxsize=4096)
def stems_of(field: CanonicalField) -> frozenset[str]:
    """Compact labels: the name less the noun of its type, unless that means something else, and what others say."""
    said = (key for label in _synonyms().get(field.name_key, ()) for key in compact_label(label))
    return frozenset((*said, *_without_noun(field)))


def _without_noun(field: CanonicalField) -> tuple[str, ...]:
    stem, _, noun = field.name_key.rpartition(" ")
    if len(stem) < _SHORTEST or field.type not in _NOUNS.get(noun, ()):
        return ()
    key = compact_label(stem)[0]
    terms = label_terms().get(key, ())
    return (key,) if not terms or terms[0] in MIXED else ()


@lru_cache(maxsize=1)
def _synonyms() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for names, label in read_terms("field_terms"):
        for name in names.split("|"):
            found.setdefault(name.strip(), []).append(label)
    return found


def fits_noun(field: CanonicalField, value: str) -> bool:
    """Whether a text is what the noun of a field's name says."""
    kind = _VALUES.get(_noun(field))
    return kind is None or (kind.fullmatch(value) is not None and not (kind is _NAME and value[0].islower()))


def asks_name(field: CanonicalField) -> bool:
    return _noun(field) == "name"


def _noun(field: CanonicalField) -> str:
    return field.name_key.rpartition(" ")[2]


# It starts a chunk, perhaps after "A.", and a colon, a column gap, the end of the line or a number follows.
_BEFORE = re.compile(r"(?:\A|\n|[\t|]|  |[\s][A-Z]\.) ?\Z")
_AFTER = re.compile(r"[ \t]{0,8}(?:[:：=|\n]|\((?!\d))|\t|  |[ \t]*\Z|\.?(?: [^\W\d_]{2,3})? #?[A-Z]{0,4}\d")


def heads_value(text: str, start: int, end: int) -> bool:
    """Whether words stand where a label does; elsewhere they are a part of a name or a sentence."""
    return _AFTER.match(text, end) is not None and _BEFORE.search(text, max(0, start - 4), start) is not None
