"""Properties of every evaluation, and of every way to show several."""

import copy
import html
import itertools
import json
import pickle
import re
from functools import cache

import numpy as np
import pytest
import traitlets
from cases import CASES, QUICK, group_of, ratio, scored, shown, weights
from data import assert_same_curves
from invariants import check_band
from page_limits import net_benefit_limits, precision_limits
from parts import with_quick

from conformal_roc_widget import RocEvaluation, ROCWidget
from conformal_roc_widget.draw.altair import chart_of
from conformal_roc_widget.draw.fonts import font_for
from conformal_roc_widget.draw.shapes import Letters, laid_out
from conformal_roc_widget.draw.svg import svg
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.scene import Area, Dot, Line, Text
from conformal_roc_widget.shown.controls import BAND_KINDS, VIEWS, Controls
from conformal_roc_widget.shown.theme import THEMES
from conformal_roc_widget.wire import messages as wire
from conformal_roc_widget.wire.budget import ALPHA_STOPS, export_budget
from conformal_roc_widget.wire.encoding import as_json

every_case = pytest.mark.parametrize("name", with_quick(CASES, QUICK))
ENDS = ALPHA_STOPS[0], ALPHA_STOPS[-1]


def entries(name):
    return group_of(name).entries.items()


def controls_of(name, **others):
    case = CASES[name]
    return Controls(**{"alpha": case.alpha, "threshold": case.threshold} | others)


def settings(name):
    """Controls for several entries together and for the first, in each view and question."""
    group = group_of(name)
    labels = list(dict.fromkeys([None, next(iter(group.entries))]))
    for label, view, band in itertools.product(labels, VIEWS, BAND_KINDS):
        is_first = view == VIEWS[0] and band == BAND_KINDS[0]
        is_asked = view == "roc" or band in ("sensitivity", "sampling")
        if is_first or (label == labels[-1] and is_asked):
            yield controls_of(name, label=label, view=view, band=band)
    yield controls_of(name, label=labels[-1], prevalence=0.12, cost_ratio=4.0)


@cache
def scenes(name):
    """Controls and scenes of a case, without a reliability that does not exist."""
    group = group_of(name)
    return [
        (controls, scene_of(group, controls))
        for controls in settings(name)
        if not is_refused(group.looked_at(controls.label), controls)
    ]


def is_refused(looked_at, controls):
    if looked_at is None:
        return False
    if looked_at.told_share is not None:
        return controls.view != "roc"
    if looked_at.score_kind == "score":
        return controls.view in ("reliability", "net_benefit")
    return controls.view == "reliability" and looked_at.dependence


def sentences(scene):
    return [scene.title, *scene.lead, *scene.notes]


def one_line(text):
    return " ".join(text.replace("\N{NO-BREAK SPACE}", " ").split())


@every_case
def test_a_case_is_made_and_shown_where_numpy_raises_what_it_else_ignores(name):
    case = CASES[name]
    with np.errstate(all="raise"):
        made = case.make()
        widget = ROCWidget(
            made, kind=case.kind, alpha=case.alpha, threshold=case.threshold, **case.keywords
        )
        group = widget._group
        wire.data_message(group, export_budget())
        wire.stops_message(group)
        wire.frame_message(group, case.alpha, case.threshold, *wire.FROM_PYTHON)
        wire.curves_messages(group, case.alpha, case.threshold)
        for controls in settings(name):
            if not is_refused(group.looked_at(controls.label), controls):
                scene_of(group, controls)
        for evaluation in group.entries.values():
            _ = evaluation.auc(case.alpha), evaluation.notes, evaluation.youden(case.alpha)
            if not evaluation.dependence and not evaluation.error:
                evaluation.threshold_for(sensitivity=0.8, confidence=0.9)
        widget.close()


# Limits


def ends_of(evaluation, alpha):
    """Both ends of every interval, and the weight of each point, by label."""
    lower, upper = evaluation.intervals(alpha)
    counts = np.ones(lower.size) if evaluation.counts is None else evaluation.counts
    rows = [evaluation.labels == k for k in (0, 1)]
    return [(lower[each], upper[each], counts[each]) for each in rows]


