"""How calibration rows count: each for itself, by weights, or together as rows of a person."""

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

#: A function that gives each point its weight, a likelihood ratio.
Ratio = Callable[[Any], Any]
#: Argument names for errors.
GROUPS = ("groups_calibration", "groups_test")
#: Seed of the draw of one row for each person. The draw does not use labels, and is the same
#: each time.
SEED = 0


def refuse_both(**weights_and_groups: Any) -> None:
    """Refuses weights and groups together, by their names."""
    if all(given is not None for given in weights_and_groups.values()):
        raise ValueError(
            f"{', '.join(weights_and_groups)}: found both, expected one: there is no guarantee for "
            "people's rows of different weights"
        )


class CalibrationRows(NamedTuple):
    """How calibration rows count: each for itself, by weights, or as rows of people."""

    #: Weights (n,); `ratio` is the function that gave them and gives those of test points.
    weights: Floats | None = None
    ratio: Ratio | None = None
    #: Codes of the people (n,).
    people: Ints | None = None
    #: Rows that calibrate (n,); None if all do.
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
        """Checks weights, or asks a function of the points for them, and groups."""
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
        """The rows with these numbers, in the order of the numbers."""

        def some(values: Any) -> Any:
            return None if values is None else values[rows]

        return CalibrationRows(some(self.weights), self.ratio, some(self.people), some(self.within))

    @property
    def plain(self) -> bool:
        """Whether rows count alike and independently: without weights and people."""
        return self.weights is None and self.people is None

    def test_weights(self, points: Any, labels: NDArray[np.int8]) -> tuple[Floats, Floats] | None:
        """Weights of the test points of label 0 and 1, if a function gives them."""
        if self.ratio is None:
            return None
        name = "sample_weight_calibration at test points"
        weights = row_weights_of(self.ratio(points), name, labels.size)
        return weights[labels == 0], weights[labels == 1]

    def odds(self, codes: NDArray[Any]) -> float:
        """Weight of a row of label 1 over that of label 0; 1 if weights differ within a label."""
        if self.weights is None or self.ratio is not None:
            return 1.0
        return odds_of_weights(self.weights, codes) or 1.0

    def remarks(self, codes: Ints) -> tuple[Note, ...]:
        """Sentences on weights, or on people, of the rows of both labels."""
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
        """Refuses a label whose rows all have weight 0."""
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
        return f"{int(alike)} (of {rows} rows) of {LABEL[k]}"

    @property
    def conditions(self) -> tuple[Phrase, ...]:
        """The assumption on weights."""
        return () if self.weights is None else (WEIGHTS_OF_FEATURES,)

    @property
    def whom(self) -> Phrase:
        """The words on whom limits hold for, if people have several rows."""
        return NOTHING if self.people is None else NEW_PERSON


def refuse_shared_groups(
    calibration: Any, test: Any, names: tuple[str, str] = GROUPS, y_test: Any = None
) -> None:
    """Refuses test groups that share a person with calibration, or are not one for each row."""
    if test is not None and y_test is not None:
        groups_of(test, names[1], labels_of(y_test, "y_test").size)
    if calibration is None or test is None:
        return
    known = labels_of(calibration, names[0])
    shared = np.intersect1d(known, labels_of(test, names[1])).tolist()
    if shared:
        raise ValueError(
            f"{names[1]}: found {shortened(shared)} in {names[0]} too, expected people who do not "
            "calibrate"
        )


def refuse_weightless_label(weights: Floats) -> None:
    """Refuses weights of a label's rows that are all 0."""
    refuse_weightless(weights, "sample_weight_calibration", "every row of a label")


def effective_n(weights: Floats) -> float:
    """Number of equal weights that vary as little: ``(sum w)^2 / sum w^2``."""
    return float(weights.sum() ** 2 / (weights @ weights))


def one_row_each(people: Ints) -> Ints:
    """Place of one row of each person, drawn at random."""
    shuffled = np.random.default_rng(SEED).permutation(people.size)
    return shuffled[np.unique(people[shuffled], return_index=True)[1]]
