"""The checker that Coq vouches for: the program of ``proofs/``, if it has been built.

``make -C proofs`` proves in Coq that the checker accepts nothing false, and compiles it. The program reads a
certificate's file itself: what it says rests on nothing in Python.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from ccsim.errors import InputError

PROGRAM = "ccsim-proved"
FOLDER = Path(__file__).parents[2] / "proofs"
HOW_TO_BUILD = (
    "the program ccsim-proved, built by `make -C proofs` in a checkout"
    " (Debian: apt-get install coq libcoq-core-ocaml-dev ocaml-findlib libzarith-ocaml-dev)"
)


@dataclass(frozen=True)
class ProvedVerdict:
    """What the proved checker says of a file.

    Attributes:
        verdict: ``"accepted"``, ``"refused"``, or ``"unreached"`` if it has no theorem on what is claimed.
        message: what is proved, or the reason why not.
    """

    verdict: str
    message: str


def find_program(folder: Path = FOLDER) -> Path:
    """The program that was built in ``folder``, or else one on the path; an ``InputError`` says how to build it.

    >>> find_program(Path("nowhere")) # doctest: +SKIP
    Traceback (most recent call last):
    ccsim.errors.InputError: --proved = 'ccsim-proved': expected the program ccsim-proved, built by `make -C proofs` ...
    """
    built = folder / PROGRAM
    found = str(built) if built.is_file() else shutil.which(PROGRAM)
    if found is None:
        raise InputError("--proved", PROGRAM, HOW_TO_BUILD)
    return Path(found)


def check_proved(path: str | Path, program: Path) -> ProvedVerdict:
    """What the program says of a certificate's file. If it ends in any other way than with a verdict, it refuses."""
    done = subprocess.run([program, "--", path], capture_output=True, check=False)
    line = done.stdout.decode("utf-8", "replace").partition("\n")[0]
    verdict, _, rest = line.partition(" ")
    if verdict not in ("accepted", "refused", "unreached") or (verdict == "accepted") != (done.returncode == 0):
        return ProvedVerdict("refused", f"the program ended without a verdict (exit code {done.returncode})")
    shown = "".join(f"\\x{ord(sign):02x}" if sign < " " or sign == "\x7f" else sign for sign in str(path))
    return ProvedVerdict(verdict, rest.removeprefix(f"{shown}: "))
