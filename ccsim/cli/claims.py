"""``ccsim certify``, ``sweep`` and ``report``: claims measured, and how verdicts are shown."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import Annotated, Any

from typer import Argument, Exit, Option, echo

from ccsim import certificates, claims, families
from ccsim.claims.store import usual_store
from ccsim.claims.summary import SummaryRow, dearest_of, reason_of, screen_of, statement_of, summarise, tally
from ccsim.claims.verdict import DISCREPANCIES, TITLE, Verdict, Word
from ccsim.cli.app import Format, FormatOption, JsonFlag, make_folder, print_as, print_json, print_text
from ccsim.cli.commands import columns, wrapped
from ccsim.cli.progress import shown_progress
from ccsim.errors import InputError
from ccsim.plain_data import require_place, table_text, write_whole
from ccsim.plots.curves import Plot

Names = Annotated[list[str] | None, Argument(help="Claims, families, papers or problems; all claims if none is named.")]
PaperOption = Annotated[str | None, Option(help="Only claims of this paper: its name, or a part of it.")]
JobsOption = Annotated[int | None, Option("--jobs", "-j", help="Processes; all cores if not given.", min=1)]
SecondsOption = Annotated[float, Option("--seconds", help="Seconds that one claim at one setting may take.", min=0.001)]
StoreOption = Annotated[
    Path | None,
    Option("--store", envvar="CCSIM_STORE", help="Where results are kept (sqlite3), instead of a file in ~/.cache."),
]
FreshOption = Annotated[bool, Option("--fresh", help="Measure again what the store has.")]


def certify(
    names: Names = None,
    n: Annotated[int | None, Option("--length", "--size", "-n", help="A length instead of the default ones.")] = None,
    paper: PaperOption = None,
    given: Annotated[
        list[str] | None, Option("--set", help="Another parameter, as NAME=VALUE (such as width=8).")
    ] = None,
    samples: Annotated[int | None, Option(help="Draws of coins that are too many to enumerate.")] = None,
    seed: Annotated[int | None, Option(help="Seed of whatever is drawn.")] = None,
    jobs: JobsOption = None,
    seconds: SecondsOption = 600.0,
    store: StoreOption = None,
    fresh: FreshOption = False,
    all_sizes: Annotated[
        bool, Option("--all-sizes", help="Each claim at all its sizes, not at its first only.")
    ] = False,
    save: Annotated[
        Path | None, Option("--save-certificates", help="A folder for certificates; made if it is not there.")
    ] = None,
    everything: Annotated[bool, Option("--all", help="A line for each verdict, instead of the screen.")] = False,
    dearest: Annotated[bool, Option("--dearest", help="The twenty claims that took longest, instead of it.")] = False,
    form: FormatOption = Format.text,
    json: JsonFlag = False,
) -> None:
    """Measure claims and compare with what is claimed: one screen for all claims, a line for each that is named.

    Results are kept: a claim is measured again if its code, what it imports, or what is installed has changed.

    Exit code 0 if all were measured and nothing is broken, 1 if something is broken, 3 if something could not be
    measured, 130 if it was stopped: what was measured by then is shown.
    """
    start = time.perf_counter()
    chosen = claims.find_claims(names or [], paper)
    named = {"length": n, "samples": samples, "seed": seed}
    setting = claims.settings_of(given or []) | {name: value for name, value in named.items() if value is not None}
    for name, value in setting.items():
        if not any(claim.parameter(name) for claim in chosen):
            raise InputError(name, value, "a parameter that one of the claims has")
    if save is not None:
        make_folder("--save-certificates", save)
    cells = claims.cells_of(chosen, setting, first=not all_sizes)
    verdicts, before = measure_cells(
        cells, jobs=jobs, seconds=seconds, store=store, fresh=fresh, refusing=bool(setting)
    )
    saved = save_certificates(verdicts, save) if save else {}
    if not print_as(form, json, partial(plain_rows, verdicts, saved), partial(verdict_table, verdicts)):
        papers, whole = claims.find_papers(), not (names or paper or setting or everything or dearest)
        if dearest:
            echo(dearest_of(verdicts))
        elif not whole:
            print_verdicts(verdicts, papers, everything)
        if saved:
            echo(f"saved {len(saved)} certificates in {save}")
        taken = time.perf_counter() - start
        if whole:
            echo("\n".join(screen_of(verdicts, papers, len(cells), taken, before)))
        else:
            more = len(claims.cells_of(chosen, setting)) - len(cells)
            hint = f"; {more} more with --all-sizes" if more else ""
            print_text(f"{summary(verdicts, taken, before)}{hint}")
    raise Exit(exit_code(verdicts, len(cells)))


def measure_cells(
    cells: Sequence[claims.Cell],
    *,
    jobs: int | None = None,
    seconds: float = 600.0,
    store: Path | None = None,
    workers: claims.Workers | None = None,
    fresh: bool = False,
    refusing: bool = False,
) -> tuple[list[claims.Verdict], int]:
    """The verdicts, and how many of them were kept from before; stopped by the keyboard, what was measured by then.

    ``refusing``: that no input could be used is bad input.
    """
    store = store or usual_store()
    with claims.Store(store) as opened:
        workers = workers or claims.Pool(max(1, min(jobs or os.cpu_count() or 1, len(cells))), seconds)
        try:
            with shown_progress("measuring", len(cells)) as report:
                verdicts = claims.run_cells(
                    cells,
                    workers=workers,
                    store=opened,
                    progress=lambda done, name: report(name or "measuring", done),
                    again=fresh,
                )
        except KeyboardInterrupt:
            verdicts = opened.verdicts()
            kept = ", and kept for the next run" if store else ""
            echo(f"ccsim: stopped: {len(verdicts)} of {len(cells)} are measured{kept}", err=True)
    if refusing and verdicts and all(row.word is Word.NOT_MEASURED for row in verdicts):
        raise ValueError(verdicts[0].reason)
    return verdicts, opened.before


def save_certificates(verdicts: Sequence[claims.Verdict], folder: Path) -> dict[int, str]:
    """Write the certificates, one file each, those for every length in files of their own, whole or not at all."""
    saved: dict[int, str] = {}
    for place, row in enumerate(verdicts):
        setting = "".join(f"-{name}-{value}" for name, value in row.parameters.items())
        if "every_length" in row.attachments:
            path = folder / f"{row.claim}{setting}-every-length.json"
            families.FamilyCertificate.from_json(row.attachments["every_length"]).save(path)
            saved[place] = str(path)
        if "certificate" in row.attachments:
            path = folder / f"{row.claim}{setting}.json"
            certificates.Certificate.from_json(row.attachments["certificate"]).save(path)
            saved[place] = str(path)
    return saved


def sweep(
    name: Annotated[str, Argument(metavar="CLAIM", help="A claim; see `ccsim list claims`.")],
    more: Annotated[list[str] | None, Argument(metavar="[AXIS]...", help="Further axes of the grid.")] = None,
    grid: Annotated[
        list[str] | None,
        Option("--grid", help="Axes: length=4:12:2 (both ends), width=1:32, precision=4,8,16."),
    ] = None,
    store: StoreOption = None,
    fresh: FreshOption = False,
    jobs: JobsOption = None,
    seconds: SecondsOption = 600.0,
    cluster: Annotated[
        str | None, Option(help="The address of a Dask scheduler whose workers measure (extra: cluster).")
    ] = None,
    form: FormatOption = Format.text,
    json: JsonFlag = False,
) -> None:
    """Measure one claim over a grid of settings.

    A sweep that was stopped goes on, and any number of them may share a store, at once or one after the other: what is
    in it is not measured again.
    Exit codes as for ``ccsim certify``.
    """
    start = time.perf_counter()
    chosen = claims.claims_of(name, claims.registered_claims())
    if len(chosen) != 1:
        raise InputError(
            "claim", name, f"one claim, not {len(chosen)}: {', '.join(claim.name for claim in chosen[:4])}"
        )
    axes = claims.grid_of([*(grid or []), *(more or [])], chosen[0])
    if not axes:
        raise InputError("--grid", "", "an axis for one parameter at least, such as length=4:12:2")
    cells = [claims.Cell(chosen[0], setting) for setting in claims.settings_on(chosen[0], axes)]
    workers = None if cluster is None else claims.Cluster(cluster, seconds)
    verdicts, before = measure_cells(cells, jobs=jobs, seconds=seconds, store=store, workers=workers, fresh=fresh)
    if not print_as(form, json, partial(plain_rows, verdicts), partial(verdict_table, verdicts)):
        print_verdicts(verdicts, claims.find_papers(), everything=True)
        print_text(summary(verdicts, time.perf_counter() - start, before))
    raise Exit(exit_code(verdicts, len(cells)))


def report(
    names: Names = None,
    output: Annotated[Path, Option("--output", "-o", help="The page (HTML).")] = Path("report.html"),
    paper: PaperOption = None,
    jobs: JobsOption = None,
    seconds: SecondsOption = 600.0,
    store: StoreOption = None,
    json: JsonFlag = False,
) -> None:
    """Measure claims and write one page: what models can do, tables, plots, and the evidence for each claim.

    The page needs no network and no script; if it is stopped, it shows what was measured by then. Exit codes as for
    ``ccsim certify``.
    """
    start = time.perf_counter()
    require_place("--output", output)
    chosen = claims.find_claims(names or [], paper)
    cells = claims.cells_of(chosen)
    verdicts, before = measure_cells(cells, jobs=jobs, seconds=seconds, store=store)
    plots: list[Plot] = []
    failed = ["Stopped before all was measured."]
    if len(verdicts) == len(cells):
        try:
            with shown_progress("drawing plots"):
                plots, failed = claims.plots_of(chosen, claims.Pool(jobs or 2, seconds))
        except KeyboardInterrupt:
            failed = ["Stopped before the plots were drawn."]
    page = claims.render(verdicts, {each.name: each for each in chosen}, claims.find_papers(), plots, failed)
    write_whole(output, page)
    taken = time.perf_counter() - start
    if json:
        facts = {"output": str(output), "bytes": len(page.encode()), "verdicts": len(verdicts), "plots": len(plots)}
        print_json({**facts, "failed": failed, "summary": summary(verdicts, taken, before)})
    else:
        echo(f"wrote {output}")
        print_text(summary(verdicts, taken, before))
    raise Exit(exit_code(verdicts, len(cells)))


COLOURS = {
    Word.BROKEN: "1;31",
    Word.REFUTED: "1;33",
    Word.SLIP: "33",
    Word.NOT_REACHED: "33",
    Word.IMPROVED: "1;32",
    Word.TIGHT: "32",
    Word.HOLDS: "32",
    Word.VACUOUS: "36",
    Word.OPEN: "36",
    Word.CALCULATED: "2",
    Word.NOT_MEASURED: "35",
}
"""Of ANSI: bold 1, dim 2, red 31, green 32, yellow 33, magenta 35, cyan 36."""
BOLD, DIM = "1", "2"
ALWAYS = (Word.BROKEN, Word.REFUTED)  # words that are counted even where there are none
MARGIN = 23  # columns: the longest word with how far it reaches, and two spaces
WIDE = 110  # columns of a terminal in which figures are below each other, and statements are printed in full


def print_verdicts(verdicts: Sequence[Verdict], papers: dict[str, claims.Paper], everything: bool = False) -> None:
    """Counts, discrepancies with reasons, then a line for each claim, or for each verdict if ``everything``."""
    counts = Counter(row.word for row in verdicts)
    _show(
        [SummaryRow(word, f"{counts[word]:>3}", word.meaning) for word in Word if counts[word] or word in ALWAYS],
    )
    found = [row for word in DISCREPANCIES for row in verdicts if row.word is word]
    if found:
        _show(summarise(found, everything, reason_of), TITLE)
    for paper, part, rows in claims.parts_of(verdicts):
        title = f"{papers[paper].citation if paper in papers else paper}: {part}"
        _show(summarise(rows, everything, statement_of), title, brief=columns() < WIDE)
    echo("")


def _show(lines: Sequence[SummaryRow], title: str = "", brief: bool = False) -> None:
    """Lines below a title, broken between words only, figures aligned, notes beside them where there is room."""
    width = columns()
    if title:
        echo(_styled(f"\n{wrapped(title, width)}", BOLD))
    names = max((len(line.name) for line in lines), default=0) if width >= WIDE else 0
    for line in lines:
        covered = f"  [{line.covered}]" if line.covered else ""
        shown = line.scoped or line.word.value
        head = f"{shown:<{MARGIN}}{line.name:<{names}}  {line.figures}{covered}"
        fits = line.note and len(f"{head}  {line.note}") <= width
        text = wrapped(head, width, MARGIN + names + 2 * (width >= WIDE)).removeprefix(shown)
        echo(_styled(shown, COLOURS[line.word]) + text + (_styled(f"  {line.note}", DIM) if fits else ""))
        if line.note and not fits:
            whole, room = line.note, width - MARGIN - 1
            one_line = shorten(whole, room, placeholder=" …", break_long_words=False, break_on_hyphens=False)
            echo(_styled(wrapped(" " * MARGIN + (one_line if brief else whole), width, MARGIN), DIM))


def _styled(text: str, codes: str) -> str:
    """On a terminal, unless who sits there wants no colours (https://no-color.org)."""
    plain = not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain else f"\x1b[{codes}m{text}\x1b[0m"


def summary(verdicts: Sequence[Verdict], seconds: float, before: int = 0) -> str:
    counts = Counter(row.word for row in verdicts)
    counted = ", ".join(f"{counts[word]} {word.value}" for word in Word if counts[word] or word is Word.BROKEN)
    return f"{tally(verdicts)}: {counted} ({seconds:.1f} s{f', {before} from before' * bool(before)})"


def plain_rows(verdicts: Sequence[Verdict], saved: dict[int, str] | None = None) -> list[dict[str, Any]]:
    return [{**row.to_json(), "saved": (saved or {}).get(place)} for place, row in enumerate(verdicts)]


def verdict_table(verdicts: Sequence[Verdict], form: str) -> str:
    """A row for each verdict: what is claimed where, and what was measured."""
    rows = [(row.claim, row.source, row.setting, row.bound, row.value, row.scoped) for row in verdicts]
    return table_text(form, ("claim", "source", "setting", "claimed", "measured", "verdict"), rows)


def exit_code(verdicts: Sequence[Verdict], wanted: int) -> int:
    words = {row.word for row in verdicts}
    if Word.BROKEN in words:
        return 1
    return 130 if len(verdicts) < wanted else 3 if Word.NOT_MEASURED in words else 0
