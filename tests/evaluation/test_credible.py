"""``guarantee="credible"``: candidate rates at a threshold, by counting and with another sampler."""

import numpy as np
import pytest
from data import logistic_sample
from scipy.special import expit, logit
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, RocEvaluation
from conformal_roc_widget.evaluation import credible
from conformal_roc_widget.evaluation.credible import ordered_candidates
from conformal_roc_widget.evaluation.ideal_curve import (
    CANDIDATES,
    LabelledDraws,
    candidate_samples,
)
from conformal_roc_widget.promise import LEARNABLE

CUTS = np.array([0.05, 0.2, 0.31, 0.5, 0.77, 0.9])


@pytest.fixture
def evaluation(rng):
    X, y, _ = logistic_sample(rng, 260)
    model = ConformalROC(LogisticRegression(), reference="sharp", random_state=0)
    return model.fit(X[:160], y[:160]).evaluate(X[160:], y[160:])


def rates_of(samples, draws, thresholds):
    """Share of each label's sampled points above thresholds, for each candidate."""
    found = np.empty((2, CANDIDATES, thresholds.size))
    for s, drawn, *counts in samples:
        logits = draws[drawn.order, s % draws.shape[1]]
        for k, upto in enumerate(counts):
            sample = np.repeat(logits, np.diff(upto, prepend=0))
            found[k, s] = [np.mean(sample > t) for t in thresholds]
    return found


def limits_at(evaluation, alpha):
    points = [evaluation.operating_point(float(t), alpha) for t in CUTS]
    return [
        [(each.fpr_lower, each.fpr_upper) for each in points],
        [(each.tpr_lower, each.tpr_upper) for each in points],
    ]


@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_limits_are_order_statistics_of_the_candidates_rates(evaluation, alpha):
    points = evaluation._sources.ideal()
    sizes = tuple(evaluation.n_test.values())
    samples, kept = candidate_samples(points, sizes)
    assert kept == sizes
    rates = np.sort(rates_of(samples, points.draws, logit(CUTS)), axis=1)
    low = int(alpha / 2 * (CANDIDATES - 1))
    wanted = np.stack([rates[:, low], rates[:, CANDIDATES - 1 - low]], axis=2)
    found = limits_at(evaluation.with_guarantee("credible"), alpha)
    np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_another_sampler_gives_the_same_limits(rng):
    """Dirichlet weights and weighted choices replace gamma variables and sorted uniforms."""
    draws = rng.normal(size=(80, 1)) + 0.4 * rng.normal(size=(80, 50))
    points = LabelledDraws(draws, draws[:5], np.zeros(5), LEARNABLE)
    sizes = (30, 20)
    ordered = ordered_candidates(points, sizes)
    again = [[], []]
    for s in range(4 * CANDIDATES):
        column = draws[:, s % 50]
        weights = rng.dirichlet(np.ones(80))
        for k, share in enumerate((1 - expit(column), expit(column))):
            chosen = rng.choice(80, sizes[k], p=weights * share / (weights @ share))
            again[k].append(np.sort(column[chosen]))
    for own, other in zip(ordered, again, strict=True):
        for q in (0.025, 0.1, 0.5, 0.9, 0.975):
            # Extreme ranks vary most between samplers.
            away = np.quantile(own, q, axis=0) - np.quantile(other, q, axis=0)
            assert np.abs(away[3:-3]).mean() < 0.05


def test_of_a_large_label_some_ranks_are_read(rng, monkeypatch):
    draws = rng.normal(size=(80, 1)) + 0.4 * rng.normal(size=(80, 50))
    points = LabelledDraws(draws, draws[:5], np.zeros(5), LEARNABLE)
    whole = ordered_candidates(points, (90, 60))
    monkeypatch.setattr(credible, "MOST_RANKS", 30)
    for own, some, step in zip(whole, ordered_candidates(points, (90, 60)), (3, 2), strict=True):
        np.testing.assert_array_equal(some, own[:, step // 2 :: step])


def test_the_promise_is_said_wherever_limits_are(evaluation):
    found = evaluation.with_guarantee("credible")
    assert (found.guarantee, found.promise.kind) == ("credible", "credible")
    band = found.band(0.1)
    assert str(band.promise.line) == (
        "90 % credible for one threshold, if the truth can be learned from the features."
    )
    assert "credible, not conformal" in band.guarantee
    assert "on this test set" in band.target
    assert band.vacuous == {0: None, 1: None}
    assert band.guaranteed == {0: 0.9, 1: 0.9}
    assert found.ideal_auc_range(0.1).promise.kind == "none"
    assert found.net_benefit(0.1).promise.kind == "none"
    np.testing.assert_array_equal(found.intervals().lower, evaluation.intervals().lower)
    for label in (0, 1):
        point, rows = found.operating_point(0.4, 0.1), found.labels == label
        low, high = (
            (point.tpr_lower, point.tpr_upper) if label else (point.fpr_lower, point.fpr_upper)
        )
        assert found.undecided(0.4, 0.1)[rows].sum() == round((high - low) * rows.sum())
    narrow = np.mean(band.tpr_upper - band.tpr_lower)
    assert narrow < 0.75 * np.mean(evaluation.band(0.1).tpr_upper - evaluation.band(0.1).tpr_lower)


def test_it_is_one_of_three_that_an_evaluation_is_switched_between(evaluation):
    found = evaluation.with_guarantee("credible")
    everywhere = found.with_guarantee("everywhere")
    assert everywhere is evaluation.with_guarantee("everywhere")
    assert everywhere.with_guarantee("credible") is found
    back = found.with_guarantee("individual")
    assert back.promise == evaluation.promise
    assert found.with_guarantee("credible") is found


def test_every_door_gives_the_same(rng):
    X, y, _ = logistic_sample(rng, 200)
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X[:150], y[:150])
    asked = model.evaluate(X[150:], y[150:], guarantee="credible")
    switched = model.evaluate(X[150:], y[150:]).with_guarantee("credible")
    assert asked.is_chosen
    np.testing.assert_array_equal(asked.band().tpr_lower, switched.band().tpr_lower)
    assert model.evaluate_all(X[150:], y[150:], guarantee="credible")[1].guarantee == "credible"


def test_what_has_no_draws_of_the_truth_refuses_by_name(rng):
    X, y, _ = logistic_sample(rng, 200)
    table, labels = (X[:150], y[:150]), (X[150:], y[150:])
    for options in ({"reference": "kernel"}, {"reference": RandomForestClassifier()}):
        model = ConformalROC(LogisticRegression(), random_state=0, **options).fit(*table)
        for ask in (
            lambda: model.evaluate(*labels, guarantee="credible"),  # noqa: B023
            lambda: model.evaluate(*labels).with_guarantee("credible"),  # noqa: B023
        ):
            with pytest.raises(ValueError, match=r"^guarantee: found 'credible' .* no draws"):
                ask()
    two = RocEvaluation.from_predictions(y, expit(X[:, 0]))
    with pytest.raises(ValueError, match=r"^guarantee: found 'credible'"):
        two.with_guarantee("credible")
    model = ConformalROC(LogisticRegression(), random_state=0, progress=False)
    weighted = model.fit(*table).evaluate(*labels, sample_weight=1 + np.arange(50.0) % 3)
    with pytest.raises(ValueError, match=r"'credible' .* found test rows with weights"):
        weighted.with_guarantee("credible")
    people = np.arange(150) // 3
    model.fit(*table, groups=people)
    with pytest.raises(ValueError, match=r"'credible' with weights or groups"):
        model.evaluate(*labels, guarantee="credible")
