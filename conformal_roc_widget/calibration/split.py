"""One split: a classifier and a reference from one part, residuals on the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator

from conformal_roc_widget.arrays import Floats, Ints, Labelled, Points
from conformal_roc_widget.calibration.classifiers import class_scores, seeded
from conformal_roc_widget.calibration.kernel import KernelReference
from conformal_roc_widget.calibration.logits import is_clipped
from conformal_roc_widget.calibration.references import Reference


@dataclass(frozen=True)
class CalibratedSplit:
    """All that intervals at new points need of one split.

    Parameters
    ----------
    estimator : object
        Trained classifier ``p_n``.
    reference : Reference
        ``pi~``, fitted; it holds the calibration points.
    kernel : KernelReference
        Feature kernel over the training part, for the diagnostics.
    spread : ndarray of shape (d,)
        Standard deviation of the training features (ddof=1).
    """

    estimator: Any
    reference: Reference
    kernel: KernelReference
    spread: Floats

    @property
    def points(self) -> Points:
        """Calibration points."""
        return self.reference.calibration.points

    @property
    def codes(self) -> Ints:
        """Classes of the calibration points."""
        return self.reference.calibration.codes

    @property
    def class_logits(self) -> Floats:
        """``L_p`` of every calibration point and class (n_ca, k)."""
        return self.reference.class_logits

    @property
    def residuals(self) -> Floats:
        """``R~ = L_pi~ - L_p`` of every calibration point and class (n_ca, k)."""
        return self.reference.calibration_logits - self.class_logits

    @property
    def clipped(self) -> int:
        """Number of calibration points whose reference was exactly 0 or 1."""
        return int(is_clipped(self.reference.calibration_logits).any(axis=1).sum())

    def residuals_by_class(self) -> dict[Any, Any]:
        """Ascending residuals by class; of more than two, the pair (of the rest, of the class)."""
        names = self.reference.calibration.classes.tolist()
        residuals = self.residuals
        if len(names) == 2:
            return {
                name: np.sort(residuals[self.codes == code, 1]) for code, name in enumerate(names)
            }
        return {
            name: (
                np.sort(residuals[self.codes != code, code]),
                np.sort(residuals[self.codes == code, code]),
            )
            for code, name in enumerate(names)
        }


@dataclass(frozen=True)
class Calibrator:
    """Trains on one part and takes residuals on the other (Algorithm 1, lines 1 and 3).

    Parameters
    ----------
    estimator : object
        Classifier; cloned, unless frozen.
    reference : Reference
        Not fitted.
    seeded : bool
        Whether estimators without a random state of their own get one.
    """

    estimator: Any
    reference: Reference
    seeded: bool

    def split(
        self,
        training: Labelled,
        calibration: Labelled,
        seed: np.random.SeedSequence,
        sample_weight: Floats | None = None,
    ) -> CalibratedSplit:
        """The split of two given parts; weights are those of the training points."""
        number = int(seed.generate_state(1)[0] >> 1) if self.seeded else None
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        estimator = clone(seeded(self.estimator, number))
        if not isinstance(estimator, FrozenEstimator):
            estimator = estimator.fit(training.points.raw, training.labels, **weights)
        _, class_logits = class_scores(estimator, calibration.points, training.classes)
        reference = self.reference.fit(training, calibration, class_logits, number)
        X = training.points.array
        return CalibratedSplit(
            estimator=estimator,
            reference=reference,
            kernel=reference.feature_kernel(training),
            spread=X.std(axis=0, ddof=min(1, len(X) - 1)),
        )
