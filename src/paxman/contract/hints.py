"""Paxman's own keys on a field and on a contract: the same in the Dict DSL, in `x-paxman` and on Pydantic fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from paxman.budget import CurrencyPolicy, to_floor
from paxman.contract.drafts import Draft, Findings, KeyPath, Rule, did_you_mean
from paxman.contract.model import ContractPolicy
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
_LOOKUP_KEYS = ("source", "table", "from", "key", "value", "threshold", "password")


def read_hints(draft: Draft, raw: Mapping[str, Any], findings: Findings) -> None:
    """Take the keys that mean the same wherever they stand into the draft."""
    for key, read in _READERS.items():
        if key in raw:
            read(draft, raw[key], key, findings)


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


def _read_labels(draft: Draft, raw: Any, key: str, findings: Findings) -> None:
    labels = read_words(raw)
    if labels is None:
        hint = 'Write "labels": ["Total", "Amount due"].'
        findings.error("INVALID_FIELD", draft.at(key), "labels are a list of texts that are not empty.", hint)
    else:
        draft.labels = unique(draft.labels + labels)


def read_words(raw: Any) -> tuple[str, ...] | None:
    """The texts of a list, or None if it is not a list of texts."""
    if not isinstance(raw, list | tuple) or not all(isinstance(word, str) and word.strip() for word in raw):
        return None
    return tuple(raw)


def unique(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words))


def _read_tags(draft: Draft, raw: Any, key: str, findings: Findings) -> None:
    if not isinstance(raw, list | tuple):
        hint = f'Write "{key}": ["organization"].'
        findings.error("INVALID_SEMANTIC_TAG", draft.at(key), f"tags are a list, not {raw!r}.", hint)
        return
    for index, tag in enumerate(raw):
        _check_tag(tag, draft.at(key) / index, findings)
    draft.tags = unique(draft.tags + tuple(tag for tag in raw if isinstance(tag, str)))


def _check_tag(tag: Any, place: KeyPath, findings: Findings) -> None:
    if isinstance(tag, str) and tag.startswith("regex:"):
        check_regex(tag.removeprefix("regex:"), place, findings)
    elif not (isinstance(tag, str) and IDENTIFIER.match(tag)):
        hint = "Use a word such as organization, vat_id or date-time, or regex:<pattern>."
        findings.error("INVALID_SEMANTIC_TAG", place, f"{tag!r} is not a tag.", hint)


def check_regex(regex: Any, place: KeyPath, findings: Findings, *, searched: bool = True) -> bool:
    """Whether a pattern compiles; if not, say why. One that looks around is only good for checking a value."""
    from paxman.contract.patterns import compile_lookaround, compile_pattern, looks_around

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


def _read_constraints(draft: Draft, raw: Any, key: str, findings: Findings) -> None:
    draft.rules += read_rules(raw, draft.at(key), findings)


def read_rules(raw: Any, place: KeyPath, findings: Findings) -> list[Rule]:
    """Constraints as written, in the form {"kind": ..., "params": {...}}."""
    if not isinstance(raw, list | tuple):
        hint = 'Write [{"kind": "min_length", "params": {"min": 1}}].'
        findings.error("INVALID_CONSTRAINT", place, f"constraints are a list, not {raw!r}.", hint)
        return []
    rules = [_read_rule(item, place / index, findings) for index, item in enumerate(raw)]
    return [rule for rule in rules if rule]


def _read_rule(raw: Any, place: KeyPath, findings: Findings) -> Rule | None:
    if not isinstance(raw, Mapping):
        findings.error("INVALID_CONSTRAINT", place, f"a constraint has a kind and params, {raw!r} does not.")
        return None
    findings.unknown_keys(raw, ("kind", "params"), place)
    kind, params = raw.get("kind"), raw.get("params", {})
    if not isinstance(kind, str):
        findings.error("UNKNOWN_CONSTRAINT_KIND", place / "kind", "a constraint needs the name of its kind.")
        return None
    if not isinstance(params, Mapping):
        findings.error("INVALID_CONSTRAINT", place / "params", f"params are a mapping, not {params!r}.")
        return None
    return Rule(kind, params, place)


def _read_threshold(draft: Draft, raw: Any, key: str, findings: Findings) -> None:
    try:
        draft.confidence_threshold = None if raw is None else to_floor(raw)
    except ValueError as error:
        findings.error("INVALID_CONFIDENCE_FLOOR", draft.at(key), f"{error}.")


def _read_fallback(draft: Draft, raw: Any, key: str, findings: Findings) -> None:
    try:
        draft.fallback, draft.fallback_key = Fallback(raw), key
    except ValueError:
        known = ", ".join(fallback.value for fallback in Fallback)
        findings.error("INVALID_FIELD", draft.at(key), f"{raw!r} is not a fallback.", f"Use one of {known}.")


def _read_plain(draft: Draft, raw: Any, key: str, findings: Findings) -> None:
    """A key whose value is taken as it stands, if it is of the right kind."""
    fits, code, told, hint = _PLAIN[key]
    if fits(raw):
        setattr(draft, key, raw)
    else:
        findings.error(code, draft.at(key), f"{told}, not {raw!r}.", hint)


def _read_lookup(draft: Draft, raw: Any, key: str, findings: Findings) -> None:
    place = draft.at(key)
    if not isinstance(raw, Mapping):
        findings.error("INVALID_FIELD", place, f"a lookup is a mapping with a source, not {raw!r}.", _LOOKUP_HINT)
        return
    findings.unknown_keys(raw, _LOOKUP_KEYS, place)
    problems = [name for name, fits in _LOOKUP_CHECKS.items() if name in raw and not fits(raw[name])]
    for name in problems if "source" in raw else ["source", *problems]:
        findings.error("INVALID_FIELD", place / name, f"{_shown(name, raw)} does not fit here.", _LOOKUP_HINT)
    draft.lookup = raw


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_source(value: Any) -> bool:
    return isinstance(value, Mapping) or (_is_word(value) and not _holds_secret(value))


def _is_reference(value: Any) -> bool:
    return _is_word(value) and value.startswith("env:") and len(value) > len("env:")


def _holds_secret(source: str) -> bool:
    """Whether a URL has a password in it that is no reference."""
    _, _, rest = source.partition("://")
    login, at, _ = rest.partition("?")[0].rpartition("@")
    _, colon, password = login.partition(":")
    options = (option.partition("=") for option in rest.partition("?")[2].split("&"))
    secrets = [value for name, _, value in options if "pass" in name.lower() or name.lower() in ("pwd", "token")]
    secrets += [password] if at and colon else []
    return any(value and not _is_reference(value) for value in secrets)


def _shown(name: str, raw: Mapping[str, Any]) -> str:
    """A value in a message; what may hold a password is not repeated."""
    value = raw.get(name)
    hidden = name == "password" or (isinstance(value, str) and "://" in value)
    return "a password that is written out" if hidden else repr(value)


def _is_score(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, int | float) and 1 < value <= 100


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
    "threshold": _is_score,
    "table": _is_word,
    "password": _is_reference,
}
_PLAIN: dict[str, tuple[Callable[[Any], bool], str, str, str]] = {
    "description": (lambda raw: isinstance(raw, str), "INVALID_FIELD", "a description is text", ""),
    "derive": (_is_word, "INVALID_DERIVATION", "a derivation is text", 'Write a formula, such as "total - net".'),
    "text_form": (lambda raw: isinstance(raw, bool), "INVALID_FIELD", "text_form is true or false", ""),
    "default": (lambda raw: True, "", "", ""),
}
_READERS: dict[str, Callable[[Draft, Any, str, Findings], None]] = {
    **dict.fromkeys(_PLAIN, _read_plain),
    "tags": _read_tags,
    "semantic_tags": _read_tags,
    "labels": _read_labels,
    "constraints": _read_constraints,
    "confidence_threshold": _read_threshold,
    "fallback": _read_fallback,
    "fallback_policy": _read_fallback,
    "lookup": _read_lookup,
}


def read_version(raw: Any, place: KeyPath, findings: Findings) -> str:
    """A version has a digit and no spaces: 1, 1.2.0, v3, 2024-05."""
    if isinstance(raw, str) and any(map(str.isdigit, raw)) and not any(map(str.isspace, raw)):
        return raw
    findings.error("INVALID_VERSION", place, f"{raw!r} is not a version.", 'Write it as text, such as "1" or "1.2".')
    return ""


def read_lessons(raw: Mapping[str, Any], place: KeyPath, findings: Findings) -> str:
    """The file of lessons that a contract names."""
    name = raw.get("lessons", "")
    if not isinstance(name, str):
        findings.error("INVALID_CONTRACT", place / "lessons", f"lessons is the path of a file, not {name!r}.")
        return ""
    return name


def read_policy(raw: Any, place: KeyPath, findings: Findings) -> ContractPolicy:
    """The contract's own policy; every key that is not one is an error, because it would change results."""
    if raw is None:
        return ContractPolicy()
    if not isinstance(raw, Mapping):
        findings.error("INVALID_POLICY_KEY", place, f"a policy is a mapping, not {raw!r}.")
        return ContractPolicy()
    values = {key: _read_policy_value(key, value, place / key, findings) for key, value in raw.items()}
    known = {attribute.name for attribute in attrs.fields(ContractPolicy)}
    return ContractPolicy(**{key: value for key, value in values.items() if key in known and value is not None})


def _read_policy_value(key: str, value: Any, place: KeyPath, findings: Findings) -> Any:
    if key.startswith("x-") or value is None:
        return None
    if key not in _POLICY_READERS:
        guess = did_you_mean(key, _POLICY_READERS)
        hint = f"Known keys are {', '.join(_POLICY_READERS)}.{guess}"
        findings.error("INVALID_POLICY_KEY", place, f"{key!r} is not a key of a contract's policy.", hint)
        return None
    try:
        return _POLICY_READERS[key](value)
    except ValueError as error:
        code = "INVALID_CONFIDENCE_FLOOR" if key == "confidence_floor" else "INVALID_POLICY_KEY"
        findings.error(code, place, f"{error}.")
        return None


def _to_flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise ValueError(f"expected true or false, got {value!r}")


_POLICY_READERS: dict[str, Callable[[Any], Any]] = {
    "confidence_floor": to_floor,
    "unresolved_acceptable": _to_flag,
    "currency_policy": CurrencyPolicy,
    "stop_on_first_unresolved": _to_flag,
}
