"""The map of the code is what a run shows; `make reference` writes it anew."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_map_of_the_code_is_up_to_date():
    made = subprocess.run([sys.executable, "-m", "benchmarks.code_map"], cwd=ROOT, capture_output=True, text=True)
    assert made.stdout == (ROOT / "docs" / "code-map.md").read_text("utf-8"), "run `make reference`"
