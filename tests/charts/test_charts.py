"""Charts: what they hold is the band's to the last digit, and it draws without a network."""

import itertools
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache

import altair as alt
import numpy as np
import pandas as pd
import pytest
import vl_convert
from data import evaluation_from_scores, fit_explicit, logistic_sample, scored, three_classes
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, RocEvaluation, average_bands, charts
from conformal_roc_widget.calibration.quantiles import conformal_quantiles, ranks
from conformal_roc_widget.charts.residuals import BINS, OUTSIDE
from conformal_roc_widget.view import theme as themes

THEMES = ("light", "dark")
BANDS = {"sensitivity": ("tpr",), "specificity": ("fpr",), "both": ("tpr", "fpr")}
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


@pytest.fixture(scope="module")
def evaluation():
    return evaluation_from_scores(n_calibration=300, n_test=200, decimals=2)


def few_negatives():
    rng = np.random.default_rng(2)
    y, score = scored(rng, 400)
    keep = (y == 1) | (np.cumsum(y == 0) <= 12)
    return RocEvaluation.from_predictions(y[keep], score[keep], *scored(rng, 100))


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
def every_chart(theme="light"):
    return list(made(theme))


def made(theme="light"):
    evaluation, few = evaluation_from_scores(decimals=2), few_negatives()
    local = localized()
    yield charts.roc(evaluation, threshold=0.5, theme=theme)
    yield charts.roc(few, band="both", threshold=0.5, theme=theme)
    yield charts.roc(averaged(), theme=theme)
    cells = itertools.product(("M1", "M2"), ("iid", "shifted"))
    yield charts.roc_grid(
        {cell: local if cell[1] == "shifted" else few for cell in cells}, theme=theme
    )
    yield charts.coverage(table(), 0.05, of=("pi", "p", "band"), theme=theme)
    yield charts.length(table(), of=("interval", "band"), theme=theme)
    yield charts.study(table(), 0.05, theme=theme)
    for each in (evaluation, few, local):
        yield charts.residuals(each, theme=theme)


def svg_of(chart):
    return ET.fromstring(vl_convert.vegalite_to_svg(chart.to_json(), vl_version="6.1"))


def words(chart):
    return words_of(svg_of(chart))


def words_of(svg):
    text = " ".join(" ".join(node.itertext()) for node in svg.iter() if node.tag.endswith("}text"))
    return text.replace("\N{NO-BREAK SPACE}", " ")


def records(chart):
    """All data of a chart, one list of rows a data set."""
    return list(chart.to_dict()["datasets"].values())


def curve_of(chart, *names):
    """The data set that has these columns and no threshold, which is for the pointer."""
    (rows,) = (
        rows for rows in records(chart) if set(names) <= set(rows[0]) and "threshold" not in rows[0]
    )
    return pd.DataFrame(rows)


# ROC charts


@pytest.mark.parametrize("band", BANDS)
@pytest.mark.parametrize("alpha", [0.05, 0.3])
def test_the_numbers_are_the_bands_to_the_last_digit(evaluation, alpha, band):
    drawn = curve_of(charts.roc(evaluation, alpha, band=band), "fpr", "tpr")
    names = ["fpr", "tpr", *(f"{rate}_{end}" for rate in BANDS[band] for end in ("lower", "upper"))]
    assert sorted(drawn.columns) == sorted(names)
    expected = evaluation.band(alpha)
    assert len(drawn) == expected.fpr.size
    for name in names:
        np.testing.assert_array_equal(drawn[name], getattr(expected, name))


@pytest.mark.parametrize("options", [{}, {"recenter": True}, {"neighbors": 60}, {"resplits": 3}])
def test_display_vertices_have_the_limits_of_the_default_thresholds(options):
    rng = np.random.default_rng(6)
    X, y, _ = logistic_sample(rng, 300)
    evaluation = (
        ConformalROC(LogisticRegression(), random_state=0, **options)
        .fit(X, y)
        .evaluate(*logistic_sample(rng, 3000)[:2])
    )
    band = evaluation.band(0.1)
    rows = np.isin(band.thresholds, evaluation.display_vertices.thresholds)
    drawn = curve_of(charts.roc(evaluation, 0.1, band="both"), "fpr", "tpr")
    for name in drawn:
        np.testing.assert_array_equal(drawn[name], getattr(band, name)[rows])


