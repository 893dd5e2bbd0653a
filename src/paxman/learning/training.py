"""From examples to lessons: lineups per field, cross-validation, thresholds, and a report in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import attrs

from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.learning.candidates import StudyPage
from paxman.learning.lessons import FieldLesson, Lessons, field_hash
from paxman.learning.locating import letters, same_value
from paxman.learning.mentions import fold_name, shape_of
from paxman.learning.ranking import Lineup, train
from paxman.learning.recalling import recall_field
from paxman.learning.thresholds import Trial, floor, threshold
from paxman.types import FieldType

_FEW = 20
_VALUE_WORDS = ("first word ", "last word ")
_UNTAUGHT = frozenset({FieldType.ARRAY, FieldType.OBJECT, FieldType.MAP, FieldType.UNION, FieldType.ENUM})


@attrs.frozen
class Taught:
    """A document and its right values by path; `others` is whether the other steps had each of them right."""

    hash: str
    sheet: StudyPage
    values: Mapping[str, Any]
    others: Mapping[str, bool] = attrs.field(factory=dict)
    name: str = ""


@attrs.frozen
class Missed:
    """A right value that is not on its page as one part, and the nearest thing that is."""

    path: str
    example: str
    value: str
    nearest: str


@attrs.frozen
class FieldStudy:
    """The examples of one field as the ranker takes them."""

    field: CanonicalField
    examples: tuple[Taught, ...]
    lineups: tuple[Lineup | None, ...]
    """None where the right value was not found on the page."""


def teach(
    contract: CanonicalContract,
    examples: Iterable[Taught],
    private: bool = False,
    told: Callable[[str], None] = lambda step: None,
) -> tuple[Lessons, list[Missed]]:
    """Lessons from examples, in whatever order they come, and what could not be learned from."""
    ordered = sorted({example.hash: example for example in examples}.values(), key=lambda example: example.hash)
    studies, missed = [], []
    for field in contract.leaves:
        if not is_teachable(field):
            continue
        study, lost = _study(field, ordered)
        studies.append(study)
        missed += lost
    tried: dict[str, list[tuple[int, bool] | None]] = {}
    for study in studies:
        tried[study.field.path] = _cross_validate(study)
        told(study.field.path)
    trials = [Trial(path, *each) for path, answers in tried.items() for each in answers if each is not None]
    plain = Lessons(contract.id, contract.content_hash, tuple(each.hash for each in ordered), {}, private=private)
    fields = {study.field.path: _lesson(study, tried[study.field.path], trials, plain) for study in studies}
    return attrs.evolve(plain, fields=fields), missed


def is_teachable(field: CanonicalField) -> bool:
    """Whether lessons can be made for a field: single values, and lists of them."""
    if field.type is FieldType.ARRAY and field.items is not None and not field.prefix:
        return field.items.type not in _UNTAUGHT
    return field.type is FieldType.ENUM or field.type not in _UNTAUGHT


def _study(field: CanonicalField, examples: Sequence[Taught]) -> tuple[FieldStudy, list[Missed]]:
    known = tuple(example for example in examples if field.path in example.values)
    shared = _shared_words(field, known)
    lineups: list[Lineup | None] = []
    missed = []
    for example in known:
        value = example.values[field.path]
        right = frozenset() if value is None else example.sheet.right(field, value)
        if value is not None and not right:
            missed.append(_missed(field, example, value))
            lineups.append(None)
        else:
            lineups.append(
                Lineup(_without_words(example.sheet.signs(field), shared), right, field.type is FieldType.ARRAY)
            )
    return FieldStudy(field, known, tuple(lineups)), missed


def _shared_words(field: CanonicalField, examples: Sequence[Taught]) -> frozenset[str]:
    """Signs of first and last words that different values share, such as "inc"; others would give a value away."""
    values = {str(each) for example in examples for each in as_list(example.values[field.path])}
    counts: Counter[str] = Counter()
    for words in (fold_name(value).split() for value in sorted(values)):
        if len(words) > 1:
            counts.update((f"first word {words[0]}", f"last word {words[-1]}"))
    return frozenset(sign for sign, count in counts.items() if count > 1)


def as_list(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, list | tuple) else [value]


def _without_words(candidates: Sequence[Sequence[str]], shared: frozenset[str]) -> list[list[str]]:
    return [[s for s in signs if not s.startswith(_VALUE_WORDS) or s in shared] for signs in candidates]


def _missed(field: CanonicalField, example: Taught, value: Any) -> Missed:
    nearest = ""
    if field.type is FieldType.STRING:
        mentions, wanted = example.sheet.mentions(field), letters(str(value))
        inside = [mentions.text(n) for n in range(len(mentions)) if wanted and wanted in letters(mentions.text(n))]
        nearest = min(inside, key=lambda text: (len(text), text), default="")
    return Missed(field.path, example.name, str(value), nearest[:120])


def _cross_validate(study: FieldStudy) -> list[tuple[int, bool] | None]:
    """For each example the lead of what the others' lessons answer there, and whether it is right; None for silence."""
    count = len(study.examples)
    folds = min(count, 5 if count <= _FEW else 3)
    answers: list[tuple[int, bool] | None] = [None] * count
    for fold in range(folds if folds > 1 else 0):
        rest = [each for n, each in enumerate(study.lineups) if n % folds != fold and each is not None]
        weights = train(rest)
        for number in range(fold, count, folds):
            answers[number] = _try(study.field, study.examples[number], weights)
    return answers


