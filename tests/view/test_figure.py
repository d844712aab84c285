"""One figure: SVG, PNG and Altair draw the same lines, texts and hatch."""

import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest
import vl_convert
from data import evaluation_from_scores, fit_explicit, logistic_sample, scored, three_classes
from PIL import Image
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, RocEvaluation, ROCWidget, charts
from conformal_roc_widget.charts.figure_chart import chart_of
from conformal_roc_widget.view import figure
from conformal_roc_widget.view.controls import Controls
from conformal_roc_widget.view.evaluation_group import Group
from conformal_roc_widget.view.png import png
from conformal_roc_widget.view.svg import draw
from conformal_roc_widget.view.theme import THEMES


def texts(svg: str) -> str:
    tree = ElementTree.fromstring(svg)
    words = (" ".join(node.itertext()) for node in tree.iter() if node.tag.endswith("}text"))
    return " ".join(" ".join(words).replace("\N{NO-BREAK SPACE}", " ").split())


def altair_texts(chart) -> str:
    return texts(vl_convert.vegalite_to_svg(chart.to_json(), vl_version="6.1"))


def localized(neighbors: int) -> RocEvaluation:
    rng = np.random.default_rng(3)
    parts = [logistic_sample(rng, n)[:2] for n in (100, 150, 60)]
    return fit_explicit(parts, neighbors=neighbors).evaluate(*parts[2])


@pytest.fixture(scope="module")
def evaluation():
    return evaluation_from_scores(n_calibration=300, n_test=200, decimals=2)


def drawings(group, controls):
    """The texts of the SVG image and of the Altair chart of one figure."""
    of = figure.of(group, controls)
    return of, texts(draw(of).svg), altair_texts(chart_of(of))


def test_every_text_of_the_figure_stands_in_every_picture(evaluation):
    controls = Controls(0.1, 0.4, "both")
    of, *pictures = drawings(Group.of(evaluation), controls)
    (panel,) = of.panels
    wanted = [of.title, *of.lead, *of.notes, panel.across, panel.up, panel.mark.text]
    wanted += [note.text for note in panel.corner] + [key.text for key in of.legend]
    for picture in pictures:
        for text in wanted:
            assert text in picture


def test_an_alpha_of_0_0125_reads_98_75_percent_everywhere(evaluation, tmp_path):
    widget = ROCWidget(evaluation, alpha=0.0125)
    pictures = [
        texts(widget.to_svg(tmp_path / "a.svg").read_text()),
        altair_texts(charts.roc(evaluation, 0.0125)),
        altair_texts(widget.chart()),
        widget._repr_mimebundle_()[0]["text/plain"],
        widget._frame["entries"][0]["guarantee"],
    ]
    for picture in pictures:
        assert "98.75 %" in picture
        assert not re.search(r"\b98\.[0-68-9]|\b98\.75\d|\b99 %|\b95 %", picture)


def test_a_threshold_of_0_0004_reads_so_everywhere(evaluation, tmp_path):
    widget = ROCWidget(evaluation, threshold=0.0004)
    assert "λ 0.0004" in texts(widget.to_svg(tmp_path / "a.svg").read_text())
    assert "At threshold 0.0004," in widget._repr_mimebundle_()[0]["text/plain"]
    for chart in (widget.chart(), charts.roc(evaluation, threshold=0.0004)):
        assert "λ 0.0004" in altair_texts(chart)
        assert '"threshold": "0.0004"' in chart.to_json()
    assert "At threshold 0.0004," in altair_texts(charts.roc(evaluation, threshold=0.0004))


