"""``make screenshot``: the quickstart's widget in light and dark, for the README."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from chromium import find, help_text
from lab import CHROMIUM_FLAGS, Lab, Server
from playwright.sync_api import sync_playwright
from view import View

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs/pictures"
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


if __name__ == "__main__":
    main()
