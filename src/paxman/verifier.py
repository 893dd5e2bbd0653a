"""An offline check of a stored artifact, in one file that can be copied: the standard library and `cryptography`.

python -m paxman.verifier ARTIFACT --signed-by PUBLIC.pem [--source DOCUMENT]
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

ALGORITHM = "Ed25519"
_BESIDE = ("seal", "signatures")
_OUTSIDE = ("id", "created_at", "timings", "metadata", "replay_hash", *_BESIDE)
_PEM = re.compile(rb"-----BEGIN PUBLIC KEY-----.*?-----END PUBLIC KEY-----", re.DOTALL)
_BASES = "name shape model relation lesson stand_in likeness wording place memory open answer".split()
_BANDS = ((95, "CERTAIN"), (80, "HIGH"), (60, "MEDIUM"), (30, "LOW"), (0, "UNTRUSTED"))
_WITHOUT_INPUTS = "1"
"""The version of the format that did not store what confidences were counted from."""

FORMS = {
    "artifact": "capability_versions:texts contract_hash:text contract_id:text created_at:text diagnostics:note* "
    "evidence:reference* execution_plan:plan field_results:result* id:text input_content_hash:text metadata:object "
    "normalized_data:object paxman_version:text planner_version:text replay_hash:text replay_version:text "
    "root-:text seal:text signatures-:signatures statistics:statistics status:text timings:object "
    "unresolved_fields:text*",
    "result": "confidence:number confidence_band:text confidence_evidence-:counted? cost:cost diagnostics:note* "
    "evidence_refs:whole* field_id:text field_path:text field_type_name:text origin:text? required:flag rows-:ledger "
    "shape:any status:state truth_layer:text value:any",
    "counted": "agreeing_candidates:whole cap:number? capability_sources:whole conflict:flag evidence_refs:whole "
    "validation_passed:flag",
    "ledger": "expected:whole expected_by:text found:whole lines:wholes rejected:whole unaccounted:text* unbound:text*",
    "cost": "invocations:whole tokens:whole usd:amount",
    "statistics": "cost_usd:amount fields:whole invocations:whole remote_calls:whole resolved:whole tokens:whole "
    "unresolved:whole",
    "note": "code:text context:object field_path:text? message:text severity:severity",
    "reference": "basis:basis capability_id:text capability_version:text detail:text? field_path:text model_id:text? "
    "quote:text? quote_hash:text? role:role source:address? span:span? transforms:text*",
    "plan": "contract_id:text cost_cap:amount? diagnostics:omission* estimated_cost:hint fields:chain* "
    "input_content_hash:text order:whole* page_tokens-:whole planner_version:text",
    "chain": "capability_chain:step* depends_on:text* early_stop:flag fallback_policy:text field_id:text "
    "target_confidence:number",
    "step": "always-:flag capability_id:text capability_version:text config:config cost:hint note:text rides-:text "
    "score:text step:text",
    "config": "formula-:text lessons-:text lexicon-:text* model-:text provider-:text regex-:text",
    "hint": "ms:whole tokens:whole usd:amount",
    "omission": "capability_id:text? code:text field_path:text? message:text",
}
"""What a stored artifact consists of: `-` may be left out, `?` may be null, `*` is a list."""


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


def misfit(form: str, value: Any, where: str = "") -> str:
    """The first place of a value that has another form than FORMS says; nothing if there is none."""
    if form.endswith("?"):
        return misfit(form[:-1], value, where) if value is not None else ""
    if form.endswith("*") and isinstance(value, list):
        found = (misfit(form[:-1], each, f"{where}/{number}") for number, each in enumerate(value))
        return next(filter(None, found), "")
    if form in FORMS and isinstance(value, dict):
        return next(_misfits(FORMS[form], value, where), "")
    return "" if form in _TESTS and _TESTS[form](value) else where or "/"


def _misfits(members: str, value: dict[str, Any], where: str) -> Iterator[str]:
    pairs = [member.split(":") for member in members.split()]
    known = {name.rstrip("-"): form for name, form in pairs}
    needed = [name for name, _ in pairs if not name.endswith("-")]
    for name in (*needed, *value):
        if name not in known or name not in value:
            yield f"{where}/{name}"
        elif found := misfit(known[name], value[name], f"{where}/{name}"):
            yield found


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not isinstance(value, Number)


def _is_whole(value: Any) -> bool:
    return value.isdigit() if isinstance(value, Number) else type(value) is int and value >= 0


def _is_number(value: Any) -> bool:
    return isinstance(value, Number) or type(value) in (int, float)


def _is_address(value: Any) -> bool:
    """An address names its kind and gives texts and numbers, or an address within it."""
    if not isinstance(value, dict) or not _is_text(value.get("kind")):
        return False
    lines = value.get("lines", [])
    boxes = [value.get("box", []), *(lines if isinstance(lines, list) else [None])]
    others = [each for name, each in value.items() if name not in ("box", "lines")]
    plain = all(each is None or isinstance(each, str) or _is_number(each) or _is_address(each) for each in others)
    return plain and all(isinstance(box, list) and all(map(_is_number, box)) for box in boxes)


_TESTS: dict[str, Callable[[Any], bool]] = {
    "any": lambda value: True,
    "text": _is_text,
    "whole": _is_whole,
    "number": _is_number,
    "flag": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
    "texts": lambda value: isinstance(value, dict) and all(map(_is_text, value.values())),
    "wholes": lambda value: isinstance(value, dict) and all(map(_is_whole, value.values())),
    "amount": lambda value: (
        _is_text(value) and re.fullmatch(r"[0-9]+(\.[0-9]+)?(E[+-]?[0-9]{1,3})?", value) is not None
    ),
    "signatures": lambda value: isinstance(value, list) and value != [] and all(isinstance(e, dict) for e in value),
    "address": _is_address,
    "span": lambda value: isinstance(value, list) and len(value) == 2 and all(map(_is_number, value)),
    "state": lambda value: value in ("RESOLVED", "UNRESOLVED"),
    "severity": lambda value: value in ("INFO", "WARNING", "ERROR"),
    "role": lambda value: value in ("supporting", "rejected", "context"),
    "basis": lambda value: _is_text(value) and value in _BASES,
}


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
    known = [each for each in signatures if isinstance(each, dict) and str(each.get("key_id")) in keys]
    if not known:
        named = ", ".join(sorted({str(each.get("key_id")) for each in signatures if isinstance(each, dict)}))
        return f"it is signed by {named or 'nobody'}, which is none of the given keys ({', '.join(sorted(keys))})"
    for each in known:
        try:
            if each.get("algorithm") == ALGORITHM:
                keys[str(each["key_id"])].verify(base64.b64decode(each["signature"], validate=True), message)
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
        yield from _inside(data)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, ArithmeticError, RecursionError) as error:
        yield f"this is no artifact: {error}"
        return
    if not reformatted and text not in (own, own + b"\n"):
        yield "the bytes are not those that Paxman writes; --reformatted accepts a copy that says the same"
    if keys is not None and (problem := _signing_problem(data, keys, detached)):
        yield problem
    if source is not None and hashlib.sha256(source).hexdigest() != data["input_content_hash"]:
        yield "this is not the document that the artifact was made from"


def _signing_problem(data: dict[str, Any], keys: dict[str, Any], detached: bytes | None) -> str:
    try:
        extra = [] if detached is None else [json.loads(detached)]
    except (ValueError, RecursionError):
        return "the detached signature cannot be read"
    return signature_problem(signed_bytes(data), [*data.get("signatures", []), *extra], keys)


def _inside(data: dict[str, Any]) -> Iterator[str]:
    """What an artifact must agree on with itself: form, seal, hash, values, counts and confidences."""
    if hashlib.sha256(without(data, _BESIDE)).hexdigest() != data["seal"]:
        yield "it was changed after it was sealed"
    if hashlib.sha256(without(data, _OUTSIDE)).hexdigest() != data["replay_hash"]:
        yield "its content is not the one that was hashed"
    if wrong := misfit("artifact", data):
        raise ValueError(f"{wrong} is not what stands there in one")
    if not _is_told_alike(data):
        yield "its data or evidence are not those of its fields"
    yield from (": ".join(filter(None, pair)) for pair in disagreements(data))
    if data["replay_version"] != _WITHOUT_INPUTS:
        for result in data["field_results"]:
            if result["origin"] != "REVIEWED" and not _adds_up(result):
                yield f"{result['field_path']}: the rubric does not give this confidence"


def _is_told_alike(data: dict[str, Any]) -> bool:
    """Whether what is stored for reading is what the fields have: the data, what is missing, the evidence."""
    results = data["field_results"]
    values: dict[str, Any] = {}
    for result in results:
        if result["status"] == "RESOLVED" or result["required"]:
            *parents, name = result["field_path"].split(".")
            within = values
            for parent in parents:
                within = within.setdefault(parent, {})
            within[name] = result["value"]
    missing = [result["field_path"] for result in results if result["status"] == "UNRESOLVED"]
    numbers = dict.fromkeys(int(number) for result in results for number in result["evidence_refs"])
    once = {canonical(reference) for reference in data["evidence"]}
    return (canonical(values), missing, list(numbers), len(once)) == (
        canonical(data["normalized_data"]),
        data["unresolved_fields"],
        list(range(len(data["evidence"]))),
        len(data["evidence"]),
    )


def disagreements(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Where status, counts, cost, notes and plan do not follow from the fields; with the field, if it is one."""
    results, plan, counts = data["field_results"], data["execution_plan"], data["statistics"]
    if data["status"] not in _statuses(data):
        yield "", f"its fields do not make it a {data['status']}"
    steps = [step for each in plan["fields"] for step in each["capability_chain"]]
    if not _count_up(counts, results, steps):
        yield "", "its counts are not those of its fields"
    if Decimal(counts["cost_usd"]) != sum(Decimal(each["cost"]["usd"]) for each in results):
        yield "", "its cost is not the sum of what its fields cost"
    ids = [(each["field_id"], f"{data['contract_id']}:{each['field_path']}") for each in results]
    if [(each["field_id"], each["field_id"]) for each in plan["fields"]] != ids:
        yield "", "its fields are not those of its plan"
    heads = [plan["contract_id"], plan["input_content_hash"], plan["planner_version"]]
    versions = {step["capability_id"]: step["capability_version"] for step in steps}
    if [*heads, versions] != [data[name] for name in _PLANNED]:
        yield "", "its plan is that of another artifact"
    models = {step["config"].get("model") for step in steps} | {None}
    if any(each["model_id"] not in models for each in data["evidence"]):
        yield "", "it names a model that its plan does not"
    known = [canonical(note) for note in data["diagnostics"]]
    for each in results:
        if any(canonical(note) not in known for note in each["diagnostics"]):
            yield each["field_path"], "a note on it is missing among those of the artifact"
        if "rows" in each and int(each["rows"]["found"]) != len(each["value"] or ()):
            yield each["field_path"], "its ledger counts other rows than it has"
        if each["status"] == "UNRESOLVED" and (each["value"], each["origin"]) != (None, None):
            yield each["field_path"], "it is unresolved and has a value"


