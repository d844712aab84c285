"""Turns what users give into plain arrays, or refuses it with the argument's name."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import number, quoted
from .names import Leads

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Made = TypeVar("Made")

#: Not every whole number beyond this is a float.
EXACT = 2.0**53
#: Features larger than this are refused: sums of their squares may overflow.
LARGEST_FEATURE = 1e100


#: Columns of a frame of outcomes with a time; columns that give the start of the follow-up.
TIME_COLUMNS, LATE_ENTRY = ("time", "event"), ("start", "stop", "entry")


def has_time(y: Any) -> bool:
    """Whether labels are outcomes with a time: a structured array, or a frame with such columns."""
    if getattr(getattr(y, "dtype", None), "names", None):
        return True
    columns = frame_columns(y)
    return len(columns) > 1 and bool(set(columns) & {*TIME_COLUMNS, *LATE_ENTRY})


def frame_columns(y: Any) -> list[str]:
    """Names of the columns of a frame; none of anything else, or of a single column."""
    names = getattr(y, "column_names", getattr(y, "columns", None))
    if names is None or len(getattr(y, "shape", ())) != 2:
        return []
    return [str(name) for name in names]


def numbers_of(values: Any, name: str, ndim: int, *, column: bool = False) -> Floats:
    """Finite numbers in a float64 array of `ndim` dimensions, copied only where need be.

    With `column` a table of one column is taken too, as scikit-learn takes it.
    """
    expected = "shape (n,)" if ndim == 1 else "shape (n, d)"
    _refuse_gaps(values, name, expected)
    try:
        raw = np.asarray(values)
        kind = raw.dtype.kind
        if raw.ndim == 0:
            raise TypeError(f"found {quoted(values)}")
        if kind in "USMmcV" or (kind == "O" and any(isinstance(v, str) for v in raw.flat)):
            raise TypeError(f"found values of type {raw.dtype}")
        array = np.asarray(raw, dtype=np.float64)
        array = one_column(array) if column else array
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(
            f"{name}: expected numbers without missing values in an array of {expected}: {error}"
        ) from None
    if array.ndim != ndim:
        raise ValueError(f"{name}: found shape {array.shape}, expected {expected}")
    if array.size == 0:
        raise ValueError(f"{name}: found shape {array.shape}, expected at least one row and column")
    if not _all_finite(array):
        nan, infinite = int(np.isnan(array).sum()), int(np.isinf(array).sum())
        raise ValueError(f"{name}: found {nan} NaN and {infinite} infinite values, expected none")
    if ndim == 2 and (largest := max(-array.min(), array.max())) > LARGEST_FEATURE:
        raise ValueError(
            f"{name}: found a value of size {largest:g}, expected at most {LARGEST_FEATURE:g}: "
            "squares must not overflow"
        )
    return array


def deviation(X: Floats, ddof: int = 0) -> Floats:
    """Standard deviation (d,) of columns (n, d), also of those whose squares underflow.

    It is 0 for numbers below the smallest normal float, which have lost their digits.
    """
    found: Floats = X.std(axis=0, ddof=ddof)
    largest = np.abs(X).max(axis=0)
    tiny = float(np.finfo(float).tiny)
    small = (found < np.sqrt(tiny)) & (largest >= tiny) & (X.max(axis=0) > X.min(axis=0))
    if small.any():
        scaled = X[:, small] / largest[small]
        found[small] = scaled.std(axis=0, ddof=ddof) * largest[small]
    return np.where(found < tiny, 0.0, found)


def one_column(array: NDArray[Any]) -> NDArray[Any]:
    """The array; if it is a table of one column, that column."""
    return array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array


def _refuse_gaps(values: Any, name: str, expected: str) -> None:
    """Refuses sparse arrays, and masked arrays if any value is masked."""
    if hasattr(values, "toarray"):
        raise TypeError(
            f"{name}: found a sparse {type(values).__name__}, "
            f"expected a dense array of {expected} (call .toarray() on it)"
        )
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(f"{name}: found a masked array with masked values, expected none masked")


def _all_finite(array: NDArray[Any]) -> bool:
    """Whether no value is NaN or infinite: a finite sum, one fast pass, shows it."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(array.sum()) or np.isfinite(array).all())


def scores_of(values: Any, name: str, hint: str = "") -> Floats:
    """Probabilities in a float64 array of shape (n,); `hint` says who takes other scores."""
    return in_unit_range(any_scores_of(values, name), name, f"probabilities in [0, 1]{hint}")


