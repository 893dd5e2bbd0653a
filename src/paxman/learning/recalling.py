"""What lessons say of a page: the best candidate of each field, and whether it stands above its threshold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from paxman.classes import record
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document
from paxman.lazy import remembered
from paxman.learning.candidates import NEAR, AnnotatedPage
from paxman.learning.heads import Heads, recall_rows, row_values
from paxman.learning.layouts import anchors_of, layout_at
from paxman.learning.lessons import FieldLesson, Lessons
from paxman.learning.locating import kind_of, letters
from paxman.learning.mentions import fold_name
from paxman.learning.ranking import Index, Key
from paxman.lexicon.lexicon import Lexicon
from paxman.recognizers import Conventions, Reading
from paxman.types import FieldType

_MOST_SIGNS = 3
_MOST_READ = 200

ROWS_LEAD = 200
"""The lead of rows, which are found or not."""


@record
class Recollection:
    """A value that lessons point at: where it stands, its lead over the next best, and the signs that spoke for it."""

    readings: tuple[Reading, ...]
    lead: int
    said: str
    several: bool = False
    """Whether these are the items of a list."""
    rows: tuple[Mapping[str, Any], ...] = ()
    """The rows of an array of objects; these have no readings."""
    named: bool = False
    """Whether it is all that stands with a label, as values of examples did, or a head or a member's words name it."""
    layout: tuple[int, int] | None = None
    """How many anchors of a layout of the examples the page has, of how many; None on a page of another layout."""

    @property
    def value(self) -> Any:
        if self.rows:
            return self.rows
        return tuple(each.value for each in self.readings) if self.several else self.readings[0].value

    def supports(self, lesson: FieldLesson) -> bool:
        return self.layout is not None and lesson.threshold is not None and self.lead >= lesson.threshold


@record
class LessonGroup:
    """Fields of one kind of value with their lessons, and the weights of all of them by sign."""

    fields: tuple[CanonicalField, ...]
    lessons: Mapping[str, FieldLesson]
    index: Index


def group_of(known: Sequence[tuple[CanonicalField, FieldLesson]], key: Key | None = None) -> LessonGroup:
    index = Index([lesson.weights for _, lesson in known], key)
    return LessonGroup(tuple(field for field, _ in known), {field.path: lesson for field, lesson in known}, index)


def recall_fields(sheet: AnnotatedPage, group: LessonGroup) -> Iterator[tuple[CanonicalField, Recollection]]:
    """The best candidate of each field of one kind of value, unless "none of these" is better."""
    first = group.fields[0]
    if first.columns:
        found_rows = ((field, _recall_rows(sheet, field, group.lessons[field.path].heads)) for field in group.fields)
        yield from ((field, found) for field, found in found_rows if found is not None)
        return
    is_enum = first.type is FieldType.ENUM
    scores = sheet.member_scores(group.fields, group.index) if is_enum else sheet.scores(group.fields, group.index)
    for number, (field, own) in enumerate(zip(group.fields, scores, strict=True)):
        found = _recall(sheet, field, own, group.lessons[field.path], group.index.weights[number])
        if found is not None:
            yield field, found


def _recall_rows(sheet: AnnotatedPage, field: CanonicalField, heads: Heads) -> Recollection | None:
    found = recall_rows(sheet, field, heads) if heads else None
    rows = row_values(sheet, field, found) if found else ()
    if not found or not rows:
        return None
    learned = [head for head in found.heads if any(head.strip().casefold() in each for each in heads.values())]
    return Recollection((), ROWS_LEAD, f"column heads {', '.join(map(repr, learned))}", rows=rows, named=True)


def recall_field(sheet: AnnotatedPage, field: CanonicalField, lesson: FieldLesson) -> Recollection | None:
    return next((found for _, found in recall_fields(sheet, group_of([(field, lesson)]))), None)


