"""The currency that a page reckons in."""

from __future__ import annotations

from collections import Counter

from paxman.capabilities.base import CapabilityContext
from paxman.capabilities.values import Found, conventions
from paxman.recognizers import find

_SAMPLE = 60_000


def find_currency(context: CapabilityContext) -> list[Found]:
    """The currency that is named most often; another one named half as often is a rival."""
    readings = find("currency", context.document.text[:_SAMPLE], conventions(context))
    counts = Counter(reading.value for reading in readings)
    most = max(counts.values(), default=0)
    found = []
    for value in sorted(counts, key=lambda code: (-counts[code], code)):
        if counts[value] * 2 > most:
            places = [reading for reading in readings if reading.value == value][:3]
            found += [Found(value, context.evidence((r.start, r.end), r.transforms)) for r in places]
    return found
