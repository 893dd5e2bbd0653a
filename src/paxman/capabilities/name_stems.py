"""Labels that a field has by its name, besides the name itself: "arrival" and "Anreise" of `arrival_date`.

They are looked for only where a contract has such a field, and only where a label stands.
"""

from __future__ import annotations

import re
from functools import lru_cache

from paxman.capabilities.business_terms import (
    AMOUNTS,
    GROSS,
    MIXED,
    MONEY_WORDS,
    NO_SUMS,
    NUMBERS,
    PARTIES,
    PERIODS,
    compact_keys,
    label_terms,
    names_of,
    party_and_rest,
    read_terms,
    spell_out,
    term_of,
    turned,
)
from paxman.contract.labels import compact_label, fold_label
from paxman.contract.model import CanonicalField
from paxman.lazy import lazy_pattern
from paxman.types import FieldType

_NOUNS = {
    "date": (FieldType.DATE,),
    "no": (FieldType.STRING, FieldType.INTEGER),
    "code": (FieldType.STRING,),
    "id": (FieldType.STRING,),
    "name": (FieldType.STRING,),
}
FIRST_WORDS = frozenset("first start starts from begin begins starting von ab debut inicio inizio mula".split())
LAST_WORDS = frozenset("last end ends to until till ending through thru bis fin final fine tamat".split())
"""Words of names that say which end of a range is meant."""
_ENDS = (FIRST_WORDS | LAST_WORDS).difference(("first", "last", "final"))
"""Those that stand behind the name of a period; the last payment is none."""
_SHORTEST = 4
# Every word has a digit, but for the letters of a series: "MRN 00412-3", "77 A".
_WORD = r"[^\s\d,;:]{0,20}\d[\w./-]{0,20}"
_NUMBER = lazy_pattern(rf"(?=.{{1,30}}\Z)(?:[A-Z]{{1,4}} )?{_WORD}(?: (?:{_WORD}|[A-Z])){{0,4}}")
_NAME = lazy_pattern(r"[^\W\d_][^\d:]+")
_PLACE = lazy_pattern(r"[^\W\d_][^\d:.;]{2,40}")
# When or how one pays; what else is called terms fills a page.
_TERMS = lazy_pattern(
    r"(?=.{1,60}\Z)(?!\d{1,2}[.)] )(?:.*\D)??"
    r"(?:\d{1,3} ?(?:days?|tagen?|jours?|jrs|d[ií]as|giorni|gg|dagen|dage?r?|dni|päivää|pv|%)"
    r"|net(?:to)? ?\d{1,3}|n/?\d{2}|\d/\d{2}"
    r"|(?:cash|c\.?o\.?d|receipt|eom|pre-?paid|prepayment|advance|immediate(?:ly)?|sofort|vorkasse|comptant|contado"
    r"|contanti|vista|contant|gotówka|kontant))(?![^\W_]).*",
    re.IGNORECASE,
)
_VALUES = {
    "no": _NUMBER,
    "code": _NUMBER,
    "id": _NUMBER,
    "name": _NAME,
    "law": _PLACE,
    "jurisdiction": _PLACE,
    "terms": _TERMS,
}


@lru_cache(maxsize=4096)
def stems_of(field: CanonicalField) -> frozenset[str]:
    """Compact labels: the name less the noun of its type, unless that means something else, and what others say."""
    return synonyms_of(field).union(_without_noun(field), composed_of(field), period_labels(field), near_periods(field))


@lru_cache(maxsize=4096)
def synonyms_of(field: CanonicalField) -> frozenset[str]:
    """Compact labels that others say for the name of a field."""
    return frozenset(key for label in _synonyms().get(field.name_key, ()) for key in compact_label(label))


@lru_cache(maxsize=4096)
def composed_of(field: CanonicalField) -> frozenset[str]:
    """Compact labels of the field's own words and usual ones: "Advertiser name", "Contract no. / rev", "Gross charges".

    None that commonly means something else.
    """
    term, terms = term_of(field), label_terms()
    labels = (each for label in _own(field) for way in _ways(field, term, label) for each in spell_out(way))
    keys = (key for label in labels for key in compact_label(label))
    return frozenset(key for key in keys if term in terms.get(key, (term,))).difference(compact_keys(field))


@lru_cache(maxsize=4096)
def period_labels(field: CanonicalField) -> frozenset[str]:
    """Compact labels of the period that a field is one end of: "Contract period" of `contract_start`."""
    noun = period_noun(field)
    if not noun:
        return frozenset()
    known = _synonyms()
    own = (re.sub(r"\bown\b", noun, label) for label in known["own ~"])
    return frozenset(key for label in (*own, *known.get(f"{noun} ~", ())) for key in compact_label(label))


@lru_cache(maxsize=4096)
def near_periods(field: CanonicalField) -> frozenset[str]:
    """Compact labels of a period that may be the same as that which a field is one end of: a bill's of a statement."""
    near = _synonyms().get(f"{_NEAR.get(period_noun(field) or '')} ~", ())
    return frozenset(key for label in near for key in compact_label(label)) - period_labels(field)


