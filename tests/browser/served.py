"""A folder of pages, as a server gives them to a browser that reaches nothing else."""

import mimetypes
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from lab import TIMEOUT, WIDGET
from page import WATCH
from playwright.sync_api import Browser, ConsoleMessage, Page, Route
from view import View

ADDRESS = "http://charts.invalid"


class Served:
    """A page of the folder in a browser.

    Leaving the context asserts that nothing else was asked for, nothing forbidden was tried and
    nothing went wrong.
    """

    def __init__(self, browser: Browser, folder: Path, page: str, **options: Any) -> None:
        self.folder = folder
        self.errors: list[str] = []
        self.foreign: list[str] = []
        self._context = browser.new_context(
            **({"viewport": {"width": 1280, "height": 1400}} | options)
        )
        self._context.set_default_timeout(TIMEOUT * 1000)
        self._context.route("**", self._answer)
        self.page: Page = self._context.new_page()
        self.page.add_init_script(WATCH)
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.errors.append(f"{error.name}: {error}"))
        self.page.goto(f"{ADDRESS}/{page}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        violations = [] if kind else self.page.evaluate("window.violations")
        self._context.close()
        if kind is None:
            assert self.errors == []
            assert violations == []
            assert self.foreign == []

    def views(self, number: int) -> list[View]:
        """So many charts, once they are drawn."""
        roots = self.page.locator(WIDGET)
        roots.nth(number - 1).wait_for()
        assert roots.count() == number
        return [View(self, root) for root in roots.all()]

    def _answer(self, route: Route) -> None:
        url = urlsplit(route.request.url)
        file = self.folder / url.path.lstrip("/")
        if url.scheme in ("data", "blob"):
            route.continue_()
        elif route.request.url.startswith(ADDRESS) and file.is_file():
            kind = mimetypes.guess_type(file.name)[0] or "text/plain"
            route.fulfill(path=file, content_type=f"{kind}; charset=utf-8")
        elif url.path == "/favicon.ico":
            route.fulfill(status=204)
        else:
            self.foreign.append(route.request.url)
            route.abort()

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)
