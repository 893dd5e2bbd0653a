"""The headers of a mail beside its body: what the body says of itself goes before them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial

import attrs

from paxman.capabilities.base import Basis, Candidate, CapabilityContext, CapabilityResult
from paxman.capabilities.values import Found, conventions, read_at
from paxman.contract.labels import fold_label, fold_name
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.documents.document import Document, MailPart, Node
from paxman.lazy import lazy_pattern, remembered
from paxman.recognizers import find
from paxman.transforms import run
from paxman.types import FieldType, Span

_ASKED = frozenset("subject messageid cc bcc replyto".split())
"""Names of fields that only a mail has."""
_OWN_DAYS = frozenset("sent received mail email message".split())
_ROLES = {
    **dict.fromkeys(("from", "sender", "contact"), "From"),
    **dict.fromkeys(("to", "recipient"), "To"),
    **dict.fromkeys(("sent", "received"), "Date"),
}
_DAYS = frozenset({FieldType.DATE, FieldType.DATETIME})
_PARTS = {"email": "email", "mail": "email", "emailaddress": "email", "name": "name", "": "", "at": "", "date": ""}
# A name with an address in such brackets stands in the head of a message that is quoted.
_QUOTED = lazy_pattern(r"^>|[<\[](?:mailto:)?[\w.+-]{1,64}@[\w.-]{1,255}[>\]]")
_NEAR = 400
"""How far around a line the head of a quoted message is looked for, in characters."""
_LINES = 4
_SHORTEST_LABEL = len("from")


Look = Callable[[CapabilityContext], CapabilityResult]


def prefer_body_over_headers(context: CapabilityContext, look: Look, readers: Mapping[str, Look]) -> CapabilityResult:
    """What a step finds in a mail: a label of the body, which any reader may know, goes before a header's name."""
    words = fold_label(context.field.words).split()
    other_day = context.field.type is FieldType.DATE and words != ["date"] and _OWN_DAYS.isdisjoint(words)
    headers = _headers(context.read())
    if not headers or (is_about_mail(context.contract) and not other_day):
        return look(context)
    known = [each for each in context.candidates if _is_of_header(each, context.field, headers)]
    if known:
        return _beside_headers(context, known, look) if context.spec.id in readers else look(context)
    result = look(context)
    heads = [each for each in result.candidates if _is_of_header(each, context.field, headers)]
    if not heads:
        return result
    beside = [each for each in result.candidates if each not in heads]
    text = _body(context.read()).text
    said, others = _unambiguous(_labelled(beside, text)), [r for name, r in readers.items() if name != context.spec.id]
    for ask in () if said else (look, *others):
        found = ask(in_body(context))
        result = _together(result, found) if ask is look else result
        said = _unambiguous(_labelled(found.candidates, text))
        if said:
            break
    if said:
        # Headers that bear the field's name, and those of messages of a mailbox that have no such label.
        in_box = any(_part(head) != "header" for head in heads)
        answered = {_part(each) for each in said}
        return _fresh(
            context,
            result,
            [*[h for h in heads if _bears_name(context.field, h) or (in_box and _part(h) not in answered)], *said],
        )
    # The day of a message is only near the day of what it is about.
    if not other_day or beside:
        return result
    result = look(attrs.evolve(context, basis="stand_in"))
    return _fresh(context, result, [each for each in result.candidates if _is_of_header(each, context.field, headers)])


def _beside_headers(context: CapabilityContext, heads: Sequence[Candidate], look: Look) -> CapabilityResult:
    """What a step finds in the body beside headers that are known: its label, or anything if the headers are unsure."""
    found, text = look(in_body(context)), _body(context.read()).text
    said = _unambiguous(_labelled(found.candidates, text))
    if said:
        return _fresh(context, found, said)
    unsure = all(ref.basis == "stand_in" for head in heads for ref in head.evidence_refs)
    others = [each for each in found.candidates if unsure and not _is_quoted(each, text)]
    return attrs.evolve(found, candidates=tuple(others))


def _together(result: CapabilityResult, found: CapabilityResult) -> CapabilityResult:
    """A result with what another look at the document cost and noted."""
    notes = [note for note in found.diagnostics if note not in result.diagnostics]
    usd, tokens = result.usd + found.usd, result.tokens + found.tokens
    return attrs.evolve(result, diagnostics=(*result.diagnostics, *notes), usd=usd, tokens=tokens)


def _unambiguous(candidates: Sequence[Candidate]) -> list[Candidate]:
    """What is the only answer of a part of the mail; where a part has several, the label is no field's."""
    parts: dict[str, list[Candidate]] = {}
    for each in candidates:
        parts.setdefault(_part(each), []).append(each)
    return [each for alike in parts.values() if all(a.value == alike[0].value for a in alike) for each in alike]


def _part(candidate: Candidate) -> str:
    source = candidate.evidence_refs[0].source
    return source.part if isinstance(source, MailPart) else ""


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


def _is_of_header(candidate: Candidate, field: CanonicalField, headers: Sequence[Node]) -> bool:
    """Whether only headers say so, by their names; a day is bound to a header by its shape, too."""
    refs = candidate.evidence_refs
    named = field.type is FieldType.DATE or any(ref.basis == "name" for ref in refs)
    return named and bool(refs) and all(_is_inside(ref.span, headers) for ref in refs)


def _is_inside(span: Span | None, headers: Sequence[Node]) -> bool:
    index = bisect_right(headers, span[0], key=lambda node: node.span[0]) if span else 0
    return index > 0 and span is not None and span[0] < headers[index - 1].span[1]


