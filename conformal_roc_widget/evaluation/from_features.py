"""Builds a `RocEvaluation`: assigns each test point the residuals of its split."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.classifiers import class_scores
from conformal_roc_widget.calibration.curve_residuals import (
    curve_residuals,
    individual_level,
    outer_residuals,
)
from conformal_roc_widget.calibration.kernel import fit_kernel
from conformal_roc_widget.calibration.neighborhoods import (
    Finder,
    coordinates,
    finder,
    local_medians,
    local_residuals,
)
from conformal_roc_widget.calibration.posterior import evenly_spaced
from conformal_roc_widget.calibration.quantiles import conformal_quantiles
from conformal_roc_widget.calibration.residuals import (
    GroupedResiduals,
    Ragged,
    Residuals,
    residuals_of,
)
from conformal_roc_widget.calibration.split import CalibratedSplit
from conformal_roc_widget.evaluation.from_scores import weight_fields
from conformal_roc_widget.evaluation.ideal_curve import LabelledDraws
from conformal_roc_widget.evaluation.method import Method
from conformal_roc_widget.evaluation.notes import (
    CALIBRATION_POINTS,
    GAPS_IN_TEST,
    NEIGHBOURS,
    clipped_scores,
)
from conformal_roc_widget.evaluation.recalibrated import runs_of_logits
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.evaluation.support import SupportPart
from conformal_roc_widget.logits import is_clipped
from conformal_roc_widget.tables.calibration_rows import CalibrationRows
from conformal_roc_widget.tables.points import Points


class SplitPoints(NamedTuple):
    """Test points that one split serves, and the classifier there.

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

    @classmethod
    def of(cls, split: CalibratedSplit, rows: Ints, points: Points, center: str) -> SplitPoints:
        """Some rows of the test points, scored by the classifier of their split."""
        points = points.rows(rows) if rows.size < len(points.array) else points
        points = points if split.encoder is None else points.encoded(split.encoder)
        classes = split.reference.calibration.classes
        probabilities, logits = class_scores(split.estimator, points, classes)
        centres = logits if center == "classifier" else split.reference.logits(points, logits)
        return cls(split, rows, points, probabilities, logits, centres)


class _OneVsRest(NamedTuple):
    """`SplitPoints` for one class against the rest."""

    rows: Ints
    residuals: Floats
    positive: NDArray[np.bool_]
    near: Finder | None
    targets: Floats


def assemble(
    served: Sequence[SplitPoints],
    column: int,
    labels: NDArray[np.int8],
    classes: Sequence[Any],
    method: Method,
    guarantee: str = "individual",
    no_everywhere: str = "",
    sample_weight: Floats | None = None,
    rows: CalibrationRows | None = None,
) -> RocEvaluation:
    """Evaluation of class number `column` of `classes` against the rest.

    `sample_weight` are those of the test points; `rows` says whom the calibration rows of the one
    split stand for, if not what the split itself says.
    """
    rest = classes[1 - column] if len(classes) == 2 else f"not {classes[column]}"
    parts = [_one_vs_rest(one, column, method) for one in served]
    scores, logits, centres = (np.empty(labels.size) for _ in range(3))
    for one, part in zip(served, parts, strict=True):
        scores[one.rows] = one.probabilities[:, column]
        logits[one.rows] = one.logits[:, column]
        centres[one.rows] = one.centres[:, column]
        if method.recenter:
            logits[one.rows] += _median_residual(part, method.neighbors)
            scores[one.rows] = expit(logits[one.rows])
    moved = method.recenter or method.center != "classifier"
    if rows is None:
        rows = served[0].split.reference.calibration.stands_for if served else CalibrationRows()
    given = rows.test_weights(served[0].points.raw, labels.size) if served else None
    zeros, ones = (_groups(parts, labels, k, method, rows, given) for k in (0, 1))
    groups = individual = zeros, ones
    if rows.plain and rows.within is None:
        residuals = {
            k: np.sort(np.concatenate([part.residuals[part.positive == k] for part in parts]))
            for k in (0, 1)
        }
    else:
        residuals = {k: group.residuals for k, group in enumerate(groups)}
    codes = np.concatenate([part.positive for part in parts]).astype(np.intp)
    remarks = (*_remarks(served, column, method), *rows.remarks(codes))
    if guarantee == "curve":
        zeros, ones = groups = _curve_groups(served[0].split, column, labels)
        remarks = (_curve_remark(groups, residuals, method.quantile_rule), *remarks)
        residuals = {0: zeros.residuals, 1: ones.residuals}
    runs = None
    if guarantee == "simultaneous":
        split = served[0].split
        runs = runs_of_logits(split.class_logits[:, column], split.codes == column)
    promise, point_promise = method.promises(guarantee)
    return RocEvaluation(
        scores=scores,
        labels=labels,
        classes=(rest, classes[column]),
        residuals=residuals,
        quantile_rule=method.quantile_rule,
        guarantee=guarantee,
        _groups=groups,
        _individual=individual,
        _score_logits=logits,
        _centres=centres if moved else None,
        promise=promise,
        _point_promise=point_promise,
        _neighbour_noun=CALIBRATION_POINTS if method.neighbors is None else NEIGHBOURS,
        _remarks=remarks,
        _ideal=_ideal_of(served, column, method, rows),
        _classifier=_classifier_of(served, classes, method),
        _support_parts=tuple(_support_part(one, column) for one in served),
        _runs=runs,
        _enclosing=no_everywhere or partial(enclosing_residuals, served[0].split, column),
        _everywhere_remark=method.reference.everywhere_remark(
            min(values.size for values in residuals.values())
        ),
        **weight_fields(sample_weight),
        # Where "auto" chose the kernel, its sentence tells why nothing else would do.
        _noise_advice="" if method.choice else method.reference.noise_advice,
    )


