"""One generic plot of a view: its ticks, its arms, its texts, in SVG, PNG and Altair."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
import vl_convert
from data import evaluation_from_scores, fit_explicit, logistic_sample, scored, three_classes
from PIL import Image
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, RocEvaluation, ROCWidget
from conformal_roc_widget.charts.figure_chart import chart_of
from conformal_roc_widget.view import figure
from conformal_roc_widget.view.controls import VIEWS, Controls
from conformal_roc_widget.view.curve_panel import curve_panel
from conformal_roc_widget.view.evaluation_group import Group
from conformal_roc_widget.view.svg import draw
from conformal_roc_widget.view.theme import THEMES

OTHERS = VIEWS[1:]


@pytest.fixture(scope="module")
def evaluation():
    rng = np.random.default_rng(3)
    parts = [logistic_sample(rng, n)[:2] for n in (100, 150, 60)]
    return fit_explicit(parts).evaluate(*parts[2])


def texts(svg: str) -> str:
    tree = ElementTree.fromstring(svg)
    words = (" ".join(node.itertext()) for node in tree.iter() if node.tag.endswith("}text"))
    return " ".join(" ".join(words).replace("\N{NO-BREAK SPACE}", " ").split())


@pytest.mark.parametrize("prevalence", [None, 0.1])
@pytest.mark.parametrize("view", OTHERS)
def test_every_text_of_a_view_stands_in_every_picture(evaluation, view, prevalence):
    controls = Controls(0.1, 0.4, view=view, prevalence=prevalence)
    of = figure.of(Group.of(evaluation), controls)
    panel = of.curve
    wanted = [of.title, *of.lead, *of.notes, panel.across, panel.up, panel.text, panel.corner]
    wanted += [key.text for key in of.legend] + [text for _, text in panel.ticks]
    altair = vl_convert.vegalite_to_svg(chart_of(of).to_json(), vl_version="6.1")
    for picture in (texts(draw(of).svg), texts(altair)):
        for text in wanted:
            assert text in picture


@pytest.mark.parametrize(
    ("scores", "place"),
    [([0.1, 0.2, 0.8, 0.9], "8"), ([0.8, 0.9, 0.1, 0.2], "400")],
    ids=["the best ranking", "the worst"],
)
def test_the_average_precision_stands_clear_of_the_curve(scores, place):
    """The best ranking's curve runs along the upper edge; the worst one's stays far below it."""
    evaluation = RocEvaluation.from_predictions(
        *scored(np.random.default_rng(0), 60), [0, 0, 1, 1], scores
    )
    of = figure.of(Group.of(evaluation), Controls(view="precision_recall"))
    assert re.search(r'<text x="(\d+)"[^>]*>Average', draw(of).svg)[1] == place


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("view", OTHERS)
def test_the_widget_draws_the_view_that_is_chosen(evaluation, view, theme, tmp_path):
    widget = ROCWidget(evaluation, view=view, prevalence=0.2)
    svg = widget.to_svg(tmp_path / "a.svg", theme=theme).read_text()
    title = figure.of(Group.of(evaluation), Controls(view=view)).title
    assert title in texts(svg)
    assert "ROC" not in texts(svg)
    path = widget.to_png(tmp_path / "a.png", theme=theme)
    size = re.search(r'width="(\d+)" height="(\d+)"', svg)
    with Image.open(path) as picture:
        found = picture.size
    assert found == (2 * int(size[1]), 2 * int(size[2]))
    plain = widget._repr_mimebundle_()[0]["text/plain"]
    assert plain.startswith(f"{title} (alpha = 0.05).")
    assert title in widget.chart().to_json()


def test_another_prevalence_moves_the_base_rate_and_the_words(evaluation):
    texts_of = [
        figure.of(Group.of(evaluation), Controls(view="precision_recall", prevalence=share))
        for share in (0.1, 0.3)
    ]
    assert [of.legend[2].text for of in texts_of] == ["base rate 0.10", "base rate 0.30"]
    assert "where 10 % are" in texts_of[0].lead[0]


def test_several_together_are_roc_curves_in_every_view(evaluation):
    X, y = three_classes(np.random.default_rng(0), 300)
    classes = ConformalROC(LogisticRegression(), random_state=0).fit(X, y).evaluate_all(X, y)
    assert figure.of(Group.of(classes), Controls(view="net_benefit")).curve is None
    name = next(iter(classes))
    one = figure.of(Group.of(classes), Controls(view="net_benefit", label=name))
    assert one.title == f"class {name}: Net benefit"


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (0.12, ["0", "0.02", "0.04", "0.06", "0.08", "0.1", "0.12"]),
        (0.5, ["0", "0.1", "0.2", "0.3", "0.4", "0.5"]),
        (0.3731, ["0", "0.1", "0.2", "0.3"]),
        (0.005, ["0", "0.001", "0.002", "0.003", "0.004", "0.005"]),
    ],
)
def test_ticks_stand_at_the_numbers_they_say(evaluation, share, expected):
    controls = Controls(view="net_benefit", prevalence=share)
    panel = curve_panel(evaluation, controls, THEMES["light"])
    assert [text for _, text in panel.ticks] == expected
    assert [value for value, _ in panel.ticks] == [float(text) for text in expected]


def test_nothing_is_drawn_beyond_the_axes(evaluation):
    for share in (0.05, 0.5, 0.95):
        controls = Controls(0.1, 0.9, view="net_benefit", prevalence=share)
        panel = curve_panel(evaluation, controls, THEMES["light"])
        low, high = panel.ends
        for _, pieces in panel.lines:
            for piece in pieces:
                assert piece.y.min() >= low - 1e-12
                assert piece.y.max() <= high + 1e-12
        assert low <= panel.point[1] <= high
        assert all(low <= end <= high for end in (*panel.upright.ends, *panel.upright.caps))


def test_a_score_of_its_own_has_an_ideal_recalibration():
    scores = evaluation_from_scores(n_calibration=300, n_test=120)
    of = figure.of(Group.of(scores), Controls(view="net_benefit"))
    assert "An ideal recalibration’s, at the same threshold" in of.lead[0]
    assert of.legend[1].text == "range of an ideal recalibration’s net benefit"
