"""A short text (a cell, a JSON scalar, what stands beside a label) as the typed value of a field."""

from __future__ import annotations

import re
from collections.abc import Callable

from paxman.contract.model import CanonicalField
from paxman.lazy import lazy_pattern
from paxman.recognizers.base import UNKNOWN, Conventions, Reading, read
from paxman.recognizers.booleans_and_enums import OR, find_booleans, read_member, read_text, trimmed
from paxman.recognizers.finders import find
from paxman.types import FieldType

MAX_LENGTH = 100_000
"""Only the head of a longer text is searched for a number, date or word."""

_PLAIN_NUMBER = lazy_pattern(r"-?\d{1,100}(?:\.(?:\d{1,2}|\d{4,100}))?")
"""Numbers that every convention reads alike."""

_LONGEST_SPELLED = 80
_WORD = lazy_pattern(r"[^\W_]")
_DIGIT = lazy_pattern(r"\d")
# The same in another currency: "1250.00 CHF (equals 1310.55 EUR)".
_BESIDE = lazy_pattern(
    rf"[ \t]*(?:(?:[^\w\s]|{OR})?[ \t]{{0,3}}|[(\[=≈/][ \t]?(?:[^\W\d_]{{1,12}}\.?[ \t]){{0,3}}"
    r"|[ \t](?-i:[a-zà-ÿ]{2,12})[ \t])",
    re.IGNORECASE,
)
_AFTER_ANSWER = lazy_pattern(r"[^\w\s](?!\w)|[ \t]+[^\w\s]|[ \t]*(?:\n|\Z)")

Reader = Callable[[str, CanonicalField, Conventions], Reading | None]


def read_value(text: str, field: CanonicalField, conventions: Conventions) -> Reading | None:
    reader = _READERS.get(field.type)
    return reader(text[:MAX_LENGTH], field, conventions) if reader else None


def _string(text: str, field: CanonicalField, conventions: Conventions) -> Reading | None:
    pattern = field.constraint("pattern") if field.constraints else None
    if pattern:
        regex = str(pattern["regex"])
        from paxman.contract.patterns import find_spans, matches

        whole = read_text(text)
        if whole and matches(regex, whole.value):
            return whole
        return next((Reading(start, end, text[start:end]) for start, end in find_spans(regex, text)), None)
    for tag in field.semantic_tags:
        if tag in NARROWING:
            found = _by_kind(text, NARROWING[tag], conventions)
            return found and with_scheme(text, field, found)
    return (_account(text) if field.name.lower().endswith("iban") else None) or read_text(text)


def with_scheme(text: str, field: CanonicalField, reading: Reading) -> Reading:
    """An address of the web where a URI is asked for: one without a scheme gets the usual one, and is less sure."""
    format = field.constraint("format") if field.constraints else None
    if format is None or format["name"] not in ("uri", "iri") or ":" in reading.value:
        return reading
    whole = read(text, reading.start, reading.end, (*reading.transforms, "scheme:https"))
    return Reading(whole.start, whole.end, whole.value, whole.transforms, loose=True)


def _account(text: str) -> Reading | None:
    from paxman.recognizers.identifiers import find_ibans

    return next(iter(find_ibans(text, UNKNOWN)), None)


NARROWING = {
    "bic": "bic",
    "country": "country",
    "currency": "currency",
    "date-time": "datetime",
    "datetime": "datetime",
    "duration": "duration",
    "e-mail": "email",
    "email": "email",
    "fax": "phone",
    "iban": "iban",
    "ip": "ip",
    "ipv4": "ip",
    "ipv6": "ip",
    "ipvanyaddress": "ip",
    "iso_4217": "currency",
    "phone": "phone",
    "postal_code": "postal_code",
    "region": "region",
    "tax_id": "tax_id",
    "telephone": "phone",
    "time": "time",
    "uri": "url",
    "url": "url",
    "uuid": "uuid",
    "vat_id": "vat_id",
    "website": "url",
    "zip": "postal_code",
}
"""Tags that say what part of a text is the value. Names and addresses are taken whole."""


def _by_kind(text: str, kind: str, conventions: Conventions) -> Reading | None:
    from paxman.recognizers import short
    from paxman.recognizers.figures.ranges import IN_LIST, either

    if kind in short.READERS:
        return short.READERS[kind](text, conventions)
    return either(text, find(kind, text, conventions), IN_LIST)


