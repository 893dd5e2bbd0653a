"""The same workers on Dask, Ray Data and Spark. Documents travel with their bytes, the journal stays."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import signal
import sys
import tempfile
import threading
import weakref
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import attrs

from paxman.batch.in_flight import DocumentClaims
from paxman.batch.job import Job
from paxman.batch.journal import JournalReader
from paxman.batch.pool import MOST_BYTES, Bounds, Pool, deaf
from paxman.batch.reuse import Prior
from paxman.batch.sources import BatchItem
from paxman.batch.spending import FilePurse
from paxman.batch.work import Outcome, Task, failure, find_work, open_item
from paxman.budget import Budget
from paxman.errors import ConfigurationError, ExecutionError, PaxmanError, need


def run_on_engine(
    engine: str,
    items: Iterator[BatchItem | None],
    job: Job,
    reader: JournalReader,
    workers: int,
    bounds: Bounds,
    record: Record,
) -> None:
    """Work on a cluster: the one that the process is connected to, or else a local one."""
    engines = {"dask": _on_dask, "ray": _on_ray, "spark": _on_spark}
    if engine not in engines:
        raise ConfigurationError(f"no engine named {engine!r}: there are local, {', '.join(engines)}")
    try:
        with closing(Scheduler(items, job, reader, workers, bounds, record)) as desk:
            for answers in engines[engine](desk, workers):
                for answer in answers:
                    desk.settle(answer)
    except PaxmanError:
        raise
    except Exception as error:
        advice = "run the same command again to go on: finished work is kept"
        raise ExecutionError(f"{engine} failed with {type(error).__name__}; {advice}") from error


def _on_dask(desk: Scheduler, workers: int) -> Iterator[list[bytes]]:
    """Through the current client, or a local cluster; Dask itself gives a lost worker's batches to others."""
    distributed = need("distributed", "dask")
    try:
        client, own = distributed.get_client(), False
    except ValueError:
        import dask

        address = dask.config.get("scheduler-address", None)
        local = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
        client, own = _started(distributed.Client, **({"address": address} if address else local)), True
    running: deque[tuple[Any, Any]] = deque()
    try:
        while True:
            running.extend(_submit(client, shipment) for shipment in desk.window())
            if not running:
                return
            future, tickets = running.popleft()
            yield [future.result()]
            if tickets:
                tickets.close()
    finally:
        if own:
            client.close()


def _started(client: Callable[..., Any], **place: Any) -> Any:
    """With threads and processes that do not hear Ctrl-C, while this thread goes on to."""
    found: Future[Any] = Future()
    with deaf():
        threading.Thread(target=fulfil, args=(found, partial(client, **place)), daemon=True).start()
    return found.result()


def _submit(client: Any, shipment: RemoteBatch) -> tuple[Any, Any]:
    """The future, and the queue with the one ticket, which is there for as long as somebody holds it."""
    tickets = need("distributed", "dask").Queue(shipment.ticket, client) if shipment.ticket else None
    if tickets:
        tickets.put(True)
    return client.submit(_work_on_dask, shipment, pure=False), tickets


def _work_on_dask(shipment: RemoteBatch) -> bytes:
    return work_shipment(shipment, _take_on_dask)


def _take_on_dask(ticket: str) -> bool:
    """The scheduler holds it, and gives it once."""
    queue = need("distributed", "dask").Queue(ticket)
    try:
        return bool(queue.get(batch=True))
    finally:
        queue.close()


def _on_ray(desk: Scheduler, workers: int) -> Iterator[list[bytes]]:
    ray, data = need("ray", "ray"), need("ray.data", "ray")
    tickets: Any = None

    def take(ticket: str) -> bool:
        taken: bool = ray.get(tickets.take.remote(ticket))
        return taken

    def work_row(row: dict[str, Any]) -> dict[str, Any]:
        return {"answer": work_shipment(pickle.loads(row["shipment"]), take)}

    data.DataContext.get_current().enable_progress_bars = False
    while shipments := list(desk.window()):
        if tickets is None and any(shipment.ticket for shipment in shipments):
            tickets = ray.remote(num_cpus=0)(_Tickets).remote()
        rows = [{"shipment": pickle.dumps(shipment)} for shipment in shipments]
        answers = data.from_items(rows, override_num_blocks=len(rows)).map(work_row).take_all()
        yield [row["answer"] for row in answers]


