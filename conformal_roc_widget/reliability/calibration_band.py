"""Makes a band for the calibration curve at every score at once, for every sample size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import (
    Floats,
    Ints,
    any_scores_of,
    frame_of,
    labels_of,
    numbers_of,
    positives_of,
    same_length,
)
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.promise import FOR_SCORES, Promise, PromisedArrays
from conformal_roc_widget.text import counted, threshold_text

from .score_runs import ScoreRuns

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class CalibrationBand(PromisedArrays):
    """Bounds of ``P(y = 1 | score)``.

    Each array has one value for each distinct score, and is read-only.

    Attributes
    ----------
    score : ndarray of shape (m,)
        Distinct scores in ascending order.
    lower, upper : ndarray of shape (m,)
        Bounds of the probability at these scores. Neither falls as the score rises.
    alpha : float
        Significance level, for all bounds together.
    points, positives : ndarray of shape (m,)
        Numbers of points, and of points with the positive label, at each score.
    ends : ndarray of shape (m,)
        Last score of each entry. It equals `score`, unless neighbouring scores of a table were
        joined. The lower bound holds from `ends` on, and the upper bound up to `score`.
    refuted : bool
        Whether a lower bound exceeds an upper bound. If so, the labels at this level contradict the
        assumption that the probability never falls as the score rises, and the band guarantees
        nothing.
    notes : tuple of str
        Sentences on the band for users.
    promise : Promise
        What is guaranteed for all bounds together. `target`, `scope` and `guarantee` are its words.
    """

    score: Floats
    lower: Floats
    upper: Floats
    alpha: float
    points: Ints
    positives: Ints
    notes: tuple[str, ...]
    promise: Promise
    ends: Floats
    _groups: ScoreRuns
    #: Shows a band in a notebook. This folder may not import charts, so the package sets this
    #: function on import.
    mimebundle: ClassVar[Callable[[CalibrationBand], Any] | None] = None

    @property
    def refuted(self) -> bool:
        """Whether a lower bound exceeds an upper one."""
        return bool((self.lower > self.upper).any())

    def at(self, scores: ArrayLike) -> tuple[Floats, Floats]:
        """Returns the bounds at other scores.

        Between two scores, the lower bound at the lower score and the upper bound at the higher
        score hold. Below all scores the lower bound is 0, and above all scores the upper bound is
        1.

        Parameters
        ----------
        scores : array_like of shape (k,)
            Finite numbers, in any order.

        Returns
        -------
        lower, upper : ndarray of shape (k,)
            Bounds of the probability.

        Raises
        ------
        TypeError, ValueError
            If the scores are not finite numbers.
        """
        wanted = numbers_of(scores, "scores", ndim=1)
        below = np.searchsorted(self.ends, wanted, side="right")
        above = np.searchsorted(self.score, wanted, side="left")
        return np.append(0.0, self.lower)[below], np.append(self.upper, 1.0)[above]

    @property
    def isotonic(self) -> Floats:
        """Isotonic regression of the labels on the score, at each distinct score (m,)."""
        return self._groups.isotonic

    def to_frame(self) -> pd.DataFrame:
        """Returns the band as a table, with one row for each distinct score.

        Returns
        -------
        pandas.DataFrame
            Columns ``score``, ``lower``, ``upper``, ``isotonic``, ``points``, ``positives``, and
            also ``ends`` if they differ from `score`; ``attrs`` holds ``alpha``, ``target``,
            ``scope`` and ``guarantee``.
        """
        names = ["score", "lower", "upper", "isotonic", "points", "positives"]
        if not np.array_equal(self.score, self.ends):
            names.append("ends")
        return frame_of(self, names, ("alpha", "target", "scope", "guarantee"))

    def __repr__(self) -> str:
        """Returns a short text with the lengths of the arrays instead of their values."""
        refuted = ", refuted" if self.refuted else ""
        return (
            f"CalibrationBand(alpha={self.alpha:g}, {counted(int(self.points.sum()), 'point')} at "
            f"{counted(self.score.size, 'score')}{refuted})"
        )

    def _repr_mimebundle_(self, **_: Any) -> Any:
        """Returns the reliability diagram, which a notebook shows at the end of a cell."""
        show = type(self).mimebundle
        return None if show is None else show(self)


def calibration_band(
    y: ArrayLike, score: ArrayLike, alpha: float = 0.05, *, pos_label: Any = None
) -> CalibrationBand:
    """Bounds ``P(y = 1 | score)`` at every score at once, for every sample size.

    If a higher score never means a lower probability, the bounds contain the probability at every
    score, with probability at least ``1 - alpha``, for any number of points and any distribution of
    the scores. Neither a reference nor a large sample is needed. The paper has no such band. Runs
    of neighbouring scores are chosen without the labels. They have exact binomial limits at levels
    that sum to `alpha`. The probability is monotone, so each lower limit holds at all higher scores
    too, and each upper limit at all lower scores (Yang and Barber 2019; Dimitriadis, Duembgen,
    Henzi, Puke and Ziegel 2023, who use all runs). Only equal scores are grouped.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of at most two classes. They must be independent given the scores, and the classifier
        must not have been trained on these points.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive label. For a reliability diagram they should be
        probabilities.
    alpha : float
        Significance level in (0, 1), for all bounds together.
    pos_label : label, optional
        The positive label. By default the second of two in sorted order. If the only label that
        occurs is -1, 0 or 1, the positive label is 1.

    Returns
    -------
    CalibrationBand
        The band. Each array has one value for each distinct score.

    Raises
    ------
    TypeError, ValueError
        If there are labels of more than two classes, if only one label occurs and it may be the
        negative one, if the scores are not as many finite numbers, or if `alpha` is not a number in
        (0, 1).
    """
    exact_alpha(alpha)
    labels = labels_of(y, "y")
    scores = any_scores_of(score, "score")
    same_length(y=labels, score=scores)
    runs = ScoreRuns.of(scores, positives_of(labels, "y", pos_label))
    return band_of_runs(runs, alpha)


def band_of_runs(runs: ScoreRuns, alpha: float) -> CalibrationBand:
    """Computes the band for points whose scores are already sorted and grouped."""
    lower, upper = runs.limits(alpha)
    return CalibrationBand(
        score=runs.scores,
        ends=runs.ends,
        lower=lower,
        upper=upper,
        alpha=float(alpha),
        points=runs.points,
        positives=runs.positives,
        notes=(*refuted_order(runs.scores, lower, upper, float(alpha)), *_one_label(runs)),
        promise=FOR_SCORES.at(alpha),
        _groups=runs,
    )


def refuted_order(scores: Floats, lower: Floats, upper: Floats, alpha: float) -> list[str]:
    """If a lower bound exceeds an upper bound, returns a note on that."""
    crossing = scores[lower > upper]
    if not crossing.size:
        return []
    ends = dict.fromkeys(threshold_text(float(end)) for end in (crossing[0], crossing[-1]))
    sentence = (
        f"At scores {' to '.join(ends)} the lower bound exceeds the upper one: at α = {alpha:g} "
        "the labels refute that a higher score never means a lower probability, and without that "
        "the band promises nothing."
    )
    return [sentence]


def _one_label(runs: ScoreRuns) -> list[str]:
    """If all labels are equal, returns a note on that."""
    positives, points = int(runs.positives.sum()), int(runs.points.sum())
    if 0 < positives < points:
        return []
    name, side, end = ("positive", "upper", 1) if positives else ("negative", "lower", 0)
    subject = "The one label is" if points == 1 else f"All {points} labels are"
    return [f"{subject} {name}: the {side} bound is {end} at every score."]
