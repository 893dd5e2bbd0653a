"""Contacts and events: vCard (VCF) and iCalendar (ICS) as lines of label and value, and as a tree."""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import attrs

from paxman.documents.document import Document, Node, Pair
from paxman.documents.encodings import Decoded, decode
from paxman.documents.reading import Limits, allowance, cut_short, unreadable
from paxman.documents.source_map import Pieces
from paxman.types import Diagnostic, Severity, Span

_LINE = re.compile(r"(?:[\w-]{1,40}\.)?(?P<name>[A-Za-z][\w-]{0,60})(?P<params>(?:;(?:[^\"\r\n:;]|\"[^\"\r\n]*\")*)*):")
_PARAM = re.compile(r";([\w-]+)(?:=((?:[^\";,]|\"[^\"]*\")*))?")
_FOLD = re.compile(r"\r?\n[ \t]")
_ESCAPE = re.compile(r"\\(.)", re.S)
_PART = re.compile(r"(?:[^\\;]|\\.)*", re.S)
_MOMENT = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2}):?(\d{2}):?(\d{2})?(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?\Z")
_KINDS = {"VCARD": "contact", "VEVENT": "event", "VTODO": "task", "VJOURNAL": "entry", "VFREEBUSY": "busy_time"}
_STEPS_A_LINE = 20
_USED = ("TEL", "EMAIL", "ADR", "URL")
"""Properties that a person may have several of, for different uses."""
_TYPES = ("home", "work", "cell", "fax", "pager", "mobile")


class Property(NamedTuple):
    """A line of a card, unfolded: its name, its parameters, its value as written and where that stands."""

    name: str
    params: dict[str, str]
    value: str
    span: Span


class CardReader:
    name = "card"
    version = "1.0"

    def sniff(self, head: bytes, name: str | None) -> int:
        return 90 if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:6].upper() == b"BEGIN:" else 0

    def read(self, data: bytes, name: str | None, limits: Limits) -> Document:
        decoded = decode(data, limits=limits)
        cards = _Cards(decoded, limits)
        kind = "vcard" if "BEGIN:VCARD" in decoded.text[:200].upper() else "icalendar"
        return Document(
            kind,
            cards.pieces.text(),
            cards.locate,
            diagnostics=(*decoded.diagnostics, *cards.notes()),
            build_tree=cards.tree,
            build_pairs=lambda: tuple(cards.pairs),
            byte_range=cards.locate,
        )


@attrs.define
class _Card:
    """A contact, an event or what holds them, with its values so far."""

    kind: str
    start: int
    nodes: list[Node] = attrs.field(factory=list)


class _Cards:
    """Writes each property as a line, and keeps the cards that they belong to."""

    def __init__(self, decoded: Decoded, limits: Limits) -> None:
        self.pieces = Pieces()
        self.locate = self.pieces.byte_locator(decoded.offset)
        self.pairs: list[Pair] = []
        self._cards: list[_Card] = []
        self._open: list[_Card] = []
        self._top = _Card("", 0)
        self._odd = 0
        self._work = allowance(limits).work()
        for entry in self._work.over(_entries(decoded.text), _STEPS_A_LINE):
            if entry is None:
                self._odd += 1
            elif entry.name == "BEGIN":
                self._begin(entry.value.strip().upper())
            elif entry.name == "END":
                if self._open:
                    self._open.pop()
            elif not self._open or self._open[-1].kind or self._open[-1] is self._top:
                self._add(entry)

    def notes(self) -> Iterator[Diagnostic]:
        if self._work.is_over:
            yield cut_short(f"the first {len(self._cards)} contacts or events were read", "max_steps")
        if self._open:
            reason = "the file ends before its last contact or event does"
            yield unreadable(reason, "Fetch the file again", Severity.WARNING)
        if self._odd:
            reason = f"{self._odd} lines are no property of a contact or event"
            yield unreadable(reason, "Export it anew", Severity.WARNING, lines=self._odd)

    def _begin(self, kind: str) -> None:
        card = _Card(_KINDS.get(kind, ""), self.pieces.length)
        if kind == "VCALENDAR":
            card = self._top
        elif card.kind and not any(each.kind for each in self._open if each is not self._top):
            self._write("\n" if self.pieces.length else "", (0, 0))
            card.start = self.pieces.length
            self._cards.append(card)
        self._open.append(card)

    def _add(self, entry: Property) -> None:
        """A property of the card that is open."""
        way, names = _properties().get(entry.name, ("", (entry.name.removeprefix("X-").lower().replace("-", "_"),)))
        if way == "-" or (not way and entry.name.startswith("X-")) or not entry.value.strip():
            return
        if way in ("parts", "name-parts"):
            if entry.name == "ADR":
                whole = ", ".join(_unescape(part) for part in _parts(entry.value) if part.strip())
                self._line(_typed("address", entry), "address", whole, entry.span)
            start = entry.span[0]
            for name, part in zip(names, _parts(entry.value), strict=False):
                span = (start, start + len(part)) if entry.span[1] - entry.span[0] == len(entry.value) else entry.span
                start += len(part) + 1
                if part.strip():
                    self._line(_typed(name, entry), name, _unescape(part), span)
        elif way == "person":
            self._add_person(entry, names[0])
        else:
            text = _moment(entry.value) if way == "date" else _unescaped(entry)
            self._line(_typed(names[0], entry), names[0], text, entry.span)
            if zone := entry.params.get("TZID"):
                self._line(f"{names[0]}_time_zone", f"{names[0]}_time_zone", zone, entry.span)

    def _add_person(self, entry: Property, role: str) -> None:
        """Who organizes or attends: a name, and an address of mail."""
        address = entry.value.removeprefix("mailto:").removeprefix("MAILTO:")
        if name := entry.params.get("CN"):
            self._line(role, role, name, entry.span)
        self._line(f"{role}_email" if name else role, f"{role}_email", address, entry.span)

    def _line(self, label: str, name: str, text: str, source: Span) -> None:
        start = self.pieces.length
        words = label.replace("_", " ").capitalize()
        self._write(f"{words}: ", (source[0], source[0]))
        value = (self.pieces.length, self.pieces.length + len(text))
        self._write(text, source)
        self._write("\n", (source[1], source[1]))
        self.pairs.append(Pair(words, (start, start + len(words)), value))
        node = Node("scalar", name, value, self.locate(value), text=text)
        (self._open[-1] if self._open else self._top).nodes.append(node)

    def _write(self, text: str, source: Span) -> None:
        self.pieces.add(text, *source)

    def tree(self) -> Node:
        """One card as an object, several as lists by their kind."""
        if len(self._cards) == 1:
            return self._object(self._cards[0], self._cards[0].kind, self._top.nodes)
        lists = [
            self._list(f"{kind}s" if kind != "entry" else "entries", list(cards))
            for kind, cards in groupby(sorted(self._cards, key=lambda card: card.kind), key=lambda card: card.kind)
        ]
        if len(lists) == 1 and not self._top.nodes:
            return lists[0]
        span = (0, self.pieces.length)
        return Node("object", "calendar", span, self.locate(span), (*self._top.nodes, *lists))

    def _list(self, name: str, cards: list[_Card]) -> Node:
        items = tuple(self._object(card, str(place)) for place, card in enumerate(cards))
        span = (items[0].span[0], items[-1].span[1])
        return Node("array", name, span, self.locate(span), items)

    def _object(self, card: _Card, name: str, others: list[Node] | None = None) -> Node:
        nodes = (*card.nodes, *(others or ()))
        span = (card.start, max((node.span[1] for node in nodes), default=card.start))
        return Node("object", name, span, self.locate(span), nodes)


