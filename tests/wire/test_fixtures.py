"""Messages of the kernel with the numbers they stand for: js/test/wire/fixtures.test.ts reads them back.

``python tests/wire/test_fixtures.py`` writes them anew after a change of the wire format.
"""

import base64
import json
import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from scipy.special import logit
from sklearn.base import BaseEstimator, ClassifierMixin

from conformal_roc_widget import (
    ConformalROC,
    RocEvaluation,
    average_bands,
    comparators,
)
from conformal_roc_widget.comparators.comparator_band import POINTWISE, SIMULTANEOUS, TARGET
from conformal_roc_widget.evaluation.band import ConformalBand
from conformal_roc_widget.evaluation.calibration_band import band_of_runs
from conformal_roc_widget.evaluation.net_benefit import net_benefit_of
from conformal_roc_widget.evaluation.precision_recall import precision_recall_of
from conformal_roc_widget.text import number_text, percent, percent_down, threshold_text
from conformal_roc_widget.view.comparator_state import Overlaid, Overlay, Pair
from conformal_roc_widget.view.evaluation_group import Group
from conformal_roc_widget.wire import messages as wire
from conformal_roc_widget.wire.budget import ALPHA_STOPS, FROZEN_STOPS, Budget, export_budget

FILE = Path(__file__).parents[1] / "fixtures/messages.json"
CURVES = ("fpr", "tpr", "fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper")
RATES = ("tpr", "tpr_lower", "tpr_upper", "fpr", "fpr_lower", "fpr_upper")
SETTINGS = 30
FLOATS = ("thresholds", "logits", "values", "stops", "quantiles", "lower", "upper")
GRID = np.linspace(0, 1, 1001)[::20]


class Case(NamedTuple):
    shown: RocEvaluation | dict[str, RocEvaluation]
    alpha: float
    threshold: float
    budget: Budget = export_budget(0.1)
    steps: bool = False
    settings: int = SETTINGS