@every_case
def test_limits_are_the_shares_of_interval_ends_above_a_threshold_by_weight(name):
    """The definition of the band, point by point.

    Limits of a curve and joint limits differ from it.
    """
    at = np.array([0.9137, 0.7117, 0.4219, 0.2113, 0.1017, 0.0611])
    for label, evaluation in entries(name):
        # For scores that are not probabilities see tests/evaluation/test_any_score.py.
        joint = evaluation.guarantee in ("curve", "everywhere", "credible", "unlabelled")
        if joint or evaluation.score_kind == "score":
            continue
        for alpha in (CASES[name].alpha, *ENDS):
            band = evaluation.band(alpha, at)
            for (lower, upper, counts), rate in zip(
                ends_of(evaluation, alpha), ("fpr", "tpr"), strict=True
            ):
                for ends, side in ((lower, "lower"), (upper, "upper")):
                    shares = [counts[ends > each].sum() / counts.sum() for each in at]
                    found = getattr(band, f"{rate}_{side}")
                    np.testing.assert_allclose(found, shares, atol=1e-9, err_msg=f"{label} {rate}")


@every_case
def test_no_limits_leave_out_their_own_figure(name):
    for _, evaluation in entries(name):
        if evaluation.told_share is not None:  # rows without labels have no figures of their own
            continue
        sampled = evaluation.sampled
        single = (sampled.area, sampled.average_precision, *(sampled.losses or {}).values())
        for alpha in (CASES[name].alpha, *ENDS):
            figures = [(each.value, *each.limits(alpha)) for each in single if each is not None]
            if (settled := sampled.settled) is not None:
                own = settled.own
                called = own * settled.tpr, (1 - own) * settled.fpr
                both = np.maximum(sum(called), 1e-300)  # if no row is called, the share counts as 0
                figures += [
                    (settled.fpr, *settled.rates(alpha)[0]),
                    (settled.tpr, *settled.rates(alpha)[1]),
                    (called[0] / both, *precision_limits(settled, alpha, None)),
                    (called[0] - 0.25 * called[1], *net_benefit_limits(settled, alpha, 0.25, None)),
                ]
            for value, lower, upper in figures:
                assert (np.asarray(lower) <= np.asarray(value) + 1e-9).all()
                assert (np.asarray(value) <= np.asarray(upper) + 1e-9).all()


@every_case
def test_limits_are_in_order_from_the_first_stop_of_alpha_to_the_last(name):
    for _, evaluation in entries(name):
        wide, middle, narrow = (
            evaluation.band(alpha) for alpha in (ENDS[0], CASES[name].alpha, ENDS[1])
        )
        for band in (wide, middle, narrow):
            check_band(band, *((-np.inf, np.inf) if evaluation.score_kind == "score" else (0, 1)))
        if narrow.notes:  # the labels refute the scores, so the band has no guarantee
            continue
        for outer, inner in ((wide, middle), (middle, narrow)):
            for rate in ("fpr", "tpr"):
                assert (getattr(outer, f"{rate}_lower") <= getattr(inner, f"{rate}_lower")).all()
                assert (getattr(outer, f"{rate}_upper") >= getattr(inner, f"{rate}_upper")).all()


def sides_of(evaluation, alpha):
    """By label, whether some interval ends above 0, and some below 1."""
    if evaluation.guarantee in ("curve", "everywhere", "credible", "unlabelled"):
        return [evaluation.band(alpha).has_limits(k) for k in (0, 1)]
    return [
        (bool((low > 0).any()), bool((up < 1).any())) for low, up, _ in ends_of(evaluation, alpha)
    ]


@every_case
def test_between_limits_nothing_is_drawn_where_there_is_none(name):
    """Without a limit the area is hatched, has no edge on that side, and the legend says so."""
    group, found = group_of(name), 0
    for alpha in (CASES[name].alpha, *ENDS):
        every = {label: sides_of(each, alpha) for label, each in group.entries.items()}
        averaged = [all(sides[1][side] for sides in every.values()) for side in (0, 1)]
        for controls in settings(name):
            # The reliability has bounds at every alpha. The other questions have other bands.
            if controls.view == "reliability" or controls.band in ("ideal", "sampling"):
                continue
            if is_refused(group.looked_at(controls.label), controls):
                continue
            scene = scene_of(group, controls._replace(alpha=alpha))
            own = [every[controls.label]] if controls.label in every else every.values()
            for panel, ((low0, high0), (low1, high1)) in zip(scene.panels, own, strict=False):
                wanted = {
                    "band-specificity": (low0, high0),
                    "band-sensitivity": (low1, high1),
                    "range": (low1 and high0, high1 and low0),
                    "averaged-band": tuple(averaged),
                }
                for mark in panel.marks:
                    if mark.id in wanted:
                        found += 1
                        assert mark.sides == wanted[mark.id], (controls, mark.id)
                        assert ("hatched" in mark.key) == (not all(mark.sides))
    assert found or "simultaneous" in {each.guarantee for each in group.entries.values()}


