"""Weights, people and populations through `ConformalROC.fit` and `evaluate`."""

import numpy as np
import pytest
from data import assert_same_curves, logistic_sample
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, conformal_quantiles
from conformal_roc_widget.calibration.references.learned_scores import learned_scores

RNG = np.random.default_rng(5)
X, Y, _ = logistic_sample(RNG, 160)
X_CA, Y_CA, _ = logistic_sample(RNG, 120)
X_TEST, Y_TEST, _ = logistic_sample(RNG, 70)
EXPLICIT = {"X_calibration": X_CA, "y_calibration": Y_CA}


def model(**parameters):
    parameters = {"reference": "kernel", "random_state": 0, **parameters}
    return ConformalROC(LogisticRegression(), **parameters)


def same(one, other, alpha=0.2):
    assert_same_curves(one.band(alpha), other.band(alpha))


def test_an_array_of_weights_gives_the_weighted_pair():
    weight = RNG.random(120)
    fitted = model().fit(X, Y, **EXPLICIT, sample_weight_calibration=weight)
    split = fitted.splits_[0]
    evaluation = fitted.evaluate(X_TEST, Y_TEST)
    for k in (0, 1):
        of = split.codes == k
        expected = conformal_quantiles(split.residuals[of, 1], 0.3, sample_weight=weight[of])
        assert evaluation.at(0.3).quantiles[k] == expected


@pytest.mark.parametrize("rule", ["paper", "split"])
@pytest.mark.parametrize("alpha", [0.1, 0.3])
def test_an_interval_depends_on_its_own_weight_and_on_no_other_test_row(alpha, rule):
    """Some test rows are lighter than every calibration row, some heavier than most."""

    def ratio(table):
        x = table[:, 0]
        return np.where(x < -3, 0.01, np.where(x > 3, 2.0, 0.5 + x * 7 % 1))

    X_test = np.vstack([X_TEST[:8].round(), X_TEST[:2]])
    X_test[:3, 0], X_test[3:10, 0] = -4, [4, 5, 6, -1, 1, 2, 0]
    fitted = model(quantile_rule=rule).fit(X, Y, **EXPLICIT, sample_weight_calibration=ratio)
    assert ratio(X_test).min() < ratio(X_CA).min()
    split, value = fitted.splits_[0], logit(fitted.estimator_.predict_proba(X_test)[:, 1])
    for k in (0, 1):
        of = split.codes == k
        together = np.transpose(fitted.predict_interval(X_test, k, alpha))
        for row, each in enumerate(together):
            alone = np.ravel(fitted.predict_interval(X_test[[row]], k, alpha))
            np.testing.assert_allclose(each, alone, rtol=1e-12)
            pair = conformal_quantiles(
                *(split.residuals[of, 1], alpha, rule),
                sample_weight=ratio(X_CA)[of],
                test_weight=ratio(X_test)[row],
            )
            np.testing.assert_allclose(each, expit(value[row] + np.array(pair)), rtol=1e-9)


def test_a_calibration_row_of_no_weight_is_absent_to_the_bit():
    weight = np.random.default_rng(0).random(120)
    weight[::3] = 0
    there = weight > 0
    one = model().fit(X, Y, **EXPLICIT, sample_weight_calibration=weight)
    other = model().fit(
        X,
        Y,
        X_calibration=X_CA[there],
        y_calibration=Y_CA[there],
        sample_weight_calibration=weight[there],
    )
    same(one.evaluate(X_TEST, Y_TEST), other.evaluate(X_TEST, Y_TEST))


def test_a_likelihood_ratio_is_asked_for_the_table_as_it_is():
    import pandas as pd

    seen = []

    def ratio(table):
        seen.append(type(table).__name__)
        return np.exp(table["a"].to_numpy())

    frames = [pd.DataFrame(x, columns=["a", *"bcdef"[: x.shape[1] - 1]]) for x in (X, X_CA, X_TEST)]
    fitted = model().fit(
        frames[0], Y, X_calibration=frames[1], y_calibration=Y_CA, sample_weight_calibration=ratio
    )
    evaluation = fitted.evaluate(frames[2], Y_TEST)
    assert set(seen) == {"DataFrame"}
    assert evaluation.calibrated_curve.weighted
    lower, _ = fitted.predict_interval(frames[2].head(3), 1, 0.3)
    assert lower.shape == (3,)


