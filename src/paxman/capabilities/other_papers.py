"""Numbers of papers that a page names beside its own: of the invoice before it, of the one it corrects."""

from __future__ import annotations

import re

from paxman.capabilities.base import Basis
from paxman.capabilities.label_layout import Reader, words_before
from paxman.capabilities.label_scan import Hit
from paxman.capabilities.paper_kinds import is_no_invoice
from paxman.contract.labels import fold_label
from paxman.recognizers.tables import pattern

_OTHER_TIME = r"\b({other_time})\b\s*(?:[^\W\d_]{2,20}\s*)?\Z"
_BEHIND = r"[ \t]({other_time})\b"
_CITED = re.compile(
    r"\b(?:orig|ursprüngl|urspr\.|related|correct|credited|referenced?|initial|replac|cancel|supersed|zugehörig|(?:against|zur?)\s*\Z)",
    re.IGNORECASE,
)
_OF_TILL = re.compile(r"(?:ticket(?! de)|check|slip)\b", re.IGNORECASE)


def basis_of_paper(reader: Reader, hit: Hit, rank: int) -> Basis | None:
    """What the number of a paper rests on; None of the one before or after it.

    That of one it refers to may be its own where nothing else is, as may that of a ticket.
    """
    before = words_before(reader, hit)
    other = pattern(_OTHER_TIME).search(before) or pattern(_BEHIND).match(reader.text, hit.end)
    if other and not _is_asked(reader, other[1]):
        return None
    cited = _CITED.search(before)
    if cited and not _is_asked(reader, cited[0]) and not is_no_invoice(reader):
        return "stand_in"
    return "stand_in" if rank > 0 and _OF_TILL.match(reader.text, hit.start, hit.end) else "name"


def _is_asked(reader: Reader, word: str) -> bool:
    field = reader.context.field
    return any(fold_label(word) in fold_label(label) for label in (field.said, field.description, *field.labels))
