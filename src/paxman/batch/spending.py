"""One budget for a whole run: every call takes from a purse that all processes share."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

from paxman.batch.disk import writing
from paxman.budget import Budget
from paxman.capabilities.base import CostHint
from paxman.errors import ExecutionError
from paxman.executor.ledger import BudgetTracker, Reservation
from paxman.planner.registry import CAPABILITIES


def money_taken(path: Path) -> Decimal:
    """What was taken from a purse, also by killed runs; nothing is written."""
    if not path.is_file():
        return Decimal(0)
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=60)) as connection:
        try:
            found = connection.execute("SELECT usd FROM spent").fetchone()
        except sqlite3.OperationalError:  # one that is being made
            found = None
    return Decimal(found[0]) if found else Decimal(0)


class FilePurse:
    """Shared by the processes of one machine. What a killed process had taken stays taken: it may have been spent."""

    def __init__(self, path: Path, budget: Budget) -> None:
        self.path = path
        self.budget = budget
        self.failed: ExecutionError | None = None
        """Kept, since whoever asks a model takes an error for the model's, and it is nobody's but the run's."""
        with self._changing() as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS spent (one INTEGER PRIMARY KEY, usd TEXT, calls INTEGER)")
            connection.execute("CREATE TABLE IF NOT EXISTS turns (name TEXT PRIMARY KEY, free_at REAL)")
            connection.execute("INSERT OR IGNORE INTO spent VALUES (1, '0', 0)")

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """All of it or nothing."""
        if self.failed:
            raise self.failed
        try:
            with writing(self.path.parent), closing(self._open()) as connection:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
        except ExecutionError as error:
            self.failed = error
            raise

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=60, isolation_level=None)

    def spent(self) -> tuple[Decimal, int]:
        with writing(self.path.parent), closing(self._open()) as connection:
            return _spent(connection)

    def take(self, usd: Decimal, calls: int) -> str | None:
        """Take it, or give the name of the cap that this would pass."""
        with self._changing() as connection:
            total, made = _spent(connection)
            passed = _passed(self.budget, total + usd, made + calls)
            if passed is None:
                _write(connection, total + usd, made + calls)
        return passed

    def give_back(self, usd: Decimal, calls: int) -> None:
        with self._changing() as connection:
            total, made = _spent(connection)
            _write(connection, total - usd, made - calls)

    def next_turn(self, name: str, per_minute: float) -> float:
        """In how many seconds a provider may be called again, whichever process called it last."""
        with self._changing() as connection:
            row = connection.execute("SELECT free_at FROM turns WHERE name = ?", (name,)).fetchone()
            now = time.time()
            turn = max(now, row[0] if row else now)
            connection.execute("INSERT OR REPLACE INTO turns VALUES (?, ?)", (name, turn + 60 / per_minute))
        return max(turn - now, 0)


def _spent(connection: sqlite3.Connection) -> tuple[Decimal, int]:
    usd, calls = connection.execute("SELECT usd, calls FROM spent").fetchone()
    return Decimal(usd), calls


def _write(connection: sqlite3.Connection, usd: Decimal, calls: int) -> None:
    connection.execute("UPDATE spent SET usd = ?, calls = ?", (str(usd), calls))


def _passed(budget: Budget, usd: Decimal, calls: int) -> str | None:
    if budget.max_total_cost_usd is not None and usd > budget.max_total_cost_usd:
        return "max_total_cost_usd"
    most = budget.max_remote_inference_calls
    return "max_remote_inference_calls" if most is not None and calls > most else None


class SharedTracker(BudgetTracker):
    """The totals of one document, which also take from the run's purse."""

    def __init__(self, budget: Budget, purse: FilePurse) -> None:
        super().__init__(budget)
        self._purse = purse
        self.refused = False

    def reserve(self, cost: CostHint, remote: bool = False) -> Reservation | str:
        shared = cost.usd > 0 or remote
        passed = self._purse.take(cost.usd, int(remote)) if shared else None
        if passed:
            self.refused = True
            return passed
        reservation = super().reserve(cost, remote)
        if shared and isinstance(reservation, str):
            self._purse.give_back(cost.usd, int(remote))
        return reservation

    def settle(self, reservation: Reservation, usd: Decimal) -> Decimal:
        spent = super().settle(reservation, usd)
        if reservation.cost.usd != spent:
            self._purse.give_back(reservation.cost.usd - spent, 0)
        return spent

    def cancel(self, reservation: Reservation) -> None:
        super().cancel(reservation)
        if reservation.remote:
            self._purse.give_back(Decimal(0), 1)

    def hold(self, usd: Decimal) -> None:
        super().hold(usd)
        if usd:
            self._purse.give_back(-usd, 0)


class Paced:
    """A provider that waits for its turn before each call, whichever process made the last one."""

    def __init__(self, provider: Any, purse: FilePurse, per_minute: float, clock: Any) -> None:
        self._provider = provider
        self._purse = purse
        self._per_minute = per_minute
        self._clock = clock

    def __getattr__(self, name: str) -> Any:
        return getattr(self._provider, name)

    def complete(self, request: Any) -> Any:
        seconds = self._purse.next_turn(self._provider.name, self._per_minute)
        self._clock[1] += seconds  # the document's time stands still while it waits
        time.sleep(seconds)
        return self._provider.complete(request)


def pace_providers(purse: FilePurse, rate_limits: Mapping[str, float], clock: Any, at_once: bool = True) -> None:
    """Put the providers of this process under limits that all processes share.

    One machine of many waits before its first call too, or else all of them would call at the same time.
    """
    for name, per_minute in rate_limits.items():
        if not at_once:
            purse.next_turn(name, per_minute)
        provider = CAPABILITIES.providers.get_latest(name)
        CAPABILITIES.providers.unregister(name)
        CAPABILITIES.providers.register(Paced(provider, purse, per_minute, clock))
