"""`ConformalROC`: fit, intervals, evaluation. Thin: it calls the stages in their order."""

from __future__ import annotations

import copy
import numbers
from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from conformal_roc_widget.arrays import (
    Floats,
    codes_of,
    columns_of,
    labels_of,
    numbers_of,
    same_columns,
    same_length,
    shortened,
)
from conformal_roc_widget.calibration.kernel import check_bandwidth
from conformal_roc_widget.calibration.logits import class_scores
from conformal_roc_widget.calibration.neighborhoods import check_distance
from conformal_roc_widget.calibration.quantiles import check_rule, exact_alpha
from conformal_roc_widget.calibration.split import CalibratedSplit, Points, calibrate
from conformal_roc_widget.evaluation.from_features import Method, Placed, assemble
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation

REFERENCES = ("kernel", "score", "sharp")
GUARANTEES = ("individual", "curve")
CENTERS = ("classifier", "kernel")
SCORING = ("predict_proba", "decision_function")


class ConformalROC(BaseEstimator):  # type: ignore[misc]
    """ROC evaluation of a classifier with conformal confidence bands.

    Parameters
    ----------
    estimator : object
        scikit-learn classifier ``p_n``. It is cloned and trained; wrap a classifier that is trained
        already in `sklearn.frozen.FrozenEstimator` (it must not have seen the calibration part).
    reference : {"kernel", "score", "sharp"}, classifier or callable
        Estimate ``pi~`` of the true probability: ``"kernel"`` is eq. (tilde_pi) on the training
        part; ``"score"`` is the kernel on ``L_p`` alone, leave-one-out over the calibration part,
        for many features; ``"sharp"`` is a posterior of ``logit pi`` from the features of both
        parts (`conformal_roc_widget.calibration.posterior`), for shorter intervals where
        ``logit pi`` is smooth; a scikit-learn classifier is trained on the training part; a
        callable ``X -> P(y = 1 | x)`` is the oracle of Proposition 2.1 (for more than two classes
        it returns one column a class).
    bandwidth : {"silverman", "scott", "cv"}, float or array_like
        Of the kernel; see `kernel_logit`. ``"sharp"`` has none.
    calibration_size : float or int
        Share (or number) of the points given to ``fit`` that calibrate.
    neighbors : int or None
        Number N of neighbours of Algorithm 2, both labels counted; None is Algorithm 1.
    distance : str, callable or array_like of shape (d,) or (d, k)
        What near means for Algorithm 2: ``"standardized"`` is Euclidean on features over the
        training part's standard deviation, ``"score"`` is ``|L_p(x_i) - L_p(x_j)|``, an array is
        Euclidean between ``X @ distance``; otherwise a metric as scikit-learn's
        ``NearestNeighbors`` takes it.
    center : {"classifier", "kernel"}
        Centre of the intervals: ``L_p``, or ``L_pi~`` as Algorithm 2 is printed (which does not
        cover; it is there to show that).
    recenter : bool
        Move the classifier's logit by the median residual over both labels (of the neighbourhood,
        where there is one): the paper's fix for shifted data. Intervals stay as they are.
    resplits : int or "per-instance"
        Number of random splits among which the test points are dealt, or one split a test point
        (the variant of Algorithm 1 in the paper).
    quantile_rule : {"paper", "split"}
        Which pair of order statistics; see `conformal_quantiles`.
    random_state : int, RandomState or None
        Of the splits, and of estimators whose own ``random_state`` is None.
    n_jobs : int or None
        Processes for repeated splits, through joblib.
    progress : bool
        Whether repeated splits show a progress bar.

    Attributes
    ----------
    estimator_ : object
        Trained classifier; a list of them for repeated splits.
    classes_ : ndarray of shape (k,)
        Sorted classes; of two, the second is the positive one.
    residuals_ : dict
        Class -> ascending calibration residuals ``logit pi~ - logit p``. For more than two classes
        the pair (residuals of the rest, residuals of the class) for ``pi_l``. For repeated splits
        a list of such dicts; empty for ``"per-instance"``, which splits once test points are known.
    n_calibration_ : dict
        The same for numbers of residuals.
    """

    def __init__(
        self,
        estimator: Any,
        *,
        reference: Any = "kernel",
        bandwidth: Any = "silverman",
        calibration_size: float = 0.5,
        neighbors: int | None = None,
        distance: Any = "standardized",
        center: str = "classifier",
        recenter: bool = False,
        resplits: int | str = 1,
        quantile_rule: str = "paper",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool = True,
    ) -> None:
        self.estimator = estimator
        self.reference = reference
        self.bandwidth = bandwidth
        self.calibration_size = calibration_size
        self.neighbors = neighbors
        self.distance = distance
        self.center = center
        self.recenter = recenter
        self.resplits = resplits
        self.quantile_rule = quantile_rule
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        *,
        X_calibration: Any = None,
        y_calibration: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Train on one part and take residuals on the other (Algorithm 1, lines 1 and 3).

        Parameters
        ----------
        X : array_like or data frame of shape (n, d)
            Features: finite numbers of at most 1e100 in size.
        y : array_like of shape (n,)
            Labels of two classes or more.
        X_calibration, y_calibration : array_like, optional
            The calibration part. By default a random part of `X`, as in the paper; otherwise all of
            `X` trains.
        sample_weight : array_like of shape (n,), optional
            Passed to the estimator's ``fit``.

        Returns
        -------
        ConformalROC
            Itself.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is not of the form above; the message names it, and what
            was fitted before stays.
        """
        fitted = copy.copy(self)
        fitted._fit(X, y, X_calibration, y_calibration, sample_weight)
        self.__dict__ = fitted.__dict__
        return self

    def _fit(
        self,
        X: Any,
        y: ArrayLike,
        X_calibration: Any,
        y_calibration: ArrayLike | None,
        sample_weight: ArrayLike | None,
    ) -> None:
        self._check_parameters()
        points, labels = self._points(X, y, "X", "y")
        classes: NDArray[Any] = np.unique(labels)
        if classes.size < 2:
            raise ValueError(f"y: found one class only ({classes[0]!r}), expected at least two")
        weights = None
        if sample_weight is not None:
            weights = numbers_of(sample_weight, "sample_weight", ndim=1)
            same_length(X=points.array, sample_weight=weights)
        if (X_calibration is None) != (y_calibration is None):
            raise ValueError("X_calibration, y_calibration: found one of them, expected both")
        n_features = points.array.shape[1]
        check_distance(self.distance, points.array)
        scored = isinstance(self.reference, str) and self.reference == "score"
        check_bandwidth(self.bandwidth, 1 if scored else n_features)
        self.n_features_in_ = n_features
        self._columns = columns_of(X)
        self.classes_ = classes
        self._check_frozen()
        self._data = (points, labels, weights)
        seeds = np.random.SeedSequence(
            int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        )
        self._split_seed, self._deal_seed = seeds.spawn(2)
        if X_calibration is not None:
            if self.resplits != 1:
                raise ValueError(
                    f"resplits: found {self.resplits!r} with an explicit calibration set, "
                    "expected 1: there is nothing to split"
                )
            calibration, calibration_labels = self._points(
                X_calibration, y_calibration, "X_calibration", "y_calibration"
            )
            same_columns(X_calibration, self._columns, self.n_features_in_, "X_calibration")
            codes_of(calibration_labels, classes, "y_calibration")
            self.splits_ = [
                self._calibrate(
                    points, labels, calibration, calibration_labels, weights, self._split_seed
                )
            ]
        elif self.resplits == "per-instance":
            self.splits_, self._data = [], copy.deepcopy(self._data)
        else:
            self.splits_ = self._resplit(int(self.resplits))
        if self.resplits != "per-instance":
            del self._data
        single = self.resplits == 1
        residuals = [self._residuals_by_class(split) for split in self.splits_]
        counts = [{label: _sizes(r) for label, r in part.items()} for part in residuals]
        self.estimator_ = (
            self.splits_[0].estimator if single else [split.estimator for split in self.splits_]
        )
        self.residuals_ = residuals[0] if single else residuals
        self.n_calibration_ = counts[0] if single else counts

    def predict_interval(
        self, X: Any, label: Any, alpha: float = 0.05, *, given: bool = True
    ) -> tuple[Floats, Floats]:
        """Interval ``CI(x, alpha; y = label)`` for the true probability (Theorem 3.1).

        Parameters
        ----------
        X : array_like or data frame of shape (n, d)
            Points.
        label : object
            One of `classes_`: the label that the interval is conditional on.
        alpha : float
            Significance level in (0, 1).
        given : bool
            For more than two classes the interval is for ``pi_label``, given ``y = label``, or with
            False given ``y != label``.

        Returns
        -------
        lower, upper : ndarray of shape (n,)
            Probabilities of the positive class (of `label`, for more than two classes).

        Raises
        ------
        NotFittedError
            Before ``fit``.
        TypeError, ValueError
            If an argument is not of the form above, or, with ``resplits="per-instance"``, a class
            is missing in a part of a new split.
        """
        check_is_fitted(self, "splits_")
        exact_alpha(alpha)
        points = self._new_points(X, "X")
        at = self._class_index(label)
        binary = self.classes_.size == 2
        column, code = (1, at) if binary else (at, int(given))
        if binary and not given:
            raise ValueError("given: found False for two classes, expected the other label instead")
        codes = np.full(len(points.array), code, dtype=np.int8)
        evaluation = self._evaluation(self._place(points), column, codes)
        return evaluation.intervals(alpha)

    def evaluate(
        self,
        X_test: Any,
        y_test: ArrayLike,
        label: Any = None,
        *,
        guarantee: str = "individual",
    ) -> RocEvaluation:
        """ROC evaluation on a test set (Algorithms 1 to 3).

        Parameters
        ----------
        X_test : array_like or data frame of shape (n_test, d)
            Test features, with the columns of the fit.
        y_test : array_like of shape (n_test,)
            Test labels.
        label : object, optional
            For more than two classes, the class that is to count as positive.
        guarantee : {"individual", "curve"}
            What the band's limits are calibrated for. ``"individual"`` is the paper's: each point's
            probability, which covers the curve more often than asked. ``"curve"`` is the curve at
            a random threshold and little more, which makes narrower bands
            (`conformal_roc_widget.calibration.curve_residuals`). It assumes that ``logit pi``
            is smooth, whichever of ``"kernel"`` and ``"sharp"`` is the reference, or that a
            callable is the truth.

        Returns
        -------
        RocEvaluation
            Scores, labels and residuals; ask it for a band at any alpha.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        TypeError, ValueError
            If an argument is not of the form above, a class is missing in the test set or, with
            ``resplits="per-instance"``, in a part of a new split, or the model cannot give the
            guarantee.
        """
        check_is_fitted(self, "splits_")
        self._check_guarantee(guarantee)
        if label is None and self.classes_.size > 2:
            raise ValueError(
                f"label: found None for {self.classes_.size} classes, "
                f"expected one of {shortened(self.classes_.tolist())}"
            )
        at = self.classes_.size - 1 if label is None else self._class_index(label)
        return self._evaluate(X_test, y_test, [at], guarantee)[0]

    def evaluate_all(
        self, X_test: Any, y_test: ArrayLike, *, guarantee: str = "individual"
    ) -> dict[Any, RocEvaluation]:
        """One evaluation a class, that class against the rest (Algorithm 3).

        Parameters
        ----------
        X_test, y_test : array_like
            As in `evaluate`.
        guarantee : {"individual", "curve"}
            As in `evaluate`.

        Returns
        -------
        dict
            Class -> RocEvaluation.
        """
        check_is_fitted(self, "splits_")
        self._check_guarantee(guarantee)
        every = range(self.classes_.size)
        evaluations = self._evaluate(X_test, y_test, every, guarantee)
        return dict(zip(self.classes_.tolist(), evaluations, strict=True))

    # Input

    def _check_parameters(self) -> None:
        check_rule(self.quantile_rule, "quantile_rule")
        if not any(hasattr(self.estimator, m) for m in SCORING):
            raise TypeError(
                f"estimator: found {type(self.estimator).__name__} with neither predict_proba nor "
                "decision_function, expected a classifier with one of them"
            )
        known = isinstance(self.reference, str) and self.reference in REFERENCES
        if not known and (isinstance(self.reference, str) or not _is_reference(self.reference)):
            raise ValueError(
                f"reference: found {self.reference!r}, expected "
                f"{', '.join(map(repr, REFERENCES))}, a classifier or a callable"
            )
        if self.center not in CENTERS:
            raise ValueError(
                f"center: found {self.center!r}, expected {' or '.join(map(repr, CENTERS))}"
            )
        if known and self.reference == "sharp" and self.center == "kernel":
            raise ValueError(
                "center: found 'kernel' with reference='sharp', expected 'classifier': a posterior "
                "is no single estimate to centre on"
            )
        if not isinstance(self.recenter, (bool, np.bool_)):
            raise TypeError(f"recenter: found {self.recenter!r}, expected True or False")
        if self.neighbors is not None:
            _check_count(self.neighbors, "neighbors", "a whole number of at least 1, or None")
        if self.resplits != "per-instance":
            _check_count(
                self.resplits, "resplits", "a whole number of at least 1, or 'per-instance'"
            )
        size = self.calibration_size
        if isinstance(size, (bool, np.bool_)) or not isinstance(size, numbers.Real):
            raise TypeError(f"calibration_size: found {size!r}, expected a share or a number")
        if not (0 < size < 1 or (size >= 1 and float(size).is_integer())):
            raise ValueError(
                f"calibration_size: found {size!r}, expected a share in (0, 1) or a whole number"
            )

    def _check_guarantee(self, guarantee: Any) -> None:
        if not isinstance(guarantee, str) or guarantee not in GUARANTEES:
            raise ValueError(
                f"guarantee: found {guarantee!r}, expected {' or '.join(map(repr, GUARANTEES))}"
            )
        if guarantee == "individual":
            return
        named = isinstance(self.reference, str)
        reasons = {
            f"neighbors={self.neighbors!r}": self.neighbors is not None
            and "each test point has residuals of its own",
            f"resplits={self.resplits!r}": self.resplits != 1
            and "the test points have residuals of several splits",
            "center='kernel'": self.center == "kernel"
            and "its limits do not move the classifier's scores",
            "reference='score'": named
            and self.reference == "score"
            and "a score alone does not tell how π is spread",
            f"reference={type(self.reference).__name__}(...)": not named
            and hasattr(self.reference, "fit")
            and "one estimate does not tell how far from π it may be",
        }
        for found, reason in reasons.items():
            if reason:
                raise ValueError(
                    f"guarantee: found 'curve' with {found}, expected 'individual': {reason}"
                )

    def _check_frozen(self) -> None:
        if not isinstance(self.estimator, FrozenEstimator):
            return
        check_is_fitted(self.estimator)
        known = np.asarray(self.estimator.classes_).tolist()
        if sorted(known) != self.classes_.tolist():
            raise ValueError(
                f"estimator: found a frozen classifier of classes {shortened(known)}, "
                f"expected those of y: {shortened(self.classes_.tolist())}"
            )

    def _points(self, X: Any, y: Any, x_name: str, y_name: str) -> tuple[Points, NDArray[Any]]:
        array = numbers_of(X, x_name, ndim=2)
        labels = labels_of(y, y_name)
        same_length(**{x_name: array, y_name: labels})
        # What is kept must not change when the caller's own array does.
        own = array if array.flags.owndata and array is not X else array.copy()
        return Points(_raw(X, own), own), labels

    def _new_points(self, X: Any, name: str) -> Points:
        array = numbers_of(X, name, ndim=2)
        same_columns(X, self._columns, self.n_features_in_, name)
        return Points(_raw(X, array), array)

    def _class_index(self, label: Any) -> int:
        known: list[Any] = self.classes_.tolist()
        if label not in known:
            raise ValueError(f"label: found {label!r}, expected one of {shortened(known)}")
        return known.index(label)

    # Splits

    def _calibrate(
        self,
        training: Points,
        training_labels: NDArray[Any],
        calibration: Points,
        calibration_labels: NDArray[Any],
        weights: Floats | None,
        seed: np.random.SeedSequence,
    ) -> CalibratedSplit:
        return calibrate(
            self._seeded(self.estimator, seed),
            training,
            training_labels,
            calibration,
            calibration_labels,
            self.classes_,
            reference=self._seeded(self.reference, seed),
            bandwidth=self.bandwidth,
            sample_weight=weights,
        )

    def _seeded(self, estimator: Any, seed: np.random.SeedSequence) -> Any:
        """Clone with a random state where the caller asked for one and set none inside."""
        if self.random_state is None or not hasattr(estimator, "get_params"):
            return estimator
        if isinstance(estimator, FrozenEstimator):
            return estimator
        number = int(seed.generate_state(1)[0] >> 1)
        open_ = [
            name
            for name, value in estimator.get_params(deep=True).items()
            if (name == "random_state" or name.endswith("__random_state")) and value is None
        ]
        return clone(estimator).set_params(**dict.fromkeys(open_, number)) if open_ else estimator

    def _split(self, seed: np.random.SeedSequence) -> CalibratedSplit:
        """One random split of the data given to ``fit``."""
        points, labels, weights = self._data
        number = int(seed.generate_state(1)[0] >> 1)
        size = self.calibration_size if self.calibration_size < 1 else int(self.calibration_size)
        try:
            training, calibration = train_test_split(
                np.arange(labels.size), test_size=size, random_state=number
            )
        except ValueError as error:
            raise ValueError(
                f"calibration_size: found {self.calibration_size!r} for {labels.size} points: "
                f"{error}"
            ) from None
        for part, rows in (("training", training), ("calibration", calibration)):
            missing = sorted(set(self.classes_.tolist()) - set(np.unique(labels[rows]).tolist()))
            if missing:
                raise ValueError(
                    f"y: after the random split the {part} part has no label {shortened(missing)}; "
                    "expected every class in both parts (more data, another calibration_size, or "
                    "a calibration set of your own)"
                )
        return self._calibrate(
            points.rows(training),
            labels[training],
            points.rows(calibration),
            labels[calibration],
            None if weights is None else weights[training],
            seed,
        )

    def _resplit(self, number: int) -> list[CalibratedSplit]:
        if number == 1:
            return [self._split(self._split_seed)]
        # A fresh copy of the seed, so that asking twice gives the same children.
        seeds = np.random.SeedSequence(self._split_seed.generate_state(4)).spawn(number)
        done: Iterable[CalibratedSplit] = Parallel(n_jobs=self.n_jobs, return_as="generator")(
            delayed(self._split)(seed) for seed in seeds
        )
        if self.progress:
            from tqdm.auto import tqdm

            done = tqdm(done, total=number, desc="splits", unit="split")
        return list(done)

    def _residuals_by_class(self, split: CalibratedSplit) -> dict[Any, Any]:
        names = self.classes_.tolist()
        if len(names) == 2:
            return {
                name: np.sort(split.residuals[split.codes == code, 1])
                for code, name in enumerate(names)
            }
        return {
            name: (
                np.sort(split.residuals[split.codes != code, code]),
                np.sort(split.residuals[split.codes == code, code]),
            )
            for code, name in enumerate(names)
        }

    # New points

    def _place(self, points: Points) -> list[Placed]:
        """New points, each with the split that serves it."""
        n = len(points.array)
        if self.resplits == 1:
            dealt = [(self.splits_[0], np.arange(n))]
        elif self.resplits == "per-instance":
            dealt = [(split, np.array([row])) for row, split in enumerate(self._resplit(n))]
        else:
            turn = np.random.default_rng(self._deal_seed).permutation(n) % len(self.splits_)
            dealt = [(split, np.flatnonzero(turn == i)) for i, split in enumerate(self.splits_)]
        placed = []
        for split, rows in dealt:
            if rows.size:
                own = points.rows(rows) if rows.size < n else points
                probabilities, logits = class_scores(split.estimator, own.raw, self.classes_)
                centres = (
                    logits if self.center == "classifier" else split.reference.logits(own, logits)
                )
                placed.append(Placed(split, rows, own, probabilities, logits, centres))
        return placed

    def _evaluate(
        self, X: Any, y: ArrayLike, columns: Iterable[int], guarantee: str
    ) -> list[RocEvaluation]:
        points, labels = self._points(X, y, "X_test", "y_test")
        same_columns(X, self._columns, self.n_features_in_, "X_test")
        codes = codes_of(labels, self.classes_, "y_test")
        placed = self._place(points)
        return [
            self._evaluation(placed, l, (codes == l).astype(np.int8), guarantee) for l in columns
        ]

    def _evaluation(
        self,
        placed: Sequence[Placed],
        column: int,
        labels: NDArray[np.int8],
        guarantee: str = "individual",
    ) -> RocEvaluation:
        """Class number `column` against the rest, for points with labels 0 and 1."""
        names = self.classes_.tolist()
        rest = names[1 - column] if len(names) == 2 else f"not {names[column]}"
        method = Method(
            self.reference,
            self.neighbors,
            self.distance,
            self.center,
            bool(self.recenter),
            self.quantile_rule,
        )
        return assemble(placed, column, labels, (rest, names[column]), method, guarantee)


def _raw(X: Any, array: Floats) -> Any:
    """What estimators are to see: frames and arrays as they are, lists and the like as numbers."""
    return X if isinstance(X, np.ndarray) or columns_of(X) is not None else array


def _sizes(residuals: Any) -> Any:
    return tuple(map(len, residuals)) if isinstance(residuals, tuple) else len(residuals)


def _is_reference(reference: Any) -> bool:
    classifier = hasattr(reference, "fit") and any(hasattr(reference, m) for m in SCORING)
    return classifier or (callable(reference) and not isinstance(reference, type))


def _check_count(value: Any, name: str, expected: str) -> None:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral):
        raise ValueError(f"{name}: found {value!r}, expected {expected}")
    if value < 1:
        raise ValueError(f"{name}: found {value!r}, expected {expected}")
