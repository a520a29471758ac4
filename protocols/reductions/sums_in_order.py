"""One attention layer that adds up in registers of p bits, position after position: one message carries all its sums.

Peng, Narayanan and Papadimitriou 2024 let the holder of one function send, for each head, the numerator of the
softmax average over its tokens (d numbers) and its normaliser, in p bits each: H (d + 1) p bits, in one message
(theorem 1). For which layers is that exact? For those that compute as the sentence says: each head keeps d + 1 numbers
of p bits, to which it adds one position after the other, in the order of the prompt. After the tokens of the first
function, the numbers in these registers are all that the rest of the layer can know of them; whoever receives them goes
on with the sums.

The last token of a prompt is a mark that everybody knows, as a question mark is, and the argument x stands before it.
So the queries are known to all, nobody has to ask, and the message is truly the only one. Layers that take a common
maximum off their logits, and add up exactly, are another class: :mod:`protocols.reductions.composition`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ccsim.arithmetic import IntArray, elementary, floor_divide
from ccsim.engine import Cost, Protocol
from ccsim.engine.schedule import Field, Known, Schedule, Step
from ccsim.errors import Array, InputError, require_integer
from ccsim.models import OneLayerTransformer, SequenceModel
from ccsim.models.model import require_words
from ccsim.problems import Partition, Words
from protocols.reductions.composition import SOURCE, chain_protocol, chain_task
from protocols.reductions.exchange import require_layer, require_printed_fields

MARK = "?"
"""The last token of a prompt, which everybody knows."""


class LayerInOrder(SequenceModel):
    """The weights of a layer, with its sums in registers of its own precision.

    With the logits A_i and values v_i of the layer, every number a mantissa of p bits over its scale s::

        e_i = s * exp(A_i / s), rounded down and saturated          no maximum is taken off
        a   = a + e_i v_i / s, z = z + e_i                          from i = 1 on; rounded down and saturated each time
        head = s * a / z, rounded down and saturated                0 where z is 0

    and then whatever the layer does with its heads.

    Attributes:
        layer: where the weights are from; at most 30 bits of precision.

    >>> model = LayerInOrder.random(2, width=2, precision=6, seed=1)
    >>> model((0, 1, 1, 0, 1, MARK)), model.length, model.registers
    (0, 6, 3)
    """

    length: int

    def __init__(self, layer: OneLayerTransformer) -> None:
        require_printed_fields(require_layer("layer", layer))
        self.layer, self.name = layer, f"{layer.name}, summed in order"
        self.alphabet, self.answers, self.length = layer.alphabet, layer.answers, layer.length

    @classmethod
    def random(cls, n: int, *, more: int = 0, **sizes: Any) -> LayerInOrder:
        """Weights drawn from a seed, for words of 2n + 2 + ``more`` tokens from 0, ..., n - 1 and the mark.

        ``sizes`` are width (of a head), precision, seed, and heads, as in :meth:`OneLayerTransformer.random`.
        """
        n = require_integer("n", n, low=1)
        symbols, width = (*range(n), MARK), sizes.pop("width")
        options = {"width": width, "head_width": width, "answers": range(n), **sizes}
        return cls(OneLayerTransformer.random(symbols, length=2 * n + 2 + more, **options))

    @property
    def heads(self) -> int:
        """How many heads there are."""
        return self.layer.heads

    @property
    def registers(self) -> int:
        """How many numbers all heads keep: H (d + 1)."""
        return self.heads * (self.layer.head_width + 1)

    @cached_property
    def exponential_table(self) -> IntArray:
        """The exponential of each logit: (heads, last symbols, positions, symbols)."""
        precision = self.layer.precision
        return np.asarray(elementary("exp", precision, precision)(self.layer.logit_table))

    def empty(self, count: int) -> IntArray:
        """The registers before the first position: (questions, heads, d + 1), the normaliser last."""
        return np.zeros((count, self.heads, self.layer.head_width + 1), dtype=np.int64)

    def read(self, registers: IntArray, positions: Sequence[int], symbols: IntArray, last: IntArray) -> IntArray:
        """The registers after some positions, counted from 0.

        ``symbols`` are the ranks there (questions, positions), and ``last`` the rank of the last token (questions,).
        """
        precision = self.layer.precision
        for column, position in enumerate(positions):
            here = symbols[:, column]
            shares = self.exponential_table[:, last, position, here].T[:, :, None]
            values = np.moveaxis(self.layer.value_table[:, position, here], 0, 1)
            terms = np.concatenate([floor_divide(shares * values, precision.scale), shares], axis=2)
            registers = precision.saturate(registers + terms)
        return registers

    def quotients(self, registers: IntArray) -> IntArray:
        """What the heads give (questions, heads, d), from the registers at the end."""
        scale, sums = self.layer.precision.scale, registers[:, :, -1:]
        quotients = np.where(sums > 0, floor_divide(registers[:, :, :-1] * scale, np.maximum(sums, 1)), 0)
        return self.layer.precision.saturate(quotients)

    def finish(self, registers: IntArray, last: IntArray) -> IntArray:
        """The answer codes from the registers at the end."""
        return self.layer.finish(last, self.quotients(registers) * self.layer.precision.scale)

    def codes(self, words: Array) -> Array:
        """The answer codes on words of ranks."""
        words = require_words(words, len(self.alphabet), self.length)
        rows = words.reshape(-1, self.length).astype(np.int64)
        last = rows[:, -1]
        registers = self.read(self.empty(len(rows)), range(self.length), rows, last)
        return self.finish(registers, last).reshape(words.shape[:-1])


def one_message(model: LayerInOrder) -> Protocol:
    """A layer on two tables of n values, an argument and the mark, as one message; exact on every such word.

    Alice holds the table that stands first, whichever function it is. She sends the registers after it: H (d + 1) p
    bits. Bob, who holds all the rest, goes on with the sums and answers.

    >>> model = LayerInOrder.random(2, width=2, precision=6, seed=1)
    >>> explored = one_message(model).explore().raise_if_wrong()
    >>> explored.worst_bits, explored.worst_rounds, one_message(model).cost.bits
    (18, 1, 18)
    """
    n = _size(model, 1)
    tokens = tuple(range(n))
    words = Words((tokens,) * (2 * n + 1) + ((MARK,),))
    function = model.task(words=words).split(Partition("A" * n + "B" * (n + 2)))
    mark = model.alphabet.index(MARK)

    def finish(rows: Array, known: Known) -> Array:
        symbols = np.column_stack([rows[:, :-1], np.full(len(rows), mark)]).astype(np.int64)
        return _finished(model, n, known["registers"], symbols)

    def query(known: Known, count: int) -> Array:
        return np.full(count, mark)

    steps = (_registers_of_first_table(model, n, "registers", query),)
    return Protocol(
        f"one message for {model.name}",
        function,
        Schedule(steps, {"bob": finish}).parties(),
        answer="bob",
        cost=Cost("H*(d + 1)*p", _sizes(model)),
        source=f"{SOURCE}, theorem 1",
    )


def chain_in_order(models: Sequence[LayerInOrder], n: int) -> Protocol:
    """Several passes, each of which appends its answer to the prompt, two tables of n values and the mark.

    In each pass Alice sends the registers after her table, which stands first, and Bob says the answer, the next token:

        k (H (d + 1) p + L(n)) bits in 2 k rounds,

    and both know the last token, which is the result.

    Args:
        models: of the same sizes, each one token longer than the one before.
        n: how many values a table has.

    >>> models = [LayerInOrder.random(2, more=more, width=2, precision=6, seed=1) for more in (-1, 0)]
    >>> protocol = chain_in_order(models, 2)
    >>> explored = protocol.explore().raise_if_wrong()
    >>> explored.worst_bits, protocol.cost.bits, explored.worst_rounds
    (38, 38, 4)
    """
    chain = tuple(models)
    if not chain:
        raise InputError("models", models, "one or more layers")
    for number, model in enumerate(chain):
        if _size(model, 0, number) != n or _sizes(model) != _sizes(chain[0]):
            raise InputError(f"models[{number}]", model.name, f"a layer of the sizes of the first, for tables of {n}")
    task = chain_task(chain, range(n), chain[0].alphabet.index(MARK), np.arange(n))
    steps = [step for number, model in enumerate(chain) for step in _pass(model, n, number)]
    cost = Cost("k*(H*(d + 1)*p + L(n))", {**_sizes(chain[0]), "k": len(chain), "n": n})
    return chain_protocol(chain, task, Partition("A" * n + "B" * n), steps, cost)


def _pass(model: LayerInOrder, n: int, number: int) -> list[Step]:
    """A pass, counted from 0, and the token that follows."""
    mark, registers, name = model.alphabet.index(MARK), f"registers {number + 1}", f"token {number + 1}"

    def tokens(known: Known, count: int) -> list[Array]:
        return [np.full(count, mark), *(known[f"token {each}"] for each in range(1, number + 1))]

    def query(known: Known, count: int) -> Array:
        return tokens(known, count)[-1]

    def answered(rows: Array, known: Known) -> Array:
        symbols = np.column_stack([rows, *tokens(known, len(rows))]).astype(np.int64)
        return _finished(model, n, known[registers], symbols)

    said = Field("bob", name, f"{name}, the next one", (len(model.answers),), answered)
    return [_registers_of_first_table(model, n, registers, query), said]


def _finished(model: LayerInOrder, n: int, codes: IntArray, symbols: IntArray) -> IntArray:
    """The answers from the registers after the first table, as they were sent, and all symbols behind it."""
    told = model.layer.precision.from_codes(codes).reshape(len(codes), model.heads, -1)
    registers = model.read(told, range(n, model.length), symbols, symbols[:, -1])
    return model.finish(registers, symbols[:, -1])


def _registers_of_first_table(model: LayerInOrder, n: int, name: str, query: Any) -> Field:
    """What Alice sends: each register in p bits."""
    precision = model.layer.precision

    def numbers(rows: Array, known: Known) -> Array:
        found = model.read(model.empty(len(rows)), range(n), rows.astype(np.int64), query(known, len(rows)))
        return precision.codes(found).reshape(len(rows), -1)

    return Field(
        "alice", name, "all heads: numerators and normaliser", (1 << precision.bits,) * model.registers, numbers
    )


def _size(model: Any, argument: int, more: int = 0) -> int:
    """n, for prompts of two tables of n values, so many arguments, the mark, and so many tokens after it."""
    if not isinstance(model, LayerInOrder):
        raise InputError("model", model, "a LayerInOrder")
    n = len(model.answers)
    length = 2 * n + argument + 1 + more
    if model.alphabet != (*range(n), MARK) or model.answers != tuple(range(n)) or model.length != length:
        raise InputError("model", model.name, f"{length} tokens from 0, ..., {n - 1} and {MARK!r}, answers without it")
    return n


def _sizes(model: LayerInOrder) -> dict[str, int]:
    return {"H": model.heads, "d": model.layer.head_width, "p": model.layer.precision.bits}
