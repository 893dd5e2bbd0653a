"""`paxman replay` and `paxman verify`: does a stored artifact stand up?"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from paxman.cli.app import FAILURE, OK
from paxman.cli.options import contract_option, json_option, load_contract, one_input, settings_options
from paxman.cli.output import echo_json, line
from paxman.config import Settings

_ARTIFACT = click.Path(exists=True, dir_okay=False)


@click.command()
@click.argument("artifact", type=_ARTIFACT)
@contract_option
@settings_options
@json_option
def replay(artifact: str, contract: str | None, settings: Settings, as_json: bool) -> None:
    """Check an artifact's hash, versions, capabilities and contract. Computes nothing anew."""
    from paxman.api.normalize import replay as run

    loaded = run(Path(artifact), load_contract(contract, settings))
    if as_json:
        echo_json({"verified": True, "replay_hash": loaded.replay_hash, "data": loaded.normalized_data})
    else:
        line(f"verified: {loaded.contract_id}, {loaded.status.value}, hash {loaded.replay_hash}")


@click.command()
@click.argument("artifact", type=_ARTIFACT)
@click.argument("source", type=click.Path())
@contract_option
@click.option("--strict", is_flag=True, help="Run the deterministic steps again and compare; needs the contract.")
@settings_options
@json_option
def verify(artifact: str, source: str, contract: str | None, strict: bool, settings: Settings, as_json: bool) -> None:
    """Check the hash, the contract if it is given, and every span and transform against the document SOURCE.

    --strict needs the settings that the artifact was made with: locale, floor and what else decides about values.
    """
    from paxman.api.verification import verify as run

    canonical = load_contract(contract, settings) if contract or settings["contract"] or strict else None
    document = one_input(source)
    found = run(Path(artifact), document, canonical, strict=strict, budget=settings.budget, policy=settings.policy)
    if as_json:
        echo_json(found.to_dict())
    else:
        for check in found.problems:
            line(f"wrong: {check.field_path or check.what}: {check.problem}")
        line(
            f"{'verified' if found.passed else 'not verified'}: {len(found.checks)} checks, {len(found.problems)} wrong"
        )
    sys.exit(OK if found.passed else FAILURE)
