"""The widget's Python side. Messages of the page are passed to it directly."""

import numpy as np
import pytest
from data import assert_same_curves, evaluation_from_scores, logistic_sample, scored
from said import is_said
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_validate

from conformal_roc_widget import RocEvaluation, ROCWidget, average_bands
from conformal_roc_widget.wire.budget import ALPHA_STOPS


def test_the_current_band_and_point_are_those_of_the_evaluation(widget, evaluation):
    widget.alpha, widget.threshold = 0.2, 0.7
    assert_same_curves(widget.current_band, evaluation.band(0.2))
    assert widget.operating_point == evaluation.operating_point(0.7, 0.2)
    assert widget.evaluation is evaluation
    assert widget.to_frame().equals(evaluation.band(0.2).to_frame())


def test_from_estimator_trains_calibrates_and_shows(rng):
    X = rng.normal(size=(300, 2))
    y = (X[:, 0] + rng.normal(size=300) > 0).astype(int)
    widget = ROCWidget.from_estimator(
        LogisticRegression(), X[:200], y[:200], X[200:], y[200:], alpha=0.1, random_state=0
    )
    assert widget.alpha == 0.1
    assert sum(widget.evaluation.n_calibration.values()) == 100
    with pytest.raises(TypeError, match="refrence"):
        ROCWidget.from_estimator(LogisticRegression(), X, y, X, y, refrence="score")


def test_several_rows_of_one_person_have_no_reliability_and_a_note_says_so(rng):
    calibration, test = scored(rng, 60), scored(rng, 40)
    given = RocEvaluation.from_predictions(
        *calibration, *test, groups_test=np.arange(40) // 4, guarantee="individual"
    )
    widget = ROCWidget(given)
    (entry,) = widget._data["entries"]
    assert entry["weighted"] is True, "what a page asks for whether to offer the view"
    (stops,) = widget._stops["entries"]
    assert stops["reliability"] is None
    (note,) = [note for note in entry["notes"] if "no reliability" in note["reason"]]
    start = "The 40 test rows belong to 10 people, and rows of one person are not "
    assert note["fact"].startswith(start)
    one_each = RocEvaluation.from_predictions(*calibration, *test, groups_test=np.arange(40))
    plain = ROCWidget(RocEvaluation.from_predictions(*calibration, *test))
    assert ROCWidget(one_each)._data == plain._data


def test_the_text_form_is_the_same_in_every_run(widget):
    assert repr(widget) == (
        "ROCWidget(RocEvaluation(0: 30 calibration and 25 test points, "
        "1: 30 calibration and 25 test points), alpha=0.05, threshold=0.5, band='sensitivity')"
    )


def test_two_widgets_share_an_evaluation_and_nothing_else(evaluation):
    one, other = ROCWidget(evaluation), ROCWidget(evaluation)
    one.alpha = 0.2
    assert other.alpha == 0.05
    assert other._frame["alpha"] == 0.05
    assert np.shares_memory(one.evaluation.scores, other.evaluation.scores)


@pytest.fixture
def classes():
    """One class against the rest, three times, each with its own truth."""
    return {name: evaluation_from_scores(i, n_test=40 + i) for i, name in enumerate("abc")}


@pytest.fixture
def classifiers():
    return {"rough": evaluation_from_scores(1, decimals=1), "fine": evaluation_from_scores(1)}


def cross_validated(rng):
    X, y, _ = logistic_sample(rng, 300)
    cv = StratifiedKFold(3)
    return (
        cross_validate(
            LogisticRegression(), X, y, cv=cv, return_estimator=True, return_indices=True
        ),
        X,
        y,
    )


