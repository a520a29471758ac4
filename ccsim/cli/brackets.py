"""How ``ccsim bounds`` prints brackets: a sentence, a line for each measure, and all proofs in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, floor

from typer import echo

from ccsim.bounds import Bracket
from ccsim.bounds.summaries import answer_in_words, conventions, textbook_rows
from ccsim.bounds.theorems import proof_in_words, side_in_words
from ccsim.certificates.verify.certificates import with_unit
from ccsim.cli.commands import columns, wrapped
from ccsim.plain_data import aligned, printable

MOST_NAME = 34  # columns
MOST_FRACTION = 7  # signs
DIGITS = 10**4
SHORT = {"from Alice to Bob": "A to B", "from Bob to Alice": "B to A", "one-way-randomised": "one-way, coins"}


def print_brackets(name: str, main: Bracket, brackets: dict[str, tuple[Bracket, ...]], everything: bool) -> None:
    """The answer about the main bracket in a sentence, then a line for each measure or, of everything, all proofs."""
    echo(wrapped(printable(answer_in_words(name, main)), columns()))
    every = [one for own in brackets.values() for one in own]
    (_print_all if everything else _print_rows)(every if everything else textbook_rows(brackets))
    if convention := conventions(every):
        echo(wrapped(f"{convention}.", columns()))


def _print_rows(rows: Sequence[Bracket]) -> None:
    """A line for each: sources and reasons are left out where it is too long; a value never is."""
    heads = aligned([("measure", "value"), *((_short_name(row), _value(row)) for row in rows)])
    proofs: list[list[str]] = [["lower bound by; upper bound by (more: --all)", "lower; upper bound by (more: --all)"]]
    proofs += [[proof_in_words(row, *kept) for kept in ((True, True), (False, True), (False, False))] for row in rows]
    for head, texts in zip(heads, proofs, strict=True):
        room = columns() - 1 - len(head) - 2
        proof = next((text for text in texts if len(text) <= room), texts[-1])
        echo(f"{head}  {proof if len(proof) <= room else f'{proof[: max(room - 1, 0)]}…'}")


def _short_name(bracket: Bracket) -> str:
    usual = (
        "answer",
        "" if "smooth" in bracket.parameters else "error",
        "field" if bracket.parameters.get("field") == "rational" else "",
    )
    given = {name: value for name, value in bracket.parameters.items() if name not in usual}
    name = printable(replace(bracket, parameters=given).name)
    for long, short in SHORT.items():
        name = name.replace(long, short)
    return name if len(name) <= MOST_NAME else f"{name[: MOST_NAME - 1]}…"


def _value(bracket: Bracket) -> str:
    """Both sides with their unit, if that is bits; long fractions of an open bracket are rounded outwards."""
    low, high = bracket.lower, bracket.upper
    unit = bracket.unit if bracket.unit in ("bits", "qubits") else ""
    if bracket.exact:
        return with_unit(low, unit)
    if high is None:
        return f">= {with_unit(low, unit)}"
    if max(len(str(low)), len(str(high))) > MOST_FRACTION:
        return f"{floor(low * DIGITS) / DIGITS:g} to {ceil(high * DIGITS) / DIGITS:g}"
    return f"{low} to {with_unit(high, unit)}"


def _print_all(brackets: Sequence[Bracket]) -> None:
    for bracket in brackets:
        echo(f"{printable(bracket.name)} {bracket.amount()} ({bracket.seconds:.2f} s)")
        for side, words in ((bracket.below, "at least"), (bracket.above, "at most")):
            if side.value is not None:
                proof = f"    {words} {with_unit(side.value, bracket.unit)}: {side_in_words(side, bracket.measure)}"
                echo(wrapped(proof, columns(), 8))
        if bracket.open is not None and not bracket.exact:
            echo(f"    open: {bracket.open.value}")
