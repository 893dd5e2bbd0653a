"""Whether words around a duration say that it is the life of an agreement.

`before` ends where the duration begins, `sentence` is the last sentence of that, and `after` begins behind it.
"""

from __future__ import annotations

from paxman.capabilities.own_papers import first_sentence, last_sentence
from paxman.recognizers import Reading
from paxman.recognizers.tables import pattern


def weight_of_term(text: str, duration: Reading, agreed: bool) -> int:
    """How much says that a duration is the life of this paper, less what speaks of notice, hiring or the time after."""
    before, after = text[max(0, duration.start - 300) : duration.start], text[duration.end : duration.end + 130]
    sentence, after = last_sentence(before), first_sentence(after)
    weight = 2 * bool(pattern(r"\b(?:{runs_out})\b").search(sentence))
    weight += bool(pattern(r"\b(?:{this_paper})\b").search(sentence))
    weight += _is_counted_from_start(after) or _is_said_to_run(sentence)
    weight += (
        2 * _stands_under_term(before)
        + 2 * _is_said_of_term(sentence)
        + 2 * (agreed and _is_all_of_term(before, sentence))
    )
    other = pattern(r"\b(?:{other_period})\b")
    weight -= 2 * bool(other.search(sentence[-160:])) + 2 * bool(other.search(after[:40]))
    return (
        weight
        - 3 * bool(pattern(r"\bduring\b[^;]{0,120}\band\s+(?:for|until)\b").search(sentence))
        - 3 * (_is_after(after) or _is_least(sentence, after) or _is_of_annex(sentence))
    )


def _is_least(sentence: str, after: str) -> bool:
    """Whether the duration is one of two in "the later of", so that the paper may last longer."""
    later = r"\blater\s+(?:of|to\s+occur)\b"
    return bool(pattern(later + r"[^.;]{0,60}\Z").search(sentence) or pattern(later).search(after[:_NEAR]))


_NEAR = 30


def _is_of_annex(sentence: str) -> bool:
    """Whether the sentence speaks of a paper that is only attached."""
    return pattern(r"\bthis\s+(?:{annex})\b").search(sentence) is not None


def _is_counted_from_start(after: str) -> bool:
    """Whether the duration goes on with "from the date hereof", or the like."""
    again = r"(?:\s\([^()]{1,30}(?:\([^()]{1,9}\)[^()]{1,30})?\))?"
    since = r"[\s,)]*(?:period\s+)?(?:{since})?\s*(?:and\s+\w+\s+)?(?:the|its|such|this|date)?\s*(?:\w+\s+){0,4}?"
    start = r"(?:date|hereof|effective|execution|agreement|above|{signing})\b"
    return pattern(again + since + start).match(after) is not None


# A heading such as "3. Term." or "§ 5 Laufzeit:".
_UNDER_TERM = (
    r"(?:\A|\n|\d[.)]|[.;:]-?\s)\s*(?:\(?\w{1,3}[.)]\s*|(?:§|art\w{0,5}\.?)\s?\d{1,3}\W{1,4})?"
    r"(?:{term_heading})\b[^.:\n]{0,30}(?:[.:]|\n)"
)


def _stands_under_term(before: str) -> bool:
    """Whether the heading "Term" stands not far above."""
    return pattern(_UNDER_TERM).search(before[-220:]) is not None


def _is_all_of_term(before: str, sentence: str) -> bool:
    """Whether the duration stands right behind the heading "Term", or behind "this Agreement shall have a term of"."""
    own = _OWN + r"(?:ha(?:ve|s)\s+an?\s+(?:(?:initial|fixed)\s+)?term\s+of)\s+\Z"
    titled = _UNDER_TERM.replace("(?:{term", "(?!termination)(?=(?-i:[^\\W\\d_a-z]))(?:{term") + r"\s{0,9}\Z"
    other = pattern(r"\b(?:{other_period})\b").search(before.rpartition("\n")[2])
    return bool(pattern(own).search(sentence) or (not other and pattern(titled).search(before[-80:])))


# How a sentence about this paper begins: "This Agreement shall".
_OWN = (
    r"\A\s*(?:(?:{self})\s+(?:(?!(?:under|of|in|by|the)\s)[\w-]+\s+){0,5}(?:{paper})\w*|\w+\s+obligations)"
    r"(?:[^.;,]{0,60}\sand)?\s+(?:(?:shall|will)\s+)?(?:\w+ly\s+)?"
)


def _is_said_of_term(sentence: str) -> bool:
    """Whether the sentence leads to the duration with "the term of this Agreement shall be", or the like."""
    said = (
        r"\b(?:{term_noun}|period[”\"]?\))\W[^.;]{0,40}?\b(?:shall\s+be|is|will\s+be|of|be|{term_verb})\s+"
        r"(?:for\s+)?(?:a\s+)?(?:(?:period|term)\s+of\s+)?\Z"
    )
    return pattern(said).search(sentence) is not None


def _is_said_to_run(sentence: str) -> bool:
    """Whether the sentence leads to the duration with "shall remain in effect for a period of", or the like."""
    run = (
        r"\b(?:{runs_out})(?:,[^.;]{1,100},)?\s+(?:for\s+)?(?:an?\s+)?(?:(?:initial|fixed)\s+)?"
        r"(?:(?:period|term)\s+of\s+)?\Z"
    )
    ends = _OWN + r"(?:terminate|expire|lapse|cease)s?\s+after\s+\Z"
    return any(pattern(said).search(sentence) for said in (run, ends, r"\b(?:{concluded})\b"))


def _is_after(after: str) -> bool:
    """Whether the duration goes on with "after its termination": something lasts on when the paper has ended."""
    since = (
        r"[\s,]*(?:period\s+)?(?:immediately\s+)?"
        r"(?:after|following|from|nach|ab|apr[èe]s|à\s+compter\s+de|tras|desde|despu[ée]s\s+de|dopo)\b"
    )
    gone = since + r"[^.;,]{0,100}\b(?:{gone})|[\s,]*thereafter\b"
    found = pattern(gone).match(after)
    return found is not None and not pattern(r"\b(?:hereof|and)\b").search(found[0])
