"""Messages of the kernel with the numbers that they encode. js/test/wire/fixtures.test.ts reads
them.

``python tests/wire/test_fixtures.py`` writes them anew after a change of the wire format.
"""

import json
import sys
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from fixture_cases import cases, overlaid, settings
from fixture_numbers import assert_same, averages, expected, texts
from page_json import plain
from widget_state import unpacked, unpacked_file

from conformal_roc_widget.evaluation.populations import Populations, conformal_gaps
from conformal_roc_widget.shown.controls import PAGE, Controls
from conformal_roc_widget.shown.evaluation_group import Group
from conformal_roc_widget.wire import messages as wire
from conformal_roc_widget.wire.budget import ALPHA_STOPS, FROZEN_STOPS
from conformal_roc_widget.wire.encoding import encoded, packed, short

FILE = Path(__file__).parents[1] / "fixtures/messages.json"
PACKED = FILE.with_name("packed.json")
#: Bytes in every encoding: ascending integers of 8 and of 4 bytes, others, none.
SMALL = encoded(
    {
        "name": "α < β",
        "ascending": np.arange(-40, 40) / 7,
        "short": [short(np.sqrt(np.arange(50))), {"odd": bytes(range(7))}],
        "descending": np.append(np.inf, np.arange(50)[::-1] / 3),
        "none": b"",
    }
)
GRID = np.linspace(0, 1, 1001)[::20]


def short_frame(group: Group, alpha: float, threshold: float) -> dict[str, object]:
    """A frame without the parts that are equal in all frames."""
    frame = wire.frame_message(group, alpha, threshold, "", 0)
    entries = [
        {name: value for name, value in entry.items() if name != "kind"}
        for entry in frame["entries"]
    ]
    return {"alpha": alpha, "threshold": threshold, "entries": entries}


def messages() -> dict[str, object]:
    made: dict[str, object] = {}
    for name, case in cases().items():
        group = Group.of(case.shown, case.kind)
        made[name] = {
            "data": wire.data_message(group, case.budget),
            "frame": wire.frame_message(group, case.alpha, case.threshold, "page", 3),
            "expected": [expected(evaluation, case) for evaluation in group.entries.values()],
            "many": [short_frame(group, *setting) for setting in settings(case)],
        }
        if group.kind == "populations":
            made[name]["gaps"] = [
                {
                    "alpha": alpha,
                    "threshold": threshold,
                    "rows": conformal_gaps(group.entries, alpha, threshold),
                    "settled": []
                    if any(each.dependence for each in group.entries.values())
                    else Populations.sampling_gap(group.entries, alpha, threshold)
                    .to_numpy()
                    .tolist(),
                }
                for alpha, threshold in [(case.alpha, case.threshold), *settings(case)]
            ]
        if group.kind == "classes":
            made[name] |= {"averages": averages(case.shown)}
        if (together := group.together) is not None:
            made[name]["together"] = [
                {"alpha": alpha, "words": together.at(alpha).words, "line": str(at.line)}
                for alpha in (case.alpha, 0.005)
                for at in [together.at(alpha)]
            ]
    group = Group.of(cases()["limits everywhere"].shown)
    data, frame = wire.curves_messages(group, 0.05, 0.42)
    made["curves alone"] = {"data": data, "frame": frame}
    made["comparators"] = wire.comparators_message(overlaid())
    made["texts"] = texts()
    made["scales"] = {
        "alpha_stops": ALPHA_STOPS,
        "frozen_stops": FROZEN_STOPS,
        "average_grid": GRID,
        "controls": Controls()._asdict() | {"page": PAGE},
    }
    return plain(made)


def test_the_messages_that_the_page_is_tested_with_are_those_of_today() -> None:
    assert_same(messages(), json.loads(FILE.read_text()))


def test_a_packed_message_is_read_back_and_its_arrays_are_sent_as_differences() -> None:
    kept, letters = json.loads(PACKED.read_text()), packed(SMALL)
    assert unpacked(letters) == plain(SMALL) == kept["plain"] == unpacked(kept["letters"])
    line = unpacked_file(letters).partition(b"\n")[0]
    assert json.loads(line)["ascending"]["words"] == 8
    assert "words" not in json.loads(line)["short"][1]["odd"]


def test_they_hold_what_is_hard_to_carry() -> None:
    kept = json.loads(FILE.read_text())
    entry = {name: case["data"]["entries"][0] for name, case in kept.items() if "data" in case}
    assert kept["an infinite end"]["expected"][0]["quantiles"][0][0] == "-Infinity"
    assert kept["one vacuous label"]["expected"][0]["quantiles"][0] == ["-Infinity", "Infinity"]
    assert kept["both vacuous"]["expected"][0]["quantiles"] == [["-Infinity", "Infinity"]] * 2
    assert kept["localized"]["expected"][0]["quantiles"] is None
    assert entry["localized"]["centres"] is None
    assert len(entry["localized"]["frozen"]) == len(FROZEN_STOPS)
    assert any(
        max(frame["entries"][0]["local"]["vacuous_share"]) > 0
        for frame in kept["localized"]["many"]
    )
    assert entry["ties, and names"]["classes"] == ["<benign>", "malign"]
    assert entry["split rule"]["rule"] == "split"
    assert entry["localized"]["frozen"][0]["lower"]["before"] is None
    assert entry["simultaneous"]["frozen"][0]["lower"]["before"] is not None
    assert kept["simultaneous, refuted"]["frame"]["entries"][0]["notes"]
    assert any(
        setting["entries"][0]["local"]["vacuous_share"][0] > 0
        for setting in kept["simultaneous"]["many"]
    )
    assert entry["thinned"]["simplified"]
    assert entry["thinned"]["grid"] is not None
    assert not entry["thinned"]["whole"]
    assert all(residuals["stops"] for residuals in entry["thinned"]["residuals"])
    assert kept["three classes"]["data"]["kind"] == "classes"
    assert kept["two populations"]["data"]["kind"] == "populations"
    assert kept["two classifiers"]["data"]["kind"] == "classifiers"
    assert entry["curves alone"]["curves"] is not None
    ties = kept["ties, and names"]["expected"][0]
    moves = np.column_stack([np.diff(ties["fpr"]), np.diff(ties["tpr"])])
    assert (moves > 0).all(axis=1).any(), "labels that share a score"
    assert FILE.stat().st_size < 510_000


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    lines = [
        f"{json.dumps(name)}: {json.dumps(case, allow_nan=False, separators=(',', ':'))}"
        for name, case in messages().items()
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    pair = {"plain": plain(SMALL), "letters": packed(SMALL)}
    PACKED.write_text(json.dumps(pair, separators=(",", ":")) + "\n")
