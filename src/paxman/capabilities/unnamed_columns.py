"""A table in which no heading names a required column: the only column that can be meant, or a note."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.table_headings import Vocabulary, heading_term, vocabulary_of
from paxman.contract.model import CanonicalField
from paxman.documents.headings import Bound
from paxman.types import Diagnostic, FieldType, Severity

if TYPE_CHECKING:
    from paxman.capabilities.row_reading import Reading

_LONGEST, _MOST_QUOTED = 40, 12


def not_named(context: CapabilityContext, headings: Sequence[str], bound: Bound) -> Diagnostic | None:
    """Which required columns a table has no heading for, if it has most others and is not that of another array."""
    field, places = context.field, dict(bound)
    if len(bound) < 2 or len(bound) * 2 <= len(field.columns):
        return None
    if not {field.path}.issuperset(_arrays_named(context, tuple(headings))):
        return None
    names = [c.name for place, c in enumerate(field.columns) if c.required and place not in places]
    if not names:
        return None
    free = (text.strip() for at, text in enumerate(headings) if at not in places.values())
    others = [repr(text[:_LONGEST]) for text in free if text][:_MOST_QUOTED]
    rest = f"; not used: {', '.join(others)}; a label may name one" if others else ""
    message = f"the table was left out: no heading names {', '.join(map(repr, names))}{rest}"
    severity = Severity.WARNING if field.required else Severity.INFO
    return Diagnostic("VALIDATION_FAILED", severity, message, field.path, {"columns": names})


def read_fitting(
    context: CapabilityContext, headings: Sequence[str], bound: Bound, read: Callable[[Bound], Reading]
) -> Reading | None:
    """The rows with the only column that can be the one required column that no heading names."""
    places, columns = dict(bound), context.field.columns
    missing = [place for place, column in enumerate(columns) if column.required and place not in places]
    free = _free(headings, places.values())
    if len(missing) != 1 or len(free) > _MOST_QUOTED:
        return None
    vocabulary = vocabulary_of(columns)
    if missing[0] not in vocabulary.factors and not _may_be_text(vocabulary.roles[missing[0]], headings, free):
        return None
    readings = ((at, read(tuple(sorted({*bound, (missing[0], at)})))) for at in free)
    fitting = [(at, reading) for at, reading in readings if _fits(reading, columns, missing[0], vocabulary)]
    if len(fitting) != 1:
        return None
    at, reading = fitting[0]
    heading = headings[at].strip()[:_LONGEST]
    below = f"what stands below {heading!r}" if heading else "the column without one"
    message = f"no heading names {columns[missing[0]].name!r}; {below} fits"
    reading.record.doubts.append(Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, context.field.path))
    reading.unclear = True
    return reading


def _free(headings: Sequence[str], taken: Collection[int]) -> list[int]:
    """The columns that are not taken: those with a heading or, beside such as are taken, one without."""
    free = [at for at in range(len(headings)) if at not in taken]
    return [at for at in free if headings[at].strip()] or (free if any(map(str.strip, headings)) else [])


def _may_be_text(role: str | None, headings: Sequence[str], free: Sequence[int]) -> bool:
    """Whether texts are looked for, and the only heading that is left means nothing else."""
    return role in ("description", "thing") and [heading_term(headings[at]) in _VAGUE for at in free] == [True]


_VAGUE = (None, "position", "charge")


def _fits(reading: Reading, columns: Sequence[CanonicalField], place: int, vocabulary: Vocabulary) -> bool:
    """Whether quantity times price is the total in every row, of which one alone has several; texts have letters."""
    rows = reading.record.rows
    if len(rows) <= len(reading.record.rejected) or reading.differ:
        return False
    if vocabulary.factors and reading.agree < len(rows):
        return False
    if columns[place].type is FieldType.STRING:
        return len(rows) > 1 and all(any(map(str.isalpha, str(row[columns[place].name]))) for row in rows)
    return len(rows) > 1 or rows[0][columns[vocabulary.factors[0]].name] != 1


def _arrays_named(context: CapabilityContext, headings: tuple[str, ...]) -> tuple[str, ...]:
    """Paths of the arrays whose columns headings name, looked for once for all arrays."""
    cache = context.document.cache
    key = ("arrays_named", headings)
    if key not in cache:
        arrays = (field for field in context.contract.leaves if field.columns)
        cache[key] = tuple(field.path for field in arrays if _has_all(field, headings))
    found: tuple[str, ...] = cache[key]
    return found


def _has_all(field: CanonicalField, headings: Sequence[str]) -> bool:
    """Whether headings name every required column of an array, and two at least."""
    places = {place for place, _ in vocabulary_of(field.columns).bind_texts(headings)}
    return len(places) > 1 and all(place in places for place, column in enumerate(field.columns) if column.required)
