"""Rows without labels: the expected curve, its limits, labels that come later, and refusals."""

import pickle

import numpy as np
import pandas as pd
import pytest
from cases import at_horizons, followed, of_features, table
from invariants import check_band
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from conformal_roc_widget import ConformalROC, RocEvaluation
from conformal_roc_widget.evaluation.expected_curve import ExpectedCurve
from conformal_roc_widget.evaluation.from_classifier import own_evaluations
from conformal_roc_widget.evaluation.unlabelled import (
    Agreement,
    Candidates,
    Cells,
)


def law(n, seed=0, digits=None):
    """Labels and scores of a distribution in which the score is nearly the risk."""
    rng = np.random.default_rng([seed, n])
    x = rng.normal(size=n)
    y = (rng.random(n) < expit(-1 + 1.5 * x)).astype(int)
    score = expit(-0.7 + x)
    return y, score if digits is None else score.round(digits)


@pytest.fixture(scope="module")
def labelled():
    return RocEvaluation.from_predictions(*law(400))


@pytest.fixture(scope="module")
def new(labelled):
    return labelled.unlabelled(law(300, 1)[1])


# The expected curve


def naive_curve(scores, risks, thresholds):
    """Rates and area if each row counts partly for both labels, row by row and pair by pair."""
    called = scores >= np.asarray(thresholds)[:, None]
    fpr, tpr = (np.array([w[each].sum() for each in called]) / w.sum() for w in (1 - risks, risks))
    right = pairs = 0.0
    for i, s in enumerate(scores):
        for j, other in enumerate(scores):
            if i != j:
                weight = risks[i] * (1 - risks[j])
                pairs += weight
                right += weight * ((s > other) + (s == other) / 2)
    return fpr, tpr, right / pairs


@pytest.mark.parametrize("digits", [None, 1])
def test_each_row_counts_for_both_labels_by_its_risk(labelled, digits):
    scores = law(60, 3, digits)[1]
    found = labelled.unlabelled(scores)
    learned = labelled._learned
    draws = learned.posterior.draws(learned.places(np.unique(scores))[:, None], 2000)
    risks = expit(draws).mean(axis=1)[np.unique(scores, return_inverse=True)[1]]
    band = found.band()
    fpr, tpr, area = naive_curve(scores, risks, band.thresholds)
    np.testing.assert_allclose(band.fpr, fpr, atol=1e-5)
    np.testing.assert_allclose(band.tpr, tpr, atol=1e-5)
    assert found.auc().estimate == pytest.approx(area, abs=1e-5)
    assert found.own_prevalence == pytest.approx(risks.mean(), abs=1e-6)


def test_three_rows_by_hand():
    """Risks 1/2, 1/4 and 1 (a known label): 1.75 positives and 1.25 negatives."""
    curve = ExpectedCurve.of_masses(
        np.array([0.1, 0.2, 0.9]),
        np.array([-1, -1, 1], dtype=np.int8),
        np.array([0.1, 0.2, 0.9]),
        negative=np.array([0.5, 0.75, 0.0]),
        positive=np.array([0.5, 0.25, 1.0]),
        same=np.array([0.25, 0.1875, 0.0]),
        counts=None,
        any_size=False,
    )
    at = curve.at([0.9, 0.2, 0.1])
    np.testing.assert_allclose(at.tp / curve.sizes[1], [1 / 1.75, 1.25 / 1.75, 1])
    np.testing.assert_allclose(at.fp / curve.sizes[0], [0, 0.75 / 1.25, 1])
    # Pairs: 1.25 with the third row, 1/4 * 1/2 in the right order, and 1/2 * 3/4 in the wrong
    # order.
    assert curve.auc == pytest.approx((1.25 + 0.125) / (1.25 + 0.125 + 0.375))
    assert curve.rows == (1, 2)


def test_more_labelled_rows_bring_the_expected_curve_to_the_true_one():
    errors = []
    for n in (200, 20_000):
        _, score = law(2_000, 5)
        found = RocEvaluation.from_predictions(*law(n)).unlabelled(score)
        risk = expit(-1 + 1.5 * (logit(score) + 0.7))
        fpr, tpr = (np.cumsum(w[np.argsort(-score)]) / w.sum() for w in (1 - risk, risk))
        band = found.band()
        errors.append(np.abs(np.r_[band.fpr[1:] - fpr, band.tpr[1:] - tpr]).max())
    assert errors[1] < min(0.006, errors[0])


