"""``ccsim size``: which sizes of a kind of model a task excludes, and from which length on.

Models of a size cannot do a task, by a bound; they can, by one that is built here; or neither is known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property, partial
from importlib import import_module
from math import floor, inf
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Exit, Option, echo

from ccsim import auditing, bounds
from ccsim.auditing.product_reachability import Budget
from ccsim.auditing.requirements import MOST_CELLS, PrefixClasses, two_way_need
from ccsim.auditing.result import count_text
from ccsim.auditing.tasks import read_task
from ccsim.bounds.model_size import REQUIREMENTS, ModelBound, require_share, word_shape
from ccsim.bounds.one_message import one_way
from ccsim.bounds.protocol_bits import PRESETS, Size, power_bits, read_size
from ccsim.certificates import Certificate
from ccsim.cli.app import JsonFlag, print_json, print_text
from ccsim.cli.progress import shown_progress
from ccsim.cli.saving import places_of
from ccsim.errors import InputError, require_integer
from ccsim.models import OneLayerTransformer, SequenceModel
from ccsim.models.recurrent import RecurrentModel
from ccsim.plain_data import counted
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
        Option(help="A task, such as dyck; all if not given. With --length, also any task of `ccsim audit`."),
    ] = "",
    width: Annotated[int | None, Option(help="Width of a transformer; of a recurrent model, numbers of state.")] = None,
    precision: Annotated[int | None, Option(help="Bits of each number; with --preset 16 if not given.")] = None,
    heads: Annotated[
        int | None, Option(help="Attention heads, which share the width: of 64, 4 heads have 16 each.")
    ] = None,
    head_width: Annotated[
        int | None, Option(help="Numbers in each head, if not width / heads; the papers use the whole width.")
    ] = None,
    window: Annotated[int | None, Option(help="Each head sees so many last positions; all if not given.")] = None,
    preset: Annotated[
        str | None, Option(help=f"A public model, in place of kind and sizes: {', '.join(PRESETS)}.")
    ] = None,
    length: Annotated[int | None, Option("--length", "-n", help="N, the length of words; all if not given.")] = None,
    error: Annotated[
        str | None, Option(help="A share such as 1/4: also print from which N on so many words must be wrong.")
    ] = None,
    save: Annotated[Path | None, Option(help="A file for the certificate of what the task needs.")] = None,
    everything: Annotated[
        bool, Option("--all", help="Also print the certificate, and the formula of the model's bits.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Decide whether a model of a size can do a task: CANNOT, CAN or NOT KNOWN.

    CANNOT is proved by communication: whatever its weights, the model is wrong on some word. CAN: such a model is built
    and run by this command, or its state has room for a table that is right. Exit code 1 if it cannot do --task at
    --length, else 0.
    """
    places_of([save] if save else None, pictures=False)
    given = {"kind": kind, "width": width, "precision": precision, "heads": heads, "head_width": head_width}
    sizes = _sizes(preset, **given, window=window)
    if not task:
        if error is not None or save is not None:
            raise InputError("--task", "not given", "a task, for --error and --save")
        _all_tasks(sizes, preset, length, json)
        return
    if task not in REQUIREMENTS and (OWN.search(task) or task in registered_problems()):
        with shown_progress(f"counting what {task} needs at that length"):
            own = own_size(task, length, error, sizes)
        if save is not None:
            own.save(save)
        found, plain, show = own.ability, partial(own.to_json, preset), own.show
        hypotheses, numbers = own.size.hypotheses, dict(own.size.numbers())
    else:
        with shown_progress(f"comparing with what {task} needs"):
            bound = bounds.model(**sizes, task=task, length=length, error=error)
        if save is not None:
            if bound.certificate is None:
                expected = f"a task with a certificate for every length; for {bound.kind} models {task} has none"
                raise InputError("--save", str(save), expected)
            bound.certificate.save(save)
        with shown_progress(f"building a model for {task}"):
            found = ability(bound)
        plain, show = partial(_plain, bound, preset), partial(_print_bound, bound, error, everything)
        hypotheses, numbers = bound.hypotheses, dict(bound.size)
    excluded = found.verdict is Feasibility.CANNOT and length is not None
    if json:
        print_json({**plain(), "answer": vars(found)})
        raise Exit(excluded)
    print_text(found.sentence(size_in_words(numbers, sizes["kind"], preset)), 2)
    show()
    _assumptions(hypotheses, preset, sizes, found.verdict is Feasibility.CAN)
    if save is not None:
        print_text(f"saved {save}: what {task} needs", 2)
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


