"""Several contracts, one of which a page is to fit."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import attrs

from paxman.contract import adapt
from paxman.contract.model import CanonicalContract
from paxman.errors import ContractIssue, contract_error
from paxman.serialization import canonical_hash


@attrs.frozen(slots=False)
class Alternatives:
    """The contracts in the order of the caller, each once."""

    contracts: tuple[CanonicalContract, ...]

    @property
    def id(self) -> str:
        return " | ".join(contract.id for contract in self.contracts)

    @cached_property
    def content_hash(self) -> str:
        return canonical_hash([contract.content_hash for contract in self.contracts])

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """What later stages derive from these contracts together."""
        return {}

    def with_hash(self, content_hash: str) -> CanonicalContract:
        """The contract that was chosen for an artifact, or else the first."""
        return next((each for each in self.contracts if each.content_hash == content_hash), self.contracts[0])


def adapt_all(contract: Any) -> CanonicalContract | Alternatives:
    """A contract, or a list of them; InvalidContractError if two bear one name, since nobody could tell them apart."""
    if isinstance(contract, Alternatives):
        return contract
    is_named = isinstance(contract, tuple) and len(contract) == 2 and isinstance(contract[1], str)
    if not isinstance(contract, list | tuple) or is_named or not contract:
        return adapt(contract)
    found = {each.content_hash: each for each in map(adapt, contract)}
    if len(found) == 1:
        return next(iter(found.values()))
    names = [each.id for each in found.values()]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        message = f"several contracts have the id {', '.join(twice)}."
        raise contract_error([ContractIssue("INVALID_CONTRACT", "(contract)", message, "Give each an id of its own.")])
    return Alternatives(tuple(found.values()))


def each_of(contract: CanonicalContract | Alternatives | None) -> tuple[CanonicalContract, ...]:
    """The contracts that there are."""
    if contract is None:
        return ()
    return contract.contracts if isinstance(contract, Alternatives) else (contract,)
