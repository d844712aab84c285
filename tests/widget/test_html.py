"""The chart outside a notebook: files are complete, run no foreign code and contain no secrets."""

import base64
import hashlib
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from chart_cases import TAGS
from data import evaluation_from_scores, fit_explicit, floats_of, logistic_sample
from hostile import HOSTILE, named
from parts import THOROUGH
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from widget_state import Elements, payload_of, readable, unpacked_file

from conformal_roc_widget import ROCWidget
from conformal_roc_widget.wire.messages import VERSION
from conformal_roc_widget.words import words


@pytest.fixture
def widget():
    return ROCWidget(evaluation_from_scores(1), alpha=0.1, threshold=0.4, band="both")


def test_a_page_holds_the_state_and_the_messages_of_the_widget(widget, tmp_path):
    path = widget.to_html(str(tmp_path / "a.html"))
    assert path == tmp_path / "a.html"
    payload = payload_of(path.read_text())
    assert payload["version"] == VERSION
    assert payload["state"] == {
        "alpha": 0.1,
        "threshold": 0.4,
        "band": "both",
        "label": None,
        "horizon": None,
        "zoom": False,
        "goal": {"sensitivity": 0.9},
        "noun": "rows",
        "looks": "once",
        "weights": "size",
        "view": "roc",
        "prevalence": None,
        "cost_ratio": None,
        "guarantee": "individual",
        "page": None,
    }
    sent = base64.b64decode(payload["data"]["entries"][0]["thresholds"]["base64"])
    np.testing.assert_array_equal(
        floats_of(sent), widget.evaluation.sampled.screen_vertices.thresholds
    )
    assert payload["frame"]["entries"][0]["point"]["tp"] == widget.operating_point.tp


def test_a_page_allows_only_its_own_script_and_style_by_their_digests(widget, tmp_path):
    page = Elements(widget.to_html(tmp_path / "a.html").read_text())
    policy = next(
        attrs["content"] for attrs, _ in page.all("meta") if attrs.get("http-equiv") is not None
    )
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    (script,) = [text for attrs, text in page.all("script") if attrs.get("type") == "module"]
    ((_, style),) = page.all("style")
    (packed,) = [text for attrs, text in page.all("script") if "data-packed" in attrs]
    parts = dict(zip(("script", "style"), unpacked_file(packed).decode().split("\0"), strict=True))
    for name, texts in (
        ("script-src", (script, parts["script"])),
        ("style-src", (style, parts["style"])),
    ):
        digests = [base64.b64encode(hashlib.sha256(t.encode()).digest()).decode() for t in texts]
        assert rules[name] == " ".join(f"'sha256-{digest}'" for digest in digests)
    for tag, attrs, _ in page.found:
        assert not [name for name in attrs if name.startswith("on") or name == "style"], tag
        address = attrs.get("src") or attrs.get("href") or "data:"
        assert address.startswith("data:"), "nothing is fetched"


def test_a_reader_without_scripts_finds_a_picture_and_the_text(widget, tmp_path):
    page = widget.to_html(tmp_path / "a.html").read_text()
    still = page[page.index("<div data-still>") : page.index("</div>")]
    assert "<noscript>" not in page, "a policy may forbid scripts where the browser runs some"
    assert "src='data:image/svg+xml,<svg" in still
    assert "Guarantee: at least 90 %" in still
    assert '<html lang="en">' in page
    assert 'name="viewport"' in page


def test_the_breast_cancer_example_fits_into_150_kilobytes(tmp_path):
    """In a notebook's frame, 15 more: a second picture, for viewers that remove the frame."""
    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    widget = ROCWidget.from_estimator(
        model, X_train, y_train, X_test, y_test, reference="score", random_state=0
    )
    for data in ("arrays", "curves"):
        assert widget.to_html(tmp_path / "a.html", data=data).stat().st_size <= 150_000
    assert len(widget.as_html()._repr_html_().encode()) <= 165_000


