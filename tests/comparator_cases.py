"""The sampling bands by name, and data on which they are tried."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from public_data import CASES

from conformal_roc_widget.comparators import (
    bootstrap_band,
    ks_band,
    simultaneous_band,
    working_hotelling_band,
)

PROC = json.loads((Path(__file__).parent / "fixtures/proc.json").read_text())


BANDS = {
    "bootstrap": lambda y, score, alpha=0.05: bootstrap_band(
        y, score, alpha, resamples=200, random_state=0
    ),
    "simultaneous": lambda y, score, alpha=0.05: simultaneous_band(
        y, score, alpha, resamples=200, random_state=0
    ),
    "ks": ks_band,
    "working_hotelling": working_hotelling_band,
}


DEGENERATE = {
    "AUC 1": (np.repeat([0, 1], 20), np.r_[np.arange(20), np.arange(20) + 30.0]),
    "AUC 0": (np.repeat([1, 0], 20), np.r_[np.arange(20), np.arange(20) + 30.0]),
    "5 positives": (np.repeat([0, 1], [60, 5]), np.r_[np.arange(60), [20, 50, 55, 58, 70.5]]),
    "1 positive": (np.repeat([0, 1], [30, 1]), np.r_[np.arange(30), 20.5]),
    "one of each": (np.array([0, 1]), np.array([1.0, 2.0])),
    "all equal": (np.resize([0, 1], 50), np.full(50, 0.5)),
    "heavy ties": (np.resize([0, 1], 200), np.resize([1.0, 2.0, 2.0, 3.0, 1.0, 2.0, 3.0], 200)),
    "equal positives": (np.repeat([0, 1], 30), np.r_[np.linspace(0, 1, 30), np.full(30, 0.7)]),
    "large numbers": (np.resize([0, 1], 60), 1e300 * np.sin(np.arange(60.0))),
}


every_band = pytest.mark.parametrize("band", list(BANDS))


every_case = pytest.mark.parametrize("case", list(CASES))


def split(y, score):
    return [float(s) for s in score[y == 0]], [float(s) for s in score[y == 1]]


def polygon(negatives, positives, g):
    """The curve through the vertices, read at an exact false positive rate g.

    If g is on a vertical edge, the upper end of the edge counts.
    """
    levels = sorted({*negatives, *positives}, reverse=True)
    vertices = [(Fraction(0), Fraction(0))]
    for level in levels:
        vertices.append(
            (
                Fraction(sum(v >= level for v in negatives), len(negatives)),
                Fraction(sum(v >= level for v in positives), len(positives)),
            )
        )
    on = [t for f, t in vertices if f == g]
    if on:
        return max(on)
    left = max(v for v in vertices if v[0] < g)
    right = min(v for v in vertices if v[0] > g)
    return left[1] + (g - left[0]) / (right[0] - left[0]) * (right[1] - left[1])
