"""The product: an immutable record of what was found, how, and at what price."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any, TypeVar

import attrs

from paxman.artifact.coding import decode_value, export_value
from paxman.artifact.correcting import contract_for, correct, document_for, plain_contract, status_after
from paxman.artifact.results import FieldCost, FieldResult, Statistics, model_troubles
from paxman.capabilities.base import EvidenceRef
from paxman.errors import HashMismatchError, unknown_name
from paxman.lazy import lazy_pattern
from paxman.planner.field_plan import ExecutionPlan
from paxman.reconciler.truth import inputs_to_dict, restore_result, whole
from paxman.serialization import canonical_json, record_json, splice_object, to_plain
from paxman.types import Diagnostic, RowLedger, Severity, Span, Status, freeze, place_at, reveal
from paxman.verifier import misfit

Model = TypeVar("Model")
REPLAY_VERSION = "1.2"
_WITHOUT_INPUTS = "1"
"""The format before the rubric's inputs were part of it."""
_STEP = lazy_pattern(r"\[([0-9]{1,9})\]|\[\"(.*?)\"\]|\.([^.\[\]]+)")
_OUTSIDE_HASH = ("id", "created_at", "timings", "metadata")


@attrs.frozen(slots=False, repr=False)
class ExecutionArtifact:
    """Everything one run decided. `replay_hash` covers all but id, created_at, timings and metadata."""

    status: Status
    field_results: tuple[FieldResult, ...]
    diagnostics: tuple[Diagnostic, ...]
    execution_plan: ExecutionPlan
    statistics: Statistics
    contract_id: str
    contract_hash: str
    input_content_hash: str
    capability_versions: Mapping[str, str] = attrs.field(converter=freeze, hash=False)
    paxman_version: str
    planner_version: str
    replay_version: str = REPLAY_VERSION
    replay_hash: str = ""
    id: str = ""
    created_at: str = ""
    timings: Mapping[str, Any] = attrs.field(factory=dict, converter=freeze, hash=False)
    metadata: Mapping[str, Any] = attrs.field(factory=dict, converter=freeze, hash=False)
    root: str = ""
    """The field whose value is all of the data, where a contract describes a list or a map."""
    stored_digest: str | None = attrs.field(default=None, eq=False, repr=False)
    """Set on a loaded artifact: "" when the stored form matched its seal, otherwise what it really hashes to."""
    signatures: tuple[Mapping[str, str], ...] = attrs.field(default=(), eq=False, converter=freeze, repr=False)
    """Who vouches for the sealed form; outside of hash and seal, which they cover."""
    reformatted: bool = attrs.field(default=False, eq=False, repr=False)
    """Set on a loaded artifact whose text says the same as the one that Paxman writes, in other bytes."""

    def __repr__(self) -> str:
        counts = f"{self.statistics.resolved} of {self.statistics.fields} fields"
        return f"<ExecutionArtifact {self.contract_id!r}: {self.status.value}, {counts}, {self.replay_hash[:12]}>"

    @cached_property
    def _by_path(self) -> dict[str, FieldResult]:
        return {result.field_path: result for result in self.field_results}

    def __getitem__(self, path: str) -> FieldResult:
        """The result for a path; `line_items[0].price` gives a single cell."""
        found = self._by_path.get(path) or self._cell(path)
        if found is None:
            raise KeyError(self._say_empty(path) or unknown_name("field", path, self._by_path))
        return found

    def rows(self, path: str) -> RowLedger | None:
        """What became of every line that an array was read from; None where no rows were read."""
        return self[path].rows

    @property
    def normalized_data(self) -> Any:
        """The values in the contract's shape. Unresolved: None if required, left out if optional."""
        data = self._shaped(export_value)
        return data.get(self.root) if self.root else data

    @property
    def unresolved_fields(self) -> tuple[FieldResult, ...]:
        return tuple(result for result in self.field_results if result.status == "UNRESOLVED")

    @property
    def model_troubles(self) -> tuple[str, ...]:
        """Why models that were to be asked gave nothing, each reason once: forbidden, refused, cut off, too dear."""
        steps = (step for plan in self.execution_plan.fields for step in plan.capability_chain)
        return model_troubles(
            self.diagnostics, {step.config["provider"] for step in steps if "provider" in step.config}
        )

    @cached_property
    def evidence(self) -> tuple[EvidenceRef, ...]:
        """Every reference of every field, chosen and rejected, each once."""
        return tuple(self._numbered_evidence()[0])

    def _numbered_evidence(self) -> tuple[dict[EvidenceRef, int], list[list[int]]]:
        """Each reference with its number, and the numbers for each field."""
        index: dict[EvidenceRef, int] = {}
        return index, [[index.setdefault(ref, len(index)) for ref in r.evidence_refs] for r in self.field_results]

    def to(self, model: type[Model]) -> Model:
        """A validated instance of what the contract was: a Pydantic model, another class, or `list[Item]`."""
        from paxman.contract.adapters.class_models import to_instance

        notes = ((each.field_path, each.diagnostics[0].message) for each in self.unresolved_fields if each.diagnostics)
        return to_instance(model, reveal(self.normalized_data), dict(notes))

    def corrected(
        self,
        values: Mapping[str, Any],
        by: str,
        contract: Any = None,
        document: Any = None,
        pointed_at: Mapping[str, Sequence[Span]] | None = None,
    ) -> ExecutionArtifact:
        """The artifact with values that a person says are right; None for what the document does not state.

        Who said so and when is outside the replay hash. With the contract they are held against its constraints, with
        the document (its text, bytes or path) they get their place: `pointed_at`, in stretches of its text, or where
        they are found.
        """
        was = [self[path] for path in values]  # a name that there is not raises a KeyError which says what there is
        plain = plain_contract(self.contract_id, self.field_results)
        contract = plain if contract is None else contract_for(contract, self.contract_hash)
        document = document_for(document, self.input_content_hash, bool(self.root))
        results = correct(self.field_results, values, by, contract, document, pointed_at)
        missing = sum(result.status == "UNRESOLVED" for result in results)
        replaced = {note for result in was for note in result.diagnostics}
        notes = [note for note in self.diagnostics if note not in replaced]
        notes += [note for result in results if result.field_path in values for note in result.diagnostics]
        reviews = [*self.metadata.get("reviews", ()), {"fields": list(values), "by": by, "at": now()}]
        made = attrs.evolve(
            self,
            status=status_after(self.status, results),
            field_results=results,
            diagnostics=tuple(notes),
            statistics=attrs.evolve(self.statistics, resolved=len(results) - missing, unresolved=missing),
            metadata={**self.metadata, "reviews": reviews},
            signatures=(),
            id=os.urandom(16).hex(),
        )
        return attrs.evolve(made, replay_hash=made.computed_hash())

    def to_dict(self) -> dict[str, Any]:
        """Plain data; `seal` covers all of it, so that any changed leaf is noticed."""
        content = {**self._content(), "execution_plan": self.execution_plan.to_dict()}
        data: dict[str, Any] = to_plain({**content, **{name: getattr(self, name) for name in _OUTSIDE_HASH}})
        data["replay_hash"] = self.replay_hash
        data["seal"] = _digest(data)
        return {**data, "signatures": to_plain(self.signatures)} if self.signatures else data

    def to_json(self, indent: int | None = None) -> str:
        """JSON text of `to_dict`; without indent it is canonical."""
        if indent is None:
            return canonical_json(self.to_dict()).decode()
        return json.dumps(self.to_dict(), indent=indent, sort_keys=True, ensure_ascii=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ExecutionArtifact:
        """A stored artifact. What cannot be one raises HashMismatchError; `replay` checks the rest."""
        message = "this is not an artifact that Paxman wrote, or it was changed since"
        try:
            if wrong := misfit("artifact", dict(data)):
                raise HashMismatchError(f"{message}: see {wrong}")
            return _restore(dict(data))
        except (KeyError, ValueError, TypeError, AttributeError, ArithmeticError, IndexError, RecursionError) as error:
            raise HashMismatchError(message, context={"cause": repr(error)}) from error

    @classmethod
    def from_json(cls, text: str | bytes) -> ExecutionArtifact:
        """A stored artifact from its text; `reformatted` says that other bytes than Paxman's were read."""
        try:
            data = json.loads(text, object_pairs_hook=_without_duplicates)
        except (ValueError, RecursionError) as error:
            raise HashMismatchError("this is not an artifact: it is not JSON") from error
        loaded = cls.from_dict(data)
        if loaded.stored_digest:
            return loaded
        given = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        own = loaded.to_json().encode()
        return loaded if given in (own, own + b"\n") else attrs.evolve(loaded, reformatted=True)

    def computed_hash(self) -> str:
        """SHA-256 over the canonical JSON of everything that the hash covers."""
        encoded = splice_object(self._content(), "execution_plan", self.execution_plan.encode())
        return hashlib.sha256(encoded).hexdigest()

    def _content(self) -> dict[str, Any]:
        """What the hash covers, without the plan, which has its own encoding."""
        evidence, numbers = self._numbered_evidence()
        return {
            "status": self.status.value,
            "normalized_data": self._shaped(lambda value, shape: value),
            "field_results": [
                result_to_dict(result, refs, self.replay_version)
                for result, refs in zip(self.field_results, numbers, strict=True)
            ],
            "unresolved_fields": [result.field_path for result in self.unresolved_fields],
            "evidence": [ref.to_dict() for ref in evidence],
            "diagnostics": [diagnostic_to_dict(note) for note in self.diagnostics],
            "statistics": attrs.asdict(self.statistics, recurse=False),
            "capability_versions": dict(self.capability_versions),
            **{name: getattr(self, name) for name in _PLAIN},
            **({"root": self.root} if self.root else {}),
        }

    def _shaped(self, export: Callable[[Any, Any], Any]) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for result in self.field_results:
            if result.status == "RESOLVED" or result.required:
                place_at(data, result.field_path, export(result.value, result.shape))
        return data

    def _say_empty(self, path: str) -> str:
        """That a row has no value under a name that other rows have; empty for what is no such cell."""
        place, _, name = path.rpartition(".")
        above = place.rpartition("[")[0]
        row, rows = self._cell(place), self._by_path.get(above) or self._cell(above)
        if row is None or rows is None or not isinstance(rows.value, tuple):
            return ""
        known = any(isinstance(each, Mapping) and name in each for each in rows.value)
        return f"{place} has no {name}: its cell is blank, or could not be read" if known else ""

    def _cell(self, path: str) -> FieldResult | None:
        """A part of a value that has several: a cell of a row, an entry of a map."""
        owners = [known for known in self._by_path if path.startswith((f"{known}[", f"{known}."))]
        whole = self._by_path[max(owners, key=len)] if owners else None
        if whole is None or whole.status != "RESOLVED":
            return None
        try:
            value, kind = follow(whole.value, whole.shape, path.removeprefix(whole.field_path))
        except (ValueError, LookupError, TypeError):
            return None
        refs = tuple(ref for ref in whole.evidence_refs if ref.field_path == path)
        notes = tuple(note for note in whole.diagnostics if note.field_path == path)
        kind_name = kind.partition(":")[0] if isinstance(kind, str) else _container(kind)
        return attrs.evolve(
            whole,
            field_path=path,
            field_type_name=kind_name,
            value=value,
            evidence_refs=refs,
            diagnostics=notes,
            shape=kind,
            rows=None,
        )


_PLAIN = (
    "contract_id",
    "contract_hash",
    "input_content_hash",
    "paxman_version",
    "planner_version",
    "replay_version",
)


def seal(artifact: ExecutionArtifact) -> ExecutionArtifact:
    """The artifact with its replay hash."""
    return attrs.evolve(artifact, replay_hash=artifact.computed_hash())


def follow(value: Any, shape: Any, steps: str) -> tuple[Any, Any]:
    """What stands at the end of steps such as `[0].price`, and its shape."""
    place = 0
    while place < len(steps):
        match = _STEP.match(steps, place)
        if match is None:
            raise ValueError(steps)
        key: Any = int(match[1]) if match[1] else match[2] if match[2] is not None else match[3]
        value = value[key]
        shape = shape if isinstance(shape, str) else shape[key if isinstance(shape, Mapping) or len(shape) > 1 else 0]
        place = match.end()
    return value, shape


def _container(shape: Any) -> str:
    return "OBJECT" if isinstance(shape, Mapping) else "ARRAY"


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A key that stands twice would hide what stands first."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key stands twice")
    return members


