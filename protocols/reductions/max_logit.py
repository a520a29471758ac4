"""One-layer transformers as two-way protocols: the max-logit softmax protocol, for any partition of the positions.

Bhattamishra, Hahn, Blunsom and Kanade 2024, Theorem 4. Whoever holds the last position announces its row. For each head
the parties exchange their largest logits, sums of exponentials and weighted sums of values. One party, the calculator,
computes the answer; the other one helps. In the compact protocol every field numbers only what its sender can mean, and
the answer stays the model's own: symbols share a code only if their logits are equal everywhere; a greatest logit is
its place among the sender's, those never above the other party's sharing one code; exponentials are at most 1, so that
sums over k positions have k * scale + 1 values; weights sum up to at most 1, so that a weighted sum lies between the
least and the greatest value (or 0).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from math import log2
from typing import Any

import numpy as np

from ccsim.bounds import softmax_bits
from ccsim.engine import Cost, Protocol
from ccsim.engine.schedule import Conclusion, Field, Known, Note, Schedule, Step, StepFunction
from ccsim.errors import Array, InputError, require_integer
from ccsim.models.files import LoadedModel
from ccsim.models.transformer import OneLayerTransformer
from ccsim.problems import Partition, SequenceTask
from ccsim.problems.inputs import Words, sample
from ccsim.problems.sequence_tasks import SplitTask

SOURCE = "Bhattamishra, Hahn, Blunsom and Kanade 2024, Theorem 4"
VARIANTS = ("literal", "one-sided", "compact", "symbols", "cheapest")
ANSWERS = ("both", "one", "alice", "bob")
OTHER = {"alice": "bob", "bob": "alice"}
MOST_SUM = 1 << 62  # a bound on what a field numbers, and on the difference of two sums
MOST_BITS = 30  # fields of twice the precision must fit in 62 bits
MOST_SIZE = 1 << 20

Look = Callable[[str, Array, Known], Array]
"""What a party sees, from its role, its rows and what is known."""

Way = tuple[list[Step], str, dict[str, int], StepFunction]
"""Fields, their cost as a formula with its parameters, and how the calculator then finishes."""

Candidate = tuple[Schedule, Cost, tuple[str, ...]]
"""A schedule, its cost, and who knows the answer at its end."""


def require_layer(argument: str, model: Any) -> OneLayerTransformer:
    """The model, if it is one attention layer whose sums do not depend on the order of the positions."""
    model = model.model if isinstance(model, LoadedModel) else model
    if not isinstance(model, OneLayerTransformer):
        raise InputError(argument, model, "a OneLayerTransformer: with more layers the sums of one do not suffice")
    ties = getattr(model.weighting, "ties", "average")
    if ties != "average":
        raise InputError(argument, ties, "'average': weights that do not depend on the order of the positions")
    return model


def require_printed_fields(model: OneLayerTransformer, otherwise: str = "") -> None:
    """An :class:`~ccsim.errors.InputError` unless exponentials fit in p bits, and weighted sums in 2p with a sign."""
    precision = model.precision
    if precision.bits > MOST_BITS:
        expected = f"at most {MOST_BITS} bits, so that sums of twice the precision fit in 62 bits{otherwise}"
        raise InputError("precision", precision.bits, expected)
    largest = precision.scale * int(np.abs(model.value_table).max(initial=0))
    if precision.scale >= 1 << precision.bits or largest >= 1 << max(0, 2 * precision.bits - 1):
        expected = f"one with exponentials up to 1 in p bits, and weighted sums in 2p bits{otherwise}"
        raise InputError("precision", str(precision), expected)


def fits_words(model: OneLayerTransformer) -> bool:
    """Whether the differences of two weighted sums of values are below 2^62."""
    return 2 * model.precision.scale * int(np.abs(model.value_table).max(initial=0)) < MOST_SUM


@dataclass(frozen=True, eq=False)
class Part:
    """One party's positions of the word, counted from 0, and the model's tables there; symbols are ranks."""

    model: OneLayerTransformer
    positions: tuple[int, ...]

    @property
    def count(self) -> int:
        return len(self.positions)

    @cached_property
    def _logits(self) -> Array:
        """By symbol at the last position, own position and own symbol: a row of one logit per head."""
        table = np.transpose(self.model.logit_table[:, :, self.positions, :], (1, 2, 3, 0))
        return np.ascontiguousarray(table.reshape(-1, self.model.heads))

    @cached_property
    def _values(self) -> list[Array]:
        return [np.moveaxis(self.model.value_table[:, position], 0, 1) for position in self.positions]

    def logits(self, rows: Array, symbol: Array) -> Array:
        symbols = len(self.model.alphabet)
        places = np.arange(self.count) * symbols + rows + (symbol.astype(np.int64) * self.count * symbols)[:, None]
        return np.asarray(self._logits.take(places, axis=0))

    def maxima(self, rows: Array, symbol: Array) -> Array:
        return np.asarray(self.logits(rows, symbol).max(axis=1, initial=self.model.precision.low))

    def exponentials(self, rows: Array, symbol: Array, maximum: Array) -> Array:
        differences = self.logits(rows, symbol) - maximum[:, None, :]
        return np.ascontiguousarray(np.swapaxes(self.model.exponentials(differences), 1, 2))

    def sums(self, rows: Array, exponentials: Array, normaliser: Array) -> Array:
        weights = self.model.weights(exponentials, normaliser[:, :, None])
        result = np.zeros((len(rows), self.model.heads, self.model.head_width), dtype=np.int64)
        for place, values in enumerate(self._values):
            result += weights[:, :, place, None] * values.take(rows[:, place], axis=0)
        return result


@dataclass(frozen=True, eq=False)
class Exchange:
    """The two parts of a word, and the fields from which a variant is put together; ``tag`` begins their names.

    ``symbols`` gives ranks (questions, positions) of a party, ``last`` those of the last symbol (questions,).
    """

    model: OneLayerTransformer
    parts: dict[str, Part]
    calculator: str
    symbols: Look
    last: Look
    codes: Array
    tag: str = ""

    @classmethod
    def of(cls, model: OneLayerTransformer, function: SplitTask, calculator: str) -> Exchange:
        """For words under a partition; the last symbol is known to its holder, and to the other as ``symbol``."""
        rank, ranks, parts = {symbol: place for place, symbol in enumerate(model.alphabet)}, {}, {}
        held = (function.partition.alice, function.partition.bob)
        for role, positions, words in zip(OTHER, held, function.inputs, strict=True):
            symbols = words.alphabet if isinstance(words, Words) else ()
            ranks[role] = np.array([rank[symbol] for symbol in symbols], dtype=np.int64)
            parts[role] = Part(model, tuple(place - 1 for place in positions))

        def seen(role: str, rows: Array, known: Known) -> Array:
            return np.asarray(ranks[role].take(rows))

        def last(role: str, rows: Array, known: Known) -> Array:
            return seen(role, rows, known)[:, -1] if model.length - 1 in parts[role].positions else known["symbol"]

        return cls(model, parts, calculator, seen, last, model.codes_among(function.answers))

    @property
    def helper(self) -> str:
        return OTHER[self.calculator]

    @cached_property
    def holder(self) -> str:
        return next(role for role, part in self.parts.items() if self.model.length - 1 in part.positions)

    def label(self, what: str) -> str:
        return f"{self.tag}{what}" + (f", in each of {self.model.heads} heads" if self.model.heads > 1 else "")

    def announcement(self, name: str, label: str, table: Array, bounds: Sequence[int]) -> list[Step]:
        """The last symbol's row of a table, after which both know ``symbol``, the first one with that row."""

        def numbers(rows: Array, known: Known) -> Array:
            return np.asarray(table[self.last(self.holder, rows, known)])

        def symbol(known: Known) -> Array:
            row = known[name].reshape(-1, 1, table.shape[1])
            return np.asarray((row == table).all(axis=2).argmax(axis=1))

        return [
            Field(self.holder, name, label, tuple(bounds), numbers),
            Conclusion("symbol", symbol, instead_of=(name,)),
        ]

    def seen(self, role: str, rows: Array, known: Known) -> tuple[Array, Array]:
        return self.symbols(role, rows, known), self.last(role, rows, known)

    def notes(self) -> list[Step]:
        """The exponentials of each party once the maximum is known; if none was sent, one party holds all positions."""

        def value(role: str, rows: Array, known: Known) -> Array:
            name, seen = f"{self.tag}maximum", self.seen(role, rows, known)
            maximum = known[name] if name in known else self.parts[role].maxima(*seen)
            return self.parts[role].exponentials(*seen, maximum)

        return [
            Note(role, f"{self.tag}exponentials {role}", partial(value, role))
            for role, part in self.parts.items()
            if part.count
        ]

    def exponentials(self, role: str, rows: Array, known: Known) -> Array:
        if not self.parts[role].count:
            return np.zeros((len(rows), self.model.heads, 0), dtype=np.int64)
        return known[f"{self.tag}exponentials {role}"]

    def normalisers(self, role: str, rows: Array, known: Known) -> Array:
        return np.asarray(self.exponentials(role, rows, known).sum(axis=-1))

    def normaliser_fields(self, bounds: dict[str, int]) -> list[Step]:
        names, heads = tuple(f"{self.tag}normaliser {role}" for role in bounds), self.model.heads
        steps: list[Step] = []
        for name, (role, bound) in zip(names, bounds.items(), strict=True):
            label = self.label(f"sum of exponentials of {role}")
            steps.append(Field(role, name, label, (bound,) * heads, partial(self.normalisers, role)))
        return [*steps, Conclusion(f"{self.tag}normaliser", partial(self._total, names), instead_of=names)]

    def _total(self, names: tuple[str, ...], known: Known) -> Array:
        return np.asarray(sum(known[name].reshape(-1, self.model.heads) for name in names))

    def sums(self, role: str, rows: Array, known: Known) -> Array:
        name = f"{self.tag}normaliser"
        normaliser = known[name] if name in known else self.normalisers(role, rows, known)
        exponentials = self.exponentials(role, rows, known)
        return self.parts[role].sums(self.symbols(role, rows, known), exponentials, normaliser)

    def sum_fields(self, role: str, low: Array, bounds: Array) -> list[Step]:
        name, label = f"{self.tag}sums {role}", self.label(f"weighted sums of the values of {role}")

        def numbers(rows: Array, known: Known) -> Array:
            return np.asarray((self.sums(role, rows, known) - low).reshape(len(rows), -1))

        def sums(known: Known) -> Array:
            return np.asarray(known[f"{name} counted"].reshape(-1, *low.shape) + low)

        return [
            Field(role, f"{name} counted", label, tuple(int(bound) for bound in bounds.ravel()), numbers),
            Conclusion(name, sums, instead_of=(f"{name} counted",)),
        ]

    def answer(self, role: str, rows: Array, known: Known) -> Array:
        other = f"{self.tag}sums {OTHER[role]}"
        total = self.sums(role, rows, known) + known.get(other, 0)
        return np.asarray(self.codes[self.model.finish(self.last(role, rows, known), total)])

    def printed_fields(self, senders: Sequence[str], givers: Sequence[str], *, in_turn: bool = False) -> list[Step]:
        """Fields of the printed widths: maxima of p bits, sums of exponentials of p + L(N), weighted sums of 2p.

        Each sender sends its maxima; ``in_turn`` the second one sends those of both, and the first sum of exponentials.
        """
        bits, low, heads = self.model.precision.bits, self.model.precision.low, self.model.heads
        names, steps = tuple(f"{self.tag}maximum {role}" for role in senders), list[Step]()

        def numbers(role: str, before: Sequence[str], rows: Array, known: Known) -> Array:
            heard = [known[name].reshape(-1, heads) for name in before]
            return np.asarray(np.max([self.parts[role].maxima(*self.seen(role, rows, known)) - low, *heard], axis=0))

        def largest(known: Known) -> Array:
            return np.asarray(np.max([known[name].reshape(-1, heads) for name in names], axis=0) + low)

        for place, role in enumerate(senders):
            before = names[:place] if in_turn else ()
            label = self.label(f"largest logit of {'both' if before else role}")
            steps.append(Field(role, names[place], label, (1 << bits,) * heads, partial(numbers, role, before)))
        if senders:
            steps.append(Conclusion(f"{self.tag}maximum", largest, instead_of=names))
        steps += self.notes()
        if senders:
            room = 1 << bits + (self.model.length - 1).bit_length()
            steps += self.normaliser_fields(dict.fromkeys(senders[:: -1 if in_turn else 1], room))
        shape = (heads, self.model.head_width)
        for role in givers:
            steps += self.sum_fields(role, np.full(shape, -(1 << 2 * bits - 1)), np.full(shape, 1 << 2 * bits))
        return steps


