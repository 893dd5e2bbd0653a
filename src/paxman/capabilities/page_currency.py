"""The currency that a page reckons in."""

from __future__ import annotations

import re
from collections import Counter

from paxman.capabilities.base import Basis, CapabilityContext
from paxman.capabilities.line_shapes import is_street
from paxman.capabilities.values import Found, conventions
from paxman.recognizers import Reading, find

_SAMPLE = 60_000


def find_currency(context: CapabilityContext) -> list[Found]:
    """The currency that is named most often; another one named half as often is a rival."""
    text = context.document.text[:_SAMPLE]
    readings = [r for r in find("currency", text, conventions(context)) if _is_meant(text, r)]
    if len({reading.value for reading in readings}) > 1:
        readings = [r for r in readings if not _names_street(text, r)] or readings
    counts = Counter(reading.value for reading in readings)
    most = max(counts.values(), default=0)
    found = []
    for value in sorted(counts, key=lambda code: (-counts[code], code)):
        if counts[value] * 2 > most:
            places = [reading for reading in readings if reading.value == value][:3]
            basis: Basis = "place" if value == "USD" and _is_elsewhere(text, readings) else "name"
            found += [Found(value, context.evidence((r.start, r.end), r.transforms, basis=basis)) for r in places]
    return found


def _is_elsewhere(text: str, readings: list[Reading]) -> bool:
    """Whether a bare "$" is all that tells the currency, on a page with a tax or a place of another dollar."""
    bare = all(text[r.start : r.end] == "$" for r in readings)
    return bare and _ELSEWHERE.search(text) is not None


_ELSEWHERE = re.compile(
    r"\b(?:GST|HST|TPS|TVQ|QST|ABN|Canada|Qu[ée]bec|Australia|New Zealand|Singapore|Hong Kong|(?<!New )M[ée]xico)\b"
    r"|\b(?:NSW|VIC|QLD|TAS) \d{4}\b|\b[A-Z]\d[A-Z] \d[A-Z]\d\b"
)


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
