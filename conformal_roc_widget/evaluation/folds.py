"""Evaluates a cross-validation: each classifier on its held-out fold."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from conformal_roc_widget.arrays import (
    CountedPeople,
    Floats,
    Ints,
    codes_of,
    labelled_scores,
    labels_of,
    people_of,
    row_weights_of,
    same_length,
    shortened,
    two_classes_of,
)
from conformal_roc_widget.calibration.classifiers import class_scores
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import instance_of, quoted
from conformal_roc_widget.promise import of_folds
from conformal_roc_widget.tables.calibration_rows import refuse_both
from conformal_roc_widget.tables.points import Points
from conformal_roc_widget.text import Note

from .band import Named
from .estimate import Estimate, Rows, SamplingInterval
from .figures import mean_area_of_folds

METHODS = {
    "delong": "LeDell, Petersen and van der Laan",
    "logit": "influences around the mean of all folds, on the logit scale",
    "pairs": "the number of independent pairs of a positive and a negative alone",
}


def mean_auc_interval(
    folds: Sequence[tuple[ArrayLike, ArrayLike]],
    alpha: float = 0.05,
    *,
    groups: Sequence[ArrayLike] | None = None,
    pos_label: Any = None,
) -> SamplingInterval:
    """Computes the mean of the areas of a cross-validation's folds, with limits.

    Each fold is evaluated by its own classifier. The variance is the mean square of the points'
    influences over all rows, each within its fold. The limits are ``mean -+ z sd``, clipped to [0,
    1], as in cvAUC's ``ci.cvAUC``.

    If groups are given, or if a fold has fewer than 10 rows of a label, influences are measured
    from the mean over all folds and added up by person (Obuchowski 1997). The limits are then on
    the logit scale with Student's quantile. If the variance is 0, they follow from the number of
    independent pairs, as in `delong_interval`.

    Parameters
    ----------
    folds : sequence of (y, score)
        Labels and out-of-fold scores of each fold, with both classes in each.
    alpha : float
        Significance level in (0, 1).
    groups : sequence of array_like, optional
        For each fold, the person that each row belongs to. People must be independent, but the rows
        of a person need not be.
    pos_label : label, optional
        The positive label. By default the second of two in sorted order.

    Returns
    -------
    SamplingInterval
        Unpacks into the mean area and its limits in [0, 1].

    Warns
    -----
    UserWarning
        If the scores separate the labels in every fold, or if the variance is 0 for another reason.
        The limits then follow from the number of independent pairs alone.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above, if a fold has only one class, or if a label belongs
        to only one person.
    """
    exact_alpha(alpha)
    area = _mean_area(folds, groups, pos_label)
    if not area.variance:
        warnings.warn(
            f"The mean area ({area.value:g}) has no variance on these folds: the limits come from "
            f"the number of independent pairs of a positive and a negative ({area.rows:g}) alone.",
            UserWarning,
            stacklevel=3,
        )
    return _interval(area, alpha, _method_of(area))


def _method_of(area: Estimate, *, weighted: bool = False) -> str:
    """Returns the name of the method of a mean area's limits."""
    method = METHODS[area.scale if area.variance else "pairs"]
    return f"{method}, rows by their weights" if weighted else method


def _interval(area: Estimate, alpha: float, method: str) -> SamplingInterval:
    """Returns the mean `area` with its limits at `alpha` and their guarantee."""
    promise = of_folds(method, varies=area.variance > 0)
    return area.interval(
        alpha,
        method=method,
        target=promise.target,
        scope=promise.place,
        guarantee=promise.surety,
    )


def _mean_area(
    folds: Sequence[tuple[ArrayLike, ArrayLike]],
    groups: Sequence[ArrayLike] | None = None,
    pos_label: Any = None,
) -> Estimate:
    """Computes the mean area of folds that a user gave as pairs of labels and scores."""
    try:
        pairs = [(y, score) for y, score in folds]
    except (TypeError, ValueError):
        expected = "a list of pairs of labels and scores"
        raise TypeError(f"folds: found {quoted(folds)}, expected {expected}") from None
    if len(pairs) < 2:
        raise ValueError(f"folds: found {len(pairs)}, expected at least two")
    given = []
    for number, (y, score) in enumerate(pairs):
        try:
            given.append(labelled_scores(y, score, pos_label=pos_label))
        except ValueError as error:
            raise ValueError(f"folds[{number}]: {error}") from None
    owners = None if groups is None else _owners(groups, [positive for positive, _ in given])
    found = mean_area_of_folds([Rows(*each) for each in given], owners)
    if found is None:
        raise ValueError("groups: found a label in one group only, expected two or more")
    return found


