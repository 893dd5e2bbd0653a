"""Names and other text beside or below a label, and the tax numbers of a party."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import attrs

from paxman.capabilities.base import Basis
from paxman.capabilities.business_terms import PARTIES
from paxman.capabilities.buyers_papers import is_of_buyer
from paxman.capabilities.heading_rows import (
    begin_alike,
    crosses_headings,
    heads_list,
    heads_row,
    is_labelled_alike,
    is_over_value,
    may_be_form,
    may_be_name,
    may_head_row,
    may_head_values,
)
from paxman.capabilities.label_binding import STEM, Binding
from paxman.capabilities.label_layout import (
    LONGEST_LINE,
    WORDS,
    Reader,
    Relation,
    Spot,
    ends_chunk,
    is_labelled,
    modified,
    shifted,
    stop_of,
    under,
)
from paxman.capabilities.label_scan import Hit
from paxman.capabilities.labelled_addresses import means_address, read_address
from paxman.capabilities.leading_labels import is_choice
from paxman.capabilities.name_stems import asks_name, fits_noun
from paxman.capabilities.owners import owner_of_label, party_of
from paxman.capabilities.placeholders import is_next_label, is_worded
from paxman.capabilities.value_ends import end_of_value, may_be_other, names_column
from paxman.capabilities.values import narrow
from paxman.documents.visual_lines import Line, VisualLines
from paxman.finding.choices import offers_several
from paxman.finding.parties.line_shapes import is_label, is_moment
from paxman.recognizers import Reading, read_value
from paxman.recognizers.checksums import vat_country
from paxman.recognizers.identifiers import read_vat_id, to_compact
from paxman.recognizers.parties import is_legal_form
from paxman.types import FieldType, Span

_SEPARATOR = re.compile(r"[.]?\s*[:=#]")
_VALUE = re.compile(r"[\s:.#=*-]*")
_SUB_LABEL = re.compile(r"(?:name|nom|nombre|nome|naam|nazwa|namn|navn|firma|company)\s*[:.]?\s*\Z", re.IGNORECASE)


def spot_texts(reader: Reader, binding: Binding, hit: Hit, rank: int) -> Iterator[Spot]:
    """What stands beside a label, up to the next column gap, or below it."""
    if hit.end - hit.start < 3:
        return
    # Right after a letter the label is glued to another column, and no words before it belong to it.
    glued = reader.text[max(0, hit.start - 1) : hit.start].isalpha()
    weak = int(not glued and modified(reader, hit))
    stem = rank == STEM and hit.key in binding.stems
    code = _code_beside(reader, hit) if rank == 0 or stem else None
    if code and (not stem or fits_noun(reader.context.field, str(code.value))):
        yield Spot(code, hit, "beside", rank)
        return
    named = rank == 0 or stem
    for relation, span, basis in _places(reader, hit, weak):
        reading = _read(reader, hit, span, coded=named and (relation == "beside" or _in_rows(reader, hit, span)))
        if reading and (not stem or fits_noun(reader.context.field, str(reading.value))):
            loose = stem and asks_name(reader.context.field)  # A name behind a label that does not say "name".
            loose = loose or is_worded(str(reading.value), reader.context.field)
            yield Spot(reading, hit, relation, rank, weak, "wording" if loose else basis)


def _places(reader: Reader, hit: Hit, weak: int) -> Iterator[tuple[Relation, Span, Basis]]:
    """Beside a label, or else below it; both, told by the wording only, where it may head a row."""
    span = _cell_beside(reader, hit)
    heads = span is not None and (may_head_row(reader, hit) or is_over_value(reader, hit, span))
    if span:
        doubtful = heads or may_head_values(reader, hit) or may_be_other(reader, hit, span)
        yield "beside", span, "wording" if doubtful else "name"
    if (span is None or heads) and weak == 0 and ends_chunk(reader, hit) and not may_be_form(reader, hit):
        below = _cell_below(reader, hit)
        if below:
            yield "below", below, "wording" if heads or _may_be_beside(reader, hit) else "name"


def _may_be_beside(reader: Reader, hit: Hit) -> bool:
    """Whether nothing but its words makes the chunk beside a label another one: "Order type   Order status"."""
    chunks, index = reader.page.line(hit.line).chunks, reader.page.chunk_at(hit.start)
    beside = chunks[index + 1] if index + 1 < len(chunks) else None
    if beside is None or not begin_alike(reader.text, chunks[index], beside):
        return False
    return not (reader.scan.starts_at(beside[0]) or heads_row(reader, hit.line))


def _read(reader: Reader, hit: Hit, span: Span, *, coded: bool) -> Reading | None:
    """The text of a place, or where it may be one its address or code."""
    address = read_address(reader, hit, span) if means_address(reader.context.field) else None
    reading = address or _joined(reader, hit, span) or _plain(reader, span)
    return reading or (_code(reader, span) if coded else None)


def _cell_beside(reader: Reader, hit: Hit) -> Span | None:
    """The rest of a label's chunk after a colon, or the next chunk unless that is a label itself."""
    chunks = reader.page.line(hit.line).chunks
    index = reader.page.chunk_at(hit.end - 1)
    start = _skip(reader, hit.end)
    if start < chunks[index][1]:
        separated = _SEPARATOR.match(reader.text, hit.end)
        return (start, end_of_value(reader, hit, chunks[index])) if separated else None
    for following in chunks[index + 1 : index + 3]:
        if _SUB_LABEL.match(reader.text, following[0], following[1]):
            continue
        if is_next_label(reader.text, *following) or is_labelled_alike(reader.text, chunks[index], following):
            return None
        start = _skip(reader, following[0])
        stop = end_of_value(reader, hit, _across_slip(reader, hit.line, following))
        named = names_column(reader, hit, following) or heads_row(reader, hit.line)
        named = named or (is_over_value(reader, hit, following) and not may_be_name(reader, hit, following))
        return (start, stop) if start < stop and not named else None
    return None


