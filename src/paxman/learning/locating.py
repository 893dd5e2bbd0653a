"""Where the right value of an example stands on its page."""

from __future__ import annotations

import datetime
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

from paxman.contract.model import CanonicalField
from paxman.learning.mentions import KINDS, TEXT, Mentions
from paxman.recognizers import Conventions, Reading, read_value
from paxman.types import FieldType, Money

_LIKE, _LONG = 0.9, 12


@lru_cache(maxsize=200_000)
def letters(text: str) -> str:
    """Letters and digits alone, in small letters without accents."""
    if text.isascii():
        return "".join(filter(str.isalnum, text)).lower()
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if c.isalnum())


def kind_of(field: CanonicalField) -> str:
    return KINDS.get(item_of(field).type, TEXT)


def item_of(field: CanonicalField) -> CanonicalField:
    """What a single candidate is read as: the field itself, or an item of a list."""
    return field.items if field.type is FieldType.ARRAY and field.items else field


def read_mention(mentions: Mentions, number: int, field: CanonicalField, how: Conventions) -> Reading | None:
    """The value of a mention as the field's type reads it."""
    text = mentions.text(number)
    reading = read_value(text, field, how)
    return None if reading is None else reading.shifted(mentions.spans[number][0])


def locate(mentions: Mentions, field: CanonicalField, how: Conventions, right: Any) -> frozenset[int]:
    """The mentions that are the right value; of texts that are only alike, those that are most so."""
    if field.type is FieldType.STRING:
        return _locate_text(mentions, str(right))
    found = []
    for number in range(len(mentions)):
        reading = read_mention(mentions, number, field, how)
        if reading is not None and is_same(reading.value, right, field):
            found.append(number)
    return frozenset(found)


def _locate_text(mentions: Mentions, right: str) -> frozenset[int]:
    wanted = letters(right)
    if not wanted:
        return frozenset()
    texts = [letters(mentions.text(number)) for number in range(len(mentions))]
    exact = frozenset(number for number, text in enumerate(texts) if text == wanted)
    if exact or len(wanted) < _LONG or 3 * sum(map(str.isdigit, wanted)) >= len(wanted):
        return exact
    alike = [(likeness(text, wanted), number) for number, text in enumerate(texts) if _may_be_like(text, wanted)]
    best = max(alike, default=(0.0, 0))[0]
    return frozenset(number for degree, number in alike if degree == best >= _LIKE)


def _may_be_like(text: str, wanted: str) -> bool:
    return 2 * min(len(text), len(wanted)) >= _LIKE * (len(text) + len(wanted))


def likeness(one: str, other: str) -> float:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= _LIKE else 0.0


def is_same(value: Any, right: Any, field: CanonicalField) -> bool:
    """Whether a value that was read is the right one, by the field's type."""
    if value is None or right is None:
        return value is right
    if field.type is FieldType.STRING:
        one, other = letters(str(value)), letters(str(right))
        return one == other or (len(other) >= _LONG and _may_be_like(one, other) and likeness(one, other) >= _LIKE)
    if isinstance(value, Money):
        amount = right.get("amount") if isinstance(right, dict) else getattr(right, "amount", right)
        currency = right.get("currency") if isinstance(right, dict) else getattr(right, "currency", None)
        return _number(value.amount) == _number(amount) and currency in (None, value.currency)
    if isinstance(value, bool) or isinstance(right, bool):
        return value is right
    if isinstance(value, int | Decimal | float):
        number = _number(right)
        return number is not None and number == _number(value)
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return value.isoformat() == str(right)[:10]
    if isinstance(value, datetime.datetime | datetime.time):
        return value.isoformat() == (right.isoformat() if hasattr(right, "isoformat") else str(right))
    return str(value) == str(right)


def _number(value: Any) -> Decimal | None:
    try:
        return Decimal(str(value).replace(",", "")).normalize()
    except ArithmeticError:
        return None


def typed(field: CanonicalField, right: Any, how: Conventions) -> Any:
    """A right value as its type has it: people write "25/12/2018" and "RM 12.50" as the page does."""
    if not isinstance(right, str) or field.type in (FieldType.STRING, FieldType.ENUM):
        return right
    reading = read_value(right, field, how)
    return right if reading is None else reading.value


def same_value(value: Any, right: Any, field: CanonicalField) -> bool:
    """Whether an answer is the right value, lists and rows included; None is no answer, or a value not stated."""
    if value is None or right is None or field.type is not FieldType.ARRAY or field.items is None:
        return is_same(value, right, field)
    if not isinstance(value, tuple | list) or not isinstance(right, tuple | list):
        return False
    if not field.columns:
        return same_list(value, right, field.items)
    return len(value) == len(right) and all(_same_row(*pair, field) for pair in zip(value, right, strict=True))


def _same_row(row: Any, right: Any, field: CanonicalField) -> bool:
    wanted = [(column, right[column.name]) for column in field.columns if right.get(column.name) is not None]
    return all(same_value(row.get(column.name), value, column) for column, value in wanted)


def same_list(values: Sequence[Any], right: Sequence[Any], item: CanonicalField) -> bool:
    """Whether two lists hold the same values, in whatever order."""
    left = list(right)
    for value in values:
        hit = next((each for each in left if is_same(value, each, item)), None)
        if hit is None:
            return False
        left.remove(hit)
    return not left
