"""Values that stand with a label: beside it, below it, or in its column."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import Any, Literal

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.business_terms import FALLBACKS, NUMBERS, PARTIES, label_terms, term_of, terms_of_labels
from paxman.capabilities.label_scan import Hit, Line, Page, Scan, own_labels, scan_of
from paxman.capabilities.values import Found, ambiguity, conventions
from paxman.contract.labels import compact_label, fold_label
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.recognizers import Reading, find, read_value
from paxman.recognizers.identifiers import read_vat_id
from paxman.types import FieldType, Money, Span

Relation = Literal["beside", "below", "column"]
MOST_HITS = 200
SHIFT = 60
"""Columns that a value may stand to the right of the label above it, where that is the last of its line."""
LONGEST_LINE = 4000
"""Longer lines are no layout; nothing is sought below them."""


@attrs.frozen
class Spot:
    """A value and the label it stands with; `weak` counts what speaks against the tie."""

    reading: Reading
    hit: Hit
    relation: Relation
    rank: int
    weak: int = 0
    guess: bool = False
    """Whether the tie is too loose to count as support."""

    @property
    def cost(self) -> int:
        """How far the label is from what the field asks for."""
        return _COSTS[min(self.rank, len(_COSTS) - 1)] + self.weak

    @property
    def order(self) -> tuple[Any, ...]:
        return self.cost, self.rank, self.reading.start


_COSTS = (0, 0, 1, 1, 2, 3, 4)


@attrs.frozen
class Binding:
    """What a field asks for: its own labels, the business term it is, and the terms that may speak for it."""

    own: frozenset[str]
    term: str | None
    also: tuple[str, ...]
    """Other terms that the field's own labels name."""
    fallbacks: tuple[str, ...]
    role: Literal["first", "last"] | None
    """Which end of a range."""


_FIRST = frozenset(
    (
        "first",
        "start",
        "starts",
        "from",
        "begin",
        "begins",
        "starting",
        "von",
        "ab",
        "debut",
        "inicio",
        "inizio",
        "mula",
    )
)
_LAST = frozenset(
    ("last", "end", "ends", "to", "until", "till", "ending", "through", "thru", "bis", "fin", "final", "fine", "tamat")
)


def bind(field: CanonicalField, contract: CanonicalContract) -> Binding:
    """Tie a field to a business term by its name, or else by most of its labels."""
    term = term_of(field)
    taken = {term_of(other) for other in contract.leaves if other is not field}
    also = tuple(other for other in dict.fromkeys(terms_of_labels(field)) if other != term and other not in taken)
    fallbacks = tuple(other for other in FALLBACKS.get(term or "", ()) if other not in (*taken, *also))
    if term == "amount_due" and not fallbacks:
        fallbacks = ("", "total")
    return Binding(frozenset(own_labels(field)), term, also, fallbacks, _role(field))


def _role(field: CanonicalField) -> Literal["first", "last"] | None:
    for source in (field.name.replace("_", " "), field.description):
        words = set(fold_label(source).split())
        if words & _FIRST:
            return "first"
        if words & _LAST:
            return "last"
    return None


def relevant(scan: Scan, binding: Binding) -> list[tuple[Hit, int]]:
    """Labels on the page that may speak for a field, each with its rank.

    Its own come first, then longer ones around them, then synonyms, then those of terms that may stand in.
    """
    ranked: dict[int, tuple[Hit, int]] = {}
    for key in sorted(binding.own):
        for hit in scan.by_key.get(key, ())[:MOST_HITS]:
            ranked[hit.index] = hit, 0
    terms = {binding.term: 2, **dict.fromkeys(binding.also, 3)}
    for term, rank in {**terms, **{term: 4 + n for n, term in enumerate(binding.fallbacks)}}.items():
        for hit in scan.by_term.get(term or "", ())[:MOST_HITS]:
            around = rank < 4 and any(key in hit.key for key in binding.own if len(key) > 3)
            ranked.setdefault(hit.index, (hit, 1 if around else rank))
    return [ranked[index] for index in sorted(ranked)][:MOST_HITS]


class Reader:
    """Reads the typed values of lines, each line once."""

    def __init__(self, context: CapabilityContext, scan: Scan) -> None:
        self.context, self.scan, self.page = context, scan, scan.page
        self.text = scan.page.text
        self.how = conventions(context)
        cache = context.document.cache.setdefault("line_values", {})
        self._cache: dict[tuple[str, int], list[Reading]] = cache

    def values(self, kind: str, line: int) -> list[Reading]:
        """Values of a kind on a line, in the document's own offsets."""
        key = (kind, line)
        if key not in self._cache:
            place = self.page.line(line)
            found = _FINDERS[kind](self.text[place.start : place.end], self)
            self._cache[key] = [reading.shifted(place.start) for reading in found]
        return self._cache[key]


