"""Declares the references ``pi~``: estimates of the true probability, for the residuals.

Each reference is a class. `conformal_roc_widget.calibration.named_references` makes one from the
argument `reference` of `ConformalROC`. Before `fit` it has settings, and afterwards also the
results of one split. A new reference needs a subclass here and, if it has a name, an entry in that
module.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.ensemble import StackingClassifier

from conformal_roc_widget.arrays import Floats, Ints, in_unit_range, numbers_of
from conformal_roc_widget.calibration.classifiers import class_scores, kind_of, seeded
from conformal_roc_widget.logits import is_clipped, logit_of
from conformal_roc_widget.promise import CLOSE, CLOSE_FROM_SCORES, SMOOTH, TRUE_REFERENCE, Phrase
from conformal_roc_widget.tables.points import Columns, Labelled, Points
from conformal_roc_widget.text import Note

from .kernel import KernelReference, fit_kernel, score_kernel
from .posterior import ClassPosteriors, sharp_residuals

#: If there are more features than this, ``"auto"`` does not choose the paper's kernel.
KERNEL_FEATURES = 5

#: The indices of the training rows and of the held-out rows of each fold.
Folds = Sequence[tuple[Ints, Ints]]


class Settings(NamedTuple):
    """Parameters of `ConformalROC` that references share."""

    bandwidth: Any = "silverman"
    n_jobs: int | None = None
    progress: bool = False


class ScoredPoints(NamedTuple):
    """Logits (n, k) of points for each class: the classifier's, and the intervals' centres."""

    logits: Floats
    centres: Floats

    def rows(self, rows: Ints) -> ScoredPoints:
        """Returns the points with the indices `rows`."""
        return ScoredPoints(self.logits[rows], self.centres[rows])


class OneVsRest(NamedTuple):
    """The calibration points of a split, with one class against the rest.

    It has the features as numbers (n, d). Each other array has the shape (n,): whether points are
    of the class, the classifier's logits, the centres, the residuals, and the reference's logits
    for the slope diagnostic. It also has the numbers of scores, and of the reference's values, that
    are exactly 0 or 1.
    """

    points: Floats
    positive: NDArray[np.bool_]
    logits: Floats
    centres: Floats
    residuals: Floats
    reference_logits: Floats
    clipped: int
    unsure: int


class Reference(ABC):
    """An estimate ``pi~`` of the true probability: its settings and, after `fit`, its values.

    Attributes
    ----------
    assumption : Phrase
        The assumption behind the guarantee of individual intervals.
    curve_assumption : Phrase
        The assumption behind the guarantee of a band for the curve.
    no_curve, no_simultaneous, no_ideal_curve, no_centre : str
        Why the reference cannot be used with ``guarantee="curve"``, with ``"simultaneous"``, for
        the ideal model's curve, or with ``center="kernel"``. Empty if it can.
    local_caution : Note or None
        A note for evaluations with neighbourhoods.
    noise_advice : str
        Advice for evaluations in which the reference turns out to be noise. It may be empty.
    needs_features : bool
        Whether it needs the features as numbers.
    recalibrates : bool
        Whether it uses only the score, and so estimates ``P(y = 1 | score)``.
    calibration : Labelled
        Calibration points, once fitted.
    class_logits, centre_logits, calibration_logits : ndarray of shape (n_ca, k)
        One-vs-rest logits at the calibration points: the classifier's ``L_p``, the centres of the
        intervals, and the reference's ``L_pi~``. A residual is the third minus the second.
    """

    assumption: Phrase = CLOSE
    curve_assumption: Phrase = SMOOTH
    no_curve = ""
    no_simultaneous = "it is a promise of the score alone, which the reference 'score' makes"
    no_ideal_curve = "one estimate of π has no draws: choose reference='sharp' or 'learned'"
    no_centre = ""
    local_caution: Note | None = None
    noise_advice = ""
    needs_features = True
    recalibrates = False

    calibration: Labelled
    class_logits: Floats
    centre_logits: Floats
    calibration_logits: Floats

    @property
    @abstractmethod
    def text(self) -> str:
        """The user's argument `reference`, for error messages."""

    def bandwidth_size(self, n_features: int) -> int:
        """Number of bandwidths that the user gives if there is one for each of `n_features`."""
        return n_features

    def no_everywhere(self, columns: Columns) -> str:
        """Why ``guarantee="everywhere"`` is impossible with these columns. Empty if possible."""
        return ""

    def no_other_centre(self, center: Any) -> str:
        """Why a model of this kind cannot be the centre of intervals. Empty if it can."""
        return "it knows the score alone, as its target does" if self.recalibrates else ""

    def everywhere_remark(self, n_calibration: int) -> Note | None:
        """Returns a note for ``guarantee="everywhere"``, or None.

        `n_calibration` is the number of calibration points of the rarer label.
        """
        return None

    def for_points(self, n: int, seed: int | None) -> tuple[Self, Ints | None]:
        """Returns the reference for n points, and the indices of the points used (None: all)."""
        return self, None

    def fit(
        self, training: Labelled, calibration: Labelled, scored: ScoredPoints, seed: int | None
    ) -> Self:
        """Returns a copy, fitted to the points. `scored` has the calibration points' logits."""
        fitted = copy.copy(self)
        fitted.calibration = calibration
        fitted.class_logits, fitted.centre_logits = scored
        fitted._learn(training, seed)
        fitted.calibration_logits = fitted._at_calibration()
        return fitted

    def cross_fit(
        self, data: Labelled, scored: ScoredPoints, folds: Folds, seed: int | None
    ) -> Self:
        """Returns a fitted copy for `calibration="cross"`: all points calibrate, and none trains.

        The logits of a point in `scored` come from a model that was fitted without its fold.
        """
        nobody = data.rows(np.empty(0, dtype=np.intp))
        return self.fit(nobody, data, scored, seed)

    @abstractmethod
    def _learn(self, training: Labelled, seed: int | None) -> None:
        """Fits the estimate to the points `training`.

        `calibration` and `class_logits` have been set before.
        """

    @abstractmethod
    def logits(self, points: Points, class_logits: Floats) -> Floats:
        """One-vs-rest logits ``L_pi~`` (n, k) of new points, given the classifier's logits."""

    def _at_calibration(self) -> Floats:
        return self.logits(self.calibration.points, self.class_logits)

    def one_vs_rest(self, column: int) -> OneVsRest:
        """Returns the calibration points with the class `column` against the rest."""
        logits = self.class_logits[:, column]
        extreme = is_clipped(np.column_stack([logits, self.calibration_logits]))
        return OneVsRest(
            points=self.calibration.points.array,
            positive=self.calibration.codes == column,
            logits=logits,
            centres=self.centre_logits[:, column],
            residuals=self.calibration_logits[:, column] - self.centre_logits[:, column],
            reference_logits=self.slope_logits(column),
            clipped=int(extreme[:, 0].sum()),
            unsure=int(extreme[:, 1:].any(axis=1).sum()),
        )

    def slope_logits(self, column: int) -> Floats:
        """Returns ``L_pi~`` of a class at the calibration points, for the slope diagnostic."""
        return self.calibration_logits[:, column]

    def draws(self, column: int) -> Floats:
        """Returns candidates (n_ca, n_draws) for ``logit pi`` of the class `column`.

        Each candidate has a value at every calibration point. By default there is one candidate,
        the estimate.
        """
        return self.calibration_logits[:, [column]]

    def ideal_draws(self, column: int) -> tuple[Floats, Ints]:
        """Returns posterior draws for the class `column` at labelled points.

        The first rows are the draws at calibration points, whose indices are the second array.
        """
        raise NotImplementedError(self.no_ideal_curve)

    def curve_draws(self, column: int) -> tuple[Floats, ...]:
        """Returns sets of `draws` for a class. A band for the curve must hold for each set."""
        return (self.draws(column),)

    def everywhere_draws(self, column: int) -> tuple[Floats, ...]:
        """Returns sets of candidates (n_ca, n_draws) for ``logit pi`` of the class `column`.

        The band at every threshold must hold for each set.
        """
        return (self.calibration_logits[:, [column]],)

    def remark(self, estimator: Any) -> Note | None:
        """Returns a note for users of the fitted classifier `estimator`, or None."""
        return None

    def feature_kernel(self, training: Labelled) -> KernelReference:
        """Fits a kernel to the training features, for the diagnostics of support."""
        return fit_kernel(training.points.array, training.codes)


