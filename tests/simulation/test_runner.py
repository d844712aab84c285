import itertools
import json
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import oracles
import pandas as pd
import pytest
from joblib import parallel_config
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, simulation
from conformal_roc_widget.calibration.logistic import fit_logistic
from conformal_roc_widget.simulation import designs as studies
from conformal_roc_widget.simulation import replicate as replicates
from conformal_roc_widget.simulation import results_file as results
from conformal_roc_widget.simulation import runner
from conformal_roc_widget.simulation.classifiers import MaximumLikelihood
from conformal_roc_widget.simulation.runner import STUDIES, Options

SETTINGS = ("sample_size", "missing_predictor", "missing_interaction")
MODELS = {
    "sample_size": ["M1", "M2", "M3"],
    "missing_predictor": ["M1", "M2"],
    "missing_interaction": ["M1", "M2"],
}
SMALL = {"n_test": 40, "neighbors": 30}
QUIET = {"progress": False, "random_state": 7}
VALUES = {"sample_size": 90, "missing_predictor": 2.0, "missing_interaction": 1.5}


# Section 5 as printed: mean, covariance, and the mean and covariance of the shifted test points

I3 = [[1, 0.1, 0], [0.1, 1, 0], [0, 0, 1]]
SHIFTED = [[0.5, 0.1, 0.01], [0.1, 0.4, 0.1], [0.01, 0.1, 0.3]]
LAWS = [
    ("sample_size", None, False, (0, 0, 0), [[1, 0.1, -0.01], [0.1, 1, 0.1], [-0.01, 0.1, 1]]),
    ("sample_size", None, True, (2, 1, -0.6), SHIFTED),
    ("missing_predictor", 0.1, False, (0, 0, 0), I3),
    ("missing_predictor", 5.5, False, (0, 0, 0), I3),
    ("missing_predictor", 5.5, True, (2, 1, -0.6), SHIFTED),
    ("missing_interaction", 0.1, False, (0, 0, 0), I3),
    ("missing_interaction", 5.5, False, (0, 0, 0), I3),
    *(
        (
            "missing_interaction",
            gamma,
            True,
            (1, 1, 2 * gamma - 2),
            [[0.5, 0.1, 0], [0.1, 0.4, 0], [0, 0, 0.3]],
        )
        for gamma in (0.1, 2.0, 5.5)
    ),
]


def printed_logit(setting, value, X):
    x1, x2, x3 = X.T
    if setting == "sample_size":
        return 1 + x1 + x2 + x3
    if setting == "missing_predictor":
        return 1 + x1 + x2 + value * x3
    return 1 + x1 + x2 + x3 + value * x1 * x3


