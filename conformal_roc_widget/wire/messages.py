"""The wire format, in the version that `VERSION` counts; its twin is ``js/src/wire/``.

The kernel sends five messages, each one synced trait. ``_data`` does not depend on alpha and goes
out once; ``_stops`` follows with limits at some alphas, where the page cannot compute them;
``_frame`` is the atomic answer to one setting of the sliders, for every evaluation that is shown;
``_comparators`` holds other people's bands, as far as they are made, and follows a frame;
``_ideal`` holds the ideal model's own curve, once it is asked for.
The page sends two custom messages,
``{"type": "state", "client": str, "seq": int, "since": int}`` with those controls that its
reader has changed since the answer ``since``, and
``{"type": "select", "cell": str, "threshold": float}``.

In every pair, entry 0 belongs to label 0 and entry 1 to label 1. Binary fields are little-endian:
float64, so that infinities survive; float32, where only a picture is drawn; and ascending counts as
varints (LEB128 of the first value and of the differences), which the page divides by the number of
test points to get the very floats that Python has.

From ``_data`` the page computes frames itself. Its numbers are exact where arrays are `whole`;
longer ones are read at evenly spaced ranks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from conformal_roc_widget.arrays import Floats
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
from conformal_roc_widget.text import plain_text

from .arrays import curve_arrays, evaluation_arrays, frozen_limits, limit_counts, short_thresholds
from .budget import ALPHA_STOPS, Budget, live_budget, stops_with
from .encoding import encoded, entry_name, for_pixels, name_text, number, pair, short
from .reliability import reliability
from .statements import findings, point_numbers, statement

VERSION = 12
#: The promise whose limits a page cannot compute.
CREDIBLE = "credible"
#: Largest sequence number that a page can tell from the next one.
LARGEST_SEQ = 2**53 - 1
#: Client and sequence number of a frame that no page asked for.
FROM_PYTHON = ("", 0)

#: Encoded entries by view at one alpha, kept, since a drag of the threshold asks for them again.
_ENCODED: WeakKeyDictionary[AtAlpha, dict[str, dict[str, Any]]] = WeakKeyDictionary()


def data_message(group: Group, budget: Budget | None = None) -> dict[str, Any]:
    """Message ``_data``: names, sizes, vertices, and the arrays from which the page makes frames.

    The budget is by default the one of a widget, whose `stops_message` follows.
    """
    budget = budget or live_budget(group)
    entries = [_entry_of(label, evaluation, budget) for label, evaluation in group.entries.items()]
    return encoded({**_group(group), "entries": entries})


def _entry_of(label: Label, shown: RocEvaluation, budget: Budget) -> dict[str, Any]:
    """The entry of one evaluation in ``_data``.

    No page computes credible limits: it gets the numbers of the individual ones, and, if it is made
    to show the others without a kernel, these at some alphas.
    """
    is_credible = shown.guarantee == CREDIBLE
    evaluation = shown.with_guarantee("individual") if is_credible else shown
    arrays = evaluation_arrays(evaluation, budget)
    facts = {"label": label, "name": entry_name(label)}
    facts |= facts_of(evaluation, evaluation.display.vertices.thresholds)
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
    if budget.frozen is None:  # if no other message follows
        facts |= figures(evaluation)
    return facts | {"others": others} | _envelope(evaluation, arrays["whole"]) | arrays


def stops_message(group: Group, budget: Budget | None = None) -> dict[str, Any]:
    """Message ``_stops``: fields of the entries of ``_data`` that take long to compute.

    They are bounds of the reliability, figures beside the curve, and limits of an ideal
    recalibration. The budget is that of `data_message`.
    """
    budget = budget or live_budget(group)
    entries = []
    for evaluation in group.entries.values():
        bounds = reliability(evaluation, budget.bounds)
        entry = encoded({"reliability": bounds} | figures(evaluation))
        if evaluation.display.simultaneous:
            entry["frozen"] = frozen_limits(evaluation, budget)
        entries.append(entry)
    return {"version": VERSION, "entries": entries}


def page_messages(
    group: Group, alpha: float, threshold: float, budget: Budget
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Messages ``_data`` and ``_frame`` of a page without a kernel.

    Limits that it computes to the last digit are None in its frame.
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
    """Messages ``_data`` and ``_frame`` of a page that is to show curves and to hold nothing else.

    They hold no scores, centres or residuals, but counts at the vertices, at each of
    `FROZEN_STOPS` and at `alpha`. Thresholds are short decimals between the scores.
    """
    data, frames, stops = [], [], stops_with(alpha)
    for label, shown in group.entries.items():
        thresholds = short_thresholds(shown, threshold)
        curves = _curves(shown, thresholds, stops)
        # Candidates take long to sample: they are there if they are shown.
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
            | {"curves": curves, "others": others}
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
    """Message ``_frame``: the answer to the request `seq` of a client, or `FROM_PYTHON`.

    For each evaluation ``quantiles`` and ``ranks`` of the order statistics (null where every test
    point has its own), ``guaranteed`` coverage, ``vacuous`` reasons, the ``auc`` range, the
    operating ``point``, the ``limits`` as counts at the vertices of ``_data`` (lower and upper of
    label 0, lower and upper of label 1), the ``kind`` of the promise, whose words are in ``_data``,
    and for a ``local`` band the share of points without limits. Folds have limits of their ``mean``
    area. In the view of it a frame has the
    ``reliability`` at this very alpha.
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
    """Message ``_comparators``: the comparators' bands of the evaluation on the screen.

    ``label`` names that evaluation, ``items`` are the bands (one that is not ``done`` has empty
    limits; only a page without a kernel gets ``stops``). The paired tests of several classifiers
    come with them. Without bands and tests it is empty.
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
    """Client, sequence number, last answer known and wanted controls of a page's request.

    The controls are those that the reader has changed since that answer. None for
    other messages.
    """
    if not isinstance(content, dict) or content.get("type") != "state":
        return None
    client, seq = content.get("client"), content.get("seq")
    # Client and number go back to the page: text that can be sent, and a number that a page can
    # hold.
    if not isinstance(client, str) or not client.isascii():
        return None
    if type(seq) is not int or not 0 <= seq <= LARGEST_SEQ:
        return None
    since = content.get("since")
    chosen = {name: content[name] for name in Controls._fields if name in content}
    return client, seq, since if type(since) is int else LARGEST_SEQ, chosen


def selection_request(content: Any) -> tuple[CellName, float] | None:
    """Cell of the confusion table whose rows a page wants, and its threshold."""
    if not isinstance(content, dict) or content.get("type") != "select":
        return None
    cell: Any = content.get("cell")
    threshold = content.get("threshold")
    if cell not in CELLS or not isinstance(threshold, int | float) or not math.isfinite(threshold):
        return None
    return cell, float(threshold)


def error_message(client: str, seq: int, error: Exception) -> dict[str, Any]:
    """Message that a request failed; the last good frame stays."""
    return {"type": "error", "client": client, "seq": seq, "message": str(error)}


def observer_message(failures: list[Exception]) -> dict[str, Any]:
    """Message that the user's code that follows the traits has failed."""
    failed = dict.fromkeys(f"{type(each).__name__}: {plain_text(each, 200)}" for each in failures)
    return {"type": "observer", "message": "; ".join(failed)}


