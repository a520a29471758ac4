"""``ccsim size``: which sizes of a kind of model a task excludes, and from which length on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from math import floor
from pathlib import Path
from typing import Annotated, Any

import typer

import ccsim as cc
from ccsim.bounds.model_size import REQUIREMENTS
from ccsim.bounds.protocol_bits import PRESETS
from ccsim.cli.output import JsonFlag, print_json, say
from ccsim.cli.own_size import assumed, own_size
from ccsim.errors import InputError
from ccsim.problems.catalogue import registered_problems
from ccsim.writing import require_place

OWN = re.compile(r":|\.json$")
DIGITS = 10**6  # shares are rounded down to such parts


class Kind(StrEnum):
    """Which architecture."""

    RECURRENT = "recurrent"
    TRANSFORMER = "transformer"


def size(
    kind: Annotated[Kind | None, typer.Argument(help="The architecture; a transformer has one layer.")] = None,
    task: Annotated[
        str,
        typer.Option(help="With a known bound, such as dyck or index-lookup; at one --length any of `ccsim audit`."),
    ] = "",
    width: Annotated[
        int | None, typer.Option(help="Numbers of state in all layers, or the transformer's width.")
    ] = None,
    precision: Annotated[int | None, typer.Option(help="Bits of every number; 16 of a --preset, if not given.")] = None,
    heads: Annotated[int | None, typer.Option(help="Attention heads; one if not given.")] = None,
    head_width: Annotated[
        int | None, typer.Option(help="Numbers in each head and value; the width, as in the papers, if not given.")
    ] = None,
    window: Annotated[
        int | None, typer.Option(help="How many last positions a transformer's heads see; all if not given.")
    ] = None,
    preset: Annotated[
        str | None, typer.Option(help=f"The size of a public model, in place of kind and sizes: {', '.join(PRESETS)}.")
    ] = None,
    length: Annotated[int | None, typer.Option("--length", "-n", help="N, to be told what holds there.")] = None,
    error: Annotated[
        str | None, typer.Option(help="A share such as 1/4: from which N on every model is wrong on so many words.")
    ] = None,
    save: Annotated[Path | None, typer.Option(help="A file for the certificate of what the task needs.")] = None,
    json: JsonFlag = False,
) -> None:
    """Say from which length on every model of a size must be wrong on some word, and on how many.

    Exit code 1 if the size is excluded at the length that was given, else 0.
    """
    if save is not None:
        require_place("--save", save)
    given = {"kind": kind, "width": width, "precision": precision, "heads": heads, "head_width": head_width}
    sizes = _sizes(preset, **given, window=window)
    if not task:
        raise InputError("--task", task, f"one of {', '.join(REQUIREMENTS)}")
    if task not in REQUIREMENTS and (OWN.search(task) or task in registered_problems()):
        own = own_size(task, length, error, sizes)
        if save is not None:
            own.save(save)
        if json:
            print_json(own.to_json(preset))
        else:
            _tell_assumed(own.size.hypotheses, preset)
            _tell_preset(preset, sizes)
            own.tell()
            _tell_saved(save, task)
        raise typer.Exit(1 if own.excluded else 0)
    found = cc.bounds.model(**sizes, task=task, length=length, error=error)
    if save is not None:
        if found.certificate is None:
            raise InputError("--save", str(save), f"a task with a certificate for every length, which {task} is not")
        found.certificate.save(save)
    if json:
        print_json(_plain(found, preset))
    else:
        _tell(found, preset, error)
        _tell_saved(save, task)
    raise typer.Exit(1 if found.excluded else 0)


def _tell_saved(save: Path | None, task: str) -> None:
    """What was written, and where."""
    if save is not None:
        say(f"saved {save}: what {task} needs", 2)


def _plain(found: cc.bounds.ModelBound, preset: str | None) -> dict[str, Any]:
    """What is known, as plain data."""
    proof, wrong = found.certificate, found.error
    return {
        **{name: value for name, value in vars(found).items() if name not in ("requirement", "scale")},
        "vacuous": found.vacuous,
        "hypotheses": assumed(found.hypotheses, preset),
        "reason": found.requirement.reason,
        "certificate": None if proof is None else proof.verify(),
        "theorem": found.theorem or None,
        "preset": preset,
        "error": None if wrong is None else {"share": floor(wrong.share * DIGITS) / DIGITS, "told": wrong.told},
    }


def _tell(found: cc.bounds.ModelBound, preset: str | None, error: str | None) -> None:
    """The same for people."""
    _tell_assumed(found.hypotheses, preset)
    _tell_preset(preset, found.size)
    say(found.told, 2)
    if found.excluded and found.error is not None:
        say(f"  every such model is {found.error}", 4)
    if error is not None:
        at = "no length is known" if found.wrong_from is None else f"N = {found.wrong_from}"
        say(f"  wrong on a share of {error} or more from: {at}", 4)
    if found.needs != "0":
        _tell_needs(found)


def _tell_assumed(hypotheses: str, preset: str | None) -> None:
    """What all that follows assumes."""
    say(f"assumed: {assumed(hypotheses, preset)}", 2)


def _tell_preset(preset: str | None, sizes: Mapping[str, Any]) -> None:
    """What a size that was named is."""
    if preset is not None:
        known = PRESETS[preset]
        say(f"{preset}: {known.about} (sizes from {known.source}), at {sizes['precision']} bits a number", 2)


def _tell_needs(found: cc.bounds.ModelBound) -> None:
    """What the task needs, why, and what a model has."""
    say(f"  the task needs {found.needs} bits: {found.requirement.reason}", 4)
    if found.certificate is not None:
        say(f"  certificate for every length: {found.certificate.verify()}", 4)
    if found.theorem:
        say(f"  proved for every N in Coq: {found.theorem} in proofs/EveryLength.v", 4)
    say(f"  a model of that size has {found.costs.replace('**', '^')} bits", 4)
    for line in _symbols(found):
        typer.echo(f"    {line}")


def _sizes(preset: str | None, **given: Any) -> dict[str, Any]:
    """The size that was given, or that of a public model, of which only the bits of a number can be chosen."""
    named = {name: value for name, value in given.items() if value is not None}
    if preset is None:
        for name in ("kind", "width", "precision"):
            if name not in named:
                raise InputError(name if name == "kind" else f"--{name}", None, "given, if no --preset is")
        return {**named, "kind": named["kind"].value}
    if preset not in PRESETS:
        raise InputError("--preset", preset, f"one of {', '.join(PRESETS)}")
    known = PRESETS[preset]
    said = sorted(set(named) - {"precision"})
    if said:
        raise InputError("--preset", preset, f"given with no more than --precision: it says {', '.join(said)} already")
    names = ("kind", "width", "precision", *(("heads", "head_width", "window") if known.kind == "transformer" else ()))
    return {name: getattr(known, name) for name in names} | named


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
