"""Finds the outcome of each row at a horizon t (event, no event or unknown) and its weight.

A case has its event at a time ``U <= t``. Its weight is ``1 / G(U-)``. A control is followed up to
t or longer without an event by t. Its weight is ``1 / G(t-)``. G is the probability of being
followed (`conformal_roc_widget.calibration.followed.censoring`). If a row was lost to follow-up
before t, its outcome is unknown and its weight is 0. The weights of the rows that are still
followed make up for the lost rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats, Ints, ReadOnlyArrays
from conformal_roc_widget.checks import number
from conformal_roc_widget.tables.event_times import EventTimes
from conformal_roc_widget.tables.points import Points
from conformal_roc_widget.text import counted, duration

from .censoring import Censoring

#: The training part and the calibration part each need at least this many rows with an event and
#: this many without.
FEWEST = 8


class Known(NamedTuple):
    """The rows whose outcome at a horizon is known, with their labels and weights.

    `unknown` tells for every row whether its outcome is unknown. `rows` are the indices of the m
    known rows among all rows. `labels` are 1 for cases and 0 for controls. `weights` are positive.
    """

    horizon: float
    unknown: NDArray[np.bool_]
    rows: Ints
    labels: NDArray[np.int8]
    weights: Floats

    @classmethod
    def of(
        cls,
        outcome: EventTimes,
        horizon: float,
        censoring: Censoring,
        points: Points | None = None,
    ) -> Known:
        """Finds the rows whose outcome at `horizon` is known, and computes their weights.

        `points` are the features of all rows, which the censoring model may use.
        """
        times, events = outcome
        case = events & (times <= horizon)
        control = (times > horizon) | (~events & (times == horizon))
        weights = 1 / censoring.before(np.where(case, times, horizon), points)
        rows = np.flatnonzero(case | control)
        return cls(horizon, ~(case | control), rows, case[rows].astype(np.int8), weights[rows])

    @property
    def counts(self) -> tuple[int, int, int]:
        """The numbers of rows with an event by the horizon, without one, and of unknown outcome."""
        cases = int(np.count_nonzero(self.labels))
        return cases, self.labels.size - cases, int(np.count_nonzero(self.unknown))


@dataclass(frozen=True, eq=False)
class FollowUp(ReadOnlyArrays):
    """The outcomes of the test rows at a horizon.

    Parameters
    ----------
    horizon : float
        The time by which an event counts, in the unit of the times.
    unit : str
        Name of this unit, or empty.
    unknown : ndarray of bool of shape (n_test,)
        Rows that were lost to follow-up before the horizon.
    outcome : EventTimes
        Outcomes of all test rows.
    scores : ndarray of shape (n_test,)
        Scores of all test rows.
    """

    horizon: float
    unit: str
    unknown: NDArray[np.bool_]
    outcome: EventTimes
    scores: Floats

    @property
    def by(self) -> str:
        """The horizon in words, such as "730 days"."""
        return duration(self.horizon, self.unit)

    @property
    def n_unknown(self) -> int:
        """The number of test rows whose outcome at the horizon is unknown."""
        return int(np.count_nonzero(self.unknown))

    @cached_property
    def known_rows(self) -> Ints:
        """The indices of the test rows whose outcome at the horizon is known."""
        return np.flatnonzero(~self.unknown)


def check_known(
    outcome: EventTimes,
    horizon: float,
    name: str,
    fewest: int = FEWEST,
    argument: str = "horizon",
) -> None:
    """Raises if a horizon is beyond all times, or has too few cases or controls.

    At least `fewest` rows of each kind are needed. Errors call the outcomes `name` and the horizon
    `argument`.
    """
    times, events = outcome
    if horizon > (last := float(times.max())):
        raise ValueError(
            f"{argument}: found {horizon:g} beyond the last time of {name}, expected at most "
            f"{last:g}: nobody is known to be without the event after {last:g}"
        )
    cases = int((events & (times <= horizon)).sum())
    controls = int(((times > horizon) | (~events & (times == horizon))).sum())
    if min(cases, controls) < fewest:
        raise ValueError(
            f"{name}: found {counted(cases, 'row')} with an event by {horizon:g} and "
            f"{controls} known to be without one then, expected at least {fewest} of each"
        )


def horizon_of(horizon: Any) -> float:
    """Checks the argument `horizon`, which must be finite and above 0. Returns a float."""
    return _horizon_of(horizon, "horizon", "one finite number above 0, in the unit of the times")


def _horizon_of(value: Any, name: str, expected: str) -> float:
    return number(value, name, expected, lambda t: 0 < t < math.inf)


def horizons_of(horizons: Any) -> tuple[float, ...]:
    """Checks the argument `horizons`. Returns its distinct values as floats in ascending order."""
    name = "horizons"
    expected = "one finite number above 0, or several, in the unit of the times"
    given: Sequence[Any] = [horizons]
    if isinstance(horizons, np.ndarray | list | tuple | range) or hasattr(horizons, "to_numpy"):
        array = np.asarray(horizons)
        if array.ndim > 1 or not array.size:
            raise ValueError(f"{name}: found shape {array.shape}, expected {expected}")
        given = [array.item()] if array.ndim == 0 else array.tolist()
    return tuple(sorted({_horizon_of(each, name, expected) for each in given}))


def chosen_horizon(horizon: Any, known: Sequence[float]) -> float:
    """The horizon among `known` that equals `horizon`. If `horizon` is None, the only one."""
    horizon_texts = ", ".join(f"{each:g}" for each in known)
    if horizon is None:
        if len(known) > 1:
            raise ValueError(
                f"horizon: found None for {len(known)} horizons, expected one of {horizon_texts}"
            )
        return known[0]
    wanted = number(horizon, "horizon", f"one of {horizon_texts}")
    if wanted not in known:
        raise ValueError(
            f"horizon: found {wanted:g}, expected one of {horizon_texts}, those of the fit"
        )
    return wanted
