"""Values that stand with a label of their field."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from functools import partial

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import PERSONAL, may_be_share, says_rate
from paxman.capabilities.descriptions import find_in_markup
from paxman.capabilities.label_binding import FIRST_FALLBACK, STEM, Binding, bind, described_hits, kind_of, relevant
from paxman.capabilities.label_layout import Reader, Spot, settle
from paxman.capabilities.label_scan import Hit, Scan, scan_of
from paxman.capabilities.labelled_amounts import choose_amounts
from paxman.capabilities.labelled_dates import BARE_DAY, spot_dates
from paxman.capabilities.labelled_numbers import spot_identifiers
from paxman.capabilities.labelled_rates import spot_rates, spot_shares
from paxman.capabilities.labelled_texts import spot_cells, spot_texts, spot_vat_ids
from paxman.capabilities.owners import may_be_either
from paxman.capabilities.page_carries import is_of_pages
from paxman.capabilities.placeholders import is_left_blank, is_placeholder, points_elsewhere
from paxman.capabilities.table_kinds import crosses_cells, crosses_elements, is_in_column
from paxman.capabilities.values import Found, ambiguity, assumption, conventions, is_noted, without_mark
from paxman.contract.constraints import is_written_so
from paxman.contract.labels import fold_label
from paxman.contract.model import CanonicalField
from paxman.documents.document import Document
from paxman.finding.choices import box_before, choices_at, chosen, has_boxes, is_unmarked
from paxman.recognizers import Reading, read_value
from paxman.recognizers.base import is_cut
from paxman.recognizers.broken import is_torn
from paxman.recognizers.money import has_unknown_code
from paxman.types import RAISED, FieldType, Money


def find_labelled(context: CapabilityContext, own_only: bool = False) -> list[Found]:
    """Values that stand with the field's labels, best first; rivals follow where none can honestly be put last.

    With `own_only`, nothing unless the best tie is to a label that the contract names.
    """
    spots = find_spots(context)
    if not spots and not own_only:
        return find_in_markup(context)
    if not spots or (own_only and spots[0].rank > 0):
        return []
    return to_found(context, spots)


def find_described(context: CapabilityContext) -> list[Found]:
    """Values that stand with the field's description."""
    told = bind(context.field, context.contract).described
    return to_found(context, [spot for spot in find_spots(context) if spot.hit.key in told]) if told else []


def find_spots(context: CapabilityContext) -> list[Spot]:
    """The places of `find_labelled`, before they are made values of the field's type; found once per field."""
    cache, key = context.document.cache, ("labelled", context.field.path)
    if key not in cache:
        cache[key] = _find_spots(context)
    spots: list[Spot] = cache[key]
    return spots


def is_left_out(context: CapabilityContext) -> bool:
    """Whether a label of the field is there, and only a placeholder beside it."""
    scan = scan_of(context)
    hits = relevant(scan, bind(context.field, context.contract))
    return any(rank < 4 and is_left_blank(scan.page.text, hit.end, context.field) for hit, rank in hits)


def open_reason(context: CapabilityContext) -> str | None:
    """Why what stands beside a label of the field has no one value: a day without its year, cents without a point."""
    kind = context.field.type
    if kind is not FieldType.DATE and kind not in _AMOUNTS:
        return None
    scan = scan_of(context)
    hits = [hit for hit, rank in relevant(scan, bind(context.field, context.contract)) if rank < 4]
    if kind is FieldType.DATE:
        return _NO_YEAR if any(_lacks_year(scan.page.text, hit.end) for hit in hits) else None
    ends = (min(scan.page.line(hit.line).end, hit.end + _REACH) for hit in hits)
    return _TORN if any(is_torn(scan.page.text, hit.end, end) for hit, end in zip(hits, ends, strict=True)) else None


_AMOUNTS = (FieldType.DECIMAL, FieldType.MONEY)
_REACH = 120
_NO_YEAR = "a day without a year stands at the label, and no period of the page tells it"
_TORN = "two whole numbers stand at the label: one with its cents, or two"


def _lacks_year(text: str, end: int) -> bool:
    day = BARE_DAY.match(text, end)
    if day is None:
        return False
    from paxman.recognizers.yearless import yearless_span

    return yearless_span(day[1]) is not None


