"""``%load_ext conformal_roc_widget``: the line magic ``%conformal_roc``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
from traitlets import TraitError

from conformal_roc_widget.arrays import labels_of
from conformal_roc_widget.calibration.parameters import GUARANTEES
from conformal_roc_widget.comparators.registry import COMPARATORS
from conformal_roc_widget.evaluation.from_scores import REFERENCES
from conformal_roc_widget.shown.controls import BAND_KINDS, VIEWS
from conformal_roc_widget.shown.evaluation_group import KINDS
from conformal_roc_widget.widget.frame import FramedPage
from conformal_roc_widget.widget.roc_widget import ROCWidget
from conformal_roc_widget.widget.score_files import class_named

ARRAYS = ("y_calibration", "score_calibration", "y_test", "score_test")
#: Options that are arguments of every widget; `OF_ARRAYS` are those about arrays.
CONTROLS = (
    *("alpha", "threshold", "view", "name", "weights", "prevalence", "cost_ratio", "guarantee"),
    "horizon",
)
OF_ARRAYS = ("pos_label", "weight", "groups", "reference")


def _unquoted(text: str) -> str:
    """Words without the quotes that hold them together, which IPython leaves around."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


@magics_class
class ConformalROCMagics(Magics):
    """The magics of this package."""

    @magic_arguments()
    @argument(
        "names",
        nargs="+",
        metavar="name",
        help="y_calibration score_calibration y_test score_test, or two arrays, y score; or an "
        "evaluation, or a mapping of labels to evaluations",
    )
    @argument("--alpha", type=float, default=0.05, help="significance level, 0.001 to 0.5")
    @argument("--threshold", type=float, default=0.5, help="threshold, 0 to 1")
    @argument(
        "--band",
        choices=BAND_KINDS,
        help="which band to draw; by default what the data allow",
    )
    @argument(
        "--guarantee",
        choices=GUARANTEES,
        help="what the limits are promised for; by default that of the evaluation",
    )
    @argument(
        "--kind",
        choices=KINDS,
        help="what the evaluations of a mapping are, where that cannot be seen from them",
    )
    @argument("--view", choices=VIEWS, default=VIEWS[0], help="what to look at")
    @argument("--name", type=_unquoted, help="what one evaluation is called")
    @argument("--label", metavar="label", type=_unquoted, help="which of several to look at")
    @argument("--weights", choices=("size", "uniform"), default="size", help="of the average")
    @argument("--prevalence", type=float, help="where the classifier is used, 0 to 1")
    @argument("--cost-ratio", type=float, help="cost of a miss in false alarms")
    @argument("--horizon", type=float, help="by when an event counts, of several")
    @argument(
        "--comparator",
        action="append",
        choices=tuple(COMPARATORS),
        default=[],
        help="another band to lay over it; may be said again",
    )
    @argument(
        "--pos-label", metavar="label", type=_unquoted, help="the positive class, with arrays"
    )
    @argument("--weight", metavar="name", help="weights of the test rows, with arrays")
    @argument("--groups", metavar="name", help="whom each test row belongs to, with arrays")
    @argument("--reference", choices=REFERENCES, help="of four arrays")
    @argument(
        "--html",
        action="store_true",
        help="an HTML output that moves without a kernel (`as_html`) in place of the widget",
    )
    @argument("--title", type=_unquoted, help="of the page that --html makes")
    @line_magic
    def conformal_roc(self, line: str) -> ROCWidget | FramedPage:
        """Show a ROC curve with its conformal band and sliders.

        Examples::

            %conformal_roc y_test p_test
            %conformal_roc evaluation --alpha 0.1
            %conformal_roc y_cal p_cal y_test p_test --threshold 0.3 --band both
            %conformal_roc evaluation --guarantee everywhere
            %conformal_roc y_cal p_cal y_test p_test --weight w_test
            %conformal_roc by_sex --kind populations
            %conformal_roc evaluation --html
        """
        given = parse_argstring(self.conformal_roc, line)
        values = [self._value(name) for name in given.names]
        if len(values) not in (1, 2, len(ARRAYS)):
            raise UsageError(
                f"%conformal_roc: found {len(values)} names, expected the name of an evaluation, "
                f"of two arrays, y and score, or of four: {' '.join(ARRAYS)}"
            )
        if given.title is not None and not given.html:
            raise UsageError("%conformal_roc: found --title without --html, which has one")
        try:
            widget = self._widget(values, given)
            return widget.as_html(title=given.title) if given.html else widget
        except (TypeError, ValueError, TraitError, ImportError) as error:
            raise UsageError(f"%conformal_roc: {error}") from None

    def _widget(self, values: list[Any], given: Any) -> ROCWidget:
        """The widget of an evaluation or of arrays; what is said of the other is refused."""
        settings = {name: getattr(given, name) for name in CONTROLS}
        settings |= {"comparators": given.comparator}
        settings |= {} if given.band is None else {"band": given.band}
        of_arrays = {name: getattr(given, name) for name in OF_ARRAYS}
        if len(values) == 1:
            for name in (name for name, value in of_arrays.items() if value is not None):
                raise ValueError(f"found --{name.replace('_', '-')} without arrays")
            label = _key_named(given.label, values[0])
            return ROCWidget(values[0], kind=given.kind, label=label, **settings)
        for name in ("kind", "label"):
            if (value := getattr(given, name)) is not None:
                raise ValueError(f"found --{name} {value} with arrays, expected it with a mapping")
        if given.reference is not None and len(values) == 2:
            raise ValueError(
                f"found --reference {given.reference} with two arrays, expected four: the first "
                "two calibrate"
            )
        weight, groups = (
            None if name is None else self._value(name) for name in (given.weight, given.groups)
        )
        # Arrays make one evaluation, which has no average.
        del settings["weights"]
        return ROCWidget.from_predictions(
            *values,
            sample_weight_test=weight,
            groups_test=groups,
            reference=given.reference,
            pos_label=class_named(given.pos_label, labels_of(values[0], "y")),
            **settings,
        )

    def _value(self, name: str) -> Any:
        variables = {} if self.shell is None else self.shell.user_ns
        if name not in variables:
            raise UsageError(f"%conformal_roc: there is no variable {name!r:.60}")
        return variables[name]


def _key_named(text: str | None, shown: Any) -> Any:
    """The key of a mapping with this text, where keys may be numbers."""
    if text is None or not isinstance(shown, Mapping):
        return text
    named = [key for key in shown if str(key) == text]
    return named[0] if len(named) == 1 else text
