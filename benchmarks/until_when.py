"""Do limits by a time hold? Laws of the time with a known ``P(T <= t | x)``, and lost rows.

    python -m benchmarks.until_when [replicates] [seed]

The data sets have four laws of the time, censoring that depends on nothing or on the features,
about 20 % or 50 % of lost rows, 500 or 2,000 rows to train and calibrate, and three horizons. For
every data set, a logistic regression is trained at each horizon. Coverage of intervals is counted
at test rows whose outcome is known without censoring. Coverage of the band is counted at random
thresholds on the censored test set. The person-period reference is compared with the true ``P(T <=
t | x)``, and with the common practice that treats lost rows as controls.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from scipy.special import expit, logit, ndtr, ndtri
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC

ALPHA, THRESHOLDS, N_TEST = 0.05, 50, 2000
SHARES, SIZES, QUANTILES = (0.2, 0.5), (500, 2000), (0.15, 0.35, 0.6)
CENSORINGS = ("marginal", "features")


class Law(NamedTuple):
    """A law of the time: its distribution function, and draws from it."""

    name: str

    def moves(self, X: np.ndarray) -> np.ndarray:
        """The function of the features that shifts the time."""
        if self.name == "Weibull":
            return 0.9 * X[:, 0] - 0.6 * X[:, 1] + 0.5 * X[:, 0] * X[:, 2]
        return np.sin(X[:, 0]) + 0.3 * X[:, 1] + 0.5 * X[:, 1] * np.tanh(X[:, 2])

    def shape(self, X: np.ndarray) -> np.ndarray:
        """The shape of the Weibull law. It depends on x, so hazards are not proportional."""
        return np.asarray(1.2 + 0.3 * np.tanh(X[:, 1]))

    def level(self, X: np.ndarray) -> np.ndarray:
        """The level of the Gompertz law, whose hazards are proportional and rise with time."""
        return np.asarray(0.3 * np.exp(1.2 * self.moves(X)))

    def cumulative(self, t: Any, X: np.ndarray) -> np.ndarray:
        """``P(T <= t | x)``."""
        if self.name == "Gompertz":
            return np.asarray(-np.expm1(-self.level(X) * np.expm1(1.5 * t)))
        z = np.log(t) + self.moves(X)
        if self.name == "Weibull":
            return np.asarray(-np.expm1(-np.exp(self.shape(X) * z)))
        return np.asarray(expit(z / 0.6) if self.name == "log-logistic" else ndtr(z))

    def draw(self, X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Draws a time for each row."""
        u = rng.random(len(X))
        if self.name == "Gompertz":
            return np.asarray(np.log1p(-np.log(u) / self.level(X)) / 1.5)
        if self.name == "Weibull":
            z = np.log(-np.log(u)) / self.shape(X)
        else:
            z = 0.6 * logit(u) if self.name == "log-logistic" else ndtri(u)
        return np.asarray(np.exp(z - self.moves(X)))


LAWS = tuple(map(Law, ("Weibull", "log-logistic", "log-normal", "Gompertz")))


class Cell(NamedTuple):
    """One kind of data set."""

    law: Law
    censoring: str
    share: float
    n: int


def cells() -> Iterator[Cell]:
    """Yields all kinds of data sets."""
    for law in LAWS:
        for censoring in CENSORINGS:
            for share in SHARES:
                for n in SIZES:
                    yield Cell(law, censoring, share, n)


def rates(cell: Cell) -> tuple[float, np.ndarray]:
    """The rate of censoring that loses the share of rows, and the horizons.

    Both come from one large draw.
    """
    rng = np.random.default_rng(99)
    X = rng.standard_normal((100_000, 3))
    T, unit = cell.law.draw(X, rng), censored(cell, X, rng, 1.0)
    low, high = -8.0, 8.0
    for _ in range(60):
        middle = (low + high) / 2
        lost = np.mean(unit / np.exp(middle) < T)
        low, high = (middle, high) if lost < cell.share else (low, middle)
    return float(np.exp(low)), np.quantile(T, QUANTILES)


def censored(cell: Cell, X: np.ndarray, rng: np.random.Generator, rate: float) -> np.ndarray:
    """Censoring times."""
    risk = np.exp(0.8 * X[:, 0] - 0.5 * X[:, 1]) if cell.censoring == "features" else 1.0
    return rng.exponential(1.0, len(X)) / (rate * risk)


def rows(T: np.ndarray, C: np.ndarray) -> np.ndarray:
    """Outcomes as scikit-survival has them."""
    y = np.empty(T.size, dtype=[("event", "?"), ("time", "<f8")])
    y["event"], y["time"] = T <= C, np.minimum(T, C)
    return y


