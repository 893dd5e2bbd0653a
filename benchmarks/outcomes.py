"""What every field of every labelled document comes out as, to be compared from one change to the next.

`python -m benchmarks.outcomes FILE [SET ...]`   write value, band and rightness of every field
`python -m benchmarks.outcomes --compare A B [--show N]`   what differs between two such files
"""

from __future__ import annotations

import argparse
import collections
import importlib.util
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs

import paxman

BENCH = Path(__file__).resolve().parents[2] / "shared" / "bench"
TUNED = ("sroie", "deepform_adbuy", "zugferd", "kleister_nda", "wildreceipt", "einvoice_xml")
SURE = ("HIGH", "CERTAIN")


def script(name: str) -> ModuleType:
    """One of the scripts beside the labelled documents."""
    spec = importlib.util.spec_from_file_location(name, BENCH / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@attrs.frozen
class Labelled:
    """A document, what is asked of it, and by field what is there (None: nothing) and how an answer is judged."""

    set: str
    source: Path
    contract: Any
    policy: paxman.Policy
    fields: Mapping[str, tuple[Any, Callable[[Any], bool]]]


def labelled(name: str) -> Iterator[Labelled]:
    """The documents of a set."""
    return _tuned(name) if name in TUNED else _kind(name)


def known() -> tuple[str, ...]:
    """The names of all sets."""
    kinds = (folder.name for folder in sorted((BENCH / "kinds").iterdir()) if (folder / "dev").is_dir())
    return (*TUNED, *kinds)


def _tuned(name: str) -> Iterator[Labelled]:
    score = script("score")
    contract = json.loads((BENCH / "contracts" / f"{name}.json").read_text(encoding="utf-8"))
    policy = paxman.Policy(allow_remote_inference=False, locale=contract.pop("x-locale", None))
    day_first = name not in ("deepform_adbuy", "kleister_nda", "wildreceipt")
    hidden = BENCH / name / "not_printed.json"
    unprinted = json.loads(hidden.read_text(encoding="utf-8")) if hidden.exists() else {}
    for source, truth in score.items(BENCH / name / "dev", False):
        fields = {}
        for field in contract["fields"]:
            path = field["name"]
            if path in truth and path not in unprinted.get(source.stem, ()):
                is_rows = "items" in field and field["type"] == "ARRAY"
                judge = partial(_rows_right, score, field) if is_rows else partial(score.same, path)
                wanted = None if truth[path] in (None, "", []) else truth[path]
                fields[path] = (wanted, partial(_judged, judge, wanted, day_first))
        yield Labelled(name, source, contract, policy, fields)


def _judged(judge: Callable[..., bool], wanted: Any, day_first: bool, got: Any) -> bool:
    return judge(got, wanted, day_first)


def _rows_right(score: ModuleType, field: dict[str, Any], got: Any, wanted: Any, day_first: bool) -> bool:
    names = [column["name"] for column in field["items"]["fields"]]
    return len(got) == len(wanted) and all(
        w.get(c) in (None, "") or (g.get(c) is not None and score.same(c, g[c], w[c], day_first))
        for g, w in zip(got, wanted, strict=True)
        for c in names
    )


def _kind(name: str, root: str = "kinds") -> Iterator[Labelled]:
    kinds = script("kinds")
    policy = paxman.Policy(allow_remote_inference=False, allow_local_inference=False)
    for source, truth, contract in kinds.documents(BENCH / root / name / "dev"):
        fields = {}
        for field, schema in contract["properties"].items():
            if field in truth:
                wanted = None if kinds.is_blank(truth[field]) else truth[field]
                fields[field] = (wanted, partial(_like, kinds, wanted, "enum" in schema))
        yield Labelled(name, source, contract, policy, fields)


def _like(kinds: ModuleType, wanted: Any, exact: bool, got: Any) -> bool:
    tally: Any = collections.defaultdict(collections.Counter)
    return bool(kinds.score_field(tally, "", got, wanted, exact))


def outcomes(document: Labelled) -> Iterator[dict[str, Any]]:
    """What every labelled field of a document comes out as."""
    artifact = paxman.normalize(document.source, document.contract, policy=document.policy)
    for field, (wanted, judge) in document.fields.items():
        got = _value(artifact[field])
        ok = got is not None and wanted is not None and judge(got)
        yield _entry(document.set, document.source, field, artifact[field], wanted, ok)


def _value(result: Any) -> Any:
    value = None if str(result.status).endswith("UNRESOLVED") else result.value
    return None if value in ((), []) else value


def _entry(name: str, source: Path, field: str, result: Any, wanted: Any, ok: bool) -> dict[str, Any]:
    got = _value(result)
    return {
        "set": name,
        "document": source.name,
        "field": field,
        "value": None if got is None else str(got),
        "band": result.confidence_band.value if got is not None else None,
        "truth": wanted,
        "right": bool(ok),
    }


def summary(entries: list[dict[str, Any]]) -> str:
    """Accuracy of present values, what was invented, and what was right at HIGH and CERTAIN, by set."""
    lines = []
    for name in dict.fromkeys(entry["set"] for entry in entries):
        own = [entry for entry in entries if entry["set"] == name]
        there = [entry for entry in own if entry["truth"] is not None]
        absent = [entry for entry in own if entry["truth"] is None]
        sure = [entry for entry in own if entry["band"] in SURE]
        lines.append(
            f"{name:16} right {_share(there):.3f} of {len(there):4}  HIGH and up {_share(sure):.3f} of {len(sure):4}"
            f"  invented {sum(entry['value'] is not None for entry in absent):3} of {len(absent)}"
        )
    return "\n".join(lines)


def _share(entries: list[dict[str, Any]]) -> float:
    return sum(entry["right"] for entry in entries) / max(1, len(entries))


def load(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def compare(before: Path, after: Path, most: int) -> None:
    old = {(e["set"], e["document"], e["field"]): e for e in load(before)}
    changes: dict[str, list[str]] = collections.defaultdict(list)
    for entry in load(after):
        was = old.get((entry["set"], entry["document"], entry["field"]))
        if was is None or (was["value"], was["band"]) == (entry["value"], entry["band"]):
            continue
        change = f"{_outcome(was)} -> {_outcome(entry)}"
        changes[f"{entry['set']} {change}"].append(
            f"    {entry['document']} {entry['field']}: {was['value']!s:.60} -> {entry['value']!s:.60}"
            f" (truth {entry['truth']!s:.60})"
        )
    for change, cases in sorted(changes.items()):
        print(f"{change}: {len(cases)}", *cases[:most], sep="\n")


def _outcome(entry: dict[str, Any]) -> str:
    if entry["value"] is None:
        return "rightly open" if entry["truth"] is None else "open"
    return f"{'right' if entry['right'] else 'invented' if entry['truth'] is None else 'wrong'} {entry['band']}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--show", type=int, default=3)
    arguments = parser.parse_args()
    if arguments.compare:
        compare(arguments.file, Path(arguments.sets[0]), arguments.show)
        return 0
    sets = arguments.sets or known()
    entries = [entry for name in sets for document in labelled(name) for entry in outcomes(document)]
    text = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
    arguments.file.write_text(text, encoding="utf-8")
    print(summary(entries))
    return 0


if __name__ == "__main__":
    sys.exit(main())
