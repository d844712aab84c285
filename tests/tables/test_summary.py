"""Test sets in tables: results equal those from arrays, within the stated error."""

import decimal
import fractions

import dask.dataframe as dd
import duckdb
import numpy as np
import oracles
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from dask.distributed import Client, LocalCluster
from data import CURVES, assert_same_curves, scored
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from summaries import CALIBRATION, RNG, exact, frame, summarized

from conformal_roc_widget import RocEvaluation, ROCWidget
from conformal_roc_widget.tables import summary as table
from conformal_roc_widget.tables.table_columns import ColumnNames, with_plain_names

GRID = np.linspace(1, 0, 1001)
EDGES = [0.0, 1.0, 5e-324, 1e-300, 1e-17, 2**-53, 1 - 2**-53, 0.25, np.nextafter(0.25, 1), 0.5]
SCORES = st.one_of(st.sampled_from(EDGES), st.floats(0, 1))


def check(found, y, score, alpha=0.1, thresholds=GRID):
    """Compares rates, limits and areas with those of all points.

    Returns the largest difference of a rate.
    """
    expected = exact(y, score)
    assert found.n_test == expected.n_test
    assert found.classes == expected.classes
    bands = [each.band(alpha, thresholds) for each in (found, expected)]
    wrong = max(
        np.abs(getattr(bands[0], name) - getattr(bands[1], name)).max() for name in CURVES[1:]
    )
    slack = 1e-12
    assert wrong <= found.error + slack
    assert np.abs(
        np.subtract(found.ideal_auc_range(alpha), expected.ideal_auc_range(alpha))
    ).max() <= (2 * found.error + slack)
    assert np.abs(np.subtract(found.youden(alpha)[:3], expected.youden(alpha)[:3])).max() <= (
        2 * found.error + slack
    )
    for name in ("quantiles", "n_calibration", "guaranteed", "vacuous"):
        assert getattr(bands[0], name) == getattr(bands[1], name)
    return wrong


@pytest.fixture(scope="module")
def large():
    y, score = scored(RNG, 40_000)
    score[:50], score[50:90], score[90:200] = 0, 1, 0.25
    return y, score


@pytest.fixture(scope="module")
def path(tmp_path_factory, large):
    file = tmp_path_factory.mktemp("tables") / "scores.parquet"
    pl.DataFrame({"p": large[1], "y": large[0]}).write_parquet(file, row_group_size=5_000)
    return file


SOURCES = {
    "pandas": frame,
    "pandas, shuffled index": lambda y, s: frame(y, s).set_index(np.arange(len(y))[::-1]),
    "pandas, nullable": lambda y, s: frame(y, s).convert_dtypes(),
    "pandas, arrow": lambda y, s: frame(y, s).convert_dtypes(dtype_backend="pyarrow"),
    "polars": lambda y, s: pl.DataFrame({"p": s, "y": y}),
    "polars, lazy": lambda y, s: pl.LazyFrame({"p": s, "y": y}),
    "pyarrow": lambda y, s: pa.table({"p": s, "y": y}),
    "duckdb": lambda y, s: duckdb.from_arrow(pa.table({"p": s, "y": y})),
    "dask": lambda y, s: dd.from_pandas(frame(y, s), npartitions=3),
}


@pytest.mark.parametrize("engine", SOURCES)
def test_every_engine_gives_the_same_summary_close_to_every_point(engine, large):
    found = summarized(SOURCES[engine](*large))
    assert 0 < found.error < 0.005
    assert 0 < check(found, *large) <= found.error
    same = summarized(frame(*large))
    for name in ("scores", "labels", "counts"):
        np.testing.assert_array_equal(getattr(found, name), getattr(same, name))


@pytest.mark.parametrize("absent", [(), ("polars",), ("polars", "duckdb")])
def test_a_parquet_file_is_read_by_whichever_library_is_there(absent, path, large, monkeypatch):
    real = table.importlib.util.find_spec
    monkeypatch.setattr(
        table.importlib.util, "find_spec", lambda name: None if name in absent else real(name)
    )
    monkeypatch.setattr(table, "ROWS", 7_000)
    for source in (path, str(path), str(path.parent / "*.parquet")):
        if "*" in str(source) and len(absent) == 2:
            continue  # pyarrow reads files and folders
        check(summarized(source), *large)


def test_without_a_reader_of_parquet_the_error_names_them(path, monkeypatch):
    monkeypatch.setattr(table.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="polars, duckdb or pyarrow"):
        summarized(path)


