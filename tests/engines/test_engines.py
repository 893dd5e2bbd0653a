"""Dask, Ray Data and Spark give the bytes that the local pool gives; `make test-engines` installs them."""

import json
import os
import signal
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))
from batch_plugins import CONTRACT, forget, letter

import paxman
from paxman.batch.summary import status_of

pytestmark = pytest.mark.filterwarnings("default")
DOCUMENTS = [(f"{number}.txt", letter(number)) for number in range(150)]
OPTIONS = {"artifacts": True, "workers": 2}
HOSTILE = {"setup": ["batch_plugins:register"], "workers": 2, "timeout": 5, "memory_mb": 400}
BROKEN = [
    *DOCUMENTS[:40],
    ("crash.txt", letter(1, "CRASH")),
    ("hang.txt", letter(2, "HANG")),
    ("hungry.txt", letter(3, "HUNGRY")),
    *DOCUMENTS[40:60],
]


@pytest.fixture(autouse=True)
def plain_registry():
    yield
    forget()


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    folder = tmp_path_factory.mktemp("local")
    paxman.normalize_many(DOCUMENTS, CONTRACT, out=folder, **OPTIONS)
    return outputs(folder)


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    folder = tmp_path_factory.mktemp("broken")
    result = paxman.normalize_many(BROKEN, CONTRACT, out=folder, **HOSTILE)
    forget()
    assert result.counts == {"EXECUTION_FAILED": 3, "SUCCESS": 60}
    return outputs(folder)


def outputs(folder):
    ours = ("journal", "spending", "lock")
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(ours)
    }


@pytest.fixture(scope="module")
def dask():
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        yield client


def test_dask(local, dask, tmp_path):
    result = paxman.normalize_many(DOCUMENTS, CONTRACT, out=tmp_path, engine="dask", **OPTIONS)
    assert (result.counts, outputs(tmp_path)) == ({"SUCCESS": 150}, local)
    again = paxman.normalize_many(DOCUMENTS, CONTRACT, out=tmp_path, engine="dask", **OPTIONS)
    assert (again.finished_before, outputs(tmp_path)) == (150, local)


def test_dask_with_a_worker_killed_in_mid_run(local, dask, tmp_path):
    def documents():
        for number, document in enumerate(DOCUMENTS):
            if number == 140:  # four batches were sent by now
                victim = next(iter(dask.scheduler_info()["workers"].values()))["name"]
                os.kill(dask.cluster.workers[victim].pid, signal.SIGKILL)
            yield document

    result = paxman.normalize_many(documents(), CONTRACT, out=tmp_path, engine="dask", **OPTIONS)
    assert (result.counts, outputs(tmp_path)) == ({"SUCCESS": 150}, local)


def test_a_budget_holds_on_a_cluster(dask, tmp_path):
    contract = {"id": "paid", "version": "1", "fields": [{"name": "urgent", "type": "BOOLEAN", "required": True}]}
    result = paxman.normalize_many(
        DOCUMENTS,
        contract,
        paxman.Budget(max_total_cost_usd="0.5"),
        paxman.Policy(allow_remote_inference=True),
        out=tmp_path,
        engine="dask",
        workers=2,
        setup=["batch_plugins:register_paid"],
    )
    assert 0 < result.counts["SUCCESS"] <= 50
    assert result.cost_usd == Decimal("0.01") * result.counts["SUCCESS"]


def test_ray_data(local, broken, tmp_path):
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    try:
        result = paxman.normalize_many(DOCUMENTS, CONTRACT, out=tmp_path / "out", engine="ray", **OPTIONS)
        assert (result.counts, outputs(tmp_path / "out")) == ({"SUCCESS": 150}, local)
        paxman.normalize_many(BROKEN, CONTRACT, out=tmp_path / "broken", engine="ray", **HOSTILE)
        assert outputs(tmp_path / "broken") == broken
    finally:
        ray.shutdown()


def test_spark(local, broken, tmp_path):
    sql = pytest.importorskip("pyspark.sql")
    result = paxman.normalize_many(DOCUMENTS, CONTRACT, out=tmp_path / "out", engine="spark", **OPTIONS)
    paxman.normalize_many(BROKEN, CONTRACT, out=tmp_path / "broken", engine="spark", **HOSTILE)
    sql.SparkSession.getActiveSession().stop()
    assert (result.counts, outputs(tmp_path / "out")) == ({"SUCCESS": 150}, local)
    assert outputs(tmp_path / "broken") == broken


COMMAND = [sys.executable, "-m", "paxman.cli", "batch", "in", "-c", "letter.json", "--workers", "2", "--json"]


