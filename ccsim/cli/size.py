"""``ccsim size``: which sizes of a kind of model a task excludes, and from which length on."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property, partial
from math import floor
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Exit, Option, echo

from ccsim import bounds
from ccsim.auditing.product_reachability import Budget
from ccsim.auditing.requirements import MOST_CELLS, PrefixClasses, two_way_need
from ccsim.auditing.result import count_text
from ccsim.auditing.tasks import read_task
from ccsim.bounds.model_size import REQUIREMENTS, require_share
from ccsim.bounds.one_message import one_way
from ccsim.bounds.protocol_bits import PRESETS, Size, read_size
from ccsim.certificates import Certificate
from ccsim.cli.app import JsonFlag, print_json, say
from ccsim.cli.progress import shown_progress
from ccsim.errors import InputError, require_integer
from ccsim.plain_data import counted, require_place
from ccsim.problems import SequenceTask
from ccsim.problems.catalogue import registered_problems
from ccsim.problems.sequence_tasks import Partition

OWN = re.compile(r":|\.json$")


MOST_LENGTH = 1 << 12
SECONDS = 20.0
MOST_CLASSES = 1 << 17
DIGITS = 10**6  # shares are rounded down to such parts

Kind = StrEnum("Kind", ["recurrent", "transformer"])


def size(
    kind: Annotated[Kind | None, Argument(help="The architecture; a transformer has one layer.")] = None,
    task: Annotated[
        str,
        Option(help="With a known bound, such as dyck or index-lookup; at one --length any of `ccsim audit`."),
    ] = "",
    width: Annotated[int | None, Option(help="Numbers of state in all layers, or the transformer's width.")] = None,
    precision: Annotated[int | None, Option(help="Bits of every number; 16 of a --preset, if not given.")] = None,
    heads: Annotated[int | None, Option(help="Attention heads; one if not given.")] = None,
    head_width: Annotated[
        int | None, Option(help="Numbers in each head and value; the width, as in the papers, if not given.")
    ] = None,
    window: Annotated[
        int | None, Option(help="How many last positions a transformer's heads see; all if not given.")
    ] = None,
    preset: Annotated[
        str | None, Option(help=f"The size of a public model, in place of kind and sizes: {', '.join(PRESETS)}.")
    ] = None,
    length: Annotated[int | None, Option("--length", "-n", help="N, to be told what holds there.")] = None,
    error: Annotated[
        str | None, Option(help="A share such as 1/4: from which N on every model is wrong on so many words.")
    ] = None,
    save: Annotated[Path | None, Option(help="A file for the certificate of what the task needs.")] = None,
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
        with shown_progress(f"counting what {task} needs at that length"):
            own = own_size(task, length, error, sizes)
        if save is not None:
            own.save(save)
        excluded, plain, tell = own.excluded, partial(own.to_json, preset), own.tell
        hypotheses = own.size.hypotheses
    else:
        with shown_progress(f"comparing with what {task} needs"):
            bound = bounds.model(**sizes, task=task, length=length, error=error)
        if save is not None:
            if bound.certificate is None:
                expected = f"a task with a certificate for every length, which {task} is not"
                raise InputError("--save", str(save), expected)
            bound.certificate.save(save)
        excluded, plain, tell = bool(bound.excluded), partial(_plain, bound, preset), partial(_tell, bound, error)
        hypotheses = bound.hypotheses
    if json:
        print_json(plain())
        raise Exit(excluded)
    say(f"assumed: {assumed(hypotheses, preset)}", 2)
    if preset is not None:
        known = PRESETS[preset]
        say(f"{preset}: {known.about} (sizes from {known.source}), at {sizes['precision']} bits a number", 2)
    tell()
    if save is not None:
        say(f"saved {save}: what {task} needs", 2)
    raise Exit(excluded)


def _plain(bound: bounds.ModelBound, preset: str | None) -> dict[str, Any]:
    proof, wrong = bound.certificate, bound.error
    return {
        **{name: value for name, value in vars(bound).items() if name not in ("requirement", "scale")},
        "vacuous": bound.vacuous,
        "hypotheses": assumed(bound.hypotheses, preset),
        "reason": bound.requirement.reason,
        "certificate": None if proof is None else proof.verify(),
        "theorem": bound.theorem or None,
        "preset": preset,
        "error": None if wrong is None else {"share": floor(wrong.share * DIGITS) / DIGITS, "told": wrong.text},
    }


def _tell(bound: bounds.ModelBound, error: str | None) -> None:
    say(bound.sentence, 2)
    if bound.excluded and bound.error is not None:
        say(f"  every such model is {bound.error}", 4)
    if error is not None:
        at = "no length is known" if bound.wrong_from is None else f"N = {bound.wrong_from}"
        say(f"  wrong on a share of {error} or more from: {at}", 4)
    if bound.needs == "0":
        return
    say(f"  the task needs {bound.needs} bits: {bound.requirement.reason}", 4)
    if bound.certificate is not None:
        say(f"  certificate for every length: {bound.certificate.verify()}", 4)
    if bound.theorem:
        say(f"  proved for every N in Coq: {bound.theorem} in proofs/EveryLength.v", 4)
    say(f"  a model of that size has {bound.costs.replace('**', '^')} bits", 4)
    for line in _symbols(bound):
        echo(f"    {line}")


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
    fixed = sorted(set(named) - {"precision"})
    if fixed:
        raise InputError("--preset", preset, f"given with no more than --precision: it says {', '.join(fixed)} already")
    names = ("kind", "width", "precision", *(("heads", "head_width", "window") if known.kind == "transformer" else ()))
    return {name: getattr(known, name) for name in names} | named


def _symbols(bound: bounds.ModelBound) -> list[str]:
    size = bound.size
    meanings = {
        "N": (bound.length, "the length"),
        "m": (size["width"], "numbers of state"),
        "p": (size["precision"], "bits of a number"),
        "H": (size.get("heads"), "heads"),
        "v": (size.get("head_width"), "numbers in each head and value"),
        "s": (bound.requirement.symbols, "symbols that a position can have"),
    }
    used = set(re.findall(r"[A-Za-z]+", f"{bound.needs} {bound.costs}"))
    return [
        f"{letter}{'' if value is None else f' = {value}'}: {text}"
        for letter, (value, text) in meanings.items()
        if letter in used
    ]


def assumed(hypotheses: str, preset: str | None) -> str:
    layers = 1 if preset is None else PRESETS[preset].layers
    return (
        hypotheses.replace("a stack of layers", f"the stack of {layers} layers of {preset}")
        if layers > 1
        else hypotheses
    )


@dataclass(frozen=True)
class OwnSize:
    """A size and a task at one length; no certificate of a matrix that is too large, no classes for transformers."""

    task: SequenceTask
    size: Size
    needed: int
    has: int
    reason: str
    certificate: Certificate | None
    classes: PrefixClasses | None = None
    share: Fraction | None = None

    @property
    def excluded(self) -> bool:
        return self.has < self.needed

    @cached_property
    def wrong(self) -> int:
        """The words on which every model of the size is wrong, as far as is known."""
        return 0 if self.classes is None else self.classes.least_wrong(self.has)

    def tell(self) -> None:
        excluded = "excluded" if self.excluded else "not excluded"
        kind = "recurrent" if self.size.kind == "recurrent" else "one layer of a transformer"
        size = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in self.size.numbers().items())
        bits, at = counted(self.needed, "bit"), f"N = {self.task.length}"
        say(f"{kind} with {size} on {self.task.name}: {excluded} at {at} (needs {bits}, it has {self.has})", 2)
        if self.wrong:
            say(f"  every such model is {self._wrong_text}", 4)
        if self.classes is not None and self.share is not None:
            most = self.classes.bits_that_fail(self.share)
            if most is None:
                say(f"  no model has to be wrong on {self.share} of all words at {at}, whatever its size", 4)
            else:
                bits = counted(most, "bit of state")
                say(f"  with at most {bits} every model is wrong on {self.share} of all words or more", 4)
        say(f"  {self.reason}", 4)
        if self.certificate is not None:
            say(f"  certificate: {self.certificate.verify()}", 4)

    @property
    def _wrong_text(self) -> str:
        assert self.classes is not None
        return f"wrong on {count_text(self.wrong)} of {count_text(self.classes.words)} words or more"

    def to_json(self, preset: str | None) -> dict[str, Any]:
        error, most = None, None
        if self.classes is not None:
            share = self.wrong * DIGITS // self.classes.words / DIGITS
            error = {"share": share, "told": self._wrong_text} if self.wrong else None
            most = None if self.share is None else self.classes.bits_that_fail(self.share)
        return {
            "kind": self.size.kind,
            "task": self.task.name,
            "size": self.size.numbers(),
            "length": self.task.length,
            "needs": str(self.needed),
            "costs": str(self.has),
            "excluded_from": None,
            "excluded": self.excluded,
            "smallest_width": None,
            "needed_bits": self.needed,
            "protocol_bits": self.has,
            "vacuous": not self.excluded,
            "hypotheses": assumed(self.size.hypotheses, preset),
            "reason": self.reason,
            "certificate": None if self.certificate is None else self.certificate.verify(),
            "theorem": None,
            "wrong_from": None,
            "wrong_up_to_bits": most,
            "preset": preset,
            "error": error,
        }

    def save(self, path: Path) -> None:
        if self.certificate is None:
            few = f"a length from 2 on at which {self.task.name} has at most {MOST_CELLS} words, for a certificate"
            raise InputError("--save", str(path), few)
        self.certificate.save(path)


def own_size(text: str, length: int | None, error: str | None, sizes: dict[str, Any]) -> OwnSize:
    """What a task needs at a length and what a size has there; an error if its classes or its matrix are too large."""
    if length is None:
        raise InputError("--length", "not given", f"a length, as needs of the task {text} are counted at one length")
    share = None if error is None else require_share(text, error)
    if share is not None and sizes["kind"] != "recurrent":
        raise InputError(
            "--error", error, f"a recurrent size: for {text} it is not counted where transformers are wrong"
        )
    task = read_task(text, require_integer("length", length, 1, MOST_LENGTH))
    known = {"heads": 1, "head_width": None, "window": None} | sizes
    size = read_size(**known, symbols=lambda _: len(task.alphabet), halves=False)
    return _recurrent(task, size, share) if size.kind == "recurrent" else _transformer(task, size)


def _recurrent(task: SequenceTask, size: Size, share: Fraction | None) -> OwnSize:
    classes = PrefixClasses.of(task, Budget(states=MOST_CLASSES, seconds=SECONDS))
    if classes is None:
        expected = "a task that is asked of all words and whose prefixes can be counted, read from left to right"
        raise InputError("--task", task.name, expected)
    read, most = classes.worst
    are = "there is one class of prefixes" if most == 1 else f"there are {most} classes of prefixes"
    reason = f"after {counted(read, 'symbol')} {are} that some end tells apart, counted"
    certificate = None
    if read and task.words.size <= MOST_CELLS:
        matrix = task.split(Partition.prefix(task.length, read)).matrix
        certificate = Certificate.from_bracket(one_way(matrix), matrix)
    needed = (most - 1).bit_length()
    return OwnSize(task, size, needed, size.own_cost(task.length), reason, certificate, classes, share)


def _transformer(task: SequenceTask, size: Size) -> OwnSize:
    best = two_way_need(task, SECONDS)
    if best is None:
        raise InputError("--length", task.length, "a length at which the matrix of the task is small enough")
    bracket, name = best
    needed = int(bracket.lower)
    size = replace(size, halves=name == "two halves")
    has = size.own_cost(task.length) + (len(task.answers) - 1).bit_length() - 1  # one for two answers
    reason = f"two parties with {name} exchange at least {needed} bits: a lower bound that is proved at this length"
    return OwnSize(task, size, needed, has, reason, bracket.certificate)