def any_scores_of(values: Any, name: str) -> Floats:
    """Scores of any size in a float64 array of shape (n,); a single column is taken too."""
    shape: tuple[int, ...] = getattr(values, "shape", ())
    if len(shape) == 2 and shape[1] == 2:
        raise ValueError(
            f"{name}: found shape {shape}, expected shape (n,): of the two columns of "
            "predict_proba the one of the positive label, [:, 1] as scikit-learn sorts the labels"
        )
    scores = numbers_of(values, name, ndim=1, column=True)
    return _as_ranked(scores, values) if scores.max() > EXACT or scores.min() < -EXACT else scores


def _as_ranked(rounded: Floats, given: Any) -> Floats:
    """Whole numbers too large for floats, as the nearest floats with the same order and ties."""
    exact = np.asarray(given) if hasattr(given, "dtype") else np.array(given, dtype=object)
    exact = one_column(exact)
    if exact.dtype.kind not in "iuO" or not all(isinstance(v, int) for v in exact.tolist()):
        return rounded
    distinct, place = np.unique(exact, return_inverse=True)
    return rising(distinct.astype(np.float64))[place]


def rising(floats: Floats, top: float = math.inf) -> Floats:
    """Ascending floats with each equal one moved to the next float, and none beyond the top."""
    # The bits of floats, as whole numbers in the floats' order; each is at least 1 above the one
    # before.
    ordered, steps = _places(floats), np.arange(floats.size)
    ordered = np.maximum.accumulate(ordered - steps) + steps
    ordered = np.minimum(ordered, _places(np.array([top])) - steps[::-1])
    bits = np.where(ordered < 0, np.iinfo(np.int64).min - ordered, ordered)
    return np.asarray(bits.view(np.float64))


def _places(floats: Floats) -> Ints:
    """Places of floats among all floats."""
    bits = floats.view(np.int64)
    return np.where(bits < 0, np.iinfo(np.int64).min - bits, bits)


def cut_of(threshold: Any, score: Any, name: str = "threshold") -> float:
    """A threshold among the floats that `any_scores_of` gives for whole numbers of any size."""
    cut, scores = number(threshold, name), any_scores_of(score, "score")
    if not isinstance(threshold, int | np.integer) or np.abs(scores).max() <= EXACT:
        return cut
    called = np.asarray(score, dtype=object).ravel() >= int(threshold)
    return float(scores[called].min()) if called.any() else math.inf


def in_unit_range(values: Floats, name: str, expected: str) -> Floats:
    """Refuses numbers that are not all between 0 and 1; `expected` says in words what they are."""
    low, high = values.min(), values.max()
    if low < 0 or high > 1:
        raise ValueError(
            f"{name}: found values from {exactly(low)} to {exactly(high)}, expected {expected}"
        )
    return values


def exactly(value: float) -> str:
    """A number in few digits; if these would round it to 0 or 1, in all digits."""
    few = f"{value:g}"
    return few if (0 <= float(few) <= 1) == (0 <= value <= 1) else repr(float(value))


def are_probabilities(*scores: Floats) -> bool:
    """Whether all scores lie in [0, 1]."""
    return all(each.min() >= 0 and each.max() <= 1 for each in scores)


def array_of(values: Any, name: str) -> NDArray[Any]:
    """Any values as an array; refuses sparse, masked and ragged ones."""
    _refuse_gaps(values, name, "shape (n,)")
    try:
        return np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name}: expected an array of shape (n,): {error}") from None