def _classifier_of(served: Sequence[SplitPoints], classes: Sequence[Any], method: Method) -> Any:
    """Fitted classifier that gave the scores, or why no single one did."""
    if len(classes) > 2:
        return f"its classifier has {len(classes)} classes, expected two"
    if len(served) > 1:
        return f"{len(served)} splits have a classifier each, expected resplits=1"
    if method.recenter:
        return "recenter=True has moved the classifier's scores, expected them as they are"
    return served[0].split.estimator


def _support_part(served: SplitPoints, column: int) -> SupportPart:
    """The feature kernel's diagnostics; without numbers of features, those of a score kernel."""
    split = served.split
    labels = (split.codes == column).astype(np.intp)
    logits = split.class_logits[:, column]
    kernel, test = split.kernel, served.points.array
    calibration: Floats | None = None if split.crossed else split.points.array
    if kernel is None or not test.shape[1]:
        kernel = fit_kernel(logits[:, None], labels)
        calibration, test = None, served.logits[:, [column]]
    return SupportPart(
        kernel=kernel,
        calibration=calibration,
        test=test,
        rows=served.rows,
        reference_logits=split.reference.slope_logits(column),
        labels=labels,
    )


def _ideal_of(
    served: Sequence[SplitPoints], column: int, method: Method, rows: CalibrationRows
) -> Callable[[], LabelledDraws] | str:
    """How posterior draws at labelled points are made for one class, or why they are not."""
    reference = served[0].split.reference
    if reference.no_ideal_curve:
        return reference.no_ideal_curve
    if not rows.plain or rows.within is not None:
        return "with weights, groups or populations its draws have no theory"
    if len(served) > 1 or method.neighbors is not None:
        return "with neighbors or resplits there is no one law that labelled and test points share"

    def draws() -> LabelledDraws:
        every, at_calibration = reference.ideal_draws(column)
        return LabelledDraws(
            draws=every,
            classifier_draws=at_calibration,
            classifier_logits=served[0].split.class_logits[:, column],
            assumption=reference.curve_assumption.removeprefix("if "),
        )

    return draws


def _one_vs_rest(served: SplitPoints, column: int, method: Method) -> _OneVsRest:
    split = served.split
    near, targets = None, served.points.array
    if method.neighbors is not None:
        centre = np.empty(0) if split.kernel is None else split.kernel.centre
        place = (method.distance, centre, split.spread)
        near = finder(
            method.distance,
            coordinates(*place, split.points.array, split.class_logits[:, column]),
        )
        targets = coordinates(*place, served.points.array, served.logits[:, column])
    return _OneVsRest(served.rows, split.residuals[:, column], split.codes == column, near, targets)


def _median_residual(part: _OneVsRest, neighbors: int | None) -> Floats | float:
    """The shift of the recentred score: the median residual over both labels."""
    if part.near is None or neighbors is None:
        return float(np.median(part.residuals))
    return local_medians(part.near, part.targets, neighbors, part.residuals)


