"""Small host pages, each with one property of real hosts, and checks that every widget in them must
pass.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from layout import LAYOUT, overlaps
from playwright.sync_api import Browser, Route
from served import Served
from view import View

from conformal_roc_widget import ROCWidget


@dataclass(frozen=True)
class Host:
    """A page around charts. Its HTML has ``{chart}`` (from `embed`) or ``{frame}`` (from `as_html`)
    where the charts are to be.

    Attributes
    ----------
    body : str
        The page.
    then : str
        Script that is run once the charts are drawn.
    dark : bool
        Whether the system is set to dark.
    size : tuple of int
        Width and height of the window.
    policy : str
        Content policy that the server sends with the page.
    theme : str
        The theme in which the charts must be drawn.
    charts : int
        The number of charts.
    paper : str
        Width of the paper that the page is printed on.
    """

    body: str = "{chart}"
    then: str = ""
    dark: bool = False
    size: tuple[int, int] = (1000, 900)
    policy: str = ""
    theme: str = "light"
    charts: int = 1
    paper: str = ""


def page(style: str, body: str = "{chart}", **options: Any) -> Host:
    return Host(f"<style>{style}</style>{body}", **options)


FLEX = '<div style="display: flex">{chart}{chart}</div>'
BOXED = '<div style="display: flex"><section>{chart}</section><section>{chart}</section></div>'

GROUNDS = {
    "light page, dark system": Host(dark=True),
    "dark page, light system": page("body { background: #1e1e1e; color: #ddd }", theme="dark"),
    "scheme dark": page(":root { color-scheme: dark }", theme="dark"),
    "scheme of the system": page(":root { color-scheme: light dark }", dark=True, theme="dark"),
    "dark far above": page(
        "html { background: white } main { background: oklch(0.2 0.01 250) }",
        "<main><div><div><p></p><div><div>{chart}</div></div></div></div></main>",
        theme="dark",
    ),
    "light card on a dark page": page(
        "body { background: #111 } main { background: #fff }", "<main>{chart}</main>", dark=True
    ),
    "translucent over dark": page(
        "body { background: #000 } main { background: rgb(255 255 255 / 5%) }",
        "<main>{chart}</main>",
        theme="dark",
    ),
    "neither light nor dark": page("body { background: #808080 }", dark=True),
    "a picture": page("body { background: linear-gradient(#111, #222) }"),
    "dark at run time": page(
        "body { transition: background-color 0.3s } .night { background: #121212 }",
        then="document.body.className = 'night'",
        theme="dark",
    ),
    "light at run time, by a style sheet": page(
        "body { background: #121212 }",
        then="document.querySelector('style').disabled = true",
        dark=True,
    ),
    "dark around a frame at run time": Host(
        "{frame}", "document.body.style.background = '#111111'", theme="dark"
    ),
    "dark around a frame": page("body { background: #111111 }", "{frame}", theme="dark"),
    "light around a frame, dark system": Host("{frame}", dark=True),
}
SCALES = {
    "scaled to 0.7": Host(
        '<div style="transform: scale(0.7); transform-origin: 0 0">{chart}</div>'
    ),
    "scaled to 1.3": page(
        "div { transform-origin: 0 0 }",
        '<div style="transform: scale(1.3); width: 800px">{chart}</div>',
        size=(1100, 1200),
    ),
    "zoomed to 1.3": Host('<div style="zoom: 1.3">{chart}</div>'),
    "zoomed to 0.7": Host('<div style="zoom: 0.7">{chart}</div>'),
    "zoomed and scaled": Host(
        '<div style="zoom: 1.5; width: 800px; transform: scale(0.8); transform-origin: 0 0">{chart}</div>'
    ),
}
WIDTHS = {
    "two in a row": Host(FLEX, size=(1200, 1000), charts=2),
    "three in a row": Host(
        '<div style="display: flex">{chart}{chart}{chart}</div>', size=(1290, 1000), charts=3
    ),
    "two in boxes in a row": Host(BOXED, size=(1200, 1000), charts=2),
    "two in columns": page(
        "main { display: grid; grid-template-columns: 1fr 1fr }",
        "<main>{chart}{chart}</main>",
        size=(1200, 1000),
        charts=2,
    ),
    "in a table": Host("<table><tr><td>{chart}<td>Words beside it</table>"),
    "a row that shrinks": Host(
        '<div id="row" style="display: flex; width: 960px">{chart}</div>',
        "document.getElementById('row').style.width = '400px'",
    ),
    "alone in a row": Host('<div style="display: flex">{chart}</div>'),
}
HEIGHTS = {
    "cut off at 300 pixels": Host('<div style="height: 300px; overflow: hidden">{chart}</div>'),
    "cut off by the page": page("html, body { height: 100%; overflow: hidden }", size=(1000, 400)),
    "filling a box of 400 pixels": page(
        "main { height: 400px } main, main > div, main > div > div { display: flex; flex: 1 1 auto; "
        "flex-direction: column; min-height: 0; overflow: hidden } main * > .crw { min-height: 0 }",
        "<main>{chart}</main><p>After it</p>",
    ),
    "cut off at run time": Host(
        '<div id="box" style="overflow: hidden">{chart}</div>',
        "document.getElementById('box').style.height = '300px'",
    ),
}
DIRECTIONS = {
    "right to left": Host('<div dir="rtl">{chart}</div>'),
    "a page from right to left": Host("<script>document.dir = 'rtl'</script>{chart}"),
    "in a text that is set apart": page(
        "main { font: italic 700 22px/1 serif; letter-spacing: 4px; white-space: pre; "
        "text-indent: 40px; text-align: right; text-transform: uppercase; word-spacing: 9px }",
        "<main>{chart}</main>",
    ),
}
SPACED = """* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
word-spacing: 0.16em !important } p { margin-bottom: 2em !important }"""
LETTERS = {
    f"{name} at {width}": page(style, size=(width, 1000))
    for name, style in (
        ("spaced letters", SPACED),
        ("letters of 20 pixels", "*:not(svg *) { font-size: max(20px, 1em) !important }"),
    )
    for width in (390, 720, 1000, 1280)
}
PAPER = {
    f"printed from {width}{', dark' if dark else ''}": Host(
        "<style>:root { color-scheme: light dark }</style>{chart}",
        dark=dark,
        size=(width, 900),
        paper="718px",
    )
    for width, dark in ((390, False), (640, False), (960, False), (640, True))
}
#: Policies that are sent with the page of `to_html`. Under each of them at least some text must be
#: readable.
POLICIES = {
    "its own scripts alone": "script-src 'self'",
    "its own files alone": "default-src 'self'",
    "nothing": "default-src 'none'",
    "a sandbox": "sandbox",
}
#: Under these policies the browser also shows the picture.
PICTURED = ("its own scripts alone", "a sandbox")
HOSTS = GROUNDS | SCALES | WIDTHS | HEIGHTS | DIRECTIONS | LETTERS | PAPER
#: Hosts that `make test` runs. The others are marked thorough.
QUICK = {
    *("dark far above", "light at run time, by a style sheet"),
    *("scaled to 1.3", "two in boxes in a row"),
    *("cut off at 300 pixels", "right to left", "printed from 640, dark"),
    "letters of 20 pixels at 1000",
}

# Finds the text with the lowest contrast to the backgrounds behind it, and this contrast.
LEAST_CONTRAST = """(root) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const luminance = (colours) => {
        for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
            .map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const probe = document.documentElement.appendChild(document.createElement("i"));
    probe.style.background = "Canvas";
    const ground = getComputedStyle(probe).backgroundColor;
    probe.remove();
    let worst = [99, ""];
    for (const element of root.querySelectorAll("*")) {
        const text = [...element.childNodes].find((n) => n.nodeType === 3 && n.data.trim());
        if (!text || !element.checkVisibility({ opacityProperty: true }) || element.closest(":has(> :disabled), option")) continue;
        const style = getComputedStyle(element), behind = [];
        for (let e = element; e; e = e.parentElement) behind.unshift(getComputedStyle(e).backgroundColor);
        const back = luminance([ground, ...behind]);
        const front = luminance([element instanceof SVGElement ? style.fill : style.color]);
        const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
        if (contrast < worst[0]) worst = [Math.round(100 * contrast) / 100, text.data.trim()];
    }
    return worst;
}"""

# Finds texts of the form "a to b" in which a is not drawn to the left of b.
OUT_OF_ORDER = """(root) => {
    const found = [], walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const left = (node, at) => {
        const range = document.createRange();
        range.setStart(node, at); range.setEnd(node, at + 1);
        return range.getBoundingClientRect();
    };
    while (walker.nextNode()) {
        const { data } = walker.currentNode, at = data.search(/\\d to .?\\d/);
        if (at < 0 || !walker.currentNode.parentElement.checkVisibility()) continue;
        const [first, second] = [left(walker.currentNode, at), left(walker.currentNode, at + 5)];
        // A line may end between them.
        if (first.top === second.top && first.left >= second.left) found.push(data);
    }
    return found;
}"""

# Counts the pixels by which the widget overflows the window, or the parent of the root, on either
# side.
STICKS_OUT = """(root) => {
    const { left, right } = root.getBoundingClientRect();
    const box = root.parentElement.getBoundingClientRect();
    const paper = document.body.style.width === "" ? innerWidth : parseFloat(document.body.style.width);
    return Math.max(0, -left, right - paper, box.left - left, right - box.right,
        document.body.style.width === "" ? document.documentElement.scrollWidth - innerWidth : 0);
}"""

# Returns whether the last line can be scrolled into view.
REACHES_END = """(root) => {
    const last = [...root.querySelectorAll(".crw-all > summary")].at(-1);
    last.scrollIntoView({ block: "center" });
    const { left, top, width, height } = last.getBoundingClientRect();
    let seen = root.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    // A script scrolls also what nobody else can.
    for (let e = root.parentElement; e; e = e.parentElement) {
        if (/hidden|clip/.test(getComputedStyle(e).overflowY) && Math.max(e.scrollTop, scrollY) > 20) seen = false;
    }
    for (let e = root; e; e = e.parentElement) e.scrollTop = 0;
    root.scrollTop = 0;
    scrollTo(0, 0);
    return seen;
}"""

# Measures the distance of each thumb from the place of its value on its track.
ASTRAY = """(root) => ["alpha", "threshold"].map((name) => {
    const part = (id) => root.querySelector(`[data-testid="${id}"]`);
    const track = part(`${name}-track`).getBoundingClientRect(), thumb = part(name).getBoundingClientRect();
    const now = Number(part(name).getAttribute("aria-valuenow"));
    const share = name === "alpha" ? Math.log(now / 0.001) / Math.log(500) : now;
    return Math.abs(thumb.left + thumb.width / 2 - track.left - share * track.width);
})"""

# Finds the screen position of the vertex at this share of the curve's length, using the drawing's
# own coordinate transform.
VERTEX = """(root, share) => {
    const plot = root.querySelector(".crw-plot"), path = root.querySelector('[data-testid="roc"]');
    const at = path.getPointAtLength(share * path.getTotalLength());
    const mark = plot.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "circle"));
    for (const [name, value] of [["cx", at.x], ["cy", at.y], ["r", 1]]) mark.setAttribute(name, value);
    mark.scrollIntoView({ block: "center" });
    mark.remove();
    const { x, y } = new DOMPoint(at.x, at.y).matrixTransform(plot.getScreenCTM());
    return [x, y];
}"""
MIDDLE = """(root, selector) => {
    const { left, top, width, height } = root.querySelector(selector).getBoundingClientRect();
    return [left + width / 2, top + height / 2];
}"""
# Lists elements that overflow the paper, at the moment of printing: no ResizeObserver is called
# then.
PRINT = """(width) => {
    document.body.style.margin = "0";
    document.body.style.width = width;
    dispatchEvent(new Event("beforeprint"));
    const far = (root) => root.getBoundingClientRect().right + 1;
    const isOut = (root) => (each) => each.getClientRects().length > 0 &&
        each.getBoundingClientRect().right > far(root);
    const roots = [...document.querySelectorAll('[data-testid="crw"]')];
    const strips = '.crw-strips, .crw-strips *, [data-testid$="-track"] *';
    return roots.flatMap((root) => [...root.querySelectorAll(strips)].filter(isOut(root)))
        .map((each) => each.getAttribute("class") ?? each.tagName);
}"""


class HostPage(Served):
    """The page of a host with its charts."""

    def __init__(self, browser: Browser, folder: Path, host: Host) -> None:
        self.policy = host.policy
        width, height = host.size
        scheme = "dark" if host.dark else "light"
        options = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
        super().__init__(browser, folder, "host.html", **options)

    def _answer(self, route: Route) -> None:
        path = urlsplit(route.request.url).path.lstrip("/")
        if path == "host.html" and self.policy:
            headers = {"content-security-policy": self.policy, "content-type": "text/html"}
            route.fulfill(path=self.folder / path, headers=headers)
        else:
            super()._answer(route)

    def forgive(self) -> None:
        """Removes the errors that the browser reports because of the host's policy."""
        self.errors.clear()
        self.page.evaluate("window.violations = []")


