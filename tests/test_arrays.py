"""Arrays, labels and points from all containers. Errors name the argument."""

import decimal
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

from conformal_roc_widget import arrays
from conformal_roc_widget.arrays import (
    LARGEST_FEATURE,
    array_of,
    labels_of,
    numbers_of,
    same_length,
    scores_of,
    shortened,
    two_classes_of,
)


@pytest.mark.parametrize(
    "values",
    [
        [1, 2, 3],
        (1.0, 2.0, 3.0),
        np.array([1, 2, 3], dtype=np.uint8),
        np.array([1, 2, 3], dtype=object),
        [decimal.Decimal(1), 2, 3.0],
        pd.Series([1, 2, 3], dtype="Int64"),
        pl.Series([1, 2, 3]),
        np.ma.array([1, 2, 3], mask=False),
    ],
    ids=lambda values: type(values).__name__,
)
def test_numbers_of_every_kind_become_float64(values):
    found = numbers_of(values, "x", ndim=1)
    assert found.dtype == np.float64
    assert found.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("values", "kind", "found"),
    [
        (["1", "2"], TypeError, "type <U1"),
        ([1, None], ValueError, "1 NaN and 0 infinite"),
        ([1j, 2], TypeError, "complex128"),
        (np.array(["2020-01-01"], dtype="M8[D]"), TypeError, "datetime64"),
        (scipy.sparse.csr_matrix([[1.0]]), TypeError, "sparse csr_matrix.*toarray"),
        (np.ma.array([1.0, 2.0], mask=[0, 1]), ValueError, "masked values"),
        ([[1.0]], ValueError, r"shape \(1, 1\), expected shape \(n,\)"),
        ([], ValueError, r"shape \(0,\), expected at least one row"),
        ([np.nan, np.inf, 1.0], ValueError, "1 NaN and 1 infinite"),
        ([10**400, 1], TypeError, "expected numbers"),
    ],
    ids=str,
)
def test_anything_but_an_array_of_finite_numbers_is_refused_by_name(values, kind, found):
    with pytest.raises(kind, match=f"^name: .*{found}"):
        numbers_of(values, "name", ndim=1)


def test_values_whose_sum_overflows_are_finite_all_the_same():
    assert numbers_of([1e308, 1e308], "x", ndim=1).tolist() == [1e308, 1e308]


def test_features_whose_squares_may_overflow_are_refused():
    assert numbers_of([[LARGEST_FEATURE]], "X", ndim=2).shape == (1, 1)
    with pytest.raises(ValueError, match=r"^X: found a value of size 1.1e\+100, expected at most"):
        numbers_of([[-1.1e100]], "X", ndim=2)


def test_probabilities_lie_between_zero_and_one():
    assert scores_of([0, 1, 0.5], "p").tolist() == [0.0, 1.0, 0.5]
    with pytest.raises(ValueError, match=r"^p: found values from -0.1 to 0.5, expected prob"):
        scores_of([-0.1, 0.5], "p")


def test_ragged_rows_are_no_array():
    with pytest.raises(ValueError, match=r"^x: expected an array of shape \(n,\): "):
        array_of([[1, 2], [3]], "x")


@pytest.mark.parametrize(
    ("values", "kind", "found"),
    [
        ([], ValueError, "an empty array"),
        ([[0, 1]], ValueError, "shape"),
        ([0, None], ValueError, "missing labels"),
        (pd.Series([0, None], dtype="Int64"), ValueError, "missing labels|NaN"),
        ([0.0, np.nan], ValueError, "NaN or infinite"),
        (np.array(["a", 1], dtype=object), TypeError, "types int, str"),
        (["a", 1, "b"], TypeError, "types int, str"),
        (["a", float("nan")], ValueError, "missing labels"),
        (np.array([object, int], dtype=object), TypeError, "type type, which do not sort"),
        (np.array(["NaT"], dtype="M8[D]"), ValueError, "NaT"),
    ],
    ids=str,
)
def test_labels_that_cannot_be_told_apart_are_refused_by_name(values, kind, found):
    with pytest.raises(kind, match=f"^y: found.*({found})"):
        labels_of(values, "y")


def test_a_list_of_strings_of_pythons_and_of_numpys_own_is_one_of_labels():
    assert labels_of(["b", np.str_("a")], "y").tolist() == ["b", "a"]


