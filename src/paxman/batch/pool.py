"""A pool of spawned processes that survives what documents do to it.

A worker has one batch at a time, so that a batch is never sent to a process that is about to die, and each document's
start is seen by the parent: one that takes too long, too much memory, or the process down is known by name.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple

import attrs

from paxman.batch.disk import writing
from paxman.batch.in_flight import DocumentClaims
from paxman.batch.job import Job, load_job
from paxman.batch.journal import NAME, JournalReader
from paxman.batch.sources import BatchItem
from paxman.batch.spending import FilePurse, pace_providers
from paxman.batch.work import Outcome, Task, find_work, guarded, open_item
from paxman.batch.work import failure as failed
from paxman.errors import ExecutionError, PaxmanError

_BATCH_SECONDS = 0.15
_MOST_ITEMS = 64
_LOOK_SECONDS = 0.1
_SOON = 0.01
_IDLE_SECONDS = 300.0
_OUT_OF_MEMORY = 86
MOST_BYTES = 8 << 20
"""Of documents that travel together."""
_NO_GUARD = "a script that starts a batch needs `if __name__ == '__main__':` around it"
_SIGNALLED = "somebody or the system ended it, twice; run the same command again: finished work is kept"
_IDLE, _STARTING = -1.0, -2.0
_WORKING, _READING = 0.0, 1.0
_CELLS = 3


@attrs.frozen
class Bounds:
    """What one document may use before its worker is ended."""

    seconds: float | None = 300.0
    memory_mb: int | None = 4_096

    @property
    def too_long(self) -> str:
        return f"took longer than {self.seconds:g} seconds"


Piece = BatchItem | Task
"""What a pool beside a journal is given, and one on another machine, where there is none."""
Pieces = Iterator[Piece] | Iterator[Piece | None]
"""They may come slowly: None says that there is nothing yet."""


Answer = tuple[int, list[Outcome], ExecutionError | None]
"""The number of a batch, what a worker has finished of it, and why it cannot go on."""


class _Batch(NamedTuple):
    items: tuple[Piece, ...]
    alone: bool = False


@contextmanager
def deaf() -> Iterator[None]:
    """What is started in here never hears Ctrl-C, from its first moment on; this process hears it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which would end the silence when it is started later
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Clock:
    """What each thread of a worker is at and since when, for the parent to see; it stands still while one waits."""

    def __init__(self, cells: Any) -> None:
        self._cells = cells
        self._count = itertools.count()
        self._own = threading.local()

    @property
    def _place(self) -> int:
        if not hasattr(self._own, "place"):
            self._own.place = _CELLS * next(self._count)
        place: int = self._own.place
        return place

    def begin(self, position: int, phase: float) -> None:
        at = self._place
        self._cells[at + 1], self._cells[at + 2], self._cells[at] = time.monotonic(), phase, position

    def end(self) -> None:
        self._cells[self._place] = _IDLE

    def wait(self, seconds: float) -> None:
        self._cells[self._place + 1] += seconds
        time.sleep(seconds)


def serve(pipe: Connection, encoded: bytes, folder: str, cells: Any) -> None:
    """What a worker process does until its pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with _telling(pipe.send, -1):
        _serve(pipe, encoded, Path(folder), cells)


@contextmanager
def _telling(send: Callable[[Answer], None], number: int) -> Iterator[None]:
    """What goes wrong is not a document's fault: the run must not go on and blame them one by one."""
    try:
        yield
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)
    except Exception as error:
        told = f"a worker failed: {error if isinstance(error, PaxmanError) else repr(error)}"
        send((number, [], error if isinstance(error, ExecutionError) else ExecutionError(told)))


def _serve(pipe: Connection, encoded: bytes, folder: Path, cells: Any) -> None:
    number, items = pipe.recv()
    job, clock = load_job(encoded), Clock(cells)
    desk = _Desk(folder) if (folder / NAME).exists() else None
    purse = FilePurse(folder / "spending.sqlite", job.budget)
    pace_providers(purse, job, clock.wait, at_once=desk is not None)
    clock.end()
    threads = ThreadPoolExecutor(job.threads) if job.threads > 1 else None
    under_way, telling = set[int](), threading.Lock()

    def send(answer: Answer) -> None:
        with telling:
            under_way.discard(answer[0])
            pipe.send(answer)

    def opened(item: BatchItem, job: Job) -> Task | Outcome:
        clock.begin(item.position, _READING)
        found = open_item(item, job)
        clock.end()
        return found

    def work(number: int, outcomes: list[Outcome], tasks: Sequence[Task]) -> None:
        with _telling(send, number):
            send((number, [*outcomes, *work_tasks(tasks, job, purse, clock)], purse.failed))

    while True:
        under_way.add(number)
        outcomes, tasks = desk.find(items, job, opened) if desk else ([], items)
        if threads and tasks:
            threads.submit(work, number, outcomes, tasks)
        else:
            work(number, outcomes, tasks)
        while not pipe.poll(_IDLE_SECONDS):
            if not under_way:
                return  # a pool on a cluster is never told that the run is over
        number, items = pipe.recv()


