"""Adding third-party capabilities, adapters, readers and providers in code."""

from __future__ import annotations

from paxman.capabilities.base import Capability
from paxman.contract.adapters import ADAPTERS, Adapter
from paxman.documents.reading import DocumentReader, readers
from paxman.planner.registry import CAPABILITIES


def register_capability(capability: Capability) -> Capability:
    """Add a capability to every later run."""
    return CAPABILITIES.register(capability)


def register_adapter(adapter: Adapter) -> Adapter:
    """Add a contract format."""
    return ADAPTERS.register(adapter)


def register_reader(reader: DocumentReader) -> DocumentReader:
    """Add a document format."""
    return readers.register(reader)


def register_provider(provider: object) -> object:
    """Add a model behind a name; capabilities that require this provider then take part in plans."""
    from paxman.inference.provider import check_provider

    check_provider(provider)
    registered = CAPABILITIES.providers.register(provider)
    CAPABILITIES.memo.clear()
    return registered
