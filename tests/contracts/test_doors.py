"""What the package shows to completion, to `help` and to a type checker."""

import inspect
import typing

import pytest

import conformal_roc_widget
from conformal_roc_widget import ConformalROC, RocEvaluation, ROCWidget, choices, comparators


def parameters(function):
    return {
        name: parameter
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    }


def test_the_package_lists_its_public_names_alone():
    assert dir(conformal_roc_widget) == sorted([*conformal_roc_widget.__all__, "__version__"])
    assert not [name for name in comparators.__all__ if name.endswith(("Samples", "Replicates"))]


WIDGET, MODEL = parameters(ROCWidget.__init__), parameters(ConformalROC.__init__)
MAKERS = {
    ROCWidget.from_estimator: MODEL,
    ROCWidget.from_predictions: parameters(RocEvaluation.from_predictions),
    ROCWidget.from_cv_results: parameters(RocEvaluation.from_cv_results),
}
#: The makers choose these by the data where nobody else does.
BY_THE_DATA = {"band", "guarantee", "reference", "name"}


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_makers_of_widgets_show_every_parameter_with_its_default(make):
    shown = inspect.signature(make).parameters
    assert not [name for name, each in shown.items() if each.kind is each.VAR_KEYWORD]
    handed_on = MAKERS[make]
    if make is not ROCWidget.from_estimator:
        assert handed_on.keys() - shown.keys() <= {"bandwidth", "quantile_rule"}
    for name, parameter in shown.items():
        for origin in (WIDGET, handed_on):
            if name in origin and name not in BY_THE_DATA:
                assert parameter.default == origin[name].default, name
    assert "alpha" in shown
    assert make is not ROCWidget.from_estimator or MODEL.keys() <= shown.keys()


def test_options_of_a_few_words_are_types_of_these_words():
    names = [name for name in vars(choices) if name.endswith("Name")]
    hints = {
        each: typing.get_type_hints(function)
        for each, function in {
            "ROCWidget": ROCWidget.__init__,
            "ConformalROC": ConformalROC.__init__,
        }.items()
    }
    assert hints["ROCWidget"]["band"] == choices.BandName
    assert hints["ROCWidget"]["view"] == choices.ViewName
    assert hints["ConformalROC"]["quantile_rule"] == choices.RuleName
    for name in names:
        assert all(isinstance(word, str) for word in typing.get_args(getattr(choices, name)))
