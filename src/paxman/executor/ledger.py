"""Spending against a budget: reserved before a call, settled after it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from decimal import Decimal

from paxman.budget import Budget
from paxman.capabilities.base import ChainStep, CostHint
from paxman.classes import record
from paxman.planner.field_plan import FieldPlanStep


@record
class Reservation:
    """What a call may cost at most, taken from the budget until it is settled."""

    cost: CostHint
    remote: bool


_UNCAPPED = Budget()


class BudgetTracker:
    """Running totals of one run. Nothing is reserved beyond a cap; only a report above its reservation passes one."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._capped = budget != _UNCAPPED
        self.usd = Decimal(0)
        self.held = Decimal(0)
        """What calls may have cost beyond what was reported; it counts against the cap only."""
        self.ms = 0
        self.invocations = 0
        self.remote_calls = 0
        self.waited_ms: dict[str, float] = {}
        """Measured time of shared calls by field; it reaches only what lies outside the artifact's hash."""
        self._lock = threading.Lock()

    def reserve(self, cost: CostHint, remote: bool = False) -> Reservation | str:
        """A reservation, or the name of the cap that it would pass."""
        with self._lock:
            passed = self._passed_cap(cost, remote)
            if passed:
                return passed
            self.usd += cost.usd
            self.ms += cost.ms
            self.invocations += 1
            self.remote_calls += remote
        return Reservation(cost, remote)

    def settle(self, reservation: Reservation, usd: Decimal) -> Decimal:
        """Give back what was not needed; a call that reports more than was reserved counts with all of it."""
        if usd == reservation.cost.usd:
            return usd
        spent = max(usd, Decimal(0))
        with self._lock:
            self.usd -= reservation.cost.usd - spent
        return spent

    def cancel(self, reservation: Reservation) -> None:
        """Give back all of it, as if it had never been reserved."""
        self.settle(reservation, Decimal(0))
        with self._lock:
            self.ms -= reservation.cost.ms
            self.invocations -= 1
            self.remote_calls -= reservation.remote

    def hold(self, usd: Decimal) -> None:
        """Keep this much of the budget from being spent again."""
        with self._lock:
            self.held += usd

    def _passed_cap(self, cost: CostHint, remote: bool) -> str | None:
        if not self._capped:
            return None
        wanted = (
            ("max_total_cost_usd", self.usd + self.held + cost.usd, cost.usd > 0),
            ("max_total_latency_ms", self.ms + cost.ms, True),
            ("max_capability_invocations", self.invocations + 1, True),
            ("max_remote_inference_calls", self.remote_calls + 1, remote),
        )
        for name, total, applies in wanted:
            cap = getattr(self.budget, name)
            if applies and cap is not None and total > cap:
                return name
        return None


class FieldPurse:
    """What one shared step may spend: within the budget, and never more than its plan said."""

    def __init__(self, tracker: BudgetTracker, steps: Sequence[FieldPlanStep]) -> None:
        self._tracker = tracker
        self._ms = max(step.cost.ms for step in steps)
        self._remote = any(step.step is ChainStep.REMOTE_INFERENCE for step in steps)
        self._left = sum((step.cost.usd for step in steps), Decimal(0))
        self._open: list[Reservation] = []
        self.spent = Decimal(0)

    def reserve(self, usd: Decimal, tokens: int) -> Reservation | str:
        """A reservation for one attempt, or the name of the cap that it would pass."""
        if usd > self._left:
            return "the plan's estimate"
        reservation = self._tracker.reserve(CostHint(tokens, self._ms, usd), self._remote)
        if isinstance(reservation, Reservation):
            self._left -= usd
            self._open.append(reservation)
        return reservation

    def settle(self, reservation: Reservation, usd: Decimal, trusted: bool = True) -> Decimal:
        """What the attempt cost; the rest may be spent again, if the report can be trusted."""
        self._open.remove(reservation)
        if not trusted:
            self._tracker.hold(max(reservation.cost.usd - usd, Decimal(0)))
        spent = self._tracker.settle(reservation, usd)
        self._left += reservation.cost.usd - spent if trusted else min(reservation.cost.usd - spent, Decimal(0))
        self.spent += spent
        return spent

    def cancel(self, reservation: Reservation) -> None:
        """What was reserved for an attempt that was not made."""
        self._open.remove(reservation)
        self._tracker.cancel(reservation)
        self._left += reservation.cost.usd

    def close(self) -> None:
        """What was reserved and never settled counts in full."""
        for reservation in list(self._open):
            self.settle(reservation, reservation.cost.usd)
