"""`paxman contract`: check, show, convert and start contracts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from paxman.api.linting import lint
from paxman.cli.app import UNRESOLVED
from paxman.cli.options import contract_settings, json_option, load_contract, old_spelling, one_input
from paxman.cli.output import echo_json, heading, line, table, waiting, writing
from paxman.config import code_of
from paxman.contract import adapt, export
from paxman.contract.adapters.pydantic_export import write_models
from paxman.contract.loading import dump_yaml, source_of_class, source_of_file
from paxman.contract.model import CanonicalContract, CanonicalField
from paxman.errors import InvalidContractError
from paxman.serialization import to_plain

if TYPE_CHECKING:
    from paxman.config import Settings

_YAML = (".yaml", ".yml")
_FORMATS = ("dict_dsl", "json_schema", "openapi", "pydantic", "sql")
_ENDINGS = {"pydantic": ".py", "sql": ".sql"}
_DRAFTS = ("dict_dsl", "json_schema", "pydantic")


@click.group()
def contract() -> None:
    """Check, show, convert and start contracts."""


@contract.command()
@click.argument("contract", type=click.Path())
@click.option("--strict", is_flag=True, help="Exit with 1 if there is advice.")
@contract_settings
@json_option
def check(contract: str, strict: bool, settings: Settings, as_json: bool) -> None:
    """Say whether a contract can be used, what is wrong with it, and what would be found better if it were changed."""
    try:
        canonical = load_contract(contract, settings)
    except InvalidContractError as error:
        if as_json:
            echo_json({"valid": False, **error.context})
            raise SystemExit(2) from None
        raise
    advice = list(_advice(contract, canonical))
    if as_json:
        given = {"warnings": canonical.warnings, "hash": canonical.content_hash, "advice": advice}
        echo_json({"valid": True, **given})
    else:
        for warning in canonical.warnings:
            line(f"warning: {warning}")
        for each in advice:
            where = f"line {each['line']}, " if each["line"] else ""
            line(f"advice: {where}{each['field']}: {each['message']} {each['instead']}")
        size = f"{len(canonical.leaves)} fields, hash {canonical.content_hash}"
        line(f"valid: {canonical.id} {canonical.version}, {size}")
    if strict and advice:
        raise SystemExit(UNRESOLVED)


def _advice(name: str, canonical: CanonicalContract) -> Iterator[dict[str, Any]]:
    """What the linter says, with the line in the contract's source."""
    code = code_of(name)
    source = source_of_class(code()) if code else source_of_file(Path(name.partition("#")[0]))
    for each in lint(canonical):
        at = source.line_of(each.path) if source else None
        yield {"code": each.code, "line": at, "field": each.path, "message": each.message, "instead": each.instead}


@contract.command()
@click.argument("contract", type=click.Path())
@contract_settings
@json_option
def show(contract: str, settings: Settings, as_json: bool) -> None:
    """Show the fields that Paxman sees in a contract."""
    canonical = load_contract(contract, settings)
    if as_json:
        echo_json(canonical.to_dict())
    else:
        heading(f"{canonical.id} {canonical.version} ({canonical.source})")
        rows = [row for field, required in canonical.planned for row in _rows(field, required)]
        table(("field", "type", "required", "labels", "rules"), rows)
        for rule in canonical.constraints:
            line(f"check: {rule.params.get('expr', rule.kind)}")


def _rows(field: CanonicalField, required: bool) -> list[tuple[str, ...]]:
    rules = [f"{rule.kind} {' '.join(map(_plain, rule.params.values()))}" for rule in field.constraints]
    rules += [f"= {field.derive}"] if field.derive else []
    rules += ["lookup"] if field.lookup else []
    row = (field.path, field.type.value, "yes" if required else "no", ", ".join(field.labels), "; ".join(rules))
    return [row, *(cell for column in field.columns for cell in _rows(column, column.required))]


def _plain(value: Any) -> str:
    return ", ".join(map(_plain, value)) if isinstance(value, tuple | list) else str(value)


@contract.command()
@click.argument("contract", type=click.Path())
@click.option("--format", "target", type=click.Choice(_FORMATS), default="json_schema", show_default=True)
@click.option("--to", "old", type=click.Choice(_FORMATS), hidden=True)
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    metavar="FILE",
    help="Write here: .json, .yaml, .py for Pydantic, or .sql.",
)
@contract_settings
@json_option
def convert(contract: str, target: Any, old: Any, output: str | None, settings: Settings, as_json: bool) -> None:
    """Write a contract in another format."""
    if old:
        old_spelling("--to", "--format")
    _write_as(old or target, load_contract(contract, settings), output, as_json)


def _write_as(form: Any, canonical: CanonicalContract, output: str | None, as_json: bool) -> None:
    """Print a contract in a format, or write it to a file."""
    if form == "pydantic":
        _write_source(write_models(canonical), form, output, as_json)
    elif form == "sql":
        _write_source(export(canonical, form), form, output, as_json)
    else:
        write_contract(export(canonical, form), output, as_json)


@contract.command()
@click.argument("examples", type=click.Path(), nargs=-1, required=True)
@click.option("--id", "name", metavar="ID", help="The contract's id; by default the first file's name.")
@click.option("--format", "form", type=click.Choice(_DRAFTS), help="By default as the output ends.")
@click.option("--as", "old", type=click.Choice(_DRAFTS), hidden=True)
@click.option(
    "-o", "--output", type=click.Path(), metavar="FILE", help="Write here: .json, .yaml, or .py for Pydantic."
)
@json_option
def init(
    examples: tuple[str, ...], name: str | None, form: str | None, old: str | None, output: str | None, as_json: bool
) -> None:
    """Start a contract from documents, or from JSON like your data.

    Of several EXAMPLES the contract has what they share; what some of them lack is optional.
    """
    from paxman.api.drafting import draft_contract

    if old:
        old_spelling("--as", "--format")
    form = form or old
    given = [one_input(example) for example in examples]
    title = name or (Path(examples[0]).stem if examples[0] != "-" else "contract")
    with waiting(f"reading {examples[0]}"):
        draft = draft_contract(given, title)
    if form is None and output and output.endswith(".py"):
        form = "pydantic"
    if form in ("json_schema", "pydantic"):
        _write_as(form, adapt(draft), output, as_json)
    else:
        write_contract(draft, output, as_json)


def _write_source(text: str, form: str, output: str | None, as_json: bool) -> None:
    """Print the text of a module or of statements, or write it to a file."""
    if output is None:
        click.echo(text, nl=False)
        return
    if Path(output).suffix != _ENDINGS[form]:
        raise click.UsageError(f"{output}: {form} is written to a file that ends in {_ENDINGS[form]}")
    _write(Path(output), text, as_json)


def write_contract(content: Any, output: str | None, as_json: bool) -> None:
    """Print a contract as JSON, or write it in the format of the file's ending."""
    if output is None:
        echo_json(content)
        return
    path = Path(output)
    if path.suffix.lower() not in (*_YAML, ".json"):
        raise click.UsageError(f"{output}: contracts are written as .json, .yaml or .yml; give a name that ends so")
    _write(path, _encode(to_plain(content), path.suffix.lower()), as_json)


def _write(path: Path, text: str, as_json: bool) -> None:
    if path.exists():
        raise click.UsageError(f"{path} exists already; give another name or remove it first")
    with writing(str(path)):
        path.write_text(text, "utf-8")
    if as_json:
        echo_json({"contract": str(path)})
    else:
        line(f"written: {path}")


def _encode(plain: Any, suffix: str) -> str:
    if suffix not in _YAML:
        return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"
    return dump_yaml(plain)
