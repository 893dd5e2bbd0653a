"""Every schema of the shared suites adapts or is refused with a code and a place: `python -m benchmarks.contracts`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paxman.contract import adapt
from paxman.contract.loading import load_yaml
from paxman.errors import InvalidContractError

BENCH = Path(__file__).resolve().parents[2] / "shared" / "bench"


def schemas() -> Iterator[tuple[str, Any, str | None]]:
    """Suite, contract and the name of the schema inside it."""
    for path in sorted(BENCH.glob("json_schema_suite/*/*.json")):
        if path.parent.name != "remotes":
            for case in json.loads(path.read_text("utf-8")):
                yield f"json_schema_suite {path.stem}", case["schema"], None
    for path in sorted(BENCH.glob("openapi_docs/*/*.yaml")):
        document = load_yaml(path.read_text("utf-8"))
        kind = "swagger" if "swagger" in document else "openapi"
        names = ((document.get("components") or {}).get("schemas") or {}) if kind == "openapi" else {}
        for name in names or [None]:
            yield f"openapi_docs {kind}", document, name


def outcome(contract: Any, name: str | None) -> str:
    """adapted, refused, or what went wrong."""
    try:
        adapt(contract, schema_name=name)
    except InvalidContractError as error:
        return "refused" if all(issue.code and issue.path for issue in error.errors) else "refused without a place"
    except Exception as error:
        return type(error).__name__
    return "adapted"


def main() -> int:
    if not BENCH.is_dir():
        print("the shared suites are not here; nothing was measured")
        return 0
    counts: dict[str, Counter[str]] = {}
    for suite, contract, name in schemas():
        counts.setdefault(suite, Counter())[outcome(contract, name)] += 1
    print(f"{'suite':<36}{'schemas':>8}{'adapted':>9}{'refused':>9}{'other':>7}")
    for suite, found in counts.items():
        other = found.total() - found["adapted"] - found["refused"]
        print(f"{suite:<36}{found.total():>8}{found['adapted']:>9}{found['refused']:>9}{other:>7}")
    return int(any(set(found) - {"adapted", "refused"} for found in counts.values()))


if __name__ == "__main__":
    sys.exit(main())
