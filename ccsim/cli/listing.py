"""``ccsim list``: every problem, protocol and claim with one line each."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated, Any

import typer

import ccsim as cc
from ccsim.cli.output import JsonFlag, console, print_json, wrapped

NARROW = 40  # columns of a terminal in which a summary is read with ease
INDENT = 4


class Shelf(StrEnum):
    """What to list."""

    ALL = "all"
    PROBLEMS = "problems"
    PROTOCOLS = "protocols"
    CLAIMS = "claims"


def list_(
    what: Annotated[Shelf, typer.Argument(help="What to list.")] = Shelf.ALL,
    json: JsonFlag = False,
) -> None:
    """List problems, protocols and the claims of papers, one line each."""
    problems: list[dict[str, Any]] = [
        {"name": problem.name, "summary": problem.summary} for problem in cc.problems.registered_problems().values()
    ] + [{"name": name, "summary": summary} for name, (summary, _) in cc.problems.RELATIONS.items()]
    protocols: list[dict[str, Any]] = [
        {"name": entry.name, "problem": entry.problem, "summary": entry.summary, "sizes": entry.sizes}
        for entry in sorted(cc.registry.registered_protocols().values(), key=lambda entry: (entry.problem, entry.name))
    ]
    claims: list[dict[str, Any]] = [
        {"name": claim.name, "paper": claim.paper.name, "tags": claim.tags, "summary": claim.statement}
        for claim in cc.claims.registered_claims().values()
        if claim.name not in cc.registry.registered_protocols()
    ]
    shelves = {"problems": problems, "protocols": protocols, "claims": claims}
    chosen = {name: rows for name, rows in shelves.items() if what in (Shelf.ALL, name)}
    if json:
        print_json(chosen)
        return
    for name, rows in chosen.items():
        typer.echo(typer.style(f"{len(rows)} {name}", bold=sys.stdout.isatty()))
        columns = [column for column in rows[0] if column not in ("sizes", "tags")]
        _print_rows([[str(row[column]) for column in columns] for row in rows])
        typer.echo("")


def _print_rows(rows: list[list[str]]) -> None:
    """A line each, columns below each other; where a terminal is narrow the last one stands below the others."""
    screen = console()
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    start = sum(widths) + 2 * len(widths)
    for *names, last in rows:
        head = "".join(f"{name:<{width}}  " for name, width in zip(names, widths, strict=True))
        if not screen.is_terminal:
            typer.echo(head + last)
        elif screen.width - start >= NARROW:
            typer.echo(wrapped(head + last, screen.width, start))
        else:
            typer.echo(wrapped("  ".join(names), screen.width, INDENT))
            typer.echo(wrapped(" " * INDENT + last, screen.width, INDENT))