@given(data=st.data(), alpha=st.sampled_from([0.05, 0.2, 0.5]))
def test_no_rate_or_limit_is_farther_off_than_the_error_says(data, alpha):
    n = data.draw(st.integers(2, 60))
    score = data.draw(hnp.arrays(float, n, elements=SCORES))
    y = data.draw(hnp.arrays(int, n, elements=st.integers(0, 1)))
    y[:2] = 0, 1
    thresholds = np.concatenate([score, np.nextafter(score, 2), GRID[::50]])
    found = summarized(pl.DataFrame({"p": score, "y": y}))
    check(found, y, score, alpha, thresholds)
    assert found.scores.size == found.labels.size == found.counts.size
    assert sum(found.n_test.values()) == n == found.counts.sum()


def test_the_auc_of_a_summary_is_the_double_loop_over_its_rows():
    y, score = scored(RNG, 80, decimals=1)
    found = summarized(frame(y, score))
    assert found.scores.size < 30
    assert found.observed_auc == pytest.approx(oracles.auc(score.tolist(), y.tolist()), abs=1e-14)


def test_the_error_tells_where_scores_lie_too_close_together():
    score = np.concatenate([np.linspace(0.5, 0.5 + 1e-9, 101), [0.1, 0.9]])
    y = np.array([0] * 101 + [1, 1])
    found = summarized(frame(y, score))
    assert found.error == 50 / 101
    assert "0.5" in found.lasting_notes[0]
    assert check(found, y, score, thresholds=score) == pytest.approx(49 / 101, abs=2 / 101)


@pytest.mark.parametrize(
    ("calibration", "held"),
    [
        (lambda y: np.where(y == 1, "sick", "fine"), lambda y: np.where(y == 1, "sick", "fine")),
        (lambda y: np.where(y == 1, "sick", "fine"), "categories"),
        (lambda y: y == 1, lambda y: y),
        (lambda y: y, lambda y: y == 1),
        (lambda y: y, lambda y: y.astype(float)),
        (lambda y: y, lambda y: y.astype(np.uint8)),
        (lambda y: y * 2.5, lambda y: y * 2.5),
        (lambda y: y * 2 - 1, lambda y: (y * 2 - 1).astype(np.int8)),
    ],
)
def test_labels_are_texts_or_numbers_of_any_kind(calibration, held):
    y, score = scored(RNG, 300)
    expected = summarized(frame(y, score))
    names = np.where(y == 1, "sick", "fine")
    columns = pd.Categorical(names) if held == "categories" else held(y)
    for source in (frame(columns, score), pl.from_pandas(frame(columns, score)).lazy()):
        found = summarized(source, (calibration(CALIBRATION[0]), CALIBRATION[1]))
        assert_same_curves(found.band(0.1), expected.band(0.1))


@pytest.mark.parametrize("kind", [np.float32, "decimal", int])
def test_scores_are_numbers_of_any_kind(kind):
    y, score = scored(RNG, 300, decimals=2)
    column = pl.Series(score)
    column = column.cast(pl.Decimal(10, 2)) if kind == "decimal" else pl.Series(score.astype(kind))
    found = summarized(pl.DataFrame({"p": column, "y": y}))
    check(found, y, column.cast(pl.Float64).to_numpy())


def objects(values):
    return np.array(values.tolist(), dtype=object)


#: Arrays that `from_predictions` takes too.
COLUMNS = {
    "categories": pd.Categorical,
    "objects": objects,
    "decimals": lambda v: [decimal.Decimal(repr(each)) for each in v.tolist()],
    "fractions": lambda v: [fractions.Fraction(repr(each)) for each in v.tolist()],
    "sparse": pd.arrays.SparseArray,
    "long doubles": lambda v: v.astype(np.longdouble),
}


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("column", ["p", "y", "w"])
def test_a_column_in_memory_may_be_what_an_array_may_be(kind, column):
    y, score = scored(RNG, 300, decimals=3)
    source = pd.DataFrame({"p": score, "y": y, "w": np.resize([1.0, 2.0], 300)})
    expected = from_weighted_table(source).band(0.1)
    odd = source.assign(**{column: COLUMNS[kind](source[column].to_numpy())})
    odd.index = [0] * 300
    assert_same_curves(from_weighted_table(odd).band(0.1), expected)
    if kind == "categories":
        assert_same_curves(from_weighted_table(pa.Table.from_pandas(odd)).band(0.1), expected)
        lazy = dd.from_pandas(odd.reset_index(drop=True), npartitions=3)
        assert_same_curves(from_weighted_table(lazy).band(0.1), expected)


