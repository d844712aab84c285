"""``make screenshot``: the README's examples in light and dark, "How to read it" with numbers, the
gallery.

The gallery's pictures go to ``build/gallery``. They are too large for the repository.
"""

import io
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import documents
import gallery
from chromium import CHROMIUM_FLAGS, find, help_text
from page import Opened
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from conformal_roc_widget import ROCWidget

PICTURES = documents.ROOT / "docs/pictures"
GALLERY = documents.ROOT / "build/gallery"
SCREEN = {"viewport": {"width": 1000, "height": 900}, "device_scale_factor": 1.5}
#: For each question, the parts that "How to read it" numbers, in this order: test id, and position
#: of the number relative to the part's upper left corner, as shares of the part's size and in
#: pixels.
PARTS: dict[str, list[tuple[str, tuple[float, float, int, int]]]] = {
    "sampling": [
        ("answer", (0, 0, -20, 2)),
        ("goal", (0, 0, -20, 2)),
        ("roc", (0.62, 0, 0, 5)),
        ("band-sampling-name", (1, 0, 4, -2)),
        ("arm-1", (0, 1, -4, 6)),
        ("alpha", (0, 0, 26, -4)),
        ("threshold", (0, 0, 26, -4)),
        ("metrics", (0, 0.4, -20, 0)),
        ("answers", (0, 0.2, -20, 0)),
    ],
    "sensitivity": [
        ("answer", (0, 0, -20, 2)),
        ("band-sensitivity-name", (1, 0, 4, -2)),
        ("own-limits-name", (1, 0, 4, -2)),
        ("residual-strip-1", (0, 0, -18, 0)),
        ("answer", (0, 1, -20, -20)),
    ],
    "ideal": [("answer", (0, 0, -20, 2)), ("band-ideal-name", (1, 0, 4, -2))],
}
NAMES = {"sampling": "read-sure", "sensitivity": "read-risks", "ideal": "read-best"}
#: Puts a disc with a number on the page.
DISC = """
([left, top, number]) => {
  const disc = document.createElement("div");
  disc.textContent = number;
  disc.style.cssText = `position:absolute;left:${left}px;top:${top}px;width:18px;height:18px;
    border-radius:9px;background:#111;color:#fff;font:bold 12px/18px sans-serif;text-align:center;
    z-index:99`;
  document.body.append(disc);
}
"""


def main() -> None:
    browser_path = find()
    if browser_path is None:
        sys.exit(help_text())
    PICTURES.mkdir(parents=True, exist_ok=True)
    sure, risks = examples()
    with (
        TemporaryDirectory(prefix="crw-") as name,
        sync_playwright() as p,
        p.chromium.launch(executable_path=browser_path, args=CHROMIUM_FLAGS) as browser,
    ):
        folder = Path(name)
        for widget, picture in ((sure, "quickstart"), (risks, "risks")):
            page = widget.to_html(folder / f"{picture}.html")
            for theme in ("light", "dark"):
                taken(browser, page, f"{picture}-{theme}", color_scheme=theme)
        for widget, question in ((sure, "sampling"), (risks, "sensitivity"), (risks, "ideal")):
            widget.band = question
            page = widget.to_html(folder / f"{question}.html")
            taken(browser, page, NAMES[question], parts=PARTS[question])
        picture_gallery(browser)


def examples() -> tuple[ROCWidget, ROCWidget]:
    """The README's first example, and its example of the paper's method."""
    names: dict[str, Any] = {}
    made = []
    for number in (0, 2):
        block = documents.blocks((documents.ROOT / "README.md").read_text())[number]
        code, _, last = block.strip().rpartition("\n")
        exec(code, names)
        made.append(eval(last, names))
    sure, risks = made
    return sure, risks


def taken(
    browser: Browser,
    page: Path,
    name: str,
    parts: list[tuple[str, tuple[float, float, int, int]]] | None = None,
    **look: Any,
) -> None:
    """Writes the picture of a page, with numbers beside some of its parts."""
    with Opened(browser, page, **SCREEN, **look) as opened:
        view = opened.view()
        if parts:
            opened.page.evaluate("() => { document.body.style.paddingLeft = '24px' }")
            view.frames()
            for number, (part, (across, down, right, below)) in enumerate(parts, start=1):
                box = view.root.locator(f'[data-testid="{part}"]').first.bounding_box()
                assert box is not None, part
                left = box["x"] + across * box["width"] + right
                top = box["y"] + down * box["height"] + below
                opened.page.evaluate(DISC, [left, top, number])
        box = view.root.bounding_box()
        assert box is not None
        whole = {
            "x": 0,
            "y": 0,
            "width": box["x"] + box["width"],
            "height": box["y"] + box["height"],
        }
        made = opened.page.screenshot(clip=whole, full_page=True, animations="disabled")
    # A palette that includes rare colours reduces a picture to a third of its bytes.
    picture = Image.open(io.BytesIO(made)).convert("RGB")
    small = picture.quantize(255, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    small.save(PICTURES / f"{name}.png", optimize=True)


def picture_gallery(browser: Browser) -> None:
    with TemporaryDirectory(prefix="crw-") as folder:
        gallery.write(Path(folder))
        for name in gallery.NAMES:
            with Opened(browser, Path(folder) / f"gallery/{name}.html") as opened:
                root = opened.view().root
                root.screenshot(path=GALLERY / f"{name}.png", animations="disabled")


if __name__ == "__main__":
    main()