class Kernel(Reference):
    """``reference="kernel"``: the kernel of eq. (tilde_pi), fitted to the training part."""

    text = "'kernel'"
    noise_advice = (
        "The reference 'learned' is made for many features, if π can be learned from them."
    )
    kernel: KernelReference
    training: tuple[Floats, Ints]

    def __init__(self, settings: Settings) -> None:
        self.bandwidth = settings.bandwidth

    def no_everywhere(self, columns: Columns) -> str:
        """See `Reference.no_everywhere`.

        With many features, the band of this guarantee held on only a third of the tested data sets.
        """
        found = "an encoded table" if columns.encoded else f"{columns.number} features"
        if not columns.encoded and columns.number <= KERNEL_FEATURES:
            return ""
        return f"on {found} a kernel smooths too much of π away; choose reference='learned'"

    def everywhere_remark(self, n_calibration: int) -> Note:
        """See `Reference.everywhere_remark`."""
        return Note(
            "A kernel does not see an interaction that it smooths away:",
            "in such a study its band for every threshold at once held in .64 to .77 of the data "
            "sets at a nominal .95.",
            "Where that may be, choose reference='sharp' or 'learned'.",
        )

    def _learn(self, training: Labelled, seed: int | None) -> None:
        self.training = training.points.array, training.codes
        self.kernel = fit_kernel(*self.training, self.bandwidth)

    def cross_fit(
        self, data: Labelled, scored: ScoredPoints, folds: Folds, seed: int | None
    ) -> Self:
        """Returns a fitted copy whose kernel uses all points.

        Each point is left out of its own estimate.
        """
        fitted = self.fit(data, data, scored, seed)
        fitted.calibration_logits = fitted.kernel.logits(people=data.stands_for.people)
        # A posterior is fitted to the training points and the calibration points together. Here the
        # two are the same points, so `training` is set to no points.
        fitted.training = data.points.array[:0], data.codes[:0]
        return fitted

    def logits(self, points: Points, class_logits: Floats) -> Floats:
        """See `Reference.logits`."""
        return self.kernel.logits(points.array)

    @cached_property
    def posteriors(self) -> ClassPosteriors:
        """Posteriors of ``logit pi`` from all labelled points, for the band of the curve.

        If the kernel's estimate were used instead, its noise would widen the band.
        """
        return posteriors_of(*self.training, self.calibration)

    def draws(self, column: int) -> Floats:
        """Draws the logit of the class `column` from `posteriors`."""
        return self.posteriors.draws(self.calibration.points.array, column)

    def feature_kernel(self, training: Labelled) -> KernelReference:
        """Returns the kernel of the estimate itself."""
        return self.kernel


