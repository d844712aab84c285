"""The command for those who have no notebook: files, and errors that name what is wrong."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from conformal_roc_widget import RocEvaluation, ROCWidget
from conformal_roc_widget.widget.command_line import halves, main


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    ill = rng.random(600) < 0.4
    score = 1 / (1 + np.exp(-(2 * ill - 1 + rng.normal(size=600))))
    return pd.DataFrame({"p": score, "y": np.where(ill, "ill", "well"), "age": 50})


@pytest.fixture
def files(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table.to_csv("scores.csv", index=False)
    table.to_parquet("scores.parquet")
    return tmp_path


BASE = ["--score", "p", "--label", "y", "--pos-label", "ill"]


@pytest.mark.parametrize("source", ["scores.csv", "scores.parquet"])
@pytest.mark.parametrize(
    ("name", "begins"), [("roc.html", b"<!doctype"), ("roc.svg", b"<svg"), ("roc.png", b"\x89PNG")]
)
def test_a_file_becomes_a_page_or_a_picture(files, capsys, source, name, begins):
    assert main([source, *BASE, "-o", name]) == 0
    assert (files / name).read_bytes().lower().startswith(begins.lower())
    said = capsys.readouterr().out
    assert said.startswith(f"{name}: AUC 0.9")
    assert "on 600 rows, limits made by them" in said


def test_the_page_is_the_one_that_python_writes(files, table):
    main(
        [
            "scores.csv",
            *BASE,
            "-o",
            "roc.html",
            "--alpha",
            "0.1",
            "--band",
            "both",
            "--seed",
            "3",
            "--guarantee",
            "individual",
            "--name",
            "forest",
        ]
    )
    first, second = halves(pd.read_csv("scores.csv")[["y", "p"]], "y", 3)
    evaluation = RocEvaluation.from_predictions(
        first.y.to_numpy(),
        first.p.to_numpy(),
        second.y.to_numpy(),
        second.p.to_numpy(),
        reference="sharp",
        pos_label="ill",
    )
    ROCWidget(evaluation, alpha=0.1, band="both", name="forest").to_html("own.html")
    assert (files / "roc.html").read_text() == (files / "own.html").read_text()


def test_a_calibration_file_leaves_all_rows_to_the_curve(files, capsys):
    others = pd.read_csv("scores.csv")
    others["p"] **= 2
    others.to_csv("others.csv")
    main(["scores.csv", *BASE, "-o", "roc.svg", "--calibration", "others.csv"])
    assert "on 600 rows, limits made by 600" in capsys.readouterr().out


def test_without_one_all_rows_make_the_curve_and_its_limits(files, capsys):
    main(["scores.csv", *BASE, "-o", "roc.svg", "--name", "forest", "--title", "A <ward>"])
    assert "on 600 rows, limits made by them" in capsys.readouterr().out
    assert "A &lt;ward&gt;" in Path("roc.svg").read_text()


def test_halves_have_the_same_share_of_each_label_and_no_row_in_common(table):
    first, second = halves(table, "y", 0)
    assert not set(first.index) & set(second.index)
    assert [(each.y == "ill").sum() for each in (first, second)] == pytest.approx(
        [(table.y == "ill").sum() / 2] * 2, abs=0.5
    )


def test_a_note_is_printed(files, capsys):
    main(["scores.csv", *BASE[:-1], "well", "-o", "roc.svg"])
    assert "Note: The AUC is 0.0" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.csv", *BASE, "-o", "roc.html"], "none.csv: found no such file"),
        (["scores.xlsx", *BASE, "-o", "roc.html"], "found .xlsx, expected .csv or .parquet"),
        (["scores.csv", *BASE, "-o", "roc.doc"], "expected a name that ends in .html, .svg, .png"),
        (["scores.csv", "--score", "q", *BASE[2:], "-o", "a.html"], "expected one named q"),
        (["scores.csv", *BASE[:-1], "sick", "-o", "a.html"], "--pos-label: found sick, expected"),
        (["scores.csv", *BASE, "-o", "a.html", "--alpha", "95"], "alpha"),
        (["scores.csv", "--score", "age", *BASE[2:], "-o", "a.html"], "score"),
        (["scores.csv", "--score", "p", "--label", "age", "-o", "a.html"], "expected two labels"),
    ],
)
def test_bad_input_is_one_sentence_that_names_it(files, capsys, arguments, said):
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error
