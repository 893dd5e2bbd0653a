"""Native parsers run in a helper process that can be killed, with limits on its time and memory.

A helper is started once, serves one document after the other, and is replaced when it dies.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import attrs

from paxman.documents.document import Document, PageBox
from paxman.documents.reading import SECOND, Limits, allowance, unreadable
from paxman.documents.sandbox import kept_readings
from paxman.documents.sandbox.helper import UnreadableError, describe, read_frame, write_frame
from paxman.documents.sandbox.isolation import environment
from paxman.errors import to_install
from paxman.types import Diagnostic, Severity

_START_SECONDS = 120.0
_PATIENCE = 10
"""Seconds that a busy machine may need for a second of processor time."""
_RECYCLE_AFTER = 500
"""Documents per helper: bounds what a leaking parser can pile up, at less than a millisecond a document."""
_BOOT = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from paxman.documents.sandbox.helper import serve; "
_HOME = str(Path(__file__).resolve().parents[3])
_EXTRAS = {"pdf": "pypdfium2", "office": "python_calamine", "ocr": "rapidocr"}


def diagnostic(error: UnreadableError, severity: Severity = Severity.ERROR) -> Diagnostic:
    return unreadable(error.reason, error.advice, severity, **error.context)


def unreadable_document(kind: str, error: UnreadableError) -> Document:
    """An empty document that says why it is empty."""
    return Document(kind, "", lambda span: PageBox(1, (0, 0, 0, 0)), diagnostics=(diagnostic(error),))


def require(extra: str) -> None:
    """Raise unless the library behind an extra is installed."""
    if find_spec(_EXTRAS[extra]) is None:
        advice = f"Run: {to_install(extra)}"
        raise UnreadableError(f"reading this needs {_EXTRAS[extra]}, which is not installed", advice, extra=extra)


@attrs.frozen
class Reply:
    """What a job gives back: plain data, and blocks of bytes."""

    meta: dict[str, Any]
    blocks: list[bytes]


def run(job: str, data: bytes, options: Mapping[str, Any], limits: Limits) -> Reply:
    """Run a job of the helper on these bytes; raises UnreadableError when it fails, dies or is too much work.

    The steps that it took are taken from those left for the document.
    """
    left = allowance(limits)
    if left.steps <= 0:
        advice = "Split the document, or allow more with Limits(max_steps=...)"
        raise UnreadableError("the steps allowed for the document are used up", advice, limit="max_steps")
    allowed = {**options, "max_steps": left.steps}
    header = {"job": job, "options": allowed, "memory_mb": limits.max_memory_mb, "seconds": limits.max_seconds}
    place = kept_readings.place_of(job, data, allowed)
    if place and (kept := kept_readings.recall(place)):
        left.steps -= kept[0].get("steps", 0)
        return Reply(*kept)
    try:
        reply = _attempt(header, data)
    except HelperDied as death:
        # What hangs in one part of a document may do so in all of them.
        left.steps -= int(limits.max_seconds * SECOND) if death.late else 0
        if death.late or not death.used:
            raise death.explain(limits) from None
        # What an earlier document left behind in the helper must not decide about this one.
        reply = _retry(header, data, limits)
    if "error" in reply.meta:
        raise UnreadableError(**reply.meta["error"])
    left.steps -= reply.meta.get("steps", 0)
    if place:
        kept_readings.keep(place, (reply.meta, reply.blocks))
    return reply


def _retry(header: dict[str, Any], data: bytes, limits: Limits) -> Reply:
    try:
        return _attempt(header, data, fresh=True)
    except HelperDied as death:
        raise death.explain(limits) from None


def _attempt(header: dict[str, Any], data: bytes, fresh: bool = False) -> Reply:
    """One try; what the job needs is imported before its time counts."""
    job = header["job"]
    with _pool.borrow("ocr" if job.startswith("ocr") else "parser", fresh) as helper:
        helper.prepare(job)
        return helper.call(header, data, _PATIENCE * max(header["seconds"], 1))


class HelperDied(Exception):
    """A helper that ended in the middle of a job."""

    def __init__(self, code: int, late: bool, used: bool) -> None:
        super().__init__(code)
        self.code = code
        self.used = used
        self.late = late or code == -getattr(signal, "SIGPROF", 0)

    @property
    def cause(self) -> str:
        return signal.Signals(-self.code).name if self.code < 0 else f"exit code {self.code}"

    def explain(self, limits: Limits) -> UnreadableError:
        seconds = limits.max_seconds
        if self.late:
            advice = "Split the document, or allow more with Limits(max_seconds=...)"
            reason = f"reading took more than {seconds:g} seconds of processor time"
            return UnreadableError(reason, advice, seconds=seconds)
        reason = f"the parser crashed ({self.cause}): the file is broken, or needs more than {limits.max_memory_mb} MB"
        advice = "Save the file anew with another program, or allow more with Limits(max_memory_mb=...)"
        return UnreadableError(reason, advice, crash=self.cause)


class Helper:
    """One helper process and the pipes to it."""

    def __init__(self, kind: str = "parser") -> None:
        self.served = 0
        self.owner = os.getpid()
        self._prepared: set[str] = set()
        paths = json.dumps([path for path in sys.path if path] + [_HOME])
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", f"{_BOOT}serve({kind!r})", paths],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(os.environ, devices=kind == "model"),
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def is_usable(self) -> bool:
        return self.served < _RECYCLE_AFTER and self._process.poll() is None

    def prepare(self, job: str) -> None:
        """Import what a job needs before the clock and the memory limit of a document count."""
        if job in self._prepared:
            return
        reply = self._exchange({"prepare": job}, b"", _START_SECONDS)
        if "error" in reply.meta:
            raise UnreadableError(**reply.meta["error"])
        self._prepared.add(job)

    def isolation(self) -> str:
        """What keeps the process from the network: "seccomp", "namespace" or "none"."""
        return str(self._exchange({}, b"", _START_SECONDS).meta["isolation"])

    def call(self, header: Mapping[str, Any], data: bytes, seconds: float) -> Reply:
        reply = self._exchange(header, data, seconds)
        self.served += 1
        return reply

    def _exchange(self, header: Mapping[str, Any], data: bytes, seconds: float) -> Reply:
        late = threading.Event()
        timer = threading.Timer(seconds, self._kill, (late,))
        timer.daemon = True
        timer.start()
        try:
            assert self._process.stdin and self._process.stdout
            write_frame(self._process.stdin, header, [data])
            meta, blocks = read_frame(self._process.stdout)
        except (EOFError, OSError):
            raise HelperDied(self._process.wait(), late.is_set(), self.served > 0) from None
        finally:
            timer.cancel()
        return Reply(meta, blocks)

    def _kill(self, late: threading.Event) -> None:
        late.set()
        self._process.kill()

    def stop(self) -> None:
        """End the process; it holds nothing worth a polite goodbye."""
        if self.owner != os.getpid():
            self.forget()
            return
        self._process.kill()
        self._process.wait()
        self._close()

    def forget(self) -> None:
        """Leave the process to the parent that started it (this is a fork)."""
        self._process.returncode = 0
        self._close()

    def _close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()


class _Pool:
    """Idle helpers by kind. As many run at once as there are cores, but a single one for OCR, which uses them all."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: dict[str, list[Helper]] = {"parser": [], "ocr": []}
        self._slots = {"parser": threading.Semaphore(os.cpu_count() or 1), "ocr": threading.Semaphore(1)}

    @contextmanager
    def borrow(self, kind: str, fresh: bool = False) -> Iterator[Helper]:
        with self._slots[kind]:
            helper = start(kind) if fresh else self._take(kind)
            try:
                yield helper
            except UnreadableError:
                self._give_back(kind, helper)
                raise
            except BaseException:
                # The pipes may hold half a message.
                helper.stop()
                raise
            self._give_back(kind, helper)

    def _take(self, kind: str) -> Helper:
        with self._lock:
            helper = self._idle[kind].pop() if self._idle[kind] else None
        if helper and helper.is_usable():
            return helper
        if helper:
            helper.stop()
        return start(kind)

    def _give_back(self, kind: str, helper: Helper) -> None:
        if not helper.is_usable():
            helper.stop()
            return
        with self._lock:
            self._idle[kind].append(helper)

    def helpers(self) -> list[Helper]:
        return [helper for idle in self._idle.values() for helper in idle]


def start(kind: str) -> Helper:
    """A process of its own for native code, "parser" or "model"."""
    try:
        return Helper(kind)
    except (OSError, ValueError) as error:
        reason = f"the helper process for native parsers does not start: {describe(error)}"
        raise UnreadableError(reason, "Check that sys.executable is a Python that may be run") from None


def _stop_all() -> None:
    for helper in _pool.helpers():
        helper.stop()


def _renew() -> None:
    """After a fork the pipes belong to the parent: start afresh, and let its helpers see when it ends."""
    global _pool
    inherited, _pool = _pool.helpers(), _Pool()
    for helper in inherited:
        helper.forget()


_pool = _Pool()
atexit.register(_stop_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
