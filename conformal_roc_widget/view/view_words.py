"""Words of the views besides the ROC curve, as the page has them."""

from __future__ import annotations

from collections.abc import Mapping

from conformal_roc_widget.evaluation import net_benefit, precision_recall
from conformal_roc_widget.evaluation.net_benefit import treat_all
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.reliability import calibration_band
from conformal_roc_widget.text import class_name, number_text, percent, threshold_text
from conformal_roc_widget.view.controls import Controls
from conformal_roc_widget.view.evaluation_group import Group
from conformal_roc_widget.view.view_curves import share_of, view_curve

TITLES = {
    "precision_recall": "Precision and recall",
    "reliability": "Reliability",
    "net_benefit": "Net benefit",
}
#: Titles of the axis across and of the one up.
AXES = {
    "precision_recall": ("Recall (sensitivity)", "Precision (positive predictive value)"),
    "reliability": ("Score", "Probability of the positive class"),
    "net_benefit": ("Risk at which one is called", "Net benefit per case"),
}


def wanted(group: Group, controls: Controls) -> RocEvaluation | None:
    """The evaluation that is looked at in another view than the ROC curve, if one is."""
    return None if controls.view == "roc" else group.looked_at(controls.label)


def title(group: Group, controls: Controls) -> str:
    """Heading of the view that is chosen."""
    text = TITLES[controls.view]
    return text if group.kind == "single" else f"{group.name(controls.label)}: {text}"


def benefit_text(value: float) -> str:
    """Net benefit, which is small: its third digit is seen."""
    return number_text(value, 3)


def share_text(share: float) -> str:
    """Share of positives as a percentage with one decimal at most."""
    return percent(float(number_text(share, 3)))


def baseline_name(evaluation: RocEvaluation, controls: Controls) -> str:
    """Name of what is had without a classifier."""
    if controls.view == "precision_recall":
        return f"base rate {number_text(share_of(evaluation, controls))}"
    return "probability = score" if controls.view == "reliability" else "call all"


def _model(evaluation: RocEvaluation) -> str:
    return evaluation.promise.model


def range_name(evaluation: RocEvaluation, controls: Controls) -> str:
    """Name of the filled band."""
    if controls.view == "reliability":
        return f"{percent(1 - controls.alpha)} calibration band"
    noun = "precision" if controls.view == "precision_recall" else "net benefit"
    return f"range of {_model(evaluation)}’s {noun}"


def corner(evaluation: RocEvaluation, controls: Controls) -> str:
    """The number that sums the view up, if one does."""
    if controls.view == "reliability":
        return ""
    curve = view_curve(evaluation, controls)
    if controls.view == "net_benefit":
        return f"Net benefit {benefit_text(curve.point.y)}"
    return f"Average precision {number_text(curve.average)}"


def sentence(evaluation: RocEvaluation, controls: Controls) -> str:
    """The page's sentence."""
    return {
        "precision_recall": _precision,
        "reliability": _reliability,
        "net_benefit": _net_benefit,
    }[controls.view](evaluation, controls)


def _start(evaluation: RocEvaluation) -> str:
    """The model at the start of a sentence."""
    return f"A{_model(evaluation)[1:]}"


def _total(evaluation: RocEvaluation) -> str:
    return f"{evaluation.n_test[0] + evaluation.n_test[1]:,} test points"


def _as_allowed(evaluation: RocEvaluation, controls: Controls) -> str:
    """How surely a range from both limits holds."""
    level = percent(1 - controls.alpha)
    if evaluation.promise.every_threshold:
        return f" ({level}, at every threshold at once)."
    return f", as far as both {level} intervals allow."


def _precision(evaluation: RocEvaluation, controls: Controls) -> str:
    point = evaluation.at(controls.alpha).operating_point(controls.threshold)
    name = class_name(evaluation.classes[1])
    start = f"At threshold {threshold_text(controls.threshold)}, this classifier calls "
    if point.tp + point.fp == 0:
        return f"{start}none of these {_total(evaluation)} {name}, and has no precision."
    at = view_curve(evaluation, controls).point
    where = (
        f" where {share_text(controls.prevalence)} are {name}"
        if controls.prevalence is not None
        else ""
    )
    return (
        f"{start}{point.tp + point.fp:,} of these {_total(evaluation)} {name}, and {point.tp:,} of "
        f"them are: a precision of {number_text(at.y)}{where}. {_start(evaluation)}, cut at the "
        "same threshold on the same points, could have a precision from "
        f"{number_text(at.lower)} to {number_text(at.upper)}" + _as_allowed(evaluation, controls)
    )


def use_words(evaluation: RocEvaluation, controls: Controls) -> str:
    """How often a call is right where another share is positive than on the test points."""
    share = controls.prevalence
    if share is None:
        return ""
    point = evaluation.at(controls.alpha).operating_point(controls.threshold)
    where = f" Where {share_text(share)} are {class_name(evaluation.classes[1])}, "
    if point.tp + point.fp == 0:
        return f"{where}nobody is called."
    at = view_curve(evaluation, controls._replace(view="precision_recall")).point
    right, low, high = (number_text(100 * each, 0) for each in (at.y, at.lower, at.upper))
    return f"{where}a call is right in {right} % of cases (range {low} to {high} %)."


def _reliability(evaluation: RocEvaluation, controls: Controls) -> str:
    at = view_curve(evaluation, controls).point
    level = percent(1 - controls.alpha)
    start = (
        f"At score {threshold_text(controls.threshold)}, isotonic regression on these "
        f"{_total(evaluation)} gives {class_name(evaluation.classes[1])} a probability of "
        f"{number_text(at.y)}"
    )
    if evaluation.reliability(controls.alpha).refuted:
        return (
            f"{start}. At {level} the labels refute that a higher score never means a lower "
            "probability: the band promises nothing."
        )
    return (
        f"{start}. The band holds the probability at every score at once, at this one between "
        f"{number_text(at.lower)} and {number_text(at.upper)}, with {level} confidence, if a "
        "higher score never means a lower probability."
    )


def _net_benefit(evaluation: RocEvaluation, controls: Controls) -> str:
    if controls.threshold >= 1:
        return "At threshold 1 a false alarm weighs more than any call can gain."
    share = share_of(evaluation, controls)
    at = view_curve(evaluation, controls).point
    everybody = benefit_text(treat_all(at.x, share))
    return (
        f"At threshold {threshold_text(controls.threshold)}, a risk of {number_text(at.x)} where "
        f"{share_text(share)} are {class_name(evaluation.classes[1])}, calling by this classifier "
        f"has a net benefit of {benefit_text(at.y)}; calling all has {everybody}, "
        f"calling none 0. {_start(evaluation)}’s, at the same threshold on the same points, "
        f"could lie between {benefit_text(at.lower)} and {benefit_text(at.upper)}"
        + _as_allowed(evaluation, controls)
    )


def statement(evaluation: RocEvaluation, controls: Controls) -> Mapping[str, str]:
    """Target, scope and guarantee of the view's range."""
    record: (
        calibration_band.CalibrationBand | net_benefit.NetBenefit | precision_recall.PrecisionRecall
    )
    if controls.view == "reliability":
        record = evaluation.reliability(controls.alpha)
    elif controls.view == "precision_recall":
        record = evaluation.precision_recall(controls.alpha, prevalence=controls.prevalence)
    else:
        record = evaluation.net_benefit(controls.alpha, controls.prevalence, [0.5])
    return record.promise.words
