"""The parties to an agreement, from the sentence that names them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.line_shapes import legal_end
from paxman.capabilities.page_lines import page_lines
from paxman.capabilities.placeholders import names_nothing
from paxman.capabilities.values import Found
from paxman.capabilities.vocabulary import pattern
from paxman.recognizers.base import LINE_END
from paxman.recognizers.words import AND
from paxman.transforms import fold
from paxman.types import Span

_PREAMBLE = 4500
_LONGEST_SENTENCE = 1800
_MOST = 12

_GAP = rf"(?:{LINE_END}(?:\n[ \t]{{0,40}})?|[ \t]{{1,2}})"
_SMALL = r"(?:of|the|del?|las?|los|el|d[iou]|da|dos|des|della|van|von|der|den|zu)"
# A name may begin small before a capital, as eLong does, but never inside a word.
_FIRST = r"(?<!\w)(?:[a-z]{1,2}(?=[A-Z]))?[A-Z0-9]"
_WORD = rf"(?:(?:{_SMALL}{_GAP}){{0,2}}(?!AND\b|DATED\b){_FIRST}[\w.&'’!/-]{{0,40}}|&)"
# The names of partners, with commas between them, lead to an "&".
_PARTNERS = rf"(?:(?:,{_GAP}[A-Z][\w'’-]{{0,30}}){{1,4}},?(?={_GAP}&\s))?"
_NAME = rf"(?:The\s+)?{_FIRST}[\w.&'’!/-]{{0,40}}{_PARTNERS}(?:{_GAP}{_WORD}){{0,8}}"
_JUNIOR = r"(?:Jr|Sr|JR|SR|II|III|IV)(?!\w)\.?"
_SUFFIX = rf"(?:,{_GAP}{_JUNIOR})?"
_WITH_FORM = _NAME + _SUFFIX + rf"(?:,?{_GAP}" + r"(?:{agreement_form})(?![\w])\.?){0,2}"
_ALIAS = re.compile(r"\s*,?\s*\((?=[^()]{0,160}(?:[“\"”'‘]|\b[A-Z]{3,}\b))[^()]{0,240}\)")
# What stands up to an alias, or up to a description before it.
_WRITTEN = re.compile(
    rf"(?!(?i:{AND})\s|\[|[-–—,.&])[^\s()][^();:]{{1,80}}?"
    r"(?=[\s,]{0,9}\(|,\s+(?:an?|with|having|whose|located|organized|residing)\b)"
)
_STOP = re.compile(
    r"\bRECITALS?\b|\bWHEREAS\b|\bWITNESSETH\b|\bBACKGROUND\b|\.\s+(?=(?:The|This|In|As|Each|WHEREAS|You|It|For)\b)"
    r"|\n\s*(?:1\.|A\.|I\.)\s|\bregarding\b|\bwith\s+(?:reference|respect)\s+to\b|\bin\s+connection\s+with\b"
)
_NEXT = re.compile(rf"[\s,;]{{0,4}}(?:\b(?:{AND})(?=\s)|&|,|;|\n)?\s*(?:\([a-z\d]{{1,3}}\)\s*|\d\.\s+)?", re.IGNORECASE)
_BEGINS = re.compile(_FIRST)
_AND = re.compile(rf"\b(?:and|AND)[\s-]+(?:\([a-z\d]{{1,3}}\)\s*)?(?={_FIRST}|the\s+[A-Z])")
_AND_OR_LINE = re.compile(_AND.pattern + r"|,[ \t]*\n\s{0,20}(?=[A-Z(\d])")
_ITEM = re.compile(r"\s{0,9}(?:\([a-z\d]{1,3}\)|\d{1,2}[.)])\s+")
_GREETING = re.compile(r"(?:Ladies and Gentlemen|Gentlemen|Dear\b[^\n]{0,60})\s*[:,]", re.IGNORECASE)
_SIGNATURE = re.compile(rf"/ ?s ?/ ?([A-Z][\w.’'-]{{0,20}}(?: [A-Z][\w.’'-]{{0,20}}){{1,3}}(?:, {_JUNIOR})?)")
_FOR_ANOTHER = re.compile(r"\bby\b\W{0,6}(?:name\W{0,3})?\Z", re.IGNORECASE)


@attrs.frozen
class Party:
    """A name and its place; `named` when an alias in brackets follows: ("Company")."""

    span: Span
    name: str
    named: bool = True


def find_signatories(context: CapabilityContext) -> list[Found]:
    """Names of the parties; a guess, since not every paper names them all in one sentence."""
    text = context.document.text
    parties = _between(text) or _labelled(text) or [*_addressee(context), *_defined(text)]
    if len(parties) == 1:
        parties += _signer(context)
    return _as_array(context, parties)


def _as_array(context: CapabilityContext, parties: list[Party]) -> list[Found]:
    unique = list({_key(party.name): party for party in parties}.values())
    names = [party.name for party in unique]
    refs = (
        context.evidence(party.span, ("fold",), path=f"{context.field.path}[{index}]", basis="wording")
        for index, party in enumerate(unique)
    )
    return [Found(names, ref) for ref in refs]


def _key(name: str) -> str:
    return "".join(filter(str.isalnum, name)).casefold()


def _between(text: str) -> list[Party]:
    """The parties of the first sentence that says "between"."""
    anchor = pattern(
        r"\b(?:by\s+and\s+)?(?:{between})\b(?:\s+(?:and|(?-i:the|THE)|parties|following|signing|below)){0,5}[\s:,]{0,90}|\bparties\s?:\s{0,90}"
    )
    for match in anchor.finditer(text, 0, min(len(text), _PREAMBLE)):
        parties = list(_parties(text, match.end()))
        if parties and (len(parties) > 1 or parties[0].named):
            return parties
    return []


def _labelled(text: str) -> list[Party]:
    """The parties of a form, two or more: "Disclosing Party: Acme, Inc."."""
    label = pattern(r"(?m)^[ \t]*(?:[^\W\d_]{4,14}[ \t]party|party[ \t]\w{1,3})[ \t]*:[ \t]*(?=\S)")
    parties = []
    for match in label.finditer(text, 0, min(len(text), _PREAMBLE)):
        end = text.find("\n", match.end())
        name = pattern(_WITH_FORM, exact=True).match(text, match.end(), end if end > 0 else len(text))
        quote = name[0].rstrip(" ,;:") if name else ""
        if _is_organization(quote) or _is_person(quote):
            parties.append(Party((match.end(), match.end() + len(quote)), fold(quote)))
    return parties if len(parties) > 1 else []


def _parties(text: str, start: int) -> Iterator[Party]:
    """Names from here to the end of the sentence: each first, after an alias, or after an "and"."""
    stop = _STOP.search(text, start, start + _LONGEST_SENTENCE)
    end = stop.start() if stop else min(len(text), start + _LONGEST_SENTENCE)
    position: int | None = start
    for _ in range(_MOST):
        if position is None:
            return
        party, reached = _party_at(text, position, end)
        if party:
            yield party
        position = _next_place(text, reached, end, bool(party and party.named))


def _party_at(text: str, position: int, end: int) -> tuple[Party | None, int]:
    """The party whose name begins here, and where to go on; the alias may follow a description."""
    item = _ITEM.match(text, position, end)
    position = item.end() if item else position
    match = pattern(_WITH_FORM, exact=True).match(text, position, end)
    if not (match and _is_organization(fold(match[0].rstrip(_AFTER_NAME)))):
        match = _as_written(text, position, end) or match
    if not match:
        return None, position
    quote = match[0].rstrip(_AFTER_NAME)
    alias = _alias_of(text, match.end(), end)
    if not (_is_organization(fold(quote)) or (alias and (match.re is _WRITTEN or _is_person(fold(quote))))):
        return None, match.end()
    party = Party((match.start(), match.start() + len(quote)), fold(quote), alias is not None)
    return party, alias.end() if alias else match.end()


_AFTER_NAME = " ,;:\n"


def _as_written(text: str, position: int, end: int) -> re.Match[str] | None:
    """What stands where only a party can, before its alias, whatever its letters: "salestorm.com, inc."."""
    match = _WRITTEN.match(text, position, end)
    name = fold(match[0]) if match else ""
    if match is None or not _may_name_party(name) or not _alias_of(text, match.end(), end):
        return None
    return match


def _may_name_party(name: str) -> bool:
    if pattern(r"(?:{article}|{self})\s|(?:{common})(?:\s|\Z)|(.)\1*\Z").match(name) or names_nothing(name):
        return False
    return legal_end(name) >= len(name.rstrip(".")) or ("," not in name and all(map(_is_of_name, name.split())))


def _is_of_name(word: str) -> bool:
    """Whether a word has a capital or a digit, or a point as in "drugstore.com", or joins others."""
    return pattern(r".*[^\W\d_a-zß-öø-ÿ]|.*\d|\w+\.\w|" + _SMALL + r"\Z|&\Z", exact=True).match(word) is not None


def _alias_of(text: str, start: int, end: int) -> re.Match[str] | None:
    """The alias of the name before `start`, past a description without another "and"."""
    found = _ALIAS.search(text, start, min(end, start + 420))
    if found is None or _AND.search(text, start, found.start()):
        return None
    return None if pattern(r"\b(?:{no_party})\b").search(found[0]) else found


def _next_place(text: str, position: int, end: int, after_alias: bool) -> int | None:
    if after_alias:
        gap = _NEXT.match(text, position, end)
        if gap and (_BEGINS.match(text, gap.end(), end) or _as_written(text, gap.end(), end)):
            return gap.end()
    following = _AND_OR_LINE.search(text, position, end)
    return following.end() if following else None


def _is_person(name: str) -> bool:
    common = pattern(r"(?:{common})\b", exact=True)
    return 1 < len(name.split()) < 6 and not any(map(str.isdigit, name)) and not common.match(name)


def _is_organization(name: str) -> bool:
    ends = pattern(r"(?:\A|[\s,])(?:{agreement_form})(?![\w])\.?" + _OF_PLACE + r"\s*\Z", exact=True)
    common = pattern(r"(?:The\s+)?(?:{common})", exact=True)
    return len(name) > 6 and ends.search(name) is not None and not common.fullmatch(name)


_OF_PLACE = r"(?:\s+of(?:\s+the)?(?:\s+[A-Z][\w'’-]{1,20}){1,3})?"


def _defined(text: str) -> Iterator[Party]:
    """The first organization that gets the alias of a party: Acme, Inc. (the "Company")."""
    alias = pattern(
        r"\(\s*(?:the|together|collectively|hereinafter)?[\s,]{0,90}(?:the\s+)?[“\"](?:{alias})\b", exact=True
    )
    for match in alias.finditer(text, 0, min(len(text), _PREAMBLE)):
        names = pattern(_WITH_FORM, exact=True).finditer(text, max(0, match.start() - 220), match.start())
        spans = [name.span() for name in names if _is_organization(fold(name[0]))]
        if spans:
            yield Party(spans[-1], fold(text[spans[-1][0] : spans[-1][1]]))
            return


def _addressee(context: CapabilityContext) -> Iterator[Party]:
    """The organization that a letter is written to: the last one above the greeting."""
    text = context.document.text
    greeting = _GREETING.search(text, 0, min(len(text), _PREAMBLE))
    above = [line for line in page_lines(context.document)[:40] if greeting and line.start < greeting.start()]
    named = [line for line in above if len(line.plain) < 60 and _is_organization(line.plain)]
    # Nobody writes to himself: who stands in the letterhead too is not known to be the addressee.
    if named and _key(named[-1].plain) not in [_key(line.plain) for line in named[:-1]]:
        yield Party(named[-1].span, fold(named[-1].plain))


def _signer(context: CapabilityContext) -> Iterator[Party]:
    """The one person who signed for nobody else: "/s/ Jane Doe" without a "By" before it."""
    text = context.document.text
    found: dict[str, Party] = {}
    for match in _SIGNATURE.finditer(text, max(0, len(text) - _LONGEST_SENTENCE)):
        if _is_person(match[1]) and not _FOR_ANOTHER.search(text, max(0, match.start() - 30), match.start()):
            found.setdefault(_key(match[1]), Party(match.span(1), fold(match[1])))
    if len(found) == 1:
        yield from found.values()
