"""Two guarantees in JupyterLab: readers and Python switch between them, and limits always equal the
kernel's.
"""

from lab import Lab
from lab_server import Server
from playwright.sync_api import Browser, expect
from view import show

SAMPLE = """import numpy as np
from sklearn.linear_model import LogisticRegression
from conformal_roc_widget import ROCWidget

rng = np.random.default_rng(4)
X = rng.normal(size=(900, 2))
y = (X[:, 0] + rng.normal(size=900) > 0.4).astype(int)
data = X[:600], y[:600], X[600:], y[600:]
"""
MADE = "widget = ROCWidget.from_estimator(LogisticRegression(), *data, random_state=0, alpha=0.1)\n"
SCOPES = {
    "individual": "one fixed beforehand",
    "everywhere": "any threshold I pick, 0.005 to 0.995",
}


def test_with_a_kernel_reader_and_python_switch_each_other(
    server: Server, browser: Browser
) -> None:
    with Lab(server, browser, viewport={"width": 1700, "height": 1300}) as lab:
        lab.open([""])
        view = show(lab, SAMPLE + MADE + "widget")
        view.part("scope").select_option(SCOPES["everywhere"])
        view.rest()
        assert lab.kernel("widget.guarantee") == "everywhere"
        view.assert_agrees()
        view.part("threshold").press("ArrowRight")
        view.rest()
        view.assert_agrees()
        lab.execute("widget.guarantee = 'individual'")
        chosen = view.part("scope").locator("option:checked")
        expect(chosen).to_have_text(SCOPES["individual"])
        view.rest()
        view.assert_agrees()
        assert lab.errors == []
