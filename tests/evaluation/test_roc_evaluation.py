"""The public face: any input, any order of rows, copies and pickles."""

import copy
import pickle

import numpy as np
import pytest
from data import assert_same_curves, evaluation_from_scores, scored

from conformal_roc_widget import RocEvaluation


def test_the_order_of_the_calibration_rows_does_not_matter(rng):
    y, score = scored(rng, 80)
    order = rng.permutation(80)
    test = scored(rng, 60)
    one = RocEvaluation.from_predictions(y, score, *test)
    other = RocEvaluation.from_predictions(y[order], score[order], *test)
    for k in (0, 1):
        np.testing.assert_allclose(one.residuals[k], other.residuals[k], rtol=1e-12)
    assert_same_curves(one.band(0.1), other.band(0.1))


@pytest.mark.parametrize(
    "transport",
    [copy.copy, copy.deepcopy, lambda o: pickle.loads(pickle.dumps(o))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_copies_and_pickles_say_the_same(transport):
    evaluation = evaluation_from_scores()
    band, point = evaluation.band(0.1), evaluation.operating_point(0.4, 0.1)
    assert transport(point) == point
    for found in (transport(band), transport(evaluation).band(0.1)):
        assert_same_curves(found, band)
        assert (found.alpha, found.quantiles, found.n_calibration) == (
            band.alpha,
            band.quantiles,
            band.n_calibration,
        )
        assert (found.guaranteed, found.vacuous) == (band.guaranteed, band.vacuous)
    assert transport(evaluation).auc(0.1) == evaluation.auc(0.1)
