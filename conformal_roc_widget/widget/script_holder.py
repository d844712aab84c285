"""Keeps the page's script in a widget model of its own, once for all charts of a notebook.

Each chart has only a short script, which fetches the page's script from this model. The model's id
is a hash of the script. So if several kernels have run a notebook, the saved notebook still
contains the script once. Readers without a kernel need it to move the charts. Other hosts (marimo,
Solara, Shiny) may not find a model by its id. There each chart has the whole script.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import ipywidgets
import traitlets

SCRIPT = Path(__file__).parents[1] / "static" / "widget.js"
#: A page sends this message if it does not find the model with the script. The kernel answers with
#: the script.
WANTED = {"type": "script"}
#: The script of a chart. It imports the page's script from the model that holds it, once for all
#: charts of a page. If this model is missing, as after ``Widget.close_all()``, the chart asks the
#: kernel for the script.
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


class ScriptHolder(ipywidgets.Widget):  # type: ignore[misc]  # ipywidgets has no types
    """The widget model with the page's script. It has no view."""

    script = traitlets.Unicode().tag(sync=True)


_HOLDERS: list[ScriptHolder] = []


def script_holder() -> ScriptHolder | None:
    """Returns this kernel's model with the script. None if this process is not a Jupyter kernel."""
    zmqshell = sys.modules.get("ipykernel.zmqshell")
    if zmqshell is None or not zmqshell.ZMQInteractiveShell.initialized():
        return None
    if not _HOLDERS or _HOLDERS[0].comm is None:
        script = SCRIPT.read_text("utf-8")
        # A saved notebook keeps the models of every kernel that ran it. It keeps models with the
        # same id only once, so the id is a hash of the script.
        name = hashlib.sha256(script.encode()).hexdigest()[:32]
        _HOLDERS[:] = [ScriptHolder(script=script, model_id=name)]
    return _HOLDERS[0]
