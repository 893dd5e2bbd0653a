"""`paxman batch`: many documents, and the state of a batch."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from paxman.types import LOSSES, count_of_rows, dollars

if TYPE_CHECKING:
    from paxman.batch.runner import BatchResult
    from paxman.config import Settings

FORMS = ("jsonl", "csv", "parquet", "sqlite", "duckdb")
_OK, _UNRESOLVED, _FAILURE, _STOPPED = 0, 1, 3, 130


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
@click.option(
    "-c",
    "--contract",
    "contracts",
    multiple=True,
    metavar="CONTRACT",
    help="A contract file, or module:Model; of several, each document gets the one that it fits.",
)
@click.option("--lessons", metavar="FILE", help="What `paxman learn` made of corrected examples.")
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
@click.option("--max-cost", help="The most that all runs into DIR may cost, in US dollars.")
@click.option("--max-calls", help="The most calls to remote models, of all runs into DIR.")
@click.option("--model", "models", multiple=True, metavar="MODEL", help="A model as vendor:NAME; see `normalize`.")
@click.option("--rate", "rates", multiple=True, metavar="PROVIDER=N", help="Calls per minute, over all processes.")
@click.option("--setup", multiple=True, metavar="MODULE:NAME", help="Function that each worker calls once.")
@click.option("--label", "labels", multiple=True, metavar="FIELD=LABEL", help="Another label of a field.")
@click.option("--set", "overrides", multiple=True, metavar="NAME=VALUE", help="A setting; see `paxman config`.")
@click.option("--config", metavar="FILE", help="Settings file instead of the nearest paxman.toml.")
@click.option("--resume/--fresh", default=True, help="Go on where an earlier run ended, or do everything anew.")
@click.option("--retry-failed", is_flag=True, help="Try documents again that failed, or lacked money or a service.")
@click.option("--raw-cells", is_flag=True, help="Keep CSV cells that a spreadsheet would run as formulas.")
@click.option("--with-confidence", is_flag=True, help="In CSV, add to each field how sure it is and why not more.")
@click.option("--reviewed", metavar="DIR", help="Write the values of a review (its folder) into the results, marked.")
@click.option("--allow-paths", is_flag=True, help="Let rows name files, contracts and tables anywhere.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def run(sources: tuple[str, ...], contracts: tuple[str, ...], resume: bool, as_json: bool, **options: Any) -> None:
    """Normalize every document of SOURCE...

    A SOURCE is a file, a folder, a pattern, a ZIP archive, a .jsonl or .parquet file, manifest:FILE.csv, a table of a
    database (sqlite:///shop.db#letters.body), or - for one JSON object per line on standard input.
    """
    from paxman.batch.progress import on_terminal
    from paxman.batch.runner import normalize_many
    from paxman.telemetry import enable_opentelemetry

    _read_places(options)
    settings = _settings(options)
    if settings["telemetry"] is not None:
        enable_opentelemetry()
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # the workers import from here what contract and setup name
    canonical = _contract(contracts, settings)
    _check_setup(options["setup"])
    rates = dict(_rate(text) for text in options.pop("rates"))
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
        sys.exit(_STOPPED)
    finally:
        close()
    click.echo(json.dumps(_facts(result), ensure_ascii=sys.stdout.isatty()) if as_json else _told(result))
    sys.exit(_STOPPED if result.stopped else _exit_code(result))


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
        return _FAILURE
    if set(result.counts) <= {"SUCCESS"}:
        return _OK
    return _UNRESOLVED if "UNRESOLVED" in result.counts or _has_losses(result) else _OK


def _has_losses(result: BatchResult) -> bool:
    rows = (row for row in result.field_rows() if row["diagnostics"])
    notes = (note for row in rows for note in row["diagnostics"])
    return any(note["code"] in LOSSES and note["severity"] != "INFO" for note in notes)


def _settings(options: dict[str, Any]) -> Settings:
    from paxman.config import load_settings, parse_text

    config = options.pop("config")
    given = [_pair(text, "--set") for text in options.pop("overrides")]
    named = {
        "budget.max_total_cost_usd": "max_cost",
        "budget.max_remote_inference_calls": "max_calls",
        "lessons": "lessons",
    }
    given += [(name, options.pop(flag)) for name, flag in named.items()]
    flags = {name: parse_text(name, text) for name, text in given if text is not None}
    if models := options.pop("models"):
        flags["model"] = models
    labels = [_pair(text, "--label") for text in options.pop("labels")]
    return load_settings(flags, file=Path(config) if config else None).add_labels(labels)


def _pair(text: str, flag: str) -> tuple[str, str]:
    name, mark, value = text.partition("=")
    if not mark:
        raise click.UsageError(f"{flag} takes NAME=VALUE, got {text!r}")
    return name, value


def _rate(text: str) -> tuple[str, float]:
    name, value = _pair(text, "--rate")
    try:
        rate = float(value)
    except ValueError:
        rate = 0
    if not rate > 0:
        raise click.UsageError(f"--rate takes a number of calls per minute, above zero, got {text!r}")
    return name, rate


def _contract(given: tuple[str, ...], settings: Settings) -> Any:
    from paxman.config import read_contract

    names = given or tuple(filter(None, (settings["contract"],)))
    # Every row of a manifest may name its own.
    return settings.prepare([read_contract(name) for name in names]) if names else None


def _check_setup(names: Iterable[str]) -> None:
    """What cannot be imported or called is said before anything is written."""
    from paxman.config import load_named

    for name in names:
        if not callable(load_named(name)):
            raise click.UsageError(f"--setup takes functions, and {name} is none")


def _count(sources: Iterable[str], out: Path) -> int | None:
    """How many documents there are, where looking is cheap: files and folders, unless they hold others."""
    from paxman.batch.sources import files_in

    total = 0
    for source in sources:
        files = files_in(Path(source), out) if os.path.isdir(source) else [Path(source)]
        for path in files:
            if path.suffix.lower() in (".zip", ".jsonl", ".ndjson", ".parquet") or not os.path.isfile(path):
                return None
            total += 1
    return total


def _facts(result: BatchResult) -> dict[str, Any]:
    return {
        "folder": str(result.folder),
        "documents": result.documents,
        "counts": dict(result.counts),
        "lost": result.lost,
        "model_troubles": dict(result.model_troubles),
        "rows": dict(result.rows_of),
        "cost_usd": str(result.cost_usd),
        "finished_before": result.finished_before,
        "fields_reused": result.fields_reused,
        "fields_redone": result.fields_redone,
        "written": list(result.written),
        "stopped": result.stopped,
        "without_artifact": result.without_artifact,
    }


def _told(result: BatchResult) -> str:
    counts = ", ".join(f"{count} {status.lower()}" for status, count in result.counts.items())
    lines = [f"{result.documents} documents: {counts}; cost {dollars(result.cost_usd)}"]
    if not result.documents:
        lines = ["no documents were found there; hidden files and links to other folders are left out"]
    lines += [f"{path}: {count_of_rows(*counts)}" for path, counts in result.rows_of.items()]
    if result.lost:
        lines.append(f"{result.lost} rows or cells were left out; the reasons stand with their documents")
    lines += [f"{count} documents: {trouble}" for trouble, count in result.model_troubles.items()]
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
    return "\n".join(lines)


@batch.command()
@click.argument("folder", metavar="DIR")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(folder: str, as_json: bool) -> None:
    """Show how far the batch in DIR is, also while it runs."""
    from paxman.batch.summary import status_of

    found = status_of(Path(folder))
    if as_json:
        click.echo(json.dumps(found))
        return
    for name, value in found.items():
        if name == "rows":
            value = {path: count_of_rows(*counts) for path, counts in value.items()}
        shown = ", ".join(f"{key} {count}" for key, count in value.items()) if isinstance(value, dict) else value
        click.echo(f"{name}\t{'' if shown is None else shown}")


@batch.command()
@click.argument("folder", metavar="DIR")
@click.option("-o", "--output", metavar="PATH", help="The page to write; DIR/report.html by default.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def report(folder: str, output: str | None, as_json: bool) -> None:
    """Write one page: counts, how each field fared, and the documents to look at."""
    from paxman.batch.summary import write_report

    target = write_report(Path(folder), Path(output) if output else Path(folder) / "report.html")
    click.echo(json.dumps({"report": str(target)}) if as_json else f"written: {target}")