def is_about_mail(contract: CanonicalContract) -> bool:
    """Whether a contract asks for what only a mail has, and not for what some paper in it says."""
    return any(fold_name(field.name) in _ASKED for field in contract.leaves)


def in_body(context: CapabilityContext) -> CapabilityContext:
    """The context of a step that reads a mail without its headers."""
    return attrs.evolve(context, read=partial(_body, context.read()))


def _labelled(candidates: Sequence[Candidate], text: str) -> list[Candidate]:
    named = (each for each in candidates if all(ref.basis == "name" for ref in each.evidence_refs))
    return [each for each in named if not _is_quoted(each, text)]


def _is_quoted(candidate: Candidate, text: str) -> bool:
    start, end = candidate.evidence_refs[0].span or (0, 0)
    before = text[max(0, start - _NEAR) : start].split("\n")[-_LINES:]
    after = text[start : end + _NEAR].split("\n")[:_LINES]
    return any(_QUOTED.search(line) for line in (*before, *after))


@remembered(lambda document: (document.cache,))
def _body(document: Document) -> Document:
    """The document with blanks for its headers; made once."""
    headers = _headers(document)
    return _without(document, headers) if headers else document


def _headers(document: Document) -> list[Node]:
    """The headers of a mail, or of each message of a mailbox, but not of a mail that is attached."""
    if document.tree is None:
        return []
    below = document.tree.children
    nodes = (document.tree, *below, *(first for node in below for first in node.children[:1]))
    headers = [(node, node.source) for node in nodes if node.name == "header"]
    own = [node for node, at in headers if isinstance(at, MailPart) and at.part == "header"]
    return own or [
        node
        for node, at in headers
        if isinstance(at, MailPart) and isinstance(at.inner, MailPart) and at.inner.part == "header"
    ]


def _without(document: Document, headers: Sequence[Node]) -> Document:
    spans = [node.span for node in headers]
    ends = [0, *(end for _, end in spans)]
    shown = (document.text[end:start] + " " * (stop - start) for end, (start, stop) in zip(ends, spans, strict=False))
    return attrs.evolve(
        document,
        text="".join(shown) + document.text[ends[-1] :],
        build_tree=lambda: _tree_without(document.tree, {id(node) for node in headers}),
        build_tables=partial(getattr, document, "tables"),
        build_pairs=lambda: tuple(pair for pair in document.pairs if not _is_inside(pair.label_span, headers)),
        build_views=lambda: tuple(map(_body, document.views)),
        cache={},
    )


def _tree_without(root: Node | None, gone: Container[int]) -> Node | None:
    """A tree but for the headers, which are near its root."""
    if root is None or id(root) in gone:
        return None
    below = (node for node in root.children if id(node) not in gone)
    return attrs.evolve(root, children=tuple(_without_first(node, gone) for node in below))


def _without_first(node: Node, gone: Container[int]) -> Node:
    is_first = any(id(first) in gone for first in node.children[:1])
    return attrs.evolve(node, children=node.children[1:]) if is_first else node


def find_in_headers(context: CapabilityContext) -> list[Found]:
    """Who sent a mail, to whom and when, for a field that is named so; surer where the contract is about mail."""
    role, part = _asked(context.field)
    headers = _headers(context.document) if role else []
    header = headers[0] if len(headers) == 1 else None
    nodes = [node for node in header.children if node.name == role] if header else []
    about_mail = is_about_mail(context.contract)
    if len(nodes) != 1 or (not about_mail and header and _may_be_other(context, header, part)):
        return []
    basis: Basis = "name" if about_mail else "stand_in"
    return _day(context, nodes[0], basis) if role == "Date" else _person(context, nodes[0], part, basis)


def asks_headers(field: CanonicalField, contract: CanonicalContract) -> bool:
    """Whether a field of a contract that is about mail is named for what a header says."""
    return bool(_asked(field)[0]) and is_about_mail(contract)


def _asked(field: CanonicalField) -> tuple[str, str]:
    """The header that a field's name speaks of, and the part of it; nothing for other names."""
    first, _, rest = fold_label(field.said).partition(" ")
    part = _PARTS.get(rest.replace(" ", ""))
    if part is None or first not in _ROLES:
        return "", ""
    if field.type is not FieldType.STRING and (_ROLES[first] != "Date" or field.type not in _DAYS):
        return "", ""
    return _ROLES[first], "email" if "email" in field.semantic_tags else part


def _may_be_other(context: CapabilityContext, header: Node, part: str) -> bool:
    """Whether a sender may be who sends money or goods: the contract has amounts, or the body names one."""
    if context.field.type in _DAYS:
        return False
    money = not part and any(field.type is FieldType.MONEY for field in context.contract.leaves)
    first = fold_label(context.field.said).partition(" ")[0]
    return money or (len(first) > _SHORTEST_LABEL and first in context.document.text[header.span[1] :].lower())


def _day(context: CapabilityContext, node: Node, basis: Basis) -> list[Found]:
    """The day of a header; for a text or a time all of it, or the part that a tag asks for."""
    if context.field.type is not FieldType.DATE:
        within = attrs.evolve(context, basis=basis)
        return read_at(within, context.field, node.text or "", node.span, conventions(context))
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
    span = (node.span[0] + start, node.span[0] + end)
    value = run(transforms, (node.text or "")[start:end])
    return Found(value, context.evidence(span, transforms, basis=basis))
