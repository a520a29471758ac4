"""One-layer transformers as two-way protocols: the max-logit softmax protocol, for any partition of the positions.

Bhattamishra, Hahn, Blunsom and Kanade 2024, Theorem 4. Whoever holds the last position announces its row; per head,
the parties exchange their largest logits, then the sums of their exponentials, then their weighted sums of values.
Everything else is local, and exact arithmetic makes the sums independent of who holds what.

In the compact protocol every field numbers only what its sender can mean at that point. What is saved against the
printed protocol, and why the answer stays the model's own, bit for bit:

- *The last symbol.* The other party needs only its logits, so the symbols with equal logits everywhere share a code.
- *The maximum.* A party's greatest logit is one of its at most positions * symbols logits, so its place among these is
  sent instead of p bits. A maximum not above the least that the other party can have is never the maximum of all, so
  all such share one code; the reply tells only whether, and by how much, the other maximum is above it.
- *The normaliser.* Exponentials are at most 1, so the sum over k positions has k * scale + 1 values.
- *The weighted sums.* Attention weights sum up to at most 1, so a coordinate lies between the least and the greatest
  value in it (or 0), and numbers of several coordinates are packed without a remainder of a bit each.
- One party calculates; the other receives the answer if it must know it.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import numpy as np

from ccsim.arrays import Array
from ccsim.engine import Cost, Protocol
from ccsim.engine.schedule import Conclusion, Field, Known, Schedule, Step, StepFunction
from ccsim.errors import InputError
from ccsim.models.transformer import OneLayerTransformer
from ccsim.problems import Partition, SequenceTask
from ccsim.problems.inputs import sample
from ccsim.problems.sequence.task import SplitTask
from protocols.reductions.exchange import (
    OTHER,
    PRINTED,
    Exchange,
    Part,
    fits_words,
    printed_bound,
    printed_fields_hold,
    said_answer,
    softmax_costs,
    sums_name,
)

__all__ = [
    "PRINTED",
    "VARIANTS",
    "max_logit_softmax",
    "printed_bound",
    "softmax_costs",
]

VARIANTS = ("literal", "one-sided", "compact", "symbols", "cheapest")
SOURCE = "Bhattamishra, Hahn, Blunsom and Kanade 2024, Theorem 4"
ANSWERS = ("both", "one", "alice", "bob")

Candidate = tuple[Schedule, Cost]


def max_logit_softmax(
    model: OneLayerTransformer,
    partition: Partition,
    *,
    answer: str = "both",
    variant: str = "literal",
    task: SequenceTask | None = None,
) -> Protocol:
    """The protocol in which two parties, each holding some positions of the word, run a one-layer transformer.

    The function of the protocol is what the model itself computes, so that exploring the protocol compares its
    answer with the model's forward pass, bit for bit, on every word.

    Args:
        model: one attention layer, any number of heads.
        partition: who holds which position; any of the 2^N.
        answer: who must know the answer: ``both``, ``alice``, ``bob``, or ``one`` (whoever costs least).
        variant: ``literal`` is the printed protocol, in which every party that must know the answer receives the
            other's sums: m p + H (2p + 2(p + L(N)) + 4 v p) bits for both, with values of width v (the paper's v is
            m); ``one-sided`` sends the sums one way and the answer back; ``compact`` numbers in each field only
            what can be meant there (see :mod:`protocols.reductions.max_logit`); ``symbols`` lets one party
            name its symbols; ``cheapest`` is the cheaper of the last two.
        task: what the model is for; then the protocol's function is the task, on the task's words, and not
            what the model computes on all words.

    Raises :class:`~ccsim.errors.InputError` for more than one layer: by Corollary 13.1 of the same paper no such
    protocol is cheap for two layers.

    >>> from ccsim.models.transformer import OneLayerTransformer
    >>> model = OneLayerTransformer.random("ab", length=4, width=4, heads=1, precision=8, seed=0)
    >>> protocol = max_logit_softmax(model, Partition.odd_even(4))
    >>> protocol.cost.bits, protocol.explore().raise_if_wrong().worst_bits
    (196, 196)
    """
    _check(model, partition, answer, variant)
    function = (model.task() if task is None else _for(model, task)).split(partition)
    schedule, cost, knowing = _cheapest(model, function, answer, variant)
    name = f"max-logit softmax ({variant}) for {model.name} split {partition}"
    known_by = knowing[0] if len(knowing) == 1 else "both"
    return Protocol(name, function, schedule.parties(), answer=known_by, cost=cost, source=SOURCE)


def _check(model: Any, partition: Any, answer: str, variant: str) -> None:
    layers = getattr(model, "layers", 1)
    if isinstance(layers, int) and layers > 1:
        raise InputError(
            "layers",
            layers,
            "one attention layer: two layers compute functions whose communication is N/2 or more at logarithmic size "
            "under any balanced partition (Bhattamishra et al. 2024, Corollary 13.1), so no such protocol exists",
        )
    if not isinstance(model, OneLayerTransformer):
        raise InputError("model", model, "a OneLayerTransformer")
    ties = getattr(model.tables.weighting, "ties", "average")
    if ties != "average":
        raise InputError("ties", ties, "'average': weights that do not depend on the order of the positions")
    if not isinstance(partition, Partition) or partition.length != model.length:
        raise InputError("partition", partition, f"a partition of {model.length} positions, as the model has")
    if answer not in ANSWERS:
        raise InputError("answer", answer, f"one of {ANSWERS}")
    if variant not in VARIANTS:
        raise InputError("variant", variant, f"one of {VARIANTS}")


def _for(model: OneLayerTransformer, task: SequenceTask) -> SequenceTask:
    if not isinstance(task, SequenceTask):
        raise InputError("task", task, "a task on words, such as those of ccsim.problems, or None")
    if task.length != model.length or set(task.alphabet) - set(model.alphabet):
        raise InputError("task", task.name, f"words of {model.length} symbols of {sample(model.alphabet)}")
    if set(model.answers) - set(task.answers):
        raise InputError("task", task.name, f"a task with the model's answers {sample(model.answers)}")
    return task


def _cheapest(
    model: OneLayerTransformer, function: SplitTask, answer: str, variant: str
) -> tuple[Schedule, Cost, tuple[str, ...]]:
    """The cheapest way to do it, over who calculates, who speaks first, and who is to know the answer."""
    holders = [role for role in ("alice", "bob") if getattr(function.partition, role)]
    found: list[tuple[Schedule, Cost, tuple[str, ...]]] = []
    for knowing, calculator in product(_knowing(answer, holders), holders):
        exchange = Exchange(model, function, calculator)
        found += [(*candidate, knowing) for candidate in _candidates(exchange, knowing, variant)]
    return min(found, key=lambda candidate: candidate[0].bits)


def _knowing(answer: str, holders: list[str]) -> list[tuple[str, ...]]:
    if answer == "both":
        return [("alice", "bob")]
    return [(role,) for role in (holders if answer == "one" else [answer])]


def _candidates(exchange: Exchange, knowing: tuple[str, ...], variant: str) -> list[Candidate]:
    if variant in ("literal", "one-sided"):
        return [literal_schedule(exchange, knowing, answer_bit=variant == "one-sided")]
    found: list[Candidate] = []
    if variant == "compact" or (variant == "cheapest" and fits_words(exchange.model)):
        speakers = ("alice", "bob") if exchange.parts[exchange.helper].count else ("alice",)
        found += [compact_schedule(exchange, knowing, first) for first in speakers]
    if variant in ("symbols", "cheapest"):
        found.append(announcement_schedule(exchange, knowing))
    return found


MOST_BITS = 30  # fields of twice the precision must fit in 62 bits


def literal_schedule(exchange: Exchange, knowing: tuple[str, ...], *, answer_bit: bool) -> tuple[Schedule, Cost]:
    """Fields of the printed widths: p-bit numbers, sums of p + L(N) and of 2p bits.

    Without ``answer_bit`` every party that must know the answer receives the other's sums and finishes; with it,
    only the calculator does, and sends the answer to the other if that must know it.
    """
    return _Literal(exchange, knowing, answer_bit).schedule()


class _Literal:
    def __init__(self, exchange: Exchange, knowing: tuple[str, ...], answer_bit: bool) -> None:
        self.exchange, self.knowing = exchange, knowing
        self.model, self.precision = exchange.model, exchange.model.precision
        other = "compact" if fits_words(self.model) else "symbols"
        if self.precision.bits > MOST_BITS:
            expected = f"at most {MOST_BITS} bits, so that sums of twice the precision fit in 62 bits"
            raise InputError("precision", self.precision.bits, f"{expected}; variant={other!r} takes it")
        if not printed_fields_hold(self.model):
            expected = "exponentials up to 1 in p bits, and weighted sums in 2p bits"
            raise InputError("precision", str(self.precision), f"{expected}; variant={other!r} takes it")
        self.finishing = (exchange.calculator,) if answer_bit else knowing
        self.told = tuple(role for role in knowing if role not in self.finishing)
        self.steps: list[Step] = []

    def schedule(self) -> tuple[Schedule, Cost]:
        """The fields in the paper's order, the answers, the formula."""
        self._announce()
        senders = [role for role in ("alice", "bob") if self._speaks(role)]
        self._maxima(senders)
        room = 1 << (self.precision.bits + (self.model.length - 1).bit_length())
        self.steps += self.exchange.normaliser_fields(senders, [(room,) * self.model.heads] * len(senders))
        givers = self._sums()
        answers, sums = self._answers(givers), len(givers)
        spoken, announced = len(senders), "m*p + " if self.announced else ""
        formula = f"{announced}H*({spoken}*p + {spoken}*(p + L(N)) + {2 * sums}*v*p)"
        parameters = {"m": self.model.width, "p": self.precision.bits, "H": self.model.heads, "N": self.model.length}
        parameters["v"] = self.model.head_width
        if self.told:
            formula, parameters = (
                f"{formula} + L(answers)",
                {**parameters, "answers": len(self.exchange.function.answers)},
            )
        return Schedule(tuple(self.steps), answers), Cost(formula, parameters)

    def _needs(self, role: str) -> bool:
        """Whether a party has anything to compute: positions of its own, or the answer."""
        return bool(self.exchange.parts[role].count) or role in self.finishing

    def _speaks(self, role: str) -> bool:
        return bool(self.exchange.parts[role].count) and self._needs(OTHER[role])

    @property
    def announced(self) -> bool:
        """Whether the last row has to be announced."""
        return self._speaks(self.exchange.holder)

    def _announce(self) -> None:
        if not self.announced:
            return
        exchange, precision = self.exchange, self.precision
        embedded = self.model.embedding_table[-1] - precision.low
        first_alike = np.array([int(np.flatnonzero((embedded == row).all(axis=1))[0]) for row in embedded])

        def numbers(rows: Array, known: Known) -> Array:
            return np.asarray(embedded[exchange.symbol(exchange.holder, rows, known)])

        def symbol(known: Known) -> Array:
            vectors = known["x_N"].reshape(-1, embedded.shape[1])
            matches = (vectors[:, None, :] == embedded[first_alike][None]).all(axis=2)
            return np.asarray(np.argmax(matches, axis=1))

        bounds = (1 << precision.bits,) * self.model.width
        self.steps += [
            Field(exchange.holder, "x_N", "x_N, the embedded last symbol", bounds, numbers),
            Conclusion("symbol", symbol, instead_of=("x_N",)),
        ]

    def _maxima(self, senders: list[str]) -> None:
        low, bounds = self.precision.low, (1 << self.precision.bits,) * self.model.heads
        for role in senders:

            def maxima(rows: Array, known: Known, role: str = role) -> Array:
                return self.exchange.maxima(role, rows, known) - low

            label = f"largest logit of {role}{self.exchange.each_head}"
            self.steps.append(Field(role, f"maximum {role}", label, bounds, maxima))
        names = tuple(f"maximum {role}" for role in senders)

        def largest(known: Known) -> Array:
            said = [known[name].reshape(-1, self.model.heads) for name in names]
            return np.asarray(np.max(said, axis=0) + low)

        if senders:
            self.steps.append(Conclusion("maximum", largest, instead_of=names))
        self.steps += self.exchange.notes()

    def _sums(self) -> list[str]:
        """Who sends sums, of 2p bits per coordinate: whoever speaks, if the other is to finish."""
        bounds = np.full(self._low.shape, 1 << (2 * self.precision.bits))
        senders = [role for role in ("alice", "bob") if OTHER[role] in self.finishing and self._speaks(role)]
        self.steps += [self.exchange.sum_field(role, self._low, bounds) for role in senders]
        return senders

    @property
    def _low(self) -> Array:
        return np.full((self.model.heads, self.model.head_width), -(1 << (2 * self.precision.bits - 1)))

    def _answers(self, senders: list[str]) -> dict[str, StepFunction]:
        low, calculator = self._low, self.exchange.calculator
        if len(senders) == 2:  # then all is known to both
            self.steps.append(Conclusion("answer", self._finished))
            return dict.fromkeys(self.knowing, said_answer)
        finish = {role: partial(self._finish, role, low) for role in self.finishing}
        if not self.told:
            return dict(finish)
        self.steps.append(
            Field(calculator, "answer", "the answer", (len(self.exchange.function.answers),), finish[calculator])
        )
        return dict.fromkeys(self.knowing, said_answer)

    def _finish(self, role: str, low: Array, rows: Array, known: Known) -> Array:
        return self.exchange.answer(role, rows, known, low)

    def _finished(self, known: Known) -> Array:
        total = known[sums_name("alice")] + known[sums_name("bob")]
        return self.exchange.finish(known["symbol"], total.reshape(-1, *self._low.shape) + 2 * self._low)


