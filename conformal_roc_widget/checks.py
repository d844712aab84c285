"""Refuses arguments: a `TypeError` for the wrong type, a `ValueError` for the wrong value."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Collection, Mapping
from types import UnionType
from typing import Any

import numpy as np


def quoted(value: Any) -> str:
    """A value as an error quotes it, cut to 80 letters."""
    try:
        return f"{value!r:.80}"
    except Exception:  # whole numbers of more digits than Python writes, and objects of others
        return f"a value of type {type(value).__name__} that cannot be written"


def whole_number(
    value: Any,
    name: str,
    least: int | None = None,
    *,
    other: str = "",
    from_floats: bool = False,
) -> int:
    """A whole number of at least `least`; `other` names what else the argument may be."""
    bound = "" if least is None else f" of at least {least}"
    expected = f"a whole number{bound}{other and f', or {other}'}"
    if _is_bool(value) or not isinstance(value, numbers.Real if from_floats else numbers.Integral):
        raise TypeError(f"{name}: found {quoted(value)}, expected {expected}")
    whole = isinstance(value, numbers.Integral) or float(value).is_integer()
    if not whole or (least is not None and value < least):
        raise ValueError(f"{name}: found {quoted(value)}, expected {expected}")
    return int(value)  # type: ignore[call-overload, no-any-return]  # Real has no __int__


def number_of_jobs(value: Any, name: str = "n_jobs") -> int | None:
    """A number of processes as joblib counts them, which is not 0, or None."""
    if value is None:
        return None
    if (wanted := whole_number(value, name, other="None")) != 0:
        return wanted
    raise ValueError(f"{name}: found 0, expected a whole number other than 0, or None")


def number(
    value: Any,
    name: str,
    expected: str = "a number",
    within: Callable[[Any], bool] = lambda value: True,
) -> float:
    """A real number that is not NaN and passes `within`; `expected` says so in words."""
    if _is_bool(value) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name}: found {quoted(value)}, expected {expected}")
    try:
        # The float is checked as well, for a Fraction just below 1 has the float 1.0.
        if value == value and within(value) and within(result := float(value)):
            return result
    except OverflowError:  # a whole number above all floats
        pass
    raise ValueError(f"{name}: found {quoted(value)}, expected {expected}")


def one_of(value: Any, name: str, choices: Collection[str], *, other: str = "") -> str:
    """Refuses a name that is not in the list; `other` says what else the argument may be."""
    known = ", ".join(map(repr, choices))
    expected = f"{'one of ' if len(choices) > 1 else ''}{known}{other and f', or {other}'}"
    if not isinstance(value, str):
        raise TypeError(f"{name}: found {quoted(value)}, expected {expected}")
    if value not in choices:
        raise ValueError(f"{name}: found {quoted(value)}, expected {expected}")
    return value


def instance_of(value: Any, name: str, kind: type | UnionType, expected: str) -> None:
    """Refuses a value of another type; `expected` names the type in words."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: found {type(value).__name__}, expected {expected}")


def check_text(value: Any, name: str) -> None:
    """Refuses what is no text."""
    instance_of(value, name, str, "a str")


def first_refusal(
    argument: str, value: str, instead: str, reasons: Mapping[str, str | bool]
) -> str:
    """The error of an argument that does not go with others, or empty.

    `reasons` say why, by what was found beside the value; empty ones are no reason, and the first
    other one counts.
    """
    for found, reason in reasons.items():
        if reason:
            return f"{argument}: found {value!r} with {found}, expected {instead!r}: {reason}"
    return ""


def yes_or_no(value: Any, name: str) -> bool:
    """True or False, also numpy's."""
    if not _is_bool(value):
        raise TypeError(f"{name}: found {quoted(value)}, expected True or False")
    return bool(value)


def generator(random_state: Any, name: str = "random_state") -> np.random.Generator:
    """The generator itself, or a new one from a seed (None: from the system's entropy)."""
    if isinstance(random_state, np.random.Generator) or random_state is None:
        return np.random.default_rng(random_state)
    return np.random.default_rng(
        whole_number(random_state, name, 0, other="a numpy.random.Generator or None")
    )


def _is_bool(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_))
