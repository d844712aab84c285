"""Writes the messages from the kernel to the page, and reads the page's requests.

`VERSION` is the version of the format. On the page: ``js/src/wire/``. The kernel sends five
messages, each of which is a synced trait. ``_data`` does not depend on alpha, and is sent once.
``_stops`` follows with what takes long, such as limits at some alphas that the page cannot compute.
``_frame`` has the limits and figures of all shown evaluations at one alpha and one threshold.
``_comparators`` has the comparators' bands that are ready. ``_ideal`` has the ideal model's own ROC
curve, if it is shown.

The page sends two custom messages: ``{"type": "state", "client": str, "seq": int, "since": int}``,
together with the controls that the reader has changed since the answer ``since``, and ``{"type":
"select", "cell": str, "threshold": float}``.

In every pair, item 0 is for label 0 and item 1 for label 1. Binary fields are little-endian:
float64; float32 if they are only drawn; and ascending counts as varints (LEB128 of the first value
and of the differences). The page divides counts by the number of test points, which gives exactly
Python's floats.

From ``_data`` the page computes frames itself. If arrays are sent `whole`, its numbers are exact.
Longer arrays are sent as the values at evenly spaced ranks.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.choices import CellName
from conformal_roc_widget.comparators.comparator_band import ComparatorBand
from conformal_roc_widget.evaluation.at_alpha import AtAlpha
from conformal_roc_widget.evaluation.decided import CELLS
from conformal_roc_widget.evaluation.decisions.settled import places_of
from conformal_roc_widget.evaluation.estimate import Estimate
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.promise import FIRST_THRESHOLD, LAST_THRESHOLD
from conformal_roc_widget.shown.comparator_state import Overlaid, Overlay, Pair
from conformal_roc_widget.shown.controls import Controls, Label
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.text import EXACT, plain_text

from .arrays import curve_arrays, evaluation_arrays, frozen_limits, short_thresholds
from .budget import ALPHA_STOPS, Budget, live_budget, stops_with
from .encoding import encoded, entry_name, for_pixels, name_text, number, pair, short
from .reliability import reliability
from .shifted_limits import with_shifts
from .statements import findings, point_numbers, statement

VERSION = 13
#: The guarantee of credible limits, which a page cannot compute.
CREDIBLE = "credible"
#: The largest sequence number of a request. JavaScript represents all integers up to it exactly.
LARGEST_SEQ = 2**53 - 1
#: The message `_frame` names the client and the sequence number of the request that it answers. If
#: Python caused the message, it has these values instead.
FROM_PYTHON = ("", 0)

#: A cache of encoded entries of `_frame`, by results at one alpha and by view. While a reader moves
#: the threshold, each new message needs the same entry.
_ENCODED: WeakKeyDictionary[AtAlpha, dict[str, dict[str, Any]]] = WeakKeyDictionary()


def data_message(group: Group, budget: Budget | None = None) -> dict[str, Any]:
    """Returns ``_data``: names, sizes, vertices, and the arrays from which pages compute limits.

    By default the budget is that of a widget, which gets `stops_message` later.
    """
    budget = budget or live_budget(group)
    entries = [_entry_of(label, evaluation, budget) for label, evaluation in group.entries.items()]
    return encoded({**_group(group), "entries": entries})


def _entry_of(label: Label, shown: RocEvaluation, budget: Budget) -> dict[str, Any]:
    """Returns the entry of one evaluation in ``_data``.

    A page cannot compute credible limits, so it gets the numbers for the individual limits. If a
    page without a kernel shows credible limits, it gets them at the stops of its slider.
    """
    is_credible = shown.guarantee == CREDIBLE
    evaluation = shown.with_guarantee("individual") if is_credible else shown
    arrays = evaluation_arrays(evaluation, budget)
    facts = {"label": label, "name": entry_name(label)}
    facts |= facts_of(evaluation, evaluation.sampled.screen_vertices.thresholds)
    others = [
        _promised(other)
        | {
            "curves": None,
            "frozen": frozen_limits(other, budget)
            if is_credible and other.guarantee == CREDIBLE and budget.frozen is None
            else None,
        }
        for other in evaluation.other_promises
    ]
    # A page without a kernel gets no `stops_message`. So the message `_data` contains its figures.
    if budget.frozen is None:
        facts |= figures(evaluation)
    return facts | {"others": others} | _envelope(evaluation, arrays["whole"]) | arrays


def stops_message(group: Group, budget: Budget | None = None) -> dict[str, Any]:
    """Returns ``_stops``: the fields of the entries of ``_data`` that take long to compute.

    These are the bounds of the reliability view, the numbers for further figures, and limits for an
    ideal recalibration. The budget is that of `data_message`.
    """
    budget = budget or live_budget(group)
    entries = []
    for evaluation in group.entries.values():
        bounds = reliability(evaluation, budget.bounds)
        entry = encoded({"reliability": bounds} | figures(evaluation))
        if evaluation.is_simultaneous:
            entry["frozen"] = frozen_limits(evaluation, budget)
        entries.append(entry)
    return {"version": VERSION, "entries": entries}


def page_messages(
    group: Group, alpha: float, threshold: float, budget: Budget
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns ``_data`` and ``_frame`` of a page without a kernel.

    If the page can compute the limits exactly, they are None in the frame.
    """
    data = data_message(group, budget)
    frame = frame_message(group, alpha, threshold, *FROM_PYTHON)
    for entry, first in zip(data["entries"], frame["entries"], strict=True):
        made = first["kind"] != CREDIBLE
        made &= entry["envelope"] is not None or first["kind"] != "everywhere"
        if entry["whole"] and entry["centres"] is not None and entry["unranked"] is None and made:
            first["limits"] = None
    return data, frame


