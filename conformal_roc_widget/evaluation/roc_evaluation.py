"""A test set with its calibration residuals: the public face of Algorithms 1 to 3."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.checks import one_of
from conformal_roc_widget.evaluation.at_alpha import AtAlpha
from conformal_roc_widget.evaluation.band import (
    AucRange,
    ConformalBand,
    OperatingPoint,
    PointIntervals,
)
from conformal_roc_widget.evaluation.calibrated_curve import CalibratedCurve
from conformal_roc_widget.evaluation.calibrated_test_set import CalibratedTestSet
from conformal_roc_widget.evaluation.decisions import Decisions
from conformal_roc_widget.evaluation.everywhere import PROMISE as EVERYWHERE
from conformal_roc_widget.evaluation.everywhere import EverywhereAtAlpha, EverywhereCurve
from conformal_roc_widget.evaluation.folds import Folds, folds_of
from conformal_roc_widget.evaluation.notes import (
    USUAL_ALPHA,
    below_chance,
    few_residuals,
    poor_support,
    summarized_table,
)
from conformal_roc_widget.evaluation.observed_curve import ObservedCurve, Vertices
from conformal_roc_widget.evaluation.recalibrated import RecalibratedCurve, SimultaneousAtAlpha
from conformal_roc_widget.evaluation.sorted_sample import SortedSample
from conformal_roc_widget.evaluation.support import (
    POINTS_TO_NOTE,
    Support,
    support_of,
)
from conformal_roc_widget.evaluation.targets import for_rates
from conformal_roc_widget.evaluation.youden import YoudenRange
from conformal_roc_widget.text import with_class_names

#: Kind of promise -> what gives its limits at one alpha; `AtAlpha` serves all others.
AT_ALPHA: dict[str, type[AtAlpha]] = {
    "simultaneous": SimultaneousAtAlpha,
    "everywhere": EverywhereAtAlpha,
}
#: Data and metadata by mime type.
MimeBundle = tuple[dict[str, Any], dict[str, Any]]


@dataclass(frozen=True, eq=False)
class RocEvaluation(CalibratedTestSet, Decisions):
    """Scores of a classifier on a test set, with the residuals of a calibration set.

    It knows no alpha: everything is sorted on first use, after which a new alpha costs look-ups and
    a shift; `at` gives everything at one alpha. Made by `ConformalROC.evaluate`,
    `RocEvaluation.from_predictions` or, for test sets beyond memory, `RocEvaluation.from_table`.

    Attributes
    ----------
    scores : ndarray of shape (n_test,)
        Scores in the order of the test set, probabilities of the positive class.
    labels : ndarray of shape (n_test,)
        1 for the positive class, 0 for the other.
    classes : tuple of two
        What labels 0 and 1 are called in the data.
    residuals : dict of int to ndarray
        Label -> calibration residuals behind the band, ascending: ``logit pi~ - logit p``, or for
        ``guarantee="curve"`` differences between the two sorted lists of logits.
    quantile_rule : str
        Which pair of order statistics; see `conformal_quantiles`.
    guarantee : {"individual", "curve", "simultaneous", "everywhere"}
        What the limits of `band`, `operating_point`, `auc` and `youden` are calibrated for: the
        probability of each point, the curve at a random threshold, or, at every threshold at once,
        an ideal recalibration of the score or the ideal model. `intervals` are for each point, and
        with ``"simultaneous"`` for all of them together. See `with_guarantee`.
    promise : Promise
        Of `band` and `operating_point` at any alpha: its guarantee has ``{confidence}`` in the
        place of the number.
    counts : ndarray of shape (n_test,) or None
        How many test points each score stands for, where the test set is a summary made by
        `from_table`; None where each stands for itself.
    """

    #: How a notebook shows an evaluation: set by the package, since widgets lie above this folder.
    mimebundle: ClassVar[Callable[[RocEvaluation], MimeBundle | None] | None] = None

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        pos_label: Any = None,
    ) -> Folds:
        """One evaluation a fold of a cross-validation.

        The band of a fold is that of `from_predictions`, calibrated by the out-of-fold scores of
        all other folds.

        Parameters
        ----------
        cv_results : dict
            What `sklearn.model_selection.cross_validate` gives with ``return_estimator=True`` and
            ``return_indices=True``.
        X, y : array_like of shape (n, d) and (n,)
            Data that it was given.
        sample_weight : array_like of shape (n,), optional
            Weights of the rows, as test rows and as calibration rows.
        groups : array_like of shape (n,), optional
            Whom each row belongs to; nobody may train and test in one fold.
        pos_label : label, optional
            The positive class; by default the second in sorted order.

        Returns
        -------
        Folds
            Fold -> RocEvaluation, with the pooled curve and the mean area.

        Raises
        ------
        TypeError, ValueError
            If `cv_results` lacks classifiers or indices, a row is in two test folds, a fold has one
            class only, or somebody is on both sides of a fold.
        """
        return folds_of(cls.from_predictions, cv_results, X, y, sample_weight, groups, pos_label)

    @property
    def n_thresholds(self) -> int:
        """Number of vertices of the observed curve."""
        return int(self._curve.curve.steps[0].size)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Plain sentences that a user should read."""
        if self._runs is not None:
            first = self.at(USUAL_ALPHA).notes
        elif self.guarantee == "everywhere":
            first = tuple(filter(None, self.at(USUAL_ALPHA).vacuous.values()))
        else:
            first = few_residuals(
                self.n_calibration, self._groups, self._neighbour_noun, self.quantile_rule
            )
        notes = (*first, *self.lasting_notes)
        if self.classes == (0, 1):
            return notes
        return tuple(with_class_names(note, self.classes) for note in notes)

    @property
    def lasting_notes(self) -> tuple[str, ...]:
        """Those of the `notes` that hold at every alpha, about labels 0 and 1.

        A band says itself where it is vacuous.
        """
        summary = self._summary
        table = () if summary is None else (summarized_table(sum(summary.n), summary.error),)
        table = (*below_chance(self.observed_auc, self.classes), *table)
        if self._runs is not None:  # which lean on no reference
            return table
        support = poor_support(*self.display_support, self._noise_advice)
        everywhere = self.guarantee == "everywhere" and self._everywhere_remark
        own = (everywhere,) if everywhere else ()
        return (*own, *self._remarks, *table, *support, *self._reference_remarks)

    @property
    def no_everywhere(self) -> str:
        """Why there is no ``guarantee="everywhere"``, as an error says it; empty where there is."""
        return self._enclosing if isinstance(self._enclosing, str) else ""

    def with_guarantee(self, guarantee: str) -> RocEvaluation:
        """The same evaluation under another guarantee, for which nothing is fitted anew.

        Parameters
        ----------
        guarantee : {"individual", "everywhere"}
            For one threshold drawn at random, or for every threshold at once.

        Returns
        -------
        RocEvaluation
            Itself where it has that guarantee already.

        Raises
        ------
        TypeError, ValueError
            If it is neither, or the evaluation cannot give it.
        """
        if guarantee == self.guarantee:
            return self
        one_of(guarantee, "guarantee", ("individual", "everywhere"))
        if self.no_everywhere:
            raise ValueError(self.no_everywhere)
        if self.guarantee not in ("individual", "everywhere"):
            raise ValueError(
                f"guarantee: found {guarantee!r} for limits made for {self.guarantee!r}, expected "
                "to be asked of ConformalROC.evaluate"
            )
        points = self._point_promise.guarantee
        promise = EVERYWHERE if guarantee == "everywhere" else for_rates("individual", points)
        return replace(self, guarantee=guarantee, promise=promise)

    @cached_property
    def display_support(self) -> tuple[Support, bool]:
        """`support`, and whether it is read from some of the test points, as for large sets."""
        if self._summary is not None or self.scores.size <= POINTS_TO_NOTE:
            return self.support, self._summary is not None
        most = POINTS_TO_NOTE // len(self._support_parts) + 1
        parts = [part.thinned(most) for part in self._support_parts]
        shift = np.cumsum([0, *(len(part.test) for part in parts)]).tolist()
        numbered = [
            replace(part, rows=slice(start, stop))
            for part, (start, stop) in zip(parts, itertools.pairwise(shift), strict=True)
        ]
        return support_of(numbered, shift[-1]), True

    @cached_property
    def support(self) -> Support:
        """Diagnostics of assumptions (A3) and (A4), computed on first use.

        After `from_table`, over test scores at evenly spaced ranks instead of all.
        """
        return support_of(self._support_parts, sum(len(part.test) for part in self._support_parts))

    def at(self, alpha: float) -> AtAlpha:
        """Everything at one significance level: limits, areas and intervals that share their parts.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        AtAlpha
            The same object as before where alpha is that of the last call.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1).
        """
        latest: AtAlpha | None = self.__dict__.get("_latest")
        if latest is None or not latest.is_at(alpha):
            latest = self.__dict__["_latest"] = self._kind.of(self._curve, alpha)
        return latest

    def band(self, alpha: float = 0.05, thresholds: ArrayLike | None = None) -> ConformalBand:
        """ROC curve with conformal limits (Algorithm 1 or 2, last step).

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).
        thresholds : array_like of shape (m,), optional
            Where to evaluate; sorted descending, duplicates kept. By default the thresholds of
            ``sklearn.metrics.roc_curve(drop_intermediate=False)``.

        Returns
        -------
        ConformalBand
            One entry a threshold.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1), or a threshold is NaN or not a number.
        """
        return self.at(alpha).band(thresholds)

    def intervals(self, alpha: float = 0.05) -> PointIntervals:
        """Interval of every test point for its true probability, given its label.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        lower, upper : ndarray of shape (n_test,)
            Probabilities ``b_lo`` and ``b_up``; see `AtAlpha.intervals`.
        """
        return self.at(alpha).intervals()

    def operating_point(self, threshold: float, alpha: float = 0.05) -> OperatingPoint:
        """Counts, rates and their limits at one threshold.

        Parameters
        ----------
        threshold : float
            Scores of at least this are called positive.
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        OperatingPoint
            The point.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1), or the threshold is NaN or not a number.
        """
        return self.at(alpha).operating_point(threshold)

    def auc(self, alpha: float = 0.05) -> AucRange:
        """Area under the observed curve, and the range that the intervals allow.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        auc, lower, upper : float
            Observed area, and the range, which is no confidence interval; see `AtAlpha.auc`.
        """
        return self.at(alpha).auc()

    def youden(self, alpha: float = 0.05) -> YoudenRange:
        """Youden's index of the observed curve, and the range that the intervals allow.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        youden, lower, upper, threshold : float
            Observed index, the range, and the largest threshold that has the index; see
            `AtAlpha.youden`.
        """
        return self.at(alpha).youden()

    @property
    def observed_auc(self) -> float:
        """Area under the observed curve, ties half."""
        return self._curve.curve.auc

    @property
    def display_vertices(self) -> Vertices:
        """Those vertices of the observed curve that a screen can show."""
        return self._curve.curve.screen_vertices

    @property
    def _kind(self) -> type[AtAlpha]:
        return AT_ALPHA.get(self.promise.kind, AtAlpha)

    @property
    def pooled(self) -> bool:
        """Whether ranks of the residuals serve all test points of a label."""
        return self._curve.pooled and not self._curve.weighted

    @property
    def recalibration(self) -> RecalibratedCurve | None:
        """Parts of a simultaneous guarantee's limits; None under another guarantee."""
        return self._curve if isinstance(self._curve, RecalibratedCurve) else None

    @property
    def sorted_scores(self) -> tuple[SortedSample, SortedSample]:
        """Scores by label, ascending."""
        return self._curve.curve.sorted_scores

    @property
    def sorted_centres(self) -> tuple[SortedSample, SortedSample] | None:
        """Centres of the intervals by label, ascending; None where each has quantiles of its own.

        Where the evaluation is `pooled`, an interval's ends are its centre plus the quantiles.
        """
        return self._curve.sorted_centres if self.pooled else None

    @property
    def _centre_logits(self) -> Floats:
        """Centres of the intervals in the order of the test set."""
        return self._curve.centre_logits

    @cached_property
    def _curve(self) -> CalibratedCurve:
        """The test set and its residuals, sorted once."""
        curve = ObservedCurve(
            self.scores, self.labels, self._sizes, self.counts, self._score_logits, self._unit
        )
        kind: Callable[..., CalibratedCurve] = CalibratedCurve
        if self._runs is not None:
            kind = partial(RecalibratedCurve, runs=self._runs)
        elif self.guarantee == "everywhere" and not isinstance(self._enclosing, str):
            kind = partial(EverywhereCurve, enclosing=self._enclosing())
        return kind(
            curve=curve,
            groups=self._groups,
            individual=self._groups if self._individual is None else self._individual,
            n_calibration=self.n_calibration,
            rule=self.quantile_rule,
            promise=self.promise,
            point_promise=self._point_promise,
            neighbour_noun=self._neighbour_noun,
            centres=self._centres,
        )

    def __repr__(self) -> str:
        """Short text that does not change between runs."""
        sizes = ", ".join(
            f"{name!s}: {self.n_calibration[k]} calibration and {self.n_test[k]} test points"
            for k, name in enumerate(self.classes)
        )
        return f"RocEvaluation({sizes})"

    def _repr_mimebundle_(self, **_: Any) -> MimeBundle | None:
        """The widget, a picture and a text, at the end of a notebook's cell."""
        show = type(self).mimebundle
        return None if show is None else show(self)
