"""References ``pi~``: estimates of the true probability that residuals are measured against.

One class a reference; `conformal_roc_widget.calibration.named_references` makes it from the
`reference` that the user gave. Until `fit` it holds settings, after it what one split has taught
it. A new reference is a subclass and, if it has a name, an entry there.
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

#: Above this number of features ``"auto"`` is not the paper's kernel.
KERNEL_FEATURES = 5

#: For each fold, the rows that train and the rows that are held out.
Folds = Sequence[tuple[Ints, Ints]]


class Settings(NamedTuple):
    """Parameters of `ConformalROC` that references share."""

    bandwidth: Any = "silverman"
    n_jobs: int | None = None
    progress: bool = False


class ScoredPoints(NamedTuple):
    """Logits of points by class (n, k): the classifier's, and the centres of intervals."""

    logits: Floats
    centres: Floats

    def rows(self, rows: Ints) -> ScoredPoints:
        """Logits and centres of some of the points."""
        return ScoredPoints(self.logits[rows], self.centres[rows])


class OneVsRest(NamedTuple):
    """Calibration points of a split, with one class against the rest.

    Numbers of their features (n, d), whether they are of the class, the classifier's logits, the
    centres of intervals, their residuals, and the reference's logits for the slope diagnostic (each
    of shape (n,)); how many scores, and how many points' references, are exactly 0 or 1.
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
    """An estimate ``pi~`` of the true probability: settings, and after `fit` one split's estimate.

    Attributes
    ----------
    assumption : Phrase
        What the promise of individual intervals rests on.
    curve_assumption : Phrase
        What the promise of a band for the curve rests on.
    no_curve, no_simultaneous, no_ideal_curve, no_centre : str
        Why it cannot serve ``guarantee="curve"``, ``"simultaneous"``, the ideal model's curve, or
        ``center="kernel"``; empty if it can.
    local_caution : Note or None
        A sentence for evaluations with neighbourhoods.
    noise_advice : str
        A sentence for evaluations where the reference turns out to be noise, or empty.
    needs_features : bool
        Whether it looks at numbers made from the features.
    recalibrates : bool
        Whether it knows the score alone, and so estimates ``P(y = 1 | score)``.
    calibration : Labelled
        Calibration points, once fitted.
    class_logits, centre_logits, calibration_logits : ndarray of shape (n_ca, k)
        ``L_p``, what intervals are centred on, and ``L_pi~`` there, one-vs-rest: residuals are the
        difference of the last two.
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
        """The user's `reference`, for error messages."""

    def bandwidth_size(self, n_features: int) -> int:
        """How many bandwidths are expected, if the user gives one for each feature."""
        return n_features

    def no_everywhere(self, columns: Columns) -> str:
        """Why it cannot serve ``guarantee="everywhere"`` on such a table; empty if it can."""
        return ""

    def no_other_centre(self, center: Any) -> str:
        """Why intervals cannot be centred on such a model; empty if they can."""
        return "it knows the score alone, as its target does" if self.recalibrates else ""

    def everywhere_remark(self, n_calibration: int) -> Note | None:
        """A note for ``guarantee="everywhere"``.

        `n_calibration` is the number of points of the smaller label.
        """
        return None

    def for_points(self, n: int, seed: int | None) -> tuple[Self, Ints | None]:
        """The reference for n calibration points, and the rows that it uses of them (None: all)."""
        return self, None

    def fit(
        self, training: Labelled, calibration: Labelled, scored: ScoredPoints, seed: int | None
    ) -> Self:
        """A fitted copy; the calibration points are scored by the classifier and the centre."""
        fitted = copy.copy(self)
        fitted.calibration = calibration
        fitted.class_logits, fitted.centre_logits = scored
        fitted._learn(training, seed)
        fitted.calibration_logits = fitted._at_calibration()
        return fitted

    def cross_fit(
        self, data: Labelled, scored: ScoredPoints, folds: Folds, seed: int | None
    ) -> Self:
        """A fitted copy for `calibration="cross"`: every point calibrates, scored out of fold."""
        nobody = data.rows(np.empty(0, dtype=np.intp))
        return self.fit(nobody, data, scored, seed)

    @abstractmethod
    def _learn(self, training: Labelled, seed: int | None) -> None:
        """Fits the estimate; `calibration` and `class_logits` are set already."""

    @abstractmethod
    def logits(self, points: Points, class_logits: Floats) -> Floats:
        """``L_pi~`` at new points (n, k), one-vs-rest, given the classifier's logits there."""

    def _at_calibration(self) -> Floats:
        return self.logits(self.calibration.points, self.class_logits)

    def one_vs_rest(self, column: int) -> OneVsRest:
        """The calibration points with one class against the rest."""
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
        """``L_pi~`` of one class at the calibration points, for the slope diagnostic."""
        return self.calibration_logits[:, column]

    def draws(self, column: int) -> Floats:
        """Candidates (n_ca, n_draws) for ``logit pi`` of one class: by default the one estimate."""
        return self.calibration_logits[:, [column]]

    def ideal_draws(self, column: int) -> tuple[Floats, Ints]:
        """Draws of posteriors at labelled points, and which of those that calibrate come first."""
        raise NotImplementedError(self.no_ideal_curve)

    def curve_draws(self, column: int) -> tuple[Floats, ...]:
        """Sets of `draws`; a band for the curve has to hold for each set."""
        return (self.draws(column),)

    def everywhere_draws(self, column: int) -> tuple[Floats, ...]:
        """Sets of candidates (n_ca, n_draws); the band at every threshold has to hold for each."""
        return (self.calibration_logits[:, [column]],)

    def remark(self, estimator: Any) -> Note | None:
        """A sentence that a user of the fitted `estimator` should read."""
        return None

    def feature_kernel(self, training: Labelled) -> KernelReference:
        """The kernel over the training features that the diagnostics of support look at."""
        return fit_kernel(training.points.array, training.codes)


