"""Scores that are not probabilities: only their order counts, and thresholds are in their unit."""

from dataclasses import replace

import numpy as np
import pytest
import traitlets
from cases import FirstMargin
from scipy.special import expit
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import roc_auc_score, roc_curve
from widget_state import ask

from conformal_roc_widget import ConformalROC, RocEvaluation, ROCWidget
from conformal_roc_widget.comparators import (
    accuracy_interval,
    clopper_pearson_box,
    delong_interval,
    delong_test,
    sensitivity_difference,
)
from conformal_roc_widget.logits import TIE
from conformal_roc_widget.reliability.calibration_band import calibration_band
from conformal_roc_widget.widget.command_line import main
from conformal_roc_widget.widget.score_files import Columns, table_of
from conformal_roc_widget.wire import messages as wire

#: Increasing functions, each changing the unit.
UNITS = {
    "mg/l": lambda s: 80 + 10 * s,
    "minus a radius": lambda s: -np.exp(-s),
    "ranks": lambda s: np.unique(s, return_inverse=True)[1] + 1,
    "very small": lambda s: 1e-9 * s,
    "very large": lambda s: 1e12 * s,
}


def drawn(rng, n, decimals=None):
    s = rng.normal(size=n)
    y = (rng.random(n) < expit(1.5 * s - 1)).astype(int)
    return y, s if decimals is None else s.round(decimals)


def made(rng, decimals, *, four):
    calibration, test = drawn(rng, 250, decimals), drawn(rng, 90, decimals)
    if four:
        return RocEvaluation.from_predictions(*calibration, *test), calibration, test
    return RocEvaluation.from_predictions(*calibration), calibration, calibration


@pytest.mark.parametrize("four", [False, True])
@pytest.mark.parametrize("decimals", [None, 1])
@pytest.mark.parametrize("alpha", [0.05, 0.4])
def test_limits_count_whom_the_bounds_part_from_the_lowest_score_called(rng, four, decimals, alpha):
    """Limits by definition, point by point, from bounds of `calibration_band`."""
    evaluation, calibration, (y, s) = made(rng, decimals, four=four)
    bounds = calibration_band(*calibration, alpha)
    lower, upper = (np.minimum(*bounds.at(s)), np.maximum(*bounds.at(s)))
    between = (np.sort(s)[:-1] + np.sort(s)[1:]) / 2
    band = evaluation.band(alpha, [np.inf, s.max() + 1, *s, *between, s.min() - 5])
    for i, t in enumerate(band.thresholds):
        called = s[s >= t]
        if not called.size:
            assert (band.tpr_upper[i], band.fpr_upper[i]) == (0, 0)
            continue
        low, high = sorted(each[0] for each in bounds.at([called.min()]))
        surely, maybe = lower > high + 1e-12, upper >= low - 1e-12
        for k, (down, rate, up) in enumerate(
            (
                (band.fpr_lower, band.fpr, band.fpr_upper),
                (band.tpr_lower, band.tpr, band.tpr_upper),
            )
        ):
            assert down[i] == surely[y == k].mean() <= rate[i] <= up[i] == maybe[y == k].mean()
        np.testing.assert_array_equal(evaluation.undecided(t, alpha), maybe & ~surely)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("four", [False, True])
def test_a_rising_function_of_the_scores_changes_no_rate_and_no_limit(rng, unit, four):
    evaluation, calibration, test = made(rng, None, four=four)
    every = np.concatenate([calibration[1], test[1]]) if four else calibration[1]
    moved = UNITS[unit](every)
    first = moved[: calibration[1].size]
    rest = (test[0], moved[calibration[1].size :]) if four else ()
    other = RocEvaluation.from_predictions(calibration[0], first, *rest)
    assert (other.score_kind, other.guarantee) == ("score", "simultaneous")
    for alpha in (0.05, 0.3):
        band, same = evaluation.band(alpha), other.band(alpha)
        for name in ("fpr", "tpr", "fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper"):
            np.testing.assert_array_equal(getattr(same, name), getattr(band, name))
        assert tuple(other.at(alpha).auc()) == tuple(evaluation.at(alpha).auc())
        assert other.youden(alpha)[:3] == evaluation.youden(alpha)[:3]
        np.testing.assert_array_equal(other.intervals(alpha), evaluation.intervals(alpha))


