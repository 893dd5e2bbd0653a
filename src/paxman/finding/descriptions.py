"""A description is a small language: quoted words are labels, examples show a shape, conditions name kinds of pages."""

from __future__ import annotations

import re
from functools import lru_cache

from paxman.classes import record
from paxman.lazy import lazy_pattern

_QUOTED = lazy_pattern(r"[\"“”]([^\"“”\n]{2,60})[\"“”]|(?<!\w)['‘]([^'‘’\n]{2,60})['’](?!\w)")
_DENIED = lazy_pattern(r"\b(?:not|never|nor|rather than|instead of|other than|except)\b[^.;:]{0,60}$", re.IGNORECASE)
_EXAMPLE = lazy_pattern(
    r"(?i:\b(?:e\.g\.|for example|such as|example:))[,:]?\s*([^;)]{2,80}?)(?=[;)]|\.\s+[A-Z][a-z]+\s+[a-z]|\.?$)"
)
_SENTENCE = lazy_pattern(r"(?<=[a-z0-9)\"”])\.\s+(?=[A-Z(])|[;\n]|\s+[—–]\s+(?!always)")
_BRACKETS = lazy_pattern(r"\s*\([^()]*\)")
_SHORT_FORM = lazy_pattern(r"\(([A-Z][A-Z\d&]{1,6})\)")
_CONDITION = lazy_pattern(
    r"(?i)^(?:on|for|in)\s+(?:an?\s+|the\s+)?([^,:]{2,60}?)(?:\s+(?:this|it)\s+is(?:\s+typically)?|[,:])\s+(.{3,400})$"
)
_NOTHING = lazy_pattern(r"(?i)(?:always\s+|typically\s+)?(?:null|not applicable|not present|nothing|none|leave)\b")
_ALWAYS_NONE = lazy_pattern(r"(?i)\balways (?:null|none|empty|absent)\b|\bnever (?:present|stated|has|have)\b")
_LEAD = lazy_pattern(r"(?i)^(?:the|an?|this is the|name of the person or organi[sz]ation)\s+")
_ORDER = lazy_pattern(
    r"(?i)^(?:extract|return|use|do not|don't|never|only|typically|appears?|usually|often|may|if|null|listed|not)\b"
)
_RELATIVE = lazy_pattern(
    r"(?i)\s+(?:of|for|on|in|from)\s+(?:the|this|an?)\s+.*$|\s+(?:where|when|which|that|whose?|to whom|as)\s.*$|,.*$"
)
_PLACEHOLDER = lazy_pattern(r"\[[^\]]{1,30}\]")
_MOST_WORDS = 7


@record
class Described:
    """What a description says: labels, words that are no labels, a short way to say it, conditions, example values."""

    labels: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    sayings: tuple[str, ...] = ()
    short_forms: tuple[str, ...] = ()
    """Capitals in brackets: "Employer identification number (EIN)"."""
    conditions: tuple[tuple[str, tuple[str, ...], tuple[str, ...], bool], ...] = ()
    """What holds for one kind of page: its words, labels and sayings there, and whether nothing is wanted there."""
    examples: tuple[str, ...] = ()
    nothing: tuple[str, ...] = ()
    """Sentences that say where there is nothing to find."""
    text: str = ""


@lru_cache(maxsize=4096)
def read_description(text: str) -> Described:
    """The parts of a description, however long it is."""
    if not text:
        return Described()
    examples = tuple(m[1].strip() for m in _EXAMPLE.finditer(text))
    labels: list[str] = []
    denied: list[str] = []
    sayings: list[str] = []
    conditions = []
    for number, sentence in enumerate(_sentences(text)):
        said, not_said = _quoted(sentence, examples)
        condition = _CONDITION.match(sentence)
        if condition:
            none = _NOTHING.match(condition[2]) is not None
            conditions.append((condition[1].strip(), said, tuple(_sayings(condition[2])), none))
        else:
            labels += said
            sayings += _sayings(sentence) if number == 0 else ()
        denied += not_said
    nothing = tuple(sentence for sentence in _sentences(text) if _ALWAYS_NONE.search(sentence))
    return Described(
        tuple(dict.fromkeys(labels)),
        tuple(dict.fromkeys(denied)),
        tuple(dict.fromkeys(sayings)),
        tuple(_SHORT_FORM.findall(next(iter(_sentences(text)), ""))),
        tuple(conditions),
        examples,
        nothing,
        text,
    )


def _sentences(text: str) -> list[str]:
    return [part.strip(" .") for part in _SENTENCE.split(text) if part and part.strip(" .")]


def _quoted(sentence: str, examples: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Quoted words of a sentence that are labels, and those that are said to be none."""
    labels: list[str] = []
    denied: list[str] = []
    for match in _QUOTED.finditer(sentence):
        quoted = (match[1] or match[2]).strip(" :.")
        if _PLACEHOLDER.search(quoted) or any(quoted in example for example in examples):
            continue
        if len(quoted.split()) <= _MOST_WORDS:
            (denied if _DENIED.search(sentence, 0, match.start()) else labels).append(quoted)
    return tuple(labels), tuple(denied)


def _sayings(sentence: str) -> list[str]:
    """The ways a short sentence says what is meant: "Date of the loss or injury" is two of them."""
    sentence = _QUOTED.sub(" ", _BRACKETS.sub("", sentence)).strip(" .,:")
    if _ORDER.match(sentence):
        return []
    short = _LEAD.sub("", sentence)
    found = [short] if len(short.split()) <= _MOST_WORDS else []
    shorter = _RELATIVE.sub("", short)
    if shorter != short and 2 <= len(shorter.split()) <= _MOST_WORDS:
        found.append(shorter)
    return [each for saying in found for each in alternatives(saying)]


def alternatives(saying: str) -> list[str]:
    """A saying once for each of the words that "or" joins in it."""
    words = saying.split()
    for at in range(1, len(words) - 1):
        if words[at].lower() in ("or", "and/or", "/"):
            left, right = words[: at - 1], words[at + 2 :]
            return [" ".join((*left, words[at - 1], *right)), " ".join((*left, words[at + 1], *right))]
    return [saying]
