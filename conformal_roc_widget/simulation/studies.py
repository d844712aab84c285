"""The paper's simulation studies (section 5): draws data, runs studies, inspects a replicate."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from inspect import signature
from itertools import product
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from conformal_roc_widget.arrays import Floats, shortened
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import number, one_of, whole_number, yes_or_no
from conformal_roc_widget.choices import SettingName
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.names import hint

from .designs import STUDIES, Sample, Study
from .options import Options
from .replicate import (
    GUARANTEES,
    LABELS,
    METRICS,
    RANGES,
    TESTS,
    evaluate,
    measure,
    measure_guarantees,
    split_sizes,
)
from .results_file import Layout, means, to_frame
from .runner import run_replicates, study_seed
from .survival import draw_survival

if TYPE_CHECKING:
    import pandas as pd


def draw(
    setting: SettingName,
    n: int,
    rng: np.random.Generator | int | None,
    *,
    shifted: bool = False,
    value: float | None = None,
    beta: Sequence[float] = (1.0, 1.0, 1.0, 1.0),
) -> Sample:
    """Draws random points of a study.

    Parameters
    ----------
    setting : {"sample_size", "missing_predictor", "missing_interaction", "survival"}
        Which study, or a key that was added to `STUDIES`. ``"survival"`` has outcomes with a time.
    n : int
        Number of points.
    rng : numpy.random.Generator or int or None
        Source of randomness, as `numpy.random.default_rng` takes it.
    shifted : bool
        Whether the covariates follow the distribution of the shifted test points.
    value : float, optional
        ``beta_3`` for ``"missing_predictor"``, ``gamma`` for ``"missing_interaction"``. By default
        1. The points of ``"sample_size"`` do not depend on it. For ``"survival"``, the time by
        which an event must happen to count in `logit_pi`.
    beta : sequence of four floats
        ``(beta_0, beta_1, beta_2, beta_3)``. See `Options`.

    Returns
    -------
    X : ndarray of shape (n, 3)
        Covariates.
    y : ndarray of shape (n,)
        Labels 0 and 1. For ``"survival"``, a structured array with the fields ``event`` and
        ``time``.
    logit_pi : ndarray of shape (n,)
        ``logit pi(x)``.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    points = whole_number(n, "n", 1, from_floats=True)
    shifted = yes_or_no(shifted, "shifted")
    try:
        generator = np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        raise TypeError(f"rng: found {rng!r}, expected a generator or a seed: {error}") from None
    if setting == "survival":
        horizon = number(
            1.0 if value is None else value, "value", "a time above 0", lambda t: 0 < t < np.inf
        )
        return draw_survival(points, generator, shifted=shifted, horizon=horizon)
    study = study_of(setting)
    if value is None:
        value = float(points) if study.n is None else 1.0
    return study.draw(
        points,
        generator,
        shifted=shifted,
        value=values_of(study, [value], "value")[0],
        beta=Options(beta=beta).beta,  # type: ignore[arg-type]
    )


