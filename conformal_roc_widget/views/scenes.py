"""The picture and the text of what a widget shows: one view, or an overview of several curves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.scene import Line, Mark, Panel, Scene
from conformal_roc_widget.shown.comparator_state import Overlaid
from conformal_roc_widget.shown.controls import IDEAL, NO_BAND, SAMPLING, Controls
from conformal_roc_widget.shown.evaluation_group import HORIZONS, Group
from conformal_roc_widget.shown.sentences import promise_lines
from conformal_roc_widget.text import plain_text
from conformal_roc_widget.views.corner import cornered
from conformal_roc_widget.views.ideal import IdealView
from conformal_roc_widget.views.net_benefit import NetBenefitView
from conformal_roc_widget.views.overview import overview
from conformal_roc_widget.views.precision_recall import PrecisionRecallView
from conformal_roc_widget.views.reliability import ReliabilityView
from conformal_roc_widget.views.roc import RocView
from conformal_roc_widget.views.sampling import SamplingView
from conformal_roc_widget.views.settled import SettledBenefit, SettledPrecision
from conformal_roc_widget.views.view import Moment, View, Words
from conformal_roc_widget.words import words as fill

#: Views by the name that the controls have for them.
VIEWS: Mapping[str, View] = {
    "roc": RocView(),
    "precision_recall": PrecisionRecallView(),
    "reliability": ReliabilityView(),
    "net_benefit": NetBenefitView(),
}
#: Views by their name and the kind of band, where that asks another question.
OTHERS: Mapping[tuple[str, str], View] = {
    ("roc", IDEAL): IdealView(),
    ("roc", SAMPLING): SamplingView(),
    ("precision_recall", SAMPLING): SettledPrecision(),
    ("net_benefit", SAMPLING): SettledBenefit(),
}


def scene_of(
    group: Group,
    controls: Controls,
    comparators: Overlaid | None = None,
    *,
    heading: str | None = None,
    is_page: bool = False,
) -> Scene:
    """Picture of what the widget shows; a heading replaces the title; a page advises no fit."""
    evaluation = group.looked_at(group.key_of(controls))
    if evaluation is None:
        scene = overview(group, controls, comparators)
    else:
        moment = _moment(evaluation, controls, comparators, is_page)
        view = view_of(controls)
        words = view.words(moment)
        promise = promise_lines([("", words.promise)] if words.promise else [])
        scene = Scene(
            _title(group, controls, words),
            (Panel(*view.axes(moment), tuple(_named(view.marks(moment), group.title))),),
            (words.lead,),
            tuple(dict.fromkeys((*promise, *words.notes))),
            _description(group, controls, words),
        )
    # Only ROC curves have a corner: other views have other axes.
    if controls.zoom and (evaluation is None or controls.view == "roc"):
        scene = scene._replace(panels=tuple(map(cornered, scene.panels)))
    return scene if heading is None else scene._replace(title=plain_text(heading, 120))


def summary(group: Group, controls: Controls, comparators: Overlaid | None = None) -> str:
    """All that the picture says as a text of a few lines, the same in every run."""
    evaluation = group.looked_at(group.key_of(controls))
    if evaluation is None:
        return overview(group, controls, comparators).description
    moment = _moment(evaluation, controls, comparators)
    return _description(group, controls, view_of(controls).words(moment))


def view_of(controls: Controls) -> View:
    """The view of one evaluation that is chosen."""
    return OTHERS.get((controls.view, controls.band), VIEWS[controls.view])


def _moment(
    evaluation: RocEvaluation,
    controls: Controls,
    comparators: Overlaid | None,
    is_page: bool = False,
) -> Moment:
    """The moment, with only those comparators that its view speaks of."""
    if controls.view == "roc" and controls.band == NO_BAND:
        comparators = None  # a curve to guess from, which no band may give away
    elif comparators is not None and controls.band != SAMPLING:
        comparators = comparators.laid
    return Moment(evaluation, controls, comparators, is_page)


def _title(group: Group, controls: Controls, words: Words) -> str:
    """Heading, with the name of the evaluation if there are others."""
    followed = None
    if group.kind in ("single", HORIZONS):
        evaluation = group.looked_at(group.key_of(controls))
        followed = None if evaluation is None else evaluation.follow_up
    if followed is not None:
        start = f"{group.title}, by" if group.title else "By"
        return f"{start} {followed.by}: {words.title}"
    if group.kind == "single" and not group.title:
        return words.title
    is_roc = view_of(controls) is VIEWS["roc"]
    key = group.key_of(controls)
    name = group.name(key)
    # A noun begins the title in a capital, a name that was given stays as it is.
    name = name if key is None or isinstance(key, str) else name[0].upper() + name[1:]
    if is_roc and group.kind == "classes":
        name = fill("class.against_rest", name=name)
    return f"{name}: {words.title}"


def _named(marks: Iterable[Mark], name: str) -> Iterable[Mark]:
    """Marks whose curve has the evaluation's own name in the key, if it has one."""
    for mark in marks:
        if name and isinstance(mark, Line) and mark.id == "curve":
            yield mark._replace(key=name)
        else:
            yield mark


def _description(group: Group, controls: Controls, words: Words) -> str:
    promise = promise_lines([("", words.promise)] if words.promise else [])
    return "\n".join(
        [
            f"{_title(group, controls, words)} (alpha = {controls.alpha:g}).",
            words.lead,
            *words.details,
            *(f"{line}." for line in promise),
            *words.comparators,
        ]
    )
