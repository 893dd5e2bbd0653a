"""Where a list stands on a page: behind its label or below it, and how far it goes on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import attrs

from paxman.capabilities.leading_labels import leads_with_label
from paxman.capabilities.list_heads import LEAD, LONGEST_LABEL, Head, label_key
from paxman.capabilities.list_items import leaves_open, separators, trimmed
from paxman.capabilities.list_marks import ListMark, mark_at
from paxman.capabilities.table_pages import is_page_number
from paxman.documents.visual_lines import VisualLines
from paxman.finding.choices import listed_box
from paxman.lazy import lazy_pattern
from paxman.types import Span

_LONGEST_LINE = 200
_FULL = 60
"""Characters of a line that may have been broken for its length; of one that goes on small, fewer will do."""
_HALF_FULL = 40
_MOST_LINES = 20_000
_FEW_LINES, _LONGEST_END = 5, 12
_MOST_BETWEEN = 8
"""Lines between two items where a page ends."""
_BROKEN = lazy_pattern(r"[^\W\d_]-\Z")
_BREAK = lazy_pattern("\\n")
_ENDS_OPEN = lazy_pattern(
    r"(?:[,;，、；،/&]|(?<=\s)(?:and|und|et|y|e|en|och|og|i|ed|oraz|dan|or|oder|ou|o|lub))\Z", re.I
)
_RULE = lazy_pattern(r"[\s_.…=-]+")
_SENTENCE = lazy_pattern(r".{24,}[a-zß-ÿ)][.!?]\Z", re.DOTALL)
_FEW_WORDS = 5


@attrs.frozen
class Extent:
    """The items of a list or, where it `runs` on, all as one text to be cut, and what is not sure about that."""

    items: tuple[tuple[Span, ...], ...]
    runs: bool = False
    doubt: str = ""


def beside(page: VisualLines, head: Head) -> Extent | None:
    """What stands behind a label, and the lines that go on with it."""
    chunks = _first_chunks(page, head)
    if not chunks:
        return None
    other = next((start for start, _ in page.line(head.line).chunks if start > chunks[-1][1]), None)
    if other is not None:
        return _of_column(page, head, chunks, _column(page, head.line, other))
    lines, reasons = _lines_on(page, head, chunks)
    if len(chunks) > 1 and len(lines) == 1 and not separators(page.text, *lines[0]):
        return Extent(tuple((chunk,) for chunk in chunks), doubt=_GAPS)
    found = as_run_or_lines(page.text, lines, hanging="hangs" in reasons)
    doubt = _ENDS_EARLY if _ends_open(page.text, lines[-1]) else _MAY_GO_ON if "perhaps" in reasons else found.doubt
    return attrs.evolve(found, doubt=doubt)


def _lines_on(page: VisualLines, head: Head, chunks: Sequence[Span]) -> tuple[list[Span], set[str]]:
    """The lines of a list that begins behind its label, and why they go on with it."""
    lines, reasons = [(chunks[0][0], chunks[-1][1])], set[str]()
    label, inner = _column(page, head.line, head.start), _column(page, head.line, chunks[0][0])
    for index in range(head.line + 1, min(len(page), head.line + _MOST_LINES)):
        line = _line(page, index)
        if line is None or begins_other(page, index) or _has_column(page, index):
            break
        hangs = _column(page, index, line[0]) - label > 1 and inner - label > 1
        reason = "hangs" if hangs else _goes_on(page.text, lines, line)
        if not reason or (len(page.line(index).chunks) > len(chunks) and reason != "open"):
            break
        reasons.add(reason)
        lines.append(line)
    return lines, reasons


def _of_column(page: VisualLines, head: Head, chunks: Sequence[Span], other: int) -> Extent:
    """A list beside another column, and the lines that stand under its first item."""
    first = (chunks[0][0], chunks[-1][1])
    under, doubt = _lines_under(page, head, chunks, other)
    lines = [first, *under]
    if len(chunks) > 1 and not under and not separators(page.text, *first):
        return Extent(tuple((chunk,) for chunk in chunks), doubt=_GAPS)
    found = as_run_or_lines(page.text, lines, hanging=True)
    doubt = _ENDS_EARLY if _ends_open(page.text, lines[-1]) else doubt or found.doubt
    if not found.runs:
        return attrs.evolve(found, doubt=doubt)
    ended = not all(_ends_open(page.text, line) for line in lines[:-1])
    return Extent((tuple(lines),), True, doubt or (_LINES if ended else ""))


def _lines_under(page: VisualLines, head: Head, chunks: Sequence[Span], other: int) -> tuple[list[Span], str]:
    """What stands under the first item up to the next column, and what is not sure about that."""
    lines, doubt = list[Span](), ""
    label, inner = _column(page, head.line, head.start), _column(page, head.line, chunks[0][0])
    has_digit = _DIGIT.search(page.text, chunks[0][0], chunks[-1][1]) is not None
    for index in range(head.line + 1, min(len(page), head.line + _MOST_LINES)):
        own = [chunk for chunk in page.line(index).chunks if _column(page, index, chunk[0]) < other - 1]
        if not own or begins_other(page, index):
            break
        start, end = own[0][0], own[-1][1]
        if _column(page, index, start) - label < 2:
            goes_on = _goes_on(page.text, lines or [(chunks[0][0], chunks[-1][1])], (start, end))
            return lines, _MAY_GO_ON if goes_on else doubt
        strays = abs(_column(page, index, start) - inner) > _NEAR or _column(page, index, end) > other
        if strays or len(own) > len(chunks) or (not has_digit and _DIGIT.search(page.text, start, end)):
            doubt = _MAY_BE_OTHER
        lines.append((start, end))
    return lines, doubt


_NEAR = 2
"""Columns by which places on a page that stand under each other may differ."""
_DIGIT = lazy_pattern(r"\d")
_MAY_BE_OTHER = "what stands below may belong to the list or to something else"
_LINES = "an item may end with its line or go on in the next"


def _has_column(page: VisualLines, index: int) -> bool:
    """Whether a label begins behind a gap in a line."""
    return any(leads_with_label(page.text, *chunk) for chunk in page.line(index).chunks[1:])


def _line(page: VisualLines, index: int) -> Span | None:
    """Where the text of a line stands, if it has any."""
    chunks = page.line(index).chunks
    return (chunks[0][0], chunks[-1][1]) if chunks else None


def of_lines(text: str, start: int, end: int) -> Extent:
    """A list whose end is known: what breaks of lines or signs part in it."""
    edges = [start, *(found.end() for found in _BREAK.finditer(text, start, end)), end]
    lines = [trimmed(text, first, last) for first, last in pairwise(edges)]
    lines = [line for line in lines if line[0] < line[1]]
    return as_run_or_lines(text, lines, hanging=True) if lines else Extent(())


def of_cells(page: VisualLines, head: Head) -> Extent | None:
    """The cells of a row behind its label, where the rows around it do not have as many as headings and rows would."""
    cells = page.line(head.line).chunks[1:]
    near = [index for index in (head.line - 1, head.line + 1) if 0 <= index < len(page)]
    if len(cells) == 1:
        return of_lines(page.text, *cells[0]) if separators(page.text, *cells[0]) else None
    if any(len(page.line(index).chunks) > len(cells) for index in near):
        return None
    return Extent(tuple((cell,) for cell in cells))


_GAPS = "gaps may part items or columns"
_ENDS_EARLY = "the list ends as if it went on"
_MAY_GO_ON = "the next line may go on with the list or not"


def _first_chunks(page: VisualLines, head: Head) -> list[Span]:
    """What stands behind a label in its line, up to the next label of a form."""
    chunks = [(max(start, head.content), end) for start, end in page.line(head.line).chunks if end > head.content]
    others = (place for place, chunk in enumerate(chunks) if place and leads_with_label(page.text, *chunk))
    return chunks[: next(others, None)]


def _goes_on(text: str, lines: Sequence[Span], line: Span) -> str:
    """Why a line that is not set in goes on with the one above it, or nothing."""
    above, near = lines[-1], lines[-_FEW_LINES:][0][0]
    if _ends_open(text, above) or leaves_open(text, near, above[1]):
        return "open"
    parts, width = separators(text, *line), above[1] - text.rfind("\n", 0, above[0])
    if begins_small(text, *line):
        return "small" if parts or width > _HALF_FULL else "perhaps"
    is_full = width > _FULL and parts and not _SENTENCE.match(text, *line)
    return "perhaps" if is_full and separators(text, near, above[1]) else ""


def _ends_open(text: str, span: Span) -> bool:
    return _ENDS_OPEN.search(text, max(span[0], span[1] - _LONGEST_END), span[1]) is not None


def begins_small(text: str, start: int, end: int) -> bool:
    return text[start:end][:1].islower()


def as_run_or_lines(text: str, lines: Sequence[Span], *, hanging: bool) -> Extent:
    """Lines that signs part into items, or each line as one."""
    whole = (lines[0][0], lines[-1][1])
    each = tuple((line,) for line in lines)
    if len(lines) == 1:
        return Extent(((whole,),), runs=True)
    counts = [len(separators(text, *line)) for line in lines]
    tied = [_ends_open(text, above) or begins_small(text, *below) for above, below in pairwise(lines)]
    if not any(counts):
        if not hanging:
            return Extent(((whole,),), runs=True)
        wrapped = any(tied) and not begins_small(text, *lines[0])
        return Extent(each, doubt="a line below may be an item or go on with the one above" if wrapped else "")
    if all(tied):
        broken = any(_BROKEN.search(text, *line) for line in lines[:-1])
        return Extent(((whole,),), True, "a word may be broken at the end of a line" if broken else "")
    doubt = "lines may be items, or commas may part them"
    return Extent(each, doubt=doubt) if max(counts) < 2 and not any(tied) else Extent(((whole,),), True, doubt)


def begins_other(page: VisualLines, index: int) -> bool:
    """Whether a line begins something else: a label with a colon, a title, a rule."""
    start, end = page.line(index).chunks[0][0], page.line(index).chunks[-1][1]
    lead = LEAD.match(page.text, start, end)
    assert lead is not None
    if leads_with_label(page.text, lead.end(), end) or page.text.startswith("#", start):
        return True
    return _RULE.fullmatch(page.text, start, end) is not None


def below(page: VisualLines, head: Head, others: frozenset[str], *, known: bool, apart: bool) -> Extent | None:
    """The lines under a label: those with bullets or numbers, or all up to something else.

    Less sure if the label is not `known` to be one; then lines must be paragraphs, `apart` from each other, or set in.
    """
    near = range(head.line + 1, min(head.line + 3, len(page)))
    first = next((index for index in near if page.line(index).chunks), None)
    if first is None:
        return None
    mark = _mark(page, first)
    if mark and mark.is_first:
        items = tuple(_marked(page, first))
        if len(items) < 2 and not (head.has_colon or head.is_title):
            return None
        columns = {_indent(page, page.line_at(item[0][0])) for item in items}
        return Extent(items, doubt=NESTED if len(columns) > 1 else _BESIDE if _has_gaps(page, items) else "")
    found = _plain(page, first, others)
    if known or found is None:
        return found
    apart = apart or _column(page, first, found.items[0][0][0]) - _column(page, head.line, head.start) > 1
    is_list = is_parted(page.text, found) if found.runs else apart and _are_short(page.text, found)
    return attrs.evolve(found, doubt=_NO_LABEL) if is_list else None


def _has_gaps(page: VisualLines, items: Sequence[Sequence[Span]]) -> bool:
    """Whether something stands apart behind an item in its line."""
    lines = (span for item in items for span in item)
    return any(page.line(page.line_at(start)).chunks[-1][0] > start for start, _ in lines)


_BESIDE = "what stands beside the items may belong to the list"


def _are_short(text: str, found: Extent) -> bool:
    """Whether there are several items of a few words each."""
    return len(found.items) > 1 and all(
        len(text[item[0][0] : item[-1][1]].split()) <= _FEW_WORDS for item in found.items
    )


def is_parted(text: str, found: Extent) -> bool:
    """Whether signs part a text into several items of a few words each, none of which begins as a sentence does."""
    start, end = found.items[0][0][0], found.items[-1][-1][1]
    edges = [start, *separators(text, start, end), end]
    parts = [text[first:last].strip(" ,;").split() for first, last in pairwise(edges)]
    return len(parts) > 2 and all(0 < len(part) < _FEW_WORDS and part[0].lower() not in _OF_SENTENCES for part in parts)


_OF_SENTENCES = frozenset(
    "the a an in to of for we i you it they which that who is are this wir ich der die das ein eine zu le la les un une"
    " nous je qui el los una nosotros que il lo gli noi che het een wij".split()
)


_NO_LABEL = "the words above the list may not be its label"


NESTED = "what is set in below an item may be one too or belong to it"


def _mark(page: VisualLines, index: int) -> ListMark | None:
    line = _line(page, index)
    return mark_at(page.text, *line) if line else None


def _marked(page: VisualLines, first: int) -> Iterator[tuple[Span, ...]]:
    """Items with marks of one kind, those set in below them too, each with the lines that go on with it."""
    base, item, gap, turned = _mark(page, first), list[Span](), 0, False
    outer = _indent(page, first)
    for index in range(first, min(len(page), first + _MOST_LINES)):
        line, mark = _line(page, index), _mark(page, index)
        turned |= page.text.startswith("\f", page.line(index).start)
        if line and mark and base and (index == first or _belongs(page, index, base, mark, outer, gap)):
            if item:
                yield tuple(item)
            base = mark if _indent(page, index) <= outer or gap else base
            item, gap, turned = [(mark.start, line[1])], 0, False
        elif line is None or gap or is_page_number(page.text[slice(*line)]):
            gap += 1
            if line and (mark or not _is_of_margin(page, index, turned=turned, gap=gap, counted=_counts(base))):
                break
        elif _indent(page, index) >= _inner(page, item) or _is_rest(page, index, item[-1]):
            item.append(line)
        else:
            break
    if item:
        yield tuple(item)


def _belongs(page: VisualLines, index: int, base: ListMark, mark: ListMark, outer: int, gap: int) -> bool:
    """Whether a mark goes on with the list, or is set in below an item of it."""
    return base.leads_to(mark) or (not gap and _indent(page, index) > outer)


def _counts(mark: ListMark | None) -> bool:
    return mark is not None and mark.number != ""


def _indent(page: VisualLines, index: int) -> int:
    line = _line(page, index)
    return _column(page, index, line[0]) if line else 0


def _inner(page: VisualLines, item: Sequence[Span]) -> int:
    """How far in the text of an item begins."""
    start = item[0][0]
    box = listed_box(page.text, *item[0])
    return _column(page, page.line_at(start), start) + bool(box)


def _is_of_margin(page: VisualLines, index: int, *, turned: bool, counted: bool, gap: int) -> bool:
    """Whether a line between two items is the number of a page or, where items are counted, its head."""
    start, end = page.line(index).chunks[0][0], page.line(index).chunks[-1][1]
    if is_page_number(page.text[start:end]):
        return True
    return turned and counted and gap < _MOST_BETWEEN and not begins_other(page, index)


def _is_rest(page: VisualLines, index: int, above: Span) -> bool:
    """Whether a line that is not set in goes on with an item that was too long for its line."""
    start, end = page.line(index).chunks[0][0], page.line(index).chunks[-1][1]
    return begins_small(page.text, start, end) and above[1] - above[0] > _HALF_FULL and not begins_other(page, index)


def _plain(page: VisualLines, first: int, others: frozenset[str]) -> Extent | None:
    """Lines without marks up to a blank one, a label, a title or a sentence; of several columns the first."""
    lines: list[Span] = []
    columns = False
    for index in range(first, min(len(page), first + _MOST_LINES)):
        chunks = page.line(index).chunks
        if not chunks or chunks[-1][1] - chunks[0][0] > _LONGEST_LINE or _begins_next(page, index, lines, others):
            break
        columns |= len(chunks) > 1
        lines.append((chunks[0][0], chunks[-1][1] if len(chunks) == 1 else chunks[0][1]))
    if not lines:
        return None
    found = as_lines_or_run(page.text, lines)
    if columns:
        return attrs.evolve(found, doubt=_BESIDE)
    if len(lines) == 1 and not found.doubt and not separators(page.text, *lines[0]):
        return attrs.evolve(found, doubt="a single line below a label may be its list or not")
    return found


def as_lines_or_run(text: str, lines: Sequence[Span]) -> Extent:
    """Each line as an item, unless commas part them and lines go on with the one above."""
    counts = [len(separators(text, *line)) for line in lines]
    open_ends = [_ends_open(text, line) for line in lines[:-1]]
    each = tuple((line,) for line in lines)
    if len(lines) == 1 or (counts[0] and any(open_ends)):
        found = as_run_or_lines(text, lines, hanging=False)
        return found if found.runs else Extent(each, doubt=found.doubt)
    tied = [begins_small(text, *line) for line in lines[1:]]
    if counts[0] > 1 and all(tied):
        return Extent((((lines[0][0], lines[-1][1]),),), runs=True)
    return Extent(each, doubt="commas in the lines may part items" if max(counts) > 1 else "")


def _begins_next(page: VisualLines, index: int, lines: Sequence[Span], others: frozenset[str]) -> bool:
    start, end = page.line(index).chunks[0][0], page.line(index).chunks[-1][1]
    if begins_other(page, index) or label_key(page.text, start, min(end, start + LONGEST_LABEL)) in others:
        return True
    mark = _mark(page, index)
    if mark and mark.is_first:
        return True
    text = page.text[start:end]
    if lines and text.isupper() and not page.text[slice(*lines[-1])].isupper() and len(text) > _FEW_WORDS:
        return True
    return (
        _SENTENCE.match(text) is not None and len(text.split()) > _FEW_WORDS and not separators(page.text, start, end)
    )


def _column(page: VisualLines, index: int, position: int) -> int:
    """How far in a position is on its line, the end of a page before it not counted."""
    start = page.line(index).start
    return page.column(start, position) - (page.text[start : start + 1] == "\f")


def filled(page: VisualLines, index: int) -> Iterator[int]:
    """The lines below one that are not blank."""
    lines = range(index + 1, min(len(page), index + 1 + _MOST_LINES))
    return (line for line in lines if page.line(line).chunks)
