"""The same data give the same page and numbers through every function."""

import json

import numpy as np
import pandas as pd
import pytest
from data import logistic_sample
from scipy.special import expit
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, RocEvaluation, ROCWidget
from conformal_roc_widget.widget import command_line, display


def rows(seed, n):
    rng = np.random.default_rng(seed)
    y = np.resize([0, 1], n)
    return y, expit(1.2 * (2 * y - 1) + rng.normal(size=n))


def page(widget):
    """Data of a page, and the values of its controls."""
    sent = [widget._data, widget._frame, widget._controls()._asdict()]
    return json.dumps(sent, default=repr, sort_keys=True)


TWO, FOUR, FEW = rows(0, 60), (*rows(1, 200), *rows(2, 60)), (*rows(3, 24), *rows(2, 60))
MIDDLE = np.where(TWO[0], "ill", "well")


def shown_at_a_cells_end(evaluation, monkeypatch):
    """The widget that shows an evaluation at the end of a cell."""
    monkeypatch.setattr(display, "_in_notebook", lambda: True)
    evaluation._repr_mimebundle_()
    return display._SHOWN[evaluation]


def shown_by_the_command(arrays, tmp_path, monkeypatch):
    """The widget that the command line writes to a file."""
    seen, names = [], []
    for i in range(0, len(arrays), 2):
        names.append(tmp_path / f"{i}.csv")
        pd.DataFrame({"y": arrays[i], "p": arrays[i + 1]}).to_csv(names[-1], index=False)
    monkeypatch.setattr(ROCWidget, "save", lambda self, *_, **__: seen.append(self))
    calibration = ["--calibration", str(names[0])] if len(names) == 2 else []
    asked = [str(names[-1]), "--score", "p", "--label", "y", "-o", "a.html", *calibration]
    assert command_line.main(asked) == 0
    return seen[0]


@pytest.mark.parametrize(
    ("arrays", "band"),
    [
        pytest.param(TWO, "sampling", id="two"),
        pytest.param(FOUR, "sensitivity", id="four"),
        # With so few rows the conformal limits are uninformative.
        pytest.param(FEW, "sampling", id="four that are few"),
        pytest.param((MIDDLE, TWO[1]), "sampling", id="texts"),
    ],
)
def test_arrays_have_one_page(arrays, band, tmp_path, monkeypatch):
    evaluation = RocEvaluation.from_predictions(*arrays)
    named = dict(zip(("y_test", "score_test"), arrays[-2:], strict=True))
    if len(arrays) == 4:
        named |= dict(zip(("y_calibration", "score_calibration"), arrays[:2], strict=True))
    doors = {
        "from_predictions": ROCWidget.from_predictions(*arrays),
        "by keyword": ROCWidget.from_predictions(**named),
        "of an evaluation": ROCWidget(evaluation),
        "of an evaluation by keyword": ROCWidget(RocEvaluation.from_predictions(**named)),
        "at a cell's end": shown_at_a_cells_end(evaluation, monkeypatch),
        "the command": shown_by_the_command(arrays, tmp_path, monkeypatch),
    }
    first = doors["from_predictions"]
    for door, widget in doors.items():
        assert page(widget) == page(first), door
        assert widget.band == band, door
        assert widget.guarantee == first.guarantee
        assert str(widget.operating_point) == str(first.operating_point), door
        assert tuple(widget.auc) == tuple(first.auc), door
    wanted = {2: "simultaneous", 4: "individual" if arrays is FOUR else "simultaneous"}
    assert first.guarantee == wanted[len(arrays)]


def test_a_fitted_classifier_has_one_page():
    X, y, _ = logistic_sample(np.random.default_rng(0), 300)
    classifier = LogisticRegression().fit(X[:100], y[:100])
    test = X[100:], y[100:]
    weight = 1.0 + np.arange(200) % 3
    score = classifier.predict_proba(test[0])[:, 1]
    for given, same in (
        ({}, RocEvaluation.from_predictions(test[1], score)),
        (
            {"sample_weight": weight},
            RocEvaluation.from_predictions(test[1], score, sample_weight=weight),
        ),
    ):
        one = ROCWidget.from_estimator(classifier, *test, name="a", **given)
        other = ROCWidget.from_estimator(
            classifier, X_test=test[0], y_test=test[1], name="a", **given
        )
        assert page(one) == page(other)
        assert one.operating_point == ROCWidget(same).operating_point
        assert one.band == "sampling"


def test_a_model_has_one_page_and_a_positive_class():
    X, y, _ = logistic_sample(np.random.default_rng(0), 400)
    frozen = FrozenEstimator(LogisticRegression().fit(X[:100], y[:100]))
    data = X[100:300], y[100:300], X[300:], y[300:]
    given = {"random_state": 0, "pos_label": 0}
    one = ROCWidget.from_estimator(frozen, *data, name="a", page={"arc": False}, **given)
    model = ConformalROC(frozen, **given).fit(*data[:2])
    other = ROCWidget(model.evaluate(*data[2:]), name="a", page={"arc": False})
    assert page(one) == page(other)
    assert model.evaluate(*data[2:]).classes == (1, 0)
    assert model.evaluate(*data[2:], pos_label=1).classes == (0, 1)


def test_what_is_no_choice_of_the_page_is_refused_at_every_door():
    X, y, _ = logistic_sample(np.random.default_rng(0), 200)
    classifier, wrong = LogisticRegression().fit(X, y), {"nonsense": 3}
    for call in (
        lambda: ROCWidget(RocEvaluation.from_predictions(*TWO), page=wrong),
        lambda: ROCWidget.from_predictions(*TWO, page=wrong),
        lambda: ROCWidget.from_estimator(classifier, X, y, page=wrong),
    ):
        with pytest.raises(Exception, match="page: found 'nonsense'"):
            call()


@pytest.mark.parametrize("given", [{"y_test": TWO[0]}, {}, {"score_calibration": TWO[1]}])
def test_half_of_a_pair_is_named(given):
    for maker in (ROCWidget, RocEvaluation):
        with pytest.raises(ValueError, match=r"found None, expected from_predictions\(y, score\)"):
            maker.from_predictions(**given)


def test_weights_of_two_sets_of_rows_say_whose_they_are():
    weight = np.ones(60)
    with pytest.raises(ValueError, match="expected sample_weight_test or"):
        ROCWidget.from_predictions(*FOUR, sample_weight=weight)
    with pytest.raises(ValueError, match="beside sample_weight_test"):
        RocEvaluation.from_predictions(*TWO, sample_weight=weight, sample_weight_test=weight)
