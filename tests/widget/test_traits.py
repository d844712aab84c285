"""Each trait accepts all valid forms and refuses others at once.

Several traits change together or not at all.
"""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import traitlets
from data import evaluation_from_scores
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from traitlets import TraitError
from widget_state import ask

from conformal_roc_widget import ROCWidget

NUMBERS = ("alpha", "threshold", "prevalence", "cost_ratio")


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize(
    "kind", [float, np.float16, np.float32, np.float64, np.longdouble, Fraction, str]
)
def test_any_kind_of_number_is_kept_as_a_float(widget, name, kind):
    if kind is str:
        with pytest.raises(TraitError, match=f"{name}: found '0.25', expected a number"):
            setattr(widget, name, "0.25")
        return
    setattr(widget, name, kind(0.25))
    assert getattr(widget, name) == 0.25
    assert type(getattr(widget, name)) is float


def test_whole_numbers_of_any_kind_too(widget):
    for value in (np.int64(1), np.uint8(1), 1):
        widget.threshold = widget.cost_ratio = value
        assert (widget.threshold, widget.cost_ratio) == (1.0, 1.0)


def test_alpha_is_the_decimal_that_was_meant_and_a_threshold_the_score_that_it_is(widget):
    for value in (np.float32(0.1), np.float16(0.1), Fraction(1, 10), 0.1 + 0.2 - 0.2):
        widget.alpha = 0.3
        widget.alpha = value
        assert widget.alpha == 0.1
    assert widget._frame["alpha"] == 0.1
    widget.threshold = np.float32(0.1)
    assert widget.threshold == float(np.float32(0.1))


REFUSED = {
    "alpha": [95, 0.6, 0, Fraction(1, 2000), 0.0009999, True],
    "threshold": [1.5, -1e-300, 10**400, np.True_],
    "prevalence": [0, 1, Fraction(1, 10**400), 1 - Fraction(1, 10**30)],
    "cost_ratio": [0, -1, 10**400, Fraction(1, 10**400)],
}


@pytest.mark.parametrize(("name", "value"), [(name, v) for name in REFUSED for v in REFUSED[name]])
def test_a_number_out_of_its_bounds_is_refused_and_the_old_one_stays(widget, name, value):
    before = getattr(widget, name)
    with pytest.raises(TraitError, match=f"^{name}: found .*, expected a number"):
        setattr(widget, name, value)
    assert getattr(widget, name) == before


def test_a_level_in_percent_is_answered_with_what_was_meant(widget, evaluation):
    for wrong in (95, 0.95, "95 %"):
        with pytest.raises(TraitError, match=r"expected a number from 0.001 to 0.5, 0.05 for 95 %"):
            widget.alpha = wrong
        with pytest.raises(TraitError, match=r"0\.05 for 95 %"):
            ROCWidget(evaluation, alpha=wrong)


class Unwritable:
    def __repr__(self):
        raise RuntimeError("no text")

    def __eq__(self, other):
        raise RuntimeError("not comparable")

    __hash__ = None


ANYTHING = [
    *(np.nan, np.inf, 10**400, 10**5000, 3j, Decimal("0.1"), "x", "\ud800", b"x", [], {}, ()),
    *(np.array([0.1, 0.2]), np.array(0.1), np.datetime64("2020-01-01"), object(), Unwritable()),
    *({"hidden": "x"}, {"arc": 1}, {"x": np.nan}, {"x": {1}}, {"sampling": None}, {"hidden": [1]}),
]