class Score(Reference):
    """``reference="score"``: for each class a kernel on ``L_p``, fitted to the calibration part."""

    text = "'score'"
    assumption = CLOSE_FROM_SCORES
    no_curve = "a score alone does not tell how π is spread"
    needs_features = False
    recalibrates = True
    no_simultaneous = ""
    kernels: tuple[KernelReference, ...]

    def __init__(self, settings: Settings) -> None:
        self.bandwidth = settings.bandwidth

    def bandwidth_size(self, n_features: int) -> int:
        """Returns 1, because the score is the only feature."""
        return 1

    def no_everywhere(self, columns: Columns) -> str:
        """See `Reference.no_everywhere`."""
        return "a score alone does not tell π; its own guarantee is 'simultaneous'"

    def _learn(self, training: Labelled, seed: int | None) -> None:
        codes = self.calibration.codes
        kernel = partial(score_kernel, bandwidth=self.bandwidth, name="estimator")
        self.kernels = tuple(
            kernel(logits, (codes == l).astype(np.intp), ~is_clipped(logits))
            for l, logits in enumerate(self.class_logits.T)
        )

    def logits(self, points: Points, class_logits: Floats) -> Floats:
        """See `Reference.logits`."""
        return np.column_stack(
            [k.logits(class_logits[:, [l]])[:, 1] for l, k in enumerate(self.kernels)]
        )

    def _at_calibration(self) -> Floats:
        """Returns the logits of the kernels at the calibration points.

        Each point is left out of its own estimate.
        """
        people = self.calibration.stands_for.people
        return np.column_stack([kernel.logits(people=people)[:, 1] for kernel in self.kernels])

    def slope_logits(self, column: int) -> Floats:
        """See `Reference.slope_logits`. Clipped scores give NaN: their logits are arbitrary."""
        clipped = is_clipped(self.class_logits[:, column])
        return np.where(clipped, np.nan, self.calibration_logits[:, column])


