"""What a disk that cannot be written to means for a run."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from paxman.errors import ExecutionError


@contextmanager
def writing(place: Path | str) -> Iterator[None]:
    """A full disk or a folder that cannot be written to ends the run with what to do, never with half a result."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        if _is_damage(error):
            raise _damaged(Path(place), error) from error
        reason = getattr(error, "strerror", None) or str(error)
        advice = "make room or give another folder, then run the same command again: finished work is kept"
        raise ExecutionError(f"cannot write to {place}: {reason}; {advice}", error_code="OUTPUT_FAILED") from error


@contextmanager
def intact(folder: Path) -> Iterator[None]:
    """A database of the batch that is damaged ends the run with what to do."""
    try:
        yield
    except sqlite3.Error as error:
        if not _is_damage(error):
            raise
        raise _damaged(folder, error) from error


def _is_damage(error: Exception) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _damaged(folder: Path, error: Exception) -> ExecutionError:
    """What was spent can be forgotten by itself; without its journal the results of a batch are anybody's."""
    whole = _is_whole(folder / "spending.sqlite")
    place = folder / ("journal.sqlite" if whole else "spending.sqlite")
    lost = "every document is then worked on anew" if whole else "what was spent is then forgotten"
    advice = f"Give another folder, or remove {folder if whole else place}, and run the same command again: {lost}"
    return ExecutionError(f"{place} is damaged: {error}. {advice}", error_code="BATCH_DAMAGED")


def _is_whole(path: Path) -> bool:
    if not path.exists():
        return True
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.Error:
        return False


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
