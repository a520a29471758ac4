"""``ccsim verify``: check certificates, one line each; a function that they name is computed again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Exit, Option, echo

import ccsim as cc
from ccsim.certificates.named import known_function
from ccsim.certificates.proved import check_proved, find_program
from ccsim.cli.app import JsonFlag, print_json
from ccsim.errors import InputError
from ccsim.plain_data import printable


def verify(
    files: Annotated[list[Path], Argument(help="Certificates (JSON).")],
    proved: Annotated[
        bool, Option("--proved", help="Accept only what the checker proved in Coq accepts, too (make -C proofs).")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Check certificates with the independent kernel.

    Exit code 0 if all are accepted, 1 if one is refused, 2 if there is no such file.
    """
    for path in files:
        if not path.is_file():
            raise InputError("file", str(path), "a file that exists, no folder, pipe or device")
    program = find_program() if proved else None
    results = [{"file": str(path), **cc.certificates.verify.report_file(path, known_function)} for path in files]
    for told in results:
        if program is not None and told["accepted"]:
            told.update(also_proved(told, program))
    if json:
        print_json(results)
    else:
        for told in results:
            told_file, message = printable(told["file"]), printable(told["message"])
            echo(f"{'accepted' if told['accepted'] else 'refused'} {told_file}: {message}")
    raise Exit(0 if all(told["accepted"] for told in results) else 1)


def also_proved(told: dict[str, Any], program: Path) -> dict[str, Any]:
    """The verdict on a file that the kernel accepts, once the proved checker has seen it."""
    found = check_proved(told["file"], program)
    if found.verdict == "accepted":
        of_recurrence = ", the count by its recurrence" if "family" in told["certificate"] else ""
        return {"proved": True, "message": f"{told['message']}; proved in Coq{of_recurrence}"}
    reason = "is beyond" if found.verdict == "unreached" else "is refused by"
    return {
        "accepted": False,
        "proved": False,
        "message": f"this {reason} the proved checker: {found.message}",
        "certificate": None,
    }
