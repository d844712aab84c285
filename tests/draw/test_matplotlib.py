"""A scene on Matplotlib axes, and a sheet as a PDF file."""

import io
import re
import sys

import matplotlib as mpl
import numpy as np
import pytest
from cases import CASES, QUICK, group_of
from data import evaluation_from_scores
from parts import with_quick
from PIL import Image

from conformal_roc_widget import RocEvaluation, ROCWidget
from conformal_roc_widget.draw.matplotlib import plotted
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.scene import Line
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.shown.theme import THEMES


@pytest.fixture(autouse=True)
def no_screen():
    from matplotlib import pyplot as plt

    plt.switch_backend("agg")
    yield
    plt.close("all")


def drawn(ax, name):
    """The lines of a mark, by its id."""
    return [line for line in ax.get_lines() if line.get_gid() == name]


@pytest.mark.parametrize("band", ["sensitivity", "specificity", "both", "none"])
def test_the_curve_and_its_limits_are_where_the_evaluation_has_them(band):
    evaluation = evaluation_from_scores(1, n_calibration=120)
    ax = evaluation.plot(alpha=0.2, band=band, threshold=0.4).ax_
    limits, point = evaluation.band(0.2), evaluation.operating_point(0.4, 0.2)
    (curve,) = drawn(ax, "curve")
    np.testing.assert_allclose(curve.get_xydata(), np.column_stack([limits.fpr, limits.tpr]))
    (dot,) = drawn(ax, "point")
    assert dot.get_xydata().tolist() == [[point.fpr, point.tpr]]
    names = {line.get_gid() for line in ax.get_lines()}
    for rate, wanted in (
        ("sensitivity", ("sensitivity", "both")),
        ("specificity", ("specificity", "both")),
    ):
        assert (f"band-{rate}" in names) == (band in wanted)
    if band == "sensitivity":
        upper, lower = drawn(ax, "band-sensitivity")
        assert upper.get_ydata()[-1] == limits.tpr_upper[-1]
        assert set(limits.tpr_lower) <= set(lower.get_ydata())
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("1 − specificity (false alarms)", "Sensitivity")


@pytest.mark.parametrize("name", with_quick(CASES, QUICK))
def test_every_kind_of_evaluation_is_drawn(name):
    case = CASES[name]
    scene = scene_of(group_of(name), Controls(case.alpha, case.threshold, "both"))
    found = plotted(scene, THEMES["light"])
    assert len(found.axes_) == len(scene.panels)
    for ax, panel in zip(found.axes_, scene.panels, strict=True):
        ids = {each.get_gid() for each in (*ax.get_lines(), *ax.patches, *ax.texts)}
        shown = {
            mark.id for mark in panel.marks if isinstance(mark, Line) or hasattr(mark, "shape")
        }
        assert shown <= ids
    found.figure_.canvas.draw()


@pytest.mark.parametrize("view", ["precision_recall", "reliability", "net_benefit"])
def test_every_view_has_it(view):
    widget = ROCWidget(evaluation_from_scores(1), view=view)
    found = widget.plot()
    assert found.figure_ is found.ax_.figure
    assert found.caption_ == (*widget._scene().lead, *widget._scene().notes)


def test_given_axes_are_drawn_on_without_a_title_of_their_figure():
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2)
    evaluation = evaluation_from_scores(1)
    found = evaluation.plot(right, name="cost $5 & <ward>")
    assert (found.ax_, found.figure_) == (right, figure)
    assert not left.lines
    assert figure.get_suptitle() == ""
    texts = [text.get_text() for text in right.get_legend().get_texts()]
    assert texts[0] == r"cost \$5 & <ward>"
    both = {"a": evaluation, "b": evaluation_from_scores(1, decimals=1)}
    texts = [text.get_text() for text in ROCWidget(both).plot(left).ax_.get_legend().get_texts()]
    assert {"a", "b"} <= set(texts)
    with pytest.raises(TypeError, match="ax: found int, expected Matplotlib axes"):
        evaluation.plot(3)


