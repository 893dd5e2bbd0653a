"""The artifact: its shape, its hash, its stored form, and replay with all its errors."""

import copy
import json
import subprocess
import sys
from datetime import date
from decimal import Decimal

import attrs
import jsonschema
import pytest
from hypothesis import given, settings
from pydantic import BaseModel

import paxman
from paxman import testing
from paxman.capabilities.base import CapabilityResult, CapabilitySpec
from paxman.errors import CapabilityNotFoundError, HashMismatchError, InvalidContractError, VersionMismatchError
from paxman.planner.registry import CAPABILITIES
from paxman.serialization import canonical_hash, canonical_json
from paxman.types import Money, Status

CONTRACT = {
    "id": "order",
    "version": "1",
    "fields": [
        {"name": "number", "type": "STRING", "required": True},
        {"name": "date", "type": "DATE", "required": True},
        {"name": "total", "type": "MONEY", "required": True},
        {"name": "seller", "type": "OBJECT", "required": True, "fields": [
            {"name": "name", "type": "STRING", "required": True},
            {"name": "vat", "type": "STRING", "required": False},
        ]},
        {"name": "lines", "type": "ARRAY", "required": True, "items": {"fields": [
            {"name": "sku", "type": "STRING", "required": True},
            {"name": "price", "type": "DECIMAL", "required": True},
        ]}},
        {"name": "note", "type": "STRING", "required": False},
        {"name": "approval", "type": "STRING", "required": True},
    ],
}  # fmt: skip
DOCUMENT = {
    "number": "A-1",
    "date": "2025-03-04",
    "total": {"amount": "12.50", "currency": "EUR"},
    "seller": {"name": "ACME"},
    "lines": [{"sku": "x", "price": 1.5}, {"sku": "y", "price": "oops"}, {"sku": "z", "price": 11}],
}


@pytest.fixture(scope="module")
def artifact():
    return paxman.normalize(DOCUMENT, CONTRACT)


def test_normalized_data_has_the_contracts_shape(artifact):
    assert artifact.status is Status.UNRESOLVED
    assert artifact.normalized_data == {
        "number": "A-1",
        "date": date(2025, 3, 4),
        "total": {"amount": Decimal("12.50"), "currency": "EUR"},
        "seller": {"name": "ACME"},
        "lines": [{"sku": "x", "price": Decimal("1.5")}, {"sku": "z", "price": Decimal("11")}],
        "approval": None,
    }
    assert [result.field_path for result in artifact.unresolved_fields] == ["seller.vat", "note", "approval"]


def test_fields_and_cells_are_found_by_path(artifact):
    assert artifact["total"].value == Money("12.50", "EUR")
    cell = artifact["lines[1].price"]
    assert (cell.value, cell.field_type_name, [ref.source.pointer for ref in cell.evidence_refs]) == (
        Decimal("11"),
        "DECIMAL",
        ["/lines/2/price"],
    )
    with pytest.raises(KeyError, match="Did you mean 'total'"):
        artifact["totl"]
    with pytest.raises(KeyError, match=r"lines\[0\] has no note: its cell is blank, or could not be read"):
        blank = ({"sku": "x"}, {"sku": "y", "note": "z"})
        results = (attrs.evolve(artifact["lines"], value=blank),)
        attrs.evolve(artifact, field_results=results)["lines[0].note"]
    for path in ("lines[7].price", "lines[-1].price", "lines[0]price", "lines[ 0 ].price"):
        with pytest.raises(KeyError):
            artifact[path]


def test_rows_in_are_rows_out_plus_rejected(artifact):
    rejected = [note for note in artifact["lines"].diagnostics if note.code == "ROW_REJECTED"]
    assert [(note.context["row"], note.message) for note in rejected] == [
        (2, "row 2 was left out: price: not a decimal number (/lines/1/price: '\"oops\"')")
    ]


