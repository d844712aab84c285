"""Finds where scores are higher or lower than the true risks, like ``miscalibration.ts``."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.reliability.calibration_band import CalibrationBand

#: If bounds are this far apart on average, they can hardly refute anything. Measured with scores
#: whose log-odds are doubled and shifted by 1: with 60 rows (width .70) the band refutes them in 1
#: of 10 samples, with 200 rows (.53) in 6 of 10, with 500 (.42) in all.
WIDE = 2 / 3


class Stretch(NamedTuple):
    """A range of scores that are all higher than the true risks, or all lower."""

    start: float
    end: float
    higher: bool


class Miscalibration(NamedTuple):
    """What the bounds say about the scores as risks.

    If some scores are refuted, `verdict` is "off". If none is, it is "none". If the bounds are too
    wide to tell, it is "few". If the bounds contradict each other, it is "refuted".
    """

    verdict: str
    stretches: tuple[Stretch, ...] = ()


def miscalibration(band: CalibrationBand) -> Miscalibration:
    """The ranges of scores that lie outside the bounds of their probability.

    The bounds hold at every score at once, so all ranges hold at once.
    """
    if band.refuted:
        return Miscalibration("refuted")
    scores, ends, lower, upper = band.score, band.ends, band.lower, band.upper
    # The upper bound at a score also holds down to the previous score, and the lower bound up to
    # the next score.
    after, before = np.append(scores[0], scores[:-1]), np.append(ends[1:], ends[-1])
    found = [
        *_joined(np.maximum(after, upper), scores, upper < scores, higher=True),
        *_joined(ends, np.minimum(before, lower), ends < lower, higher=False),
    ]
    if found:
        return Miscalibration("off", tuple(sorted(found)))
    width = float(np.average(upper - lower, weights=band.points))
    return Miscalibration("few" if width > WIDE else "none")


def _joined(
    starts: Floats, ends: Floats, refuted: NDArray[np.bool_], *, higher: bool
) -> list[Stretch]:
    """The refuted ranges. Those that touch are joined."""
    found: list[Stretch] = []
    for start, end in zip(starts[refuted].tolist(), ends[refuted].tolist(), strict=True):
        if found and start <= found[-1].end:
            found[-1] = found[-1]._replace(end=end)
        else:
            found.append(Stretch(start, end, higher))
    return found
