"""Evaluations of test points by a calibration: each point has the residuals of its split."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from conformal_roc_widget.arrays import Floats, Ints, by_label
from conformal_roc_widget.calibration.classifiers import class_scores
from conformal_roc_widget.calibration.curve_residuals import (
    curve_residuals,
    individual_level,
    outer_residuals,
)
from conformal_roc_widget.calibration.fit import Calibration
from conformal_roc_widget.calibration.neighborhoods import (
    Finder,
    coordinates,
    finder,
    local_medians,
    local_residuals,
)
from conformal_roc_widget.calibration.parameters import Method
from conformal_roc_widget.calibration.quantiles import conformal_quantiles
from conformal_roc_widget.calibration.references.kernel import fit_kernel
from conformal_roc_widget.calibration.references.posterior import evenly_spaced
from conformal_roc_widget.calibration.references.reference import OneVsRest
from conformal_roc_widget.calibration.residuals import (
    GroupedResiduals,
    Ragged,
    Residuals,
    residuals_by_label,
)
from conformal_roc_widget.calibration.split import CalibratedSplit
from conformal_roc_widget.evaluation.from_scores import weight_fields
from conformal_roc_widget.evaluation.ideal_curve import LabelledDraws
from conformal_roc_widget.evaluation.notes import (
    CALIBRATION_POINTS,
    GAPS_IN_TEST,
    NEIGHBOURS,
    clipped_scores,
)
from conformal_roc_widget.evaluation.recalibrated import runs_of_logits
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.evaluation.support import SupportPart
from conformal_roc_widget.tables.calibration_rows import CalibrationRows
from conformal_roc_widget.tables.points import Points

NOT_WEIGHTED = (
    "sample_weight: found it with guarantee='{}', expected 'individual': the others count "
    "independent rows"
)
#: A population is calibrated by its own points alone; for those there is no such guarantee.
NOT_BY_POPULATION = "guarantee: 'everywhere' is for all test points together, not by population"


class Served(NamedTuple):
    """Test points that one split serves, scored by its classifier.

    `rows` are their places in the test set (m,); `probabilities`, `logits` and `centres`, the
    logits that intervals are centred on, have a column a class (m, k).
    """

    split: CalibratedSplit
    rows: Ints
    points: Points
    probabilities: Floats
    logits: Floats
    centres: Floats

    @classmethod
    def of(cls, split: CalibratedSplit, rows: Ints, points: Points, center: str) -> Served:
        """The test points in some rows, scored by the classifier of a split."""
        points = points.rows(rows) if rows.size < len(points.array) else points
        points = points if split.encoder is None else points.encoded(split.encoder)
        classes = split.reference.calibration.classes
        probabilities, logits = class_scores(split.estimator, points, classes)
        centres = logits if center == "classifier" else split.reference.logits(points, logits)
        return cls(split, rows, points, probabilities, logits, centres)


class _Part(NamedTuple):
    """Test points with the split that serves them, for one class against the rest.

    With neighbourhoods `near` finds the calibration points near the `targets`, the test points.
    """

    served: Served
    calibration: OneVsRest
    near: Finder | None
    targets: Floats


def evaluations_of(
    made: Calibration,
    points: Points,
    labels: Mapping[int, NDArray[np.int8]],
    guarantee: str = "individual",
    *,
    sample_weight: Floats | None = None,
    stands_for: CalibrationRows | None = None,
) -> list[RocEvaluation]:
    """Evaluations of test points, each of one class against the rest.

    `labels` are those of the points by the number of the class, `sample_weight` their weights.
    `stands_for` says whom the calibration rows of a population stand for; by default those of the
    fit.
    """
    if sample_weight is not None and guarantee != "individual":
        raise ValueError(NOT_WEIGHTED.format(guarantee))
    n, wanted = len(points.array), made.parameters
    serving = made.splits.serving(n, n_jobs=wanted.n_jobs, progress=wanted.progress)
    served = [Served.of(split, rows, points, made.method.center) for split, rows in serving]
    return [
        _evaluation(made, served, column, each, guarantee, sample_weight, stands_for)
        for column, each in labels.items()
    ]


def _evaluation(
    made: Calibration,
    served: Sequence[Served],
    column: int,
    labels: NDArray[np.int8],
    guarantee: str,
    sample_weight: Floats | None,
    stands_for: CalibrationRows | None,
) -> RocEvaluation:
    """Evaluation of one class against the rest; see `evaluations_of`."""
    method, classes = made.method, made.classes.tolist()
    split = served[0].split
    parts = [_part(one, column, method) for one in served]
    scores, logits, centres = (np.empty(labels.size) for _ in range(3))
    for part in parts:
        rows = part.served.rows
        scores[rows] = part.served.probabilities[:, column]
        logits[rows] = part.served.logits[:, column]
        centres[rows] = part.served.centres[:, column]
        if method.recenter:
            logits[rows] += _median_residual(part, method.neighbors)
            scores[rows] = expit(logits[rows])
    of_rows = split.reference.calibration.stands_for if stands_for is None else stands_for
    groups = individual = _groups(parts, labels, method, of_rows)
    if of_rows.plain and of_rows.within is None:
        residuals = {
            k: np.sort(np.concatenate([_residuals_of(part, k) for part in parts])) for k in (0, 1)
        }
    else:
        residuals = {k: group.residuals for k, group in enumerate(groups)}
    remarks, calibration = _remarks(parts, method), parts[0].calibration
    if not of_rows.plain:
        remarks = (*remarks, *of_rows.remarks(calibration.positive.astype(np.intp)))
    if guarantee == "curve":
        groups = _curve_groups(split, calibration, column, labels)
        remarks = (_curve_remark(groups, residuals, method.quantile_rule), *remarks)
        residuals = {k: group.residuals for k, group in enumerate(groups)}
    runs = None
    if guarantee == "simultaneous":
        runs = runs_of_logits(calibration.logits, calibration.positive)
    no_everywhere = NOT_BY_POPULATION if stands_for is not None else made.no_everywhere
    if stands_for is None and sample_weight is not None:
        no_everywhere = NOT_WEIGHTED.format("everywhere")
    promise, point_promise = method.promises(guarantee)
    moved = method.recenter or method.center != "classifier"
    return RocEvaluation(
        scores=scores,
        labels=labels,
        classes=(
            classes[1 - column] if len(classes) == 2 else f"not {classes[column]}",
            classes[column],
        ),
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
        _ideal=_ideal_of(parts, column, method, of_rows),
        _classifier=_classifier_of(served, classes, method),
        _support_parts=tuple(_support_part(part, column) for part in parts),
        _runs=runs,
        _enclosing=no_everywhere or partial(_enclosing_residuals, split, calibration, column),
        _everywhere_remark=method.reference.everywhere_remark(
            min(values.size for values in residuals.values())
        ),
        **weight_fields(sample_weight),
        # Where "auto" chose, its own sentence says why not another reference.
        _noise_advice="" if method.choice else method.reference.noise_advice,
    )


def _classifier_of(served: Sequence[Served], classes: Sequence[Any], method: Method) -> Any:
    """Fitted classifier that gave the scores, or why no single one did."""
    if len(classes) > 2:
        return f"its classifier has {len(classes)} classes, expected two"
    if len(served) > 1:
        return f"{len(served)} splits have a classifier each, expected resplits=1"
    if method.recenter:
        return "recenter=True has moved the classifier's scores, expected them as they are"
    return served[0].split.estimator


def _support_part(part: _Part, column: int) -> SupportPart:
    """Points for the diagnostics: of the feature kernel, or of a score kernel without numbers."""
    split, labels = part.served.split, part.calibration.positive.astype(np.intp)
    kernel, test = split.kernel, part.served.points.array
    calibration: Floats | None = None if split.crossed else part.calibration.points
    if kernel is None or not test.shape[1]:
        kernel = fit_kernel(part.calibration.logits[:, None], labels)
        calibration, test = None, part.served.logits[:, [column]]
    return SupportPart(
        kernel=kernel,
        calibration=calibration,
        test=test,
        rows=part.served.rows,
        reference_logits=part.calibration.reference_logits,
        labels=labels,
    )


def _ideal_of(
    parts: Sequence[_Part], column: int, method: Method, rows: CalibrationRows
) -> Callable[[], LabelledDraws] | str:
    """A function that gives posterior draws for one class; or a text on why there are none."""
    reference = parts[0].served.split.reference
    if reference.no_ideal_curve:
        return reference.no_ideal_curve
    if not rows.plain or rows.within is not None:
        return "with weights, groups or populations its draws have no theory"
    if len(parts) > 1 or method.neighbors is not None:
        return "with neighbors or resplits there is no one law that labelled and test points share"

    def draws() -> LabelledDraws:
        every, at_calibration = reference.ideal_draws(column)
        return LabelledDraws(
            draws=every,
            classifier_draws=at_calibration,
            classifier_logits=parts[0].calibration.logits,
            assumption=reference.curve_assumption.removeprefix("if "),
        )

    return draws


def _part(served: Served, column: int, method: Method) -> _Part:
    split, calibration = served.split, served.split.reference.one_vs_rest(column)
    if method.neighbors is None:
        return _Part(served, calibration, None, served.points.array)
    centre = np.empty(0) if split.kernel is None else split.kernel.centre
    place = (method.distance, centre, split.spread)
    near = finder(method.distance, coordinates(*place, calibration.points, calibration.logits))
    targets = coordinates(*place, served.points.array, served.logits[:, column])
    return _Part(served, calibration, near, targets)


def _residuals_of(part: _Part, k: int) -> Floats:
    """Residuals of label `k`."""
    residuals: Floats = part.calibration.residuals[part.calibration.positive == k]
    return residuals


def _median_residual(part: _Part, neighbors: int | None) -> Floats | float:
    """What recentring adds to the scores: the median residual over both labels."""
    if part.near is None or neighbors is None:
        return float(np.median(part.calibration.residuals))
    return local_medians(part.near, part.targets, neighbors, part.calibration.residuals)


def _groups(
    parts: Sequence[_Part],
    labels: NDArray[np.int8],
    method: Method,
    rows: CalibrationRows,
) -> tuple[Residuals, Residuals]:
    """Residuals by label, for the test points of that label."""
    if len(parts) == 1 and method.neighbors is None:
        calibration = parts[0].calibration
        own = rows.test_weights(parts[0].served.points.raw, labels)
        return residuals_by_label(rows, calibration.residuals, calibration.positive, own)
    return by_label(lambda k: _local_groups(parts, labels, k, method.neighbors))


def _local_groups(
    parts: Sequence[_Part], labels: NDArray[np.int8], k: int, neighbors: int | None
) -> GroupedResiduals:
    """Residuals of label `k`, a group for each split or neighbourhood."""
    place = np.cumsum(labels == k) - 1
    group = np.empty(int((labels == k).sum()), dtype=np.intp)
    ragged: list[Ragged] = []
    before = 0
    for part in parts:
        rows = part.served.rows
        of_label = labels[rows] == k
        if part.near is None or neighbors is None:
            local = Ragged.single(_residuals_of(part, k))
            group[place[rows[of_label]]] = before
        else:
            local = local_residuals(
                part.near,
                part.targets[of_label],
                neighbors,
                part.calibration.residuals,
                part.calibration.positive == k,
            )
            group[place[rows[of_label]]] = before + np.arange(int(of_label.sum()))
        ragged.append(local)
        before += local.starts.size - 1
    return GroupedResiduals.of(Ragged.joined(ragged), group)


def _curve_groups(
    split: CalibratedSplit, calibration: OneVsRest, column: int, labels: NDArray[np.int8]
) -> tuple[GroupedResiduals, GroupedResiduals]:
    """Residuals of both labels that are calibrated for the curve; see `curve_residuals`."""
    every = split.reference.curve_draws(column)

    def group(rows: NDArray[np.bool_], n_test: int) -> GroupedResiduals:
        lists = [curve_residuals(draws[rows], calibration.logits[rows], n_test) for draws in every]
        return GroupedResiduals.pooled(reduce(outer_residuals, lists))

    n_positive, positive = int(labels.sum()), calibration.positive
    return group(~positive, labels.size - n_positive), group(positive, n_positive)


def _enclosing_residuals(
    split: CalibratedSplit, calibration: OneVsRest, column: int
) -> tuple[Floats, Floats]:
    """Ascending residuals of both labels for limits at every threshold at once.

    A reference that is one estimate has one residual a point. With draws, residuals are quantiles
    over points and draws; with several sets of draws the outermost quantiles, rank by rank.
    """
    logits = calibration.logits
    every = split.reference.everywhere_draws(column)

    def of_label(rows: NDArray[np.bool_]) -> Floats:
        lists = [evenly_spaced(draws[rows] - logits[rows, None], rows.sum()) for draws in every]
        return np.sort(reduce(outer_residuals, lists))

    return of_label(~calibration.positive), of_label(calibration.positive)


def _curve_remark(
    groups: Sequence[GroupedResiduals], individual: dict[int, Floats], rule: str
) -> str:
    """A sentence: how many individual residuals are within the limits of a band for the curve."""
    inside = [
        1 - individual_level(individual[k], *conformal_quantiles(group.residuals, 0.05, rule))
        for k, group in enumerate(groups)
    ]
    return (
        "The band is for the curve at a random threshold, not for single points: at alpha = 0.05 "
        f"its limits hold {100 * inside[0]:.0f} % of the individual residuals of label 0 and "
        f"{100 * inside[1]:.0f} % of those of label 1."
    )


def _remarks(parts: Sequence[_Part], method: Method) -> tuple[str, ...]:
    """Sentences on the splits that the evaluation passes on."""
    first = parts[0].served.split
    sizes = [part.calibration.positive.size for part in parts]
    remarks = [each for each in (method.retrained, method.choice) if each]
    if any(part.calibration.points.shape[1] > part.served.points.array.shape[1] for part in parts):
        remarks.append(GAPS_IN_TEST)
    remarks += clipped_scores(sum(part.calibration.clipped for part in parts), sum(sizes))
    clipped = sum(part.calibration.unsure for part in parts)
    if clipped:
        remarks.append(
            f"The reference is exactly 0 or 1 at {clipped} calibration points; there it counts as "
            "2^-53 or 1 - 2^-53."
        )
    if remark := first.reference.remark(first.estimator):
        remarks.append(remark)
    if method.neighbors is not None and method.reference.local_caution:
        remarks.append(method.reference.local_caution)
    if method.neighbors is not None and method.neighbors > min(sizes):
        remarks.append(
            f"{method.neighbors} neighbours are asked for, but the calibration set has "
            f"{min(sizes)} points: every one of them is taken."
        )
    return tuple(remarks)
