"""Runs notebooks in place and keeps their outputs, without timings, kernel names or bundles.

The output of a live chart contains its data and a picture. The saved notebook keeps only the
picture, as PNG. In a fresh clone, JupyterLab would show only the text of an SVG, because it draws
none that it does not trust. If the cell is run, the live chart comes back.
"""

import base64
import io
import sys
from pathlib import Path

import nbformat
import vl_convert
from nbclient import NotebookClient
from PIL import Image

WIDGET = "application/vnd.jupyter.widget-view+json"
CHART = "application/vnd.vegalite.v5+json"
PNG, SVG = "image/png", "image/svg+xml"
#: The picture's pixels for each pixel of the chart, and its number of colours. With these, letters
#: are readable on a screen of high resolution.
SCALE, COLOURS = 1.5, 32


def in_few_colours(png: bytes) -> bytes:
    """A picture of lines, areas and letters, without colours that look the same."""
    picture = Image.open(io.BytesIO(png))
    if picture.mode == "P":
        return png
    flat = Image.new("RGB", picture.size, "white")
    flat.paste(picture, mask=picture.getchannel("A") if "A" in picture.getbands() else None)
    smaller = io.BytesIO()
    flat.quantize(COLOURS, dither=Image.Dither.NONE).save(smaller, "PNG", optimize=True)
    return min(png, smaller.getvalue(), key=len)


def keep_one_picture(output: nbformat.NotebookNode) -> None:
    """Keeps one form of a chart: the one that every viewer shows without a kernel."""
    data = output.get("data", {})
    if SVG in data and data.pop(CHART, None):
        drawn = in_few_colours(vl_convert.svg_to_png(data.pop(SVG), scale=SCALE))
        width, height = (round(side / SCALE) for side in Image.open(io.BytesIO(drawn)).size)
        output.metadata[PNG] = nbformat.from_dict({"width": width, "height": height})
        data[PNG] = base64.b64encode(drawn).decode()
    elif PNG in data:
        data[PNG] = base64.b64encode(in_few_colours(base64.b64decode(data[PNG]))).decode()


def is_bar(output: nbformat.NotebookNode) -> bool:
    """Whether an output is a progress bar, such as ``reference: 100%|███| 9/9``."""
    said = output.get("text", "") if output.get("name") == "stderr" else ""
    return "%|" in said or "%|" in output.get("data", {}).get("text/plain", "")


def tidy(notebook: nbformat.NotebookNode) -> None:
    """Removes parts that differ from run to run, and parts that no reader sees."""
    notebook.metadata = nbformat.from_dict(
        {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    )
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if not is_bar(output)]
        for output in cell.get("outputs", ()):
            # A saved widget without its state shows an error, so only its text form is kept.
            output.get("data", {}).pop(WIDGET, None)
            keep_one_picture(output)


def execute(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        kernel_name="python3",
        store_widget_state=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    tidy(notebook)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(name)
        execute(Path(name))