def printed_formula(senders: int, givers: int) -> str:
    """The bits of :meth:`Exchange.printed_fields`, in H, p, v and N."""
    return f"H*({senders}*p + {senders}*(p + L(N)) + {2 * givers}*v*p)"


def max_logit_softmax(
    model: OneLayerTransformer,
    partition: Partition,
    *,
    answer: str = "both",
    variant: str = "literal",
    task: SequenceTask | None = None,
) -> Protocol:
    """The protocol in which two parties, each holding some positions of the word, run a one-layer transformer.

    The function of the protocol is what the model itself computes, so that exploring the protocol compares its answer
    with the model's forward pass, bit for bit, on every word.

    Args:
        model: one attention layer, any number of heads.
        partition: who holds which position; any of the 2^N.
        answer: who must know the answer: ``both``, ``alice``, ``bob``, or ``one`` (whoever costs least).
        variant: ``literal`` is the printed protocol, in which every party that must know the answer receives the
            other's sums: m p + H (2p + 2(p + L(N)) + 4 v p) bits for both, with values of width v (the paper's v is m);
            ``one-sided`` sends the sums one way and the answer back; ``compact`` numbers in each field only what can be
            meant there; ``symbols`` lets one party name its symbols; ``cheapest`` is the cheaper of the last two.
        task: what the model is for, on whose words it is then to be right; else what it computes on all words.

    Raises :class:`~ccsim.errors.InputError` for more than one layer: by Corollary 13.1 of the same paper no such
    protocol is cheap for two layers.

    >>> model = OneLayerTransformer.random("ab", length=4, width=4, heads=1, precision=8, seed=0)
    >>> protocol = max_logit_softmax(model, Partition.odd_even(4))
    >>> protocol.cost.bits, protocol.explore().raise_if_wrong().worst_bits
    (196, 196)
    """
    layers = getattr(model, "layers", 1)
    if isinstance(layers, int) and layers > 1:
        raise InputError(
            "layers",
            layers,
            "one attention layer: two layers compute functions whose communication is N/2 or more at logarithmic size "
            "under any balanced partition (Bhattamishra et al. 2024, Corollary 13.1), so no such protocol exists",
        )
    model = require_layer("model", model)
    if not isinstance(partition, Partition) or partition.length != model.length:
        raise InputError("partition", partition, f"a partition of {model.length} positions, as the model has")
    if answer not in ANSWERS:
        raise InputError("answer", answer, f"one of {ANSWERS}")
    if variant not in VARIANTS:
        raise InputError("variant", variant, f"one of {VARIANTS}")
    function = (model.task() if task is None else _for(model, task)).split(partition)
    schedule, cost, knowing = _cheapest(model, function, answer, variant)
    name = f"max-logit softmax ({variant}) for {model.name} split {partition}"
    known_by = knowing[0] if len(knowing) == 1 else "both"
    return Protocol(name, function, schedule.parties(), answer=known_by, cost=cost, source=SOURCE)


