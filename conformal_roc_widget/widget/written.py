"""Declares those methods of `ROCWidget` that write what its screen shows as files and pictures."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from conformal_roc_widget.checks import instance_of, number, one_of, whole_number, yes_or_no
from conformal_roc_widget.choices import DataName, FormName, ReportName, ThemeName
from conformal_roc_widget.draw.pixels import png
from conformal_roc_widget.draw.shapes import Sheet, laid_out
from conformal_roc_widget.draw.svg import svg
from conformal_roc_widget.files import check_place
from conformal_roc_widget.page.scenes import report_of, scene_of
from conformal_roc_widget.scene import Scene
from conformal_roc_widget.shown.comparator_state import Overlaid
from conformal_roc_widget.shown.controls import WITH_OWN_LIMITS
from conformal_roc_widget.shown.theme import THEMES, theme_of
from conformal_roc_widget.wire.budget import stops_with
from conformal_roc_widget.wire.ideal import wanted

from . import html as export
from .asked import AskedWidget
from .frame import FramedPage, check_height
from .still import still

if TYPE_CHECKING:
    import altair as alt

    from conformal_roc_widget.draw.matplotlib import Plotted

#: For each ending of a file, the method that writes such files.
WRITERS = {".html": "to_html", ".svg": "to_svg", ".png": "to_png", ".pdf": "to_pdf"}
#: The smallest and the largest width of a picture in pixels, and of its resolution in dots per
#: inch.
WIDTHS, DPI = (100, 20_000), (10, 2_400)
#: The smallest and the largest width of a PDF file in millimetres.
MILLIMETRES = (20, 1_000)


def check_ending(path: Any, name: str) -> str:
    """Returns the name of the method that writes files with the ending of `path`.

    An unknown ending raises a ValueError, which calls the path `name`.
    """
    instance_of(path, name, str | os.PathLike, "a path")
    ending = Path(path).suffix.lower()
    if ending not in WRITERS:
        expected = ", ".join(WRITERS)
        raise ValueError(f"{name}: found {path}, expected a name that ends in {expected}")
    return WRITERS[ending]


class WrittenWidget(AskedWidget):
    """The methods of `ROCWidget` for files and pictures. They wait for comparators."""

    def save(self, path: str | os.PathLike[str], *, title: str | None = None) -> Path:
        """Writes the screen as a file, in the format of the path's ending.

        Parameters
        ----------
        path : path-like
            The file: .html (a page that stays interactive), or .svg, .png or .pdf (a picture).
        title : str, optional
            Title of the page or picture.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        TypeError, ValueError
            If the path has another ending. See also `to_html`, `to_svg`, `to_png` and `to_pdf`.
        """
        written: Path = getattr(self, check_ending(path, "path"))(path, title=title)
        return written

    def to_html(
        self, path: str | os.PathLike[str], *, data: DataName = "arrays", title: str | None = None
    ) -> Path:
        """Writes a page that is interactive without a kernel and without a network.

        Waits for the comparators, whose bands the page contains at some alphas.

        Parameters
        ----------
        path : path-like
            The file. An old file is replaced once the new one is complete.
        data : {"arrays", "curves"}
            ``"arrays"`` puts sorted scores, logits and residuals into the page, from which it
            computes the band at any alpha. It contains localized and simultaneous limits only for
            some alphas, and the slider then stops only at these. ``"curves"`` puts only curves into
            the page, for the same alphas. Neither contains features, identifiers or the order of
            rows.
        title : str, optional
            Title of the page.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        TypeError, ValueError
            If the place is not a file in a folder that exists, or if `data` is something else.
        """
        place = check_place(path)
        return export.write(place, export.html(self._page(data, title)).encode())

    def as_html(
        self, height: int | None = None, *, data: DataName = "arrays", title: str | None = None
    ) -> FramedPage:
        """Returns the page as an ordinary HTML output of a notebook.

        It is interactive in every viewer that shows HTML outputs and runs their scripts. This
        includes viewers that drop the state of widgets: saved notebooks, Colab, nbviewer, and the
        pages of nbconvert or Quarto. Like `to_html`, it waits for the comparators.

        Parameters
        ----------
        height : int, optional
            Height in pixels. If the host allows it, the height follows the content.
        data, title
            See `to_html`.

        Returns
        -------
        FramedPage
            The page. Its ``_repr_html_`` is a sandboxed ``iframe``, whose scripts reach nothing
            outside it. Below it are a picture and a text, which are shown if a program removes
            frames. Formats without HTML, such as LaTeX, get the picture and the text.

        Raises
        ------
        TypeError, ValueError
            If `height` is not a whole number of at least 1, or if `data` is something else.
        """
        pixels, page = check_height(height), self._page(data, title)
        bundle = still(page.group, page.controls, page.overlaid)
        return FramedPage(export.html(page), pixels, export.still_of(page).html, bundle)

    def embed(
        self,
        folder: str | os.PathLike[str],
        *,
        url: str = "",
        form: FormName = "html",
        data: DataName = "arrays",
        title: str | None = None,
    ) -> str:
        """Puts the chart into a web page: writes script and style, and returns the text to insert.

        Parameters
        ----------
        folder : path-like
            Folder for the script and the style.
        url : str
            Address of that folder as the page sees it, such as ``"assets"``. By default the page is
            in the folder.
        form : {"html", "myst"}
            HTML for any page, or MyST's directive ``{anywidget}`` for Jupyter Book 2.
        data : {"arrays", "curves"}
            See `to_html`.
        title : str, optional
            Title of the chart.

        Returns
        -------
        str
            A ``<link>``, the payload, and a ``<script type="module">``. For ``"myst"``, the
            directive with the payload as its model.

        Raises
        ------
        TypeError, ValueError
            If the folder does not exist, or if `form` or `data` is something else.
        """
        export.check_embedding(folder, url, form)
        return export.embed(self._page(data, title), folder, url, form)

    def to_svg(
        self, path: str | os.PathLike[str], *, title: str | None = None, theme: ThemeName = "light"
    ) -> Path:
        """Writes the chart on the screen as an SVG image.

        Parameters
        ----------
        path : path-like
            The file.
        title : str, optional
            Replaces the title that names the level and the rate.
        theme : {"light", "dark"}
            Colours.

        Returns
        -------
        Path
            The file.
        """
        return export.write(check_place(path), svg(self._sheet(title, theme)).encode())

    def to_png(
        self,
        path: str | os.PathLike[str],
        *,
        title: str | None = None,
        theme: ThemeName = "light",
        width: int | None = None,
        dpi: float | None = None,
        caption: bool = True,
    ) -> Path:
        """Writes the chart on the screen as a PNG image, by default with two pixels per point.

        Parameters
        ----------
        path : path-like
            The file.
        title : str, optional
            Replaces the title that names the level and the rate.
        theme : {"light", "dark"}
            Colours.
        width : int, optional
            Width in pixels, from 100 to 20,000. The height follows from it.
        dpi : float, optional
            Dots per inch that the file states, from 10 to 2,400. If `width` is None, the picture
            then has its size in points, 72 per inch.
        caption : bool
            Whether the picture has the sentences above and below the plots.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        TypeError, ValueError
            If an argument is not of the form above.
        """
        if width is not None:
            width = whole_number(width, "width", WIDTHS[0], other="None")
            if width > WIDTHS[1]:
                raise ValueError(f"width: found {width}, expected at most {WIDTHS[1]}")
        if dpi is not None:
            low, high = DPI
            expected = f"a number from {low} to {high}, or None"
            dpi = number(dpi, "dpi", expected, lambda each: low <= each <= high)
        place, sheet = check_place(path), self._sheet(title, theme, caption=caption)
        scale = None if dpi is None else dpi / 72
        scale = scale if width is None else width / sheet.width
        return export.write(place, png(sheet, scale=scale, dpi=dpi))

    def to_pdf(
        self,
        path: str | os.PathLike[str],
        *,
        title: str | None = None,
        theme: ThemeName = "light",
        caption: bool = True,
        width: float | None = None,
    ) -> Path:
        """Writes the chart on the screen as a PDF file. It needs Matplotlib.

        Parameters
        ----------
        path : path-like
            The file.
        title : str, optional
            Replaces the title that names the level and the rate.
        theme : {"light", "dark"}
            Colours.
        caption : bool
            Whether the picture has the sentences above and below the plots.
        width : float, optional
            Width in millimetres, from 20 to 1,000, such as 89 for a narrow column. Letters and
            lines are scaled too. By default a point of the picture is a point of the file.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        TypeError, ValueError
            If an argument is not of the form above.
        ImportError
            If Matplotlib is not installed.
        """
        from conformal_roc_widget.draw.matplotlib import pdf

        if width is not None:
            low, high = MILLIMETRES
            expected = f"millimetres from {low} to {high:,}, or None"
            width = number(width, "width", expected, lambda each: low <= each <= high)
        sheet = self._sheet(title, theme, caption=caption)
        return export.write(check_place(path), pdf(sheet, width))

    def plot(self, ax: Any = None) -> Plotted:
        """Draws the chart on the screen on Matplotlib axes. It needs Matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw. By default on a new figure. If there are several plots side by side, `ax`
            is not accepted.

        Returns
        -------
        object
            The picture, with `ax_`, `figure_`, `axes_` and `caption_`, as in scikit-learn's
            displays.

        Raises
        ------
        TypeError, ValueError
            If `ax` is not Matplotlib axes, or if there are several plots.
        ImportError
            If Matplotlib is not installed.
        """
        from conformal_roc_widget.draw.matplotlib import plotted

        return plotted(self._scene(), THEMES["light"], ax)

    def chart(self) -> alt.TopLevelMixin:
        """Returns the chart on the screen as an Altair chart.

        Returns
        -------
        altair chart
            The view on the screen at the widget's alpha.
        """
        from conformal_roc_widget.draw.altair import chart_of

        chart: alt.TopLevelMixin = chart_of(self._scene(), THEMES["light"])
        return chart

    def report(self, style: ReportName = "text") -> str:
        """Returns a text on the screen for a paper, as the page's "Copy for a paper" does.

        It has two sentences on this classifier with its limits in the population, and two on the
        conformal band with its model and its assumptions, as far as the screen shows them. Each
        number comes with its counts, and each limit with its method. The works to cite follow. If
        the threshold was chosen on these rows to keep the goal, the text says so. The goal's rate
        then has a lower limit, and the other rate has none. If limits come from resampled rows,
        this waits for the comparators.

        Parameters
        ----------
        style : {"text", "table", "latex"}
            Sentences, a table in Markdown, or a table in LaTeX with the sentences as its caption.

        Returns
        -------
        str
            The report.

        Raises
        ------
        TypeError, ValueError
            If the style is not one of these.
        ImportError
            If the engine that runs the page's code is not installed.
        """
        one_of(style, "style", get_args(ReportName))
        return report_of(self._group, self._seen, self._overlaid(of_rows=True), style)

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Returns the MIME bundle: the widget, and picture and text for viewers without scripts.

        It waits at most a few seconds for this classifier's limits in the population and for the
        tests of pairs. The picture shows other comparators only if they are ready. If the ideal
        model's curve has not been sampled yet, the picture shows the conformal band.
        """
        shown = super()._repr_mimebundle_()
        if shown is None:
            return None
        data, metadata = shown
        with self._drawing:
            picture, size = self._still()
        return {**data, **picture}, {**metadata, **size}

    def _still(self) -> tuple[dict[str, str], dict[str, dict[str, int]]]:
        """The picture and the text of `_repr_mimebundle_`, and their metadata."""
        label, controls = self._group.opens_with(self._key), self._seen
        if not self._concealed:
            self._worker.wait_for_picture(label, sampling=controls.band in WITH_OWN_LIMITS)
        overlaid = self._worker.overlaid(label, self.alpha)
        own = wanted(self._group, controls)
        if own is not None and not own.no_ideal_curve and not own.has_ideal_candidates:
            controls = controls._replace(band="sensitivity")
        return still(self._group, controls, overlaid)

    def _page(self, data: DataName, title: str | None = None) -> export.Page:
        """Returns the contents of a page, with the comparators of its first evaluation."""
        one_of(data, "data", export.DATA)
        export.check_title(title)
        if self._concealed:
            return export.Page(self._group, self._seen, data, title)
        label = self._group.opens_with(self._key)
        self._worker.want(label, sampling=True)
        self._worker.finish(label)
        overlaid = self._worker.overlaid(label, self.alpha, stops_with(self.alpha))
        return export.Page(self._group, self._seen, data, title, overlaid)

    def _sheet(self, title: str | None, theme: ThemeName, *, caption: bool = True) -> Sheet:
        export.check_title(title)
        colours, scene = theme_of(theme), self._scene(title)
        if not yes_or_no(caption, "caption"):
            scene = scene._replace(lead=(), notes=())
        return laid_out(scene, colours)

    def _scene(self, title: str | None = None) -> Scene:
        """Returns the scene that the screen shows, once the comparators are ready."""
        return scene_of(self._group, self._seen, self._overlaid(), heading=title)

    def _overlaid(self, *, of_rows: bool = False) -> Overlaid:
        """Returns the comparators, once they are ready.

        If `of_rows` is set and rows have weights or people, one comparator is always computed.
        """
        label = self._group.opens_with(self._key)
        evaluation = self._group.looked_at(label)
        needed = of_rows and evaluation is not None and bool(evaluation.dependence)
        self._worker.want(label, sampling=needed or self._seen.band in WITH_OWN_LIMITS)
        self._worker.finish(label)
        return self._worker.overlaid(label, self.alpha)
