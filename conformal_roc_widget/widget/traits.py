"""Traits that are checked at once, whatever they are set to, and refuse with a sentence."""

from __future__ import annotations

import difflib
import json
import math
import warnings
from collections.abc import Callable
from typing import Any

import traitlets

from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import check_text, instance_of, number, one_of, quoted
from conformal_roc_widget.evaluation.decisions.population_threshold import goal_of
from conformal_roc_widget.shown.controls import PAGE
from conformal_roc_widget.text import plain_text

MOST_HIDDEN = 1000
#: The most letters of a noun for the rows.
LONGEST_NOUN = 30
#: If a name is at least this similar to a trait's, it is a misspelling. "alfa" has 0.67.
MISSPELT = 0.65


class Checked(traitlets.TraitType[Any, Any]):
    """A trait whose values a function checks: it returns the value to keep, or raises.

    None may be allowed.

    Unlike what ``traitlets.validate`` marks, it is asked also while notifications are held back,
    and whatever it raises becomes a TraitError: only for these traitlets gives all values back.
    """

    def __init__(self, check: Callable[[Any, Any], Any], default: Any = None, **kind: Any) -> None:
        super().__init__(default, **kind)
        self._check = check

    def validate(self, obj: Any, value: Any) -> Any:
        """The value to keep; `obj` is the widget."""
        try:
            return self._check(obj, value)
        except Exception as error:
            named = str(error).startswith(str(self.name))
            text = str(error) if named else f"{self.name}: found {quoted(value)}: {error}"
            raise traitlets.TraitError(text) from None


class Number(Checked):
    """Any real number within bounds, NumPy's too, kept as a float."""

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
        """The value to keep; `name` is what an error calls it."""
        number(value, name, self._expected, self._within)
        return self._rounded(value)


class Choice(Checked):
    """A trait whose value is in a list of names."""

    def __init__(self, names: tuple[str, ...], default: str) -> None:
        super().__init__(lambda _, value: one_of(value, str(self.name), names), default)


def check_attribute(widget: traitlets.HasTraits, name: str) -> None:
    """Refuses an attribute named almost as a trait, and warns of another that nothing shows.

    A host may keep something of its own on a widget, so that only a misspelling is an error.
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
    """The decimal that a float stands for.

    .051 from a slider that counts in floats, .1 from a float32.

    Order statistics are exact for the decimal.
    """
    return round(float(exact_alpha(alpha)), 10)


def alpha_trait(default: float = 0.05) -> Number:
    """Significance level, as a decimal."""
    expected = "a number from 0.001 to 0.5, 0.05 for 95 %"
    return Number(default, expected, lambda alpha: 0.001 <= alpha <= 0.5, decimal)


def finite_trait() -> Number:
    """Any finite number, with every digit."""
    return Number(0.5, "a finite number", math.isfinite)


def prevalence_trait() -> Number:
    """Share of the positive class, or None."""
    return Number(None, "a number between 0 and 1, or None", lambda share: 0 < share < 1)


def cost_trait() -> Number:
    """Cost of a miss in false alarms, or None."""
    return Number(None, "a number above 0, or None", lambda cost: 0 < cost < math.inf)


def goal_trait(default: dict[str, float]) -> Checked:
    """One rate with the least of it that is enough, or None."""
    return Checked(lambda _, value: goal_of(value), default, allow_none=True)


def noun_of(_: Any, value: Any) -> str:
    """The noun for rows: letters on one line, in the plural."""
    check_text(value, "noun")
    noun = plain_text(value, LONGEST_NOUN).strip()
    if not noun or len(value) > LONGEST_NOUN:
        raise ValueError(
            f"noun: found {quoted(value)}, expected a word in the plural, as 'patients', of at "
            f"most {LONGEST_NOUN} letters"
        )
    return noun


def page_choices(widget: Any, value: Any) -> dict[str, Any]:
    """Choices that only the page makes, checked for its reader."""
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
    # A value that JSON cannot carry could not be sent to a page.
    json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    return dict(value)
