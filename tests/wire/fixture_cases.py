"""Evaluations for the fixtures' messages, which do not depend on a random number generator."""

import math
from typing import NamedTuple

import numpy as np
from cases import FirstFeature, at_horizons, followed, rising, scored, thinned, three_classes
from data import by_kernel

from conformal_roc_widget import ConformalROC, RocEvaluation
from conformal_roc_widget.comparators.ks import KsSamples
from conformal_roc_widget.comparators.registry import COMPARATORS
from conformal_roc_widget.shown.comparator_state import Overlaid, Overlay, Pair
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.wire.budget import ALPHA_STOPS, FROZEN_STOPS, Budget, export_budget

SETTINGS = 28
#: These pages have few alphas, so that the file is small.
FEW_STOPS = tuple(FROZEN_STOPS[i] for i in (0, 4, 7, 12, 15, 19))
FEW = Budget(whole=16_384, stops=FEW_STOPS, bounds=FEW_STOPS)


class Case(NamedTuple):
    shown: RocEvaluation | dict[str, RocEvaluation]
    alpha: float
    threshold: float
    budget: Budget = FEW
    steps: bool = False
    settings: int = SETTINGS
    kind: str | None = None


def from_features(
    *, guarantee="individual", sizes=((60, 60), (17, 14)), digits=3, **options
) -> RocEvaluation:
    def part(zeros, ones):
        y, p = scored(zeros, ones, digits)
        return np.column_stack([p, (p * 7.3) % 1]), y

    X, y = part(*sizes[0])
    model = ConformalROC(
        FirstFeature(), reference=lambda X: 0.1 + 0.8 * X[:, 0] ** 2, **options
    ).fit(X, y, X_calibration=X, y_calibration=y)
    return model.evaluate(*part(*sizes[1]), guarantee=guarantee)


def cases() -> dict[str, Case]:
    test = scored(16, 19)
    names = np.array(["<benign>", "malign"])
    ties = tuple(scored(16, 21, digits=1))
    y, p = scored(16, 19)
    ends = y, np.select([p < 0.2, p > 0.85], [0.0, 1.0], p)
    scores = by_kernel
    return {
        "limits everywhere": Case(scores(*scored(90, 110), *test), 0.05, 0.42, steps=True),
        "ties, and names": Case(
            scores(names[scored(90, 110, 2)[0]], scored(90, 110, 2)[1], names[ties[0]], ties[1]),
            0.2,
            0.6,
            steps=True,
        ),
        "horizons": Case(
            at_horizons(horizons=(1.0, 2.5), time_unit="days", lost=False).evaluate_all(
                *followed(10, 700, lost=False)
            ),
            0.1,
            0.42,
            settings=6,
        ),
        "horizons, some lost": Case(
            at_horizons(horizons=1.0).evaluate(*followed(10, 700)), 0.1, 0.42, settings=6
        ),
        "an infinite end": Case(scores(*scored(60, 70), *test), 0.05, 0.5),
        "one vacuous label": Case(scores(*scored(12, 80), *test), 0.05, 1.0),
        "both vacuous": Case(scores(*scored(9, 11), *test), 0.05, 0.3, settings=12),
        "split rule": Case(
            scores(*scored(90, 110), *test, quantile_rule="split"), 0.1, 0.42, settings=20
        ),
        "scores of 0 and 1": Case(scores(*scored(90, 110), *ends), 0.1, 0.0),
        "thinned": Case(thinned(), 0.05, 0.5, Budget(whole=256, ranks=128)),
        "simultaneous": Case(
            scores(*rising(24, 2), *ties, guarantee="simultaneous"), 0.1, 0.42, FEW, settings=6
        ),
        "simultaneous, refuted": Case(
            scores(*rising(250, 7, -1), *test, guarantee="simultaneous"), 0.05, 0.5, FEW, settings=6
        ),
        "localized": Case(
            from_features(neighbors=40, distance="score"),
            0.1,
            0.35,
            export_budget(0.1),
            settings=len(FROZEN_STOPS),
        ),
        "recentred": Case(from_features(recenter=True), 0.1, 0.35, settings=12),
        "every threshold": Case(
            from_features(guarantee="everywhere", sizes=((90, 57), (23, 19))), 0.1, 0.35, settings=8
        ),
        "every threshold, few": Case(
            from_features(guarantee="everywhere", sizes=((3, 9), (17, 14)), digits=1),
            0.05,
            0.5,
            settings=6,
        ),
        "three classes": Case(three_classes(), 0.1, 0.35, settings=8, kind="classes"),
        "two populations": Case(
            {
                "women": scores(*scored(80, 90), *test),
                "men": scores(*scored(50, 40), *scored(8, 10)),
            },
            0.4,
            0.35,
            settings=6,
            kind="populations",
        ),
        "two classifiers": Case(
            {
                "rough": scores(*scored(90, 110), y, p.round(1)),
                "fine": scores(*scored(40, 30), y, p),
            },
            0.1,
            0.35,
        ),
    }


def overlaid() -> Overlaid:
    """One finished comparator, one in progress and one that failed; and a pair without a test."""
    evaluation = cases()["limits everywhere"].shown
    made = KsSamples(evaluation.labels, evaluation.scores, fpr=np.linspace(0, 1, 11))
    return Overlaid(
        label="fine",
        alpha=0.2,
        items=(
            Overlay(
                COMPARATORS["ks"],
                "done",
                1,
                band=made.band(0.2),
                stops=(made.band(0.1), made.band(0.2)),
            ),
            Overlay(COMPARATORS["bootstrap"], done=1297),
            Overlay(COMPARATORS["simultaneous"], "failed", message="out of memory"),
        ),
        pairs=(
            Pair("rough", "fine", -0.015625, 0.0208333, -0.75, 0.4533),
            Pair("rough", 3, 0.5, math.nan, math.nan, math.nan),
        ),
    )


def settings(case: Case) -> list[tuple[float, float]]:
    """Alphas and thresholds of the sliders, including the ends and some scores."""
    group = Group.of(case.shown, case.kind)
    first = next(iter(group.entries.values()))
    many = case.settings if len(group.entries) == 1 else min(case.settings, SETTINGS // 2 + 2)
    stops = ALPHA_STOPS if first.calibrated_curve.group_sizes else case.budget.stops
    alphas = [stops[i * (len(stops) - 1) // (many - 1)] for i in range(many)]
    thresholds = [round(i * 0.618034 % 1, 3) for i in range(many)]
    thresholds[1:5] = [1.0, 0.001, 0.999, float(first.sampled.screen_vertices.thresholds[7])]
    return list(zip(alphas, thresholds, strict=True))
