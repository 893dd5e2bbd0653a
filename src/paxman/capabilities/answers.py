"""From what finding ties to a field to candidates with their evidence; amounts marked "Cr" and "Dr" with their sign."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import attrs

from paxman.capabilities.base import Basis, Candidate, CapabilityContext, CapabilityResult, EvidenceRef
from paxman.capabilities.structure.einvoice import tells_of_party
from paxman.capabilities.values import (
    Found,
    ambiguity,
    assumption,
    conventions,
    cut_to_pattern,
    hedged,
    is_footnote,
    to_candidates,
    without_mark,
)
from paxman.contract.constraints import is_written_so
from paxman.contract.model import CanonicalField
from paxman.documents.document import Document
from paxman.finding.assignment import STANDS_IN
from paxman.finding.scalars import find_scalars
from paxman.finding.ties import Tie
from paxman.lazy import lazy_pattern
from paxman.lexicon.own_files import lexicon_of
from paxman.recognizers.booleans_and_enums import OR
from paxman.recognizers.checksums import is_iban
from paxman.recognizers.tables import pattern
from paxman.types import RAISED, Diagnostic, FieldType, Money, Severity

SURE = 0.8
_EXPLICIT = frozenset({"key", "beside", "next", "box", "caption"})
_OWN = frozenset({"label", "name", "description"})
_BENEATH = frozenset({"below", "section"})
_DOUBTS = frozenset({"with a number", "goes on", "is a name", "is a heading", "heads a column", "misshapen"})
"""Signs of a value that may be more than what is asked for, or nothing of it."""
_BY_ROLE = frozenset({"sums", STANDS_IN})
"""Names that say what part of a sum an amount is."""
_NUMBERED = frozenset({FieldType.STRING, FieldType.INTEGER, FieldType.DECIMAL})
_LONG_WORD = lazy_pattern(r"[^\W\d_]{4}")
_MOST_RIVALS = 3
_FIRST_LINES = 60
_LONG_CODE = 5
_REACH, _FAR_DOWN = 6, 35_000
_SMALL_WORDS = lazy_pattern(r"\b[a-zà-ÿ]{2,}\b")
_WORD = lazy_pattern(r"[^\W\d_][a-zà-ÿ]{2}")
_DAY = lazy_pattern(r"(?<!\S)(?:\d\d?([./-])\d\d?\1(?:19|20)\d\d|(?:19|20)\d\d-[01]\d-[0-3]\d)(?!\S)")
_OTHER_CHOICE = lazy_pattern(rf" (?:{OR}) ", re.IGNORECASE)
_CODE_GOES_ON = lazy_pattern(r" {0,8}/ {0,8}\d| ?[–-] ?\d| [A-Z0-9*]+(?![^\W_])")
_CODE_BEFORE = lazy_pattern(r"(?:\W[A-Z]|[X*]{2}) \Z")


def found_candidates(context: CapabilityContext, explicit: bool | None = None) -> tuple[Candidate, ...]:
    """The field's part of what finding finds for the whole contract.

    `explicit` asks only for what stands plainly with a name of the contract's own words, or only for the rest: what
    a term of the trade, a caption, a heading or a title ties to the field.
    """
    if tells_of_party(context.document, context.field):
        return ()  # Words of its elements stand with those of the other party.
    found = find_scalars(context.document, context.contract, lexicon_of(context.policy.lexicon), conventions(context))
    answer = found.get(context.field.path)
    if answer is None or explicit not in (
        None,
        (answer.best.place.relation in _EXPLICIT and answer.best.claim.asked.source in _OWN),
    ):
        return ()
    best = [*_found(context, answer.best, is_best=True)]
    best += [found for tie in answer.same for found in _found(context, tie)]
    rivals = [found for tie in answer.rivals[:_MOST_RIVALS] for found in _found(context, tie)]
    known = {ref.span for each in context.candidates for ref in each.evidence_refs if ref.detail}
    # What an earlier step found by the same engine, as in the body of a mail, is no second opinion.
    return to_candidates([found for found in (*best, *rivals) if found.ref.span not in known])


def _found(context: CapabilityContext, tie: Tie, *, is_best: bool = False) -> Iterator[Found]:
    text = context.document.text
    how = conventions(context)
    sure: Basis = "shape" if tie.place.relation == "alone" else "name"
    is_plain = is_sure(tie, context.field) and not _is_doubtful(text, tie, context.field)
    basis: Basis = sure if is_plain else "likeness"
    start, quote = tie.reading.start, text[tie.reading.start : tie.reading.end]
    reading = cut_to_pattern(without_mark(tie.reading.shifted(-start), quote), quote, context.field).shifted(start)
    if not is_written_so(context.field, reading.value, text[reading.start : reading.end]):
        return
    quote = text[reading.start : reading.end]
    if RAISED in quote and is_footnote(context, quote):
        return
    label = tie.name.span
    notes = ambiguity(reading, context.field.path)
    notes += assumption(context, reading.shifted(-reading.start), (reading.start, reading.end), quote, how, label)
    doubts = hedged(context, reading, text, context.field, context.field.path, label[1] if label[1] <= start else 0)
    basis = "likeness" if doubts else basis
    for each in (reading, *reading.alternatives):
        ref = context.evidence((each.start, each.end), each.transforms, basis="wording" if each.loose else basis)
        yield Found(each.value, attrs.evolve(ref, detail=explain(tie)), notes + doubts)
        if tie.witness and (basis == "name" or (is_best and tie.claim.asked.source in _BY_ROLE and not doubts)):
            yield Found(each.value, attrs.evolve(ref, basis="relation", detail=tie.witness), notes)


def is_sure(tie: Tie, field: CanonicalField) -> bool:
    """Whether the name that a value was found by ties it to the field; words of a sentence do so for typed values."""
    signs = {sign for sign, _ in tie.signs.parts}
    if tie.place.relation == "inline" and is_iban(str(tie.reading.value)):
        return tie.claim.fit >= SURE  # Its check digits bear it out.
    if tie.claim.asked.source == "sentence":
        # All its words were weighed; far down a long paper has others added to it, with clauses of their own.
        return tie.claim.fit >= SURE and tie.reading.start < _FAR_DOWN
    if tie.claim.asked.source == "clause":
        return False  # A turn of phrase, which other sentences have, too.
    if tie.place.relation == "inline" and (field.type is FieldType.STRING or tie.name.line > _FIRST_LINES):
        return False  # Sentences further down speak of other things, too.
    if field.type is FieldType.STRING and tie.place.relation in _BENEATH and "part" in signs:
        return False  # A word or two out of a text below a heading.
    if tie.place.relation == "below" and field.type is FieldType.STRING and len(tie.name.places) == 1:
        return False  # It may as well be the head of a column of many.
    if not signs.isdisjoint(_DOUBTS):
        return False
    return tie.claim.fit >= SURE


def _is_doubtful(text: str, tie: Tie, field: CanonicalField) -> bool:
    """Whether what stands around a value, or in it, says that it may be another one or a part of one."""
    if field.type is FieldType.DATE:
        before, behind = text[tie.place.span[0] : tie.reading.start], text[tie.reading.end : tie.place.span[1]]
        # Right behind it another day may stand below a head of its own: columns that are read as one cell.
        return "(" in before or len(_SMALL_WORDS.findall(before)) > 1 or _DAY.match(behind.lstrip()) is not None
    if _OTHER_CHOICE.match(text, tie.reading.end) or _is_among_words(text, tie, field):
        return True
    return _is_part_of_code(text, tie, field) or _is_other_kind(text[tie.reading.start : tie.reading.end], tie)


def _is_among_words(text: str, tie: Tie, field: CanonicalField) -> bool:
    """Whether a number stands with words that say something else of it: "2 guests", "5 - PROPERTY DAMAGE"."""
    if field.type is FieldType.STRING and not text[tie.reading.start : tie.reading.end].isdigit():
        return False
    if field.type not in _NUMBERED or tie.place.relation == "inline" or "amount" in dict(tie.signs.parts):
        return False
    before, behind = text[tie.place.span[0] : tie.reading.start], text[tie.reading.end : tie.place.span[1]]
    return _LONG_WORD.search(before) is not None or _LONG_WORD.search(behind.partition("(")[0]) is not None


def _is_other_kind(quote: str, tie: Tie) -> bool:
    """Whether a date or a word stands where a number is asked for, or one line of several for a place."""
    heads = tie.claim.asked.phrase.heads
    if "number" in heads:
        return _DAY.search(quote) is not None or _WORD.search(quote) is not None
    return "place" in heads and tie.place.block[1] > tie.reading.end + _REACH


def _is_part_of_code(text: str, tie: Tie, field: CanonicalField) -> bool:
    """Whether a number of letters and figures may go on before or behind what was read of it: "77" of "77 A"."""
    start, end = tie.reading.start, tie.reading.end
    if field.type is not FieldType.STRING or not any(map(str.isdigit, text[start:end])):
        return False
    if _CODE_GOES_ON.match(text, end) or _CODE_BEFORE.search(text, max(0, start - _REACH), start):
        return True
    longer = text.find(f"{text[start:end]}-") + end - start + 1 if end - start >= _LONG_CODE else 0
    return longer > end - start and text[longer : longer + 1].isdigit()  # Elsewhere it is printed with more behind it.


def explain(tie: Tie) -> str:
    """How a value was found: its name, how that fits, where it stands, and what decided."""
    signs = ", ".join(f"{sign} {weight:+.2f}" for sign, weight in tie.signs.parts if round(weight, 2))
    return f"{tie.claim.reason}; {tie.place.relation}; {signs}"


_HEAD = 60_000
_OF_BANK, _OF_SELLER, _BALANCE = r"\b(?:{bank_paper})\b", r"\b(?:{seller_paper})\b", "{balance}"
_OPEN = "amounts with the mark {} may be positive or negative: nothing says whose account it is"


def _says(document: Document, words: str) -> bool:
    return pattern(words).search(document.text, 0, _HEAD) is not None


def _negated(ref: EvidenceRef, value: Any) -> EvidenceRef:
    steps = ref.transforms
    steps = (*steps[:-1], "negate", steps[-1]) if isinstance(value, Money) else (*steps, "negate")
    return attrs.evolve(ref, transforms=steps)


def with_credits(context: CapabilityContext, result: CapabilityResult) -> CapabilityResult:
    """What was found, amounts marked as credits or debits with their sign.

    "Cr" and "Dr" mean money in and out for a bank's customer, and the reverse for that of a seller.
    """
    if not any(credit_mark(context.document, candidate) for candidate in result.candidates):
        return result
    settled = [other for each in result.candidates for other in _readings(context, each)]
    return attrs.evolve(result, candidates=tuple(settled))


def credit_mark(document: Document, candidate: Candidate) -> str:
    """The "Cr" that makes an amount negative, or the "Dr" behind one, if all its places have it."""
    amount = candidate.value.amount if isinstance(candidate.value, Money) else candidate.value
    if not isinstance(amount, Decimal) or not amount:
        return ""
    spans = [ref.span for ref in candidate.evidence_refs if ref.span]
    if amount < 0:
        ends = (document.text[max(start, end - 3) : end].rstrip("\"'").upper() for start, end in spans)
        return "Cr" if spans and all(text.endswith("CR") for text in ends) else ""
    behind = (document.text[end : end + 4] for _, end in spans)
    return "Dr" if spans and all("D" in text and _DEBIT.match(text) for text in behind) else ""


_DEBIT = lazy_pattern(r" ?D[rR](?!\w)")


def _readings(context: CapabilityContext, candidate: Candidate) -> Sequence[Candidate]:
    """A marked amount as it is on papers of a seller, turned round on those of a bank, or both where nobody can say."""
    mark = credit_mark(context.document, candidate)
    if not mark:
        return [candidate]
    value = candidate.value
    refs = tuple(_negated(ref, value) for ref in candidate.evidence_refs)
    reverse = attrs.evolve(value, amount=-value.amount) if isinstance(value, Money) else -value
    turned = attrs.evolve(candidate, value=reverse, evidence_refs=refs)
    of_seller = _says(context.document, _OF_SELLER)
    if not of_seller and _says(context.document, _OF_BANK):
        return [turned]
    if of_seller or not any(pattern(_BALANCE).search(text) for text in (context.field.name, *context.field.labels)):
        return [candidate]
    message = f"can be read as {turned.value} or {candidate.value}; {_OPEN.format(repr(mark))}"
    note = Diagnostic("AMBIGUOUS_VALUE", Severity.WARNING, message, context.field.path)
    return [attrs.evolve(each, diagnostics=(*each.diagnostics, note)) for each in (turned, candidate)]
