"""One budget for a whole run: every call takes from a purse that all processes share."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

from paxman.api.registration import registry_for
from paxman.batch.disk import writing
from paxman.batch.job import Job
from paxman.budget import Budget, capped
from paxman.capabilities.base import CostHint
from paxman.errors import ExecutionError, InferenceProviderError
from paxman.executor.ledger import BudgetTracker, Reservation
from paxman.inference.models import is_model
from paxman.planner.registry import CAPABILITIES

_MOST_TURNS = 8
"""How often a call that is turned away for being too soon is made."""


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

    def hold_turns(self, name: str, seconds: float) -> None:
        """Let no process call a provider for so long."""
        with self._changing() as connection:
            until = max(time.time() + seconds, self._held_until(connection, name))
            connection.execute("INSERT OR REPLACE INTO turns VALUES (?, ?)", (f"{name} held", until))

    def held_for(self, name: str) -> float:
        """In how many seconds a provider may be called at all."""
        with writing(self.path.parent), closing(self._open()) as connection:
            return max(self._held_until(connection, name) - time.time(), 0)

    def _held_until(self, connection: sqlite3.Connection, name: str) -> float:
        row = connection.execute("SELECT free_at FROM turns WHERE name = ?", (f"{name} held",)).fetchone()
        return float(row[0]) if row else 0.0


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
    """A provider whose turns all processes share: when one is told to wait, all of them do."""

    def __init__(
        self, provider: Any, purse: FilePurse, per_minute: float | None, wait: Callable[[float], None]
    ) -> None:
        self._provider = provider
        self._purse = purse
        self._per_minute = per_minute
        self._wait = wait

    def __getattr__(self, name: str) -> Any:
        return getattr(self._provider, name)

    def complete(self, request: Any) -> Any:
        name = self._provider.name
        for tried in range(_MOST_TURNS):
            if self._per_minute:
                self._wait(self._purse.next_turn(name, self._per_minute))
            while (seconds := self._purse.held_for(name)) > 0:
                self._wait(seconds)
            try:
                return self._provider.complete(request)
            except InferenceProviderError as error:
                terms, wanted = self._provider.terms, error.context.get("retry_after")
                pause = terms.backoff_seconds * 2**tried if wanted is None else float(wanted)
                turned_away = error.context.get("reason") == "rate_limited"
                if not turned_away or pause > terms.longest_wait_seconds or tried + 1 == _MOST_TURNS:
                    raise
                self._purse.hold_turns(name, pause)
        return None


def pace_providers(purse: FilePurse, job: Job, wait: Callable[[float], None], at_once: bool = True) -> None:
    """Put the models of this process under turns and limits that all processes share.

    One machine of many waits before its first call too, or else all of them would call at the same time.
    """
    providers = CAPABILITIES.providers
    registered = {provider.name: provider for provider in providers if is_model(provider)}
    named = filter(is_model, registry_for(job.policy, capped(job.budget, job.policy, of_many=True)).providers)
    for provider in {**registered, **{provider.name: provider for provider in named}}.values():
        per_minute = job.rate_limits.get(provider.name)
        if per_minute and not at_once:
            purse.next_turn(provider.name, per_minute)
        if per_minute or provider.tier == "remote":
            if provider.name in registered:
                providers.unregister(provider.name)
            providers.register(Paced(provider, purse, per_minute, wait))
    for name in job.rate_limits:
        providers.get_latest(name)  # one that is not there is told of
