"""``ccsim list``: every problem, protocol and claim with one line each."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.table import Table

import ccsim as cc
from ccsim.cli.output import JsonFlag, console, print_json

__all__ = ["list_"]


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
    ]
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
        table = Table(title=f"{len(rows)} {name}", title_justify="left", box=None, pad_edge=False)
        columns = [column for column in rows[0] if column not in ("sizes", "tags")]
        for column in columns:
            table.add_column(column, no_wrap=column != "summary", style="bold" if column == "name" else "")
        for row in rows:
            table.add_row(*(str(row[column]) for column in columns))
        console().print(table, "")
