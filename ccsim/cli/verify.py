"""``ccsim verify``: check certificates, one line each; a function that they name is computed again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import ccsim as cc
from ccsim.certificates.named import known_function
from ccsim.cli.output import JsonFlag, print_json

__all__ = ["verify"]


def verify(
    files: Annotated[list[Path], typer.Argument(help="Certificates (JSON).")],
    json: JsonFlag = False,
) -> None:
    """Check certificates with the independent kernel: exit code 0 only if all are accepted."""
    results = [{"file": str(path), **cc.certificates.verify.report_file(path, known_function)} for path in files]
    if json:
        print_json(results)
    else:
        for told in results:
            typer.echo(f"{'accepted' if told['accepted'] else 'refused'} {told['file']}: {told['message']}")
    raise typer.Exit(0 if all(told["accepted"] for told in results) else 1)
