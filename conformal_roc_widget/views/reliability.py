"""Probability of the positive class over the score, with the calibration band."""

from __future__ import annotations

import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.reliability.calibration_band import CalibrationBand
from conformal_roc_widget.scene import Axis, Line, Mark, Pen, Points
from conformal_roc_widget.views import parts
from conformal_roc_widget.views.view import Moment, Words
from conformal_roc_widget.words import words

#: Number of bins of the test points along the score.
BINS = 40
#: Height of the largest bin, in lengths of the upright axis.
TALLEST = 0.06
COUNTS = Pen("axis", 2)
DIAGONAL = parts.baseline(Points.of([0, 1], [0, 1]), words("key.probability_is_score"))


class ReliabilityView:
    """Bounds of the probability at every score, and the isotonic regression of the labels."""

    def axes(self, moment: Moment) -> tuple[Axis, Axis]:
        """Score and probability."""
        return Axis(words("axis.score")), Axis(words("axis.share"))

    def marks(self, moment: Moment) -> list[Mark]:
        """Counts of the test points, band, diagonal, threshold, line, point."""
        band = moment.calibration
        at, share, *bounds = _here(moment)
        return [
            Line("counts", words("key.counts"), score_counts(moment.evaluation), COUNTS),
            parts.range_of(words("key.true_share"), *calibration_edges(band)),
            DIAGONAL,
            parts.cut(at),
            parts.curve(isotonic(band)),
            *parts.arm("arm", bounds, at, parts.RANGE_ARM),
            *parts.point(at, share, moment.controls.threshold),
        ]

    def words(self, moment: Moment) -> Words:
        """The probability at the threshold."""
        promise = moment.calibration.promise
        return Words(words("view.reliability"), _answer(moment), promise.words)


def calibration_edges(
    band: CalibrationBand, ends: tuple[float, float] = (0.0, 1.0)
) -> tuple[Points, Points]:
    """Both edges between two scores, at the scores where either steps.

    A lower bound holds from the end of its range on, an upper bound up to the start.
    """
    x = np.unique(np.concatenate([ends, band.score, band.ends]))
    after = np.append(x[1:], ends[1])
    lower = np.append(0.0, band.lower)[np.searchsorted(band.ends, x, side="right")]
    upper = np.append(band.upper, 1.0)[np.searchsorted(band.score, after, side="left")]
    steps = np.append(True, (np.diff(lower) != 0) | (np.diff(upper) != 0))
    steps[-1] = True
    return Points(x[steps], upper[steps], "across"), Points(x[steps], lower[steps], "across")


def isotonic(band: CalibrationBand, *, every: bool = False) -> Points:
    """The isotonic regression of the labels, at the scores where it changes or at every one."""
    shown = np.append(True, np.diff(band.isotonic) != 0) | every
    x, y = np.append(band.score[shown], band.ends[-1]), band.isotonic[shown]
    return Points(x, np.append(y, y[-1]), "across")


def bin_heights(evaluation: RocEvaluation) -> Floats:
    """Heights of the bins: how many test points each has; a score of 1 is in the last."""
    above = sum(scores.at_least(np.arange(BINS) / BINS) for scores in evaluation.sorted_scores)
    counts = -np.diff(np.append(above, 0))
    return np.asarray(counts * TALLEST / counts.max())


def score_counts(evaluation: RocEvaluation) -> Points:
    """Outline of the bins."""
    heights = np.concatenate([[0.0], bin_heights(evaluation), [0.0]])
    return Points(np.append(np.arange(BINS + 1) / BINS, 1.0), heights, "up")


def _here(moment: Moment) -> tuple[float, ...]:
    """Score and its probability, with its bounds."""
    band = moment.calibration
    at = min(max(moment.controls.threshold, 0.0), 1.0)
    group = max(int(np.searchsorted(band.score, at, side="right")) - 1, 0)
    return at, float(band.isotonic[group]), *parts.firsts(*band.at([at]))


def _answer(moment: Moment) -> str:
    score, (_, share, lower, upper) = moment.controls.threshold, _here(moment)
    found = words(
        "answer.share",
        **moment.given,
        name=moment.positive,
        score=score,
        share=share,
        lower=lower,
        upper=upper,
    )
    refuted = moment.calibration.refuted
    promise_text = words("answer.refuted" if refuted else "answer.every_score")
    return f"{found} {promise_text}{moment.no_risks}"
