"""Arrays of an evaluation as a page gets them: the vertices, and what frames are computed from.

A page's numbers are exact where arrays are `whole`; longer ones are read at evenly spaced ranks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from scipy.special import expit

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.quantiles import between_infinities, ranks
from conformal_roc_widget.evaluation.at_alpha import Stop
from conformal_roc_widget.evaluation.displayed import Display
from conformal_roc_widget.evaluation.observed_curve import Vertices
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.evaluation.sorted_sample import Limits, SortedSample
from conformal_roc_widget.logits import logit_of

from .budget import ALPHA_STOPS, LAMBDAS, Budget
from .encoding import encoded, pair, short
from .reliability import reliability
from .statements import findings

#: If a third of the points lie within one logit, this moves a limit by a thirtieth of a pixel.
MOST_MOVED = 1e-4
#: If at most one threshold in this many needs more digits than float32, those are sent as text.
MOST_LONG = 32
#: From this many test points on, limits at all stops take the kernel more than a second.
WORTH_A_BAR = 500_000


def evaluation_arrays(evaluation: RocEvaluation, budget: Budget) -> dict[str, Any]:
    """Arrays from which a page makes frames, as many numbers as the budget allows."""
    shown = evaluation.display
    vertices, sizes = shown.vertices, shown.masses
    scores = [_sent(values, budget) for values in shown.scores]
    centres, pooled = None, shown.pooled
    if shown.centres is not None and pooled:
        centres = [_sent(values, budget) for values in shown.centres]
    at_vertices = centres is not None and _stand_at_vertices(shown, vertices)
    points = shown.rows if at_vertices else sizes
    whole = max(*points, *(values.size for values in shown.residuals)) <= budget.whole
    of_residuals = budget.of_residuals(points)
    # A widget is shown before limits that take long are computed; see `stops_message`.
    live = budget.frozen is not None
    logits_follow = _logits_follow(centres, vertices, whole and not at_vertices)
    thresholds = vertices.thresholds
    # If a curve lacks vertices, its limits are those at the thresholds that are sent: rounding
    # these makes no limit wrong.
    if logits_follow and shown.simplified and not whole:
        thresholds = _binary(evaluation) if budget.short else _single(evaluation)
    return {
        "simplified": shown.simplified,
        **_thresholds(thresholds),
        "logits": None if logits_follow else vertices.logits,
        "fp": vertices.fp,
        "tp": vertices.tp,
        "people_called": _people(evaluation, vertices.thresholds),
        "grid": _grid(shown.scores) if shown.simplified and not shown.any_size else None,
        "reliability": None if live else reliability(evaluation, budget.bounds),
        "centres": None
        if centres is None
        else [
            {"n": n, "values": None, "ranks": values.size}
            for n, values in zip(sizes, centres, strict=True)
        ]
        if at_vertices
        else _numbers(sizes, centres),
        "scores": None if _are_logits(centres, scores) else _numbers(sizes, map(short, scores)),
        "residuals": [
            {
                "n": values.size,
                "values": _sent(SortedSample(values), of_residuals),
                "stops": _stops(values, shown.rule)
                if centres is not None and shown.ranked and values.size > of_residuals.whole
                else None,
            }
            for values in shown.residuals
        ],
        "unranked": None if centres is None or shown.ranked else _unranked(evaluation),
        "groups": _groups(shown) if not pooled and _by_group(shown, budget) else None,
        "frozen": None
        if pooled or (live and shown.simultaneous)
        else frozen_limits(evaluation, budget),
        "curves": None,
        "whole": whole,
    }


def curve_arrays(
    evaluation: RocEvaluation, thresholds: Floats, stops: Sequence[float]
) -> dict[str, Any]:
    """Arrays of a page that shows curves only: counts of both labels at some thresholds."""
    shown = evaluation.display
    fp, tp = (scores.at_least(thresholds) for scores in shown.scores)
    return {
        "simplified": shown.simplified,
        **_thresholds(thresholds),
        "logits": None,
        "fp": fp,
        "tp": tp,
        "people_called": _people(evaluation, thresholds),
        "grid": None,
        "reliability": reliability(evaluation, stops, thresholds),
        "centres": None,
        "scores": [{"n": n, "values": b""} for n in shown.masses],
        "residuals": [
            {"n": values.size, "values": b"", "stops": None}
            for values in pair(evaluation.residuals)
        ],
        "unranked": None,
        "groups": None,
        "frozen": None,
        "whole": False,
    }


def _thresholds(thresholds: Floats) -> dict[str, Any]:
    """Thresholds as float32, and the places and values of the few that it does not hold.

    All as float64, if these are more.
    """
    rounded = short(thresholds)
    more = np.flatnonzero(rounded != thresholds)
    if more.size > thresholds.size / MOST_LONG:
        return {"thresholds": thresholds, "long": None}
    long = [[place, float(thresholds[place])] for place in more.tolist()]
    return {"thresholds": rounded, "long": long}


def _people(evaluation: RocEvaluation, thresholds: Floats) -> list[Ints] | None:
    """How many rows of each label are called, whatever they weigh; None if they count alike."""
    observed = evaluation.sampled
    is_plain = observed.counts is None or evaluation.told_share is not None
    if is_plain or (observed.summary and not observed.summary.weighted):
        return None
    return [each.at_least(thresholds) for each in observed.sorted_rows]


def frozen_limits(evaluation: RocEvaluation, budget: Budget) -> list[dict[str, Any]] | None:
    """Frames at each stop, for limits that no page computes; None if these are too long."""
    shown = evaluation.display
    if shown.pooled:
        return None
    by_group = _by_group(shown, budget)
    each = sum(
        shown.group_sizes[k].size if by_group and shown.group_sizes else min(n, budget.whole)
        for k, n in enumerate(shown.masses)
    )
    size = 2 * 8 * len(budget.stops) * each
    if not shown.simultaneous and budget.frozen is not None and size > budget.frozen:
        return None
    alphas = _with_bar(budget, sum(shown.masses))
    frames = [
        encoded(
            {"alpha": stop.alpha, "frame": findings(stop.findings), "auc": list(stop.auc)}
            | (_shifts(shown, stop) if by_group else _both_ends(stop, budget))
        )
        for stop in evaluation.stops(alphas, shifts=by_group)
    ]
    sides = [frame[side] for frame in frames for side in ("lower", "upper")]
    size = sum(len(each) for side in sides for given in side.values() if given for each in given)
    return None if budget.frozen is not None and size > budget.frozen else frames


def _with_bar(budget: Budget, n_test: int) -> Iterable[float]:
    """The stops; if a page of many test points takes long, with a bar of progress."""
    if budget.frozen is not None or n_test < WORTH_A_BAR:
        return budget.stops
    from tqdm.auto import tqdm

    return tqdm(budget.stops, desc="Limits for the page", unit="alpha")


def _by_group(shown: Display, budget: Budget) -> bool:
    """Whether a page gets the centres once, and at each alpha what shifts each group of them."""
    if shown.centres is None or shown.pooled:
        return False
    return max(centres.values.size for centres in shown.centres) <= budget.whole


def _groups(shown: Display) -> list[dict[str, Any]]:
    """Centres by label in the order of their groups, the groups' ends, and how much each counts."""
    assert shown.centres is not None
    assert shown.group_sizes is not None
    return [
        {
            "centres": centres.values,
            "ends": np.cumsum(sizes[sizes > 0]).tolist(),
            "before": None if centres.before is None else centres.before[1:],
        }
        for centres, sizes in zip(shown.centres, shown.group_sizes, strict=True)
    ]


