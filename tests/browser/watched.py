"""A browser page whose errors and warnings fail the test."""

from typing import Any, Self

from lab_server import TIMEOUT
from playwright.sync_api import Browser, ConsoleMessage, Page

# This script runs before all other scripts of the page.
WATCH = """window.violations = [];
document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    window.violations.push(`${violatedDirective}: ${blockedURI}`));"""


class Watched:
    """A page in its own browser context.

    Leaving the context asserts that there were no violations and no errors, and whatever
    `assert_alone` of the kind of page asserts.
    """

    def __init__(self, browser: Browser, **options: Any) -> None:
        self.errors: list[str] = []
        self._context = browser.new_context(
            **({"viewport": {"width": 1280, "height": 1400}} | options)
        )
        self._context.set_default_timeout(TIMEOUT * 1000)
        self.page: Page = self._context.new_page()
        self.page.add_init_script(WATCH)
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.errors.append(f"{error.name}: {error}"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        violations = [] if kind else self.page.evaluate("window.violations")
        self._context.close()
        if kind is None:
            assert self.errors == []
            assert violations == []
            self.assert_alone()

    def assert_alone(self) -> None:
        """Asserts that the page made no request that it must not need."""
        raise NotImplementedError

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)
