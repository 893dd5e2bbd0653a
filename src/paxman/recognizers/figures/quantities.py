"""Numbers however they are written: in figures, in words, as fractions, with a word of scale behind them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from decimal import Decimal

import attrs

from paxman.classes import record
from paxman.lazy import lazy_pattern
from paxman.recognizers.base import IN_BRACKETS, Conventions, Reading, read_any
from paxman.recognizers.booleans_and_enums import trimmed
from paxman.recognizers.figures.currency_signs import Scale, currency_scale, glued_scale, scale_after
from paxman.recognizers.figures.numbers import (
    FRACTION_BEHIND,
    after_percent,
    brackets_around,
    figures,
    has_percent,
    has_percent_word,
    percent_end,
    signed_span,
    stands_alone,
)
from paxman.recognizers.figures.points import MINUS, choose_points, decimal_steps, myriads
from paxman.recognizers.figures.ranges import in_ranges, side_by_side
from paxman.recognizers.figures.spelled import DIVISION, find_spelled, lacks_number, vocabulary
from paxman.types import Span

_SCALES = ("scale", "lot", "times")
_MIL = "mil"
_POWER = lazy_pattern(r"\^((?:\+|--?)?\d{1,3})(?![\w.,])")
_FRACTION = lazy_pattern(r"\d(?<![\w/.,:]\d)\d{0,5}(?: {1,2}\d{1,6})? ?/ ?\d{1,6}(?![\w/]|[.,]\d)")
_SIGN_FRACTION = lazy_pattern(r"(?<![\w/.,])(?:[-−] ?)?(?:\d{1,6} ?)?[¼-¾⅐-⅞]")


@record
class Quantity:
    """A number in a text: `ways` read the characters of `core`, the span may hold a word of scale too."""

    start: int
    end: int
    core: Span
    ways: tuple[tuple[str, ...], ...]
    rule: str = ""
    in_unit: bool = False
    """Whether its label states that it counts thousands or more."""

    def read(
        self, text: str, span: Span | None = None, then: tuple[tuple[str, ...], ...] = ((),), rule: str = ""
    ) -> Reading | None:
        """The readings of a span around this number, each way followed by each of the steps in `then`."""
        start, end = span or (self.start, self.end)
        cut = () if (start, end) == self.core else (f"slice:{self.core[0] - start}-{self.core[1] - start}",)
        ways = [cut + way + steps for steps in then for way in self.ways]
        return read_any(text, start, end, ways, self.rule or rule)


def quantities(text: str, conventions: Conventions) -> list[Quantity]:
    """Every number in a text, in order, none overlapping another."""
    figured = [figure_quantity(text, *figure, conventions) for figure in figures(text)]
    figured = [q for q in figured if stands_alone(text, q.start, q.end)]
    return first_of_overlapping(
        [*figured, *spelled_quantities(text, conventions), *_fractions(text), *myriad_quantities(text)]
    )


def myriad_quantities(text: str) -> list[Quantity]:
    """Numbers with the units of East Asia: 3万5千."""
    return [Quantity(*span, span, (("myriads",),)) for span in myriads(text)]


def first_of_overlapping(found: list[Quantity]) -> list[Quantity]:
    """In order, the longer before the shorter, without those that an earlier one covers."""
    kept: list[Quantity] = []
    for quantity in sorted(found, key=lambda quantity: (quantity.start, -quantity.end)):
        if not kept or quantity.start >= kept[-1].end:
            kept.append(quantity)
    return kept


def find_numbers(text: str, conventions: Conventions) -> list[Reading]:
    """Numbers in figures and in words, fractions and words of scale included."""
    whole = _in_any_language(text) if conventions.language is None and len(text) <= _LONGEST_ALONE else None
    return [whole] if whole else [r for quantity in quantities(text, conventions) if (r := quantity.read(text))]


_LONGEST_ALONE = 60
_FEWEST_LETTERS = 6
_LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl")


def _in_any_language(text: str) -> Reading | None:
    """A text that is a number in words and nothing else; short words mean other things elsewhere: once, due, sei."""
    start, end = trimmed(text)
    if end - start < _FEWEST_LETTERS or any(map(str.isdecimal, text)):
        return None
    fitting = [language for language in _LANGUAGES if (start, end) in find_spelled(text, language)]
    return read_any(text, start, end, [(f"spelled:{language}",) for language in fitting], _ANY_LANGUAGE)


_ANY_LANGUAGE = "English comes first where nothing says in what language a number is"


def figure_quantity(
    text: str, start: int, end: int, points: tuple[str, ...], conventions: Conventions, of_money: bool = False
) -> Quantity:
    """A figure with its sign, and the fraction, power or word of scale behind it."""
    fraction = FRACTION_BEHIND.match(text, end) if of_money and text[end + 1 : end + 2].isnumeric() else None
    if fraction and points == ("",):
        return Quantity(start, fraction.end(), (start, fraction.end()), (("fraction",),))
    chosen, rule = choose_points(points, conventions, grouping_first=of_money)
    core = signed_span(text, start, end)
    stop, behind, open_scale = _behind(text, core, conventions, of_money)
    if of_money and stop == end and text[end : end + 1] in _GLUED_HEADS:
        stop, behind, open_scale = _steps(glued_scale(text, start, end))
    ways = tuple(decimal_steps(point) + step for point in chosen for step in behind)
    return Quantity(core[0], stop, core, ways, open_scale or rule)


_GLUED_HEADS = frozenset("mMbB")
Behind = tuple[int, tuple[tuple[str, ...], ...], str]
"""Where what is behind a figure ends, every step that it may make, and the rule where there are several."""


def _steps(scale: Scale) -> Behind:
    return scale.end, tuple((f"scale:{factor}",) if factor != 1 else () for factor in scale.factors), scale.rule


def _behind(text: str, core: Span, conventions: Conventions, of_money: bool) -> Behind:
    """The power or word of scale behind a figure."""
    end = core[1]
    following = text[end : end + 2].lstrip()
    if following[:1] == "^" and not of_money:
        power = _POWER.match(text, end)
        return (
            (power.end(), ((f"power:{power[1].lstrip('+').replace('--', '')}",),), "") if power else _steps(Scale(end))
        )
    if not following[:1].isalpha():
        return end, ((),), ""
    if of_money:
        return _steps(scale_after(text, end, conventions, start=core[0]))
    return _steps(currency_scale(text, *core) or scale_after(text, end, conventions, _SCALES))


def spelled_alone(text: str, conventions: Conventions) -> list[Quantity]:
    """Amounts in words in a text; one that is short and has no figures, on a page of no known language, in any."""
    found = list(spelled_quantities(text, conventions, of_money=True))
    if found or conventions.language or len(text) > _LONGEST_ALONE or any(map(str.isdecimal, text)):
        return found
    hows = (attrs.evolve(conventions, language=language) for language in _LANGUAGES)
    longer = (
        [q for q in spelled_quantities(text, how, of_money=True) if q.end - q.start >= _FEWEST_LETTERS] for how in hows
    )
    return next(filter(None, longer), [])


def spelled_quantities(text: str, conventions: Conventions, of_money: bool = False) -> Iterator[Quantity]:
    """Numbers in words, in the page's language, or else in English."""
    language = conventions.language or "en"
    language = language if vocabulary(language) else "en"
    for span in find_spelled(text, language):
        word = text[slice(*span)]
        if (of_money or word.lower() == _MIL) and lacks_number(word, language):
            continue
        yield Quantity(*span, span, ((f"spelled:{language}",),))


