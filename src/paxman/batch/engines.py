"""The same workers on Dask, Ray Data and Spark. Documents travel with their bytes, the journal stays."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import sys
import tempfile
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any

from paxman.batch.job import Job
from paxman.batch.journal import Reader
from paxman.batch.pool import Bounds, Pool
from paxman.batch.sources import Item
from paxman.batch.spending import FilePurse
from paxman.batch.tables import need
from paxman.batch.work import Outcome, Task, find_work
from paxman.budget import Budget
from paxman.errors import ConfigurationError, ExecutionError, PaxmanError

_BATCH = 32
_BATCHES_PER_WORKER = 4
Record = Callable[[list[Outcome]], None]
Shipment = tuple[bytes, bytes, Bounds, tuple[Decimal, int]]
"""Pickled tasks, the encoded job, what a document may use, and the money and calls that are not theirs to spend."""


def run_on_engine(
    engine: str, items: Iterator[Item], job: Job, reader: Reader, workers: int, bounds: Bounds, record: Record
) -> None:
    """Work on a cluster: the one that the process is connected to, or else a local one."""
    engines = {"dask": _on_dask, "ray": _on_ray, "spark": _on_spark}
    if engine not in engines:
        raise ConfigurationError(f"no engine named {engine!r}: there are local, {', '.join(engines)}")
    desk = _Desk(items, job, reader, workers, bounds, record)
    try:
        for answers in engines[engine](desk, workers):
            for answer in answers:
                desk.settle(answer)
    except PaxmanError:
        raise
    except Exception as error:
        advice = "run the same command again to go on: finished work is kept"
        raise ExecutionError(f"{engine} failed with {type(error).__name__}; {advice}") from error


class _Desk:
    """Hands out shipments and takes them back; money is leased with each and what was not spent returns."""

    def __init__(
        self, items: Iterator[Item], job: Job, reader: Reader, workers: int, bounds: Bounds, record: Record
    ) -> None:
        self._items = items
        self._job = job
        self._encoded = job.encode()
        self._reader = reader
        self._purse = FilePurse(reader.folder / "spending.sqlite", job.budget)
        self._bounds = bounds
        self._slots = max(1, workers * _BATCHES_PER_WORKER)
        self._record = record
        self._leases: dict[int, Budget] = {}

    def next(self) -> Shipment | None:
        """The next batch that has work in it."""
        while items := list(islice(self._items, _BATCH)):
            known, tasks = find_work(items, self._job, self._reader.done, self._reader.earlier)
            if known:
                self._record(known)
            if tasks:
                return self._ship(tasks)
        return None

    def window(self) -> Iterator[Shipment]:
        """As many shipments as are under way at once."""
        return islice(iter(self.next, None), self._slots)

    def _ship(self, tasks: list[Task]) -> Shipment:
        lease = self._lease()
        self._leases[tasks[0].item.position] = lease
        usd, calls = self._job.budget.max_total_cost_usd, self._job.budget.max_remote_inference_calls
        rest = (usd or Decimal(0)) - (lease.max_total_cost_usd or 0), (calls or 0) - _calls(lease)
        return pickle.dumps(tasks), self._encoded, self._bounds, rest

    def _lease(self) -> Budget:
        usd, calls = self._purse.spent()
        most, cap = self._job.budget.max_remote_inference_calls, self._job.budget.max_total_cost_usd
        share = Budget(
            max_total_cost_usd=None if cap is None else max(cap - usd, Decimal(0)) / self._slots,
            max_remote_inference_calls=None if most is None else max(most - calls, 0) // self._slots,
        )
        self._purse.take(share.max_total_cost_usd or Decimal(0), _calls(share))
        return share

    def settle(self, answer: bytes) -> None:
        """Record the outcomes in an answer; of the lease only what they cost stays spent."""
        found = pickle.loads(answer)
        if isinstance(found, PaxmanError):
            raise found
        first, outcomes, usd, calls = found
        lease = self._leases.pop(first)
        self._purse.give_back((lease.max_total_cost_usd or Decimal(0)) - usd, _calls(lease) - calls)
        self._record(outcomes)


def _calls(lease: Budget) -> int:
    return lease.max_remote_inference_calls or 0


def work_shipment(shipment: Shipment) -> bytes:
    """What runs on the cluster, with a process of its own for the documents: they fail there as they do locally."""
    packed, encoded, bounds, rest = shipment
    tasks: list[Task] = pickle.loads(packed)
    try:
        outcomes, usd, calls = _station(encoded, bounds).work(tasks, *rest)
    except PaxmanError as error:
        _here.__dict__.clear()
        return pickle.dumps(error)
    return pickle.dumps((tasks[0].position, outcomes, usd, calls))


_here = threading.local()


def _station(encoded: bytes, bounds: Bounds) -> _Station:
    """This thread's own, for as long as the job is the same."""
    if getattr(_here, "mark", None) != (encoded, bounds):
        _here.__dict__.clear()
        _here.station, _here.mark = _Station(encoded, bounds), (encoded, bounds)
    found: _Station = _here.station
    return found


