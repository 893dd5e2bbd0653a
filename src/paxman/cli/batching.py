"""`paxman batch`: many documents, and the state of a batch."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from paxman.cli.app import FAILURE, OK, STOPPED, UNRESOLVED
from paxman.cli.options import contracts_option, json_option, load_contracts, name_and_value, settings_options
from paxman.cli.output import echo_json, line, printable
from paxman.config import load_named
from paxman.telemetry import enable_opentelemetry
from paxman.types import LOSSES, count_of_rows, dollars

if TYPE_CHECKING:
    from paxman.batch.runner import BatchResult
    from paxman.config import Settings

FORMS = ("jsonl", "csv", "parquet", "sqlite", "duckdb")


class _RunByDefault(click.Group):
    """`paxman batch SOURCE...` runs; `status` and `report` are the only words that do not name a source."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "-h", "--help"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_RunByDefault, context_settings={"help_option_names": ["-h", "--help"]})
def batch() -> None:
    """Normalize many documents, and go on where a run was stopped.

    `paxman batch SOURCE... --contract C --output DIR` is short for `paxman batch run`.
    """


@batch.command()
@click.argument("sources", nargs=-1, required=True)
@contracts_option
@click.option("-o", "--output", metavar="DIR", help="Folder for journal and results.")
@click.option("--out", hidden=True)
@click.option("--format", "form", help="jsonl (the default), csv, parquet, sqlite, duckdb, or a database URL.")
@click.option("--artifacts", is_flag=True, help="Keep one artifact per document, under its hash.")
@click.option("--sign", metavar="KEY", help="Sign the artifacts with a private key: a PEM file, or env:NAME.")
@click.option("--workers", type=click.IntRange(1), help="Processes; one per core by default.")
@click.option("--at-once", type=click.IntRange(1), help="Documents under way together, such as 20 with a model.")
@click.option("--engine", type=click.Choice(["local", "dask", "ray", "spark"]), default="local", show_default=True)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=300.0,
    show_default=True,
    help="Seconds for one document.",
)
@click.option(
    "--memory", "memory_mb", type=click.IntRange(1), default=4096, show_default=True, help="Megabytes for one worker."
)
@click.option("--rate", "rates", multiple=True, metavar="PROVIDER=N", help="Calls per minute, over all processes.")
@click.option("--setup", multiple=True, metavar="MODULE:NAME", help="Function that each worker calls once.")
@click.option("--resume/--fresh", default=True, help="Go on where an earlier run ended, or do everything anew.")
@click.option("--retry-failed", is_flag=True, help="Try documents again that failed, or lacked money or a service.")
@click.option("--raw-cells", is_flag=True, help="Keep CSV cells that a spreadsheet would run as formulas.")
@click.option("--with-confidence", is_flag=True, help="In CSV, add to each field how sure it is and why not more.")
@click.option("--reviewed", metavar="DIR", help="Write the values of a review (its folder) into the results, marked.")
@click.option("--allow-paths", is_flag=True, help="Let rows name files, contracts and tables anywhere.")
@settings_options
@json_option
def run(
    sources: tuple[str, ...],
    contracts: tuple[str, ...],
    resume: bool,
    settings: Settings,
    as_json: bool,
    **options: Any,
) -> None:
    """Normalize every document of SOURCE...

    A SOURCE is a file, a folder, a pattern, a ZIP archive, a .jsonl or .parquet file, manifest:FILE.csv, a table of a
    database (sqlite:///shop.db#letters.body), or - for one JSON object per line on standard input. --max-cost and
    --max-calls hold for all runs into DIR together.
    """
    from paxman.batch.progress import on_terminal
    from paxman.batch.runner import normalize_many

    _read_places(options)
    if settings["telemetry"] is not None:
        enable_opentelemetry()
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # the workers import from here what contract and setup name
    # Every row of a manifest may name its own contract.
    canonical = load_contracts(contracts, settings) if contracts or settings["contract"] else None
    for name in options["setup"]:
        if not callable(load_named(name)):
            raise click.UsageError(f"--setup takes functions, and {name} is none")
    rates = dict(map(_rate, options.pop("rates")))
    progress, close = on_terminal()
    progress.total = _count(sources, Path(options["out"]))
    try:
        result = normalize_many(
            list(sources),
            canonical,
            settings.budget,
            settings.policy,
            provider=settings.provider,
            rate_limits=rates,
            fresh=not resume,
            progress=progress,
            **options,
        )
    except KeyboardInterrupt:
        click.echo("stopped at once; run the same command again to go on", err=True)
        sys.exit(STOPPED)
    finally:
        close()
    if as_json:
        facts = attrs.asdict(
            result, recurse=False, filter=lambda field, _: field.name not in ("rows_of", "_home", "_review")
        )
        echo_json({**facts, "folder": str(result.folder), "rows": result.rows_of}, None)
    else:
        for text in _told(result):
            line(text)
    sys.exit(STOPPED if result.stopped else _exit_code(result))


