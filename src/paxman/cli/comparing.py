"""`paxman diff`: two artifacts side by side."""

from __future__ import annotations

import sys
from pathlib import Path

import attrs
import click

from paxman.artifact.comparison import ArtifactDiff, compare
from paxman.artifact.replay import load_unchanged
from paxman.cli.app import OK, UNRESOLVED
from paxman.cli.options import json_option
from paxman.cli.output import echo_json, line, shorten
from paxman.report.views import show_value

_ARTIFACT = click.Path(exists=True, dir_okay=False)


@click.command()
@click.argument("first", type=_ARTIFACT)
@click.argument("second", type=_ARTIFACT)
@click.option("--exit-code", is_flag=True, hidden=True, help="How it always is now.")
@json_option
def diff(first: str, second: str, exit_code: bool, as_json: bool) -> None:
    """Show the fields that changed from FIRST to SECOND, and why: contract, input, version or evidence.

    The exit code is 1 when a field changed, as of other programs that compare.
    """
    found = compare(load_unchanged(Path(first)), load_unchanged(Path(second)))
    if as_json:
        echo_json({"causes": found.causes, "changes": [attrs.asdict(change) for change in found.changes]})
    else:
        _show(found)
    sys.exit(UNRESOLVED if found.changes else OK)


def _show(found: ArtifactDiff) -> None:
    for cause, detail in found.causes.items():
        line(f"{cause}: {detail}")
    for change in found.changes:
        line(f"{change.field_path}: {', '.join(change.reasons)}")
        if change.before != change.after:
            line(f"  - {shorten(show_value(change.before)) or 'null'}")
            line(f"  + {shorten(show_value(change.after)) or 'null'}")
        for name, (old, new) in change.details.items():
            line(f"  {name}: {old} -> {new}")
    line(f"{len(found.changes)} of {found.fields} fields changed")
