"""Normalizes the sample documents beside this file and prints what was found, where, and what was not."""

from __future__ import annotations

from pathlib import Path

import paxman
from paxman.artifact.artifact import ExecutionArtifact, FieldResult
from paxman.documents.document import ByteRange, JsonPointer, MailPart, NodePath, PageBox, SheetCell, Source

HERE = Path(__file__).resolve().parent
SAMPLES = (
    ("invoice.txt", "invoice.json"),
    ("orders.csv", "orders.yaml"),
    ("shipment.json", "shipment.json"),
    ("product.html", "product.toml"),
)


def main() -> None:
    for document, contract in SAMPLES:
        artifact = paxman.normalize(HERE / document, HERE / "contracts" / contract)
        show(document, artifact)
        assert paxman.replay(artifact.to_json(), HERE / "contracts" / contract) == artifact
    print("Every artifact above was stored, loaded and verified again with paxman.replay.")


def show(title: str, artifact: ExecutionArtifact) -> None:
    print(f"{title}: {artifact.status.value}, cost ${artifact.statistics.cost_usd}, hash {artifact.replay_hash[:12]}")
    for result in artifact.field_results:
        print(f"  {result.field_path:18} {_value(result):34} {result.confidence_band.value:10} {_origin(result)}")
        for note in result.diagnostics:
            print(f"  {'':18} - {note.code}: {note.message}")
    print()


def _value(result: FieldResult) -> str:
    if result.status == "UNRESOLVED":
        return "(unresolved)"
    text = f"{len(result.value)} rows" if isinstance(result.value, tuple) else str(result.value)
    return text if len(text) <= 34 else text[:31] + "..."


def _origin(result: FieldResult) -> str:
    supporting = [ref for ref in result.evidence_refs if ref.role == "supporting"]
    if not supporting:
        return ""
    ref = supporting[0]
    place = _place(ref.source) if ref.source else (ref.detail or "")
    more = f" and {len(supporting) - 1} more" if len(supporting) > 1 else ""
    return f"{result.origin.value.lower() if result.origin else ''} by {ref.capability_id} from {place}{more}"


def _place(source: Source) -> str:
    match source:
        case ByteRange(start, end):
            return f"bytes {start}-{end}"
        case PageBox(page, (left, top, _, _)):
            return f"page {page} at {left / 100:.0f},{top / 100:.0f} pt"
        case SheetCell(sheet, cell):
            return f"cell {sheet + '!' if sheet else ''}{cell}"
        case JsonPointer(pointer):
            return pointer
        case NodePath(path):
            return path
        case MailPart(part, inner):
            return f"part {part}" + (f", {_place(inner)}" if inner else "")


if __name__ == "__main__":
    main()
