"""What forms hold where a value is left out: dashes, rules to write on, and words that say there is none, or where."""

from __future__ import annotations

import re

from paxman.capabilities.business_terms import NUMBERS, term_of
from paxman.capabilities.leading_labels import leads_with_label
from paxman.contract.labels import fold_label
from paxman.contract.model import CanonicalField
from paxman.finding.blanks import SIGNS, WORDS, is_open, names_nothing, points_on
from paxman.lazy import lazy_pattern
from paxman.types import FieldType

_APART = r"(?:[ \t]{0,40}+[.#°]{0,2}+[ \t]{0,8}+[:=：][ \t]{0,80}+|[ \t]{2,160}+|[ \t]{0,8}+(?=_))"
_SEPARATOR = lazy_pattern(_APART)
_END = r"(?=[ \t]*(?:\n|\Z))"
# A dash may lead to a value in the next column; a word that says "none" does not.
_AFTER_LABEL = lazy_pattern(rf"{_APART}(?:{SIGNS}{_END}|(?:{WORDS})(?:(?=[ \t]{{2}})|[.]?{_END}))", re.IGNORECASE)
_RULED = lazy_pattern(r"[ \t:*]*\n\s*(?:_{3,}|\.{3,}|…+)\s*")


def is_placeholder(text: str, field: CanonicalField) -> bool:
    """Whether a text says that there is no value; a field whose members or pattern may take it decides itself."""
    if _decides(field):
        return False
    return names_nothing(text) or (_is_coded(field) and (is_open(text) or _is_told(text, field)))


def is_left_blank(text: str, end: int, field: CanonicalField) -> bool:
    """Whether nothing but a placeholder follows a label that ends here."""
    if _decides(field):
        return False
    return _AFTER_LABEL.match(text, end) is not None or (_is_coded(field) and is_open(_beside(text, end)))


def points_elsewhere(text: str, end: int, field: CanonicalField) -> bool:
    """Whether what follows a label that ends here says where else its value stands: "see above"."""
    return points_on(_beside(text, end)) and not _decides(field)


def _beside(text: str, end: int) -> str:
    """The few words that are all that follows a label and its colon or gap."""
    apart = _SEPARATOR.match(text, end)
    words = _FEW_WORDS.match(text, apart.end()) if apart else None
    return words[0] if words else ""


_FEW_WORDS = lazy_pattern(r"\(?[^\W\d_](?:[^\s]| (?! )){0,49}(?=[ \t]*(?:\n|\Z)|[ \t]{2})")


def _is_told(text: str, field: CanonicalField) -> bool:
    """Whether words stand where a code must; an order or a contract may be one by word of mouth."""
    if not _is_worded(text):
        return False
    said = fold_label(field.words).split()
    return term_of(field) in _NEVER_WORDS or not _CODES.isdisjoint(said[-1:]) or not _PAPERS.isdisjoint(said)


def is_worded(text: str, field: CanonicalField) -> bool:
    """Whether just words stand where a number is usual, as rooms and lots have it: "Blue Room"."""
    return _is_worded(text) and _is_coded(field) and not _decides(field)


def _is_worded(text: str) -> bool:
    return " " in text.strip() and text != text.upper() and not _IN_CODES.search(text)


_IN_CODES = lazy_pattern(r"\d|\w[.@]\w|@")


def _is_coded(field: CanonicalField) -> bool:
    """Whether a field asks for a number or for a code that no words are written like."""
    if field.type is not FieldType.STRING:
        return False
    last = fold_label(field.words).rpartition(" ")[2]
    return last in _CODED or (term_of(field) in _CODED_TERMS and not fold_label(field.words).endswith("name"))


_CODES = frozenset("iban bic swift email mail phone telephone mobile fax website url homepage".split())
_CODED = _CODES | {"no"}
_CODED_TERMS = NUMBERS.difference(("other_number",)) | {"vat_id"}
_NEVER_WORDS = _CODED_TERMS.difference(("order_number", "contract_number"))
_PAPERS = frozenset(
    "account id identity passport policy claim registration serial tax vat licence license social insurance".split()
)
"""What has a number that is never just words, though no term is for it."""


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
