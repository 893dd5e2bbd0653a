"""Numbers in figures: every decimal and grouping convention, signs before, after and in brackets, percent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Context, Decimal
from typing import TYPE_CHECKING

from paxman.lazy import lazy_pattern
from paxman.recognizers.base import IN_BRACKETS, UNKNOWN, Conventions, Reading, read_any
from paxman.recognizers.figures.broken import (
    SIGNS_AS_POINT,
    Mended,
    after_minutes,
    hides_digit,
    is_currency,
    is_damaged,
    is_split,
    mend,
    with_raised_cents,
)
from paxman.recognizers.figures.currency_signs import (
    Scale,
    currency_scale,
    has_no_cents,
    scale_after,
    sign_after,
    sign_before,
)
from paxman.recognizers.figures.points import (
    APOSTROPHES,
    CENTS,
    EXPONENT,
    MAX_DIGITS,
    MINUS,
    SPACES,
    choose_points,
    decimal_steps,
    points_of,
    with_myriads,
    with_powers,
)
from paxman.types import RAISED, Span

if TYPE_CHECKING:
    from paxman.recognizers.figures.currency_signs import Scale


_EXACT = Context(prec=4 * MAX_DIGITS)
_DASHES = MINUS + "\u2014"
_DASH = frozenset(_DASHES)
_APART = frozenset((*SPACES, "\u2014"))
_MARKS = f".,{SPACES}{APOSTROPHES}_\u066b\u066c\uff0e\uff0c\u00b7{RAISED}"
# Points that mean the ASCII one; a full-width comma only groups digits, elsewhere it ends a clause.
_OTHER_POINTS = str.maketrans("\uff0e\u00b7", "..")
# Patterns that begin with a digit, their lookbehind after it, run four times faster.
_FIGURE = lazy_pattern(rf"\d+(?:[{_MARKS}]\d+)*(?:[eE][+-]?\d{{1,3}}(?!\w))?")
_PLAIN = lazy_pattern(r"-?\d+(?:\.\d+)?")
_NOT_DIGITS = lazy_pattern(r"\D+")
_SPACE = lazy_pattern(f"[{SPACES}\uff0c]")
CREDIT = lazy_pattern(r"\s?C[rR]\b")
_NO_CENTS = lazy_pattern(rf"[.,][{_DASHES}]{{1,2}}(?!\d)")
_POINTS = frozenset(".,\uff0e")
_BREAKS = _POINTS | SIGNS_AS_POINT
_BLANKS = f"{SPACES}\t"
_LAST_CELL = lazy_pattern(rf"(?:\A|[:=]|[{_BLANKS}]{{2}})[{_BLANKS}]?([^\s\d:=]{{1,5}})\Z")
_ENDS_LINE = lazy_pattern(rf"[ \t]{{0,2}}[^{_DASHES}\s\d]{{0,5}}[ \t\r]{{0,80}}(?:\n|\Z)")
_EAST_ASIAN = "\u2e80"
_WORD_BEFORE = lazy_pattern(r"[^\W\d]+\Z")
_WORD_AFTER = lazy_pattern(r"[^\W\d]+")
# Thousands parted by a space and by a mark: nobody writes so, and a quantity before a price looks alike.
_MIXED_GROUPS = lazy_pattern(rf"[1-9]\d{{0,2}}[{SPACES}]\d{{3}}([.,])\d{{3}}(?!\1)[.,]\d+")

Figure = tuple[int, int, tuple[str, ...]]
"""Start, end, and the marks that may be the decimal point ("" when every mark only groups digits)."""


def to_decimal(text: str, point: str = "") -> Decimal:
    """The exact number that a figure means when `point` is its decimal point; all its digits are kept."""
    if len(text) > 2 * MAX_DIGITS:
        raise ValueError("too long for a number")
    if _PLAIN.fullmatch(text) and (point == "." or "." not in text):
        return Decimal(text)
    text = text.strip().translate(_OTHER_POINTS)
    exponent = EXPONENT.search(text)
    body = text[: exponent.start()] if exponent else text
    whole, mark, rest = body.rpartition(point) if point else (body, "", "")
    digits = f"{_NOT_DIGITS.sub('', whole)}{'.' if mark else ''}{_NOT_DIGITS.sub('', rest)}"
    if not digits.strip("."):
        raise ValueError(f"no digits in {text!r}")
    return Decimal(f"{'-' if is_negative(text) else ''}{digits}{'E' + exponent[1] if exponent else ''}")


def to_integer(value: str | Decimal, point: str = "") -> int:
    """The whole number that a figure or a Decimal means; a fraction is an error."""
    number = to_decimal(value, point) if isinstance(value, str) else value
    if abs(number.adjusted()) > MAX_DIGITS or number != number.to_integral_value():
        raise ValueError(f"not a whole number: {number}")
    return int(number)


def negate(value: Decimal, argument: str = "") -> Decimal:
    return value.copy_negate()


def scale(value: Decimal, factor: str) -> Decimal:
    """The number times a factor, every digit kept."""
    return _EXACT.multiply(value, Decimal(factor))


def add(left: Decimal, right: Decimal) -> Decimal:
    return _EXACT.add(left, right)


def is_negative(text: str) -> bool:
    return text[0] in _DASHES or text[0] == "(" or text[-1] in MINUS or text[-2:].upper() == "CR"


def figures(text: str) -> Iterator[Figure]:
    """Every figure in a text that some convention can read as one number."""
    done = 0
    for match in _FIGURE.finditer(text):
        start, end = match.span()
        if start < done:
            continue
        before, after = text[start - 1 : start], text[end : end + 1]
        if before == ":":
            start = after_minutes(text, start)
        suspect = after.isalpha() or before.isalpha() or after in _BREAKS or before in _POINTS
        if (
            suspect
            or (after == " " and not _POINTS.isdisjoint(text[end + 1 : end + 3]))
            or (after == "-" and before in SIGNS_AS_POINT)
        ):
            mended = _whole(text, start, end)
            if mended:
                done, points = mended
                if points:
                    yield start, done, points
                continue
        if before in _POINTS:
            other = text[max(0, start - 2) : start - 1]
            start -= other != "." and not other.isalnum()
        points = points_of(core := text[start:end])
        if len(points) > 1 and _NO_CENTS.match(text, end):
            points = ("",)
        if points:
            yield start, end, points
        elif len(core) <= MAX_DIGITS and not core.isdecimal():
            yield from _parts_between_spaces(text, core, start)


def _whole(text: str, start: int, end: int) -> Mended | None:
    """The whole of a broken number, without a point where that is lost; None for a sound one."""
    if text[end : end + 1] in SIGNS_AS_POINT and not text[end + 1 : end + 2].isdecimal():
        return None
    return (end, ()) if is_damaged(text, start, end) else mend(text, start, end)


def _parts_between_spaces(text: str, core: str, start: int) -> Iterator[Figure]:
    """Figures that a single space keeps apart, such as a quantity and a price."""
    if RAISED in core:
        # Behind thousands they may as well be the mark of a footnote.
        if core.partition(RAISED)[0].isdecimal() and with_raised_cents(text, start, start + len(core)):
            yield start, start + len(core), (RAISED,)
        return
    parts = _SPACE.split(core)
    if len(parts) == 1 or _MIXED_GROUPS.fullmatch(core) or is_split(text, start, parts):
        return
    for part in parts:
        points = points_of(part)
        if points:
            yield start, start + len(part), points
        start += len(part) + 1


def signed_span(text: str, start: int, end: int) -> tuple[int, int]:
    """A figure's span with the sign, brackets or credit mark that belong to it."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before and before in MINUS + "+" and not text[max(0, start - 2) : start - 1].isalnum():
        # A dash before a comma stands for no whole units: -,50 is half of one.
        return (start, end) if text[start] == "," else (start - 1, end)
    fraction = not text[start:end].isdecimal()
    if before in _APART and (before == "\u2014" or text[max(0, start - 2) : start - 1] in _DASH):
        minus = minus_before(text, start, end)
        if minus < start:
            return minus, end
    if before == "(" and after == ")" and fraction and not is_aside(text, start - 1):
        return start - 1, end + 1
    if not fraction and before in _OPENING and (brackets := brackets_around(text, start, end)):
        return brackets
    if after and after in MINUS and not text[end + 1 : end + 2].strip() and (fraction or _is_all(text, start, end + 1)):
        return start, end + (not has_no_cents(text, start))
    credit = CREDIT.match(text, end) if "C" in text[end : end + 2] else None
    return (start, credit.end()) if credit and currency_scale(text, start, end) is None else (start, end)


