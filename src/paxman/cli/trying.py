"""`paxman try`: a first look at one's own document, without a contract."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import attrs
import click

from paxman.api.drafting import draft_contract
from paxman.api.inputs import name_source
from paxman.api.normalize import normalize
from paxman.cli.normalizing import exit_code, show_artifact
from paxman.cli.options import json_option, load_contract
from paxman.cli.output import echo_json, line, waiting, writing
from paxman.contract.loading import dump_yaml
from paxman.report.summary import report_one

_DRAFTED, _KEPT = "drafted; edit it and try again", "as you left it; delete it for a new draft"
_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")


@click.command("try")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "-o", "--output", default="paxman-try", show_default=True, type=click.Path(path_type=Path), metavar="FOLDER"
)
@click.option("--open/--no-open", "show", default=True, help="Open the report in a browser, where there is a display.")
@json_option
def try_file(file: Path, output: Path, show: bool, as_json: bool) -> None:
    """Draft a contract from FILE, normalize FILE with it, and write the report.

    The contract is a file in FOLDER that you can edit. If it is there already, it is used as it is.
    """
    contract, stored, page = (
        output / f"{file.name}{ending}" for ending in (".contract.yaml", ".artifact.json", ".html")
    )
    drafted = not contract.exists()
    with waiting(f"reading {file}"):
        if drafted:
            _write(contract, dump_yaml(draft_contract([file], file.stem)))
        artifact = normalize(file, load_contract(str(contract)))
    artifact = attrs.evolve(artifact, metadata={"source": name_source(file)})
    _write(stored, artifact.to_json() + "\n")
    report_one(stored, file, page)
    if as_json:
        written = {"contract": str(contract), "artifact": str(stored), "report": str(page)}
        echo_json({**written, "data": artifact.normalized_data})
        sys.exit(exit_code(artifact))
    show_artifact(artifact)
    line(f"contract: {contract} ({_DRAFTED if drafted else _KEPT})")
    line(f"report: {page.resolve()}")
    found = (result.field_path for result in artifact.field_results if result.status == "RESOLVED")
    line(f"next: paxman explain {stored} {next(found, artifact.field_results[0].field_path)} --source {file}")
    if show and _has_display():
        click.launch(str(page.resolve()))
    sys.exit(exit_code(artifact))


def _write(path: Path, text: str) -> None:
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def _has_display() -> bool:
    """Whether a browser could show something to the person who typed the command."""
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, _DISPLAYS))
