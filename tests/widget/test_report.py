"""The report of a widget: for every kind, with Python's numbers, in every style."""

import re

import numpy as np
import pytest
from cases import CASES, QUICK, shown
from data import evaluation_from_scores, scored
from report_figures import figures

from conformal_roc_widget import RocEvaluation, ROCWidget

NUMBER = re.compile("[\N{MINUS SIGN}-]?\\d+(?:\\.\\d+)?")
#: Rates are rounded to whole percent, or more digits next to 0 and 100. Areas have two or three
#: digits.
ROUNDED = 0.0051


def widget_of(name, **more):
    case = CASES[name]
    given = {"alpha": case.alpha, "threshold": case.threshold} | dict(case.keywords) | more
    return ROCWidget(shown(name), kind=case.kind, **given)


def rows_of(table):
    """The cells of a Markdown table, without its head."""
    lines = [line for line in table.splitlines() if line.startswith("| ")]
    return [
        re.split(r"(?<!\\) \| ", line.removeprefix("| ").removesuffix(" |")) for line in lines[2:]
    ]


def numbers_in(text):
    """Numbers of a cell. Percentages become fractions."""
    scale = 100 if "%" in text or "percentage" in text else 1
    found = [float(each.replace("\N{MINUS SIGN}", "-")) for each in NUMBER.findall(text)]
    return [each / scale for each in found]


@pytest.mark.parametrize("name", [name for name in CASES if name in QUICK])
def test_every_kind_has_a_report_whose_numbers_are_pythons(name):
    widget = widget_of(name)
    table, text = widget.report("table"), widget.report()
    controls = widget._controls()
    wanted = figures(widget._group, controls)
    rows = rows_of(table)
    assert len(rows) == len(wanted)
    for (_, _, value, limits, method), (number, k, n, low, high) in zip(rows, wanted, strict=True):
        said = numbers_in(value.partition("(")[0])
        assert said == ([] if number is None else [pytest.approx(number, abs=ROUNDED)])
        counted = [
            int(each.replace(",", ""))
            for each in re.findall(r"\d[\d,]*", value[len(value.partition("(")[0]) :])
        ]
        assert counted == ([] if k is None else [k, n])
        ends = [] if low is None else [low, high]
        for each in numbers_in(limits):
            assert any(abs(each - end) <= ROUNDED for end in ends), (limits, ends)
        # A missing limit is not written. A written limit has a method.
        assert bool(limits.strip()) <= bool(method.strip())
    assert "Computed with conformal_roc_widget" in text
    # Citations follow, if there are any.
    assert text.count("\n\n") == 1 + len(re.findall(r"\n\nReferences:\n\S", text))
    widget.close()


def test_a_threshold_that_the_goal_chose_says_so_and_has_the_limit_of_the_goal_alone():
    evaluation = evaluation_from_scores(3, n_test=200)
    kept = evaluation.threshold_for(sensitivity=0.8, confidence=0.95)
    widget = ROCWidget(
        evaluation, threshold=float(kept), goal={"sensitivity": 0.8}, noun="cows", band="sampling"
    )
    text = widget.report()
    assert "chosen on these same cows, sensitivity was" in text
    assert "95 % limits at least 80 %); one-sided tolerance limit, Wilks 1941." in text
    assert "without limits, for these cows chose the threshold: report it on other cows" in text
    assert text.count("sensitivity was") == 1
    rates = [row for row in rows_of(widget.report("table")) if " at " in row[0]]
    assert [row[3].strip() for row in rates] == ["", "at least 80 %"]
    assert rates[1][4].strip() == "one-sided tolerance limit, Wilks 1941"
    widget.goal = None
    assert "chosen on" not in widget.report()
    assert "Clopper and Pearson 1934" in widget.report()


def test_each_question_has_two_sentences_and_the_works_that_it_needs():
    evaluation = evaluation_from_scores(3, n_test=60)
    widget = ROCWidget(evaluation, band="both", goal=None)
    sentences, references, _ = widget.report().split("\n\n")
    assert len(re.findall(r"\.(?: |$)", re.sub(r"et al\. ", "", sentences))) == 4
    assert "Zheng, Yang, Song" in references
    assert f"from {evaluation.n_calibration[1]} and {evaluation.n_calibration[0]} calibration" in (
        sentences
    )
    widget.band = "sampling"
    sentences, references, _ = widget.report().split("\n\n")
    assert "Zheng" not in references
    assert "conformal" not in sentences
    widget.band = "none"
    assert "limits" not in widget.report().replace("no limits", "")


def test_latex_escapes_what_a_name_may_hold():
    evaluation = evaluation_from_scores(3, n_test=60)
    text = ROCWidget(evaluation, name="50%_{best} & \\co", goal=None).report("latex")
    assert r"50\%\_\{best\} \& \textbackslash{}co" in text
    assert text.startswith("\\begin{table}")
    assert re.search(r"95~\\% limits", text)


@pytest.mark.parametrize("style", ["pdf", "", None, 3])
def test_another_style_is_refused(style):
    widget = ROCWidget(evaluation_from_scores(3, n_test=20))
    with pytest.raises((TypeError, ValueError), match=r"^style: found .* expected one of 'text'"):
        widget.report(style)


def test_a_gap_without_limits_says_what_they_need():
    need = "percentage points (no limits); these need independent rows of equal weight."
    for name in ("two populations", "two populations, weighted"):
        text = widget_of(name, band="sampling").report()
        assert (need in text) == ("weighted" in name)
        assert ("all gaps together" in text) == ("weighted" not in name)


def test_classifiers_of_which_one_has_weights_are_not_all_called_weighted():
    rng = np.random.default_rng(0)
    y, score = scored(rng, 80)
    plain = RocEvaluation.from_predictions(y, score)
    weighted = RocEvaluation.from_predictions(y, score**2, sample_weight=rng.uniform(1, 3, 80))
    mixed = ROCWidget({"a": plain, "b": weighted}).report()
    assert mixed.startswith("On test rows, 80 of a and 80 of b, the AUC was ")
    assert ROCWidget({"b": weighted}).report().startswith("On 80 test rows (40 positives, 40 neg")
