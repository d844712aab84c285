"""A bad option of widget, chart, comparator or simulation is refused by name, and changes nothing."""

import pandas as pd
import pytest
import traitlets
from data import evaluation_from_scores
from refusals import INF, NAN, S_TEST, SHOWN, WRONG, Y_TEST, refused

from conformal_roc_widget import (
    ROCWidget,
    average_bands,
    charts,
    comparators,
    comparison,
    simulation,
)

Trait = traitlets.TraitError
WIDGET = ROCWidget(SHOWN)
CLASSES = {name: evaluation_from_scores(i, n_test=40 + i) for i, name in enumerate("abc")}


def compared(name, **bad):
    return lambda: getattr(comparators, name)(**{"y": Y_TEST, "score": S_TEST} | bad)


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
    *(
        (lambda name=name, bad=bad: ROCWidget(SHOWN, **{name: bad}), Trait, name)
        for name, values in {
            "alpha": (0, 0.6, NAN, INF, "0.1", None, [0.1], 0.1j),
            "threshold": (-0.1, 1.1, NAN, INF, "0.1", None, [0.1]),
            "band": (None, "", "Both", 1, ["both"]),
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
    # Charts
    *((lambda bad=bad: charts.roc(bad), WRONG, "evaluation") for bad in (None, 3, {"a": SHOWN})),
    *(
        (lambda bad=bad: charts.residuals(bad), TypeError, "evaluation")
        for bad in (None, SHOWN.band())
    ),
    (lambda: charts.roc(SHOWN, band="left"), ValueError, "band"),
    (lambda: charts.roc(SHOWN, theme="blue"), ValueError, "theme"),
    (lambda: charts.roc(SHOWN, threshold=NAN), ValueError, "threshold"),
    (lambda: charts.roc(SHOWN.band(), threshold=0.5), ValueError, "threshold"),
    (lambda: charts.roc(SHOWN.band(0.1), 0.2), ValueError, "alpha"),
    (lambda: charts.residuals(SHOWN, theme=None), ValueError, "theme"),
    *(
        (lambda bad=bad: charts.roc_grid(bad), WRONG, "evaluations")
        for bad in (None, {}, [SHOWN], {"a": SHOWN})
    ),
    *(
        (lambda name=name, bad=bad: getattr(charts, name)(bad), WRONG, "table")
        for name in ("coverage", "length", "study")
        for bad in (None, {}, pd.DataFrame(), pd.DataFrame({"model": ["a"]}))
    ),
    # Evaluations
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
        (compared("clopper_pearson_box", **{"threshold": 0.5} | bad), WRONG, next(iter(bad)))
        for bad in (
            {"threshold": NAN},
            {"threshold": "0.5"},
            {"threshold": None},
            {"threshold": True},
            {"joint": 1},
        )
    ),
    # Simulations
    *(
        (
            lambda bad=bad: simulation.draw(**{"setting": "sample_size", "n": 5, "rng": 0} | bad),
            WRONG,
            next(iter(bad)),
        )
        for bad in (
            {"setting": "study"},
            {"setting": None},
            {"n": 0},
            {"n": 2.5},
            {"n": "5"},
            {"rng": "seed"},
            {"value": "x"},
        )
    ),
    *(
        (
            lambda bad=bad: simulation.run(**{"setting": "sample_size", "progress": False} | bad),
            WRONG,
            next(iter(bad)),
        )
        for bad in (
            {"setting": "study"},
            {"values": []},
            {"values": [NAN]},
            {"values": ["a"]},
            {"replicates": 0},
            {"replicates": 1.5},
            {"random_state": -1},
            {"random_state": "seed"},
            {"colour": "red"},
            {"path": 3},
            {"n_jobs": "all"},
            {"n_jobs": 0},
        )
    ),
    *(
        (lambda bad=bad: comparison.run(**{"progress": False} | bad), WRONG, next(iter(bad)))
        for bad in (
            {"laws": {}},
            {"laws": {"a": 3}},
            {"laws": 3},
            {"sizes": []},
            {"sizes": [4]},
            {"sizes": 20},
            {"replicates": 0},
            {"bands": "ks"},
            {"bands": ["dkw"]},
            {"bands": 3},
            {"random_state": -1},
            {"resamples": 1},
            {"path": 3},
            {"n_jobs": "all"},
            {"n_jobs": 0},
        )
    ),
    # Averages
    (lambda: average_bands(CLASSES, 0.1, {"a": 1, "b": 0}), ValueError, "weights"),
    (lambda: average_bands(CLASSES, 0.1, ["size"]), WRONG, "weights"),
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
