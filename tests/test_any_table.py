"""`ConformalROC` accepts every table that its estimator accepts."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler, TargetEncoder

from conformal_roc_widget import ConformalROC

pytestmark = pytest.mark.usefixtures("one_learner")
N, N_TEST = 160, 50
WORDS = ["where", "city"]


def frame(rng, n=N + N_TEST):
    X = pd.DataFrame(
        {
            "age": np.where(rng.random(n) < 0.1, np.nan, rng.normal(40, 10, n)),
            "where": rng.choice(["north", "south", None], n),
            "income": rng.lognormal(size=n),
            "member": rng.random(n) < 0.4,
            "city": pd.Categorical(rng.choice(list("abcdef"), n)),
            "since": pd.date_range("2020", periods=n),
        }
    )
    truth = X["member"] + (X["where"] == "north") - 1.0 + (X["city"] == "a")
    y = (rng.random(n) < expit(truth.to_numpy(dtype=float))).astype(int)
    y[:4] = y[N : N + 4] = 0, 1, 0, 1
    return X, y


def pipeline():
    return make_pipeline(
        ColumnTransformer(
            [
                ("words", OneHotEncoder(handle_unknown="ignore"), WORDS),
                ("figures", make_pipeline(SimpleImputer(), StandardScaler()), ["age", "income"]),
            ]
        ),
        LogisticRegression(),
    )


class Recorder(ClassifierMixin, BaseEstimator):
    """Records the tables that it gets."""

    def fit(self, X, y):
        self.classes_, self.seen_, self.asked_ = np.unique(y), X, []
        return self

    def predict_proba(self, X):
        self.asked_.append(X)
        p = np.linspace(0.2, 0.8, X.shape[0])
        return np.column_stack([1 - p, p])


def check(model, X, y, rows=None):
    """Fits, evaluates and predicts, and checks that no result is NaN."""
    part = (lambda X, rows: X[rows]) if rows is None else rows
    fitted = model.fit(part(X, slice(0, N)), y[:N])
    new = part(X, slice(N, None))
    evaluation = fitted.evaluate(new, y[N:])
    band = evaluation.band()
    assert np.isfinite(band.tpr_lower).all()
    assert (band.tpr_lower <= band.tpr_upper).all()
    assert np.isfinite(evaluation.support.share)
    lower, upper = fitted.predict_interval(new, 1)
    assert lower.shape == upper.shape == (N_TEST,)
    return fitted, evaluation


def of_frame(X, rows):
    return X.iloc[rows]


REFERENCES = ["learned", "kernel", "sharp", "score", LogisticRegression, "oracle"]


@pytest.mark.parametrize("reference", REFERENCES, ids=str)
def test_a_mixed_frame_with_missing_values(rng, reference):
    X, y = frame(rng)
    if reference == "oracle":

        def reference(X):
            return np.where(X["member"], 0.6, 0.3)

    elif reference is LogisticRegression:
        reference = make_pipeline(pipeline()[0], HistGradientBoostingClassifier())
    model = ConformalROC(pipeline(), reference=reference, random_state=0)
    fitted, _ = check(model, X, y, of_frame)
    assert fitted.n_features_in_ == 6


@pytest.mark.parametrize("engine", [pl.from_pandas, pa.Table.from_pandas])
def test_frames_of_other_engines_give_the_same_residuals(rng, engine):
    X, y = frame(rng)
    other = engine(X)
    wanted = ConformalROC(Recorder(), reference="learned", random_state=0).fit(X, y)
    found = ConformalROC(Recorder(), reference="learned", random_state=0).fit(other, y)
    for label in (0, 1):
        np.testing.assert_allclose(found.residuals_[label], wanted.residuals_[label], atol=1e-6)
    assert isinstance(found.estimator_.seen_, type(other))
    assert found.evaluate(other, y).scores.size == y.size


def test_the_estimator_sees_names_types_and_index_untouched(rng):
    X, y = frame(rng)
    X.index = [f"row {i}" for i in range(len(X))]
    model = ConformalROC(Recorder(), reference="learned", random_state=0).fit(X, y)
    seen = model.estimator_.seen_
    pd.testing.assert_frame_equal(seen, X.loc[seen.index])
    model.evaluate(X.iloc[:50], y[:50])
    pd.testing.assert_frame_equal(model.estimator_.asked_[-1], X.iloc[:50])


@pytest.mark.parametrize(
    ("form", "columns"), [(sparse.csr_matrix, 12), (sparse.coo_array, 12), (sparse.csc_array, 400)]
)
def test_sparse_matrices(rng, form, columns):
    dense = rng.poisson(0.2, (N + N_TEST, columns)) * 1.0
    y = (rng.random(N + N_TEST) < expit(dense[:, 0] + dense[:, 1] - 0.5)).astype(int)
    X = sparse.csr_array(dense)
    model = ConformalROC(LogisticRegression(), reference="learned", random_state=0)
    check(model, X, y, lambda X, rows: form(X[rows]))


def test_lists_of_texts(rng):
    words = rng.choice(["good", "bad", "film", "actor", "plot"], (N + N_TEST, 9))
    X, y = [" ".join(row) for row in words], ((words == "good").sum(1) > 1).astype(int)
    y = np.where(rng.random(y.size) < 0.2, 1 - y, y)
    texts = make_pipeline(CountVectorizer(), LogisticRegression())
    fitted, _ = check(ConformalROC(texts, reference="learned", random_state=0), X, y)
    for series in (pd.Series(X, index=range(5, 5 + len(X))), pl.Series(X)):
        again = ConformalROC(texts, reference="learned", random_state=0).fit(series[:N], y[:N])
        np.testing.assert_allclose(again.residuals_[1], fitted.residuals_[1])
        assert again.evaluate(series[N:], y[N:]).scores.size == N_TEST


def test_nested_lists_of_mixed_values(rng):
    X, y = frame(rng)
    rows = X[["where", "member"]].astype(object).to_numpy().tolist()
    clf = make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression())
    check(ConformalROC(clf, reference="learned", random_state=0), rows, y)


def test_missing_values_where_the_estimator_takes_them(rng):
    X = np.where(rng.random((N + N_TEST, 6)) < 0.1, np.nan, rng.normal(size=(N + N_TEST, 6)))
    y = np.resize([0, 1], N + N_TEST)
    check(ConformalROC(HistGradientBoostingClassifier(), reference="learned"), X, y)
    with pytest.raises(ValueError, match=r"^X: LogisticRegression does not take this table as it"):
        ConformalROC(LogisticRegression()).fit(X, y)


@pytest.mark.parametrize("of", [pd.DataFrame, pl.DataFrame, pd.DataFrame.to_numpy])
def test_a_missing_text_names_its_column(rng, of):
    y = np.resize([0, 1], N)
    X = pd.DataFrame({"age": rng.normal(size=N), "remark": ["slept well", "coughs"] * (N // 2)})
    X["remark"] = X["remark"].astype(object).where(np.arange(N) % 9 > 0, None)
    column = 1 if of is pd.DataFrame.to_numpy else "remark"
    to_columns = ColumnTransformer([("words", CountVectorizer(), column)])
    reads = make_pipeline(to_columns, LogisticRegression())
    named = f"^X: Pipeline .* missing texts in column {column!r}, expected none .*: fill them"
    with pytest.raises(ValueError, match=named):
        ConformalROC(reads).fit(of(X), y)
    told = X.fillna({"remark": ""})
    fitted = ConformalROC(reads, reference="score").fit(of(told), y)
    with pytest.raises(ValueError, match=named.replace("X:", "X_test:")):
        fitted.evaluate(of(X), y)


def test_another_fault_of_a_table_with_gaps_is_told_first(rng):
    X = pl.DataFrame({"age": rng.normal(size=N), "ward": ["north", None] * (N // 2)})
    words = make_column_selector(dtype_exclude="number")
    to_columns = ColumnTransformer([("levels", OneHotEncoder(), words)])
    levels = make_pipeline(to_columns, LogisticRegression())
    named = (
        "^X: Pipeline .* as it is: make_column_selector .*; found missing texts in column 'ward'"
    )
    with pytest.raises(ValueError, match=named):
        ConformalROC(levels).fit(X, np.resize([0, 1], N))


@pytest.mark.parametrize("of", [pd.Series.tolist, lambda texts: texts.rename("remark")])
def test_a_missing_text_among_texts_is_said(of):
    y, texts = np.resize([0, 1], N), pd.Series(["slept well", None, "coughs", "eats"] * (N // 4))
    column = "0" if isinstance(of(texts), list) else "'remark'"
    with pytest.raises(ValueError, match=f"^X: found missing texts in column {column}, expected"):
        ConformalROC(make_pipeline(CountVectorizer(), LogisticRegression())).fit(of(texts), y)


def test_a_calibration_set_of_its_own_a_frozen_classifier_and_several_splits(rng):
    X, y = frame(rng)
    clf = pipeline().fit(X[:60], y[:60])
    for model, more in [
        (ConformalROC(pipeline(), reference="learned"), True),
        (ConformalROC(FrozenEstimator(clf), reference="learned"), True),
        (ConformalROC(pipeline(), reference="kernel", resplits=3, progress=False), False),
        (ConformalROC(pipeline(), reference="score", neighbors=30, distance="score"), False),
        (ConformalROC(pipeline(), reference="learned", neighbors=40), False),
        (ConformalROC(pipeline(), reference="score", neighbors=40), False),
    ]:
        sets = {"X_calibration": X[60:120], "y_calibration": y[60:120]} if more else {}
        fitted = model.fit(X[:60] if more else X[:120], y[:60] if more else y[:120], **sets)
        assert np.isfinite(fitted.evaluate(X[120:], y[120:]).band(0.2).fpr_upper).all()


def test_a_reference_that_looks_at_no_features_asks_for_none(rng):
    # The encoder cannot convert columns of lists.
    X = pd.DataFrame({"embedding": list(rng.normal(size=(N + N_TEST, 3)))})
    y = np.resize([0, 1], N + N_TEST)
    unpack = FunctionTransformer(lambda X: np.stack(X["embedding"].to_list()))
    clf = make_pipeline(unpack, LogisticRegression())
    check(ConformalROC(clf, reference="score", random_state=0), X, y, of_frame)
    with pytest.raises(TypeError, match="'ndarray' in column 'embedding', expected numbers"):
        ConformalROC(clf, reference="learned", random_state=0).fit(X, y)
    # a classifier with a constant score still has diagnostics
    dummy = ConformalROC(DummyClassifier(), reference=clf, random_state=0).fit(X, y)
    assert np.isfinite(dummy.evaluate(X, y).support.effective_n).all()


def test_an_encoder_of_ones_own_decides_what_is_near(rng):
    X, y = frame(rng)
    seen = []

    class Members(FunctionTransformer):
        def fit(self, X, y=None):
            seen.append((len(X), y))
            return super().fit(X, y)

    own = Members(lambda X: X[["member", "income"]].to_numpy(dtype=float))
    model = ConformalROC(pipeline(), reference="kernel", encoder=own, random_state=0)
    fitted, _ = check(model, X, y, of_frame)
    assert seen == [(N // 2, None)]  # the training part, and no labels
    assert fitted.splits_[0].points.array.shape == (N // 2, 2)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"encoder": "hash"}, ValueError, "encoder: found 'hash', expected 'auto', or a transf"),
        ({"encoder": 3}, TypeError, "encoder: found 3, expected 'auto', a transformer or None"),
        ({"encoder": TargetEncoder()}, ValueError, "encoder: found TargetEncoder, expected a tra"),
        (
            {"distance": [1.0] * 6},
            ValueError,
            "distance: found one value per feature for an encoded table",
        ),
        ({"distance": "near"}, ValueError, "distance: found 'near'"),
        ({"bandwidth": [1.0] * 6}, ValueError, "bandwidth: found one value per feature"),
        ({"bandwidth": -1.0}, ValueError, "bandwidth"),
    ],
)
def test_options_that_do_not_fit_a_table_are_refused(rng, options, error, message):
    X, y = frame(rng)
    model = ConformalROC(pipeline(), reference="kernel", neighbors=20, **options)
    with pytest.raises(error, match=message):
        model.fit(X, y)


def test_levels_that_were_never_seen_and_columns_that_are_all_missing(rng):
    X, y = frame(rng)
    X["nothing"] = np.nan
    model = ConformalROC(pipeline(), reference="learned", random_state=0).fit(X[:N], y[:N])
    new = X[N:].assign(where="the moon", age=np.nan)
    assert np.isfinite(model.evaluate(new, y[N:]).support.share)
    assert np.isfinite(model.predict_interval(new.iloc[[0]], 0)[0]).all()


def renamed(names):
    def change(X):
        return X.set_axis(names, axis=1)

    return change


@pytest.mark.parametrize(
    "change",
    [
        renamed(range(6)),
        renamed(["a", "b", "a", "c", "d", "e"]),
        renamed(pd.MultiIndex.from_product([["x"], list("abcdef")])),
        lambda X: X.set_axis(np.zeros(len(X), dtype=int)),
        lambda X: X.convert_dtypes(dtype_backend="pyarrow"),
    ],
    ids=["numbers", "twice", "levels", "one index", "arrow types"],
)
def test_names_and_indices_of_every_kind(rng, change):
    X, y = frame(rng)
    options = {"reference": "kernel", "random_state": 0}
    plain = ConformalROC(Recorder(), **options).fit(X[:N], y[:N])
    fitted, _ = check(ConformalROC(Recorder(), **options), change(X), y, of_frame)
    np.testing.assert_array_equal(fitted.residuals_[1], plain.residuals_[1])


@pytest.mark.parametrize("calibration", ["split", "cross"])
@pytest.mark.parametrize(
    "form",
    [
        lambda y: np.where(y == 1, "yes", "no"),
        lambda y: y == 1,
        lambda y: pd.Series(pd.Categorical(np.where(y == 1, "yes", "no"))),
        lambda y: pd.Series(y, dtype="Int64"),
        lambda y: pl.Series(y == 1),
        pa.array,
    ],
    ids=["strings", "truth values", "categories", "nullable", "polars", "arrow"],
)
def test_labels_of_every_kind_that_goes_with_a_frame(rng, form, calibration):
    X, y = frame(rng)
    options = {"reference": "score", "calibration": calibration, "random_state": 0}
    plain = ConformalROC(pipeline(), **options).fit(X[:N], y[:N])
    found = ConformalROC(pipeline(), **options).fit(X[:N], form(y[:N]))
    for one, other in zip(plain.classes_, found.classes_, strict=True):
        np.testing.assert_array_equal(found.residuals_[other], plain.residuals_[one])
    assert found.evaluate(X[N:], form(y[N:])).scores.size == N_TEST
