"""`paxman mcp`: the tools for agents."""

from __future__ import annotations

import click

from paxman.cli.options import json_option


@click.command()
@json_option
def mcp(as_json: bool) -> None:
    """Serve normalize, plan, explain and verify as tools of the Model Context Protocol, over standard input."""
    from paxman.integrations.mcp import serve

    serve()
