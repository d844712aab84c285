"""Outcomes at a horizon: event, no event or unknown, and the weight of each row.

A case has its event at ``U <= t`` and counts ``1 / G(U-)``. A control is followed beyond t, or up
to t itself without an event, and counts ``1 / G(t-)``. A row that was lost before t is unknown and
counts 0; those still followed stand for it. G is the probability of being followed
(`conformal_roc_widget.calibration.followed.censoring`).
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

#: A part that trains or calibrates needs at least this many rows of each known outcome.
FEWEST = 8


class Known(NamedTuple):
    """Outcomes at a horizon: which rows are known, and labels and weights of these.

    `rows` are the places of the known rows among all (m,); `labels` are 1 for a case and 0 for a
    control, and `weights` are above 0.
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
        """Outcomes by a horizon of the rows of some points."""
        times, events = outcome
        case = events & (times <= horizon)
        control = (times > horizon) | (~events & (times == horizon))
        weights = 1 / censoring.before(np.where(case, times, horizon), points)
        rows = np.flatnonzero(case | control)
        return cls(horizon, ~(case | control), rows, case[rows].astype(np.int8), weights[rows])

    @property
    def counts(self) -> tuple[int, int, int]:
        """Rows with the event, without it, and unknown."""
        cases = int(np.count_nonzero(self.labels))
        return cases, self.labels.size - cases, int(np.count_nonzero(self.unknown))


@dataclass(frozen=True, eq=False)
class FollowUp(ReadOnlyArrays):
    """Outcomes of the test rows by a horizon.

    Parameters
    ----------
    horizon : float
        In the unit of the times.
    unit : str
        What that unit is called, or empty.
    unknown : ndarray of bool of shape (n_test,)
        Rows that were lost from sight before.
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
        """The horizon in words: "730 days"."""
        return duration(self.horizon, self.unit)

    @property
    def n_unknown(self) -> int:
        """Number of rows whose outcome is unknown."""
        return int(np.count_nonzero(self.unknown))

    @cached_property
    def known_rows(self) -> Ints:
        """Places of the known rows in the test set."""
        return np.flatnonzero(~self.unknown)


def check_known(
    outcome: EventTimes,
    horizon: float,
    name: str,
    fewest: int = FEWEST,
    argument: str = "horizon",
) -> None:
    """Refuses a horizon, the value of an argument, at which too little is known of some rows."""
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
    """The horizon, checked."""
    return _horizon_of(horizon, "horizon", "one finite number above 0, in the unit of the times")


def _horizon_of(value: Any, name: str, expected: str) -> float:
    return number(value, name, expected, lambda t: 0 < t < math.inf)


def horizons_of(horizons: Any) -> tuple[float, ...]:
    """Horizons, ascending, each once."""
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
    """The horizon of a fit that is asked for; None if there is only one."""
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
