"""Turns arguments into numpy arrays. If an argument is refused, the error names it."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import number, quoted
from .names import Leads
from .text import EXACT, counted

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Made = TypeVar("Made")

#: Features of a larger absolute value are refused, because sums of their squares may overflow.
LARGEST_FEATURE = 1e100
#: The largest weight of a row must be at most this, and at least 1 divided by this. Otherwise
#: products of two sums of squares could overflow, or be 0.
LARGEST_WEIGHT = 1e50


#: Labels may be a data frame with one of these columns. Its rows are then outcomes with a time. The
#: names in `LATE_ENTRY` are columns for the time at which the follow-up of a row starts.
TIME_COLUMNS, LATE_ENTRY = ("time", "event"), ("start", "stop", "entry")


def has_time(y: Any) -> bool:
    """Whether the labels `y` are times with events: a structured array, or a frame with times.

    A frame has times if it has several columns, of which `TIME_COLUMNS` or `LATE_ENTRY` names one.
    """
    if getattr(getattr(y, "dtype", None), "names", None):
        return True
    columns = frame_columns(y)
    return len(columns) > 1 and bool(set(columns) & {*TIME_COLUMNS, *LATE_ENTRY})


def frame_columns(y: Any) -> list[str]:
    """Column names of `y`. If `y` is not a two-dimensional frame, the list is empty."""
    names = getattr(y, "column_names", getattr(y, "columns", None))
    if names is None or len(getattr(y, "shape", ())) != 2:
        return []
    return [str(name) for name in names]


def numbers_of(values: Any, name: str, ndim: int, *, column: bool = False) -> Floats:
    """Returns `values` as a float64 array of `ndim` dimensions. NaN and infinity are refused.

    `values` are copied only if needed. If `column` is set, a table with a single column is accepted
    too.
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
    """Standard deviation (d,) of each column (n, d). It is correct even if squares underflow.

    Deviations below the smallest normal float become 0, because floats this small have lost digits.
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
    """Returns `array`, or its only column of shape (n,) if it has the shape (n, 1)."""
    return array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array


def _refuse_gaps(values: Any, name: str, expected: str) -> None:
    """Raises an error if `values` are a sparse array, or a masked one with masked values."""
    if hasattr(values, "toarray"):
        raise TypeError(
            f"{name}: found a sparse {type(values).__name__}, "
            f"expected a dense array of {expected} (call .toarray() on it)"
        )
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(f"{name}: found a masked array with masked values, expected none masked")


def _all_finite(array: NDArray[Any]) -> bool:
    """Whether all values are finite. If their sum is finite, all of them are."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(array.sum()) or np.isfinite(array).all())


def scores_of(values: Any, name: str) -> Floats:
    """Returns `values` as a float64 array of shape (n,). Values outside [0, 1] are refused."""
    return in_unit_range(any_scores_of(values, name), name, "probabilities in [0, 1]")


def any_scores_of(values: Any, name: str) -> Floats:
    """Returns `values` as a float64 array of shape (n,). Values outside [0, 1] are accepted.

    A table with a single column is accepted too. If integers are too large for floats,
    `WholeScores` replaces them by distinct floats in the same order.
    """
    shape: tuple[int, ...] = getattr(values, "shape", ())
    if len(shape) == 2 and shape[1] == 2:
        raise ValueError(
            f"{name}: found shape {shape}, expected shape (n,): of the two columns of "
            "predict_proba the one of the positive label, [:, 1] as scikit-learn sorts the labels"
        )
    scores = numbers_of(values, name, ndim=1, column=True)
    whole = WholeScores.of(values)
    return scores if whole is None else whole.placed(values)


