"""The command ``conformal-roc``, which makes a page or a picture from a file of scores."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sklearn.model_selection import train_test_split
from traitlets import TraitError

from conformal_roc_widget.arrays import shortened
from conformal_roc_widget.calibration.references.kernel import check_scores
from conformal_roc_widget.evaluation.from_own_rows import are_same_rows
from conformal_roc_widget.evaluation.from_scores import GUARANTEES, REFERENCES
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.shown.controls import BAND_KINDS, VIEWS
from conformal_roc_widget.text import EXACT, percent

from .roc_widget import ROCWidget
from .score_files import Columns, check_labels, class_named, table_of
from .traits import Number, alpha_trait, finite_trait
from .written import check_ending

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


def parser() -> argparse.ArgumentParser:
    """Makes the parser of the command's arguments."""
    made = argparse.ArgumentParser(
        prog="conformal-roc",
        # argparse prints the usage before each error. The usage that it generates would list every
        # option.
        usage="%(prog)s scores.csv --score COLUMN --label COLUMN -o FILE [options]",
        description="Draw a ROC curve with its conformal band from a file of scores and labels.",
        epilog="The scores have to come from a classifier that has not seen these rows. Without "
        "--calibration all of them make the curve and its limits. With --guarantee individual one "
        "half of them, dealt at random by label, calibrates the band, and the curve is that of the "
        "other half.",
    )
    made.add_argument("--version", action="version", version=version("conformal_roc_widget"))
    made.add_argument("scores", type=Path, help="CSV, TSV or Parquet file, a row a case")
    made.add_argument("--score", required=True, help="column of the scores")
    made.add_argument("--label", required=True, help="column of the labels, of two classes")
    made.add_argument(
        "-o", "--output", type=Path, required=True, help=".html, .svg, .png or .pdf file"
    )
    made.add_argument("--calibration", type=Path, help="file of the same columns that calibrates")
    made.add_argument("--pos-label", help="the positive class; by default the second when sorted")
    made.add_argument("--alpha", default=0.05, help="0.05 for 95 %% (the default)")
    made.add_argument("--threshold", help="0.5 by default, or the middle score")
    made.add_argument("--band", choices=BAND_KINDS, help="by default what the data allow")
    made.add_argument("--guarantee", choices=GUARANTEES, help="by default what the data allow")
    made.add_argument("--reference", choices=REFERENCES, help="of --guarantee individual")
    made.add_argument("--view", choices=VIEWS, default=VIEWS[0])
    made.add_argument("--name", help="of the classifier")
    made.add_argument("--title", help="of the page or the picture")
    made.add_argument("--seed", type=int, default=0, help="of the random halves, 0 by default")
    return made


def number_of(name: str, trait: Number, text: str | float) -> float:
    """Returns the number in `text`, checked by a trait of the widget. Errors name ``--name``."""
    try:
        value: str | float = float(text)
        if isinstance(text, str) and abs(float(value)) > EXACT and text.lstrip("+-").isdecimal():
            value = int(text)
    except ValueError:
        value = text
    return trait.checked(f"--{name}", value)


def run(given: argparse.Namespace) -> str:
    """Writes the file, and returns the text that the command prints."""
    check_ending(given.output, "--output")
    calibration, test = tables_of(given)
    tables = [test] if calibration is None else [calibration, test]
    arrays = _arrays(tables, Columns(given.score, given.label))
    scores = arrays[1]
    check_scores(scores, f"--score {given.score}")
    chosen = {"band": given.band} if given.band is not None else {}
    widget = ROCWidget.from_predictions(
        *arrays,
        guarantee=given.guarantee,
        reference=given.reference,
        pos_label=class_named(given.pos_label, arrays[0]),
        alpha=number_of("alpha", alpha_trait(), given.alpha),
        threshold=None
        if given.threshold is None
        else number_of("threshold", finite_trait(), given.threshold),
        view=given.view,
        name=given.name,
        **chosen,
    )
    widget.save(given.output, title=given.title)
    evaluation = widget.evaluation
    assert isinstance(evaluation, RocEvaluation)
    # Some notes give advice, for which `with_options` names the command-line option. These notes
    # come first.
    notes = sorted(evaluation.notes, key=lambda note: note.with_options == note)
    by = "these rows" if calibration is None else f"{len(calibration):,} others"
    first = f"{given.output}: {len(test):,} rows; the band comes from {by}"
    said = said_of(evaluation, widget.threshold, widget.alpha)
    return "\n".join([first, *said, *(f"Note: {note.with_options}" for note in notes)])


