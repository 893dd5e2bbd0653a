"""Many artifacts as tables: one of Arrow with nested values, or flat frames of pandas and Polars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from paxman.artifact.artifact import ExecutionArtifact
from paxman.artifact.results import FieldResult
from paxman.documents.document import name_place
from paxman.errors import ConfigurationError, unknown_name
from paxman.integrations import needs
from paxman.report.views import show_value
from paxman.serialization import to_plain
from paxman.types import Money

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

_ABOUT = ("_source", "_status", "_hash")
_INT64 = 1 << 63


def to_arrow(artifacts: Iterable[ExecutionArtifact], *, confidence: bool = False) -> pyarrow.Table:
    """A row per artifact: source, status and hash, then a column per field; `confidence` adds one for each.

    Money is a struct of amount and currency, arrays are lists, decimals keep their digits; unresolved is null.
    """
    with needs("arrow"):
        import pyarrow as pa
    rows = _rows(artifacts)
    columns: dict[str, Any] = {
        "_source": pa.array([row.metadata.get("source") for row in rows], pa.string()),
        "_status": pa.array([row.status.value for row in rows], pa.string()),
        "_hash": pa.array([row.replay_hash for row in rows], pa.string()),
    }
    for path, shape in _shapes(rows).items():
        results = [row._by_path.get(path) for row in rows]
        values = [_plain(result.value, shape) if result else None for result in results]
        columns[path] = pa.array(values, _arrow_type(shape, values))
        if confidence:
            sure = [result.confidence if result and result.status == "RESOLVED" else None for result in results]
            columns[f"{path}.confidence"] = pa.array(sure, pa.float64())
    return pa.table(columns)


def to_pandas(
    artifacts: Iterable[ExecutionArtifact], *, table: str = "data", confidence: bool = False
) -> pandas.DataFrame:
    """A flat frame with typed columns: `data` has a row per artifact, `fields` a row per field.

    The path of an array, such as `line_items`, gives its rows, each with `position` and `_source` of its artifact.
    """
    with needs("pandas"):
        import pandas
    return _flat(artifacts, table, confidence).to_pandas(types_mapper=pandas.ArrowDtype)


def to_polars(
    artifacts: Iterable[ExecutionArtifact], *, table: str = "data", confidence: bool = False
) -> polars.DataFrame:
    """The same frames as `to_pandas`, for Polars."""
    with needs("polars"):
        import polars
    frame = polars.from_arrow(_flat(artifacts, table, confidence))
    if not isinstance(frame, polars.DataFrame):
        raise ConfigurationError("there is no artifact to make a frame of")
    return frame


def _flat(artifacts: Iterable[ExecutionArtifact], name: str, confidence: bool) -> pyarrow.Table:
    with needs("arrow"):
        import pyarrow as pa
    from paxman.batch.flat_tables import FlatTable, flat_rows, flat_tables
    from paxman.batch.outputs import arrow_schema, record_batch

    rows = _rows(artifacts)
    _shapes(rows)
    if name == "fields":
        fields = [_field(position, row, result) for position, row in enumerate(rows) for result in row.field_results]
        return pa.Table.from_batches([record_batch(pa, arrow_schema(pa, FlatTable(name, _FIELD)), fields)])
    documents = [_document(position, row, confidence) for position, row in enumerate(rows)]
    tables = flat_tables(documents)
    if name not in tables:
        raise ConfigurationError(unknown_name("table", name, (*tables, "fields")))
    found = [tables[name].cells(row) for path, row in flat_rows(documents) if path == name]
    return pa.Table.from_batches([record_batch(pa, arrow_schema(pa, tables[name]), found)])


_FIELD = {
    "position": int,
    "_source": str,
    "field_path": str,
    "status": str,
    "value": str,
    "confidence": float,
    "band": str,
    "reason": str,
    "place": str,
    "rows": str,
}


def _field(position: int, artifact: ExecutionArtifact, result: FieldResult) -> tuple[Any, ...]:
    sources = [ref.source for ref in result.evidence_refs if ref.is_of_value and ref.source]
    note = next((note.message for note in result.diagnostics), None)
    value = None if result.value is None else show_value(result.value)
    sure = (result.confidence, result.confidence_band.value) if result.status == "RESOLVED" else (None, None)
    place = name_place(sources[0]) if sources else None
    about = position, artifact.metadata.get("source"), result.field_path, result.status
    return *about, value, *sure, note, place, str(result.rows) if result.rows else None


def _document(position: int, artifact: ExecutionArtifact, confidence: bool) -> tuple[dict[str, Any], list[Any]]:
    about = {"position": position, "_source": artifact.metadata.get("source"), "_status": artifact.status.value}
    fields = list[Any]()
    for result in artifact.field_results:
        shape = to_plain(result.shape)
        fields.append({"field_path": result.field_path, "shape": shape, "value": to_plain(result.value)})
        if confidence and result.status == "RESOLVED":
            sure = str(result.confidence)
            fields.append({"field_path": f"{result.field_path}:confidence", "shape": "DECIMAL", "value": sure})
    return {**about, "_reason": None}, fields


def _rows(artifacts: Iterable[ExecutionArtifact]) -> list[ExecutionArtifact]:
    rows = [] if isinstance(artifacts, ExecutionArtifact) else list(artifacts)
    if isinstance(artifacts, ExecutionArtifact) or not all(isinstance(row, ExecutionArtifact) for row in rows):
        raise TypeError("artifacts must be many of ExecutionArtifact; one is given as [artifact]")
    return rows


def _shapes(rows: Sequence[ExecutionArtifact]) -> dict[str, Any]:
    """The shape of each field, by path; artifacts of several contracts that disagree on one are refused."""
    shapes: dict[str, Any] = {}
    for row in rows:
        for result in row.field_results:
            if shapes.setdefault(result.field_path, result.shape) != result.shape or result.field_path in _ABOUT:
                raise ConfigurationError(f"the field {result.field_path!r} cannot be one column: its types differ")
    return shapes


def _plain(value: Any, shape: Any) -> Any:
    """A value as Arrow takes it."""
    if value is None:
        return None
    if isinstance(shape, Mapping):
        return {name: _plain(value.get(name), inner) for name, inner in shape.items()}
    if isinstance(shape, tuple):
        return [_plain(item, shape[0]) for item in value]
    if isinstance(value, Money):
        return {"amount": value.amount, "currency": value.currency}
    return value if _kind(shape) in ("INTEGER", "DECIMAL", "DATE", "BOOLEAN") else show_value(value)


def _kind(shape: str) -> str:
    return shape.partition(":")[0]


def _arrow_type(shape: Any, values: Sequence[Any]) -> Any:
    import pyarrow as pa

    if isinstance(shape, Mapping):
        parts = {name: [value[name] for value in values if value] for name in shape}
        return pa.struct([(name, _arrow_type(inner, parts[name])) for name, inner in shape.items()])
    if isinstance(shape, tuple):
        return pa.list_(_arrow_type(shape[0], [item for value in values if value for item in value]))
    match _kind(shape):
        case "MONEY":
            amounts = [value["amount"] for value in values if value]
            return pa.struct([("amount", _decimal_type(amounts)), ("currency", pa.string())])
        case "DECIMAL":
            return _decimal_type(values)
        case "INTEGER":
            wide = any(value is not None and not -_INT64 <= value < _INT64 for value in values)
            return (
                _decimal_type([None if value is None else Decimal(value) for value in values]) if wide else pa.int64()
            )
        case kind:
            return {"DATE": pa.date32(), "BOOLEAN": pa.bool_()}.get(kind, pa.string())


def _decimal_type(values: Iterable[Decimal | None]) -> Any:
    """The narrowest type that keeps every digit of these numbers."""
    import pyarrow as pa

    whole, places = 1, 0
    for digits, exponent in _digits(values):
        whole, places = max(whole, digits + exponent), max(places, -exponent)
    if whole + places > 76:
        raise ConfigurationError(f"a column needs {whole + places} digits, Arrow's decimals have 76")
    return pa.decimal128(38, places) if whole + places <= 38 else pa.decimal256(76, places)


def _digits(values: Iterable[Decimal | None]) -> Iterator[tuple[int, int]]:
    for value in values:
        if value is not None:
            parts = value.as_tuple()
            yield len(parts.digits), int(parts.exponent)
