"""Records how much each calibration row counts: once, by its weight, or as a row of a person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import (
    Floats,
    Ints,
    groups_of,
    labels_of,
    odds_of_weights,
    people_of,
    refuse_weightless,
    row_weights_of,
    shortened,
)
from conformal_roc_widget.promise import NEW_PERSON, NOTHING, WEIGHTS_OF_FEATURES, Phrase
from conformal_roc_widget.text import LABEL, AboutLabels, Note, counted, counted_people

#: A function that returns a weight for each point from its features. The weight is the likelihood
#: ratio of the test distribution to the calibration distribution.
Ratio = Callable[[Any], Any]
#: The names of the arguments with groups, for errors: those of the calibration rows, and those of
#: the test rows.
GROUPS = ("groups_calibration", "groups_test")
#: The seed of `one_row_each`. It is fixed, so that each call draws the same rows.
SEED = 0


def refuse_both(**weights_and_groups: Any) -> None:
    """Raises if all arguments are given: no theory covers weights and groups together."""
    if all(given is not None for given in weights_and_groups.values()):
        raise ValueError(
            f"{', '.join(weights_and_groups)}: found both, expected one: there is no guarantee for "
            "weights and groups together"
        )


class CalibrationRows(NamedTuple):
    """How much each of n calibration rows counts: once, by its weight, or as a row of a person."""

    #: The weights of the rows (n,), or None. `ratio` is the function of the features that gave the
    #: weights, or None. The function is kept, because it gives the weights of test points too.
    weights: Floats | None = None
    ratio: Ratio | None = None
    #: The code of each row's person (n,), or None if rows are independent.
    people: Ints | None = None
    #: Whether each row gives a residual (n,). None if all do.
    within: NDArray[np.bool_] | None = None

    @classmethod
    def of(
        cls,
        points: Any,
        n: int,
        sample_weight: Any,
        groups: Any,
        group_name: str = "groups_calibration",
    ) -> CalibrationRows:
        """Checks the weights and the groups of n rows.

        If weights are a function, it is called with `points`.
        """
        weight_name = "sample_weight_calibration"
        refuse_both(**{weight_name: sample_weight, group_name: groups})
        if groups is not None:
            return cls(people=people_of(groups, group_name, n))
        if sample_weight is None:
            return cls()
        ratio = sample_weight if callable(sample_weight) else None
        weights = sample_weight if ratio is None else ratio(points)
        return cls(row_weights_of(weights, weight_name, n).copy(), ratio)

    def rows(self, rows: Ints) -> CalibrationRows:
        """Returns the same record for the rows with the indices `rows`."""

        def some(values: Any) -> Any:
            return None if values is None else values[rows]

        return CalibrationRows(some(self.weights), self.ratio, some(self.people), some(self.within))

    @property
    def plain(self) -> bool:
        """Whether each row counts once: rows have neither weights nor people."""
        return self.weights is None and self.people is None

    def test_weights(self, points: Any, labels: NDArray[np.int8]) -> tuple[Floats, Floats] | None:
        """Returns the weights of the negative and of the positive test points.

        Returns None unless weights are a function.
        """
        if self.ratio is None:
            return None
        name = "sample_weight_calibration at test points"
        weights = row_weights_of(self.ratio(points), name, labels.size)
        return weights[labels == 0], weights[labels == 1]

    def odds(self, codes: NDArray[Any]) -> float:
        """Returns the weight of a positive row divided by the weight of a negative row.

        If there are no weights, if a function gives them, or if they vary within a label, it is 1.
        `codes` are the labels of the rows as 0 and 1.
        """
        if self.weights is None or self.ratio is not None:
            return 1.0
        return odds_of_weights(self.weights, codes) or 1.0

    def remarks(self, codes: Ints) -> tuple[Note, ...]:
        """Returns notes on the number of people, or on the effective sample size of weights.

        `codes` are the labels of the rows as 0 and 1. If each row counts once, or if the weight of
        a row depends only on its label, there is no note.
        """
        if self.plain or self.odds(codes) != 1:
            return ()
        there = np.ones(codes.size, dtype=bool) if self.within is None else self.within
        label_texts = " and ".join(self._label_in_words(there & (codes == k), k) for k in (0, 1))
        if self.people is not None:
            note = Note(
                AboutLabels(f"The calibration rows belong to {label_texts}:"),
                "limits hold for a row of a new person, and n counts people, not rows.",
            )
            return (note,)
        own = (
            "each test point weighs what the given function says, in levels"
            if self.ratio is not None
            else "a test point weighs as much as the heaviest row of its label"
        )
        note = Note(
            AboutLabels(f"The calibration rows have weights, and n is {label_texts}; {own}."),
            "They weigh residuals and not the reference: right where features shift, wrong where "
            "weights depend on the label.",
        )
        return (note,)

    def refuse_weightless(self, codes: Ints) -> None:
        """Raises if all rows of one class have weight 0. `codes` are the classes of the rows."""
        if self.weights is not None:
            for code in range(codes.max() + 1):
                refuse_weightless_label(self.weights[codes == code])

    def _label_in_words(self, of_label: NDArray[np.bool_], k: int) -> str:
        rows = int(of_label.sum())
        if self.people is not None:
            people = np.unique(self.people[of_label]).size
            return f"{counted_people(people)} ({counted(rows, 'row')}) of {LABEL[k]}"
        assert self.weights is not None
        alike = effective_n(self.weights[of_label]) if rows else 0
        return f"{int(alike)} (of {counted(rows, 'row')}) of {LABEL[k]}"

    @property
    def conditions(self) -> tuple[Phrase, ...]:
        """The assumption behind weighted intervals, as phrases for a guarantee. May be empty."""
        return () if self.weights is None else (WEIGHTS_OF_FEATURES,)

    @property
    def whom(self) -> Phrase:
        """The rows that intervals hold for, in words: a row of a new person.

        Empty if rows are independent.
        """
        return NOTHING if self.people is None else NEW_PERSON


def refuse_shared_groups(
    calibration: Any, test: Any, names: tuple[str, str] = GROUPS, y_test: Any = None
) -> None:
    """Raises if a group occurs in both `calibration` and `test`.

    Raises too if `test` does not have one group for each row of `y_test`. Errors call the two
    arguments `names`.
    """
    if test is not None and y_test is not None:
        groups_of(test, names[1], labels_of(y_test, "y_test").size)
    if calibration is None or test is None:
        return
    known = labels_of(calibration, names[0])
    shared = np.intersect1d(known, labels_of(test, names[1])).tolist()
    if shared:
        raise ValueError(
            f"{names[1]}: found {shortened(shared)} in {names[0]} too, expected people without "
            "calibration rows"
        )


def refuse_weightless_label(weights: Floats) -> None:
    """Raises if all `weights`, which are those of one label's rows, are 0."""
    refuse_weightless(weights, "sample_weight_calibration", "every row of a label")


def effective_n(weights: Floats) -> float:
    """The effective sample size ``(sum w)^2 / sum w^2``."""
    return float(weights.sum() ** 2 / (weights @ weights))


def one_row_each(people: Ints) -> Ints:
    """Returns the indices of one randomly drawn row of each person.

    `people` has the code of the person of each row.
    """
    shuffled = np.random.default_rng(SEED).permutation(people.size)
    return shuffled[np.unique(people[shuffled], return_index=True)[1]]
