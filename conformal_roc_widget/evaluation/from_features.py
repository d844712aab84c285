"""Evaluates test points with features by a fitted calibration.

A calibration has one or several random splits of the labelled points into a training and a
calibration part. Each test point belongs to one split. The split's classifier gives its score p,
and the split's calibration part gives the residuals ``logit pi~ - logit p``. The reference ``pi~``
is the estimate of the true probability.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial, reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from conformal_roc_widget.arrays import Floats, Ints, Made, by_label
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
from conformal_roc_widget.calibration.references.reference import OneVsRest, Reference
from conformal_roc_widget.calibration.residuals import (
    GroupedResiduals,
    Ragged,
    Residuals,
    residuals_by_label,
)
from conformal_roc_widget.calibration.split import CalibratedSplit
from conformal_roc_widget.promise import LEARNABLE
from conformal_roc_widget.tables.calibration_rows import CalibrationRows
from conformal_roc_widget.tables.points import Points
from conformal_roc_widget.text import LABEL, AboutLabels, Note, counted

from .at_alpha import CalibratedCurve
from .evaluated import Scored, Sources
from .everywhere import Everywhere, EverywhereCurve
from .from_scores import unweighed
from .ideal_curve import LabelledDraws
from .notes import (
    GAPS_IN_TEST,
    OTHER_CENTRE,
    clipped_scores,
    margins,
    nobody_in_test,
    seen_rows,
)
from .observed_curve import ObservedCurve
from .recalibrated import RecalibratedCurve, runs_of_logits
from .roc_evaluation import RocEvaluation
from .support import Diagnostics, SupportPart

NOT_WEIGHTED = (
    "sample_weight: found it with guarantee='{}', expected 'individual': the others count "
    "independent rows"
)
NOT_GROUPED = (
    "groups: found several test rows of one person with guarantee='{}', expected 'individual': the "
    "others count independent rows"
)
#: The error if the user wants ``"everywhere"`` for a population. A population has only residuals of
#: its own.
NOT_BY_POPULATION = "guarantee: 'everywhere' is for all test points together, not by population"


def refuse_one_side(positive: NDArray[np.bool_], label: Any) -> None:
    """Raises an error if all test rows, or none, are positive. `label` is the positive class."""
    if positive.all() or not positive.any():
        found = "only" if positive.all() else "no"
        raise ValueError(f"y_test: found {found} {label!r:.40}, expected rows of it and of others")


class ScoredTest(NamedTuple):
    """The m test points of one split, scored by the split's classifier.

    `rows` are their indices in the test set. `probabilities`, `logits` and `centres` (the logits on
    which intervals are centred) have a column for each of k classes (m, k).
    """

    split: CalibratedSplit
    rows: Ints
    points: Points
    probabilities: Floats
    logits: Floats
    centres: Floats

    @classmethod
    def of(cls, split: CalibratedSplit, rows: Ints, points: Points, method: Method) -> ScoredTest:
        """Scores the test points with the indices `rows` by the classifier of `split`."""
        points = points.rows(rows) if rows.size < len(points.array) else points
        points = points if split.encoder is None else points.encoded(split.encoder)
        classes = split.reference.calibration.classes
        probabilities, logits = class_scores(split.estimator, points, classes)
        if method.is_printed_centre:
            centres = split.reference.logits(points, logits)
        elif method.has_other_centre:
            _, centres = class_scores(split.centre, points, classes)
        else:
            centres = logits
        return cls(split, rows, points, probabilities, logits, centres)


class _Neighbours(NamedTuple):
    """The search for neighbours: `finder` finds the `n` calibration points nearest to each target.

    `targets` (m, d) are the test points.
    """

    finder: Finder
    targets: Floats
    n: int


class _Part(NamedTuple):
    """The test points and the calibration points of one split, for one class against the rest.

    `column` is the class. `near` finds neighbours (Algorithm 2). It is None for Algorithm 1.
    """

    test: ScoredTest
    column: int
    calibration: OneVsRest
    near: _Neighbours | None

    @classmethod
    def of(cls, test: ScoredTest, column: int, method: Method) -> _Part:
        """Makes the part for the class in `column`. If `method` needs neighbours, it finds them."""
        split, calibration = test.split, test.split.reference.one_vs_rest(column)
        if method.neighbors is None:
            return cls(test, column, calibration, None)
        centre = np.empty(0) if split.kernel is None else split.kernel.centre
        place = (method.distance, centre, split.spread)
        find = finder(method.distance, coordinates(*place, calibration.points, calibration.logits))
        targets = coordinates(*place, test.points.array, test.logits[:, column])
        return cls(test, column, calibration, _Neighbours(find, targets, method.neighbors))

    def residuals_of(self, k: int) -> Floats:
        """Returns the residuals of all calibration points of label `k`."""
        residuals: Floats = self.calibration.residuals[self.calibration.positive == k]
        return residuals

    def median_residual(self) -> Floats | float:
        """Returns the median of both labels' residuals, which ``recenter=True`` adds to the logits.

        With neighbourhoods, there is one median for each test point.
        """
        if self.near is None:
            return float(np.median(self.calibration.residuals))
        return local_medians(*self.near, self.calibration.residuals)

    def groups_of(self, k: int, of_label: NDArray[np.bool_]) -> Ragged:
        """Returns the residuals of label `k`: one group, or one for each test point of the label.

        `of_label` tells which test points have the label.
        """
        if self.near is None:
            return Ragged.single(self.residuals_of(k))
        residuals, wanted = self.calibration.residuals, self.calibration.positive == k
        finder, targets, n = self.near
        return local_residuals(finder, targets[of_label], n, residuals, wanted)

    def support(self) -> SupportPart:
        """Returns the points for the diagnostics, which measure distances by a kernel.

        If features are numbers, the kernel is on them. Otherwise it is on the logit of the score.
        """
        split, labels = self.test.split, self.calibration.positive.astype(np.intp)
        kernel, test = split.kernel, self.test.points.array
        calibration: Floats | None = None if split.crossed else self.calibration.points
        if kernel is None or not test.shape[1]:
            kernel = fit_kernel(self.calibration.logits[:, None], labels)
            calibration, test = None, self.test.logits[:, [self.column]]
        rows, reference_logits = self.test.rows, self.calibration.reference_logits
        return SupportPart(kernel, calibration, test, rows, reference_logits, labels)

    def deferred(self, make: Callable[[Reference, OneVsRest, int], Made]) -> Callable[[], Made]:
        """Returns a function that calls `make` with the reference and the calibration points.

        The function does not keep the test points in memory.
        """
        return partial(make, self.test.split.reference, self.calibration, self.column)


def evaluations_of(
    made: Calibration,
    points: Points,
    labels: Mapping[int, NDArray[np.int8]],
    asked: str | None = None,
    *,
    sample_weight: Floats | None = None,
    stands_for: CalibrationRows | None = None,
    people: Ints | None = None,
    remark: Note | None = None,
) -> list[RocEvaluation]:
    """Evaluates test points, for each class in `labels` against the rest.

    `labels` has the codes of the points for each class: 1 for the class, 0 for the rest. `asked` is
    the guarantee that the user wants. If it is None, the guarantee is the individual one, but a
    widget may show another one first. `stands_for` describes the calibration rows of a population,
    by default those of the fit. `people` are the codes of the points' people. `remark` is one more
    note.
    """
    guarantee = "individual" if asked in (None, "credible") else asked
    dependent = "" if sample_weight is None else NOT_WEIGHTED
    if people is not None and np.unique(people).size < people.size:
        dependent = NOT_GROUPED
    if dependent and guarantee != "individual":
        raise ValueError(dependent.format(guarantee))
    n, method, wanted = len(points.array), made.method, made.parameters
    splits = made.splits.with_rows(n, n_jobs=wanted.n_jobs, progress=wanted.progress)
    tests = [ScoredTest.of(split, rows, points, method) for split, rows in splits]
    of_fit = tests[0].split.reference.calibration.stands_for
    rows = of_fit if stands_for is None else stands_for
    if stands_for is not None:
        no_everywhere = NOT_BY_POPULATION
    elif dependent:
        no_everywhere = dependent.format("everywhere")
    else:
        no_everywhere = made.no_everywhere
    evaluations = []
    for column, each in labels.items():
        parts = [_Part.of(test, column, method) for test in tests]
        comparison = _OneVsRest(parts, each, sample_weight, people, rows, method, guarantee, remark)
        found = comparison.evaluation(made.classes.tolist(), no_everywhere, asked)
        evaluations.append(found.with_guarantee("credible") if asked == "credible" else found)
    return evaluations


#: The note if the weights of calibration rows depend on the label.
BY_LABEL = Note(
    "Calibration rows weigh by their label, and the reference takes no weights:",
    "limits for an ideal model promise nothing.",
    "From scores alone, as in from_predictions, they are moved to the law of the weighted rows.",
)


@dataclass(frozen=True, eq=False)
class _OneVsRest:
    """Makes the evaluation of one class against the rest.

    `parts` has an item for each split. `labels`, `weights` and `people` are those of the test
    points. `rows` describes the calibration rows: their weights, people and population.
    """

    parts: Sequence[_Part]
    labels: NDArray[np.int8]
    weights: Floats | None
    people: Ints | None
    rows: CalibrationRows
    method: Method
    guarantee: str
    remark: Note | None = None

    def evaluation(
        self, classes: Sequence[Any], no_everywhere: str, asked: str | None
    ) -> RocEvaluation:
        """Makes the evaluation. `classes` are all classes, and `asked` is the user's guarantee.

        `no_everywhere` says why ``"everywhere"`` is impossible. It is empty if it is possible.
        """
        column = self.parts[0].column
        rest = classes[1 - column] if len(classes) == 2 else f"not {classes[column]}"
        everywhere = no_everywhere or self._everywhere()
        diagnostics = Diagnostics(
            parts=tuple(part.support() for part in self.parts),
            always=tuple(self._always()),
            remarks=tuple(self._remarks()),
            # If "auto" chose the reference, there is a note on the choice, which gives advice
            # already.
            noise_advice="" if self.method.choice else self.method.reference.noise_advice,
        )
        sources = Sources(
            *(self._ideal(), everywhere, self._classifier(len(classes)), self.method.crossable),
            margins=bool(margins(self.parts[0].test.split.estimator)),
            is_chosen=asked is not None,
            scored=self._scored(diagnostics.parts[0]),
        )
        made = unweighed(self._curve(everywhere), self.rows, diagnostics)
        if self.rows.odds(self.parts[0].calibration.positive) != 1:
            made = made[0].without_promise("weights_by_label"), made[1].with_remark(BY_LABEL)
        return RocEvaluation((rest, classes[column]), *made, sources)

    def _curve(self, everywhere: Everywhere | str) -> CalibratedCurve:
        """Makes the curve of the test points, with the residuals that the guarantee needs."""
        groups, rule = self._groups, self.method.quantile_rule
        promises, calibration = self.method.promises(self.guarantee), self.parts[0].calibration
        if self.guarantee == "simultaneous":
            runs = runs_of_logits(calibration.logits, calibration.positive)
            return RecalibratedCurve(self._observed(), groups, rule, *promises, runs=runs)
        if isinstance(everywhere, Everywhere) and self.guarantee == "everywhere":
            return EverywhereCurve(self._observed(), groups, rule, *promises, everywhere=everywhere)
        if self.guarantee == "curve":
            return CalibratedCurve(
                self._observed(), self._curve_groups, rule, *promises, individual=groups
            )
        every = None
        if self.method.neighbors is not None:
            every = by_label(
                lambda k: np.sort(np.concatenate([part.residuals_of(k) for part in self.parts]))
            )
        return CalibratedCurve(self._observed(), groups, rule, *promises, neighbourhoods_of=every)

    def _observed(self) -> ObservedCurve:
        """Makes the observed curve. Each test point has the score of its split's classifier."""
        scores, logits, centres = (np.empty(self.labels.size) for _ in range(3))
        for part in self.parts:
            test, rows = part.test, part.test.rows
            scores[rows] = test.probabilities[:, part.column]
            logits[rows] = test.logits[:, part.column]
            centres[rows] = test.centres[:, part.column]
            if self.method.recenter:
                logits[rows] += part.median_residual()
                scores[rows] = expit(logits[rows])
        method = self.method
        moved = method.recenter or method.is_printed_centre or method.has_other_centre
        return ObservedCurve.of(
            *(scores, self.labels, self.weights, logits),
            centres=centres if moved else None,
            people=self.people,
        )

    @cached_property
    def _groups(self) -> tuple[Residuals, Residuals]:
        """Returns the residuals for the test points of label 0, and of label 1."""
        if len(self.parts) > 1 or self.method.neighbors is not None:
            return by_label(self._local_groups)
        (part,) = self.parts
        own = self.rows.test_weights(part.test.points.raw, self.labels)
        residuals, positive = part.calibration.residuals, part.calibration.positive
        return residuals_by_label(self.rows, residuals, positive, own)

    def _local_groups(self, k: int) -> GroupedResiduals:
        """Returns the residuals of label `k`, in a group for each split or each neighbourhood."""
        place = np.cumsum(self.labels == k) - 1
        group = np.empty(int((self.labels == k).sum()), dtype=np.intp)
        ragged: list[Ragged] = []
        before = 0
        for part in self.parts:
            rows = part.test.rows
            of_label = self.labels[rows] == k
            local = part.groups_of(k, of_label)
            n_groups = local.starts.size - 1
            number = 0 if part.near is None else np.arange(n_groups)
            group[place[rows[of_label]]] = before + number
            ragged.append(local)
            before += n_groups
        return GroupedResiduals.of(Ragged.joined(ragged), group)

    @cached_property
    def _curve_groups(self) -> tuple[GroupedResiduals, GroupedResiduals]:
        """Returns the residuals of both labels for ``guarantee="curve"``. See `curve_residuals`."""
        (part,), sizes = self.parts, np.bincount(self.labels, minlength=2).tolist()
        every = part.test.split.reference.curve_draws(part.column)

        def of_label(k: int) -> GroupedResiduals:
            rows = part.calibration.positive == k
            logits = part.calibration.logits[rows]
            lists = [curve_residuals(draws[rows], logits, sizes[k]) for draws in every]
            return GroupedResiduals.pooled(reduce(outer_residuals, lists))

        return by_label(of_label)

    def _everywhere(self) -> Everywhere:
        """Returns what limits at every threshold at once need."""
        (part,) = self.parts
        fewer = min(part.residuals_of(k).size for k in (0, 1))
        remark = self.method.reference.everywhere_remark(fewer)
        return Everywhere(part.deferred(_enclosing_residuals), remark)

    def _ideal(self) -> Callable[[], LabelledDraws] | str:
        """Returns a function that draws ``logit pi`` from its posterior, or why there is none."""
        reference = self.parts[0].test.split.reference
        if reference.no_ideal_curve:
            return reference.no_ideal_curve
        if not self.rows.plain or self.rows.within is not None:
            return "with weights, groups or populations its draws have no theory"
        if len(self.parts) > 1 or self.method.neighbors is not None:
            return (
                "with neighbors or resplits there is no one law that labelled and test points share"
            )
        return self.parts[0].deferred(_labelled_draws)

    def _classifier(self, n_classes: int) -> Any:
        """Returns the fitted classifier of all scores, or why there is no single one."""
        if n_classes > 2:
            return f"its classifier has {n_classes} classes, expected two"
        return self._no_single_classifier or self.parts[0].test.split.estimator

    @property
    def _no_single_classifier(self) -> str:
        """Why no single classifier gave all scores. Empty if one did."""
        if len(self.parts) > 1:
            return f"{len(self.parts)} splits have a classifier each, expected resplits=1"
        if self.method.recenter:
            return "recenter=True has moved the classifier's scores, expected them as they are"
        return ""

    def _scored(self, support: SupportPart) -> Callable[[Any], Scored] | str:
        """Returns a function that scores other rows, or why no single classifier can."""
        if self._no_single_classifier:
            return self._no_single_classifier
        split, column = self.parts[0].test.split, self.parts[0].column
        table = self.method.columns, self.method.encode_test
        return partial(_scored_rows, split, table, column, support)

    def _seen_rows(self) -> list[Note]:
        """Returns notes on test or calibration rows that also trained the classifier."""
        seen, every = np.zeros((2, 2), dtype=int)
        for part in self.parts:
            split = part.test.split
            if split.trained_on is None:
                continue
            calibrating = part.calibration.points[: 0 if split.crossed else None]
            tables = part.test.points.array, calibrating
            seen += split.trained_on.among(*tables)
            every += [len(table) for table in tables]
        found = zip(("test", "calibration"), seen.tolist(), every.tolist(), strict=True)
        return [seen_rows(kind, some, n) for kind, some, n in found if some]

    def _always(self) -> list[Note]:
        """Returns notes on the classifier and the test rows, which apply to any kind of limits."""
        own_notes = [each for each in (self.method.retrained, self.remark) if each]
        if self.rows.people is not None and self.people is None:
            own_notes.append(nobody_in_test("groups"))
        return [*own_notes, *margins(self.parts[0].test.split.estimator), *self._seen_rows()]

    def _remarks(self) -> list[Note]:
        """Returns notes on the splits, the calibration rows and the reference."""
        method, parts, first = self.method, self.parts, self.parts[0].test.split
        sizes = [part.calibration.positive.size for part in parts]
        remarks = [self._curve_remark()] if self.guarantee == "curve" else []
        remarks += [method.choice] if method.choice else []
        if method.has_other_centre:
            remarks.append(OTHER_CENTRE)
        if any(p.calibration.points.shape[1] > p.test.points.array.shape[1] for p in parts):
            remarks.append(GAPS_IN_TEST)
        remarks += clipped_scores(sum(part.calibration.clipped for part in parts), sum(sizes))
        if clipped := sum(part.calibration.unsure for part in parts):
            remarks.append(
                Note(
                    f"The reference is exactly 0 or 1 at {counted(clipped, 'calibration point')};",
                    "there its logit lies beyond all others.",
                )
            )
        if remark := first.reference.remark(first.estimator):
            remarks.append(remark)
        if method.neighbors is not None and method.reference.local_caution:
            remarks.append(method.reference.local_caution)
        if method.neighbors is not None and method.neighbors > min(sizes):
            remarks.append(
                Note(
                    f"{method.neighbors:,} neighbours are asked for, but the calibration set has "
                    f"{counted(min(sizes), 'point')}:",
                    "every one of them is taken.",
                )
            )
        if not self.rows.plain:
            remarks += self.rows.remarks(parts[0].calibration.positive.astype(np.intp))
        return remarks

    def _curve_remark(self) -> Note:
        """Returns a note: limits for ``guarantee="curve"`` contain fewer individual residuals."""
        inside = [
            1
            - individual_level(
                own.residuals,
                *conformal_quantiles(group.residuals, 0.05, self.method.quantile_rule),
            )
            for own, group in zip(self._groups, self._curve_groups, strict=True)
        ]
        return Note(
            "The band is for the curve at a random threshold, not for single points:",
            AboutLabels(
                f"at alpha = 0.05 its limits hold {100 * inside[0]:.0f} % of the individual "
                f"residuals of {LABEL[0]} and {100 * inside[1]:.0f} % of those of {LABEL[1]}."
            ),
        )