@pytest.mark.parametrize("parameters", [{}, {"calibration": "cross"}, {"reference": "score"}])
def test_splits_keep_people_whole(parameters):
    people = RNG.integers(0, 30, 160)
    fitted = model(**parameters).fit(X, Y, groups=people)
    split = fitted.splits_[0]
    calibrating = split.reference.calibration.stands_for.people
    if not parameters.get("calibration"):
        rest = people[~np.isin(people, np.unique(people)[np.unique(calibrating)])]
        assert rest.size == 160 - calibrating.size
        assert 10 <= np.unique(calibrating).size <= 20
    evaluation = fitted.evaluate(X_TEST, Y_TEST)
    for k in (0, 1):
        assert evaluation.n_calibration[k] == np.unique(calibrating[split.codes == k]).size
    assert "for a row of a new person" in evaluation.band(0.2).guarantee


def test_the_kernel_leaves_whole_people_out_where_all_points_calibrate():
    people = np.arange(160) // 2
    fitted = model(calibration="cross").fit(X, Y, groups=people)
    reference = fitted.splits_[0].reference
    kernel = reference.kernel
    at = np.empty(160)
    for i in range(160):
        there = people != people[i]
        scaled = kernel.scaled[there] - kernel.scaled[i]
        logs = -0.5 * (scaled**2).sum(axis=1)
        codes = kernel.codes[there]
        at[i] = np.logaddexp.reduce(logs[codes == 1]) - np.logaddexp.reduce(logs[codes == 0])
    np.testing.assert_allclose(reference.calibration_logits[:, 1], at, rtol=1e-9)


def test_learners_see_no_person_on_both_sides():
    """Labels depend only on the person: learners that split people can learn them, others cannot."""
    rng = np.random.default_rng(2)
    people = np.arange(200) // 4
    label = rng.integers(0, 2, 50)[people]
    table = rng.normal(size=(50, 3))[people]  # all rows of a person have equal features
    apart, together = (
        learned_scores(table, label, 0, people=groups)[0].scores for groups in (None, people)
    )

    def right(scores):
        return np.mean((scores > 0.5) == (label[:, None] == 1), axis=0)

    assert right(apart)[1:].min() > 0.8
    assert right(together).max() < 0.65


def test_random_splits_of_several_kinds_refuse_groups():
    with pytest.raises(ValueError, match="groups: found it with resplits=3"):
        model(resplits=3, progress=False).fit(X, Y, groups=np.arange(160))
    with pytest.raises(ValueError, match="groups_calibration: found it without X_calibration"):
        model().fit(X, Y, groups_calibration=np.arange(160))


def test_a_band_for_the_curve_refuses_weights_and_people():
    fitted = model().fit(X, Y, groups=np.arange(160) // 2)
    with pytest.raises(ValueError, match="guarantee: found 'curve' with weights or groups"):
        fitted.evaluate(X_TEST, Y_TEST, guarantee="curve")


@pytest.mark.parametrize("guarantee", ["everywhere", "curve"])
def test_several_test_rows_of_one_person_have_the_individual_guarantee_alone(guarantee):
    # With ten rows per person, limits at .9 "for every sample size" covered in .19 of the test
    # sets.
    model = ConformalROC(LogisticRegression(), random_state=0).fit(X, Y)
    twice = np.arange(len(Y)) // 2
    with pytest.raises(ValueError, match=f"^groups: found several .*guarantee='{guarantee}'"):
        model.evaluate(X, Y, groups=twice, guarantee=guarantee)
    individual = model.evaluate(X, Y, groups=twice)
    assert_same_curves(individual.band(0.1), model.evaluate(X, Y).band(0.1))
    with pytest.raises(ValueError, match=r"^reliability: found several test rows of one person"):
        individual.reliability()
    with pytest.raises(ValueError, match=r"^groups: found several .*'everywhere'"):
        individual.with_guarantee("everywhere")
    one_each = model.evaluate(X, Y, groups=np.arange(len(Y)), guarantee=guarantee)
    assert one_each.promise.kind == guarantee
