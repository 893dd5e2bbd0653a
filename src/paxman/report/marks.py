"""Which part of the document speaks for which field: the links between the two halves of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from paxman.artifact.artifact import ExecutionArtifact
from paxman.documents.document import MailPart, PageBox, Source
from paxman.report.shell import safe
from paxman.types import Span

_LETTERS = {"supporting": "s", "rejected": "r", "context": "c"}


@attrs.frozen
class Mark:
    """A place and the keys that light it up, such as "3s": field 3, supporting."""

    span: Span
    source: Source | None
    keys: tuple[str, ...]


class Marks:
    """Every place of an artifact; fields and cells have numbers, which both halves of the page use."""

    def __init__(self, artifact: ExecutionArtifact) -> None:
        self.numbers: dict[str, int] = {}
        self._marks: dict[tuple[Span, Source | None], list[str]] = {}
        for result in artifact.field_results:
            field = self._number(result.field_path)
            for ref in result.evidence_refs:
                owners = dict.fromkeys((field, self._number(ref.field_path)))
                if ref.span is not None:
                    keys = self._marks.setdefault((ref.span, ref.source), [])
                    keys += [f"{owner}{_LETTERS[ref.role]}" for owner in owners]
        self.all = [Mark(span, source, tuple(dict.fromkeys(keys))) for (span, source), keys in self._marks.items()]

    def _number(self, path: str) -> int:
        return self.numbers.setdefault(path, len(self.numbers))

    def on_page(self, number: int) -> Iterator[tuple[PageBox, tuple[str, ...]]]:
        for mark in self.all:
            if isinstance(mark.source, PageBox) and mark.source.page == number:
                yield mark.source, mark.keys

    def inside(self, start: int, end: int) -> list[Mark]:
        """Marks that touch a part of the text."""
        return [mark for mark in self.all if mark.span[0] < end and mark.span[1] > start]

    @property
    def beyond_pages(self) -> bool:
        """Whether some evidence stands in no picture of a page, such as in an embedded file."""
        return any(mark.source is None or isinstance(mark.source, MailPart) for mark in self.all)


def keys_attribute(keys: Iterable[str]) -> str:
    return f'data-e="{" ".join(dict.fromkeys(keys))}"'


def mark_text(text: str, start: int, end: int, marks: list[Mark]) -> str:
    """A part of the text as HTML, cut where marks begin and end, so that they may overlap."""
    edges = {start, end}
    for mark in marks:
        edges |= {min(max(edge, start), end) for edge in mark.span}
    cuts = sorted(edges)
    return "".join(_piece(text, left, right, marks) for left, right in zip(cuts, cuts[1:], strict=False))


def _piece(text: str, left: int, right: int, marks: list[Mark]) -> str:
    keys = [key for mark in marks if mark.span[0] <= left and mark.span[1] >= right for key in mark.keys]
    content = safe(text[left:right])
    return f"<mark {keys_attribute(keys)}>{content}</mark>" if keys else content
