"""``conformal-roc``: a file of scores and labels in, a page or a picture out."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
from sklearn.model_selection import train_test_split
from traitlets import TraitError

from conformal_roc_widget.evaluation.from_scores import GUARANTEES, REFERENCES
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.shown.controls import BAND_KINDS, VIEWS
from conformal_roc_widget.widget.roc_widget import ROCWidget

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Endings of the file that is written, and the widget's method for each.
WRITERS = {".html": "to_html", ".svg": "to_svg", ".png": "to_png"}
READERS = {".csv": "read_csv", ".parquet": "read_parquet"}


def parser() -> argparse.ArgumentParser:
    """Arguments of the command."""
    made = argparse.ArgumentParser(
        prog="conformal-roc",
        description="Draw a ROC curve with its conformal band from a file of scores and labels.",
        epilog="The scores have to come from a classifier that has not seen these rows. Without "
        "--calibration all of them make the curve and its limits. With --guarantee individual one "
        "half of them, dealt at random by label, calibrates the band, and the curve is that of the "
        "other half.",
    )
    made.add_argument("scores", type=Path, help="CSV or Parquet file, a row a case")
    made.add_argument("--score", required=True, help="column of the scores, probabilities")
    made.add_argument("--label", required=True, help="column of the labels, of two classes")
    made.add_argument("-o", "--output", type=Path, required=True, help=".html, .svg or .png file")
    made.add_argument("--calibration", type=Path, help="file of the same columns that calibrates")
    made.add_argument("--pos-label", help="the positive class; by default the second when sorted")
    made.add_argument("--alpha", type=float, default=0.05, help="0.05 for 95 %% (the default)")
    made.add_argument("--threshold", type=float, default=0.5, help="0.5 by default")
    made.add_argument("--band", choices=BAND_KINDS, help="by default what the data allow")
    made.add_argument("--guarantee", choices=GUARANTEES, help="by default what the data allow")
    made.add_argument("--reference", choices=REFERENCES, help="of --guarantee individual")
    made.add_argument("--view", choices=VIEWS, default=VIEWS[0])
    made.add_argument("--name", help="of the classifier")
    made.add_argument("--title", help="of the page or the picture")
    made.add_argument("--seed", type=int, default=0, help="of the random halves, 0 by default")
    return made


def table_of(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    """The columns of a file, or a ValueError that names what is not there."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise ValueError(f"{path}: found {path.suffix or 'no ending'}, expected .csv or .parquet")
    if not path.is_file():
        raise ValueError(f"{path}: found no such file")
    table: pd.DataFrame = getattr(pd, reader)(path)
    for column in columns:
        if column not in table:
            known = ", ".join(map(str, table.columns))
            raise ValueError(f"{path}: found the columns {known}, expected one named {column}")
    return table[list(columns)]


def class_named(text: str | None, labels: NDArray[Any]) -> Any:
    """The class with this text, where the labels may be numbers."""
    if text is None:
        return None
    classes = pd.unique(labels).tolist()
    found = [each for each in classes if str(each) == text]
    if not found:
        raise ValueError(f"--pos-label: found {text}, expected one of {classes}")
    return found[0]


def run(given: argparse.Namespace) -> str:
    """Writes the file, and says in one sentence what it holds."""
    writer = WRITERS.get(given.output.suffix.lower())
    if writer is None:
        expected = ", ".join(WRITERS)
        raise ValueError(f"--output: found {given.output}, expected a name that ends in {expected}")
    columns = (given.label, given.score)
    calibration, test = None, table_of(given.scores, columns)
    if given.calibration is not None:
        calibration = table_of(given.calibration, columns)
    elif given.guarantee == "individual":
        calibration, test = halves(test, given.label, given.seed)
    else:
        check_labels(test, given.label)
    tables = [test] if calibration is None else [calibration, test]
    arrays = [table[column].to_numpy() for table in tables for column in columns]
    chosen = {"band": given.band} if given.band is not None else {}
    widget = ROCWidget.from_predictions(
        *arrays,
        guarantee=given.guarantee,
        reference=given.reference,
        pos_label=class_named(given.pos_label, arrays[0]),
        alpha=given.alpha,
        threshold=given.threshold,
        view=given.view,
        name=given.name,
        **chosen,
    )
    getattr(widget, writer)(given.output, title=given.title)
    evaluation = widget.evaluation
    assert isinstance(evaluation, RocEvaluation)
    auc = evaluation.observed_auc
    notes = "".join(f"\nNote: {note}" for note in evaluation.notes)
    by = "them" if calibration is None else f"{len(calibration)}"
    return f"{given.output}: AUC {auc:.3f} on {len(test)} rows, limits made by {by}{notes}"


def check_labels(table: pd.DataFrame, label: str, least: int = 1) -> None:
    """Refuses a column that has not so many rows of each of two labels."""
    counts = table[label].value_counts(dropna=False)
    if len(counts) != 2 or counts.min() < least:
        found = ", ".join(f"{name!r}: {n}" for name, n in counts.head(4).items())
        each = "" if least == 1 else f" of at least {least} rows each"
        raise ValueError(
            f"--label {label}: found rows by label {{{found}}}, expected two labels{each}"
        )


def halves(table: pd.DataFrame, label: str, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Two random halves with the same share of each label."""
    check_labels(table, label, least=2)
    stratify = table[label].to_numpy()
    first, second = train_test_split(table, test_size=0.5, stratify=stratify, random_state=seed)
    return first, second


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code of the command: 2 with one sentence where an argument or the data are bad."""
    made = parser()
    try:
        print(run(made.parse_args(arguments)))  # noqa: T201
    except (TypeError, ValueError, ImportError, OSError, TraitError) as error:
        made.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
