"""Coverage-guided fuzzing (atheris) of each reader and of all recognizers, for a fixed number of runs.

`python -m benchmarks.fuzzing TARGET RUNS FOLDER` is one target; what crashed it is left in the folder.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.hostile import MAKERS
from benchmarks.measure import Measure

READERS = {
    "text": ("txt",),
    "json": ("json", "ndjson"),
    "csv": ("csv",),
    "markdown": ("md",),
    "html": ("html",),
    "xml": ("xml",),
    "mail": ("eml", "mbox"),
    "card": ("vcf", "ics"),
    "rtf": ("rtf",),
    "archive": ("zip",),
    "pdf": ("pdf",),
    "office": ("docx", "xlsx", "pptx", "odt", "ods", "odp", "epub", "xls"),
    "image": ("png",),
}
"""What each reader reads; the fuzzer begins with some of each."""
_NATIVE = {"pdf": 20, "office": 20, "image": 2_000}
"""How many times fewer runs: what runs in a helper is slower, and a guide sees only our side of it."""
_ROOT = Path(__file__).resolve().parents[1]
_LONGEST = 4_096
_LONGEST_PACKED = 16_384
"""A packed document that is cut off is one that its reader refuses at once."""
_SECONDS = 30


def measures(runs: int, keep: Path | None = None) -> Iterator[Measure]:
    """The crashes of each target."""
    for target in (*READERS, "recognizers"):
        with tempfile.TemporaryDirectory() as folder:
            count = max(runs // _NATIVE.get(target, 1), 1)
            crashes = _run(target, count, Path(folder), keep)
        yield Measure(f"fuzzing {target}, {count} runs: crashes", crashes, 0, "")


def _run(target: str, runs: int, folder: Path, keep: Path | None) -> int:
    """One crash ends a run of the fuzzer; it says what raised, and the input is kept."""
    command = [sys.executable, "-m", "benchmarks.fuzzing", target, str(runs), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=_ROOT)
    crashes = sorted(folder.glob("crash-*")) + sorted(folder.glob("timeout-*")) + sorted(folder.glob("oom-*"))
    if done.returncode and not crashes:
        print(done.stderr[-2000:], file=sys.stderr)
        return 1
    for crash in crashes:
        lines = [line for line in done.stderr.splitlines() if "Error" in line or "ALARM" in line]
        print(f"  {target}: {lines[0] if lines else crash.name}", file=sys.stderr)
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"{target}-{crash.name}").write_bytes(crash.read_bytes())
    return len(crashes)


def fuzz(target: str, runs: int, folder: str) -> None:
    """Run one target in this process, which the fuzzer ends."""
    import atheris

    with atheris.instrument_imports(include=["paxman.documents", "paxman.recognizers"]):
        attempt = _recognize() if target == "recognizers" else _read(target)
    seeds = Path(folder, "seeds")
    seeds.mkdir()
    formats = READERS.get(target, ("txt",))
    longest = _LONGEST_PACKED if target in ("archive", "office") else _LONGEST
    for number in range(24):
        maker = MAKERS[formats[number % len(formats)]][0]
        (seeds / str(number)).write_bytes(maker(random.Random(number))[:longest])
    flags = [f"-runs={runs}", "-seed=7", f"-max_len={longest}", f"-timeout={_SECONDS}", "-rss_limit_mb=3000"]
    atheris.Setup([sys.argv[0], *flags, f"-artifact_prefix={folder}/", str(seeds)], attempt)
    atheris.Fuzz()


def _read(target: str) -> Callable[[bytes], None]:
    from paxman.documents.reading import Limits, built_in

    reader, limits = built_in(target), Limits()

    def attempt(data: bytes) -> None:
        document = reader.read(data, f"x.{READERS[target][0]}", limits)
        _ = document.tables, document.pairs

    return attempt


def _recognize() -> Callable[[bytes], None]:
    from paxman.recognizers import conventions_of, find, kinds

    def attempt(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        conventions = conventions_of(text)
        for kind in kinds():
            for reading in find(kind, text, conventions):
                assert 0 <= reading.start < reading.end <= len(text)

    return attempt


if __name__ == "__main__":
    fuzz(sys.argv[1], int(sys.argv[2]), sys.argv[3])
