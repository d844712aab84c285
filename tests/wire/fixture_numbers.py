"""Python's numbers and texts for the fixtures, which the page must read or compute."""

import base64

import numpy as np
import pytest
from fixture_cases import Case
from scipy.special import logit

from conformal_roc_widget import RocEvaluation, average_bands
from conformal_roc_widget.evaluation.band import ConformalBand
from conformal_roc_widget.evaluation.decisions.net_benefit import net_benefit_of
from conformal_roc_widget.evaluation.decisions.precision_recall import precision_recall_of
from conformal_roc_widget.reliability.calibration_band import band_of_runs
from conformal_roc_widget.text import number_text, percent, percent_down, threshold_text

CURVES = ("fpr", "tpr", "fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper")
RATES = ("tpr", "tpr_lower", "tpr_upper", "fpr", "fpr_lower", "fpr_upper")


def view_numbers(
    evaluation: RocEvaluation, band: ConformalBand, prevalence: float | None
) -> dict[str, object]:
    """Precision at all vertices, and net benefit at those below 1."""
    own = evaluation.own_prevalence
    share = own if prevalence is None else prevalence
    below = np.flatnonzero(band.thresholds < 1)
    precision, benefit = precision_recall_of(band, share), net_benefit_of(band, below, own, share)
    numbers = {
        "prevalence": share,
        "precision": precision.precision,
        "precision_lower": precision.precision_lower,
        "precision_upper": precision.precision_upper,
        "average_precision": precision.average_precision,
        "risk": benefit.risk,
        "net_benefit": benefit.net_benefit,
        "net_benefit_lower": benefit.net_benefit_lower,
        "net_benefit_upper": benefit.net_benefit_upper,
        "treat_all": benefit.treat_all,
    }
    # Finer than the tolerance for the page.
    return {name: np.round(value, 12) for name, value in numbers.items()}


def bin_heights(evaluation: RocEvaluation) -> np.ndarray:
    """Histogram of the test points in forty bins of the score. The tallest bin has 6 % of the axis."""
    above = sum(each.at_least(np.arange(40) / 40) for each in evaluation.sampled.sorted_scores)
    counts = -np.diff(np.append(above, 0))
    return counts * 0.06 / counts.max()


def undecided_numbers(
    evaluation: RocEvaluation, case: Case, band: ConformalBand
) -> dict[str, object]:
    """Undecided points by label, and the points that remain if both labels' intervals are
    considered.
    """
    undecided = evaluation.undecided(case.threshold, case.alpha)
    numbers = {"undecided": [int(undecided[evaluation.labels == k].sum()) for k in (0, 1)]}
    if band.quantiles is None and not band.promise.recalibrates:
        return numbers
    if band.quantiles is not None:
        centres, at = logit(evaluation.scores), logit(case.threshold)
        undecided = np.any(
            [
                (centres + high > at) & (centres + low <= at)
                for low, high in band.quantiles.values()
            ],
            axis=0,
        )
    called, positive = evaluation.scores >= case.threshold, evaluation.labels == 1
    cells = (called & positive, ~called & positive, called & ~positive, ~called & ~positive)
    return numbers | {"left": [int((cell & ~undecided).sum()) for cell in cells]}