# Limits


def naive_limits(positive, negative, alpha):
    """Rates at the ends of cells, and the deviations of the candidates, one by one."""
    rates = {0: [], 1: []}
    for s in range(positive.shape[1]):
        for k, of in ((0, negative[:, s]), (1, positive[:, s])):
            rates[k].append([of[: i + 1].sum() / of.sum() for i in range(of.size)])
    scale = {k: np.arcsin(np.sqrt(rates[k])) for k in rates}
    size = {0: negative.sum(axis=0).mean(), 1: positive.sum(axis=0).mean()}
    centre = {k: scale[k].mean(axis=0) for k in scale}
    spread = {k: np.sqrt(scale[k].var(axis=0) + 1 / (16 * size[k])) for k in scale}
    away = sorted(
        max(
            abs(scale[k][s][i] - centre[k][i]) / spread[k][i]
            for k in scale
            for i in range(positive.shape[0] - 1)
        )
        for s in range(positive.shape[1])
    )
    n = positive.shape[1]
    far = away[int(np.ceil((1 - alpha) * (n + 1))) - 1]
    lower, upper = {}, {}
    for k in scale:
        low = np.sin(np.clip(centre[k] - far * spread[k], 0, np.pi / 2)) ** 2
        high = np.sin(np.clip(centre[k] + far * spread[k], 0, np.pi / 2)) ** 2
        low[-1] = high[-1] = 1
        lower[k] = [max(low[: i + 1]) for i in range(low.size)]
        upper[k] = [min(high[i:]) for i in range(high.size)]
    return far, lower, upper


def test_limits_are_the_naive_ones():
    rng = np.random.default_rng(4)
    n = np.array([3, 9, 8, 12])
    positive = rng.binomial(n[:, None], np.array([0.9, 0.6, 0.3, 0.1])[:, None], size=(4, 99))
    found = Candidates.of(positive, n[:, None] - positive)
    for alpha in (0.05, 0.2):
        far, lower, upper = naive_limits(positive, n[:, None] - positive, alpha)
        assert found.far(alpha) == pytest.approx(far, rel=1e-12)
        for k in (0, 1):
            low, high = found.rates[k].limits(far)
            np.testing.assert_allclose(low, lower[k], atol=1e-12)
            np.testing.assert_allclose(high, upper[k], atol=1e-12)
    assert found.far(0.005) == np.inf
    assert found.area_limits(0.005) == (0, 1)


def test_a_share_of_whole_candidates_is_within_the_limits():
    rng = np.random.default_rng(5)
    n = np.full(30, 7)
    risk = np.linspace(0.95, 0.02, 30)[:, None]
    positive = rng.binomial(n[:, None], risk, size=(30, 1999))
    found = Candidates.of(positive, n[:, None] - positive)
    within = np.ones(1999, dtype=bool)
    for k, of in enumerate((n[:, None] - positive, positive)):
        rates = np.cumsum(of, axis=0) / of.sum(axis=0)
        low, high = found.rates[k].limits(found.far(0.1))
        within &= ((rates >= low[:, None] - 1e-12) & (rates <= high[:, None] + 1e-12)).all(axis=0)
    assert within.mean() >= 0.9
    # Monotone limits may contain a few values that a single limit excludes, and no others.
    assert within.mean() <= 0.91


def test_two_candidates_by_hand():
    """Candidates with areas 1 and 1/2, and with rates 1 and 1/2 at the first cell."""
    positive, negative = np.array([[2, 1], [0, 1]]), np.array([[0, 1], [2, 1]])
    found = Candidates.of(positive, negative)
    np.testing.assert_allclose(found.areas, [0.5, 1])
    centre = (np.pi / 2 + np.pi / 4) / 2
    np.testing.assert_allclose(found.rates[1].centre, [centre, np.pi / 2])
    spread = np.hypot(np.pi / 8, 0.25 / np.sqrt(2))
    np.testing.assert_allclose(found.farthest, np.pi / 8 / spread)


def test_a_threshold_within_a_cell_has_the_lower_limit_without_it(new):
    curve = new._curve
    scores = np.unique(new.scores)[::-1]
    lower, upper = curve.candidates.rates[1].limits(curve.candidates.far(0.1))
    # Each score is a cell of its own.
    band = new.band(0.1, thresholds=[1.0, *scores, *(scores - 1e-7), 0.0])
    for k, low, high in zip(band.thresholds, band.tpr_lower, band.tpr_upper, strict=True):
        called = int((scores >= k).sum())
        assert low == pytest.approx(([0, *lower])[called], abs=1e-6)
        assert high == pytest.approx(([0, *upper])[called], abs=1e-6)


