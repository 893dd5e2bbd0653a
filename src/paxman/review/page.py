"""The two pages of a review: the queue, and a document beside its fields, from the report's own parts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from paxman.artifact.results import FieldResult
from paxman.contract.model import CanonicalField
from paxman.report.document_pane import document_pane, page_pictures
from paxman.report.explanation import veil
from paxman.report.field_pane import field_pane
from paxman.report.marks import Marks
from paxman.report.shell import page, safe, table
from paxman.report.views import FieldView, view_fields
from paxman.review.desk import OpenDocument, ReviewDesk
from paxman.review.queue import NEEDS
from paxman.types import FieldType

_SCRIPT = "review/page"
_ON_A_PAGE = 50
_MOST_RIVALS = 9
_STATES = {"waiting": "not read yet", "open": "to do", "skipped": "skipped", "done": "done", "failed": "failed"}


def document_page(desk: ReviewDesk, sheet: OpenDocument, wanted: Mapping[str, str], by: str) -> str:
    """The page of one document; what the browser does on it is in page.js."""
    made = sheet_parts(sheet)
    title = sheet.name.rpartition("/")[2]
    columns = {each.path: [column.name for column in each.columns] for each in sheet.contract.fields}
    facts = {"number": sheet.number, "version": sheet.version, "columns": columns, "query": urlencode(wanted)}
    body = (
        f'<header><div class="title"><a href="/?{safe(urlencode(wanted))}">Queue</a>'
        f'<h1 title="{safe(sheet.name)}">{safe(title)}</h1>'
        f'<span class="status" id="status">{safe(made["status"])}</span></div>{_tools(by)}'
        f'<main class="split" data-review="{safe(json.dumps(facts))}"><section class="document" tabindex="0" '
        f'aria-label="Document">{made["document"]}</section><section class="result" aria-label="Fields">'
        f"{made['fields']}</section></main>"
    )
    return page(title, body, _SCRIPT)


def _tools(by: str) -> str:
    return (
        f'<div class="tools"><label>You are <input id="by" value="{safe(by)}" autocomplete="off"></label>'
        '<button type="button" id="theme" aria-pressed="false">Dark</button></div></header>'
        '<p id="told" role="status" aria-live="polite"></p>'
    )


def sheet_parts(sheet: OpenDocument) -> dict[str, Any]:
    """Both halves of the page as they are now, and the version that they show."""
    artifact = sheet.current
    document = veil(sheet.document, artifact) if sheet.document else None
    marks, views = Marks(artifact, addressed=True), view_fields(artifact, document)
    numbers = pictures_of(sheet) if document and document.pages else {}
    pictures = {number: f"/document/{sheet.number}/picture/{number}" for number in numbers}
    return {
        "version": sheet.version,
        "status": artifact.status.value,
        "done": sheet.is_done(sheet.decided),
        "decided": len(sheet.decided),
        "document": document_pane(document, marks, pictures),
        "fields": field_pane(artifact, views, marks, lambda view, result: _review(sheet, view, result)),
    }


def pictures_of(sheet: OpenDocument) -> Mapping[int, str]:
    """The pages of a document as pictures, drawn once."""
    if sheet.document is None or sheet.raw is None:
        return {}
    cache = sheet.document.cache
    if "pictures" not in cache:
        cache["pictures"] = page_pictures(sheet.raw.data, sheet.document, Marks(sheet.machine).pages)
    found: Mapping[int, str] = cache["pictures"]
    return found


def _review(sheet: OpenDocument, view: FieldView, result: FieldResult) -> str:
    """What a person has said of a field, and what else there is to choose from."""
    line = sheet.decided.get(view.path)
    said = f'<p class="said">{safe(line["by"])}, {safe(line["at"])}</p>' if line else ""
    rivals = "".join(
        f'<button type="button" class="rival" data-text="{safe(text)}" data-spans="{safe(json.dumps(spans))}">'
        f"<kbd>{number}</kbd> <b>{safe(text)}</b> <span>{safe(why)}</span></button>"
        for number, (text, spans, why) in enumerate(_rivals(view, result, sheet.field(view.path)), 1)
    )
    state = "decided" if line else "open"
    need = "true" if view.required and view.status == "UNRESOLVED" else "false"
    return (
        f'<div class="review" data-state="{state}" data-missing="{need}" data-type="{safe(view.type)}" '
        f'data-value="{safe(view.value)}">{said}<div class="rivals">{rivals}</div></div>'
    )


def _rivals(
    view: FieldView, result: FieldResult, field: CanonicalField
) -> Iterator[tuple[str, list[tuple[int, int]], str]]:
    """Other values that were found, each with its place and why it lost; the contract's own words for an enum."""
    if isinstance(result.value, tuple) or view.type in ("ARRAY", "OBJECT", "MAP"):
        return
    reasons = dict(view.lost)
    seen = {view.value if view.status == "RESOLVED" else ""}
    for each in sorted(view.evidence, key=lambda each: each.value not in reasons):
        if each.role != "supporting" and each.value and each.value not in seen and len(seen) <= _MOST_RIVALS:
            seen.add(each.value)
            yield each.value, [each.span] if each.span else [], each.place or reasons.get(each.value, "")
    for value, reason in reasons.items():
        if value not in seen and len(seen) <= _MOST_RIVALS:
            seen.add(value)
            yield value, [], reason
    for value in ("true", "false") if field.type is FieldType.BOOLEAN else map(str, field.enum_values):
        if value not in seen and len(seen) <= _MOST_RIVALS:
            seen.add(value)
            yield value, [], "in the contract"