def prevalence(setting, value, mean, covariance):
    """P(y = 1): given x1 the logit is normal, so two sums over Gauss-Hermite nodes do."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(120)
    weights = weights / weights.sum()
    mean, covariance = np.array(mean, dtype=float), np.array(covariance)
    x1 = mean[0] + np.sqrt(covariance[0, 0]) * nodes
    slope = covariance[0, 1:] / covariance[0, 0]
    rest = covariance[1:, 1:] - np.outer(slope, covariance[0, 1:])
    weight = np.ones((nodes.size, 2))
    weight[:, 1] = value if setting == "missing_predictor" else 1.0
    if setting == "missing_interaction":
        weight[:, 1] += value * x1
    centre = 1 + x1 + (weight * (mean[1:] + np.outer(x1 - mean[0], slope))).sum(axis=1)
    spread = np.sqrt(np.einsum("ni,ij,nj->n", weight, rest, weight))
    return weights @ expit(centre[:, None] + spread[:, None] * nodes) @ weights


@pytest.mark.parametrize(("setting", "value", "shifted", "mean", "covariance"), LAWS)
def test_draws_follow_the_printed_laws(rng, setting, value, shifted, mean, covariance):
    n = 40_000
    X, y, logit_pi = simulation.draw(setting, n, rng, shifted=shifted, value=value)
    covariance = np.array(covariance)
    variances = np.diag(covariance)
    assert np.all(np.abs(X.mean(axis=0) - mean) < 5 * np.sqrt(variances / n))
    centred = X - np.array(mean)
    second = centred.T @ centred / n
    error = np.sqrt((np.outer(variances, variances) + covariance**2) / n)
    assert np.all(np.abs(second - covariance) < 5 * error)
    np.testing.assert_allclose(logit_pi, printed_logit(setting, value, X), rtol=1e-12, atol=1e-12)
    assert set(np.unique(y)) == {0, 1}
    pi = expit(logit_pi)
    assert abs(y.sum() - pi.sum()) < 5 * np.sqrt((pi * (1 - pi)).sum())
    expected = prevalence(setting, value, mean, covariance)
    assert abs(y.mean() - expected) < 5 * np.sqrt(expected * (1 - expected) / n)
    # labels depend on x as the logit says: so does the logit's mean by label
    for own, share in ((y, pi), (1 - y, 1 - pi)):
        spread = logit_pi * np.sqrt(pi * (1 - pi))
        assert abs((own * logit_pi - share * logit_pi).sum()) < 5 * np.sqrt((spread**2).sum())


def test_models_and_grids_are_the_printed_ones():
    assert {name: list(study.models) for name, study in STUDIES.items()} == MODELS
    x = np.array([[2.0, 3.0, 5.0]])
    columns = {
        name: [studies.products(x, terms)[0].tolist() for terms in study.models.values()]
        for name, study in STUDIES.items()
    }
    assert columns == {
        "sample_size": [[2, 3, 5], [3, 5], [5]],
        "missing_predictor": [[5], [2, 3]],
        "missing_interaction": [[2, 3, 5], [2, 5, 10]],
    }
    assert [study.n for study in STUDIES.values()] == [None, 500, 500]
    for study, ends in zip(STUDIES.values(), [(100, 2000), (0.1, 5.5), (0.1, 5.5)], strict=True):
        assert (study.grid[0], study.grid[-1]) == ends
        assert list(study.grid) == sorted(set(study.grid))


def test_other_coefficients_and_sources_of_randomness():
    beta = (0.5, -1.0, 2.0, 3.0)
    X, _, logit_pi = simulation.draw("missing_interaction", 9, 3, value=4, beta=beta)
    np.testing.assert_allclose(logit_pi, 0.5 + X @ beta[1:] + 4 * X[:, 0] * X[:, 2])
    again = simulation.draw("missing_interaction", 9, np.random.default_rng(3), value=4, beta=beta)
    np.testing.assert_array_equal(again.X, X)
    default = simulation.draw("missing_predictor", 9, 3)
    np.testing.assert_array_equal(
        default.logit_pi, simulation.draw("missing_predictor", 9, 3, value=1).logit_pi
    )


# The classifiers


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("which", [0, -1])
def test_the_fit_is_the_maximum_of_the_likelihood(rng, setting, which):
    study = STUDIES[setting]
    X, y, _ = simulation.draw(setting, 250, rng, value=study.grid[which])
    for terms in study.models.values():
        own = MaximumLikelihood(terms).fit(X, y)
        features = studies.products(X, terms)
        theirs = LogisticRegression(C=np.inf, tol=1e-10, solver="newton-cholesky").fit(features, y)
        np.testing.assert_allclose(
            own.coefficients_, [*theirs.intercept_, *theirs.coef_[0]], rtol=1e-6, atol=1e-7
        )
        np.testing.assert_allclose(own.predict_proba(X), theirs.predict_proba(features), atol=1e-7)
        np.testing.assert_array_equal(own.predict(X), theirs.predict(features))
        assert not own.separated_
        score = studies.products(X, ((), *terms)).T @ (y - own.predict_proba(X)[:, 1])
        assert np.abs(score).max() < 1e-5


@pytest.mark.parametrize("quasi", [False, True])
def test_separated_labels_stop_at_a_finite_norm_and_are_told(rng, quasi):
    x = np.linspace(-1, 1, 40)
    y = (x > 0).astype(int)
    if quasi:
        x = np.where(x > 0, 1.0, 0.0)
        y[20:] = np.arange(20) % 2
    coefficients, separated = fit_logistic(np.column_stack([np.ones(40), x]), y)
    assert separated
    assert np.isfinite(coefficients).all()
    assert np.abs(coefficients).max() > 10


def test_separation_is_counted():
    frame = simulation.run(
        "missing_predictor", 200, replicates=3, n=30, beta=(0, 0, 0, 0), **SMALL, **QUIET
    )
    assert frame.query("model == 'M1'")["separated"].eq(3).all()
    assert frame.query("model == 'M2'")["separated"].eq(0).all()
    assert frame.filter(regex="coverage|length|width").notna().all(axis=None)


# One replicate


def by_loops(study, value, options, seed, alpha, model, test):
    """Section 5's figures for both labels, from the algorithms as printed."""
    training, calibration, tests = replicates.draw_replicate(study, value, options, seed)
    target = tests[test]
    terms = study.models[model]
    classifier = LogisticRegression(C=np.inf, tol=1e-12, solver="newton-cholesky")
    classifier.fit(studies.products(training.X, terms), training.y)
    own = classifier.decision_function(studies.products(calibration.X, terms))
    scores = classifier.decision_function(studies.products(target.X, terms))
    if options.reference == "oracle":
        near_pi, centre_pi = calibration.logit_pi, target.logit_pi
    else:
        near_pi = oracles.kernel_logit(training.X, training.y, calibration.X)
        centre_pi = oracles.kernel_logit(training.X, training.y, target.X)
    residuals = [r - v for r, v in zip(near_pi, own, strict=True)]
    beta = study.direction(value, options.beta)
    distance = {
        "oracle": lambda a, b: oracles.projected_distance(beta)(a[:3], b[:3]),
        "truth": lambda a, b: abs(a[3] - b[3]),
        "score": lambda a, b: abs(a[4] - b[4]),
        "standardized": lambda a, b: oracles.standardized_distance(training.X)(a[:3], b[:3]),
    }[options.distance]
    places = [(*p, v, w) for p, v, w in zip(calibration.X, calibration.logit_pi, own, strict=True)]
    rows = {0: [], 1: []}
    for x, y, truth, score, pi in zip(*target, scores, centre_pi, strict=True):
        members = range(len(residuals))
        if test == "shifted":
            distances = [distance((*x, truth, score), place) for place in places]
            members = oracles.neighbourhood(distances, options.neighbors)
        low, up = oracles.localized_quantiles(
            residuals, calibration.y, members, y, alpha, options.quantile_rule
        )
        moved = oracles.median([residuals[i] for i in members]) if options.recenter else 0.0
        centre = pi if options.center == "kernel" and test == "shifted" else score
        rows[y].append((centre + low, centre + up, score + moved, truth))
    figures = []
    for label in (0, 1):
        own = rows[label]
        n = len(own)
        band = []
        for *_, threshold in own:
            rate = sum(truth >= threshold for *_, truth in own)
            least = sum(low > threshold for low, *_ in own)
            most = sum(up > threshold for _, up, *_ in own)
            band.append((least <= rate <= most, (most - least) / n))
        figures.append(
            (
                sum(low <= truth <= up for low, up, _, truth in own) / n,
                sum(low <= score <= up for low, up, score, _ in own) / n,
                sum(oracles.expit(up) - oracles.expit(low) for low, up, *_ in own) / n,
                sum(hit for hit, _ in band) / n,
                sum(width for _, width in band) / n,
            )
        )
    return np.array(figures)


