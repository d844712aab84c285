"""A widget after any sequence of changes by Python, several pages, observers and drags."""

import json
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import traitlets
from comm import DummyComm
from data import evaluation_from_scores
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from sklearn.linear_model import LogisticRegression

from conformal_roc_widget import ConformalROC, ROCWidget
from conformal_roc_widget.widget.synced import refuse_together
from conformal_roc_widget.wire.encoding import as_json


def from_features():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(90, 2))
    y = (X[:, 0] + rng.normal(size=90) > 0).astype(int)
    return (
        ConformalROC(LogisticRegression(), random_state=0)
        .fit(X[:60], y[:60])
        .evaluate(*(X[60:], y[60:]))
    )


def classes():
    return {i: evaluation_from_scores(i, n_test=20 + i) for i in range(3)}


SHOWN = {
    "both guarantees": (from_features(), None),
    "scores alone": (evaluation_from_scores(1, n_test=20), None),
    "classes": (classes(), "classes"),
    "populations": (classes(), "populations"),
}
GOOD = {
    "alpha": [0.1, 0.05, 0.001, 0.5, np.float32(0.1), Fraction(1, 3), 0.051000000000000004],
    "threshold": [0, 0.5, 1, np.int64(1), np.float32(0.3), 1e-300],
    "band": ["sensitivity", "specificity", "both", "sampling"],
    "label": [None, 0, 1, np.int64(2)],
    "weights": ["size", "uniform"],
    "view": ["roc", "precision_recall", "reliability", "net_benefit"],
    "prevalence": [None, 0.1, Fraction(1, 2)],
    "cost_ratio": [None, 2, 0.5],
    "guarantee": [None, "individual", "everywhere", "simultaneous"],
    "page": [None, {}, {"hidden": ["ks"], "arc": False}],
    "zoom": [False, True, np.bool_(True)],
    "goal": [None, {"sensitivity": 0.9}, {"npv": Fraction(1, 2)}, {"accuracy": 1}],
    "noun": ["rows", "patients"],
    "looks": ["once", "any"],
}
BAD = [
    *(10**400, -1, 95, np.nan, np.inf, True, "x", "\ud800", None, [], [1], {}, {"hidden": 1}),
    *(Decimal("0.1"), np.array([1, 2]), object(), 1j),
]
NAMES = st.sampled_from(sorted(GOOD))
#: Most settings are valid, so that many states are reached.
SETTINGS = NAMES.flatmap(
    lambda name: st.tuples(
        st.just(name),
        st.one_of(st.sampled_from(GOOD[name]), st.sampled_from(GOOD[name]), st.sampled_from(BAD)),
    )
)
STATES = st.lists(SETTINGS, min_size=1, max_size=3).map(dict)
PAGES = st.sampled_from(["one page", "another"])


class Channel(DummyComm):
    """Records the messages to a page, in order."""

    def __init__(self):
        super().__init__()
        self.known = {}

    def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **keys):
        if data and data.get("method") in ("update", "echo_update"):
            self.known.update(data["state"])


def bare(frame):
    """The content of a frame without its client and number."""
    return json.dumps(as_json({**frame, "client": "", "seq": 0}))


