"""Dates that no label names: that of the paper, by where it stands, and the end of a span whose start is named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from paxman.finding.assignment import FLOOR
from paxman.finding.claims import Claim, Claims
from paxman.finding.periods import joins, period_ends
from paxman.finding.ties import Find, Tie, find_at
from paxman.finding.wanted import Wanted, is_head, members_of
from paxman.lazy import lazy_pattern
from paxman.lexicon.folding import fold_words
from paxman.page.names import Page
from paxman.recognizers import Conventions, Reading, find, read_value
from paxman.types import FieldType, Span

_MOST_TEXT, _MOST_DATES = 20_000, 200
_CONTRACT = frozenset({"name", "label"})
_OVER, _OF_DAYS = frozenset({"section", "below"}), frozenset({"date", "time", "period"})
_SURE, _GUESS = 0.9, 0.64
_PLACED = 0.78
"""How well a date fits a field that asks for that of a certain paper or deed."""
_TIME = lazy_pattern(r"(?<![\d:])[012]?\d ?: ?[0-5]\d(?!\d| ?%)|\d ?[AP]\.?M\b", re.IGNORECASE)
_NEAR, _FAR = 40, 120
_LONGEST_SPAN = 80
_PLACE = lazy_pattern(r"[^\W\d_][^\d,:;]{1,40},\s*(?:[^\W\d_]{2,3}\.?\s+)?")
_WORDS = lazy_pattern(r"[^\W\d_]{2,}")
_MOST_WORDS_BEHIND = 2
_Named = Mapping[int, list[tuple[Span, str, bool]]]


def span_end_finds(page: Page, claims: Claims, ties: Sequence[Tie], how: Conventions) -> Iterator[Find]:
    """The last day of each span whose first day answers a field, for a field that asks for its end in vain."""
    ends, answered = _ends_of_starts(claims), {tie.field for tie in ties if tie.score >= FLOOR}
    for tie in ties:
        if tie.score >= FLOOR and tie.field in ends and ends[tie.field] not in answered:
            first, number = tie.reading.start, ends[tie.field]
            found = period_ends(page.text[first : first + _LONGEST_SPAN], how)
            if found and not found[0].start:
                claim = Claim(tie.claim.fit, tie.claim.asked, f"{tie.claim.reason}, and on to its end")
                yield Find(number, claim, tie.place, tie.signs, tie.name, found[1].shifted(first))


def _ends_of_starts(claims: Claims) -> dict[int, int]:
    """The field for the end by that for the start, where the contract has one of each."""
    sides: dict[str, list[int]] = {"start": [], "end": []}
    for number, wanted in enumerate(claims.wanted):
        if wanted.field.type is FieldType.DATE and wanted.side:
            sides[wanted.side].append(number)
    return {sides["start"][0]: sides["end"][0]} if all(len(found) == 1 for found in sides.values()) else {}


def page_date_finds(page: Page, claims: Claims, how: Conventions) -> Iterator[Find]:
    """The date of the page for each field that asks for just a date."""
    title = claims.lexicon.papers & {*fold_words(" ".join(page.text[slice(*span)] for span in page.titles[:1]))}
    asking = [n for n, wanted in enumerate(claims.wanted) if asks_own_date(wanted) or _is_of(title, wanted)]
    if not asking or len(page.text) > _MOST_TEXT:
        return
    every = find("date", page.text, how)[:_MOST_DATES]
    # Dates that may be the paper's: no ends of spans, none with a label of its own or in a sentence.
    spans = (pair for pair in pairwise(every) if pair[0].value <= pair[1].value and _is_span(page, *pair))
    ends = {day.start for pair in spans for day in pair}
    # What names stand with each line, for which part of it, and whether the format itself says so.
    found: dict[int, list[tuple[Span, str, bool]]] = {}
    for name in page.names:
        for place in name.places:
            if place.relation in _OVER and _names_no_date(name.text, claims):
                continue  # The number or the sum that it names stands elsewhere.
            found.setdefault(page.lines.at(place.span[0]), []).append((place.span, name.text, place.relation == "key"))
    named = found
    days = [day for day in every if day.start not in ends and _is_own(page, day, claims, named)]
    pools = (
        (_stamped(page, days), True, "a time stands beside it"),
        (days, any(_is_alone(page, day) for day in days), "it is the only date of its own"),
    )
    for pool, sure, reason in pools:
        if pool:
            kept = [day for day in pool if day.value == pool[0].value]
            sure = sure and len(kept) == len(pool)
            for number in asking:
                wanted = claims.wanted[number]
                fit = _SURE if pool is not days or asks_own_date(wanted, _CONTRACT) else _PLACED
                yield from (_find(page, number, wanted, day, how, reason, sure, fit) for day in kept)
            return
    if len({day.value for day in every}) == 1:
        for number in asking:
            if asks_own_date(claims.wanted[number], _CONTRACT):
                yield _find(
                    page, number, claims.wanted[number], every[0], how, "it is the only date of the page", False
                )


def asks_own_date(wanted: Wanted, sources: frozenset[str] | None = None) -> bool:
    """Whether a field asks for the date of the paper itself: one of its names, by these sources, is just "date"."""
    if wanted.field.type is not FieldType.DATE or wanted.side:
        return False
    plain = (asked for asked in wanted.phrases if asked.phrase.is_head and asked.phrase.heads == {"date"})
    return any(sources is None or asked.source in sources for asked in plain)


def _is_of(title: frozenset[str], wanted: Wanted) -> bool:
    """Whether a field asks for the date of the paper that the title names: "order date" of a "Purchase order"."""
    if wanted.field.type is not FieldType.DATE or wanted.side:
        return False
    parts = ([token.word for token in asked.tokens if not is_head(token)] for asked in wanted.phrases)
    return any(words and title.issuperset(words) for words in parts)


def _names_no_date(text: str, claims: Claims) -> bool:
    heads = set(members_of(claims.lexicon.parse(text), "head"))
    return bool(heads) and heads.isdisjoint(_OF_DAYS)


def _is_span(page: Page, first: Reading, last: Reading) -> bool:
    between = page.text[first.end : last.start]
    return "\n" not in between and bool(between.strip()) and joins(between)


def _is_own(page: Page, day: Reading, claims: Claims, named: _Named) -> bool:
    before, behind = _around(page, day)
    if sum(map(str.islower, _WORDS.findall(behind))) > _MOST_WORDS_BEHIND:
        return False
    words = _WORDS.findall(before)
    if not words:
        names = [each for each in named.get(page.lines.at(day.start), ()) if each[0][0] <= day.start < each[0][1]]
        # A name beside a date, or over it, is a label of something else; a key of a format always is a label.
        return not any(
            not _speaks_of_page(text, claims) and (is_key or claims.is_label(text)) for _, text, is_key in names
        )
    if ":" in before or claims.is_label(before.strip()):
        return _speaks_of_page(before, claims)
    return _PLACE.fullmatch(before) is not None or all(map(str.isupper, words)) or _speaks_of_page(before, claims)


def _speaks_of_page(text: str, claims: Claims) -> bool:
    """Whether words before a date say no more than that it is one, or that of the paper."""
    tokens = claims.lexicon.parse(text)
    heads = [token for token in tokens if token.concept and token.concept.kind == "head"]
    others = [token for token in tokens if token not in heads and token.word not in claims.lexicon.papers]
    return not others and not _OF_DAYS.isdisjoint(members_of(heads, "head"))


def _is_alone(page: Page, day: Reading) -> bool:
    before, _ = _around(page, day)
    return not _WORDS.search(before) or _PLACE.fullmatch(before) is not None


def _around(page: Page, day: Reading) -> tuple[str, str]:
    """What stands before a date in its cell, and behind it."""
    line = page.lines[page.lines.at(day.start)]
    cell = next((cell for cell in line.cells if cell[0] <= day.start < cell[1]), (line.start, line.end))
    return page.text[cell[0] : day.start], page.text[day.end : max(day.end, cell[1])]


def _stamped(page: Page, days: Sequence[Reading]) -> list[Reading]:
    return [day for day in days if any(_TIME.search(page.text, *span) for span in _beside(page, day))]


def _beside(page: Page, day: Reading) -> tuple[Span, Span]:
    line = page.lines[page.lines.at(day.start)]
    return (max(line.start, day.start - _NEAR), day.start), (day.end, min(line.end, day.end + _FAR))


def _find(
    page: Page,
    number: int,
    wanted: Wanted,
    day: Reading,
    how: Conventions,
    reason: str,
    sure: bool,
    fit: float = _PLACED,
) -> Find:
    span = (day.start, day.end)
    reading = read_value(page.text[slice(*span)], wanted.field, how)
    signs = {"date of the page" if sure else "one of the dates": 1.0}
    fit = min(_SURE if sure else _GUESS, fit)
    return find_at(number, span, reading.shifted(span[0]) if reading else day, fit, wanted.field.words, reason, signs)
