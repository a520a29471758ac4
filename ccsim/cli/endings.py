"""How a command ends: its exit code, and one line on stderr where it fails."""

from __future__ import annotations

import codecs
import io
import os
import sys
import warnings
from collections.abc import Callable

from ccsim.errors import PartyError, PluginWarning
from ccsim.lazy import TYPE_CHECKING
from ccsim.plain_data import printable

if TYPE_CHECKING:
    from typing import Any

NUMBERS = {"int_parsing": "an integer", "float_parsing": "a number"}  # what pydantic calls a text that is none
IN_PLAIN = {"≥": ">=", "≤": "<=", "≈": "~", "→": "->", "±": "+-", "·": "*", "∞": "infinity"}


def _in_plain(error: UnicodeError) -> tuple[str, int]:
    """What replaces characters that the terminal or the file cannot take: nothing is lost for a sign."""
    if isinstance(error, UnicodeDecodeError):  # who reads a stream that was written to
        return "\ufffd", error.end
    assert isinstance(error, UnicodeEncodeError)
    return "".join(IN_PLAIN.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


codecs.register_error("ccsim-in-plain", _in_plain)


class StoppedError(Exception):
    """The keyboard stopped the command; the message is what was kept, if anything was."""

    def __init__(self, kept: str = "nothing was kept") -> None:
        super().__init__(f"stopped: {kept}")


def exit_code(work: Callable[[], int | None]) -> int:
    """What the work returns, or the code of its failure."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="ccsim-in-plain")
    with warnings.catch_warnings():
        warnings.simplefilter("default", PluginWarning)
        warnings.showwarning = _show_warning
        return _exit_code(work)


def _show_warning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    """What a package adds and cannot be used is one line; of other warnings the line too that they come from."""
    where = "" if issubclass(category, PluginWarning) else f" ({place[0]}:{place[1]})"
    print(f"ccsim: warning: {message}{where}", file=sys.stderr)  # noqa: T201


def _exit_code(work: Callable[[], int | None]) -> int:
    try:
        code = work()
    except (KeyboardInterrupt, StoppedError) as error:
        return stopped(str(error) or str(StoppedError()))
    except (ValueError, PartyError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        return _complain(str(error))
    except Exception as error:
        # A usage error: the class depends on where typer keeps its copy of click, the method does not.
        if not hasattr(error, "format_message"):
            raise
        return _complain(f"{_misused(error)} (see ccsim --help)")
    return int(code or 0)


def stopped(message: str) -> int:
    print(end="\r\x1b[K" if sys.stderr.isatty() else "", file=sys.stderr)  # noqa: T201 - over the ^C of the terminal
    return _complain(message, 130)


def _misused(error: Any) -> str:
    message = str(error.format_message()).replace(": Value error, ", ": ", 1)  # of a validator
    for one in getattr(error.__cause__, "errors", list)()[:1]:
        if one["type"] in NUMBERS:
            message = message.replace(one["msg"], f"{one['input']!r}, expected {NUMBERS[one['type']]}")
    return message


def _complain(message: str, code: int = 2) -> int:
    first, *rest = message.splitlines() or [""]
    print(f"ccsim: {printable(first)}{' ...' if rest else ''}", file=sys.stderr)  # noqa: T201
    return code
