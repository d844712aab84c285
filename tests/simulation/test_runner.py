"""Seeds of replicates, and runs that are interrupted, fail or continue."""

import itertools
import json
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
from small_studies import SETTINGS, SMALL, count_measured, names_in, saved, stop_after

from conformal_roc_widget import simulation
from conformal_roc_widget.simulation import replicate as replicates
from conformal_roc_widget.simulation import results_file as results
from conformal_roc_widget.simulation.designs import STUDIES
from conformal_roc_widget.simulation.options import Options
from conformal_roc_widget.simulation.runner import study_seed


def test_seeds_differ_between_studies_values_replicates_and_runs():
    seeds = itertools.product((0, 1), SETTINGS, (1.0, 2.0), (0, 1, 2**20))
    first = {np.random.default_rng(study_seed(*seed)).random() for seed in seeds}
    assert len(first) == 2 * 3 * 2 * 3


def test_a_new_seed_is_taken_where_none_is_given():
    one, two = (
        simulation.run("sample_size", 100, replicates=2, progress=False, **SMALL) for _ in range(2)
    )
    assert not one.equals(two)


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


@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.thorough)])
def test_ctrl_c_in_a_real_run_leaves_a_whole_file(tmp_path, n_jobs):
    path = tmp_path / "run.parquet"
    code = (
        "import warnings; warnings.simplefilter('ignore')\n"
        "from conformal_roc_widget import simulation\n"
        "from conformal_roc_widget import parallel as gather\n"
        "gather.SAVE_EVERY = 0.1\n"
        f"f = simulation.run('sample_size', [100], 100000, n_jobs={n_jobs}, random_state=7, progress=False, path={str(path)!r}, **{SMALL})\n"
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
    seed = study_seed(7, "sample_size", 100.0, int(one["replicate"][0]))
    metrics, _ = replicates.measure(STUDIES["sample_size"], 100.0, 0.05, Options(**SMALL), seed)
    np.testing.assert_array_equal(one[list(replicates.METRICS)], metrics.reshape(-1, 5))


@pytest.mark.slow
def test_files_survive_a_kill_at_any_moment(tmp_path):
    """If the process is killed while it saves, the file is absent or complete."""
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


@pytest.mark.parametrize("name", ["", "no/such/folder/run.parquet"])
def test_a_path_that_cannot_be_written_is_refused_first(tmp_path, monkeypatch, name):
    seen = count_measured(monkeypatch)
    with pytest.raises(ValueError, match="path: found"):
        saved(tmp_path / name)
    assert seen == []


def test_without_pyarrow_the_message_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ModuleNotFoundError, match="pip install pyarrow"):
        saved(tmp_path / "run.parquet")
