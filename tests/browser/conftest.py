"""A real JupyterLab and a real Chromium, one each for the whole run; a page for each test."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from chromium import find, help_text
from lab import CHROMIUM_FLAGS, Lab, Server
from playwright.sync_api import Browser, sync_playwright

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")


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
    """Open a page of its own; options are those of Playwright's ``new_context``."""
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(Lab(server, browser, **options))


@pytest.fixture
def lab(new_lab: Callable[..., Lab]) -> Lab:
    """JupyterLab in a page; the test fails if the page reports an error."""
    return new_lab()
