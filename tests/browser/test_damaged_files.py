"""A page that was cut, or changed by someone, says so in a sentence and throws nothing."""

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from data import evaluation_from_scores
from page import Opened
from parts import THOROUGH
from playwright.sync_api import Browser, Locator
from widget_state import readable

from conformal_roc_widget import ROCWidget

Payload = Any
Change = Callable[[Payload, np.random.Generator], None]


def places(value: Payload, wanted: Callable[[Any], bool]) -> list[tuple[Any, Any]]:
    """Where in a tree of dicts and lists something of that kind stands."""
    pairs = list(value.items() if isinstance(value, dict) else enumerate(value))
    found = [(value, key) for key, item in pairs if wanted(item)]
    for _, item in pairs:
        if isinstance(item, dict | list):
            found += places(item, wanted)
    return found


def anywhere(wanted: Callable[[Any], bool], change: Callable[[Any, np.random.Generator], Any]):
    """Changes one of them, at random."""

    def apply(payload: Payload, rng: np.random.Generator) -> None:
        found = places(payload, wanted)
        parent, key = found[rng.integers(len(found))]
        parent[key] = change(parent[key], rng)

    return apply


def without(payload: Payload, rng: np.random.Generator) -> None:
    found = [(p, k) for p, k in places(payload, lambda _: True) if isinstance(p, dict)]
    parent, key = found[rng.integers(len(found))]
    del parent[key]


def setting(*path: Any, to: Any) -> Change:
    def apply(payload: Payload, _rng: np.random.Generator) -> None:
        for key in path[:-1]:
            payload = payload[key]
        payload[path[-1]] = to

    return apply


def doubled_entries(payload: Payload, _rng: np.random.Generator) -> None:
    payload["data"]["entries"] *= 2
    payload["frame"]["entries"] *= 2


def with_bytes(change: Callable[[np.ndarray, np.random.Generator], np.ndarray]) -> Change:
    def apply(text: dict[str, str], rng: np.random.Generator) -> dict[str, str]:
        raw = np.frombuffer(base64.b64decode(text["base64"]), np.uint8).copy()
        return {"base64": base64.b64encode(change(raw, rng).tobytes()).decode()}

    return anywhere(lambda item: isinstance(item, dict) and "base64" in item, apply)