def _find_dates(text: str, reader: Reader) -> list[Reading]:
    return find("date", text, reader.how) if any(map(str.isdigit, text)) else []


def _find_money(text: str, reader: Reader) -> list[Reading]:
    """Amounts of a line: those with a currency, then bare numbers in the currency of the page."""
    if not any(map(str.isdigit, text)):
        return []
    money = find("money", text, reader.how)
    bare = [reading for reading in find("decimal", text, reader.how) if not _overlaps(reading, money)]
    return sorted([*money, *bare], key=lambda reading: reading.start)


def _overlaps(reading: Reading, others: list[Reading]) -> bool:
    return any(reading.start < other.end and other.start < reading.end for other in others)


_IDENTIFIER = re.compile(r"[A-Za-z0-9](?:[\w./-]*[A-Za-z0-9])?")


def _find_identifiers(text: str, reader: Reader) -> list[Reading]:
    """Tokens with a digit that are neither dates nor amounts."""
    others = _find_dates(text, reader)
    found = []
    for match in _IDENTIFIER.finditer(text):
        token = match[0]
        if any(map(str.isdigit, token)) and len(token) > 1:
            reading = Reading(match.start(), match.end(), token)
            if not _overlaps(reading, others):
                found.append(reading)
    return found


_FINDERS: dict[str, Callable[[str, Reader], list[Reading]]] = {
    "date": _find_dates,
    "amount": _find_money,
    "identifier": _find_identifiers,
    "integer": lambda text, reader: find("integer", text, reader.how),
}


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
        value, steps = value.amount, steps[:-1]
    return attrs.evolve(reading, value=value, transforms=steps, alternatives=others)


def find_labelled(context: CapabilityContext, own_only: bool = False) -> list[Found]:
    """Values that stand with the field's labels, best first; rivals follow where none can honestly be put last.

    With `own_only`, nothing unless the best tie is to a label that the contract names.
    """
    cache, key = context.document.cache, ("labelled", context.field.path)
    if key not in cache:
        cache[key] = _find_spots(context)
    spots: list[Spot] = cache[key]
    if not spots or (own_only and spots[0].rank > 0):
        return []
    return to_found(context, spots)


def _find_spots(context: CapabilityContext) -> list[Spot]:
    scan = scan_of(context)
    binding = bind(context.field, context.contract)
    hits = relevant(scan, binding)
    reader = Reader(context, scan)
    kind = kind_of(context.field, binding)
    if kind == "amount":
        from paxman.capabilities.labelled_amounts import choose_amounts

        return choose_amounts(reader, binding, hits)
    return settle([spot for hit, rank in hits for spot in _SPOTTERS[kind](reader, binding, hit, rank)])


def kind_of(field: CanonicalField, binding: Binding) -> str:
    """What a field's value looks like."""
    if field.type is FieldType.DATE:
        return "date"
    if field.type in (FieldType.DECIMAL, FieldType.MONEY):
        return "amount"
    if field.type is not FieldType.STRING or field.constraint("pattern"):
        return "cell"
    if "vat_id" in field.semantic_tags or binding.term == "vat_id":
        return "vat"
    return "identifier" if binding.term in NUMBERS else "text"


def needs_label(field: CanonicalField, contract: CanonicalContract) -> bool:
    """Whether only a label can tell a field's value from others of its kind."""
    return kind_of(field, bind(field, contract)) in ("identifier", "vat", "amount")


def settle(spots: list[Spot]) -> list[Spot]:
    """The spots of the best tie; others are kept only if they agree with one of them."""
    if not spots:
        return []
    ordered = sorted(spots, key=lambda spot: spot.order)
    best = ordered[0]
    level = [spot for spot in ordered if (spot.cost, spot.rank) == (best.cost, best.rank)]
    values = [spot.reading.value for spot in level]
    return [spot for spot in ordered if spot in level or spot.reading.value in values]


MOST_PLACES = 2
"""Places of one value that count as evidence: a page that repeats its header says it once more, not five times."""


