"""The command line: ``ccsim``."""

from __future__ import annotations

import signal
import sys
import time

from ccsim import __version__

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 holds, 1 does not hold, 2 bad usage or input (one line on stderr)."""
    began = time.monotonic()  # what is imported now counts as well
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # who is told to end shows what is known by then
    try:
        sys.exit(_command(sys.argv[1:] if arguments is None else arguments, began))
    except KeyboardInterrupt:  # before the command began, or at its end
        from ccsim.cli.endings import stopped  # likewise

        sys.exit(stopped("stopped"))


def _command(given: list[str], began: float) -> int:
    if given == ["--version"]:  # needs no command
        print(f"ccsim {__version__}")  # noqa: T201
        return 0
    if given[:1] == ["verify"] and given[1:] and not any(name.startswith("-") for name in given):
        from ccsim.cli.verdicts import verify_files  # files without options: neither typer nor numpy

        return verify_files(given[1:])
    from ccsim.cli.app import run_app  # after what needs no typer

    return run_app(given, began)
