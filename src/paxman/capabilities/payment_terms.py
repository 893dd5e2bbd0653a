"""When a paper must be paid, where a sentence says it: "payable within 30 days net by 4 April"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.label_layout import find_days
from paxman.capabilities.values import Found, conventions
from paxman.recognizers import Reading
from paxman.recognizers.base import Conventions
from paxman.recognizers.tables import pattern

_MOST = 40
_REACH = 130
"""Characters from the word for paying to the day."""
_SENTENCE = re.compile(r"[.;!]\s+(?=[A-ZÀ-Þ])|\n\s*\n")
_PART = re.compile(r"[,;.](?:\s|\Z)|\n")

_BY = r"\b(?:{by})\s+(?:(?:{day_article})\s+)?\Z"
_BY_OR_ON = r"\b(?:{by}|{on})\s+(?:(?:{day_article})\s+)?\Z"


def find_due_date(context: CapabilityContext) -> list[Found]:
    """The one day that sentences name for payment; the day of a discount is none."""
    days = list(_days(context.document.text, conventions(context)))
    if len({day.value for day in days}) != 1:
        return []
    return [Found(day.value, context.evidence((day.start, day.end), day.transforms, basis="wording")) for day in days]


def _days(text: str, how: Conventions) -> Iterator[Reading]:
    places: set[int] = set()
    anchors = pattern(r"\b(?:(?P<act>{pay})|{payment}|(?P<take>{collect}))(?![^\W_])").finditer(text)
    for _, anchor in zip(range(_MOST), anchors, strict=False):
        day = _day_before(text, anchor.start(), how) if anchor["take"] else None
        days = [day] if day else _days_after(text, anchor.end(), how, bool(anchor["act"] or anchor["take"]))
        for day in days:
            if day.start not in places:
                places.add(day.start)
                yield day


_DONE = re.compile(
    r"\s+(?:was\s+|has\s+been\s+)?"
    r"(?:received|made|erhalten|eingegangen|reçue?|recibido|ricevuto|recebido|ontvangen|mottagen|modtaget)\b",
    re.IGNORECASE,
)


def _days_after(text: str, start: int, how: Conventions, acts: bool) -> Iterator[Reading]:
    """The days of the sentence that "by" leads to, or "on" after a verb, and that are not the days of a discount."""
    if not acts and _DONE.match(text, start):
        return  # "Payment received by" says thanks.
    window = text[start : start + _REACH]
    stop = _SENTENCE.search(window)
    window = window[: stop.start()] if stop else window
    leads = pattern(_BY_OR_ON if acts else _BY)
    past = 0
    for day in find_days(window, how):
        after = _PART.split(window[day.end :], 1)[0]
        part = window[past : day.start] + after
        if leads.search(window, 0, day.start) and not is_reduced(part):
            yield day.shifted(start)
        past = day.end + len(after)


def is_reduced(part: str) -> bool:
    """Whether a part of a sentence speaks of a discount."""
    return pattern("{reduced}").search(part) is not None


def is_of_discount(text: str, start: int, end: int) -> bool:
    """Whether the part of the sentence around a place speaks of a discount."""
    before = _PART.split(text[max(0, start - _REACH) : start])[-1]
    return is_reduced(before + " " + _PART.split(text[end : end + _REACH], 1)[0])


def _day_before(text: str, end: int, how: Conventions) -> Reading | None:
    """The day in "will on 20 March be collected", or right before "is due"."""
    begin = max(0, end - _REACH)
    sentence = _SENTENCE.split(text[begin:end])[-1]
    begin = end - len(sentence)
    leads = pattern(_BY_OR_ON)
    days = [day for day in find_days(sentence, how) if leads.search(sentence, 0, day.start)]
    return days[-1].shifted(begin) if days else None
