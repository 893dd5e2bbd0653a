"""What forms hold where a value is left out: dashes, rules to write on, and words that say there is none."""

from __future__ import annotations

import re

from paxman.capabilities.leading_labels import leads_with_label
from paxman.contract.model import CanonicalField
from paxman.lazy import lazy_pattern

_SIGNS = r"[-–—_.…]+"
_WORDS = (
    r"n\s?/\s?a|n\. ?a\.?|n\. ?d\.?|n\. ?v\. ?t\.?|k\. ?a\.?|s\. ?o\.?|tb[acd]|none|not (?:applicable|available)"
    r"|to be (?:advised|announced|confirmed|determined)|keine angaben?|ohne angabe|entfällt|nicht zutreffend"
    r"|sans objet|non applicable|néant|no aplica|sin datos|non applicabile|non disponibile|não aplicável"
    r"|não se aplica|niet van toepassing|nie dotyczy|brak|ej tillämpligt|ikke relevant|tidak berkenaan"
)
_APART = r"(?:[ \t]{0,40}+[.#°]{0,2}+[ \t]{0,8}+[:=：][ \t]{0,80}+|[ \t]{2,160}+|[ \t]{0,8}+(?=_))"
_END = r"(?=[ \t]*(?:\n|\Z))"
# A rule to write on may lead to the next label.
_ALONE = lazy_pattern(
    rf"\s*(?:{_SIGNS}|(?:{_WORDS})[.]?)\s*|_{{3,}}[ \t]{{1,80}}[^\W\d_][^:：_]{{0,40}}[:：].*",
    re.IGNORECASE | re.DOTALL,
)
# A dash may lead to a value in the next column; a word that says "none" does not.
_AFTER_LABEL = lazy_pattern(rf"{_APART}(?:{_SIGNS}{_END}|(?:{_WORDS})(?:(?=[ \t]{{2}})|[.]?{_END}))", re.IGNORECASE)
_RULED = lazy_pattern(r"[ \t:*]*\n\s*(?:_{3,}|\.{3,}|…+)\s*")


def is_placeholder(text: str, field: CanonicalField) -> bool:
    """Whether a text says that there is no value; a field whose members or pattern may take it decides itself."""
    return names_nothing(text) and not _decides(field)


def names_nothing(text: str) -> bool:
    """Whether a text that should be a name is a placeholder."""
    return _ALONE.fullmatch(text) is not None


def is_left_blank(text: str, end: int, field: CanonicalField) -> bool:
    """Whether nothing but a placeholder follows a label that ends here."""
    return _AFTER_LABEL.match(text, end) is not None and not _decides(field)


def is_ruled(text: str, start: int, end: int) -> bool:
    """Whether lines hold nothing but a rule to write on, so that what stands below them is no answer."""
    return _RULED.fullmatch(text, start, end) is not None


def is_next_label(text: str, start: int, end: int) -> bool:
    """Whether what stands behind a column gap is the next label of a form and its value: the first was left empty."""
    if text[max(0, start - 2) : start].strip(" \t\xa0") or "\n" in text[max(0, start - 2) : start]:
        return False
    return leads_with_label(text, start, end)


def _decides(field: CanonicalField) -> bool:
    return bool(field.enum_values or field.constraint("pattern"))
