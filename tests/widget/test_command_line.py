"""The command for users without a notebook: files, and errors that name what is wrong."""

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from conformal_roc_widget import RocEvaluation, ROCWidget
from conformal_roc_widget.widget.command_line import halves, main
from conformal_roc_widget.widget.score_files import Columns, class_named, table_of


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
    table.sort_values("p").to_csv("sorted.csv", index=False)
    table.assign(p=0.5).to_csv("same.csv", index=False)
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
    assert said.startswith(f"{name}: 600 rows")
    assert "600 rows; the band comes from these rows" in said


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
    first, second = halves(table[["y", "p"]], "y", 3)
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
    assert "600 rows; the band comes from 600 others" in capsys.readouterr().out


def test_without_one_all_rows_make_the_curve_and_its_limits(files, capsys):
    main(["scores.csv", *BASE, "-o", "roc.svg", "--name", "forest", "--title", "A <ward>"])
    assert "600 rows; the band comes from these rows" in capsys.readouterr().out
    assert "A &lt;ward&gt;" in Path("roc.svg").read_text()


def test_halves_have_the_same_share_of_each_label_and_no_row_in_common(table):
    first, second = halves(table, "y", 0)
    assert not set(first.index) & set(second.index)
    assert [(each.y == "ill").sum() for each in (first, second)] == pytest.approx(
        [(table.y == "ill").sum() / 2] * 2, abs=0.5
    )


def test_a_note_is_printed(files, capsys):
    main(["scores.csv", *BASE[:-1], "well", "-o", "roc.svg"])
    said = capsys.readouterr().out
    assert "Note: The AUC is 0.0" in said
    assert "If ill is the one to be found, say --pos-label ill." in said


def test_a_note_that_says_what_to_type_is_the_first(table, files, capsys):
    table.groupby("y").head(9).to_csv("few.csv", index=False)
    main(["few.csv", *BASE[:-1], "well", "-o", "roc.svg", "--guarantee", "individual"])
    notes = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Note: ")]
    assert len(notes) > 1
    assert ["--" in note for note in notes] == [True] + [False] * (len(notes) - 1)


