"""Declares the core of `RocEvaluation`: test points, calibration residuals and the guarantee.

A residual is ``logit pi~ - logit p`` of a calibration point. The reference ``pi~`` is the estimate
of its true probability, and p is the classifier's score.
"""

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
from conformal_roc_widget.text import Note, counted

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

#: `Evaluated.with_guarantee` can switch between these guarantees.
SWITCHED: tuple[GuaranteeName, ...] = ("individual", "everywhere", "credible")
#: Maps an evaluation made by `with_guarantee` to the evaluation that it was made from. The
#: references are weak, because strong references would keep both in memory, with all test points.
_ORIGINS: WeakKeyDictionary[Evaluated, ref[Any]] = WeakKeyDictionary()


#: The reason why an evaluation that was made from scores has no classifier.
FROM_SCORES = "it was made from scores alone"


class Scored(NamedTuple):
    """The scores of rows by a fitted classifier, their logits and, if known, their diagnostics."""

    scores: Floats
    logits: Floats
    support: SupportPart | None


class Sources(NamedTuple):
    """What an evaluation can compute besides its band. A text says why something is impossible."""

    #: A function that returns posterior draws of ``logit pi``, which make the ideal model's curve.
    #: If it is a text, there are none, and the text says why.
    ideal: Callable[[], LabelledDraws] | str = FROM_SCORES_ALONE
    #: Makes limits at every threshold at once. If it is a text, there are none, and the text says
    #: why.
    everywhere: Everywhere | str = NO_EVERYWHERE
    #: The fitted classifier whose probabilities are the scores.
    classifier: Any = FROM_SCORES
    #: Whether ``calibration="cross"`` would give twice as many residuals.
    crossable: bool = False
    #: Whether `RocEvaluation.from_residuals` made the evaluation.
    remade: bool = False
    #: Whether the scores are ``1 / (1 + exp(-margin))``, because the classifier has no
    #: probabilities.
    margins: bool = False
    #: Whether the user chose the guarantee. If not, a widget may show another one first.
    is_chosen: bool = True
    #: The same test points with limits for an ideal recalibration. None unless the limits come from
    #: labels and scores of separate calibration rows.
    recalibrated: RecalibratedCurve | None = None
    #: A function that scores other rows from their features, or a text that says why there is none.
    #: None if the evaluation was made from scores.
    scored: Callable[[Any], Scored] | str | None = None