def _digest(data: Mapping[str, Any]) -> str:
    return hashlib.sha256(record_json({k: v for k, v in data.items() if k not in _BESIDE})).hexdigest()


_BESIDE = ("seal", "signatures")
"""What the seal does not cover."""


def diagnostic_to_dict(note: Diagnostic) -> dict[str, Any]:
    return {
        "code": note.code,
        "context": note.context,
        "field_path": note.field_path,
        "message": note.message,
        "severity": note.severity.value,
    }


def diagnostic_from_dict(data: Mapping[str, Any]) -> Diagnostic:
    return Diagnostic(**{**data, "severity": Severity(data["severity"])})


def result_to_dict(result: FieldResult, evidence: list[int], version: str = REPLAY_VERSION) -> dict[str, Any]:
    # As canonical JSON sorts them, which is quick with keys that are in order already.
    return {
        "confidence": whole(result.confidence),
        "confidence_band": result.confidence_band.value,
        **({} if version == _WITHOUT_INPUTS else {"confidence_evidence": inputs_to_dict(result)}),
        "cost": {"invocations": result.cost.invocations, "tokens": result.cost.tokens, "usd": str(result.cost.usd)},
        "diagnostics": [diagnostic_to_dict(note) for note in result.diagnostics],
        "evidence_refs": evidence,
        "field_id": result.field_id,
        "field_path": result.field_path,
        "field_type_name": result.field_type_name,
        "origin": result.origin.value if result.origin else None,
        "required": result.required,
        **({} if result.rows is None else {"rows": result.rows.to_dict()}),
        "shape": result.shape,
        "status": result.status,
        "truth_layer": result.truth_layer.value,
        "value": result.value,
    }


