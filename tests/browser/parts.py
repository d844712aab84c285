"""Selects the cases of a test that `make test` runs. CI runs the others too (`make test-thorough`)."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest

THOROUGH = pytest.mark.thorough


def with_quick(cases: Iterable[Any], quick: Collection[Any]) -> list[Any]:
    """Cases for ``parametrize``. Those that are not in ``quick`` are marked as thorough."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=marks, id=name(case))
        for case in cases
        for marks in [() if case in quick else THOROUGH]
    ]


def name(case: Any) -> str:
    """The values of a case as one name."""
    return "-".join(map(str, case)) if isinstance(case, tuple) else str(case)