def to_found(context: CapabilityContext, spots: Iterable[Spot]) -> list[Found]:
    """Typed values with their evidence, with every honest reading of each."""
    counts: dict[str, int] = {}
    found = []
    for spot in spots:
        reading = as_type(spot.reading, context.field, conventions(context).currency)
        if reading is None:
            continue
        notes = ambiguity(reading, context.field.path)
        for each in (reading, *reading.alternatives):
            counts[repr(each.value)] = counts.get(repr(each.value), 0) + 1
            if counts[repr(each.value)] <= MOST_PLACES:
                ref = context.evidence((each.start, each.end), each.transforms)
                found.append(Found(each.value, attrs.evolve(ref, role="context") if spot.guess else ref, notes))
    return found


_ALPHA = re.compile(r"[^\W\d_]{2,}")


def modified(reader: Reader, hit: Hit) -> bool:
    """Whether other words of the same chunk stand before a label, as in "Agency order #"."""
    line = reader.page.line(hit.line)
    chunk = line.chunks[reader.page.chunk_at(hit.start)] if line.chunks else (hit.start, hit.start)
    before = reader.text[max(chunk[0], hit.start - 40) : hit.start]
    previous = reader.scan.before(hit)
    if previous and previous.end > chunk[0]:
        before = reader.text[previous.end : hit.start]
    before = before.rpartition(":")[2]
    return bool(_ALPHA.search(before)) and not any(map(str.isdigit, before))


def stop_of(reader: Reader, hit: Hit) -> int:
    """Where the next label on the line takes over, or the line ends."""
    following = reader.scan.after(hit)
    return following.start if following else reader.page.line(hit.line).end


def beside(reader: Reader, kind: str, hit: Hit, stop: int | None = None) -> list[Reading]:
    """Values between a label and the next one on the line."""
    values = reader.values(kind, hit.line)
    first = bisect_left(values, hit.end, key=lambda reading: reading.start)
    last = bisect_left(values, stop_of(reader, hit) if stop is None else stop, key=lambda reading: reading.start)
    return values[first:last]


def below(reader: Reader, kind: str, hit: Hit, most: int = 2) -> list[Reading]:
    """Values in the nearest chunk under a label."""
    page, upper = reader.page, reader.page.line(hit.line)
    if upper.end - upper.start > LONGEST_LINE:
        return []
    for lower in page.below(hit.line, most):
        chunk = under(page, hit, lower)
        if chunk:
            return [r for r in reader.values(kind, lower) if chunk[0] <= r.start < chunk[1]]
    return []


def under(page: Page, hit: Hit, lower: int) -> Span | None:
    """The chunk of a lower line in the column of a label."""
    line, upper = page.line(lower), page.line(hit.line)
    if line.end - line.start > LONGEST_LINE:
        return None
    left, right = hit.start - upper.start, hit.end - upper.start
    best, shared = None, 0
    for chunk in line.chunks:
        overlap = min(right, chunk[1] - line.start) - max(left, chunk[0] - line.start)
        if overlap > shared:
            best, shared = chunk, overlap
    if best is None and len(line.chunks) == len(upper.chunks) > 1:
        best = line.chunks[page.chunk_at(hit.start)]
    return best or _shifted(page, hit, lower)


def _shifted(page: Page, hit: Hit, lower: int) -> Span | None:
    """A chunk a little to the right of a label that has nothing under it and nothing beside it."""
    line, upper = page.line(lower), page.line(hit.line)
    right = hit.end - upper.start
    chunk = next((chunk for chunk in line.chunks if chunk[0] - line.start >= right), None)
    beyond = next((other for other in upper.chunks if other[0] > hit.start), None)
    if chunk is None or (beyond and beyond[0] - upper.start < chunk[1] - line.start):
        return None
    return chunk if chunk[0] - line.start - right <= SHIFT else None


def between(reader: Reader, hit: Hit, reading: Reading) -> str:
    return reader.text[hit.end : reading.start]


def _dates(reader: Reader, binding: Binding, hit: Hit, rank: int) -> Iterator[Spot]:
    """The date beside a label or below it; of a range the end that the field asks for."""
    weak = int(modified(reader, hit))
    if binding.term not in ("date", None) and hit.term == "date":
        weak += 1
    relation: Relation = "beside"
    dates = beside(reader, "date", hit)
    if dates and len(_ALPHA.findall(between(reader, hit, dates[0]))) > 2:
        weak += 1
    if not dates and not (hit.term == "period" and _is_word(reader, hit) and heads_items(reader, hit)):
        relation, dates = "below", below(reader, "date", hit)
    if not dates:
        return
    if weak + _COSTS[min(rank, len(_COSTS) - 1)] > _LOOSEST or (relation == "beside" and _in_prose(reader, hit, dates)):
        return
    ranged = len(dates) > 1 and is_range(reader, dates[0], dates[1])
    if binding.role and hit.term not in ("start_date", "end_date"):
        if ranged:
            yield Spot(dates[0] if binding.role == "first" else dates[1], hit, relation, rank, weak)
    else:
        yield Spot(dates[0], hit, relation, rank, weak + int(ranged))


