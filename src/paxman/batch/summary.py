"""What a batch came to, or has come to so far: for another terminal, and as a page."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs

from paxman.batch.disk import intact
from paxman.batch.journal import Reader, now
from paxman.batch.outputs import document_line, field_lines
from paxman.report.shell import page, safe

_MOST_ROWS = 200


def status_of(folder: Path) -> dict[str, Any]:
    """Counts, rate and cost, also while the batch runs."""
    with intact(folder), closing(Reader(folder)) as reader:
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
            "cost_usd": str(reader.cost(running)),
            "seconds": round(ended - facts.get("started", ended), 1) if running or facts.get("finished") else None,
            "fields_reused": reused,
            "fields_redone": redone,
        }


@attrs.define
class _Tally:
    """How one field fared over all documents."""

    resolved: int = 0
    unresolved: int = 0
    bands: Counter[str] = attrs.field(factory=Counter)
    codes: Counter[str] = attrs.field(factory=Counter)

    def add(self, row: dict[str, Any]) -> None:
        self.resolved += row["status"] == "RESOLVED"
        self.unresolved += row["status"] != "RESOLVED"
        if row["status"] == "RESOLVED":
            self.bands[row["confidence_band"]] += 1
        self.codes.update({note["code"] for note in row["diagnostics"]})


def write_report(folder: Path, target: Path) -> Path:
    """One self-contained page: counts, how each field fared, and the documents that need a look."""
    fields: dict[str, _Tally] = {}
    troubled: list[dict[str, Any]] = []
    more = 0
    with intact(folder), closing(Reader(folder)) as reader:
        for line in reader.lines():
            row = json.loads(document_line(line))
            if row["status"] != "SUCCESS":
                more += len(troubled) >= _MOST_ROWS
                troubled += [row] if len(troubled) < _MOST_ROWS else []
            for text in field_lines(line):
                data = json.loads(text)
                fields.setdefault(data["field_path"], _Tally()).add(data)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(_page(status_of(folder), fields, troubled, more), "utf-8")
    return target


def _page(status: dict[str, Any], fields: dict[str, _Tally], troubled: list[dict[str, Any]], more: int) -> str:
    left_out = f"<p>and {more} more, in the results</p>" if more else ""
    body = (
        f'<header><div class="title"><h1>Batch {safe(status["contract"] or "")}</h1></div></header>'
        f'<main class="summary">{_cards(status)}<section class="panel"><h2>Fields</h2>{_fields(fields)}</section>'
        f'<section class="panel"><h2>Documents to look at</h2>{_documents(troubled)}{left_out}</section></main>'
    )
    return page(f"Batch of {status['documents']} documents", body)


def _cards(status: dict[str, Any]) -> str:
    facts = [("state", status["state"]), ("documents", status["documents"]), *sorted(status["counts"].items())]
    facts += [("cost", f"${status['cost_usd']}"), ("fields reused", status["fields_reused"])]
    cells = "".join(f"<div><dt>{safe(name)}</dt><dd>{safe(value)}</dd></div>" for name, value in facts)
    return f'<dl class="cards">{cells}</dl>'


def _fields(fields: dict[str, _Tally]) -> str:
    rows = [
        (path, tally.resolved, tally.unresolved, _listed(tally.bands), _listed(tally.codes))
        for path, tally in fields.items()
    ]
    return _table(("field", "resolved", "unresolved", "confidence", "notes"), rows)


def _listed(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counter.items()))


def _documents(troubled: list[dict[str, Any]]) -> str:
    rows = [(row["source"], row["status"], row["reason"] or ", ".join(row["unresolved"])) for row in troubled]
    return _table(("document", "status", "why"), rows) if rows else "<p>none</p>"


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    head = "".join(f'<th scope="col">{name}</th>' for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{safe(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
