"""What planning needs to know of models; it must cost nothing to import."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.lazy import lazy_pattern, remembered
from paxman.types import FieldType

PII = "pii"
"""The tag of personal fields, in any case; what lies within a personal field is personal too."""
_ROW = lazy_pattern(r"\[\d+\]")


@remembered(lambda contract: (contract.memo,))
def personal_paths(contract: CanonicalContract) -> frozenset[str]:
    """Paths of all personal fields, those of columns without the number of a row; worked out once per contract."""
    return frozenset(_personal(contract.fields, "", False))


def _personal(fields: Iterable[CanonicalField], above: str, inherited: bool) -> Iterator[str]:
    for field in fields:
        path = f"{above}{field.name}"
        tags = (*field.semantic_tags, *(field.items.semantic_tags if field.items else ()))
        personal = inherited or any(tag.casefold() == PII for tag in tags)
        if personal:
            yield from (path, field.path)
        yield from _personal((*field.children, *field.columns), f"{path}.", personal)


def is_personal(path: str, personal: frozenset[str]) -> bool:
    """Whether a path, also one with the number of a row, is personal or lies within what is."""
    parts = _ROW.sub("", path).split(".")
    return any(".".join(parts[:length]) in personal for length in range(1, len(parts) + 1))


def holds_personal(path: str, personal: frozenset[str]) -> bool:
    """Whether what lies at a path, or something within it, is personal."""
    return is_personal(path, personal) or any(each.startswith(f"{path}.") for each in personal)


def is_askable(field: CanonicalField) -> bool:
    """Whether a model can be asked for a field: a value, or a list of values or rows."""
    return field.type not in (FieldType.OBJECT, FieldType.MAP) and not (field.type is FieldType.ARRAY and field.prefix)


def is_model(provider: object) -> bool:
    """Whether a registered provider can be asked; others only satisfy a capability's `required_providers`."""
    return callable(getattr(provider, "complete", None))