def test_cells_of_many_scores_hold_few_rows_each_and_never_part_equal_places():
    rng = np.random.default_rng(6)
    risk = np.sort(rng.random(5000))[::-1]
    apart = np.append(True, rng.random(4999) < 0.5)
    cells = Cells.of(apart, 1 - risk, risk)
    assert cells.first.size <= 512
    assert apart[cells.first].all()
    assert cells.last[-1] == 4999
    np.testing.assert_array_equal(cells.first[1:], cells.last[:-1] + 1)
    for mass in (risk, 1 - risk):
        assert (cells.sums(mass) / mass.sum()).max() < 2 / 512 + 20 / 5000


def test_limits_widen_with_fewer_labelled_rows_and_hold_the_expected_curve():
    score, widths = law(500, 8)[1], []
    for n in (100, 1_000, 10_000):
        band = RocEvaluation.from_predictions(*law(n)).unlabelled(score).band()
        check_band(band)
        widths.append(band.mean_width)
    assert widths[0] > 1.3 * widths[1] > 1.3 * widths[2]


def test_zeros_and_ones_are_scores_like_others():
    y, score = law(400)
    ends = np.select([score < 0.15, score > 0.6], [0.0, 1.0], score)
    found = RocEvaluation.from_predictions(y, ends).unlabelled(ends)
    band = found.band(0.05, thresholds=[2.0, 1.0, 0.5, 0.0])
    assert band.tpr_lower[1] < band.tpr[1] < band.tpr_upper[1]
    assert band.tpr_lower[1] > 0
    assert band.tpr_upper[0] == 0
    assert band.tpr_lower[3] == 1


# Another share of positives


def test_a_told_share_moves_the_log_odds_of_each_risk(labelled):
    score = law(200, 9)[1]
    share = labelled.labels.mean()
    same, told = labelled.unlabelled(score), labelled.unlabelled(score, prevalence=0.5)
    move = logit(0.5) - logit(share)
    draws = labelled._learned.posterior.draws(logit(np.sort(score))[:, None], 2000)
    risks = expit(draws + move).mean(axis=1)
    assert told.own_prevalence == pytest.approx(risks.mean(), abs=1e-6)
    assert same.own_prevalence < told.own_prevalence
    assert "same risk here as there" in same.promise.guarantee
    assert "share of positives is the one told" in told.promise.guarantee
    again = same.with_prevalence(0.5)
    np.testing.assert_array_equal(again.band().tpr_upper, told.band().tpr_upper)
    np.testing.assert_array_equal(
        again.with_prevalence(None).band().tpr_upper, same.band().tpr_upper
    )
    assert again.with_prevalence(0.5) is again


def test_the_labelled_share_told_changes_nothing_but_the_sentence(labelled):
    score = law(200, 9)[1]
    told = labelled.unlabelled(score, prevalence=labelled.labels.mean())
    np.testing.assert_allclose(told.band().tpr, labelled.unlabelled(score).band().tpr)


# Labels that have come


def test_labels_that_came_count_as_they_are(labelled):
    y, score = law(300, 1)
    some = np.where(np.arange(300) < 299, y.astype(float), np.nan)
    found = labelled.unlabelled(score, some)
    order = np.argsort(-score)
    tpr = np.cumsum(y[order]) / y.sum()
    np.testing.assert_allclose(found.band().tpr[1:], tpr, atol=0.01)
    assert found.band().mean_width < 0.05
    np.testing.assert_array_equal(found.labels[:299], y[:299])
    assert found.labels[299] == -1


