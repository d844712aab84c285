"""Messages of the kernel with the numbers they stand for: js/test/fixtures.test.ts reads them back.

``python tests/test_fixtures.py`` writes them anew after a change of the wire format.
"""

import base64
import json
import math
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from conformal_roc_widget import ConformalROC, RocEvaluation, wire

FILE = Path(__file__).parent / "fixtures/messages.json"
CURVES = ("fpr", "tpr", "fpr_lower", "fpr_upper", "tpr_lower", "tpr_upper")
RATES = ("tpr", "tpr_lower", "tpr_upper", "fpr", "fpr_lower", "fpr_upper")


def scored(zeros: int, ones: int, digits: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Labels and scores that no generator of random numbers can change."""
    y = np.repeat([0, 1], [zeros, ones])
    place = np.arange(zeros + ones)
    return y, (0.05 + 0.7 * (place * 0.381966 % 1) + 0.2 * y).round(digits)


class FirstFeature(ClassifierMixin, BaseEstimator):
    """A classifier whose probability is the first feature."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.column_stack([1 - X[:, 0], X[:, 0]])


def localized() -> RocEvaluation:
    def part(zeros, ones):
        y, p = scored(zeros, ones)
        return np.column_stack([p, (p * 7.3) % 1]), y

    X, y = part(60, 60)
    model = ConformalROC(
        FirstFeature(), reference=lambda X: 0.1 + 0.8 * X[:, 0] ** 2, neighbors=40, distance="score"
    ).fit(X, y, X_calibration=X, y_calibration=y)
    return model.evaluate(*part(17, 14))


def cases() -> dict[str, tuple[RocEvaluation, float, float]]:
    """Name -> evaluation, alpha, threshold."""
    test = scored(16, 19)
    names = np.array(["<benign>", "malign"])
    ties = tuple(scored(16, 21, digits=1))
    return {
        "limits everywhere": (RocEvaluation.from_predictions(*scored(90, 110), *test), 0.05, 0.42),
        "ties, and names": (
            RocEvaluation.from_predictions(
                names[scored(90, 110, 2)[0]], scored(90, 110, 2)[1], names[ties[0]], ties[1]
            ),
            0.2,
            0.6,
        ),
        "an infinite end": (RocEvaluation.from_predictions(*scored(60, 70), *test), 0.05, 0.5),
        "one vacuous label": (RocEvaluation.from_predictions(*scored(12, 80), *test), 0.05, 1.0),
        "localized": (localized(), 0.1, 0.35),
    }


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


def messages() -> dict[str, object]:
    made = {}
    for name, (evaluation, alpha, threshold) in cases().items():
        band = evaluation.band(alpha)
        point = evaluation.operating_point(threshold, alpha)
        data = wire.data_message(evaluation)
        assert not data["simplified"]
        made[name] = {
            "data": data,
            "frame": wire.frame_message(evaluation, alpha, threshold, "page", 3),
            "thresholds": band.thresholds,
            "quantiles": band.quantiles and [band.quantiles[0], band.quantiles[1]],
            **{curve: getattr(band, curve) for curve in CURVES},
            "point": {field: getattr(point, field) for field in ("tp", "fp", "tn", "fn", *RATES)},
            "sensitivity": {
                "upper": steps(band.fpr, band.tpr_upper),
                "lower": steps(band.fpr, band.tpr_lower),
            },
            "specificity": {
                "upper": steps(band.fpr_lower, band.tpr),
                "lower": steps(band.fpr_upper, band.tpr),
            },
        }
    return plain(made)


def floats(text: dict[str, str]) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text["base64"]), "<f8")


def assert_same(made: object, kept: object, path: str = "") -> None:
    """Equal, but for the last digits of logarithms and exponentials, which depend on the machine."""
    if path.endswith(("data.thresholds", "frame.quantiles")) and kept is not None:
        np.testing.assert_allclose(floats(made), floats(kept), rtol=1e-9, err_msg=path)
    elif isinstance(kept, dict):
        assert made.keys() == kept.keys(), path
        for name in kept:
            assert_same(made[name], kept[name], f"{path}.{name}")
    elif isinstance(kept, list):
        assert len(made) == len(kept), path
        for i, (one, other) in enumerate(zip(made, kept, strict=True)):
            assert_same(one, other, f"{path}.{i}")
    elif isinstance(kept, float):
        assert made == pytest.approx(kept, rel=1e-9, abs=0), path
    else:
        assert made == kept, path


def test_the_messages_that_the_page_is_tested_with_are_those_of_today() -> None:
    assert_same(messages(), json.loads(FILE.read_text()))


def test_they_hold_what_is_hard_to_carry() -> None:
    kept = json.loads(FILE.read_text())
    assert kept["an infinite end"]["quantiles"][0][0] == "-Infinity"
    assert kept["an infinite end"]["frame"]["vacuous"] == [None, None]
    assert kept["one vacuous label"]["quantiles"][0] == ["-Infinity", "Infinity"]
    assert kept["one vacuous label"]["frame"]["vacuous"][1] is None
    assert kept["localized"]["quantiles"] is None
    assert kept["ties, and names"]["data"]["classes"] == ["<benign>", "malign"]
    ties = kept["ties, and names"]
    steps = np.column_stack([np.diff(ties["fpr"]), np.diff(ties["tpr"])])
    assert (steps > 0).all(axis=1).any(), "labels that share a score"
    assert FILE.stat().st_size < 60_000


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    lines = [
        f"{json.dumps(name)}: {json.dumps(case, allow_nan=False, separators=(',', ':'))}"
        for name, case in messages().items()
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