def test_labels_in_memory_may_be_whatever_python_compares():
    y, score = scored(RNG, 300)
    expected = summarized(frame(y, score)).band(0.1)
    for zero, one in ((b"a", b"b"), (False, True), (decimal.Decimal(0), decimal.Decimal(1))):
        named = [one if each else zero for each in y]
        calibration = [one if each else zero for each in CALIBRATION[0]]
        for source in (
            frame(pd.Series(named, dtype=object), score),
            pl.DataFrame({"p": score, "y": pl.Series(named, dtype=pl.Object)}),
        ):
            found = summarized(source, (np.array(calibration), CALIBRATION[1]))
            assert_same_curves(found.band(0.1), expected)


@pytest.mark.parametrize(
    "sql", ["p::DECIMAL(18,6) AS p, y::DECIMAL(4,0) AS y", "p, y::HUGEINT AS y"]
)
def test_decimals_of_duckdb_are_numbers(sql):
    y, score = scored(RNG, 300, decimals=3)
    rows = pa.table({"p": score, "y": y})
    found = summarized(duckdb.from_arrow(rows).project(sql))
    assert_same_curves(found.band(0.1), summarized(frame(y, score)).band(0.1))


@pytest.mark.parametrize("names", [(0, 1), (("m", "p"), ("m", "y")), (np.int64(0), np.int64(1))])
def test_columns_of_pandas_may_have_names_that_are_no_text(names):
    y, score = scored(RNG, 300)
    source = pd.DataFrame(dict(zip(names, (score, y), strict=True)))
    told = {"score": names[0], "label": names[1]}
    given = dict(zip(("y_calibration", "score_calibration"), CALIBRATION, strict=True))
    found = RocEvaluation.from_table(source, **told, **given)
    assert_same_curves(found.band(0.1), summarized(frame(y, score)).band(0.1))
    with pytest.raises(ValueError, match="label: found no column 7, expected one of"):
        RocEvaluation.from_table(source, **{**told, "label": 7}, **given)


TWICE = {
    "pandas": lambda f: pd.concat([f, f["p"]], axis=1),
    "pyarrow": lambda f: pa.table([f.p, f.y, f.p], names=["p", "y", "p"]),
    "duckdb": lambda f: duckdb.from_arrow(pa.Table.from_pandas(f)).project("p, y, p"),
}


@pytest.mark.parametrize("engine", TWICE)
def test_a_column_that_stands_twice_is_named(engine):
    source = frame(*scored(RNG, 60))
    with pytest.raises(
        ValueError, match="score: found 2 columns named 'p' in source, expected one"
    ):
        summarized(TWICE[engine](source))
    beside = {"other": source.y, "y": source.y}
    twice = pd.DataFrame(beside | {"p": source.p, "z": 1}).set_axis(["o", "y", "p", "o"], axis=1)
    assert_same_curves(summarized(twice).band(0.1), summarized(source).band(0.1))


@pytest.mark.parametrize(
    ("spoil", "error", "message"),
    [
        ({"p": ["x", *[0.5] * 59]}, TypeError, "score: found values of type 'str' in column 'p'"),
        ({"p": [None, *[0.5] * 59]}, ValueError, "score: found 1 missing"),
        ({"y": [None, *[0, 1] * 29, 1]}, ValueError, "0 rows with other labels and 1 without one"),
        ({"y": ["b", *[0, 1] * 29, 1]}, ValueError, "label: found 'b' in column 'y', expected the"),
        ({"y": [b"b", b"a"] * 30}, ValueError, "label: found b'b', b'a' in column 'y'"),
    ],
)
def test_objects_that_are_no_scores_or_labels_are_named(spoil, error, message):
    source = frame(*scored(RNG, 60)).assign(
        **{name: pd.Series(values, dtype=object) for name, values in spoil.items()}
    )
    with pytest.raises(error, match=message):
        summarized(source)


def test_one_column_for_both_is_refused():
    y, score = CALIBRATION
    with pytest.raises(ValueError, match="score, label: found 'p' for both"):
        RocEvaluation.from_table(
            frame(y, score), score="p", label="p", y_calibration=y, score_calibration=score
        )


def test_a_frame_in_memory_is_reduced_piece_by_piece(large, monkeypatch):
    whole = summarized(frame(*large))
    monkeypatch.setattr(table, "ROWS", 1_000)
    for source in ("pandas", "polars", "pyarrow"):
        found = summarized(SOURCES[source](*large))
        np.testing.assert_array_equal(found.scores, whole.scores)
        np.testing.assert_array_equal(found.counts, whole.counts)


