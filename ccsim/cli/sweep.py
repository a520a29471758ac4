"""``ccsim sweep``: one claim over a grid of settings, with every result in a store as it comes."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

import ccsim as cc
from ccsim.cli.certify import JobsOption, SecondsOption, measure_cells
from ccsim.cli.output import JsonFlag, print_json
from ccsim.cli.verdicts import exit_code, plain_rows, print_summary, print_verdicts
from ccsim.errors import InputError


def sweep(
    name: Annotated[str, typer.Argument(metavar="CLAIM", help="A claim; see `ccsim list claims`.")],
    more: Annotated[list[str] | None, typer.Argument(metavar="[AXIS]...", help="Further axes of the grid.")] = None,
    grid: Annotated[
        list[str] | None,
        typer.Option("--grid", help="Axes: length=4:12:2 (both ends), width=1:32, precision=4,8,16."),
    ] = None,
    store: Annotated[Path, typer.Option(help="The store (sqlite3): a sweep that was stopped goes on from it.")] = Path(
        "ccsim-sweep.sqlite3"
    ),
    jobs: JobsOption = None,
    seconds: SecondsOption = 600.0,
    cluster: Annotated[
        str | None, typer.Option(help="The address of a Dask scheduler whose workers measure (extra: cluster).")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Measure one claim over a grid of settings.

    Any number of sweeps may share a store, at once or one after the other: what is in it is not measured again.
    Exit codes as for ``ccsim certify``.
    """
    start = time.perf_counter()
    claims = cc.claims.claims_of(name, cc.claims.registered_claims())
    if len(claims) != 1:
        raise InputError(
            "claim", name, f"one claim, not {len(claims)}: {', '.join(claim.name for claim in claims[:4])}"
        )
    axes = cc.claims.grid_of([*(grid or []), *(more or [])], claims[0])
    if not axes:
        raise InputError("--grid", "", "an axis for one parameter at least, such as length=4:12:2")
    cells = [cc.claims.Cell(claims[0], setting) for setting in cc.claims.settings_on(claims[0], axes)]
    hands = None
    if cluster is not None:
        hands = cc.claims.Cluster(cluster, seconds)
    verdicts = measure_cells(cells, jobs=jobs, seconds=seconds, store=store, hands=hands)
    if json:
        print_json(plain_rows(verdicts))
    else:
        print_verdicts(verdicts, cc.claims.find_papers(), everything=True)
        typer.echo(f"kept in {store}")
        print_summary(verdicts, time.perf_counter() - start)
    raise typer.Exit(exit_code(verdicts, len(cells)))
