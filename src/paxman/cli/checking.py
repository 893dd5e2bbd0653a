"""`paxman replay`, `verify`, `sign`, `keygen` and `diff`: does a stored artifact stand up, and against another?"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import click

from paxman.api.normalize import replay as replay_artifact
from paxman.api.verification import verify as verify_artifact
from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.comparison import ArtifactDiff, compare
from paxman.artifact.replay import load_artifact, load_unchanged
from paxman.artifact.signing import make_keys, make_signature, refuse_changed, replace_file, signing_problem
from paxman.artifact.signing import sign as sign_artifact
from paxman.artifact.verification import EvidenceCheck, Verification
from paxman.cli.app import FAILURE, OK, UNRESOLVED
from paxman.cli.options import contract_option, json_option, load_contract, one_input, settings_options
from paxman.cli.output import echo_json, line, shorten
from paxman.config import Settings
from paxman.report.views import in_order, show_value
from paxman.serialization import to_plain

_ARTIFACT = click.Path(exists=True, dir_okay=False)
_reformatted = click.option(
    "--reformatted", is_flag=True, help="Accept a copy that says the same in other bytes, such as a pretty-printed one."
)


@click.command()
@click.argument("artifact", type=_ARTIFACT)
@contract_option
@_reformatted
@settings_options
@json_option
def replay(artifact: str, contract: str | None, reformatted: bool, settings: Settings, as_json: bool) -> None:
    """Check an artifact's bytes, hash, versions, capabilities and contract. Computes nothing anew."""
    loaded = replay_artifact(Path(artifact), load_contract(contract, settings), reformatted=reformatted)
    if as_json:
        data = attrs.evolve(loaded, field_results=tuple(map(in_order, loaded.field_results))).normalized_data
        echo_json({"verified": True, "replay_hash": loaded.replay_hash, "data": data})
    else:
        line(f"verified: {loaded.contract_id}, {loaded.status.value}, hash {loaded.replay_hash}")


def _hint(found: Verification, used: Settings, recorded: Any) -> str:
    """What to do where it was not verified for want of the same settings, or of anything to check with."""
    if not found.problems and not found.passed:
        return "what is not checkable is accepted with --allow-unrecorded"
    return _other_settings(used, recorded) if any(each.what == "second run" for each in found.problems) else ""


def _taken(used: Settings) -> dict[str, Any]:
    """The settings that were taken from the artifact and are not the usual ones."""
    return {name: value for name, value in to_plain(used.chosen).items() if used.values[name].origin == "artifact"}


def _other_settings(used: Settings, recorded: Any) -> str:
    """The settings that a second run had and the first did not."""
    if not isinstance(recorded, Mapping):
        return "the artifact does not record its settings; give those it was made with, such as --locale and --floor"
    now = to_plain(used.chosen)
    changed = [name for name in sorted({*now, *recorded}) if now.get(name) != recorded.get(name)]
    told = (f"{name} was {recorded.get(name, 'the default')} and is {now.get(name, 'the default')}" for name in changed)
    return ", ".join(told)


