"""Calibrates from the labels and scores of calibration rows, without features.

A residual is ``logit pi~ - logit p``. The reference ``pi~`` estimates ``P(y = 1 | score)``, and p
is the score. The test set is in memory, or it is a table of which only counts in bins are kept.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from conformal_roc_widget.arrays import (
    Floats,
    Ints,
    WeighedRows,
    WholeScores,
    any_scores_of,
    are_probabilities,
    binary_codes_of,
    codes_of,
    exactly,
    in_unit_range,
    labels_of,
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
    Quantiles,
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
from .notes import (
    NOISE_OF_ROWS,
    NOISE_OF_SCORES,
    USUAL_ALPHA,
    clipped_scores,
    kernel_too_smooth,
    nobody_in_test,
)
from .observed_curve import ObservedCurve
from .recalibrated import RecalibratedCurve, recalibrated, runs_of_logits
from .support import Diagnostics, SupportPart

#: The arguments with the scores of calibration rows and of test rows.
SETS = ("score_calibration", "score_test")
#: The possible guarantees if there are only scores and labels. `REFERENCES` are the possible
#: references for the guarantee ``"individual"``.
GUARANTEES = ("individual", "simultaneous")
REFERENCES = get_args(ScoreReferenceName)
#: The error if the user wants ``"everywhere"`` for scores without features.
NO_EVERYWHERE = (
    "guarantee: found 'everywhere' for scores alone, expected 'simultaneous': without features "
    "nothing tells π, but an ideal recalibration of the score at every threshold at once"
)


def check_options(quantile_rule: Any, bandwidth: Any, reference: Any, time_unit: Any = "") -> None:
    """Raises an error for an invalid option, even if it is not used for these rows."""
    check_rule(quantile_rule, "quantile_rule")
    check_bandwidth(bandwidth, 1)
    if reference is not None:
        one_of(reference, "reference", REFERENCES)
    check_text(time_unit, "time_unit")


class ScoreCalibration(NamedTuple):
    """Calibration rows with scores but no features: their residuals, guarantees and notes.

    The reference was estimated from the same scores. `diagnostics` has the calibration points, and
    test scores are added later. `runs` are the calibration rows in groups of equal scores, which
    make the limits of ``guarantee="simultaneous"``. If rows have weights or groups, `runs` is None.
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
        """Checks the arguments, which are those of `from_predictions`, and computes residuals.

        If `any_size` is set, scores are not probabilities, and there are no residuals.
        """
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
        if (odds := rows.odds(codes)) != 1:  # rows of label 1 weigh `odds` times those of label 0
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
                pairs = [group.quantiles(USUAL_ALPHA, quantile_rule) for group in groups]
                last_remarks = misfit_notes(logits, codes, reference_logits, rows, pairs)
        # A score of 0 or 1 is clipped, and its logit is arbitrary. It would dominate the slope in
        # the diagnostics, so it is left out as NaN.
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
        whole: WholeScores | None = None,
    ) -> ObservedCurve:
        """Makes the observed curve of test rows in memory. Rows of weight 0 are left out."""
        _, codes, scores, weights, people = WeighedRows.of(
            *(("y_test", "score_test"), y_test, score_test, sample_weight, groups),
            suffix="_test",
            classes=self.classes,
            expected="" if self.any_size else "probabilities in [0, 1]",
        )
        return ObservedCurve.of(
            scores, codes, weights, people=people, any_size=self.any_size, whole=whole
        )

    def evaluated(
        self, observed: ObservedCurve, groups: Any = None
    ) -> tuple[tuple[Any, Any], CalibratedCurve, Diagnostics]:
        """Makes classes, curve and diagnostics of a `RocEvaluation` of the points `observed`.

        `groups` are the people of the test points, as the user gave them.
        """
        zero, one = self.classes.tolist()
        curve: CalibratedCurve | None = self.recalibrated(observed)
        if self.any_size:
            assert curve is not None
            return (zero, one), *unweighed(curve, self.rows, self.diagnostics)
        if curve is None or not self.is_simultaneous:
            curve = CalibratedCurve(observed, self._groups(observed), self.rule, *self.promises)
        diagnostics = self.diagnostics.at_scores(observed)
        if self.rows.people is not None and groups is None:
            diagnostics = replace(diagnostics, always=(nobody_in_test("groups_test"),))
        return (zero, one), *unweighed(curve, self.rows, diagnostics)

    def recalibrated(self, observed: ObservedCurve) -> RecalibratedCurve | None:
        """Returns the curve of the test points under ``guarantee="simultaneous"``.

        Returns None if calibration rows have weights or groups.
        """
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


