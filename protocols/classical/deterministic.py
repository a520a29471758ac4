"""Deterministic protocols: whole inputs, indices, medians, pointers, cliques; and equality of three strings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Any

import numpy as np

from ccsim.engine import (
    AnswerEach,
    ArrayParty,
    Cost,
    Protocol,
    Receive,
    Received,
    SendEach,
    array_party,
    blackboard,
    number_on_forehead,
    point_to_point,
    rounds,
)
from ccsim.engine.schedule import Field, Known, Schedule
from ccsim.errors import Array, InputError
from ccsim.matrices import DONT_CARE
from ccsim.problems import (
    TwoPartyFunction,
    clique_independent_set,
    equality_of_three,
    index,
    median,
    pointer_chasing,
    set_intersection_size,
)
from ccsim.problems.inputs import popcount


def width_of(count: int) -> int:
    """L(count): the bits that number ``count`` things, ceiling(log2 count)."""
    return (count - 1).bit_length()


def bit_rows(numbers: Array, width: int) -> Array:
    """Each row of ``numbers`` (two axes) as bits of ``width`` each, most significant first, for ``SendEach``."""
    places = np.array(range(width - 1, -1, -1), dtype=object if numbers.dtype == object else np.int64)
    bits = (numbers[:, :, None] >> places) & 1
    return np.asarray(bits.reshape(len(numbers), numbers.shape[1] * width), dtype=np.int8)


def trivial(function: TwoPartyFunction, sender: str = "alice") -> Protocol:
    """``sender`` sends the index of its input, the other party replies with the code of the answer.

    Works for every two-party function, total or partial. Both know the answer. Cost: L(inputs) + L(answers)
    bits in two rounds, where L(k) = ceiling(log2 k) (Kushilevitz and Nisan 1997, chapter 1).

    >>> from ccsim.problems import disjointness
    >>> trivial(disjointness(3)).explore().worst_bits
    4
    """
    if sender not in ("alice", "bob"):
        raise InputError("sender", sender, "'alice' or 'bob'")
    listener = "bob" if sender == "alice" else "alice"
    sent = function.alice if sender == "alice" else function.bob
    width, answer_width = width_of(sent.size), width_of(len(function.answers))

    @array_party
    def speaking(inputs: Any, heard: Any) -> Any:
        if not heard:
            return SendEach(sent.places(inputs), width, "input")
        return Receive(width=answer_width) if len(heard) == 1 else AnswerEach(heard[1].bits.to_unsigned())

    @array_party
    def listening(inputs: Any, heard: Any) -> Any:
        if not heard:
            return Receive(width=width)
        if len(heard) == 2:
            return AnswerEach(heard[1].bits.to_unsigned())
        received = sent.array(np.array([heard[0].bits.to_unsigned()], dtype=np.int64 if width <= 62 else object))
        pair = (received, inputs) if sender == "alice" else (inputs, received)
        codes = np.asarray(function.evaluate(*pair))
        return SendEach(np.where(codes == DONT_CARE, 0, codes), answer_width, "answer")

    return Protocol(
        f"trivial from {sender} for {function.name}",
        function,
        {sender: speaking, listener: listening},
        cost=Cost("L(inputs) + L(answers)", {"inputs": sent.size, "answers": len(function.answers)}),
        source="Kushilevitz and Nisan 1997, chapter 1",
    )


def intersection_size(n: int) -> Protocol:
    """|x ∩ y| for two subsets of n positions: Alice sends x, Bob replies with the size.

    This is the trivial protocol, and it is optimal up to at most one bit (Tamm 1995). Both know the answer.
    Cost: exactly n + L(n+1) bits in two rounds. Deterministic.

    >>> intersection_size(4).run("1101", "0111").answer, intersection_size(4).explore().worst_bits
    (2, 7)
    """
    return replace(
        trivial(set_intersection_size(n)),
        name=f"intersection_size({n})",
        cost=Cost("n + L(n + 1)", {"n": n}),
        source="Tamm 1995",
    )


def two_way_index(n: int) -> Protocol:
    """INDEX_n in two rounds, Bob first: he sends his position, Alice replies with the bit there.

    Both know the answer. Cost: exactly L(n) + 1 bits with L(n) = ceiling(log2 n), where one message from
    Alice to Bob would take n bits (Kremer, Nisan and Ron 1999). Deterministic.

    >>> two_way_index(8).run("00100000", 3).answer, two_way_index(8).explore().worst_bits
    (1, 4)
    """

    def bit(strings: Any, known: Known) -> Array:
        return np.asarray(strings >> (n - 1 - known["position"]) & 1).astype(np.int64)

    steps = (
        Field("bob", "position", "position, counted from 0", (n,), lambda positions, known: positions - 1),
        Field("alice", "bit", "the bit there", (2,), bit),
    )
    return Protocol(
        f"two-way index({n})",
        index(n),
        _answered(steps).parties(),
        cost=Cost("L(n) + 1", {"n": n}),
        source="Kremer, Nisan and Ron 1999",
    )


def _answered(steps: tuple[Field, ...]) -> Schedule:
    return Schedule(steps, dict.fromkeys(("alice", "bob"), lambda rows, known: known[steps[-1].name]))


def median_search(n: int) -> Protocol:
    """The lower median of two non-empty subsets of {0, ..., n-1} together, by binary search over the elements.

    Alice sends the size of her set. Then L(n) times she sends how many of her elements are at most m, the middle of the
    elements still possible, and Bob replies whether at least half of all elements are. Both know the answer.
    Deterministic. Cost: exactly L(n) + L(n) (L(n+1) + 1) bits, O(log^2 n); O(log n) is possible (Kushilevitz and Nisan
    1997, chapter 1).

    >>> median_search(5).run({0, 4}, {3, 4}).answer, median_search(5).explore().worst_bits
    (3, 15)
    """
    function = median(n)
    size_width, count_width = width_of(n), width_of(n + 1)

    def up_to(sets: Any, element: int) -> Any:
        return popcount(sets & ((2 << element) - 1))

    @array_party
    def alice(sets: Any, heard: Any) -> Any:
        low, high = _possible(n, heard)
        if not heard:
            return SendEach(popcount(sets) - 1, size_width, "|x| - 1")
        if len(heard) % 2 == 0:
            return Receive(width=1)
        if low == high:
            return AnswerEach(low)
        middle = (low + high) // 2
        return SendEach(up_to(sets, middle), count_width, f"how many elements of x are at most {middle}")

    @array_party
    def bob(sets: Any, heard: Any) -> Any:
        low, high = _possible(n, heard)
        if not heard:
            return Receive(width=size_width)
        if len(heard) % 2:
            return AnswerEach(low) if low == high else Receive(width=count_width)
        total = heard[0].bits.to_unsigned() + 1 + popcount(sets)
        middle = (low + high) // 2
        count = heard[-1].bits.to_unsigned() + up_to(sets, middle)
        return SendEach(2 * count >= total, 1, f"the median is at most {middle}")

    return Protocol(
        f"median_search({n})",
        function,
        {"alice": alice, "bob": bob},
        cost=Cost("L(n) + L(n) * (L(n + 1) + 1)", {"n": n}),
        source="Kushilevitz and Nisan 1997, chapter 1",
    )


def _possible(n: int, heard: Sequence[Received]) -> tuple[int, int]:
    low, high = 0, n - 1
    for reply in heard[2::2]:
        middle = (low + high) // 2
        low, high = (low, middle) if reply.bits[0] else (middle + 1, high)
    return low, high


def pointer_chasing_in_turn(n: int, k: int) -> Protocol:
    """Follow k pointers in k rounds: each party in turn, Alice first, sends the next vertex.

    Both know the answer, the vertex v_k, which is the last message. Cost: exactly k L(n) bits in k rounds.
    Deterministic (Nisan and Wigderson 1993, who show that one round fewer makes it nearly n bits).

    >>> pointer_chasing_in_turn(3, 4).explore().worst_bits, pointer_chasing_in_turn(3, 4).explore().worst_rounds
    (8, 4)
    """
    return Protocol(
        f"pointer_chasing_in_turn({n}, {k})",
        pointer_chasing(n, k),
        _answered(tuple(_pointer(n, place) for place in range(k))).parties(),
        model=rounds(k, first="alice"),
        cost=Cost("k * L(n)", {"n": n, "k": k}),
        source="Nisan and Wigderson 1993",
    )


def _vertex(known: Known, place: int, count: int) -> Array:
    """The vertex after so many pointers; the first one is 0."""
    return known[f"v_{place}"] if place else np.zeros(count, dtype=np.int64)


def _pointer(n: int, place: int) -> Field:
    def follow(pointers: Any, known: Known) -> Array:
        count = len(pointers)
        return np.asarray(pointers[np.arange(count), _vertex(known, place, count)])

    name = f"v_{place + 1}"
    return Field(("alice", "bob")[place % 2], name, name, (n,), follow)


def pointer_chasing_one_round_fewer(n: int, k: int) -> Protocol:
    """Follow k >= 3 pointers in k - 1 rounds, Alice first: the sender of message k - 2 sends all its pointers.

    Messages 1, ..., k - 3 carry one vertex each. The receiver of message k - 2 then follows the last three pointers
    alone, and sends v_k. Both know the answer. Cost: exactly (n + k - 2) L(n) bits in k - 1 rounds. Deterministic.
    Nearly n bits are needed with so few rounds (Nisan and Wigderson 1993).

    >>> pointer_chasing_one_round_fewer(3, 4).explore().worst_bits
    10
    """
    function, width = pointer_chasing(n, k), width_of(n)
    if k < 3:
        raise InputError("k", k, "at least 3 pointers: with fewer, one party cannot learn the answer a round earlier")

    def last(pointers: Any, known: Known) -> Array:
        rows = np.arange(len(pointers))
        table = known["pointers"].reshape(len(pointers), n)
        vertex = table[rows, _vertex(known, k - 3, len(pointers))]
        return np.asarray(table[rows, pointers[rows, vertex]])

    sender, listener = ("alice", "bob")[:: 1 if k % 2 else -1]
    everything = Field(sender, "pointers", "all pointers", (1 << width,) * n, lambda pointers, known: pointers)
    steps = (*(_pointer(n, place) for place in range(k - 3)), everything, Field(listener, "v", f"v_{k}", (n,), last))
    return Protocol(
        f"pointer_chasing_one_round_fewer({n}, {k})",
        function,
        _answered(steps).parties(),
        model=rounds(k - 1, first="alice"),
        cost=Cost("(n + k - 2) * L(n)", {"n": n, "k": k}),
        source="Nisan and Wigderson 1993",
    )


def yannakakis(graph: Any) -> Protocol:
    """Whether Alice's clique and Bob's independent set of a graph share a vertex, in O(log^2 n) bits.

    V starts as all n vertices, and every shared vertex stays in V. In each phase Alice names a vertex of her clique in
    V that has fewer than |V|/2 neighbours in V, if there is one; Bob replies whether it is in his set, and if not V
    shrinks to its neighbours. Otherwise she sends that she has none, and Bob names a vertex of his set in V that has at
    least |V|/2 neighbours in V; Alice replies, and V shrinks to the vertices that are not its neighbours. If neither
    has one they share nothing. Both know the answer. Deterministic (Yannakakis 1991).

    Cost: a phase takes at most 2 L(n+1) + 1 bits and leaves at most (|V| - 1) / 2 vertices, so there are at most
    floor(log2(n+1)) = L(n+2) - 1 phases and (L(n+2) - 1) (2 L(n+1) + 1) bits.

    >>> import networkx
    >>> found = yannakakis(networkx.cycle_graph(6)).explore()
    >>> found.correct, found.worst_bits, found.protocol.cost.bits
    (True, 10, 14)
    """
    function = clique_independent_set(graph)
    vertices = list(graph.nodes)
    place = {vertex: number for number, vertex in enumerate(vertices)}
    neighbours = tuple(sum(1 << place[other] for other in graph.adj[vertex]) for vertex in vertices)
    n, width = len(vertices), width_of(len(vertices) + 1)

    def party(role: str) -> ArrayParty:
        @array_party
        def speak(sets: Any, heard: Any) -> Any:
            values = (message.bits.to_unsigned() for message in heard)
            now = reduce(partial(_after, neighbours), values, Phase((1 << n) - 1))
            if now.answer is not None:
                return AnswerEach(now.answer)
            if now.speaker != role:
                return Receive(width=width if now.named is None else 1)
            if now.named is not None:
                return SendEach((sets >> now.named) & 1, 1, f"vertex {vertices[now.named]} is in it too")
            kind, named = "few" if role == "alice" else "many", sets & now.candidates(neighbours)
            lowest = np.where(named == 0, n, popcount((named & -named) - (named != 0)))
            return SendEach(lowest, width, f"a vertex with {kind} neighbours")

        return speak

    return Protocol(
        f"yannakakis({n} vertices, {graph.number_of_edges()} edges)",
        function,
        {"alice": party("alice"), "bob": party("bob")},
        cost=Cost("(L(n + 2) - 1) * (2 * L(n + 1) + 1)", {"n": n}, exact=False),
        source="Yannakakis 1991",
    )


@dataclass(frozen=True)
class Phase:
    """What everybody knows: the vertices left (a mask), who speaks next, the vertex named to it, the answer."""

    left: int
    speaker: str = "alice"
    named: int | None = None
    answer: int | None = None

    def candidates(self, neighbours: Sequence[int]) -> int:
        size = self.left.bit_count()
        return sum(
            1 << vertex
            for vertex, near in enumerate(neighbours)
            if self.left >> vertex & 1 and (2 * (near & self.left).bit_count() < size) == (self.speaker == "alice")
        )


def _after(neighbours: Sequence[int], now: Phase, value: int) -> Phase:
    other = "bob" if now.speaker == "alice" else "alice"
    if now.named is None:
        if value < len(neighbours):
            return Phase(now.left, other, named=value)
        return Phase(now.left, other, answer=None if now.speaker == "alice" else 0)
    if value:
        return Phase(now.left, answer=1)
    near = neighbours[now.named]
    left = now.left & (near if other == "alice" else ~(near | 1 << now.named))
    return Phase(left, answer=None if left else 0)


def forehead_equality(n: int) -> Protocol:
    """x = y = z with each string on the forehead of its owner: exactly 2 bits, whatever n is.

    Alice, who sees y and z, writes whether y = z, and Bob whether x = z. All three know the answer. Deterministic. With
    inputs in hand the same problem takes more than n bits (Kushilevitz and Nisan 1997, chapter 6).

    >>> forehead_equality(3).explore().worst_bits
    2
    """

    def player(own: int) -> Any:
        @array_party
        def speak(seen: Any, heard: Any) -> Any:
            if len(heard) == 2:
                return AnswerEach(heard[0].bits[0] & heard[1].bits[0])
            if len(heard) != own:
                return Receive(width=1)
            return SendEach(seen[0] == seen[1], 1, ("y = z", "x = z")[own])

        return speak

    return Protocol(
        f"forehead_equality({n})",
        equality_of_three(n),
        {"alice": player(0), "bob": player(1), "carol": player(2)},
        model=number_on_forehead(),
        cost=Cost("2", {}),
        source="Kushilevitz and Nisan 1997, chapter 6",
    )


def blackboard_equality(n: int) -> Protocol:
    """x = y = z with inputs in hand and a blackboard: Alice writes x, Bob and Carol whether they hold the same.

    All three know the answer. Cost: exactly n + 2 bits; a message to everybody is counted once. Deterministic.

    >>> blackboard_equality(3).explore().worst_bits
    5
    """

    def player(own: int) -> Any:
        @array_party
        def speak(strings: Any, heard: Any) -> Any:
            if len(heard) == 3:
                return AnswerEach(heard[1].bits[0] & heard[2].bits[0])
            if len(heard) != own:
                return Receive(width=n if not heard else 1)
            if own == 0:
                return SendEach(strings, n, "x")
            return SendEach(strings == heard[0].bits.to_unsigned(), 1, ("x = y", "x = z")[own - 1])

        return speak

    return Protocol(
        f"blackboard_equality({n})",
        equality_of_three(n),
        {"alice": player(0), "bob": player(1), "carol": player(2)},
        model=blackboard(),
        cost=Cost("n + 2", {"n": n}),
    )


def point_to_point_equality(n: int) -> Protocol:
    """x = y = z with inputs in hand and a channel between each two parties: the string is handed on.

    Alice sends x to Bob; Bob sends Carol whether x = y, and y; Carol tells both the answer. All three know
    the answer. Cost: exactly n + (n + 1) + 2 = 2n + 3 bits. Deterministic.

    >>> point_to_point_equality(3).explore().worst_bits
    9
    """

    @array_party
    def alice(xs: Any, heard: Any) -> Any:
        if not heard:
            return SendEach(xs, n, "x", to="bob")
        return Receive("carol", 1) if len(heard) == 1 else AnswerEach(heard[1].bits[0])

    @array_party
    def bob(ys: Any, heard: Any) -> Any:
        if not heard:
            return Receive("alice", n)
        if len(heard) == 1:
            same = np.asarray(ys == heard[0].bits.to_unsigned(), dtype=np.int8)
            return SendEach(np.hstack([same[:, None], bit_rows(ys[:, None], n)]), label="x = y, and y", to="carol")
        return Receive("carol", 1) if len(heard) == 2 else AnswerEach(heard[2].bits[0])

    @array_party
    def carol(zs: Any, heard: Any) -> Any:
        if not heard:
            return Receive("bob", n + 1)
        if len(heard) == 3:
            return AnswerEach(heard[1].bits[0])
        same, y = heard[0].bits[0], heard[0].bits[1:].to_unsigned()
        return SendEach((zs == y) & bool(same), 1, "x = y = z", to=("alice", "bob")[len(heard) - 1])

    return Protocol(
        f"point_to_point_equality({n})",
        equality_of_three(n),
        {"alice": alice, "bob": bob, "carol": carol},
        model=point_to_point(),
        cost=Cost("2 * n + 3", {"n": n}),
    )