ALLOWED = {
    "recurrent": "the state may change by any rule: cells of one kind, such as those of an LSTM, may do less",
    "transformer": "the network after the attention may have any size, and numbers the steps that are stated",
}
"""What models that are built here make use of."""


def _assumptions(hypotheses: str, preset: str | None, sizes: dict[str, Any], can: bool) -> None:
    print_text(f"  the bound assumes {assumed(hypotheses, preset)}", 4)
    if can:
        print_text(f"  where it can, {ALLOWED[sizes['kind']]}", 4)
    if preset is not None:
        known = PRESETS[preset]
        print_text(f"  {preset}: {known.about} (sizes from {known.source}), at {sizes['precision']} bits a number", 4)
    elif sizes.get("heads", 1) > 1:
        print_text(
            f"  width {sizes['width']} with {sizes['heads']} heads is {sizes['head_width']} numbers in each, as in the"
            " libraries; --head-width sets another number",
            4,
        )


def _all_tasks(sizes: dict[str, Any], preset: str | None, length: int | None, json: bool) -> None:
    """A line for each task with a bound at every length."""
    rows, odd = [], []
    with shown_progress("comparing", len(REQUIREMENTS)) as advance:
        for done, (task, need) in enumerate(REQUIREMENTS.items()):
            advance(task, done)
            if length is not None and length % need.step:
                odd.append(task)
            else:
                bound = bounds.model(**sizes, task=task, length=length)
                rows.append(ability(bound))
    if json:
        print_json([vars(row) for row in rows])
        return
    cannot, can, unknown = (sum(row.verdict is verdict for row in rows) for verdict in Feasibility)
    where = "at some length" if length is None else f"at N = {length}"
    print_text(
        f"{size_in_words(bound.size, bound.kind, preset)}: of {counted(len(rows), 'task')} it cannot do {cannot}"
        f" {where}, it can do {can}, and of {unknown} it is not known.",
        2,
    )
    for row in rows:
        print_text(f"{row.verdict:<9}  {row.task}{f' {row.where}' * (length is None)}: {row.why}", 11)
    if odd:
        print_text(f"no words of odd length: {', '.join(odd)}", 2)
    _assumptions(bound.hypotheses, preset, sizes, bool(can))


def _print_bound(bound: bounds.ModelBound, error: str | None, everything: bool) -> None:
    if bound.length is not None and bound.excluded_from is not None:
        print_text(f"  excluded from N = {bound.excluded_from} on{', N even' * (bound.requirement.step == 2)}", 4)
    if bound.excluded:
        kind = "head width" if bound.kind == "transformer" else "width"
        print_text(f"  the smallest {kind} that is not excluded at N = {bound.length}: {bound.smallest_width}", 4)
    if bound.excluded and bound.error is not None:
        print_text(f"  every such model is {bound.error}", 4)
    if error is not None:
        at = "from no N that is known" if bound.wrong_from is None else f"from N = {bound.wrong_from} on"
        print_text(f"  wrong on at least {error} of the words that the bound is about: {at}", 4)
    if bound.needs == "0":
        return
    print_text(f"  the task needs {bound.needs} bits: {bound.requirement.reason}", 4)
    if not everything:
        print_text("  --all: the certificate, and how the bits of a model of that size are counted", 4)
        return
    if bound.certificate is not None:
        print_text(f"  certificate for every length: {bound.certificate.verify()}", 4)
    if bound.theorem:
        print_text(f"  proved for every N in Coq: {bound.theorem} in proofs/EveryLength.v", 4)
    print_text(f"  a model of that size has {bound.costs.replace('**', '^')} bits", 4)
    for line in _symbols(bound):
        echo(f"    {line}")


