"""How well labelled documents resolve without a model; reads ../shared/bench when it is there.

`python -m benchmarks.documents [SET ...] [--limit N]`
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "bench"
TARGETS: dict[str, dict[str, float]] = {
    "sroie": {"company": 0.80, "date": 0.96, "address": 0.65, "total": 0.93},
    "deepform_adbuy": {
        "advertiser": 0.85,
        "contract_num": 0.85,
        "gross_amount": 0.94,
        "flight_from": 0.80,
        "flight_to": 0.80,
    },
    "zugferd": {
        "invoice_number": 0.97,
        "issue_date": 0.97,
        "seller_name": 0.80,
        "buyer_name": 0.80,
        "seller_vat_id": 0.95,
        "grand_total": 0.97,
        "net_total": 0.90,
        "tax_total": 0.90,
        "due_date": 0.80,
        "line_items (row count)": 0.85,
        "line_items[].description": 0.85,
        "line_items[].quantity": 0.85,
        "line_items[].unit_price": 0.85,
        "line_items[].line_total": 0.85,
    },
    "kleister_nda": {"effective_date": 0.88, "jurisdiction": 0.92, "term": 0.75, "party": 0.40},
    "wildreceipt": {"store_name": 0.86, "date": 0.90, "total": 0.80},
}
MILLISECONDS = {"sroie": 6.0, "zugferd": 25.0}
"""What the median document may take: a receipt, and a text invoice of two pages."""
BANDS = {"CERTAIN": 0.98, "HIGH": 0.93}
LEFT_ALONE = 0.90
"""How many of the fields that a document does not have must stay unresolved."""


def score(name: str, limit: int | None) -> dict[str, Any]:
    """The scorer's summary of one set."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "summary.json"
        command = [sys.executable, str(FOLDER / "score.py"), name, "--json", str(out)]
        command += ["--limit", str(limit)] if limit else []
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        summary: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return summary


def rows(name: str, summary: dict[str, Any]) -> Iterator[tuple[str, float, float]]:
    """What was measured, what came out, and what is to be reached."""
    for field, target in TARGETS[name].items():
        wanted, _, right, *_ = summary["fields"].get(field, (0, 0, 0))
        yield f"{name} {field}", right / wanted if wanted else 0.0, target


def overall(summaries: list[dict[str, Any]]) -> Iterator[tuple[str, float, float]]:
    """Whether confidence means something, over all sets together."""
    for band, target in BANDS.items():
        counts = [summary["bands"][band] for summary in summaries if band in summary["bands"]]
        total = sum(count for count, _ in counts)
        if total:
            yield f"right in band {band} ({total})", sum(count * share for count, share in counts) / total, target
    fields = [values for summary in summaries for values in summary["fields"].values()]
    absent, invented = sum(values[4] for values in fields), sum(values[3] for values in fields)
    if absent:
        yield f"absent fields left unresolved ({absent})", 1 - invented / absent, LEFT_ALONE


def show(table: Iterator[tuple[str, float, float]]) -> bool:
    """Print a table; True if every target is reached."""
    reached = True
    for label, value, target in table:
        reached &= value >= target
        print(f"{label:44} {value:6.3f}  target {target:.2f}  {'ok' if value >= target else 'miss'}", flush=True)
    return reached


def show_speed(name: str, taken: float) -> bool:
    """Print the time of the median document; True if there is no target, or it is reached."""
    target = MILLISECONDS.get(name)
    reached = target is None or taken < target
    verdict = f"  target {target:.2f}  {'ok' if reached else 'miss'}" if target else ""
    print(f"{name + ' speed, ms a document (median)':44} {taken:6.2f}{verdict}", flush=True)
    return reached


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"one or more of {', '.join(TARGETS)}; all by default")
    parser.add_argument("--limit", type=int, help="only the first N documents of each set")
    arguments = parser.parse_args()
    if not (FOLDER / "score.py").exists():
        print(f"no labelled documents at {FOLDER}: nothing to measure")
        return 0
    summaries, reached = [], True
    for name in arguments.sets or TARGETS:
        summaries.append(score(name, arguments.limit))
        reached &= show(rows(name, summaries[-1]))
        reached &= show_speed(name, summaries[-1]["p50_ms"])
    return 0 if show(overall(summaries)) and reached else 1


if __name__ == "__main__":
    sys.exit(main())
