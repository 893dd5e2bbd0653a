"""Delimited files of all sorts: how many are read like their clean form, and whether clean files keep every row.

`python -m benchmarks.delimited [--misses]`, with the CSV files in ../shared/bench beside the project.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from pathlib import Path

from paxman.documents.document import Cell, Table
from paxman.documents.reading import read_document

FILES = Path(__file__).resolve().parents[2] / "shared" / "bench" / "csv_suites" / "dev"
TARGET = 0.9
_NO_NAME = re.compile(r"col_\d+")
Rows = list[list[str]]


def main() -> None:
    if not FILES.exists():
        print(f"no labelled documents at {FILES}: nothing to measure")
        return
    cleaned = sorted(FILES.glob("*.clean.csv"))
    spelled = sorted(path for path in FILES.glob("*.json") if not path.name.endswith(".params.json"))
    verdicts = {path.name: _is_read(_messy(path), _rows(path), _is_named(path)) for path in cleaned}
    verdicts |= {path.name: _is_read(path.with_suffix(".csv"), _spelled_rows(path)) for path in spelled}
    for name, (rows, named) in verdicts.items() if "--misses" in sys.argv else ():
        if not named:
            print(f"{name}: {'only headings differ' if rows else 'rows differ'}")
    _print("rows as in the clean form", [rows for rows, _ in verdicts.values()], TARGET)
    _print("rows and headings as in the clean form", [named for _, named in verdicts.values()], TARGET)
    _print("clean files with every row", [_is_read(path, _rows(path))[0] for path in cleaned], 1)


def _print(what: str, verdicts: list[bool], target: float) -> None:
    share = sum(verdicts) / len(verdicts)
    print(f"{what:40} {sum(verdicts):3} of {len(verdicts):3} {share:6.3f} {target:4} {'' if share >= target else 'NO'}")


def _messy(path: Path) -> Path:
    return path.with_name(path.name.replace(".clean", ""))


def _is_named(path: Path) -> bool:
    """Whether the file has headings."""
    facts = json.loads(path.with_name(path.name.replace(".clean.csv", ".params.json")).read_text())
    return str(facts["header_lines"]) != "0"


def _rows(path: Path) -> Rows:
    with path.open(encoding="utf-8", errors="replace", newline="") as lines:
        return list(csv.reader(lines))


def _spelled_rows(path: Path) -> Rows:
    records = json.loads(path.read_text())
    return [list(records[0]), *(list(record.values()) for record in records)] if records else []


def _is_read(path: Path, wanted: Rows, named: bool = True) -> tuple[bool, bool]:
    """Whether a table of the file, or all of them, hold the rows that are wanted, and whether also the headings."""
    tables = read_document(path.read_bytes(), path.name).tables
    wanted = [_plain(row) for row in wanted]
    named = named and not all(map(_NO_NAME.fullmatch, wanted[0] if wanted else ()))
    wholes = [*tables, _together(tables)] if tables else []
    return max((_compare(table, wanted, named) for table in wholes), default=(not wanted, not wanted))


def _together(tables: tuple[Table, ...]) -> Table:
    below = [row for table in tables[1:] for row in (table.header, *table.rows) if row]
    return Table(tables[0].header, (*tables[0].rows, *below))


def _compare(table: Table, wanted: Rows, named: bool) -> tuple[bool, bool]:
    header, rows = _texts(table.header), [_texts(row) for row in table.rows]
    if not named:
        body = wanted[1:] if wanted and all(map(_NO_NAME.fullmatch, wanted[0])) else wanted
        return rows == body, rows == body and not header
    same = rows == wanted[1:]
    return same or [*filter(None, [header]), *rows] == wanted, same and [*filter(None, header)] == [
        *filter(None, wanted[0])
    ]


def _texts(cells: tuple[Cell, ...]) -> list[str]:
    return _plain([cell.text for cell in cells])


def _plain(cells: list[str]) -> list[str]:
    """Without white space around cells, and without empty cells at the end."""
    texts = [cell.strip() for cell in cells]
    while texts and not texts[-1]:
        texts.pop()
    return texts


if __name__ == "__main__":
    main()
