"""scikit-learn's own estimator checks. Exceptions are listed by name."""

import pytest
import sklearn
from packaging.version import Version
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from conformal_roc_widget import ConformalROC

EXCEPTIONS = {
    "check_sample_weight_equivalence_on_dense_data": "its few points leave a class out of one half: refused; and repeating rows changes the random split",
    "check_sample_weight_equivalence_on_sparse_data": "as on dense data",
    "check_complex_data": "refused, in words that name the argument and not in scikit-learn's",
    "check_estimators_empty_data_messages": "refused, in words that name the argument",
}
# from 1.8 on the check has five points per class
if Version(sklearn.__version__) >= Version("1.8"):
    EXCEPTIONS["check_n_features_in_after_fitting"] = "as the first"


every_check = parametrize_with_checks(
    [ConformalROC(LogisticRegression(), random_state=0)],
    expected_failed_checks=lambda estimator: EXCEPTIONS,
).mark
names, cases = every_check.args


@pytest.mark.parametrize(
    names, list(cases), **every_check.kwargs
)  # scikit-learn 1.6 returns a generator
def test_the_model_is_a_scikit_learn_estimator(estimator, check):
    check(estimator)
