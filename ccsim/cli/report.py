"""``ccsim report``: a page of every verdict, with what is behind it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import ccsim as cc
from ccsim.cli.certify import JobsOption, SecondsOption, StoreOption, measure_cells
from ccsim.cli.output import JsonFlag, print_json
from ccsim.cli.verdicts import exit_code, print_summary, summary
from ccsim.plots.series import Plot
from ccsim.writing import require_place, write_whole


def report(
    names: Annotated[
        list[str] | None, typer.Argument(help="Claims, families, papers or problems; all claims if none is named.")
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The page (HTML).")] = Path("report.html"),
    paper: Annotated[str | None, typer.Option(help="Only claims of this paper: its name, or a part of it.")] = None,
    jobs: JobsOption = None,
    seconds: SecondsOption = 600.0,
    resume: StoreOption = None,
    json: JsonFlag = False,
) -> None:
    """Measure claims and write one page: what models can do, tables, plots, and what is behind each claim.

    The page needs no network and no script; if it is stopped, it shows what was measured by then. Exit codes as for
    ``ccsim certify``.
    """
    start = time.perf_counter()
    require_place("--output", output)
    claims = cc.claims.find_claims(names or [], paper)
    cells = cc.claims.cells_of(claims)
    verdicts = measure_cells(cells, jobs=jobs, seconds=seconds, store=resume)
    by_name = {claim.name: claim for claim in claims}
    stopped = len(verdicts) < len(cells)
    plots, failed = ([], ["Stopped before all was measured."]) if stopped else _plots(claims, jobs, seconds)
    page = cc.claims.render(verdicts, by_name, cc.claims.find_papers(), plots, failed)
    write_whole(output, page)
    taken = time.perf_counter() - start
    if json:
        told = {"output": str(output), "bytes": len(page.encode()), "verdicts": len(verdicts), "plots": len(plots)}
        print_json({**told, "failed": failed, "summary": summary(verdicts, taken)})
    else:
        typer.echo(f"wrote {output}")
        print_summary(verdicts, taken)
    raise typer.Exit(exit_code(verdicts, len(cells)))


def _plots(claims: Sequence[cc.claims.Claim], jobs: int | None, seconds: float) -> tuple[list[Plot], list[str]]:
    """The plots of the claims, and why some are missing; none if they are stopped by the keyboard."""
    try:
        return cc.claims.plots_of(claims, cc.claims.Pool(jobs or 2, seconds))
    except KeyboardInterrupt:
        return [], ["Stopped before the plots were drawn."]
