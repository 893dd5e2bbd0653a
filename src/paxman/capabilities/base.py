"""What a capability is: its spec, what it is given, and what it may return. Confidence is no part of it."""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, Protocol, Union, get_args, get_origin, get_type_hints

import attrs

from paxman.budget import Policy
from paxman.classes import frozen, record
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document, Source, source_from_dict, source_to_dict
from paxman.errors import InvalidCapabilitySpecError
from paxman.lazy import lazy_pattern
from paxman.serialization import record_json
from paxman.types import Diagnostic, FieldType, Origin, RowLedger, Severity, Span, to_decimal


@enum.unique
class CapabilityTier(enum.IntEnum):
    LOCAL_DETERMINISTIC = 1
    STRUCTURED_LOOKUP = 2
    LOCAL_INFERENCE = 3
    REMOTE_INFERENCE = 4


@enum.unique
class ChainStep(enum.IntEnum):
    """The order in which a field's chain is walked."""

    EXPLICIT_EVIDENCE = 1
    LOCAL_EXTRACTION = 2
    STRUCTURED_LOOKUP = 3
    DERIVATION = 4
    LOCAL_INFERENCE = 5
    REMOTE_INFERENCE = 6

    @property
    def origin(self) -> Origin:
        return _ORIGINS[self]


_ORIGINS = {
    ChainStep.EXPLICIT_EVIDENCE: Origin.EXTRACTED,
    ChainStep.LOCAL_EXTRACTION: Origin.EXTRACTED,
    ChainStep.STRUCTURED_LOOKUP: Origin.LOOKED_UP,
    ChainStep.DERIVATION: Origin.DERIVED,
    ChainStep.LOCAL_INFERENCE: Origin.INFERRED,
    ChainStep.REMOTE_INFERENCE: Origin.INFERRED,
}
_STEP_OF_TIER = {
    CapabilityTier.LOCAL_DETERMINISTIC: ChainStep.LOCAL_EXTRACTION,
    CapabilityTier.STRUCTURED_LOOKUP: ChainStep.STRUCTURED_LOOKUP,
    CapabilityTier.LOCAL_INFERENCE: ChainStep.LOCAL_INFERENCE,
    CapabilityTier.REMOTE_INFERENCE: ChainStep.REMOTE_INFERENCE,
}


def _not_negative(instance: Any, attribute: attrs.Attribute[Any], value: Any) -> None:
    if value < 0:
        raise InvalidCapabilitySpecError(
            f"cost {attribute.name} must not be negative, got {value}", error_code="INVALID_COST_HINT"
        )


@frozen
class CostHint:
    """The most that one invocation is expected to cost."""

    tokens: int = attrs.field(default=0, validator=_not_negative)
    ms: int = attrs.field(default=0, validator=_not_negative)
    usd: Decimal = attrs.field(default=Decimal(0), converter=to_decimal, validator=_not_negative)


ALL_TYPES = frozenset(FieldType)
ALL_INPUTS = frozenset({"text", "html", "csv", "json", "pdf_text", "email", "unknown"})


def _inputs(kinds: Iterable[str]) -> frozenset[str]:
    return frozenset(kinds)


def _outputs(types: Iterable[FieldType]) -> frozenset[FieldType]:
    return frozenset(map(FieldType, types))