def _try(field: CanonicalField, example: Taught, weights: Mapping[str, int]) -> tuple[int, bool] | None:
    recalled = recall_field(example.sheet, field, weights, {})
    if recalled is None:
        return None
    return recalled.lead, same_value(recalled.value, example.values[field.path], field)


def _lesson(
    study: FieldStudy, answers: Sequence[tuple[int, bool] | None], trials: Sequence[Trial], plain: Lessons
) -> FieldLesson:
    field = study.field
    weights = train([lineup for lineup in study.lineups if lineup is not None])
    least, pooled = threshold(trials, field.path)
    given = [answer for answer in answers if answer is not None]
    stated = [example.values[field.path] is not None for example in study.examples]
    judged = [n for n, example in enumerate(study.examples) if field.path in example.others]
    right = sum(_was_right(answers[n], stated[n]) for n in judged)
    others = sum(study.examples[n].others[field.path] for n in judged)
    private = plain.private
    return FieldLesson(
        field_hash(field),
        sum(stated),
        sum(bool(lineup and lineup.right) for lineup in study.lineups),
        len(stated) - sum(stated),
        {} if private else _labels(study),
        {plain.key(sign): weight for sign, weight in weights.items()},
        least,
        floor(trials, field.path),
        (sum(ok for _, ok in given), len(given)),
        pooled,
        (right, others, len(judged)),
        {} if private else _patterns(study),
    )


def _was_right(answer: tuple[int, bool] | None, stated: bool) -> bool:
    return not stated if answer is None else answer[1]


def _labels(study: FieldStudy) -> dict[str, int]:
    """The names that right values stood with, and in how many examples."""
    counts: Counter[str] = Counter()
    for example, lineup in zip(study.examples, study.lineups, strict=True):
        names = {
            fold_name(name)
            for number in (lineup.right if lineup else ())
            for name in example.sheet.names(study.field, number)[:1]
        }
        counts.update(names)
    return dict(sorted(counts.items()))


def _patterns(study: FieldStudy) -> dict[str, int]:
    """The shapes of short texts without blanks, such as numbers of papers."""
    if study.field.type is not FieldType.STRING:
        return {}
    values = [str(v) for example in study.examples if (v := example.values[study.field.path]) is not None]
    counts = Counter(shape_of(value) for value in values if " " not in value and any(map(str.isdigit, value)))
    return dict(sorted(counts.items()))
