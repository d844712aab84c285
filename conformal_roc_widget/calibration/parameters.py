"""Checks the parameters of `ConformalROC`, and tells which guarantees are possible with them."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple, get_args

from conformal_roc_widget.calibration.followed.censoring import check_censoring
from conformal_roc_widget.calibration.references.reference import Reference
from conformal_roc_widget.checks import (
    check_text,
    first_refusal,
    number_of_jobs,
    one_of,
    whole_number,
    yes_or_no,
)
from conformal_roc_widget.choices import (
    BandwidthName,
    CalibrationName,
    CensoringName,
    CenterName,
    GuaranteeName,
    ReferenceName,
    ResplitsName,
    RuleName,
)
from conformal_roc_widget.promise import (
    CENTRED_ON_REFERENCE,
    EVERYWHERE,
    FOR_RECALIBRATION,
    IDEAL_MODEL,
    LIKE_NEIGHBOURS,
    LIKE_REFITS,
    ON_AVERAGE,
    RECALIBRATION,
    Guarantee,
    Phrase,
    Promise,
    for_points,
    for_rates,
    individual,
)
from conformal_roc_widget.tables.calibration_rows import CalibrationRows
from conformal_roc_widget.tables.points import Columns, Encode
from conformal_roc_widget.text import Note

from .centres import CLASSIFIER, KERNEL, LEARNED, check_center
from .quantiles import check_rule

GUARANTEES = get_args(GuaranteeName)

#: The parameters of `ConformalROC` that are still used after ``fit``.
OF_INTERVALS = (
    "encoder",
    "neighbors",
    "distance",
    "center",
    "recenter",
    "resplits",
    "quantile_rule",
)


@dataclass(eq=False, repr=False)
class Parameters:
    """The parameters of `ConformalROC`, as the user gave them. `ConformalROC` explains them."""

    estimator: Any
    _: KW_ONLY
    reference: ReferenceName | Any = "auto"
    encoder: Any = "auto"
    bandwidth: BandwidthName | Any = "silverman"
    calibration_size: float = 0.5
    calibration: CalibrationName = "split"
    neighbors: int | None = None
    distance: Any = "standardized"
    center: CenterName | Any = "classifier"
    recenter: bool = False
    resplits: int | ResplitsName = 1
    quantile_rule: RuleName = "paper"
    random_state: Any = None
    n_jobs: int | None = None
    progress: bool = True
    horizons: Any = None
    censoring: CensoringName | Any = "marginal"
    time_unit: str = ""
    pos_label: Any = None


def check_unused(given: Parameters) -> None:
    """Raises for invalid values of parameters that a fit may not use. The fit checks all others."""
    number_of_jobs(given.n_jobs)
    yes_or_no(given.progress, "progress")
    check_censoring(given.censoring)
    check_text(given.time_unit, "time_unit")


def of_intervals(given: Parameters) -> dict[str, Any]:
    """Returns the names and values of the parameters that are still used after the fit."""
    return {name: getattr(given, name) for name in OF_INTERVALS}


def looks_at_features(neighbors: int | None, distance: Any) -> bool:
    """Whether the residuals that a test point gets depend on distances between features.

    They do in neighbourhoods, unless the distance is between scores.
    """
    return neighbors is not None and not (isinstance(distance, str) and distance == "score")


class Method(NamedTuple):
    """How intervals are made: those parameters of `ConformalROC` that are used after ``fit``."""

    reference: Reference
    #: The columns of the table that ``fit`` was given.
    columns: Columns
    encoder: Any
    neighbors: int | None
    distance: Any
    center: Any
    recenter: bool
    resplits: int | ResplitsName
    quantile_rule: RuleName
    #: A note on why ``"auto"`` chose this reference. None if the user chose the reference, or if
    #: the choice needs no note.
    choice: Note | None = None
    #: Whether calibration is ``"cross"``: each residual comes from a classifier that was trained
    #: without its row.
    crossed: bool = False
    #: Whether the user could choose ``calibration="cross"``, but did not.
    crossable: bool = False
    #: How much each calibration row counts.
    stands_for: CalibrationRows = CalibrationRows()
    #: A note if a fitted classifier was trained again. Otherwise None.
    retrained: Note | None = None

    def check(self) -> None:
        """Raises if a parameter is invalid.

        The distance is checked by `check_distance`, because this needs the features.
        """
        check_rule(self.quantile_rule, "quantile_rule")
        check_center(self.center)
        if self.is_printed_centre and self.reference.no_centre:
            raise ValueError(
                f"center: found 'kernel' with reference={self.reference.text}, expected "
                f"'classifier': {self.reference.no_centre}"
            )
        yes_or_no(self.recenter, "recenter")
        self._check_other_centre()
        if self.neighbors is not None:
            whole_number(self.neighbors, "neighbors", 1, other="None")
        self._check_rows()

    @property
    def is_printed_centre(self) -> bool:
        """Whether intervals are centred on the reference's logit, as printed in Algorithm 2."""
        return isinstance(self.center, str) and self.center == KERNEL

    @property
    def has_other_centre(self) -> bool:
        """Whether intervals are centred on the logit of a model that is trained only for that."""
        return not isinstance(self.center, str) or self.center == LEARNED

    def _check_other_centre(self) -> None:
        """Raises if `has_other_centre`, and a parameter has no theory for such a centre."""
        if not self.has_other_centre:
            return
        reference = self.reference
        reasons = {
            f"neighbors={self.neighbors!r}": self.neighbors is not None
            and "neighbourhoods are those of the classifier's residuals",
            "recenter=True": self.recenter and "residuals are not those of the classifier",
            f"reference={reference.text}": reference.no_other_centre(self.center),
        }
        name = self.center if isinstance(self.center, str) else type(self.center).__name__
        if refusal := first_refusal("center", name, CLASSIFIER, reasons):
            raise ValueError(refusal)

    @property
    def encode_test(self) -> Encode:
        """Which test tables are accepted although they are not complete numbers. See `Encode`.

        If only the classifier uses the features of test points, they may have missing values.
        """
        near = looks_at_features(self.neighbors, self.distance)
        alone = not self.is_printed_centre and not near
        return "needed" if alone and self.encoder is not None else "never"

    def _check_rows(self) -> None:
        """Raises if rows have weights or groups, and a parameter has no theory for such rows."""
        if self.stands_for.plain:
            return
        name = "groups" if self.stands_for.people is not None else "sample_weight_calibration"
        if self.neighbors is not None:
            raise ValueError(
                f"{name}: found it with neighbors={self.neighbors!r}, expected neighbors=None: "
                "neighbourhoods have no theory for weights or groups"
            )
        if self.resplits != 1:
            raise ValueError(
                f"{name}: found it with resplits={self.resplits!r}, expected resplits=1"
            )

    def check_guarantee(self, guarantee: Any) -> None:
        """Raises if these parameters cannot give `guarantee`. None is the individual guarantee."""
        if guarantee is None:
            return
        one_of(guarantee, "guarantee", GUARANTEES)
        if refusal := self.refusal(guarantee):
            raise ValueError(refusal)

    def refusal(self, guarantee: str) -> str:
        """Returns the error if `guarantee` is impossible with these parameters, or ""."""
        if guarantee == "individual":
            return ""
        reference = self.reference
        no_reference = {
            "curve": reference.no_curve,
            "simultaneous": reference.no_simultaneous,
            "everywhere": reference.no_everywhere(self.columns),
            "credible": reference.no_ideal_curve,
        }[guarantee]
        reasons = {
            f"neighbors={self.neighbors!r}": self.neighbors is not None
            and "each test point has residuals of its own",
            f"resplits={self.resplits!r}": self.resplits != 1
            and "the test points have residuals of several splits",
            "center='kernel'": self.is_printed_centre
            and guarantee != "credible"
            and "its limits do not move the classifier's scores",
            "another centre": self.has_other_centre
            and guarantee not in ("everywhere", "credible")
            and "its theory is that of the classifier's own scores",
            f"reference={reference.text}": no_reference,
            "weights or groups": not self.stands_for.plain and "its theory counts independent rows",
            "calibration='cross'": self.crossed
            and guarantee in ("simultaneous", "everywhere")
            and "the scores that calibrate are those of refits, so choose calibration='split'",
        }
        return first_refusal("guarantee", guarantee, "individual", reasons)

    def promises(self, guarantee: str) -> tuple[Promise, Promise]:
        """Returns the guarantees for the rates of the band, and for intervals of single points.

        The texts have a placeholder for the confidence.
        """
        if guarantee == "simultaneous":
            return FOR_RECALIBRATION
        model = RECALIBRATION if self.reference.recalibrates else IDEAL_MODEL
        kind = "none" if self.is_printed_centre else "individual"
        points = for_points(kind, self._for_points(), model)
        if guarantee == "everywhere":
            return EVERYWHERE, points
        if guarantee == "curve":
            conditions = (self.reference.curve_assumption, *self._refits)
            return for_rates("curve", Guarantee(ON_AVERAGE, conditions), model), points
        return for_rates(kind, points.surety, model), points

    def _for_points(self) -> Guarantee:
        """Returns the guarantee of an interval of a single point."""
        if self.is_printed_centre:
            return Guarantee(CENTRED_ON_REFERENCE)
        near = () if self.neighbors is None else (LIKE_NEIGHBOURS,)
        conditions = (self.reference.assumption, *near, *self._refits, *self.stands_for.conditions)
        return individual(*conditions, whom=self.stands_for.whom)

    @property
    def _refits(self) -> tuple[Phrase, ...]:
        return (LIKE_REFITS,) if self.crossed else ()
