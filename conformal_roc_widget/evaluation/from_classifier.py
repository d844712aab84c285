"""Evaluates a fitted classifier on test rows, without calibration rows.

The limits come from the test rows themselves.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from conformal_roc_widget.arrays import positive_place, row_weights_of, shortened
from conformal_roc_widget.calibration.classifiers import check_classifier, class_scores
from conformal_roc_widget.tables.points import Labelled, Points

from .evaluated import Scored, Sources
from .from_features import refuse_one_side
from .from_own_rows import curve_of
from .notes import absent_classes, margins
from .observed_curve import ObservedCurve
from .roc_evaluation import RocEvaluation
from .support import Diagnostics


def own_evaluations(
    classifier: Any,
    X_test: Any,
    y_test: ArrayLike,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    *,
    label: Any = None,
) -> RocEvaluation | dict[Any, RocEvaluation]:
    """Evaluates a fitted classifier on test rows.

    If it has more than two classes, returns a dict with an evaluation of each class against the
    rest.
    """
    check_classifier(classifier)
    if not hasattr(classifier, "classes_"):
        raise ValueError(
            f"X_test, y_test: found none with {type(classifier).__name__}, which is not fitted (it "
            "has no classes_), expected from_estimator(estimator, X, y, X_test, y_test), where X "
            "and y train it and calibrate, or a fitted classifier with rows that it has not seen"
        )
    classes = np.unique(classifier.classes_)
    test = Labelled.of(X_test, y_test, "_test", encode="needed")
    unknown = np.setdiff1d(test.classes, classes).tolist()
    if unknown:
        raise ValueError(
            f"y_test: found {shortened(unknown)}, expected the classes of the classifier: "
            f"{shortened(classes.tolist())}"
        )
    names = classes.tolist()
    asked = positive_place(label, pos_label, names)
    weights = None
    if sample_weight is not None:
        weights = row_weights_of(sample_weight, "sample_weight", test.codes.size)
        test, weights = test.rows(np.flatnonzero(weights)), weights[weights > 0]
    probabilities, logits = class_scores(classifier, test.points, classes)

    def against_the_rest(label: Any) -> RocEvaluation:
        column = names.index(label)
        positive = test.labels == label
        refuse_one_side(positive, label)
        codes = positive.astype(np.int8)
        observed = ObservedCurve.of(probabilities[:, column], codes, weights, logits[:, column])
        rest = names[1 - column] if len(names) == 2 else f"not {label}"
        source = classifier
        if len(names) > 2:
            source = f"its classifier has {len(names)} classes, expected two"
        scored = partial(_scored, classifier, classes, column)
        sources = Sources(classifier=source, margins=bool(margin_notes), scored=scored)
        return RocEvaluation((rest, label), curve_of(observed), diagnostics, sources)

    margin_notes = tuple(margins(classifier))
    diagnostics, there = Diagnostics(always=margin_notes), set(test.labels.tolist())
    if asked is None and len(names) > 2:
        if absent := [name for name in names if name not in there]:
            diagnostics = Diagnostics(always=(*margin_notes, absent_classes(absent)))
        return {label: against_the_rest(label) for label in names if label in there}
    return against_the_rest(names[-1 if asked is None else asked])


def _scored(classifier: Any, classes: NDArray[Any], column: int, X: Any) -> Scored:
    """Scores new rows with the features `X`, for the class in `column`.

    The scores have no diagnostics, because the training rows are unknown.
    """
    points = Points.of(X, "X_or_scores", encode="needed")
    probabilities, logits = class_scores(classifier, points, classes)
    return Scored(probabilities[:, column].copy(), logits[:, column], None)