VARIANTS = [
    {},
    {"recenter": True},
    {"center": "kernel", "distance": "score"},
    {"reference": "oracle", "distance": "truth", "quantile_rule": "split"},
    {"distance": "standardized", "recenter": True, "neighbors": 500},
]


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("setting", SETTINGS)
def test_a_replicate_is_the_paper_loop_by_loop(setting, variant):
    study, value, alpha = STUDIES[setting], VALUES[setting], 0.2
    options = Options(**{"n": 90, "n_test": 25, "neighbors": 30, **variant})
    seed = np.random.SeedSequence(5)
    metrics, _ = replicates.measure(study, value, alpha, options, seed)
    for m, model in enumerate(study.models):
        for t, test in enumerate(("iid", "shifted")):
            expected = by_loops(study, value, options, seed, alpha, model, test)
            np.testing.assert_allclose(metrics[m, t], expected, atol=1e-7)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("setting", SETTINGS)
def test_a_replicate_is_what_conformal_roc_says(setting, variant):
    study, value, alpha = STUDIES[setting], VALUES[setting], 0.1
    options = Options(**{"n": 200, "n_test": 60, "neighbors": 50, **variant})
    seed = np.random.SeedSequence(11)
    metrics, _ = replicates.measure(study, value, alpha, options, seed)
    _, _, tests = replicates.draw_replicate(study, value, options, seed)
    made = replicates.evaluate(study, value, options, seed)
    for (m, model), (t, test) in itertools.product(enumerate(study.models), enumerate(tests)):
        evaluation, truth = made[model, test], tests[test].logit_pi
        pi = expit(truth)
        lower, upper = evaluation.intervals(alpha)
        for k in (0, 1):
            own = np.flatnonzero(tests[test].y == k)
            hit = (lower <= pi) & (pi <= upper)
            held = (lower <= evaluation.scores) & (evaluation.scores <= upper)
            # p_n alone, without the logit, may be a hair outside of an interval that ends at it
            assert metrics[m, t, k, 0] == hit[own].mean()
            assert metrics[m, t, k, 1] == held[own].mean()
            np.testing.assert_allclose(metrics[m, t, k, 2], (upper - lower)[own].mean(), rtol=1e-12)
            band = [evaluation.operating_point(pi[s], alpha) for s in own]
            side = [(p.tpr_lower, p.tpr_upper) if k else (p.fpr_lower, p.fpr_upper) for p in band]
            oracle = [(pi[own] >= pi[s]).mean() for s in own]
            covered = [a <= r <= b for (a, b), r in zip(side, oracle, strict=True)]
            assert metrics[m, t, k, 3] == np.mean(covered)
            width = np.mean([b - a for a, b in side])
            np.testing.assert_allclose(metrics[m, t, k, 4], width, atol=1e-12)


