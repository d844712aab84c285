"""If a kind of evaluation lacks a feature, a request for it raises an error that names it."""

import io
import sys

import numpy as np
import pandas as pd
import pytest
from data import evaluation_from_scores, scored
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_validate
from traitlets import TraitError

from conformal_roc_widget import (
    ConformalROC,
    RocEvaluation,
    ROCWidget,
    calibration_band,
    comparators,
)
from conformal_roc_widget.widget import command_line


def folds():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2))
    y = (X[:, 0] + rng.normal(size=90) > 0).astype(int)
    options = {"cv": StratifiedKFold(3), "return_estimator": True, "return_indices": True}
    return RocEvaluation.from_cv_results(
        cross_validate(LogisticRegression(), X, y, **options), X, y
    )


def classifiers():
    return {name: evaluation_from_scores(seed) for seed, name in enumerate("ab")}


@pytest.mark.parametrize("make", [folds, classifiers], ids=["folds", "classifiers"])
@pytest.mark.parametrize(
    "asked", [{"view": "net_benefit"}, {"view": "precision_recall"}, {"band": "ideal"}], ids=str
)
def test_several_curves_together_refuse_what_they_have_not(make, asked):
    shown = make()
    ((name, value),) = asked.items()
    expected = f"{name}: found '{value}' for {make.__name__} together"
    with pytest.raises(TraitError, match=expected):
        ROCWidget(shown, **asked)
    widget = ROCWidget(shown)
    with pytest.raises(TraitError, match=expected):
        setattr(widget, name, value)
    assert getattr(widget, name) != value
    first = next(iter(shown))
    if name == "view":
        assert getattr(ROCWidget(shown, label=first, **asked), name) == value
        widget.label = first
        setattr(widget, name, value)
        widget.label = None  # the page shows all entries together again and keeps its view


@pytest.mark.parametrize("key", ["ks", "working_hotelling"])
def test_a_comparator_without_theory_for_a_time_or_weights_is_refused_at_once(key):
    pytest.importorskip("rocci")
    rng = np.random.default_rng(0)
    y, score = scored(rng, 300)
    weighted = RocEvaluation.from_predictions(y, score, sample_weight=1 + rng.random(300))
    with pytest.raises(ValueError, match=f"comparators: found '{key}', expected 'bootstrap'"):
        ROCWidget(weighted, comparators=[key])
    times = np.array(
        list(zip(rng.random(300) < 0.7, rng.exponential(size=300), strict=True)),
        dtype=[("event", bool), ("time", float)],
    )
    followed = RocEvaluation.from_predictions(
        times[:150], score[:150], times[150:], score[150:], horizon=0.5
    )
    with pytest.raises(ValueError, match="has no theory for outcomes with a time"):
        ROCWidget(followed, comparators=[key])


@pytest.mark.parametrize("name", ["label", "pos_label"])
@pytest.mark.parametrize("horizons", [[0.5], [0.3, 0.6]], ids=["one", "two"])
def test_an_outcome_with_a_time_has_no_other_positive_class(name, horizons):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 1))
    times = np.array(
        list(zip(rng.random(200) < 0.8, rng.exponential(size=200), strict=True)),
        dtype=[("event", bool), ("time", float)],
    )
    with pytest.raises(ValueError, match=f"{name}: found"):
        ROCWidget.from_estimator(
            LogisticRegression(), X, times, X, times, horizons=horizons, **{name: False}
        )


CATEGORIES = ["a", "ill", "never", "well", "z"]


def categorical(y):
    return pd.Categorical(np.where(y, "well", "ill"), categories=CATEGORIES)