def compact_schedule(exchange: Exchange, knowing: tuple[str, ...], first: str) -> tuple[Schedule, Cost]:
    """The cheaper protocol, in which ``first`` is the first to name its maximum."""
    if not fits_words(exchange.model):
        expected = "one whose weighted sums fit in 61 bits; variant='symbols' takes more"
        raise InputError("precision", str(exchange.model.precision), expected)
    steps: list[Step] = []
    calculator, helper = exchange.parts[exchange.calculator], exchange.parts[exchange.helper]
    widths: dict[str, int] = {}
    if helper.count:
        steps += _announcement(exchange)
        widths["symbol"] = _bits(steps)
        steps += Maxima(exchange, first).steps()
        widths["maxima"] = _bits(steps) - sum(widths.values())
    steps += exchange.notes() if helper.count else [exchange.note(calculator.role)]
    if helper.count:
        roles, most = (exchange.helper, exchange.calculator), exchange.model.precision.scale  # of one exponential
        bounds = [(exchange.parts[role].count * most + 1,) * exchange.model.heads for role in roles]
        steps += exchange.normaliser_fields(roles, bounds)
        widths["normalisers"] = _bits(steps) - sum(widths.values())
        steps.append(exchange.sum_field(helper.role, *_sum_range(helper)))
        widths["sums"] = _bits(steps) - sum(widths.values())
    low = _sum_range(helper)[0]

    def finish(rows: Array, known: Known) -> Array:
        return exchange.answer(calculator.role, rows, known, low)

    return _with_answer(exchange, knowing, steps, finish, widths)


