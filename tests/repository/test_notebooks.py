"""The saved notebooks, and the comparison that `make test` uses."""

import base64
import copy
import io
import os
import re
import shutil
import subprocess
import sys

import documents
import nbformat
import numpy as np
import pandas as pd
import pytest
from notebook_comparison import (
    NUMBER,
    PICTURES,
    RELATIVE,
    Number,
    difference,
    last_digit_is_free,
    pieces,
)
from PIL import Image

ROOT = documents.ROOT
execute, thin_results = documents.tool("execute"), documents.tool("thin_results")
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def outputs_of(path):
    for number, cell in enumerate(nbformat.read(path, as_version=4).cells):
        for output in cell.get("outputs", ()):
            yield number, output


def texts_of(path):
    for _, output in outputs_of(path):
        yield from ([output.text] if "text" in output else output.get("data", {}).values())


# The comparison of two texts


@pytest.mark.parametrize(
    ("saved", "new"),
    [
        ("0.5", "0.5"),
        ("0.3", "0.30000000000000004"),  # the last bit
        ("1e-05", "1.0000000001e-05"),
        ("  0.00  1", " -0.00  1"),
        ("<td>0.123456789</td>", "<td>0.123456788</td>"),
        ("AUC −0.5000001, width 2.0", "AUC -0.5000002, width 2.0"),
        ("1000000.5", "1000001.5"),  # 1e-6 of it
    ],
)
def test_a_person_sees_the_same(saved, new):
    assert difference(saved, new) is None
    assert difference(new, saved) is None


@pytest.mark.parametrize(
    ("saved", "new", "seen"),
    [
        ("0.52", "0.53", "number 1: found 0.53, expected 0.52"),
        ("0.5000", "0.50001", "number 1: found 0.50001, expected 0.5000"),
        ("1000000.5", "1000001.6", "number 1: found 1000001.6, expected 1000000.5"),
        ("1000000 points", "1000001 points", "number 1: found 1000001, expected 1000000"),
        ("0.5 wide", "-0.5 wide", "number 1: found -0.5, expected 0.5"),
        ("nan", "0.5", "text: found '', expected 'nan'"),
        ("1", "1.0", "number 1: found 1.0, expected 1"),
        ("width 0.5", "length 0.5", "text: found 'length', expected 'width'"),
        ("0.5 0.6", "0.5  0.6 0.7", "numbers: found 3, expected 2"),
        ("0.5\n0.6\n", "0.5\n", "numbers: found 1, expected 2"),
        ("a  b", "a b", "text: found 'a b', expected 'a  b'"),
        ("x2", "x3", "text: found 'x3', expected 'x2'"),
        ("1.2.3", "1.2.4", "text: found '1.2.4', expected '1.2.3'"),
        ("", "0.5", "numbers: found 1, expected 0"),
    ],
)
def test_a_person_sees_a_difference(saved, new, seen):
    assert difference(saved, new) == seen
    assert difference(new, saved) is not None


def test_a_printed_number_is_read_as_it_stands():
    words, numbers = pieces("n = 12: 0.50 (-1.5e-03 to 2) 3rd")
    assert words == ["n =", ":", " (", " to", ") 3rd"]
    assert [str(number.value) for number in numbers] == ["12", "0.50", "-0.0015", "2"]
    assert [str(number.unit) for number in numbers] == ["1", "0.01", "0.0001", "1"]
    assert [number.whole for number in numbers] == [True, False, False, True]


@pytest.mark.parametrize(
    ("saved", "new", "same"),
    [
        ("0.52", "0.53", True),  # 0.525 rounds to both
        ("0.52", "0.54", False),
        ("9.99", "10.00", True),
        ("0.52", "0.525", True),
        ("0.52", "0.5251", False),
        ("1.5e-03", "1.6e-03", True),
        ("12 points", "13 points", False),  # counts are compared exactly
        ("0.52 wide", "0.53 long", False),
    ],
)
def test_half_a_unit_in_the_last_printed_digit(saved, new, same):
    assert (difference(saved, new, last_digit=True) is None) == same
    assert saved == new or difference(saved, new) is not None


def test_the_marker_needs_a_reason():
    assert last_digit_is_free("# NBVAL_LAST_DIGIT: means over threads\nprint(1)")
    assert not last_digit_is_free("print(1)")
    for source in ("# NBVAL_LAST_DIGIT", "# NBVAL_LAST_DIGIT:\nprint(1)"):
        with pytest.raises(ValueError, match=r"NBVAL_LAST_DIGIT: found no reason, expected one"):
            last_digit_is_free(source)


