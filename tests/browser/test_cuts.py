"""Several classifiers at thresholds of their own, in a page without a kernel."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from data import scored
from page import Opened
from parts import with_quick
from playwright.sync_api import Browser, Page
from said import share_range, share_text

from conformal_roc_widget import RocEvaluation, ROCWidget
from conformal_roc_widget.text import number_text, threshold_text


@pytest.fixture(scope="module")
def evaluations() -> dict[str, RocEvaluation]:
    rng = np.random.default_rng(3)
    (y, p), (y_test, p_test) = scored(rng, 400), scored(rng, 150)

    def worse(score: np.ndarray, noise: float) -> np.ndarray:
        odds = np.log(score / (1 - score)) + noise * rng.normal(size=score.size)
        return 1 / (1 + np.exp(-odds))

    return {
        name: RocEvaluation.from_predictions(y, worse(p, noise), y_test, worse(p_test, noise))
        for name, noise in (("first", 0.0), ("second", 1.0), ("third", 2.0))
    }


@pytest.fixture
def opened(
    browser: Browser, evaluations: dict[str, RocEvaluation], tmp_path: Path
) -> Iterator[Opened]:
    widget = ROCWidget(evaluations, alpha=0.1, threshold=0.4)
    with Opened(browser, widget.to_html(tmp_path / "chart.html")) as page:
        page.view()
        yield page


def rows(page: Page) -> list[list[str]]:
    found: list[list[str]] = page.evaluate(
        """() => [...document.querySelector('[data-testid="cuts"] tbody').rows].map((row) =>
            [...row.cells].map((cell) => cell.textContent))"""
    )
    return found


def expected(evaluation: RocEvaluation, name: str, threshold: float) -> list[str]:
    at = evaluation.operating_point(threshold, 0.1)
    return [
        name,
        threshold_text(threshold),
        number_text(evaluation.ideal_auc_range(0.1)[0]),
        share_text(at.tpr),
        share_range(at.tpr_lower, at.tpr_upper),
        share_text(1 - at.fpr),
        share_range(1 - at.fpr_upper, 1 - at.fpr_lower),
    ]


def alike(page: Page) -> None:
    page.locator('[data-testid="cuts"] select').select_option(index=1)


def test_each_stands_at_the_threshold_that_is_set(
    opened: Opened, evaluations: dict[str, RocEvaluation]
) -> None:
    page = opened.page
    wanted = [expected(e, n, 0.4) for n, e in evaluations.items()]
    assert rows(page) == wanted
    plot = page.locator('[data-testid="plot"]')
    x0, y0, size = (float(plot.get_attribute(f"data-{key}") or 0) for key in ("x0", "y0", "size"))
    # The one looked at has the handle.
    circles = page.locator('circle[data-testid^="cut-"]')
    others = list(evaluations.values())[1:]
    for circle, evaluation in zip(circles.all(), others, strict=True):
        at = evaluation.operating_point(0.4, 0.1)
        place = [float(circle.get_attribute(name) or "nan") for name in ("cx", "cy")]
        np.testing.assert_allclose(place, [x0 + at.fpr * size, y0 - at.tpr * size], atol=1e-6)
    edges = circles.evaluate_all("(all) => all.map((each) => getComputedStyle(each).stroke)")
    assert len(set(edges)) == 2
    page.locator('[data-testid="threshold"]').focus()
    page.keyboard.press("PageUp")
    opened.view().settle()
    assert rows(page) != wanted


@pytest.mark.parametrize("width", with_quick([340, 390, 620, 720, 880, 960], [340, 720]))
def test_the_table_holds_its_width(
    browser: Browser, evaluations: dict[str, RocEvaluation], tmp_path: Path, width: int
) -> None:
    long = {f"{name} logistic regression of everything": e for name, e in evaluations.items()}
    page = ROCWidget(long, alpha=0.1, threshold=0.4).to_html(tmp_path / "chart.html")
    with Opened(browser, page, viewport={"width": width, "height": 900}) as opened:
        opened.view()
        alike(opened.page)
        inside = opened.page.evaluate(
            """() => { const box = (e) => e.getBoundingClientRect();
                const right = box(document.querySelector('[data-testid="cuts"]')).right;
                return [...document.querySelectorAll('[data-testid="cuts"] *')]
                    .every((each) => box(each).right <= right + 0.5); }"""
        )
        assert inside
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
