"""The report on one artifact: the document on the left, its fields on the right."""

from __future__ import annotations

import hashlib

from paxman.api.inputs import RawInput
from paxman.artifact.artifact import ExecutionArtifact
from paxman.documents.document import Document
from paxman.documents.records import read_source
from paxman.report.document_pane import document_pane, page_pictures
from paxman.report.explanation import veil
from paxman.report.field_pane import field_pane
from paxman.report.marks import Marks
from paxman.report.shell import page, safe
from paxman.report.views import CONCERNING, FieldView, view_fields
from paxman.types import dollars


def report_page(artifact: ExecutionArtifact, source: RawInput | None = None, home: str | None = None) -> str:
    """One self-contained HTML file; `home` is the address of the summary that it belongs to."""
    document, is_same = None, True
    if source:
        document = veil(read_source(source.data, source.name, records=bool(artifact.root)), artifact)
        is_same = hashlib.sha256(source.data).hexdigest() == artifact.input_content_hash
    marks, views = Marks(artifact), view_fields(artifact, document)
    pictures = page_pictures(source.data, document, marks.pages) if source and document else {}
    name = str(artifact.metadata.get("source") or (source.name if source else None) or artifact.contract_id)
    title = name.rpartition("/")[2]
    body = (
        f"{_header(artifact, views, title, home, is_same)}"
        f'<main class="split"><section class="document" tabindex="0" aria-label="Document">'
        f'{document_pane(document, marks, pictures)}</section><section class="result" aria-label="Result">'
        f"{_notes(artifact, document)}{field_pane(artifact, views, marks)}</section></main>"
    )
    return page(f"{title}: {artifact.status.value}", body)


def _header(artifact: ExecutionArtifact, views: tuple[FieldView, ...], title: str, home: str | None, same: bool) -> str:
    numbers = artifact.statistics
    link = f'<a href="{safe(home)}">All documents</a>' if home else ""
    facts = (
        ("resolved", f"{numbers.resolved} of {numbers.fields}"),
        ("to look at", str(sum(view.concern in CONCERNING for view in views))),
        ("cost", dollars(numbers.cost_usd)),
        ("contract", artifact.contract_id),
        ("hash", artifact.replay_hash[:12]),
    )
    listed = "".join(
        f'<div><dt>{safe(name)}</dt><dd title="{safe(value)}">{safe(value)}</dd></div>' for name, value in facts
    )
    warning = "" if same else '<p class="warning" role="alert">This is not the document that the artifact names.</p>'
    return (
        f'<header><div class="title">{link}<h1 title="{safe(title)}">{safe(title)}</h1>'
        f'<span class="status status-{artifact.status.value.lower()}">{safe(artifact.status.value)}</span></div>'
        f'<dl>{listed}</dl><div class="tools"><span class="keys"><kbd>↑</kbd> <kbd>↓</kbd> fields '
        "<kbd>Enter</kbd> story <kbd>n</kbd> place</span>"
        f'<button type="button" id="theme" aria-pressed="false">Dark</button></div></header>{warning}'
    )


def _notes(artifact: ExecutionArtifact, document: Document | None) -> str:
    """Notes on the run as a whole; those of the reader stand with the document."""
    shown = {note.message for note in document.diagnostics} if document else set()
    notes = [note for note in artifact.diagnostics if note.field_path is None and note.message not in shown]
    return "".join(
        f'<p class="note">{safe(note.message)} <span class="code">{safe(note.code)}</span></p>' for note in notes
    )
