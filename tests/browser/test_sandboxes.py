"""The page of `to_html` in frames with the `sandbox` attributes and content policies of real hosts.

The tests do not use the hosts themselves. They treat the page as a host does according to its
source or specification, which `docs/hosts.md` links.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from framed import framed, moves
from parts import with_quick
from playwright.sync_api import Browser
from served import Served

from conformal_roc_widget import ROCWidget

#: The policy of MCP Apps for a resource without declarations (specification of 2026-01-26).
MCP_APPS = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; media-src 'self' data:; connect-src 'none'"
)
STREAMLIT = (
    "allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-same-origin "
    "allow-scripts allow-downloads"
)
#: Each host passes the page to its frame in its own way, and allows the frame some features.
HOSTS = {
    "MCP Apps": ("src", "allow-scripts"),
    "MCP Apps, an origin of its own": ("src", "allow-scripts allow-same-origin"),
    "MLflow": ("blob", "allow-scripts allow-same-origin"),
    "MLflow before": ("blob", "allow-scripts"),
    "Streamlit": ("srcdoc", STREAMLIT),
}
HOST = """<!doctype html><meta charset="utf-8"><title>A host</title>
<iframe title="ROC curve with conformal bands" sandbox="{sandbox}" width="1100" height="1300"></iframe>
<script type="module">
const frame = document.querySelector("iframe");
const text = await (await fetch("page.html")).text();
if ("{way}" === "srcdoc") frame.srcdoc = text;
else frame.src = "{way}" === "src" ? "page.html" : URL.createObjectURL(new Blob([text], {{ type: "text/html" }}));
</script>"""
#: Chromium's warning about frames that can reach their host.
WARNED = "An iframe which has both allow-scripts and allow-same-origin"


class Hosted(Served):
    """A host whose server sends the page with a content policy."""

    def _answer(self, route: Any) -> None:
        if route.request.url.endswith("page.html") and self.policy:
            headers = {"content-security-policy": self.policy, "content-type": "text/html"}
            route.fulfill(path=self.folder / "page.html", headers=headers)
        else:
            super()._answer(route)

    def __init__(self, browser: Browser, folder: Path, policy: str) -> None:
        self.policy = policy
        super().__init__(browser, folder, "host.html")


@pytest.fixture(scope="module")
def widget() -> ROCWidget:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 800)
    score = rng.beta(2 + y, 3 - y)
    return ROCWidget.from_predictions(y[:400], score[:400], y[400:], score[400:])


@pytest.mark.parametrize("host", with_quick(HOSTS, ["MCP Apps", "Streamlit"]))
def test_the_page_moves_in_the_frame_of_a_host(
    host: str, widget: ROCWidget, browser: Browser, tmp_path: Path
) -> None:
    way, sandbox = HOSTS[host]
    widget.to_html(tmp_path / "page.html")
    (tmp_path / "host.html").write_text(HOST.format(way=way, sandbox=sandbox))
    policy = MCP_APPS if host.startswith("MCP") else ""
    with Hosted(browser, tmp_path, policy) as hosted:
        _, view = framed(hosted.page)
        moves(view, widget)
        assert view.inside().evaluate("window.violations") == []
        hosted.errors = [error for error in hosted.errors if not error.startswith(WARNED)]


def test_the_policy_of_mcp_apps_is_one_that_forbids(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "host.html").write_text(HOST.format(way="src", sandbox="allow-scripts"))
    (tmp_path / "page.html").write_text(
        "<!doctype html><script src='https://elsewhere.invalid/d3.js'></script><p>Blocked?</p>"
    )
    with Hosted(browser, tmp_path, MCP_APPS) as hosted:
        inside = hosted.page.locator("iframe").content_frame.locator("p")
        inside.wait_for()
        frame = inside.element_handle().owner_frame()
        frame.wait_for_function("window.violations.length > 0")
        assert inside.evaluate("window.violations") == [
            "script-src-elem: https://elsewhere.invalid/d3.js"
        ]
        hosted.errors.clear()
