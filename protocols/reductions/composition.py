"""One attention layer on composed functions as a protocol: one pass, or one for each step of a chain of thought.

Peng, Narayanan and Papadimitriou 2024 let the holder of one function send, for each head, the numerator of the softmax
average over its tokens (d numbers) and its normaliser: H (d + 1) p bits in one message. Layers with a common maximum
and exact sums (Bhattamishra et al. 2024, appendix B.2) cost more. Layers that add up one position after the other, in
d + 1 registers of p bits for each head, with a mark as the last token, take one message as printed. With messages both
ways g(f(x)) takes 2 L(n) bits whatever the layer does, so such an exchange bounds chains of thought only.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from ccsim.arithmetic import elementary, floor_divide
from ccsim.engine import Cost, Protocol
from ccsim.engine.schedule import Field, Known, Schedule, Step, StepFunction, schedule_of
from ccsim.errors import Array, InputError, require_integer
from ccsim.models import OneLayerTransformer, SequenceModel
from ccsim.models.model import require_words
from ccsim.problems import Partition, SequenceTask, Words
from protocols.reductions.max_logit import OTHER, Exchange, Part, printed_formula, require_layer, require_printed_fields

SOURCE = "Peng, Narayanan and Papadimitriou 2024"


def composition(model: OneLayerTransformer) -> Protocol:
    """A layer on words f(1) ... f(n) g(1) ... g(n) x as a protocol of four rounds, exact on every word.

    Alice holds the table of f; Bob holds that of g and x, and answers. He names x. Then Alice sends her largest logits,
    Bob those of both and his sums of exponentials, Alice hers and her weighted sums, and Bob finishes:

        L(n) + H (2p + 2 (p + L(N)) + 2 v p) bits,    N = 2n + 1, of which Alice's are
               H (p + (p + L(N)) + 2 v p);            one message of sums in order has H (d + 1) p, with d = v.

    It computes what the model answers, right or wrong. With ``reduce("function-composition", "k-hop-composition",
    n).pull(...)`` it becomes a protocol for g(f(x)), if the model is right.

    Args:
        model: one layer; its alphabet has n symbols and its length is 2n + 1.

    >>> model = OneLayerTransformer.random(range(2), length=5, width=2, precision=6, seed=1, answers=range(2))
    >>> protocol = composition(model)
    >>> protocol.explore().raise_if_wrong().worst_bits, protocol.cost.bits
    (55, 55)
    """
    model = require_layer("model", model)
    require_printed_fields(model)
    n = len(model.alphabet)
    if model.length != 2 * n + 1:
        raise InputError("model", model.length, f"length 2n + 1 = {2 * n + 1} for n = {n} symbols")
    function = model.task().split(Partition.prefix(2 * n + 1, n))
    exchange = Exchange.of(model, function, "bob")
    named = exchange.announcement("query", "the query x", np.arange(n)[:, None], (n,))
    steps = (*named, *exchange.printed_fields(("alice", "bob"), ("alice",), in_turn=True))
    return Protocol(
        f"composition for {model.name}",
        function,
        Schedule(steps, {"bob": partial(exchange.answer, "bob")}).parties(),
        answer="bob",
        cost=Cost(f"L(n) + {printed_formula(2, 1)}", {"n": n, **_parameters(model)}),
        source=f"{SOURCE}, theorem 1",
    )


def composition_costs(model: OneLayerTransformer) -> dict[str, int]:
    """The printed message of sums in order, H (d + 1) p, and what :func:`composition` sends, in bits; d is the width v.

    >>> model = OneLayerTransformer.random(range(2), length=5, width=2, precision=6, seed=1, answers=range(2))
    >>> composition_costs(model)
    {'printed': 18, 'alice': 39, 'bob': 16, 'total': 55}
    """
    schedule = schedule_of(composition(model))
    assert schedule is not None
    bits = {role: sum(field.width for field in schedule.fields if field.sender == role) for role in OTHER}
    return {"printed": model.heads * (model.head_width + 1) * model.precision.bits, **bits, "total": schedule.bits}


def chain_of_thought(models: Sequence[OneLayerTransformer], partition: Partition, *, start: Any) -> Protocol:
    """Several passes, each of which appends its answer to the prompt, as a protocol with alternating messages.

    The prompt is a word split by ``partition``, and then the token ``start``, which both know. Each model's answer on
    the prompt so far is sent and becomes the next token; the last one is the result. Alice sends her sums in the first
    pass, and the parties change places after each: k passes take 3 k + 1 rounds,

        sum over t = 0, ..., k - 1 of H (2p + 2 (p + L(N + t)) + 2 v p) + L(n) bits,

    for N tokens at first and n symbols. From the cost of pointer chasing the paper concludes that a layer needs of
    order sqrt(n / (H d p)) steps (theorem 2).

    Args:
        models: of the same alphabet, answers (symbols of it), precision and sizes, each a token longer than the last.
        partition, start: who holds which position of the prompt before ``start``, and the token at its end.

    >>> sizes = {"width": 2, "precision": 6, "seed": 1, "answers": range(2)}
    >>> models = [OneLayerTransformer.random(range(2), length=length, **sizes) for length in (5, 6)]
    >>> explored = chain_of_thought(models, Partition("AABB"), start=0).explore().raise_if_wrong()
    >>> explored.worst_bits, explored.protocol.cost.bits, explored.worst_rounds
    (110, 110, 7)
    """
    _require_chain(models, partition, start)
    first = models[0]
    answers = np.arange(len(first.answers))
    begin = first.alphabet.index(start)
    ranks = np.array([first.alphabet.index(answer) for answer in first.answers], dtype=np.int64)

    def token(number: int, rows: Array, known: Known) -> Array:
        """The rank of the token after so many passes; the first is the start."""
        return ranks[known[f"token {number}"]] if number else np.full(len(rows), begin, dtype=np.int64)

    def one_pass(number: int) -> list[Step]:
        """A pass, counted from 0, and the token that follows; the finisher adds up all tokens that both know."""
        model, finisher = models[number], ("bob", "alice")[number % 2]
        parts, shared = {}, range(first.length - 1, model.length)
        for role, held in zip(OTHER, (partition.alice, partition.bob), strict=True):
            parts[role] = Part(model, (*(place - 1 for place in held), *(shared if role == finisher else ())))

        def symbols(role: str, rows: Array, known: Known) -> Array:
            tokens = [token(place, rows, known) for place in range(number + 1)] if role == finisher else []
            return np.column_stack([rows, *tokens]).astype(np.int64)

        def last(role: str, rows: Array, known: Known) -> Array:
            return token(number, rows, known)

        exchange = Exchange(model, parts, finisher, symbols, last, answers, f"{number + 1}: ")
        fields = exchange.printed_fields((exchange.helper, finisher), (exchange.helper,), in_turn=True)
        return [*fields, _next_token(finisher, number, len(answers), partial(exchange.answer, finisher))]

    steps = [step for number in range(len(models)) for step in one_pass(number)]
    whole = " + ".join(f"2*H*L(N + {number})" for number in range(len(models)))
    parameters = {**_parameters(first), "k": len(models), "n": len(ranks)}
    cost = Cost(f"k*(H*(4*p + 2*v*p) + L(n)) + {whole}", parameters)
    return chain_protocol(models, chain_task(models, first.alphabet, begin, ranks), partition, steps, cost)


def _require_chain(models: Sequence[OneLayerTransformer], partition: Partition, start: Any) -> None:
    if not isinstance(models, Sequence) or not models:
        raise InputError("models", models, "one or more one-layer transformers")
    for number, model in enumerate(models):
        require_printed_fields(require_layer(f"models[{number}]", model))
        for name in ("alphabet", "answers", "precision", "heads", "head_width"):
            if getattr(model, name) != getattr(models[0], name):
                raise InputError(f"models[{number}].{name}", getattr(model, name), f"{getattr(models[0], name)}")
        if model.length != models[0].length + number:
            raise InputError(f"models[{number}].length", model.length, f"{models[0].length + number} tokens")
    first = models[0]
    if not set(first.answers) <= set(first.alphabet):
        raise InputError("models[0].answers", first.answers[:6], "symbols of the alphabet")
    if not isinstance(partition, Partition) or partition.length != first.length - 1:
        raise InputError("partition", partition, f"a partition of {first.length - 1} positions")
    if start not in first.alphabet:
        raise InputError("start", start, f"a symbol of {first.alphabet[:8]}")


def _next_token(sender: str, number: int, answers: int, answer: StepFunction) -> Field:
    name = f"token {number + 1}"
    return Field(sender, name, f"{name}, the next one", (answers,), answer)


def chain_task(models: Sequence[SequenceModel], symbols: Sequence[Hashable], first: int, ranks: Array) -> SequenceTask:
    """Passes on words of ``symbols`` and then ``first``, each of which appends its answer; ``ranks`` by answer code."""

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


def chain_protocol(
    models: Sequence[SequenceModel], task: SequenceTask, partition: Partition, steps: Sequence[Step], cost: Cost
) -> Protocol:
    answers: dict[str, StepFunction] = dict.fromkeys(OTHER, lambda rows, known: known[f"token {len(models)}"])
    return Protocol(
        f"chain of thought of {len(models)} passes of {models[0].name} split {partition}",
        task.split(partition),
        Schedule(tuple(steps), answers).parties(),
        cost=cost,
        source=f"{SOURCE}, theorem 2",
    )


def _parameters(model: OneLayerTransformer) -> dict[str, int]:
    return {"H": model.heads, "p": model.precision.bits, "v": model.head_width, "N": model.length}


MARK = "?"
"""The last token of a prompt, which everybody knows."""


class LayerInOrder(SequenceModel):
    """The weights of ``layer``, of at most 30 bits of precision, with its sums in registers of that precision.

    With the logits A_i and values v_i of the layer, every number a mantissa of p bits over its scale s::

        e_i = s * exp(A_i / s), rounded down and saturated          no maximum is taken off
        a   = a + e_i v_i / s, z = z + e_i                          from i = 1 on; rounded down and saturated each time
        head = s * a / z, rounded down and saturated                0 where z is 0

    and then whatever the layer does with its heads.

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
    def exponential_table(self) -> Array:
        """The exponential of each logit: (heads, last symbols, positions, symbols)."""
        precision = self.layer.precision
        return np.asarray(elementary("exp", precision, precision)(self.layer.logit_table))

    def empty(self, count: int) -> Array:
        """The registers before the first position: (questions, heads, d + 1), the normaliser last."""
        return np.zeros((count, self.heads, self.layer.head_width + 1), dtype=np.int64)

    def read(self, registers: Array, positions: Sequence[int], symbols: Array, last: Array) -> Array:
        """The registers after positions, from 0; ranks are those there (questions, positions) and the ``last`` one."""
        precision = self.layer.precision
        for column, position in enumerate(positions):
            here = symbols[:, column]
            shares = self.exponential_table[:, last, position, here].T[:, :, None]
            values = np.moveaxis(self.layer.value_table[:, position, here], 0, 1)
            terms = np.concatenate([floor_divide(shares * values, precision.scale), shares], axis=2)
            registers = precision.saturate(registers + terms)
        return registers

    def finish(self, registers: Array, last: Array) -> Array:
        """The answer codes from the registers at the end."""
        scale, sums = self.layer.precision.scale, registers[:, :, -1:]
        heads = np.where(sums > 0, floor_divide(registers[:, :, :-1] * scale, np.maximum(sums, 1)), 0)
        return self.layer.finish(last, self.layer.precision.saturate(heads) * scale)

    def codes(self, words: Array) -> Array:
        """The answer codes on words of ranks."""
        words = require_words(words, len(self.alphabet), self.length)
        rows = words.reshape(-1, self.length).astype(np.int64)
        last = rows[:, -1]
        registers = self.read(self.empty(len(rows)), range(self.length), rows, last)
        return self.finish(registers, last).reshape(words.shape[:-1])


