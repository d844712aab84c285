"""The wire format, version 2; its twin is ``js/src/wire/``.

The kernel sends three messages, each one synced trait. ``_data`` does not depend on alpha and goes
out once; ``_frame`` is the atomic answer to one setting of the sliders, for every evaluation that
is shown; ``_comparators`` holds other people's bands, as far as they are made, and follows a frame.
The page sends one custom message,
``{"type": "state", "client": str, "seq": int, "alpha": float, "threshold": float}``.

In every pair, entry 0 belongs to label 0 and entry 1 to label 1. Binary fields are little-endian:
float64, so that infinities survive; float32, where only a picture is drawn; and ascending counts as
varints (LEB128 of the first value and of the differences), which the page divides by the number of
test points to get the very floats that Python has.

From ``_data`` the page computes frames itself. Its numbers are exact where arrays are `whole`;
longer ones are read at evenly spaced ranks.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from scipy.special import expit

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.logits import logit_of
from conformal_roc_widget.calibration.quantiles import between_infinities, ranks
from conformal_roc_widget.comparators.comparator_band import ComparatorBand
from conformal_roc_widget.evaluation.band import ConformalBand
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation, Vertices
from conformal_roc_widget.evaluation.sorted_sample import SortedSample
from conformal_roc_widget.text import plain_text
from conformal_roc_widget.view.comparator_state import Overlaid, Overlay, Pair
from conformal_roc_widget.view.controls import Label
from conformal_roc_widget.view.evaluation_group import Group

VERSION = 2
#: Largest sequence number that a page can tell from the next one.
LARGEST_SEQ = 2**53 - 1
#: Client and sequence number of a frame that no page asked for.
FROM_PYTHON = ("", 0)

#: Every alpha that the page's slider can reach.
ALPHA_STOPS = tuple([i / 1000 for i in range(1, 101)] + [i / 1000 for i in range(105, 501, 5)])
#: Those at which a page without a kernel has what it cannot compute.
FROZEN_STOPS = (
    *(0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1),
    *(0.12, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5),
)
#: Every threshold that the page's slider can reach, descending.
LAMBDAS = np.arange(1000, -1, -1) / 1000
#: Bytes of numbers in the state of a widget; beside them stand the frame's words and the bundle.
LIVE = 100_000
#: Longest name that a page is sent.
NAME = 200

#: What was written for an evaluation at the alpha asked for last: a drag of the threshold asks for
#: it again and again.
_WRITTEN: WeakKeyDictionary[RocEvaluation, tuple[float, dict[str, Any]]] = WeakKeyDictionary()


class Budget(NamedTuple):
    """How much a message may carry.

    Parameters
    ----------
    whole : int
        Arrays of up to so many numbers a label are sent whole.
    ranks : int
        Numbers that stand for a longer array.
    frozen : int or None
        Bytes for limits that the page cannot compute, over all entries; None for any.
    stops : tuple of float
        The alphas at which it gets them.
    """

    whole: int
    ranks: int = 1024
    frozen: int | None = None
    stops: tuple[float, ...] = FROZEN_STOPS


def export(alpha: float = 0.05) -> Budget:
    """Budget of a page without a kernel.

    Parameters
    ----------
    alpha : float
        Where its slider stands at first.

    Returns
    -------
    Budget
        Everything, up to sizes that make a page slow.
    """
    return Budget(whole=16_384, stops=stops_with(alpha))


def live(group: Group) -> Budget:
    """Budget of a widget, whose state must stay small enough to be saved in a notebook.

    Parameters
    ----------
    group : Group
        What is shown.

    Returns
    -------
    Budget
        The most that fits. One evaluation keeps at least 1024 ranks, which is half a pixel of
        1000; many large ones keep fewer.
    """
    # A vertex takes a threshold and six varints, a test point a centre and a score.
    vertices = sum(17 * e.display_vertices.thresholds.size for e in group.entries.values())
    tests = [n for e in group.entries.values() for n in _pair(e.n_test)]
    residuals = [v.size for e in group.entries.values() for v in _pair(e.residuals)]
    for whole, kept in ((2048, 1024), (1024, 1024), (512, 512), (256, 256)):
        taken = vertices + sum(12 * (n if n <= whole else kept) for n in tests)
        taken += sum(8 * n if n <= whole else 8 * kept + 16 * len(ALPHA_STOPS) for n in residuals)
        budget = Budget(whole, kept, frozen=max(0, min(75_000, LIVE - taken)))
        if taken <= LIVE or (whole == kept == 1024 and len(group.entries) == 1):
            break
    return budget


def data_message(group: Group, budget: Budget | None = None) -> dict[str, Any]:
    """What the page needs once.

    Parameters
    ----------
    group : Group
        What is shown.
    budget : Budget, optional
        By default the one of a widget.

    Returns
    -------
    dict
        The ``kind`` of group, and for each evaluation its names and sizes, the vertices of the
        observed curve, and the sorted centres, scores and residuals from which the page makes
        frames.
    """
    budget = budget or live(group)
    share = None if budget.frozen is None else budget.frozen // len(group.entries)
    return {
        "version": VERSION,
        "kind": group.kind,
        "entries": [
            {"label": label, "name": name_of(label)}
            | _facts(evaluation)
            | _arrays(evaluation, budget._replace(frozen=share))
            for label, evaluation in group.entries.items()
        ],
    }


def curves_messages(group: Group, alpha: float, threshold: float) -> tuple[Any, Any]:
    """What a page needs that is to show curves and to hold nothing else.

    Parameters
    ----------
    group : Group
        What is shown.
    alpha, threshold : float
        Where the sliders stand at first.

    Returns
    -------
    data, frame : dict
        As `data_message` and `frame_message`, without scores, centres and residuals: counts at the
        vertices, at each of `FROZEN_STOPS` and at `alpha`. Thresholds are short decimals between
        the scores.
    """
    data, frames = [], []
    for label, evaluation in group.entries.items():
        thresholds = _between_scores(evaluation, threshold)
        curves = [_curve(evaluation, stop, thresholds) for stop in stops_with(alpha)]
        data.append(
            {"label": label, "name": name_of(label)}
            | _facts(evaluation)
            | _curves(evaluation, thresholds)
            | {"curves": curves}
        )
        here = next(curve for curve in curves if curve["alpha"] == alpha)
        point = _point(evaluation, threshold, alpha)
        frames.append(
            _summary(evaluation, alpha)
            | here["frame"]
            | {"auc": here["auc"], "limits": here["limits"], "point": point}
        )
    return (
        {"version": VERSION, "kind": group.kind, "entries": data},
        _frame(alpha, threshold, *FROM_PYTHON, frames),
    )


def frame_message(
    group: Group, alpha: float, threshold: float, client: str, seq: int
) -> dict[str, Any]:
    """The kernel's answer to one setting of the sliders.

    Parameters
    ----------
    group : Group
        What is shown.
    alpha, threshold : float
        Where the sliders stand.
    client, seq : str, int
        Which request of which page this answers; `FROM_PYTHON` where Python asked.

    Returns
    -------
    dict
        For each evaluation ``quantiles`` and ``ranks`` of the order statistics (null where every
        test point has its own), ``guaranteed`` coverage, ``vacuous`` reasons, the ``auc`` range,
        the operating ``point``, the ``limits`` as counts at the vertices of ``_data`` (lower and
        upper of label 0, lower and upper of label 1), the words for ``target``, ``scope``,
        ``guarantee``, and what only a ``local`` band has.
    """
    entries = [
        _at(evaluation, alpha) | {"point": _point(evaluation, threshold, alpha)}
        for evaluation in group.entries.values()
    ]
    return _frame(alpha, threshold, client, seq, entries)


def comparators_message(overlaid: Overlaid) -> dict[str, Any]:
    """Other people's bands over the entry that is looked at, as far as they are made.

    Parameters
    ----------
    overlaid : Overlaid
        What there is.

    Returns
    -------
    dict
        The ``label`` of the entry, the ``items`` (a band's limits are empty until it is ``done``;
        its ``stops`` are there only in a page without a kernel), DeLong's interval of the area,
        and the paired tests of several classifiers. Empty where there is nothing of all this.
    """
    label, alpha, items, delong, pairs = overlaid
    if not items and pairs is None:
        return {}
    return {
        "version": VERSION,
        "label": label,
        "items": [_item(item, alpha) for item in items],
        "delong": None if delong is None else list(delong),
        "delong_alpha": alpha,
        "pairs": None if pairs is None else [_compared(pair) for pair in pairs],
    }


def stops_with(alpha: float) -> tuple[float, ...]:
    """`FROZEN_STOPS` and one more.

    Parameters
    ----------
    alpha : float
        Where a slider stands at first.

    Returns
    -------
    tuple of float
        Ascending.
    """
    return tuple(sorted({*FROZEN_STOPS, alpha}))


def state_request(content: Any) -> tuple[str, int, dict[str, Any]] | None:
    """Read a message of the page.

    Parameters
    ----------
    content : object
        Whatever arrived.

    Returns
    -------
    tuple of (str, int, dict) or None
        Client, sequence number, and the wanted ``alpha`` and ``threshold``, with what the reader
        has chosen of ``band``, ``label`` and ``weights``; None where the message is not a request
        of this version.
    """
    if not isinstance(content, dict) or content.get("type") != "state":
        return None
    client, seq = content.get("client"), content.get("seq")
    # Both travel back, so they must be text that can be sent and a number that a page can hold.
    if not isinstance(client, str) or not client.isascii():
        return None
    if type(seq) is not int or not 0 <= seq <= LARGEST_SEQ:
        return None
    wanted = {name: content.get(name) for name in ("alpha", "threshold")}
    chosen = {name: content[name] for name in ("band", "label", "weights") if name in content}
    return client, seq, wanted | chosen


def error_message(client: str, seq: int, error: Exception) -> dict[str, Any]:
    """Tell a page that its request failed.

    Parameters
    ----------
    client, seq : str, int
        Which request.
    error : Exception
        Why.

    Returns
    -------
    dict
        Custom message; the last good frame stays.
    """
    return {"type": "error", "client": client, "seq": seq, "message": str(error)}


def as_json(message: Any) -> Any:
    """Message without bytes, for a page that gets it as a text.

    Parameters
    ----------
    message : object
        Dicts, lists, numbers, texts and bytes.

    Returns
    -------
    object
        The same with ``{"base64": str}`` for bytes.
    """
    if isinstance(message, bytes):
        return {"base64": base64.b64encode(message).decode()}
    if isinstance(message, dict):
        return {name: as_json(value) for name, value in message.items()}
    if isinstance(message, list):
        return [as_json(value) for value in message]
    return message


def _facts(evaluation: RocEvaluation) -> dict[str, Any]:
    support, about = evaluation.display_support
    return {
        "classes": [_name(name) for name in evaluation.classes],
        "n_test": _pair(evaluation.n_test),
        "n_calibration": _pair(evaluation.n_calibration),
        "auc": evaluation.observed_auc,
        "rule": evaluation.quantile_rule,
        "words": evaluation.promise,
        "vacuous_below": _pair(evaluation.vacuous_below),
        "first_alpha": _pair(evaluation.first_alpha),
        "notes": list(evaluation.lasting_notes),
        "support": {"share": support.share, "about": about},
    }


def _arrays(evaluation: RocEvaluation, budget: Budget) -> dict[str, Any]:
    vertices = evaluation.display_vertices
    simplified = vertices.thresholds.size < evaluation.n_thresholds
    scores, residuals = evaluation.sorted_scores, _pair(evaluation.residuals)
    centres = evaluation.sorted_centres
    whole = all(values.size <= budget.whole for values in (*scores, *residuals))
    frozen = None if evaluation.pooled else _frozen(evaluation, budget)
    if centres is not None:
        logits = _logits_unless_implied(vertices, centres, whole)
    else:
        logits = None if frozen is None else _floats(vertices.logits)
    return {
        "simplified": simplified,
        "thresholds": _floats(vertices.thresholds),
        "logits": logits,
        "fp": _varints(vertices.fp),
        "tp": _varints(vertices.tp),
        "grid": _grid(scores) if simplified else None,
        "centres": None if centres is None else [_thinned(values, budget) for values in centres],
        "scores": None
        if _are_logits(centres, scores, budget)
        else [_thinned(values, budget, "<f4") for values in scores],
        "residuals": [
            _thinned(SortedSample(values), budget)
            | {
                "stops": _stops(values, evaluation.quantile_rule)
                if evaluation.pooled and values.size > budget.whole
                else None
            }
            for values in residuals
        ],
        "frozen": frozen,
        "curves": None,
        "whole": whole,
    }


def _curves(evaluation: RocEvaluation, thresholds: Floats) -> dict[str, Any]:
    n0, n1 = _pair(evaluation.n_test)
    observed = evaluation.band(0.5, thresholds)
    nothing = np.empty(0)
    return {
        "simplified": thresholds.size < evaluation.n_thresholds,
        "thresholds": _floats(thresholds),
        "logits": None,
        "fp": _varints(_count(observed.fpr, n0)),
        "tp": _varints(_count(observed.tpr, n1)),
        "grid": None,
        "centres": None,
        "scores": [{"n": n, "values": _floats(nothing)} for n in (n0, n1)],
        "residuals": [
            {"n": values.size, "values": _floats(nothing), "stops": None}
            for values in _pair(evaluation.residuals)
        ],
        "frozen": None,
        "whole": False,
    }


def _curve(evaluation: RocEvaluation, alpha: float, thresholds: Floats) -> dict[str, Any]:
    n0, n1 = _pair(evaluation.n_test)
    band = evaluation.band(alpha, thresholds)
    # The order statistics are residuals, so they stay; their limits tell where there are none.
    findings = _findings(evaluation, band) | {
        "quantiles": None,
        "ranks": None,
        "local": {"vacuous_share": list(evaluation.vacuous_share(alpha))},
    }
    return {
        "alpha": alpha,
        "frame": findings,
        "auc": list(evaluation.display_auc(alpha)[1:]),
        "limits": _limits(
            (_count(band.fpr_lower, n0), _count(band.tpr_lower, n1)),
            (_count(band.fpr_upper, n0), _count(band.tpr_upper, n1)),
        ),
    }


def _frame(
    alpha: float, threshold: float, client: str, seq: int, entries: list[dict[str, Any]]
) -> dict[str, Any]:
    return {
        "version": VERSION,
        "client": client,
        "seq": seq,
        "alpha": alpha,
        "threshold": threshold,
        "entries": entries,
    }


def _at(evaluation: RocEvaluation, alpha: float) -> dict[str, Any]:
    """What a frame says of one evaluation whatever the threshold."""
    written = _WRITTEN.get(evaluation)
    if written is None or written[0] != alpha:
        said = _summary(evaluation, alpha) | {
            "auc": list(evaluation.display_auc(alpha)[1:]),
            "limits": _limits(*evaluation.display_counts(alpha)),
        }
        written = _WRITTEN[evaluation] = (alpha, said)
    return written[1]


def _item(item: Overlay, alpha: float) -> dict[str, Any]:
    band = item.band
    return {
        "key": item.key,
        "name": item.name,
        "scope": item.scope,
        "target": item.target,
        "guarantee": "" if band is None else band.guarantee,
        "notes": [] if band is None else list(band.notes),
        "status": item.status,
        "done": item.done,
        "total": item.total,
        "message": item.message,
        "alpha": alpha,
        "fpr": b"" if band is None else _floats(band.fpr),
        "lower": b"" if band is None else _floats(band.tpr_lower),
        "upper": b"" if band is None else _floats(band.tpr_upper),
        "stops": None if item.stops is None else [_stop(stop) for stop in item.stops],
    }


def _stop(band: ComparatorBand) -> dict[str, Any]:
    """Limits to draw, in half the bytes."""
    return {
        "alpha": band.alpha,
        "lower": band.tpr_lower.astype("<f4").tobytes(),
        "upper": band.tpr_upper.astype("<f4").tobytes(),
    }


def _compared(pair: Pair) -> dict[str, Any]:
    def number(value: float) -> float | None:
        return None if math.isnan(value) else value

    return {
        "a": name_of(pair.a),
        "b": name_of(pair.b),
        "difference": pair.difference,
        "z": number(pair.z),
        "p": number(pair.p),
    }


def _summary(evaluation: RocEvaluation, alpha: float) -> dict[str, Any]:
    """What a frame says beside the curves."""
    band = evaluation.band(alpha, thresholds=[])
    words = {"target": band.target, "scope": band.scope, "guarantee": band.guarantee}
    return _findings(evaluation, band) | words


def _findings(evaluation: RocEvaluation, band: ConformalBand) -> dict[str, Any]:
    """The same without the words: a page has them with a place for the confidence."""
    alpha, pooled = band.alpha, band.quantiles
    rule = evaluation.quantile_rule
    return {
        "quantiles": None if pooled is None else _floats(np.array([*pooled[0], *pooled[1]])),
        "ranks": None
        if pooled is None
        else [list(ranks(n, alpha, rule)) for n in _pair(band.n_calibration)],
        "guaranteed": _pair(band.guaranteed),
        "vacuous": _pair(band.vacuous),
        "local": None
        if pooled is not None
        else {"vacuous_share": list(evaluation.vacuous_share(alpha))},
    }


def _point(evaluation: RocEvaluation, threshold: float, alpha: float) -> dict[str, Any]:
    point = evaluation.operating_point(threshold, alpha)
    return {
        "tp": point.tp,
        "fp": point.fp,
        "tn": point.tn,
        "fn": point.fn,
        "tpr": point.tpr,
        "tpr_lower": point.tpr_lower,
        "tpr_upper": point.tpr_upper,
        "fpr": point.fpr,
        "fpr_lower": point.fpr_lower,
        "fpr_upper": point.fpr_upper,
        "youden": point.youden,
        "precision": None if math.isnan(point.precision) else point.precision,
    }


def _frozen(evaluation: RocEvaluation, budget: Budget) -> list[dict[str, Any]] | None:
    """Frames at the stops, with all limits; None where they would take too many bytes."""
    each = sum(min(n, budget.whole) for n in _pair(evaluation.n_test))
    if budget.frozen is not None and 2 * 8 * len(budget.stops) * each > budget.frozen:
        return None
    frames = []
    for alpha in budget.stops:
        lower, upper = (
            [_thinned(SortedSample(values), budget)["values"] for values in ends]
            for ends in evaluation.sorted_limits(alpha)
        )
        frames.append(
            {
                "alpha": alpha,
                "frame": _findings(evaluation, evaluation.band(alpha, thresholds=[])),
                "auc": list(evaluation.display_auc(alpha)[1:]),
                "lower": lower,
                "upper": upper,
            }
        )
    return frames


def _logits_unless_implied(
    vertices: Vertices, centres: tuple[SortedSample, SortedSample], whole: bool
) -> bytes | None:
    """Logits of the vertices, or None where the page finds them from what it has.

    From all centres it takes the smallest among those that the vertex counts, which must be the
    same to the bit; from thinned ones it takes the logit of the threshold, which must be close.
    """
    outside = (vertices.thresholds <= 0) | (vertices.thresholds >= 1)
    ends = np.where(vertices.thresholds >= 1, np.inf, -np.inf)
    if whole:
        implied = np.full(vertices.thresholds.size, np.inf)
        for ordered, counts in zip(centres, (vertices.fp, vertices.tp), strict=True):
            values, some = ordered.expanded(), counts > 0
            implied[some] = np.minimum(implied[some], values[values.size - counts[some]])
        implied = np.where(outside, ends, implied)
        return None if np.array_equal(implied, vertices.logits) else _floats(vertices.logits)
    found = logit_of(vertices.thresholds[~outside])
    near = np.allclose(found, vertices.logits[~outside], rtol=1e-9, atol=1e-9)
    same_ends = np.array_equal(ends[outside], vertices.logits[outside])
    return None if near and same_ends else _floats(vertices.logits)


def _between_scores(evaluation: RocEvaluation, wanted: float) -> Floats:
    """Thresholds that cut the scores as the vertices do and are short; and one that is wanted."""
    kept = evaluation.display_vertices.thresholds[1:]
    scores = np.sort(np.concatenate([each.values for each in evaluation.sorted_scores]))
    place = np.searchsorted(scores, kept)
    below = np.where(place > 0, scores[place - 1], kept / 2)
    thresholds = kept.copy()
    waiting = np.ones(kept.size, dtype=bool)
    for digits in range(1, 17):
        # In between, a decimal; it may be the score itself where that is one.
        short = np.floor(kept * 10.0**digits) / 10.0**digits
        fits = waiting & (short > below) & (short <= kept)
        thresholds[fits] = short[fits]
        waiting &= ~fits
    halfway = below / 2 + kept / 2
    fits = waiting & (halfway > below)
    thresholds[fits] = halfway[fits]
    return np.unique([np.inf, wanted, *thresholds])[::-1]


def _grid(scores: tuple[SortedSample, SortedSample]) -> dict[str, bytes]:
    fp, tp = (values.at_least(LAMBDAS) for values in scores)
    return {"fp": _varints(fp), "tp": _varints(tp)}


def _stops(residuals: Floats, rule: str) -> bytes:
    """Lower and upper order statistic at each alpha of the slider."""
    ordered = between_infinities(residuals)
    return _floats(ordered[[rank for a in ALPHA_STOPS for rank in ranks(residuals.size, a, rule)]])


def _thinned(values: SortedSample, budget: Budget, kind: str = "<f8") -> dict[str, Any]:
    return {"n": values.size, "values": _sent(values, budget).astype(kind).tobytes()}


def _sent(values: SortedSample, budget: Budget) -> Floats:
    return values.expanded() if values.size <= budget.whole else values.at_even_ranks(budget.ranks)


def _are_logits(
    centres: Sequence[SortedSample] | None, scores: Sequence[SortedSample], budget: Budget
) -> bool:
    """Whether a page can draw the scores from the centres, which it has anyway."""
    return centres is not None and all(
        np.allclose(expit(_sent(c, budget)), _sent(s, budget), rtol=0, atol=1e-6)
        for c, s in zip(centres, scores, strict=True)
    )


def _limits(low: Sequence[Ints], high: Sequence[Ints]) -> list[bytes]:
    return [_varints(counts) for counts in (low[0], high[0], low[1], high[1])]


def _count(rates: Floats, n: int) -> Ints:
    """Counts behind rates that are counts over n."""
    return np.rint(rates * n).astype(np.intp)


def _varints(counts: Ints) -> bytes:
    """Ascending counts as LEB128 of the first and of the differences."""
    steps = np.diff(counts, prepend=0)
    if steps.size and steps.min() < 0:
        raise ValueError("counts: expected ascending ones")
    most = int(steps.max(initial=0))
    if most < 0x80:
        return bytes(steps.astype(np.uint8))
    shifts = range(0, most.bit_length(), 7)
    rest = steps[:, None] >> np.array(shifts)
    digits = (rest & 0x7F) | np.where(rest >> 7 > 0, 0x80, 0)
    written = rest > 0
    written[:, 0] = True
    return bytes(digits[written].astype(np.uint8))


def name_of(label: Label) -> str:
    """Name of an entry, as a page is told it.

    Parameters
    ----------
    label : str, int, float, bool or None
        The entry's.

    Returns
    -------
    str
        Empty for a single evaluation.
    """
    return _name("" if label is None else label)


def _name(text: Any) -> str:
    """Text of a name, cut to a length that a page can be sent."""
    return plain_text(str(text).encode(errors="replace").decode(), NAME)


def _pair(by_label: Any) -> list[Any]:
    return [by_label[0], by_label[1]]


def _floats(values: Floats) -> bytes:
    return bytes(values.astype("<f8"))