def test_a_category_that_no_row_has_is_no_third_label(tmp_path):
    rng = np.random.default_rng(0)
    (y, score), (y_test, test) = scored(rng, 80), scored(rng, 60)
    given = pd.DataFrame({"y": categorical(y), "p": score})
    given.to_parquet(tmp_path / "rows.parquet")
    asked = [str(tmp_path / "rows.parquet"), "--score", "p", "--label", "y"]
    for guarantee in ("simultaneous", "individual"):
        output = ["-o", str(tmp_path / "roc.svg"), "--guarantee", guarantee]
        assert command_line.main([*asked, *output]) == 0
    texts = np.where(y, "well", "ill")
    for labels in (given["y"], categorical(y), pd.Series(categorical(y)).to_list()):
        one = RocEvaluation.from_predictions(labels, score)
        assert one.classes == ("ill", "well")
        assert one.operating_point(0.5) == RocEvaluation.from_predictions(
            texts, score
        ).operating_point(0.5)
        assert tuple(comparators.delong_interval(labels, score)) == tuple(
            comparators.delong_interval(texts, score)
        )
        calibration_band(labels, score)
    four = {"y_calibration": texts, "score_calibration": score}
    table = pd.DataFrame({"y": categorical(y_test), "p": test})
    made = RocEvaluation.from_table(table, score="p", label="y", **four)
    assert made.n_test == {0: int((y_test == 0).sum()), 1: int(y_test.sum())}
    X = rng.normal(size=(80, 2)) + y[:, None]
    sex = pd.Categorical(np.resize(["f", "f", "m"], 80), categories=["d", "f", "m"])
    model = ConformalROC(LogisticRegression(), random_state=0)
    model.fit(X, given["y"], sensitive_features=sex)
    assert model.classes_.tolist() == ["ill", "well"]
    assert set(model.evaluate_by(X[:40] + 1, given["y"][:40], sex[:40])) == {"f", "m"}
    assert set(
        ROCWidget.from_estimator(
            LogisticRegression().fit(X, texts), X, given["y"]
        ).evaluation.classes
    ) == {"ill", "well"}


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_nothing_printed_turns_a_success_into_a_failure(tmp_path, monkeypatch, encoding):
    y, score = scored(np.random.default_rng(0), 60)
    frame = pd.DataFrame({"y": np.where(y, "krank ≥", "gesund →"), "p": score})
    frame.to_csv(tmp_path / "Übung.csv", index=False)
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", out)
    asked = [str(tmp_path / "Übung.csv"), "--score", "p", "--label", "y"]
    assert command_line.main([*asked, "-o", str(tmp_path / "Δ.svg")]) == 0
    assert b"sensitivity" in out.buffer.getvalue()
    assert (tmp_path / "Δ.svg").exists()


def test_a_closed_pipe_is_no_failure(tmp_path, monkeypatch):
    class Closed(io.StringIO):
        def write(self, _):
            raise BrokenPipeError

    y, score = scored(np.random.default_rng(0), 60)
    pd.DataFrame({"y": y, "p": score}).to_csv(tmp_path / "a.csv", index=False)
    monkeypatch.setattr(sys, "stdout", Closed())
    asked = [str(tmp_path / "a.csv"), "--score", "p", "--label", "y", "-o", str(tmp_path / "a.svg")]
    assert command_line.main(asked) == 0


def sizes():
    """Scores that are too large, too small or too close for careless arithmetic."""
    place = np.arange(90)
    middle = (1 + place * 37 % 90) / 91
    with np.errstate(under="ignore"):
        return {
            "subnormal": 1e-310 * middle,
            "large": 1e300 * middle,
            "large, below 0": -1e305 * middle,
            "from 1e-308 to 1e-290": 10.0 ** np.linspace(-308, -290, 90)[place * 37 % 90],
            "steps of 1e-300": 1e-300 * (1.0 + place),
            "steps of 5e-324": 5e-324 * (1.0 + place),
            "some near 0": np.r_[0, 1, 5e-324, 1e-310, middle[4:]],
        }


SIZES = sizes()


@pytest.mark.parametrize("size", SIZES)
def test_scores_of_any_size_pass_where_numpy_raises(size, tmp_path):
    score, y = SIZES[size], np.resize([0, 1, 1], 90)
    rows = {"sample_weight": 1 + np.arange(90) / 7}
    plain = RocEvaluation.from_predictions(y, score, **rows)
    are_risks = plain.score_kind == "probability"
    assert are_risks == (score.min() >= 0 and score.max() <= 1)
    with np.errstate(all="raise"):
        weighted = RocEvaluation.from_predictions(y, score, **rows)
        for evaluation in (
            RocEvaluation.from_predictions(y, score),
            RocEvaluation.from_predictions(y[:45], score[:45], y[45:], score[45:]),
            weighted,
        ):
            assert evaluation.auc(0.05).lower < evaluation.observed_auc
            assert evaluation.notes is not None
            evaluation.band()
            widget = ROCWidget(evaluation)
            widget.alpha, widget.threshold = 0.2, 1e-299
            widget.to_html(tmp_path / "roc.html")
            if are_risks:
                evaluation.losses(0.5)
        if are_risks:
            assert weighted.losses() == plain.losses()
            comparators.brier_score_interval(y, score)
            comparators.log_loss_interval(y, score)