def _recall(
    sheet: AnnotatedPage,
    field: CanonicalField,
    scores: Mapping[int, int],
    lesson: FieldLesson,
    weights: Mapping[str, int],
) -> Recollection | None:
    order = sorted(scores, key=lambda number: (-scores[number], number))[:_MOST_READ]
    if field.type is FieldType.ARRAY:
        return _recall_list(sheet, field, order, scores, weights)
    best: tuple[int, Reading] | None = None
    rival = 0
    for number in order:
        reading = sheet.read(field, number, weights)
        if reading is None:
            continue
        if best is None:
            if sheet.says_nothing(field, number):
                return None
            best = number, reading
        elif _key(reading) != _key(best[1]):
            rival = scores[number]
            break
    if best is None:
        return None
    said = _said(sheet, field, best[0], weights, lesson.labels)
    named = field.type is FieldType.ENUM or any(weights.get(sign, 0) > 0 for sign in sheet.whole_names(field, best[0]))
    return Recollection((best[1],), scores[best[0]] - rival, said, named=named)


def _recall_list(
    sheet: AnnotatedPage,
    field: CanonicalField,
    order: Sequence[int],
    scores: Mapping[int, int],
    weights: Mapping[str, int],
) -> Recollection | None:
    """The items that are each better than nothing, none inside another, each value once."""
    taken: list[Reading] = []
    lead = NEAR
    for number in order:
        reading = sheet.read(field, number, weights)
        if reading is None or any((reading.start < other.end and other.start < reading.end) for other in taken):
            continue
        lead = min(lead, abs(scores[number]))
        if scores[number] <= 0:
            break
        taken.append(reading)
    if not taken:
        return None
    items: dict[Any, Reading] = {}
    for reading in sorted(taken, key=lambda each: each.start):
        items.setdefault(_key(reading), reading)
    count = len(items)
    return Recollection(tuple(items.values()), lead, f"{count} item{'s' if count > 1 else ''}", True)


def _key(reading: Reading) -> Any:
    return letters(reading.value) if isinstance(reading.value, str) else repr(reading.value)


def _said(
    sheet: AnnotatedPage, field: CanonicalField, number: int, weights: Mapping[str, int], labels: Mapping[str, int]
) -> str:
    """The signs that spoke for a value, in words."""
    for name in sheet.names(field, number):
        count = labels.get(fold_name(name))
        if count:
            return f"label {name.strip()!r}, {count} example{'s' if count > 1 else ''}"
    telling = sorted(((weights.get(sign, 0), sign) for sign in sheet.signs_of(field, number)), key=_strongest)
    return "; ".join(f"{sign} {weight / 100:+.2f}" for weight, sign in telling[:_MOST_SIGNS] if weight > 0)


def _strongest(telling: tuple[int, str]) -> tuple[int, str]:
    return -telling[0], telling[1]


@remembered(lambda document, contract, lessons, *_: (document.cache, lessons.hash))
def recall_all(
    document: Document, contract: CanonicalContract, lessons: Lessons, how: Conventions, lexicon: Lexicon | None = None
) -> Mapping[str, Recollection]:
    """What lessons say of every field, by path; worked out once per document."""
    sheet = AnnotatedPage(document, contract, how, lexicon, lessons.cuts)
    layout = layout_at(anchors_of(sheet.page), lessons.layouts)
    return {
        field.path: attrs.evolve(found, layout=layout)
        for group in _groups(contract, lessons)
        for field, found in recall_fields(sheet, group)
        if found.lead >= (group.lessons[field.path].floor or 0) and (found.named or layout is not None)
    }


@remembered(lambda contract, lessons: (contract.memo, lessons.hash))
def _groups(contract: CanonicalContract, lessons: Lessons) -> list[LessonGroup]:
    """The fields that lessons can say something of, by kind of value; worked out once per contract."""
    kinds: dict[str, list[tuple[CanonicalField, FieldLesson]]] = {}
    for field in contract.leaves:
        lesson = lessons.of(field)
        if lesson and (lesson.weights or lesson.heads) and lesson.floor is not None:
            kind = "enum" if field.type is FieldType.ENUM else "rows" if field.columns else kind_of(field)
            kinds.setdefault(kind, []).append((field, lesson))
    return [group_of(known, lessons.key if lessons.private else None) for known in kinds.values()]
