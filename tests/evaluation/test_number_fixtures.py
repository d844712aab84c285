"""Numbers of statistics that the page also computes, for vitest.

`python tests/evaluation/test_number_fixtures.py` writes them again.
"""

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from data import by_kernel
from page_limits import mean_rate_limits, net_benefit_limits, precision_limits
from sklearn import metrics

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.comparators import ks_band
from conformal_roc_widget.evaluation.decisions.population_threshold import RULES
from conformal_roc_widget.evaluation.estimate import Estimate, Rows
from conformal_roc_widget.evaluation.figures import (
    BRIER_SCORE,
    LOG_LOSS,
    THRESHOLDS,
    brier_score,
    log_loss,
    loss_notes,
)
from conformal_roc_widget.evaluation.ideal_curve import Candidates, LabelledDraws
from conformal_roc_widget.evaluation.looks import share_at_any_look
from conformal_roc_widget.promise import Phrase
from conformal_roc_widget.wire.encoding import encoded
from conformal_roc_widget.wire.ideal import table_of

FILE = Path(__file__).parents[1] / "fixtures/numbers.json"


def ideal_curve() -> dict[str, object]:
    """A table of candidates in its encoded form, and the curve at some alphas."""
    rng = np.random.default_rng(0)
    truth = 1.5 * rng.normal(size=(120, 1))
    draws = truth + 0.3 * rng.normal(size=(1, 20)) + 0.2 * rng.normal(size=(120, 20))
    points = LabelledDraws(draws, draws[60:], truth[60:, 0] / 2, Phrase.of("the draws are right"))
    candidates = Candidates.of(points, (60, 40), np.linspace(0, 1, 11))
    alphas = (0.001, 0.02, 0.05, 0.3, 0.5)
    table = table_of(candidates, 40, alphas)
    curves = [candidates.at(alpha) for alpha in alphas]
    names = ("alpha", "tpr_median", "tpr_lower", "tpr_upper", "auc", "gain")
    return {
        "table": {name: bytes_as_text(value) for name, value in encoded(table).items()},
        "curves": [{name: getattr(curve, name) for name in names} for curve in curves],
    }


def bytes_as_text(value: object) -> object:
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


def figures() -> list[dict[str, object]]:
    """Figures of confusion tables, which scikit-learn computes from labels."""
    found = []
    for tp, fn, fp, tn in ((3, 1, 2, 3), (90, 10, 30, 270), (1, 9, 1, 989), (40, 2, 55, 3)):
        y = np.repeat([1, 1, 0, 0], [tp, fn, fp, tn])
        called = np.repeat([1, 0, 1, 0], [tp, fn, fp, tn])
        ratios = metrics.class_likelihood_ratios(y, called)
        values = [
            metrics.precision_score(y, called),
            metrics.precision_score(y, called, pos_label=0),
            metrics.accuracy_score(y, called),
            metrics.balanced_accuracy_score(y, called),
            metrics.f1_score(y, called),
            metrics.matthews_corrcoef(y, called),
            *ratios,
        ]
        found.append({"counts": [tp, fn, fp, tn], "values": [float(value) for value in values]})
    return found


def population_thresholds() -> list[dict[str, object]]:
    """Thresholds that keep a rate in the population, and the highest rate that can be guaranteed."""
    found = []
    sizes = ((9, 1, 3, 1), (60, 1, 31, 1), (60, 6, 20, 1), (900, 6, 640, 1))
    for n, decimals, zeros, unit in (*sizes, (9, 1, 3, 40), (60, -1, 31, 300), (200, 0, 70, -300)):
        place = np.arange(n)
        y = (place * 0.7548777 % 1 * n >= zeros).astype(int)
        score = (unit * (0.05 + 0.6 * (place * 0.381966 % 1) + 0.3 * y)).round(decimals)
        evaluation = RocEvaluation.from_predictions(y, score)
        any_size = evaluation.score_kind == "score"
        wishes = []
        for rate in RULES:
            for least, alpha in ((0.3, 0.5), (0.8, 0.2), (0.9, 0.05), (0.95, 0.001), (1, 0.1)):
                kept = evaluation.threshold_for(**{rate: least}, confidence=1 - alpha)
                wish = {"rate": rate, "least": least, "alpha": alpha}
                wishes.append(wish | {"threshold": kept.threshold, "most": kept.most[rate]})
        found.append({"y": y, "score": score, "any_size": any_size, "wishes": wishes})
    return found