class Kernel(Reference):
    """``reference="kernel"``: eq. tilde_pi on the training part."""

    text = "'kernel'"
    noise_advice = (
        "The reference 'learned' is made for many features, if π can be learned from them."
    )
    kernel: KernelReference
    training: tuple[Floats, Ints]

    def __init__(self, settings: Settings) -> None:
        self.bandwidth = settings.bandwidth

    def no_everywhere(self, columns: Columns) -> str:
        """See `Reference.no_everywhere`; of many features it held in a third of our data sets."""
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
        """The kernel over all points, each left out of its own estimate."""
        fitted = self.fit(data, data, scored, seed)
        fitted.calibration_logits = fitted.kernel.logits(people=data.stands_for.people)
        # Posteriors use training and calibration points, which are the same here.
        fitted.training = data.points.array[:0], data.codes[:0]
        return fitted

    def logits(self, points: Points, class_logits: Floats) -> Floats:
        """See `Reference.logits`."""
        return self.kernel.logits(points.array)

    @cached_property
    def posteriors(self) -> ClassPosteriors:
        """Posteriors from the same points, for the curve's band.

        The kernel's own noise would widen it.
        """
        return posteriors_of(*self.training, self.calibration)

    def draws(self, column: int) -> Floats:
        """Draws of `posteriors`."""
        return self.posteriors.draws(self.calibration.points.array, column)

    def feature_kernel(self, training: Labelled) -> KernelReference:
        """The kernel that is the estimate itself."""
        return self.kernel


class Score(Reference):
    """``reference="score"``: one kernel a class on ``L_p``, over the calibration part."""

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
        """One: the score is the only feature."""
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
        """Logits of the kernels at the calibration points, each left out of its own estimate."""
        people = self.calibration.stands_for.people
        return np.column_stack([kernel.logits(people=people)[:, 1] for kernel in self.kernels])

    def slope_logits(self, column: int) -> Floats:
        """See `Reference.slope_logits`; NaN for scores that have no logit of their own."""
        clipped = is_clipped(self.class_logits[:, column])
        return np.where(clipped, np.nan, self.calibration_logits[:, column])


class FromDraws(Reference):
    """A posterior: residuals are spread as its draws are; see `sharp_residuals`."""

    no_ideal_curve = ""
    no_centre = "a posterior is no single estimate to centre on"

    def _at_calibration(self) -> Floats:
        """For each class, residuals of its own points and of the rest; see `sharp_residuals`."""
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
        """All draws together, since limits at every threshold need more than one draw a point."""
        return self.curve_draws(column)

    def slope_logits(self, column: int) -> Floats:
        """Posterior means, which are the estimate."""
        return self.logits(self.calibration.points, self.class_logits)[:, column]


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
        """A copy trained on all points.

        Its residuals are those of refits, as the classifier's are.
        """
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
        """Why not a centre of the same kind.

        Trained on one part, both agree, and residuals tell nothing.
        """
        # A centre given by name is the learned one: a stack of learners.
        kind = StackingClassifier if isinstance(center, str) else kind_of(center)
        if kind is not kind_of(self.estimator):
            return ""
        return f"both are of the kind {kind.__name__}, so that residuals tell nothing"

    def remark(self, estimator: Any) -> Note | None:
        """A note, if both classifiers are of one kind and so err together."""
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
    """``reference=callable``: the true probabilities (Proposition 2.1)."""

    assumption = TRUE_REFERENCE
    curve_assumption = TRUE_REFERENCE
    needs_features = False

    def __init__(self, function: Callable[[Any], ArrayLike]) -> None:
        self.function = function

    @property
    def text(self) -> str:
        """The callable's own text."""
        return repr(self.function)

    def _learn(self, training: Labelled, seed: int | None) -> None:
        """Nothing is to be learned."""

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
    """The posteriors from all labelled points."""
    every = np.concatenate([X, others.points.array])
    every_code = np.concatenate([codes, others.codes])
    return ClassPosteriors.of(every, every_code, others.classes.size)