@pytest.mark.parametrize("band", ["sensitivity", "specificity", "both"])
def test_a_localized_band_without_limits_is_hatched_and_not_filled(band, tmp_path):
    vacuous = localized(neighbors=10)
    assert vacuous.at(0.05).vacuous_share == {0: 1, 1: 1}
    of, drawn, charted = drawings(Group.of(vacuous), Controls(band=band))
    (panel,) = of.panels
    assert panel.hatched
    assert panel.limits == ()
    assert not any(arm.caps for arm in panel.mark.arms)
    colours = THEMES["light"]
    svg = draw(of).svg
    assert "url(#crw-hatch)" in svg
    assert not any(colour in svg for colour in colours.labels)
    for text in (drawn, charted):
        assert "no limits, hatched" in text
        assert "AUC 0." in text
    with Image.open(io.BytesIO(png(draw(of)))) as image:
        pixels = {bytes(colour).hex() for _, colour in image.convert("RGB").getcolors()}
    assert not pixels & {colour[1:].lower() for colour in colours.labels}
    widget = ROCWidget(vacuous, band=band)
    for chart in (charts.roc(vacuous, band=band), widget.chart()):
        shown = vl_convert.vegalite_to_svg(chart.to_json(), vl_version="6.1")
        assert not re.search(r'fill-opacity="0\.15"', shown)
        assert f'stroke="{colours.hairline}"' in shown


def test_a_localized_band_of_which_some_points_have_limits_is_filled():
    some = localized(neighbors=60)
    assert 0 < some.at(0.05).vacuous_share[1] < 1
    (panel,) = figure.of(Group.of(some), Controls()).panels
    assert not panel.hatched
    assert [limits.label for limits in panel.limits] == [1]


def test_the_lines_are_the_bands_and_the_pens_are_the_themes(evaluation):
    for name, theme in THEMES.items():
        of = figure.of(Group.of(evaluation), Controls(0.2, band="both"), theme=name)
        (panel,) = of.panels
        expected = evaluation.band(0.2)
        for field in ("fpr", "tpr", "tpr_lower", "tpr_upper", "fpr_lower", "fpr_upper"):
            np.testing.assert_array_equal(getattr(panel.band, field), getattr(expected, field))
        assert [limits.key.pen for limits in panel.limits] == [theme.limits(1), theme.limits(0)]
        assert [key.pen for key in of.legend] == [
            theme.curve,
            theme.limits(1),
            theme.limits(0),
            theme.chance,
        ]


def test_several_curves_have_a_panel_each_and_outer_axis_titles():
    shown = {f"c{i}": evaluation_from_scores(1) for i in range(14)}
    shown["c0"] = evaluation_from_scores(1, decimals=1)
    of = figure.of(Group.of(shown), Controls())
    assert len(of.panels) == figure.MOST_PANELS
    assert "2 more classifiers are not drawn." in of.notes
    assert [bool(panel.up) for panel in of.panels[:4]] == [True, False, False, True]
    assert [bool(panel.across) for panel in of.panels] == [False] * 9 + [True] * 3
    assert of.legend[0].text == "each classifier"
    assert of.lead == ()


def test_an_average_is_named_so_in_the_legend():
    rng = np.random.default_rng(4)
    model = ConformalROC(LogisticRegression(), random_state=0).fit(*three_classes(rng, 300))
    of = figure.of(Group.of(model.evaluate_all(*three_classes(rng, 100))), Controls())
    assert of.legend[0].text == "average of the classes"
    assert of.panels[0].mark is None
    assert [limits.label for limits in of.panels[0].limits] == [1]


def test_a_label_with_few_points_is_explained_under_the_plot():
    rng = np.random.default_rng(2)
    y, score = scored(rng, 400)
    keep = (y == 1) | (np.cumsum(y == 0) <= 12)
    few = RocEvaluation.from_predictions(y[keep], score[keep], *scored(rng, 100))
    of = figure.of(Group.of(few), Controls(band="both"))
    assert few.band(0.05).vacuous[0].replace("Label", "Class") in of.notes
    assert [limits.label for limits in of.panels[0].limits] == [1]
    assert [len(arm.caps) for arm in of.panels[0].mark.arms] == [0, 2]
