"""Title, sentences and legend around the chart of a figure."""

import pytest
from data import evaluation_from_scores

from conformal_roc_widget.charts.figure_words import TEXT_WIDTH, legend_key, with_words
from conformal_roc_widget.charts.style import dashes_of, drawn
from conformal_roc_widget.view import figure
from conformal_roc_widget.view.controls import Controls
from conformal_roc_widget.view.evaluation_group import Group
from conformal_roc_widget.view.figure import Key
from conformal_roc_widget.view.theme import Pen


def test_title_and_sentences_are_the_figures_at_a_width_that_can_be_read():
    shown = figure.of(Group.of(evaluation_from_scores(1)), Controls(alpha=0.1))
    chart = drawn([{"x": 1}]).mark_point().encode(x="x:Q")
    title = with_words(chart, shown, 2_000).to_dict()["title"]
    words = " ".join(title["subtitle"]).replace("\N{NO-BREAK SPACE}", " ")
    assert " ".join(title["text"]).replace("\N{NO-BREAK SPACE}", " ") == shown.title
    assert words == " ".join([*shown.lead, *shown.notes])
    assert max(map(len, title["subtitle"])) <= TEXT_WIDTH / 6


def test_a_name_in_a_sentence_ends_no_element_of_a_page():
    shown = figure.of(Group.of(evaluation_from_scores(1)), Controls(), heading="</script>")
    chart = drawn([{"x": 1}]).mark_point().encode(x="x:Q")
    assert "</" not in with_words(chart, shown, 400).to_json()


def columns_by_hand(widths, wide):
    """Most columns whose every row fits."""
    fitting = [
        n
        for n in range(1, len(widths) + 1)
        if all(sum(widths[i : i + n]) <= wide for i in range(0, len(widths), n))
    ]
    return max([1, *fitting])


@pytest.mark.parametrize("wide", [50, 150, 300, 408, 1_000])
def test_the_legend_has_as_many_columns_as_fit(wide):
    keys = [Key(text, Pen("#123456")) for text in ("this classifier", "95 % band", "chance", "KS")]
    legend = legend_key(keys, wide)["color"].to_dict()["legend"]
    widths = [50 + 6 * len(key.text) for key in keys]
    assert legend["columns"] == columns_by_hand(widths, wide)


def test_every_line_has_its_colour_and_its_dashes():
    keys = [Key("one", Pen("#111111")), Key("two", Pen("#222222", (5, 3)))]
    scales = {name: each.to_dict()["scale"] for name, each in legend_key(keys, 400).items()}
    assert scales["color"] == {"domain": ["one", "two"], "range": ["#111111", "#222222"]}
    assert scales["strokeDash"]["range"] == [dashes_of(key.pen) for key in keys]
