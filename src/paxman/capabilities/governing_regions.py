"""The state or nation that words about law lead to: "laws of the State of Ohio", "Swiss law", "droit français"."""

from __future__ import annotations

import re

import attrs

from paxman.recognizers import Reading
from paxman.recognizers.base import UNKNOWN
from paxman.recognizers.places import find_regions, read_nation
from paxman.recognizers.tables import pattern


def region_after(text: str, start: int) -> Reading | None:
    """The region named right after "laws", with nothing but "of the State of" between, or the nation there."""
    between = pattern(_TO_STATE + r"(?:(?:[\w’']{1,15}\s+)?(?:{state})\s*(?:{of})?\s*(?:{the})?\s*)?[\"“(]?\s*\Z")
    found = [region.shifted(start) for region in find_regions(text[start : start + 130], UNKNOWN)[:2]]
    if not found or found[0].start - start >= 95 or not between.match(text, start, found[0].start):
        word = _NEXT_WORD.match(text, start)
        return (read_nation(text, *word.span(1)) if word else None) or _state_after(text, start)
    named_beside = len(found) > 1 and is_federal(found[0]) and _BESIDE.fullmatch(text, found[0].end, found[1].start)
    return _without_stop(found[1] if named_beside else found[0])


_REACH = 160
_TO_STATE = (
    r"[\s,:–—-]*(?:\(?(?:and|but|not|without)\b[^.;]{0,60}?)?"
    r"(?:{of}|in(?=\s+(?:{the})\s+(?:{state})\b))?\s*(?:{the})?\s*"
)


def _state_after(text: str, start: int) -> Reading | None:
    """What is called a state, whatever its name: the Canton of Zurich, the Swiss Confederation."""
    named = pattern(
        rf"(?i:{_TO_STATE}(?:{{state}})\s+(?:{{of}})\s+(?:(?:{{the}})\s+)?)(?!(?:{{common}})\b)"
        r"([A-Z][\w-]{2,30}(?:\s[A-Z][\w-]{2,30}){0,2})(?![\w’']|\s+(?:of|shown|stated|in\s+which|where)\b)",
        exact=True,
    ).match(text, start, start + _REACH)
    if named:
        return Reading(*named.span(1), named[1], loose=True)
    adjective = pattern(rf"(?i:{_TO_STATE})([A-Z][a-z]{{2,14}})\s+(?i:{{state}})\b", exact=True)
    nation = adjective.match(text, start, start + _REACH)
    return read_nation(text, *nation.span(1)) if nation else None


_BESIDE = re.compile(r",?\s+(?:of\s+America\s+)?and\s+(?:of\s+)?(?:the\s+)?(?:state\s+of\s+)?", re.IGNORECASE)


def is_federal(region: Reading) -> bool:
    """The law of a federation is often named beside that of a state, which then governs."""
    return str(region.value).casefold().startswith("united states")


def _without_stop(region: Reading) -> Reading:
    """A region without the full stop of its sentence; the points of "U.S.A." stay."""
    name = str(region.value)
    return attrs.evolve(region, end=region.end - 1, value=name[:-1]) if name.find(".") == len(name) - 1 else region


def region_before(text: str, end: int) -> Reading | None:
    """The region in "New York law", the country in "Swiss law"."""
    begin = max(0, end - 40)
    for region in find_regions(text[begin:end], UNKNOWN)[-1:]:
        if not text[begin + region.end : end].strip():
            return region.shifted(begin)
    word = _LAST_WORD.search(text, begin, end)
    return read_nation(text, *word.span(1)) if word else None


def is_of_one_field(text: str, start: int) -> bool:
    """Whether a word says what the law is about: "tax laws"."""
    word = pattern(r"\b([a-z]{2,20})\s+\Z", exact=True).search(text, max(0, start - 24), start)
    return word is not None and not pattern("the|under|by|to|substantive|internal|local|domestic").fullmatch(word[1])


def region_said(text: str, start: int, end: int) -> Reading | None:
    """The only region that the words before "laws of that State" name; a guess."""
    begin = max(0, start - _REACH)
    said = pattern(r"\s+of\s+(?:that|said|such)\s+(?:{state})\b").match(text, end)
    if not said or is_of_one_field(text, start) or not pattern("govern|constru|interpret").search(text, begin, start):
        return None
    regions = {region.value: region for region in find_regions(text[begin:start], UNKNOWN)}
    found = regions.popitem()[1] if len(regions) == 1 else None
    return attrs.evolve(_without_stop(found.shifted(begin)), loose=True) if found else None


_LAST_WORD = re.compile(r"\b([^\W\d_]{3,18})\s{1,2}\Z")
_NEXT_WORD = re.compile(r"\s{1,2}([^\W\d_]{4,18})\b")