@pytest.mark.parametrize(
    "form", ["nan", "none", "mask", "list", "series", "names", "nullable", "column"]
)
def test_a_gap_is_any_missing_value(labelled, form):
    y, score = law(60, 1)
    gap = np.arange(60) % 3 > 0
    given = {
        "nan": np.where(gap, np.nan, y),
        "none": np.where(gap, None, y),
        "mask": np.ma.array(y, mask=gap),
        "list": [None if g else int(v) for v, g in zip(y, gap, strict=True)],
        "series": pd.Series(np.where(gap, np.nan, y)),
        "nullable": pd.Series(y, dtype="Int64").mask(gap),
        "column": pd.DataFrame({"y": np.where(gap, np.nan, y)}),
    }
    if form == "names":
        names = np.array(["no", "yes"])
        old_y, old = law(400)
        labelled = RocEvaluation.from_predictions(names[old_y], old)
        given["names"] = [None if g else n for n, g in zip(names[y], gap, strict=True)]
    found = labelled.unlabelled(score, given[form])
    np.testing.assert_array_equal(found.labels, np.where(gap, -1, y))


def test_agreement_is_the_naive_test():
    rng = np.random.default_rng(7)
    known, places = np.array([5, 0, 9, 4]), np.array([2.0, 1.0, -1.0, -2.5])
    drawn = rng.binomial(known[:, None], np.array([0.8, 0.5, 0.3, 0.1])[:, None], size=(4, 400))
    seen = np.array([2, 0, 6, 2])
    found = Agreement.of(known, seen, drawn, places)
    middle = np.average(places, weights=known)
    spread = np.sqrt(np.average((places - middle) ** 2, weights=known))
    pairs = np.array([[c.sum(), (c * (places - middle) / spread).sum()] for c in drawn.T])
    inverse = np.linalg.inv(np.cov(pairs.T))
    away = [(p - pairs.mean(axis=0)) @ inverse @ (p - pairs.mean(axis=0)) for p in pairs]
    own = np.array([seen.sum(), (seen * (places - middle) / spread).sum()]) - pairs.mean(axis=0)
    assert found.p == pytest.approx((1 + np.sum(np.array(away) >= own @ inverse @ own)) / 401)
    assert found.positives == 10
    assert found.expected == pytest.approx(pairs[:, 0].mean())


def test_one_sentence_says_whether_labels_agree_with_what_was_expected(labelled):
    y, score = law(300, 1)
    came = np.arange(300) < 100
    (agree,) = labelled.unlabelled(score, np.where(came, y, np.nan)).notes
    assert f"{y[:100].sum()} of the 100 rows whose labels have come are positive" in agree
    assert "they agree with what was expected" in agree
    assert "a test at the level 5 %" in agree
    (not_,) = labelled.unlabelled(score, np.where(came, 1 - y, np.nan)).notes
    assert "disagree" in not_
    assert not_.endswith("If only the share of positives differs, give prevalence.")
    (told,) = labelled.unlabelled(score, np.where(came, y, np.nan), prevalence=0.01).notes
    assert "disagree" in told
    assert told.endswith("give another prevalence or none.")


@pytest.mark.slow
def test_labels_that_agree_are_found_to_disagree_at_the_stated_level():
    found = []
    for seed in range(200):
        e = RocEvaluation.from_predictions(*law(500, 1000 + seed))
        y, score = law(400, 5000 + seed)
        new = e.unlabelled(score, np.where(np.arange(400) < 150, y, np.nan))
        found.append(new._curve.agreement.p <= 0.05)
    assert np.mean(found) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


# From features, from tables, of any size


def test_features_are_scored_by_the_classifier_and_tell_what_differs():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(900, 2))
    y = (rng.random(900) < expit(X[:, 0])).astype(int)
    model = ConformalROC(LogisticRegression(), progress=False, random_state=0).fit(X[:600], y[:600])
    evaluation = model.evaluate(X[600:], y[600:])
    X_new = rng.normal(size=(100, 2))
    found = evaluation.unlabelled(X_new)
    scores = model.estimator_.predict_proba(X_new)[:, 1]
    np.testing.assert_allclose(found.scores, scores, atol=1e-12)
    alone = RocEvaluation.from_predictions(evaluation.labels, evaluation.scores)
    np.testing.assert_allclose(
        found.band().tpr_lower, alone.unlabelled(scores).band().tpr_lower, atol=0.02
    )
    assert found.support.effective_n.size == 100
    assert not found.notes
    far = evaluation.unlabelled(X_new + np.array([0, 6]))
    assert far.support.share > 0.5
    assert any("lie far from the calibration data" in note for note in far.notes)


