"""A page with many horizons is small, because it gets no numbers that it can compute."""

import numpy as np
import pytest
from data import evaluation_from_scores
from followed_data import drawn, risk
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, ROCWidget
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.wire.budget import export_budget
from conformal_roc_widget.wire.messages import data_message, page_messages


def at_horizons(horizons, n, lost=1.5, **options):
    (X, y), test = drawn(n, 1, lost), drawn(n, 2, lost)
    model = ConformalROC(LogisticRegression(), horizons=horizons, random_state=0, **options)
    return model.fit(X, y).evaluate_all(*test)


@pytest.mark.thorough
def test_32_horizons_of_1000_rows_are_at_most_700_kb(tmp_path):
    widget = ROCWidget(at_horizons(np.linspace(0.05, 1.6, 32).round(3), 1000, time_unit="years"))
    file = tmp_path / "page.html"
    widget.to_html(file)
    assert file.stat().st_size <= 700_000


@pytest.mark.thorough
@pytest.mark.parametrize("n", [2_000, 1_000_000])
def test_scores_alone_are_at_most_200_kb(n, tmp_path):
    widget = ROCWidget(evaluation_from_scores(0, n_calibration=min(n, 20_000), n_test=n))
    file = tmp_path / "page.html"
    widget.to_html(file)
    assert file.stat().st_size <= 200_000
    assert len(widget.as_html()._repr_html_().encode()) <= 200_000


@pytest.mark.parametrize("lost", [1.5, None])
def test_a_page_makes_centres_and_limits_itself(lost):
    group = Group.of(at_horizons((0.2, 0.6), 120, lost, reference=risk))
    data, frame = page_messages(group, 0.1, 0.4, export_budget(0.1))
    for evaluation, entry, first in zip(
        group.entries.values(), data["entries"], frame["entries"], strict=True
    ):
        assert entry["whole"]
        assert first["limits"] is None
        for label, sent in enumerate(entry["centres"]):
            assert sent["values"] is None
            # Results that the page computes: each vertex has the weight of the curve's step there.
            vertices = evaluation.sampled.screen_vertices
            counts = (vertices.fp, vertices.tp)[label]
            before = (sent["n"] - counts[1:])[::-1]
            ranks = ((np.arange(sent["ranks"]) + 0.5) * sent["n"] / sent["ranks"]).astype(int)
            made = vertices.logits[:0:-1][np.searchsorted(before, ranks, side="right") - 1]
            values = evaluation.calibrated_curve.sorted_centres[label]
            expected = values.at_even_ranks(1024) if lost else values.values
            np.testing.assert_array_equal(made, expected)


def test_the_residuals_of_every_threshold_are_among_those_of_the_intervals():
    group = Group.of(at_horizons((0.2, 0.6), 240, reference=risk))
    for entry in data_message(group, export_budget())["entries"]:
        for part in entry["envelope"]:
            assert part["residuals"] is None
            assert part["within"] == [0.005, 0.995]
            assert part["more"] == 1