def _for(model: OneLayerTransformer, task: SequenceTask) -> SequenceTask:
    if not isinstance(task, SequenceTask):
        raise InputError("task", task, "a task on words, such as those of ccsim.problems, or None")
    if task.length != model.length or set(task.alphabet) - set(model.alphabet):
        raise InputError("task", task.name, f"words of {model.length} symbols of {sample(model.alphabet)}")
    if set(model.answers) - set(task.answers):
        raise InputError("task", task.name, f"a task with the model's answers {sample(model.answers)}")
    return task


def _cheapest(model: OneLayerTransformer, function: SplitTask, answer: str, variant: str) -> Candidate:
    holders = [role for role in OTHER if getattr(function.partition, role)]
    knowings: list[tuple[str, ...]] = [(role,) for role in (holders if answer == "one" else [answer])]
    candidates: list[Candidate] = []
    for knowing, calculator in product([tuple(OTHER)] if answer == "both" else knowings, holders):
        exchange = Exchange.of(model, function, calculator)
        if variant == "literal":
            steps, formula, parameters, _ = _printed(exchange, knowing)
            answers = {role: partial(exchange.answer, role) for role in knowing}
            candidates.append((Schedule(tuple(steps), answers), Cost(formula, parameters), knowing))
        else:
            ways, size = _ways(exchange, variant), len(function.answers)
            candidates += [_finished(exchange, knowing, size, *way) for way in ways]
    return min(candidates, key=lambda candidate: candidate[0].bits)


