"""Adding third-party capabilities, adapters, readers and providers in code."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from paxman.budget import Budget, Policy, capped
from paxman.capabilities.base import Capability
from paxman.contract.adapters import ADAPTERS, Adapter
from paxman.documents.reading import DocumentReader, readers
from paxman.planner import ExecutionPlan
from paxman.planner.registry import CAPABILITIES, CapabilityRegistry
from paxman.types import Diagnostic, Severity


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


_with_models: dict[Any, CapabilityRegistry] = {}
_MOST_REGISTRIES = 16


def registry_for(policy: Policy, budget: Budget) -> CapabilityRegistry:
    """The registry of a run: where the policy names models, these alone are asked."""
    if not policy.models:
        return CAPABILITIES
    from paxman.inference.environment import check_alone

    check_alone(policy.models)
    providers = CAPABILITIES.providers
    registered = {provider.name: provider for provider in providers}
    cap = capped(budget, policy).max_total_cost_usd
    named = [_model(name, registered, policy, cap) for name in dict.fromkeys(policy.models)]
    asked = tuple(provider for provider in named if provider is not None)
    key = (CAPABILITIES.generation, providers.generation, tuple(map(id, asked)))
    found = _with_models.get(key)
    if found is None:
        if len(_with_models) >= _MOST_REGISTRIES:
            _with_models.clear()
        found = CAPABILITIES.copy()
        for name in registered:
            found.providers.unregister(name)
        for provider in asked:
            found.providers.register(provider)
        _with_models[key] = found
    return found


def _model(name: str, registered: dict[str, Any], policy: Policy, cap: Decimal | None) -> Any:
    """A provider by its own name, or the one that "vendor:NAME" stands for; none if the policy forbids it."""
    if name in registered:
        return registered[name]
    from paxman.inference.environment import is_remote, named_model

    return None if is_remote(name) and not policy.allow_remote_inference else named_model(name, cap)


def forbidden_models(policy: Policy, plan: ExecutionPlan) -> Iterator[Diagnostic]:
    """A note for each model that is named and that policy or budget do not allow to be asked."""
    from paxman.inference.environment import is_remote

    registered = {provider.name: provider for provider in CAPABILITIES.providers}
    too_dear = next((note.message for note in plan.diagnostics if note.code == "BUDGET_EXCLUDES_INFERENCE"), None)
    for name in policy.models:
        remote = registered[name].tier == "remote" if name in registered else is_remote(name)
        allowed = policy.allow_remote_inference if remote else policy.allow_local_inference
        reason = too_dear if allowed else f"the policy forbids {'remote' if remote else 'local'} models"
        if reason:
            message = f"model not asked: {name} is named, but {reason}"
            yield Diagnostic("MODEL_NOT_ASKED", Severity.WARNING, message)
