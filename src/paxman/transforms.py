"""Named steps from a quote to a value.

Values are made by running these steps, and verification runs them again, so a value cannot drift from its quote.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable
from decimal import Decimal
from importlib import import_module
from typing import Any

from paxman.lazy import lazy_pattern
from paxman.types import FINE_BLANKS

Transform = Callable[[Any, str], Any]

BUILT_IN: dict[str, str] = {
    "fold": "paxman.transforms:fold",
    "blanks": "paxman.transforms:to_plain_blanks",
    "slice": "paxman.transforms:slice_text",
    "json": "paxman.transforms:decode_json",
    "parse_json": "paxman.transforms:parse_json",
    "null": "paxman.transforms:to_null",
    "unquote": "paxman.transforms:unquote",
    "unescape": "paxman.transforms:unescape",
    "join": "paxman.transforms:join_slices",
    "rejoin": "paxman.inference.grounding:rejoin",
    "written": "paxman.inference.grounding:written",
    "concluded": "paxman.inference.grounding:concluded",
    "scheme": "paxman.transforms:with_scheme",
    "entities": "paxman.transforms:decode_entities",
    "decimal": "paxman.recognizers.figures.numbers:to_decimal",
    "integer": "paxman.recognizers.figures.numbers:to_integer",
    "money": "paxman.recognizers.figures.money:to_money",
    "date": "paxman.recognizers.calendar.dates:to_date",
    "first_day": "paxman.recognizers.calendar.date_ranges:to_first_day",
    "last_day": "paxman.recognizers.calendar.date_ranges:to_last_day",
    "year": "paxman.recognizers.calendar.yearless:with_year",
    "iso": "paxman.recognizers.calendar.dates:to_iso",
    "epoch": "paxman.recognizers.calendar.timed:from_epoch",
    "datetime": "paxman.recognizers.calendar.dates:to_datetime",
    "boolean": "paxman.recognizers.booleans_and_enums:to_boolean",
    "enum": "paxman.recognizers.booleans_and_enums:to_member",
    "begun": "paxman.recognizers.booleans_and_enums:to_begun_member",
    "member": "paxman.recognizers.booleans_and_enums:to_member_value",
    "negate": "paxman.recognizers.figures.numbers:negate",
    "scale": "paxman.recognizers.figures.numbers:scale",
    "spelled": "paxman.recognizers.figures.spelled:to_number",
    "power": "paxman.recognizers.figures.quantities:to_power",
    "coined": "paxman.recognizers.figures.money:from_coins",
    "myriads": "paxman.recognizers.figures.points:to_myriads",
    "fraction": "paxman.recognizers.figures.quantities:to_fraction",
    "currency": "paxman.recognizers.figures.money:to_currency",
    "local_currency": "paxman.recognizers.conventions:to_local_currency",
    "country": "paxman.recognizers.places:to_country",
    "nation": "paxman.recognizers.places:to_nation",
    "compact": "paxman.recognizers.identifiers:to_compact",
    "time": "paxman.recognizers.calendar.times:to_time",
    "duration": "paxman.recognizers.calendar.times:to_duration",
    "moment": "paxman.recognizers.calendar.timed:to_moment",
    "clock": "paxman.recognizers.calendar.timed:to_clock",
    "midnight": "paxman.recognizers.calendar.timed:to_midnight",
    "iso_duration": "paxman.recognizers.calendar.timed:to_iso_duration",
    "anniversary": "paxman.recognizers.calendar.anniversaries:to_years",
}
_loaded: dict[str, Transform] = {}
# Between digits they group a number, which a plain space does not.
_FINE_BLANK = lazy_pattern(rf"[{FINE_BLANKS}](?:(?<!\d.)|(?!\d))")


def run(transforms: Iterable[str], quote: Any) -> Any:
    """Carry a quote through its steps; each is `name` or `name:argument`."""
    value = quote
    for step in transforms:
        name, _, argument = step.partition(":")
        value = (_loaded.get(name) or _load(name))(value, argument)
    return value


def _load(name: str) -> Transform:
    module, _, function = BUILT_IN[name].partition(":")
    found: Transform = getattr(import_module(module), function)
    _loaded[name] = found
    return found


def fold(text: str, argument: str = "") -> str:
    """Unicode NFC, whitespace runs as one space, ends trimmed."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def to_plain_blanks(text: str, argument: str = "") -> str:
    """As long as before, with spaces for no-break and thin ones and for returns; where these end lines, line ends."""
    if "\r" in text:
        text = text.replace("\r", " " if "\n" in text else "\n")
    return text if text.isascii() else _FINE_BLANK.sub(" ", text)


def slice_text(text: str, argument: str) -> str:
    """The part from `start-end`, for values inside a decoded quote."""
    start, end = argument.split("-")
    return text[int(start) : int(end)]


def decode_json(token: str, argument: str = "") -> str:
    """The text of a JSON string token, lone surrogates as U+FFFD; other scalars stand as they are written."""
    if not token.startswith('"'):
        return token
    text = str(json.loads(token, strict=False)) if "\\" in token else token[1:-1]
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace") if "\\" in token else text


def unquote(cell: str, argument: str) -> str:
    """A CSV cell without its quotes; the argument is the quote character, and another one that is doubled, if any."""
    text = cell.strip()[1:-1]
    for quote in argument:
        text = text.replace(quote * 2, quote)
    return text


def unescape(cell: str, argument: str) -> str:
    """A CSV cell without the backslashes before quotes; the argument is the quote character."""
    return cell.replace("\\" + argument, argument)


def join_slices(text: str, argument: str) -> str:
    """The parts `start-end start-end ...` of a quote, with a space between them."""
    return " ".join(slice_text(text, part) for part in argument.split(" "))


def with_scheme(text: str, argument: str) -> str:
    """An address with the scheme that it lacks."""
    return f"{argument}://{text}"


def decode_entities(text: str, argument: str = "") -> str:
    import html

    return html.unescape(text)


def parse_json(text: str, argument: str = "") -> Any:
    """A whole JSON value; numbers keep their digits."""
    return json.loads(text, parse_float=Decimal, parse_int=_whole, strict=False)


def to_null(text: str, argument: str = "") -> None:
    """An explicit "no value"."""


def _whole(digits: str) -> int | Decimal:
    """Python refuses to read very long integers; a Decimal takes them."""
    return int(digits) if len(digits) < 4000 else Decimal(digits)
