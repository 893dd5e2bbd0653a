"""`paxman profile`, `read`, `plugins`, `config` and `completion`: what there is."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Any

import attrs
import click

from paxman.api.inputs import load_input
from paxman.cli.app import FAILURE, app
from paxman.cli.options import json_option, one_input, settings_options
from paxman.cli.output import echo_json, heading, line, printable, shorten, table
from paxman.config import Settings, load_settings, masked, model_settings, variable
from paxman.contract.adapters import ADAPTERS
from paxman.documents.document import name_place
from paxman.documents.reading import BUILT_IN, built_in, read_document, readers
from paxman.page.names import page_of

_MOST_ADDRESSES = 200


@click.command()
@click.argument("file", type=click.Path())
@json_option
def profile(file: str, as_json: bool) -> None:
    """Show type, size, hash and density of a document: what the planner knows before anything is read."""
    from paxman.api.normalize import profile as run

    found = attrs.asdict(run(one_input(file)))
    if as_json:
        echo_json(found)
    else:
        table(("fact", "value"), [(name, str(value)) for name, value in found.items()])


@click.command()
@click.argument("file", type=click.Path())
@click.option("--show", type=click.Choice(["all", "text", "tables", "pairs", "marks", "addresses"]), default="all")
@json_option
def read(file: str, show: str, as_json: bool) -> None:
    """Show what the reader sees in a document: its text, tables, pairs of label and value, marks and addresses."""
    from paxman.api.drafting import say_unreadable

    raw = load_input(one_input(file))
    document = read_document(raw.data, raw.name)
    parts = _parts(document, show)
    if as_json:
        echo_json(parts)
    else:
        _show_parts(parts)
    if say_unreadable(document):
        sys.exit(FAILURE)


def _parts(document: Any, show: str) -> dict[str, Any]:
    """What was asked for, as plain data."""
    parts: dict[str, Any] = {"kind": document.kind, "pages": len(document.pages)}
    parts["notes"] = [{"code": note.code, "message": note.message} for note in document.diagnostics]
    if show in ("all", "text"):
        parts["text"] = document.text
    if show in ("all", "tables"):
        parts["tables"] = [_table(found) for found in document.tables]
    if show in ("all", "pairs"):
        cut = document.text
        pairs = page_of(document).pairs
        parts["pairs"] = [{"label": pair.label, "value": cut[slice(*pair.value_span)]} for pair in pairs]
    if show in ("all", "marks"):
        parts["marks"] = [
            {"kind": mark.kind, "level": mark.level, "text": shorten(document.text[slice(*mark.span)])}
            | ({"name": mark.name} if mark.name else {})
            for mark in document.marks
        ]
    if show in ("all", "addresses"):
        spans = list(_spans(document))
        parts["addresses"] = list(_addresses(document, spans[:_MOST_ADDRESSES]))
        parts["addresses_left_out"] = len(spans[_MOST_ADDRESSES:])
    return parts


def _table(found: Any) -> dict[str, Any]:
    rows = [[cell.text for cell in row] for row in found.rows]
    return {"name": found.name, "header": [cell.text for cell in found.header], "rows": rows}


def _addresses(document: Any, spans: Iterable[tuple[tuple[int, int], Any]]) -> Iterator[dict[str, Any]]:
    """Where each line of text, cell of a sheet or scalar of a tree stands in the source."""
    for (start, end), source in spans:
        yield {"span": [start, end], "text": shorten(document.text[start:end]), "place": name_place(source)}


def _spans(document: Any) -> Iterator[tuple[tuple[int, int], Any]]:
    if document.tree is not None and document.kind != "markdown":
        yield from ((node.span, node.source) for node in document.tree.walk() if node.kind == "scalar")
        return
    # The cells of sheets that hold something; other tables have no addresses for theirs.
    rows = [row for table in document.tables for row in (table.header, *table.rows)]
    spans = [cell.span for row in rows for cell in row if cell.text.strip()]
    spans += [span for pair in document.pairs for span in (pair.label_span, pair.value_span)]
    cells = sorted({span for span in spans if _is_sheet_cell(document.locate(span))})
    lines = (span for span in _pieces(document.text, (0, len(document.text)), "\n") if not _overlaps(span, cells))
    loose = [piece for span in lines for piece in _loose_cells(document, span)]
    yield from ((span, document.locate(span)) for span in sorted((*cells, *loose)))


def _pieces(text: str, span: tuple[int, int], between: str) -> Iterator[tuple[int, int]]:
    start, end = span
    for piece in text[start:end].split(between):
        if piece.strip():
            yield start, start + len(piece)
        start += len(piece) + 1


def _loose_cells(document: Any, line_span: tuple[int, int]) -> list[tuple[int, int]]:
    """A line of a sheet that is in no table has tabs between its cells; any other line is one piece."""
    is_row = _is_sheet_cell(document.locate(line_span))
    return list(_pieces(document.text, line_span, "\t")) if is_row else [line_span]


def _overlaps(span: tuple[int, int], cells: list[tuple[int, int]]) -> bool:
    before = bisect_left(cells, (span[1], 0))
    return before > 0 and cells[before - 1][1] > span[0]


def _is_sheet_cell(source: Any) -> bool:
    while source.kind == "mail" and source.inner:
        source = source.inner
    return bool(source.kind == "cell")


def _show_parts(parts: dict[str, Any]) -> None:
    pages = parts["pages"]
    line(f"kind: {parts['kind']}" + (f", {pages} page{'' if pages == 1 else 's'}" if pages else ""))
    for note in parts["notes"]:
        line(f"note: {note['code']}: {note['message']}")
    if "text" in parts:
        heading("text")
        click.echo(printable(parts["text"], lines=True))
    for found in parts.get("tables", []):
        heading(f"table {found['name']}".strip())
        width = max((len(row) for row in found["rows"]), default=0)
        table(found["header"] or [str(number + 1) for number in range(width)], found["rows"])
    if parts.get("pairs"):
        heading("pairs")
        table(("label", "value"), [(pair["label"], pair["value"]) for pair in parts["pairs"]])
    if parts.get("marks"):
        heading("marks")
        table(("kind", "level", "text"), [(m["kind"], str(m["level"] or ""), m["text"]) for m in parts["marks"]])
    if parts.get("addresses"):
        heading("addresses")
        rows = [(item["place"], "-".join(map(str, item["span"])), item["text"]) for item in parts["addresses"]]
        table(("place", "span", "text"), rows)
    if parts.get("addresses_left_out"):
        more = parts["addresses_left_out"]
        line(f"and {more} more address{'' if more == 1 else 'es'}")


@click.command()
@json_option
def plugins(as_json: bool) -> None:
    """List what is registered: capabilities, readers, contract formats and providers, those of the settings too."""
    load_settings().register_provider()
    found = list(_plugins())
    if as_json:
        echo_json([dict(zip(("kind", "name", "version", "from"), row, strict=True)) for row in found])
    else:
        table(("kind", "name", "version", "from"), found)


def _plugins() -> Iterator[tuple[str, str, str, str]]:
    from paxman.planner.registry import CAPABILITIES

    for capability in CAPABILITIES:
        yield "capability", capability.spec.id, capability.spec.version, _home(capability)
    for reader in (*map(built_in, BUILT_IN), *readers):
        yield "reader", reader.name, reader.version, _home(reader)
    for adapter in ADAPTERS:
        yield "adapter", adapter.name, adapter.version, _home(adapter)
    for provider in CAPABILITIES.providers:
        yield "provider", provider.name, "1", _home(provider)


def _home(item: object) -> str:
    package = type(item).__module__.partition(".")[0]
    return "built in" if package == "paxman" else package


@click.command()
@settings_options
@json_option
def config(settings: Settings, as_json: bool) -> None:
    """Show the settings that hold here, and where each came from: flag, environment, file or default."""
    named = settings.models
    beside = model_settings("openai" if named else settings.values["provider"].value)
    found = [*settings.values.values(), *(each for each in beside if not named or each.name != "model")]
    if as_json:
        echo_json({item.name: {"value": masked(item.value), "origin": item.origin} for item in found})
        return
    rows = [(item.name, str(masked(item.value)), item.origin, variable(item.name)) for item in found]
    if not sys.stdout.isatty():
        table(("setting", "value", "from", "variable"), rows)
        return
    table(("setting", "value", "from"), [row[:3] for row in rows])
    line("In the environment they are PAXMAN_ and the last part in capitals, such as PAXMAN_CONFIDENCE_FLOOR.")


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@json_option
def completion(shell: str, as_json: bool) -> None:
    """Print the completion script for a shell: eval "$(paxman completion bash)"."""
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    script = found(app, {}, "paxman", "_PAXMAN_COMPLETE").source() if found else ""
    if as_json:
        echo_json({"shell": shell, "script": script})
    else:
        click.echo(script)