def _fractions(text: str) -> Iterator[Quantity]:
    for match in _FRACTION.finditer(text) if "/" in text else ():
        start, end = match.span()
        head = text[max(0, start - 2) : start].rstrip()
        start -= 0 if not head or head[-1] not in MINUS else 1 + text[start - 1].isspace()
        yield Quantity(start, end, (start, end), (("fraction",),))
    if not text.isascii():
        for match in _SIGN_FRACTION.finditer(text):
            yield Quantity(*match.span(), match.span(), (("fraction",),))


def to_power(value: Decimal, exponent: str) -> Decimal:
    return DIVISION.power(value, int(exponent))


def to_fraction(text: str, argument: str = "") -> Decimal:
    """The number that 3/4, 1 4/5 or 2½ means."""
    body = text.lstrip(MINUS + " ")
    sign = unicodedata.numeric(body[-1]) if not body[-1].isdecimal() else None
    if sign is not None:
        value = Decimal(int(body[:-1].strip() or 0)) + Decimal(str(round(sign, 15)))
    else:
        above, below = (part.strip() for part in body.split("/"))
        whole, _, top = above.rpartition(" ")
        if int(below) == 0:
            raise ValueError(f"division by zero in {text!r}")
        value = Decimal(whole or 0) + DIVISION.divide(Decimal(top), Decimal(below))
    return value if body == text else -value


def find_percents(text: str, conventions: Conventions) -> list[Reading]:
    """Numbers before a percent sign or word, or right after the sign; 19 % is 19."""
    if not has_percent(text):
        return []
    found = []
    for quantity in _with_percent(text, conventions):
        stop = percent_end(text, quantity.end) or (quantity.end if after_percent(text, quantity.start) else 0)
        reading = _percent(text, quantity, stop) if stop else None
        if reading:
            found.append(reading)
    return side_by_side(text, in_ranges(text, found, conventions))


def _percent(text: str, quantity: Quantity, stop: int) -> Reading | None:
    """A percentage; brackets around it that are all there is may make it negative."""
    brackets = brackets_around(text, quantity.start, stop) if text[stop : stop + 2].strip()[:1] == ")" else None
    if brackets is None:
        return quantity.read(text, (quantity.start, stop))
    return quantity.read(text, brackets, (("negate",), ()), IN_BRACKETS)


def _with_percent(text: str, conventions: Conventions) -> list[Quantity]:
    """Figures with the sign right beside them are the rule, and cheap; words are looked for where they may be."""
    if has_percent_word(text):
        return quantities(text, conventions)
    marked = [
        (start, end, points)
        for start, end, points in figures(text)
        if (percent_end(text, end) and not _in_word(text, start)) or after_percent(text, start)
    ]
    return [figure_quantity(text, *figure, conventions) for figure in marked]


def _in_word(text: str, start: int) -> bool:
    before = text[start - 1 : start]
    return before.isalnum() or before in tuple("%_=&")
