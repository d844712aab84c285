"""After views are closed, neither page nor kernel keeps anything of them."""

from itertools import pairwise
from typing import Any

import pytest
from lab import Lab, collect_garbage, used_heap
from notebook_hosts import WIDGET_CELL
from playwright.sync_api import CDPSession
from view import View

NOTEBOOK = f"""import ipywidgets
{WIDGET_CELL}
widget.band = "both"
box = ipywidgets.VBox([])
ipywidgets.VBox([widget, box])"""
APART = True  # the test measures memory of the page
ROUND = 20  # number of views that are open at once
COMMS = "len(get_ipython().kernel.comm_manager.comms)"
# Objects outside of a view on which it may have registered listeners.
OUTSIDE = ("window", "document", "document.body", "document.documentElement")


@pytest.mark.thorough
@pytest.mark.parametrize("n_rounds", [10])
def test_views_leave_no_listener_no_node_and_no_comm_behind(lab: Lab, n_rounds: int) -> None:
    lab.open([NOTEBOOK])
    lab.run_all()
    view = View(lab, lab.wait_for_widget())
    devtools = lab.page.context.new_cdp_session(lab.page)
    counts = []
    # the first round also creates what is created only once; one more round is left out
    for _ in range(n_rounds + 2):
        open_and_close(view)
        counts.append(count(devtools, lab))
    rounds = [
        {name: after[name] - before[name] for name in before} for before, after in pairwise(counts)
    ]
    # At some point the notebook adds a hundred listeners of its own, so the round with the largest
    # growth is left out.
    rounds.remove(max(rounds, key=lambda growth: growth["jsEventListeners"]))
    growth = {name: sum(growth[name] for growth in rounds) for name in counts[0]}
    # ipywidgets keeps a few empty nodes for each view of any widget. Our view has hundreds of
    # nodes.
    assert growth.pop("nodes") <= 4 * ROUND * len(rounds)
    # A view has dozens of listeners. Meanwhile the notebook may add or remove a few of its own.
    assert growth.pop("jsEventListeners") < ROUND
    assert growth == dict.fromkeys(growth, 0)

    view.drag_slider("alpha", 0.2)
    view.rest()
    assert view.assert_agrees()["alpha"] == 0.2


@pytest.mark.thorough
def test_a_cell_that_is_run_again_brings_its_script_but_runs_it_no_second_time(lab: Lab) -> None:
    lab.open([NOTEBOOK])
    devtools = lab.page.context.new_cdp_session(lab.page)
    heap = []
    for run in range(1, 12):
        lab.run_all()
        View(lab, lab.wait_for_widget()).rest()
        if run % 5 == 1:
            collect_garbage(devtools)
            heap.append(used_heap(devtools))
    programs = "Object.getOwnPropertySymbols(globalThis).map((key) => key.description)"
    ours = [key for key in lab.page.evaluate(programs) if key.startswith("conformal_roc_widget")]
    assert len(ours) == 1
    # Script and style are kept as text, with what ipywidgets keeps of a widget: 0.3 MB. A script
    # that is run again would add half a megabyte.
    assert heap[-1] - heap[-2] <= 5 * 0.55


def open_and_close(view: View) -> None:
    """Opens, moves and closes views of one widget.

    No handle is kept, because it would keep a view in memory.
    """
    alpha = 0.3 if view.shown("alpha") == 0.1 else 0.1
    views = view.page.locator('.widget-box .widget-box [data-testid="crw"][data-ready="1"]')
    moved = view.page.locator(
        f'.widget-box .widget-box [data-alpha="{alpha}"][data-source="kernel"]'
    )
    view.lab.execute(f"box.children = [widget] * {ROUND}")
    views.nth(ROUND - 1).wait_for()
    view.lab.execute(f"widget.alpha = {alpha}")
    moved.nth(ROUND - 1).wait_for()
    view.lab.execute("box.children = []")
    views.first.wait_for(state="detached")


def count(devtools: CDPSession, lab: Lab) -> dict[str, int]:
    """Counts of the page's objects, after garbage collection frees nothing more."""
    counts: dict[str, Any] = {}
    for _ in range(50):
        before = counts
        collect_garbage(devtools)
        counts = devtools.send("Memory.getDOMCounters")
        if counts == before:
            break
    else:
        pytest.fail(f"each collection of garbage frees more: {before}, then {counts}")
    counts.pop("documents")
    for name in OUTSIDE:
        found = devtools.send("Runtime.evaluate", {"expression": name})["result"]
        listeners = devtools.send("DOMDebugger.getEventListeners", {"objectId": found["objectId"]})
        counts[name] = len(listeners["listeners"])
    return counts | {"comms": lab.kernel(COMMS)}