def _sizes(preset: str | None, **given: Any) -> dict[str, Any]:
    """The size that was given, or that of a public model, of which only the bits of a number can be chosen."""
    named = {name: value for name, value in given.items() if value is not None}
    if preset is None:
        needed = {"kind": "recurrent or transformer", "width": "a number, such as 64", "precision": "bits, such as 16"}
        for name, expected in needed.items():
            if name not in named:
                option = name if name == "kind" else f"--{name}"
                raise InputError(option, "not given", f"{expected}; or a public model by --preset, such as gpt2")
        if (heads := named.get("heads", 1)) > 1 and "head_width" not in named and named["kind"] == "transformer":
            if named["width"] % heads:
                raise InputError("--heads", heads, f"a divisor of the width {named['width']}; or give --head-width")
            named["head_width"] = named["width"] // heads
        return {**named, "kind": named["kind"].value}
    if preset not in PRESETS:
        raise InputError("--preset", preset, f"one of {', '.join(PRESETS)}")
    known = PRESETS[preset]
    fixed = sorted(set(named) - {"precision"})
    if fixed:
        raise InputError("--preset", preset, f"no {', '.join(fixed)} beside it: the model has its own")
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

    @property
    def ability(self) -> Ability:
        """The verdict at this length. With a state for each class of prefixes a table is enough."""
        needs, has, at = f"the task needs {counted(self.needed, 'bit')}", f"and it has {self.has}", self.task.length
        if self.excluded:
            verdict, why = Feasibility.CANNOT, f"{needs}, {has}"
        elif self.classes is not None:
            verdict, why = Feasibility.CAN, _by_tables(self.needed)
        else:
            verdict, why = Feasibility.UNKNOWN, f"{needs} at least, {has}"
        return Ability(verdict, self.task.name, f"at N = {at}", why)

    @cached_property
    def wrong(self) -> int:
        """The words on which every model of the size is wrong, as far as is known."""
        return 0 if self.classes is None else self.classes.least_wrong(self.has)

    def show(self) -> None:
        at = f"N = {self.task.length}"
        if self.wrong:
            print_text(f"  every such model is {self._wrong_text}", 4)
        if self.classes is not None and self.share is not None:
            most = self.classes.bits_that_fail(self.share)
            if most is None:
                print_text(f"  no model has to be wrong on {self.share} of all words at {at}, whatever its size", 4)
            else:
                bits = counted(most, "bit of state")
                print_text(f"  with at most {bits} every model is wrong on {self.share} of all words or more", 4)
        print_text(f"  {self.reason}", 4)
        if self.certificate is not None:
            print_text(f"  certificate: {self.certificate.verify()}", 4)

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
        raise InputError("--length", "not given", f"a length: what {text} needs is counted at one length")
    share = None if error is None else require_share(text, error)
    if share is not None and sizes["kind"] != "recurrent":
        raise InputError(
            "--error", error, f"a recurrent model: of transformers no share of wrong words is known for {text}"
        )
    task = read_task(text, require_integer("length", length, 1, MOST_LENGTH))
    known = {"heads": 1, "head_width": None, "window": None} | sizes
    size = read_size(**known, symbols=lambda _: len(task.alphabet), halves=False)
    return _recurrent(task, size, share) if size.kind == "recurrent" else _transformer(task, size)


def _recurrent(task: SequenceTask, size: Size, share: Fraction | None) -> OwnSize:
    classes = PrefixClasses.of(task, Budget(states=MOST_CLASSES, seconds=SECONDS))
    if classes is None:
        expected = "a task on all words, read from left to right, with few enough classes of prefixes to count"
        raise InputError("--task", task.name, expected)
    read, most = classes.worst
    are = "there is one class" if most == 1 else f"there are {most} classes"
    reason = f"after {counted(read, 'symbol')} {are} of prefixes (Nerode), counted"
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


MOST_BUILT = {"recurrent": 1024, "transformer": 256}  # N up to which models are built
ALWAYS = 16  # the N at which one is built that is right at every length
TRIED, WORDS = 2.0, 1 << 12  # of the audit of what is built
MOST_WORD = 1 << 8  # bits of the words of a task whose classes are counted
COMPLEMENT = {"inequality-of-halves": "equality-of-halves", "intersection-of-halves": "disjointness-of-halves"}


class Feasibility(StrEnum):
    CANNOT = "CANNOT"
    CAN = "CAN"
    UNKNOWN = "NOT KNOWN"


@dataclass(frozen=True)
class Ability:
    """A verdict on a task, at which lengths it holds, and why."""

    verdict: Feasibility
    task: str
    where: str
    why: str

    def sentence(self, size: str) -> str:
        """The answer, which needs no other line.

        >>> Ability(Feasibility.CANNOT, "dyck", "at N = 4", "why").sentence("A model")
        'CANNOT: A model is wrong on some word of dyck at N = 4: why.'
        """
        about = {
            Feasibility.CANNOT: f"{size} is wrong on some word of {self.task} {self.where}",
            Feasibility.CAN: f"{size} is enough for {self.task} {self.where}",
            Feasibility.UNKNOWN: f"{size} may or may not be enough for {self.task} {self.where}",
        }
        return f"{self.verdict}: {about[self.verdict]}: {self.why}."


