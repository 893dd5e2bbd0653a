"""The reference pages, written from the code itself: python -m benchmarks.reference [api]."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

import click

from paxman.cli.app import EXIT_CODES, app

_HEAD = """# Command line

Written from the commands by `python -m benchmarks.reference`. On a terminal results are drawn as tables; piped, they
are plain lines with tabs; `--json` prints JSON. `PAXMAN_DEBUG=1` shows where an unexpected error came from.

| exit code | meaning |
|---|---|
"""


def reference() -> str:
    """The whole page, as Markdown."""
    codes = "".join(f"| {code} | {text} |\n" for code, text in EXIT_CODES)
    sections = "".join(f"\n## {path}\n\n```\n{text}\n```\n" for path, text in _helps(app, None, "paxman"))
    return _HEAD + codes + sections


def _helps(command: click.Command, parent: click.Context | None, path: str) -> Iterator[tuple[str, str]]:
    """The help of a command and of all below it, as wide on every terminal."""
    name = path.rpartition(" ")[2]
    context = command.make_context(name, [], parent, resilient_parsing=True, terminal_width=100, max_content_width=100)
    with context:
        yield path, command.get_help(context).rstrip()
        if isinstance(command, click.Group):
            for child in command.list_commands(context):
                found = command.get_command(context, child)
                if found is not None:
                    yield from _helps(found, context, f"{path} {child}")


_API_HEAD = """# Python names

Everything that `import paxman` offers; written from the code by `python -m benchmarks.reference api`. These names are
kept stable; what lies below them in modules may change.
"""


def api_reference() -> str:
    """The public names with signatures and docstrings, as Markdown: functions, then classes, then errors."""
    import paxman

    named = [(name, getattr(paxman, name)) for name in paxman.__all__ if name != "__version__"]
    groups = {
        "Functions": [pair for pair in named if inspect.isfunction(pair[1])],
        "Classes": [pair for pair in named if inspect.isclass(pair[1]) and not issubclass(pair[1], Exception)],
        "Errors": [pair for pair in named if inspect.isclass(pair[1]) and issubclass(pair[1], Exception)],
    }
    return _API_HEAD + "".join(
        f"\n## {title}\n" + "".join(_entry(name, item) for name, item in group) for title, group in groups.items()
    )


def _entry(name: str, item: Any) -> str:
    text = inspect.cleandoc(item.__doc__) if item.__doc__ else ""
    if inspect.isfunction(item):
        return f"\n### {name}\n\n```\n{name}{_signature(item)}\n```\n\n{text}\n"
    if issubclass(item, Exception):
        base = "" if item.__base__ is Exception else f" Is a {item.__base__.__name__}."
        return f"\n### {name}\n\n`{getattr(item, 'error_code', '')}`{base} {text}\n"
    if issubclass(item, Enum):
        members = ", ".join(f"`{member.name}`" for member in item)
        return f"\n### {name}\n\n{members}\n"
    return f"\n### {name}\n\n{_own_text(text)}\n{_members(item)}"


def _own_text(text: str) -> str:
    """Not what attrs writes when there is no docstring."""
    return "" if text.startswith("Method generated") else text


def _signature(item: Any) -> str:
    return str(inspect.signature(item)).replace("'", "")


def _members(item: Any) -> str:
    """Fields with their defaults, and methods of one's own."""
    rows = [f"- `{field.name}: {_type(field.type)}`{_default(field.default)}" for field in _fields(item)]
    for name, member in vars(item).items():
        if name.startswith("_") or not member.__doc__:
            continue
        first = inspect.cleandoc(member.__doc__).splitlines()[0]
        if inspect.isfunction(member) or isinstance(member, classmethod):
            inner = member.__func__ if isinstance(member, classmethod) else member
            rows.append(f"- `{name}{_signature(inner)}`: {first}")
        elif isinstance(member, property):
            rows.append(f"- `{name}`: {first}")
    return "\n" + "\n".join(rows) + "\n" if rows else ""


def _fields(item: Any) -> Sequence[Any]:
    found: Sequence[Any] = getattr(item, "__attrs_attrs__", ())
    return [field for field in found if not field.name.startswith("_")]


def _type(kind: Any) -> str:
    return kind if isinstance(kind, str) else getattr(kind, "__name__", str(kind))


def _default(default: Any) -> str:
    return "" if "NOTHING" in repr(default) or "Factory" in repr(default) else f" = `{default}`"


if __name__ == "__main__":
    click.echo(api_reference() if "api" in sys.argv[1:] else reference(), nl=False)
