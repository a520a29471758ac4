"""Attention whose query is sent or known: sparse averaging and Match3 decide disjointness.

A unit for sparse averaging is a protocol for disjointness: its query is sent, and what the query row adds. For Match3
both know the last token. Where all know the last symbol, one message holds the sums and normalisers of every head
(lower bounds of Sanford, Hsu and Telgarsky 2023 and 2024, executed).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.engine import Cost, Protocol, one_way, two_way
from ccsim.engine.schedule import Field, Known, Schedule, Step, StepFunction
from ccsim.errors import Array, InputError, require_integer
from ccsim.models.attention import AttentionUnit
from ccsim.models.transformer import OneLayerTransformer
from ccsim.problems import TwoPartyFunction, intersection
from protocols.reductions.max_logit import max_logit_softmax
from protocols.reductions.reduction import TaskReduction
from protocols.reductions.task_reductions import intersection_to_sparse_averaging, reduce

Row = Callable[[int, tuple[int, ...], int], Any]

SOURCE = "Sanford, Hsu and Telgarsky 2023, lower bound for qSA"


def sparse_averaging_row(place: int, chosen: tuple[int, ...], sign: int) -> tuple[int, ...]:
    """A row as the paper writes it, of d = d' + q + 1 numbers with d' = 1: (z, y_1, ..., y_q, i).

    >>> sparse_averaging_row(5, (1, 4), -1)
    (-1, 1, 4, 5)
    """
    return (sign, *chosen, place)


def attention_query(
    unit: AttentionUnit,
    q: int,
    *,
    row: Row = sparse_averaging_row,
    answer: str = "both",
) -> Protocol:
    """An attention unit for q-sparse averaging as a protocol for DISJ on q bits.

    Alice's bits choose the set of row r = 2q + 1, Bob's bits the signs of the other rows, as in
    :func:`~protocols.reductions.task_reductions.intersection_to_sparse_averaging`. Alice sends the query of her row,
    and, as row r takes part in its own average, its logit and value, which the slides leave out:

        (k + 1 + v) p    bits,  one more if both must know the answer,

    for keys of k numbers, values of v numbers and p bits of precision. Bob computes the output exactly as the unit
    does. His answer is 1, "the sets meet", iff the output at row r is above -1 + 1/q: the average is -1 if they do not
    meet and at least -1 + 2/q if they do. The function of the protocol is that threshold of the unit's own output row,
    so that exploring it compares the protocol with the forward pass; it is ``intersection(q)`` if the unit errs by less
    than 1/q.

    Args:
        unit: the attention unit.
        q: how many elements a set has; also the number of bits.
        row: how place, set and sign make a raw row of integers, the same number for all.
        answer: ``"both"``, or ``"bob"`` for a single message.

    >>> unit = AttentionUnit.random(inputs=4, key_width=2, value_width=1, precision=8, seed=0)
    >>> protocol = attention_query(unit, 2)
    >>> protocol.cost.bits, protocol.explore().raise_if_wrong().worst_bits
    (33, 33)
    """
    if not isinstance(unit, AttentionUnit):
        raise InputError("unit", unit, "an AttentionUnit")
    if getattr(unit.weighting, "ties", "average") != "average":
        raise InputError("unit", unit.weighting, "weights that do not depend on the order of the rows")
    if answer not in ("both", "bob"):
        raise InputError("answer", answer, "'both' or 'bob'")
    reduction = intersection_to_sparse_averaging(require_integer("q", q, low=1))
    source, size, place, low = reduction.source, reduction.task.length, 2 * q + 1, unit.precision.low
    others = [other for other in range(1, size + 1) if other != place]
    mine = np.array([row(place, *reduction.alice(x)[0]) for x in source.alice])
    theirs = np.array([[row(j, *s) for j, s in zip(others, reduction.bob(y), strict=True)] for y in source.bob])
    queries, own_values = unit.queries(mine), unit.values_from(mine)
    own_logits = unit.logits(queries[:, None, :], unit.keys(mine)[:, None, :])[:, 0]
    keys, values = unit.keys(theirs), unit.values_from(theirs)

    def meets(output: Array) -> Array:
        """output / scale > -1 + 1/q, in integers."""
        return np.asarray(output[..., 0] * q > (1 - q) * unit.precision.scale, np.int8)

    def evaluate(x: Array, y: Array) -> Array:
        """The threshold of the unit's own output at the query row, from whole inputs."""
        x, y = np.broadcast_arrays(x, y)
        whole = np.empty((*x.shape, size, mine.shape[-1]), dtype=np.int64)
        whole[..., place - 1, :] = mine[x]
        whole[..., [other - 1 for other in others], :] = theirs[y]
        return meets(unit.output_row(whole, place))

    def finish(inputs: Array, known: Known) -> Array:
        """Bob's answer from what Alice sent and his own rows."""
        heard = {name: known[name].reshape(len(inputs), 1, -1) + low for name in sent}
        logits = unit.logits(heard["query"], keys[inputs])[:, 0, :]
        whole = np.concatenate([logits, heard["logit"][:, 0]], axis=1)
        exponentials = unit.exponentials(whole - whole.max(axis=1, keepdims=True))
        weights = unit.weights(exponentials, exponentials.sum(axis=1, keepdims=True))
        return meets(unit.finish(unit.head_sums(weights, np.concatenate([values[inputs], heard["value"]], axis=1))))

    rows = (
        ("query", f"query of row {place}", queries),
        ("logit", f"logit of row {place} under its own query", own_logits),
        ("value", f"value of row {place}", own_values),
    )
    sent = tuple(name for name, _, _ in rows)
    steps = mantissas(rows, unit.precision)
    answers: dict[str, StepFunction] = {"bob": finish}
    formula = "(k + 1 + v)*p"
    if answer == "both":
        steps.append(Field("bob", "answer", "whether the sets meet", (2,), finish))
        answers = dict.fromkeys(("alice", "bob"), lambda rows, known: known["answer"])
        formula += " + 1"
    note = f"1 iff the unit's output at row {place} is above -1 + 1/{q}"
    return Protocol(
        f"attention query of a unit with {unit.precision.bits} bits for {q}-sparse averaging",
        TwoPartyFunction(f"{q}-sparse averaging of a unit", intersection(q).inputs, (0, 1), evaluate, note=note),
        Schedule(tuple(steps), answers).parties(),
        model=two_way() if answer == "both" else one_way(),
        answer=answer,
        cost=Cost(formula, {"k": queries.shape[1], "v": own_values.shape[1], "p": unit.precision.bits}),
        source=SOURCE,
    )