@pytest.mark.parametrize("value", ANYTHING, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(
    "name",
    [*NUMBERS, "band", "label", "weights", "view", "guarantee", "page", "selected", "goal"],
)
def test_whatever_else_is_a_trait_error_with_a_sentence_also_while_notifications_wait(
    widget, name, value
):
    before, frame = getattr(widget, name), widget._frame
    if (name, f"{value!r:.9}" if isinstance(value, list | tuple | dict) else "") in {
        ("page", "{}"),
        ("selected", "[]"),
        ("selected", "()"),
    }:
        pytest.skip("one that it may have")
    for hold in (widget.hold_sync, widget.hold_trait_notifications):
        with hold(), pytest.raises(TraitError, match=f"^{name}"):
            setattr(widget, name, value)
        assert getattr(widget, name) is before
    assert widget._frame is frame


def test_choices_of_the_page_are_those_that_it_can_read(widget):
    widget.page = {"hidden": ["ks"], "arc": False}
    assert widget.page["hidden"] == ["ks"]
    with pytest.raises(TraitError, match="page: found 'wish', expected one of 'hidden', 'arc'"):
        widget.page = {"wish": "npv"}
    with pytest.raises(TraitError, match=r"page\['hidden'\]: found str, expected a list"):
        widget.page = {"hidden": "ks"}
    with pytest.raises(TraitError, match="page: found list, expected a dict, or None"):
        widget.page = [1]


@pytest.mark.parametrize(
    ("goal", "found"),
    [
        (
            0.9,
            "goal: found float, expected a mapping of one of sensitivity, specificity, precision",
        ),
        ({}, r"goal: found \{\}, expected a mapping of one of"),
        ({"recall": 0.9}, r"goal: found \{'recall': 0.9\}, expected a mapping of one of"),
        ({"npv": 0.9, "precision": 0.9}, "goal: found .* expected a mapping of one of"),
        ({"npv": 1.1}, r"goal\['npv'\]: found 1.1, expected a number from 0 to 1, 0.9 for 90 %"),
        ({"npv": "9"}, r"goal\['npv'\]: found '9', expected a number from 0 to 1"),
    ],
)
def test_a_goal_is_one_rate_of_threshold_for_with_a_share(widget, goal, found):
    with pytest.raises(TraitError, match=f"^{found}"):
        widget.goal = goal
    with pytest.raises(TraitError, match=f"^{found}"):
        ROCWidget(widget.evaluation, goal=goal)
    assert widget.goal == {"sensitivity": 0.9}


def test_a_goal_of_the_callers_is_copied_and_none_empties_it(widget):
    mine = {"npv": Fraction(4, 5)}
    widget.goal = mine
    mine["npv"] = 2
    assert widget.goal == {"npv": 0.8}
    assert isinstance(widget.goal["npv"], float)
    widget.goal = None
    assert widget.goal is widget.get_state()["goal"] is None
    another = ROCWidget(widget.evaluation)
    assert another.goal == {"sensitivity": 0.9}, "the first goal is no widget's own"


@pytest.mark.parametrize("noun", ["", "  ", "x" * 31])
def test_a_noun_is_a_short_word(widget, noun):
    with pytest.raises(TraitError, match=r"^noun: found .* expected a word in the plural"):
        widget.noun = noun
    assert widget.noun == "rows"
    widget.noun = " tumours\n"
    assert widget.noun == "tumours"


def test_every_door_takes_goal_and_noun():
    y, score = np.tile([0, 1], 40), np.linspace(0.05, 0.95, 80)
    X = np.column_stack([score, y * 0.1])
    model = LogisticRegression().fit(X, y)
    results = cross_validate(
        LogisticRegression(), X, y, cv=2, return_estimator=True, return_indices=True
    )
    said = {"goal": {"npv": 0.7}, "noun": "cows"}
    for made in (
        ROCWidget.from_predictions(y, score, **said),
        ROCWidget.from_estimator(model, X, y, **said),
        ROCWidget.from_cv_results(results, X, y, **said),
    ):
        assert {"goal": made.goal, "noun": made.noun} == said
        made.close()


WRONG = [
    {"label": "b", "threshold": 10**400},
    {"label": ["a"], "alpha": 0.2},
    {"alpha": 0.2, "label": {"a": 1}},
    {"band": "both", "view": [], "alpha": 0.2},
    {"alpha": 0.2, "layout": "IPY_MODEL_of_nobody"},
]


@pytest.mark.parametrize("state", WRONG, ids=str)
def test_an_error_gives_back_all_traits_and_tells_the_pages_so(state, monkeypatch):
    widget = ROCWidget({name: evaluation_from_scores(i) for i, name in enumerate("ab")})
    names = [*NUMBERS, "label", "band", "view", "layout"]
    before, frame = [getattr(widget, name) for name in names], widget._frame
    sent = []
    monkeypatch.setattr(widget.comm, "send", lambda data, buffers: sent.append(data))
    with pytest.raises((TraitError, KeyError)):
        widget.set_state(state)
    assert [getattr(widget, name) for name in names] == before
    assert {k: v for k, v in widget._frame.items() if k != "seq"} == {
        k: v for k, v in frame.items() if k != "seq"
    }
    assert widget.current_band.keys() == {"a", "b"}
    told = {name: value for data in sent for name, value in data["state"].items()}
    public = [name for name in state if name != "layout"]
    assert {name: told[name] for name in public} == {name: getattr(widget, name) for name in public}


def test_a_frame_that_fails_is_told_and_gives_back_what_was_asked_with_it(widget, monkeypatch):
    told = []
    monkeypatch.setattr(widget, "send", lambda content, buffers=None: told.append(content))
    changes = []
    widget.observe(changes.append, ["alpha", "band"])
    with monkeypatch.context() as broken:
        broken.setattr("conformal_roc_widget.wire.messages.frame_message", lambda *_: 1 / 0)
        ask(widget, seq=1, alpha=0.2, band="both")
    assert (widget.alpha, widget.band) == (0.05, "sensitivity")
    assert changes == []
    assert [message["message"] for message in told] == ["division by zero"]
    ask(widget, seq=2, alpha=0.2, band="both")
    assert (widget._frame["seq"], widget._frame["alpha"]) == (2, 0.2), "the next one recovers"


@pytest.mark.parametrize(
    ("misspelt", "meant"),
    [
        ("treshold", "threshold"),
        ("alfa", "alpha"),
        ("aplha", "alpha"),
        ("veiw", "view"),
        ("prevelance", "prevalence"),
        ("cost_ration", "cost_ratio"),
        ("costratio", "cost_ratio"),
        ("labels", "label"),
        ("Threshold", "threshold"),
    ],
)
def test_a_misspelt_attribute_is_refused_with_what_it_may_have_meant(widget, misspelt, meant):
    kept = [name for name in widget.keys if name != "_comparators"]  # a thread reports these
    before = widget.get_state(kept)
    with pytest.raises(AttributeError, match=f"^{misspelt}: found no such .* expected '{meant}'"):
        setattr(widget, misspelt, 0.5)
    assert not hasattr(widget, misspelt)
    assert widget.get_state(kept) == before


def test_an_attribute_that_nothing_shows_is_kept_with_a_warning_once(widget):
    with pytest.warns(UserWarning, match="^cutoff: no trait of ROCWidget") as told:
        widget.cutoff = 0.5
    assert [each.filename for each in told] == [__file__]
    widget.cutoff = 0.6  # warnings are errors in tests
    assert widget.cutoff == 0.6


def test_what_a_host_or_a_subclass_keeps_on_a_widget_passes(widget):
    class Remembering(ROCWidget):
        def __init__(self, evaluation):
            super().__init__(evaluation)
            self.labels = ["of its own"]

    widget._host = "kept"
    widget.layout = {"width": "50%"}
    widget.tooltip = "the curve"
    widget.add_traits(cutoff=traitlets.Float())
    widget.cutoff = 0.5
    assert (widget._host, widget.layout.width, widget.cutoff) == ("kept", "50%", 0.5)
    assert Remembering(evaluation_from_scores()).labels == ["of its own"]
