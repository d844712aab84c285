"""Numbers that are equal in exact arithmetic are treated as equal on every processor."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from data import KnownClassifier, scored
from elsewhere import processor_features
from scipy.special import expit, logit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, RocEvaluation, average_bands
from conformal_roc_widget.calibration.neighborhoods import finder
from conformal_roc_widget.evaluation.sorted_sample import Limits, SortedSample

#: A forced kernel runs even if the processor lacks its instructions, and then crashes.
CORES = ("Haswell", *(["SkylakeX"] if processor_features()[0] else []), "Zen", "Prescott")
#: `make test` runs the two kernels that differ most.
QUICK = ("Haswell", "Prescott")
ALPHAS = (0.05, 0.1, 0.3)


def survey(n=700, seed=0):
    """Answers on short scales: few distinct rows, each many times."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(1, 6, n), rng.integers(0, 24, n) / 2, rng.integers(1, 5, n)])
    p = expit(1 - 0.6 * X[:, 0] + 0.15 * X[:, 1] - 0.2 * X[:, 2])
    return X, (rng.random(n) < p).astype(int)


def counts(evaluation):
    """Every result of an evaluation that counts points, pairs or vertices."""
    n0, n1 = evaluation.n_test[0], evaluation.n_test[1]
    found = [len(evaluation.band().thresholds), int(evaluation.support.extrapolating.sum())]
    for alpha in ALPHAS:
        for thresholds in (None, np.linspace(0, 1, 21)):
            band = evaluation.band(alpha, thresholds)
            for n, rates in (
                (n0, (band.fpr, band.fpr_lower, band.fpr_upper)),
                (n1, (band.tpr, band.tpr_lower, band.tpr_upper)),
            ):
                found += [np.rint(n * rate).astype(int).tolist() for rate in rates]
        found += [round(2 * n0 * n1 * area) for area in evaluation.ideal_auc_range(alpha)]
        found += [round(n0 * n1 * index) for index in evaluation.youden(alpha)[:3]]
        shares = evaluation.at(alpha).vacuous_share.values()
        found += [round(n * share) for n, share in zip((n0, n1), shares, strict=True)]
    return found


def all_counts():
    """`counts` for methods with many ties."""
    X, y = survey()
    X_test, y_test = survey(500, 1)

    def evaluated(reference, **options):
        fitted = ConformalROC(
            LogisticRegression(), reference=reference, random_state=0, **options
        ).fit(X, y)
        return fitted.evaluate(X_test, y_test)

    return {
        "pooled": counts(evaluated("kernel")),
        "own reference": counts(evaluated(LogisticRegression())),
        "local": counts(evaluated("kernel", neighbors=60)),
        "line": counts(evaluated("kernel", neighbors=60, distance=[0, 1, 0], recenter=True)),
        "score": counts(evaluated("score", neighbors=60, distance="score")),
        "euclidean": counts(evaluated("kernel", neighbors=60, distance="euclidean")),
    }


@pytest.mark.parametrize("cores", [QUICK, pytest.param(CORES, marks=pytest.mark.thorough)])
def test_the_counts_are_the_same_on_every_processor(cores):
    """Each OpenBLAS kernel in its own process, the last one without NumPy's AVX-512."""
    simd = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    wide = " ".join(name for name in simd if name.startswith("AVX512") or name == "X86_V4")
    here = Path(__file__).parent
    root = here.parent.parent
    paths = [str(folder) for folder in (root, root / "tools", here.parent, here)]
    runs = []
    for core in cores:
        environment = {
            **os.environ,
            "OPENBLAS_CORETYPE": core,
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONPATH": os.pathsep.join([*paths, os.environ.get("PYTHONPATH", "")]),
        }
        if core == "Prescott" and wide:
            environment["NPY_DISABLE_CPU_FEATURES"] = wide
        code = "import json, test_processors; print(json.dumps(test_processors.all_counts()))"
        command = [sys.executable, "-c", code]
        runs.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
    outputs = [run.communicate()[0] for run in runs]
    assert [run.returncode for run in runs] == [0] * len(cores)
    first, *others = map(json.loads, outputs)
    for core, other in zip(cores[1:], others, strict=True):
        for case, expected in first.items():
            assert other[case] == expected, (case, core)