def write(host: Host, widget: ROCWidget, folder: Path) -> None:
    """Writes the page, and returns the charts in it."""
    chart = widget.embed(folder)
    frame = widget.as_html()._repr_html_() if "{frame}" in host.body else ""
    body = host.body.replace("{chart}", chart).replace("{frame}", frame)
    text = f"<!doctype html><meta charset=utf-8><title>A host</title>{body}"
    (folder / "host.html").write_text(text)


def faults(view: View, host: Host) -> dict[str, Any]:
    """Descriptions of all failed checks of a chart in this host."""
    root = view.root
    found: dict[str, Any] = {}
    if host.paper:
        found["at once"] = view.page.evaluate(PRINT, host.paper)
        found["astray"] = [far for far in root.evaluate(ASTRAY) if far > 1.5]
    contrast, text = root.evaluate(LEAST_CONTRAST)
    found["contrast"] = f"{contrast} of {text!r}" if contrast < 4.5 else None
    theme = root.get_attribute("data-theme")
    found["theme"] = theme if theme != host.theme else None
    found["out of order"] = root.evaluate(OUT_OF_ORDER)
    out = root.evaluate(STICKS_OUT)
    found["sticks out"] = out if out > 1.5 else None
    layout = root.evaluate(LAYOUT)
    found |= {name: layout[name] for name in ("outside", "clipped")}
    found["overlaps"] = overlaps(layout["texts"])
    found["too little"] = len(layout["texts"]) if len(layout["texts"]) < 25 else None
    if not host.paper:
        found["out of reach"] = not root.evaluate(REACHES_END)
        found |= misplaced(view)
    return {name: fault for name, fault in found.items() if fault}


