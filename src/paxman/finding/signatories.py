"""Who makes an agreement: the names in the sentence that says "between", with what the paper calls each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

from paxman.classes import record
from paxman.finding.claims import Claims
from paxman.finding.ties import Find
from paxman.finding.wanted import Wanted
from paxman.lazy import lazy_pattern, remembered
from paxman.lexicon.folding import fold_words
from paxman.lexicon.lexicon import Lexicon, texts_of
from paxman.page.names import Name, Page
from paxman.page.places import Place
from paxman.recognizers import Reading
from paxman.recognizers.base import GAP, UNKNOWN
from paxman.recognizers.booleans_and_enums import AND
from paxman.recognizers.parties import is_legal_form
from paxman.recognizers.places import find_regions
from paxman.transforms import fold
from paxman.types import FieldType, Span

_PREAMBLE, _LONGEST_SENTENCE, _SIGNATURES = 4500, 1800, 1800
_MOST = 14
_FAR = 420
_LONGEST_REGION = 25
_LINES_ABOVE, _LONGEST_LINE = 40, 60
_MOST_DIGITS = 4
_MOST_WORDS = 8
_CAPITAL = r"A-ZÀ-Þ"
# A name may begin small before a capital, as eLong does, but never inside a word.
_FIRST = rf"(?<!\w)(?:[a-z]{{1,3}}(?=[A-Z]))?[{_CAPITAL}0-9]"
_SMALL = r"(?:of|the|del?|las?|los|el|d[iou]|da|dos|des|della|van|von|der|den|zu)"
_AND = rf"(?i:{AND})"
_WORD = rf"(?:(?:(?:{_SMALL}{GAP}){{1,2}}(?=\D))?(?!(?i:{AND}|dated)\b){_FIRST}[\w.&'’!/-]{{0,40}}|&)"
# The names of partners, with commas between them, lead to an "&".
_PARTNERS = rf"(?:(?:,{GAP}[{_CAPITAL}][\w'’-]{{0,30}}){{1,4}},?(?={GAP}&\s))?"
_NAME = lazy_pattern(rf"(?:The\s+)?{_FIRST}[\w.&'’!/-]{{0,40}}{_PARTNERS}(?:{GAP}{_WORD}){{0,12}}")
_FORM = lazy_pattern(rf"(?:{GAP}\([{_CAPITAL}][\w. ]{{1,18}}\))?,?{GAP}([\w.&/-]+(?:{GAP}[\w.]+){{0,2}}\.?)")
_CAPITALS = lazy_pattern(r"[A-Z]{2,}\.")
_SENTENCE = lazy_pattern(r"\s+[A-Z]|\s*\Z")
_JUNIOR = lazy_pattern(rf",{GAP}(?:Jr|Sr|JR|SR|II|III|IV)(?!\w)\.?")
_ALIAS = lazy_pattern(
    r"[\s,]{0,9}\((?:(?=[^()]{0,160}(?:[“\"”'‘«]|\b[A-Z]{3,}\b))[^()]{0,240}\)"
    rf"|(?:the )?[{_CAPITAL}][a-z]{{3,14}}\)(?=[;.,\n]|\s+{_AND}\b))"
    rf"|(?<=[\s,–-])[^\s()“\"„«][^()“\"„«\n]{{0,60}}[“\"„«](?=[{_CAPITAL}])[^”\"“»]{{1,40}}[”\"“»]"
)
_WRITTEN = lazy_pattern(
    rf"(?!{_AND}\s|\[|[-–—,.&])[^\s()][^();:]{{1,80}}?"
    r"(?=[\s,]{0,9}\(|,\s+(?:an?|with|having|whose|located|organized|residing)\b)"
)
_ARTICLE = r"(?-i:[Ll]a (?:société|sociedad)|de[rm]|die|la|le|el)\b"
_BEFORE_NAME = rf"(?:\([a-z\d]{{1,3}}\)\s*|\d{{1,2}}[.)]\s+)?(?:{_ARTICLE}\s+)?"
_NEXT = lazy_pattern(rf"[\s,;.]{{0,4}}(?:\b{_AND}(?=[\s,:])|&|,|;|\n)?[:,]?\s*{_BEFORE_NAME}")
_LEADS_ON = lazy_pattern(
    rf"\b(?:and|AND|und|[Ee]t|y)[\s,:-]+{_BEFORE_NAME}(?={_FIRST}|the\s+[A-Z])"
    rf"|,[ \t]*\n\s{{0,20}}(?!{_AND}\s)(?=[A-Z(\d])"
)
_LISTED = lazy_pattern(r"\s{0,3},\s{1,9}(?:an?\s[^,;()]{3,80},\s{1,9})?")
_AFTER_LISTED = lazy_pattern(rf"\s{{0,9}}(?:[,;(\n]|{_AND}\s|\Z)")
_PLACE_BEHIND = lazy_pattern(r"\s+of(?:\s+the)?(?:\s+[A-Z][\w'’-]{1,20}){1,3}\Z")
_SIGNATURE = lazy_pattern(rf"/ ?s ?/ ?([A-Z][\w.’'-]{{0,20}}(?: [A-Z][\w.’'-]{{0,20}}){{1,3}}(?:,{GAP}(?:Jr|Sr)\.?)?)")
_FOR_ANOTHER = lazy_pattern(r"(?i:\bby\b\W{0,6}(?:name\W{0,3})?)\Z")
_AFTER_NAME = " ,;:\n"


@record
class Signatory:
    """A party to an agreement: where its name stands, and what the paper calls it."""

    span: Span
    name: str
    alias: str = ""

    @property
    def key(self) -> str:
        return "".join(filter(str.isalnum, self.name)).casefold()


@remembered(lambda page, lexicon: (page.document.cache, id(lexicon)))
def find_signatories(page: Page, lexicon: Lexicon) -> tuple[Signatory, ...]:
    """The parties that a paper names: between whom it is, else whom it is written to or gives a role, who signed."""
    search = _PartySearch(page, lexicon)
    found = search.between() or search.addressee() or search.given_roles()[:1]
    if len(found) == 1:
        others = (each for each in search.given_roles() if not found[0].key.endswith(each.key))
        found += [*others][:1] or search.signer()
    return tuple({each.key: each for each in reversed(found)}.values())[::-1]


def signatory_finds(page: Page, claims: Claims) -> Iterator[Find]:
    """Parties for fields that are called what the paper calls them: Ann Foley (the "Landlord")."""
    if not any(map(_asks_for_name, claims.wanted)) or not _QUOTED.search(page.text, 0, _PREAMBLE):
        return
    for each in find_signatories(page, claims.lexicon):
        for quoted in _QUOTED.findall(each.alias):
            for number, claim in claims.of(quoted.strip(" ,.")).items():
                if _asks_for_name(claims.wanted[number]):
                    name = Name(quoted, each.span, page.lines.at(each.span[0]), ())
                    reading = Reading(*each.span, each.name, ("fold",))
                    signs = {"fit": claim.fit, "what the paper calls it": 1.0}
                    yield Find(number, claim, Place("inline", each.span, each.span), signs, name, reading)


def _asks_for_name(wanted: Wanted) -> bool:
    return wanted.field.type is FieldType.STRING and wanted.kind in ("name", "person", "company", "text")


class _PartySearch:
    def __init__(self, page: Page, lexicon: Lexicon) -> None:
        self.page, self.text = page, page.text
        entry: Mapping[str, Any] = next((each for each in lexicon.clauses if each.get("field") == "parties"), {})
        self.leads, self.heads = _phrases(entry, "lead"), _phrases(entry, "heading")
        self.stops, self.shared = _phrases(entry, "stop"), _words(entry, "shared")
        self.roles, self.greetings = _words(entry, "roles"), _phrases(entry, "greeting")
        self.former, self.stopwords = _words(entry, "former"), lexicon.stops | self.shared
        self.forms, self.papers = _words(entry, "forms"), _words(entry, "papers")

    def between(self) -> list[Signatory]:
        """The parties of the first sentence that says between whom it is."""
        spans = [span for lead in self.leads for span in self.page.words.find(lead)]
        spans += [
            span
            for head in self.heads
            for span in self.page.words.find(head)
            if self.text[span[1] : span[1] + 1] in ":\n"
        ]
        for _, end in sorted({start: max(e for s, e in spans if s == start) for start, _ in spans}.items()):
            if end > _PREAMBLE:
                break
            found = list(self._sentence(end))
            if len(found) > 1 or (found and found[0].alias):
                return found
        return []

    def _sentence(self, start: int) -> Iterator[Signatory]:
        end = min(len(self.text), start + _LONGEST_SENTENCE)
        stops = [span[0] for stop in self.stops for span in self.page.words.find(stop) if start < span[0] < end]
        end = min([end, *stops])
        gap = _NEXT.match(self.text, start, end)
        position: int | None = gap.end() if gap else start
        for _ in range(_MOST):
            if position is None:
                return
            found, reached = self._party_at(position, end)
            if found:
                yield found
            position = self._next(reached, end, bool(found and found.alias))

    def _party_at(self, start: int, end: int) -> tuple[Signatory | None, int]:
        """The party whose name begins here, and where to go on; the alias may follow a description."""
        named = self._name(start, end)
        written = None if named and self._is_organization(named) else self._as_written(start, end)
        span = written or named
        if span is None:
            return None, start
        alias = self._alias(span[1], end)
        if not (written or self._is_organization(span) or (alias and self._is_person(span))):
            return None, span[1]
        return Signatory(span, fold(self.text[slice(*span)]), self.text[slice(*alias)] if alias else ""), alias[
            1
        ] if alias else span[1]

    def _name(self, start: int, end: int) -> Span | None:
        """A name with the legal forms behind it."""
        match = _NAME.match(self.text, start, end)
        if match is None:
            return None
        reached = match.end()
        junior = _JUNIOR.match(self.text, reached, end)
        reached = junior.end() if junior else reached
        for _ in range(2):
            reached = self._past_form(reached, end)
        name = self.text[start:reached].rstrip(_AFTER_NAME)
        # A point behind letters that need none ends a sentence: "Elm LLC. This agreement".
        return start, start + len(name) - (
            _CAPITALS.fullmatch(name.split()[-1]) is not None and bool(_SENTENCE.match(self.text, start + len(name)))
        )

    def _past_form(self, start: int, end: int) -> int:
        form = _FORM.match(self.text, start, end)
        words = form[1].split() if form else []
        for count in range(len(words), 0, -1):
            said = " ".join(words[:count])
            reached = self.text.index(words[count - 1], form.start(1)) + len(words[count - 1]) if form else start
            if self._is_form(said) and not _NUMBER.match(self.text, reached):
                return reached
        return start

    def _as_written(self, start: int, end: int) -> Span | None:
        """What stands where only a party can, before its alias, whatever its letters: "salestorm.com, inc."."""
        match = _WRITTEN.match(self.text, start, end)
        if match is None or not self._alias(match.end(), end):
            return None
        words = match[0].split()
        small = [word for word in words if word[0].islower() and "." not in word[1:-1] and word not in _JOINS]
        ends = is_legal_form(words[-1]) and fold(words[0]) not in self.stopwords
        if (not ends and (small or "," in match[0])) or sum(map(str.isdigit, match[0])) > _MOST_DIGITS:
            return None
        if len(words) > _MOST_WORDS or len(set(match[0])) == 1:
            return None
        return match.span() if not self._is_paper(match.span()) else None

    def _alias(self, start: int, end: int) -> Span | None:
        """What a paper calls the party before `start`, past a description without another "and"."""
        found = _ALIAS.search(self.text, start, min(end, start + _FAR))
        if found is None or self._leads_on(start, found.start()) is not None:
            return None
        return None if self.shared & set(fold_words(found[0])) else found.span()

    def _next(self, position: int, end: int, after_alias: bool) -> int | None:
        gap = _NEXT.match(self.text, position, end) if after_alias else None
        if gap and (_NAME.match(self.text, gap.end(), end) or self._as_written(gap.end(), end)):
            return gap.end()
        listed = _LISTED.match(self.text, position, end)
        span = self._name(listed.end(), end) if listed else None
        if span and self._is_organization(span) and _AFTER_LISTED.match(self.text, span[1], end):
            return span[0]
        return self._leads_on(position, end)

    def _leads_on(self, start: int, end: int) -> int | None:
        """Behind the first "and" that is not within the name of a country: England and Wales."""
        for found in _LEADS_ON.finditer(self.text, start, end):
            begin = max(0, found.start() - _LONGEST_REGION)
            regions = find_regions(self.text[begin : found.end() + _LONGEST_REGION], UNKNOWN)
            if not any(begin + region.start < found.start() < begin + region.end for region in regions):
                return found.end()
        return None

    def _is_paper(self, span: Span) -> bool:
        """Whether words name the paper, or somebody by his role alone: "Confidentiality Agreement", "The Company"."""
        words = [word for word in fold_words(self.text[slice(*span)]) if word != "the"]
        return not words or words[0] in self.papers or words[-1] in self.papers or self.roles.issuperset(words)

    def _is_person(self, span: Span) -> bool:
        name = self.text[slice(*span)]
        return 1 < len(name.split()) < 6 and not any(map(str.isdigit, name)) and not self._is_paper(span)

    def _is_organization(self, span: Span) -> bool:
        words = _PLACE_BEHIND.sub("", fold(self.text[slice(*span)])).replace(",", "").split()
        if len(words) < 2 or self._is_paper(span):
            return False
        return any(self._is_form(" ".join(words[-count:])) for count in (1, 2, 3) if len(words) > count)

    def _is_form(self, text: str) -> bool:
        """Whether words end the name of an organization; "a Delaware corporation" only describes one."""
        bare = text.replace(".", "")
        return (is_legal_form(text) or bare.casefold() in self.forms) and (not bare.islower() or bare == "plc")

    def given_roles(self) -> list[Signatory]:
        """Organizations that get the role of a party: Acme, Inc. (the "Company")."""
        found = []
        for alias in _ALIAS.finditer(self.text, 0, min(len(self.text), _PREAMBLE)):
            quoted = {word for text in _QUOTED.findall(alias[0]) for word in fold_words(text)}
            span = self._last_organization(max(0, alias.start() - 220), alias.start()) if quoted & self.roles else None
            if span and not self._is_former(span[0]):
                found.append(Signatory(span, fold(self.text[slice(*span)]), alias[0]))
        return found

    def _is_former(self, start: int) -> bool:
        """Whether a name is said to be an old one: "formerly known as"."""
        before = fold_words(self.text[max(0, start - _LONGEST_REGION) : start])[-3:]
        return not self.former.isdisjoint(before) or "".join(before) == "fka"

    def _last_organization(self, start: int, end: int) -> Span | None:
        """The last organization that is named here, without the title of the paper over it."""
        spans = filter(None, (self._name(match.start(), end) for match in _NAME.finditer(self.text, start, end)))
        below = ((self._below_title(span), span[1]) for span in spans)
        return next((span for span in reversed(list(below)) if self._is_organization(span)), None)

    def _below_title(self, span: Span) -> int:
        lines = [*accumulate(map(len, self.text[slice(*span)].splitlines(keepends=True)), initial=span[0])]
        titles = [b for a, b in pairwise(lines) if b < span[1] and self._is_paper((a, b))]
        return max([span[0], *titles])

    def addressee(self) -> list[Signatory]:
        """The organization that a letter is written to: the last one above the greeting."""
        greetings = [span[0] for words in self.greetings for span in self.page.words.find(words)]
        if not greetings or min(greetings) > _PREAMBLE:
            return []
        lines = [line for line in self.page.lines.head(_LINES_ABOVE) if line.start < min(greetings)]
        short = (line for line in lines if line.end - line.start < _LONGEST_LINE)
        spans = filter(None, (self._last_organization(line.start, line.end) for line in short))
        named = [Signatory(span, fold(self.text[slice(*span)])) for span in spans]
        # Nobody writes to himself: who stands in the letterhead too is not known to be the addressee.
        return named[-1:] if named and named[-1].key not in [each.key for each in named[:-1]] else []

    def signer(self) -> list[Signatory]:
        """The one person who signed for nobody else: "/s/ Jane Doe" without a "By" before it."""
        found: dict[str, Signatory] = {}
        for match in _SIGNATURE.finditer(self.text, max(0, len(self.text) - _SIGNATURES)):
            if self._is_person(match.span(1)) and not _FOR_ANOTHER.search(
                self.text, max(0, match.start() - 30), match.start()
            ):
                each = Signatory(match.span(1), fold(match[1]))
                found.setdefault(each.key, each)
        return list(found.values()) if len(found) == 1 else []


_NUMBER = lazy_pattern(r"[ \t]+\d")
_QUOTED = lazy_pattern(r"[“\"„«]([^”\"“»]{1,40})[”\"“»]")
_JOINS = frozenset(("of", "the", "and", "&", "de", "la", "van", "von", "der"))


def _phrases(entry: Mapping[str, Any], key: str) -> Sequence[str]:
    return [" ".join(fold_words(text)) for text in texts_of(entry.get(key, ()))]


def _words(entry: Mapping[str, Any], key: str) -> frozenset[str]:
    return frozenset(word for text in texts_of(entry.get(key, ())) for word in fold_words(text))
