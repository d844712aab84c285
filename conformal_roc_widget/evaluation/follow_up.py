"""Makes the ROC curve at a horizon, if outcomes are times of events.

Label 1 is an event by the horizon. Rows that were lost to follow-up before it have no label. The
weights of the other rows make up for them.
"""

from __future__ import annotations

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.calibration.followed.known import FollowUp, Known
from conformal_roc_widget.tables.event_times import EventTimes

from .observed_curve import ObservedCurve

#: The names of label 0 and of label 1 at a horizon.
CLASSES = ("no event", "event")


def observed_at(
    known: Known, unit: str, outcome: EventTimes, scores: Floats, logits: Floats
) -> ObservedCurve:
    """Makes the observed curve of the rows whose outcome at the horizon is known.

    `scores` and `logits` are those of all rows. `unit` is the unit of the times.
    """
    follow_up = FollowUp(known.horizon, unit, known.unknown, outcome, scores)
    rows = known.rows
    given = scores[rows], known.labels, known.weights, logits[rows]
    return ObservedCurve.of(*given, follow_up=follow_up)
