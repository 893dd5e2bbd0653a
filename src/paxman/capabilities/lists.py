"""Arrays of plain values such as ingredients or names: the label of the list, its extent, its items."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, islice, pairwise

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.descriptions import described
from paxman.capabilities.label_scan import own_labels, squeezed_of
from paxman.capabilities.list_extent import Extent, below, beside, of_cells, of_lines
from paxman.capabilities.list_heads import Head, find_head
from paxman.capabilities.list_items import Cut, cut_items, cut_value, in_one_line, separators, trimmed
from paxman.capabilities.list_marks import mark_at
from paxman.capabilities.list_markup import elements_below, is_navigation, lines_below, path_at, text_below
from paxman.capabilities.name_stems import synonyms_of
from paxman.capabilities.row_reading import Reading, joined
from paxman.capabilities.values import conventions, label_index, read_at
from paxman.contract.constraints import problems
from paxman.contract.labels import compact_label, fold_label
from paxman.contract.model import CanonicalField
from paxman.documents.document import Document, Mark
from paxman.documents.visual_lines import VisualLines
from paxman.finding.blanks import names_no_item
from paxman.finding.choices import listed_box
from paxman.lazy import lazy_pattern
from paxman.types import Diagnostic, FieldType, Severity, Span

_BULLET = re.compile(r"[-*+•·▪◦●○■□▢✓–—‣][ \t\xa0]+")
_JOINED_ON = re.compile(r"[;,]?\s+(?:and|or|und|oder|et|ou|y|o|e)\Z|[;,]\Z", re.IGNORECASE)
_NAMED = frozenset(
    "parties party signatories clients customers suppliers vendors companies subsidiaries partners firms sponsors"
    " authors attendees participants members guests speakers directors tenants landlords people persons names".split()
)
"""Words in the names of fields whose items are people or firms."""
_MOST_ITEMS = 10_000
_LONGEST_END, _LONGEST_COUNT = 12, 4
_MOST_LISTS, _MOST_HEADS = 5, 100

Items = list[list[Span]]


@attrs.frozen
class Listed:
    """The items of one list, and what is not sure about them."""

    items: Items
    doubt: str = ""


def read_list(context: CapabilityContext, page: VisualLines) -> Reading | None:
    """The items of the list that a label of the field heads, or else a word for it, or else its description."""
    label = described(context.contract).get(context.field.path)
    for labels in (own_labels(context.field), synonyms_of(context.field), compact_label(label) if label else ()):
        known = frozenset(each for each in labels if each in squeezed_of(context.document))
        listed = _find(context, page, known) if known else None
        if listed:
            return _read(context, listed)
    return None


def is_named(field: CanonicalField) -> bool:
    """Whether the items of a field are people or firms, as its name says."""
    return not _NAMED.isdisjoint(fold_label(field.words).split())


def _find(context: CapabilityContext, page: VisualLines, labels: frozenset[str]) -> Listed | None:
    """The first list with such a label; another one that differs makes it doubtful."""
    heads = filter(None, (find_head(page, index, labels) for index in range(len(page))))
    lists = (_listed(context, page, head) for head in islice(heads, _MOST_HEADS))
    found = list(islice(filter(None, lists), _MOST_LISTS))
    texts = [[joined(page.text, spans).text for spans in each.items] for each in found]
    if any(each != texts[0] for each in texts[1:]):
        return attrs.evolve(found[0], doubt="the label heads several lists, and the first was taken")
    return found[0] if found else None


def _listed(context: CapabilityContext, page: VisualLines, head: Head) -> Listed | None:
    """The items of a list, if there are any; words that there are none are no items, nor is a number of people."""
    extent, text = _extent(context, page, head), context.document.text
    if extent is None or not extent.items:
        return None
    found = items_of(text, extent, context.field, in_cell=context.document.kind == "spreadsheet")
    texts = [text[spans[0][0] : spans[-1][1]] for spans in found.items]
    is_number = len(texts) == 1 and texts[0].isdecimal() and len(texts[0]) < _LONGEST_COUNT
    if all(map(names_no_item, texts)) or (is_number and is_named(context.field)):
        return None
    return attrs.evolve(found, doubt="a number alone may say how many there are") if is_number else found


def items_of(text: str, extent: Extent, field: CanonicalField, *, in_cell: bool = False) -> Listed:
    """The items of a list: its lines, or what signs part where it runs on; a cell may as well be one text."""
    items, doubt = [list(spans) for spans in extent.items], extent.doubt
    if extent.runs:
        items, unsure = _cut_pieces(text, items[0], cut_value if in_cell else cut_items, is_named(field))
        doubt = doubt or unsure
    elif is_named(field) and not doubt:
        lines = (text[spans[0][0] : spans[-1][1]] for spans in items[:_MOST_ITEMS])
        doubt = next((f"a line of the list may be several items: {line}" for line in lines if in_one_line(line)), "")
    tidied = _tidied(text, _unmarked(text, items))
    return Listed([spans for spans in tidied if spans[0][0] < spans[-1][1]], doubt)


def _cut_pieces(text: str, pieces: Sequence[Span], how: Callable[..., Cut], named: bool) -> tuple[Items, str]:
    """The items of a text in pieces, beside which other columns stand; one ends with its piece."""
    if len(pieces) == 1:
        cut = how(text, *pieces[0], named=named)
        return [[span] for span in cut.spans], cut.doubt
    texts = [text[slice(*piece)] for piece in pieces]
    run = "".join(f"{each} " if each.endswith((",", ";")) else f"{each}," for each in texts[:-1]) + texts[-1]
    cut = how(run, 0, len(run), named=named)
    starts = [0, *accumulate(len(each) + 1 for each in texts)]
    return [list(_placed(pieces, starts, span)) for span in cut.spans], cut.doubt


def _placed(pieces: Sequence[Span], starts: Sequence[int], span: Span) -> Iterator[Span]:
    """Where a part of joined pieces stands in the text."""
    for place in range(bisect_right(starts, span[0]) - 1, len(pieces)):
        first, last = max(span[0], starts[place]), min(span[1], starts[place + 1] - 1)
        if first >= last:
            return
        offset = pieces[place][0] - starts[place]
        yield first + offset, last + offset


def _is_known(context: CapabilityContext, head: Head) -> bool:
    """Whether a label is plainly one."""
    return head.has_colon or head.is_title or bool(context.field.labels) or context.document.kind == "spreadsheet"


def _extent(context: CapabilityContext, page: VisualLines, head: Head) -> Extent | None:
    """Where the list of a label stands: beside it, in its cell or element, or below."""
    path = path_at(context, page, head.line)
    if path is not None and is_navigation(path):
        return None
    is_laid_out = path is None and context.document.kind != "spreadsheet"
    if head.content < page.line(head.line).chunks[-1][1]:
        return _beside(context, page, head) if is_laid_out else _in_cell(context, page, head)
    if context.document.kind == "html" and path is not None:
        return _in_elements(context, page, head)
    if context.document.kind == "markdown" and (items := _marked_items(context.document, page.line(head.line).end)):
        return Extent(tuple((span,) for span in items))
    return _below(context, page, head, in_paragraphs=path is not None)


def _marked_items(document: Document, start: int) -> list[Span]:
    """The items that markup has below a line: those of one level, with only items of deeper ones in between."""
    found: list[Mark] = []
    for mark in document.marks:
        if mark.kind != "item" or mark.span[0] < start:
            continue
        if _BETWEEN.fullmatch(document.text, start, mark.span[0]) is None or (found and mark.level < found[0].level):
            break
        if not found or mark.level == found[0].level:
            found.append(mark)
        start = mark.span[1]
    return [
        (start - 2 * document.text.startswith(("☐ ", "☑ "), start - 2), end)
        for start, end in (mark.span for mark in found)
    ]


def _beside(context: CapabilityContext, page: VisualLines, head: Head) -> Extent | None:
    """What stands behind a label; without a colon only what commas part, for it may as well be the next heading."""
    found = beside(page, head)
    if found is None or head.has_colon:
        return attrs.evolve(found, doubt="") if found and _is_barred(context.document.text, found) else found
    if len(page.line(head.line).chunks) > 2:
        return None
    parts = len(separators(page.text, found.items[0][0][0], found.items[-1][-1][1])) if found.runs else 0
    return found if parts > 1 else attrs.evolve(found, doubt=_HEADING) if parts else None


def _is_barred(text: str, found: Extent) -> bool:
    """Whether bars, which pages have as gaps, part the items."""
    return len(found.items) > 1 and all("|" in text[one[-1][1] : other[0][0]] for one, other in pairwise(found.items))


_BETWEEN = lazy_pattern(r"\s*(?:\d{1,9}[.)] |[☐☑] )?")
_HEADING = "the words before the list may be a heading"


def _in_cell(context: CapabilityContext, page: VisualLines, head: Head) -> Extent | None:
    """What the markup or the cells of a sheet set beside a label."""
    if context.candidates and not head.has_colon:
        return None
    found = _in_pairs(context, page, head)
    if found or not head.has_colon:
        return found or of_cells(page, head)
    return of_lines(page.text, head.content, page.line(head.line).chunks[-1][1])


def _in_elements(context: CapabilityContext, page: VisualLines, head: Head) -> Extent | None:
    """What a page of markup has below a label, in its own element or those after it."""
    found = _in_pairs(context, page, head) or (lines_below(context, page, head.line) if head.has_colon else None)
    found = found or elements_below(context, page, head.line)
    return found or text_below(context, page, head.line, labelled=head.has_colon)


def _in_pairs(context: CapabilityContext, page: VisualLines, head: Head) -> Extent | None:
    """What the format itself sets beside a label: one text, or several that are an item each."""
    pairs = label_index(context.document).get(fold_label(page.text[head.start : head.end]), ())
    spans = [p.value_span for p in pairs if p.relation == "beside" and p.label_span[0] == head.start]
    inner = {end: (start, end) for start, end in sorted(spans)}
    if len(inner) == 1:
        return of_lines(page.text, *next(iter(inner.values())))
    return Extent(tuple((span,) for span in inner.values())) if inner else None


def _below(context: CapabilityContext, page: VisualLines, head: Head, *, in_paragraphs: bool) -> Extent | None:
    contract = context.contract
    if "list_ends" not in contract.memo:
        labels = ((*own_labels(field), *synonyms_of(field)) for field in contract.leaves)
        contract.memo["list_ends"] = frozenset(label for each in labels for label in each)
    return below(page, head, contract.memo["list_ends"], known=_is_known(context, head), apart=in_paragraphs)


def _tidied(text: str, items: Items) -> Iterator[list[Span]]:
    """Items without the signs and words that lead to the next, and then the last without its full stop."""
    ended = False
    for place, spans in enumerate(items):
        start, end = spans[-1]
        sign = _JOINED_ON.search(text, max(start, end - _LONGEST_END), end)
        if sign and place < len(items) - 1:
            ended, end = True, sign.start()
        elif ended and text[start:end].endswith("."):
            end -= 1
        yield [*spans[:-1], trimmed(text, start, end)]


def _unmarked(text: str, items: Items) -> Items:
    """Items without the bullets or numbers that all of them have, one after the other."""
    marks = [mark_at(text, *spans[0]) for spans in items]
    known = [mark for mark in marks if mark and mark.kind != "box"]
    if not items or len(known) < len(items) or not known[0].is_first or (len(items) == 1 and known[0].number):
        return items
    if not all(one.leads_to(other) for one, other in pairwise(known)):
        return items
    return [[(mark.start, spans[0][1]), *spans[1:]] for mark, spans in zip(known, items, strict=True)]


def _unboxed(text: str, items: Sequence[list[Span]]) -> Items:
    """Items without the boxes before them, and without any place behind an empty one; equal signs may be bullets."""
    boxes = [listed_box(text, *spans[0]) for spans in items]
    marks = {box[1] for box in boxes if box}
    are_bullets = marks == {False} and all(_BULLET.match(text, spans[0][0]) for spans in items)
    return [
        spans if box is None else [(box[0], spans[0][1]), *spans[1:]] if box[1] or are_bullets else []
        for box, spans in zip(boxes, items, strict=True)
    ]


def _read(context: CapabilityContext, listed: Listed) -> Reading:
    field, reading = context.field, Reading(unclear=bool(listed.doubt))
    element = field.items or CanonicalField(field.id, field.path, field.name, FieldType.STRING)
    if len(listed.items) > _MOST_ITEMS:
        reading.record.reject(field.path, _MOST_ITEMS, f"a list of more than {_MOST_ITEMS} elements is cut short")
    for number, spans in enumerate(_unboxed(context.document.text, listed.items[:_MOST_ITEMS])):
        if not spans:
            reading.record.reject(field.path, number, "its box is not marked")
            continue
        piece = joined(context.document.text, spans)
        path = f"{field.path}[{len(reading.record.rows)}]"
        found = read_at(context, element, piece.text, piece.span, conventions(context), piece.steps, path=path)
        broken = problems(element, found[0].value) if found else [f"not {element.type.value}"]
        if broken:
            reading.record.reject(field.path, number, broken[0])
        else:
            reading.record.rows.append(found[0].value)
            reading.record.doubts += found[0].diagnostics
            reading.record.refs.append(found[0].ref)
    if listed.doubt and reading.record.rows:
        reading.record.doubts.append(Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, listed.doubt, field.path))
    return reading