def labels_of(values: Any, name: str) -> NDArray[Any]:
    """Class labels of any type that sorts, in an array of shape (n,), none of them missing."""
    if has_time(values):
        raise ValueError(
            f"{name}: found outcomes with a time, expected labels: a time is taken by "
            "ConformalROC(horizons=...), RocEvaluation.from_predictions(horizon=...) and, of the "
            "comparators, by bootstrap_band(horizon=...) alone"
        )
    array = one_column(array_of(values, name))
    if array.dtype.kind in "US" and isinstance(values, list | tuple):
        # If numbers or missing values stood among the strings, numpy has spelled them: "1", "nan".
        array = _unspelled(values, array)
    if array.ndim == 0:
        raise TypeError(f"{name}: found {quoted(values)}, expected an array of shape (n,)")
    if array.ndim != 1:
        raise ValueError(
            f"{name}: found shape {array.shape}, expected shape (n,){_hint_from_columns(array)}"
        )
    if array.size == 0:
        raise ValueError(f"{name}: found an empty array, expected at least one label")
    if array.dtype.kind == "O":
        types = {type(v) for v in array}
        if any(v is None or type(v).__name__ in ("NAType", "NaTType") or v != v for v in array):
            raise ValueError(f"{name}: found missing labels, expected none")
        if len(types) > 1 and not all(issubclass(t, numbers.Real) for t in types):
            found = ", ".join(sorted(t.__name__ for t in types))
            raise TypeError(f"{name}: found labels of types {found}, expected one type")
        array = np.asarray(array.tolist())
        try:
            np.unique(array)
        except TypeError:
            found = type(array[0]).__name__
            raise TypeError(f"{name}: found labels of type {found}, which do not sort") from None
    if array.dtype.kind == "f" and not _all_finite(array):
        raise ValueError(f"{name}: found NaN or infinite labels, expected none")
    if array.dtype.kind in "mM" and np.isnat(array).any():
        raise ValueError(f"{name}: found NaT among the labels, expected none")
    return array


def _hint_from_columns(array: NDArray[Any]) -> str:
    """The end of an error about labels: what the table in their place seems to be."""
    if array.ndim != 2 or array.shape[1] < 2 or array.dtype.kind not in "biufO":
        return ""
    try:
        columns = array.astype(np.float64).T
    except (TypeError, ValueError):
        return ""
    flags = [bool(np.isin(column, (0, 1)).all()) for column in columns]
    if all(flags) and (columns.sum(axis=0) == 1).all():
        return ": of one column a class, the labels are y.argmax(axis=1)"
    if sorted(flags) == [False, True]:
        return (
            ": if these are a time and an event, expected a structured array or a frame with the "
            "columns 'time' and 'event', and horizons= or horizon="
        )
    return ""


#: More distinct numbers than this are hardly classes, or populations.
MOST_CLASSES = 20


def hint_from_values(distinct: NDArray[Any]) -> str:
    """The end of an error about classes: what the numbers in their place seem to be."""
    if distinct.dtype.kind not in "iuf" or distinct.size < 3:
        return ""
    if is_continuous(distinct) and distinct.min() >= 0 and distinct.max() <= 1:
        return ". These look like scores, which come after the labels, or a regression target"
    if distinct.size <= MOST_CLASSES:
        return ""
    return f". {distinct.size:,} distinct values: is this a regression target?"


def is_continuous(distinct: NDArray[Any]) -> bool:
    """Whether numbers are not all whole."""
    return distinct.dtype.kind == "f" and not bool((distinct == np.rint(distinct)).all())


def _unspelled(values: Sequence[Any], spelled: NDArray[Any]) -> NDArray[Any]:
    """The strings as numpy has made them; if some values are no strings, the values themselves."""
    values = [each[0] if isinstance(each, list | tuple) else each for each in values]
    if spelled.ndim != 1 or all(isinstance(value, str | bytes) for value in values):
        return spelled
    return np.array(values, dtype=object)


def codes_of(
    labels: NDArray[Any], classes: NDArray[Any], name: str, *, absent: bool = False
) -> NDArray[np.intp]:
    """Position of each label among the classes.

    All classes must occur; with `absent`, some of more than two need not.
    """
    found = np.unique(labels)
    strange = [label for label in found.tolist() if label not in classes.tolist()]
    if strange:
        raise ValueError(
            f"{name}: found labels {shortened(strange)}, expected "
            f"{shortened(classes.tolist())}{hint_from_values(found)}"
        )
    if found.size < (2 if absent else classes.size):
        raise ValueError(
            f"{name}: found {shortened(found.tolist())} only, "
            f"expected {'two or more' if absent and classes.size > 2 else 'every one'} of "
            f"{shortened(classes.tolist())}"
        )
    # The negative class comes first, also if it is second in sorted order.
    order = np.argsort(classes)
    return np.asarray(order[np.searchsorted(classes, labels, sorter=order)], dtype=np.intp)


