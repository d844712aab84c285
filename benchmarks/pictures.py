"""Processor time and bytes of the PNG image beside a widget: the default one, and every other."""

import sys
from collections.abc import Iterator
from time import process_time

import numpy as np
from table import Row, report, scored, seconds, within

from conformal_roc_widget import RocEvaluation, comparators
from conformal_roc_widget.draw.pixels import png
from conformal_roc_widget.draw.shapes import laid_out
from conformal_roc_widget.page.scenes import scene_of
from conformal_roc_widget.shown.comparator_state import Overlaid, Overlay
from conformal_roc_widget.shown.controls import VIEWS, Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.shown.theme import THEMES
from conformal_roc_widget.widget.still import MOST_BYTES

#: Limits in milliseconds.
DEFAULT, ANY = 40, 60
RUNS = 15


def overlaid(evaluation: RocEvaluation) -> Overlaid:
    """The bands of `ks_band` and `bootstrap_band`, which are drawn over an evaluation."""
    made = {
        name: make(evaluation.labels, evaluation.scores, 0.05)
        for name, make in (
            ("ks", comparators.ks_band),
            ("bootstrap", comparators.bootstrap_band),
        )
    }
    items = [
        Overlay(comparators.COMPARATORS[name], "done", band=band) for name, band in made.items()
    ]
    return Overlaid(None, 0.05, tuple(items))


def moments() -> Iterator[tuple[str, Group, Controls, Overlaid | None]]:
    rng = np.random.default_rng(0)
    calibration = scored(rng, 2_000)

    def made(n: int, **options: str) -> RocEvaluation:
        return RocEvaluation.from_predictions(*calibration, *scored(rng, n), **options)

    one, many = made(2_000), made(1_000_000)
    both = Controls(band="both", cost_ratio=4.0)
    yield "default, 2,000 points", Group.of(one), Controls(), None
    yield "both bands and a cost", Group.of(one), both, None
    yield "both bands and comparators", Group.of(one), both, overlaid(one)
    yield "an arc", Group.of(made(2_000, guarantee="simultaneous")), Controls(), None
    y, score = scored(rng, 8)
    y[:2] = 0, 1
    few = RocEvaluation.from_predictions(y, score, *scored(rng, 300))
    yield "no limits", Group.of(few), Controls(band="both"), None
    for view in VIEWS:
        for n, evaluation in ((2_000, one), (1_000_000, many)):
            name = f"{view.replace('_', ' ')}, {n:,} points"
            yield name, Group.of(evaluation), Controls(view=view, prevalence=0.1), None
    y, score = scored(rng, 500)
    shifted = {f"classifier {i}": np.clip(score + 0.02 * i, 0, 1) for i in range(12)}
    several = {
        name: RocEvaluation.from_predictions(*calibration, y, each)
        for name, each in shifted.items()
    }
    yield "12 classifiers", Group.of(several), Controls(), None


def main() -> int:
    rows: list[Row] = []
    for name, group, controls, others in moments():

        def image(group=group, controls=controls, others=others) -> bytes:
            scene = scene_of(group, controls, others)
            return png(laid_out(scene, THEMES["light"]), MOST_BYTES)

        size = len(image())
        taken = [1000 * seconds(image, process_time) for _ in range(RUNS)]
        limit = DEFAULT if name.startswith("default") else ANY
        # The shortest time counts, because other work of the machine slows the rest.
        rows.append(within(f"PNG, {name}", min(taken), limit, "ms"))
        rows.append(within(f"PNG, {name}", size / 1000, MOST_BYTES / 1000, "kB"))
    return report(*rows)


if __name__ == "__main__":
    sys.exit(main())