def announcement_schedule(exchange: Exchange, knowing: tuple[str, ...]) -> tuple[Schedule, Cost]:
    """The helper names its symbols, as far as the model tells them apart, and the calculator runs the model."""
    helper, calculator = exchange.parts[exchange.helper], exchange.parts[exchange.calculator]
    alike = [_first_alike(_told_apart(exchange, place)) for place in helper.positions]
    codes = [np.unique(first, return_inverse=True) for first in alike]
    bounds = tuple(len(representatives) for representatives, _ in codes)

    def numbers(rows: Array, known: Known) -> Array:
        rows = helper.read(rows)
        columns = [code[rows[:, place]] for place, (_, code) in enumerate(codes)]
        return np.stack(columns, axis=1) if columns else np.zeros((len(rows), 0), dtype=np.int64)

    def finish(rows: Array, known: Known) -> Array:
        words = np.zeros((len(rows), exchange.model.length), dtype=np.int64)
        words[:, list(calculator.positions)] = calculator.read(rows)
        said = known["symbols"].reshape(len(rows), -1)
        for place, (position, (representatives, _)) in enumerate(zip(helper.positions, codes, strict=True)):
            words[:, position] = representatives[said[:, place]]
        return exchange.coded(exchange.model.codes(words))

    if len(bounds) > 0:
        said: list[Step] = [Field(helper.role, "symbols", f"the symbols of {helper.role}", bounds, numbers)]
    else:
        said = [Conclusion("symbols", lambda known: np.zeros((1, 0), dtype=np.int64))]
    return _with_answer(exchange, knowing, said, finish, {"symbols": _bits(said)})


