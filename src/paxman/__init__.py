"""Any document plus your contract in; typed data with evidence, confidence and price out."""

from __future__ import annotations

from paxman.version import __version__

TYPE_CHECKING = False  # as type checkers know it; importing typing itself would double the time of `import paxman`

if TYPE_CHECKING:
    from paxman.api.evaluating import evaluate
    from paxman.api.normalize import normalize, normalize_async, plan, profile, replay
    from paxman.api.registration import register_adapter, register_capability, register_provider, register_reader
    from paxman.api.teaching import learn
    from paxman.artifact.artifact import ExecutionArtifact
    from paxman.batch.runner import normalize_many
    from paxman.budget import Budget, CurrencyPolicy, Policy
    from paxman.documents.reading import Limits
    from paxman.errors import (
        BudgetExceededError,
        CapabilityError,
        CapabilityNotFoundError,
        ConfigurationError,
        ExecutionError,
        HashMismatchError,
        InferenceProviderError,
        InvalidBudgetError,
        InvalidCapabilitySpecError,
        InvalidConstraintError,
        InvalidContractError,
        InvalidPathError,
        InvalidPolicyError,
        InvalidSemanticTagError,
        PaxmanError,
        ReconciliationError,
        ReplayError,
        UnsupportedFieldTypeError,
        VersionMismatchError,
    )
    from paxman.learning.lessons import Lessons
    from paxman.types import Check, ConfidenceBand, Derive, FieldType, Labels, Lookup, Money, Status, Tags

_HOMES = {
    "paxman.api.normalize": "normalize normalize_async plan profile replay",
    "paxman.api.evaluating": "evaluate",
    "paxman.api.registration": "register_adapter register_capability register_provider register_reader",
    "paxman.api.teaching": "learn",
    "paxman.artifact.artifact": "ExecutionArtifact",
    "paxman.batch.runner": "normalize_many",
    "paxman.budget": "Budget CurrencyPolicy Policy",
    "paxman.documents.reading": "Limits",
    "paxman.errors": (
        "BudgetExceededError CapabilityError CapabilityNotFoundError ConfigurationError ExecutionError "
        "HashMismatchError InferenceProviderError InvalidBudgetError InvalidCapabilitySpecError "
        "InvalidConstraintError InvalidContractError InvalidPathError InvalidPolicyError InvalidSemanticTagError "
        "PaxmanError ReconciliationError ReplayError UnsupportedFieldTypeError VersionMismatchError"
    ),
    "paxman.learning.lessons": "Lessons",
    "paxman.types": "Check ConfidenceBand Derive FieldType Labels Lookup Money Status Tags",
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = [
    "Budget",
    "BudgetExceededError",
    "CapabilityError",
    "CapabilityNotFoundError",
    "Check",
    "ConfidenceBand",
    "ConfigurationError",
    "CurrencyPolicy",
    "Derive",
    "ExecutionArtifact",
    "ExecutionError",
    "FieldType",
    "HashMismatchError",
    "InferenceProviderError",
    "InvalidBudgetError",
    "InvalidCapabilitySpecError",
    "InvalidConstraintError",
    "InvalidContractError",
    "InvalidPathError",
    "InvalidPolicyError",
    "InvalidSemanticTagError",
    "Labels",
    "Lessons",
    "Limits",
    "Lookup",
    "Money",
    "PaxmanError",
    "Policy",
    "ReconciliationError",
    "ReplayError",
    "Status",
    "Tags",
    "UnsupportedFieldTypeError",
    "VersionMismatchError",
    "__version__",
    "evaluate",
    "learn",
    "normalize",
    "normalize_async",
    "normalize_many",
    "plan",
    "profile",
    "register_adapter",
    "register_capability",
    "register_provider",
    "register_reader",
    "replay",
]


if not TYPE_CHECKING:  # a type checker would take any name for one that is there

    def __getattr__(name: str) -> object:
        """Public names are loaded on first use, so that `import paxman` costs next to nothing."""
        if name not in _HOME_OF:
            raise AttributeError(f"module 'paxman' has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(_HOME_OF[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
