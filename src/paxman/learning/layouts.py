"""Layouts: pages that share most of the words that are printed on each of them, whatever is filled in."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

from paxman.learning.mentions import fold_name
from paxman.page.names import Page

_ALIKE = 0.4
"""The share of the anchors of a layout that a page of it has at least."""
_LONGEST = 60


def anchors_of(page: Page) -> frozenset[str]:
    """What may be printed on every page of a layout: names, and short parts of lines without figures, as hashes."""
    cells = (page.text[slice(*cell)] for line in page.lines for cell in line.cells)
    short = (text for text in cells if len(text) <= _LONGEST and not any(map(str.isdigit, text)))
    said = {fold_name(text) for text in (*short, *(name.text for name in page.names))}
    return frozenset(hashlib.sha256(text.encode()).hexdigest()[:8] for text in said if text)


def group_alike(pages: Sequence[frozenset[str]]) -> list[list[int]]:
    """Pages of a layout each, by their numbers."""
    groups: list[list[int]] = []
    for number, page in enumerate(pages):
        near = [group for group in groups if any(_share(page, pages[other]) >= _ALIKE for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append(sorted([number, *(each for group in near for each in group)]))
    return sorted(groups)


def layouts_of(pages: Sequence[frozenset[str]]) -> tuple[tuple[str, ...], ...]:
    """The anchors of each layout among pages: what at least half of its pages have."""
    groups = group_alike(pages)
    counted = ((Counter(anchor for number in group for anchor in pages[number]), len(group)) for group in groups)
    return tuple(sorted(tuple(sorted(a for a, n in counts.items() if 2 * n >= size)) for counts, size in counted))


def layout_at(anchors: frozenset[str], layouts: Sequence[Sequence[str]]) -> tuple[int, int] | None:
    """How many anchors of the likest layout a page has, and how many that layout has; None on a page of no layout."""
    found = [(len(anchors.intersection(each)), len(each)) for each in layouts]
    known = [(shared, size) for shared, size in found if shared >= _ALIKE * size]
    return max(known, key=lambda each: each[0] / max(each[1], 1), default=None)


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    """How much of the smaller of two pages the other has; pages without a word are alike."""
    least = min(len(one), len(other))
    return len(one & other) / least if least else 1.0
