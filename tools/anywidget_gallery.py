"""Write this widget's entry for anywidget's public gallery,
https://github.com/manzt/built-with-anywidget.

    python tools/anywidget_gallery.py owner/name build/anywidget-gallery

writes `manifest.json` with the one entry, to be added to `assets/manifest.json` of the gallery's
repository. It also writes the picture that the entry names, to be put into `assets/`. The address
of this repository is an argument, because the repository does not know it.
"""

import json
import re
import shutil
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs/pictures/quickstart-light.png"


def write(repository: str, folder: Path) -> None:
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", repository):
        raise SystemExit(f"repository: found {repository!r}, expected owner/name")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    image = f"{repository.replace('/', '__')}{PICTURE.suffix}"
    entry = {"repo": repository, "description": f"{project['description']}.", "image": image}
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(PICTURE, folder / image)
    (folder / "manifest.json").write_text(json.dumps([entry], indent="\t") + "\n", "utf-8")


if __name__ == "__main__":
    repository, folder = sys.argv[1:]
    write(repository, Path(folder))