def _owners(groups: Sequence[ArrayLike], positives: Sequence[NDArray[np.bool_]]) -> list[Ints]:
    """Turns the user's `groups` into codes of the people of each fold's rows."""
    instance_of(groups, "groups", Iterable, "a list with the people of each fold")
    names = [labels_of(of, f"groups[{fold}]") for fold, of in enumerate(groups)]
    if len(names) != len(positives):
        raise ValueError(f"groups: found {len(names)} folds, expected {len(positives)}")
    for fold, (of, positive) in enumerate(zip(names, positives, strict=True)):
        same_length(**{f"folds[{fold}]": positive, f"groups[{fold}]": of})
    every = people_of(np.concatenate(names), "groups", sum(of.size for of in names))
    return np.split(every, np.cumsum([of.size for of in names])[:-1])


CALL = "cross_validate(..., return_estimator=True, return_indices=True)"
SCORES_ALONE = "; if you have the scores of each fold alone, see `comparators.mean_auc_interval`"
LOSS = Note(
    "The residuals of a fold are those of the other folds' classifiers, as in cross-conformal "
    "prediction:",
    "if classifiers err unlike each other, limits may fail with a probability of up to 2α, not α.",
)
CAVEAT = (
    "the pooled curve mixes the scores of different classifiers: where these are not on one scale, "
    "it may lie below all of theirs"
)


class PooledCurve(NamedTuple):
    """The ROC curve of the out-of-fold scores of all folds together.

    Its `caveat` says that no single classifier has this curve.
    """

    fpr: Floats
    tpr: Floats
    thresholds: Floats
    auc: float
    caveat: str


@dataclass(frozen=True, eq=False, repr=False)
class Folds(Named[int, Any]):
    """The evaluations of a cross-validation, one for each fold.

    `RocEvaluation.from_cv_results` makes it. It is a mapping from the numbers of the folds to
    evaluations. The classifier of a fold is evaluated on the test rows of the fold, and calibrated
    by all other folds. The bands of folds are never averaged.

    Attributes
    ----------
    pooled : PooledCurve
        The curve of all out-of-fold scores, with its caveat.
    """

    _items: Mapping[int, Any]
    pooled: PooledCurve
    #: For each fold, the codes of the people of its rows. None if the user gave no groups.
    _people: Sequence[Ints] | None = None

    def __repr__(self) -> str:
        """Returns a short text with the number of test points of each fold."""
        sizes = ", ".join(f"{fold}: {sum(e.n_test.values())}" for fold, e in self.items())
        return f"Folds({sizes})"

    def mean_auc(self, alpha: float = 0.05) -> SamplingInterval:
        """Returns the mean of the folds' areas, with the limits of LeDell et al. (2015).

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        SamplingInterval
            Unpacks into the mean area and its limits. They ignore that another training set would
            give other classifiers. If there are groups, the rows of a person are not counted as
            independent. If there are weights, they weight the rows.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1).
        """
        return _interval(self.mean_area, alpha, self.mean_auc_method)

    @property
    def weighted(self) -> bool:
        """Whether any fold has rows with weights."""
        return any(e.sample_weight is not None for e in self.values())

    def mean_auc_limits(self, alphas: Iterable[float]) -> list[tuple[float, float]]:
        """Returns the limits of `mean_auc` at each of the `alphas`."""
        return [self.mean_area.limits(alpha) for alpha in alphas]

    @property
    def mean_auc_method(self) -> str:
        """The name of the method of `mean_auc`'s limits."""
        return _method_of(self.mean_area, weighted=self.weighted)

    @cached_property
    def mean_area(self) -> Estimate:
        """The mean of the folds' areas, and the numbers from which its limits are computed."""
        rows = [
            Rows(e.labels == 1, e.scores, None if e.sample_weight is None else e.sample_weight)
            for e in self.values()
        ]
        found = mean_area_of_folds(rows, self._people)
        # If a label has only one person, the mean area has no limits, and `found` is None.
        return found or Estimate(float(np.mean([e.observed_auc for e in self.values()])))


