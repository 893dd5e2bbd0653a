"""Dates beside or below a label."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from paxman.capabilities.base import Basis
from paxman.capabilities.business_terms import DATES, DELIVERIES, NUMBERS, PAPER_DATES, PAPERS, PARTIES, PERIODS
from paxman.capabilities.day_labels import (
    due_for,
    is_of_other,
    is_of_other_day,
    is_of_thing,
    is_qualified,
    says_no_day,
)
from paxman.capabilities.day_ranges import is_misprint, is_one_of_several, is_range, led_below, with_moved
from paxman.capabilities.label_binding import FIRST_FALLBACK, STEM, Binding, bind
from paxman.capabilities.label_layout import (
    WORDS,
    Reader,
    Relation,
    Spot,
    below,
    beside,
    between,
    cost_of,
    ends_chunk,
    heads_items,
    in_prose,
    is_word,
    modified,
    words_before,
)
from paxman.capabilities.label_scan import Hit
from paxman.capabilities.listed_invoices import is_other_day, listed_days
from paxman.capabilities.paper_kinds import (
    dates_invoice,
    is_about_invoices,
    is_no_invoice,
    is_offer,
    names_other_paper,
    names_unlike_paper,
)
from paxman.capabilities.pasted_mails import dates_mail
from paxman.capabilities.payment_terms import is_of_discount
from paxman.capabilities.placeholders import is_next_label
from paxman.capabilities.title_numbers import PARENTHESES, heads_many
from paxman.finding.parties.line_shapes import is_title
from paxman.lazy import lazy_pattern
from paxman.recognizers import Reading
from paxman.recognizers.dates import read_date
from paxman.recognizers.ranges import IN_LIST, either
from paxman.recognizers.tables import pattern


def spot_dates(reader: Reader, binding: Binding, hit: Hit, rank: int) -> Iterator[Spot]:
    """The date beside a label or below it; of a range the end that the field asks for."""
    if _is_no_label(reader, binding, hit, rank):
        return
    of_period = hit.term in PERIODS or hit.key in binding.periods
    of_any = bool(binding.periods) and hit.term == "period" and rank > 1 and binding.term not in PERIODS
    if of_period and _is_of_other_period(reader, hit, of_any):
        return
    weak = int(modified(reader, hit)) + (binding.term not in ("date", None) and hit.term == "date")
    elsewhere = rank > 0 and binding.term in PAPER_DATES and _is_of_invoice(reader, hit)
    rank = _ELSEWHERE if elsewhere else rank
    relation, dates = _dates_at(reader, hit, of_period)
    due = due_for(reader, hit, dates[0]) if dates and binding.term == "due_date" else "paper"
    if not dates or due == "other":
        return
    unsaid = rank > 0 and _says_no_invoice(reader, hit)
    mailed = rank > 0 and binding.term == "issue_date" and hit.term == "date" and dates_mail(reader.page, hit)
    if (unsaid and is_other_day(reader, dates[0])) or (mailed and listed_days(reader)):
        return
    near = relation == "beside"
    weak += near and len(WORDS.findall(between(reader, hit, dates[0]))) > 2
    other = is_of_other(reader, hit)
    if (other and rank > 1) or cost_of(rank, weak + other) > _LOOSEST:
        return
    offered = unsaid and (is_about_invoices(reader) or (hit.term == "date" and is_offer(reader)))
    basis = _basis(reader, binding, hit, rank, dates) if near else "name"
    if basis is None:
        return
    doubtful = other or elsewhere or offered or mailed or of_any or is_one_of_several(reader, hit, rank, dates)
    doubtful = doubtful or due == "unsure" or _is_unsure(reader, binding, hit, rank, near)
    for reading, doubt in _ends(reader, binding, hit, rank, dates):
        if binding.role != "first" and binding.term not in _NEVER_MOVED:
            reading = with_moved(reader, reading)
        stands_in: Basis = "stand_in" if doubtful else "name"
        yield Spot(reading, hit, relation, rank, weak + other + doubt, stands_in if basis == "name" else basis)


def _is_no_label(reader: Reader, binding: Binding, hit: Hit, rank: int) -> bool:
    """Whether a label names the day of another paper, another day, or a sum and no day."""
    if _dates_other(reader, binding, hit) or is_of_other_day(reader, hit):
        return True
    if rank > 1 and modified(reader, hit) and _is_of_other_paper(reader, binding, hit):
        return True
    return _is_of_sum(binding, hit) and not _is_due_by(reader, hit)


def _is_unsure(reader: Reader, binding: Binding, hit: Hit, rank: int, near: bool) -> bool:
    """Whether a label may name the day of something else than the field asks for."""
    if hit.key in binding.near or is_qualified(reader, hit) or _is_of_other_delivery(binding, hit, rank):
        return True
    if rank > 0 and hit.term in PAPER_DATES and _is_of_unlike_paper(reader, hit):
        return True
    if rank > 0 and hit.term in PAPER_DATES and _is_of_unlike_paper(reader, hit):
        return True
    if (near or ends_chunk(reader, hit)) and is_of_thing(reader, hit):
        return True
    return _is_synonym(binding, hit, rank) and hit.term in _OF_ANYTHING


def _is_of_other_delivery(binding: Binding, hit: Hit, rank: int) -> bool:
    """Whether a label names the day of shipping, of a service or of a sale, and another one of these is asked for."""
    if rank < 2 or binding.term not in DELIVERIES:
        return False
    return rank >= FIRST_FALLBACK or "sale_date" in hit.terms


def _is_of_unlike_paper(reader: Reader, hit: Hit) -> bool:
    field = reader.context.field
    return names_unlike_paper(reader.text[hit.start : hit.end], (field.said, *field.labels))


def _is_of_sum(binding: Binding, hit: Hit) -> bool:
    """Whether the label of an amount is asked for the day that this is due on."""
    return binding.term == "due_date" and "amount_due" in hit.terms and "due_date" not in hit.terms


def _is_due_by(reader: Reader, hit: Hit) -> bool:
    """Whether a chunk starts with what is to be paid by a day: "Amount due by 13 July"."""
    chunk = reader.page.line(hit.line).chunks[reader.page.chunk_at(hit.start)]
    if chunk[0] != hit.start or not _TO_PAY.search(reader.text, hit.start, hit.end):
        return False
    return _BY.match(reader.text, hit.end) is not None


_TO_PAY = re.compile(r"due|pay|zahl|pag|betal", re.IGNORECASE)
_BY = re.compile(
    r" (?:by|on or before|bis(?: zum)?|avant le|au plus tard le|antes del?|até|entro il|v[oó][oó]r|do|senest|senast)"
    r"(?: the)? (?=\d|[^\W\d_]{3,12}\.? \d)",
    re.IGNORECASE,
)


def _is_of_other_paper(reader: Reader, binding: Binding, hit: Hit) -> bool:
    """Whether the words before a label speak of another paper: "Passport issued"."""
    return binding.term in PAPER_DATES and not is_title(words_before(reader, hit).strip())


def _is_of_other_period(reader: Reader, hit: Hit, of_any: bool) -> bool:
    """Whether words before a label speak of another time, or say what the period is of where it must be just any."""
    if modified(reader, hit):
        return of_any or pattern(_OTHER_TIME).search(words_before(reader, hit)) is not None
    return of_any and _is_of_kind(reader, hit)


def _is_of_kind(reader: Reader, hit: Hit) -> bool:
    """Whether another label or the words behind say what the period is of: "Validity period", "Period of delivery:"."""
    before = reader.scan.before(hit)
    led = before is not None and reader.text[before.end : hit.start] in ("", " ", "-")
    return led or _KIND.match(reader.text, hit.end) is not None


_OTHER_TIME = r"\b(?:{other_time})\b"
_KIND = re.compile(r" ?(?:d['’]|[^\W\d_][^\d:\n]{0,40}:|(?:(?:of|d[eio]|del|della|van|der) )?[^\W\d_]{5,})")


def _dates_at(reader: Reader, hit: Hit, of_period: bool) -> tuple[Relation, list[Reading]]:
    """Dates beside a label, or else below it."""
    stop = _stop_of_period(reader, hit) if of_period else None
    dates = [] if _is_empty(reader, hit) else beside(reader, "date", hit, stop) or _bare_day(reader, hit)
    if dates or (hit.term in PERIODS and is_word(reader, hit) and heads_items(reader, hit)):
        return "beside", dates
    led = led_below(reader, hit) if of_period else []
    return "below", led or (
        [] if heads_many(reader, hit, "date") else _in_turn(reader, hit, below(reader, "date", hit))
    )


def _in_turn(reader: Reader, hit: Hit, dates: list[Reading]) -> list[Reading]:
    """Of dates below several labels in one chunk those from its own on; none of a later one if they are not as many."""
    if len(dates) < 2:
        return dates
    chunk = reader.page.line(hit.line).chunks[reader.page.chunk_at(hit.start)]
    days = [label for label in reader.scan.within(*chunk) if label == hit or label.term in DATES]
    if len(days) == len(dates):
        return dates[days.index(hit) :]
    return [] if len(days) > 1 and days[0] != hit else dates


def _stop_of_period(reader: Reader, hit: Hit) -> int:
    """Where the next label takes over; "from" and "to" before a day are none."""
    following = reader.scan.after(hit)
    while following and not PARTIES.isdisjoint(following.terms) and _DAY_AHEAD.match(reader.text, following.end):
        following = reader.scan.after(following)
    return following.start if following else reader.page.line(hit.line).end


_DAY_AHEAD = re.compile(r"[ \t]{1,4}(?:[^\W\d_]{3,9}\.?,?[ \t]{1,2}){0,2}\d")


def _basis(reader: Reader, binding: Binding, hit: Hit, rank: int, dates: list[Reading]) -> Basis | None:
    """What a date beside a label rests on; None in a sentence that speaks of something else."""
    if in_prose(reader, hit, dates):
        # Words that the contract names, such as "begins on", may stand in a sentence.
        named = rank == 0 and hit.key not in binding.described
        return "wording" if named and " " in reader.text[hit.start : hit.end] else None
    if binding.term == "due_date" and is_word(reader, hit) and says_no_day(between(reader, hit, dates[0])):
        return None
    if binding.term == "due_date" and _is_said(reader, hit, dates[0]):
        return None if is_of_discount(reader.text, hit.start, dates[0].end) else "wording"
    return "name"


def _ends(reader: Reader, binding: Binding, hit: Hit, rank: int, dates: list[Reading]) -> Iterator[tuple[Reading, int]]:
    """The date itself, or that end of a range which the field asks for, and whether that is in doubt."""
    ranged = len(dates) > 1 and is_range(reader.text, dates[0], dates[1])
    if (hit.key in binding.periods or hit.key in binding.near) and hit.key not in binding.own:
        yield from _of_period(reader, binding, hit, dates if ranged else dates[:1])
        return
    if not ranged and _is_synonym(binding, hit, rank) and (_goes_on(reader, hit) or not _is_of_one(reader, hit)):
        return
    if hit.term not in ("start_date", "end_date") and not ranged:
        dates = [either(reader.text, dates, IN_LIST) or dates[0]]
    if hit.term in ("start_date", "end_date") or not (binding.role or ranged):
        yield dates[ranged and hit.term == "end_date"], int(ranged)
    elif not binding.role:
        yield attrs.evolve(dates[0], alternatives=(dates[1],), rule="the first and the last day of a range"), 1
    elif ranged and (binding.role == "first" or not is_misprint(reader, *dates[:2])):
        yield dates[0] if binding.role == "first" else dates[1], 0
    elif not ranged and _names_day(binding, hit, rank) and _is_of_one(reader, hit):
        gap = between(reader, hit, dates[0])
        if "\n" not in gap and len(_LETTERED.findall(PARENTHESES.sub(" ", gap))) > 1:
            return
        yield dates[0], 0


def _of_period(reader: Reader, binding: Binding, hit: Hit, dates: list[Reading]) -> Iterator[tuple[Reading, int]]:
    """The end of a field's own period; a single day only of what may stand for the day itself, as "Validity"."""
    if len(dates) == 1:
        if binding.term in hit.terms and not binding.role:
            yield dates[0], 0
    elif binding.role == "first":
        yield dates[0], 0
    elif not is_misprint(reader, *dates[:2]):
        yield dates[1], 0