def _with_answer(
    exchange: Exchange, knowing: tuple[str, ...], steps: list[Step], finish: StepFunction, widths: dict[str, int]
) -> tuple[Schedule, Cost]:
    """The schedule in which the calculator finishes, and tells the answer if the other party must know it."""
    formula = " + ".join(widths) or "0"
    if exchange.helper not in knowing:
        return Schedule(tuple(steps), {exchange.calculator: finish}), Cost(formula, widths)
    answers = len(exchange.function.answers)
    steps = [*steps, Field(exchange.calculator, "answer", "the answer", (answers,), finish)]
    given = dict.fromkeys(knowing, said_answer)
    return Schedule(tuple(steps), given), Cost(f"{formula} + L(answers)", {**widths, "answers": answers})


def _bits(steps: list[Step]) -> int:
    return sum(step.width for step in steps if isinstance(step, Field))


def _first_alike(rows: Array) -> Array:
    """For each row, the first row equal to it."""
    _, first, place = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return np.asarray(first[place.ravel()])


def _query_signature(exchange: Exchange) -> Array:
    """What the logits say of each symbol at the last position: one row per symbol."""
    table = np.moveaxis(exchange.model.logit_table, 1, 0)  # last symbol, head, position, symbol
    symbols = np.arange(len(table))
    own = table[symbols, :, -1, symbols]
    return np.concatenate([table[:, :, :-1].reshape(len(table), -1), own], axis=1)


