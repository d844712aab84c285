"""Evaluations of test points by a calibration: each point has the residuals of its split."""

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
from .notes import GAPS_IN_TEST, OTHER_CENTRE, clipped_scores, margins, seen_rows
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
#: A population is calibrated by its own points alone; for those there is no such guarantee.
NOT_BY_POPULATION = "guarantee: 'everywhere' is for all test points together, not by population"


def refuse_one_side(positive: NDArray[np.bool_], label: Any) -> None:
    """Refuses test rows that are all of one class, or all of the others."""
    if positive.all() or not positive.any():
        found = "only" if positive.all() else "no"
        raise ValueError(f"y_test: found {found} {label!r:.40}, expected rows of it and of others")


class ScoredTest(NamedTuple):
    """Test points that are dealt to one split, scored by its classifier.

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
    def of(cls, split: CalibratedSplit, rows: Ints, points: Points, method: Method) -> ScoredTest:
        """The test points in some rows, scored by the classifier of a split."""
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
    """Finds the calibration points near the targets (m, d), `n` of them."""

    finder: Finder
    targets: Floats
    n: int


class _Part(NamedTuple):
    """Test points with the split that they are dealt to, for one class against the rest."""

    test: ScoredTest
    column: int
    calibration: OneVsRest
    near: _Neighbours | None

    @classmethod
    def of(cls, test: ScoredTest, column: int, method: Method) -> _Part:
        """The part for one class, with a finder of neighbours if there are neighbourhoods."""
        split, calibration = test.split, test.split.reference.one_vs_rest(column)
        if method.neighbors is None:
            return cls(test, column, calibration, None)
        centre = np.empty(0) if split.kernel is None else split.kernel.centre
        place = (method.distance, centre, split.spread)
        find = finder(method.distance, coordinates(*place, calibration.points, calibration.logits))
        targets = coordinates(*place, test.points.array, test.logits[:, column])
        return cls(test, column, calibration, _Neighbours(find, targets, method.neighbors))

    def residuals_of(self, k: int) -> Floats:
        """Residuals of label `k`."""
        residuals: Floats = self.calibration.residuals[self.calibration.positive == k]
        return residuals

    def median_residual(self) -> Floats | float:
        """The median residual over both labels, which recentring adds to the scores."""
        if self.near is None:
            return float(np.median(self.calibration.residuals))
        return local_medians(*self.near, self.calibration.residuals)

    def groups_of(self, k: int, of_label: NDArray[np.bool_]) -> Ragged:
        """Residuals of label `k`: all in one group, or those near each test point of the label."""
        if self.near is None:
            return Ragged.single(self.residuals_of(k))
        residuals, wanted = self.calibration.residuals, self.calibration.positive == k
        finder, targets, n = self.near
        return local_residuals(finder, targets[of_label], n, residuals, wanted)

    def support(self) -> SupportPart:
        """Points for the diagnostics.

        Those of the feature kernel or, if features are no numbers, of a kernel on the score.
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
        """A function that applies `make` to this class's calibration once it is called."""
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
    """Evaluations of test points, each of one class against the rest.

    `labels` are those of the points by the number of the class, `sample_weight` their weights, and
    `people` whom they belong to. `stands_for` says whom the calibration rows of a population stand
    for; by default those of the fit. `remark` is a note to begin with. The guarantee that is
    `asked` for is by default the individual one; a widget may then open on another.
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


#: The note where calibration rows weigh by their label.
BY_LABEL = Note(
    "Calibration rows weigh by their label, and the reference takes no weights:",
    "limits for an ideal model promise nothing.",
    "From scores alone, as in from_predictions, they are moved to the law of the weighted rows.",
)


@dataclass(frozen=True, eq=False)
class _OneVsRest:
    """Test points of one class against the rest, with splits and the guarantee asked for.

    `rows` says how the calibration rows count.
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
        """The evaluation, from its curve, diagnostics and sources."""
        column = self.parts[0].column
        rest = classes[1 - column] if len(classes) == 2 else f"not {classes[column]}"
        everywhere = no_everywhere or self._everywhere()
        diagnostics = Diagnostics(
            parts=tuple(part.support() for part in self.parts),
            always=tuple(self._always()),
            remarks=tuple(self._remarks()),
            # If "auto" chose the reference, its own note says why not another.
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
        """The test points with the residuals that their guarantee takes."""
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
        """The test points with the scores that their splits give them."""
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
        """Residuals by label, for the test points of that label."""
        if len(self.parts) > 1 or self.method.neighbors is not None:
            return by_label(self._local_groups)
        (part,) = self.parts
        own = self.rows.test_weights(part.test.points.raw, self.labels)
        residuals, positive = part.calibration.residuals, part.calibration.positive
        return residuals_by_label(self.rows, residuals, positive, own)

    def _local_groups(self, k: int) -> GroupedResiduals:
        """Residuals of label `k`, a group for each split or neighbourhood."""
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
        """Residuals of both labels that are calibrated for the curve; see `curve_residuals`."""
        (part,), sizes = self.parts, np.bincount(self.labels, minlength=2).tolist()
        every = part.test.split.reference.curve_draws(part.column)

        def of_label(k: int) -> GroupedResiduals:
            rows = part.calibration.positive == k
            logits = part.calibration.logits[rows]
            lists = [curve_residuals(draws[rows], logits, sizes[k]) for draws in every]
            return GroupedResiduals.pooled(reduce(outer_residuals, lists))

        return by_label(of_label)

    def _everywhere(self) -> Everywhere:
        """The numbers behind limits at every threshold at once."""
        (part,) = self.parts
        fewer = min(part.residuals_of(k).size for k in (0, 1))
        remark = self.method.reference.everywhere_remark(fewer)
        return Everywhere(part.deferred(_enclosing_residuals), remark)

    def _ideal(self) -> Callable[[], LabelledDraws] | str:
        """A function that gives posterior draws; or a text on why there are none."""
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
        """Fitted classifier that gave the scores, or why no single one did."""
        if n_classes > 2:
            return f"its classifier has {n_classes} classes, expected two"
        if len(self.parts) > 1:
            return f"{len(self.parts)} splits have a classifier each, expected resplits=1"
        if self.method.recenter:
            return "recenter=True has moved the classifier's scores, expected them as they are"
        return self.parts[0].test.split.estimator

    def _scored(self, support: SupportPart) -> Callable[[Any], Scored] | str:
        """The classifier that scores other rows, or why no single one does."""
        if len(self.parts) > 1:
            return f"{len(self.parts)} splits have a classifier each, expected resplits=1"
        if self.method.recenter:
            return "recenter=True has moved the classifier's scores, expected them as they are"
        split, column = self.parts[0].test.split, self.parts[0].column
        table = self.method.columns, self.method.encode_test
        return partial(_scored_rows, split, table, column, support)

    def _seen_rows(self) -> list[Note]:
        """Sentences on test or calibration rows that also trained the classifier."""
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
        """Sentences on the classifier and the test rows, whatever makes the limits."""
        own_notes = [each for each in (self.method.retrained, self.remark) if each]
        return [*own_notes, *margins(self.parts[0].test.split.estimator), *self._seen_rows()]

    def _remarks(self) -> list[Note]:
        """Sentences on the splits and the calibration rows that the evaluation passes on."""
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
                    f"{min(sizes):,} points:",
                    "every one of them is taken.",
                )
            )
        if not self.rows.plain:
            remarks += self.rows.remarks(parts[0].calibration.positive.astype(np.intp))
        return remarks

    def _curve_remark(self) -> Note:
        """A sentence: how many individual residuals are in the limits of a band for the curve."""
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


# Functions that an evaluation calls later. They keep no test table in memory.


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
    """Ascending residuals of both labels for limits at every threshold at once.

    A reference that is one estimate has one residual a point. With draws, residuals are quantiles
    over points and draws; with several sets of draws the outermost quantiles, rank by rank.
    """
    every = reference.everywhere_draws(column)

    def of_label(k: int) -> Floats:
        rows = calibration.positive == k
        logits = calibration.centres[rows, None]
        lists = [evenly_spaced(draws[rows] - logits, logits.size) for draws in every]
        return np.sort(reduce(outer_residuals, lists))

    return by_label(of_label)
