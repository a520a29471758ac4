"""Pages that are made, not written: ``python docs/generate.py`` writes the command line and the claims table anew.

The command line comes from the program itself, the claims table from a run of all claims at small sizes (or from the
JSON that ``ccsim certify --json`` printed: ``python docs/generate.py FILE``). A test compares what is committed.
"""

from __future__ import annotations

import inspect
import io
import json
import sys
from collections.abc import Iterable, Mapping
from contextlib import redirect_stdout
from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from typer.models import ArgumentInfo

from ccsim.claims.parts import parts_of
from ccsim.claims.registry import find_papers
from ccsim.claims.verdict import Verdict
from ccsim.cli.app import app, run_app

HERE = Path(__file__).parent
MADE = "<!-- Made by docs/generate.py: do not edit. -->"


def command_line() -> str:
    """The page of all commands with their arguments and options, from the signatures that the program is made of."""
    parts = [
        f"{MADE}\n# Command line\n",
        "Every command ends with exit code 0 (holds), 1 (does not hold), 2 (bad usage or input), 3 (something could",
        "not be measured) or 130 (stopped: what was finished by then is shown).\n",
    ]
    for command in app.registered_commands:
        assert command.callback is not None
        hints = get_type_hints(command.callback, include_extras=True)
        parts.append(f"## ccsim {command.name}\n\n{inspect.getdoc(command.callback)}\n")
        given = inspect.signature(command.callback).parameters.values()
        rows = [_row(one, hints[one.name]) for one in given if get_args(hints[one.name])]
        parts.append("\n".join(["| | takes | default | |", "|---|---|---|---|", *rows, ""]))
    return "\n".join(parts)


def _row(parameter: inspect.Parameter, hint: Any) -> str:
    kind, info = get_args(hint)[:2]
    declared = [part for part in (info.default, *(info.param_decls or ())) if isinstance(part, str) and part[:1] == "-"]
    dashed = "--" + parameter.name.strip("_").replace("_", "-")
    names = ", ".join(f"`{name}`" for name in declared or [dashed])
    if isinstance(info, ArgumentInfo):
        names = f"`{info.metavar or parameter.name.upper()}`"
    given = parameter.default
    needed = given is inspect.Parameter.empty
    default = "required" if needed else "" if given in (None, False) else f"`{given}`"
    about = " ".join((info.help or "").split()).replace("|", "\\|")
    return f"| {names} | {_taken(kind)} | {default} | {about} |"


def _taken(kind: Any) -> str:
    """A type for people."""
    inner = [part for part in get_args(kind) if part is not type(None)]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return ", ".join(f"`{one.value}`" for one in kind)
    if get_origin(kind) is list:
        return f"{_taken(inner[0])}, repeatable"
    if get_origin(kind) is Literal:
        return ", ".join(f"`{one}`" for one in inner)
    if inner:
        return _taken(inner[0])
    return {bool: "", int: "integer", float: "number", str: "text", Path: "path"}.get(kind, str(kind))


def claims_table(rows: Iterable[Mapping[str, Any]]) -> str:
    """The page of all verdicts, paper by paper, from the rows of ``ccsim certify --json``; seconds are left out."""
    papers = find_papers()
    parts = [
        f"{MADE}\n# Claims, measured\n",
        "What each source says beside what was measured, at small sizes: what `ccsim certify` prints.",
        "[What the verdicts mean](verdicts.md); [what of the sources is executed](sources.md).\n",
    ]
    verdicts = sorted((Verdict.from_json(_fields(row)) for row in rows), key=lambda verdict: verdict.paper)
    for name, part, group in parts_of(verdicts):
        parts.append(f"## {papers[name].citation if name in papers else name}: {part}\n")
        parts.append("| claim | statement | claimed | measured | verdict |\n|---|---|---|---|---|")
        parts += ["| " + " | ".join(map(_cell, _cells(verdict))) + " |" for verdict in group]
        parts.append("")
    return "\n".join(parts)


def _fields(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "saved"}


def _cells(verdict: Verdict) -> list[str]:
    shown = {name: value for name, value in verdict.parameters.items() if name not in ("samples", "seed")}
    setting = ", ".join(f"{name}={value}" for name, value in shown.items())
    claim = f"`{verdict.claim}` {setting}".strip()
    return [claim, f"{verdict.statement} ({verdict.source})", verdict.bound, verdict.value, verdict.told]


def _cell(text: str) -> str:
    for special in "\\|*_<[$^~":
        text = text if text.startswith("`") else text.replace(special, f"\\{special}")
    return text


def run_rows() -> list[dict[str, Any]]:
    """The verdicts of all claims, measured now."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        run_app(["certify", "--json"])
    return list(json.loads(printed.getvalue()))


def main(arguments: list[str]) -> None:
    """Write both pages."""
    rows = json.loads(Path(arguments[0]).read_text(encoding="utf-8")) if arguments else run_rows()
    (HERE / "command_line.md").write_text(command_line(), encoding="utf-8")
    (HERE / "claims_table.md").write_text(claims_table(rows), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
