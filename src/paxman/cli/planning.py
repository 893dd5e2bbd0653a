"""`paxman plan`: what would happen, without doing it."""

from __future__ import annotations

import click

from paxman.api.normalize import plan as make_plan
from paxman.api.normalize import profile
from paxman.cli.options import contract_option, json_option, load_contract, one_input, settings_options
from paxman.cli.output import echo_json, heading, line, table
from paxman.config import Settings
from paxman.planner import ExecutionPlan

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
        _show(made, everything)
        if profile(document).input_type in _MAYBE_SCANS:
            line("not counted: reading the file, which takes some seconds a page if it is a scan")


def _left_out(made: ExecutionPlan) -> dict[tuple[str, str, str | None], list[str]]:
    """The fields behind each reason why something is not in the plan."""
    reasons: dict[tuple[str, str, str | None], list[str]] = {}
    for note in made.diagnostics:
        fields = reasons.setdefault((note.code, note.message, note.capability_id), [])
        fields += [note.field_path] if note.field_path else []
    return reasons


def _show(made: ExecutionPlan, everything: bool) -> None:
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
    line(f"at most: ${cost.usd}, {cost.tokens} tokens, {cost.ms} ms")