_LETTERED = re.compile(r"[^\W\d_]+")


def _is_synonym(binding: Binding, hit: Hit, rank: int) -> bool:
    """Whether a label is what others call an end of what runs for a time."""
    return rank == STEM and binding.role is not None and hit.key in binding.stems


def _goes_on(reader: Reader, hit: Hit) -> bool:
    """Whether words stand before a label, known or not: "Card expiry date"."""
    before = reader.scan.before(hit)
    return modified(reader, hit) or (before is not None and reader.text[before.end : hit.start] == " ")


def _names_day(binding: Binding, hit: Hit, rank: int) -> bool:
    """Whether a label is that of a single day, and no period's."""
    return (rank == 0 or hit.key in binding.stems) and hit.term not in PERIODS


def _is_of_one(reader: Reader, hit: Hit) -> bool:
    """Whether a label is that of one field, and not of both ends of a range or of two that run for a time."""
    bindings = [bind(field, reader.context.contract) for field in reader.context.contract.leaves]
    return sum(hit.key in each.own for each in bindings) < 2 and sum(hit.key in each.stems for each in bindings) < 2


_OF_ANYTHING = frozenset(("other_date", "effective_date"))
"""Days that other things than contracts and policies have too: "Expiry date"."""
_ELSEWHERE = 5
"""The rank of the date of another paper: behind every other label, and nothing if words before it say so too."""


