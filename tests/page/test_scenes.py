"""One scene: every backend draws its marks and its texts."""

import io
import re

import numpy as np
import pytest
import vl_convert
from cases import CASES, QUICK, group_of
from data import evaluation_from_scores, fit_explicit, logistic_sample, three_classes
from parts import with_quick
from pictures import altair_texts, marks, sheet_of, svg_of, texts
from PIL import Image
from said import is_said
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import (
    ConformalROC,
    RocEvaluation,
    ROCWidget,
    average_bands,
    charts,
    simulation,
)
from conformal_roc_widget.draw.altair import chart_of
from conformal_roc_widget.draw.pixels import png
from conformal_roc_widget.page.scenes import report_of, scene_of
from conformal_roc_widget.scene import Area, Text
from conformal_roc_widget.shown.controls import VIEWS, Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.shown.theme import THEMES


def localized(neighbors: int) -> RocEvaluation:
    rng = np.random.default_rng(3)
    parts = [logistic_sample(rng, n)[:2] for n in (100, 150, 60)]
    return fit_explicit(parts, neighbors=neighbors).evaluate(*parts[2])


@pytest.fixture(scope="module")
def evaluation():
    return evaluation_from_scores(n_calibration=300, n_test=200, decimals=2)


@pytest.fixture(scope="module")
def classes():
    rng = np.random.default_rng(4)
    model = ConformalROC(LogisticRegression(), random_state=0).fit(*three_classes(rng, 300))
    return model.evaluate_all(*three_classes(rng, 100))


@pytest.mark.parametrize("view", VIEWS)
def test_every_text_of_a_scene_stands_in_every_picture(evaluation, view):
    controls = Controls(0.1, 0.4, "both", view=view, prevalence=0.1)
    scene = scene_of(Group.of(evaluation), controls)
    (panel,) = scene.panels
    wanted = [scene.title, *scene.lead, *scene.notes, panel.across.title, panel.up.title]
    wanted += [*scene.legend, *(mark.text for mark in panel.marks if isinstance(mark, Text))]
    axes = panel.across, panel.up
    percent = [axis.written(tick) for axis in axes for tick in axis.ticks]
    # The data and the axes of a chart stay fractions.
    fractions = [f"{tick:g}" for axis in axes for tick in axis.ticks]
    for picture, ticks in (
        (texts(svg_of(scene)), percent),
        (altair_texts(chart_of(scene, THEMES["light"])), fractions),
    ):
        for text in (*wanted, *ticks):
            assert text in picture
    assert scene.description.startswith(f"{scene.title} (alpha = 0.1).")


@pytest.mark.parametrize("view", VIEWS[1:])
def test_the_widget_draws_the_view_that_is_chosen(evaluation, view, tmp_path):
    widget = ROCWidget(evaluation, view=view, prevalence=0.2)
    svg = widget.to_svg(tmp_path / "a.svg", theme="dark").read_text()
    title = scene_of(Group.of(evaluation), Controls(view=view)).title
    assert title in texts(svg)
    assert "ROC" not in texts(svg)
    path = widget.to_png(tmp_path / "a.png", theme="dark")
    size = re.search(r'width="(\d+)" height="(\d+)"', svg)
    with Image.open(path) as picture:
        found = picture.size
    assert found == (2 * int(size[1]), 2 * int(size[2]))
    plain = widget._repr_mimebundle_()[0]["text/plain"]
    assert plain.startswith(f"{title} (alpha = 0.05).")
    assert title in widget.chart().to_json().replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("band", with_quick(["sensitivity", "specificity", "both"], ["both"]))
def test_a_localized_band_without_limits_is_hatched_and_not_filled(band):
    vacuous = localized(neighbors=10)
    assert vacuous.at(0.05).vacuous_share == {0: 1, 1: 1}
    scene = scene_of(Group.of(vacuous), Controls(band=band))
    named = [mark for name, mark in marks(scene).items() if name.startswith("band-")]
    bands = [mark for mark in named if isinstance(mark, Area)]
    assert [mark.sides for mark in bands] == [(False, False)] * (1 + (band == "both"))
    assert not [name for name in marks(scene) if name.startswith("arm-")]
    colours = THEMES["light"]
    svg = svg_of(scene)
    assert 'fill="url(#crw-hatch' in svg
    assert not any(colour in svg for colour in colours.labels)
    for text in (texts(svg), altair_texts(chart_of(scene, colours))):
        assert "no limits, hatched; too few points" in text
        assert "AUC 0." in text
    with Image.open(io.BytesIO(png(sheet_of(scene)))) as image:
        pixels = {bytes(colour).hex() for _, colour in image.convert("RGB").getcolors()}
    assert not pixels & {colour[1:].lower() for colour in colours.labels}
    for chart in (charts.roc(vacuous, band=band), ROCWidget(vacuous, band=band).chart()):
        shown = vl_convert.vegalite_to_svg(chart.to_json(), vl_version="6.1")
        # This classifier's own band is there, in its own colour.
        assert not re.search(rf'fill="({"|".join(colours.labels)})"', shown)
        assert shown.count(f'stroke="{colours.axis}"') > 50, "segments of the hatch"


