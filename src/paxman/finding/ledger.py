"""The ledger of a page: its amounts of money, each with the words that stand with it and what these say of sums."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property

from paxman.classes import record
from paxman.lazy import lazy_pattern
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon, Words
from paxman.page.lines import PageLine
from paxman.page.names import Page, Relation
from paxman.recognizers import Conventions, find
from paxman.recognizers.currency_names import codes_of
from paxman.types import Span

_LONGEST_LABEL = 90
_MOST_LINES = 3000
_FAR_BELOW = 3
_LONGEST_SIGN = 12
_CENTS = lazy_pattern(r"\d[.,]\d\d(?![\d/])")
_DIGIT = lazy_pattern(r"\d")
_LETTER = lazy_pattern(r"[^\W\d_]")
_SIGNED = lazy_pattern(r"[^\w\s.,:;/*#%=<>()+-]\s?\Z|[^\W\d_]{1,3}[.$]?\s?\Z")
_PERCENT = lazy_pattern(r"\s?%")
_ASIDE = lazy_pattern(r"[(\[][^()\[\]]*[)\]]?")
_TAXED = frozenset({"total", "subtotal", "due"})
_RATE = lazy_pattern(r"@?\s?\d[\d.,]*\s?%|%|@")


@record
class Said:
    """What the words with an amount say: their role in a sum, and whether they say no more than that."""

    role: str
    sure: bool
    words: str
    """The words that say it, without currencies, rates and remarks on tax."""


@record
class Entry:
    """An amount of the page: where it and its label stand, how, and what the label says."""

    label: Span
    place: Span
    relation: Relation
    line: int
    value: Decimal
    said: Said
    rank: int = 0
    """Which amount behind its label it is, from 0."""

    @property
    def role(self) -> str:
        return self.said.role


@record
class Figure:
    """An amount in figures, with what it is worth."""

    start: int
    end: int
    value: Decimal


class SumWords:
    """What labels of amounts mean, by the terms of trades that reckon in sums."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._roles: dict[str, str] = {
            term: role for role, terms in lexicon.sums.get("roles", {}).items() for term in terms
        }
        self._known: dict[str, Said] = {}
        self._by_words: dict[Words, str] = {}
        terms = [term for domain in lexicon.sums.get("domains", ()) for term in lexicon.terms_of(domain).values()]
        named = [(term, self._roles[term.name]) for term in terms if term.name in self._roles]
        for wordings in ("wordings", "loose"):
            for term, role in named:
                for text in getattr(term, wordings):
                    self._by_words.setdefault(fold_words(text), role)

    def role_of_term(self, name: str) -> str:
        return self._roles.get(name, "")

    def of(self, text: str) -> Said:
        """What a label says of the amount with it."""
        if text not in self._known:
            self._known[text] = self._say(text)
        return self._known[text]

    def _say(self, text: str) -> Said:
        plain = " ".join(_RATE.sub(" ", text).split()).strip(" :.-=*_")
        for variant in dict.fromkeys((plain, _ASIDE.sub(" ", plain))):
            words = tuple(word for word in fold_words(variant) if not _says_nothing(word))
            if role := self._by_words.get(words):
                return Said(role, True, " ".join(words))
            side, rest = self._without_tax(words)
            role = self._by_words.get(rest, "") if side else ""
            if role in _TAXED:
                return Said("net" if side == "net" else role, True, " ".join(words))
        return self._part(words) or Said("", False, plain)

    def _without_tax(self, words: Words) -> tuple[str, Words]:
        """Words less what they say of a tax that is in the amount, or not: "incl. VAT", "before tax"."""
        tokens = self._lexicon.parse(" ".join(words))
        sided = [token for token in tokens if token.concept and token.concept.group == "net_gross"]
        if not sided:
            return "", words
        said = {word for token in sided for word in token.word.split()}
        rest = (word for word in words if word not in said and word not in self._lexicon.stops)
        kept = tuple(word for word in rest if self._by_words.get((word,)) != "tax")
        return sided[0].concept.members[0] if sided[0].concept else "", kept

    def _part(self, words: Words) -> Said | None:
        """The longest words at the end or the beginning that say something; the others make them less sure."""
        for length in range(len(words) - 1, 0, -1):
            for part in (words[-length:], words[:length]):
                if role := self._by_words.get(part):
                    return Said(role, False, " ".join(part))
        return None


