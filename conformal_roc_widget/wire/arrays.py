"""Selects the arrays of an evaluation for a page: the vertices, and what frames are made from.

A frame is what a page shows at one alpha and one threshold. A stop is an alpha at which the page's
slider stops. If arrays are sent `whole`, the page computes exact numbers. Longer arrays are sent as
the values at evenly spaced ranks. A page without a kernel is an HTML file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np
from scipy.special import expit

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.quantiles import between_infinities, ranks
from conformal_roc_widget.evaluation.at_alpha import AtAlpha, CalibratedCurve
from conformal_roc_widget.evaluation.observed_curve import (
    HALF_A_PIXEL,
    ObservedCurve,
    Vertices,
)
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.evaluation.sorted_sample import Limits, SortedSample
from conformal_roc_widget.logits import logit_of

from .budget import ALPHA_STOPS, LAMBDAS, Budget
from .encoding import encoded, pair, short
from .own_limits import own_limits
from .reliability import reliability
from .statements import findings

#: Rounding a threshold may move its logit by at most this. Even if a third of the points are within
#: one unit of the logit, a limit then moves by only a thirtieth of a pixel.
MOST_MOVED = 1e-4
#: If `Budget.short` is set, and logits are sent at some ranks only, they are rounded to multiples
#: of this step. Rounded numbers compress well, and a logit moves by at most half a step.
STEP = 2.0**-13
#: A threshold may need more digits than a float32 has. If at most one in this many does, these few
#: are sent as text, and all others as float32.
MOST_LONG = 32
#: If there are at least this many test points, limits at all alphas of `Budget.stops` take more
#: than a second, and a progress bar is shown.
WORTH_A_BAR = 500_000


def evaluation_arrays(evaluation: RocEvaluation, budget: Budget) -> dict[str, Any]:
    """Returns the arrays from which a page computes limits. `budget` limits their lengths."""
    curve, observed = evaluation.calibrated_curve, evaluation.sampled
    vertices, sizes = observed.screen_vertices, observed.sizes
    scores = [_sent(values, budget) for values in observed.sorted_scores]
    centres, pooled = None, curve.pooled
    if pooled:
        centres = [_sent(values, budget) for values in curve.sorted_centres]
    at_vertices = pooled and _stand_at_vertices(curve, vertices)
    points = observed.rows if at_vertices else sizes
    residuals = evaluation.page_residuals
    whole = max(*points, *(values.size for values in residuals)) <= budget.whole
    of_residuals = budget.of_residuals(points)
    # If `budget.frozen` is set, the arrays are for a widget. A widget does not wait for limits that
    # take long to compute: `stops_message` sends them later.
    live = budget.frozen is not None
    logits_follow = _logits_follow(centres, vertices, whole and not at_vertices)
    thresholds = vertices.thresholds
    own = None
    if evaluation.is_simultaneous and not live:
        thresholds = _single_at_cuts(observed, budget) if budget.several else thresholds
        own = own_limits(evaluation, budget.stops, thresholds)
    # If only some vertices are sent, all limits are computed at the thresholds that are sent. So
    # these thresholds may be rounded.
    if logits_follow and observed.simplified and not whole:
        thresholds = _near_binary(observed) if budget.short else _single(observed)
    near = partial(_near, budget=budget, any_size=observed.any_size)
    made = own or {
        "reliability": None if live else reliability(evaluation, budget.bounds),
        "frozen": None
        if pooled or (live and evaluation.is_simultaneous)
        else frozen_limits(evaluation, budget),
    }
    return made | {
        "simplified": observed.simplified,
        **_thresholds(thresholds),
        "logits": None if logits_follow or own else vertices.logits,
        "fp": vertices.fp,
        "tp": vertices.tp,
        "people_called": _people(evaluation, vertices.thresholds),
        "grid": _grid(observed.sorted_scores)
        if observed.simplified and not observed.any_size
        else None,
        "centres": None
        if centres is None
        else [
            {"n": n, "values": None, "ranks": values.size}
            for n, values in zip(sizes, centres, strict=True)
        ]
        if at_vertices
        else _numbers(sizes, map(near, curve.sorted_centres)),
        "scores": None
        if _are_logits(centres, scores)
        else _numbers(sizes, (None, None) if own else map(short, scores)),
        "residuals": [
            {
                "n": values.size,
                "values": near(SortedSample(values), budget=of_residuals),
                "stops": _stops(values, curve.rule)
                if pooled and not curve.weighted and values.size > of_residuals.whole
                else None,
            }
            for values in residuals
        ],
        "unranked": _unranked(evaluation) if pooled and curve.weighted else None,
        "groups": _groups(curve) if _by_group(curve, budget) else None,
        "curves": None,
        "whole": whole,
    }


def curve_arrays(
    evaluation: RocEvaluation, thresholds: Floats, stops: Sequence[float]
) -> dict[str, Any]:
    """Returns the arrays of a page with only curves: counts of both labels at some thresholds."""
    observed = evaluation.sampled
    fp, tp = (scores.at_least(thresholds) for scores in observed.sorted_scores)
    absent = dict.fromkeys(("logits", "grid", "centres", "unranked", "groups", "frozen"))
    return {
        **absent,
        "simplified": observed.simplified,
        **_thresholds(thresholds),
        "fp": fp,
        "tp": tp,
        "people_called": _people(evaluation, thresholds),
        "reliability": reliability(evaluation, stops, thresholds),
        "scores": [{"n": n, "values": b""} for n in observed.sizes],
        "residuals": [
            {"n": values.size, "values": b"", "stops": None}
            for values in pair(evaluation.residuals)
        ],
        "whole": False,
    }


def _thresholds(thresholds: Floats) -> dict[str, Any]:
    """Returns the thresholds as float32, and in "long" the few that need more digits.

    If many need more digits, all are float64.
    """
    rounded = short(thresholds)
    more = np.flatnonzero(rounded != thresholds)
    if more.size > thresholds.size / MOST_LONG:
        return {"thresholds": thresholds, "long": None}
    long = [[place, float(thresholds[place])] for place in more.tolist()]
    return {"thresholds": rounded, "long": long}


def _people(evaluation: RocEvaluation, thresholds: Floats) -> list[Ints] | None:
    """Returns the number of each label's rows predicted positive at each threshold.

    If rows have equal weight, counts are numbers of rows, and None is returned.
    """
    observed = evaluation.sampled
    is_plain = observed.counts is None or evaluation.told_share is not None
    if is_plain or (observed.summary and not observed.summary.weighted):
        return None
    return [each.at_least(thresholds) for each in observed.sorted_rows]


def frozen_limits(evaluation: RocEvaluation, budget: Budget) -> list[dict[str, Any]] | None:
    """Returns frames with limits at each stop, if a page cannot compute the limits.

    Returns None if the page can, or if the frames need more bytes than the budget allows.
    """
    curve, sizes = evaluation.calibrated_curve, evaluation.sampled.sizes
    if curve.pooled:
        return None
    groups = curve.group_sizes if _by_group(curve, budget) else None
    each = [min(n, budget.whole) for n in sizes] if groups is None else [g.size for g in groups]
    size = 2 * 8 * len(budget.stops) * sum(each)
    if not evaluation.is_simultaneous and budget.frozen is not None and size > budget.frozen:
        return None
    frames = [
        encoded(
            {"alpha": at.alpha, "frame": findings(at), "auc": list(at.display_auc()[1:])}
            | (_both_ends(at, budget) if groups is None else _shifts(groups, at))
        )
        for at in evaluation.at_each(_with_bar(budget, sum(sizes)))
    ]
    sides = [frame[side] for frame in frames for side in ("lower", "upper")]
    size = sum(len(each) for side in sides for given in side.values() if given for each in given)
    return None if budget.frozen is not None and size > budget.frozen else frames


def _with_bar(budget: Budget, n_test: int) -> Iterable[float]:
    """Yields `budget.stops`, with a progress bar if a page with many test points is written."""
    if budget.frozen is not None or n_test < WORTH_A_BAR:
        return budget.stops
    from tqdm.auto import tqdm

    return tqdm(budget.stops, desc="Limits for the page", unit="alpha")


def _by_group(curve: CalibratedCurve, budget: Budget) -> bool:
    """Whether a page gets centres once and, at each alpha, the order statistics of each group.

    A group consists of the centres with the same group of residuals.
    """
    if curve.group_sizes is None or curve.pooled:
        return False
    return max(centres.values.size for centres in curve.sorted_centres) <= budget.whole


def _groups(curve: CalibratedCurve) -> list[dict[str, Any]]:
    """Returns for each label its centres sorted by group, the ends of the groups, and counts."""
    return [
        {
            "centres": centres.values,
            "ends": np.cumsum(sizes[sizes > 0]).tolist(),
            "before": None if centres.before is None else centres.before[1:],
        }
        for centres, sizes in zip(curve.sorted_centres, curve.group_sizes or (), strict=True)
    ]


def _shifts(groups: tuple[Ints, Ints], at: AtAlpha) -> dict[str, Any]:
    """Returns for each label both order statistics of the groups that have test points."""
    both = list(zip(at.group_quantiles, (sizes > 0 for sizes in groups), strict=True))
    return {
        "lower": {"shifts": [quantiles.lower[serves] for quantiles, serves in both]},
        "upper": {"shifts": [quantiles.upper[serves] for quantiles, serves in both]},
    }


def _both_ends(at: AtAlpha, budget: Budget) -> dict[str, Any]:
    """Returns the lower and the upper ends of the intervals at one alpha, for a message."""
    return dict(zip(("lower", "upper"), (_ends(each, budget) for each in at.ends), strict=True))


def _unranked(evaluation: RocEvaluation) -> list[dict[str, Floats]]:
    """Returns for each label both order statistics and their coverage at each alpha of the slider.

    They are sent if calibration rows have weights, because a page then cannot compute them.
    """
    found = [evaluation.at(alpha).group_quantiles for alpha in ALPHA_STOPS]
    return [
        {
            "stops": np.array([[each[k].lower[0], each[k].upper[0]] for each in found]).ravel(),
            "guaranteed": np.array([each[k].guaranteed for each in found]),
        }
        for k in (0, 1)
    ]


def _ends(ends: tuple[Limits, Limits], budget: Budget) -> dict[str, Any]:
    """Returns the lower (or upper) ends of the intervals of both labels, for a message.

    If both labels have the same distinct values, these are sent once, with the counts of each
    label.
    """
    values = ends[0].centres.values
    before = [each for limits in ends if (each := limits.centres.before) is not None]
    if values is not ends[1].centres.values or len(before) < 2:
        return {"values": [_sent(each.shifted(), budget) for each in ends], "before": None}
    # Ends that no test point's interval has are left out. Of equal ends, only the first is kept.
    had = np.flatnonzero(np.diff(before).any(axis=0))
    had = had[np.append(True, values[had[1:]] > values[had[:-1]])]
    counts = [np.append(each[had], each[-1]) for each in before]
    some = values[had]
    if max(each.centres.size for each in ends) > budget.whole:
        some = _rounded(some, budget)
    return {"values": [some], "before": counts}


def _stand_at_vertices(curve: CalibratedCurve, vertices: Vertices) -> bool:
    """Whether the centres are exactly the logits of the vertices, with the counts of the curve.

    A page then takes the centres from the vertices. They must be exact, because their last digits
    decide whether a limit is above a threshold.
    """
    if curve.observed.simplified:
        return False
    return all(
        np.isin(centres.values, vertices.logits).all()
        and np.array_equal(centres.at_least(vertices.logits), counts)
        for centres, counts in zip(curve.sorted_centres, (vertices.fp, vertices.tp), strict=True)
    )


def _logits_follow(centres: Sequence[Floats] | None, vertices: Vertices, whole: bool) -> bool:
    """Whether a page can compute the logits of the vertices, so that they need not be sent.

    If the page gets all centres, it takes the smallest centre of the points predicted positive at a
    vertex, which must be exactly the vertex's logit. If the page gets only some centres, it takes
    the logit of the threshold, which must be close to the vertex's logit.
    """
    if centres is None:
        return False
    inside = (vertices.thresholds > 0) & (vertices.thresholds < 1)
    found = np.where(vertices.thresholds >= 1, np.inf, -np.inf)
    if not whole:
        found[inside] = logit_of(vertices.thresholds[inside])
        return np.allclose(found, vertices.logits, rtol=1e-9, atol=1e-9)
    smallest = np.full(found.size, np.inf)
    for values, counts in zip(centres, (vertices.fp, vertices.tp), strict=True):
        some = counts > 0
        smallest[some] = np.minimum(smallest[some], values[values.size - counts[some]])
    found[inside] = smallest[inside]
    return np.array_equal(found, vertices.logits)


def short_thresholds(evaluation: RocEvaluation, wanted: float) -> Floats:
    """Returns thresholds with few decimals at the vertices. They predict the same rows positive.

    A page with ``data="curves"`` gets these thresholds, so it contains no exact scores. The
    threshold `wanted` is added to them. If the curve is simplified, thresholds have few binary
    digits instead, which take fewer bytes.
    """
    observed = evaluation.sampled
    if observed.simplified and not observed.any_size:
        found = _binary(*_steps(observed, _with_tails(observed)))
        return np.unique([wanted, *found])[::-1]
    below, exact = _steps(observed)
    thresholds = exact.copy()
    waiting = np.ones(exact.size, dtype=bool)
    for digits in range(1, 17):
        # The decimal must be above the next lower score (`below`), and at most the score itself
        # (`exact`). It gets more digits until both are true.
        short = np.floor(exact * 10.0**digits) / 10.0**digits
        fits = waiting & (short > below) & (short <= exact)
        thresholds[fits] = short[fits]
        waiting &= ~fits
    halfway = below / 2 + exact / 2
    fits = waiting & (halfway > below)
    thresholds[fits] = halfway[fits]
    return np.unique([np.inf, wanted, *thresholds])[::-1]


def _single(observed: ObservedCurve) -> Floats:
    """Returns the vertices' thresholds, as float32 where float32 separates the same scores."""
    below, exact = _steps(observed)
    rounded = short(exact)
    over = rounded > exact
    rounded[over] = np.nextafter(rounded[over], np.float32(-np.inf))
    found = np.where(rounded > below, rounded, exact)
    return np.append(np.inf, found)


