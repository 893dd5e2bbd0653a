"""Fields of rows without a column beside columns without a field: what stands in these tells, or a note."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import pairwise

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.heading_slips import is_other_word, near_words
from paxman.capabilities.row_reading import Fit
from paxman.capabilities.table_arithmetic import texts_multiply
from paxman.capabilities.table_headings import TEXTS, Vocabulary, heading_term
from paxman.capabilities.table_placing import is_day
from paxman.contract.model import CanonicalField
from paxman.documents.figures import is_number
from paxman.documents.heading_words import Token, tokens_of
from paxman.documents.headings import Bound
from paxman.lazy import lazy_pattern
from paxman.types import Diagnostic, FieldType, Severity

_LONGEST, _MOST_QUOTED = 40, 12
_MOST = 50
"""Columns that are compared with fields."""
_VAGUE = (None, "position", "charge", "thing", "entry")
_AMOUNTS = ("count", "unit_price", "line_total", "debit", "credit", "balance")
_NUMERIC = frozenset({FieldType.DECIMAL, FieldType.INTEGER, FieldType.MONEY})
_WORDS = lazy_pattern(r"(?=.*[^\W\d_]{2})(?!\S*\d\S*\Z)(?!.*--).{4,}|[^\W\d_\x00-\x7f]{2,}")
_CODE = lazy_pattern(r"(?=.*\d)[^\W_][\w./-]{2,24}")
_LETTERED = lazy_pattern(r"(?![A-Z]{3}\d)[A-Z]{1,6}[-/]?\d{3,}")
"""A code that may be taken for a number with its currency."""
_COUNTED = lazy_pattern(r"(\d{1,4})[.)]?")


def fit_columns(
    context: CapabilityContext,
    vocabulary: Vocabulary,
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    bound: Bound,
) -> Fit:
    """The columns of a table with those that only their cells tell: rows counted, codes of articles, texts, days."""
    table = _Table(context.field, vocabulary, headings, rows, dict(bound))
    table.release()
    table.take_factor()
    table.take("position", table.is_counted)
    table.take("article", table.is_coded)
    guessed = [table.take(role, fits) for fits in (table.is_text, table.is_entry) for role in TEXTS]
    guessed.append(table.take("date", table.is_dated))
    notes = [_taken(context, *each, headings) for each in guessed if each]
    notes += _slipped(context, table)
    return Fit(tuple(sorted(table.places.items())), notes, [*_left(context, table)])


@attrs.define(slots=False)
class _Table:
    """A table of which some columns are not asked for."""

    field: CanonicalField
    vocabulary: Vocabulary
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    places: dict[int, int]
    kinds: dict[int, str] = attrs.field(factory=dict)

    @property
    def free(self) -> list[int]:
        taken = {*self.places.values()}
        return [at for at, text in enumerate(self.headings[:_MOST]) if text.strip() and at not in taken]

    @property
    def missing(self) -> list[int]:
        return [place for place in range(len(self.field.columns[:_MOST])) if place not in self.places]

    @cached_property
    def terms(self) -> list[str | None]:
        """What each heading means; "" if a part of it means something."""
        headings = [tokens_of(text[:_LONGEST]) for text in self.headings]
        known = self.vocabulary.beside([token for tokens in headings for token in tokens])
        return [_term(known, *each) for each in zip(self.headings, headings, strict=True)]

    def kind(self, at: int) -> str:
        """What most texts of a column are."""
        if at not in self.kinds:
            self.kinds[at] = _kind(self.texts(at))
        return self.kinds[at]

    def texts(self, at: int) -> list[str]:
        return [row[at].strip() for row in self.rows if at < len(row) and row[at].strip()]

    def take(self, role: str, fits: Callable[[int], bool]) -> tuple[CanonicalField, int] | None:
        """Give a field of a role that has no column the only one that fits."""
        place = next((place for place in self.missing if self.vocabulary.roles[place] == role), None)
        fitting = [] if place is None else [at for at in self.free if fits(at)]
        if place is None or len(fitting) != 1:
            return None
        self.places[place] = fitting[0]
        return self.field.columns[place], fitting[0]

    def take_factor(self) -> None:
        """Give the one of quantity, price and total that has no column the only one with which every row agrees."""
        missing = [place for place in self.vocabulary.factors if place not in self.places]
        fitting = [at for at in self.free if self._agrees(missing[0], at)] if len(missing) == 1 else []
        if len(fitting) == 1:
            self.places[missing[0]] = fitting[0]

    def _agrees(self, place: int, at: int) -> bool:
        columns = [at if each == place else self.places[each] for each in self.vocabulary.factors]
        rows = [[row[column].strip() for column in columns] for row in self.rows if max(columns) < len(row)]
        full = [texts for texts in rows if all(map(is_number, texts))]
        return 1 < len(full) == len(self.texts(at)) and all(map(texts_multiply, full))

    def release(self) -> None:
        """Take their column from texts and positions that have none, where a usual word is all that says so."""
        for place, at in list(self.places.items()):
            if self._is_misplaced(place, at) and not self.vocabulary.names_column(self.headings[at]):
                del self.places[place]

    def _is_misplaced(self, place: int, at: int) -> bool:
        role, term, is_optional = self.vocabulary.roles[place], self.terms[at], not self.field.columns[place].required
        if role == "position":
            return is_optional and term == "position" and self.kind(at) == "words"
        if role == "article":
            return term == "barcode" and any(map(self.is_coded, self.free))
        if role not in TEXTS or term not in ("thing", "entry") or self.kind(at) not in ("numbers", "codes"):
            return False
        others = [other for other in self.free if self.is_text(other)]
        return len(others) == 1 or (is_optional and (term == "entry" or self.is_counted(at)))

    def is_counted(self, at: int) -> bool:
        """Whether a column numbers the rows: 1, 2, 3 or 10, 20, 30."""
        numbers = [int(digits[1]) for digits in map(_COUNTED.fullmatch, self.texts(at)) if digits]
        steps = {after - before for before, after in pairwise(numbers)}
        is_all = 1 < len(numbers) == len(self.texts(at)) and len(numbers) * 2 > len(self.rows)
        is_first = self.terms[at] is None and at == 0 and len(numbers) > 2
        is_even = steps in ({1}, {numbers[0]}) and numbers[0] in (1, *steps) if is_all else False
        return is_even and (is_first or self.terms[at] == "thing")

    def is_coded(self, at: int) -> bool:
        """Whether codes stand below a word for things."""
        texts = self.texts(at)
        return self.terms[at] == "thing" and bool(texts) and all(map(_CODE.fullmatch, texts))

    def is_text(self, at: int) -> bool:
        """Whether the rows have texts of their own below a heading that means nothing else."""
        texts = self.texts(at)
        is_full = len(texts) * 4 >= len(self.rows) * 3 and len(set(texts)) * 2 > len(texts)
        return self.terms[at] in _VAGUE and self.kind(at) == "words" and is_full

    def is_entry(self, at: int) -> bool:
        """Whether a word for movements is all that says that codes are texts."""
        return self.terms[at] == "entry" and self.kind(at) == "codes"

    def is_dated(self, at: int) -> bool:
        return self.terms[at] is None and self.kind(at) == "days"

    def fits(self, place: int, at: int) -> bool:
        """Whether a column may be that of a field, for all that can be said of its cells."""
        column, role = self.field.columns[place], self.vocabulary.roles[place]
        if self._is_other(role, at) or self._is_computed(place):
            return False
        kind = self.kind(at)
        if column.type is FieldType.STRING:
            return kind == "words" if role in TEXTS else kind in ("words", "codes", "")
        return kind == ("numbers" if column.type in _NUMERIC else "days" if column.type is FieldType.DATE else "words")

    def _is_other(self, role: str | None, at: int) -> bool:
        """Whether a heading says something else than a role, or numbers the rows."""
        if role is None:
            return self.terms[at] == "position" or self.is_counted(at)
        return self.terms[at] not in (_VAGUE if role in TEXTS else (None, "thing"))

    def _is_computed(self, place: int) -> bool:
        """Whether quantity, price and total are asked for and only one has no column: arithmetic would have told it."""
        factors = self.vocabulary.factors
        return place in factors and sum(each in self.places for each in factors) == len(factors) - 1


def _term(known: Vocabulary, heading: str, tokens: Sequence[Token]) -> str | None:
    if "".join(token.key for token in tokens) in known.unknown:
        return None
    return heading_term(heading[:_LONGEST]) or ("" if known.best(tokens) else None)


def _kind(texts: Sequence[str]) -> str:
    """What most texts of a column are."""
    tests = (("days", is_day), ("numbers", _is_figure), ("words", _WORDS.fullmatch), ("codes", _CODE.fullmatch))
    return next((kind for kind, test in tests if _most(test, texts)), "") if texts else "empty"


def _is_figure(text: str) -> bool:
    return is_number(text) and _LETTERED.fullmatch(text) is None


def _most(test: Callable[[str], object], texts: Sequence[str]) -> bool:
    return sum(map(bool, map(test, texts))) * 4 > len(texts) * 3


def _taken(context: CapabilityContext, column: CanonicalField, at: int, headings: Sequence[str]) -> Diagnostic:
    heading = headings[at].strip()[:_LONGEST]
    message = f"no heading names {column.name!r}; what stands below {heading!r} fits"
    return Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, context.field.path, {"column": column.name})


def _slipped(context: CapabilityContext, table: _Table) -> Iterable[Diagnostic]:
    """A note on each number or day that is given a column whose heading is a word for it but for one letter."""
    unknown = [at for at in table.free if table.terms[at] is None and table.kind(at) in ("numbers", "days")]
    words = {at: near_words(context, table.vocabulary, table.headings[at]) for at in unknown if table.missing}
    for place in table.missing:
        near = [at for at in unknown if place in words[at] and at in table.free and table.fits(place, at)]
        if len(near) == 1:
            table.places[place] = near[0]
            message = f"the heading {table.headings[near[0]].strip()!r} was taken for {words[near[0]][place]!r}"
            yield Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, context.field.path)


def _left(context: CapabilityContext, table: _Table) -> Iterable[Diagnostic]:
    """A note on fields without a column and the columns that may be theirs; a doubt where that is likely."""
    fitting = {place: [at for at in table.free if table.fits(place, at)] for place in table.missing}
    fitting = {place: found for place, found in fitting.items() if found}
    if not fitting:
        return
    names = [table.field.columns[place].name for place in fitting]
    columns = sorted({at for found in fitting.values() for at in found})
    quoted = ", ".join(repr(table.headings[at].strip()[:_LONGEST]) for at in columns[:_MOST_QUOTED])
    message = f"no heading names {', '.join(map(repr, names))}; not used: {quoted}; a label may name one"
    code, severity = ("AMBIGUOUS_VALUE", Severity.WARNING) if _is_likely(context, table, fitting) else _NOTE
    yield Diagnostic(code, severity, message, context.field.path, {"columns": names})


_NOTE = ("INPUT_NOTE", Severity.INFO)


def _is_likely(context: CapabilityContext, table: _Table, fitting: dict[int, list[int]]) -> bool:
    """Whether texts are sought, or days or usual numbers for which no more columns are left, below unknown headings."""
    texts = [at for place, found in fitting.items() if table.vocabulary.roles[place] in TEXTS for at in found]
    if any(map(table.is_text, texts)):
        return True
    columns = {at for found in fitting.values() for at in found}
    if len(columns) > len(fitting) or any(table.terms[at] is not None for at in columns):
        return False
    is_usual = all(table.vocabulary.roles[place] in _AMOUNTS for place in fitting)
    if not is_usual and {table.kind(at) for at in columns} != {"days"}:
        return False
    return not any(is_other_word(context, table.vocabulary, table.headings[at]) for at in columns)
