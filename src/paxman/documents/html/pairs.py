"""Labels with their values as the markup of a page shows them, and elements that are values behind a label."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import pairwise

import attrs

from paxman.documents.document import Mark, Pair
from paxman.documents.html.grids import Grid, GridCell, trim
from paxman.documents.html.tags import Open
from paxman.types import Span

_REST_OF_LINE = re.compile(r"[^\n\t]{0,2000}+(?=[\n\t]|\Z)")
"""No longer, because a line may hold a label every few characters."""
_MOST_NEAR = 20
"""Labels behind one that are looked at for the end of its value."""
_COLON = re.compile(r"\s{0,9}[:：]")
_BOX = re.compile(r"type\s{0,3}=\W{0,4}(?:checkbox|radio)")
_MOST_LABEL = 1_000
_LABELLED = re.compile(r"^[^\W\d_][^\n\t:：]{1,60}[:：][ \t]*\S", re.M)
_PARTING = re.compile(r"\s+[·•|∙‧;/–—-]\s*\Z")
_LONGEST_SIGN = 6
_OWN_LABEL = re.compile(r"[^\W\d_][^\n\t:：]{1,60}[:：](?!\S)")
_STACK = re.compile(r"[^\W\d_][^\n\t\d]{1,40}\n[^\n\t]{1,200}(?:\n[^\n\t]{1,200}){0,7}")


@attrs.frozen
class Label:
    """A label: its place in the text, the name of its field, and whether bold print is all that makes it one."""

    span: Span
    field: str = ""
    is_bold: bool = False


@attrs.define(eq=False)
class BoxChoice:
    """A box or button that is not written yet: its element and source, its mark, and the label of its words."""

    field: Open
    span: Span
    mark: str
    label: Open | None


@attrs.define(eq=False)
class Form:
    """Labels, what fields hold by their names, and choices: their words and the mark behind them."""

    labels: list[Label] = attrs.field(factory=list)
    named: set[str] = attrs.field(factory=set)
    """Fields that a label names."""
    fields: dict[str, Span | None] = attrs.field(factory=dict)
    """None for a name that several fields have."""
    choices: list[tuple[Span, Span]] = attrs.field(factory=list)
    marks: list[int] = attrs.field(factory=list)
    apart: list[tuple[Span, Span]] = attrs.field(factory=list)
    """Words of an element, and those of another right behind it."""

    def add(self, label: Label) -> None:
        self.labels.append(label)
        if label.field:
            self.named.add(label.field)

    def fill(self, name: str, span: Span) -> None:
        self.fields[name] = None if name in self.fields else span

    def has_mark(self, span: Span) -> bool:
        first, last = (bisect_left(self.marks, place) for place in span)
        return first < last


def has_one_box(source: str, start: int, box: Span) -> bool:
    """Whether the label that starts here holds no box but this one."""
    if box[0] - start > _MOST_LABEL:
        return False
    within = source[start : box[1] + _MOST_LABEL].lower().partition("</label")[0]
    return len(_BOX.findall(within)) == 1


def pairs_of(text: str, grids: list[Grid], terms: list[tuple[str, Span]], form: Form) -> tuple[Pair, ...]:
    """Labels with their values, as the markup shows them, in the order of the text."""
    # Pairs in rows of two cells, in definition lists, of labels with their field or what follows, and of choices.
    rows = ((label, value) for label, value in _rows_of_two(grids) if not _are_apart(text, label, value))
    labels = [label for label in form.labels if not form.has_mark(label.span)]
    fields = ((label.span, field) for label in labels if (field := form.fields.get(label.field)))
    found = {
        (pair.label_span, pair.value_span): pair
        for pair in [
            *_make_pairs(text, rows),
            *_make_pairs(text, _labelled_cells(text, grids)),
            *_make_pairs(text, _defined(terms)),
            *_make_pairs(text, fields),
            *_make_pairs(text, _followed(text, labels, form)),
            *_make_pairs(text, form.choices),
            *_make_pairs(text, form.apart),
        ]
    }
    return tuple(found[place] for place in sorted(found))


def _rows_of_two(grids: list[Grid]) -> Iterator[tuple[Span, Span]]:
    return ((row[0][0], row[1][0]) for grid in grids for row in grid.rows if len(row) == 2 and not row[1][1])


def boxes_of(text: str, form: Form) -> Iterator[Mark]:
    """The words of each box: those of its label, or what stands behind it up to the next."""
    labelled = {mark[0]: words for words, mark in form.choices}
    for place, following in pairwise((*form.marks, len(text))):
        rest = _REST_OF_LINE.match(text, place + 1, following)
        words = labelled.get(place) or (rest.span() if rest else (place, place))
        yield Mark("box", words, int(text[place] == "☑"))


def _labelled_cells(text: str, grids: list[Grid]) -> Iterator[tuple[Span, Span]]:
    """In longer rows, a cell that ends in a colon or is a heading among others, with the value in the next."""
    for row in (row for grid in grids for row in grid.rows if len(row) > 2 and not all(head for _, head in row)):
        for (label, is_heading), (value, is_next) in pairwise(row):
            is_label = is_heading or text[slice(*label)].rstrip().endswith((":", "："))
            if is_label and not is_next and not text[slice(*value)].rstrip().endswith((":", "：")):
                yield label, value


def _are_apart(text: str, left: Span, right: Span) -> bool:
    """Whether each of two cells has a label of its own, with its value in the first of them."""
    first, second = (text[slice(*trim(text, span))] for span in (left, right))
    return _LABELLED.match(first) is not None and _OWN_LABEL.match(second) is not None


def with_stacked_cells(text: str, grids: list[Grid]) -> str:
    """The text with an end of line, not a tab, between cells that each hold several lines."""
    stacked = [grid for grid in grids if grid.rows and all(len(row) < 2 or _is_stacked(text, row) for row in grid.rows)]
    rows = [row for grid in stacked for row in grid.rows]
    rows += [row for grid in grids if grid not in stacked for row in grid.rows if _is_side_by_side(text, row)]
    gaps = [(trim(text, left)[1], trim(text, right)[0]) for row in rows for (left, _), (right, _) in pairwise(row)]
    pieces, done = [], 0
    for start, end in sorted(gaps):
        pieces += [text[done:start], text[start:end].replace("\t", "\n")]
        done = end
    return "".join((*pieces, text[done:])) if gaps else text


def _is_side_by_side(text: str, row: list[GridCell]) -> bool:
    """Whether cells hold a block of lines each, with labels of their own: the page keeps them apart."""
    blocks = [text[slice(*trim(text, span))] for span, _ in row]
    filled = [block for block in blocks if block]
    return len(filled) > 1 and all(len(_LABELLED.findall(block)) > 1 for block in filled)


def _is_stacked(text: str, row: list[GridCell]) -> bool:
    """Whether each cell is a few lines, the first of them as short as a label, and has no cells in it."""
    spans = (trim(text, span) for span, _ in row)
    return all(_STACK.fullmatch(text, *span) for span in spans)


def _headings(grids: list[Grid]) -> Iterator[Span]:
    """The cells of first rows that are all headings, as no others are; none of them is the value of another."""
    for grid in grids:
        headed = [row for row in grid.rows if len(row) > 1 and all(head for _, head in row)]
        if len(headed) == 1 and headed[0] is grid.rows[0]:
            yield from (span for span, _ in headed[0])


def _followed(text: str, labels: list[Label], form: Form) -> Iterator[tuple[Span, Span]]:
    """Labels that name no field, with what follows them in their line up to the next."""
    labels = sorted(labels, key=lambda label: label.span)
    starts = [label.span[0] for label in labels]
    for label in labels:
        rest = _REST_OF_LINE.match(text, label.span[1])
        if rest and not form.fields.get(label.field):
            first, last = (bisect_left(starts, place) for place in rest.span())
            near = labels[first : min(last, first + _MOST_NEAR)]
            # Bold print without a colon may be the next label, or part of the value.
            sure = [other for other in near if not other.is_bold or _has_colon(text, other)]
            ends = (_end_of_value(text, label, others, rest.end()) for others in (near, sure))
            colon = _COLON.match(text, rest.start())
            start = colon.end() if colon else rest.start()
            yield from (
                (label.span, (start, _before_sign(text, start, end, rest.end()))) for end in dict.fromkeys(ends)
            )


def _before_sign(text: str, start: int, end: int, last: int) -> int:
    """Where a value ends before the sign that parts it from the next label of the line."""
    sign = _PARTING.search(text, max(start, end - _LONGEST_SIGN), end) if end < last else None
    return sign.start() if sign else end


def _end_of_value(text: str, label: Label, near: list[Label], end: int) -> int:
    for other in near:
        start = other.span[0]
        if not text[label.span[1] : start].strip(" :："):
            # Bold print right behind a label is its value.
            if not other.is_bold:
                return start
        elif not other.is_bold or (label.is_bold and _are_alike(text, label, other)):
            return start
    return end


def _are_alike(text: str, label: Label, other: Label) -> bool:
    """Whether bold print that follows a label is another one, and no part of its value."""
    rest = _REST_OF_LINE.match(text, other.span[1])
    return bool(rest and rest[0].strip()) and (_has_colon(text, other) or not _has_colon(text, label))


def _has_colon(text: str, label: Label) -> bool:
    return text[slice(*label.span)].rstrip().endswith((":", "：")) or bool(_COLON.match(text, label.span[1]))


def _defined(terms: list[tuple[str, Span]]) -> list[tuple[Span, Span]]:
    spans, label = [], None
    for name, span in terms:
        if name == "dt":
            label = span
        elif label:
            spans.append((label, span))
    return spans


def _make_pairs(text: str, spans: Iterable[tuple[Span, Span]]) -> list[Pair]:
    pairs = []
    for label, value in spans:
        label, value = trim(text, label), trim(text, value)
        name = text[slice(*label)].rstrip(" :：")
        if name and len(name) <= 80 and "\n" not in name and value[0] < value[1]:
            pairs.append(Pair(name, (label[0], label[0] + len(name)), value))
    return pairs


INLINE = frozenset("span b strong em i a u small label time data bdi font".split())
LABEL_CLASS = re.compile(r"(?:^|[\s_-])(?:label|key|term|caption)(?:$|[\s_-])", re.I)
_MOST = 200
"""Characters of an element that may be a label or a value."""
_LEAST_LABEL = 4
_VALUE = re.compile(r"([^\W_][^<>&]{1,100}+)</(\w{1,9})(>\s{0,50}</)?")
_LABEL = re.compile(r"<(\w{1,9})([^<>]*+)>([^\W\d_][^<>&]{0,60}[^\W\d_]{2})\Z")
_ALONE = re.compile(r"<\w[^<>]*+>\s{0,20}([^\W\d_][^<>&]{0,60}[^\W\d_]{3})\Z")
_FIRST = re.compile(r"<\w[^<>]*+>\s*\Z")
_CODE = re.compile(r"[A-Z0-9][\w./-]*\d[\w./-]*")
_CLASS = re.compile(r"\bclass\s?=\s?(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.I)


@attrs.frozen
class _Words:
    """An element that holds nothing but words."""

    tag: str
    style: str
    """Its class."""
    text: str
    is_outer: bool
    """Whether it is the first, or the last, in the element around it."""

    @property
    def is_label(self) -> bool:
        return self.tag == "label" or LABEL_CLASS.search(self.style) is not None


def is_value(source: str, start: int, end: int, name: str) -> bool | None:
    """Whether an element, whose tag stands here, is the value of what stands right before it.

    None where both are one word, as they are where a few letters are bold.
    """
    before, first = source[start - 1 : start], source[end : end + 1]
    if not (before == ">" or before.islower()) or not (first.isupper() or first.isdecimal()):
        return None
    found = _VALUE.match(source, end)
    if found is None or found[2].lower() != name:
        return None
    if before != ">":
        words = _ALONE.match(source[_last(source, "<", start) : start])
        return bool(words and words[1][0].isupper() and " " in words[1] and _CODE.fullmatch(found[1])) or None
    label = _label_before(source, start)
    value = _Words(name, _class_of(source[start:end]), found[1], bool(found[3]))
    return _belong(label, value) if label and _stand_apart(label, value) else None


def _label_before(source: str, start: int) -> _Words | None:
    closing = _last(source, "</", start)
    opening = _last(source, "<", closing)
    found = _LABEL.match(source[opening:closing])
    if found is None or found[1].lower() not in INLINE:
        return None
    is_first = _FIRST.match(source[_last(source, "<", opening) : opening]) is not None
    return _Words(found[1].lower(), _class_of(found[2]), found[3], is_first)


def _last(source: str, sign: str, end: int) -> int:
    """Where a sign stands last before a place, not far from it; else that place."""
    found = source.rfind(sign, max(0, end - _MOST), end)
    return found if found >= 0 else end


def _stand_apart(label: _Words, value: _Words) -> bool:
    """Whether words of two elements are not those of one: each part of a name like GitHub is a single word."""
    if label.is_label:
        return True
    several = len(label.text.split()) > 1 or len(value.text.split()) > 1
    is_other = label.style != value.style if label.style and value.style else label.tag != value.tag
    if not label.text[-1].islower():
        return is_other and several
    is_name = label.text[0].isupper() and len(label.text) >= _LEAST_LABEL and value.text[0].isdecimal()
    return several or (is_other and is_name)


def _belong(label: _Words, value: _Words) -> bool:
    """Whether two elements are all that another holds, and neither links nor of one class."""
    alike = label.tag == value.tag == "a" or (label.style and label.style == value.style)
    return label.is_label or (label.is_outer and value.is_outer and not alike)


def _class_of(attributes: str) -> str:
    found = _CLASS.search(attributes)
    return next(filter(None, found.groups()), "") if found else ""