def _in_rows(reader: Reader, hit: Hit, span: Span) -> bool:
    """Whether a row of values stands under a row of as many labels."""
    chunks = reader.page.line(reader.page.line_at(span[0])).chunks
    return 1 < len(chunks) == len(reader.page.line(hit.line).chunks)


# A digit within small letters is a slip: "C0de".
_CODE = re.compile(r"(?:[.]? #?|[.])(?![A-Z]{1,4}\d[a-z]{2})((?:[A-Z]{1,4}[-./]?)?\d[\w./-]{0,20}(?: \d{2,12}){0,4})\Z")


def _code_beside(reader: Reader, hit: Hit) -> Reading | None:
    """A code that is all that follows a label of the contract in its chunk, with no colon: "Room 412"."""
    chunks = reader.page.line(hit.line).chunks
    chunk = chunks[reader.page.chunk_at(hit.end - 1)]
    code = _CODE.match(reader.text, hit.end, chunk[1]) if chunk[0] == hit.start else None
    return Reading(code.start(1), code.end(1), code[1]) if code else None


def _across_slip(reader: Reader, line: int, chunk: Span) -> Span:
    """A chunk with the next one, where two spaces part them in a line whose columns stand far apart."""
    chunks = reader.page.line(line).chunks
    index = chunks.index(chunk)
    following = chunks[index + 1][0] if index + 1 < len(chunks) else 0
    if following - chunk[1] != 2 or reader.text[following] == "(" or reader.scan.starts_at(following):
        return chunk
    gaps = [right[0] - left[1] for left, right in pairwise(chunks[max(0, index - 3) : index + 4])]
    return (chunk[0], chunks[index + 1][1]) if max(gaps) > _FAR else chunk


_FAR = 5


def _skip(reader: Reader, position: int) -> int:
    match = _VALUE.match(reader.text, position)
    return match.end() if match else position


def _cell_below(reader: Reader, hit: Hit) -> Span | None:
    if heads_list(reader, hit):
        return None
    for lower in reader.page.below(hit.line, 1):
        chunk = None if crosses_headings(reader.page, hit, lower) else under(reader.page, hit, lower)
        if chunk and _starts_left(reader.page, hit, lower, chunk):
            chunk = shifted(reader.page, hit, lower)
        if chunk and is_legal_form(reader.text[chunk[0] : chunk[1]]):
            # It ends a name in the column before; what the label means stands in the next one.
            chunk = next((c for c in reader.page.line(lower).chunks if c[0] > chunk[1]), None)
        chunk = chunk and _past_sub_label(reader, hit, lower, chunk)
        own = reader.page.line(hit.line).chunks[reader.page.chunk_at(hit.start)]
        if chunk is None or reader.text[chunk[0]] == "*" or is_labelled_alike(reader.text, own, chunk):
            return None
        return None if is_labelled(reader, chunk) and not _NET_DAYS.fullmatch(reader.text, *chunk) else chunk
    return None


_NET_DAYS = re.compile(r"net(?:to)? \d{1,3}(?: [^\W\d_]{1,10})?", re.IGNORECASE)
"""Terms of payment, which begin like an amount."""


