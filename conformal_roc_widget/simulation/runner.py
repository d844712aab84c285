"""The paper's simulation studies (section 5): draw from them, run them, look at one replicate."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats, shortened
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.parallel import gather
from conformal_roc_widget.simulation.designs import STUDIES, Normal, Sample, Study
from conformal_roc_widget.simulation.guarantee_replicate import (
    GUARANTEES,
    RANGES,
    Kept,
    measure_guarantees,
)
from conformal_roc_widget.simulation.replicate import (
    LABELS,
    METRICS,
    TESTS,
    Options,
    evaluate,
    is_count,
    is_number,
    measure,
    split_sizes,
)
from conformal_roc_widget.simulation.results_file import Done, check_path, load, save, to_frame

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "STUDIES",
    "Normal",
    "Options",
    "Sample",
    "Study",
    "draw",
    "evaluations",
    "guarantees",
    "run",
    "typical",
]

#: Replicates that travel together.
CHUNK = 5


def draw(
    setting: str,
    n: int,
    rng: np.random.Generator | int | None,
    *,
    shifted: bool = False,
    value: float | None = None,
    beta: Sequence[float] = (1.0, 1.0, 1.0, 1.0),
) -> Sample:
    """Random points of a study.

    Parameters
    ----------
    setting : {"sample_size", "missing_predictor", "missing_interaction"}
        Which study, or a key that was added to `STUDIES`.
    n : int
        Number of points.
    rng : numpy.random.Generator or int or None
        Source of randomness, as `numpy.random.default_rng` takes it.
    shifted : bool
        Whether the covariates follow the law of the non-iid test points.
    value : float, optional
        ``beta_3`` for ``"missing_predictor"``, ``gamma`` for ``"missing_interaction"``; 1 by
        default. The points of ``"sample_size"`` do not depend on it.
    beta : sequence of four floats
        ``(beta_0, beta_1, beta_2, beta_3)``; see `Options`.

    Returns
    -------
    X : ndarray of shape (n, 3)
        Covariates.
    y : ndarray of shape (n,)
        Labels 0 and 1.
    logit_pi : ndarray of shape (n,)
        ``logit pi(x)``.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    study = _study(setting)
    if not is_count(n, 1):
        raise ValueError(f"n: found {n!r}, expected a whole number of at least 1")
    if value is None:
        value = float(n) if study.n is None else 1.0
    try:
        generator = np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        raise TypeError(f"rng: found {rng!r}, expected a generator or a seed: {error}") from None
    return study.draw(
        int(n),
        generator,
        shifted=bool(shifted),
        value=_values(study, [value], "value")[0],
        beta=Options(beta=beta).beta,  # type: ignore[arg-type]
    )


