"""Whether models of a size can do a task: they cannot, by a bound; they can, by one that is built here; or neither."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import Any

from ccsim import auditing
from ccsim.auditing.requirements import PrefixClasses
from ccsim.auditing.tasks import read_task
from ccsim.bounds.model_size import ModelBound, word_shape
from ccsim.bounds.protocol_bits import power_bits
from ccsim.models import OneLayerTransformer, SequenceModel
from ccsim.models.recurrent import RecurrentModel
from ccsim.plain_data import counted
from ccsim.problems import SequenceTask

MOST_BUILT = {"recurrent": 1024, "transformer": 256}  # N up to which models are built
ALWAYS = 16  # the N at which one is built that is right at every length
SECONDS, WORDS = 2.0, 1 << 12  # of the audit of what is built
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
    even = ", N even" if bound.requirement.step == 2 else ""
    known = bound.excluded if bound.length is not None else bound.excluded_from is not None
    built = None if known else _built(bound)
    if bound.length is not None:
        where = f"at N = {bound.length}"
        if bound.excluded:
            why = f"the task needs {counted(int(bound.needed_bits or 0), 'bit')}, and it has {bound.protocol_bits}"
            return Ability(Feasibility.CANNOT, bound.task, where, why)
        if built:
            return Ability(Feasibility.CAN, bound.task, where, built)
        return Ability(Feasibility.UNKNOWN, bound.task, where, _unknown(bound))
    if bound.excluded_from is not None:
        why = f"the task needs {bound.needs} bits there, more than it has"
        return Ability(Feasibility.CANNOT, bound.task, f"at every N from {bound.excluded_from} on{even}", why)
    if built:
        return Ability(Feasibility.CAN, bound.task, "at every N", built)
    return Ability(Feasibility.UNKNOWN, bound.task, "at any N", _unknown(bound))


def _unknown(bound: ModelBound) -> str:
    if bound.excluded_from is not None:
        return f"excluded from N = {bound.excluded_from} on; below, none so small is built here"
    more = "" if bound.length is not None else " (with -n N, more is tried)"
    return f"no bound excludes it, and none so small is built here{more}"


def ability_at(task: SequenceTask, needed: int, has: int, classes: PrefixClasses | None) -> Ability:
    """The verdict on a task of one's own at one length. With a state for each class of prefixes a table is enough."""
    where = f"at N = {task.length}"
    if has < needed:
        why = f"the task needs {counted(needed, 'bit')}, and it has {has}"
        return Ability(Feasibility.CANNOT, task.name, where, why)
    if classes is not None:
        return Ability(Feasibility.CAN, task.name, where, _by_tables(needed))
    why = f"the task needs {counted(needed, 'bit')} at least, and it has {has}"
    return Ability(Feasibility.UNKNOWN, task.name, where, why)


def _built(bound: ModelBound) -> str | None:
    """What is built here of at most that size, and what its audit found; None if it is larger, wrong or not there."""
    kind, task, length, size = bound.kind, bound.task, bound.length, bound.size
    every = length is None or length > MOST_BUILT[kind]  # then only what is right at every length
    far = ALWAYS if length is None or every else length
    tables = None if length is None or kind != "recurrent" else _tables(bound, length)
    asked = COMPLEMENT.get(task, task)
    made = import_module("protocols.constructions.built").BUILT.get((kind, asked))
    if made is None or size.get("window", far) < far:
        return tables
    build, task_of = made
    model: SequenceModel = build(far)
    fits = _fitting(model, size)
    if fits is None:
        return tables
    found = auditing.audit(model, task_of(far), seconds=SECONDS, words=min(WORDS, (WORDS << 4) // far))
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
    classes = PrefixClasses.of(read_task(bound.task, length), auditing.Budget(states=WORDS, seconds=SECONDS))
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
