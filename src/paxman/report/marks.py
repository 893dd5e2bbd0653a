"""Which part of the document speaks for which field: the links between the two halves of a page."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

import attrs

from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.results import FieldResult
from paxman.capabilities.base import EvidenceRef
from paxman.documents.document import MailPart, PageBox, Source
from paxman.report.shell import safe
from paxman.types import Span

_PAGE_BREAK = '<span class="gap">page break</span>'
_INDEX = re.compile(r"\[\d+\]")
_LETTERS = {"supporting": "s", "rejected": "r", "context": "c"}


@attrs.frozen
class ReportMark:
    """A place and the keys that light it up, such as "3s": field 3, supporting."""

    span: Span
    source: Source | None
    keys: tuple[str, ...]


class Marks:
    """Every place of an artifact; fields and cells have numbers, which both halves of the page use."""

    def __init__(self, artifact: ExecutionArtifact, addressed: bool = False) -> None:
        self.addressed = addressed
        """Whether the page tells where in the text each word and cell stands, so that one can point at it."""
        self.numbers: dict[str, int] = {}
        self._marks: dict[tuple[Span, Source | None], list[str]] = {}
        inputs = _Inputs(artifact)
        for result in artifact.field_results:
            field = self._number(result.field_path)
            for ref in result.evidence_refs:
                self._mark(ref, ref.role, field, self._number(ref.field_path))
            for ref in inputs.of(result):
                self._mark(ref, "context", field)
        made = [ReportMark(span, source, tuple(dict.fromkeys(keys))) for (span, source), keys in self._marks.items()]
        self.all = sorted(made, key=lambda mark: mark.span)
        self._longest = max((mark.span[1] - mark.span[0] for mark in self.all), default=0)

    def _mark(self, ref: EvidenceRef, role: str, *owners: int) -> None:
        if ref.span is not None:
            keys = self._marks.setdefault((ref.span, ref.source), [])
            keys += [f"{owner}{_LETTERS[role]}" for owner in dict.fromkeys(owners)]

    def _number(self, path: str) -> int:
        return self.numbers.setdefault(path, len(self.numbers))

    def on_page(self, number: int) -> Iterator[tuple[PageBox, tuple[str, ...]]]:
        for mark in self.all:
            if isinstance(mark.source, PageBox) and mark.source.page == number:
                yield mark.source, mark.keys

    @property
    def pages(self) -> set[int]:
        """Pages with evidence."""
        return {mark.source.page for mark in self.all if isinstance(mark.source, PageBox)}

    def inside(self, start: int, end: int) -> list[ReportMark]:
        """Marks that touch a part of the text."""
        first = bisect_left(self.all, start - self._longest, key=lambda mark: mark.span[0])
        last = bisect_left(self.all, end, key=lambda mark: mark.span[0])
        return [mark for mark in self.all[first:last] if mark.span[1] > start]

    @property
    def beyond_pages(self) -> bool:
        """Whether some evidence stands in no picture of a page, such as in an embedded file."""
        return any(mark.source is None or isinstance(mark.source, MailPart) for mark in self.all)


class _Inputs:
    """Where the values stand that others were computed from or looked up by."""

    def __init__(self, artifact: ExecutionArtifact) -> None:
        self._needs = {plan.field_id: plan.depends_on for plan in artifact.execution_plan.fields}
        self._results = {result.field_path: result for result in artifact.field_results}

    def of(self, result: FieldResult) -> Iterator[EvidenceRef]:
        """The evidence of all that a value without a place of its own was made from, also through others."""
        waiting, seen = [*self._names(result)], set[str]()
        while waiting:
            name = waiting.pop()
            found = self._results.get(name) or self._results.get(name.rpartition(".")[0])
            if name in seen or found is None:
                continue
            seen.add(name)
            waiting += self._names(found)
            yield from (ref for ref in found.evidence_refs if ref.is_of_value and _is_part(ref, name))

    def _names(self, result: FieldResult) -> tuple[str, ...]:
        placeless = any(ref.is_of_value and ref.span is None for ref in result.evidence_refs)
        return self._needs.get(result.field_id, ()) if placeless else ()


def _is_part(ref: EvidenceRef, name: str) -> bool:
    """Whether evidence is of a field, or of a column of an array."""
    path = _INDEX.sub("", ref.field_path)
    return path == name or path.startswith(f"{name}.")


def keys_attribute(keys: Iterable[str]) -> str:
    return f'data-e="{" ".join(dict.fromkeys(keys))}"'


def mark_text(text: str, start: int, end: int, marks: list[ReportMark], addressed: bool = False) -> str:
    """A part of the text as HTML, cut where marks begin and end, so that they may overlap."""
    opening: dict[int, list[str]] = {}
    closing: dict[int, list[str]] = {}
    for mark in marks:
        opening.setdefault(max(mark.span[0], start), []).extend(mark.keys)
        closing.setdefault(min(mark.span[1], end), []).extend(mark.keys)
    active: Counter[str] = Counter()
    pieces = []
    for left, right in pairwise(sorted({start, end, *opening, *closing})):
        active.update(opening.get(left, ()))
        active.subtract(closing.get(left, ()))
        active = +active  # keys that closed must go, or a long table takes quadratic time
        content = _content(text, left, right, addressed)
        pieces.append(f"<mark {keys_attribute(active)}>{content}</mark>" if active else content)
    return "".join(pieces)


def _content(text: str, left: int, right: int, addressed: bool) -> str:
    if not addressed:
        return _PAGE_BREAK.join(map(safe, text[left:right].split("\f")))
    parts = (match.span() for match in _SEEN.finditer(text, left, right))
    return "".join(
        _PAGE_BREAK if text[first] == "\f" else f'<span data-at="{first}">{safe(text[first:last])}</span>'
        for first, last in parts
    )


_SEEN = re.compile(r"\f|[^\f\r]+")