def _past_sub_label(reader: Reader, hit: Hit, lower: int, chunk: Span) -> Span | None:
    """A chunk below a heading, or what stands beside it if it is a label for a name, and nothing if for another."""
    chunks = reader.page.line(lower).chunks
    if len(chunks) <= len(reader.page.line(hit.line).chunks) or chunk == chunks[-1]:
        return chunk
    if _SUB_LABEL.match(reader.text, *chunk):
        return chunks[chunks.index(chunk) + 1]
    return None if is_label(reader.text[slice(*chunk)]) else chunk


def _number_below(reader: Reader, hit: Hit) -> Span | None:
    """The cell below a label; the number of a choice is none."""
    span = _cell_below(reader, hit)
    numeric = reader.context.field.type is FieldType.INTEGER
    return None if span and numeric and is_choice(reader.text, span) else span


def _starts_left(page: VisualLines, hit: Hit, lower: int, chunk: Span) -> bool:
    """Whether a chunk under a label only reaches there from a column further left."""
    return chunk[0] - page.line(lower).start < hit.start - page.line(hit.line).start - _ALIGNED


_ALIGNED = 10


def _plain(reader: Reader, span: Span) -> Reading | None:
    quote = reader.text[span[0] : span[1]].rstrip()
    if not WORDS.search(quote) or quote.endswith(":"):
        return None
    reading = read_value(quote, reader.context.field, reader.how)
    reading = narrow(reading, quote, reader.context.field) if reading else None
    return _with_shorter(reading.shifted(span[0]), reader.text) if reading else None


_CODE_ALONE = re.compile(r"(?:[A-Z]{1,4}[-./]?)?\d[\w/-]*(?:[ .][\w/-]+){0,5}(?: ?%)?")


def _code(reader: Reader, span: Span) -> Reading | None:
    """A number or code with no word in it, which only a label of the contract tells from a date or an amount."""
    quote = reader.text[span[0] : span[1]].rstrip()
    if len(quote) > _LONGEST_CODE or not _CODE_ALONE.fullmatch(quote) or is_moment(quote):
        return None
    reading = read_value(quote, reader.context.field, reader.how)
    return reading.shifted(span[0]) if reading else None


_LONGEST_CODE = 30
_APPENDIX = re.compile(r"\s?\([\d/ -]{3,12}\)?\Z")


def _with_shorter(reading: Reading, text: str) -> Reading:
    """A name with a number in brackets behind it can honestly be read with that number and without."""
    appendix = _APPENDIX.search(text, reading.start, reading.end)
    if not appendix or reading.transforms or appendix.start() == reading.start:
        return reading
    name = Reading(reading.start, appendix.start(), text[reading.start : appendix.start()])
    if not appendix[0].endswith(")"):
        return attrs.evolve(name, alternatives=(reading,), rule="a number that is cut off is left out")
    return attrs.evolve(reading, alternatives=(name,), rule="a number in brackets is kept as it is printed")


_GOES_ON = re.compile(r"(?!P\.? ?O\.? ?Box)[^\W\d_]", re.IGNORECASE)


def _joined(reader: Reader, hit: Hit, span: Span) -> Reading | None:
    """A value that goes on in the line below, in its own column and with nothing under the label."""
    page, line = reader.page, reader.page.line(hit.line)
    column = span[0] - line.start
    if hit.line + 1 >= len(page) or line.end - line.start > LONGEST_LINE or column < 8:
        return None
    lower = page.line(hit.line + 1)
    if lower.end - lower.start > LONGEST_LINE:
        return None
    chunk = next((c for c in lower.chunks if abs(c[0] - lower.start - column) <= 1), None)
    if chunk is None or ":" in reader.text[chunk[0] : chunk[1]] or not WORDS.search(reader.text, *chunk):
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
    return reader.scan.starts_at(chunk[0])


def spot_vat_ids(reader: Reader, binding: Binding, hit: Hit, rank: int) -> Iterator[Spot]:
    """The tax number beside or below its label; the buyer's own is left to the buyer."""
    owner, by_buyer = owner_of_label(reader.scan, hit), is_of_buyer(reader.context.document)
    issuer = "buyer" if by_buyer else "seller"
    if (owner or issuer) != (party_of(reader.context.field) or "seller"):
        return
    for span in (_before_other(reader, hit), _cell_beside(reader, hit), _cell_below(reader, hit)):
        label = reader.text[hit.start : hit.end]
        found = read_vat_id(reader.text[span[0] : span[1]], label, reader.how) if span else None
        if span and found and (hit.term != "tax" or str(found.value)[:2].isalpha()):
            # The number of a register may stand in for a VAT number, but not beside one.
            weak = int(modified(reader, hit)) + (hit.term == "other_number")
            weak += vat_country(to_compact(str(found.value))) is None
            basis: Basis = "place" if by_buyer and not owner else "name"
            yield Spot(found.shifted(span[0]), hit, "beside", rank, weak, basis)
            return


