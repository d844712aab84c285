"""Finds texts that overlap, and elements that overflow the widget or are cut off."""

import json
from typing import Any

from page import Alone
from view import View

WIDTHS = (1120, 960, 880, 700, 600, 480, 360, 320)

# Lists every visible piece of text with its box, and every element that overflows its container.
LAYOUT = """(root) => {
    const shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true })
;
    const unseen = (e) => e.closest(".crw-hidden, .crw-unseen") !== null
        || getComputedStyle(e).clipPath !== "none" || getComputedStyle(e).clip !== "auto";
    const visiblePart = ({ left, right, top, bottom }, element) => {
        for (let e = element; e !== root; e = e.parentElement) {
            if (e instanceof SVGElement || getComputedStyle(e).overflowX === "visible") continue;
            const box = e.getBoundingClientRect();
            [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
            [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
        }
        return { left, right, top, bottom };
    };
    let node_number = 0;
    const texts = [], walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        node_number++;
        const node = walker.currentNode, parent = node.parentElement;
        if (!node.data.trim() || !parent || !shown(parent) || unseen(parent) || parent.closest("option, defs")) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) {
            const { left, right, top, bottom } = visiblePart(box, parent);
            if (right - left > 1 && bottom - top > 1) texts.push({ node: node_number, text: node.data.trim(), left, right, top, bottom });
        }
    }
    const bounds = root.getBoundingClientRect(), outside = [], clipped = [];
    const within = ({ left, right }) => left >= bounds.left - 0.5 && right <= bounds.right + 0.5;
    for (const e of root.querySelectorAll("*")) {
        // A finger may take hold of the point beyond what is drawn of it.
        if (!shown(e) || e.closest("defs, .crw-point, .crw-hidden")) continue;
        const box = e.getBoundingClientRect();
        if (box.width > 0 && !within(box)) outside.push(e.outerHTML.slice(0, 90));
        if (e instanceof HTMLElement && e.tagName !== "INPUT" && e.clientWidth > 1
            && !e.classList.contains("crw-class-name") && getComputedStyle(e).overflowX !== "visible"
            && e.scrollWidth > e.clientWidth + 1) clipped.push(e.outerHTML.slice(0, 90));
    }
    for (const text of texts) if (!within(text)) outside.push(text.text);
    return { texts, outside, clipped, scroll: root.scrollWidth - root.clientWidth };
}"""


# Lists controls that cannot be clicked, because they are outside the widget, covered, or too low.
OUT_OF_REACH = """(root, least) => {
    const kinds = "button, select, summary, input, label:has(input), a[href], [role=slider], [role=button]";
    const isShown = (each) => each.getClientRects().length > 0 && !["visibility", "pointerEvents"].some((name) =>
            ["hidden", "none"].includes(getComputedStyle(each)[name]))
        && !each.closest("details:not([open]) > :not(summary), .crw-hidden, .crw-unseen, [inert]");
    const target = (each) => each.matches("input") && each.closest("label") || each;
    const found = [...new Set([...root.querySelectorAll(kinds)].filter(isShown).map(target))];
    const name = (each) => `${each.dataset.testid ?? each.className?.baseVal ?? each.className} ` +
        `${each.textContent.trim().slice(0, 24)}`;
    return found.flatMap((each) => {
        each.scrollIntoView({ block: "center", inline: "nearest" });
        const box = each.getBoundingClientRect(), around = root.getBoundingClientRect();
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        const top = each.getRootNode().elementFromPoint(x, y);
        const isOut = !each.matches("[role=slider]") && (box.left < around.left - 1 || box.right > around.right + 1);
        const isUnder = !top || !(each.contains(top) || top.contains(each) && top.matches("label, button"));
        // A thumb is pressed on its track too.
        const isLow = !each.matches("[role=slider]") && box.height < least - 0.5;
        return [isOut && "outside", isUnder && `under ${top && name(top)}`, isLow && `${box.height} px high`]
            .filter(Boolean).map((fault) => `${name(each)}: ${fault}`);
    });
}"""


def overlaps(texts: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Pairs of texts whose boxes, reduced by two pixels on each side, overlap."""
    slack = 2
    found = []
    for i, one in enumerate(texts):
        for other in texts[i + 1 :]:
            across = min(one["right"], other["right"]) - max(one["left"], other["left"])
            down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
            if one["node"] != other["node"] and across > 2 * slack and down > 2 * slack:
                found.append((one["text"], other["text"]))
    return found


def misfits_of(view: View, texts: int = 40) -> dict[str, Any]:
    """Overlapping texts, and elements that overflow the widget or are cut off."""
    layout = view.root.evaluate(LAYOUT)
    assert len(layout["texts"]) > texts, "it has looked"
    found = {name: layout[name] for name in ("outside", "clipped", "scroll")}
    found["overlaps"] = overlaps(layout["texts"])
    return {name: fault for name, fault in found.items() if fault}


def assert_fits_at_any_width(view: Alone, texts: int = 40) -> None:
    """Asserts that nothing overlaps or overflows at any position of the sliders, in JupyterLab's
    font.
    """
    view.page.evaluate("document.body.style.fontFamily = 'Helvetica, Arial, sans-serif'")
    found = {}
    for width in WIDTHS:
        view.set_width(width)
        for alpha, threshold in ((0.05, 0.5), (0.5, 0.05), (0.001, 0.95)):
            view.set(alpha, threshold)
            misfits = misfits_of(view, texts)
            if misfits:
                found[f"{width} pixels, alpha {alpha}, threshold {threshold}"] = misfits
    assert found == {}, json.dumps(found, indent=1, ensure_ascii=False)


def assert_fits(view: View) -> None:
    assert misfits_of(view) == {}


def assert_fits_open(view: View) -> None:
    """Asserts that an open menu does not overflow. It may cover what is below it."""
    layout = view.root.evaluate(LAYOUT)
    assert layout["outside"] == []
    assert layout["scroll"] <= 0
