"""One measured number beside its target, and ways to measure that noise does not reach."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

import attrs


@attrs.frozen
class Measure:
    """A number that should not be larger than its target."""

    name: str
    measured: float
    target: float
    unit: str

    @property
    def ok(self) -> bool:
        return self.measured <= self.target


def show(measures: Iterable[Measure]) -> int:
    """Print each measure as it is taken; 1 if one misses its target."""
    failed = 0
    print(f"{'what':54} {'measured':>10} {'target':>8} unit     ok")
    for measure in measures:
        verdict = "yes" if measure.ok else "NO"
        print(f"{measure.name:54} {measure.measured:10.2f} {measure.target:8g} {measure.unit:8} {verdict}", flush=True)
        failed = 1 if not measure.ok else failed
    return failed


def best(function: Callable[[], Any], rounds: int = 20, number: int = 1) -> float:
    """Seconds of one call, the shortest of several rounds."""
    return min(_time(function, number) for _ in range(rounds))


def best_of_each(functions: Iterable[Callable[[], Any]], rounds: int = 20) -> list[float]:
    """Seconds of each function; taking turns, so that a busy moment hits all of them."""
    functions = tuple(functions)
    timed = [[_time(function, 1) for function in functions] for _ in range(rounds)]
    return [min(column) for column in zip(*timed, strict=True)]


def _time(function: Callable[[], Any], number: int) -> float:
    started = time.perf_counter()
    for _ in range(number):
        function()
    return (time.perf_counter() - started) / number


def run_python(code: str) -> str:
    """The output of a fresh interpreter."""
    return subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True).stdout
