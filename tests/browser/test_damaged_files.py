"""A truncated or changed page reports that in a sentence and raises no exception.

For the kinds of damage see js/test/wire/tampered.test.ts and standalone.test.ts.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from data import evaluation_from_scores
from page import Opened
from playwright.sync_api import Browser
from widget_state import readable

from conformal_roc_widget import ROCWidget


def cut_bytes(payload: dict[str, Any]) -> None:
    residuals = payload["data"]["entries"][0]["residuals"][0]["values"]
    residuals["base64"] = residuals["base64"][: len(residuals["base64"]) // 8 * 4]


def of_tomorrow(payload: dict[str, Any]) -> None:
    payload["data"]["version"] = 99


DAMAGES: dict[str, Callable[[dict[str, Any]], None] | None] = {
    "cut short": None,
    "cut bytes": cut_bytes,
    "version of tomorrow": of_tomorrow,
}


@pytest.mark.parametrize("data", ["arrays", "curves"])
def test_a_damaged_file_is_a_sentence_and_no_exception(
    data: str, tmp_path: Path, browser: Browser
) -> None:
    page = ROCWidget(evaluation_from_scores(1)).to_html(tmp_path / "a.html", data=data)
    before, start, rest = readable(page.read_text()).partition("data-conformal-roc>")
    payload, end, after = rest.partition("</script>")
    with Opened(browser, page) as opened:
        for kind, damage in DAMAGES.items():
            if damage is None:
                damaged = payload[: len(payload) // 2]
            elif kind == "cut bytes" and data == "curves":
                continue  # this case has no residuals
            else:
                changed = json.loads(payload)
                damage(changed)
                damaged = json.dumps(changed)
            file = tmp_path / f"{kind}.html"
            file.write_text(before + start + damaged + end + after)
            opened.open(file)
            root = opened.page.get_by_test_id("crw")
            root.wait_for()
            assert re.fullmatch(
                r"The (page|widget) could not read .{10,400}[.]", root.inner_text()
            ), kind
            assert opened.errors == []
