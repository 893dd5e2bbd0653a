"""Spreadsheets through calamine; runs in the helper process only."""

from __future__ import annotations

import datetime
import io
from decimal import Decimal
from typing import Any

import python_calamine

from paxman.documents.helper import UnreadableError

_ONE_LINE = str.maketrans({"\t": " ", "\n": " ", "\r": " ", "\f": " ", "\v": " "})
_MIDNIGHT = datetime.time()


def extract(data: bytes, options: dict[str, Any]) -> tuple[dict[str, Any], list[bytes]]:
    """The text of each sheet, a line to a row and a tab between cells, and the row and column of its first cell."""
    try:
        workbook = python_calamine.load_workbook(io.BytesIO(data))
        names = workbook.sheet_names
    except python_calamine.PasswordError:
        advice = "Save a copy without the password and read that"
        raise UnreadableError("the spreadsheet is protected with a password", advice) from None
    except python_calamine.CalamineError as error:
        raise _broken(str(error)) from None
    sheets, texts, room = [], [], options["max_text_chars"]
    for name in names:
        first, text = _read_sheet(workbook, name, room)
        room -= len(text)
        sheets.append([name, *first])
        texts.append(text.encode())
    return {"sheets": sheets, "cut": room <= 0}, texts


def _broken(reason: str) -> UnreadableError:
    advice = "Check that it is complete; save an old Word or PowerPoint file as DOCX or PDF"
    return UnreadableError(f"this is not a spreadsheet that can be read ({reason})", advice)


def _read_sheet(workbook: Any, name: str, room: int) -> tuple[tuple[int, int], str]:
    try:
        sheet = workbook.get_sheet_by_name(name)
        rows = sheet.to_python(skip_empty_area=True)
    except python_calamine.WorksheetNotFound:
        # A chart sheet has no cells.
        return (0, 0), ""
    except python_calamine.CalamineError as error:
        raise _broken(str(error)) from None
    text = "\n".join(["\t".join([_text(cell) for cell in row]) for row in rows])
    return sheet.start or (0, 0), text[: max(room, 0)].encode("utf-8", "replace").decode()


def _text(value: Any) -> str:
    """A cell as a person would write it: whole numbers without a point, dates in ISO form, all on one line."""
    kind = type(value)
    if kind is str:
        text: str = value
        return text if text.isprintable() else text.translate(_ONE_LINE)
    if kind is float:
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else _number(value)
    if kind is bool:
        return "true" if value else "false"
    if kind is datetime.datetime:
        return str(value.date() if value.time() == _MIDNIGHT else value)
    return str(value)


def _number(value: float) -> str:
    """The digits that a spreadsheet shows: fifteen of them, never an exponent."""
    return format(Decimal(format(value, ".15g")), "f") if value == value and abs(value) < 1e300 else str(value)
