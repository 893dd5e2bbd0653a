"""Load and faults, in counts and not in times: everything here should be 0, or below its bound.

`python -m benchmarks.robustness [--inputs N [--first N]] [--fuzz RUNS] [--kills N] [--moods N] [--keep F] [PART ...]`
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import faults, fuzzing, killing, many_inputs, moods
from benchmarks.measure import Measure


def main() -> int:
    """Print each count as it is taken; 1 if one is too high."""
    given = _arguments()
    parts: dict[str, Callable[[], Iterator[Measure]]] = {
        "inputs": lambda: many_inputs.measures(given.inputs, given.keep, given.first),
        "fuzz": lambda: fuzzing.measures(given.fuzz, given.keep),
        "kills": lambda: killing.measures(given.kills),
        "faults": faults.measures,
        "moods": lambda: moods.measures(given.moods),
    }
    failed = 0
    for name in given.parts or parts:
        for measure in parts[name]():
            verdict = "yes" if measure.ok else "NO"
            print(
                f"{measure.name:60} {measure.measured:8.0f} of {measure.target:g} {measure.unit:3} {verdict}",
                flush=True,
            )
            failed += not measure.ok
    return min(failed, 1)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=["inputs", "fuzz", "kills", "faults", "moods", []])
    parser.add_argument("--inputs", type=int, default=200_000, help="hostile documents through normalize")
    parser.add_argument("--first", type=int, default=0, help="number of the first of them")
    parser.add_argument("--fuzz", type=int, default=20_000, help="runs of the fuzzer for each target")
    parser.add_argument("--kills", type=int, default=200, help="times that a batch or a worker is killed")
    parser.add_argument("--moods", type=int, default=10_000, help="runs with a fake model that has moods")
    parser.add_argument("--keep", type=Path, help="where inputs that broke something are written")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
