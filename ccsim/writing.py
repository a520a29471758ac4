"""Files are written whole or not at all, and never over what is no file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ccsim.errors import InputError


def require_place(name: str, path: str | Path) -> Path:
    """Where a file would be written, links followed; :class:`~ccsim.errors.InputError` if none can be there.

    Args:
        name: of the argument, for the error.
        path: a regular file, or a new one in a folder that exists; a device, a pipe or a folder is refused.
    """
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir() or (target.exists() and not target.is_file()):
        raise InputError(name, str(path), "a file, in a folder that exists")
    return target


def _mode(target: Path) -> int:
    """Who may read and write it: as of the file that is there, or of any new file."""
    if target.exists():
        return target.stat().st_mode & 0o7777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def write_whole(path: str | Path, text: str) -> None:
    """Write text, in UTF-8, by way of a new file beside the old one, which takes its place when it is complete."""
    target = require_place("path", path)
    handle, part = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:64]}.", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(part, _mode(target))
        os.replace(part, target)
    except BaseException:
        os.unlink(part)
        raise
