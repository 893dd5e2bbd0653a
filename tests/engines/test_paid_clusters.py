"""A cluster runs the work of a lost worker again; what was paid for by then stays paid, and the cap holds."""

import pickle
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from decimal import Decimal
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))
from batch_plugins import forget
from model_server import quoting, serve
from test_engines import dask, outputs  # noqa: F401

import paxman
from paxman.batch.engines import Scheduler, work_shipment
from paxman.batch.in_flight import claiming
from paxman.batch.job import Job
from paxman.batch.journal import Journal, JournalReader
from paxman.batch.pool import Bounds
from paxman.batch.sources import iter_items
from paxman.contract import adapt
from paxman.planner.registry import CAPABILITIES

pytestmark = pytest.mark.filterwarnings("default")
CONTRACT = {
    "id": "voyage",
    "version": "1",
    "fields": [{"name": "vessel", "type": "STRING", "required": True, "description": "name of the ship"}],
}
TEXTS = [f"Load {number} left Rotterdam aboard the\nMarigold.\n" for number in range(100)]
TEXTS[57] += "KILL\n"  # by then 25 documents of the batch are paid for
DOCUMENTS = [(f"{number}.txt", text) for number, text in enumerate(TEXTS)]
PRICE = Decimal("0.0012")
"""Of each call: a thousand tokens for a dollar a million, and a hundred for two."""


@pytest.fixture(scope="module")
def server():
    with serve(quoting(vessel="Marigold")) as server:
        yield server


@pytest.fixture(scope="module", autouse=True)
def trap(tmp_path_factory):
    path = tmp_path_factory.mktemp("trap") / "trap"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BATCH_TRAP", str(path))
        yield path


@pytest.fixture(scope="module")
def local(server, tmp_path_factory):
    folder = tmp_path_factory.mktemp("local")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BATCH_TRAP", "none")
        assert run(server, "local", folder, "2").counts == {"SUCCESS": 100}
    return outputs(folder)


def run(server, engine, out, cap, documents=DOCUMENTS, calls=None, **more):
    server.seen.clear()
    provider = {"use": "openai", "model": "small", "base_url": server.url + "/v1", "price": [1, 2]}
    budget = paxman.Budget(max_total_cost_usd=cap, max_remote_inference_calls=calls)
    policy = paxman.Policy(allow_remote_inference=True)
    options = {"engine": engine, "provider": provider, "workers": 2, "setup": ["batch_plugins:register_killer"], **more}
    try:
        return paxman.normalize_many(documents, CONTRACT, budget, policy, out=out, **options)
    finally:
        forget()
        CAPABILITIES.providers.unregister("openai")


def check(engine, server, trap, local, folder):
    """With a worker killed in mid-run: what was billed is known to be spent, and no document is without a result."""
    for cap in ("2", "0.1"):
        trap.touch()
        result = run(server, engine, folder / cap, cap)
        assert not trap.exists()
        assert PRICE * len(server.seen) <= result.cost_usd <= Decimal(cap)
        if cap == "2":
            assert (len(server.seen), outputs(folder / cap)) == (125, local)
        assert (result.documents, set(result.counts)) == (100, {"SUCCESS"} if cap == "2" else {"SUCCESS", "UNRESOLVED"})


def test_dask(server, trap, local, dask, tmp_path):  # noqa: F811
    check("dask", server, trap, local, tmp_path)


def test_ray(server, trap, local, tmp_path):
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    try:
        check("ray", server, trap, local, tmp_path)
    finally:
        ray.shutdown()


def test_spark(server, trap, local, tmp_path, monkeypatch):
    sql = pytest.importorskip("pyspark.sql")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    # Java may have been started by another test, with what its environment was then.
    session = builder.config("spark.executorEnv.BATCH_TRAP", str(trap)).getOrCreate()
    try:
        check("spark", server, trap, local, tmp_path)
    finally:
        session.stop()


def test_a_cap_that_is_small_for_many_shares_is_used_up(server, dask, tmp_path):  # noqa: F811
    for number, limits in enumerate(({"cap": None, "calls": 4}, {"cap": "0.01"})):
        alone = run(server, "dask", tmp_path / f"{number}-alone", documents=DOCUMENTS[:1], **limits)
        assert (alone.counts, alone.fields_reused, len(server.seen)) == ({"SUCCESS": 1}, 0, 1)
        local = run(server, "local", tmp_path / f"{number}-local", documents=DOCUMENTS[:70], **limits)
        spread = run(server, "dask", tmp_path / f"{number}-spread", documents=DOCUMENTS[:70], **limits)
        assert spread.counts == local.counts
        assert (spread.cost_usd, len(server.seen)) == (local.cost_usd, spread.counts["SUCCESS"])


def test_a_rate_holds_for_all_workers_together(dask, tmp_path):  # noqa: F811
    moments = []

    def behave(handler, body):
        moments.append(time.time())
        quoting(vessel="Marigold")(handler, body)

    with serve(behave) as server:
        started = time.time()
        result = run(server, "dask", tmp_path, None, rate_limits={"openai": 1200}, timeout=3)
    assert result.counts == {"SUCCESS": 100}
    late = [number for number, moment in enumerate(moments, 1) if number > 20 * (moment - started) + 0.5]
    assert (len(moments), late) == (100, [])


@pytest.fixture
def make_desk(tmp_path):
    with ExitStack() as stack:

        def make(workers, **settings):
            folder = Path(tempfile.mkdtemp(dir=tmp_path))
            stack.enter_context(closing(Journal(folder)))
            stack.enter_context(claiming(folder))
            reader = stack.enter_context(closing(JournalReader(folder)))
            job = Job(adapt(CONTRACT), **settings)
            return stack.enter_context(closing(Scheduler(iter_items(DOCUMENTS), job, reader, workers, Bounds(), list)))

        yield make


def test_each_worker_has_its_part_of_a_rate(make_desk):
    sent = list(make_desk(3, rate_limits={"own": 60, "other": 6}).window())
    rates = [pickle.loads(pickle.loads(shipment.job)[1]).rate_limits for shipment in sent]
    assert rates == [{"own": 20, "other": 2}] * 3


def test_a_share_is_sent_once(make_desk):
    desk = make_desk(1, budget=paxman.Budget(max_total_cost_usd="1"))
    sent = [next(desk.window())]
    for _ in range(3):
        assert work_shipment(sent[-1], lambda ticket: False) == sent[-1].tasks
        desk.settle(sent[-1].tasks)
        sent.append(next(desk.window()))
    assert len({shipment.ticket for shipment in sent}) == 4
    assert [1 - shipment.kept[0] for shipment in sent] == [Decimal(3**n) / 4 ** (n + 1) for n in range(4)]
    with pytest.raises(paxman.ExecutionError, match="begins with 0.txt was lost with its worker 4 times; finished"):
        desk.settle(sent[-1].tasks)


def test_without_money_there_is_nothing_to_protect(make_desk):
    assert next(make_desk(1).window()).ticket is None
    assert next(make_desk(1, budget=paxman.Budget(max_total_cost_usd="0")).window()).ticket is None
    assert next(make_desk(1, budget=paxman.Budget(max_remote_inference_calls=9)).window()).ticket
