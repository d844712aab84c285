"""The reliability diagram: its steps, its lines, its words."""

import itertools

import numpy as np
import pytest

from conformal_roc_widget import calibration_band, charts
from conformal_roc_widget.charts.reliability import CELLS


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
    steps = rows_of(charts.reliability(band), "score", "lower", "upper")[0]
    assert (steps[0]["score"], steps[-1]["score"]) == (0, 1)
    for row, following in itertools.pairwise(steps):
        lower, upper = band.at([(row["score"] + following["score"]) / 2])
        assert (row["lower"], row["upper"]) == (lower[0], upper[0])


def test_many_scores_are_drawn_in_cells_that_are_never_narrower(rng):
    score = rng.random(5000)
    band = calibration_band(rng.random(5000) < score, score)
    steps = rows_of(charts.reliability(band), "score", "lower", "upper")[0]
    assert len(steps) <= CELLS + 2
    edges = [row["score"] for row in steps]
    cell = np.searchsorted(edges, band.score, side="right") - 1
    assert all(steps[c]["lower"] <= low for c, low in zip(cell, band.lower, strict=True))
    assert all(steps[c]["upper"] >= up for c, up in zip(cell, band.upper, strict=True))


def test_few_scores_have_a_bar_each(rng):
    score = rng.choice([0.2, 0.5, 0.9], 300)
    band = calibration_band(rng.random(300) < score, score)
    bars = rows_of(charts.reliability(band), "score", "lower", "upper")[-1]
    assert [row["score"] for row in bars] == [0.2, 0.5, 0.9]
    assert [row["lower"] for row in bars] == band.lower.tolist()


def test_the_diagonal_is_for_probabilities_alone(band, rng):
    assert [{"score": 0, "isotonic": 0}, {"score": 1, "isotonic": 1}] in rows_of(
        charts.reliability(band), "score", "isotonic"
    )
    score = rng.normal(size=100)
    numbers = calibration_band(rng.random(100) < 0.5, score)
    lines = rows_of(charts.reliability(numbers), "score", "isotonic")
    assert len(lines) == 1
    assert lines[0][-1]["isotonic"] == numbers.isotonic[-1]


def test_target_scope_guarantee_and_notes_are_told(rng):
    score = rng.random(2000)
    band = calibration_band(rng.random(2000) > score, score, 0.0125)
    words = charts.reliability(band, title="Mine", theme="dark").to_dict()["description"]
    said = " ".join(words.replace("\N{NO-BREAK SPACE}", " ").split())
    for part in ("Mine", band.target, band.scope, "98.75 %", "refute"):
        assert part in said


def test_a_band_shows_itself_in_a_notebook(band):
    data, _ = band._repr_mimebundle_()
    assert data["text/plain"] == repr(band)
    assert len(data) > 1


@pytest.mark.parametrize(
    ("arguments", "kind", "pattern"),
    [
        ({"band": None}, TypeError, "band: found NoneType"),
        ({"size": 20}, ValueError, "size"),
        ({"theme": "blue"}, ValueError, "theme"),
    ],
)
def test_bad_input_is_refused_by_name(band, arguments, kind, pattern):
    with pytest.raises(kind, match=pattern):
        charts.reliability(**{"band": band, **arguments})
