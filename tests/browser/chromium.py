"""Find a Chromium for the browser tests. If there is none, install one.

``python tests/browser/chromium.py`` prints its path. ``$CHROMIUM`` overrides the search.
"""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

# Of several lists of disabled features, Chromium reads only the last one. This is Playwright's list
# without Edge's features. It also disables two features by which an address bar loads two pages for
# each page under test. Those pages take longer than most of the pages under test.
FEATURES_OFF = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"),
    *("ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "AimEnabled"),
    *("OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch"),
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
)
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(FEATURES_OFF)}",
]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def starts(browser: str) -> bool:
    """Whether the program runs. Ubuntu's apt package is only a stub without snap."""
    try:
        return (
            subprocess.run([browser, "--version"], capture_output=True, timeout=60).returncode == 0
        )
    except (OSError, subprocess.TimeoutExpired):
        return False


def find() -> str | None:
    """Path of a Chromium: ``$CHROMIUM``, one on the PATH, or Playwright's own."""
    named = os.environ.get("CHROMIUM")
    if named:
        if not starts(named):
            raise FileNotFoundError(f"CHROMIUM={named} is not a browser that starts.")
        return named
    on_path = [path for name in NAMES if (path := shutil.which(name)) and starts(path)]
    if on_path:
        return on_path[0]
    with sync_playwright() as p:
        own = p.chromium.executable_path
    return own if starts(own) else None


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def is_debian() -> bool:
    try:
        return platform.freedesktop_os_release()["ID"] == "debian"
    except OSError:
        return False


def help_text() -> str:
    """One sentence with the command that installs a Chromium."""
    playwright = f"{Path(sys.executable).parent / 'playwright'} install --with-deps chromium"
    command = "sudo apt-get install chromium" if is_debian() else playwright
    return (
        f"No Chromium was found and none could be installed: type `{command}`, or name one that is "
        "there with `make test CHROMIUM=/path/to/chromium`."
    )


def install() -> str | None:
    """Install a Chromium with the system's package manager (root on Debian) or with Playwright."""
    playwright = [sys.executable, "-m", "playwright", "install", "chromium"]
    ways = [[playwright]]
    if is_root():
        ways.insert(0, [[*playwright, "--with-deps"]])
    if is_root() and is_debian():
        apt = ["apt-get", "-qq"]
        packages = [*apt, "install", "-y", "chromium", "fonts-liberation"]
        # If the package lists cannot be updated, the old ones are used.
        ways[:0] = [[[*apt, "update"], packages], [packages]]
    for way in ways:
        say(f"==> Installing Chromium for the browser tests: {' '.join(way[-1])}")
        if all(succeeds(command) for command in way):
            browser = find()
            if browser:
                return browser
    return None


def succeeds(command: list[str]) -> bool:
    """Whether the command succeeds. If it fails, the last line of its output is printed."""
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    try:
        run = subprocess.run(command, env=env, capture_output=True, text=True, errors="replace")
    except OSError as error:
        say(f"    {error}")
        return False
    if run.returncode:
        lines = (run.stderr or run.stdout).strip().splitlines() or [f"exit code {run.returncode}"]
        say(f"    {lines[-1]}")
    return run.returncode == 0


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        browser = find() or install()
    except FileNotFoundError as error:
        sys.exit(str(error))
    if not browser:
        sys.exit(help_text())
    print(browser)
