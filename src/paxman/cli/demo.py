"""`paxman demo`: the bundled samples, from documents to a report."""

from __future__ import annotations

import os
import sys
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

import attrs
import click

from paxman.api.normalize import normalize, replay
from paxman.api.verification import verify
from paxman.artifact.artifact import ExecutionArtifact
from paxman.batch.runner import normalize_many
from paxman.cli.normalizing import show_artifact
from paxman.cli.options import json_option
from paxman.cli.output import echo_json, heading, line, table, waiting
from paxman.errors import to_install
from paxman.inference import configured
from paxman.planner.registry import CAPABILITIES
from paxman.report.summary import write_reports

SAMPLES = (
    ("invoice.txt", "invoice.json", ""),
    ("orders.csv", "orders.yaml", ""),
    ("shipment.json", "shipment.json", ""),
    ("product.html", "product.toml", ""),
    ("repair.md", "repair.yaml", ""),
    ("invoice.pdf", "invoice-pdf.json", "pdf"),
    ("receipt.png", "receipt.json", "ocr"),
    ("stock.xlsx", "stock.yaml", "office"),
    ("order.eml", "order.json", ""),
)
"""A document, its contract, and the extra that reading it needs."""
MODULES = {"pdf": "pypdfium2", "ocr": "rapidocr", "office": "python_calamine"}
MAILBOX = ("orders.mbox", "mail-order.json")
_NEXT = """
Four commands to try:
  {paxman} try YOUR-FILE
      drafts a contract, fills it, and writes a report
  {paxman} explain {folder}/invoice.txt.artifact.json total
      says where a value comes from and why it is trusted
  {paxman} review {folder}
      shows each sample beside its values, to correct them in the browser
  {paxman} learn CONTRACT EXAMPLES -o lessons.json
      learns from a folder of documents, each with its right values as JSON beside it"""


@click.command()
@click.option(
    "-o",
    "--output",
    default="demo-output",
    show_default=True,
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Where results go.",
)
@json_option
def demo(output: Path, as_json: bool) -> None:
    """Normalize the bundled samples, check each artifact against its document, and write a report.

    Samples that need an extra which is not installed are left out and named.
    """
    output.mkdir(parents=True, exist_ok=True)
    lacking = {extra for extra, module in MODULES.items() if not find_spec(module)}
    with as_file(files("paxman") / "samples") as samples, waiting("reading the samples"):
        made = [_run(samples, document, contract) for document, contract, extra in SAMPLES if extra not in lacking]
        for artifact in made:
            name = str(artifact.metadata["source"])
            (output / f"{name}.artifact.json").write_text(artifact.to_json() + "\n", "utf-8")
            (output / name).write_bytes((samples / name).read_bytes())
        page = write_reports(made, [samples / document for document, _, _ in SAMPLES], output / "report")
        mails = _mail_rows(samples)
    if as_json:
        stored = [artifact.to_dict() for artifact in made]
        echo_json({"report": str(page), "artifacts": stored, "mails": mails, "extras_missing": sorted(lacking)})
        return
    for artifact in made:
        show_artifact(artifact)
        line()
    _show_mails(mails)
    line("Every artifact was stored, replayed, and verified against its document.")
    _show_model()
    for document, _, extra in SAMPLES:
        if extra in lacking:
            line(f"Left out: {document}. To read it: {to_install(extra)}")
    for text in _NEXT.format(folder=output, paxman=_command()).splitlines():
        line(text)
    line(f"Open {page.resolve()} in a browser.")


def _command() -> str:
    """How to call Paxman from this shell: by its name, or by its path where that is not found."""
    called = sys.argv[0]
    return "paxman" if which("paxman") or not called.endswith("paxman") else called


def _mail_rows(samples: Path) -> list[dict[str, Any]]:
    """A mailbox is many documents: a row per mail, as `paxman batch` gives them."""
    contract = samples / "contracts" / MAILBOX[1]
    batch = normalize_many([samples / MAILBOX[0]], contract, workers=1)
    return [{**row, "source": Path(row["source"]).relative_to(samples).as_posix()} for row in batch.rows()]


def _show_mails(rows: list[dict[str, Any]]) -> None:
    heading(f"{MAILBOX[0]}, a row per mail")
    shown = [[row["source"], row["status"], *(_cell(value) for value in row["data"].values())] for row in rows]
    table(["mail", "status", *rows[0]["data"]], shown)
    line()


def _cell(value: Any) -> str:
    return " ".join(map(str, value.values())) if isinstance(value, dict) else str(value)


def _show_model() -> None:
    """One field that only a model can answer, or how to configure one."""
    answered = ask_model()
    if answered is None:
        line(ADVICE)
        return
    line()
    show_artifact(answered)


def _run(samples: Path, document: str, contract: str) -> ExecutionArtifact:
    artifact = normalize(samples / document, samples / "contracts" / contract)
    replay(artifact.to_json(), samples / "contracts" / contract)
    found = verify(artifact, samples / document, samples / "contracts" / contract, strict=True)
    if not found.passed:
        raise RuntimeError(f"{document} does not verify: {found.problems}")
    return attrs.evolve(artifact, metadata={"source": document})


TEXT = "Our captain is Ingrid Holm."
CONTRACT = {
    "id": "voyage",
    "version": "1",
    "fields": [{"name": "captain", "type": "STRING", "required": True, "description": "who is the captain"}],
}
ADVICE = (
    "One more field needs a model: who is the captain in “Our captain is Ingrid Holm.”? To let one answer, get any "
    f"GGUF file, then: {to_install('local')}, and PAXMAN_MODEL=llama_cpp:/path/to/model.gguf paxman demo"
)


def ask_model() -> ExecutionArtifact | None:
    """The answer of the local model that is configured; None if there is none. Nothing leaves the machine."""
    if any(getattr(provider, "tier", "") == "local" for provider in CAPABILITIES.providers):
        return _run_model()
    if not os.environ.get("PAXMAN_MODEL"):
        return None
    provider = configured()
    if provider.tier != "local":
        return None
    CAPABILITIES.providers.register(provider)
    try:
        return _run_model()
    finally:
        CAPABILITIES.providers.unregister(provider.name)


def _run_model() -> ExecutionArtifact:
    return attrs.evolve(normalize(TEXT, CONTRACT), metadata={"source": "voyage.txt"})
