"""The blocks of the page on clusters, each against a cluster that was started on its own."""

import os
import re
import secrets
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))
from batch_plugins import CONTRACT, letter
from test_docs import NOT_RUN, ROOT, blocks
from test_engines import outputs

import paxman
from paxman.serialization import canonical_json

pytestmark = pytest.mark.filterwarnings("default")
BLOCKS = list(blocks(ROOT / "docs/recipes/clusters.md"))
COMMAND, DASK, RAY, SPARK = BLOCKS
BIN = Path(sys.executable).parent


@pytest.fixture
def invoices(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("invoices").mkdir()
    for number in range(40):
        Path(f"invoices/{number:02}.txt").write_text(letter(number))
    Path("invoice.json").write_bytes(canonical_json(CONTRACT))
    paxman.normalize_many("invoices/", "invoice.json", out="alone", workers=2)


@pytest.fixture
def start(tmp_path):
    """Start a program and wait until it says something; all of them are ended with the test."""
    running = []

    def begin(*command, until):
        log = tmp_path / f"log-{len(running)}"
        with log.open("wb") as file:
            running.append(subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, start_new_session=True))
        for _ in range(1200):
            found = re.search(until, log.read_text())
            if found:
                return found[0]
            time.sleep(0.1)
        raise AssertionError(log.read_text())

    yield begin
    for process in reversed(running):
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture
def short():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        yield folder


def check(block, **environment):
    """Run it as a script of its own, and compare what it wrote."""
    command = shlex.split(block.text.splitlines()[1])
    script = ["-c", block.text] if block.kind == "python" else ["-m", "paxman.cli", *command[1:]]
    options = {"env": {**os.environ, **environment}, "capture_output": True, "text": True, "timeout": 300}
    done = subprocess.run([sys.executable, *script], **options)
    assert done.returncode == 0, done.stderr
    assert outputs(Path("done")) == outputs(Path("alone"))


def test_all_blocks_that_are_not_run_elsewhere_are_run_here():
    assert [block.name for block in BLOCKS] == [name for name in NOT_RUN if name.startswith("clusters.md")]
    assert COMMAND.text.splitlines()[1].startswith("paxman batch ")


@pytest.mark.parametrize("block", [COMMAND, DASK], ids=["command", "python"])
def test_dask(block, invoices, start):
    pytest.importorskip("distributed")
    dask = [str(BIN / "dask")]
    address = start(*dask, "scheduler", "--port", "0", "--no-dashboard", until=r"tcp://[\d.]+:\d+")
    start(*dask, "worker", address, "--nthreads", "1", "--nworkers", "2", "--no-dashboard", until="Registered to")
    check(block, DASK_SCHEDULER_ADDRESS=address)


def test_ray(invoices, short, start, monkeypatch):
    pytest.importorskip("ray")
    # Not where other runs of Ray look for a cluster; its sockets need a short path.
    monkeypatch.setenv("RAY_TMPDIR", short)
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))  # of this cluster, for as long as it runs
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    head = ["--head", "--block", "--node-ip-address", "127.0.0.1", "--port", port, "--num-cpus", "2"]
    start(str(BIN / "ray"), "start", *head, "--include-dashboard", "false", until="Ray runtime started")
    check(RAY, RAY_ADDRESS=f"127.0.0.1:{port}")


def test_spark(invoices, start, tmp_path):
    spark = Path(pytest.importorskip("pyspark").__file__).parent
    base = [str(spark / "bin/spark-class"), "org.apache.spark.deploy"]
    master = [f"{base[1]}.master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
    address = start(base[0], *master, until=r"spark://127[\d.]+:\d+")
    worker = [f"{base[1]}.worker.Worker", "--cores", "2", "--memory", "1g", "--webui-port", "0"]
    start(base[0], *worker, "--work-dir", str(tmp_path / "work"), address, until="Successfully registered")
    check(SPARK, SPARK_MASTER=address, PYSPARK_PYTHON=sys.executable)


def test_a_cluster_that_fails_says_how_to_go_on(tmp_path):
    dask = pytest.importorskip("dask")
    with (
        dask.config.set({"scheduler-address": "tcp://127.0.0.1:9", "distributed.comm.timeouts.connect": "1s"}),
        pytest.raises(paxman.ExecutionError, match=r"dask failed with OSError; run the same command again"),
    ):
        paxman.normalize_many([("a.txt", "Reference: LTR-1")], CONTRACT, out=tmp_path, engine="dask", workers=1)
