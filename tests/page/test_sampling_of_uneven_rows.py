"""More test data for rows with weights or a time: every picture has the page's band and limits."""

import numpy as np
import pytest
from data import scored
from followed_data import Exponential, drawn
from said import area_digits
from sklearn.metrics import roc_auc_score

from conformal_roc_widget import ConformalROC, RocEvaluation, ROCWidget
from conformal_roc_widget.comparators import bootstrap_band
from conformal_roc_widget.text import number_text


def weighted():
    rng = np.random.default_rng(4)
    weights = np.linspace(0.5, 2.5, 80)
    return RocEvaluation.from_predictions(
        *scored(rng, 60), *scored(rng, 80), sample_weight_test=weights
    )


def followed():
    X, y = drawn(300, seed=1)
    model = ConformalROC(Exponential(), horizons=1.0, random_state=0).fit(X[:200], y[:200])
    return model.evaluate(X[200:], y[200:])


def areas_of_redraws(evaluation):
    """Areas of bootstrap samples, drawn within each label."""
    rng, y = np.random.default_rng(0), evaluation.labels
    rows = [np.flatnonzero(y == label) for label in (0, 1)]
    for _ in range(1000):
        drawn = np.concatenate([rng.choice(each, each.size) for each in rows])
        weights = evaluation.sample_weight[drawn]
        yield roc_auc_score(y[drawn], evaluation.scores[drawn], sample_weight=weights)


@pytest.mark.parametrize("made", [weighted, followed])
def test_the_area_has_limits_near_those_of_redraws_in_every_picture(made, tmp_path):
    evaluation = made()
    _, *limits = found = evaluation.auc(0.05)
    assert "weights" in found.method
    redrawn = np.quantile(list(areas_of_redraws(evaluation)), [0.025, 0.975])
    np.testing.assert_allclose(limits, redrawn, atol=0.03)
    digits = area_digits([evaluation.observed_auc, *limits])
    said = " to ".join(number_text(limit, digits) for limit in limits)
    widget = ROCWidget(evaluation, band="sampling")
    widget.wait()
    assert said in widget.to_svg(tmp_path / "a.svg").read_text()
    assert said in widget.chart().to_json()
    alone = evaluation.plot(band="sampling")
    for plot in (widget.plot(), alone):
        assert any(said in text.get_text() for text in plot.ax_.texts)


def test_rows_with_weights_have_the_bands_of_the_bootstrap_with_weights():
    evaluation = weighted()
    band = bootstrap_band(
        evaluation.labels,
        evaluation.scores,
        sample_weight=evaluation.sample_weight,
        random_state=0,
    )
    widget = ROCWidget(evaluation, band="sampling")
    widget.wait()
    shown = widget._worker.overlaid(None, 0.05).bands["bootstrap"]
    np.testing.assert_array_equal(shown.tpr_lower, band.tpr_lower)
    np.testing.assert_array_equal(shown.tpr_upper, band.tpr_upper)


def test_what_counts_rows_says_so():
    said = "found 'ks', expected 'bootstrap': DKW rectangles counts rows of equal weight"
    with pytest.raises(ValueError, match=said):
        ROCWidget(weighted(), comparators=("ks",))
