"""The map of the code is what a run shows; `make reference` writes it anew."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "paxman"
MOST = 62
"""Modules that a field passes between bytes and candidates; this may only fall."""


def test_the_map_of_the_code_is_up_to_date():
    made = subprocess.run([sys.executable, "-m", "benchmarks.code_map"], cwd=ROOT, capture_output=True, text=True)
    assert made.stdout == (ROOT / "docs" / "code-map.md").read_text("utf-8"), "run `make reference`"


def test_a_field_passes_no_more_modules_than_before():
    said = re.search(r"(\d+) of them between", (ROOT / "docs" / "code-map.md").read_text("utf-8"))
    assert said and int(said[1]) <= MOST


def test_the_page_that_leads_through_the_code_names_what_is_there():
    named = re.findall(r"`([^`\n]+)`", (ROOT / "docs" / "read-the-code.md").read_text("utf-8"))
    paths = [name for name in named if re.fullmatch(r"[\w/]+(?:\.\w+)?", name) and "/" in name]
    files = [(ROOT if path.startswith(("tests/", "benchmarks/")) else PACKAGE) / path for path in paths]
    assert [path for path in files if not path.exists()] == []
    code = " ".join(path.read_text("utf-8") for path in files if path.suffix == ".py")
    words = [name for name in named if re.fullmatch(r"[A-Z]\w+|[a-z]+_[a-z_]+", name)]
    assert [word for word in words if not re.search(rf"\b{word}\b", code)] == []