def flipped(raw: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    at = rng.integers(raw.size, size=3) if raw.size else []
    raw[at] ^= np.uint8(1 << rng.integers(8))
    return raw


is_number = lambda item: isinstance(item, int | float) and not isinstance(item, bool)  # noqa: E731
TEXTS: dict[str, Callable[[str, np.random.Generator], str]] = {
    "cut short": lambda text, rng: text[: rng.integers(len(text))],
    "empty": lambda _text, _rng: "",
    "null": lambda _text, _rng: "null",
    "a list": lambda text, _rng: f"[{text}]",
    "not JSON": lambda text, _rng: text.replace('"', "'"),
    "other digits": lambda text, rng: text.replace(str(rng.integers(10)), "٣"),
}
CHANGES: dict[str, Change] = {
    "version of tomorrow": setting("data", "version", to=99),
    "no data": setting("data", to=None),
    "no frame": setting("frame", to=[]),
    "no state": setting("state", to="alpha"),
    "an alpha that is none": setting("state", "alpha", to=7),
    "a threshold that is none": setting("state", "threshold", to="0.5"),
    "an unknown band": setting("state", "band", to="__proto__"),
    "no entries": setting("data", "entries", to=[]),
    "two single entries": doubled_entries,
    "another number of points": setting("data", "entries", 0, "n_test", to=[10**9, 3]),
    "names that are none": setting("data", "entries", 0, "classes", to=[{"toString": 1}, None]),
    "bytes that are none": anywhere(
        lambda item: isinstance(item, dict) and "base64" in item, lambda *_: {"base64": "%%%"}
    ),
    "cut bytes": with_bytes(lambda raw, rng: raw[: rng.integers(max(raw.size, 1))]),
    "bytes of ones": with_bytes(lambda raw, _rng: raw | 0xFF),
    "bytes in another order": with_bytes(lambda raw, rng: rng.permutation(raw)),
    "flipped bits": with_bytes(flipped),
    "something missing": without,
    "another type": anywhere(
        lambda _: True,
        lambda _, rng: [None, 1, "x", [], {}, True, [[]], -1e308][rng.integers(8)],
    ),
    "another number": anywhere(
        is_number, lambda _, rng: [-1, 0, 0.5, 1e308, -1e-308, 2**53, 1e9][rng.integers(7)]
    ),
    "lists of another length": anywhere(
        lambda item: isinstance(item, list) and len(item) > 0,
        lambda item, rng: item * 2 if rng.random() < 0.5 else item[:-1],
    ),
}
# After these nothing can be drawn; after others it may be that nothing is amiss.
FATAL = {*TEXTS, *list(CHANGES)[:12], "bytes of ones"} - {
    "other digits",
    # Where only some values can be shown, the nearest is taken.
    "an alpha that is none",
    "a threshold that is none",
}


def payload_of(page: str) -> tuple[str, str, str]:
    """The text before the payload, the payload, and the text after it."""
    before, start, rest = page.partition("data-conformal-roc>")
    payload, end, after = rest.partition("</script>")
    return before + start, payload, end + after


def iid() -> ROCWidget:
    return ROCWidget(evaluation_from_scores(1))


def localized() -> ROCWidget:
    from test_offline import logistic

    return logistic(neighbors=40)


EVERY = (*TEXTS, *CHANGES)
#: What the page meets as a text, as bytes and as values.
FEW = ("cut short", "not JSON", "version of tomorrow", "no entries", "cut bytes", "another type")


@pytest.mark.parametrize(
    ("make", "data", "kinds", "tries"),
    [
        pytest.param(iid, "arrays", FEW, 1, id="arrays, briefly"),
        pytest.param(iid, "arrays", EVERY, 4, id="arrays", marks=THOROUGH),
        pytest.param(iid, "curves", EVERY, 4, id="curves", marks=THOROUGH),
        pytest.param(localized, "arrays", EVERY, 4, id="localized", marks=THOROUGH),
    ],
)
def test_a_damaged_file_is_a_sentence_and_no_exception(
    make: Callable[[], ROCWidget],
    data: str,
    kinds: tuple[str, ...],
    tries: int,
    tmp_path: Path,
    browser: Browser,
) -> None:
    page = make().to_html(tmp_path / "a.html", data=data).read_text()
    before, payload, after = payload_of(readable(page))
    rng = np.random.default_rng(8)
    faults = []
    with Opened(browser, tmp_path / "a.html") as opened:
        for kind in kinds:
            for i in range(1 if kind in FATAL else tries):
                if kind in TEXTS:
                    damaged = TEXTS[kind](payload, rng)
                else:
                    changed = json.loads(payload)
                    CHANGES[kind](changed, rng)
                    damaged = json.dumps(changed)
                file = tmp_path / f"{kind} {i}.html"
                file.write_text(before + damaged + after)
                opened.open(file)
                faults += [(file.name, fault) for fault in faults_of(opened, kind in FATAL)]
    assert not faults, "\n".join(f"{file}: {fault}" for file, fault in faults)


def faults_of(opened: Opened, is_fatal: bool) -> list[str]:
    """Faults in how a damaged file is shown; none if the page says so, or it does no harm."""
    root = opened.page.get_by_test_id("crw")
    root.wait_for()
    opened.page.evaluate(DRAWN)
    if root.get_attribute("data-ready") is None:
        told = root.inner_text()
        is_sentence = re.fullmatch(r"The (page|widget) could not read .{10,400}[.]", told)
        found = [] if is_sentence and "undefined" not in told else [told]
    else:
        move_a_little(root)
        paths = root.locator("path").evaluate_all("(all) => all.map((e) => e.getAttribute('d'))")
        # Without the other bands the conformal one can be drawn.
        told = root.locator(".crw-alert").inner_text()
        is_told = re.search(r"The other bands cannot be read: .{10,400}[.]", told)
        found = ["drawn as if nothing were amiss"] if is_fatal and not is_told else []
        found += [f"path {p[:40]}" for p in paths if p and re.search("NaN|undefined|Infinity", p)]
    found += opened.errors
    opened.errors.clear()
    return found


DRAWN = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"


def move_a_little(root: Locator) -> None:
    for part in ("alpha", "threshold", "operating-point"):
        if root.get_by_test_id(part).count():
            root.get_by_test_id(part).focus()
            for key in ("Home", "PageUp", "ArrowRight", "End"):
                root.page.keyboard.press(key)
    root.page.evaluate(DRAWN)