def _ways(exchange: Exchange, variant: str) -> list[Way]:
    if variant == "one-sided":
        return [_printed(exchange, (exchange.calculator,))]
    ways: list[Way] = []
    if variant == "compact" or (variant == "cheapest" and fits_words(exchange.model)):
        senders = OTHER if exchange.parts[exchange.helper].count else ("alice",)
        ways += [_compact(exchange, first) for first in senders]
    if variant != "compact":
        ways.append(_named_symbols(exchange))
    return ways


def _finished(exchange: Exchange, knowing: tuple[str, ...], answers: int, *way: Any) -> Candidate:
    steps, formula, parameters, finish = way
    if exchange.helper not in knowing:
        return Schedule(tuple(steps), {exchange.calculator: finish}), Cost(formula, parameters), knowing
    sent = Field(exchange.calculator, "answer", "the answer", (answers,), finish)
    schedule = Schedule((*steps, sent), dict.fromkeys(OTHER, lambda rows, known: known["answer"]))
    return schedule, Cost(f"{formula} + L(answers)", {**parameters, "answers": answers}), knowing


def _printed(exchange: Exchange, finishing: tuple[str, ...]) -> Way:
    model, parts = exchange.model, exchange.parts
    require_printed_fields(model, f"; variant={'compact' if fits_words(model) else 'symbols'!r} takes it")
    speaking = [role for role in OTHER if parts[role].count and (parts[OTHER[role]].count or OTHER[role] in finishing)]
    givers, steps = [role for role in speaking if OTHER[role] in finishing], list[Step]()
    formula = printed_formula(len(speaking), len(givers))
    if exchange.holder in speaking:
        embedded, bounds = model.embedding_table[-1] - model.precision.low, (1 << model.precision.bits,) * model.width
        steps += exchange.announcement("x_N", "x_N, the embedded last symbol", embedded, bounds)
        formula = f"m*p + {formula}"
    steps += exchange.printed_fields(speaking, givers)
    sizes = {"m": model.width, "p": model.precision.bits, "H": model.heads, "N": model.length, "v": model.head_width}
    return steps, formula, sizes, partial(exchange.answer, exchange.calculator)


