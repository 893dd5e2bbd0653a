"""The input profile beside the hash that it contains."""

from __future__ import annotations

import hashlib
import tracemalloc
from collections.abc import Iterator
from functools import partial

from benchmarks.measure import Measure, best_of_each
from benchmarks.samples import ascii_prose, european_prose, many_scripts_prose
from paxman.planner.input_profile import make_profile

_SIZE = 10_000_000
_TEXTS = (
    ("ASCII", ascii_prose, 2),
    ("UTF-8, European", european_prose, 4),
    ("UTF-8, a third not ASCII", many_scripts_prose, 4),
)


def measures() -> Iterator[Measure]:
    for name, make, target in _TEXTS:
        data = make(_SIZE)
        hashed, profiled = best_of_each([partial(hashlib.sha256, data), partial(make_profile, data)])
        yield Measure(f"profile 10 MB {name}, over SHA-256", profiled / hashed, target, "x")
        yield Measure(f"profile 10 MB {name}, peak memory", _peak(data), 3, "x input")


def _peak(data: bytes) -> float:
    tracemalloc.start()
    make_profile(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return (len(data) + peak) / len(data)
