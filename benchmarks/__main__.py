"""Measure everything and print one table."""

from __future__ import annotations

import sys

from benchmarks import batch, inference, normalizing, planning, profiling, reading, startup


def main() -> int:
    """Print each measure as it is taken; 1 if one misses its target."""
    failed = 0
    print(f"{'what':54} {'measured':>10} {'target':>8} unit     ok")
    for module in (startup, reading, profiling, planning, normalizing, inference, batch):
        for measure in module.measures():
            verdict = "yes" if measure.ok else "NO"
            print(
                f"{measure.name:54} {measure.measured:10.2f} {measure.target:8g} {measure.unit:8} {verdict}", flush=True
            )
            failed += not measure.ok
    return min(failed, 1)


sys.exit(main())
