"""Every chart: it is valid, needs no network, is reproducible, shows names as text, and names bad
input.
"""

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import altair as alt
import numpy as np
import pandas as pd
import pytest
from chart_cases import CHARTS, HOSTILE, TAGS, THEMES, averaged, svg_of, table, words, words_of
from data import evaluation_from_scores, scored

from conformal_roc_widget import RocEvaluation, charts
from conformal_roc_widget.charts import notebook
from conformal_roc_widget.shown import theme as themes


def with_thorough(values, quick=1):
    """Cases of which only the first runs without the mark "thorough"."""
    rest = (pytest.param(value, marks=pytest.mark.thorough) for value in values[quick:])
    return [*values[:quick], *rest]


@pytest.fixture(scope="module")
def evaluation():
    return evaluation_from_scores(n_calibration=300, n_test=200, decimals=2)


@pytest.mark.parametrize("theme", with_thorough(THEMES))
@pytest.mark.parametrize("name", with_thorough(list(CHARTS), 4))
def test_every_chart_is_valid_holds_its_data_and_compiles_to_pictures(name, theme, tmp_path):
    chart = CHARTS[name](theme)
    text = chart.to_json()  # raises an error if the chart violates the schema
    spec = json.loads(text, parse_constant=pytest.fail)
    assert spec["config"]["background"] == themes.THEMES[theme].background
    assert spec["description"]
    assert '"tooltip"' in text
    assert '"url"' not in text
    assert not re.search(r"https?://(?!vega\.github\.io/schema/)", text), "nothing is fetched"
    assert CHARTS[name](theme).to_dict(validate=False) == chart.to_dict(validate=False)
    if name != "residuals" or theme != "light":  # only one chart is also saved to files
        svg_of(text)
        return
    svg, png = tmp_path / "a.svg", tmp_path / "a.png"
    chart.save(svg)
    chart.save(png)
    assert ET.fromstring(svg.read_text()).tag.endswith("svg")
    assert png.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("hostile", with_thorough(HOSTILE), ids=range(len(HOSTILE)))
def test_names_are_text(hostile):
    rng = np.random.default_rng(11)
    y, score = scored(rng, 200)
    names = np.where(y == 1, hostile + "2", hostile + "1") if len(hostile) < 100 else y
    evaluation = RocEvaluation.from_predictions(names, score, names[:150], score[:150])
    if len(hostile) >= 100:
        evaluation = replace(evaluation, classes=(hostile, hostile + "!"))
    held = hostile.encode(errors="replace").decode()  # pandas cannot store lone surrogates
    frame = table(models=(held, held + "!"), values=(100, 200), tests=("iid",))
    for chart in (
        charts.roc(evaluation, title=hostile),
        charts.residuals(evaluation, title=hostile),
        charts.roc_grid({(hostile, hostile): evaluation, (hostile + "!", hostile): evaluation}),
        charts.study(frame, value_title=hostile, title=hostile),
    ):
        spec = chart.to_json()
        svg = svg_of(spec)  # raises an error if the SVG is not well-formed
        assert {node.tag.rpartition("}")[2] for node in svg.iter()} <= TAGS
        assert not [name for node in svg.iter() for name in node.attrib if name.startswith("on")]
        text = words_of(svg)
        assert "\u202e" not in text
        assert len(text) < 20_000
        # In its HTML pages, Altair writes a chart's texts into a script element without escaping
        # them.
        assert not re.search("<[/!]", spec)
    if hostile.startswith("<"):
        shown = words(charts.residuals(evaluation)).replace("\N{WORD JOINER}", "")
        assert hostile[:20] in shown


