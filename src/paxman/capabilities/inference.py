"""Values that a model answers with the lines that they rest on, which code holds against the page."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import ROUND_DOWN, Decimal
from typing import Any

import attrs

from paxman.capabilities import specs
from paxman.capabilities.answered import CONCLUDED, UNGROUNDED, Grounded, Readings, ShownPage, line_heads, line_spans
from paxman.capabilities.answered_rows import RowGathering
from paxman.capabilities.base import Candidate, CapabilityContext, CapabilityResult, EvidenceRef
from paxman.capabilities.row_completion import complete
from paxman.capabilities.shown_tables import ShownTable, read_by_heads, tables_of
from paxman.capabilities.values import conventions
from paxman.contract.constraints import problems
from paxman.contract.model import CanonicalField
from paxman.contract.relation import stated_relations
from paxman.documents.document import Document
from paxman.errors import CapabilityError, InferenceProviderError
from paxman.inference.calling import Call, Purse, call
from paxman.inference.grounding import Haystack
from paxman.inference.masking import mask, merge, spans_to_mask
from paxman.inference.models import holds_personal, is_askable, is_personal, personal_paths
from paxman.inference.pieces import by_likelihood, cut, pictures_of, touches
from paxman.inference.prompting import (
    ModelAnswer,
    ModelRows,
    build_form,
    build_request,
    field_keys,
    is_flat,
    numbered,
    overhead,
    read_answers,
)
from paxman.inference.provider import Picture, Provider, Request
from paxman.recognizers import find
from paxman.serialization import canonical_json
from paxman.types import MASK, Diagnostic, FieldType, Money, Severity, Span

_SHARE = Decimal("1E-12")
_LEAST_ROOM = 500
_FEW_FIELDS = 4
_SHARE_OF_PICTURES = 2
"""Pictures take up to half of what is sent."""
_MOST_HALVINGS = 2


class Inference:
    """Asks one provider for many fields at once; see `ask`."""

    spec = specs.INFERENCE

    def invoke(self, context: CapabilityContext) -> CapabilityResult:
        raise CapabilityError("asks for many fields at once: use ask")

    def ask(
        self,
        contexts: Sequence[CapabilityContext],
        provider: Provider,
        purse: Purse,
        others: Mapping[str, tuple[Candidate, ...]],
    ) -> list[CapabilityResult]:
        """One result per context; `others` are the candidates of all fields so far, by path."""
        inquiry = _Inquiry(provider, purse, contexts, _hidden(contexts[0], provider, others))
        wanted = {context.field.path: context for context in contexts}
        fields = _askable(contexts[0], provider)
        if _is_small(provider):
            groups = [fields[at : at + _FEW_FIELDS] for at in range(0, len(fields), _FEW_FIELDS)]
        else:
            groups = _groups(fields, provider.terms.request_bytes // 2)
        for group in groups:
            asked = [wanted[field.path] for field in group if field.path in wanted]
            if asked:
                inquiry.ask(asked, group)
        return inquiry.results()


def _hidden(
    context: CapabilityContext, provider: Provider, others: Mapping[str, tuple[Candidate, ...]]
) -> tuple[Span, ...]:
    """Where the document shows personal values that are known already and must not leave the machine."""
    if provider.tier == "local" or context.policy.allow_remote_pii:
        return ()
    text = context.document.text
    personal = personal_paths(context.contract)
    refs = [ref for candidates in others.values() for each in candidates for ref in each.evidence_refs]
    spans = {ref.span for ref in refs if ref.span and is_personal(ref.field_path, personal)}
    known = [(path, each.value) for path, candidates in others.items() for each in candidates]
    values = [v for path, value in (*context.resolved.items(), *known) for v in _personal_values(path, value, personal)]
    texts = {*(text[start:end] for start, end in spans), *map(str, values)}
    return merge({*spans, *spans_to_mask(text, sorted(texts)), *_same_values(context, values)})


def _is_small(provider: Provider) -> bool:
    return getattr(provider.terms, "style", "full") == "small"


def _pictures(context: CapabilityContext, provider: Provider) -> tuple[Picture, ...]:
    """The pages that a model is shown; none where personal values would have to be covered in them."""
    shares = provider.tier == "local" or context.policy.allow_remote_pii
    sight = getattr(provider.terms, "sees", None)
    if sight is None or not (shares or not personal_paths(context.contract)):
        return ()
    document = context.document
    body = document.body or (0, len(document.text))
    return pictures_of(document, body, sight, provider.terms.request_bytes // _SHARE_OF_PICTURES)


def _same_values(context: CapabilityContext, values: Iterable[Any]) -> Iterator[Span]:
    """Where the document writes these dates and numbers in whatever way."""
    dates = {value for value in values if isinstance(value, date)}
    numbers = {getattr(value, "amount", value) for value in values if type(value) in (int, Decimal, Money)}
    for kind, wanted in (("date", dates), ("decimal", numbers)):
        for reading in find(kind, context.document.text, conventions(context)) if wanted else ():
            if any(each.value in wanted for each in (reading, *reading.alternatives)):
                yield reading.start, reading.end


def _personal_values(path: str, value: Any, personal: frozenset[str]) -> Iterator[Any]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _personal_values(f"{path}.{name}", item, personal)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _personal_values(path, item, personal)
    elif value is not None and is_personal(path, personal):
        yield value


def _askable(context: CapabilityContext, provider: Provider) -> list[CanonicalField]:
    """All fields that this model may be asked for: they are described alike in every question about a contract."""
    shares = provider.tier == "local" or context.policy.allow_remote_pii
    personal = frozenset() if shares else personal_paths(context.contract)
    fields = (field for field, _ in context.contract.planned if is_askable(field))
    return [field for field in fields if not holds_personal(field.path, personal)]


def _groups(fields: Sequence[CanonicalField], most_bytes: int) -> list[list[CanonicalField]]:
    """All fields in one question, unless describing them takes up too much of it."""
    if overhead(fields) <= most_bytes:
        return [list(fields)]
    groups: list[list[CanonicalField]] = [[]]
    for field in fields:
        if groups[-1] and overhead([*groups[-1], field]) > most_bytes:
            groups.append([])
        groups[-1].append(field)
    return groups


@attrs.define
class _Asked:
    """What one field gets from the calls that asked for it."""

    context: CapabilityContext
    candidates: list[Candidate] = attrs.field(factory=list)
    evidence: list[EvidenceRef] = attrs.field(factory=list)
    diagnostics: list[Diagnostic] = attrs.field(factory=list)
    tokens: int = 0
    usd: Decimal = Decimal(0)
    shown: int = 0
    """Parts of the text that the model was shown for this field."""
    gathering: RowGathering | None = None
    """The rows so far, where the field is an array of them: every piece may have more."""

    @property
    def has_answer(self) -> bool:
        """Whether there is a candidate that keeps the field's constraints; of a list every piece may have more."""
        return self.gathering is None and any(
            not problems(self.context.field, candidate.value) for candidate in self.candidates
        )

    def note_unread(self, pieces: int) -> None:
        """What was not shown may hold the value, or more elements of a list."""
        is_done = self.has_answer and self.context.field.type is not FieldType.ARRAY
        if 0 < self.shown < pieces and not is_done:
            self.note("NOT_ALL_READ", f"the model was shown {self.shown} of {pieces} parts of the text")

    def note(
        self, code: str, message: str, severity: Severity = Severity.WARNING, context: Mapping[str, Any] | None = None
    ) -> None:
        self.diagnostics.append(Diagnostic(code, severity, message, self.context.field.path, context or {}))

    def result(self) -> CapabilityResult:
        rows = self.gathering.candidate() if self.gathering else None
        candidates = (*self.candidates, *([rows] if rows else ()))
        notes = (*self.diagnostics, *(self.gathering.all_notes() if self.gathering else ()))
        return CapabilityResult(candidates, tuple(self.evidence), notes, self.tokens, self.usd)


