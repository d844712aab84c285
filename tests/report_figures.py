"""Figures of a report, computed from Python's public functions and SciPy. The page must agree."""

import numpy as np
from page_limits import mean_rate_limits
from scipy import optimize, special, stats

from conformal_roc_widget.arrays import CountedPeople
from conformal_roc_widget.comparators import delong_difference, delong_interval
from conformal_roc_widget.evaluation.average import class_shares
from conformal_roc_widget.evaluation.estimate import SamplingInterval


def figures(group, controls):
    """Value, counts and limits of each figure, in the order of the report.

    If one of them is missing, it is None.
    """
    evaluation = group.looked_at(controls.label)
    bare = controls.band == "none"
    if evaluation is None and group.kind == "folds":
        found = group.folds.mean_auc(controls.alpha)
        own = [row(found.estimate, limits=None if bare else (found.lower, found.upper))]
        return own + [row(each.observed_auc) for each in group.entries.values()]
    if evaluation is None and group.kind == "classes":
        return of_classes(group, controls, bare)
    evaluation = evaluation or next(iter(group.entries.values()))
    if evaluation.told_share is not None:
        return awaited(evaluation, controls, bare)
    every = group.entries.values() if group.kind in SEVERAL else [evaluation]
    areas = [area(each, controls.alpha, bare, controls.looks) for each in every]
    rates = [rate for e in every for rate in own_rates(e, controls, bare, group.kind)]
    return [
        *areas,
        *rates,
        *compared(group, controls, bare),
        *([] if bare else kept(evaluation, controls)),
        *true_rates(evaluation, controls),
    ]


def awaited(evaluation, controls, bare):
    """For rows without labels: the expected area and rates, with limits for the later labels."""
    found = evaluation.auc(controls.alpha)
    point = evaluation.operating_point(controls.threshold, controls.alpha)
    limits = (
        (found.lower, found.upper),
        (point.tpr_lower, point.tpr_upper),
        (1 - point.fpr_upper, 1 - point.fpr_lower),
    )
    values = found.estimate, point.tpr, 1 - point.fpr
    return [row(v, limits=None if bare else each) for v, each in zip(values, limits, strict=True)]


SEVERAL = ("classifiers", "populations", "samples")


def row(value, counts=None, limits=None):
    return [value, *(counts or (None, None)), *(limits or (None, None))]


def area(evaluation, alpha, bare, looks="once"):
    """The area with DeLong's limits. With weights, limits come from influences."""
    value = evaluation.observed_auc
    if bare or evaluation.sampled.area is None or is_before(evaluation, looks):
        return row(value)
    found = evaluation.auc(alpha)
    if evaluation.sample_weight is None:
        y, groups = evaluation.labels, evaluation.groups
        score = evaluation.scores
        if groups is not None:  # a fold may have few people
            groups = groups.view(CountedPeople)
        found = delong_interval(y, score, alpha, groups=groups, looks=looks, pos_label=1)
    return row(value, limits=(found.lower, found.upper))


def is_before(evaluation, looks):
    """Whether a label has too few rows for limits at every look."""
    return looks == "any" and min(evaluation.n_test.values()) < 20


def at_every_look(k, n, alpha):
    """Limits at every look: where the likelihood divided by its mean under Jeffreys' prior is
    alpha.
    """
    mean = special.betaln(k + 0.5, n - k + 0.5) - np.log(np.pi)

    def above(p):
        return special.xlogy(k, p) + special.xlog1py(n - k, -p) - mean - np.log(alpha)

    low = optimize.brentq(above, 1e-12, k / n, xtol=1e-14) if k else 0
    return low, optimize.brentq(above, k / n, 1 - 1e-12, xtol=1e-14) if k < n else 1


def own_rates(evaluation, controls, bare, kind):
    """Both rates with exact limits. If rows have weights or groups, the effective number of rows is
    used.

    If the threshold was found for a goal, the goal's rate is left out here, because it is among the
    goal's figures.
    """
    point = evaluation.operating_point(controls.threshold, controls.alpha)
    at_goal = kind not in SEVERAL and is_at_goal(evaluation, controls)
    again = controls.looks == "any"
    settled = evaluation.sampled.settled_at(controls.threshold)
    found = []
    for value, k, n, label in (
        (point.tpr, point.tp, point.tp + point.fn, 1),
        (1 - point.fpr, point.tn, point.tn + point.fp, 0),
    ):
        rate = "sensitivity" if label else "specificity"
        if at_goal and not (bare or again) and rate in controls.goal:
            continue
        if evaluation.dependence:
            limits = None
            if settled is not None:
                low, high = (float(end[0]) for end in settled.rates(controls.alpha)[label])
                limits = (low, high) if label else (1 - high, 1 - low)
            found.append(row(value, limits=None if bare or at_goal else limits))
            continue
        limits = stats.binomtest(round(k), round(n)).proportion_ci(1 - controls.alpha)
        if again:
            limits = at_every_look(k, n, controls.alpha)
        none = bare or (at_goal and not again) or is_before(evaluation, controls.looks)
        found.append(row(value, (k, n), None if none else tuple(limits)))
    return found


