"""What a language or a region usually writes: decimal point, order of a date, currency."""

from __future__ import annotations

from functools import lru_cache

from paxman.recognizers.base import DateOrder, DecimalPoint
from paxman.recognizers.tables import column, entries


@lru_cache(maxsize=1)
def usage() -> dict[str, frozenset[str]]:
    """Regions and languages by how they write numbers and dates."""
    return column("usage")


@lru_cache(maxsize=1)
def _currencies() -> dict[str, str]:
    return {region: code for code, regions in entries("region_currencies") for region in regions}


def currency_of(region: str | None) -> str | None:
    """The currency that a region pays in."""
    return _currencies().get(region) if region else None


def regions_of(currency: str | None) -> frozenset[str]:
    """The regions that pay in a currency."""
    return frozenset(region for region, code in _currencies().items() if code == currency)


def usual_point(language: str | None, region: str | None) -> DecimalPoint | None:
    """The decimal point that a region, or else a language, writes."""
    known = usage()
    if region in known["point"]:
        return "."
    if region in known["comma"]:
        return ","
    if not language:
        return None
    return "." if language in known["point"] else ","


def usual_order(language: str | None, region: str | None) -> DateOrder | None:
    """The order of day, month and year in a region, or else in a language; English alone does not say."""
    known = usage()
    if region in known["mdy"]:
        return "mdy"
    if region in known["ymd"] or (not region and language in known["ymd"]):
        return "ymd"
    return "dmy" if region or language not in (None, "en") else None
