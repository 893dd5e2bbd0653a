"""`paxman learn`, `paxman evaluate` and `paxman correct`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from paxman.api.evaluating import evaluate as judge
from paxman.api.evaluating import evaluation_page
from paxman.api.teaching import correct_artifact, from_artifacts, origins_of
from paxman.api.teaching import learn as teach
from paxman.artifact.replay import load_unchanged
from paxman.cli.app import UNRESOLVED
from paxman.cli.options import (
    contract_option,
    contract_settings,
    json_option,
    load_contract,
    settings_options,
)
from paxman.cli.output import echo_json, line
from paxman.learning.examples import Example, gather
from paxman.report.views import show_value

if TYPE_CHECKING:
    from paxman.artifact.artifact import ExecutionArtifact
    from paxman.config import Settings


@click.command()
@click.argument("contract")
@click.argument("examples", nargs=-1, type=click.Path(exists=True))
@click.option("--from-artifacts", "artifacts", type=click.Path(exists=True, file_okay=False), metavar="DIR")
@click.option(
    "--origin", default="REVIEWED", show_default=True, help="Which values of artifacts to learn from, by origin."
)
@click.option("--root", type=click.Path(exists=True, file_okay=False), help="Where the documents of artifacts are.")
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False), metavar="FILE", help="The lessons.")
@click.option("--private", is_flag=True, help="Keep only hashes of words, so that the file shows no text.")
@click.option("--locale", metavar="LOCALE", help="How dates and numbers are written, such as de_DE.")
@contract_settings
@json_option
def learn(
    contract: str,
    examples: tuple[str, ...],
    artifacts: str | None,
    origin: str,
    root: str | None,
    output: str,
    private: bool,
    locale: str | None,
    settings: Settings,
    as_json: bool,
) -> None:
    """Learn from documents with their right values.

    EXAMPLES are a JSONL file, a CSV file with a column `source`, or a folder of documents with <name>.json beside them.
    With --from-artifacts also values of stored artifacts: those that a person reviewed, or with --origin
    INFERRED,REVIEWED also those that a model gave and that came out with a confidence of at least 0.8.
    """
    found = _gather(examples)
    if artifacts:
        found += from_artifacts(artifacts, origins_of(origin), Path(root) if root else None)
    canonical, policy = load_contract(contract, settings), settings.policy
    with _bar("learning") as progress:
        lessons = teach(canonical, found, private=private, locale=locale, policy=policy, progress=progress)
    lessons.save(output)
    if as_json:
        echo_json({**lessons.report.to_dict(), "lessons": lessons.hash, "written": output})
        return
    for text in lessons.report.lines():
        line(text)
    line(f"written: {output}")


@click.command()
@click.argument("contract")
@click.argument("examples", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("--lessons", type=click.Path(exists=True, dir_okay=False), metavar="FILE", help="Lessons to use.")
@click.option(
    "--folds", type=click.IntRange(2), default=None, help="Cross-validate: split the examples into this many parts."
)
@click.option(
    "--target-error",
    type=click.FloatRange(0, 1),
    default=0.01,
    show_default=True,
    help="The error rate that you accept.",
)
@click.option("--min-accuracy", type=click.FloatRange(0, 1), help="Exit with 1 if the accuracy is below this.")
@click.option("--report", type=click.Path(dir_okay=False), metavar="FILE", help="Write a page to look at (HTML).")
@contract_settings
@json_option
def evaluate(
    contract: str,
    examples: tuple[str, ...],
    lessons: str | None,
    folds: int | None,
    target_error: float,
    min_accuracy: float | None,
    report: str | None,
    settings: Settings,
    as_json: bool,
) -> None:
    """Measure how right the values are on documents with their right values.

    EXAMPLES are as for `paxman learn`. Documents that the lessons were learned from are left out.
    """
    canonical, given = load_contract(contract, settings), _gather(examples)
    policy = attrs.evolve(settings.policy, allow_remote_inference=False, allow_local_inference=False)
    options: dict[str, Any] = {"folds": folds or 0, "target_error": target_error, "policy": policy}
    with _bar("evaluating") as progress:
        found = judge(canonical, given, lessons, progress=progress, **options)
    if report:
        Path(report).write_text(evaluation_page(found, f"Evaluation of {canonical.id}"), "utf-8")
    if as_json:
        echo_json(found.to_dict())
    else:
        for text in str(found).splitlines():
            line(text)
        if report:
            line(f"written: {report}")
    if min_accuracy is not None and found.total.accuracy < min_accuracy:
        sys.exit(UNRESOLVED)


@click.command()
@click.argument("artifact", type=click.Path(exists=True, dir_okay=False))
@click.argument("values", nargs=-1, required=True, metavar="FIELD=VALUE...")
@click.option("--by", required=True, metavar="NAME", help="Your name, to be kept with the correction.")
@contract_option
@click.option("-s", "--source", type=click.Path(exists=True, dir_okay=False), metavar="FILE", help="The document.")
@click.option("--examples", type=click.Path(dir_okay=False), metavar="FILE", help="Add the correction to this file.")
@click.option("-o", "--output", type=click.Path(dir_okay=False), metavar="FILE", help="Write here, not over ARTIFACT.")
@settings_options
@json_option
def correct(
    artifact: str,
    values: tuple[str, ...],
    by: str,
    contract: str | None,
    source: str | None,
    examples: str | None,
    output: str | None,
    settings: Settings,
    as_json: bool,
) -> None:
    """Correct fields of an artifact: total=12.50, or total= for what the document does not state.

    Values are held against the contract, and found in the document where one is given. The contract comes
    with -c or from paxman.toml. With --examples the correction is a line that `paxman learn` takes.
    """
    given = dict(map(_assignment, values))
    stored = load_unchanged(Path(artifact))
    _check_names(stored, given)
    document = Path(source) if source else None
    made = correct_artifact(stored, given, by, load_contract(contract, settings), document, examples)
    Path(output or artifact).write_text(made.to_json() + "\n", "utf-8")
    if as_json:
        echo_json({path: made[path].diagnostics[0].message for path in given})
        return
    for path in given:
        line(f"{path} = {show_value(made[path].value) or 'null'}: {made[path].diagnostics[0].message}")
    line(f"written: {output or artifact}")


def _assignment(text: str) -> tuple[str, Any]:
    """A field and its value; JSON gives lists and numbers, and nothing says that it is not stated."""
    path, mark, value = text.partition("=")
    if not mark:
        raise click.UsageError(f"a correction is FIELD=VALUE, got {text!r}")
    if not value:
        return path, None
    try:
        return path, json.loads(value) if value[:1] in "[{" else value
    except ValueError:
        wanted = """a list is written '["A","B"]', a row '{"name":"A"}'"""
        raise click.UsageError(f"{path}: {value!r} is not JSON; {wanted}") from None


def _check_names(artifact: ExecutionArtifact, given: Iterable[str]) -> None:
    for path in given:
        try:
            artifact[path]
        except KeyError as error:
            raise click.UsageError(error.args[0]) from None


def _gather(paths: tuple[str, ...]) -> list[Example]:
    return [example for path in paths for example in gather(path)]


@contextmanager
def _bar(word: str) -> Iterator[Callable[[int, int, str], None] | None]:
    """A bar on the terminal; nothing where nobody looks."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(word)
        yield lambda done, total, name: bar.update(task, completed=done, total=total, description=f"{word} {name}")
