"""Signs of lines of postal addresses."""

from __future__ import annotations

from paxman.lazy import lazy_pattern

SHOP = lazy_pattern(r"\d{1,4} [^\W\d_]")
# Wards, streets and house numbers.
_EAST_ASIAN = lazy_pattern(
    r"[\u3040-\u9fff]{1,8}(?:[都道府県省市区區町村郡][\u3040-\u9fff]{1,12})?[市区區町村路街道号號丁目]\d"
    r"|[\u3040-\u9fff]{2,20}\d{1,4}(?:-\d{1,4}|[号號])"
    r"|[\uac00-\ud7a3]{1,10}(?:로|길|동) ?\d"
)


def is_eastern(line: str) -> bool:
    """Whether a line names wards, streets and house numbers as Chinese, Japanese and Korean addresses do."""
    return not line.isascii() and _EAST_ASIAN.search(line) is not None
