"""The parameters of intervals: what is refused, and what is promised."""

import pytest

from conformal_roc_widget.calibration.named_references import reference_of
from conformal_roc_widget.calibration.parameters import Method
from conformal_roc_widget.calibration.references import Settings

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
