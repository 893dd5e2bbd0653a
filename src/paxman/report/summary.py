"""Reports on files and folders: a page per artifact, and a summary with the worst documents first."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import cached_property
from pathlib import Path

import attrs

from paxman.api.inputs import InputData, load_input
from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.replay import load_unchanged
from paxman.errors import ConfigurationError, HashMismatchError
from paxman.report.explanation import load_source
from paxman.report.page import report_page
from paxman.report.plots import bands_table, confidence_plot, count_bands
from paxman.report.shell import cards, page, safe, table
from paxman.report.views import CONCERNING, view_fields
from paxman.types import Severity, Status, dollars

_AT_ONCE = 50
_NOTHING = '<span class="none">nothing</span>'


@attrs.frozen(slots=False)
class DocumentEntry:
    """An artifact, the address of its own page, and the files of its document that were found."""

    artifact: ExecutionArtifact
    address: str
    files: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        source = self.artifact.metadata.get("source")
        return str(source or ", ".join(self.files) or self.artifact.input_content_hash[:12])

    @cached_property
    def concerns(self) -> list[tuple[int, str]]:
        """What to look at, worst first: fields, and the document itself where a warning is about no field."""
        fields = [(view.concern, view.path) for view in view_fields(self.artifact)]
        about = [note for note in self.artifact.diagnostics if note.field_path is None]
        warned = any(note.severity is not Severity.INFO and note.code != "CONTRACT_WARNING" for note in about)
        found = [*fields, (2, "the document")] if warned else fields
        return sorted((each for each in found if each[0] in CONCERNING), key=lambda each: each[0])

    @property
    def badness(self) -> tuple[float, ...]:
        """Worst first: a run that failed, required fields without a value, disputes, fields with warnings, then the
        most warnings and the least confidence."""
        counts = Counter(concern for concern, _ in self.concerns)
        sure = [result.confidence for result in self.artifact.field_results if result.status == "RESOLVED"]
        failed = self.artifact.status in (Status.EXECUTION_FAILED, Status.INVALID_CONTRACT)
        warnings = sum(note.severity is not Severity.INFO for note in self.artifact.diagnostics)
        return (-failed, *(-counts[concern] for concern in CONCERNING), -warnings, min(sure, default=0.0))


def report_one(artifact: Path, source: InputData | None, output: Path, force: bool = False) -> Path:
    """The page of one stored artifact; with `force` beside another document than its own, which the page says."""
    loaded = load_unchanged(artifact)
    raw = None
    if source is not None:
        name = str(source) if isinstance(source, Path) else "this"
        raw = load_input(source) if force else load_source(source, loaded, name)
    _store(output, report_page(loaded, raw))
    return output


def _store(page: Path, text: str) -> None:
    """Whatever keeps a page from being written is one failure, that of its file."""
    try:
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, "utf-8")
    except OSError as error:
        raise OSError(f"{page} cannot be written: {error.strerror or error}") from None


def report_folder(artifacts: Path, sources: Path | None, output: Path) -> tuple[Path, list[str]]:
    """A summary of a folder of artifacts, and their pages; documents are found by the hash of their content.

    Gives the summary's path, and the files that could not be used, each with the reason.
    """
    problems: list[str] = []
    loaded = list(_load_folder(artifacts, problems))
    if not loaded:
        batch = f"; it holds a batch, whose report `paxman batch report {artifacts}` writes"
        none = f"there is no artifact in {artifacts}{batch if (artifacts / 'journal.sqlite').exists() else ''}"
        raise ConfigurationError("; ".join((none, *problems)))
    found = () if sources is None else sources.rglob("*") if sources.is_dir() else (sources,)
    wanted = {artifact.input_content_hash for artifact in loaded}
    by_hash = _by_hash(sorted(path for path in found if path.is_file()))
    documents = [path for content, paths in by_hash.items() if content in wanted for path in paths]
    if sources and not documents:
        problems.append(f"{sources}: none of the documents that the artifacts were made from")
    return write_reports(loaded, documents, output, problems), problems


def write_reports(
    artifacts: Sequence[ExecutionArtifact], sources: Iterable[Path], output: Path, problems: Sequence[str] = ()
) -> Path:
    """Write the pages beside the summary; gives the summary's path. `output` is a folder, or the summary's file."""
    summary = output if output.suffix == ".html" else output / "index.html"
    pages = summary.parent / ("documents" if summary.name == "index.html" else f"{summary.stem}-documents")
    by_hash = _by_hash(sources)
    entries = []
    for number, artifact in enumerate(artifacts, 1):
        equal = by_hash.get(artifact.input_content_hash, [])
        target = pages / f"{number:04}-{artifact.input_content_hash[:8]}.html"
        home = os.path.relpath(summary, pages).replace(os.sep, "/")
        _store(target, report_page(artifact, load_input(equal[0]) if equal else None, home))
        entries.append(DocumentEntry(artifact, f"{pages.name}/{target.name}", tuple(path.name for path in equal)))
    _store(summary, summary_page(entries, problems))
    return summary


def _by_hash(files: Iterable[Path]) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for path in files:
        found.setdefault(hashlib.sha256(path.read_bytes()).hexdigest(), []).append(path)
    return found


def _load_folder(folder: Path, problems: list[str]) -> Iterator[ExecutionArtifact]:
    """The artifacts in a folder; other JSON is passed over, what is broken or was changed is noted."""
    for path in sorted(folder.rglob("*.json")):
        try:
            data = path.read_bytes()
            if _may_be_artifact(data):
                yield load_unchanged(data)
        except (HashMismatchError, OSError) as error:
            problems.append(f"{path}: {error}")


def _may_be_artifact(data: bytes) -> bool:
    """Whether JSON has what artifacts have, or cannot be read at all."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return True
    return isinstance(found, dict) and {"replay_hash", "execution_plan"} <= found.keys()


