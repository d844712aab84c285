import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from scipy.stats import norm
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OneHotEncoder

from conformal_roc_widget.tables import encoder as encoding
from conformal_roc_widget.tables.encoder import TableEncoder


def encoded(X, new=None):
    return TableEncoder().fit(X).transform(X if new is None else new)


def mixed(rng, n=60):
    days = [datetime.date(2020, 1, 1) + datetime.timedelta(int(k)) for k in range(n)]
    return pd.DataFrame(
        {
            "number": rng.normal(size=n),
            "with missing": np.where(np.arange(n) % 7 == 0, np.nan, rng.normal(size=n)),
            "few": rng.integers(0, 4, n),
            "levels": rng.choice(["a", "b", "c"], n),
            "levels with missing": rng.choice(["a", "b", None], n),
            "category": pd.Categorical(rng.choice(list("pqr"), n)),
            "truth": rng.choice([True, False], n),
            "nullable truth": pd.array(rng.choice([True, False, None], n), dtype="boolean"),
            "nullable whole": pd.array(rng.choice([1, 2, None], n), dtype="Int64"),
            "time": pd.date_range("2020", periods=n),
            "time of a zone": pd.date_range("2020", periods=n, tz="Europe/Berlin"),
            "duration": pd.to_timedelta(np.arange(n), "h"),
            "day": days,
            "identifier": [f"person {k}" for k in range(n)],
            "nothing": np.nan,
            "none": pd.Series([None] * n, dtype=object),
            "constant": 3.0,
        }
    )


def test_normal_scores_are_those_of_the_ranks_and_lie_between_for_new_values():
    x = np.array([5.0, 1.0, 1.0, 9.0, *range(20, 40)])
    ranks = [(x < v).sum() + ((x == v).sum() + 1) / 2 for v in x]
    scores = norm.ppf((np.array(ranks) - 0.5) / x.size)
    np.testing.assert_allclose(encoded(x[:, None])[:, 0], scores)
    new = encoded(x[:, None], np.array([[7.0], [-np.inf], [np.inf], [1e300]]))[:, 0]
    np.testing.assert_allclose(
        new, [(scores[0] + scores[3]) / 2, scores.min(), scores.max(), scores.max()]
    )


def test_few_values_are_standardized_and_a_missing_one_is_the_median_beside_its_indicator():
    x = np.array([1.0, 1.0, 2.0, 4.0, np.nan])
    filled = np.array([1.0, 1.0, 2.0, 4.0, 1.5])
    wanted = np.column_stack([(filled - filled.mean()) / filled.std(), [0, 0, 0, 0, 1]])
    np.testing.assert_allclose(encoded(x[:, None]), wanted)


def test_a_missing_number_among_many_is_the_median():
    x = np.append(np.arange(21.0), np.nan)[:, None]
    found = encoded(x)
    assert found[10, 0] == pytest.approx(found[21, 0], abs=1e-12)
    np.testing.assert_array_equal(found[:, 1], np.isnan(x[:, 0]))


def test_levels_have_a_column_each_and_rare_ones_share_theirs_with_the_unseen():
    values = ["a"] * 10 + ["b"] * 8 + ["c"] * 2 + [None] * 6
    found = encoded([[v] for v in values], [["a"], ["b"], ["c"], [None], ["never seen"]])
    assert found.shape == (5, 4)
    np.testing.assert_array_equal(found.sum(axis=1), 1)
    np.testing.assert_array_equal(found[2], found[4])
    assert len({tuple(row) for row in found.tolist()}) == 4


def test_two_levels_are_one_column():
    np.testing.assert_array_equal(encoded([["x"]] * 9 + [["y"]] * 6)[[0, -1], 0], [0, 1])


@pytest.mark.parametrize(
    "engine", [pl.from_pandas, pa.Table.from_pandas, lambda d: d.sample(frac=1).sort_index()]
)
def test_frames_of_every_engine_come_to_the_same_numbers(rng, engine):
    frame = mixed(rng)
    wanted = encoded(frame)
    assert np.isfinite(wanted).all()
    np.testing.assert_allclose(encoded(engine(frame)), wanted, atol=1e-9)


