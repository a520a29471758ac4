"""``ccsim lectures``: the lectures that came with ccsim, copied to where they can be worked on."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

import ccsim as cc
from ccsim.cli.output import JsonFlag, print_json
from ccsim.errors import InputError

HERE = Path(cc.__file__).parent
SHELVES = (HERE / "lectures", HERE.parent / "notebooks")  # of an installed wheel, and of a checkout


def lectures(
    folder: Annotated[Path, typer.Argument(help="Where to put them; made if it is not there.")],
    json: JsonFlag = False,
) -> None:
    """Copy the lectures, which are notebooks, into a folder of yours.

    What is there already is left as it is: your answers to the exercises are not written over. Where Jupyter is
    installed, the copies are trusted as by "jupyter trust", so that their pictures are shown. Exit code 0.
    """
    shelf = next((shelf for shelf in SHELVES if shelf.is_dir()), None)
    if shelf is None:
        raise ValueError("the lectures did not come with this copy of ccsim")
    _make(folder)
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
        typer.echo(f"{'copied' if row['copied'] else 'kept  '} {row['file']}")
    typer.echo(f"open them with: jupyter lab {folder}")


def _trust(notebooks: Iterable[Path]) -> None:
    """Sign them: Jupyter shows no drawing of a notebook that was neither run here nor signed. Nothing without it."""
    try:
        jupyter = import_module("nbformat.sign")
        notary = jupyter.NotebookNotary()
        for notebook in notebooks:
            notary.sign(import_module("nbformat").read(notebook, as_version=4))
    except (ImportError, OSError):  # no Jupyter, or no place for its signatures: the pictures come when cells are run
        return


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError("folder", str(folder), f"a folder that can be written to ({error.strerror})") from None
