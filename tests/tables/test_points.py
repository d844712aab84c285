"""Features of every kind, in the form for estimators and as numbers."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from conformal_roc_widget.tables.points import Columns, Points

FEATURES = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
HELD = {
    "array": FEATURES,
    "integers": FEATURES.astype(int),
    "list": FEATURES.tolist(),
    "pandas": pd.DataFrame(FEATURES, columns=["a", "b"]),
    "polars": pl.DataFrame(FEATURES, schema=["a", "b"]),
}


@pytest.mark.parametrize("kind", HELD)
def test_estimators_see_frames_and_arrays_as_they_are_and_lists_as_numbers(kind):
    points = Points.of(HELD[kind], "X")
    np.testing.assert_array_equal(points.array, FEATURES)
    assert points.raw is (points.array if kind == "list" else HELD[kind])
    assert points.columns == Columns(["a", "b"] if kind in ("pandas", "polars") else None, 2)
    some = points.rows(np.array([2, 0]))
    np.testing.assert_array_equal(some.array, FEATURES[[2, 0]])
    np.testing.assert_array_equal(np.asarray(some.raw), FEATURES[[2, 0]])
    assert some.columns == points.columns


def test_the_numbers_do_not_change_when_the_users_array_does():
    X = FEATURES.copy()
    for given in (X, X[:, ::-1], pd.DataFrame(X)):
        points = Points.of(given, "X")
        before = points.array.copy()
        X *= 2
        np.testing.assert_array_equal(points.array, before)


def test_other_columns_than_those_of_the_fit_are_refused_by_name():
    fitted = Points.of(HELD["pandas"], "X").columns
    Points.of(HELD["polars"], "X_test", like=fitted)
    Points.of(FEATURES, "X_test", like=fitted)
    with pytest.raises(ValueError, match=r"^X_test: found columns 'b', 'a', expected .*'a', 'b'$"):
        Points.of(HELD["pandas"][["b", "a"]], "X_test", like=fitted)
    with pytest.raises(ValueError, match=r"^X_test: found 1 feature, expected 2 as in the fit$"):
        Points.of(FEATURES[:, :1], "X_test", like=fitted)


def test_a_frame_that_is_not_in_memory_is_refused():
    with pytest.raises(TypeError, match=r"^X: found a LazyFrame, expected a table in memory: coll"):
        Points.of(pl.DataFrame({"a": [1.0]}).lazy(), "X")
