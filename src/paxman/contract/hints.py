"""Paxman's own keys on a field and on a contract: the same in the Dict DSL, in `x-paxman` and on Pydantic fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from paxman.budget import CurrencyPolicy, to_floor
from paxman.contract.drafts import Draft, Findings, KeyPath, Rule, did_you_mean
from paxman.contract.model import ContractPolicy
from paxman.contract.patterns import compile_lookaround, compile_pattern, looks_around
from paxman.types import IDENTIFIER, Check, Derive, Fallback, FieldType, Labels, Lookup, Tags, thaw

HINTS = (
    "type",
    "description",
    "tags",
    "semantic_tags",
    "labels",
    "constraints",
    "confidence_threshold",
    "fallback",
    "fallback_policy",
    "lookup",
    "derive",
    "default",
    "text_form",
)


def read_hints(draft: Draft, raw: Mapping[str, Any], findings: Findings) -> None:
    """Take the keys that mean the same wherever they stand into the draft."""
    for key, (fits, code, told, hint) in _PLAIN.items():
        if key in raw and fits(raw[key]):
            setattr(draft, key, raw[key])
        elif key in raw:
            findings.error(code, draft.at(key), f"{told}, not {raw[key]!r}.", hint)
    for key in ("tags", "semantic_tags"):
        if key in raw:
            _read_tags(draft, raw[key], key, findings)
    if "labels" in raw:
        labels = raw["labels"]
        if isinstance(labels, list | tuple) and all(isinstance(word, str) and word.strip() for word in labels):
            draft.labels = unique(draft.labels + tuple(labels))
        else:
            hint = 'Write "labels": ["Total", "Amount due"].'
            message = "labels are a list of texts that are not empty."
            findings.error("INVALID_FIELD", draft.at("labels"), message, hint)
    if "constraints" in raw:
        draft.rules += read_rules(raw["constraints"], draft.at("constraints"), findings)
    if raw.get("confidence_threshold") is not None:
        try:
            draft.confidence_threshold = to_floor(raw["confidence_threshold"])
        except ValueError as error:
            findings.error("INVALID_CONFIDENCE_FLOOR", draft.at("confidence_threshold"), f"{error}.")
    for key in ("fallback", "fallback_policy"):
        if key not in raw:
            continue
        try:
            draft.fallback, draft.fallback_key = Fallback(raw[key]), key
        except ValueError:
            known = ", ".join(fallback.value for fallback in Fallback)
            message = f"{raw[key]!r} is not a fallback."
            findings.error("INVALID_FIELD", draft.at(key), message, f"Use one of {known}.")
    if "lookup" in raw:
        _read_lookup(draft, raw["lookup"], findings)


def read_markers(draft: Draft, metadata: Iterable[Any], findings: Findings) -> None:
    """Take what stands in `Annotated` for Paxman into the draft, as if it were written under `x-paxman`."""
    for marker in metadata:
        if isinstance(marker, Check):
            params = {"expr": marker.expr} | ({} if marker.tolerance is None else {"tolerance": marker.tolerance})
            draft.rules.append(Rule("check", params, draft.place, native=True))
        else:
            read_hints(draft, marker_hints(marker), findings)


def marker_hints(marker: Any) -> Mapping[str, Any]:
    """What one marker says, with the keys of `x-paxman`; nothing for what is no marker of ours."""
    if isinstance(marker, Lookup):
        given = {"from" if name == "of" else name: value for name, value in attrs.asdict(marker, recurse=False).items()}
        return {"lookup": {name: thaw(value) for name, value in given.items() if value is not None}}
    if isinstance(marker, Derive):
        return {"derive": str(marker)}
    key = {Labels: "labels", Tags: "tags"}.get(type(marker))
    return {key: tuple(marker)} if key else {}


def read_type(raw: Any, place: KeyPath, findings: Findings) -> FieldType | None:
    known = [kind.value for kind in FieldType]
    name = raw.value if isinstance(raw, FieldType) else raw
    if name in known:
        return FieldType(name)
    guess = did_you_mean(str(name).upper(), known)
    findings.error("UNKNOWN_FIELD_TYPE", place, f"{name!r} is not a type.", f"Use one of {', '.join(known)}.{guess}")
    return None


def unique(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def _read_tags(draft: Draft, raw: Any, key: str, findings: Findings) -> None:
    if not isinstance(raw, list | tuple):
        hint = f'Write "{key}": ["organization"].'
        findings.error("INVALID_SEMANTIC_TAG", draft.at(key), f"tags are a list, not {raw!r}.", hint)
        return
    for index, tag in enumerate(raw):
        place = draft.at(key) / index
        if isinstance(tag, str) and tag.startswith("regex:"):
            check_regex(tag.removeprefix("regex:"), place, findings)
        elif not (isinstance(tag, str) and IDENTIFIER.match(tag)):
            hint = "Use a word such as organization, vat_id or date-time, or regex:<pattern>."
            findings.error("INVALID_SEMANTIC_TAG", place, f"{tag!r} is not a tag.", hint)
    draft.tags = unique(draft.tags + tuple(tag for tag in raw if isinstance(tag, str)))


def check_regex(regex: Any, place: KeyPath, findings: Findings, *, searched: bool = True) -> bool:
    """Whether a pattern compiles; if not, say why. One that looks around is only good for checking a value."""
    try:
        if not isinstance(regex, str) or not regex:
            raise ValueError(f"a pattern is a text that is not empty, not {regex!r}")
        if not searched and looks_around(regex):
            compile_lookaround(regex)
            findings.warn(place, "a pattern with lookaround or backreferences is checked, but not searched for.")
        else:
            compile_pattern(regex)
    except ValueError as error:
        large = "too large" in str(error)
        hint = "Patterns follow RE2: no lookaround and no backreferences."
        hint = "Make its counted repetitions smaller, or use * and +." if large else hint
        findings.error("INVALID_REGEX_PATTERN", place, f"{error}.", hint)
        return False
    return True


def read_rules(raw: Any, place: KeyPath, findings: Findings) -> list[Rule]:
    """Constraints as written, in the form {"kind": ..., "params": {...}}."""
    if not isinstance(raw, list | tuple):
        hint = 'Write [{"kind": "min_length", "params": {"min": 1}}].'
        findings.error("INVALID_CONSTRAINT", place, f"constraints are a list, not {raw!r}.", hint)
        return []
    rules = list[Rule]()
    for index, item in enumerate(raw):
        at = place / index
        if not isinstance(item, Mapping):
            findings.error("INVALID_CONSTRAINT", at, f"a constraint has a kind and params, {item!r} does not.")
            continue
        findings.unknown_keys(item, ("kind", "params"), at)
        kind, params = item.get("kind"), item.get("params", {})
        if not isinstance(kind, str):
            findings.error("UNKNOWN_CONSTRAINT_KIND", at / "kind", "a constraint needs the name of its kind.")
        elif not isinstance(params, Mapping):
            findings.error("INVALID_CONSTRAINT", at / "params", f"params are a mapping, not {params!r}.")
        else:
            rules.append(Rule(kind, params, at))
    return rules


def _read_lookup(draft: Draft, raw: Any, findings: Findings) -> None:
    place = draft.at("lookup")
    if not isinstance(raw, Mapping):
        findings.error("INVALID_FIELD", place, f"a lookup is a mapping with a source, not {raw!r}.", _LOOKUP_HINT)
        return
    findings.unknown_keys(raw, ("source", "table", "from", "key", "value", "threshold", "password"), place)
    problems = [name for name, fits in _LOOKUP_CHECKS.items() if name in raw and not fits(raw[name])]
    for name in problems if "source" in raw else ["source", *problems]:
        value = raw.get(name)
        # What may hold a password is not repeated.
        hidden = name == "password" or (isinstance(value, str) and "://" in value)
        shown = "a password that is written out" if hidden else repr(value)
        findings.error("INVALID_FIELD", place / name, f"{shown} does not fit here.", _LOOKUP_HINT)
    draft.lookup = raw


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_reference(value: Any) -> bool:
    return _is_word(value) and value.startswith("env:") and len(value) > len("env:")


def _is_source(value: Any) -> bool:
    """Whether it is a mapping, or a path or URL without a password in it that is no reference."""
    if not _is_word(value):
        return isinstance(value, Mapping)
    address, _, query = value.partition("://")[2].partition("?")
    login, at, _ = address.rpartition("@")
    _, colon, password = login.partition(":")
    options = (option.partition("=") for option in query.split("&"))
    secrets = [value for name, _, value in options if "pass" in name.lower() or name.lower() in ("pwd", "token")]
    secrets += [password] if at and colon else []
    return all(not secret or _is_reference(secret) for secret in secrets)


_LOOKUP_HINT = (
    'A lookup has a "source" (a mapping, the path of a CSV, SQLite or DuckDB file, or the URL of a database), "table", '
    '"from" (the field that holds the key), "key" and "value" (columns) and "threshold" (how like a key must be, up to '
    '100; 90 if not given); a password is named as "env:NAME".'
)
_LOOKUP_CHECKS: dict[str, Callable[[Any], bool]] = {
    "source": _is_source,
    "from": _is_word,
    "key": _is_word,
    "value": _is_word,
    "threshold": lambda value: not isinstance(value, bool) and isinstance(value, int | float) and 1 < value <= 100,
    "table": _is_word,
    "password": _is_reference,
}
_PLAIN: dict[str, tuple[Callable[[Any], bool], str, str, str]] = {
    "description": (lambda raw: isinstance(raw, str), "INVALID_FIELD", "a description is text", ""),
    "derive": (_is_word, "INVALID_DERIVATION", "a derivation is text", 'Write a formula, such as "total - net".'),
    "text_form": (lambda raw: isinstance(raw, bool), "INVALID_FIELD", "text_form is true or false", ""),
    "default": (lambda raw: True, "", "", ""),
}


def read_identity(raw: Mapping[str, Any], otherwise: str, place: KeyPath, findings: Findings) -> dict[str, Any]:
    """The id and the version of a contract, as parts of its draft."""
    name, version = raw.get("id", otherwise), raw.get("version", "1")
    if not isinstance(name, str) or not name.strip():
        findings.error("MISSING_CONTRACT_ID", place / "id", "an id is a text that is not empty.")
    # A version has a digit and no spaces: 1, 1.2.0, v3, 2024-05.
    if not isinstance(version, str) or not any(map(str.isdigit, version)) or any(map(str.isspace, version)):
        hint = 'Write it as text, such as "1" or "1.2".'
        findings.error("INVALID_VERSION", place / "version", f"{version!r} is not a version.", hint)
    return {"id": str(name), "version": version}


def read_settings(raw: Mapping[str, Any], place: KeyPath, findings: Findings) -> dict[str, Any]:
    """What a contract says besides its fields, as parts of its draft."""
    rules = read_rules(raw.get("constraints", []), place / "constraints", findings)
    policy = _read_policy(raw.get("policy"), place / "policy", findings)
    lessons = raw.get("lessons", "")
    if not isinstance(lessons, str):
        message = f"lessons is the path of a file, not {lessons!r}."
        findings.error("INVALID_CONTRACT", place / "lessons", message)
    return {"rules": rules, "policy": policy, "lessons": lessons}


def _read_policy(raw: Any, place: KeyPath, findings: Findings) -> ContractPolicy:
    """The contract's own policy; every key that is not one is an error, because it would change results."""
    if raw is not None and not isinstance(raw, Mapping):
        findings.error("INVALID_POLICY_KEY", place, f"a policy is a mapping, not {raw!r}.")
    given = dict[str, Any]()
    for key, value in raw.items() if isinstance(raw, Mapping) else ():
        if key.startswith("x-") or value is None:
            continue
        if key not in _POLICY_READERS:
            hint = f"Known keys are {', '.join(_POLICY_READERS)}.{did_you_mean(key, _POLICY_READERS)}"
            findings.error("INVALID_POLICY_KEY", place / key, f"{key!r} is not a key of a contract's policy.", hint)
            continue
        try:
            given[key] = _POLICY_READERS[key](value)
        except ValueError as error:
            code = "INVALID_CONFIDENCE_FLOOR" if key == "confidence_floor" else "INVALID_POLICY_KEY"
            findings.error(code, place / key, f"{error}.")
    return ContractPolicy(**given)


def to_flag(value: Any) -> bool:
    """True or false, and nothing that is like them."""
    if isinstance(value, bool):
        return value
    raise ValueError(f"expected true or false, got {value!r}")


_POLICY_READERS: dict[str, Callable[[Any], Any]] = {
    "confidence_floor": to_floor,
    "unresolved_acceptable": to_flag,
    "currency_policy": CurrencyPolicy,
    "stop_on_first_unresolved": to_flag,
}
