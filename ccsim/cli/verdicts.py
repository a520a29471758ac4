"""How verdicts are shown: the counts, then the news, then a line for each claim; where it is piped, a line a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from textwrap import shorten
from typing import Any

import typer
from rich.console import Console
from rich.text import Text

import ccsim as cc
from ccsim.claims.lines import Line, lines_of, reason_of, statement_of, tally
from ccsim.claims.verdict import NEWS, Verdict, Word
from ccsim.cli.output import console, say, wrapped

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
ALWAYS = (Word.BROKEN, Word.REFUTED)  # words that are counted even where there are none
MARGIN = 23  # columns: the longest word with how far it reaches, and two spaces
WIDE = 110  # columns of a terminal in which figures stand below each other, and statements are told in full


def print_verdicts(verdicts: Sequence[Verdict], papers: dict[str, cc.claims.Paper], everything: bool = False) -> None:
    """The counts with what the words mean, the news with their reasons, then a line for each claim, by paper.

    Args:
        verdicts: in the order of their claims.
        papers: by name, for the headings.
        everything: a line for each verdict instead of one for each claim.
    """
    screen, counts = console(), Counter(row.word for row in verdicts)
    _show(screen, [Line(word, f"{counts[word]:>3}", word.meaning) for word in Word if counts[word] or word in ALWAYS])
    news = [row for word in NEWS for row in verdicts if row.word is word]
    if news:
        _show(screen, lines_of(news, everything, reason_of), "News")
    for paper, part, rows in cc.claims.parts_of(verdicts):
        title = f"{papers[paper].citation if paper in papers else paper}: {part}"
        _show(screen, lines_of(rows, everything, statement_of), title, brief=screen.width < WIDE)
    typer.echo("")


def _show(screen: Console, lines: Sequence[Line], title: str = "", brief: bool = False) -> None:
    """Lines below a title, broken between words only; names filled up where there is room, so that figures align.

    A note stands beside its line if all of it has room there, else below it: as one line, if it is to be ``brief``.
    """
    if title:
        screen.print(Text(f"\n{wrapped(title, screen.width)}", style="bold"), soft_wrap=True)
    names = max((len(line.name) for line in lines), default=0)
    for line in lines:
        covered = f"  [{line.covered}]" if line.covered else ""
        shown = line.scoped or line.word.value
        head = f"{shown:<{MARGIN}}{line.name:<{names if screen.width >= WIDE else 0}}  {line.figures}{covered}"
        if not screen.is_terminal:
            typer.echo(f"{head}  {line.note}".rstrip())
            continue
        text = Text(wrapped(head, screen.width, MARGIN + (names + 2) * (screen.width >= WIDE)))
        text.stylize(COLOURS[line.word], 0, len(shown))
        beside = line.note and len(f"{head}  {line.note}") <= screen.width
        text.append(f"  {line.note}" if beside else "", "dim")
        screen.print(text, soft_wrap=True, highlight=False)
        if line.note and not beside:
            told = _one_line(line.note, screen.width - MARGIN - 1) if brief else line.note
            note = wrapped(" " * MARGIN + told, screen.width, MARGIN)
            screen.print(Text(note, style="dim"), soft_wrap=True, highlight=False)


def _one_line(text: str, width: int) -> str:
    """A text in a line of so many columns, broken off between words."""
    return shorten(text, width, placeholder=" …", break_long_words=False, break_on_hyphens=False)


def _counted(verdicts: Sequence[Verdict]) -> str:
    counts = Counter(row.word for row in verdicts)
    return ", ".join(f"{counts[word]} {word.value}" for word in Word if counts[word] or word is Word.BROKEN)


def summary(verdicts: Sequence[Verdict], seconds: float) -> str:
    """How many of each verdict, and how long it took."""
    return f"{tally(verdicts)}: {_counted(verdicts)} ({seconds:.1f} s)"


def print_summary(verdicts: Sequence[Verdict], seconds: float) -> None:
    """The summary line."""
    say(summary(verdicts, seconds))


def plain_rows(verdicts: Sequence[Verdict], saved: dict[int, str] | None = None) -> list[dict[str, Any]]:
    """The verdicts as JSON prints them, each with the file that its certificate was saved to."""
    return [{**row.to_json(), "saved": (saved or {}).get(place)} for place, row in enumerate(verdicts)]


def exit_code(verdicts: Sequence[Verdict], wanted: int) -> int:
    """1 if something is broken; 130 if fewer were measured than wanted; 3 if something could not be; else 0."""
    words = {row.word for row in verdicts}
    if Word.BROKEN in words:
        return 1
    return 130 if len(verdicts) < wanted else 3 if Word.NOT_MEASURED in words else 0
