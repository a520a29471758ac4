"""What ``ccsim list`` prints; without options it needs no library of the command line."""

from __future__ import annotations

import sys
from shutil import get_terminal_size
from typing import Any

import ccsim as cc
from ccsim.cli.commands import columns, wrapped

NARROW = 40  # columns of a terminal in which a summary is read with ease
INDENT = 4
MOST_LINES = 6  # of names


def shelves(what: str = "all") -> dict[str, list[dict[str, Any]]]:
    """Problems, protocols and claims, or one kind of them."""
    entries = cc.registry.registered_protocols()
    summaries = {problem.name: problem.summary for problem in cc.problems.registered_problems().values()}
    summaries |= {name: summary for name, (summary, _) in cc.problems.RELATIONS.items()}
    summaries |= {name: f"{summaries[name]} ({short})" for short, name in cc.problems.SHORT.items()}
    found: dict[str, list[dict[str, Any]]] = {
        "problems": [{"name": name, "summary": summary} for name, summary in summaries.items()],
        "protocols": [
            {"name": entry.name, "problem": entry.problem, "summary": entry.summary, "sizes": entry.sizes}
            for entry in sorted(entries.values(), key=lambda entry: (entry.problem, entry.name))
        ],
        "claims": [
            {"name": claim.name, "paper": claim.paper.name, "tags": claim.tags, "summary": claim.statement}
            for claim in cc.claims.registered_claims().values()
            if claim.name not in entries
        ],
    }
    return {name: rows for name, rows in found.items() if what in ("all", name)}


def print_shelves(what: str | None = None) -> None:
    """Every entry with its summary; without a shelf, how many there are and the first of their names."""
    if what is None:
        _print_overview(shelves())
        return
    for name, rows in shelves(what).items():
        heading = f"{len(rows)} {name}"
        print(f"\x1b[1m{heading}\x1b[0m" if sys.stdout.isatty() else heading)  # noqa: T201
        names = [column for column in rows[0] if column not in ("sizes", "tags")]
        for line in _lines([[str(row[column]) for column in names] for row in rows]):
            print(line)  # noqa: T201
        print()  # noqa: T201


def _print_overview(found: dict[str, list[dict[str, Any]]]) -> None:
    problems, protocols, claims = (f"{len(rows)} {name}" for name, rows in found.items())
    more = "`ccsim list problems`, `protocols`, `claims` or `all` prints a line for each"
    print(wrapped(f"ccsim has {problems}, {protocols} and {claims}; {more}.", columns()))  # noqa: T201
    for name, rows in found.items():
        lines = wrapped(f"{name}: {', '.join(row['name'] for row in rows)}", columns(), INDENT).splitlines()
        print("\n".join(lines[:MOST_LINES]) + " …" * (len(lines) > MOST_LINES))  # noqa: T201


def _lines(rows: list[list[str]]) -> list[str]:
    width = get_terminal_size().columns
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    start = sum(widths) + 2 * len(widths)
    lines = []
    for *names, last in rows:
        head = "".join(f"{name:<{width}}  " for name, width in zip(names, widths, strict=True))
        if not sys.stdout.isatty():
            lines.append(head + last)
        elif width - start >= NARROW:
            lines.append(wrapped(head + last, width, start))
        else:
            lines += [wrapped("  ".join(names), width, INDENT), wrapped(" " * INDENT + last, width, INDENT)]
    return lines
