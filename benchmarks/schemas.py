"""The shared suite of JSON Schemas, each as a property of an object: `python -m benchmarks.schemas [-v]`.

What adapts, whether its round trip is stable, and whether the suite's own instances come back as they should.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import paxman
from benchmarks.contracts import BENCH
from paxman.contract import adapt, export
from paxman.errors import InvalidContractError

_DEFINITIONS = ("$defs", "definitions")


def cases() -> Iterator[dict[str, Any]]:
    for path in sorted(BENCH.glob("json_schema_suite/dev/*.json")):
        yield from json.loads(path.read_text("utf-8"))


def wrapped(schema: Any) -> dict[str, Any]:
    """An object with the schema as its property `value`; what references lead to stays at the top."""
    document: dict[str, Any] = {"type": "object", "properties": {"value": schema}, "required": ["value"]}
    if not isinstance(schema, dict):
        return document
    kept = {key: schema[key] for key in ("$schema", *_DEFINITIONS) if key in schema}
    return {**kept, **document}


def outcomes(case: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Each thing that was tried, in the words of the report, and what was seen."""
    contract = wrapped(case["schema"])
    try:
        canonical = adapt(contract)
    except InvalidContractError as error:
        named = all(issue.code and issue.path and issue.message for issue in error.errors)
        yield "refused" if named else "refused without a place", str(error)
        return
    yield "adapted", ""
    for format in ("json_schema", "dict_dsl", "pydantic"):
        yield from _round_trip(canonical, format)
    for test in case["tests"]:
        yield _instance(canonical, test), f"{test['description']}: {json.dumps(test['data'])}"


def _round_trip(canonical: Any, format: Any) -> Iterator[tuple[str, str]]:
    try:
        again = adapt(export(canonical, format))
    except Exception as error:
        yield f"round trip by {format} raises", repr(error)
    else:
        yield f"round trip by {format} {'stable' if again == canonical else 'changes'}", ""


def _instance(canonical: Any, test: dict[str, Any]) -> str:
    data = {"value": test["data"]}
    try:
        artifact = paxman.normalize(data, canonical)
    except Exception as error:
        return f"instance raises {type(error).__name__}"
    success = artifact.status is paxman.Status.SUCCESS
    equal = _identity(artifact.normalized_data) == _identity(data)
    if test["valid"]:
        return (
            "valid, equal and SUCCESS"
            if success and equal
            else "valid, SUCCESS but not equal"
            if success
            else ("valid, equal but no SUCCESS" if equal else "valid, neither")
        )
    return (
        "invalid, no SUCCESS"
        if not success
        else "INVALID, EQUAL AND SUCCESS"
        if equal
        else ("invalid, SUCCESS with another value")
    )


def _identity(value: Any) -> Any:
    """Equal for equal JSON values only: true is not 1, and 1e308 is ten to the power of 308."""
    if isinstance(value, dict):
        return {key: _identity(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_identity(item) for item in value]
    return (isinstance(value, bool), Decimal(str(value)) if isinstance(value, float) else value)


def main() -> int:
    if not BENCH.is_dir():
        print("the shared suites are not here; nothing was measured")
        return 0
    wordy, counts = "-v" in sys.argv, Counter[str]()
    for case in cases():
        for outcome, detail in outcomes(case):
            counts[outcome] += 1
            if wordy:
                print(f"{outcome} | {case['id']} | {detail}")
    for outcome, count in sorted(counts.items()):
        print(f"{count:6} {outcome}")
    return int(counts["INVALID, EQUAL AND SUCCESS"] > 0)


if __name__ == "__main__":
    sys.exit(main())
