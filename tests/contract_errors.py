"""What is wrong with a contract, for tests."""

from __future__ import annotations

from typing import Any

import pytest

from paxman.contract import adapt
from paxman.errors import InvalidContractError


def errors(raw: Any, **options: Any) -> list[tuple[str, str]]:
    """Code and path of each error, all of which say what to do."""
    with pytest.raises(InvalidContractError) as caught:
        adapt(raw, **options)
    assert all(issue.hint for issue in caught.value.errors)
    return [(issue.code, issue.path) for issue in caught.value.errors]