def test_scores_of_zero_and_one_keep_their_limits():
    rng = np.random.default_rng(7)
    y, score = scored(rng, 200)
    score[:20], score[20:40] = 0, 1
    evaluation = RocEvaluation.from_predictions(y, score, y, score)
    band = evaluation.band(0.05)
    drawn = curve_of(charts.roc(evaluation, band="both"), "fpr", "tpr")
    for name in drawn:
        np.testing.assert_array_equal(drawn[name], getattr(band, name))


def path_of(element):
    return [
        tuple(map(float, pair.split(","))) for pair in re.findall(r"[^MLHVZ]+", element.get("d"))
    ]


def corners(points):
    """A path without repeated points and without points inside a straight run."""
    kept = []
    for point in points:
        if kept and point == kept[-1]:
            continue
        while len(kept) > 1 and any(kept[-2][i] == kept[-1][i] == point[i] for i in (0, 1)):
            kept.pop()
        kept.append(point)
    return kept


@pytest.mark.parametrize(("band", "rate"), [("sensitivity", "tpr"), ("specificity", "fpr")])
def test_edges_go_first_across_then_up_and_the_curve_is_straight_between_vertices(
    evaluation, band, rate
):
    made = evaluation.band(0.05)
    lines = {}
    for element in svg_of(charts.roc(evaluation, band=band, size=400)).iter(
        "{http://www.w3.org/2000/svg}path"
    ):
        stroke = element.get("stroke")
        if stroke in ("#1a1a1a", "#0072B2", "#D55E00") and "L" in element.get("d", ""):
            lines.setdefault(stroke, []).append(path_of(element))

    def at(x, y):
        return [(400 * a, 400 * (1 - b)) for a, b in zip(x, y, strict=True)]

    curve = max(lines["#1a1a1a"], key=len)
    np.testing.assert_allclose(curve, at(made.fpr, made.tpr), atol=1e-2)
    drawn = sorted(lines["#0072B2" if rate == "tpr" else "#D55E00"], key=len)[-2:]
    for end in ("lower", "upper"):
        limit = getattr(made, f"{rate}_{end}")
        x, y = (made.fpr, limit) if rate == "tpr" else (limit, made.tpr)
        steps = [(x[0], y[0])]
        for i in range(1, x.size):
            steps += [(x[i], y[i - 1]), (x[i], y[i])]
        expected = corners(at(*zip(*steps, strict=True)))
        assert any(
            len(corners(path)) == len(expected) and np.allclose(corners(path), expected, atol=1e-2)
            for path in drawn
        )


@pytest.mark.parametrize("band", ["sensitivity", "specificity"])
def test_the_area_is_one_path_between_the_edges(evaluation, band):
    label = 1 if band == "sensitivity" else 0
    fill = themes.THEMES["light"].labels[label]
    areas = [
        element
        for element in svg_of(charts.roc(evaluation, band=band)).iter()
        if element.get("fill") == fill and element.get("fill-opacity") == "0.15"
    ]
    (area,) = areas
    assert area.get("d").count("M") == 1
    assert area.get("d").endswith("Z")


def test_a_million_test_points_stay_small():
    rng = np.random.default_rng(8)
    evaluation = RocEvaluation.from_predictions(*scored(rng, 500), *scored(rng, 1_000_000))
    for drawn in (evaluation, evaluation.band(0.05)):
        chart = charts.roc(drawn, band="both", threshold=0.5 if drawn is evaluation else None)
        with alt.data_transformers.enable("default", max_rows=100):
            assert max(map(len, records(chart))) < 5000
    for rows in records(charts.residuals(evaluation)):
        assert len(rows) <= 2 * BINS


def test_a_long_band_is_thinned_by_less_than_half_a_pixel():
    evaluation = evaluation_from_scores(n_test=20_000)
    band = evaluation.band(0.05)
    drawn = curve_of(charts.roc(band), "fpr", "tpr")
    assert len(drawn) < band.fpr.size / 2
    place = {vertex: i for i, vertex in enumerate(zip(band.fpr, band.tpr, strict=True))}
    kept = np.array([place[vertex] for vertex in zip(drawn["fpr"], drawn["tpr"], strict=True)])
    for name in drawn:
        np.testing.assert_array_equal(drawn[name], getattr(band, name)[kept])
    assert kept[0] == 0
    assert kept[-1] == band.fpr.size - 1
    skipped = np.diff(kept) > 1
    for rate in (band.fpr, band.tpr):
        assert np.diff(rate[kept])[skipped].max() < 0.0005


