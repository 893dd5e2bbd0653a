"""Which contract? A mixed folder of labelled documents, each of which should get the contract of its own kind.

Usage: python -m benchmarks.choosing [DOCUMENTS OF EACH KIND]
"""

from __future__ import annotations

import sys
from collections import Counter

import paxman
from benchmarks.contracts import BENCH
from paxman.contract import adapt

KINDS = "agreements bills claims dockets filings medical policies whois".split()


def main(count: int) -> None:
    if not BENCH.is_dir():
        sys.exit(f"there are no documents in {BENCH}")
    homes = {adapt(BENCH / "kinds" / kind / "contract.json").id: BENCH / "kinds" / kind for kind in KINDS}
    contracts = [home / "contract.json" for home in homes.values()]
    tally: Counter[str] = Counter()
    for name, home in homes.items():
        for path in sorted(each for each in (home / "dev").iterdir() if each.suffix != ".json")[:count]:
            made = paxman.normalize(path, contracts)
            fits = made.diagnostics[0].code == "CONTRACT_CHOSEN"
            outcome = "none" if not fits else "right" if made.contract_id == name else "wrong"
            tally[outcome] += 1
            if outcome != "right":
                print(f"{outcome}: {path.name} of {name}: {made.diagnostics[0].message}")
    chosen = tally["right"] + tally["wrong"]
    print(f"{tally.total()} documents: {dict(tally)}; of those chosen {tally['right'] / max(chosen, 1):.3f} are right")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