def test_a_column_that_moves_the_risk_and_differs_is_told_as_support_tells_it():
    """The classifier does not use the column, so a score means another risk in the new rows."""
    rng = np.random.default_rng(1)
    X, X_new = rng.normal(size=(900, 2)), rng.normal(size=(400, 2)) + np.array([0, 2.5])
    y, y_new = ((rng.random(len(x)) < expit(x.sum(axis=1) - 1)).astype(int) for x in (X, X_new))
    one_column = make_pipeline(FunctionTransformer(lambda x: x[:, :1]), LogisticRegression())
    model = ConformalROC(one_column, progress=False, random_state=0).fit(X[:500], y[:500])
    found = model.evaluate(X[500:], y[500:]).unlabelled(X_new)
    assert y_new.mean() > found.own_prevalence + 0.25
    assert found.support.share > 0.2
    assert any("lie far from the calibration data" in note for note in found.notes)
    same = model.evaluate(X[500:], y[500:]).unlabelled(X_new - np.array([0, 2.5]))
    assert not any("lie far" in note for note in same.notes)


def test_counts_by_cell_are_expected_numbers(new):
    point = new.operating_point(0.5)
    assert point.tp + point.fn == pytest.approx(300 * new.own_prevalence, abs=1e-3)
    assert point.tp + point.fp == pytest.approx((new.scores >= 0.5).sum(), abs=1e-3)


def test_a_fitted_classifier_scores_new_rows_by_class():
    X, y = table(60, 60)
    classifier = LogisticRegression().fit(*table(50, 50, skip=300))
    evaluation = own_evaluations(classifier, X, y)
    new = table(15, 15, skip=900)[0]
    np.testing.assert_allclose(
        evaluation.unlabelled(new).scores, classifier.predict_proba(new)[:, 1]
    )


def test_a_table_is_read_in_bins_and_gives_nearly_the_same(labelled):
    score = law(3_000, 1)[1]
    whole = labelled.unlabelled(score)
    binned = labelled.unlabelled(pd.DataFrame({"p": score}), score="p")
    assert sum(binned.n_test.values()) == 3_000
    at = np.linspace(0.05, 0.9, 50)
    one, other = whole.band(0.05, at), binned.band(0.05, at)
    for name in ("tpr", "fpr", "tpr_lower", "tpr_upper", "fpr_lower", "fpr_upper"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), atol=0.01)


def test_a_table_may_be_labelled_rows_or_in_dask(labelled):
    dask = pytest.importorskip("dask.dataframe")
    y, score = law(400)
    frame = pd.DataFrame({"y": y, "p": score})
    from_table = RocEvaluation.from_table(
        frame, score="p", label="y", y_calibration=y, score_calibration=score
    )
    new = law(500, 1)[1]
    parts = dask.from_pandas(pd.DataFrame({"p": new}), npartitions=3)
    found = from_table.unlabelled(parts, score="p")
    wanted = labelled.unlabelled(pd.DataFrame({"p": new}), score="p")
    np.testing.assert_allclose(found.band().tpr, wanted.band().tpr, atol=0.01)
    assert found.auc().lower == pytest.approx(wanted.auc().lower, abs=0.01)


def test_scores_of_any_size_count_by_their_order():
    y, score = law(400)
    new = law(200, 1)[1]
    found = RocEvaluation.from_predictions(y, 100 * logit(score)).unlabelled(100 * logit(new))
    stretched = RocEvaluation.from_predictions(y, 3 + np.exp(logit(score)))
    other = stretched.unlabelled(3 + np.exp(logit(new)))
    np.testing.assert_allclose(found.band().tpr_lower, other.band().tpr_lower, atol=0.02)
    by_risk = RocEvaluation.from_predictions(y, score).unlabelled(new)
    np.testing.assert_allclose(found.band().tpr, by_risk.band().tpr, atol=0.03)


