"""``calibration="cross"``: every labelled point calibrates, scored by a refit that never saw it.

A split spends half of the labelled points on the classifier and half on residuals. Here K refits,
each without a fold, score the points of their folds; the classifier that is evaluated has trained
on all points, and residuals are those of its refits. So there are twice as many, of a classifier
that had more to learn from, and less hangs on how the points were dealt.

Assumed beside what the reference assumes: a refit on (K - 1) / K of the points errs as the
classifier on all of them does. It errs a little more, as a rule, so that intervals are a little
wide; a classifier that changes much with its data (a single deep tree) can break it either way.
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
    """Refuses unknown ways, and ``"cross"`` with arguments that it does not go with.

    These are a frozen classifier, repeated splits, and a calibration set that is `given`.
    """
    one_of(calibration, "calibration", [SPLIT, CROSS])
    if calibration == CROSS and (refusal := cross_refusal(estimator, resplits, given)):
        raise ValueError(refusal)


def cross_refusal(estimator: Any, resplits: Any, given: Any) -> str:
    """The error where ``"cross"`` does not go with these arguments; else empty."""
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
    """The split of cross calibration.

    The classifier trained on all points, and at each point the residual of a refit.
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
