"""Small invented papers with arrays, as they came out before rows and lists were found one way: shares to keep."""

from __future__ import annotations

import base64
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import paxman

CASES = Path(__file__).parent / "corpus" / "rows" / "cases.jsonl.gz"
BANDS = ("UNTRUSTED", "LOW", "MEDIUM", "HIGH", "CERTAIN")
HIGH = BANDS.index("HIGH")


def plain(value: Any) -> Any:
    """A value as the corpus holds it."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, paxman.Money):
        return f"{value.amount} {value.currency}"
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if hasattr(value, "items"):
        return {name: plain(each) for name, each in value.items()}
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def outcome(case: dict[str, Any], artifact: Any, path: str) -> str:
    """Whether a field came out as before, more careful, or otherwise, and then how sure."""
    value, band, _ = case["want"][path]
    found = plain(artifact[path].value)
    now = BANDS.index(artifact[path].confidence_band.value) if found else 0
    before = BANDS.index(band) if value else 0
    if found == value or (not found and not value):
        return "same"
    if not found or now < before:
        return "careful"
    if now >= HIGH:
        return "wrong" if before >= HIGH else "sure"
    return "other"


def test_rows_and_lists_come_out_as_before_or_more_careful() -> None:
    counts: Counter[str] = Counter()
    surely = 0
    with gzip.open(CASES, "rt", encoding="utf-8") as lines:
        for case in map(json.loads, lines):
            text = case["input"] if isinstance(case["input"], str) else base64.b64decode(case["input"]["base64"])
            policy = paxman.Policy(locale=case["locale"])
            artifact = paxman.normalize(text, case["contract"], policy=policy)
            for path, (_, band, _) in case["want"].items():
                counts[outcome(case, artifact, path)] += 1
                surely += band in BANDS[HIGH:]
    total = sum(counts.values())
    assert total > 2300
    assert counts["same"] >= 0.75 * total
    assert counts["same"] + counts["careful"] >= 0.92 * total
    assert counts["wrong"] <= 0.016 * surely
