"""A short text (a cell, a JSON scalar, what stands beside a label) as the typed value of a field."""

from __future__ import annotations

from collections.abc import Callable

from paxman.contract.model import CanonicalField
from paxman.recognizers.base import Conventions, Reading
from paxman.recognizers.dates import read_date
from paxman.recognizers.money import read_money
from paxman.recognizers.numbers import find_decimals, find_integers
from paxman.recognizers.quantities import find_percents
from paxman.recognizers.words import find_booleans, read_member, read_text
from paxman.types import FieldType

MAX_LENGTH = 100_000
"""Only the head of a longer text is searched for a number, date or word."""


def read_value(text: str, field: CanonicalField, conventions: Conventions) -> Reading | None:
    reader = _READERS.get(field.type)
    return reader(text[:MAX_LENGTH], field, conventions) if reader else None


def _string(text: str, field: CanonicalField, conventions: Conventions) -> Reading | None:
    pattern = field.constraint("pattern") if field.constraints else None
    if pattern:
        return _by_pattern(text, str(pattern["regex"]))
    for tag in field.semantic_tags:
        if tag in NARROWING:
            return _by_kind(text, NARROWING[tag], conventions)
    return read_text(text)


def _by_pattern(text: str, regex: str) -> Reading | None:
    from paxman.contract.patterns import find_spans, matches

    whole = read_text(text)
    if whole and matches(regex, whole.value):
        return whole
    for start, end in find_spans(regex, text):
        return Reading(start, end, text[start:end])
    return None


NARROWING = {"currency": "currency", "iso_4217": "currency"}
"""Tags whose kind decides what part of a text is the value."""


def _by_kind(text: str, kind: str, conventions: Conventions) -> Reading | None:
    from paxman.recognizers import find

    found = find(kind, text, conventions)
    return found[0] if found else None


def _integer(text: str, field: CanonicalField, conventions: Conventions) -> Reading | None:
    return next(iter(find_integers(text, conventions)), None)


def _decimal(text: str, field: CanonicalField, conventions: Conventions) -> Reading | None:
    finders = (find_decimals, find_percents)
    for finder in reversed(finders) if "percent" in field.semantic_tags else finders:
        found = finder(text, conventions)
        if found:
            return found[0]
    return None


def _boolean(text: str, field: CanonicalField, conventions: Conventions) -> Reading | None:
    found = find_booleans(text, conventions)
    return found[0] if len({reading.value for reading in found}) == 1 else None


def _date(text: str, field: CanonicalField, conventions: Conventions) -> Reading | None:
    return read_date(text, conventions)


def _enum(text: str, field: CanonicalField, conventions: Conventions) -> Reading | None:
    return read_member(text, field.enum_values)


def _money(text: str, field: CanonicalField, conventions: Conventions) -> Reading | None:
    return read_money(text, conventions)


_READERS: dict[FieldType, Callable[[str, CanonicalField, Conventions], Reading | None]] = {
    FieldType.STRING: _string,
    FieldType.INTEGER: _integer,
    FieldType.DECIMAL: _decimal,
    FieldType.BOOLEAN: _boolean,
    FieldType.DATE: _date,
    FieldType.ENUM: _enum,
    FieldType.MONEY: _money,
}
