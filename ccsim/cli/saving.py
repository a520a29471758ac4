"""Where ``--save`` writes: JSON, or a picture by the ending of its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from typer import echo

from ccsim.errors import InputError
from ccsim.plain_data import require_place
from ccsim.plots import Picture
from ccsim.plots.formats import require_format
from ccsim.plots.scene import shortened

JSON = ".json"


def places_of(
    paths: Sequence[Path] | None, *, json: bool = True, pictures: bool = True
) -> tuple[list[Path], list[Path]]:
    """Files for JSON, and for pictures: checked before the work."""
    given: tuple[list[Path], list[Path]] = [], []
    for path in paths or ():
        written = json and path.suffix.lower() == JSON
        if not written:
            require_format("--save", path, (JSON,) * json, pictures)
        require_place("--save", path)
        given[not written].append(path)
    return given


def save_pictures(drawn: Callable[[], Picture | None], paths: Sequence[Path]) -> dict[str, str]:
    """What is in each file; a reason on standard error if there is nothing to draw."""
    try:
        picture = drawn() if paths else None
    except InputError as error:
        echo(f"ccsim: --save = {str(paths[0])!r}: not drawn; expected {error.expected}", err=True)
        return {}
    return {} if picture is None else {str(picture.save(path)): shortened(picture.alt, 72) for path in paths}
