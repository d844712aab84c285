"""The words of page and Python: every template is filled, and used by one of them."""

import re
from string import Formatter

import documents
import pytest

from conformal_roc_widget.words import FORMATS, TEMPLATES, words

ROOT = documents.ROOT


def sources(folder, ending):
    paths = (path for path in (ROOT / folder).rglob(f"*{ending}") if "static" not in path.parts)
    return "\n".join(path.read_text() for path in paths)


SIDES = {
    "pictures": sources("conformal_roc_widget", ".py"),
    "page": sources("js/src", ".ts"),
}


def said(side):
    return set(re.findall(r"[\"'`](\w+\.\w+)[\"'`]", SIDES[side]))


def test_every_template_is_said():
    assert set(TEMPLATES) - said("pictures") - said("page") == set()


def test_formats_are_those_of_the_page():
    page = (ROOT / "js/src/base/words.ts").read_text()
    table = re.search(r"FORMATS.*?= \{(.*?)\n\}", page, re.S)[1]
    known = re.findall(r"^  (\w+)", table, re.M)
    assert {name for name in FORMATS if name} <= set(known)
    for side, formats in (("page", set(known)), ("pictures", set(FORMATS))):
        texts = [TEMPLATES[name] for name in said(side) & set(TEMPLATES)]
        used = {spec for text in texts for _, _, spec, _ in Formatter().parse(text) if spec}
        assert {spec.split()[0] for spec in used if "|" not in spec} <= formats


def test_numbers_and_words_that_follow_from_them():
    assert words("key.needed", needed=1079, here=1) == "1,079 points needed, here is 1"
    assert words("key.needed", needed=79, here=60) == "79 points needed, here are 60"
    assert words("key.needed", needed=1, here=0) == "1 point needed, here are 0"
    kept = {"of": "", "most": 0.5, "rows": "positives"}
    assert words("kept.none", n=1, **kept).startswith("with 1 positive the most")
    assert words("kept.none", n=2000, **kept).startswith("with 2,000 positives the most")
    with pytest.raises(KeyError, match="needed"):
        words("key.needed")