def _told_apart(exchange: Exchange, position: int) -> Array:
    """What the model sees of each symbol at a position: one row per symbol."""
    model = exchange.model
    if position == model.length - 1:
        return np.asarray(model.embedding_table[-1])
    logits = np.moveaxis(model.logit_table[:, :, position, :], -1, 0)
    values = np.moveaxis(model.value_table[:, position], 1, 0)
    return np.concatenate([logits.reshape(len(logits), -1), values.reshape(len(values), -1)], axis=1)


def _announcement(exchange: Exchange) -> list[Step]:
    """The last symbol, as far as the helper (or, if the helper holds it, the calculator) needs it."""
    last = exchange.model.length - 1
    signature = _query_signature(exchange) if exchange.holder == exchange.calculator else _told_apart(exchange, last)
    representatives, code = np.unique(_first_alike(signature), return_inverse=True)

    def numbers(rows: Array, known: Known) -> Array:
        return np.asarray(code[exchange.symbol(exchange.holder, rows, known)])

    field = Field(exchange.holder, "query", "the last symbol, as far as it matters", (len(representatives),), numbers)
    return [field, Conclusion("symbol", lambda known: np.asarray(representatives[known["query"]]))]


def _sum_range(part: Part) -> tuple[Array, Array]:
    """The least value of each coordinate of a party's weighted sums, and how many values there are."""
    model = part.model
    values = model.value_table[:, list(part.positions)].reshape(model.heads, -1, model.head_width)
    low = model.precision.scale * values.min(axis=1, initial=0)
    high = model.precision.scale * values.max(axis=1, initial=0)
    return low, high - low + 1


NOT_ABOVE = int(np.iinfo(np.int64).min)  # stands for every maximum that is never above the other party's


