"""The commands of ``ccsim``, what they print, and how their failures end."""

from __future__ import annotations

import codecs
import io
import os
import sys
import textwrap
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from ccsim import __version__
from ccsim.errors import InputError, PartyError, PluginWarning
from ccsim.plain_data import json_text, long_integers, printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

COMMANDS = {
    "certify": ("claims", "Compare claims with what is measured."),
    "sweep": ("claims", "Measure one claim over a grid of settings."),
    "report": ("claims", "Write a page of verdicts and what is behind them."),
    "run": ("registered", "Run a protocol on inputs, message by message."),
    "list": ("registered", "List problems, protocols and claims."),
    "bounds": ("bounds", "Bound a function from below and above."),
    "verify": ("verify", "Check certificates with the independent kernel."),
    "audit": ("audit", "Prove a model right, or show where it fails."),
    "language": ("language", "Say what a regular language needs at every length."),
    "size": ("size", "Say from which length on a model must fail."),
    "cite": ("registered", "Print BibTeX entries of ccsim, papers and claims."),
    "lectures": ("registered", "Copy the lectures into a folder of yours."),
}
"""Each command with its module and its summary."""


class _Commands(TyperGroup):
    """The commands: help needs their summaries, and only the one that is called is imported."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] in COMMANDS:
            name, alone = args[0], typer.Typer(callback=lambda: None, rich_markup_mode=None)
            alone.command(name, short_help=COMMANDS[name][1])(function_of(name))
            self.commands[name] = get_command(alone).commands[name]  # type: ignore[attr-defined]
        return super().resolve_command(ctx, args)


def function_of(name: str) -> Any:
    module = import_module(f"ccsim.cli.{COMMANDS[name][0]}")
    return getattr(module, "list_" if name == "list" else name)


app = typer.Typer(
    name="ccsim",
    cls=_Commands,
    help="Communication-complexity lower bounds that run: protocols bit by bit, checked on every input.",
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
NUMBERS = {"int_parsing": "an integer", "float_parsing": "a number"}  # what pydantic calls a text that is none
for name, (_, summary) in COMMANDS.items():
    app.command(name, short_help=summary)(lambda: None)  # stands for it until it is called


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ccsim {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


IN_PLAIN = {"≥": ">=", "≤": "<=", "≈": "~", "→": "->", "±": "+-", "·": "*", "∞": "infinity"}


def _in_plain(error: UnicodeError) -> tuple[str, int]:
    """What stands in for characters that the terminal or the file cannot take: nothing is lost for a sign."""
    if isinstance(error, UnicodeDecodeError):  # who reads a stream that was written to
        return "\ufffd", error.end
    assert isinstance(error, UnicodeEncodeError)
    return "".join(IN_PLAIN.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


codecs.register_error("ccsim-in-plain", _in_plain)


def run_app(arguments: list[str], began: float | None = None) -> int:
    """The exit code; bad input is one line on stderr. A time limit counts from ``began`` (``time.monotonic()``)."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="ccsim-in-plain")
    with warnings.catch_warnings():
        warnings.simplefilter("default", PluginWarning)
        warnings.showwarning = _tell
        return _exit_code(arguments, time.monotonic() if began is None else began)


def _tell(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    """What a package adds and cannot be used is one line; of other warnings the line too that they come from."""
    where = "" if issubclass(category, PluginWarning) else f" ({place[0]}:{place[1]})"
    print(f"ccsim: warning: {message}{where}", file=sys.stderr)  # noqa: T201


def _exit_code(arguments: list[str], began: float) -> int:
    try:
        code = app(arguments, standalone_mode=False, obj=began)
    except (typer.Abort, KeyboardInterrupt):
        return _complain("stopped", 130)
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


JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]


def print_json(data: Any) -> None:
    with long_integers():
        text = json_text(data)
    typer.echo(text)


def console() -> Console:
    from rich.console import Console  # only where something is laid out: most commands print plain lines

    made = Console()
    return made if made.is_terminal else Console(width=180)


def make_folder(option: str, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(option, str(folder), f"a folder that can be written to ({error.strerror})") from None


def wrapped(text: str, width: int, indent: int = 0) -> str:
    """Text for a terminal of so many columns: broken between words only, from the second line on indented."""
    return textwrap.fill(
        text,
        max(width - 1, indent + 1),
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    )


def say(text: str, indent: int = 0) -> None:
    """A line on stdout: broken between words where a terminal is too narrow, whole where stdout is none."""
    typer.echo(wrapped(text, console().width, indent) if sys.stdout.isatty() else text)


@contextmanager
def progress_on_stderr(hidden: bool = False, counted: bool = True) -> Iterator[Progress]:
    """A progress display on stderr, if that is a terminal; gone when done."""
    from rich import progress as bars  # only where work is long
    from rich.console import Console  # likewise

    stderr = Console(stderr=True)
    counts = (bars.BarColumn(), bars.MofNCompleteColumn()) if counted else ()
    columns = (bars.TextColumn("{task.description}"), *counts, bars.TimeElapsedColumn())
    progress = bars.Progress(*columns, console=stderr, transient=True)
    with nullcontext() if hidden or not stderr.is_terminal else progress:
        yield progress