def test_the_columns_of_a_pandas_frame_are_not_copied():
    given = pd.DataFrame({"y": [0, 1, 1], "p": [0.1, 0.2, 0.4]}, index=[7, 7, 8])
    named, inside = with_plain_names(given, ColumnNames("p", "p", "y"))
    assert named.index.tolist() == [7, 7, 8]
    for name, column in inside.named().items():
        original = given[{"weight": "y"}.get(name, "p")]
        assert named[column].tolist() == original.tolist()
        assert np.shares_memory(named[column].to_numpy(), original.to_numpy())


@pytest.mark.parametrize("labels", ["texts", "categories", "booleans"])
def test_dask_partitions_may_be_empty_and_their_labels_of_any_kind(labels):
    y, score = scored(RNG, 300)
    classes = np.array([False, True] if labels == "booleans" else ["fine", "sick"])
    names = classes[y]
    column = pd.Categorical(names) if labels == "categories" else names
    lazy = dd.from_pandas(frame(column, score), npartitions=3, sort=False)
    lazy = lazy[lazy["p"] > np.median(score)]
    kept = score > np.median(score)
    parts = dd.concat([lazy[lazy["p"] > 2], lazy])
    found = summarized(parts, (classes[CALIBRATION[0]], CALIBRATION[1]))
    assert_same_curves(found.band(0.1), summarized(frame(y[kept], score[kept])).band(0.1))


@pytest.mark.parametrize(
    ("spoil", "error", "message"),
    [
        (lambda f: f.rename(columns={"p": "q"}), ValueError, "score: found no column 'p'"),
        (lambda f: f.rename(columns={"y": "z"}), ValueError, "label: found no column 'y'"),
        (lambda f: f.assign(p="high"), TypeError, "score: found column 'p' of type String"),
        (lambda f: f.assign(y="sick"), TypeError, "label: found column 'y' of type String"),
        (lambda f: f.assign(p=f["p"] + 1), ValueError, "values outside"),
        (lambda f: f.assign(y=f["y"] + 5), ValueError, "rows with other labels"),
        (lambda f: f.assign(y=1), ValueError, "label: found no row of 0"),
        (lambda f: f[f["p"] > 2], ValueError, "source: found no rows"),
        (
            lambda f: f.map_partitions(lambda part: part.loc[["no such row"]], meta=f._meta),
            ValueError,
            "source: cannot be read: .*no such row",
        ),
    ],
)
def test_a_dask_frame_is_refused_as_any_other(spoil, error, message):
    lazy = dd.from_pandas(frame(*scored(RNG, 60)), npartitions=3)
    with pytest.raises(error, match=message):
        summarized(spoil(lazy))


def test_a_small_summary_is_sent_to_the_page_point_by_point():
    y, score = scored(RNG, 300, decimals=1)
    widgets = [ROCWidget(made) for made in (summarized(frame(y, score)), exact(y, score))]
    sent = [widget._data["entries"][0] for widget in widgets]
    assert sent[0]["whole"]
    for name in ("thresholds", "fp", "tp", "centres", "scores", "residuals", "logits"):
        assert sent[0][name] == sent[1][name], name
    frames = [widget._frame["entries"][0] for widget in widgets]
    assert frames[0] == frames[1]


def weighed(seed, whole):
    """A table with ties and weights, some of them 0, and its columns."""
    rng = np.random.default_rng(seed)
    y, score = scored(rng, 900)
    score[:60], score[60:90] = 0.25, 1.0
    weight = rng.integers(0, 4, y.size) if whole else rng.exponential(size=y.size).round(3)
    return y, score, weight.astype(float)


def from_weighted_table(source):
    return summarized(source, weight="w")


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_weight_is_the_row_of_a_table_repeated_to_the_bit(seed):
    y, score, weight = weighed(seed, whole=True)
    found = from_weighted_table(pd.DataFrame({"p": score, "y": y, "w": weight}))
    often = weight.astype(int)
    expected = summarized(frame(np.repeat(y, often), np.repeat(score, often)))
    assert_same_curves(found.band(0.1), expected.band(0.1))
    assert found.ideal_auc_range(0.1) == expected.ideal_auc_range(0.1)
    assert found.n_test == {k: int(((y == k) & (weight > 0)).sum()) for k in (0, 1)}


