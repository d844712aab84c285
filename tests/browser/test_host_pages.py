"""The widget works in pages with the properties of many hosts."""

from pathlib import Path

import pytest
from data import evaluation_from_scores
from framed import FramedView, framed
from hosts import HOSTS, PICTURED, POLICIES, QUICK, Host, HostPage, faults, write
from parts import with_quick
from playwright.sync_api import Browser, Locator, expect
from view import View

from conformal_roc_widget import ROCWidget


@pytest.fixture(scope="module")
def widget() -> ROCWidget:
    return ROCWidget(evaluation_from_scores(2, n_calibration=400), band="both")


def charts(page: HostPage, host: Host) -> list[View]:
    """The charts, after they are drawn and the host has changed its state."""
    views = [framed(page.page)[1]] if "{frame}" in host.body else page.views(host.charts)
    for view in views:
        view.wait("root.dataset.ready !== undefined")
        view.settle()
    if host.then:
        page.page.evaluate(host.then)
        # a host may change its background slowly, without an event
        page.page.wait_for_timeout(1200)
    for view in views:
        view.settle()
    return views


@pytest.mark.parametrize("name", with_quick(HOSTS, QUICK))
def test_it_can_be_read_and_moved_in_a_page_of_this_kind(
    name: str, widget: ROCWidget, browser: Browser, tmp_path: Path
) -> None:
    host = HOSTS[name]
    write(host, widget, tmp_path)
    with HostPage(browser, tmp_path, host) as page:
        found = [faults(view, host) for view in charts(page, host)]
        assert found == [{}] * host.charts


@pytest.mark.parametrize("name", with_quick(POLICIES, ["its own scripts alone"]))
def test_where_a_policy_forbids_the_script_there_is_a_picture_and_a_sentence(
    name: str, widget: ROCWidget, browser: Browser, tmp_path: Path
) -> None:
    widget.to_html(tmp_path / "host.html")
    with HostPage(browser, tmp_path, Host(policy=POLICIES[name])) as page:
        body = page.page.locator("body")
        expect(body).to_contain_text("Without it, this is the picture of one moment")
        expect(body).to_contain_text("Guarantee: at least 95 %")
        picture = page.page.get_by_role("img", name="ROC curve")
        expect(picture).to_be_visible()
        is_drawn = picture.evaluate("(picture) => picture.decode().then(() => true, () => false)")
        assert is_drawn == (name in PICTURED)
        assert page.page.get_by_test_id("crw").count() == 0
        page.forgive()


def test_a_page_in_which_no_script_runs_has_a_picture_and_a_sentence_of_each_chart(
    widget: ROCWidget, browser: Browser, tmp_path: Path
) -> None:
    host = Host("{chart}{chart}", policy="script-src 'none'")
    write(host, widget, tmp_path)
    with HostPage(browser, tmp_path, host) as page:
        expect(page.page.get_by_role("img", name="ROC curve")).to_have_count(2)
        page.forgive()


def test_the_script_takes_picture_and_sentence_away(
    widget: ROCWidget, browser: Browser, tmp_path: Path
) -> None:
    host = Host("{chart}{frame}")
    write(host, widget, tmp_path)
    with HostPage(browser, tmp_path, host) as page:
        page.views(1)
        _, view = framed(page.page)
        pictures = page.page.locator("[data-still]")
        expect(pictures.filter(visible=True)).to_have_count(0)
        assert view.inside().locator("[data-still]").count() == 0


@pytest.mark.parametrize(
    ("sandbox", "said"),
    [
        ("allow-scripts", "If no file comes: the page around this frame allows no downloads."),
        ("allow-scripts allow-same-origin", "The page around this frame allows no downloads."),
        ("allow-scripts allow-same-origin allow-downloads", ""),
    ],
)
def test_a_frame_without_downloads_says_so(
    sandbox: str, said: str, widget: ROCWidget, browser: Browser, tmp_path: Path
) -> None:
    widget.to_html(tmp_path / "page.html")
    (tmp_path / "host.html").write_text(
        f"<!doctype html><iframe sandbox='{sandbox}' src='page.html' width=960 height=900></iframe>"
    )
    with HostPage(browser, tmp_path, Host()) as page:
        inside = page.page.locator("iframe").content_frame
        inside.get_by_test_id("toolbar-download").click()
        told = inside.locator(".crw-failure")
        expect(told).to_have_text(said)
        assert told.is_visible() == bool(said)
        page.errors = [error for error in page.errors if "allow-same-origin" not in error]


def test_a_frame_follows_its_content_when_that_becomes_lower(
    widget: ROCWidget, browser: Browser, tmp_path: Path
) -> None:
    host = Host("{frame}")
    write(host, widget, tmp_path)
    with HostPage(browser, tmp_path, host) as page:
        frame, view = framed(page.page)
        fold = view.root.locator(".crw-all > summary")
        low = height_of(frame, view)
        fold.click()
        high = height_of(frame, view)
        fold.click()
        assert high > low + 100
        assert height_of(frame, view) == low


def height_of(frame: Locator, view: FramedView) -> float:
    """Height of the frame, once it is that of its content."""
    page = view.page
    for _ in range(100):
        page.wait_for_timeout(100)
        content = view.root.evaluate("(root) => root.offsetHeight")
        found = frame.evaluate("(frame) => frame.clientHeight")
        if abs(found - content) <= 1:
            return found
    raise AssertionError(f"the frame is {found} high, its content {content}")