class Widgets(RuleBasedStateMachine):
    """Changes, messages and observers in random order.

    Traits, frame and pages must agree after each.
    """

    widget = None

    @initialize(shown=st.sampled_from(sorted(SHOWN)))
    def open(self, shown):
        self.shown = SHOWN[shown]
        self.widget = ROCWidget(self.shown[0], kind=self.shown[1])
        self.channel = self.widget.comm = Channel()
        self.channel.known = self.widget.get_state()
        self.waiting = []
        self.seq = 0
        self.history = []

    def values(self):
        return {name: getattr(self.widget, name) for name in GOOD}

    def attempt(self, change):
        """Makes a change, or gets an error that changes nothing."""
        before, frame = self.values(), self.widget._frame
        try:
            change()
        except traitlets.TraitError:
            assert self.values() == before
            assert bare(self.widget._frame) == bare(frame)
        else:
            self.history.append(before)

    @rule(setting=SETTINGS)
    def set(self, setting):
        self.attempt(lambda: setattr(self.widget, *setting))

    @rule(state=STATES, hold=st.sampled_from(["hold_sync", "hold_trait_notifications"]))
    def set_together(self, state, hold):
        def change():
            with getattr(self.widget, hold)():
                for name, value in state.items():
                    setattr(self.widget, name, value)

        if hold == "hold_sync":  # values set before the error are kept
            try:
                change()
            except traitlets.TraitError:
                return
        else:
            self.attempt(change)

    @rule(state=STATES)
    def set_state(self, state):
        self.attempt(lambda: self.widget.set_state(state))

    @rule(page=PAGES, state=STATES, unanswered=st.integers(1, 3))
    def speak(self, page, state, unanswered):
        self.seq += 1
        since = max(0, self.seq - unanswered)
        content = {"type": "state", "client": page, "seq": self.seq, "since": since}
        self.waiting.append(content | state)

    @precondition(lambda self: self.widget is not None and self.waiting)
    @rule(data=st.data())
    def hear(self, data):
        """Delivers one of the pending messages, in any order."""
        content = self.waiting.pop(data.draw(st.integers(0, len(self.waiting) - 1)))
        before, frame = self.values(), self.widget._frame
        self.widget._handle_custom_msg(content, [])
        if self.widget._frame is frame:
            assert self.values() == before
        else:
            self.history.append(before)

    # A closed widget hears no page.
    @precondition(lambda self: self.widget is not None and self.widget.comm and self.history)
    @rule(page=PAGES)
    def undo(self, page):
        """The page sends the values from before the last change."""
        before, now = self.history.pop(), self.values()
        changed = {name: value for name, value in before.items() if value != now[name]}
        self.seq += 1
        self.widget._handle_custom_msg(
            {"type": "state", "client": page, "seq": self.seq, "since": self.seq - 1} | changed, []
        )
        assert self.values() == before

    @rule()
    def couple(self):
        """An observer sets the threshold to twice alpha."""

        def follow(change):
            self.widget.threshold = 2 * change["new"]

        self.widget.observe(follow, "alpha")

    @rule()
    def forget(self):
        self.widget.unobserve_all()

    @rule()
    def close(self):
        self.widget.close()

    def is_refused_together(self, values):
        """Whether several evaluations lack the view or band, which Python refuses by name.

        A page keeps such a choice while all evaluations are shown, for when one is selected.
        """
        chosen = {name: values[name] for name in ("view", "band")}
        try:
            refuse_together(self.widget._given, values["label"], **chosen)
        except traitlets.TraitError as error:
            with pytest.raises(traitlets.TraitError, match=str(error)[:9]):
                ROCWidget(self.shown[0], kind=self.shown[1], **values)
            return True
        return False

    @invariant()
    def they_agree(self):
        if self.widget is None:
            return
        values = self.values()
        evaluation, kind = self.shown
        if not self.is_refused_together(values):
            anew = ROCWidget(evaluation, kind=kind, **values)
            assert bare(anew._frame) == bare(self.widget._frame)
            assert {name: getattr(anew, name) for name in GOOD} == values
            anew.close()
        assert type(values["alpha"]) is type(values["threshold"]) is float
        if self.widget.comm is None and self.widget.band == "sampling":
            return  # a closed widget computes nothing new
        band, point = self.widget.current_band, self.widget.operating_point
        for found in band.values() if isinstance(band, dict) else [band]:
            assert found.alpha == values["alpha"]
        for found in point.values() if isinstance(point, dict) else [point]:
            assert found.threshold == values["threshold"]
        if self.widget.comm is not None:
            known = {name: self.channel.known[name] for name in values}
            assert json.dumps(known) == json.dumps(values)

    def teardown(self):
        if self.widget is not None:
            self.widget.close()


Widgets.TestCase.settings = settings(
    max_examples=settings.default.max_examples // 10, stateful_step_count=20
)
test_traits_frame_and_pages_agree_whoever_sets_what = Widgets.TestCase