def test_target_scope_and_guarantee_are_said(evaluation):
    band = evaluation.band(0.1)
    said = words(charts.roc(evaluation, 0.1))
    assert "ROC curve with 90 % conformal band for sensitivity" in said
    for promise in (band.target, band.scope, band.guarantee):
        assert promise in said
    assert "simultaneous" not in said
    auc, lower, upper = evaluation.auc(0.1)
    assert f"AUC {auc:.2f}" in said
    assert f"ideal model {lower:.2f} to {upper:.2f}" in said
    average = averaged()
    said = words(charts.roc(average))
    for promise in (average.target, average.guarantee):
        assert promise in said


def test_an_operating_point_is_marked_and_said(evaluation):
    point = evaluation.operating_point(0.4, 0.05)
    chart = charts.roc(evaluation, threshold=0.4)
    (row,) = (rows[0] for rows in records(chart) if rows[0].get("threshold") == "0.40")
    for name in ("tpr", "tpr_lower", "tpr_upper", "fpr", "fpr_lower", "fpr_upper"):
        assert row[name] == getattr(point, name)
    assert (
        f"At threshold 0.40, sensitivity is {point.tpr:.2f} (ideal model {point.tpr_lower:.2f} to "
        f"{point.tpr_upper:.2f}); specificity is {1 - point.fpr:.2f} (ideal model "
        f"{1 - point.fpr_upper:.2f} to {1 - point.fpr_lower:.2f})."
    ) in words(chart)


def test_a_label_without_limits_is_hatched_and_said():
    few = few_negatives()
    said = words(charts.roc(few, band="both", threshold=0.5))
    assert "specificity: no limits, hatched, 0 to 1 everywhere" in said
    assert few.band(0.05).vacuous[0] in said
    assert "(ideal model: no limits)" in said
    assert "95 % band, specificity" not in said
    assert "too few" not in words(charts.roc(few))
    assert "hatched" not in words(charts.roc(few, 0.2, band="both"))


def test_a_band_is_drawn_like_its_evaluation(evaluation):
    one, other = (
        curve_of(charts.roc(item), "fpr", "tpr") for item in (evaluation, evaluation.band(0.05))
    )
    pd.testing.assert_frame_equal(one, other)


def test_a_grid_has_a_plot_a_cell_and_says_what_holds_once(evaluation):
    other = evaluation_from_scores(seed=9)
    local = localized()
    chart = charts.roc_grid(
        {
            ("M1", "iid"): evaluation,
            ("M2", "iid"): other,
            ("M1", "shifted"): local,
            ("M2", "shifted"): local,
        },
        0.1,
    )
    spec = chart.to_dict()
    assert [" ".join(each["title"]["text"]) for each in spec["concat"]] == [
        "M1, iid",
        "M2, iid",
        "M1, shifted",
        "M2, shifted",
    ]
    assert spec["columns"] == 2
    said = words(chart)
    assert said.count("Target:") == said.count("Scope:") == 1
    assert f"Guarantee, iid: {evaluation.band(0.1).guarantee}" in said
    assert f"Guarantee, shifted: {local.band(0.1).guarantee}" in said
    assert said.count("this classifier") == 1
    for item in (evaluation, other, local):
        expected = curve_of(charts.roc(item, 0.1), "fpr", "tpr").to_dict("records")
        assert expected in records(chart)


# Simulation tables


def panels(chart):
    """Records of the estimates, panel by panel."""
    spec = chart.to_dict()
    return [
        spec["datasets"][layer.get("data", panel.get("data"))["name"]]
        for panel in spec["concat"]
        for layer in panel["layer"]
        if layer["mark"]["type"] == "point"
    ]