def queue_page(desk: ReviewDesk, query: dict[str, str], by: str) -> str:
    """Documents that need a person, with filters, counts and pages."""
    start = int(query.pop("start", "0")) if query.get("start", "0").isdigit() else 0
    rows, total = desk.queue.page(query, start, _ON_A_PAGE)
    counts = desk.queue.counts()
    done, every = counts["state"].get("done", 0), sum(counts["state"].values())
    facts = {"complete": desk.queue.complete, "query": query, "filters": _filters(desk, counts)}
    facts["lessons"] = {
        "decisions": desk.decisions,
        "file": f"{desk.folder.name}/{desk.examples.name}",
        "able": desk.contracts is not None and desk.decisions > 0,
        "applied": list(desk.lessons),
    }
    body = (
        f'<header><div class="title"><h1>Review</h1><span class="status">{done} of {every} done</span>'
        f'<progress max="{every or 1}" value="{done}" aria-label="Documents done"></progress></div>{_tools(by)}'
        f'<main class="queue" data-queue="{safe(json.dumps(facts))}"><nav class="panel" aria-label="Filters"></nav>'
        f'<section class="panel documents" aria-label="Documents">{_documents(rows, query)}'
        f'{_pager(start, total, query)}</section><section class="panel" aria-label="Lessons"></section></main>'
    )
    return page(f"Review: {done} of {every}", body, _SCRIPT)


def _filters(desk: ReviewDesk, counts: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """What one may choose from, with how many documents it is true of."""
    bands = ("UNRESOLVED", "UNTRUSTED", "LOW", "MEDIUM", "HIGH", "CERTAIN")
    return {
        "need": {str(need): f"{NEEDS[need]} ({count})" for need, count in sorted(counts["need"].items())},
        "state": {state: f"{_STATES[state]} ({count})" for state, count in counts["state"].items()},
        "status": {status: f"{status} ({count})" for status, count in counts["status"].items()},
        "contract": {name: f"{name} ({count})" for name, count in counts["contract"].items()},
        "field": {path: path for path in desk.field_paths()},
        "band": {band: band for band in bands},
    }


def _documents(rows: list[Any], query: Mapping[str, str]) -> str:
    if not rows:
        return "<p>No document here.</p>"
    held = safe(urlencode(query))
    cells = (
        f'<tr class="{row["state"]}"><td><a href="/document/{row["number"]}?{held}">{safe(row["name"])}</a></td>'
        f"<td>{safe(row['why'] or NEEDS[row['need']])}</td><td>{safe(row['status'])}</td>"
        f"<td>{_STATES[row['state']]}</td></tr>"
        for row in rows
    )
    heads = "".join(f'<th scope="col">{name}</th>' for name in ("document", "why", "status", "state"))
    return f'<div class="scroll">{table(heads, cells)}</div>'


def _pager(start: int, total: int, query: Mapping[str, str]) -> str:
    last = min(start + _ON_A_PAGE, total)
    links = [("Earlier", start - _ON_A_PAGE)] * (start > 0) + [("Later", last)] * (last < total)
    shown = "".join(f'<a href="/?{safe(urlencode({**query, "start": max(at, 0)}))}">{word}</a>' for word, at in links)
    return f'<p class="pager">{start + 1 if total else 0} to {last} of {total} {shown}</p>'
