"""What hatchling does when it builds a wheel: compile ``ccsim/bounds/cliques.c`` beside its Python version.

The library has no Python in it, so one wheel of a platform serves every Python. Without a compiler (``CC``, else
``cc``) the wheel is pure, and the Python version answers the same, more slowly.
"""

import os
import shlex
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDER = Path(__file__).parents[1] / "ccsim" / "bounds"
LIBRARY = FOLDER / "cliques.compiled"


class LibraryHook(BuildHookInterface):
    """For wheels and editable installations; a source distribution has the source alone."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and have the wheel hold the library and name the platform."""
        if self.target_name == "wheel" and compiled(LIBRARY):
            build_data["artifacts"].append(f"/{LIBRARY.relative_to(self.root).as_posix()}")
            build_data["pure_python"] = False
            platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data["tag"] = f"py3-none-{platform}"


def compiled(library: Path) -> bool:
    """Whether it was made anew, and then moved to its place, as others may be reading it; if not, there is none."""
    made = library.with_suffix(f".{os.getpid()}{library.suffix}")
    command = [*shlex.split(os.environ.get("CC", "cc")), "-O2", "-shared", "-fPIC", "-o", str(made)]
    try:
        subprocess.run([*command, str(FOLDER / "cliques.c")], check=True, capture_output=True)
        made.replace(library)
    except (OSError, subprocess.CalledProcessError):
        library.unlink(missing_ok=True)
        return False
    return True
