"""Every block of the README and the docs holds: code and commands run, settings load, output is what is printed."""

import contextlib
import html
import io
import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import attrs
import click
import pytest
from click.testing import CliRunner
from model_server import answering, close_models, serve

import paxman
from benchmarks.recording import draw, session
from paxman.cli.app import COMMANDS, app
from paxman.config import load_settings
from paxman.planner.registry import CAPABILITIES

ROOT = Path(__file__).parent.parent
SAMPLES = Path(paxman.__file__).parent / "samples"
BLOCK = re.compile(
    r"^(?:<!-- (?P<mark>[^\n]*) -->\n)?```(?P<kind>[^\n]*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE
)
COMMAND = re.compile(r"(paxman|pip|make) ")
NOT_RUN = {
    "review.md: paxman review invoices/ --contract invoice.json": "it serves; tests/test_review.py runs it",
    "review.md: paxman review out --contract invoice.json": "it serves; tests/test_review.py runs it",
    "review.md: paxman batch invoices/ --contract invoice.json --output out --reviewed review": "needs that review",
    "finding.md: total = 78.90 GBP": "a test of its own runs explain",
    "clusters.md: pip install '.[dask]'    # or '.[ray]', '.[spark]'": "tests/engines runs it",
    "clusters.md: # Dask": "tests/engines runs it",
    "clusters.md: # Ray, through Ray Data": "tests/engines runs it",
    "clusters.md: # Spark, through mapInArrow": "tests/engines runs it",
    "dbt.md: pip install dbt-duckdb": "tests/pipelines runs it",
    "prefect.md: pip install '.[parquet]' prefect": "tests/pipelines runs it",
}
"""Blocks that cannot run here, by page and first line; `pip` and `make` lines are held against what there is.

A block marked as a file is run by tests/pipelines.
"""
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [page for page in PAGES if page.parent.name != "reference"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
KINDS = ("capabilities", "readers", "adapters", "providers")


@attrs.frozen
class Block:
    """A fenced block; one without a language right after a Python block that runs is what that prints."""

    page: Path
    mark: str
    kind: str
    text: str
    is_output: bool

    @property
    def name(self):
        return f"{self.page.name}: {self.text.partition(chr(10))[0]}"


def blocks(page):
    found, previous = page.read_text(encoding="utf-8"), None
    for match in BLOCK.finditer(found):
        after = previous is not None and not found[previous.end() : match.start()].strip()
        output = after and not match["kind"] and previous["mark"] == "run"
        yield Block(page, match["mark"] or "", match["kind"], match["text"], output)
        previous = match


@pytest.fixture(scope="module")
def server():
    """What stands in for the vendors of models: it knows the ship of the recipes."""
    with serve(answering(vessel="Marigold")) as running:
        yield running
        close_models()


@pytest.fixture
def desk(tmp_path, monkeypatch, server):
    """A folder with what the pages name: a PDF, a contract for it, a folder of such documents, and models."""
    monkeypatch.chdir(tmp_path)
    for vendor in ("OPENAI", "ANTHROPIC", "GEMINI"):
        monkeypatch.setenv(f"{vendor}_API_KEY", "none")
        monkeypatch.setenv(f"{vendor}_BASE_URL", server.url + ("/v1" if vendor == "OPENAI" else ""))
    (tmp_path / "invoices").mkdir()
    for target in ("invoice.pdf", "invoices/one.pdf"):
        shutil.copy(SAMPLES / "invoice.pdf", target)
    shutil.copy(SAMPLES / "contracts" / "invoice-pdf.json", "invoice.json")
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_blocks_of_a_page_hold(page, desk):
    names, printed = {}, ""
    for block in blocks(page):
        if block.is_output:
            assert printed == block.text
            printed = ""
            continue
        assert printed == "", "printed, but not shown"
        printed = check(block, names)
    assert printed == "", "printed, but not shown"


def check(block, names):
    """Run or load a block; gives what Python code printed."""
    if block.name in NOT_RUN or block.mark.startswith("file "):
        return ""
    if block.kind == "python":
        return run_python(block, names)
    if block.kind == "toml":
        check_toml(tomllib.loads(block.text), block.text)
    elif block.kind == "json":
        check_servers(json.loads(block.text))
    else:
        assert COMMAND.match(block.text), f"nobody checks this block: {block.name}"
        for line in block.text.splitlines():
            check_command(*shlex.split(line, comments=True))
    return ""


def run_python(block, names):
    assert block.mark == "run", f"not marked to run: {block.name}"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block.text, str(block.page), "exec"), names)
    return printed.getvalue()


def check_command(program, *arguments):
    if program == "paxman":
        found = subprocess.run([sys.executable, "-m", "paxman.cli", *arguments], capture_output=True, text=True)
        assert found.returncode == 0, (arguments, found.stdout, found.stderr)
    elif program == "make":
        assert f"\n{arguments[0]}:" in (ROOT / "Makefile").read_text("utf-8")
    else:
        package, _, extras = arguments[-1].rstrip("]").partition("[")
        assert (arguments[0], package) == ("install", ".")
        assert set(filter(None, extras.split(","))) <= set(PROJECT["optional-dependencies"])


FETCHES = re.compile(r"\b(?:install|add)(?: -\S+)*\s+['\"]?paxman(?![\w-])|(?<![\w.-])paxman\[(?=[a-z{])")
"""What a registry would answer with another project, which has the plain name."""


