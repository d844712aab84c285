"""All refusals have one form, and the type of the error depends on the kind of mistake."""

from fractions import Fraction

import numpy as np
import pytest

from conformal_roc_widget.checks import generator, number, one_of, whole_number, yes_or_no

WHOLE = "expected a whole number of at least 1"


@pytest.mark.parametrize("value", [1, 7, np.int64(7), np.uint8(7)])
def test_a_whole_number_comes_back_as_an_int(value):
    assert whole_number(value, "n", 1) == value
    assert type(whole_number(value, "n", 1)) is int


@pytest.mark.parametrize("value", ["7", None, True, np.True_, 7.0, 2.5, [7], 7j])
def test_anything_but_a_whole_number_is_of_the_wrong_type(value):
    with pytest.raises(TypeError) as caught:
        whole_number(value, "n", 1)
    assert str(caught.value) == f"n: found {value!r}, {WHOLE}"


@pytest.mark.parametrize("value", [0, -3])
def test_a_whole_number_below_the_least_has_the_wrong_value(value):
    with pytest.raises(ValueError, match=f"^n: found {value}, {WHOLE}$"):
        whole_number(value, "n", 1)
    assert whole_number(value, "n") == value


def test_the_other_form_of_an_argument_is_named():
    with pytest.raises(TypeError, match=rf"^n: found 'x', {WHOLE}, or None$"):
        whole_number("x", "n", 1, other="None")
    with pytest.raises(ValueError, match=r"^c: found 'x', expected one of 'a', 'b', or an array$"):
        one_of("x", "c", ("a", "b"), other="an array")


def test_floats_count_as_whole_numbers_only_where_that_is_said():
    assert whole_number(500.0, "n", 4, from_floats=True) == 500
    for value in (2.5, np.nan, np.float64("inf"), 3.0):
        with pytest.raises(
            ValueError, match=r"^n: found .*, expected a whole number of at least 4"
        ):
            whole_number(value, "n", 4, from_floats=True)
    for value in (True, "500", None):
        with pytest.raises(TypeError, match=r"^n: found"):
            whole_number(value, "n", 4, from_floats=True)


@pytest.mark.parametrize("value", [0.5, 1, np.float32(0.25), Fraction(1, 3), float("inf")])
def test_a_number_comes_back_as_a_float(value):
    assert number(value, "x") == float(value)
    assert type(number(value, "x")) is float


@pytest.mark.parametrize("value", ["0.5", None, False, np.False_, [0.5], 0.5j])
def test_anything_but_a_number_is_of_the_wrong_type(value):
    with pytest.raises(TypeError) as caught:
        number(value, "x", "a share in (0, 1)")
    assert str(caught.value) == f"x: found {value!r}, expected a share in (0, 1)"


@pytest.mark.parametrize("value", [float("nan"), np.float64("nan"), 0, 1.0, -2, float("inf")])
def test_a_number_out_of_its_range_has_the_wrong_value(value):
    with pytest.raises(ValueError, match=r"^x: found .*, expected a share in \(0, 1\)$"):
        number(value, "x", "a share in (0, 1)", lambda share: 0 < share < 1)


def test_nan_is_no_number_of_any_range():
    with pytest.raises(ValueError, match=r"^x: found nan, expected a number$"):
        number(float("nan"), "x")


def test_a_whole_number_beyond_the_floats_is_no_number():
    with pytest.raises(ValueError, match=r"^x: found 10*, expected a number$"):
        number(10**400, "x")
    assert whole_number(10**400, "n", 1) == 10**400


def test_an_error_shows_the_beginning_of_a_long_value():
    with pytest.raises(TypeError) as caught:
        number([0.05] * 1000, "alpha")
    assert str(caught.value).startswith("alpha: found [0.05, 0.05")
    assert len(str(caught.value)) < 150


def test_a_name_is_one_of_the_known_ones():
    assert one_of("b", "c", ("a", "b")) == "b"
    with pytest.raises(ValueError, match=r"^c: found 'x', expected one of 'a', 'b'$"):
        one_of("x", "c", ("a", "b"))
    with pytest.raises(ValueError, match=r"^c: found 'x', expected 'a'$"):
        one_of("x", "c", ("a",))


@pytest.mark.parametrize("value", [None, 3, ["a"], {"a"}, np.array(["a", "b"])])
def test_anything_but_a_name_is_of_the_wrong_type(value):
    with pytest.raises(TypeError, match=r"^c: found .*, expected one of 'a', 'b'$"):
        one_of(value, "c", ("a", "b"))


def test_true_and_false_are_those_of_python_and_numpy():
    assert [yes_or_no(value, "f") for value in (True, np.False_)] == [True, False]
    for value in (1, 0, None, "yes"):
        with pytest.raises(TypeError, match=r"^f: found .*, expected True or False$"):
            yes_or_no(value, "f")


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