class _Tickets:
    """Those that were taken, in a process of its own on the cluster."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, ticket: str) -> bool:
        first = ticket not in self._taken
        self._taken.add(ticket)
        return first


def _on_spark(desk: Scheduler, workers: int) -> Iterator[list[bytes]]:
    sql = need("pyspark.sql", "spark")
    spark = sql.SparkSession.getActiveSession() or _local_spark(sql, workers)
    while shipments := list(desk.window()):
        rows = [(pickle.dumps(shipment),) for shipment in shipments]
        # One task for each without a shuffle, whose loss would begin the stage anew and count attempts from zero.
        spread = spark.sparkContext.parallelize(rows, len(rows)) if hasattr(spark, "sparkContext") else rows
        frame = spark.createDataFrame(spread, "shipment binary")
        answers = frame.mapInArrow(work_record_batches, "answer binary").collect()
        yield [bytes(row["answer"]) for row in answers]


def _local_spark(sql: Any, workers: int) -> Any:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # otherwise the first python3 on the path
    builder = sql.SparkSession.builder.config("spark.ui.enabled", "false")
    told = "--master" in os.environ.get("PYSPARK_SUBMIT_ARGS", "")
    before = signal.getsignal(signal.SIGINT)
    session = (builder if told else builder.master(f"local[{workers}]")).getOrCreate()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, before)  # Spark's would end everything at the first Ctrl-C
    return session


def work_record_batches(batches: Iterator[Any]) -> Iterator[Any]:
    """What Spark runs on each partition."""
    import pyarrow

    for batch in batches:
        answers = [work_shipment(pickle.loads(packed.as_py()), _take_on_spark) for packed in batch.column(0)]
        yield pyarrow.record_batch([pyarrow.array(answers, pyarrow.binary())], ["answer"])


def _take_on_spark(ticket: str) -> bool:
    """Spark counts how often it has begun a task."""
    first: bool = need("pyspark", "spark").TaskContext.get().attemptNumber() == 0
    return first


_BATCH = 32
_BATCHES_PER_WORKER = 4
_MOST_LOSSES = 3
Record = Callable[[list[Outcome]], None]


class RemoteBatch(NamedTuple):
    """What travels to a worker. With a ticket it holds money, and only who has the ticket may spend it."""

    tasks: bytes
    job: bytes
    bounds: Bounds
    kept: tuple[Decimal, int]
    """The money and the calls of the budget that are not its to spend."""
    ticket: str | None


class Scheduler:
    """Hands out shipments and takes them back; money is leased with each and what was not spent returns."""

    def __init__(
        self,
        items: Iterator[BatchItem | None],
        job: Job,
        reader: JournalReader,
        workers: int,
        bounds: Bounds,
        record: Record,
    ) -> None:
        self._items = items
        self._job = job
        # With rates there is only one batch for each worker under way, so that each can have its share of them.
        self._slots = max(1, workers * (1 if job.rate_limits else _BATCHES_PER_WORKER))
        rates = {name: rate / self._slots for name, rate in job.rate_limits.items()}
        self._encoded = attrs.evolve(job, rate_limits=rates).encode()
        self._reader = reader
        self._claims = DocumentClaims(reader.folder)
        self._purse = FilePurse(reader.folder / "spending.sqlite", job.budget)
        self._bounds = bounds
        self._record = record
        self._leases: dict[int, _Lease] = {}
        self._lost: deque[list[Task]] = deque()
        self._refused: deque[list[Task]] = deque()
        self._first_tries: dict[int, Outcome] = {}
        self._broke = False
        self._losses: Counter[int] = Counter()

    def close(self) -> None:
        self._claims.close()

    def window(self) -> Iterator[RemoteBatch]:
        """As many shipments as may be under way by now. What was too dear for its share goes alone, with all."""
        if self._refused:
            if not self._leases:
                yield self._ship(self._refused.popleft(), 1)
            return
        while (free := self._slots - len(self._leases)) and (tasks := self._next()):
            yield self._ship(tasks, free)

    def _next(self) -> list[Task] | None:
        """The next batch that has work in it."""
        if self._lost:
            return self._lost.popleft()
        look = self._reader.done, self._reader.earlier, self._claims.shared, self._opened
        while items := self._draw():
            known, tasks = find_work(items, self._job, *look)
            if known:
                self._record(known)
            if tasks:
                return tasks
        return None

    def _opened(self, item: BatchItem, job: Job) -> Task | Outcome:
        """Not by this thread, which would wait for a file that never comes."""
        for _ in range(2 if item.path else 0):
            found: Future[Task | Outcome] = Future()
            threading.Thread(target=fulfil, args=(found, open_item, item, job), daemon=True).start()
            try:
                return found.result(self._bounds.seconds)
            except TimeoutError:
                continue
        return failure(item, f"the document {self._bounds.too_long}, twice") if item.path else open_item(item, job)

    def _draw(self) -> list[BatchItem]:
        """As many as there are by now; more are waited for only when nothing else is under way."""
        drawn: list[BatchItem] = []
        room = MOST_BYTES
        for item in self._items:
            if item is not None:
                drawn.append(item)
                room -= len(item.data or b"")
            if len(drawn) == _BATCH or room <= 0 or (item is None and (drawn or self._leases)):
                break
        return drawn

    def _ship(self, tasks: list[Task], among: int) -> RemoteBatch:
        """A batch with its part of the money that is left among so many."""
        whole = among == 1 and not self._leases
        lease = self._lease(among)
        self._leases[tasks[0].position] = _Lease(lease, tasks, whole)
        usd, calls = self._job.budget.max_total_cost_usd, self._job.budget.max_remote_inference_calls
        kept = (usd or Decimal(0)) - (lease.max_total_cost_usd or 0), (calls or 0) - _calls(lease)
        ticket = f"paxman-{uuid4().hex}" if lease.max_total_cost_usd or _calls(lease) else None
        return RemoteBatch(pickle.dumps(tasks), self._encoded, self._bounds, kept, ticket)

    def _lease(self, among: int) -> Budget:
        usd, calls = self._purse.spent()
        most, cap = self._job.budget.max_remote_inference_calls, self._job.budget.max_total_cost_usd
        share = Budget(
            max_total_cost_usd=None if cap is None else max(cap - usd, Decimal(0)) / among,
            max_remote_inference_calls=None if most is None else max(most - calls, 0) // among,
        )
        self._purse.take(share.max_total_cost_usd or Decimal(0), _calls(share))
        return share

    def settle(self, answer: bytes) -> None:
        """Record the outcomes in an answer; of the lease only what they cost stays spent."""
        found = pickle.loads(answer)
        if isinstance(found, PaxmanError):
            raise found
        if isinstance(found, list):
            self._ship_again(found)
            return
        first, outcomes, usd, calls = found
        lease, tasks, whole = self._leases.pop(first)
        self._purse.give_back((lease.max_total_cost_usd or Decimal(0)) - usd, _calls(lease) - calls)
        if whole and not (usd or calls) and any(outcome.refused for outcome in outcomes):
            self._broke = True
        if not (whole or self._broke):
            # Those that had their money; the others are sent again, with what was found for them.
            short = {outcome.position: outcome for outcome in outcomes if outcome.refused}
            again = [task._replace(priors=(_prior(short[task.position]),)) for task in tasks if task.position in short]
            if again:
                self._refused.append(again)
                self._first_tries.update(short)
            outcomes = [outcome for outcome in outcomes if not outcome.refused]
        self._record([self._with_first_try(outcome) for outcome in outcomes])

    def _with_first_try(self, outcome: Outcome) -> Outcome:
        """What it cost both times, and as much of it reused as was in the first one."""
        first = self._first_tries.pop(outcome.position, None)
        if first is None:
            return outcome
        cost = str(Decimal(first.cost_usd) + Decimal(outcome.cost_usd))
        return outcome._replace(cost_usd=cost, reused=first.reused, redone=first.redone)

    def _ship_again(self, tasks: list[Task]) -> None:
        """Those of a lost worker. What it had is gone: it may have been spent."""
        first = tasks[0].position
        del self._leases[first]
        self._lost.append(tasks)
        self._losses[first] += 1
        if self._losses[first] > _MOST_LOSSES:
            place = f"the batch that begins with {tasks[0].item.source}"
            raise ExecutionError(f"{place} was lost with its worker {self._losses[first]} times; finished work is kept")


class _Lease(NamedTuple):
    """What a shipment under way may spend, and whether that is all there was."""

    share: Budget
    tasks: list[Task]
    whole: bool


def _prior(outcome: Outcome) -> Prior:
    return Prior(json.loads(outcome.parts), outcome.row or b"", outcome.fields, outcome.remote_calls)


def fulfil(promise: Future[Any], function: Callable[..., Any], *arguments: Any) -> None:
    try:
        promise.set_result(function(*arguments))
    except BaseException as error:
        promise.set_exception(error)


def _calls(lease: Budget) -> int:
    return lease.max_remote_inference_calls or 0


def work_shipment(shipment: RemoteBatch, take: Callable[[str], bool]) -> bytes:
    """What runs on the cluster, with a process of its own for the documents: they fail there as they do locally.

    Clusters run the work of a lost worker again. If there is money in it, the ticket is taken by then, and the tasks
    go back as they came.
    """
    tasks: list[Task] = pickle.loads(shipment.tasks)
    if shipment.ticket and not take(shipment.ticket):
        return shipment.tasks
    try:
        if getattr(_here, "mark", None) != (shipment.job, shipment.bounds):
            _here.__dict__.clear()
            _here.station, _here.mark = _WorkerPool(shipment.job, shipment.bounds), (shipment.job, shipment.bounds)
        found: _WorkerPool = _here.station
        outcomes, usd, calls = found.work(tasks, *shipment.kept)
    except PaxmanError as error:
        _here.__dict__.clear()
        return pickle.dumps(error)
    return pickle.dumps((tasks[0].position, outcomes, usd, calls))


_here = threading.local()


class _WorkerPool:
    """A pool of one process on a cluster's worker, and the purse that it takes from."""

    def __init__(self, encoded: bytes, bounds: Bounds) -> None:
        self._home = tempfile.TemporaryDirectory(prefix="paxman-")
        multiprocessing.current_process().daemon = False  # Dask's are, and those may not have children
        self._pool = Pool(encoded, Path(self._home.name), 1, bounds)
        weakref.finalize(self, self._pool.kill)

    def work(self, tasks: list[Task], usd: Decimal, calls: int) -> tuple[list[Outcome], Decimal, int]:
        """The outcomes and what they cost, where so much of the budget counts as spent already."""
        purse = FilePurse(Path(self._home.name) / "spending.sqlite", Budget())
        spent, called = purse.spent()
        purse.give_back(spent - usd, called - calls)
        outcomes = [outcome for found in self._pool.run(iter(tasks)) for outcome in found]
        spent, called = purse.spent()
        return outcomes, spent - usd, called - calls
