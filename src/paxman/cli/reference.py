"""The reference page of the command line, written from the commands themselves: python -m paxman.cli.reference."""

from __future__ import annotations

from collections.abc import Iterator

import click

from paxman.cli.app import EXIT_CODES, app

_HEAD = """# Command line

Written from the commands by `python -m paxman.cli.reference`. On a terminal results are drawn as tables; piped, they
are plain lines with tabs; `--json` prints JSON. `PAXMAN_DEBUG=1` shows where an unexpected error came from.

| exit code | meaning |
|---|---|
"""


def reference() -> str:
    """The whole page, as Markdown."""
    codes = "".join(f"| {code} | {text} |\n" for code, text in EXIT_CODES)
    sections = "".join(f"\n## {path}\n\n```\n{text}\n```\n" for path, text in _helps(app, None, "paxman"))
    return _HEAD + codes + sections


def _helps(command: click.Command, parent: click.Context | None, path: str) -> Iterator[tuple[str, str]]:
    """The help of a command and of all below it, as wide on every terminal."""
    name = path.rpartition(" ")[2]
    context = command.make_context(name, [], parent, resilient_parsing=True, terminal_width=100, max_content_width=100)
    with context:
        yield path, command.get_help(context).rstrip()
        if isinstance(command, click.Group):
            for child in command.list_commands(context):
                found = command.get_command(context, child)
                if found is not None:
                    yield from _helps(found, context, f"{path} {child}")


if __name__ == "__main__":
    click.echo(reference(), nl=False)
