"""From examples to lessons: lineups per field, cross-validation, thresholds, and a report in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from paxman.classes import record
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.learning.candidates import AnnotatedPage
from paxman.learning.cuts import cut, inner_cuts, length_cut, needed_cuts
from paxman.learning.heads import count_heads, heads_on
from paxman.learning.layouts import anchors_of, group_alike, layouts_of
from paxman.learning.lessons import FieldLesson, Lessons, field_hash
from paxman.learning.locating import item_of, kind_of, letters, locate, same_value
from paxman.learning.mentions import TEXT, fold_name, shape_of
from paxman.learning.ranking import TrainingExample, train
from paxman.learning.recalling import recall_field
from paxman.learning.standing import (
    ALONE,
    DIFFERS,
    SILENT,
    Disagreement,
    StepAnswer,
    Trial,
    floor,
    misleading,
    misleading_anywhere,
    standing,
    threshold,
)
from paxman.types import FieldType, Span

_FEW = 20
_MOST_INNER = 8
_VALUE_WORDS = ("first word ", "last word ")
_UNTAUGHT = frozenset({FieldType.ARRAY, FieldType.OBJECT, FieldType.MAP, FieldType.UNION, FieldType.ENUM})


@attrs.frozen
class Taught:
    """A document and its right values by path; `others` is what the other steps answered."""

    hash: str
    sheet: AnnotatedPage
    values: Mapping[str, Any]
    others: Mapping[str, StepAnswer] = attrs.field(factory=dict)
    name: str = ""


@attrs.frozen
class Missed:
    """A right value that is not on its page as one part, and the nearest thing that is."""

    path: str
    example: str
    value: str
    nearest: str


@record
class Tried:
    """An answer in cross-validation: its lead over the next best, and whether it was right."""

    value: Any
    lead: int
    right: bool


@attrs.frozen
class FieldStudy:
    """The examples of one field as the ranker takes them."""

    field: CanonicalField
    examples: tuple[Taught, ...]
    lineups: tuple[TrainingExample | None, ...]
    """None where the right value was not found on the page."""
    layouts: Mapping[str, int] = attrs.field(factory=dict)
    """The number of the layout of each example, by its hash."""


def teach(
    contract: CanonicalContract, examples: Iterable[Taught], private: bool = False
) -> tuple[Lessons, list[Missed]]:
    """Lessons from examples, in whatever order they come, and what could not be learned from."""
    ordered = sorted({example.hash: example for example in examples}.values(), key=lambda example: example.hash)
    cuts = _cuts(contract, ordered, private)
    ordered = [attrs.evolve(example, sheet=example.sheet.cut(cuts)) for example in ordered]
    anchors = [anchors_of(each.sheet.page) for each in ordered]
    layouts = {ordered[at].hash: number for number, group in enumerate(group_alike(anchors)) for at in group}
    studies, missed = [], []
    for field in contract.leaves:
        study, lost = _study(field, ordered, layouts)
        studies.append(study)
        missed += lost
    tried = {study.field.path: _cross_validate(study) for study in studies}
    trials = [Trial(path, each.lead, each.right) for path, answers in tried.items() for each in answers if each]
    beside = [each for study in studies for each in _beside(study, tried[study.field.path])]
    hashes = tuple(each.hash for each in ordered)
    shared = layouts_of(anchors)
    plain = Lessons(contract.id, contract.content_hash, hashes, {}, private=private, cuts=cuts, layouts=shared)
    fields = {study.field.path: _lesson(study, tried[study.field.path], trials, beside, plain) for study in studies}
    return attrs.evolve(plain, fields=fields), missed


def _cuts(contract: CanonicalContract, examples: Sequence[Taught], private: bool) -> tuple[str, ...]:
    """The ways in which texts have to be cut so that the right ones are among them; private ones hold no words."""
    fields = [f for f in contract.leaves if is_teachable(f) and f.type is not FieldType.ENUM and kind_of(f) == TEXT]
    right = [(e.sheet, f, v) for f in fields for e in examples for v in as_list(e.values.get(f.path))]
    places = ((sheet.mentions(f), locate(sheet.mentions(f), item_of(f), sheet.how, value)) for sheet, f, value in right)
    whole = needed_cuts([[mentions.parts(n) for n in found] for mentions, found in places if found])
    inner = () if private else _inner_cuts(right, whole)
    return (*sorted(whole), *inner, length_cut(str(value) for _, _, value in right))


def _inner_cuts(right: Sequence[tuple[AnnotatedPage, CanonicalField, Any]], whole: frozenset[str]) -> list[str]:
    """The words behind which, or before which, values of several examples start and end inside parts."""
    seen: dict[str, set[int]] = {}
    spans: dict[int, list[Span]] = {}
    for sheet, _, value in right:
        page = sheet.page
        known = spans.setdefault(id(sheet), sorted({span for span, _ in cut(page, whole)}))
        for name in inner_cuts(page, known, str(value)):
            seen.setdefault(name, set()).add(id(sheet))
    common = sorted((-len(sheets), name) for name, sheets in seen.items() if len(sheets) > 1)
    return sorted(name for _, name in common[:_MOST_INNER])


def is_teachable(field: CanonicalField) -> bool:
    """Whether lessons can be made for a field: single values, and lists of them."""
    if field.type is FieldType.ARRAY and field.items is not None and not field.prefix:
        return field.items.type not in _UNTAUGHT
    return field.type is FieldType.ENUM or field.type not in _UNTAUGHT


def _study(
    field: CanonicalField, examples: Sequence[Taught], layouts: Mapping[str, int]
) -> tuple[FieldStudy, list[Missed]]:
    known = tuple(example for example in examples if field.path in example.values)
    if not is_teachable(field):
        return FieldStudy(field, known, (None,) * len(known), layouts), []
    # Signs of first and last words that different values share, such as "inc"; others would give a value away.
    values = {str(each) for example in known for each in as_list(example.values[field.path])}
    counts: Counter[str] = Counter()
    for words in (fold_name(value).split() for value in sorted(values)):
        if len(words) > 1:
            counts.update((f"first word {words[0]}", f"last word {words[-1]}"))
    shared = frozenset(sign for sign, count in counts.items() if count > 1)
    lineups: list[TrainingExample | None] = []
    missed = []
    for example in known:
        value = example.values[field.path]
        right = frozenset() if value is None else example.sheet.right(field, value)
        if value is not None and not right:
            missed.append(_missed(field, example, value))
            lineups.append(None)
        else:
            lineups.append(
                TrainingExample(
                    _without_words(example.sheet.signs(field), shared), right, field.type is FieldType.ARRAY
                )
            )
    return FieldStudy(field, known, tuple(lineups), layouts), missed


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


def _cross_validate(study: FieldStudy) -> list[Tried | None]:
    """For each example what the others' lessons answer there; None for silence."""
    if study.field.columns:
        return _cross_validate_rows(study)
    count = len(study.examples)
    folds = min(count, 5 if count <= _FEW else 3)
    answers: list[Tried | None] = [None] * count
    for fold in range(folds if folds > 1 else 0):
        rest = [each for n, each in enumerate(study.lineups) if n % folds != fold and each is not None]
        if not rest:
            continue
        lesson = FieldLesson("", weights=train(rest, study.field.type is FieldType.ENUM))
        for number in range(fold, count, folds):
            answers[number] = _try(study.field, study.examples[number], lesson)
    return answers


