"""``ccsim size``: which sizes of a kind of model a task excludes, and from which length on."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

import ccsim as cc
from ccsim.cli.output import JsonFlag, print_json, say
from ccsim.errors import InputError
from ccsim.writing import require_place

__all__ = ["size"]


class Kind(StrEnum):
    """Which architecture."""

    RECURRENT = "recurrent"
    TRANSFORMER = "transformer"


def size(
    kind: Annotated[Kind, typer.Argument(help="The architecture; a transformer has one layer.")],
    task: Annotated[str, typer.Option(help="A task with a known bound, such as dyck or index-lookup.")],
    width: Annotated[int, typer.Option(help="Numbers of state in all layers, or the transformer's width.")],
    precision: Annotated[int, typer.Option(help="Bits of every number.")],
    heads: Annotated[int, typer.Option(help="Attention heads.")] = 1,
    head_width: Annotated[
        int | None, typer.Option(help="Numbers in each head and value; the width, as in the papers, if not given.")
    ] = None,
    length: Annotated[int | None, typer.Option("--length", "-n", help="N, to be told what holds there.")] = None,
    save: Annotated[Path | None, typer.Option(help="A file for the certificate of what the task needs.")] = None,
    json: JsonFlag = False,
) -> None:
    """Say from which length on every model of a size must be wrong on some word.

    Exit code 1 if the size is excluded at the length that was given, else 0.
    """
    if save is not None:
        require_place("--save", save)
    found = cc.bounds.model(
        kind.value, width=width, precision=precision, task=task, heads=heads, head_width=head_width, length=length
    )
    proof = found.certificate
    if save is not None:
        if proof is None:
            raise InputError("--save", str(save), f"a task with a certificate for every length, which {task} is not")
        proof.save(save)
    if json:
        plain = {name: value for name, value in vars(found).items() if name not in ("requirement", "scale")}
        certificate = None if proof is None else proof.verify()
        told = {"reason": found.requirement.reason, "certificate": certificate, "theorem": found.theorem or None}
        print_json({**plain, "vacuous": found.vacuous, **told})
    else:
        say(str(found), 2)
        if found.needs != "0":
            say(f"  the task needs {found.needs} bits: {found.requirement.reason}", 4)
            if proof is not None:
                say(f"  certificate for every length: {proof.verify()}", 4)
            if found.theorem:
                say(f"  proved for every N in Coq: {found.theorem} in proofs/EveryLength.v", 4)
            say(f"  a model of that size has {found.costs.replace('**', '^')} bits", 4)
            for line in _symbols(found):
                typer.echo(f"    {line}")
    raise typer.Exit(1 if found.excluded else 0)


def _symbols(found: cc.bounds.ModelBound) -> list[str]:
    """What the letters in both formulas stand for, with their values: a line each."""
    size = found.size
    meanings = {
        "N": (found.length, "the length"),
        "m": (size["width"], "numbers of state"),
        "p": (size["precision"], "bits of a number"),
        "H": (size.get("heads"), "heads"),
        "v": (size.get("head_width"), "numbers in each head and value"),
        "s": (found.requirement.symbols, "symbols that a position can have"),
    }
    used = set(re.findall(r"[A-Za-z]+", f"{found.needs} {found.costs}"))
    told = {letter: meaning for letter, meaning in meanings.items() if letter in used}
    return [f"{letter}{'' if value is None else f' = {value}'}: {text}" for letter, (value, text) in told.items()]
