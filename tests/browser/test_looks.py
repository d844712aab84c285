"""Limits at every look, switched on by mouse and by key, with and without a kernel."""

import re

import numpy as np
from lab import Lab
from lab_server import Server
from page import Open
from playwright.sync_api import Browser, expect
from view import show

from conformal_roc_widget import ROCWidget

SAMPLE = """import numpy as np
from conformal_roc_widget import ROCWidget

y = np.repeat([0, 1], [120, 80])
score = (0.1 + 0.5 * (np.arange(200) * 0.381966 % 1) + 0.3 * y).round(3)
widget = ROCWidget.from_predictions(y, score, alpha=0.1)
"""


def test_a_press_and_a_key_move_the_trait_the_sentence_and_the_band(
    server: Server, browser: Browser
) -> None:
    with Lab(server, browser, viewport={"width": 1700, "height": 1300}) as lab:
        lab.open([""])
        view = show(lab, SAMPLE + "widget")
        tick, sentence = view.part("looks"), view.root.locator(".crw-summary")
        expect(sentence).not_to_contain_text("look")
        view.part("promise-fold").locator("summary").click()
        once = view.area("band-sampling")
        view.click(view.root.locator(".crw-looks"))
        view.rest()
        assert lab.kernel("widget.looks") == "any"
        expect(sentence).to_contain_text(re.compile(r"90\s%\ssure,\sat\severy\slook"))
        assert view.area("band-sampling") > once
        tick.focus()
        view.page.keyboard.press("Space")
        view.rest()
        assert lab.kernel("widget.looks") == "once"
        expect(sentence).not_to_contain_text("look")
        view.page.keyboard.press("ControlOrMeta+z")
        view.rest()
        assert lab.kernel("widget.looks") == "any"
        lab.execute("widget.looks = 'once'")
        expect(tick).not_to_be_checked()
        assert lab.errors == []


def test_where_rows_do_not_count_alike_there_is_no_tick(alone: Open) -> None:
    y, place = np.resize([0, 1], 80), np.arange(80)
    score = 0.2 + 0.6 * (place * 0.381966 % 1)
    widget = ROCWidget.from_predictions(y, score, groups_test=place // 2)
    widget.wait()
    view = alone(widget)
    view.part("promise-fold").locator("summary").press("Enter")
    assert not view.part("looks").is_visible()