def test_the_intervals_are_those_of_predict_interval():
    study, options, seed = STUDIES["sample_size"], Options(), np.random.SeedSequence(3)
    training, calibration, tests = replicates.draw_replicate(study, 300, options, seed)
    made = replicates.evaluate(study, 300, options, seed)
    for model, terms in study.models.items():
        fitted = ConformalROC(MaximumLikelihood(terms), distance=(1.0, 1.0, 1.0)).fit(
            training.X, training.y, X_calibration=calibration.X, y_calibration=calibration.y
        )
        for test, neighbors in (("iid", None), ("shifted", 100)):
            fitted.set_params(neighbors=neighbors)
            ends = made[model, test].intervals(0.05)
            for k in (0, 1):
                own = tests[test].y == k
                pair = fitted.predict_interval(tests[test].X[own], k, 0.05)
                for end, expected in zip(ends, pair, strict=True):
                    np.testing.assert_array_equal(end[own], expected)


def test_evaluations_are_those_of_the_run():
    options = {**SMALL, "random_state": 7}
    each = simulation.run(
        "missing_predictor", [1, 4], replicates=3, each=True, progress=False, **options
    )
    made = simulation.evaluations("missing_predictor", 4, 2, **options)
    rows = each.query("value == 4 and replicate == 2").set_index(["model", "test", "label"])
    for key, evaluation in made.items():
        lower, upper = evaluation.intervals(0.05)
        for k in (0, 1):
            row = rows.loc[(*key, k)]
            length = (upper - lower)[evaluation.labels == k].mean()
            np.testing.assert_allclose(row.length, length, rtol=1e-12)


def test_the_typical_replicate_is_the_one_nearest_to_the_mean():
    each = simulation.run("missing_predictor", [1, 4], replicates=9, each=True, **SMALL, **QUIET)
    far = {}
    own = each[each["value"] == 4]
    for _, cell in own.groupby(["model", "test", "label"]):
        for name in ("coverage_pi", "coverage_p", "length"):
            values = cell[name].to_numpy()
            if values.std() > 0:
                for i, z in zip(
                    cell["replicate"], (values - values.mean()) / values.std(), strict=True
                ):
                    far[i] = far.get(i, 0) + z**2
    assert simulation.typical(each, 4) == min(far, key=far.get)
    with pytest.raises(ValueError, match=r"value: found 3, expected one of 1\.0, 4\.0"):
        simulation.typical(each, 3)


# Many replicates


@pytest.fixture(scope="module")
def reference():
    """A small run of each study."""
    return {
        setting: simulation.run(setting, [VALUES[setting]], replicates=12, **SMALL, **QUIET)
        for setting in SETTINGS
    }


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_frame_has_a_row_for_each_model_value_test_and_label(reference, setting):
    frame = reference[setting]
    figures = list(itertools.chain(*((name, f"{name}_se") for name in replicates.METRICS)))
    assert frame.columns.tolist() == [
        *("model", "value", "test", "label"),
        *figures,
        *("replicates", "separated"),
    ]
    keys = list(zip(*(frame[name] for name in ("model", "value", "test", "label")), strict=True))
    assert keys == list(
        itertools.product(MODELS[setting], [VALUES[setting]], ("iid", "shifted"), (0, 1))
    )
    assert frame["replicates"].eq(12).all()
    assert frame[figures].apply(lambda column: column.between(0, 1)).all(axis=None)


def test_means_and_standard_errors_are_over_replicates(reference):
    setting = "missing_interaction"
    each = simulation.run(setting, [VALUES[setting]], replicates=12, each=True, **SMALL, **QUIET)
    assert each.columns.tolist() == list(results.COLUMNS)
    for row in reference[setting].itertuples():
        own = each.query("model == @row.model and test == @row.test and label == @row.label")
        assert own["replicate"].tolist() == list(range(12))
        for name in replicates.METRICS:
            values = own[name].to_numpy()
            assert getattr(row, name) == pytest.approx(values.mean(), rel=1e-12)
            error = np.sqrt(((values - values.mean()) ** 2).sum() / 11 / 12)
            assert getattr(row, f"{name}_se") == pytest.approx(error, rel=1e-9, abs=1e-15)