# An evaluation keeps the following functions for later calls. As methods they would also keep the
# object with the test set in memory.


def _scored_rows(
    split: CalibratedSplit, table: tuple[Any, Any], column: int, support: SupportPart, X: Any
) -> Scored:
    points = Points.of(X, "X_or_scores", *table)
    points = points if split.encoder is None else points.encoded(split.encoder)
    scored = class_scores(split.estimator, points, split.reference.calibration.classes)
    probabilities, logits = (each[:, column].copy() for each in scored)
    test = points.array if support.kernel is split.kernel else logits[:, None]
    return Scored(probabilities, logits, replace(support, test=test, rows=slice(None)))


def _labelled_draws(reference: Reference, calibration: OneVsRest, column: int) -> LabelledDraws:
    draws, calibrating = reference.ideal_draws(column)
    at_calibration = draws[: calibrating.size]
    return LabelledDraws(draws, at_calibration, calibration.logits[calibrating], LEARNABLE)


def _enclosing_residuals(
    reference: Reference, calibration: OneVsRest, column: int
) -> tuple[Floats, Floats]:
    """Returns ascending residuals of both labels, for limits at every threshold at once.

    If the reference is a single estimate, each calibration point has one residual. If it has
    posterior draws, the residuals are evenly spaced quantiles over points and draws. If it has
    several sets of draws, the smallest of the sets' quantiles is used at each rank of the lower
    half, and the largest in the upper half.
    """
    every = reference.everywhere_draws(column)

    def of_label(k: int) -> Floats:
        rows = calibration.positive == k
        logits = calibration.centres[rows, None]
        lists = [evenly_spaced(draws[rows] - logits, logits.size) for draws in every]
        return np.sort(reduce(outer_residuals, lists))

    return by_label(of_label)