def one_message(model: LayerInOrder) -> Protocol:
    """A layer on two tables of n values, an argument and the mark, as one message of H (d + 1) p bits.

    Alice holds the table that comes first and sends the registers after it; Bob goes on with the sums and answers.

    >>> model = LayerInOrder.random(2, width=2, precision=6, seed=1)
    >>> explored = one_message(model).explore().raise_if_wrong()
    >>> explored.worst_bits, explored.worst_rounds, one_message(model).cost.bits
    (18, 1, 18)
    """
    n = _table_size(model, 1)
    tokens = tuple(range(n))
    words = Words((tokens,) * (2 * n + 1) + ((MARK,),))
    function = model.task(words=words).split(Partition("A" * n + "B" * (n + 2)))
    mark = model.alphabet.index(MARK)

    def finish(rows: Array, known: Known) -> Array:
        symbols = np.column_stack([rows[:, :-1], np.full(len(rows), mark)]).astype(np.int64)
        return _finished(model, n, known["registers"], symbols)

    steps = (_registers_of_first_table(model, n, "registers", lambda known, count: np.full(count, mark)),)
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

    In each pass Alice sends the registers after her table, which comes first, and Bob the answer, the next token:
    k (H (d + 1) p + L(n)) bits in 2 k rounds, and both know the last token, which is the result.

    Args:
        models: of the same sizes, each one token longer than the one before.
        n: how many values a table has.

    >>> models = [LayerInOrder.random(2, more=more, width=2, precision=6, seed=1) for more in (-1, 0)]
    >>> explored = chain_in_order(models, 2).explore().raise_if_wrong()
    >>> explored.worst_bits, explored.protocol.cost.bits, explored.worst_rounds
    (38, 38, 4)
    """
    chain = tuple(models)
    if not chain:
        raise InputError("models", models, "one or more layers")
    for number, model in enumerate(chain):
        if _table_size(model, 0, number) != n or _sizes(model) != _sizes(chain[0]):
            raise InputError(f"models[{number}]", model.name, f"a layer of the sizes of the first, for tables of {n}")
    task = chain_task(chain, range(n), chain[0].alphabet.index(MARK), np.arange(n))
    steps = [step for number, model in enumerate(chain) for step in _pass(model, n, number)]
    cost = Cost("k*(H*(d + 1)*p + L(n))", {**_sizes(chain[0]), "k": len(chain), "n": n})
    return chain_protocol(chain, task, Partition("A" * n + "B" * n), steps, cost)


def _pass(model: LayerInOrder, n: int, number: int) -> list[Step]:
    mark, registers = model.alphabet.index(MARK), f"registers {number + 1}"

    def tokens(known: Known, count: int) -> list[Array]:
        return [np.full(count, mark), *(known[f"token {each}"] for each in range(1, number + 1))]

    def answered(rows: Array, known: Known) -> Array:
        symbols = np.column_stack([rows, *tokens(known, len(rows))]).astype(np.int64)
        return _finished(model, n, known[registers], symbols)

    first = _registers_of_first_table(model, n, registers, lambda known, count: tokens(known, count)[-1])
    return [first, _next_token("bob", number, len(model.answers), answered)]


def _finished(model: LayerInOrder, n: int, codes: Array, symbols: Array) -> Array:
    sent = model.layer.precision.from_codes(codes).reshape(len(codes), model.heads, -1)
    registers = model.read(sent, range(n, model.length), symbols, symbols[:, -1])
    return model.finish(registers, symbols[:, -1])


def _registers_of_first_table(model: LayerInOrder, n: int, name: str, query: Any) -> Field:
    precision = model.layer.precision

    def numbers(rows: Array, known: Known) -> Array:
        registers = model.read(model.empty(len(rows)), range(n), rows.astype(np.int64), query(known, len(rows)))
        return precision.codes(registers).reshape(len(rows), -1)

    bounds = (1 << precision.bits,) * model.registers
    return Field("alice", name, "all heads: numerators and normaliser", bounds, numbers)


def _table_size(model: Any, argument: int, more: int = 0) -> int:
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