def _count_up(counts: dict[str, Any], results: list[Any], steps: list[Any]) -> bool:
    """Whether the counts are sums over the fields; calls of models may be shared and repeated."""
    missing = sum(result["status"] == "UNRESOLVED" for result in results)
    tokens, calls = (sum(int(each["cost"][name]) for each in results) for name in ("tokens", "invocations"))
    told = [int(counts[name]) for name in ("fields", "resolved", "unresolved", "tokens")]
    if told != [len(results), len(results) - missing, missing, tokens]:
        return False
    models = {step["step"] for step in steps if "provider" in step["config"]}
    return int(counts["remote_calls"]) <= int(counts["invocations"]) * ("REMOTE_INFERENCE" in models) and (
        bool(models) or int(counts["invocations"]) == calls
    )


_PLANNED = ("contract_id", "input_content_hash", "planner_version", "capability_versions")


def _statuses(data: dict[str, Any]) -> set[str]:
    """What the status may be. Whether a missing required value is acceptable, the caller's policy says."""
    results = data["field_results"]
    missing = [result["required"] for result in results if result["status"] == "UNRESOLVED"]
    own = [note for result in results for note in result["diagnostics"]]
    notes = own if any(note["code"] == "REVIEWED" for note in own) else data["diagnostics"]
    said = {(note["code"], note["severity"]) for note in notes}
    if ("NO_CONTRACT_FITS", "ERROR") in said:
        return {"UNRESOLVED"}
    if any(missing):
        return {"UNRESOLVED", "PARTIAL_SUCCESS"}
    if data["replay_version"] == _WITHOUT_INPUTS:
        return {"SUCCESS", "PARTIAL_SUCCESS"}
    lost = said & _LOSSES or any(_is_open(result["rows"]) for result in results if "rows" in result)
    return {"PARTIAL_SUCCESS" if missing or lost else "SUCCESS"}


def _is_open(rows: dict[str, Any]) -> bool:
    """Whether not every line that rows were read from is accounted for."""
    found, rejected, expected = (int(rows[name]) for name in ("found", "rejected", "expected"))
    return found + rejected != expected or bool(rejected or rows["unbound"] or int(rows["lines"].get("unaccounted", 0)))


_LOSSES = {("ROW_REJECTED", "WARNING"), ("ROW_REJECTED", "ERROR"), ("VALIDATION_FAILED", "ERROR")}


def _adds_up(result: dict[str, Any]) -> bool:
    """Whether the rubric gives the stored confidence from its stored inputs; without a value there is none."""
    inputs = result["confidence_evidence"]
    if result["status"] == "UNRESOLVED" or result["origin"] == "DEFAULT":
        return inputs is None and float(result["confidence"]) == 0 and result["confidence_band"] == "UNTRUSTED"
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
    import argparse

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
