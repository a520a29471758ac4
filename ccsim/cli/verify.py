"""``ccsim verify``: check certificates, one line each; a function that they name is computed again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import ccsim as cc
from ccsim.certificates.named import known_function
from ccsim.cli.output import JsonFlag, print_json
from ccsim.errors import InputError

__all__ = ["verify"]


def verify(
    files: Annotated[list[Path], typer.Argument(help="Certificates (JSON).")],
    json: JsonFlag = False,
) -> None:
    """Check certificates with the independent kernel.

    Exit code 0 if all are accepted, 1 if one is refused, 2 if there is no such file.
    """
    for path in files:
        if not path.exists() or path.is_dir():
            raise InputError("file", str(path), "a file that exists")
    results = [{"file": str(path), **cc.certificates.verify.report_file(path, known_function)} for path in files]
    if json:
        print_json(results)
    else:
        for told in results:
            typer.echo(f"{'accepted' if told['accepted'] else 'refused'} {told['file']}: {told['message']}")
    raise typer.Exit(0 if all(told["accepted"] for told in results) else 1)
