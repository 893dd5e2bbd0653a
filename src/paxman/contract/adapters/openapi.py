"""OpenAPI 3.1, 3.0 and 2.0 (Swagger): one schema of the document is the contract."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from operator import truediv
from typing import Any

from paxman.contract.adapters.json_schema import read_schema
from paxman.contract.adapters.schema_export import export_schema
from paxman.contract.adapters.schema_fields import contract_name
from paxman.contract.adapters.schema_flattening import UNSUPPORTED, SchemaDialect, SchemaNode, dialect_of
from paxman.contract.adapters.schema_references import follow_pointer, pointer_parts
from paxman.contract.detection import KnownFormat
from paxman.contract.drafts import DOCUMENT, Findings, KeyPath, clean, refusal
from paxman.contract.model import CanonicalContract
from paxman.errors import ContractIssue, InvalidPathError, unknown_name

_OLD = SchemaDialect(ref_alone=True, boolean_bounds=True, nullable="nullable")
_OLDEST = SchemaDialect(ref_alone=True, boolean_bounds=True, nullable="x-nullable")


class OpenApiAdapter(KnownFormat):
    name = "openapi"
    version = "1.1"

    def adapt(self, contract: Any, **options: Any) -> CanonicalContract:
        findings = Findings()
        dialect = _dialect(contract, findings)
        findings.settle()
        document = clean(contract, findings, DOCUMENT)
        root, name = _find(document, options.get("schema_name"))
        return read_schema(document, root, dialect, name, findings, "openapi")

    def export(self, canonical: CanonicalContract) -> dict[str, Any]:
        return {
            "openapi": "3.1.0",
            "info": {"title": canonical.id, "version": canonical.version},
            "paths": {},
            "components": {"schemas": {canonical.id: export_schema(canonical, by_fields=True)}},
        }


def _dialect(document: Mapping[str, Any], findings: Findings) -> SchemaDialect:
    version = str(document.get("openapi", document.get("swagger", "")))
    if version.startswith("2.0"):
        return _OLDEST
    if not version.startswith("3."):
        key, hint = "swagger" if "swagger" in document else "openapi", "OpenAPI 2.0, 3.0 and 3.1 are supported."
        findings.error(UNSUPPORTED, DOCUMENT / key, f"OpenAPI {version!r} is not supported.", hint)
    if version.startswith("3.0"):
        return _OLD
    dialect = dialect_of(document["jsonSchemaDialect"]) if "jsonSchemaDialect" in document else SchemaDialect()
    if dialect is None:
        findings.error(UNSUPPORTED, DOCUMENT / "jsonSchemaDialect", "the dialect of the schemas is not supported.")
    return dialect or SchemaDialect()


def _find(document: Mapping[str, Any], wanted: str | None) -> tuple[SchemaNode, str]:
    """The schema that is meant and its name: one of those with a name, or whatever a JSON pointer leads to."""
    pointed = follow_pointer(document, wanted) if wanted and "/" in wanted else None
    if wanted and isinstance(pointed, Mapping):
        place = reduce(truediv, pointer_parts(wanted), DOCUMENT)
        return SchemaNode(pointed, place, (id(pointed),)), contract_name(pointed) or pointer_parts(wanted)[-1]
    home, schemas = _schemas(document)
    name = _pick(schemas, wanted, home)
    return SchemaNode(schemas[name], home / name, (id(schemas[name]),)), name


def _schemas(document: Mapping[str, Any]) -> tuple[KeyPath, Mapping[str, Any]]:
    """The schemas of a document by name, and where they stand."""
    home = DOCUMENT / "definitions" if "swagger" in document else DOCUMENT / "components" / "schemas"
    schemas = follow_pointer(document, home.text.removeprefix("#"))
    if not isinstance(schemas, Mapping) or not schemas:
        hint = "Describe the data there, or name a schema of a request or a response by its JSON pointer."
        raise refusal("without schemas", home, hint)
    return home, schemas


def _pick(schemas: Mapping[str, Any], wanted: str | None, home: KeyPath) -> str:
    """The schema that is meant: by name, by pointer, or the only one."""
    name = pointer_parts(wanted)[-1] if wanted else ""
    if name in schemas:
        return name
    if wanted is None and len(schemas) == 1:
        return next(iter(schemas))
    listed = ", ".join(sorted(schemas))
    message = unknown_name("schema", name, schemas) if name else f"the document has several schemas: {listed}."
    hint = 'Name one: give (document, "Invoice") as the contract, or "api.yaml#Invoice" for a file.'
    raise InvalidPathError([ContractIssue("INVALID_CONTRACT", str(home), message, hint)])