_LOOSEST = 3


def _in_prose(reader: Reader, hit: Hit, dates: list[Reading]) -> bool:
    """Whether a sentence goes on after a date that only a space parts from its label."""
    gap = between(reader, hit, dates[0])
    if _SEPARATOR.match(gap) or "  " in gap:
        return False
    line = reader.page.line(hit.line)
    chunk = line.chunks[reader.page.chunk_at(dates[-1].start)]
    return len(_ALPHA.findall(reader.text[dates[-1].end : chunk[1]])) > 3


def _is_word(reader: Reader, hit: Hit) -> bool:
    return reader.text[hit.start : hit.end].isalpha()


_ITEM_TERMS = frozenset({"count", "unit_price", "description", "line_total"})


def heads_items(reader: Reader, hit: Hit) -> bool:
    """Whether a label heads a column of items."""
    return any(other.term in _ITEM_TERMS for other in reader.scan.on_line(hit.line) if other is not hit)


_RANGE = re.compile(
    r"\s*(?:[-–—/~]|to|thru|through|until|bis|au|al|a|do|t/m|hasta|até|-->?|hingga|至)\s*\Z", re.IGNORECASE
)


def is_range(reader: Reader, first: Reading, second: Reading) -> bool:
    gap = reader.text[first.end : second.start]
    return len(gap) <= 12 and bool(_RANGE.match(gap)) and first.value <= second.value


_NUMBER_TAIL = re.compile(
    r"(?:#|№|\b(?:no|nr|num|number|nummer|numero|número|n°|nº|n))[\s.:°º#)-]{0,8}\Z", re.IGNORECASE
)
_PARENTHESES = re.compile(r"\([^()]{0,30}\)")


def _identifiers(reader: Reader, binding: Binding, hit: Hit, rank: int) -> Iterator[Spot]:
    """The first token with digits after a number's label, or below it."""
    bare = not _NUMBER_TAIL.search(reader.text[hit.start : hit.end]) and not _is_compound(hit)
    weak = int(modified(reader, hit)) + int(bare)
    rank = 0 if rank < 4 and not bare else rank
    readings = beside(reader, "identifier", hit)
    reading = _identifier_beside(reader, hit, readings[:4], bare)
    if reading:
        yield Spot(reading, hit, "beside", rank, weak)
    elif not readings and _ends_chunk(reader, hit):
        for reading in below(reader, "identifier", hit)[:1]:
            if _is_number(reading, bare):
                yield Spot(reading, hit, "below", rank, weak)


def _is_compound(hit: Hit) -> bool:
    return hit.key.endswith(("nummer", "nr"))


def _identifier_beside(reader: Reader, hit: Hit, readings: list[Reading], bare: bool) -> Reading | None:
    """After a word for "number", or else with no word in between; what stands in brackets is passed over."""
    gaps = [between(reader, hit, reading) for reading in readings]
    for reading, gap in zip(readings, gaps, strict=True):
        if len(gap) < 80 and _NUMBER_TAIL.search(gap) and _is_number(reading, False):
            return reading
    for reading, gap in zip(readings, gaps, strict=True):
        if gap.count("(") <= gap.count(")") and not _ALPHA.search(_PARENTHESES.sub(" ", gap)):
            return reading if _is_number(reading, bare) else None
    return None


def _ends_chunk(reader: Reader, hit: Hit) -> bool:
    """Whether nothing but punctuation follows a label in its chunk."""
    chunk = reader.page.line(hit.line).chunks[reader.page.chunk_at(hit.end - 1)]
    return not any(map(str.isalnum, reader.text[hit.end : chunk[1]]))


def _is_number(reading: Reading, bare: bool) -> bool:
    token = str(reading.value)
    digits = sum(map(str.isdigit, token))
    return len(token) <= 40 and (2 * digits >= len(token) and digits > 2 if bare else digits > 0)


