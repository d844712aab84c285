"""One split: a classifier and a reference from one part, residuals on the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils import _safe_indexing

from conformal_roc_widget.reference import KernelReference, fit_kernel, score_kernel
from conformal_roc_widget.residuals import class_scores, is_clipped, logit_of
from conformal_roc_widget.validation import Floats, Ints, numbers_of


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
    reference : {"kernel", "score"}, classifier or callable
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
    )
