"""A real table with labels from a known ``pi``: a small part of `benchmarks/real_tables.py`."""

from functools import cache
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, logit
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from conformal_roc_widget import ConformalROC

#: The Titanic's passengers, from scikit-learn's own test data.
PASSENGERS = "datasets/tests/data/openml/id_40945/data-v1-dl-16826755.arff.gz"
COLUMNS = "pclass survived name sex age sibsp parch ticket fare cabin embarked boat body home"
WORDS, NUMBERS = ["sex", "embarked"], ["pclass", "age", "sibsp", "parch", "fare"]
LABELLED, ALPHA = 700, 0.05
TRUTHS = {
    "smooth": lambda: LogisticRegression(max_iter=1000),
    "forest": lambda: RandomForestClassifier(200, min_samples_leaf=15, random_state=0),
}
CLASSIFIERS = {
    "logistic": lambda: LogisticRegression(C=0.01),
    "neighbours": lambda: KNeighborsClassifier(25),
}


def pipeline(classifier):
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    words = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_pipeline(
        ColumnTransformer([("words", words, WORDS), ("numbers", numbers, NUMBERS)]), classifier
    )


@cache
def passengers(truth):
    """The table, and ``pi`` of every row."""
    rows = pd.read_csv(
        str(files("sklearn") / PASSENGERS), skiprows=17, names=COLUMNS.split(), na_values="?"
    )
    X = rows.drop(columns=["survived", "boat", "body", "name", "ticket", "cabin", "home"])
    fitted = pipeline(TRUTHS[truth]()).fit(X, rows["survived"])
    p = fitted.predict_proba(X)[:, 1]
    noise = np.random.default_rng(0).normal(0, 0.1, len(X))
    return X, expit(logit(np.clip(p, 0.01, 0.99)) + noise)


def covered(truth, classifier, seed):
    """Share of the test points whose interval contains their ``pi``."""
    X, pi = passengers(truth)
    rng = np.random.default_rng([7, seed])
    y, rows = (rng.random(len(X)) < pi).astype(int), rng.permutation(len(X))
    labelled, new = rows[:LABELLED], rows[LABELLED:]
    model = ConformalROC(pipeline(CLASSIFIERS[classifier]()), random_state=seed, progress=False)
    model.fit(X.iloc[labelled], y[labelled])
    assert model.reference_ == "learned"
    lower, upper = model.evaluate(X.iloc[new], y[new]).intervals(ALPHA)
    return np.mean((lower <= pi[new]) & (pi[new] <= upper))


@pytest.mark.thorough
def test_intervals_hold_pi_on_a_real_table():
    found = [covered("smooth", "logistic", 0), covered("forest", "neighbours", 1)]
    assert min(found) > 0.9
    assert np.mean(found) > 0.94


@pytest.mark.slow
@pytest.mark.parametrize("classifier", CLASSIFIERS)
@pytest.mark.parametrize("truth", TRUTHS)
def test_intervals_hold_pi_as_often_as_they_say(truth, classifier):
    found = [covered(truth, classifier, seed) for seed in range(20)]
    error = np.std(found, ddof=1) / np.sqrt(len(found))
    assert np.mean(found) + 3 * error >= 1 - ALPHA
    assert np.mean(found) <= 0.995
