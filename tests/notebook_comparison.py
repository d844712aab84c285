"""Outputs of notebooks, compared as a person would.

Words, spaces and integers are compared exactly; a decimal number may differ by `RELATIVE` of its size. A
cell may say

    # NBVAL_LAST_DIGIT: why its last digit is not certain

and then two printed decimals agree as well if one number rounds to both, that is, if a number lies
within half a unit in the last printed digit of each. Pictures are not compared, as in nbval, but
one that is missing is missed.
"""

import re
from dataclasses import dataclass
from decimal import Decimal

import pytest
from nbval.plugin import IPyNbCell, IPyNbFile

RELATIVE = Decimal("1e-6")
#: What takes five seconds of processor time and more; a study and tables are among the others.
THOROUGH = (
    *("your_own_data", "choosing_a_threshold", "several_classes", "worth_tuning"),
    *("study_1_sample_size", "study_2_missing_predictor", "study_2_missing_interaction"),
    *("understanding_the_band", "comparing_bands", "sharper_bands", "shifted_data"),
)
#: What a notebook may leave behind for the next one of its kernel, whose imports are made once.
AFRESH = """
%reset -f
import altair, os, pandas
altair.renderers.enable("default")
pandas.reset_option("^display")
os.chdir({folder!r})
%reset -f
"""
MARKER = re.compile(r"^\s*#\s*NBVAL_LAST_DIGIT\b:?[ \t]*(.*)$", re.MULTILINE)
# Spaces before a number belong to it: a column is as wide as its widest number. A digit within a
# word ("x2", "3rd") or a version ("1.2.3") is text. The group is atomic: no part of these matches.
NUMBER = re.compile(r"[ ]*(?<![\w.])((?>[-+−]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?))(?!\w|\.\d)")
PICTURES = ("image/png", "image/jpeg", "image/svg+xml", "application/vnd.vegalite.v5+json")


@dataclass(frozen=True)
class Number:
    """A number as it was printed."""

    text: str

    @property
    def value(self) -> Decimal:
        return Decimal(self.text.replace("−", "-"))

    @property
    def whole(self) -> bool:
        return self.text.lstrip("-+−").isdigit()

    @property
    def unit(self) -> Decimal:
        """One in the last printed digit."""
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
    """The first difference that a person would see, or None."""
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
    """Whether a cell says that its last digits are not certain, and why."""
    reasons = MARKER.findall(source)
    if not all(reasons):
        raise ValueError("NBVAL_LAST_DIGIT: found no reason, expected one after the colon")
    return bool(reasons)


class Printed(str):
    """A text that equals another one if a person sees no difference."""

    last_digit = False
    __hash__ = None  # what is only about equal has no hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and difference(self, other, self.last_digit) is None

    def __ne__(self, other: object) -> bool:
        return not self == other


def with_pictures_named(output: dict) -> dict:
    """An output whose picture, of whatever kind, is the word "picture"."""
    data = output.get("data", {})
    if not set(data) & set(PICTURES):
        return output
    shown = {kind: value for kind, value in data.items() if kind not in PICTURES}
    return type(output)(output | {"data": shown | {"picture": "picture"}})


def is_bar(output: dict) -> bool:
    """Whether it is a bar of progress, which tqdm shows after a while: saved notebooks have none."""
    return "%|" in output.get("data", {}).get("text/plain", "")


class NotebookCell(IPyNbCell):
    """nbval's cell with the comparison of this module."""

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
        # pytest explains the difference of plain texts.
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
        """Leaves the kernel to the next notebook."""

    def collect(self):
        for cell in super().collect():
            made = NotebookCell.from_parent(
                self, name=cell.name, cell_num=cell.cell_num, cell=cell.cell, options=cell.options
            )
            if self.path.stem in THOROUGH:
                made.add_marker(pytest.mark.thorough)
            yield made