_NEAR = {
    **dict.fromkeys(("billing", "bill", "invoice"), "statement"),
    **dict.fromkeys(("statement", "accounting"), "billing"),
    **dict.fromkeys(("service", "performance"), "delivery"),
    **dict.fromkeys(("delivery", "supply"), "service"),
}


def period_noun(field: CanonicalField) -> str | None:
    """What the period is of whose end a date is by the end of its name; nothing of `period_from`, None of others."""
    said = field.name_key.removesuffix(" date").removesuffix(" day").split()
    if field.type is not FieldType.DATE or not said or said[-1] not in _ENDS:
        return None
    return " ".join(word for word in said[:-1] if word not in _OF_DAYS)


def extended_labels(field: CanonicalField) -> frozenset[str]:
    """The composed labels that only add a word to one of the field's own, as "Advertiser name" does."""
    return composed_of(field) if field.type is FieldType.STRING else frozenset()


def _own(field: CanonicalField) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(fold_label, (*field.labels, *names_of(field)))))


def _ways(field: CanonicalField, term: str | None, label: str) -> tuple[str, ...]:
    """What else a label may be called, as labels of a table are written."""
    if field.type in (FieldType.DECIMAL, FieldType.MONEY):
        return _sums(label, term) if field.type is FieldType.MONEY or term not in NO_SUMS else ()
    if field.type is FieldType.DATE:
        return _days(label, term)
    if field.type is not FieldType.STRING or not label:
        return ()
    if term in NUMBERS:
        own = label.removesuffix(" no").removesuffix(" revision")
        return f"{own} no", f"{own} rev", f"{own} revision", f"{own} no rev", f"{own} no revision"
    return (f"{label} name",) if _is_somebody(field, term) and label.rpartition(" ")[2] not in _NOUNS else ()


def _days(label: str, term: str | None) -> tuple[str, ...]:
    """A label of a day with the word for it, and turned round: "Last service date" of `last_service`."""
    if label.rpartition(" ")[2] in _OF_DAYS:
        return turned(label)
    dated = (f"{label} date",) if " " in label else ()
    return (f"{label} ~", *dated) if term in PERIODS else (*turned(label), *dated)


def _is_somebody(field: CanonicalField, term: str | None) -> bool:
    """Whether a field is a party, a company or a person, which its name stands for; an account or a policy is none."""
    return term in PARTIES or not _SOMEBODY.isdisjoint(field.semantic_tags)


_SOMEBODY = frozenset(("organization", "organisation", "company", "person", "party"))


def _sums(label: str, term: str | None) -> tuple[str, ...]:
    """The one word of a label that tells its sum from others, with words for money around it that mean the same.

    What a thing is worth, what it costs and its total are different sums, but for what is gross.
    """
    words = [word for word in label.split() if word not in MONEY_WORDS]
    if len(words) != 1 or words == label.split() or len(words[0]) < _SHORTEST_WORD:
        return ()
    (own,) = words
    if term == "total" and own in GROSS:
        return f"{own} *", f"* {own}", f"total {own} *", own
    if not AMOUNTS.issuperset(word for word in label.split() if word != own):
        return ()
    return tuple(each for way in sorted(AMOUNTS) for each in (f"{own} {way}", f"{way} {own}"))


_OF_DAYS = frozenset(("date", "dates", "day", "period", "range"))
_SHORTEST_WORD = 3


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


@lru_cache(maxsize=4096)
def owned_labels(field: CanonicalField) -> frozenset[str]:
    """Compact labels of what a party has, as they stand in its own block: "Email" below "Bill to"."""
    party, rest = party_and_rest(names_of(field)[0])
    if party is None or fold_label(rest) in _NOUNS or term_of(field) not in _OWN_NUMBERS:
        return frozenset()
    return frozenset(key for key in compact_label(rest) if _OWN_NUMBERS.issuperset(label_terms().get(key, ())))


_OWN_NUMBERS = frozenset((None, "other_number", "vat_id", "tax_number"))
"""Terms of what each party has its own of, besides those that are no term."""


def fits_noun(field: CanonicalField, value: str) -> bool:
    """Whether a text is what the noun of a field's name says."""
    kind = _VALUES.get(_noun(field))
    return kind is None or (kind.fullmatch(value) is not None and not (kind is _NAME and value[0].islower()))


def asks_name(field: CanonicalField) -> bool:
    return _noun(field) == "name"


def _noun(field: CanonicalField) -> str:
    return field.name_key.rpartition(" ")[2]


# It starts a chunk, perhaps after "A.", and a colon, a gap, the end of the line, a currency or a number follows.
# That of a box is none: "P.O. Box 12".
_BEFORE = lazy_pattern(r"(?:\A|\n|[\t|]|  |[\s][A-Z]\.) ?\Z")
_AFTER = lazy_pattern(
    r"[ \t]{0,8}(?:[:：=|\n$€£]|\((?!\d))|\.[ \t]{0,8}:|\t|  |[ \t]*\Z"
    r"|\.?(?! ?(?i:box)\b)(?: [^\W\d_]{2,3})? #?[A-Z]{0,4}\d"
)


def heads_value(text: str, start: int, end: int) -> bool:
    """Whether words stand where a label does; elsewhere they are a part of a name or a sentence."""
    return _AFTER.match(text, end) is not None and _BEFORE.search(text, max(0, start - 4), start) is not None