def test_one_replicate_has_no_standard_error():
    frame = simulation.run("sample_size", 100, replicates=1, **SMALL, **QUIET)
    assert frame.filter(like="_se").isna().all(axis=None)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_neither_jobs_nor_order_nor_company_change_a_bit(reference, n_jobs):
    setting = "sample_size"
    frame = simulation.run(setting, [120, 90], replicates=12, n_jobs=n_jobs, **SMALL, **QUIET)
    own = frame[frame["value"] == 90].reset_index(drop=True)
    pd.testing.assert_frame_equal(own, reference[setting], check_exact=True)


def test_seeds_differ_between_studies_values_replicates_and_runs():
    seeds = itertools.product((0, 1), SETTINGS, (1.0, 2.0), (0, 1, 2**20))
    first = {np.random.default_rng(runner._seed(*seed)).random() for seed in seeds}
    assert len(first) == 2 * 3 * 2 * 3


def test_a_new_seed_is_taken_where_none_is_given():
    one, two = (
        simulation.run("sample_size", 100, replicates=2, progress=False, **SMALL) for _ in range(2)
    )
    assert not one.equals(two)


def test_a_dask_cluster_gives_the_same_bits(reference):
    from distributed import Client, LocalCluster

    setting = "missing_predictor"
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
        parallel_config(backend="dask"),
    ):
        frame = simulation.run(setting, [VALUES[setting]], replicates=12, **SMALL, **QUIET)
    pd.testing.assert_frame_equal(frame, reference[setting], check_exact=True)


def test_a_study_is_a_dozen_lines(monkeypatch):
    mine = simulation.Study(
        title="One covariate, steeper and steeper",
        value="slope",
        grid=(0.5, 2.0),
        n=200,
        covariates=simulation.Normal((0, 0), ((1, 0), (0, 1))),
        shifted=lambda slope: simulation.Normal((slope, 0), ((1, 0.5), (0.5, 1))),
        coefficients=lambda beta, slope: {(): beta[0], (0,): slope, (0, 0): 0.1},
        models={"right": ((0,), (0, 0)), "wrong": ((1,),)},
        least=-np.inf,
    )
    monkeypatch.setitem(STUDIES, "mine", mine)
    frame = simulation.run("mine", replicates=11, n_jobs=2, **SMALL, **QUIET)
    pd.testing.assert_frame_equal(frame, simulation.run("mine", replicates=11, **SMALL, **QUIET))
    assert sorted(set(frame["model"])) == ["right", "wrong"]
    assert sorted(set(frame["value"])) == [0.5, 2.0]
    X, _, logit_pi = simulation.draw("mine", 5, 0, value=-2)
    np.testing.assert_allclose(logit_pi, 1 - 2 * X[:, 0] + 0.1 * X[:, 0] ** 2)


def test_the_bar_counts_replicates(capsys):
    simulation.run("sample_size", 100, replicates=7, random_state=1, **SMALL)
    said = capsys.readouterr().err
    assert "7/7" in said
    assert "Study 1" in said
    simulation.run("sample_size", 100, replicates=7, **SMALL, **QUIET)
    assert capsys.readouterr().err == ""


# Files


def names_in(folder):
    return [path.name for path in folder.iterdir()]


def saved(path, **changes):
    options = {"values": [90], "replicates": 6, "path": path, **SMALL, **QUIET, **changes}
    return simulation.run("sample_size", **options)


def count_measured(monkeypatch):
    seen = []
    measure = runner.measure

    def counted(study, value, *rest):
        seen.append(value)
        return measure(study, value, *rest)

    monkeypatch.setattr(runner, "measure", counted)
    return seen


def test_a_run_goes_on_where_its_file_stops(tmp_path, monkeypatch):
    path = tmp_path / "run.parquet"
    whole = saved(None, values=[90, 120], replicates=9)
    seen = count_measured(monkeypatch)
    first = saved(path)
    assert len(seen) == 6
    saved(path)
    assert len(seen) == 6
    again = saved(path, values=[90, 120], replicates=9)
    assert seen[6:].count(90) == 3
    assert seen[6:].count(120) == 9
    pd.testing.assert_frame_equal(again, whole, check_exact=True)
    pd.testing.assert_frame_equal(saved(path), first, check_exact=True)
    assert len(seen) == 18
    assert names_in(tmp_path) == ["run.parquet"]