# Marks


@every_case
def test_every_view_has_an_axis_and_marks_of_finite_numbers_or_says_why_there_is_none(name):
    group = group_of(name)
    for controls in settings(name):
        looked_at = group.looked_at(controls.label)
        if is_refused(looked_at, controls):
            why = looked_at.dependence or "scores"
            several = len(group.entries) > 1 and CASES[name].kind != "horizons"
            told = f"{controls.view}' {f'for {group.kind} together' if several else f'and {why}'}"
            with pytest.raises(traitlets.TraitError, match=told):
                ROCWidget(shown(name), kind=CASES[name].kind, view=controls.view)
            with pytest.raises(ValueError, match=f"{controls.view}: found ({why}|scores)"):
                getattr(looked_at, controls.view)()
    for _, scene in scenes(name):
        assert scene.title
        assert scene.description.startswith(scene.title)
        for panel in scene.panels:
            ids = [mark.id for mark in panel.marks]
            assert len(set(ids)) == len(ids)
            assert "curve" in ids
            for mark in panel.marks:
                for numbers in numbers_of(mark):
                    assert np.isfinite(numbers).all(), mark.id


def numbers_of(mark):
    match mark:
        case Area():
            return [mark.upper.x, mark.upper.y, mark.lower.x, mark.lower.y]
        case Line():
            return [mark.points.x, mark.points.y]
        case Dot() | Text():
            return [np.array([mark.x, mark.y])]


@every_case
def test_what_is_read_at_the_pointer_is_the_curve_under_it(name):
    """A reading has the numbers of `to_frame`, and no number for a missing limit."""
    across = {"fpr", "recall", "risk"}
    found = 0
    for controls, scene in scenes(name):
        for mark in (mark for panel in scene.panels for mark in panel.marks):
            readings = {each.title: each.values for each in getattr(mark, "readings", ())}
            if not readings:
                continue
            found += 1
            for title, values in readings.items():
                assert values.size == mark.points.x.size
                if title in across:
                    np.testing.assert_allclose(values, mark.points.x, atol=1e-12)
                if title in {"tpr", "precision", "net_benefit"}:
                    np.testing.assert_allclose(values, mark.points.y, atol=1e-12)
            if controls.view == "roc" and controls.band in ("sensitivity", "both"):
                area = next((m for m in scene.panels[0].marks if m.id == "band-sensitivity"), None)
                if area is not None:
                    assert ("tpr_lower" in readings, "tpr_upper" in readings) == area.sides
    assert found


# Words


@every_case
def test_sentences_name_classes_as_the_data_do(name):
    group = group_of(name)
    if all(each.classes == (0, 1) for each in group.entries.values()):
        return
    for _, evaluation in entries(name):
        for note in evaluation.notes:
            assert not re.search(r"\blabel [01]\b", note, re.I), note
    for _, scene in scenes(name):
        for text in (*sentences(scene), scene.description):
            assert not re.search(r"\blabel [01]\b", text, re.I), text


#: A number of one with a plural, such as "1 positives", "1 test rows" or "1 are". No count follows
#: the name of a class.
MANY_OF_ONE = re.compile(
    r"(?<![\d.,−])(?<!class )(?<!label )\b1 "
    r"(?:(?:test|calibration|false|true|wrong) )?(?!is\b|was\b|has\b|does\b|less\b)"
    r"(?:\w*[a-rt-z]s|people|are|were)\b",
    re.I,
)


@every_case
def test_one_thing_is_said_in_the_singular(name):
    case = CASES[name]
    widget = ROCWidget(
        shown(name), kind=case.kind, alpha=case.alpha, threshold=case.threshold, **case.keywords
    )
    texts = [widget.report(), repr(shown(name))]
    widget.close()
    for _, scene in scenes(name):
        texts += [*sentences(scene), scene.description]
    for _, evaluation in entries(name):
        band = evaluation.band(case.alpha, [0.5])
        texts += [repr(evaluation), repr(band), *evaluation.notes, *band.notes]
        texts += filter(None, band.vacuous.values())
    for text in map(one_line, texts):
        assert not MANY_OF_ONE.search(text), text


def test_a_plural_after_one_is_found():
    for text in ("of 1 positives", "1 test rows", "(1 rows)", "1 people", "of which 1 are"):
        assert MANY_OF_ONE.search(text), text
    for text in ("1 positive", "21 rows", "0.1 points", "class 1 is", "1,001 rows", "1 is"):
        assert not MANY_OF_ONE.search(text), text