def brackets_around(text: str, start: int, end: int) -> Span | None:
    """The brackets around a figure that are a cell, or all that follows a label; elsewhere they may be a note's."""
    first, last = start - (text[start - 1 : start] == " ") - 1, end + (text[end : end + 1] == " ")
    if first < 0 or text[first] != "(" or text[last : last + 1] != ")":
        return None
    line = text[max(0, first - _GAP) : first].rpartition("\n")[2]
    head = line.rstrip(_BLANKS)
    if head and head[-1] not in ":=" and len(line) - len(head) < 2 and not _is_only_currency(head):
        return None
    behind = text[last + 1 : last + 1 + _GAP]
    word = _FIRST_WORD.match(behind)
    rest = behind[word.end() :] if word and is_currency(word[1]) else behind
    return (first, last + 1) if _ENDS_CELL.match(rest) else None


_MARKED = lazy_pattern(rf"[({_DASHES}]")
_OPENING = frozenset("( ")
_FIRST_WORD = lazy_pattern(r" ?([^\s\d:=()]{1,5})(?=\s|\Z)")
_ENDS_CELL = lazy_pattern(rf"[{_BLANKS}]*(?:[\r\n]|\Z)|(?:\t|[{_BLANKS}]{{2,}})[(\d{MINUS[1:]}-]")