def test_a_file_keeps_its_own_seed(tmp_path):
    path = tmp_path / "run.parquet"
    first = saved(path, random_state=None)
    pd.testing.assert_frame_equal(first, saved(path, random_state=None), check_exact=True)
    longer = saved(path, random_state=None, replicates=8, each=True)
    (seed,) = {json.loads(pd.read_parquet(path).attrs[results.KEY])["random_state"]}
    pd.testing.assert_frame_equal(
        longer, saved(None, random_state=seed, replicates=8, each=True), check_exact=True
    )


def test_the_file_tells_what_it_is(tmp_path):
    path = tmp_path / "run.parquet"
    saved(path, recenter=True)
    frame = pd.read_parquet(path)
    said = json.loads(frame.attrs[results.KEY])
    assert said["version"] == results.VERSION
    assert said["setting"] == "sample_size"
    assert said["alpha"] == 0.05
    assert said["random_state"] == 7
    assert said["recenter"] is True
    assert said["beta"] == [1, 1, 1, 1]
    assert said["n_test"] == 40
    assert len(frame) == 6 * 3 * 2 * 2


def stop_after(monkeypatch, chunks, error):
    work = runner._measure_some
    left = iter(range(chunks))

    def stopping(*arguments):
        if next(left, None) is None:
            raise error
        return work(*arguments)

    monkeypatch.setattr(runner, "_measure_some", stopping)


def test_an_interrupted_run_keeps_what_is_done(tmp_path, monkeypatch):
    path = tmp_path / "run.parquet"
    with monkeypatch.context() as patch:
        stop_after(patch, 2, KeyboardInterrupt())
        with pytest.warns(UserWarning, match="interrupted after 10 of 14 replicates"):
            part = saved(path, replicates=14)
    assert part["replicates"].eq(10).all()
    pd.testing.assert_frame_equal(part, saved(None, replicates=10), check_exact=True)
    seen = count_measured(monkeypatch)
    pd.testing.assert_frame_equal(
        saved(path, replicates=14), saved(None, replicates=14), check_exact=True
    )
    assert len(seen) == 4 + 14


def test_a_failure_keeps_what_is_done_and_is_told(tmp_path, monkeypatch):
    path = tmp_path / "run.parquet"
    with monkeypatch.context() as patch:
        stop_after(patch, 1, ZeroDivisionError("a cable was pulled"))
        with pytest.raises(ZeroDivisionError, match="cable"):
            saved(path)
    assert len(pd.read_parquet(path)) == 5 * 3 * 2 * 2


def test_an_interruption_before_anything_is_done_is_one(tmp_path, monkeypatch):
    stop_after(monkeypatch, 0, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        saved(tmp_path / "run.parquet")
    assert names_in(tmp_path) == []


def test_ctrl_c_in_a_real_run_leaves_a_whole_file(tmp_path):
    path = tmp_path / "run.parquet"
    code = (
        "import warnings; warnings.simplefilter('ignore')\n"
        "from conformal_roc_widget import simulation\n"
        "from conformal_roc_widget import parallel as gather\n"
        "gather.SAVE_EVERY = 0.1\n"
        f"f = simulation.run('sample_size', [100], 100000, n_jobs=2, random_state=7, progress=False, path={str(path)!r}, **{SMALL})\n"
        "print(f['replicates'].max())\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as run:
        until = time.monotonic() + 60
        while not path.exists() and time.monotonic() < until:
            time.sleep(0.05)
        run.send_signal(signal.SIGINT)
        done = int(run.communicate(timeout=60)[0])
    assert 0 < done < 100_000
    assert names_in(tmp_path) == ["run.parquet"]
    each = pd.read_parquet(path)
    assert len(each) == 12 * done
    one = each[each["replicate"] == each["replicate"].max()].reset_index(drop=True)
    seed = runner._seed(7, "sample_size", 100.0, int(one["replicate"][0]))
    metrics, _ = replicates.measure(STUDIES["sample_size"], 100.0, 0.05, Options(**SMALL), seed)
    np.testing.assert_array_equal(one[list(replicates.METRICS)], metrics.reshape(-1, 5))


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "run.parquet"
    saved(path)
    before = path.read_bytes()

    def half(self, file, **options):
        file.write(b"PAR1 half")
        raise OSError("no space left on device")

    monkeypatch.setattr(pd.DataFrame, "to_parquet", half)
    with pytest.raises(OSError, match="no space"):
        saved(path, replicates=8)
    assert path.read_bytes() == before
    assert names_in(tmp_path) == ["run.parquet"]


def damaged(path, how):
    content = path.read_bytes()
    frame = pd.read_parquet(path)
    attrs = dict(frame.attrs)
    if how == "empty":
        path.write_bytes(b"")
    elif how == "half":
        path.write_bytes(content[: len(content) // 2])
    elif how == "text":
        path.write_text("value,replicate\n90,1\n")
    elif how == "a byte in the data":
        path.write_bytes(content[:300] + bytes([content[300] ^ 0xFF]) + content[301:])
    else:
        if how == "another table":
            frame = pd.DataFrame({"a": [1]})
        elif how == "no description":
            attrs = {}
        elif how == "rows missing":
            frame = frame.iloc[:-1]
        elif how == "a replicate twice":
            frame = pd.concat([frame, frame.iloc[-12:]])
        elif how == "a column missing":
            frame = frame.drop(columns="length")
        elif how == "values out of range":
            frame.loc[3, "length"] = 2.0
        elif how == "missing values":
            frame.loc[3, "length"] = np.nan
        frame.attrs = attrs
        frame.to_parquet(path)


@pytest.mark.parametrize(
    "how",
    [
        *("empty", "half", "text", "a byte in the data", "another table", "no description"),
        *("rows missing", "a replicate twice", "a column missing", "values out of range"),
        "missing values",
    ],
)
def test_a_damaged_file_is_refused_by_name_and_left_alone(tmp_path, how):
    path = tmp_path / "broken.parquet"
    saved(path)
    damaged(path, how)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r"broken\.parquet.*left as it is"):
        saved(path)
    assert path.read_bytes() == before
    assert names_in(tmp_path) == ["broken.parquet"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"alpha": 0.1}, r"alpha 0\.05, asked for is 0\.1"),
        ({"random_state": 8}, "random_state 7, asked for is 8"),
        ({"neighbors": 31}, "neighbors 30, asked for is 31"),
        ({"recenter": True}, "recenter False, asked for is True"),
        ({"beta": (1, 1, 1, 2)}, "beta"),
    ],
)
def test_a_file_of_another_run_is_refused(tmp_path, changes, message):
    path = tmp_path / "run.parquet"
    saved(path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=rf"run\.parquet: it is of {message}"):
        saved(path, **changes)
    assert path.read_bytes() == before


