"""Bounds of an ideal recalibration on the wire: whole, or thinned where bytes are short."""

import numpy as np
import pytest
from data import counts_of, scored
from scipy.special import expit

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.evaluation.recalibrated import runs_of_logits
from conformal_roc_widget.logits import logit_of
from conformal_roc_widget.wire.recalibration import (
    DRAWN_GROUPS,
    SENT_SCORES,
    recalibration_arrays,
)


def curve_of(rng, n=300, decimals=None):
    calibration, test = scored(rng, n, decimals), scored(rng, 40, decimals)
    evaluation = RocEvaluation.from_predictions(*calibration, *test, guarantee="simultaneous")
    return evaluation._curve, calibration, test


def singles(message):
    return np.frombuffer(message, "<f4")


@pytest.mark.parametrize("decimals", [None, 1])
def test_a_page_gets_the_groups_and_where_test_points_lie_among_them(rng, decimals):
    curve, (y, p), (y_test, p_test) = curve_of(rng, decimals=decimals)
    sent = recalibration_arrays(curve, None)
    groups = np.unique(p)
    assert sent["size"] == groups.size
    np.testing.assert_allclose(singles(sent["first"]), groups, rtol=1e-6, atol=1e-15)
    np.testing.assert_array_equal(
        counts_of(sent["positives"]), [((p <= score) & (y == 1)).sum() for score in groups]
    )
    if decimals is None:
        assert sent["points"] is None, "one point each"
    else:
        np.testing.assert_array_equal(
            counts_of(sent["points"]), [(p <= score).sum() for score in groups]
        )
    for label in (0, 1):
        mine = p_test[y_test == label]
        # At place i: test points with at most, or fewer than, i groups up to their score.
        at_most = [(mine < score).sum() for score in groups] + [mine.size]
        low, up = sent["before"][label]
        np.testing.assert_array_equal(counts_of(low), [0, *at_most])
        below = [0, *((mine <= score).sum() for score in groups), mine.size]
        np.testing.assert_array_equal(counts_of(low if up is None else up), below)


def test_the_shares_ranked_rightly_and_wrongly_are_those_of_all_pairs(rng):
    curve, _, (y, p) = curve_of(rng, decimals=1)
    right = (p[y == 1][:, None] > p[y == 0]).mean()
    wrong = (p[y == 1][:, None] < p[y == 0]).mean()
    assert recalibration_arrays(curve, None)["ranked"] == pytest.approx([right, wrong], abs=1e-15)


def test_short_of_bytes_neighbours_are_joined_and_the_places_stay_with_the_kernel(rng):
    curve, (y, p), _ = curve_of(rng, n=3_000)
    whole = recalibration_arrays(curve, None)
    size = sum(len(each) for each in whole.values() if isinstance(each, bytes))
    size += sum(len(each) for pair in whole["before"] for each in pair if each is not None)
    assert recalibration_arrays(curve, size)["before"] is not None
    few = recalibration_arrays(curve, size - 1)
    assert few["before"] is None
    assert few["size"] == DRAWN_GROUPS
    joined = runs_of_logits(logit_of(p), y == 1).joined(DRAWN_GROUPS)
    np.testing.assert_allclose(singles(few["last"]), expit(joined.ends), rtol=1e-6)
    assert counts_of(few["points"])[-1] == 3_000
    assert counts_of(few["positives"])[-1] == (y == 1).sum()


def test_of_many_groups_some_scores_are_sent_the_first_and_the_last_among_them(rng):
    curve, (_, p), _ = curve_of(rng, n=3_000)
    sent = singles(recalibration_arrays(curve, None)["first"])
    assert sent.size == SENT_SCORES
    assert (sent[0], sent[-1]) == pytest.approx((p.min(), p.max()), rel=1e-6)
    assert (np.diff(sent) > 0).all()
