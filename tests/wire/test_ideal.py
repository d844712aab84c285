import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, ROCWidget, simulation
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.wire.ideal import ideal_message


def evaluation_of(reference):
    X, y, _ = simulation.draw("missing_interaction", 260, np.random.default_rng(3), value=1.5)
    model = ConformalROC(LogisticRegression(), reference=reference, random_state=0)
    return model.fit(X[:180], y[:180]).evaluate(X[180:], y[180:])


@pytest.fixture(scope="module")
def evaluation():
    return evaluation_of("sharp")


def counts(raw):
    """LEB128 of the first count and of the differences, byte by byte."""
    found, total, value, scale = [], 0, 0, 1
    for byte in raw:
        value += (byte & 127) * scale
        scale *= 128
        if byte < 128:
            total += value
            found.append(total)
            value, scale = 0, 1
    return np.array(found)


def test_the_page_reads_pythons_limits_at_every_stop(evaluation):
    message = ideal_message(Group.of(evaluation), Controls(alpha=0.0123, band="ideal"))
    alphas = np.frombuffer(message["alphas"])
    assert alphas.size == 181
    n, rates = message["n"], np.frombuffer(message["fpr"])
    raised = np.arange(rates.size)[:, None] * (n + 1)
    lower = counts(message["lower"]).reshape(rates.size, -1) - raised
    upper = (counts(message["upper"]).reshape(rates.size, -1) - raised)[:, ::-1]
    for place in (0, 12, 60, 180):
        curve = evaluation.ideal_curve(float(alphas[place]))
        np.testing.assert_allclose(lower[:, place] / n, curve.tpr_lower, atol=1e-12)
        np.testing.assert_allclose(upper[:, place] / n, curve.tpr_upper, atol=1e-12)
    np.testing.assert_allclose(counts(message["median"]) / n, curve.tpr_median, atol=1e-12)
    for name in ("auc", "gain"):
        limits = np.frombuffer(message[name], "<f4").reshape(2, -1)
        for place in (0, 12, 60, 180):
            interval = getattr(evaluation.ideal_curve(float(alphas[place])), name)
            assert limits[:, place].tolist() == [
                np.float32(interval.lower),
                np.float32(interval.upper),
            ]


def test_nothing_travels_before_it_is_asked_for_and_a_reference_without_draws_says_why(evaluation):
    assert ideal_message(Group.of(evaluation), Controls()) == {}
    message = ideal_message(Group.of(evaluation_of("kernel")), Controls(band="ideal"))
    assert set(message) == {"version", "label", "absence"}
    assert "choose reference='sharp'" in message["absence"]


def test_the_widget_sends_it_once_it_is_there(evaluation):
    widget = ROCWidget(evaluation)
    assert widget._ideal == {}
    widget.band = "ideal"
    widget._making_ideal._thread and widget._making_ideal._thread.join(60)
    assert widget._ideal["n"] == evaluation.n_test[1]
    before = widget._ideal
    widget.alpha = 0.2
    widget._making_ideal._thread and widget._making_ideal._thread.join(60)
    assert widget._ideal is before
    widget.close()
