"""What completion, `help` and type checkers show of the package."""

import inspect
import re
import typing

import pytest

import conformal_roc_widget
from conformal_roc_widget import (
    ConformalROC,
    RocEvaluation,
    ROCWidget,
    charts,
    choices,
    comparators,
    simulation,
)
from conformal_roc_widget.calibration.named_references import AUTO, NAMED
from conformal_roc_widget.widget import options


def parameters(function):
    return {
        name: parameter
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    }


def test_the_package_lists_its_public_names_alone():
    assert dir(conformal_roc_widget) == sorted([*conformal_roc_widget.__all__, "__version__"])
    assert not [name for name in comparators.__all__ if name.endswith(("Samples", "Replicates"))]
    for module in (charts, comparators, simulation):
        assert dir(module) == sorted(module.__all__)


WIDGET, MODEL = parameters(ROCWidget.__init__), parameters(ConformalROC.__init__)
MAKERS = {
    ROCWidget.from_estimator: MODEL,
    ROCWidget.from_predictions: parameters(RocEvaluation.from_predictions),
    ROCWidget.from_cv_results: parameters(RocEvaluation.from_cv_results),
}
#: If the user does not choose these, the data decide.
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
            "ROCWidget": options.Shown,
            "ConformalROC": ConformalROC.__init__,
        }.items()
    }
    assert hints["ROCWidget"]["band"] == choices.BandName | None
    assert hints["ROCWidget"]["view"] == choices.ViewName
    assert hints["ConformalROC"]["quantile_rule"] == choices.RuleName
    for name in names:
        assert all(isinstance(word, str) for word in typing.get_args(getattr(choices, name)))


def test_the_words_of_an_option_are_those_that_it_takes():
    assert set(typing.get_args(choices.ReferenceName)) == {AUTO, *NAMED}
    assert set(typing.get_args(choices.ComparatorName)) == comparators.COMPARATORS.keys()


def documented(function):
    """Parameters of a function and their descriptions in its docstring, if these are all its
    parameters.
    """
    for name, parameter in inspect.signature(function).parameters.items():
        words = re.search(
            rf"^ *(?:\w+, )*{name}(?:, \w+)* : \{{(.*)\}}(?:, optional)?$", function.__doc__, re.M
        )
        if words:
            yield name, parameter.annotation, re.findall(r'"(\w+)"', words[1])


def public_routines():
    for owner in (ROCWidget, ConformalROC, RocEvaluation, charts, comparators, simulation):
        for name in owner.__all__ if inspect.ismodule(owner) else dir(owner):
            member = inspect.getattr_static(owner, name)
            member = inspect.unwrap(getattr(member, "__func__", member))
            ours = str(getattr(member, "__module__", "")).startswith("conformal_roc_widget")
            if not name.startswith("_") and ours and inspect.isfunction(member):
                yield member


def test_an_option_of_a_few_words_has_their_type():
    seen = 0
    for function in public_routines():
        for name, annotation, words in documented(function):
            kind = getattr(choices, annotation.removesuffix(" | None"), None)
            assert kind, f"{function.__qualname__}: {name} is {annotation}"
            assert set(words) <= set(typing.get_args(kind)), f"{function.__qualname__}: {name}"
            seen += 1
    assert seen > 25
