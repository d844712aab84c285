"""The documentation's gallery: each page is interactive, and its frame is high enough."""

from pathlib import Path

import gallery
import pytest
from page import Opened
from parts import with_quick
from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pages, and a page that shows them in frames."""
    folder = tmp_path_factory.mktemp("docs")
    blocks = [block for block in gallery.write(folder).split("\n\n") if block.startswith("<div")]
    (folder / "gallery.html").write_text("<!doctype html><title>Gallery</title>" + "".join(blocks))
    return folder


@pytest.mark.parametrize("name", with_quick(gallery.NAMES, list(gallery.NAMES)[::4]))
def test_an_example_moves_on_a_page_of_its_own(name: str, folder: Path, browser: Browser) -> None:
    with Opened(browser, folder / f"gallery/{name}.html") as opened:
        view = opened.view()
        for slider in ("alpha", "threshold"):
            before = view.shown(slider)
            view.part(slider).focus()
            opened.page.keyboard.press("PageUp")
            view.settle()
            assert view.shown(slider) > before


def test_the_frames_of_the_gallery_are_as_high_as_their_pages(
    folder: Path, browser: Browser
) -> None:
    context = browser.new_context(viewport={"width": 900, "height": 900})
    context.set_offline(True)
    page = context.new_page()
    page.goto((folder / "gallery.html").as_uri())
    for name in gallery.NAMES:
        frame = page.locator(f"iframe#{name}")
        frame.scroll_into_view_if_needed()
        page.wait_for_function("(frame) => frame.style.height !== ''", arg=frame.element_handle())
    context.close()