def scored(zeros: int, ones: int, digits: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Labels and scores that no generator of random numbers can change."""
    y = np.repeat([0, 1], [zeros, ones])
    place = np.arange(zeros + ones)
    return y, (0.05 + 0.7 * (place * 0.381966 % 1) + 0.2 * y).round(digits)


def rising(n: int, digits: int, sign: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Labels that are the more often 1 the higher the score is, or the other way round."""
    place = np.arange(n)
    p = (place * 0.381966 % 1).round(digits)
    return (place * 0.7548777 % 1 < (p if sign > 0 else 1 - p)).astype(int), p


class FirstFeature(ClassifierMixin, BaseEstimator):
    """A classifier whose probability is the first feature."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.column_stack([1 - X[:, 0], X[:, 0]])


def from_features(**options) -> RocEvaluation:
    def part(zeros, ones):
        y, p = scored(zeros, ones)
        return np.column_stack([p, (p * 7.3) % 1]), y

    X, y = part(60, 60)
    model = ConformalROC(
        FirstFeature(), reference=lambda X: 0.1 + 0.8 * X[:, 0] ** 2, **options
    ).fit(X, y, X_calibration=X, y_calibration=y)
    return model.evaluate(*part(17, 14))


def three_classes() -> dict[str, RocEvaluation]:
    """One class against the rest, three times, with a rare class."""
    made = {}
    for i, (name, ones) in enumerate({"ant": 19, "bee": 8, "cat": 3}.items()):
        y, p = scored(30 - ones, ones)
        made[name] = RocEvaluation.from_predictions(
            *scored(60 + 7 * i, 41 - 10 * i), y, (p + 0.013 * i).round(3)
        )
    return made


def thinned() -> RocEvaluation:
    """Many points, few vertices, of which some lie closer than half a pixel."""
    zeros, ones = (3000 + 2 * np.arange(25) for _ in range(2))
    y = np.repeat([0, 1], [zeros.size + 4000, ones.size + 5000])
    place = np.arange(y.size)
    crowd = (0.1 + 0.6 * (place * 0.381966 % 1) + 0.2 * y).round(1)
    alone = (place % 50 + 0.5) / 51
    lonely = (place < zeros.size) | (place >= y.size - ones.size)
    return RocEvaluation.from_predictions(*scored(700, 650, 5), y, np.where(lonely, alone, crowd))


def cases() -> dict[str, Case]:
    test = scored(16, 19)
    names = np.array(["<benign>", "malign"])
    ties = tuple(scored(16, 21, digits=1))
    y, p = scored(16, 19)
    ends = y, np.select([p < 0.2, p > 0.85], [0.0, 1.0], p)
    scores = RocEvaluation.from_predictions
    return {
        "limits everywhere": Case(scores(*scored(90, 110), *test), 0.05, 0.42, steps=True),
        "ties, and names": Case(
            scores(names[scored(90, 110, 2)[0]], scored(90, 110, 2)[1], names[ties[0]], ties[1]),
            0.2,
            0.6,
            steps=True,
        ),
        "an infinite end": Case(scores(*scored(60, 70), *test), 0.05, 0.5),
        "one vacuous label": Case(scores(*scored(12, 80), *test), 0.05, 1.0),
        "both vacuous": Case(scores(*scored(9, 11), *test), 0.05, 0.3),
        "split rule": Case(scores(*scored(90, 110), *test, quantile_rule="split"), 0.1, 0.42),
        "scores of 0 and 1": Case(scores(*scored(90, 110), *ends), 0.1, 0.0),
        "thinned": Case(thinned(), 0.05, 0.5, Budget(whole=256, ranks=128)),
        "simultaneous": Case(
            scores(*rising(24, 2), *ties, guarantee="simultaneous"), 0.1, 0.42, settings=6
        ),
        "simultaneous, refuted": Case(
            scores(*rising(250, 7, -1), *test, guarantee="simultaneous"), 0.05, 0.5, settings=6
        ),
        "localized": Case(from_features(neighbors=40, distance="score"), 0.1, 0.35),
        "recentred": Case(from_features(recenter=True), 0.1, 0.35),
        "three classes": Case(three_classes(), 0.1, 0.35),
        "two classifiers": Case(
            {
                "rough": scores(*scored(90, 110), y, p.round(1)),
                "fine": scores(*scored(40, 30), y, p),
            },
            0.1,
            0.35,
        ),
    }


def settings(case: Case) -> list[tuple[float, float]]:
    """Alphas and thresholds of the sliders, the ends and some scores among them."""
    group = Group.of(case.shown)
    first = next(iter(group.entries.values()))
    local = not first.pooled and first.recalibration is None
    many = case.settings if len(group.entries) == 1 else SETTINGS // 2 + 2
    stops = FROZEN_STOPS if local else ALPHA_STOPS
    alphas = [stops[i * (len(stops) - 1) // (many - 1)] for i in range(many)]
    thresholds = [round(i * 0.618034 % 1, 3) for i in range(many)]
    thresholds[1:5] = [1.0, 0.001, 0.999, float(first.display_vertices.thresholds[7])]
    return list(zip(alphas, thresholds, strict=True))


def plain(value: object) -> object:
    """The same as JSON has it: bytes as base64, infinities as texts."""
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(item) for item in value]
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value.item() if isinstance(value, np.generic) else value


def steps(x: np.ndarray, y: np.ndarray) -> list[tuple[float, float]]:
    """From each vertex first along x, then along y."""
    line = [(x[0], y[0])]
    for i in range(1, len(x)):
        line += [(x[i], y[i - 1]), (x[i], y[i])]
    return line


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
    # Finer than what the page is held to.
    return {name: np.round(value, 12) for name, value in numbers.items()}


def undecided_numbers(
    evaluation: RocEvaluation, case: Case, band: ConformalBand
) -> dict[str, object]:
    """Undecided points by label, and who is left where both labels' intervals refer a point."""
    undecided = evaluation.undecided(case.threshold, case.alpha)
    numbers = {"undecided": [int(undecided[evaluation.labels == k].sum()) for k in (0, 1)]}
    if band.quantiles is None and not band.joint:
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


def expected(evaluation: RocEvaluation, case: Case) -> dict[str, object]:
    band = evaluation.band(case.alpha, evaluation.display_vertices.thresholds)
    point = evaluation.operating_point(case.threshold, case.alpha)
    numbers = {
        "quantiles": band.quantiles and [band.quantiles[0], band.quantiles[1]],
        "point": {field: getattr(point, field) for field in ("tp", "fp", "tn", "fn", *RATES)},
    }
    simplified = evaluation.display_vertices.thresholds.size < evaluation.n_thresholds
    if case.steps or simplified:
        groups = evaluation.score_groups
        if simplified:
            groups = groups.joined(case.budget.groups)
        reliable = band_of_runs(groups, case.alpha)
        numbers["reliability"] = {
            name: getattr(reliable, name) for name in ("score", "lower", "upper", "isotonic")
        }
    if case.steps:
        numbers |= undecided_numbers(evaluation, case, band)
        numbers["views"] = [view_numbers(evaluation, band, share) for share in (None, 0.12)]
        numbers |= {curve: getattr(band, curve) for curve in CURVES}
        numbers |= {
            "thresholds": band.thresholds,
            "sensitivity": {
                "upper": steps(band.fpr, band.tpr_upper),
                "lower": steps(band.fpr, band.tpr_lower),
            },
            "specificity": {
                "upper": steps(band.fpr_lower, band.tpr),
                "lower": steps(band.fpr_upper, band.tpr),
            },
        }
    return numbers


def averages(evaluations: dict[str, RocEvaluation]) -> list[dict[str, object]]:
    made = []
    for alpha in (0.02, 0.1, 0.3):
        for weights in ("size", "uniform"):
            band = average_bands(evaluations, alpha, weights)
            rates = {name: getattr(band, name)[::20] for name in ("tpr", "tpr_lower", "tpr_upper")}
            made.append({"alpha": alpha, "weights": weights, **rates})
    return made


def short_frame(group: Group, alpha: float, threshold: float) -> dict[str, object]:
    """A frame without what is the same in all."""
    frame = wire.frame_message(group, alpha, threshold, "", 0)
    always = {"target", "scope", "guarantee"}
    entries = [
        {name: value for name, value in entry.items() if name not in always}
        for entry in frame["entries"]
    ]
    return {"alpha": alpha, "threshold": threshold, "entries": entries}


def comparators_message() -> dict[str, object]:
    """One comparator that is there, one under way, one that failed; and a pair without a test."""
    evaluation = cases()["limits everywhere"].shown
    made = comparators.ks_samples(evaluation.labels, evaluation.scores, fpr=np.linspace(0, 1, 11))
    working = Overlay("bootstrap", "Bootstrap", TARGET, POINTWISE, "working", 1297, 2000)
    return wire.comparators_message(
        Overlaid(
            label="fine",
            alpha=0.2,
            items=(
                Overlay(
                    "ks",
                    "DKW rectangles",
                    TARGET,
                    SIMULTANEOUS,
                    "done",
                    1,
                    1,
                    band=made.band(0.2),
                    stops=(made.band(0.1), made.band(0.2)),
                ),
                working,
                working._replace(
                    key="simultaneous",
                    name="Simultaneous envelope",
                    scope=SIMULTANEOUS,
                    status="failed",
                    done=0,
                    message="out of memory",
                ),
            ),
            delong=(0.625, 0.875),
            pairs=(
                Pair("rough", "fine", -0.015625, -0.75, 0.4533),
                Pair("rough", 3, 0.5, math.nan, math.nan),
            ),
        )
    )


#: Numbers as the page and the pictures write them, each beside its text.
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
        ),
    ),
}


