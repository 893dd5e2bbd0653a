"""Names of months and countries as CLDR has them, written into the data of the recognizers.

`python -m benchmarks.cldr` writes the files; what CLDR lacks stands in `months.txt` and `countries.txt` beside them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from babel import Locale

from paxman.locales import TERRITORIES
from paxman.recognizers.booleans_and_enums import plain

DATA = Path(__file__).resolve().parents[1] / "src" / "paxman" / "recognizers" / "data"
WRITTEN = (
    "en de fr es it pt nl pl ms id sv da nb fi cs sk hu ro tr hr sl et lv lt ca fil ru uk be bg sr el hi bn th ar he"
).split()
"""Languages of dates; where two disagree about a month, the one that stands first decides."""
SPOKEN = "en de fr es it pt nl".split()
"""Languages in which papers name countries other than their own."""
SHORTEST = 5
"""Letters of a name; shorter ones are words or first names elsewhere: Man, Chad, Oma."""


def months() -> Iterator[str]:
    """A line for each language: twelve names, other forms of the same month after a slash."""
    for language in WRITTEN:
        kinds = [Locale(language).months[kind]["wide"] for kind in ("format", "stand-alone")]
        forms = [[kind[month].lower().split(" ")[-1].removeprefix("d’") for kind in kinds] for month in range(1, 13)]
        yield f"{language}: " + " ".join("/".join(dict.fromkeys(each)) for each in forms)


def countries() -> Iterator[str]:
    """A line for each country: its names, folded as they are compared."""
    for code in sorted(TERRITORIES & Locale("en").territories.keys()):
        names = dict.fromkeys(plain(Locale(each).territories.get(code, "")) for each in SPOKEN)
        told = [name.replace(" ", "_") for name in names if len(name) >= SHORTEST]
        if told:
            yield f"{code}: {' '.join(told)}"


def write(name: str, lines: Iterator[str]) -> None:
    head = "# From CLDR by `python -m benchmarks.cldr`; an underscore is a space.\n"
    (DATA / f"{name}.txt").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write("cldr_months", months())
    write("cldr_countries", countries())
