"""The parameters of intervals: what is refused, and what is promised."""

import pytest

from conformal_roc_widget.calibration.named_references import reference_of
from conformal_roc_widget.calibration.parameters import Method
from conformal_roc_widget.calibration.references import Settings
from conformal_roc_widget.tables.points import Columns

#: Three columns of numbers, as they came.
THREE = Columns(None, 3)
TRUE = "if the given reference is the true π"


def method(reference="kernel", **changed):
    good = Method(
        reference_of(reference, Settings("silverman")),
        None,
        "standardized",
        "classifier",
        False,
        "paper",
    )
    return good._replace(**changed)


@pytest.mark.parametrize(
    ("changed", "kind", "found"),
    [
        ({"quantile_rule": "median"}, ValueError, "quantile_rule: found 'median'"),
        ({"quantile_rule": None}, TypeError, "quantile_rule: found None"),
        ({"center": "median"}, ValueError, "center: found 'median', expected one of 'classifier'"),
        ({"center": 1}, TypeError, "center: found 1"),
        ({"recenter": 1}, TypeError, "recenter: found 1, expected True or False"),
        ({"neighbors": 0}, ValueError, "neighbors: found 0, .* at least 1, or None"),
        ({"neighbors": 2.0}, TypeError, "neighbors: found 2.0, .* at least 1, or None"),
    ],
    ids=str,
)
def test_a_bad_parameter_is_refused_by_name(changed, kind, found):
    method().check()
    with pytest.raises(kind, match=f"^{found}"):
        method(**changed).check()


def test_intervals_are_not_centred_on_a_posterior():
    method(center="kernel").check()
    with pytest.raises(ValueError, match=r"^center: found 'kernel' with reference='sharp'.*centre"):
        method("sharp", center="kernel").check()


@pytest.mark.parametrize(
    ("reference", "changed", "resplits", "found"),
    [
        ("kernel", {"neighbors": 5}, 1, "neighbors=5"),
        ("kernel", {}, 3, "resplits=3"),
        ("kernel", {"center": "kernel"}, 1, "center='kernel'"),
        ("score", {}, 1, "reference='score'"),
    ],
)
def test_a_band_for_the_curve_is_refused_with_its_reason(reference, changed, resplits, found):
    made = method(reference, **changed)
    made.check_guarantee("individual", resplits, THREE)
    with pytest.raises(ValueError, match=f"^guarantee: found 'curve' with {found}, expected 'ind"):
        made.check_guarantee("curve", resplits, THREE)
    method().check_guarantee("curve", 1, THREE)


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
