"""The headers of a mail beside its body: what the body says of itself goes before them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import attrs

from paxman.capabilities.base import Basis, Candidate, CapabilityContext, CapabilityResult
from paxman.capabilities.values import Found, conventions, read_at
from paxman.contract.labels import fold_label, fold_name
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document, MailPart, Node
from paxman.lazy import lazy_pattern
from paxman.recognizers import find
from paxman.types import FieldType

_ASKED = frozenset("subject messageid cc bcc replyto".split())
"""Names of fields that only a mail has."""
_OWN_DAYS = frozenset("sent received mail email message".split())
_ROLES = {"from": "From", "sender": "From", "to": "To", "recipient": "To", "sent": "Date"}
_PARTS = {"email": "email", "mail": "email", "emailaddress": "email", "name": "name", "": "", "at": "", "date": ""}
# A name with an address in such brackets stands in the head of a message that is quoted.
_QUOTED = lazy_pattern(r"^>|[<\[](?:mailto:)?[\w.+-]{1,64}@[\w.-]{1,255}[>\]]")
_NEAR = 400
"""How far around a line the head of a quoted message is looked for, in characters."""
_LINES = 4
_SHORTEST_LABEL = len("from")


def heed_body(
    context: CapabilityContext, result: CapabilityResult, look: Callable[[CapabilityContext], CapabilityResult]
) -> CapabilityResult:
    """What a step found, with the body's own label before a header of that name; `look` reads as the plan does."""
    heads = [each for each in result.candidates if _is_of_header(each, context.field)]
    other_day = _is_other_day(context.field)
    if not heads or (is_about_mail(context.contract) and not other_day):
        return result
    beside = [each for each in result.candidates if each not in heads]
    said = _labelled(beside, context.read().text) or _in_body(context, look)
    if len(said) == 1:
        kept = result.candidates if _bears_name(context.field, heads[0]) else ()
        return _fresh(context, result, [*kept, *said])
    if beside or not other_day:
        return result
    # The day of a message is only near the day of what it is about.
    return _fresh(context, result, list(map(_doubted, heads)))


def _fresh(context: CapabilityContext, result: CapabilityResult, candidates: list[Candidate]) -> CapabilityResult:
    """These candidates, but for places that an earlier step reported: the same place twice is no second opinion."""
    known = {ref.span for each in context.candidates for ref in each.evidence_refs}
    fresh = (each for each in candidates if any(ref.span not in known for ref in each.evidence_refs))
    return attrs.evolve(result, candidates=tuple(dict.fromkeys(fresh)))


def _bears_name(field: CanonicalField, head: Candidate) -> bool:
    """Whether a field that is no day is named like the header, which is then one of two answers."""
    source = head.evidence_refs[0].source
    name = source.inner.part if isinstance(source, MailPart) and isinstance(source.inner, MailPart) else ""
    return field.type is not FieldType.DATE and fold_name(name) == fold_name(field.name)


def _is_of_header(candidate: Candidate, field: CanonicalField) -> bool:
    """Whether only headers say so, by their names; a day is bound to a header by its shape, too."""
    refs = candidate.evidence_refs
    named = field.type is FieldType.DATE or any(ref.basis == "name" for ref in refs)
    return named and bool(refs) and all(isinstance(r.source, MailPart) and r.source.part == "header" for r in refs)


def _is_other_day(field: CanonicalField) -> bool:
    words = fold_label(field.words).split()
    return field.type is FieldType.DATE and words != ["date"] and _OWN_DAYS.isdisjoint(words)


def is_about_mail(contract: CanonicalContract) -> bool:
    """Whether a contract asks for what only a mail has, and not for what some paper in it says."""
    return any(fold_name(field.name) in _ASKED for field in contract.leaves)


def _doubted(candidate: Candidate) -> Candidate:
    refs = tuple(attrs.evolve(ref, basis="stand_in") for ref in candidate.evidence_refs)
    return attrs.evolve(candidate, evidence_refs=refs)


def _in_body(context: CapabilityContext, look: Callable[[CapabilityContext], CapabilityResult]) -> list[Candidate]:
    """What stands at the field's label in the body, but not in the head of a message that it quotes."""
    body = _body(context.read())
    if body is None:
        return []
    found = look(attrs.evolve(context, read=partial(_same, body), candidates=())).candidates
    return _labelled(found, body.text)


def _labelled(candidates: Sequence[Candidate], text: str) -> list[Candidate]:
    named = (each for each in candidates if all(ref.basis == "name" for ref in each.evidence_refs))
    return [each for each in named if not _is_quoted(each, text)]