@click.command()
@click.argument("artifact", type=_ARTIFACT)
@click.argument("source", type=click.Path())
@contract_option
@click.option("--strict", is_flag=True, help="Run all deterministic steps again and compare; needs the contract.")
@click.option(
    "--allow-unrecorded",
    is_flag=True,
    help="With --strict, accept the word of a person, or of a model that was not recorded.",
)
@_reformatted
@click.option(
    "--signed-by", multiple=True, metavar="PUB", help="Public keys, one of which must have signed: PEM, or env:NAME."
)
@click.option("--signature", type=_ARTIFACT, help="A detached signature; ARTIFACT.sig by default, if it is there.")
@settings_options
@json_option
def verify(
    artifact: str,
    source: str,
    contract: str | None,
    strict: bool,
    allow_unrecorded: bool,
    reformatted: bool,
    signed_by: tuple[str, ...],
    signature: str | None,
    settings: Settings,
    as_json: bool,
) -> None:
    """Check an artifact against the document SOURCE: hashes, quotes, transforms, origins and confidences.

    What was looked up or computed is made again; with the contract from its own tables.

    --strict also runs every deterministic step again and compares the whole artifact, with the settings that the
    artifact records (locale, floor and what else decides about values), or with those that hold here if it records
    none. A flag wins.
    """
    canonical = load_contract(contract, settings) if contract or settings["contract"] or strict else None
    document = one_input(source)
    loaded = load_artifact(Path(artifact))
    recorded = loaded.metadata.get("settings")
    used = settings.as_recorded(recorded) if isinstance(recorded, Mapping) else settings
    found = verify_artifact(
        loaded,
        document,
        canonical,
        strict=strict,
        budget=used.budget,
        policy=used.policy,
        allow_unrecorded=allow_unrecorded,
        reformatted=reformatted,
    )
    found = _with_signature(found, loaded, Path(artifact), signed_by, signature)
    hint, taken = _hint(found, used, recorded), _taken(used) if strict else {}
    if as_json:
        more = {"hint": hint, "settings": taken}
        echo_json({**found.to_dict(), **{name: told for name, told in more.items() if told}})
    elif any(check.what == "input" for check in found.problems):
        line(f"not verified: {source} is not the document that the artifact was made from")
    else:
        for check in found.problems:
            line(f"wrong: {check.field_path or check.what}: {check.problem}")
        for check in found.unchecked:
            line(f"not checkable: {check.field_path or check.what}: {check.unchecked}")
        if taken:
            line(f"run again as the artifact records: {', '.join(f'{name} {value}' for name, value in taken.items())}")
        if hint:
            line(f"hint: {hint}")
        checked, loose = len(found.checks) - len(found.unchecked), len(found.unchecked)
        counts = f"{checked} checks, {len(found.problems)} wrong" + (f", {loose} not checkable" if loose else "")
        line(f"{'verified' if found.passed else 'not verified'}: {counts}")
    sys.exit(OK if found.passed else FAILURE)


def _with_signature(
    found: Verification, artifact: ExecutionArtifact, path: Path, keys: tuple[str, ...], given: str | None
) -> Verification:
    """The verification with a check of who vouches for the artifact, if keys are given."""
    if not keys:
        return found
    beside = path.with_name(f"{path.name}.sig")
    detached = [Path(given)] if given else [beside] if beside.exists() else []
    check = EvidenceCheck("signature", problem=signing_problem(artifact, keys, detached))
    return attrs.evolve(found, checks=(*found.checks, check))


@click.command()
@click.argument("artifacts", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
@click.option("--key", required=True, metavar="KEY", help="A private key: a PEM file, or env:NAME.")
@click.option("--detached", is_flag=True, help="Write ARTIFACT.sig and leave the artifact as it is.")
@json_option
def sign(artifacts: tuple[str, ...], key: str, detached: bool, as_json: bool) -> None:
    """Sign ARTIFACTS with an Ed25519 key, inside the file beside the seal or in a file of its own.

    `paxman verify --signed-by` and `python -m paxman.verifier` check signatures. An artifact that was changed is not
    signed. A new signature by the same key takes the place of the old one; those by other keys stay.
    """
    written = []
    for path in map(Path, artifacts):
        artifact = load_artifact(path)
        refuse_changed(artifact)
        if detached:
            target = path.with_name(f"{path.name}.sig")
            text = json.dumps(make_signature(artifact, key), sort_keys=True)
        else:
            target, text = path, sign_artifact(artifact, key).to_json()
        replace_file(target, text + "\n")
        written.append(str(target))
    if as_json:
        echo_json({"signed": written})
    for name in () if as_json else written:
        line(f"signed: {name}")


@click.command()
@click.argument("path", type=click.Path(dir_okay=False))
@json_option
def keygen(path: str, as_json: bool) -> None:
    """Make a private key in the new file PATH, which only you can read, and its public key in PATH.pub."""
    try:
        public = make_keys(Path(path))
    except FileExistsError:
        raise click.UsageError(f"{path} is there already; a key is never overwritten") from None
    if as_json:
        echo_json({"private": path, "public": str(public)})
        return
    line(f"keep to yourself: {path}")
    line(f"give to those who verify: {public}")


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