def names_on(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_two_on_one_axes_are_told_apart_and_both_in_the_legend():
    from matplotlib import pyplot as plt

    _, ax = plt.subplots()
    one, other = (evaluation_from_scores(seed, n_calibration=400) for seed in (1, 2))
    one.plot(ax, name="A")
    other.plot(ax, name="B")
    other.plot(ax, name="B", band="both")
    (a,), (b,), (c,) = (drawn(ax, name) for name in ("curve", "curve#2", "curve#3"))
    for line, evaluation in ((a, one), (b, other)):
        band = evaluation.band(0.05)
        np.testing.assert_allclose(line.get_xydata(), np.column_stack([band.fpr, band.tpr]))
    assert len({each.get_color() for each in (a, b, c)}) == 3
    assert len({each.get_linestyle() for each in (a, b)}) == 2
    names = names_on(ax)
    assert len(names) == len(set(names))
    assert "A" in names
    assert f"B, AUC {other.observed_auc:.2f}" in names
    texts = [text.get_text() for text in ax.texts]
    assert texts.count("chance") == texts.count("threshold 0.50") == 1
    assert sum(name.endswith("(Clopper-Pearson)") for name in names) == 1
    fills = {patch.get_gid(): patch.get_facecolor()[:3] for patch in ax.patches}
    assert fills["band-sensitivity"] != fills["band-sensitivity#2"]


def test_a_second_curve_has_its_threshold_and_the_name_of_its_band_in_the_legend():
    from matplotlib import pyplot as plt

    _, ax = plt.subplots()
    evaluation = evaluation_from_scores(1, n_calibration=400)
    evaluation.plot(ax, name="A", band="sensitivity")
    before = [text.get_text() for text in ax.texts]
    evaluation.plot(ax, name="B", band="sampling", threshold=0.25)
    assert [text.get_text() for text in ax.texts] == before
    names = names_on(ax)
    assert f"B, AUC {evaluation.observed_auc:.2f}, threshold 0.25" in names
    assert sum(name.startswith("B: band") for name in names) == 1


def test_a_curve_of_scikit_learn_on_the_same_axes_keeps_its_name():
    from matplotlib import pyplot as plt
    from sklearn.metrics import RocCurveDisplay

    evaluation = evaluation_from_scores(1)
    for first in (True, False):
        _, ax = plt.subplots()
        draws = [
            lambda ax=ax: evaluation.plot(ax, name="ours"),
            lambda ax=ax: RocCurveDisplay.from_predictions(
                evaluation.labels, evaluation.scores, ax=ax, name="theirs"
            ),
        ]
        for draw in draws if first else draws[::-1]:
            draw()
        evaluation.plot(ax, name="ours again")  # the other package has changed the axis titles
        names = names_on(ax)
        assert "ours" in names
        assert any(name.startswith("theirs") for name in names)


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"projection": "polar"}, "ax: found polar axes, expected rectilinear ones"),
        ({"projection": "3d"}, "ax: found 3d axes, expected rectilinear ones"),
        ({"xscale": "log"}, "ax: found a log scale along x, expected a linear one"),
        ({"yscale": "logit"}, "ax: found a logit scale along y, expected a linear one"),
    ],
)
def test_axes_that_cannot_hold_it_are_refused_by_name(options, found):
    from matplotlib import pyplot as plt

    _, ax = plt.subplots(subplot_kw=options)
    with pytest.raises(ValueError, match=found):
        evaluation_from_scores(1).plot(ax)
    assert not ax.patches


def test_axes_of_another_view_and_what_is_no_axes_are_refused_by_name():
    from matplotlib import pyplot as plt

    evaluation = evaluation_from_scores(1)
    figure, ax = plt.subplots()
    evaluation.plot(ax)
    with pytest.raises(ValueError, match=r"ax: found axes of Sensitivity over .*, expected"):
        ROCWidget(evaluation, view="precision_recall").plot(ax)
    with pytest.raises(TypeError, match="ax: found Figure, expected Matplotlib axes"):
        evaluation.plot(figure)


