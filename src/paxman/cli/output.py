"""Printing: tables on a terminal, tabs when piped, JSON when asked."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from paxman.serialization import to_plain

_STEERING = (
    *(0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0xFEFF),
    *(*range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xFFF9, 0xFFFC), *range(0xE0000, 0xE0080)),
)
_IN_JSON = {code: json.dumps(chr(code))[1:-1] for code in (*range(0x7F, 0xA0), *_STEERING)}
"""What JSON need not escape, and a terminal would obey."""
_HIDDEN = {
    **{code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0))},
    **{code: f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}" for code in _STEERING},
    0x09: " ",
    0x0A: "\\n",
    0x0D: "\\r",
}
"""A document's text must not steer the terminal, nor break a line of a table."""
_LINES = {**_HIDDEN, 0x0A: "\n"}
_MANY = 4
"""Columns beyond which the last is cut rather than wrapped, so that rows stay rows."""
_LONGEST_WORD = 14
"""Words up to this length are never broken to fit a table into the terminal."""
_PATIENCE = 2.0
_BAND_STYLES = {
    "CERTAIN": "green",
    "HIGH": "green",
    "MEDIUM": "yellow",
    "LOW": "red",
    "UNTRUSTED": "red",
    "UNRESOLVED": "red",
}


def printable(text: str, lines: bool = False) -> str:
    """Text without characters that a terminal obeys; line breaks stay only with `lines`."""
    return text.translate(_LINES if lines else _HIDDEN)


def echo_json(data: Any, indent: int | None = 2) -> None:
    """Plain data as JSON; decimals and dates are text. On a terminal, nothing in it steers that."""
    text = json.dumps(to_plain(data), indent=indent, ensure_ascii=not _speaks_unicode())
    click.echo(text.translate(_IN_JSON) if sys.stdout.isatty() else text)


def _speaks_unicode() -> bool:
    return (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "").startswith("utf")


def heading(text: str) -> None:
    """A line above a table, shown on a terminal only, where it is bold."""
    if sys.stdout.isatty():
        click.secho(printable(text), bold=True)


def line(text: str = "") -> None:
    """One line; a terminal that is too narrow for it gets several, broken between words."""
    shown = printable(text)
    click.echo(_wrap(shown) if sys.stdout.isatty() else shown)


def _wrap(text: str) -> str:
    import shutil
    import textwrap

    indent = " " * (len(text) - len(text.lstrip()) + 4)
    width = max(shutil.get_terminal_size().columns, 40)
    return textwrap.fill(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False, replace_whitespace=False
    )


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Rows under their columns: drawn on a terminal, separated by tabs otherwise."""
    if sys.stdout.isatty():
        _draw(columns, rows)
        return
    for row in (columns, *rows):
        click.echo("\t".join(map(printable, row)))


def _draw(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    rows = [(*row[:-1], _shorten_place(row[-1], 24)) if len(columns) > _MANY else tuple(row) for row in rows]
    for index, name in enumerate(columns):
        widest = max((len(word) for row in rows for word in row[index].split()), default=0)
        drawn.add_column(Text(printable(name)), overflow="fold", min_width=min(max(widest, len(name)), _LONGEST_WORD))
    for row in rows:
        drawn.add_row(*(Text(printable(cell), _BAND_STYLES.get(cell, "")) for cell in row))
    Console().print(drawn)


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """On a terminal, say what is going on if it takes longer than two seconds, such as reading a scan."""
    if not sys.stderr.isatty():
        yield
        return
    from threading import Timer

    from rich.console import Console

    status = Console(stderr=True).status(what)
    timer = Timer(_PATIENCE, status.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        status.stop()


@contextmanager
def writing(path: str | Path) -> Iterator[None]:
    """Whatever keeps a result from being written is one failure, that of its file."""
    try:
        yield
    except OSError as error:
        place = f"{error.filename}: " if error.filename and str(error.filename) != str(path) else ""
        raise OSError(f"{path} cannot be written: {place}{error.strerror or error}") from None


def shorten(text: str, width: int = 60) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _shorten_place(text: str, width: int) -> str:
    """Paths tell most by their end."""
    return "…" + text[1 - width :] if text.startswith("/") and len(text) > width else shorten(text, width)


def start_log(level: str) -> None:
    """Log records as JSON lines on standard error."""
    import logging

    class Lines(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            facts = getattr(record, "paxman", {})
            return json.dumps({"level": record.levelname.lower(), "message": record.getMessage(), **facts})

    handler = logging.StreamHandler()
    handler.setFormatter(Lines())
    logger = logging.getLogger("paxman")
    logger.addHandler(handler)
    logger.setLevel(level.upper())
