"""The bundled sample corpus: German source, two English references, four systems.

Every text was written for karat. The ratings are synthetic: they were made to
demonstrate, and judged by no one. ``data/README.md`` describes the files.
"""

from importlib.resources import files
from pathlib import Path


def path(name: str = "") -> Path:
    """Return the path of the sample directory, or of the file *name* in it.

    Raises FileNotFoundError, naming the files there are, if *name* is none of them.
    """
    directory = Path(str(files(__package__))) / "data"
    if not name:
        return directory
    names = sorted(entry.name for entry in directory.iterdir())
    if name not in names:
        raise FileNotFoundError(f"no sample file {name!r}; there are: {', '.join(names)}")
    return directory / name
