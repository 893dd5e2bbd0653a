"""Contracts: what the caller wants to have, in whatever format, brought into one form."""

from __future__ import annotations

import marshal
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from paxman.contract.loading import ContractFile
    from paxman.contract.model import CanonicalContract

ExportFormat = Literal["dict_dsl", "json_schema", "openapi", "pydantic", "sql"]
_ACCEPTED = (
    "a Pydantic model, a dataclass, an attrs class, a TypedDict, a msgspec Struct or a SQLAlchemy model, "
    "a JSON Schema, an OpenAPI document, a Dict DSL contract or CREATE TABLE statements "
    '(as dict, as text, or as the path of a .json, .yaml, .toml or .sql file; (document, "Name") for one of several)'
)


def adapt(contract: Any, *, schema_name: str | None = None) -> CanonicalContract:
    """The canonical form of a contract; `schema_name` picks one schema of an OpenAPI document, as does a pair.

    Raises InvalidContractError with everything that is wrong, TypeError for what cannot be a contract.
    """
    from paxman.contract.model import CanonicalContract

    if isinstance(contract, CanonicalContract):
        return contract
    if isinstance(contract, tuple) and len(contract) == 2 and isinstance(contract[1], str):
        return adapt(contract[0], schema_name=contract[1])
    if isinstance(contract, Mapping):
        return _CONTRACTS.for_mapping(contract, schema_name, lambda: _adapt(contract, schema_name))
    if isinstance(contract, str | os.PathLike):
        return _adapt_text(contract, schema_name)
    if isinstance(contract, type):
        return _CONTRACTS.for_key(contract, lambda: _adapt(contract, schema_name))
    return _adapt(contract, schema_name)


def export(canonical: CanonicalContract, format: ExportFormat) -> Any:
    """The contract in another format; adapting that again gives the same contract, but for SQL, which says less."""
    from paxman.contract.adapters import ADAPTERS

    return ADAPTERS.get_latest(format).export(canonical)


def _adapt(contract: Any, schema_name: str | None, given: str | ContractFile | None = None) -> CanonicalContract:
    from paxman.contract.adapters import find_adapter
    from paxman.contract.drafts import KeyPath, refusal

    adapter = find_adapter(contract)
    if schema_name and adapter and adapter.name in ("dict_dsl", "json_schema", "pydantic"):
        hint = "Only OpenAPI documents and files with several schemas take a name."
        raise refusal(f"a single schema, in which there is no {schema_name!r} to choose", hint=hint)
    if adapter:
        try:
            return adapter.adapt(contract, schema_name=schema_name)
        except RecursionError:
            raise refusal("nested too deeply") from None
    if given is not None or isinstance(contract, Mapping):
        example = _in_dsl(contract) if isinstance(contract, Mapping) else ""
        place = KeyPath("" if given is None or isinstance(given, str) else str(given.path))
        raise refusal("in no format that is known", place, f"A contract is {_ACCEPTED}.{example}")
    kind = contract.__name__ if isinstance(contract, type) else type(contract).__name__
    raise TypeError(f"contract must be {_ACCEPTED}, not {kind}")


def _in_dsl(contract: Mapping[str, Any]) -> str:
    """How the first field of a plain mapping is written as a contract."""
    import json

    from paxman.types import FieldType

    name, kind = next(iter(contract.items()))
    word = str(getattr(kind, "__name__", kind)).upper()
    known = (each.value for each in FieldType if each.value.startswith(word))
    kind = {"NUMBER": "DECIMAL", "FLOAT": "DECIMAL"}.get(word) or next(known, "STRING")
    field = json.dumps({"name": str(name), "type": kind, "required": True}, ensure_ascii=False)
    return f' For example:\n{{"id": "mine", "fields": [\n  {field}\n]}}'


def _adapt_text(contract: str | os.PathLike[str], schema_name: str | None) -> CanonicalContract:
    from paxman.contract.loading import find_file, load_text

    file = find_file(contract)
    if file:
        name = schema_name or file.fragment
        return _CONTRACTS.for_key((file.stamp, name), lambda: _adapt_file(file, name))
    text = str(contract)
    return _CONTRACTS.for_key((text, schema_name), lambda: _adapt(load_text(text), schema_name, text))


def _adapt_file(file: ContractFile, schema_name: str | None) -> CanonicalContract:
    import attrs

    from paxman.contract.loading import load_file

    adapted = _adapt(load_file(file), schema_name, file)
    return attrs.evolve(adapted, base_path=str(file.path.parent))


_SIZE = 256


class ContractCache:
    """The last few hundred contracts: data by content, Pydantic models by themselves."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._recent: OrderedDict[Hashable, CanonicalContract] = OrderedDict()

    def get(self, key: Hashable) -> CanonicalContract | None:
        with self._lock:
            found = self._recent.get(key)
            if found is not None:
                self._recent.move_to_end(key)
            return found

    def put(self, key: Hashable, contract: CanonicalContract) -> CanonicalContract:
        with self._lock:
            self._recent[key] = contract
            if len(self._recent) > _SIZE:
                self._recent.popitem(last=False)
        return contract

    def for_key(self, key: Hashable, adapt: Callable[[], CanonicalContract]) -> CanonicalContract:
        return self.get(key) or self.put(key, adapt())

    def for_mapping(self, raw: Any, extra: Hashable, adapt: Callable[[], CanonicalContract]) -> CanonicalContract:
        """By content, so that an edited dict is adapted anew.

        The newest marshal format is twice as fast but its bytes depend on who else holds the strings; the older
        one decides.
        """
        quick = (_dump(raw, marshal.version), extra)
        found = self.get(quick)
        if found is None:
            sure = (_dump(raw, 2), extra)
            found = adapt() if sure[0] is None else self.for_key(sure, adapt)
            if quick[0] is not None:
                self.put(quick, found)
        return found


_CONTRACTS = ContractCache()


def _dump(raw: Any, version: int) -> bytes | None:
    """Bytes that stand for the content; None if it holds what cannot be written down."""
    try:
        return marshal.dumps(raw, version)
    except ValueError:
        return _pickle(raw) if isinstance(raw, Mapping) else None


def _pickle(raw: Any) -> bytes | None:
    import pickle

    try:
        return pickle.dumps(raw)
    except Exception:
        return None
