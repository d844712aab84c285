"""Checks arguments. A wrong type raises a `TypeError`, and a wrong value a `ValueError`."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Collection, Mapping
from types import UnionType
from typing import Any

import numpy as np


def quoted(value: Any) -> str:
    """Returns the `repr` of a value for an error, cut after 80 letters."""
    try:
        return f"{value!r:.80}"
    except Exception:  # Python refuses to write an integer with too many digits
        return f"a value of type {type(value).__name__} that cannot be written"


def whole_number(
    value: Any,
    name: str,
    least: int | None = None,
    *,
    other: str = "",
    from_floats: bool = False,
) -> int:
    """Returns `value` as an int. Raises unless it is a whole number of at least `least`.

    In the error, `other` says what else the argument may be. With `from_floats`, 2.0 is whole too.
    """
    bound = "" if least is None else f" of at least {least}"
    expected = f"a whole number{bound}{other and f', or {other}'}"
    if _is_bool(value) or not isinstance(value, numbers.Real if from_floats else numbers.Integral):
        raise TypeError(f"{name}: found {quoted(value)}, expected {expected}")
    whole = isinstance(value, numbers.Integral) or float(value).is_integer()
    if not whole or (least is not None and value < least):
        raise ValueError(f"{name}: found {quoted(value)}, expected {expected}")
    return int(value)  # type: ignore[call-overload, no-any-return]  # Real has no __int__


def number_of_jobs(value: Any) -> int | None:
    """Returns `value` if joblib accepts it as ``n_jobs``: None or an integer. 0 is refused."""
    if value is None:
        return None
    if (wanted := whole_number(value, "n_jobs", other="None")) != 0:
        return wanted
    raise ValueError("n_jobs: found 0, expected a whole number other than 0, or None")


def number(
    value: Any,
    name: str,
    expected: str = "a number",
    within: Callable[[Any], bool] = lambda value: True,
) -> float:
    """Returns `value` as a float. Raises unless it is a real number that `within` accepts.

    NaN is refused. In the error, `expected` describes what was expected.
    """
    if _is_bool(value) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name}: found {quoted(value)}, expected {expected}")
    try:
        # `within` is checked on the value and on its float, because a Fraction just below 1 becomes
        # the float 1.0.
        if value == value and within(value) and within(result := float(value)):
            return result
    except OverflowError:  # an integer may be larger than every float
        pass
    raise ValueError(f"{name}: found {quoted(value)}, expected {expected}")


def one_of(value: Any, name: str, choices: Collection[str], *, other: str = "") -> str:
    """Returns `value`. Raises unless it is one of the `choices`.

    In the error, `other` says what else the argument may be.
    """
    known = ", ".join(map(repr, choices))
    expected = f"{'one of ' if len(choices) > 1 else ''}{known}{other and f', or {other}'}"
    if not isinstance(value, str):
        raise TypeError(f"{name}: found {quoted(value)}, expected {expected}")
    if value not in choices:
        raise ValueError(f"{name}: found {quoted(value)}, expected {expected}")
    return value


def instance_of(value: Any, name: str, kind: type | UnionType, expected: str) -> None:
    """Raises unless `value` has the type `kind`. In the error, `expected` names the type."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: found {type(value).__name__}, expected {expected}")


def check_text(value: Any, name: str) -> None:
    """Raises unless `value` is a str."""
    instance_of(value, name, str, "a str")


def first_refusal(
    argument: str, value: str, instead: str, reasons: Mapping[str, str | bool]
) -> str:
    """Returns the error if `value` of `argument` conflicts with other arguments. Otherwise empty.

    `reasons` maps a description of another argument to the reason why they conflict. If they do not
    conflict, the reason is empty. The error names the first conflict, and `instead` as the value to
    use.
    """
    for found, reason in reasons.items():
        if reason:
            return f"{argument}: found {value!r} with {found}, expected {instead!r}: {reason}"
    return ""


def yes_or_no(value: Any, name: str) -> bool:
    """Returns `value` as a bool. Raises unless it is True or False, of Python or of numpy."""
    if not _is_bool(value):
        raise TypeError(f"{name}: found {quoted(value)}, expected True or False")
    return bool(value)


def generator(random_state: Any) -> np.random.Generator:
    """Returns `random_state` if it is a generator, or a new generator seeded with it.

    If it is None, the seed comes from the operating system.
    """
    if isinstance(random_state, np.random.Generator) or random_state is None:
        return np.random.default_rng(random_state)
    return np.random.default_rng(
        whole_number(random_state, "random_state", 0, other="a numpy.random.Generator or None")
    )


def _is_bool(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_))
