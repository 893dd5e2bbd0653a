"""The date of a paper that does not label it: beside its number, with a time stamp, or the only one there."""

from __future__ import annotations

import re
from itertools import pairwise

from paxman.capabilities.base import Basis, CapabilityContext
from paxman.capabilities.business_terms import OTHER_DATES, PAPERS
from paxman.capabilities.day_labels import (
    heads_other_day,
    is_of_other,
    is_qualified,
    leads_to_other_day,
    speaks_of_paper,
)
from paxman.capabilities.day_ranges import is_range
from paxman.capabilities.headings_over import heading_over
from paxman.capabilities.label_binding import bind
from paxman.capabilities.label_layout import WORDS, Reader, Spot, between, find_days
from paxman.capabilities.label_scan import Hit, scan_of
from paxman.capabilities.labelled import is_left_out, to_found
from paxman.capabilities.labelled_dates import DATED, asks_invoice
from paxman.capabilities.listed_invoices import listed_days, lists_invoices
from paxman.capabilities.paper_kinds import is_about_invoices, is_no_invoice, names_other_paper
from paxman.capabilities.values import Found
from paxman.recognizers import Reading, find
from paxman.recognizers.tables import words as words_of
from paxman.types import FieldType

_OWN_TERMS = frozenset({"date", "issue_date"})
_TIME = re.compile(
    r"(?<!\d)[012]?\d ?: ?[0-5]\d(?!\d| ?%)|\d ?[AP]M\b|(?<!\d)[012]?\d\.[0-5]\d ?(?:h|hrs|uhr)\b", re.IGNORECASE
)
# With a point it may as well be an amount, unless a word for the time stands before it.
_CLOCK = r"(?<![\d.,])[012]?\d ?\. ?[0-5]\d(?!\d|,\d| ?%|\.\d{3})"
_TIME_WORD = r"\b(?:time|masa|jam|zeit|uhrzeit|heure|hora|ora|tid|kl|klo|at|um|à)\b"
_CALLED = re.compile(rf".{{0,20}}?{_TIME_WORD}[ .:]{{0,20}}{_CLOCK}", re.IGNORECASE)
_BESIDE = r"(?: |, ?| ?[/–-] ?)"
_DOTTED_AFTER = re.compile(rf"{_BESIDE}?({_CLOCK})")
_DOTTED_BEFORE = re.compile(rf"({_CLOCK}){_BESIDE}\Z")
_AMOUNT_AFTER = re.compile(rf"{_BESIDE}?\d{{1,6}}\.\d\d(?!\d)")
_TOP = 3000
"""Characters from the top of a page where the date of a paper stands."""
_MOST = 400


def find_page_date(context: CapabilityContext) -> list[Found]:
    """The date of the paper as a whole, for a field that asks for it; nothing for due dates and the like."""
    field = context.field
    if field.type is not FieldType.DATE or bind(field, context.contract).term not in _OWN_TERMS:
        return []
    if is_left_out(context):
        return []
    reader = Reader(context, scan_of(context))
    if asks_invoice(reader) and lists_invoices(reader):
        return to_found(context, [_spot(day, "place") for day in listed_days(reader)])
    dates = _named_days(reader) or _own_days(reader)
    if names_other_paper(field.said) and not asks_invoice(reader):
        of_invoices = {day.start for day in listed_days(reader)}
        dates = [day for day in dates if day.start not in of_invoices]
    return to_found(context, _choose(reader, dates)) if dates else []


def _named_days(reader: Reader) -> list[Reading]:
    """Days of the invoice that a paper is about, if that is asked for."""
    return listed_days(reader) if asks_invoice(reader) and is_about_invoices(reader) else []


def find_page_time(context: CapabilityContext) -> list[Found]:
    """The only time of day on a page, if it stands beside a date of the paper; that of a mail is not what it tells."""
    if context.document.kind == "email":
        return []
    reader = Reader(context, scan_of(context))
    times = find("time", reader.text, reader.how)
    if len({r.value for r in times}) != 1 or is_left_out(context):
        return []
    days = _own_days(reader)
    stamps = [r for r in times[:_MOST_STAMPS] if any(_is_stamp(reader.text, r, day) for day in days)]
    return to_found(context, [_spot(r, "place") for r in stamps])


_MOST_STAMPS = 4
_BETWEEN = re.compile(
    r"[\s,/|;–-]*(?:(?:T|at|time|um|uhrzeit|zeit|à|heure|hora|a las|alle|ore|ora|kl|klo|tid)\b)?[\s.:]*", re.IGNORECASE
)


def _is_stamp(text: str, time: Reading, day: Reading) -> bool:
    """Whether a day and a time stand in one line with nothing between them but a word for the time."""
    start, end = min(time.end, day.end), max(time.start, day.start)
    return end - start < _NEAR and "\n" not in text[start:end] and _BETWEEN.fullmatch(text, start, end) is not None


