"""What an ODS shows beyond its numbers: currencies, leading zeros, cells merged downward, and what has no value.

Runs in the helper process only, beside the parser, which gives numbers without their formats.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from itertools import islice
from typing import Any

from paxman.currencies import MINOR_UNITS
from paxman.documents.office.cell_formats import Format, Shown
from paxman.documents.office.writer import parse_xml

# What a sheet has that only numbers and texts fill, nobody needs to look at.
_WORTH_A_LOOK = re.compile(
    rb"office:currency=|table:visibility=|number-rows-spanned=|table:formula=|value-type=[\"']error|>0[0-9]{1,19}<|[0-9]{16}[\"']"
)
_DIGITS = re.compile(r"-?[0-9]{1,40}\Z")
_MOST_ROWS, _MOST_COLUMNS = 1_048_576, 16_384


class OdsFormats:
    """The sheets of a book as they are written."""

    def __init__(self, data: bytes) -> None:
        self._sheets = dict(_sheets(data))

    def part(self, sheet: str) -> str:
        """What a sheet is called in the file."""
        return sheet

    def shown(self, sheet: str) -> Shown:
        """What a sheet shows otherwise than its numbers say."""
        return _scan(self._sheets[sheet]) if sheet in self._sheets else Shown({})


def _sheets(data: bytes) -> Iterator[tuple[str, Any]]:
    root: Any = ()
    try:
        content = zipfile.ZipFile(io.BytesIO(data)).read("content.xml")
        root = parse_xml(content) if _WORTH_A_LOOK.search(content) else ()
    except (KeyError, SyntaxError, ValueError, zipfile.BadZipFile, NotImplementedError, RuntimeError):
        return
    for element in root.iter() if len(root) else ():
        if _name(element) == "table":
            yield _attributes(element).get("name", ""), element


def _scan(table: Any) -> Shown:
    texts: dict[int, dict[int, str]] = {}
    merged: list[tuple[int, int, int]] = []
    hidden: set[int] = set()
    unsolved = broken = number = 0
    for row in table.iter():
        if _name(row) != "table-row":
            continue
        shown: dict[int, str] = {}
        for column, count, cell in _cells(row):
            found = _attributes(cell)
            broken += found.get("calcext-type") == "error"
            unsolved += "formula" in found and "value-type" not in found
            down = _count(found, "number-rows-spanned", _MOST_ROWS)
            merged += [(number, column, number + down - 1)] if down > 1 else []
            if text := _text(found, cell):
                shown.update(dict.fromkeys(range(column, column + count), text))
        about = _attributes(row)
        repeated = _count(about, "number-rows-repeated", max(_MOST_ROWS - number, 1))
        texts.update(dict.fromkeys(range(number, number + repeated), shown) if shown else {})
        if about.get("visibility", "visible") != "visible" and next(row.itertext(), None):
            hidden.update(range(number, number + repeated))
        number += repeated
    return Shown(texts, unsolved, broken, tuple(merged), frozenset(hidden))


def _cells(row: Any) -> Iterator[tuple[int, int, Any]]:
    """The cells of a row with their column, and how many of them are alike."""
    column = 0
    for cell in row:
        if _name(cell) in ("table-cell", "covered-table-cell"):
            count = _count(_attributes(cell), "number-columns-repeated", _MOST_COLUMNS)
            yield column, min(count, max(_MOST_COLUMNS - column, 0)), cell
            column += count


def _text(found: dict[str, str], cell: Any) -> str | None:
    """A number with its currency, with the zeros that are shown before it, or with more digits than a float holds."""
    value, currency = found.get("value", ""), found.get("currency", "")
    if found.get("value-type") == "currency" and currency:
        return Format(after=f" {currency}", decimals=MINOR_UNITS.get(currency, 0)).show(value)
    if found.get("value-type") != "float" or not _DIGITS.match(value):
        return None
    shown = "".join(islice(cell.itertext(), 9)).strip()
    if shown.startswith("0") and _DIGITS.match(shown) and int(shown) == int(value):
        return shown
    return value if len(value) > 15 else None


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _attributes(element: Any) -> dict[str, str]:
    """Attributes by their local name; newer programs say in one of their own what is an error."""
    found = {name.rpartition("}")[2]: value for name, value in element.attrib.items() if "calcext" not in name}
    kind = next((value for name, value in element.attrib.items() if "calcext" in name and "value-type" in name), "")
    return {**found, "calcext-type": kind} if kind else found


def _count(found: dict[str, str], name: str, most: int) -> int:
    written = found.get(name, "1")
    return min(max(int(written), 1), most) if written.isascii() and written.isdigit() and len(written) < 9 else 1
