"""Calibration from scores and labels alone, for test sets in memory and for tables."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from conformal_roc_widget.arrays import (
    Floats,
    Ints,
    any_scores_of,
    are_probabilities,
    binary_codes_of,
    codes_of,
    exactly,
    in_unit_range,
    labels_of,
    people_of,
    row_weights_of,
    same_length,
    scores_of,
    shortened,
    two_classes_of,
)
from conformal_roc_widget.calibration.quantiles import check_rule, checked_residuals
from conformal_roc_widget.calibration.references.kernel import (
    check_bandwidth,
    check_scores,
    score_kernel,
)
from conformal_roc_widget.calibration.references.posterior import ClassPosteriors, sharp_residuals
from conformal_roc_widget.calibration.residuals import (
    GroupedResiduals,
    Residuals,
    residuals_by_label,
)
from conformal_roc_widget.checks import check_text, one_of
from conformal_roc_widget.choices import ScoreReferenceName
from conformal_roc_widget.logits import clipped, logit_of
from conformal_roc_widget.promise import (
    CLOSE_AS_GIVEN,
    CLOSE_FROM_SCORES,
    FOR_RECALIBRATION,
    IDEAL_MODEL,
    RECALIBRATION,
    RIGHT_WEIGHTS,
    SMOOTH_SCORES,
    Guarantee,
    Promise,
    for_points,
    for_rates,
    individual,
)
from conformal_roc_widget.reliability.score_bins import (
    CONTRAST,
    FEWEST_FOR_BINS,
    HELD_TO_NOTE,
    MISFIT,
    contrast,
    held_share,
    misfit,
)
from conformal_roc_widget.reliability.score_runs import ScoreRuns
from conformal_roc_widget.tables.calibration_rows import CalibrationRows, one_row_each
from conformal_roc_widget.text import Note

from .at_alpha import CalibratedCurve
from .notes import NOISE_OF_ROWS, NOISE_OF_SCORES, USUAL_ALPHA, clipped_scores, kernel_too_smooth
from .observed_curve import ObservedCurve
from .recalibrated import RecalibratedCurve, recalibrated, runs_of_logits
from .support import Diagnostics, SupportPart

#: Arguments of the scores of four arrays.
SETS = ("score_calibration", "score_test")
#: Guarantees that scores and labels alone can give, and references for the first of them.
GUARANTEES = ("individual", "simultaneous")
REFERENCES = get_args(ScoreReferenceName)
#: Why scores alone have no limits for the ideal model at every threshold at once.
NO_EVERYWHERE = (
    "guarantee: found 'everywhere' for scores alone, expected 'simultaneous': without features "
    "nothing tells π, but an ideal recalibration of the score at every threshold at once"
)


def check_options(quantile_rule: Any, bandwidth: Any, reference: Any, time_unit: Any = "") -> None:
    """Refuses bad options of scores, also options that these rows do not use."""
    check_rule(quantile_rule, "quantile_rule")
    check_bandwidth(bandwidth, 1)
    if reference is not None:
        one_of(reference, "reference", REFERENCES)
    check_text(time_unit, "time_unit")


class ScoreCalibration(NamedTuple):
    """Residuals of calibration scores against a reference that is made from them.

    `diagnostics` have the calibration points, and get the test scores later; `runs` make the limits
    of the simultaneous guarantee, and are None if rows do not count alike.
    """

    classes: NDArray[Any]
    residuals: Floats
    rows: CalibrationRows
    codes: Ints
    rule: str
    promises: tuple[Promise, Promise]
    diagnostics: Diagnostics
    runs: ScoreRuns | None
    is_simultaneous: bool = True
    any_size: bool = False

    @classmethod
    def of(
        cls,
        y_calibration: ArrayLike,
        score_calibration: ArrayLike,
        bandwidth: str | float | ArrayLike,
        quantile_rule: str,
        guarantee: Any,
        pos_label: Any,
        reference: str | None,
        sample_weight: Any = None,
        people: ArrayLike | None = None,
        *,
        any_size: bool = False,
    ) -> ScoreCalibration:
        """Checks the arguments, and takes residuals."""
        check_options(quantile_rule, bandwidth, reference)
        if reference is None:
            smoothed = not isinstance(bandwidth, str) or bandwidth != "silverman"
            by_kernel = smoothed or sample_weight is not None or people is not None
            reference = "kernel" if by_kernel else "sharp"
        if isinstance(guarantee, str) and guarantee == "everywhere":
            raise ValueError(NO_EVERYWHERE)
        one_of(guarantee, "guarantee", GUARANTEES)
        labels = labels_of(y_calibration, "y_calibration")
        scores = any_scores_of(score_calibration, "score_calibration")
        if not any_size:
            in_unit_range(scores, "score_calibration", "probabilities in [0, 1]")
        same_length(y_calibration=labels, score_calibration=scores)
        classes = two_classes_of(labels, "y_calibration", pos_label)
        codes = codes_of(labels, classes, "y_calibration")
        rows = CalibrationRows.of(scores, scores.size, sample_weight, people)
        if guarantee == "simultaneous" and not rows.plain:
            raise ValueError(
                "guarantee: found 'simultaneous' with weights or groups, expected 'individual': "
                "the calibration band counts independent rows"
            )
        if any_size:
            check_scores(scores, "score_calibration")
            ordered = runs_of_logits(scores, codes == 1, any_size=True)
            given = classes, np.empty(0), rows, codes, quantile_rule
            return cls(*given, FOR_RECALIBRATION, Diagnostics(), ordered, any_size=True)
        logits = logit_of(scores)
        usable = (scores > 0) & (scores < 1)
        kernel = score_kernel(logits, codes, usable, bandwidth)
        if guarantee == "simultaneous" or reference == "kernel":
            reference_logits = kernel.logits(people=rows.people)[:, 1]
            residuals = reference_logits - logits
        else:
            reference_logits, residuals = _sharp(logits, codes)
        groups = residuals_by_label(rows, residuals, codes == 1)
        conditions = rows.conditions
        if (odds := rows.odds(codes)) != 1:  # the law of the rows, moved to that of their weights
            reference_logits = reference_logits + math.log(odds)
            residuals, conditions = residuals + math.log(odds), (RIGHT_WEIGHTS,)
        if guarantee == "simultaneous":
            promises, last_remarks = FOR_RECALIBRATION, list[Note]()
        else:
            assumption = CLOSE_FROM_SCORES if reference == "kernel" else SMOOTH_SCORES
            guarantee = individual(assumption, *conditions, whom=rows.whom)
            promises = _promises(guarantee, RECALIBRATION)
            last_remarks = []
            if reference == "kernel":
                found = KernelFit.of(logits, codes, reference_logits, rows)
                last_remarks = found.notes(groups, quantile_rule, alike=rows.plain)
        # A clipped score has no logit of its own, and would outweigh all others.
        known_logits = np.where(usable, reference_logits, np.nan)
        diagnostics = Diagnostics(
            parts=(SupportPart(kernel, None, np.empty(0), slice(None), known_logits, codes),),
            remarks=(
                *rows.remarks(codes),
                *clipped_scores(int((~usable).sum()), scores.size),
            ),
            last_remarks=tuple(last_remarks),
            noise_advice=NOISE_OF_SCORES if rows.plain else NOISE_OF_ROWS,
        )
        runs = runs_of_logits(logits, codes == 1) if rows.plain else None
        about = classes, residuals, rows, codes, quantile_rule, promises, diagnostics
        return cls(*about, runs, promises is FOR_RECALIBRATION)

    def test_points(
        self,
        y_test: ArrayLike,
        score_test: ArrayLike,
        sample_weight: ArrayLike | None,
        groups: ArrayLike | None,
    ) -> ObservedCurve:
        """Test points in memory, without rows of weight 0."""
        labels = labels_of(y_test, "y_test")
        scores = any_scores_of(score_test, "score_test").copy()
        if not self.any_size:
            in_unit_range(scores, "score_test", "probabilities in [0, 1]")
        same_length(y_test=labels, score_test=scores)
        people = None if groups is None else people_of(groups, "groups_test", labels.size)
        weights = None
        if sample_weight is not None:
            weights = row_weights_of(sample_weight, "sample_weight_test", scores.size)
            there = weights > 0
            scores, labels, weights = scores[there], labels[there], weights[there]
            people = None if people is None else people[there]
        where = "" if sample_weight is None else " where sample_weight_test is above 0"
        codes = binary_codes_of(labels, self.classes, f"y_test{where}")
        return ObservedCurve.of(scores, codes, weights, people=people, any_size=self.any_size)

    def evaluated(
        self, observed: ObservedCurve
    ) -> tuple[tuple[Any, Any], CalibratedCurve, Diagnostics]:
        """The parts of a `RocEvaluation` of test points."""
        zero, one = self.classes.tolist()
        curve: CalibratedCurve | None = self.recalibrated(observed)
        if self.any_size:
            assert curve is not None
            return (zero, one), *unweighed(curve, self.rows, self.diagnostics)
        if curve is None or not self.is_simultaneous:
            curve = CalibratedCurve(observed, self._groups(observed), self.rule, *self.promises)
        return (zero, one), *unweighed(curve, self.rows, self.diagnostics.at_scores(observed))

    def recalibrated(self, observed: ObservedCurve) -> RecalibratedCurve | None:
        """Limits for every threshold at once; None if calibration rows do not count alike."""
        if self.runs is None:
            return None
        if self.any_size:
            return recalibrated(observed, self.runs, self.promises)
        groups = self._groups(observed)
        made = RecalibratedCurve(observed, groups, self.rule, *FOR_RECALIBRATION, runs=self.runs)
        if not weighs_alone(observed, self.rows):
            return made
        return replace(made, remark=TEST_ALONE).without_promise("weights_of_test_alone")

    def _groups(self, observed: ObservedCurve) -> tuple[Residuals, Residuals]:
        own = self.rows.test_weights(observed.scores, observed.labels)
        return residuals_by_label(self.rows, self.residuals, self.codes == 1, own)


#: The note where test rows alone have weights.
TEST_ALONE = Note(
    "Test rows have weights, and nothing says what calibration rows weigh:",
    "limits for an ideal model promise nothing.",
    "Give sample_weight_calibration: ones, if each stands for as many rows as any other.",
)


def weighs_alone(observed: ObservedCurve, rows: CalibrationRows) -> bool:
    """Whether test rows have weights, and nothing says what calibration rows weigh."""
    of_table = observed.summary is not None and observed.summary.weighted
    return (of_table or observed.weights is not None) and rows.weights is None


def unweighed(
    curve: CalibratedCurve, rows: CalibrationRows, diagnostics: Diagnostics
) -> tuple[CalibratedCurve, Diagnostics]:
    """If only the test rows have weights, the curve gets no guarantee, and a note says why."""
    if not weighs_alone(curve.observed, rows):
        return curve, diagnostics
    if isinstance(curve, RecalibratedCurve):
        curve = replace(curve, remark=TEST_ALONE)
    else:
        diagnostics = diagnostics.with_remark(TEST_ALONE)
    return curve.without_promise("weights_of_test_alone"), diagnostics


def asked_of(guarantee: Any, *scores: Any) -> tuple[Any, bool]:
    """The guarantee asked for, and whether some scores are no probabilities.

    These can have the simultaneous one alone, which is then the default.
    """
    sets = [any_scores_of(each, name) for each, name in zip(scores, SETS, strict=True)]
    if are_probabilities(*sets):
        return "individual" if guarantee is None else guarantee, False
    if guarantee == "individual":
        low, high = min(each.min() for each in sets), max(each.max() for each in sets)
        raise ValueError(
            f"guarantee: found 'individual' for scores from {exactly(low)} to {exactly(high)}, "
            "expected 'simultaneous' or None, or probabilities in [0, 1]: the reference takes "
            "their logits, while 'simultaneous' takes their order alone"
        )
    return "simultaneous" if guarantee is None else guarantee, True


def _promises(guarantee: Guarantee, model: str = IDEAL_MODEL) -> tuple[Promise, Promise]:
    """Individual promises of the rates and of the points' intervals."""
    rates = for_rates("individual", guarantee, model)
    return rates, for_points("individual", guarantee, model)


