"""The currency that a page reckons in."""

from __future__ import annotations

import re
from collections import Counter

from paxman.capabilities.base import Basis, CapabilityContext
from paxman.capabilities.values import Found, conventions
from paxman.finding.parties.line_shapes import is_street
from paxman.recognizers import Reading, find
from paxman.recognizers.conventions import names_other_dollar

_SAMPLE = 60_000


def find_currency(context: CapabilityContext) -> list[Found]:
    """The currency that is named most often; another one named half as often is a rival."""
    text = context.document.text[:_SAMPLE]
    readings = [r for r in find("currency", text, conventions(context)) if _is_meant(text, r)]
    if len({reading.value for reading in readings}) > 1:
        readings = [r for r in readings if not _names_street(text, r)] or readings
    by_sign = "$" in text and not context.policy.locale and names_other_dollar(text)
    counts = Counter(reading.value for reading in readings)
    most = max(counts.values(), default=0)
    found = []
    for value in sorted(counts, key=lambda code: (-counts[code], code)):
        if counts[value] * 2 > most:
            places = [reading for reading in readings if reading.value == value][:3]
            basis: Basis = "place" if by_sign and all(text[r.start : r.end] == "$" for r in places) else "name"
            found += [Found(value, context.evidence((r.start, r.end), r.transforms, basis=basis)) for r in places]
    return found


def _is_meant(text: str, reading: Reading) -> bool:
    """Whether a word means a currency: "franco" and "peso" do beside a figure, in brackets or after "in"."""
    word = text[reading.start : reading.end]
    if not word.isalpha() or word.isupper() or word[-1].isupper():
        return True
    after = _AFTER.match(text, reading.end)
    return after is not None or _BEFORE.search(text, max(0, reading.start - 24), reading.start) is not None


def _names_street(text: str, reading: Reading) -> bool:
    """Whether a word for a currency is a part of an address: "Calle Colón 102"."""
    if not text[reading.start : reading.end].isalpha() or text[reading.start : reading.end] == reading.value:
        return False
    start, end = text.rfind("\n", 0, reading.start) + 1, text.find("\n", reading.end)
    return is_street(text[start : end if end >= 0 else len(text)].strip())


_BEFORE = re.compile(r"(?:\d[.,-]{0,2} ?|\(|\b(?:in|en|em|w|ve|i) )\Z", re.IGNORECASE)
_AFTER = re.compile(r"[ \t.]{0,60}[-+]?\d")
