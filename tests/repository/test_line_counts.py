"""The table of hand-written code has the right numbers of lines."""

import re

import documents
import pytest

line_counts = documents.tool("line_counts")


def test_each_row_has_files_and_about_their_length():
    page = line_counts.PAGE.read_text()
    rows = {
        row["part"]: int(row["lines"].replace(",", "")) for row in line_counts.ROW.finditer(page)
    }
    assert rows.keys() == line_counts.FILES.keys()
    for part, lines in rows.items():
        assert lines == pytest.approx(line_counts.lines_of(part), rel=0.2), part


def test_the_tool_writes_numbers_alone():
    page = line_counts.PAGE.read_text()
    digits = re.compile(r"[\d,]+")
    assert digits.sub("", line_counts.renewed(page)) == digits.sub("", page)
