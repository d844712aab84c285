"""The page's script, which a Jupyter kernel holds once: a notebook saves it once for all charts.

The name of the model that holds it is made from the script, so that a notebook that several kernels
have run holds it once too. A reader without a kernel needs it there: their charts move by it.

A chart's own script then fetches it from the model that holds it. Other hosts (marimo, Solara,
Shiny) may find no model by its name, and there each chart has the whole script.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import ipywidgets
import traitlets

SCRIPT = Path(__file__).parents[1] / "static" / "widget.js"
#: Message by which a page asks the kernel for the script, if it finds no holder.
WANTED = {"type": "script"}
#: A chart's own script. All charts of a page import the holder's once, and one whose holder is not
#: found, as after `close_all`, asks the kernel.
LOADER = """
const imported = async (script) => {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  try {
    return (await import(address)).default;
  } finally {
    URL.revokeObjectURL(address);
  }
};
const held = async (model) => {
  const name = model.get("_script").slice("IPY_MODEL_".length);
  const holder = await model.widget_manager.get_model(name);
  return (holder.imported ??= imported(holder.get("script")));
};
const asked = (model) => new Promise((done, failed) => {
  setTimeout(failed, 10000, Error("the script of this chart was not saved: run its cell again"));
  model.on("msg:custom", ({ script }) => script && done(imported(script)));
  model.send({ type: "script" });
});
export default () => {
  let widget;
  return {
    async initialize(given) {
      widget = (await held(given.model).catch(() => asked(given.model)))();
      return widget.initialize(given);
    },
    render: (given) => widget.render(given),
  };
};
"""


class ScriptHolder(ipywidgets.Widget):  # type: ignore[misc]  # it has no types
    """A model without a view."""

    script = traitlets.Unicode().tag(sync=True)


_HOLDERS: list[ScriptHolder] = []


def script_holder() -> ScriptHolder | None:
    """The holder of this kernel; None if it is no kernel of Jupyter."""
    zmqshell = sys.modules.get("ipykernel.zmqshell")
    if zmqshell is None or not zmqshell.ZMQInteractiveShell.initialized():
        return None
    if not _HOLDERS or _HOLDERS[0].comm is None:
        script = SCRIPT.read_text("utf-8")
        # A saved notebook keeps the models of every kernel that ran it. Equal names are kept once.
        name = hashlib.sha256(script.encode()).hexdigest()[:32]
        _HOLDERS[:] = [ScriptHolder(script=script, model_id=name)]
    return _HOLDERS[0]
