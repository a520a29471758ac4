"""What a communication bound implies for the size of a model: which sizes are excluded, and from which length on.

A size is excluded at a length if its protocol costs less than the task needs; both are exact integers, with closed
forms in sympy. A model of too few bits errs, for every length, by one of two reasons:

- *A fooling set* of F words. A monochromatic rectangle, or the words that lead to one state, holds k of them. Of any
  two that are answered rightly, one of the two words that mix them is answered wrongly; so at least k - 1 are wrong.
  With m bits there are at most 2^m rectangles, and at least F - 2^m words are wrong.
- *Entropy*. A state of b bits that lets a reader know each of N independent bits with error e has (1 - H(e)) N <= b
  (Kremer, Nisan and Ron 1999). So for every e with (1 - H(e)) N > b, more than that share of all words is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any

from ccsim import lazy
from ccsim.arithmetic import Precision
from ccsim.bounds.one_message import keeps_entropy_bound
from ccsim.bounds.protocol_bits import FARTHEST, hypotheses, read_size, softmax_formula
from ccsim.errors import InputError, require_fraction, require_integer
from ccsim.families.family import FamilyCertificate, named_family, partitioned
from ccsim.families.parties import letter_parties, one_way_bound
from ccsim.formulas import symbolic
from ccsim.models.automata import dyck_automaton
from ccsim.problems import SequenceTask


@dataclass(frozen=True)
class Requirement:
    """How many bits a task needs, as formulas in its length N.

    Attributes:
        one_way: least bits of state between two positions of a left-to-right pass, for the worst split.
        two_way: D under the worst partition when both parties learn the answer, or None if it is small.
        symbols: how many symbols a position can have, as a formula.
        step: lengths are multiples of this.
        reason: why, in a line.
        one_way_theorem, two_way_theorem: the theorem of ``proofs/EveryLength.v`` for every N, if Coq has one.
    """

    one_way: str
    two_way: str | None
    symbols: str
    step: int
    reason: str
    one_way_theorem: str = ""
    two_way_theorem: str = ""


_HALVES = "the halves are the inputs of {}, whose complexity is N/2 + 1 (leaf rank); its rows are all different"

_INDEX = "index_costs_one_message"

REQUIREMENTS: Mapping[str, Requirement] = {
    "dyck": Requirement(
        "Min(3, N)",
        "N + 1",
        "4",
        2,
        "odd/even positions: a permutation of 2^(N-1) words and a zero row, so leaf rank gives N + 1 "
        "(Dyck-(2,2)); left to right the open brackets or a failure: three states at length 2, six from 4 on",
        two_way_theorem="dyck_of_two_kinds_costs",
    ),
    "index-lookup": Requirement("N", None, "N + 2", 1, "INDEX one-way: all 2^N prefixes of N bits differ", _INDEX),
    "associative-recall": Requirement("N", None, "N + 2", 1, "INDEX one-way: N keys in order with N bits", _INDEX),
    "multi-query-associative-recall": Requirement(
        "N", None, "N + 2", 1, "N keys in order with N bits, any of them asked for", _INDEX
    ),
    "equality-of-halves": Requirement("N/2", "N/2 + 1", "2", 2, _HALVES.format("EQ"), two_way_theorem="equality_costs"),
    "inequality-of-halves": Requirement("N/2", "N/2 + 1", "2", 2, _HALVES.format("INEQ")),
    "disjointness-of-halves": Requirement(
        "N/2", "N/2 + 1", "2", 2, _HALVES.format("DISJ"), two_way_theorem="disjointness_costs"
    ),
    "intersection-of-halves": Requirement("N/2", "N/2 + 1", "2", 2, _HALVES.format("the intersection")),
}


def as_function(formula: str) -> Callable[[int], int]:
    slope, _, constant = formula.partition(" + ")
    if slope.isdigit():
        return lambda at: int(slope)
    if found := re.fullmatch(r"Min\((\d+), N\)", formula):
        most = int(found[1])
        return lambda at: min(most, at)
    halves = slope == "N/2"
    return lambda at: (at // 2 if halves else at) + int(constant or 0)


def task_family(task: str | SequenceTask, length: int | None) -> tuple[str, int | None]:
    if not isinstance(task, str | SequenceTask):
        raise InputError("task", task, f"a task, or one of {', '.join(REQUIREMENTS)}")
    name = (task if isinstance(task, str) else task.name.split("(")[0]).replace("_", "-")
    if name not in REQUIREMENTS:
        raise InputError("task", task, f"one of {', '.join(REQUIREMENTS)}")
    if isinstance(task, str):
        return name, length
    own = formula_length(name, task)
    return name, own if length is None else length


def formula_length(name: str, task: SequenceTask) -> int:
    """The N of the formulas: the first number in a task's name (of symbols, pairs or positions).

    Recall with fewer queries than pairs needs as many bits, since any key may be asked for, and so do larger sets of
    symbols, keys and values.
    """
    numbers = [int(digits) for digits in re.findall(r"(?<=[(, ])[0-9]+(?=[,)])", task.name)]
    first, second = (*numbers, 0, 0)[:2]
    positions = {
        "index-lookup": first + 1,
        "associative-recall": 2 * first + 1,
        "multi-query-associative-recall": 2 * first + second,
    }.get(name, first)
    if not first or positions != task.length:
        raise InputError("task", task.name, f"a task of ccsim.problems, or the name {name} and a length")
    if name == "dyck" and numbers[1:] != [2, 2]:
        raise InputError("task", task.name, "Dyck-(2, 2): two kinds of brackets, nested to depth 2")
    if len(task.answers) < 2:
        raise InputError("task", task.name, "at least two answers: with one symbol or value nothing has to be known")
    return first


def word_shape(name: str, length: int) -> tuple[int, int]:
    """How many positions the words of a task have at N, as many queries as pairs, and how many symbols each can be.

    >>> word_shape("associative-recall", 4)
    (9, 6)
    """
    positions = {"index-lookup": length + 1, "associative-recall": 2 * length + 1}
    positions["multi-query-associative-recall"] = 3 * length
    return positions.get(name, length), as_function(REQUIREMENTS[name].symbols)(length)


@cache
def task_certificate(name: str, one_way: bool = False) -> FamilyCertificate | None:
    """The certificate, for every length, of what a family of tasks needs; None if it has none.

    It bounds the deterministic complexity, or that of one message from the first half to the second, from both sides
    for n letters of each party, N = 2 n. The halves of a word are read side by side.

    >>> task_certificate("dyck").statements()
    {'lower': '>= ceil(log2(4^n + 1)) bits for all n >= 1', 'upper': '<= 2*n + 1 bits for all n >= 1'}
    """
    if name == "dyck":
        return None if one_way else _dyck()
    same = name.replace("inequality", "equality")
    if same not in ("equality-of-halves", "disjointness-of-halves", "intersection-of-halves"):
        return None
    family = named_family(same)
    if one_way:
        return one_way_bound(family)
    weights = {"kind": "tensor-power", "weights": [1, 0]}
    return FamilyCertificate.of(family, lower=weights, upper=letter_parties(family).witness())


def _dyck() -> FamilyCertificate:
    """Dyck-(2,2) permutes words; a word that begins by closing fails, as one that ends by opening."""
    family = partitioned(dyck_automaton(2, 2), "AB")
    table: Any = family.table.tolist()
    steps = [[[x, y, rows[x][y]] for x in range(4) for y in range(4)] for rows in table]
    witness = {
        "kind": "triangular-complement",
        "code": 1,
        "words": {"steps": steps, "accepting": [0], "first": 0},
        "silent": {"alice": [family.alice.index(")")], "bob": [family.bob.index("(")]},
    }
    return FamilyCertificate.of(family, lower=witness, upper=letter_parties(family).witness())


PARTS = 1 << 9  # parts into which bits per place are cut before entropies are compared
MOST_WRITTEN = 1 << 14  # bits of a number of words that is written out
FINEST = 64  # bits of a share of words, rounded down
STEPS = 200  # shares that are distinguished
FOOLING: Mapping[tuple[str, str], Callable[[int], int]] = {
    ("dyck", "transformer"): lambda length: length - 1,
    **{
        (f"{name}-of-halves", kind): lambda length: length // 2
        for name in ("equality", "inequality", "disjointness", "intersection")
        for kind in ("recurrent", "transformer")
    },
}
"""For tasks and kinds of model, the logarithm of the size of a fooling set."""

ENTROPY = ("index-lookup", "associative-recall")
"""Tasks in which one of N independent bits is asked for."""


@dataclass(frozen=True)
class LeastError:
    """What every model of a size is wrong on at a length.

    Attributes:
        share: of all words, more than this share; or of as many words as the set has, at least this share. 0 if
            nothing is known.
        words: at least so many words, where that is what is known and not too long a number.
        text: the same in words.
    """

    share: Fraction
    words: int | None
    text: str

    def __str__(self) -> str:
        return self.text


def least_error(task: str, kind: str, bits: int, length: int) -> LeastError | None:
    """What a protocol, or a state, of so many bits must be wrong on; None for a task of which nothing is known here.

    >>> str(least_error("index-lookup", "recurrent", 50, 100))
    'wrong on more than 11.0% of all words (every string of 100 bits, every place asked for)'
    >>> str(least_error("equality-of-halves", "recurrent", 3, 8))
    'wrong on at least 2^4 - 2^3 words; the fooling set has 2^4'
    """
    if task in ENTROPY and kind == "recurrent":
        share, among = _share(bits, length), f"all words (every string of {length} bits, every place asked for)"
        text = f"wrong on more than {float(share):.1%} of {among}" if share else f"no share of {among} is known"
        return LeastError(share, None, text)
    if (task, kind) not in FOOLING:
        return None
    exponent = FOOLING[task, kind](length)
    spare = max(0, exponent - bits)
    whole = "the language" if task == "dyck" else "the fooling set"
    bound = f"wrong on at least 2^{exponent} - 2^{bits} words; {whole} has 2^{exponent}"
    wrong = ((1 << spare) - 1) << bits if exponent <= MOST_WRITTEN else None
    return LeastError(1 - Fraction(1, 1 << min(spare, FINEST)), wrong, bound if spare else "no error is known")


def _share(bits: int, length: int) -> Fraction:
    """The largest error, in steps of 1 / STEPS, that so many bits for so many places do not allow."""
    parts = -(-bits * PARTS // length)
    return Fraction(0) if parts >= PARTS else Fraction(_share_of(parts), STEPS)


@cache
def _share_of(parts: int) -> int:
    return _least(lambda step: keeps_entropy_bound(Fraction(step, STEPS), PARTS, parts), STEPS // 2) - 1


def require_share(task: str, error: Fraction | str) -> Fraction:
    high = Fraction(1, 2) if task in ENTROPY else Fraction(1)
    share = require_fraction("error", error)
    if not 0 < share < high or share.denominator > 1000:
        raise InputError("error", error, f"above 0 and below {high}, of denominator at most 1000, for {task}")
    return share


def spare_bits(task: str, kind: str, error: Fraction) -> Callable[[int], int] | None:
    """The bits at each length with fewer of which a model is wrong on this share of words; None if nothing is known."""
    if task in ENTROPY and kind == "recurrent":
        parts = _least(lambda kept: keeps_entropy_bound(error, PARTS, kept), PARTS) - 1
        return lambda length: -(-parts * length // PARTS)
    if (task, kind) not in FOOLING:
        return None
    exponent = FOOLING[task, kind]
    lost = 0
    while Fraction(1, 1 << lost) > 1 - error:
        lost += 1
    return lambda length: max(0, exponent(length) - lost + 1)


def _least(holds: Callable[[int], bool], high: int) -> int:
    """The least number from 1 to ``high`` that a monotone condition holds of; it is taken to hold of ``high``."""
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


sympy = lazy.load("sympy")


@dataclass(frozen=True)
class ModelBound:
    """The bound for one size of one kind of model on one task.

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
        wrong_from: the least N from which on every model of the size is wrong on the share asked about.
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
        """Whether nothing is excluded: not at the length asked about, or, without one, at no length at all."""
        return self.excluded_from is None if self.excluded is None else not self.excluded

    @property
    def hypotheses(self) -> str:
        """What is assumed of the models of this kind."""
        return hypotheses(self.kind, self.scale)

    @property
    def error(self) -> LeastError | None:
        """What every model of this size is wrong on at ``length``, as far as is known."""
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
        """The theorem of ``proofs/EveryLength.v`` on what the task needs for every N; empty if there is none."""
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
        return self.sentence if self.kind == "recurrent" else f"{self.hypotheses}: {self.sentence}"

    @property
    def sentence(self) -> str:
        """The result in a sentence, without its hypotheses."""
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
        task: a name of :data:`~ccsim.bounds.model_size.REQUIREMENTS`, or a task of that family,
            whose length is then asked about.
        heads: attention heads.
        head_width: numbers per head and value; the width, as in the papers, if not given.
        length: N, the length asked about.
        error: a share of words (below 1/2 where one of N bits is asked for, else below 1), for ``wrong_from``: the
            length from which on every model of this size is wrong on it. The module docstring states on which words.
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
        size.numbers(),
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
    bits, need = cost(width, length), needed(length)
    return bits < need, _smallest(lambda numbers: cost(numbers, length) >= need), need, bits


def _excluded_from(cost: Callable[[int], int], needed: Callable[[int], int], step: int) -> int | None:
    """The least length from which every one is excluded, or None if there is none within reach.

    Costs never fall with the length. So where the need at N is above the cost at some greater length H, every length
    from N to H is excluded; going down from a far H in this way ends at the last length that is not.
    """

    def last_within(bits: int, high: int) -> int:
        return step * (_least(lambda steps: needed(steps * step) > bits, high // step) - 1)

    high = FARTHEST
    if needed(high) <= cost(high):
        return None
    while high >= step and cost(high) < needed(high):
        high = last_within(cost(high), high)
    return high + step


def _smallest(enough: Callable[[int], bool]) -> int:
    high = 1
    while not enough(high):
        high *= 2
    return _least(enough, high)
