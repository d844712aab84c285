"""Charts that nobody sees: not drawn while anything moves, and true once it has rested or they are seen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from data import evaluation_from_scores
from parts import with_quick
from playwright.sync_api import Browser
from served import Served
from view import View

from conformal_roc_widget import ROCWidget

# Resolves once the chart is far from sight and a second has changed nothing in it; later changes are counted.
AT_REST = """async (root) => {
    await new Promise((done) => new IntersectionObserver((changes, self) => {
        if (changes.at(-1).isIntersecting) return;
        self.disconnect();
        done();
    }, { rootMargin: "100%", scrollMargin: "100%" }).observe(root));
    root.changes = 0;
    new MutationObserver((changes) => { root.changes += changes.length; }).observe(
        root, { attributes: true, childList: true, characterData: true, subtree: true });
    const end = performance.now() + 60_000;
    for (let quiet = 0; quiet < 60; quiet += 1) {
        await new Promise(requestAnimationFrame);
        if (performance.now() > end) throw new Error("the chart does not come to rest");
        if (root.changes > 0) quiet = root.changes = 0;
    }
}"""
# Another script of the page moves the chart for so many frames; resolves with the changes in it up to the last of them.
# A frame as late as the page's rest begins anew, on a machine where it is not always late.
MOVE = """async (root, [frames, last]) => {
    const { setAlpha } = root.parentElement.conformalRoc;
    let then = 0, late = 0;
    for (let frame = 0; frame < frames; frame += 1) {
        if (performance.now() - then > 400) {
            if (late === 100) throw new Error("frames come too late to tell");
            late += 1;
            frame = root.changes = 0;
        }
        then = performance.now();
        setAlpha(0.1 + frame / 1000);
        await new Promise(requestAnimationFrame);
    }
    const seen = root.changes;
    setAlpha(last);
    return seen;
}"""
SET = "(root, alpha) => root.parentElement.conformalRoc.setAlpha(alpha)"
PAGES = {
    "page": "<div style='height: 9000px'></div>{chart}",
    "scroller": "<div id=scroller style='height: 700px; overflow: auto'>"
    "<div style='height: 9000px'></div>{chart}</div>",
    "collapsed": "<details id=fold open><summary>Chart</summary>{chart}</details>",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page for each way in which a chart is out of sight."""
    folder = tmp_path_factory.mktemp("sight")
    chart = ROCWidget(evaluation_from_scores(2, n_calibration=400)).embed(folder)
    for name, body in PAGES.items():
        page = f"<!doctype html><meta charset=utf-8><title>{name}</title>{body.format(chart=chart)}"
        (folder / f"{name}.html").write_text(page)
    return folder


@pytest.fixture(params=with_quick(PAGES, ["collapsed"]))
def hidden(request: pytest.FixtureRequest, folder: Path, browser: Browser) -> Iterator[View]:
    """A chart that has been drawn once and is out of sight."""
    size = {"width": 1000, "height": 800}
    with Served(browser, folder, f"{request.param}.html", viewport=size) as served:
        served.page.locator("[data-ready]").wait_for(state="attached")
        view = View(served, served.page.locator("[data-testid=crw]"))
        if request.param == "collapsed":
            served.page.evaluate("fold.open = false")
        view.wait("root.querySelector('[data-testid=data-table] tbody tr') !== null")
        view.root.evaluate(AT_REST)
        yield view


def show(view: View) -> None:
    """Scrolls to the chart, or opens what it is in."""
    view.page.evaluate("if (window.fold) fold.open = true")
    view.root.scroll_into_view_if_needed()


def test_what_is_out_of_sight_is_not_drawn_while_anything_moves(hidden: View) -> None:
    assert hidden.root.evaluate(MOVE, [30, 0.2]) == 0
    hidden.wait("root.dataset.alpha === '0.2'")
    hidden.settle()
    assert hidden.part("alpha").get_attribute("aria-valuenow") == "0.2"


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
