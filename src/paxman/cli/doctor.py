"""`paxman doctor`: whether everything works here, and what to do about what does not."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path

import attrs
import click

from paxman.api.normalize import normalize
from paxman.artifact.artifact import ExecutionArtifact
from paxman.cli.app import FAILURE
from paxman.cli.demo import MODULES, SAMPLES
from paxman.cli.options import json_option
from paxman.cli.output import echo_json, table
from paxman.config import load_settings
from paxman.documents.sandbox import kept_readings
from paxman.documents.sandbox.pool import start
from paxman.errors import to_install
from paxman.inference.environment import named_model
from paxman.planner.registry import CAPABILITIES
from paxman.version import __version__

_REQUIREMENT = re.compile(r"([\w.-]+)(?:\[.*?\])?(?:>=([\d.]+))?[^;]*(?:;.*extra == ['\"]([\w-]+)['\"])?")
_FONTS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/usr/share/X11/fonts",
    "~/.fonts",
    "~/.local/share/fonts",
    "/Library/Fonts",
    "/System/Library/Fonts",
    "C:/Windows/Fonts",
)
_BROKEN = ("UNREADABLE_INPUT", "CAPABILITY_FAILED")
_LITTLE_ROOM = 200_000_000
_ISOLATION = {
    "seccomp": ("ok", "the system refuses helpers the network and other programs", ""),
    "namespace": ("ok", "helpers have a network of their own, without a way out", ""),
    "none": (
        "note",
        "telemetry of helpers is off, but the system does not keep them from the network",
        "Run in a container without network if documents are hostile; see docs/security.md",
    ),
}


@attrs.frozen
class Finding:
    """One thing that was looked at; `state` is ok, note or problem."""

    what: str
    state: str
    found: str
    advice: str = ""


@click.command()
@json_option
def doctor(as_json: bool) -> None:
    """Check versions, extras, models, fonts, helper processes, folders and settings, and time a sample run.

    The exit code is 3 when something is broken; what is only missing is a note.
    """
    found = [finding for check in CHECKS for finding in _checked(check)]
    if as_json:
        echo_json([attrs.asdict(finding) for finding in found])
    else:
        table(("what", "state", "found", "what to do"), [attrs.astuple(finding) for finding in found])
    sys.exit(FAILURE if any(finding.state == "problem" for finding in found) else 0)


def _checked(check: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """A check that breaks is a finding as well."""
    try:
        yield from check()
    except Exception as error:
        name = check.__name__.removeprefix("check_")
        yield Finding(
            name, "problem", f"{type(error).__name__}: {error}", "Fix what the message names, then run it again"
        )


def check_versions() -> Iterator[Finding]:
    system = f"{platform.system()} {platform.machine()}"
    yield Finding("paxman", "ok", f"{__version__} on Python {platform.python_version()}, {system}")
    needed = _requirements().get("", {})
    wrong = {name: told for name, least in needed.items() if (told := _lacking(name, least))}
    advice = f"pip install --upgrade {' '.join(wrong)}" if wrong else ""
    yield Finding("libraries", "problem" if wrong else "ok", ", ".join(wrong.values()) or "all there", advice)


def check_extras() -> Iterator[Finding]:
    for extra, needed in _requirements().items():
        if extra in ("", "all"):
            continue
        wrong = [told for name, least in needed.items() if (told := _lacking(name, least))]
        found = ", ".join(wrong) or ", ".join(f"{name} {metadata.version(name)}" for name in needed)
        advice = f"If you need it: {to_install(extra)}" if wrong else ""
        yield Finding(f"extra {extra}", "note" if wrong else "ok", found, advice)


def _requirements() -> dict[str, dict[str, str]]:
    """Names and least versions of what each extra needs; the core is the extra without a name."""
    found: dict[str, dict[str, str]] = {}
    entries = metadata.entry_points(group="console_scripts", name="paxman", value="paxman.cli:main")
    for text in next((entry.dist.requires or () for entry in entries if entry.dist), ()):
        name, least, extra = _REQUIREMENT.match(text).groups()  # type: ignore[union-attr]
        found.setdefault(extra or "", {})[name] = least or ""
    return found


def _lacking(name: str, least: str) -> str:
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return f"{name} is not installed"
    return f"{name} {version} is older than {least}" if _parts(version) < _parts(least) else ""


def _parts(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", re.match(r"[\d.]*", version)[0])]  # type: ignore[index]


def check_settings() -> Iterator[Finding]:
    origins = sorted({setting.origin for setting in load_settings().values.values()} - {"default"})
    yield Finding("settings", "ok", "from " + ", ".join(origins) if origins else "defaults")


def check_models() -> Iterator[Finding]:
    if found := find_spec("rapidocr"):
        models = [each for place in found.submodule_search_locations or () for each in Path(place).rglob("*.onnx")]
        state, advice = ("ok", "") if models else ("problem", "pip install --force-reinstall rapidocr")
        yield Finding("OCR models", state, f"{len(models)} in the package", advice)
    yield from _providers()


def _providers() -> Iterator[Finding]:
    settings = load_settings()
    settings.register_provider()
    registered = {provider.name: provider for provider in CAPABILITIES.providers}
    found = [*registered.values(), *(named_model(name) for name in settings.models if name not in registered)]
    for provider in found:
        trouble, advice = _trouble(provider, settings.policy.allow_remote_inference)
        told = f"{provider.tier}, {getattr(provider, 'model', '')}".rstrip(", ")
        state = "problem" if advice and trouble else "note" if advice else "ok"
        yield Finding(f"model {provider.name}", state, trouble or told, advice)
    if not found:
        advice = "Optional: PAXMAN_MODEL=local:/path/to/model.gguf, or PAXMAN_MODEL=openai:NAME"
        yield Finding("model", "note", "none is configured: values that no rule finds stay missing", advice)


def _trouble(provider: object, remote_allowed: bool) -> tuple[str, str]:
    """What keeps a model from answering, and what to do; nothing is sent to find out."""
    path, key = getattr(provider, "path", None), getattr(provider, "api_key", None)
    if isinstance(path, str) and not os.path.isfile(path):
        return f"there is no file {path}", "Give the path of a GGUF file"
    variable = key.removeprefix("env:") if isinstance(key, str) and key.startswith("env:") else None
    if variable and not os.environ.get(variable):
        return f"the variable {variable} is not set", f"Set {variable} to the key of the service"
    if getattr(provider, "tier", "") == "remote" and not remote_allowed:
        return "", "It is not asked until you allow it: --remote, or allow_remote_inference in [policy]"
    return "", ""


def check_fonts() -> Iterator[Finding]:
    """PDFium has Latin letters of its own; for others it needs fonts of the system where a file brings none."""
    places = [Path(place).expanduser() for place in _FONTS]
    count = sum(1 for place in places for each in place.rglob("*") if each.suffix.lower() in (".ttf", ".otf", ".ttc"))
    if count:
        yield Finding("fonts", "ok", f"{count} files")
        return
    lost = "none: PDFs without fonts of their own lack letters in page pictures and in OCR"
    yield Finding("fonts", "note", lost, "On Debian: apt-get install fonts-dejavu-core fonts-noto-cjk")


def check_helpers() -> Iterator[Finding]:
    helper = start("parser")
    try:
        yield Finding("helper processes", *_ISOLATION[helper.isolation()])
    finally:
        helper.stop()


def check_folders() -> Iterator[Finding]:
    places = {"temporary files": tempfile.gettempdir(), "this folder": os.getcwd()}
    if os.environ.get("PAXMAN_MODEL_CACHE"):
        places["cache of answers"] = os.path.dirname(os.path.abspath(os.environ["PAXMAN_MODEL_CACHE"]))
    for what, place in places.items():
        yield Finding(what, *_writable(place))


def _writable(place: str) -> tuple[str, str, str]:
    try:
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(b"paxman")
            file.flush()
        free = shutil.disk_usage(place).free
    except OSError as error:
        advice = "Let this user write there, or name another: TMPDIR, --output"
        return "problem", f"{place}: {error.strerror}", advice
    told = f"{place}, {free // 1_000_000} MB free"
    return ("ok", told, "") if free > _LITTLE_ROOM else ("note", told, "Make room, or work elsewhere")


def check_sample_run() -> Iterator[Finding]:
    """The first run in a process also loads what it needs; the second shows what a document takes."""
    with as_file(files("paxman") / "samples") as samples:
        for document, contract, extra in SAMPLES:
            if extra and not find_spec(MODULES[extra]):
                continue
            first, second = (_timed(samples / document, samples / "contracts" / contract) for _ in range(2))
            broken = [note.message for note in second[0].diagnostics if note.code in _BROKEN]
            told = f"{second[0].status.value}, {first[1]} ms at first, then {second[1]} ms"
            advice = "Report it with the output of `paxman doctor --json`" if broken else ""
            yield Finding(f"sample {document}", "problem" if broken else "ok", broken[0] if broken else told, advice)


def _timed(document: Path, contract: Path) -> tuple[ExecutionArtifact, int]:
    started = time.perf_counter()
    artifact = normalize(document, contract)
    return artifact, round((time.perf_counter() - started) * 1000)


def check_kept_readings() -> Iterator[Finding]:
    home = kept_readings.folder()
    if home is None:
        yield Finding("readings of OCR", "ok", f"not kept: {kept_readings.SWITCH} is off")
        return
    sizes = [each.stat().st_size for each in home.iterdir()] if home.is_dir() else []
    size = f"{sum(sizes) / 1e6:.1f} of at most {kept_readings.MOST_BYTES // 1_000_000} MB"
    yield Finding(
        "readings of OCR", "ok", f"{len(sizes)} kept in {home}, {size}; {kept_readings.SWITCH}=off keeps none"
    )


CHECKS = (
    check_versions,
    check_extras,
    check_settings,
    check_models,
    check_fonts,
    check_helpers,
    check_folders,
    check_kept_readings,
    check_sample_run,
)
