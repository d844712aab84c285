"""Outputs of notebooks, compared as a person would.

Words, spaces and integers are compared exactly. A decimal number may differ by `RELATIVE` of its
size. A cell may have the comment

    # NBVAL_LAST_DIGIT: why its last digit is not certain

Two printed decimals then agree as well if some number rounds to each of them, that is, if a number
lies within half a unit in the last printed digit of each. As in nbval, pictures are not compared,
but a missing picture is an error.
"""

import re
from dataclasses import dataclass
from decimal import Decimal

import pytest
from nbval.plugin import IPyNbCell, IPyNbFile

RELATIVE = Decimal("1e-6")
#: Notebooks that take five seconds of processor time or more. One study and one with tables are not
#: in this list.
THOROUGH = (
    *("your_own_data", "choosing_a_threshold", "several_classes", "worth_tuning"),
    *("study_1_sample_size", "study_2_missing_predictor", "study_2_missing_interaction"),
    *("understanding_the_band", "comparing_bands", "sharper_bands", "shifted_data"),
)
#: Resets what a notebook may change for the next one in the same kernel. Imports are kept.
AFRESH = """
%reset -f
import altair, os, pandas
altair.renderers.enable("default")
pandas.reset_option("^display")
os.chdir({folder!r})
%reset -f
"""
MARKER = re.compile(r"^\s*#\s*NBVAL_LAST_DIGIT\b:?[ \t]*(.*)$", re.MULTILINE)
# A number, with the spaces before it, because a column is as wide as its widest number. Digits
# within a word ("x2", "3rd") or a version ("1.2.3") are text. The group is atomic, so no part of
# these matches.
NUMBER = re.compile(r"[ ]*(?<![\w.])((?>[-+−]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?))(?!\w|\.\d)")
PICTURES = ("image/png", "image/jpeg", "image/svg+xml", "application/vnd.vegalite.v5+json")


@dataclass(frozen=True)
class Number:
    """A number as it is printed."""

    text: str

    @property
    def value(self) -> Decimal:
        return Decimal(self.text.replace("−", "-"))

    @property
    def whole(self) -> bool:
        return self.text.lstrip("-+−").isdigit()

    @property
    def unit(self) -> Decimal:
        """One unit of the last printed digit."""
        return Decimal(1).scaleb(int(self.value.as_tuple().exponent))

    def agrees(self, other: "Number", last_digit: bool) -> bool:
        if self.whole or other.whole:
            return self.text == other.text
        difference = abs(self.value - other.value)
        if difference <= RELATIVE * max(abs(self.value), abs(other.value)):
            return True
        return last_digit and difference <= (self.unit + other.unit) / 2


def pieces(text: str) -> tuple[list[str], list[Number]]:
    """The words around the numbers of a text, and the numbers."""
    split = NUMBER.split(text)
    return split[::2], [Number(number) for number in split[1::2]]


def difference(saved: str, new: str, last_digit: bool = False) -> str | None:
    """The first difference that a reader would see, or None."""
    (words, numbers), (new_words, new_numbers) = pieces(saved), pieces(new)
    for i, (word, new_word) in enumerate(zip(words, new_words, strict=False)):
        if word != new_word:
            return f"text: found {new_word!r}, expected {word!r}"
        if i < min(len(numbers), len(new_numbers)):
            number, new_number = numbers[i], new_numbers[i]
            if not number.agrees(new_number, last_digit):
                return f"number {i + 1}: found {new_number.text}, expected {number.text}"
    if len(numbers) != len(new_numbers):
        return f"numbers: found {len(new_numbers)}, expected {len(numbers)}"
    return None


def last_digit_is_free(source: str) -> bool:
    """Whether a cell has the comment that allows a different last digit, with a reason."""
    reasons = MARKER.findall(source)
    if not all(reasons):
        raise ValueError("NBVAL_LAST_DIGIT: found no reason, expected one after the colon")
    return bool(reasons)


class Printed(str):
    """A text that equals another one if a reader would see no difference."""

    last_digit = False
    __hash__ = None  # values that compare as nearly equal have no hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and difference(self, other, self.last_digit) is None

    def __ne__(self, other: object) -> bool:
        return not self == other


def with_pictures_named(output: dict) -> dict:
    """An output in which every picture is replaced by the word "picture"."""
    data = output.get("data", {})
    if not set(data) & set(PICTURES):
        return output
    shown = {kind: value for kind, value in data.items() if kind not in PICTURES}
    return type(output)(output | {"data": shown | {"picture": "picture"}})


def is_bar(output: dict) -> bool:
    """Whether the output is a progress bar. tqdm shows it only in slow runs, so saved notebooks
    have none.
    """
    return "%|" in output.get("data", {}).get("text/plain", "")


class NotebookCell(IPyNbCell):
    """nbval's cell, compared by this module."""

    def sanitize(self, text):
        clean = super().sanitize(text)
        if not isinstance(clean, str):
            return clean
        printed = Printed(clean)
        printed.last_digit = last_digit_is_free(self.cell.source)
        return printed

    def compare_outputs(self, test, ref, skip_compare=None):
        test, ref = (
            [with_pictures_named(output) for output in outputs if not is_bar(output)]
            for outputs in (test, ref)
        )
        return super().compare_outputs(test, ref, skip_compare)

    def format_output_compare(self, key, left, right):
        first = difference(left, right, left.last_digit) if isinstance(left, Printed) else None
        # For plain texts pytest explains the difference.
        super().format_output_compare(
            key, *(str(text) if isinstance(text, str) else text for text in (left, right))
        )
        if first:
            self.comparison_traceback.append(f"  {key}, {first}")


class NotebookFile(IPyNbFile):
    """nbval's notebook, made of cells with the comparison of this module.

    One kernel serves all notebooks of a process; `notebooks/conftest.py` ends it.
    """

    shared = None

    def setup(self):
        kernel = NotebookFile.shared
        if kernel is None or not kernel.is_alive():
            super().setup()
            NotebookFile.shared = self.kernel
            return
        self.kernel = kernel
        self.setup_sanitize_files()
        asked = kernel.execute_cell_input(AFRESH.format(folder=str(self.path.parent)))
        kernel.await_reply(asked, timeout=60)
        kernel.await_idle(asked, timeout=60)

    def teardown(self):
        """Keeps the kernel for the next notebook."""

    def collect(self):
        for cell in super().collect():
            made = NotebookCell.from_parent(
                self, name=cell.name, cell_num=cell.cell_num, cell=cell.cell, options=cell.options
            )
            if self.path.stem in THOROUGH:
                made.add_marker(pytest.mark.thorough)
            yield made