def _sharp(logits: Floats, codes: Ints) -> tuple[Floats, Floats]:
    """Posterior means of ``logit P(y = 1 | score)``, and residuals spread as its draws are."""
    X = clipped(logits)[:, None]
    posteriors = ClassPosteriors.of(X, codes, 2)
    draws = posteriors.draws(X, 1)
    residuals = np.empty(logits.size)
    for k in (0, 1):
        residuals[codes == k] = sharp_residuals(draws[codes == k], logits[codes == k])
    return posteriors.means(X)[:, 1], residuals


class KernelFit(NamedTuple):
    """Calibration points and the kernel's estimates there.

    If rows belong to people, one row each.
    """

    logits: Floats
    codes: Ints
    reference_logits: Floats

    @classmethod
    def of(
        cls, logits: Floats, codes: Ints, reference_logits: Floats, rows: CalibrationRows
    ) -> KernelFit:
        """The rows; if people have several, one of each."""
        if rows.people is None:
            return cls(logits, codes, reference_logits)
        some = one_row_each(rows.people)
        return cls(logits[some], codes[some], reference_logits[some])

    @property
    def misfits(self) -> bool:
        """Whether the labels show that the estimates are off."""
        return misfit(*self) < MISFIT or contrast(*self) > CONTRAST

    def notes(self, groups: tuple[Residuals, Residuals], rule: str, *, alike: bool) -> list[Note]:
        """At most one note: shares of positives in bins are often outside the intervals as well."""
        if self.logits.size < FEWEST_FOR_BINS or not self.misfits:
            return []
        pairs = [group.quantiles(USUAL_ALPHA, rule) for group in groups]
        low, up = np.array([[pair.lower[0], pair.upper[0]] for pair in pairs]).T[:, self.codes]
        share = held_share(self.logits, self.codes, self.logits + low, self.logits + up)
        return [kernel_too_smooth(share, alike=alike)] if share < HELD_TO_NOTE else []


