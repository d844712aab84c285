"""Messages, saved state and page payloads of a widget, for tests."""

import base64
import gzip
import json
from html.parser import HTMLParser

import pytest
from ipywidgets.widgets.widget import _remove_buffers

from conformal_roc_widget.wire.encoding import DIGITS


def ask(widget, seq=1, client="page", **state):
    """Passes the widget a message, as its comm would."""
    content = {"type": "state", "client": client, "seq": seq} | state
    widget._handle_custom_msg(json.loads(json.dumps(content)), [])


def saved_state(widget):
    """The state that nbclient writes into a notebook."""
    state, paths, buffers = _remove_buffers(widget.get_state())
    return json.dumps(
        {
            "model_name": "AnyModel",
            "state": state,
            "buffers": [
                {"encoding": "base64", "path": path, "data": base64.b64encode(data).decode()}
                for path, data in zip(paths, buffers, strict=True)
            ],
        }
    )


LARGE = [pytest.param(n, marks=pytest.mark.slow) for n in (100_000, 1_000_000)]


class Elements(HTMLParser):
    """Parses every element with its attributes and text."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.open = False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append([tag, dict(attrs), ""])
        self.open = True

    def handle_endtag(self, tag):
        self.open = False

    def handle_data(self, data):
        if self.open:
            self.found[-1][2] += data

    def all(self, tag):
        return [(attrs, text) for name, attrs, text in self.found if name == tag]


def payload_of(page):
    ((kind, text),) = [e for e in Elements(page).all("script") if "data-conformal-roc" in e[0]]
    return unpacked(text) if kind["type"] == "text/plain" else json.loads(text)


def unpacked(text):
    """Payload of a packed text. Bytes are base64, as in the unpacked form."""
    line, _, after = unpacked_file(text).partition(b"\n")
    at = 0

    def whole(part, length):
        """Decodes numbers that were sent as differences: first the first byte of every difference,
        then the second bytes, and so on.
        """
        size = len(part) // length
        words, last = [], 0
        for i in range(size):
            last = (last + int.from_bytes(part[i::size], "little")) % 256**length
            words.append(last.to_bytes(length, "little"))
        return b"".join(words)

    def placed(value):
        nonlocal at
        if isinstance(value, list):
            return [placed(item) for item in value]
        if not isinstance(value, dict):
            return value
        if "bytes" in value:
            part = after[at:][: value["bytes"]]
            at += len(part)
            part = whole(part, value["words"]) if "words" in value else part
            return {"base64": base64.b64encode(part).decode()}
        return {name: placed(item) for name, item in value.items()}

    return placed(json.loads(line))


def unpacked_file(text):
    """Decodes the base 91 letters of a page digit by digit."""
    assert not set("&<'") & set(text), "an element and an attribute hold it as it is"
    digits = [DIGITS.index(letter) for letter in text]
    pairs = list(zip(digits[::2], digits[1::2] + [0] * (len(digits) % 2), strict=True))
    bits = "".join(f"{low + 91 * high:013b}"[::-1] for low, high in pairs)
    size = (13 * (len(text) // 2) + 6 * (len(text) % 2)) // 8
    return gzip.decompress(int(bits[: 8 * size][::-1], 2).to_bytes(size, "little"))


def readable(page):
    """The page, with its payload as JSON."""
    before, start, rest = page.partition('<script type="text/plain" data-conformal-roc>')
    text, end, after = rest.partition("</script>")
    payload = json.dumps(unpacked(text), separators=(",", ":")).replace("<", "\\u003c")
    start = start.replace("text/plain", "application/json")
    return before + start + payload + end + after
