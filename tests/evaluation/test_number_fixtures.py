"""Numbers of the statistics that the page computes too; vitest reads the same file.

`python tests/evaluation/test_number_fixtures.py` writes them anew.
"""

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics

from conformal_roc_widget import RocEvaluation
from conformal_roc_widget.evaluation.decisions.population_threshold import RULES
from conformal_roc_widget.evaluation.ideal_curve import Candidates, LabelledDraws
from conformal_roc_widget.evaluation.losses import Rows, brier_of, log_loss_of
from conformal_roc_widget.evaluation.sampled_means import THRESHOLDS, MeanRates, limits_of_mean
from conformal_roc_widget.evaluation.sampling_interval import Area
from conformal_roc_widget.promise import Phrase
from conformal_roc_widget.wire.ideal import table_of

FILE = Path(__file__).parents[1] / "fixtures/numbers.json"


def ideal_curve() -> dict[str, object]:
    """A table of candidates as it travels, and the curve at some of its alphas."""
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
        "table": {name: encoded(value) for name, value in table.items()},
        "curves": [{name: getattr(curve, name) for name in names} for curve in curves],
    }


def encoded(value: object) -> object:
    """Bytes as text."""
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
    """Thresholds that keep a rate in the population, and the most that can be promised."""
    found = []
    for n, decimals, zeros in ((9, 1, 3), (60, 1, 31), (60, 6, 20), (900, 6, 640)):
        place = np.arange(n)
        y = (place * 0.7548777 % 1 * n >= zeros).astype(int)
        score = (0.05 + 0.6 * (place * 0.381966 % 1) + 0.3 * y).round(decimals)
        evaluation = RocEvaluation.from_predictions(
            [0, 1] * 20, np.linspace(0.1, 0.9, 40), y, score
        )
        wishes = []
        for rate in RULES:
            for least, alpha in ((0.3, 0.5), (0.8, 0.2), (0.9, 0.05), (0.95, 0.001), (1, 0.1)):
                kept = evaluation.threshold_for(**{rate: least}, confidence=1 - alpha)
                wish = {"rate": rate, "least": least, "alpha": alpha}
                wishes.append(wish | {"threshold": kept.threshold, "most": kept.most[rate]})
        found.append({"y": y, "score": score, "wishes": wishes})
    return found


def sampled_areas() -> list[dict[str, object]]:
    """Limits of areas with more test data: with a variance, and where pairs alone tell something."""
    cases = [
        Area(0.83, 0.0005, 112),
        Area(0.979, 3e-5, 149),
        Area(0.5, 0.02, 5),
        Area(1.0, 0.0, 7),
        Area(0.0, 0.0, 40),
        Area(0.5, 0.0, 30),
        Area(0.9, 0.0, 0),
    ]
    alphas = (0.001, 0.05, 0.1, 0.5)
    return [
        {
            "area": [each.value, each.variance, each.pairs],
            "limits": [[alpha, *each.limits(alpha)] for alpha in alphas],
        }
        for each in cases
    ]


def sampled_means() -> dict[str, object]:
    """Limits of means by their number of rows, and the rows between hundredths of a threshold."""
    cases = [(0.83, 52.3), (1.0, 7.5), (0.0, 120.25), (0.004, 31.0), (0.9997, 812.4), (0.5, 0.0)]
    rates = MeanRates(np.array([20 + 300 * THRESHOLDS, 500 / (1 + THRESHOLDS) ** 3]))
    thresholds = (0.0, 0.3, 0.4242, 0.999, 1.0)
    return {
        "limits": [
            {
                "value": value,
                "rows": rows,
                "alpha": alpha,
                "ends": limits_of_mean(value, rows, alpha),
            }
            for value, rows in cases
            for alpha in (0.001, 0.05, 0.5)
        ],
        "rates": rates.rows,
        "at": [[t, *(rates.limits(k, t, 0.7, 0.1) for k in (0, 1))] for t in thresholds],
    }


def sampled_losses() -> list[dict[str, object]]:
    """Brier score and log loss of some rows with their limits, and what is said of them."""
    found = []
    for y, score in (
        ([0, 1, 0, 1], [0.2, 0.6, 0.4, 0.9]),
        (np.arange(60) % 3 == 0, 0.05 + 0.9 * (np.arange(60) * 0.381966 % 1)),
        ([0, 1, 1], [0.5] * 3),
        ([0, 1, 1], [0.1, 0.8, 0]),
        (np.arange(60) % 2, np.where(np.arange(60) == 0, 1 - 1e-9, np.arange(60) % 2 * 0.3 + 0.35)),
    ):
        rows = Rows.of(y, score, None, None, None)
        for loss in (brier_of(rows), log_loss_of(rows)):
            limits = [[alpha, *loss.limits(alpha)] for alpha in (0.001, 0.05, 0.5)]
            notes, numbers = list(loss.notes), [loss.value, loss.variance, loss.most, *limits]
            told = {"name": loss.name, "notes": notes, "heavy": loss.is_heavy}
            found.append(told | {"numbers": texts(numbers)})
    return found


def texts(values: object) -> object:
    """Numbers as JSON can hold them: infinity is a text."""
    if isinstance(values, list | tuple):
        return [texts(value) for value in values]
    return "Infinity" if values == np.inf else values


def numbers() -> dict[str, object]:
    """All of them, as JSON has them."""
    made = {
        "ideal": ideal_curve(),
        "figures": figures(),
        "population": population_thresholds(),
        "areas": sampled_areas(),
        "means": sampled_means(),
        "losses": sampled_losses(),
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
    for one, other in zip(made["areas"], kept["areas"], strict=True):
        assert one["area"] == other["area"]
        assert np.array(one["limits"]) == pytest.approx(np.array(other["limits"]), rel=1e-9)
    for one, other in zip(made["means"]["limits"], kept["means"]["limits"], strict=True):
        assert one.pop("ends") == pytest.approx(other.pop("ends"), rel=1e-9)
        assert one == other
    assert np.array(made["means"]["rates"]) == pytest.approx(np.array(kept["means"]["rates"]))
    for one, other in zip(made["means"]["at"], kept["means"]["at"], strict=True):
        assert one[0] == other[0]
        assert np.array(one[1:]) == pytest.approx(np.array(other[1:]), rel=1e-9)
    for one, other in zip(made["losses"], kept["losses"], strict=True):
        assert one["name"] == other["name"]
        assert one["notes"] == other["notes"]
        for number, before in zip(one["numbers"], other["numbers"], strict=True):
            assert np.array(number, float) == pytest.approx(np.array(before, float), rel=1e-9)


if __name__ == "__main__":
    FILE.write_text(json.dumps(numbers(), separators=(",", ":")) + "\n")
