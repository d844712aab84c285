"""``%conformal_roc`` and its errors."""

import numpy as np
import pytest
from data import evaluation_from_scores, scored
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from conformal_roc_widget import ROCWidget


@pytest.fixture
def shell(rng):
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "conformal_roc_widget")
    (y, p), (y0, p0) = scored(rng, 60), scored(rng, 60)
    by_sex = {"a": evaluation_from_scores(1), "b": evaluation_from_scores(2, n_test=61)}
    shown = {"evaluation": evaluation_from_scores(1), "by_sex": by_sex}
    arrays = {"y": y, "p": p, "y0": y0, "p0": p0, "g": np.arange(len(y))}
    shell.push({**shown, **arrays, "three": 3})
    yield shell
    InteractiveShell.clear_instance()


def test_an_evaluation_is_shown_by_its_name(shell):
    widget = shell.run_line_magic(
        "conformal_roc", "evaluation --alpha 0.1 --threshold 0.3 --band both"
    )
    assert isinstance(widget, ROCWidget)
    assert widget.evaluation is shell.user_ns["evaluation"]
    assert (widget.alpha, widget.threshold, widget.band) == (0.1, 0.3, "both")


def test_the_promise_is_asked_for_by_name(shell):
    widget = shell.run_line_magic("conformal_roc", "y0 p0 y p --guarantee simultaneous")
    assert widget.guarantee == "simultaneous"
    with pytest.raises(UsageError, match="scores alone, expected 'simultaneous'"):
        shell.run_line_magic("conformal_roc", "evaluation --guarantee everywhere")


def test_four_arrays_are_shown_by_their_names(shell):
    widget = shell.run_line_magic("conformal_roc", "y0 p0 y p")
    np.testing.assert_array_equal(widget.evaluation.scores, shell.user_ns["p"])


def test_two_arrays_open_on_this_classifier_with_more_test_data(shell):
    widget = shell.run_line_magic("conformal_roc", "y p --name forest --pos-label 0")
    assert (widget.band, widget.guarantee) == ("sampling", "simultaneous")
    assert widget.evaluation.classes == (1, 0)
    widget = shell.run_line_magic("conformal_roc", "y p --band none --view reliability")
    assert (widget.band, widget.view) == ("none", "reliability")


def test_a_mapping_is_shown_too(shell):
    shell.push({"both": {"a": evaluation_from_scores(1), "b": evaluation_from_scores(1)}})
    assert list(shell.run_line_magic("conformal_roc", "both").evaluation) == ["a", "b"]


def test_weights_and_populations_are_said(shell):
    shell.push({"w": np.arange(60.0) % 3})
    widget = shell.run_line_magic("conformal_roc", "y0 p0 y p --weight w")
    np.testing.assert_array_equal(widget.evaluation.sample_weight, np.resize([1.0, 2.0], 40))
    widget = shell.run_line_magic("conformal_roc", "by_sex --kind populations")
    assert widget._data["kind"] == "populations"


def test_choices_of_the_page_are_said(shell):
    line = "y0 p0 y p --view net_benefit --prevalence 0.1 --cost-ratio 4 --comparator ks"
    widget = shell.run_line_magic("conformal_roc", f"{line} --groups g --reference kernel")
    assert (widget.view, widget.prevalence, widget.cost_ratio) == ("net_benefit", 0.1, 4)
    widget.wait()
    assert list(widget.comparators) == ["ks"]
    assert widget.evaluation.groups is None  # one row each
    shell.push({"numbered": {1: evaluation_from_scores(1), 2: evaluation_from_scores(1)}})
    line = "numbered --kind classes --label 2 --weights uniform"
    widget = shell.run_line_magic("conformal_roc", line)
    assert (widget.label, widget.weights) == (2, "uniform")


def test_the_positive_class_is_a_number_in_any_spelling(shell):
    shell.push({"yf": shell.user_ns["y"].astype(float)})
    widget = shell.run_line_magic("conformal_roc", "yf p --pos-label 1")
    assert widget.evaluation.classes == (0.0, 1.0)


def test_the_page_has_a_title(shell):
    output = shell.run_line_magic("conformal_roc", 'evaluation --html --title "A ward"')
    assert "A ward" in output.page
    assert output.page == ROCWidget(shell.user_ns["evaluation"]).as_html(title="A ward").page


def test_html_stands_in_place_of_the_widget(shell):
    output = shell.run_line_magic("conformal_roc", "evaluation --alpha 0.1 --html")
    widget = ROCWidget(shell.user_ns["evaluation"], alpha=0.1)
    assert output._repr_html_() == widget.as_html()._repr_html_()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "name"),
        ("nobody", "there is no variable 'nobody'"),
        ("y p y", "found 3 names, expected the name of an evaluation, of two arrays, y and score"),
        ("y p --guarantee individual", "guarantee: found 'individual' for test rows alone"),
        ("y p y p", "the calibration rows again"),
        ("evaluation --pos-label 1", "found --pos-label without arrays"),
        ("three", "evaluation: found int"),
        ("y p p y", "score_test|y_test"),
        ("evaluation --alpha much", "alpha"),
        ("evaluation --alpha 0.9", "alpha"),
        ("evaluation --band left", "band"),
        ("evaluation --colour red", "colour"),
        ("evaluation --weight y", "found --weight without arrays"),
        ("y0 p0 y p --weight three", "sample_weight_test"),
        ("y0 p0 y p --groups three", "groups_test"),
        ("y p --reference sharp", "found --reference sharp with two arrays, expected four"),
        ("evaluation --reference sharp", "found --reference without arrays"),
        ("y p --kind classes", "found --kind classes with arrays, expected it with a mapping"),
        ("y p --label 1", "found --label 1 with arrays"),
        ("evaluation --title Ward", "found --title without --html"),
        ("evaluation --comparator none", "comparator"),
        ("by_sex", "kind='populations'"),
        ("evaluation --kind men", "kind"),
    ],
)
def test_variables_that_cannot_be_shown_are_a_usage_error(shell, line, message):
    with pytest.raises(UsageError, match=message):
        shell.run_line_magic("conformal_roc", line)


def test_the_magic_is_documented(shell):
    text = shell.find_line_magic("conformal_roc").__doc__
    for word in (
        "--alpha",
        "--threshold",
        "--band",
        "--html",
        "y_calibration score_calibration",
        "Examples",
    ):
        assert word in text