ALPHAS = (0.001, 0.05, 0.1, 0.5)


def estimates() -> list[dict[str, object]]:
    """Limits of figures on each scale: with a variance, and from the number of rows alone."""
    cases = [
        *(Estimate(*of) for of in ((0.83, 0.0005, 112), (0.979, 3e-5, 149), (0.5, 0.02, 5))),
        *(
            Estimate(value, 0.0, rows)
            for value, rows in ((1.0, 7), (0.0, 40.5), (0.5, 30), (0.9, 0))
        ),
        *(Estimate(value, 0.0, rows, "share") for value, rows in SHARES),
        *(Estimate(value, variance, scale="log") for value, variance in LOGS),
        Estimate(0.002, 1e-6, one_more=(0.95, 0.03, 20.4)),
        Estimate(0.01, 2e-5, scale="log", one_more=(7.5, 0.1, 61.5)),
    ]
    return [
        texts(
            {
                "estimate": dict(zip(("value", "variance", "rows", "scale"), each, strict=False))
                | {"oneMore": each.one_more},
                "limits": [[alpha, *each.limits(alpha)] for alpha in ALPHAS],
            }
        )
        for each in cases
    ]


SHARES = ((0.83, 52.3), (1.0, 7.5), (0.0, 120.25), (0.004, 31.0), (0.9997, 812.4), (0.5, 0.0))
LOGS = ((0.4, 0.003), (0.01, 2e-5), (0.7, 0.0), (np.inf, 0.0))


def mean_rates() -> dict[str, object]:
    """The effective rows of mean rates, at thresholds between the hundredths."""
    rates = np.array([20 + 300 * THRESHOLDS, 500 / (1 + THRESHOLDS) ** 3])
    thresholds = (0.0, 0.3, 0.4242, 0.999, 1.0)
    at = [[t, *(mean_rate_limits(rates, k, t, 0.7, 0.1) for k in (0, 1))] for t in thresholds]
    return {"rates": rates, "at": at}


def losses() -> list[dict[str, object]]:
    """Sentences about the Brier score and log loss of some rows."""
    found = []
    for y, score in (
        ([0, 1, 0, 1], [0.2, 0.6, 0.4, 0.9]),
        (np.arange(60) % 3 == 0, 0.05 + 0.9 * (np.arange(60) * 0.381966 % 1)),
        ([0, 1, 1], [0.5] * 3),
        ([0, 1, 1], [0.1, 0.8, 0]),
        (np.arange(60) % 2, np.where(np.arange(60) == 0, 1 - 1e-9, np.arange(60) % 2 * 0.3 + 0.35)),
    ):
        rows = Rows.given(y, score, None)
        for name, loss in ((BRIER_SCORE, brier_score(rows)), (LOG_LOSS, log_loss(rows))):
            numbers, notes = texts([loss.value, loss.variance]), list(loss_notes(name, loss))
            heavy = loss.is_heavy
            found.append({"name": name, "notes": notes, "heavy": heavy, "numbers": numbers})
    return found