class WholeScores(NamedTuple):
    """Ascending distinct integers that are too large for floats, and floats that replace them.

    The floats have the same order. They are distinct even where rounding would make two integers
    equal.
    """

    given: NDArray[Any]
    floats: Floats

    @classmethod
    def of(cls, *scores: Any) -> WholeScores | None:
        """Finds the distinct integers among one or several arrays of scores, and their floats.

        Returns None if float64 holds all scores exactly, or if some scores are not integers.
        """
        floats = [np.asarray(each, dtype=np.float64) for each in scores]
        if all(each.max() <= EXACT and each.min() >= -EXACT for each in floats):
            return None
        every = np.concatenate([_exact(each) for each in scores])
        if not all(isinstance(each, int) for each in every):
            return None
        distinct = np.unique(every)
        return cls(distinct, rising(distinct.astype(np.float64)))

    def placed(self, scores: Any) -> Floats:
        """Returns for each of the integer `scores` the float that replaces it."""
        return self.floats[np.searchsorted(self.given, _exact(scores))]

    def cut(self, threshold: Any) -> float:
        """Returns a float that, as a threshold, predicts the same scores positive as `threshold`.

        If `threshold` is not an integer, it becomes a float.
        """
        value = getattr(threshold, "threshold", threshold)
        if not isinstance(value, numbers.Integral):
            return float(threshold)
        at = int(np.searchsorted(self.given, int(value)))
        above = float(np.nextafter(self.floats[-1], math.inf))
        return float(self.floats[at]) if at < self.given.size else above

    def named(self, cut: float) -> float:
        """The integer score that the float `cut` replaces. If there is none, returns `cut`."""
        at = int(np.searchsorted(self.floats, cut))
        known = at < self.given.size and self.floats[at] == cut
        return int(self.given[at]) if known else cut


def _exact(scores: Any) -> NDArray[Any]:
    """Scores as an array of Python numbers, whose integers may have any number of digits."""
    given = np.asarray(scores) if hasattr(scores, "dtype") else np.array(scores, dtype=object)
    return np.array(one_column(given).tolist(), dtype=object)


def cut_among(whole: WholeScores | None, threshold: Any, *expected: Any) -> float:
    """Checks `threshold` by `number`. Returns it as a float that can be compared with scores.

    If `whole` replaced the scores, the threshold is replaced in the same way.
    """
    cut = number(threshold, "threshold", *expected)
    return cut if whole is None else whole.cut(threshold)


def as_given(threshold: Any) -> float:
    """Returns `threshold` as results report it: a float or, beyond `EXACT`, an integer."""
    value = getattr(threshold, "threshold", threshold)
    if isinstance(value, numbers.Integral) and abs(int(value)) > EXACT:
        return int(value)
    return float(threshold)


def rising(floats: Floats, top: float = math.inf) -> Floats:
    """Makes ascending floats distinct. No result exceeds `top`.

    If a float is not above the result before it, it becomes the next float above that result.
    """
    # `_places` reads the bits of floats as integers in the same order. The next float above a float
    # is the next integer, so a step to it is an addition of 1.
    ordered, steps = _places(floats), np.arange(floats.size)
    ordered = np.maximum.accumulate(ordered - steps) + steps
    ordered = np.minimum(ordered, _places(np.array([top])) - steps[::-1])
    bits = np.where(ordered < 0, np.iinfo(np.int64).min - ordered, ordered)
    return np.asarray(bits.view(np.float64))


def _places(floats: Floats) -> Ints:
    """Returns integers in the order of the floats. Neighbouring floats differ by 1."""
    bits = floats.view(np.int64)
    return np.where(bits < 0, np.iinfo(np.int64).min - bits, bits)


def cut_of(threshold: Any, score: Any) -> float:
    """Returns `threshold` as a float that can be compared with `any_scores_of(score)`."""
    number(threshold, "threshold")
    any_scores_of(score, "score")
    return cut_among(WholeScores.of(score), threshold)


def in_unit_range(values: Floats, name: str, expected: str) -> Floats:
    """Returns `values` if all are in [0, 1]. Otherwise the error says what is `expected`."""
    low, high = values.min(), values.max()
    if low < 0 or high > 1:
        raise ValueError(
            f"{name}: found values from {exactly(low)} to {exactly(high)}, expected {expected}"
        )
    return values


def exactly(value: float) -> str:
    """Writes `value` with six digits, or with all if rounding would move it across 0 or 1."""
    few = f"{value:g}"
    return few if (0 <= float(few) <= 1) == (0 <= value <= 1) else repr(float(value))


