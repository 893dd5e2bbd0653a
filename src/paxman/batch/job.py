"""What every worker needs to know, in a form that reaches any process on any machine."""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import attrs

from paxman.budget import Budget, Policy
from paxman.config import load_settings
from paxman.contract import adapt
from paxman.contract.alternatives import Alternatives, each_of
from paxman.contract.containment import file_of, lookups_of, outside
from paxman.contract.model import CanonicalContract
from paxman.documents.reading import Limits, readers
from paxman.errors import ConfigurationError
from paxman.lazy import remembered
from paxman.learning.attaching import attach
from paxman.planner.heuristics import lessons_hash
from paxman.planner.registry import CAPABILITIES
from paxman.plugins import load
from paxman.serialization import canonical_hash
from paxman.version import __version__


@attrs.frozen
class Job:
    """The contract and the settings of a batch. `setup` names functions that each worker calls once."""

    contract: CanonicalContract | Alternatives | None
    budget: Budget = Budget()
    policy: Policy = Policy()
    limits: Limits | None = None
    setup: tuple[str, ...] = ()
    provider: Any = None
    artifacts: bool = False
    fresh: bool = False
    rate_limits: Mapping[str, float] = attrs.field(factory=dict)
    """Calls per minute for each provider, over all processes."""
    threads: int = 1
    """Documents that a worker is at together: those that wait for a model need no core."""

    def encode(self) -> bytes:
        """Pickled, with what a worker must have before it can read the rest."""
        bare = self.contract and bare_copy(self.contract)
        packed = pickle.dumps(attrs.evolve(self, contract=bare), pickle.HIGHEST_PROTOCOL)
        # The path by itself, since the job may need it to be unpickled.
        return pickle.dumps((sys.path, packed, registered()))

    def contract_for(self, reference: str | None, inside: str | None = None) -> CanonicalContract | Alternatives:
        """The contract that a row names, or else the batch's own; raises for a bad one."""
        if reference is not None:
            named = adapt(Path(reference))
            strays = outside(named, Path(inside)) if inside is not None else []
            if strays:
                advice = "--allow-paths allows it"
                raise ValueError(f"{', '.join(strays)}: the table is not below the folder of the rows; {advice}")
            return attach(named)
        if self.contract is None:
            raise ValueError("the row names no contract, and the batch has none")
        return self.contract

    def key(self, content_hash: str, suffix: str, contract: CanonicalContract | Alternatives) -> str:
        """The same document, contract and settings have the same key."""
        settings = self._settings(contract)
        return hashlib.sha256(f"{content_hash}{suffix}\0{settings}".encode()).hexdigest()[:40]

    def _settings(self, contract: CanonicalContract | Alternatives) -> str:
        mark = ("batch", self.budget, self.policy, self.limits, repr(self.provider), CAPABILITIES.generation)
        if mark not in contract.memo:
            contract.memo[mark] = self._hash_settings(contract)
        found: str = contract.memo[mark]
        return found

    def mark(self) -> str:
        """The same for the same command; what is in the contracts that rows name, it does not know."""
        return canonical_hash([self._hash_settings(self.contract), self.fresh])

    def _hash_settings(self, contract: CanonicalContract | Alternatives | None) -> str:
        return canonical_hash(
            {
                "contract": [[each.content_hash, each.source] for each in each_of(contract)],
                "budget": attrs.asdict(self.budget),
                "policy": attrs.asdict(self.policy),
                "provider": self.provider,
                "reading": self.reading(),
                "lessons": [lessons_hash(each) for each in each_of(contract)],
                "tables": [_tables(each) for each in each_of(contract)],
                "registered": registered(),
                "paxman": __version__,
            }
        )

    def reading(self) -> list[Any]:
        """What decides how a document is read."""
        versions = [[reader.name, reader.version] for reader in readers]
        return [versions, attrs.asdict(self.limits) if self.limits else None]


def bare_copy(contract: CanonicalContract | Alternatives) -> CanonicalContract | Alternatives:
    """The same without what was remembered of it, such as the state of its tables in an earlier run."""
    if isinstance(contract, CanonicalContract):
        return attrs.evolve(contract)
    return Alternatives(tuple(attrs.evolve(each) for each in contract.contracts))


@remembered(lambda contract: (contract.memo,))
def table_marks(contract: CanonicalContract) -> Mapping[str, list[str | None]]:
    """What tells whether the tables of each field's lookups have changed; None where nothing can."""
    base = Path(contract.base_path or "")
    marks = {field.path: [_mark(lookup, base) for lookup in lookups_of(field)] for field in contract.leaves}
    return {path: found for path, found in marks.items() if found}


def _tables(contract: CanonicalContract) -> list[Any]:
    """Where they are counts only while they cannot be read."""
    marks = table_marks(contract)
    unknown = any(None in found for found in marks.values())
    return [marks, contract.base_path if unknown else None]


def _mark(lookup: Mapping[str, Any], base: Path) -> str | None:
    source = lookup["source"]
    if isinstance(source, Mapping):
        return "in the contract"
    path = file_of(os.environ.get(source[4:], source) if source.startswith("env:") else source, base)
    if path is None:
        return None
    try:
        log = path.with_name(path.name + "-wal")
        return _digest(path) + (_digest(log) if log.exists() else "")
    except (OSError, ValueError):
        return None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@lru_cache(maxsize=4)
def load_job(encoded: bytes) -> Job:
    """The job in this process, once: plugins are registered and the contract is adapted on the first call only."""
    path, packed, expected = pickle.loads(encoded)
    sys.path.extend(place for place in path if place not in sys.path)
    job: Job = pickle.loads(packed)
    prepare(job)
    if any(getattr(each.check_data, "model", True) is None for each in each_of(job.contract)):
        raise ConfigurationError(
            "the workers cannot import the model that is the contract: define it at the top level of a module"
        )
    missing = [name for name in expected if name not in registered()]
    if missing:
        advice = "install it as a plugin, or name the function that registers it in `setup`"
        raise ConfigurationError(
            f"the workers do not have {', '.join(missing)}, which the batch was started with; {advice}"
        )
    return job


def registered() -> list[str]:
    """Everything that takes part in results and may be somebody's own."""
    capabilities = [f"capability {c.spec.id} {c.spec.version}" for c in CAPABILITIES]
    providers = [f"provider {p.name} {getattr(p, 'model', '')}".strip() for p in CAPABILITIES.providers]
    return [*capabilities, *providers, *(f"reader {reader.name} {reader.version}" for reader in readers)]


def prepare(job: Job) -> None:
    """Register what plugins and settings add, unless this process has it."""
    for name in job.setup:
        _call_once(name, load(name))
    if job.provider is not None:
        _call_once(f"provider {job.provider}", load_settings({"provider": job.provider}, {}).register_provider)


_called: set[str] = set()


def _call_once(name: str, function: Callable[[], Any]) -> None:
    if name not in _called:
        _called.add(name)
        function()
