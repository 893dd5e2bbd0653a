"""Contract formats: one adapter each, found by the structure of what the caller gives."""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol

from paxman.contract.detection import format_of
from paxman.contract.model import CanonicalContract
from paxman.plugins import Registry, load


class Adapter(Protocol):
    """Reads one format of contracts, and writes it."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def accepts(self, contract: Any) -> bool: ...

    def adapt(self, contract: Any, **options: Any) -> CanonicalContract: ...

    def export(self, canonical: CanonicalContract) -> Any: ...


BUILT_IN = {
    "dict_dsl": "paxman.contract.adapters.dict_dsl:DictDslAdapter",
    "json_schema": "paxman.contract.adapters.json_schema:JsonSchemaAdapter",
    "openapi": "paxman.contract.adapters.json_schema:OpenApiAdapter",
    "pydantic": "paxman.contract.adapters.pydantic:PydanticAdapter",
    "python_class": "paxman.contract.adapters.python_classes:PythonClassAdapter",
    "sql": "paxman.contract.adapters.sql:SqlAdapter",
    "wrapped_schema": "paxman.contract.adapters.json_schema:WrappedSchemaAdapter",
}
ADAPTERS: Registry[Adapter] = Registry("adapter", BUILT_IN, lambda adapter: (adapter.name, adapter.version))


@cache
def _built_in(name: str) -> Adapter:
    """One adapter without the others: to load the whole registry takes longer than to adapt a contract."""
    adapter: Adapter = load(BUILT_IN[name])()
    return adapter


def find_adapter(contract: Any) -> Adapter | None:
    """The adapter for a contract: built-ins by structure, then whoever accepts it."""
    known = format_of(contract)
    if known:
        return _built_in(known)
    return next((adapter for adapter in ADAPTERS if adapter.name not in BUILT_IN and adapter.accepts(contract)), None)