@pytest.mark.parametrize("data", ["arrays", "curves"])
def test_no_feature_and_no_order_of_rows_is_in_a_page(data, tmp_path, rng):
    X, y, _ = logistic_sample(rng, 400)
    X = X.round(12)
    evaluation = fit_explicit([(X[:100], y[:100]), (X[100:250], y[100:250])]).evaluate(
        X[250:], y[250:]
    )
    widget = ROCWidget(evaluation)
    path = widget.to_html(tmp_path / "a.html", data=data)
    text = path.read_text()
    entry = payload_of(text)["data"]["entries"][0]
    text = readable(text)
    raw = b"".join(base64.b64decode(found) for found in re.findall(r'"base64":"([^"]*)"', text))
    assert len(raw) > 1000
    for value in X.ravel():
        assert repr(float(value)) not in text
        assert value.tobytes() not in raw
    # Curves are not sent if the page can compute them from the centres.
    assert (entry["scores"] is None) == (data == "arrays")
    for name in ("residuals", "centres" if data == "arrays" else "scores"):
        for part in entry[name]:
            # if the centres are those of the vertices, they are not sent
            if part["values"] is None:
                continue
            kind = "<f4" if name == "scores" else "<f8"
            values = np.frombuffer(base64.b64decode(part["values"]["base64"]), kind)
            assert (np.diff(values) >= 0).all(), "sorted: the order of rows is gone"
    again = np.random.default_rng(0).permutation(150)
    shuffled = fit_explicit([(X[:100], y[:100]), (X[100:250], y[100:250])]).evaluate(
        X[250:][again], y[250:][again]
    )
    other = ROCWidget(shuffled).to_html(tmp_path / "b.html", data=data).read_text()
    assert payload_of(other)["data"]["entries"] == payload_of(text)["data"]["entries"]


def test_curves_alone_hold_no_score_and_no_residual(tmp_path):
    evaluation = evaluation_from_scores(2, n_test=300)
    text = ROCWidget(evaluation).to_html(tmp_path / "a.html", data="curves").read_text()
    text = readable(text)
    raw = b"".join(base64.b64decode(found) for found in re.findall(r'"base64":"([^"]*)"', text))
    assert len(raw) > 1000
    secrets = [
        evaluation.scores,
        *evaluation.residuals.values(),
        evaluation._curve.observed.centre_logits,
    ]
    for value in np.concatenate(secrets):
        assert value.tobytes() not in raw
        assert np.float32(value).tobytes() not in raw
        assert repr(float(value)) not in text


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_hostile_names_are_text_in_a_page(name, tmp_path):
    evaluation = named(name)
    other = evaluation_from_scores(3)
    widget = ROCWidget({name: evaluation, "b": other}, kind="classes")
    for shown, title in ((widget, name), (ROCWidget(evaluation), None)):
        page = shown.to_html(tmp_path / "a.html", title=title).read_text()
        found = Elements(page)
        assert len(found.all("script")) == 3
        assert len(found.all("img")) == 1
        assert not found.all("svg")
        assert "\u2028" not in page
        assert payload_of(page)["data"]["entries"]
    entry = payload_of(widget.to_html(tmp_path / "a.html").read_text())["data"]["entries"][0]
    assert entry["label"] == name
    assert len(entry["name"]) <= 200
    ((_, title),) = Elements(widget.to_html(tmp_path / "b.html", title=name).read_text()).all(
        "title"
    )
    assert len(title) <= 120


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name, id=kind, marks=() if kind in ("end of script", "expression") else THOROUGH
        )
        for kind, name in HOSTILE.items()
    ],
)
def test_hostile_names_are_text_in_pictures_and_charts(name, tmp_path):
    widget = ROCWidget({name: named(name), "b": evaluation_from_scores(3)}, kind="classes")
    for label in (None, name):
        widget.label = label
        tree = ElementTree.fromstring(widget.to_svg(tmp_path / "a.svg", title=name).read_bytes())
        tags = {element.tag.rpartition("}")[2] for element in tree.iter()}
        assert tags <= TAGS
        assert all(len(element.text or "") < 2_000 for element in tree.iter())
        spec = widget.chart().to_dict()
        for expression in expressions(spec):
            assert name[:8] not in expression