class _Inquiry:
    """The calls that one step of many fields needs."""

    def __init__(
        self, provider: Provider, purse: Purse, contexts: Sequence[CapabilityContext], hidden: tuple[Span, ...]
    ) -> None:
        self._provider = provider
        self._purse = purse
        self._hidden = hidden
        self._pictures = _pictures(contexts[0], provider)
        self._parts = {context.field.path: self._part(context) for context in contexts}

    def _part(self, context: CapabilityContext) -> _Asked:
        is_list = context.field.type is FieldType.ARRAY
        return _Asked(context, gathering=RowGathering(context, self._provider.name) if is_list else None)

    def results(self) -> list[CapabilityResult]:
        return [_filled(part) for part in self._parts.values()]

    def ask(self, contexts: Sequence[CapabilityContext], group: Sequence[CanonicalField]) -> None:
        """Show the likely pieces one by one, each only to the fields that are still without an answer."""
        document, terms = contexts[0].document, self._provider.terms
        fields = [context.field for context in contexts]
        seen = sum(picture.tokens for picture in self._pictures)
        room = max(terms.request_bytes - overhead(group) - seen, _LEAST_ROOM)
        body = document.body or (0, len(document.text))
        plain, shown = _size(document.text, body), len(self._shown(document, body, ()).encode())
        whole = (
            bool(tables := self._tables(contexts, body)) and len(self._shown(document, body, tables).encode()) <= room
        )
        room = room * plain // max(plain, shown, 1)
        pieces = [body] if whole else cut(document.text, body, room) or [body] * bool(self._pictures)
        likely = by_likelihood(document.text, pieces, fields)[: terms.most_pieces]
        parts = [self._parts[field.path] for field in fields]
        queue, count = [(piece, _MOST_HALVINGS) for piece in likely], len(pieces)
        while queue:
            piece, halvings = queue.pop(0)
            asked = [part for part in parts if not part.has_answer]
            outcome = self._ask(asked, group, piece, halvings > 0) if asked else "failed"
            if outcome == "failed":
                break
            if outcome == "too large":
                halves = cut(document.text, piece, min(_size(document.text, piece) * 4 // 7 + 1, room))
                some = sorted(by_likelihood(document.text, halves, fields)[: max(terms.most_pieces, 2)])
                queue[:0] = [(half, halvings - 1) for half in some]
                count += len(halves) - 1
                continue
            for part in asked:
                part.shown += 1
        for part in parts:
            part.note_unread(count)

    def _tables(self, contexts: Sequence[CapabilityContext], piece: Span) -> tuple[ShownTable, ...]:
        """The tables of a piece that code reads by their heads, where every list that is asked can be read so."""
        document, rows = contexts[0].document, [each.field for each in contexts if each.field.columns]
        if not rows or _is_small(self._provider) or not all(map(is_flat, rows)):
            return ()
        lines = line_spans(document)
        inside = {n for n, span in enumerate(lines, 1) if piece[0] <= span[0] and span[1] <= piece[1]}
        return tuple(table for table in tables_of(document, lines) if table.lines <= inside)

    def _shown(self, document: Document, piece: Span, tables: Sequence[ShownTable]) -> str:
        text = mask(document.text, 0, self._hidden) if self._hidden else document.text
        instead = {number: "" for table in tables for number in table.lines}
        instead |= {min(table.lines): table.shown(text) for table in tables}
        return numbered(text, line_spans(document), piece, line_heads(document), instead)

    def _ask(
        self,
        parts: list[_Asked],
        group: Sequence[CanonicalField],
        piece: Span,
        may_halve: bool,
        wrong: Mapping[str, str] | None = None,
    ) -> str:
        """One call: "asked", or "failed" so that no other should follow, or "too large".

        Fields whose answers are `wrong` are asked once more, and shown tables as lines.
        """
        document = parts[0].context.document
        fields = {part.context.field.path: part.context.field for part in parts}
        keys = dict(zip((field.path for field in group), field_keys(group), strict=True))
        tables = self._tables([part.context for part in parts], piece) if wrong is None else ()
        page, terms = self._shown(document, piece, tables), self._provider.terms
        room, is_open = terms.output_tokens, terms.max_output_tokens is not None
        small = _is_small(self._provider)
        pictures = tuple(each for each in self._pictures if touches(document, each.page, piece))
        request = build_request(group, list(fields.values()), page, room, is_open, bool(tables), wrong, pictures)
        if small:
            text = mask(document.text, 0, self._hidden)[slice(*piece)]
            request = build_form(list(fields.values()), [keys[path] for path in fields], text, room)
        if wrong is not None and may_halve and request.size > terms.request_bytes:
            return "too large"
        made = call(self._provider, request, self._purse)
        _share(parts, made)
        self._note_excess(parts, made)
        record = _Record(self._provider, request, made, piece, tuple(h for h in self._hidden if _overlap(h, piece)))
        try:
            answers = _answers(made, {keys[path]: field for path, field in fields.items()}, small)
        except InferenceProviderError as error:
            if tables and error.context.get("reason") in ("failed", "schema"):
                for part in parts:
                    part.evidence.append(record.evidence(part.context, "failed", first=part is parts[0]))
                return self._ask(parts, group, piece, may_halve, {})
            cut_off = error.context.get("reason") == "truncated" and any(part.gathering for part in parts)
            if may_halve and (cut_off or error.context.get("reason") == "too_large"):
                for part in parts:
                    part.evidence.append(record.evidence(part.context, "too large", first=part is parts[0]))
                return "too large"
            self._fail(parts, error, made, record)
            return "failed"
        lacking = [part for part in parts if part.gathering and keys[part.context.field.path] not in answers]
        if may_halve and lacking and made.completion and not made.completion.complete:
            for part in parts:
                part.evidence.append(record.evidence(part.context, "cut off", first=part is parts[0]))
            return "too large"
        haystack, readings = Haystack(document.text[slice(*piece)], piece[0], self._hidden), dict[str, Readings]()
        for part in parts:
            answer = answers.get(keys[part.context.field.path])
            seen = pictures[0].page if len(pictures) == 1 else None
            grounds = ShownPage(part.context, haystack, piece, self._hidden, self._provider.model, readings, seen=seen)
            outcome = self._take_guarded(part, answer, grounds, made, tables)
            part.evidence.append(record.evidence(part.context, outcome, first=part is parts[0]))
        bad = {} if wrong or made.cached else self._wrong(parts)
        bad |= self._unread(parts, answers, keys) if tables and not made.cached else {}
        outcome = "asked"
        if bad:
            again = [part for part in parts if part.context.field.path in bad]
            before = [part.candidates for part in again]
            for part in again:
                part.candidates = []
            outcome = self._ask(again, group, piece, may_halve and bool(tables), bad)
            for part, candidates in zip(again, before, strict=True):
                part.candidates = part.candidates or candidates
        return "too large" if outcome == "too large" else "asked"

    def _unread(
        self, parts: Sequence[_Asked], answers: Mapping[str, ModelAnswer | ModelRows], keys: Mapping[str, str]
    ) -> dict[str, str]:
        """The lists whose rows code could not read by the heads that were named, or a model has to choose among."""
        named = {
            p: answer
            for part in parts
            if isinstance(answer := answers.get(keys[p := part.context.field.path]), ModelRows)
            and not (part.gathering and part.gathering.read)
        }
        why = "give its rows, the table is shown whole now"
        return {path: why for path, answer in named.items() if answer.tables or answer.wants_lines}

    def _wrong(self, parts: Sequence[_Asked]) -> dict[str, str]:
        """What is wrong with answers that a model may mend: a value breaks its field, or a check between fields."""
        said = {
            part.context.field.path: part.candidates[-1].value
            for part in parts
            if part.candidates and not part.gathering
        }
        broken = {
            p: found
            for part in parts
            if (p := part.context.field.path) in said
            for found in problems(part.context.field, said[p])[:1]
        }
        for check in stated_relations(parts[0].context.contract):
            if check.paths <= said.keys() and check.outcome(said) is False:
                broken |= {path: broken.get(path, check.told(said)) for path in check.paths}
        return broken

    def _take_guarded(
        self,
        part: _Asked,
        answer: ModelAnswer | ModelRows | None,
        page: ShownPage,
        made: Call,
        tables: Sequence[ShownTable],
    ) -> str:
        """What left the machine stays on record whatever becomes of the answer."""
        if answer is None and made.completion and not made.completion.complete:
            part.note(
                "CAPABILITY_FAILED", f"{self._provider.name}: the answer was cut off at its limit", Severity.ERROR
            )
            return "cut off"
        try:
            return self._take(part, answer, page, tables)
        except Exception as error:
            message = f"{self._provider.name}: reading the answer raised {type(error).__name__}"
            part.note("CAPABILITY_FAILED", message, Severity.ERROR)
            return "failed"

    def _note_excess(self, parts: list[_Asked], made: Call) -> None:
        if not made.excess:
            return
        message = f"{self._provider.name} reports a cost of {made.usd} USD, {made.excess} more than was reserved"
        for part in parts:
            part.note("BUDGET_EXCEEDED", message, context={"excess_usd": str(made.excess)})

    def _fail(self, parts: list[_Asked], error: InferenceProviderError, made: Call, record: _Record) -> None:
        for part in parts:
            if made.attempts or not made.cap:
                part.note(
                    "CAPABILITY_FAILED", f"{self._provider.name}: {error.message}", Severity.ERROR, _why(error, made)
                )
                part.evidence.append(record.evidence(part.context, "failed", first=part is parts[0]))
            if made.cap:
                part.note("BUDGET_EXCEEDED", f"{self._provider.name} was not asked: it would pass {made.cap}")

    def _take(
        self, part: _Asked, answer: ModelAnswer | ModelRows | None, page: ShownPage, tables: Sequence[ShownTable]
    ) -> str:
        """Make candidates of one answer; the outcome in a word."""
        field = part.context.field
        if isinstance(answer, ModelRows) and answer.tables:
            read = read_by_heads(part.context, answer.tables, tables, self._provider.model)
            part.diagnostics += read.diagnostics if read else ()
            if part.gathering is not None and read:
                part.gathering.read += read.candidates
        if part.gathering is not None and isinstance(answer, ModelRows):
            return part.gathering.take(answer.rows, page)
        if not isinstance(answer, ModelAnswer):
            part.note("CAPABILITY_FAILED", f"{self._provider.name}: the answer leaves this field out", Severity.ERROR)
            return "left out"
        if answer.value is None:
            return "absent"
        grounded = page.ground(field, answer)
        if grounded is None:
            part.note("VALIDATION_FAILED", f"what {self._provider.name} answers cannot be read as {field.type.value}")
            return "unreadable"
        if grounded.how != "stated":
            self._say_loose(part, answer, grounded)
            if part.context.policy.require_grounding:
                return grounded.how
        found = grounded.found
        part.candidates.append(Candidate(found.value, grounded.refs, found.diagnostics, found.fx_rate))
        return grounded.how

    def _say_loose(self, part: _Asked, answer: ModelAnswer, grounded: Grounded) -> None:
        """A note on a value that the page does not state, with what was answered."""
        concluded, secret = grounded.how == "concluded", part.context.field.secret
        shown = MASK if secret else str(grounded.found.value)
        lines = ", ".join(map(str, answer.lines))
        said = f"concluded from line{'s' if len(answer.lines) > 1 else ''} {lines}, which do not state it"
        said = said if lines else "read in the picture of the page; its text does not state it"
        message = f"{shown!r}: {said}" if concluded else f"{shown!r}: nothing on the page bears it out"
        told = {"answer": shown, "lines": list(answer.lines), "label": answer.label}
        severity = Severity.INFO if concluded else Severity.WARNING
        part.note(CONCLUDED if concluded else UNGROUNDED, message, severity, told)


def _size(text: str, piece: Span) -> int:
    return len(text[piece[0] : piece[1]].encode("utf-8", "replace"))


def _answers(made: Call, asked: Mapping[str, CanonicalField], form: bool) -> Mapping[str, ModelAnswer | ModelRows]:
    if made.completion is None:
        raise made.error or InferenceProviderError("not asked")
    return read_answers(made.completion, asked, form)


def _filled(part: _Asked) -> CapabilityResult:
    """What a field gets, with the cells that the contract itself fills."""
    result = part.result()
    return complete(part.context, result) if part.context.field.fills_inside and result.candidates else result


def _why(error: InferenceProviderError, made: Call) -> dict[str, Any]:
    return {"reason": error.context.get("reason", "failed"), "attempts": made.attempts}


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _share(parts: list[_Asked], made: Call) -> None:
    """Every field that was asked bears an equal share; the first one the remainder, so that the sum is exact."""
    tokens, more = divmod(made.tokens, len(parts))
    usd = (made.usd / len(parts)).quantize(_SHARE, ROUND_DOWN) if made.usd else Decimal(0)
    for part in parts:
        part.tokens += tokens
        part.usd += usd
    parts[0].tokens += more
    parts[0].usd += made.usd - usd * len(parts)


@attrs.frozen
class _Record:
    """What a call leaves in the artifact: which text was sent where, and hashes of question and answer."""

    provider: Provider
    request: Request
    made: Call
    sent: Span
    masked: tuple[Span, ...]

    def evidence(self, context: CapabilityContext, outcome: str, first: bool) -> EvidenceRef:
        """The whole question and answer only where the policy wants them, and once per call."""
        detail: dict[str, Any] = {
            "provider": self.provider.name,
            "tier": self.provider.tier,
            "outcome": outcome,
            "request": self.request.digest,
            "answer": self._answer_hash(),
            "sent": self.sent if self.made.sent else None,
            "masked": self.masked,
            "attempts": self.made.attempts,
            "cached": self.made.cached,
            "usage": self._usage(),
        }
        if self.request.pictures:
            detail["pictures"] = [picture.page for picture in self.request.pictures]
        if context.policy.record_inference_io and first:
            detail |= self._exchange()
        spec = context.spec
        return EvidenceRef(
            spec.id,
            spec.version,
            context.field.path,
            role="context",
            model_id=self.provider.model,
            detail=canonical_json(detail).decode(),
        )

    def _usage(self) -> list[int | None] | None:
        """Tokens as reported: sent, answered, and of those sent what the vendor had kept and keeps now."""
        said = self.made.completion
        return [said.input_tokens, said.output_tokens, said.cached, said.written] if said else None

    def _answer_hash(self) -> str | None:
        completion = self.made.completion
        return hashlib.sha256(completion.text.encode("utf-8", "replace")).hexdigest() if completion else None

    def _exchange(self) -> dict[str, Any]:
        completion = self.made.completion
        return {
            "system": self.request.system,
            "prompt": self.request.prompt,
            "schema": self.request.schema,
            "max_tokens": self.request.max_tokens,
            "completion": completion.text if completion else None,
        }
