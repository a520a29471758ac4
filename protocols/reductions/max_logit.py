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

from ccsim.engine import Cost, Protocol
from ccsim.engine.schedule import Conclusion, Field, Known, Schedule, Step, StepFunction
from ccsim.errors import Array, InputError
from ccsim.models.transformer import OneLayerTransformer
from ccsim.problems import Partition, SequenceTask
from ccsim.problems.inputs import sample
from ccsim.problems.sequence_tasks import SplitTask
from protocols.reductions.exchange import (
    OTHER,
    Exchange,
    Part,
    fits_words,
    printed_formula,
    require_layer,
    require_printed_fields,
    said_answer,
)

VARIANTS = ("literal", "one-sided", "compact", "symbols", "cheapest")
SOURCE = "Bhattamishra, Hahn, Blunsom and Kanade 2024, Theorem 4"
ANSWERS = ("both", "one", "alice", "bob")

Way = tuple[list[Step], str, dict[str, int], StepFunction]
"""Fields, their cost as a formula with its parameters, and how the calculator then finishes."""


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
    require_layer("model", model)
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
    holders = [role for role in OTHER if getattr(function.partition, role)]
    knowings: list[tuple[str, ...]] = [(role,) for role in (holders if answer == "one" else [answer])]
    found: list[tuple[Schedule, Cost, tuple[str, ...]]] = []
    for knowing, calculator in product([tuple(OTHER)] if answer == "both" else knowings, holders):
        exchange = Exchange.of(model, function, calculator)
        if variant == "literal":
            steps, formula, parameters, _ = _printed(exchange, knowing)
            answers = {role: partial(exchange.answer, role) for role in knowing}
            found.append((Schedule(tuple(steps), answers), Cost(formula, parameters), knowing))
        else:
            told = len(function.answers) if exchange.helper in knowing else None
            found += [(*_finished(exchange, told, *way), knowing) for way in _ways(exchange, variant)]
    return min(found, key=lambda candidate: candidate[0].bits)


def _ways(exchange: Exchange, variant: str) -> list[Way]:
    """What the variant sends so that the calculator can finish."""
    found: list[Way] = []
    if variant == "one-sided":
        found.append(_printed(exchange, (exchange.calculator,)))
    if variant == "compact" or (variant == "cheapest" and fits_words(exchange.model)):
        speakers = OTHER if exchange.parts[exchange.helper].count else ("alice",)
        found += [_compact(exchange, first) for first in speakers]
    if variant in ("symbols", "cheapest"):
        found.append(_named_symbols(exchange))
    return found


def _finished(
    exchange: Exchange,
    told: int | None,
    steps: list[Step],
    formula: str,
    parameters: dict[str, int],
    finish: StepFunction,
) -> tuple[Schedule, Cost]:
    """The calculator finishes, and tells the answer, one of so many, if the other party must know it."""
    if told is None:
        return Schedule(tuple(steps), {exchange.calculator: finish}), Cost(formula, parameters)
    said = Field(exchange.calculator, "answer", "the answer", (told,), finish)
    cost = Cost(f"{formula} + L(answers)", {**parameters, "answers": told})
    return Schedule((*steps, said), dict.fromkeys(OTHER, said_answer)), cost


def _printed(exchange: Exchange, finishing: tuple[str, ...]) -> Way:
    """Fields of the printed widths, in the paper's order; whoever finishes receives the other's sums."""
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
        signature = _query_signature(model) if own else _told_apart(model, model.length - 1)
        code = np.unique(_first_alike(signature), return_inverse=True)[1]
        label = "the last symbol, as far as it matters"
        stages["symbol"] = exchange.announcement("query", label, code[:, None], (int(code.max()) + 1,))
        stages["maxima"] = Maxima(exchange, first).steps()
        bounds = {
            role: exchange.parts[role].count * model.precision.scale + 1
            for role in (exchange.helper, exchange.calculator)
        }
        stages["normalisers"] = exchange.notes() + exchange.normaliser_fields(bounds)
        stages["sums"] = exchange.sum_fields(exchange.helper, *_sum_range(helper))
    widths = {name: _bits(steps) for name, steps in stages.items()}
    steps = [step for stage in stages.values() for step in stage] or exchange.notes()
    return steps, " + ".join(widths) or "0", widths, partial(exchange.answer, exchange.calculator)


def _named_symbols(exchange: Exchange) -> Way:
    """The helper names its symbols, as far as the model tells them apart, and the calculator runs the model."""
    helper, calculator = exchange.parts[exchange.helper], exchange.parts[exchange.calculator]
    alike = [_first_alike(_told_apart(exchange.model, place)) for place in helper.positions]
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
    said: list[Step] = (
        [Field(exchange.helper, "symbols", f"the symbols of {exchange.helper}", bounds, numbers)] if codes else []
    )
    return said, "symbols", {"symbols": _bits(said)}, finish


def _bits(steps: list[Step]) -> int:
    return sum(step.width for step in steps if isinstance(step, Field))


def _first_alike(rows: Array) -> Array:
    """For each row, the first row equal to it."""
    _, first, place = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return np.asarray(first[place.ravel()])


def _query_signature(model: OneLayerTransformer) -> Array:
    """What the logits say of each symbol at the last position: one row per symbol."""
    table = np.moveaxis(model.logit_table, 1, 0)  # last symbol, head, position, symbol
    symbols = np.arange(len(table))
    own = table[symbols, :, -1, symbols]
    return np.concatenate([table[:, :, :-1].reshape(len(table), -1), own], axis=1)


def _told_apart(model: OneLayerTransformer, position: int) -> Array:
    """What the model sees of each symbol at a position: one row per symbol."""
    if position == model.length - 1:
        return np.asarray(model.embedding_table[-1])
    logits = np.moveaxis(model.logit_table[:, :, position, :], -1, 0)
    values = np.moveaxis(model.value_table[:, position], 1, 0)
    return np.concatenate([logits.reshape(len(logits), -1), values.reshape(len(values), -1)], axis=1)


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
        return self.exchange.label(f"largest logit of {role}{', if above' if role == self.second else ''}")

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