def expressions(spec):
    """All texts that Vega reads as an expression, a field's name or a tooltip's title."""
    if isinstance(spec, list):
        return [found for item in spec for found in expressions(item)]
    if not isinstance(spec, dict):
        return []
    own = [spec[key] for key in ("expr", "calculate", "filter", "test", "field") if key in spec]
    own += [str(tip) for tip in [spec.get("tooltip", "")]]
    return [text for text in own if isinstance(text, str)] + expressions(
        [value for key, value in spec.items() if key != "values"]
    )


@pytest.mark.parametrize("method", ["to_html", "to_svg", "to_png"])
def test_an_interrupted_export_leaves_the_old_file(widget, tmp_path, monkeypatch, method):
    path = tmp_path / "a.file"
    path.write_text("old")

    def interrupted(_self, _target):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        getattr(widget, method)(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_several_charts_of_a_site_share_script_and_style(widget, tmp_path):
    one = widget.embed(tmp_path, url='https://example.org/a"b/')
    two = ROCWidget(evaluation_from_scores(7)).embed(tmp_path)
    assert {path.suffix for path in tmp_path.iterdir()} == {".js", ".css"}
    assert len(list(tmp_path.iterdir())) == 2
    (script,) = tmp_path.glob("*.js")
    assert f'src="https://example.org/a&quot;b/{script.name}"' in one
    assert f'src="{script.name}"' in two
    assert payload_of(two)["state"]["alpha"] == 0.05


def test_the_directive_of_myst_holds_the_same_payload_as_its_model(widget, tmp_path):
    html = widget.embed(tmp_path, title="Tumours")
    lines = widget.embed(tmp_path, url="assets", form="myst", title="Tumours").splitlines()
    script, style = (
        {path.suffix: path.name for path in tmp_path.iterdir()}[s] for s in (".js", ".css")
    )
    assert lines[:3] == [f":::{{anywidget}} assets/{script}", f":css: assets/{style}", ""]
    assert lines[4:] == [":::"]
    assert lines[3].startswith("    {"), "code in Markdown, which MyST reads at once"
    assert json.loads(lines[3]) == payload_of(html)


def test_an_svg_image_draws_the_numbers_of_the_band(widget, tmp_path):
    text = widget.to_svg(tmp_path / "a.svg", theme="dark").read_text()
    point = widget.operating_point
    (x, y), (left, top) = (
        map(float, re.search(pattern, text).groups())
        for pattern in (
            r'<circle cx="([\d.]+)" cy="([\d.]+)"',
            r'd="M([\d.]+) ([\d.]+)V[\d.]+H[\d.]+" stroke="#8a8a8a"',
        )
    )
    assert x - left == pytest.approx(408 * point.fpr, abs=0.01)
    assert y - top == pytest.approx(408 * (1 - point.tpr), abs=0.01)
    assert "#111111" in text
    assert "ROC curve, 90\N{NO-BREAK SPACE}% limits" in text


def test_the_still_picture_of_a_page_advises_no_new_fit(tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(160, 2)), np.resize([0, 1], 160)
    rows = {"X_test": X[80:], "y_test": y[80:], "random_state": 0, "guarantee": "individual"}
    given = {"band": "sensitivity", **rows}
    widget = ROCWidget.from_estimator(LogisticRegression(), X[:80], y[:80], **given)
    advice = words("key.crossed")
    assert advice in widget._scene().description
    page = widget.to_html(tmp_path / "chart.html").read_text("utf-8")
    still = page[page.index("<div data-still>") : page.index("</div>")]
    assert "nothing bounds what the" in still
    assert advice.replace("'", "%27") not in still
    assert "calibration=" not in still
