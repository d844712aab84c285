"""A replicate against the algorithms as printed, and against `ConformalROC`."""

import itertools

import numpy as np
import oracles
import pytest
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from small_studies import QUIET, SETTINGS, VALUES

from conformal_roc_widget import simulation
from conformal_roc_widget.simulation import replicate as replicates
from conformal_roc_widget.simulation.designs import STUDIES, products
from conformal_roc_widget.simulation.options import Options


def by_loops(study, value, options, seed, alpha, model, test):
    """Section 5's figures for both labels, from the printed algorithms."""
    training, calibration, tests = replicates.draw_replicate(study, value, options, seed)
    target = tests[test]
    terms = study.models[model]
    classifier = LogisticRegression(C=np.inf, tol=1e-12, solver="newton-cholesky")
    classifier.fit(products(training.X, terms), training.y)
    own = classifier.decision_function(products(calibration.X, terms))
    scores = classifier.decision_function(products(target.X, terms))
    if options.reference == "oracle":
        near_pi, centre_pi = calibration.logit_pi, target.logit_pi
    else:
        near_pi = oracles.kernel_logit(training.X, training.y, calibration.X)
        centre_pi = oracles.kernel_logit(training.X, training.y, target.X)
    residuals = [r - v for r, v in zip(near_pi, own, strict=True)]
    beta = study.direction(value, options.beta)
    distance = {
        "oracle": lambda a, b: oracles.projected_distance(beta)(a[:3], b[:3]),
        "truth": lambda a, b: abs(a[3] - b[3]),
        "score": lambda a, b: abs(a[4] - b[4]),
        "standardized": lambda a, b: oracles.standardized_distance(training.X)(a[:3], b[:3]),
    }[options.distance]
    places = [(*p, v, w) for p, v, w in zip(calibration.X, calibration.logit_pi, own, strict=True)]
    rows = {0: [], 1: []}
    for x, y, truth, score, pi in zip(*target, scores, centre_pi, strict=True):
        members = range(len(residuals))
        if test == "shifted":
            distances = [distance((*x, truth, score), place) for place in places]
            members = oracles.neighbourhood(distances, options.neighbors)
        low, up = oracles.localized_quantiles(
            residuals, calibration.y, members, y, alpha, options.quantile_rule
        )
        moved = oracles.median([residuals[i] for i in members]) if options.recenter else 0.0
        centre = pi if options.center == "kernel" and test == "shifted" else score
        rows[y].append((centre + low, centre + up, score + moved, truth))
    figures = []
    for label in (0, 1):
        own = rows[label]
        n = len(own)
        band = []
        for *_, threshold in own:
            rate = sum(truth >= threshold for *_, truth in own)
            least = sum(low > threshold for low, *_ in own)
            most = sum(up > threshold for _, up, *_ in own)
            band.append((least <= rate <= most, (most - least) / n))
        figures.append(
            (
                sum(low <= truth <= up for low, up, _, truth in own) / n,
                sum(low <= score <= up for low, up, score, _ in own) / n,
                sum(oracles.expit(up) - oracles.expit(low) for low, up, *_ in own) / n,
                sum(hit for hit, _ in band) / n,
                sum(width for _, width in band) / n,
            )
        )
    return np.array(figures)


VARIANTS = [
    {},
    {"recenter": True},
    {"center": "kernel", "distance": "score"},
    {"reference": "oracle", "distance": "truth", "quantile_rule": "split"},
    {"distance": "standardized", "recenter": True, "neighbors": 500},
]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("setting", SETTINGS)
def test_a_replicate_is_the_paper_loop_by_loop(setting, variant):
    study, value, alpha = STUDIES[setting], VALUES[setting], 0.2
    options = Options(**{"n": 90, "n_test": 25, "neighbors": 30, **variant})
    seed = np.random.SeedSequence(5)
    metrics, _ = replicates.measure(study, value, alpha, options, seed)
    for m, model in enumerate(study.models):
        for t, test in enumerate(("iid", "shifted")):
            expected = by_loops(study, value, options, seed, alpha, model, test)
            np.testing.assert_allclose(metrics[m, t], expected, atol=1e-7)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("setting", SETTINGS)
def test_a_replicate_is_what_conformal_roc_says(setting, variant):
    study, value, alpha = STUDIES[setting], VALUES[setting], 0.1
    options = Options(**{"n": 200, "n_test": 60, "neighbors": 50, **variant})
    seed = np.random.SeedSequence(11)
    metrics, _ = replicates.measure(study, value, alpha, options, seed)
    _, _, tests = replicates.draw_replicate(study, value, options, seed)
    made = replicates.evaluate(study, value, options, seed)
    for (m, model), (t, test) in itertools.product(enumerate(study.models), enumerate(tests)):
        evaluation, truth = made[model, test], tests[test].logit_pi
        pi = expit(truth)
        lower, upper = evaluation.intervals(alpha)
        for k in (0, 1):
            own = np.flatnonzero(tests[test].y == k)
            hit = (lower <= pi) & (pi <= upper)
            held = (lower <= evaluation.scores) & (evaluation.scores <= upper)
            # p_n without the logit may be just outside of an interval that ends at it
            assert metrics[m, t, k, 0] == hit[own].mean()
            assert metrics[m, t, k, 1] == held[own].mean()
            np.testing.assert_allclose(metrics[m, t, k, 2], (upper - lower)[own].mean(), rtol=1e-12)
            band = [evaluation.operating_point(pi[s], alpha) for s in own]
            side = [(p.tpr_lower, p.tpr_upper) if k else (p.fpr_lower, p.fpr_upper) for p in band]
            oracle = [(pi[own] >= pi[s]).mean() for s in own]
            covered = [a <= r <= b for (a, b), r in zip(side, oracle, strict=True)]
            assert metrics[m, t, k, 3] == np.mean(covered)
            width = np.mean([b - a for a, b in side])
            np.testing.assert_allclose(metrics[m, t, k, 4], width, atol=1e-12)


def test_tiny_samples_are_drawn_again_until_both_labels_are_there():
    frame = simulation.run("sample_size", 12, replicates=20, n_test=3, **QUIET)
    assert frame.filter(regex="coverage|length").notna().all(axis=None)
    with pytest.raises(ValueError, match="no sample with both labels"):
        simulation.run("sample_size", 12, replicates=1, beta=(60, 0, 0, 0), **QUIET)