class FromDraws(Reference):
    """A reference with a posterior. Residuals are spread like its draws. See `sharp_residuals`."""

    no_ideal_curve = ""
    no_centre = "a posterior is no single estimate to centre on"

    def _at_calibration(self) -> Floats:
        """``L_pi~`` at the calibration points, as centre plus residual. See `sharp_residuals`.

        Residuals are computed for the points of each class and for the rest separately.
        """
        codes, logits = self.calibration.codes, self.centre_logits
        residuals = np.empty(logits.shape)
        k = logits.shape[1]
        for l in (1,) if k == 2 else range(k):
            draws = self.draws(l)
            for side in (codes == l, codes != l):
                residuals[side, l] = sharp_residuals(draws[side], logits[side, l])
        if k == 2:
            residuals[:, 0] = -residuals[:, 1]
        return logits + residuals

    @abstractmethod
    def draws(self, column: int) -> Floats:
        """See `Reference.draws`."""

    def everywhere_draws(self, column: int) -> tuple[Floats, ...]:
        """Returns `curve_draws`, because limits at every threshold need several draws."""
        return self.curve_draws(column)

    @cached_property
    def means(self) -> Floats:
        """Posterior means (n_ca, k) at the calibration points.

        They are cached, because they are needed once for each class.
        """
        return self.logits(self.calibration.points, self.class_logits)

    def slope_logits(self, column: int) -> Floats:
        """Posterior means for the class `column`, in place of a single estimate."""
        return self.means[:, column]


class SecondClassifier(Reference):
    """``reference=classifier``: a second classifier, trained on the training part."""

    no_curve = "one estimate does not tell how far from π it may be"
    needs_features = False

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    @property
    def text(self) -> str:
        """The name of the classifier's class."""
        return f"{type(self.estimator).__name__}(...)"

    def _learn(self, training: Labelled, seed: int | None) -> None:
        estimator = clone(seeded(self.estimator, seed))
        self.estimator = estimator.fit(training.points.raw, training.labels)

    def cross_fit(
        self, data: Labelled, scored: ScoredPoints, folds: Folds, seed: int | None
    ) -> Self:
        """Returns a copy trained on all points. Its residuals come from refits."""
        fitted = self.fit(data, data, scored, seed)
        for training, held_out in folds:
            parts = data.rows(training), data.rows(held_out)
            refit = self.fit(*parts, scored.rows(held_out), seed)
            fitted.calibration_logits[held_out] = refit.calibration_logits
        return fitted

    def logits(self, points: Points, class_logits: Floats) -> Floats:
        """See `Reference.logits`."""
        return class_scores(self.estimator, points, self.calibration.classes)[1]

    def no_other_centre(self, center: Any) -> str:
        """Returns why `center` is refused if it is a classifier of the same kind. Otherwise empty.

        If two classifiers of one kind are trained on the same part, they agree, and residuals say
        nothing.
        """
        # If `center` is a name, it is "learned" here, which is a stack of learners.
        kind = StackingClassifier if isinstance(center, str) else kind_of(center)
        if kind is not kind_of(self.estimator):
            return ""
        return f"both are of the kind {kind.__name__}, so that residuals tell nothing"

    def remark(self, estimator: Any) -> Note | None:
        """If both classifiers are of one kind, returns a note: they make the same errors."""
        kind = kind_of(self.estimator)
        if kind is not kind_of(estimator):
            return None
        return Note(
            f"Reference and classifier are both of the kind {kind.__name__}:",
            "where one is wrong so is the other, residuals do not show it, and intervals are too "
            "narrow.",
            "The reference 'learned' pools three kinds.",
        )


class Oracle(Reference):
    """``reference=callable``: the true probabilities, known to the user (Proposition 2.1)."""

    assumption = TRUE_REFERENCE
    curve_assumption = TRUE_REFERENCE
    needs_features = False

    def __init__(self, function: Callable[[Any], ArrayLike]) -> None:
        self.function = function

    @property
    def text(self) -> str:
        """The `repr` of the callable."""
        return repr(self.function)

    def _learn(self, training: Labelled, seed: int | None) -> None:
        """Does nothing, because the probabilities are known."""

    def logits(self, points: Points, class_logits: Floats) -> Floats:
        """See `Reference.logits`."""
        binary = class_logits.shape[1] == 2
        values = numbers_of(self.function(points.raw), "reference(X)", ndim=1 if binary else 2)
        wanted = class_logits.shape[:1] if binary else class_logits.shape
        if values.shape != wanted:
            raise ValueError(f"reference(X): found shape {values.shape}, expected {wanted}")
        logits = logit_of(in_unit_range(values, "reference(X)", "probabilities in [0, 1]"))
        return np.column_stack([-logits, logits]) if binary else logits


def posteriors_of(X: Floats, codes: Ints, others: Labelled) -> ClassPosteriors:
    """Returns posteriors from training points `X` with classes `codes`, and the points `others`."""
    every = np.concatenate([X, others.points.array])
    every_code = np.concatenate([codes, others.codes])
    return ClassPosteriors.of(every, every_code, others.classes.size)
