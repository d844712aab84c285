"""What a widget opens with if no promise is given, and the lines that create it."""

import numpy as np
import pytest
import traitlets
from cases import CASES, QUICK
from cases import shown as shown_by
from data import evaluation_from_scores, logistic_sample, scored, three_classes
from sklearn.cluster import KMeans
from sklearn.datasets import load_breast_cancer
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from widget_state import payload_of

from conformal_roc_widget import ConformalROC, RocEvaluation, ROCWidget
from conformal_roc_widget.shown import opening as opening_module
from conformal_roc_widget.widget import display


def rows(rng, zeros, ones):
    y = np.repeat([0, 1], [zeros, ones])
    return y, rng.beta(1 + y, 2 - y).round(3)


@pytest.fixture
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    order = np.random.default_rng(0).permutation(y.size)
    return X[order[:285], :4], y[order[:285]], X[order[285:], :4], y[order[285:]]


# Two arrays, and a fitted classifier


def test_labels_and_scores_are_one_line(rng):
    y, score = rows(rng, 40, 30)
    widget = ROCWidget.from_predictions(y, score, alpha=0.1)
    assert (widget.band, widget.guarantee, widget.alpha) == ("sampling", "simultaneous", 0.1)
    assert widget.evaluation.n_test == {0: 40, 1: 30}
    assert ROCWidget.from_predictions(y, score, band="both").band == "both"
    assert ROCWidget.from_predictions(y, score, pos_label=0).evaluation.classes == (1, 0)


