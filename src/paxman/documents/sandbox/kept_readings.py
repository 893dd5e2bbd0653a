"""What OCR read, kept for the next command on the same page: by its bytes, in a folder of a limited size."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from importlib import metadata
from pathlib import Path
from typing import Any

from paxman.documents.sandbox.helper import read_frame, write_frame
from paxman.version import __version__

MOST_BYTES = 256_000_000
SWITCH = "PAXMAN_OCR_CACHE"
"""A folder, or "off"; without it the cache folder of the user."""
Reading = tuple[dict[str, Any], list[bytes]]
_allowed: ContextVar[bool] = ContextVar("readings may be kept", default=True)


@contextmanager
def keeping(allowed: bool) -> Iterator[None]:
    """Within, readings are kept and used only if that is allowed."""
    token = _allowed.set(allowed and _allowed.get())
    try:
        yield
    finally:
        _allowed.reset(token)


def folder() -> Path | None:
    """Where readings are kept; None where that is switched off."""
    given = os.environ.get(SWITCH, "")
    if given.casefold() in ("off", "0", "no", "false"):
        return None
    usual = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "paxman" / "ocr"
    return Path(given) if given else usual


def place_of(job: str, data: bytes, options: Mapping[str, Any]) -> Path | None:
    """The file of a reading by all that decides about it; None where none is kept."""
    home = folder() if job.startswith("ocr") and _allowed.get() else None
    if home is None:
        return None
    versions = [__version__, *(metadata.version(name) for name in ("rapidocr", "onnxruntime", "pypdfium2"))]
    key = hashlib.sha256(json.dumps([job, dict(options), versions], sort_keys=True).encode() + b"\0" + data)
    return home / key.hexdigest()


def recall(place: Path) -> Reading | None:
    """A reading that was kept; a damaged one is none."""
    try:
        with place.open("rb") as file:
            reading = read_frame(file)
        os.utime(place)
    except (OSError, EOFError, ValueError, KeyError, TypeError):
        return None
    return reading


def keep(place: Path, reading: Reading) -> None:
    """Keep a reading for this user alone, and drop the ones not used longest where the folder grows too large."""
    with suppress(OSError):
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = place.with_suffix(f".{os.getpid()}")
        with open(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            write_frame(file, *reading)
        made.replace(place)
        kept = sorted(((each.stat(), each) for each in place.parent.iterdir()), key=lambda pair: -pair[0].st_mtime)
        size = 0
        for stat, each in kept:
            size += stat.st_size
            if size > MOST_BYTES:
                each.unlink()
