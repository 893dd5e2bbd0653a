"""Results as CSV: a row per document with a column per field, and a file of rows for each list of objects."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from paxman.batch.disk import replacing
from paxman.batch.flat_tables import DATA, Row, flat_rows, from_lines
from paxman.batch.journal import JournalLine

_ABOUT = ("_source", "_status", "_reason")
_DOCUMENTS = "documents"
_UNSAFE = re.compile(r"[^\w.-]+")
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")
"""How a cell begins that a spreadsheet would compute or obey, full-width signs included."""
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\Z", re.ASCII)


def write_csv(
    lines: Callable[[], Iterable[JournalLine]], folder: Path, raw_cells: bool = False, with_confidence: bool = False
) -> list[str]:
    """Write the files and say where; what columns there are is known when all was looked at once.

    A spreadsheet would take text that begins like a formula for one: it gets an apostrophe, unless `raw_cells`. With
    confidences each field has two columns more: how sure it is, and why not more.
    """
    shown = str if raw_cells else disarm
    columns: dict[str, dict[str, None]] = {_DOCUMENTS: dict.fromkeys(_ABOUT)}
    for name, row in _rows(lines(), with_confidence):
        columns.setdefault(name, {}).update(dict.fromkeys(row))
    parted = {path.rpartition(".")[0] for names in columns.values() for path in names} | columns.keys()
    targets = {name: folder / f"{safe_name(name)}.csv" for name in columns}
    with ExitStack() as open_files:
        writers, kept = {}, dict[str, list[str]]()
        for name, target in targets.items():
            draft = open_files.enter_context(replacing(target))
            file = open_files.enter_context(draft.open("w", encoding="utf-8", newline=""))
            kept[name] = [path for path in columns[name] if path not in parted]
            writers[name] = csv.writer(file)
            writers[name].writerow(map(shown, kept[name]))
        for name, row in _rows(lines(), with_confidence):
            writers[name].writerow("" if row.get(path) is None else shown(row[path]) for path in kept[name])
    return [str(target) for target in targets.values()]


def disarm(value: Any) -> str:
    """The text of a cell, with an apostrophe before what a spreadsheet would compute; numbers stay numbers."""
    text = str(value)
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.match(text) else text


def safe_name(name: str) -> str:
    """A name that a file may have."""
    return _UNSAFE.sub("_", name)


def _rows(lines: Iterable[JournalLine], with_confidence: bool) -> Iterator[tuple[str, Row]]:
    """Each row with the name of its file: one of a document, then those of its lists."""
    for about, fields in from_lines(lines):
        trust = {f"{field['field_path']}:rows": _say(field["rows"]) for field in fields if field.get("rows")}
        trust |= dict(pair for field in fields for pair in _trust(field)) if with_confidence else {}
        for path, row in flat_rows([(about, fields)]):
            del row["position"]
            yield (_DOCUMENTS, {**row, **trust}) if path == DATA else (path, row)


def _say(rows: Row) -> str:
    return f"{rows['found']} of {rows['expected']}"


def _trust(field: Row) -> Iterator[tuple[str, Any]]:
    """How sure a field is, and what its first note says."""
    yield f"{field['field_path']}:confidence", field["confidence"] if field["status"] == "RESOLVED" else None
    yield f"{field['field_path']}:reason", next((note["message"] for note in field["diagnostics"]), None)