def is_undecided(context: CapabilityContext) -> bool:
    """Whether several choices stand with a label of the field, and not one of them is marked."""
    field = context.field
    if field.type not in (FieldType.BOOLEAN, FieldType.ENUM) and not _has_boxes(context.document):
        return False
    scan = scan_of(context)
    hits = relevant(scan, bind(field, context.contract))
    return any(rank < 4 and is_unmarked(scan.page, hit, field) for hit, rank in hits)


def _has_boxes(document: Document) -> bool:
    if "boxes" not in document.cache:
        document.cache["boxes"] = has_boxes(document.text)
    return bool(document.cache["boxes"])


def _find_spots(context: CapabilityContext) -> list[Spot]:
    scan = scan_of(context)
    binding = bind(context.field, context.contract)
    spots = _spots_at(context, scan, binding, relevant(scan, binding))
    if binding.described and (not spots or spots[0].rank >= FIRST_FALLBACK):
        told = [(hit, 0) for hit in described_hits(scan, binding)]
        spots = (_spots_at(context, scan, binding, told) if told else []) or spots
    return spots


def _spots_at(context: CapabilityContext, scan: Scan, binding: Binding, found: list[tuple[Hit, int]]) -> list[Spot]:
    in_column = partial(is_in_column, context)
    hits = [(hit, rank) for hit, rank in found if not _lacks_value(scan, hit, context.field)]
    reader = Reader(context, scan)
    kind = kind_of(context.field, binding)
    if kind == "amount":
        apart = [(hit, rank) for hit, rank in hits if not (in_column(hit.start) or is_of_pages(reader, hit, rank))]
        spots = _numbers_at(reader, binding, apart)
        return _within_cells(context, [spot for spot in spots if spot.rank != STEM or _is_priced(scan, spot)])
    spotter = _boxed(_SPOTTERS[kind]) if _has_boxes(context.document) else _SPOTTERS[kind]
    spots = [spot for hit, rank in hits for spot in spotter(reader, binding, hit, rank)]
    spots = [spot for spot in spots if not _is_placeholder(context.field, spot)]
    if not spots and kind == "date" and binding.role:
        from paxman.capabilities.led_ranges import spot_led_ranges

        spots = list(spot_led_ranges(reader, binding))
    if kind == "vat" or binding.owners:
        spots = [_doubted(context, spot) if kind == "vat" or _is_anyones(spot.hit, binding) else spot for spot in spots]
    return settle(_without_sums(context, _within_cells(context, spots)))


def _is_anyones(hit: Hit, binding: Binding) -> bool:
    return hit.key in binding.owned or not PERSONAL.isdisjoint(hit.terms)


def _doubted(context: CapabilityContext, spot: Spot) -> Spot:
    """A spot, less sure if nothing but its place tells whose it is, and that not plainly."""
    unsure = spot.basis == "name" and may_be_either(context, spot.hit.start, spot.hit.end)
    return attrs.evolve(spot, basis="place") if unsure else spot


def _lacks_value(scan: Scan, hit: Hit, field: CanonicalField) -> bool:
    """Whether what follows a label says that there is no value, or where else it stands."""
    return is_left_blank(scan.page.text, hit.end, field) or points_elsewhere(scan.page.text, hit.end, field)


def _is_placeholder(field: CanonicalField, spot: Spot) -> bool:
    return field.type is FieldType.STRING and is_placeholder(str(spot.reading.value), field)


def _without_sums(context: CapabilityContext, spots: list[Spot]) -> list[Spot]:
    """Spots of a number's field less amounts of money, if any other is left: "Room: 412" over "Room 120.00"."""
    if len(spots) < 2 or fold_label(context.field.words).rpartition(" ")[2] not in _NUMBERS:
        return spots
    return [spot for spot in spots if not _CENTS.fullmatch(str(spot.reading.value))] or spots


_NUMBERS = frozenset(("no", "number"))
_CENTS = re.compile(r"[^\w\s]?\d[\d.,' ]*[.,]\d\d")


def _numbers_at(reader: Reader, binding: Binding, hits: list[tuple[Hit, int]]) -> list[Spot]:
    """Amounts, or else percentages where the field may be one; the other way round where it says that it is."""
    if not may_be_share(reader.context.field):
        return choose_amounts(reader, binding, hits)
    ways = (_shares_at, choose_amounts) if says_rate(reader.context.field) else (choose_amounts, _shares_at)
    return ways[0](reader, binding, hits) or ways[1](reader, binding, hits)