def texts() -> dict[str, list[tuple[float, str]]]:
    return {name: [(x, text(x)) for x in numbers] for name, (text, numbers) in TEXTS.items()}


def messages() -> dict[str, object]:
    made: dict[str, object] = {}
    for name, case in cases().items():
        group = Group.of(case.shown)
        made[name] = {
            "data": wire.data_message(group, case.budget),
            "frame": wire.frame_message(group, case.alpha, case.threshold, "page", 3),
            "expected": [expected(evaluation, case) for evaluation in group.entries.values()],
            "many": [short_frame(group, *setting) for setting in settings(case)],
        }
        if group.kind == "classes":
            made[name] |= {"averages": averages(case.shown)}
    group = Group.of(cases()["limits everywhere"].shown)
    data, frame = wire.curves_messages(group, 0.05, 0.42)
    made["curves alone"] = {"data": data, "frame": frame}
    made["comparators"] = comparators_message()
    made["texts"] = texts()
    made["scales"] = {
        "alpha_stops": ALPHA_STOPS,
        "frozen_stops": FROZEN_STOPS,
        "average_grid": GRID,
    }
    return plain(made)


def assert_same(made: object, kept: object, path: tuple[str, ...] = ()) -> None:
    """Equal, but for the last digits of logarithms and exponentials, which depend on the machine."""
    if isinstance(kept, dict) and "base64" in kept and set(path) & set(FLOATS):
        short = "scores" in path or {"items", "stops"} <= set(path)
        kind = "<f4" if short else "<f8"
        one, other = (np.frombuffer(base64.b64decode(x["base64"]), kind) for x in (made, kept))
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12, err_msg=str(path))
    elif isinstance(kept, dict):
        assert made.keys() == kept.keys(), path
        for name in kept:
            assert_same(made[name], kept[name], (*path, name))
    elif isinstance(kept, list):
        assert len(made) == len(kept), path
        for i, (one, other) in enumerate(zip(made, kept, strict=True)):
            assert_same(one, other, (*path, str(i)))
    elif isinstance(kept, float):
        assert made == pytest.approx(kept, rel=1e-9, abs=1e-12), path
    else:
        assert made == kept, path