_SEPARATOR = re.compile(r"\s*[:=#]")
_VALUE = re.compile(r"[\s:.#=*-]*")
_SUB_LABEL = re.compile(r"(?:name|nom|nombre|nome|naam|nazwa|namn|navn|firma|company)\s*[:.]?\s*\Z", re.IGNORECASE)


def _texts(reader: Reader, binding: Binding, hit: Hit, rank: int) -> Iterator[Spot]:
    """What stands beside a label, up to the next column gap, or below it."""
    if hit.end - hit.start < 3:
        return
    weak = int(modified(reader, hit))
    span = _cell_beside(reader, hit)
    relation: Relation = "beside"
    if span is None and weak == 0 and _ends_chunk(reader, hit):
        relation, span = "below", _cell_below(reader, hit)
    if span:
        reading = _joined(reader, hit, span) or _plain(reader, span)
        if reading:
            yield Spot(reading, hit, relation, rank, weak)


def _cell_beside(reader: Reader, hit: Hit) -> Span | None:
    """The rest of a label's chunk after a colon, or the next chunk unless that is a label itself."""
    chunks = reader.page.line(hit.line).chunks
    index = reader.page.chunk_at(hit.end - 1)
    start = _skip(reader, hit.end)
    if start < chunks[index][1]:
        separated = _SEPARATOR.match(reader.text, hit.end)
        return (start, _cut(reader, hit, chunks[index])) if separated else None
    for following in chunks[index + 1 : index + 3]:
        if _SUB_LABEL.match(reader.text, following[0], following[1]):
            continue
        start = _skip(reader, following[0])
        stop = _cut(reader, hit, following)
        return (start, stop) if start < stop and not _names_column(reader, hit, following) else None
    return None


def _cut(reader: Reader, hit: Hit, chunk: Span) -> int:
    """Where a value ends: with its chunk, or before a label that ends the chunk or has a colon."""
    following = reader.scan.after(hit)
    while following and following.start < chunk[1]:
        if following.end >= chunk[1] - 1 or reader.text[following.end : following.end + 1] in (":", "#"):
            return following.start
        following = reader.scan.after(following)
    return chunk[1]


def _names_column(reader: Reader, hit: Hit, chunk: Span) -> bool:
    """Whether the chunk after a label is a heading too."""
    following = reader.scan.after(hit)
    if following is None or not chunk[0] <= following.start < chunk[1]:
        return False
    ends = following.end >= chunk[1] - 1 and following.start > chunk[0]
    return not ends and not any(map(str.isdigit, reader.text[chunk[0] : chunk[1]]))


def _skip(reader: Reader, position: int) -> int:
    match = _VALUE.match(reader.text, position)
    return match.end() if match else position


def _cell_below(reader: Reader, hit: Hit) -> Span | None:
    for lower in reader.page.below(hit.line, 1):
        chunk = under(reader.page, hit, lower)
        if chunk and _starts_left(reader.page, hit, lower, chunk):
            chunk = _shifted(reader.page, hit, lower)
        starts_label = any(other.start == chunk[0] for other in reader.scan.on_line(lower)) if chunk else True
        return None if starts_label else chunk
    return None


def _starts_left(page: Page, hit: Hit, lower: int, chunk: Span) -> bool:
    """Whether a chunk under a label only reaches there from a column further left."""
    return chunk[0] - page.line(lower).start < hit.start - page.line(hit.line).start - _ALIGNED


_ALIGNED = 10


def _plain(reader: Reader, span: Span) -> Reading | None:
    quote = reader.text[span[0] : span[1]].rstrip()
    if not _ALPHA.search(quote) or quote.endswith(":"):
        return None
    reading = read_value(quote, reader.context.field, reader.how)
    return _with_shorter(reading.shifted(span[0]), reader.text) if reading else None


_APPENDIX = re.compile(r"\s?\([\d/ -]{3,12}\)?\Z")


def _with_shorter(reading: Reading, text: str) -> Reading:
    """A name with a number in brackets behind it can honestly be read with that number and without."""
    appendix = _APPENDIX.search(text, reading.start, reading.end)
    if not appendix or reading.transforms or appendix.start() == reading.start:
        return reading
    name = Reading(reading.start, appendix.start(), text[reading.start : appendix.start()])
    return attrs.evolve(reading, alternatives=(name,), rule="a number in brackets is kept as it is printed")


_GOES_ON = re.compile(r"(?!P\.? ?O\.? ?Box)[^\W\d_]", re.IGNORECASE)


