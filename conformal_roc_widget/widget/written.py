"""The screen as files and pictures."""

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

#: Endings of files, and the widget's method for each.
WRITERS = {".html": "to_html", ".svg": "to_svg", ".png": "to_png", ".pdf": "to_pdf"}
#: Bounds on the width of a picture in pixels, and on its dots per inch.
WIDTHS, DPI = (100, 20_000), (10, 2_400)
#: Bounds on the width of a PDF file.
MILLIMETRES = (20, 1_000)


def check_ending(path: Any, name: str) -> str:
    """The method that writes a file with this ending, or a ValueError."""
    instance_of(path, name, str | os.PathLike, "a path")
    ending = Path(path).suffix.lower()
    if ending not in WRITERS:
        expected = ", ".join(WRITERS)
        raise ValueError(f"{name}: found {path}, expected a name that ends in {expected}")
    return WRITERS[ending]


class WrittenWidget(AskedWidget):
    """Files and pictures of a widget, which wait until the comparators are made."""

    def save(self, path: str | os.PathLike[str], *, title: str | None = None) -> Path:
        """Write the screen as the file that the ending of its name asks for.

        Parameters
        ----------
        path : path-like
            The file: .html, a page that goes on working; .svg, .png or .pdf, a picture.
        title : str, optional
            Of the page or picture.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        TypeError, ValueError
            If the ending is another one; see `to_html`, `to_svg`, `to_png` and `to_pdf`.
        """
        written: Path = getattr(self, check_ending(path, "path"))(path, title=title)
        return written

    def to_html(
        self, path: str | os.PathLike[str], *, data: DataName = "arrays", title: str | None = None
    ) -> Path:
        """Write a page that goes on working without a kernel and without a network.

        Waits for the comparators, which the page holds at some alphas.

        Parameters
        ----------
        path : path-like
            The file; an old one is replaced once the new one is whole.
        data : {"arrays", "curves"}
            ``"arrays"`` puts sorted scores, logits and residuals into the page, from which it
            computes the band at any alpha (localized and simultaneous limits stand at some alphas
            instead, where the slider stops); ``"curves"`` puts only curves into it, made for those
            alphas. Neither holds features, identifiers or the order of rows.
        title : str, optional
            Of the page.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        TypeError, ValueError
            If the place is no file in a folder that exists, or `data` is something else.
        """
        place = check_place(path)
        return export.write(place, export.html(self._page(data, title)).encode())

    def as_html(
        self, height: int | None = None, *, data: DataName = "arrays", title: str | None = None
    ) -> FramedPage:
        """The standalone page as an ordinary HTML output of a notebook.

        It moves in every viewer that shows HTML outputs and runs their scripts, also where the
        widget's state is dropped: after re-opening and saving, in Colab, on nbviewer, in what
        nbconvert or Quarto write. Waits for the comparators, as `to_html` does.

        Parameters
        ----------
        height : int, optional
            Pixels. Where the host lets it, the height follows the content.
        data, title
            As in `to_html`.

        Returns
        -------
        FramedPage
            Its ``_repr_html_`` is a sandboxed ``iframe`` whose scripts reach nothing outside it,
            over a picture and its text, which are seen where a program takes frames out. What
            shows no HTML, as LaTeX, gets them as an image and as text.

        Raises
        ------
        TypeError, ValueError
            If `height` is no whole number of at least 1, or `data` is something else.
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
        """Put the chart into a web page: write script and style once, return the text for it.

        Parameters
        ----------
        folder : path-like
            Where the script and the style are to be.
        url : str
            Address of that folder as the page sees it, such as ``"assets"``; by default the page
            lies in the folder.
        form : {"html", "myst"}
            HTML for any page, or MyST's directive ``{anywidget}`` for Jupyter Book 2.
        data : {"arrays", "curves"}
            As for `to_html`.
        title : str, optional
            For the payload.

        Returns
        -------
        str
            A ``<link>``, the payload, and a ``<script type="module">``; or the directive, with the
            payload as its model.

        Raises
        ------
        TypeError, ValueError
            If the folder does not exist, or `form` or `data` is something else.
        """
        export.check_embedding(folder, url, form)
        return export.embed(self._page(data, title), folder, url, form)

    def to_svg(
        self, path: str | os.PathLike[str], *, title: str | None = None, theme: ThemeName = "light"
    ) -> Path:
        """Write the chart on the screen as an SVG image.

        Parameters
        ----------
        path : path-like
            The file.
        title : str, optional
            Instead of the title that names the level and the rate.
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
        """Write the chart on the screen as a PNG image, by default two pixels a point.

        Parameters
        ----------
        path : path-like
            The file.
        title : str, optional
            Instead of the title that names the level and the rate.
        theme : {"light", "dark"}
            Colours.
        width : int, optional
            Pixels, from 100 to 20,000; the height follows.
        dpi : float, optional
            Dots an inch, from 10 to 2,400, as the file says them. Without a `width` the picture has
            its size in points, 72 to an inch.
        caption : bool
            Whether the sentences stand around the plots.

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
        """Write the chart on the screen as a PDF file; needs Matplotlib.

        Parameters
        ----------
        path : path-like
            The file.
        title : str, optional
            Instead of the title that names the level and the rate.
        theme : {"light", "dark"}
            Colours.
        caption : bool
            Whether the sentences stand around the plots.
        width : float, optional
            Millimetres, from 20 to 1,000, as 89 for a column of many journals; letters and lines
            become as much smaller. By default 72 points an inch.

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
        """Draw what is on the screen on Matplotlib axes; needs Matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default on a new figure. Several plots side by side take no `ax`.

        Returns
        -------
        object
            With `ax_`, `figure_`, `axes_` and `caption_`, as scikit-learn's displays have them.

        Raises
        ------
        TypeError, ValueError
            If `ax` is no axes, or there are several plots for it.
        ImportError
            If Matplotlib is not installed.
        """
        from conformal_roc_widget.draw.matplotlib import plotted

        return plotted(self._scene(), THEMES["light"], ax)

    def chart(self) -> alt.TopLevelMixin:
        """Return the chart on the screen as an Altair chart.

        Returns
        -------
        altair chart
            The view that is chosen, at the alpha on the screen.
        """
        from conformal_roc_widget.draw.altair import chart_of

        chart: alt.TopLevelMixin = chart_of(self._scene(), THEMES["light"])
        return chart

    def report(self, style: ReportName = "text") -> str:
        """Return what a paper says of the screen, as the page's "Copy for a paper" does.

        Two sentences for each question that is looked at: this classifier with its limits, and
        what the conformal band says, which model it is for and what it assumes. Numbers have their
        counts, limits their method, and the works to cite follow. A threshold that the goal chose
        on these rows says so, and its two rates have no limits. Waits for the comparators, where
        limits come from rows that are drawn again.

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
            If the style is none of these.
        ImportError
            If the engine that runs the page's code is not installed.
        """
        one_of(style, "style", get_args(ReportName))
        return report_of(self._group, self._seen, self._overlaid(of_rows=True), style)

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The widget, with a picture and a sentence for viewers that run nothing.

        The picture waits for the limits with more data and for the tests of pairs, a few seconds at
        most. It holds those other comparators that are there, and the conformal band while the
        ideal model's curve is being sampled.
        """
        shown = super()._repr_mimebundle_()
        if shown is None:
            return None
        data, metadata = shown
        label, controls = self._group.opens_with(self._key), self._seen
        if not self._concealed:
            self._worker.wait_for_picture(label, sampling=controls.band in WITH_OWN_LIMITS)
        overlaid = self._worker.overlaid(label, self.alpha)
        own = wanted(self._group, controls)
        if own is not None and not own.no_ideal_curve and not own.has_ideal_candidates:
            controls = controls._replace(band="sensitivity")
        picture, size = still(self._group, controls, overlaid)
        return {**data, **picture}, {**metadata, **size}

    def _page(self, data: DataName, title: str | None = None) -> export.Page:
        """The content of a page, with comparators of its first entry."""
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
        """The scene on the screen, with the comparators once they are made."""
        return scene_of(self._group, self._seen, self._overlaid(), heading=title)

    def _overlaid(self, *, of_rows: bool = False) -> Overlaid:
        """The comparators, once they are made; with `of_rows` also if only the rows need them."""
        label = self._group.opens_with(self._key)
        evaluation = self._group.looked_at(label)
        needed = of_rows and evaluation is not None and bool(evaluation.dependence)
        self._worker.want(label, sampling=needed or self._seen.band in WITH_OWN_LIMITS)
        self._worker.finish(label)
        return self._worker.overlaid(label, self.alpha)
