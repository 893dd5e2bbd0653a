"""What lessons say of a page: the best candidate of each field, and whether it stands above its threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from paxman.classes import record
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document
from paxman.learning.candidates import Sheet
from paxman.learning.lessons import FieldLesson, Lessons
from paxman.learning.locating import letters
from paxman.learning.mentions import fold_name
from paxman.learning.ranking import rank
from paxman.recognizers import Conventions, Reading
from paxman.types import FieldType

_MOST_SIGNS = 3


@record
class Recollection:
    """A value that lessons point at: where it stands, its lead over the next best, and the signs that spoke for it."""

    reading: Reading
    lead: int
    said: str

    def supports(self, lesson: FieldLesson) -> bool:
        return lesson.threshold is not None and self.lead >= lesson.threshold


def recall_field(
    sheet: Sheet, field: CanonicalField, weights: Mapping[str, int], labels: Mapping[str, int], lessons: Any = None
) -> Recollection | None:
    """The best candidate of a field, unless "none of these" is better."""
    signs = sheet.signs(field)
    if lessons is not None and lessons.private:
        signs = [[lessons.key(sign) for sign in each] for each in signs]
    scores = rank(signs, weights)
    order = sorted(range(len(scores)), key=lambda number: (-scores[number], number))
    best = None
    for number in order[:60]:
        if scores[number] <= 0:
            break
        reading = sheet.read(field, number, weights)
        if reading is None:
            continue
        if best is None:
            best = (number, reading)
        elif _key(reading) != _key(best[1]):
            lead = scores[best[0]] - scores[number]
            return Recollection(best[1], lead, _said(sheet, field, best[0], signs[best[0]], weights, labels))
    if best is None:
        return None
    return Recollection(best[1], scores[best[0]], _said(sheet, field, best[0], signs[best[0]], weights, labels))


def _key(reading: Reading) -> Any:
    return letters(reading.value) if isinstance(reading.value, str) else repr(reading.value)


def _said(
    sheet: Sheet,
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
    """What lessons say of every scalar field, by path; worked out once per document."""
    key = ("recalled", lessons.hash)
    if key not in document.cache:
        sheet = Sheet(document, contract, how)
        found = {}
        for field in contract.leaves:
            lesson = lessons.of(field)
            if lesson is not None and lesson.weights and field.type is not FieldType.ARRAY:
                recalled = recall_field(sheet, field, lesson.weights, lesson.labels, lessons)
                if recalled is not None:
                    found[field.path] = recalled
        document.cache[key] = found
    known: Mapping[str, Recollection] = document.cache[key]
    return known
