"""Spreadsheets through calamine; runs in the helper process only."""

from __future__ import annotations

import datetime
import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import islice
from typing import Any

import python_calamine

from paxman.documents.office.cell_formats import Formats, OdsFormats, Shown
from paxman.documents.office.far_cells import STAYS, close_gaps
from paxman.documents.office.xls_cells import XlsFormats
from paxman.documents.sandbox.helper import UnreadableError, describe

_ONE_LINE = str.maketrans({"\t": " ", "\n": " ", "\r": " ", "\f": " ", "\v": " "})
_MIDNIGHT = datetime.time()
_VISIBLE = python_calamine.SheetVisibleEnum.Visible
_MOST_WHOLE = 2**53
"""Whole numbers up to here are exact as floats."""
_MOST_CELLS = 30_000_000
"""Cells of a sheet that are looked at, with the empty ones between its corners: about two seconds."""
_NO_CELLS = ("docProps/", "customXml/", "xl/media/", "xl/theme/", "Pictures/", "Thumbnails/")
"""Members whose content is not read."""
_CHUNK = 1 << 20


def extract(data: bytes, options: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
    """The text of each sheet, a line to a row and a tab between cells, with its first column and numbers of rows.

    Of empty rows that follow each other one is kept; the rows are given as pairs of a line and the row it shows,
    for each line whose row is not next to that of the line before.
    """
    _check_members(data)
    data, moves = close_gaps(data) if data.startswith(b"PK") else (data, {})
    workbook = _open_workbook(data)
    sheets, texts, room, large, unsolved, broken = [], [], options["max_text_chars"], [], 0, 0
    hidden_rows: list[tuple[str, list[int]]] = []
    formats = _formats(data)
    far: list[tuple[str, int]] = []
    for name in workbook.sheet_names:
        moved = moves.get(formats.part(name), STAYS)
        far += [(name, moved.repeated)] if moved is not STAYS else []
        shown = formats.shown(name)
        unsolved += shown.unsolved
        broken += shown.broken
        hidden_rows.append((name, []))
        column, rows, text, whole, merged = _read_sheet(workbook, name, room, shown, hidden_rows[-1][1])
        room -= len(text)
        large += [] if whole else [name]
        hidden_rows[-1][1][:] = map(moved.row, hidden_rows[-1][1])
        merged = [(moved.row(top), at, moved.row(bottom)) for top, at, bottom in merged]
        sheets.append([name, column, moved.lines(rows, text.count("\n") + 1), merged, moved.columns])
        texts.append(text.encode())
    hidden = [each.name for each in workbook.sheets_metadata if each.visible != _VISIBLE]
    meta = {
        "sheets": sheets,
        "cut": room <= 0,
        "large": large,
        "hidden": hidden,
        "hidden_rows": hidden_rows,
        "far": far,
    }
    return {**meta, "unsolved": unsolved, "broken": broken, "steps": sum(map(len, texts))}, texts


def _open_workbook(data: bytes) -> python_calamine.CalamineWorkbook:
    try:
        workbook = python_calamine.load_workbook(io.BytesIO(data))
        has_sheets = bool(workbook.sheet_names)
    except python_calamine.PasswordError:
        advice = "Save a copy without the password and read that"
        raise UnreadableError("the spreadsheet is protected with a password", advice) from None
    except python_calamine.CalamineError as error:
        raise _broken(describe(error)) from None
    if not has_sheets:
        raise _broken("it has no sheets")
    return workbook


def _check_members(data: bytes) -> None:
    """Raises UnreadableError for a member that is not what was packed, which the parser does not tell."""
    if not data.startswith(b"PK"):
        return
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.infolist():
                with archive.open(member) as stream:
                    while not member.filename.startswith(_NO_CELLS) and stream.read(_CHUNK):
                        pass
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, RuntimeError) as error:
        raise _broken(describe(error)) from None


def _formats(data: bytes) -> Formats | OdsFormats | XlsFormats:
    if data.startswith(b"PK"):
        return OdsFormats(data) if b"opendocument" in data[:200] else Formats(data)
    return XlsFormats(data)


