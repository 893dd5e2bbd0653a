"""Options that commands share, and what they make of files, contracts and settings."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from paxman.config import load_settings, parse_text, read_contract
from paxman.contract.alternatives import adapt_all

if TYPE_CHECKING:
    from paxman.config import Settings
    from paxman.contract.alternatives import Alternatives
    from paxman.contract.model import CanonicalContract

Command = Callable[..., Any]

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
contract_option = click.option(
    "-c",
    "--contract",
    type=click.Path(),
    metavar="CONTRACT",
    help="A file (api.yaml#Invoice or model.py:Invoice names a part), or module:PydanticModel.",
)
contracts_option = click.option(
    "-c",
    "--contract",
    "contracts",
    multiple=True,
    type=click.Path(),
    metavar="CONTRACT",
    help="A file (api.yaml#Invoice or model.py:Invoice names a part) or module:Model; of several, the one that fits.",
)
_FLAGS = (
    ("--lessons", "lessons", None, "What `paxman learn` made of corrected examples."),
    ("--locale", "locale", None, "How dates and numbers are written, such as de_DE."),
    ("--max-cost", "budget.max_total_cost_usd", None, "The most that the run may cost, in US dollars."),
    ("--max-calls", "budget.max_remote_inference_calls", None, "The most calls to remote models."),
    ("--floor", "policy.confidence_floor", None, "Confidence that a value needs, from 0 to 1."),
    (
        "--optional",
        "policy.optional_fields",
        ("free", "all", "skip"),
        "Steps for optional fields: free ones, all, or none.",
    ),
    (
        "--model",
        "model",
        (),
        "A model as vendor:NAME, such as anthropic:NAME or local:FILE.gguf; twice for two readers.",
    ),
    ("--second-opinion", "policy.second_opinion", ("never", "with_the_call", "always"), "When a model reads along."),
    ("--remote", "policy.allow_remote_inference", True, "Allow remote models."),
    ("--no-local", "policy.allow_local_inference", False, "Do not use local models."),
    ("--quotes", "policy.embed_evidence_payload", True, "Keep the quoted text in the artifact."),
    ("--reject-low", "policy.reject_below_floor", True, "Leave values below the floor unresolved."),
)


def settings_options(command: Command) -> Command:
    """Add the flags for budget and policy; the command gets them, with file and environment, as `settings`."""
    return _with_settings(command, _FLAGS)


def contract_settings(command: Command) -> Command:
    """Add only what bears on reading a contract: labels, --set and --config."""
    return _with_settings(command, ())


def _with_settings(command: Command, known: Sequence[tuple[str, str, Any, str]]) -> Command:
    @wraps(command)
    def with_settings(
        *args: Any, overrides: tuple[str, ...], labels: tuple[str, ...], config: str | None, **options: Any
    ) -> Any:
        flags = {name: _flag_value(options.pop(_key(name)), kind) for _, name, kind, _ in known}
        given = {name: value for name, value in flags.items() if value not in (None, ())}
        settings = _load(given, overrides, config).add_labels(map(read_label, labels))
        return command(*args, settings=settings, **options)

    for flag, name, kind, text in reversed(known):
        shape: dict[str, Any] = {"is_flag": True} if isinstance(kind, bool) else {}
        if isinstance(kind, tuple):
            shape = {"type": click.Choice(kind)} if kind else {"multiple": True, "metavar": "MODEL"}
        with_settings = click.option(flag, _key(name), help=text, **shape)(with_settings)
    for option in (_label_option, _set_option, _config_option):
        with_settings = option(with_settings)
    return with_settings


_label_option = click.option(
    "--label", "labels", multiple=True, metavar="FIELD=LABEL", help='Add a label to a field: total="Amount due".'
)
_set_option = click.option(
    "--set", "overrides", multiple=True, metavar="NAME=VALUE", help="Any other setting; see `paxman config`."
)
_config_option = click.option(
    "--config", type=click.Path(), metavar="FILE", help="Settings file instead of the nearest paxman.toml."
)


def read_label(text: str) -> tuple[str, str]:
    """A field and one more label of it."""
    path, mark, label = text.partition("=")
    if not (mark and label.strip()):
        raise click.UsageError(f'--label takes FIELD=LABEL, such as total="Amount due", got {text!r}')
    return path, label.strip()


def name_and_value(text: str, flag: str) -> tuple[str, str]:
    """What a flag that takes NAME=VALUE was given."""
    name, mark, value = text.partition("=")
    if not mark:
        raise click.UsageError(f"{flag} takes NAME=VALUE, got {text!r}")
    return name, value


def old_spelling(old: str, new: str) -> None:
    """Say on standard error that an option has another name now."""
    click.echo(f"note: {old} is now {new}", err=True)


def _key(name: str) -> str:
    return name.rpartition(".")[2]


def _flag_value(given: Any, kind: Any) -> Any:
    if isinstance(kind, bool):
        return kind if given else None
    return given


def _load(flags: dict[str, Any], overrides: Iterable[str], config: str | None) -> Settings:
    parsed = {name: parse_text(name, value) if isinstance(value, str) else value for name, value in flags.items()}
    for override in overrides:
        name, value = name_and_value(override, "--set")
        parsed[name] = parse_text(name, value)
    return load_settings(parsed, file=Path(config) if config else None)


def load_contract(given: str | None, settings: Settings | None = None) -> CanonicalContract:
    """The contract that a flag or the settings name, with the labels that the settings add."""
    name = given or (settings["contract"] if settings else None)
    if name is None:
        raise click.UsageError("a contract is needed: --contract FILE, or `contract` in paxman.toml")
    canonical = read_contract(name)
    return settings.prepare([canonical])[0] if settings else canonical


def load_contracts(given: tuple[str, ...], settings: Settings) -> CanonicalContract | Alternatives:
    """The contracts that a flag names, once or several times, or else the one of the settings."""
    if not given:
        return load_contract(None, settings)
    return adapt_all(settings.prepare([read_contract(name) for name in given]))


def expand(given: Iterable[str]) -> list[Path | None]:
    """Files from files, folders and patterns, each once and in order; None stands for standard input."""
    found: dict[Path | None, None] = {}
    for name in given:
        found |= dict.fromkeys(_expand(name))
    return list(found)


def _expand(name: str) -> Iterator[Path | None]:
    import glob

    path = Path(name)
    if name == "-":
        yield None
    elif path.is_dir():
        yield from sorted(_visible(path))
    elif os.path.lexists(path):
        yield path
    else:
        matches = sorted(Path(match) for match in glob.glob(name, recursive=True))
        if not matches:
            raise click.UsageError(f"there is no file {name!r}")
        yield from (path for path in matches if path.is_file() or not path.exists())


def _visible(folder: Path) -> Iterator[Path]:
    """What is in a folder and below it; nothing hidden, and folders that cannot be listed."""
    from paxman.batch.sources import files_in, say_written

    closed: list[OSError] = []
    written: list[Path] = []
    yield from files_in(folder, None, closed, written)
    yield from (Path(error.filename) for error in closed)
    if written:
        click.echo(f"note: {say_written(written)}", err=True)


def refuse_overwriting(output: str | Path | None, *inputs: str | Path | None) -> None:
    """Stop before a result is written over what it is made from."""
    for given in inputs:
        if output and given and os.path.exists(given) and os.path.exists(output) and os.path.samefile(given, output):
            raise click.UsageError(f"{output} is what the result is made from; give another name")


def read_input(path: Path | None) -> Any:
    """What the api takes: the path itself, or the bytes of standard input."""
    return sys.stdin.buffer.read() if path is None else path


def one_input(name: str) -> Any:
    """The one document that an argument names."""
    if name != "-" and not Path(name).exists():
        raise click.UsageError(f"there is no file {name!r}")
    if Path(name).is_dir():
        raise click.UsageError(f"{name!r} is a folder; this command takes one document")
    return read_input(None if name == "-" else Path(name))
