"""What is worked out when it is first needed: patterns, and what a document or a contract remembers."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, AnyStr, ParamSpec, TypeVar, cast

Given = ParamSpec("Given")
Made = TypeVar("Made")


class _Lazy:
    """Stands for a compiled pattern; each of its methods is looked up once and kept."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, found)
        return found


def lazy_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Like `re.compile`, at no cost until the pattern is used."""
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))


def remembered(place: Callable[..., tuple[Any, ...]]) -> Callable[[Callable[Given, Made]], Callable[Given, Made]]:
    """Calls a function once for each key: `place` gives the memo that keeps what it made, and then the key."""

    def remember(function: Callable[Given, Made]) -> Callable[Given, Made]:
        name = f"{function.__module__}.{function.__qualname__}"

        @wraps(function)
        def known(*args: Given.args, **kwargs: Given.kwargs) -> Made:
            memo, *key = place(*args, **kwargs)
            mark = (name, *key)
            if mark not in memo:
                memo[mark] = function(*args, **kwargs)
            found: Made = memo[mark]
            return found

        return known

    return remember