def _broken(reason: str) -> UnreadableError:
    advice = "Check that it is complete; save an old Word or PowerPoint file as DOCX or PDF"
    return UnreadableError(f"this is not a spreadsheet that can be read ({reason})", advice)


def _read_sheet(
    workbook: Any, name: str, room: int, shown: Shown, hidden: list[int]
) -> tuple[int, list[tuple[int, int]], str, bool, list[tuple[int, int, int]]]:
    """The first column of a sheet, its rows, its text, whether that is all of it, and what is merged downward.

    Rows that hold something and are not shown are added to `hidden`.
    """
    try:
        sheet = workbook.get_sheet_by_name(name)
    except python_calamine.WorksheetNotFound:
        # A chart sheet has no cells.
        return 0, [(0, 0)], "", True, []
    except python_calamine.CalamineError as error:
        raise _broken(describe(error)) from None
    first, column = sheet.start or (0, 0)
    last = first + min(sheet.height, _MOST_CELLS // max(sheet.width, 1))
    cells: Iterator[tuple[int, list[Any]]] = enumerate(islice(sheet.iter_rows(), first, last), first)
    if shown.hidden:
        cells = _noting(cells, shown.hidden, hidden)
    rows, lines = _lines(_as_shown(cells, shown, column) if shown.texts else cells, first)
    text = "\n".join(lines)[: max(room, 0)].encode("utf-8", "replace").decode()
    ranges = getattr(sheet, "merged_cell_ranges", None) or ()
    return (
        column,
        rows,
        text,
        last == first + sheet.height,
        [(top, column, bottom) for (top, column), (bottom, _) in ranges if top < bottom] or [*shown.merged],
    )


def _noting(
    cells: Iterable[tuple[int, list[Any]]], rows: frozenset[int], found: list[int]
) -> Iterator[tuple[int, list[Any]]]:
    """Rows, with the numbers of those noted that are in a set and not empty."""
    for number, row in cells:
        if number in rows and any(cell != "" for cell in row):
            found.append(number)
        yield number, row


def _as_shown(cells: Iterable[tuple[int, list[Any]]], shown: Shown, first: int) -> Iterator[tuple[int, list[Any]]]:
    """Rows with the numbers replaced that the sheet shows otherwise."""
    for number, row in cells:
        for column, text in shown.texts.get(number, {}).items():
            if first <= column < first + len(row) and type(row[column - first]) in (float, int):
                row[column - first] = text
        yield number, row


def _lines(cells: Iterable[tuple[int, list[Any]]], first: int) -> tuple[list[tuple[int, int]], list[str]]:
    rows, lines, empty = [(0, first)], [], 0
    for number, row in cells:
        if row.count("") == len(row):
            empty += 1
            continue
        if empty:
            lines.append("\t" * (len(row) - 1))
        if empty > 1:
            rows.append((len(lines), number))
        empty = 0
        lines.append("\t".join([_text(cell) for cell in row]))
    return rows, lines


def _text(value: Any) -> str:
    """A cell as a person would write it: whole numbers without a point, dates in ISO form, all on one line."""
    kind = type(value)
    if kind is str:
        text: str = value
        return text if text.isprintable() else text.translate(_ONE_LINE)
    if kind is float:
        return str(int(value)) if value.is_integer() and abs(value) <= _MOST_WHOLE else _number(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is datetime.datetime:
        return str(value.date() if value.time() == _MIDNIGHT else value)
    return _duration(value) if kind is datetime.timedelta else str(value)


def _duration(value: datetime.timedelta) -> str:
    """Hours, minutes and seconds, however many days they make."""
    minutes, seconds = divmod(abs(round(value.total_seconds())), 60)
    return f"{'-' if value.days < 0 else ''}{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def _number(value: float) -> str:
    """The digits that a spreadsheet shows: fifteen of them, never an exponent."""
    return format(Decimal(format(value, ".15g")), "f") if value == value and abs(value) < 1e300 else str(value)
