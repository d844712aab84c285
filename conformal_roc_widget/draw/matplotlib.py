"""Draws a scene on Matplotlib axes, and a sheet as a PDF file. Matplotlib is an extra."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.draw.shapes import Disc, Fill, Letters, Sheet, Stroke
from conformal_roc_widget.scene import Area, Axis, Dot, Line, Mark, Panel, Pen, Points, Scene, Text
from conformal_roc_widget.shown.theme import Theme
from conformal_roc_widget.text import plain_text

#: Points in an inch; shapes are in points.
INCH = 72
#: Millimetres of an inch.
MILLIMETRES = 25.4
#: Height of the legend above marks at the lower right, as a share of the side, by the highest mark.
ABOVE = {"": 0.06, "corner-limits": 0.11, "corner-whole": 0.28}
#: Anchors in Matplotlib's words.
ANCHORS = {"start": "left", "middle": "center", "end": "right"}
#: Markers of dots, by their shape.
MARKERS = {"circle": "o", "diamond": "D", "level": "_", "upright": "|"}
HATCH = "////"
#: At most this many letters of a text are drawn.
MOST_LETTERS = 400


@dataclass(frozen=True, eq=False)
class Plotted:
    """A picture on Matplotlib axes, as scikit-learn's displays hold it.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes; of several panels the first.
    figure_ : matplotlib.figure.Figure
        Their figure.
    axes_ : tuple of matplotlib.axes.Axes
        One a panel.
    caption_ : tuple of str
        What the picture says around its plots: the numbers, target, scope and guarantee.
    """

    ax_: Any
    figure_: Any = field(repr=False)
    axes_: tuple[Any, ...] = field(repr=False)
    caption_: tuple[str, ...] = field(repr=False)


def plotted(scene: Scene, theme: Theme, ax: Any = None) -> Plotted:
    """A scene on given axes, or on a figure of its own.

    A ValueError where there are several panels for the axes, an ImportError without Matplotlib.
    """
    _required()
    if ax is not None and len(scene.panels) > 1:
        raise ValueError(
            f"ax: found axes for {len(scene.panels)} plots side by side, expected None: set label "
            "for one of them"
        )
    if ax is not None and not hasattr(ax, "add_patch"):
        raise TypeError(f"ax: found {type(ax).__name__}, expected Matplotlib axes or None")
    axes = (ax,) if ax is not None else tuple(_axes_of(scene))
    for each, panel in zip(axes, scene.panels, strict=True):
        _Plot(each, panel, theme).draw()
    if ax is None:
        axes[0].figure.suptitle(_plain(scene.title), fontsize="medium")
    _legend(axes[0], scene, theme)
    return Plotted(axes[0], axes[0].figure, axes, (*scene.lead, *scene.notes))


def _required() -> None:
    """Raises an ImportError that names the extra, if Matplotlib is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "Matplotlib is not installed: pip install 'conformal_roc_widget[plot]'"
        ) from error