class _Station:
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


def _on_dask(desk: _Desk, workers: int) -> Iterator[list[bytes]]:
    """Through the current client, or a local cluster; Dask itself gives a lost worker's batches to others."""
    distributed = need("distributed", "dask")
    try:
        client, own = distributed.get_client(), False
    except ValueError:
        client, own = distributed.Client(**_place(workers)), True
    try:
        running = deque(client.submit(work_shipment, shipment, pure=False) for shipment in desk.window())
        while running:
            answer = running.popleft().result()
            shipment = desk.next()
            if shipment:
                running.append(client.submit(work_shipment, shipment, pure=False))
            yield [answer]
    finally:
        if own:
            client.close()


def _place(workers: int) -> dict[str, Any]:
    """The cluster that DASK_SCHEDULER_ADDRESS names, or one on this machine."""
    import dask

    address = dask.config.get("scheduler-address", None)
    local = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
    return {"address": address} if address else local


def _on_ray(desk: _Desk, workers: int) -> Iterator[list[bytes]]:
    data = need("ray.data", "ray")

    def work_row(row: dict[str, Any]) -> dict[str, Any]:
        return {"answer": work_shipment(pickle.loads(row["shipment"]))}

    data.DataContext.get_current().enable_progress_bars = False
    while shipments := list(desk.window()):
        rows = [{"shipment": pickle.dumps(shipment)} for shipment in shipments]
        answers = data.from_items(rows, override_num_blocks=len(rows)).map(work_row).take_all()
        yield [row["answer"] for row in answers]


def _on_spark(desk: _Desk, workers: int) -> Iterator[list[bytes]]:
    sql = need("pyspark.sql", "spark")
    spark = sql.SparkSession.getActiveSession() or _local_spark(sql, workers)
    while shipments := list(desk.window()):
        rows = [(pickle.dumps(shipment),) for shipment in shipments]
        frame = spark.createDataFrame(rows, "shipment binary").repartition(len(rows))
        answers = frame.mapInArrow(work_record_batches, "answer binary").collect()
        yield [bytes(row["answer"]) for row in answers]


def _local_spark(sql: Any, workers: int) -> Any:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # otherwise the first python3 on the path
    builder = sql.SparkSession.builder.config("spark.ui.enabled", "false")
    told = "--master" in os.environ.get("PYSPARK_SUBMIT_ARGS", "")
    return (builder if told else builder.master(f"local[{workers}]")).getOrCreate()


def work_record_batches(batches: Iterator[Any]) -> Iterator[Any]:
    """What Spark runs on each partition."""
    import pyarrow

    for batch in batches:
        answers = [work_shipment(pickle.loads(packed.as_py())) for packed in batch.column(0)]
        yield pyarrow.record_batch([pyarrow.array(answers, pyarrow.binary())], ["answer"])
