"""Random tests of references, models and tables: finite features of every size give intervals or a
documented error.
"""

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from data import Logit
from hypothesis import given, settings
from hypothesis import strategies as st
from invariants import RATES, check_band
from sklearn.naive_bayes import GaussianNB
from strategies import (
    ALPHAS,
    CLASSES,
    FEWER,
    FINITE,
    RULES,
    calibration_rows,
    codes,
    held,
    scored_rows,
)
from summaries import summarized

from conformal_roc_widget import ConformalROC, RocEvaluation, average_bands, kernel_logit

FEATURES = FINITE.filter(lambda x: abs(x) <= 1e100)


@st.composite
def features(draw, n, d, numbers=FEATURES):
    return np.array(
        draw(st.lists(st.lists(numbers, min_size=d, max_size=d), min_size=n, max_size=n))
    )


@st.composite
def labelled_features(draw, k=2, min_size=4, max_size=16, numbers=FEATURES):
    n, d = draw(st.integers(min_size, max_size)), draw(st.integers(1, 3))
    return draw(features(n, d, numbers)), draw(codes(n, k))


@given(
    train=labelled_features(min_size=2),
    bandwidth=st.sampled_from(["silverman", "scott", 0.5, 1e200]),
    data=st.data(),
)
def test_the_kernel_says_something_about_every_finite_point(train, bandwidth, data):
    X, y = train
    points = data.draw(features(data.draw(st.integers(1, 5)), X.shape[1]))
    found = kernel_logit(X, y, points, bandwidth=bandwidth)
    assert found.shape == (len(points),)
    assert not np.isnan(found).any()
    np.testing.assert_array_equal(found, -kernel_logit(X, 1 - y, points, bandwidth=bandwidth))
    given = data.draw(held(X)), data.draw(held(data.draw(CLASSES)[y])), data.draw(held(points))
    np.testing.assert_array_equal(found, kernel_logit(*given, bandwidth=bandwidth))
    # Column sums of a column-major array differ in the last digit.
    by_columns = np.asfortranarray(X), y, np.asfortranarray(points)
    assert not np.isnan(kernel_logit(*by_columns, bandwidth=bandwidth)).any()


OPTIONS = st.one_of(
    st.fixed_dictionaries(
        {
            "reference": st.sampled_from(["kernel", lambda X: np.full(len(X), 0.3), Logit()]),
            "neighbors": st.sampled_from([None, 1, 3, 100]),
            "distance": st.sampled_from(["standardized", "score", "cityblock"]),
            "center": st.sampled_from(["classifier", "kernel"]),
            "recenter": st.booleans(),
            "quantile_rule": RULES,
        }
    ),
    st.fixed_dictionaries({"resplits": st.sampled_from([2, 3, "per-instance"])}),
    st.just({"reference": "score"}),
)


@pytest.mark.thorough
@FEWER
@given(
    train=labelled_features(min_size=6),
    options=OPTIONS,
    alphas=st.tuples(ALPHAS, ALPHAS),
    data=st.data(),
)
def test_a_model_takes_any_finite_features(train, options, alphas, data):
    (X, y), (small, large) = train, sorted(alphas)
    classes = data.draw(CLASSES)
    n = data.draw(st.integers(2, 8))
    test, y_test = data.draw(features(n, X.shape[1])), data.draw(codes(n))
    model = ConformalROC(Logit(), random_state=0, progress=False, **options)
    given = [data.draw(held(part)) for part in (X, classes[y], test, classes[y_test])]
    try:
        evaluation = model.fit(*given[:2]).evaluate(*given[2:])
    # a label with one point cannot be split, and one distinct score has no spread
    except ValueError as error:
        if not re.match(r"y: |estimator: found \d distinct|bandwidth: |resplits: ", str(error)):
            raise
        return
    outer, inner = evaluation.band(small), evaluation.band(large)
    check_band(outer)
    check_band(inner)
    for name in ("fpr", "tpr"):
        assert (getattr(outer, f"{name}_lower") <= getattr(inner, f"{name}_lower")).all()
        assert (getattr(outer, f"{name}_upper") >= getattr(inner, f"{name}_upper")).all()
    low, high = evaluation.intervals(large)
    assert ((low >= 0) & (low <= high) & (high <= 1)).all()
    for label in classes.tolist():
        try:
            low, high = model.predict_interval(test[:1], label, large)
        except ValueError as error:  # a new split may lack a rare class
            if options.get("resplits") != "per-instance" or "random split" not in str(error):
                raise
        else:
            assert 0 <= low[0] <= high[0] <= 1
    assert 0 <= evaluation.support.share <= 1
    assert all(isinstance(note, str) for note in evaluation.notes)


@pytest.mark.thorough
@settings(max_examples=settings.default.max_examples // 4)
@given(seed=st.integers(0, 2**32), alpha=ALPHAS, uniform=st.booleans())
def test_fifty_classes_have_a_band_each_and_an_average(seed, alpha, uniform):
    rng = np.random.default_rng(seed)
    train, calibration, test = rng.normal(size=(3, 100, 2))
    names = np.array([f"class {i}" for i in range(50)])
    y = names[np.arange(100) % 50]
    model = ConformalROC(GaussianNB())
    model.fit(train, y, X_calibration=calibration, y_calibration=y)
    evaluations = model.evaluate_all(test, y)
    assert list(evaluations) == sorted(names.tolist())
    for evaluation in list(evaluations.values())[::10]:
        check_band(evaluation.band(alpha))
    band = average_bands(evaluations, alpha, "uniform" if uniform else "size")
    assert (band.tpr_lower >= 0).all()
    assert (band.tpr_lower <= band.tpr_upper).all()
    assert (band.tpr_upper <= 1 + 1e-9).all()
    assert (np.diff(band.tpr) >= -1e-12).all()


@pytest.mark.thorough
@FEWER
@given(calibration=calibration_rows(max_size=12), test=scored_rows(max_size=40), data=st.data())
def test_a_table_says_what_its_rows_say_up_to_its_error_and_so_do_its_parts(
    calibration, test, data
):
    y, score = test
    frame = data.draw(st.sampled_from([pd.DataFrame, pl.DataFrame, pa.table]))

    def read(rows):
        return summarized(frame({"p": score[rows], "y": y[rows]}), calibration)

    found = read(slice(None))
    exact = RocEvaluation.from_predictions(*calibration, y, score)
    thresholds = np.concatenate([score, [0.0, 0.3, 1.0]])
    one, other = found.band(0.2, thresholds), exact.band(0.2, thresholds)
    check_band(found.band(0.2))
    for name in RATES:
        assert np.abs(getattr(one, name) - getattr(other, name)).max() <= found.error + 1e-12
    parts = [np.flatnonzero(y == 0)[:1], np.flatnonzero(y == 1)[:1]]
    first = np.concatenate(parts)
    rest = np.setdiff1d(np.arange(y.size), first)
    if np.unique(y[rest]).size == 2:
        merged = read(first).merged(read(rest))
        for name in (*RATES, "thresholds"):
            np.testing.assert_array_equal(
                getattr(merged.band(0.2), name), getattr(found.band(0.2), name)
            )
        assert merged.ideal_auc_range(0.2) == found.ideal_auc_range(0.2)
