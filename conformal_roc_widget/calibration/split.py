"""Makes a split: trains classifier and reference on one part, and takes residuals on the other.

The reference is the estimate ``pi~`` of the true probability ``pi``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils import _safe_indexing

from conformal_roc_widget.arrays import Floats, Ints, deviation
from conformal_roc_widget.calibration.references.kernel import KernelReference
from conformal_roc_widget.calibration.references.reference import Reference, ScoredPoints
from conformal_roc_widget.tables.encoder import TableEncoder
from conformal_roc_widget.tables.points import Labelled, Points

from .classifiers import class_scores, fit_to, seeded
from .seen_rows import SeenRows


class Models(NamedTuple):
    """The trained classifier, and the model whose logits are the centres of intervals.

    Often both are the same object.
    """

    classifier: Any
    centre: Any

    def scored(self, points: Points, classes: NDArray[Any]) -> ScoredPoints:
        """The logits of both models at `points`, with a column for each of the `classes`."""
        _, logits = class_scores(self.classifier, points, classes)
        if self.centre is self.classifier:
            return ScoredPoints(logits, logits)
        return ScoredPoints(logits, class_scores(self.centre, points, classes)[1])


@dataclass(frozen=True)
class CalibratedSplit:
    """The models and calibration points of one split, as intervals at new points need them.

    Parameters
    ----------
    estimator : object
        Trained classifier ``p_n``.
    centre : object
        Model whose logits are the centres of intervals: the classifier itself, or another model
        that was trained on the same points.
    reference : Reference
        Fitted estimate ``pi~`` of the true probability, with the calibration points.
    encoder : object or None
        Fitted transformer that turns features of new points into numbers. None if none is needed.
    kernel : KernelReference or None
        Kernel over the training features, for the diagnostics. None if features are not numbers.
    spread : ndarray of shape (d,)
        Standard deviation of the training features (ddof=1).
    crossed : bool
        Whether the calibration points are the training points, scored out of fold.
    """

    estimator: Any
    centre: Any
    reference: Reference
    encoder: Any
    kernel: KernelReference | None
    spread: Floats
    crossed: bool = False
    #: The training rows, to recognise them in other data. None if their features were not converted
    #: to numbers.
    trained_on: SeenRows | None = None

    @classmethod
    def of(
        cls,
        models: Models,
        reference: Reference,
        encoder: Any,
        training: Labelled,
        crossed: bool = False,
    ) -> CalibratedSplit:
        """Makes a split from trained models and a fitted reference.

        `training` are the training points. If the reference or a distance needs numbers, the
        features of these points are numbers.
        """
        X = training.points.array
        reference.calibration.stands_for.refuse_weightless(reference.calibration.codes)
        return cls(
            estimator=models.classifier,
            centre=models.centre,
            reference=reference,
            encoder=encoder,
            kernel=reference.feature_kernel(training) if X.shape[1] else None,
            spread=deviation(X, ddof=min(1, len(X) - 1)),
            crossed=crossed,
            # The training rows of a frozen classifier are unknown, so none can be recognised.
            trained_on=None if isinstance(models.classifier, FrozenEstimator) else SeenRows.of(X),
        )

    @property
    def points(self) -> Points:
        """The calibration points."""
        return self.reference.calibration.points

    @property
    def codes(self) -> Ints:
        """Classes of the calibration points, as indices into the sorted classes."""
        return self.reference.calibration.codes

    @property
    def class_logits(self) -> Floats:
        """``L_p``, the classifier's logit, of each calibration point and class (n_ca, k)."""
        return self.reference.class_logits

    @property
    def residuals(self) -> Floats:
        """``R~ = L_pi~ - L_p`` of each calibration point and class (n_ca, k).

        If intervals have another centre than the classifier, its logit replaces ``L_p``.
        """
        return self.reference.calibration_logits - self.reference.centre_logits

    def residuals_by_class(self) -> dict[Any, Any]:
        """Ascending residuals of the calibration points, by class.

        If there are more than two classes, each has a pair: the residuals of all points of other
        classes, and those of its own points.
        """
        names = self.reference.calibration.classes.tolist()
        residuals = self.residuals
        if len(names) == 2:
            return {name: np.sort(residuals[self.codes == k, 1]) for k, name in enumerate(names)}
        sides = [(self.codes != k, self.codes == k) for k in range(len(names))]
        return {
            name: tuple(np.sort(residuals[side, k]) for side in sides[k])
            for k, name in enumerate(names)
        }


