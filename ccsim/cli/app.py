"""The commands of ``ccsim``, and what they print."""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from ccsim import __version__
from ccsim.cli.commands import COMMANDS, OPTIONS, SUMMARY, columns, help_text, wrapped
from ccsim.cli.endings import StoppedError, exit_code
from ccsim.errors import InputError
from ccsim.plain_data import json_text, long_integers


class _Commands(TyperGroup):
    """The commands, of which only the one that is called is imported."""

    def get_help(self, ctx: Any) -> str:
        return help_text()

    def invoke(self, ctx: Any) -> Any:
        """An interrupt ends it as an error of its own: typer would end it without a word."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise StoppedError from None

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
    help=SUMMARY,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for name, (_, summary) in COMMANDS.items():
    app.command(name, short_help=summary)(lambda: None)  # represents it until it is called


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ccsim {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help=OPTIONS["--version"]),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def run_app(arguments: list[str], began: float | None = None) -> int:
    """The exit code; bad input is one line on stderr. A time limit counts from ``began`` (``time.monotonic()``)."""
    start = time.monotonic() if began is None else began
    named = [word if word.partition("=")[0] != "--time" else f"--seconds{word[6:]}" for word in arguments]
    if named != arguments:
        typer.echo("--time is now --seconds; the old name goes with the next release", err=True)
    return exit_code(lambda: app(named, standalone_mode=False, obj=start))


JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Format = StrEnum("Format", ["text", "latex", "markdown", "csv", "json"])
FormatOption = Annotated[Format, typer.Option("--format", help="The table for a paper, page, spreadsheet or program.")]


def print_json(data: Any) -> None:
    with long_integers():
        text = json_text(data)
    typer.echo(text)


def print_as(form: Format, json: bool, data: Callable[[], Any], table: Callable[[str], str]) -> bool:
    """Print data as JSON, or as a table, if another form than text is asked for; whether it was."""
    if json or form == Format.json:
        print_json(data())
    elif form != Format.text:
        typer.echo(table(form.value))
    return json or form != Format.text


def make_folder(option: str, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(option, str(folder), f"a folder that can be written to ({error.strerror})") from None


def print_text(text: str, indent: int = 0) -> None:
    """A line on stdout, broken between words where the terminal, or a pipe, is too narrow."""
    typer.echo(wrapped(text, columns(), indent))