def test_two_classes_are_two_and_the_second_in_order_is_positive():
    assert two_classes_of(np.array(["no", "yes", "no"]), "y").tolist() == ["no", "yes"]
    with pytest.raises(ValueError, match=r"^y: found 3 distinct labels \(0, 1, 2\), expected ex"):
        two_classes_of(np.array([0, 1, 2]), "y")


@pytest.mark.parametrize(
    "labels", [[3, -1, 3], [True, False], [2, 2], [0.5, 2.0, 1.0], [], ["b", "a"], [0, 7, 200, 7]]
)
@pytest.mark.parametrize("kind", [None, np.uint8])
def test_distinct_labels_are_all_that_occur_in_their_own_type(labels, kind):
    array = np.array(labels)
    array = array.astype(kind) if kind and array.dtype.kind in "bi" else array
    found = arrays.distinct_of(array)
    assert found.dtype == array.dtype
    assert found.tolist() == sorted(set(array.tolist()))


def test_lengths_are_compared_under_the_names_of_the_arguments():
    same_length(X=[1, 2], y=[3, 4], weights=None)
    with pytest.raises(
        ValueError, match=r"^X and y: X has 2, y has 1 rows, expected equal lengths"
    ):
        same_length(X=[1, 2], y=[3])


def test_a_long_list_of_values_is_cut_and_counted():
    assert shortened([0, "a"]) == "0, 'a'"
    assert shortened(list(range(12)), most=2) == "0, 1, … (12 in all)"


INF = math.inf
LABELS = [
    ([0, 1], np.int64),
    ([0, 1], np.int8),
    ([0, 1], np.uint8),
    ([0, 1], float),
    ([0, 1], np.float16),
    ([False, True], bool),
    (["no", "yes"], str),
    ([-3, 2**53 + 1], np.int64),
    ([0.5, 1.5], float),
    (["2024-01-01", "2025-01-01"], "datetime64[D]"),
]


@pytest.mark.parametrize(("names", "dtype"), LABELS)
def test_two_codes_are_the_codes_of_any_number_of_classes(names, dtype):
    classes = np.array(names, dtype=dtype)
    labels = np.random.default_rng(0).choice(classes, 50)
    expected = arrays.codes_of(labels, classes, "y")
    found = arrays.binary_codes_of(labels, classes, "y")
    assert found.dtype == np.int8
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("classes", "labels"),
    [
        ([0, 1], [0.0, 1.0]),
        ([0, 1], [False, True]),
        ([False, True], [0, 1]),
        ([0.0, 1.0], [0, 1]),
        (["no", "yes"], np.array(["no", "yes", "no"], dtype="U7")),
    ],
)
def test_labels_of_another_type_count_where_they_are_equal(classes, labels):
    found = arrays.binary_codes_of(np.asarray(labels), np.asarray(classes), "y")
    assert found.tolist() == arrays.codes_of(np.asarray(labels), np.asarray(classes), "y").tolist()


@pytest.mark.parametrize(
    ("classes", "labels"),
    [
        ([0, 1], ["0", "1"]),
        (["0", "1"], [0, 1]),
        ([0, 1], [0, 1, 2]),
        ([0, 1], [0.0, 1.0, 0.5]),
        ([-1, 1], np.array([255, 1], dtype=np.uint8)),
        ([0.5, 1.0], [0, 1]),
        (["no", "yes"], ["no", "ye"]),
        ([0, 2**53 + 1], [0.0, 2.0**53]),
        ([0, 1], [1, 1]),
    ],
)
def test_labels_that_are_not_the_two_classes_are_refused(classes, labels):
    with pytest.raises(ValueError, match=r"^y: found"):
        arrays.binary_codes_of(np.asarray(labels), np.asarray(classes), "y")


@pytest.mark.parametrize("dtype", [float, np.float32, np.float16, np.longdouble, ">f8", int, bool])
@pytest.mark.parametrize("order", [slice(None), slice(None, None, -2), slice(3, 40, 3)])
def test_scores_are_taken_from_any_array_of_numbers(dtype, order):
    scores = np.random.default_rng(0).random(50).astype(dtype)[order]
    scores.flags.writeable = False
    found = arrays.scores_of(scores, "score")
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, scores.astype(float))


@pytest.mark.parametrize("place", [0, 6, 7, 49])
@pytest.mark.parametrize("value", [math.nan, INF, -INF, -0.1, 1.1])
def test_a_bad_score_anywhere_is_found(place, value):
    scores = np.full(50, 0.5)
    scores[place] = value
    with pytest.raises(ValueError, match=r"^score: found"):
        arrays.scores_of(scores, "score")