def test_the_artifact_cannot_be_changed(artifact):
    artifact.normalized_data["number"] = "changed"
    assert artifact.normalized_data["number"] == "A-1"
    with pytest.raises(TypeError):
        artifact["lines"].value[0]["sku"] = "changed"
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        artifact.status = Status.SUCCESS


def test_stored_and_loaded_is_equal(artifact):
    for stored in (artifact, artifact.to_dict(), artifact.to_json(), artifact.to_json().encode() + b"\n"):
        assert paxman.replay(stored, CONTRACT) == artifact
    assert json.loads(artifact.to_json()) == artifact.to_dict()


def _resealed(data):
    """What a careful forger writes: everything that can be computed, computed again."""
    data = {name: value for name, value in data.items() if name != "seal"}
    return canonical_json({**data, "seal": canonical_hash(data)})


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace('"confidence":0,', '"confidence":0.0,', 1),
        lambda text: text.replace('"tokens":0', '"tokens":0e5', 1),
        lambda text: text.replace('"order"', '"\\u006frder"', 1),
        lambda text: text.replace("/", "\\/", 1),
        lambda text: text.replace(",", ", ", 1),
        lambda text: text + "\n\n",
        lambda text: "\ufeff" + text,
        lambda text: json.dumps(json.loads(text), indent=2),
    ],
)
def test_every_changed_byte_of_a_file_is_caught(artifact, tmp_path, change):
    text = artifact.to_json()
    changed = change(text)
    assert changed != text
    path = tmp_path / "artifact.json"
    path.write_text(changed, encoding="utf-8")
    with pytest.raises(HashMismatchError):
        paxman.replay(path, CONTRACT)


def test_a_reformatted_copy_is_accepted_where_that_is_said(artifact):
    for copied in (artifact.to_json(indent=1), artifact.to_json() + "\n\n"):
        assert paxman.replay(copied, CONTRACT, reformatted=True) == artifact
        with pytest.raises(HashMismatchError, match="--reformatted"):
            paxman.replay(copied, CONTRACT)
    changed = artifact.to_json(indent=1).replace("A-1", "A-2", 1)
    with pytest.raises(HashMismatchError, match="changed after it was written"):
        paxman.replay(changed, CONTRACT, reformatted=True)


def test_data_that_differ_from_the_fields_are_caught_despite_a_new_seal(artifact):
    stored = artifact.to_dict()
    stored["normalized_data"]["number"] = "A-2"
    with pytest.raises(HashMismatchError):
        paxman.replay(_resealed(stored), CONTRACT)
    assert paxman.replay(_resealed(artifact.to_dict()), CONTRACT) == artifact


def test_replay_from_a_file(artifact, tmp_path):
    path = tmp_path / "artifact.json"
    path.write_text(artifact.to_json())
    assert paxman.replay(path, CONTRACT) == artifact
    with pytest.raises(TypeError, match="ExecutionArtifact"):
        paxman.replay(7, CONTRACT)


def _leaves(data, path=()):
    if isinstance(data, dict):
        for key, item in data.items():
            yield from _leaves(item, (*path, key))
    elif isinstance(data, list):
        for position, item in enumerate(data):
            yield from _leaves(item, (*path, position))
    else:
        yield path, data


def _changed(leaf):
    if isinstance(leaf, bool):
        return not leaf
    if isinstance(leaf, int | float):
        return leaf + 1
    return "changed" if leaf is None else leaf + "x"


def test_every_changed_leaf_is_caught():
    small = paxman.normalize({"number": "A-1", "date": "2025-03-04", "total": "1 EUR", "lines": []}, CONTRACT)
    stored = small.to_dict()
    missed = []
    for path, leaf in _leaves(stored):
        changed = copy.deepcopy(stored)
        place = changed
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = _changed(leaf)
        try:
            paxman.replay(changed, CONTRACT)
            missed.append(path)
        except paxman.ReplayError:
            continue
    assert missed == []


