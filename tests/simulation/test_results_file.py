"""Result files: their description, damaged files, and files of another run."""

import json

import numpy as np
import pandas as pd
import pytest
from small_studies import QUIET, SMALL, names_in, saved

from conformal_roc_widget import simulation
from conformal_roc_widget.simulation import results_file as results


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
