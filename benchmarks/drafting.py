"""Draft a contract from a document, normalize the same document with it, and count the fields that resolve.

Usage: python -m benchmarks.drafting [FILE...]; by default the demo's samples and a document of each kind.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import paxman
from benchmarks.contracts import BENCH
from paxman.api.drafting import draft_contract

SAMPLES = Path(paxman.__file__).parent / "samples"
SETS = "agreements bills claims device_output dockets filings policies tax_forms whois".split()


def default_files() -> Iterator[Path]:
    yield from sorted(each for each in SAMPLES.iterdir() if each.is_file() and each.suffix not in (".mbox", ".py"))
    folders = [
        *(BENCH / "kinds" / kind / "dev" for kind in SETS),
        BENCH / "deepform_adbuy" / "dev",
        BENCH / "zugferd" / "dev",
    ]
    for folder in filter(Path.is_dir, folders):
        found = sorted(each for each in folder.iterdir() if each.suffix in (".md", ".html", ".pdf", ".txt"))
        yield from [each for each in found if each.suffix == ".pdf"][:1] or found[:1]


def main(files: list[Path]) -> None:
    resolved = total = 0
    for path in files:
        results = paxman.normalize(path, draft_contract([path], path.stem)).field_results
        found = sum(result.status == "RESOLVED" for result in results)
        resolved, total = resolved + found, total + len(results)
        print(f"{found:4} of {len(results):4}  {path.name}")
    print(f"{resolved} of {total} drafted fields resolve: {resolved / max(total, 1):.3f}")


if __name__ == "__main__":
    main([Path(each) for each in sys.argv[1:]] or list(default_files()))
