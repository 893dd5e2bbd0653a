"""The ledger of a page: its amounts of money, each with the words that stand with it and what these say of sums."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import pairwise

import attrs

from paxman.classes import record
from paxman.finding.sums.labels import TAXED, Said, SumWords
from paxman.lazy import lazy_pattern
from paxman.page.lines import PageLine
from paxman.page.names import Page
from paxman.page.places import Relation
from paxman.recognizers import Conventions, Reading, find
from paxman.recognizers.base import UNKNOWN
from paxman.recognizers.figures.broken import is_torn
from paxman.recognizers.figures.currency_signs import codes_of, sign_after
from paxman.types import Span

_LONGEST_LABEL = 90
_MOST_LINES = 3000
_LONGEST_SIGN = 12
_FAR_ABOVE = 40
_CENTS = lazy_pattern(r"\d[.,]\d\d(?![\d/])")
_DIGIT = lazy_pattern(r"\d")
_LETTER = lazy_pattern(r"[^\W\d_]")
_PERCENT = lazy_pattern(r"\s?%")
_NO_SUMS = frozenset({"other", "rate"})
_CURRENCY = lazy_pattern(r"[$€£¥₹]|(?<![^\W\d_])[A-Z][A-Za-z]{1,2}(?![^\W\d_])")
_COUNTED = lazy_pattern(r"[ \t]?[^\W\d_]{2,}")


@record
class LabelledAmount:
    """An amount of the page: where it and its label stand, how, and what the label says."""

    label: Span
    place: Span
    relation: Relation
    line: int
    value: Decimal
    said: Said
    rank: int = 0
    """Which amount behind its label it is, from 0."""
    last: bool = True
    """Whether no other amount follows behind the label."""

    @property
    def role(self) -> str:
        return self.said.role

    @property
    def alone(self) -> bool:
        """Whether it is the only amount behind its label."""
        return self.rank == 0 and self.last


@record
class Figure:
    """An amount in figures, with what it is worth."""

    start: int
    end: int
    value: Decimal


class Ledger:
    """All amounts of a page with their labels, in document order."""

    def __init__(self, page: Page, words: SumWords, how: Conventions) -> None:
        self._page, self._words, self._how = page, words, how
        self._lines = page.lines.head(_MOST_LINES)
        self.entries = tuple(entry for line in self._lines for entry in self._on(line))

    @cached_property
    def _figures(self) -> dict[int, list[Figure]]:
        """The amounts of each line: figures with cents or a currency; without cents on the page, any that stand out."""
        return {line.number: list(self._figures_on(line)) for line in self._lines}

    @cached_property
    def is_open(self) -> bool:
        """Whether a slip leaves its total to be written below a tip, or only holds an amount."""
        if any(True for phrase in self._words.held for _ in self._page.words.find(phrase)):
            return True
        roles = [
            self._words.of(self._page.text[slice(*line.cells[0])]).role if self._is_unfilled(line) else ""
            for line in self._lines
        ]
        return any(upper == "charge" and lower in TAXED for upper, lower in pairwise(roles))

    def _is_unfilled(self, line: PageLine) -> bool:
        return not _DIGIT.search(self._page.text, line.start, line.end)

    @cached_property
    def _writes_cents(self) -> bool:
        return _CENTS.search(self._page.text) is not None

    def _figures_on(self, line: PageLine) -> Iterator[Figure]:
        text = self._page.text[line.start : line.end]
        if not _DIGIT.search(text):
            return
        found = [
            (Figure(line.start + reading.start, line.start + reading.end, reading.value), _is_signed(text, reading))
            for reading in find("decimal", text, self._how)
            if isinstance(reading.value, Decimal) and not _PERCENT.match(text, reading.end)
        ]
        signed = any(sign for _, sign in found)
        for figure, sign in found:
            cents = figure.value.as_tuple().exponent == -2
            counts = not cents and self._counts(figure.end)
            whole = figure.value.as_tuple().exponent == 0 and (signed or self._writes_cents)
            if sign or not (counts or whole):
                yield figure

    def _counts(self, end: int) -> bool:
        """Whether a whole number counts what the word behind it says: "10 items", "12 Main St"; not "10 or more"."""
        text = self._page.text
        if _COUNTED.match(text, end) is None or sign_after(text, end, UNKNOWN) is not None:
            return False
        return not self._words.hedge_behind(text, end)

    def _on(self, line: PageLine) -> Iterator[LabelledAmount]:
        figures = self._figures[line.number]
        if not figures:
            yield from self._over(line)
            return
        start, rank, ends = line.start, 0, line.start
        label: Span | None = None
        found: list[LabelledAmount] = []
        foreign = self._foreign(line) if len(figures) > 1 else frozenset()
        for number, figure in enumerate(figures):
            if number in foreign:
                continue
            own = self._label(line, start, figure.start)
            label, rank = (own, 0) if own else (label, rank + 1 if label else 0)
            start = figure.end
            first = self._with_sign(label[1] if label and not rank else ends, figure.start)
            ends = figure.end
            behind = number + 2 if number + 1 in foreign else number + 1
            end = self._next_start(figures[behind : behind + 1], first < figure.start, line.end)
            found.append(self._entry(label or (line.start, line.start), figure, (first, end), "beside", rank))
        if len(found) == 2 and is_torn(self._page.text, found[0].label[1], line.end):
            return
        for entry, following in pairwise((*found, None)):
            if entry:
                yield entry if following is None or following.rank == 0 else attrs.evolve(entry, last=False)

    def _label(self, line: PageLine, start: int, end: int) -> Span | None:
        """The last words before an amount: those of its own cell, or of the nearest cell that has some."""
        behind = bisect_left(line.cells, (end, end))
        for at in range(behind - 1, -1, -1):
            first, last = max(line.cells[at][0], start), min(line.cells[at][1], end)
            if last <= start:
                break
            if first < last and self._has_words(first, last):
                first = max(first, last - _LONGEST_LABEL)
                last = first + self._words.end_of_label(self._page.text[first:last])
                if self._has_words(first, last):
                    return first, last
        return None

    def _foreign(self, line: PageLine) -> frozenset[int]:
        """Which amounts of a line say the one before them in another currency: "1250.00 CHF (equals 1310.55 EUR)"."""
        text, figures = self._page.text[line.start : line.end], self._figures[line.number]
        if len({*_CURRENCY.findall(text)}) < 2:
            return frozenset()
        readings = find("money", text, self._how)
        starts = [reading.start for reading in readings]
        places = [bisect_right(starts, figure.start - line.start) - 1 for figure in figures]
        money = [
            readings[at] if at >= 0 and figure.start - line.start < readings[at].end else None
            for at, figure in zip(places, figures, strict=True)
        ]
        return frozenset(
            number + 1
            for number, (one, two) in enumerate(pairwise(money))
            if one
            and two
            and one.value.currency != two.value.currency
            and not text[one.end : two.start].count(":")
            and not self._words.of(text[one.end : two.start].strip()).role
        )

    def _next_start(self, following: list[Figure], leads: bool, end: int) -> int:
        """Where what belongs to an amount ends: before the next one, and its currency if that stands before amounts."""
        if not following:
            return end
        start = following[0].start
        before = self._page.text[max(0, start - _LONGEST_SIGN) : start]
        words = before.split()
        return (
            start - len(before) + before.rfind(words[-1]) if leads and words and not words[-1][-1].isdigit() else start
        )

    def _with_sign(self, start: int, end: int) -> int:
        """Where the currency before an amount begins."""
        between = self._page.text[start:end].lstrip(" \t:=.")
        if end - start < _LONGEST_SIGN:
            return end - len(between)
        sign = between.split()[-1:]
        return end - len(between) + between.rfind(sign[0]) if sign and codes_of(sign[0]) else end

    def _has_words(self, start: int, end: int) -> bool:
        words = self._page.text[start:end].strip(" :.-").split()
        return any(_LETTER.search(word) and not codes_of(word.strip('().:"')) for word in words)

    def _entry(self, label: Span, figure: Figure, place: Span, relation: Relation, rank: int = 0) -> LabelledAmount:
        text = self._page.text
        said = self._words.of(" ".join(text[slice(*label)].split()))
        if relation == "beside" and "\t" in text[label[1] : figure.start]:
            relation = "next"
        return LabelledAmount(label, place, relation, self._page.lines.at(figure.start), figure.value, said, rank)

    def _over(self, line: PageLine) -> Iterator[LabelledAmount]:
        """Labels of a line without amounts, with the amounts right below them."""
        if not self._figures.get(line.number + 1):
            return
        said = [self._words.of(" ".join(self._page.text[slice(*cell)].split())) for cell in line.cells]
        named = [each for each in said if each.sure and each.role not in _NO_SUMS]
        if not named or 2 * len(named) <= len(line.cells):
            return  # Heads of columns of something else.
        for cell, each in zip(line.cells, said, strict=True):
            figure = self._below(line, cell) if each.sure else None
            if figure:
                yield self._entry(cell, figure, (figure.start, figure.end), "below")
        if len(line.cells) == 1:
            yield from self._slipped(line)

    def _slipped(self, line: PageLine) -> Iterator[LabelledAmount]:
        """Labels whose amounts all stand a line lower: the first has none, and the last line has no label."""
        labels, number = [line.cells[-1]], line.number + 1
        while number < len(self._lines) and len(self._figures[number]) == 1:
            figure = self._figures[number][0]
            own = self._label(self._lines[number], self._lines[number].start, figure.start)
            if own is None:
                break
            labels.append(own)
            number += 1
        else:
            return
        for at, label in enumerate(labels if len(labels) > 1 else ()):
            figure = self._figures[line.number + 1 + at][0]
            entry = self._entry(label, figure, (figure.start, figure.end), "below")
            yield attrs.evolve(entry, said=attrs.evolve(entry.said, sure=False))

    def _below(self, line: PageLine, cell: Span) -> Figure | None:
        """The amount under a label: alone in its line, or in the only line of amounts below a row of labels."""
        number = line.number + 1
        if number >= len(self._lines) or self._has_own_words(number):
            return None
        below, figures = self._page.lines[number], self._figures[number]
        if len(line.cells) == 1:
            return figures[0] if len(figures) == 1 else None
        following = self._values(number + 1)
        if len(following) == len(figures) and following != self._values(number):
            return None  # A column of many.
        if len(line.cells) == len(figures) == len(below.cells):
            return figures[line.cells.index(cell)]
        left, right = self._columns(line, cell)
        for figure in figures:
            start, end = self._columns(below, (figure.start, figure.end))
            if start < right and left < end:
                return figure
        return None

    def _values(self, number: int) -> list[Decimal]:
        return [figure.value for figure in self._figures.get(number, ())]

    def _has_own_words(self, number: int) -> bool:
        """Whether a line has words of its own before an amount."""
        line, figures = self._page.lines[number], self._figures[number]
        return not figures or self._has_words(line.start, figures[0].start)

    def heads_of(self, row: Sequence[LabelledAmount]) -> list[str]:
        """What stands over each amount of a row with several: a head each, in the nearest line of words alone."""
        spans = [self._columns(self._page.lines[entry.line], entry.place) for entry in row]
        for number in range(row[0].line - 1, max(-1, row[0].line - _FAR_ABOVE), -1):
            line = self._page.lines[number]
            if len(line.cells) < len(row) or self._figures[number]:
                continue
            cells = [(cell, self._columns(line, cell)) for cell in line.cells]
            heads = [next((c for c, (a, b) in cells if start < b and a < end), None) for start, end in spans]
            texts = [" ".join(self._page.text[slice(*head)].split()) if head else "" for head in heads]
            return texts if len({*texts} - {""}) == len(texts) else []
        return []

    @cached_property
    def carried(self) -> frozenset[Decimal]:
        """Amounts in the first row below the heads of a table of items, where they come from the page before."""
        return frozenset(e.value for e in self.entries if e.role == "previous" and self._is_below_items(e.line))

    def _is_below_items(self, number: int) -> bool:
        above = self._page.lines[number - 1] if number else None
        texts = [self._page.text[slice(*cell)] for cell in above.cells] if above and len(above.cells) > 2 else []
        return any(self._words.is_of_items(text) for text in texts)

    def _columns(self, line: PageLine, span: Span) -> Span:
        return self._page.lines.column(line, span[0]), self._page.lines.column(line, span[1])


def _is_signed(text: str, reading: Reading) -> bool:
    """Whether the sign or code of a currency stands before an amount."""
    words = text[max(0, reading.start - _LONGEST_SIGN) : reading.start + 1].split()
    word = words[-1][:-1] or (words[-2] if len(words) > 1 else "")
    return bool(word) and bool(codes_of(word) or (not word[-1].isalpha() and codes_of(word[-1])))