def _shifts(shown: Display, stop: Stop) -> dict[str, Any]:
    """Lower and upper order statistic of each group that has test points, by label."""
    assert shown.group_sizes is not None
    assert stop.shifts is not None
    both = list(zip(stop.shifts, (sizes > 0 for sizes in shown.group_sizes), strict=True))
    return {
        "lower": {"shifts": [quantiles.lower[serves] for quantiles, serves in both]},
        "upper": {"shifts": [quantiles.upper[serves] for quantiles, serves in both]},
    }


def _both_ends(stop: Stop, budget: Budget) -> dict[str, Any]:
    """Lower and upper ends of the intervals."""
    assert stop.ends is not None
    return dict(zip(("lower", "upper"), (_ends(each, budget) for each in stop.ends), strict=True))


def _unranked(evaluation: RocEvaluation) -> list[dict[str, Floats]]:
    """Both order statistics and their coverage at each alpha of the slider, by label."""
    found = [evaluation.at(alpha).group_quantiles for alpha in ALPHA_STOPS]
    return [
        {
            "stops": np.array([[each[k].lower[0], each[k].upper[0]] for each in found]).ravel(),
            "guaranteed": np.array([each[k].guaranteed for each in found]),
        }
        for k in (0, 1)
    ]


def _ends(ends: tuple[Limits, Limits], budget: Budget) -> dict[str, Any]:
    """Ends of intervals by label; values that both share come once, with how many precede each."""
    values = ends[0].centres.values
    before = [each for limits in ends if (each := limits.centres.before) is not None]
    if values is not ends[1].centres.values or len(before) < 2:
        return {"values": [_sent(each.shifted(), budget) for each in ends], "before": None}
    # Keeps the values that some point has, and of equal values the first.
    had = np.flatnonzero(np.diff(before).any(axis=0))
    had = had[np.append(True, values[had[1:]] > values[had[:-1]])]
    counts = [np.append(each[had], each[-1]) for each in before]
    some = values[had]
    if max(each.centres.size for each in ends) > budget.whole:
        some = _rounded(some, budget)
    return {"values": [some], "before": counts}


