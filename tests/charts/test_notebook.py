"""Charts in notebooks."""

import altair as alt
import pytest
from data import evaluation_from_scores

from conformal_roc_widget import charts
from conformal_roc_widget.charts import notebook


def test_in_a_notebook_a_chart_comes_with_a_picture_of_itself():
    before = alt.renderers.active
    try:
        charts.show_in_notebook()
        bundle = charts.residuals(evaluation_from_scores(1))._repr_mimebundle_()
    finally:
        alt.renderers.enable(before)
    assert set(bundle) == {"image/svg+xml", "application/vnd.vegalite.v5+json"}
    assert bundle["image/svg+xml"].startswith("<svg")
    assert bundle["application/vnd.vegalite.v5+json"]["$schema"].endswith("/v5.json")


def test_without_vl_convert_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(notebook, "find_spec", lambda _: None)
    with pytest.raises(ImportError, match=r"conformal_roc_widget\[save\]"):
        charts.show_in_notebook()
