"""`paxman explain`: the story of a value."""

from __future__ import annotations

from pathlib import Path

import attrs
import click

from paxman.artifact.replay import load_unchanged
from paxman.cli.options import json_option, one_input
from paxman.cli.output import echo_json, heading, line, shorten
from paxman.documents.records import read_source
from paxman.report.explanation import explain_fields, load_source
from paxman.report.views import EvidenceView, FieldView

_ROLES = {"supporting": "evidence", "rejected": "rejected", "context": "context"}


@click.command()
@click.argument("artifact", type=click.Path(exists=True, dir_okay=False))
@click.argument("field", required=False)
@click.option(
    "-s", "--source", type=click.Path(), metavar="FILE", help="The document, for the lines around the evidence."
)
@json_option
def explain(artifact: str, field: str | None, source: str | None, as_json: bool) -> None:
    """Tell how each value came about: its evidence, the confidence added up, and why others lost."""
    loaded = load_unchanged(Path(artifact))
    raw = load_source(one_input(source), loaded, source) if source else None
    views = explain_fields(loaded, field, read_source(raw.data, raw.name, records=bool(loaded.root)) if raw else None)
    if as_json:
        echo_json([attrs.asdict(view) for view in views])
        return
    for view in views:
        _show(view)


def _show(view: FieldView) -> None:
    heading(f"{view.path} ({view.type})")
    missing = "is missing" if view.required else "is not stated"
    line(f"{view.path} = {view.value}" if view.status == "RESOLVED" else f"{view.path} {missing}")
    line(f"  origin: {(view.origin or 'none').lower()}, cost {view.cost}")
    if view.rows:
        line(f"  rows: {view.rows}")
    if view.rubric:
        parts = " ".join(f"{points / 100:+.2f} {name}" for name, points in view.rubric.parts)
        capped = f", {view.rubric.capped}" if view.rubric.capped else ""
        target = f", target {view.target:.2f}" if view.target is not None else ""
        line(f"  confidence: {view.rubric.total:.2f} {view.band} = {parts}{capped}{target}")
    elif view.status == "RESOLVED":
        line(f"  confidence: {view.confidence:.2f} {view.band}")
    for evidence in view.evidence:
        _show_evidence(evidence)
    for value, reason in view.lost:
        line(f"  lost: {shorten(value)}: {reason}")
    for code, message in view.notes:
        line(f"  note: {message} ({code})")
    line(f"  chain: {' > '.join(view.tried) or 'nothing could be tried'}")


def _show_evidence(evidence: EvidenceView) -> None:
    place = evidence.place or shorten(evidence.detail or "")
    loose = f", {evidence.loose}" if evidence.loose else ""
    line(f"  {_ROLES[evidence.role]}: {evidence.capability}, {evidence.path}, {place}{loose}")
    if evidence.lesson:
        line(f"    by examples: {evidence.lesson}")
    if evidence.quote is not None:
        line(f"    | {evidence.before.lstrip()}[{evidence.quote}]{evidence.after.rstrip()}")
    for name, value in evidence.found_by:
        line(f"    {name}: {value}")
    for name, value in evidence.steps:
        line(f"    -> {name}" + (f": {shorten(value)}" if value else ""))