def _is_of_invoice(reader: Reader, hit: Hit) -> bool:
    """Whether a label speaks of an invoice that is not this paper."""
    if not dates_invoice(reader.text[hit.start : hit.end]):
        return False
    return _EARLIER.search(words_before(reader, hit)) is not None or is_no_invoice(reader)


_EARLIER = re.compile(
    r"\b(?:orig|ursprüngl|urspr\.|previous|prior|corrected|credited|referenced?|initial)",
    re.IGNORECASE,
)


def _says_no_invoice(reader: Reader, hit: Hit) -> bool:
    """Whether the date of an invoice is asked for, and a label names just a paper's."""
    if hit.term not in PAPER_DATES or not asks_invoice(reader):
        return False
    return not dates_invoice(reader.text[hit.start : hit.end])


def asks_invoice(reader: Reader) -> bool:
    """Whether the date of an invoice is meant, on whatever paper it is named."""
    field = reader.context.field
    return any(map(dates_invoice, (field.said, *field.labels)))


def _is_empty(reader: Reader, hit: Hit) -> bool:
    """Whether the next column after a label and its colon is another label of a form."""
    gap = _COLUMN_GAP.match(reader.text, hit.end)
    return gap is not None and is_next_label(reader.text, gap.end(), reader.page.line(hit.line).end)


