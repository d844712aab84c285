"""The distance below which logits are equal."""

import math
from pathlib import Path

import numpy as np
from scipy.special import logit

from conformal_roc_widget.evaluation.sorted_sample import Limits, SortedSample
from conformal_roc_widget.logits import TIE

PAGE = Path(__file__).parents[1] / "js/src/base/ties.ts"


def test_a_tie_is_above_rounding_and_below_the_eighth_decimal_of_a_score():
    for score in (0.5, 0.999, 1 - 1e-6):
        assert 0 < logit(math.nextafter(score, 2)) - logit(score) < TIE
    scores = np.array([0.1, 0.5, 0.9])
    assert (logit(scores + 1e-8) - logit(scores) > TIE).all()


def test_logits_farther_apart_than_a_tie_are_told_apart():
    limits = Limits(SortedSample(np.array([0.0, 1.0])))
    assert limits.count_above(np.array([0.0, -TIE / 2, -2 * TIE])).tolist() == [1, 1, 2]


def test_the_page_has_the_same_tie():
    assert f"TIE = 2 ** {int(math.log2(TIE))};" in PAGE.read_text()
