"""What a disk that cannot be written to means for a run."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from paxman.errors import ExecutionError


@contextmanager
def writing(place: Path | str) -> Iterator[None]:
    """A full disk or a folder that cannot be written to ends the run with what to do, never with half a result."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        advice = "make room or give another folder, then run the same command again: finished work is kept"
        raise ExecutionError(f"cannot write to {place}: {reason}; {advice}", error_code="OUTPUT_FAILED") from error


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A path to write to, which becomes `target` at the end, all at once."""
    draft = target.with_name(f".{target.name}.part")
    draft.unlink(missing_ok=True)
    try:
        yield draft
        with open(draft, "rb") as file:
            os.fsync(file.fileno())
        os.replace(draft, target)
    except BaseException:
        draft.unlink(missing_ok=True)  # the disk may be full
        raise
