"""The per-batch function: tasks in, outcomes out, the same on a local worker and on any cluster."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

import attrs

from paxman.api.choosing import with_choice
from paxman.api.inputs import RawInput
from paxman.api.normalize import ReusedResults, choose_contract, run_pipeline
from paxman.artifact.artifact import ExecutionArtifact, diagnostic_to_dict, result_to_dict, seal
from paxman.artifact.results import FieldResult, say_missing
from paxman.batch.job import Job
from paxman.batch.reuse import UNLUCKY, Parts, Prior, document_notes, keep, parts_of
from paxman.batch.sources import BatchItem
from paxman.batch.spending import FilePurse, SharedTracker
from paxman.budget import capped
from paxman.contract.model import CanonicalContract
from paxman.documents.document import Document
from paxman.documents.reading import read_document
from paxman.errors import InvalidContractError
from paxman.gc_pause import collecting_less
from paxman.planner.field_plan import ExecutionPlan
from paxman.serialization import canonical_json
from paxman.types import Severity, Status


class Task(NamedTuple):
    """A document with its bytes and its key; the work that is left once it is known that nobody did it."""

    item: BatchItem
    data: bytes
    content: str
    key: str
    priors: tuple[Prior, ...] = ()

    @property
    def position(self) -> int:
        return self.item.position


class Outcome(NamedTuple):
    """A finished document. Without a `row` it was finished before, under the same key."""

    position: int
    source: str
    metadata: str | None
    key: str
    content: str = ""
    suffix: str = ""
    status: str = ""
    row: bytes | None = None
    fields: bytes = b""
    parts: str = ""
    cost_usd: str = "0"
    artifact: bytes | None = None
    artifact_name: str = ""
    reused: int = 0
    redone: int = 0
    milliseconds: float = 0.0
    unlucky: bool = False
    """Whether another try may do better: what went wrong is not in the document."""
    refused: bool = False
    """Whether it was denied money of the run's."""
    remote_calls: int = 0
    troubles: tuple[str, ...] = ()
    """Why models gave nothing."""
    rows: str = ""
    """How many rows each array has of how many there should be, as JSON."""


Look = Callable[[list[str], bool], Mapping[str, bool]]
"""Which of some keys have a result, and whether an earlier run left it."""
LookBack = Callable[[str, str, str], tuple[Prior, ...]]
Share = Callable[[list[Task]], set[int]]
SHARED = "EQUAL TO ANOTHER"


def find_work(
    items: Iterable[BatchItem],
    job: Job,
    done: Look,
    earlier: LookBack | None,
    share: Share,
    opened: Callable[[BatchItem, Job], Task | Outcome],
) -> tuple[list[Outcome], list[Task]]:
    """Read the documents, and part what is finished already, or cannot be begun, from what is to be done.

    Equal documents are shared first and looked up then, so that none is done while it is looked up.
    """
    finished: list[Outcome] = []
    tasks: list[Task] = []
    for item in items:
        found = opened(item, job)
        if isinstance(found, Outcome):
            finished.append(found)
        else:
            tasks.append(found)
    shared = share(tasks)
    known = {} if job.fresh else done([task.key for task in tasks], job.artifacts)
    left: list[Task] = []
    for task in tasks:
        if task.key in known or task.position in shared:
            finished.append(_known(task, "" if known.get(task.key) else SHARED))
        else:
            left.append(task)
    if earlier and not job.fresh:
        left = [task._replace(priors=earlier(task.content, task.item.suffix, task.key)) for task in left]
    return finished, left


def open_item(item: BatchItem, job: Job) -> Task | Outcome:
    """The bytes and the key of a document, or the outcome that says why there are none."""
    if item.problem is not None:
        return failure(item, item.problem)
    try:
        contract = job.contract_for(item.contract, item.inside)
    except (InvalidContractError, ValueError, TypeError) as error:
        return failure(item, str(error), Status.INVALID_CONTRACT)
    try:
        data = item.data if item.data is not None else _read(item.path or "")
    except (OSError, ValueError) as error:
        return failure(item, f"the file cannot be read: {getattr(error, 'strerror', None) or type(error).__name__}")
    content = hashlib.sha256(data).hexdigest()
    return Task(item, data, content, job.key(content, item.suffix, contract))


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _known(task: Task, status: str) -> Outcome:
    return Outcome(task.item.position, task.item.source, task.item.metadata, task.key, status=status)


def guarded(task: Task, job: Job, purse: FilePurse) -> Outcome:
    """What our own code fails at is the document's failure, not the run's; an error's words may quote the input."""
    try:
        with collecting_less():
            return work_one(task, job, purse)
    except MemoryError:
        raise
    except Exception as error:
        return failure(task.item, f"raised {type(error).__name__}", task=task)


def work_one(task: Task, job: Job, purse: FilePurse) -> Outcome:
    """One document, from its bytes to its rows."""
    started = time.perf_counter()
    # Only the suffix of the name, so that equal documents have equal results.
    source = RawInput(task.data, "document" + task.item.suffix if task.item.suffix else None)
    read = cache(lambda: read_document(source.data, source.name, limits=job.limits))
    contract, fits = choose_contract(source, job.contract_for(task.item.contract, task.item.inside), job.policy, read)
    reused = 0

    def kept(plan: ExecutionPlan, read: Callable[[], Document]) -> ReusedResults:
        nonlocal reused
        found = keep(contract, plan, job, task.priors, read)
        reused = len(found.results)
        return found

    budget = capped(job.budget, job.policy, of_many=True)
    tracker = SharedTracker(budget, purse)
    made = run_pipeline(source, contract, budget, job.policy, tracker, kept if task.priors else None, read=read)
    artifact = attrs.evolve(seal(with_choice(made, fits)), id=task.key)
    outcome = _outcome(task, job, artifact, contract, str(tracker.usd), reused)
    taken = round((time.perf_counter() - started) * 1000, 3)
    return outcome._replace(milliseconds=taken, refused=tracker.refused)