def _compact(exchange: Exchange, first: str) -> Way:
    """Fields that number what can be meant; ``first`` is the first to name its maximum."""
    model, helper = exchange.model, exchange.parts[exchange.helper]
    if not fits_words(model):
        expected = "one whose weighted sums fit in 61 bits; variant='symbols' takes more"
        raise InputError("precision", str(model.precision), expected)
    stages: dict[str, list[Step]] = {}
    if helper.count:
        own = exchange.holder == exchange.calculator
        signature = _query_signature(model) if own else _seen(model, model.length - 1)
        code = np.unique(_first_alike(signature), return_inverse=True)[1]
        label = "the last symbol, as far as it matters"
        stages["symbol"] = exchange.announcement("query", label, code[:, None], (int(code.max()) + 1,))
        stages["maxima"] = Maxima(exchange, first).steps()
        roles = exchange.helper, exchange.calculator
        bounds = {role: exchange.parts[role].count * model.precision.scale + 1 for role in roles}
        stages["normalisers"] = exchange.notes() + exchange.normaliser_fields(bounds)
        values = model.value_table[:, list(helper.positions)].reshape(model.heads, -1, model.head_width)
        low, high = (model.precision.scale * end(axis=1, initial=0) for end in (values.min, values.max))
        stages["sums"] = exchange.sum_fields(exchange.helper, low, high - low + 1)
    widths = {name: _bits(steps) for name, steps in stages.items()}
    steps = [step for stage in stages.values() for step in stage] or exchange.notes()
    return steps, " + ".join(widths) or "0", widths, partial(exchange.answer, exchange.calculator)