#: The note that test rows have weights and calibration rows have none.
TEST_ALONE = Note(
    "Test rows have weights, and nothing says what calibration rows weigh:",
    "limits for an ideal model promise nothing.",
    "Give sample_weight_calibration: ones, if each stands for as many rows as any other.",
)


def weighs_alone(observed: ObservedCurve, rows: CalibrationRows) -> bool:
    """Whether test rows have weights although the calibration rows `rows` have none."""
    of_table = observed.summary is not None and observed.summary.weighted
    return (of_table or observed.weights is not None) and rows.weights is None


def unweighed(
    curve: CalibratedCurve, rows: CalibrationRows, diagnostics: Diagnostics
) -> tuple[CalibratedCurve, Diagnostics]:
    """If only test rows have weights, removes the guarantee of `curve`, and adds a note on that."""
    if not weighs_alone(curve.observed, rows):
        return curve, diagnostics
    if isinstance(curve, RecalibratedCurve):
        curve = replace(curve, remark=TEST_ALONE)
    else:
        diagnostics = diagnostics.with_remark(TEST_ALONE)
    return curve.without_promise("weights_of_test_alone"), diagnostics


def asked_of(guarantee: Any, *scores: Any) -> tuple[Any, bool]:
    """Returns the guarantee to use, and whether some of the `scores` are not probabilities.

    If some are not, only ``"simultaneous"`` is possible, and it is the default.
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
    """Returns individual guarantees for the rates, and for the intervals of points."""
    rates = for_rates("individual", guarantee, model)
    return rates, for_points("individual", guarantee, model)


def _sharp(logits: Floats, codes: Ints) -> tuple[Floats, Floats]:
    """Returns what ``reference="sharp"`` needs: means of ``logit P(y = 1 | score)``, and residuals.

    The means are those of a posterior, and the residuals are spread like its draws.
    """
    X = clipped(logits)[:, None]
    posteriors = ClassPosteriors.of(X, codes, 2)
    draws = posteriors.draws(X, 1)
    residuals = np.empty(logits.size)
    for k in (0, 1):
        residuals[codes == k] = sharp_residuals(draws[codes == k], logits[codes == k])
    return posteriors.means(X)[:, 1], residuals


def misfit_notes(
    logits: Floats,
    codes: Ints,
    reference_logits: Floats,
    rows: CalibrationRows,
    pairs: Sequence[Quantiles],
) -> list[Note]:
    """At most one note: the kernel misfits, so that intervals miss shares of positives in bins.

    `reference_logits` are the kernel's estimates of ``logit P(y = 1 | score)`` at calibration
    points, whose intervals have the order statistics `pairs`. If people have several `rows`, only
    one row of each person is used.
    """
    if rows.people is not None:
        some = one_row_each(rows.people)
        logits, codes, reference_logits = logits[some], codes[some], reference_logits[some]
    given = logits, codes, reference_logits
    few = logits.size < FEWEST_FOR_BINS
    if few or (misfit(*given) >= MISFIT and contrast(*given) <= CONTRAST):
        return []
    low, up = np.array([[pair.lower[0], pair.upper[0]] for pair in pairs]).T[:, codes]
    share = held_share(logits, codes, logits + low, logits + up)
    return [kernel_too_smooth(share, alike=rows.plain)] if share < HELD_TO_NOTE else []


def evaluated_residuals(
    residuals: Any, y_test: ArrayLike, score_test: ArrayLike, quantile_rule: str
) -> tuple[tuple[Any, Any], CalibratedCurve, Diagnostics]:
    """Makes classes, curve and diagnostics of a `RocEvaluation` from known residuals by label."""
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