def _outcome(
    task: Task, job: Job, artifact: ExecutionArtifact, contract: CanonicalContract, cost: str, reused: int
) -> Outcome:
    parts = parts_of(contract, artifact.execution_plan, job)
    return Outcome(
        task.item.position,
        task.item.source,
        task.item.metadata,
        task.key,
        task.content,
        task.item.suffix,
        artifact.status.value,
        *encode_rows(artifact),
        encode_parts(parts),
        cost,
        artifact.to_json().encode() if job.artifacts else None,
        artifact.replay_hash,
        reused,
        len(artifact.field_results) - reused,
        unlucky=any(note.code in UNLUCKY for note in artifact.diagnostics),
        remote_calls=artifact.statistics.remote_calls,
        troubles=artifact.model_troubles,
        rows=json.dumps(_rows(artifact)) if _rows(artifact) else "",
    )


def encode_rows(artifact: ExecutionArtifact, **more: Any) -> tuple[bytes, bytes]:
    """The row of a document, and those of its fields, as the journal keeps them."""
    fields = b"\n".join(canonical_json(_field_row(result)) for result in artifact.field_results)
    return canonical_json({**_row(artifact), **more}), fields


def facts_of(outcome: Outcome) -> dict[str, Any]:
    """What may be told of a document outside of the results: counts, names and hashes."""
    row = json.loads(outcome.row or b"{}")
    fields = [json.loads(line) for line in outcome.fields.splitlines()]
    notes = [*row["notes"], *(note for field in fields for note in field["diagnostics"])]
    return {
        **{name: row[name] for name in ("fields", "resolved", "invocations", "tokens", "status")},
        "unresolved": len(row["unresolved"]),
        "cost_usd": outcome.cost_usd,
        "contract_id": row["contract_id"] or "",
        "input_content_hash": row["content_hash"] or "",
        "replay_hash": row["replay_hash"] or "",
        "diagnostics": sorted({note["code"] for note in notes}),
    }


def encode_parts(parts: Parts) -> str:
    return json.dumps(parts, sort_keys=True, separators=(",", ":"))


NOT_LOOKED_AT = ("EMPTY_INPUT", "INPUT_TOO_LARGE")
_DOUBTS = ("AMBIGUOUS_VALUE", "ROWS_OPEN")


def _say_unread(artifact: ExecutionArtifact) -> str:
    """Why nothing could be looked for in a document; empty if something could."""
    notes = document_notes(artifact)
    return "; ".join(note.message for note in notes if note.severity is Severity.ERROR or note.code in NOT_LOOKED_AT)


def _rows(artifact: ExecutionArtifact) -> dict[str, list[int]]:
    """The rows of each array that were found, and how many there should be."""
    return {each.field_path: [each.rows.found, each.rows.expected] for each in artifact.field_results if each.rows}


def _row(artifact: ExecutionArtifact) -> dict[str, Any]:
    """The stable columns of a document, but for its place, which differs between equal documents."""
    statistics = artifact.statistics
    notes = [note for result in artifact.field_results for note in result.diagnostics]
    doubts = [note for note in notes if note.code in _DOUBTS and note.severity is Severity.WARNING]
    told = [note for note in notes if note.is_loss or note in doubts]
    reasons = [
        _say_unread(artifact) or say_missing(artifact.field_results),
        *(f"{note.field_path}: {note.message}" for note in told),
        *artifact.model_troubles,
    ]
    return {
        "content_hash": artifact.input_content_hash,
        "contract_id": artifact.contract_id,
        "contract_hash": artifact.contract_hash,
        "status": artifact.status.value,
        "reason": "; ".join(filter(None, reasons)) or None,
        "lost": sum(note.is_loss for note in notes),
        "rows": _rows(artifact),
        "data": artifact.normalized_data,
        "fields": statistics.fields,
        "resolved": statistics.resolved,
        "unresolved": [result.field_path for result in artifact.unresolved_fields],
        "notes": [diagnostic_to_dict(note) for note in document_notes(artifact)],
        "cost_usd": str(statistics.cost_usd),
        "tokens": statistics.tokens,
        "invocations": statistics.invocations,
        "replay_hash": artifact.replay_hash,
    }


def _field_row(result: FieldResult) -> dict[str, Any]:
    row = {"rows": None, **result_to_dict(result, [])}
    told = {name: value for name, value in row.items() if name not in ("field_id", "evidence_refs", "cost")}
    cost = {"invocations": result.cost.invocations, "tokens": result.cost.tokens, "cost_usd": str(result.cost.usd)}
    return {**told, "evidence": [ref.to_dict() for ref in result.evidence_refs], **cost}


def failure(
    item: BatchItem, reason: str, status: Status = Status.EXECUTION_FAILED, task: Task | None = None
) -> Outcome:
    """The outcome of a document that could not be worked on; the run goes on."""
    row: dict[str, Any] = dict.fromkeys(("contract_id", "contract_hash", "data", "replay_hash"))
    row |= dict.fromkeys(("lost", "fields", "resolved", "tokens", "invocations"), 0)
    row |= {"content_hash": task.content if task else None, "status": status.value, "reason": reason}
    row |= {"rows": {}, "unresolved": [], "notes": [], "cost_usd": "0"}
    key = task.key if task else hashlib.sha256(f"{item.source}\0{reason}".encode("utf-8", "replace")).hexdigest()[:40]
    content = task.content if task else ""
    place = (item.position, item.source, item.metadata, key, content, item.suffix)
    return Outcome(*place, status.value, canonical_json(row), unlucky=True)
