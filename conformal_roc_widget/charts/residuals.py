"""Draws histograms of the calibration residuals with their order statistics.

A residual is ``logit pi~ - logit p``. The reference ``pi~`` is the estimate of the true probability
of a calibration point, and p is the classifier's score.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import altair as alt
import numpy as np

from conformal_roc_widget.arrays import Floats, Ints
from conformal_roc_widget.calibration.quantiles import exact_alpha, ranks
from conformal_roc_widget.choices import ThemeName
from conformal_roc_widget.draw.style import (
    Layer,
    Row,
    check_size,
    dashes_of,
    drawn,
    halo_of,
    heading_of,
    layered,
    lettering,
    styled,
    title_of,
)
from conformal_roc_widget.evaluation.band import ConformalBand
from conformal_roc_widget.evaluation.roc_evaluation import RocEvaluation
from conformal_roc_widget.shown.theme import EDGE_DASHES, Theme, theme_of
from conformal_roc_widget.text import chart_text, number_text, ordinal, percent_down

#: The number of bars of a histogram.
BINS = 64

#: If the axis is longer than this many interquartile ranges, it is logarithmic away from zero (a
#: symlog scale).
LONG_AXIS = 10

STRIP = 120

#: The width in pixels of an order statistic's text beside its line.
ROOM_FOR_A_RANK = 100

INSIDE, OUTSIDE = "between the order statistics, ends included", "beyond the order statistics"


def residuals(
    evaluation: RocEvaluation,
    alpha: float = 0.05,
    *,
    title: str | None = None,
    width: int = 520,
    theme: ThemeName = "light",
) -> alt.VConcatChart:
    """Draws the calibration residuals by label, with the order statistics at alpha.

    Parameters
    ----------
    evaluation : RocEvaluation
        The evaluation whose residuals are drawn.
    alpha : float
        Significance level in (0, 1).
    title : str, optional
        Title of the chart. By default "Calibration residuals".
    width : int
        Width of the plot in pixels, at least 100.
    theme : {"light", "dark"}
        Colours.

    Returns
    -------
    altair.VConcatChart
        Two histograms on the same axis: label 1 above label 0. Residuals outside the two order
        statistics are pale. Texts give the ranks, the number of residuals, the guaranteed coverage,
        and the number of residuals outside the axis.

    Raises
    ------
    TypeError, ValueError
        If an argument is not of the form above.
    """
    colours = theme_of(theme)
    check_size(width, "width")
    if not isinstance(evaluation, RocEvaluation):
        raise TypeError(
            f"evaluation: found {type(evaluation).__name__}, expected a RocEvaluation, as "
            "ConformalROC.evaluate or RocEvaluation.from_predictions return it"
        )
    exact_alpha(alpha)
    summary = evaluation.band(alpha, thresholds=[])
    axis = _ResidualAxis.of(evaluation, summary)
    strips = [
        _strip(evaluation, summary, label, axis, colours, width, last=label == 0)
        for label in (1, 0)
    ]
    lines = [
        "R̃ = logit π̃ − logit pₙ at the calibration points."
        if evaluation.guarantee == "individual"
        else "Residuals of the curve: sorted logits of draws of π less sorted logits of pₙ."
    ]
    if summary.quantiles is None:
        lines.append("Every test point has order statistics of its own, so none are drawn.")
    else:
        lines.append(
            f"α = {float(alpha):g} picks two order statistics a label; pale residuals lie beyond."
        )
    if axis.constant is not None:
        lines.append("The axis is logarithmic away from zero.")
    heading = heading_of(title, "Calibration residuals")
    chart = alt.vconcat(*strips, spacing=16)
    return styled(chart, colours, title_of(heading, lines, width + 48))


class _ResidualAxis(NamedTuple):
    """The axis of residuals: the edges of the bars, and the constant of a symlog scale.

    If `constant` is None, the axis is linear.
    """

    edges: Floats
    constant: float | None

    @classmethod
    def of(cls, evaluation: RocEvaluation, band: ConformalBand) -> _ResidualAxis:
        finite = [values[np.isfinite(values)] for values in evaluation.residuals.values()]
        pooled = np.concatenate([*finite, [0.0]])
        # The axis contains 0, the middle 99 % of each label's residuals, and every drawn order
        # statistic.
        ends = [np.quantile(values, (0.005, 0.995)) for values in finite if values.size]
        picked = [q for pair in (band.quantiles or {}).values() for q in pair if math.isfinite(q)]
        low = float(min([0.0, *picked, *(end[0] for end in ends)]))
        high = float(max([0.0, *picked, *(end[1] for end in ends)]))
        room = 0.04 * (high - low) or 1.0
        low, high = low - room, high + room
        spread = float(np.subtract(*np.quantile(pooled, (0.75, 0.25))))
        if not 0 < LONG_AXIS * spread < high - low:
            return cls(np.linspace(low, high, BINS + 1), None)
        start, stop = (math.copysign(math.log1p(abs(end) / spread), end) for end in (low, high))
        steps = np.linspace(start, stop, BINS + 1)
        return cls(np.sign(steps) * spread * np.expm1(np.abs(steps)), spread)

    def share(self, residual: float) -> float:
        """The position of a residual on the axis, from 0 to 1."""
        values = np.array([self.edges[0], residual, self.edges[-1]])
        if self.constant is not None:
            values = np.sign(values) * np.log1p(np.abs(values) / self.constant)
        return float((values[1] - values[0]) / (values[2] - values[0]))

    def ticks(self) -> Any:
        """Values of the ticks if the scale is symlog. Otherwise Altair chooses them."""
        if self.constant is None:
            return alt.Undefined
        powers = 10.0 ** np.arange(math.ceil(math.log10(self.constant)), 300)
        steps = np.outer(powers, [1, 2, 5]).ravel()
        steps = steps[steps < max(-self.edges[0], self.edges[-1])]
        both = np.concatenate([-steps[::-1], [0], steps])
        return both[(both > self.edges[0]) & (both < self.edges[-1])].tolist()

    def scale(self) -> alt.Scale:
        """The Altair scale of the axis."""
        domain = [float(self.edges[0]), float(self.edges[-1])]
        if self.constant is None:
            return alt.Scale(domain=domain, nice=False, zero=False)
        return alt.Scale(type="symlog", constant=self.constant, domain=domain, nice=False)


def _strip(
    evaluation: RocEvaluation,
    band: ConformalBand,
    label: int,
    axis: _ResidualAxis,
    colours: Theme,
    width: int,
    *,
    last: bool,
) -> alt.LayerChart:
    """Returns the chart of one label: a histogram of its residuals, with its order statistics.

    The `last` chart has the title and the numbers of the axis.
    """
    values = evaluation.residuals[label]
    lower, upper = (-np.inf, np.inf) if band.quantiles is None else band.quantiles[label]
    inside = (values >= lower) & (values <= upper)
    scale = axis.scale()
    x_axis = alt.Axis(
        title="Residual R̃ (log-odds): ← classifier too high, classifier too low →"
        if last
        else None,
        labels=last,
        ticks=last,
        grid=False,
        tickCount=7,
        values=axis.ticks(),
        labelOverlap="greedy",
        labelSeparation=4,
        labelExpr="(datum.value > 0 ? '+' : '') + datum.label",
    )

    def x(name: str) -> alt.X:
        return alt.X(f"{name}:Q", scale=scale, axis=x_axis)

    layers: list[Layer] = [
        drawn([{"x": 0}]).mark_rule(color=colours.axis, strokeDash=[1, 4]).encode(x=x("x")),
        _histogram(values, inside, axis, label, colours, x),
    ]
    picked = ranks(values.size, band.alpha, evaluation.quantile_rule)
    if band.quantiles is not None:
        for rank, value, outward in zip(picked, (lower, upper), (-1, 1), strict=True):
            if math.isfinite(value):
                share = axis.share(value)
                room = width * (share if outward < 0 else 1 - share)
                side = outward if room > ROOM_FOR_A_RANK else -outward
                layers += _order_statistic(rank, value, side, x, label, colours)
    off = (int((values < axis.edges[0]).sum()), int((values > axis.edges[-1]).sum()))
    if off[0]:
        layers += lettering(f"‹ {off[0]}", 4, STRIP - 30, colours, colours.muted, align="left")
    if off[1]:
        layers += lettering(f"{off[1]} ›", width - 4, STRIP - 30, colours, colours.muted)
    name = chart_text(evaluation.classes[label], 40)
    heading = f"Label {label}" + ("" if name == str(label) else f": {name}")
    facts = band.vacuous[label] or _facts(band, label, values.size)
    text = colours.label_texts[label]
    title = title_of(heading, [facts], width, small=True, color=text)
    strip: alt.LayerChart = layered(layers, width, STRIP).properties(title=title)
    return strip


def _histogram(
    values: Floats, inside: Any, axis: _ResidualAxis, label: int, colours: Theme, x: Any
) -> alt.Chart:
    """Returns the histogram. Residuals that are not `inside` the order statistics are pale."""
    bars: list[Row] = [
        {
            "from": float(left),
            "to": float(right),
            "points": int(count),
            "bottom": int(bottom),
            "top": int(bottom + count),
            "where": where,
        }
        for where, counts, bottoms in _stacked(values, inside, axis.edges)
        for left, right, count, bottom in zip(
            axis.edges[:-1], axis.edges[1:], counts, bottoms, strict=True
        )
        if count
    ]
    tallest = max((bar["top"] for bar in bars), default=1)
    histogram: alt.Chart = (
        drawn(bars)
        .mark_bar(color=colours.labels[label], stroke=colours.background, strokeWidth=0.5)
        .encode(
            x=x("from"),
            x2="to:Q",
            y=alt.Y(
                "bottom:Q",
                # The axis ends above the highest bar, which leaves room for the texts of the ranks.
                scale=alt.Scale(domain=[0, 1.3 * tallest]),
                axis=alt.Axis(title="Calibration points", tickCount=3, tickMinStep=1, format="d"),
            ),
            y2="top:Q",
            fillOpacity=alt.FillOpacity(
                "where:O",
                scale=alt.Scale(domain=[INSIDE, OUTSIDE], range=[1, colours.faint]),
                legend=None,
            ),
            tooltip=[
                alt.Tooltip("from:Q", title="Residual from", format="+.3f"),
                alt.Tooltip("to:Q", title="to", format="+.3f"),
                alt.Tooltip("points:Q", title="Calibration points"),
                alt.Tooltip("where:N", title="They lie"),
            ],
        )
    )
    return histogram


def _facts(band: ConformalBand, label: int, n: int) -> str:
    """Writes a line on one label: n residuals, the guaranteed coverage, and missing limits."""
    least = f"at least {percent_down(band.guaranteed[label])}"
    if band.quantiles is None:
        return f"n = {n:,}; a test point has {band.n_calibration[label]:,} or more, {least}"
    ends = zip(("lower", "upper"), band.quantiles[label], strict=True)
    lacking = (f"; no {side} limit" for side, value in ends if math.isinf(value))
    return f"n = {n:,}, {least}{''.join(lacking)}"


def _stacked(values: Floats, inside: Any, edges: Floats) -> list[tuple[str, Ints, Ints]]:
    """Returns the bars of residuals inside and outside the order statistics: name, counts, bases.

    The bars of residuals outside stand on those of residuals inside.
    """
    within = np.histogram(values[inside], edges)[0]
    beyond = np.histogram(values[~inside], edges)[0]
    return [(INSIDE, within, np.zeros_like(within)), (OUTSIDE, beyond, within)]


def _order_statistic(
    rank: int, value: float, side: int, x: Any, label: int, colours: Theme
) -> list[Layer]:
    """Returns the layers of an order statistic: a line at its value, and rank and value as text.

    If `side` is below 0, the text is at the left of the line.
    """
    base = drawn([{"rank": rank, "residual": value}]).encode(x=x("residual"))
    layers: list[Layer] = [
        base.mark_rule(
            color=colours.labels[label], strokeWidth=2, strokeDash=dashes_of(EDGE_DASHES[label])
        ).encode(
            tooltip=[
                alt.Tooltip("rank:Q", title="Rank"),
                alt.Tooltip("residual:Q", title="Residual", format="+.4f"),
            ]
        )
    ]
    text = f"{ordinal(rank)} {number_text(value, sign=True)}"
    layers += [
        base.mark_text(
            align="right" if side < 0 else "left",
            dx=6 * side,
            fontSize=12,
            fontWeight=600,
            **halo_of(halo, colours, colours.label_texts[label]),
        ).encode(y=alt.value(10), text=alt.value(text))
        for halo in (True, False)
    ]
    return layers