# Bad input, and what needs labels


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (np.linspace(0.2, 0.8, 19), {}, "X_or_scores: found 19 rows, expected at least 20"),
        (np.full(30, 0.9999), {}, "X_or_scores: found scores from 0.9999 to 0.9999, all outside"),
        (np.linspace(0, 3, 30), {}, "X_or_scores: found values from 0 to 3, expected probab"),
        (
            np.linspace(0.2, 0.8, 30),
            {"prevalence": 0},
            "prevalence: found 0, expected a number bet",
        ),
        (np.linspace(0.2, 0.8, 30), {"prevalence": 1.0}, "prevalence: found 1.0, expected a numb"),
        (np.linspace(0.2, 0.8, 30), {"y": [0] * 30}, "y: found a label for each of the 30 rows"),
        (np.linspace(0.2, 0.8, 30), {"y": [0, None]}, r"y: found shape \(2,\), expected \(30,\)"),
        (np.linspace(0.2, 0.8, 30), {"y": [7] + [None] * 29}, "y: found labels 7, expected 0, 1"),
        ([0.3, np.nan] * 20, {}, "X_or_scores: found 20 NaN"),
        (pd.DataFrame({"p": [2.0] * 30}), {"score": "p"}, "score: found 0 missing, 0 NaN and 30"),
        (pd.DataFrame({"p": [0.5] * 30}), {"score": "q"}, "found no column 'q'"),
        (
            pd.DataFrame({"p": [0.5] * 30}),
            {"score": "p", "y": [0] + [None] * 29},
            "y: found labels beside a table, expected None",
        ),
    ],
)
def test_bad_input_is_refused_by_name(labelled, scores, options, message):
    with pytest.raises(ValueError, match=message):
        labelled.unlabelled(scores, **options)


def test_rows_of_one_label_alone_have_no_curve():
    rare = np.repeat([0, 1], [900, 5])
    score = np.append(np.linspace(0.001, 0.5, 900), [0.7, 0.8, 0.85, 0.9, 0.95])
    with pytest.raises(ValueError, match="expected to have one label"):
        RocEvaluation.from_predictions(rare, score).unlabelled(np.linspace(0.001, 0.002, 25))


def test_evaluations_that_tell_no_risk_are_refused(labelled, new):
    y, score = law(100)
    with pytest.raises(ValueError, match="unlabelled: found test rows with weights"):
        RocEvaluation.from_predictions(y, score, sample_weight=1 + np.arange(100) % 2).unlabelled(
            score
        )
    with pytest.raises(ValueError, match="unlabelled: found several test rows of one person"):
        RocEvaluation.from_predictions(y, score, groups_test=np.arange(100) // 2).unlabelled(score)
    with pytest.raises(ValueError, match="unlabelled: found rows without labels"):
        new.unlabelled(score)
    timed = at_horizons().evaluate(*followed(40, 700), horizon=1)
    with pytest.raises(ValueError, match="unlabelled: found outcomes with a time"):
        timed.unlabelled(score)
    with pytest.raises(ValueError, match="unlabelled: recenter=True has moved"):
        of_features(recenter=True).unlabelled(table(20, 20)[0])
    with pytest.raises(ValueError, match="with_prevalence: found rows with labels"):
        labelled.with_prevalence(0.3)


@pytest.mark.parametrize(
    "asked",
    [
        lambda e: e.losses(),
        lambda e: e.metrics(0.5),
        lambda e: e.rows_of("tp", 0.5),
        lambda e: e.precision_recall(),
        lambda e: e.net_benefit(),
        lambda e: e.reliability(),
        lambda e: e.intervals(),
        lambda e: e.undecided(0.5),
        lambda e: e.ideal_curve(),
        lambda e: e.more_rows(),
        lambda e: e.threshold_for(sensitivity=0.9, confidence=0.9),
        lambda e: e.with_guarantee("everywhere"),
    ],
)
def test_what_needs_labels_is_refused(new, asked):
    with pytest.raises(ValueError, match="rows without labels"):
        asked(new)


def test_what_is_said_of_them(new):
    assert repr(new).startswith("RocEvaluation(300 rows without labels, 0.")
    promise = new.promise.at(0.05)
    assert promise.kind == "unlabelled"
    assert promise.every_threshold
    assert promise.target == (
        "this classifier's sensitivity and specificity that the labels of these rows will show"
    )
    assert promise.scope == "every threshold at once"
    assert promise.guarantee.startswith("95 % on average")
    assert "if a score means the same risk here as there" in promise.guarantee
    assert new.auc().target == "the area under the curve that the labels of these rows will show"
    assert new.auc().lower < new.auc().estimate < new.auc().upper
    area = new.ideal_auc_range()
    assert area.lower < new.auc().lower < new.auc().upper < area.upper
    assert new.n_calibration == {0: 400 - new.n_calibration[1], 1: new.n_calibration[1]}


def test_pickles_keep_the_share_that_can_be_told(new):
    twin = pickle.loads(pickle.dumps(new))
    np.testing.assert_array_equal(
        twin.with_prevalence(0.6).band().tpr_upper, new.with_prevalence(0.6).band().tpr_upper
    )