def test_bad_input_names_the_argument(evaluation):
    frame = table()
    band = evaluation.band(0.05)
    grid = {("M1", "iid"): evaluation}
    for error, name, call in [
        (ValueError, "theme", lambda: charts.roc(evaluation, theme="blue")),
        (ValueError, "theme", lambda: charts.roc_grid(grid, theme=None)),
        (ValueError, "theme", lambda: charts.coverage(frame, theme="")),
        (ValueError, "theme", lambda: charts.residuals(evaluation, theme="Dark")),
        (ValueError, "band", lambda: charts.roc(evaluation, band="vertical")),
        (ValueError, "band", lambda: charts.roc_grid(grid, band=1)),
        (ValueError, "band", lambda: charts.roc(averaged(), band="both")),
        (ValueError, "alpha", lambda: charts.roc(evaluation, 1.5)),
        (TypeError, "alpha", lambda: charts.roc(evaluation, "5 %")),
        (ValueError, "alpha", lambda: charts.roc(band, 0.1)),
        (ValueError, "alpha", lambda: charts.coverage(frame, 0)),
        (ValueError, "alpha", lambda: charts.residuals(evaluation, -1)),
        (ValueError, "threshold", lambda: charts.roc(band, threshold=0.5)),
        (ValueError, "threshold", lambda: charts.roc(evaluation, threshold=np.nan)),
        (TypeError, "evaluation", lambda: charts.roc(frame)),
        (TypeError, "evaluation", lambda: charts.residuals(band)),
        (TypeError, "size", lambda: charts.roc(evaluation, size="big")),
        (ValueError, "size", lambda: charts.roc(evaluation, size=10)),
        (ValueError, "width", lambda: charts.residuals(evaluation, width=np.inf)),
        (TypeError, "band", lambda: charts.reliability(None)),
        (ValueError, "size", lambda: charts.reliability(evaluation.reliability(), size=20)),
        (ValueError, "theme", lambda: charts.reliability(evaluation.reliability(), theme="blue")),
        (TypeError, "evaluations", lambda: charts.roc_grid([evaluation])),
        (TypeError, "evaluations", lambda: charts.roc_grid({"M1": evaluation})),
        (TypeError, "evaluations", lambda: charts.roc_grid({("M1", "iid"): frame})),
        (ValueError, "evaluations", lambda: charts.roc_grid({})),
        (
            ValueError,
            "evaluations",
            lambda: charts.roc_grid({**grid, ("M2", "shifted"): evaluation}),
        ),
        (
            ValueError,
            "evaluations",
            lambda: charts.roc_grid({**grid, ("M2", "iid"): evaluation.band(0.2)}),
        ),
        (TypeError, "table", lambda: charts.coverage(frame.to_dict())),
        (ValueError, "table", lambda: charts.coverage(frame.iloc[:0])),
        (ValueError, "table", lambda: charts.coverage(pd.concat([frame, frame]))),
        (ValueError, "table", lambda: charts.length(frame.assign(length="short"))),
        (ValueError, "table", lambda: charts.length(frame.assign(length_se=np.inf))),
        (ValueError, "table", lambda: charts.length(frame.assign(value=np.nan))),
        (ValueError, "table", lambda: charts.length(frame.assign(model=None))),
        (ValueError, "of", lambda: charts.coverage(frame, of="length")),
        (ValueError, "of", lambda: charts.length(frame, of=())),
    ]:
        with pytest.raises(error, match=rf"^{name}\b"):
            call()


def test_in_a_notebook_a_chart_comes_with_a_picture_of_itself():
    before = alt.renderers.active
    try:
        charts.show_in_notebook()
        bundle = charts.residuals(evaluation_from_scores(1))._repr_mimebundle_()
    finally:
        alt.renderers.enable(before)
    assert set(bundle) == {"image/svg+xml", "application/vnd.vegalite.v5+json"}
    assert bundle["image/svg+xml"].startswith("<svg")
    assert bundle["application/vnd.vegalite.v5+json"]["$schema"].endswith("/v5.json")


def test_without_vl_convert_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(notebook, "find_spec", lambda _: None)
    with pytest.raises(ImportError, match=r"conformal_roc_widget\[save\]"):
        charts.show_in_notebook()
