"""The Dict DSL: Paxman's own way to write a contract as plain data."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import attrs

from paxman.contract.building import ContractDraft, build_contract
from paxman.contract.detection import KnownFormat
from paxman.contract.drafts import Draft, Findings, KeyPath, Rule, clean, is_addressable
from paxman.contract.hints import HINTS, read_hints, read_identity, read_settings, read_type
from paxman.contract.model import CanonicalContract, CanonicalField, Constraint
from paxman.types import Fallback, FieldType, Money

_CONTRACT_KEYS = ("id", "version", "description", "policy", "constraints", "fields", "root", "lessons")
_FIELDS_HINT = 'Write "fields": [{"name": "total", "type": "MONEY", "required": true}].'
_FIELD_KEYS = (
    *("name", "required", "nullable", "enum_values", "items", "fields", "prefix", "branches", "open", "secret"),
    *HINTS,
)


class DictDslAdapter(KnownFormat):
    name = "dict_dsl"
    version = "1.0"

    def adapt(self, contract: Any, **options: Any) -> CanonicalContract:
        findings, root = Findings(), KeyPath()
        raw = clean(contract, findings)
        findings.unknown_keys(raw, _CONTRACT_KEYS, root)
        if not raw.get("id"):
            hint = 'Give the contract a name: "id": "invoice".'
            findings.error("MISSING_CONTRACT_ID", root / "id", "a contract needs an id.", hint)
        identity = read_identity({**raw, "id": raw.get("id") or "contract"}, "", root, findings)
        fields = _read_fields(raw, root / "fields", findings)
        settings = read_settings(raw, root, findings)
        whole, listed = str(raw.get("root", "")), raw.get("fields")
        if whole and not (isinstance(listed, list) and len(listed) == 1 and listed[0].get("name") == whole):
            findings.error("INVALID_CONTRACT", root / "root", "root names the only field of a contract.")
        draft = ContractDraft(fields=fields, source="dict_dsl", root=whole, **identity, **settings)
        return build_contract(draft, findings)

    def export(self, canonical: CanonicalContract) -> dict[str, Any]:
        """A Dict DSL contract with the same content, made of JSON values only."""
        root = {"root": canonical.root} if canonical.root else {}
        return {**export_head(canonical), **root, "fields": [_export_field(field) for field in canonical.fields]}


def _read_fields(
    raw: Mapping[str, Any], place: KeyPath, findings: Findings, *, any_name: bool = False
) -> tuple[Draft, ...]:
    fields = raw.get("fields")
    if fields is None:
        findings.error("MISSING_FIELDS", place, "a contract needs fields.", _FIELDS_HINT)
    elif not isinstance(fields, list):
        findings.error("INVALID_CONTRACT", place, f"fields are a list, not {type(fields).__name__}.", _FIELDS_HINT)
    elif not fields:
        findings.error("EMPTY_FIELDS", place, "there must be at least one field.", _FIELDS_HINT)
    else:
        drafts = [_read_field(field, place / index, findings, any_name) for index, field in enumerate(fields)]
        return tuple(draft for draft in drafts if draft)
    return ()


def _read_field(raw: Any, place: KeyPath, findings: Findings, any_name: bool) -> Draft | None:
    if not isinstance(raw, Mapping):
        hint = 'Write {"name": "total", "type": "MONEY", "required": true}.'
        findings.error("INVALID_FIELD", place, f"a field is a mapping, not {raw!r}.", hint)
        return None
    name = str(raw.get("name", "")) if any_name else _read_name(raw.get("name"), place, findings) or str(place)
    if "required" not in raw:
        hint = 'Write "required": true or "required": false.'
        findings.error("MISSING_REQUIRED_FLAG", place / "required", "a field says whether it is required.", hint)
    required = _read_flag(raw, "required", place, findings)
    draft = read_content(raw, place, findings)
    draft.name, draft.required = name, required
    return draft


def _read_name(name: Any, place: KeyPath, findings: Findings) -> str:
    if isinstance(name, str) and name.strip():
        if not is_addressable(name):
            hint = "Write an OBJECT with fields of its own; its paths are dotted by themselves."
            findings.error("INVALID_FIELD", place / "name", f"the name {name!r} has a dot or a bracket.", hint)
        return name
    if name is None or isinstance(name, str):
        findings.error("MISSING_FIELD_NAME", place / "name", "a field needs a name.")
    else:
        findings.error("INVALID_FIELD", place / "name", f"a name is text, not {name!r}.")
    return ""


def _read_flag(raw: Mapping[str, Any], key: str, place: KeyPath, findings: Findings) -> bool:
    value = raw.get(key, False)
    if not isinstance(value, bool):
        findings.error("INVALID_FIELD", place / key, f"{key} is true or false, not {value!r}.")
    return value is True


def read_content(raw: Mapping[str, Any], place: KeyPath, findings: Findings) -> Draft:
    """What fields and the items of arrays have in common; without a type the rest cannot be judged."""
    findings.unknown_keys(raw, _FIELD_KEYS, place)
    if raw.get("type") is None:
        findings.error("MISSING_TYPE", place / "type", "a field needs a type.", 'Write "type": "STRING".')
    kind = read_type(raw["type"], place / "type", findings) if raw.get("type") is not None else None
    draft = Draft(place, "", kind or FieldType.STRING, nullable=_read_flag(raw, "nullable", place, findings))
    draft.open = _read_flag(raw, "open", place, findings)
    draft.secret = _read_flag(raw, "secret", place, findings)
    if kind:
        read_hints(draft, raw, findings)
        _read_parts(draft, raw, findings)
    return draft


def _read_parts(draft: Draft, raw: Mapping[str, Any], findings: Findings) -> None:
    for key in (key for key in _OWNERS if key in raw):
        kind, place = _OWNERS[key][0].value, draft.at(key)
        if draft.type not in _OWNERS[key]:
            message = f"only a field of type {kind} has {key}, this one is {draft.type.value}."
            findings.error("INVALID_FIELD", place, message, f"Leave {key} out, or make the field a {kind}.")
        elif key == "fields":
            draft.children = _read_fields(raw, place, findings, any_name=draft.type is FieldType.MAP)
        elif key == "enum_values":
            draft.rules.append(Rule("enum", {"values": raw[key] or []}, place, native=True))
        elif key != "items":
            setattr(draft, key, _read_each(raw[key], place, findings))
        elif isinstance(raw[key], Mapping):
            items = raw[key]
            whole = items if "type" in items or "fields" not in items else {"type": "OBJECT", **items}
            draft.items = read_content(whole, place, findings)
            draft.items.name, draft.items.required = "[]", True
        else:
            hint = 'Write "items": {"fields": [...]} or "items": {"type": "STRING"}.'
            findings.error("INVALID_FIELD", place, f"items describe one element, {raw[key]!r} does not.", hint)


_OWNERS = {
    "fields": (FieldType.OBJECT, FieldType.MAP),
    "items": (FieldType.ARRAY, FieldType.MAP),
    "enum_values": (FieldType.ENUM,),
    "prefix": (FieldType.ARRAY,),
    "branches": (FieldType.UNION,),
}


def _read_each(raw: Any, place: KeyPath, findings: Findings) -> tuple[Draft, ...]:
    """Several descriptions of a value, for the places of a list or the branches of a union."""
    if not isinstance(raw, list) or not all(isinstance(part, Mapping) for part in raw):
        findings.error("INVALID_FIELD", place, f"expected a list of descriptions, got {raw!r}.")
        return ()
    drafts = tuple(read_content(part, place / index, findings) for index, part in enumerate(raw))
    for draft in drafts:
        draft.name, draft.required = "[]", True
    return drafts


def export_head(canonical: CanonicalContract) -> dict[str, Any]:
    """What a contract says besides its fields."""
    data: dict[str, Any] = {"id": canonical.id, "version": canonical.version}
    values = attrs.asdict(canonical.policies, filter=lambda attribute, value: value != attribute.default)
    policy = {key: to_json_values(value) for key, value in values.items()}
    if policy:
        data["policy"] = policy
    if canonical.lessons_file:
        data["lessons"] = canonical.lessons_file
    if canonical.constraints:
        data["constraints"] = export_constraints(canonical.constraints)
    return data


def export_constraints(constraints: Sequence[Constraint]) -> list[dict[str, Any]]:
    return [{"kind": each.kind, "params": to_json_values(each.params)} for each in constraints]


def _export_field(field: CanonicalField) -> dict[str, Any]:
    data = {"name": field.name, "type": field.type.value, "required": field.required, **export_hints(field)}
    return {**data, **_export_parts(field)}


def _export_parts(field: CanonicalField) -> dict[str, Any]:
    """What hints leave out: the parts of containers, and the flags that schemas write their own way."""
    data: dict[str, Any] = {"nullable": True} if field.nullable else {}
    if field.description:
        data["description"] = field.description
    if field.has_default:
        data["default"] = to_json_values(field.default)
    if field.constraints:
        data["constraints"] = export_constraints(field.constraints)
    if field.children:
        data["fields"] = [_export_field(child) for child in field.children]
    if field.items:
        data["items"] = export_content(field.items)
    if field.prefix:
        data["prefix"] = [export_content(part) for part in field.prefix]
    if field.branches:
        data["branches"] = [export_content(branch) for branch in field.branches]
    flags = ("open", "secret", "text_form")
    return {**data, **{flag: True for flag in flags if getattr(field, flag)}}


def export_content(field: CanonicalField) -> dict[str, Any]:
    """What a field takes, without its name."""
    return {"type": field.type.value, **export_hints(field), **_export_parts(field)}


def export_hints(field: CanonicalField) -> dict[str, Any]:
    """The keys that no schema has and every format writes alike."""
    data: dict[str, Any] = {
        "labels": list(field.labels),
        "tags": list(field.semantic_tags),
        "confidence_threshold": field.confidence_threshold,
        "fallback": field.fallback_policy.value if field.fallback_policy is not Fallback.UNRESOLVED else None,
        "lookup": to_json_values(field.lookup),
        "derive": field.derive,
    }
    return {key: value for key, value in data.items() if value not in (None, [])}


def to_json_values(value: Any) -> Any:
    """JSON values that are read back as the same canonical values; exact numbers are text."""
    if isinstance(value, Mapping):
        return {key: to_json_values(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_json_values(item) for item in value]
    if isinstance(value, Decimal):
        # A number if it keeps every digit, otherwise text.
        for form in (int, float):
            number = form(value) if abs(value.adjusted()) < 300 else 0
            if Decimal(str(number)).as_tuple() == value.as_tuple():
                return number
        return str(value)
    if isinstance(value, Money):
        return {"amount": str(value.amount), "currency": value.currency}
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return value.value if hasattr(value, "value") else value