def test_a_value_alike_in_every_row_of_the_fit_has_no_column(rng):
    frame = mixed(rng)
    fitted = TableEncoder().fit(frame)
    assert fitted.n_features_in_ == frame.shape[1]
    assert fitted.n_features_out_ == fitted.transform(frame).shape[1]
    without = frame.drop(columns=["nothing", "none", "constant"])
    np.testing.assert_array_equal(encoded(without), fitted.transform(frame))


def test_one_row_and_a_column_that_is_all_missing_now_are_no_trouble(rng):
    frame = mixed(rng)
    fitted = TableEncoder().fit(frame)
    one = fitted.transform(frame.iloc[[4]])
    np.testing.assert_allclose(one, fitted.transform(frame)[[4]], atol=1e-12)
    frame["levels"], frame["number"] = np.nan, None
    assert np.isfinite(fitted.transform(frame)).all()
    frame["nothing"] = 5.0
    assert np.isfinite(fitted.transform(frame)).all()


def test_a_table_in_which_nothing_varies_is_one_column_of_zeros():
    np.testing.assert_array_equal(encoded(np.ones((4, 3))), np.zeros((4, 1)))
    np.testing.assert_array_equal(encoded(np.ones((1, 3))), np.zeros((1, 1)))


def test_texts_become_a_few_directions_in_which_like_texts_are_near(rng):
    about = {0: "the river and the boat on the water", 1: "a court of law and a judge to sue"}
    topic = rng.integers(0, 2, 80)
    texts = [" ".join(rng.choice(about[t].split(), 12)) for t in topic]
    found = TableEncoder().fit(texts).transform(texts)
    middle = np.array([found[topic == t].mean(axis=0) for t in (0, 1)])
    nearest = ((found[:, None] - middle) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(nearest, topic)
    np.testing.assert_array_equal(encoded(pd.Series(texts)), found)
    np.testing.assert_array_equal(encoded(np.array(texts)), found)
    assert np.isfinite(encoded(texts, ["", "a word never seen"])).all()


def test_a_column_of_texts_is_text_also_with_missing_ones(rng):
    names = [f"mr {a}{b}" for a, b in rng.choice(list("abcdefgh"), (90, 2))]
    names = [f"{name} {k}" for k, name in enumerate(names)]
    names[3] = None
    frame = pd.DataFrame({"name": names, "x": rng.normal(size=90)})
    assert encoded(frame).shape == (90, encoding.TEXT_COMPONENTS + 1)


@pytest.mark.parametrize("columns", [30, 500])
def test_sparse_matrices_are_numbers_or_directions(columns):
    X = sparse.random(80, columns, 0.1, format="csr", random_state=0)
    fitted = TableEncoder().fit(X)
    found = fitted.transform(X)
    assert np.isfinite(found).all()
    assert found.shape[1] <= encoding.COMPONENTS
    np.testing.assert_allclose(fitted.transform(X[:3]), found[:3], atol=1e-9)
    np.testing.assert_allclose(fitted.transform(X.tocsc()), found, atol=1e-9)


@pytest.mark.parametrize("frame", [np.asarray, pd.DataFrame, pl.DataFrame])
def test_very_many_columns_are_reduced(rng, frame):
    X = (rng.random((60, 1000)) < 0.05).astype(float)
    X[0, 0] = np.nan
    found = encoded(frame(X))
    assert found.shape == (60, 60)
    assert np.isfinite(found).all()


def test_many_levels_are_reduced_after_they_are_encoded(rng, monkeypatch):
    monkeypatch.setattr(encoding, "MOST_COLUMNS", 20)
    monkeypatch.setattr(encoding, "COMPONENTS", 10)
    frame = pd.DataFrame({str(j): rng.choice(list("abcdefgh"), 200) for j in range(6)})
    found = TableEncoder().fit(frame)
    assert found.transform(frame).shape == (200, found.n_features_out_) == (200, 10)


def test_the_test_set_has_no_part_in_it(rng):
    frame = mixed(rng)
    fitted = TableEncoder().fit(frame.iloc[:40])
    np.testing.assert_array_equal(
        fitted.transform(frame.iloc[40:45]), fitted.transform(frame.iloc[40:])[:5]
    )


def test_it_is_a_transformer_like_any_other(rng):
    frame = mixed(rng)
    np.testing.assert_array_equal(clone(TableEncoder()).fit_transform(frame), encoded(frame))


@pytest.mark.parametrize("levels", [2, 3, 12, 49, 50, 51, 80])
@pytest.mark.parametrize("missing", [0, 3, 40])
def test_levels_are_those_that_scikit_learn_finds_among_the_strings(rng, levels, missing):
    counts = rng.integers(1, 12, levels) if levels > 2 else [7, 9]
    names = [f"level {k}" for k in range(levels)]
    values = [*np.repeat(names, counts).tolist(), *[None] * missing]
    values = np.array(values, dtype=object)[rng.permutation(len(values))]
    new = np.array(["level 1", "never seen", None, "level 0"], dtype=object)
    one_hot = OneHotEncoder(
        min_frequency=5,
        max_categories=50,
        handle_unknown="infrequent_if_exist",
        sparse_output=False,
    ).fit(values[:, None])
    fitted = encoding._Levels.of(values)
    for some in (values, new):
        wanted = one_hot.transform(some[:, None])
        wanted = wanted[:, 1:] if wanted.shape[1] == 2 else wanted
        np.testing.assert_array_equal(fitted.columns(some), wanted)


def test_gaps_are_filled_as_scikit_learn_fills_them(rng):
    whole = rng.integers(0, 4, 30).astype(float)
    gappy = np.where(np.arange(30) % 4 == 0, np.nan, whole)
    for numbers in (whole, gappy, np.full(30, np.nan)):
        imputer = SimpleImputer(strategy="median", keep_empty_features=True, add_indicator=True)
        filled = imputer.fit_transform(numbers[:, None])
        gaps = encoding._Gaps.of(numbers, imputer.statistics_[0])
        np.testing.assert_array_equal(gaps.columns(numbers), filled)
        np.testing.assert_array_equal(gaps.columns(gappy), imputer.transform(gappy[:, None]))


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        ([[[1, 2]], [[3]]], ValueError, "table of shape"),
        (np.zeros((2, 2, 2)), ValueError, r"found shape \(2, 2, 2\), expected a table"),
        (np.arange(5.0), ValueError, r"found shape \(5,\), expected a table"),
        (np.empty((0, 3)), ValueError, "found an empty table"),
        (pd.DataFrame({"a": [1, 2]})[[]], ValueError, "found an empty table"),
        ([[{1}], [{2}]], TypeError, "'set' in column 0, expected numbers, truth values"),
        (pd.DataFrame({"a": [[1], [2]]}), TypeError, "'list' in column 'a'"),
        ([[1 + 2j], [2]], TypeError, "'complex128' in column 0"),
    ],
)
def test_a_table_of_something_else_is_refused_by_the_name_of_its_column(X, error, message):
    with pytest.raises(error, match=message):
        TableEncoder().fit(X)