def _named_symbols(exchange: Exchange) -> Way:
    helper, calculator = exchange.parts[exchange.helper], exchange.parts[exchange.calculator]
    alike = [_first_alike(_seen(exchange.model, place)) for place in helper.positions]
    codes = [np.unique(first, return_inverse=True) for first in alike]

    def numbers(rows: Array, known: Known) -> Array:
        rows = exchange.symbols(exchange.helper, rows, known)
        return np.stack([code[rows[:, place]] for place, (_, code) in enumerate(codes)], axis=1)

    def finish(rows: Array, known: Known) -> Array:
        words = np.zeros((len(rows), exchange.model.length), dtype=np.int64)
        words[:, list(calculator.positions)] = exchange.symbols(exchange.calculator, rows, known)
        for place, (position, (representatives, _)) in enumerate(zip(helper.positions, codes, strict=True)):
            words[:, position] = representatives[known["symbols"].reshape(len(rows), -1)[:, place]]
        return np.asarray(exchange.codes[exchange.model.codes(words)])

    bounds = tuple(len(representatives) for representatives, _ in codes)
    field = Field(exchange.helper, "symbols", f"the symbols of {exchange.helper}", bounds, numbers)
    steps: list[Step] = [field] if codes else []
    return steps, "symbols", {"symbols": _bits(steps)}, finish


def _bits(steps: list[Step]) -> int:
    return sum(step.width for step in steps if isinstance(step, Field))


def _first_alike(rows: Array) -> Array:
    _, first, place = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return np.asarray(first[place.ravel()])


def _query_signature(model: OneLayerTransformer) -> Array:
    table = np.moveaxis(model.logit_table, 1, 0)  # last symbol, head, position, symbol
    symbols = np.arange(len(table))
    own = table[symbols, :, -1, symbols]
    return np.concatenate([table[:, :, :-1].reshape(len(table), -1), own], axis=1)


def _seen(model: OneLayerTransformer, position: int) -> Array:
    if position == model.length - 1:
        return np.asarray(model.embedding_table[-1])
    logits = np.moveaxis(model.logit_table[:, :, position, :], -1, 0)
    values = np.moveaxis(model.value_table[:, position], 1, 0)
    return np.concatenate([logits.reshape(len(logits), -1), values.reshape(len(values), -1)], axis=1)


NOT_ABOVE = int(np.iinfo(np.int64).min)  # represents every maximum that is never above the other party's


