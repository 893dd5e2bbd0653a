"""What learning brings: `python benchmarks/learning.py [--examples 50] [SET ...]` over labelled documents in a folder.

A set is a folder of documents with <name>.json beside them, and a contract; those of ../shared/bench by default.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import time
from pathlib import Path
from typing import Any

import paxman

BENCH = Path(__file__).resolve().parents[2] / "shared" / "bench"


def documents(folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    found = []
    for truth in sorted(folder.glob("*.json")):
        source = truth.with_suffix(".txt")
        if source.exists():
            found.append((source, json.loads(truth.read_text("utf-8"))))
    return found


def split(pairs: list[Any], count: int, seed: int) -> tuple[list[Any], list[Any]]:
    order = list(range(len(pairs)))
    random.Random(seed).shuffle(order)
    return [pairs[i] for i in order[:count]], [pairs[i] for i in order[count:]]


def show(word: str, found: Any) -> None:
    total = found.total
    bands = "  ".join(f"{band} {right}/{n}" for band, (right, n) in found.bands.items() if n)
    print(f"  {word:9} accuracy {total.accuracy:.3f} invented {total.invented}/{total.absent}  {bands}", flush=True)


def measure(name: str, count: int, seed: int, limit: int | None) -> None:
    contract = json.loads((BENCH / "contracts" / f"{name}.json").read_text("utf-8"))
    locale = contract.pop("x-locale", None)
    policy = paxman.Policy(allow_remote_inference=False, allow_local_inference=False, locale=locale)
    taught, rest = split(documents(BENCH / name / "dev"), count, seed)
    rest = rest[:limit]
    started = time.perf_counter()
    lessons = paxman.learn(contract, taught, locale=locale)
    print(f"{name}: {len(taught)} examples in {time.perf_counter() - started:.1f} s, {len(lessons.encode()):,} bytes")
    show("untaught", paxman.evaluate(contract, rest, policy=policy))
    show("taught", paxman.evaluate(contract, rest, lessons, policy=policy))


def blind(contract: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """The contract with names that say nothing, so that only examples can tell what is wanted; and the new names."""
    names = {field["name"]: f"x{number}" for number, field in enumerate(contract["fields"])}
    fields = [{"name": names[f["name"]], "type": f["type"], "required": f["required"]} for f in contract["fields"]]
    return {**contract, "fields": fields}, names


def suppliers(limit: int) -> None:
    """One example of each supplier of sroie that has at least five receipts; the others of it are judged."""
    contract = json.loads((BENCH / "contracts" / "sroie.json").read_text("utf-8"))
    locale = contract.pop("x-locale", None)
    groups = collections.defaultdict(list)
    for path, truth in documents(BENCH / "sroie" / "dev"):
        groups[str(truth.get("company"))].append((path, truth))
    large = [pairs for _, pairs in sorted(groups.items()) if len(pairs) >= 5][:limit]
    hidden, names = blind(contract)
    renamed = [[(path, {names[k]: v for k, v in truth.items() if k in names}) for path, truth in g] for g in large]
    for word, given, pairs in (("its own words", contract, large), ("names that say nothing", hidden, renamed)):
        print(f"contract with {word}")
        by_supplier(given, pairs, locale)


def by_supplier(contract: dict[str, Any], large: list[Any], locale: str | None) -> None:
    policy = paxman.Policy(allow_remote_inference=False, allow_local_inference=False, locale=locale)
    lessons = paxman.learn(contract, [pairs[0] for pairs in large], locale=locale)
    rest = [pair for pairs in large for pair in pairs[1:]]
    print(f"one receipt of each of {len(large)} suppliers, {len(rest)} others")
    show("untaught", paxman.evaluate(contract, rest, policy=policy))
    show("taught", paxman.evaluate(contract, rest, lessons, policy=policy))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", default=["sroie"])
    parser.add_argument("--examples", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, help="judge by so many documents at most")
    parser.add_argument("--suppliers", type=int, default=0, metavar="N", help="one example for each of N suppliers")
    args = parser.parse_args()
    if args.suppliers:
        suppliers(args.suppliers)
        return
    for name in args.sets:
        measure(name, args.examples, args.seed, args.limit)


if __name__ == "__main__":
    main()