def _entries(text: str) -> Iterator[Property | None]:
    """The lines of a file, each with those that go on with it; nothing for one that is no property."""
    at = 0
    while at < len(text):
        end = _line_end(text, at)
        if text[at:end].strip():
            yield _property(text, at, end)
        at = end + (2 if text.startswith("\r\n", end) else 1)


def _line_end(text: str, start: int) -> int:
    """Where a line ends that others may go on with, as white space before them or a sign at its end says."""
    end, soft = start, "QUOTED-PRINTABLE" in text[start : start + 200].upper()
    while True:
        end = text.find("\n", end)
        if end < 0:
            return len(text)
        last = end - 1 if text[end - 1] == "\r" and end > start else end
        if text[end + 1 : end + 2] not in (" ", "\t") and not (soft and text[last - 1] == "="):
            return last
        end += 1


def _property(text: str, start: int, end: int) -> Property | None:
    line = text[start:end]
    found = _LINE.match(_FOLD.sub("", line[:1_000])) if "\n" in line[:1_000] else _LINE.match(line)
    if not found:
        return None
    folded = "\n" in line[: found.end() + 3]
    value_at = start + (line.find(":", found.end() - 1) + 1 if folded else found.end())
    params = {name.upper(): value.replace('"', "") or name.lower() for name, value in _PARAM.findall(found["params"])}
    raw = text[value_at:end]
    return Property(found["name"].upper(), params, raw if _is_quoted(params) else _FOLD.sub("", raw), (value_at, end))


def _is_quoted(params: dict[str, str]) -> bool:
    return "QUOTED-PRINTABLE" in (params.get("ENCODING", "").upper(), *params)


def _unescaped(entry: Property) -> str:
    if _is_quoted(entry.params):
        raw = quopri.decodestring(entry.value.replace("\r\n", "\n").encode("utf-8", "replace"))
        return raw.decode(_charset(entry), "replace")
    return _unescape(entry.value)


def _charset(entry: Property) -> str:
    try:
        "".encode(entry.params.get("CHARSET", "utf-8"))
    except LookupError:
        return "utf-8"
    return entry.params.get("CHARSET", "utf-8")


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda found: "\n" if found[1] in "nN" else found[1], text).strip()


def _parts(value: str) -> list[str]:
    """What semicolons separate."""
    parts, at = [], 0
    while at <= len(value):
        found = _PART.match(value, at)
        assert found
        parts.append(found[0])
        at = found.end() + 1
    return parts


def _moment(value: str) -> str:
    """A date or a time in the usual form of ISO 8601."""
    found = _MOMENT.match(value.strip())
    if not found:
        return value.strip()
    year, month, day, hour, minute, second, zone = found.groups()
    date = f"{year}-{month}-{day}"
    return f"{date}T{hour}:{minute}:{second or '00'}{zone or ''}" if hour else date


def _typed(name: str, entry: Property) -> str:
    """The name of a property with what it is used for: "work phone"."""
    types = " ".join((entry.params.get("TYPE", ""), *entry.params)).lower().replace(",", " ").split()
    kind = next((each for each in types if each in _TYPES), "")
    if entry.name not in _USED or not kind:
        return name
    return "fax" if "fax" in types else f"{'mobile' if kind == 'cell' else kind}_{name}"


@cache
def _properties() -> dict[str, tuple[str, tuple[str, ...]]]:
    """What properties are called, and how their values are written."""
    known: dict[str, tuple[str, tuple[str, ...]]] = {}
    for line in (Path(__file__).parent / "data" / "card_properties.txt").read_text("utf-8").splitlines():
        words = line.split()
        if not words or line.startswith("#"):
            continue
        name, first, *rest = words
        if first in ("parts", "name-parts"):
            known[name] = (first, tuple(rest))
        else:
            known[name] = (rest[0] if rest else "text", (first,)) if first != "-" else ("-", ())
    return known
