import pickle
from contextlib import nullcontext

import numpy as np
import pytest
from data import logistic_sample, three_classes
from joblib import parallel_config
from scipy.special import expit, logit
from scipy.stats import zscore
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from conformal_roc_widget import ConformalROC
from conformal_roc_widget.calibration.curve_residuals import curve_residuals, outer_residuals
from conformal_roc_widget.calibration.references import learned as learned_reference
from conformal_roc_widget.calibration.references.additive_posterior import (
    SHRINKING,
    AdditiveModel,
    coefficients,
    designs_of,
    low_order_columns,
    smooth_candidates,
)
from conformal_roc_widget.calibration.references.learned import draws_by_class, learned_draws
from conformal_roc_widget.calibration.references.learned_scores import ERRORS, learned_scores
from conformal_roc_widget.calibration.references.learning_gap import (
    DRAWS_FOR_NOISE,
    noise_for,
    with_noise,
    with_uncertain_gap,
)
from conformal_roc_widget.calibration.references.posterior import sharp_residuals
from conformal_roc_widget.logits import clipped
from conformal_roc_widget.tables.encoder import TableEncoder


@pytest.fixture(scope="module")
def model():
    X, y, _ = logistic_sample(np.random.default_rng(5), 200)
    return ConformalROC(LogisticRegression(), reference="learned", random_state=0).fit(X, y)


def test_residuals_are_those_of_draws_that_all_labelled_points_taught(rng):
    (X, y), (X_calibration, y_calibration) = (logistic_sample(rng, n)[:2] for n in (70, 60))
    model = ConformalROC(LogisticRegression(), reference="learned").fit(
        X, y, X_calibration=X_calibration, y_calibration=y_calibration
    )
    every = np.concatenate([X_calibration, X]), np.concatenate([y_calibration, y])
    draws = learned_draws(*every, 0).draws[:60]
    logits = model.estimator_.decision_function(X_calibration)
    for k in (0, 1):
        side = y_calibration == k
        wanted = sharp_residuals(draws[side], logits[side])
        np.testing.assert_allclose(model.residuals_[k], np.sort(wanted), atol=1e-9)


def test_a_band_for_the_curve_holds_with_the_gap_and_without(rng, model):
    X, y, _ = logistic_sample(rng, 90)
    found = model.evaluate(X, y, guarantee="curve")
    (split,) = model.splits_
    smooth, draws = split.reference.curve_draws(1)
    for k in (0, 1):
        own, n_test = split.codes == k, int((y == k).sum())
        logits = split.class_logits[own, 1]
        wanted = outer_residuals(
            curve_residuals(smooth[own], logits, n_test),
            curve_residuals(draws[own], logits, n_test),
        )
        np.testing.assert_array_equal(found.residuals[k], wanted)


@pytest.mark.parametrize(("classes", "is_shown"), [(2, False), (3, True)])
def test_a_bar_is_shown_where_all_classes_together_take_long(rng, monkeypatch, classes, is_shown):
    bars, steps = [], []

    def counted(total, *, progress, **options):
        bars.append((total, progress))
        steps.append(0)

        class Bar:
            def update(self):
                steps[-1] += 1

        return nullcontext(Bar())

    monkeypatch.setattr(learned_reference, "progress_bar", counted)
    monkeypatch.setattr(learned_reference, "ROWS_WORTH_A_BAR", 350)
    X, y = three_classes(rng, 150)
    rows = y < classes
    ConformalROC(LogisticRegression(), reference="learned", random_state=0).fit(X[rows], y[rows])
    # Nine models, then a posterior for each of several classes.
    assert bars == [(9, False) if classes == 2 else (12, is_shown)]
    assert steps == [bars[0][0]]


def test_of_several_classes_each_has_draws_against_the_rest(rng):
    X, y = three_classes(rng, 150)
    model = ConformalROC(LogisticRegression(), reference="learned", random_state=0).fit(X, y)
    with parallel_config("threading"):
        beside = clone(model).set_params(n_jobs=3).fit(X, y).splits_[0].reference
    reference = model.splits_[0].reference
    assert len(reference.by_class) == 3
    for l in range(3):
        assert reference.draws(l).shape == (75, 300)
        np.testing.assert_array_equal(reference.draws(l), beside.draws(l))
        assert np.isfinite(reference.slope_logits(l)).all()
    assert set(model.evaluate_all(X, y)) == {0, 1, 2}