def mantissas(rows: Sequence[tuple[str, str, Array]], precision: Precision) -> list[Step]:

    def numbers(table: Array, inputs: Array, known: Known) -> Array:
        return np.asarray(table[inputs] - precision.low)

    return [
        Field("alice", name, label, (1 << precision.bits,) * table.shape[1], partial(numbers, table))
        for name, label, table in rows
    ]


@dataclass(frozen=True, eq=False)
class KnownQueryLayer:
    """What is left of one layer once its last symbol, and so each head's query, is fixed.

    Attributes:
        weights: exp of the logits in steps of some size: integers of at least 0, ``weights[head][place][symbol]``.
        values: integers of at least 0, ``values[head][place][symbol][coordinate]``.
        read: the answer, 0 or 1, from the mean values of all heads, one fraction for each coordinate of each head.
        precision: the bits of a number; whatever is sent must have no more.
    """

    weights: Sequence[Sequence[Any]]
    values: Sequence[Sequence[Any]]
    read: Callable[[tuple[Fraction, ...]], int]
    precision: int

    @property
    def heads(self) -> int:
        """How many heads there are."""
        return len(self.weights)

    @property
    def width(self) -> int:
        """How many coordinates the values of a head have."""
        return len(next(iter(self.values[0][0].values())))

    def sums(self, places: Sequence[int], symbols: Sequence[Any]) -> list[int]:
        """Over some places, counted from 0: for each head the weighted sum of each coordinate, and the normaliser."""
        numbers = []
        for weights, values in zip(self.weights, self.values, strict=True):
            own = [
                (weights[place][symbol], values[place][symbol]) for place, symbol in zip(places, symbols, strict=True)
            ]
            numbers += [sum(w * v[j] for w, v in own) for j in range(self.width)]
            numbers.append(sum(w for w, _ in own))
        return numbers

    def finish(self, sums: Sequence[int]) -> int:
        """The answer from the sums over all places; a mean over no weight at all is 0."""
        step = self.width + 1
        parts = [sums[head * step : (head + 1) * step] for head in range(self.heads)]
        return self.read(tuple(Fraction(total, part[-1] or 1) for part in parts for total in part[:-1]))


