"""The words of the page and of Python: every template is filled, and said by one of them."""

import re
from string import Formatter

import documents
import pytest

from conformal_roc_widget.words import FORMATS, TEMPLATES, words

ROOT = documents.ROOT


def sources(folder, ending):
    paths = (path for path in (ROOT / folder).rglob(f"*{ending}") if "static" not in path.parts)
    return "\n".join(path.read_text() for path in paths)


def test_every_template_is_said():
    both = sources("conformal_roc_widget", ".py") + sources("js/src", ".ts")
    said = set(re.findall(r"[\"'`](\w+\.\w+)[\"'`]", both))
    assert set(TEMPLATES) - said == set()


def test_formats_are_those_of_the_page():
    page = (ROOT / "js/src/base/words.ts").read_text()
    table = re.search(r"FORMATS.*?= \{(.*?)\n\}", page, re.S)[1]
    assert [name for name in FORMATS if name] == re.findall(r"^  (\w+)", table, re.M)
    used = {
        spec for text in TEMPLATES.values() for _, _, spec, _ in Formatter().parse(text) if spec
    }
    assert {spec for spec in used if "|" not in spec} <= set(FORMATS)


def test_numbers_and_words_that_follow_from_them():
    assert words("key.needed", needed=1079, here=1) == "1,079 points needed, here is 1"
    assert words("key.needed", needed=79, here=60) == "79 points needed, here are 60"
    assert words("key.base_rate", share=0.125) == "base rate 0.13"
    with pytest.raises(KeyError, match="share"):
        words("key.base_rate")
