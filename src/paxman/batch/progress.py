"""How far a batch is: counts, rate, estimate and cost, as a bar on a terminal or as lines elsewhere."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any

from paxman.batch.work import Outcome
from paxman.types import dollars

_EVERY = 5.0


class Progress:
    """Running totals; `show` is called with them now and then."""

    def __init__(self, show: Callable[[Progress], None] | None = None, every: float = _EVERY) -> None:
        self.counts: Counter[str] = Counter()
        self.done = 0
        self.skipped = 0
        self.total: int | None = None
        self.cost = Decimal(0)
        self._started = time.monotonic()
        self._show = show
        self._every = every
        self._shown = self._started

    def add(self, outcomes: Iterable[Outcome]) -> None:
        for outcome in outcomes:
            self.done += 1
            self.skipped += not outcome.status
            self.counts[outcome.status.lower() or "finished before"] += 1
            self.cost += Decimal(outcome.cost_usd)
        if self._show and time.monotonic() - self._shown >= self._every:
            self._shown = time.monotonic()
            self._show(self)

    def stopping(self) -> None:
        """Say that Ctrl-C was heard; not through `show`, which it may have interrupted."""
        if self._show:
            os.write(2, b"\nstopping when what is under way is finished; Ctrl-C again stops at once\n")

    @property
    def rate(self) -> float:
        """Documents per second."""
        return self.done / max(time.monotonic() - self._started, 1e-6)

    def describe(self) -> str:
        of = f" of {self.total}" if self.total else ""
        left = f", {_clock((self.total - self.done) / self.rate)} left" if self.total and self.done else ""
        counts = ", ".join(f"{count} {status}" for status, count in self.counts.items())
        return f"{self.done}{of} documents, {self.rate:.0f}/s{left}, {dollars(self.cost)}: {counts or 'none yet'}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def on_terminal() -> tuple[Progress, Callable[[], None]]:
    """Progress for the command line, and what to call at the end."""
    if not sys.stderr.isatty():
        return Progress(lambda progress: print(progress.describe(), file=sys.stderr, flush=True)), lambda: None
    try:
        return _drawn()
    except ImportError:
        return Progress(lambda p: print("\r" + p.describe(), end="", file=sys.stderr, flush=True), 0.5), lambda: None


def _drawn() -> tuple[Progress, Callable[[], None]]:
    from rich.console import Console
    from rich.live import Live
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    live = Live(console=Console(stderr=True), transient=True, auto_refresh=False)

    def show(progress: Progress) -> None:
        line: Any = Table.grid(padding=(0, 1))
        line.add_row(ProgressBar(progress.total, progress.done, width=30), progress.describe())
        live.update(line, refresh=True)

    live.start()
    return Progress(show, 0.2), live.stop
