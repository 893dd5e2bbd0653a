"""adapt(): telling formats apart, reading text and files, doing the work once, and third-party formats."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from contract_errors import errors
from hypothesis import given, settings
from hypothesis import strategies as st

from paxman.contract import ContractCache, adapt
from paxman.contract.adapters import ADAPTERS
from paxman.contract.detection import format_of
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.errors import InvalidContractError, InvalidPathError
from paxman.types import FieldType

DSL: dict[str, Any] = {"id": "c", "fields": [{"name": "a", "type": "STRING", "required": True}]}


@pytest.mark.parametrize(
    ("raw", "format"),
    [
        (DSL, "dict_dsl"),
        ({"id": "x"}, "dict_dsl"),
        ({"fields": []}, "dict_dsl"),
        ({"id": "x", "fields": [], "type": "object"}, "dict_dsl"),
        ({}, "dict_dsl"),
        ({"type": "object", "id": "x"}, "json_schema"),
        ({"properties": {"fields": {}}}, "json_schema"),
        ({"$schema": "x", "fields": []}, "json_schema"),
        ({"minimum": 3}, "json_schema"),
        (True, "json_schema"),
        ({"openapi": "3.0.0", "id": 1, "fields": 2}, "openapi"),
        ({"swagger": "2.0"}, "openapi"),
        ({"something": "else"}, None),
        (int, None),
        (5, None),
    ],
)
def test_a_format_is_told_by_its_structure(raw: Any, format: str | None):
    assert format_of(raw) == format


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({"order_number": "string", "total": "money"}, '{"name": "order_number", "type": "STRING", "required": true}'),
        ({"größe": float}, '{"name": "größe", "type": "DECIMAL", "required": true}'),
        ({"paid": "bool"}, '{"name": "paid", "type": "BOOLEAN", "required": true}'),
        ({"seller": {"name": "Alder"}}, '{"name": "seller", "type": "STRING", "required": true}'),
    ],
)
def test_a_plain_mapping_is_shown_as_a_contract(raw: Any, field: str):
    with pytest.raises(InvalidContractError) as caught:
        adapt(raw)
    example = caught.value.errors[0].hint.partition("For example:\n")[2]
    assert example == f'{{"id": "mine", "fields": [\n  {field}\n]}}'
    assert [each.name for each in adapt(example).fields] == [*raw][:1]


def test_a_page_is_no_contract(tmp_path: Path):
    (tmp_path / "page.html").write_text("<html><p>Total: 5")
    for page in (tmp_path / "page.html", "<html>\n<p>Total: 5"):
        with pytest.raises(InvalidContractError, match="the contract is HTML or XML.*or a Pydantic model"):
            adapt(page)


@pytest.mark.parametrize("raw", [5, 1.5, None, [], b"{}", int, object()])
def test_what_cannot_be_a_contract_is_a_type_error(raw: Any):
    with pytest.raises(TypeError, match="contract must be a Pydantic model, a dataclass"):
        adapt(raw)


def test_a_canonical_contract_is_given_back():
    canonical = adapt(DSL)
    assert adapt(canonical) is canonical


TOML = 'id = "c"\n[[fields]]\nname = "a"\ntype = "STRING"\nrequired = true\n'
YAML = "id: c\nfields:\n- {name: a, type: STRING, required: true}\n"


@pytest.mark.parametrize("text", [json.dumps(DSL), "\ufeff" + json.dumps(DSL), YAML])
def test_a_contract_as_text(text: str):
    assert adapt(text) == adapt(DSL)


@pytest.mark.parametrize(
    ("name", "text"), [("c.json", json.dumps(DSL)), ("c.yaml", YAML), ("c.YML", YAML), ("c.toml", TOML)]
)
def test_a_contract_in_a_file(tmp_path: Path, name: str, text: str):
    path = tmp_path / name
    path.write_text(text, "utf-8-sig")
    assert adapt(path) == adapt(str(path)) == adapt(DSL)
    assert adapt(path).base_path == str(tmp_path)


def test_a_changed_file_is_read_again(tmp_path: Path):
    path = tmp_path / "c.json"
    path.write_text(json.dumps(DSL))
    first = adapt(path)
    path.write_text(json.dumps({**DSL, "id": "other"}))
    assert (first.id, adapt(path).id) == ("c", "other")


def test_a_file_that_is_not_there(tmp_path: Path):
    with pytest.raises(InvalidPathError) as caught:
        adapt(tmp_path / "none.json")
    assert [(issue.code, issue.path) for issue in caught.value.errors] == [
        ("INVALID_CONTRACT", str(tmp_path / "none.json"))
    ]


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "[1, 2]",
        '{"id": ',
        '{"id": "a", "id": "b"}',
        '{"id": NaN}',
        "id: a\nid: b",
        "a: [",
        "[" * 100_000,
        "- " * 3000,
        '{"a":' * 50_000,
        "null",
        "",
        "&a [*a]",
        "!!python/object:os.system {}",
    ],
)
def test_text_that_is_no_contract(text: str):
    assert errors(text) == [("INVALID_CONTRACT", "(contract)")]


def test_aliases_in_yaml_cannot_blow_up():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    assert errors("\n".join(lines)) == [("INVALID_CONTRACT", "(contract)")]


def test_a_contract_is_adapted_once_and_an_edited_one_anew():
    raw = {**DSL, "id": "edited"}
    first = adapt(raw)
    assert adapt(raw) is first
    raw["version"] = "2"
    assert adapt(raw).version == "2"
    raw["version"] = 2
    assert errors(raw) == [("INVALID_VERSION", "version")]


def test_true_and_one_are_different_contracts():
    raw = {"id": "c", "fields": [{"name": "a", "type": "INTEGER", "required": True, "default": 1}]}
    assert adapt(raw).fields[0].default == 1
    raw["fields"][0]["default"] = True  # type: ignore[index]
    assert errors(raw) == [("DEFAULT_TYPE_MISMATCH", "fields[0].default")]


def test_contracts_with_values_that_only_pickle_writes_are_kept_too():
    raw = {"id": "c", "fields": [{"name": "a", "type": "DECIMAL", "required": True, "default": Decimal("1.50")}]}
    assert adapt(raw) is adapt(raw)


def test_the_cache_is_bounded():
    cache = ContractCache()
    for number in range(1000):
        cache.for_mapping({"n": number}, None, lambda: adapt(DSL))
    assert len(cache._recent) == 256


def test_many_threads_get_the_same_contract():
    raw = {**DSL, "id": "threads"}
    found: list[CanonicalContract] = []
    threads = [threading.Thread(target=lambda: found.append(adapt(raw))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [adapt(raw)] * 8


class Row:
    """A third-party contract: names of columns."""

    def __init__(self, *names: str) -> None:
        self.names = names


class RowAdapter:
    name = "row"
    version = "1.0"

    def accepts(self, contract: Any) -> bool:
        return isinstance(contract, Row)

    def adapt(self, contract: Row, **options: Any) -> CanonicalContract:
        fields = tuple(CanonicalField(f"row:{name}", name, name, FieldType.STRING) for name in contract.names)
        return CanonicalContract("row", "1", fields)

    def export(self, canonical: CanonicalContract) -> Row:
        return Row(*(field.name for field in canonical.fields))


@pytest.fixture
def row_adapter() -> Iterator[None]:
    ADAPTERS.register(RowAdapter())
    yield
    ADAPTERS.unregister("row")


def test_a_third_party_format(row_adapter: None):
    assert [field.name for field in adapt(Row("a", "b")).fields] == ["a", "b"]
    assert adapt(DSL).source == "dict_dsl"


KEYS = """
id version fields policy constraints name type required nullable default labels tags items enum_values lookup derive
fallback confidence_threshold kind params min max regex values expr
"""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(KEYS.split()),
            inner | st.sampled_from(["STRING", "ENUM", "ARRAY", "OBJECT", "MONEY", "DATE", "pattern", "enum", "check"]),
            max_size=6,
        )
    ),
    max_leaves=25,
)
FIELD = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["a", "b", ""]) | JSON,
        "type": st.sampled_from([kind.value for kind in FieldType]) | JSON,
        "required": st.booleans() | JSON,
        **dict.fromkeys(["default", "labels", "tags", "items", "fields", "enum_values"], JSON),
        **dict.fromkeys(["lookup", "derive", "constraints"], JSON),
    },
)


TOP = ("id", "policy", "constraints")


@settings(max_examples=100)
@given(st.fixed_dictionaries({"fields": st.lists(FIELD, max_size=3) | JSON}, optional=dict.fromkeys(TOP, JSON)))
def test_nonsense_is_adapted_or_refused_with_a_code_and_a_place(raw: Any):
    try:
        assert len(adapt(raw).content_hash) == 64
    except InvalidContractError as error:
        assert error.errors and all(issue.code and issue.path and issue.hint for issue in error.errors)


@settings(max_examples=100)
@given(st.text())
def test_any_text_is_adapted_or_refused(text: str):
    try:
        adapt(text)
    except InvalidContractError as error:
        assert error.errors and all(issue.hint for issue in error.errors)
