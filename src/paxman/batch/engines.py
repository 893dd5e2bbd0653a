"""The same workers on Dask, Ray Data and Spark. Documents travel with their bytes, the journal stays."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from functools import partial
from typing import Any

from paxman.batch.job import Job
from paxman.batch.journal import JournalReader
from paxman.batch.pool import Bounds, deaf
from paxman.batch.shipments import Desk, Record, Shipment, fulfil, work_shipment
from paxman.batch.sources import BatchItem
from paxman.batch.tables import need
from paxman.errors import ConfigurationError, ExecutionError, PaxmanError


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
        with closing(Desk(items, job, reader, workers, bounds, record)) as desk:
            for answers in engines[engine](desk, workers):
                for answer in answers:
                    desk.settle(answer)
    except PaxmanError:
        raise
    except Exception as error:
        advice = "run the same command again to go on: finished work is kept"
        raise ExecutionError(f"{engine} failed with {type(error).__name__}; {advice}") from error


def _on_dask(desk: Desk, workers: int) -> Iterator[list[bytes]]:
    """Through the current client, or a local cluster; Dask itself gives a lost worker's batches to others."""
    distributed = need("distributed", "dask")
    try:
        client, own = distributed.get_client(), False
    except ValueError:
        client, own = _started(distributed.Client, **_place(workers)), True
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


def _submit(client: Any, shipment: Shipment) -> tuple[Any, Any]:
    """The future, and the queue with the one ticket, which is there for as long as somebody holds it."""
    tickets = need("distributed", "dask").Queue(shipment.ticket, client) if shipment.ticket else None
    if tickets:
        tickets.put(True)
    return client.submit(_work_on_dask, shipment, pure=False), tickets


def _work_on_dask(shipment: Shipment) -> bytes:
    return work_shipment(shipment, _take_on_dask)


def _take_on_dask(ticket: str) -> bool:
    """The scheduler holds it, and gives it once."""
    queue = need("distributed", "dask").Queue(ticket)
    try:
        return bool(queue.get(batch=True))
    finally:
        queue.close()


def _place(workers: int) -> dict[str, Any]:
    """The cluster that DASK_SCHEDULER_ADDRESS names, or one on this machine."""
    import dask

    address = dask.config.get("scheduler-address", None)
    local = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None}
    return {"address": address} if address else local


def _on_ray(desk: Desk, workers: int) -> Iterator[list[bytes]]:
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


def _on_spark(desk: Desk, workers: int) -> Iterator[list[bytes]]:
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
