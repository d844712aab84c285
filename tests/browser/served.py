"""A folder of pages on a local server, for a browser without any other network."""

import mimetypes
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lab import WIDGET
from playwright.sync_api import Browser, Route
from view import View
from watched import Watched

ADDRESS = "http://charts.invalid"


class Served(Watched):
    """A page of the folder in a browser."""

    def __init__(self, browser: Browser, folder: Path, page: str, **options: Any) -> None:
        super().__init__(browser, **options)
        self.folder = folder
        self.foreign: list[str] = []
        self._context.route("**", self._answer)
        self.page.goto(f"{ADDRESS}/{page}")

    def assert_alone(self) -> None:
        """Asserts that the page requested only files of the folder."""
        assert self.foreign == []

    def views(self, number: int) -> list[View]:
        """The charts of the page, this many, after they are drawn."""
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
