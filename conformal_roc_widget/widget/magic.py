"""``%load_ext conformal_roc_widget``: the line magic ``%conformal_roc``."""

from __future__ import annotations

from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
from traitlets import TraitError

from conformal_roc_widget.arrays import labels_of
from conformal_roc_widget.calibration.parameters import GUARANTEES
from conformal_roc_widget.shown.controls import BAND_KINDS, VIEWS
from conformal_roc_widget.shown.evaluation_group import KINDS
from conformal_roc_widget.widget.command_line import class_named
from conformal_roc_widget.widget.frame import FramedPage
from conformal_roc_widget.widget.roc_widget import ROCWidget

ARRAYS = ("y_calibration", "score_calibration", "y_test", "score_test")


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
    @argument("--name", help="what one evaluation is called")
    @argument("--pos-label", metavar="label", help="the positive class, with arrays")
    @argument("--weight", metavar="name", help="weights of the test rows, with arrays")
    @argument(
        "--html",
        action="store_true",
        help="an HTML output that moves without a kernel (`as_html`) in place of the widget",
    )
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
        settings = {"alpha": given.alpha, "threshold": given.threshold, "view": given.view}
        settings |= {} if given.band is None else {"band": given.band}
        if len(values) not in (1, 2, len(ARRAYS)):
            raise UsageError(
                f"%conformal_roc: found {len(values)} names, expected the name of an evaluation, "
                f"of two arrays, y and score, or of four: {' '.join(ARRAYS)}"
            )
        of_arrays = {"--weight": given.weight, "--pos-label": given.pos_label}
        try:
            settings |= {"guarantee": given.guarantee, "name": given.name}
            if len(values) == 1:
                for option in (each for each, value in of_arrays.items() if value is not None):
                    raise UsageError(f"%conformal_roc: found {option} without arrays")
                widget = ROCWidget(values[0], kind=given.kind, **settings)
            else:
                widget = ROCWidget.from_predictions(
                    *values,
                    sample_weight_test=None if given.weight is None else self._value(given.weight),
                    pos_label=class_named(given.pos_label, labels_of(values[0], "y")),
                    **settings,
                )
            return widget.as_html() if given.html else widget
        except (TypeError, ValueError, TraitError) as error:
            raise UsageError(f"%conformal_roc: {error}") from None

    def _value(self, name: str) -> Any:
        variables = {} if self.shell is None else self.shell.user_ns
        if name not in variables:
            raise UsageError(f"%conformal_roc: there is no variable {name!r:.60}")
        return variables[name]
