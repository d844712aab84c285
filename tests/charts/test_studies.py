"""Charts of simulation tables: estimates with error bars, distinguishable without colour."""

import itertools

import numpy as np
import pytest
from chart_cases import panels, records, table, words

from conformal_roc_widget import charts


def test_estimates_are_the_tables_with_bars_of_two_standard_errors():
    frame = table().sample(frac=1, random_state=0)
    chart = charts.study(frame, 0.05)
    wanted = itertools.product(("coverage_pi", "coverage_p", "length"), ("iid", "shifted"), (1, 0))
    for (column, test, label), rows in zip(wanted, panels(chart), strict=True):
        found = frame[(frame["test"] == test) & (frame["label"] == label)]
        by_key = found.set_index(["model", "value"])
        assert len(rows) == len(found)
        for row in rows:
            source = by_key.loc[(row["model"], row["value"])]
            assert row["estimate"] == source[column]
            assert row["se"] == source[f"{column}_se"]
            assert row["lower"] == source[column] - 2 * row["se"]
            assert row["upper"] == min(1, source[column] + 2 * row["se"])
            assert row["replicates"] == 50


def test_coverage_and_length_show_what_is_asked_for():
    said = words(charts.coverage(table(), 0.1, value_title="Sample size n"))
    for text in (
        "Coverage of π and coverage of pₙ",
        "± 2 Monte-Carlo standard errors over 50 replicates",
        "the nominal level 1 − α = 0.9.",
        "Sample size n",
        "iid, label 1",
        "shifted, label 0",
    ):
        assert text in said
    assert len(panels(charts.coverage(table()))) == 8
    assert len(panels(charts.coverage(table(), of="band"))) == 4
    assert len(panels(charts.length(table()))) == 4
    assert len(panels(charts.length(table(), of=["interval", "band"]))) == 8
    assert len(panels(charts.coverage(table(tests=("iid",))))) == 4


def test_the_nominal_level_is_drawn_where_it_is_known():
    frame = table(tests=("iid",))
    assert "nominal" not in words(charts.coverage(frame))
    assert "nominal" not in words(charts.length(frame))
    frame.attrs = {"alpha": 0.05, "value": "γ"}
    chart = charts.study(frame)
    assert [{"estimate": 0.95}] in records(chart)
    assert "1 − α = 0.95" in words(chart)
    assert "γ" in words(chart)


def test_missing_estimates_and_errors_leave_gaps():
    frame = table(tests=("iid",))
    frame.loc[0, "coverage_pi"] = np.nan
    frame["coverage_pi_se"] = np.nan
    frame["replicates"] = 1
    chart = charts.coverage(frame, of="pi")
    rows = list(itertools.chain.from_iterable(panels(chart)))
    assert len(rows) == len(frame) - 1
    assert all(row["lower"] is None and row["upper"] is None for row in rows)
    assert "one replicate" in words(chart)


def test_models_differ_in_more_than_colour():
    names = [f"M{i}" for i in range(12)]
    chart = charts.length(table(models=names)).to_dict()
    encodings = [layer["encoding"] for layer in chart["concat"][0]["layer"]]
    ranges = [
        next(each[channel]["scale"]["range"] for each in encodings if channel in each)
        for channel in ("color", "shape", "strokeDash")
    ]
    for doubled in (ranges[1:2], ranges[2:3]):
        looks = list(zip(ranges[0], *doubled, strict=True))
        assert len(set(map(str, looks))) == len(names)


def test_names_that_are_cut_stay_apart():
    long = "x" * 50
    chart = charts.length(table(models=(long + "1", long + "2")))
    assert len({row["model"] for rows in panels(chart) for row in rows}) == 2


@pytest.mark.parametrize("column", ["model", "test", "label", "value", "length", "length_se"])
def test_a_missing_column_is_named(column):
    with pytest.raises(ValueError, match=rf"^table: lacks '{column}'"):
        charts.length(table().drop(columns=column))
