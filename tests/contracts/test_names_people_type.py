"""Sixty calls that users of similar libraries would type.

Each call works, or its error names the right one. The calls were written down before the interface
was looked at. The last column is the name that the error leads to. If the call works, it is None.
"""

import copy
import inspect
import pickle
import re
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_validate

import conformal_roc_widget as crw
from conformal_roc_widget import ConformalROC, RocEvaluation, ROCWidget, comparators
from conformal_roc_widget import names as names_there
from conformal_roc_widget.evaluation.at_alpha import AtAlpha
from conformal_roc_widget.evaluation.decisions.net_benefit import NetBenefit
from conformal_roc_widget.evaluation.decisions.precision_recall import PrecisionRecall
from conformal_roc_widget.evaluation.estimate import SamplingInterval
from conformal_roc_widget.evaluation.folds import Folds
from conformal_roc_widget.evaluation.horizons import Horizons
from conformal_roc_widget.evaluation.populations import Populations
from conformal_roc_widget.evaluation.support import Support

#: Names in hints that are scikit-learn's or Python's, or stand for an object.
ELSEWHERE = {"evaluation", "folds", "horizons", "calibration", "dataclasses", "name", "classes_"}
ELSEWHERE |= {
    "estimator_",
    "residuals_",
    "ax_",
    "figure_",
    "report",
    "Folds",
    "conformal_roc_widget",
    "__version__",
    "goal",
    "save",
}

BARE = re.compile(
    r"has no attribute '\w+'$|unexpected keyword argument '\w+'$|missing \d+ required|takes (from )?\d+ (to \d+ )?positional"
    r"|object is not (callable|iterable|subscriptable)$|cannot import name"
)

CALLS = (
    # scikit-learn: metrics and displays
    ("ROCWidget.from_predictions(y, score)", None),
    ("ROCWidget.from_predictions(y_true=y, y_score=score)", "y_test"),
    ("ROCWidget.from_predictions(y_test=y, score_test=score)", None),
    ("ROCWidget.from_predictions(y, y_pred=score)", "score_test"),
    ("ROCWidget.from_estimator(classifier, X, y)", None),
    ("ROCWidget.from_estimator(classifier, X_test=X, y_test=y)", None),
    (
        "ROCWidget.from_estimator(classifier, X, y, X, y, response_method='predict_proba')",
        "pos_label",
    ),
    ("ROCWidget.from_predictions(y, score, drop_intermediate=False)", "every threshold"),
    ("ROCWidget.from_predictions(y, score, sample_weight=np.ones(len(y)))", None),
    ("ROCWidget.from_predictions(y, score, plot_chance_level=True)", "draw"),
    ("widget.roc_auc", "auc"),
    ("widget.fpr", "to_frame"),
    ("widget.tpr", "to_frame"),
    ("widget.thresholds", "to_frame"),
    ("widget.ax_", "plot"),
    ("evaluation.roc_curve()", "band"),
    ("evaluation.confusion_matrix", "operating_point"),
    ("evaluation.y_true", "labels"),
    ("crw.roc_auc_score", "auc"),
    ("crw.RocCurveDisplay", "ROCWidget"),
    ("model.predict(X)", "estimator_"),
    ("model.predict_proba(X)", "estimator_"),
    ("model.score(X, y)", "estimator_"),
    ("model.fit_predict(X, y)", "estimator_"),
    ("ConformalROC(classifier, cv='prefit')", "FrozenEstimator"),
    ("ConformalROC(classifier, test_size=.3)", "calibration_size"),
    # pROC
    ("evaluation.ci(.95)", "auc"),
    ("evaluation.ci_auc()", "auc"),
    ("evaluation.coords('best')", "operating_point"),
    ("evaluation.auc(conf_level=.9)", "alpha"),
    ("point.sensitivity", None),
    ("point.specificity", None),
    ("evaluation.sensitivities", "band"),
    ("comparators.delong_interval(y, score, conf_level=.95)", "alpha"),
    ("comparators.roc_test", "delong_test"),
    ("comparators.bootstrap_band(y, score, boot_n=200)", "resamples"),
    ("evaluation.best_threshold()", "youden"),
    # MAPIE, crepes
    ("ConformalROC(classifier, confidence_level=.9)", "alpha"),
    ("ConformalROC(classifier).conformalize(X, y)", "fit"),
    ("model.predict_set(X)", "predict_interval"),
    ("model.predict_interval(X, 1, confidence_level=.9)", "alpha"),
    ("evaluation.band(level=.9)", "alpha"),
    # Altair, Plotly, Matplotlib
    ("widget.save(path / 'roc.html')", None),
    ("widget.savefig('roc.png')", "save"),
    ("widget.to_dict()", "chart"),
    ("widget.properties(width=300)", "chart"),
    ("widget.interactive()", "chart"),
    ("widget.write_html('roc.html')", "to_html"),
    ("widget.show()", "cell"),
    ("ROCWidget(evaluation, title='heart')", "name"),
    ("ROCWidget(evaluation, width=400)", "layout"),
    # ipywidgets, pandas
    ("widget.value", "threshold"),
    ("widget.observe(print, names='value')", None),
    ("widget.to_csv('roc.csv')", "to_frame"),
    ("evaluation.to_dataframe()", "to_frame"),
    ("widget.layout", None),
    # similar names of this package
    ("widget.auc", None),
    ("widget.threshold_for(sensitivity=.9)", None),
    ("evaluation.threshold_for(recall=.9)", "sensitivity"),
    (
        "ConformalROC(classifier).fit(X, y, sensitive_features=sex).evaluate(X, y, sensitive_features=sex)",
        "evaluate_by",
    ),
    ("ROCWidget({fold: one for fold, one in enumerate([evaluation, other])})", "from_cv_results"),
    ("evaluation.quantile", "quantiles"),
    ("folds.std()", "mean_auc"),
)


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(240, 2))
    y = (rng.random(240) < 1 / (1 + np.exp(-2 * X[:, 0]))).astype(int)
    classifier = LogisticRegression().fit(X[:120], y[:120])
    score = classifier.predict_proba(X)[:, 1]
    model = ConformalROC(FrozenEstimator(classifier), random_state=0).fit(X[120:180], y[120:180])
    evaluation = model.evaluate(X[180:], y[180:])
    folded = cross_validate(
        LogisticRegression(),
        X,
        y,
        cv=StratifiedKFold(3),
        return_estimator=True,
        return_indices=True,
    )
    return vars(
        SimpleNamespace(
            np=np,
            crw=crw,
            X=X,
            y=y,
            score=score,
            sex=np.resize(["f", "m", "m"], len(y)),
            classifier=classifier,
            model=model,
            evaluation=evaluation,
            other=RocEvaluation.from_predictions(y[:120], score[:120]),
            folds=RocEvaluation.from_cv_results(folded, X, y),
            point=evaluation.operating_point(0.5),
            widget=ROCWidget(evaluation),
            comparators=comparators,
            ConformalROC=ConformalROC,
            RocEvaluation=RocEvaluation,
            ROCWidget=ROCWidget,
            Populations=Populations,
            path=tmp_path_factory.mktemp("saved"),
        )
    )


