"""The scenes that the page is held to are those of today.

``python tests/views/test_scene_fixture.py`` writes them anew after a change of what is drawn.
"""

import json
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
if __name__ == "__main__":
    sys.path[:0] = [str(TESTS), str(TESTS / "wire")]

from fixture_numbers import assert_same  # noqa: E402
from scene_records import KINDS, WHOLE, scenes  # noqa: E402

FILE = TESTS / "fixtures/scenes.json"


def test_the_scenes_that_the_page_is_held_to_are_those_of_today():
    assert_same(json.loads(json.dumps(scenes())), json.loads(FILE.read_text()), least=1e-9)


def test_they_hold_every_kind_of_mark_and_of_view():
    kept = json.loads(FILE.read_text())
    assert len(kept) >= 96
    assert FILE.stat().st_size < 400_000
    marks = [mark for scene in kept for panel in scene["panels"] for mark in panel["marks"]]
    assert {mark["kind"] for mark in marks} == {kind.__name__.lower() for kind in KINDS}
    ids = {mark["id"] for mark in marks}
    assert ids >= {
        "band-sensitivity",
        "band-specificity",
        "arc",
        "same-cost",
        "comparator-ks",
        "band-sampling",
    }
    assert ids >= {"range", "counts", "cut", "none", "missing-1-lower", "averaged-band"}
    sides = {tuple(mark["sides"]) for mark in marks if "sides" in mark}
    assert sides >= {(False, False), (False, True)}
    assert {mark["points"].get("step") for mark in marks if "points" in mark} == {
        None,
        "across",
        "up",
    }
    known = [(scene["case"], scene["setting"]) for scene in kept]
    assert all(each in known for each in WHOLE)
    assert any(len(scene["panels"]) > 1 for scene in kept)


if __name__ == "__main__":
    lines = (
        json.dumps(each, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        for each in scenes()
    )
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n")