def _providers(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(names)  # `tuple` itself as a converter takes 2 ms at the start, to find out its signature.


@frozen
class CapabilitySpec:
    """What a capability says of itself; `step` is its place in the chain, by default that of its tier."""

    id: str
    version: str
    input_types: frozenset[str] = attrs.field(default=ALL_INPUTS, converter=_inputs)
    output_types: frozenset[FieldType] = attrs.field(default=ALL_TYPES, converter=_outputs)
    tier: CapabilityTier = attrs.field(default=CapabilityTier.LOCAL_DETERMINISTIC, converter=CapabilityTier)
    cost_estimate: CostHint = CostHint()
    deterministic: bool = True
    required_providers: tuple[str, ...] = attrs.field(default=(), converter=_providers)
    step: ChainStep = attrs.field()

    @step.default
    def _step(self) -> ChainStep:
        return _STEP_OF_TIER[self.tier]


Role = Literal["supporting", "rejected", "context"]
Basis = Literal[
    "name",
    "shape",
    "model",
    "relation",
    "lesson",
    "stand_in",
    "likeness",
    "wording",
    "place",
    "memory",
    "open",
    "answer",
]
"""What ties a place to its field.

name: the contract's own name, label, key, pattern, table or formula; shape: how the value is written; model: a model's
answer; relation: one that holds; lesson: of examples. The others are context: stand_in, the label of a related field;
likeness, to a key or to a pattern that much else fits; wording, the words around it; place, only where it stands;
memory, a lesson that is not sure; open, a row of an array whose ledger is open; answer, a model's without a place.
"""
_TYING = frozenset(("name", "shape", "model", "relation", "lesson"))


@attrs.frozen(cache_hash=True)
class EvidenceRef:
    """Where a value came from: the place in the source, and each step from the quote to the value."""

    # What tells references apart nearly always is enough for the hash, which every run takes of every one.
    capability_id: str
    capability_version: str = attrs.field(hash=False)
    field_path: str
    span: Span | None = None
    source: Source | None = attrs.field(default=None, hash=False)
    quote_hash: str | None = attrs.field(default=None, hash=False)
    quote: str | None = attrs.field(default=None, hash=False)
    role: Role = "supporting"
    transforms: tuple[str, ...] = attrs.field(default=(), hash=False)
    model_id: str | None = attrs.field(default=None, hash=False)
    basis: Basis = attrs.field(default="name", hash=False)
    detail: str | None = None
    """What stands in for a span where there is none: the row of a lookup, the formula of a derivation."""

    @property
    def supports(self) -> bool:
        """Whether this is evidence that a value is its field's; where it stands or how it reads is only context."""
        return self.role == "supporting" and self.basis in _TYING

    @property
    def is_of_picture(self) -> bool:
        """Whether a model read it in the picture of a page, whose text does not have it."""
        return self.basis == "model" and self.span is None and self.source is not None

    @property
    def is_concluded(self) -> bool:
        """Whether its place says the value only to a reader, who worked it out."""
        return self.transforms[:1] != () and self.transforms[0].startswith("concluded:")

    @property
    def is_of_value(self) -> bool:
        """Whether it names a place of the value itself, if only as context, and no input, relation or exchange."""
        if self.role == "context":
            return self.basis not in _TYING
        return self.role == "supporting" and self.basis != "relation"

    def to_dict(self) -> dict[str, Any]:
        # As canonical JSON sorts them, which is quick with keys that are in order already.
        return {
            "basis": self.basis,
            "capability_id": self.capability_id,
            "capability_version": self.capability_version,
            "detail": self.detail,
            "field_path": self.field_path,
            "model_id": self.model_id,
            "quote": self.quote,
            "quote_hash": self.quote_hash,
            "role": self.role,
            "source": None if self.source is None else source_to_dict(self.source),
            "span": self.span,
            "transforms": self.transforms,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> EvidenceRef:
        values = dict(data)
        if values.get("span") is not None:
            values["span"] = tuple(values["span"])
        if values.get("source") is not None:
            values["source"] = source_from_dict(values["source"])
        values["transforms"] = tuple(values["transforms"])
        return cls(**values)


def quote_hash(quote: str) -> str:
    return hashlib.sha256(quote.encode("utf-8", "replace")).hexdigest()


_ROW = lazy_pattern(r"\[([0-9]+)\]")


def row_of(field: CanonicalField, path: str) -> int | None:
    """The number of the row that a path is of, or is inside of."""
    found = _ROW.match(path, len(field.path)) if path.startswith(field.path) else None
    return int(found[1]) if found else None


def renumbered(field: CanonicalField, said: Sequence[Any], places: Mapping[int, int]) -> Iterator[Any]:
    """Evidence or notes on rows that are kept, at their new places; what is on no row stays as it is."""
    for each in said:
        row = row_of(field, each.field_path or "")
        if row is None:
            yield each
        elif row in places:
            rest = each.field_path[len(field.path) + len(f"[{row}]") :]
            path = f"{field.path}[{places[row]}]{rest}"
            yield each if path == each.field_path else attrs.evolve(each, field_path=path)


@frozen
class CandidateSource:
    """Who offered a candidate; the executor fills this in."""

    capability_id: str
    capability_version: str
    position: int
    deterministic: bool
    origin: Origin


@frozen
class Candidate:
    """A value that a capability stands behind, with its evidence; `fx_rate` if a MONEY value was quoted with one."""

    value: Any = attrs.field(hash=False)
    evidence_refs: tuple[EvidenceRef, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    fx_rate: Decimal | None = None
    source: CandidateSource | None = None
    rows: RowLedger | None = None
    """What became of the lines that the rows of an array were read from."""

    def sourced(self, source: CandidateSource) -> Candidate:
        """The same candidate with its source; written out, since every candidate of every run passes here."""
        return Candidate(self.value, self.evidence_refs, self.diagnostics, self.fx_rate, source, self.rows)


@frozen
class Objection:
    """What `validation` has against a value: it is rejected, or it is kept as one that did not pass."""

    value: Any = attrs.field(hash=False)
    reason: str = ""
    rejects: bool = True


@frozen
class CapabilityResult:
    """What one invocation found: candidates, evidence that belongs to none of them, and notes.

    Objections are those of `validation`; from other capabilities they are not heard. `rows` is the ledger of rows of
    which none came out; others are with their candidates.
    """

    candidates: tuple[Candidate, ...] = ()
    evidence: tuple[EvidenceRef, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    tokens: int = 0
    usd: Decimal = Decimal(0)
    objections: tuple[Objection, ...] = ()
    rows: RowLedger | None = None


NOTHING = CapabilityResult()


def malformation(result: Any) -> str:
    """What is wrong with what a capability returned, or nothing; plugins are not type-checked by us."""
    if result is NOTHING:
        return ""
    if not isinstance(result, CapabilityResult):
        return f"returned {type(result).__name__}, not CapabilityResult"
    if wrong := _misfit(result, CapabilityResult, ""):
        return f"returned {wrong} of another type"
    refs = [*result.evidence, *(ref for candidate in result.candidates for ref in candidate.evidence_refs)]
    notes = [*result.diagnostics, *(note for candidate in result.candidates for note in candidate.diagnostics)]
    if result.usd < 0 or result.tokens < 0:
        return "returned a cost below zero"
    if not all(0 <= ref.span[0] <= ref.span[1] for ref in refs if ref.span):
        return "returned a span that ends before it starts"
    try:
        record_json([ref.to_dict() for ref in refs])
        record_json([candidate.value for candidate in result.candidates])
        record_json([(note.code, note.message, note.context) for note in notes])
    except (TypeError, ValueError, AttributeError, RecursionError):
        return "returned a value or a note that cannot be stored"
    return ""


def _misfit(value: Any, kind: Any, name: str) -> str:
    """The name of what is not of its declared type: a value, or a part of it."""
    origin, kinds = get_origin(kind), get_args(kind)
    if origin is tuple and ... in kinds:
        if not isinstance(value, tuple | list):
            return name
        return next(filter(None, (_misfit(each, kinds[0], name) for each in value)), "")
    if origin in (Union, UnionType):
        tried = [_misfit(value, each, name) for each in kinds if each is not NoneType]
        return "" if value is None and NoneType in kinds else "" if "" in tried else tried[0]
    if attrs.has(kind) and isinstance(value, kind):
        parts = (_misfit(getattr(value, part), hint, part) for part, hint in _hints(kind).items())
        return next(filter(None, parts), "")
    if origin is tuple:
        fits = type(value) is tuple and [type(each) for each in value] == [*kinds]
    elif kind is Decimal:
        fits = isinstance(value, Decimal) and value.is_finite()
    else:
        fits = kind is Any or (value in kinds if origin is Literal else isinstance(value, origin or kind))
    return "" if fits and not (kind is int and isinstance(value, bool)) else name


@lru_cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {part.name: hints[part.name] for part in attrs.fields(kind)}


@frozen
class CandidateResult:
    """Everything the executor gathered for one field."""

    field_id: str
    field_path: str
    candidates: tuple[Candidate, ...] = ()
    evidence: tuple[EvidenceRef, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    status: Literal["CANDIDATES", "UNRESOLVED"] = "UNRESOLVED"
    invocations: int = 0
    tokens: int = 0
    usd: Decimal = Decimal(0)
    objections: tuple[Objection, ...] = ()
    rows: RowLedger | None = None
    """The ledger of rows that were all rejected."""


@record
class CapabilityContext:
    """What a capability is given for one field: the document, the step's configuration, and what is known so far."""

    spec: CapabilitySpec
    field: CanonicalField
    contract: CanonicalContract
    read: Callable[[], Document]
    config: Mapping[str, Any] = attrs.field(factory=dict)
    policy: Policy = Policy()
    candidates: tuple[Candidate, ...] = ()
    resolved: Mapping[str, Any] = attrs.field(factory=dict)
    """Values of the fields that were settled before this one, by path."""
    basis: Basis = "name"
    """What ties to the field what is read next, unless a reading says otherwise itself."""

    @property
    def document(self) -> Document:
        """With plain blanks; quotes are of the true text."""
        return self.read().plain

    def seeing(self, document: Document) -> CapabilityContext:
        """The same for another document, such as a part of this one."""
        return attrs.evolve(self, read=lambda: document)

    def noted(
        self, code: str, message: str, severity: Severity = Severity.WARNING, context: Mapping[str, Any] | None = None
    ) -> CapabilityResult:
        """A result that is only a note on the field."""
        return CapabilityResult(diagnostics=(Diagnostic(code, severity, message, self.field.path, context or {}),))

    def evidence(
        self,
        span: Span,
        transforms: tuple[str, ...] = (),
        *,
        path: str | None = None,
        source: Source | None = None,
        basis: Basis = "name",
    ) -> EvidenceRef:
        """A reference to a span of the document."""
        document = self.read()
        quote = document.text[span[0] : span[1]]
        if document.plain is not document and self.document.text[span[0] : span[1]] != quote:
            transforms = ("blanks", *transforms)
        return EvidenceRef(
            self.spec.id,
            self.spec.version,
            path or self.field.path,
            span,
            source or document.place(span, transforms),
            quote_hash(quote),
            quote if self.policy.embed_evidence_payload else None,
            "supporting",
            transforms,
            basis=self.basis if self.basis not in _TYING and basis in _TYING else basis,
        )


class Capability(Protocol):
    """Anything with a spec that turns a context into a result."""

    @property
    def spec(self) -> CapabilitySpec: ...

    def invoke(self, context: CapabilityContext) -> CapabilityResult: ...
