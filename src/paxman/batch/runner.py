"""normalize_many: a whole batch, from its sources to its results."""

from __future__ import annotations

import json
import os
import shutil
import signal
import tempfile
import threading
import weakref
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from decimal import Decimal
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Literal

import attrs

from paxman import telemetry
from paxman.api.normalize import check_limits
from paxman.api.registration import registry_for
from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.replay import load_unchanged
from paxman.artifact.results import is_reviewed
from paxman.artifact.signing import private_key, sign_file
from paxman.batch.disk import intact, writing
from paxman.batch.engines import run_on_engine
from paxman.batch.in_flight import DocumentClaims, claiming
from paxman.batch.job import Job, bare_copy, prepare
from paxman.batch.journal import Journal, JournalLine, JournalReader, now
from paxman.batch.outputs import check_target, document_line, field_lines, write_artifact, write_results
from paxman.batch.pool import Bounds, Pool
from paxman.batch.progress import Progress
from paxman.batch.sources import BatchItem, check_sources, iter_items
from paxman.batch.spending import FilePurse
from paxman.batch.work import Outcome, encode_rows, facts_of
from paxman.budget import Budget, Policy
from paxman.contract.alternatives import adapt_all
from paxman.documents.reading import Limits
from paxman.errors import ConfigurationError, ExecutionError, InvalidBudgetError, InvalidPolicyError
from paxman.learning.attaching import Given, attach_all
from paxman.serialization import canonical_json

_MANY = 1_000
Engine = Literal["local", "dask", "ray", "spark"]


@attrs.frozen
class BatchResult:
    """What a batch came to. `stopped` says that it was interrupted: run it again and it goes on from there."""

    folder: Path
    documents: int
    counts: Mapping[str, int]
    cost_usd: Decimal
    fields_reused: int
    fields_redone: int
    finished_before: int
    written: tuple[str, ...]
    stopped: bool = False
    without_artifact: int = 0
    """Documents that were to give theirs now and failed; what was found in them before is kept."""
    lost: int = 0
    """Rows and cells that stand in the documents and not in their data."""
    rows_of: Mapping[str, list[int]] = attrs.field(factory=dict)
    """For each array how many rows were found in all documents, and how many there should be."""
    model_troubles: Mapping[str, int] = attrs.field(factory=dict)
    """Why models gave nothing in this run, with the number of documents."""
    reviewed: int = 0
    """Documents with values that a person gave."""
    reviewed_elsewhere: int = 0
    """Reviewed documents that are not in the batch, or that were reviewed under another contract."""
    reported_usd: Decimal | None = None
    """What the servers reported, where more than that counts as spent: some are not trusted, or a run was killed."""
    _review: Path | None = attrs.field(default=None, repr=False, eq=False)
    _home: object = attrs.field(default=None, repr=False, eq=False)

    def rows(self) -> Iterator[dict[str, Any]]:
        """One dict per document, in the order of the sources."""
        with closing(JournalReader(self.folder)) as reader:
            for line in _lines(reader, self._review):
                yield json.loads(document_line(line))

    def field_rows(self) -> Iterator[dict[str, Any]]:
        """One dict per field of each document."""
        with closing(JournalReader(self.folder)) as reader:
            for line in _lines(reader, self._review):
                yield from map(json.loads, field_lines(line))

    def artifacts(self) -> Iterator[ExecutionArtifact | None]:
        """One artifact per document, None for one that failed; the batch must have kept them."""
        for row in self.rows():
            name = row["replay_hash"]
            path = self.folder / "artifacts" / f"{name}"[:2] / f"{name}.json"
            yield ExecutionArtifact.from_json(path.read_bytes()) if name else None


