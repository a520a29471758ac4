"""How verdicts are shown: a table grouped by paper, and a summary line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import typer
from rich.table import Table
from rich.text import Text

import ccsim as cc
from ccsim.claims.verdict import Verdict, Word
from ccsim.cli.output import console

__all__ = ["exit_code", "plain_rows", "print_summary", "print_table", "summary"]

WIDE = 110  # columns of a terminal that shows statements too
NARROW = 64  # below, a table folds its figures and leaves out whether they are exact: the verdict must be seen
COLOURS = {
    Word.BROKEN: "bold red",
    Word.REFUTED: "bold yellow",
    Word.SLIP: "yellow",
    Word.NOT_REACHED: "yellow",
    Word.IMPROVED: "bold green",
    Word.TIGHT: "green",
    Word.HOLDS: "green",
    Word.VACUOUS: "cyan",
    Word.OPEN: "cyan",
    Word.CALCULATED: "dim",
    Word.NOT_MEASURED: "magenta",
}
TOLD = (Word.BROKEN, Word.REFUTED, Word.SLIP, Word.NOT_REACHED, Word.NOT_MEASURED)  # reasons under the table


def print_table(verdicts: Sequence[Verdict], papers: dict[str, cc.claims.Paper]) -> None:
    """One table: the claims of each paper under its name, a line for each setting."""
    terminal = console()
    wide, narrow = terminal.width >= WIDE, terminal.width < NARROW
    table = Table(box=None, pad_edge=False)
    table.add_column("claim", overflow="fold", ratio=3, min_width=8 if narrow else 18)
    if wide:
        table.add_column("statement", overflow="fold", ratio=4)
    for title in ("claimed", "measured"):
        table.add_column(title, justify="right", no_wrap=not narrow, overflow="fold")
    if not narrow:
        table.add_column("exact", no_wrap=True)
    table.add_column("verdict", overflow="fold", min_width=8)
    for paper, part, of_part in cc.claims.parts_of(verdicts):
        table.add_section()
        citation = papers[paper].citation if paper in papers else paper
        table.add_row(Text(f"{citation}: {part}", style="bold"))
        for claim, group in groupby(of_part, key=lambda verdict: verdict.claim):
            rows = list(group)
            for place, row in enumerate(rows):
                table.add_row(f"  {claim} {_setting(row, rows)}", *_cells(row, place == 0, wide, narrow))
    terminal.print(table)
    for row in verdicts:
        if row.word in TOLD:
            typer.echo(f"{row.word.value}: {row.claim}: {row.reason}")
    legend = Table.grid(padding=(0, 2))
    for word in Word:
        if any(row.word is word for row in verdicts):
            legend.add_row(Text(word.value, style=COLOURS[word]), word.meaning)
    terminal.print(legend)


def _setting(row: Verdict, rows: Sequence[Verdict]) -> str:
    """The parameters in which a claim's lines differ; the length alone if there is one line."""
    told = {
        name: value
        for name, value in row.parameters.items()
        if any(other.parameters.get(name) != value for other in rows) or (len(rows) == 1 and name == "length")
    }
    return " ".join(f"{name}={value}" for name, value in told.items())


def _cells(row: Verdict, first: bool, wide: bool, narrow: bool) -> list[Any]:
    statement = [Text(row.statement if first else "", style="dim")] if wide else []
    exact = [] if narrow else ["-" if row.measured is None else checked(row)]
    return [*statement, row.bound, row.value, *exact, Text(row.told, style=COLOURS[row.word])]


def checked(row: Verdict) -> str:
    """Whether it is exact, and else how many of how many cases were gone through."""
    if row.exact:
        return "yes"
    if not row.checked or row.checked == row.of:
        return "no"
    whole = "" if row.of is None else f" of {row.of}" if row.of < 10**6 else f" of ≈2^{row.of.bit_length() - 1}"
    return f"{row.checked}{whole}"


def summary(verdicts: Sequence[Verdict], seconds: float) -> str:
    """How many of each verdict, and how long it took."""
    counts = Counter(row.word for row in verdicts)
    told = ", ".join(f"{counts[word]} {word.value}" for word in Word if counts[word] or word is Word.BROKEN)
    return f"{len(verdicts)} verdicts on {len({row.claim for row in verdicts})} claims: {told} ({seconds:.1f} s)"


def print_summary(verdicts: Sequence[Verdict], seconds: float) -> None:
    """The summary line."""
    typer.echo(summary(verdicts, seconds))


def plain_rows(verdicts: Sequence[Verdict], saved: dict[int, str] | None = None) -> list[dict[str, Any]]:
    """The verdicts as JSON prints them, each with the file that its certificate was saved to."""
    return [{**row.to_json(), "saved": (saved or {}).get(place)} for place, row in enumerate(verdicts)]


def exit_code(verdicts: Sequence[Verdict]) -> int:
    """1 if something is broken, else 0."""
    return int(any(row.word is Word.BROKEN for row in verdicts))
