"""The queue: all documents of a review, those first that need a person most; found and paged without reading any."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from paxman.batch.journal import NAME as JOURNAL
from paxman.batch.journal import JournalReader
from paxman.batch.outputs import field_lines
from paxman.batch.sources import files_in
from paxman.types import LOSSES, RowLedger

NEEDS = (
    "missing, or rows open",
    "conflict",
    "row lost",
    "a model's own conclusion",
    "low confidence",
    "sample, to measure",
    "not read yet",
    "fine",
)
"""Why a document is in the queue, the most urgent reason first."""
MISSING, CONFLICT, LOST, CONCLUDED, LOW, SAMPLE, UNREAD, FINE = range(8)
_BY_CODE = {
    "HUMAN_REVIEW_REQUIRED": MISSING,
    **dict.fromkeys(("CONFLICT", "MISMATCH", "CURRENCY_MISMATCH"), CONFLICT),
    **dict.fromkeys(("CONCLUDED_BY_MODEL", "UNGROUNDED_ANSWER"), CONCLUDED),
}
_LOW = ("MEDIUM", "LOW", "UNTRUSTED")
_SCHEMA = """
CREATE TABLE documents (number INTEGER PRIMARY KEY, name TEXT, path TEXT, stored TEXT, contract TEXT, status TEXT,
  need INTEGER, why TEXT, tags TEXT, state TEXT, opened REAL DEFAULT 0, opened_by TEXT DEFAULT '');
CREATE INDEX by_need ON documents (state, need, number);
"""
_AT_ONCE = 500
HELD = 300.0
"""Seconds for which a document that one person opened is not offered to another."""


class QueueEntry(NamedTuple):
    """A document of the queue; `stored` is its artifact, where one was made before."""

    name: str
    path: str = ""
    stored: str = ""
    contract: str = ""
    status: str = ""
    need: int = UNREAD
    why: str = ""
    tags: str = ""
    state: str = "waiting"


def need_of(row: Mapping[str, Any]) -> int:
    """How much a field needs a person, as an artifact or the journal of a batch has it."""
    missing = row["status"] == "UNRESOLVED" and row["required"]
    if missing or (row.get("rows") and RowLedger(**row["rows"]).is_open):
        return MISSING
    codes = {note["code"] for note in row["diagnostics"]}
    lost = any(note["code"] in LOSSES and note["severity"] != "INFO" for note in row["diagnostics"])
    low = row["status"] == "RESOLVED" and row["confidence_band"] in _LOW
    needs = [need for code, need in _BY_CODE.items() if code in codes]
    return min([*needs, LOST if lost else FINE, LOW if low else FINE])


def judge(rows: Iterable[Mapping[str, Any]], content: str) -> dict[str, Any]:
    """How much a document needs a person, why, and what it can be filtered by; one in ten of the rest is a sample."""
    fields = [(need_of(row), row) for row in rows]
    needs = sorted((need, row["field_path"]) for need, row in fields if need < SAMPLE)
    rest = SAMPLE if content and int(content[:8], 16) % 10 == 0 else FINE
    shown = [f"{NEEDS[need]}: {path}" for need, path in needs[:4]] + ["..."] * (len(needs) > 4)
    tags = ""
    for need, row in fields:
        band = row["confidence_band"] if row["status"] == "RESOLVED" else row["status"]
        tags += f"|{row['field_path']}{'!' if need < SAMPLE else ''}:{band}"
    return {"need": needs[0][0] if needs else rest, "why": "; ".join(shown), "tags": f"{tags}|"}


class Queue:
    """An index in memory; a hundred thousand documents are some tens of megabytes."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        self._connection.row_factory = sqlite3.Row
        self._connection.executescript(_SCHEMA)
        self.complete = False
        """Whether all sources were looked through."""

    def _ask(self, query: str, values: Iterable[Any] = ()) -> list[sqlite3.Row]:
        with self._lock, self._connection:
            return self._connection.execute(query, tuple(values)).fetchall()

    def fill(self, entries: Iterable[QueueEntry]) -> None:
        """Take documents in as they are found; what is there already can be worked on."""
        coming, marks = iter(entries), ", ".join("?" * len(QueueEntry._fields))
        query = f"INSERT INTO documents ({', '.join(QueueEntry._fields)}) VALUES ({marks})"
        while some := list(islice(coming, _AT_ONCE)):
            with self._lock, self._connection:
                self._connection.executemany(query, some)
        self.complete = True

    def __getitem__(self, number: int) -> sqlite3.Row:
        for row in self._ask("SELECT * FROM documents WHERE number = ?", [number]):
            return row
        raise KeyError(number)

    def note(self, number: int, **facts: Any) -> None:
        names = ", ".join(f"{name} = ?" for name in facts)
        self._ask(f"UPDATE documents SET {names} WHERE number = ?", [*facts.values(), number])

    def reset(self) -> None:
        """Have everything read again that nobody has decided on, as after lessons were applied."""
        self._ask("UPDATE documents SET state = 'waiting', stored = '' WHERE state = 'open' AND path != ''")

    def page(self, wanted: Mapping[str, str], start: int, count: int) -> tuple[list[sqlite3.Row], int]:
        """Documents in the order of need, those that are done last; and how many there are."""
        where, values = _where(wanted)
        total = self._ask(f"SELECT count(*) FROM documents WHERE {where}", values)[0][0]
        order = "state = 'done', state = 'skipped', need, number"
        rows = self._ask(
            f"SELECT * FROM documents WHERE {where} ORDER BY {order} LIMIT ? OFFSET ?", [*values, count, start]
        )
        return rows, total

    def after(self, number: int, by: str, now: float, wanted: Mapping[str, str]) -> int | None:
        """The document to look at next: one that needs it, is not done, and that nobody else has open."""
        where, values = _where(wanted)
        query = (
            f"SELECT number FROM documents WHERE {where} AND number != ? AND state NOT IN ('done', 'failed') "
            "AND (opened < ? OR opened_by IN ('', ?)) ORDER BY state = 'skipped', need, number LIMIT 1"
        )
        found = self._ask(query, [*values, number, now - HELD, by])
        return found[0][0] if found else None

    def numbers(self, count: int, *states: str) -> list[int]:
        """The first documents in one of these states that can be read."""
        within = f"state IN ({', '.join('?' * len(states))})"
        query = f"SELECT number FROM documents WHERE path != '' AND {within} ORDER BY need, number LIMIT ?"
        return [row[0] for row in self._ask(query, [*states, count])]

    def unread_ahead(self) -> int:
        """How many documents have been read that nobody has looked at."""
        query = "SELECT count(*) FROM documents WHERE state = 'open' AND opened = 0 AND need < ? AND stored = ''"
        return int(self._ask(query, [UNREAD])[0][0])

    def counts(self) -> dict[str, Any]:
        """Documents by need and by state, and by what filters offer."""
        query = "SELECT {0}, count(*) FROM documents WHERE {0} != '' GROUP BY {0} ORDER BY {0} LIMIT 100"
        return {
            name: dict(map(tuple, self._ask(query.format(name)))) for name in ("need", "state", "contract", "status")
        }


