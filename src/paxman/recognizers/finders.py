"""Who finds values of each kind in a text; a finder is imported when its kind is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from paxman.errors import unknown_name
from paxman.recognizers.base import UNKNOWN, Conventions, Reading, is_cut

Finder = Callable[[str, Conventions], list[Reading]]

FINDERS: dict[str, str] = {
    "decimal": "figures.numbers:find_decimals",
    "integer": "figures.numbers:find_integers",
    "number": "figures.quantities:find_numbers",
    "percent": "figures.quantities:find_percents",
    "money": "figures.money:find_money",
    "currency": "figures.money:find_currencies",
    "date": "calendar.dates:find_dates",
    "time": "calendar.times:find_times",
    "duration": "calendar.times:find_durations",
    "boolean": "booleans_and_enums:find_booleans",
    "email": "contacts:find_emails",
    "url": "contacts:find_urls",
    "phone": "contacts:find_phones",
    "uuid": "contacts:find_uuids",
    "ip": "contacts:find_ips",
    "iban": "identifiers:find_ibans",
    "bic": "identifiers:find_bics",
    "vat_id": "identifiers:find_vat_ids",
    "tax_id": "identifiers:find_tax_ids",
    "country": "places:find_countries",
    "region": "places:find_regions",
    "postal_code": "places:find_postal_codes",
    "person": "parties:find_persons",
}
_loaded: dict[str, Finder] = {}


def find(kind: str, text: str, conventions: Conventions = UNKNOWN) -> list[Reading]:
    """All values of a kind in a text, in order, none overlapping another and none beside a lost character."""
    if kind not in _loaded:
        if kind not in FINDERS:
            raise ValueError(unknown_name("kind of value", kind, FINDERS))
        module, _, function = FINDERS[kind].partition(":")
        _loaded[kind] = getattr(import_module(f"paxman.recognizers.{module}"), function)
    found = _loaded[kind](text, conventions)
    return found if text.isascii() else [r for r in found if not is_cut(text, r.start, r.end)]


def kinds() -> tuple[str, ...]:
    """The kinds that `find` knows."""
    return tuple(FINDERS)
