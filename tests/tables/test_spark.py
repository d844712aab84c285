"""`from_table` on PySpark, if the machine has Java. PySpark has 479 MB, so no lock file has it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from programs import in_environment

PYSPARK = "pyspark==4.3.0"
JAVA = 17

#: The curves of the table on Spark and of the same table in a file must be equal in every bit.
CODE = """
import sys, warnings
import numpy as np
from pyspark.sql import SparkSession
from conformal_roc_widget import RocEvaluation

spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
y = np.arange(400) % 2
calibration = {"y_calibration": y, "score_calibration": np.random.default_rng(0).beta(2 + y, 3 - y)}
columns = {"score": "p", "label": "y", **calibration}
for more in ({}, {"weight": "w"}):
    on_spark, of_file = (
        RocEvaluation.from_table(source, **columns, **more)
        for source in (spark.read.parquet(sys.argv[1]), sys.argv[1])
    )
    one, two = (each.band(0.1) for each in (on_spark, of_file))
    for name in ("thresholds", "fpr", "tpr", "tpr_lower", "tpr_upper", "fpr_lower", "fpr_upper"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    assert on_spark.ideal_auc_range(0.1) == of_file.ideal_auc_range(0.1)
    assert on_spark.error == of_file.error > 0
    print("equal", on_spark.n_test)
spark.stop()
"""


def java():
    """A message if Spark cannot use any Java, else an empty text."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=str(Path(home, "bin")) if home else None)
    if found is None:
        return "this machine has no Java"
    said = subprocess.run([found, "-version"], capture_output=True, text=True).stderr
    version = re.search(r'version "(?:1\\.)?(\d+)', said)
    if version is None or int(version[1]) < JAVA:
        return f"found Java {version and version[1]}, and Spark 4 needs {JAVA}"
    return None


@pytest.fixture(scope="module")
def pyspark(tmp_path_factory):
    """A folder with PySpark in it."""
    if reason := java():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("pyspark")
    command = [in_environment("uv"), "pip", "install", "-q", "--python", sys.executable]
    run = subprocess.run([*command, "--target", folder, PYSPARK], capture_output=True, text=True)
    if run.returncode:
        pytest.skip(f"{PYSPARK} was not to be had: {run.stderr.strip()[-200:]}")
    return folder


@pytest.mark.thorough
def test_a_table_on_spark_is_that_of_its_file_to_the_bit(pyspark, tmp_path):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 200_000)
    score = rng.beta(2 + y, 3 - y)
    score[:50], score[50:90], score[90:300] = 0, 1, 0.25
    weight = rng.integers(0, 4, y.size).astype(float)
    path = tmp_path / "scores.parquet"
    pl.DataFrame({"p": score, "y": y, "w": weight}).write_parquet(path)
    env = os.environ | {"PYTHONPATH": str(pyspark), "SPARK_LOCAL_IP": "127.0.0.1"}
    run = subprocess.run(
        [sys.executable, "-c", CODE, path], env=env, cwd=tmp_path, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("equal") == 2
