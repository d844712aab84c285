"""Areas at horizons of real tables, compared with areas that other packages computed.

Both tables come with lifelines (MIT licence): that of the German Breast Cancer Study Group, and
Rossi's of arrests after release. The weights use the censoring just before each time. If they used
the censoring up to that time, the same rows would give scikit-survival's areas, which differ in the
fifth digit.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from followed_data import outcome

from conformal_roc_widget import RocEvaluation

ROOT = Path(__file__).parents[2]


def gbsg2():
    table = pd.read_csv(ROOT / "notebooks/gbsg2.csv")
    return outcome(table["time"], table["cens"]), table["pnodes"]


def rossi():
    table = pd.read_csv(ROOT / "tests/fixtures/rossi.csv")
    return outcome(table["week"], table["arrest"]), table["prio"]


def naive_area(y, score, t, just_before=True):
    """Share of pairs of a case and a control in the right order, weighted, ties count half."""
    times, events = y["time"], y["event"]

    def followed(u):
        kept = 1.0
        for c in np.unique(times[~events]):
            if c < u or (c == u and not just_before):
                lost = (~events & (times == c)).sum()
                kept *= 1 - lost / ((times > c).sum() + lost)
        return kept

    cases = events & (times <= t)
    controls = (times > t) | (~events & (times == t) & just_before)
    weights = np.array([1 / followed(u) for u in times[cases]])
    above = score[cases][:, None] - score[controls][None, :]
    return float(weights @ ((above > 0) + 0.5 * (above == 0)).mean(axis=1) / weights.sum())


@pytest.mark.parametrize(
    ("table", "t", "area"),
    [
        (gbsg2, 365, 0.716682),
        (gbsg2, 730, 0.675948),
        (gbsg2, 1460, 0.662610),
        (rossi, 20, 0.628157),
        (rossi, 40, 0.613511),
        (rossi, 51, 0.608470),
        # All 318 people who were not arrested by the end of the study are controls at 52 weeks.
        (rossi, 52, 0.596367),
    ],
)
def test_areas_of_real_tables(table, t, area):
    y, score = table()
    score = score.to_numpy(dtype=float)
    p = (score + 1) / (score.max() + 2)
    evaluation = RocEvaluation.from_predictions(y, p, y, p, horizon=t)
    assert evaluation.ideal_auc_range(0.1)[0] == pytest.approx(area, abs=6e-7)
    assert evaluation.ideal_auc_range(0.1)[0] == pytest.approx(naive_area(y, score, t), abs=1e-12)
    # In Rossi's study no row is censored before the end.
    weights = evaluation.sample_weight
    counted = evaluation.labels.size if weights is None else weights.sum()
    assert counted == pytest.approx(len(y), rel=1e-12)


@pytest.mark.parametrize(("t", "area"), [(365, 0.716698), (730, 0.675958), (1460, 0.662577)])
def test_with_censoring_up_to_each_time_they_are_those_of_scikit_survival(t, area):
    y, score = gbsg2()
    found = naive_area(y, score.to_numpy(dtype=float), t, just_before=False)
    assert found == pytest.approx(area, abs=6e-7)
