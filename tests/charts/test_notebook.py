"""Charts in notebooks."""

import altair as alt
from data import evaluation_from_scores

from conformal_roc_widget import charts


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