def said_of(evaluation: RocEvaluation, threshold: float, alpha: float) -> list[str]:
    """Returns lines to print: the classifier's area and rates, with limits for the population."""
    area, sure = evaluation.auc(alpha), percent(1 - alpha)
    estimate, lower, upper = area
    lines = [f"AUC {estimate:.3f}, {sure} {lower:.3f} to {upper:.3f} ({area.method})"]
    at, point = f"At threshold {threshold:g}: ", evaluation.sampled_point(threshold, alpha)
    if point is None:
        return lines
    most, least = 1 - point.fpr_lower, 1 - point.fpr_upper
    limits = (
        f"sensitivity {point.sensitivity:.3f}, {point.tpr_lower:.3f} to {point.tpr_upper:.3f}",
        f"specificity {point.specificity:.3f}, {least:.3f} to {most:.3f}",
    )
    return [*lines, f"{at}{'; '.join(limits)} ({sure} each, Clopper-Pearson)"]


def _arrays(tables: Iterable[pd.DataFrame], columns: Columns) -> list[NDArray[Any]]:
    """Returns the labels and the scores of each table, in the order of `from_predictions`."""
    both = columns.label, columns.score
    return [table[column].to_numpy() for table in tables for column in both]


def tables_of(given: argparse.Namespace) -> tuple[pd.DataFrame | None, pd.DataFrame]:
    """Reads the calibration rows and the test rows that the arguments name.

    If the test rows themselves make the limits, the calibration rows are None.
    """
    columns = Columns(given.score, given.label)
    test = table_of(given.scores, columns)
    check_labels(test, given.label)
    if given.calibration is None:
        if given.guarantee == "individual":
            return halves(test, given.label, given.seed)
        if given.reference is not None:
            raise ValueError(
                f"--reference: found {given.reference} without rows that calibrate, expected it "
                "with --calibration or --guarantee individual"
            )
        return None, test
    calibration = table_of(given.calibration, columns)
    check_labels(calibration, given.label)
    both = [set(table[given.label].tolist()) for table in (calibration, test)]
    if both[0] != both[1]:
        raise ValueError(
            f"--calibration {given.calibration}: found the labels {shortened(sorted(both[0]))}, "
            f"expected those of {given.scores}: {shortened(sorted(both[1]))}"
        )
    if are_same_rows(*_arrays([calibration, test], columns)):
        raise ValueError(
            f"--calibration: found the rows of {given.scores} in {given.calibration}, expected "
            "other rows: without it all rows make the curve and its limits"
        )
    return calibration, test


def halves(table: pd.DataFrame, label: str, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Divides a table at random into halves with equal shares of each label."""
    check_labels(table, label, least=2)
    stratify = table[label].to_numpy()
    first, second = train_test_split(table, test_size=0.5, stratify=stratify, random_state=seed)
    return first, second


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command, and returns its exit code.

    If an argument or the data are wrong, the exit code is 2, and a sentence says why.
    """
    made = parser()
    try:
        text = run(made.parse_args(arguments))
    except (TypeError, ValueError, ImportError, OSError, TraitError) as error:
        made.error(str(error))
    say(text)
    return 0


def say(text: str) -> None:
    """Prints a text. Letters that the terminal cannot show are replaced. Errors are ignored."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    # If the reader of a pipe has closed it, printing raises an OSError.
    with suppress(OSError, ValueError):
        print(text.encode(encoding, "replace").decode(encoding), flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