def test_nothing_tells_to_install_the_other_project_called_paxman():
    code = [path for folder in ("src", "examples", "benchmarks") for path in (ROOT / folder).rglob("*.py")]
    pages = [path for path in ROOT.glob("*.md") if path.name != "CHANGELOG.md"]
    told = {
        f"{path.name}: {found[0]}"
        for path in (*PAGES, *pages, *code, ROOT / "Makefile", ROOT / "pyproject.toml")
        for found in FETCHES.finditer(path.read_text("utf-8"))
    }
    assert (told, PROJECT["name"]) == (set(), "paxman-data")
    extras = {name for path in code for name in re.findall(r"to_install\([\"'](\w+)", path.read_text("utf-8"))}
    assert "pydantic" in extras and extras <= set(PROJECT["optional-dependencies"])
    assert [bool(FETCHES.search(text)) for text in ("pip install paxman", "pip install -U 'paxman[pdf]'")] == [True] * 2


def check_toml(content, text):
    if "project" in content:
        assert set(content["project"]["entry-points"]) <= {f"paxman.{kind}" for kind in KINDS}
        return
    Path("paxman.toml").write_text(text, "utf-8")
    settings = load_settings({}, {}, Path.cwd())
    assert {setting.origin for setting in settings.values.values()} > {"default"}
    before = {provider.name for provider in CAPABILITIES.providers}
    settings.register_provider()
    for name in {provider.name for provider in CAPABILITIES.providers} - before:
        CAPABILITIES.providers.unregister(name)
    Path("paxman.toml").unlink()


def check_servers(content):
    for server in content["mcpServers"].values():
        assert (server["command"], server["args"][0] in COMMANDS) == ("paxman", True)
        app.get_command(None, server["args"][0]).make_context(
            "mcp", server["args"][1:], click.Context(app, **app.context_settings)
        )


def test_blocks_that_do_not_run_are_still_there():
    assert NOT_RUN.keys() <= {block.name for page in PAGES for block in blocks(page)}


def test_links_between_pages_lead_somewhere():
    broken = [
        (page.name, link)
        for page in PAGES
        for link in re.findall(r"(?:\]\(|src=\"|srcset=\")([^)\"#:]+)[#)\"]", page.read_text(encoding="utf-8"))
        if not (page.parent / link).exists()
    ]
    assert broken == []


def spoken(picture):
    """The text of a recording, without hashes and weights, which move with every change of finding."""
    text = html.unescape("\n".join(re.findall(r">([^<]*)</text>", picture)))
    return re.sub(r"\b[0-9a-f]{12}\b|[+-]\d\.\d+", "...", text).split()


def test_the_recording_shows_what_the_commands_print():
    kept = (ROOT / "docs" / "images" / "terminal.svg").read_text("utf-8")
    assert spoken(kept) == spoken(draw(session())), "run: make reference"


def test_the_story_of_a_value_is_what_explain_prints(tmp_path):
    kept = next(block.text for block in blocks(ROOT / "docs" / "finding.md") if block.name in NOT_RUN)
    artifact = paxman.normalize(SAMPLES / "repair.md", SAMPLES / "contracts" / "repair.yaml")
    (tmp_path / "artifact.json").write_text(artifact.to_json(), "utf-8")
    arguments = ["explain", str(tmp_path / "artifact.json"), "total", "--source", str(SAMPLES / "repair.md")]
    told = CliRunner().invoke(app, arguments).stdout
    assert re.sub(r"[+-]\d\.\d+", "...", kept) == re.sub(r"[+-]\d\.\d+", "...", told)


def test_what_is_said_of_others_names_the_release_it_was_read_in():
    text = (ROOT / "docs" / "comparison.md").read_text("utf-8")
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| [")]
    assert (len(rows), re.findall(r"on (\d+ [A-Z]\w+ 20\d\d):", text)) == (9, ["16 November 2026"])
    assert [row[0] for row in rows if not re.match(r"[\w-]+ \d+\.\d+\.\d+(, `[\w.]+`)?$", row[1])] == []


@pytest.mark.parametrize("name", ["delimited", "documents", "recipes", "values"])
def test_a_benchmark_without_its_documents_says_so(name, tmp_path):
    shutil.copytree(ROOT / "benchmarks", tmp_path / "project" / "benchmarks")
    command = [sys.executable, "-m", f"benchmarks.{name}"]
    done = subprocess.run(command, cwd=tmp_path / "project", capture_output=True, text=True, check=False)
    said = re.sub(r"labelled \w+ at \S+:", "labelled ... at ...:", done.stdout)
    assert (done.returncode, said) == (0, "no labelled ... at ...: nothing to measure\n")


def average_words(text):
    """Words of a sentence, on average; tables, headings and code do not count."""
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    lines = "\n".join(line for line in prose.splitlines() if not line.startswith(("|", "#", "<", "!")))
    sentences = [each.split() for each in re.split(r"(?<=[.!?])\s+|\n\n|\n- |\n\d\. ", lines)]
    counts = [len(words) for words in sentences if len(words) > 2]
    return sum(counts) / max(len(counts), 1)


def test_sentences_are_short():
    long = {page.name: round(average_words(page.read_text("utf-8"))) for page in PAGES}
    assert {name: words for name, words in long.items() if words > 25} == {}
