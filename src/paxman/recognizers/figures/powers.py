"""Powers of ten with raised figures: 3·10⁸, 2,5 × 10⁻⁶, 10⁻³."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from paxman.recognizers.base import Conventions, Reading, read_any
from paxman.recognizers.figures.points import choose_points, decimal_steps, points_of

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_POWER = re.compile(r"(?<![\w.,])[-−]?(?:(\d+(?:[ \u00a0\u202f'’.,]\d+){0,5}) ?([·⋅×*xX]) ?)?1(0)([⁺⁻]?[⁰¹²³⁴-⁹]+)")
_LONGEST = 3
_MARKS = ("¹", "²", "³")
_UNSIGNED = "raised figures behind a 10 are the mark of a footnote, or a power"


def with_powers(text: str, found: list[Reading], conventions: Conventions, step: str) -> list[Reading]:
    """Numbers with those of powers in place of their parts; a power of something else than ten is left out."""
    powers = list(_POWER.finditer(text))
    starts = [power.start() for power in powers]
    kept = [r for r in found if text[r.end : r.end + 1] not in ("⁺", "⁻") and not _is_within(r, powers, starts)]
    read = (reading for power in powers for reading in _read(text, power, conventions, step))
    return sorted([*kept, *read], key=lambda reading: reading.start)


def _is_within(reading: Reading, powers: list[re.Match[str]], starts: list[int]) -> bool:
    index = bisect_right(starts, reading.start) - 1
    return index >= 0 and reading.start < powers[index].end()


def _read(text: str, power: re.Match[str], conventions: Conventions, step: str) -> Iterator[Reading]:
    factor, raised = power[1], power[4].translate(_RAISED)
    if len(raised) > _LONGEST:
        return
    # Of a bare 10 the first figure is the factor.
    number, end = (factor, power.end(1)) if factor else ("1", power.start(3))
    points, rule = choose_points(points_of(number), conventions, grouping_first=step == "integer")
    whole = ("integer",) if step == "integer" else ()
    cut, scaled = f"slice:0-{end - power.start()}", f"scale:{_ten(int(raised))}"
    ways = [(cut, *decimal_steps(point), scaled, *whole) for point in points]
    if not factor and raised.isdecimal():
        plain = (f"slice:0-{power.end(3) - power.start()}", step)
        ways, rule = [plain, *ways], _UNSIGNED
    elif power[4] in _MARKS and power[2] not in "·⋅":
        ways, rule = [*ways, *((cut, *decimal_steps(point), *whole) for point in points)], _UNSIGNED
    reading = read_any(text, power.start(), power.end(), ways, rule)
    if reading:
        yield reading


def _ten(exponent: int) -> str:
    return f"0.{'1':0>{-exponent}}" if exponent < 0 else f"1{'0' * exponent}"