def replicate(cell: Cell, seed: int) -> list[dict[str, Any]]:
    """Coverage of one data set, a line for each reference and horizon."""
    warnings.filterwarnings("ignore")
    rng = np.random.default_rng([seed, hash_of(cell)])
    rate, horizons = rates(cell)
    X = rng.standard_normal((cell.n, 3))
    T = cell.law.draw(X, rng)
    y = rows(T, censored(cell, X, rng, rate))
    test = rng.standard_normal((N_TEST, 3))
    test_T = cell.law.draw(test, rng)
    y_test = rows(test_T, censored(cell, test, rng, rate))

    def truth(points: Any, t: float) -> np.ndarray:
        return cell.law.cumulative(t, np.asarray(points))

    about = {"law": cell.law.name, "censoring": cell.censoring, "share": cell.share, "n": cell.n}
    found = []
    for name, reference in (("person-period", "auto"), ("true", truth)):
        model = ConformalROC(
            LogisticRegression(),
            horizons=horizons,
            censoring=cell.censoring,
            reference=reference,
            random_state=seed,
        ).fit(X, y)
        for t in model.horizons_:
            evaluation = model.evaluate(test, y_test, t)
            pi, event = truth(test, t), test_T <= t
            line = about | {"reference": name, "t": t}
            for k in (0, 1):
                lower, upper = model.predict_interval(test[event == k], k, ALPHA, horizon=t)
                line |= counted(pi[event == k], lower, upper, k)
            line |= band(evaluation, pi, rng)
            risk = evaluation._observed.follow_up.scores
            line["auc_error"] = evaluation.ideal_auc_range(ALPHA)[0] - area(risk, event)
            if name == "person-period":
                line |= everywhere(evaluation, pi)
            found.append(line)
    for t in horizons:
        naive = ConformalROC(LogisticRegression(), reference="sharp", random_state=seed)
        naive.fit(X, (y["event"] & (y["time"] <= t)).astype(int))
        pi, event = truth(test, t), test_T <= t
        line = about | {"reference": "lost are controls", "t": t}
        for k in (0, 1):
            lower, upper = naive.predict_interval(test[event == k], k, ALPHA)
            line |= counted(pi[event == k], lower, upper, k)
        found.append(line)
    return found


def hash_of(cell: Cell) -> int:
    """A number for a cell, which no other cell has."""
    return [*map(str, cells())].index(str(cell))


def counted(pi: np.ndarray, lower: np.ndarray, upper: np.ndarray, k: int) -> dict[str, float]:
    """Coverage and length of intervals."""
    return {
        f"covered_{k}": float(np.mean((lower <= pi) & (pi <= upper))),
        f"near_{k}": float(np.mean((lower - 0.001 <= pi) & (pi <= upper + 0.001))),
        f"length_{k}": float(np.mean(upper - lower)),
    }


def band(evaluation: Any, pi: np.ndarray, rng: np.random.Generator) -> dict[str, float]:
    """How often the ideal rates lie within the limits, at thresholds drawn at random."""
    known = ~evaluation.unknown
    weights = evaluation.sample_weight
    weights = np.ones(evaluation.labels.size) if weights is None else weights
    cuts = np.sort(rng.random(THRESHOLDS))[::-1]
    limits = evaluation.band(ALPHA, thresholds=cuts)
    held = {}
    for k, rate in ((0, "fpr"), (1, "tpr")):
        mine = evaluation.labels == k
        ideal = np.array([weights[mine] @ (pi[known][mine] > cut) for cut in cuts])
        ideal = ideal / weights[mine].sum()
        low, high = getattr(limits, f"{rate}_lower"), getattr(limits, f"{rate}_upper")
        held[f"band_{k}"] = float(np.mean((low - 1e-9 <= ideal) & (ideal <= high + 1e-9)))
    return held


def everywhere(evaluation: Any, pi: np.ndarray) -> dict[str, float]:
    """Whether the ideal rates lie within the limits at every threshold of a fine grid."""
    known = ~evaluation.unknown
    weights = evaluation.sample_weight
    weights = np.ones(evaluation.labels.size) if weights is None else weights
    cuts = np.linspace(0.001, 0.999, 999)[::-1]
    limits = evaluation.with_guarantee("everywhere").band(ALPHA, thresholds=cuts)
    held = []
    for k, rate in ((0, "fpr"), (1, "tpr")):
        mine = evaluation.labels == k
        ideal = (weights[mine] @ (pi[known][mine][:, None] > cuts)) / weights[mine].sum()
        low, high = getattr(limits, f"{rate}_lower"), getattr(limits, f"{rate}_upper")
        held.append(bool(((low - 1e-9 <= ideal) & (ideal <= high + 1e-9)).all()))
    return {
        "everywhere": float(all(held)),
        "everywhere_0": float(held[0]),
        "everywhere_1": float(held[1]),
    }


def area(risk: np.ndarray, event: np.ndarray) -> float:
    """The area under the ROC curve, if every outcome is known."""
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(event, risk))


def study(replicates: int, seed: int = 0, n_jobs: int = 1, **only: Any) -> pd.DataFrame:
    """Coverage of all data sets."""
    wanted = [
        cell
        for cell in cells()
        if all(getattr(cell, name) == value for name, value in only.items())
    ]
    tasks = (
        delayed(replicate)(cell, seed * 1000 + i) for cell in wanted for i in range(replicates)
    )
    return pd.DataFrame([line for lines in Parallel(n_jobs)(tasks) for line in lines])


if __name__ == "__main__":
    replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 14
    table = study(replicates, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    table.to_csv(sys.argv[3] if len(sys.argv) > 3 else "build/until_when.csv", index=False)
    pd.set_option("display.width", 250, "display.max_columns", 50)
    numbers = table.columns[table.columns.get_loc("t") + 1 :]
    print(table.groupby("reference")[list(numbers)].mean().round(3).to_string())
    print(
        table.groupby(["reference", "law", "censoring", "share", "n"])[list(numbers)]
        .mean()
        .round(3)
        .to_string()
    )
