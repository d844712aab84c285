"""Notes on the data: none if there is no problem, and one for each problem."""

import copy
import json
import pickle

import numpy as np
import pytest
from data import evaluation_from_scores, fit_explicit, logistic_sample, scored, three_classes
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, RocEvaluation, conformal_quantiles
from conformal_roc_widget.calibration.references.learned import Learned
from conformal_roc_widget.calibration.references.sharp import Sharp
from conformal_roc_widget.evaluation import notes
from conformal_roc_widget.evaluation.notes import vacuous_reason
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.text import LABEL_AT_START, AboutLabels, Note
from conformal_roc_widget.wire import messages as wire
from conformal_roc_widget.wire.encoding import as_json


@pytest.fixture
def parts(rng):
    return [logistic_sample(rng, n)[:2] for n in (80, 150, 40)]


def test_notes_are_plain_sentences_and_none_are_needed_where_all_is_well():
    rng = np.random.default_rng(8)
    X, y, _ = logistic_sample(rng, 4000, beta=(1.0, -1.0))
    X_test, y_test, _ = logistic_sample(rng, 500, beta=(1.0, -1.0))
    evaluation = (
        ConformalROC(LogisticRegression(), random_state=0).fit(X, y).evaluate(X_test, y_test)
    )
    assert evaluation.support.share <= 0.05
    slope, error = evaluation.support.reference_slope
    assert slope - 2 * error <= 1.2
    assert list(evaluation.notes) == []


def test_notes_tell_of_points_beyond_the_data(parts):
    evaluation = fit_explicit(parts).evaluate(1000 * parts[2][0], parts[2][1])
    assert evaluation.support.share > 0.9
    share = f"{100 * evaluation.support.share:.0f}"
    assert any(share in note for note in evaluation.notes), evaluation.notes
    assert all(isinstance(note, str) and note.endswith(".") for note in evaluation.notes)


def test_notes_tell_of_a_label_without_limits_at_the_usual_alpha():
    assert any(
        "vacuous" in note or "no limits" in note
        for note in evaluation_from_scores(n_calibration=20).notes
    )


def test_scores_of_exactly_0_or_1_are_told_and_do_not_hide_a_reference_that_is_too_smooth(rng):
    p = rng.uniform(0.05, 0.95, size=500)
    y = (rng.random(500) < p).astype(int)
    plain = RocEvaluation.from_predictions(y, p, y[:400], p[:400], bandwidth=3.0)
    assert any("too smooth to be trusted" in note for note in plain.notes)
    p[:3], y[:3] = 0.0, (0, 0, 1)
    clipped = RocEvaluation.from_predictions(y, p, y[:400], p[:400], bandwidth=3.0)
    assert any(note.startswith("3 of the 500 calibration scores") for note in clipped.notes)
    assert any("too smooth to be trusted" in note for note in clipped.notes)
    slope, error = plain.support.reference_slope
    assert abs(clipped.support.reference_slope[0] - slope) < error


def test_a_reference_that_is_noise_is_told(rng):
    X = rng.normal(size=(800, 30))
    y = (rng.random(800) < 1 / (1 + np.exp(-X[:, 0] - X[:, 1]))).astype(int)
    evaluation = (
        ConformalROC(LogisticRegression(), reference="kernel", random_state=0).fit(X[:600], y[:600])
    ).evaluate(X[600:], y[600:])
    (note,) = [note for note in evaluation.notes if "mostly noise" in note]
    assert "The reference 'learned' is made for many features" in note


@pytest.mark.parametrize(
    ("n", "rule", "said"),
    [
        (0, "paper", "Label 1 has no calibration points, and so no limits at any α"),
        (0, "split", "Label 1 has no calibration points, and so no limits at any α"),
        (1, "split", "Label 1 has only 1 calibration point, and so no limits at any α"),
        (1, "paper", "Its 1 point can promise at most 1/2 = 50 %"),
        (2, "split", "One limit appears from α = 0.67"),
    ],
)
def test_a_label_without_limits_names_the_first_alpha_that_has_one_if_any_has(n, rule, said):
    reason = vacuous_reason(1, 0.05, rule, n=n, noun="calibration points", few=None)
    assert said in reason
    quantiles = conformal_quantiles(np.arange(n) * 1.0, 0.999, rule)
    assert ("at any α" in reason) == (not np.isfinite(quantiles).any())