def _shares_at(reader: Reader, binding: Binding, hits: list[tuple[Hit, int]]) -> list[Spot]:
    return settle([spot for hit, rank in hits for spot in spot_shares(reader, binding, hit, rank)])


def _is_priced(scan: Scan, spot: Spot) -> bool:
    """Whether an amount is written as one: "Delivery: 3" may be days."""
    reading = spot.reading
    return isinstance(reading.value, Money) or not scan.page.text[reading.start : reading.end].isdigit()


def _within_cells(context: CapabilityContext, spots: Iterable[Spot]) -> list[Spot]:
    """The spots that no table gives, and that are not read across its cells, nor across elements of XML."""
    document = context.document
    return [
        spot
        for spot in spots
        if not is_in_column(context, spot.hit.start, spot.reading.start)
        and not crosses_cells(document, spot.reading.start, spot.reading.end)
        and not crosses_elements(document, spot.hit.start, spot.reading.start)
    ]


Spotter = Callable[[Reader, Binding, Hit, int], Iterable[Spot]]


def _boxed(spotter: Spotter) -> Spotter:
    """What stands with a label; where that is a list of boxes, the choice that is marked."""

    def spot(reader: Reader, binding: Binding, hit: Hit, rank: int) -> Iterable[Spot]:
        start, stop = choices_at(reader.page, hit)
        field = reader.context.field
        choice = chosen(reader.text[start:stop], field)
        place = (start + choice[0], start + choice[1]) if choice else None
        if place is None and field.type is FieldType.BOOLEAN:
            place = box_before(reader.page, hit)
        if place is None:
            return spotter(reader, binding, hit, rank)
        start, stop = place
        reading = read_value(reader.text[start:stop], field, reader.how)
        return [Spot(reading.shifted(start), hit, "beside", rank)] if reading else []

    return spot


_SPOTTERS: dict[str, Spotter] = {
    "date": spot_dates,
    "identifier": spot_identifiers,
    "rate": spot_rates,
    "text": spot_texts,
    "vat": spot_vat_ids,
    "cell": spot_cells,
}
MOST_PLACES = 2
"""Places of one value that count as evidence: a page that repeats its header says it once more, not five times."""


def to_found(context: CapabilityContext, spots: Iterable[Spot]) -> list[Found]:
    """Typed values with their evidence, with every honest reading of each."""
    counts: dict[str, int] = {}
    found = []
    for spot in spots:
        if is_cut(context.document.text, spot.reading.start, spot.reading.end):
            continue
        foreign = has_unknown_code(context.document.text, spot.reading.start)
        printed = without_mark(spot.reading, context.document.text)
        reading = as_type(printed, context.field, None if foreign else conventions(context).currency)
        written = context.document.text[spot.reading.start : spot.reading.end]
        if reading is None or not is_written_so(context.field, reading.value, written):
            continue
        if RAISED in written and is_noted(context, written):
            continue
        hit, place = spot.hit, (spot.reading.start, spot.reading.end)
        notes = ambiguity(reading, context.field.path)
        notes += assumption(context, reading, place, context.document.text, conventions(context), (hit.start, hit.end))
        for each in (reading, *reading.alternatives):
            counts[repr(each.value)] = counts.get(repr(each.value), 0) + 1
            if counts[repr(each.value)] <= MOST_PLACES:
                ref = context.evidence(
                    (each.start, each.end),
                    each.transforms,
                    basis="wording" if each.loose or spot.hit.slipped else spot.basis,
                )
                found.append(Found(each.value, ref, notes))
    return found


def as_type(reading: Reading, field: CanonicalField, currency: str | None) -> Reading | None:
    """An amount as the field's type: a bare number, or money in the currency of the page."""
    others = tuple(filter(None, (as_type(other, field, currency) for other in reading.alternatives)))
    value, steps = reading.value, reading.transforms
    if field.type is FieldType.MONEY:
        if isinstance(value, Decimal):
            if currency is None:
                return None
            value, steps = Money(value, currency), (*steps, f"money:{currency}")
    elif isinstance(value, Money):
        # What dollar is meant does not matter here.
        return attrs.evolve(reading, value=value.amount, transforms=steps[:-1], alternatives=others, loose=False)
    return attrs.evolve(reading, value=value, transforms=steps, alternatives=others)