def _integer(text: str, field: CanonicalField, conventions: Conventions) -> Reading | None:
    from paxman.recognizers.figures.numbers import find_integers
    from paxman.recognizers.figures.ranges import either

    start, end = trimmed(text)
    if text[start:end].isdecimal() and end - start <= 100:
        return read(text, start, end, ("integer",))
    return either(text, find_integers(text, conventions)) or _in_words(text, conventions, "integer")


def _decimal(text: str, field: CanonicalField, conventions: Conventions) -> Reading | None:
    from paxman.recognizers.figures.broken import is_torn
    from paxman.recognizers.figures.numbers import find_decimals
    from paxman.recognizers.figures.quantities import find_percents
    from paxman.recognizers.figures.ranges import either

    start, end = trimmed(text)
    if _PLAIN_NUMBER.fullmatch(text, start, end):
        return read(text, start, end, ("decimal:.",) if "." in text else ("decimal",))
    if is_torn(text, start, end):
        return None
    finders = (find_decimals, find_percents)
    ordered = reversed(finders) if "percent" in field.semantic_tags else finders
    found = next((either(text, found) for finder in ordered if (found := finder(text, conventions))), None)
    return found or _in_words(text, conventions)


def _in_words(text: str, conventions: Conventions, step: str = "") -> Reading | None:
    """A number in words or a fraction that is all there is: "two", "½"."""
    from paxman.recognizers.figures.quantities import find_numbers

    start, end = trimmed(text)
    if not 0 < end - start <= _LONGEST_SPELLED:
        return None
    whole = next((r for r in find_numbers(text, conventions) if (r.start, r.end) == (start, end)), None)
    if whole is None or not step:
        return whole
    try:
        return read(text, start, end, (*whole.transforms, step))
    except ValueError:
        return None


def _boolean(text: str, field: CanonicalField, conventions: Conventions) -> Reading | None:
    found = find_booleans(text, conventions)
    if len({reading.value for reading in found}) != 1:
        return None
    return next((reading for reading in found if _is_answer(text, reading)), None)


def _is_answer(text: str, reading: Reading) -> bool:
    """Whether it is a tick, or a word with none before it and no sentence after it."""
    if not text[reading.start].isalnum():
        return True
    return not _WORD.search(text, 0, reading.start) and _AFTER_ANSWER.match(text, reading.end) is not None


def _date(text: str, field: CanonicalField, conventions: Conventions) -> Reading | None:
    from paxman.recognizers.calendar.dates import find_dates, read_date

    reading = read_date(text, conventions)
    if reading is None or not (_DIGIT.search(text, reading.end) or reading.transforms[0].startswith("first_day")):
        return reading
    from paxman.recognizers.figures.ranges import either

    return either(text, find_dates(text, conventions)) or reading


def _timed(text: str, field: CanonicalField, conventions: Conventions) -> Reading | None:
    from paxman.recognizers.calendar import timed

    readers = {FieldType.DATETIME: timed.read_moment, FieldType.TIME: timed.read_time}
    return readers.get(field.type, timed.read_duration)(text, conventions)


def _enum(text: str, field: CanonicalField, conventions: Conventions) -> Reading | None:
    return read_member(text, field.enum_values)


def _money(text: str, field: CanonicalField, conventions: Conventions) -> Reading | None:
    from paxman.recognizers.figures.broken import is_torn
    from paxman.recognizers.figures.money import find_money, read_money

    reading = None if is_torn(text, 0, len(text)) else read_money(text, conventions)
    if reading is None or not _DIGIT.search(text, reading.end):
        return reading
    from paxman.recognizers.figures.ranges import either

    later = [other for other in find_money(text, conventions) if other.start >= reading.end][:1]
    foreign = bool(later) and later[0].value.currency != reading.value.currency
    return either(text, [reading, *later], _BESIDE) if foreign else either(text, [reading, *later])


_READERS: dict[FieldType, Reader] = {
    FieldType.STRING: _string,
    FieldType.INTEGER: _integer,
    FieldType.DECIMAL: _decimal,
    FieldType.BOOLEAN: _boolean,
    FieldType.DATE: _date,
    FieldType.DATETIME: _timed,
    FieldType.TIME: _timed,
    FieldType.DURATION: _timed,
    FieldType.ENUM: _enum,
    FieldType.MONEY: _money,
}