def folds_of(
    make: Callable[..., Any],
    cv_results: Any,
    X: Any,
    y: ArrayLike,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
    pos_label: Any,
) -> Folds:
    """Evaluates the test rows of each fold by the classifier of the fold.

    `make` is called with the classifier and the arguments of `RocEvaluation.from_predictions`.
    """
    refuse_both(sample_weight=sample_weight, groups=groups)
    labels = labels_of(y, "y")
    points = Points.of(X, "X", encode="always")
    n = labels.size
    same_length(X=points.array, y=labels)
    classes = two_classes_of(labels, "y", pos_label)
    people = None if groups is None else labels_of(groups, "groups")
    same_length(y=labels, groups=people)
    owners = None if people is None else people_of(people, "groups", n)
    # A single fold may have few people. `people_of` accepts this if the people are `CountedPeople`.
    people = None if people is None else people.view(CountedPeople)
    weights = None if sample_weight is None else row_weights_of(sample_weight, "sample_weight", n)
    estimators, tests = _parts(cv_results, n, people)
    codes = codes_of(labels, classes, "y")
    scores = np.full(n, np.nan)
    for fold, (estimator, rows) in enumerate(zip(estimators, tests, strict=True)):
        if np.unique(codes[rows]).size < 2:
            alone = classes.tolist()[codes[rows][0]]
            raise ValueError(
                f"cv_results: found label {alone!r} alone in the test rows of "
                f"fold {fold}, expected both classes in each (a stratified splitter)"
            )
        scores[rows] = class_scores(estimator, points.rows(rows), classes)[0][:, 1]

    def fold_of(estimator: Any, rows: Ints) -> Any:
        others = np.setdiff1d(np.concatenate(tests), rows)
        return make(
            estimator,
            labels[others],
            scores[others],
            labels[rows],
            scores[rows],
            pos_label=classes.tolist()[1],
            sample_weight_calibration=None if weights is None else weights[others],
            sample_weight_test=None if weights is None else weights[rows],
            groups_calibration=None if people is None else people[others],
            groups_test=None if people is None else people[rows],
        )

    evaluations = {
        fold: fold_of(estimator, rows)
        for fold, (estimator, rows) in enumerate(zip(estimators, tests, strict=True))
    }
    every = np.concatenate(tests)
    weight = None if weights is None else weights[every]
    of_folds = None if owners is None else [owners[rows] for rows in tests]
    return Folds(evaluations, _pooled(codes[every], scores[every], weight), of_folds)


def _parts(
    cv_results: Any, n: int, people: NDArray[Any] | None
) -> tuple[Sequence[Any], list[Ints]]:
    """Returns the classifier and the indices of the test rows of each fold.

    `cv_results` must be the result of `cross_validate`. `people` are the people of the n rows.
    """
    instance_of(cv_results, "cv_results", Mapping, f"what {CALL} gives{SCORES_ALONE}")
    for key in ("estimator", "indices"):
        if key not in cv_results:
            raise ValueError(f"cv_results: found no {key!r}, expected what {CALL} gives")
    estimators, indices = cv_results["estimator"], cv_results["indices"]
    tests = [np.asarray(rows, dtype=np.intp) for rows in indices["test"]]
    if len(tests) != len(estimators) or len(tests) < 2:
        raise ValueError(
            f"cv_results: found {len(estimators)} classifiers and {len(tests)} folds, expected "
            "equal numbers, at least two"
        )
    every = np.concatenate(tests)
    if every.min() < 0 or every.max() >= n:
        raise ValueError(
            f"cv_results: found row {int(every.max())} in a test fold, expected below {n}"
        )
    if np.unique(every).size < every.size:
        raise ValueError(
            "cv_results: found rows in two test folds, expected each in one at most (a splitter "
            "without repeats)"
        )
    for fold, (train, test) in enumerate(zip(indices.get("train", tests[:0]), tests, strict=False)):
        if np.intersect1d(train, test).size:
            raise ValueError(
                f"cv_results: found rows of fold {fold} in its training and its test part"
            )
        if people is not None:
            shared = np.intersect1d(people[train], people[test]).tolist()
            if shared:
                raise ValueError(
                    f"groups: found {shortened(shared)} in the training and the test part of fold "
                    f"{fold}, expected a splitter that keeps groups whole (GroupKFold)"
                )
    return estimators, tests


def _pooled(codes: Ints, scores: Floats, weights: Floats | None) -> PooledCurve:
    from sklearn.metrics import roc_auc_score, roc_curve

    fpr, tpr, thresholds = roc_curve(codes, scores, sample_weight=weights, drop_intermediate=False)
    auc = float(roc_auc_score(codes, scores, sample_weight=weights))
    return PooledCurve(fpr, tpr, thresholds, auc, CAVEAT)
