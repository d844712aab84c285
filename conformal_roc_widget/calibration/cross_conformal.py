"""Implements ``calibration="cross"``: each point is scored by a model that has not seen it.

A simple split uses one part of the labelled points to train the classifier and the other for
residuals. Here the evaluated classifier trains on all points. For the residuals, it is refitted K
times, each time without one of K folds, and scores the points of that fold. So there are more
residuals, the classifier has learned from more points, and the result depends less on the random
split.

Besides the assumptions of the reference (the estimate ``pi~`` of the true probability), this
assumes that a refit on (K - 1) / K of the points errs like the classifier on all points. Usually a
refit errs a little more, so that intervals are a little too wide. If a classifier changes a lot
with its data, as a single deep tree does, the coverage may differ from the guaranteed one in both
directions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.frozen import FrozenEstimator

from conformal_roc_widget.calibration.references.learned_scores import stratified_folds
from conformal_roc_widget.calibration.references.reference import ScoredPoints
from conformal_roc_widget.checks import first_refusal, one_of
from conformal_roc_widget.tables.points import Labelled

from .split import CalibratedSplit, Calibrator, params_of_rows, random_state_of

SPLIT, CROSS = "split", "cross"


def check_calibration(calibration: Any, estimator: Any, resplits: Any, given: Any) -> None:
    """Raises if `calibration` is unknown, or is ``"cross"`` with arguments that exclude it.

    ``"cross"`` is impossible with a frozen classifier, repeated splits, or a given calibration set.
    """
    one_of(calibration, "calibration", [SPLIT, CROSS])
    if calibration == CROSS and (refusal := cross_refusal(estimator, resplits, given)):
        raise ValueError(refusal)


def cross_refusal(estimator: Any, resplits: Any, given: Any) -> str:
    """The error if ``"cross"`` is impossible with these arguments. Empty if it is possible."""
    reasons = {
        f"resplits={resplits!r}": resplits != 1 and "all points calibrate, there is one split",
        "an explicit calibration set": given is not None
        and "all points calibrate, none are set apart",
        "a frozen classifier": isinstance(estimator, FrozenEstimator) and "it cannot be refitted",
    }
    return first_refusal("calibration", CROSS, SPLIT, reasons)


def cross_split(
    calibrator: Calibrator,
    data: Labelled,
    seed: np.random.SeedSequence,
    fit_params: Mapping[str, Any],
) -> CalibratedSplit:
    """Makes the split of ``calibration="cross"``, in which all points train and calibrate.

    The classifier is trained on all points. The residual of each point comes from a refit without
    its fold.
    """
    if np.bincount(data.codes).min() < 2:
        raise ValueError(
            "y: found a label once, expected every label at least twice for calibration='cross'"
        )
    number = random_state_of(seed)
    folds = stratified_folds(data.codes, data.stands_for.people, number)
    scored = ScoredPoints(*np.empty((2, data.codes.size, data.classes.size)))
    for training, held_out in folds:
        arguments = params_of_rows(fit_params, data.codes.size, training)
        refit = calibrator.models(data.rows(training), number, arguments)
        found = refit.scored(data.rows(held_out).points, data.classes)
        scored.logits[held_out], scored.centres[held_out] = found
    models = calibrator.models(data, number, fit_params)
    encoder, (data,) = calibrator.encoded(number, data)
    reference = calibrator.reference.cross_fit(
        data, scored, folds, number if calibrator.seeded else None
    )
    return CalibratedSplit.of(models, reference, encoder, data, crossed=True)