def curves_messages(group: Group, alpha: float, threshold: float) -> tuple[Any, Any]:
    """Returns ``_data`` and ``_frame`` of a page that contains only curves.

    They contain no scores, centres or residuals, but counts at the vertices, and limits at each of
    `FROZEN_STOPS` and at `alpha`. Thresholds are short decimals between the scores.
    """
    data, frames, stops = [], [], stops_with(alpha)
    for label, shown in group.entries.items():
        thresholds = short_thresholds(shown, threshold)
        curves = _curves(shown, thresholds, stops)
        # The kernel samples candidates for credible limits, which takes long. So they are sent only
        # if they are shown.
        others = [
            _promised(other) | {"curves": _curves(other, thresholds, stops), "frozen": None}
            for other in shown.other_promises
            if other.guarantee != CREDIBLE
        ]
        data.append(
            {"label": label, "name": entry_name(label)}
            | facts_of(shown, thresholds)
            | figures(shown)
            | curve_arrays(shown, thresholds, stops)
            | {"curves": with_shifts(shown, thresholds, curves), "others": others}
        )
        here = next(curve for curve in curves if curve["alpha"] == alpha)
        at = shown.at(alpha)
        frames.append(
            {
                **here["frame"],
                "kind": at.promise.kind,
                "auc": here["auc"],
                "limits": here["limits"],
                "point": point_numbers(at, threshold),
            }
        )
    return encoded({**_group(group), "entries": data}), encoded(
        frame_of(alpha, threshold, *FROM_PYTHON, frames)
    )


def frame_message(
    group: Group, alpha: float, threshold: float, client: str, seq: int, view: str = "roc"
) -> dict[str, Any]:
    """Returns ``_frame`` at one alpha and threshold.

    `client` and `seq` identify the page's request that the message answers. Without a request, they
    are `FROM_PYTHON`. For each evaluation, a frame has the order statistics of the residuals
    (``quantiles``) and their ``ranks`` (null if test points have different ones), the
    ``guaranteed`` coverage, the range of the ``auc``, and the operating ``point``. ``limits`` are
    counts at the vertices of ``_data``: lower and upper ones of label 0, then of label 1. ``kind``
    is that of the guarantee, whose words are in ``_data``. If test points have different order
    statistics, ``local`` has the shares of points without limits. Folds have the limits of their
    ``mean`` area. In the view "reliability", a frame also has the ``reliability`` at this alpha.
    """
    entries = []
    for evaluation in group.entries.values():
        at = evaluation.at(alpha)
        entries.append(_entry(evaluation, at, view) | {"point": point_numbers(at, threshold)})
    frame = frame_of(alpha, threshold, client, seq, entries)
    if group.folds is not None:
        frame["mean"] = list(group.folds.mean_auc_limits((alpha,))[0])
    return frame


