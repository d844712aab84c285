"""Strategies for hypothesis: numbers of every size, and labels and arrays of every kind."""

import numpy as np
import pandas as pd
import polars as pl
from hypothesis import settings
from hypothesis import strategies as st

from conformal_roc_widget import RocEvaluation

#: The settings of properties that take longer than most.
FEWER = settings(max_examples=settings.default.max_examples // 3)
FINITE = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(-3, 3).map(float),
    st.sampled_from([-0.0, 5e-324, 2.3e-308, 1e-160, 1e100, -1e100, 1.7e308, -1.7e308]),
)
PROBABILITIES = st.one_of(
    st.floats(0, 1),
    st.integers(0, 8).map(lambda i: i / 8),
    st.sampled_from([0.0, 1.0, 5e-324, 2.3e-308, 2.0**-53, 2.0**-54, 1 - 2.0**-53, 0.1 + 0.2]),
)
PROPER = st.floats(0, 1, exclude_min=True, exclude_max=True)
THRESHOLDS = st.one_of(PROBABILITIES, FINITE, st.sampled_from([np.inf, -np.inf, -5e-324]))
ALPHAS = st.one_of(
    st.sampled_from([0.01, 0.05, 0.1, 0.2, 1 / 3, 0.5, 0.9]),
    st.floats(0, 1, exclude_min=True, exclude_max=True),
)
RULES = st.sampled_from(["paper", "split"])

#: Names of labels 0 and 1. The second comes later in sorted order.
CLASSES = st.sampled_from(
    [
        np.array([0, 1]),
        np.array([False, True]),
        np.array(["no", "yes"]),
        np.array(["", "\u00e9\U0001f600"]),
        np.array([-7, 2**62]),
        np.array([0.5, 1e300]),
        np.array([0, 200], dtype=np.uint8),
        np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[D]"),
    ]
)


@st.composite
def codes(draw, n, k=2):
    """Classes 0 to k - 1 of n >= k rows. Each class occurs."""
    rest = draw(st.lists(st.integers(0, k - 1), min_size=n - k, max_size=n - k))
    return np.array(draw(st.permutations([*range(k), *rest])))


@st.composite
def held(draw, array):
    """The same numbers or labels in another container."""
    numeric = array.dtype.kind in "iufb"
    ways = [
        np.copy,
        _read_only,
        lambda a: np.repeat(a, 2, axis=0)[::2],
        lambda a: a[::-1].copy()[::-1],
        lambda a: a.tolist() if a.dtype.kind != "M" else a,
        lambda a: a.byteswap().view(a.dtype.newbyteorder()) if a.dtype.kind != "M" else a,
    ]
    if array.dtype.kind == "M":  # pandas uses other units for dates
        return draw(st.sampled_from(ways))(array)
    if array.ndim == 1:
        ways += [pd.Series, lambda a: pd.Series(a, index=np.arange(a.size)[::-1])]
        ways += [pl.Series] if numeric else []
    return draw(st.sampled_from(ways))(array)


def _read_only(array):
    array = array.copy()
    array.flags.writeable = False
    return array


@st.composite
def scored_rows(draw, min_size=2, max_size=24, scores=PROBABILITIES):
    """Labels 0 and 1, each at least once, and a probability for each row. Some arrays are float32."""
    n = draw(st.integers(min_size, max_size))
    score = np.array(draw(st.lists(scores, min_size=n, max_size=n)))
    if np.abs(score).max() <= 1 and draw(st.booleans()):
        score = score.astype(np.float32).astype(float)
    return draw(codes(n)), score


@st.composite
def calibration_rows(draw, max_size=60):
    """Like `scored_rows`, with two distinct scores inside (0, 1), so that a bandwidth exists."""
    y, score = draw(scored_rows(max_size=max_size))
    places = draw(st.permutations(range(score.size)))[:2]
    score[list(places)] = draw(st.lists(PROPER, min_size=2, max_size=2, unique=True))
    return y, score


@st.composite
def evaluations(draw, max_size=24):
    """Evaluations of any scores, under both quantile rules."""
    calibration, test = draw(calibration_rows()), draw(scored_rows(max_size=max_size))
    return RocEvaluation.from_predictions(*calibration, *test, quantile_rule=draw(RULES))
