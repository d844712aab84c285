"""Runs of the studies: their tables, their replicates, and the paper's findings."""

import itertools

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from small_studies import MODELS, QUIET, SETTINGS, SMALL, VALUES

from conformal_roc_widget import simulation
from conformal_roc_widget.simulation import replicate as replicates
from conformal_roc_widget.simulation.designs import STUDIES
from conformal_roc_widget.simulation.results_file import means_with_errors


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
    assert each.columns.tolist() == [
        *("value", "replicate", "model", "test", "label"),
        *replicates.METRICS,
        "separated",
    ]
    for row in reference[setting].itertuples():
        own = each.query("model == @row.model and test == @row.test and label == @row.label")
        assert own["replicate"].tolist() == list(range(12))
        for name in replicates.METRICS:
            values = own[name].to_numpy()
            assert getattr(row, name) == pytest.approx(values.mean(), rel=1e-12)
            error = np.sqrt(((values - values.mean()) ** 2).sum() / 11 / 12)
            assert getattr(row, f"{name}_se") == pytest.approx(error, rel=1e-9, abs=1e-15)


def test_separation_is_counted():
    frame = simulation.run(
        "missing_predictor", 200, replicates=3, n=30, beta=(0, 0, 0, 0), **SMALL, **QUIET
    )
    assert frame.query("model == 'M1'")["separated"].eq(3).all()
    assert frame.query("model == 'M2'")["separated"].eq(0).all()
    assert frame.filter(regex="coverage|length|width").notna().all(axis=None)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_neither_jobs_nor_order_nor_company_change_a_bit(reference, n_jobs):
    setting = "sample_size"
    frame = simulation.run(setting, [120, 90], replicates=12, n_jobs=n_jobs, **SMALL, **QUIET)
    own = frame[frame["value"] == 90].reset_index(drop=True)
    pd.testing.assert_frame_equal(own, reference[setting], check_exact=True)


@pytest.mark.parametrize("processes", [False, pytest.param(True, marks=pytest.mark.thorough)])
def test_a_dask_cluster_gives_the_same_bits(reference, processes):
    from distributed import Client, LocalCluster

    setting, many = "missing_predictor", {"n_workers": 2, "threads_per_worker": 1}
    with (
        LocalCluster(**many, processes=processes, dashboard_address=None) as cluster,
        Client(cluster),
        parallel_config(backend="dask"),
    ):
        frame = simulation.run(setting, [VALUES[setting]], replicates=12, **SMALL, **QUIET)
    pd.testing.assert_frame_equal(frame, reference[setting], check_exact=True)


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
    """Proposition 2.1, which holds at every sample size."""
    for setting, value in (("sample_size", 200), ("missing_predictor", 5.5)):
        frame = simulation.run(setting, value, 400, n_jobs=2, reference="oracle", **QUIET)
        iid = frame[frame["test"] == "iid"]
        assert (iid["coverage_pi"] > 0.95 - 5 * iid["coverage_pi_se"]).all()


def test_by_hand():
    (row,) = means_with_errors(("a",), np.array([[[1.0]], [[3.0]], [[5.0]]]))
    assert (row["a"], row["replicates"]) == (3.0, 3)
    assert row["a_se"] == pytest.approx(2 / 3**0.5)


def test_one_replicate_has_a_mean_and_no_error():
    (row,) = means_with_errors(("a",), np.array([[[0.25]]]))
    assert row["a"] == 0.25
    assert np.isnan(row["a_se"])