def settled() -> list[dict[str, object]]:
    """Limits of rates, precision and net benefit at a threshold, for rows with and without equal
    weights.
    """
    found = []
    place = np.arange(40)
    y = place * 0.7548777 % 1 < 0.4
    score = (0.05 + 0.6 * (place * 0.381966 % 1) + 0.3 * y).round(2)
    for weights, owners in ((None, None), (1 + place % 4, None), (None, place // 2)):
        evaluation = by_kernel(y, score, sample_weight_test=weights, groups_test=owners)
        for threshold in (0.05, 0.4, 0.7, 0.97):
            at = evaluation.sampled.settled_over(np.array([threshold]))
            assert at is not None
            odds = threshold / (1 - threshold)
            limits = [
                *at.rates(0.1),
                *(precision_limits(at, 0.1, share) for share in (None, 0.1)),
                *(net_benefit_limits(at, 0.1, odds, share) for share in (None, 0.1)),
            ]
            given = {"n": evaluation.masses, "rates": [at.fpr, at.tpr], "numbers": at.numbers}
            found.append(
                given
                | {"odds": odds, "alike": weights is None and owners is None, "limits": limits}
            )
    return found


def looks() -> dict[str, object]:
    """Limits at every look: of areas, of shares and of a curve, with their promises."""
    areas = [Estimate(0.83, 0.0005, 112), Estimate(1.0, 0.0, 30), Estimate(0.7, 0.002, 20)]
    shares = ((0.83, 52), (1.0, 40), (0.0, 120), (0.004, 3000), (0.5, 20), (0.62, 1_000_000))
    place = np.arange(400)
    y = place * 0.7548777 % 1 < 0.3
    score = (0.05 + 0.6 * (place * 0.381966 % 1) + 0.3 * y).round(2)
    vertices = by_kernel(y, score).sampled.screen_vertices
    band = ks_band(y, score, 0.1, looks="any")
    promise = {"target": band.target, "scope": band.scope, "guarantee": band.guarantee}
    return {
        "areas": [
            [*each[:3], alpha, *each.limits(alpha, "any")] for each in areas for alpha in ALPHAS
        ],
        "shares": [
            [share, rows, alpha, *map(float, share_at_any_look(share, rows, alpha))]
            for share, rows in shares
            for alpha in ALPHAS
        ],
        "curve": {
            "rows": [int((~y).sum()), int(y.sum())],
            "fpr": vertices.fp / (~y).sum(),
            "tpr": vertices.tp / y.sum(),
            "limits": [band.tpr_lower, band.tpr_upper],
        },
        "promise": promise,
    }


def texts(values: object) -> object:
    """Numbers in a form for JSON: infinities become texts."""
    if isinstance(values, dict):
        return {name: texts(value) for name, value in values.items()}
    if isinstance(values, list | tuple):
        return [texts(value) for value in values]
    return "Infinity" if not isinstance(values, str) and values == np.inf else values


def numbers() -> dict[str, object]:
    """All numbers in the form of the JSON file."""
    made = {
        "ideal": ideal_curve(),
        "figures": figures(),
        "population": population_thresholds(),
        "estimates": estimates(),
        "means": mean_rates(),
        "losses": losses(),
        "settled": settled(),
        "looks": looks(),
    }
    return json.loads(json.dumps(made, default=np.ndarray.tolist))


def test_the_numbers_that_the_page_is_tested_with_are_those_of_today() -> None:
    made, kept = numbers(), json.loads(FILE.read_text())
    assert made.keys() == kept.keys()
    assert made["ideal"]["table"] == kept["ideal"]["table"]
    for one, other in zip(made["ideal"]["curves"], kept["ideal"]["curves"], strict=True):
        for name, value in other.items():
            assert one[name] == pytest.approx(value, rel=1e-9, abs=1e-12), name
    for one, other in zip(made["figures"], kept["figures"], strict=True):
        assert one["counts"] == other["counts"]
        assert one["values"] == pytest.approx(other["values"], rel=1e-12)
    for one, other in zip(made["population"], kept["population"], strict=True):
        for wish, before in zip(one["wishes"], other["wishes"], strict=True):
            assert wish.pop("most") == pytest.approx(before.pop("most"), abs=1e-8)
        assert one == other
    for name in ("estimates", "means", "losses", "settled", "looks"):
        for place, value in flat(kept[name]).items():
            found = flat(made[name])[place]
            close = found if isinstance(found, str) else pytest.approx(found, rel=1e-9, abs=1e-12)
            assert value == close, (name, place)


def flat(of: object) -> dict[str, object]:
    """Numbers and texts by their path."""
    if not isinstance(of, dict | list):
        return {"": of}
    each = of.items() if isinstance(of, dict) else enumerate(of)
    return {f"{key}.{rest}": one for key, part in each for rest, one in flat(part).items()}


if __name__ == "__main__":
    FILE.write_text(json.dumps(numbers(), separators=(",", ":")) + "\n")