def _cross_validate_rows(study: FieldStudy) -> list[Tried | None]:
    """For each example what the heads of all others give there."""
    heads = [_heads(study.field, example) for example in study.examples]
    answers = []
    for number, example in enumerate(study.examples):
        lesson = FieldLesson("", heads=count_heads(heads[:number] + heads[number + 1 :]))
        answers.append(_try(study.field, example, lesson))
    return answers


def _heads(field: CanonicalField, example: Taught) -> dict[str, set[str]]:
    value = example.values[field.path]
    return heads_on(example.sheet, field, value) if field.columns and isinstance(value, list | tuple) else {}


def _try(field: CanonicalField, example: Taught, lesson: FieldLesson) -> Tried | None:
    recalled = recall_field(example.sheet, field, lesson)
    if recalled is None:
        return None
    return Tried(recalled.value, recalled.lead, same_value(recalled.value, example.values[field.path], field))


def _beside(study: FieldStudy, answers: Sequence[Tried | None]) -> Iterator[Disagreement]:
    """The examples in which recall and the other steps did not say the same.

    A right value that its page does not have as it is given says nothing of who read the page rightly, unless the
    other steps did: one may stand on several lines, beside other text.
    """
    path = study.field.path
    for example, lineup, tried in zip(study.examples, study.lineups, answers, strict=True):
        other, is_absent = example.others.get(path), example.values[path] is None
        if tried is None:
            yield from [Disagreement(path, SILENT, is_absent, other.right, other.sure)] if other else ()
        elif other is None:
            yield Disagreement(path, ALONE, tried.right, is_absent, False)
        elif same_value(tried.value, other.value, study.field):
            continue
        elif lineup or other.right or not is_teachable(study.field):
            yield Disagreement(path, DIFFERS, tried.right, other.right, other.sure)


