"""Batches of text documents: what two cores gain, what a document costs beside its own work, and memory."""

from __future__ import annotations

import json
from collections.abc import Iterator

from benchmarks.measure import Measure, run_python

_COUNT, _ROUNDS = 1_500, 3
_BATCH = """
import json, os, resource, time

import paxman
from benchmarks.samples import INVOICE, invoice_contract

COUNT = {count}

def invoice(number):
    return INVOICE.replace("20417", str(number))

def documents(count):
    for number in range(count):
        yield (f"{{number}}.txt", invoice(number))

def timed(count, workers):
    started = time.perf_counter()
    result = paxman.normalize_many(documents(count), CONTRACT, workers=workers)
    assert result.counts == {{"SUCCESS": count}}, result.counts
    return time.perf_counter() - started

def single(count):
    started = time.perf_counter()
    for number in range(count):
        paxman.normalize(invoice(number), CONTRACT)
    return time.perf_counter() - started

if __name__ == "__main__":
    CONTRACT = invoice_contract()
    os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:{cores}]))
    rest = timed(16, {cores})
    print(json.dumps({{
        "batch": timed(COUNT + 16, {cores}) - rest,
        "single": single(COUNT),
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
    }}))
"""


def measures() -> Iterator[Measure]:
    """Each in processes of its own, pinned to their cores; what starting the workers takes is left out."""
    one, two = _best(1), _best(2)
    share = two["batch"] / one["batch"]
    yield Measure("batch, time on two cores as a share of one (1.8 x)", share, 0.555, "")
    overhead = (one["batch"] - one["single"]) / _COUNT * 1000
    yield Measure("batch, overhead per document on one core", overhead, 1, "ms")
    growth = (_run(4 * _COUNT, 2)["memory"] - two["memory"]) / 1000
    yield Measure("batch, memory for four times the documents", growth, 10, "MB")


def _best(cores: int) -> dict[str, float]:
    runs = [_run(_COUNT, cores) for _ in range(_ROUNDS)]
    return {name: min(run[name] for run in runs) for name in runs[0]}


def _run(count: int, cores: int) -> dict[str, float]:
    found: dict[str, float] = json.loads(run_python(_BATCH.format(count=count, cores=cores)))
    return found
