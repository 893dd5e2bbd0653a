"""An offline check of a stored artifact, in one file that can be copied: the standard library and `cryptography`.

python -m paxman.verifier ARTIFACT --signed-by PUBLIC.pem [--source DOCUMENT]
"""

from __future__ import annotations

import argparse
import base64
import binascii
import hashlib
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ALGORITHM = "Ed25519"
_BESIDE = ("seal", "signatures")
_OUTSIDE = ("id", "created_at", "timings", "metadata", "replay_hash", *_BESIDE)
_PEM = re.compile(rb"-----BEGIN PUBLIC KEY-----.*?-----END PUBLIC KEY-----", re.DOTALL)
_BANDS = ((95, "CERTAIN"), (80, "HIGH"), (60, "MEDIUM"), (30, "LOW"), (0, "UNTRUSTED"))


class Number(str):
    """A number as it is written: 1 and 1.0 are not the same bytes."""


def parse(text: bytes) -> dict[str, Any]:
    """The object that the bytes hold; ValueError for anything that can be read in two ways."""
    data = json.loads(
        text.decode("utf-8"),
        object_pairs_hook=_members,
        parse_int=Number,
        parse_float=Number,
        parse_constant=_refuse,
    )
    if not isinstance(data, dict):
        raise ValueError("this is no JSON object")
    return data


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key stands twice")
    return members


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is no number of JSON")


def canonical(value: Any) -> str:
    """Canonical JSON (RFC 8785) of what `parse` gave; numbers stay as they are written."""
    if isinstance(value, dict):
        keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{_quoted(key)}:{canonical(value[key])}" for key in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return str(value) if isinstance(value, Number) else _quoted(value)


def _quoted(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def without(data: dict[str, Any], names: Sequence[str]) -> bytes:
    """The canonical bytes of an artifact but for some members."""
    return canonical({name: value for name, value in data.items() if name not in names}).encode("utf-8")


def signed_bytes(data: dict[str, Any]) -> bytes:
    """What a signature is over: the canonical bytes of the whole artifact, with its seal, without signatures."""
    return without(data, ("signatures",))


def key_id(public: bytes) -> str:
    """The name of a key: the first 32 hexadecimal digits of the SHA-256 of its 32 bytes."""
    return hashlib.sha256(public).hexdigest()[:32]


def public_keys(pem: bytes) -> dict[str, Any]:
    """The public keys in PEM text, by their ids; a file may hold several, so that keys can be changed."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    found = [load_pem_public_key(block) for block in _PEM.findall(pem)]
    if not found or not all(isinstance(key, Ed25519PublicKey) for key in found):
        raise ValueError("a public key is Ed25519 in PEM (-----BEGIN PUBLIC KEY-----)")
    return {key_id(key.public_bytes_raw()): key for key in found if isinstance(key, Ed25519PublicKey)}


def signature_problem(message: bytes, signatures: Sequence[Any], keys: dict[str, Any]) -> str:
    """Why no signature by one of the keys vouches for the message; nothing if one does."""
    from cryptography.exceptions import InvalidSignature

    if not signatures:
        return "it is not signed"
    known = [each for each in signatures if isinstance(each, dict) and each.get("key_id") in keys]
    if not known:
        named = ", ".join(sorted({str(each.get("key_id")) for each in signatures if isinstance(each, dict)}))
        return f"it is signed by {named or 'nobody'}, which is none of the given keys ({', '.join(sorted(keys))})"
    for each in known:
        try:
            if each.get("algorithm") == ALGORITHM:
                keys[each["key_id"]].verify(base64.b64decode(each["signature"], validate=True), message)
                return ""
        except (InvalidSignature, binascii.Error, KeyError, TypeError, ValueError):
            continue
    return f"the signature by {known[0]['key_id']} is not over these bytes: they were changed, or it is forged"


def problems(
    text: bytes,
    keys: dict[str, Any] | None = None,
    detached: bytes | None = None,
    source: bytes | None = None,
    reformatted: bool = False,
) -> Iterator[str]:
    """Everything that is wrong with a stored artifact."""
    try:
        data = parse(text)
        own = canonical(data).encode("utf-8")
        extra = [] if detached is None else [json.loads(detached)]
        yield from _inside(data)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        yield f"this is no artifact: {error}"
        return
    if not reformatted and text not in (own, own + b"\n"):
        yield "the bytes are not those that Paxman writes; --reformatted accepts a copy that says the same"
    if keys is not None:
        problem = signature_problem(signed_bytes(data), [*data.get("signatures", []), *extra], keys)
        if problem:
            yield problem
    if source is not None and hashlib.sha256(source).hexdigest() != data["input_content_hash"]:
        yield "this is not the document that the artifact was made from"


def _inside(data: dict[str, Any]) -> Iterator[str]:
    """What an artifact must agree on with itself: seal, hash, values and confidences."""
    if hashlib.sha256(without(data, _BESIDE)).hexdigest() != data["seal"]:
        yield "it was changed after it was sealed"
    if hashlib.sha256(without(data, _OUTSIDE)).hexdigest() != data["replay_hash"]:
        yield "its content is not the one that was hashed"
    for result in data["field_results"]:
        if result.get("confidence_evidence") and not _adds_up(result):
            yield f"{result['field_path']}: the rubric does not give this confidence"


def _adds_up(result: dict[str, Any]) -> bool:
    """Whether the rubric gives the stored confidence from its stored inputs."""
    inputs = result["confidence_evidence"]
    counts = {name: int(inputs[name]) for name in ("agreeing_candidates", "evidence_refs", "capability_sources")}
    total = 50 + 10 * min(counts["agreeing_candidates"], 3) + 5 * min(counts["evidence_refs"], 5)
    total += 5 * min(counts["capability_sources"], 3)
    total += (10 if inputs["validation_passed"] else 0) - (15 if inputs["conflict"] else 0)
    most = 100 if inputs["cap"] is None else round(100 * float(inputs["cap"]))
    given = max(0, min(total, most, 100))
    band = next(band for floor, band in _BANDS if given >= floor)
    return given == round(100 * float(result["confidence"])) and band == result["confidence_band"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is wrong; 0 if nothing is, 1 if something is, 2 if a file cannot be read."""
    parser = argparse.ArgumentParser(prog="paxman.verifier", description="Check a stored Paxman artifact, offline.")
    parser.add_argument("artifact", type=Path)
    parser.add_argument("--signed-by", type=Path, action="append", metavar="PUBLIC.pem", help="keys that may vouch")
    parser.add_argument("--signature", type=Path, help="a detached signature (default: ARTIFACT.sig if it is there)")
    parser.add_argument("--source", type=Path, help="the document that the artifact was made from")
    parser.add_argument("--reformatted", action="store_true", help="accept a copy that says the same in other bytes")
    given = parser.parse_args(arguments)
    beside = given.artifact.with_name(f"{given.artifact.name}.sig")
    signature = given.signature or (beside if given.signed_by and beside.exists() else None)
    try:
        pem = b"\n".join(path.read_bytes() for path in given.signed_by or ())
        found = list(
            problems(
                given.artifact.read_bytes(),
                public_keys(pem) if given.signed_by else None,
                signature.read_bytes() if signature else None,
                given.source.read_bytes() if given.source else None,
                given.reformatted,
            )
        )
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except ImportError:
        print("error: signatures need the package cryptography: pip install cryptography", file=sys.stderr)
        return 2
    for problem in found:
        print(f"wrong: {problem}")
    what = "signature and content" if given.signed_by else "content (not who wrote it: name a key with --signed-by)"
    print(f"{'not verified' if found else 'verified'}: {what}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
