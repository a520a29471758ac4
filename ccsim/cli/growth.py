"""``ccsim bounds SUBJECT -n 2:6``: a table of growth, redrawn on a terminal as sizes are finished."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from functools import partial, wraps
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

from typer import echo

import ccsim as cc
from ccsim.auditing.tasks import object_in_file
from ccsim.bounds.growth_table import BESIDE
from ccsim.cli.app import Format, print_as
from ccsim.cli.commands import columns, wrapped
from ccsim.cli.progress import CLEAR, shown_progress
from ccsim.cli.saving import places_of, save_pictures
from ccsim.errors import InputError
from ccsim.plain_data import table_text

OWN = re.compile(r"\.py:\w+$")
MOST = 64  # sizes
SECONDS = 30.0  # in all, where no limit is given
STOPPED = "ccsim: stopped: the bounds proved so far are printed, and saved with --save; a later run starts anew"


def sizes_of(text: str) -> list[int]:
    """The sizes that a text lists, such as 4, 2:6 (with both ends), 2:10:2 or 3,5,8."""
    if re.fullmatch(r"\d{1,9}(,\d{1,9})*", text):
        return [int(number) for number in text.split(",")]
    if re.fullmatch(r"\d{1,9}:\d{1,9}(:\d{1,9})?", text):
        low, high, step = [*map(int, text.split(":")), 1][:3]
        if low <= high and step > 0 and (high - low) // step < MOST:
            return list(range(low, high + 1, step))
    raise InputError("--size", text, f"an integer such as 4, or up to {MOST} sizes as 2:6, 2:10:2 or 3,5,8")


def own(subject: str) -> Any:
    """What ``file.py:name`` names. A rule is called by that name, and what it prints is no part of the results."""
    with redirect_stdout(sys.stderr):
        given = object_in_file(subject)
    if not callable(given) or isinstance(given, type) or type(given).__module__.startswith(("ccsim", "numpy")):
        return given

    @wraps(given)
    def rule(*inputs: Any, **more: Any) -> Any:
        with redirect_stdout(sys.stderr):
            return given(*inputs, **more)

    rule.__name__ = subject.rpartition(":")[2]
    return rule


def family_of(subject: str, sizes: list[int]) -> Any:
    if OWN.search(subject):
        return own(subject)
    if Path(subject).suffix:
        raise InputError("--size", sizes, "no size, as a file is one matrix")
    return subject


def game_of(subject: str, monotone: bool, sizes: list[int]) -> Callable[[int], cc.Relation]:
    """The Karchmer-Wigderson game of a truth table (text, or a file of it) or, for each n, of a rule f(x) in a file."""
    given: Any = subject
    if OWN.search(subject):
        given = own(subject)
    elif Path(subject).suffix:
        if not Path(subject).is_file():
            raise InputError("subject", subject, "values such as 0110, a file of them, or file.py:f, a rule f(x)")
        given = Path(subject).read_text(encoding="utf-8", errors="replace")
    if len(sizes) > 1 and not callable(given):
        raise InputError("--size", sizes, "no size, as these are the values of one function")

    def game(n: int) -> cc.Relation:
        return cc.problems.karchmer_wigderson(given, n if callable(given) else None, monotone=monotone)

    game.__name__ = f"the game of {Path(subject).name}"
    return game


def show_growth(
    subject: str,
    family: Any,
    sizes: list[int],
    asked: dict[str, Any],
    seconds: float | None,
    began: float,
    save: Sequence[Path],
    form: Format,
    json: bool,
) -> list[int]:
    """Print the table; the exit code, if it was stopped."""
    certificates, pictures = places_of(save)
    if certificates:
        raise InputError("--save", str(certificates[0]), "one size: a certificate is about one matrix")
    limit = SECONDS if seconds is None else seconds
    if not limit > 0:
        raise InputError("--time", seconds, "more than 0 seconds")
    drawn, stops = [0], list[int]()
    terminal = sys.stdout.isatty()
    width, height = columns(), get_terminal_size().lines if terminal else 0

    def draw(table: cc.bounds.GrowthTable) -> None:
        text = table.text(width - 1)
        up, drawn[0] = drawn[0], len(text.splitlines())
        if max(up, drawn[0]) >= height:  # only its end could be redrawn
            drawn[0] = 0
        else:
            echo(f"{CLEAR}\x1b[{up}A\x1b[J{text}" if up else f"{CLEAR}{text}")

    with shown_progress(subject, limit=limit, began=began) as report:
        table = cc.bounds.growth(
            family,
            sizes,
            seconds=limit - min(time.monotonic() - began, limit / 2),  # the start counts
            progress=report,
            finished=draw if terminal and not json and form == Format.text else None,
            stopped=lambda: stops.append(130),
            **asked,
        )
    if stops:
        echo(wrapped(STOPPED, columns()), err=True)

    def plain() -> dict[str, Any]:
        beside = {name: [value(n) for n in table.summaries] for name, value in BESIDE.items()}
        missing = {str(n): why for n, why in table.missing.items()}
        about = {"family": table.name, "sizes": list(table.summaries), "measures": table.rows()}
        return {**about, "beside": beside, "missing": missing}

    heads, *rows = table.cells()
    written = partial(table_text, columns=["measure", *heads[1:]], rows=rows)
    if not print_as(form, json, plain, written) and not drawn[0]:
        echo(table.text(width))
    for path, what in save_pictures(lambda: cc.plots.draw(table), pictures).items():
        echo(f"saved {path}: {what}", err=json or form != Format.text)
    return stops