def coded_labels_of(
    values: Any, name: str, classes: NDArray[Any] | None = None, *, absent: bool = False
) -> tuple[NDArray[Any], NDArray[np.intp], NDArray[Any]]:
    """Labels, their places among the classes, and the classes, by default all labels that occur.

    With `absent`, some of more than two classes need not occur.
    """
    labels = labels_of(values, name)
    classes = np.unique(labels) if classes is None else classes
    if classes.size < 2:
        raise ValueError(
            f"{name}: found one class only ({classes.tolist()[0]!r}), expected at least two"
        )
    if is_continuous(classes) and (hint := hint_from_values(classes)):
        raise ValueError(f"{name}: found {shortened(classes.tolist())}, expected classes{hint}")
    return labels, codes_of(labels, classes, name, absent=absent), classes


def binary_codes_of(labels: NDArray[Any], classes: NDArray[Any], name: str) -> NDArray[np.int8]:
    """`codes_of` for two classes, in an eighth of the memory and without a sort."""
    with np.errstate(invalid="ignore", over="ignore"):
        try:
            typed = classes.astype(labels.dtype)
        except (TypeError, ValueError, OverflowError):
            typed = classes
    # Classes are compared in the type of the labels only where it holds them exactly.
    if typed.dtype == labels.dtype and typed.tolist() == classes.tolist():
        positive: NDArray[np.bool_] = labels == typed[1]
        found = [np.count_nonzero(labels == typed[0]), np.count_nonzero(positive)]
        if min(found) > 0 and sum(found) == labels.size:
            return positive.astype(np.int8)
    return codes_of(labels, classes, name).astype(np.int8)


def two_classes_of(labels: NDArray[Any], name: str, pos_label: Any = None) -> NDArray[Any]:
    """The negative and the positive class: by default the second in sorted order is positive."""
    classes: NDArray[Any] = np.unique(labels)
    if classes.size != 2:
        raise ValueError(
            f"{name}: found {classes.size} distinct label{'s' * (classes.size != 1)} "
            f"({shortened(classes.tolist())}), expected exactly two classes"
            f"{hint_from_values(classes)}"
        )
    if pos_label is None:
        return classes
    if pos_label not in classes.tolist():
        raise ValueError(
            f"pos_label: found {pos_label!r:.40}, expected one of {shortened(classes.tolist())}"
        )
    return classes if pos_label == classes[1] else classes[::-1]


def labelled_scores(
    y: ArrayLike, score: ArrayLike, name: str = "score", pos_label: Any = None
) -> tuple[NDArray[np.bool_], Floats]:
    """Which points are positive, and their scores; refuses more classes than two, or one."""
    labels, scores = labels_of(y, "y"), any_scores_of(score, name)
    same_length(**{"y": labels, name: scores})
    return codes_of(labels, two_classes_of(labels, "y", pos_label), "y").astype(bool), scores


def positives_of(labels: NDArray[Any], name: str, pos_label: Any = None) -> NDArray[np.bool_]:
    """Whether each label is the positive one, also if only one of the two classes occurs.

    By default the second of two in sorted order is positive, and 1 where it may stand alone.
    """
    first, *others = np.unique(labels).tolist()
    if others:
        return np.asarray(labels == two_classes_of(labels, name, pos_label)[1])
    if pos_label is None and first not in (-1, 0, 1):
        raise ValueError(
            f"{name}: found the label {first!r:.40} alone, expected two classes, or "
            "pos_label to say whether it is the positive one"
        )
    return np.asarray(labels == (1 if pos_label is None else pos_label))


def same_length(**arrays: ArrayLike | None) -> None:
    """Refuses arrays of different lengths, by the names of their arguments."""
    lengths = {name: len(np.asarray(array)) for name, array in arrays.items() if array is not None}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"{' and '.join(lengths)}: {found} rows, expected equal lengths")


def one_a_point(rows: int, name: str, n: int) -> None:
    """Refuses a number of rows other than that of the points."""
    if rows != n:
        raise ValueError(f"{name}: found {rows} row{'s' * (rows != 1)}, expected {n}, one a point")


def by_label(make: Callable[[int], Made]) -> tuple[Made, Made]:
    """The pair ``make(0), make(1)``."""
    return make(0), make(1)


def read_only(array: Floats) -> Floats:
    """Read-only view of an array: the contents of a frozen record must not change."""
    view = array.view()
    view.flags.writeable = False
    return view


def lock(record: Any) -> None:
    """Makes every array that a frozen record holds read-only."""
    for name, value in vars(record).items():
        if isinstance(value, np.ndarray):
            object.__setattr__(record, name, read_only(value))