def _groups(
    parts: Sequence[_OneVsRest],
    labels: NDArray[np.int8],
    k: int,
    method: Method,
    rows: CalibrationRows,
    weights: Floats | None,
) -> Residuals:
    """Residuals of label `k`, as they serve the test points of that label, of these weights."""
    if len(parts) == 1 and method.neighbors is None:
        own = None if weights is None else weights[labels == k]
        return residuals_of(rows, parts[0].residuals, parts[0].positive == k, own)
    place = np.cumsum(labels == k) - 1
    group = np.empty(int((labels == k).sum()), dtype=np.intp)
    ragged: list[Ragged] = []
    before = 0
    for part in parts:
        of_label = labels[part.rows] == k
        wanted = part.positive == k
        if part.near is None or method.neighbors is None:
            local = Ragged.single(part.residuals[wanted])
            group[place[part.rows[of_label]]] = before
        else:
            local = local_residuals(
                part.near, part.targets[of_label], method.neighbors, part.residuals, wanted
            )
            group[place[part.rows[of_label]]] = before + np.arange(int(of_label.sum()))
        ragged.append(local)
        before += local.starts.size - 1
    return GroupedResiduals.of(Ragged.joined(ragged), group)


def _curve_groups(
    split: CalibratedSplit, column: int, labels: NDArray[np.int8]
) -> tuple[GroupedResiduals, GroupedResiduals]:
    """Residuals of both labels that are calibrated for the curve; see `curve_residuals`."""
    logits, positive = split.class_logits[:, column], split.codes == column
    every = split.reference.curve_draws(column)

    def group(rows: NDArray[np.bool_], n_test: int) -> GroupedResiduals:
        lists = [curve_residuals(draws[rows], logits[rows], n_test) for draws in every]
        return GroupedResiduals.pooled(reduce(outer_residuals, lists))

    n_positive = int(labels.sum())
    return group(~positive, labels.size - n_positive), group(positive, n_positive)


def enclosing_residuals(split: CalibratedSplit, column: int) -> tuple[Floats, Floats]:
    """Ascending residuals of both labels for limits at every threshold at once.

    Of a reference that is one estimate they are its own; of one with draws their quantiles, and of
    several lists of draws what encloses all of them.
    """
    logits, positive = split.class_logits[:, column], split.codes == column
    every = split.reference.everywhere_draws(column)

    def of_label(rows: NDArray[np.bool_]) -> Floats:
        lists = [evenly_spaced(draws[rows] - logits[rows, None], rows.sum()) for draws in every]
        return np.sort(reduce(outer_residuals, lists))

    return of_label(~positive), of_label(positive)


def _curve_remark(
    groups: Sequence[GroupedResiduals], individual: dict[int, Floats], rule: str
) -> str:
    """A sentence on how many single points the limits of a band for the curve hold."""
    inside = [
        1 - individual_level(individual[k], *conformal_quantiles(group.residuals, 0.05, rule))
        for k, group in enumerate(groups)
    ]
    return (
        "The band is for the curve at a random threshold, not for single points: at alpha = 0.05 "
        f"its limits hold {100 * inside[0]:.0f} % of the individual residuals of label 0 and "
        f"{100 * inside[1]:.0f} % of those of label 1."
    )


def _remarks(served: Sequence[SplitPoints], column: int, method: Method) -> tuple[str, ...]:
    """Sentences on the splits that the evaluation passes on."""
    scores = [is_clipped(one.split.class_logits[:, column]) for one in served]
    remarks = [each for each in (method.retrained, method.choice) if each]
    if any(one.split.points.array.shape[1] > one.points.array.shape[1] for one in served):
        remarks.append(GAPS_IN_TEST)
    remarks += clipped_scores(
        sum(int(clipped.sum()) for clipped in scores), sum(clipped.size for clipped in scores)
    )
    clipped = sum(one.split.clipped for one in served)
    if clipped:
        remarks.append(
            f"The reference is exactly 0 or 1 at {clipped} calibration points; there it counts as "
            "2^-53 or 1 - 2^-53."
        )
    if remark := served[0].split.reference.remark(served[0].split.estimator):
        remarks.append(remark)
    if method.neighbors is not None and method.reference.local_caution:
        remarks.append(method.reference.local_caution)
    smallest = min(one.split.codes.size for one in served)
    if method.neighbors is not None and method.neighbors > smallest:
        remarks.append(
            f"{method.neighbors} neighbours are asked for, but the calibration set has "
            f"{smallest} points: every one of them is taken."
        )
    return tuple(remarks)