def _read_places(options: dict[str, Any]) -> None:
    """Where results go and in which form; `--out DIR --output FORM` is how that was written before."""
    out, output, form = options.pop("out"), options.pop("output"), options.pop("form")
    if out:
        click.echo("note: --out DIR is now --output DIR, and --output FORM is now --format FORM", err=True)
        out, form = out, form or output
    elif output and output.partition(":")[0] in (*FORMS, "sqlite", "postgresql") and not form and "/" not in output:
        raise click.UsageError(f"--output is the folder for the results; for the form: --format {output}")
    else:
        out = output
    if not out:
        raise click.UsageError("say where the results go: --output DIR")
    options |= {"out": out, "output": form or "jsonl"}


def _exit_code(result: BatchResult) -> int:
    """1 for a required value that is missing, a row that was lost or a check that failed; 3 when a document failed."""
    failed = any(result.counts.get(status) for status in ("EXECUTION_FAILED", "INVALID_CONTRACT"))
    if failed or result.without_artifact:
        return FAILURE
    if set(result.counts) <= {"SUCCESS"}:
        return OK
    notes = (note for row in result.field_rows() for note in row["diagnostics"])
    lost = any(note["code"] in LOSSES and note["severity"] != "INFO" for note in notes)
    return UNRESOLVED if "UNRESOLVED" in result.counts or lost else OK


def _rate(text: str) -> tuple[str, float]:
    name, value = name_and_value(text, "--rate")
    try:
        rate = float(value)
    except ValueError:
        rate = 0
    if not rate > 0:
        raise click.UsageError(f"--rate takes a number of calls per minute, above zero, got {text!r}")
    return name, rate


def _count(sources: Iterable[str], out: Path) -> int | None:
    """How many documents there are, where looking is cheap; what is left out of folders is said."""
    from paxman.batch.sources import files_in, say_written

    written: list[Path] = []
    files: list[Path] = []
    for source in sources:
        files += files_in(Path(source), out, None, written) if os.path.isdir(source) else [Path(source)]
    if written:
        click.echo(f"note: {say_written(written)}", err=True)
    others = (".zip", ".jsonl", ".ndjson", ".parquet")
    return len(files) if all(path.suffix.lower() not in others and path.is_file() for path in files) else None


def _told(result: BatchResult) -> list[str]:
    counts = ", ".join(f"{count} {status.lower()}" for status, count in result.counts.items())
    cost = dollars(result.cost_usd)
    if result.reported_usd is not None:
        cost = f"{dollars(result.reported_usd)} as reported, {cost} counts against the caps"
    lines = [f"{result.documents} documents: {counts}; cost {cost}"]
    if not result.documents:
        lines = ["no documents were found there; hidden files and links to other folders are left out"]
    lines += [f"{path}: {count_of_rows(*counts)}" for path, counts in result.rows_of.items()]
    if result.lost:
        lines.append(f"{result.lost} rows or cells were left out; the reasons stand with their documents")
    lines += [f"{count} documents: {trouble}" for trouble, count in result.model_troubles.items()]
    if result.reviewed:
        lines.append(f"{result.reviewed} have values that a person reviewed")
    if result.reviewed_elsewhere:
        lines.append(
            f"{result.reviewed_elsewhere} reviewed documents are not among these, or their contract has been edited "
            "since: run the review once more"
        )
    if result.finished_before:
        lines.append(f"{result.finished_before} were finished by an earlier run")
    if result.fields_reused:
        every = result.fields_reused + result.fields_redone
        lines.append(f"{result.fields_reused} of {every} fields were reused, {result.fields_redone} were worked on")
    if result.without_artifact:
        lines.append(f"{result.without_artifact} failed to give their artifact; what was found before is kept")
    if result.stopped:
        lines.append("stopped; run the same command again to go on")
    lines += [f"written: {place}" for place in result.written]
    if not result.stopped:
        lines.append(f"next: paxman batch report {shlex.quote(str(result.folder))}")
    return lines


@batch.command()
@click.argument("folder", metavar="DIR")
@json_option
def status(folder: str, as_json: bool) -> None:
    """Show how far the batch in DIR is, also while it runs."""
    from paxman.batch.summary import status_of

    found = status_of(Path(folder))
    if as_json:
        echo_json(found, None)
        return
    for name, value in found.items():
        if name == "rows":
            value = {path: count_of_rows(*counts) for path, counts in value.items()}
        shown = ", ".join(f"{key} {count}" for key, count in value.items()) if isinstance(value, dict) else value
        click.echo(f"{name}\t{'' if shown is None else printable(str(shown))}")


@batch.command()
@click.argument("folder", metavar="DIR")
@click.option("-o", "--output", metavar="PATH", help="The page to write; DIR/report.html by default.")
@json_option
def report(folder: str, output: str | None, as_json: bool) -> None:
    """Write one page: counts, how each field fared, and the documents to look at."""
    from paxman.batch.summary import write_report

    target = write_report(Path(folder), Path(output) if output else Path(folder) / "report.html")
    if as_json:
        echo_json({"report": str(target)}, None)
    else:
        line(f"written: {target}")
