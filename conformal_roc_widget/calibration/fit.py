"""Implements ``fit``: from the user's table and parameters to a calibration.

These are lines 1 and 3 of Algorithm 1. The reference is the estimate of the true probability.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import get_config
from sklearn.utils import check_random_state
from sklearn.utils.metadata_routing import process_routing

from conformal_roc_widget.arrays import (
    Floats,
    codes_of,
    frame_columns,
    groups_of,
    labels_of,
    people_of,
    row_weights_of,
    shortened,
)
from conformal_roc_widget.tables.calibration_rows import CalibrationRows, refuse_shared_groups
from conformal_roc_widget.tables.encoder import check_encoder, encode_of
from conformal_roc_widget.tables.event_times import EXPECTED, refuse_other_columns, refuse_with_time
from conformal_roc_widget.tables.points import Labelled, crossed_names
from conformal_roc_widget.text import Note

from .centres import centre_model, check_center
from .classifiers import check_classifier, check_frozen, check_trainable, was_fitted
from .cross_conformal import CROSS, check_calibration, cross_refusal
from .named_references import Choice
from .neighborhoods import check_distance
from .parameters import Method, Parameters, looks_at_features, of_intervals
from .resplits import DealtSplits, RandomSplits, check_resplits
from .split import Calibrator


def trained_again(trained: int, n: int) -> Note:
    """Returns the note that a fitted classifier is trained again, on `trained` of `n` rows."""
    rows = f"all your {n:,} rows" if trained == n else f"{trained:,} of your {n:,} rows"
    return Note(
        f"The classifier was fitted already and is trained again on {rows}, for calibration needs "
        "rows that it has not seen.",
        remedy="To see the classifier as it is, hand in FrozenEstimator(classifier) with rows that "
        "it has not seen.",
    )


class RowFacts(NamedTuple):
    """The arguments of ``fit``, besides features and labels, that have one value for each row.

    The arguments are not checked yet. If the user gave a calibration set, the arguments whose names
    end in ``_calibration`` belong to it.
    """

    sample_weight: Any
    sample_weight_calibration: Any
    groups: Any
    groups_calibration: Any
    sensitive_features: Any
    sensitive_features_calibration: Any
    #: Further keyword arguments for the classifier's ``fit``.
    fit_params: Mapping[str, Any]

    def refuse_with_time(self) -> None:
        """Raises if one of these arguments is given for outcomes with a time.

        There is no theory for any of these arguments if outcomes have a time.
        """
        refuse_with_time({**self._asdict(), "fit_params": None})

    def fit_arguments(self, data: Labelled, owner: Any) -> dict[str, Any]:
        """Returns the keyword arguments for the classifier's ``fit``.

        If scikit-learn's metadata routing is on, only those are returned that `owner`, the
        `ConformalROC`, was asked to pass on.
        """
        arguments = dict(self.fit_params)
        if self.sample_weight is not None:
            arguments["sample_weight"] = data.weights_of(self.sample_weight)
        if not get_config()["enable_metadata_routing"]:
            return arguments
        if self.groups is not None:
            arguments["groups"] = groups_of(self.groups, "groups", data.codes.size)
        return dict(process_routing(owner, "fit", **arguments).estimator.fit) if arguments else {}

    def parts(
        self, data: Labelled, given: tuple[Any, ArrayLike | None]
    ) -> tuple[Labelled, Labelled, list[Any] | None]:
        """Returns the rows of `X`, the rows that calibrate, and the names of the populations.

        `given` is the calibration set, or a pair of None. Without a calibration set, both kinds of
        rows are the same. The rows that calibrate have weights, people and populations. If the user
        gave no populations, their names are None.
        """
        if given[0] is None:
            for name, value in (
                ("groups_calibration", self.groups_calibration),
                ("sensitive_features_calibration", self.sensitive_features_calibration),
            ):
                if value is not None:
                    raise ValueError(f"{name}: found it without X_calibration, expected None")
            data, names = self._calibrating(data, self.groups, self.sensitive_features, "")
            return data, data, names
        if self.groups is not None:
            people = people_of(self.groups, "groups", data.codes.size)
            data = data._replace(stands_for=CalibrationRows(people=people))
        rows = Labelled.of(*given, "_calibration", (data.points.columns, data.classes))
        calibrating, names = self._calibrating(
            rows, self.groups_calibration, self.sensitive_features_calibration, "_calibration"
        )
        refuse_shared_groups(self.groups, self.groups_calibration, ("groups", "groups_calibration"))
        return data, calibrating, names

    def _calibrating(
        self, rows: Labelled, groups: Any, sensitive: Any, suffix: str
    ) -> tuple[Labelled, list[Any] | None]:
        n, raw = rows.codes.size, rows.points.raw
        stands_for = CalibrationRows.of(
            raw, n, self.sample_weight_calibration, groups, group_name=f"groups{suffix}"
        )
        names = codes = None
        if sensitive is not None:
            names, codes = crossed_names(sensitive, f"sensitive_features{suffix}", n)
        return rows._replace(stands_for=stands_for, populations=codes), names

    @property
    def people(self) -> Any:
        """Returns the names of the people (or groups) of all rows, with the calibration set's.

        Returns None if the user gave none.
        """
        known = [
            labels_of(groups, name)
            for groups, name in (
                (self.groups, "groups"),
                (self.groups_calibration, "groups_calibration"),
            )
            if groups is not None
        ]
        return np.concatenate(known) if known else None


class Calibration(NamedTuple):
    """The result of ``fit``: everything that an evaluation needs besides test points."""

    parameters: Parameters
    #: The parameters from which the limits of intervals are computed.
    method: Method
    #: The classifiers and their residuals.
    splits: DealtSplits
    classes: NDArray[Any]
    #: The names of all people in the fit. None if the user gave none.
    people: Any
    #: The names of the populations, each of which has its own calibration. None if the user gave no
    #: populations.
    populations: list[Any] | None
    #: Names of the columns of the frame that gave the populations. Empty if it was not a frame.
    population_columns: list[str]

    def test_table(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: Any = None,
        sensitive_features: Any = None,
        groups: Any = None,
    ) -> tuple[Labelled, Floats | None]:
        """Checks test points with labels, populations and people. Returns them with their weights.

        Rows of weight 0 are left out. Without weights, None is returned for them.
        """
        like = self.method.columns, self.classes
        test = Labelled.of(X, y, "_test", like, self.method.encode_test, absent=True)
        if groups is not None:
            refuse_shared_groups(self.people, groups, ("groups of the fit", "groups"), y)
            test = test._replace(people=people_of(groups, "groups", test.codes.size))
        if sensitive_features is not None:
            self._refuse_other_columns(sensitive_features)
            codes = crossed_names(sensitive_features, "sensitive_features", test.codes.size)[1]
            test = test._replace(populations=codes)
        if sample_weight is None:
            return test, None
        weights = row_weights_of(sample_weight, "sample_weight", test.codes.size)
        if (weights > 0).all():
            return test, weights
        rows = np.flatnonzero(weights)
        name = "y_test where sample_weight is above 0"
        codes_of(test.labels[rows], test.classes, name, absent=True)
        return test.rows(rows), weights[rows]

    def with_parameters(self, now: Parameters) -> Calibration:
        """Returns the calibration with the new parameters `now`, which are checked as in a fit."""
        # Only a new fit can draw new splits, so `resplits` keeps its value.
        now = replace(now, resplits=self.parameters.resplits)
        then, wanted = of_intervals(self.parameters), of_intervals(now)
        if all(value is then[name] for name, value in wanted.items()):
            return self._replace(parameters=now)
        method = self.method._replace(**wanted)
        if now.center is not then["center"] and (
            method.has_other_centre or self.method.has_other_centre
        ):
            raise ValueError(
                f"center: found {now.center!r:.60} after a fit with {then['center']!r:.60}, "
                "expected it before the fit, which trains it"
            )
        method.check()
        if self.splits.fitted:
            features = self.splits.fitted[0].points.array
            if not features.shape[1] and looks_at_features(now.neighbors, now.distance):
                raise ValueError(
                    f"neighbors: found {now.neighbors!r} after a fit that made no numbers of the "
                    "features, expected it before the fit"
                )
            check_distance(now.distance, features if features.shape[1] else np.eye(2, 3))
        return self._replace(parameters=now, method=method)

    def check_populations(self) -> None:
        """Raises if ``evaluate_by`` is impossible.

        It is impossible if the fit had no populations, or if there are repeated splits or
        neighbourhoods.
        """
        if self.populations is None:
            raise ValueError(
                "sensitive_features: found none in the fit, expected them there too: every "
                "population is calibrated by its own rows"
            )
        if self.method.resplits != 1 or self.method.neighbors is not None:
            raise ValueError(
                "sensitive_features: found resplits or neighbors, expected one split and no "
                "neighbourhoods"
            )

    def _refuse_other_columns(self, sensitive_features: Any) -> None:
        """Raises if a frame has other columns than the fit's, or another order.

        The names of the columns are joined in this order.
        """
        found, known = frame_columns(sensitive_features), self.population_columns
        if found and known and found != known:
            raise ValueError(
                f"sensitive_features: found the columns {shortened(found)}, expected those of the "
                f"fit in their order: {shortened(known)}"
            )

    @property
    def no_everywhere(self) -> str:
        """Returns why ``guarantee="everywhere"`` is impossible. Empty if it is possible."""
        return self.method.refusal("everywhere")


def seed_of(random_state: Any) -> int:
    """Returns a whole number as seed, from a random state in any form that scikit-learn accepts."""
    try:
        return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    except ValueError as error:
        raise ValueError(
            f"random_state: found {random_state!r:.60}, expected a whole number from 0 to "
            f"2**32 - 1, a numpy.random.RandomState or None: {error}"
        ) from None


def calibrated(
    parameters: Parameters,
    table: tuple[Any, ArrayLike],
    given: tuple[Any, ArrayLike | None],
    facts: RowFacts,
    owner: Any,
) -> Calibration:
    """Trains the classifier and the reference, and computes residuals at the points that calibrate.

    `table` is ``X, y``. `given` is the calibration set, or a pair of None if it is to be split off
    the table. `facts` are the other arguments with one value per row. `owner` is the
    `ConformalROC`, whose metadata requests decide which of these arguments its classifier gets.
    """
    wanted, explicit = parameters, given[0] is not None
    if wanted.horizons is not None:
        refuse_other_columns(table[1], "y")
        raise ValueError(
            f"horizons: found {wanted.horizons!r:.60} with labels that have no time, expected "
            f"None, or in y {EXPECTED}"
        )
    check_classifier(wanted.estimator)
    check_trainable(wanted.estimator)
    check_encoder(wanted.encoder)
    check_center(wanted.center)
    check_resplits(wanted.resplits, wanted.calibration_size, explicit=explicit)
    check_calibration(wanted.calibration, wanted.estimator, wanted.resplits, given[0])
    data = Labelled.of(*table, encode=encode_of(wanted.encoder))
    arguments = facts.fit_arguments(data, owner)
    if explicit != (given[1] is not None):
        raise ValueError("X_calibration, y_calibration: found one of them, expected both")
    data, calibrating, populations = facts.parts(data, given)
    choice = Choice.of(wanted, data, calibrating)
    check_frozen(wanted.estimator, data.classes)
    calibrator = Calibrator(
        *(wanted.estimator, choice.reference, wanted.random_state is not None, choice.encoder),
        centre=centre_model(wanted.center, wanted.encoder),
    )
    method = Method(
        reference=choice.reference,
        columns=data.points.columns,
        **of_intervals(wanted),
        choice=choice.note,
        crossed=wanted.calibration == CROSS,
        crossable=wanted.calibration != CROSS
        and not cross_refusal(wanted.estimator, wanted.resplits, given[0]),
        stands_for=calibrating.stands_for,
    )
    method.check()
    seeds = np.random.SeedSequence(seed_of(wanted.random_state)).spawn(2)
    if explicit:
        only = calibrator.split(data, calibrating, seeds[0], arguments)
        splits = DealtSplits([only], None, *seeds)
    else:
        given_to = calibrator, data, arguments
        random = RandomSplits(*given_to, wanted.calibration_size, wanted.calibration)
        splits = random.dealt(
            wanted.resplits, *seeds, n_jobs=wanted.n_jobs, progress=wanted.progress
        )
    if was_fitted(wanted.estimator):
        n = trained = data.codes.size
        if not explicit and not method.crossed and splits.fitted:
            trained -= splits.fitted[0].codes.size
        method = method._replace(retrained=trained_again(trained, n))
    return Calibration(
        *(wanted, method, splits, data.classes, facts.people, populations),
        frame_columns(
            facts.sensitive_features_calibration if explicit else facts.sensitive_features
        ),
    )