def run(
    setting: str,
    values: ArrayLike | None = None,
    replicates: int = 200,
    alpha: float = 0.05,
    n_jobs: int | None = None,
    random_state: int | None = None,
    progress: bool = True,
    *,
    path: str | os.PathLike[str] | None = None,
    each: bool = False,
    **options: Any,
) -> pd.DataFrame:
    """Coverage and length of the intervals over many replicates of a study.

    Every replicate draws a sample, splits it, fits every model, and meets an iid test set
    (Algorithm 1) and a shifted one (Algorithm 2). Its randomness depends on `random_state`, the
    study, the value and its own number only, and so neither on `n_jobs`, nor on the order, nor on
    what else is run. Replicates go through joblib: for a cluster, call this within
    ``joblib.parallel_config(backend="dask")``.

    Interrupting (Ctrl-C, or the notebook's stop button) returns what is done, with a warning.

    Parameters
    ----------
    setting : {"sample_size", "missing_predictor", "missing_interaction"}
        Which study, or a key that was added to `STUDIES`.
    values : array_like of float, optional
        Sample sizes, values of ``beta_3`` or of ``gamma``; by default the grid of the study.
    replicates : int
        Replicates at each value.
    alpha : float
        Significance level in (0, 1).
    n_jobs : int or None
        Processes, as joblib counts them; None is one, or what ``parallel_config`` says.
    random_state : int or None
        Seed. None takes a new one, or that of the file at `path`.
    progress : bool
        Whether to show a progress bar.
    path : path-like, optional
        Parquet file for the replicates. What it holds already is not computed again; it is
        written from time to time and at the end, also after an interruption.
    each : bool
        Return one row a replicate, in place of means.
    **options : object
        Fields of `Options`: ``beta``, ``n``, ``n_test``, ``calibration_size``, ``neighbors``,
        ``distance``, ``reference``, ``bandwidth``, ``center``, ``recenter``, ``quantile_rule``.

    Returns
    -------
    DataFrame
        One row for each ``model``, ``value``, ``test`` ("iid" or "shifted") and ``label``, with
        the means over replicates of

        * ``coverage_pi``, ``coverage_p``: share of the label's test points whose interval has
          ``pi(x)``, ``p_n(x)`` in it, decided on the logit scale;
        * ``length``: mean length of those intervals on the probability scale;
        * ``coverage_band``, ``width_band``: coverage of the oracle's rate and width of the band at
          a random threshold ``pi(x_s)``, s a test point of the label (Theorem 3.2),

        each followed by its Monte-Carlo standard error over replicates (``*_se``), the number of
        ``replicates``, and in how many of them the training labels were ``separated``, so that
        the likelihood has no maximum. With `each`, one row for each ``value``, ``replicate``,
        ``model``, ``test`` and ``label``, with the figures themselves. ``attrs`` holds ``alpha``
        and what ``value`` is, for the charts.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above, or the file at `path` is damaged or of another
        run (it is then left as it is).
    """
    study, grid, chosen, seed = _asked(setting, values, replicates, alpha, random_state, options)
    description = {"setting": setting, "alpha": float(alpha), **chosen.as_json()}
    place, done = None, Done()
    if path is not None:
        place = check_path(path)
        if place.exists():
            wanted = {**description, "random_state": seed}
            done, found = load(place, wanted, study.models)
            seed = found["random_state"]
    if seed is None:
        seed = int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
    description["random_state"] = seed
    asked = [(value, i) for value in grid for i in range(int(replicates))]
    pending = [key for key in asked if key not in done]
    chunks = [pending[i : i + CHUNK] for i in range(0, len(pending), CHUNK)]
    tasks = (
        delayed(_measure_some)(study, setting, chunk, float(alpha), chosen, seed)
        for chunk in chunks
    )

    def write() -> None:
        if place is not None:
            save(place, to_frame(done, study.models), description)

    if pending:
        gather(
            tasks,
            done,
            len(pending),
            write,
            title=study.title,
            n_jobs=n_jobs,
            progress=progress,
        )
    kept = {key: done[key] for key in asked if key in done}
    table = to_frame(kept, study.models) if each else _summary(kept, study.models)
    table.attrs |= {"alpha": float(alpha), "value": study.value}
    return table


