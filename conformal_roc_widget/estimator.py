"""`ConformalROC`: fit, intervals, evaluation, by calls to the stages in their order."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.metadata_routing import (
    UNUSED,
    MetadataRouter,
    MethodMapping,
    process_routing,
)
from sklearn.utils.validation import check_is_fitted

from conformal_roc_widget.arrays import (
    Floats,
    codes_of,
    groups_of,
    labels_of,
    row_weights_of,
    shortened,
)
from conformal_roc_widget.calibration.classifiers import (
    check_classifier,
    check_frozen,
    was_fitted,
)
from conformal_roc_widget.calibration.cross_conformal import CROSS, check_calibration
from conformal_roc_widget.calibration.named_references import (
    check_features,
    chosen_reference,
    kernel_only,
    reference_of,
    transformer_of,
)
from conformal_roc_widget.calibration.quantiles import exact_alpha
from conformal_roc_widget.calibration.references import Settings
from conformal_roc_widget.calibration.resplits import DealtSplits, RandomSplits, check_resplits
from conformal_roc_widget.calibration.split import Calibrator
from conformal_roc_widget.evaluation.from_features import SplitPoints, assemble
from conformal_roc_widget.evaluation.method import Method
from conformal_roc_widget.evaluation.notes import trained_again
from conformal_roc_widget.evaluation.populations import Populations
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.tables.calibration_rows import (
    CalibrationRows,
    Ratio,
    refuse_shared_groups,
)
from conformal_roc_widget.tables.encoder import check_encoder, encode_of
from conformal_roc_widget.tables.points import Labelled, Points, crossed_names

NOT_WEIGHTED = (
    "sample_weight: found it with guarantee='{}', expected 'individual': the others count "
    "independent rows"
)
NOT_BY_POPULATION = "guarantee: 'everywhere' is for all test points together, not by population"


class _About(NamedTuple):
    """What `fit` is told of its rows beside features and labels, as it was given."""

    weight: Any
    weight_calibration: Any
    groups: Any
    groups_calibration: Any
    sensitive: Any
    sensitive_calibration: Any
    #: For the classifier's ``fit`` alone.
    fit_params: Mapping[str, Any]

    def described(self, data: Labelled, explicit: bool) -> Labelled:
        """The rows of `X`: whom they belong to, and what they weigh where they calibrate."""
        n = data.codes.size
        if not explicit:
            for name in ("groups_calibration", "sensitive_features_calibration"):
                given = self.groups_calibration if name[0] == "g" else self.sensitive_calibration
                if given is not None:
                    raise ValueError(f"{name}: found it without X_calibration, expected None")
            rows = CalibrationRows.of(
                data.points.raw, n, self.weight_calibration, self.groups, ("_calibration", "")
            )
            populations = None
            if self.sensitive is not None:
                populations = crossed_names(self.sensitive, "sensitive_features", n)[1]
            return data._replace(stands_for=rows, populations=populations)
        people = None if self.groups is None else groups_of(self.groups, "groups", n)
        return data._replace(stands_for=CalibrationRows(people=people))

    def calibrating(self, calibration: Labelled) -> Labelled:
        """The rows of `X_calibration`."""
        n = calibration.codes.size
        rows = CalibrationRows.of(
            calibration.points.raw, n, self.weight_calibration, self.groups_calibration
        )
        refuse_shared_groups(self.groups, self.groups_calibration, ("groups", "groups_calibration"))
        populations = None
        if self.sensitive_calibration is not None:
            name = "sensitive_features_calibration"
            populations = crossed_names(self.sensitive_calibration, name, n)[1]
        return calibration._replace(stands_for=rows, populations=populations)

    @property
    def people(self) -> Any:
        """Names of all who were in the fit; None where nobody said."""
        known = [
            labels_of(groups, name)
            for groups, name in (
                (self.groups, "groups"),
                (self.groups_calibration, "groups_calibration"),
            )
            if groups is not None
        ]
        return np.concatenate(known) if known else None

    @property
    def population_names(self) -> list[Any] | None:
        """Names of the populations that calibrate, in the order of their codes."""
        if self.sensitive_calibration is not None:
            return crossed_names(self.sensitive_calibration, "sensitive_features_calibration")[0]
        if self.sensitive is not None:
            return crossed_names(self.sensitive, "sensitive_features")[0]
        return None


def _weighing(test: Labelled, sample_weight: Any) -> tuple[Labelled, Floats | None]:
    """Test rows that weigh something, and their weights."""
    if sample_weight is None:
        return test, None
    weights = row_weights_of(sample_weight, "sample_weight", test.codes.size)
    if (weights > 0).all():
        return test, weights
    rows = np.flatnonzero(weights)
    codes_of(test.labels[rows], test.classes, "y_test where sample_weight is above 0")
    return test.rows(rows), weights[rows]


class ConformalROC(BaseEstimator):  # type: ignore[misc]
    """ROC evaluation of a classifier with conformal confidence bands.

    Parameters
    ----------
    estimator : object
        scikit-learn classifier ``p_n``. It is cloned and trained; wrap a classifier that is trained
        already in `sklearn.frozen.FrozenEstimator` (it must not have seen the calibration part).
    reference : {"auto", "kernel", "score", "sharp", "learned"}, classifier or callable
        Estimate ``pi~`` of the true probability: ``"kernel"`` is eq. (tilde_pi) on the training
        part; ``"score"`` is the kernel on ``L_p`` alone, leave-one-out over the calibration part;
        ``"sharp"`` is a posterior of ``logit pi`` from the features of both parts
        (`conformal_roc_widget.calibration.posterior`), where ``logit pi`` is smooth; ``"learned"``
        is one that learns from any table (`conformal_roc_widget.calibration.learned_reference`); a
        scikit-learn classifier is trained on the training part; a callable ``X -> P(y = 1 | x)`` is
        the oracle of Proposition 2.1 (of more than two classes one column each). ``"auto"`` is the
        kernel for up to five numeric features without missing values (``"sharp"`` where most rows
        repeat), where ``center="kernel"``, a bandwidth or ``resplits="per-instance"`` asks for it,
        and where a label has fewer than 20 points; else it is ``"learned"``: the data's shape
        decides, not results.
    encoder : {"auto"}, transformer or None
        How references and distances get numbers from features; the classifier sees `X` as it is.
        ``"auto"`` takes complete numbers as they are, and encodes every other table
        (`conformal_roc_widget.tables.encoder`); a scikit-learn transformer is fitted to the
        training part, without labels; None refuses what is not numbers. References that look at no
        features (a score, a classifier, a callable) ask for none.
    bandwidth : {"silverman", "scott", "cv"}, float or array_like
        Of the kernel; see `kernel_logit`. ``"sharp"`` has none.
    calibration_size : float or int
        Share (or number) of the points given to ``fit`` that calibrate.
    calibration : {"split", "cross"}
        With ``"cross"`` all points train and calibrate
        (`conformal_roc_widget.calibration.cross_conformal`).
    neighbors : int or None
        Number N of neighbours of Algorithm 2, both labels counted; None is Algorithm 1.
    distance : str, callable or array_like of shape (d,) or (d, k)
        What near means for Algorithm 2: ``"standardized"`` is Euclidean on features over the
        training part's standard deviation, ``"score"`` is ``|L_p(x_i) - L_p(x_j)|``, an array is
        Euclidean between ``X @ distance``; otherwise a metric as scikit-learn's
        ``NearestNeighbors`` takes it.
    center : {"classifier", "kernel"}
        Centre of the intervals: ``L_p``, or ``L_pi~`` as Algorithm 2 is printed: it does not cover.
    recenter : bool
        Move the classifier's logit by the median residual over both labels (of the neighbourhood,
        where there is one): the paper's fix for shifted data. Intervals stay as they are.
    resplits : int or "per-instance"
        Number of random splits among which the test points are dealt, or one split a test point
        (the variant of Algorithm 1 in the paper).
    quantile_rule : {"paper", "split"}
        Which pair of order statistics; see `conformal_quantiles`.
    random_state : int, RandomState or None
        Of the splits, and of estimators whose own ``random_state`` is None.
    n_jobs : int or None
        Of joblib, for repeated splits and the models of the reference ``"learned"``.
    progress : bool
        Whether repeated splits, and ``"learned"`` on a large table, show a progress bar.

    Attributes
    ----------
    estimator_ : object
        Trained classifier; a list of them for repeated splits.
    classes_ : ndarray of shape (k,)
        Sorted classes; of two, the second is the positive one.
    reference_ : str
        The reference that was used: its name, or the text of the object given.
    residuals_ : dict
        Class -> ascending calibration residuals ``logit pi~ - logit p``. For more than two classes
        the pair (residuals of the rest, residuals of the class) for ``pi_l``. For repeated splits
        a list of such dicts; empty for ``"per-instance"``, which splits once test points are known.
    n_calibration_ : dict
        The same for numbers of residuals.
    """

    #: Data, which no meta-estimator splits along with X.
    __metadata_request__fit: ClassVar = dict.fromkeys(("X_calibration", "y_calibration"), UNUSED)

    def __init__(
        self,
        estimator: Any,
        *,
        reference: Any = "auto",
        encoder: Any = "auto",
        bandwidth: Any = "silverman",
        calibration_size: float = 0.5,
        calibration: str = "split",
        neighbors: int | None = None,
        distance: Any = "standardized",
        center: str = "classifier",
        recenter: bool = False,
        resplits: int | str = 1,
        quantile_rule: str = "paper",
        random_state: Any = None,
        n_jobs: int | None = None,
        progress: bool = True,
    ) -> None:
        self.estimator = estimator
        self.reference = reference
        self.encoder = encoder
        self.bandwidth = bandwidth
        self.calibration_size = calibration_size
        self.calibration = calibration
        self.neighbors = neighbors
        self.distance = distance
        self.center = center
        self.recenter = recenter
        self.resplits = resplits
        self.quantile_rule = quantile_rule
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def __sklearn_tags__(self) -> Any:
        """Tables are those that the estimator takes."""
        tags = super().__sklearn_tags__()
        if self.encoder is not None and hasattr(self.estimator, "__sklearn_tags__"):
            tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        *,
        X_calibration: Any = None,
        y_calibration: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        sample_weight_calibration: ArrayLike | Ratio | None = None,
        groups: ArrayLike | None = None,
        groups_calibration: ArrayLike | None = None,
        sensitive_features: Any = None,
        sensitive_features_calibration: Any = None,
        **fit_params: Any,
    ) -> Self:
        """Train on one part and take residuals on the other (Algorithm 1, lines 1 and 3).

        Parameters
        ----------
        X : array_like, data frame or sparse matrix of shape (n, d), or n texts
            Features: any table that the estimator takes. With ``encoder=None`` finite numbers of
            at most 1e100 in size.
        y : array_like of shape (n,)
            Labels of two classes or more.
        X_calibration, y_calibration : array_like, optional
            The calibration part. By default a random part of `X`, as in the paper; otherwise all of
            `X` trains.
        sample_weight : array_like of shape (n,), optional
            Passed to the estimator's ``fit``; with scikit-learn's metadata routing to whatever asks
            for it there.
        sample_weight_calibration : array_like of shape (n,) or callable, optional
            Likelihood ratios of the test points' law over that of the calibration points, one a row
            of `X_calibration` (of `X`, where that is split); or a function of such tables that
            gives them, asked for test points too. Residuals then have a weighted pair of order
            statistics; a label whose heaviest row is too large a share has no limits.
        groups, groups_calibration : array_like of shape (n,), optional
            Whom each row of `X` and of `X_calibration` belongs to. Every split keeps people whole,
            and limits hold for a row of a new person.
        sensitive_features, sensitive_features_calibration : array_like or frame, optional
            Populations of the rows, for `evaluate_by`; several columns are crossed.
        **fit_params
            More for the estimator's ``fit``, such as ``step__sample_weight`` of a Pipeline. Where
            they have a row for each of `X`, those of the training part. With metadata routing these
            and `groups` go to whatever asks for them.

        Returns
        -------
        ConformalROC
            Itself.

        Raises
        ------
        TypeError, ValueError
            If an argument or a parameter is not of the form above; the message names it, and what
            was fitted before stays.
        """
        fitted = copy.copy(self)
        about = _About(
            *(sample_weight, sample_weight_calibration, groups, groups_calibration),
            *(sensitive_features, sensitive_features_calibration, fit_params),
        )
        fitted._fit(X, y, X_calibration, y_calibration, about)
        self.__dict__ = fitted.__dict__
        return self

    def _fit(
        self,
        X: Any,
        y: ArrayLike,
        X_calibration: Any,
        y_calibration: ArrayLike | None,
        about: _About,
    ) -> None:
        check_classifier(self.estimator)
        check_encoder(self.encoder)
        check_resplits(self.resplits, self.calibration_size, explicit=X_calibration is not None)
        check_calibration(self.calibration, self.estimator, self.resplits, X_calibration)
        settings = Settings(self.bandwidth, self.n_jobs, self.progress)
        self._reference, self._choice = reference_of(self.reference, settings), ""
        self._method().check()
        data = Labelled.of(X, y, encode=encode_of(self.encoder))
        told = self._routed(data, about)
        if (X_calibration is None) != (y_calibration is None):
            raise ValueError("X_calibration, y_calibration: found one of them, expected both")
        explicit = X_calibration is not None
        data = about.described(data, explicit)
        self.classes_, self._columns = data.classes, data.points.columns
        self.n_features_in_ = self._columns.number
        why = kernel_only(self.center, self.bandwidth, self.resplits)
        chosen = chosen_reference(self.reference, self.encoder, settings, data, why)
        self._reference, self._choice = chosen
        self.reference_ = self._reference.text.strip("'")
        check_frozen(self.estimator, self.classes_)
        check_features(data.points, self._reference, self.distance, self.bandwidth)
        seeds = np.random.SeedSequence(
            int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        ).spawn(2)
        calibrator = Calibrator(
            self.estimator,
            self._reference,
            self.random_state is not None,
            transformer_of(self.encoder, data, self._reference, self.neighbors, self.distance),
        )
        self._people, self._populations = about.people, about.population_names
        random = RandomSplits(calibrator, data, told, self.calibration_size, self.calibration)
        if X_calibration is not None:
            like = self._columns, self.classes_
            calibration = Labelled.of(X_calibration, y_calibration, "_calibration", like)
            calibration = about.calibrating(calibration)
            self._stands_for = calibration.stands_for
            self._method().check_rows(self.resplits)
            fitted = [calibrator.split(data, calibration, seeds[0], told)]
            self._splits = DealtSplits(fitted, None, *seeds)
        else:
            self._stands_for = data.stands_for
            self._method().check_rows(self.resplits)
            self._splits = random.dealt(
                self.resplits, *seeds, n_jobs=self.n_jobs, progress=self.progress
            )
        self.splits_ = self._splits.fitted
        self._retrained = self._trained_again(data, explicit)
        estimators = [split.estimator for split in self.splits_]
        residuals = [split.residuals_by_class() for split in self.splits_]
        counts = [split.counts_by_class() for split in self.splits_]
        # One split stands for itself.
        self.estimator_, self.residuals_, self.n_calibration_ = (
            (of[0] if self.resplits == 1 else of) for of in (estimators, residuals, counts)
        )

    def get_metadata_routing(self) -> MetadataRouter:
        """What `fit` takes beside X and y, and to whom it goes; see scikit-learn's user guide.

        Returns
        -------
        sklearn.utils.metadata_routing.MetadataRouter
            This estimator asks for groups, weights and populations; the classifier for its own.
        """
        mapping = MethodMapping().add(caller="fit", callee="fit")
        router = MetadataRouter(owner=type(self).__name__).add_self_request(self)
        return router.add(estimator=self.estimator, method_mapping=mapping)

    def _routed(self, data: Labelled, about: _About) -> dict[str, Any]:
        """What the classifier's ``fit`` is told."""
        told = dict(about.fit_params)
        if about.weight is not None:
            told["sample_weight"] = data.weights_of(about.weight)
        if not get_config()["enable_metadata_routing"]:
            return told
        if about.groups is not None:
            told["groups"] = groups_of(about.groups, "groups", data.codes.size)
        return dict(process_routing(self, "fit", **told).estimator.fit) if told else {}

    def predict_interval(
        self, X: Any, label: Any, alpha: float = 0.05, *, given: bool = True
    ) -> tuple[Floats, Floats]:
        """Interval ``CI(x, alpha; y = label)`` for the true probability (Theorem 3.1).

        Parameters
        ----------
        X : array_like, data frame or sparse matrix of shape (n, d), or n texts
            Points.
        label : object
            One of `classes_`: the label that the interval is conditional on.
        alpha : float
            Significance level in (0, 1).
        given : bool
            For more than two classes the interval is for ``pi_label``, given ``y = label``, or with
            False given ``y != label``.

        Returns
        -------
        lower, upper : ndarray of shape (n,)
            Probabilities of the positive class (of `label`, for more than two classes).

        Raises
        ------
        NotFittedError
            Before ``fit``.
        TypeError, ValueError
            If an argument is not of the form above, or a class is missing in a part of a new split.
        """
        check_is_fitted(self, "splits_")
        exact_alpha(alpha)
        method, classes = self._method(), self.classes_.tolist()
        points = Points.of(X, "X", self._columns, method.encode_test(self.encoder))
        at = self._class_index(label)
        binary = self.classes_.size == 2
        column, code = (1, at) if binary else (at, int(given))
        if binary and not given:
            raise ValueError("given: found False for two classes, expected the other label instead")
        labels = np.full(len(points.array), code, dtype=np.int8)
        evaluation = assemble(self._served(points), column, labels, classes, method)
        return evaluation.intervals(alpha)

    def evaluate(
        self,
        X_test: Any,
        y_test: ArrayLike,
        label: Any = None,
        *,
        pos_label: Any = None,
        guarantee: str = "individual",
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> RocEvaluation:
        """ROC evaluation on a test set (Algorithms 1 to 3).

        Parameters
        ----------
        X_test : array_like, data frame or sparse matrix of shape (n_test, d), or n_test texts
            Test features, with the columns of the fit.
        y_test : array_like of shape (n_test,)
            Test labels.
        label : object, optional
            For more than two classes, the class that is to count as positive.
        pos_label : label, optional
            The same under scikit-learn's name; by default the second of two classes in sorted
            order. Scores are the probabilities of that class.
        guarantee : {"individual", "curve", "simultaneous", "everywhere"}
            What the band's limits are calibrated for. ``"individual"`` is the paper's: each point's
            probability, which covers the curve more often than asked. ``"curve"`` is the curve at
            a random threshold and little more, which makes narrower bands
            (`conformal_roc_widget.calibration.curve_residuals`). It assumes that ``logit pi``
            is smooth, whichever of ``"kernel"`` and ``"sharp"`` is the reference, that ``pi`` can
            be learned with ``"learned"``, or that a callable is the truth. ``"simultaneous"``, with
            the reference ``"score"``, is an ideal recalibration of the score at every threshold at
            once, for every sample size, if a higher score never means a lower probability
            (`calibration_band`). ``"everywhere"`` is the ideal model at every threshold at once,
            also one that was picked (`conformal_roc_widget.calibration.rank_envelope`).
        sample_weight : array_like of shape (n_test,), optional
            Weights of the test rows: curves, rates and areas count these. Rows of weight 0 are left
            out, equal weights change nothing, and a whole weight is the row repeated.
        groups : array_like of shape (n_test,), optional
            Whom each test row belongs to; refused where somebody was in the fit.

        Returns
        -------
        RocEvaluation
            Scores, labels and residuals; ask it for a band at any alpha.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        TypeError, ValueError
            If an argument is not of the form above, a class is missing in the test set or, with
            ``resplits="per-instance"``, in a part of a new split, or the model cannot give the
            guarantee.
        """
        check_is_fitted(self, "splits_")
        self._method().check_guarantee(guarantee, self.resplits, self._columns)
        if pos_label is not None:
            if label is not None and label != pos_label:
                raise ValueError(
                    f"pos_label: found {pos_label!r:.40}, expected label's, {label!r:.40}"
                )
            label = self.classes_[self._class_index(pos_label, "pos_label")]
        if label is None and self.classes_.size > 2:
            raise ValueError(
                f"label: found None for {self.classes_.size} classes, "
                f"expected one of {shortened(self.classes_.tolist())}"
            )
        at = self.classes_.size - 1 if label is None else self._class_index(label)
        refuse_shared_groups(self._people, groups, ("groups of the fit", "groups"))
        return self._evaluate(X_test, y_test, [at], guarantee, sample_weight)[0]

    def evaluate_all(
        self, X_test: Any, y_test: ArrayLike, *, guarantee: str = "individual"
    ) -> dict[Any, RocEvaluation]:
        """One evaluation a class, that class against the rest (Algorithm 3).

        Parameters
        ----------
        X_test, y_test : array_like
            As in `evaluate`.
        guarantee : {"individual", "curve", "simultaneous", "everywhere"}
            As in `evaluate`.

        Returns
        -------
        dict
            Class -> RocEvaluation.
        """
        check_is_fitted(self, "splits_")
        self._method().check_guarantee(guarantee, self.resplits, self._columns)
        every = range(self.classes_.size)
        evaluations = self._evaluate(X_test, y_test, every, guarantee)
        return dict(zip(self.classes_.tolist(), evaluations, strict=True))

    def evaluate_by(
        self,
        X_test: Any,
        y_test: ArrayLike,
        sensitive_features: Any,
        label: Any = None,
        *,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Populations:
        """One evaluation a population, each with residuals of its own (Mondrian).

        Parameters
        ----------
        X_test, y_test : array_like
            As in `evaluate`.
        sensitive_features : array_like or frame of shape (n_test,) or (n_test, c)
            Populations of the test rows, as those given to ``fit``; several columns are crossed.
        label, pos_label, sample_weight, groups
            As in `evaluate`.

        Returns
        -------
        Populations
            Name -> RocEvaluation, with `overall` and `gap`. A population with too few calibration
            points has no limits.

        Raises
        ------
        NotFittedError
            Before ``fit``.
        TypeError, ValueError
            As in `evaluate`; if the fit was told of no populations, or one has a single label.
        """
        overall = self.evaluate(
            X_test, y_test, label, pos_label=pos_label, sample_weight=sample_weight, groups=groups
        )
        if self._populations is None:
            raise ValueError(
                "sensitive_features: found none in the fit, expected them there too: every "
                "population is calibrated by its own rows"
            )
        if self.resplits != 1 or self.neighbors is not None:
            raise ValueError(
                "sensitive_features: found resplits or neighbors, expected one split and no "
                "neighbourhoods"
            )
        method, like = self._method(), (self._columns, self.classes_)
        test = Labelled.of(X_test, y_test, "_test", like, method.encode_test(self.encoder))
        names, codes = crossed_names(sensitive_features, "sensitive_features", test.codes.size)
        test, weights = _weighing(test._replace(populations=codes), sample_weight)
        classes = self.classes_.tolist()
        column = classes.index(overall.classes[1])
        split = self.splits_[0]
        calibrating = split.reference.calibration
        known: Any = calibrating.populations
        evaluations = {}
        for place, name in enumerate(names):
            rows = np.flatnonzero(test.populations == place)
            labels = (test.codes[rows] == column).astype(np.int8)
            if not 0 < labels.sum() < labels.size:
                raise ValueError(
                    f"sensitive_features: found {labels.size} test points of {name!r} without both "
                    "labels, expected each population to have both"
                )
            own = self._populations.index(name) if name in self._populations else -1
            evaluations[name] = assemble(
                *(self._served(test.points.rows(rows)), column, labels, classes, method),
                no_everywhere=NOT_BY_POPULATION,
                sample_weight=None if weights is None else weights[rows],
                rows=calibrating.stands_for._replace(within=np.asarray(known == own)),
            )
        return Populations(evaluations, overall)

    # Input and test points

    def _trained_again(self, data: Labelled, explicit: bool) -> str:
        """A sentence where the estimator was fitted already, and the curve is another one's."""
        if not was_fitted(self.estimator):
            return ""
        n = trained = len(data.codes)
        if not explicit and self.calibration != CROSS and self.splits_:
            trained = n - self.splits_[0].codes.size
        return trained_again(trained, n)

    def _method(self) -> Method:
        parameters = self.neighbors, self.distance, self.center, self.recenter, self.quantile_rule
        crossed = self.calibration == CROSS
        stands_for = getattr(self, "_stands_for", CalibrationRows())
        retrained = getattr(self, "_retrained", "")
        return Method(self._reference, *parameters, self._choice, crossed, stands_for, retrained)

    def _class_index(self, label: Any, name: str = "label") -> int:
        known: list[Any] = self.classes_.tolist()
        if label not in known:
            raise ValueError(f"{name}: found {label!r}, expected one of {shortened(known)}")
        return known.index(label)

    def _served(self, points: Points) -> list[SplitPoints]:
        """Test points, each by the split that serves it."""
        n = len(points.array)
        serving = self._splits.serving(n, n_jobs=self.n_jobs, progress=self.progress)
        return [SplitPoints.of(split, rows, points, self.center) for split, rows in serving]

    def _evaluate(
        self,
        X: Any,
        y: ArrayLike,
        columns: Iterable[int],
        guarantee: str,
        sample_weight: ArrayLike | None = None,
    ) -> list[RocEvaluation]:
        method, like = self._method(), (self._columns, self.classes_)
        test = Labelled.of(X, y, "_test", like, method.encode_test(self.encoder))
        test, weights = _weighing(test, sample_weight)
        if weights is not None and guarantee != "individual":
            raise ValueError(NOT_WEIGHTED.format(guarantee))
        served, classes = self._served(test.points), self.classes_.tolist()
        no_everywhere = method.refusal("everywhere", self.resplits, self._columns)
        return [
            assemble(
                *(served, l, (test.codes == l).astype(np.int8), classes, method, guarantee),
                no_everywhere if weights is None else NOT_WEIGHTED.format("everywhere"),
                sample_weight=weights,
            )
            for l in columns
        ]