def test_weights_and_people_reach_the_evaluation(rng):
    y, score = rows(rng, 40, 30)
    given = {"sample_weight_test": 1 + np.arange(70) % 2, "groups_test": np.arange(70) // 2}
    evaluation = ROCWidget.from_predictions(y, score, **given).evaluation
    np.testing.assert_array_equal(evaluation.sample_weight, given["sample_weight_test"])
    np.testing.assert_array_equal(evaluation.groups, given["groups_test"])


def test_a_fitted_classifier_is_shown_with_its_scores(cancer):
    X, y, X_test, y_test = cancer
    fitted = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    widget = ROCWidget.from_estimator(fitted, X_test, y_test)
    scores = fitted.predict_proba(X_test)[:, 1]
    np.testing.assert_array_equal(widget.evaluation.scores, scores)
    two = ROCWidget.from_predictions(y_test, scores)
    assert widget.evaluation.at(0.1).ideal_auc_range() == pytest.approx(
        two.evaluation.at(0.1).ideal_auc_range()
    )
    assert (widget.band, widget.guarantee) == ("sampling", "simultaneous")
    np.testing.assert_array_equal(widget.to_classifier().predict(X_test), fitted.predict(X_test))
    for shown in (FrozenEstimator(fitted), LinearSVC().fit(X, y)):
        assert ROCWidget.from_estimator(shown, X_test, y_test).guarantee == "simultaneous"
    other = ROCWidget.from_estimator(fitted, X_test, y_test, pos_label=0, band="none").evaluation
    np.testing.assert_allclose(other.scores, 1 - scores, atol=1e-15)
    assert other.classes == (1, 0)


def test_several_classes_of_a_fitted_classifier_are_each_against_the_rest(rng):
    X, y = three_classes(rng, 200)
    fitted = LogisticRegression().fit(X[:100], y[:100])
    widget = ROCWidget.from_estimator(fitted, X[100:], y[100:])
    assert widget._data["kind"] == "classes"
    assert list(widget.evaluation) == [0, 1, 2]
    probabilities = fitted.predict_proba(X[100:])
    for k, evaluation in widget.evaluation.items():
        np.testing.assert_array_equal(evaluation.scores, probabilities[:, k])
        np.testing.assert_array_equal(evaluation.labels, y[100:] == k)
    one = ROCWidget.from_estimator(fitted, X[100:], y[100:], label=2).evaluation
    assert one.classes == ("not 2", 2)


def test_what_is_missing_or_too_much_is_named(cancer):
    X, y, X_test, y_test = cancer
    fitted, plain = LogisticRegression(max_iter=5000).fit(X, y), LogisticRegression()
    for call, error, found in (
        ((plain, X_test, y_test), ValueError, "X_test, y_test: found none with LogisticRegression"),
        ((fitted, X, y, X_test), ValueError, "y_test: found None, expected from_estimator"),
        ((KMeans().fit(X), X_test, y_test), TypeError, "estimator: found KMeans"),
        ((fitted, X_test, y_test + 5), ValueError, "y_test: found 5, 6, expected the classes"),
        ((fitted, X_test, 0 * y_test), ValueError, "y_test: found one class only"),
    ):
        with pytest.raises(error, match=found):
            ROCWidget.from_estimator(*call)
    for options, error, found in (
        ({"reference": "kernel"}, ValueError, "reference: found it without calibration rows"),
        ({"guarantee": "individual"}, ValueError, "guarantee: found 'individual' for test rows"),
        ({"pos_label": 7}, ValueError, "pos_label: found 7, expected one of 0, 1"),
        ({"colour": "red"}, TypeError, "colour"),
    ):
        with pytest.raises(error, match=found):
            ROCWidget.from_estimator(fitted, X_test, y_test, **options)


# Names


def test_one_evaluation_may_have_a_name(cancer):
    X, y, X_test, y_test = cancer
    model = make_pipeline(StandardScaler(), LogisticRegression())

    def name(widget):
        return widget._group.name(None)

    assert name(ROCWidget.from_estimator(model, *cancer, random_state=0)) == "LogisticRegression"
    assert name(ROCWidget.from_estimator(model.fit(X, y), X_test, y_test)) == "LogisticRegression"
    named = ROCWidget.from_estimator(model.fit(X, y), X_test, y_test, name="model\n2")
    assert name(named) == "model 2"
    one = evaluation_from_scores(1)
    assert name(ROCWidget(one)) == ""
    assert name(ROCWidget(one, name="ward")) == "ward"
    assert name(ROCWidget.from_predictions(one.labels, one.scores, name="ward")) == "ward"
    with pytest.raises(ValueError, match="name: found 'ward' for several"):
        ROCWidget({"a": one}, name="ward")


# Guarantees that nobody chose


@pytest.mark.parametrize(
    ("sizes", "alpha", "guarantee"),
    [
        ((79, 79), 0.05, "individual"),
        ((78, 200), 0.05, "simultaneous"),
        ((200, 78), 0.05, "simultaneous"),
        ((39, 39), 0.1, "individual"),
        ((38, 39), 0.1, "simultaneous"),
    ],
)
def test_four_arrays_open_with_the_papers_promise_where_both_labels_have_both_limits(
    rng, sizes, alpha, guarantee
):
    calibration, test = rows(rng, *sizes), rows(rng, 20, 20)
    widget = ROCWidget.from_predictions(*calibration, *test, alpha=alpha)
    assert (widget.guarantee, widget.band) == (guarantee, "sensitivity")
    if guarantee == "individual":
        sharp = RocEvaluation.from_predictions(*calibration, *test, reference="sharp")
        np.testing.assert_array_equal(widget.evaluation.residuals[1], sharp.residuals[1])
        assert all(widget.current_band.has_limits(1))
    for asked in ("individual", "simultaneous"):
        made = ROCWidget.from_predictions(*calibration, *test, alpha=alpha, guarantee=asked)
        assert made.guarantee == asked


def test_calibration_rows_that_do_not_count_alike_keep_the_kernel_and_its_promise(rng):
    calibration, test = rows(rng, 30, 30), rows(rng, 20, 20)
    people = np.arange(60) // 2
    widget = ROCWidget.from_predictions(*calibration, *test, groups_calibration=people)
    assert widget.guarantee == "individual"
    kernel = RocEvaluation.from_predictions(*calibration, *test, groups_calibration=people)
    np.testing.assert_array_equal(widget.evaluation.residuals[1], kernel.residuals[1])


@pytest.mark.parametrize(
    ("n", "options", "guarantee"),
    [
        (600, {}, "everywhere"),
        (600, {"alpha": 0.1}, "everywhere"),
        (600, {"alpha": 0.101}, "individual"),
        (200, {}, "everywhere"),
        (200, {"alpha": 0.2}, "individual"),
        (200, {"calibration": "cross"}, "individual"),
        (200, {"neighbors": 20}, "individual"),
        (200, {"reference": "score"}, "individual"),
        (200, {"guarantee": "individual"}, "individual"),
        (600, {"guarantee": "everywhere"}, "everywhere"),
    ],
)
def test_a_fit_opens_with_the_narrower_promise(rng, n, options, guarantee):
    X, y, _ = logistic_sample(rng, n + 40)
    parts = X[:n], y[:n], X[n:], y[n:]
    widget = ROCWidget.from_estimator(LogisticRegression(), *parts, random_state=0, **options)
    assert widget.guarantee == guarantee
    if "guarantee" not in options and guarantee == "everywhere":
        # the widget also offers the other promise
        widget.guarantee = "individual"
        assert widget.evaluation.guarantee == "individual"


def test_of_several_classes_the_smallest_decides_for_all(rng):
    X, y = three_classes(rng, 400)
    parts = X[:300], y[:300], X[300:], y[300:]
    made = ROCWidget.from_estimator(LogisticRegression(), *parts, random_state=0)
    assert made.guarantee == "everywhere"
    assert {each.guarantee for each in made.evaluation.values()} == {"everywhere"}
    made = ROCWidget.from_estimator(LogisticRegression(), *parts, random_state=0, alpha=0.4)
    assert made.guarantee == "individual"


def test_results_do_not_decide(rng):
    X, y, _ = logistic_sample(rng, 200)
    found = set()
    for labels in (y, rng.permutation(y)):
        parts = X[:160], labels[:160], X[160:], labels[160:]
        found.add(ROCWidget.from_estimator(LogisticRegression(), *parts, random_state=0).guarantee)
    assert found == {"everywhere"}


def test_an_evaluation_opens_as_a_fit_does_unless_somebody_chose(rng):
    few = RocEvaluation.from_predictions(*rows(rng, 30, 30), *scored(rng, 20))
    assert (few.guarantee, ROCWidget(few).guarantee) == ("individual", "simultaneous")
    assert ROCWidget(few.with_guarantee("individual")).guarantee == "individual"
    X, y, _ = logistic_sample(rng, 400)
    test = X[350:], y[350:]
    made = ConformalROC(LogisticRegression(), random_state=0).fit(X[:350], y[:350])
    nobody = made.evaluate(*test)
    assert (nobody.guarantee, nobody.is_chosen) == ("individual", False)
    assert [ROCWidget(nobody, alpha=a).guarantee for a in (0.05, 0.1, 0.15)] == [
        "everywhere",
        "everywhere",
        "individual",
    ]
    for chosen in (
        ROCWidget(nobody, guarantee="individual"),
        ROCWidget(nobody.with_guarantee("individual")),
        ROCWidget(nobody.with_guarantee("everywhere").with_guarantee("individual")),
        ROCWidget(made.evaluate(*test, guarantee="individual")),
        ROCWidget({"a": nobody, "b": made.evaluate(*test, guarantee="individual")}),
        ROCWidget(made.evaluate(*test, sample_weight=1 + np.arange(50) % 3)),
    ):
        assert chosen.guarantee == "individual"
    assert ROCWidget(made.evaluate_all(*test), kind="classes").guarantee == "everywhere"


def test_no_slider_changes_the_promise(rng):
    X, y, _ = logistic_sample(rng, 400)
    made = ConformalROC(LogisticRegression(), random_state=0).fit(X[:350], y[:350])
    widget = ROCWidget(made.evaluate(X[350:], y[350:]))
    widget.alpha = 0.4
    assert widget.guarantee == widget.evaluation.guarantee == "everywhere"


def test_pages_and_cells_open_as_the_widget_does(rng, tmp_path, monkeypatch):
    X, y, _ = logistic_sample(rng, 400)
    made = ConformalROC(LogisticRegression(), random_state=0).fit(X[:350], y[:350])
    evaluation = made.evaluate(X[350:], y[350:])
    page = ROCWidget(evaluation).to_html(tmp_path / "page.html").read_text()
    assert payload_of(page)["state"]["guarantee"] == "everywhere"
    monkeypatch.setattr(display, "_in_notebook", lambda: True)
    monkeypatch.setattr(display.importlib.util, "find_spec", lambda name: None)
    data, _ = display.mimebundle(evaluation)
    assert "every threshold" in data["text/plain"] + str(data)


# A curve without a band


def test_without_a_band_nothing_is_promised(rng, tmp_path):
    one = evaluation_from_scores(1)
    widget = ROCWidget(one, band="none")
    text = widget.to_svg(tmp_path / "roc.svg").read_text()
    assert "ROC curve</title>" in text
    assert "Guarantee" not in text
    assert "ideal" not in text
    both = {"a": one, "b": evaluation_from_scores(1, decimals=1)}
    text = ROCWidget(both, band="none").to_svg(tmp_path / "roc.svg").read_text()
    assert "ideal" not in text
    assert "Guarantee" not in text
    widget.band = "sensitivity"
    assert "Guarantee" in widget.to_svg(tmp_path / "roc.svg").read_text()


def test_samples_are_other_rows_and_never_averaged(rng, tmp_path):
    train, test = (RocEvaluation.from_predictions(*rows(rng, n, n)) for n in (60, 25))
    widget = ROCWidget({"train": train, "test": test}, kind="samples")
    assert set(widget.current_band) == {"train", "test"}
    assert widget._data["kind"] == "samples"
    widget.label = "test"
    assert widget.evaluation is test
    with pytest.raises(ValueError, match="differ in the number of rows, 120 and 50"):
        ROCWidget({"train": train, "test": test})
    text = ROCWidget({"train": train, "test": test}, kind="samples").to_svg(tmp_path / "roc.svg")
    assert "Two samples: ROC curve" in text.read_text()


# The question


#: Cases of one evaluation without calibration rows, or with uninformative limits.
SURE_OF_ITSELF = {
    *("two arrays", "two arrays, weighted, of people", "two arrays, weighted as metrics are"),
    *("two arrays of a marker", "four arrays of a marker", "a fitted classifier"),
    *("two arrays of whole numbers that floats do not hold", "a marker of many digits"),
    *("four arrays of whole numbers that floats do not hold", "one positive"),
    "one positive, two arrays",
    *("a fitted classifier of margins", "limits at larger alphas alone", "no limits"),
    *("few groups that calibrate", "features, groups that are split"),
    *("a split for each point", "features, learned"),
}
#: What the cases with several evaluations open on.
SEVERAL = {
    **dict.fromkeys(("folds", "populations", "classes", "classifiers"), "sampling"),
    **dict.fromkeys(("samples", "bands"), "sensitivity"),
}


def opening(name):
    """The widget of a case, opened without naming a band."""
    case = CASES[name]
    given = {key: value for key, value in case.keywords.items() if key != "band"}
    return ROCWidget(
        shown_by(name), kind=case.kind, alpha=case.alpha, threshold=case.threshold, **given
    )


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.thorough) for name in CASES],
)
def test_each_kind_opens_on_its_question(name):
    widget = opening(name)
    kind = widget._group.kind
    alone = kind == "single" or name == "one classifier"
    own = "sampling" if name in SURE_OF_ITSELF else "sensitivity"
    assert widget.band == (own if alone else SEVERAL[kind])


def test_a_known_truth_opens_on_the_question_that_it_answers(rng):
    y, score = rows(rng, 40, 30)
    assert ROCWidget.from_predictions(y, score, truth=score).band == "sensitivity"
    assert ROCWidget.from_predictions(y, score).band == "sampling"


@pytest.mark.parametrize(
    "refused",
    [
        {"alpha": 2},
        {"alpha": "x"},
        {"guarantee": "certain"},
        {"guarantee": "credible"},
        {"horizon": 3.0},
        {"label": ["a"]},
    ],
    ids=str,
)
def test_what_has_no_opening_question_is_refused_by_its_name(refused):
    with pytest.raises((traitlets.TraitError, ValueError), match=f"^{next(iter(refused))}: "):
        ROCWidget(evaluation_from_scores(1), **refused)


def test_an_error_of_the_limits_is_not_taken_for_an_opening_question(monkeypatch):
    def failing(*_):
        raise ValueError("limits")

    monkeypatch.setattr(opening_module, "says_nothing", failing)
    with pytest.raises(ValueError, match=r"^limits$"):
        ROCWidget(evaluation_from_scores(1))
