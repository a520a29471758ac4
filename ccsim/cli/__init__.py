"""The command line: ``ccsim``."""

from __future__ import annotations

import gc
import signal
import sys
import time
from functools import partial
from importlib import import_module

from ccsim import __version__
from ccsim.lazy import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 holds, 1 does not hold, 2 bad usage or input (one line on stderr)."""
    began = time.monotonic()  # what is imported now counts as well
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what is known by then is shown
    try:
        sys.exit(_work(sys.argv[1:] if arguments is None else arguments, began)())
    except KeyboardInterrupt:  # before the command began, or at its end
        sys.exit(import_module("ccsim.cli.endings").stopped("stopped"))


def _work(given: list[str], began: float) -> Callable[[], int | None]:
    """What these arguments ask for, and the modules that it needs: that of the command line for options only."""
    if given == ["--version"]:
        return partial(print, f"ccsim {__version__}")
    gc.disable()  # modules are no garbage: neither now nor at the end
    try:
        light = _light(given)
        if light is None:
            return partial(import_module("ccsim.cli.app").run_app, given, began)
        return partial(import_module("ccsim.cli.endings").exit_code, light)
    finally:
        gc.freeze()
        gc.enable()


def _light(given: list[str]) -> Callable[[], int | None] | None:
    match given:
        case ["-h" | "--help"]:
            return partial(print, import_module("ccsim.cli.commands").help_text())
        case ["verify", _, *_] if not any(name.startswith("-") for name in given):
            light = import_module("ccsim.cli.verdicts")
            return lambda: light.print_verdicts(light.verdicts(given[1:]))
        case ["list"] | ["list", "all" | "problems" | "protocols" | "claims"]:
            return partial(import_module("ccsim.cli.shelves").print_shelves, *given[1:])
    return None
