"""Draws a scene on Matplotlib axes, and writes a sheet of shapes as a PDF file.

Matplotlib is an optional dependency.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from conformal_roc_widget.arrays import Floats
from conformal_roc_widget.scene import Area, Axis, Dot, Line, Mark, Panel, Pen, Points, Scene, Text
from conformal_roc_widget.shown.theme import Theme
from conformal_roc_widget.text import plain_text

from .shapes import Disc, Fill, Letters, Sheet, Stroke

#: An inch has this many points. The sizes of shapes are in points.
INCH = 72
#: Millimetres per inch.
MILLIMETRES = 25.4
#: Heights to try for the legend's lower edge, as shares of the plot's side. The first one at which
#: the legend covers no text is used.
HEIGHTS = (0.06, 0.11, 0.15, 0.2, 0.28, 0.36)
#: Matplotlib's names for the anchors of texts.
ANCHORS = {"start": "left", "middle": "center", "end": "right"}
#: Matplotlib's markers for the shapes of dots.
MARKERS = {"circle": "o", "diamond": "D", "level": "_", "upright": "|"}
HATCH = "////"
#: The curves that this package has drawn on Matplotlib axes, with the titles that it gave to both
#: axes.
CURVES: WeakKeyDictionary[Any, tuple[str, str]] = WeakKeyDictionary()
#: Marks with these ids are the same for all curves on the same axes, and are drawn once.
SHARED = ("baseline", "goal")
#: If several curves share the axes, the marks of the second and later ones change colour. Marks in
#: these colours keep theirs.
NEUTRAL = ("paper", "axis", "muted")
#: Colours and dashes of the second and each further curve on the same axes.
SERIES = (("model1", (6, 3)), ("model2", (2, 2)), ("label0", (9, 3, 2, 3)), ("axis", (5, 3)))
#: If a text has more letters than this, its middle is replaced by "…".
MOST_LETTERS = 400


@dataclass(frozen=True, eq=False)
class Plotted:
    """A picture on Matplotlib axes, with the attributes of scikit-learn's displays.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        The axes.
    figure_ : matplotlib.figure.Figure
        The figure of the axes.
    axes_ : tuple of matplotlib.axes.Axes
        A tuple with the axes.
    caption_ : tuple of str
        The texts of the picture outside its plots: the numbers, target, scope and guarantee.
    """

    ax_: Any
    figure_: Any = field(repr=False)
    axes_: tuple[Any, ...] = field(repr=False)
    caption_: tuple[str, ...] = field(repr=False)


def plotted(scene: Scene, theme: Theme, ax: Any = None) -> Plotted:
    """Draws a scene with one panel on the axes `ax`, or on the axes of a new figure.

    If the axes already have a curve of this package, the new one gets another colour and other
    dashes, and the legend names both.
    """
    _required()
    (panel,) = scene.panels
    if ax is None:
        from matplotlib import pyplot as plt

        side = scene.side / INCH
        size = (side + 0.9, side + 1.4)
        figure, ax = plt.subplots(figsize=size, layout="constrained")
        figure.suptitle(_plain(scene.title), fontsize="medium")
    _check_axes(ax, panel)
    _, names = ax.get_legend_handles_labels()
    number = sum(line in CURVES for line in ax.lines)
    if number:
        said = {*names, *(text.get_text() for text in ax.texts)}
        panel = _told_apart(panel, number, said)
    _Plot(ax, panel, theme, f"#{number + 1}" * (number > 0)).draw()
    _legend(ax)
    return Plotted(ax, ax.figure, (ax,), (*scene.lead, *scene.notes))


def _check_axes(ax: Any, panel: Panel) -> None:
    """Raises unless `ax` are Matplotlib axes on which the panel can be drawn."""
    if not hasattr(ax, "add_patch"):
        raise TypeError(f"ax: found {type(ax).__name__}, expected Matplotlib axes or None")
    if ax.name != "rectilinear":
        raise ValueError(f"ax: found {ax.name} axes, expected rectilinear ones")
    for way, scale in (("x", ax.get_xscale()), ("y", ax.get_yscale())):
        if scale != "linear":
            raise ValueError(f"ax: found a {scale} scale along {way}, expected a linear one")
    own = panel.across.title, panel.up.title
    for across, up in (CURVES[line] for line in ax.lines if line in CURVES):
        if (across, up) != own:
            raise ValueError(
                f"ax: found axes of {up} over {across}, expected {own[1]} over {own[0]}, or other "
                "axes"
            )


def _told_apart(panel: Panel, number: int, said: Collection[str]) -> Panel:
    """Makes a panel look like curve number `number` (not 0) on the same axes.

    The curve has a colour of its own. Its texts are not in the plot, because they would lie on the
    texts of the first curve. Instead, its name in the legend also has its area and its threshold.
    The legend names of its other marks begin with the curve's name. Marks and names that the axes
    already have are left out. `said` are the texts on the axes.
    """
    colour, dashes = SERIES[(number - 1) % len(SERIES)]
    curve = next(mark for mark in panel.marks if isinstance(mark, Line) and mark.id == "curve")
    taken = any(f"{each}, ".startswith(f"{curve.key}, ") for each in said)
    name = f"{curve.key} {number + 1}" if taken else curve.key
    texts = {mark.id: mark.text for mark in panel.marks if isinstance(mark, Text)}
    told = [texts["corner"]] if "corner" in texts else []
    told += [text for each, text in texts.items() if each == "point-text" and text not in said]
    own = Pen(colour, curve.pen.width, dashes)
    marks: list[Mark] = []
    for mark in panel.marks:
        if mark.id in SHARED or isinstance(mark, Text):
            continue
        if mark is curve:
            key = ", ".join([name, *told])
            marks.append(curve._replace(key=key, pen=own))
            continue
        key = mark.key or texts.get(f"{mark.id}-name", "")
        marks.append(_coloured(mark, colour, "" if key in said or not key else f"{name}: {key}"))
    return panel._replace(marks=tuple(marks))


def _coloured(mark: Area | Line | Dot, colour: str, key: str) -> Mark:
    """Returns the mark with the legend name `key`, in `colour` unless its own is neutral."""
    pen = mark.pen if mark.pen.colour in NEUTRAL else mark.pen._replace(colour=colour)
    if isinstance(mark, Line):
        return mark._replace(pen=pen, key=key)
    fill = colour if mark.fill and mark.fill not in NEUTRAL else mark.fill
    return mark._replace(pen=pen, key=key, fill=fill)


def _required() -> None:
    """If Matplotlib is missing, raises an ImportError that says how to install it."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "Matplotlib is not installed: pip install 'conformal_roc_widget[plot]'"
        ) from error


