"""Every Python block of the README and the docs that is marked to run, runs and prints what stands below it."""

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"<!-- run -->\n```python\n(.*?)```\n(?:\n```\n(.*?)```\n)?", re.DOTALL)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_blocks_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for code, expected in BLOCK.findall(page.read_text(encoding="utf-8")):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(page), "exec"), names)
        assert printed.getvalue() == expected


def test_every_python_block_is_run():
    unmarked = [
        page.name
        for page in PAGES
        if page.read_text(encoding="utf-8").count("```python") != len(BLOCK.findall(page.read_text(encoding="utf-8")))
    ]
    assert unmarked == []


def test_links_between_pages_lead_somewhere():
    broken = [
        (page.name, link)
        for page in PAGES
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
        if not (page.parent / link).exists()
    ]
    assert broken == []
