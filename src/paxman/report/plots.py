"""Plots of many results, as SVG that says in words what it shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from paxman.artifact.artifact import FieldResult
from paxman.report.shell import safe

BANDS = ("CERTAIN", "HIGH", "MEDIUM", "LOW", "UNTRUSTED", "UNRESOLVED")
_LABELS, _WIDTH, _ROW = 220, 560, 26
_BUCKETS = 20


Counts = Mapping[str, Counter[str]]


def count_bands(results: Iterable[FieldResult]) -> Counts:
    """For each field, how many of its values are in each band, and how many are unresolved."""
    counts: dict[str, Counter[str]] = {}
    for result in results:
        band = result.confidence_band.value if result.status == "RESOLVED" else "UNRESOLVED"
        counts.setdefault(result.field_path, Counter())[band] += 1
    return counts


def bands_plot(counts: Counts) -> str:
    """A bar per field, parted by bands."""
    bars = "".join(_bar(row, path, found) for row, (path, found) in enumerate(counts.items()))
    size = f"0 0 {_LABELS + _WIDTH + 120} {_ROW * len(counts)}"
    every = sum(counts.values(), Counter[str]())
    shown = ", ".join(f"{every[band]} {band.lower()}" for band in BANDS if every[band])
    label = f"Bands of {every.total()} values in {len(counts)} fields: {shown}. The table below has each field."
    return f'<svg class="plot" viewBox="{size}" role="img" aria-label="{safe(label)}">{bars}</svg>'


def bands_table(counts: Counts) -> str:
    """The numbers behind the bars, with the colour of each band beside its name."""
    head = '<th scope="col">field</th>' + "".join(f'<th scope="col">{_swatch(band)}</th>' for band in BANDS)
    rows = "".join(
        f'<tr><th scope="row">{safe(path)}</th>'
        + "".join(f'<td class="number">{found[band]}</td>' for band in BANDS)
        + "</tr>"
        for path, found in counts.items()
    )
    return f'<table class="bands"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


def _swatch(band: str) -> str:
    box = f'<rect class="seg-{band.lower()}" width="10" height="10"/>'
    return f'<svg viewBox="0 0 10 10" aria-hidden="true">{box}</svg>{band.lower()}'


def _bar(row: int, path: str, found: Counter[str]) -> str:
    top, total = row * _ROW, sum(found.values())
    resolved = total - found["UNRESOLVED"]
    segments = "".join(_segments(found, total, top))
    return (
        f'<text x="{_LABELS - 10}" y="{top + 17}" text-anchor="end">{safe(path[-30:])}</text>{segments}'
        f'<text x="{_LABELS + _WIDTH + 10}" y="{top + 17}">{resolved} of {total}</text>'
    )


def _segments(found: Counter[str], total: int, top: int) -> Iterator[str]:
    left = float(_LABELS)
    for band in BANDS:
        width = _WIDTH * found[band] / total
        if width:
            box = f'x="{left:.1f}" y="{top + 4}" width="{width:.1f}" height="{_ROW - 8}"'
            yield (f'<rect class="seg-{band.lower()}" {box}><title>{band}: {found[band]}</title></rect>')
        left += width


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
    band = _band(bucket / _BUCKETS)
    box = f'x="{left + 2:.1f}" y="{130 - height:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return (
        f'<rect class="seg-{band}" {box}/>'
        f'<text x="{left + width / 2 + 2:.1f}" y="{124 - height:.1f}" text-anchor="middle">{count}</text>'
    )


def _band(confidence: float) -> str:
    from paxman.reconciler.confidence import float_to_band

    return float_to_band(confidence).value.lower()
