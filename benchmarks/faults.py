"""What a batch does when the machine fails it: each says what to do, and the next run goes on to the same bytes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.killing import _calm, _command, _outputs, _prepare
from benchmarks.measure import Measure

_SMALL_DISK = "size=300k"
_HUNGRY = """
from paxman import register_reader
from paxman.documents.reading import built_in

class Hungry:
    name, version = "hungry", "1.0"
    def sniff(self, head, name):
        return 100 if b"HUNGRY" in head else 0
    def read(self, data, name, limits):
        self.hoard = [bytearray(50_000_000) for _ in range(100)]
        return built_in("text").read(data, name, limits)

def register():
    register_reader(Hungry())
"""


def measures() -> Iterator[Measure]:
    """A count of 0 says that the message told what to do, and that the run after it gave the bytes of a calm one."""
    faults: dict[str, Callable[[Path, dict[str, bytes]], str]] = {
        "a full disk": _full_disk,
        "a folder that cannot be written to": _unwritable,
        "a journal that is no journal": _no_journal,
        "a journal that is cut off": _cut_journal,
        "a worker out of memory": _out_of_memory,
    }
    for name, fault in faults.items():
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            _prepare(place)
            wrong = fault(place, _calm(place)[0])
        if wrong:
            print(f"  {name}: {wrong}", file=sys.stderr)
        yield Measure(f"{name}: wrong", bool(wrong), 0, "")


def _run(place: Path, out: str = "out", *more: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [*_command(place, out), *more]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})


def _told(done: subprocess.CompletedProcess[str], *words: str) -> str:
    """What is wrong with how a run ended: it must fail, without a traceback, and say these words."""
    if done.returncode in (0, 1) or "Traceback" in done.stderr:
        return f"exit code {done.returncode}: {done.stderr[-300:]}"
    missing = [word for word in words if word not in done.stderr]
    return f"{missing} not said: {done.stderr[-300:]}" if missing else ""


def _goes_on(place: Path, calm: dict[str, bytes], out: str = "out") -> str:
    _run(place, out)
    return "" if _outputs(place / out) == calm else "the next run gave other bytes"


def _full_disk(place: Path, calm: dict[str, bytes]) -> str:
    """A disk of its own, too small, in a mount namespace of its own; where that is not allowed, a limit on files."""
    out = place / "small"
    out.mkdir()
    mount = f'mount -t tmpfs -o {_SMALL_DISK} none {out} && exec "$@"; cp -a {out}/. {place}/kept'
    script = f"{mount.replace('exec ', '')}"
    shell = ["unshare", "-rm", "sh", "-c", f"mkdir {place}/kept; {script}", "sh"]
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode:
        shell = ["bash", "-c", 'ulimit -f 200; exec "$@"', "bash"]
    done = subprocess.run([*shell, *_command(place, "small")], capture_output=True, text=True)
    failed = "" if "run the same command again" in done.stderr else f"not said what to do: {done.stderr[-300:]}"
    if "Traceback" in done.stderr:
        failed = done.stderr[-300:]
    kept = place / "kept"
    if kept.exists() and any(kept.iterdir()):
        shutil.rmtree(out)
        kept.rename(out)
    return failed or _goes_on(place, calm, "small")


def _unwritable(place: Path, calm: dict[str, bytes]) -> str:
    """Also for root: below a file, and in a file system of the kernel."""
    (place / "file").write_text("no folder")
    return _told(_run(place, "file/out"), "cannot write to") or _told(_run(place, "/proc/out"), "cannot write to")


def _no_journal(place: Path, calm: dict[str, bytes]) -> str:
    """Bytes that are no database, and a database that is another one's."""
    _run(place)
    journal = place / "out/journal.sqlite"
    journal.write_bytes(b"not a database at all" * 1000)
    wrong = _told(_run(place), "journal.sqlite", "another folder") or _told(_status(place), "journal.sqlite")
    shutil.rmtree(place / "out")
    return wrong or _goes_on(place, calm)


def _cut_journal(place: Path, calm: dict[str, bytes]) -> str:
    """Half of it is lost, as when a disk is."""
    _run(place)
    journal = place / "out/journal.sqlite"
    journal.write_bytes(journal.read_bytes()[: journal.stat().st_size // 2])
    for log in place.glob("out/journal.sqlite-*"):
        log.unlink()
    wrong = _told(_run(place), "journal.sqlite", "another folder")
    shutil.rmtree(place / "out")
    return wrong or _goes_on(place, calm)


def _status(place: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "paxman.cli", "batch", "status", str(place / "out")]
    return subprocess.run(command, capture_output=True, text=True)


def _out_of_memory(place: Path, calm: dict[str, bytes]) -> str:
    """One document wants more than a worker may have: it fails with what to do, the others do not notice."""
    (place / "hungry_reader.py").write_text(_HUNGRY)
    (place / "in/zz.txt").write_text("HUNGRY")
    more = ("--setup", "hungry_reader:register", "--memory", "1000")
    done = _run(place, "out", *more, PYTHONPATH=os.pathsep.join([str(place), *sys.path]))
    if done.returncode != 3 or "Traceback" in done.stderr:
        return f"exit code {done.returncode}: {done.stderr[-300:]}"
    *others, hungry = map(json.loads, (place / "out/documents.jsonl").read_text().splitlines())
    before = [json.loads(row) for row in calm["documents.jsonl"].decode().splitlines()]
    if hungry["status"] != "EXECUTION_FAILED" or "memory" not in hungry["reason"]:
        return f"the hungry document is {hungry['status']}: {hungry['reason']}"
    data = [[row["source"], row["data"]] for row in others] == [[row["source"], row["data"]] for row in before]
    return "" if data else "other documents changed"
