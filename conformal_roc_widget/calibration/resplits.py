"""Splits the data of ``fit`` at random, and assigns test points to the splits."""

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
from conformal_roc_widget.parallel import in_order, progress_bar
from conformal_roc_widget.tables.points import Labelled
from conformal_roc_widget.text import counted

from .cross_conformal import CROSS, SPLIT, cross_split
from .split import CalibratedSplit, Calibrator, params_of_rows, random_state_of

PER_INSTANCE = "per-instance"


def random_parts(
    units: Ints, size: float, seed: np.random.SeedSequence, noun: str = "point"
) -> tuple[Ints, Ints]:
    """Splits `units` (points or people) at random into those that train and those that calibrate.

    `size` is the share or the number that calibrates. Errors call a unit `noun`.
    """
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
    """Data that can be split at random any number of times.

    Parameters
    ----------
    calibrator : Calibrator
        Makes a split of two parts.
    data : Labelled
        Points to assign to the parts.
    fit_params : mapping
        Arguments of the classifier's ``fit`` besides features and labels, such as weights.
    calibration_size : float
        Share, or number, of the points that calibrate.
    calibration : {"split", "cross"}
        With ``"cross"`` there are no parts, because all points train and calibrate.
    """

    calibrator: Calibrator
    data: Labelled
    fit_params: Mapping[str, Any]
    calibration_size: float
    calibration: str = SPLIT

    def one(self, seed: np.random.SeedSequence) -> CalibratedSplit:
        """Makes a random split. Raises if a part lacks a class."""
        if self.calibration == CROSS:
            return cross_split(self.calibrator, self.data, seed, self.fit_params)
        labels, size = self.data.labels, self.calibration_size
        people = self.data.stands_for.people
        # If rows belong to people, all rows of a person are in the same part, for training or for
        # calibration.
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
        """Makes `number` independent splits. The same seed always gives the same splits."""
        if number == 1:
            return [self.one(seed)]
        # The same object would return other seeds at the second call of `spawn`. So a new object is
        # made from the state of `seed` for each call.
        seeds = np.random.SeedSequence(seed.generate_state(4)).spawn(number)
        tasks = (delayed(self.one)(seed) for seed in seeds)
        with progress_bar(number, title="splits", unit="split", progress=progress) as bar:
            return in_order(tasks, n_jobs=n_jobs, bar=bar)

    def dealt(
        self,
        resplits: int | ResplitsName,
        split_seed: np.random.SeedSequence,
        deal_seed: np.random.SeedSequence,
        *,
        n_jobs: int | None,
        progress: bool,
    ) -> DealtSplits:
        """Makes the splits that `resplits` asks for. Test points are assigned to them later.

        If each test point gets its own split, these are made later from a copy of the data.
        """
        if resplits == PER_INSTANCE:
            # The data are copied, because the user may change them before there are test points.
            copied = replace(
                self, data=copy.deepcopy(self.data), fit_params=copy.deepcopy(self.fit_params)
            )
            return DealtSplits([], copied, split_seed, deal_seed)
        splits = self.several(int(resplits), split_seed, n_jobs=n_jobs, progress=progress)
        return DealtSplits(splits, None, split_seed, deal_seed)


@dataclass(frozen=True)
class DealtSplits:
    """Splits, and a seed that assigns test points to them.

    Parameters
    ----------
    fitted : list of CalibratedSplit
        The splits made so far. Empty if each test point gets its own split later.
    per_instance : RandomSplits or None
        Makes a split for each test point.
    split_seed, deal_seed : SeedSequence
        The seeds of the splits, and of the assignment of test points.
    """

    fitted: list[CalibratedSplit]
    per_instance: RandomSplits | None
    split_seed: np.random.SeedSequence
    deal_seed: np.random.SeedSequence

    def with_rows(
        self, n: int, *, n_jobs: int | None, progress: bool
    ) -> list[tuple[CalibratedSplit, Ints]]:
        """Returns each split with the indices of its test points among `n`.

        Splits without test points are left out.
        """
        if self.per_instance is None:
            splits, dealt = self.fitted, deal(n, len(self.fitted), self.deal_seed)
        else:
            splits = self.per_instance.several(n, self.split_seed, n_jobs=n_jobs, progress=progress)
            dealt = [np.array([row]) for row in range(n)]
        return [(split, rows) for split, rows in zip(splits, dealt, strict=True) if rows.size]


def check_resplits(resplits: Any, calibration_size: Any, *, explicit: bool = False) -> None:
    """Raises if `resplits` or `calibration_size` is invalid.

    If the calibration set is given (`explicit`), `resplits` must be 1.
    """
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
    """Whether a size is a share below 1 or a number of points.

    The float 1.0 is refused, because as a share it would leave no points to train on.
    """
    if isinstance(size, Integral):
        return int(size) >= 1
    return 0 < size < 1 or (size > 1 and float(size).is_integer())


def deal(n: int, number: int, seed: np.random.SeedSequence) -> list[Ints]:
    """Assigns `n` test points to `number` splits. Returns the indices of each split's points.

    The assignment is random and as even as possible.
    """
    turn = np.random.default_rng(seed).permutation(n) % number
    return [np.flatnonzero(turn == split) for split in range(number)]