def test_notes_on_the_reference_say_options(table, capsys, tmp_path, monkeypatch):
    """Scores that no kernel fits. Two notes advise options of the command."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    score = rng.beta(0.3, 0.3, 4000)
    steep = np.where(np.abs(score - 0.5) < 0.45, 0.05, 0.95)
    pd.DataFrame({"p": score, "y": rng.random(4000) < steep}).to_csv("odd.csv", index=False)
    asked = ["--guarantee", "individual", "--reference", "kernel", "-o", "roc.svg"]
    main(["odd.csv", "--score", "p", "--label", "y", *asked])
    said = capsys.readouterr().out
    assert "Try --reference sharp, or --guarantee simultaneous, which needs no" in said
    assert "=" not in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.csv", *BASE, "-o", "roc.html"], "none.csv: found no such file"),
        (["scores.xlsx", *BASE, "-o", "roc.html"], "found .xlsx, expected .csv, .tsv, .parquet"),
        (["scores.csv", *BASE, "-o", "roc.doc"], "expected a name that ends in .html, .svg, .png"),
        (["scores.csv", "--score", "q", *BASE[2:], "-o", "a.html"], "expected one named q"),
        (["scores.csv", *BASE[:-1], "sick", "-o", "a.html"], "--pos-label: found sick, expected"),
        (["scores.csv", *BASE, "-o", "a.html", "--alpha", "95"], "error: --alpha: found 95.0"),
        (
            ["scores.csv", *BASE, "-o", "a.html", "--alpha", "5%"],
            "error: --alpha: found '5%', expected a number",
        ),
        (
            ["scores.csv", *BASE, "-o", "a.html", "--threshold", "half"],
            "error: --threshold: found 'half', exp",
        ),
        (
            ["scores.csv", "--score", "age", *BASE[2:], "-o", "a.html"],
            "error: --score age: found 1",
        ),
        (["same.csv", *BASE, "-o", "a.html"], "error: --score p: found 1 distinct score"),
        (
            ["scores.csv", *BASE, "-o", "a.html", "--calibration", "sorted.csv"],
            "error: --calibration: found the rows of scores.csv in sorted.csv",
        ),
        (["scores.csv", "--score", "p", "--label", "age", "-o", "a.html"], "expected two labels"),
    ],
)
def test_bad_input_is_one_sentence_that_names_it(files, capsys, arguments, said):
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    error = capsys.readouterr().err
    assert said in error
    usage, *rest = error.splitlines()
    assert (
        usage == "usage: conformal-roc scores.csv --score COLUMN --label COLUMN -o FILE [options]"
    )
    assert rest[0].startswith("conformal-roc: error: ")
    assert "Traceback" not in error


def written(table, name, **how):
    """Writes the table to a file that restores it exactly."""
    if ".parquet" in name:
        table.to_parquet(name)
    else:
        table.to_csv(name, index=False, sep="\t" if ".tsv" in name else ",", **how)
    return Path(name)


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".csv.bz2", ".CSV.xz", ".tsv", ".tsv.gz"])
def test_text_is_read_to_the_last_digit_packed_or_not(files, table, ending):
    read = table_of(written(table, f"again{ending}"), Columns("p", "y"))
    pd.testing.assert_frame_equal(read, table[["p", "y"]])


@pytest.mark.parametrize("separator", list(";\t|"))
def test_a_csv_may_part_its_columns_otherwise(files, table, separator):
    table.to_csv("other.csv", index=False, sep=separator)
    pd.testing.assert_frame_equal(table_of(Path("other.csv"), Columns("p", "y")), table[["p", "y"]])


@pytest.mark.parametrize("name", ["None", "NA", "nan", "null", "N/A", "NULL", "inf"])
def test_a_class_may_be_called_like_a_missing_value(files, table, name):
    file = written(table.replace({"y": {"ill": name}}), "named.csv")
    assert set(table_of(file, Columns("p", "y")).y) == {name, "well"}
    assert (
        main(["named.csv", "--score", "p", "--label", "y", "--pos-label", name, "-o", "a.svg"]) == 0
    )


@pytest.mark.parametrize(
    ("zero", "one", "text", "positive"),
    [
        (0, 1, "1", 1),
        (0.0, 1.0, "1", 1.0),
        (0.0, 1.0, "0.0", 0.0),
        (0, 1, "1.0", 1),
        (False, True, "true", True),
        (False, True, "1", True),
        ("No", "Yes", "yes", "Yes"),
        ("no", "No", "No", "No"),
    ],
)
@pytest.mark.parametrize("file", ["other.csv", "other.parquet"])
def test_the_positive_class_may_be_written_as_a_number_or_a_word(
    files, table, zero, one, text, positive, file
):
    labels = pd.Series([one if each == "ill" else zero for each in table.y])
    read = table_of(written(table.assign(y=labels), file), Columns("p", "y"))
    assert class_named(text, read.y.to_numpy()) == positive


def test_row_names_without_a_header_and_separators_at_the_end_move_no_column(files, table):
    rows = list(zip(table.p, table.y, strict=True))
    named = "".join(f'"{i}",{p!r},"{y}"\n' for i, (p, y) in enumerate(rows))
    Path("r.csv").write_text(f'"p","y"\n{named}')
    Path("ends.csv").write_text("p, y\n" + "".join(f"{p!r} , {y} ,\n" for p, y in rows))
    for name in ("r.csv", "ends.csv"):
        pd.testing.assert_frame_equal(table_of(Path(name), Columns("p", "y")), table[["p", "y"]])


def test_a_column_of_a_parquet_file_may_be_its_index_or_twice_beside(files, table):
    table.set_index("y").to_parquet("index.parquet")
    read = table_of(Path("index.parquet"), Columns("p", "y"))
    pd.testing.assert_frame_equal(read, table[["p", "y"]])
    parquet.write_table(pa.table([table.p, table.age, table.age], ["p", "y", "y"]), "twice.parquet")
    with pytest.raises(
        ValueError, match=r"twice\.parquet: found y 2 times among the columns p, y, y"
    ):
        table_of(Path("twice.parquet"), Columns("p", "y"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"p,y\n", "odd.csv: found no rows"),
        (b"", "odd.csv: found no line"),
        (b"p,y,p\n.5,1,.5\n", "odd.csv: found p 2 times among the columns p, y, p"),
        (b"p,y\n.5,1\n.5,\n", "odd.csv, --label y: found 1 of 2 rows without a label"),
        (b"p,y\n.5,1\n,0\n", "odd.csv, --score p: found '' in row 2, expected numbers"),
        (b"p;y\n0,5;1\n", "found '0,5' in row 1, expected numbers with a decimal"),
        (b"p,y\n.5,1\ninf,0\n", "odd.csv, --score p: found 0 NaN and 1 infinite values"),
        (b"p,y\n.5,1\n.5,0,7\n", "odd.csv: found 3 cells in row 2, expected 2 as in the first"),
        (b"p,y\n.5,1\nnan,0\n", "odd.csv, --score p: found 1 NaN"),
        ("p,y\n.5,groß\n".encode("latin-1"), "odd.csv: found bytes that are no UTF-8"),
        ("p,y\n.5,1\n".encode("utf-16"), "odd.csv: found bytes that are no UTF-8"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_name(files, capsys, text, said):
    Path("odd.csv").write_bytes(text)
    for more in ([], ["--calibration", "scores.csv"]):
        with pytest.raises(SystemExit, match="2"):
            main(["odd.csv", "--score", "p", "--label", "y", *more, "-o", "a.svg"])
        assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--score", "y", "--label", "y"], "--score, --label: found y for both"),
        ([*BASE, "--calibration", "scores.csv"], "found the rows of scores.csv in scores.csv"),
        (
            [*BASE, "--calibration", "numbers.csv"],
            "--calibration numbers.csv: found the labels 0, 1",
        ),
        ([*BASE, "--reference", "sharp"], "--reference: found sharp without rows that calibrate"),
    ],
)
def test_options_that_do_not_go_together_are_named(files, table, capsys, arguments, said):
    written(table.assign(y=table.y == "ill").astype({"y": int}), "numbers.csv")
    with pytest.raises(SystemExit, match="2"):
        main(["scores.csv", *arguments, "-o", "a.svg"])
    assert said in capsys.readouterr().err


def test_files_that_are_not_what_their_ending_says_are_named(files, capsys):
    Path("folder.csv").mkdir()
    for name in ("false.csv.gz", "false.csv.bz2", "false.csv.xz", "false.parquet"):
        Path(name).write_text("p,y\n.5,1\n")
    for name in ("folder.csv", *map(str, Path().glob("false*"))):
        with pytest.raises(SystemExit, match="2"):
            main([name, *BASE, "-o", "a.svg"])
        assert f"error: {name}: " in capsys.readouterr().err