def evaluated_residuals(
    residuals: Any, y_test: ArrayLike, score_test: ArrayLike, quantile_rule: str
) -> tuple[tuple[Any, Any], CalibratedCurve, Diagnostics]:
    """The parts of a `RocEvaluation` if only residuals are known."""
    check_rule(quantile_rule, "quantile_rule")
    if not isinstance(residuals, Mapping) or len(residuals) != 2:
        raise TypeError(f"residuals: found {residuals!r:.60}, expected a mapping of two labels")
    zeros, ones = (checked_residuals(each, "residuals") for each in residuals.values())
    labels, scores = labels_of(y_test, "y_test"), scores_of(score_test, "score_test").copy()
    same_length(y_test=labels, score_test=scores)
    names = list(residuals)
    found = two_classes_of(labels, "y_test").tolist()
    if names not in (found, found[::-1]):
        raise ValueError(
            f"residuals: found labels {names}, expected those of y_test: {shortened(found)}"
        )
    classes = two_classes_of(labels, "y_test", names[1])
    observed = ObservedCurve(scores, binary_codes_of(labels, classes, "y_test"))
    groups = GroupedResiduals.pooled(zeros), GroupedResiduals.pooled(ones)
    zero, one = classes.tolist()
    curve = CalibratedCurve(observed, groups, quantile_rule, *_promises(individual(CLOSE_AS_GIVEN)))
    return (zero, one), curve, Diagnostics()