def are_probabilities(*scores: Floats) -> bool:
    """Whether all scores lie in [0, 1]."""
    return all(each.min() >= 0 and each.max() <= 1 for each in scores)


def array_of(values: Any, name: str) -> NDArray[Any]:
    """Returns `values` as a numpy array. Sparse, masked and ragged values are refused."""
    _refuse_gaps(values, name, "shape (n,)")
    try:
        return np.asarray(values)
    except ValueError as error:
        raise ValueError(f"{name}: expected an array of shape (n,): {error}") from None


def labels_of(values: Any, name: str) -> NDArray[Any]:
    """Returns `values` as class labels: an array of shape (n,) of a type that can be sorted.

    Missing labels are refused.
    """
    if has_time(values):
        raise ValueError(
            f"{name}: found outcomes with a time, expected labels: only "
            "ConformalROC(horizons=...), RocEvaluation.from_predictions(horizon=...) and "
            "bootstrap_band(horizon=...) take a time"
        )
    array = one_column(array_of(values, name))
    if array.dtype.kind in "US" and isinstance(values, list | tuple):
        # If a list mixes strings with numbers or missing values, numpy turns all of them into
        # strings ("1", "nan"). The checks below need the original values.
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
    """The end of an error about labels (n, c), which guesses what the columns are, or ""."""
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


#: If numeric labels have more distinct values than this, an error says that they may be a
#: regression target.
MOST_CLASSES = 20


def hint_from_values(distinct: NDArray[Any]) -> str:
    """Returns the end of an error about classes, which guesses what the `distinct` labels are.

    If there is no guess, it is empty.
    """
    if distinct.dtype.kind not in "iuf" or distinct.size < 3:
        return ""
    if is_continuous(distinct) and distinct.min() >= 0 and distinct.max() <= 1:
        return ". These look like scores, which come after the labels, or a regression target"
    if distinct.size <= MOST_CLASSES:
        return ""
    return f". {distinct.size:,} distinct values: is this a regression target?"


def is_continuous(distinct: NDArray[Any]) -> bool:
    """Whether the `distinct` labels include a number with a fractional part."""
    return distinct.dtype.kind == "f" and not bool((distinct == np.rint(distinct)).all())


def _unspelled(values: Sequence[Any], spelled: NDArray[Any]) -> NDArray[Any]:
    """Returns `spelled`, numpy's array of `values`, if all of `values` are strings.

    Otherwise returns an array of the original values.
    """
    values = [each[0] if isinstance(each, list | tuple) else each for each in values]
    if spelled.ndim != 1 or all(isinstance(value, str | bytes) for value in values):
        return spelled
    return np.array(values, dtype=object)


def codes_of(
    labels: NDArray[Any], classes: NDArray[Any], name: str, *, absent: bool = False
) -> NDArray[np.intp]:
    """Returns for each label its position in `classes` (n,).

    Each class must occur among the labels. If `absent` is set and there are more than two classes,
    it is enough if two occur.
    """
    found = distinct_of(labels)
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
    # `np.searchsorted` needs ascending values. `classes` lists the negative class first, so it may
    # be in descending order.
    order = np.argsort(classes)
    return np.asarray(order[np.searchsorted(classes, labels, sorter=order)], dtype=np.intp)


def coded_labels_of(
    values: Any, name: str, classes: NDArray[Any] | None = None, *, absent: bool = False
) -> tuple[NDArray[Any], NDArray[np.intp], NDArray[Any]]:
    """Returns `values` as labels, each label's position in the classes, and the classes.

    By default the classes are all distinct labels. For `absent`, see `codes_of`.
    """
    labels = labels_of(values, name)
    classes = distinct_of(labels) if classes is None else classes
    if classes.size < 2:
        raise ValueError(
            f"{name}: found one class only ({classes.tolist()[0]!r}), expected at least two"
        )
    if is_continuous(classes) and (hint := hint_from_values(classes)):
        raise ValueError(f"{name}: found {shortened(classes.tolist())}, expected classes{hint}")
    return labels, codes_of(labels, classes, name, absent=absent), classes


