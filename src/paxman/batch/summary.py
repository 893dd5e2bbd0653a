"""What a batch came to, or has come to so far: for another terminal, and as a page."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import attrs

from paxman.api.inputs import load_input
from paxman.artifact.replay import load_unchanged
from paxman.batch.disk import intact
from paxman.batch.journal import JournalLine, JournalReader, now
from paxman.batch.outputs import document_line, field_lines
from paxman.batch.work import NOT_LOOKED_AT
from paxman.report.page import report_page
from paxman.report.plots import bands_table, small_multiples
from paxman.report.shell import cards, page, safe, table
from paxman.types import LOSSES, Severity, Status, count_of_rows, dollars

_MOST_ROWS = 200
_MOST_GROUPS, _TENTHS = 24, 10


def status_of(folder: Path) -> dict[str, Any]:
    """Counts, rate and cost, also while the batch runs."""
    with intact(folder), closing(JournalReader(folder)) as reader:
        facts, counts = reader.facts(), reader.counts()
        reused, redone = reader.fields_reused()
        running = reader.is_running()
        ended = facts.get("finished") or now()
        return {
            "state": "running" if running else "finished" if facts.get("finished") else "stopped",
            "contract": facts.get("contract"),
            "documents": sum(counts.values()),
            "total": facts.get("total"),
            "counts": counts,
            "lost": reader.lost(),
            "rows": reader.rows(),
            "cost_usd": str(reader.cost(running)),
            "seconds": round(ended - facts.get("started", ended), 1) if running or facts.get("finished") else None,
            "fields_reused": reused,
            "fields_redone": redone,
        }


@attrs.define
class _Tally:
    """How the fields fared, overall and by group of documents, and which documents need a look."""

    groups: dict[str, None] = attrs.field(factory=dict)
    fields: dict[str, dict[str, Counter[str]]] = attrs.field(factory=dict)
    troubled: list[dict[str, Any]] = attrs.field(factory=list)
    more: int = 0

    def add(self, row: dict[str, Any], fields: list[dict[str, Any]], group: str) -> None:
        self.groups.setdefault(group)
        for field in fields:
            band = field["confidence_band"] if field["status"] == "RESOLVED" else "UNRESOLVED"
            found = self.fields.setdefault(field["field_path"], {})
            found.setdefault(group, Counter())[band] += 1
        if row["status"] != "SUCCESS" and len(self.troubled) < _MOST_ROWS:
            self.troubled.append({**row, "why": "; ".join(_reasons(row, fields))})
        else:
            self.more += row["status"] != "SUCCESS"

    @property
    def overall(self) -> dict[str, Counter[str]]:
        return {path: sum(found.values(), Counter[str]()) for path, found in self.fields.items()}


def _reasons(row: dict[str, Any], fields: list[dict[str, Any]]) -> Iterator[str]:
    """Why a document needs a look: what the run says, or else what is missing or lost."""
    if row["reason"]:
        yield row["reason"]
        return
    missing = [field["field_path"] for field in fields if field["status"] != "RESOLVED" and field["required"]]
    if missing:
        yield f"missing: {', '.join(missing)}"
    notes = (note for field in fields for note in field["diagnostics"])
    yield from dict.fromkeys(note["message"] for note in notes if note["code"] in LOSSES and note["severity"] != "INFO")


def write_report(folder: Path, target: Path) -> Path:
    """One self-contained page: counts, how each field fared, and the documents that need a look.

    Documents whose artifact was kept have a page of their own beside it.
    """
    status, tally = status_of(folder), _Tally()
    with intact(folder), closing(JournalReader(folder)) as reader:
        group_of = _grouping([line.source for line in reader.lines()])
        for line in reader.lines():
            fields = list(map(json.loads, field_lines(line)))
            tally.add(json.loads(document_line(line)), fields, group_of(line))
    target.parent.mkdir(parents=True, exist_ok=True)
    links = {row["position"]: link for row in tally.troubled if (link := _document_page(folder, target, row))}
    target.write_text(_page(status, tally, links), "utf-8")
    return target


def _grouping(sources: Sequence[str]) -> Callable[[JournalLine], str]:
    """By folder or archive where there are several; else by tenths of the run, in the order of the documents."""
    folders = dict.fromkeys(source.rpartition("/")[0] for source in sources)
    if 1 < len(folders) <= _MOST_GROUPS:
        return lambda line: line.source.rpartition("/")[0] or "."
    size = max(1, -(-len(sources) // _TENTHS))
    return lambda line: f"{line.position // size * size + 1} to {line.position // size * size + size}"


def _document_page(folder: Path, target: Path, row: dict[str, Any]) -> str | None:
    """Write the page of one document and give its address; None if its artifact was not kept."""
    name = row["replay_hash"] or ""
    stored = folder / "artifacts" / name[:2] / f"{name}.json"
    if not name or not stored.is_file():
        return None
    artifact, source = load_unchanged(stored), Path(row["source"])
    raw = load_input(source) if source.is_file() else None
    raw = raw if raw and sha256(raw.data).hexdigest() == artifact.input_content_hash else None
    written = target.parent / f"{target.stem}-documents" / f"{name[:16]}.html"
    written.parent.mkdir(exist_ok=True)
    written.write_text(report_page(artifact, raw, f"../{target.name}"), "utf-8")
    return f"{written.parent.name}/{written.name}"


def _is_unread(row: dict[str, Any]) -> bool:
    """Whether nothing could be looked for: the document is broken, locked or empty, or its run broke off."""
    broken = (note["severity"] == Severity.ERROR.value or note["code"] in NOT_LOOKED_AT for note in row["notes"])
    return row["status"] == Status.EXECUTION_FAILED.value or any(broken)


def _page(status: dict[str, Any], tally: _Tally, links: dict[int, str]) -> str:
    left_out = f"<p>and {tally.more} more, in the results</p>" if tally.more else ""
    plots = small_multiples(tally.groups, tally.fields) if len(tally.groups) > 1 else ""
    ordered = sorted(tally.troubled, key=lambda row: (row["why"], row["source"]))
    unread = list(filter(_is_unread, ordered))
    looked = [row for row in ordered if row not in unread]
    body = (
        f'<header><div class="title"><h1>Batch {safe(status["contract"] or "")}</h1></div></header>'
        f'<main class="summary">{_cards(status)}'
        f'<section class="panel"><h2>Documents to look at</h2>{_documents(looked, links)}{left_out}</section>'
        + (f'<section class="panel"><h2>Not read</h2>{_documents(unread, links)}</section>' if unread else "")
        + f'<section class="panel"><h2>Fields</h2>{bands_table(tally.overall)}</section>'
        + (f'<section class="panel"><h2>Fields, by documents</h2>{plots}</section>' if plots else "")
        + "</main>"
    )
    return page(f"Batch of {status['documents']} documents", body)


def _cards(status: dict[str, Any]) -> str:
    facts = [("state", status["state"]), ("documents", status["documents"]), *sorted(status["counts"].items())]
    facts += [(path, count_of_rows(*counts)) for path, counts in status["rows"].items()]
    facts += [("rows lost", status["lost"]), ("cost", dollars(status["cost_usd"]))]
    return cards((name, fact, "") for name, fact in (*facts, ("fields reused", status["fields_reused"])))


def _documents(troubled: Sequence[dict[str, Any]], links: dict[int, str]) -> str:
    if not troubled:
        return "<p>none</p>"
    rows = (
        f"<tr><td>{_linked(row, links)}</td><td>{safe(row['status'])}</td><td>{safe(row['why'])}</td></tr>"
        for row in troubled
    )
    return table("".join(f'<th scope="col">{name}</th>' for name in ("document", "status", "why")), rows)


def _linked(row: dict[str, Any], links: dict[int, str]) -> str:
    link = links.get(row["position"])
    return f'<a href="{safe(link)}">{safe(row["source"])}</a>' if link else safe(row["source"])
