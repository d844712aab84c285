"""The reliability diagram: its steps, its lines, its words."""

import importlib.util
import itertools
import sys

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression

from conformal_roc_widget import calibration_band, charts


def rows_of(chart, *fields):
    spec = chart.to_dict()
    tables = [
        layer["data"].get("values") or spec["datasets"][layer["data"]["name"]]
        for layer in spec["layer"]
    ]
    return [list(rows) for rows in tables if set(rows[0]) == set(fields)]


@pytest.fixture
def band(rng):
    score = rng.random(300)
    return calibration_band(rng.random(300) < score, score)


def test_the_steps_are_the_bounds_between_the_scores(band):
    steps, *edges = rows_of(charts.reliability(band), "x", "lower", "upper")
    assert edges == [steps] * 2
    assert (steps[0]["x"], steps[-1]["x"]) == (0, 1)
    for row, following in itertools.pairwise(steps):
        lower, upper = band.at([(row["x"] + following["x"]) / 2])
        assert (row["lower"], row["upper"]) == (lower[0], upper[0])


def test_few_scores_have_a_bar_each_and_tell_their_bounds(rng):
    score = rng.choice([0.2, 0.5, 0.9], 300)
    band = calibration_band(rng.random(300) < score, score)
    chart = charts.reliability(band)
    (bars,) = rows_of(chart, "x", "x2", "y", "y2")
    assert [row["x"] for row in bars] == [row["x2"] for row in bars] == [0.2, 0.5, 0.9]
    assert [row["y"] for row in bars] == band.lower.tolist()
    assert [row["y2"] for row in bars] == band.upper.tolist()
    (told,) = rows_of(chart, "x", "y", "Score", "Lower bound", "Upper bound")
    assert [row["Score"] for row in told] == [0.2, 0.5, 0.9]
    assert [row["Upper bound"] for row in told] == band.upper.tolist()


def test_the_diagonal_is_for_probabilities_alone(band, rng):
    diagonal = [{"x": 0, "y": 0}, {"x": 1, "y": 1}]
    assert diagonal in rows_of(charts.reliability(band), "x", "y")
    score = rng.normal(size=100)
    numbers = calibration_band(rng.random(100) < 0.5, score)
    (line,) = rows_of(charts.reliability(numbers), "x", "y")
    assert line[-1]["y"] == numbers.isotonic[-1]
    assert line[0]["x"] == score.min()


def test_target_scope_guarantee_and_notes_are_told(rng):
    score = rng.random(2000)
    band = calibration_band(rng.random(2000) > score, score, 0.0125)
    words = charts.reliability(band, title="Mine", theme="dark").to_dict()["description"]
    said = " ".join(words.replace("\N{NO-BREAK SPACE}", " ").split())
    for part in ("Mine", band.target, band.scope, "98.75 %", "refute"):
        assert part in said


def test_venn_abers_pairs_are_isotonic_fits_with_the_point_as_either_label(rng):
    pytest.importorskip("venn_abers")
    score = rng.integers(1, 20, 80) / 20
    y = (rng.random(80) < score).astype(int)
    chart = charts.reliability(calibration_band(y, score), venn_abers=True)
    rows = max(rows_of(chart, "x", "lower", "upper"), key=len)
    for row in rows[::20]:
        for name, label in (("lower", 0), ("upper", 1)):
            x, labels = np.append(score, row["x"]), np.append(y, label)
            fit = IsotonicRegression().fit(x, labels).predict([row["x"]])
            assert row[name] == pytest.approx(fit[0], abs=1e-9), (row["x"], name)
    assert "no confidence interval" in chart.to_json()
    assert "Venn-Abers" not in charts.reliability(calibration_band(y, score)).to_json()


def test_venn_abers_needs_probabilities_and_leaves_numpy_as_it_was(rng):
    before = np.geterr()
    y = rng.integers(0, 2, 50)
    with pytest.raises(ValueError, match=r"venn_abers: found scores from .*probabilities"):
        charts.reliability(calibration_band(y, rng.normal(size=50)), venn_abers=True)
    with pytest.raises(TypeError, match="venn_abers"):
        charts.reliability(calibration_band(y, rng.random(50)), venn_abers="yes")
    if importlib.util.find_spec("venn_abers"):
        charts.reliability(calibration_band(y, rng.random(50)), venn_abers=True)
    assert np.geterr() == before


def test_without_its_package_venn_abers_names_the_extra_that_adds_it(rng, monkeypatch):
    monkeypatch.setitem(sys.modules, "venn_abers", None)
    band = calibration_band(rng.integers(0, 2, 50), rng.random(50))
    with pytest.raises(ImportError, match=r"pip install 'conformal_roc_widget\[venn\]'"):
        charts.reliability(band, venn_abers=True)
