"""Which cases of a test are its quick part, in `make test`; the others are run by CI (`make test-thorough`)."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest

THOROUGH = pytest.mark.thorough


def with_quick(cases: Iterable[Any], quick: Collection[Any]) -> list[Any]:
    """Cases for ``parametrize``: what ``quick`` does not hold is marked as thorough."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=marks, id=name(case))
        for case in cases
        for marks in [() if case in quick else THOROUGH]
    ]


def name(case: Any) -> str:
    """Its values in a row."""
    return "-".join(map(str, case)) if isinstance(case, tuple) else str(case)
