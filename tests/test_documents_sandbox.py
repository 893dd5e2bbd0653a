"""The helper process for native parsers: reused, killed, replaced, and never outliving its parent."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pdf_maker import make_pdf, show

from paxman.documents.reading import Limits, read_document
from paxman.documents.sandbox import helper
from paxman.documents.sandbox import pool as sandbox

HELLO = make_pdf(show("Hello", 72, 700))
# One page that keeps the parser busy for seconds.
SLOW = make_pdf(b"BT /F 1 Tf " + b"1 0 0 1 5 5 Tm (x) Tj " * 1_000_000 + b"ET", compress=True)


@pytest.fixture(autouse=True)
def fresh_pool() -> None:
    """Each test starts without helpers."""
    sandbox._stop_all()
    sandbox._pool = sandbox._Pool()


def helper_pids() -> list[int]:
    return [process.pid for process in sandbox._pool.helpers()]


def read_text(data: bytes) -> str:
    return read_document(data).text


def wait_until(condition: Callable[[], bool], seconds: float = 10) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


def is_running(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


def kill_when_busy(victims: list[int]) -> None:
    """Kill the helper once it has worked on a document for a moment."""
    wait_until(lambda: bool(children_using_processor()))
    victims += children_using_processor()
    os.kill(victims[0], signal.SIGKILL)


def children_using_processor() -> list[int]:
    children = [path.read_text().split() for path in Path("/proc/self/task").glob("*/children")]
    return sorted(int(pid) for found in children for pid in found if _ticks(int(pid)) > 60)


def _ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])


def test_a_helper_is_started_once_and_reused() -> None:
    assert read_text(HELLO) == "Hello\n"
    first = helper_pids()
    assert [read_text(HELLO) for _ in range(20)] == ["Hello\n"] * 20
    assert helper_pids() == first
    assert len(first) == 1


def test_a_helper_that_died_while_idle_is_replaced() -> None:
    read_text(HELLO)
    (pid,) = helper_pids()
    os.kill(pid, signal.SIGKILL)
    assert read_text(HELLO) == "Hello\n"
    assert pid not in helper_pids()


def test_a_helper_killed_in_the_middle_leaves_a_diagnostic() -> None:
    victims: list[int] = []
    killer = threading.Thread(target=kill_when_busy, args=(victims,))
    killer.start()
    document = read_document(SLOW)
    killer.join()
    (note,) = document.diagnostics
    assert (note.code, note.context["crash"], len(victims)) == ("UNREADABLE_INPUT", "SIGKILL", 1)
    assert note.message == (
        "the parser crashed (SIGKILL): the file is broken, or needs more than 2048 MB. "
        "Save the file anew with another program, or allow more with Limits(max_memory_mb=...)"
    )
    assert read_text(HELLO) == "Hello\n"


def test_a_crash_of_a_used_helper_is_tried_again_in_a_fresh_one() -> None:
    read_text(HELLO)
    (used,) = helper_pids()
    killer = threading.Timer(0.0, lambda: (time.sleep(0.3), os.kill(used, signal.SIGKILL)))
    killer.start()
    document = read_document(make_pdf(*[show(f"Page {number}", 72, 700) for number in range(4000)]))
    killer.join()
    assert document.diagnostics == ()
    assert len(document.pages) == 4000
    assert used not in helper_pids()


def test_the_deadline_is_kept() -> None:
    read_text(HELLO)
    started = time.monotonic()
    (note,) = read_document(SLOW, limits=Limits(max_seconds=0.5)).diagnostics
    assert time.monotonic() - started < 10
    assert note.message == (
        "reading took more than 0.5 seconds of processor time. "
        "Split the document, or allow more with Limits(max_seconds=...)"
    )
    assert read_text(HELLO) == "Hello\n"


def test_threads_share_the_pool() -> None:
    documents = [make_pdf(show(f"Number {number}", 72, 700)) for number in range(24)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(read_text, documents)) == [f"Number {number}\n" for number in range(24)]
    assert 1 <= len(helper_pids()) <= (os.cpu_count() or 1)


def test_a_fork_starts_helpers_of_its_own() -> None:
    read_text(HELLO)
    before = helper_pids()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        answer = f"{helper_pids()} {read_text(HELLO)!r} {set(helper_pids()) & set(before)}"
        os.write(writer, answer.encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 1000).decode() == r"[] 'Hello\n' set()"
    assert read_text(HELLO) == "Hello\n"
    assert helper_pids() == before
    os.close(reader)
    os.close(writer)


SCRIPT = """
import sys
from paxman.documents.sandbox import pool as sandbox
from paxman.documents.reading import read_document
print(read_document(open(sys.argv[1], "rb").read()).text.strip(), *[h.pid for h in sandbox._pool.helpers()], flush=True)
"""


def test_it_works_without_an_importable_main_and_ends_with_it(tmp_path: Path) -> None:
    pdf = tmp_path / "hello.pdf"
    pdf.write_bytes(HELLO)
    (tmp_path / "json.py").write_text("raise SystemExit('a file beside the document was imported')")
    done = subprocess.run([sys.executable, "-P", "-c", SCRIPT, pdf], cwd=tmp_path, capture_output=True, text=True)
    text, pid = done.stdout.split()
    assert (text, done.stderr) == ("Hello", "")
    assert wait_until(lambda: not is_running(int(pid)))


@pytest.mark.parametrize(("document", "ticks"), [(HELLO, 5), (SLOW, 40)], ids=["idle", "busy"])
def test_a_helper_dies_with_a_parent_that_is_killed(tmp_path: Path, document: bytes, ticks: int) -> None:
    pdf = tmp_path / "document.pdf"
    pdf.write_bytes(document)
    waiting = SCRIPT + "import time; time.sleep(60)"
    parent = subprocess.Popen([sys.executable, "-c", waiting, pdf], stdout=subprocess.DEVNULL)
    children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
    assert wait_until(lambda: bool(children.read_text().split()))
    (pid,) = map(int, children.read_text().split())
    assert wait_until(lambda: _ticks(pid) > ticks)
    parent.kill()
    parent.wait()
    assert wait_until(lambda: not is_running(pid))


def test_secrets_of_the_environment_stay_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "sesame")
    read_text(HELLO)
    (pid,) = helper_pids()
    assert b"sesame" not in Path(f"/proc/{pid}/environ").read_bytes()


@pytest.mark.parametrize("event", ["socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system"])
def test_a_helper_neither_connects_nor_starts_anything(event: str) -> None:
    with pytest.raises(PermissionError, match=f"{event} is not allowed while reading a document"):
        helper._refuse(event, ())


def test_a_failing_job_is_reported_with_its_reason() -> None:
    with pytest.raises(helper.UnreadableError, match="the parser failed with KeyError"):
        sandbox.run("pdf", HELLO, {}, Limits())
    assert read_text(HELLO) == "Hello\n"


def test_a_helper_that_does_not_start_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    (note,) = read_document(HELLO).diagnostics
    assert note.message.startswith("the helper process for native parsers does not start: ")
    assert note.message.endswith("Check that sys.executable is a Python that may be run")


def test_all_parts_of_a_document_share_its_steps() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for number in range(12):
            archive.writestr(f"{number}.pdf", SLOW + b"%%%d" % number)
        archive.writestr("last.txt", "Hello")
    read_document(HELLO)
    started = time.monotonic()
    document = read_document(target.getvalue(), limits=Limits(max_seconds=0.5, max_steps=1_000_000))
    assert time.monotonic() - started < 10
    assert document.text.strip() == "Hello"
    assert [note.context for note in document.diagnostics] == [
        {"seconds": 0.5, "file": "0.pdf"},
        {"seconds": 0.5, "file": "1.pdf"},
        *({"limit": "max_steps", "file": f"{number}.pdf"} for number in range(2, 12)),
    ]