def test_a_file_of_another_study_or_version_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "run.parquet"
    saved(path)
    with pytest.raises(ValueError, match="it is of setting 'sample_size', asked for is 'missing_p"):
        simulation.run("missing_predictor", 1, replicates=2, path=path, **SMALL, **QUIET)
    monkeypatch.setattr(results, "VERSION", 2)
    with pytest.raises(ValueError, match=r"run\.parquet: it is of version 1.*version 2"):
        saved(path)


def test_without_pyarrow_the_message_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ModuleNotFoundError, match="pip install pyarrow"):
        saved(tmp_path / "run.parquet")


@pytest.mark.parametrize("name", ["", "no/such/folder/run.parquet"])
def test_a_path_that_cannot_be_written_is_refused_first(tmp_path, monkeypatch, name):
    seen = count_measured(monkeypatch)
    with pytest.raises(ValueError, match="path: found"):
        saved(tmp_path / name)
    assert seen == []


# Bad input


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"setting": "study_1"}, "setting: found 'study_1', expected one of 'sample_size'"),
        ({"setting": None}, "setting: found None"),
        ({"replicates": -1}, "replicates: found -1"),
        ({"replicates": 0}, "replicates: found 0"),
        ({"replicates": 2.5}, "replicates: found 2.5"),
        ({"replicates": True}, "replicates: found True"),
        ({"values": 3}, "n: found 3, which splits into 1 training and 2 calibration points"),
        ({"values": 7}, "n: found 7"),
        ({"values": 100.5}, "values: found 100.5, expected whole numbers"),
        ({"values": -100}, "values: found -100"),
        ({"values": []}, "values: found none"),
        ({"values": "many"}, "values: found 'many'"),
        ({"n": 300}, "n: found 300, expected none"),
        ({"setting": "missing_predictor", "values": -0.5}, "values: found -0.5"),
        ({"setting": "missing_predictor", "values": [1, np.nan]}, "values: found nan"),
        ({"setting": "missing_interaction", "values": np.inf}, "values: found inf"),
        ({"setting": "missing_interaction", "values": True}, "values: found True"),
        ({"setting": "missing_interaction", "n": 3}, "n: found 3"),
        ({"alpha": 0}, "alpha"),
        ({"random_state": -1}, "random_state: found -1"),
        ({"beta": (1, 1, 1)}, r"beta: found \(1, 1, 1\)"),
        ({"beta": (1, 1, 1, np.inf)}, "beta"),
        ({"beta": 1}, "beta: found 1"),
        ({"n_test": 1}, "n_test: found 1"),
        ({"neighbors": 0}, "neighbors: found 0"),
        ({"neighbors": None}, "neighbors: found None"),
        ({"calibration_size": 1}, "calibration_size: found 1"),
        ({"calibration_size": 0.999}, "n: found 100, which splits into 0 training"),
        ({"distance": "euclid"}, "distance: found 'euclid'"),
        ({"reference": "score"}, "reference: found 'score'"),
        ({"center": "middle"}, "center: found 'middle'"),
        ({"recenter": 1}, "recenter: found 1"),
        ({"bandwidth": "wide"}, "bandwidth: found 'wide'"),
        ({"quantile_rule": "none"}, "quantile_rule: found 'none'"),
    ],
)
def test_bad_input_is_refused_before_any_work(monkeypatch, arguments, message):
    seen = count_measured(monkeypatch)
    given = {"setting": "sample_size", "replicates": 2, **QUIET, **arguments}
    if given["setting"] == "sample_size" and "values" not in given:
        given["values"] = 100
    with pytest.raises(ValueError, match=message):
        simulation.run(**given)
    assert seen == []


