"""The commands of ``ccsim``, and how their failures end."""

from __future__ import annotations

import codecs
import io
import os
import sys
import time
from importlib.metadata import version
from typing import Annotated

import typer

from ccsim.cli.audit import audit
from ccsim.cli.bounds import bounds
from ccsim.cli.certify import certify
from ccsim.cli.listing import list_
from ccsim.cli.report import report
from ccsim.cli.run import run
from ccsim.cli.size import size
from ccsim.cli.sweep import sweep
from ccsim.cli.verify import verify
from ccsim.errors import PartyError

__all__ = ["app", "run_app"]

app = typer.Typer(
    name="ccsim",
    help="Communication-complexity lower bounds that run: protocols bit by bit, checked on every input.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("certify")(certify)
app.command("sweep")(sweep)
app.command("report")(report)
app.command("run")(run)
app.command("list")(list_)
app.command("bounds")(bounds)
app.command("verify")(verify)
app.command("audit")(audit)
app.command("size")(size)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ccsim {version('ccsim')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Options of the program itself."""


IN_PLAIN = {"≥": ">=", "≤": "<=", "≈": "~", "→": "->", "±": "+-", "·": "*", "∞": "infinity"}


def _in_plain(error: UnicodeError) -> tuple[str, int]:
    """What stands in for characters that the terminal or the file cannot take: nothing is lost for a sign."""
    assert isinstance(error, UnicodeEncodeError)
    return "".join(IN_PLAIN.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


codecs.register_error("ccsim-in-plain", _in_plain)


def run_app(arguments: list[str], began: float | None = None) -> int:
    """Run a command; the exit code. Bad input is one line on stderr, never a traceback.

    ``began`` is the ``time.monotonic()`` from which a limit on the time counts: now, if it is not said.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="ccsim-in-plain")
    try:
        code = app(arguments, standalone_mode=False, obj=time.monotonic() if began is None else began)
    except typer.Abort:
        return _complain("stopped")
    except (ValueError, PartyError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        return _complain(str(error))
    except KeyboardInterrupt:
        return _complain("stopped")
    except Exception as error:
        # A usage error: the class depends on where typer keeps its copy of click, the method does not.
        if not hasattr(error, "format_message"):
            raise
        return _complain(f"{error.format_message()} (see ccsim --help)")
    return int(code or 0)


def _complain(message: str) -> int:
    first, *rest = message.splitlines() or [""]
    print(f"ccsim: {first}{' ...' if rest else ''}", file=sys.stderr)  # noqa: T201
    return 2
