"""Random splits of the data given to ``fit``, and the test points that are dealt to each."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np
from joblib import delayed
from sklearn.model_selection import train_test_split

from conformal_roc_widget.arrays import Ints, hint_from_values, shortened
from conformal_roc_widget.checks import number, one_of, whole_number
from conformal_roc_widget.choices import ResplitsName
from conformal_roc_widget.parallel import in_order
from conformal_roc_widget.tables.points import Labelled
from conformal_roc_widget.text import counted

from .cross_conformal import CROSS, SPLIT, cross_split
from .split import CalibratedSplit, Calibrator, params_of_rows, random_state_of

PER_INSTANCE = "per-instance"


def random_parts(
    units: Ints, size: float, seed: np.random.SeedSequence, noun: str = "point"
) -> tuple[Ints, Ints]:
    """Units that train and units that calibrate, dealt at random."""
    try:
        training, calibration = train_test_split(
            units,
            test_size=float(size) if size < 1 else int(size),
            random_state=random_state_of(seed),
        )
    except ValueError as error:
        raise ValueError(
            f"calibration_size: found {size!r} for {counted(units.size, noun)}: {error}"
        ) from None
    return training, calibration


@dataclass(frozen=True)
class RandomSplits:
    """Data that can be split at random, any number of times.

    Parameters
    ----------
    calibrator : Calibrator
        Makes a split of two parts.
    data : Labelled
        Points to be dealt to the parts.
    fit_params : mapping
        What the classifier's ``fit`` is told beside features and labels, such as weights.
    calibration_size : float
        Share, or number, of the points that calibrate.
    calibration : {"split", "cross"}
        Whether all points train and calibrate instead.
    """

    calibrator: Calibrator
    data: Labelled
    fit_params: Mapping[str, Any]
    calibration_size: float
    calibration: str = SPLIT

    def one(self, seed: np.random.SeedSequence) -> CalibratedSplit:
        """One split, with every class in both parts or an error."""
        if self.calibration == CROSS:
            return cross_split(self.calibrator, self.data, seed, self.fit_params)
        labels, size = self.data.labels, self.calibration_size
        people = self.data.stands_for.people
        # If rows belong to people, all rows of a person are in one part.
        units = np.arange(labels.size) if people is None else np.unique(people)
        noun = "point" if people is None else "group"
        training, calibration = random_parts(units, size, seed, noun)
        if people is not None:
            training, calibration = (
                np.flatnonzero(np.isin(people, part)) for part in (training, calibration)
            )
        classes = set(self.data.classes.tolist())
        for part, rows in (("training", training), ("calibration", calibration)):
            if missing := sorted(classes - set(np.unique(labels[rows]).tolist())):
                advice = hint_from_values(self.data.classes) or (
                    " (more data, another calibration_size, or a calibration set of your own)"
                )
                raise ValueError(
                    f"y: after the random split the {part} part has no label {shortened(missing)}; "
                    f"expected every class in both parts{advice}"
                )
        arguments = params_of_rows(self.fit_params, labels.size, training)
        return self.calibrator.split(
            self.data.rows(training), self.data.rows(calibration), seed, arguments
        )

    def several(
        self, number: int, seed: np.random.SeedSequence, *, n_jobs: int | None, progress: bool
    ) -> list[CalibratedSplit]:
        """Independent splits; the same seed gives the same ones each time."""
        if number == 1:
            return [self.one(seed)]
        # `spawn` gives new children at each call; those of a fresh copy are the same each time.
        seeds = np.random.SeedSequence(seed.generate_state(4)).spawn(number)
        tasks = (delayed(self.one)(seed) for seed in seeds)
        bar = {"title": "splits", "unit": "split"}
        return in_order(tasks, number, **bar, n_jobs=n_jobs, progress=progress)

    def dealt(
        self,
        resplits: int | ResplitsName,
        split_seed: np.random.SeedSequence,
        deal_seed: np.random.SeedSequence,
        *,
        n_jobs: int | None,
        progress: bool,
    ) -> DealtSplits:
        """The splits asked for; with one for each test point, the data to make them from later."""
        if resplits == PER_INSTANCE:
            # The user may change the data before the test points come.
            copied = replace(
                self, data=copy.deepcopy(self.data), fit_params=copy.deepcopy(self.fit_params)
            )
            return DealtSplits([], copied, split_seed, deal_seed)
        splits = self.several(int(resplits), split_seed, n_jobs=n_jobs, progress=progress)
        return DealtSplits(splits, None, split_seed, deal_seed)


@dataclass(frozen=True)
class DealtSplits:
    """Splits, and the deal of test points among them.

    Parameters
    ----------
    fitted : list of CalibratedSplit
        Splits that are there; none if each test point gets one of its own.
    per_instance : RandomSplits or None
        Draws a split for each test point.
    split_seed, deal_seed : SeedSequence
        Of the splits, and of the deal.
    """

    fitted: list[CalibratedSplit]
    per_instance: RandomSplits | None
    split_seed: np.random.SeedSequence
    deal_seed: np.random.SeedSequence

    def with_rows(
        self, n: int, *, n_jobs: int | None, progress: bool
    ) -> list[tuple[CalibratedSplit, Ints]]:
        """Each split to which some of `n` test points are dealt, with their rows."""
        if self.per_instance is None:
            splits, dealt = self.fitted, deal(n, len(self.fitted), self.deal_seed)
        else:
            splits = self.per_instance.several(n, self.split_seed, n_jobs=n_jobs, progress=progress)
            dealt = [np.array([row]) for row in range(n)]
        return [(split, rows) for split, rows in zip(splits, dealt, strict=True) if rows.size]


def check_resplits(resplits: Any, calibration_size: Any, *, explicit: bool = False) -> None:
    """Refuses parameters that make no random split, or resplits of parts that are given."""
    if isinstance(resplits, str):
        one_of(resplits, "resplits", [PER_INSTANCE], other="a whole number of at least 1")
    else:
        whole_number(resplits, "resplits", 1, other=repr(PER_INSTANCE))
    if explicit and resplits != 1:
        raise ValueError(
            f"resplits: found {resplits!r} with an explicit calibration set, expected 1: there is "
            "nothing to split"
        )
    number(
        calibration_size,
        "calibration_size",
        "a share in (0, 1) or a whole number",
        _is_size,
    )


def _is_size(size: Any) -> bool:
    """A share, or a number of points; 1.0 is meant as a share, and leaves none to train."""
    if isinstance(size, Integral):
        return int(size) >= 1
    return 0 < size < 1 or (size > 1 and float(size).is_integer())


def deal(n: int, number: int, seed: np.random.SeedSequence) -> list[Ints]:
    """Deals `n` test points to `number` splits, at random and as evenly as can be."""
    turn = np.random.default_rng(seed).permutation(n) % number
    return [np.flatnonzero(turn == split) for split in range(number)]
