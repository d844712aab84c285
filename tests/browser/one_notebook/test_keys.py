"""Keys typed in a control of the widget must not reach the notebook."""

import pytest
from lab import Lab
from parts import with_quick
from view import View

NOTEBOOK = """(() => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    return [notebook.widgets.length, notebook.activeCellIndex, notebook.mode,
        notebook.activeCell.model.sharedModel.getSource(), notebook.activeCell.model.type,
        document.querySelectorAll(".jp-Dialog").length];
})()"""


#: Returns where the focus is relative to a control. A failure shows which element took it, and
#: whether the control's menu is open.
FOCUS = """(control) => {
    const root = control.closest("[data-testid=crw]"), has = document.activeElement;
    if (root.contains(has)) return "in the widget";
    const open = [...root.querySelectorAll("[popover]")].filter((menu) => menu.matches(":popover-open"));
    return `${has.outerHTML.slice(0, 200)}; open menus: ${open.length}, control shown: ${control.checkVisibility()}`
        + `, widgets: ${document.querySelectorAll("[data-testid=crw]").length}`;
}"""


KEYS = [*"abddxcvmrjklosz00ii", "ArrowUp", "ArrowDown"]


CONTROLS = [
    *("alpha", "threshold", "operating-point"),
    *("residual-handle-1-lower", "residual-handle-0-upper", "jump", "toolbar-download"),
    *("toolbar-copy", "toolbar-help", "toolbar-fullscreen", "toolbar-reset", "download-csv"),
    *(
        "Youden’s optimum",
        "Cost of FN to FP",
        "input:Sensitivity at least",
        "input:Cost of FN to FP",
    ),
]


#: `make test` presses one control of each kind: a slider, a button, a menu’s button, a field.
QUICK = ["alpha", "jump", "download-csv", "input:Sensitivity at least"]


@pytest.mark.parametrize("control", with_quick(CONTROLS, QUICK))
def test_no_key_typed_in_a_control_reaches_the_cells(view: View, lab: Lab, control: str) -> None:
    if control.startswith("download"):
        view.click(view.part("toolbar-download"))
    elif control in ("toolbar-copy", "toolbar-fullscreen", "toolbar-reset"):
        view.click(view.part("toolbar-more"))
    elif " " in control or "’" in control:
        view.click(view.part("jump"))
    kind, _, name = control.rpartition(":")
    if kind == "input":
        element = view.root.get_by_role("spinbutton", name=name)
    elif " " in control:
        element = view.root.get_by_role("dialog").get_by_role("button", name=control)
    else:
        element = view.part(control)
    element.focus()
    assert element.evaluate("(e) => e === document.activeElement")
    before = lab.page.evaluate(NOTEBOOK)
    for key in KEYS:
        lab.page.keyboard.press(key)
    view.rest()
    assert lab.page.evaluate(NOTEBOOK) == before
    assert element.evaluate(FOCUS) == "in the widget"
    lab.page.keyboard.press("Escape")


# Returns what the notebook did with a key combination: in its cells, side bar, command palette and
# file.
HEARD = """(() => {
    const { shell } = window.jupyterapp, { context, content } = shell.currentWidget;
    return { runs: content.activeCell.model.executionCount, bar: shell.leftCollapsed, unsaved: context.model.dirty,
        palette: document.querySelector(".lm-CommandPalette")?.checkVisibility() ?? false };
})()"""


@pytest.mark.parametrize("control", with_quick(["alpha", "operating-point", "jump"], ["alpha"]))
def test_chords_of_the_notebook_reach_it(view: View, lab: Lab, control: str) -> None:
    if control == "alpha":
        view.drag_slider("alpha", 0.2)
    for chord, name in (
        ("Control+s", "unsaved"),
        ("Control+b", "bar"),
        ("Control+Shift+c", "palette"),
    ):
        lab.page.evaluate("window.jupyterapp.shell.currentWidget.context.model.dirty = true")
        view.part(control).focus()
        before = lab.page.evaluate(HEARD)[name]
        for _ in range(2 if name == "bar" else 1):  # the second press restores the side bar
            lab.page.keyboard.press(chord)
            lab.page.wait_for_function(f"{HEARD}.{name} !== {str(before).lower()}")
            before = not before
        if name == "palette":
            lab.page.keyboard.press("Escape")
    view.rest()