class Maxima:
    """Both parties send their greatest logits as places in lists that both know, one for each last symbol and head."""

    def __init__(self, exchange: Exchange, first: str) -> None:
        self.exchange, self.first, self.second = exchange, first, OTHER[first]
        own, other = exchange.parts[first], exchange.parts[self.second]
        theirs = self._reachable(other)
        above = [_above(a, b[0]) for a, b in zip(self._reachable(own), theirs, strict=True)]
        below = [np.searchsorted(b, a, side="right") for a, b in zip(above, theirs, strict=True)]
        self.first_values, self.second_values, self.below = map(self._filled, (above, theirs, below))
        least = [int(b[0]) for b in theirs]
        self.first_places, self.second_places = self._places(own, above, least), self._places(other, theirs, least)
        lists = zip(above, theirs, below, strict=True)
        replies = [(len(b) - skipped + (a != NOT_ABOVE)).max() for a, b, skipped in lists]
        self.first_bounds, self.second_bounds = self._largest([len(a) for a in above]), self._largest(replies)

    def _filled(self, lists: list[Array]) -> Array:
        longest = max(map(len, lists))
        rows = [np.pad(values, (0, longest - len(values)), mode="edge") for values in lists]
        return np.reshape(rows, (-1, self.exchange.model.heads, longest))

    def _largest(self, numbers: list[int]) -> tuple[int, ...]:
        return tuple(np.reshape(numbers, (-1, self.exchange.model.heads)).max(axis=0).tolist())

    def steps(self) -> list[Step]:
        label, above = self.exchange.label, f"largest logit of {self.second}, if above"
        first = label(f"largest logit of {self.first}")
        return [
            Field(self.first, "first maxima", first, self.first_bounds, self._first_numbers),
            Field(self.second, "second maxima", label(above), self.second_bounds, self._second_numbers),
            Conclusion("maximum", self._maximum, instead_of=("first maxima", "second maxima")),
        ]

    def _reachable(self, part: Part) -> list[Array]:
        table, last = self.exchange.model.logit_table, self.exchange.model.length - 1
        return [
            _maxima([table[head, c, i, [c]] if i == last else table[head, c, i] for i in part.positions])
            for c, head in np.ndindex(*table.shape[1::-1])
        ]

    def _places(self, part: Part, lists: list[Array], least: list[int]) -> Array:
        """The place in the list that each logit would claim; the first if not above ``least``."""
        table = self.exchange.model.logit_table[:, :, list(part.positions), :]
        places = np.empty((*table.shape[1:], len(table)), dtype=np.int64)
        for number, (c, head) in enumerate(np.ndindex(*table.shape[1::-1])):
            claimed = np.searchsorted(lists[number], table[head, c])
            places[c, :, :, head] = np.where(table[head, c] <= least[number], 0, claimed)
        return places

    def _claimed(self, places: Array, role: str, rows: Array, known: Known) -> tuple[Array, Array]:
        rows, symbol = self.exchange.seen(role, rows, known)
        return symbol, places[symbol[:, None], np.arange(rows.shape[1]), rows].max(axis=1)

    def _first_numbers(self, rows: Array, known: Known) -> Array:
        return self._claimed(self.first_places, self.first, rows, known)[1]

    def _second_numbers(self, rows: Array, known: Known) -> Array:
        symbol, place = self._claimed(self.second_places, self.second, rows, known)
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
    """The values above the least one of the other party, after one that represents all the rest, if there are any."""
    above = values[values > least]
    return above if len(above) == len(values) else np.concatenate([[NOT_ABOVE], above])


def softmax_costs(
    widths: Iterable[int],
    precisions: Iterable[int],
    heads: Iterable[int],
    lengths: Iterable[int],
) -> list[dict[str, Any]]:
    """For each (m, p, H, N): the printed bound and the exact cost of each protocol, in bits, for words of two symbols
    and two answers; both know the answer.

    The printed bound is 3m(p + log N)H (Theorem 4 of Bhattamishra et al. 2024), for values of width m in each head;
    both parties hold positions. ``literal`` is m p + H(2p + 2(p + L(N)) + 4mp); ``one-sided`` sends sums one way and
    the answer back. ``compact`` is the most that variant can cost at odd/even positions, whatever the weights
    (:func:`ccsim.bounds.softmax_bits`); ``cheapest`` is the less of that and naming symbols, and keeps to the printed
    total from a width of 3 on. ``... within printed`` states whether the steps of the other two do.

    >>> row, = softmax_costs([8], [16], [1], [256])
    >>> row["printed"], row["literal"], row["one-sided"], row["literal within printed"]
    (576.0, 720, 465, False)
    """
    sizes = _sizes("widths", widths, 1), _sizes("precisions", precisions, 3), _sizes("heads", heads, 1)
    rows = []
    for m, p, H, N in product(*sizes, _sizes("lengths", lengths, 1)):
        row: dict[str, Any] = {"m": m, "p": p, "H": H, "N": N, "printed": 3 * m * (p + log2(N)) * H}
        for name, givers in (("literal", 2), ("one-sided", 1)):
            bits = Cost(f"m*p + {printed_formula(2, givers)}", {"m": m, "p": p, "H": H, "N": N, "v": m}).bits
            row[name] = bits if givers == 2 else bits + 1
        row["compact"] = softmax_bits(head_width=m, heads=H, precision=p, length=N, symbols=2)
        row["cheapest"] = min(row["compact"], N // 2 + 1)
        rows.append(row | {f"{name} within printed": row[name] <= row["printed"] for name in ("literal", "one-sided")})
    return rows


def _sizes(argument: str, given: object, low: int) -> list[int]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(argument, given, f"a list of integers of at least {low}")
    return [require_integer(argument, size, low=low, high=MOST_SIZE) for size in given]