def outcome(call, names):
    """Result of a call: "works", or the text of its error."""
    try:
        eval(call, dict(names))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "works"


@pytest.mark.parametrize(("call", "leads_to"), CALLS, ids=[call for call, _ in CALLS])
def test_each_call_works_or_leads_on(names, call, leads_to):
    found = outcome(call, names)
    if leads_to is None:
        assert found == "works"
    else:
        assert leads_to.lower() in found.lower()
        assert not BARE.search(found)


#: Names for which a hint once was wrong: it named an attribute or a keyword of another object, or a
#: similar word.
ASTRAY = (
    ("ROCWidget.from_evaluation", "`ROCWidget(evaluation)`"),
    ("point.to_dict", "asdict"),
    ("crw.calibration_band(y, score).slope", "`refuted`"),
    ("evaluation.threshold_for(sensitivity=.5, confidence=.9).tpr", "`evaluation.operating_point"),
    ("evaluation.threshold_for(sensitivity=.5, confidence=.9).value", "`threshold`"),
    ("evaluation.auc().value", "`estimate`"),
    ("evaluation.auc().mean", "`estimate`"),
    ("evaluation.band().sensitivity", "`tpr` and `fpr`"),
    ("evaluation.at(.1).band(alpha=.2)", "its alpha stays"),
    ("evaluation.operating_point(sensitivity=.9)", "threshold_for(sensitivity=0.9)"),
    ("evaluation.operating_point(fpr=.1)", "threshold_for(specificity=0.9)"),
    ("evaluation.plot(figsize=(3, 3))", "plot(ax=ax)"),
    ("widget.plot(caption=False)", "to_pdf(path, caption=False)"),
    ("widget.plot(name='forest')", "evaluation.plot(name=...)"),
    ("Populations({'women': evaluation})", "ConformalROC.evaluate_by"),
    ("ROCWidget({'a': evaluation, 'b': evaluation}, kind='folds')", "from_cv_results"),
    ("ROCWidget.from_cv_results(score, X, y)", "mean_auc_interval"),
    ("ROCWidget(evaluation, labels=['a', 'b'])", "in the evaluation already"),
    ("ROCWidget(evaluation, sensitivity=.9)", "goal"),
    ("widget.report(format='latex')", "style"),
    ("crw.charts.roc(evaluation, width=300)", ".properties(width=300)"),
    ("crw.conformal_quantiles(score, .1, method='higher')", "rule"),
    ("crw.simulation.draw('sample_size', 9, random_state=0)", "default_rng"),
    ("crw.simulation.run('sample_size', seed=3)", "random_state"),
    ("crw.simulation.run('sample_size', n_sim=3)", "replicates"),
    ("model.evaluate(X=X, y=y)", "`X_test`"),
    ("model.fit(X, y, calib_size=.3)", "calibration_size=0.5"),
)


