"""Bounds that a page gets once: limits that follow from them, at each threshold of its slider."""

import numpy as np
import pytest
from scipy.special import expit

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.wire.budget import FROZEN_STOPS, LAMBDAS, export_budget
from conformal_roc_widget.wire.messages import curves_messages, page_messages
from conformal_roc_widget.wire.shifted_limits import MOST_OFF

#: Some of the thresholds of a page's slider, among them both ends.
CUTS = LAMBDAS[::20]


def two_arrays(rng, n, decimals=None):
    y = np.arange(n) % 5 < 2
    p = expit(rng.normal(size=n) + 1.5 * y - 0.6)
    return y.astype(int), p if decimals is None else p.round(decimals)


def counts(message):
    """Ascending counts, from a byte or more a step."""
    found, step, place = [0], 0, 0
    for byte in message:
        step, place = step + ((byte & 0x7F) << place), place + 7
        if byte < 0x80:
            found.append(found[-1] + step)
            step, place = 0, 0
    return found[1:]


def bounds(side, fill, size):
    """A row for each alpha, with the last bound before each score, as the page reads them."""
    rows = np.full(size, np.nan)
    rows.ravel()[counts(side["at"])] = np.frombuffer(side["values"], "<f4")
    for row in rows:
        known = fill
        for i, value in enumerate(row):
            known = row[i] = known if np.isnan(value) else value
    return rows


@pytest.mark.parametrize("decimals", [None, 2, 3])
@pytest.mark.parametrize("several", [False, True])
def test_a_page_of_two_arrays_makes_its_limits_from_the_bounds_it_draws(rng, decimals, several):
    y, p = two_arrays(rng, 300, decimals)
    evaluation = RocEvaluation.from_predictions(y, p)
    budget = export_budget(0.05, float(p[7]), several=several)
    ((entry,), _) = (m["entries"] for m in page_messages(Group.of(evaluation), 0.05, 0.5, budget))
    bound, scores = entry["reliability"], np.unique(p)
    assert entry["logits"] is None
    assert all(each["values"] is None for each in entry["scores"])
    assert all(stop["lower"] is stop["upper"] is None for stop in entry["frozen"])
    first = scores[counts(bound["at"])]
    size = len(bound["alphas"]), first.size
    lower = bounds(bound["lower"], 0.0, size)
    # An upper bound holds up to its score, so that it is filled in from the end.
    values = np.full(size, np.nan)
    values.ravel()[counts(bound["upper"]["at"])] = np.frombuffer(bound["upper"]["values"], "<f4")
    for i in (3, 7, 20):
        found = evaluation.at(FROZEN_STOPS[i]).band(CUTS)
        for k, rates in enumerate(
            ((found.fpr_lower, found.fpr_upper), (found.tpr_lower, found.tpr_upper))
        ):
            low, high = [], []
            for score in p[y == k]:
                reached = [b for b, s in zip(lower[i], first, strict=True) if s <= score]
                ahead = zip(values[i], first, strict=True)
                coming = [b for b, s in ahead if s >= score and not np.isnan(b)]
                low.append(max(reached, default=0.0))
                high.append(min(coming, default=1.0))
            for ends, rate in zip((low, high), rates, strict=True):
                naive = [np.mean([end > cut + 1e-9 for end in ends]) for cut in CUTS]
                np.testing.assert_allclose(naive, rate, atol=1e-12)


def test_thresholds_of_several_reach_what_the_exact_ones_reach(rng):
    y, p = two_arrays(rng, 400)
    p[:50] = p[:50].round(3)
    evaluation = RocEvaluation.from_predictions(y, p)
    opening = float(p[60])
    budget = export_budget(0.05, opening, several=True)
    (entry,) = page_messages(Group.of(evaluation), 0.05, opening, budget)[0]["entries"]
    width = "<f8" if entry["long"] is None else "<f4"
    sent = np.frombuffer(entry["thresholds"], width).astype(float)
    for place, threshold in entry["long"] or ():
        sent[place] = threshold
    exact = np.append(np.inf, np.unique(p)[::-1])
    assert (sent <= exact).all()
    assert (sent[:-1] > exact[1:]).all()
    for cut in (*LAMBDAS, opening, *(p[:50])):
        assert (sent >= cut).sum() == (exact >= cut).sum()


def test_a_page_of_curves_of_many_rows_has_shifts_that_are_near_enough_and_no_residual(rng):
    calibration = two_arrays(rng, 300)
    evaluation = RocEvaluation.from_predictions(*calibration, *two_arrays(rng, 200_000))
    (entry,) = curves_messages(Group.of(evaluation), 0.05, 0.5)[0]["entries"]
    n = evaluation.n_test
    long = dict(entry["long"])
    thresholds = np.frombuffer(entry["thresholds"], "<f4").astype(float)
    thresholds[list(long)] = list(long.values())
    residuals = {value for each in evaluation.residuals.values() for value in each.tolist()}
    logits = np.log(thresholds[1:]) - np.log1p(-thresholds[1:])
    for curve in entry["curves"]:
        assert curve["limits"] is None
    for curve in entry["curves"][::7]:
        shifts = np.frombuffer(curve["shifts"], "<f8")
        assert not residuals & set(shifts.tolist())
        band = evaluation.at(curve["alpha"]).band(thresholds[1:])
        exact = band.fpr_lower, band.fpr_upper, band.tpr_lower, band.tpr_upper
        for i, (shift, rates) in enumerate(zip(shifts, exact, strict=True)):
            reached = counts(entry["tp" if i > 1 else "fp"])[1:]
            found = []
            for cut in logits[::40]:
                at = cut - shift
                # The share at `at`, on the line between the two vertices around it.
                above = [j for j, logit in enumerate(logits) if logit >= at]
                if len(above) == len(logits):
                    found.append(1.0)
                elif not above:
                    found.append(0.0)
                else:
                    j = above[-1]
                    part = (logits[j] - at) / (logits[j] - logits[j + 1])
                    step = reached[j + 1] - reached[j]
                    found.append((reached[j] + part * step) / n[i > 1])
            assert np.abs(np.array(found) - rates[::40]).max() <= MOST_OFF