def _beyond_currency(text: str, start: int, end: int) -> Span:
    """A figure's span with the minus or brackets around its currency: -€12.00, (€3.00)."""
    sign = sign_before(text, start)
    before = text[sign.start - 1 : sign.start] if sign else ""
    if sign is None or not before:
        return start, end
    if before in MINUS and not text[max(0, sign.start - 2) : sign.start - 1].isalnum():
        return sign.start - 1, end
    if before == "(" and text[end : end + 1] == ")" and not is_aside(text, sign.start - 1):
        return sign.start - 1, end + 1
    minus = minus_before(text, sign.start, end) if before in _APART else sign.start
    return (minus if minus < sign.start else start), end


def minus_before(text: str, start: int, end: int) -> int:
    """Where a minus stands that a space parts from its amount, or `start`; most dashes part words or numbers."""
    at = start - 2 if text[start - 1 : start] in _APART and text[start - 1] != "\u2014" else start - 1
    if at < 0 or text[at] not in _DASHES:
        return start
    line = text[max(0, at - _GAP) : at].rpartition("\n")[2]
    head = line.rstrip(_BLANKS)
    if not head:
        whole = text[start:end].isdecimal()
        holds = not text[end : end + _GAP].strip() if whole else _ENDS_LINE.match(text, end) is not None
    elif text[at] == "\u2212":
        holds = not head[-1].isdecimal()
    else:
        holds = head[-1] in ":=" or len(line) - len(head) > 1 or _is_only_currency(head)
    return at if holds else start


def _is_only_currency(head: str) -> bool:
    """Whether nothing but a currency stands between a dash and the label or gap before it."""
    written = _LAST_CELL.search(head)
    return written is not None and is_currency(written[1])


