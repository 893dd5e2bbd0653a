"""Choices on a form: of several the one that is marked, and none where no mark says which."""

from __future__ import annotations

import re

from paxman.contract.model import CanonicalField
from paxman.lazy import lazy_pattern
from paxman.recognizers.booleans_and_enums import OR, means_truth, plain
from paxman.types import FieldType, Span

_TICK = "[xX✓✔✗✘*•●]"
_BOX = lazy_pattern(
    rf"[☐□▢○◯☑☒☓✓✔✗✘■●◉]|_+[xX✓✔]_+|(?<!\w)(?:\[(?: {{0,3}}| ?{_TICK} ?)\]|\((?: {{1,3}}| ?{_TICK} ?)\))"
)
_SOME_BOX = lazy_pattern(rf"[☐□▢○◯☑☒✓✔✗✘]|\[(?:[ \]]|{_TICK}\])|\( ")
_BULLETS = "-*•·–"
_LONGEST = 1000
ANSWERS = (FieldType.BOOLEAN, FieldType.ENUM)
"""Types whose values a box may offer one by one."""
_APART = " \t\n\xa0,;/|"
_NEXT_KEY = lazy_pattern(r"(?:(?<=[ \t]{2})|(?<=[\t\n]))[^\W\d_][^\n:\[(☐□▢]{0,40}:")
_GAP = lazy_pattern(r"[ \t]{2,}|\t")
_OR = lazy_pattern(rf"[/|,;]| (?:{OR}) ", re.IGNORECASE)


def has_boxes(text: str) -> bool:
    """Whether a box may be there that is no sign of anything else."""
    return _SOME_BOX.search(text) is not None


def chosen(text: str, field: CanonicalField) -> Span | None:
    """Where the only marked choice stands in `☐ Basic ☑ Pro` or `Basic [ ] Pro [x]`; nowhere if none or several are."""
    if len(text) > _LONGEST or not has_boxes(text):
        return None
    text = text[: key.start()] if (key := _NEXT_KEY.search(text)) else text
    boxes = list(_BOX.finditer(text))
    words = _words(text, boxes)
    if len(words) == 1 and field.type not in ANSWERS:
        return _beside(boxes[0], words[0])
    if not words:
        return None
    # A lone box is itself the answer, and so is one behind the name of a field.
    if field.type is FieldType.BOOLEAN and all(means_truth(text[slice(*place)]) is None for place in words):
        return None
    marked = _marked([box[0] for box in boxes], words)
    if len(marked) == len(boxes) and (len(boxes) == 1 or boxes[0][0][0] not in "[("):
        # These signs may as well be bullets, but not before the answers that a field takes.
        return (0, 0) if field.type is FieldType.ENUM and (len(boxes) > 1 or boxes[0][0] in _CROSSES) else None
    return marked[0] if len(marked) == 1 else (0, 0)


_TICKS, _CROSSES = frozenset("☑✓✔"), frozenset("✗✘")
"""A cross marks a choice, or says no: it does beside a tick, and alone nobody knows."""


def _marked(boxes: list[str], words: list[Span]) -> list[Span]:
    signs = [box.strip("☐□▢○◯[]()_ ") for box in boxes]
    refused = "☒☓✗✘" if not _TICKS.isdisjoint(signs) else ""
    return [place for sign, place in zip(signs, words, strict=True) if sign and sign not in refused]


def _beside(box: re.Match[str], words: Span) -> Span | None:
    """The words beside the only box, nowhere if it offers them unmarked; None if the box says nothing of them."""
    is_marked = bool(box[0].strip("☐□▢○◯[]()_ "))
    if box[0] in _CROSSES:
        return None
    if is_marked and (words[0] >= words[1] or len(box[0]) > 1):
        return None
    return words if is_marked or words[0] < box.start() else (0, 0)


def beside_box(text: str) -> Span | None:
    """Where the words stand in a cell that has the box of its row."""
    boxes = list(_BOX.finditer(text)) if has_boxes(text) else []
    words = _words(text, boxes) if len(boxes) == 1 else []
    return words[0] if words and words[0][0] < words[0][1] else None


def _words(text: str, boxes: list[re.Match[str]]) -> list[Span]:
    """What stands behind each box, or before each; nothing where words stand on both sides."""
    if not boxes:
        return []
    starts, ends = [box.start() for box in boxes], [box.end() for box in boxes]
    if not text[: starts[0]].strip(_APART + _BULLETS):
        places = zip(ends, [*starts[1:], len(text)], strict=True)
    elif not text[ends[-1] :].strip() and (len(boxes) > 1 or boxes[0][0].strip("( )")):
        places = zip([0, *ends[:-1]], starts, strict=True)
    else:
        return []
    return [_trimmed(text, start, end) for start, end in places]


def _trimmed(text: str, start: int, end: int) -> Span:
    words = text[start:end]
    return end - len(words.lstrip(_APART)), start + len(words.rstrip(_APART + _BULLETS))


def names_several(text: str, field: CanonicalField) -> bool:
    """Whether a text offers several answers that a field takes, and marks none of them."""
    answers: set[str | bool] = set()
    for chunk in _GAP.split(text):
        found = {answer for part in _OR.split(chunk) for answer in _answers(_BOX.sub(" ", part), field)}
        if not found:
            break
        answers |= found
    return len(answers) > 1


def _answers(text: str, field: CanonicalField) -> list[str | bool]:
    if field.type is FieldType.BOOLEAN:
        truth = means_truth(text)
        return [] if truth is None else [truth]
    word = plain(text)
    return [member for member in field.enum_values if isinstance(member, str) and word and plain(member) == word]