def test_two_arrays_are_drawn_with_the_bootstraps_band():
    one = evaluation_from_scores(1)
    evaluation = RocEvaluation.from_predictions(one.labels, one.scores)
    found = evaluation.plot(alpha=0.1)
    assert found.figure_.get_suptitle() == "ROC curve, 90 % limits"
    assert len(drawn(found.ax_, "band-sampling")) == 2
    assert drawn(evaluation.plot(band="sensitivity").ax_, "arc")
    widget = ROCWidget.from_predictions(one.labels, one.scores, alpha=0.1)
    same = drawn(widget.plot().ax_, "band-sampling")[0].get_xydata()
    np.testing.assert_array_equal(same, drawn(found.ax_, "band-sampling")[0].get_xydata())


def test_without_matplotlib_the_extra_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    evaluation = evaluation_from_scores(1)
    for call in (evaluation.plot, ROCWidget(evaluation).plot):
        with pytest.raises(ImportError, match=r"conformal_roc_widget\[plot\]"):
            call()
    with pytest.raises(ImportError, match=r"conformal_roc_widget\[plot\]"):
        ROCWidget(evaluation).to_pdf(tmp_path / "roc.pdf")


def test_a_pdf_has_vectors_and_is_the_same_in_every_run(tmp_path):
    widget = ROCWidget(evaluation_from_scores(1), name="cost $5")
    first, second = (widget.to_pdf(tmp_path / f"{i}.pdf").read_bytes() for i in range(2))
    assert first.startswith(b"%PDF")
    assert first == second
    assert b"/Subtype /Image" not in first
    short = widget.to_pdf(tmp_path / "short.pdf", caption=False).read_bytes()
    assert len(short) < len(first)


def test_a_pdf_has_the_width_of_a_column(tmp_path):
    def box(**size):
        made = ROCWidget(evaluation_from_scores(1)).to_pdf(tmp_path / "a.pdf", **size).read_bytes()
        return [
            float(each)
            for each in re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+)", made).groups()
        ]

    (wide, high), (column, below) = box(), box(width=89)
    assert column == pytest.approx(89 / 25.4 * 72, abs=0.01)
    assert below / column == pytest.approx(high / wide, rel=1e-4)
    for width in (10, "89", True):
        with pytest.raises(
            (TypeError, ValueError), match=r"^width: found .*, expected millimetres"
        ):
            box(width=width)


def test_a_png_has_the_width_and_the_dots_that_are_asked_for(tmp_path):
    widget = ROCWidget(evaluation_from_scores(1))

    def image(**options):
        return Image.open(io.BytesIO(widget.to_png(tmp_path / "roc.png", **options).read_bytes()))

    plain = image()
    assert image(width=700).size[0] == 700
    assert image(dpi=288).size[0] == pytest.approx(2 * plain.size[0], abs=2)
    found = image(width=900, dpi=300)
    assert found.size[0] == 900
    assert found.info["dpi"] == pytest.approx((300, 300), abs=0.01)
    assert image(caption=False).size[1] < plain.size[1]
    for options, error in (
        ({"width": 20}, ValueError),
        ({"width": 10**6}, ValueError),
        ({"width": 700.5}, TypeError),
        ({"dpi": 0}, ValueError),
        ({"dpi": "high"}, TypeError),
        ({"caption": "no"}, TypeError),
    ):
        (name,) = options
        with pytest.raises(error, match=f"^{name}: found"):
            image(**options)


def test_matplotlib_is_left_as_it_was():
    before = dict(mpl.rcParams)
    evaluation_from_scores(1).plot()
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("side", [89 / 25.4, 5, 8])
@pytest.mark.parametrize("band", ["sensitivity", "sampling", "none"])
def test_the_legend_covers_no_word(side, band):
    from matplotlib import pyplot as plt

    figure, ax = plt.subplots(figsize=(side, side), layout="constrained")
    ROCWidget(evaluation_from_scores(1, n_calibration=120), band=band).plot(ax=ax)
    figure.canvas.draw()
    box = ax.get_legend().get_window_extent()
    words = [*ax.texts, ax.xaxis.label, ax.yaxis.label, *ax.get_xticklabels()]
    assert not box.count_overlaps([word.get_window_extent() for word in words])
    assert figure.bbox.x0 <= box.x0
    assert box.x1 <= figure.bbox.x1 + 1