def test_folds_are_shown_each_with_the_pooled_curve_and_the_mean_area(rng):
    results = cross_validated(rng)
    widget = ROCWidget.from_cv_results(*results, alpha=0.1)
    folds = RocEvaluation.from_cv_results(*results)
    sent = widget._data["folds"]
    assert (widget._data["kind"], sent["auc"]) == ("folds", folds.pooled.auc)
    mean, lower, upper = folds.mean_auc(0.1)
    lowers, uppers = np.frombuffer(sent["limits"], "<f4").reshape(2, -1)
    at = ALPHA_STOPS.index(0.1)
    assert (lowers[at], sent["mean"], uppers[at]) == pytest.approx((lower, mean, upper))
    assert sent["method"] == folds.mean_auc(0.1).method
    x, y = (np.frombuffer(sent[name], "<f4") for name in ("fpr", "tpr"))
    assert np.trapezoid(y, x) == pytest.approx(folds.pooled.auc, abs=2e-3)
    conformal = ROCWidget(folds, alpha=0.1, band="sensitivity")
    for fold, band in conformal.current_band.items():
        assert_same_curves(band, folds[fold].band(0.1))
    text = widget._repr_mimebundle_()[0]["text/plain"]
    said = {"mean": f"{mean:.2f}", "lower": f"{lower:.2f}", "upper": f"{upper:.2f}"}
    assert is_said("say.folds", text, **said, sure="90 % sure")
    left_out = "another training set would change them is left out"
    asked = ROCWidget(folds, alpha=0.1, band="sampling")._repr_mimebundle_()[0]["text/plain"]
    assert is_said("say.folds", asked, **said)
    assert "in large samples, if more data come from the same source; by LeDell" in asked
    assert asked.count(left_out) == 1
    assert is_said("say.pooled", text)
    assert "verage" not in text.replace("coverage", "").replace(" % on average;", "")


def test_folds_of_weighted_rows_have_the_mean_of_their_weighted_areas(rng):
    cv_results, X, y = cross_validated(rng)
    weight = rng.uniform(0.5, 2, size=y.size)
    widget = ROCWidget.from_cv_results(cv_results, X, y, sample_weight=weight)
    areas = []
    for estimator, rows in zip(cv_results["estimator"], cv_results["indices"]["test"], strict=True):
        score = estimator.predict_proba(X[rows])[:, 1]
        areas.append(roc_auc_score(y[rows], score, sample_weight=weight[rows]))
    assert widget._data["folds"]["mean"] == pytest.approx(np.mean(areas), abs=1e-6)
    text = widget._repr_mimebundle_()[0]["text/plain"]
    assert is_said("say.folds", text, mean=f"{np.mean(areas):.2f}")


def test_classes_together_have_an_average_and_a_point_each(classes):
    widget = ROCWidget(classes, kind="classes", alpha=0.1, weights="uniform", band="sensitivity")
    assert widget.label is None
    assert widget.evaluation is classes
    assert_same_curves(widget.current_band, average_bands(classes, 0.1, "uniform"))
    assert widget.operating_point == {
        name: each.operating_point(0.5, 0.1) for name, each in classes.items()
    }
    assert widget.to_frame().equals(widget.current_band.to_frame())


def test_one_class_that_is_looked_at_is_like_a_single_evaluation(classes):
    widget = ROCWidget(classes, kind="classes", label="b", alpha=0.1, band="both")
    assert widget.evaluation is classes["b"]
    assert_same_curves(widget.current_band, classes["b"].band(0.1))
    assert widget.operating_point == classes["b"].operating_point(0.5, 0.1)
    widget.label = None
    assert widget.evaluation is classes


def test_one_curve_is_told_from_another_by_its_counts_too():
    def ranked(*scores):
        y = [0, 1, 0, 1]
        return RocEvaluation.from_predictions(y * 5, np.linspace(0.1, 0.9, 20), y, scores)

    one, other = ranked(0.2, 0.4, 0.6, 0.8), ranked(0.2, 0.6, 0.4, 0.8)
    assert ROCWidget({"a": one, "b": ranked(0.2, 0.4, 0.6, 0.8)})._data["kind"] == "bands"
    assert ROCWidget({"a": one, "b": other})._data["kind"] == "classifiers"


def test_bands_of_several_classifiers_are_one_table(classifiers):
    widget = ROCWidget(classifiers, band="sensitivity")
    assert_same_curves(widget.current_band["fine"], classifiers["fine"].band())
    table = widget.to_frame()
    assert table.columns[0] == "label"
    assert set(table["label"]) == {"rough", "fine"}


def test_keys_are_carried_as_json_has_them():
    evaluation = evaluation_from_scores()
    widget = ROCWidget({np.int64(3): evaluation, np.str_("x"): evaluation, 0.5: evaluation})
    assert [entry["label"] for entry in widget._data["entries"]] == [3, "x", 0.5]
    widget.label = np.int64(3)
    assert widget.label == 3
    assert type(widget.label) is int


def test_the_text_form_of_several_names_the_one_that_is_looked_at(classifiers):
    text = repr(ROCWidget(classifiers, label="fine"))
    assert text.endswith("band='sampling', label='fine', weights='size')")
