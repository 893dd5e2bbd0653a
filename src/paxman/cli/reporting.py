"""`paxman report`: pages to look at."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from paxman.cli.app import FAILURE
from paxman.cli.options import json_option, read_input, refuse_overwriting
from paxman.cli.output import echo_json, line, printable
from paxman.report.summary import report_folder, report_one, say_problems


@click.command()
@click.argument("artifact", type=click.Path(exists=True))
@click.argument("source", required=False, type=click.Path(exists=True, allow_dash=True))
@click.option("-s", "--source", "same", type=click.Path(exists=True, allow_dash=True), help="The same as SOURCE.")
@click.option("-o", "--output", type=click.Path(), metavar="PATH", help="The page to write; report.html by default.")
@click.option("--force", is_flag=True, help="Show the artifact beside a document that it was not made from.")
@json_option
def report(artifact: str, source: str | None, same: str | None, output: str | None, force: bool, as_json: bool) -> None:
    """Write one self-contained page: the document beside its fields, each with its evidence.

    ARTIFACT is a file, with the document as SOURCE; or a folder of artifacts, with a folder of documents, which gives
    a summary and a page for each artifact. Artifacts that are broken are named, left out, and end in exit code 3.
    """
    source = source or same
    refuse_overwriting(output, artifact, source)
    problems = list[str]()
    if Path(artifact).is_dir():
        page, problems = report_folder(Path(artifact), Path(source) if source else None, Path(output or "report"))
    else:
        document = read_input(None if source == "-" else Path(source)) if source else None
        page = report_one(Path(artifact), document, Path(output or "report.html"), force)
    if as_json:
        echo_json({"report": str(page), "problems": problems})
    else:
        line(f"written: {page}")
    if problems:
        click.echo(printable("\n".join((f"{say_problems(problems)}:", *problems)), lines=True), err=True)
        sys.exit(FAILURE)
