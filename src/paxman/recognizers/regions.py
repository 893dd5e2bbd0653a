"""What a language or a region usually writes: decimal point, order of a date, currency."""

from __future__ import annotations

from functools import lru_cache

from paxman.recognizers.base import DateOrder, DecimalPoint
from paxman.recognizers.tables import column, entries


@lru_cache(maxsize=1)
def _usage() -> dict[str, frozenset[str]]:
    return column("usage")


@lru_cache(maxsize=1)
def _currencies() -> dict[str, str]:
    return {region: code for code, regions in entries("region_currencies") for region in regions}


def currency_of(region: str | None) -> str | None:
    """The currency that a region pays in."""
    return _currencies().get(region) if region else None


def usual_point(language: str | None, region: str | None) -> DecimalPoint | None:
    """The decimal point that a region, or else a language, writes."""
    usage = _usage()
    if region in usage["point"]:
        return "."
    if region in usage["comma"]:
        return ","
    if not language:
        return None
    return "." if language in usage["point"] else ","


def usual_order(language: str | None, region: str | None) -> DateOrder | None:
    """The order of day, month and year in a region, or else in a language; English alone does not say."""
    usage = _usage()
    if region in usage["mdy"]:
        return "mdy"
    if region in usage["ymd"] or (not region and language in usage["ymd"]):
        return "ymd"
    return "dmy" if region or language not in (None, "en") else None
