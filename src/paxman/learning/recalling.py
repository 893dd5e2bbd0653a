"""What lessons say of a page: the best candidate of each field, and whether it stands above its threshold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from paxman.classes import record
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document
from paxman.learning.candidates import StudyPage
from paxman.learning.heads import Heads, recall_rows, row_values
from paxman.learning.lessons import FieldLesson, Lessons
from paxman.learning.locating import kind_of, letters
from paxman.learning.mentions import fold_name
from paxman.learning.ranking import Index
from paxman.lexicon.lexicon import Lexicon
from paxman.recognizers import Conventions, Reading
from paxman.types import FieldType

_MOST_SIGNS = 3
_MOST_READ = 200
_NEAR = 2000

ROWS_LEAD = 200
"""The lead of rows, which are found or not."""

Key = Callable[[str], str]


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

    @property
    def value(self) -> Any:
        if self.rows:
            return self.rows
        return tuple(each.value for each in self.readings) if self.several else self.readings[0].value

    def supports(self, lesson: FieldLesson) -> bool:
        return lesson.threshold is not None and self.lead >= lesson.threshold


def recall_fields(
    sheet: StudyPage, fields: Sequence[CanonicalField], lessons: Mapping[str, FieldLesson], key: Key = str
) -> Iterator[tuple[CanonicalField, Recollection]]:
    """The best candidate of each field of one kind of value, unless "none of these" is better."""
    if fields[0].columns:
        found_rows = ((field, _recall_rows(sheet, field, lessons[field.path].heads)) for field in fields)
        yield from ((field, found) for field, found in found_rows if found is not None)
        return
    weights = [lessons[field.path].weights for field in fields]
    if fields[0].type is FieldType.ENUM:
        scores = [_member_scores(sheet, field, lessons[field.path].weights, key) for field in fields]
    else:
        scores = sheet.scores(fields, Index(weights, key))
    for field, own in zip(fields, scores, strict=True):
        found = _recall(sheet, field, own, lessons[field.path], key)
        if found is not None:
            yield field, found


def _recall_rows(sheet: StudyPage, field: CanonicalField, heads: Heads) -> Recollection | None:
    found = recall_rows(sheet, field, heads) if heads else None
    rows = row_values(sheet, field, found) if found else ()
    if not found or not rows:
        return None
    learned = [head for head in found.heads if any(head.strip().casefold() in each for each in heads.values())]
    return Recollection((), ROWS_LEAD, f"column heads {', '.join(map(repr, learned))}", rows=rows)


def recall_field(sheet: StudyPage, field: CanonicalField, lesson: FieldLesson) -> Recollection | None:
    return next((found for _, found in recall_fields(sheet, [field], {field.path: lesson})), None)


def _member_scores(sheet: StudyPage, field: CanonicalField, weights: Mapping[str, int], key: Key) -> list[int]:
    return [sum(weights.get(key(sign), 0) for sign in spoken.signs) for spoken in sheet.spoken(field)]


def _recall(
    sheet: StudyPage, field: CanonicalField, scores: Sequence[int], lesson: FieldLesson, key: Key
) -> Recollection | None:
    weights = lesson.weights
    least = -_NEAR if field.type is FieldType.ARRAY else 0
    order = sorted((n for n, score in enumerate(scores) if score > least), key=lambda n: (-scores[n], n))[:_MOST_READ]
    if field.type is FieldType.ARRAY:
        return _recall_list(sheet, field, order, scores, weights)
    best: tuple[int, Reading] | None = None
    rival = 0
    for number in order:
        reading = sheet.read(field, number, _Keyed(weights, key))
        if reading is None:
            continue
        if best is None:
            best = number, reading
        elif _key(reading) != _key(best[1]):
            rival = scores[number]
            break
    if best is None:
        return None
    said = _said(sheet, field, best[0], _Keyed(weights, key), lesson.labels)
    return Recollection((best[1],), scores[best[0]] - rival, said)


class _Keyed(dict[str, int]):
    """Weights that are asked for by the signs themselves, also where only their hashes are stored."""

    def __init__(self, weights: Mapping[str, int], key: Key) -> None:
        super().__init__()
        self._stored, self._hash = weights, key

    def get(self, sign: str, default: Any = None) -> Any:
        return self._stored.get(self._hash(sign), default)


def _recall_list(
    sheet: StudyPage, field: CanonicalField, order: Sequence[int], scores: Sequence[int], weights: Mapping[str, int]
) -> Recollection | None:
    """The items that are each better than nothing, none inside another, each value once."""
    taken: list[Reading] = []
    lead = _NEAR
    for number in order:
        reading = sheet.read(field, number, weights)
        if reading is None or any(_overlap(reading, other) for other in taken):
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


def _overlap(one: Reading, other: Reading) -> bool:
    return one.start < other.end and other.start < one.end


def _key(reading: Reading) -> Any:
    return letters(reading.value) if isinstance(reading.value, str) else repr(reading.value)


def _said(
    sheet: StudyPage, field: CanonicalField, number: int, weights: Mapping[str, int], labels: Mapping[str, int]
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


def recall_all(
    document: Document, contract: CanonicalContract, lessons: Lessons, how: Conventions, lexicon: Lexicon | None = None
) -> Mapping[str, Recollection]:
    """What lessons say of every field, by path; worked out once per document."""
    key = ("recalled", lessons.hash)
    if key not in document.cache:
        sheet = StudyPage(document, contract, how, lexicon, lessons.cuts)
        known = {
            field.path: lesson
            for field in contract.leaves
            if (lesson := lessons.of(field)) and (lesson.weights or lesson.heads)
        }
        groups: dict[str, list[CanonicalField]] = {}
        for field in (field for field in contract.leaves if field.path in known):
            kind = "enum" if field.type is FieldType.ENUM else "rows" if field.columns else kind_of(field)
            groups.setdefault(kind, []).append(field)
        document.cache[key] = {
            field.path: found
            for fields in groups.values()
            for field, found in recall_fields(sheet, fields, known, lessons.key)
            if (floor := known[field.path].floor) is not None and found.lead >= floor
        }
    recalled: Mapping[str, Recollection] = document.cache[key]
    return recalled
