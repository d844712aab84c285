"""Several curves with more test data: Python has the limits of this question for each."""

import pickle

import numpy as np
import pytest
from cases import CASES, group_of, shown

from conformal_roc_widget import ROCWidget, comparators


@pytest.mark.parametrize("case", ["classifiers, a class each", "three classes", "folds"])
def test_each_of_several_has_the_limits_of_the_question_in_front(case):
    entries, kind = group_of(case).entries, CASES[case].kind
    more = {} if kind is None else {"kind": kind}
    widget = ROCWidget(shown(case), alpha=0.1, threshold=0.4, band="sampling", **more)
    points, areas, bands = widget.operating_point, widget.auc, widget.current_band
    table = widget.to_frame()
    assert list(points) == list(bands) == list(entries) == table["label"].unique().tolist()
    for name, evaluation in entries.items():
        y, score = evaluation.labels, evaluation.scores
        box = comparators.clopper_pearson_box(y, score, 0.4, 0.1)
        for end in ("tpr_lower", "tpr_upper", "fpr_lower", "fpr_upper"):
            assert getattr(points[name], end) == pytest.approx(getattr(box, end), abs=1e-12)
        assert areas[name] == pytest.approx(comparators.delong_interval(y, score, 0.1))
        assert bands[name].promise.kind == "sampling"
        own = table[table["label"] == name]
        at = own["threshold"].iloc[3]
        box = comparators.clopper_pearson_box(y, score, at, 0.1)
        assert own["tpr_upper"].iloc[3] == pytest.approx(box.tpr_upper, abs=1e-12)
    widget.band = "none"
    assert widget.current_band is None
    assert all(np.isnan(point.tpr_lower) for point in widget.operating_point.values())
    widget.close()


@pytest.mark.parametrize("case", ["two arrays", "scores"])
def test_an_ideal_model_without_a_curve_has_no_limits(case):
    evaluation = shown(case)
    widget = ROCWidget(evaluation, alpha=0.1, threshold=0.4, band="ideal")
    point, wanted = widget.operating_point, evaluation.operating_point(0.4)
    assert (point.tp, point.fp, point.tpr) == (wanted.tp, wanted.fp, wanted.tpr)
    assert np.isnan([point.tpr_lower, point.tpr_upper, point.fpr_lower, point.fpr_upper]).all()
    assert point.promise.kind == "none"
    assert widget.current_band is None
    assert widget.auc == evaluation.auc(0.1)
    assert list(widget.to_frame()) == ["threshold", "fpr", "tpr"]
    with pytest.raises(ValueError, match="from scores alone"):
        evaluation.ideal_curve(0.1)
    widget.close()


def test_a_key_that_is_not_there_is_answered_by_those_that_are():
    folds, metrics = shown("folds"), group_of("two arrays").entries[None].metrics(0.5)
    with pytest.raises(KeyError, match=r"7 is no key of Folds. It has 0, 1, 2$"):
        folds[7]
    with pytest.raises(KeyError, match=r"Did you mean: 0\?"):
        folds["0"]
    with pytest.raises(KeyError, match=r"'auc' is no key of Metrics. It has 'sensitivity'"):
        metrics["auc"]
    with pytest.raises(KeyError, match=r"Did you mean: 'sensitivity'\?"):
        metrics["sensitivty"]
    assert folds.get(7) is None
    assert "auc" not in metrics
    with pytest.raises(KeyError) as error:
        metrics["auc"]
    assert str(pickle.loads(pickle.dumps(error.value))).strip('"') == str(error.value)
