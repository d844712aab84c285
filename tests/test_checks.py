"""One spelling of each refusal: the type of the error follows from the kind of the mistake."""

import re
from fractions import Fraction

import numpy as np
import pytest

from conformal_roc_widget.checks import generator, number, one_of, whole_number, yes_or_no

NAN, INF = float("nan"), float("inf")
#: What takes a value, under which name, and what it expects.
TAKERS = {
    "whole": (lambda v: whole_number(v, "n", 1), "n", "a whole number of at least 1"),
    "from floats": (
        *(lambda v: whole_number(v, "n", 4, from_floats=True), "n"),
        "a whole number of at least 4",
    ),
    "or none": (
        *(lambda v: whole_number(v, "n", 1, other="None"), "n"),
        "a whole number of at least 1, or None",
    ),
    "number": (lambda v: number(v, "x"), "x", "a number"),
    "share": (
        *(lambda v: number(v, "x", "a share in (0, 1)", lambda s: 0 < s < 1), "x"),
        "a share in (0, 1)",
    ),
    "name": (lambda v: one_of(v, "c", ("a", "b")), "c", "one of 'a', 'b'"),
    "only name": (lambda v: one_of(v, "c", ("a",)), "c", "'a'"),
    "name or array": (
        *(lambda v: one_of(v, "c", ("a", "b"), other="an array"), "c"),
        "one of 'a', 'b', or an array",
    ),
    "flag": (lambda v: yes_or_no(v, "f"), "f", "True or False"),
}
TAKEN = [
    *(("whole", value, int(value)) for value in (1, 7, np.int64(7), np.uint8(7), 10**400)),
    ("from floats", 500.0, 500),
    *(("number", v, float(v)) for v in (0.5, 1, np.float32(0.25), Fraction(1, 3), INF)),
    ("name", "b", "b"),
    *(("flag", value, bool(value)) for value in (True, np.False_)),
]
WRONG_TYPES = {
    "whole": ("7", None, True, np.True_, 7.0, 2.5, [7], 7j),
    "from floats": (True, "500", None),
    "or none": ("x",),
    "share": ("0.5", None, False, np.False_, [0.5], 0.5j),
    "name": (None, 3, ["a"], {"a"}),
    "flag": (1, 0, None, "yes"),
}
WRONG_VALUES = {
    "whole": (0, -3),
    "from floats": (2.5, NAN, np.float64("inf"), 3.0),
    "number": (NAN, 10**400),
    "share": (NAN, np.float64("nan"), 0, 1.0, -2, INF),
    "name": ("x",),
    "only name": ("x",),
    "name or array": ("x",),
}
REFUSED = [
    (taker, value, kind)
    for kind, table in ((TypeError, WRONG_TYPES), (ValueError, WRONG_VALUES))
    for taker, values in table.items()
    for value in values
]


@pytest.mark.parametrize(("taker", "value", "plain"), TAKEN, ids=str)
def test_what_is_right_comes_back_as_a_plain_value(taker, value, plain):
    found = TAKERS[taker][0](value)
    assert (found, type(found)) == (plain, type(plain))


@pytest.mark.parametrize(("taker", "value", "kind"), REFUSED, ids=repr)
def test_what_is_wrong_is_refused_under_its_name_with_what_was_found_and_expected(
    taker, value, kind
):
    take, name, expected = TAKERS[taker]
    with pytest.raises(kind, match=rf"^{name}: found .*, expected {re.escape(expected)}") as caught:
        take(value)
    if kind is TypeError:
        assert str(caught.value).startswith(f"{name}: found {value!r}, ")


def test_without_a_least_any_whole_number_will_do():
    assert whole_number(-3, "n") == -3


def test_a_seed_makes_the_generator_that_numpy_makes_and_a_generator_goes_on():
    assert generator(5).random() == np.random.default_rng(5).random()
    given = np.random.default_rng(5)
    assert generator(given) is given
    assert generator(None).random() != generator(None).random()


@pytest.mark.parametrize(
    ("value", "kind"), [("5", TypeError), (True, TypeError), (1.0, TypeError), (-1, ValueError)]
)
def test_anything_but_a_seed_is_refused_by_name(value, kind):
    with pytest.raises(kind, match=r"^random_state: found .*numpy\.random\.Generator or None$"):
        generator(value)