def _group(group: Group) -> dict[str, Any]:
    """Kind of the group, its name if it has one; if folds, the pooled curve and the mean area."""
    message: dict[str, Any] = {"version": VERSION, "kind": group.kind}
    if group.title:
        message["title"] = group.title
    if means := group.mean_areas:
        message["means"] = {how: [area.variance, area.rows] for how, area in means.items()}
    if of_classes := group.mean_rates:
        # Label 0 at each of the thresholds, then label 1.
        message["rates"] = {how: short(each.rows.ravel()) for how, each in of_classes.items()}
    if (together := group.together) is not None:
        message["together"] = together.record
    if group.folds is None:
        return message
    pooled = group.folds.pooled
    # The curve is only drawn, so that points which no screen tells apart are left out.
    rates = np.unique(np.round([pooled.fpr, pooled.tpr], 3), axis=1)
    limits = np.array(group.folds.mean_auc_limits(ALPHA_STOPS)).T.ravel()
    folds = {
        "fpr": short(rates[0]),
        "tpr": short(rates[1]),
        "auc": pooled.auc,
        "mean": group.folds.mean_area.value,
        # Lower limits at each alpha of the slider, then the upper ones.
        "limits": short(limits),
        "method": group.folds.mean_auc_method,
    }
    return message | {"folds": folds}


def facts_of(evaluation: RocEvaluation, thresholds: Floats) -> dict[str, Any]:
    """What no alpha changes: names and sizes of an evaluation, and its promise."""
    shown, settled = evaluation.display, None
    if shown.dependence:
        settled = evaluation.sampled.settled_over(thresholds[places_of(thresholds.size)])
    # If rows have weights, a page needs their number as well: `n_test` are units of weight then.
    rows: dict[str, Any] = {}
    if shown.masses != shown.rows:
        rows = {"rows": list(shown.rows), "unit": shown.unit}
    if shown.margins:
        rows["margins"] = True
    if shown.any_size:
        rows["any_size"] = True
    if evaluation.sampled.no_looks:
        rows["no_looks"] = True
    if (told := evaluation.told_share) is not None:
        rows["unlabelled"] = {"told": told[0], "came": int((evaluation.labels >= 0).sum())}
    if (followed := shown.follow_up) is not None:
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
            "n_test": list(shown.masses),
            "n_calibration": pair(shown.n_calibration),
            "people": shown.counts_people,
            "crossable": shown.crossable,
            "selectable": shown.single_points,
            "remade": shown.remade,
            # Such rows have no reliability, which a page must know.
            "weighted": bool(shown.dependence),
            "auc": shown.auc,
            # The numbers from which limits of the area with more test data are made at any alpha.
            "area": None if shown.area is None else [shown.area.variance, shown.area.rows],
            # If rows do not count alike: the numbers behind limits of rates, precision and net
            # benefit.
            "settled": None if settled is None else settled.numbers.ravel(),
            "rule": shown.rule,
            "simultaneous": shown.simultaneous,
            "support": {"share": shown.extrapolating, "about": shown.about},
        }
    )