@dataclass(frozen=True, eq=False)
class Evaluated(Leads, metaclass=LeadsFromClass):
    """The fields, the notes and the guarantee of `RocEvaluation`."""

    classes: tuple[Any, Any]
    #: The test points and residuals. Each guarantee has its own subclass of `CalibratedCurve`.
    _curve: CalibratedCurve
    _diagnostics: Diagnostics
    _sources: Sources

    @property
    def _observed(self) -> ObservedCurve:
        return self._curve.observed

    @property
    def scores(self) -> Floats:
        """The scores in the order of the test set."""
        return self._observed.scores

    @property
    def labels(self) -> NDArray[np.int8]:
        """1 for the positive class, 0 for the other."""
        return self._observed.labels

    @property
    def score_kind(self) -> str:
        """``"probability"`` or, if some scores are outside [0, 1], ``"score"``.

        If it is ``"score"``, only the order of scores matters. Thresholds are in the unit of the
        score, and methods that need risks raise an error.
        """
        return "score" if self._observed.any_size else "probability"

    def threshold_of(self, threshold: Any = None) -> float:
        """Returns `threshold` as a float, after checks. The default is 0.5.

        If some scores are outside [0, 1], the default is their median, which uses no labels.
        """
        if self._observed.any_size:
            if threshold is None:
                return float(np.quantile(self._observed.scores, 0.5, method="inverted_cdf"))
            return self._observed.cut(threshold, "a finite number", math.isfinite)
        if threshold is None:
            return 0.5
        in_unit = "a number from 0 to 1"
        return float(number(threshold, "threshold", in_unit, lambda each: 0 <= each <= 1))

    def _refuse_no_risks(self, what: str) -> None:
        """Raises if scores are not risks, which the method `what` needs."""
        if self._observed.any_size:
            low, high = self.scores.min(), self.scores.max()
            raise ValueError(
                f"{what}: found scores from {exactly(low)} to {exactly(high)}, expected "
                "probabilities in [0, 1]: it reads scores as risks, but only the order of "
                "these counts. For probabilities train a classifier on them "
                "(LogisticRegression)"
            )

    def _refuse_unlabelled(self, what: str) -> None:
        """Raises if rows have no labels, which the method `what` needs."""
        if isinstance(self._observed, ExpectedCurve):
            raise ValueError(needs_labels(what))

    @property
    def counts(self) -> Ints | None:
        """For each of `scores`, the number of test points (or units of weight) that it stands for.

        None if each stands for one test point.
        """
        return self._observed.counts

    @property
    def sample_weight(self) -> Floats | None:
        """The weights of the test points (n_test,). None if all are equal."""
        return self._observed.weights

    @property
    def groups(self) -> Ints | None:
        """The codes of the people of the test points (n_test,). None if nobody has two rows."""
        return self._observed.people

    @property
    def has_single_points(self) -> bool:
        """Whether each test point is known with its label, and not only counted in a table."""
        return self._observed.summary is None and not isinstance(self._observed, ExpectedCurve)

    @property
    def horizon(self) -> float | None:
        """The time by which an event must happen to count. None if outcomes have no time."""
        return None if self.follow_up is None else self.follow_up.horizon

    @property
    def follow_up(self) -> FollowUp | None:
        """The outcomes of all test rows, and their horizon. None if outcomes have no time."""
        return self._observed.follow_up

    @property
    def unknown(self) -> NDArray[np.bool_]:
        """Whether each test row (n_test,) was lost to follow-up before the horizon.

        `scores`, `labels` and `sample_weight` are only for the other rows.
        """
        follow_up = self._observed.follow_up
        if follow_up is None:
            return np.zeros(self.labels.size, dtype=bool)
        return follow_up.unknown

    @property
    def dependence(self) -> str:
        """Why test rows are not independent rows of equal weight, as words of an error, or ""."""
        return self._observed.dependence

    @property
    def residuals(self) -> Mapping[int, Floats]:
        """For each label, the ascending calibration residuals that make the band."""
        return self._curve.residuals

    @property
    def quantile_rule(self) -> str:
        """The rule ("paper" or "split") that takes two order statistics of the residuals."""
        return self._curve.rule

    @property
    def promise(self) -> Promise:
        """The guarantee of the band, with ``{confidence}`` in place of the number."""
        return self._curve.promise

    @property
    def guarantee(self) -> GuaranteeName:
        """The name of the guarantee of the limits, as in `ConformalROC.evaluate`."""
        # If limits have no guarantee, such as those that are centred on the reference, the answer
        # is "individual".
        kind = self.promise.kind
        return "individual" if kind == "none" else cast("GuaranteeName", kind)

    @property
    def error(self) -> float:
        """The largest error of a rate or limit, if test points are known only as counts in bins.

        If every test point is known, it is 0. After `from_table` it is the largest share of a
        label's points that may be on the wrong side of a threshold. The error of an area is at most
        twice as large.
        """
        summary = self._observed.summary
        return 0.0 if summary is None else summary.error

    @property
    def n_calibration(self) -> dict[int, int]:
        """For each label, its number of calibration residuals.

        If there are several splits, it is the smallest of their numbers.
        """
        return self._curve.n_calibration

    @property
    def makes_its_limits(self) -> bool:
        """Whether the limits come from the test rows themselves, without calibration rows."""
        return isinstance(self._curve, RecalibratedCurve) and self._curve.own

    @property
    def n_test(self) -> dict[int, int]:
        """For each label, its number of test points, whatever their weights."""
        return dict(enumerate(self._observed.rows))

    @property
    def masses(self) -> dict[int, int]:
        """For each label, the denominator of its rate: test points, or units of weight."""
        return dict(enumerate(self._observed.sizes))

    @property
    def vacuous_below(self) -> dict[int, float]:
        """For each label, the alpha below which none of its test points has a limit."""
        return self._curve.vacuous_below

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """Notes for the user: strings, each with its `fact`, `reason` and `remedy`."""
        is_expected = isinstance(self._observed, ExpectedCurve)
        notes = (*(() if is_expected else self._curve.notes), *self.lasting_notes)
        if self.classes == (0, 1):
            return notes
        return tuple(note.of_classes(self.classes) for note in notes)

    @property
    def lasting_notes(self) -> tuple[Note, ...]:
        """The `notes` except those on missing limits. They call the labels 0 and 1."""
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
        if isinstance(self._curve, RecalibratedCurve):  # these limits use no reference
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
        """If scores were given without features and do not look like risks, returns a note."""
        observed = self._observed
        if observed.any_size or self._sources.classifier != FROM_SCORES:
            return []
        zeros, ones = observed.sizes
        with np.errstate(under="ignore"):
            mean = float(np.average(observed.scores, weights=observed.counts))
        return unlike_risks(mean, ones / (zeros + ones), sum(observed.rows))

    @property
    def no_everywhere(self) -> str:
        """Why ``guarantee="everywhere"`` is impossible, as words of an error.

        Empty if it is possible.
        """
        everywhere = self._sources.everywhere
        return everywhere if isinstance(everywhere, str) else ""

    @property
    def no_ideal_curve(self) -> str:
        """Why there is no band for the ideal model's curve. Empty if there is one."""
        if isinstance(self._sources.ideal, str):
            return self._sources.ideal
        if dependence := self._observed.dependence:
            return f"found {dependence}, expected none: its draws count independent rows"
        return ""

    def with_guarantee(self, guarantee: GuaranteeName) -> Self:
        """Returns the evaluation under another guarantee. Nothing is fitted again.

        Parameters
        ----------
        guarantee : {"individual", "everywhere", "credible"}
            For one threshold drawn at random, for every threshold at once, or for one threshold on
            average. The last uses posterior draws, and assumes that the true probability can be
            learned from the features.

        Returns
        -------
        RocEvaluation
            The evaluation. If it has this guarantee already, and the user chose it, it is the same
            object.

        Raises
        ------
        TypeError, ValueError
            If the guarantee is not one of these, or is impossible for the evaluation.
        """
        present: tuple[GuaranteeName, ...] = (self.guarantee,)
        recalibrated = self._sources.recalibrated
        more = present if recalibrated is None else (*present, "simultaneous")
        one_of(guarantee, "guarantee", tuple(dict.fromkeys((*SWITCHED, *more))))
        if guarantee == self.guarantee:
            return self._as_chosen
        if guarantee == "simultaneous" and recalibrated is not None:
            sources = self._sources._replace(is_chosen=True)
            return replace(self, _curve=recalibrated, _sources=sources)
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
        """Returns the same test points and residuals with the limits of `guarantee`."""
        ideal, everywhere = self._sources.ideal, self._sources.everywhere
        if guarantee == "everywhere" and isinstance(everywhere, str):
            raise ValueError(everywhere)
        if guarantee == "credible" and self.no_ideal_curve:
            raise ValueError(
                "guarantee: found 'credible' without posterior draws, expected another guarantee: "
                f"{self.no_ideal_curve}"
            )
        if self.guarantee not in SWITCHED:
            raise ValueError(
                f"guarantee: found {guarantee!r} for limits made for {self.guarantee!r}, expected "
                "the same: pass another one to ConformalROC.evaluate"
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
        """Whether `with_guarantee` can return ``"simultaneous"``.

        It can if the limits come from labels and scores of separate calibration rows.
        """
        return self._sources.recalibrated is not None

    @property
    def is_chosen(self) -> bool:
        """Whether the user chose the guarantee. If not, a widget may show another one first."""
        return self._sources.is_chosen

    @cached_property
    def _as_chosen(self) -> Self:
        """Returns the evaluation, marked as one whose guarantee the user chose."""
        if self.is_chosen:
            return self
        return replace(self, _sources=self._sources._replace(is_chosen=True))

    @cached_property
    def _others(self) -> dict[str, Self]:
        """A cache of the evaluations that `with_guarantee` made from this one, by guarantee."""
        return {}

    @property
    def other_promises(self) -> tuple[Self, ...]:
        """The same evaluation under each other guarantee that it can have. The page offers them."""
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
        """The curve under ``guarantee="everywhere"``. None if that is impossible."""
        if self.guarantee not in SWITCHED or self.no_everywhere:
            return None
        curve = self.with_guarantee("everywhere")._curve
        assert isinstance(curve, EverywhereCurve)
        return curve

    @property
    def support(self) -> Support:
        """Diagnostics of the assumptions (A3) and (A4), computed on first use.

        After `from_table` they use the test scores at evenly spaced ranks instead of all.
        """
        return self._diagnostics.support

    def at(self, alpha: float) -> AtAlpha:
        """Returns all results at one significance level. They share their limits.

        Parameters
        ----------
        alpha : float
            Significance level in (0, 1).

        Returns
        -------
        AtAlpha
            The results. If `alpha` is that of the last call, it is the same object.

        Raises
        ------
        TypeError, ValueError
            If `alpha` is not a number in (0, 1).
        """
        # The latest result is kept here. If the curve kept it, curve and result would refer to each
        # other and stay in memory. The type of alpha is compared too, because a Fraction may select
        # other ranks than an equal float.
        latest: tuple[Any, AtAlpha] | None = self.__dict__.get("_latest")
        if latest is None or latest[0] != (type(alpha), alpha):
            latest = self.__dict__["_latest"] = (type(alpha), alpha), self._curve.at(alpha)
        return latest[1]

    def __repr__(self) -> str:
        """Returns a short text that does not change between runs."""
        if isinstance(self._observed, ExpectedCurve):
            n, share = sum(self.n_test.values()), self.masses[1] / sum(self.masses.values())
            return f"RocEvaluation({n:,} rows without labels, {share:.3g} expected positive)"
        sizes = ", ".join(
            f"{name!s}: {counted(self.n_test[k], 'point')}"
            if self.makes_its_limits
            else f"{name!s}: {self.n_calibration[k]} calibration and "
            f"{counted(self.n_test[k], 'test point')}"
            for k, name in enumerate(self.classes)
        )
        return f"RocEvaluation({sizes})"