def known_query(layer: KnownQueryLayer, reduction: TaskReduction) -> Protocol:
    """One message of H (m + 1) p bits: Alice's part of every sum and normaliser; Bob adds his own and answers.

    The words are those that a reduction writes, the last symbol being the same in all. The function is what the layer
    itself answers on the whole word (Sanford, Hsu and Telgarsky 2024).

    Raises :class:`~ccsim.errors.InputError` if Alice's sums do not fit in the layer's precision, as the cost assumes.
    """
    owners = reduction.partition.owners
    places = [[place for place, owner in enumerate(owners) if owner == party] for party in "AB"]
    alice = np.array([layer.sums(places[0], tuple(reduction.alice(x))) for x in reduction.source.alice])
    bob = np.array([layer.sums(places[1], tuple(reduction.bob(y))) for y in reduction.source.bob])
    if int(alice.max()) >= 1 << layer.precision:
        raise InputError("layer", int(alice.max()), f"sums of {layer.precision} bits")
    last = {reduction.word(x, y)[-1] for x in reduction.source.alice for y in reduction.source.bob}
    if len(last) > 1:
        raise InputError("reduction", reduction.name, "one that writes the same last symbol always")

    def evaluate(x: Array, y: Array) -> Array:
        own, other = np.broadcast_arrays(reduction.source.alice.places(x), reduction.source.bob.places(y))
        answers = []
        for a, b in zip(own.ravel().tolist(), other.ravel().tolist(), strict=True):
            word = reduction.word(reduction.source.alice.value(a), reduction.source.bob.value(b))
            answers.append(layer.finish(layer.sums(range(len(word)), tuple(word))))
        return np.array(answers).reshape(own.shape)

    def sums(rows: Any, known: Known) -> Array:
        return np.asarray(alice[reduction.source.alice.places(rows)])

    def answer(rows: Any, known: Known) -> Array:
        totals = known["sums"].reshape(len(rows), -1) + bob[reduction.source.bob.places(rows)]
        return np.array([layer.finish(total) for total in totals.tolist()], dtype=np.int64)

    bounds, name = (1 << layer.precision,) * alice.shape[1], f"layer of {layer.heads} heads of width {layer.width}"
    sent = Field("alice", "sums", "sums and normalisers of all heads", bounds, sums)
    return Protocol(
        f"one message for a {name}",
        TwoPartyFunction(name, reduction.source.inputs, (0, 1), evaluate),
        Schedule((sent,), {"bob": answer}).parties(),
        model=one_way(),
        answer="bob",
        cost=Cost("H*(m + 1)*p", {"H": layer.heads, "m": layer.width, "p": layer.precision}),
        source="Sanford, Hsu and Telgarsky 2024, lower bound",
    )


def match3_to_disjointness(
    model: OneLayerTransformer,
    n: int,
    encoding: str = "wide",
    *,
    problem: str = "disjointness",
    claim: str = "source",
) -> Protocol:
    """A one-layer transformer for Match3, any number of heads, as a protocol for two sets of n elements.

    The model reads N = 2n + 1 numbers modulo M (its alphabet is 0, ..., M - 1, in order) and answers Match3 at the last
    of them, which is 1 here and known to both. The sets are written as in
    :func:`~protocols.reductions.task_reductions.intersection_to_match3`, and the parties run the max-logit softmax
    protocol without announcing the last token:

        H (2p + 2 (p + L(N)) + 4 v p)    in its literal variant, where both learn the answer,

    for H heads, p bits of precision and values of v numbers. If the model is right this is at least D = n + 1; the
    printed bound, m >= c N / (p H log log N), has an unknown constant c.

    Args:
        model: one layer.
        n: how many elements there are.
        encoding: ``"wide"``, for M >= N + 3, or ``"tight"``, for M = N + 1 and M = N + 2.
        problem: ``"disjointness"`` (1 iff the sets do not meet) or ``"intersection"`` (the DISJ of the source).
        claim: ``"source"`` if the protocol is to solve the problem, ``"model"`` if it is only to give what the model
            answers on the encoded words.

    >>> model = OneLayerTransformer.random(range(8), length=5, width=2, precision=6, seed=0)
    >>> protocol = match3_to_disjointness(model, 2, claim="model")
    >>> protocol.cost.bits, protocol.explore().raise_if_wrong().worst_bits
    (78, 78)
    """
    reduction = match3_reduction(model, n, encoding, problem)
    return reduction.pull(max_logit_softmax(model, reduction.partition), claim, shared=("x_N",))


def match3_reduction(
    model: OneLayerTransformer, n: int, encoding: str = "wide", problem: str = "disjointness"
) -> TaskReduction:
    """How Alice and Bob write their sets into the word that a model of Match3 reads; see the protocol above.

    >>> model = OneLayerTransformer.random(range(8), length=5, width=2, precision=6, seed=0)
    >>> match3_reduction(model, 2).word("01", "11")
    (0, 3, 5, 4, 1)
    """
    n = require_integer("n", n, low=1)
    if not isinstance(model, OneLayerTransformer):
        raise InputError("model", model, "a OneLayerTransformer")
    modulus = len(model.alphabet)
    if model.alphabet != tuple(range(modulus)):
        raise InputError("model", model.alphabet[:8], "the alphabet 0, ..., M - 1, in order")
    if model.length != 2 * n + 1:
        raise InputError("model", model.length, f"length 2n + 1 = {2 * n + 1}")
    if problem not in ("disjointness", "intersection"):
        raise InputError("problem", problem, "'disjointness' or 'intersection'")
    return reduce(problem, "match3", n, encoding=encoding, modulus=modulus, row=model.length)
