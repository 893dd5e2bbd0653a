"""Fitting what signs count, on three small kinds of documents."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import paxman
from benchmarks.fit import FILE, Bench, written
from benchmarks.outcomes import Labelled

JUDGED = tomllib.loads(FILE.read_text(encoding="utf-8"))["judged"]
PLANTED = {**JUDGED, "whole": -0.7}
PAGES = {
    "parcels": ("Weight: 12.50 kg\nDepot: Leeds\n", {"depot": "Leeds"}),
    "pets": ("Animal: Otter\nKeeper: Ann Lee\n", {"keeper": "Ann Lee"}),
    "boats": ("Harbour: Split\nBerth: 14 C\n", {"harbour": "Split", "berth": "14 C", "captain": None}),
}


def bench(folder: Path) -> Bench:
    return Bench(_labelled(folder, kind, *page) for kind, page in PAGES.items())


def _labelled(folder: Path, kind: str, text: str, truth: dict[str, str | None]) -> Labelled:
    source = folder / f"{kind}.md"
    source.write_text(text, encoding="utf-8")
    fields: list[dict[str, Any]] = [{"name": name, "type": "STRING", "required": False} for name in truth]
    judged = {name: (value, lambda got, value=value: got == value) for name, value in truth.items()}
    return Labelled(kind, source, {"id": kind, "version": "1", "fields": fields}, paxman.Policy(), judged)


def test_fitting_mends_a_planted_weight_also_on_kinds_held_out(tmp_path: Path) -> None:
    made = bench(tmp_path)
    best = made.means(made.same(JUDGED))
    planted = made.means(made.same(PLANTED))
    assert planted[0] < best[0]
    assert made.means(made.held_out(PLANTED))[0] > planted[0]
    assert made.fitted(made.kinds, JUDGED) == JUDGED


def test_fitting_writes_the_same_file_every_time(tmp_path: Path) -> None:
    text = FILE.read_text(encoding="utf-8")
    files = []
    for _ in range(2):
        made = bench(tmp_path)
        files.append(written(text, PLANTED, made.fitted(made.kinds, PLANTED)))
    assert files[0] == files[1] == written(files[0], PLANTED, tomllib.loads(files[0])["fitted"])
    assert tomllib.loads(files[0])["fitted"]