@pytest.mark.parametrize(("call", "leads_to"), ASTRAY, ids=[call for call, _ in ASTRAY])
def test_a_hint_is_of_what_was_asked(names, call, leads_to):
    found = outcome(call, names)
    assert leads_to.lower() in found.lower()
    assert not BARE.search(found)


@pytest.mark.parametrize(
    ("typed", "leads_to"),
    [("X_calib", "`X_calibration"), ("weights", "`sample_weight"), ("eval_set", "")],
)
def test_a_misspelt_argument_of_fit_is_named_whether_the_classifier_takes_it_or_not(
    names, typed, leads_to
):
    for classifier in (LogisticRegression(), FrozenEstimator(names["classifier"])):
        with pytest.raises(TypeError, match=f"argument '{typed}'.*{leads_to}"):
            ConformalROC(classifier).fit(names["X"], names["y"], **{typed: names["score"]})


@pytest.mark.parametrize("name", ["auc", "evaluation", "operating_point", "comparators"])
def test_what_is_read_alone_says_what_is_set(names, name):
    with pytest.raises(AttributeError, match=f"{name}: found a value to set.*`alpha`"):
        setattr(names["widget"], name, 0.5)


def test_a_name_that_is_not_there_is_no_attribute_for_whoever_probes(names):
    for name in ("widget", "evaluation", "model", "point", "folds"):
        owner = names[name]
        for probe in ("fpr_", "roc_auc", "_ipython_display_", "_repr_svg_", "__array__", "zzz"):
            assert not hasattr(owner, probe)
            assert getattr(owner, probe, None) is None
            assert probe not in dir(owner)
            with pytest.raises(AttributeError):
                getattr(owner, probe)
    for name in ("evaluation", "model", "point", "folds"):
        again = pickle.loads(pickle.dumps(names[name]))
        assert dir(again) == dir(names[name]) == dir(copy.copy(names[name]))
        copy.deepcopy(names[name])
    assert not hasattr(crw, "roc_curve")
    assert list(inspect.signature(RocEvaluation.band).parameters) == ["self", "alpha", "thresholds"]
    with pytest.raises(AttributeError) as refused:
        _ = names["point"].ppv
    error = pickle.loads(pickle.dumps(refused.value))
    assert "evaluation.metrics" in str(error)


def test_an_import_of_a_name_that_is_not_there_says_what_is():
    with pytest.raises(ImportError, match="RocEvaluation"):
        exec("from conformal_roc_widget import roc_curve")
    with pytest.raises(ImportError, match="delong_test"):
        exec("from conformal_roc_widget.comparators import roc_test")


def test_a_failure_within_a_property_is_not_taken_for_a_name(names):
    class Broken(type(names["point"])):
        @property
        def worth(self):
            return self.nothing_like_that

    broken = Broken(**vars(names["point"]))
    with pytest.raises(AttributeError, match="nothing_like_that"):
        _ = broken.worth


RESULTS = (SamplingInterval, NetBenefit, PrecisionRecall, crw.CalibrationBand, AtAlpha, Support)
OWNERS = (
    ROCWidget,
    RocEvaluation,
    ConformalROC,
    crw.OperatingPoint,
    crw.ConformalBand,
    Folds,
    Populations,
    Horizons,
)


def test_what_a_hint_names_is_there():
    every = {name for owner in (*OWNERS, *RESULTS) for name in (*dir(owner), *annotations(owner))}
    every |= {
        name for module in (crw, comparators, crw.charts, crw.simulation) for name in module.__all__
    }
    for part in ("attributes", "keywords"):
        for typed, hints in names_there.table(part).items():
            for need, text in hints.items():
                assert len(text.split()) <= 9, (typed, text)
                for said in re.findall(r"`(\w+)", text):
                    if part == "attributes" and said in every:
                        continue
                    assert part == "keywords" or said in ELSEWHERE, (typed, need, text)


def annotations(owner):
    return {name for kind in owner.__mro__ for name in getattr(kind, "__annotations__", ())}
