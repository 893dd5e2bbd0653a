"""A small, safe expression language for derivations and checks: `total == sum(line_items.price) + tax`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import Any, NoReturn

import attrs

from paxman.classes import frozen
from paxman.contract.arithmetic import (
    COMPARISONS,
    FOLDS,
    FUNCTIONS,
    CellColumn,
    ExpressionError,
    MissingValueError,
    apply,
    settled,
)
from paxman.errors import unknown_name
from paxman.lazy import lazy_pattern

LONGEST_TEXT = 2000
DEEPEST_NESTING = 50

_PART = r"(?:[^\W\d]\w*|`[^`]+`)(?:\[\])?"
_TOKEN = lazy_pattern(
    rf"\s*(?:(?P<number>\d+(?:\.\d+)?)(?![\w.])|(?P<text>\"[^\"]*\"|'[^']*')|(?P<name>{_PART}(?:\.{_PART})*)"
    r"|(?P<symbol>==|!=|<=|>=|[-+*/<>(),]))"
)
_PLAIN = lazy_pattern(r"(?!(?:and|or|not|true|false)\Z)[^\W\d]\w*\Z")
_POWERS = {"or": 1, "and": 2, **dict.fromkeys(COMPARISONS, 4), "+": 5, "-": 5, "*": 6, "/": 6}
_PREFIX_POWERS = {"not": 3, "-": 7}
_WORDS = frozenset({"and", "or", "not"})
_CONSTANTS = {"true": True, "false": False}
_CONDITIONS = (("unary", "not"), ("call", ("all", 1)))

Program = tuple[tuple[str, Any], ...]


@frozen
class Expression:
    """A parsed expression. `names` are the paths that it reads, `columns` those that it folds over an array."""

    text: str
    program: Program = attrs.field(repr=False)
    names: frozenset[str]
    columns: frozenset[str]

    @property
    def is_condition(self) -> bool:
        """Whether the result is true or false."""
        code, argument = self.program[-1]
        return (code == "binary" and _POWERS[argument] < 5) or (code, argument) in _CONDITIONS

    @property
    def is_equation(self) -> bool:
        """Whether it says that two sides are equal, and of more than one field."""
        return self.program[-1] == ("binary", "==") and len(self.names) > 1

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names in the order of the text."""
        return tuple(dict.fromkeys(argument for code, argument in self.program if code == "name"))

    def evaluate(self, values: Mapping[str, Any], tolerance: Decimal = Decimal(0)) -> Any:
        """The result for typed values by path; arrays are sequences of mappings. Raises ExpressionError."""
        stack: list[Any] = []
        for code, argument in self.program:
            if code == "value":
                stack.append(argument)
            elif code == "name":
                stack.append(_resolve(argument, values))
            else:
                count = 2 if code == "binary" else 1 if code == "unary" else argument[1]
                operands = stack[len(stack) - count :]
                del stack[len(stack) - count :]
                stack.append(apply(code, argument, operands, tolerance))
        return settled(stack.pop())

    def missing(self, values: Mapping[str, Any]) -> tuple[str, ...]:
        """Names without a value, sorted."""
        return tuple(sorted(name for name in self.names if _is_missing(_resolve(name, values))))


def holds(expression: Expression, values: Mapping[str, Any], tolerance: Decimal = Decimal(0)) -> bool | None:
    """Whether a condition is true within a tolerance; None if a value is missing, False if it has no result."""
    try:
        return expression.evaluate(values, tolerance) is True
    except MissingValueError:
        return None
    except ExpressionError:
        return False


@lru_cache(maxsize=512)
def parse(text: str) -> Expression:
    """The expression in a text; ExpressionError, a ValueError, says what is wrong and where."""
    if len(text) > LONGEST_TEXT:
        raise ExpressionError(f"the expression has {len(text)} characters, at most {LONGEST_TEXT} are allowed")
    parser = _FormulaParser(list(_tokenize(text)))
    parser.whole()
    return Expression(text, tuple(parser.program), frozenset(parser.names), frozenset(parser.columns))


def renamed(text: str, names: Mapping[str, str]) -> str:
    """The same expression over other names."""
    parts, end = [], 0
    tokens = [*_tokenize(text), ("end", "", len(text))]
    for (kind, word, start), (_, behind, _) in pairwise(tokens):
        path = word.replace("[]", "").replace("`", "")
        if kind == "name" and behind != "(" and path in names:
            parts += [text[end:start], quoted(names[path])]
            end = start + len(word)
    return "".join((*parts, text[end:]))


def quoted(path: str) -> str:
    """A path as an expression writes it."""
    return ".".join(part if _PLAIN.match(part) else f"`{part}`" for part in path.split("."))