def work_tasks(tasks: Iterable[Task], job: Job, purse: FilePurse, clock: Clock) -> list[Outcome]:
    """What comes of some documents, one after the other, as far as the run can go on."""
    outcomes: list[Outcome] = []
    for task in tasks:
        clock.begin(task.position, _WORKING)
        outcome = guarded(task, job, purse)
        if purse.failed:  # which is not the document's fault
            break
        outcomes.append(outcome)
    clock.end()
    return outcomes


def _end_with_parent() -> None:
    """A parent that was killed leaves no worker behind, not even one whose document never ends."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


class _Desk:
    """Where a worker beside the journal finds out what there is to do."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._reader = JournalReader(folder)
        self._claims = DocumentClaims(folder)

    def find(self, items: Any, job: Job, opened: Callable[[BatchItem, Job], Task | Outcome]) -> Any:
        with writing(self._folder):
            return find_work(items, job, self._reader.done, self._reader.earlier, self._claims.shared, opened)


class _Worker:
    """One process, its pipe, and the clock on which its threads say what they are at."""

    def __init__(self, context: SpawnContext, encoded: bytes, folder: Path, threads: int, again: bool) -> None:
        self.again = again
        self.pipe, theirs = context.Pipe()
        self.cells = context.RawArray("d", [_STARTING, 0.0, _WORKING] + [_IDLE, 0.0, _WORKING] * threads)
        self.process: BaseProcess = context.Process(
            target=serve, args=(theirs, encoded, str(folder), self.cells), daemon=True
        )
        with deaf():
            self.process.start()
        theirs.close()
        self.batches: dict[int, tuple[_Batch, float]] = {}
        """What it has been given and has not answered, with the time of that."""
        self.threads = threads
        self.given = 0
        self.ended_for: tuple[str, frozenset[int]] | None = None
        self.failed: ExecutionError | None = None

    @property
    def room(self) -> int:
        """How many more batches it can be at; one whose document may end it is alone."""
        return 0 if any(batch.alone for batch, _ in self.batches.values()) else self.threads - len(self.batches)

    def give(self, batch: _Batch) -> None:
        self.given += 1
        self.batches[self.given] = batch, time.monotonic()
        try:
            self.pipe.send((self.given, batch.items))
        except OSError:
            self.process.join(1)  # it died while idle; the sentinel tells

    def take(self) -> tuple[list[Outcome], float]:
        answer: Answer = self.pipe.recv()
        number, outcomes, self.failed = answer
        _, since = self.batches.pop(number, (None, time.monotonic()))
        return outcomes, time.monotonic() - since

    def at(self) -> dict[int, tuple[float, float]]:
        """The documents that its threads are at: since when, and whether it only reads them."""
        cells = [tuple(self.cells[at : at + _CELLS]) for at in range(0, len(self.cells), _CELLS)]
        return {int(position): (since, phase) for position, since, phase in cells if position >= 0}

    def stop(self) -> None:
        self.pipe.close()
        self.process.join(2)
        self.kill()

    def kill(self) -> None:
        if self.process.is_alive():
            self.process.kill()
        self.process.join()

    def over(self, bounds: Bounds) -> tuple[str, frozenset[int]] | None:
        """Why documents that it is at have to end, if so, and which."""
        under_way = self.at() if self.batches else {}
        if not under_way:
            return None
        now = time.monotonic()
        late = [
            at for at, (since, _) in under_way.items() if bounds.seconds is not None and now - since > bounds.seconds
        ]
        if late:
            return bounds.too_long, frozenset(late)
        if bounds.memory_mb is not None and _resident_mb(self.process.pid) > bounds.memory_mb:
            return f"needed more than {bounds.memory_mb} MB of memory", frozenset(under_way)
        return None

    @property
    def ending(self) -> str:
        code = self.process.exitcode or 0
        return signal.Signals(-code).name if code < 0 else f"exit code {code}"

    def cause(self, bounds: Bounds) -> str:
        """What ended the process."""
        self.process.join()
        code = self.process.exitcode or 0
        if self.ended_for:
            return self.ended_for[0]
        if code == _OUT_OF_MEMORY:
            return f"needed more than {bounds.memory_mb} MB of memory"
        return f"ended its worker ({self.ending})"


