"""The documentation builds offline into pages that load nothing from elsewhere, and the references are fresh."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.reference import api_reference

ROOT = Path(__file__).parent.parent


def test_the_python_reference_is_up_to_date():
    page = (ROOT / "docs" / "reference" / "api.md").read_text("utf-8")
    assert page == api_reference(), "run: make reference"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("material", reason="needs mkdocs-material")
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(target)]
    offline = {"PATH": "", "HOME": str(target), "http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=offline)
    assert built.returncode == 0, built.stderr
    return target


def test_every_page_is_built(site):
    pages = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    assert sorted(page for page in pages if not (site / page).is_file()) == []


def test_pages_load_nothing_from_elsewhere(site):
    loaded = re.compile(
        r'<(?:script|img|iframe)[^>]*src="(https?:[^"]+)"|<link[^>]*rel="stylesheet"[^>]*href="(https?:[^"]+)"'
    )
    assert {
        page.name: found for page in site.rglob("*.html") if (found := loaded.findall(page.read_text("utf-8")))
    } == {}