@pytest.mark.parametrize(
    "engine",
    [
        pd.DataFrame,
        pl.DataFrame,
        pl.LazyFrame,
        pa.table,
        lambda columns: duckdb.from_arrow(pa.table(columns)),
        lambda columns: dd.from_pandas(pd.DataFrame(columns), npartitions=3),
    ],
    ids=["pandas", "polars", "lazy", "arrow", "duckdb", "dask"],
)
def test_a_weighted_table_is_the_weighted_points_on_every_engine(engine):
    y, score, weight = weighed(0, whole=False)
    found = from_weighted_table(engine({"p": score, "y": y, "w": weight}))
    expected = RocEvaluation.from_predictions(*CALIBRATION, y, score, sample_weight_test=weight)
    for thresholds in (np.linspace(1, 0, 401), [0.25]):
        one, two = (each.band(0.1, thresholds) for each in (found, expected))
        for name in CURVES[1:]:
            wrong = np.abs(getattr(one, name) - getattr(two, name)).max()
            assert wrong <= found.error + 1e-12
    assert (
        np.abs(np.subtract(found.ideal_auc_range(0.1), expected.ideal_auc_range(0.1))).max()
        <= 2 * found.error + 1e-12
    )
    assert found.n_test == expected.n_test
    assert found.error < 0.05  # a bin holds 30 equal scores and a different one


def test_a_weighted_table_promises_nothing_that_counts_independent_rows():
    y, score, weight = weighed(0, whole=False)
    columns = {"p": score.round(2), "y": y}  # each bin holds equal scores only
    found = from_weighted_table(pd.DataFrame(columns | {"w": weight}))
    for ask in (
        lambda: found.threshold_for(sensitivity=0.5, confidence=0.8),
        lambda: found.reliability(0.1),
    ):
        with pytest.raises(ValueError, match="found test rows with weights, expected"):
            ask()
    alike = from_weighted_table(pd.DataFrame(columns | {"w": 0.25}))
    assert alike.threshold_for(sensitivity=0.5, confidence=0.8).threshold is not None
    assert alike.reliability(0.1).lower.max() > 0


def test_a_bin_of_two_scores_has_half_of_its_mass_at_either():
    """A positive row of each class shares a bin with another score: at most half of 3 + 1 rows is
    misplaced.
    """
    score = np.array([0.3, 0.3 * (1 + 1e-9), 0.9, 0.1])
    y, weight = np.array([1, 1, 1, 0]), np.array([3.0, 1.0, 4.0, 2.0])
    found = from_weighted_table(pd.DataFrame({"p": score, "y": y, "w": weight}))
    assert found.error == 2 / 8
    assert found.operating_point(0.3 * (1 + 1e-9)).tpr == 6 / 8  # the exact value is 5 / 8


@pytest.mark.parametrize(
    ("weight", "error", "message"),
    [
        ([1.0, -1.0, 1.0], ValueError, "weight: found 1 missing, negative or not finite values"),
        ([1.0, np.nan, np.inf], ValueError, "weight: found 2 missing, negative or not finite"),
        ([1.0, None, 1.0], ValueError, "weight: found 1 missing, negative or not finite values"),
        (["a", "b", "c"], TypeError, "weight: found column 'w' of type String, expected numbers"),
        ([0.0, 0.0, 0.0], ValueError, "source: found no rows with a weight above 0"),
        ([0.0, 1.0, 0.0], ValueError, "label: found no row of 0 with a weight above 0"),
    ],
)
def test_bad_weights_of_a_table_are_refused_by_name(weight, error, message):
    source = pl.DataFrame({"p": [0.2, 0.7, 0.4], "y": [0, 1, 0], "w": weight}, strict=False)
    with pytest.raises(error, match=message):
        from_weighted_table(source)
    with pytest.raises(ValueError, match="weight: found no column 'w'"):
        from_weighted_table(source.drop("w"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_dask_cluster_reduces_a_table_and_its_parts_merge(path, large):
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        lazy = dd.read_parquet(path, split_row_groups=True)
        assert lazy.npartitions > 1
        found = summarized(lazy)
        half = len(large[0]) // 2
        parts = [
            summarized(dd.from_pandas(frame(large[0][rows], large[1][rows]), npartitions=2))
            for rows in (slice(None, half), slice(half, None))
        ]
    check(found, *large)
    merged = parts[0].merged(parts[1])
    for name in ("scores", "labels", "counts"):
        np.testing.assert_array_equal(getattr(merged, name), getattr(found, name))