_COLUMN_GAP = re.compile(r"[.]?[:：][ \t]{2,200}")


def _dates_other(reader: Reader, binding: Binding, hit: Hit) -> bool:
    """Whether "dated" speaks of another paper, whose number stands before it: "Order ref: KB-77 dated 1 Feb"."""
    before = reader.scan.before(hit)
    if hit.key != DATED or before is None or binding.term not in PAPER_DATES:
        return False
    if before.term == "invoice_number" and (is_about_invoices(reader) or names_other_paper(reader.context.field.said)):
        return not asks_invoice(reader)
    return before.term in NUMBERS and before.term not in PAPERS


DATED = "dated"
_NEVER_MOVED = PAPER_DATES | {"start_date"}
_LOOSEST = 3
BARE_DAY = lazy_pattern(
    r"[ \t]{0,40}(?:[:=][ \t]{0,80})?(\d[^\s:]{0,5}(?:[ -][^\W\d_]{2,12}){0,2}\.?|[^\W\d_]{3,12}\.? \d[^\s:]{0,3})"
    r"(?=[ \t]*(?:\n|\Z)|[ \t]{2})"
)
_SHORT_DAY = re.compile(r"[ \t]{0,20}[:.]?[ \t]{0,20}(\d{1,2}\.\d{1,2}\.\d\d)[ \t]*$", re.MULTILINE)


def _bare_day(reader: Reader, hit: Hit) -> list[Reading]:
    """A short day that is all that stands beside a label; one without a year if the page tells it."""
    short, match = _short_day(reader, hit), BARE_DAY.match(reader.text, hit.end)
    if short or match is None:
        return short
    from paxman.capabilities.page_years import complete_date

    day = complete_date(reader.context, match[1])
    return [day.shifted(match.start(1))] if day else []


def _short_day(reader: Reader, hit: Hit) -> list[Reading]:
    """A day such as 4.3.24, which only a label tells from the number of a section."""
    match = _SHORT_DAY.match(reader.text, hit.end)
    day = read_date(match[1], reader.how) if match else None
    return [day.shifted(match.start(1))] if match and day else []


def _is_said(reader: Reader, hit: Hit, day: Reading) -> bool:
    """Whether words of a sentence stand before a label or after its date, and only a space between the two."""
    gap = between(reader, hit, day)
    if gap.strip() or "  " in gap:
        return False
    return modified(reader, hit) or _WORD_AFTER.match(reader.text, day.end) is not None


_WORD_AFTER = re.compile(r",? [^\W\d_]{2,}")
