"""New points meet the splits that serve them: the evaluation of Algorithms 1, 2 and 3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.curve_residuals import curve_residuals, individual_level
from conformal_roc_widget.calibration.logits import is_clipped
from conformal_roc_widget.calibration.neighborhoods import (
    Finder,
    coordinates,
    finder,
    local_medians,
    local_residuals,
)
from conformal_roc_widget.calibration.quantiles import conformal_quantiles
from conformal_roc_widget.calibration.residual_groups import GroupedResiduals, Ragged
from conformal_roc_widget.calibration.split import CalibratedSplit, Oracle, Points, Posteriors
from conformal_roc_widget.evaluation.roc_evaluation import (
    CALIBRATION_POINTS,
    FROM_FEATURES,
    FROM_SCORES,
    NEIGHBOURS,
    WHERE_SMOOTH,
    RocEvaluation,
    clipped_scores_remark,
)
from conformal_roc_widget.evaluation.support import SupportPart


class Method(NamedTuple):
    """How intervals are made: the parameters of `ConformalROC` that matter after ``fit``."""

    reference: Any
    neighbors: int | None
    distance: Any
    center: str
    recenter: bool
    quantile_rule: str

    def promise(self, guarantee: str) -> str:
        """What is promised, with a place for the confidence.

        Parameters
        ----------
        guarantee : {"individual", "curve"}
            What the limits are calibrated for.

        Returns
        -------
        str
            Part of a sentence.
        """
        named = isinstance(self.reference, str)
        if guarantee == "curve":
            assumed = WHERE_SMOOTH if named else "if the given reference is the true π"
            return f"for the curve, not for single points: {{confidence}} on average, {assumed}"
        if self.center == "kernel":
            return "none: centred on π̃, as Algorithm 2 is printed, intervals do not cover"
        if self.reference == "sharp" and named:
            promise = f"at least {{confidence}} in large samples, {WHERE_SMOOTH}"
        elif named:
            promise = FROM_SCORES if self.reference == "score" else FROM_FEATURES
        elif hasattr(self.reference, "fit"):
            promise = FROM_FEATURES
        else:
            promise = "at least {confidence} in large samples, if the given reference is the true π"
        near = " and test points are like their neighbours" if self.neighbors is not None else ""
        return promise + near


class Placed(NamedTuple):
    """Points that one split serves, and the classifier there.

    Parameters
    ----------
    split : CalibratedSplit
        The split.
    rows : ndarray of shape (m,)
        Places of the points in the test set.
    points : Points
        The points.
    probabilities, logits, centres : ndarray of shape (m, k)
        Scores of the classifier, their logits, and the logits that intervals are centred on.
    """

    split: CalibratedSplit
    rows: Ints
    points: Points
    probabilities: Floats
    logits: Floats
    centres: Floats


class _Part(NamedTuple):
    """`Placed` for one class against the rest."""

    rows: Ints
    residuals: Floats
    positive: NDArray[np.bool_]
    near: Finder | None
    targets: Floats


def assemble(
    placed: Sequence[Placed],
    column: int,
    labels: NDArray[np.int8],
    names: tuple[Any, Any],
    method: Method,
    guarantee: str = "individual",
) -> RocEvaluation:
    """Evaluation of one class against the rest.

    Parameters
    ----------
    placed : sequence of Placed
        All test points, by split.
    column : int
        Which class is positive.
    labels : ndarray of shape (n_test,)
        1 for that class, 0 for the rest.
    names : tuple of two
        What labels 0 and 1 are called in the data.
    method : Method
        How intervals are made.
    guarantee : {"individual", "curve"}
        What the band's limits are calibrated for; ``"curve"`` takes a single split.

    Returns
    -------
    RocEvaluation
        The evaluation.
    """
    parts = [_part(one, column, method) for one in placed]
    scores, logits, centres = (np.empty(labels.size) for _ in range(3))
    for one, part in zip(placed, parts, strict=True):
        scores[one.rows] = one.probabilities[:, column]
        logits[one.rows] = one.logits[:, column]
        centres[one.rows] = one.centres[:, column]
        if method.recenter:
            logits[one.rows] += _median_residual(part, method.neighbors)
            scores[one.rows] = expit(logits[one.rows])
    moved = method.recenter or method.center != "classifier"
    groups = individual = (_groups(parts, labels, 0, method), _groups(parts, labels, 1, method))
    residuals = {
        k: np.sort(np.concatenate([part.residuals[part.positive == k] for part in parts]))
        for k in (0, 1)
    }
    remarks = _remarks(placed, column, method)
    if guarantee == "curve":
        zeros, ones = groups = (
            _curve_group(placed[0].split, column, labels, 0),
            _curve_group(placed[0].split, column, labels, 1),
        )
        remarks = (_curve_remark(groups, residuals, method.quantile_rule), *remarks)
        residuals = {0: zeros.residuals, 1: ones.residuals}
    return RocEvaluation(
        scores=scores,
        labels=labels,
        classes=names,
        residuals=residuals,
        quantile_rule=method.quantile_rule,
        guarantee=guarantee,
        _groups=groups,
        _individual=individual,
        _score_logits=logits,
        _centres=centres if moved else None,
        _guarantee=method.promise(guarantee),
        _helpers=CALIBRATION_POINTS if method.neighbors is None else NEIGHBOURS,
        _remarks=remarks,
        _support_parts=tuple(
            SupportPart(
                kernel=one.split.kernel,
                calibration=one.split.points.array,
                test=one.points.array,
                rows=one.rows,
                reference_logits=_own_logits(one.split, column, method),
                labels=part.positive.astype(np.intp),
            )
            for one, part in zip(placed, parts, strict=True)
        ),
    )


def _own_logits(split: CalibratedSplit, column: int, method: Method) -> Floats:
    """``L_pi~`` of the calibration points, but for scores that have no logit of their own."""
    if isinstance(method.reference, str) and method.reference == "sharp":
        # What the residuals hold are draws, whose slope is below 1; their mean is the estimate.
        return split.reference.logits(split.points, split.class_logits)[:, column]
    from_scores = isinstance(method.reference, str) and method.reference == "score"
    clipped = is_clipped(split.class_logits[:, column]) & from_scores
    return np.where(clipped, np.nan, split.reference_logits[:, column])


def _part(placed: Placed, column: int, method: Method) -> _Part:
    split = placed.split
    near, targets = None, placed.points.array
    if method.neighbors is not None:
        place = (method.distance, split.kernel.centre, split.spread)
        near = finder(
            method.distance,
            coordinates(*place, split.points.array, split.class_logits[:, column]),
        )
        targets = coordinates(*place, placed.points.array, placed.logits[:, column])
    return _Part(placed.rows, split.residuals[:, column], split.codes == column, near, targets)


def _median_residual(part: _Part, neighbors: int | None) -> Floats | float:
    """The shift of the recentred score: the median residual over both labels."""
    if part.near is None or neighbors is None:
        return float(np.median(part.residuals))
    return local_medians(part.near, part.targets, neighbors, part.residuals)


def _groups(
    parts: Sequence[_Part], labels: NDArray[np.int8], k: int, method: Method
) -> GroupedResiduals:
    """Residuals of label `k`, as they serve the test points of that label."""
    if len(parts) == 1 and method.neighbors is None:
        return GroupedResiduals.pooled(parts[0].residuals[parts[0].positive == k])
    place = np.cumsum(labels == k) - 1
    group = np.empty(int((labels == k).sum()), dtype=np.intp)
    ragged: list[Ragged] = []
    before = 0
    for part in parts:
        own = labels[part.rows] == k
        wanted = part.positive == k
        if part.near is None or method.neighbors is None:
            local = Ragged.single(part.residuals[wanted])
            group[place[part.rows[own]]] = before
        else:
            local = local_residuals(
                part.near, part.targets[own], method.neighbors, part.residuals, wanted
            )
            group[place[part.rows[own]]] = before + np.arange(int(own.sum()))
        ragged.append(local)
        before += local.starts.size - 1
    return GroupedResiduals.of(Ragged.joined(ragged), group)


def _curve_group(
    split: CalibratedSplit, column: int, labels: NDArray[np.int8], k: int
) -> GroupedResiduals:
    """Residuals of label `k` that are calibrated for the curve; see `curve_residuals`."""
    draws = (
        split.reference_logits[:, [column]]
        if isinstance(split.reference, Oracle)
        else split.posteriors.draws(split.points, column)
    )
    own = (split.codes == column) == bool(k)
    logits = split.class_logits[own, column]
    return GroupedResiduals.pooled(curve_residuals(draws[own], logits, int((labels == k).sum())))


def _curve_remark(
    groups: Sequence[GroupedResiduals], individual: dict[int, Floats], rule: str
) -> str:
    """What the limits of a band for the curve are for single points."""
    inside = [
        1 - individual_level(individual[k], *conformal_quantiles(group.residuals, 0.05, rule))
        for k, group in enumerate(groups)
    ]
    return (
        "The band is for the curve at a random threshold, not for single points: at alpha = 0.05 "
        f"its limits hold {100 * inside[0]:.0f} % of the individual residuals of label 0 and "
        f"{100 * inside[1]:.0f} % of those of label 1."
    )


def _remarks(placed: Sequence[Placed], column: int, method: Method) -> tuple[str, ...]:
    """Sentences on the splits that the evaluation passes on."""
    scores = [is_clipped(one.split.class_logits[:, column]) for one in placed]
    remarks = clipped_scores_remark(
        sum(int(clipped.sum()) for clipped in scores), sum(clipped.size for clipped in scores)
    )
    clipped = sum(one.split.clipped for one in placed)
    if clipped:
        remarks.append(
            f"The reference is exactly 0 or 1 at {clipped} calibration points; there it counts as "
            "2^-53 or 1 - 2^-53."
        )
    if method.neighbors is not None and isinstance(placed[0].split.reference, Posteriors):
        remarks.append(
            "The reference 'sharp' covers less than 'kernel' where test points are unlike their "
            "neighbours: for shifted data prefer 'kernel'."
        )
    smallest = min(one.split.codes.size for one in placed)
    if method.neighbors is not None and method.neighbors > smallest:
        remarks.append(
            f"{method.neighbors} neighbours are asked for, but the calibration set has "
            f"{smallest} points: every one of them is taken."
        )
    return tuple(remarks)
