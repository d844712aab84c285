"""The full simulation studies against a limit in seconds, and against plain loops over points."""

import sys
from time import perf_counter

import numpy as np
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from table import Row, in_turn, report, within

from conformal_roc_widget import simulation
from conformal_roc_widget.simulation.designs import STUDIES, Study, products
from conformal_roc_widget.simulation.options import Options
from conformal_roc_widget.simulation.replicate import Replicate, draw_replicate
from conformal_roc_widget.simulation.runner import study_seed

ALPHA, REPLICATES, SEED, JOBS, SECONDS = 0.05, 200, 1, 2, 180.0
#: The number of replicates that both sides measure, at each of three values of each study.
COMPARED = 3


def kernel_logit(X: np.ndarray, y: np.ndarray, h: np.ndarray, x: np.ndarray) -> float:
    """Eq. tilde_pi at one point."""
    logs = -0.5 * (((X - x) / h) ** 2).sum(axis=1)
    return float(np.logaddexp.reduce(logs[y == 1]) - np.logaddexp.reduce(logs[y == 0]))


def order_statistics(residuals: np.ndarray) -> tuple[float, float]:
    """The two order statistics for alpha = 0.05.

    Their ranks are ``[alpha (n + 1) / 2] - 1`` and ``[(1 - alpha / 2) (n + 1)]``.
    """
    n = residuals.size
    low, up = max((n + 1) // 40 - 1, 0), min(39 * (n + 1) // 40, n + 1)
    if 20 * (up - low) < 19 * (n + 1):
        low, up = 0, n + 1
    ordered = np.concatenate([[-np.inf], np.sort(residuals), [np.inf]])
    return ordered[low], ordered[up]


def plain(data: Replicate, terms: tuple, beta: np.ndarray, neighbors: int) -> np.ndarray:
    """The figures of one model on both test sets.

    Points are treated one after the other, as Algorithms 1 and 2 are written.
    """
    (X, y, _), (X_ca, y_ca, _), tests = data
    n, d = X.shape
    h = X.std(axis=0, ddof=1) * (n * (d + 2) / 4) ** (-1 / (d + 4))
    model = LogisticRegression(C=np.inf, tol=1e-10, solver="newton-cholesky")
    model.fit(products(X, terms), y)
    residuals = np.array([kernel_logit(X, y, h, x) for x in X_ca])
    residuals -= model.decision_function(products(X_ca, terms))
    figures = np.empty((2, 2, 5))
    for t, (name, test) in enumerate(tests.items()):
        scores = model.decision_function(products(test.X, terms))
        lower, upper = np.empty(scores.size), np.empty(scores.size)
        for j, x in enumerate(test.X):
            near = np.ones(len(X_ca), dtype=bool)
            if name == "shifted" and neighbors < len(X_ca):
                distance = np.abs((X_ca - x) @ beta)
                near = distance <= np.sort(distance)[neighbors - 1]
            low, up = order_statistics(residuals[near & (y_ca == test.y[j])])
            lower[j], upper[j] = scores[j] + low, scores[j] + up
        truth = test.logit_pi
        for k in (0, 1):
            own = np.flatnonzero(test.y == k)
            inside = [lower[j] <= truth[j] <= upper[j] for j in own]
            holds = [lower[j] <= scores[j] <= upper[j] for j in own]
            length = [expit(upper[j]) - expit(lower[j]) for j in own]
            covered, width = [], []
            for s in own:
                rate = (truth[own] >= truth[s]).mean()
                least, most = (lower[own] > truth[s]).mean(), (upper[own] > truth[s]).mean()
                covered.append(least <= rate <= most)
                width.append(most - least)
            columns = (inside, holds, length, covered, width)
            figures[t, k] = [np.mean(column) for column in columns]
    return figures


def plain_run(setting: str, study: Study, values: list[float]) -> np.ndarray:
    """The figures of all models, for some replicates."""
    options = Options(n=study.n)
    figures = []
    for value in values:
        for i in range(COMPARED):
            seed = study_seed(SEED, setting, value, i)
            data = draw_replicate(study, value, options, seed)
            beta = study.direction(value, options.beta)
            figures.append(
                [plain(data, terms, beta, options.neighbors) for terms in study.models.values()]
            )
    return np.array(figures).reshape(-1, 5)


def main() -> int:
    rows, difference = [], 0.0
    for setting, study in STUDIES.items():
        values = [study.grid[i] for i in (0, len(study.grid) // 2, -1)]
        options = {"random_state": SEED, "progress": False, "each": True}
        frame = simulation.run(setting, values, COMPARED, ALPHA, **options)
        figures = plain_run(setting, study, values)
        ours, rival = in_turn(
            lambda setting=setting, values=values, options=options: simulation.run(
                setting, values, COMPARED, ALPHA, **options
            ),
            lambda setting=setting, study=study, values=values: plain_run(setting, study, values),
            runs=3,
        )
        metrics = ["coverage_pi", "coverage_p", "length", "coverage_band", "width_band"]
        difference = max(difference, float(np.abs(frame[metrics].to_numpy() - figures).max()))
        what = f"{setting}, {COMPARED} replicates at 3 values, one process"
        rows.append(Row(what, ours, "loops over points", rival, 1 / 8))
    start = perf_counter()
    for setting in STUDIES:
        simulation.run(setting, None, REPLICATES, ALPHA, JOBS, SEED, progress=False)
    full = perf_counter() - start
    print(f"largest difference of a figure from the loops: {difference:.1e}")
    what = f"studies, full grids, {REPLICATES} replicates, {JOBS} processes"
    return report(*rows, within(what, full, SECONDS, "s"))


if __name__ == "__main__":
    sys.exit(main())
