"""How commands speak: JSON to stdout, tables for people, progress on stderr."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ccsim.long_integers import long_integers
from ccsim.plain_data import json_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]


def print_json(data: Any) -> None:
    """Data as JSON on stdout."""
    with long_integers():
        text = json_text(data)
    typer.echo(text)


def console() -> Console:
    """The terminal, or plain text where stdout is none."""
    from rich.console import Console  # only where something is laid out: most commands print plain lines

    made = Console()
    return made if made.is_terminal else Console(width=180)


def wrapped(text: str, width: int, indent: int = 0) -> str:
    """Text for a terminal of so many columns: broken between words only, from the second line on indented.

    >>> print(wrapped("a-long-name  a few words", 14, 2))
    a-long-name
      a few words
    """
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
    screen = console() if sys.stdout.isatty() else None
    typer.echo(wrapped(text, screen.width, indent) if screen is not None and screen.is_terminal else text)


@contextmanager
def progress_on_stderr(hidden: bool = False, counted: bool = True) -> Iterator[Progress]:
    """A progress display on stderr, gone when done; nothing where stderr is no terminal. Without ``counted``, words and
    the time."""
    from rich import progress as bars  # only where work is long
    from rich.console import Console  # likewise

    stderr = Console(stderr=True)
    counts = (bars.BarColumn(), bars.MofNCompleteColumn()) if counted else ()
    columns = (bars.TextColumn("{task.description}"), *counts, bars.TimeElapsedColumn())
    progress = bars.Progress(*columns, console=stderr, transient=True)
    with nullcontext() if hidden or not stderr.is_terminal else progress:
        yield progress
