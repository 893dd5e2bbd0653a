"""The right half of a page: the fields, those that need a look first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.results import FieldResult
from paxman.report.marks import Marks
from paxman.report.shell import safe
from paxman.report.views import EvidenceView, FieldView, column_order, count_rows, head_of, show_value
from paxman.types import dollars

_CONCERNS = {0: "Missing", 1: "Conflict", 2: "Warning", 3: "Not stated", 4: "Note"}
_ROLES = {"supporting": "Evidence", "rejected": "Rejected", "context": "Context"}
_MOST_ROWS, _MOST_TO_CHANGE = 200, 3_000
_MOST_EVIDENCE = 60


Extra = Callable[[FieldView, FieldResult], str]


def field_pane(
    artifact: ExecutionArtifact, views: Sequence[FieldView], marks: Marks, extra: Extra = lambda view, result: ""
) -> str:
    """A list of fields, in the order of how much they need a person; `extra` stands above the story of each."""
    results = {result.field_path: result for result in artifact.field_results}
    ordered = sorted(views, key=lambda view: view.concern)
    items = "".join(_field(view, results[view.path], marks, extra(view, results[view.path])) for view in ordered)
    return f'<ol class="fields" aria-label="Fields">{items}</ol>'


def _field(view: FieldView, result: FieldResult, marks: Marks, extra: str) -> str:
    number = marks.numbers[view.path]
    gap = "unresolved" if view.required else "absent"
    state = gap if view.status == "UNRESOLVED" else f"band-{view.band.lower()}"
    word = _CONCERNS.get(view.concern, "")
    flag = f'<span class="flag flag-{view.concern}">{word}</span>' if word else ""
    need = '<span class="need">required</span>' if view.required else ""
    return (
        f'<li><details class="field {state}" data-field="{number}" data-path="{safe(view.path)}" '
        f'data-concern="{view.concern}">'
        f'<summary><span class="name">{safe(view.path)}</span>{flag}{need}'
        f'<span class="value">{_headline(view, result)}</span>{_trust(view, result)}</summary>'
        f'<div class="story">{extra}{"".join(_story(view, result, marks))}</div></details></li>'
    )


def _headline(view: FieldView, result: FieldResult) -> str:
    if view.status == "UNRESOLVED":
        return "no value"
    if isinstance(result.value, tuple):
        return head_of(result)
    return safe(view.value) or "empty"


def _trust(view: FieldView, result: FieldResult) -> str:
    """Band, confidence, origin and price, in words and as a bar; without a value why there is none."""
    if view.status == "UNRESOLVED":
        return f'<span class="trust">{safe(view.notes[0][1] if view.notes else "nothing was tried")}</span>'
    width = round(view.confidence * 100)
    return (
        f'<span class="trust"><svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="rail" width="100" height="8" rx="4"/><rect class="fill" width="{width}" height="8" rx="4"/>'
        f"</svg>{view.confidence:.2f} {safe(view.band)} · {safe((view.origin or '').lower().replace('_', ' '))}"
        f"{f' · {dollars(result.cost.usd)}' if result.cost.usd else ''}</span>"
    )


def _story(view: FieldView, result: FieldResult, marks: Marks) -> Iterator[str]:
    for code, message in view.notes:
        yield f'<p class="note">{safe(message)} <span class="code">{safe(code)}</span></p>'
    if view.rows:
        yield f'<p class="ledger">{safe(view.rows)}</p>'
    if isinstance(result.value, tuple) and result.value:
        most = _MOST_TO_CHANGE if marks.addressed else _MOST_ROWS
        yield _rows(result, marks, most)
        left = len(result.value) - most
        if left > 0:
            yield f'<p class="more">and {count_rows(left, "more ")}, in the artifact</p>'
    if view.rubric:
        parts = "".join(f"<li>{points / 100:+.2f} {safe(name)}</li>" for name, points in view.rubric.parts)
        capped = f" ({view.rubric.capped})" if view.rubric.capped else ""
        yield f'<ul class="rubric" aria-label="Confidence added up">{parts}<li class="sum">= '
        yield f"{view.rubric.total:.2f}{capped}</li></ul>"
    yield from map(_evidence, view.evidence[:_MOST_EVIDENCE])
    if len(view.evidence) > _MOST_EVIDENCE:
        yield f'<p class="more">and {len(view.evidence) - _MOST_EVIDENCE} more places</p>'
    for value, reason in view.lost:
        yield f'<p class="lost"><b>{safe(value)}</b> lost: {safe(reason)}</p>'
    yield f'<p class="chain">{safe(" → ".join(view.tried) or "nothing could be tried")} · {safe(view.cost)}</p>'


def _evidence(view: EvidenceView) -> str:
    place = view.place or view.detail or ""
    loose = f", {view.loose}" if view.loose else ""
    loose += f", by examples: {view.lesson}" if view.lesson else ""
    quote = ""
    if view.quote is not None:
        quote = f"<blockquote>{safe(view.before)}<b>{safe(view.quote)}</b>{safe(view.after)}</blockquote>"
    found = "".join(f"<p>{safe(name)}: {safe(text)}</p>" for name, text in view.found_by)
    listed = "".join(f"<li><code>{safe(name)}</code> {safe(value)}</li>" for name, value in view.steps)
    steps = f"<ol>{listed}</ol>" if listed else ""
    return (
        f'<div class="evidence {view.role}"><p><b>{_ROLES[view.role]}</b> {safe(place)} '
        f"<span>by {safe(view.capability)}{safe(loose)}</span></p>{quote}{found}{steps}</div>"
    )


def _rows(result: FieldResult, marks: Marks, most: int) -> str:
    """An array as a table; each cell lights up its own place."""
    path, rows, columns = result.field_path, result.value[:most], column_order(result)
    if not columns:
        cells = "".join(f"<tr>{_cell(f'{path}[{index}]', row, marks)}</tr>" for index, row in enumerate(rows))
        return f'<div class="scroll"><table class="rows"><tbody>{cells}</tbody></table></div>'
    head = "".join(f'<th scope="col">{safe(name)}</th>' for name in columns)
    body = "".join(
        "<tr>" + "".join(_cell(f"{path}[{index}].{name}", row.get(name), marks) for name in columns) + "</tr>"
        for index, row in enumerate(rows)
    )
    return f'<div class="scroll"><table class="rows"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _cell(path: str, value: Any, marks: Marks) -> str:
    number = marks.numbers.get(path)
    link = f' data-field="{number}" tabindex="0"' if number is not None else ' tabindex="0"' if marks.addressed else ""
    return f"<td{link}>{safe(show_value(value))}</td>"
