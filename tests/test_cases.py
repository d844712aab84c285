"""The table of cases is complete: every option of a public constructor occurs."""

import inspect
import re
from unittest.mock import patch

import numpy as np
import pytest
from cases import CASES, QUICK, group_of, shown

from conformal_roc_widget import ConformalROC, RocEvaluation, ROCWidget
from conformal_roc_widget.promise import KINDS as PROMISES
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.evaluation_group import KINDS

#: Return types, in signatures, of functions that make one evaluation or several.
GIVEN = re.compile(r"\b(Self|RocEvaluation|Folds|Populations)\b")
#: Kinds of promises that only other results have.
OF_OTHERS = {"sampling", "population"}


def constructors(owner):
    """By name, every public function of a class that makes evaluations, or the class itself."""
    found = {
        name: member
        for name, member in vars(owner).items()
        if not name.startswith("_") and callable(inspect.unwrap(getattr(owner, name)))
    }
    functions = {name: getattr(member, "__func__", member) for name, member in found.items()}
    made = {
        name: function
        for name, function in functions.items()
        if inspect.isfunction(function)
        and GIVEN.search(str(inspect.signature(function).return_annotation))
    }
    return made if owner is RocEvaluation else {"__init__": owner.__init__, **made}


ALL = {
    f"{owner.__name__}.{name}": (owner, name, function)
    for owner in (RocEvaluation, ConformalROC)
    for name, function in constructors(owner).items()
}


@pytest.fixture(scope="module")
def calls():
    """By constructor and parameter, the values that some case passes, including defaults."""
    given = {called: {} for called in ALL}
    depth = 0

    def recorded(called, function):
        signature = inspect.signature(function)

        def record(*args, **kwargs):
            nonlocal depth
            if depth == 0:
                bound = signature.bind(*args, **kwargs)
                explicit = set(bound.arguments)
                bound.apply_defaults()
                for name, value in bound.arguments.items():
                    given[called].setdefault(name, []).append((name in explicit, value))
            depth += 1
            try:
                return function(*args, **kwargs)
            finally:
                depth -= 1

        record.__signature__ = signature  # scikit-learn reads the parameters of __init__
        return record

    patches = []
    for called, (owner, name, function) in ALL.items():
        of_class = isinstance(vars(owner).get(name), classmethod)
        made = recorded(called, function)
        patches.append(patch.object(owner, name, classmethod(made) if of_class else made))
    for each in patches:
        each.start()
    try:
        # The function is called anew while it is recorded. Its results are cached for later tests.
        shown.cache_clear()
        for name in CASES:
            shown(name)
    finally:
        for each in patches:
            each.stop()
    return given


def parameters(function):
    kinds = inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL
    found = inspect.signature(function).parameters.values()
    return [each.name for each in found if each.kind not in kinds and each.name != "self"][
        ("cls" in inspect.signature(function).parameters) :
    ]


def documented_values(owner, function):
    """By parameter, the values that its docstring lists in braces."""
    text = inspect.getdoc(owner if function.__name__ == "__init__" else function)
    listed = re.findall(r"^(\w+(?:, \w+)*) : (?:iterable of )?\{(.*?)\}", text, re.M)
    return {
        name: re.findall(r'"([^"]+)"', values)
        for names, values in listed
        for name in names.split(", ")
    }


@pytest.mark.parametrize("called", ALL)
def test_every_parameter_of_every_constructor_is_given_in_some_case(called, calls):
    wanted = parameters(ALL[called][2])
    known = {name for name, values in calls[called].items() if any(told for told, _ in values)}
    assert [name for name in wanted if name not in known] == []


@pytest.mark.parametrize("called", ALL)
def test_every_value_that_a_constructor_documents_is_given_in_some_case(called, calls):
    owner, _, function = ALL[called]
    for name, values in documented_values(owner, function).items():
        texts = {value for _, value in calls[called][name] if isinstance(value, str)}
        assert [value for value in values if value not in texts] == [], name


def kind_of(value):
    if hasattr(value, "fit"):
        return "classifier"
    return "function" if callable(value) else type(value).__name__


def test_what_may_be_of_several_types_is_given_in_each(calls):
    def kinds(called, name):
        return {kind_of(value) for _, value in calls[called][name]}

    scores, fit = "RocEvaluation.from_predictions", "ConformalROC.fit"
    assert kinds("ConformalROC.__init__", "reference") == {"str", "function", "classifier"}
    assert kinds("ConformalROC.__init__", "center") == {"str", "classifier"}
    assert kinds("ConformalROC.__init__", "resplits") == {"int", "str"}
    assert kinds("ConformalROC.__init__", "distance") >= {"str", "ndarray"}
    for called in (scores, fit):
        assert kinds(called, "sample_weight_calibration") == {"NoneType", "ndarray", "function"}
    estimators = {type(value).__name__ for _, value in calls["ConformalROC.__init__"]["estimator"]}
    assert "FrozenEstimator" in estimators


def test_every_promise_and_every_way_to_show_several_is_there():
    groups = [group_of(name) for name in CASES]
    found = {each.promise.kind for group in groups for each in group.entries.values()}
    assert found == set(PROMISES) - OF_OTHERS
    assert {group.kind for group in groups} == {"single", "bands", "folds", *KINDS}
    assert {len(group.entries) for group in groups if group.kind == "classifiers"} >= {1, 2, 5}
    assert {len(group.entries) for group in groups if group.kind == "classes"} >= {3, 10}


def test_each_kind_of_case_is_among_those_that_are_always_drawn():
    def kind_of_case(name):
        group = group_of(name)
        first = next(iter(group.entries.values()))
        followed = first.follow_up is not None
        return group.kind, first.promise.kind, bool(first.dependence), followed

    assert set(CASES) >= QUICK
    assert {kind_of_case(name) for name in QUICK} == {kind_of_case(name) for name in CASES}


def test_every_keyword_of_the_widget_but_its_controls_is_given_in_some_case():
    """Controls are missing here, because tests of the views set them in every case."""
    told = {name for case in CASES.values() for name in case.keywords}
    told |= {"kind"} if {case.kind for case in CASES.values()} >= set(KINDS) else set()
    wanted = set(parameters(ROCWidget.__init__)) - {"evaluation", *Controls._fields}
    assert wanted <= told
    for name, function in constructors(ROCWidget).items():
        if name == "__init__":
            continue
        # These functions evaluate and show. They take the arguments of these.
        known = {n for _, _, each in ALL.values() for n in parameters(each)}
        assert set(parameters(function)) <= known | set(parameters(ROCWidget.__init__)), name


def test_limits_are_there_on_both_sides_on_one_and_on_none():
    bands = [
        each.band(case.alpha)
        for name, case in CASES.items()
        for each in group_of(name).entries.values()
    ]
    assert {band.has_limits(k) for band in bands for k in (0, 1)} >= {
        (True, True),
        (False, True),
        (False, False),
    }


def test_cases_are_small():
    sizes = {
        name: max(each.labels.size for each in group_of(name).entries.values()) for name in CASES
    }
    assert max(n for name, n in sizes.items() if name != "thinned") <= 100
    assert np.median(list(sizes.values())) <= 40
