"""Numbers as bytes and back."""

import numpy as np
import pytest
from data import counts_of
from hypothesis import given
from hypothesis import strategies as st

from conformal_roc_widget.wire.encoding import varints


@given(st.lists(st.integers(0, 1 << 30), max_size=40))
def test_counts_of_any_size_come_back(steps):
    counts = np.cumsum(steps, dtype=np.intp)
    np.testing.assert_array_equal(counts_of(varints(counts)), counts)


def test_counts_that_fall_are_no_counts():
    with pytest.raises(ValueError, match="ascending"):
        varints(np.array([3, 2]))
