"""`paxman report`: pages to look at."""

from __future__ import annotations

from pathlib import Path

import click

from paxman.cli.options import json_option, refuse_overwriting
from paxman.cli.output import echo_json, line


@click.command()
@click.argument("artifact", type=click.Path(exists=True))
@click.argument("source", required=False, type=click.Path(exists=True))
@click.option("-o", "--output", type=click.Path(), metavar="PATH", help="The page to write; report.html by default.")
@json_option
def report(artifact: str, source: str | None, output: str | None, as_json: bool) -> None:
    """Write one self-contained page: the document beside its fields, each with its evidence.

    ARTIFACT is a file, with the document as SOURCE; or a folder of artifacts, with a folder of documents, which gives
    a summary and a page for each artifact.
    """
    from paxman.report.summary import report_folder, report_one

    refuse_overwriting(output, artifact, source)
    if Path(artifact).is_dir():
        page = report_folder(Path(artifact), Path(source) if source else None, Path(output or "report"))
    else:
        page = report_one(Path(artifact), Path(source) if source else None, Path(output or "report.html"))
    if as_json:
        echo_json({"report": str(page)})
    else:
        line(f"written: {page}")