def test_estimates_are_the_tables_with_bars_of_two_standard_errors():
    frame = table().sample(frac=1, random_state=0)
    chart = charts.study(frame, 0.05)
    wanted = itertools.product(("coverage_pi", "coverage_p", "length"), ("iid", "shifted"), (1, 0))
    for (column, test, label), rows in zip(wanted, panels(chart), strict=True):
        found = frame[(frame["test"] == test) & (frame["label"] == label)]
        by_key = found.set_index(["model", "value"])
        assert len(rows) == len(found)
        for row in rows:
            source = by_key.loc[(row["model"], row["value"])]
            assert row["estimate"] == source[column]
            assert row["se"] == source[f"{column}_se"]
            assert row["lower"] == source[column] - 2 * row["se"]
            assert row["upper"] == min(1, source[column] + 2 * row["se"])
            assert row["replicates"] == 50


def test_coverage_and_length_show_what_is_asked_for():
    said = words(charts.coverage(table(), 0.1, value_title="Sample size n"))
    for text in (
        "Coverage of π and coverage of pₙ",
        "± 2 Monte-Carlo standard errors over 50 replicates",
        "the nominal level 1 − α = 0.9.",
        "Sample size n",
        "iid, label 1",
        "shifted, label 0",
    ):
        assert text in said
    assert len(panels(charts.coverage(table()))) == 8
    assert len(panels(charts.coverage(table(), of="band"))) == 4
    assert len(panels(charts.length(table()))) == 4
    assert len(panels(charts.length(table(), of=["interval", "band"]))) == 8
    assert len(panels(charts.coverage(table(tests=("iid",))))) == 4


def test_the_nominal_level_is_drawn_where_it_is_known():
    frame = table()
    assert "nominal" not in words(charts.coverage(frame))
    assert "nominal" not in words(charts.length(frame))
    frame.attrs = {"alpha": 0.05, "value": "γ"}
    chart = charts.study(frame)
    assert [{"estimate": 0.95}] in records(chart)
    assert "1 − α = 0.95" in words(chart)
    assert "γ" in words(chart)


def test_missing_estimates_and_errors_leave_gaps():
    frame = table()
    frame.loc[0, "coverage_pi"] = np.nan
    frame["coverage_pi_se"] = np.nan
    frame["replicates"] = 1
    chart = charts.coverage(frame, of="pi")
    rows = list(itertools.chain.from_iterable(panels(chart)))
    assert len(rows) == len(frame) - 1
    assert all(row["lower"] is None and row["upper"] is None for row in rows)
    assert "one replicate" in words(chart)


def test_models_differ_in_more_than_colour():
    names = [f"M{i}" for i in range(12)]
    chart = charts.length(table(models=names)).to_dict()
    encodings = [layer["encoding"] for layer in chart["concat"][0]["layer"]]
    ranges = [
        next(each[channel]["scale"]["range"] for each in encodings if channel in each)
        for channel in ("color", "shape", "strokeDash")
    ]
    for doubled in (ranges[1:2], ranges[2:3]):
        looks = list(zip(ranges[0], *doubled, strict=True))
        assert len(set(map(str, looks))) == len(names)


# Residuals


@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_residuals_show_all_residuals_and_the_order_statistics(alpha):
    evaluation = evaluation_from_scores(n_calibration=500)
    chart = charts.residuals(evaluation, alpha)
    data, said = records(chart), words(chart)
    bars = [rows for rows in data if "points" in rows[0]]
    off = sum(int(a or b) for a, b in re.findall(r"‹ (\d+)|(\d+) ›", said))
    off //= 2  # each text has a halo
    assert sum(row["points"] for rows in bars for row in rows) + off == 500
    for label in (0, 1):
        values = evaluation.residuals[label]
        picked = ranks(values.size, alpha)
        quantiles = conformal_quantiles(values, alpha)
        for rank, quantile in zip(picked, quantiles, strict=True):
            assert [{"rank": rank, "residual": quantile}] in data
        assert f"n = {values.size}, at least " in said
    beyond = {
        k: sum(r["points"] for r in rows if r["where"] == OUTSIDE)
        for k, rows in zip((1, 0), bars, strict=True)
    }
    for label, drawn in beyond.items():
        lower, upper = conformal_quantiles(evaluation.residuals[label], alpha)
        values = evaluation.residuals[label]
        assert drawn <= ((values < lower) | (values > upper)).sum() <= drawn + off
    assert f"α = {alpha:g}" in said


def test_what_is_guaranteed_is_not_rounded_up():
    evaluation = evaluation_from_scores(n_calibration=500)
    least = min(evaluation.band(0.05).guaranteed.values())
    (percentage,) = {
        float(p) for p in re.findall(r"at least ([\d.]+) %", words(charts.residuals(evaluation)))
    }
    assert 95 <= percentage <= 100 * least


