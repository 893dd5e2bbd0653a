"""The command line: thin over the api. A command's module is imported when the command is called."""

from __future__ import annotations


def main() -> None:
    """What the `paxman` script runs."""
    from paxman.cli.app import app

    app(prog_name="paxman")