def _with_tails(observed: ObservedCurve) -> Floats:
    """The vertices' thresholds and further ones at both ends of the scores, descending.

    The further thresholds are the scores at the ranks 1, 2, 4 and so on, counted from each end of
    each label's scores. A page cannot interpolate beyond the last vertex.
    """
    found = [observed.screen_vertices.thresholds[1:]]
    for scores in observed.sorted_scores:
        ranks = 2 ** np.arange(int(np.log2(scores.size * HALF_A_PIXEL) + 1))
        found += [scores.values[-ranks], scores.values[ranks - 1]]
    return np.unique(np.concatenate(found))[::-1]


def _near_binary(observed: ObservedCurve) -> Floats:
    """The vertices' thresholds as in `_binary`. No logit moves by more than `MOST_MOVED`.

    So limits look the same on a screen.
    """
    below, exact = _steps(observed)
    nearer = np.maximum(below, exact * (1 - MOST_MOVED * (1 - exact)))
    return _binary(np.minimum(nearer, exact), exact)


def _binary(below: Floats, exact: Floats) -> Floats:
    """Rounds thresholds `exact` down to few binary digits, so that they stay above `below`.

    A rounded threshold has the leading digits that it shares with its number in `below`, and one
    digit more. The result begins with infinity, the threshold of the first vertex.
    """
    digits = exact.view(np.int64)
    differ = below.view(np.int64) ^ digits
    # `rest` is the number of binary digits that are dropped at the end. These are the digits from
    # the highest one in which both numbers differ. `frexp` finds the highest digit of an integer as
    # a float. A float cannot hold 64 digits, so the upper 32 digits are searched first. If they are
    # equal, the lower ones are.
    high, low = (np.frexp(half.astype(np.float64))[1] for half in (differ >> 32, differ))
    rest = np.maximum(np.where(high > 0, high + 32, low) - 1, 0)
    return np.append(np.inf, ((digits >> rest) << rest).view(np.float64))


