"""From data to a widget that can be shown, against R's pROC: `ci.se` with its 2000 replicates.

Our side splits, trains, calibrates and evaluates. It builds `ROCWidget` with its two messages, and
makes the first display bundle, with the picture for viewers that run no script. The drawing in the
browser is not measured. pROC gets the scores of the same test points, and gives limits at 101
specificities. The start of R and the reading of the data are not measured.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from table import Row, in_turn, report

from conformal_roc_widget import ConformalROC, ROCWidget

POINTS, RUNS = 2_000, 5
LIMIT = 1 / 50
TIMED = """
suppressMessages(library(pROC))
data <- read.csv(commandArgs(TRUE)[1])
time <- system.time(ci.se(
    roc(data$y, data$score, levels = c(0, 1), direction = "<"),
    specificities = seq(0, 1, 0.01), boot.n = 2000, progress = "none"
))
cat(time[["elapsed"]])
"""


def sample(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    X = rng.normal(size=(POINTS, 3))
    return X, (rng.random(POINTS) < expit(X.sum(axis=1))).astype(int)


def proc_seconds(data: Path) -> float:
    given = ["Rscript", "-e", TIMED, str(data)]
    return float(subprocess.run(given, capture_output=True, text=True, check=True).stdout)


def has_proc() -> bool:
    asked = ["Rscript", "-e", "library(pROC)"]
    return (
        shutil.which("Rscript") is not None
        and not subprocess.run(asked, capture_output=True).returncode
    )


def main() -> int:
    if not has_proc():
        print("left out: there is no R with pROC here (Debian: apt-get install r-cran-proc)")
        return 0
    rng = np.random.default_rng(0)
    train, test = sample(rng), sample(rng)

    def built() -> ROCWidget:
        model = ConformalROC(LogisticRegression(), random_state=0).fit(*train)
        return ROCWidget(model.evaluate(*test))

    evaluation = built().evaluation
    rival: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "scores.csv"
        columns = np.column_stack([evaluation.labels, evaluation.scores])
        np.savetxt(data, columns, delimiter=",", header="y,score", comments="")
        shown, made, _ = in_turn(
            lambda: built()._repr_mimebundle_(),
            built,
            lambda: rival.append(proc_seconds(data)),
            runs=RUNS,
            first=3,
        )
    what = f"{POINTS:,} test points, from the data to"
    return report(
        Row(f"{what} the widget's display bundle", shown, "pROC ci.se", rival, LIMIT),
        Row(f"{what} the widget's messages, no picture", made, "pROC ci.se", rival, LIMIT),
    )


if __name__ == "__main__":
    sys.exit(main())
