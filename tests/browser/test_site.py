"""The documentation's site at three widths: no sideways scrolling, charts draw, nothing is loaded
from elsewhere.
"""

from pathlib import Path

import documents
import pytest
from lab import WIDGET
from playwright.sync_api import Browser
from served import Served

pytestmark = pytest.mark.thorough
PAGES = sorted(page.stem for page in (documents.ROOT / "docs").glob("*.md"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = documents.written(tmp_path_factory.mktemp("source") / "docs")
    return documents.site(source, tmp_path_factory.mktemp("site"))


@pytest.mark.parametrize("page", PAGES)
def test_no_page_scrolls_sideways(page: str, site: Path, browser: Browser) -> None:
    with Served(browser, site, f"{page}.html", viewport={"width": 1440, "height": 900}) as served:
        for width in (1440, 800, 390):
            served.page.set_viewport_size({"width": width, "height": 900})
            wide = served.page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{page} at {width}"
        served.assert_alone()


def test_the_chart_at_home_stands_on_the_first_screen(site: Path, browser: Browser) -> None:
    with Served(browser, site, "index.html", viewport={"width": 1280, "height": 800}) as served:
        served.views(1)
        assert served.page.locator(WIDGET).bounding_box()["y"] < 200
