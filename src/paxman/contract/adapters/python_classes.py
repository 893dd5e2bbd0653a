"""Dataclasses, attrs classes, TypedDicts, msgspec Structs and SQLAlchemy models, read as Pydantic models."""

from __future__ import annotations

from typing import Any

import attrs

from paxman.contract.adapters.class_fields import read_class
from paxman.contract.adapters.class_models import InstanceCheck, to_model
from paxman.contract.adapters.pydantic import read_model
from paxman.contract.adapters.pydantic_export import export_model
from paxman.contract.detection import KnownFormat
from paxman.contract.model import CanonicalContract


class PythonClassAdapter(KnownFormat):
    name = "python_class"
    version = "1.0"

    def adapt(self, contract: Any, **options: Any) -> CanonicalContract:
        read = read_model(to_model(contract))
        notes = [f"{contract.__name__}: {note}" for note in read_class(contract).notes]
        check = InstanceCheck(contract)
        return attrs.evolve(read, source="python_class", check_data=check, warnings=(*read.warnings, *notes))

    def export(self, canonical: CanonicalContract) -> Any:
        """A class of Pydantic, which has a word for everything that a contract can ask."""
        return export_model(canonical)
