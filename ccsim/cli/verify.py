"""``ccsim verify``: check certificates, one line each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import ccsim as cc
from ccsim.cli.output import JsonFlag, print_json

__all__ = ["verify"]


def verify(
    files: Annotated[list[Path], typer.Argument(help="Certificates (JSON).")],
    json: JsonFlag = False,
) -> None:
    """Check certificates with the independent kernel: exit code 0 only if all are accepted."""
    results = [(path, *cc.certificates.verify.check_file(path)) for path in files]
    if json:
        print_json(
            [{"file": str(path), "accepted": accepted, "message": message} for path, accepted, message in results]
        )
    else:
        for path, accepted, message in results:
            typer.echo(f"{'accepted' if accepted else 'refused'} {path}: {message}")
    raise typer.Exit(0 if all(accepted for _, accepted, _ in results) else 1)
