"""The parties to an agreement, from the sentence that names them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.clauses import is_agreement, names_agreement
from paxman.capabilities.own_papers import begins_paper, ends_in_paper
from paxman.capabilities.page_lines import page_lines
from paxman.capabilities.values import Found
from paxman.finding.blanks import names_nothing
from paxman.finding.parties.line_shapes import legal_end
from paxman.recognizers.base import LINE_END, UNKNOWN
from paxman.recognizers.places import find_regions
from paxman.recognizers.tables import pattern
from paxman.recognizers.words import AND
from paxman.transforms import fold
from paxman.types import Span

_PREAMBLE = 4500
_LONGEST_SENTENCE = 1800
_MOST = 12

_GAP = rf"(?:{LINE_END}(?:\n[ \t]{{0,40}})?|[ \t]{{1,2}})"
_SMALL = r"(?:of|the|del?|las?|los|el|d[iou]|da|dos|des|della|van|von|der|den|zu)"
_ARTICLE = r"(?-i:[Ll]a (?:société|sociedad)|de[rm]|die|la|le|el)\b"
# A name may begin small before a capital, as eLong does, but never inside a word.
_FIRST = r"(?<!\w)(?:[a-z]{1,3}(?=[A-Z]))?[A-Z0-9]"
_WORD = rf"(?:(?:(?:{_SMALL}{_GAP}){{1,2}}(?=[^\d]))?(?!(?i:AND|DATED)\b){_FIRST}[\w.&'’!/-]{{0,40}}|&)"
# The names of partners, with commas between them, lead to an "&".
_PARTNERS = rf"(?:(?:,{_GAP}[A-Z][\w'’-]{{0,30}}){{1,4}},?(?={_GAP}&\s))?"
_NAME = rf"(?:The\s+)?{_FIRST}[\w.&'’!/-]{{0,40}}{_PARTNERS}(?:{_GAP}{_WORD}){{0,8}}"
_JUNIOR = r"(?:Jr|Sr|JR|SR|II|III|IV)(?!\w)\.?"
_SUFFIX = rf"(?:,{_GAP}{_JUNIOR})?"
_FORM = rf",?{_GAP}" + r"(?:{agreement_form})(?![\w])\.?"
_COUNTRY = rf"(?:{_GAP}\([A-Z][\w. ]{{1,18}}\)(?={_FORM}))?"
_WITH_FORM = _NAME + _COUNTRY + _SUFFIX + rf"(?:{_FORM}){{0,2}}"
_CALLED = "hereinafter|nachfolgend|nachstehend|im Folgenden|ci-après|en adelante"
_ALIAS = re.compile(
    r"\s*,?\s*\((?:(?=[^()]{0,160}(?:[“\"”'‘«]|\b[A-Z]{3,}\b))[^()]{0,240}\)"
    r"|(?:the )?[A-Z][a-z]{3,14}\)(?=[;.,\n]|\s+and\b))"
    rf"|(?:{_CALLED})\b[^()“\"„«]{{0,40}}[“\"„«][^”\"“»]{{1,40}}[”\"“»]"
)
# What stands up to an alias, or up to a description before it.
_WRITTEN = re.compile(
    rf"(?!(?i:{AND})\s|\[|[-–—,.&])[^\s()][^();:]{{1,80}}?"
    r"(?=[\s,]{0,9}\(|,\s+(?:an?|with|having|whose|located|organized|residing)\b)"
)
_STOP = re.compile(
    r"\bRECITALS?\b|\bWHEREAS\b|\bWITNESSETH\b|\bBACKGROUND\b|\.\s+(?=(?:The|This|In|As|Each|WHEREAS|You|It|For)\b)"
    r"|\n\s*(?:1\.|A\.|I\.)\s|\bregarding\b|\bwith\s+(?:reference|respect)\s+to\b|\bin\s+connection\s+with\b"
)
_OTHER = r"[Dd]e\s+otra(?:\s+parte)?,?"
_BEFORE_NAME = rf"(?:\([a-z\d]{{1,3}}\)\s*|\d\.\s+)?(?:{_ARTICLE}\s+)?"
_NEXT = re.compile(
    rf"[\s,;.]{{0,4}}(?:\b(?:{AND})(?=[\s,:])|&|,|;|\n)?[:,]?\s*(?:{_OTHER}\s+)?{_BEFORE_NAME}", re.IGNORECASE
)
_BEGINS = re.compile(_FIRST)
# Without the Dutch "en", which leads to a place in French and Spanish.
_AND = re.compile(rf"\b(?:and|AND|und|[Ee]t|y|{_OTHER})[\s,:-]+{_BEFORE_NAME}(?={_FIRST}|the\s+[A-Z])")
_AND_ANOTHER = re.compile(
    rf"\b(?:and|AND|{_OTHER})[\s,:-]+{_BEFORE_NAME}(?={_FIRST}|the\s+[A-Z])"
    rf"|(?:\n\s{{0,20}}(?:und|[Ee]t|y)|\b(?:und|et|y)\s+{_ARTICLE})[\s,:-]+(?={_FIRST})"
)
_AND_OR_LINE = re.compile(_AND.pattern + rf"|,[ \t]*\n\s{{0,20}}(?!(?i:{AND})\s)(?=[A-Z(\d])")
_ITEM = re.compile(rf"\s{{0,9}}(?:\([a-z\d]{{1,3}}\)|\d{{1,2}}[.)])\s+(?:{_ARTICLE}\s+)?")
_GREETING = re.compile(r"(?:Ladies and Gentlemen|Gentlemen|Dear\b[^\n]{0,60})\s*[:,]", re.IGNORECASE)
_SIGNATURE = re.compile(rf"/ ?s ?/ ?([A-Z][\w.’'-]{{0,20}}(?: [A-Z][\w.’'-]{{0,20}}){{1,3}}(?:, {_JUNIOR})?)")
_FOR_ANOTHER = re.compile(r"\bby\b\W{0,6}(?:name\W{0,3})?\Z", re.IGNORECASE)


@attrs.frozen
class Party:
    """A name and its place; `named` when an alias in brackets follows: ("Company")."""

    span: Span
    name: str
    named: bool = True
    alias: str = ""


def find_signatories(context: CapabilityContext) -> list[Found]:
    """Names of the parties; a guess, since not every paper names them all in one sentence."""
    text = context.document.text
    parties = parties_between(text) or (is_agreement(text) and _labelled(text))
    parties = parties or [*_addressee(context), *_defined(text)]
    if len(parties) == 1:
        parties += [party for party in _defined(text) if _key(party.name) != _key(parties[0].name)] or _signer(context)
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


def parties_between(text: str) -> list[Party]:
    """The parties of the first sentence that says "between"."""
    after = r"(?:\s+(?:and|(?-i:the|THE)|parties|following|signing|below|les|soussignés)){0,5}[\s:,]{0,90}"
    anchor = pattern(
        rf"\b(?:by\s+and\s+)?(?:{{between}})\b{after}(?:{_ARTICLE}\s+)?|\bde\s+una\s+parte[\s,:]{{1,9}}"
        r"|\bparties(?:\s?:\s{0,90}|\s{1,9}(?=\(1\)))"
    )
    for match in anchor.finditer(text, 0, min(len(text), _PREAMBLE)):
        parties = list(_parties(text, match.end()))
        if parties and (len(parties) > 1 or parties[0].named):
            return parties
    return []


def _labelled(text: str) -> list[Party]:
    """The parties of a form, two or more: "Disclosing Party: Acme, Inc."."""
    label = pattern(r"(?m)^[ \t]*(?:[^\W\d_]{4,14}[ \t]party|party[ \t]\w{1,3}|{role})[ \t]*:[ \t]*(?=\S)")
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
    if addressed := _addressed(text, position, end):
        return addressed
    match = pattern(_WITH_FORM, exact=True).match(text, position, _number_behind(text, position, end))
    if not (match and _is_organization(fold(match[0].rstrip(_AFTER_NAME)))):
        match = _as_written(text, position, end) or match
    if not match:
        return None, position
    quote = match[0].rstrip(_AFTER_NAME)
    alias = _alias_of(text, match.end(), end) or _shared_alias(text, match, end)
    if not (_is_organization(fold(quote)) or (alias and (match.re is _WRITTEN or _is_person(fold(quote))))):
        return None, match.end()
    span, called = (match.start(), match.start() + len(quote)), alias[0] if alias else ""
    party = Party(span, fold(quote), alias is not None, called)
    return party, alias.end() if alias and alias.re is _ALIAS else match.end()


def _addressed(text: str, position: int, end: int) -> tuple[Party, int] | None:
    """A person whose name stands behind a form of address, Madame Claire Martin, and where to go on."""
    title = _ADDRESS.match(text, position, end)
    name = pattern(_NAME, exact=True).match(text, title.end(), end) if title else None
    quote = name[0].rstrip(_AFTER_NAME) if name else ""
    if name is None or not _is_person(fold(quote)) or _is_organization(fold(text[position : name.end()])):
        return None
    alias = _alias_of(text, name.end(), end)
    span, called = (name.start(), name.start() + len(quote)), alias[0] if alias else ""
    return Party(span, fold(quote), alias is not None, called), alias.end() if alias else span[1]


_ADDRESS = re.compile(
    r"(?:Herrn?|Frau|Monsieur|Madame|Mademoiselle|Mme|Mlle|M\.|Don|Doña|D\.ª|D\.|D[ñn]a\.|Sr\.|Sra\.|Signora?|Sig\.(?:ra)?"
    r"|De heer|Mevrouw|Mr\.?|Mrs\.?|Ms\.?)[ \t]+(?=[^\W\d_a-z])"
)


def _shared_alias(text: str, name: re.Match[str], end: int) -> re.Match[str] | None:
    """What joins a name to a second one, right behind which several get one alias: Ann Lee and Bob Hill ("Tenants")."""
    join = _JOINED.match(text, name.end(), end)
    second = pattern(_NAME, exact=True).match(text, join.end(), end) if join else None
    if second is None or not _is_person(fold(second[0].rstrip(_AFTER_NAME))):
        return None
    return join if _MANY.match(text, second.end(), end) else None


_JOINED = re.compile(rf"\s+(?:{AND}|&)\s+")
_MANY = re.compile(r"\s*,?\s*\((?:[^()]{0,60}\s)?[“\"”'‘«]\s?(?:the\s+)?[A-Z]\w{2,20}s\s?[”\"“'’»]\)")


_AFTER_NAME = " ,;:\n"


def _number_behind(text: str, position: int, end: int) -> int:
    """Where the number of a company begins right behind its legal form: "Oak Pty Ltd ABN 51 824"."""
    number = pattern(r"[\w .,&'’-]{2,60}?\b(?:{agreement_form})\.?(?=\s+[A-Z]{2,5}\s+\d)", exact=True)
    found = number.match(text, position, end)
    return found.end() if found else end


def _as_written(text: str, position: int, end: int) -> re.Match[str] | None:
    """What stands where only a party can, before its alias, whatever its letters: "salestorm.com, inc."."""
    match = _WRITTEN.match(text, position, end)
    name = fold(match[0]) if match else ""
    if match is None or not _may_name_party(name) or not _alias_of(text, match.end(), end):
        return None
    return match


def _may_name_party(name: str) -> bool:
    if pattern(r"(?:{article}|{self}|you)\s|(?:{common})(?:\s|\Z)|(.)\1*\Z").match(name) or names_nothing(name):
        return False
    if begins_paper(name) or ends_in_paper(name, or_shop=False) or sum(map(str.isdigit, name)) > _MOST_DIGITS:
        return False
    return legal_end(name) >= len(name.rstrip(".")) or ("," not in name and all(map(_is_of_name, name.split())))


_MOST_DIGITS = 4
"""Digits of a name; more make a number of a register."""


def _is_of_name(word: str) -> bool:
    """Whether a word has a capital or a digit, or a point as in "drugstore.com", or joins others."""
    return pattern(r".*[^\W\d_a-zß-öø-ÿ]|.*\d|\w+\.\w|" + _SMALL + r"\Z|&\Z", exact=True).match(word) is not None


def _alias_of(text: str, start: int, end: int) -> re.Match[str] | None:
    """The alias of the name before `start`, past a description without another "and"."""
    found = _ALIAS.search(text, start, min(end, start + 420))
    if found is None or _leads_on(_AND_ANOTHER, text, start, found.start()):
        return None
    if pattern(r"\b(?:{no_party})\b").search(found[0]) or (_BARE.fullmatch(found[0]) and not names_agreement(text)):
        return None
    return found


_BARE = re.compile(r"\s*,?\s*\((?:the )?[A-Z][a-z]{3,14}\)")


def _next_place(text: str, position: int, end: int, after_alias: bool) -> int | None:
    if after_alias:
        gap = _NEXT.match(text, position, end)
        if gap and (_BEGINS.match(text, gap.end(), end) or _as_written(text, gap.end(), end)):
            return gap.end()
    listed = _LISTED.match(text, position, end)
    if listed and _lists_organization(text, listed.end(), end):
        return listed.end()
    following = _leads_on(_AND_OR_LINE, text, position, end)
    return following.end() if following else None


_LISTED = re.compile(r"\s{0,3},\s{1,9}(?:an?\s[^,;()]{3,80},\s{1,9})?")
_AFTER_LISTED = re.compile(rf"\s{{0,9}}(?:[,;(\n]|(?:{AND})\s|\Z)")


def _lists_organization(text: str, position: int, end: int) -> bool:
    """Whether the whole name of an organization stands after a comma: "among Oak, Inc., Elm LLC and"."""
    name = pattern(_WITH_FORM, exact=True).match(text, position, end)
    if name is None or not _is_organization(fold(name[0].rstrip(_AFTER_NAME))):
        return False
    return _AFTER_LISTED.match(text, position + len(name[0].rstrip(_AFTER_NAME)), end) is not None


def _leads_on(words: re.Pattern[str], text: str, start: int, end: int) -> re.Match[str] | None:
    """The first "and" that is not within the name of a country: England and Wales."""
    for found in words.finditer(text, start, end):
        begin = max(0, found.start() - _LONGEST_REGION)
        regions = find_regions(text[begin : found.end() + _LONGEST_REGION], UNKNOWN)
        if not any(begin + region.start < found.start() < begin + region.end for region in regions):
            return found
    return None


_LONGEST_REGION = 25


def _is_person(name: str) -> bool:
    if (
        begins_paper(name)
        or ends_in_paper(name, or_shop=False)
        or pattern(r"(?:{common}|THE)\b", exact=True).match(name)
    ):
        return False
    return 1 < len(name.split()) < 6 and not any(map(str.isdigit, name))


def _is_organization(name: str) -> bool:
    ends = pattern(r"(?:\A|[\s,])(?:{agreement_form})(?![\w])\.?" + _OF_PLACE + r"\s*\Z", exact=True)
    common = pattern(r"(?:The\s+)?(?:{common})", exact=True)
    return len(name) > 6 and ends.search(name) is not None and not common.fullmatch(name)


_OF_PLACE = r"(?:\s+of(?:\s+the)?(?:\s+[A-Z][\w'’-]{1,20}){1,3})?"


def _defined(text: str) -> Iterator[Party]:
    """The first organization that gets the alias of a party, Acme, Inc. (the "Company"), and those of a note."""
    alias = pattern(
        r"\((?:[^()]{0,120}[\s,])?[“\"](?:(?P<first>{alias})|{note_alias})\b",
        exact=True,
    )
    known = False
    for match in alias.finditer(text, 0, min(len(text), _PREAMBLE)):
        names = pattern(_WITH_FORM, exact=True).finditer(text, max(0, match.start() - 220), match.start())
        spans = [
            name.span() for name in names if _is_organization(fold(name[0])) and not _is_former(text, name.start())
        ]
        if spans and not (known and match["first"]):
            known = known or match["first"] is not None
            start, end = _below_title(text, spans[-1])
            yield Party((start, end), fold(text[start:end]))


def _is_former(text: str, start: int) -> bool:
    return pattern(r"\b(?:{past})[^()\n]{0,12}\s\Z").search(text, max(0, start - 40), start) is not None


def _below_title(text: str, span: Span) -> Span:
    """Where a name stands without the title of the paper over it."""
    line = _LINE_ABOVE.match(text, *span)
    return (line.end(), span[1]) if line and ends_in_paper(line[0].strip()) else span


_LINE_ABOVE = re.compile(r"[^\n]{1,80}\n\s{0,80}")


def _addressee(context: CapabilityContext) -> Iterator[Party]:
    """The organization that a letter is written to: the last one above the greeting."""
    text = context.document.text
    greeting = _GREETING.search(text, 0, min(len(text), _PREAMBLE))
    above = [line for line in page_lines(context.document)[:40] if greeting and line.start < greeting.start()]
    named = [line for line in above if len(line.plain) < 60 and ":" not in line.plain and _is_organization(line.plain)]
    # Nobody writes to himself: who stands in the letterhead too is not known to be the addressee.
    if named and _key(named[-1].plain) not in [_key(line.plain) for line in named[:-1]]:
        start, end = named[-1].span
        lead = _CARE_OF.match(text, start, end)
        start = lead.end() if lead else start
        yield Party((start, end), fold(text[start:end]))


_CARE_OF = re.compile(r"(?:c/o|(?:the )?board of directors of)\s+", re.IGNORECASE)


def _signer(context: CapabilityContext) -> Iterator[Party]:
    """The one person who signed for nobody else: "/s/ Jane Doe" without a "By" before it."""
    text = context.document.text
    found: dict[str, Party] = {}
    for match in _SIGNATURE.finditer(text, max(0, len(text) - _LONGEST_SENTENCE)):
        if _is_person(match[1]) and not _FOR_ANOTHER.search(text, max(0, match.start() - 30), match.start()):
            found.setdefault(_key(match[1]), Party(match.span(1), fold(match[1])))
    if len(found) == 1:
        yield from found.values()