def test_curve_and_area_are_those_of_scikit_learn_with_thresholds_in_the_unit(rng):
    y, s = drawn(rng, 300, 1)
    score = -20 + 7 * s
    evaluation = RocEvaluation.from_predictions(y, score)
    fpr, tpr, thresholds = roc_curve(y, score, drop_intermediate=False)
    band = evaluation.band()
    for found, expected in ((band.fpr, fpr), (band.tpr, tpr), (band.thresholds, thresholds)):
        np.testing.assert_array_equal(found, expected)
    assert evaluation.observed_auc == pytest.approx(roc_auc_score(y, score))
    youden = evaluation.threshold_for()
    assert youden == thresholds[np.argmax(tpr - fpr)]
    kept = evaluation.threshold_for(sensitivity=0.5, confidence=0.9)
    assert kept.threshold in score
    assert evaluation.operating_point(-23.4).tp == (score[y == 1] >= -23.4).sum()


@pytest.mark.parametrize("what", ["net_benefit", "reliability", "losses"])
def test_what_reads_scores_as_risks_is_refused_by_name(rng, what):
    evaluation, *_ = made(rng, None, four=False)
    with pytest.raises(ValueError, match=f"{what}: found scores from .*, expected probabilities"):
        getattr(evaluation, what)()


def test_four_arrays_refuse_the_guarantee_that_takes_logits(rng):
    calibration, test = drawn(rng, 250), drawn(rng, 90)
    with pytest.raises(ValueError, match="guarantee: found 'individual' for scores from"):
        RocEvaluation.from_predictions(*calibration, *test, guarantee="individual")
    # If only one set looks like probabilities, both are treated as scores.
    inside = test[0], expit(test[1])
    assert RocEvaluation.from_predictions(*calibration, *inside).score_kind == "score"


def test_scores_from_0_to_1_are_asked_about_if_their_mean_is_far_from_the_share(rng):
    y, s = drawn(rng, 400)
    risks, marker = expit(1.5 * s - 1), expit(s / 3 + 2)
    assert RocEvaluation.from_predictions(y, risks).notes == ()
    (note,) = RocEvaluation.from_predictions(y, marker).notes
    assert note.fact.startswith(f"Are these scores risks? They are {marker.mean():.2f} on average")
    assert RocEvaluation.from_predictions(y, 100 * risks).notes == ()


def test_a_widget_has_thresholds_in_the_unit_and_no_view_of_risks(rng, tmp_path):
    y, s = drawn(rng, 200)
    widget = ROCWidget.from_predictions(y, 80 + 10 * s)
    assert widget.threshold == np.sort(80 + 10 * s)[99]
    widget.threshold = 95
    assert widget.operating_point.tp == (80 + 10 * s[y == 1] >= 95).sum()
    with pytest.raises(traitlets.TraitError, match="threshold: found inf, expected a finite"):
        widget.threshold = np.inf
    for view in ("reliability", "net_benefit"):
        with pytest.raises(traitlets.TraitError, match="no probabilities"):
            widget.view = view
    for data in ("arrays", "curves"):
        assert widget.to_html(tmp_path / f"{data}.html", data=data).exists()
    (entry,) = wire.data_message(widget._group)["entries"]
    assert entry["any_size"] is True