def _resident_mb(pid: int | None) -> float:
    """Memory in use, where the system tells; elsewhere the limit is not kept."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, IndexError, ValueError):
        return 0.0


class Pool:
    """Keeps its workers busy from a stream of items and gives outcomes as they come."""

    def __init__(self, encoded: bytes, folder: Path, workers: int, bounds: Bounds, job: Job | None = None) -> None:
        self._job = job
        self._encoded = encoded
        self._folder = folder
        self._bounds = bounds
        self._threads = job.threads if job else load_job(encoded).threads
        self._context = multiprocessing.get_context("spawn")
        self._workers = [self._start() for _ in range(workers)]
        self._retries: deque[_Batch] = deque()
        self._size = 1
        self._more = True

    def _start(self, again: bool = False) -> _Worker:
        return _Worker(self._context, self._encoded, self._folder, self._threads, again)

    def run(self, items: Pieces) -> Iterator[list[Outcome]]:
        """Outcomes in the order in which they are ready. The next items are drawn only when a worker is near idle."""
        self._more = True
        ready = self._draw(items)
        while True:
            while given := self._give(ready):
                ready = (None if given is ready else ready) or (self._draw(items) if self._threads > 1 else None)
            busy = [worker for worker in self._workers if worker.batches]
            if not busy and not self._more:
                return
            ready = ready or self._draw(items)
            slow = self._more and not ready and any(worker.room for worker in self._workers)
            yield from self._collect(busy, _SOON if slow or not busy else _LOOK_SECONDS)

    def _give(self, ready: _Batch | None) -> _Batch | None:
        """The batch that a worker with room was given, of those that are tried again first."""
        batch = self._retries[0] if self._retries else ready
        worker = max(self._workers, key=lambda worker: worker.room)
        if not batch or not worker.room or (batch.alone and worker.batches):
            return None
        if self._retries:
            self._retries.popleft()
        worker.give(batch)
        return batch

    def _draw(self, items: Pieces) -> _Batch | None:
        """As many as there are by now, and no more than a worker should hold at once."""
        drawn: list[Piece] = []
        room = MOST_BYTES
        while self._more and len(drawn) < self._size and room > 0:
            try:
                item = next(items)
            except StopIteration:
                self._more = False
                break
            if item is None:
                break
            drawn.append(item)
            room -= len(item.data or b"")
        return _Batch(tuple(drawn)) if drawn else None

    def _collect(self, busy: list[_Worker], seconds: float) -> Iterator[list[Outcome]]:
        handles: dict[Any, _Worker] = {worker.pipe: worker for worker in busy}
        for handle in wait(list(handles), seconds):
            worker = handles[handle]
            try:
                outcomes, seconds = worker.take()
            except (EOFError, OSError):
                yield self._bury(worker)
                continue
            fitting = int(_BATCH_SECONDS * len(outcomes) / max(seconds, 1e-6))
            self._size = max(1, min(_MOST_ITEMS, fitting, self._size * 2))
            yield outcomes
            if worker.failed:
                raise worker.failed
        for worker in busy:
            if reason := worker.over(self._bounds):
                worker.ended_for = reason
                worker.process.kill()

    def _bury(self, worker: _Worker) -> list[Outcome]:
        """Replace a dead worker. The documents it was at are tried once more, each alone; then they have failed."""
        cause, starting, under_way = worker.cause(self._bounds), int(worker.cells[0]) == _STARTING, worker.at()
        worker.pipe.close()
        signalled = (worker.process.exitcode or 0) < 0
        if starting and (worker.again or not signalled):
            raise ExecutionError(f"a worker did not start: {worker.ending}; {_SIGNALLED if signalled else _NO_GUARD}")
        self._workers[self._workers.index(worker)] = self._start(again=starting)
        suspects = worker.ended_for[1] if worker.ended_for else frozenset(under_way)
        failures = []
        for batch, _ in worker.batches.values():
            if starting:
                self._retries.append(batch)
                continue
            guilty = [item for item in batch.items if item.position in suspects]
            guilty = guilty or (list(batch.items[:1]) if not suspects else [])
            others = tuple(item for item in batch.items if item not in guilty)
            if others:
                self._retries.append(_Batch(others))
            for item in guilty:
                if batch.alone:
                    unread = under_way.get(item.position, (0.0, _WORKING))[1] == _READING
                    failures.append(self._fail(item, f"the document {cause}, twice", unread))
                else:
                    self._retries.append(_Batch((item,), alone=True))
        return failures

    def _fail(self, piece: Piece, reason: str, unread: bool) -> Outcome:
        if isinstance(piece, Task):
            return failed(piece.item, reason, task=piece)
        if unread:  # which would end this process, too
            return failed(piece, reason)
        assert self._job
        found = open_item(piece, self._job)
        return found if isinstance(found, Outcome) else failed(piece, reason, task=found)

    def close(self) -> None:
        """Let idle workers go."""
        for worker in self._workers:
            worker.pipe.close()
        for worker in self._workers:
            worker.stop()

    def kill(self) -> None:
        """End all workers at once."""
        for worker in self._workers:
            worker.kill()
