"""Persons whom a form of address before their name gives a role: "Dr. Hill" is a physician, "Judge Hill" a judge."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from paxman.finding.claims import Claims
from paxman.finding.ties import Find, find_at
from paxman.page.names import Page
from paxman.recognizers import Reading
from paxman.types import FieldType, Span

_NAMED = r"[ \t]+((?:[A-Z]\.[ \t]?)?[A-Z][\w’'-]*(?:[ \t](?:[A-Z]\.[ \t])?[A-Z][a-z][\w’'-]*){0,2})"
_POSSESSIVE = ("'s", "’s")


def honorific_finds(page: Page, claims: Claims) -> Iterator[Find]:
    """For fields that ask for somebody of a role, whoever the page names with its form of address most often."""
    for number, wanted in enumerate(claims.wanted):
        titles = claims.lexicon.addresses.get(wanted.owner or "", ())
        if wanted.field.type is not FieldType.STRING or wanted.kind not in ("name", "person") or not titles:
            continue
        found = _found(page.text, titles)
        most = max(map(len, found.values()), default=0)
        for text, spans in found.items():
            if len(spans) == most:
                reading, reason = Reading(*spans[0], text), "the page calls nobody so more often"
                yield find_at(number, spans[0], reading, 0.5, text, reason, {"form of address": 1.0})


def _found(text: str, titles: tuple[str, ...]) -> Mapping[str, list[Span]]:
    """Where each person stands that one of these forms of address leads to."""
    found: dict[str, list[Span]] = {}
    words = Counter(re.findall(r"\b[a-z]+\b", text))
    for match in re.finditer(rf"\b(?:{'|'.join(map(re.escape, titles))})\.?{_NAMED}", text):
        end = _end(match, words)
        found.setdefault(" ".join(text[match.start() : end].split()), []).append((match.start(), end))
    return found


def _end(match: re.Match[str], words: Mapping[str, int]) -> int:
    """Where a name ends: before a word that the page also writes small, and before the sign of a possessive."""
    name = match[1]
    for part in re.finditer(r"(?<=\s)\w+", name):
        if words.get(part[0].lower()):
            name = name[: part.start()].rstrip(" \t.")
            break
    return match.start(1) + len(name) - 2 * name.endswith(_POSSESSIVE)
