"""Numbers in words, and in figures with a word of scale: "two hundred and five", "1.5 million", "three fifths"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Context, Decimal
from functools import lru_cache
from itertools import takewhile

from paxman.classes import frozen
from paxman.lazy import lazy_pattern
from paxman.recognizers.base import LINE_END
from paxman.recognizers.booleans_and_enums import plain
from paxman.recognizers.tables import entries
from paxman.types import SUPERSCRIPTS, Span

_WORD = lazy_pattern(rf"[^\W\d_{SUPERSCRIPTS}]+|(?<![\w.,/:-])\d{{1,9}}(?![\w/:-]|[.,]\d)")
_GAP = lazy_pattern(rf"-?{LINE_END}|[ \u00a0\t-]{{1,3}}")
DIVISION = Context(prec=28)
_LONGEST_WORD = 80
_MOST_WORDS = 40
_NOT_COUNTED = lazy_pattern(r"\b(?:the|this|that|which|each|every|any|no) \Z", re.IGNORECASE)

# Words that mean one thousand by themselves; thousands and millions want a number before them.
_ONE_OF_ITS_KIND = frozenset(("mil", "mille", "tausend", "duizend"))

Atom = tuple[str, int]
"""What a piece of a word does (add, times, scale, part, lot, join, point, minus, over) and its number."""


@frozen
class Vocabulary:
    """The number words of one language."""

    atoms: dict[str, Atom]
    stems: dict[str, Atom]
    suffixes: tuple[str, ...]
    heads: frozenset[str]


@lru_cache(maxsize=16)
def vocabulary(language: str) -> Vocabulary | None:
    atoms: dict[str, Atom] = {}
    stems: dict[str, Atom] = {}
    suffixes: list[str] = []
    for head, words in entries("number_words"):
        if head.startswith(language + "."):
            role = head.partition(".")[2]
            for word, _, number in (word.partition("=") for word in words):
                if role == "parts":
                    suffixes.append(word)
                else:
                    (stems if role == "stem" else atoms)[word] = ("add" if role == "stem" else role, int(number or 0))
    heads = frozenset(word[:2] for word in (*atoms, *stems))
    return Vocabulary(atoms, stems, tuple(suffixes), heads) if atoms else None


@lru_cache(maxsize=4096)
def atoms_of(word: str, language: str) -> tuple[Atom, ...]:
    """The pieces of a folded word, which may be a compound; empty when it is no number word."""
    known = vocabulary(language)
    if word.isdecimal():
        return (("add", int(word)),)
    if known is None or len(word) > _LONGEST_WORD:
        return ()
    if word in known.atoms or word in known.stems:
        return (known.atoms[word],) if word in known.atoms else ()
    for suffix in known.suffixes:
        if word.endswith(suffix):
            # A regular ordinal, such as cinquième or onceavos, by the number that it is made from.
            stem = word.removesuffix(suffix)
            for ending in ("", "e", "s", "i", "o", "a", "re"):
                value = _value_of(atoms_of(stem + ending, language))
                if value is not None:
                    return (("part", int(value)),)
            irregular = {"cinqu": 5, "neuv": 9, "quatr": 4, "onz": 11, "douz": 12}.get(stem)
            return (("part", irregular),) if irregular else ()
    return tuple(_compound(word, {**known.atoms, **known.stems}) or ())


def _compound(word: str, pieces: dict[str, Atom]) -> list[Atom] | None:
    """The longest pieces that make up the whole word, from the left."""
    dead: set[int] = set()

    def split(start: int) -> list[Atom] | None:
        if start == len(word):
            return []
        if start in dead:
            return None
        for end in range(min(len(word), start + 16), start, -1):
            atom = pieces.get(word[start:end])
            if atom and atom[0] in ("add", "times", "scale", "join"):
                rest = split(end)
                if rest is not None:
                    return [atom if atom[0] != "join" else ("join", 1), *rest]
        dead.add(start)
        return None

    return split(0)


# 4 x 20, and teens made of ten and a unit or of sixty or eighty and a teen.
_FRENCH_PAIRS = {(4, 20), *((10, n) for n in (7, 8, 9)), *((tens, n) for tens in (60, 80) for n in range(10, 17))}


def _fits(so_far: int, number: int, joined: bool, language: str) -> bool:
    """Whether a unit, ten or hundred goes on with a number below a thousand."""
    rest = so_far % 100
    if so_far == 0 or number == 0 or number >= 100:
        return False
    if rest == 0:
        return True
    if language == "fr" and (rest, number) in _FRENCH_PAIRS:
        return True
    if language in ("de", "nl") and joined and rest < 10 and number >= 20:
        return True
    return rest >= 20 and rest % 10 == 0 and number < 10


class Parser:
    """Reads the longest number at the head of a list of pieces; each method returns a value and where it ends."""

    def __init__(self, atoms: list[Atom], language: str) -> None:
        self.atoms = [*atoms, ("end", 0), ("end", 0), ("end", 0)]
        self.language = language

    def role(self, at: int) -> str:
        return self.atoms[at][0]

    def below_thousand(self, at: int) -> tuple[int | None, int]:
        value: int | None = None
        while True:
            joined = value is not None and self.role(at) == "join"
            role, number = self.atoms[at + joined]
            if role == "add" and (value is None or _fits(value, number, joined, self.language)):
                eighty = self.language == "fr" and number == 20 and value is not None and value % 100 == 4
                value = (value or 0) + (76 if eighty else number)
            elif role == "times" and not joined and (value is None or 0 < value < 100):
                value = (value or 1) * number
            else:
                return value, at
            at += 1 + joined

    def whole(self, at: int) -> tuple[int | None, int]:
        done: list[tuple[int, int]] = []
        while True:
            joined = bool(done) and self.role(at) == "join"
            group, end = self.below_thousand(at + joined)
            role, factor = self.atoms[end]
            if role != "scale" or (group is None and joined) or any(scale == factor for _, scale in done):
                break
            # "Mil millones": a scale also multiplies the smaller ones that stand right before it.
            amount = group or 0
            while done and done[-1][1] < factor:
                amount += done.pop()[0]
            done.append(((amount if amount or group == 0 else 1) * factor, factor))
            at = end + 1
        total = sum(amount for amount, _ in done)
        if group is None:
            return (total if done else None), at
        return total + group, end

    def decimal(self, at: int) -> tuple[Decimal | None, int]:
        """A whole number, and digits after a spoken decimal point."""
        whole, end = self.whole(at)
        if whole is None or self.role(end) != "point":
            return (None if whole is None else Decimal(whole)), end
        digits = [str(number) for _, number in takewhile(_is_digit, self.atoms[end + 1 :])]
        if digits:
            return Decimal(f"{whole}.{''.join(digits)}"), end + 1 + len(digits)
        rest, stop = self.below_thousand(end + 1)
        return (Decimal(whole), end) if rest is None else (Decimal(f"{whole}.{rest}"), stop)

    def number(self, at: int) -> tuple[Decimal | None, int]:
        """With sign, fraction and dozens."""
        negative = self.role(at) == "minus"
        start = at + negative
        start += self.role(start) == "article" and self.role(start + 1) in ("times", "scale", "lot", "part")
        value, end = self._fraction(start)
        if value is not None and self.role(end) in ("lot", "scale") and end > start:
            value, end = value * self.atoms[end][1], end + 1
        return (value if value is None or not negative else -value), end

    def _fraction(self, start: int) -> tuple[Decimal | None, int]:
        value, at = self.decimal(start)
        role, number = self.atoms[at]
        if value is None:
            alone = role == "part" and number == 2 and self.role(at + 1) in ("scale", "lot")
            return (Decimal("0.5"), at + 1) if alone else (Decimal(1), at) if role == "lot" else (None, at)
        if role == "part":
            joint = self._last_join(start, at)
            return (
                self._mixed(*self.decimal_until(start, joint))
                if joint
                else (DIVISION.divide(value, Decimal(number)), at + 1)
            )
        if role == "over":
            divisor, end = self.whole(at + 1)
            return (DIVISION.divide(value, Decimal(divisor)), end) if divisor else (value, at)
        return self._mixed(value, at)

    def _last_join(self, start: int, end: int) -> int:
        """Where "and" parts a number from a fraction; in Spanish and Portuguese it belongs to the number."""
        if self.language in ("es", "pt"):
            return 0
        return next((at for at in range(end - 1, start, -1) if self.atoms[at] == ("join", 0)), 0)

    def decimal_until(self, start: int, stop: int) -> tuple[Decimal, int]:
        value, _ = Parser(self.atoms[start:stop], self.language).decimal(0)
        return value or Decimal(0), stop

    def _mixed(self, value: Decimal, at: int) -> tuple[Decimal | None, int]:
        """A number and a fraction (two and a half), or two numbers that make one (dois onze avos)."""
        joined = self.role(at) in ("join", "with")
        start = at + joined
        start += self.role(start) == "article"
        above, end = self.whole(start)
        role, number = self.atoms[end]
        if role == "avos" and above and not joined:
            return DIVISION.divide(value, Decimal(above)), end + 1
        if role != "part" or not joined:
            return value, at
        part = DIVISION.divide(Decimal(1 if above is None else above), Decimal(number))
        unit = self.atoms[at - 1][1] if self.role(at - 1) == "scale" else 1
        if unit > 1 and self.role(end + 1) == "scale":
            return value + part * self.atoms[end + 1][1], end + 2
        return value + part * unit, end + 1


def _is_digit(atom: Atom) -> bool:
    return atom[0] == "add" and atom[1] < 10


def _value_of(atoms: tuple[Atom, ...]) -> Decimal | None:
    parser = Parser(list(atoms), "")
    value, end = parser.number(0)
    return value if end == len(atoms) else None


def to_number(text: str, language: str) -> Decimal:
    """The number that words spell in a language."""
    atoms = [atom for word in _WORD.findall(text) for atom in atoms_of(plain(word), language)]
    value, end = Parser(atoms, language).number(0)
    if value is None or end < len(atoms):
        raise ValueError(f"not a number in words: {text!r}")
    return value


def lacks_number(word: str, language: str) -> bool:
    """Whether a word only says what is counted in, as in: EUR thousands."""
    atoms = atoms_of(plain(word), language)
    return len(atoms) == 1 and atoms[0][0] == "scale" and (word.lower() not in _ONE_OF_ITS_KIND or atoms[0][1] > 1000)


def find_spelled(text: str, language: str) -> Iterator[Span]:
    """Where numbers stand that are at least in part in words."""
    known = vocabulary(language)
    if known is None:
        return
    run: list[re.Match[str]] = []
    for match in _WORD.finditer(text):
        word = match[0]
        possible = word[:2].lower() in known.heads or word[0].isdecimal() or not word.isascii()
        if run and not (possible and _GAP.fullmatch(text, run[-1].end(), match.start())):
            yield from _in_run(text, run, language)
            run = []
        if possible:
            run.append(match)
    yield from _in_run(text, run, language)


def _in_run(text: str, run: list[re.Match[str]], language: str) -> Iterator[Span]:
    """Numbers in words that follow each other."""
    if all(match[0].isdecimal() for match in run):
        return
    pieces = [(atom, match) for match in run for atom in atoms_of(plain(match[0]), language) or (("other", 0),)]
    at = 0
    while at < len(pieces):
        value, length = Parser([atom for atom, _ in pieces[at : at + _MOST_WORDS]], language).number(0)
        if value is None or not length:
            at += 1
            continue
        start, end = pieces[at][1].start(), pieces[at + length - 1][1].end()
        if not text[start:end].isdecimal() and not (value == 1 and _NOT_COUNTED.search(text, max(0, start - 7), start)):
            yield start, end
        at += length
