"""One split: a classifier and a reference from one part, residuals on the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.classifiers import class_scores, seeded, table_named
from conformal_roc_widget.calibration.encoder import TableEncoder
from conformal_roc_widget.calibration.kernel import KernelReference
from conformal_roc_widget.calibration.logits import is_clipped
from conformal_roc_widget.calibration.points import Labelled, Points
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
    encoder : object or None
        Fitted transformer that makes numbers of new points; None where they are numbers.
    kernel : KernelReference or None
        Feature kernel over the training part, for the diagnostics; None where no number was made.
    spread : ndarray of shape (d,)
        Standard deviation of the training features (ddof=1).
    """

    estimator: Any
    reference: Reference
    encoder: Any
    kernel: KernelReference | None
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

    def counts_by_class(self) -> dict[Any, Any]:
        """Numbers of the residuals by class, in pairs where these are pairs."""
        return {
            name: tuple(map(len, residuals)) if isinstance(residuals, tuple) else len(residuals)
            for name, residuals in self.residuals_by_class().items()
        }

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
    encoder : object or None
        Transformer that makes numbers of points; None where they are numbers, or none are needed.
    """

    estimator: Any
    reference: Reference
    seeded: bool
    encoder: Any = None

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
            with table_named(estimator, training.points):
                estimator = estimator.fit(training.points.raw, training.labels, **weights)
        encoder = None
        if self.encoder is not None:
            encoder = _fitted_encoder(seeded(self.encoder, number), training)
            training, calibration = training.encoded(encoder), calibration.encoded(encoder)
        _, class_logits = class_scores(estimator, calibration.points, training.classes)
        reference = self.reference.fit(training, calibration, class_logits, number)
        X = training.points.array
        return CalibratedSplit(
            estimator=estimator,
            reference=reference,
            encoder=encoder,
            kernel=reference.feature_kernel(training) if X.shape[1] else None,
            spread=X.std(axis=0, ddof=min(1, len(X) - 1)),
        )


def _fitted_encoder(encoder: Any, training: Labelled) -> Any:
    """The encoder, fitted to the training part; it must not see labels that it could remember."""
    encoder = clone(encoder)
    if isinstance(encoder, TableEncoder):
        return encoder.fit(training.points.raw)
    try:
        return encoder.fit(training.points.raw)
    except Exception as error:
        raise ValueError(
            f"encoder: found {type(encoder).__name__}, expected a transformer that learns from X "
            f"without y: {error}"
        ) from error
