"""Plots of many results, as SVG that says in words what it shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from paxman.artifact.results import FieldResult
from paxman.reconciler.confidence import float_to_band
from paxman.report.shell import safe

BANDS = ("CERTAIN", "HIGH", "MEDIUM", "LOW", "UNTRUSTED", "UNRESOLVED")
_BUCKETS = 20

Counts = Mapping[str, Counter[str]]


def count_bands(results: Iterable[FieldResult]) -> Counts:
    """For each field, how many of its values are in each band, and how many are unresolved."""
    counts: dict[str, Counter[str]] = {}
    for result in results:
        band = result.confidence_band.value if result.status == "RESOLVED" else "UNRESOLVED"
        counts.setdefault(result.field_path, Counter())[band] += 1
    return counts


def bands_table(counts: Counts) -> str:
    """A row per field: a bar that is parted by bands, and the numbers behind it."""
    every = sum(counts.values(), Counter[str]())
    told = ", ".join(f"{every[band]} {band.lower()}" for band in BANDS if every[band])
    caption = f"{every.total()} values in {len(counts)} fields: {told or 'none'}."
    names = "".join(f'<th scope="col" class="number">{_swatch(band)}</th>' for band in BANDS)
    head = f'<th scope="col">field</th><th scope="col" colspan="2">resolved</th>{names}'
    rows = "".join(_row(path, found) for path, found in counts.items())
    return (
        f'<table class="bands"><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    )


def _swatch(band: str) -> str:
    box = f'<rect class="seg-{band.lower()}" width="10" height="10"/>'
    return f'<svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">{box}</svg>{band.lower()}'


def _row(path: str, found: Counter[str]) -> str:
    total = sum(found.values())
    cells = "".join(f'<td class="number{"" if found[band] else " none"}">{found[band]}</td>' for band in BANDS)
    return (
        f'<tr><th scope="row">{safe(path)}</th><td class="parts"><svg viewBox="0 0 100 10" preserveAspectRatio="none" '
        f'aria-hidden="true">{"".join(_segments(found, total))}</svg></td>'
        f'<td class="number">{total - found["UNRESOLVED"]} of {total}</td>{cells}</tr>'
    )


def _segments(found: Counter[str], total: int) -> Iterator[str]:
    left = 0.0
    for band in BANDS:
        width = 100 * found[band] / total
        if width:
            yield (
                f'<rect class="seg-{band.lower()}" x="{left:.2f}" width="{width:.2f}" height="10">'
                f"<title>{band}: {found[band]}</title></rect>"
            )
        left += width


def small_multiples(groups: Iterable[str], counts: Mapping[str, Mapping[str, Counter[str]]]) -> str:
    """A small plot per field: a column for each group of documents, parted by bands; the numbers stand below."""
    names = list(groups)
    plots = "".join(_small(path, names, found) for path, found in counts.items())
    rows = "".join(
        f'<tr><th scope="row">{safe(path)}</th><td>{safe(name)}</td>'
        + "".join(f'<td class="number">{found[name][band]}</td>' for band in BANDS)
        + "</tr>"
        for path, found in counts.items()
        for name in names
        if name in found
    )
    head = "".join(f'<th scope="col">{text}</th>' for text in ("field", "documents", *map(str.lower, BANDS)))
    table = f'<table class="bands"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return f'<div class="multiples">{plots}</div><details><summary>The numbers</summary>{table}</details>'


def _small(path: str, names: list[str], found: Mapping[str, Counter[str]]) -> str:
    columns = "".join(_stack(number, name, found.get(name, Counter())) for number, name in enumerate(names))
    resolved = [f"{name}: {each.total() - each['UNRESOLVED']} of {each.total()}" for name, each in found.items()]
    label = safe(f"{path}, resolved: {', '.join(resolved)}")
    return (
        f'<figure><svg viewBox="0 0 {12 * len(names)} 40" preserveAspectRatio="none" role="img" aria-label="{label}">'
        f"{columns}</svg><figcaption>{safe(path)}</figcaption></figure>"
    )


def _stack(number: int, name: str, found: Counter[str]) -> str:
    top, parts = 0.0, list[str]()
    for band in reversed(BANDS):
        height = 40 * found[band] / found.total() if found else 0.0
        title = f"<title>{safe(name)}: {found[band]} {band.lower()}</title>"
        box = f'x="{12 * number}" y="{top:.2f}" width="11" height="{height:.2f}"'
        parts += [f'<rect class="seg-{band.lower()}" {box}>{title}</rect>'] if height else []
        top += height
    return "".join(parts)


def confidence_plot(results: Iterable[FieldResult]) -> str:
    """A histogram of confidences in steps of 0.05."""
    sure = [result.confidence for result in results if result.status == "RESOLVED"]
    buckets = Counter(min(int(confidence * 100) * _BUCKETS // 100, _BUCKETS - 1) for confidence in sure)
    highest = max(buckets.values(), default=1)
    bars = "".join(_column(bucket, buckets[bucket], highest) for bucket in range(_BUCKETS) if buckets[bucket])
    axis = "".join(
        f'<text x="{40 + 820 * tick / 10:.0f}" y="150" text-anchor="middle">{tick / 10:.1f}</text>'
        for tick in range(11)
    )
    line = '<rect class="rail" x="40" y="130" width="820" height="1"/>'
    steps = ", ".join(f"{buckets[step]} from {step / _BUCKETS:.2f}" for step in sorted(buckets))
    label = f"Confidence of {len(sure)} resolved values, in steps of 0.05: {steps or 'none'}"
    return f'<svg class="plot" viewBox="0 0 900 160" role="img" aria-label="{label}">{line}{bars}{axis}</svg>'


def _column(bucket: int, count: int, highest: int) -> str:
    height = 100 * count / highest
    left, width = 40 + 820 * bucket / _BUCKETS, 820 / _BUCKETS - 4
    band = float_to_band(bucket / _BUCKETS).value.lower()
    box = f'x="{left + 2:.1f}" y="{130 - height:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return (
        f'<rect class="seg-{band}" {box}/>'
        f'<text x="{left + width / 2 + 2:.1f}" y="{124 - height:.1f}" text-anchor="middle">{count}</text>'
    )
