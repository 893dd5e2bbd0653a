"""Every error Paxman raises.

PaxmanError: InvalidContractError (UnsupportedFieldType, InvalidConstraint, InvalidPath, InvalidSemanticTag);
ExecutionError (CapabilityError (InferenceProvider), BudgetExceeded, Reconciliation); ReplayError (VersionMismatch,
HashMismatch, CapabilityNotFound); ConfigurationError (InvalidBudget, InvalidPolicy, InvalidCapabilitySpec).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import attrs


class PaxmanError(Exception):
    """Base of all errors; `error_code` is stable, `context` holds the data behind the message."""

    error_code = "PAXMAN_ERROR"

    def __init__(
        self, message: str, *, error_code: str | None = None, context: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.error_code = error_code or type(self).error_code
        self.context = dict(context or {})


@attrs.frozen
class ContractIssue:
    """One thing wrong with a contract: a code, where it stands in the contract, and what to do."""

    code: str
    path: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        where = self.path or "(contract)"
        return f"{self.code} at {where}: {self.message}" + (f" Hint: {self.hint}" if self.hint else "")


class InvalidContractError(PaxmanError):
    """The contract cannot be used; `errors` lists every reason, `warnings` what was ignored beside them."""

    error_code = "INVALID_CONTRACT"

    def __init__(self, errors: Iterable[ContractIssue], warnings: Iterable[str] = ()) -> None:
        self.errors, self.warnings = tuple(errors), tuple(warnings)
        lines = "\n".join(f"  - {line}" for line in (*self.errors, *(f"warning: {text}" for text in self.warnings)))
        plural = "" if len(self.errors) == 1 else "s"
        super().__init__(
            f"the contract has {len(self.errors)} error{plural}:\n{lines}",
            error_code=self.errors[0].code if self.errors else None,
            context={"errors": [attrs.asdict(issue) for issue in self.errors]},
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.errors, self.warnings)


class UnsupportedFieldTypeError(InvalidContractError):
    """A field's type is not one that Paxman knows."""


class InvalidConstraintError(InvalidContractError):
    """A constraint is unknown, incomplete or contradictory."""


class InvalidPathError(InvalidContractError):
    """A reference inside the contract, or the contract's file, leads nowhere."""


class InvalidSemanticTagError(InvalidContractError):
    """A semantic tag is not a usable word."""


_ISSUE_CLASSES: dict[str, type[InvalidContractError]] = {
    "UNKNOWN_FIELD_TYPE": UnsupportedFieldTypeError,
    "INVALID_CONSTRAINT": InvalidConstraintError,
    "UNKNOWN_CONSTRAINT_KIND": InvalidConstraintError,
    "CONSTRAINT_PARAM_MISSING": InvalidConstraintError,
    "INVALID_REGEX_PATTERN": InvalidConstraintError,
    "INVALID_SEMANTIC_TAG": InvalidSemanticTagError,
}


def contract_error(issues: Iterable[ContractIssue], warnings: Iterable[str] = ()) -> InvalidContractError:
    """The most specific error class that fits all issues."""
    issues = tuple(issues)
    kinds = {_ISSUE_CLASSES.get(issue.code, InvalidContractError) for issue in issues}
    return (kinds.pop() if len(kinds) == 1 else InvalidContractError)(issues, warnings)


class ExecutionError(PaxmanError):
    error_code = "EXECUTION_FAILED"


class CapabilityError(ExecutionError):
    error_code = "CAPABILITY_FAILED"


class InferenceProviderError(CapabilityError):
    error_code = "PROVIDER_FAILED"


class BudgetExceededError(ExecutionError):
    error_code = "BUDGET_EXCEEDED"


class ReconciliationError(ExecutionError):
    error_code = "RECONCILIATION_FAILED"


class ReplayError(PaxmanError):
    error_code = "REPLAY_FAILED"


class VersionMismatchError(ReplayError):
    error_code = "VERSION_MISMATCH"


class HashMismatchError(ReplayError):
    error_code = "HASH_MISMATCH"


class CapabilityNotFoundError(ReplayError):
    error_code = "CAPABILITY_NOT_FOUND"


class ConfigurationError(PaxmanError):
    error_code = "INVALID_CONFIGURATION"


class InvalidBudgetError(ConfigurationError):
    error_code = "INVALID_BUDGET"


class InvalidPolicyError(ConfigurationError):
    error_code = "INVALID_POLICY"


class InvalidCapabilitySpecError(ConfigurationError):
    error_code = "INVALID_CAPABILITY_SPEC"


def near_names(name: str, known: Iterable[str], least: float = 0.6) -> list[str]:
    """The known names that a name may be a slip of, the nearest first, by how much of them is alike."""
    import difflib

    bare = {each.lstrip("-"): each for each in known}
    return [bare[each] for each in difflib.get_close_matches(name.lstrip("-"), sorted(bare), 3, least)]


def unknown_name(what: str, name: str, known: Iterable[str], advice: str = "") -> str:
    """Message for a name that was not found: what exists, the nearest one, and what to do."""
    known = sorted(known)
    near = near_names(name, known)
    guess = f" Did you mean {near[0]!r}?" if near else ""
    listed = ", ".join(known) if known else "none"
    return f"no {what} named {name!r}.{guess} Known: {listed}." + (f" {advice}" if advice else "")


def to_install(extra: str) -> str:
    """The command that brings an extra: Paxman is installed from its checkout, as it is in no registry."""
    return f"pip install '.[{extra}]' in a checkout of Paxman"


def need(module: str, extra: str) -> Any:
    """An optional dependency, or an error that names the extra which brings it."""
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        message = f"this needs {module.partition('.')[0]}: {to_install(extra)}"
        raise ConfigurationError(message) from None
