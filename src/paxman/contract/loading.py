"""Contracts from text and files: JSON, YAML and TOML."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import attrs

from paxman.contract.detection import is_sql
from paxman.contract.drafts import KeyPath, refusal
from paxman.errors import ContractIssue, InvalidPathError

SUFFIXES = (".json", ".yaml", ".yml", ".toml", ".sql")
_DEEPEST_YAML = 200
_FORMS = "A contract is JSON, YAML, TOML or SQL, or the path of such a file, or a Pydantic model or another class."


@attrs.frozen
class ContractFile:
    """A file that holds a contract, and the part of it that is meant."""

    path: Path
    fragment: str | None = None

    @property
    def stamp(self) -> tuple[str, int, int]:
        """Changes when the file does."""
        try:
            status = self.path.stat()
        except (OSError, ValueError) as error:
            raise _unreadable(self.path, error) from None
        return os.path.abspath(self.path), status.st_mtime_ns, status.st_size


def find_file(contract: str | os.PathLike[str]) -> ContractFile | None:
    """The file that is meant; None for text that is a contract itself. `api.yaml#Invoice` names a part."""
    text = os.fspath(contract)
    if isinstance(contract, str) and ("\n" in text or text.lstrip().startswith(("{", "["))):
        return None
    name, _, fragment = text.partition("#")
    if name.lower().endswith(SUFFIXES) and not text.lower().endswith(SUFFIXES):
        return ContractFile(Path(name), fragment or None)
    return ContractFile(Path(text)) if not isinstance(contract, str) or text.lower().endswith(SUFFIXES) else None


def load_file(file: ContractFile) -> Any:
    """The data in a file, by its suffix."""
    try:
        text = file.path.read_text("utf-8-sig")
    except (OSError, ValueError) as error:
        raise _unreadable(file.path, error) from None
    parse, name = _PARSERS.get(file.path.suffix.lower()), str(file.path)
    return _parse(parse, text, KeyPath(name)) if parse else load_text(text, name)


def load_text(text: str, file: str = "") -> Any:
    """The data in a text: JSON if it looks so, otherwise YAML; SQL stays text."""
    first = text.lstrip("\ufeff \t\r\n")[:1]
    if is_sql(text):
        return text
    if first == "<":
        raise refusal("HTML or XML", KeyPath(file), _FORMS)
    return _parse(load_json if first in ("{", "[") else load_yaml, text.lstrip("\ufeff"), KeyPath(file))


def _parse(parse: Callable[[str], Any], text: str, place: KeyPath) -> Any:
    try:
        return parse(text)
    except RecursionError:
        reason = "nested too deeply"
    except ValueError as error:
        reason = f"not readable: {error}"
    raise refusal(reason, place, _FORMS)


def load_json(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_distinct, parse_constant=_refuse_constant)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        twice = next(key for index, (key, _) in enumerate(pairs) if key in dict(pairs[:index]))
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return data


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def load_yaml(text: str) -> Any:
    """YAML as JSON sees it: only true and false are booleans, and dates stay text."""
    import yaml

    try:
        _check_depth(yaml.parse(text, Loader=_event_loader()))
        return yaml.load(text, Loader=_yaml_loader())
    except yaml.YAMLError as error:
        raise ValueError(_say_yaml(error)) from None


def _say_yaml(error: Any) -> str:
    """Where YAML breaks off; what its parser says of itself helps nobody."""
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return " ".join(str(error).split())
    return f"it stops being YAML at line {mark.line + 1}, column {mark.column + 1} ({error.problem})"


def _event_loader() -> Any:
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _check_depth(events: Iterable[Any]) -> None:
    """The C parser would overflow the stack while it builds what is nested too deeply."""
    depth = 0
    for event in events:
        name = type(event).__name__
        depth += name.endswith("StartEvent") - name.endswith("EndEvent")
        if depth > _DEEPEST_YAML:
            raise ValueError("nested too deeply")


@cache
def _yaml_loader() -> Any:
    class Loader(_event_loader()):  # type: ignore[misc]
        yaml_implicit_resolvers: dict[str, list[Any]] = {}

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            names = [key.value for key, _ in node.value if isinstance(key.value, str) and key.value != "<<"]
            if len(set(names)) < len(names):
                twice = next(name for name in names if names.count(name) > 1)
                raise ValueError(f"the key {twice!r} stands twice in one mapping")
            return super().construct_mapping(node, deep)

    return _with_scalars(Loader)


def _with_scalars(tool: Any) -> Any:
    for tag, pattern, first in _YAML_SCALARS:
        tool.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(rf"(?:{pattern})\Z"), first)
    return tool


def dump_yaml(data: Any) -> str:
    """YAML that `load_yaml` and other readers read alike: text that one of them takes for a number is quoted."""
    import yaml

    class Dumper(yaml.SafeDumper):
        pass

    text: str = yaml.dump(data, Dumper=_with_scalars(Dumper), allow_unicode=True, sort_keys=False)
    return text


_POWER = "[eE][-+]?[0-9]+"
_YAML_SCALARS = (
    ("bool", "true|True|TRUE|false|False|FALSE", ["t", "T", "f", "F"]),
    ("null", "~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("int", "[-+]?(?:0|[1-9][0-9]*)", list("-+0123456789")),
    ("float", rf"[-+]?(?:\.[0-9]+(?:{_POWER})?|[0-9]+\.[0-9]*(?:{_POWER})?|[0-9]+{_POWER})", list("-+.0123456789")),
    ("merge", "<<", ["<"]),
)


def load_toml(text: str) -> Any:
    import tomllib

    return tomllib.loads(text)


_PARSERS: dict[str, Callable[[str], Any]] = {
    ".json": load_json,
    ".yaml": load_yaml,
    ".yml": load_yaml,
    ".toml": load_toml,
}


def _unreadable(path: Path, error: Exception) -> InvalidPathError:
    reason = "there is no such file" if isinstance(error, FileNotFoundError) else str(error)
    hint = "Give the path of a readable JSON, YAML or TOML file, or the contract itself."
    issue = ContractIssue("INVALID_CONTRACT", str(path), f"the contract cannot be read: {reason}.", hint)
    return InvalidPathError([issue])
