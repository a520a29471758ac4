"""``ccsim certify``: every claim, claimed beside measured."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import ccsim as cc
from ccsim import families
from ccsim.claims.lines import screen_of
from ccsim.cli.output import JsonFlag, print_json, progress_on_stderr
from ccsim.cli.verdicts import exit_code, plain_rows, print_summary, print_verdicts
from ccsim.errors import InputError

JobsOption = Annotated[int | None, typer.Option("--jobs", "-j", help="Processes; all cores if not given.", min=1)]
SecondsOption = Annotated[
    float, typer.Option("--time", help="Seconds that one claim at one setting may take.", min=0.001)
]
StoreOption = Annotated[
    Path | None, typer.Option("--resume", help="A store (sqlite3): results are kept in it, and none is measured twice.")
]


def certify(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Claims, families, papers or problems; all claims if none is named."),
    ] = None,
    n: Annotated[
        int | None, typer.Option("--length", "--size", "-n", help="A length instead of the default ones.")
    ] = None,
    paper: Annotated[str | None, typer.Option(help="Only claims of this paper: its name, or a part of it.")] = None,
    given: Annotated[
        list[str] | None, typer.Option("--set", help="Another parameter, as NAME=VALUE (such as width=8).")
    ] = None,
    samples: Annotated[int | None, typer.Option(help="Draws of coins that are too many to enumerate.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of whatever is drawn.")] = None,
    jobs: JobsOption = None,
    seconds: SecondsOption = 600.0,
    resume: StoreOption = None,
    save: Annotated[
        Path | None, typer.Option("--save-certificates", help="A folder for certificates; made if it is not there.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="A line for each verdict, instead of the screen.")] = False,
    json: JsonFlag = False,
) -> None:
    """Measure claims and compare with what is claimed: one screen for all claims, a line for each that is named.

    Exit code 0 if all were measured and nothing is broken, 1 if something is broken, 3 if something could not be
    measured, 130 if it was stopped: what was measured by then is shown.
    """
    start = time.perf_counter()
    claims = cc.claims.find_claims(names or [], paper)
    named = {"length": n, "samples": samples, "seed": seed}
    setting = {
        **cc.claims.settings_of(given or []),
        **{name: value for name, value in named.items() if value is not None},
    }
    for name, value in setting.items():
        if not any(claim.parameter(name) for claim in claims):
            raise InputError(name, value, "a parameter that one of the claims has")
    if save is not None:
        _make_folder(save)
    cells = cc.claims.cells_of(claims, setting)
    verdicts = measure_cells(cells, jobs=jobs, seconds=seconds, store=resume, refusing=bool(setting))
    saved = save_certificates(verdicts, save) if save else {}
    if json:
        print_json(plain_rows(verdicts, saved))
    else:
        papers, whole = cc.claims.find_papers(), not (names or paper or setting or everything)
        if not whole:
            print_verdicts(verdicts, papers, everything)
        if saved:
            typer.echo(f"saved {len(saved)} certificates in {save}")
        taken = time.perf_counter() - start
        if whole:
            typer.echo("\n".join(screen_of(verdicts, papers, len(cells), taken)))
        else:
            print_summary(verdicts, taken)
    raise typer.Exit(exit_code(verdicts, len(cells)))


def measure_cells(
    cells: Sequence[cc.claims.Cell],
    *,
    jobs: int | None = None,
    seconds: float = 600.0,
    store: Path | None = None,
    hands: cc.claims.Hands | None = None,
    refusing: bool = False,
) -> list[cc.claims.Verdict]:
    """Measure with a progress display; stopped by the keyboard, what was measured by then.

    With ``refusing``, that no input could be used at all is bad input.
    """
    with cc.claims.Store(store) as opened, progress_on_stderr() as progress:
        bar = progress.add_task("measuring", total=len(cells))
        hands = hands or cc.claims.Pool(max(1, min(jobs or os.cpu_count() or 1, len(cells))), seconds)
        try:
            verdicts = cc.claims.run_cells(
                cells,
                hands=hands,
                store=opened,
                progress=lambda done, name: progress.update(bar, completed=done, description=name or "resuming"),
            )
        except KeyboardInterrupt:
            verdicts = opened.verdicts()
            how = "with --resume FILE it could go on" if store is None else f"what is left goes on from {store}"
            typer.echo(f"ccsim: stopped: {len(verdicts)} of {len(cells)} are measured; {how}", err=True)
    if refusing and verdicts and all(row.word is cc.claims.Word.NOT_MEASURED for row in verdicts):
        raise ValueError(verdicts[0].reason)
    return verdicts


def _make_folder(folder: Path) -> None:
    """Before anything is measured, so that nothing is measured for nothing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError("--save-certificates", str(folder), f"a folder ({error.strerror})") from None


def save_certificates(verdicts: Sequence[cc.claims.Verdict], folder: Path) -> dict[int, str]:
    """Write the certificates, one file each, whole or not at all; the file of each verdict that has one.

    Those for every length stand beside, in files of their own.
    """
    saved: dict[int, str] = {}
    for place, row in enumerate(verdicts):
        setting = "".join(f"-{name}-{value}" for name, value in row.parameters.items())
        if "every_length" in row.attachments:
            path = folder / f"{row.claim}{setting}-every-length.json"
            families.FamilyCertificate.from_json(row.attachments["every_length"]).save(path)
            saved[place] = str(path)
        if "certificate" in row.attachments:
            path = folder / f"{row.claim}{setting}.json"
            cc.certificates.Certificate.from_json(row.attachments["certificate"]).save(path)
            saved[place] = str(path)
    return saved
