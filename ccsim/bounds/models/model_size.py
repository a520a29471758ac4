"""What a communication bound says about the size of a model: which sizes are excluded, and from which length on.

A model of a kind is a protocol whose bits are a formula in its size; a task has a communication complexity, another
formula. A size is excluded at a length if its protocol costs less than the task needs. Both sides are exact integers
here; closed forms are sympy expressions in the same symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import lazy_loader as lazy

from ccsim.arguments import require_integer
from ccsim.arithmetic import Precision
from ccsim.bounds.models.every_length import task_certificate
from ccsim.bounds.models.least_error import LeastError, least_error, require_share, spare_bits
from ccsim.bounds.models.protocol_bits import hypotheses, softmax_formula
from ccsim.bounds.models.sizes import FARTHEST, read_size
from ccsim.bounds.models.task_needs import REQUIREMENTS, Requirement, as_function, task_family
from ccsim.errors import InputError
from ccsim.families.family import FamilyCertificate
from ccsim.formulas import symbolic
from ccsim.problems import SequenceTask

sympy = lazy.load("sympy")


@dataclass(frozen=True)
class ModelBound:
    """What the bound says about one size of one kind of model on one task.

    Attributes:
        kind, task: names.
        size: width, heads, head_width, precision.
        length: the length asked about, or None.
        requirement: what the task needs.
        needs: the task's bits as a formula in N (0 where there is no bound for this kind).
        costs: the protocol's bits as a formula.
        scale: the steps in 1 of the precision, if a :class:`~ccsim.arithmetic.Precision` was given.
        excluded_from: the least N from which on every length is excluded, or None if there is none up to 2^80; of the
            multiples of ``requirement.step`` only, as the task has no others.
        excluded: whether this size is excluded at ``length`` (None without a length).
        smallest_width: the least width (head width, for a transformer) that is not excluded at ``length``, the rest as
            given.
        needed_bits, protocol_bits: both sides at ``length``.
        wrong_from: the least N from which on it is known that it is wrong on the share that was asked about.
    """

    kind: str
    task: str
    size: Mapping[str, int]
    length: int | None
    requirement: Requirement = field(repr=False)
    needs: str
    costs: str
    scale: int | None = field(repr=False)
    excluded_from: int | None
    excluded: bool | None
    smallest_width: int | None
    needed_bits: int | None
    protocol_bits: int | None
    wrong_from: int | None = None

    @property
    def vacuous(self) -> bool:
        """Whether nothing is said: not at the length asked about, or, without one, at no length at all."""
        return self.excluded_from is None if self.excluded is None else not self.excluded

    @property
    def hypotheses(self) -> str:
        """What is assumed of the models of this kind."""
        return hypotheses(self.kind, self.scale)

    @property
    def error(self) -> LeastError | None:
        """What every model of this size is wrong on at ``length``, as far as is known.

        >>> str(model("transformer", width=8, precision=16, task="dyck", length=400).error)
        'wrong on at least 2^399 - 2^307 words; the language has 2^399'
        """
        if self.length is None or self.protocol_bits is None:
            return None
        return least_error(self.task, self.kind, self.protocol_bits, self.length)

    @property
    def certificate(self) -> FamilyCertificate | None:
        """The proof, for every length, of what a task needs of a model; None where the need has another reason.

        >>> model("transformer", width=8, precision=16, task="equality-of-halves").certificate.lower(50)
        51
        """
        return task_certificate(self.task, one_way=self.kind == "recurrent") if self.needs != "0" else None

    @property
    def theorem(self) -> str:
        """The theorem of ``proofs/EveryLength.v`` that says for every N what the task needs; nothing if there is none.

        >>> model("recurrent", width=4, precision=8, task="index-lookup").theorem
        'index_costs_one_message'
        """
        need = self.requirement
        return need.one_way_theorem if self.kind == "recurrent" else need.two_way_theorem

    @property
    def equation(self) -> Any:
        """The inequality that a model must satisfy, as a sympy relation in N and the symbols of the size."""
        names = {name: sympy.Symbol(name, positive=True, integer=True) for name in ("N", "H", "m", "p", "s", "v")}
        return symbolic(self.costs, names) >= symbolic(self.needs, names)

    def closed_form(self) -> Any:
        """The least width that is not excluded, as a sympy expression in N; precision and heads as symbols.

        Logarithms are left as they are, so it is never above the exact integer; None if nothing is needed.
        """
        if self.needs == "0":
            return None
        names = {name: sympy.Symbol(name, positive=True) for name in ("N", "H", "p", "s")}
        needed = symbolic(self.needs, names)
        n, h, p, s = (names[name] for name in ("N", "H", "p", "s"))
        if self.kind == "recurrent":
            return needed / p
        steps = 2 ** (p - 2) if self.scale is None else self.scale
        shared = 2 * h * sympy.log(n * s / 2, 2) + 2 * h * sympy.log(n * steps / 2 + 1, 2)
        slack = 1 + sympy.log(s, 2) + (6 if "window" not in self.size else 8)  # what rounding up can add
        return (needed - shared - slack) / (h * sympy.log(steps * (2**p - 1) + 1, 2))

    def __str__(self) -> str:
        return self.told if self.kind == "recurrent" else f"{self.hypotheses}: {self.told}"

    @property
    def told(self) -> str:
        """What is found, in a sentence without its hypotheses."""
        size = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in self.size.items())
        one = "one layer of a " if self.kind == "transformer" else ""
        head = f"{one}{self.kind} with {size} on {self.task}"
        if self.needs == "0":
            return f"{head}: vacuous at every length: two parties need few bits for this task, whoever holds what"
        if self.excluded_from is None:
            far = "" if self.needs.startswith("Min") else f" up to {FARTHEST}"
            return f"{head}: vacuous at every length{far}: the task needs {self.needs} bits, the protocol {self.costs}"
        bites = f"excluded from N = {self.excluded_from} on{', N even' if self.requirement.step == 2 else ''}"
        if self.length is None:
            return f"{head}: {bites}"
        sides = f"needs {self.needed_bits} bits, its protocol has {self.protocol_bits}"
        if self.excluded:
            width = "head width" if self.kind == "transformer" else "width"
            least = f"the smallest {width} that is not excluded is {self.smallest_width}"
            return f"{head}: excluded at N = {self.length} ({sides}); {bites}; {least}"
        return f"{head}: vacuous at N = {self.length} ({sides}): {bites}"


def model(
    kind: str,
    *,
    width: int,
    precision: int | Precision,
    task: str | SequenceTask,
    heads: int = 1,
    head_width: int | None = None,
    length: int | None = None,
    error: Fraction | str | None = None,
    window: int | None = None,
) -> ModelBound:
    """Which sizes of a kind of model a task excludes, and from which length on.

    Args:
        kind: ``recurrent`` (``width`` numbers of state in all layers together) or ``transformer`` (one layer).
        width: numbers of state, or the transformer's width.
        precision: bits per number, or the format.
        task: a name of :data:`~ccsim.bounds.models.task_needs.REQUIREMENTS`, or a task of that family,
            whose length is then asked about.
        heads: attention heads.
        head_width: numbers per head and value; the width, as in the papers, if not given.
        length: N, to be told what holds there.
        error: a share of words (below 1/2 where one of N bits is asked for, else below 1), to be told from which length
            on every model of this size is wrong on it; :mod:`ccsim.bounds.models.least_error` says of which words.
        window: how many last positions the transformer's heads see; None for all of them. Heads that share keys count
            in full; rotary positions, ALiBi and soft caps change nothing (see :func:`~ccsim.bounds.softmax_bits`).

    >>> str(model("recurrent", width=4, precision=8, task="index-lookup", length=64))
    'recurrent with width 4, precision 8 on index-lookup: excluded at N = 64 (needs 64 bits, its protocol has 32); \
excluded from N = 33 on; the smallest width that is not excluded is 8'
    >>> model("transformer", width=8, precision=16, task="dyck").excluded_from
    308
    """
    name, length = task_family(task, length)
    need = REQUIREMENTS[name]
    if length is not None:
        length = require_integer("length", length, low=need.step, high=FARTHEST)
        if length % need.step:
            raise InputError("length", length, f"a multiple of {need.step} for {name}")
    halves = name.endswith("-of-halves")
    size = read_size(kind, width, precision, heads, head_width, window, as_function(need.symbols), halves=halves)
    formula = (need.one_way if kind == "recurrent" else need.two_way) or "0"
    needed = as_function(formula)
    spare = None if error is None else spare_bits(name, kind, require_share(name, error))
    known = None if length is None else _at(length, size.own_width, size.cost, needed)
    excluded, smallest, needed_bits, protocol_bits = known or (None, None, None, None)
    return ModelBound(
        kind,
        name,
        size.told(),
        length,
        need,
        formula,
        "m*p" if kind == "recurrent" else softmax_formula(size.scale, window, halves=halves),
        size.scale,
        _excluded_from(size.own_cost, needed, need.step),
        excluded,
        smallest,
        needed_bits,
        protocol_bits,
        wrong_from=None if spare is None else _excluded_from(size.own_cost, spare, need.step),
    )


def _at(
    length: int, width: int, cost: Callable[[int, int], int], needed: Callable[[int], int]
) -> tuple[bool, int, int, int]:
    """Whether a width is excluded at a length, the least one that is not, and both sides."""
    bits, need = cost(width, length), needed(length)
    return bits < need, _smallest(lambda numbers: cost(numbers, length) >= need), need, bits


def _excluded_from(cost: Callable[[int], int], needed: Callable[[int], int], step: int) -> int | None:
    """The least length from which on every length is excluded, or None if there is none within reach.

    Costs never fall with the length. So where the need at N is above the cost at some greater length H, every length
    from N to H is excluded; going down from a far H in this way ends at the last length that is not.
    """
    high = FARTHEST
    if needed(high) <= cost(high):
        return None
    while high >= step and cost(high) < needed(high):
        high = _last_not_above(needed, cost(high), high, step)
    return high + step


def _last_not_above(needed: Callable[[int], int], bits: int, high: int, step: int) -> int:
    """The greatest multiple of the step, below ``high``, at which the need is not above so many bits; 0 if none."""
    low, high = 0, high // step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if needed(middle * step) <= bits else (low, middle)
    return low * step


def _smallest(enough: Callable[[int], bool]) -> int:
    """The least width that is enough."""
    high = 1
    while not enough(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
