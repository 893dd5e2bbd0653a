"""A recording of a terminal for the README, drawn from a real run: `python -m benchmarks.recording > FILE`."""

from __future__ import annotations

import io
import os
import pty
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

import paxman

HOME = Path(paxman.__file__).parent.parent
SAMPLE = HOME / "paxman" / "samples" / "invoice.pdf"
COMMANDS = (
    "paxman try invoice.pdf",
    "paxman explain paxman-try/invoice.pdf.artifact.json amount_due --source invoice.pdf",
)
COLUMNS = 80
READING = 0.45
"""Seconds that a line takes to read; the recording shows one line after the other and then stands still."""
FRAME = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, monospace; font-size: {char_height}px; }}
@keyframes shown {{ from {{ visibility: hidden }} to {{ visibility: visible }} }}
{styles}
PAUSES</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def run(command: str, folder: Path) -> str:
    """What a command prints on a terminal of 80 columns."""
    ours, theirs = pty.openpty()
    arguments = [sys.executable, "-m", *shlex.split(command)]
    environment = {**os.environ, "COLUMNS": str(COLUMNS), "TERM": "xterm-256color", "PYTHONPATH": str(HOME)}
    process = subprocess.Popen(arguments, stdout=theirs, stderr=subprocess.DEVNULL, cwd=folder, env=environment)
    os.close(theirs)
    printed = bytearray()
    while piece := _read(ours):
        printed += piece
    process.wait()
    return printed.decode().replace("\r\n", "\n").replace(f"{folder.resolve()}/", "")


def _read(terminal: int) -> bytes:
    """What comes next; a terminal that nobody writes to any more is an error on Linux."""
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


def session() -> list[str]:
    """The lines of a terminal: each command, and what it prints."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(SAMPLE, folder)
        printed = [f"\x1b[1;34m$\x1b[0m \x1b[1m{command}\x1b[0m\n{run(command, folder)}" for command in COMMANDS]
    return "\n".join(printed).rstrip("\n").split("\n")


def draw(lines: list[str]) -> str:
    """The picture: an SVG that shows one line after the other."""
    console = Console(record=True, file=io.StringIO(), width=COLUMNS, force_terminal=True, color_system="truecolor")
    for line in lines:
        console.print(Text.from_ansi(line), soft_wrap=False)
    drawn = console.export_svg(title="paxman", unique_id="terminal", code_format=FRAME)
    count = drawn.count("<clipPath") - 1
    return drawn.replace("PAUSES", "\n".join(_pause(number) for number in range(count)))


def _pause(number: int) -> str:
    """When a line comes to be seen."""
    of_line = f'text[clip-path="url(#terminal-line-{number})"]'
    return f"{of_line} {{ animation: shown 0s {number * READING:.2f}s both }}"


if __name__ == "__main__":
    sys.stdout.write(draw(session()))