class Noisy(KnownClassifier):
    """A logistic model whose last digits depend on the row's position, as with BLAS."""

    def __init__(self, noise=0.0):
        self.noise = noise

    def decision_function(self, X):
        exact = 1 - 0.5 * X[:, 0] + 0.1377 * X[:, 1] - 0.2711 * X[:, 2]
        return exact + self.noise * np.random.default_rng(len(X)).uniform(-1, 1, len(X))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"own": True},
        {"neighbors": 40},
        {"neighbors": 40, "distance": "score"},
        {"neighbors": 40, "distance": [0.1, 0.7, 0.2], "recenter": True},
        {"neighbors": 40, "distance": "euclidean"},
        {"recenter": True},
        {"center": "kernel", "neighbors": 40},
    ],
    ids=str,
)
@pytest.mark.parametrize("noise", [1e-15, 1e-13])
def test_noise_in_the_last_digits_of_the_scores_changes_no_count(options, noise):
    X, y = survey(400)
    X_test, y_test = survey(300, 1)
    options = dict(options)
    own = options.pop("own", False)

    def evaluated(noise):
        classifier = Noisy(noise).fit(X, y)
        reference = (lambda X: classifier.predict_proba(X)[:, 1]) if own else "score"
        fitted = ConformalROC(FrozenEstimator(classifier), reference=reference, **options)
        fitted.fit(X, y, X_calibration=X[::2], y_calibration=y[::2])
        return fitted.evaluate(X_test, y_test)

    assert counts(evaluated(noise)) == counts(evaluated(0.0))


def test_a_classifier_that_is_its_own_reference_has_limits_that_miss_no_score_below():
    """In exact arithmetic residuals are 0, so a limit at a threshold equals the score, and is not
    above it.
    """
    X, y = survey(400)
    noisy = Noisy(1e-14).fit(X, y)
    fitted = ConformalROC(FrozenEstimator(noisy), reference=lambda X: expit(logit_of_rows(X)))
    fitted.fit(X, y, X_calibration=X[::2], y_calibration=y[::2])
    evaluation = fitted.evaluate(X, y)
    band = evaluation.band(0.1)
    n = {k: np.array(sorted(logit_of_rows(X[y == k]))) for k in (0, 1)}
    distinct = np.unique(logit_of_rows(X))[::-1]
    assert band.thresholds.size == 1 + distinct.size
    for k, ends in ((0, (band.fpr_lower, band.fpr_upper)), (1, (band.tpr_lower, band.tpr_upper))):
        expected = [0, *((n[k] > value).mean() for value in distinct)]
        for end in ends:
            np.testing.assert_array_equal(end, expected)
    assert (
        evaluation.ideal_auc_range(0.1)[0]
        == evaluation.ideal_auc_range(0.1)[1]
        == evaluation.ideal_auc_range(0.1)[2]
    )
    index, lower, upper, _ = evaluation.youden(0.1)
    assert index == lower == upper


def logit_of_rows(X):
    return Noisy().decision_function(X)


def test_equal_rows_have_equal_scores():
    X, y = survey(400)
    fitted = ConformalROC(FrozenEstimator(Noisy(1e-13).fit(X, y)), reference="score")
    fitted.fit(X, y, X_calibration=X[::2], y_calibration=y[::2])
    scores = fitted.evaluate(X, y).scores
    given = Noisy(1e-13).fit(X, y).predict_proba(X)[:, 1]
    assert np.unique(given).size > np.unique(X, axis=0).shape[0]
    for row in np.unique(X, axis=0):
        alike = (row == X).all(axis=1)
        assert (scores[alike] == given[alike][0]).all()


