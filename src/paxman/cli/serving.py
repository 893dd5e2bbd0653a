"""`paxman mcp`: the tools for agents."""

from __future__ import annotations

from pathlib import Path

import click

from paxman.cli.options import json_option, settings_options
from paxman.config import Settings


@click.command()
@click.option(
    "--root",
    type=click.Path(),
    metavar="FOLDER",
    help="Let agents read documents and contracts below this folder.",
)
@settings_options
@json_option
def mcp(root: str | None, settings: Settings, as_json: bool) -> None:
    """Serve normalize, plan, explain and verify as tools of the Model Context Protocol, over standard input.

    What agents and the server say to each other is JSON in any case. Without --root no files are read.
    """
    from paxman.integrations.mcp import serve

    if root and not Path(root).is_dir():
        raise click.UsageError(f"--root: there is no folder {root!r}")
    settings.activate()
    serve(settings, Path(root) if root else None)