def test_removed_or_added_keys_are_caught(artifact):
    for key in artifact.to_dict():
        stored = artifact.to_dict()
        del stored[key]
        with pytest.raises(paxman.ReplayError):
            paxman.replay(stored, CONTRACT)
    with pytest.raises(paxman.ReplayError):
        paxman.replay({**artifact.to_dict(), "more": 1}, CONTRACT)


def test_leaves_of_another_type_and_doubled_keys_are_caught(artifact):
    stored = artifact.to_dict()
    for path, _ in _leaves(stored):
        for other in (None, [], {}, 1, "1.\u00b2"):
            changed = copy.deepcopy(stored)
            place = changed
            for key in path[:-1]:
                place = place[key]
            if place[path[-1]] == other:
                continue
            place[path[-1]] = other
            with pytest.raises(paxman.ReplayError):
                paxman.replay(changed, CONTRACT)
    with pytest.raises(HashMismatchError):
        paxman.replay(artifact.to_json().replace('"status":', '"status":"FOO","status":', 1), CONTRACT)
    with pytest.raises(HashMismatchError):
        paxman.replay("[" * 100_000, CONTRACT)


@pytest.mark.parametrize("stored", ["", "{}", "[]", '{"status": "SUCCESS"}', b"\xff", "null"])
def test_what_is_no_artifact_is_refused(stored):
    with pytest.raises(HashMismatchError):
        paxman.replay(stored, CONTRACT)


def test_replay_errors(artifact):
    other = copy.deepcopy(CONTRACT)
    other["fields"][0]["required"] = False
    with pytest.raises(HashMismatchError, match="contract"):
        paxman.replay(artifact, other)
    with pytest.raises(InvalidContractError):
        paxman.replay(artifact, {"id": "x", "fields": []})
    for version in ("2", "99", "1.5"):
        with pytest.raises(VersionMismatchError):
            paxman.replay(attrs.evolve(artifact, replay_version=version), CONTRACT)
        with pytest.raises(VersionMismatchError):
            paxman.replay(attrs.evolve(artifact, planner_version=version), CONTRACT)
        with pytest.raises(VersionMismatchError):
            paxman.replay(attrs.evolve(artifact, paxman_version=version + ".0.0"), CONTRACT)


def test_replay_needs_the_capabilities():
    class Extra:
        spec = CapabilitySpec("extra", "1.0")

        def invoke(self, context):
            return CapabilityResult()

    paxman.register_capability(Extra())
    artifact = paxman.normalize(DOCUMENT, CONTRACT)
    CAPABILITIES.unregister("extra")
    with pytest.raises(CapabilityNotFoundError, match="extra 1.0"):
        paxman.replay(artifact, CONTRACT)


def test_id_time_and_metadata_are_outside_the_hash(artifact):
    again = paxman.normalize(DOCUMENT, CONTRACT)
    assert (again.id != artifact.id, again.replay_hash) == (True, artifact.replay_hash)
    tagged = attrs.evolve(artifact, metadata={"batch": 7})
    assert paxman.replay(tagged.to_json(), CONTRACT).metadata == {"batch": 7}


def test_three_processes_with_three_hash_seeds_give_the_same_bytes():
    program = (
        "import json, sys, paxman;"
        "document, contract = json.loads(sys.stdin.read());"
        "artifact = paxman.normalize(document, contract);"
        "stored = artifact.to_dict(); print(artifact.replay_hash);"
        "print(stored['field_results'], stored['evidence'], stored['execution_plan'])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            input=json.dumps([DOCUMENT, CONTRACT]),
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "42")
    }
    assert len(outputs) == 1


class Seller(BaseModel):
    name: str


class Line(BaseModel):
    sku: str
    price: Decimal


class Order(BaseModel):
    number: str
    date: date
    total: paxman.Money
    seller: Seller
    lines: list[Line]