def test_whole_numbers_beyond_the_floats_keep_their_order(rng):
    """Near 2**62 floats are 512 apart. Results must equal those of the ranks."""
    y, s = drawn(rng, 120)
    ranks = np.unique(s, return_inverse=True)[1]
    for start in (2**53, 2**62, -(2**62), 2**63):
        for whole in (
            np.array([start + int(r) for r in ranks], dtype=np.uint64 if start >= 2**63 else None),
            [start + int(r) for r in ranks],
        ):
            assert delong_interval(y, whole)[:3] == delong_interval(y, ranks)[:3]
            assert delong_test(y, whole, -ranks) == delong_test(y, ranks, -ranks)
            band = RocEvaluation.from_predictions(y, whole).band()
            np.testing.assert_array_equal(
                band.tpr, RocEvaluation.from_predictions(y, ranks).band().tpr
            )
            assert (np.diff(band.thresholds) < 0).all()
            assert band.thresholds[-1] == pytest.approx(start, rel=TIE)
    # Equal numbers must remain equal.
    tied = [2**62 + int(r) // 3 for r in ranks]
    assert delong_interval(y, tied)[0] == roc_auc_score(y, ranks // 3)


FAR = 2**62


@pytest.mark.parametrize("labelled", ["as large", "small"])
def test_rows_without_labels_are_ranked_with_the_labelled_ones(labelled, rng):
    """New rows that lie between labelled ones have the curve of their ranks among all."""
    (y, s), (_, new) = drawn(rng, 120), drawn(rng, 60)
    ranks = np.unique(np.r_[s, new], return_inverse=True)[1]
    # Small labelled scores lie below the new ones that floats cannot hold.
    start = FAR if labelled == "as large" else 2**53 - 60
    whole = start + ranks.astype(np.int64)
    found, known = (
        RocEvaluation.from_predictions(y, each[:120]).unlabelled(each[120:])
        for each in (whole, ranks)
    )
    np.testing.assert_allclose(found.band().tpr, known.band().tpr, atol=1e-9)
    np.testing.assert_allclose(found.band().tpr_lower, known.band().tpr_lower, atol=1e-9)
    for cut in (20, 60, 130):
        point, wanted = found.operating_point(start + cut), known.operating_point(cut)
        same(replace(point, threshold=cut), wanted)
    told = found.with_prevalence(0.3).operating_point(start + 60)
    same(replace(told, threshold=60), known.with_prevalence(0.3).operating_point(60))


def same(found, known):
    """From Python 3.13 on a dataclass with a NaN differs from its equal."""
    np.testing.assert_equal(vars(found), vars(known))


@pytest.mark.parametrize("start", [2**53, FAR, -FAR, 2**63])
@pytest.mark.parametrize("rows", ["two arrays", "four arrays", "a part weighs"])
def test_a_whole_threshold_beyond_the_floats_is_compared_as_one(start, rows, rng):
    """A threshold calls the same rows as its rank, in every function that takes a threshold."""
    (y, s), (y0, s0) = drawn(rng, 90), drawn(rng, 80)
    ranks = np.unique(np.r_[s, s0], return_inverse=True)[1]
    kind = np.uint64 if start >= 2**63 else np.int64
    whole = np.array([start + int(r) for r in ranks], dtype=kind)
    own, other = (whole[:90], ranks[:90]), (whole[90:], ranks[90:])
    weights = {"sample_weight_test": rng.integers(1, 4, 90)} if "weighs" in rows else {}

    def made(which):
        first = (y0, other[which]) if rows == "four arrays" else ()
        return RocEvaluation.from_predictions(*first, y, own[which], **weights)

    found, right = made(0), made(1)
    for cut in (0, 1, 41, 42, int(ranks.max()), int(ranks.max()) + 1):
        for given in (start + cut, kind(start + cut)):
            point, known = found.operating_point(given), right.operating_point(cut)
            assert point.threshold == start + cut
            same(replace(point, threshold=cut), known)
            assert found.rows_of("tp", given).tolist() == right.rows_of("tp", cut).tolist()
            assert found.undecided(given).tolist() == right.undecided(cut).tolist()
            assert found.metrics(given) == right.metrics(cut)
            same(replace(found.sampled_point(given), threshold=cut), right.sampled_point(cut))
            np.testing.assert_array_equal(
                found.band(thresholds=np.array([given])).tpr_upper,
                right.band(thresholds=[cut]).tpr_upper,
            )
    widget = ROCWidget(found, threshold=start + 41, band="sensitivity")
    same(replace(widget.operating_point, threshold=41), right.operating_point(41))
    for wishes in ({"sensitivity": 0.8}, {"specificity": 0.8}, {"cost_ratio": 2.0}, {}):
        assert found.threshold_for(**wishes) == start + int(right.threshold_for(**wishes))
    if not weights:
        kept, known = (e.threshold_for(sensitivity=0.5, confidence=0.9) for e in (found, right))
        assert kept.threshold == start + int(known.threshold)
        assert found.operating_point(kept).tp == right.operating_point(known).tp
        assert ((own[0] >= kept) == (own[1] >= known)).all()
        assert clopper_pearson_box(y, own[0], kept).tp == right.operating_point(known).tp


class Margin(FirstMargin):
    """A fitted classifier whose margin is the first feature."""

    def decision_function(self, X):
        return np.asarray(X)[:, 0]


@pytest.mark.parametrize(
    "margins",
    [
        pytest.param(lambda ranks: ranks / 10 + 40, id="beyond where a probability is 1"),
        pytest.param(lambda ranks: 1e5 * (ranks - 60.5), id="large"),
        pytest.param(lambda ranks: 1e-20 * ranks, id="tiny"),
        pytest.param(lambda ranks: 2**62 + ranks, id="whole numbers beyond the floats"),
    ],
)
def test_margins_of_any_size_keep_their_order(margins, rng):
    y, s = drawn(rng, 120)
    ranks = np.unique(s, return_inverse=True)[1]
    X, area = margins(ranks)[:, None], roc_auc_score(y, ranks)
    fitted = Margin().fit(X, y)
    model = ConformalROC(FrozenEstimator(fitted), progress=False)
    folds = {
        "estimator": [fitted] * 2,
        "indices": {
            "test": [np.arange(60), np.arange(60, 120)],
            "train": [np.arange(60, 120), np.arange(60)],
        },
    }
    found = ROCWidget.from_estimator(fitted, X, y)
    assert found.auc.estimate == pytest.approx(area, abs=1e-12)
    calibrated = model.fit(X, y, X_calibration=X, y_calibration=y).evaluate(X, y)
    assert calibrated.observed_auc == pytest.approx(area, abs=1e-12)
    assert calibrated.scores.max() < 1
    # For integers that floats cannot hold, scikit-learn itself compares the nearest floats.
    for cut in np.sort(calibrated.scores)[[0, 30, 60, 119]] if X.dtype.kind == "f" else []:
        called = calibrated.to_classifier(cut).predict(X)
        assert called.tolist() == (calibrated.scores >= cut).tolist()
    every = RocEvaluation.from_cv_results(folds, X, y)
    for fold, rows in enumerate(folds["indices"]["test"]):
        wanted = roc_auc_score(y[rows], ranks[rows])
        assert every[fold].observed_auc == pytest.approx(wanted, abs=1e-12)


def test_a_whole_threshold_cuts_whole_scores_between_which_no_float_lies():
    y, score = np.tile([0, 1], 20), 2**62 + np.arange(40)
    for cut in (2**62 + 25, np.int64(2**62 + 25), 2**62 + 40, 2**62):
        called = score >= cut
        box = clopper_pearson_box(y, score, cut)
        assert (box.tp, box.fp) == (called[y == 1].sum(), called[y == 0].sum())
        assert accuracy_interval(y, score, cut).estimate == (called == y).mean()
        other = called & (np.arange(40) % 3 == 0)
        found = sensitivity_difference(y, score, np.where(other, score, 2**61), cut)
        assert found.estimate == pytest.approx(called[y == 1].mean() - other[y == 1].mean())


def test_a_threshold_that_a_page_sends_is_the_float_it_has():
    """JavaScript writes 2**62 + 25 * 1024 as 4611686018427414000, which is no float."""
    y, score = np.tile([0, 1], 20), 2**62 + np.arange(40)
    widget = ROCWidget.from_predictions(y, score, threshold=2**62 + 25)
    sent, called = 4611686018427414000, (score >= 2**62 + 25)[y == 1].sum()
    assert widget.threshold == float(sent)
    for tell in (
        lambda: ask(widget, threshold=sent, seq=2),
        lambda: widget.set_state({"threshold": sent}),
        lambda: setattr(widget, "threshold", float(sent)),
    ):
        widget.threshold = 2**62
        tell()
        assert widget.operating_point.tp == called
    widget.close()


def test_a_text_file_of_whole_numbers_keeps_their_order(tmp_path, capsys):
    y, ranks = np.tile([0, 1], 20), np.arange(40) * 7 % 40
    path = tmp_path / "hashes.csv"
    path.write_text(
        "y,s\n" + "".join(f"{a},{2**62 + int(b)}\n" for a, b in zip(y, ranks, strict=True))
    )
    found = table_of(path, Columns("s", "y"))
    assert delong_interval(y, found["s"]) == delong_interval(y, ranks)
    columns = ["--score", "s", "--label", "y", "--output", str(tmp_path / "a.html")]
    assert not main([str(path), *columns, "--threshold", str(2**62 + 9)])
    assert f"sensitivity {(ranks[y == 1] >= 9).mean():.3f}" in capsys.readouterr().out
    path.write_text(path.read_text() + "1,4.7e18\n")
    assert table_of(path, Columns("s", "y"))["s"].max() == 4.7e18
