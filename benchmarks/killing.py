"""`kill -9` of the real command line with real workers, at moments all over a run: nothing lost, nothing doubled."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Measure
from benchmarks.samples import INVOICE, invoice_contract

_DOCUMENTS = 120
_KILLS_A_BATCH = 10
"""Times that one batch is killed before it may finish; then the next begins."""


def measures(kills: int) -> Iterator[Measure]:
    """Every third kill ends a worker, the others the run itself; the bytes are compared with an undisturbed run's."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        _prepare(place)
        calm, length = _calm(place)
        chance, found, made = random.Random(7), Counter[str](), 0
        while made < kills:
            for number in range(min(_KILLS_A_BATCH, kills - made)):
                # A run that goes on has less to do than the first.
                if not _killed(place, chance, length / (number + 1) ** 0.5, found):
                    length *= 0.9  # it was faster than thought, and is finished
                    break
                made += 1
            _finish(place, calm, found)
            shutil.rmtree(place / "out")
            print(f"{made} of {kills} kills: {dict(found)}", file=sys.stderr, flush=True)
    yield Measure(f"{made} kills -9: documents lost", found["lost"], 0, "")
    yield Measure("  documents doubled", found["doubled"], 0, "")
    yield Measure("  batches with other bytes", found["changed"], 0, "")
    yield Measure("  batches that did not go on", found["broken"], 0, "")
    yield Measure("  processes left behind", found["orphans"], 0, "")


def _prepare(place: Path) -> None:
    (place / "in").mkdir()
    for number in range(_DOCUMENTS):
        (place / f"in/{number:03}.txt").write_text(INVOICE.replace("20417", str(number)))
    (place / "in/page.html").write_text("<p>Invoice number: INV-7<p>Total: 5.00 EUR")
    (place / "contract.json").write_text(json.dumps(invoice_contract()))


def _command(place: Path, out: str) -> list[str]:
    arguments = [str(place / "in"), "-c", str(place / "contract.json"), "-o", str(place / out)]
    return [sys.executable, "-m", "paxman.cli", "batch", *arguments, "--artifacts", "--workers", "2", "--json"]


def _calm(place: Path) -> tuple[dict[str, bytes], float]:
    started = time.monotonic()
    subprocess.run(_command(place, "calm"), capture_output=True)
    return _outputs(place / "calm"), time.monotonic() - started


def _outputs(out: Path) -> dict[str, bytes]:
    """What a batch wrote, without its journal."""
    kept = [path for path in out.rglob("*") if path.is_file() and path.suffix in (".jsonl", ".json")]
    return {str(path.relative_to(out)): path.read_bytes() for path in kept}


def _killed(place: Path, chance: random.Random, length: float, found: Counter[str]) -> bool:
    """Start a run and kill it, or one of its workers; whether it was still there."""
    quiet = subprocess.DEVNULL
    running = subprocess.Popen(_command(place, "out"), stdout=quiet, stderr=quiet)
    time.sleep(chance.uniform(0.05, 0.95) * length)
    children = _descendants(running.pid)
    if chance.random() < 1 / 3 and children:
        _kill(chance.choice(children))
        time.sleep(chance.uniform(0, 0.3))
        children = sorted({*children, *_descendants(running.pid)})
    was_there = running.poll() is None
    running.kill()
    running.wait()
    found["orphans"] += _outlived(children)
    return was_there


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _descendants(pid: int) -> list[int]:
    try:
        lists = [path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return []
    found = [int(each) for children in lists for each in children]
    return found + [each for child in found for each in _descendants(child)]


def _outlived(pids: list[int]) -> int:
    deadline = time.monotonic() + 15
    while time.monotonic() < deadline and any(map(_is_running, pids)):
        time.sleep(0.05)
    return sum(map(_is_running, pids))


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _finish(place: Path, calm: dict[str, bytes], found: Counter[str]) -> None:
    """Let the batch run to its end, and hold it against the calm one."""
    done = subprocess.run(_command(place, "out"), capture_output=True, text=True)
    rows = (place / "out/documents.jsonl").read_text().splitlines() if done.returncode in (0, 1) else []
    sources = Counter(json.loads(row)["source"] for row in rows)
    found["broken"] += not rows
    found["lost"] += _DOCUMENTS + 1 - len(sources)
    found["doubled"] += sum(count - 1 for count in sources.values())
    found["changed"] += _outputs(place / "out") != calm
