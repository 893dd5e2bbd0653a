"""Whole runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import paxman
from benchmarks.measure import Measure, best, best_of_each, run_python
from benchmarks.samples import (
    INVOICE,
    form_contract,
    form_text,
    invoice_contract,
    items_contract,
    party_contract,
    pattern_contract,
    pattern_text,
    small_tables,
)

_MANY = """
import resource, sys
import paxman
from benchmarks.samples import INVOICE, invoice_contract

def resident():
    try:
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

contract = invoice_contract()
for number in range(10_000):
    paxman.normalize(INVOICE.replace("20417", str(number)), contract)
    if number == 1_000:
        before = resident()
print(resident() - before)
"""


def measures() -> Iterator[Measure]:
    text = pattern_text(100_000)
    yield Measure("normalize, 20 patterns over 100 KB", _milliseconds(text, pattern_contract(), number=2), 6, "ms")
    invoice = INVOICE[:1024]
    yield Measure(
        "normalize, 1 KB invoice with 8 fields", _milliseconds(invoice, invoice_contract(), number=10), 1.5, "ms"
    )
    small, large = best_of_each([_run(INVOICE * count, invoice_contract()) for count in (5, 50)], rounds=7)
    yield Measure("normalize, 10 times the text, over once", large / small, 12, "x")
    small, large = best_of_each([_run(form_text(200), form_contract(count)) for count in (20, 200)], rounds=7)
    yield Measure("normalize, 10 times the fields, over once", large / small, 12, "x")
    small, large = best_of_each([_run(form_text(200), party_contract(count)) for count in (20, 200)], rounds=7)
    yield Measure("normalize, 10 times the fields of parties, over once", large / small, 12, "x")
    small, large = best_of_each([_run(small_tables(count), items_contract()) for count in (40, 400)], rounds=5)
    yield Measure("normalize, 10 times the tables of a page, over once", large / small, 12, "x")
    growth = int(run_python(_MANY)) / 1e6
    yield Measure("10,000 invoices, memory growth after the first 1,000", growth, 2, "MB")


def _run(text: str, contract: dict[str, Any]) -> Callable[[], Any]:
    paxman.normalize(text, contract)
    return lambda: paxman.normalize(text, contract)


def _milliseconds(text: str, contract: dict[str, Any], number: int) -> float:
    artifact = paxman.normalize(text, contract)
    assert artifact.status is paxman.Status.SUCCESS, artifact.unresolved_fields
    return best(lambda: paxman.normalize(text, contract), rounds=30, number=number) * 1000