# Changed numbers in the notebooks must be detected


def one_of(some):
    """A comparison with one notebook cell, if there is one."""
    found = list(some)
    return found[len(found) // 2 :][:1]


def changed(text: str, match: re.Match[str], to: str) -> str:
    return text[: match.start(1)] + to + text[match.end(1) :]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_number_a_word_and_a_line_of_each_saved_text_count(path):
    for text in texts_of(path):
        if not isinstance(text, str) or text.startswith(("<svg", "iVBOR")):
            continue
        assert difference(text, text) is None
        for match in one_of(NUMBER.finditer(text)):
            number = Number(match[1])
            step = max(2 * number.unit, 2 * RELATIVE * abs(number.value))
            larger = changed(text, match, str(number.value + step))
            assert difference(text, larger, last_digit=True) is not None
            if not number.whole:
                nearly = changed(text, match, str(number.value * (1 + RELATIVE / 2)))
                assert difference(text, nearly) is None
        for match in one_of(re.finditer(r"([A-Za-z]{3,})", text)):
            assert difference(text, changed(text, match, "changed")) is not None
        lines = text.splitlines(keepends=True)
        for i in one_of(i for i, line in enumerate(lines) if line.strip()):
            assert difference(text, "".join(lines[:i] + lines[i + 1 :])) is not None


# Notebooks contain nothing that readers cannot see


def test_each_picture_is_there_once_and_all_are_small():
    for path in NOTEBOOKS:
        for number, output in outputs_of(path):
            pictures = set(output.get("data", {})) & set(PICTURES)
            assert pictures <= {"image/png"}, (path.stem, number)
    assert np.mean([path.stat().st_size for path in NOTEBOOKS]) < 214_000
    assert sum(path.stat().st_size for path in (ROOT / "notebooks/results").iterdir()) < 2e6


#: The text that a saved notebook has for objects without text.
OBJECT = re.compile(r"^(?:alt\.\w+\(\.{3}\)|<[\w.]+ object|\w+Box\(|<Figure |ROCWidget)")


def test_no_text_stands_in_the_place_of_a_picture():
    found = [
        (path.stem, number)
        for path in NOTEBOOKS
        for number, output in outputs_of(path)
        for data in [output.get("data", {})]
        if OBJECT.match(data.get("text/plain", ""))
        and not data.keys() & {"image/png", "text/html", "text/markdown"}
    ]
    assert found == []


def chart():
    picture = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40">{}</svg>'
    circles = "".join(f'<circle cx="{i % 60}" cy="20" r="9" fill="#07c"/>' for i in range(200))
    return nbformat.from_dict(
        {
            "output_type": "display_data",
            "metadata": {},
            "data": {
                "application/vnd.vegalite.v5+json": {"mark": "point"},
                "image/svg+xml": picture.format(circles),
                "text/plain": "alt.Chart(...)",
            },
        }
    )


def test_a_saved_chart_is_a_picture_that_needs_no_trust():
    detailed, plain = chart(), chart()
    plain.data["image/svg+xml"] = plain.data["image/svg+xml"].partition("<circle")[0] + "</svg>"
    for output in (detailed, plain):
        execute.keep_one_picture(output)
        assert set(output.data) == {"image/png", "text/plain"}
        assert output.metadata["image/png"] == {"width": 60, "height": 40}
        picture = Image.open(io.BytesIO(base64.b64decode(output.data["image/png"])))
        assert picture.size == (60 * execute.SCALE, 40 * execute.SCALE)
    before = copy.deepcopy(detailed)
    execute.keep_one_picture(detailed)
    assert detailed == before


def test_a_picture_in_few_colours_looks_the_same():
    greens = np.random.default_rng(0).integers(0, 256, (100, 200), dtype=np.uint8)
    pixels = np.stack([np.zeros_like(greens), greens, np.full_like(greens, 180)], axis=-1)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    few = Image.open(io.BytesIO(execute.in_few_colours(file.getvalue())))
    assert len(few.getcolors()) <= execute.COLOURS
    assert np.abs(np.asarray(few.convert("RGB"), int) - pixels).max() <= 8


@pytest.mark.parametrize(("index", "places"), [("replicate", 16), ("replicates", 24)])
def test_a_thinned_table_is_that_table_to_its_places(index, places, tmp_path):
    measured = np.random.default_rng(0).random((500, 2))
    measured[:3] = [[0, 1], [1, 0], [0.5, np.nan]]
    table = pd.DataFrame(measured, columns=["coverage_pi", "length"])
    table[index], table["value"], table["model"] = range(500), 0.1, "M1"
    table.attrs = {"of": "a run"}
    thin_results.save(thin_results.thinned(table), tmp_path / "table.parquet")
    read = pd.read_parquet(tmp_path / "table.parquet", page_checksum_verification=True)
    assert read.attrs == {"of": "a run", "rounded": f"to multiples of 2**-{places}"}
    for name in ("coverage_pi", "length"):
        np.testing.assert_allclose(read[name], table[name], rtol=0, atol=2.0 ** -(places + 1))
        assert ((read[name] * 2.0**places) % 1).dropna().eq(0).all()
    rest = [index, "value", "model"]
    pd.testing.assert_frame_equal(read[rest], table[rest], check_dtype=False)
    pd.testing.assert_frame_equal(thin_results.thinned(read), read)


# The comparison as nbval uses it

CELLS = {  # by name: source, saved outputs, whether the comparison passes
    "a last bit": ("0.1 + 0.2", [("text/plain", "0.3")], True),
    "a number": ("0.25", [("text/plain", "0.26")], False),
    "a number by less than it says": (
        "# NBVAL_LAST_DIGIT: a tie\nprint(0.25)",
        [("stdout", "0.26\n")],
        True,
    ),
    "a number by more than it says": (
        "# NBVAL_LAST_DIGIT: a tie\nprint(0.25)",
        [("stdout", "0.27\n")],
        False,
    ),
    "no reason": ("# NBVAL_LAST_DIGIT\nprint(0.25)", [("stdout", "0.25\n")], False),
    "a count": ("print(1000001)", [("stdout", "1000000\n")], False),
    "a word": ("print('wide')", [("stdout", "narrow\n")], False),
    "a row": ("print('0.5\\n0.6')", [("stdout", "0.5\n")], False),
    "the output is gone": ("pass", [("text/plain", "0.5")], False),
    "an output more": ("0.5", [], False),
    "a picture": (
        "from IPython.display import *\ndisplay({'image/png': '', 'text/plain': 'P'}, raw=True)",
        [("image/svg+xml", "<svg/>", "text/plain", "P")],
        True,
    ),
    "the picture is gone": (
        "display({'text/plain': 'P'}, raw=True)",
        [("image/svg+xml", "<svg/>", "text/plain", "P")],
        False,
    ),
}


def output(kind, text, *more):
    if kind == "stdout":
        return nbformat.v4.new_output("stream", name="stdout", text=text)
    data = dict(zip((kind, *more[::2]), (text, *more[1::2]), strict=True))
    return nbformat.v4.new_output("display_data", data=data)


def test_nbval_passes_and_fails_what_it_should(tmp_path):
    cells = [
        nbformat.v4.new_code_cell(
            source, execution_count=1, outputs=[output(*saved) for saved in outputs]
        )
        for source, outputs, _ in CELLS.values()
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "cells.ipynb")
    shutil.copy(ROOT / "notebooks/conftest.py", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", "-rA", "-q"]
    run = subprocess.run(
        [*command, "-p", "no:cacheprovider", "--color=no", "cells.ipynb"],
        cwd=tmp_path,
        env=os.environ
        | {"PYTHONPATH": str(ROOT / "tests")},  # an ini file would split the path at spaces
        capture_output=True,
        text=True,
    )
    passed = {
        int(cell): outcome == "PASSED"
        for outcome, cell in re.findall(r"^(PASSED|FAILED) \S+::Cell (\d+)", run.stdout, re.M)
    }
    expected = dict(enumerate(passes for *_, passes in CELLS.values()))
    assert passed == expected, run.stdout
    assert "text/plain, number 1: found 0.25, expected 0.26" in run.stdout


def test_bars_of_progress_are_not_kept():
    code = nbformat.v4.new_code_cell()
    stream = nbformat.v4.new_output
    bar = "reference:  11%|#         | 1/9 [00:00<00:03]"
    shown = stream("display_data", {"text/plain": bar})
    code.outputs = [stream("stream", name="stderr", text=bar), shown, stream("stream", text="kept")]
    notebook = nbformat.v4.new_notebook(cells=[code])
    execute.tidy(notebook)
    assert [output.text for output in code.outputs] == ["kept"]