def test_no_alpha_gives_limits_to_no_residuals():
    residuals = {0: np.zeros(0), 1: np.arange(60.0)}
    evaluation = RocEvaluation.from_residuals(residuals, [0, 1, 1], [0.2, 0.7, 0.8])
    (note,) = [note for note in evaluation.notes if note.startswith("Label 0 has")]
    assert note == "Label 0 has no calibration points, and so no limits at any alpha."


def test_one_person_is_no_people(rng):
    y, score = scored(rng, 80)
    who = np.where(y == 1, "a", np.arange(80).astype(str))
    evaluation = RocEvaluation.from_predictions(y, score, y, score[::-1], groups_calibration=who)
    assert any("and 1 person (" in note for note in evaluation.notes), evaluation.notes


PEOPLE = np.arange(120) // 3


def from_features(own=None, calibrating=PEOPLE, **options):
    rng = np.random.default_rng(5)
    X, y, _ = logistic_sample(rng, 240)
    X_test, y_test, _ = logistic_sample(rng, 120)
    told = {} if calibrating is None else {"groups": np.repeat(calibrating, 2)}
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X, y, **told, **options)
    return model, X_test, y_test, {} if own is None else {"groups": own}


def by_features(**people):
    model, *test, told = from_features(**people)
    return model.evaluate(*test, **told)


def by_population(**people):
    sex = np.resize(["women", "men"], 240)
    model, *test, told = from_features(**people, sensitive_features=sex)
    return model.evaluate_by(*test, sex[:120], **told)["men"]


def by_class(**people):
    rng = np.random.default_rng(5)
    (X, y), (X_test, y_test) = (three_classes(rng, n) for n in (360, 120))
    calibrating, own = people.get("calibrating", PEOPLE), people.get("own")
    told = {} if calibrating is None else {"groups": np.repeat(calibrating, 3)}
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X, y, **told)
    if own is not None:
        return model.evaluate(X_test, y_test, label=2, groups=own)
    return model.evaluate_all(X_test, y_test)[2]


def by_scores(own=None, calibrating=PEOPLE):
    rng = np.random.default_rng(5)
    rows = *scored(rng, 120), *scored(rng, 120)
    return RocEvaluation.from_predictions(*rows, groups_calibration=calibrating, groups_test=own)


@pytest.mark.parametrize(
    ("door", "argument"),
    [
        (by_features, "groups"),
        (by_population, "groups"),
        (by_class, "groups"),
        (by_scores, "groups_test"),
    ],
)
def test_people_who_calibrate_and_test_rows_of_nobody_are_told(door, argument):
    def told(**people):
        evaluation = door(**people)
        pages = json.dumps(as_json(wire.data_message(Group.of(evaluation))), ensure_ascii=False)
        found = [
            note for note in evaluation.notes if "grouped by person, and test rows are not" in note
        ]
        assert all(part in pages for note in found for part in note.record.values())
        return found

    (note,) = told()
    assert note.remedy == f"If one person has several test rows, pass groups: {argument}=..."
    assert told(own=900 + PEOPLE) == told(own=900 + np.arange(120)) == []
    assert told(calibrating=None) == []


def test_a_note_is_its_parts_in_a_row_and_stays_one_in_copies_and_with_class_names():
    note = Note(AboutLabels(f"{LABEL_AT_START[1]} is odd:"), "it matters.", "Mind it.")
    assert note == "Label 1 is odd: it matters. Mind it."
    for again in (copy.deepcopy(note), pickle.loads(pickle.dumps(note)), note.of_classes((0, 1))):
        assert isinstance(again, Note)
        assert list(again.record) == ["fact", "reason", "remedy"]
    named = note.of_classes(("well", "ill"))
    assert named.record == {"fact": "ill is odd:", "reason": "it matters.", "remedy": "Mind it."}
    assert Note("Alone.") == "Alone."


def test_a_remedy_alone_follows_a_closed_sentence():
    """Pages without a kernel show no advice."""
    fixed = [value for value in vars(notes).values() if isinstance(value, Note)]
    fixed += [Sharp.local_caution, Learned.local_caution]
    assert len(fixed) > 4
    for note in fixed:
        assert (note.reason or note.fact).endswith("."), note