def _joined(reader: Reader, hit: Hit, span: Span) -> Reading | None:
    """A value that goes on in the line below, in its own column and with nothing under the label."""
    page, line = reader.page, reader.page.line(hit.line)
    column = span[0] - line.start
    if hit.line + 1 >= len(page) or line.end - line.start > LONGEST_LINE or column < 8:
        return None
    lower = page.line(hit.line + 1)
    chunk = next((c for c in lower.chunks if abs(c[0] - lower.start - column) <= 1), None)
    if chunk is None or ":" in reader.text[chunk[0] : chunk[1]] or not _ALPHA.search(reader.text, *chunk):
        return None
    left = [c for c in lower.chunks if c[1] <= chunk[0] and c[1] - lower.start > hit.start - line.start]
    if left or not _GOES_ON.match(reader.text, *chunk) or _is_labelled(reader, lower, chunk):
        return None
    parts = [(0, len(reader.text[span[0] : span[1]].rstrip())), (chunk[0] - span[0], chunk[1] - span[0])]
    step = "join:" + " ".join(f"{start}-{end}" for start, end in parts)
    value = " ".join(reader.text[span[0] + start : span[0] + end] for start, end in parts)
    return Reading(span[0], chunk[1], value, (step,))


def _is_labelled(reader: Reader, line: Line, chunk: Span) -> bool:
    """Whether the chunk to the left of another is its label, or the chunk starts with one."""
    before = [c for c in line.chunks if c[1] <= chunk[0]][-1:]
    if before and reader.text[before[0][1] - 1] == ":":
        return True
    return any(hit.start == chunk[0] for hit in reader.scan.on_line(reader.page.line_at(chunk[0])))


def _vat_ids(reader: Reader, binding: Binding, hit: Hit, rank: int) -> Iterator[Spot]:
    """The tax number beside or below its label; the buyer's own is left to the buyer."""
    others = _other_parties(reader.context.field)
    if section_of(reader, hit) in others or (
        "buyer" in others and _YOURS.search(reader.text[max(0, hit.start - 24) : hit.start])
    ):
        return
    for span in (_cell_beside(reader, hit), _rest(reader, hit), _cell_below(reader, hit)):
        found = read_vat_id(reader.text[span[0] : span[1]]) if span else None
        if span and found:
            yield Spot(found.shifted(span[0]), hit, "beside", rank, int(modified(reader, hit)))
            return


_YOURS = re.compile(r"\b(?:ihre|your|customer|kunden|client|votre|buyer|su|uw|twój|cliente)[ -]{1,3}\Z", re.IGNORECASE)


def _rest(reader: Reader, hit: Hit) -> Span | None:
    start, stop = _skip(reader, hit.end), stop_of(reader, hit)
    return (start, stop) if start < stop else None


def section_of(reader: Reader, hit: Hit) -> str | None:
    """The party whose heading stands last above a label, in about the same column."""
    column = hit.start - reader.page.line(hit.line).start
    for index in range(hit.index - 1, max(-1, hit.index - 40), -1):
        other = reader.scan.hits[index]
        if hit.line - other.line > _SECTION:
            return None
        offset = abs(other.start - reader.page.line(other.line).start - column)
        if other.term in PARTIES and offset < _COLUMN and _is_heading(reader, other):
            return other.term
    return None


_SECTION, _COLUMN = 15, 40
"""How many lines below a heading its block may reach, and how far to the side."""


def _is_heading(reader: Reader, hit: Hit) -> bool:
    line = reader.page.line(hit.line)
    return bool(line.chunks) and line.chunks[reader.page.chunk_at(hit.start)][0] == hit.start


def _other_parties(field: CanonicalField) -> frozenset[str]:
    words = fold_label(field.name.replace("_", " ")).split()
    named = (label_terms().get(key, ()) for word in words for key in compact_label(word))
    return PARTIES - {next((terms[0] for terms in named if terms and terms[0] in PARTIES), "seller")}


def _cells(reader: Reader, binding: Binding, hit: Hit, rank: int) -> Iterator[Spot]:
    span = _cell_beside(reader, hit) or _rest(reader, hit) or _cell_below(reader, hit)
    found = read_value(reader.text[span[0] : span[1]], reader.context.field, reader.how) if span else None
    if span and found:
        yield Spot(found.shifted(span[0]), hit, "beside", rank, int(modified(reader, hit)))


_SPOTTERS: dict[str, Callable[[Reader, Binding, Hit, int], Iterator[Spot]]] = {
    "date": _dates,
    "identifier": _identifiers,
    "text": _texts,
    "vat": _vat_ids,
    "cell": _cells,
}