def _tokenize(text: str) -> Iterator[tuple[str, str, int]]:
    position, size = 0, len(text.rstrip())
    while position < size:
        match = _TOKEN.match(text, position)
        if match is None:
            position = len(text) - len(text[position:].lstrip())
            hint = "; use == to compare" if text[position] == "=" else ""
            raise ExpressionError(f"unexpected {text[position]!r} at position {position}{hint}")
        kind = match.lastgroup or ""
        word = match[kind]
        yield ("symbol" if word in _WORDS else kind), word, match.start(kind)
        position = match.end()


class _FormulaParser:
    """Precedence climbing that writes a postfix program, so that evaluation needs no recursion."""

    def __init__(self, tokens: list[tuple[str, str, int]]) -> None:
        self.tokens = tokens
        self.index = 0
        self.depth = 0
        self.program: list[tuple[str, Any]] = []
        self.names: set[str] = set()
        self.columns: set[str] = set()

    def whole(self) -> None:
        self.expression(0)
        if self.index < len(self.tokens):
            self.fail("an operator")

    def expression(self, power: int) -> None:
        self.depth += 1
        if self.depth > DEEPEST_NESTING:
            raise ExpressionError(f"nested deeper than {DEEPEST_NESTING} levels")
        self.operand()
        compared = False
        while _POWERS.get(self.symbol, 0) > power:
            operator = self.take()
            if compared and operator in COMPARISONS:
                raise ExpressionError("comparisons cannot be chained: join them with `and`")
            compared = operator in COMPARISONS
            self.expression(_POWERS[operator])
            self.program.append(("binary", operator))
        self.depth -= 1

    def operand(self) -> None:
        kind, word, _ = self.tokens[self.index] if self.index < len(self.tokens) else ("end", "", 0)
        if kind == "symbol" and word in _PREFIX_POWERS:
            self.expression(_PREFIX_POWERS[self.take()])
            self.program.append(("unary", word))
        elif kind == "symbol" and word == "(":
            self.take()
            self.expression(0)
            self.expect(")")
        elif kind in ("number", "text"):
            self.take()
            self.program.append(("value", Decimal(word) if kind == "number" else word[1:-1]))
        elif kind == "name":
            self.name(self.take())
        else:
            self.fail("a value")

    def name(self, word: str) -> None:
        if self.symbol == "(":
            self.call(word)
        elif word in _CONSTANTS:
            self.program.append(("value", _CONSTANTS[word]))
        else:
            path = word.replace("[]", "").replace("`", "")
            self.names.add(path)
            if "[]" in word:
                self.columns.add(path)
            self.program.append(("name", path))

    def call(self, function: str) -> None:
        if function not in FUNCTIONS:
            raise ExpressionError(unknown_name("function", function, FUNCTIONS))
        self.take()
        start = len(self.program)
        count = self.arguments()
        fewest, most, _ = FUNCTIONS[function]
        if not fewest <= count <= most:
            wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
            raise ExpressionError(f"{function}() takes {wanted} arguments, got {count}")
        if function in FOLDS:
            self.columns |= {name for code, name in self.program[start:] if code == "name" and "." in name}
        self.program.append(("call", (function, count)))

    def arguments(self) -> int:
        count = 1
        self.expression(0)
        while self.symbol == ",":
            self.take()
            self.expression(0)
            count += 1
        self.expect(")")
        return count

    @property
    def symbol(self) -> str:
        kind, word, _ = self.tokens[self.index] if self.index < len(self.tokens) else ("end", "", 0)
        return word if kind == "symbol" else ""

    def take(self) -> str:
        word = self.tokens[self.index][1]
        self.index += 1
        return word

    def expect(self, symbol: str) -> None:
        if self.symbol != symbol:
            self.fail(repr(symbol))
        self.take()

    def fail(self, wanted: str) -> NoReturn:
        if self.index >= len(self.tokens):
            raise ExpressionError(f"expected {wanted} at the end")
        _, word, position = self.tokens[self.index]
        raise ExpressionError(f"expected {wanted} at position {position}, found {word!r}")


def _resolve(path: str, values: Mapping[str, Any]) -> Any:
    """The value of a path: a field, a part of an object, or a column of an array; an error object if it is missing."""
    value = values.get(path)
    if value is not None:
        return CellColumn(value) if isinstance(value, list | tuple) else value
    head, rest = path, ""
    while "." in head:
        head, _, tail = head.rpartition(".")
        rest = f"{tail}.{rest}" if rest else tail
        if values.get(head) is not None:
            return _inside(values[head], rest, path)
    return MissingValueError(f"{path} has no value")


def _inside(value: Any, rest: str, path: str) -> Any:
    if isinstance(value, list | tuple):
        return CellColumn(_inside(row, rest, path) for row in value)
    found = _resolve(rest, value) if isinstance(value, Mapping) else None
    if found is not None and not isinstance(found, MissingValueError):
        return found
    return MissingValueError(f"{path} has no value")


def _is_missing(value: Any) -> bool:
    cells = value if isinstance(value, CellColumn) else (value,)
    return any(isinstance(cell, MissingValueError) for cell in cells)