def test_a_localized_band_of_which_some_points_have_limits_is_filled():
    some = localized(neighbors=60)
    assert 0 < some.at(0.05).vacuous_share[1] < 1
    assert any(marks(scene_of(Group.of(some), Controls()))["band-sensitivity"].sides)


def test_several_classifiers_are_curves_of_one_plot():
    shown = {f"c{i}": evaluation_from_scores(i) for i in range(14)}
    scene = scene_of(Group.of(shown, "samples"), Controls())
    curves = [name for name in marks(scene) if name.startswith("curve")]
    assert len(curves) == 14
    (panel,) = scene.panels
    assert panel.across.title
    assert panel.up.title


def test_with_more_test_data_each_class_has_its_areas_limits_and_the_average_no_band(classes):
    scene = scene_of(Group.of(classes, "classes"), Controls(0.1, 0.4, "sampling"))
    found = {name: each.operating_point(0.4, 0.1).tpr for name, each in classes.items()}
    fewest = min(found, key=found.get)
    few = {"least": f"class {fewest}", "fewest": f"{100 * found[fewest]:.0f} %"}
    assert is_said("say.classes", scene.lead[0], sure="90 % sure", **few)
    assert not {"averaged-band", "arm-1"} & set(marks(scene))
    (promise,) = (note for note in scene.notes if note.startswith("Target"))
    assert "mean area under the ROC curves, and mean sensitivity and specificity at a " in promise


def test_of_all_folds_no_limits_are_named_or_drawn_and_every_row_is_counted():
    shown = {
        band: scene_of(group_of("folds"), Controls(band=band)) for band in ("both", "sampling")
    }
    for scene in shown.values():
        assert scene.title == "Three folds: ROC curve"
        assert not any(isinstance(mark, Area) for mark in scene.panels[0].marks)
        assert "n = 75 test points; 95 % confidence." in scene.notes
    one = scene_of(group_of("folds"), Controls(band="sampling", label=0))
    assert one.title == "Fold 0: ROC curve, 95 % limits"
    assert any(note.startswith("n = 25 test points (") for note in one.notes)


def test_thin_curves_share_one_name_which_the_corner_keeps():
    y, rank = np.resize([0, 1], 80), np.arange(80)
    weak, good = 0.1 + rank * 37 % 80 / 100, 0.1 + rank * 37 % 80 / 200 + 0.4 * y
    made = {
        name: RocEvaluation.from_predictions(y, score, y[:60], score[:60])
        for name, score in (("weak", weak), ("good", good))
    }
    drawn = {
        zoom: scene_of(Group.of(made, "classes"), Controls(zoom=zoom)) for zoom in (False, True)
    }
    assert {"curve-0", "curve-1"} <= set(marks(drawn[False]))
    assert "curve-0" not in marks(drawn[True])
    for scene in drawn.values():
        assert marks(scene)["curve-1"].key == "a class"
        assert "a class" in scene.legend


def test_an_average_is_read_at_the_mean_of_the_classes_rates(classes):
    controls = Controls(0.2, 0.4, weights="uniform")
    scene = scene_of(Group.of(classes), controls)
    found, band = marks(scene), average_bands(classes, 0.2, "uniform")
    rates = [each.operating_point(0.4, 0.2).fpr for each in classes.values()]
    at = int(np.argmin(np.abs(band.fpr - np.mean(rates))))
    assert found["cut"].points.x.tolist() == [band.fpr[at]] * 2
    assert (found["point"].x, found["point"].y) == (band.fpr[at], band.tpr[at])
    assert found["arm-1"].points.y.tolist() == [band.tpr_lower[at], band.tpr_upper[at]]
    area = np.mean([each.observed_auc for each in classes.values()])
    assert found["corner"].text == f"mean AUC {area:.2f}"
    points = [each.operating_point(0.4, 0.2) for each in classes.values()]
    mean = np.mean([each.tpr for each in points])
    lower, upper = (
        np.mean([getattr(each, name) for each in points]) for name in ("tpr_lower", "tpr_upper")
    )
    limits = f"{100 * lower:.0f} to {100 * upper:.0f} %"
    said = {"observed": f"{100 * mean:.0f} %", "limits": limits, "level": "80 %"}
    assert is_said("say.true_classes", scene.lead[0], **said)
    few = scene_of(Group.of(classes), Controls(0.001, 0.4)).lead[0]
    assert is_said("say.true_average_none", few)
    for i, each in enumerate(classes.values()):
        drawn, own = found[f"curve-{i}"].points, each.band(0.2)
        np.testing.assert_array_equal([drawn.x, drawn.y], [own.fpr, own.tpr])