@pytest.fixture(scope="module")
def calm(tmp_path_factory):
    """A folder for commands, and what an undisturbed one gives."""
    place = tmp_path_factory.mktemp("calm")
    (place / "in").mkdir()
    for number in range(600):
        (place / f"in/{number:03}.txt").write_text(letter(number))
    (place / "letter.json").write_text(json.dumps(CONTRACT))
    subprocess.run([*COMMAND, "-o", "out"], check=True, cwd=place, capture_output=True)
    return place, outputs(place / "out")


@pytest.mark.parametrize("engine", ["dask", "ray", "spark"])
def test_a_killed_command_leaves_no_trace(engine, calm, tmp_path):
    pytest.importorskip({"dask": "distributed", "spark": "pyspark"}.get(engine, engine))
    command = [*COMMAND, "-o", str(tmp_path), "--engine", engine]
    pipes = {"cwd": calm[0], "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, **pipes) as run:
        while run.poll() is None and not _documents(tmp_path):
            time.sleep(0.05)
        run.kill()
    assert run.returncode == -signal.SIGKILL
    done = subprocess.run(command, check=True, **pipes)
    assert 0 < json.loads(done.stdout)["finished_before"] < 600
    assert outputs(tmp_path) == calm[1]


@pytest.mark.parametrize(("engine", "begun"), [("dask", False), ("dask", True), ("spark", True)])
def test_one_ctrl_c_finishes_what_is_under_way(engine, begun, calm, tmp_path):
    """As a terminal sends it: to all processes."""
    pytest.importorskip({"dask": "distributed", "spark": "pyspark"}[engine])
    pipes = {"cwd": calm[0], "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "start_new_session": True}
    with subprocess.Popen([*COMMAND, "-o", str(tmp_path), "--engine", engine], **pipes) as run:
        while run.poll() is None and not (_documents(tmp_path) if begun else (tmp_path / "journal.sqlite").exists()):
            time.sleep(0.05)
        time.sleep(0 if begun else 0.5)
        os.killpg(run.pid, signal.SIGINT)
        told, errors = run.communicate(timeout=120)
    assert (run.returncode, b"Traceback" in errors) == (130, False)
    found = json.loads(told)
    assert (found["stopped"], begun <= found["documents"] < 600) == (True, True)


def test_a_file_that_never_comes_fails_in_time(dask, tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    rows = [{"text": letter(0)}, {"path": "pipe.txt"}, {"text": letter(2)}]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    options = {"workers": 2, "timeout": 1}
    for engine in ("local", "dask"):
        paxman.normalize_many(tmp_path / "rows.jsonl", CONTRACT, out=tmp_path / engine, engine=engine, **options)
    assert outputs(tmp_path / "dask") == outputs(tmp_path / "local")
    assert status_of(tmp_path / "dask")["counts"] == {"EXECUTION_FAILED": 1, "SUCCESS": 2}


def _documents(folder):
    try:
        return status_of(folder)["documents"]
    except paxman.ConfigurationError:
        return 0


def test_equal_documents_in_two_batches_are_worked_on_once(dask, tmp_path):
    dask.run(os.environ.update, {"BATCH_COUNT": str(tmp_path / "count")})
    documents = [(f"{number}.txt", letter(number % 4)) for number in range(150)]
    options = {"setup": ["batch_plugins:register_counted"], "engine": "dask", "workers": 2, "out": tmp_path / "out"}
    result = paxman.normalize_many(documents, CONTRACT, **options)
    assert [row["data"]["reference"] for row in result.rows()] == [f"LTR-{1000 + n % 4}" for n in range(150)]
    assert (
        sorted((tmp_path / "count").read_text().split())
        == ["LTR-1000", "LTR-1001", "LTR-1002", "LTR-1003"] + ["Reference:"] * 4
    )


def test_an_unknown_engine_is_refused(tmp_path):
    with pytest.raises(paxman.ConfigurationError, match="local, dask, ray, spark"):
        paxman.normalize_many(DOCUMENTS, CONTRACT, out=tmp_path, engine="abacus")


def test_a_crashing_document_fails_on_a_cluster_as_locally(broken, dask, tmp_path):
    paxman.normalize_many(BROKEN, CONTRACT, out=tmp_path, engine="dask", **HOSTILE)
    assert outputs(tmp_path) == broken


def test_plugins_that_a_cluster_lacks_are_named(dask, tmp_path):
    import batch_plugins

    batch_plugins.register()
    with pytest.raises(paxman.ExecutionError, match=r"do not have capability hostile 1.0.*in `setup`"):
        paxman.normalize_many(DOCUMENTS, CONTRACT, out=tmp_path, engine="dask", workers=2)