def random_state_of(seed: np.random.SeedSequence) -> int:
    """Returns a whole number from the seed, in a form that scikit-learn accepts."""
    return int(seed.generate_state(1)[0] >> 1)


def params_of_rows(fit_params: Mapping[str, Any], n: int, rows: Ints) -> dict[str, Any]:
    """The fit parameters of the `rows`. Only values with n entries are cut to these rows."""
    return {
        name: _safe_indexing(value, rows) if _has_rows(value, n) else value
        for name, value in fit_params.items()
    }


def _has_rows(value: Any, n: int) -> bool:
    shape = getattr(value, "shape", None)
    if shape is None:
        return isinstance(value, list | tuple) and len(value) == n
    return len(shape) > 0 and shape[0] == n


@dataclass(frozen=True)
class Calibrator:
    """Trains on one part and takes residuals on the other (Algorithm 1, lines 1 and 3).

    Parameters
    ----------
    estimator : object
        The classifier. It is cloned unless it is frozen.
    reference : Reference
        The reference, not fitted yet.
    seeded : bool
        Whether estimators without a random state of their own get one.
    encoder : object or None
        Transformer that turns features into numbers. None if they are numbers, or are not used.
    centre : object or None
        Classifier whose logits are the centres of intervals, trained on the same points. None if it
        is `estimator`.
    """

    estimator: Any
    reference: Reference
    seeded: bool
    encoder: Any = None
    centre: Any = None

    def split(
        self,
        training: Labelled,
        calibration: Labelled,
        seed: np.random.SeedSequence,
        fit_params: Mapping[str, Any] = MappingProxyType({}),
    ) -> CalibratedSplit:
        """Trains on the points `training`, and takes residuals at the points `calibration`.

        `fit_params` are further arguments of the classifier's ``fit``, for the training points.
        """
        number = random_state_of(seed)
        of_reference = number if self.seeded else None
        models = self.models(training, number, fit_params)
        reference, used = self.reference.for_points(calibration.codes.size, of_reference)
        calibration = calibration if used is None else calibration.rows(used)
        encoder, (training, calibration) = self.encoded(number, training, calibration)
        scored = models.scored(calibration.points, training.classes)
        reference = reference.fit(training, calibration, scored, of_reference)
        return CalibratedSplit.of(models, reference, encoder, training)

    def models(self, training: Labelled, seed: int, fit_params: Mapping[str, Any]) -> Models:
        """Trains the classifier and the model of the centres on the points `training`."""
        classifier = self._trained(self.estimator, training, seed, fit_params)
        if self.centre is None:
            return Models(classifier, classifier)
        return Models(classifier, self._trained(self.centre, training, seed, {}))

    def _trained(
        self, model: Any, training: Labelled, seed: int, fit_params: Mapping[str, Any]
    ) -> Any:
        """Returns a clone of `model`, trained on the points `training`.

        A frozen model is returned as it is.
        """
        estimator = clone(seeded(model, seed if self.seeded else None))
        if not isinstance(estimator, FrozenEstimator):
            return fit_to(estimator, training.points, training.labels, **fit_params)
        return estimator

    def encoded(
        self, seed: int, training: Labelled, *others: Labelled
    ) -> tuple[Any, list[Labelled]]:
        """Fits the encoder to the points `training`. Returns it, and all points as numbers."""
        if self.encoder is None:
            return None, [training, *others]
        made = seeded(self.encoder, seed if self.seeded else None)
        encoder, points = fitted_encoder(made, training.points)
        encoded = training._replace(points=points)
        return encoder, [encoded, *(part.encoded(encoder) for part in others)]


def fitted_encoder(encoder: Any, training: Points) -> tuple[Any, Points]:
    """Fits a clone of the encoder to the points `training`. Returns it, and the points as numbers.

    The encoder is fitted without labels, because it could memorize them.
    """
    encoder = clone(encoder)
    if isinstance(encoder, TableEncoder):
        return encoder, training.with_numbers(encoder.fit_transform)
    try:
        encoder.fit(training.raw)
    except Exception as error:
        raise ValueError(
            f"encoder: found {type(encoder).__name__}, expected a transformer that learns from X "
            f"without y: {error}"
        ) from error
    return encoder, training.encoded(encoder)
