"""A linear ranker per field with the option "none of these": what each named sign counts, learned from examples."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from paxman.classes import record
from paxman.learning.mentions import ANY, LINE_SIGNS, OWN_SIGNS, REPEATED

SCALE = 100
"""Weights are whole hundredths."""
_ROUNDS = 24
_RATE = 0.35
_SHRINK = 0.002
_KEPT = 40
_REFRESH = 8
_TINY = 0.002
_RARE = 16.0
_LEAST, _MOST_SIGNS, _MOST_WORDS = 4, 100, 200

Signs = Sequence[str]
Added = Sequence[tuple[int, int]]
"""The fields that signs count for, and how much."""
Key = Callable[[str], str]


@record
class TrainingExample:
    """The candidates of one document for a field, and which are right; with none right the answer is "none"."""

    candidates: Sequence[Signs]
    right: frozenset[int]
    several: bool = False
    """Whether any number of them may be right, each by itself."""


def train(lineups: Sequence[TrainingExample], wordy: bool = False) -> dict[str, int]:
    """Whole weights per sign; the same lineups in the same order give the same weights.

    More signs are kept if candidates are told apart by words alone (`wordy`).
    """
    numbers: dict[str, int] = {}
    coded = [_code(lineup, numbers) for lineup in lineups]
    weights, power = [0.0] * len(numbers), _powers(coded, len(numbers))
    active: list[list[int]] = []
    for number in range(_ROUNDS):
        if number % _REFRESH in (0, 1):
            active = [_active(c, lineup.right, weights, number > 0) for c, lineup in zip(coded, lineups, strict=True)]
        for candidates, lineup, kept in zip(coded, lineups, active, strict=True):
            _step(candidates, lineup, kept, weights, power)
    whole = {sign: round(SCALE * weights[number]) for sign, number in numbers.items()}
    weighty = sorted((sign for sign in whole if abs(whole[sign]) >= _LEAST), key=lambda s: (-abs(whole[s]), s))
    return {sign: whole[sign] for sign in sorted(weighty[: _MOST_WORDS if wordy else _MOST_SIGNS])}


def _code(lineup: TrainingExample, numbers: dict[str, int]) -> list[list[int]]:
    return [[numbers.setdefault(sign, len(numbers)) for sign in signs] for signs in lineup.candidates]


def _powers(coded: Sequence[list[list[int]]], count: int) -> list[float]:
    """Where each sign starts: one of a single document moves less, so that what documents share is learned first."""
    seen = [0] * count
    for candidates in coded:
        for sign in {sign for signs in candidates for sign in signs}:
            seen[sign] += 1
    return [1.0 if number > 1 else _RARE for number in seen]


def _active(candidates: list[list[int]], right: frozenset[int], weights: list[float], begun: bool) -> list[int]:
    """The candidates worth looking at: the right ones, and those that come nearest."""
    everyone = range(len(candidates))
    if not begun or len(everyone) <= 2 * _KEPT:
        return list(everyone)
    scores = [sum(map(weights.__getitem__, signs)) for signs in candidates]
    best = sorted(everyone, key=lambda each: (-scores[each], each))[:_KEPT]
    return sorted({*best, *right})


def _step(
    candidates: list[list[int]], lineup: TrainingExample, kept: list[int], weights: list[float], power: list[float]
) -> None:
    """One step down the slope of the chance that the right one, or none, is chosen."""
    scores = [sum(map(weights.__getitem__, candidates[each])) for each in kept]
    chances = [math.exp(min(30.0, max(-30.0, score))) for score in scores]
    slope: dict[int, float] = {}
    for each, pull in _pulls(kept, chances, lineup):
        if abs(pull) > _TINY:
            for sign in candidates[each]:
                slope[sign] = slope.get(sign, 0.0) + pull
    for sign, pull in slope.items():
        gradient = pull + _SHRINK * weights[sign]
        power[sign] += gradient * gradient
        weights[sign] -= _RATE * gradient / math.sqrt(power[sign])


def _pulls(kept: list[int], chances: list[float], lineup: TrainingExample) -> Iterator[tuple[int, float]]:
    """How far each candidate stands from where it should be."""
    if lineup.several:
        for each, chance in zip(kept, chances, strict=True):
            yield each, chance / (1.0 + chance) - (each in lineup.right)
        return
    total = 1.0 + sum(chances)
    hit = sum(chance for each, chance in zip(kept, chances, strict=True) if each in lineup.right)
    for each, chance in zip(kept, chances, strict=True):
        yield each, chance / total - (chance / hit if each in lineup.right else 0.0)


class Index:
    """The weights of several fields by sign, so that a group of signs is added up once for all of them."""

    def __init__(self, weights: Sequence[Mapping[str, int]], key: Key | None = None) -> None:
        self._key = key
        self.weights = [_Keyed(each, key) if key else each for each in weights]
        self._fields: dict[str, list[tuple[int, int]]] = {}
        for number, signs in enumerate(weights):
            for sign, weight in signs.items():
                self._fields.setdefault(sign, []).append((number, weight))
        self.base = [each.get(ANY[0], 0) for each in self.weights]
        own = [_most(each, OWN_SIGNS) if key is None else math.inf for each in weights]
        lines = [_most(each, LINE_SIGNS) if key is None else math.inf for each in weights]
        self.most_own, self.most_far = own, list(map(sum, zip(own, lines, strict=True)))
        """The most that a candidate's own signs can add for each field, and all that are looked at last."""

    def add(self, signs: Signs) -> Added:
        found: dict[int, int] = {}
        get = self._fields.get
        for sign in map(self._key, signs) if self._key else signs:
            for number, weight in get(sign, ()):
                found[number] = found.get(number, 0) + weight
        return tuple(found.items())

    def of(self, field: int, signs: Signs) -> int:
        weights = self.weights[field]
        return sum(weights.get(sign, 0) for sign in signs)


def _most(weights: Mapping[str, int], kinds: frozenset[str]) -> int:
    best: dict[str, int] = {}
    for sign, weight in weights.items():
        kind = sign.partition(" ")[0]
        if kind in kinds and weight > 0:
            best[kind] = best.get(kind, 0) + weight if kind in REPEATED else max(best.get(kind, 0), weight)
    return sum(best.values())


class _Keyed(dict[str, int]):
    """Weights that are asked for by the signs themselves where only their hashes are stored."""

    def __init__(self, weights: Mapping[str, int], key: Key) -> None:
        super().__init__()
        self._stored, self._hash = weights, key

    def get(self, sign: str, default: Any = None) -> Any:
        return self._stored.get(self._hash(sign), default)