def is_at_goal(evaluation, controls):
    sure = 1 - controls.alpha
    try:
        return evaluation.threshold_for(**controls.goal, confidence=sure).threshold == (
            controls.threshold
        )
    except ValueError:  # the table's scores are binned
        return False


def kept(evaluation, controls):
    """The goal's rate at the threshold that keeps it, with the goal as its lower limit."""
    if not controls.goal or controls.looks == "any" or evaluation.dependence:
        return []
    ((name, least),) = controls.goal.items()
    try:
        found = evaluation.threshold_for(**controls.goal, confidence=1 - controls.alpha)
    except ValueError:  # the table's scores are binned
        return []
    if found.threshold is None:
        return []
    point = evaluation.operating_point(found.threshold, controls.alpha)
    tp, fp, tn, fn = (round(each) for each in (point.tp, point.fp, point.tn, point.fn))
    k, n = {
        "sensitivity": (tp, tp + fn),
        "specificity": (tn, tn + fp),
        "precision": (tp, tp + fp),
        "npv": (tn, tn + fn),
        "accuracy": (tp + tn, tp + fp + tn + fn),
    }[name]
    return [row(k / n, (k, n), (least, 1.0))]


def compared(group, controls, bare):
    """The difference of the two largest areas, or the largest gap of sensitivities."""
    if bare:
        return []
    if group.kind == "classifiers" and len(group.entries) > 1:
        ordered = sorted(group.entries.values(), key=lambda e: -e.observed_auc)
        one, other = ordered[:2]
        if other.groups is None and group.comparable:
            pairs = len(group.entries) * (len(group.entries) - 1) / 2
            found = delong_difference(
                one.labels, one.scores, other.scores, controls.alpha / pairs, pos_label=1
            )
            assert isinstance(found, SamplingInterval)
            return [row(found.estimate, limits=(found.lower, found.upper))]
    if group.kind == "populations":
        points = [e.operating_point(controls.threshold) for e in group.entries.values()]
        level = controls.alpha / (2 * len(points))
        weighted = any(e.dependence for e in group.entries.values())
        low, high = min(points, key=lambda p: p.tpr), max(points, key=lambda p: p.tpr)
        ends = None
        if not weighted:
            (_, top), (bottom, upper), (lower, _) = (
                of_point(low, level),
                of_point(high, level),
                of_point(low, level),
            )
            ends = (bottom - top, upper - lower)
        return [row(high.tpr - low.tpr, limits=ends)]
    return []


def of_point(point, level):
    return stats.binomtest(round(point.tp), round(point.tp + point.fn)).proportion_ci(1 - level)


def true_rates(evaluation, controls):
    """Conformal limits of the band's rates. If a label has no limits, they are None."""
    kinds = {"sensitivity": (1,), "specificity": (0,), "both": (1, 0)}
    # Scores that are not probabilities have no reliability, so the page shows the curve.
    if controls.view == "reliability" and evaluation.score_kind == "probability":
        return []
    point = evaluation.operating_point(controls.threshold, controls.alpha)
    band = evaluation.band(controls.alpha)
    found = []
    for label in kinds.get(controls.band, ()):
        low, high = (
            (point.tpr_lower, point.tpr_upper)
            if label
            else (1 - point.fpr_upper, 1 - point.fpr_lower)
        )
        found.append(row(None, limits=(low, high) if any(band.has_limits(label)) else None))
    return found


def of_classes(group, controls, bare):
    """Mean area and mean sensitivity, with limits if known, and then each class."""
    shares = class_shares(group.entries, controls.weights)
    mean = sum(share * group.entries[key].observed_auc for key, share in shares.items())
    known = None if bare else group.mean_areas.get(controls.weights)
    rates = None if bare else group.mean_rates.get(controls.weights)
    tpr = sum(
        share * group.entries[key].operating_point(controls.threshold).tpr
        for key, share in shares.items()
    )
    of_rates = None
    if rates is not None:
        of_rates = mean_rate_limits(rates, 1, controls.threshold, tpr, controls.alpha)
    return [
        row(mean, limits=known and known.limits(controls.alpha)),
        row(tpr, limits=of_rates),
        *(area(each, controls.alpha, bare) for each in group.entries.values()),
    ]