def _is_all(text: str, start: int, end: int) -> bool:
    """Whether a figure is all that stands in its line, or after a colon there; a dash elsewhere parts words."""
    before = text[max(0, start - _GAP) : start].rstrip(" \t")
    after = text[end : end + _GAP].lstrip(" \t")
    return before[-1:] in ("", "\n", ":", "=") and after[:1] in ("", "\r", "\n")


_GAP = 80
"""Blanks between a label and its figure, at most."""


def is_aside(text: str, bracket: int) -> bool:
    """Whether brackets follow a word of running text, as in: five dollars ($5.00)."""
    return text[bracket - 1 : bracket] == " " and text[max(0, bracket - 2) : bracket - 1].islower()


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a figure is a number of its own, not part of a word, date, time or code."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if before in ("x", "X") and text[max(0, start - 2) : start - 1].isdecimal():
        before = ""
    if after in ("x", "X") and not text[end + 1 : end + 2].isalpha():
        after = ""
    if (before.isalpha() and before < _EAST_ASIAN) or before == "_" or (after.isalpha() and after < _EAST_ASIAN):
        # Amounts that a printer ran together with a word, a currency or a tax mark: TOTAL12.50, RM7, 5.30T.
        word_before = _WORD_BEFORE.search(text, max(0, start - 12), start)
        if word_before and hides_digit(word_before[0]):
            return False
        word_after = _WORD_AFTER.match(text, end)
        cents = CENTS.search(text, start, end) is not None
        fits_before = not word_before or (cents and len(word_before[0]) > 2) or sign_before(text, start) is not None
        fits_after = not word_after or (cents and word_after[0].isupper() and len(word_after[0]) < 3)
        return fits_before and (fits_after or sign_after(text, end, UNKNOWN) is not None)
    return not (_joins(before, text[max(0, start - 2) : start - 1]) or _joins(after, text[end + 1 : end + 2]))


def _joins(mark: str, other: str) -> bool:
    """Whether a mark ties a figure to what is beyond it: a code's dash or slash, a colon or point between digits."""
    return (other.isalnum() and mark in ("-", "/")) or (other.isdecimal() and mark in (":", "."))


def find_decimals(text: str, conventions: Conventions) -> list[Reading]:
    """Numbers that are not percentages."""
    found = []
    for start, end, points in figures(text):
        if stands_alone(text, start, end) and not percent_end(text, end) and not after_percent(text, start):
            reading = _read_number(text, start, end, points, conventions, "decimal")
            if reading:
                found.append(reading)
    return found if text.isascii() else _with_powers(text, found, conventions, "decimal")


def find_integers(text: str, conventions: Conventions) -> list[Reading]:
    """Whole numbers, however they are grouped."""
    found = []
    for start, end, points in figures(text):
        if stands_alone(text, start, end):
            reading = _read_number(text, start, end, points, conventions, "integer")
            if reading:
                found.append(reading)
    return found if text.isascii() else _with_powers(text, found, conventions, "integer")


_RAISED_FIGURE = lazy_pattern("[0-9][⁺⁻]|10[⁰¹²³⁴-⁹]")


def _with_powers(text: str, found: list[Reading], conventions: Conventions, step: str) -> list[Reading]:
    """With powers of ten and the units of East Asia."""
    found = with_myriads(text, found, step)
    if not _RAISED_FIGURE.search(text):
        return found
    return with_powers(text, found, conventions, step)


_PERCENT_WORD = (
    r"(?:per[ -]?cento?|prozent|pour[ -]?cent|por[ -]?cient?o|por[ -]?cien|por[ -]?cento|procent)"
    r"(?:s|e|i|age|punkten?|points?)?\b"
)
_PERCENT = lazy_pattern(rf"\s?(?:[%\u066a\uff05](?![\w%])|{_PERCENT_WORD})", re.IGNORECASE)
_PERCENT_SIGNS = frozenset("%\u066a\uff05")
_PERCENT_HEADS = _PERCENT_SIGNS | frozenset("pP")
_PERCENT_IN_WORDS = lazy_pattern(rf"[^\W\d_] (?:[%\u066a\uff05]|{_PERCENT_WORD})", re.IGNORECASE)


