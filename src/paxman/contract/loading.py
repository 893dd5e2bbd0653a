"""Contracts from text and files: JSON, YAML and TOML."""

from __future__ import annotations

import inspect
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs

from paxman.contract.detection import format_of, is_sql
from paxman.contract.drafts import KeyPath, refusal
from paxman.errors import ContractIssue, InvalidPathError, to_install

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
        depth = 0  # the C parser would overflow the stack while it builds what is nested too deeply
        for event in yaml.parse(text, Loader=_event_loader()):
            name = type(event).__name__
            depth += name.endswith("StartEvent") - name.endswith("EndEvent")
            if depth > _DEEPEST_YAML:
                raise ValueError("nested too deeply")
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


@attrs.frozen
class SourceLines:
    """The text of a contract. `tree` has the places of its keys, where it is JSON or YAML."""

    text: str
    tree: Any = None
    start: int = 0
    """Where a class begins in the text."""

    def line_of(self, path: str) -> int | None:
        """The line of a field, counted from one; None where it cannot be told."""
        names = path.replace("[]", "").split(".")
        if self.tree is not None:
            node = self.tree
            found, inside = None, node
            for name in names:
                hit = next(_entries(inside, name), None) or next(_entries(node, name), None)
                if hit is None:
                    return found
                line, inside = hit
                found = line + 1
            return found
        return _line_in_text(self.text, names[-1], self.start)


def source_of_file(path: Path) -> SourceLines | None:
    """The source in a file; None if it cannot be read."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None
    return SourceLines(text, _tree(text) if path.suffix.lower() in (".json", ".yaml", ".yml") else None)


def source_of_class(kind: Any) -> SourceLines | None:
    """The file that a class is declared in."""
    try:
        _, line = inspect.getsourcelines(kind)
        text = Path(inspect.getfile(kind)).read_text("utf-8-sig")
    except (OSError, TypeError, UnicodeDecodeError):
        return None
    return SourceLines(text, None, sum(map(len, text.splitlines(keepends=True)[: line - 1])))


def _tree(text: str) -> Any:
    import yaml

    try:
        # Inside of JSON a tab is but a blank; YAML has none there.
        return yaml.compose(text.replace("\t", " "), Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError):
        return None


def _entries(node: Any, name: str) -> Iterator[tuple[int, Any]]:
    """Places where a field of this name is described, the outermost first: as a key, or as the value of `name`."""
    waiting = [node]
    while waiting:
        here = waiting.pop(0)
        pairs = [pair for pair in here.value if isinstance(pair, tuple)] if isinstance(here.value, list) else []
        for key, value in pairs:
            if key.value == name and value.id == "mapping":
                yield key.start_mark.line, value
            elif key.value == "name" and value.value == name:
                yield value.start_mark.line, here
        waiting += [value for _, value in pairs] or [part for part in here.value if hasattr(part, "id")]


def _line_in_text(text: str, name: str, start: int) -> int | None:
    """The line that declares a name in Python, SQL or TOML."""
    declared = rf"^[\s(,]*[\"`\[]?{re.escape(name)}[\"`\]]?\s*[:=\s]|^\s*name\s*=\s*[\"']{re.escape(name)}[\"']"
    pattern = re.compile(declared, re.MULTILINE | re.IGNORECASE)
    found = pattern.search(text, start) or pattern.search(text)
    if found is None:
        return None
    blank = len(found[0]) - len(found[0].lstrip())
    return text.count("\n", 0, found.start() + blank) + 1


def find_reference(name: str) -> tuple[Path, str] | None:
    """The file that is meant and the name in it, if one is given; None for what is no file of Python."""
    if name.lower().endswith(".py"):
        return Path(name), ""
    path, _, inside = name.rpartition(":")
    return (Path(path), inside) if path.lower().endswith(".py") else None


def load_reference(path: Path, name: str) -> Any:
    """What bears the name in a file; without a name the only model there."""
    module = _load_module(path)
    models = [key for key, each in vars(module).items() if _is_own_model(each, module)]
    chosen = name or (models[0] if len(models) == 1 else "")
    if chosen and hasattr(module, chosen):
        return getattr(module, chosen)
    reason = f"not found as {name!r}" if name else "not named"
    there = f"the file has {', '.join(models) or 'no model'}"
    raise refusal(f"{reason}; {there}", KeyPath(str(path)), f"Write {path}:{models[-1] if models else 'Invoice'}.")


def _is_own_model(each: Any, module: ModuleType) -> bool:
    return format_of(each) in ("pydantic", "python_class") and each.__module__ == module.__name__


def _load_module(path: Path) -> ModuleType:
    place, folder = KeyPath(str(path)), str(path.parent.resolve())
    if not path.is_file():
        raise refusal("not there: there is no such file", place, "Give the path of a file, or module:Model.")
    sys.path.insert(0, folder)
    try:
        module = import_module(path.stem)
    except Exception as error:  # the caller's own code may fail in any way
        raise refusal(f"not loaded: {type(error).__name__}: {error}", place, _advice(error)) from None
    finally:
        sys.path.remove(folder)
    if Path(module.__file__ or "").resolve() != path.resolve():
        raise refusal(f"hidden by another module named {path.stem}", place, "Give the file another name.")
    return module


def _advice(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name == "pydantic":
        return to_install("pydantic")
    if isinstance(error, ImportError):
        return "Where the file is part of a package, write package.module:Model."
    return "Mend the file."
