"""``ccsim list`` and ``ccsim lectures``: what comes with ccsim."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, echo

import ccsim as cc
from ccsim.cli.app import JsonFlag, console, make_folder, print_json, wrapped

NARROW = 40  # columns of a terminal in which a summary is read with ease
INDENT = 4


class Shelf(StrEnum):
    """What to list."""

    ALL = "all"
    PROBLEMS = "problems"
    PROTOCOLS = "protocols"
    CLAIMS = "claims"


def list_(
    what: Annotated[Shelf, Argument(help="What to list.")] = Shelf.ALL,
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
        echo(typer.style(f"{len(rows)} {name}", bold=sys.stdout.isatty()))
        columns = [column for column in rows[0] if column not in ("sizes", "tags")]
        _print_rows([[str(row[column]) for column in columns] for row in rows])
        echo("")


def _print_rows(rows: list[list[str]]) -> None:
    """A line each, columns below each other; where a terminal is narrow the last one stands below the others."""
    screen = console()
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    start = sum(widths) + 2 * len(widths)
    for *names, last in rows:
        head = "".join(f"{name:<{width}}  " for name, width in zip(names, widths, strict=True))
        if not screen.is_terminal:
            echo(head + last)
        elif screen.width - start >= NARROW:
            echo(wrapped(head + last, screen.width, start))
        else:
            echo(wrapped("  ".join(names), screen.width, INDENT))
            echo(wrapped(" " * INDENT + last, screen.width, INDENT))


HERE = Path(cc.__file__).parent
SHELVES = (HERE / "lectures", HERE.parent / "notebooks")  # of an installed wheel, and of a checkout


def lectures(
    folder: Annotated[Path, Argument(help="Where to put them; made if it is not there.")],
    json: JsonFlag = False,
) -> None:
    """Copy the lectures, which are notebooks, into a folder of yours.

    What is there already is left as it is: your answers to the exercises are not written over. Where Jupyter is
    installed, the copies are trusted as by "jupyter trust", so that their pictures are shown. Exit code 0.
    """
    shelf = next((shelf for shelf in SHELVES if shelf.is_dir()), None)
    if shelf is None:
        raise ValueError("the lectures did not come with this copy of ccsim")
    make_folder("folder", folder)
    rows, copied = [], []
    for notebook in sorted(shelf.glob("*.ipynb")):
        target = folder / notebook.name
        kept = target.exists()
        if not kept:
            target.write_bytes(notebook.read_bytes())
            copied.append(target)
        rows.append({"file": str(target), "copied": not kept})
    _trust(copied)
    if json:
        print_json(rows)
        return
    for row in rows:
        echo(f"{'copied' if row['copied'] else 'kept  '} {row['file']}")
    echo(f"open them with: jupyter lab {folder}")


def _trust(notebooks: Iterable[Path]) -> None:
    """Sign them: Jupyter shows no drawing of a notebook that was neither run here nor signed. Nothing without it."""
    try:
        jupyter = import_module("nbformat.sign")
        notary = jupyter.NotebookNotary()
        for notebook in notebooks:
            notary.sign(import_module("nbformat").read(notebook, as_version=4))
    except (ImportError, OSError):  # no Jupyter, or no place for its signatures: the pictures come when cells are run
        return
