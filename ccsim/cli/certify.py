"""``ccsim certify``: what is claimed of every protocol beside what is measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ccsim.cli.output import JsonFlag, console, print_json, progress_on_stderr, short_fraction

if TYPE_CHECKING:
    from ccsim.certified import CertifiedProtocol
    from ccsim.registry import ProtocolEntry

__all__ = ["certify"]

WIDE = 110  # columns of a terminal that shows everything

COLOURS = {"tight": "green", "holds": "green", "broken": "bold red"}


def certify(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Protocols or problems; all registered protocols if none is named."),
    ] = None,
    n: Annotated[
        int | None, typer.Option("--length", "--size", "-n", help="A size instead of the default ones.")
    ] = None,
    samples: Annotated[int, typer.Option(help="Draws of public coins that are too many to enumerate.")] = 256,
    seed: Annotated[int, typer.Option(help="Seed of those draws.")] = 0,
    json: JsonFlag = False,
) -> None:
    """Explore protocols on all inputs and compare with what is claimed.

    Exit code 0 unless something is broken.
    """
    from ccsim.certified import certify_entry

    wanted = [(entry, size) for entry in _chosen(names or []) for size in ((n,) if n is not None else entry.sizes)]
    rows: list[CertifiedProtocol] = []
    with progress_on_stderr() as progress:
        bar = progress.add_task("certifying", total=len(wanted))
        for entry, size in wanted:
            progress.update(bar, description=f"{entry.name} n={size}")
            rows.append(certify_entry(entry, size, samples=samples, seed=seed))
            progress.advance(bar)
    if json:
        print_json([row.to_json() for row in rows])
    else:
        _print_table(rows)
    raise typer.Exit(1 if any(row.verdict == "broken" for row in rows) else 0)


def _chosen(names: list[str]) -> list[ProtocolEntry]:
    from ccsim.registry import find_protocol, protocols_for, registered_protocols

    if not names:
        return sorted(registered_protocols().values(), key=lambda entry: (entry.problem, entry.name))
    entries = [entry for name in names for entry in protocols_for(name) or [find_protocol(name)]]
    return list(dict.fromkeys(entries))


def _print_table(rows: list[CertifiedProtocol]) -> None:
    """One line a check; formulas and numbers of inputs only where the terminal is wide enough."""
    from rich.table import Table
    from rich.text import Text

    terminal = console()
    wide = terminal.width >= WIDE
    table = Table(box=None, pad_edge=False)
    table.add_column("protocol", overflow="fold", min_width=20)
    for title in ("n", "claimed", "worst", "average", "error ≤", "error"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for title in ("function", "claimed cost", "on all inputs") if wide else ():
        table.add_column(title, overflow="fold")
    for row in rows:
        figures = [
            str(row.n),
            "-" if row.claimed is None else str(row.claimed),
            str(row.measured),
            f"{float(row.average):.2f}",
            short_fraction(row.claimed_error),
            ("" if row.exact else "~") + short_fraction(row.error),
        ]
        verdict = Text(row.verdict, style=COLOURS[row.verdict])
        more = [row.function, row.formula or "-", _checked(row)] if wide else []
        table.add_row(row.entry or row.protocol, *figures, verdict, *more)
    terminal.print(table)
    if not wide:
        for row in rows:
            if row.verdict == "broken":
                typer.echo(f"{row.entry or row.protocol} n={row.n}: {row.reason}")
    typer.echo(_summary(rows))


def _checked(row: CertifiedProtocol) -> str:
    """How much was gone through; or the counterexample."""
    if row.verdict == "broken":
        return row.reason
    coins = "" if row.outcomes == 1 else f" x {row.outcomes} {'coins' if row.exact else 'draws'}"
    return f"{'correct' if row.error == 0 else 'as claimed'} on {row.checked}{coins}"


def _summary(rows: list[CertifiedProtocol]) -> str:
    counts = ", ".join(f"{sum(row.verdict == verdict for row in rows)} {verdict}" for verdict in COLOURS)
    seconds = sum(row.seconds for row in rows)
    return f"{len(rows)} checks of {len({row.entry for row in rows})} protocols: {counts} ({seconds:.1f} s)"
