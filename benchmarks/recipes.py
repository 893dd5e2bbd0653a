"""Recipe pages: how much of what their JSON-LD holds comes out, against an independent reading of it.

`python -m benchmarks.recipes`, with the recipe pages in ../shared/bench beside the project.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import paxman

HERE = Path(__file__).resolve().parent
PAGES = HERE.parent.parent / "shared" / "bench" / "recipes_html" / "dev"
NAMES = {
    "title": "name",
    "author": "author",
    "ingredients": "recipeIngredient",
    "total_time": "totalTime",
    "prep_time": "prepTime",
    "cook_time": "cookTime",
    "yields": "recipeYield",
}
TARGET = 0.9


def main() -> None:
    if not PAGES.exists():
        print(f"no labelled documents at {PAGES}: nothing to measure")
        return
    contract = json.loads((HERE / "recipes.json").read_text())
    held, right = Counter[str](), Counter[str]()
    for page in sorted(PAGES.glob("*.html")):
        recipe = next(_recipes(page.read_text(encoding="utf-8", errors="replace")), None)
        if recipe is None:
            continue
        artifact = paxman.normalize(page, contract)
        for field, name in NAMES.items():
            options = _texts(recipe.get(name))
            if options:
                held[field] += 1
                right[field] += _same(artifact[field].value, options)
    print(f"{'field':14} {'held':>5} {'right':>6} {'share':>6} {'target':>7}")
    for field in NAMES:
        if held[field]:
            share = right[field] / held[field]
            print(
                f"{field:14} {held[field]:5} {right[field]:6} {share:6.3f} {TARGET:7} {'' if share >= TARGET else 'NO'}"
            )


def _recipes(page: str) -> Iterator[dict[str, Any]]:
    for block in re.findall(r"<script[^>]*ld\+json[^>]*>(.*?)</script>", page, re.DOTALL | re.IGNORECASE):
        try:
            stack = [json.loads(block, strict=False)]
        except ValueError:
            continue
        while stack:
            node = stack.pop()
            if isinstance(node, dict):
                if "Recipe" in (node.get("@type") if isinstance(node.get("@type"), list) else [node.get("@type")]):
                    yield node
                stack.extend(reversed(list(node.values())))
            elif isinstance(node, list):
                stack.extend(reversed(node))


def _texts(value: Any) -> list[str]:
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    if isinstance(value, dict):
        return _texts(value.get("name"))
    return [str(value)] if str(value or "").strip() else []


def _same(found: Any, options: list[str]) -> bool:
    if isinstance(found, tuple):
        return [_fold(item) for item in found] == [_fold(option) for option in options]
    return found is not None and _fold(found) in map(_fold, options)


def _fold(text: Any) -> str:
    return re.sub(r"[\W_]+", "", html.unescape(html.unescape(str(text)))).casefold()


if __name__ == "__main__":
    main()