def size_in_words(size: Mapping[str, int], kind: str, preset: str | None = None) -> str:
    about, bits = f" of the size of {preset}" if preset else "", f"{size['precision']} bits"
    if kind == "recurrent":
        return f"A recurrent model{about} (numbers of state: {size['width']}, of {bits} each)"
    heads = f"{counted(size['heads'], 'head')} of {size['head_width']}"
    window = f" that see {size['window']} positions" if "window" in size else ""
    return f"One transformer layer{about} (width {size['width']}, {heads}{window}, numbers of {bits})"


def ability(bound: ModelBound) -> Ability:
    """The verdict on a task with a bound for every length."""
    known = bound.excluded if bound.length is not None else bound.excluded_from is not None
    built = None if known else _built(bound)
    verdict = Feasibility.CANNOT if known else Feasibility.CAN if built else Feasibility.UNKNOWN
    if bound.length is not None:
        where = f"at N = {bound.length}"
        too_much = f"the task needs {counted(int(bound.needed_bits or 0), 'bit')}, and it has {bound.protocol_bits}"
    else:
        from_on = f"at every N from {bound.excluded_from} on{', N even' * (bound.requirement.step == 2)}"
        where = from_on if known else "at every N" if built else "at any N"
        too_much = f"the task needs {bound.needs} bits there, more than it has"
    return Ability(verdict, bound.task, where, too_much if known else built or _unknown(bound))


def _unknown(bound: ModelBound) -> str:
    if bound.excluded_from is not None:
        return f"excluded from N = {bound.excluded_from} on; below, none so small is built here"
    more = "" if bound.length is not None else " (with -n N, more is tried)"
    return f"no bound excludes it, and none so small is built here{more}"


def _built(bound: ModelBound) -> str | None:
    """What is built here of at most that size, and what its audit found; None if it is larger, wrong or not there."""
    kind, task, length, size = bound.kind, bound.task, bound.length, bound.size
    every = length is None or length > MOST_BUILT[kind]  # then only what is right at every length
    far = ALWAYS if every else length or 0
    tables = _tables(bound, length) if length and kind == "recurrent" else None
    asked = COMPLEMENT.get(task, task)
    made = import_module("protocols.constructions.built").BUILT.get((kind, asked))
    if made is None or size.get("window", inf) < word_shape(task, far)[0]:
        return tables
    build, task_of = made
    model: SequenceModel = build(far)
    fits = _fitting(model, size)
    if fits is None:
        return tables
    found = auditing.audit(model, task_of(far), seconds=TRIED, words=min(WORDS, (WORDS << 4) // far))
    if found.verdict == "wrong" or (every and not found.every_length):
        return tables
    run = "proved right on all words" if found.verdict == "right" else "run here on words, each answered rightly"
    turned = "" if asked == task else f", for {asked}: the other answer is given"
    return f"built here ({fits}) and {run}{turned}"


def _tables(bound: ModelBound, length: int) -> str | None:
    """With a state for each word, or for each class of prefixes, a table for each position is right."""
    has = bound.size["width"] * bound.size["precision"]
    positions, symbols = word_shape(bound.task, length)
    word = power_bits(symbols, positions)
    if word <= has:
        return f"its state holds the whole word ({counted(word, 'bit')}), so that a table for each position is enough"
    if word > MOST_WORD:
        return None
    classes = PrefixClasses.of(read_task(bound.task, length), auditing.Budget(states=WORDS, seconds=TRIED))
    needed = None if classes is None else (classes.worst[1] - 1).bit_length()
    return None if needed is None or needed > has else _by_tables(needed)


def _by_tables(needed: int) -> str:
    return f"a table for each position needs {counted(needed, 'bit')} of state, by classes that this command counted"


def _fitting(model: SequenceModel, size: Any) -> str | None:
    if isinstance(model, RecurrentModel):
        fits = model.state_bits <= size["width"] * size["precision"]
        return counted(model.state_bits, "bit of state") if fits else None
    assert isinstance(model, OneLayerTransformer)
    maps = model.block.maps
    has = {
        "width": model.width,
        "heads": len(maps),
        "head_width": max(part.outputs for head in maps for part in head),
        "precision": model.precision.bits,
    }
    heads = f"{counted(len(maps), 'head')} of {has['head_width']}"
    return None if any(has[name] > size[name] for name in has) else f"width {model.width}, {heads}, {model.precision}"
