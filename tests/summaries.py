"""Evaluations of the same test points by themselves, and summarized from a table."""

import numpy as np
import pandas as pd
from data import scored

from conformal_roc_widget import RocEvaluation

RNG = np.random.default_rng(5)
CALIBRATION = scored(RNG, 200)


def exact(y, score):
    return RocEvaluation.from_predictions(*CALIBRATION, y, score)


def summarized(source, **options):
    names = {"score": "p", "label": "y"} | options
    return RocEvaluation.from_table(
        source, y_calibration=CALIBRATION[0], score_calibration=CALIBRATION[1], **names
    )


def frame(y, score):
    return pd.DataFrame({"p": score, "y": y})
