import numpy as np
import pandas as pd
import pytest
from scipy.stats import sem
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from conformal_roc_widget import ConformalROC
from conformal_roc_widget.calibration.named_references import auto_reference, reference_of
from conformal_roc_widget.calibration.parameters import Method
from conformal_roc_widget.calibration.references.reference import Settings
from conformal_roc_widget.tables.points import Columns, Labelled

MANY_FEATURES = "there are 6 features, too many for a kernel"
MANY = np.resize([0, 1], 60)


def numbers(d):
    return np.random.default_rng(0).normal(size=(60, d))


TABLE = pd.DataFrame({"a": [None, *range(59)]})
ENCODED = "the features are encoded"
CELLS = "the features have only 30 different rows, where a kernel says what the classifier says"


@pytest.mark.parametrize(
    ("X", "y", "asked", "name", "reason"),
    [
        (numbers(6), MANY, "", "learned", MANY_FEATURES),
        (TABLE, MANY, "", "learned", "the features are not complete numbers alone"),
        (
            numbers(6),
            np.arange(60) // 41,
            "",
            "kernel",
            "a label has 19 points, too few to learn from, though " + MANY_FEATURES,
        ),
        (numbers(6), np.arange(60) // 40, "", "learned", MANY_FEATURES),
        (
            TABLE,
            MANY,
            "a bandwidth asks for one",
            "kernel",
            "a bandwidth asks for one, though the features are not complete numbers alone",
        ),
    ],
)
def test_the_shape_of_the_data_chooses_and_the_reason_is_told(X, y, asked, name, reason):
    chosen, why = auto_reference(Labelled.of(X, y, encode="needed"), asked, "auto")
    assert chosen == name
    assert why == f"The reference is '{name}', chosen by 'auto': {reason}."


def test_rows_that_mostly_repeat_are_no_work_for_a_kernel():
    repeated = np.tile(np.arange(30.0), 2)[:, None]
    assert auto_reference(Labelled.of(repeated, MANY), "", "auto") == ("sharp", None)
    for asked, near in (("a bandwidth asks for one", False), ("neighbours ask for one", True)):
        given = "" if near else asked
        name, why = auto_reference(Labelled.of(repeated, MANY), given, "auto", near=near)
        assert name == "kernel"
        assert why == f"The reference is 'kernel', chosen by 'auto': {asked}, though {CELLS}."
    repeated[0] = 0.5  # 31 of 60 rows differ: more than half
    assert auto_reference(Labelled.of(repeated, MANY), "a bandwidth asks", "auto") == (
        "kernel",
        None,
    )


def test_a_transformer_is_the_reason_where_one_is_given():
    data = Labelled.of(numbers(2), MANY, encode="always")
    assert ENCODED in auto_reference(data, "", OneHotEncoder())[1]


@pytest.mark.parametrize("n_features", [1, 2])
def test_the_default_covers_pi_where_features_are_a_few_yes_and_no(n_features):
    covered, widths = [], []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 2, (1200, n_features)).astype(float)
        pi = np.where(X[:, 0] == 1, 0.7, 0.3)
        y = (rng.random(1200) < pi).astype(int)
        model = ConformalROC(LogisticRegression(C=1e4), random_state=seed, progress=False)
        lower, upper = model.fit(X[:800], y[:800]).evaluate(X[800:], y[800:]).intervals(0.05)
        covered.append(np.mean((lower <= pi[800:]) & (pi[800:] <= upper)))
        widths.append(np.mean(upper - lower))
    # A data set may miss whole cells, so the mean of thirty has an error of a few hundredths.
    assert np.mean(covered) + 3 * sem(covered) >= 0.95
    assert np.mean(covered) >= 0.9
    assert np.mean(widths) <= 0.2


