"""The verdicts of ``ccsim verify``, by the checker, which needs the standard library only."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from os.path import isfile

from ccsim.certificates.verify import report_file
from ccsim.cli.progress import shown_progress
from ccsim.errors import InputError
from ccsim.lazy import TYPE_CHECKING
from ccsim.plain_data import printable

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType
    from typing import Any


def verdicts(files: Sequence[str], proved: bool = False) -> list[dict[str, Any]]:
    for path in files:
        if not isfile(path):
            raise InputError("file", path, "a file that exists, no folder, pipe or device")
    program = _certificate().find_program() if proved else None
    reports = []
    with shown_progress("checking", len(files)) as progress:
        for done, path in enumerate(files):
            progress(f"checking {path}", done)
            reports.append({"file": path, **report_file(path, lambda name, n: _certificate().known_function(name, n))})
    for report in reports:
        if program is not None and report["accepted"]:
            report.update(_also_proved(report, program))
    return reports


def print_verdicts(reports: Sequence[dict[str, Any]]) -> int:
    """A line for each; the exit code."""
    for report in reports:
        verdict = "accepted" if report["accepted"] else "refused"
        print(verdict, f"{printable(report['file'])}: {printable(report['message'])}", flush=True)  # noqa: T201
    return 0 if all(report["accepted"] for report in reports) else 1


def _also_proved(report: dict[str, Any], program: Path) -> dict[str, Any]:
    """The verdict on a file that the checker accepts, once the proved checker has seen it."""
    proved = _certificate().check_proved(report["file"], program)
    if proved.verdict == "accepted":
        of_recurrence = ", the count by its recurrence" if "family" in report["certificate"] else ""
        return {"proved": True, "message": f"{report['message']}; proved in Coq{of_recurrence}"}
    reason = "is beyond" if proved.verdict == "unreached" else "is refused by"
    message = f"this {reason} the proved checker: {proved.message}"
    return {"accepted": False, "proved": False, "message": message, "certificate": None}


def _certificate() -> ModuleType:
    """Certificates as values: imported only where a file names a function or the proved checker is asked for."""
    return import_module("ccsim.certificates.certificate")