def comparators_message(overlaid: Overlaid) -> dict[str, Any]:
    """Returns ``_comparators``: the comparators' bands of the shown evaluation.

    ``label`` is the evaluation's label, and ``items`` are the comparators. Until one is ``done``,
    its limits are empty. Only a page without a kernel gets ``stops``, bands at further alphas. If
    there are several classifiers, ``pairs`` are their paired tests. If there are neither
    comparators nor tests, the message is empty.
    """
    label, alpha, items, pairs = overlaid
    if not items and pairs is None:
        return {}
    message = {
        "version": VERSION,
        "label": label,
        "items": [_item(item, alpha) for item in items],
        "pairs": None if pairs is None else [_compared(test) for test in pairs],
    }
    return encoded(message)


def state_request(content: Any) -> tuple[str, int, int, dict[str, Any]] | None:
    """Returns the parts of a page's "state" message, or None if `content` is another message.

    They are the client, the sequence number, the number of the last answer that the page has, and
    the controls that the reader has changed since that answer. Invalid messages give None too.
    """
    if not isinstance(content, dict) or content.get("type") != "state":
        return None
    client, seq = content.get("client"), content.get("seq")
    # The answer contains `client` and `seq` again. So `client` must be plain ASCII, and JavaScript
    # must be able to represent `seq`.
    if not isinstance(client, str) or not client.isascii():
        return None
    if type(seq) is not int or not 0 <= seq <= LARGEST_SEQ:
        return None
    since = content.get("since")
    chosen = {name: content[name] for name in Controls._fields if name in content}
    if "threshold" in chosen:
        chosen["threshold"] = as_float(chosen["threshold"])
    return client, seq, since if type(since) is int else LARGEST_SEQ, chosen


def as_float(threshold: Any) -> Any:
    """`threshold` as a page has it: a float, also where its JSON text has no decimal point.

    Python reads such a text as an integer. Beyond `EXACT`, this integer may differ from the float.
    """
    is_far = type(threshold) is int and EXACT < abs(threshold) < sys.float_info.max
    return float(threshold) if is_far else threshold


def selection_request(content: Any) -> tuple[CellName, float] | None:
    """Returns cell and threshold of a page's "select" message, or None for other messages.

    The reader selects the rows in a cell of the confusion matrix. Invalid messages give None too.
    """
    if not isinstance(content, dict) or content.get("type") != "select":
        return None
    cell: Any = content.get("cell")
    threshold = content.get("threshold")
    if cell not in CELLS or not isinstance(threshold, int | float) or not math.isfinite(threshold):
        return None
    return cell, float(threshold)


def error_message(client: str, seq: int, error: Exception) -> dict[str, Any]:
    """Returns the message that a request failed. The page keeps what it shows."""
    return {"type": "error", "client": client, "seq": seq, "message": str(error)}


def observer_message(failures: list[Exception]) -> dict[str, Any]:
    """Returns the message that observers of traits, which are the user's code, have failed."""
    failed = dict.fromkeys(f"{type(each).__name__}: {plain_text(each, 200)}" for each in failures)
    return {"type": "observer", "message": "; ".join(failed)}


def _group(group: Group) -> dict[str, Any]:
    """Returns the fields of ``_data`` on the whole group: its kind, its title, and means.

    Folds have their pooled curve and their mean area. Classes have their mean area and mean rates.
    """
    message: dict[str, Any] = {"version": VERSION, "kind": group.kind}
    if group.title:
        message["title"] = group.title
    if means := group.mean_areas:
        message["means"] = {how: [area.variance, area.rows] for how, area in means.items()}
    if of_classes := group.mean_rates:
        # The array has the values of label 0 at all thresholds, then those of label 1.
        message["rates"] = {how: short(each.ravel()) for how, each in of_classes.items()}
    if (together := group.together) is not None:
        message["together"] = together.record
    if group.folds is None:
        return message
    pooled = group.folds.pooled
    # The pooled curve is only drawn. So its points are rounded, and equal ones are left out.
    rates = np.unique(np.round([pooled.fpr, pooled.tpr], 3), axis=1)
    limits = np.array(group.folds.mean_auc_limits(ALPHA_STOPS)).T.ravel()
    folds = {
        "fpr": short(rates[0]),
        "tpr": short(rates[1]),
        "auc": pooled.auc,
        "mean": group.folds.mean_area.value,
        # The array has the lower limits at all alphas of the slider, then the upper limits.
        "limits": short(limits),
        "method": group.folds.mean_auc_method,
    }
    return message | {"folds": folds}


