"""``make screenshot``: the quickstart's widget in light and dark, for the README, and the gallery's charts.

The gallery's pictures go to ``build/gallery``; they are too heavy to be kept.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import gallery
from chromium import CHROMIUM_FLAGS, find, help_text
from lab import Lab
from lab_server import Server
from page import Opened
from playwright.sync_api import Browser, sync_playwright
from view import View

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs/pictures"
GALLERY = ROOT / "build/gallery"
WIDTH = 960


def main() -> None:
    browser_path = find()
    if browser_path is None:
        sys.exit(help_text())
    PICTURES.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory(prefix="crw-") as folder,
        Server(Path(folder)) as server,
        sync_playwright() as p,
        p.chromium.launch(executable_path=browser_path, args=CHROMIUM_FLAGS) as browser,
        Lab(
            server, browser, viewport={"width": 1400, "height": 1200}, device_scale_factor=2
        ) as lab,
    ):
        lab.open(ROOT / "notebooks/quickstart.ipynb")
        lab.run_all()
        view = View(lab, lab.wait_for_widget())
        view.set_width(WIDTH)
        view.root.evaluate("(root) => root.scrollIntoView({ block: 'center' })")
        for theme in ("light", "dark"):
            lab.set_theme(theme)
            view.wait(f"root.dataset.theme === '{theme}'")
            view.frames()
            lab.screenshot(PICTURES / f"quickstart-{theme}.png", of=view.root)
        picture_gallery(browser)


def picture_gallery(browser: Browser) -> None:
    with TemporaryDirectory(prefix="crw-") as folder:
        gallery.write(Path(folder))
        for name in gallery.NAMES:
            with Opened(browser, Path(folder) / f"gallery/{name}.html") as opened:
                root = opened.view().root
                root.screenshot(path=GALLERY / f"{name}.png", animations="disabled")


if __name__ == "__main__":
    main()