def test_a_table_of_other_columns_is_refused(rng):
    fitted = TableEncoder().fit(pd.DataFrame({"a": [1.0, 2, 3], "b": list("xyz")}))
    with pytest.raises(ValueError, match="found 1 column, expected 2"):
        fitted.transform([[1.0]])
    with pytest.raises(ValueError, match="found strings in column 'a', expected numbers"):
        fitted.transform(pd.DataFrame({"a": list("xyz"), "b": list("xyz")}))
    with pytest.raises(ValueError, match="found numbers in column 'b', expected strings"):
        fitted.transform(pd.DataFrame({"a": [1.0], "b": [2.0]}))
    wide = TableEncoder().fit(rng.normal(size=(20, 300)))
    with pytest.raises(ValueError, match="expected 300 columns of numbers"):
        wide.transform(rng.normal(size=(20, 299)))
    broken = sparse.csr_matrix(np.where(np.eye(300), np.nan, 0))
    with pytest.raises(ValueError, match="NaN or infinite values in a sparse matrix"):
        TableEncoder().fit(broken)


def test_a_column_that_is_infinite_and_few_values_with_an_infinite_one():
    for column in ([np.inf] * 5 + [-np.inf], [np.inf] * 6, [0.0, 1.0, np.inf, 0.0, 1.0, np.nan]):
        found = encoded(np.array(column)[:, None], np.array([[1.0], [np.inf], [-np.inf]]))
        assert np.isfinite(found).all()
