"""One notebook for all tests of a module. The module may define its own ``SETUP`` code."""

from collections.abc import Iterator

import pytest
from lab import Lab
from lab_server import Server
from playwright.sync_api import Browser
from view import EXAMPLES, View, show

VIEWPORT = {"width": 1700, "height": 1300}


@pytest.fixture(scope="module")
def notebook(server: Server, browser: Browser, request: pytest.FixtureRequest) -> Iterator[Lab]:
    permissions = ["clipboard-read", "clipboard-write"]
    with Lab(server, browser, viewport=VIEWPORT, permissions=permissions) as lab:
        lab.open([""])
        lab.execute(EXAMPLES + getattr(request.module, "SETUP", ""))
        yield lab


@pytest.fixture
def lab(notebook: Lab) -> Iterator[Lab]:
    """The notebook. The test fails if the page reports an error."""
    yield notebook
    notebook.page.set_viewport_size(VIEWPORT)
    notebook.assert_no_errors()


@pytest.fixture(scope="module")
def shown(notebook: Lab) -> View:
    return show(notebook, "widget = example(band='both')\nwidget")


@pytest.fixture
def view(lab: Lab, shown: View) -> View:
    """The widget, reset before each test."""
    lab.execute("widget.alpha, widget.threshold, widget.band = 0.05, 0.5, 'both'")
    shown.wait_for(alpha=0.05, threshold=0.5)
    shown.wait_for_band("both")
    return shown
