"""A service in FastAPI: one contract, documents uploaded, data with evidence back.

Run it with `pip install '.[pydantic,pdf]' fastapi uvicorn` and `uvicorn examples.service:app`.
"""

from datetime import date
from decimal import Decimal
from typing import Annotated, Any

from fastapi import FastAPI, HTTPException, Request
from pydantic import BaseModel

import paxman


class Invoice(BaseModel):
    """What this service wants to know of an invoice."""

    invoice_number: Annotated[str, paxman.Labels("Invoice no.", "Rechnungsnummer")]
    issue_date: Annotated[date, paxman.Labels("Invoice date", "Rechnungsdatum")]
    total: Annotated[paxman.Money, paxman.Labels("Amount due", "Total", "Rechnungsbetrag")]
    discount: Annotated[Decimal | None, paxman.Labels("Discount")] = None


LARGEST = 10_000_000
BUDGET = paxman.Budget(max_total_cost_usd="0.01", max_input_size_bytes=LARGEST)
app = FastAPI(title="Invoices")


@app.post("/invoices")
async def read_invoice(request: Request) -> dict[str, Any]:
    """The invoice in the body of the request: its data, what is missing, and the artifact to keep."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST:
            raise HTTPException(413, "the document is too large")
    artifact = await paxman.normalize_async(bytes(body), Invoice, BUDGET)
    return {
        "status": artifact.status.value,
        "invoice": artifact.to(Invoice).model_dump(mode="json") if _is_whole(artifact) else None,
        "missing": {field.field_path: field.diagnostics[0].message for field in artifact.unresolved_fields},
        "confidence": {field.field_path: field.confidence for field in artifact.field_results},
        "artifact": artifact.to_dict(),
    }


@app.post("/artifacts/verify")
def verify_artifact(artifact: dict[str, Any]) -> dict[str, bool]:
    """Whether a stored artifact is what this service once wrote."""
    try:
        paxman.replay(artifact, Invoice)
    except paxman.ReplayError as error:
        raise HTTPException(409, str(error)) from error
    return {"verified": True}


def _is_whole(artifact: paxman.ExecutionArtifact) -> bool:
    return artifact.status in (paxman.Status.SUCCESS, paxman.Status.PARTIAL_SUCCESS)