def _stand_at_vertices(shown: Display, vertices: Vertices) -> bool:
    """Whether all centres are logits of vertices, each as heavy as the step of the curve there.

    Then a page makes them from these, in the digits that decide whether a limit lies above.
    """
    if shown.centres is None or shown.simplified:
        return False
    return all(
        np.isin(centres.values, vertices.logits).all()
        and np.array_equal(centres.at_least(vertices.logits), counts)
        for centres, counts in zip(shown.centres, (vertices.fp, vertices.tp), strict=True)
    )


def _logits_follow(centres: Sequence[Floats] | None, vertices: Vertices, whole: bool) -> bool:
    """Whether a page finds the logits of the vertices from what it has.

    From all centres it takes the smallest among those that the vertex counts, which must be the
    same to the bit; from thinned ones it takes the logit of the threshold, which must be close.
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
    """The shortest decimals that part the scores where vertices do, and the wanted one."""
    below, exact = _steps(evaluation)
    thresholds = exact.copy()
    waiting = np.ones(exact.size, dtype=bool)
    for digits in range(1, 17):
        # The shortest decimal above the next lower score and not above this one.
        short = np.floor(exact * 10.0**digits) / 10.0**digits
        fits = waiting & (short > below) & (short <= exact)
        thresholds[fits] = short[fits]
        waiting &= ~fits
    halfway = below / 2 + exact / 2
    fits = waiting & (halfway > below)
    thresholds[fits] = halfway[fits]
    return np.unique([np.inf, wanted, *thresholds])[::-1]


def _single(evaluation: RocEvaluation) -> Floats:
    """Thresholds as float32 if one lies between the same scores; else exact."""
    below, exact = _steps(evaluation)
    rounded = short(exact)
    over = rounded > exact
    rounded[over] = np.nextafter(rounded[over], np.float32(-np.inf))
    found = np.where(rounded > below, rounded, exact)
    return np.append(np.inf, found)


def _binary(evaluation: RocEvaluation) -> Floats:
    """Thresholds with the fewest binary digits that still lie between the same scores.

    Such a threshold has the digits that its score shares with the next lower one, and one more.
    No logit moves by more than `MOST_MOVED`, so that limits there stay what they are on a screen.
    """
    below, exact = _steps(evaluation)
    below = np.minimum(np.maximum(below, exact * (1 - MOST_MOVED * (1 - exact))), exact)
    digits = exact.view(np.int64)
    differ = below.view(np.int64) ^ digits
    # Number of last digits that are not shared, counted in two halves, which floats hold exactly.
    high, low = (np.frexp(half.astype(np.float64))[1] for half in (differ >> 32, differ))
    rest = np.maximum(np.where(high > 0, high + 32, low) - 1, 0)
    return np.append(np.inf, ((digits >> rest) << rest).view(np.float64))


def _steps(evaluation: RocEvaluation) -> tuple[Floats, Floats]:
    """Thresholds of all vertices but the first, and the next lower score of each, or half of it."""
    exact = evaluation.display.vertices.thresholds[1:]
    scores = np.sort(np.concatenate([each.values for each in evaluation.display.scores]))
    place = np.searchsorted(scores, exact)
    # The threshold below the lowest score: half of it; if scores have any size, one range below it.
    least = exact / 2 if scores[0] >= 0 else exact - (scores[-1] - scores[0])
    return np.where(place > 0, scores[place - 1], least), exact


def _grid(scores: tuple[SortedSample, SortedSample]) -> dict[str, Ints]:
    fp, tp = (values.at_least(LAMBDAS) for values in scores)
    return {"fp": fp, "tp": tp}


def _stops(residuals: Floats, rule: str) -> Floats:
    """Lower and upper order statistic at each alpha of the slider."""
    ordered = between_infinities(residuals)
    return ordered[[rank for a in ALPHA_STOPS for rank in ranks(residuals.size, a, rule)]]


def _numbers(sizes: Sequence[int], values: Iterable[Any]) -> list[dict[str, Any]]:
    """Numbers of both labels, with how many there are in all, since fewer may be sent."""
    return [{"n": n, "values": sent} for n, sent in zip(sizes, values, strict=True)]


def _sent(values: SortedSample, budget: Budget) -> Floats:
    sent = values.at_most(budget.whole, budget.ranks)
    return _rounded(sent, budget) if budget.short and sent.size < values.size else sent


def _rounded(values: Floats, budget: Budget) -> Floats:
    """Numbers as float32, for a page that leaves some out: the error of that is far larger."""
    with np.errstate(under="ignore"):
        return values.astype(np.float32).astype(np.float64) if budget.short else values


def _are_logits(centres: Sequence[Floats] | None, scores: Sequence[Floats]) -> bool:
    """Whether a page can compute the scores from the centres, which it gets anyway."""
    return centres is not None and all(
        np.allclose(expit(logits), values, rtol=0, atol=1e-6)
        for logits, values in zip(centres, scores, strict=True)
    )


def limit_counts(low: Sequence[Ints], high: Sequence[Ints]) -> list[Ints]:
    """Lower and upper limits of label 0, then of label 1."""
    return [low[0], high[0], low[1], high[1]]