@every_case
def test_pictures_hold_every_sentence_of_the_scene_and_none_leaves_them(name):
    """SVG and PNG share one layout, whose line breaks come from the package's own font."""
    drawn = {}
    for controls, scene in scenes(name):
        drawn.setdefault((controls.label, controls.view), scene)
    for number, scene in enumerate(drawn.values()):
        sheet = laid_out(scene, THEMES["light"])
        lines = [each for each in sheet.shapes if isinstance(each, Letters)]
        told = [
            one_line(" ".join(each.text for each in lines)),
            one_line(html.unescape(re.sub("<[^>]+>", " ", svg(sheet)))),
        ]
        if number == 0:
            title = chart_of(scene, THEMES["light"]).to_dict(validate=False)["title"]
            texts = " ".join([*title["text"], *title.get("subtitle", [])])
            told.append(one_line(texts.replace("\N{WORD JOINER}", "")))
        for text, whole in itertools.product(map(one_line, sentences(scene)), told):
            assert text in whole
        for each in lines:
            check_inside(each, sheet)


def check_inside(letters, sheet):
    """Asserts that a text does not leave its sheet."""
    wide = font_for(letters.text, letters.size, bold=letters.bold).getlength(letters.text)
    if not letters.turned:
        start = letters.x - {"start": 0, "middle": wide / 2, "end": wide}[letters.anchor]
        assert start >= 0, letters.text
        assert start + wide <= sheet.width, letters.text


@every_case
def test_the_threshold_beside_its_point_leaves_no_picture_wherever_the_point_is(name):
    group = group_of(name)
    labels = list(dict.fromkeys([None, next(iter(group.entries))]))
    (_, first), *_ = entries(name)
    band = first.band(CASES[name].alpha)
    found = set()
    for rate in (0, 0.45, 0.55, 0.65, 0.7, 0.75, 0.8, 0.9):
        threshold = band.thresholds[np.abs(band.fpr - rate)[1:].argmin() + 1]
        for label in labels:
            controls = controls_of(name, label=label, band="none", threshold=float(threshold))
            sheet = laid_out(scene_of(group, controls), THEMES["light"])
            for each in sheet.shapes:
                if isinstance(each, Letters) and each.text.startswith("threshold "):
                    check_inside(each, sheet)
                    found.add(each.text)
    assert found or len(group.entries) > 1


# Objects


@every_case
def test_evaluations_are_pickled_and_copied_and_have_a_short_text(name):
    made = shown(name)
    for twin in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):
        assert repr(twin) == repr(made)
        again = dict(twin) if group_of(name).kind != "single" else {None: twin}
        for label, evaluation in entries(name):
            one, other = (each.at(CASES[name].alpha) for each in (evaluation, again[label]))
            assert_same_curves(one.band(), other.band())
            assert repr(one.operating_point(0.4)) == repr(other.operating_point(0.4))
            assert one.ideal_auc_range() == other.ideal_auc_range()
            assert one.quantiles == other.quantiles
            assert again[label].notes == evaluation.notes
            assert again[label].promise == evaluation.promise
    for _, evaluation in entries(name):
        text = repr(evaluation)
        assert len(text) < 300
        assert "\n" not in text
        assert " at 0x" not in text


# Messages


@every_case
def test_messages_are_what_json_can_carry_and_small(name):
    case, group = CASES[name], group_of(name)
    data = wire.data_message(group, export_budget(case.alpha))
    curves, frame = wire.curves_messages(group, case.alpha, case.threshold)
    for message in (data, wire.data_message(group), curves, frame, wire.stops_message(group)):
        json.dumps(as_json(message), allow_nan=False)
    assert len(json.dumps(as_json(data))) < 125_000 * len(group.entries)
    for alpha in (case.alpha, *ENDS):
        json.dumps(as_json(wire.frame_message(group, alpha, case.threshold, "page", 3)))


def test_a_page_of_weights_on_both_sides_is_small(tmp_path):
    (y0, p0), (y, p) = scored(340, 360), scored(340, 360, skip=900)
    for calibrate in (weights(700), ratio):
        evaluation = RocEvaluation.from_predictions(
            *(y0, p0, y, p), sample_weight_calibration=calibrate, sample_weight_test=weights(700)
        )
        page = ROCWidget(evaluation).to_html(tmp_path / "page.html")
        assert page.stat().st_size < 300_000
