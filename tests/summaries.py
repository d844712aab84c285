"""Evaluations of test points in memory, and of the same points summarized from a table."""

import numpy as np
import pandas as pd
from data import scored

from conformal_roc_widget import RocEvaluation

RNG = np.random.default_rng(5)
CALIBRATION = scored(RNG, 200)


def exact(y, score):
    return RocEvaluation.from_predictions(*CALIBRATION, y, score)


def summarized(source, calibration=CALIBRATION, **options):
    """An evaluation of a table with the columns `p` (scores) and `y` (labels)."""
    y, score = calibration
    told = {"score": "p", "label": "y", "y_calibration": y, "score_calibration": score}
    return RocEvaluation.from_table(source, **told | options)


def frame(y, score):
    return pd.DataFrame({"p": score, "y": y})
