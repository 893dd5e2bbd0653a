"""A caller's code passes mypy --strict."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def test_the_public_surface_types():
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", str(HERE / "typing" / "api.py")]
    found = subprocess.run(command, capture_output=True, text=True, check=False, cwd=HERE.parent)
    assert found.stdout == "Success: no issues found in 1 source file\n"