def normalize_many(
    sources: Any,
    contract: Any,
    budget: Budget | None = None,
    policy: Policy | None = None,
    *,
    out: str | os.PathLike[str] | None = None,
    output: str = "jsonl",
    artifacts: bool = False,
    sign: str | None = None,
    workers: int | None = None,
    engine: Engine = "local",
    limits: Limits | None = None,
    lessons: Given = None,
    timeout: float | None = 300.0,
    memory_mb: int | None = 4_096,
    setup: Iterable[str] = (),
    provider: Any = None,
    rate_limits: Mapping[str, float] | None = None,
    fresh: bool = False,
    retry_failed: bool = False,
    allow_paths: bool = False,
    raw_cells: bool = False,
    with_confidence: bool = False,
    reviewed: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
    model: str | Sequence[str] | None = None,
    at_once: int | None = None,
) -> BatchResult:
    """Normalize every document of the sources; what an earlier run finished in `out` is not done again.

    The budget's cost and remote calls hold for all runs into `out` together, its other caps for each document.
    Without `out` the results live as long as the object that is returned. `setup` names functions ("module:name") that
    each worker calls once, to register plugins. `limits` bound what reading a document may use, `timeout` (in seconds)
    and `memory_mb` all of the work on it. Rows of manifests, JSONL, Parquet and databases name files below their own
    folder only, unless `allow_paths`. Cells of CSV that begin like a formula get an apostrophe, unless `raw_cells`;
    `with_confidence` adds to each field how sure it is and why not more.
    With `reviewed`, the folder of a review, the tables have the values that a person gave, and say of which fields.
    `at_once` is how many documents are under way together: more than `workers`, where they wait for a `model`.
    `sign` names a private key by which all kept artifacts are signed; no worker gets to see it.
    """
    _check_key(sign, artifacts)
    settings = {"artifacts": artifacts, "fresh": fresh, "provider": provider, "rate_limits": dict(rate_limits or {})}
    workers = workers or min(os.cpu_count() or 1, at_once or _MANY)
    settings |= {"limits": check_limits(limits), "setup": tuple(setup), "threads": -(-(at_once or 1) // workers)}
    job = _check(contract, budget, policy, lessons, model, **settings)
    check_target(output)
    review = None if reviewed is None else Path(reviewed)
    if review and not (review / "reviewed").is_dir():
        raise ConfigurationError(f"there is no review in {review}: `paxman review` makes one")
    check_sources(sources, Path(out) if out is not None else None)
    home = _Home() if out is None else None
    folder = home.folder if home else Path(out or "")
    progress = progress or Progress()
    bounds = Bounds(timeout, memory_mb)
    with intact(folder), closing(Journal(folder)) as journal, _interruptible(progress) as stop:
        if retry_failed:
            journal.retry_unlucky()
        FilePurse(folder / "spending.sqlite", job.budget)
        journal.begin(job.mark(), total=progress.total, contract=job.contract.id if job.contract else None)
        items = _Counted(iter_items(sources, folder, allow_paths), stop)
        with claiming(folder) as claims:
            troubles = Counter[str]()
            record = partial(_record, journal=journal, claims=claims, job=job, progress=progress, troubles=troubles)
            _run(job, folder, items, engine, workers, bounds, record)
        if not stop.is_set():
            _check_all_there(journal.folder, items.count)
            journal.note(total=items.count, finished=now())
        written = [] if stop.is_set() else _write(folder, output, raw_cells, with_confidence, review)
        if sign is not None:
            _sign_all(folder, sign)
        made = _conclude(folder, written, job.artifacts, progress, stop.is_set(), home, troubles)
        return made if review is None else _with_review(made, review)


def _check_key(key: str | None, artifacts: bool) -> None:
    """A key that cannot be used is told of before any work is done."""
    if key is None:
        return
    if not artifacts:
        raise ConfigurationError("signing needs artifacts, and none are kept: add --artifacts (artifacts=True)")
    private_key(key)


def _sign_all(folder: Path, key: str) -> None:
    """Sign every kept artifact, also those of earlier runs, once."""
    for path in sorted((folder / "artifacts").glob("??/*.json")):
        sign_file(path, key)


class _Home:
    """A folder of its own, gone with the result that holds it."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="paxman-"))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)


def _check(
    contract: Any,
    budget: Budget | None,
    policy: Policy | None,
    lessons: Given = None,
    model: Any = None,
    **settings: Any,
) -> Job:
    if budget is not None and not isinstance(budget, Budget):
        raise InvalidBudgetError(f"budget must be a paxman.Budget or None, not {type(budget).__name__}")
    if policy is not None and not isinstance(policy, Policy):
        raise InvalidPolicyError(f"policy must be a paxman.Policy or None, not {type(policy).__name__}")
    canonical = None if contract is None else bare_copy(attach_all(adapt_all(contract), lessons))
    job = Job(canonical, budget or Budget(), (policy or Policy()).naming(model), **settings)
    prepare(job)
    registry_for(job.policy, job.budget)  # a model without a price or an address is told of before any work is done
    return job


def _check_all_there(folder: Path, count: int) -> None:
    """A file that is written to while its worker dies may leave one that was equal to it without a result."""
    with closing(JournalReader(folder)) as reader:
        missing = count - sum(reader.counts().values())
    if missing:
        raise ExecutionError(f"{missing} documents changed while they were read; run the same command again")


class _Counted:
    """The items, counted as they go by; none once the run is to stop."""

    def __init__(self, items: Iterator[BatchItem | None], stop: threading.Event) -> None:
        self.count = 0
        self._items = items
        self._stop = stop

    def __iter__(self) -> Iterator[BatchItem | None]:
        return self

    def __next__(self) -> BatchItem | None:
        if self._stop.is_set():
            raise StopIteration
        item = next(self._items)
        self.count += item is not None
        return item


def _run(
    job: Job,
    folder: Path,
    items: Iterator[BatchItem | None],
    engine: Engine,
    workers: int,
    bounds: Bounds,
    record: Callable[[list[Outcome]], None],
) -> None:
    if engine != "local":
        with closing(JournalReader(folder)) as reader:
            run_on_engine(engine, items, job, reader, workers, bounds, record)
        return
    pool = Pool(job.encode(), folder, workers, bounds, job)
    try:
        for outcomes in pool.run(items):
            record(outcomes)
        pool.close()
    finally:
        pool.kill()


def _record(
    outcomes: list[Outcome],
    journal: Journal,
    claims: DocumentClaims,
    job: Job,
    progress: Progress,
    troubles: Counter[str],
) -> None:
    """Artifacts first, then the journal: what the journal names is there."""
    troubles.update(trouble for outcome in outcomes for trouble in outcome.troubles)
    for outcome in outcomes:
        if outcome.artifact is not None:
            with writing(journal.folder):
                write_artifact(journal.folder, outcome.artifact_name, outcome.artifact)
    journal.record(outcomes, again=job.fresh)
    if not job.fresh:  # which does not ask what the journal knows
        with writing(journal.folder):
            claims.release(outcomes)
    progress.add(outcomes)
    if telemetry.is_wanted():
        for outcome in outcomes:
            if outcome.row is not None:
                telemetry.observe(facts_of(outcome), outcome.milliseconds)


def _write(folder: Path, output: str, raw_cells: bool, with_confidence: bool, review: Path | None) -> list[str]:
    with closing(JournalReader(folder)) as reader:
        return write_results(partial(_lines, reader, review), folder, output, raw_cells, with_confidence)


def _lines(reader: JournalReader, review: Path | None) -> Iterator[JournalLine]:
    """Every document with what a person said of it, where somebody did, and the fields that this is true of."""
    if review is None:
        yield from reader.lines()
        return
    for line in reader.lines():
        row = json.loads(line.row)
        stored = review / "reviewed" / f"{row['content_hash'] or ''}"[:16]
        stored = stored.with_name(f"{stored.name}-{row['contract_hash'] or ''}"[:25] + ".json")
        made = load_unchanged(stored) if row["contract_hash"] and stored.is_file() else None
        said = [each.field_path for each in made.field_results if is_reviewed(each)] if made else []
        encoded, fields = (
            encode_rows(made, reviewed=said) if made else (canonical_json({**row, "reviewed": []}), line.fields)
        )
        yield line._replace(row=encoded, fields=fields)


def _conclude(
    folder: Path,
    written: list[str],
    artifacts: bool,
    progress: Progress,
    stopped: bool,
    home: _Home | None,
    troubles: Counter[str],
) -> BatchResult:
    with closing(JournalReader(folder)) as reader:
        counts = reader.counts()
        reused, redone = reader.fields_reused()
        cost, reported = reader.cost(), reader.recorded_cost()
        return BatchResult(
            folder,
            sum(counts.values()),
            counts,
            cost,
            reused,
            redone,
            progress.skipped,
            tuple(written),
            stopped,
            reader.without_artifact() if artifacts else 0,
            reader.lost(),
            reader.rows(),
            dict(troubles),
            reported_usd=reported if reported < cost else None,
            home=home,
        )


def _with_review(result: BatchResult, review: Path) -> BatchResult:
    """What the batch came to with the values that a person gave."""
    counts, found, lost = Counter[str](), set[str](), 0
    result = attrs.evolve(result, review=review)
    for row in result.rows():
        counts[row["status"]] += 1
        lost += row.get("lost", 0)
        found |= {row["content_hash"][:16]} if row["reviewed"] else set()
    reviewed = {path.name[:16] for path in (review / "reviewed").glob("*.json")}
    told = attrs.evolve(result, reviewed=len(found), reviewed_elsewhere=len(reviewed - found))
    return attrs.evolve(told, counts=dict(sorted(counts.items())), lost=lost)


@contextmanager
def _interruptible(progress: Progress) -> Iterator[threading.Event]:
    """The first Ctrl-C lets what is under way finish, the second one ends the run at once."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def ask(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        progress.stopping()

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