def guarantees(
    setting: str,
    values: ArrayLike | None = None,
    replicates: int = 100,
    alpha: float = 0.05,
    n_jobs: int | None = None,
    random_state: int | None = None,
    progress: bool = True,
    **options: Any,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What a band keeps under each guarantee: the oracle's curve, and its Youden index.

    The replicates are those of `run` with the same seed, on iid test points.

    Parameters
    ----------
    setting, values, replicates, alpha, n_jobs, random_state, progress : object
        As in `run`.
    **options : object
        Fields of `Options`. With the reference ``"oracle"`` the band for the curve knows the truth,
        too; otherwise it has the posterior of the reference ``"sharp"``.

    Returns
    -------
    curve : DataFrame
        One row for each ``model``, ``value``, ``label`` and ``guarantee``, with the means over
        replicates of ``coverage_band`` and ``width_band``: coverage of the oracle's rate and width
        of the band at a random threshold ``pi(x_s)``.
    youden : DataFrame
        One row for each ``model``, ``value`` and ``range``, which is a guarantee or
        ``"bootstrap"``, the percentile interval of the classifier's own index: ``coverage`` of the
        oracle's index and ``width`` of the range.

    Each figure is followed by its Monte-Carlo standard error (``*_se``).

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    import pandas as pd
    from tqdm.auto import tqdm

    study, grid, chosen, seed = _asked(setting, values, replicates, alpha, random_state, options)
    if seed is None:
        seed = int(np.random.SeedSequence().entropy)  # type: ignore[arg-type]
    keys = [(value, i) for value in grid for i in range(int(replicates))]
    done = Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(measure_guarantees)(
            study, value, float(alpha), chosen, _seed(seed, setting, value, i)
        )
        for value, i in keys
    )
    shown = tqdm(done, total=len(keys), desc=study.title, unit="replicate", disable=not progress)
    found = list(zip(keys, shown, strict=True))
    curves, indices = [], []
    for value in grid:
        kept: list[Kept] = [one for key, one in found if key[0] == value]
        curve, index = np.stack([k.curve for k in kept]), np.stack([k.youden for k in kept])
        for m, model in enumerate(study.models):
            row = {"model": model, "value": value}
            for g, guarantee in enumerate(GUARANTEES):
                for k in LABELS:
                    named = row | {"label": k, "guarantee": guarantee}
                    names = ("coverage_band", "width_band")
                    curves.append(named | _means(names, curve[:, m, g, k]))
            for j, name in enumerate(RANGES):
                named = row | {"range": name}
                indices.append(named | _means(("coverage", "width"), index[:, m, j]))
    tables = pd.DataFrame(curves), pd.DataFrame(indices)
    for table in tables:
        table.attrs |= {"alpha": float(alpha), "value": study.value}
    return tables


def _means(names: Sequence[str], figures: Floats) -> dict[str, Any]:
    """Means and standard errors of some figures over replicates."""
    n = len(figures)
    row: dict[str, Any] = {}
    for name, values in zip(names, figures.T, strict=True):
        row[name] = float(values.mean())
        row[f"{name}_se"] = float(values.std(ddof=1) / np.sqrt(n)) if n > 1 else np.nan
    return {**row, "replicates": n}


