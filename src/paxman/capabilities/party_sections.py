"""Names below or beside a heading such as "Seller" or "Bill to": what a labelled block of lines says first."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.bracketed_roles import named_before
from paxman.capabilities.business_terms import ITEM_TERMS
from paxman.capabilities.label_binding import MOST_HITS
from paxman.capabilities.label_scan import Hit, Scan, scan_of
from paxman.capabilities.page_lines import Chunk, Line, page_lines
from paxman.capabilities.value_ends import pair_within
from paxman.contract.labels import compact_label
from paxman.finding.blanks import names_nothing
from paxman.finding.parties import line_shapes as shapes
from paxman.recognizers.tables import pattern
from paxman.types import Span

_LONGEST = 400
"""Characters in which the value of a party ends."""
_DEEPEST = 7
"""Lines below a heading among which its name stands."""
_FARTHEST = 3
"""Blank lines that a block may hold."""
_LONGEST_HEADING = 50

_OTHER_LABEL = re.compile(
    r"[^\W\d_][^:]{0,40}?\s*[:#]|(?:GLN|GTIN|ID|VAT|NR|NO|USt)\b|[^\W\d_]{2,14}\W{0,3}\d{5,}", re.IGNORECASE
)


def is_salutation(text: str) -> bool:
    """Whether a line holds nothing but "Mr" or "Messrs"."""
    return pattern(r"(?:{salutation}|{person_title})\s*:?\s*\Z").match(text) is not None


def named_under(salutation: Chunk, name: Chunk) -> tuple[Span, ...]:
    """A name with the title in the line above it; "Messrs" or "To" say whom a letter goes to, and no more."""
    titled = pattern(r"(?:{person_title})\s*\Z").match(salutation.text)
    return (salutation.span, name.span) if titled else (name.span,)


def names_in_sections(
    context: CapabilityContext, term: str, stop: int | None = None, leading: bool | None = None
) -> Iterator[tuple[bool, tuple[Span, ...]]]:
    """Spans of each name that a heading of this term (seller, buyer) announces, and whether the contract names it.

    Headings are looked for up to `stop`; with `leading` only those that lead to a name, such as "From" or "Messrs",
    or only others.
    """
    found = scan_of(context)
    keys = (key for label in context.field.labels for key in compact_label(label))
    own = [hit for key in keys for hit in found.by_key.get(key, ())]
    usual = [hit for hit in found.by_term.get(term, ()) if hit.term == term]
    if leading is not None:
        usual = [hit for hit in usual if only_leads(context.document.text, hit) is leading]
    hits = [*own, *usual][:MOST_HITS]
    if not hits:
        return
    lines = page_lines(context.document)
    labels = frozenset((hit.start, hit.end) for hit in found.hits)
    table = _table_start(found)
    for hit in hits:
        if stop is not None and hit.start >= stop:
            continue
        text = context.document.text
        named = named_before(text, hit)
        if named is not None:
            yield from ((hit in own, (span,)) for span in named)
            continue
        number, start = bisect_right(lines, hit.start, key=_start) - 1, _label_start(text, hit)
        chunk = _chunk_from(found, lines[number], start, hit) if number >= 0 else None
        if chunk and 0 < table < hit.start and chunk.start > lines[number].chunks[0].start and ":" not in chunk.text:
            continue
        if chunk and ":" not in chunk.text and _is_over_rows(lines, number, chunk):
            continue
        spans = _announced(lines, number, chunk, hit.end - start + (start < hit.start), labels) if chunk else ()
        if spans and (hit in own or not _tells_way(text, hit, spans)):
            yield hit in own, spans


def _chunk_from(scan: Scan, line: Line, start: int, hit: Hit) -> Chunk | None:
    """A chunk that a label begins, or what follows another pair in it: "Seller: Acme, Buyer: Bob"."""
    chunk = next((c for c in line.chunks if c.start <= start < c.end), None)
    if chunk is None or (chunk.start < start and not _follows_pair(chunk, start, hit)):
        return None
    return _before_pair(scan, hit, _part(chunk, start, chunk.end))


def _follows_pair(chunk: Chunk, start: int, hit: Hit) -> bool:
    """Whether a label within a chunk has a colon and a value, and a comma or another pair stands before it."""
    before, after = chunk.text[: start - chunk.start].rstrip(), chunk.text[hit.end - chunk.start :]
    return _VALUE.match(after) is not None and (before[-1:] in _PARTING or ":" in before)


def _before_pair(scan: Scan, hit: Hit, chunk: Chunk) -> Chunk:
    """A chunk without another label and its value that follow the name: "Customer: Bob Date 12.5.24"."""
    colon = chunk.text.find(":") + 1
    if not colon or not (":" in chunk.text[colon:] or any(map(str.isdigit, chunk.text))):
        return chunk
    if listed := _listed(scan, chunk, max(hit.end, chunk.start + colon + 1)):
        return _part(chunk, chunk.start, listed)
    following = pair_within(scan, chunk.start + colon, chunk.end)
    if following is None or shapes.legal_end(chunk.text) > following.start - chunk.start:
        return chunk
    return _part(chunk, chunk.start, following.start)


def _listed(scan: Scan, chunk: Chunk, start: int) -> int:
    """Where the next label with a colon and a value begins in a chunk, known or behind a comma, or 0."""
    end = min(chunk.end, start + _LONGEST)
    known = (hit.start for hit in scan.within(start, end) if _VALUE.match(chunk.text, hit.end - chunk.start))
    unknown = _OTHER_PAIR.search(chunk.text, start - chunk.start, end - chunk.start)
    return min((*known, *((chunk.start + unknown.start(),) if unknown else ())), default=0)


def _part(chunk: Chunk, start: int, end: int) -> Chunk:
    text = chunk.text[start - chunk.start : end - chunk.start]
    text = text.rstrip(" ,;|") if end < chunk.end else text
    return Chunk(start, start + len(text), chunk.column + start - chunk.start, text)


_VALUE = re.compile(r"[.]?\s?[:：]\s*\S")
_OTHER_PAIR = re.compile(r"[,;|] [^\W\d_][^,;:|\d]{1,24}:\s\S")
_PARTING = (",", ";", "|", "·")


def only_leads(text: str, hit: Hit) -> bool:
    """Whether a label says that a paper comes from somebody or goes to him, and not who he is."""
    return pattern(r"(?:{salutation}|from)\W*\Z").match(text[hit.start : hit.end]) is not None


def _label_start(text: str, hit: Hit) -> int:
    """Where a label starts, or the words that it explains in brackets: "Party A (Buyer)"."""
    explained = _EXPLAINED.search(text, max(0, hit.start - _LONGEST_HEADING), hit.start)
    return explained.start(1) if explained and text[hit.end : hit.end + 1] in _CLOSING else hit.start


_EXPLAINED = re.compile(r"(?:\A|\n|[ \t]{2})[ \t]*([^\W\d_][^()（）:：\n]{0,23}[(（])\Z")
_CLOSING = (")", "）")


def _is_over_rows(lines: tuple[Line, ...], number: int, chunk: Chunk) -> bool:
    """Whether a chunk is a heading of a table: two rows of as many cells as its own line has stand below it."""
    width, rows = len(lines[number].chunks), lines[number + 1 : number + 3]
    return (
        width > 3
        and chunk.start > lines[number].chunks[0].start
        and [len(row.chunks) for row in rows] == [width, width]
    )


def _table_start(scan: Scan) -> int:
    """Where the headings of a table begin, or 0; a word within one of its rows announces nobody."""
    items = pairwise(hit for hit in scan.hits if hit.term in ITEM_TERMS)
    return next((hit.start for hit, other in items if hit.line == other.line), 0)


def _tells_way(text: str, hit: Hit, spans: tuple[Span, ...]) -> bool:
    """Whether "From" leads to a place or a day, and not to a company or to a name over its address."""
    if text[hit.start : hit.end].casefold() != "from" or shapes.legal_end(text[spans[0][0] : spans[-1][1]]):
        return False
    below = text[spans[-1][1] : spans[-1][1] + _ADDRESS].split("\n")[1:3]
    return not any(shapes.is_street(line) and not shapes.is_of_form(line) for line in map(str.strip, below))


_ADDRESS = 240


def starts_of_others(context: CapabilityContext, stop: int) -> frozenset[int]:
    """Where names of others than the issuer start, as headings tell, or chunks that begin with such a heading."""
    found = scan_of(context)
    text = context.document.text
    hits = [hit for term in ("buyer", "ship_to", "payee") for hit in found.by_term.get(term, ()) if hit.term == term]
    headings = [_label_start(text, hit) for hit in hits if _HEADING.match(text, hit.end)]
    terms = [term for term in ("buyer", "ship_to") if any(hit.term == term for hit in hits)]
    sections = (section for term in terms for section in names_in_sections(context, term, stop))
    return frozenset((*headings, *(start for own, spans in sections if not own for start, _ in spans)))


_HEADING = re.compile(r"[^\n:：]{0,12}[:：]|[ \t]*(?:\n|\Z)")


def _start(line: Line) -> int:
    return line.start


def _announced(
    lines: tuple[Line, ...], number: int, chunk: Chunk, length: int, labels: frozenset[Span]
) -> tuple[Span, ...]:
    """The name that a chunk announces if the label is all of its heading, or its first word for the same thing."""
    heading, _, rest = chunk.text.replace("：", ":").partition(":")
    more = heading[length:].strip()
    if len(heading) > _LONGEST_HEADING or (more and not more.startswith(("/", "("))):
        return ()
    if rest.strip():
        kept = rest.lstrip()
        value = _without_address(Chunk(chunk.end - len(kept), chunk.end, chunk.right - len(kept), kept))
        return _with_wrap(lines, number, value) if is_name(value.text) else ()
    beside = _beside(lines, number, chunk, labels)
    if beside and _in_form(lines, number, chunk, labels):
        return beside
    below = _below(lines, number, chunk, labels)
    return beside if beside and below and _is_pair(lines, number, chunk, below[0]) else below or beside


def _without_address(value: Chunk) -> Chunk:
    """A name without the address behind a comma: "Alder, 3 Rue Neuve, 1000 Brussels"."""
    end = shapes.legal_end(value.text) or value.text.find(", ")
    name, rest = value.text[:end], value.text[end:].lstrip(", ")
    if end < 1 or not (shapes.is_street(rest) and any(map(str.isdigit, rest))) or shapes.is_street(name):
        return value
    return Chunk(value.start, value.start + len(name), value.column, name)


def _is_pair(lines: tuple[Line, ...], number: int, heading: Chunk, below: Span) -> bool:
    """Whether what stands below a heading is another label: a value is beside each, and neither heads an address."""
    value = next(c for c in lines[number].chunks if c.start > heading.start)
    lower = bisect_right(lines, below[0], key=_start) - 1
    left, right = lines[lower].chunks[0], next(iter(lines[lower].chunks[1:]), None)
    if right is None or left.start != below[0] or lines[lower].number - lines[number].number > _WRAPPED:
        return False
    # Words over words may be a row of headings.
    if any(map(str.isdigit, value.text)) or not any(map(str.isdigit, right.text)):
        return False
    columns = [[chunk.column for chunk in line.chunks[:2]] for line in lines[lower + 1 : lower + 2]]
    if columns != [[left.column, right.column]]:
        return False
    if right.column != value.column or shapes.legal_end(left.text) or _is_of_address(right.text):
        return False
    under = (_under(line, heading) for line in lines[lower + 1 : lower + 3])
    return not any(c and shapes.is_street(c.text) for c in under)


_WRAPPED = 2
"""Lines that the value beside a label takes at most."""


def _is_of_address(text: str) -> bool:
    return shapes.is_street(text) or shapes.is_contact(text) or shapes.is_registration(text)


def _in_form(lines: tuple[Line, ...], number: int, heading: Chunk, labels: frozenset[Span]) -> bool:
    """Whether the line above or below is another label, in the column of this one, with a value in that of its own."""
    value = next(c for c in lines[number].chunks if c.start > heading.start)
    near = (line for line in lines[max(0, number - 1) : number + 2] if abs(line.number - lines[number].number) == 1)
    own = _place(lines[number], heading), _place(lines[number], value)
    pairs = ((line, *pair) for line in near for pair in pairwise(line.chunks))
    alike = [p for p in pairs if _is_label(p[1], labels) and (_place(p[0], p[1]), _place(p[0], p[2])) == own]
    if own[0] >= 0 and any(label.span in labels for _, label, _ in alike):
        return True
    return any(right.span not in labels for _, _, right in alike) and not _heads_block(lines, number, heading)


def _is_label(chunk: Chunk, labels: frozenset[Span]) -> bool:
    return chunk.span in labels or chunk.text.endswith(":")


def _place(line: Line, chunk: Chunk) -> int:
    """Where a chunk starts in its line; of cells that tabs part, whether before it stand two, four, or an odd count."""
    return -1 - line.text.count("\t", 0, chunk.column) % 2 if "\t" in line.text else chunk.column


def _heads_block(lines: tuple[Line, ...], number: int, heading: Chunk) -> bool:
    """Whether a company or an address stands below a heading."""
    below = [_under(line, heading) for line in lines[number + 1 : number + 4]]
    return any(c and (shapes.is_street(c.text) or (c is below[0] and shapes.legal_end(c.text))) for c in below)


def _beside(lines: tuple[Line, ...], number: int, heading: Chunk, labels: frozenset[Span]) -> tuple[Span, ...]:
    chunk = next((c for c in lines[number].chunks if c.start > heading.start), None)
    return _with_wrap(lines, number, chunk) if chunk and chunk.span not in labels and is_name(chunk.text) else ()


def _below(lines: tuple[Line, ...], number: int, heading: Chunk, labels: frozenset[Span]) -> tuple[Span, ...]:
    """The first name in the column; labelled numbers are passed over, a street or another heading ends the search.

    What stands right over the number of a house is the name, whatever number is beside it.
    """
    last, passed = lines[number].number, tuple[Span, ...]()
    others = (c for c in lines[number].chunks if c.start > heading.end)
    beside = [c for c in others if c.text.endswith(":") or c.span in labels or _NUMBERED.search(c.text)]
    for lower in range(number + 1, min(len(lines), number + 1 + _DEEPEST)):
        line = lines[lower]
        chunk = _under(line, heading)
        if line.number - last > _FARTHEST:
            return ()
        if chunk is None:
            continue
        last = line.number
        if named := _name_in(chunk):
            return _with_wrap(lines, lower, named)
        value = _value_of_label(line, chunk, beside)
        if not value and chunk.span in labels and line.number > lines[number].number + 1:
            return ()
        if value and pattern(r"(?:{name_label})\s*:?\s*\Z").match(chunk.text):
            return (*_started_above(lines, lower, value), *_with_wrap(lines, lower, value))
        if not value and is_name(chunk.text):
            return _with_wrap(lines, lower, chunk)
        if shapes.is_street(chunk.text) and not _OTHER_LABEL.match(chunk.text):
            return passed if any(map(str.isdigit, chunk.text)) else ()
        passed = (chunk.span,) if value and is_name(chunk.text) else ()
    return ()


def _name_in(chunk: Chunk) -> Chunk | None:
    """The name in a chunk such as "Name: Acme"."""
    lead = pattern(r"(?:{name_label})\s*:\s*").match(chunk.text) if ":" in chunk.text else None
    name = chunk.text[lead.end() :] if lead else ""
    return Chunk(chunk.end - len(name), chunk.end, chunk.right - len(name), name) if is_name(name) else None


def _value_of_label(line: Line, label: Chunk, headings: list[Chunk]) -> Chunk | None:
    """What stands beside a chunk that is a label, for its colon, its word or the number there: "Name   Acme"."""
    value = next((c for c in line.chunks if c.start > label.start), None)
    if value is None:
        return None
    if not (label.text.endswith(":") or value.text.startswith(":") or _is_led(label.text, value, headings)):
        return None
    cut = len(value.text) - len(value.text.lstrip(": "))
    return Chunk(value.start + cut, value.end, value.column + cut, value.text[cut:])


def _is_led(label: str, value: Chunk, headings: list[Chunk]) -> bool:
    """Whether one chunk is the label of the next: a noun of forms, or words before a number that has no heading."""
    if shapes.is_label(label):
        return True
    if not _NUMBER.fullmatch(value.text) or shapes.legal_end(label):
        return False
    return not any(c.column <= value.right and value.column <= c.right for c in headings)


_NUMBERED = re.compile(r"(?:\b(?:no|nr|num|number|ref)|#|[Nn]°)[.:]?\Z", re.IGNORECASE)
_NUMBER = re.compile(r"(?:[A-Z]{1,4}[-/.]?)?\d[\d/-]{3,20}(?: \([^()]{2,8}\))?")


def _started_above(lines: tuple[Line, ...], number: int, value: Chunk) -> tuple[Span, ...]:
    """The first line of a cell whose label stands at half its height."""
    above = lines[number - 1]
    if above.number + 1 != lines[number].number or len(above.chunks) != 1:
        return ()
    chunk = above.chunks[0]
    return (chunk.span,) if abs(chunk.column - value.column) <= 1 and is_name(chunk.text) else ()


def _under(line: Line, heading: Chunk) -> Chunk | None:
    """The chunk of a line that stands in the heading's column."""
    near = [c for c in line.chunks if -3 <= c.column - heading.column <= 8]
    return near[0] if near else None


def is_name(text: str) -> bool:
    if shapes.letters(text) < 3 or len(text) > 80 or _OTHER_LABEL.match(text) or names_nothing(text):
        return False
    if shapes.is_label(text):
        return False
    return bool(shapes.legal_end(text)) or not (
        shapes.is_street(text) or shapes.is_contact(text) or shapes.is_moment(text) or shapes.is_title(text)
    )


def _with_wrap(lines: tuple[Line, ...], number: int, chunk: Chunk) -> tuple[Span, ...]:
    """The name's span, and that of the line below where it goes on."""
    end = shapes.legal_end(chunk.text)
    if end and not chunk.text[end:].strip(" ,;").isalpha():
        return ((chunk.start, chunk.start + end),)
    lower = lines[number + 1] if number + 1 < len(lines) else None
    below = next((c for c in lower.chunks if abs(c.column - chunk.column) <= 1), None) if lower else None
    if below and not end and is_salutation(chunk.text) and is_name(below.text):
        return named_under(chunk, below)
    if below and not end and shapes.legal_end(below.text) and is_name(below.text):
        return chunk.span, below.span
    return (chunk.span,)
