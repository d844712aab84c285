"""Writes all cases for the page: messages, expected results, and settings to check.

``js/test/cases.test.ts`` runs this script and compares the page with its output: all cases or, with
``--quick``, the cases that `make test` draws. The output is not stored, because its last digits
depend on the processor.
"""

import json
import math
import sys

import numpy as np
from cases import CASES, QUICK, group_of, shown
from miscalibrated import miscalibration
from page_json import plain
from report_figures import figures
from scipy.stats import binomtest

from conformal_roc_widget import ROCWidget, average_bands
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.shown.controls import Controls
from conformal_roc_widget.wire import messages as wire
from conformal_roc_widget.wire.budget import ALPHA_STOPS, Budget
from conformal_roc_widget.wire.ideal import ideal_message

SETTINGS = (
    {"band": "sensitivity"},
    {"band": "specificity"},
    {"band": "both"},
    {"view": "precision_recall"},
    {"view": "reliability"},
    {"view": "net_benefit"},
    {"prevalence": 0.12},
    {"band": "both", "cost_ratio": 4.0},
    {"band": "ideal"},
    {"band": "sampling"},
    {"view": "precision_recall", "band": "sampling"},
    {"view": "precision_recall", "band": "sampling", "prevalence": 0.12},
    {"view": "net_benefit", "band": "sampling"},
    {"view": "net_benefit", "band": "sampling", "prevalence": 0.12},
    {"band": "none"},
    {"view": "precision_recall", "band": "none"},
    {"view": "net_benefit", "band": "none"},
    {"band": "both", "zoom": True},
)
#: Settings for a single evaluation with independent rows of equal weight.
AT_EVERY_LOOK = (
    {"looks": "any"},
    {"band": "sampling", "looks": "any"},
    {"view": "precision_recall", "band": "sampling", "looks": "any"},
)
#: Alphas for which the page gets limits that it cannot compute, in addition to the case's own.
ENDS = ALPHA_STOPS[0], ALPHA_STOPS[-1]


def settings(group):
    """Settings to check: all entries together, and the first one in every view."""
    first = next(iter(group.entries))
    if group.kind == "single":
        return [*SETTINGS, *([] if group.entries[first].sampled.no_looks else AT_EVERY_LOOK)]
    of_all = [{}, {"band": "sampling"}] if group.kind in ("classes", "folds") else [{}]
    if group.kind == "classes":
        of_all.append({"band": "sampling", "weights": "uniform"})
    return [*of_all, *({"label": first} | each for each in SETTINGS)]


def losses(evaluation, alpha):
    """Brier score and log loss with limits and sentences. None if they are refused."""
    try:
        found = evaluation.losses(alpha=alpha)
    except ValueError:
        return None
    return [[list(found[name]), found[name].notes] for name in ("brier_score", "log_loss")]


#: For each rate: its successes and trials, the errors that increase with it, and the kind of rows
#: whose number limits what can be guaranteed.
GOALS = {
    "sensitivity": (lambda p: (p.tp, p.tp + p.fn), "fp", "positives"),
    "specificity": (lambda p: (p.tn, p.tn + p.fp), "fn", "negatives"),
    "precision": (lambda p: (p.tp, p.tp + p.fp), "fn", "rows"),
    "npv": (lambda p: (p.tn, p.tn + p.fn), "fp", "rows"),
    "accuracy": (lambda p: (p.tp + p.tn, p.tp + p.fp + p.tn + p.fn), None, "rows"),
}


def goals(evaluation, alpha, threshold):
    """Verdicts on goals at some thresholds. None if rows have weights or groups."""
    if evaluation.dependence or evaluation.error:
        return None
    rows = {"negatives": evaluation.n_test[0], "positives": evaluation.n_test[1]}
    rows["rows"] = sum(rows.values())
    confidence = float(1 - exact_alpha(alpha))
    found = []
    for rate, (of, paid, which) in GOALS.items():
        for least, at in ((0.3, threshold), (0.6, 0.2), (0.95, 0.7)):
            kept = evaluation.threshold_for(**{rate: least}, confidence=confidence)
            point = evaluation.operating_point(at, alpha)
            k, n = of(point)
            limits = tuple(binomtest(int(k), int(n)).proportion_ci(1 - alpha)) if n else (0, 1)
            cut = None if kept.threshold is None else evaluation._observed.cut(kept.threshold)
            is_on = cut is not None and abs(cut - at) <= 1e-9
            keeps = is_on or kept.keeps_at(at)
            verdict = "kept" if keeps else "missed" if n and limits[1] < least else "open"
            there, price = None, None
            if kept.threshold is not None:
                there = evaluation.operating_point(kept.threshold, alpha)
                price = paid and [paid, getattr(there, paid), getattr(point, paid)]
            # If the sentence gives the goal's one-sided limit, it gives no other.
            own = not n or is_on or (keeps and limits[0] < least)
            found.append(
                {
                    "rate": rate,
                    "least": least,
                    "verdict": verdict,
                    "here": [at, k, n],
                    "found": there and [cut, *of(there)],
                    "is_on": is_on,
                    "price": price,
                    "limits": None if own else limits,
                    "most": kept.most[rate],
                    "rows": which,
                    "n": rows[which],
                }
            )
    return found


