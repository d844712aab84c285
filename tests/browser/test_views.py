"""Figures of a page without a kernel: the undecided, the least cost, and figures of use."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from data import scored
from page import Open, Opened
from playwright.sync_api import Browser, Page, expect

from conformal_roc_widget import ROCWidget


@pytest.fixture(scope="module")
def widget() -> ROCWidget:
    rng = np.random.default_rng(8)
    names = np.array(["well", "ill"])
    (y, p), (y_test, p_test) = scored(rng, 400), scored(rng, 200)
    return ROCWidget.from_predictions(
        names[y], p, names[y_test], p_test, pos_label="ill", alpha=0.1, threshold=0.4
    )


@pytest.fixture
def opened(browser: Browser, widget: ROCWidget, tmp_path: Path) -> Iterator[Opened]:
    with Opened(browser, widget.to_html(tmp_path / "chart.html")) as page:
        yield page


def threshold_of(page: Page) -> float:
    return float(page.locator('[data-testid="crw"]').get_attribute("data-threshold") or "nan")


def test_the_undecided_are_pythons_and_referral_leaves_the_others(
    widget: ROCWidget, alone: Open
) -> None:
    evaluation = widget.evaluation
    undecided = evaluation.undecided(0.4, 0.1)
    counts = [(undecided[evaluation.labels == k].sum(), evaluation.n_test[k]) for k in (1, 0)]
    centres, at = np.log(evaluation.scores / (1 - evaluation.scores)), np.log(0.4 / 0.6)
    pairs = evaluation.band(0.1).quantiles.values()
    either = np.any([(centres + high > at) & (centres + low <= at) for low, high in pairs], axis=0)
    view = alone(widget)
    view.page.locator('[data-testid="all-figures"] > summary').click()
    fold = view.page.locator('[data-testid="undecided"]')
    summary = fold.locator("summary")
    for some, of in counts:
        expect(summary).to_contain_text(f"{100 * some / of:.0f}\N{NO-BREAK SPACE}%")
    summary.click()
    for some, of in counts:
        expect(fold).to_contain_text(f"{some} of {of}")
    view.page.locator('[data-testid="refer"]').check()
    left = view.page.locator('[data-testid="left"]')
    expect(left).to_contain_text(f"leaves {(~either).sum()} (")


@pytest.mark.thorough
def test_the_least_cost_is_first_in_the_menu_where_a_cost_is_set(
    browser: Browser, widget: ROCWidget, tmp_path: Path
) -> None:
    shown = ROCWidget(widget.evaluation, alpha=0.1, prevalence=0.1, cost_ratio=9)
    curve = widget.evaluation.band(0.1)
    costs = 9 * 0.1 * (1 - curve.tpr) + 0.9 * curve.fpr
    least = curve.thresholds[np.argmin(costs)]
    with Opened(browser, shown.to_html(tmp_path / "chart.html")) as opened:
        opened.view()
        page = opened.page
        assert page.locator('[data-testid="same-cost"]').count() == 1
        page.locator('[data-testid="jump"]').click()
        first = page.locator(".crw-jump-row").first
        assert first.inner_text().startswith("Least cost")
        first.locator("button").click()
        opened.view().settle()
        assert threshold_of(page) == pytest.approx(least, abs=0.0006)
    with Opened(browser, widget.to_html(tmp_path / "plain.html")) as opened:
        opened.view()
        opened.page.locator('[data-testid="jump"]').click()
        assert "Least cost" not in opened.page.locator(".crw-jump-panel").inner_text()
        assert not opened.page.locator('[data-testid="same-cost"]').is_visible()


def test_share_and_cost_move_the_figures_of_use_and_no_rate(opened: Opened) -> None:
    page = opened.page
    opened.view()
    rates = page.locator('[data-testid="metrics"]')
    page.locator('[data-testid="all-figures"] > summary').click()
    page.locator('[data-testid="use"] summary').click()
    figures = page.locator('[data-testid="use-metrics"]')
    before, sensitivity = figures.inner_text(), rates.inner_text()
    page.locator('[data-testid="prevalence"]').focus()
    page.keyboard.press("Home")
    opened.view().settle()
    assert figures.inner_text() != before
    assert rates.inner_text() == sensitivity
    assert page.locator('[data-testid="select-tp"]').count() == 0, "no kernel, no rows"
    page.locator('[data-testid="cost"]').focus()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Jump there").click()
    opened.view().settle()
    words = page.locator(".crw-use-cost").inner_text()
    called, least = re.findall(
        r": (\d[\d,]*) per 1,000; least on these test points (\d[\d,]*),", words
    )[0]
    assert called == least


@pytest.mark.thorough
def test_a_thousand_cases_are_pythons_rates_at_the_share_of_use(
    widget: ROCWidget, alone: Open
) -> None:
    shown = ROCWidget(widget.evaluation, alpha=0.1, threshold=0.4, prevalence=0.12)
    point = shown.operating_point
    tp, fp = round(120 * point.tpr), round(880 * point.fpr)
    view = alone(shown)
    view.page.locator('[data-testid="all-figures"] > summary').click()
    fold = view.page.locator('[data-testid="use"]')
    fold.locator("summary").click()
    sentence = f"of 1,000 such cases {tp + fp} are called ill, {tp} of them rightly;"
    expect(fold).to_contain_text(sentence)
    key = fold.locator('[data-testid="frequencies"] li')
    assert [" ".join(text.split()) for text in key.all_inner_texts()] == [
        f"{tp} ill, called",
        f"{120 - tp} ill, missed",
        f"{fp} well, called",
        f"{880 - fp} well, left alone",
    ]
    ink = "(paths) => paths.map((path) => getComputedStyle(path).stroke)"
    inks = fold.locator('[data-testid="frequencies"] > svg > path').evaluate_all(ink)
    assert inks[0] == inks[1] != inks[2] == inks[3]
