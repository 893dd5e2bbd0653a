"""`paxman explain`, `plan` and `report`: the story of a value, before, after, and as pages."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import attrs
import click

from paxman.api.normalize import plan as make_plan
from paxman.api.normalize import profile
from paxman.api.verification import details_of
from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.replay import load_unchanged
from paxman.cli.app import FAILURE
from paxman.cli.options import (
    contract_option,
    json_option,
    load_contract,
    one_input,
    read_input,
    refuse_overwriting,
    settings_options,
)
from paxman.cli.output import echo_json, heading, line, printable, shorten, table
from paxman.config import Settings
from paxman.documents.records import read_source
from paxman.planner import ExecutionPlan
from paxman.report.explanation import explain_fields, load_source
from paxman.report.summary import report_folder, report_one, say_problems
from paxman.report.views import EvidenceView, FieldView
from paxman.types import dollars

_ROLES = {"supporting": "evidence", "rejected": "rejected", "context": "context"}


@click.command()
@click.argument("artifact", type=click.Path(exists=True, dir_okay=False))
@click.argument("field", required=False)
@click.option(
    "-s", "--source", type=click.Path(), metavar="FILE", help="The document, for the lines around the evidence."
)
@click.option("--cost", "only_cost", is_flag=True, help="Only what each call to a model took: tokens, and money.")
@json_option
def explain(artifact: str, field: str | None, source: str | None, only_cost: bool, as_json: bool) -> None:
    """Tell how each value came about: its evidence, the confidence added up, and why others lost."""
    loaded = load_unchanged(Path(artifact))
    if only_cost:
        _show_cost(loaded, as_json)
        return
    raw = load_source(one_input(source), loaded, source) if source else None
    views = explain_fields(loaded, field, read_source(raw.data, raw.name, records=bool(loaded.root)) if raw else None)
    if as_json:
        echo_json([attrs.asdict(view) for view in views])
        return
    for view in views:
        _show(view)


def _show_cost(artifact: ExecutionArtifact, as_json: bool) -> None:
    """Each call to a model with the fields that it was for; of the tokens sent, those that the vendor had kept."""
    calls: dict[str, dict[str, Any]] = {}
    for result in artifact.field_results:
        for ref in result.evidence_refs:
            told = details_of(ref)
            if told:
                sent, answered, cached, written = told.get("usage") or (None, None, 0, 0)
                made = {"model": told["provider"], "sent": sent, "answered": answered, "kept": cached, "keeps": written}
                made |= {"pictures": told.get("pictures", []), "outcome": told["outcome"], "fields": []}
                calls.setdefault(told["request"], made)["fields"].append(result.field_path)
    total = artifact.statistics.cost_usd
    if as_json:
        echo_json({"calls": list(calls.values()), "cost_usd": str(total)})
        return
    heading(f"{len(calls)} calls, {dollars(total)}")
    names = ("model", "tokens sent", "kept before", "kept now", "answered", "pictures of pages", "fields")
    rows = [
        tuple(
            ""
            if each[name] is None
            else ", ".join(map(str, each[name]))
            if isinstance(each[name], list)
            else each[name]
            for name in ("model", "sent", "kept", "keeps", "answered", "pictures", "fields")
        )
        for each in calls.values()
    ]
    table(names, [tuple(map(str, row)) for row in rows])
    line(f"in all: {dollars(total)}")


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


_MAYBE_SCANS = ("unknown", "pdf_text")
_STEPS = {
    "POLICY_EXCLUDES_REMOTE_INFERENCE": "remote inference",
    "POLICY_EXCLUDES_LOCAL_INFERENCE": "local inference",
    "BUDGET_EXCLUDES_INFERENCE": "inference",
    "NO_PROVIDER": "inference",
}
_ADVICE = {
    "POLICY_EXCLUDES_REMOTE_INFERENCE": "remote models are not allowed: --remote, and a [provider] in paxman.toml",
    "POLICY_EXCLUDES_LOCAL_INFERENCE": "local models are not allowed: leave out --no-local",
}
_PROVIDER = "name one under [provider] in paxman.toml, or in PAXMAN_MODEL"
"""What the planner advises in terms of code, as the command line has it."""


@click.command()
@click.argument("file", type=click.Path())
@contract_option
@click.option("--all", "everything", is_flag=True, help="Also show which steps were left out, and why.")
@settings_options
@json_option
def plan(file: str, contract: str | None, everything: bool, settings: Settings, as_json: bool) -> None:
    """Show the chain of every field, a line each, and the most it can cost. Runs nothing."""
    canonical = load_contract(contract, settings)
    settings.activate()
    document = one_input(file)
    made = make_plan(document, canonical, settings.budget, settings.policy)
    if as_json:
        echo_json({**made.to_dict(), "replay_hash": made.replay_hash})
    else:
        _show_plan(made, everything)
        if profile(document).input_type in _MAYBE_SCANS:
            line("not counted: reading the file, which takes some seconds a page if it is a scan")


def _left_out(made: ExecutionPlan) -> dict[tuple[str, str, str | None], list[str]]:
    """The fields behind each reason why something is not in the plan."""
    reasons: dict[tuple[str, str, str | None], list[str]] = {}
    for note in made.diagnostics:
        fields = reasons.setdefault((note.code, note.message, note.capability_id), [])
        fields += [note.field_path] if note.field_path else []
    return reasons


def _show_plan(made: ExecutionPlan, everything: bool) -> None:
    heading(f"{made.contract_id}: plan {made.replay_hash[:12]}")
    rows = []
    for field in made.fields:
        chain = " > ".join(step.capability_id for step in field.capability_chain)
        rows.append((field.field_id.partition(":")[2], f"{field.target_confidence:.2f}", chain or "nothing"))
    table(("field", "target", "chain"), rows)
    reasons = _left_out(made)
    if reasons and not everything:
        line(f"left out for {len(reasons)} reason{'' if len(reasons) == 1 else 's'}; --all says which")
    for (code, message, capability), fields in reasons.items() if everything else ():
        named = ", ".join(fields) if 0 < len(fields) < len(made.fields) else "all fields"
        message = message.replace("see paxman.register_provider", _PROVIDER)
        line(f"not: {capability or _STEPS.get(code, 'any step')}: {_ADVICE.get(code, message)} ({named}) ({code})")
    cost = made.estimated_cost
    line(f"at most: {dollars(cost.usd)}, {cost.tokens} tokens, {cost.ms} ms")
    if made.page_tokens is not None:
        line(f"the page: about {made.page_tokens} tokens")


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