def _lesson(
    study: FieldStudy,
    answers: Sequence[Tried | None],
    trials: Sequence[Trial],
    beside: Sequence[Disagreement],
    plain: Lessons,
) -> FieldLesson:
    field = study.field
    lineups = [lineup for lineup in study.lineups if lineup is not None]
    weights = train(lineups, field.type is FieldType.ENUM) if lineups else {}
    least, pooled = threshold(trials, field.path)
    given = [answer for answer in answers if answer is not None]
    stated = [example.values[field.path] is not None for example in study.examples]
    private = plain.private
    located = sum(bool(lineup and lineup.right) for lineup in study.lineups)
    said = _said_by_others(study)
    misled = misleading([each for _, each in said], _own_words(field))
    return FieldLesson(
        field_hash(field),
        sum(stated),
        located,
        len(stated) - sum(stated),
        {} if private else _labels(study),
        {} if private else count_heads([_heads(field, example) for example in study.examples]),
        {plain.key(sign): weight for sign, weight in weights.items()},
        least,
        floor(trials, field.path, located),
        (sum(answer.right for answer in given), len(given)),
        pooled,
        _record(study, answers),
        {case: standing(beside, field.path, case) for case in (DIFFERS, SILENT, ALONE)} if study.examples else {},
        {plain.key(label): count for label, count in misled.items()},
        {plain.key(label) if label else "": count for label, count in misleading_anywhere(said).items()},
        {} if private else _patterns(study),
    )


def _said_by_others(study: FieldStudy) -> list[tuple[int, StepAnswer]]:
    """What the other steps answered where the right value stands on the page, or is not stated, with the layouts."""
    path = study.field.path
    known = [each for each, lineup in zip(study.examples, study.lineups, strict=True) if lineup is not None]
    return [(study.layouts[each.hash], each.others[path]) for each in known if path in each.others]


def _own_words(field: CanonicalField) -> frozenset[str]:
    return frozenset(fold_name(text.replace("_", " ")) for text in (field.name, *field.labels))


def _record(study: FieldStudy, answers: Sequence[Tried | None]) -> tuple[int, int, int]:
    """In how many examples recall was right, in how many the other steps, and in how many either could be."""
    path = study.field.path
    absent = [example.values[path] is None for example in study.examples]
    others = [example.others.get(path) for example in study.examples]
    right = [sum(e.right if e else n for e, n in zip(each, absent, strict=True)) for each in (answers, others)]
    return right[0], right[1], len(absent)


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


_MOST_LABELS, _FEW_FOUND = 4, 5


def _most(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:_MOST_LABELS]


@attrs.frozen
class LearningReport:
    """The result of learning in words; `str` gives it as lines."""

    lessons: Lessons
    missed: tuple[Missed, ...] = ()
    unknown: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        count = len(self.lessons.examples)
        yield f"{count} example{'s' if count != 1 else ''} of {self.lessons.contract_id}"
        layouts = len(self.lessons.layouts)
        if layouts > 1:
            yield f"{layouts} layouts: on a page of another one only labels, heads and words of members carry over"
        if self.unknown:
            yield f"not in the contract, and not learned from: {', '.join(self.unknown)}"
        if self.lessons.private:
            yield "private: only hashes of words are kept, so that no label can be named in evidence"
            yield "private: the words at which values start and end are not learned"
        for path, lesson in self.lessons.fields.items():
            yield f"{path}: {'; '.join(self._said(path, lesson))}"
            for each in self.missed:
                if each.path == path:
                    near = f"; nearest: {each.nearest!r}" if each.nearest else ""
                    yield f"  not on the page of {each.example}: {each.value[:80]!r}{near}"

    def _said(self, path: str, lesson: FieldLesson) -> Iterator[str]:
        if lesson.absent:
            yield f"not stated in {lesson.absent} of {lesson.absent + lesson.stated} examples"
        if lesson.misleading and not self.lessons.private:
            yield "no longer read at " + ", ".join(f"'{label}'" for label, _ in _most(lesson.misleading))
        if not lesson.stated:
            yield "no example states it: no place was learned" if lesson.absent else "no example speaks of it"
            return
        if not lesson.heads:
            yield f"{lesson.located} of {lesson.stated} values found on the page"
        labels = _most(lesson.labels)
        if labels:
            yield "labels " + ", ".join(f"'{label}' ({count} of {lesson.stated})" for label, count in labels)
        for column, heads in lesson.heads.items():
            yield f"{column} below " + ", ".join(f"'{head}' ({count})" for head, count in _most(heads))
        right, answered = lesson.trials
        if answered:
            yield f"{right} of {answered} answers right in cross-validation"
        if lesson.threshold is None:
            yield "needs more examples before it counts as evidence"
        elif lesson.located < _FEW_FOUND:
            yield "few examples: more would make it surer"
        pattern = [shape for shape, count in lesson.patterns.items() if count == lesson.stated >= _FEW_FOUND]
        if pattern:
            yield f"all values look like {pattern[0]}: consider a pattern in the contract"

    def to_dict(self) -> dict[str, Any]:
        return {
            "examples": len(self.lessons.examples),
            "unknown": list(self.unknown),
            "missed": [attrs.asdict(each) for each in self.missed],
            "fields": {path: "; ".join(self._said(path, each)) for path, each in self.lessons.fields.items()},
        }
