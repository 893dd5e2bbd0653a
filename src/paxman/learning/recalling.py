"""What lessons say of a page: the best candidate of each field, and whether it stands above its threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from paxman.classes import record
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document
from paxman.learning.candidates import StudyPage
from paxman.learning.lessons import FieldLesson, Lessons
from paxman.learning.locating import letters
from paxman.learning.mentions import fold_name
from paxman.learning.ranking import rank
from paxman.recognizers import Conventions, Reading
from paxman.types import FieldType

_MOST_SIGNS = 3
_MOST_READ = 200
_NEAR = 2000


@record
class Recollection:
    """A value that lessons point at: where it stands, its lead over the next best, and the signs that spoke for it."""

    readings: tuple[Reading, ...]
    lead: int
    said: str
    several: bool = False
    """Whether these are the items of a list."""

    @property
    def value(self) -> Any:
        return tuple(each.value for each in self.readings) if self.several else self.readings[0].value

    def supports(self, lesson: FieldLesson) -> bool:
        return lesson.threshold is not None and self.lead >= lesson.threshold


def recall_field(
    sheet: StudyPage, field: CanonicalField, weights: Mapping[str, int], labels: Mapping[str, int], lessons: Any = None
) -> Recollection | None:
    """The best candidate of a field, unless "none of these" is better."""
    signs = sheet.signs(field)
    if lessons is not None and lessons.private:
        signs = [[lessons.key(sign) for sign in each] for each in signs]
    scores = rank(signs, weights)
    order = [n for n in sorted(range(len(scores)), key=lambda n: (-scores[n], n))[:_MOST_READ] if scores[n] > -_NEAR]
    if field.type is FieldType.ARRAY:
        return _recall_list(sheet, field, order, scores, weights)
    read = ((number, sheet.read(field, number, weights)) for number in order if scores[number] > 0)
    found = [(number, reading) for number, reading in read if reading is not None]
    if not found:
        return None
    best, reading = found[0]
    rival = next((number for number, other in found if _key(other) != _key(reading)), None)
    lead = scores[best] - (scores[rival] if rival is not None else 0)
    return Recollection((reading,), lead, _said(sheet, field, best, signs[best], weights, labels))


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
        if scores[number] > 0:
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
    sheet: StudyPage,
    field: CanonicalField,
    number: int,
    signs: Sequence[str],
    weights: Mapping[str, int],
    labels: Mapping[str, int],
) -> str:
    """The signs that spoke for a value, in words."""
    for name in sheet.names(field, number):
        count = labels.get(fold_name(name))
        if count:
            return f"label {name.strip()!r}, {count} example{'s' if count > 1 else ''}"
    telling = sorted(((weights.get(sign, 0), sign) for sign in signs), key=lambda each: (-each[0], each[1]))
    return "; ".join(f"{sign} {weight / 100:+.2f}" for weight, sign in telling[:_MOST_SIGNS] if weight > 0)


def recall_all(
    document: Document, contract: CanonicalContract, lessons: Lessons, how: Conventions
) -> Mapping[str, Recollection]:
    """What lessons say of every field, by path; worked out once per document."""
    key = ("recalled", lessons.hash)
    if key not in document.cache:
        sheet = StudyPage(document, contract, how)
        found = {}
        for field in contract.leaves:
            lesson = lessons.of(field)
            if lesson is not None and lesson.weights:
                recalled = recall_field(sheet, field, lesson.weights, lesson.labels, lessons)
                if recalled is not None and lesson.floor is not None and recalled.lead >= lesson.floor:
                    found[field.path] = recalled
        document.cache[key] = found
    known: Mapping[str, Recollection] = document.cache[key]
    return known