def test_residuals_of_few_heavy_infinite_or_local_points():
    said = words(charts.residuals(few_negatives()))
    assert "Label 0 has too few calibration points for 95 %." in said
    said = words(charts.residuals(localized()))
    assert "order statistics of its own" in said
    rng = np.random.default_rng(10)
    evaluation = evaluation_from_scores(n_calibration=400)
    for values in (
        40 * rng.standard_t(1.1, 200),
        np.append(rng.normal(size=199), np.inf),
        np.full(200, 0.25),
        np.zeros(200),
    ):
        odd = replace(evaluation, residuals={0: np.sort(values), 1: np.sort(values)})
        words(charts.residuals(odd))


# All charts


@pytest.mark.parametrize("theme", THEMES)
def test_every_chart_is_valid_has_its_colours_and_compiles_to_pictures(theme, tmp_path):
    colours = themes.THEMES[theme]
    for number, chart in enumerate(every_chart(theme)):
        spec = chart.to_dict()  # raises where the schema is not met
        assert spec["config"]["background"] == colours.background
        svg, png = tmp_path / f"{number}.svg", tmp_path / f"{number}.png"
        ET.fromstring(vl_convert.vegalite_to_svg(spec, vl_version="6.1"))
        if number == 6:
            chart.save(svg)
            chart.save(png)
            assert ET.fromstring(svg.read_text()).tag.endswith("svg")
            assert png.read_bytes().startswith(b"\x89PNG")


def test_data_lie_in_the_chart_and_nothing_is_fetched():
    for chart in every_chart():
        text = chart.to_json()
        assert not re.search(r"https?://(?!vega\.github\.io/schema/)", text)
        assert '"url"' not in text
        json.loads(text, parse_constant=pytest.fail)


def test_the_same_arguments_make_the_same_chart():
    for one, other in zip(every_chart(), made(), strict=True):
        assert one.to_json() == other.to_json()


def test_every_chart_tells_its_numbers_and_describes_itself():
    for chart in every_chart():
        assert '"tooltip"' in chart.to_json()
        assert chart.to_dict()["description"]


@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_names_are_text(hostile):
    rng = np.random.default_rng(11)
    y, score = scored(rng, 200)
    names = np.where(y == 1, hostile + "2", hostile + "1") if len(hostile) < 100 else y
    evaluation = RocEvaluation.from_predictions(names, score, names, score)
    if len(hostile) >= 100:
        evaluation = replace(evaluation, classes=(hostile, hostile + "!"))
    held = hostile.encode(errors="replace").decode()  # pandas holds no half pairs
    frame = table(models=(held, held + "!"), values=(100, 200), tests=("iid",))
    for chart in (
        charts.roc(evaluation, title=hostile),
        charts.residuals(evaluation, title=hostile),
        charts.roc_grid({(hostile, hostile): evaluation, (hostile + "!", hostile): evaluation}),
        charts.study(frame, value_title=hostile, title=hostile),
    ):
        svg = svg_of(chart)  # well-formed, or it would raise
        assert {node.tag.rpartition("}")[2] for node in svg.iter()} <= {
            "svg",
            "g",
            "rect",
            "path",
            "line",
            "text",
            "tspan",
            "defs",
            "clipPath",
            "title",
        }
        assert not [name for node in svg.iter() for name in node.attrib if name.startswith("on")]
        text = words_of(svg)
        assert "\u202e" not in text
        assert len(text) < 20_000
        # Altair puts a chart's texts into a script element of its pages, and escapes nothing.
        assert not re.search("<[/!]", chart.to_json())
    if hostile.startswith("<"):
        shown = words(charts.residuals(evaluation)).replace("\N{WORD JOINER}", "")
        assert hostile[:20] in shown


def test_names_that_are_cut_stay_apart():
    long = "x" * 50
    chart = charts.length(table(models=(long + "1", long + "2")))
    assert len({row["model"] for rows in panels(chart) for row in rows}) == 2


# Bad input


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


@pytest.mark.parametrize("column", ["model", "test", "label", "value", "length", "length_se"])
def test_a_missing_column_is_named(column):
    with pytest.raises(ValueError, match=rf"^table: lacks '{column}'"):
        charts.length(table().drop(columns=column))


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
