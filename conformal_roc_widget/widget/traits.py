"""Declares traits that check each value when it is set. Their errors say what was expected."""

from __future__ import annotations

import difflib
import json
import math
import warnings
from collections.abc import Callable
from typing import Any

import traitlets

from conformal_roc_widget.arrays import as_given
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import check_text, instance_of, number, one_of, quoted
from conformal_roc_widget.evaluation.decisions.population_threshold import goal_of
from conformal_roc_widget.shown.controls import PAGE
from conformal_roc_widget.text import plain_text

MOST_HIDDEN = 1000
#: The trait `noun` is the word for rows in sentences. It has at most this many letters.
LONGEST_NOUN = 30
#: If a user sets an unknown attribute whose name is at least this similar to that of a trait, the
#: name counts as misspelt. The similarity of "alfa" and "alpha" is 0.67.
MISSPELT = 0.65


class Checked(traitlets.TraitType[Any, Any]):
    """A trait with a function `check` of the widget and a value.

    The function returns the value to keep, or raises an error. Unlike functions decorated with
    ``traitlets.validate``, it is also called while notifications are held back. Its errors become
    TraitErrors, because traitlets restores all values only after these.
    """

    def __init__(self, check: Callable[[Any, Any], Any], default: Any = None, **kind: Any) -> None:
        super().__init__(default, **kind)
        self._check = check

    def validate(self, obj: Any, value: Any) -> Any:
        """Returns the value to keep. `obj` is the widget."""
        try:
            return self._check(obj, value)
        except Exception as error:
            named = str(error).startswith(str(self.name))
            text = str(error) if named else f"{self.name}: found {quoted(value)}: {error}"
            raise traitlets.TraitError(text) from None


class Number(Checked):
    """A trait for real numbers that `within` accepts. `rounded` returns the number to keep.

    NumPy's numbers are accepted too. If the default is None, None is allowed.
    """

    def __init__(
        self,
        default: float | None,
        expected: str,
        within: Callable[[Any], bool],
        rounded: Callable[[Any], float] = float,
    ) -> None:
        self._expected, self._within, self._rounded = expected, within, rounded
        super().__init__(
            lambda _, value: self.checked(str(self.name), value),
            default,
            allow_none=default is None,
        )

    def checked(self, name: str, value: Any) -> float:
        """Checks `value`, and returns the number to keep. Errors call it `name`."""
        number(value, name, self._expected, self._within)
        return self._rounded(value)


class Choice(Checked):
    """A trait whose value must be one of the given names."""

    def __init__(self, names: tuple[str, ...], default: str) -> None:
        super().__init__(lambda _, value: one_of(value, str(self.name), names), default)


def check_attribute(widget: traitlets.HasTraits, name: str) -> None:
    """Raises an error if the unknown attribute `name` looks like a misspelt trait.

    Other names cause a warning and no error, because a host program may store attributes on a
    widget.
    """
    traits = [trait for trait in widget.trait_names() if not trait.startswith("_")]
    alike = difflib.get_close_matches(name, traits, n=1, cutoff=MISSPELT)
    if alike:
        raise AttributeError(
            f"{name}: found no such attribute of {type(widget).__name__}, expected {alike[0]!r}?",
            name=name,
            obj=widget,
        )
    if name not in vars(widget):
        warnings.warn(
            f"{name}: no trait of {type(widget).__name__}, so that nothing on the screen changes",
            UserWarning,
            stacklevel=3,
        )


def decimal(alpha: Any) -> float:
    """Returns the float nearest to the decimal number that `alpha` is meant to be.

    It has at most ten decimals. A slider that adds floats, or a float32, gives numbers slightly
    beside .051 or .1. The ranks of order statistics are computed for the decimal number.
    """
    return round(float(exact_alpha(alpha)), 10)


def alpha_trait() -> Number:
    """Makes the trait for the significance level."""
    expected = "a number from 0.001 to 0.5, 0.05 for 95 %"
    return Number(0.05, expected, lambda alpha: 0.001 <= alpha <= 0.5, decimal)


def finite_trait() -> Number:
    """Makes a trait for any finite number. Integers too large for floats stay integers."""
    return Number(0.5, "a finite number", math.isfinite, as_given)


def prevalence_trait() -> Number:
    """Makes the trait for the share of positives, or None."""
    return Number(None, "a number between 0 and 1, or None", lambda share: 0 < share < 1)


def cost_trait() -> Number:
    """Makes the trait for the cost of a miss divided by that of a false positive, or None."""
    return Number(None, "a number above 0, or None", lambda cost: 0 < cost < math.inf)


def goal_trait(default: dict[str, float]) -> Checked:
    """Makes the trait for the goal: a dict from a rate's name to its smallest value, or None."""
    return Checked(lambda _, value: goal_of(value), default, allow_none=True)


def noun_of(_: Any, value: Any) -> str:
    """Checks the trait `noun`: a text of one line that is not empty."""
    check_text(value, "noun")
    noun = plain_text(value, LONGEST_NOUN).strip()
    if not noun or len(value) > LONGEST_NOUN:
        raise ValueError(
            f"noun: found {quoted(value)}, expected a word in the plural, as 'patients', of at "
            f"most {LONGEST_NOUN} letters"
        )
    return noun


def page_choices(widget: Any, value: Any) -> dict[str, Any]:
    """Checks the trait `page`: settings that only the page has (`PAGE`)."""
    instance_of(value, "page", dict, "a dict, or None")
    for name in value:
        one_of(name, "page", tuple(PAGE))
    for name, first in PAGE.items():
        found, kind = value.get(name, first), type(first)
        instance_of(found, f"page[{name!r}]", kind, f"a {kind.__name__}")
    if len(value.get("hidden", ())) > MOST_HIDDEN:
        raise ValueError(f"page['hidden']: found more names than {MOST_HIDDEN}")
    for key in value.get("hidden", ()):
        instance_of(key, "page['hidden']", str, "names")
    if not value.get("reveal", True) and widget._given.kind != "single":
        raise ValueError("page['reveal']: found False for several evaluations, expected one")
    # If JSON cannot represent a value, it could not be sent to a page. `json.dumps` then raises an
    # error.
    json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    return dict(value)