def _legend(ax: Any) -> None:
    """Draws the legend: curves first, the line of chance last.

    It is inside the axes, at the first of `HEIGHTS` at which it covers no text. If it covers text
    at all of them, it is below the axes, and at most as wide as they are.
    """
    named = zip(*ax.get_legend_handles_labels(), strict=True)
    handles, labels = zip(*sorted(named, key=lambda each: _place_of(each[0])), strict=True)
    from matplotlib.transforms import ScaledTranslation

    words = [text.get_window_extent() for text in ax.texts]
    axes = ax.get_window_extent()
    for height in HEIGHTS:
        place: dict[str, Any] = {"loc": "lower right", "bbox_to_anchor": (1, height)}
        legend = ax.legend(handles, labels, fontsize="small", framealpha=0.8, **place)
        box = legend.get_window_extent()
        if axes.x0 <= box.x0 and box.y1 <= axes.y1 and not box.count_overlaps(words):
            return
    size = legend.get_texts()[0].get_fontsize() * min(1, axes.width / box.width)
    figure = ax.figure
    # The distance from the axes to the legend is given in inches, so that it stays right if a
    # layout moves the axes.
    foot = (ax.xaxis.get_tightbbox().y0 - axes.y0) / figure.dpi
    below = ax.transAxes + ScaledTranslation(0, foot, figure.dpi_scale_trans)
    place = {"loc": "upper left", "bbox_to_anchor": (0, 0), "bbox_transform": below}
    ax.legend(handles, labels, fontsize=size, frameon=False, borderaxespad=0.2, **place)


def _place_of(artist: Any) -> int:
    """Sort key of a legend entry: 0 for curves (the user's too), 1 for bands, 2 for chance."""
    name = artist.get_gid()
    return 2 if name == "baseline" else 0 if artist in CURVES or name is None else 1


class _Plot:
    """Draws one panel on Matplotlib axes."""

    def __init__(self, ax: Any, panel: Panel, theme: Theme, after: str = "") -> None:
        self.ax, self.panel, self.theme = ax, panel, theme
        #: `after` is added to the ids of all marks. `names` has the names of the legend. A name is
        #: removed when a mark with this name is drawn.
        self.after = after
        legend = Scene("", (panel,)).legend
        self.names = {id(mark): _plain(key) for key, mark in legend.items()}

    def draw(self) -> None:
        """Sets the axes, and draws all marks in order."""
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

    def _about(self, mark: Mark, depth: float) -> dict[str, Any]:
        """Returns the arguments of Matplotlib for a mark: depth and id.

        The first artist of a mark also gets the name in the legend.
        """
        name = self.names.pop(id(mark), None)
        about: dict[str, Any] = {"zorder": depth, "gid": f"{mark.id}{self.after}"}
        return about if name is None else about | {"label": name}

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
            self.ax.fill(*corners, linewidth=0, **look, **self._about(area, depth))
        for edge in area.edges:
            self._stroke(edge, area.pen, self._about(area, depth))

    def _line(self, line: Line, depth: float) -> None:
        if line.halo:
            wide = line.pen._replace(colour="paper", width=line.pen.width + 4, dashes=())
            self._stroke(line.points, wide, {"zorder": depth, "gid": f"{line.id}-halo{self.after}"})
        drawn = self._stroke(line.points, line.pen, self._about(line, depth))
        if line.id == "curve":
            CURVES[drawn] = self.panel.across.title, self.panel.up.title

    def _stroke(self, points: Points, pen: Pen, about: dict[str, Any]) -> Any:
        look = _look(pen, self.theme)
        return self.ax.plot(*points.corners, solid_joinstyle="round", **look, **about)[0]

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
            **look,
            **self._about(dot, depth),
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
            **self._about(text, depth),
        )


def _look(pen: Pen, theme: Theme) -> dict[str, Any]:
    """Turns a pen into Matplotlib's arguments, in which dashes are multiples of the line width."""
    dashes = tuple(dash / max(pen.width, 1) for dash in pen.dashes)
    style: Any = (0, dashes) if dashes else "-"
    return {"color": theme.colour(pen.colour), "linewidth": pen.width, "linestyle": style}


def _plain(text: str) -> str:
    """Removes control characters, and escapes "$", with which Matplotlib would begin a formula."""
    return plain_text(text, MOST_LETTERS).replace("$", r"\$")


def pdf(sheet: Sheet, millimetres: float | None = None) -> bytes:
    """Writes a sheet as a PDF file that is `millimetres` wide, by default in the sheet's own size.

    Texts stay texts. The same sheet always gives the same bytes.
    """
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