def draws_of_one_model(weak, slopes, points, y, seed):
    """As if there were one class and one model: nothing is shared."""
    rng = np.random.default_rng([seed, 4])
    products = low_order_columns(slopes if slopes.shape[1] else weak)[1]
    low = np.column_stack([np.ones(y.size), weak, slopes, products])
    designs = list(designs_of(low, smooth_candidates(points, rng), points))
    widths = [1 + weak.shape[1], slopes.shape[1], products.shape[1]]
    part = np.repeat(np.arange(4), [*widths, designs[0].shape[1] - sum(widths)])
    model = AdditiveModel(SHRINKING, part, designs, y)
    model.search()
    drawn = coefficients(list(model.visited.values()), 100, rng)
    return np.column_stack([designs[of.at.candidate][:, of.present] @ w for of, w in drawn])


def test_what_classes_share_is_what_each_would_compute_alone(rng):
    X, y = three_classes(rng, 120)
    found, encoded = draws_by_class(X, y, seed := 3), TableEncoder().fit_transform(X)
    columns, none = zscore(encoded), np.empty((120, 0))
    for l, learned in enumerate(learned_scores(encoded, y, seed)):
        own, logits = (y == l).astype(int), zscore(clipped(logit(learned.scores)))
        models = (none, columns, columns), (logits, columns, logits), (logits, none, logits)
        smooth = np.column_stack([draws_of_one_model(*each, own, seed) for each in models])
        np.testing.assert_allclose(found[l].smooth, smooth, atol=1e-6)
        normal = np.random.default_rng([seed, 5]).standard_normal((120, 300))
        some = slice(None, None, 300 // DRAWS_FOR_NOISE)
        variance = learned.variance.plus(ERRORS)
        noise = noise_for(variance, smooth[:, some], normal[:, some], own)
        assert found[l].noise == pytest.approx(noise, abs=1e-6)
        expected = with_noise(smooth, own, noise, normal)
        np.testing.assert_allclose(found[l].draws, expected, atol=1e-5)


def test_the_negative_class_has_the_opposite_draws(model):
    reference = model.splits_[0].reference
    np.testing.assert_array_equal(reference.draws(0), -reference.draws(1))
    for zeros, ones in zip(reference.curve_draws(0), reference.curve_draws(1), strict=True):
        np.testing.assert_array_equal(zeros, -ones)


def test_the_ideal_curve_has_draws_at_all_points_that_it_learned_from(rng, model):
    reference = model.splits_[0].reference
    for column in (0, 1):
        draws = reference.all_draws(column)
        assert draws.shape == (200, 300)
        np.testing.assert_array_equal(draws[:100], reference.draws(column))
        every, calibrating = reference.ideal_draws(column)
        assert every.shape == (200, 600)
        np.testing.assert_array_equal(calibrating, np.arange(100))
    X, y, _ = logistic_sample(rng, 120)
    found = model.evaluate(X, y).ideal_curve()
    assert (found.tpr_lower <= found.tpr_upper).all()
    assert "reference 'learned' assumes" in found.guarantee


def test_of_very_many_points_some_are_enough_and_a_note_says_how_many(rng, monkeypatch):
    monkeypatch.setattr(learned_reference, "MOST_POINTS", 60)
    X, y, _ = logistic_sample(rng, 300)
    model = ConformalROC(LogisticRegression(), reference="learned", random_state=0).fit(X, y)
    assert sum(model.n_calibration_.values()) == 60
    notes = model.evaluate(X, y).notes
    assert any("learned from 120 of the 300 labelled points, and 60 of them" in n for n in notes)


def test_points_that_it_makes_no_use_of_are_neither_encoded_nor_scored(rng, monkeypatch):
    monkeypatch.setattr(learned_reference, "MOST_POINTS", 60)
    X, y, _ = logistic_sample(rng, 300)
    encoded, scored = [], []

    class Numbers(FunctionTransformer):
        def transform(self, X):
            encoded.append(len(X))
            return super().transform(X)

    class Counting(LogisticRegression):
        def decision_function(self, X):
            scored.append(len(X))
            return super().decision_function(X)

    model = ConformalROC(Counting(), reference="learned", encoder=Numbers(), random_state=0)
    model.fit(X, y)
    assert encoded == [150, 60]
    assert set(scored) == {60}


def test_of_cross_calibration_some_points_are_enough_too(rng, monkeypatch):
    monkeypatch.setattr(learned_reference, "MOST_POINTS", 60)
    X, y, _ = logistic_sample(rng, 100)
    model = ConformalROC(
        LogisticRegression(), reference="learned", calibration="cross", random_state=0
    ).fit(X, y)
    (split,) = model.splits_
    assert len(split.points.array) == len(split.class_logits) == 60
    notes = model.evaluate(X, y).notes
    assert any("learned from 60 of the 100 labelled points, and 60 of them" in n for n in notes)


def test_draws_with_an_uncertain_gap_are_made_once_and_never_stored(model):
    (split,) = model.splits_
    found = split.reference.by_class[0]
    wanted = with_uncertain_gap(found.draws, found.variance)
    for column, sign in ((0, -1), (1, 1)):
        own = sign * np.concatenate([found.smooth, wanted], axis=1)
        every = split.reference.ideal_draws(column)[0]
        np.testing.assert_array_equal(np.sort(every, axis=1), np.sort(own, axis=1))
        np.testing.assert_array_equal(split.reference.curve_draws(column)[1], own[:100, 300:])
    assert found.uncertain is found.uncertain
    again = pickle.loads(pickle.dumps(found))
    assert set(vars(again)) == {"smooth", "draws", "noise", "variance"}
    np.testing.assert_array_equal(again.uncertain, wanted)


def test_too_few_points_of_a_label_are_refused_by_name(rng):
    X, y = rng.normal(size=(60, 3)), np.zeros(60, dtype=int)
    y[::20] = 1
    model = ConformalROC(GaussianNB(), reference="learned")
    with pytest.raises(ValueError, match="y: found label 1 3 times, expected at least 4 times"):
        model.fit(X[:40], y[:40], X_calibration=X[40:], y_calibration=y[40:])


def test_it_has_no_estimate_elsewhere(model):
    (split,) = model.splits_
    other = split.points.rows(np.arange(3))
    with pytest.raises(NotImplementedError, match="'learned' has no estimate at new points"):
        split.reference.logits(other, split.class_logits[:3])


def test_a_reference_of_the_classifiers_own_kind_is_flagged(rng):
    X, y, _ = logistic_sample(rng, 120)
    for classifier, reference, flagged in [
        (GaussianNB(), GaussianNB(var_smoothing=0.1), True),
        (make_pipeline(StandardScaler(), GaussianNB()), GaussianNB(), True),
        (LogisticRegression(), GaussianNB(), False),
    ]:
        model = ConformalROC(classifier, reference=reference, random_state=0).fit(X, y)
        notes = model.evaluate(X, y).notes
        assert any("both of the kind GaussianNB" in note for note in notes) == flagged


def table(rng, n):
    """Ten columns and labels with a step and an interaction, which no linear model fits."""
    X = rng.normal(size=(n, 10))
    X[:, 5:] = rng.integers(0, 3, (n, 5))
    return X, np.where(X[:, 0] > 0, 1.5, -1.0) + X[:, 1] * (X[:, 5] == 1)


def test_the_draws_are_near_the_truth_and_spread_as_it_is(rng):
    X, truth = table(rng, 800)
    y = (rng.random(800) < expit(truth)).astype(int)
    found = learned_draws(X, y, 0)
    assert found.draws.shape == found.smooth.shape == (800, 300)
    assert np.corrcoef(found.smooth.mean(axis=1), truth)[0, 1] > 0.8
    assert found.draws.std() == pytest.approx(truth.std(), rel=0.25)
    covered = [np.mean(np.quantile(found.draws, q, axis=1) > truth) for q in (0.025, 0.975)]
    assert covered[1] - covered[0] > 0.85


def test_they_are_the_same_each_time_and_with_processes(rng):
    X, truth = table(rng, 120)
    y = (rng.random(120) < expit(truth)).astype(int)
    first = learned_draws(X, y, 4)
    np.testing.assert_array_equal(learned_draws(X, y, 4, n_jobs=2).draws, first.draws)
    assert (learned_draws(X, y, 5).draws != first.draws).any()


def test_a_table_in_which_nothing_varies_has_an_answer():
    y = np.resize([0, 0, 1], 60)
    found = learned_draws(np.ones((60, 2)), y)
    assert expit(found.draws).mean() == pytest.approx(1 / 3, abs=0.08)