def _says_nothing(word: str) -> bool:
    return word.isdigit() or word == "#" or bool(codes_of(word) or codes_of(word.upper()))


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
    def _writes_cents(self) -> bool:
        return _CENTS.search(self._page.text) is not None

    def _figures_on(self, line: PageLine) -> Iterator[Figure]:
        text = self._page.text[line.start : line.end]
        if not _DIGIT.search(text):
            return
        for reading in find("decimal", text, self._how):
            start, end = reading.start, reading.end
            if _PERCENT.match(text, end) or not isinstance(reading.value, Decimal):
                continue
            signed = _SIGNED.search(text, 0, start) and _is_currency(text[:start])
            if reading.value.as_tuple().exponent in (-2, -3) or signed or not self._writes_cents:
                yield Figure(line.start + start, line.start + end, reading.value)

    def _on(self, line: PageLine) -> Iterator[Entry]:
        figures = self._figures[line.number]
        if not figures:
            yield from self._over(line)
            return
        start, label, rank = line.start, None, 0
        for number, figure in enumerate(figures):
            found = self._label(line, start, figure.start)
            label, rank = (found, 0) if found else (label, rank + 1)
            start = figure.end
            if label is None:
                continue
            end = figures[number + 1].start if number + 1 < len(figures) else line.end
            yield self._entry(label, figure, (self._with_sign(label[1], figure.start), end), "beside", rank)

    def _label(self, line: PageLine, start: int, end: int) -> Span | None:
        """The last words before an amount: those of its own cell, or of the nearest cell that has some."""
        for cell in reversed(line.cells):
            first, last = max(cell[0], start), min(cell[1], end)
            if first < last and self._has_words(first, last):
                return (max(first, last - _LONGEST_LABEL), last)
        return None

    def _with_sign(self, start: int, end: int) -> int:
        """Where the currency before an amount begins."""
        between = self._page.text[start:end]
        return end - len(between.lstrip(" \t:=.")) if len(between) < _LONGEST_SIGN else end

    def _has_words(self, start: int, end: int) -> bool:
        words = self._page.text[start:end].strip(" :.-").split()
        return any(_LETTER.search(word) and not codes_of(word.strip("().:")) for word in words)

    def _entry(self, label: Span, figure: Figure, place: Span, relation: Relation, rank: int = 0) -> Entry:
        text = self._page.text
        said = self._words.of(" ".join(text[slice(*label)].split()))
        if relation == "beside" and "\t" in text[label[1] : figure.start]:
            relation = "next"
        return Entry(label, place, relation, self._page.lines.at(figure.start), figure.value, said, rank)

    def _over(self, line: PageLine) -> Iterator[Entry]:
        """Labels of a line without amounts, with the amounts right below them."""
        for cell in line.cells:
            said = self._words.of(" ".join(self._page.text[slice(*cell)].split()))
            figure = self._below(line, cell) if said.role and said.sure else None
            if figure:
                yield self._entry(cell, figure, (figure.start, figure.end), "below")

    def _below(self, line: PageLine, cell: Span) -> Figure | None:
        """The amount under a label: alone in its line, or in the only line of amounts below a row of labels."""
        for number in range(line.number + 1, min(len(self._lines), line.number + _FAR_BELOW)):
            below, figures = self._page.lines[number], self._figures[number]
            if not figures:
                continue
            if len(line.cells) == 1:
                bare = len(figures) == 1 and not self._has_words(below.start, figures[0].start)
                return figures[0] if bare else None
            if number + 1 < len(self._lines) and len(self._figures[number + 1]) == len(figures) > 1:
                return None  # A column of many.
            left, right = self._columns(line, cell)
            for figure in figures:
                start, end = self._columns(below, (figure.start, figure.end))
                if start < right and left < end:
                    return figure
            return None
        return None

    def _columns(self, line: PageLine, span: Span) -> Span:
        return self._page.lines.column(line, span[0]), self._page.lines.column(line, span[1])


def _is_currency(before: str) -> bool:
    """Whether a text ends in the sign or code of a currency."""
    word = before.split()[-1] if before.split() else ""
    return bool(codes_of(word) or (not word[-1:].isalpha() and codes_of(word[-1:])))
