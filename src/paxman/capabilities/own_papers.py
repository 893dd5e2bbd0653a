"""Whether words such as "dated as of" speak of this paper or of another that it names; sentences, titles of papers."""

from __future__ import annotations

import re
from typing import Literal

from paxman.recognizers.tables import pattern
from paxman.recognizers.words import AND

Whose = Literal["this", "maybe", "other", "unsaid"]
"""Which paper is dated; "maybe" where the words can mean either."""

# The words of a name up to its end, with no other article among them.
_NOUNS = r"(?:\s+(?!(?:{article}|{self}|ha(?:ve|s|d))\b)[\w’'&/.-]{1,30}){1,9}"
_ALIAS = r"(?:\s*\([^()]{0,80}\))?"
_VERB = r"(?:\s+(?:is|are|was|were|be|been))?(?:\s+hereby)?"


def whose(lead: str, after: str, earlier: str) -> Whose:
    """Whose date stands between two parts of a sentence, below an earlier text; `lead` ends before "dated"."""
    if pattern(r"[\s,]*\(\s*(?:{self})\b").match(after) or _speaks_of_itself(lead):
        return "maybe" if _OBJECT.search(lead) else "this"
    other = pattern(
        r"(?:(\w+|,)\s*)?(\b(?:{article}))" + _NOUNS + _ALIAS + r",?(\s+(?:which|that)\b)?" + _VERB + r"[\s,]*\Z"
    ).search(lead)
    if other is None or _is_party(lead, other):
        return "this" if _is_said_of_this(lead) else "unsaid"
    return _whose_if_named(lead, other, earlier)


# A verb and a name without an article: "supersedes Agreement No. 5".
_OBJECT = re.compile(r"\s[a-z]{4,20}s(?:\s+(?:[A-Z\d][\w’'&/.-]{0,30}|of|to)){1,8}[\s,]*\Z")


def _speaks_of_itself(lead: str) -> bool:
    """Whether what is dated is called "this agreement", or gets the name (this “Agreement”)."""
    own = (
        r"(?:\b(?:{self})(?:(?:\s+\w+)?\s+(?:is|constitutes|evidences|sets?\s+forth)\s+(?:an?|the))?"
        + _NOUNS
        + _ALIAS
        + r"|\(\s*(?:{self})\b[^()]{1,80}\))"
    )
    return pattern(own + ",?" + _VERB + r"[\s,]*\Z").search(lead) is not None


def _is_party(lead: str, named: re.Match[str]) -> bool:
    """Whether what stands before the date is who signs: "between Acme, Inc., a Delaware corporation, dated"."""
    if named[1] == "," and named[2].casefold() in ("a", "an"):
        return True
    joined = pattern(AND + "|,|{between}").fullmatch(named[1] or "") is not None
    return joined and pattern(r"\b(?:{between})\b").search(lead, 0, named.end(1)) is not None


def _is_said_of_this(lead: str) -> bool:
    """Whether a sentence about this paper goes on with "is" right before the date."""
    return pattern(r"\b(?:{self})\b[^;]{1,250}\s(?:is|are|be|been)(?:\s+hereby)?\s+\Z").search(lead) is not None


def _whose_if_named(lead: str, other: re.Match[str], earlier: str) -> Whose:
    """Whose date it is if the sentence names another paper; "this amendment to the lease, dated" is not plain."""
    begun = pattern(r"\b(?:{self})\b").search(lead, 0, other.start()) and not other[3]
    if begun and not pattern("{paper}").search(other[0]):
        return "unsaid"
    if begun and _LEADS_TO.fullmatch(other[1] or ""):
        return "this" if _is_said_of_this(lead) else "maybe" if _OF.fullmatch(other[1]) else "other"
    first = not any(map(str.islower, lead[: other.start(2)]))
    return "maybe" if first and not pattern(r"\b(?:{self})\b").search(earlier) else "other"


_OF = re.compile("to|of", re.IGNORECASE)
_LEADS_TO = re.compile("to|of|and|by|for|in|under|with", re.IGNORECASE)


# On a page that is set wide blank lines stand within sentences too, which then go on small.
_SENTENCE = re.compile(r"[.;]\s*\n|[.;]\s+(?=[A-Z][a-z])|\n\s*\n(?!\s*(?:[a-z]|\d+ [a-z]|\Z))")


def last_sentence(before: str) -> str:
    """The part of a text that belongs to its last sentence."""
    return _SENTENCE.split(before)[-1]


def first_sentence(after: str) -> str:
    return _SENTENCE.split(after, 1)[0]


def begins_paper(text: str) -> bool:
    """Whether a line says what kind of paper it heads, and of what: "Letter of Intent"."""
    return pattern(r"(?:{paper_start})\b").match(text) is not None


def ends_in_paper(text: str, or_shop: bool = True) -> bool:
    """Whether a line may say what kind of paper it heads: "Services Agreement No. 4"; "Blue Note" may be a shop."""
    title = _NUMBER_BEHIND.sub("", text.rstrip(" .:#0123456789"))
    ends = r"(?:{paper_end}|{paper_or_shop})\Z" if or_shop else r"(?:{paper_end})\Z"
    return pattern(ends).match(title.rpartition(" ")[2]) is not None


_NUMBER_BEHIND = re.compile(r" (?:no|nr)\Z", re.IGNORECASE)