def run(
    setting: SettingName,
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
    """Computes coverage and length of the intervals over many replicates of a study.

    Every replicate draws a sample, splits it, fits every model, and evaluates an iid test set
    (Algorithm 1) and a shifted one (Algorithm 2). Its random numbers depend only on `random_state`,
    the study, the value and its own number, and so neither on `n_jobs`, nor on the order, nor on
    what else is run. joblib runs the replicates. On a cluster, call this within
    ``joblib.parallel_config(backend="dask")``.

    If the user interrupts (Ctrl-C, or the notebook's stop button), the finished replicates are
    returned with a warning.

    Parameters
    ----------
    setting : {"sample_size", "missing_predictor", "missing_interaction"}
        Which study, or a key that was added to `STUDIES`.
    values : array_like of float, optional
        Sample sizes, or values of ``beta_3`` or ``gamma``. By default the grid of the study.
    replicates : int
        Number of replicates at each value.
    alpha : float
        Significance level in (0, 1).
    n_jobs : int or None
        Number of processes, as joblib counts them. None is one, or the number of
        ``parallel_config``.
    random_state : int or None
        Seed. None takes that of the file at `path` or, without a file, a new one.
    progress : bool
        Whether to show a progress bar.
    path : path-like, optional
        Parquet file for the replicates. Replicates in the file are not computed again. It is
        written from time to time and at the end, also after an interruption.
    each : bool
        Whether to return one row for each replicate instead of means.
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
        If an argument is not of the form above, or if the file at `path` is damaged or comes from
        another run. The file is then left as it is.
    """
    yes_or_no(each, "each")
    asked = checked_run(setting, values, replicates, alpha, random_state, options)
    layout = Layout(
        maker="simulation.run",
        replicate=("value", "replicate"),
        row=("model", "test", "label"),
        rows=tuple(product(asked.study.models, TESTS, LABELS)),
        figures=METRICS,
        flags=("separated",),
        types={"value": "float64", "replicate": "int64", "label": "int64"},
    )
    done = _replicates(_figures, asked, n_jobs, progress, layout, path)
    if each:
        table = to_frame(done, layout)
    else:
        table = means(dict(sorted(done.items())), layout, ("model", "value", "test", "label"))
        place = {model: i for i, model in enumerate(asked.study.models)}
        table = table.sort_values(
            "model", key=lambda models: models.map(place), kind="stable", ignore_index=True
        )
    table.attrs |= {"alpha": asked.alpha, "value": asked.study.value}
    return table


def guarantees(
    setting: SettingName,
    values: ArrayLike | None = None,
    replicates: int = 100,
    alpha: float = 0.05,
    n_jobs: int | None = None,
    random_state: int | None = None,
    progress: bool = True,
    **options: Any,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Computes how often the ideal model's curve, and its Youden index, are covered.

    This is done for each guarantee. The replicates are those of `run` with the same seed, on iid
    test points.

    Parameters
    ----------
    setting, values, replicates, alpha, n_jobs, random_state, progress : object
        See `run`.
    **options : object
        Fields of `Options`. With the reference ``"oracle"``, the band for the curve uses the truth
        too. Otherwise it uses the posterior of the reference ``"sharp"``.

    Returns
    -------
    curve : DataFrame
        One row for each ``model``, ``value``, ``label`` and ``guarantee``, with means over
        replicates. ``coverage_band`` is the coverage of the oracle's rate at a random threshold
        ``pi(x_s)``, and ``width_band`` the width of the band there.
    youden : DataFrame
        One row for each ``model``, ``value`` and ``range``. A range is that of a guarantee, or
        ``"bootstrap"``, the percentile interval of the classifier's own index. ``coverage`` is that
        of the oracle's index, and ``width`` that of the range.

    Each figure is followed by its Monte-Carlo standard error (``*_se``).

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    asked = checked_run(setting, values, replicates, alpha, random_state, options)
    models = asked.study.models
    done = _replicates(measure_guarantees, asked, n_jobs, progress)
    curve = Layout(
        maker="simulation.guarantees",
        replicate=("value", "replicate"),
        row=("model", "guarantee", "label"),
        rows=tuple(product(models, GUARANTEES, LABELS)),
        figures=("coverage_band", "width_band"),
    )
    youden = curve._replace(
        row=("model", "range"),
        rows=tuple(product(models, RANGES)),
        figures=("coverage", "width"),
    )
    curves, indices = (
        {key: figures[which].reshape(-1, 2) for key, figures in done.items()} for which in (0, 1)
    )
    tables = (
        means(curves, curve, ("model", "value", "label", "guarantee")),
        means(indices, youden, ("model", "value", "range")),
    )
    for table in tables:
        table.attrs |= {"alpha": asked.alpha, "value": asked.study.value}
    return tables


def evaluations(
    setting: SettingName,
    value: float,
    replicate: int = 0,
    *,
    random_state: int,
    **options: Any,
) -> dict[tuple[str, str], RocEvaluation]:
    """Makes the evaluations of one replicate of `run`, to draw or to diagnose their bands.

    Parameters
    ----------
    setting : str
        See `run`.
    value : float
        Sample size, ``beta_3`` or ``gamma``.
    replicate : int
        Number of the replicate, counted from 0. See `typical`.
    random_state : int
        The seed of the run.
    **options : object
        See `run`.

    Returns
    -------
    dict
        ``(model, test)`` -> RocEvaluation.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    study = study_of(setting)
    (checked,) = values_of(study, [value], "value")
    chosen = options_of(study, options)
    split_sizes(study, checked, chosen)
    which = whole_number(replicate, "replicate", 0, from_floats=True)
    root = whole_number(random_state, "random_state", 0, from_floats=True)
    return evaluate(study, checked, chosen, study_seed(root, setting, checked, which))


def typical(replicates: pd.DataFrame, value: float) -> int:
    """Finds the replicate that is nearest to the average.

    Parameters
    ----------
    replicates : DataFrame
        The result of ``run(..., each=True)``.
    value : float
        Value of the study.

    Returns
    -------
    int
        The replicate's number. It has the smallest sum of squares of coverages and lengths,
        standardized over the replicates.

    Raises
    ------
    ValueError
        If there is no replicate of the value.
    """
    at_value = replicates[replicates["value"] == float(value)]
    if at_value.empty:
        raise ValueError(
            f"value: found {value!r}, expected one of "
            f"{shortened(sorted(set(replicates['value'].tolist())))}"
        )
    wide = at_value.pivot_table(
        index="replicate",
        columns=["model", "test", "label"],
        values=["coverage_pi", "coverage_p", "length"],
    )
    figures = wide.to_numpy()
    spread = figures.std(axis=0)
    away = (figures - figures.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    nearest = int(np.square(away).sum(axis=1).argmin())
    return int(wide.index[nearest])


#: The key of a replicate: the value of the study, and the number of the replicate.
Key = tuple[float, int]


def study_of(setting: Any) -> Study:
    """Returns the study with the name `setting`."""
    return STUDIES[one_of(setting, "setting", STUDIES)]


def values_of(study: Study, values: Any, name: str = "values") -> list[float]:
    """Checks the given values, and returns each once. Errors call the argument `name`."""
    given = np.atleast_1d(np.asarray(values, dtype=object)).ravel().tolist()
    if not given:
        raise ValueError(f"{name}: found none, expected at least one")
    if study.n is None:
        checked = [float(whole_number(value, name, 1, from_floats=True)) for value in given]
    else:
        expected = f"a finite number of at least {study.least:g}, for {study.value}"
        checked = [
            number(value, name, expected, lambda v: isfinite(v) and v >= study.least)
            for value in given
        ]
    return list(dict.fromkeys(checked))


class Run(NamedTuple):
    """A run of a study: the keys of its replicates, and what their figures depend on."""

    setting: str
    study: Study
    keys: list[Key]
    alpha: float
    options: Options
    random_state: int | None

    @property
    def description(self) -> dict[str, Any]:
        """The description that the file of the run contains."""
        named = {"setting": self.setting, "alpha": self.alpha}
        return {**named, **self.options.as_json(), "random_state": self.random_state}


def checked_run(
    setting: Any,
    values: Any,
    replicates: Any,
    alpha: Any,
    random_state: Any,
    options: Mapping[str, Any],
) -> Run:
    """Checks these arguments, and makes the run that they ask for."""
    study = study_of(setting)
    total = whole_number(replicates, "replicates", 1, from_floats=True)
    grid = values_of(study, study.grid if values is None else values)
    chosen = options_of(study, options)
    for value in grid:
        split_sizes(study, value, chosen)
    if random_state is not None:
        random_state = whole_number(random_state, "random_state", 0, other="None", from_floats=True)
    keys = [(value, i) for value in grid for i in range(total)]
    return Run(setting, study, keys, float(exact_alpha(alpha)), chosen, random_state)


def options_of(study: Study, options: Mapping[str, Any]) -> Options:
    """Makes `Options` of these values. If there is no sample size, it is the study's."""
    known = [field.name for field in fields(Options)]
    for name in options:
        if name not in known:
            advice = hint("keywords", name, run.__name__, [*signature(run).parameters, *known])
            raise TypeError(
                f"{name}: found an unknown option, expected one of {', '.join(known)}"
                + (advice and f"; {advice}")
            )
    chosen = Options(**options)
    if study.n is None and chosen.n is not None:
        raise ValueError(f"n: found {chosen.n!r}, expected none: here the value is the sample size")
    return replace(chosen, n=study.n) if chosen.n is None else chosen


def _replicates(
    figures: Callable[..., Any],
    asked: Run,
    n_jobs: int | None,
    progress: bool,
    layout: Layout | None = None,
    path: str | os.PathLike[str] | None = None,
) -> dict[Key, Any]:
    """Returns the result of `figures` for each replicate of the run `asked`.

    `figures` is called with the replicate's study, value, alpha, options and seed.
    """
    return run_replicates(
        asked.keys,
        partial(_replicate, figures, asked),
        asked.description,
        layout,
        path=path,
        title=asked.study.title,
        n_jobs=n_jobs,
        progress=progress,
    )


def _replicate(figures: Callable[..., Any], asked: Run, key: Key, random_state: int) -> Any:
    seed = study_seed(random_state, asked.setting, *key)
    return figures(asked.study, key[0], asked.alpha, asked.options, seed)


def _figures(*replicate: Any) -> Floats:
    """Returns the figures of a replicate of `run`, with a row for each model, test and label."""
    metrics, separated = measure(*replicate)
    rows = metrics.reshape(-1, len(METRICS))
    return np.column_stack([rows, separated.repeat(len(rows) // len(separated))])
