"""What forms hold where a value is left out: dashes, rules to write on, and words that say there is none, or where."""

from __future__ import annotations

import re
from functools import lru_cache

from paxman.capabilities.business_terms import NUMBERS, term_of
from paxman.capabilities.leading_labels import leads_with_label
from paxman.contract.labels import fold_label
from paxman.contract.model import CanonicalField
from paxman.lazy import lazy_pattern
from paxman.recognizers.tables import column
from paxman.types import FieldType

_SIGNS = r"[-–—_.…]+"
_WORDS = (
    r"n\s?/\s?a|n\. ?a\.?|n\. ?d\.?|n\. ?v\. ?t\.?|k\. ?a\.?|s\. ?o\.?|tb[acd]|none|not (?:applicable|available)"
    r"|to be (?:advised|announced|confirmed|determined)|keine angaben?|ohne angabe|entfällt|nicht zutreffend"
    r"|sans objet|non applicable|néant|no aplica|sin datos|non applicabile|non disponibile|não aplicável"
    r"|não se aplica|niet van toepassing|nie dotyczy|brak|ej tillämpligt|ikke relevant|tidak berkenaan"
)
_APART = r"(?:[ \t]{0,40}+[.#°]{0,2}+[ \t]{0,8}+[:=：][ \t]{0,80}+|[ \t]{2,160}+|[ \t]{0,8}+(?=_))"
_SEPARATOR = lazy_pattern(_APART)
_END = r"(?=[ \t]*(?:\n|\Z))"
# A rule to write on may lead to the next label.
_ALONE = lazy_pattern(
    rf"\s*(?:{_SIGNS}|(?:{_WORDS})[.]?)\s*|_{{3,}}[ \t]{{1,80}}[^\W\d_][^:：_]{{0,40}}[:：].*",
    re.IGNORECASE | re.DOTALL,
)
_NO_ITEM = lazy_pattern(
    r"\s*(?:nil|nobody|no one|keine[rs]?|niemand|aucune?s?|personne|ningun[oa]|nadie|nessun[oa]?|nenhum[a]?|ninguém"
    r"|geen|żadn[ey]|inge[nt]|inga|tiada|tidak ada|[无無]|なし)[.]?\s*|\s*(?:see|siehe|voir|véase|vedi|zie|patrz) .*",
    re.IGNORECASE,
)
# A dash may lead to a value in the next column; a word that says "none" does not.
_AFTER_LABEL = lazy_pattern(rf"{_APART}(?:{_SIGNS}{_END}|(?:{_WORDS})(?:(?=[ \t]{{2}})|[.]?{_END}))", re.IGNORECASE)
_RULED = lazy_pattern(r"[ \t:*]*\n\s*(?:_{3,}|\.{3,}|…+)\s*")


def is_placeholder(text: str, field: CanonicalField) -> bool:
    """Whether a text says that there is no value; a field whose members or pattern may take it decides itself."""
    if _decides(field):
        return False
    return names_nothing(text) or (_is_coded(field) and (_is_open(text) or _is_told(text, field)))


def names_nothing(text: str) -> bool:
    """Whether a text that should be a name is a placeholder, or says that it stands elsewhere."""
    return _ALONE.fullmatch(text) is not None or _points_on(text)


def is_filled(text: str) -> bool:
    """Whether a cell has more than a sign or a word for nothing in it."""
    return bool(text.strip()) and _ALONE.fullmatch(text) is None


def names_no_item(text: str) -> bool:
    """Whether a text that should be a list says that it has no items."""
    return names_nothing(text) or _NO_ITEM.fullmatch(text) is not None


def is_left_blank(text: str, end: int, field: CanonicalField) -> bool:
    """Whether nothing but a placeholder follows a label that ends here."""
    if _decides(field):
        return False
    return _AFTER_LABEL.match(text, end) is not None or (_is_coded(field) and _is_open(_beside(text, end)))


def points_elsewhere(text: str, end: int, field: CanonicalField) -> bool:
    """Whether what follows a label that ends here says where else its value stands: "see above"."""
    return _points_on(_beside(text, end)) and not _decides(field)


def _beside(text: str, end: int) -> str:
    """The few words that are all that follows a label and its colon or gap."""
    apart = _SEPARATOR.match(text, end)
    words = _FEW_WORDS.match(text, apart.end()) if apart else None
    return words[0] if words else ""


def _points_on(text: str) -> bool:
    """Whether words say where else a value stands."""
    if not 0 < len(text) <= _LONGEST:
        return False
    said = fold_label(text).removeprefix("please ")
    return said in _phrases()["elsewhere"] or said.startswith(_leads())


def _is_open(text: str) -> bool:
    """Whether words say that a value is not there yet, or on request only."""
    return 0 < len(text) <= _LONGEST and fold_label(text) in _phrases()["not_yet"]


@lru_cache(maxsize=1)
def _phrases() -> dict[str, frozenset[str]]:
    tables = column("placeholders").items()
    return {head: frozenset(phrase.replace("_", " ") for phrase in said) for head, said in tables}


@lru_cache(maxsize=1)
def _leads() -> tuple[str, ...]:
    return tuple(f"{lead} " for lead in sorted(_phrases()["elsewhere_lead"]))


_LONGEST = 50
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
