"""The far side of the sandbox: a process that reads jobs from its input until that is closed."""

from __future__ import annotations

import gc
import json
import os
import re
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from typing import IO, Any

from paxman.documents.sandbox.isolation import isolate
from paxman.gc_pause import OBJECTS

JOBS = {
    "pdf": "paxman.documents.pdf.pdfium:extract",
    "ocr": "paxman.documents.paged.images:extract",
    "ocr_pdf": "paxman.documents.paged.images:extract_pdf_page",
    "sheets": "paxman.documents.office.sheets:extract",
    "docx": "paxman.documents.office.docx:extract",
    "pptx": "paxman.documents.office.slides:extract",
    "odf": "paxman.documents.office.odf:extract",
    "render_pdf": "paxman.documents.pdf.rendering:render_pdf",
    "render_image": "paxman.documents.pdf.rendering:render_image",
    "model": "paxman.inference.gguf:answer",
}
"""Jobs as "module:function"; a module may have `prepare()`, run before any limit counts."""

Job = Callable[[bytes, dict[str, Any]], tuple[dict[str, Any], list[bytes]]]
_loaded: dict[str, Job] = {}
_FORBIDDEN = ("socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn")
_MEGABYTE = 1 << 20
NO_BOMB = 10_000_000
"""Unpacked bytes below which a high ratio is no bomb but an ordinary file with much repetition."""
_OBJECT = re.compile(r"<[^<>]* at 0x[0-9a-fA-F]+>")
_PATH = re.compile(r"(?<![\w./])(?:[A-Za-z]:)?[/\\](?:[\w.+-]+[/\\])+[\w.+-]*")


class UnreadableError(Exception):
    """A document that cannot be read: why, and what to do about it."""

    def __init__(self, reason: str, advice: str, **context: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.advice = advice
        self.context = context


def describe(error: Exception) -> str:
    """What an exception says, without what differs from run to run: addresses in memory and paths of this machine."""
    return _PATH.sub("...", _OBJECT.sub("...", str(error)[:500]))


def reached(options: dict[str, Any], pages: int, characters: int, steps: int) -> str | None:
    """The limit that so many pages, characters and steps reach; stopping there keeps what was read."""
    found = {"max_pages": pages, "max_text_chars": characters, "max_steps": steps}
    return next((limit for limit, used in found.items() if used >= options[limit]), None)


def write_frame(stream: IO[bytes], header: Mapping[str, Any], blocks: list[bytes]) -> None:
    """A message: the length of its JSON header, the header, and blocks of the sizes that the header names."""
    head = json.dumps({"sizes": [len(block) for block in blocks], "header": header}).encode()
    stream.write(struct.pack(">I", len(head)) + head)
    for block in blocks:
        stream.write(block)
    stream.flush()


def read_frame(stream: IO[bytes]) -> tuple[dict[str, Any], list[bytes]]:
    """The next message; raises EOFError when the other side is gone."""
    (length,) = struct.unpack(">I", _read_exactly(stream, 4))
    head = json.loads(_read_exactly(stream, length))
    return head["header"], [_read_exactly(stream, size) for size in head["sizes"]]


def _read_exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


def serve(kind: str) -> None:
    """Answer jobs until the parent closes the pipe or is gone."""
    source, target = _private_pipes()
    how = isolate(local_sockets=kind == "model")
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.addaudithook(_refuse)
    # Reading makes many small objects and hardly any in circles.
    gc.set_threshold(OBJECTS)
    threading.Thread(target=_die_with_parent, args=(os.getppid(),), daemon=True).start()
    with suppress(EOFError, OSError):
        while True:
            request, (data,) = read_frame(source)
            write_frame(target, *(({"isolation": how}, []) if request == {} else _answer(request, data)))
    os._exit(0)


def _private_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """The pipes to the parent, moved away from where a chatty library would read or write."""
    source, target = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return source, target


def _refuse(event: str, args: tuple[Any, ...]) -> None:
    if event in _FORBIDDEN:
        raise PermissionError(f"{event} is not allowed while reading a document")


def _die_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _answer(request: dict[str, Any], data: bytes) -> tuple[dict[str, Any], list[bytes]]:
    try:
        if "prepare" in request:
            _load(request["prepare"])
            return {}, []
        job = _load(request["job"])
        _limit(request["memory_mb"], request["seconds"])
        return job(data, request["options"])
    except UnreadableError as error:
        return _error(error.reason, error.advice, **error.context), []
    except MemoryError:
        reason = f"reading needs more than {request.get('memory_mb', 0)} MB of memory"
        return _error(reason, "Split the document, or allow more with Limits(max_memory_mb=...)"), []
    except Exception as error:
        # Its text may quote the document.
        return _error(
            f"the parser failed with {type(error).__name__}",
            "Check that the file is complete, or save it anew with another program",
        ), []
    finally:
        with suppress(ImportError, AttributeError, OSError, ValueError):
            import resource

            signal.setitimer(signal.ITIMER_PROF, 0)
            hard = resource.getrlimit(resource.RLIMIT_AS)[1]
            resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def _error(reason: str, advice: str, **context: Any) -> dict[str, Any]:
    return {"error": {"reason": reason, "advice": advice, **context}}


def _load(name: str) -> Job:
    """A job's function; the first time, with whatever its module wants to prepare."""
    if name not in _loaded:
        module_name, _, function = JOBS[name].partition(":")
        module = import_module(module_name)
        if hasattr(module, "prepare"):
            module.prepare()
        _loaded[name] = getattr(module, function)
    return _loaded[name]


def _limit(memory_mb: int | None, seconds: float) -> None:
    """Memory beyond what the libraries themselves take, and processor time, which ends a stuck job on any load."""
    if memory_mb is None:
        return
    with suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        signal.setitimer(signal.ITIMER_PROF, max(seconds, 0.001))
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (_address_space() + memory_mb * _MEGABYTE, hard))


def _address_space() -> int:
    with open("/proc/self/statm", "rb") as statm:
        return int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