def test_rows_whose_scores_differ_in_truth_keep_them():
    """A classifier may use more than the row, such as its position, so scores are not rounded."""
    X, y = np.ones((60, 3)), np.arange(60) % 2
    classifier = Noisy(1e-3).fit(X, y)
    fitted = ConformalROC(FrozenEstimator(classifier), reference="score")
    fitted.fit(X, y, X_calibration=X, y_calibration=y)
    given = classifier.predict_proba(X)[:, 1]
    np.testing.assert_array_equal(fitted.evaluate(X, y).scores, given)


@pytest.mark.parametrize("noise", [0.0, 1e-15, 1e-13, 1e-11])
def test_a_limit_at_a_threshold_is_not_above_it(noise):
    centres = np.array([-1.0, 0.0, 0.0, 2.0])
    signs = np.array([1, -1, 1, -1])
    limits = Limits(SortedSample.of(centres + noise * signs), 0.5 + noise)
    at = np.array([-1.0, -0.5, 0.0, 0.5, 2.5, 3.0])
    assert limits.count_above(at).tolist() == [4, 3, 3, 1, 0, 0]


def test_equidistant_points_are_neighbours_or_not_together_for_names_of_scikit_learn():
    """If the Euclidean distance comes from a matrix product, it has only half of the digits."""
    grid = np.stack(np.meshgrid(*[np.arange(4.0)] * 3), axis=-1).reshape(-1, 3)
    wide = np.hstack([grid + 1e4, np.full((len(grid), 17), 1e4)])
    for name in ("euclidean", "l2", "sqeuclidean", "minkowski", "nan_euclidean"):
        near = {
            int(i)
            for _, index, inside in finder(name, wide).blocks(wide[:1], 2)
            for i in index[inside]
        }
        squares = ((grid - grid[0]) ** 2).sum(axis=1)
        assert near == set(np.flatnonzero(squares <= 1).tolist()), name


def test_a_rate_of_three_in_ten_is_at_most_the_sum_of_three_tenths():
    y = np.array([0] * 10 + [1] * 10)
    score = np.concatenate([np.arange(10), np.arange(10) + 0.5]) / 20 + 0.1
    evaluation = RocEvaluation.from_predictions(*scored(np.random.default_rng(0), 60), y, score)
    band = evaluation.band(0.1)
    at = {rate: band.tpr[np.flatnonzero(band.fpr == rate)[-1]] for rate in (0.2, 0.3)}
    # In its last digits, the last of these is below 3 / 10. A value that is 1e-11 lower is another
    # rate.
    for g in (0.1 + 0.1 + 0.1, 1 - 0.7, 0.3, 0.7 - 0.4):
        grid = [g, g - 1e-11]
        assert average_bands({"one": evaluation}, 0.1, grid=grid).tpr.tolist() == [at[0.3], at[0.2]]


def test_logits_of_thresholds_that_are_no_scores_tie_too():
    """A threshold of 0.3 and a score of 0.1 + 0.2, with a shift of 0."""
    X = np.zeros((40, 1))
    y = np.arange(40) % 2
    score = np.full(40, 0.1 + 0.2)
    classifier = Constant(score[0]).fit(X, y)
    fitted = ConformalROC(FrozenEstimator(classifier), reference=lambda X: np.full(len(X), 0.3))
    fitted.fit(X, y, X_calibration=X, y_calibration=y)
    band = fitted.evaluate(X, y).band(0.1, [0.3])
    assert logit(0.1 + 0.2) != logit(0.3)
    assert [band.tpr_lower[0], band.tpr_upper[0]] == [0, 0]


class Constant(ClassifierMixin, BaseEstimator):
    """A classifier with one probability for every row."""

    def __init__(self, p):
        self.p = p

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.tile([1 - self.p, self.p], (len(X), 1))
