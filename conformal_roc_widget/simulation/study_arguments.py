"""Checks the arguments of the studies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.checks import number, one_of, whole_number
from conformal_roc_widget.simulation.designs import STUDIES, Study
from conformal_roc_widget.simulation.options import Options
from conformal_roc_widget.simulation.replicate import split_sizes

#: A value of a study, and the number of a replicate.
Key = tuple[float, int]


def study_of(setting: Any) -> Study:
    """Study by its name."""
    return STUDIES[one_of(setting, "setting", STUDIES)]


def values_of(study: Study, values: Any, name: str = "values") -> list[float]:
    """Values of a study, each once."""
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
    """What is asked of a study: the names of its replicates, and how each is made."""

    setting: str
    study: Study
    keys: list[Key]
    alpha: float
    options: Options
    random_state: int | None

    @property
    def description(self) -> dict[str, Any]:
        """What a result file says of itself."""
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
    """The run that these arguments ask for; refuses wrong ones."""
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
    """Options with the sample size filled in."""
    known = [field.name for field in fields(Options)]
    for name in options:
        if name not in known:
            raise TypeError(f"{name}: found an unknown option, expected one of {', '.join(known)}")
    chosen = Options(**options)
    if study.n is None and chosen.n is not None:
        raise ValueError(f"n: found {chosen.n!r}, expected none: here the value is the sample size")
    return replace(chosen, n=study.n) if chosen.n is None else chosen
