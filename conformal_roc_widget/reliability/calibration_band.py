"""A band for the calibration curve that holds for every sample size, at every score at once."""

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
    """Bounds of ``P(y = 1 | score)``, one entry a distinct score.

    Arrays are read-only.

    Attributes
    ----------
    score : ndarray of shape (m,)
        Distinct scores, ascending.
    lower, upper : ndarray of shape (m,)
        Bounds of the probability at these scores, neither of which falls as the score rises.
    alpha : float
        Significance level of all bounds together.
    points, positives : ndarray of shape (m,)
        Points, and points of the positive label, at each score.
    ends : ndarray of shape (m,)
        `score`, or where neighbouring scores of a table are one entry the last of them: the lower
        bound holds from there on, the upper bound up to `score`.
    refuted : bool
        Whether a lower bound exceeds an upper one: at this level no probability that never falls
        as the score rises is compatible with the labels, and the band promises nothing.
    notes : tuple of str
        Plain sentences that a user should read.
    promise : Promise
        Of all bounds together; `target`, `scope` and `guarantee` are its words.
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
    #: Shows a band in a notebook; the package sets it, since charts lie above this folder.
    mimebundle: ClassVar[Callable[[CalibrationBand], Any] | None] = None

    @property
    def refuted(self) -> bool:
        """Whether a lower bound exceeds an upper one."""
        return bool((self.lower > self.upper).any())

    def at(self, scores: ArrayLike) -> tuple[Floats, Floats]:
        """Bounds at other scores.

        Between two scores the lower bound of the one below and the upper bound of the one above
        hold; below all scores the lower bound is 0, above all scores the upper bound is 1.

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
        """Isotonic regression of the labels on the score, of shape (m,)."""
        return self._groups.isotonic

    def to_frame(self) -> pd.DataFrame:
        """Band as a table, one row a distinct score.

        Returns
        -------
        pandas.DataFrame
            Columns ``score``, ``lower``, ``upper``, ``isotonic``, ``points``, ``positives``, and
            ``ends`` where these are not `score`; ``attrs`` holds ``alpha``, ``target``, ``scope``
            and ``guarantee``.
        """
        names = ["score", "lower", "upper", "isotonic", "points", "positives"]
        if not np.array_equal(self.score, self.ends):
            names.append("ends")
        return frame_of(self, names, ("alpha", "target", "scope", "guarantee"))

    def __repr__(self) -> str:
        """Short text: the arrays' length rather than their values."""
        refuted = ", refuted" if self.refuted else ""
        return (
            f"CalibrationBand(alpha={self.alpha:g}, {counted(int(self.points.sum()), 'point')} at "
            f"{counted(self.score.size, 'score')}{refuted})"
        )

    def _repr_mimebundle_(self, **_: Any) -> Any:
        """The reliability diagram, at the end of a notebook's cell."""
        show = type(self).mimebundle
        return None if show is None else show(self)


def calibration_band(
    y: ArrayLike, score: ArrayLike, alpha: float = 0.05, *, pos_label: Any = None
) -> CalibrationBand:
    """Bounds of ``P(y = 1 | score)`` at every score at once, for every sample size.

    If a higher score never means a lower probability, the bounds hold that probability at every
    score with probability at least ``1 - alpha``, however few the points are and whatever the law
    of the scores is. This is the one promise of the package that needs neither a reference nor a
    large sample; the paper has no counterpart. Runs of neighbouring scores, chosen without a look
    at the labels, have exact binomial limits at levels that sum to `alpha`, and a monotone
    probability hands each limit on to all higher or lower scores (Yang and Barber 2019;
    Dimitriadis, Duembgen, Henzi, Puke and Ziegel 2023, there with all runs). Nothing but equal
    scores is grouped, at any sample size.

    Parameters
    ----------
    y : array_like of shape (n,)
        Labels of at most two classes, independent given the scores. The classifier must not have
        been trained on these points.
    score : array_like of shape (n,)
        Finite numbers, higher for the positive label; for a reliability diagram probabilities.
    alpha : float
        Significance level in (0, 1), of all bounds together.
    pos_label : label, optional
        The positive label. By default the second of two in sorted order, and 1 where only one of
        -1, 0 and 1 occurs.

    Returns
    -------
    CalibrationBand
        One entry a distinct score.

    Raises
    ------
    TypeError, ValueError
        If the labels are of more than two classes, or of a single one that could be either; if
        the scores are not as many finite numbers; if `alpha` is not a number in (0, 1).
    """
    exact_alpha(alpha)
    labels = labels_of(y, "y")
    scores = any_scores_of(score, "score")
    same_length(y=labels, score=scores)
    runs = ScoreRuns.of(scores, positives_of(labels, "y", pos_label))
    return band_of_runs(runs, alpha)


def band_of_runs(runs: ScoreRuns, alpha: float) -> CalibrationBand:
    """Band of points whose scores are sorted already."""
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
    """A sentence if a lower bound exceeds an upper one; else none."""
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
    """A sentence if all labels are the same; else none."""
    positives, points = int(runs.positives.sum()), int(runs.points.sum())
    if 0 < positives < points:
        return []
    name, side, end = ("positive", "upper", 1) if positives else ("negative", "lower", 0)
    subject = "The one label is" if points == 1 else f"All {points} labels are"
    return [f"{subject} {name}: the {side} bound is {end} at every score."]
