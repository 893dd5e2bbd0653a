"""Classes that share what compares, hashes and shows them."""

from __future__ import annotations

import attrs
import pytest

from paxman.classes import frozen, record


@frozen
class _Price:
    amount: int
    note: str = attrs.field(default="", eq=False)
    parts: list[int] = attrs.field(factory=list, hash=False)
    secret: str = attrs.field(default="", repr=False)


@record
class _Empty:
    pass


def test_fields_say_what_counts() -> None:
    one, other = _Price(5, "a", [1], "s"), _Price(5, "b", [1], "s")
    assert (one == other, one == _Price(5, "a", [2], "s"), one == (5, "a", [1], "s")) == (True, False, False)
    assert len({one, other}) == 1
    assert repr(one) == "_Price(amount=5, note='a', parts=[1])"


def test_without_fields() -> None:
    assert {_Empty(), _Empty()} == {_Empty()}
    assert repr(_Empty()) == "_Empty()"


def test_frozen_cannot_be_changed() -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        _Price(5).amount = 6  # type: ignore[misc]
