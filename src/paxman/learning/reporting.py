"""What `learn` has to tell: per field what was found on the page, what was learned, and what it promises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from paxman.learning.lessons import FieldLesson, Lessons
from paxman.learning.training import Missed

_MOST_LABELS, _FEW = 4, 5


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
        elif lesson.located < _FEW:
            yield "few examples: more would make it surer"
        pattern = [shape for shape, count in lesson.patterns.items() if count == lesson.stated >= _FEW]
        if pattern:
            yield f"all values look like {pattern[0]}: consider a pattern in the contract"

    def to_dict(self) -> dict[str, Any]:
        return {
            "examples": len(self.lessons.examples),
            "unknown": list(self.unknown),
            "missed": [attrs.asdict(each) for each in self.missed],
            "fields": {path: "; ".join(self._said(path, each)) for path, each in self.lessons.fields.items()},
        }