def misplaced(view: View) -> dict[str, Any]:
    """Distances in pixels between the pointer and the marks that it hovers, drags or sets."""
    mouse = view.page.mouse
    found: dict[str, Any] = {}
    inner = inside(view)

    def far(name: str, place: tuple[float, float], selector: str, within: float) -> None:
        x, y = view.root.evaluate(MIDDLE, selector)
        away = ((x - place[0]) ** 2 + (y - place[1]) ** 2) ** 0.5
        if away > within:
            found[name] = round(away)

    place = view.root.evaluate(VERTEX, 0.62)
    # A browser on a busy machine may send the first move into a frame to the page around it.
    for nudge in range(10):
        found.pop("hovering", None)
        x, y = inner(place)
        mouse.move(x + nudge % 2, y)
        view.frames()
        view.settle()
        far("hovering", place, ".crw-hover-mark", 6)
        if "hovering" not in found:
            break
    dot = view.root.evaluate(MIDDLE, ".crw-point-dot")
    view.drag(inner(dot), (inner(dot)[0] + 9, inner(dot)[1] + 9), inner(place))
    view.settle()
    far("dragging", place, ".crw-point-dot", 6)
    mouse.move(0, 0)
    for name in ("alpha", "threshold"):
        view.part(f"{name}-track").scroll_into_view_if_needed()
        left, top = view.root.evaluate(MIDDLE, f'[data-testid="{name}-track"]')
        mouse.click(*inner((left + 30, top)))
        view.settle()
        x, _ = view.root.evaluate(MIDDLE, f'[data-testid="{name}"]')
        if abs(x - left - 30) > 4:
            found[name] = round(x - left - 30)
    return found


def inside(view: View) -> Callable[[tuple[float, float]], tuple[float, float]]:
    """Converts positions in a chart's frame to positions in the window."""
    frame = view.root.element_handle().owner_frame()
    if frame is None or frame == view.page.main_frame:
        return tuple

    def moved(place: tuple[float, float]) -> tuple[float, float]:
        box = frame.frame_element().bounding_box() or {"x": 0.0, "y": 0.0}
        return place[0] + box["x"], place[1] + box["y"]

    return moved
