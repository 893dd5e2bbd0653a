"""Names and other text beside or below a label, and the tax numbers of a party."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import attrs

from paxman.capabilities.base import Basis
from paxman.capabilities.business_terms import PARTIES
from paxman.capabilities.choices import offers_several
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
from paxman.capabilities.label_scan import Hit, Line, Page
from paxman.capabilities.labelled_addresses import means_address, read_address
from paxman.capabilities.leading_labels import is_choice, is_labelled_alike
from paxman.capabilities.line_shapes import is_moment
from paxman.capabilities.name_stems import asks_name, fits_noun
from paxman.capabilities.owners import owner_of_label, party_of
from paxman.capabilities.placeholders import is_next_label
from paxman.capabilities.values import narrow
from paxman.capabilities.vocabulary import pattern
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
    span = _cell_beside(reader, hit)
    relation: Relation = "beside"
    if span is None and weak == 0 and ends_chunk(reader, hit):
        relation, span = "below", None if _may_be_form(reader, hit) else _cell_below(reader, hit)
    if span:
        named = (rank == 0 or stem) and (relation == "beside" or _in_rows(reader, hit, span))
        address = read_address(reader, hit, span) if means_address(reader.context.field) else None
        reading = address or _joined(reader, hit, span) or _plain(reader, span)
        reading = reading or (_code(reader, span) if named else None)
        if reading and (not stem or fits_noun(reader.context.field, str(reading.value))):
            yield Spot(reading, hit, relation, rank, weak, _basis(reader, hit, relation, stem=stem))


def _basis(reader: Reader, hit: Hit, relation: Relation, *, stem: bool) -> Basis:
    """What may be a heading is told by its wording only, and so is a name behind a label that does not say "name"."""
    beside = relation == "beside"
    loose = (stem and asks_name(reader.context.field)) or (
        beside and (_may_head_row(reader, hit) or _may_head_values(reader, hit))
    )
    return "wording" if loose else "name"


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
        if is_next_label(reader.text, *following) or is_labelled_alike(reader.text, chunks[index], following):
            return None
        start = _skip(reader, following[0])
        stop = _cut(reader, hit, _across_slip(reader, hit.line, following))
        named = _names_column(reader, hit, following) or heads_row(reader, hit.line)
        named = named or _is_over_value(reader, hit, following)
        return (start, stop) if start < stop and not named else None
    return None


def _is_over_value(reader: Reader, hit: Hit, chunk: Span) -> bool:
    """Whether a number or day under the chunk beside a label makes it a heading, for it has a noun of forms in it."""
    if not pattern(r"\b(?:{form_noun})\b").search(reader.text, *chunk):
        return False
    page, upper = reader.page, reader.page.line(hit.line)
    lower = next(iter(page.below(hit.line, 1)), None)
    if lower is None or lower > hit.line + 1 or ":" in reader.text[hit.start : chunk[1]]:
        return False
    below = [_in_column(page, lower, at - upper.start) for at in (hit.start, chunk[0])]
    if below[0] is None or below[1] is None or _above_is_label(reader, hit):
        return False
    words, value = (reader.text[start:end] for start, end in (below[0], below[1]))
    return _VALUES.match(value) is not None and WORDS.search(words) is not None and not is_labelled(reader, below[0])


def _in_column(page: Page, number: int, column: int) -> Span | None:
    """The chunk of a line that starts where another one does."""
    line = page.line(number)
    return next((c for c in line.chunks if abs(c[0] - line.start - column) <= _SLACK), None)


def _above_is_label(reader: Reader, hit: Hit) -> bool:
    """Whether another label stands right above, as in a form."""
    above = reader.page.line(hit.line - 1) if hit.line else None
    column = hit.start - reader.page.line(hit.line).start
    return above is not None and any(c[0] - above.start == column and reader.scan.starts_at(c[0]) for c in above.chunks)


_VALUES = re.compile(r"\W{0,2}\d[\d./-]{2,20}(?!\S)")


def heads_row(reader: Reader, number: int) -> bool:
    """Whether a line is a row of headings: words over as many values, of which one is no label of a form."""
    upper, cache = reader.page.line(number), reader.context.document.cache.setdefault("heads_row", {})
    if number not in cache:
        lower = next(iter(reader.page.below(number, 1)), None) if _FEWEST <= len(upper.chunks) <= _MOST else None
        cache[number] = lower is not None and _is_row_of_values(reader, upper, reader.page.line(lower))
    return bool(cache[number])


_FEWEST, _MOST, _SLACK = 2, 12, 2


def _is_row_of_values(reader: Reader, upper: Line, lower: Line) -> bool:
    if _NO_HEADING.search(reader.text, upper.start, upper.end) or len(upper.chunks) != len(lower.chunks):
        return False
    pairs = zip(upper.chunks, lower.chunks, strict=True)
    if any(abs((above[0] - upper.start) - (below[0] - lower.start)) > _SLACK for above, below in pairs):
        return False
    # In a form every other chunk is a label.
    labels = lower.chunks[::2]
    if any(reader.scan.starts_at(chunk[0]) for chunk in labels):
        return False
    if len(labels) * 2 > len(lower.chunks) or any(_FIGURES.match(reader.text, *chunk) for chunk in labels):
        return True
    return all(_NO_LABEL.match(reader.text, *chunk) for chunk in labels)


def _may_head_row(reader: Reader, hit: Hit) -> bool:
    """Whether two words over two others may be headings as well as a label and its value."""
    page, upper = reader.page, reader.page.line(hit.line)
    around = [page.line(near).chunks for near in (hit.line - 1, hit.line + 2) if 0 <= near < len(page)]
    if any(around) or hit.line + 1 == len(page) or not len(upper.chunks) == 2 == len(page.line(hit.line + 1).chunks):
        return False
    beside, below = upper.chunks[1], page.line(hit.line + 1).chunks[0]
    return reader.text.count(" ", *beside) < reader.text.count(" ", *below) and not reader.scan.starts_at(below[0])


def _may_head_values(reader: Reader, hit: Hit) -> bool:
    """Whether a word beside a label may be a heading: one of several over nothing, or one over values of one shape."""
    page, upper = reader.page, reader.page.line(hit.line)
    if _NO_HEADING.search(reader.text, upper.start, upper.end):
        return False
    lines = list(page.below(hit.line, 2))
    if len(upper.chunks) != 2 or not lines:
        return len(upper.chunks) > 2 and not lines
    below = [_in_column(page, lower, upper.chunks[1][0] - upper.start) for lower in lines]
    if any(len(page.line(lower).chunks) > 2 or is_labelled(reader, page.line(lower).chunks[0]) for lower in lines):
        return False
    shapes = {_LETTERS.sub("a", _NUMBER.sub("0", reader.text[slice(*chunk)])) if chunk else "" for chunk in below}
    return len(shapes) == 1 and _CODE_SHAPE.search(shapes.pop()) is not None


def _may_be_form(reader: Reader, hit: Hit) -> bool:
    """Whether nothing but its odd number of columns tells a row of headings over words from a form."""
    if reader.scan.after(hit) or not heads_row(reader, hit.line):
        return False
    lower = reader.page.line(next(iter(reader.page.below(hit.line, 1))))
    return not any(_NO_LABEL.match(reader.text, *chunk) for chunk in lower.chunks)


_LETTERS, _NUMBER = re.compile(r"[^\W\d_]+"), re.compile(r"\d+")
# A code of letters and digits.
_CODE_SHAPE = re.compile(r"a\W?0|0\W?a")
_NO_HEADING = re.compile(r"[\d:：=]")
_FIGURES = re.compile(r"(?:[^\s\d]{0,20}(?:\d[^\s\d]{0,3}){3,20}|[\d.,]{1,20})\Z")
_NO_LABEL = re.compile(r"\S{0,40}\d|[^\W\d_]{1,3}\. ")


def _in_rows(reader: Reader, hit: Hit, span: Span) -> bool:
    """Whether a row of values stands under a row of as many labels."""
    chunks = reader.page.line(reader.page.line_at(span[0])).chunks
    return 1 < len(chunks) == len(reader.page.line(hit.line).chunks)


# A digit within small letters is a slip: "C0de".
_CODE = re.compile(r"[.]? #?(?![A-Z]{1,4}\d[a-z]{2})((?:[A-Z]{1,4}[-./]?)?\d[\w./-]{0,20}(?: \d{2,12}){0,4})\Z")


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


def _cut(reader: Reader, hit: Hit, chunk: Span) -> int:
    """Where a value ends: with its chunk, or before a label that ends the chunk, but not a code, or has a colon."""
    following = reader.scan.after(hit)
    while following and following.start < chunk[1]:
        inside = reader.text[following.start - 1] in _IN_CODES
        inside = inside or (following.start == chunk[0] and _is_payment(reader, hit, following))
        if (following.end >= chunk[1] - 1 and not inside) or reader.text[following.end : following.end + 1] in _MARKS:
            return chunk[0] + len(_SENTENCE_END.sub("", reader.text[chunk[0] : following.start].rstrip(_LEADS_ON)))
        following = reader.scan.after(following)
    return chunk[1]


# A full stop after a small word ends a sentence; after others it may belong to "Inc." or "St.".
_SENTENCE_END = re.compile(r"(?<=[^\W\d_A-Z]{4})[.]\Z")
_LEADS_ON = " \t\xa0,;|·•"


_MARKS = (":", "#")
_IN_CODES = frozenset("0123456789./-_")


def _names_column(reader: Reader, hit: Hit, chunk: Span) -> bool:
    """Whether the chunk after a label is a heading too; a way to pay is rather its value: "Method   Credit card"."""
    following = reader.scan.after(hit)
    if following is None or not chunk[0] <= following.start < chunk[1] or _is_payment(reader, hit, following):
        return False
    # A name may begin or end with the word of a label, such as "Total Garden".
    begins, ends = following.start == chunk[0], following.end >= chunk[1] - 1
    return begins == ends and not any(map(str.isdigit, reader.text[chunk[0] : chunk[1]]))


def _is_payment(reader: Reader, hit: Hit, following: Hit) -> bool:
    """Whether a word for a payment beside a label is its value, for nothing but another label stands below."""
    if following.term != "tendered" or len(reader.page.line(hit.line).chunks) != 2:
        return False
    lower = next(iter(reader.page.below(hit.line, 1)), None)
    chunk = None if lower is None else under(reader.page, hit, lower)
    return chunk is None or is_labelled(reader, chunk)


def _skip(reader: Reader, position: int) -> int:
    match = _VALUE.match(reader.text, position)
    return match.end() if match else position


def _heads_list(reader: Reader, hit: Hit) -> bool:
    """Whether a heading stands over several rows: those of a list, and none is that of this paper."""
    lines = [reader.page.line(line).chunks for line in range(hit.line, min(hit.line + 3, len(reader.page)))]
    return len(lines) == 3 and len(set(map(len, lines))) == 1 and heads_row(reader, hit.line)


def _cell_below(reader: Reader, hit: Hit) -> Span | None:
    if _heads_list(reader, hit):
        return None
    for lower in reader.page.below(hit.line, 1):
        chunk = under(reader.page, hit, lower)
        if chunk and _starts_left(reader.page, hit, lower, chunk):
            chunk = shifted(reader.page, hit, lower)
        if chunk and is_legal_form(reader.text[chunk[0] : chunk[1]]):
            # It ends a name in the column before; what the label means stands in the next one.
            chunk = next((c for c in reader.page.line(lower).chunks if c[0] > chunk[1]), None)
        own = reader.page.line(hit.line).chunks[reader.page.chunk_at(hit.start)]
        if chunk is None or reader.text[chunk[0]] == "*" or is_labelled_alike(reader.text, own, chunk):
            return None
        return None if is_labelled(reader, chunk) else chunk
    return None


def _number_below(reader: Reader, hit: Hit) -> Span | None:
    """The cell below a label; the number of a choice is none."""
    span = _cell_below(reader, hit)
    numeric = reader.context.field.type is FieldType.INTEGER
    return None if span and numeric and is_choice(reader.text, span) else span


def _starts_left(page: Page, hit: Hit, lower: int, chunk: Span) -> bool:
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


_CODE_ALONE = re.compile(r"(?:[A-Z]{1,4}[-./]?)?\d[\w/-]*(?:[ .][\w/-]+){0,5}")


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
    if (owner_of_label(reader.scan, hit) or "seller") != (party_of(reader.context.field) or "seller"):
        return
    for span in (_before_other(reader, hit), _cell_beside(reader, hit), _cell_below(reader, hit)):
        label = reader.text[hit.start : hit.end]
        found = read_vat_id(reader.text[span[0] : span[1]], label, reader.how) if span else None
        if span and found and (hit.term != "tax" or str(found.value)[:2].isalpha()):
            # The number of a register may stand in for a VAT number, but not beside one.
            weak = int(modified(reader, hit)) + (hit.term == "other_number")
            weak += vat_country(to_compact(str(found.value))) is None
            yield Spot(found.shifted(span[0]), hit, "beside", rank, weak)
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


def spot_cells(reader: Reader, binding: Binding, hit: Hit, rank: int) -> Iterator[Spot]:
    """A value of any other type; yes or no is an answer only where a label and nothing else stands before it."""
    if offers_several(reader.page, hit, reader.context.field):
        return
    loose = None if reader.context.field.type is FieldType.BOOLEAN and modified(reader, hit) else _rest(reader, hit)
    span = _cell_beside(reader, hit) or loose or _number_below(reader, hit)
    found = read_value(reader.text[span[0] : span[1]], reader.context.field, reader.how) if span else None
    if span and found and binding.term == "count" and rank > 0 and _UNIT.match(reader.text, span[0] + found.end):
        return
    if span and found:
        found = narrow(found, reader.text[span[0] : span[1]], reader.context.field)
        yield Spot(found.shifted(span[0]), hit, "beside", rank, int(modified(reader, hit)))
