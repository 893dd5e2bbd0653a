"""The journal of a batch: what is finished, by content, contract and settings. One process writes, any may read."""

from __future__ import annotations

import json
import os
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from decimal import Decimal
from pathlib import Path
from typing import IO, Any, NamedTuple

from paxman.batch.disk import writing
from paxman.batch.reuse import Prior
from paxman.batch.spending import money_taken
from paxman.batch.work import Outcome
from paxman.errors import ConfigurationError

_SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS parts (id INTEGER PRIMARY KEY, parts TEXT UNIQUE);
CREATE TABLE IF NOT EXISTS documents (position INTEGER PRIMARY KEY, source TEXT, key TEXT, metadata TEXT);
CREATE TABLE IF NOT EXISTS results (
  number INTEGER PRIMARY KEY, key TEXT UNIQUE, content TEXT, suffix TEXT, status TEXT, row BLOB, fields BLOB,
  parts INTEGER, cost_usd TEXT, reused INTEGER, redone INTEGER,
  unlucky INTEGER, has_artifact INTEGER, remote_calls INTEGER DEFAULT 0, run INTEGER DEFAULT 0,
  rows TEXT);
CREATE INDEX IF NOT EXISTS by_content ON results (content);
"""
_COLUMNS = tuple(
    "key content suffix status row fields parts cost_usd reused redone unlucky has_artifact remote_calls rows".split()
)
_LATER = ("remote_calls", "run", "rows")
"""Columns that journals of older versions lack."""
_AT_ONCE = 500
_KEY_LENGTH = 40
_TRIES, _MOMENT = 50, 0.01
NAME = "journal.sqlite"


class JournalLine(NamedTuple):
    """A document in the order of the sources, with what was found."""

    position: int
    source: str
    metadata: str | None
    row: bytes
    fields: bytes


class Journal:
    """The writing side. Nothing is seen by others before its transaction is complete."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = _lock(folder)
            self._connection = sqlite3.connect(folder / NAME, isolation_level=None)
            try:
                self._open()
            except sqlite3.Error:
                self.close()
                raise
        self._parts: dict[str, int] = {}
        self._run = 0

    def _open(self) -> None:
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=NORMAL")
        self._connection.executescript(_SCHEMA)
        self._complete()

    def _complete(self) -> None:
        """Add what the journal of an older version lacks."""
        there = [column[1] for column in self._connection.execute("PRAGMA table_info(results)")]
        for name in _LATER:
            if name not in there:
                self._connection.execute(f"ALTER TABLE results ADD COLUMN {name} INTEGER DEFAULT 0")

    def close(self) -> None:
        self._connection.close()
        self._lock.close()

    def begin(self, command: str = "", **facts: Any) -> None:
        """The list of documents is made anew by each run; what was found in them stays.

        The same command after a run that did not end is the same run, which must not see what it found itself.
        """
        with self._transaction():
            self._connection.execute("DELETE FROM documents")
            last = self._connection.execute("SELECT max(number) FROM results").fetchone()[0]
        with closing(JournalReader(self.folder)) as reader:
            lost = reader.cost() - reader.recorded_cost()
            before = reader.facts()
        goes_on = before.get("finished") is None and before.get("command") == command
        self._run = before.get("run", 0) + (not goes_on)
        own = {"command": command, "run": self._run, "last_before": last or 0, "lost_usd": str(lost)}
        self.note(started=now(), finished=None, **own, **facts)

    def note(self, **facts: Any) -> None:
        """Facts on the run, for whoever asks for its status."""
        with self._transaction():
            self._connection.executemany(
                "INSERT OR REPLACE INTO facts VALUES (?, ?)", [(k, json.dumps(v)) for k, v in facts.items()]
            )

    def record(self, outcomes: Iterable[Outcome], again: bool = False) -> None:
        """Write finished documents in one transaction; equal documents share a result."""
        with self._transaction():
            for outcome in outcomes:
                if outcome.row is not None:
                    self._insert(outcome, again)
                self._connection.execute(
                    "INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?)",
                    (outcome.position, outcome.source, outcome.key, outcome.metadata),
                )

    def _insert(self, outcome: Outcome, again: bool) -> None:
        """A result that is there, and was asked for its artifact now, gives way to none that went worse."""
        if again:
            self._connection.execute("DELETE FROM results WHERE key = ?", (outcome.key,))
        else:
            outcome = self._with_earlier_cost(outcome)
        self._connection.execute(
            f"INSERT INTO results ({', '.join(_COLUMNS)}, run) VALUES ({', '.join('?' * len(_COLUMNS))}, ?) "
            f"ON CONFLICT (key) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in _COLUMNS)} "
            "WHERE excluded.parts IS NOT NULL AND excluded.unlucky <= results.unlucky",
            (
                outcome.key,
                outcome.content,
                outcome.suffix,
                outcome.status,
                zlib.compress(outcome.row or b"", 1),
                zlib.compress(outcome.fields, 1),
                self._parts_id(outcome.parts),
                outcome.cost_usd,
                outcome.reused,
                outcome.redone,
                outcome.unlucky,
                outcome.artifact is not None or not outcome.artifact_name,
                outcome.remote_calls,
                outcome.rows,
                self._run,
            ),
        )

    def _with_earlier_cost(self, outcome: Outcome) -> Outcome:
        """One that was finished before and was asked for its artifact now was paid for then."""
        query = "SELECT cost_usd, reused, redone FROM results WHERE key = ?"
        found = self._connection.execute(query, (outcome.key,)).fetchone()
        if not found:
            return outcome
        cost = str(Decimal(found[0]) + Decimal(outcome.cost_usd))
        return outcome._replace(cost_usd=cost, reused=found[1], redone=found[2])

    def _parts_id(self, parts: str) -> int | None:
        if not parts:
            return None
        if parts not in self._parts:
            self._connection.execute("INSERT OR IGNORE INTO parts (parts) VALUES (?)", (parts,))
            found = self._connection.execute("SELECT id FROM parts WHERE parts = ?", (parts,)).fetchone()
            self._parts[parts] = found[0]
        return self._parts[parts]

    def retry_unlucky(self) -> None:
        """Let documents be tried again that failed, or lacked money or a service; what was found in them is kept."""
        with self._transaction():
            self._connection.execute("UPDATE results SET key = key || '-' || number WHERE unlucky")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with writing(self.folder):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise


def _lock(folder: Path) -> IO[bytes]:
    """Two runs must not write to one folder; the system frees the lock of a run that was killed."""
    file = open(folder / "lock", "ab")  # noqa: SIM115
    for _ in range(_TRIES):
        if try_lock(file):
            return file
        time.sleep(_MOMENT)  # who asks for the status has it for an instant
    file.close()
    raise ConfigurationError(f"another run is writing to {folder}; wait for it, or see `paxman batch status`")


def try_lock(file: IO[bytes], shared: bool = False) -> bool:
    if os.name == "nt":
        return True
    import fcntl

    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


class JournalReader:
    """The reading side, for workers, outputs and other terminals."""

    def __init__(self, folder: Path) -> None:
        path = folder / NAME
        if not path.is_file():
            raise ConfigurationError(f"there is no batch in {folder}")
        self.folder = folder
        # On a disk that is read only, SQLite must be told that nobody writes.
        still = "" if os.access(folder, os.W_OK) else "&immutable=1"
        uri = f"{path.absolute().as_uri()}?mode=ro{still}"
        self._connection = sqlite3.connect(uri, uri=True, timeout=60, check_same_thread=False)
        if not self._connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'by_content'").fetchone():
            self._connection.close()
            raise ConfigurationError(f"the batch in {folder} has not begun yet")

    def close(self) -> None:
        self._connection.close()

    def done(self, keys: list[str], with_artifact: bool = False) -> dict[str, bool]:
        """Those keys that have a result, and the artifact if that is asked for; and whether it is of an earlier run."""
        last = self.facts().get("last_before", 0)
        found: dict[str, bool] = {}
        for start in range(0, len(keys), _AT_ONCE):
            part = keys[start : start + _AT_ONCE]
            query = f"SELECT key, number FROM results WHERE key IN ({','.join('?' * len(part))}) AND has_artifact >= ?"
            rows = self._connection.execute(query, [*part, with_artifact])
            found.update((key, number <= last) for key, number in rows)
        return found

    def earlier(self, content: str, suffix: str, key: str) -> tuple[Prior, ...]:
        """Results of earlier runs for the same bytes: the last one of each version of each contract.

        Those under the same key come first, then those of the newest run. What this run found is not among them, since
        that depends on which worker was faster.
        """
        found = self._connection.execute(
            f"SELECT parts.parts, row, fields, remote_calls, substr(key, 1, {_KEY_LENGTH}) = ? AS mine, max(number) "
            "FROM results JOIN parts ON results.parts = parts.id WHERE content = ? AND suffix = ? "
            "AND (mine OR run < (SELECT CAST(value AS INTEGER) FROM facts WHERE name = 'run')) "
            "GROUP BY parts.id, mine ORDER BY mine DESC, run DESC, parts.parts",
            (key, content, suffix),
        )
        return tuple(
            Prior(json.loads(parts), zlib.decompress(row), zlib.decompress(fields), calls)
            for parts, row, fields, calls, *_ in found
        )

    def lines(self) -> Iterator[JournalLine]:
        """Every document of the batch, in the order of the sources."""
        cursor = self._connection.execute(
            "SELECT position, source, metadata, row, fields FROM documents JOIN results USING (key) ORDER BY position"
        )
        while rows := cursor.fetchmany(_AT_ONCE):
            for position, source, metadata, row, fields in rows:
                yield JournalLine(position, source, metadata, zlib.decompress(row), zlib.decompress(fields))

    def facts(self) -> dict[str, Any]:
        return {name: json.loads(value) for name, value in self._connection.execute("SELECT * FROM facts")}

    def counts(self) -> dict[str, int]:
        """Documents by status."""
        return dict(
            self._connection.execute(
                "SELECT status, count(*) FROM documents JOIN results USING (key) GROUP BY status ORDER BY status"
            )
        )

    def lost(self) -> int:
        """Rows and cells that stand in the documents and not in their data."""
        query = "SELECT row FROM documents JOIN results USING (key) WHERE status != 'SUCCESS'"
        rows = (json.loads(zlib.decompress(row)) for (row,) in self._connection.execute(query))
        return sum(row.get("lost", 0) for row in rows)

    def rows(self) -> dict[str, list[int]]:
        """For each array how many rows all documents have, and how many they should."""
        total = dict[str, list[int]]()
        query = "SELECT rows, count(*) FROM documents JOIN results USING (key) WHERE rows LIKE '{%' GROUP BY rows"
        for text, documents in self._connection.execute(query):
            for path, counts in json.loads(text).items():
                known = total.setdefault(path, [0, 0])
                total[path] = [have + documents * more for have, more in zip(known, counts, strict=True)]
        return total

    def without_artifact(self) -> int:
        """Documents whose result has none."""
        query = "SELECT count(*) FROM documents JOIN results USING (key) WHERE NOT has_artifact"
        found: int = self._connection.execute(query).fetchone()[0]
        return found

    def fields_reused(self) -> tuple[int, int]:
        """Fields of the batch that were taken from an earlier run, and those that were worked on."""
        found: tuple[int, int] = self._connection.execute(
            "SELECT coalesce(sum(reused), 0), coalesce(sum(redone), 0) FROM results "
            "WHERE key IN (SELECT key FROM documents)"
        ).fetchone()
        return found

    def cost(self, running: bool = False) -> Decimal:
        """What all runs have cost, with what killed ones had taken: it may have been spent.

        What a run has taken that is under way is not known to be spent yet.
        """
        recorded = self.recorded_cost()
        if running:
            return recorded + Decimal(self.facts().get("lost_usd", "0"))
        return max(recorded, money_taken(self.folder / "spending.sqlite"))

    def recorded_cost(self) -> Decimal:
        costs = self._connection.execute("SELECT cost_usd, count(*) FROM results GROUP BY cost_usd")
        return sum((Decimal(cost) * count for cost, count in costs), Decimal(0))

    def is_running(self) -> bool:
        """Whether a run holds the folder's lock."""
        with open(self.folder / "lock", "rb") as file:
            return not try_lock(file, shared=True)


def now() -> float:
    """Seconds, for rates and estimates; never part of a result."""
    return time.time()