def facts_of(evaluation: RocEvaluation, thresholds: Floats) -> dict[str, Any]:
    """An entry's fields that do not depend on alpha: sizes, guarantee, notes, diagnostics."""
    observed, sources, settled = evaluation.sampled, evaluation.sources, None
    support, about = evaluation.display_support
    if observed.dependence:
        some = thresholds[places_of(thresholds.size)]
        # The widget, its picture and its page all need the numbers of the drawn curve.
        # `observed.settled` computes them once.
        is_drawn = thresholds is observed.screen_vertices.thresholds
        settled = observed.settled if is_drawn else observed.settled_over(some)
    # If rows have weights, `n_test` counts units of weight, so the number of rows is sent too.
    rows: dict[str, Any] = {}
    if observed.sizes != observed.rows:
        rows = {"rows": list(observed.rows), "unit": observed.unit}
    if sources.margins:
        rows["margins"] = True
    if observed.any_size:
        rows["any_size"] = True
    if observed.no_looks:
        rows["no_looks"] = True
    if (told := evaluation.told_share) is not None:
        rows["unlabelled"] = {"told": told[0], "came": int((evaluation.labels >= 0).sum())}
    if (followed := observed.follow_up) is not None:
        rows["followed"] = {
            "horizon": followed.horizon,
            "unit": plain_text(followed.unit, 20),
            "unknown": followed.n_unknown,
        }
    return (
        _promised(evaluation)
        | rows
        | {
            "classes": [name_text(name) for name in evaluation.classes],
            "n_test": list(observed.sizes),
            "n_calibration": pair(evaluation.n_calibration),
            "people": evaluation.calibrated_curve.counts_people,
            "crossable": sources.crossable,
            "selectable": evaluation.has_single_points,
            "remade": sources.remade,
            # A reliability view would count rows equally, so there is none for rows with weights or
            # groups.
            "weighted": bool(observed.dependence),
            "auc": observed.auc,
            # From these numbers the page computes limits of the area in the population, at any
            # alpha.
            "area": None if observed.area is None else [observed.area.variance, observed.area.rows],
            # If rows have weights or groups, the page computes limits of rates, precision and net
            # benefit in the population from these numbers. Otherwise counts are enough.
            "settled": None if settled is None else settled.numbers.ravel(),
            "rule": evaluation.quantile_rule,
            "simultaneous": evaluation.is_simultaneous,
            "support": {"share": support.share, "about": about},
        }
    )


def figures(evaluation: RocEvaluation) -> dict[str, Any]:
    """Returns the numbers from which a page computes limits of average precision and losses."""
    sampled = evaluation.sampled
    precision, losses = sampled.average_precision, sampled.losses
    return {
        # From the effective sample size, the page computes limits of the average precision.
        "precision": None if precision is None else precision.rows,
        "losses": losses and [_loss_numbers(each) for each in losses.values()],
    }


def _loss_numbers(loss: Estimate) -> list[float | None]:
    """Returns the numbers of a mean loss: value, variance, `is_heavy` as 0 or 1, and `one_more`.

    See `Estimate`. An infinite loss becomes None, because JSON has no infinity.
    """
    value = None if math.isinf(loss.value) else loss.value
    return [value, loss.variance, float(loss.is_heavy), *loss.one_more]


def _promised(evaluation: RocEvaluation) -> dict[str, Any]:
    """Returns the fields of an entry that depend on the guarantee: its words, and notes."""
    notes = (note.of_classes(evaluation.classes) for note in evaluation.lasting_notes)
    return {
        "words": evaluation.promise.record,
        "vacuous_below": pair(evaluation.vacuous_below),
        "notes": [note.record for note in notes],
    }


