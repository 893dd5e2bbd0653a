"""`paxman sign` and `paxman keygen`: vouching for artifacts."""

from __future__ import annotations

import json
from pathlib import Path

import click

from paxman.artifact.replay import load_artifact
from paxman.artifact.signing import make_keys, make_signature, refuse_changed, replace_file
from paxman.artifact.signing import sign as sign_artifact
from paxman.cli.options import json_option
from paxman.cli.output import echo_json, line


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
