"""``ccsim certify``: what is claimed of every protocol beside what is measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ccsim.cli.output import JsonFlag, console, print_json, progress_on_stderr, short_fraction

if TYPE_CHECKING:
    from ccsim.certify import CertifiedProtocol
    from ccsim.registry import ProtocolEntry

__all__ = ["certify"]

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
    from ccsim.certify import certify_entry

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
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for title in ("protocol", "function"):
        table.add_column(title, overflow="fold")
    for title in ("n", "claimed bits", "measured worst", "average", "error claimed", "error measured"):
        table.add_column(title, justify="right")
    table.add_column("on all inputs")
    table.add_column("verdict")
    for row in rows:
        table.add_row(
            row.entry or row.protocol,
            row.function,
            str(row.n),
            f"{row.formula} = {row.claimed}" if row.formula else "-",
            str(row.measured),
            f"{float(row.average):.2f}",
            short_fraction(row.claimed_error),
            ("" if row.exact else "~") + short_fraction(row.error),
            _checked(row),
            Text(row.verdict, style=COLOURS[row.verdict]),
        )
    console().print(table)
    counts = {verdict: sum(row.verdict == verdict for row in rows) for verdict in COLOURS}
    seconds = sum(row.seconds for row in rows)
    typer.echo(
        f"{len(rows)} protocols: "
        + ", ".join(f"{count} {name}" for name, count in counts.items())
        + f" ({seconds:.1f} s)"
    )


def _checked(row: CertifiedProtocol) -> str:
    if row.verdict == "broken":
        return row.reason
    coins = (
        ""
        if row.claimed_error == 0 and row.outcomes == 1
        else f" x {row.outcomes} coins"
        if row.exact
        else f" x {row.outcomes} draws"
    )
    return f"correct on {row.checked}{coins}" if row.error == 0 else f"as claimed on {row.checked}{coins}"