class ReadOnlyArrays(Leads):
    """A frozen record whose arrays are read-only, also in copies and after pickling."""

    def __post_init__(self) -> None:
        """Makes the arrays read-only."""
        lock(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restores a copy and locks it, since numpy's copies can be written to."""
        self.__dict__.update(state)
        lock(self)


def frame_of(
    record: Any, columns: Sequence[str], attrs: Sequence[str], **renamed: str
) -> pd.DataFrame:
    """Fields of a record as a table with attributes; `renamed` are columns with other names."""
    import pandas as pd

    fields = renamed | dict(zip(columns, columns, strict=True))
    frame = pd.DataFrame({column: getattr(record, name) for column, name in fields.items()})
    frame.attrs.update({name: getattr(record, name) for name in attrs})
    return frame


def shortened(values: list[Any], most: int = 6) -> str:
    """Values as a short text: ``'a', 'b', … (12 in all)``."""
    text = ", ".join(f"{value!r:.40}" for value in values[:most])
    return text if len(values) <= most else f"{text}, … ({len(values)} in all)"


def row_weights_of(values: Any, name: str, n: int) -> Floats:
    """Weights of n rows: finite, none negative, not all of them 0."""
    weights = numbers_of(values, name, ndim=1)
    one_a_point(weights.size, name, n)
    if (low := weights.min()) < 0:
        raise ValueError(f"{name}: found {low:g}, expected weights of at least 0")
    refuse_weightless(weights, name)
    return weights


def refuse_weightless(weights: Floats, name: str, rows: str = "every row") -> None:
    """Refuses weights that are all 0."""
    if not weights.any():
        raise ValueError(f"{name}: found zero for {rows}, expected some weight")


#: If weights differ by less than this share of themselves, they differ only by rounding.
SAME_WEIGHT = 1e-9


def odds_of_weights(weights: Floats, codes: NDArray[Any]) -> float | None:
    """Weight of a row of label 1 over that of label 0; None if weights differ within a label."""
    each = [weights[codes == k] for k in (0, 1)]
    if not all(own.size and np.ptp(own) < SAME_WEIGHT * own.max() for own in each):
        return None
    odds = float(each[1][0] / each[0][0])
    return 1.0 if abs(odds - 1) < SAME_WEIGHT else odds


#: Weights that are not whole are rounded to this many units in all: sums of these are exact.
UNITS = 2.0**52


class RowMasses(NamedTuple):
    """Units of each row (n,), and the weight of a unit.

    A whole weight is its own number of units: such a row counts as if it stood there that often.
    Other weights are rounded so that all units together are about `UNITS`, each row at least 1.
    """

    units: Ints
    unit: float

    @classmethod
    def of(cls, weights: Floats) -> RowMasses | None:
        """Units of positive weights; None if all weights are equal and each row counts once."""
        if (weights == weights[0]).all():
            return None
        if (weights == np.rint(weights)).all() and weights.sum() < UNITS:
            return cls(weights.astype(np.intp), 1.0)
        unit = float(weights.sum()) / UNITS
        return cls(np.maximum(np.rint(weights / unit), 1).astype(np.intp), unit)


def groups_of(values: Any, name: str, n: int) -> Ints:
    """Code of the person (or group) of each of n rows: their places among the sorted names."""
    labels = labels_of(values, name)
    one_a_point(labels.size, name, n)
    codes = np.unique(labels, return_inverse=True)[1]
    return np.asarray(codes, dtype=np.intp)


#: Fewer people than this are refused: they do not show how people vary.
FEWEST_PEOPLE = 10


class CountedPeople(np.ndarray):
    """Names of the people of some rows, who were counted together with those of all rows."""


def people_of(values: Any, name: str, n: int) -> Ints:
    """Code of the person of each of n rows; refuses groups of rows that are no people."""
    codes = groups_of(values, name, n)
    people = int(codes.max()) + 1
    if people < min(FEWEST_PEOPLE, n) and not isinstance(values, CountedPeople):
        raise ValueError(
            f"{name}: found {people} group{'s' * (people != 1)} of {n:,} rows, expected people "
            f"whom rows belong to, {FEWEST_PEOPLE} or more. For groups of rows, such as sexes or "
            "sites, use evaluate_by(X_test, y_test, sensitive_features)"
        )
    return codes