@pytest.mark.parametrize("d", [1, 5])
def test_of_the_default_on_a_few_numbers_there_is_nothing_to_tell(d):
    for y in (MANY, np.arange(60) // 57):
        assert auto_reference(Labelled.of(numbers(d), y), "", "auto") == ("sharp", None)
    for asked, near in (("a bandwidth asks", False), ("", True)):
        data = Labelled.of(numbers(d), MANY)
        assert auto_reference(data, asked, "auto", near=near) == ("kernel", None)


@pytest.mark.parametrize(
    "options",
    [
        {"neighbors": 30},
        {"bandwidth": 0.5},
        {"center": "kernel"},
        {"resplits": "per-instance"},
    ],
)
def test_on_a_few_numbers_the_kernel_is_there_where_it_is_asked_for(rng, options):
    X, y = rng.normal(size=(80, 2)), np.resize([0, 1], 80)
    assert ConformalROC(GaussianNB(), random_state=0).fit(X, y).reference_ == "sharp"
    model = ConformalROC(GaussianNB(), random_state=0, progress=False, **options).fit(X, y)
    assert model.reference_ == "kernel"
    assert not any("chosen by" in note for note in model.evaluate(X[:4], y[:4]).notes)


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        ({"groups": np.arange(120) // 3}, "learned"),  # 40 people, each with rows of both labels
        ({"groups": np.arange(120) // 8}, "kernel"),
        ({"sample_weight_calibration": np.arange(120.0)}, "learned"),
    ],
)
def test_rows_that_do_not_count_alike_have_the_learned_reference(rng, facts, name, one_learner):
    X, y = rng.normal(size=(120, 2)), np.resize([0, 0, 1], 120)
    assert ConformalROC(GaussianNB(), random_state=0).fit(X, y).reference_ == "sharp"
    model = ConformalROC(GaussianNB(), random_state=0, progress=False)
    model.fit(X, y, **facts)
    assert model.reference_ == name
    why = "rows have weights, or several belong to one person."
    few = "a label has 15 people, too few to learn from, though " if name == "kernel" else ""
    notes = model.evaluate(X[:4], y[:4]).notes
    assert f"The reference is '{name}', chosen by 'auto': {few}{why}" in notes


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({}, "learned"),
        ({"center": "kernel"}, "kernel"),
        ({"bandwidth": 0.5}, "kernel"),
        ({"resplits": "per-instance"}, "kernel"),
    ],
)
def test_parameters_that_need_a_kernel_keep_it(rng, options, name, one_learner):
    X, y = rng.normal(size=(80, 6)), np.resize([0, 1], 80)
    model = ConformalROC(GaussianNB(), random_state=0, **options).fit(X, y)
    assert model.reference_ == name
    notes = model.evaluate(X[:4], y[:4]).notes
    assert sum(f"The reference is '{name}', chosen by 'auto'" in note for note in notes) == 1


def test_auto_is_to_the_bit_the_reference_that_it_chooses(rng, one_learner):
    y = np.resize([0, 0, 1], 90)
    for X, name in ((rng.normal(size=(90, 3)), "sharp"), (rng.normal(size=(90, 7)), "learned")):
        found, wanted = (
            ConformalROC(GaussianNB(), reference=reference, random_state=0).fit(X, y)
            for reference in ("auto", name)
        )
        assert found.reference_ == wanted.reference_ == name
        for label in (0, 1):
            np.testing.assert_array_equal(found.residuals_[label], wanted.residuals_[label])
        assert not any("chosen by" in note for note in wanted.evaluate(X, y).notes)


def test_other_references_are_named_too(rng):
    X, y = rng.normal(size=(60, 2)), np.resize([0, 1], 60)
    frame = pd.DataFrame({"a": list("xyz") * 20})
    clf = make_pipeline(OneHotEncoder(), LogisticRegression())
    assert ConformalROC(clf, reference="score").fit(frame, y).reference_ == "score"
    assert (
        ConformalROC(GaussianNB(), reference=GaussianNB()).fit(X, y).reference_ == "GaussianNB(...)"
    )


TRUE = "if the given reference is the true π"


def method(reference="kernel", **changed):
    good = Method(
        reference_of(reference, Settings("silverman")),
        columns=Columns(None, 2),
        encoder="auto",
        neighbors=None,
        distance="standardized",
        center="classifier",
        recenter=False,
        resplits=1,
        quantile_rule="paper",
    )
    return good._replace(**changed)


@pytest.mark.parametrize(
    ("reference", "changed", "guarantee", "promise"),
    [
        ("kernel", {}, "individual", "if the reference π̃ is close to π"),
        ("kernel", {}, "curve", "for the curve, not for single points: {confidence} on average"),
        ("kernel", {"neighbors": 9}, "individual", "test points are like their neighbours"),
        ("kernel", {"center": "kernel"}, "individual", "none: centred on π̃"),
        ("score", {}, "individual", "made from the score alone"),
        ("sharp", {}, "individual", "if logit π is smooth"),
        (len, {}, "individual", TRUE),
        (len, {}, "curve", TRUE),
    ],
)
def test_the_promise_says_what_it_rests_on(reference, changed, guarantee, promise):
    made, points = method(reference, **changed).promises(guarantee)
    text = made.guarantee
    assert made.kind == ("none" if changed.get("center") else guarantee)
    assert points.kind == ("none" if changed.get("center") else "individual")
    assert promise in text
    assert ("{confidence}" in text) == (changed.get("center") != "kernel")
