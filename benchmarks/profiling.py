"""The input profile beside the hash that it contains."""

from __future__ import annotations

import hashlib
import tracemalloc
from collections.abc import Iterator

from benchmarks.measure import Measure, best_of_each
from benchmarks.samples import ascii_prose, mixed_prose
from paxman.planner.input_profile import make_profile

_SIZE = 10_000_000


def measures() -> Iterator[Measure]:
    for name, data, target in (("ASCII", ascii_prose(_SIZE), 2), ("mixed UTF-8", mixed_prose(_SIZE), 4)):
        hashed, profiled = best_of_each([lambda d=data: hashlib.sha256(d).digest(), lambda d=data: make_profile(d)])
        yield Measure(f"make_profile of 10 MB {name}, over SHA-256", profiled / hashed, target, "x")
        yield Measure(f"make_profile of 10 MB {name}, peak memory", _peak(data), 3, "x input")


def _peak(data: bytes) -> float:
    tracemalloc.start()
    make_profile(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return (len(data) + peak) / len(data)
