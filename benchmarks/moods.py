"""A fake model with moods, asked in threads and processes: what it really cost never passes the cap."""

from __future__ import annotations

import hashlib
import json
import os
import random
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

from benchmarks.measure import Measure

_CONTRACT = {
    "id": "voyage",
    "version": "1",
    "fields": [
        {"name": "captain", "type": "STRING", "required": True, "description": "who is the captain"},
        {"name": "ship", "type": "STRING", "required": True, "description": "the ship"},
    ],
}
_MOODS = ("answers", "no report", "reports nothing spent", "reports too much", "cut off", "garbage", "makes it up",
          "busy", "broken", "refuses", "raises", "returns nothing")  # fmt: skip
_RUNS_A_BATCH = 1_000
_spent = threading.local()


class Moody:
    """Bills what it likes up to the most that a request can cost, writes that down, and then does as its mood is."""

    name, tier, model = "moody", "remote", "moody-1"

    def __init__(self, ledger: str | None = None, trusted: bool = False) -> None:
        from paxman.inference import Terms

        self.ledger = ledger
        self.terms = Terms(price=("1", "2"), backoff_seconds=0.0, max_output_tokens=50, trust_usage=trusted)

    def complete(self, request: Any) -> Any:
        from paxman.inference import Completion

        mine = hashlib.sha256(f"{request.digest}{random.random()}".encode()).digest()
        chance = random.Random(mine)
        mood = chance.choice(("answers",) if self.terms.trust_usage else _MOODS)
        letters = len("".join((request.prompt + request.system).split()).encode())
        tokens = chance.randint(letters // 8 + 1, request.size), chance.randint(20, request.max_tokens)
        self._bill(Decimal(0) if mood == "refuses" else self.terms.price.of(*tokens))
        if mood in ("busy", "broken", "refuses", "raises", "returns nothing"):
            return _fail(mood)
        text = json.dumps({name: {"quote": _quote(name, mood), "line": 1} for name in request.schema["properties"]})
        text = {"garbage": "{]" * 20, "cut off": text[:9]}.get(mood, text)
        too_much = (request.size * 2, request.max_tokens * 2)
        said = {"no report": (None, None), "reports nothing spent": (0, 0), "reports too much": too_much}
        return Completion(text, *said.get(mood, tokens), complete=mood != "cut off")

    def _bill(self, usd: Decimal) -> None:
        _spent.usd = getattr(_spent, "usd", Decimal(0)) + usd
        _spent.calls = getattr(_spent, "calls", 0) + 1
        if self.ledger:
            file = os.open(self.ledger, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(file, f"{usd}\n".encode())
            os.close(file)


def _quote(name: str, mood: str) -> str:
    return "Nobody" if mood == "makes it up" else {"captain": "Ingrid Holm", "ship": "Marigold"}[name]


def _fail(mood: str) -> Any:
    from paxman.inference.provider import failure

    if mood == "raises":
        raise RuntimeError(mood)
    if mood == "returns nothing":
        return None
    raise failure("failed", mood, retry=mood != "refuses", billed=mood != "refuses", retry_after=0.0)


def measures(runs: int) -> Iterator[Measure]:
    """Half of the runs in threads, each with a cap of its own, half in processes that share one."""
    half = runs // 2
    yield Measure(f"{half} runs in threads: caps passed", _in_threads(half), 0, "")
    yield Measure(f"{runs - half} runs in processes: caps passed", _in_processes(runs - half), 0, "")


def _in_threads(runs: int) -> int:
    import paxman
    from paxman.planner.registry import CAPABILITIES

    def one(number: int) -> bool:
        chance = random.Random(number)
        most, calls = Decimal(chance.randint(0, 12)) / 1000, chance.randint(0, 4)
        _spent.usd, _spent.calls = Decimal(0), 0
        budget = paxman.Budget(max_total_cost_usd=most, max_remote_inference_calls=calls)
        policy = paxman.Policy(allow_remote_inference=True)
        artifact = paxman.normalize(_text(number), _CONTRACT, budget, policy)
        told = artifact.statistics.cost_usd
        return bool(_spent.usd > most or _spent.calls > calls or (told < _spent.usd))

    passed = 0
    for trusted in (False, True):
        paxman.register_provider(Moody(trusted=trusted))
        try:
            with ThreadPoolExecutor(8) as pool:
                passed += sum(pool.map(one, range(runs // 2)))
        finally:
            CAPABILITIES.providers.unregister("moody")
    return passed


def _text(number: int) -> str:
    return f"The captain of the Marigold, on voyage {number}, was called Ingrid Holm by her crew."


def _in_processes(runs: int) -> int:
    import paxman
    from paxman.planner.registry import CAPABILITIES

    passed = 0
    for start in range(0, runs, _RUNS_A_BATCH):
        with tempfile.TemporaryDirectory() as folder:
            ledger = Path(folder, "ledger")
            most, calls = Decimal("0.30"), 400
            options = {"ledger": str(ledger), "trusted": start // _RUNS_A_BATCH % 2 == 1}
            result = paxman.normalize_many(
                ((str(number), _text(number)) for number in range(start, min(start + _RUNS_A_BATCH, runs))),
                _CONTRACT,
                paxman.Budget(max_total_cost_usd=most, max_remote_inference_calls=calls),
                paxman.Policy(allow_remote_inference=True),
                out=Path(folder, "out"),
                provider={"use": "benchmarks.moods:Moody", **options},
                workers=3,
            )
            CAPABILITIES.providers.unregister("moody")
            bills = [Decimal(line) for line in ledger.read_text().split()]
            wrong = sum(bills) > most or len(bills) > calls or result.cost_usd < sum(bills)
            passed += wrong
            told = f"{len(bills)} calls for {sum(bills)}, told {result.cost_usd}"
            print(f"{start + _RUNS_A_BATCH} runs in processes: {told}", file=sys.stderr, flush=True)
    return passed
