"""A real JupyterLab and a real Chromium, each started once for the whole run."""

import gc
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Any

import pytest
from chromium import CHROMIUM_FLAGS, find, help_text
from greenlet import greenlet
from lab import Lab
from lab_server import TIMEOUT, Server
from page import Alone, Open, Opened
from playwright.sync_api import Browser, expect, sync_playwright

from conformal_roc_widget import ROCWidget

HERE = Path(__file__).parent
# On a busy machine other processes may be slow, so waits are long.
expect.set_options(timeout=1000 * TIMEOUT)
# The longest tests start first, so that no worker gets one of them last and runs on alone.
LONGEST = (
    "damaged_files",
    "hostile_names",
    "leaks",
    "offline",
    "quickstart",
    "layout",
    "hosts",
    "reopened",
    "understanding",
)


def place_in_run(item: pytest.Item) -> int:
    """Position of the test's file in the run. Files that take long come first."""
    name = item.path.stem.removeprefix("test_")
    return LONGEST.index(name) if name in LONGEST else len(LONGEST)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    ours = [item for item in items if HERE in item.path.parents]
    for item in ours:
        item.add_marker("browser")
    if len(ours) == len(items):
        items.sort(key=place_in_run)


@pytest.fixture(autouse=True)
def told_where_it_hangs(pytestconfig: pytest.Config) -> Iterator[None]:
    """If a test hangs, prints where, shortly before pytest stops it.

    pytest itself would only show Playwright's event loop.
    """
    capture = pytestconfig.pluginmanager.getplugin("capturemanager")

    def tell() -> None:
        waiting = [each for each in gc.get_objects() if isinstance(each, greenlet)]
        with capture.global_and_fixture_disabled():
            for frame in filter(None, (each.gr_frame for each in waiting)):
                traceback.print_stack(frame, limit=12, file=sys.stderr)

    timer = Timer(0.9 * float(pytestconfig.getini("faulthandler_timeout")), tell)
    timer.daemon = True
    timer.start()
    yield
    timer.cancel()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with TemporaryDirectory(prefix="crw-") as folder, Server(Path(folder)) as server:
        yield server


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = find()
    if path is None:
        pytest.fail(help_text())
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def new_lab(server: Server, browser: Browser) -> Iterator[Callable[..., Lab]]:
    """Opens a new page. Options are those of Playwright's ``new_context``."""
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(Lab(server, browser, **options))


@pytest.fixture
def alone(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens the file of a widget without a network. Options are those of ``new_context``."""
    folder = tmp_path / "my charts, été"
    folder.mkdir()
    with ExitStack() as stack:

        def opened(widget: ROCWidget, **options: Any) -> Alone:
            file = widget.to_html(folder / "chart.html")
            return stack.enter_context(Opened(browser, file, **options)).view(widget)

        yield opened


@pytest.fixture
def lab(new_lab: Callable[..., Lab], request: pytest.FixtureRequest) -> Lab:
    """JupyterLab in a page. The test fails if the page reports an error.

    If a module sets ``APART``, it gets its own pages.
    """
    return new_lab(apart=getattr(request.module, "APART", False))
