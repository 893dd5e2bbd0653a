"""The same per-batch function on Dask, Ray Data and Spark. Documents travel with their bytes, the journal stays."""

from __future__ import annotations

import os
import pickle
import sys
from collections import deque
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import islice
from typing import Any

import attrs

from paxman.batch.job import Job
from paxman.batch.journal import Reader
from paxman.batch.sources import Item
from paxman.batch.spending import FilePurse, Lease
from paxman.batch.tables import need
from paxman.batch.work import Outcome, Task, find_work, work
from paxman.budget import Budget
from paxman.errors import ConfigurationError

_BATCH = 32
_BATCHES_PER_WORKER = 4
Record = Callable[[list[Outcome]], None]
Shipment = tuple[bytes, bytes, Budget]
"""Pickled tasks, the encoded job, and the share of the budget that they may spend."""


def run_on_engine(engine: str, items: Iterator[Item], job: Job, reader: Reader, workers: int, record: Record) -> None:
    """Work on a cluster: the one that the process is connected to, or else a local one."""
    engines = {"dask": _on_dask, "ray": _on_ray, "spark": _on_spark}
    if engine not in engines:
        raise ConfigurationError(f"no engine named {engine!r}: there are local, {', '.join(engines)}")
    desk = _Desk(items, job, reader, workers, record)
    for answers in engines[engine](desk, workers):
        for answer in answers:
            desk.settle(answer)


class _Desk:
    """Hands out shipments and takes them back; money is leased with each and what was not spent returns."""

    def __init__(self, items: Iterator[Item], job: Job, reader: Reader, workers: int, record: Record) -> None:
        self._items = items
        self._job = job
        self._encoded = job.encode()
        self._reader = reader
        self._purse = FilePurse(reader.folder / "spending.sqlite", job.budget)
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
        return pickle.dumps(tasks), self._encoded, attrs.evolve(self._job.budget, **_caps(lease))

    def _lease(self) -> Budget:
        usd, calls = self._purse.spent()
        most, cap = self._job.budget.max_remote_inference_calls, self._job.budget.max_total_cost_usd
        share = Budget(
            max_total_cost_usd=None if cap is None else max(cap - usd, Decimal(0)) / self._slots,
            max_remote_inference_calls=None if most is None else max(most - calls, 0) // self._slots,
        )
        self._purse.take(share.max_total_cost_usd or Decimal(0), share.max_remote_inference_calls or 0)
        return share

    def settle(self, answer: bytes) -> None:
        """Record the outcomes in an answer; of the lease only what they cost stays spent."""
        first, outcomes, usd, calls = pickle.loads(answer)
        lease = self._leases.pop(first)
        self._purse.give_back(
            (lease.max_total_cost_usd or Decimal(0)) - usd, (lease.max_remote_inference_calls or 0) - calls
        )
        self._record(outcomes)


def _caps(lease: Budget) -> dict[str, Any]:
    return {
        "max_total_cost_usd": lease.max_total_cost_usd,
        "max_remote_inference_calls": lease.max_remote_inference_calls,
    }


def work_shipment(shipment: Shipment) -> bytes:
    """What runs on the cluster."""
    packed, encoded, budget = shipment
    tasks: list[Task] = pickle.loads(packed)
    lease = Lease(budget)
    outcomes = work(tasks, encoded, lease)
    return pickle.dumps((tasks[0].item.position, outcomes, lease.usd, lease.calls))


def _on_dask(desk: _Desk, workers: int) -> Iterator[list[bytes]]:
    """Through the current client, or a local cluster; Dask itself gives a lost worker's batches to others."""
    distributed = need("distributed", "dask")
    try:
        client, own = distributed.get_client(), False
    except ValueError:
        client, own = distributed.Client(n_workers=workers, threads_per_worker=1, dashboard_address=None), True
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
    return sql.SparkSession.builder.master(f"local[{workers}]").config("spark.ui.enabled", "false").getOrCreate()


def work_record_batches(batches: Iterator[Any]) -> Iterator[Any]:
    """What Spark runs on each partition."""
    import pyarrow

    for batch in batches:
        answers = [work_shipment(pickle.loads(packed.as_py())) for packed in batch.column(0)]
        yield pyarrow.record_batch([pyarrow.array(answers, pyarrow.binary())], ["answer"])
