"""`paxman demo`: the bundled samples, from documents to a report."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import attrs
import click

from paxman.api.normalize import normalize, replay
from paxman.api.verification import verify
from paxman.artifact.artifact import ExecutionArtifact
from paxman.cli.model_demo import ADVICE, ask_model
from paxman.cli.normalizing import show_artifact
from paxman.cli.options import json_option
from paxman.cli.output import echo_json, heading, line, table

SAMPLES = (
    ("invoice.txt", "invoice.json"),
    ("orders.csv", "orders.yaml"),
    ("shipment.json", "shipment.json"),
    ("product.html", "product.toml"),
    ("repair.md", "repair.yaml"),
    ("invoice.pdf", "invoice-pdf.json"),
    ("receipt.png", "receipt.json"),
    ("stock.xlsx", "stock.yaml"),
    ("order.eml", "order.json"),
)
MAILBOX = ("orders.mbox", "mail-order.json")


@click.command()
@click.option(
    "-o",
    "--output",
    default="demo-output",
    show_default=True,
    type=click.Path(),
    metavar="FOLDER",
    help="Where results go.",
)
@json_option
def demo(output: str, as_json: bool) -> None:
    """Normalize the bundled samples, check each artifact against its document, and write a report."""
    from paxman.report.summary import write_reports

    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    with as_file(files("paxman") / "samples") as samples:
        made = [_run(samples, document, contract) for document, contract in SAMPLES]
        for artifact in made:
            name = str(artifact.metadata["source"])
            (folder / f"{name}.artifact.json").write_text(artifact.to_json() + "\n", "utf-8")
        page = write_reports(made, [samples / document for document, _ in SAMPLES], folder / "report")
        mails = _mail_rows(samples)
    if as_json:
        echo_json({"report": str(page), "artifacts": [artifact.to_dict() for artifact in made], "mails": mails})
        return
    for artifact in made:
        show_artifact(artifact)
        line()
    _show_mails(mails)
    line("Every artifact was stored, replayed, and verified against its document.")
    _show_model()
    line(f"Open {page.resolve()} in a browser.")


def _mail_rows(samples: Path) -> list[dict[str, Any]]:
    """A mailbox is many documents: a row per mail, as `paxman batch` gives them."""
    from paxman.batch.runner import normalize_many

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
