"""The ideal model's own curve in a page without a kernel: drawn, moved in alpha, or absent with a reason."""

from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page
from sklearn.linear_model import LogisticRegression
from view import IS_ALL_THERE

from conformal_roc_widget import ConformalROC, RocEvaluation, ROCWidget, simulation


def evaluation_of(reference: str) -> RocEvaluation:
    X, y, _ = simulation.draw("missing_interaction", 420, np.random.default_rng(3), value=1.5)
    model = ConformalROC(LogisticRegression(), reference=reference, random_state=0)
    return model.fit(X[:240], y[:240]).evaluate(X[240:], y[240:])


def opened(browser: Browser, evaluation: RocEvaluation, file: Path) -> Page:
    ROCWidget(evaluation, band="ideal", threshold=0.4).to_html(file)
    page = browser.new_page(viewport={"width": 960, "height": 900})
    page.goto(file.as_uri())
    page.wait_for_selector('[data-testid="crw"][data-ready="1"]')
    return page


def test_the_page_says_and_draws_what_python_computes_at_any_alpha(
    tmp_path: Path, browser: Browser
) -> None:
    evaluation = evaluation_of("sharp")
    page = opened(browser, evaluation, tmp_path / "ideal.html")
    band = page.get_by_test_id("band-ideal")
    before = band.get_attribute("d")
    page.get_by_test_id("alpha").press("PageUp")
    page.wait_for_selector('[data-testid="crw"][data-alpha="0.1"]')
    page.wait_for_function(
        "before => document.querySelector('[data-testid=\"band-ideal\"]')"
        ".getAttribute('d') !== before",
        arg=before,
    )
    root = "document.querySelector('[data-testid=crw]')"
    page.wait_for_function(f"() => {{ const root = {root}; return {IS_ALL_THERE}; }}")
    curve = evaluation.ideal_curve(0.1)
    page.get_by_test_id("all-figures").locator("summary").first.click()
    page.wait_for_function("() => document.querySelector('[data-testid=figures]')?.rows.length > 3")
    rows = page.get_by_test_id("figures").locator("tr").all_inner_texts()[1:4]
    assert [row.split("\t")[0] for row in rows] == ["AUC", "Sensitivity", "Gain left"]
    found = [row.split("\t")[-1].replace("−", "-") for row in rows]
    point = evaluation.operating_point(0.4, 0.1)
    place = int(np.floor(point.fpr * 100 + 1e-9))
    for text, (lower, upper) in zip(
        found,
        (curve.auc[1:], (curve.tpr_lower[place], curve.tpr_upper[place]), curve.gain[1:]),
        strict=True,
    ):
        assert text == f"{lower:.2f} to {upper:.2f}"
    lower, upper = curve.tpr_lower[place], curve.tpr_upper[place]
    said = f"At a false positive rate of {point.fpr:.2f}, sensitivity is {point.tpr:.2f}"
    assert said in page.locator(".crw-summary").inner_text()
    assert (
        f"between {lower:.2f} and {upper:.2f} (90\u00a0%)"
        in page.locator(".crw-summary").inner_text()
    )
    # A level below the conformal band's own has limits here.
    assert page.locator(".crw-rail-hatch").filter(visible=True).count() == 0
    assert "credible, not conformal" in (page.locator(".crw-legend").text_content() or "")
    page.locator("label:has([value=same-threshold])").click()
    page.wait_for_function("() => document.querySelector('[data-testid=\"band-ideal\"]') === null")
    assert page.get_by_test_id("band-sensitivity").get_attribute("d")
    page.close()
