"""Declares options of the simulation studies: sizes, coefficients and variants of the method."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from conformal_roc_widget.calibration.centres import CLASSIFIER, KERNEL
from conformal_roc_widget.calibration.quantiles import check_rule
from conformal_roc_widget.calibration.references.kernel import check_bandwidth
from conformal_roc_widget.checks import number, one_of, whole_number, yes_or_no
from conformal_roc_widget.choices import (
    BandwidthName,
    RuleName,
    StudyCenterName,
    StudyDistanceName,
    StudyReferenceName,
)

REFERENCES = ("kernel", "oracle", "sharp")
DISTANCES = ("oracle", "truth", "standardized", "score")


@dataclass(frozen=True)
class Options:
    """Choices that the paper leaves open, and variants of the method.

    Parameters
    ----------
    beta : tuple of four floats
        ``(beta_0, beta_1, beta_2, beta_3)``. The paper prints ones for Study 2 and nothing for
        Study 1. In ``"missing_predictor"`` the value replaces ``beta_3``.
    n : int or None
        Number of observed points. None for the 500 of Study 2. In Study 1 the value is the sample
        size.
    n_test : int
        Number of test points, in the iid and in the shifted test set.
    calibration_size : float
        Share of the observed points that calibrate, rounded up to whole points.
    neighbors : int
        Number of neighbours in Algorithm 2, which is used for the shifted test points. Algorithm 1
        is used for the iid ones.
    distance : {"oracle", "truth", "standardized", "score"}
        Distance in Algorithm 2. ``"oracle"`` is the printed ``|(beta_1, beta_2, beta_3) (x_i -
        x_j)|``, which ignores the interaction of ``"missing_interaction"``. ``"truth"`` is ``|logit
        pi(x_i) - logit pi(x_j)|``, which includes it. The others are those of `ConformalROC`.
    reference : {"kernel", "oracle", "sharp"}
        Estimate of the true probability ``pi``: ``pi~`` of eq. (tilde_pi), ``pi`` itself
        (Proposition 2.1), or the posterior of `ConformalROC`'s ``"sharp"``.
    bandwidth : {"silverman", "scott", "cv"} or float
        Bandwidth of the kernel. See `kernel_logit`.
    center : {"classifier", "kernel"}
        Centre of the intervals in Algorithm 2. ``"kernel"`` is as printed. In Algorithm 1 there is
        no choice.
    recenter : bool
        Whether to shift the classifier's logit by the median residual on both test sets. See
        `ConformalROC`. Only the coverage of ``p_n`` depends on it.
    quantile_rule : {"paper", "split"}
        Which pair of order statistics is taken.
    """

    beta: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    n: int | None = None
    n_test: int = 500
    calibration_size: float = 0.5
    neighbors: int = 100
    distance: StudyDistanceName = "oracle"
    reference: StudyReferenceName = "kernel"
    bandwidth: BandwidthName | float = "silverman"
    center: StudyCenterName = "classifier"
    recenter: bool = False
    quantile_rule: RuleName = "paper"

    def __post_init__(self) -> None:
        """Refuses an invalid value of an option, and names the option."""
        beta = np.ravel(np.asarray(self.beta, dtype=object)).tolist()
        if len(beta) != 4:
            raise ValueError(f"beta: found {self.beta!r}, expected four finite numbers")
        numbers = tuple(number(b, "beta", "four finite numbers", math.isfinite) for b in beta)
        object.__setattr__(self, "beta", numbers)
        for name, least in (("n", 4), ("n_test", 2), ("neighbors", 1)):
            if name != "n" or self.n is not None:
                whole_number(getattr(self, name), name, least, from_floats=True)
        number(self.calibration_size, "calibration_size", "a share in (0, 1)", lambda s: 0 < s < 1)
        one_of(self.distance, "distance", DISTANCES)
        one_of(self.reference, "reference", REFERENCES)
        one_of(self.center, "center", (CLASSIFIER, KERNEL))
        if self.reference == "sharp" and self.center == "kernel":
            raise ValueError(
                "center: found 'kernel' with reference='sharp', expected 'classifier': a posterior "
                "is no single estimate to centre on"
            )
        check_bandwidth(self.bandwidth, 0)
        yes_or_no(self.recenter, "recenter")
        check_rule(self.quantile_rule, "quantile_rule")

    def as_json(self) -> dict[str, Any]:
        """Returns the values by name, in the form of a result file's description."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**values, "beta": list(self.beta)}
