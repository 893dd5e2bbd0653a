"""Dates of a contract that begin and end the same thing, by words of their names: `policy_start` and `policy_end`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from paxman.contract.labels import fold_label
from paxman.contract.model import CanonicalField
from paxman.lazy import lazy_pattern

# "vertragsbeginn" and "vertragsende" are compounds, and so is "checkout".
_JOINT = lazy_pattern(r"(?<=\w{3})(?=(?:beginn?|anfang|start|einde?|ende?)\b)|(?<=\bcheck)(?=(?:in|out)\b)")
_OF_DAYS = frozenset("date dates day datum data fecha dato tanggal tarikh".split())


def _words(said: str) -> frozenset[str]:
    return frozenset(said.split())


_START = _words(
    "start starts starting begin begins beginning beginn anfang startdatum begindatum anfangsdatum ingangsdatum "
    "debut inicio inizio aanvang poczatek rozpoczecia mula mulai"
)
_END = _words(
    "end ends ending finish ende enddatum einddatum einde eind fin fine fim termino koniec zakonczenia slut "
    "tamat akhir selesai"
)
_FROM = _words("from von vom ab du dal desde od fra fran van vanaf")
_TO = _words("to until till til through thru bis au al hasta ate do tot")
_EXPIRY = _words("expiry expiration expires expiring ablauf")
_LAST = _END | _TO | _EXPIRY
_PAIRS = (
    (_START, _END),
    (_FROM, _TO),
    (_words("effective"), _EXPIRY),
    (_words("first"), _words("last")),
    (_words("departure outbound pickup"), _words("return dropoff")),
    (_START | _FROM | _words("commencement inception"), _LAST | _words("termination completion")),
    (_words("effective"), _LAST),
)
"""Words for begin and end, those of one kind before those that only mean the same."""
_IN_ORDER = (
    (_words("arrival arrive arrives anreise ankunft"), _words("departure depart departs abreise abfahrt")),
    (_words("in"), _words("out")),
    (_words("effective"), _words("termination")),
)
"""Words that begin and end a stay, but not a flight or a loan: they mean so if the contract has them in this order."""
_ENDS = frozenset[str]().union(*(words for pair in (*_PAIRS, *_IN_ORDER) for words in pair))


def periods_of(fields: Sequence[CanonicalField]) -> Iterator[tuple[str, str]]:
    """Paths of the fields that begin and end a period: their names differ in nothing but a word for that."""
    alike: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for field in fields:
        for rest, word in _split(field.words):
            alike.setdefault(rest, []).append((word, field.path))
    for ends in alike.values():
        yield from _paired(ends)


def _split(name: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each word of a name that says begin or end, and the rest of the name."""
    said = [word for word in _JOINT.sub(" ", fold_label(name)).split() if word not in _OF_DAYS]
    for place, word in enumerate(said):
        if word in _ENDS:
            yield (*said[:place], *said[place + 1 :]), word


def _paired(ends: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Begin and end, where there is one each of a kind; no field is in two pairs."""
    paired: set[str] = set()
    for pair in (*_PAIRS, *_IN_ORDER):
        places = [place for place, (_, path) in enumerate(ends) if path not in paired]
        begin, end = ([place for place in places if ends[place][0] in words] for words in pair)
        if len(begin) == len(end) == 1 and (pair in _PAIRS or begin < end):
            found = ends[begin[0]][1], ends[end[0]][1]
            paired.update(found)
            yield found
