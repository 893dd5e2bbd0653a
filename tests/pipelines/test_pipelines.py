"""The pages on dbt, Prefect and Airflow, run as they stand; `make test-pipelines` has an environment for each."""

import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import paxman

ROOT = Path(__file__).parent.parent.parent
SAMPLES = Path(paxman.__file__).parent / "samples"
FILE = re.compile(r"^<!-- file (\S+) -->\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with a contract, an invoice and a letter that is none."""
    monkeypatch.chdir(tmp_path)
    Path("invoices").mkdir()
    shutil.copy(SAMPLES / "invoice.txt", "invoices/a.txt")
    Path("invoices/b.txt").write_text("Dear Sir or Madam")
    shutil.copy(SAMPLES / "contracts" / "invoice.json", "invoice.json")
    return tmp_path


def write_files(page):
    for name, text in FILE.findall((ROOT / "docs" / "recipes" / page).read_text("utf-8")):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, "utf-8")


def run(*command, **more):
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, timeout=300, env={**os.environ, **more}
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_dbt_builds_models_on_the_results(desk):
    pytest.importorskip("dbt.adapters.duckdb", reason="pip install dbt-duckdb")
    duckdb = importlib.import_module("duckdb")
    os.unlink("invoices/b.txt")
    write_files("dbt.md")
    paxman.normalize_many("invoices/", "invoice.json", out="done", output="duckdb", workers=1)
    run("-c", "from dbt.cli.main import cli; cli()", "build", "--profiles-dir", ".", DBT_SEND_ANONYMOUS_USAGE_STATS="0")
    with duckdb.connect("warehouse.duckdb", read_only=True) as warehouse:
        rows = warehouse.sql("select invoice_number, total, currency from payable").fetchall()
    assert [(number, str(total), currency) for number, total, currency in rows] == [("NB-2025-0417", "1487.50", "EUR")]


def test_prefect_runs_a_batch_as_a_task(desk):
    pytest.importorskip("prefect", reason="pip install prefect")
    write_files("prefect.md")
    script = "import invoices_flow\nif __name__ == '__main__': print(invoices_flow.invoices())"
    Path("once.py").write_text(script)
    quiet = {
        "PREFECT_HOME": str(desk / "prefect"),
        "DO_NOT_TRACK": "1",
        "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "120",
        "PREFECT_LOGGING_LEVEL": "ERROR",
    }
    assert run("once.py", **quiet).splitlines()[-1] == "['invoices/a.txt', 'invoices/b.txt']"
    assert sorted(path.name for path in Path("done").glob("*.parquet")) == [
        "data.parquet",
        "documents.parquet",
        "fields.parquet",
    ]


def test_airflow_runs_a_batch_as_a_task(desk):
    pytest.importorskip("airflow", reason="pip install apache-airflow")
    write_files("airflow.md")
    home = {"AIRFLOW_HOME": str(desk / "airflow"), "AIRFLOW__CORE__LOAD_EXAMPLES": "False"}
    home |= {"AIRFLOW__CORE__DAGS_FOLDER": str(desk / "dags")}
    run("-m", "airflow", "db", "migrate", **home)
    conf = {"folder": "invoices", "contract": "invoice.json", "out": "done"}
    script = (
        f"from invoices import invoices\nif __name__ == '__main__': print(invoices().test(run_conf={conf!r}).state)"
    )
    Path("dags/once.py").write_text(script)
    said = run("dags/once.py", **home)
    assert re.findall(r"needs a look: (\S+)", said) == ["invoices/a.txt", "invoices/b.txt"]
    assert (said.splitlines()[-1], Path("done/results.duckdb").exists()) == ("success", True)
