"""Limits that the page computes from Python's numbers, computed in Python to check the page's."""

import numpy as np

from conformal_roc_widget.evaluation.decisions.settled import limits_of_shares
from conformal_roc_widget.evaluation.estimate import Estimate
from conformal_roc_widget.evaluation.figures import THRESHOLDS


def moved(precision, own, share):
    """The precision at the same rates, if the share of positives is `share` instead of `own`."""
    rightly, wrongly = precision * share / own, (1 - precision) * (1 - share) / (1 - own)
    return rightly / (rightly + wrongly)


def precision_limits(settled, alpha, share):
    """Limits of the precision, for the share `share` of positives or, if None, the rows' own.

    Given the number of rows called positive, the number of true positives is binomial. If `share`
    is given, the rows' own share is treated as exact, which widens the limits.
    """
    own, share = settled.own, settled.own if share is None else share
    rows, ratio = settled.numbers[4:6]
    counted = own * settled.tpr / ratio
    every = counted + (1 - own) * settled.fpr
    value = np.divide(counted, every, out=np.zeros_like(every), where=every > 0)
    odds = ratio * (share / own) / ((1 - share) / (1 - own))
    ends = limits_of_shares(value, rows, alpha)
    return tuple(odds * end / (odds * end + (1 - end)) for end in ends)


def net_benefit_limits(settled, alpha, odds, share):
    """Limits of the net benefit, if a false alarm has the weight `odds`.

    The net benefit is a weighted difference of two shares. The distances of their exact limits from
    the values are combined with the correlation of the shares (Zou and Donner 2008). If the share
    `share` of positives is None, the rows' own share varies too, so that both shares are shares of
    all rows.
    """
    own = settled.own
    if share is None:
        values, rows = ((1 - own) * settled.fpr, own * settled.tpr), settled.numbers[2:4]
        weights, together = (odds, 1.0), settled.numbers[7]
    else:
        values, rows = (settled.fpr, settled.tpr), settled.numbers[:2]
        weights, together = ((1 - share) * odds, share), settled.numbers[6]
    wrong, right = (
        [weight * (end - value) for end in limits_of_shares(value, of, alpha)]
        for value, of, weight in zip(values, rows, weights, strict=True)
    )
    found = weights[1] * values[1] - weights[0] * values[0]
    # False alarms cost, so the upper limit of the share of false alarms goes into the lower limit
    # of the benefit. `a` and `b` then have opposite signs, so a negative correlation of the shares
    # makes the interval wider.
    below, above = (
        np.sqrt(np.maximum(a**2 + b**2 + 2 * together * a * b, 0.0))
        for a, b in ((right[0], wrong[1]), (right[1], wrong[0]))
    )
    return found - below, found + above


def mean_rate_limits(rows, label, threshold, value, alpha):
    """Limits of the mean rate `value` of a label at a threshold that was fixed beforehand."""
    effective = float(np.interp(threshold, THRESHOLDS, rows[label]))
    return Estimate(value, rows=effective, scale="share").limits(alpha)
