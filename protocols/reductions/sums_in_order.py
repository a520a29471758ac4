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
from typing import Any

import numpy as np

from ccsim.arithmetic import IntArray
from ccsim.arrays import Array
from ccsim.engine import Cost, Protocol
from ccsim.engine.schedule import Conclusion, Field, Known, Schedule, Step
from ccsim.errors import InputError
from ccsim.problems import Partition, Words
from protocols.reductions.layer_in_order import MARK, LayerInOrder
from protocols.reductions.softmax_pass import chain_task

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
