"""A bad option of widget, chart, comparator or simulation raises an error that names it, and
changes nothing.
"""

import numpy as np
import pandas as pd
import pytest
import traitlets
from refusals import INF, NAN, S_TEST, SHOWN, WRONG, Y_TEST, X, Y, refused
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import (
    ConformalROC,
    ROCWidget,
    calibration_band,
    charts,
    comparators,
    simulation,
)

Trait = traitlets.TraitError
WIDGET = ROCWidget(SHOWN)
FITTED = LogisticRegression().fit(X, Y)
MODEL = ConformalROC(LogisticRegression(), random_state=0).fit(X, Y)


def compared(name, **bad):
    return lambda: getattr(comparators, name)(**{"y": Y_TEST, "score": S_TEST} | bad)


def simulated(**bad):
    return simulation.run("sample_size", [60], 1, random_state=0, **{"progress": False} | bad)


BAD_OPTIONS = [
    # The widget
    *(
        (lambda bad=bad: ROCWidget(bad), WRONG, "evaluation")
        for bad in (None, 3, [], {}, "roc", SHOWN.band())
    ),
    *(
        (lambda bad=bad: ROCWidget({"a": bad}), TypeError, "evaluation.*label 'a")
        for bad in (None, 3, WIDGET)
    ),
    (lambda: ROCWidget({object(): SHOWN}), WRONG, "evaluation"),
    # As an argument, None means the default. It cannot be set later.
    *(
        (lambda name=name: setattr(WIDGET, name, None), Trait, name)
        for name in ("threshold", "band")
    ),
    *(
        (lambda name=name, bad=bad: ROCWidget(SHOWN, **{name: bad}), Trait, name)
        for name, values in {
            "alpha": (0, 0.6, NAN, INF, "0.1", None, [0.1], 0.1j),
            "threshold": (-0.1, 1.1, NAN, INF, "0.1", [0.1]),
            "band": ("", "Both", 1, ["both"]),
            "weights": (None, "equal", 1, {"a": 1}),
            "label": ("a", 1, [1], NAN),
        }.items()
        for bad in values
    ),
    *(
        (lambda bad=bad: ROCWidget(SHOWN, comparators=bad), WRONG, "comparators")
        for bad in ("ks", ["dkw"], [None], 3, None, [["ks"]])
    ),
    (lambda: ROCWidget(SHOWN, alfa=0.1), TypeError, "alfa"),
    *(
        (lambda name=name, bad=bad: getattr(WIDGET, name)(bad), WRONG, "path")
        for name in ("to_html", "to_svg", "to_png")
        for bad in (None, 3, "", "/nowhere/at/all.html", ".", b"roc.html")
    ),
    *(
        (lambda bad=bad: WIDGET.embed(bad), WRONG, "folder")
        for bad in (None, 3, "/nowhere/at/all", __file__)
    ),
    *(
        (lambda name=name, bad=bad: getattr(WIDGET, name)("x", **bad), WRONG, next(iter(bad)))
        for name, options in {
            "to_html": ({"data": "all"}, {"data": None}, {"title": 3}),
            "to_svg": ({"theme": "blue"}, {"theme": None}, {"title": 3}),
            "to_png": ({"theme": "blue"}, {"theme": None}, {"title": 3}),
        }.items()
        for bad in options
    ),
    (lambda: WIDGET.embed(".", url=3), WRONG, "url"),
    (lambda: WIDGET.embed(".", form="rst"), ValueError, "form"),
    (lambda: WIDGET.embed(".", data="all"), ValueError, "data"),
    # Evaluations
    *(
        (lambda bad=bad: SHOWN.rows_of(**{"cell": "tp", "threshold": 0.5} | bad), WRONG, each)
        for each, values in {"cell": ("pt", "junk", ["tp"]), "threshold": ("0.5", NAN)}.items()
        for bad in ({each: value} for value in values)
    ),
    # Charts
    *(
        (lambda bad=bad: SHOWN.plot(**bad), WRONG, next(iter(bad)))
        for bad in ({"alpha": 2}, {"band": "left"}, {"threshold": 1.5}, {"name": 3})
    ),
    *(
        (lambda make=make: make(SHOWN, title=3), TypeError, "title: found int, expected a str")
        for make in (charts.roc, charts.residuals)
    ),
    (lambda: charts.reliability(SHOWN.reliability(), title=3), TypeError, "title"),
    # Simulation
    *(
        (lambda bad=bad: simulated(**bad), WRONG, next(iter(bad)))
        for bad in (
            {"n_jobs": "all"},
            {"n_jobs": 0},
            {"n_jobs": [2]},
            {"progress": "yes"},
            {"each": "no"},
        )
    ),
    (
        lambda: simulation.draw("sample_size", 50, 0, shifted="no"),
        TypeError,
        "shifted: found 'no', expected",
    ),
    *((lambda bad=bad: SHOWN.merged(bad), TypeError, "other") for bad in (None, 3, SHOWN)),
    # Comparators
    *(
        (compared(name, **bad), WRONG, next(iter(bad)))
        for name in ("bootstrap_band", "simultaneous_band")
        for bad in (
            {"resamples": 0},
            {"resamples": 99},
            {"resamples": 200.0},
            {"resamples": None},
            {"resamples": True},
            {"random_state": -1},
            {"random_state": "seed"},
            {"random_state": True},
            {"progress": "yes"},
            {"progress": None},
        )
    ),
    *(
        (compared("simultaneous_band", n_threads=bad), WRONG, "n_threads")
        for bad in ("all", 0, 1.5, [2])
    ),
    *(
        (compared("clopper_pearson_box", **{"threshold": 0.5} | bad), WRONG, next(iter(bad)))
        for bad in (
            {"threshold": NAN},
            {"threshold": "0.5"},
            {"threshold": None},
            {"threshold": True},
            {"joint": 1},
        )
    ),
    (lambda: comparators.delong_differences(Y_TEST, [S_TEST, S_TEST]), TypeError, "scores"),
    *(
        (lambda bad=bad: comparators.mean_auc_interval(bad), TypeError, "folds")
        for bad in (None, 3, [3, 4], [(Y_TEST,)], Y_TEST)
    ),
    (
        lambda: comparators.mean_auc_interval([(Y_TEST, S_TEST)] * 2, groups=3),
        TypeError,
        "groups",
    ),
    # An option that is a table, or NA, cannot be compared with the words or labels that are known.
    *(
        (lambda call=call, bad=bad: call(bad), WRONG, name)
        for bad in (Y_TEST, pd.Series(Y_TEST), pd.DataFrame({"y": Y_TEST}), np.empty(0), pd.NA)
        for name, call in (
            ("pos_label", lambda bad: compared("ks_band", pos_label=bad)()),
            ("pos_label", lambda bad: calibration_band(Y_TEST, S_TEST, pos_label=bad)),
            ("pos_label", lambda bad: MODEL.evaluate(X, Y, pos_label=bad)),
            ("pos_label", lambda bad: ROCWidget.from_estimator(FITTED, X, Y, pos_label=bad)),
            ("label", lambda bad: MODEL.evaluate(X, Y, bad)),
            ("label", lambda bad: MODEL.predict_interval(X, bad)),
            ("guarantee", SHOWN.with_guarantee),
            ("band", lambda bad: SHOWN.plot(band=bad)),
            ("looks", lambda bad: SHOWN.sampled_point(0.5, looks=bad)),
        )
    ),
    (lambda: SHOWN.more_rows([[100], [100, 200]]), TypeError, "rows"),
    (lambda: SHOWN.sampled_point(0.5, looks="twice"), ValueError, "looks"),
]


@pytest.mark.parametrize(("call", "kind", "pattern"), BAD_OPTIONS)
def test_a_bad_option_is_refused_by_name_and_changes_nothing(
    call, kind, pattern, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    before = WIDGET.get_state()
    refused(call, kind, rf"\b{pattern}\b")
    assert WIDGET.get_state() == before
    assert list(tmp_path.iterdir()) == []
