"""Finite numbers of every size: no exception but the documented ones, no warning, and every invariant holds."""

import json
import math
import re
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from comm import DummyComm
from data import evaluation_from_scores
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from jupyter_client.session import json_packer
from scipy.special import expit
from scipy.stats import rankdata
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from strategies import (
    ALPHAS,
    CLASSES,
    FINITE,
    PROBABILITIES,
    RULES,
    THRESHOLDS,
    calibration_rows,
    codes,
    held,
    scored_rows,
)

from conformal_roc_widget import (
    ConformalROC,
    RocEvaluation,
    ROCWidget,
    average_bands,
    charts,
    comparators,
    conformal_quantiles,
    guaranteed_coverage,
    kernel_logit,
    simulation,
)
from conformal_roc_widget.calibration.logits import logit_of
from conformal_roc_widget.comparators.clopper_pearson import clopper_pearson
from conformal_roc_widget.evaluation.sorted_sample import Limits, SortedSample, share_ranked_above
from conformal_roc_widget.evaluation.support import logistic_slope
from conformal_roc_widget.wire.encoding import as_json

#: For properties that take longer than others.
FEWER = settings(max_examples=settings.default.max_examples // 3)
RATES = ("fpr_lower", "fpr", "fpr_upper", "tpr_lower", "tpr", "tpr_upper")
RESIDUALS = st.lists(st.one_of(FINITE, st.sampled_from([math.inf, -math.inf])), max_size=60)


@given(values=RESIDUALS, alphas=st.tuples(ALPHAS, ALPHAS), rule=RULES, data=st.data())
def test_quantiles_are_residuals_or_infinite_ordered_nested_and_blind_to_the_order(
    values, alphas, rule, data
):
    small, large = sorted(alphas)
    values = np.array(values, dtype=float)
    outer, inner = (conformal_quantiles(values, alpha, rule) for alpha in (small, large))
    assert outer[0] <= inner[0] <= inner[1] <= outer[1]
    assert set(inner) <= {*values.tolist(), -math.inf, math.inf}
    assert guaranteed_coverage(values.size, large, rule) >= 1 - large
    shuffled = values[data.draw(st.permutations(range(values.size)))] if values.size else values
    assert conformal_quantiles(data.draw(held(shuffled)), large, rule) == inner


@st.composite
def evaluations(draw, max_size=24):
    calibration, test = draw(calibration_rows()), draw(scored_rows(max_size=max_size))
    return RocEvaluation.from_predictions(*calibration, *test, quantile_rule=draw(RULES))


def check_band(band):
    for name in RATES:
        rates = getattr(band, name)
        assert ((rates >= 0) & (rates <= 1)).all(), name
        assert (np.diff(rates) >= 0).all(), f"{name} falls as the threshold falls"
    assert (band.thresholds[1:] <= band.thresholds[:-1]).all()
    assert (band.fpr_lower <= band.fpr_upper).all()
    assert (band.tpr_lower <= band.tpr_upper).all()
    for name in ("fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"):
        assert (getattr(band, name)[band.thresholds >= 1] == 0).all()
        assert (getattr(band, name)[band.thresholds < 0] == 1).all()


@given(evaluation=evaluations(), alpha=ALPHAS, thresholds=st.lists(THRESHOLDS, max_size=20))
def test_limits_are_rates_in_order_and_monotone_at_every_threshold(evaluation, alpha, thresholds):
    check_band(evaluation.band(alpha))
    check_band(evaluation.band(alpha, thresholds=np.array(thresholds, dtype=float)))


@given(evaluation=evaluations(), alphas=st.tuples(ALPHAS, ALPHAS), threshold=THRESHOLDS)
def test_all_answers_are_nested_in_alpha(evaluation, alphas, threshold):
    small, large = sorted(alphas)

    def within(outer, inner):
        for name in ("fpr", "tpr"):
            assert np.all(getattr(outer, f"{name}_lower") <= getattr(inner, f"{name}_lower"))
            assert np.all(getattr(outer, f"{name}_upper") >= getattr(inner, f"{name}_upper"))

    within(evaluation.band(small), evaluation.band(large))
    within(
        evaluation.operating_point(threshold, small), evaluation.operating_point(threshold, large)
    )
    for outer, inner in (
        (evaluation.auc(small)[1:], evaluation.auc(large)[1:]),
        (evaluation.youden(small)[1:3], evaluation.youden(large)[1:3]),
    ):
        assert 0 <= outer[0] <= inner[0] <= inner[1] <= outer[1] <= 1
    (outer_low, outer_high), (low, high) = (evaluation.intervals(a) for a in (small, large))
    assert (outer_low >= 0).all()
    assert (outer_low <= low).all()
    assert (low <= high).all()
    assert (high <= outer_high).all()
    assert (outer_high <= 1).all()


@given(evaluation=evaluations(), alpha=ALPHAS, thresholds=st.lists(THRESHOLDS, max_size=8))
def test_the_observed_curve_is_inside_where_the_quantiles_lie_on_both_sides_of_zero(
    evaluation, alpha, thresholds
):
    given = np.concatenate([thresholds, evaluation.scores])
    # An exact 0 counts as 2^-53, above the thresholds in between, which it does not reach.
    assume(not ((evaluation.scores == 0).any() and ((given > 0) & (given < 2.0**-53)).any()))
    for band in (evaluation.band(alpha), evaluation.band(alpha, thresholds=given)):
        below_one = band.thresholds < 1
        for k, name in ((0, "fpr"), (1, "tpr")):
            low, high = band.quantiles[k]
            own = logit_of(evaluation.scores[evaluation.labels == k])
            # A shift that rounds to none does not lift a score above a threshold equal to it.
            if low < 0 < high and (own + high > own).all():
                rates = getattr(band, name)[below_one]
                assert (getattr(band, f"{name}_lower")[below_one] <= rates).all()
                assert (rates <= getattr(band, f"{name}_upper")[below_one]).all()


@FEWER
@given(calibration=calibration_rows(), test=scored_rows(), alpha=ALPHAS, data=st.data())
def test_neither_the_order_nor_the_containers_nor_the_names_of_the_classes_matter(
    calibration, test, alpha, data
):
    plain = RocEvaluation.from_predictions(*calibration, *test)
    classes = data.draw(CLASSES)
    order = np.array(data.draw(st.permutations(range(test[0].size))))
    parts = [classes[calibration[0]], calibration[1], classes[test[0]][order], test[1][order]]
    given = [data.draw(held(part)) for part in parts]
    other = RocEvaluation.from_predictions(*given)
    assert other.classes == tuple(classes.tolist())
    one, two = plain.band(alpha), other.band(alpha)
    for name in (*RATES, "thresholds"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    assert plain.auc(alpha) == other.auc(alpha)
    assert plain.youden(alpha) == other.youden(alpha)
    for a, b in zip(plain.intervals(alpha), other.intervals(alpha), strict=True):
        np.testing.assert_array_equal(a[order], b)
    assert plain.notes == other.notes
    for part, mine in zip(given, parts, strict=True):
        np.testing.assert_array_equal(np.asarray(part), mine, "what was given has changed")


@FEWER
@given(calibration=calibration_rows(max_size=20), test=scored_rows(), data=st.data())
def test_float32_scores_are_the_float64_numbers_that_they_are(calibration, test, data):
    narrow = [np.asarray(score, dtype=np.float32) for score in (calibration[1], test[1])]
    assume(np.unique(narrow[0][(narrow[0] > 0) & (narrow[0] < 1)]).size > 1)
    one = RocEvaluation.from_predictions(calibration[0], narrow[0], test[0], narrow[1])
    wide = [score.astype(float) for score in narrow]
    other = RocEvaluation.from_predictions(calibration[0], wide[0], test[0], wide[1])
    for name in (*RATES, "thresholds"):
        np.testing.assert_array_equal(getattr(one.band(), name), getattr(other.band(), name))


@given(evaluation=evaluations(), alpha=ALPHAS)
def test_displayed_limits_are_those_of_the_evaluation(evaluation, alpha):
    assert evaluation.at(alpha).display_auc() == evaluation.auc(alpha)
    low, high = evaluation.at(alpha).display_counts()
    at = evaluation.display_vertices
    band = evaluation.band(alpha)
    kept = np.isin(band.thresholds, at.thresholds)
    for k, name in ((0, "fpr"), (1, "tpr")):
        n = evaluation.n_test[k]
        np.testing.assert_array_equal(low[k] / n, getattr(band, f"{name}_lower")[kept])
        np.testing.assert_array_equal(high[k] / n, getattr(band, f"{name}_upper")[kept])
    support = evaluation.support
    assert 0 <= support.share <= 1
    assert (support.effective_n >= 0).all()
    assert all(isinstance(note, str) for note in evaluation.notes)
    assert set(band.vacuous) == {0, 1}
    assert band.to_frame().shape[0] == band.thresholds.size


# Features


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
    # Sums along columns that lie in memory differ in the last digit.
    by_columns = np.asfortranarray(X), y, np.asfortranarray(points)
    assert not np.isnan(kernel_logit(*by_columns, bandwidth=bandwidth)).any()


class Logit(ClassifierMixin, BaseEstimator):
    """Trained on nothing: its logit is the first feature, as far as a logit goes."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        p = expit(np.asarray(X, dtype=float)[:, 0])
        rest = (1 - p) / (self.classes_.size - 1)
        return np.column_stack([rest] * (self.classes_.size - 1) + [p])


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
    except ValueError as error:  # a label with one point cannot be parted, nor one score be spread
        if not re.match(r"y: |score_calibration: |bandwidth: |resplits: ", str(error)):
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
        except ValueError as error:  # a new split may leave a rare class out
            if options.get("resplits") != "per-instance" or "random split" not in str(error):
                raise
        else:
            assert 0 <= low[0] <= high[0] <= 1
    assert 0 <= evaluation.support.share <= 1
    assert all(isinstance(note, str) for note in evaluation.notes)


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


# Tables


@FEWER
@given(calibration=calibration_rows(max_size=12), test=scored_rows(max_size=40), data=st.data())
def test_a_table_says_what_its_rows_say_up_to_its_error_and_so_do_its_parts(
    calibration, test, data
):
    y, score = test
    given = {"y_calibration": calibration[0], "score_calibration": calibration[1]}
    frame = data.draw(st.sampled_from([pd.DataFrame, pl.DataFrame, pa.table]))

    def read(rows):
        return RocEvaluation.from_table(
            frame({"p": score[rows], "y": y[rows]}), score="p", label="y", **given
        )

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
        assert merged.auc(0.2) == found.auc(0.2)


# Comparators


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


@pytest.mark.parametrize("name", ["bootstrap", "simultaneous", "working_hotelling"])
@given(
    rows=scored_rows(min_size=6, scores=st.one_of(FINITE, PROBABILITIES)),
    alpha=ALPHAS.filter(lambda alpha: 1e-12 < alpha < 1 - 1e-9),  # rocci's quantiles end there
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


# Simulation


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


# Widgets and charts


@FEWER
@given(evaluation=evaluations(), alpha=st.floats(0.001, 0.5), threshold=st.floats(0, 1))
def test_anything_can_be_sent_to_a_page(evaluation, alpha, threshold):
    widget = ROCWidget(evaluation, alpha=alpha, threshold=threshold)
    assert widget._frame["threshold"] == threshold
    for message in (widget._data, widget._frame):
        json.dumps(as_json(message), allow_nan=False).encode()
    assert widget.to_frame().shape[0] == evaluation.n_thresholds
    widget.close()


# A chart takes a second, a property that looks at numbers a hundredth of it.
@settings(max_examples=settings.default.max_examples // 30)
@given(evaluation=evaluations(max_size=10), alpha=st.floats(0.001, 0.5), threshold=st.floats(0, 1))
def test_anything_can_be_drawn_and_saved(evaluation, alpha, threshold):
    widget = ROCWidget(evaluation, alpha=alpha, threshold=threshold)
    assert widget.chart().to_dict()
    assert charts.roc(evaluation, alpha).to_dict()
    assert charts.residuals(evaluation, alpha).to_dict()
    with tempfile.TemporaryDirectory() as folder:
        assert widget.to_svg(Path(folder) / "roc.svg").read_text().startswith("<svg")
        for data in ("arrays", "curves"):
            assert "</html>" in widget.to_html(Path(folder) / "roc.html", data=data).read_text()
    widget.close()


# Messages of a page


class Channel(DummyComm):
    """Packs what is sent as a kernel does, which refuses what is no JSON."""

    def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **keys):
        self.sent = [*getattr(self, "sent", []), data]
        json_packer(data)


NUMBERS = st.one_of(
    st.floats(),
    st.integers(),
    st.sampled_from([10**400, -(10**400), 2**63, True, False, 0.05, 0.5, 0.001, 5e-324]),
)
TEXTS = st.one_of(
    st.text(max_size=5), st.sampled_from(["\ud800", "\u2028</script>", "x" * 10**5, ""])
)
LEAVES = st.one_of(st.none(), NUMBERS, TEXTS)
INSIDE = st.one_of(LEAVES, st.lists(LEAVES, max_size=3), st.dictionaries(TEXTS, LEAVES, max_size=3))
JSON = st.one_of(INSIDE, st.lists(INSIDE, max_size=3), st.dictionaries(TEXTS, INSIDE, max_size=3))
FIELDS = {
    "type": st.one_of(st.just("state"), JSON),
    "client": st.sampled_from(["page", "other", "\ud800", "\u2028", ""]),
    "seq": st.one_of(st.integers(0, 20), NUMBERS),
    "alpha": st.one_of(st.sampled_from([0.1, 0.3]), NUMBERS),
    "threshold": st.one_of(st.sampled_from([0.25, 0.75]), NUMBERS),
}
VIEW = {
    "band": st.one_of(st.sampled_from(["both", "specificity"]), JSON),
    "label": st.one_of(st.none(), JSON),
    "weights": st.one_of(st.just("uniform"), JSON),
}
REQUESTS = st.one_of(
    JSON,
    st.fixed_dictionaries({}, optional=FIELDS | VIEW | {"else": JSON}),
    *(
        st.fixed_dictionaries(FIELDS | {"type": st.just("state"), name: JSON}, optional=VIEW)
        for name in FIELDS
    ),
)
BUFFERS = st.lists(st.binary(max_size=9), max_size=2)
SHOWN = evaluation_from_scores(1, n_test=20)


def open_widget():
    widget = ROCWidget(SHOWN)
    widget.comm = Channel()
    return widget


def check_that_a_good_request_is_answered(widget):
    good = {"type": "state", "client": "a new page", "seq": 1, "alpha": 0.2, "threshold": 0.6}
    widget._handle_msg({"content": {"data": {"method": "custom", "content": good}}, "buffers": []})
    found = [widget._frame[name] for name in ("client", "seq", "alpha", "threshold")]
    assert found == ["a new page", 1, 0.2, 0.6]
    assert widget.comm.sent[-1]["state"]["_frame"]["seq"] == 1
    widget.close()


@FEWER
@example(requests=[({"type": "state", "client": "\ud800", "seq": 1}, [])])
@example(
    requests=[
        (
            {"type": "state", "client": "a new page", "seq": 10**400, "alpha": 0.1, "threshold": 0},
            [],
        )
    ]
)
@given(requests=st.lists(st.tuples(REQUESTS, BUFFERS), min_size=1, max_size=4))
def test_a_request_of_any_form_is_met_or_refused_and_the_next_good_one_is_answered(requests):
    widget = open_widget()
    for content, buffers in requests:
        before = widget._frame
        view = {name: getattr(widget, name) for name in VIEW}
        widget._receive(widget, content, buffers)
        if widget._frame is not before:
            assert (widget._frame["client"], widget._frame["seq"]) == (
                content["client"],
                content["seq"],
            )
            assert widget.alpha == round(content["alpha"], 10)
            assert widget.threshold == content["threshold"]
            view |= {name: content[name] for name in VIEW if name in content}
        else:
            assert (widget.alpha, widget.threshold) == (before["alpha"], before["threshold"])
        assert {name: getattr(widget, name) for name in VIEW} == view
    check_that_a_good_request_is_answered(widget)


STATES = st.dictionaries(
    st.sampled_from(
        ["alpha", "threshold", "band", "label", "weights", "_data", "_frame", "_comparators", "x"]
    ),
    st.one_of(JSON, st.sampled_from([0.2, "both", "uniform", {"alpha": 1}, {}])),
    max_size=2,
)
MESSAGES = st.one_of(
    JSON,
    st.fixed_dictionaries({"method": st.just("update"), "state": STATES}),
    st.fixed_dictionaries({"method": st.just("custom"), "content": REQUESTS}),
    st.fixed_dictionaries(
        {"method": st.sampled_from(["update", "custom", "request_state", "else"])},
        optional={"state": JSON, "content": JSON, "buffer_paths": JSON},
    ),
)


@FEWER
@example(messages=[({"method": "update", "state": {"_frame": {"alpha": 1}}}, [])])
@example(messages=[({"method": "update", "state": {"_data": {}}}, [])])
@given(messages=st.lists(st.tuples(MESSAGES, BUFFERS), min_size=1, max_size=4))
def test_a_message_of_any_form_leaves_a_widget_that_answers(messages):
    widget = open_widget()
    data = widget._data
    for message, buffers in messages:
        with warnings.catch_warnings():  # of jupyter_client, of what ipywidgets echoes to the page
            warnings.simplefilter("ignore")
            widget._handle_msg({"content": {"data": message}, "buffers": buffers})
        assert widget._data is data, "a page cannot change what is shown"
        assert (widget._frame["alpha"], widget._frame["threshold"]) == (
            widget.alpha,
            widget.threshold,
        )
    check_that_a_good_request_is_answered(widget)


# Things that are no data at all

JUNK = st.one_of(
    st.none(),
    st.booleans(),
    FINITE,
    st.text(max_size=3),
    st.sampled_from([math.nan, math.inf, 10**400, 1j, b"\xff", object(), np.datetime64("NaT")]),
)
THINGS = st.one_of(
    JUNK,
    st.lists(JUNK, max_size=5),
    st.lists(st.lists(JUNK, max_size=3), max_size=3),
    st.dictionaries(st.text(max_size=2), JUNK, max_size=2),
    st.lists(PROBABILITIES, max_size=5),
    st.lists(st.integers(0, 2), max_size=5),
)
Y, SCORE = np.array([0, 1, 0, 1, 1]), np.array([0.1, 0.9, 0.2, 0.6, 0.4])
ENTRIES = {
    "from_predictions": (
        RocEvaluation.from_predictions,
        {"y_calibration": Y, "score_calibration": SCORE, "y_test": Y, "score_test": SCORE},
    ),
    "kernel_logit": (kernel_logit, {"X_train": SCORE[:, None], "y_train": Y, "X": SCORE[:, None]}),
    "ks_band": (comparators.ks_band, {"y": Y, "score": SCORE}),
    "delong_test": (comparators.delong_test, {"y": Y, "score_a": SCORE, "score_b": SCORE}),
    "fit": (ConformalROC(Logit()).fit, {"X": SCORE[:, None], "y": Y}),
}


@pytest.mark.filterwarnings("ignore:DeLong's variance:UserWarning")
@given(entry=st.sampled_from(sorted(ENTRIES)), thing=THINGS, data=st.data())
def test_objects_of_any_kind_are_taken_as_data_or_refused_by_name(entry, thing, data):
    function, good = ENTRIES[entry]
    name = data.draw(st.sampled_from(sorted(good)))
    try:
        function(**good | {name: thing})
    except (TypeError, ValueError) as error:
        if not any(argument in str(error) for argument in good):
            raise


# Cases that the siege has found


def test_a_feature_whose_squares_underflow_is_left_out_like_one_that_does_not_vary():
    X, y = np.array([[0.0], [1e-200], [1e-200]]), np.array([0, 1, 1])
    np.testing.assert_allclose(kernel_logit(X, y, [[0.0], [5.0]]), math.log(2))


def test_a_bandwidth_that_leaves_the_exponents_no_digit_is_refused():
    with pytest.raises(ValueError, match=r"bandwidth: found points .* bandwidths from their mean"):
        kernel_logit([[0.0], [1.0]], [0, 1], [[0.0]], bandwidth=1e-9)
    score = [0.0, 1.0, 0.5, np.nextafter(0.5, 1)]
    with pytest.raises(ValueError, match=r"bandwidth: found points .* bandwidths from their mean"):
        RocEvaluation.from_predictions([0, 1, 0, 1], score, [0, 1], [0.2, 0.8])


def test_a_point_at_the_end_of_the_numbers_has_a_logit():
    found = kernel_logit([[0.0], [1.0], [3.0]], [0, 1, 1], [[1e100], [-1e100]], bandwidth=[1e-5])
    assert np.isfinite(found).all()


def test_an_alpha_too_small_for_its_own_half_still_gives_limits():
    y, score = [0, 0, 1, 1, 1], [0.1, 0.6, 0.4, 0.7, 0.9]
    band = comparators.ks_band(y, score, 5e-324)
    assert (band.tpr_lower[:-1] == 0).all()
    assert (band.tpr_upper == 1).all()
    assert clopper_pearson(3, 5, 1e-182) == (0, 1)
    assert comparators.delong_interval(y, score, 5e-324)[1:] == (0, 1)


def test_the_largest_numbers_there_are_can_be_ranked():
    most = np.finfo(float).max
    positives, negatives = (
        SortedSample(np.array([0.0, 2.0, most])),
        SortedSample(np.array([-most, 0.0, 1.0])),
    )
    assert share_ranked_above(Limits(positives), Limits(negatives)) == 7.5 / 9
    assert share_ranked_above(Limits(negatives), Limits(positives)) == 1.5 / 9


def test_a_reference_of_which_one_point_outweighs_all_has_a_slope_without_digits():
    slope, error = logistic_slope(np.array([-0.001, 2e9, 0.001, -1.0]), np.array([0, 0, 1, 1]))
    assert math.isfinite(slope)
    assert error == math.inf