def _envelope(evaluation: RocEvaluation, whole: bool) -> dict[str, Any]:
    """Returns the numbers from which a page computes limits at every threshold at once.

    If the page gets the same residuals anyway (`whole`), they are None here.
    """
    curve = evaluation.envelope
    if curve is None:
        return {"envelope": None}
    parts = [
        {
            # If the page has all residuals of the intervals, and the envelope uses the same ones,
            # they are not sent again.
            "residuals": None if whole and part.of_intervals else part.at_ranks,
            "critical": part.critical,
            "points": part.points,
            "more": part.more,
            "within": [FIRST_THRESHOLD, LAST_THRESHOLD],
        }
        for part in curve.parts(ALPHA_STOPS, evaluation.page_residuals)
    ]
    return {"envelope": parts}


def _curves(
    evaluation: RocEvaluation, thresholds: Floats, alphas: Sequence[float]
) -> list[dict[str, Any]]:
    """Returns limits and findings at each of `alphas`, for a page that contains only curves."""
    return [
        {
            "alpha": at.alpha,
            "frame": findings(at, is_bare=True),
            "auc": list(at.display_auc()[1:]),
            "limits": limit_counts(*at.counts_at(thresholds)),
        }
        for at in map(evaluation.at, alphas)
    ]


def frame_of(
    alpha: float, threshold: float, client: str, seq: int, entries: list[dict[str, Any]]
) -> dict[str, Any]:
    """Returns ``_frame`` with these entries."""
    return {
        "version": VERSION,
        "client": client,
        "seq": seq,
        "alpha": alpha,
        "threshold": threshold,
        "entries": entries,
    }


def _entry(evaluation: RocEvaluation, at: AtAlpha, view: str) -> dict[str, Any]:
    """Returns the part of a ``_frame`` entry that is the same at each threshold, cached by view."""
    known = _ENCODED.setdefault(at, {})
    if view not in known:
        entry = statement(at) | {
            "auc": list(at.display_auc()[1:]),
            "limits": limit_counts(*at.display),
        }
        if view == "reliability":
            entry["reliability"] = reliability(evaluation, (at.alpha,))
        known[view] = encoded(entry)
    return known[view]


def limit_counts(low: Sequence[Ints], high: Sequence[Ints]) -> list[Ints]:
    """Orders the four arrays of limits for a message: label 0, then label 1, each lower first."""
    return [low[0], high[0], low[1], high[1]]


def _item(item: Overlay, alpha: float) -> dict[str, Any]:
    """Returns the item of one comparator in ``_comparators``.

    When it is done, it has the limits of its band. For a page without a kernel they are rounded.
    """
    band, comparator = item.band, item.comparator
    rounded = np.asarray if item.stops is None else for_pixels
    return {
        "key": comparator.key,
        "name": comparator.name,
        "laid": item.laid,
        "status": item.status,
        "done": item.done,
        "total": comparator.steps,
        "message": item.message,
        "words": (item.promise or comparator.promise).record,
        "notes": [] if band is None else list(band.notes),
        "alpha": alpha,
        "fpr": b"" if band is None else _grid(band.fpr),
        "lower": b"" if band is None else rounded(band.tpr_lower),
        "upper": b"" if band is None else rounded(band.tpr_upper),
        "stops": None if item.stops is None else [_stop(each) for each in _others(item, alpha)],
    }


def _others(item: Overlay, alpha: float) -> list[ComparatorBand]:
    """A comparator's bands at the alphas other than `alpha`, for a page without a kernel."""
    return [band for band in item.stops or () if band.alpha != alpha]


def _grid(rates: Floats) -> Floats | int:
    """Returns the rates, or only their number if they are evenly spaced from 0 to 1."""
    return rates.size if np.array_equal(rates, np.linspace(0, 1, rates.size)) else rates


def _stop(band: ComparatorBand) -> dict[str, Any]:
    """Returns the alpha of a comparator's band and its limits, rounded for drawing."""
    lower, upper = (short(for_pixels(side)) for side in (band.tpr_lower, band.tpr_upper))
    return {"alpha": band.alpha, "lower": lower, "upper": upper}


def _compared(test: Pair) -> dict[str, Any]:
    """Returns the paired test of two classifiers for a message. NaN becomes null."""
    return {
        "a": entry_name(test.a),
        "b": entry_name(test.b),
        "difference": test.difference,
        "sd": number(test.sd),
        "z": number(test.z),
        "p": number(test.p),
    }