def test_an_unknown_option_is_a_type_error():
    with pytest.raises(TypeError, match="neighbours"):
        simulation.run("sample_size", 100, neighbours=3, **QUIET)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"setting": "study_1"}, "setting"),
        ({"n": 0}, "n: found 0"),
        ({"n": 2.5}, "n: found 2.5"),
        ({"value": -1}, "value: found -1"),
        ({"value": np.nan}, "value: found nan"),
        ({"beta": (1, 2)}, "beta"),
    ],
)
def test_bad_input_to_draw(arguments, message):
    with pytest.raises(ValueError, match=message):
        simulation.draw(**{"setting": "missing_predictor", "n": 5, "rng": 0, **arguments})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"replicate": -1}, "replicate: found -1"), ({"random_state": None}, "random_state")],
)
def test_bad_input_to_evaluations(arguments, message):
    with pytest.raises(ValueError, match=message):
        simulation.evaluations(
            **{"setting": "sample_size", "value": 100, "random_state": 0, **arguments}
        )


def test_tiny_samples_are_drawn_again_until_both_labels_are_there():
    frame = simulation.run("sample_size", 12, replicates=20, n_test=3, **QUIET)
    assert frame.filter(regex="coverage|length").notna().all(axis=None)
    with pytest.raises(ValueError, match="no sample with both labels"):
        simulation.run("sample_size", 12, replicates=1, beta=(60, 0, 0, 0), **QUIET)


# What the studies say, on part of their grids (slow)


@pytest.mark.slow
def test_less_biased_models_have_shorter_intervals():
    frame = simulation.run("sample_size", 2000, n_jobs=2, **QUIET).query("test == 'iid'")
    for label in (0, 1):
        own = frame[frame["label"] == label].set_index("model")
        for one, two in (("M1", "M2"), ("M2", "M3")):
            gap = own["length"][two] - own["length"][one]
            assert gap > 5 * np.hypot(own["length_se"][one], own["length_se"][two])
        assert (own["coverage_pi"] > 0.95).all()
        assert (own["coverage_p"] > 0.999).all()


@pytest.mark.slow
def test_with_the_true_pi_the_intervals_cover_at_any_size():
    """Proposition 2.1, which needs no large sample."""
    for setting, value in (("sample_size", 200), ("missing_predictor", 5.5)):
        frame = simulation.run(setting, value, 400, n_jobs=2, reference="oracle", **QUIET)
        iid = frame[frame["test"] == "iid"]
        assert (iid["coverage_pi"] > 0.95 - 5 * iid["coverage_pi_se"]).all()


@pytest.mark.slow
def test_files_survive_a_kill_at_any_moment(tmp_path):
    """Killed hard while it saves all the time: the file is absent or whole."""
    path = tmp_path / "run.parquet"
    code = (
        "from conformal_roc_widget import simulation\n"
        "from conformal_roc_widget import parallel as gather\n"
        "gather.SAVE_EVERY = 0.0\n"
        f"simulation.run('sample_size', [100], 100000, random_state=7, progress=False, path={str(path)!r}, **{SMALL})\n"
    )
    for wait in (3.0, 3.3, 3.7):
        run = subprocess.Popen([sys.executable, "-c", code])
        time.sleep(wait)
        run.kill()
        run.wait()
        if path.exists():
            shutil.copy(path, tmp_path / "copy.parquet")
            saved(tmp_path / "copy.parquet", values=[100], replicates=1)