def _own_days(reader: Reader) -> list[Reading]:
    """Dates that may be the paper's: no ends of ranges, with no label of another day, and in no sentence."""
    days = find_days(reader.text, reader.how)[:_MOST]
    ends = {end for pair in pairwise(days) if is_range(reader.text, *pair) for end in pair}
    return [r for r in days if r not in ends and not _belongs_elsewhere(reader, r) and not _in_words(reader, r)]


def _choose(reader: Reader, dates: list[Reading]) -> list[Spot]:
    stamped = [r for r in dates if _has_time(reader, r)] or _dotted(reader, dates)
    numbered = [r for r in dates if _follows_number(reader, r)]
    own = [r for r in numbered if not _is_cited(reader, r)]
    written = _written_above(reader, dates, numbered)
    if written and len({r.value for r in own}) == 1:
        return [_spot(r, "place") for r in (*own, *written)]
    for pool in (written or own, stamped, dates):
        values = {r.value for r in pool}
        if len(values) == 1:
            alone = pool is not dates or any(_is_own(reader, r) for r in pool if r not in numbered)
            return [_spot(r, "shape" if alone else "place") for r in pool]
    pool = written or own or stamped or dates
    guess = [r for r in pool if r.start < _TOP][:1] or pool[:1]
    return [_spot(r, "place") for r in pool if r.value == guess[0].value]


def _written_above(reader: Reader, dates: list[Reading], numbered: list[Reading]) -> list[Reading]:
    """Days of a letter: each is all of its chunk, with a place or none, over the first that follows a number."""
    known = {r.value for r in numbered}
    if asks_invoice(reader):
        return []
    above = [r for r in dates if numbered and r.start < numbered[0].start and r.value not in known]
    return [r for r in above if _stands_alone(reader, r) and not _around(reader, r)[1].strip(" .")]


_NOWHERE = Hit(0, 0, "", (), 0, 0)


def _spot(reading: Reading, basis: Basis = "shape") -> Spot:
    return Spot(reading, _NOWHERE, "beside", 9, 0, basis)


def _governing(reader: Reader, reading: Reading) -> Hit | None:
    """The last label before a date on its line."""
    return reader.scan.last_before(reading.start)


def _belongs_elsewhere(reader: Reader, reading: Reading) -> bool:
    hit = _governing(reader, reading)
    if hit is not None and (hit.term in OTHER_DATES or is_of_other(reader, hit) or is_qualified(reader, hit)):
        return True
    if leads_to_other_day(_around(reader, reading)[0]):
        return True
    heading = heading_over(reader.context.document, reading.start) if hit is None else None
    return heading is not None and heads_other_day(reader, heading)


_LITTLE = frozenset("a am at au date dated de del den der di do el il la le of on pm the van vom".split())
_COLON = re.compile(r"\s*[:：]\s*")
_LABEL = re.compile(r"[^\W\d_]{4}[^\d:：]{0,40}[:：]\s*")
_PLACE = re.compile(r"[^\W\d_][^\d,:]{0,40},\s*(?:[^\W\d_]{2,3}\s+)?\Z")


def _in_words(reader: Reader, reading: Reading) -> bool:
    """Whether a sentence leads to a date or goes on after it, or the label of something else stands before it."""
    if _follows_number(reader, reading):
        return False
    before, after = _around(reader, reading)
    words = WORDS.findall(before)
    if len(words) > 1 and any(word.islower() and word not in _LITTLE for word in words):
        return True
    hit = _governing(reader, reading)
    if hit and hit.term not in _OWN_TERMS and _COLON.fullmatch(reader.text, hit.end, reading.start):
        return True
    if _is_labelled_other(reader, before, hit, reading):
        return True
    return sum(map(str.islower, WORDS.findall(after))) > 2


def _is_labelled_other(reader: Reader, before: str, hit: Hit | None, reading: Reading) -> bool:
    """Whether an unknown label with a colon leads to a date, and does not speak of the paper or the time."""
    if not _LABEL.fullmatch(before) or (hit and _COLON.fullmatch(reader.text, hit.end, reading.start)):
        return False
    return not any(map(speaks_of_paper, WORDS.findall(before)))


def _is_own(reader: Reader, reading: Reading) -> bool:
    """Whether a date stands alone, and on the paper that is asked for."""
    return _stands_alone(reader, reading) and not (asks_invoice(reader) and is_about_invoices(reader))


