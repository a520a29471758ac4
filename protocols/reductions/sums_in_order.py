"""One attention layer that adds up in registers of p bits, position after position: one message carries all its sums.

Peng, Narayanan and Papadimitriou 2024 let the holder of one function send, for each head, the numerator of the
softmax average over its tokens (d numbers) and its normaliser, in p bits each: H (d + 1) p bits, in one message
(theorem 1). For which layers is that exact? For those that compute as the sentence says: each head keeps d + 1 numbers
of p bits, to which it adds one position after the other, in the order of the prompt. After the tokens of the first
function, the numbers in these registers are all that the rest of the layer can know of them; whoever receives them goes
on with the sums.

The last token of a prompt is a mark that everybody knows, as a question mark is, and the argument x stands before it.
So the queries are known to all, nobody has to ask, and the message is truly the only one. Layers that take a common
maximum off their logits, and add up exactly, are another class: :mod:`protocols.reductions.composition`, which shares
with these the pass through a layer by two parties, of whom one finishes, field by field.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import IntArray, elementary, floor_divide
from ccsim.arrays import Array
from ccsim.engine import Cost, Protocol
from ccsim.engine.schedule import Conclusion, Field, Known, Schedule, Step, StepFunction
from ccsim.errors import InputError
from ccsim.models import OneLayerTransformer, SequenceModel
from ccsim.models.model import require_words
from ccsim.problems import Partition, SequenceTask, Words
from protocols.reductions.exchange import OTHER, Part, printed_fields_hold

Look = Callable[[str, Array, Known], Array]

MOST_BITS = 30


def require_layer(argument: str, model: Any) -> OneLayerTransformer:
    """The model, if it is one attention layer whose sums fit in 62 bits."""
    if not isinstance(model, OneLayerTransformer):
        raise InputError(argument, model, "a OneLayerTransformer: with more layers the sums of one do not suffice")
    ties = getattr(model.tables.weighting, "ties", "average")
    if ties != "average":
        raise InputError(argument, ties, "weights that do not depend on the order of the positions")
    if model.precision.bits > MOST_BITS:
        expected = f"a precision of at most {MOST_BITS} bits, so that sums of twice as many fit in 62"
        raise InputError(argument, model.precision.bits, expected)
    if not printed_fields_hold(model):
        expected = "a precision with exponentials up to 1 in p bits, and weighted sums in 2p bits"
        raise InputError(argument, str(model.precision), expected)
    return model


def chain_task(models: Sequence[SequenceModel], symbols: Sequence[Hashable], first: int, ranks: Array) -> SequenceTask:
    """What several passes answer on words of these symbols, each of them appending its answer to what it has read.

    ``first`` is the rank of the token that stands behind every word, and ``ranks`` those of the answers, by code.
    """

    def evaluate(words: Array) -> Array:
        begun = np.full((*words.shape[:-1], 1), first, dtype=np.int64)
        text = np.concatenate([words.astype(np.int64), begun], axis=-1)
        for model in models:
            codes = model.codes(text)
            text = np.concatenate([text, ranks[codes][..., None]], axis=-1)
        return np.asarray(codes)

    length = models[0].length
    assert length is not None
    words, name = Words.over(symbols, length - 1), f"{len(models)} passes of {models[0].name}"
    return SequenceTask(name, words, models[0].answers, evaluate, note="the last token of a chain of thought")


@dataclass(frozen=True, eq=False)
class Pass:
    """A pass in which the helper sends its sums and the finisher ends up with what the layer answers.

    Fields, with p bits of precision, H heads, values of v numbers, N positions and L(N) = ceil(log2 N):
    the helper's largest logits, H p; the largest logits of both, H p; the finisher's sums of exponentials and the
    helper's, H (p + L(N)) each; the helper's weighted sums, 2 H v p. Exact arithmetic makes the answer the model's.

    Attributes:
        model: the layer.
        helper: who sends its sums.
        parts: each party's positions.
        symbols: the ranks of the symbols at a party's positions: (questions, positions).
        query: the rank of the symbol at the last position: (questions,).
        tag: what the names of the fields begin with.
    """

    model: OneLayerTransformer
    helper: str
    parts: dict[str, Part]
    symbols: Look
    query: Look
    tag: str = ""

    @property
    def finisher(self) -> str:
        """Who answers."""
        return OTHER[self.helper]

    def steps(self) -> list[Step]:
        """The fields, in three rounds: helper, finisher, helper."""
        precision, heads = self.model.precision, self.model.heads
        whole = 1 << precision.bits
        room = whole << (self.model.length - 1).bit_length()
        helper, finisher, low = self.helper, self.finisher, precision.low
        sums_bounds = (1 << 2 * precision.bits,) * (heads * self._width)

        def own_maximum(rows: Array, known: Known) -> Array:
            return np.asarray(self._maxima(helper, rows, known) - low)

        def largest(rows: Array, known: Known) -> Array:
            said = known[self._name("own")].reshape(-1, heads)
            return np.asarray(np.maximum(said, self._maxima(finisher, rows, known) - low))

        def sums(rows: Array, known: Known) -> Array:
            return np.asarray(self._sums(helper, rows, known).reshape(len(rows), -1) - self._low)

        return [
            self._field(helper, "own", "largest logit", (whole,) * heads, own_maximum),
            self._field(finisher, "largest", "largest logit of both", (whole,) * heads, largest),
            Conclusion(self._name("maximum"), lambda known: known[self._name("largest")].reshape(-1, heads) + low),
            self._field(finisher, "rest", "sum of exponentials", (room,) * heads, self._normaliser(finisher)),
            self._field(helper, "part", "sum of exponentials", (room,) * heads, self._normaliser(helper)),
            Conclusion(self._name("normaliser"), self._total),
            self._field(helper, "sums", "weighted sum of values", sums_bounds, sums),
        ]

    def answer(self, rows: Array, known: Known) -> Array:
        """What the layer answers, as a code, for the finisher."""
        said = known[self._name("sums")].reshape(len(rows), self.model.heads, self._width) + self._low
        whole = said + self._sums(self.finisher, rows, known)
        return self.model.finish(self.query(self.finisher, rows, known), whole)

    @property
    def formula(self) -> str:
        """The bits of the fields, in H, p, v and N."""
        return "H*(2*p + 2*(p + L(N)) + 2*v*p)"

    @property
    def _width(self) -> int:
        return self.model.head_width

    @property
    def _low(self) -> int:
        return -(1 << 2 * self.model.precision.bits - 1)

    def _name(self, what: str) -> str:
        return f"{self.tag}{what}"

    def _field(self, sender: str, what: str, label: str, bounds: tuple[int, ...], numbers: StepFunction) -> Field:
        return Field(sender, self._name(what), f"{self.tag}all heads: {label}", bounds, numbers)

    def _asked(self, role: str, rows: Array, known: Known) -> tuple[Array, Array]:
        return self.symbols(role, rows, known), self.query(role, rows, known)

    def _maxima(self, role: str, rows: Array, known: Known) -> Array:
        return np.asarray(
            self.parts[role].logits(*self._asked(role, rows, known)).max(axis=1, initial=self.model.precision.low)
        )

    def _exponentials(self, role: str, rows: Array, known: Known) -> Array:
        return self.parts[role].exponentials(*self._asked(role, rows, known), known[self._name("maximum")])

    def _normaliser(self, role: str) -> StepFunction:
        def numbers(rows: Array, known: Known) -> Array:
            return np.asarray(self._exponentials(role, rows, known).sum(axis=-1))

        return numbers

    def _total(self, known: Known) -> Array:
        return np.asarray((known[self._name("rest")] + known[self._name("part")]).reshape(-1, self.model.heads))

    def _sums(self, role: str, rows: Array, known: Known) -> Array:
        exponentials = self._exponentials(role, rows, known)
        return self.parts[role].sums(self.symbols(role, rows, known), exponentials, known[self._name("normaliser")])


MARK = "?"
"""The last token of a prompt, which everybody knows."""


@dataclass(frozen=True, eq=False)
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

    layer: OneLayerTransformer
    name: str = field(init=False)
    alphabet: tuple[Hashable, ...] = field(init=False)
    answers: tuple[Hashable, ...] = field(init=False)
    length: int = field(init=False)

    def __post_init__(self) -> None:
        require_layer("layer", self.layer)
        object.__setattr__(self, "name", f"{self.layer.name}, summed in order")
        for same in ("alphabet", "answers", "length"):
            object.__setattr__(self, same, getattr(self.layer, same))

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


SOURCE = "Peng, Narayanan and Papadimitriou 2024"


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
        registers = model.read(_told(model, known["registers"]), range(n, 2 * n + 2), symbols, symbols[:, -1])
        return model.finish(registers, symbols[:, -1])

    def query(known: Known | None, count: int) -> Array:
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
    steps = [step for number, model in enumerate(chain) for step in _pass(model, n, number)]

    def answer(rows: Array, known: Known) -> Array:
        return known[f"token {len(chain)}"]

    return Protocol(
        f"chain of thought of {len(chain)} passes of {chain[0].name}",
        chain_task(chain, range(n), chain[0].alphabet.index(MARK), np.arange(n)).split(Partition("A" * n + "B" * n)),
        Schedule(tuple(steps), {"alice": answer, "bob": answer}).parties(),
        cost=Cost("k*(H*(d + 1)*p + L(n))", {**_sizes(chain[0]), "k": len(chain), "n": n}),
        source=f"{SOURCE}, theorem 2",
    )


def _pass(model: LayerInOrder, n: int, number: int) -> list[Step]:
    """A pass, counted from 0, and the token that follows."""
    mark, registers = model.alphabet.index(MARK), f"registers {number + 1}"

    def tokens(known: Known | None, count: int) -> list[Array]:
        said = [] if known is None else [known[f"token {each}"] for each in range(1, number + 1)]
        return [np.full(count, mark), *said]

    def query(known: Known | None, count: int) -> Array:
        return tokens(known, count)[-1]

    def answered(rows: Array, known: Known) -> Array:
        symbols = np.column_stack([rows, *tokens(known, len(rows))]).astype(np.int64)
        told = _told(model, known[registers])
        return model.finish(model.read(told, range(n, model.length), symbols, symbols[:, -1]), symbols[:, -1])

    name = f"token {number + 1}"
    said = Field("bob", f"code {number + 1}", f"{name}, the next one", (len(model.answers),), answered)
    token = Conclusion(name, lambda known: known[f"code {number + 1}"])
    return [_registers_of_first_table(model, n, registers, query), said, token]


def _registers_of_first_table(model: LayerInOrder, n: int, name: str, query: Any) -> Field:
    """What Alice sends: each register in p bits."""
    precision = model.layer.precision

    def numbers(rows: Array, known: Known) -> Array:
        found = model.read(model.empty(len(rows)), range(n), rows.astype(np.int64), query(known, len(rows)))
        return precision.codes(found).reshape(len(rows), -1)

    return Field(
        "alice", name, "all heads: numerators and normaliser", (1 << precision.bits,) * model.registers, numbers
    )


def _told(model: LayerInOrder, codes: IntArray) -> IntArray:
    return model.layer.precision.from_codes(codes).reshape(len(codes), model.heads, -1)


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
