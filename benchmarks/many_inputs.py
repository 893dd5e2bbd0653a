"""Hostile documents through `normalize`, in processes that are watched: exceptions, time, memory, what stays behind."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.hostile import document
from benchmarks.measure import Measure
from benchmarks.samples import invoice_contract

_ROOT = Path(__file__).resolve().parents[1]
_CHUNK = 500
_SECONDS = 10
_MEGABYTES = 1_500
_STUCK = 300
_SWALLOWED = re.compile(r"\braised \w+$|failed with [A-Z]\w+")
"""How a diagnostic says that code of ours raised."""
_ITEM = [{"name": name, "type": kind, "required": False} for name, kind in (
    ("description", "STRING"), ("quantity", "DECIMAL"), ("price", "MONEY"), ("amount", "MONEY"))]  # fmt: skip
_PARTY = [{"name": name, "type": "STRING", "required": False} for name in ("name", "address", "vat_id", "email")]
CONTRACTS: tuple[dict[str, Any], ...] = (
    invoice_contract(),
    {"id": "lines", "version": "1", "fields": [
        {"name": "line_items", "type": "ARRAY", "required": True, "items": {"fields": _ITEM}},
        {"name": "total", "type": "MONEY", "required": True},
        {"name": "net", "type": "MONEY", "required": False},
        {"name": "tax", "type": "MONEY", "required": False, "derive": "total - net"}]},
    {"id": "parties", "version": "1", "fields": [
        {"name": "seller", "type": "OBJECT", "required": False, "fields": _PARTY},
        {"name": "buyer", "type": "OBJECT", "required": False, "fields": _PARTY},
        {"name": "iban", "type": "STRING", "required": False, "tags": ["iban"]},
        {"name": "number", "type": "STRING", "required": True,
         "constraints": [{"kind": "pattern", "params": {"regex": "[A-Z]{2,}-?\\d+"}}]}]},
    {"id": "mixed", "version": "1", "fields": [
        {"name": "status", "type": "ENUM", "required": False, "enum_values": ["paid", "open"]},
        {"name": "count", "type": "INTEGER", "required": False},
        {"name": "start", "type": "DATE", "required": True},
        {"name": "tags", "type": "ARRAY", "required": False, "items": {"type": "STRING"}},
        {"name": "done", "type": "BOOLEAN", "required": False}]},
)  # fmt: skip


def measures(count: int, keep: Path | None = None, first: int = 0) -> Iterator[Measure]:
    """Chunks of inputs from a number on, each in a process of its own; what went wrong is written to `keep`."""
    wrong: list[dict[str, Any]] = []
    most, left_files, left_processes = 0.0, 0, 0
    for done in range(0, count, _CHUNK):
        behind = min(done + _CHUNK, count)
        with tempfile.TemporaryDirectory() as folder:
            found, megabytes, orphans = _run_chunk(first + done, first + behind, folder)
            wrong += found
            most, left_processes = max(most, megabytes), left_processes + orphans
            left_files += len(list(Path(folder).iterdir()))
        print(f"{behind} of {count} inputs, {len(wrong)} wrong", file=sys.stderr, flush=True)
        for each in found:
            _keep(each, keep)
    kinds = Counter(each["wrong"] for each in wrong)
    yield Measure(f"{count} hostile inputs: exceptions", kinds["raised"], 0, "")
    yield Measure("  exceptions that a diagnostic stands for", kinds["swallowed"], 0, "")
    yield Measure(f"  inputs over {_SECONDS} s of processor time", kinds["slow"] + kinds["stuck"], 0, "")
    yield Measure("  most memory of a process and its helpers", most, _MEGABYTES, "MB")
    yield Measure("  processes left behind", left_processes, 0, "")
    yield Measure("  files left behind", left_files, 0, "")


def _keep(wrong: dict[str, Any], folder: Path | None) -> None:
    name, data = document(wrong["input"])
    print(f"  {name}: {wrong['wrong']}: {wrong['what']}", file=sys.stderr, flush=True)
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def _run_chunk(start: int, end: int, folder: str) -> tuple[list[dict[str, Any]], float, int]:
    """What went wrong, the most memory, and how many processes were left; goes on behind an input that got stuck."""
    wrong: list[dict[str, Any]] = []
    most = 0.0
    pids: set[int] = set()
    while start < end:
        command = [sys.executable, "-m", "benchmarks.many_inputs", str(start), str(end)]
        begun = start
        environment = {**os.environ, "TMPDIR": folder}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=_ROOT) as running:
            timer = _Watch(running)
            for line in running.stdout or ():
                told = json.loads(line)
                timer.touch()
                begun = told.get("begin", begun)
                most = max(most, told.get("megabytes", 0))
                pids |= set(told.get("helpers", ()))
                if "wrong" in told:
                    wrong.append(told)
            timer.stop()
        if running.returncode != 0:
            wrong.append({"input": begun, "wrong": "stuck", "what": f"exit code {running.returncode}"})
        start = begun + 1 if running.returncode else end
    return wrong, most, _still_there(pids)


class _Watch:
    """Kills a process that has said nothing for long."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        import threading

        self._process, self._last, self._over = process, time.monotonic(), threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def touch(self) -> None:
        self._last = time.monotonic()

    def stop(self) -> None:
        self._over.set()

    def _watch(self) -> None:
        while not self._over.wait(1):
            if time.monotonic() - self._last > _STUCK:
                self._process.kill()
                return


def _still_there(pids: set[int]) -> int:
    """Helpers that run though their parent is gone; they look for it once a second."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and any(map(_is_running, pids)):
        time.sleep(0.1)
    return sum(map(_is_running, pids))


def _is_running(pid: int) -> bool:
    try:
        return "paxman.documents.sandbox" in Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace")
    except OSError:
        return False


def _work(start: int, end: int) -> None:
    """In the child: one line of JSON for each input, before it, and one for what is wrong with it."""
    import paxman
    from paxman.documents.sandbox import pool

    def helpers() -> list[int]:
        return [helper.pid for helper in pool._pool.helpers()]

    told_large = False
    for number in range(start, end):
        name, data = document(number)
        place = Path(tempfile.gettempdir(), name)
        place.write_bytes(data)
        _tell(begin=number)
        before = _processor(helpers())
        try:
            artifact = paxman.normalize(place, CONTRACTS[number % len(CONTRACTS)])
            failed = swallowed(artifact)
            if failed:
                _tell(input=number, wrong="swallowed", what=failed[0])
        except Exception as error:
            _tell(input=number, wrong="raised", what=f"{type(error).__name__}: {error}"[:200])
        place.unlink()
        spent = _processor(helpers()) - before
        if spent > _SECONDS:
            _tell(input=number, wrong="slow", what=f"{spent:.0f} s")
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000 + sum(map(_peak, helpers()))
        if memory > _MEGABYTES and not told_large:
            _tell(input=number, wrong="large", what=f"{memory:.0f} MB")
            told_large = True
    _tell(megabytes=memory, helpers=helpers())


def swallowed(artifact: Any) -> list[str]:
    """Diagnostics that stand for an exception of our own code."""
    return [note.message for note in artifact.diagnostics if _SWALLOWED.search(note.message)]


def _tell(**facts: Any) -> None:
    print(json.dumps(facts), flush=True)


def _processor(helpers: list[int]) -> float:
    """Seconds that this process, its helpers and those that ended have used."""
    own, gone = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + gone.ru_utime + gone.ru_stime + sum(map(_ticks, helpers))


def _ticks(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1000


if __name__ == "__main__":
    _work(int(sys.argv[1]), int(sys.argv[2]))