def _result_from_dict(data: Mapping[str, Any], evidence: tuple[EvidenceRef, ...]) -> FieldResult:
    cost = data["cost"]
    refs = tuple(evidence[position] for position in data["evidence_refs"])
    notes = tuple(map(diagnostic_from_dict, data["diagnostics"]))
    values = {**data, "value": decode_value(data["value"], data["shape"]), "evidence_refs": refs, "diagnostics": notes}
    values["cost"] = FieldCost(cost["invocations"], cost["tokens"], Decimal(cost["usd"]))
    return restore_result(FieldResult, values)


def _restore(data: dict[str, Any]) -> ExecutionArtifact:
    evidence = tuple(map(EvidenceRef.from_dict, data["evidence"]))
    statistics = {**data["statistics"], "cost_usd": Decimal(data["statistics"]["cost_usd"])}
    restored = ExecutionArtifact(
        status=Status(data["status"]),
        field_results=tuple(_result_from_dict(result, evidence) for result in data["field_results"]),
        diagnostics=tuple(map(diagnostic_from_dict, data["diagnostics"])),
        execution_plan=ExecutionPlan.from_dict(data["execution_plan"]),
        statistics=Statistics(**statistics),
        capability_versions=data["capability_versions"],
        replay_hash=data["replay_hash"],
        root=data.get("root", ""),
        signatures=tuple(data.get("signatures", ())),
        **{name: data[name] for name in (*_PLAIN, *_OUTSIDE_HASH)},
    )
    # What is stored twice, as normalized_data is beside the fields' values, must agree.
    digest = _digest(data)
    sound = digest == data.get("seal") and record_json(restored.to_dict()) == record_json(data)
    return attrs.evolve(restored, stored_digest="" if sound else digest)


def now() -> str:
    """The time of creation, in UTC; it is outside the hash."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