def _steps(observed: ObservedCurve, exact: Floats | None = None) -> tuple[Floats, Floats]:
    """Returns for each vertex except the first the next lower score, and its own threshold.

    If `exact` is given, its scores replace the thresholds of the vertices.
    """
    exact = observed.screen_vertices.thresholds[1:] if exact is None else exact
    scores = np.sort(np.concatenate([each.values for each in observed.sorted_scores]))
    place = np.searchsorted(scores, exact)
    # There is no score below the lowest one. In its place stands half of the lowest score. If
    # scores are below 0, it is the lowest score minus the range of the scores.
    least = exact / 2 if scores[0] >= 0 else exact - (scores[-1] - scores[0])
    return np.where(place > 0, scores[place - 1], least), exact


def _single_at_cuts(observed: ObservedCurve, budget: Budget) -> Floats:
    """The vertices' thresholds, rounded as in `_single` if no slider can tell the difference.

    If a threshold and its rounded value are between the same two stops of the slider, the rounded
    value is returned, and otherwise the exact one.
    """
    rounded, exact = _single(observed), observed.screen_vertices.thresholds
    cuts = np.append(LAMBDAS[::-1], budget.opening)
    cuts.sort()
    same = np.searchsorted(cuts, rounded, "right") == np.searchsorted(cuts, exact, "right")
    return np.where(same, rounded, exact)