def more_rows(evaluation, alpha, threshold):
    """Limits with other numbers of rows. None if rows have weights or groups."""
    if evaluation.dependence:
        return None
    found = []
    for rate in GOALS:
        more = evaluation.more_rows(
            [50, 800, 12345], goal={rate: 0.4}, threshold=threshold, alpha=alpha
        )
        numbers = [more.lower, more.upper, more.least, more.auc_lower, more.auc_upper]
        numbers = [[None if math.isnan(x) else x for x in row] for row in np.transpose(numbers)]
        value = None if math.isnan(more.value) else more.value
        found.append({"rate": rate, "value": value, "enough": more.enough, "numbers": numbers})
    return found


def case_record(name):
    case, group = CASES[name], group_of(name)
    budget = Budget(whole=16_384, stops=tuple(sorted({*ENDS, 0.05, case.alpha})), bounds=(*ENDS,))
    budget = budget._replace(bounds=budget.stops)
    widget = ROCWidget(
        shown(name), kind=case.kind, alpha=case.alpha, threshold=case.threshold, **case.keywords
    )
    label, first = group.opens_with(None), next(iter(group.entries))
    # If scores are integers that floats cannot hold, the threshold of the page is a float near the
    # integer.
    threshold = widget.threshold
    if widget.comparators or case.keywords:
        widget.label = label
    widget.wait()
    frames = [
        wire.frame_message(group, alpha, threshold, "page", 3) for alpha in (case.alpha, *ENDS)
    ]
    curves, frame = wire.curves_messages(group, case.alpha, threshold)
    looked_at = [
        each
        for each in settings(group)
        if each.get("view") != "reliability" or not group.entries[each.get("label")].dependence
    ]
    reports = []
    for setting in looked_at:
        controls = Controls(**{"alpha": case.alpha, "threshold": threshold} | setting)
        # If nobody chose the guarantee, a page has individual limits instead of candidates.
        skipped = controls.band == "ideal" or group.guarantee == "credible"
        reports.append(None if skipped else figures(group, controls))
    of_all = group.kind in ("populations", "folds", "samples")
    evaluations = list(group.entries.values())
    counted = evaluations if of_all else evaluations[:1]
    record = {
        "keywords": list(case.keywords),
        "kind": group.kind,
        "alpha": case.alpha,
        "threshold": threshold,
        "data": wire.data_message(group, budget),
        "live": wire.data_message(group),
        "stops": wire.stops_message(group),
        "frames": frames,
        "comparators": widget._comparators,
        "ideal": ideal_message(
            group, Controls(alpha=case.alpha, threshold=threshold, band="ideal", label=first)
        ),
        "curves": {"data": curves, "frame": frame},
        "losses": [[losses(each, a) for a in (case.alpha, *ENDS)] for each in evaluations],
        "more_rows": [more_rows(each, case.alpha, threshold) for each in evaluations],
        "miscalibration": [
            None
            if each.dependence or each.score_kind == "score"
            else miscalibration(each.reliability(case.alpha))
            for each in evaluations
        ],
        "goals": [goals(each, case.alpha, threshold) for each in evaluations],
        "dependence": [each.dependence for each in evaluations],
        "first": sum(evaluations[0].n_test.values()),
        "title": None
        if evaluations[0].follow_up is None
        else f"by {evaluations[0].follow_up.by}: {evaluations[0].n_test[1]} with the event",
        "points": sum(sum(each.n_test.values()) for each in counted),
        "notes": [
            [note.of_classes(each.classes).record for note in each.lasting_notes]
            for each in evaluations
        ],
        "rare": list(average_bands(group.entries, case.alpha, weights="size").notes)
        if group.kind == "classes"
        else [],
        "settings": looked_at,
        "reports": reports,
    }
    widget.close()
    return record


if __name__ == "__main__":
    names = [name for name in CASES if name in QUICK or "--quick" not in sys.argv]
    records = {name: case_record(name) for name in names}
    # `dumps` runs in C. Writing pieces with `dump` takes six times as long.
    sys.stdout.write(json.dumps(plain(records), allow_nan=False))
