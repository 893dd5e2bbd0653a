"""Units and currencies that heads name, for columns that ask for them: "Weight (kg)", "Unit price (GBP)"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from paxman.documents.document import Cell
from paxman.finding.tables.columns import ArrayColumns
from paxman.lazy import lazy_pattern
from paxman.lexicon.lexicon import Lexicon
from paxman.recognizers.figures.currency_signs import codes_of
from paxman.types import FieldType, Span

_IN_BRACKETS = lazy_pattern(r"[(\[]\s*(?:\w{2,5} )?([^()\[\]]{1,9}?)\s*[)\]]")
_KINDS = ("unit", "currency")


def units_of_heads(
    text: str, columns: ArrayColumns, places: Mapping[int, int], heads: Sequence[Cell]
) -> dict[int, Cell]:
    """What the heads of other columns say for each that asks for a unit or a currency and has none of its own."""
    open_ = {column: kind for column in columns.texts if column not in places and (kind := _kind(columns, column))}
    if not open_:
        return {}
    said = {c: cells for c, place in places.items() if (cells := dict(_said(text, heads[place].span, columns.lexicon)))}
    found = {column: _agreed(columns, column, kind, said) for column, kind in open_.items()}
    return {column: cell for column, cell in found.items() if cell}


def _kind(columns: ArrayColumns, column: int) -> str:
    """Whether a column asks for a unit or a currency, its own or that of another: `weight_unit`."""
    role, last = columns.roles[column], columns.fields[column].words.lower().split()[-1:]
    return next((kind for kind in _KINDS if kind == role or [kind] == last), "")


def _said(text: str, span: Span, lexicon: Lexicon) -> Iterator[tuple[str, Cell]]:
    """The unit or the currency in brackets at a head."""
    for match in _IN_BRACKETS.finditer(text, *span):
        kind = "unit" if match[1].casefold() in lexicon.units else "currency" if len(codes_of(match[1])) == 1 else ""
        if kind:
            yield kind, Cell(match[1], match.span(1))


def _agreed(columns: ArrayColumns, column: int, kind: str, said: Mapping[int, Mapping[str, Cell]]) -> Cell | None:
    """What the column that shares a word says, or else those that count, unless they differ."""
    words = set(columns.fields[column].words.lower().split()) - set(_KINDS)
    named = [c for c in said if words & set(columns.fields[c].words.lower().split())]
    counted = [c for c in said if columns.roles[c] == "quantity"] if kind == "unit" else []
    asked = named if words else counted or [c for c in said if columns.fields[c].type is not FieldType.STRING]
    cells = [said[c][kind] for c in asked if kind in said[c]]
    return cells[0] if len({cell.text for cell in cells}) == 1 else None