def _rest(reader: Reader, hit: Hit) -> Span | None:
    start, stop = _skip(reader, hit.end), stop_of(reader, hit)
    return (start, stop) if start < stop and not is_next_label(reader.text, start, stop) else None


def _before_other(reader: Reader, hit: Hit) -> Span | None:
    """The rest of a line up to a label of something else; a word for the tax may end its number: "785 MVA"."""
    start, following = _skip(reader, hit.end), reader.scan.after(hit)
    while following and _belongs(hit, following) and following.start < start + _LONGEST_NUMBER:
        following = reader.scan.after(following)
    stop = following.start if following else reader.page.line(hit.line).end
    if stop > start + _LONGEST_NUMBER:
        stop = reader.text.rfind(" ", start, start + _LONGEST_NUMBER)
    return (start, stop) if start < stop else None


def _belongs(hit: Hit, following: Hit) -> bool:
    """Whether a label goes on with the one behind it: a word for the tax, or whose number it is, "du client"."""
    return following.term == "tax" or (following.term in PARTIES and following.start - hit.end < _NEAR)


_NEAR = 8
_LONGEST_NUMBER = 80
"""Characters after a label in which its tax number ends."""


# A weight, length or volume is no count.
_UNIT = re.compile(
    r"\s?(?:[kmµ]?g|kilos?|grams?|tonnes?|tons?|lbs?|oz|[kcdm]?m[²³23]?|met(?:er|re)s?|ft|feet|inch(?:es)?|yards?|miles?"
    r"|[cdmh]?l|lit(?:er|re)s?|gal(?:lons?)?)\b",
    re.IGNORECASE,
)


_AND = r"(?:,|,? (?:and|und|et|y|e|och|og|en|i|&|\+))"
_FIGURE_BEFORE = re.compile(r"(?<![\w.,/-])\d{1,6} \Z")
_OWN_FIGURE = re.compile(rf"(?:^|[,;:(\t]|  |{_AND} )[ \t]*(\d{{1,6}}) \Z", re.IGNORECASE | re.MULTILINE)
_NEXT_COUNT = re.compile(rf"{_AND} \d{{1,6}} [^\W\d_]{{2}}", re.IGNORECASE)
_NOUN_END = re.compile(rf"[ \t]*(?:$|[;.()]|,(?!\d))|{_AND} |[ \t]{{1,20}}\d{{1,6}} [^\W\d_]{{2}}", re.MULTILINE)


def _is_counted(text: str, hit: Hit) -> bool:
    """Whether a word is what the number before it counts, and no label: "4 adults, 2 children", but not "1 Wages"."""
    if not _FIGURE_BEFORE.search(text, max(0, hit.start - 8), hit.start):
        return False
    if _NEXT_COUNT.match(text, hit.end):
        return True
    return text[hit.start].islower() and _NOUN_END.match(text, hit.end) is not None


def _count_before(reader: Reader, hit: Hit, rank: int) -> Iterator[Spot]:
    """The number before a noun, unless it may belong to the word before it: "Room 12 adults"."""
    count = _OWN_FIGURE.search(reader.text, max(0, hit.start - 20), hit.start)
    found = read_value(count[1], reader.context.field, reader.how) if count else None
    if count and found:
        yield Spot(found.shifted(count.start(1)), hit, "beside", rank)


def spot_cells(reader: Reader, binding: Binding, hit: Hit, rank: int) -> Iterator[Spot]:
    """A value of any other type; yes or no is an answer only where a label and nothing else stands before it."""
    if offers_several(reader.page, hit, reader.context.field):
        return
    if reader.context.field.type is FieldType.INTEGER and _is_counted(reader.text, hit):
        yield from _count_before(reader, hit, rank)
        return
    loose = None if reader.context.field.type is FieldType.BOOLEAN and modified(reader, hit) else _rest(reader, hit)
    span = _cell_beside(reader, hit) or loose or _number_below(reader, hit)
    found = read_value(reader.text[span[0] : span[1]], reader.context.field, reader.how) if span else None
    if span and found and binding.term == "count" and rank > 0 and _UNIT.match(reader.text, span[0] + found.end):
        return
    if span and found:
        found = narrow(found, reader.text[span[0] : span[1]], reader.context.field)
        yield Spot(found.shifted(span[0]), hit, "beside", rank, int(modified(reader, hit)))
