"""Signing artifacts: Ed25519 over their canonical bytes, with keys that are named and never stored."""

from __future__ import annotations

import base64
import json
import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs

from paxman.artifact.artifact import ExecutionArtifact
from paxman.errors import ConfigurationError, HashMismatchError, need
from paxman.verifier import ALGORITHM, key_id, parse, public_keys, signature_problem, signed_bytes

_ENVIRONMENT = "env:"


def sign(artifact: ExecutionArtifact, key: str) -> ExecutionArtifact:
    """The artifact with a signature by the key beside its seal, in place of an earlier one by the same key."""
    signature = make_signature(artifact, key)
    others = [each for each in artifact.signatures if each.get("key_id") != signature["key_id"]]
    return attrs.evolve(artifact, signatures=(*others, signature))


def make_signature(artifact: ExecutionArtifact, key: str) -> dict[str, str]:
    """A signature to keep beside the artifact."""
    refuse_changed(artifact)
    private = private_key(key)
    signed = base64.b64encode(private.sign(_message(artifact))).decode()
    return {"algorithm": ALGORITHM, "key_id": key_id(private.public_key().public_bytes_raw()), "signature": signed}


def refuse_changed(artifact: ExecutionArtifact) -> None:
    """Nobody vouches for what was changed since it was made."""
    if artifact.stored_digest or artifact.reformatted or artifact.computed_hash() != artifact.replay_hash:
        raise HashMismatchError("the artifact was changed after it was made; it is not signed")


def signing_problem(artifact: ExecutionArtifact, keys: Sequence[str], detached: Sequence[Path | str] = ()) -> str:
    """Why none of these public keys vouches for the artifact; nothing if one does."""
    need("cryptography", "sign")
    pem = b"\n".join(_key_bytes(key, private=False) for key in keys)
    try:
        known = public_keys(pem)
        extra = [json.loads(Path(path).read_bytes()) for path in detached]
    except ValueError as error:
        raise ConfigurationError(str(error)) from None
    return signature_problem(_message(artifact), [*map(dict, artifact.signatures), *extra], known)


def make_keys(path: Path) -> Path:
    """A new private key that only its owner can read, and its public key beside it."""
    need("cryptography", "sign")
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

    private, public = Ed25519PrivateKey.generate(), path.with_name(f"{path.name}.pub")
    shown = private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    hidden = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(hidden)
    public.write_bytes(shown)
    return public


def sign_file(path: Path, key: str) -> None:
    """Sign the artifact in a file, unless the key has signed it already; the file is replaced whole."""
    artifact = ExecutionArtifact.from_json(path.read_bytes())
    signed = sign(artifact, key)
    if signed.signatures != artifact.signatures:
        replace_file(path, signed.to_json())


def replace_file(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    draft = path.with_name(f".{path.name}.part")
    draft.write_text(text, "utf-8")
    os.replace(draft, path)


def _message(artifact: ExecutionArtifact) -> bytes:
    return signed_bytes(parse(artifact.to_json().encode()))


def private_key(reference: str) -> Any:
    """The key that a reference names; raises where it cannot be used."""
    need("cryptography", "sign")
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(_key_bytes(reference, private=True), password=None)
    except (ValueError, TypeError):
        key = None  # what was wrong may quote the key
    if not isinstance(key, Ed25519PrivateKey):
        raise ConfigurationError(f"{reference} holds no Ed25519 private key in PEM without a password")
    return key


def _key_bytes(reference: str, *, private: bool) -> bytes:
    """The text of a key, from a file or from a variable of the environment (`env:NAME`)."""
    if reference.startswith(_ENVIRONMENT):
        found = os.environ.get(reference.removeprefix(_ENVIRONMENT))
        if not found:
            raise ConfigurationError(f"{reference}: there is no such variable, or it is empty")
        return found.replace("\\n", "\n").encode()
    try:
        if private:
            # A private key that others can read may be theirs by now.
            path = Path(reference)
            mode = path.stat().st_mode
            if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise ConfigurationError(f"{path} can be read by others; keep it to yourself: chmod 600 {path}")
        return Path(reference).read_bytes()
    except OSError as error:
        raise ConfigurationError(f"{reference}: {error.strerror or error}") from None
