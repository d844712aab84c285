"""Random tests of comparators and simulated distributions: finite scores of every size give limits
that are rates.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata
from sklearn.metrics import roc_auc_score
from strategies import ALPHAS, CLASSES, FINITE, PROBABILITIES, THRESHOLDS, held, scored_rows

from conformal_roc_widget import comparators, simulation


@pytest.mark.filterwarnings("ignore:DeLong's variance:UserWarning")
@given(
    rows=scored_rows(scores=st.one_of(FINITE, PROBABILITIES)),
    alphas=st.tuples(ALPHAS, ALPHAS),
    threshold=THRESHOLDS.filter(math.isfinite),
    data=st.data(),
)
def test_the_exact_comparators_take_any_finite_scores(rows, alphas, threshold, data):
    y, score = rows
    given = data.draw(held(data.draw(CLASSES)[y])), data.draw(held(score))
    small, large = sorted(alphas)
    one, other = comparators.ks_band(*given, small), comparators.ks_band(*given, large)
    for band in (one, other):
        assert ((band.tpr_lower >= 0) & (band.tpr_lower <= band.tpr_upper)).all()
        assert (band.tpr_upper <= 1).all()
        for name in ("tpr", "tpr_lower", "tpr_upper"):
            assert (np.diff(getattr(band, name)) >= 0).all()
    assert (one.tpr_lower <= other.tpr_lower).all()
    assert (one.tpr_upper >= other.tpr_upper).all()
    box = comparators.clopper_pearson_box(*given, threshold, large)
    assert 0 <= box.tpr_lower <= box.tpr <= box.tpr_upper <= 1
    assert 0 <= box.fpr_lower <= box.fpr <= box.fpr_upper <= 1
    if np.bincount(y).min() < 2:
        with pytest.raises(ValueError, match=r"y: .* at least twice"):
            comparators.delong_interval(*given, large)
        return
    auc, low, high = comparators.delong_interval(*given, large)
    assert auc == pytest.approx(roc_auc_score(y, rankdata(score)), abs=1e-12)
    assert math.isnan(low) or 0 <= low <= auc <= high <= 1
    z, p = comparators.delong_test(given[0], given[1], data.draw(held(score[::-1].copy())))
    assert math.isnan(p) or 0 <= p <= 1
    assert math.isnan(z) == math.isnan(p)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["bootstrap", "simultaneous", "working_hotelling"])
@given(
    rows=scored_rows(min_size=6, scores=st.one_of(FINITE, PROBABILITIES)),
    # the range in which rocci's quantiles are finite
    alpha=ALPHAS.filter(lambda alpha: 1e-12 < alpha < 1 - 1e-9),
    grid=st.lists(PROBABILITIES, min_size=1, max_size=9),
)
def test_the_sampled_comparators_take_any_finite_scores(name, rows, alpha, grid):
    options = {"working_hotelling": {"fpr": grid}}.get(name, {"resamples": 100, "random_state": 0})
    y, score = rows
    try:
        band = getattr(comparators, f"{name}_band")(y, score, alpha, **options)
    except ValueError as error:
        if name != "working_hotelling" or not str(error).startswith("score: "):
            raise
        return
    assert ((band.tpr_lower >= 0) & (band.tpr_lower <= band.tpr_upper)).all()
    assert (band.tpr_upper <= 1).all()
    assert (np.diff(band.fpr) > 0).all()


@pytest.mark.thorough
@given(
    setting=st.sampled_from(["sample_size", "missing_predictor", "missing_interaction"]),
    n=st.integers(1, 40),
    seed=st.integers(0, 2**32),
    value=st.floats(0, 100),
    shifted=st.booleans(),
)
def test_every_setting_draws_points_of_any_number(setting, n, seed, value, shifted):
    value = None if setting == "sample_size" else value
    X, y, truth = simulation.draw(
        setting, n, np.random.default_rng(seed), shifted=shifted, value=value
    )
    assert X.shape == (n, 3)
    assert set(y.tolist()) <= {0, 1}
    assert truth.shape == (n,)
    assert np.isfinite(truth).all()
