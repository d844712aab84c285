"""How often limits hold where rows have weights, or belong to people, populations or folds.

Each line is the mean over the replicates with its standard error.

``python benchmarks/whom_rows_stand_for.py weights --replicates 500`` runs one question. Without a
name, all questions are run. The truth is known. If a question is only about exchangeability, the
truth is also the reference.
"""

import argparse
from collections.abc import Callable, Iterator

import numpy as np
from scipy.special import expit, logit
from scipy.stats import norm
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_validate

from conformal_roc_widget import ConformalROC, RocEvaluation, comparators

ALPHAS = (0.05, 0.1, 0.2)
Draw = np.random.Generator
#: Pairs of a question and its answer: 1 if the limits held, or the share of points for which they
#: held.
Held = Iterator[tuple[str, float]]


class Skewed(ClassifierMixin, BaseEstimator):
    """A classifier that needs no training and is wrong by an amount that depends on the point."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Skewed":
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        p = expit(0.7 * X[:, 0] + 0.5 * np.sin(2 * X[:, 1]))
        return np.column_stack([1 - p, p])


def truth(X: np.ndarray) -> np.ndarray:
    return np.asarray(expit(X[:, 0] + 0.6 * X[:, 1] - 0.2))


def labelled(X: np.ndarray, rng: Draw) -> np.ndarray:
    return (rng.random(len(X)) < truth(X)).astype(int)


def calibrated(X: np.ndarray, y: np.ndarray, **rows: object) -> ConformalROC:
    """A model that is calibrated on these rows. It learns nothing from its four training rows."""
    few = np.linspace(-1, 1, 8).reshape(4, 2)
    model = ConformalROC(Skewed(), reference=truth, random_state=0)
    return model.fit(few, [0, 1, 0, 1], X_calibration=X, y_calibration=y, **rows)


def shares(evaluation: RocEvaluation, pi: np.ndarray, alpha: float) -> list[np.ndarray]:
    """For each label, which points have their true probability within their interval."""
    lower, upper = evaluation.intervals(alpha)
    # The ends were converted from logits, so they have rounding errors.
    inside = (logit(lower) <= logit(pi) + 1e-9) & (logit(pi) <= logit(upper) + 1e-9)
    return [inside[evaluation.labels == k] for k in (0, 1)]


#: For each law: draws of calibration points, draws of test points, and the likelihood ratio of the
#: second law to the first.
LAWS: dict[str, tuple[Callable, Callable, Callable]] = {
    "a shift of 1.2 deviations": (
        lambda rng, n: rng.normal(size=(n, 2)),
        lambda rng, n: rng.normal(size=(n, 2)) + np.array([1.2, 0]),
        lambda X: np.exp(1.2 * X[:, 0] - 0.72),
    ),
    "half the variance": (
        lambda rng, n: rng.normal(size=(n, 2)),
        lambda rng, n: rng.normal(size=(n, 2)) * np.sqrt(0.5),
        lambda X: 2 * np.exp(-0.5 * (X**2).sum(axis=1)),
    ),
    "a tilted square": (
        lambda rng, n: rng.uniform(-2, 2, size=(n, 2)),
        lambda rng, n: 4 * rng.beta(2, 1, size=(n, 2)) - 2,
        lambda X: ((X + 2) / 2).prod(axis=1),
    ),
}


def weights(rng: Draw) -> Held:
    for name, (before, after, ratio) in LAWS.items():
        X, X_test = before(rng, 400), after(rng, 300)
        model = calibrated(X, labelled(X, rng), sample_weight_calibration=ratio)
        evaluation = model.evaluate(X_test, labelled(X_test, rng))
        for alpha in ALPHAS:
            for k, inside in enumerate(shares(evaluation, truth(X_test), alpha)):
                yield f"{name}, label {k}, {1 - alpha:g}", float(inside.mean())


def _people(rng: Draw, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows of people who differ, ten rows each on average, and the person of each row."""
    who = np.repeat(np.arange(number), 1 + rng.geometric(1 / 9, size=number))
    return rng.normal(size=(number, 2))[who] + 0.4 * rng.normal(size=(who.size, 2)), who


def patients(rng: Draw) -> Held:
    for number in (20, 50, 200):
        X, who = _people(rng, number)
        X_test, who_test = _people(rng, 200)
        y, y_test = labelled(X, rng), labelled(X_test, rng)
        for name, rows in (("patients", {"groups_calibration": who}), ("rows", {})):
            model = calibrated(X, y, **rows)
            evaluation = model.evaluate(X_test, y_test)
            for alpha in ALPHAS:
                for k, inside in enumerate(shares(evaluation, truth(X_test), alpha)):
                    # The question is about a random row of a new patient, so each patient counts
                    # once.
                    _, codes = np.unique(who_test[y_test == k], return_inverse=True)
                    mean = np.bincount(codes, inside) / np.bincount(codes)
                    yield (
                        f"{number} patients by {name}, label {k}, {1 - alpha:g}",
                        float(mean.mean()),
                    )


