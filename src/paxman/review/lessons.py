"""Learning from the decisions so far: what would change is shown before anything is applied."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paxman.api.teaching import learn
from paxman.contract.alternatives import each_of
from paxman.contract.model import CanonicalContract
from paxman.errors import PaxmanError
from paxman.learning.examples import gather
from paxman.learning.lessons import Lessons
from paxman.review.desk import ReviewDesk, changes_between

_MOST = 100
"""Documents on which lessons are tried before they are applied."""
_MOST_SHOWN = 500


class Learning:
    """The lessons of a review: made in the background, shown, applied, taken back."""

    def __init__(self, desk: ReviewDesk) -> None:
        self.desk = desk
        self.state: dict[str, Any] = {"running": False, "applied": bool(desk.lessons)}
        self._made: dict[str, Lessons] = {}
        self._lock = threading.Lock()
        self._again = False
        """Whether a decision was taken back while lessons were being made, which they must be without."""

    def start(self, then_apply: bool = False) -> None:
        with self._lock:
            if self.state["running"]:
                self._again = self._again or then_apply
                return
            self.state = {"running": True, "done": 0, "total": 0, "applied": bool(self.desk.lessons)}
        threading.Thread(target=self._run, args=(then_apply,), daemon=True).start()

    def _run(self, then_apply: bool) -> None:
        """Once, and again for each decision that was taken back meanwhile."""
        going = True
        while going:
            try:
                self.learn(try_them=not then_apply)
                if then_apply:
                    self.apply()
            except (PaxmanError, OSError, ValueError) as error:
                self.state = {**self.state, "problem": str(error)}
            with self._lock:
                going = then_apply = self._again
                self._again = False
                self.state = {**self.state, "running": going}

    def learn(self, try_them: bool = True) -> None:
        """Lessons from every decision that holds, and what they would change on documents nobody has decided on."""
        self._made = {contract.id: learn(contract, examples) for contract, examples in self._examples()}
        reports = [lessons.report for lessons in self._made.values()]
        lines = [line for report in reports for line in report.lines()]
        missed = [f"{each.path} of {each.example}: {each.value[:80]}" for report in reports for each in report.missed]
        self.state = {**self.state, "lessons": lines, "missed": missed, "changes": [], "counts": {}}
        queue, most = self.desk.queue, _MOST + self.desk.decisions
        known = queue.numbers(most, "open", "waiting", "skipped") if try_them and self._made else []
        numbers = [number for number in known if not self.desk.is_decided(queue[number]["name"])][:_MOST]
        for done, number in enumerate(numbers, 1):
            self._try(number)
            self.state = {**self.state, "done": done, "total": len(numbers)}

    def _examples(self) -> Iterator[tuple[CanonicalContract, list[Any]]]:
        """The examples of each contract; of several, those that the decisions name."""
        if self.desk.contracts is None or not self.desk.examples.exists():
            return
        found = [(each, self.desk.contract_of(str(each.source))) for each in gather(self.desk.examples)]
        for contract in each_of(self.desk.contracts):
            if mine := [each for each, name in found if name == contract.id]:
                yield contract, mine

    def _try(self, number: int) -> None:
        try:
            before, after = self.desk.try_lessons(number, self._made)
        except (PaxmanError, OSError, ValueError, KeyError):
            return  # what cannot be read is told in the queue
        name = self.desk.queue[number]["name"]
        changes = [{"document": name, **change} for change in changes_between(before, after)]
        counts = Counter(self.state["counts"]) + Counter(change["field"] for change in changes)
        self.state = {**self.state, "changes": [*self.state["changes"], *changes][:_MOST_SHOWN], "counts": counts}

    def apply(self) -> None:
        """Read the rest of the queue with the lessons that were shown; without any as if there never had been any."""
        for name in self.desk.lessons.keys() - self._made:
            self.desk.lessons_file(name).unlink(missing_ok=True)
        self.save()
        self.desk.apply(self._made)
        self.state = {**self.state, "applied": bool(self._made), "changes": [], "counts": {}}

    def save(self, kind: str = "lessons") -> list[Path]:
        paths = {self.desk.lessons_file(name, kind): lessons for name, lessons in self._made.items()}
        for path, lessons in paths.items():
            lessons.save(path)
        return list(paths)

    def take_back(self) -> None:
        self._made = {}
        self.apply()
        self.state = {"running": False, "applied": False}

    def decided(self, undone: bool) -> None:
        """A decision that is taken back takes its lesson with it."""
        if undone and self.desk.lessons:
            self.start(then_apply=True)