def _is_quoted(candidate: Candidate, text: str) -> bool:
    start, end = candidate.evidence_refs[0].span or (0, 0)
    before = text[max(0, start - _NEAR) : start].split("\n")[-_LINES:]
    after = text[start : end + _NEAR].split("\n")[:_LINES]
    return any(_QUOTED.search(line) for line in (*before, *after))


def _same(document: Document) -> Document:
    return document


def _body(document: Document) -> Document | None:
    """The document with blanks for its headers; made once."""
    if "mail_body" not in document.cache:
        header = _header(document)
        document.cache["mail_body"] = header and _without(document, header)
    body: Document | None = document.cache["mail_body"]
    return body


def _header(document: Document) -> Node | None:
    root = document.tree
    nodes = (root, *root.children[:1]) if root else ()
    return next((node for node in nodes if node.name == "header" and isinstance(node.source, MailPart)), None)


def _without(document: Document, header: Node) -> Document:
    root, end = document.tree, header.span[1]
    rest = attrs.evolve(root, children=root.children[1:]) if root and root is not header else None
    return attrs.evolve(
        document,
        text=" " * end + document.text[end:],
        build_tree=lambda: rest,
        build_tables=partial(getattr, document, "tables"),
        build_pairs=lambda: tuple(pair for pair in document.pairs if pair.label_span[0] >= end),
        cache={},
    )


def find_in_headers(context: CapabilityContext) -> list[Found]:
    """Who sent a mail, to whom and when, for a field that is named so; surer where the contract is about mail."""
    role, part = _asked(context.field)
    header = _header(context.document) if role else None
    nodes = [node for node in header.children if node.name == role] if header else []
    about_mail = is_about_mail(context.contract)
    if len(nodes) != 1 or (not about_mail and header and _may_be_other(context, header, part)):
        return []
    basis: Basis = "name" if about_mail else "stand_in"
    return _day(context, nodes[0], basis) if role == "Date" else _person(context, nodes[0], part, basis)


def _asked(field: CanonicalField) -> tuple[str, str]:
    """The header that a field's name speaks of, and the part of it; nothing for other names."""
    first, _, rest = fold_label(field.said).partition(" ")
    part = _PARTS.get(rest.replace(" ", ""))
    kinds = (FieldType.DATE, FieldType.STRING) if first == "sent" else (FieldType.STRING,)
    if part is None or field.type not in kinds or first not in _ROLES:
        return "", ""
    return _ROLES[first], "email" if "email" in field.semantic_tags else part


def _may_be_other(context: CapabilityContext, header: Node, part: str) -> bool:
    """Whether a sender may be who sends money or goods: the contract has amounts, or the body names one."""
    if context.field.type is FieldType.DATE:
        return False
    money = not part and any(field.type is FieldType.MONEY for field in context.contract.leaves)
    first = fold_label(context.field.said).partition(" ")[0]
    return money or (len(first) > _SHORTEST_LABEL and first in context.document.text[header.span[1] :].lower())


def _day(context: CapabilityContext, node: Node, basis: Basis) -> list[Found]:
    """The day of a header; for a text all of it, or the part that a tag asks for."""
    if context.field.type is FieldType.STRING:
        read = read_at(context, context.field, node.text or "", node.span, conventions(context))
        return [attrs.evolve(each, ref=attrs.evolve(each.ref, basis=basis)) for each in read]
    days = find("date", node.text or "")
    return [_found(context, node, days[0].start, days[0].end, basis, days[0].transforms)] if len(days) == 1 else []


def _person(context: CapabilityContext, node: Node, part: str, basis: Basis) -> list[Found]:
    text = node.text or ""
    addresses = find("email", text)
    name = text.partition("<")[0].strip(" \"'") if "<" in text else ""
    if len(addresses) != 1 or (part == "name" and not name):
        return []
    if name and part != "email":
        start = text.find(name)
        return [_found(context, node, start, start + len(name), basis, ("fold",))]
    return [_found(context, node, addresses[0].start, addresses[0].end, basis, addresses[0].transforms)]


def _found(
    context: CapabilityContext, node: Node, start: int, end: int, basis: Basis, transforms: tuple[str, ...]
) -> Found:
    from paxman.transforms import run

    span = (node.span[0] + start, node.span[0] + end)
    value = run(transforms, (node.text or "")[start:end])
    return Found(value, context.evidence(span, transforms, basis=basis))
