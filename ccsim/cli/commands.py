"""The commands of ``ccsim`` in one table, and the page of help that lists them."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Mapping
from shutil import get_terminal_size

SUMMARY = "Communication-complexity lower bounds that run: protocols bit by bit, checked on every input."
COMMANDS = {
    "certify": ("claims", "Compare claims with what is measured."),
    "sweep": ("claims", "Measure one claim over a grid of settings."),
    "report": ("claims", "Write a page of verdicts with their evidence."),
    "run": ("registered", "Run a protocol on inputs, message by message."),
    "list": ("registered", "List problems, protocols and claims."),
    "bounds": ("bounds", "Bound a function from below and above."),
    "verify": ("verify", "Check certificates with the independent checker."),
    "audit": ("audit", "Prove a model right, or show where it fails."),
    "language": ("language", "Bound a regular language at every length."),
    "size": ("size", "Find the length from which on a model must fail."),
    "cite": ("registered", "Print BibTeX entries of ccsim, papers and claims."),
    "lectures": ("registered", "Copy the lectures into a folder of yours."),
}
"""Each command with its module and its summary."""

OPTIONS = {
    "--version": "Show the version and exit.",
    "--install-completion": "Install completion for the current shell.",
    "--show-completion": "Show completion for the current shell, to copy it or customize the installation.",
    "-h, --help": "Show this message and exit.",
}
PIPE = 120  # columns where stdout is no terminal
WIDEST = 80  # columns of a page of help


def columns() -> int:
    return get_terminal_size().columns if sys.stdout.isatty() else PIPE


def help_text() -> str:
    """The first page of help, for the terminal that is there."""
    width = min(columns(), WIDEST)
    return "\n".join(
        [
            "Usage: ccsim [OPTIONS] COMMAND [ARGS]...\n",
            wrapped(f"  {SUMMARY}", width, 2),
            "\nOptions:",
            *_rows(OPTIONS, width),
            "\nCommands:",
            *_rows({name: summary for name, (_, summary) in COMMANDS.items()}, width),
        ]
    )


def _rows(about: Mapping[str, str], width: int) -> list[str]:
    start = max(map(len, about)) + 4
    return [wrapped(f"  {name:<{start - 2}}{text}", width, start) for name, text in about.items()]


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
