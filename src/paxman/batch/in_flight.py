"""Which document has each key that is under way: equal ones share a result, also when two workers meet them at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from paxman.batch.disk import writing
from paxman.batch.work import Outcome, Task

_NAME = ".claims.sqlite"


class DocumentClaims:
    """One process's view of them. They last no longer than a run, so nothing waits for the disk."""

    def __init__(self, folder: Path) -> None:
        self._connection = sqlite3.connect(folder / _NAME, timeout=60, isolation_level=None)
        self._connection.execute("PRAGMA synchronous=OFF")

    def shared(self, tasks: Iterable[Task]) -> set[int]:
        """The positions of those that another document is worked on for; the others are claimed, or were."""
        pairs = [(task.key, task.position) for task in tasks]
        if not pairs:
            return set()
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("INSERT OR IGNORE INTO claims VALUES (?, ?)", pairs)
            query = f"SELECT position FROM claims WHERE key IN ({','.join('?' * len(pairs))})"
            first = {position for (position,) in self._connection.execute(query, [key for key, _ in pairs])}
        return {position for _, position in pairs if position not in first}

    def release(self, outcomes: Iterable[Outcome]) -> None:
        """Forget those that the journal knows by now, so that few are kept however long a run is."""
        pairs = [(outcome.key, outcome.position) for outcome in outcomes]
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("DELETE FROM claims WHERE key = ? AND position = ?", pairs)

    def close(self) -> None:
        self._connection.close()


@contextmanager
def claiming(folder: Path) -> Iterator[DocumentClaims]:
    """A run's claims, without those of one that was killed."""
    _remove(folder)
    try:
        with writing(folder), closing(sqlite3.connect(folder / _NAME)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("CREATE TABLE claims (key TEXT PRIMARY KEY, position INTEGER) WITHOUT ROWID")
        with closing(DocumentClaims(folder)) as claims:
            yield claims
    finally:
        _remove(folder)


def _remove(folder: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        (folder / (_NAME + ending)).unlink(missing_ok=True)
