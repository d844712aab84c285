"""Evaluations can be shared between threads and processes, and with code that keeps their arrays."""

import copy
import dataclasses
import pickle
import sys
import threading

import numpy as np
import pandas as pd
import pytest
from data import CURVES, evaluation_from_scores, logistic_sample, scored, three_classes
from joblib import Parallel, delayed, parallel_config
from sklearn.linear_model import LogisticRegression
from summaries import frame, summarized

from conformal_roc_widget import ConformalROC, RocEvaluation, ROCWidget, average_bands

ALPHAS = [0.01, 0.05, 0.1, 0.2, 0.35, 0.5]
X, Y, _ = logistic_sample(np.random.default_rng(4), 160)


def fitted(**options):
    return ConformalROC(LogisticRegression(), random_state=0, progress=False, **options).fit(X, Y)


def from_table():
    rng = np.random.default_rng(2)
    return summarized(frame(*scored(rng, 400, decimals=2)), scored(rng, 80))


MAKERS = {
    "from scores": evaluation_from_scores,
    "from a table": from_table,
    "from features": lambda: fitted().evaluate(X, Y),
    "localized": lambda: fitted(neighbors=40).evaluate(X, Y),
    "of several splits": lambda: fitted(resplits=3).evaluate(X, Y),
    "sharp": lambda: fitted(reference="sharp").evaluate(X, Y, guarantee="curve"),
}


def answers(evaluation, alpha):
    """All results of an evaluation at one alpha, as numbers and texts."""
    band = evaluation.band(alpha)
    return [
        *(getattr(band, name).tolist() for name in CURVES),
        *(ends.tolist() for ends in evaluation.intervals(alpha)),
        *(counts.tolist() for ends in evaluation.at(alpha).display_counts() for counts in ends),
        dataclasses.astuple(evaluation.operating_point(0.4, alpha)),
        evaluation.ideal_auc_range(alpha),
        evaluation.at(alpha).display_auc(),
        evaluation.youden(alpha),
        evaluation.at(alpha).vacuous_share,
        evaluation.support.effective_n.tolist(),
        evaluation.notes,
    ]