def binary_codes_of(labels: NDArray[Any], classes: NDArray[Any], name: str) -> NDArray[np.int8]:
    """Returns `codes_of` for two classes as int8, which takes an eighth of the memory."""
    with np.errstate(invalid="ignore", over="ignore"):
        try:
            typed = classes.astype(labels.dtype)
        except (TypeError, ValueError, OverflowError):
            typed = classes
    # If the labels' type can hold both classes exactly, labels are compared with the classes. This
    # is faster than `codes_of` below, which sorts.
    if typed.dtype == labels.dtype and typed.tolist() == classes.tolist():
        positive: NDArray[np.bool_] = labels == typed[1]
        found = [np.count_nonzero(labels == typed[0]), np.count_nonzero(positive)]
        if min(found) > 0 and sum(found) == labels.size:
            return positive.astype(np.int8)
    return codes_of(labels, classes, name).astype(np.int8)


def distinct_of(labels: NDArray[Any]) -> NDArray[Any]:
    """The distinct labels in ascending order. If they are two numbers, nothing is sorted."""
    if labels.dtype.kind in "biuf" and labels.size:
        ends = np.array([labels.min(), labels.max()])
        if ((labels == ends[0]) | (labels == ends[1])).all():
            return np.unique(ends)
    return np.unique(labels)


def two_classes_of(labels: NDArray[Any], name: str, pos_label: Any = None) -> NDArray[Any]:
    """Returns the two distinct labels, first the negative and then the positive class.

    By default the second label in sorted order is positive. Errors call the labels `name`.
    """
    classes = distinct_of(labels)
    if classes.size != 2:
        raise ValueError(
            f"{name}: found {counted(classes.size, 'distinct label')} "
            f"({shortened(classes.tolist())}), expected exactly two classes"
            f"{hint_from_values(classes)}"
        )
    if pos_label is None:
        return classes
    second = place_of(pos_label, "pos_label", classes.tolist()) == 1
    return classes if second else classes[::-1]


def place_of(label: Any, name: str, known: list[Any]) -> int:
    """Returns the index of `label` among the `known` ones. Raises unless it is one of them."""
    try:
        return known.index(label)
    except (TypeError, ValueError):  # to compare with an array or with pandas.NA raises, too
        found = f"{label!r:.40}"
    raise ValueError(f"{name}: found {found}, expected one of {shortened(known)}")


def positive_place(label: Any, pos_label: Any, known: list[Any]) -> int | None:
    """Returns the index of the class that `label` or `pos_label` asks for, or None without either.

    The two are names of one argument, so an error is raised if they differ.
    """
    asked = {"label": label, "pos_label": pos_label}
    places = [place_of(it, name, known) for name, it in asked.items() if it is not None]
    if len(set(places)) > 1:
        raise ValueError(
            f"pos_label: found {pos_label!r:.40}, expected the same as label, {label!r:.40}"
        )
    return places[0] if places else None


def labelled_scores(
    y: ArrayLike, score: ArrayLike, name: str = "score", pos_label: Any = None
) -> tuple[NDArray[np.bool_], Floats]:
    """Checks labels and scores. Returns whether each row is positive (n,), and its score (n,).

    Both classes must occur. Errors call the scores `name`.
    """
    labels, scores = labels_of(y, "y"), any_scores_of(score, name)
    same_length(**{"y": labels, name: scores})
    return binary_codes_of(labels, two_classes_of(labels, "y", pos_label), "y") == 1, scores


def positives_of(labels: NDArray[Any], name: str, pos_label: Any = None) -> NDArray[np.bool_]:
    """Returns whether each label is the positive one. One of the two classes may be missing.

    By default the second label in sorted order is positive. If only one class occurs, the label 1
    is positive.
    """
    first, *others = np.unique(labels).tolist()
    if others:
        return np.asarray(labels == two_classes_of(labels, name, pos_label)[1])
    if pos_label is None and first not in (-1, 0, 1):
        raise ValueError(
            f"{name}: found only the label {first!r:.40}, expected two classes, or "
            "pos_label to say whether it is the positive one"
        )
    return np.asarray(labels == (1 if pos_label is None else pos_label))


