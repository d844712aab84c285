"""Coverage and width of every band, against loops over one replicate."""

import math

import numpy as np
import pandas as pd
import pytest
from comparison import BANDS, CONFORMAL, LAWS, run
from scipy import stats
from scipy.special import expit

from conformal_roc_widget import RocEvaluation, comparators
from conformal_roc_widget.simulation import runner

QUICK = {"resamples": 100, "progress": False, "random_state": 5}


def test_figures_are_those_of_loops_over_one_replicate():
    law = LAWS["binormal_unequal"]
    seed = np.random.SeedSequence(
        5, spawn_key=(int.from_bytes(b"binormal_unequal", "little"), 30, 1)
    )
    data = np.random.default_rng(seed.spawn(1)[0])
    y, x = law.draw(30, data)
    y_calibration, x_calibration = law.draw(30, data)
    table = run({"binormal_unequal": law}, [30], 2, 0.1, each=True, **QUICK)
    row = table[table["replicate"] == 1].set_index("band")
    assert list(row.index) == [*BANDS, *CONFORMAL]

    band = comparators.ks_band(y, x, 0.1)
    held = []
    for g, low, up in list(zip(band.fpr, band.tpr_lower, band.tpr_upper, strict=True))[1:-1]:
        held.append(low <= stats.norm.sf((stats.norm.isf(g) - 1.2) / 1.6) <= up)
    assert row.loc["ks", "pointwise"] == pytest.approx(np.mean(held))
    assert row.loc["ks", "simultaneous"] == all(held)
    assert row.loc["ks", "width"] == pytest.approx((band.tpr_upper - band.tpr_lower)[1:-1].mean())

    evaluation = RocEvaluation.from_predictions(
        y_calibration,
        expit(law.classifier(x_calibration)),
        y,
        expit(law.classifier(x)),
        reference="kernel",
    )
    pi = expit(law.logit_pi(x[y == 1]))
    held, widths = [], []
    for cut in pi:
        point = evaluation.operating_point(cut, 0.1)
        held.append(point.tpr_lower <= np.mean(pi >= cut) + 1e-12 <= point.tpr_upper + 2e-12)
        widths.append(point.tpr_upper - point.tpr_lower)
    assert row.loc["conformal", "pointwise"] == pytest.approx(np.mean(held))
    assert row.loc["conformal", "simultaneous"] == all(held)
    assert row.loc["conformal", "width"] == pytest.approx(np.mean(widths))


def test_means_have_their_standard_errors_and_targets():
    laws = {"gamma": LAWS["gamma"], "beta": LAWS["beta"]}
    one = run(laws, [8, 12], 7, bands=["ks", "conformal"], each=True, **QUICK)
    table = run(laws, [8, 12], 7, bands=["ks", "conformal"], **QUICK)
    assert len(one) == 2 * 2 * 7 * 2
    assert len(table) == 2 * 2 * 2
    assert table.attrs["alpha"] == 0.05
    assert set(table.loc[table["band"] == "ks", "target"]) == {"population ROC of this classifier"}
    for row in table.itertuples():
        own = one[(one["law"] == row.law) & (one["n"] == row.n) & (one["band"] == row.band)]
        assert row.replicates == 7
        assert row.width == pytest.approx(own["width"].mean())
        assert row.width_se == pytest.approx(own["width"].std() / math.sqrt(7))
        assert row.simultaneous == pytest.approx(own["simultaneous"].mean())


def test_a_replicate_depends_neither_on_the_others_nor_on_processes():
    laws, options = {"student": LAWS["student"]}, {**QUICK, "bands": ["bootstrap", "conformal"]}
    both = run(laws, [10, 20], 3, each=True, **options)
    alone = run(laws, [20], 3, each=True, n_jobs=2, **options)
    pd.testing.assert_frame_equal(
        both[both["n"] == 20].reset_index(drop=True), alone, check_exact=True
    )


def test_a_file_is_gone_on_with_and_never_mixed(tmp_path):
    laws, place = {"beta": LAWS["beta"]}, tmp_path / "coverage.parquet"
    options = {"bands": ["ks"], "resamples": 100, "progress": False}
    first = run(laws, [10], 3, path=place, random_state=9, each=True, **options)
    more = run(laws, [10], 5, path=place, each=True, **options)
    fresh = run(laws, [10], 5, random_state=9, each=True, **options)
    pd.testing.assert_frame_equal(more, fresh)
    pd.testing.assert_frame_equal(more[:3], first)
    written = place.read_bytes()
    for change in ({"random_state": 8}, {"alpha": 0.1}, {"bands": ["bootstrap"]}):
        with pytest.raises(ValueError, match=next(iter(change))):
            run(laws, [10], 3, path=place, **{**options, **change})
    assert place.read_bytes() == written
    place.write_bytes(b"nothing")
    with pytest.raises(ValueError, match="not a whole result file"):
        run(laws, [10], 3, path=place, **options)


def test_an_interruption_returns_what_is_done(monkeypatch):
    calls = []
    measure = runner._measured

    def interrupted(*arguments):
        if calls:
            raise KeyboardInterrupt
        calls.append(arguments)
        return measure(*arguments)

    monkeypatch.setattr(runner, "_measured", interrupted)
    with pytest.warns(UserWarning, match="interrupted after 5 of 12"):
        table = run({"beta": LAWS["beta"]}, [10], 12, bands=["ks"], each=True, **QUICK)
    assert len(table) == 5


BAD = [
    ({"laws": {}}, ValueError, "laws"),
    ({"laws": {"beta": "beta"}}, TypeError, "laws"),
    ({"sizes": []}, ValueError, "sizes"),
    ({"sizes": [2]}, ValueError, "sizes"),
    ({"sizes": [10.5]}, ValueError, "sizes"),
    ({"replicates": 0}, ValueError, "replicates"),
    ({"alpha": 0}, ValueError, "alpha"),
    ({"alpha": "0.1"}, TypeError, "alpha"),
    ({"bands": ["kolmogorov"]}, ValueError, "bands"),
    ({"bands": []}, ValueError, "bands"),
    ({"bands": "ks"}, TypeError, "bands"),
    ({"resamples": 10}, ValueError, "resamples"),
    ({"random_state": -1}, ValueError, "random_state"),
    ({"path": "/no/such/folder/file.parquet"}, ValueError, "path"),
]


@pytest.mark.parametrize(("bad", "kind", "pattern"), BAD)
def test_a_bad_argument_is_refused_by_name(bad, kind, pattern):
    with pytest.raises(kind, match=pattern):
        run(**{**QUICK, "sizes": [10], "replicates": 1} | bad)


@pytest.mark.slow
def test_guaranteed_bands_cover_at_every_law():
    """DKW is proven for the whole curve, the conformal band with the true reference for a random
    threshold.
    """
    table = run(None, [100], 200, bands=["ks", "conformal_true_reference"], **QUICK)
    for row in table.itertuples():
        figure = "simultaneous" if row.band == "ks" else "pointwise"
        assert getattr(row, figure) > 0.95 - 4 * math.sqrt(0.05 * 0.95 / 200), row.law