def _populations(rng: Draw, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    who = rng.choice(["a", "b", "c"], p=[0.5, 0.35, 0.15], size=n)
    spread = np.select([who == "a", who == "b"], [0.6, 1.0], 1.6)
    X = rng.normal(size=(n, 2)) * spread[:, None]
    X[:, 1] += 0.8 * (who == "c")
    return X, labelled(X, rng), who


def populations(rng: Draw) -> Held:
    """Whether intervals hold in every population, for each label, and whether all gaps hold at
    once.
    """
    X, y, who = _populations(rng, 1200)
    X_test, y_test, who_test = _populations(rng, 1200)
    model = calibrated(X, y, sensitive_features_calibration=who)
    found = model.evaluate_by(X_test, y_test, who_test)
    for alpha in ALPHAS:
        ideal, own = {}, {}
        for name, evaluation in found.items():
            pi = truth(X_test[who_test == name])
            for k, inside in enumerate(shares(evaluation, pi, alpha)):
                yield f"population {name}, label {k}, {1 - alpha:g}", float(inside.mean())
            for k, rate in enumerate(("fpr", "tpr")):
                ideal[rate, name] = float((pi[evaluation.labels == k] >= 0.5).mean())
                own[rate, name] = OWN_RATES[name][k]
        for kind, table, rates in (
            ("conformal", found.gap(alpha, 0.5), ideal),
            ("sampling", found.sampling_gap(alpha, 0.5), own),
        ):
            gaps = [
                rates[row.rate, row.group_a] - rates[row.rate, row.group_b]
                for row in table.itertuples()
            ]
            held = (table.lower <= np.array(gaps) + 1e-12) & (np.array(gaps) <= table.upper + 1e-12)
            yield f"all gaps at once, {kind}, {1 - alpha:g}", float(held.all())


def _own_rates() -> dict[str, tuple[float, float]]:
    """The classifier's own rates at a threshold of 0.5, from two million points."""
    X, y, who = _populations(np.random.default_rng(99), 2_000_000)
    called = Skewed().fit(X, y).predict_proba(X)[:, 1] >= 0.5
    return {
        str(name): (
            float(called[(who == name) & (y == 0)].mean()),
            float(called[(who == name) & (y == 1)].mean()),
        )
        for name in np.unique(who)
    }


OWN_RATES = _own_rates()


def folds(rng: Draw) -> Held:
    """Whether bands of folds hold the ideal recalibration, and limits the mean area."""
    n, distance = 500, 1.2
    y = np.resize([0, 1], n)
    X = rng.normal(size=(n, 3)) + distance * y[:, None] * [1, 0, 0]
    results = cross_validate(
        LogisticRegression(C=1.0),
        *(X, y),
        cv=StratifiedKFold(5, shuffle=True, random_state=0),
        return_estimator=True,
        return_indices=True,
    )
    found = RocEvaluation.from_cv_results(results, X, y)
    directions = [each.coef_[0] for each in results["estimator"]]
    # The labels have normal laws of the same shape. So the area and the calibration of a linear
    # score have closed forms.
    apart = [distance * b[0] / np.linalg.norm(b) for b in directions]
    mean = float(np.mean([norm.cdf(d / np.sqrt(2)) for d in apart]))
    tests = results["indices"]["test"]
    for alpha in ALPHAS:
        inside: list[list[np.ndarray]] = [[], []]
        for (fold, evaluation), b, d in zip(found.items(), directions, apart, strict=True):
            z = X[tests[fold]] @ b / np.linalg.norm(b)
            pi = expit(d * z - d**2 / 2)
            for k, held in enumerate(shares(evaluation, pi, alpha)):
                inside[k].append(held)
        for k in (0, 1):
            yield (
                f"bands of folds, label {k}, {1 - alpha:g}",
                float(np.concatenate(inside[k]).mean()),
            )
        _, lower, upper = found.mean_auc(alpha)
        yield f"mean AUC of folds, {1 - alpha:g}", float(lower <= mean <= upper)


def _scores(rng: Draw, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two scores of the same points. Their errors are correlated."""
    y = (np.arange(n) % 10 < 3).astype(int)
    shared = rng.normal(size=n)
    return y, 1.2 * y + 0.7 * shared + 0.7 * rng.normal(size=n), 0.9 * y + shared


_TRUE_SCORES = _scores(np.random.default_rng(98), 2_000_000)


def _differences(of: Callable) -> float:
    y, a, b = _TRUE_SCORES
    return float(of(y, a) - of(y, b))


TRUTHS = {
    "AUC difference": _differences(roc_auc_score),
    "partial AUC difference": _differences(lambda y, s: roc_auc_score(y, s, max_fpr=0.2)),
    "average precision": float(average_precision_score(*_TRUE_SCORES[:2])),
    "partial AUC": float(roc_auc_score(*_TRUE_SCORES[:2], max_fpr=0.2)),
}


def scores(rng: Draw) -> Held:
    y, a, b = _scores(rng, 400)
    for alpha in ALPHAS:
        made = {
            "AUC difference": comparators.delong_difference(y, a, b, alpha),
            "partial AUC difference": comparators.delong_difference(y, a, b, alpha, max_fpr=0.2),
            "average precision": comparators.average_precision_interval(y, a, alpha),
            "partial AUC": comparators.delong_interval(y, a, alpha, max_fpr=0.2),
        }
        for name, (_, lower, upper) in made.items():
            yield f"{name}, {1 - alpha:g}", float(lower <= TRUTHS[name] <= upper)


QUESTIONS = {each.__name__: each for each in (weights, patients, populations, folds, scores)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("questions", nargs="*", default=list(QUESTIONS), help=", ".join(QUESTIONS))
    parser.add_argument("--replicates", type=int, default=500)
    given = parser.parse_args()
    for question in given.questions:
        held: dict[str, list[float]] = {}
        for seed in range(given.replicates):
            for name, share in QUESTIONS[question](np.random.default_rng([17, seed])):
                held.setdefault(name, []).append(share)
        for name, found in held.items():
            error = np.std(found, ddof=1) / np.sqrt(len(found))
            print(f"{question:12} {name:55} {np.mean(found):.3f} ({error:.3f})", flush=True)


if __name__ == "__main__":
    main()