def test_bands_are_of_the_entry_that_is_looked_at_or_of_their_average(classes):
    group, name = Group.of(classes), list(classes)[1]
    for label, mark, band in (
        (None, "averaged-band", average_bands(classes, 0.2)),
        (name, "band-sensitivity", classes[name].band(0.2)),
    ):
        drawn = marks(scene_of(group, Controls(0.2, label=label)))[mark]
        np.testing.assert_array_equal(drawn.lower.y, band.tpr_lower)
        np.testing.assert_array_equal(drawn.upper.x, band.fpr)


@pytest.mark.parametrize("theme", THEMES)
def test_every_colour_of_a_scene_is_in_the_theme(evaluation, theme):
    colours = THEMES[theme]
    for view in VIEWS:
        controls = Controls(band="both", view=view, cost_ratio=2)
        for mark in marks(scene_of(Group.of(evaluation), controls)).values():
            names = [getattr(mark, name, "") for name in ("fill", "colour")]
            names.append(getattr(mark, "pen", None) and mark.pen.colour)
            for name in filter(None, names):
                assert re.fullmatch("#[0-9a-fA-F]{6}", colours.colour(name))
    assert colours.colour("paper") == colours.background
    assert colours.colour("label0-text") == colours.label_texts[0]
    assert colours.colour("comparator-ks") == colours.comparators["ks"]


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.thorough) for name in CASES],
)
def test_without_a_band_no_view_says_or_draws_a_limit(name):
    group, case = group_of(name), CASES[name]
    together = group.kind in ("classes", "folds")
    looked_at = [(None, "roc")] if together else []
    first = next(iter(group.entries))
    alone = None if group.kind == "horizons" else first
    looked_at += [(alone, view) for view in ("roc", "precision_recall", "net_benefit")]
    if group.entries[first].score_kind == "score":
        looked_at.pop()
    for label, view in looked_at:
        given = Controls(
            case.alpha, case.threshold, "none", label, view=view, horizon=group.horizon_of(None)
        )
        scene = scene_of(group, given)
        drawn = [mark.text for mark in scene.panels[0].marks if isinstance(mark, Text)]
        said = " ".join([scene.title, *scene.lead, *drawn, *scene.legend])
        assert not re.search(r"\d to [\d−]|between|at least|sure\b|limits(?! for all)", said), said
        assert not re.search("confidence|Target:|Guarantee:", scene.description)
        ids = [mark.id for mark in scene.panels[0].marks]
        assert not [each for each in ids if re.search("^(band|arm|range|missing)|-band$", each)]
        report = report_of(group, given, None, "text")
        assert ("References:" in report) == ("Kaplan" in report)


@pytest.mark.parametrize("view", ["roc", "precision_recall", "net_benefit"])
def test_a_picture_of_several_horizons_needs_only_the_drawn_one(view, monkeypatch):
    horizons = (0.5, 1.0, 2.0)
    X, y, _ = simulation.draw("survival", 300, 1)
    model = ConformalROC(LogisticRegression(), horizons=horizons, random_state=0).fit(X, y)
    group = Group.of(model.evaluate_all(X, y))
    scenes = {}
    for horizon in horizons:
        controls = Controls(view=view, horizon=horizon)
        assert list(group.drawn(controls).entries) == [horizon]
        scenes[horizon] = scene_of(group, controls)
    monkeypatch.setattr(Group, "drawn", lambda group, _: group)
    for horizon in horizons:
        whole = scene_of(group, Controls(view=view, horizon=horizon))
        assert repr(whole) == repr(scenes[horizon])
    assert scenes[0.5].lead != scenes[2.0].lead


def test_the_report_of_horizons_names_the_classifier():
    X, y, _ = simulation.draw("survival", 300, 1)
    given = LogisticRegression(), X[:200], y[:200], X[200:], y[200:]
    for horizons in ([1.0], [0.5, 1.0, 2.0]):
        widget = ROCWidget.from_estimator(*given, horizons=horizons, horizon=1.0, random_state=0)
        assert ", LogisticRegression had an AUC of" in widget.report(), horizons
    named = ROCWidget.from_estimator(*given, horizons=[0.5, 1.0], name="Cox", random_state=0)
    assert ", Cox had an AUC of" in named.report()
    unnamed = ROCWidget(named.evaluation)
    assert ", the classifier had an AUC of" in unnamed.report()
