"""`paxman normalize`: documents in, data or artifacts out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import count
from pathlib import Path
from typing import Any

import attrs
import click

from paxman.api.inputs import name_source
from paxman.api.normalize import normalize as run
from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.results import FieldResult, say_missing
from paxman.artifact.signing import private_key, sign
from paxman.cli.app import FAILURE, OK, UNRESOLVED, report_error
from paxman.cli.options import (
    contracts_option,
    expand,
    json_option,
    load_contracts,
    read_input,
    refuse_overwriting,
    settings_options,
)
from paxman.cli.output import echo_json, heading, line, printable, shorten, table, waiting, writing
from paxman.config import Settings
from paxman.documents.document import name_place
from paxman.report.views import head_of, show_value
from paxman.serialization import to_plain
from paxman.types import LOSSES, Diagnostic, Severity, Status, dollars

_FEW = 3
_TABLES = frozenset({".csv", ".tsv", ".xlsx", ".parquet", ".sqlite", ".duckdb"})


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path())
@contracts_option
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    metavar="PATH",
    help="Write the artifact here; a folder when there are several files.",
)
@click.option("--data", "only_data", is_flag=True, help="Print only the data, as JSON.")
@click.option("--partial-ok", is_flag=True, help="Exit with 0 also when rows were lost or checks failed.")
@click.option("--sign", "key", metavar="KEY", help="Sign the artifacts with a private key: a PEM file, or env:NAME.")
@settings_options
@json_option
def normalize(
    files: tuple[str, ...],
    contracts: tuple[str, ...],
    output: str | None,
    only_data: bool,
    partial_ok: bool,
    key: str | None,
    settings: Settings,
    as_json: bool,
) -> None:
    """Turn documents into the contract's data, with evidence, confidence and cost.

    With several contracts each document gets the one that it fits. FILES are files, folders, patterns, or - for
    standard input. With --json the artifacts are printed, one per line when there are several.
    """
    canonical = load_contracts(contracts, settings)
    settings.activate()
    vouch = _signer(key)
    paths = expand(files)
    if not paths:
        raise click.UsageError("there are no documents there: name a file, or a folder with files in it")
    refuse_overwriting(output, *(contracts or (settings["contract"],)), *paths)
    into_folder = _needs_folder(output, files, len(paths))
    worst, written = OK, set[Path]()
    with _progress(len(paths)) as aside:
        for path in paths:
            try:
                with waiting(f"reading {path or 'standard input'}") if len(paths) <= _FEW else nullcontext():
                    artifact = vouch(_normalize_one(path, canonical, settings))
            except OSError as error:
                reason = error.strerror or str(error)
                if path and path.is_symlink() and not path.exists():
                    reason = "a link to a file that does not exist"
                with aside():
                    worst = max(worst, report_error(OSError(f"{path or '-'}: {reason}"), as_json))
                continue
            target = _write(artifact, Path(output), path, into_folder, written) if output else None
            with aside():
                _print(artifact, len(paths) > 1, only_data, as_json, target)
                code = exit_code(artifact, partial_ok)
                if only_data or as_json or (target and not sys.stdout.isatty()):
                    for trouble in artifact.model_troubles:
                        click.echo(printable(trouble), err=True)
                if code != OK and not as_json and (only_data or (target and not sys.stdout.isatty())):
                    click.echo(printable(_say_short(artifact)), err=True)
            worst = max(worst, code)
    sys.exit(worst)


def _signer(key: str | None) -> Callable[[ExecutionArtifact], ExecutionArtifact]:
    """What signs an artifact, if a key is given; a bad key is an error before any work is done."""
    if key is None:
        return lambda artifact: artifact
    private_key(key)
    return lambda artifact: sign(artifact, key)


def _needs_folder(output: str | None, files: tuple[str, ...], count: int) -> bool:
    """Whether the artifacts of so many documents go into a folder; raises UsageError if that is a file."""
    into_folder = count > 1 or (output or "").endswith(("/", os.sep)) or any(map(os.path.isdir, files))
    if output and into_folder and Path(output).is_file():
        raise click.UsageError(f"{output} is a file; several artifacts need a folder")
    if output and not into_folder and Path(output).suffix.lower() in _TABLES:
        instead = "for a table: paxman batch FILES --contract CONTRACT --output FOLDER --format csv"
        raise click.UsageError(f"{output}: an artifact is JSON, so let the name end in .json; {instead}")
    return into_folder


def exit_code(artifact: ExecutionArtifact, partial_ok: bool = False) -> int:
    """1 for a required value that is missing, a row that was lost or a check that failed; 3 when the run failed."""
    if artifact.status is Status.EXECUTION_FAILED:
        return FAILURE
    if artifact.status is not Status.PARTIAL_SUCCESS:
        return OK if artifact.status is Status.SUCCESS else UNRESOLVED
    lost = any(note.code in LOSSES and note.severity is not Severity.INFO for note in artifact.diagnostics)
    return UNRESOLVED if lost and not partial_ok else OK


def _normalize_one(path: Path | None, contract: Any, settings: Settings) -> ExecutionArtifact:
    artifact = run(read_input(path), contract, settings.budget, settings.policy)
    source = "-" if path is None else name_source(path)
    return attrs.evolve(artifact, metadata={"source": source, "settings": to_plain(settings.chosen)})


def _write(artifact: ExecutionArtifact, output: Path, path: Path | None, into_folder: bool, written: set[Path]) -> Path:
    with writing(output):
        target = _target(artifact, output, path, into_folder, written)
        target.write_text(artifact.to_json() + "\n", "utf-8")
    written.add(target)
    return target


def _target(
    artifact: ExecutionArtifact, output: Path, path: Path | None, into_folder: bool, written: Collection[Path]
) -> Path:
    """The file of an artifact: the output itself, or one in it that no other document of this run has."""
    if not into_folder and not output.is_dir():
        output.parent.mkdir(parents=True, exist_ok=True)
        return output
    output.mkdir(parents=True, exist_ok=True)
    stem = f"{path.name if path else 'input'}.{artifact.input_content_hash[:8]}"
    names = (output / f"{stem}{f'-{number}' if number > 1 else ''}.json" for number in count(1))
    return next(name for name in names if name not in written)


def _print(artifact: ExecutionArtifact, several: bool, only_data: bool, as_json: bool, target: Path | None) -> None:
    if only_data or as_json:
        content = artifact.normalized_data if only_data else artifact.to_dict()
        echo_json(content, None if several else 2)
    elif target is None:
        show_artifact(artifact)
    else:
        if sys.stdout.isatty():
            show_artifact(artifact)
        line(f"written: {target}")


def _say_short(artifact: ExecutionArtifact) -> str:
    """One line for a document that is not complete: what is missing, or else what went wrong."""
    notes = [note for note in artifact.diagnostics if note.severity is not Severity.INFO]
    unread = [note.message for note in notes if note.code == "UNREADABLE_INPUT"]
    wrong = [f"{note.field_path or 'document'}: {note.message}" for note in notes if note.code in LOSSES]
    reasons = [*unread[:1], say_missing(artifact.field_results), *wrong[:1]]
    return ", ".join(filter(None, (f"{artifact.metadata['source']}: {artifact.status.value}", *reasons)))


def show_artifact(artifact: ExecutionArtifact) -> None:
    """The fields of an artifact as a table, and its notes."""
    source = artifact.metadata.get("source", "")
    cost = dollars(artifact.statistics.cost_usd)
    heading(f"{source}: {artifact.status.value}, cost {cost}, hash {artifact.replay_hash[:12]}")
    if not sys.stdout.isatty():
        line(f"# {source} {artifact.status.value} {artifact.replay_hash}")
    table(
        ("field", "value", "confidence", "band", "origin", "place"), [_row(result) for result in artifact.field_results]
    )
    troubles = artifact.model_troubles
    for trouble in troubles:
        line(f"error: {trouble}")
    for note in _worth_telling([note for note in artifact.diagnostics if note.message not in troubles]):
        line(f"{note.severity.value.lower()}: {note.field_path or 'document'}: {note.message} ({note.code})")


def _worth_telling(notes: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """The notes, without what was looked for in a document that could not be read or is empty."""
    unread = any(
        note.code == "EMPTY_INPUT" or (note.code == "UNREADABLE_INPUT" and note.severity is Severity.ERROR)
        for note in notes
    )
    return (note for note in notes if not (unread and note.code == "CHAIN_EXHAUSTED"))


def _row(result: FieldResult) -> tuple[str, ...]:
    if result.status == "UNRESOLVED":
        return result.field_path, "", "", "UNRESOLVED" if result.required else "not stated", "", ""
    value = head_of(result) if isinstance(result.value, tuple) else shorten(show_value(result.value))
    value = "null" if result.value is None else value
    origin = result.origin.value.lower().replace("_", " ") if result.origin else ""
    sure = f"{result.confidence:.2f}"
    return result.field_path, value, sure, result.confidence_band.value, origin, _place(result)


def _place(result: FieldResult) -> str:
    """Where the first piece of evidence stands, and how many more there are."""
    supporting = [ref for ref in result.evidence_refs if ref.is_of_value]
    if not supporting:
        return ""
    place = name_place(supporting[0].source) or shorten(supporting[0].detail or "")
    return place + (f" and {len(supporting) - 1} more" if len(supporting) > 1 else "")


@contextmanager
def _progress(count: int) -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """A bar on the terminal when there is more than a little to wait for; what is printed aside is one step."""
    if count <= _FEW or not sys.stderr.isatty():
        yield nullcontext
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False)
    task = bar.add_task("normalizing", total=count)

    @contextmanager
    def aside() -> Iterator[None]:
        bar.stop()
        yield
        bar.advance(task)
        bar.start()

    with bar:
        yield aside
