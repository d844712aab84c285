"""One split: a classifier and a reference from one part, residuals on the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils import _safe_indexing

from conformal_roc_widget.arrays import Floats, Ints, numbers_of
from conformal_roc_widget.calibration.kernel import KernelReference, fit_kernel, score_kernel
from conformal_roc_widget.calibration.logits import class_scores, is_clipped, logit_of
from conformal_roc_widget.calibration.posterior import SharpReference, fit_sharp, sharp_residuals


@dataclass(frozen=True)
class Points:
    """Features in both forms that are needed.

    Parameters
    ----------
    raw : array_like or data frame of shape (n, d)
        As the caller has them: what estimators see.
    array : ndarray of shape (n, d)
        As numbers: what kernels and distances see.
    """

    raw: Any
    array: Floats

    def rows(self, rows: Ints) -> Points:
        """Some of the points.

        Parameters
        ----------
        rows : ndarray
            Which.

        Returns
        -------
        Points
            In that order.
        """
        return Points(_safe_indexing(self.raw, rows), self.array[rows])


class Reference(Protocol):
    """An estimate of the true class probabilities."""

    def logits(self, points: Points, class_logits: Floats) -> Floats:
        """One-vs-rest logits (n, k) at some points, given the classifier's own there."""
        ...


@dataclass(frozen=True)
class FeatureKernel:
    """``reference="kernel"``: eq. tilde_pi on the training part."""

    kernel: KernelReference

    def logits(self, points: Points, class_logits: Floats) -> Floats:
        """See `Reference.logits`."""
        return self.kernel.logits(points.array)


@dataclass(frozen=True)
class ScoreKernels:
    """``reference="score"``: one kernel a class on ``L_p``, over the calibration part."""

    kernels: tuple[KernelReference, ...]

    def logits(self, points: Points, class_logits: Floats) -> Floats:
        """See `Reference.logits`."""
        return np.column_stack(
            [k.logits(class_logits[:, [l]])[:, 1] for l, k in enumerate(self.kernels)]
        )

    def left_out(self) -> Floats:
        """Logits at the calibration points, each left out of its own estimate."""
        return np.column_stack([kernel.logits()[:, 1] for kernel in self.kernels])


@dataclass(frozen=True)
class ClassifierReference:
    """``reference=classifier``: a second classifier, trained on the training part."""

    estimator: Any
    classes: NDArray[Any]

    def logits(self, points: Points, class_logits: Floats) -> Floats:
        """See `Reference.logits`."""
        return class_scores(self.estimator, points.raw, self.classes)[1]


@dataclass(frozen=True)
class Oracle:
    """``reference=callable``: the true probabilities (Proposition 2.1)."""

    function: Callable[[Any], ArrayLike]

    def logits(self, points: Points, class_logits: Floats) -> Floats:
        """See `Reference.logits`."""
        k = class_logits.shape[1]
        values = numbers_of(self.function(points.raw), "reference(X)", ndim=1 if k == 2 else 2)
        wanted = (len(points.array),) if k == 2 else (len(points.array), k)
        if values.shape != wanted:
            raise ValueError(f"reference(X): found shape {values.shape}, expected {wanted}")
        if values.min() < 0 or values.max() > 1:
            raise ValueError(
                f"reference(X): found values from {values.min():g} to {values.max():g}, "
                "expected probabilities in [0, 1]"
            )
        if k == 2:
            logit = logit_of(values)
            return np.column_stack([-logit, logit])
        return logit_of(values)


@dataclass(frozen=True)
class Posteriors:
    """``reference="sharp"``: posteriors of ``logit pi`` from all labelled points.

    Parameters
    ----------
    fits : tuple of SharpReference
        For two classes one, of the second class; for more one a class, against the rest.
    """

    fits: tuple[SharpReference, ...]

    @classmethod
    def of(cls, X: Floats, codes: Ints, n_classes: int) -> Posteriors:
        """Fit them.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            Features of the training and of the calibration part.
        codes : ndarray of shape (n,)
            Their classes.
        n_classes : int
            How many classes there are.

        Returns
        -------
        Posteriors
            The posteriors.
        """
        wanted = (1,) if n_classes == 2 else range(n_classes)
        return cls(tuple(fit_sharp(X, (codes == l).astype(np.intp)) for l in wanted))

    def logits(self, points: Points, class_logits: Floats) -> Floats:
        """Posterior means; see `Reference.logits`."""
        means = [fit.logits(points.array) for fit in self.fits]
        return np.column_stack(means if len(means) > 1 else [-means[0], means[0]])

    def draws(self, points: Points, column: int) -> Floats:
        """Draws of the logit of one class against the rest.

        Parameters
        ----------
        points : Points
            Where.
        column : int
            Number of the class.

        Returns
        -------
        ndarray of shape (n, DRAWS)
            One function a column.
        """
        if len(self.fits) > 1:
            return self.fits[column].draws(points.array)
        draws = self.fits[0].draws(points.array)
        return draws if column == 1 else -draws

    def residuals(self, points: Points, codes: Ints, class_logits: Floats) -> Floats:
        """Residuals of calibration points, spread as the posterior has them.

        Parameters
        ----------
        points : Points
            Calibration points.
        codes : ndarray of shape (n_ca,)
            Their classes.
        class_logits : ndarray of shape (n_ca, k)
            The classifier's logits there.

        Returns
        -------
        ndarray of shape (n_ca, k)
            For each class those of its own points and those of the rest; see `sharp_residuals`.
        """
        residuals = np.empty(class_logits.shape)
        for l in (1,) if len(self.fits) == 1 else range(len(self.fits)):
            draws = self.draws(points, l)
            for side in (codes == l, codes != l):
                residuals[side, l] = sharp_residuals(draws[side], class_logits[side, l])
        if len(self.fits) == 1:
            residuals[:, 0] = -residuals[:, 1]
        return residuals


