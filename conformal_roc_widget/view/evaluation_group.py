"""Group of evaluations shown together: one, or several classes, classifiers, populations, folds."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from conformal_roc_widget.arrays import shortened
from conformal_roc_widget.checks import one_of, quoted
from conformal_roc_widget.comparators.delong import PairedTest, paired_areas
from conformal_roc_widget.evaluation.folds import Folds
from conformal_roc_widget.evaluation.populations import Populations
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.text import plain_text
from conformal_roc_widget.view.comparator_state import Pair
from conformal_roc_widget.view.controls import Label

#: Of more classifiers than this no pairs are compared.
MOST_COMPARED = 10
#: A page reads no longer list.
MOST_ENTRIES = 1000
#: Values of the argument `kind`: what the evaluations of a mapping are.
KINDS = ("classifiers", "classes", "populations")


@dataclass(frozen=True, eq=False)
class Group:
    """Evaluations that are shown together."""

    #: "single", "classes" (one against the rest), "classifiers" (they share the true labels of
    #: their test set), "bands" (of several guarantees or references: they share the whole curve),
    #: "populations" (of one classifier) or "folds" (of one cross-validation).
    kind: str
    #: In the order in which they are shown; the only label of a single evaluation is None.
    entries: Mapping[Label, RocEvaluation]
    #: Where they are folds.
    folds: Folds | None = None

    @classmethod
    def of(cls, shown: Any, kind: str | None = None) -> Group:
        """Group of one evaluation, or of a mapping whose keys JSON can carry, of a known kind."""
        if kind is not None:
            one_of(kind, "kind", KINDS)
        if isinstance(shown, RocEvaluation):
            return cls("single", {None: shown})
        if type(shown).__name__ == "RocCurveDisplay":
            raise TypeError(
                "evaluation: found a RocCurveDisplay, which holds a drawn curve and no scores; "
                "expected what RocEvaluation.from_predictions(y_calibration, score_calibration, "
                "y_test, score_test) returns"
            )
        if not isinstance(shown, Mapping):
            raise TypeError(
                f"evaluation: found {type(shown).__name__}, expected a RocEvaluation, as "
                "ConformalROC.evaluate or RocEvaluation.from_predictions return it, or a mapping "
                "of labels to such"
            )
        if not shown:
            raise ValueError("evaluation: found an empty mapping, expected at least one evaluation")
        for key, evaluation in shown.items():
            if not isinstance(evaluation, RocEvaluation):
                raise TypeError(
                    f"evaluation: found {type(evaluation).__name__} for label {key!r:.40}, "
                    "expected a RocEvaluation"
                )
        if len(shown) > MOST_ENTRIES:
            raise ValueError(
                f"evaluation: found {len(shown)} evaluations, expected at most {MOST_ENTRIES}, as "
                "many as a page reads"
            )
        entries = {_label(key): evaluation for key, evaluation in shown.items()}
        folds = shown if isinstance(shown, Folds) else None
        return cls(_kind_of(shown, list(entries.values()), kind), entries, folds)

    @property
    def guarantee(self) -> str | None:
        """The guarantee that all entries have; None where they differ."""
        found = {each.guarantee for each in self.entries.values()}
        return found.pop() if len(found) == 1 else None

    def under(self, guarantee: str | None) -> Group:
        """The same entries under another guarantee, or a ValueError where one cannot have it.

        None stands for the one that they have.
        """
        if guarantee is None or guarantee == self.guarantee:
            return self
        if self.guarantee is None:
            raise ValueError(
                f"guarantee: found {guarantee!r:.40}, expected None: the evaluations shown have "
                "guarantees of their own"
            )
        entries = {label: each.with_guarantee(guarantee) for label, each in self.entries.items()}
        return replace(self, entries=entries)

    @property
    def comparable(self) -> bool:
        """Whether pairs are compared: of few classifiers, with every test point known."""
        whole = all(each.counts is None for each in self.entries.values())
        return self.kind == "classifiers" and 1 < len(self.entries) <= MOST_COMPARED and whole

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """DeLong's test of every two classifiers; of several pairs with Holm's p-values."""
        evaluations = list(self.entries.values())
        # They share their test points: whoever knows the people knows them for all.
        groups = next((each.groups for each in evaluations if each.groups is not None), None)
        scores = [each.scores for each in evaluations]
        try:
            tests = paired_areas(evaluations[0].labels, scores, groups)
        except ValueError:  # a label that occurs once, or of one person, has no variance
            areas = itertools.combinations([each.observed_auc for each in evaluations], 2)
            tests = [PairedTest(a - b, math.nan, math.nan, math.nan) for a, b in areas]
        every = itertools.combinations(self.entries, 2)
        return tuple(Pair(a, b, *test) for (a, b), test in zip(every, tests, strict=True))

    def find(self, label: Any) -> Label:
        """Key of the entry that a label names; None stands for all, an unknown one is refused."""
        if label is None:
            return None
        wanted = label.item() if isinstance(label, np.generic) else label
        known = wanted if isinstance(wanted, str | int | float | bool) else None
        # True, 1 and 1.0 are one key, "1" is another.
        found = [key for key in self.entries if key is not None and key == known]
        if not found:
            names = "None" if self.kind == "single" else f"None, {shortened(list(self.entries))}"
            raise ValueError(f"label: found {quoted(label)}, expected one of {names}")
        return found[0]

    def name(self, label: Label) -> str:
        """Name of an entry on one line: "class 2" where the bare number would say too little."""
        text = plain_text("" if label is None else label, 40)
        noun = {"classes": "class", "folds": "fold"}.get(self.kind)
        return text if noun is None or isinstance(label, str) else f"{noun} {text}"

    def looked_at(self, label: Label) -> RocEvaluation | None:
        """Evaluation that is looked at alone; None where several are looked at together."""
        return self.entries.get(label)

    def opens_with(self, label: Label) -> Label:
        """Label of the entry that a page shows first: of classifiers the first one."""
        together = self.kind in ("single", "classes", "folds")
        return label if together or label in self.entries else next(iter(self.entries))


def _kind_of(shown: Any, evaluations: list[RocEvaluation], said: str | None) -> str:
    """What the evaluations of a mapping are: what the user or the container says, else a guess."""
    own = "populations" if isinstance(shown, Populations) else "folds"
    if isinstance(shown, Populations | Folds):
        if said not in (None, own):
            raise ValueError(f"kind: found {said!r} for {own}, expected None")
        return own
    first, *others = evaluations
    same_points = all(_same_truth(first, other) for other in others)
    if said == "classifiers" and not same_points:
        raise ValueError(
            "kind: found 'classifiers' for evaluations of different test points, expected all on "
            "the same ones"
        )
    if same_points and said in (None, "classifiers"):
        one_curve = others and all(_same_curve(first, other) for other in others)
        return "bands" if one_curve and said is None else "classifiers"
    if said is not None:
        return said
    if _one_against_the_rest(evaluations):
        return "classes"
    raise ValueError(
        "evaluation: found a mapping of evaluations that are neither classifiers on the same test "
        "points nor classes of one model, expected kind='populations' for one classifier on "
        "different people (or what ConformalROC.evaluate_by returns), or kind='classes'"
    )


def _one_against_the_rest(evaluations: list[RocEvaluation]) -> bool:
    """Whether no test point is positive in two evaluations.

    A table's summary has no single points: there the positives of all evaluations together must be
    as many as the points.
    """
    if len({each.labels.size for each in evaluations if each.counts is None}) == 1:
        return int(np.sum([each.labels for each in evaluations], axis=0).max()) <= 1
    n = {sum(each.n_test.values()) for each in evaluations}
    return n == {sum(each.n_test[1] for each in evaluations)}


def _same_truth(one: RocEvaluation, other: RocEvaluation) -> bool:
    """Whether two evaluations have the same true labels; of summaries, the same numbers of them."""
    if one.counts is None and other.counts is None:
        return np.array_equal(one.labels, other.labels)
    return (one.n_test, one.classes) == (other.n_test, other.classes)


def _same_curve(one: RocEvaluation, other: RocEvaluation) -> bool:
    """Whether two evaluations have the same curve, so that only their bands differ."""
    return all(map(np.array_equal, one.display_vertices, other.display_vertices))


def _label(key: Any) -> Label:
    value: object = key.item() if isinstance(key, np.generic) else key
    if not isinstance(value, str | int | float | bool):
        raise TypeError(
            f"evaluation: found the key {key!r:.40} of type {type(key).__name__}, expected names, "
            "numbers or bools"
        )
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"evaluation: found the key {value!r}, expected finite numbers")
    if isinstance(value, int) and abs(value) > 2**53:
        raise ValueError(f"evaluation: found the key {value!r}, expected at most 2^53 in size")
    if isinstance(value, str) and value != value.encode(errors="replace").decode():
        raise ValueError(f"evaluation: found the key {value!r:.40}, expected text that is Unicode")
    return value
