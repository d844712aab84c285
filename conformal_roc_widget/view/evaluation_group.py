"""Group of evaluations shown together: one, or several classes, classifiers or bands."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from conformal_roc_widget.arrays import shortened
from conformal_roc_widget.evaluation.average import average_bands
from conformal_roc_widget.evaluation.band import ConformalBand
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.text import plain_text
from conformal_roc_widget.view.controls import Controls, Label


@dataclass(frozen=True, eq=False)
class Group:
    """Evaluations that are shown together."""

    #: "single", "classes" (one against the rest), "classifiers" (they share the true labels of
    #: their test set) or "bands" (of several guarantees or references: they share the whole curve).
    kind: str
    #: In the order in which they are shown; the only label of a single evaluation is None.
    entries: Mapping[Label, RocEvaluation]

    @classmethod
    def of(cls, shown: RocEvaluation | Mapping[Any, RocEvaluation]) -> Group:
        """Group of one evaluation, or of a mapping whose keys JSON can carry."""
        if isinstance(shown, RocEvaluation):
            return cls("single", {None: shown})
        if type(shown).__name__ == "RocCurveDisplay":
            raise TypeError(
                "evaluation: found a RocCurveDisplay, which holds a drawn curve and no scores; "
                "expected what RocEvaluation.from_predictions(y_calibration, score_calibration, "
                "y_test, score_test) returns"
            )
        if not isinstance(shown, Mapping):
            raise TypeError(
                f"evaluation: found {type(shown).__name__}, expected a RocEvaluation, as "
                "ConformalROC.evaluate or RocEvaluation.from_predictions return it, or a mapping "
                "of labels to such"
            )
        if not shown:
            raise ValueError("evaluation: found an empty mapping, expected at least one evaluation")
        for key, evaluation in shown.items():
            if not isinstance(evaluation, RocEvaluation):
                raise TypeError(
                    f"evaluation: found {type(evaluation).__name__} for label {key!r:.40}, "
                    "expected a RocEvaluation"
                )
        entries = {_label(key): evaluation for key, evaluation in shown.items()}
        first, *others = entries.values()
        if not all(_same_truth(first, other) for other in others):
            return cls("classes", entries)
        one_curve = others and all(_same_curve(first, other) for other in others)
        return cls("bands" if one_curve else "classifiers", entries)

    def find(self, label: Any) -> Label:
        """Key of an entry as JSON carries it, None for all of them, or a ValueError."""
        if label is None:
            return None
        wanted = label.item() if isinstance(label, np.generic) else label
        # True, 1 and 1.0 are one key, "1" is another.
        found = [key for key in self.entries if key is not None and key == wanted]
        if not found:
            names = "None" if self.kind == "single" else f"None, {shortened(list(self.entries))}"
            raise ValueError(f"label: found {label!r:.60}, expected one of {names}")
        return found[0]

    def name(self, label: Label) -> str:
        """Name of an entry on one line: "class 2" where the bare number would say too little."""
        text = plain_text("" if label is None else label, 40)
        return text if self.kind != "classes" or isinstance(label, str) else f"class {text}"

    def looked_at(self, label: Label) -> RocEvaluation | None:
        """Evaluation that is looked at alone; None where several are looked at together."""
        return self.entries.get(label)

    def bands(self, controls: Controls) -> dict[str, tuple[RocEvaluation | None, ConformalBand]]:
        """Name -> evaluation and its band at the vertices that a screen can show.

        The average of the classes stands under ``"average"`` and has no evaluation.
        """
        if self.looked_at(controls.label) is None and self.kind == "classes":
            return {
                "average": (None, average_bands(self.entries, controls.alpha, controls.weights))
            }
        looked_at = [controls.label] if controls.label in self.entries else list(self.entries)
        return {
            self.name(label): (each, each.at(controls.alpha).band(each.display_vertices.thresholds))
            for label in looked_at
            for each in (self.entries[label],)
        }


def _same_truth(one: RocEvaluation, other: RocEvaluation) -> bool:
    """Whether two evaluations have the same true labels, as far as their summaries can tell."""
    if one.counts is None and other.counts is None:
        return np.array_equal(one.labels, other.labels)
    return (one.n_test, one.classes) == (other.n_test, other.classes)


def _same_curve(one: RocEvaluation, other: RocEvaluation) -> bool:
    """Whether two evaluations look the same but for their bands."""
    return all(map(np.array_equal, one.display_vertices, other.display_vertices))


def _label(key: Any) -> Label:
    value: object = key.item() if isinstance(key, np.generic) else key
    if not isinstance(value, str | int | float | bool):
        raise TypeError(
            f"evaluation: found the key {key!r:.40} of type {type(key).__name__}, expected names, "
            "numbers or bools"
        )
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"evaluation: found the key {value!r}, expected finite numbers")
    if isinstance(value, int) and abs(value) > 2**53:
        raise ValueError(f"evaluation: found the key {value!r}, expected at most 2^53 in size")
    if isinstance(value, str) and value != value.encode(errors="replace").decode():
        raise ValueError(f"evaluation: found the key {value!r:.40}, expected text that is Unicode")
    return value