def _axes_of(scene: Scene) -> Iterator[Any]:
    """Axes on a new figure, row by row."""
    from matplotlib import pyplot as plt

    columns = min(scene.columns, len(scene.panels))
    rows = -(-len(scene.panels) // columns)
    side = scene.side / INCH
    size = (columns * (side + 0.5) + 0.4, rows * (side + 0.6) + 0.8)
    figure, axes = plt.subplots(rows, columns, squeeze=False, figsize=size, layout="constrained")
    every = axes.ravel()
    for spare in every[len(scene.panels) :]:
        figure.delaxes(spare)
    yield from every[: len(scene.panels)]


def _legend(ax: Any, scene: Scene, theme: Theme) -> None:
    """Draws the legend: the lines and bands of all panels."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = []
    for key, mark in scene.legend.items():
        label = _plain(key)
        if isinstance(mark, Line) or not mark.fill:
            handles.append(Line2D([], [], label=label, **_look(mark.pen, theme)))
            continue
        colour, hatched = theme.colour(mark.fill), not all(mark.sides)
        face = "none" if hatched else (colour, theme.fill * mark.strength)
        hatch = HATCH if hatched else None
        handles.append(Patch(label=label, facecolor=face, edgecolor=colour, hatch=hatch))
    if len(scene.panels) > 1:
        ax.figure.legend(handles=handles, loc="outside lower center", ncols=2, fontsize="small")
        return
    # The legend stands above the area, which is at the lower right.
    there = {mark.id for mark in scene.panels[0].marks}
    foot = max(high for name, high in ABOVE.items() if name in there or not name)
    place = {"loc": "lower right", "bbox_to_anchor": (1, foot)}
    ax.legend(handles=handles, fontsize="small", framealpha=0.8, **place)


class _Plot:
    """One panel on its axes."""

    def __init__(self, ax: Any, panel: Panel, theme: Theme) -> None:
        self.ax, self.panel, self.theme = ax, panel, theme

    def draw(self) -> None:
        """Axes, then every mark, the lowest first."""
        self._axis(self.panel.across, self.ax.set_xlim, self.ax.set_xticks, self.ax.set_xlabel)
        self._axis(self.panel.up, self.ax.set_ylim, self.ax.set_yticks, self.ax.set_ylabel)
        self.ax.set_box_aspect(1)
        if self.panel.name:
            self.ax.set_title(_plain(self.panel.name), fontsize="medium")
        for depth, mark in enumerate(self.panel.marks):
            self._mark(mark, 2 + depth / 100)

    def _axis(self, axis: Axis, limits: Any, ticks: Any, title: Any) -> None:
        limits(*axis.ends)
        ticks(axis.ticks)
        title(_plain(axis.title))

    def _mark(self, mark: Mark, depth: float) -> None:
        drawers: dict[type, Callable[..., None]] = {
            Area: self._area,
            Line: self._line,
            Dot: self._dot,
            Text: self._text,
        }
        drawers[type(mark)](mark, depth)

    def _area(self, area: Area, depth: float) -> None:
        if area.fill:
            (x, high), (back, low) = area.upper.corners, area.lower.corners
            colour, hatched = self.theme.colour(area.fill), not all(area.sides)
            look: dict[str, Any] = {"facecolor": colour, "alpha": self.theme.fill * area.strength}
            if hatched:
                look = {"facecolor": "none", "edgecolor": colour, "hatch": HATCH, "alpha": 0.5}
            corners = np.concatenate([x, back[::-1]]), np.concatenate([high, low[::-1]])
            self.ax.fill(*corners, linewidth=0, zorder=depth, gid=area.id, **look)
        for edge in area.edges:
            self._stroke(edge, area.pen, depth, area.id)

    def _line(self, line: Line, depth: float) -> None:
        if line.halo:
            wide = line.pen._replace(colour="paper", width=line.pen.width + 4, dashes=())
            self._stroke(line.points, wide, depth, f"{line.id}-halo")
        self._stroke(line.points, line.pen, depth, line.id)

    def _stroke(self, points: Points, pen: Pen, depth: float, name: str) -> None:
        look = _look(pen, self.theme)
        self.ax.plot(*points.corners, zorder=depth, gid=name, solid_joinstyle="round", **look)

    def _dot(self, dot: Dot, depth: float) -> None:
        colour = self.theme.colour(dot.pen.colour)
        bare = dot.shape in ("level", "upright")
        look: dict[str, Any] = {"color": colour} if bare else {"markeredgecolor": colour}
        if not bare:
            look["markerfacecolor"] = self.theme.colour(dot.fill) if dot.fill else "none"
        self.ax.plot(
            [dot.x],
            [dot.y],
            linestyle="none",
            marker=MARKERS[dot.shape],
            markersize=2 * dot.size,
            markeredgewidth=dot.pen.width,
            clip_on=False,
            zorder=depth,
            gid=dot.id,
            **look,
        )

    def _text(self, text: Text, depth: float) -> None:
        self.ax.annotate(
            _plain(text.text),
            (text.x, text.y),
            xytext=(text.dx, -text.dy),
            textcoords="offset points",
            ha=ANCHORS[text.anchor],
            weight="bold" if text.bold else "normal",
            fontsize="medium" if text.bold else "small",
            color=self.theme.colour(text.colour),
            zorder=depth,
            gid=text.id,
        )


def _look(pen: Pen, theme: Theme) -> dict[str, Any]:
    """A pen in Matplotlib's words; its dashes are in line widths there."""
    dashes = tuple(dash / max(pen.width, 1) for dash in pen.dashes)
    style: Any = (0, dashes) if dashes else "-"
    return {"color": theme.colour(pen.colour), "linewidth": pen.width, "linestyle": style}


def _plain(text: str) -> str:
    """A user's text, in which Matplotlib reads no formula and draws no control character."""
    return plain_text(text, MOST_LETTERS).replace("$", r"\$")


def pdf(sheet: Sheet, millimetres: float | None = None) -> bytes:
    """A sheet as a PDF file of vectors and letters, the same in every run; by default in points."""
    _required()
    from matplotlib import rc_context
    from matplotlib.backends.backend_pdf import FigureCanvasPdf
    from matplotlib.figure import Figure

    scale = 1.0 if millimetres is None else millimetres / MILLIMETRES * INCH / sheet.width
    size = scale * sheet.width / INCH, scale * sheet.height / INCH
    figure = Figure(figsize=size, facecolor=sheet.background)
    ax: Any = figure.add_axes((0, 0, 1, 1))
    ax.set_xlim(0, sheet.width)
    ax.set_ylim(sheet.height, 0)
    ax.axis("off")
    for depth, shape in enumerate(sheet.shapes):
        _shape(ax, shape, depth, scale)
    made = io.BytesIO()
    about = {"Title": sheet.title, "Subject": sheet.description, "CreationDate": None}
    with rc_context({"pdf.fonttype": 42}):
        canvas: Any = FigureCanvasPdf(figure)
        canvas.print_pdf(made, metadata=about)
    return made.getvalue()


def _shape(ax: Any, shape: Stroke | Fill | Disc | Letters, depth: int, scale: float) -> None:
    from matplotlib.patches import Circle

    match shape:
        case Stroke():
            dashes = tuple(dash / max(shape.width, 1) for dash in shape.dashes)
            style: Any = (0, dashes) if dashes else "-"
            for line in shape.lines:
                look = {"color": shape.colour, "linewidth": scale * shape.width, "linestyle": style}
                ax.plot(*np.transpose(line), zorder=depth, **look)
        case Fill():
            _fill(ax, shape.corners, shape, depth)
        case Disc():
            look = {"facecolor": shape.fill or "none", "edgecolor": shape.edge}
            at = (shape.x, shape.y)
            wide = scale * shape.width
            ax.add_patch(Circle(at, shape.radius, linewidth=wide, zorder=depth, **look))
        case Letters():
            _letters(ax, shape, depth, scale)


def _fill(ax: Any, corners: Floats, fill: Fill, depth: int) -> None:
    look: dict[str, Any] = {"facecolor": fill.colour, "alpha": fill.opacity}
    if fill.hatched:
        look = {"facecolor": "none", "edgecolor": fill.colour, "hatch": HATCH, "alpha": 0.5}
    ax.fill(*np.transpose(corners), linewidth=0, zorder=depth, **look)


def _letters(ax: Any, letters: Letters, depth: int, scale: float) -> None:
    from matplotlib import patheffects

    around = patheffects.withStroke(linewidth=4 * scale, foreground=letters.halo)
    halo = [around] if letters.halo else None
    ax.text(
        letters.x,
        letters.y,
        _plain(letters.text),
        color=letters.colour,
        fontsize=scale * letters.size,
        weight="bold" if letters.bold else "normal",
        ha=ANCHORS[letters.anchor],
        va="baseline",
        rotation=90 if letters.turned else 0,
        rotation_mode="anchor",
        path_effects=halo,
        zorder=depth,
    )
