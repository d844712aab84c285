"""Charts out of view are up to date once they become visible.

For drawing meanwhile see js/test/sight.test.ts.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from data import evaluation_from_scores
from parts import with_quick
from playwright.sync_api import Browser
from served import Served
from view import View

from conformal_roc_widget import ROCWidget

# Resolves when the chart is far out of view.
AWAY = """(root) => new Promise((done) => new IntersectionObserver((changes, self) => {
    if (changes.at(-1).isIntersecting) return;
    self.disconnect();
    done();
}, { rootMargin: "100%", scrollMargin: "100%" }).observe(root))"""
SET = "(root, alpha) => root.parentElement.conformalRoc.setAlpha(alpha)"
PAGES = {
    "page": "<div style='height: 9000px'></div>{chart}",
    "scroller": "<div id=scroller style='height: 700px; overflow: auto'>"
    "<div style='height: 9000px'></div>{chart}</div>",
    "collapsed": "<details id=fold open><summary>Chart</summary>{chart}</details>",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a page for each way in which a chart can be out of view."""
    folder = tmp_path_factory.mktemp("sight")
    chart = ROCWidget(evaluation_from_scores(2, n_calibration=400)).embed(folder)
    for name, body in PAGES.items():
        page = f"<!doctype html><meta charset=utf-8><title>{name}</title>{body.format(chart=chart)}"
        (folder / f"{name}.html").write_text(page)
    return folder


@pytest.fixture(params=with_quick(PAGES, ["collapsed"]))
def hidden(request: pytest.FixtureRequest, folder: Path, browser: Browser) -> Iterator[View]:
    """A chart that was drawn once and is out of view now."""
    size = {"width": 1000, "height": 800}
    with Served(browser, folder, f"{request.param}.html", viewport=size) as served:
        served.page.locator("[data-ready]").wait_for(state="attached")
        view = View(served, served.page.locator("[data-testid=crw]"))
        if request.param == "collapsed":
            served.page.evaluate("fold.open = false")
        view.wait("root.querySelector('[data-testid=data-table] tbody tr') !== null")
        view.root.evaluate(AWAY)
        yield view


def show(view: View) -> None:
    """Scrolls to the chart, or opens the element that hides it."""
    view.page.evaluate("if (window.fold) fold.open = true")
    view.root.scroll_into_view_if_needed()


def test_it_is_drawn_as_it_stands_when_it_is_seen(hidden: View) -> None:
    hidden.root.evaluate(SET, 0.2)
    show(hidden)
    hidden.wait("root.dataset.alpha === '0.2'")
    hidden.settle()
    assert hidden.drawing()["alpha"] == 0.2
    hidden.root.evaluate(SET, 0.3)
    hidden.wait("root.dataset.alpha === '0.3'")


def test_paper_shows_what_was_set_out_of_sight(hidden: View) -> None:
    hidden.root.evaluate(SET, 0.2)
    hidden.page.pdf()
    assert hidden.root.get_attribute("data-alpha") == "0.2"