def test_the_messages_that_the_page_is_tested_with_are_those_of_today() -> None:
    assert_same(messages(), json.loads(FILE.read_text()))


def test_they_hold_what_is_hard_to_carry() -> None:
    kept = json.loads(FILE.read_text())
    entry = {name: case["data"]["entries"][0] for name, case in kept.items() if "data" in case}
    vacuous = {name: c["frame"]["entries"][0]["vacuous"] for name, c in kept.items() if "data" in c}
    assert kept["an infinite end"]["expected"][0]["quantiles"][0][0] == "-Infinity"
    assert vacuous["an infinite end"] == [None, None]
    assert kept["one vacuous label"]["expected"][0]["quantiles"][0] == ["-Infinity", "Infinity"]
    assert vacuous["one vacuous label"][1] is None
    assert None not in vacuous["both vacuous"]
    assert kept["localized"]["expected"][0]["quantiles"] is None
    assert entry["localized"]["centres"] is None
    assert len(entry["localized"]["frozen"]) == len(FROZEN_STOPS)
    assert any(
        max(frame["entries"][0]["local"]["vacuous_share"]) > 0
        for frame in kept["localized"]["many"]
    )
    assert entry["ties, and names"]["classes"] == ["<benign>", "malign"]
    assert entry["split rule"]["rule"] == "split"
    assert entry["simultaneous"]["recalibration"]["before"][0][1] is not None
    assert entry["simultaneous, refuted"]["recalibration"]["before"][0][1] is None
    assert kept["simultaneous, refuted"]["frame"]["entries"][0]["notes"]
    assert any(setting["entries"][0]["vacuous"][0] for setting in kept["simultaneous"]["many"])
    assert entry["thinned"]["simplified"]
    assert entry["thinned"]["grid"] is not None
    assert not entry["thinned"]["whole"]
    assert all(residuals["stops"] for residuals in entry["thinned"]["residuals"])
    assert kept["three classes"]["data"]["kind"] == "classes"
    assert kept["two classifiers"]["data"]["kind"] == "classifiers"
    assert entry["curves alone"]["curves"] is not None
    ties = kept["ties, and names"]["expected"][0]
    moves = np.column_stack([np.diff(ties["fpr"]), np.diff(ties["tpr"])])
    assert (moves > 0).all(axis=1).any(), "labels that share a score"
    assert FILE.stat().st_size < 480_000


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    lines = [
        f"{json.dumps(name)}: {json.dumps(case, allow_nan=False, separators=(',', ':'))}"
        for name, case in messages().items()
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
