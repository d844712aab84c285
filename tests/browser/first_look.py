"""Open the address that `make lab` gives, run the quickstart, and wait until its first chart has
drawn.

``python tests/browser/first_look.py ADDRESS``. If there is no browser, one is installed.
"""

import sys
import time

from chromium import CHROMIUM_FLAGS, find, help_text, install
from playwright.sync_api import Page, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

DRAWN = '[data-testid="crw"][data-ready="1"][data-source="kernel"]'
SECONDS = 240


def wait_for_kernel(page: Page) -> None:
    """Waits until the page has its kernel. Messages to a kernel that is still starting may be lost."""
    deadline = time.monotonic() + SECONDS
    while True:
        kernels = page.request.get(page.evaluate("location.origin + '/api/kernels'")).json()
        if any(each["execution_state"] == "idle" and each["connections"] for each in kernels):
            return
        if time.monotonic() > deadline:
            sys.exit(f"No kernel was idle after {SECONDS} s; the server says: {kernels}")
        page.wait_for_timeout(500)


def look(address: str) -> str:
    """The curve's path after the kernel's numbers are drawn."""
    browser_path = find() or install()
    if browser_path is None:
        sys.exit(help_text())
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=browser_path, args=CHROMIUM_FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(1000 * SECONDS)
        page.goto(address)
        page.locator(".jp-NotebookPanel .jp-CodeCell").first.wait_for()
        wait_for_kernel(page)
        page.locator(".lm-MenuBar-itemLabel", has_text="Run").click()
        page.locator('.lm-Menu-item[data-command="runmenu:run-all"]').click()
        chart = page.locator(DRAWN).first
        try:
            chart.wait_for()
        except PlaywrightTimeout:
            sys.exit(
                f"No chart after {SECONDS} s; the page says: {page.inner_text('body')[-2000:]}"
            )
        return chart.locator('[data-testid="roc"]').first.get_attribute("d") or ""


if __name__ == "__main__":
    curve = look(sys.argv[1])
    if len(curve) < 100:
        sys.exit(f"found a curve of {len(curve)} letters, expected one of more than 100")
    print(f"==> The quickstart has drawn: a curve of {len(curve)} letters")