@dataclass(frozen=True)
class CalibratedSplit:
    """What one split leaves: all that intervals at new points need.

    Parameters
    ----------
    estimator : object
        Trained classifier ``p_n``.
    classes : ndarray of shape (k,)
        Sorted classes.
    reference : Reference
        ``pi~``.
    kernel : KernelReference
        Feature kernel over the training part, for the diagnostics.
    spread : ndarray of shape (d,)
        Standard deviation of the training features (ddof=1).
    points : Points
        Calibration points.
    codes : ndarray of shape (n_ca,)
        Their classes.
    class_logits, reference_logits : ndarray of shape (n_ca, k)
        ``L_p`` and ``L_pi~`` there.
    training : ndarray of shape (n_tr, d)
        Training features.
    training_codes : ndarray of shape (n_tr,)
        Their classes.
    """

    estimator: Any
    classes: NDArray[Any]
    reference: Reference
    kernel: KernelReference
    spread: Floats
    points: Points
    codes: Ints
    class_logits: Floats
    reference_logits: Floats
    training: Floats
    training_codes: Ints

    @cached_property
    def posteriors(self) -> Posteriors:
        """Posteriors of ``logit pi``: the reference itself, or made from the same points."""
        if isinstance(self.reference, Posteriors):
            return self.reference
        X = np.concatenate([self.training, self.points.array])
        codes = np.concatenate([self.training_codes, self.codes])
        return Posteriors.of(X, codes, self.classes.size)

    @property
    def residuals(self) -> Floats:
        """``R~ = L_pi~ - L_p`` of every calibration point and class (n_ca, k)."""
        return self.reference_logits - self.class_logits

    @property
    def clipped(self) -> int:
        """Number of calibration points whose reference was exactly 0 or 1."""
        return int(is_clipped(self.reference_logits).any(axis=1).sum())


def calibrate(
    estimator: Any,
    training: Points,
    training_labels: NDArray[Any],
    calibration: Points,
    calibration_labels: NDArray[Any],
    classes: NDArray[Any],
    *,
    reference: Any,
    bandwidth: Any,
    sample_weight: Floats | None = None,
) -> CalibratedSplit:
    """Train on one part, take residuals on the other (Algorithm 1, lines 1 and 3).

    Parameters
    ----------
    estimator : object
        Classifier; cloned, unless frozen.
    training, calibration : Points
        The two parts.
    training_labels, calibration_labels : ndarray
        Their labels.
    classes : ndarray of shape (k,)
        Sorted classes, all present in both parts.
    reference : {"kernel", "score", "sharp"}, classifier or callable
        Which ``pi~``.
    bandwidth : str, float or array_like
        Of the kernel.
    sample_weight : ndarray of shape (n_tr,), optional
        For the classifier's ``fit``.

    Returns
    -------
    CalibratedSplit
        The split.
    """
    weights = {} if sample_weight is None else {"sample_weight": sample_weight}
    fitted = clone(estimator)
    if not isinstance(fitted, FrozenEstimator):
        fitted = fitted.fit(training.raw, training_labels, **weights)
    training_codes = np.searchsorted(classes, training_labels)
    codes = np.searchsorted(classes, calibration_labels)
    _, class_logits = class_scores(fitted, calibration.raw, classes)
    named = reference if isinstance(reference, str) else None
    # An explicit bandwidth is that of the reference; other references leave the feature kernel,
    # which the diagnostics need, at its default.
    kernel = fit_kernel(
        training.array, training_codes, bandwidth if named == "kernel" else "silverman"
    )
    estimate: Reference
    if named == "score":
        estimate = ScoreKernels(
            tuple(
                score_kernel(
                    class_logits[:, l],
                    (codes == l).astype(np.intp),
                    ~is_clipped(class_logits[:, l]),
                    bandwidth,
                )
                for l in range(classes.size)
            )
        )
        reference_logits = estimate.left_out()
    elif named == "sharp":
        estimate = posteriors = Posteriors.of(
            np.concatenate([training.array, calibration.array]),
            np.concatenate([training_codes, codes]),
            classes.size,
        )
        residuals = posteriors.residuals(calibration, codes, class_logits)
        reference_logits = class_logits + residuals
    else:
        if named == "kernel":
            estimate = FeatureKernel(kernel)
        elif hasattr(reference, "fit"):
            trained = clone(reference).fit(training.raw, training_labels)
            estimate = ClassifierReference(trained, classes)
        else:
            estimate = Oracle(reference)
        reference_logits = estimate.logits(calibration, class_logits)
    return CalibratedSplit(
        estimator=fitted,
        classes=classes,
        reference=estimate,
        kernel=kernel,
        spread=training.array.std(axis=0, ddof=min(1, len(training.array) - 1)),
        points=calibration,
        codes=codes,
        class_logits=class_logits,
        reference_logits=reference_logits,
        training=training.array,
        training_codes=training_codes,
    )
