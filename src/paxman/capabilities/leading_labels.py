"""Whether a text begins with a label of its own, or is one, known or not: what follows belongs to that."""

from __future__ import annotations

from paxman.currencies import MINOR_UNITS
from paxman.lazy import lazy_pattern
from paxman.types import Span

# "Re:" starts the subject of an answer, "https:" an address; a digit behind the colon is that of a time or a code.
_LABEL = lazy_pattern(
    r"(?!(?i:re|fwd?|aw|wg|sv|tr):)[^\W\d_][^\s:：]{0,24}(?:[ \xa0][^\s:：]{1,24}){0,3}[ \t\xa0]{0,20}"
    r"(?::(?![/\\\d])|：)"
)


def leads_with_label(text: str, start: int, end: int) -> bool:
    """Whether words and a colon stand first; the code of a currency is no label."""
    label = _LABEL.match(text, start, end)
    return label is not None and label[0][:-1].rstrip() not in MINOR_UNITS


_CHOICE = lazy_pattern(r"\d{1,2} [-–] ([A-Z]{3,})")


def is_choice(text: str, chunk: Span) -> bool:
    """Whether a chunk is one of the numbered choices of a form: 5 - PROPERTY DAMAGE."""
    choice = _CHOICE.match(text, *chunk)
    return choice is not None and choice[1] not in MINOR_UNITS
