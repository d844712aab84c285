"""Keys typed in a control of the widget, which the notebook must not hear."""

import pytest
from lab import Lab
from view import View

NOTEBOOK = """(() => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    return [notebook.widgets.length, notebook.activeCellIndex, notebook.mode,
        notebook.activeCell.model.sharedModel.getSource(), notebook.activeCell.model.type,
        document.querySelectorAll(".jp-Dialog").length];
})()"""


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


@pytest.mark.parametrize("control", CONTROLS)
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
    assert element.evaluate(
        "(e) => e.closest('[data-testid=crw]').contains(document.activeElement)"
    )
    lab.page.keyboard.press("Escape")
