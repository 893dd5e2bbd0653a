"""`evaluate`: how right Paxman is on documents whose right values are known, per field and band."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import comb
from typing import Any

import attrs

from paxman.api.inputs import load_input
from paxman.api.normalize import normalize
from paxman.api.teaching import example_hash, learn, right_values
from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.results import FieldResult
from paxman.budget import Policy
from paxman.contract import adapt
from paxman.contract.model import CanonicalContract
from paxman.documents.document import Document
from paxman.documents.reading import read_document
from paxman.errors import ConfigurationError
from paxman.learning.attaching import Given, attach
from paxman.learning.examples import Example, gather
from paxman.learning.layouts import anchors_of, group_alike
from paxman.learning.locating import same_value
from paxman.page.names import page_of
from paxman.recognizers import Conventions, conventions_of
from paxman.types import ConfidenceBand

_OFFLINE = Policy(allow_remote_inference=False, allow_local_inference=False)
_MOST_CONFUSED = 200
_BY_LUCK = 0.2


@attrs.frozen
class Judged:
    """One field of one document: what was answered, how sure that was, and whether it is right."""

    example: str
    path: str
    wanted: str | None
    answer: str | None
    confidence: float
    band: str
    right: bool


@attrs.frozen
class Tally:
    """Counts over answers: values that documents state, answers to them, right ones; absent values, invented ones."""

    stated: int = 0
    answered: int = 0
    right: int = 0
    absent: int = 0
    invented: int = 0

    @property
    def accuracy(self) -> float:
        return self.right / self.stated if self.stated else 1.0

    @property
    def precision(self) -> float:
        given = self.answered + self.invented
        return self.right / given if given else 1.0

    @property
    def coverage(self) -> float:
        return self.answered / self.stated if self.stated else 1.0

    def to_dict(self) -> dict[str, Any]:
        shares = {name: round(getattr(self, name), 4) for name in ("accuracy", "precision", "coverage")}
        return {**attrs.asdict(self), **shares}


@attrs.frozen
class Evaluation:
    """What `evaluate` found; `str` gives it as lines, `to_dict` as data for CI."""

    judged: tuple[Judged, ...]
    target_error: float = 0.01
    folds: int = 0
    layouts: int = 0
    """How many layouts the examples have; 0 where that was not looked at."""
    held_out: Tally | None = None
    """How right it is on pages of a layout that no lesson was learned from."""

    @property
    def total(self) -> Tally:
        return _tally(self.judged)

    @property
    def fields(self) -> dict[str, Tally]:
        paths = dict.fromkeys(each.path for each in self.judged)
        return {path: _tally([each for each in self.judged if each.path == path]) for path in paths}

    @property
    def bands(self) -> dict[str, tuple[int, int]]:
        """Right answers and all answers, by band."""
        return _by_band(self._answers)

    @property
    def field_bands(self) -> dict[str, dict[str, tuple[int, int]]]:
        """As `bands`, for each field; bands without an answer are left out."""
        given = {path: _by_band([each for each in self._answers if each.path == path]) for path in self.fields}
        return {path: {band: n for band, n in bands.items() if n[1]} for path, bands in given.items()}

    @property
    def reliability(self) -> tuple[tuple[float, int, int], ...]:
        """For each confidence that was given: right answers and all of them."""
        levels = sorted({each.confidence for each in self._answers}, reverse=True)
        return tuple((level, *_hits([e for e in self._answers if e.confidence == level])) for level in levels)

    @property
    def unattended(self) -> tuple[float | None, int, int]:
        """The least confidence from which errors stay within the target, and how many of all answers have it."""
        best: tuple[float | None, int] = (None, 0)
        right = total = 0
        for level, hits, count in self.reliability:
            right, total = right + hits, total + count
            if total - right <= self.target_error * total:
                best = (level, total)
        return (*best, len(self._answers))

    @property
    def _answers(self) -> list[Judged]:
        return [each for each in self.judged if each.answer is not None]

    @property
    def confusions(self) -> tuple[Judged, ...]:
        """Wrong answers, the surest first."""
        wrong = [each for each in self.judged if not each.right]
        return tuple(sorted(wrong, key=lambda each: (-each.confidence, each.path, each.example)))

    def to_dict(self) -> dict[str, Any]:
        level, count, answers = self.unattended
        return {
            "total": self.total.to_dict(),
            "fields": {
                path: {**tally.to_dict(), "bands": _told(self.field_bands[path])} for path, tally in self.fields.items()
            },
            "bands": _told(self.bands),
            "reliability": [{"confidence": c, "right": right, "answers": n} for c, right, n in self.reliability],
            "target_error": self.target_error,
            "unattended": {"confidence": level, "answers": count, "of": answers, **self._shown()},
            "folds": self.folds,
            "layouts": self.layouts,
            "held_out": None if self.held_out is None else self.held_out.to_dict(),
            "confusions": [attrs.asdict(each) for each in self.confusions[:_MOST_CONFUSED]],
        }

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{'field':32} {'stated':>7} {'accuracy':>9} {'precision':>9} {'coverage':>9} {'invented':>10}"
        for path, tally in {**self.fields, "all": self.total}.items():
            yield (
                f"{path:32} {tally.stated:7} {tally.accuracy:9.3f} {tally.precision:9.3f} {tally.coverage:9.3f} "
                f"{tally.invented:>4}/{tally.absent:<5}"
            )
        for band, (right, count) in self.bands.items():
            if count:
                yield f"{band}: {right} of {count} right"
        if self.held_out:
            seen, unseen = self.total, self.held_out
            yield f"{self.layouts} layouts; on layouts that were learned from: accuracy {seen.accuracy:.3f}"
            yield f"with whole layouts held out: accuracy {unseen.accuracy:.3f}, {unseen.invented} invented"
        elif self.layouts:
            yield "all examples have one layout: nothing is known of pages of another"
        yield self._shown()["note"]

    def _shown(self) -> dict[str, Any]:
        """Whether so many answers show that errors stay within the target, and what that means in words."""
        level, count, answers = self.unattended
        wanted = f"at most {self.target_error:.1%} wrong"
        if level is None:
            note = "no confidence is high enough here; have every value looked at, or add examples"
            return {"shown": False, "needed": None, "note": f"{wanted}: {note}"}
        right = sum(hits for confidence, hits, _ in self.reliability if confidence >= level)
        needed = answers_needed(count - right, count, self.target_error)
        note = f"{count} of {answers} answers, those from confidence {level:.2f}, need no human look"
        if needed != count:
            enough = f"about {needed} with no more errors would show it" if needed else "no more of them would show it"
            note = f"cannot be promised yet; {right} of {count} answers were right, and {enough}"
        return {"shown": needed == count, "needed": needed, "note": f"{wanted}: {note}"}


def evaluate(
    contract: Any,
    examples: Any,
    lessons: Given = None,
    *,
    folds: int = 0,
    target_error: float = 0.01,
    policy: Policy | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> Evaluation:
    """How right Paxman is on examples; with `folds`, lessons are learned from the other examples each time.

    Examples that the lessons were learned from are left out: they would say nothing of the next document.
    """
    canonical, found = adapt(contract), gather(examples)
    if folds:
        _check_folds(folds, len(found), lessons)
        runs: Iterable[tuple[CanonicalContract, list[Example]]] = _folded(canonical, found, folds, policy)
    else:
        taught = attach(canonical, lessons)
        runs = [(taught, [each for each in found if not _is_known(taught, each)])]
    judged: list[Judged] = []
    say = progress or (lambda done, count, name: None)
    for given, rest in runs:
        for example in rest:
            say(len(judged), len(found), example.name)
            judged += _judged(given, example, policy)
    if not judged:
        raise ConfigurationError(
            "no examples are left to judge by: the lessons were learned from all of them; "
            "give other examples, or folds instead of lessons"
        )
    if not folds:
        return Evaluation(tuple(judged), target_error)
    layouts = group_alike([anchors_of(page_of(_document(each).plain)) for each in found])
    unseen: list[Judged] = []
    for number, layout in enumerate(layouts if len(layouts) > 1 else ()):
        say(number, len(layouts), "layouts held out")
        rest = [each for at, each in enumerate(found) if at not in layout]
        given = attach(canonical, learn(canonical, rest, policy=policy))
        unseen += [each for at in layout for each in _judged(given, found[at], policy)]
    return Evaluation(tuple(judged), target_error, folds, len(layouts), _tally(unseen) if unseen else None)


def _judged(contract: CanonicalContract, example: Example, policy: Policy | None) -> Iterator[Judged]:
    artifact = normalize(example.source, contract, policy=policy or _OFFLINE)
    return _judge(
        contract, example, artifact, conventions_of(_document(example).plain.text, policy.locale if policy else None)
    )


def _document(example: Example) -> Document:
    raw = load_input(example.source)
    return read_document(raw.data, raw.name)


def _check_folds(folds: int, count: int, lessons: Given) -> None:
    if lessons is not None:
        raise ConfigurationError("folds learn lessons of their own: give either lessons or folds")
    if not 2 <= folds <= count:
        raise ConfigurationError(
            f"{folds} folds need at least {max(folds, 2)} documents, and 2 folds or more; here: {count}"
        )


def _is_known(contract: CanonicalContract, example: Example) -> bool:
    if contract.lessons is None:
        return False
    known: Sequence[str] = contract.lessons.examples
    return example_hash(load_input(example.source).data, example.data) in known


def _folded(
    contract: CanonicalContract, examples: Sequence[Example], folds: int, policy: Policy | None
) -> Iterator[tuple[CanonicalContract, list[Example]]]:
    ordered = sorted(examples, key=lambda each: example_hash(load_input(each.source).data, each.data))
    for fold in range(folds):
        rest = [each for number, each in enumerate(ordered) if number % folds != fold]
        yield attach(contract, learn(contract, rest, policy=policy)), ordered[fold::folds]


def _judge(
    contract: CanonicalContract, example: Example, artifact: ExecutionArtifact, how: Conventions
) -> Iterator[Judged]:
    for path, wanted in right_values(contract, example.data, how):
        result = artifact[path]
        answer = _answer(result)
        yield Judged(
            example.name,
            path,
            None if wanted is None else str(wanted),
            None if answer is None else str(answer),
            result.confidence if answer is not None else 0.0,
            result.confidence_band.value,
            same_value(answer, wanted, contract.by_path[path]),
        )


def _answer(result: FieldResult) -> Any:
    value = result.value if result.status == "RESOLVED" else None
    return None if value == () else value


def answers_needed(wrong: int, total: int, share: float) -> int | None:
    """About how many answers, with so few wrong, show that no greater share is: by luck one time in five at most."""
    while (
        share > 0 and sum(comb(total, k) * share**k * (1 - share) ** (total - k) for k in range(wrong + 1)) > _BY_LUCK
    ):
        total += 1 + total // 50
    return total if share > 0 else None


def _by_band(answers: Sequence[Judged]) -> dict[str, tuple[int, int]]:
    return {band.value: _hits([each for each in answers if each.band == band.value]) for band in ConfidenceBand}


def _told(bands: Mapping[str, tuple[int, int]]) -> dict[str, dict[str, int]]:
    return {band: {"right": right, "answers": count} for band, (right, count) in bands.items()}


def _hits(judged: Sequence[Judged]) -> tuple[int, int]:
    return sum(each.right for each in judged), len(judged)


def _tally(judged: Sequence[Judged]) -> Tally:
    stated = [each for each in judged if each.wanted is not None]
    absent = [each for each in judged if each.wanted is None]
    return Tally(
        len(stated),
        sum(each.answer is not None for each in stated),
        sum(each.right for each in stated),
        len(absent),
        sum(each.answer is not None for each in absent),
    )


def _shares(tally: Tally) -> list[str]:
    return [f"{share:.3f}" for share in (tally.accuracy, tally.precision, tally.coverage)]


def evaluation_page(evaluation: Evaluation, title: str) -> str:
    """The report as one HTML file: a table per field, a reliability plot, and the wrong answers."""
    from html import escape

    def table(head: Sequence[str], rows: Iterator[Sequence[Any]]) -> str:
        cells = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}" for cell in row) for row in rows)
        return f"<table><tr>{''.join(f'<th>{escape(name)}' for name in head)}{cells}</table>"

    tallies: Mapping[str, Tally] = {**evaluation.fields, "all": evaluation.total}
    given = {**evaluation.field_bands, "all": {b: n for b, n in evaluation.bands.items() if n[1]}}
    bands = {p: ", ".join(f"{band} {right} of {n}" for band, (right, n) in g.items()) for p, g in given.items()}
    fields = table(
        ("field", "stated", "accuracy", "precision", "coverage", "invented", "absent", "right by band"),
        ((path, t.stated, *_shares(t), t.invented, t.absent, bands[path]) for path, t in tallies.items()),
    )
    wrong = table(
        ("document", "field", "right value", "answer", "confidence"),
        (
            (e.example, e.path, e.wanted, e.answer, f"{e.confidence:.2f} {e.band}")
            for e in evaluation.confusions[:_MOST_CONFUSED]
        ),
    )
    style = "body{font:15px system-ui;margin:2em;max-width:70em}table{border-collapse:collapse}td,th{padding:.2em .8em;"
    style += "text-align:left;border-bottom:1px solid #ddd;vertical-align:top}"
    last = escape(" ".join(line for line in str(evaluation).splitlines() if "wrong" in line))
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title><style>{style}</style>"
        f"<h1>{escape(title)}</h1><p>{last}</p>{fields}<h2>Reliability</h2>{_plot(evaluation)}"
        f"<h2>Wrong answers</h2>{wrong}"
    )


def _plot(evaluation: Evaluation) -> str:
    """Confidence against the share that was right; the area of a dot is the number of answers."""
    dots = "".join(
        f'<circle cx="{40 + 320 * level:.1f}" cy="{340 - 320 * right / count:.1f}" r="{2 + count**0.5:.1f}" '
        f'fill="#36c" fill-opacity=".5"><title>{level:.2f}: {right} of {count} right</title></circle>'
        for level, right, count in evaluation.reliability
    )
    axes = '<path d="M40 20V340H360M40 340L360 20" fill="none" stroke="#888"/>'
    words = '<text x="150" y="365">confidence</text><text x="5" y="15">share right</text>'
    return f'<svg width="400" height="380" role="img" aria-label="reliability">{axes}{words}{dots}</svg>'