def _where(wanted: Mapping[str, str]) -> tuple[str, list[Any]]:
    """Filters: by need, state, contract and status as they are, by source as a part, by field and band together."""
    parts, values = ["1"], list[Any]()
    for name in ("need", "state", "contract", "status"):
        if wanted.get(name):
            parts.append(f"{name} = ?")
            values.append(int(wanted[name]) if name == "need" and wanted[name].isdigit() else wanted[name])
    if wanted.get("source"):
        parts.append("instr(lower(name), ?) > 0")
        values.append(wanted["source"].lower())
    field, band = wanted.get("field"), wanted.get("band")
    if field and band:
        parts.append("(instr(tags, ?) > 0 OR instr(tags, ?) > 0)")
        values += [f"|{field}:{band}|", f"|{field}!:{band}|"]
    elif field or band:
        parts.append("instr(tags, ?) > 0")
        values.append(f"|{field}!:" if field else f":{band}|")
    return " AND ".join(parts), values


def find_documents(sources: Iterable[Path], own: Path) -> Iterator[QueueEntry]:
    """The documents of files, folders, batch folders and artifacts; what is in the review's own folder is left out."""
    for source in sources:
        if (source / JOURNAL).is_file():
            yield from _from_batch(source)
        elif source.is_dir():
            yield from _from_folder(source, own)
        else:
            yield _from_file(source)


def _from_folder(folder: Path, own: Path) -> Iterator[QueueEntry]:
    """Artifacts, where there are some; else every file as a document."""
    documents, is_of_artifacts = [], False
    for path in files_in(folder, None):
        if own.absolute() not in path.absolute().parents:
            entry = _from_file(path)
            is_of_artifacts = is_of_artifacts or bool(entry.stored)
            if entry.stored:
                yield entry
            elif not is_of_artifacts:
                documents.append(entry)
    if not is_of_artifacts:
        yield from documents


def _from_file(path: Path) -> QueueEntry:
    if path.suffix == ".json" and (seen := _seal_of(path)):
        name = str(seen["metadata"].get("source") or path.name)
        found = next((place for place in (path.parent / name, Path(name)) if place.is_file()), None)
        facts = {"contract": seen["contract_id"], "status": seen["status"]}
        return QueueEntry(str(found or name), str(found or ""), str(path), **facts)
    return QueueEntry(str(path), str(path))


def _seal_of(path: Path) -> dict[str, Any] | None:
    """An artifact's own data, or None for any other JSON."""
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) and {"seal", "replay_hash", "metadata"} <= data.keys() else None


def _from_batch(folder: Path) -> Iterator[QueueEntry]:
    """What the journal knows is enough to order a document; its artifact is looked for when it is opened."""
    with closing(JournalReader(folder)) as reader:
        for line in reader.lines():
            row = json.loads(line.row)
            judged = judge(map(json.loads, field_lines(line)), row["content_hash"] or "")
            stored = folder / "artifacts" / f"{row['replay_hash']}"[:2] / f"{row['replay_hash']}.json"
            if row["status"] in ("EXECUTION_FAILED", "INVALID_CONTRACT"):
                judged |= {"need": MISSING, "why": row["reason"] or row["status"]}
            path = line.source if Path(line.source).is_file() else ""
            known = {"contract": row["contract_id"] or "", "status": row["status"], "state": "open"}
            yield QueueEntry(line.source, path, str(stored) if row["replay_hash"] else "", **known, **judged)