def reliability_numbers(evaluation: RocEvaluation, alpha: float) -> dict[str, object]:
    """Bounds and isotonic regression at every score and halfway between two, or at about 50 scores."""
    band = band_of_runs(evaluation.sampled.screen_score_groups, alpha)
    scores = np.unique(np.concatenate([band.score, band.ends]))
    at = np.sort(np.concatenate([scores, (scores[1:] + scores[:-1]) / 2]))
    at = at[:: -(-at.size // 50)]
    group = np.searchsorted(band.score, at, side="right") - 1
    lower, upper = band.at(at)
    return {"at": at, "lower": lower, "upper": upper, "isotonic": band.isotonic[group]}


def expected(evaluation: RocEvaluation, case: Case) -> dict[str, object]:
    band = evaluation.band(case.alpha, evaluation.sampled.screen_vertices.thresholds)
    point = evaluation.operating_point(case.threshold, case.alpha)
    numbers = {
        "quantiles": band.quantiles and [band.quantiles[0], band.quantiles[1]],
        "point": {field: getattr(point, field) for field in ("tp", "fp", "tn", "fn", *RATES)},
    }
    if case.steps or evaluation.sampled.simplified:
        numbers["reliability"] = reliability_numbers(evaluation, case.alpha)
    if case.steps:
        numbers |= undecided_numbers(evaluation, case, band)
        numbers["score_counts"] = np.round(
            np.concatenate([[0], np.repeat(bin_heights(evaluation), 2), [0]]), 12
        )
        numbers["views"] = [view_numbers(evaluation, band, share) for share in (None, 0.12)]
        numbers |= {curve: getattr(band, curve) for curve in CURVES}
        numbers["thresholds"] = band.thresholds
    return numbers


def averages(evaluations: dict[str, RocEvaluation]) -> list[dict[str, object]]:
    made = []
    for alpha in (0.02, 0.1, 0.3):
        for weights in ("size", "uniform"):
            band = average_bands(evaluations, alpha, weights)
            rates = {name: getattr(band, name)[::20] for name in ("tpr", "tpr_lower", "tpr_upper")}
            made.append({"alpha": alpha, "weights": weights, **rates})
    return made


#: Numbers, each with the text that page and pictures write.
TEXTS = {
    "rate": (
        number_text,
        (0, 0.004, 0.125, 0.375, 0.625, 0.904, 0.995, 1, -0.001, -0.125, -0.171, 2.675),
    ),
    "percent": (
        percent,
        (0, 1e-7, 0.05, 0.1234, 0.5, 0.9, 0.93, 0.953, 0.9875, 0.98765, 1 - 1 / 30, 0.9999999, 1),
    ),
    "percent_down": (percent_down, (0.9, 0.91, 0.95299, 0.9999, 1)),
    "threshold": (
        threshold_text,
        (
            *(0, 1e-7, 0.0001, 0.0004, 0.000499, 0.0005, 0.0006, 0.001, 0.0625, 0.1875, 0.4),
            *(0.42, 0.4236, 0.4999, 0.5, 0.998, 0.9994, 0.9996, 0.99964, 0.99999983, 1),
            *(79.50244, -1234567.8, 2**53, 2**53 + 2, 1.7e18, 2**62, -(2**62), 9007199254745500),
        ),
    ),
}


def texts() -> dict[str, list[tuple[float, str]]]:
    return {name: [(x, text(x)) for x in numbers] for name, (text, numbers) in TEXTS.items()}


FLOATS = {
    *("thresholds", "logits", "values", "stops", "quantiles", "lower", "upper", "isotonic"),
    *("first", "last", "settled"),
}
#: Arrays of counts.
COUNTS = {"before", "at"}


def assert_same(
    made: object, kept: object, path: tuple[str, ...] = (), least: float = 1e-12
) -> None:
    """Asserts equality.

    The last digits of logarithms and exponentials may differ, because they depend on the machine.
    """
    if (
        isinstance(kept, dict)
        and "base64" in kept
        and set(path) & FLOATS
        and not set(path) & COUNTS
    ):
        drawn = ({"items", "stops"}, {"reliability", "values"})
        short = "scores" in path or any(names <= set(path) for names in drawn)
        short |= path[-2:] == ("long", "thresholds")
        kind = "<f4" if short else "<f8"
        one, other = (np.frombuffer(base64.b64decode(x["base64"]), kind) for x in (made, kept))
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12, err_msg=str(path))
    elif isinstance(kept, dict):
        assert made.keys() == kept.keys(), path
        short = {"thresholds": ("long",)} if kept.get("long") is not None else {}
        for name in kept:
            assert_same(made[name], kept[name], (*path, *short.get(name, ()), name), least)
    elif isinstance(kept, list):
        assert len(made) == len(kept), path
        for i, (one, other) in enumerate(zip(made, kept, strict=True)):
            assert_same(one, other, (*path, str(i)), least)
    elif isinstance(kept, float):
        assert made == pytest.approx(kept, rel=1e-9, abs=least), path
    else:
        assert made == kept, path
