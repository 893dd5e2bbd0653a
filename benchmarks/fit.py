"""What each sign of finding counts, fitted on all labelled documents with whole kinds held out in turn.

`python -m benchmarks.fit`   print what fitting changes and what each sign carries, and write the weights

The ties of every document are found once and then weighed again and again; only scalar fields count, and only what
finding itself says of them. All kinds weigh the same, however many documents they have.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import attrs

from benchmarks.outcomes import Labelled, known, labelled
from paxman.capabilities.answers import is_sure
from paxman.contract import adapt
from paxman.documents.records import read_source
from paxman.finding import features
from paxman.finding.assignment import assign
from paxman.finding.features import weighed
from paxman.finding.scalars import scalar_ties
from paxman.finding.ties import Tie
from paxman.lexicon.own_files import lexicon_of
from paxman.recognizers import conventions_of
from paxman.types import FieldType

FILE = Path(features.__file__).with_name("weights.toml")
MEASURE = "fit"
"""The sign that all others are measured in: its weight stays."""
STEPS = (-0.2, -0.1, -0.04, -0.02, 0.02, 0.04, 0.1, 0.2)
ROUNDS = 2
LEAST = 0.0005
"""What a step must be worth to be taken: half a value in a thousand."""
WRONG, WRONG_AT_HIGH = 0.25, 1.0
"""What a wrong answer costs where a right one is worth one, and silence nothing."""

Weights = Mapping[str, float]
Found = tuple[float, float, float, float]
"""Right, wrong, right at HIGH, wrong at HIGH."""


@attrs.define(eq=False)
class Chance:
    """A tie that can be weighed again, and whether it is right and would be sure."""

    tie: Tie
    right: bool
    sure: bool
    score: float = 1.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tie, name)

    def weigh(self, weights: Weights) -> None:
        held = self.tie.signs.held
        self.score = weighed(held, weights).score if held else self.tie.score


@attrs.define(eq=False)
class Question:
    """A labelled field of one document with what may answer it; what comes of it is kept by the weights that matter."""

    chances: list[Chance]
    signs: tuple[str, ...]
    known: dict[tuple[float, ...], Found] = attrs.field(factory=dict)

    def found(self, weights: Weights) -> Found:
        key = tuple(weights[sign] for sign in self.signs)
        if key not in self.known:
            self.known[key] = self._assigned(weights)
        return self.known[key]

    def _assigned(self, weights: Weights) -> Found:
        for chance in self.chances:
            chance.weigh(weights)
        for answer in assign(self.chances).values():
            best, high = answer.best, answer.best.sure and not answer.rivals
            return float(best.right), float(not best.right), float(best.right and high), float(high and not best.right)
        return 0.0, 0.0, 0.0, 0.0


def questions(document: Labelled) -> Iterator[Question]:
    """The labelled scalar fields of a document."""
    contract = adapt(document.contract)
    read = read_source(document.source.read_bytes(), document.source.name, None, records=bool(contract.root)).plain
    how = conventions_of(read.text, document.policy.locale)
    claims, ties = scalar_ties(read, contract, lexicon_of(()), how)
    asked = {number: document.fields.get(wanted.field.path) for number, wanted in enumerate(claims.wanted)}
    chances = [_chance(tie, asked[tie.field], claims.wanted[tie.field].field) for tie in ties]
    # With equal scores all that no other field claims is the best, the same or a rival.
    kept = {id(each) for answer in assign(chances).values() for each in (answer.best, *answer.same, *answer.rivals)}
    for number, wanted in enumerate(claims.wanted):
        if asked[number] and wanted.field.type not in (FieldType.ARRAY, FieldType.OBJECT):
            own = [chance for chance in chances if chance.tie.field == number and id(chance) in kept]
            yield Question(own, tuple(sorted({sign for chance in own for sign, _ in chance.tie.signs.held})))


def _chance(tie: Tie, asked: Any, field: Any) -> Chance:
    reading = tie.reading
    right = bool(asked and asked[0] is not None and asked[1](reading.value))
    return Chance(tie, right, is_sure(tie, field) and not reading.alternatives and not reading.loose)


class Bench:
    """The questions of all kinds, and what comes of them by some weights."""

    def __init__(self, documents: Iterable[Labelled]) -> None:
        self.kinds: dict[str, list[Question]] = {}
        for document in documents:
            self.kinds.setdefault(document.set, []).extend(questions(document))
        self._shares = cache(self._count)

    def shares(self, kind: str, weights: Weights) -> Found:
        """What came out, as shares of the questions of a kind."""
        return self._shares(kind, tuple(weights.items()))

    def _count(self, kind: str, weights: tuple[tuple[str, float], ...]) -> Found:
        asked, by_sign = self.kinds[kind], dict(weights)
        sums = [sum(column) for column in zip(*(each.found(by_sign) for each in asked), strict=True)]
        return sums[0] / len(asked), sums[1] / len(asked), sums[2] / len(asked), sums[3] / len(asked)

    def worth(self, kinds: Iterable[str], weights: Weights) -> float:
        """How good weights are on some kinds: right answers less what wrong ones cost."""
        found = [self.shares(kind, weights) for kind in kinds]
        return sum(each[0] - WRONG * each[1] - (WRONG_AT_HIGH - WRONG) * each[3] for each in found) / len(found)

    def fitted(self, kinds: Iterable[str], start: Weights) -> Weights:
        """Weights that are better on some kinds, by steps of one sign at a time."""
        kinds, weights = list(kinds), dict(start)
        for _ in range(ROUNDS):
            for sign in sorted(start.keys() - {MEASURE}):
                options = [{**weights, sign: round(weights[sign] + step, 2)} for step in STEPS]
                best = max(options, key=lambda option: self.worth(kinds, option))
                if self.worth(kinds, best) >= self.worth(kinds, weights) + LEAST:
                    weights = best
        return weights

    def held_out(self, start: Weights) -> dict[str, Weights]:
        """For each kind the weights that the others lead to."""
        return {kind: self.fitted((other for other in self.kinds if other != kind), start) for kind in self.kinds}

    def means(self, by_kind: Mapping[str, Weights]) -> tuple[float, float]:
        """The mean over kinds of what is right, and of what is at HIGH how much is right."""
        found = [self.shares(kind, weights) for kind, weights in by_kind.items()]
        right, high = sum(each[0] for each in found), sum(each[2] for each in found)
        return right / len(found), high / max(1e-9, high + sum(each[3] for each in found))

    def same(self, weights: Weights) -> dict[str, Weights]:
        return dict.fromkeys(self.kinds, weights)


def report(bench: Bench, start: Weights, held_out: Mapping[str, Weights]) -> None:
    """Print every kind before and after, fitted without it."""
    print(f"{'kind':16} {'fields':>6}  {'right':>6} {'fitted':>6}  {'right at HIGH':>13} {'fitted':>6}")
    for kind, asked in bench.kinds.items():
        (right, high), (after, after_high) = bench.means({kind: start}), bench.means({kind: held_out[kind]})
        print(f"{kind:16} {len(asked):6}  {right:6.3f} {after:6.3f}  {high:13.3f} {after_high:6.3f}")
    (right, high), (after, after_high) = bench.means(bench.same(start)), bench.means(held_out)
    print(f"{'mean':16} {'':6}  {right:6.4f} {after:6.4f}  {high:13.4f} {after_high:6.4f}")


def carried(bench: Bench, weights: Weights) -> None:
    """Print what is lost when a sign is switched off."""
    right, high = bench.means(bench.same(weights))
    for sign in weights:
        if sign != MEASURE:
            off, off_high = bench.means(bench.same({**weights, sign: 0.0}))
            lost = f"right {off - right:+.4f}  right at HIGH {off_high - high:+.4f}"
            print(f"without {sign!r:18} {weights[sign]:+.2f}  {lost}")


def written(text: str, start: Weights, weights: Weights) -> str:
    """A weights file with other fitted weights."""
    rows = (f'"{sign}" = {weight:.2f}\n' for sign, weight in weights.items() if weight != start[sign])
    return text[: text.index("[fitted]\n")] + "[fitted]\n" + "".join(rows)


def main() -> None:
    text = FILE.read_text(encoding="utf-8")
    start = tomllib.loads(text)["judged"]
    bench = Bench(document for name in known() for document in labelled(name))
    held_out = bench.held_out(start)
    report(bench, start, held_out)
    before, after = bench.means(bench.same(start)), bench.means(held_out)
    holds = after[0] >= before[0] and after[1] >= before[1]
    weights = bench.fitted(bench.kinds, start) if holds else start
    print("fitted weights are kept" if holds else "fitted weights are worse on kinds held out: judged ones are kept")
    carried(bench, weights)
    FILE.write_text(written(text, start, weights), encoding="utf-8")


if __name__ == "__main__":
    main()