def _grid(scores: tuple[SortedSample, SortedSample]) -> dict[str, Ints]:
    fp, tp = (values.at_least(LAMBDAS) for values in scores)
    return {"fp": fp, "tp": tp}


def _stops(residuals: Floats, rule: str) -> Floats:
    """Returns both order statistics of the residuals at each alpha of the slider."""
    ordered = between_infinities(residuals)
    return ordered[[rank for a in ALPHA_STOPS for rank in ranks(residuals.size, a, rule)]]


def _numbers(sizes: Sequence[int], values: Iterable[Any]) -> list[dict[str, Any]]:
    """Returns for each label the sent `values` and the number `n` of all values."""
    return [{"n": n, "values": sent} for n, sent in zip(sizes, values, strict=True)]


def _sent(values: SortedSample, budget: Budget) -> Floats:
    sent = values.at_most(budget.whole, budget.ranks)
    return _rounded(sent, budget) if budget.short and sent.size < values.size else sent


def _near(logits: SortedSample, budget: Budget, *, any_size: bool) -> Floats:
    """Returns the logits to send, as `_sent` does.

    If the budget is short and only logits at ranks are sent, they are multiples of `STEP`.
    """
    sent = logits.at_most(budget.whole, budget.ranks)
    if not budget.short or any_size or sent.size == logits.size:
        return _sent(logits, budget)
    return np.rint(sent / STEP) * STEP


def _rounded(values: Floats, budget: Budget) -> Floats:
    """Rounds numbers to float32 if the budget is short. Only arrays at ranks are rounded.

    Numbers beyond float32 stay as they are.
    """
    if not budget.short:
        return values
    is_beyond = np.abs(values) > np.finfo(np.float32).max
    return np.where(is_beyond, values, short(values))


def _are_logits(centres: Sequence[Floats] | None, scores: Sequence[Floats]) -> bool:
    """Whether the scores belong to the centres, so that a page can compute them."""
    return centres is not None and all(
        np.allclose(expit(logits), values, rtol=0, atol=1e-6)
        for logits, values in zip(centres, scores, strict=True)
    )
