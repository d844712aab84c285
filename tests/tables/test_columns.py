import datetime

import numpy as np
import pandas as pd

from conformal_roc_widget.tables.columns import table_columns, wide_numbers


def test_kinds_of_values_in_plain_lists_and_arrays():
    kinds = [
        ([True, False, None], [1, 0, np.nan]),
        ([1, 2.5, None], [1, 2.5, np.nan]),
        (["a", None, "b"], ["a", None, "b"]),
        (["a", 1, np.nan], ["a", "1", None]),
        ([datetime.date(1, 1, 2), datetime.datetime(1, 1, 1, 12), None], [2, 1.5, np.nan]),
        ([datetime.timedelta(hours=1), pd.NaT, None], [3600, np.nan, np.nan]),
        ([datetime.time(1, 0, 1), None, None], [3601, np.nan, np.nan]),
        (np.array(["2020", "NaT"], dtype="M8[Y]"), [50, np.nan]),
        (np.ma.masked_array([1, 2], [False, True]), [1, np.nan]),
    ]
    for values, wanted in kinds:
        table = values[:, None] if isinstance(values, np.ndarray) else [[v] for v in values]
        (column,) = table_columns(table)
        assert column.numeric == all(isinstance(value, int | float) for value in wanted)
        np.testing.assert_array_equal(column.values, wanted)


def test_a_wide_table_is_one_of_numbers_alone():
    X = np.arange(8.0).reshape(2, 4)
    np.testing.assert_array_equal(wide_numbers(X, 3), X)
    assert wide_numbers(X, 4) is None
    assert wide_numbers(X.astype(str), 3) is None
    assert wide_numbers(X.tolist(), 3) is None
    frame = pd.DataFrame(X).assign(last=pd.array([True, None], dtype="boolean"))
    np.testing.assert_array_equal(wide_numbers(frame, 3), np.column_stack([X, [1, np.nan]]))
    assert wide_numbers(frame.assign(word="a"), 3) is None


def test_periods_are_numbers_and_intervals_are_levels():
    frame = pd.DataFrame(
        {
            "month": pd.period_range("1970-01", periods=3, freq="M"),
            "band": pd.cut([1.0, 5.0, 9.0], [0, 4, 10]),
        }
    )
    month, band = table_columns(frame)
    np.testing.assert_array_equal(month.values, [0, 1, 2])
    np.testing.assert_array_equal(band.values, ["(0, 4]", "(4, 10]", "(4, 10]"])


def test_a_name_that_a_frame_has_twice_is_two_columns():
    frame = pd.DataFrame([[1.0, "x", 2.0]], columns=["a", "b", "a"])
    assert [column.name for column in table_columns(frame)] == ["a", "b", "a"]
    for column, wanted in zip(table_columns(frame), ([1.0], ["x"], [2.0]), strict=True):
        np.testing.assert_array_equal(column.values, wanted)
    twice = pd.DataFrame(np.ones((2, 3)), columns=["a", "a", "b"]).astype("Float64")
    np.testing.assert_array_equal(wide_numbers(twice, 2), np.ones((2, 3)))
