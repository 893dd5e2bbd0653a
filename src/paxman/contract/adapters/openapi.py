"""OpenAPI 3.0 and 3.1: one schema of `components.schemas` is the contract."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from paxman.contract.adapters.json_schema import read_schema
from paxman.contract.adapters.schema_export import export_schema
from paxman.contract.adapters.schema_flattening import UNSUPPORTED, Dialect, Node, dialect_of
from paxman.contract.detection import KnownFormat
from paxman.contract.drafts import DOCUMENT, Findings, clean, refusal
from paxman.contract.model import CanonicalContract
from paxman.errors import ContractIssue, InvalidPathError, unknown_name

_SCHEMAS = DOCUMENT / "components" / "schemas"
_OLD = Dialect(ref_alone=True, boolean_bounds=True, nullable=True)


class OpenApiAdapter(KnownFormat):
    name = "openapi"
    version = "1.0"

    def adapt(self, contract: Any, **options: Any) -> CanonicalContract:
        findings = Findings()
        dialect = _dialect(contract, findings)
        findings.settle()
        document = clean(contract, findings, DOCUMENT)
        name = _pick(_schemas(document), options.get("schema_name"))
        schema = _schemas(document)[name]
        root = Node(schema, _SCHEMAS / name, (id(schema),))
        return read_schema(document, root, dialect, name, findings, "openapi")

    def export(self, canonical: CanonicalContract) -> dict[str, Any]:
        return {
            "openapi": "3.1.0",
            "info": {"title": canonical.id, "version": canonical.version},
            "paths": {},
            "components": {"schemas": {canonical.id: export_schema(canonical)}},
        }


def _dialect(document: Mapping[str, Any], findings: Findings) -> Dialect:
    version = str(document.get("openapi", ""))
    if "swagger" in document:
        hint = "Convert the document to OpenAPI 3."
        findings.error(UNSUPPORTED, DOCUMENT / "swagger", "Swagger 2.0 is not supported.", hint)
    elif not version.startswith("3."):
        hint = "OpenAPI 3.0 and 3.1 are supported."
        findings.error(UNSUPPORTED, DOCUMENT / "openapi", f"OpenAPI {version!r} is not supported.", hint)
    if version.startswith("3.0"):
        return _OLD
    dialect = dialect_of(document["jsonSchemaDialect"]) if "jsonSchemaDialect" in document else Dialect()
    if dialect is None:
        findings.error(UNSUPPORTED, DOCUMENT / "jsonSchemaDialect", "the dialect of the schemas is not supported.")
    return dialect or Dialect()


def _schemas(document: Mapping[str, Any]) -> Mapping[str, Any]:
    components = document.get("components")
    schemas = components.get("schemas") if isinstance(components, Mapping) else None
    if not isinstance(schemas, Mapping) or not schemas:
        raise refusal("without schemas", _SCHEMAS, "Describe the data under components.schemas.")
    return schemas


def _pick(schemas: Mapping[str, Any], wanted: str | None) -> str:
    """The schema that is meant: by name, by pointer, or the only one."""
    name = unquote((wanted or "").rpartition("/")[2]).replace("~1", "/").replace("~0", "~")
    if name in schemas:
        return name
    if wanted is None and len(schemas) == 1:
        return next(iter(schemas))
    listed = ", ".join(sorted(schemas))
    message = unknown_name("schema", name, schemas) if name else f"the document has several schemas: {listed}."
    hint = 'Name one: give (document, "Invoice") as the contract, or "api.yaml#Invoice" for a file.'
    raise InvalidPathError([ContractIssue("INVALID_CONTRACT", str(_SCHEMAS), message, hint)])
