"""Messages, saved state and page payloads of a widget, for tests."""

import base64
import json
from html.parser import HTMLParser

import pytest
from ipywidgets.widgets.widget import _remove_buffers


def ask(widget, seq=1, client="page", **state):
    """Hand the widget a message, as its comm would."""
    content = {"type": "state", "client": client, "seq": seq} | state
    widget._handle_custom_msg(json.loads(json.dumps(content)), [])


def saved_state(widget):
    """State as nbclient writes it into a notebook."""
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
    """Every element with its attributes and its text."""

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
    ((_, text),) = [e for e in Elements(page).all("script") if "data-conformal-roc" in e[0]]
    return json.loads(text)
