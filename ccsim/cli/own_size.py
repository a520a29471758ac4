"""``ccsim size`` for tasks that people bring: what they ask of a size at one length, counted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from ccsim.arguments import require_integer
from ccsim.auditing.budget import Budget
from ccsim.auditing.needs import MOST_CELLS, PrefixClasses, two_way_need
from ccsim.auditing.result import count_text
from ccsim.auditing.sampled_words import machine_of
from ccsim.auditing.tasks import read_task
from ccsim.bounds.model_size import require_share
from ccsim.bounds.one_message import one_way
from ccsim.bounds.protocol_bits import PRESETS, Size, read_size
from ccsim.certificates import Certificate
from ccsim.cli.output import say
from ccsim.errors import InputError
from ccsim.models.comparison import Comparison
from ccsim.problems import SequenceTask
from ccsim.problems.sequence.task import Partition

MOST_LENGTH = 1 << 12
SECONDS = 20.0
MOST_CLASSES = 1 << 17
DIGITS = 10**6  # shares are rounded down to such parts


def assumed(hypotheses: str, preset: str | None) -> str:
    """The hypotheses; of a public transformer, that its layers together are not covered."""
    layers = 1 if preset is None else PRESETS[preset].layers
    return (
        hypotheses.replace("a stack of layers", f"the stack of {layers} layers of {preset}")
        if layers > 1
        else hypotheses
    )


@dataclass(frozen=True)
class OwnSize:
    """A size beside a task at one length.

    Attributes:
        task: the task.
        size: the size.
        needed, has: bits that the task needs, and that a model of the size has.
        reason: why it needs them.
        certificate: of what is needed; None where its matrix is too large.
        classes: of prefixes; None for transformers.
        share: of words, if it was asked for.
    """

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
        """Whether no model of the size is right on all words."""
        return self.has < self.needed

    @cached_property
    def wrong(self) -> int:
        """On so many words every model of the size is wrong, as far as is known."""
        return 0 if self.classes is None else self.classes.least_wrong(self.has)

    def tell(self) -> None:
        """For people."""
        excluded = "excluded" if self.excluded else "not excluded"
        kind = "recurrent" if self.size.kind == "recurrent" else "one layer of a transformer"
        size = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in self.size.told().items())
        bits, at = _many(self.needed, "bit"), f"N = {self.task.length}"
        say(f"{kind} with {size} on {self.task.name}: {excluded} at {at} (needs {bits}, it has {self.has})", 2)
        if self.wrong:
            say(f"  every such model is {self._wrong_text}", 4)
        if self.classes is not None and self.share is not None:
            most = self.classes.bits_that_fail(self.share)
            never = f"no model has to be wrong on {self.share} of all words at {at}, whatever its size"
            far = (
                f"with at most {_many(most, 'bit')} of state every model is wrong on {self.share} of all words or more"
            )
            say(f"  {never if most is None else far}", 4)
        say(f"  {self.reason}", 4)
        if self.certificate is not None:
            say(f"  certificate: {self.certificate.verify()}", 4)

    @property
    def _wrong_text(self) -> str:
        assert self.classes is not None
        return f"wrong on {count_text(self.wrong)} of {count_text(self.classes.words)} words or more"

    def to_json(self, preset: str | None) -> dict[str, Any]:
        """As for tasks whose needs are known at every length, of which nothing is said here."""
        error, most = None, None
        if self.classes is not None:
            share = self.wrong * DIGITS // self.classes.words / DIGITS
            error = {"share": share, "told": self._wrong_text} if self.wrong else None
            most = None if self.share is None else self.classes.bits_that_fail(self.share)
        return {
            "kind": self.size.kind,
            "task": self.task.name,
            "size": self.size.told(),
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
        """Save the certificate; an :class:`~ccsim.errors.InputError` if there is none."""
        if self.certificate is None:
            few = f"a length from 2 on at which {self.task.name} has at most {MOST_CELLS} words, for a certificate"
            raise InputError("--save", str(path), few)
        self.certificate.save(path)


def own_size(text: str, length: int | None, error: str | None, sizes: dict[str, Any]) -> OwnSize:
    """What a task needs at a length and what a size has there.

    Raises :class:`~ccsim.errors.InputError` for tasks whose classes of prefixes, or whose matrix, is too large.
    """
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
    machine = machine_of(task)
    symbols = Comparison.ranks_allowed(task)
    limits = Budget(states=MOST_CLASSES, seconds=SECONDS)
    classes = None if machine is None else PrefixClasses.of(machine, symbols, limits)
    if classes is None:
        expected = "a task that is asked of all words and whose prefixes can be counted, read from left to right"
        raise InputError("--task", task.name, expected)
    read, most = classes.worst
    are = "there is one class of prefixes" if most == 1 else f"there are {most} classes of prefixes"
    reason = f"after {_many(read, 'symbol')} {are} that some end tells apart, counted"
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


def _many(count: int | None, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