def _stands_alone(reader: Reader, reading: Reading) -> bool:
    """Whether no word stands before a date in its chunk but a place, as in "Berlin, 3 May", or capitals of a till."""
    before, _ = _around(reader, reading)
    line = reader.page.line(reader.page.line_at(reading.start))
    if not before and reader.text[line.start : reading.start].rstrip().endswith((":", "：")):
        return False  # It has a label, though not a known one.
    if not before and len(line.chunks) > 1 and _is_under_words(reader, reading):
        return False
    return bool(_PLACE.fullmatch(before)) or all(word.isupper() for word in WORDS.findall(before))


def _is_under_words(reader: Reader, reading: Reading) -> bool:
    """Whether a date stands in a column whose heading does not speak of the paper."""
    heading = heading_over(reader.context.document, reading.start)
    if heading is None or len(reader.page.line(reader.page.line_at(heading[0])).chunks) == 1:
        return False
    return not any(map(speaks_of_paper, WORDS.findall(reader.text[heading[0] : heading[1]])))


def _around(reader: Reader, reading: Reading) -> tuple[str, str]:
    """What stands before a date in its chunk, and after it."""
    line = reader.page.line(reader.page.line_at(reading.start))
    start, end = line.chunks[reader.page.chunk_at(reading.start)]
    return reader.text[max(start, reading.start - _NEAR) : reading.start], reader.text[
        reading.end : min(end, reading.end + _NEAR)
    ]


_NEAR = 80
_FARTHEST = 200
"""Characters of a line from a date to the time that stamps it."""


def _has_time(reader: Reader, reading: Reading) -> bool:
    line = reader.page.line(reader.page.line_at(reading.start))
    return (
        _TIME.search(reader.text, reading.end, min(line.end, reading.end + _FARTHEST)) is not None
        or _TIME.search(reader.text, max(line.start, reading.start - 40), reading.start) is not None
        or _CALLED.match(reader.text, reading.end, line.end) is not None
    )


def _dotted(reader: Reader, dates: list[Reading]) -> list[Reading]:
    """Dates right beside a time such as 20.15; in rows of several days, or if it comes again, that is an amount."""
    beside = ((r, _clock_beside(reader, r)) for r in dates)
    clocks = [(r, clock) for r, clock in beside if clock]
    rows = {r.value for r in dates if clocks and _AMOUNT_AFTER.match(reader.text, r.end)}
    if len(rows) > 1 or any(reader.text.count(clock) > len(clocks) for _, clock in clocks):
        return []
    return [r for r, _ in clocks]


def _clock_beside(reader: Reader, reading: Reading) -> str | None:
    line = reader.page.line(reader.page.line_at(reading.start))
    clock = _DOTTED_AFTER.match(reader.text, reading.end, line.end) or _DOTTED_BEFORE.search(
        reader.text, max(line.start, reading.start - 40), reading.start
    )
    return clock[1] if clock else None


def _follows_number(reader: Reader, reading: Reading) -> bool:
    """As in "Invoice 4711 of 5 March": the label before the date is that of the paper's number."""
    hit = _number_before(reader, reading)
    if hit is None or hit.term not in PAPERS or reading.start - hit.end >= _NEAR:
        return False
    named = _NAMED.fullmatch(between(reader, hit, reading))
    return named is None or speaks_of_paper(named[1])


_NAMED = re.compile(r" ([^\W\d_]{2,30})\s?[:：]\s*")


def _is_cited(reader: Reader, reading: Reading) -> bool:
    """Whether the number before a date is that of another paper: "Re: Invoice 4711", "to your invoice 4711"."""
    hit = _number_before(reader, reading)
    if hit is None or (hit.term == "invoice_number" and asks_invoice(reader)):
        return False
    start = reader.page.line(hit.line).chunks[reader.page.chunk_at(hit.start)][0]
    title = reader.scan.before(hit)
    if title and title.start == start and title.term in PAPERS:
        return False  # A title goes on: "Credit note (self-billed invoice) no. 4711".
    before = reader.text[max(start, hit.start - _NEAR) : hit.start].rstrip()
    if before.endswith((":", "：")) or not words_of("cites").isdisjoint(WORDS.findall(before)):
        return True
    return hit.term == "invoice_number" and is_no_invoice(reader)


def _number_before(reader: Reader, reading: Reading) -> Hit | None:
    """The label before a date, or that before "dated"."""
    hit = _governing(reader, reading)
    return (reader.scan.before(hit) or hit) if hit and hit.key == DATED else hit or _above(reader, reading)


def _above(reader: Reader, reading: Reading) -> Hit | None:
    """The last label of the line before, for a date that begins its line, if that line has none."""
    index = reader.page.line_at(reading.start)
    if not index or reader.text[reader.page.line(index).start : reading.start].strip():
        return None
    if reader.values("date", index - 1):
        return None
    return reader.scan.last_before(reader.page.line(index).start - 1)