def test_to_gives_the_callers_own_model():
    artifact = paxman.normalize({**DOCUMENT, "lines": DOCUMENT["lines"][:1]}, Order)
    assert artifact.status is Status.SUCCESS
    assert artifact.to(Order) == Order(
        number="A-1",
        date=date(2025, 3, 4),
        total=Money("12.50", "EUR"),
        seller=Seller(name="ACME"),
        lines=[Line(sku="x", price=Decimal("1.5"))],
    )


def test_success_validates_against_the_callers_json_schema():
    schema = {
        "type": "object",
        "required": ["number", "date", "total", "lines"],
        "additionalProperties": False,
        "properties": {
            "number": {"type": "string", "pattern": "^A-"},
            "date": {"type": "string", "format": "date"},
            "total": {
                "type": "object",
                "properties": {"amount": {"type": "string"}, "currency": {"type": "string"}},
                "required": ["amount", "currency"],
                "x-paxman": {"type": "MONEY"},
            },
            "lines": {
                "type": "array",
                "minItems": 1,
                "items": {
                    "type": "object",
                    "required": ["sku"],
                    "properties": {"sku": {"type": "string"}, "price": {"type": "number", "minimum": 1}},
                },
            },
        },
    }
    artifact = paxman.normalize({**DOCUMENT, "lines": DOCUMENT["lines"][:1]}, schema)
    assert artifact.status is Status.SUCCESS
    jsonschema.validate(artifact.normalized_data, schema)


def test_json_contracts_get_json_numbers():
    schema = {
        "type": "object",
        "required": ["price", "weight"],
        "properties": {"price": {"type": "number", "minimum": 0.01}, "weight": {"type": "number"}},
    }
    artifact = paxman.normalize({"price": 0.01, "weight": 12}, schema)
    assert artifact["price"].value == Decimal("0.01")
    assert json.dumps(artifact.normalized_data) == '{"price": 0.01, "weight": 12}'
    assert artifact.to_dict()["normalized_data"] == {"price": "0.01", "weight": "12"}
    jsonschema.validate(artifact.normalized_data, schema)


@settings(max_examples=40)
@given(testing.artifacts())
def test_any_artifact_survives_storage(artifact):
    again = paxman.ExecutionArtifact.from_json(artifact.to_json())
    assert (again, again.computed_hash(), again.stored_digest) == (artifact, artifact.replay_hash, "")


def test_a_stored_artifact_that_is_too_deep_is_refused():
    contract = {"id": "c", "version": "1", "fields": [{"name": "total", "type": "DECIMAL", "required": False}]}
    data = paxman.normalize("Total: 5", contract).to_dict()
    deep: dict[str, object] = {}
    for _ in range(700):
        deep = {"kind": "x", "in": deep}
    data["evidence"][0]["source"] = deep
    with pytest.raises(HashMismatchError):
        paxman.replay(json.dumps(data), contract)


def test_an_artifact_shows_itself_in_one_line_and_its_rows_as_dicts():
    items = {"type": "OBJECT", "fields": [{"name": "item", "type": "STRING", "required": True}]}
    lines = {"name": "lines", "type": "ARRAY", "required": True, "items": items}
    contract = {"id": "order", "version": "1", "fields": [lines]}
    artifact = paxman.normalize([{"item": "a"}, {"item": "b"}], contract)
    assert repr(artifact) == f"<ExecutionArtifact 'order': SUCCESS, 1 of 1 fields, {artifact.replay_hash[:12]}>"
    value = artifact["lines"].value
    assert repr(value) == "({'item': 'a'}, {'item': 'b'})" == str(list(value)).replace("[", "(").replace("]", ")")
    assert repr(artifact["lines"]).startswith("<FieldResult 'lines': ({'item': 'a'}, {'item': 'b'}), 0.80 HIGH>")
    with pytest.raises(TypeError, match="frozen"):
        value[0]["item"] = "c"
