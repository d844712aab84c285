"""Further arguments of `fit`, and which estimators get them, with and without metadata routing."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from data import Recorder, logistic_sample
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.metadata_routing import get_routing_for_object

from conformal_roc_widget import ConformalROC

RNG = np.random.default_rng(3)
X, Y, _ = logistic_sample(RNG, 160)
WEIGHT = RNG.uniform(0.5, 3, size=160)
WHO = np.arange(160) // 4


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def weights_by_row(last, X_seen):
    """Whether each training row came with its own weight."""
    place = {tuple(row): i for i, row in enumerate(X_seen.tolist())}
    expected = [WEIGHT[place[tuple(row)]] for row in last.seen_X_.tolist()]
    np.testing.assert_array_equal(last.seen_weight_, expected)


@pytest.mark.parametrize("calibration", ["split", "cross"])
@pytest.mark.parametrize("held", [np.asarray, pd.Series, list])
def test_a_weight_of_a_step_reaches_it_with_the_rows_that_train(calibration, held):
    pipeline = make_pipeline(StandardScaler(with_mean=False, with_std=False), Recorder())
    model = ConformalROC(pipeline, calibration=calibration, random_state=0)
    model.fit(X, Y, recorder__sample_weight=held(WEIGHT))
    last = model.estimator_[-1]
    assert len(last.seen_X_) == (160 if calibration == "cross" else 80)
    weights_by_row(last, X)


def test_repeated_splits_have_the_weights_of_their_own_rows():
    pipeline = make_pipeline(Recorder())
    for resplits in (3, "per-instance"):
        model = ConformalROC(pipeline, resplits=resplits, random_state=0, progress=False)
        model.fit(X[:60], Y[:60], recorder__sample_weight=WEIGHT[:60])
        made = model.estimator_ if resplits == 3 else []
        for each in made:
            weights_by_row(each[-1], X)


def test_what_has_no_rows_is_passed_as_it_is():
    class Told(Recorder):
        def fit(self, X, y, sample_weight=None, note=None):
            self.note_ = note
            return super().fit(X, y, sample_weight)

    model = ConformalROC(Told(), random_state=0).fit(X, Y, note="as it is")
    assert model.estimator_.note_ == "as it is"


def test_an_unknown_word_is_refused_by_the_classifier():
    with pytest.raises(TypeError, match="sample_wieght"):
        ConformalROC(LogisticRegression()).fit(X, Y, sample_wieght=WEIGHT)


def test_routed_weights_reach_the_steps_that_ask_for_them(routing):
    last = Recorder().set_fit_request(sample_weight=True)
    scaler = StandardScaler().set_fit_request(sample_weight=False)
    model = ConformalROC(make_pipeline(scaler, last), random_state=0)
    model.fit(X, Y, sample_weight=WEIGHT)
    seen = model.estimator_[-1]
    assert set(seen.seen_weight_) <= set(WEIGHT)
    assert len(set(seen.seen_weight_)) == 80
    alone = ConformalROC(Recorder().set_fit_request(sample_weight=True), random_state=0)
    weights_by_row(alone.fit(X, Y, sample_weight=WEIGHT).estimator_, X)


def test_a_classifier_that_was_not_asked_says_so(routing):
    with pytest.raises(UnsetMetadataPassedError, match=r"sample_weight.*not explicitly set"):
        ConformalROC(LogisticRegression()).fit(X, Y, sample_weight=WEIGHT)
    refusing = Recorder().set_fit_request(sample_weight=False)
    model = ConformalROC(refusing, random_state=0).fit(X, Y, sample_weight=WEIGHT)
    assert model.estimator_.seen_weight_ is None


def test_an_alias_is_followed(routing):
    model = ConformalROC(Recorder().set_fit_request(sample_weight="importance"), random_state=0)
    weights_by_row(model.fit(X, Y, importance=WEIGHT).estimator_, X)


def test_groups_reach_a_search_within(routing):
    search = GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=GroupKFold(3))
    model = ConformalROC(search, random_state=0).fit(X, Y, groups=WHO)
    assert len(set(model.splits_[0].reference.calibration.stands_for.people)) == 20
    assert model.estimator_.n_splits_ == 3


def test_groups_alone_need_nobody_within_to_ask(routing):
    with_routing = ConformalROC(LogisticRegression(), random_state=0).fit(X, Y, groups=WHO)
    with sklearn.config_context(enable_metadata_routing=False):
        without = ConformalROC(LogisticRegression(), random_state=0).fit(X, Y, groups=WHO)
    np.testing.assert_array_equal(with_routing.residuals_[1], without.residuals_[1])


def test_it_is_a_router_and_a_consumer_of_rows_alone(routing):
    model = ConformalROC(Recorder().set_fit_request(sample_weight=True))
    model.set_fit_request(groups=True, sensitive_features=True)
    found = get_routing_for_object(model)
    assert found.consumes("fit", ["groups", "sensitive_features", "sample_weight", "note"]) == {
        "groups",
        "sensitive_features",
        "sample_weight",
    }
    with pytest.raises(TypeError, match="X_calibration"):
        model.set_fit_request(X_calibration=True)
