"""What OCR read is kept for the next command on the same page."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

import paxman
from paxman.documents.sandbox import kept_readings, pool

CONTRACT = {"id": "note", "version": "1", "fields": [{"name": "total", "type": "DECIMAL", "required": True}]}
PERSONAL = {**CONTRACT, "fields": [{**CONTRACT["fields"][0], "tags": ["pii"]}]}


def page(text: str) -> bytes:
    picture, target = Image.new("L", (400, 120), "white"), io.BytesIO()
    ImageDraw.Draw(picture).text((30, 30), text, fill="black", font=ImageFont.load_default(size=36))
    picture.save(target, "PNG")
    return target.getvalue()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(kept_readings.SWITCH, str(tmp_path / "kept"))
    return tmp_path / "kept"


def test_a_page_is_read_once_and_comes_out_the_same(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = paxman.normalize(page("Total: 12.50"), CONTRACT)
    (kept,) = home.iterdir()
    assert (home.stat().st_mode & 0o777, kept.stat().st_mode & 0o777) == (0o700, 0o600)
    monkeypatch.setattr(pool, "_attempt", lambda *given, **options: pytest.fail("the page was read again"))
    assert paxman.normalize(page("Total: 12.50"), CONTRACT).replay_hash == first.replay_hash


def test_a_damaged_reading_is_read_anew(home: Path) -> None:
    first = paxman.normalize(page("Total: 12.50"), CONTRACT)
    (kept,) = home.iterdir()
    kept.write_bytes(kept.read_bytes()[:9])
    assert paxman.normalize(page("Total: 12.50"), CONTRACT).replay_hash == first.replay_hash


def test_nothing_is_kept_of_personal_fields_or_where_it_is_switched_off(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paxman.normalize(page("Total: 12.50"), PERSONAL)
    monkeypatch.setenv(kept_readings.SWITCH, "off")
    paxman.normalize(page("Total: 12.50"), CONTRACT)
    assert not home.exists()


def test_what_was_not_used_longest_goes_first(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_readings, "MOST_BYTES", 250)
    for number in range(4):
        kept_readings.keep(home / str(number), ({"at": number}, [b"x" * 50]))
        os.utime(home / str(number), (number, number))
    kept_readings.keep(home / "9", ({"at": 9}, [b"x" * 50]))
    assert [each.name for each in sorted(home.iterdir())] == ["3", "9"]
    assert kept_readings.recall(home / "9") == ({"at": 9}, [b"x" * 50])
