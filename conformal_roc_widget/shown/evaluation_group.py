"""Groups the evaluations that a widget shows: a single one, or several of the same kind.

Several evaluations are called entries. The label of an entry is its key in the user's mapping.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast, get_args

import numpy as np

from conformal_roc_widget.arrays import Floats, shortened
from conformal_roc_widget.calibration.classifiers import has_scores
from conformal_roc_widget.checks import instance_of, number, one_of, quoted
from conformal_roc_widget.choices import GuaranteeName, KindName, LooksName
from conformal_roc_widget.comparators.delong import PairedTest, paired_areas
from conformal_roc_widget.evaluation.average import WEIGHTS, class_shares
from conformal_roc_widget.evaluation.estimate import Estimate, Rows
from conformal_roc_widget.evaluation.figures import (
    mean_area_of_classes,
    mean_rates_of_classes,
)
from conformal_roc_widget.evaluation.folds import Folds
from conformal_roc_widget.evaluation.horizons import Horizons
from conformal_roc_widget.evaluation.populations import Populations
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.promise import Promise, of_classes, of_folds
from conformal_roc_widget.text import plain_text

from .comparator_state import Pair
from .controls import Label

#: The name of an entry has at most `LONGEST_NAME` letters. If the label of an entry is a number,
#: its name is the word in `NOUNS` and this number, such as "class 2".
LONGEST_NAME = 40
NOUNS = {"classes": "class", "folds": "fold", "samples": "sample", "horizons": "by"}
#: If there are more classifiers than this, they are not compared in pairs.
MOST_COMPARED = 10
#: The largest number of entries of a group, because a page rejects longer lists.
MOST_ENTRIES = 1000
#: The kind of a group whose entries differ in the horizon.
HORIZONS = "horizons"
#: The values of the argument `kind`, by which a user says what the evaluations of a mapping are.
KINDS = get_args(KindName)


@dataclass(frozen=True, eq=False)
class Group:
    """The evaluations that a widget shows, and how they are related."""

    #: How the entries are related. "single": there is only one. "classes": each class against the
    #: rest. "classifiers": several on the same test labels. "bands": several guarantees or
    #: references for one curve. "populations": several of one classifier. "folds": those of one
    #: cross-validation. "samples": each with other rows, such as train and test. "horizons": one
    #: per horizon, of which one is shown at a time.
    kind: str
    #: The evaluations by label, in the order in which they are shown. A single one has the label
    #: None.
    entries: Mapping[Label, RocEvaluation]
    #: The folds, if the entries are folds.
    folds: Folds | None = None
    #: The name of a single evaluation, or of the classifier of horizons. It may be empty.
    title: str = ""

    @classmethod
    def of(cls, shown: Any, kind: str | None = None, name: str | None = None) -> Group:
        """Makes the group of one evaluation, or of a mapping of evaluations.

        If `kind` is None, it is inferred from the data. Keys must be values that JSON can hold.
        `name` is for a single evaluation, or for the classifier of several horizons.
        """
        instance_of(name, "name", str | None, "a str")
        if kind is not None:
            one_of(kind, "kind", KINDS, other="None; folds are what `from_cv_results` makes")
        if isinstance(shown, RocEvaluation):
            if kind is not None:
                raise ValueError(
                    f"kind: found {kind!r} for one evaluation, expected None: it says how the "
                    "evaluations of a mapping are related"
                )
            return cls("single", {None: shown}, title=plain_text(name or "", LONGEST_NAME))
        if name is not None and not isinstance(shown, Horizons):
            raise ValueError(
                f"name: found {name!r:.40} for several evaluations, expected None: their names are "
                "the keys of the mapping"
            )
        if isinstance(shown, Horizons) and kind is not None:
            raise ValueError(f"kind: found {kind!r} for horizons, expected None")
        if type(shown).__name__ == "RocCurveDisplay":
            raise TypeError(
                "evaluation: found a RocCurveDisplay, which holds a drawn curve and no scores; "
                "expected what RocEvaluation.from_predictions(y_calibration, score_calibration, "
                "y_test, score_test) returns"
            )
        if not isinstance(shown, Mapping):
            raise TypeError(f"evaluation: found {_found_and_expected(shown)}")
        if not shown:
            raise ValueError("evaluation: found an empty mapping, expected at least one evaluation")
        if {"fit_time", "indices"} & set(shown):
            raise TypeError(
                "evaluation: found what cross_validate gives, expected its evaluations: "
                "ROCWidget.from_cv_results(cv_results, X, y)"
            )
        for key, evaluation in shown.items():
            if not isinstance(evaluation, RocEvaluation):
                raise TypeError(
                    f"evaluation: found {type(evaluation).__name__} for label {key!r:.40}, "
                    "expected a RocEvaluation, as RocEvaluation.from_predictions(y, score) or "
                    "ConformalROC.evaluate(X_test, y_test) returns it"
                )
        if len(shown) > MOST_ENTRIES:
            raise ValueError(
                f"evaluation: found {len(shown)} evaluations, expected at most "
                f"{MOST_ENTRIES}: a page reads no more"
            )
        entries = {_label(key): evaluation for key, evaluation in shown.items()}
        folds = shown if isinstance(shown, Folds) else None
        title = plain_text(name or "", LONGEST_NAME)
        return cls(_kind_of(shown, entries, kind), entries, folds, title)

    @cached_property
    def guarantee(self) -> GuaranteeName | None:
        """The guarantee that all entries have. None if they differ."""
        found = {each.guarantee for each in self.entries.values()}
        return found.pop() if len(found) == 1 else None

    def with_guarantee(self, guarantee: GuaranteeName | None) -> Group:
        """Returns the group with all entries under another guarantee. None keeps the present one.

        If the guarantee is impossible for an entry, a ValueError is raised.
        """
        if guarantee is None or guarantee == self.guarantee:
            return self
        if self.guarantee is None:
            raise ValueError(
                f"guarantee: found {guarantee!r:.40}, expected None: the evaluations shown have "
                "different guarantees"
            )
        if guarantee not in self._others:
            every = self.entries.items()
            entries = {label: each.with_guarantee(guarantee) for label, each in every}
            self._others[guarantee] = replace(self, entries=entries)
        return self._others[guarantee]

    @cached_property
    def _others(self) -> dict[str, Group]:
        """A cache of the groups that `with_guarantee` made from this one, by guarantee."""
        return {}

    @cached_property
    def awaits_labels(self) -> bool:
        """Whether an entry has rows without labels. Limits then depend on a share of positives."""
        return any(each.told_share is not None for each in self.entries.values())

    def with_share(self, prevalence: float | None) -> Group:
        """Sets the share `prevalence` of positives for entries without labels."""
        if not self.awaits_labels:
            return self
        entries = {
            label: each if each.told_share is None else each.with_prevalence(prevalence)
            for label, each in self.entries.items()
        }
        return self if entries == dict(self.entries) else replace(self, entries=entries)

    @property
    def comparable(self) -> bool:
        """Whether entries are compared in pairs: few classifiers with known single points."""
        few = self.kind == "classifiers" and 1 < len(self.entries) <= MOST_COMPARED
        return few and all(e.counts is None and e.has_single_points for e in self.entries.values())

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """DeLong's paired test of every pair of classifiers.

        If there are several pairs, p-values are adjusted by Holm's method.
        """
        evaluations = list(self.entries.values())
        # Entries have the same test points, and so the same people.
        groups = next((each.groups for each in evaluations if each.groups is not None), None)
        scores = [each.scores for each in evaluations]
        try:
            tests = paired_areas(evaluations[0].labels, scores, groups)
        except ValueError:  # a variance needs two rows or people of each label
            areas = itertools.combinations([each.observed_auc for each in evaluations], 2)
            tests = [PairedTest(a - b, math.nan, math.nan, math.nan) for a, b in areas]
        every = itertools.combinations(self.entries, 2)
        return tuple(Pair(a, b, *test) for (a, b), test in zip(every, tests, strict=True))

    @cached_property
    def _shared(self) -> list[Rows] | None:
        """The rows of each class, if all classes have the same rows.

        None if the entries are not classes, or if their rows differ.
        """
        each = list(self.entries.values())
        if self.kind != "classes" or not are_of_the_same_rows(each):
            return None
        return [rows for e in each if (rows := e.sampled.sample) is not None]

    @cached_property
    def mean_areas(self) -> dict[str, Estimate]:
        """The mean area for each weighting of classes. Empty if its limits are unknown."""
        if (rows := self._shared) is None:
            return {}
        areas = np.array([each.observed_auc for each in self.entries.values()])
        found = {how: mean_area_of_classes(rows, areas, self._shares(how)) for how in WEIGHTS}
        return {how: area for how, area in found.items() if area is not None}

    @cached_property
    def mean_rates(self) -> dict[str, Floats]:
        """The numbers for limits of the classes' mean rates, for each weighting."""
        rows = self._shared or []
        return {how: mean_rates_of_classes(rows, self._shares(how)) for how in self.mean_areas}

    def _shares(self, how: str) -> Floats:
        """Returns the weight of each class in a mean, for the weighting `how`."""
        return np.array(list(class_shares(self.entries, how).values()))

    @cached_property
    def together(self) -> Promise | None:
        """The guarantee of the limits of the mean over all classes or folds.

        None if there are no such limits.
        """
        if self.folds is not None:
            varies = self.folds.mean_area.variance > 0
            return of_folds(self.folds.mean_auc_method, varies=varies)
        areas = self.mean_areas.values()
        known = self.kind == "classes" and any(e.sampled.area for e in self.entries.values())
        if not areas and not known:
            return None
        return of_classes(has_mean=bool(areas))

    def horizon_of(self, horizon: Any) -> float | None:
        """Checks the argument `horizon`. By default it is the middle one of several."""
        known = [each.horizon for each in self.entries.values() if each.horizon is not None]
        alone = self.kind == "single" or self.kind == HORIZONS
        if horizon is None:
            return known[len(known) // 2] if alone and known else None
        expected = "None: no outcome has a time"
        if known and alone:
            expected = f"one of {', '.join(f'{each:g}' for each in known)}"
        return number(horizon, "horizon", expected, lambda t: alone and t in known)

    def threshold_of(self, threshold: Any) -> float:
        """Checks the argument `threshold`.

        If the scores of an entry are not probabilities, any number is valid.
        """
        first, *others = self.entries.values()
        asked = next((each for each in others if each.score_kind == "score"), first)
        number(threshold, "threshold", "a number")
        return asked.threshold_of(threshold)

    def looks_of(self, looks: Any) -> LooksName:
        """Checks the argument `looks`. If "any" is impossible here, the error says why."""
        one_of(looks, "looks", get_args(LooksName))
        if looks == "any":
            every = (each.sampled.no_looks for each in self.entries.values())
            if found := "several evaluations" if self.kind != "single" else next(every):
                raise ValueError(
                    f"looks: found 'any' and {found}, expected 'once': limits at every look are "
                    "known for one classifier, and for independent rows of equal weight"
                )
        return cast(LooksName, looks)

    def no_view(self, view: str) -> str:
        """Why the view `view` is impossible, as words of an error. Empty if it is possible."""
        for each in self.entries.values():
            if each.told_share is not None and view != "roc":
                return f"{each.dependence}, from which it is computed"
        if view not in ("reliability", "net_benefit"):
            return ""
        for each in self.entries.values():
            if each.score_kind == "score":
                return "scores that are no probabilities, which it reads as risks"
            if view == "reliability" and each.dependence:
                return f"{each.dependence}, while its bounds count independent rows"
        return ""

    def key_of(self, controls: Any) -> Label:
        """The key of the entry that `controls` (or a widget) select: a horizon or a label."""
        if self.kind == HORIZONS:
            return self.horizon_of(controls.horizon)
        label: Label = controls.label
        return label

    def drawn(self, controls: Any) -> Group:
        """Returns the group of the entries that a picture shows: of several horizons, only one."""
        if self.kind != HORIZONS:
            return self
        key = self.key_of(controls)
        return replace(self, entries={key: self.entries[key]})

    def find(self, label: Any) -> Label:
        """Returns the key of the entry with the label `label`. None stands for all entries."""
        if label is None:
            return None
        if self.kind == HORIZONS:
            raise ValueError(
                f"label: found {quoted(label)} for horizons, expected None: set horizon"
            )
        wanted = label.item() if isinstance(label, np.generic) else label
        known = wanted if isinstance(wanted, str | int | float | bool) else None
        # As in Python, True, 1 and 1.0 are the same key, and "1" is another one.
        found = [key for key in self.entries if key is not None and key == known]
        if not found:
            several = self.kind != "single"
            names = f"one of None, {shortened(list(self.entries))}" if several else "None"
            raise ValueError(f"label: found {quoted(label)}, expected {names}")
        return found[0]

    def name(self, label: Label) -> str:
        """Returns the name of an entry on one line: "logistic", or "class 2" for a number."""
        text = self.title if label is None else plain_text(label, LONGEST_NAME)
        noun = NOUNS.get(self.kind)
        return text if noun is None or isinstance(label, str) else f"{noun} {text}"

    def looked_at(self, label: Label) -> RocEvaluation | None:
        """Returns the evaluation with this label. None if several are shown together."""
        return self.entries.get(label)

    def opens_with(self, label: Label) -> Label:
        """Returns the label of the entry that a page shows first.

        It is `label` if that is an entry, or if several can be shown together. Otherwise it is the
        label of the first entry.
        """
        together = self.kind in ("single", "classes", "folds")
        return label if together or label in self.entries else next(iter(self.entries))


def _found_and_expected(shown: Any) -> str:
    """Returns the end of an error: what the user gave, and how to make an evaluation of it."""
    name = f"the class {shown.__name__}" if isinstance(shown, type) else type(shown).__name__
    if hasattr(shown, "evaluate_all"):
        return f"{name}, expected what its evaluate(X_test, y_test) returns, once it is fitted"
    if has_scores(shown):
        return (
            f"{'' if isinstance(shown, type) else 'the classifier '}{name}, expected what it was "
            "evaluated to: ROCWidget.from_estimator(classifier, X_test, y_test)"
        )
    if isinstance(shown, list | tuple) and any(isinstance(e, RocEvaluation) for e in shown):
        return f"a {name} of {len(shown)}, expected a mapping: their names to evaluations"
    if hasattr(shown, "__array__") or hasattr(shown, "columns"):
        return (
            f"{name}, expected an evaluation: labels and scores are shown by "
            "ROCWidget.from_predictions(y, score)"
        )
    return (
        f"{name}, expected a RocEvaluation, as ConformalROC.evaluate or "
        "RocEvaluation.from_predictions return it, or a mapping of labels to such"
    )


def _kind_of(shown: Any, entries: Mapping[Label, RocEvaluation], named_kind: str | None) -> str:
    """Finds the kind of the evaluations of a mapping `shown`.

    It is `named_kind` if the user gave it. Otherwise it follows from the type of `shown` or, if
    that says nothing, from the keys, classes and labels of the evaluations.
    """
    if isinstance(shown, Horizons):
        return HORIZONS
    own = "populations" if isinstance(shown, Populations) else "folds"
    if isinstance(shown, Populations | Folds):
        if named_kind not in (None, own):
            raise ValueError(f"kind: found {named_kind!r} for {own}, expected None")
        return own
    difference = _difference(entries)
    if named_kind == "classifiers" and difference:
        raise ValueError(
            "kind: found 'classifiers' for evaluations of different test points, expected all on "
            f"the same ones with one positive class: {difference}"
        )
    if named_kind is not None:
        return named_kind
    if not difference:
        first, *others = entries.values()
        one_curve = others and all(_same_curve(first, other) for other in others)
        return "bands" if one_curve else "classifiers"
    if _one_against_the_rest(entries):
        return "classes"
    raise ValueError(
        f"evaluation: found evaluations that are not all of the same rows: {difference}. "
        "Expected kind='populations' for one classifier on different people (or what "
        "ConformalROC.evaluate_by returns), kind='samples' for train and test, two years or draws, "
        "kind='classes' for classes of one model (or what evaluate_all returns), or folds from "
        "ROCWidget.from_cv_results(cross_validate(...), X, y)"
    )


def _difference(entries: Mapping[Label, RocEvaluation]) -> str:
    """Returns how evaluations differ from classifiers on the same rows, as words of an error.

    Only the first difference is named. If there is none, the text is empty.
    """
    (name, first), *others = entries.items()
    for label, other in others:
        both = f"{name!r:.40} and {label!r:.40} differ in"
        sizes = [sum(each.n_test.values()) for each in (first, other)]
        if sizes[0] != sizes[1]:
            return f"{both} the number of rows, {sizes[0]:,} and {sizes[1]:,}"
        classes = [each.classes[1] for each in (first, other)]
        if classes[0] != classes[1]:
            return f"{both} the positive class, {classes[0]!r:.40} and {classes[1]!r:.40}"
        if not _same_truth(first, other):
            alike = first.n_test == other.n_test
            return f"{both} {'the order of their labels' if alike else 'the labels of their rows'}"
    return ""


def are_of_the_same_rows(evaluations: Sequence[RocEvaluation]) -> bool:
    """Whether evaluations of classes have the same single rows, weights and people.

    Each row must be positive in exactly one of them.
    """
    first = evaluations[0]
    if any(not e.has_single_points or e.follow_up is not None for e in evaluations):
        return False
    if len({e.labels.size for e in evaluations}) > 1:
        return False
    if any((np.sum([e.labels for e in evaluations], axis=0) != 1).tolist()):
        return False
    return all(
        _same(e.sample_weight, first.sample_weight) and _same(e.groups, first.groups)
        for e in evaluations
    )


def _same(one: Any, other: Any) -> bool:
    return (one is None) == (other is None) and (one is None or np.array_equal(one, other))


def _one_against_the_rest(entries: Mapping[Label, RocEvaluation]) -> bool:
    """Whether the entries can be the classes of one classifier, each against the rest.

    If they are, each key is the positive class of its evaluation, and each row is positive in
    exactly one evaluation.
    """
    if not all(key == each.classes[1] for key, each in entries.items()):
        return False
    sizes = {each.labels.size if each.counts is None else -1 for each in entries.values()}
    if len(sizes) > 1 or -1 in sizes:
        return False
    return bool((np.sum([each.labels for each in entries.values()], axis=0) == 1).all())


def _same_truth(one: RocEvaluation, other: RocEvaluation) -> bool:
    """Whether two evaluations have the same labels.

    If one of them has only counts of a table, the numbers of rows by label and the classes are
    compared instead.
    """
    if one.counts is None and other.counts is None:
        return np.array_equal(one.labels, other.labels)
    return (one.n_test, one.classes) == (other.n_test, other.classes)


def _same_curve(one: RocEvaluation, other: RocEvaluation) -> bool:
    """Whether two evaluations have the same ROC curve, so that only their bands differ."""
    return all(map(np.array_equal, one.sampled.screen_vertices, other.sampled.screen_vertices))


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