def summary_page(entries: Sequence[DocumentEntry], problems: Sequence[str] = ()) -> str:
    """Counts, what could not be used, fields, plots, cost, and the documents, worst first."""
    results = [result for entry in entries for result in entry.artifact.field_results]
    counts = count_bands(results)
    body = (
        '<header><div class="title"><h1>All documents</h1></div><dl></dl><div class="tools">'
        '<button type="button" id="theme" aria-pressed="false">Dark</button></div></header>'
        f'<main class="summary">{_cards(entries)}{_problems(problems)}'
        f'<section class="panel"><h2>Documents, worst first</h2>{_documents(entries)}</section>'
        f'<section class="panel"><h2>Fields</h2>{bands_table(counts)}</section>'
        f'<section class="panel"><h2>Confidence of resolved values</h2>{confidence_plot(results)}</section></main>'
    )
    return page(f"{len(entries)} documents", body)


def say_problems(problems: Sequence[str]) -> str:
    return f"{len(problems)} {'file' if len(problems) == 1 else 'files'} could not be used"


def _problems(problems: Sequence[str]) -> str:
    items = "".join(f"<li>{safe(problem)}</li>" for problem in problems)
    return (
        f'<section class="panel warning"><h2>{say_problems(problems)}</h2><ul>{items}</ul></section>' if items else ""
    )


def _cards(entries: Sequence[DocumentEntry]) -> str:
    statuses = Counter(entry.artifact.status.value.lower() for entry in entries)
    cost = sum((entry.artifact.statistics.cost_usd for entry in entries), Decimal(0))
    fields = sum(entry.artifact.statistics.fields for entry in entries)
    resolved = sum(entry.artifact.statistics.resolved for entry in entries)
    facts = [("documents", str(len(entries)), "")]
    facts += [(name.replace("_", " "), str(count), f"status-{name}") for name, count in sorted(statuses.items())]
    facts += [("fields resolved", f"{resolved} of {fields}", ""), ("cost", dollars(cost), "")]
    return cards(facts)


def _documents(entries: Sequence[DocumentEntry]) -> str:
    """The worst at once, all others behind a fold."""
    ordered = sorted(entries, key=lambda entry: (entry.badness, entry.name))
    shown, rest = ordered[:_AT_ONCE], ordered[_AT_ONCE:]
    more = f"<details><summary>{len(rest)} more documents</summary>{_table(rest)}</details>" if rest else ""
    return _table(shown) + more


def _table(entries: Sequence[DocumentEntry]) -> str:
    head = "".join(f'<th scope="col">{name}</th>' for name in ("document", "status", "look at"))
    head += "".join(f'<th scope="col" class="number">{name}</th>' for name in ("resolved", "cost"))
    return table(head, map(_row, entries))


def _row(entry: DocumentEntry) -> str:
    artifact = entry.artifact
    numbers = artifact.statistics
    worst = ", ".join(name for _, name in entry.concerns)
    return (
        f'<tr><th scope="row"><a href="{safe(entry.address)}">{safe(entry.name)}</a></th>'
        f'<td><span class="status status-{artifact.status.value.lower()}">{safe(artifact.status.value)}</span></td>'
        f'<td>{safe(worst) or _NOTHING}</td><td class="number">{numbers.resolved} of {numbers.fields}</td>'
        f'<td class="number">{dollars(numbers.cost_usd)}</td></tr>'
    )