def percent_end(text: str, end: int) -> int:
    """Where the percent mark after a figure ends, or 0."""
    if text[end : end + 1] not in _PERCENT_HEADS and text[end + 1 : end + 2] not in _PERCENT_HEADS:
        return 0
    match = _PERCENT.match(text, end)
    return match.end() if match else 0


def after_percent(text: str, start: int) -> bool:
    """Whether a percent sign stands right before a figure, as in Turkish: KDV %20, but not a%20b."""
    return text[start - 1 : start] in _PERCENT_SIGNS and not (text[start - 2 : start - 1].isalnum() and start > 1)


def has_percent(text: str) -> bool:
    return not _PERCENT_SIGNS.isdisjoint(text) or _PERCENT.search(text) is not None


def has_percent_word(text: str) -> bool:
    """Whether a word, maybe a number, stands before a percent sign or word."""
    return _PERCENT_IN_WORDS.search(text) is not None


# Denominators that people write; 2 3/7 is rather two numbers or a day.
FRACTION_BEHIND = lazy_pattern(r" ?[¼-¾⅐-⅞]| [1-9]\d?/(?:[234568]|10|12|16|32|64)(?![\w/]|[.,]\d)")
_PER_MILLE = "\u2030"


def _read_number(
    text: str, start: int, end: int, points: tuple[str, ...], conventions: Conventions, step: str
) -> Reading | None:
    """A figure with its sign, and what is behind it."""
    chosen, rule = choose_points(points, conventions, grouping_first=step == "integer")
    first, last = signed_span(text, start, end)
    if (first, last) == (start, end) and _MARKED.search(text, max(0, start - 8), start):
        first, last = _beyond_currency(text, start, end)
    if first < start and text[first] == "(" and text[start:end].isdecimal():
        return read_any(text, first, last, [(step,), (f"slice:{start - first}-{end - first}", step)], IN_BRACKETS)
    following = text[end : end + 2].lstrip()[:1]
    if last == end and (following.isalnum() or not following.isascii()):
        return _read_tailed(text, (first, end), chosen, rule, conventions, step)
    return read_any(text, first, last, [(f"{step}:{point}" if point else step,) for point in chosen], rule)


def _read_tailed(
    text: str, span: Span, points: tuple[str, ...], rule: str, conventions: Conventions, step: str
) -> Reading | None:
    """A figure with a fraction or a word of scale behind it: 2½, 1.5 million."""
    start, end = span
    fraction = FRACTION_BEHIND.match(text, end) if text[end - 1].isdecimal() and points == ("",) else None
    end = fraction.end() if fraction else end
    scale = _scale_behind(text, (start, end), conventions)
    if _PER_MILLE in text[end : end + 2]:
        return None
    if not fraction and scale.factors == (1,):
        return read_any(text, start, end, [(f"{step}:{point}" if point else step,) for point in points], rule)
    cut = (f"slice:0-{end - start}",) if scale.end > end else ()
    scales = [(f"scale:{factor}",) if factor != 1 else () for factor in scale.factors]
    whole = ("integer",) if step == "integer" else ()
    ways = [("fraction",)] if fraction else [decimal_steps(point) for point in points]
    return read_any(
        text, start, scale.end, [(*cut, *way, *scaled, *whole) for way in ways for scaled in scales], scale.rule or rule
    )


def _scale_behind(text: str, figure: Span, conventions: Conventions) -> Scale:
    """Words such as million; a lone letter is rather a size or a unit, but behind its currency."""
    start, end = figure
    if not text[end : end + 2].lstrip()[:1].isalpha():
        return Scale(end)
    scale = currency_scale(text, start, end) or scale_after(text, end, conventions)
    return Scale(end) if text[end : scale.end].strip() in ("k", "K", "M") else scale
