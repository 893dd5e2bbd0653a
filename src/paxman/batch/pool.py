"""A pool of spawned processes that survives what documents do to it.

A worker has one batch at a time, so that a batch is never sent to a process that is about to die, and each document's
start is seen by the parent: one that takes too long, too much memory, or the process down is known by name.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple

import attrs

from paxman.batch.claims import DocumentClaims
from paxman.batch.disk import writing
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


Answer = tuple[list[Outcome], ExecutionError | None]
"""What a worker has finished of its batch, and why it cannot go on."""


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


def serve(pipe: Connection, encoded: bytes, folder: str, clock: Any) -> None:
    """What a worker process does until its pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        _serve(pipe, encoded, Path(folder), clock)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)
    except Exception as error:
        # Not a document's fault: the run must not go on and blame them one by one.
        told = f"a worker failed: {error if isinstance(error, PaxmanError) else repr(error)}"
        pipe.send(([], error if isinstance(error, ExecutionError) else ExecutionError(told)))


def _serve(pipe: Connection, encoded: bytes, folder: Path, clock: Any) -> None:
    items = pipe.recv()
    job = load_job(encoded)
    desk = _Desk(folder) if (folder / NAME).exists() else None
    purse = FilePurse(folder / "spending.sqlite", job.budget)
    pace_providers(purse, job.rate_limits, clock, at_once=desk is not None)
    clock[0] = _IDLE
    while True:
        pipe.send(_serve_batch(items, job, desk, purse, clock))
        if not pipe.poll(_IDLE_SECONDS):
            return  # a pool on a cluster is never told that the run is over
        items = pipe.recv()


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


def _serve_batch(items: Any, job: Job, desk: _Desk | None, purse: FilePurse, clock: Any) -> Answer:
    def opened(item: BatchItem, job: Job) -> Task | Outcome:
        clock[1], clock[2], clock[0] = time.monotonic(), _READING, item.position
        found = open_item(item, job)
        clock[0] = _IDLE
        return found

    outcomes: list[Outcome]
    outcomes, tasks = desk.find(items, job, opened) if desk else ([], items)
    for task in tasks:
        clock[1], clock[2], clock[0] = time.monotonic(), _WORKING, task.position
        outcome = guarded(task, job, purse)
        if purse.failed:  # which is not the document's fault
            break
        outcomes.append(outcome)
    clock[0] = _IDLE
    return outcomes, purse.failed


class _Worker:
    """One process, its pipe, and the clock on which it says what it is at."""

    def __init__(self, context: SpawnContext, encoded: bytes, folder: Path, again: bool) -> None:
        self.again = again
        self.pipe, theirs = context.Pipe()
        self.clock = context.RawArray("d", [_STARTING, 0.0, _WORKING])
        self.process: BaseProcess = context.Process(
            target=serve, args=(theirs, encoded, str(folder), self.clock), daemon=True
        )
        with deaf():
            self.process.start()
        theirs.close()
        self.batch: _Batch | None = None
        self.since = 0.0
        self.ended_for: str | None = None
        self.failed: ExecutionError | None = None

    def give(self, batch: _Batch) -> None:
        self.batch, self.since = batch, time.monotonic()
        try:
            self.pipe.send(batch.items)
        except OSError:
            self.process.join(1)  # it died while idle; the sentinel tells

    def take(self) -> tuple[list[Outcome], float]:
        answer: Answer = self.pipe.recv()
        outcomes, self.failed = answer
        self.batch = None
        return outcomes, time.monotonic() - self.since

    def stop(self) -> None:
        self.pipe.close()
        self.process.join(2)
        self.kill()

    def kill(self) -> None:
        if self.process.is_alive():
            self.process.kill()
        self.process.join()

    def over(self, bounds: Bounds) -> str | None:
        """Why the document that it is at has to end, if so."""
        position, started, _ = self.clock
        if self.batch is None or position < 0:
            return None
        if bounds.seconds is not None and time.monotonic() - started > bounds.seconds:
            return bounds.too_long
        if bounds.memory_mb is not None and _resident_mb(self.process.pid) > bounds.memory_mb:
            return f"needed more than {bounds.memory_mb} MB of memory"
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
            return self.ended_for
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
        self._context = multiprocessing.get_context("spawn")
        self._workers = [self._start() for _ in range(workers)]
        self._retries: deque[_Batch] = deque()
        self._size = 1
        self._more = True

    def _start(self, again: bool = False) -> _Worker:
        return _Worker(self._context, self._encoded, self._folder, again)

    def run(self, items: Pieces) -> Iterator[list[Outcome]]:
        """Outcomes in the order in which they are ready. The next items are drawn only when a worker is near idle."""
        self._more = True
        ready = self._draw(items)
        while True:
            for worker in self._workers:
                if worker.batch is None and (batch := self._next(ready)):
                    worker.give(batch)
                    ready = None if batch is ready else ready
            busy = [worker for worker in self._workers if worker.batch]
            if not busy and not self._more:
                return
            ready = ready or self._draw(items)
            slow = self._more and not ready and len(busy) < len(self._workers)
            yield from self._collect(busy, _SOON if slow or not busy else _LOOK_SECONDS)

    def _next(self, ready: _Batch | None) -> _Batch | None:
        return self._retries.popleft() if self._retries else ready

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
            self._adjust(len(outcomes), seconds)
            yield outcomes
            if worker.failed:
                raise worker.failed
        for worker in busy:
            if worker.batch and (reason := worker.over(self._bounds)):
                worker.ended_for = reason
                worker.process.kill()

    def _adjust(self, count: int, seconds: float) -> None:
        """Batches as large as is worked off in a moment: large enough for the pipe, small enough to lose."""
        fitting = int(_BATCH_SECONDS * count / max(seconds, 1e-6))
        self._size = max(1, min(_MOST_ITEMS, fitting, self._size * 2))

    def _bury(self, worker: _Worker) -> list[Outcome]:
        """Replace a dead worker. The document it was at is tried once more, alone; then it has failed."""
        batch, at, cause = worker.batch, int(worker.clock[0]), worker.cause(self._bounds)
        worker.pipe.close()
        signalled = (worker.process.exitcode or 0) < 0
        if at == _STARTING and (worker.again or not signalled):
            raise ExecutionError(f"a worker did not start: {worker.ending}; {_SIGNALLED if signalled else _NO_GUARD}")
        self._workers[self._workers.index(worker)] = self._start(again=at == _STARTING)
        if batch is None:
            return []
        if at == _STARTING:
            self._retries.append(batch)
            return []
        guilty = [item for item in batch.items if item.position == at] or list(batch.items[:1])
        others = tuple(item for item in batch.items if item not in guilty)
        if others:
            self._retries.append(_Batch(others))
        if not batch.alone:
            self._retries.append(_Batch(tuple(guilty), alone=True))
            return []
        unread = worker.clock[2] == _READING
        return [self._fail(item, f"the document {cause}, twice", unread) for item in guilty]

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
