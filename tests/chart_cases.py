"""Evaluations, tables and charts that several tests draw, and readers of drawn charts."""

import itertools
import xml.etree.ElementTree as ET
from functools import cache

import numpy as np
import pandas as pd
import vl_convert
from data import (
    by_kernel,
    evaluation_from_scores,
    fit_explicit,
    logistic_sample,
    scored,
    three_classes,
)
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, average_bands, charts

THEMES = ("light", "dark")


BANDS = {"sensitivity": ("tpr",), "specificity": ("fpr",), "both": ("tpr", "fpr")}


#: Tags that a picture may have. None of them can run a script.
TAGS = {
    *("svg", "g", "rect", "path", "line", "text", "tspan", "defs", "clipPath", "title"),
    *("desc", "pattern", "circle"),
}
HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"quoted\" & 'quoted' \\",
    "{datum.x} {{signal}}",
    "two\nlines\u2028of\u2029text\x00\x1b[31m",
    "\u202eright to left\u202c",
    "\ud800 half a pair",
    "x" * 10_000,
    "",
]


def few_negatives():
    rng = np.random.default_rng(2)
    y, score = scored(rng, 400)
    keep = (y == 1) | (np.cumsum(y == 0) <= 12)
    return by_kernel(y[keep], score[keep], *scored(rng, 100))


def localized(n_test=60):
    rng = np.random.default_rng(3)
    parts = [logistic_sample(rng, n)[:2] for n in (200, 200, n_test)]
    return fit_explicit(parts, neighbors=80).evaluate(*parts[2])


def averaged():
    rng = np.random.default_rng(4)
    model = ConformalROC(LogisticRegression(), random_state=0).fit(*three_classes(rng, 600))
    return average_bands(model.evaluate_all(*three_classes(rng, 200)), 0.1)


def table(models=("M1", "M2"), values=(100, 500, 2000), tests=("iid", "shifted")):
    rng = np.random.default_rng(5)
    rows = [
        {"model": model, "value": value, "test": test, "label": label, "replicates": 50}
        for model, value, test, label in itertools.product(models, values, tests, (0, 1))
    ]
    frame = pd.DataFrame(rows)
    for name in ("coverage_pi", "coverage_p", "length", "coverage_band", "width_band"):
        frame[name] = rng.uniform(0.9, 1, len(rows))
        frame[f"{name}_se"] = rng.uniform(0.001, 0.01, len(rows))
    return frame


@cache
def shown():
    """Evaluations: an ordinary one, one with few negatives, a localized one."""
    return evaluation_from_scores(decimals=2), few_negatives(), localized()


def grid(theme):
    _, few, local = shown()
    cells = itertools.product(("M1", "M2"), ("iid", "shifted"))
    made = {cell: local if cell[1] == "shifted" else few for cell in cells}
    return charts.roc_grid(made, theme=theme)


#: Every chart by name, in one theme. The first ones cover each kind once.
CHARTS = {
    "both bands": lambda theme: charts.roc(shown()[1], band="both", threshold=0.5, theme=theme),
    "study": lambda theme: charts.study(table(), 0.05, theme=theme),
    "residuals": lambda theme: charts.residuals(shown()[0], theme=theme),
    "grid": grid,
    "roc": lambda theme: charts.roc(shown()[0], threshold=0.5, theme=theme),
    "average": lambda theme: charts.roc(averaged(), theme=theme),
    "coverage": lambda theme: charts.coverage(table(), 0.05, of=("pi", "p", "band"), theme=theme),
    "length": lambda theme: charts.length(table(), of=("interval", "band"), theme=theme),
    "few residuals": lambda theme: charts.residuals(shown()[1], theme=theme),
    "local residuals": lambda theme: charts.residuals(shown()[2], theme=theme),
}


def svg_of(chart):
    """The SVG of a chart, or of its JSON."""
    text = chart if isinstance(chart, str) else chart.to_json()
    return ET.fromstring(vl_convert.vegalite_to_svg(text, vl_version="6.1"))


def words(chart):
    return words_of(svg_of(chart))


def words_of(svg):
    text = " ".join(" ".join(node.itertext()) for node in svg.iter() if node.tag.endswith("}text"))
    return text.replace("\N{NO-BREAK SPACE}", " ")


def records(chart):
    """All data of a chart, one list of rows for each data set."""
    return [list(rows) for rows in chart.to_dict(validate=False)["datasets"].values()]


def curve_of(chart):
    """For each name of a band's arrays, what a chart draws: the curve, and limits at its x values."""
    found = {}
    for rows in records(chart):
        names, drawn = set(rows[0]), pd.DataFrame(rows)
        if names == {"x", "y"} and len(rows) > 2:
            found |= {"fpr": drawn["x"], "tpr": drawn["y"]}
        for over, rate in (("x", "tpr"), ("y", "fpr")):
            if names == {over, "lower", "upper"}:
                found |= {f"{rate}_{end}": drawn[end] for end in ("lower", "upper")}
    return found


def panels(chart):
    """Records of the estimates, panel by panel."""
    spec = chart.to_dict(validate=False)
    return [
        spec["datasets"][layer.get("data", panel.get("data"))["name"]]
        for panel in spec["concat"]
        for layer in panel["layer"]
        if layer["mark"]["type"] == "point"
    ]