def evaluations(
    setting: str,
    value: float,
    replicate: int = 0,
    *,
    random_state: int,
    **options: Any,
) -> dict[tuple[str, str], RocEvaluation]:
    """The evaluations of one replicate of `run`, to draw their bands or to diagnose them.

    Parameters
    ----------
    setting : str
        As in `run`.
    value : float
        Sample size, ``beta_3`` or ``gamma``.
    replicate : int
        Which, counted from 0; see `typical`.
    random_state : int
        The seed of the run.
    **options : object
        As in `run`.

    Returns
    -------
    dict
        ``(model, test)`` -> RocEvaluation.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    study = _study(setting)
    (checked,) = _values(study, [value], "value")
    chosen = _options(study, options)
    split_sizes(study, checked, chosen)
    for name, number in (("replicate", replicate), ("random_state", random_state)):
        if not is_count(number, 0):
            raise ValueError(f"{name}: found {number!r}, expected a whole number of at least 0")
    seed = _seed(int(random_state), setting, checked, int(replicate))
    return evaluate(study, checked, chosen, seed)


def typical(replicates: pd.DataFrame, value: float) -> int:
    """The replicate that is nearest to the average.

    Parameters
    ----------
    replicates : DataFrame
        What ``run(..., each=True)`` returns.
    value : float
        Value of the study.

    Returns
    -------
    int
        Its number: that of the smallest sum of squares of coverages and lengths, standardized over
        the replicates.

    Raises
    ------
    ValueError
        If there is no replicate of that value.
    """
    own = replicates[replicates["value"] == float(value)]
    if own.empty:
        raise ValueError(
            f"value: found {value!r}, expected one of "
            f"{shortened(sorted(set(replicates['value'].tolist())))}"
        )
    wide = own.pivot_table(
        index="replicate",
        columns=["model", "test", "label"],
        values=["coverage_pi", "coverage_p", "length"],
    )
    figures = wide.to_numpy()
    spread = figures.std(axis=0)
    away = (figures - figures.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    return int(wide.index[np.square(away).sum(axis=1).argmin()])


def _measure_some(
    study: Study,
    setting: str,
    keys: Sequence[tuple[float, int]],
    alpha: float,
    options: Options,
    seed: int,
) -> Done:
    """Some replicates, in whatever process this is."""
    return {
        (value, i): measure(study, value, alpha, options, _seed(seed, setting, value, i))
        for value, i in keys
    }


def _seed(seed: int, setting: str, value: float, replicate: int) -> np.random.SeedSequence:
    """The child of one replicate: it does not depend on which others there are."""
    name = int.from_bytes(setting.encode(), "little")
    bits = int(np.float64(value).view(np.uint64))
    return np.random.SeedSequence(seed, spawn_key=(name, bits, replicate))


def _summary(done: Done, models: Iterable[str]) -> pd.DataFrame:
    """Means and standard errors over replicates."""
    import pandas as pd

    values = sorted({value for value, _ in done})
    rows = []
    for m, model in enumerate(models):
        for value in values:
            keys = [key for key in done if key[0] == value]
            metrics = np.stack([done[key][0][m] for key in keys])
            separated = int(sum(done[key][1][m] for key in keys))
            means = metrics.mean(axis=0)
            spread = metrics.std(axis=0, ddof=1) if len(keys) > 1 else np.full(means.shape, np.nan)
            errors = spread / np.sqrt(len(keys))
            for t, test in enumerate(TESTS):
                for k in LABELS:
                    row: dict[str, Any] = {"model": model, "value": value, "test": test, "label": k}
                    for j, name in enumerate(METRICS):
                        row[name] = means[t, k, j]
                        row[f"{name}_se"] = errors[t, k, j]
                    rows.append({**row, "replicates": len(keys), "separated": separated})
    return pd.DataFrame(rows)


def _study(setting: Any) -> Study:
    if not isinstance(setting, str) or setting not in STUDIES:
        raise ValueError(
            f"setting: found {setting!r}, expected one of {', '.join(map(repr, STUDIES))}"
        )
    return STUDIES[setting]


def _values(study: Study, values: Any, name: str = "values") -> list[float]:
    """Values of a study, each once."""
    given = np.atleast_1d(np.asarray(values, dtype=object)).ravel().tolist()
    if not given:
        raise ValueError("values: found none, expected at least one")
    whole = study.n is None
    for value in given:
        known = is_count(value, 1) if whole else is_number(value) and value >= study.least
        if not known:
            expected = (
                "whole numbers of at least 1" if whole else f"finite numbers from {study.least:g}"
            )
            raise ValueError(f"{name}: found {value!r}, expected {expected}: {study.value}")
    return list(dict.fromkeys(map(float, given)))


def _asked(
    setting: Any,
    values: Any,
    replicates: Any,
    alpha: Any,
    random_state: Any,
    options: dict[str, Any],
) -> tuple[Study, list[float], Options, int | None]:
    """What a run is asked for, once it is known to be of the right form."""
    study = _study(setting)
    if not is_count(replicates, 1):
        raise ValueError(f"replicates: found {replicates!r}, expected a whole number of at least 1")
    exact_alpha(alpha)
    grid = _values(study, study.grid if values is None else values)
    chosen = _options(study, options)
    for value in grid:
        split_sizes(study, value, chosen)
    if random_state is not None and not is_count(random_state, 0):
        raise ValueError(f"random_state: found {random_state!r}, expected a whole number or None")
    return study, grid, chosen, None if random_state is None else int(random_state)


def _options(study: Study, options: dict[str, Any]) -> Options:
    """Options with the sample size filled in."""
    known = [field.name for field in fields(Options)]
    for name in options:
        if name not in known:
            raise TypeError(f"{name}: found an unknown option, expected one of {', '.join(known)}")
    chosen = Options(**options)
    if study.n is None and chosen.n is not None:
        raise ValueError(f"n: found {chosen.n!r}, expected none: here the value is the sample size")
    return replace(chosen, n=study.n) if chosen.n is None else chosen
