"""The reference page is what the commands say, and help starts at once."""

import os
import resource
import subprocess
import sys
from pathlib import Path

from benchmarks.reference import reference
from paxman.cli.app import COMMANDS

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "cli.md"
HEAVY = ("attr", "rich", "pydantic", "re2", "paxman.api", "paxman.planner", "paxman.config", "yaml")


def test_the_page_is_up_to_date():
    assert PAGE.read_text("utf-8") == reference(), "run: python -m benchmarks.reference > docs/reference/cli.md"


def test_every_command_is_documented():
    assert [name for name in COMMANDS if f"\n## paxman {name}\n" not in PAGE.read_text("utf-8")] == []


def start(*arguments):
    """Seconds of processor time, which other tests on the same machine do not stretch as they do the wall clock."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "paxman.cli", *arguments], check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_help_and_version_start_at_once():
    for arguments in (("--help",), ("version",)):
        assert min(start(*arguments) for _ in range(8)) < 0.120


def test_help_and_version_import_nothing_heavy():
    program = (
        "import sys; from paxman.cli.app import app\n"
        "try: app(['--help'], prog_name='paxman')\nexcept SystemExit: pass\n"
        f"print([m for m in sys.modules if m.startswith({HEAVY!r})], file=sys.stderr)"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stderr == "[]\n"
