"""The parties to an agreement, from the sentence that names them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.page_lines import page_lines
from paxman.capabilities.values import Found
from paxman.transforms import fold
from paxman.types import Span

_PREAMBLE = 4500
_LONGEST_SENTENCE = 1800
_MOST = 12

_FORM = (
    r"(?:Incorporated|Inc|INC|Corporation|Corp|CORPORATION|CORP|Company|Co|L ?\.? ?L ?\.? ?C|L ?\.? ?L ?\.? ?P|L\.? ?P|Limited|LIMITED|Ltd|LTD|PLC|plc|GmbH|AG|SE|KG|S\.?A"
    r"|S\.A\.S|SAS|S\.p\.A|B\.V|N\.V|K\.K|Pty|Pte|Bhd|Trust|Partnership|Holdings|Group|Bank|Fund|University|Bancorp)"
)
_WORD = r"(?:(?!AND\b)[A-Z0-9][\w.&'’!/-]{0,40}|&|of|de|van|von)"
_NAME = re.compile(
    rf"(?:The\s+)?[A-Z0-9][\w.&'’!/-]{{0,40}}(?:[ \n]{{1,2}}{_WORD}){{0,8}}(?:,?[ \n]{{1,2}}{_FORM}(?![\w])\.?){{0,2}}"
)
_HAS_FORM = re.compile(rf"(?:\A|[\s,]){_FORM}(?![\w])\.?\s*\Z")
_BETWEEN = re.compile(
    r"\b(?:by\s+and\s+)?(?:between|among|zwischen|entre|tra|fra|tussen|pomiędzy)\b(?:\s+(?:and|the|parties|following|signing|below))*[\s:,]*|\bPARTIES\s*:\s*|\bpurposes\s+as\s+of\s+[^.]{0,30}\bby\s+",
    re.IGNORECASE,
)
_ALIAS = re.compile(r"\s*,?\s*\((?=[^()]{0,160}(?:[“\"”'‘]|\b[A-Z]{3,}\b))[^()]{0,240}\)")
_NO_PARTY = re.compile(
    r"\b(?:collectively|together|parties|agreement|date|transaction|each|individually|hereinafter\s+referred\s+to\s+as\s+the\s+parties)\b",
    re.IGNORECASE,
)
_STOP = re.compile(
    r"\bRECITALS?\b|\bWHEREAS\b|\bWITNESSETH\b|\bBACKGROUND\b|\.\s+(?=(?:The|This|In|As|Each|WHEREAS|You|It|For)\b)|\n\s*(?:1\.|A\.|I\.)\s|\bregarding\b|\bwith\s+(?:reference|respect)\s+to\b|\bin\s+connection\s+with\b"
)
_NEXT = re.compile(r"[\s,;]{0,4}(?:\band\b|&|,|;|\n)?\s*(?:\([a-z\d]{1,3}\)\s*|\d\.\s+)?", re.IGNORECASE)
_AND = re.compile(r"\b(?:and|AND)\s+(?:\([a-z\d]{1,3}\)\s*)?(?=[A-Z0-9]|the\s+[A-Z])")
_COMMON = re.compile(
    r"(?:The|This|Agreement|Company|Employee|Executive|Party|Parties|State|Effective|Date|Section|Confidential\w*|Delaware|New York|Recipient|Director|Disclosing|Receiving|Employer|Consultant"
    r"|Exhibit|Undersigned|Board|LOGO|RECITALS|Affiliates?|Subsidiaries|[A-Z][a-z]+ \d)\b",
)


@attrs.frozen
class _Party:
    span: Span
    name: str
    named: bool
    """Whether an alias in brackets follows: ("Company")."""


def find_signatories(context: CapabilityContext) -> list[Found]:
    """Names of the parties; a guess, since not every paper names them all in one sentence."""
    text = context.document.text
    for anchor in _BETWEEN.finditer(text, 0, min(len(text), _PREAMBLE)):
        parties = list(_parties(text, anchor.end()))
        if parties and (len(parties) > 1 or parties[0].named):
            return _as_array(context, parties if len(parties) > 1 else [*parties, *_signer(context)])
    parties = [*_addressee(context), *_defined(text)]
    parties += _signer(context) if len(parties) == 1 else ()
    return _as_array(context, parties) if parties else []


_DEFINED = re.compile(
    r"\(\s*(?:the|together|collectively|hereinafter)?[\s,]*(?:the\s+)?[“\"](?:Company|Seller|Buyer|Purchaser|Corporation|Employer|Disclosing Party|Provider|Discloser)\b"
)
_GREETING = re.compile(r"(?:Ladies and Gentlemen|Gentlemen|Dear\b[^\n]{0,60})\s*[:,]", re.IGNORECASE)


def _defined(text: str) -> Iterator[_Party]:
    """The first organization that gets the alias of a party: Acme, Inc. (the "Company")."""
    for alias in _DEFINED.finditer(text, 0, min(len(text), _PREAMBLE)):
        begin = max(0, alias.start() - 220)
        names = [m for m in _NAME.finditer(text, begin, alias.start()) if _is_organization(fold(m[0]))]
        if names:
            span = names[-1].span()
            yield _Party(span, fold(text[span[0] : span[1]]), True)
            return


def _addressee(context: CapabilityContext) -> Iterator[_Party]:
    """The organization that a letter is written to: the last one above the greeting."""
    text = context.document.text
    greeting = _GREETING.search(text, 0, min(len(text), _PREAMBLE))
    above = [line for line in page_lines(context.document)[:40] if greeting and line.start < greeting.start()]
    for line in [line for line in above if _is_organization(line.plain) and len(line.plain) < 60][-1:]:
        yield _Party(line.span, fold(line.plain), True)


def _signer(context: CapabilityContext) -> Iterator[_Party]:
    """The one person who signed for nobody else: "/s/ Jane Doe" without a "By" before it."""
    text = context.document.text
    found: dict[str, _Party] = {}
    for match in _SIGNATURE.finditer(text, max(0, len(text) - _LONGEST_SENTENCE)):
        if _looks_personal(match[1]) and not _FOR_ANOTHER.search(text, max(0, match.start() - 30), match.start()):
            found.setdefault(_key(match[1]), _Party(match.span(1), fold(match[1]), False))
    if len(found) == 1:
        yield from found.values()


_SIGNATURE = re.compile(r"/ ?s ?/ ?([A-Z][\w.’']{0,20}(?: [A-Z][\w.’'-]{0,20}){1,3})")
_FOR_ANOTHER = re.compile(r"\bby\b\W{0,6}(?:name\W{0,3})?\Z", re.IGNORECASE)


def _is_organization(name: str) -> bool:
    return _HAS_FORM.search(name) is not None and len(name) > 6 and not _COMMON.fullmatch(name.removeprefix("the "))


def _as_array(context: CapabilityContext, parties: list[_Party]) -> list[Found]:
    names = list({_key(party.name): party.name for party in parties}.values())
    path = context.field.path
    refs = [
        attrs.evolve(context.evidence(party.span, ("fold",), path=f"{path}[{names.index(party.name)}]"), role="context")
        for party in parties
        if party.name in names
    ]
    return [Found(names, ref) for ref in refs]


def _key(name: str) -> str:
    return "".join(filter(str.isalnum, name)).casefold()


def _parties(text: str, start: int) -> Iterator[_Party]:
    """Names from here to the end of the sentence: each first, after an alias, or after an "and"."""
    stop = _STOP.search(text, start, start + _LONGEST_SENTENCE)
    end = stop.start() if stop else min(len(text), start + _LONGEST_SENTENCE)
    position = start
    for _ in range(_MOST):
        party, position = _party_at(text, position, end)
        if party:
            yield party
        following = _next_place(text, position, end, bool(party and party.named))
        if following is None:
            return
        position = following


def _party_at(text: str, position: int, end: int) -> tuple[_Party | None, int]:
    """The party whose name begins here, and where to go on; the alias may follow a description."""
    match = _NAME.match(text, position, end)
    if not match:
        return None, position
    name = fold(match[0]).rstrip(" ,;:")
    span = (match.start(), match.start() + len(match[0].rstrip(" ,;:\n")))
    alias = _alias_of(text, match.end(), end)
    if alias and _NO_PARTY.search(alias[0]):
        alias = None
    organization = _is_organization(name)
    if _COMMON.match(name) and not organization:
        return None, match.end()
    if not (organization or (alias and _looks_personal(name))):
        return None, match.end()
    return _Party(span, name, alias is not None), alias.end() if alias else match.end()


def _alias_of(text: str, start: int, end: int) -> re.Match[str] | None:
    """The alias of the name before `start`, past a description without another "and"."""
    found = _ALIAS.search(text, start, min(end, start + 420))
    between = text[start : found.start()] if found else ""
    return None if found is None or _AND.search(between) else found


def _looks_personal(name: str) -> bool:
    return 1 < len(name.split()) < 6 and not any(map(str.isdigit, name))


def _next_place(text: str, position: int, end: int, after_alias: bool) -> int | None:
    if after_alias:
        gap = _NEXT.match(text, position, end)
        if gap and gap.end() < end and (text[gap.end()].isupper() or text[gap.end()].isdigit()):
            return gap.end()
    following = _AND.search(text, position, end)
    return following.end() if following else None