@pytest.fixture
def impatient():
    """Threads that switch as often as possible."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def on_threads(*tasks):
    """Results of tasks that start at the same moment in threads."""
    start, found = threading.Barrier(len(tasks)), [None] * len(tasks)

    def run(i, task):
        start.wait()
        found[i] = task()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(tasks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@pytest.mark.parametrize("maker", MAKERS)
def test_threads_that_ask_at_once_hear_what_one_alone_hears(maker, impatient):
    alone = MAKERS[maker]()
    expected = [answers(alone, alpha) for alpha in ALPHAS]
    shared = MAKERS[maker]()  # nothing is cached yet
    orders = [ALPHAS, ALPHAS[::-1], ALPHAS[::2] + ALPHAS[1::2]]
    found = on_threads(
        *(lambda order=order: {a: answers(shared, a) for a in order} for order in orders)
    )
    assert [[each[alpha] for alpha in ALPHAS] for each in found] == [expected] * len(orders)


def test_widgets_and_averages_on_threads_share_evaluations(impatient):
    rng = np.random.default_rng(6)
    X3, y3 = three_classes(rng, 240)
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X3[:120], y3[:120])

    def shown(evaluations, alpha):
        return ROCWidget(evaluations, alpha=alpha)._frame, average_bands(
            evaluations, alpha
        ).tpr_lower.tolist()

    alone = model.evaluate_all(X3[120:], y3[120:])
    expected = [shown(alone, alpha) for alpha in ALPHAS[1:4]]
    shared = model.evaluate_all(X3[120:], y3[120:])
    assert on_threads(*(lambda a=a: shown(shared, a) for a in ALPHAS[1:4])) == expected


def test_a_model_answers_on_threads_as_it_answers_alone(impatient):
    model = fitted(neighbors=30)
    parts = [X[:60], X[60:120], X[::2]]
    expected = [[e.tolist() for e in model.predict_interval(part, 1)] for part in parts]
    found = on_threads(*(lambda part=part: model.predict_interval(part, 1) for part in parts))
    assert [[e.tolist() for e in ends] for ends in found] == expected


@pytest.mark.slow  # new processes import everything again
def test_processes_hear_what_the_process_that_made_it_hears():
    made = [make() for make in MAKERS.values()]
    expected = [answers(evaluation, 0.1) for evaluation in made]
    assert Parallel(n_jobs=2)(delayed(answers)(evaluation, 0.1) for evaluation in made) == expected


@pytest.mark.parametrize("n_jobs", [2, -1])
@pytest.mark.parametrize("backend", [pytest.param("loky", marks=pytest.mark.slow), "threading"])
def test_the_number_of_jobs_changes_no_bit_of_a_fit(n_jobs, backend):
    alone = fitted(resplits=4).evaluate(X, Y)
    with parallel_config(backend=backend):
        together = fitted(resplits=4, n_jobs=n_jobs).evaluate(X, Y)
    assert answers(together, 0.1) == answers(alone, 0.1)


@pytest.mark.parametrize("maker", MAKERS)
def test_an_evaluation_and_its_bands_cannot_be_changed(maker):
    evaluation = MAKERS[maker]()
    before = answers(evaluation, 0.1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        evaluation.scores = np.zeros(3)
    band = evaluation.band(0.1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        band.alpha = 0.2
    for array in (
        evaluation.scores,
        evaluation.labels,
        *evaluation.residuals.values(),
        *(getattr(band, name) for name in CURVES),
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    for ends in evaluation.intervals(0.1):  # a copy for the caller
        ends[:] = 0.5
    assert answers(evaluation, 0.1) == before


@pytest.mark.parametrize(
    "transport",
    [copy.copy, copy.deepcopy, lambda o: pickle.loads(pickle.dumps(o))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_copies_cannot_be_changed_either(transport):
    evaluation = transport(evaluation_from_scores())
    kept = transport(evaluation.band(0.1)), transport(evaluation.support)
    kept += transport(evaluation.precision_recall(0.1)), transport(evaluation.reliability(0.1))
    arrays = [evaluation.scores, evaluation.labels, *evaluation.residuals.values()]
    arrays += [each for record in kept for each in vars(record).values()]
    arrays = [each for each in arrays if isinstance(each, np.ndarray)]
    assert len(arrays) > 20
    assert not any(each.flags.writeable for each in arrays)


@pytest.mark.parametrize("size", [1.0, 30.0], ids=["probabilities", "a marker"])
@pytest.mark.parametrize("sets", [1, 2])
def test_arrays_that_were_given_stay_the_callers_to_change(sets, size):
    rng = np.random.default_rng(8)
    given = [size * each for n in (40, 30)[:sets] for each in scored(rng, n)]
    evaluation = RocEvaluation.from_predictions(*given)
    before = answers(evaluation, 0.2)
    for array in given:
        array[:] = array[::-1].copy()
    assert answers(evaluation, 0.2) == before


@pytest.mark.parametrize("options", [{"neighbors": 30}, {"resplits": "per-instance"}])
@pytest.mark.parametrize("held", [np.array, pd.DataFrame])
def test_arrays_that_a_model_was_given_stay_the_callers_to_change(options, held):
    features, labels, test = held(X.copy()), Y.copy(), held(X[:4].copy())
    model = ConformalROC(LogisticRegression(), random_state=0, progress=False, **options)
    model.fit(features, labels)
    features[:], labels[:] = 0, 1
    evaluation = model.evaluate(test, Y[:4])
    test[:] = 0
    expected = fitted(**options).evaluate(held(X[:4]), Y[:4])
    np.testing.assert_array_equal(evaluation.support.effective_n, expected.support.effective_n)
    np.testing.assert_allclose(evaluation.intervals(0.2), expected.intervals(0.2), rtol=1e-9)
