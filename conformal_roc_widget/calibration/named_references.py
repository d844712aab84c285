"""Makes the reference (the estimate of the true probability) from the argument `reference`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from conformal_roc_widget.calibration.references.kernel import check_bandwidth
from conformal_roc_widget.calibration.references.learned import Learned
from conformal_roc_widget.calibration.references.reference import (
    KERNEL_FEATURES,
    Kernel,
    Oracle,
    Reference,
    Score,
    SecondClassifier,
    Settings,
)
from conformal_roc_widget.calibration.references.sharp import Sharp
from conformal_roc_widget.checks import one_of
from conformal_roc_widget.tables.encoder import TableEncoder
from conformal_roc_widget.tables.points import Labelled, Points
from conformal_roc_widget.text import Note, counted, counted_people

from .classifiers import has_scores
from .neighborhoods import check_distance
from .parameters import Parameters, looks_at_features
from .resplits import PER_INSTANCE

#: `COUNTED` points are searched for equal rows of features. If there are at least
#: `POINTS_AT_A_PLACE` points per distinct row, a note warns of the kernel. Kernel and classifier
#: then both return the share of positives at each distinct row, so their difference says nothing
#: about ``pi``.
POINTS_AT_A_PLACE, COUNTED = 2, 10_000
#: If a label has fewer points than this, ``"auto"`` does not choose the learned reference.
AUTO_FEWEST = 20
#: The value of `reference` with which the numbers of points and features decide which reference is
#: used.
AUTO = "auto"
#: The references that the user chooses by a name.
NAMED: dict[str, Callable[[Settings], Reference]] = {
    "kernel": Kernel,
    "score": Score,
    "sharp": Sharp,
    "learned": Learned,
}


def reference_of(reference: Any, settings: Settings) -> Reference:
    """Returns the reference that the argument `reference` names. It is not fitted yet.

    For ``"auto"`` it is the kernel, which stands in until `auto_reference` makes the choice.
    """
    if not isinstance(reference, (str, type)):
        if hasattr(reference, "fit") and has_scores(reference):
            return SecondClassifier(reference)
        if callable(reference):
            return Oracle(reference)
    name = one_of(reference, "reference", [AUTO, *NAMED], other="a classifier or a callable")
    return NAMED["kernel" if name == AUTO else name](settings)


class Choice(NamedTuple):
    """The chosen reference, not fitted yet, and the encoder that it needs.

    If ``"auto"`` chose the reference, `note` gives the reason. The encoder turns features into
    numbers. The encoder is None if features are numbers already, or are not used.
    """

    reference: Reference
    note: Note | None
    encoder: Any

    @classmethod
    def of(cls, wanted: Parameters, data: Labelled, calibrating: Labelled) -> Choice:
        """Chooses for the parameters `wanted`. Raises if they do not suit the data.

        `data` are the rows of ``X, y``, and `calibrating` the rows that calibrate.
        """
        given, note = wanted.reference, None
        settings = Settings(wanted.bandwidth, wanted.n_jobs, wanted.progress)
        reference = reference_of(given, settings)
        if isinstance(given, str) and given == AUTO:
            name, note = auto_reference(
                data,
                kernel_only(wanted),
                wanted.encoder,
                near=wanted.neighbors is not None,
                calibrating=calibrating,
            )
            reference = reference_of(name, settings)
        check_features(data.points, reference, wanted.distance, wanted.bandwidth)
        near = looks_at_features(wanted.neighbors, wanted.distance)
        if not data.points.columns.encoded or not (reference.needs_features or near):
            return cls(reference, note, None)
        encoder = TableEncoder() if isinstance(wanted.encoder, str) else wanted.encoder
        return cls(reference, note, encoder)


def auto_reference(
    data: Labelled,
    why_kernel: str,
    encoder: Any,
    *,
    near: bool = False,
    calibrating: Labelled | None = None,
) -> tuple[str, Note | None]:
    """Returns the reference that ``"auto"`` chooses from the shape of the data, and a note on it.

    If features are few and complete numbers, and the rows that calibrate have no weights or people,
    it is ``"sharp"``, and there is no note. Otherwise it is ``"learned"``. The kernel replaces both
    if `why_kernel` gives a reason, ``"sharp"`` if there are neighbourhoods (`near`), and
    ``"learned"`` if a label has too few rows or people. If the rows that calibrate are not `data`,
    they are `calibrating`. Results play no part, because choosing by results would cost coverage.
    """
    calibrating = calibrating or data
    name, reason = _for_features(data.points, encoder)
    if name == "sharp" and not calibrating.stands_for.plain:
        name, reason = "learned", "rows have weights, or several belong to one person"
    if name == "sharp" and (why_kernel or near):
        why_kernel = why_kernel or "neighbours ask for one"
        name, reason = "kernel", _repeats(data.points)
    elif name == "learned" and not why_kernel:
        why_kernel = _too_few(data, calibrating)
    if not reason:
        return name, None
    if why_kernel:
        name, reason = "kernel", f"{why_kernel}, though {reason}"
    return name, Note(f"The reference is '{name}', chosen by 'auto':", f"{reason}.")


def _too_few(data: Labelled, calibrating: Labelled) -> str:
    """Returns why a label has too few rows (or people) to learn from.

    Empty if there are enough.
    """
    fewest = int(np.bincount(data.codes).min())
    found, people = counted(fewest, "point"), calibrating.stands_for.people
    if people is not None:
        own = (people[calibrating.codes == k] for k in range(data.classes.size))
        fewest = min(np.unique(each).size for each in own)
        found = counted_people(fewest)
    return f"a label has {found}, too few to learn from" if fewest < AUTO_FEWEST else ""


def _for_features(points: Points, encoder: Any) -> tuple[str, str]:
    """Returns the reference that suits the features, and the reason.

    If features are few and complete numbers, the reason is empty.
    """
    if points.columns.encoded:
        is_auto = isinstance(encoder, str)
        how = "not complete numbers alone" if is_auto else "encoded"
        return "learned", f"the features are {how}"
    if points.columns.number > KERNEL_FEATURES:
        return "learned", f"there are {points.columns.number} features, too many for a kernel"
    return "sharp", ""


def _repeats(points: Points) -> str:
    """If most rows of features repeat, returns why a kernel is of no use. Otherwise empty."""
    some = points.array[:: -(-len(points.array) // COUNTED)]
    places = len(np.unique(some, axis=0))
    if places * POINTS_AT_A_PLACE > len(some):
        return ""
    return (
        f"the features have only {places:,} different rows, "
        "where a kernel says what the classifier says"
    )


def kernel_only(wanted: Parameters) -> str:
    """Returns why the parameters `wanted` force ``"auto"`` to choose the kernel, or ""."""
    if wanted.center == "kernel":
        return "center='kernel' asks for one"
    if not isinstance(wanted.bandwidth, str) or wanted.bandwidth != "silverman":
        return "a bandwidth asks for one"
    if wanted.resplits == PER_INSTANCE:
        return "learning anew for every test point would take too long"
    return ""


def check_features(points: Points, reference: Reference, distance: Any, bandwidth: Any) -> None:
    """Raises if the distance or the bandwidth does not fit the features of `points`."""
    if not points.columns.encoded:
        check_distance(distance, points.array)
        check_bandwidth(bandwidth, reference.bandwidth_size(points.columns.number))
        return
    for name, value in (("distance", distance), ("bandwidth", bandwidth)):
        if not isinstance(value, str) and not callable(value) and np.ndim(value) > 0:
            raise ValueError(
                f"{name}: found one value per feature for an encoded table, expected a rule: "
                "columns of numbers are not those of the table"
            )
    check_distance(distance, np.eye(2, 3))
    check_bandwidth(bandwidth, 1)