def figures(evaluation: RocEvaluation) -> dict[str, Any]:
    """Numbers from which a page makes limits of further figures at any alpha."""
    sampled = evaluation.sampled
    precision, losses = sampled.average_precision, sampled.losses
    return {
        # The effective number of rows behind the average precision.
        "precision": None if precision is None else precision.rows,
        "losses": losses and [_loss_numbers(each) for each in losses.values()],
    }


def _loss_numbers(loss: Estimate) -> list[float | None]:
    """A mean loss, its variance, and 1 if one row makes a large share of the variance.

    None for an infinite one, which JSON does not have.
    """
    return [None if math.isinf(loss.value) else loss.value, loss.variance, float(loss.is_heavy)]


def _promised(evaluation: RocEvaluation) -> dict[str, Any]:
    """The fields of an entry that depend on the guarantee."""
    said = evaluation.said
    return {
        "words": said.promise.record,
        "vacuous_below": pair(said.vacuous_below),
        "notes": [note.of_classes(evaluation.classes).record for note in said.notes],
    }


def _envelope(evaluation: RocEvaluation, whole: bool) -> dict[str, Any]:
    """Numbers for limits at every threshold at once.

    Residuals are None if a page has them among others, as a `whole`.
    """
    curve = evaluation.envelope
    if curve is None:
        return {"envelope": None}
    parts = [
        {
            # The page already has the residuals if the intervals are made from them as well.
            "residuals": None if whole and part.of_intervals else part.at_ranks,
            "critical": part.critical,
            "points": part.points,
            "more": part.more,
            "within": [FIRST_THRESHOLD, LAST_THRESHOLD],
        }
        for part in curve.parts(ALPHA_STOPS)
    ]
    return {"envelope": parts}


def _curves(
    evaluation: RocEvaluation, thresholds: Floats, alphas: Sequence[float]
) -> list[dict[str, Any]]:
    """Limits and findings at some alphas, for a page that computes nothing."""
    return [
        {
            "alpha": at.alpha,
            # Order statistics are left out: they are residuals of the user's data, which such a
            # page must not hold.
            "frame": findings(at.findings._replace(quantiles=None, ranks=None)),
            "auc": list(at.display_auc()[1:]),
            "limits": limit_counts(*at.counts_at(thresholds)),
        }
        for at in map(evaluation.at, alphas)
    ]


def frame_of(
    alpha: float, threshold: float, client: str, seq: int, entries: list[dict[str, Any]]
) -> dict[str, Any]:
    """The frame, with all entries."""
    return {
        "version": VERSION,
        "client": client,
        "seq": seq,
        "alpha": alpha,
        "threshold": threshold,
        "entries": entries,
    }


def _entry(evaluation: RocEvaluation, at: AtAlpha, view: str) -> dict[str, Any]:
    """The part of a frame's entry that depends on no threshold, encoded once for each view."""
    known = _ENCODED.setdefault(at, {})
    if view not in known:
        shown = at.display
        entry = statement(shown.findings) | {
            "auc": list(shown.auc),
            "limits": limit_counts(shown.lower, shown.upper),
        }
        if view == "reliability":
            entry["reliability"] = reliability(evaluation, (at.alpha,))
        known[view] = encoded(entry)
    return known[view]


def _item(item: Overlay, alpha: float) -> dict[str, Any]:
    """One comparator, with its limits once it is done: to the last digit beside a kernel."""
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
    """Bands at the further alphas that a page without a kernel can be set to."""
    return [band for band in item.stops or () if band.alpha != alpha]


def _grid(rates: Floats) -> Floats | int:
    """Rates, or how many they are if they stand at equal steps from 0 to 1."""
    return rates.size if np.array_equal(rates, np.linspace(0, 1, rates.size)) else rates


def _stop(band: ComparatorBand) -> dict[str, Any]:
    """Limits at one stop, only to be drawn."""
    lower, upper = (short(for_pixels(side)) for side in (band.tpr_lower, band.tpr_upper))
    return {"alpha": band.alpha, "lower": lower, "upper": upper}


def _compared(test: Pair) -> dict[str, Any]:
    """Paired test of two classifiers; null if it is impossible."""
    return {
        "a": entry_name(test.a),
        "b": entry_name(test.b),
        "difference": test.difference,
        "sd": number(test.sd),
        "z": number(test.z),
        "p": number(test.p),
    }
