"""Test points with their residuals: what an evaluation is, and everything at one alpha."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Self, cast
from weakref import WeakKeyDictionary, ref

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats, Ints, exactly
from conformal_roc_widget.calibration.followed.known import FollowUp
from conformal_roc_widget.checks import number, one_of
from conformal_roc_widget.choices import GuaranteeName
from conformal_roc_widget.names import Leads, LeadsFromClass
from conformal_roc_widget.promise import Promise
from conformal_roc_widget.text import Note

from .at_alpha import AtAlpha, CalibratedCurve
from .credible import CredibleCurve
from .everywhere import Everywhere, EverywhereCurve
from .expected_curve import ExpectedCurve, needs_labels
from .from_scores import NO_EVERYWHERE
from .ideal_curve import FROM_SCORES_ALONE, LabelledDraws
from .notes import (
    below_chance,
    far_points,
    poor_support,
    rows_of_people,
    summarized_table,
    unlike_risks,
)
from .observed_curve import ObservedCurve
from .recalibrated import RecalibratedCurve
from .support import Diagnostics, Support, SupportPart

#: Guarantees that an evaluation can be switched between.
SWITCHED: tuple[GuaranteeName, ...] = ("individual", "everywhere", "credible")
#: Evaluations under another guarantee -> the evaluation that they were made from. References are
#: weak, since the two would keep each other alive, with all their points.
_ORIGINS: WeakKeyDictionary[Evaluated, ref[Any]] = WeakKeyDictionary()


#: Why an evaluation has no classifier, if scores came alone.
FROM_SCORES = "it was made from scores alone"


class Scored(NamedTuple):
    """Rows that a fitted classifier has scored, and where they lie, if that is known."""

    scores: Floats
    logits: Floats
    support: SupportPart | None


class Sources(NamedTuple):
    """Functions for what is computed on first use, or texts on why there is none.

    `ideal` gives posterior draws, `everywhere` residuals for limits at every threshold at once;
    `classifier` is the fitted one whose probabilities the scores are. `crossable` tells that
    ``calibration="cross"`` would give twice the residuals.
    """

    ideal: Callable[[], LabelledDraws] | str = FROM_SCORES_ALONE
    everywhere: Everywhere | str = NO_EVERYWHERE
    classifier: Any = FROM_SCORES
    crossable: bool = False
    #: Whether `RocEvaluation.from_residuals` can rebuild it from the numbers in a page.
    remade: bool = False
    #: Whether the scores are squeezed margins and no probabilities.
    margins: bool = False
    #: Whether somebody chose the guarantee; if not, a widget chooses the one it opens with.
    is_chosen: bool = True
    #: The same test points with limits for the best recalibration, if they came from four arrays.
    recalibrated: RecalibratedCurve | None = None
    #: Scores, logits and support of other rows from their features, or why nothing gives them;
    #: None if scores came alone.
    scored: Callable[[Any], Scored] | str | None = None


class Said(NamedTuple):
    """The words of an evaluation that no alpha changes; see its properties of these names."""

    promise: Promise
    vacuous_below: Mapping[int, float]
    notes: tuple[Note, ...]


@dataclass(frozen=True, eq=False)
class Evaluated(Leads, metaclass=LeadsFromClass):
    """The parts of a `RocEvaluation`, and its words."""

    classes: tuple[Any, Any]
    #: The evaluation of test points and residuals, of the class that the guarantee asks for.
    _curve: CalibratedCurve
    _diagnostics: Diagnostics
    _sources: Sources

    @property
    def _observed(self) -> ObservedCurve:
        return self._curve.observed

    @property
    def scores(self) -> Floats:
        """Scores in the order of the test set."""
        return self._observed.scores

    @property
    def labels(self) -> NDArray[np.int8]:
        """1 for the positive class, 0 for the other."""
        return self._observed.labels

    @property
    def score_kind(self) -> str:
        """``"probability"``, or ``"score"`` where some are outside [0, 1].

        These have an order alone. Thresholds are in the score's own unit, and what needs risks is
        refused.
        """
        return "score" if self._observed.any_size else "probability"

    def threshold_of(self, threshold: Any = None) -> float:
        """A threshold of these scores; by default 0.5, or the middle one of those of any size.

        No label decides which score is in the middle.
        """
        if self._observed.any_size:
            if threshold is None:
                return float(np.quantile(self._observed.scores, 0.5, method="inverted_cdf"))
            return float(number(threshold, "threshold", "a finite number", math.isfinite))
        if threshold is None:
            return 0.5
        in_unit = "a number from 0 to 1"
        return float(number(threshold, "threshold", in_unit, lambda each: 0 <= each <= 1))

    def _refuse_no_risks(self, what: str) -> None:
        """Refuses what reads scores as risks, if they are none."""
        if self._observed.any_size:
            low, high = self.scores.min(), self.scores.max()
            raise ValueError(
                f"{what}: found scores from {exactly(low)} to {exactly(high)}, expected "
                "probabilities in [0, 1]: it reads scores as risks, and these have an order "
                "alone. A classifier that is trained on them (LogisticRegression) gives "
                "probabilities"
            )

    def _refuse_unlabelled(self, what: str) -> None:
        """Refuses what is computed from labels, if rows have none."""
        if isinstance(self._observed, ExpectedCurve):
            raise ValueError(needs_labels(what))

    @property
    def counts(self) -> Ints | None:
        """How many test points, or units of their weights, each score stands for; or None."""
        return self._observed.counts

    @property
    def sample_weight(self) -> Floats | None:
        """Weights of the test points (n_test,); None if all are equal."""
        return self._observed.weights

    @property
    def groups(self) -> Ints | None:
        """Codes of the people of the test points (n_test,); None if nobody has two."""
        return self._observed.people

    @property
    def has_single_points(self) -> bool:
        """Whether test points are known one by one with a label; those of a table are not."""
        return self._observed.summary is None and not isinstance(self._observed, ExpectedCurve)

    @property
    def horizon(self) -> float | None:
        """Time by which an event counts; None if outcomes have no time."""
        return None if self.follow_up is None else self.follow_up.horizon

    @property
    def follow_up(self) -> FollowUp | None:
        """Outcomes of all test rows and their horizon; None if outcomes have no time."""
        return self._observed.follow_up

    @property
    def unknown(self) -> NDArray[np.bool_]:
        """Rows (n_test,) of the test set that were lost from sight before the horizon.

        `scores`, `labels` and `sample_weight` have the others alone.
        """
        follow_up = self._observed.follow_up
        if follow_up is None:
            return np.zeros(self.labels.size, dtype=bool)
        return follow_up.unknown

    @property
    def dependence(self) -> str:
        """Why test rows do not count as independent ones, for errors; else empty."""
        return self._observed.dependence

    @property
    def residuals(self) -> Mapping[int, Floats]:
        """Label -> calibration residuals behind the band, ascending."""
        return self._curve.residuals

    @property
    def quantile_rule(self) -> str:
        """The rule that picks the pair of order statistics."""
        return self._curve.rule

    @property
    def promise(self) -> Promise:
        """Promise of the band at any alpha."""
        return self._curve.promise

    @property
    def guarantee(self) -> GuaranteeName:
        """The guarantee that the limits are calibrated for."""
        # If limits are centred on the reference, they promise nothing.
        kind = self.promise.kind
        return "individual" if kind == "none" else cast("GuaranteeName", kind)

    @property
    def error(self) -> float:
        """Largest error of a rate or limit because test points are binned.

        0 if every test point is known. After `from_table`, the largest share of a label's points
        that may lie on the wrong side of a threshold; of an area, at most twice that.
        """
        summary = self._observed.summary
        return 0.0 if summary is None else summary.error

    @property
    def n_calibration(self) -> dict[int, int]:
        """Label -> number of calibration residuals.

        If there are several splits, the smallest number.
        """
        return self._curve.n_calibration

    @property
    def makes_its_limits(self) -> bool:
        """Whether the test rows make the limits, without calibration rows of their own."""
        return isinstance(self._curve, RecalibratedCurve) and self._curve.own

    @property
    def n_test(self) -> dict[int, int]:
        """Label -> number of test points, whatever they weigh."""
        return dict(enumerate(self._observed.rows))

    @property
    def masses(self) -> dict[int, int]:
        """Label -> what rates are shares of: test points, or units of their weights."""
        return dict(enumerate(self._observed.sizes))

    @property
    def vacuous_below(self) -> dict[int, float]:
        """Label -> alpha below which none of its test points has a limit."""
        return self._curve.vacuous_below

    @property
    def said(self) -> Said:
        """The words that no alpha changes; notes are about labels 0 and 1."""
        return Said(self._curve.promise, self._curve.vacuous_below, self.lasting_notes)

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """Plain sentences to read: strings, each with its `fact`, `reason` and `remedy`."""
        is_expected = isinstance(self._observed, ExpectedCurve)
        notes = (*(() if is_expected else self._curve.notes), *self.lasting_notes)
        if self.classes == (0, 1):
            return notes
        return tuple(note.of_classes(self.classes) for note in notes)

    @property
    def lasting_notes(self) -> tuple[Note, ...]:
        """The `notes` that hold at every alpha, about labels 0 and 1.

        A band itself says where it is vacuous.
        """
        observed, diagnostics = self._observed, self._diagnostics
        summary = observed.summary
        table = () if summary is None else (summarized_table(sum(summary.n), summary.error),)
        against_rest = self.classes[0] == f"not {self.classes[1]}"
        if self.groups is not None:
            table = (rows_of_people(self.groups.size, np.unique(self.groups).size),)
        backwards = below_chance(self._observed.auc, against_rest, self.horizon is not None)
        table = (*backwards, *self._risk_notes, *table)
        remark = self._curve.remark
        own = (remark,) if remark else ()
        if isinstance(observed, ExpectedCurve):
            far = far_points(*diagnostics.display_support)
            return (*self._curve.notes, *diagnostics.always, *backwards, *far)
        if isinstance(self._curve, RecalibratedCurve):  # no reference is involved
            return (*own, *diagnostics.always, *table)
        support = poor_support(*diagnostics.display_support, diagnostics.noise_advice)
        return (
            *own,
            *diagnostics.always,
            *diagnostics.remarks,
            *table,
            *support,
            *diagnostics.last_remarks,
        )

    @property
    def _risk_notes(self) -> list[Note]:
        """At most one sentence: that scores without features do not look like risks."""
        observed = self._observed
        if observed.any_size or self._sources.classifier != FROM_SCORES:
            return []
        zeros, ones = observed.sizes
        with np.errstate(under="ignore"):
            mean = float(np.average(observed.scores, weights=observed.counts))
        return unlike_risks(mean, ones / (zeros + ones), sum(observed.rows))

    @property
    def no_everywhere(self) -> str:
        """Why there is no ``guarantee="everywhere"``, as an error says it; empty if there is."""
        everywhere = self._sources.everywhere
        return everywhere if isinstance(everywhere, str) else ""

    @property
    def no_ideal_curve(self) -> str:
        """Why there is no band for the ideal model's curve; empty if there is one."""
        if isinstance(self._sources.ideal, str):
            return self._sources.ideal
        if dependence := self._observed.dependence:
            return f"found {dependence}, expected none: its draws count independent rows"
        return ""

    def with_guarantee(self, guarantee: GuaranteeName) -> Self:
        """The same evaluation under another guarantee; nothing is fitted anew.

        Parameters
        ----------
        guarantee : {"individual", "everywhere", "credible"}
            For one threshold drawn at random; for every threshold at once; or, by candidates from
            posterior draws, on average for one threshold, if the truth can be learned.

        Returns
        -------
        RocEvaluation
            Itself where it has that guarantee already, and somebody chose it.

        Raises
        ------
        TypeError, ValueError
            If it is none of these, or the evaluation cannot give it.
        """
        if guarantee == self.guarantee:
            return self._as_chosen
        if guarantee == "simultaneous" and self._sources.recalibrated is not None:
            sources = self._sources._replace(is_chosen=True)
            return replace(self, _curve=self._sources.recalibrated, _sources=sources)
        one_of(guarantee, "guarantee", SWITCHED)
        if guarantee in self._others:
            return self._others[guarantee]
        origin: Self | None = _ORIGINS[self]() if self in _ORIGINS else None
        if origin is not None:
            return origin.with_guarantee(guarantee)
        curve = self._curve_under(guarantee)
        other = replace(self, _curve=curve, _sources=self._sources._replace(is_chosen=True))
        self._others[guarantee] = other
        _ORIGINS[other] = ref(self)
        return other

    def _curve_under(self, guarantee: str) -> CalibratedCurve:
        """The curve with the limits of another guarantee."""
        ideal, everywhere = self._sources.ideal, self._sources.everywhere
        if guarantee != "credible" and isinstance(everywhere, str):
            raise ValueError(everywhere)
        if guarantee == "credible" and self.no_ideal_curve:
            raise ValueError(
                "guarantee: found 'credible' for what has no draws of the truth, expected another: "
                f"{self.no_ideal_curve}"
            )
        if self.guarantee not in SWITCHED:
            raise ValueError(
                f"guarantee: found {guarantee!r} for limits made for {self.guarantee!r}, expected "
                "to be asked of ConformalROC.evaluate"
            )
        own = self._curve.individually()
        if guarantee == "credible":
            assert not isinstance(ideal, str)
            return CredibleCurve.of(own, ideal)
        if guarantee == "individual":
            return own
        assert not isinstance(everywhere, str)
        return everywhere.curve(own)

    @property
    def is_recalibrable(self) -> bool:
        """Whether `with_guarantee` gives ``"simultaneous"``, as for four arrays."""
        return self._sources.recalibrated is not None

    @property
    def is_chosen(self) -> bool:
        """Whether somebody chose the guarantee; if nobody did, a widget may open on another."""
        return self._sources.is_chosen

    @cached_property
    def _as_chosen(self) -> Self:
        """The same evaluation, whose guarantee somebody has chosen."""
        if self.is_chosen:
            return self
        return replace(self, _sources=self._sources._replace(is_chosen=True))

    @cached_property
    def _others(self) -> dict[str, Self]:
        """Guarantee -> the same evaluation under it, for those that were made from this one."""
        return {}

    @property
    def other_promises(self) -> tuple[Self, ...]:
        """The evaluation under each other promise that a page offers."""
        if self.guarantee not in SWITCHED:
            return ()
        absent = {"everywhere": self.no_everywhere, "credible": self.no_ideal_curve}
        return tuple(
            self.with_guarantee(name)
            for name in SWITCHED
            if name != self.guarantee and not absent.get(name)
        )

    @cached_property
    def envelope(self) -> EverywhereCurve | None:
        """Parts of the limits at every threshold at once; None if there are none."""
        if self.guarantee not in SWITCHED or self.no_everywhere:
            return None
        curve = self.with_guarantee("everywhere")._curve
        assert isinstance(curve, EverywhereCurve)
        return curve

    @property
    def support(self) -> Support:
        """Diagnostics of assumptions (A3) and (A4), computed on first use.

        After `from_table`, over test scores at evenly spaced ranks instead of all.
        """
        return self._diagnostics.support

    def at(self, alpha: float) -> AtAlpha:
        """Everything at one significance level: limits, areas and intervals that share their parts.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        AtAlpha
            The same object as before where alpha is that of the last call.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1).
        """
        # The latest result is kept here and not by the curve, which would then be part of a
        # reference cycle.
        latest: AtAlpha | None = self.__dict__.get("_latest")
        if latest is None or not latest.is_at(alpha):
            latest = self.__dict__["_latest"] = self._curve.at(alpha)
        return latest

    def __repr__(self) -> str:
        """Short text that does not change between runs."""
        if isinstance(self._observed, ExpectedCurve):
            n, share = sum(self.n_test.values()), self.masses[1] / sum(self.masses.values())
            return f"RocEvaluation({n:,} rows without labels, {share:.3g} expected positive)"
        sizes = ", ".join(
            f"{name!s}: {self.n_test[k]} point{'s' * (self.n_test[k] != 1)}"
            if self.makes_its_limits
            else f"{name!s}: {self.n_calibration[k]} calibration and {self.n_test[k]} test points"
            for k, name in enumerate(self.classes)
        )
        return f"RocEvaluation({sizes})"
