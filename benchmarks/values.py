"""How well the recognizers read short strings whose value is known; reads ../shared/bench/values when it is there."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from paxman.contract.model import CanonicalField
from paxman.recognizers import Conventions, Reading, find, read_value
from paxman.recognizers.figures.currency_signs import codes_of
from paxman.recognizers.regions import usual_point
from paxman.types import FieldType

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "bench" / "values"
LANGUAGES = {
    "English": "en",
    "German": "de",
    "French": "fr",
    "Spanish": "es",
    "Italian": "it",
    "Portuguese": "pt",
    "Dutch": "nl",
}
MONEY = CanonicalField("price:amount", "amount", "amount", FieldType.MONEY)
DECIMAL = CanonicalField("price:amount", "amount", "amount", FieldType.DECIMAL)
Outcome = tuple[str, Any, Any]
"""Input, what was expected, what was read."""


def rows(name: str) -> Iterator[dict[str, Any]]:
    with (FOLDER / f"{name}.jsonl").open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def number(value: Any) -> Decimal | None:
    try:
        return Decimal(str(value).replace(",", "."))
    except InvalidOperation:
        return None


def prices() -> Iterator[Outcome]:
    """Amount and currency; the hint stands in for the rest of the page."""
    for row in rows("price_parser"):
        text = row["input"] or ""
        page = next((r.value for r in find("currency", row["hint"] or "")), None)
        opts = row.get("opts") or {}
        known = Conventions(currency=page, decimal_point=opts.get("decimal_separator"))
        found = read_value(text, MONEY, known) or read_value(text, DECIMAL, known)
        wanted = (number(row["expected"]["amount"]), row["expected"]["currency_symbol"])
        yield text, wanted, _price(found, page, wanted[1])


def _price(reading: Reading | None, page: str | None, symbol: str | None) -> tuple[Decimal | None, str | None]:
    value = reading.value if reading else None
    amount = getattr(value, "amount", value)
    currency = getattr(value, "currency", page)
    means = codes_of(symbol) if symbol else ()
    return amount, symbol if currency in means else currency


def dates() -> Iterator[Outcome]:
    """Only strings that name a year: the others depend on the clock."""
    for row in rows("dateparser"):
        year = row["expected"][:4]
        digits = "".join(str(int(c)) if c.isdecimal() else c for c in row["input"])
        if year in digits or re.search(rf"[.'/]{year[2:]}\b", digits):
            found = find("date", row["input"])
            yield row["input"], row["expected"][:10], found[0].value.isoformat() if found else None


def conventions(language: str) -> Conventions:
    return Conventions(decimal_point=usual_point(language, None), language=language)


def recognized(
    name: str, kind: str, value: Callable[[Reading], Any], wanted: Callable[[dict[str, Any]], Any]
) -> Iterator[Outcome]:
    for row in rows(name):
        if row["lang"] in LANGUAGES:
            found = find(kind, row["input"], conventions(LANGUAGES[row["lang"]]))
            expected = [wanted(e["Resolution"]) for e in row["expected"] if wanted(e["Resolution"]) is not None]
            yield f"{row['lang'][:2]} {row['input']}", expected, [value(reading) for reading in found]


def close(left: Any, right: Any) -> bool:
    """Equal, numbers but for the fifteenth digit, which is where the expected values were cut."""
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(close, left, right))
    if isinstance(left, Decimal) and isinstance(right, Decimal):
        return abs(left - right) <= abs(left) * Decimal("1e-13")
    return bool(left == right)


_CENTS = {"Cent", "Centavo", "Céntimo", "Penny", "Pence", "Pêni", "Penique", "Centesimo", "Cêntimo"}


def _money(resolution: dict[str, Any]) -> Decimal | None:
    amount = number(resolution.get("value"))
    return amount / 100 if amount is not None and resolution.get("unit") in _CENTS else amount


SETS: dict[str, tuple[float, Callable[[], Iterator[Outcome]]]] = {
    "price_parser": (0.95, prices),
    "dateparser": (0.90, dates),
    "numbers": (
        0.85,
        lambda: recognized("recognizers_Number_NumberModel", "number", lambda r: r.value, lambda e: number(e["value"])),
    ),
    "currencies": (
        0.85,
        lambda: recognized("recognizers_NumberWithUnit_CurrencyModel", "money", lambda r: r.value.amount, _money),
    ),
    "percents": (
        0.85,
        lambda: recognized(
            "recognizers_Number_PercentModel", "percent", lambda r: r.value, lambda e: number(e["value"].rstrip("%"))
        ),
    ),
}


def main(misses: int = 0, only: str | None = None) -> None:
    if not FOLDER.exists():
        print(f"no labelled values at {FOLDER}: nothing to measure")
        return
    print(f"{'set':<14}{'right':>7}{'of':>7}{'share':>8}{'target':>8}")
    for name, (target, run) in SETS.items():
        if only in (None, name):
            outcomes = list(run())
            wrong = [outcome for outcome in outcomes if not close(list(_flat(outcome[1])), list(_flat(outcome[2])))]
            right = len(outcomes) - len(wrong)
            print(f"{name:<14}{right:>7}{len(outcomes):>7}{right / len(outcomes):>8.3f}{target:>8}")
            for text, expected, got in wrong[:misses]:
                print(f"    {text[:140]!r}\n        wanted {expected}, read {got}")


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for item in value:
            yield from _flat(item)
    else:
        yield value


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0, sys.argv[2] if len(sys.argv) > 2 else None)
