"""Ranges of days behind the first word of a field's own label: "Statement cycle 1 May 2024 - 31 May 2024"."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice

from paxman.capabilities.day_ranges import is_all_weekday, is_misprint, is_range
from paxman.capabilities.label_binding import Binding
from paxman.capabilities.label_layout import Reader, Spot
from paxman.capabilities.label_scan import Hit

_RANK = 4
_MOST = 400
_GAP = r"[ \t]{0,40}"
_PERIOD = "period|cycle|dates?|range|zeitraum|période|periodo|período|periode|okres"
_LEAD = (
    rf"(?<![^\s(])(?:%s)(?:[ \t]{_GAP}(?:{_PERIOD}))?{_GAP}[:：]?{_GAP}"
    rf"(?:(?:from|von|vom|du|de|del|desde|dal|van)[ \t]{_GAP})?(?=\w)"
)


def spot_led_ranges(reader: Reader, binding: Binding) -> Iterator[Spot]:
    """The end of a range that the field asks for, where a word of its own labels leads to the range."""
    words = dict.fromkeys(re.escape(label.split()[0]) for label in reader.context.field.labels if " " in label.strip())
    if not binding.role or not words:
        return
    for lead in islice(re.finditer(_LEAD % "|".join(words), reader.text, re.IGNORECASE), _MOST):
        line = reader.page.line_at(lead.start())
        days = reader.values("date", line)
        first = bisect_left(days, lead.end(), key=lambda day: day.start)
        dates = days[first : first + 2]
        if len(dates) < 2 or not is_range(reader.text, *dates) or is_misprint(reader, *dates):
            continue
        if dates[0].start == lead.end() or is_all_weekday(reader.text[lead.end() : dates[0].start]):
            hit = Hit(*lead.span(), "", (), line, 0)
            yield Spot(dates[binding.role == "last"], hit, "beside", _RANK, 0, "wording")