def same_length(**arrays: ArrayLike | None) -> None:
    """Raises an error if the given arrays differ in length. Keywords are their argument names."""
    lengths = {name: len(np.asarray(array)) for name, array in arrays.items() if array is not None}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise ValueError(f"{' and '.join(lengths)}: {found} rows, expected equal lengths")


def one_a_point(rows: int, name: str, n: int) -> None:
    """Raises if the argument `name` has `rows` rows although there are `n` points."""
    if rows != n:
        found = f"{rows} row{'s' * (rows != 1)}"
        raise ValueError(f"{name}: found {found}, expected {n}, one for each point")


def by_label(make: Callable[[int], Made]) -> tuple[Made, Made]:
    """Returns ``make(0)`` and ``make(1)``, the results for both labels."""
    return make(0), make(1)


def read_only(array: Floats) -> Floats:
    """A read-only view of an array, for frozen dataclasses."""
    view = array.view()
    view.flags.writeable = False
    return view


def lock(record: Any) -> None:
    """Replaces each array in a frozen dataclass by a read-only view of it."""
    for name, value in vars(record).items():
        if isinstance(value, np.ndarray):
            object.__setattr__(record, name, read_only(value))


class ReadOnlyArrays(Leads):
    """Base of frozen dataclasses whose arrays are read-only, also in copies and pickles."""

    def __post_init__(self) -> None:
        """Makes the arrays read-only."""
        lock(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restores a copy or pickle, whose arrays are made read-only again."""
        self.__dict__.update(state)
        lock(self)


def frame_of(
    record: Any, columns: Sequence[str], attrs: Sequence[str], **renamed: str
) -> pd.DataFrame:
    """Makes a data frame from fields of a record.

    The fields in `columns` become columns of the same name. `renamed` maps the name of a column to
    its field. The fields in `attrs` become the frame's ``attrs``.
    """
    import pandas as pd

    fields = renamed | dict(zip(columns, columns, strict=True))
    frame = pd.DataFrame({column: getattr(record, name) for column, name in fields.items()})
    frame.attrs.update({name: getattr(record, name) for name in attrs})
    return frame


def shortened(values: list[Any], most: int = 6) -> str:
    """Writes values in a short text, such as ``'a', 'b', … (12 in all)``."""
    text = ", ".join(f"{value!r:.40}" for value in values[:most])
    return text if len(values) <= most else f"{text}, … ({len(values)} in all)"


def row_weights_of(values: Any, name: str, n: int) -> Floats:
    """Checks weights of `n` rows (n,). Raises unless they can be squared and summed."""
    weights = numbers_of(values, name, ndim=1)
    one_a_point(weights.size, name, n)
    if (low := weights.min()) < 0:
        raise ValueError(f"{name}: found {low:g}, expected weights of at least 0")
    refuse_weightless(weights, name)
    if not 1 / LARGEST_WEIGHT <= (high := weights.max()) <= LARGEST_WEIGHT:
        raise ValueError(
            f"{name}: found {high:g} as the largest weight, expected one from "
            f"{1 / LARGEST_WEIGHT:g} to {LARGEST_WEIGHT:g}: divide all weights by their mean"
        )
    return weights


def refuse_weightless(weights: Floats, name: str, rows: str = "every row") -> None:
    """Raises if all weights are 0. In the error, `rows` says whose weights they are."""
    if not weights.any():
        raise ValueError(f"{name}: found zero for {rows}, expected some weight")


#: Two weights count as equal if their relative difference is less than this.
SAME_WEIGHT = 1e-9


def odds_of_weights(weights: Floats, codes: NDArray[Any]) -> float | None:
    """Returns the weight of a row of label 1 divided by the weight of a row of label 0.

    Returns None if the rows of one label have different weights.
    """
    each = [weights[codes == k] for k in (0, 1)]
    if not all(own.size and np.ptp(own) < SAME_WEIGHT * own.max() for own in each):
        return None
    odds = float(each[1][0] / each[0][0])
    return 1.0 if abs(odds - 1) < SAME_WEIGHT else odds


#: If some weights are not whole numbers, weights are rounded to multiples of a small unit. The unit
#: is such that all rows together weigh this many units. Floats represent sums of so many units
#: exactly.
UNITS = 2.0**52


class RowMasses(NamedTuple):
    """The weights of rows as whole numbers of units (n,), and the weight of a unit.

    If all weights are integers, a unit weighs 1, and a row of weight w counts as w rows. Weights
    that are not all integers are rounded, to at least one unit. See `UNITS`.
    """

    units: Ints
    unit: float

    @classmethod
    def of(cls, weights: Floats) -> RowMasses | None:
        """Converts positive weights (n,) to units.

        Returns None if all weights are equal, because each row then counts once.
        """
        if (weights == weights[0]).all():
            return None
        if (weights == np.rint(weights)).all() and weights.sum() < UNITS:
            return cls(weights.astype(np.intp), 1.0)
        unit = float(weights.sum()) / UNITS
        return cls(np.maximum(np.rint(weights / unit), 1).astype(np.intp), unit)


def groups_of(values: Any, name: str, n: int) -> Ints:
    """Returns for each of `n` rows the position of its group's name in sorted order."""
    labels = labels_of(values, name)
    one_a_point(labels.size, name, n)
    codes = np.unique(labels, return_inverse=True)[1]
    return np.asarray(codes, dtype=np.intp)


#: If rows belong to fewer people than this, they are refused, because so few do not show how much
#: people vary.
FEWEST_PEOPLE = 10


class WeighedRows(NamedTuple):
    """Rows of positive weight, with their two classes.

    Each row has the code 0 or 1 of its class, and a score. If the user gave no weights, `weights`
    is None. If the user gave no groups, `people`, the codes of the rows' people (n,), is None.
    """

    classes: NDArray[Any]
    codes: NDArray[np.int8]
    scores: Floats
    weights: Floats | None
    people: Ints | None

    @classmethod
    def of(
        cls,
        names: tuple[str, str],
        y: ArrayLike,
        score: ArrayLike,
        sample_weight: ArrayLike | None,
        groups: ArrayLike | None,
        *,
        suffix: str = "",
        classes: NDArray[Any] | None = None,
        pos_label: Any = None,
        expected: str = "",
    ) -> WeighedRows:
        """Checks a user's arguments, and leaves out rows of weight 0. Each class needs a row.

        Errors call `y` and `score` by `names`, and append `suffix` to the names of the other
        arguments. If scores must be probabilities, `expected` says so. By default the classes are
        those in `y`.
        """
        labels, scores = labels_of(y, names[0]), any_scores_of(score, names[1]).copy()
        if expected:
            in_unit_range(scores, names[1], expected)
        same_length(**dict(zip(names, (labels, scores), strict=True)))
        if classes is None:
            classes = two_classes_of(labels, names[0], pos_label)
        people = None if groups is None else people_of(groups, f"groups{suffix}", labels.size)
        weights, name = None, names[0]
        if sample_weight is not None:
            weights = row_weights_of(sample_weight, f"sample_weight{suffix}", labels.size)
            name = f"{name} where sample_weight{suffix} is above 0"
            there = weights > 0
            labels, scores, weights = labels[there], scores[there], weights[there]
            people = None if people is None else people[there]
        return cls(classes, binary_codes_of(labels, classes, name), scores, weights, people)


class CountedPeople(np.ndarray):
    """Names of the people of some of the rows, such as a fold. Few people are not an error here.

    The number of people in all rows has been checked before.
    """


def people_of(values: Any, name: str, n: int) -> Ints:
    """Returns an integer code of the person of each of `n` rows.

    Fewer people than `FEWEST_PEOPLE` are refused. They are probably groups, such as sexes or sites.
    """
    codes = groups_of(values, name, n)
    people = int(codes.max()) + 1
    if people < min(FEWEST_PEOPLE, n) and not isinstance(values, CountedPeople):
        raise ValueError(
            f"{name}: found {counted(people, 'group')} of {n:,} rows, expected at least "
            f"{FEWEST_PEOPLE} people. For groups of rows, such as sexes or sites, use "
            "evaluate_by(X_test, y_test, sensitive_features)"
        )
    return codes