class Maxima:
    """Both parties name their greatest logits, one after the other, as places in lists that both know.

    Tables are by last symbol and head; lists of different lengths are filled up at the end.
    """

    def __init__(self, exchange: Exchange, first: str) -> None:
        self.exchange, self.first = exchange, first
        self.second = OTHER[first]
        mine, theirs = self._reachable(exchange.parts[first]), self._reachable(exchange.parts[self.second])
        above = [[_above(a, b[0]) for a, b in zip(*lists, strict=True)] for lists in zip(mine, theirs, strict=True)]
        below = [
            [np.searchsorted(b, a, side="right") for a, b in zip(*lists, strict=True)]
            for lists in zip(above, theirs, strict=True)
        ]
        self.first_values, self.second_values, self.below = _filled(above), _filled(theirs), _filled(below)
        least = [[int(b[0]) for b in row] for row in theirs]
        self.first_places = self._places(exchange.parts[first], above, least)
        self.second_places = self._places(exchange.parts[self.second], theirs, least)
        self.first_bounds = _longest(above)
        replies = [
            [int((len(b) - skipped + (a != NOT_ABOVE)).max()) for a, b, skipped in zip(*lists, strict=True)]
            for lists in zip(above, theirs, below, strict=True)
        ]
        self.second_bounds = tuple(int(bound) for bound in np.array(replies).max(axis=0))

    def steps(self) -> list[Step]:
        """Two fields, and the maximum that follows."""
        return [
            Field(self.first, "first maxima", self._label(self.first), self.first_bounds, self._first_numbers),
            Field(self.second, "second maxima", self._label(self.second), self.second_bounds, self._second_numbers),
            Conclusion("maximum", self._maximum, instead_of=("first maxima", "second maxima")),
        ]

    def _label(self, role: str) -> str:
        return f"largest logit of {role}{', if above' if role == self.second else ''}{self.exchange.each_head}"

    def _reachable(self, part: Part) -> list[list[Array]]:
        """The values that the party's maximum can have, in order; at the last position the symbol is known."""
        table, last = self.exchange.model.logit_table, self.exchange.model.length - 1
        return [
            [
                _maxima([table[head, c, i, [c]] if i == last else table[head, c, i] for i in part.positions])
                for head in range(self.exchange.model.heads)
            ]
            for c in range(len(self.exchange.model.alphabet))
        ]

    def _places(self, part: Part, lists: list[list[Array]], least: list[list[int]]) -> Array:
        """By last symbol, own position, own symbol and head: the place in the list that this logit would claim.

        Logits not above ``least`` claim the first place. The greatest logit claims the greatest place, which is its
        own, because it is in the list.
        """
        table = self.exchange.model.logit_table[:, :, list(part.positions), :]
        places = np.empty((*table.shape[1:], len(table)), dtype=np.int64)
        for c, head in np.ndindex(*table.shape[1::-1]):
            found = np.searchsorted(lists[c][head], table[head, c])
            places[c, :, :, head] = np.where(table[head, c] <= least[c][head], 0, found)
        return places

    def _claimed(self, places: Array, role: str, rows: Array, known: Known) -> tuple[Array, Array]:
        symbol, rows = self.exchange.symbol(role, rows, known), self.exchange.read(role, rows)
        return symbol, places[symbol[:, None], np.arange(rows.shape[1]), rows].max(axis=1)

    def _first_numbers(self, rows: Array, known: Known) -> Array:
        return self._claimed(self.first_places, self.first, rows, known)[1]

    def _second_numbers(self, rows: Array, known: Known) -> Array:
        symbol, place = self._claimed(self.second_places, self.second, rows, known)
        if self.second == self.exchange.holder and "symbol" in known:
            symbol = known["symbol"]
        _, value, below = self._after_first(symbol, known)
        return np.where(value == NOT_ABOVE, place, np.maximum(place - below + 1, 0))

    def _after_first(self, symbol: Array, known: Known) -> tuple[tuple[Array, Array], Array, Array]:
        """Where to look, the first party's maximum, and how many of the other's values are not above it."""
        where = symbol[:, None], np.arange(self.exchange.model.heads)
        place = known["first maxima"].reshape(len(symbol), -1)
        return where, self.first_values[(*where, place)], self.below[(*where, place)]

    def _maximum(self, known: Known) -> Array:
        reply = known["second maxima"].reshape(-1, self.exchange.model.heads)
        where, value, below = self._after_first(known["symbol"], known)
        missing = value == NOT_ABOVE
        place = np.where(missing, reply, np.maximum(below + reply - 1, 0))
        other = self.second_values[(*where, np.minimum(place, self.second_values.shape[-1] - 1))]
        return np.where(missing | (reply > 0), other, value)


def _maxima(choices: list[Array]) -> Array:
    """The values that the greatest of one choice per position can have, in order."""
    values = np.unique(np.concatenate(choices))
    return np.asarray(values[values >= max(int(choice.min()) for choice in choices)])


def _above(values: Array, least: int) -> Array:
    """The values above the least one of the other party, after one that stands for all the rest, if there are any."""
    above = values[values > least]
    return above if len(above) == len(values) else np.concatenate([[NOT_ABOVE], above])


def _filled(lists: list[list[Array]]) -> Array:
    """Lists by last symbol and head as one array, filled up with their last entries."""
    longest = max(len(values) for row in lists for values in row)
    return np.array([[np.pad(values, (0, longest - len(values)), mode="edge") for values in row] for row in lists])


def _longest(lists: list[list[Array]]) -> tuple[int, ...]:
    """For each head, the length of the longest list."""
    return tuple(int(length) for length in np.array([[len(values) for values in row] for row in lists]).max(axis=0))
