"""``ccsim verify``: its options; without any, its files go to :mod:`ccsim.cli.verdicts` at once."""

from __future__ import annotations

from typing import Annotated

from typer import Argument, Exit, Option

from ccsim.cli.app import JsonFlag, print_json
from ccsim.cli.verdicts import print_verdicts, verdicts


def verify(
    files: Annotated[list[str], Argument(help="Files with certificates (JSON).")],
    proved: Annotated[
        bool, Option("--proved", help="Accept only what the checker proved in Coq accepts, too (make -C proofs).")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Check certificates with the independent checker.

    Exit code 0 if all are accepted, 1 if one is refused, 2 if there is no such file.
    """
    reports = verdicts(files, proved)
    if json:
        print_json(reports)
        raise Exit(0 if all(report["accepted"] for report in reports) else 1)
    raise Exit(print_verdicts(reports))
