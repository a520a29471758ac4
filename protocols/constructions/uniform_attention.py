"""One-layer transformers of width 2N that see the whole word: one head with uniform attention, weight by weight.

The saturating sum of the two embeddings writes a symbol into the coordinate of its position and a constant into all
others: with codes 0..K for the symbols, position i holds -N code in coordinate i and the least number, -N K, elsewhere.
All queries are 0, so each of the N weights is exactly 1/N, and the head gives -code_j - (N-1) K in coordinate j, in
steps of the precision. Layers of relu units at the last position then decide, on small integers and without rounding.
Together with the lower bound for one layer (Bhattamishra, Hahn, Blunsom and Kanade 2024, theorems 5, 10 and 12:
width times precision times heads grows with N) this says that linear width is what these tasks need, up to a logarithm.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ccsim.arithmetic import IntArray, Precision
from ccsim.errors import InputError, require_integer
from ccsim.models import OneLayerTransformer
from ccsim.models.automata import dyck_automaton
from ccsim.problems.languages import bracket_symbols
from protocols.constructions.assembling import Layer, Slots, Stream

Transitions = dict[tuple[int, int], int]


@dataclass(frozen=True, eq=False)
class Decoder(Stream):
    """The stream of a head with uniform attention, and layers on whole numbers that decide on what it fetched.

    Steps are 1/N, from -K to K.

    Attributes:
        length: N.
        layers: the first one leads from the stream at the last position to the code of each symbol of the word.
    """

    length: int
    layers: list[Layer]

    @classmethod
    def of(cls, length: int, most: int) -> Decoder:
        """For codes up to K."""
        slots = Slots(embedded=length, fetched=length)
        made = cls(Precision(length, -length * most, length * most), slots, length, [])
        every = np.eye(length, dtype=np.int64)
        made.add(np.vstack([0 * every, -every]), np.full(length, -(length - 1) * most))
        return made

    def add(self, weights: IntArray, bias: Sequence[int] | IntArray, activation: str = "relu") -> None:
        """A layer whose output is the exact integer weights * input + bias, if it fits; a bias counts steps."""
        self.layers.append((np.asarray(weights) * self.precision.scale, np.asarray(bias), activation))

    def reader(self, name: str, alphabet: Sequence[Hashable], last: IntArray, one_if: str) -> OneLayerTransformer:
        """The model whose answer depends on whether none or some of the last units, those with weight 1, is on.

        The sum of these units is added to coordinate 1 of the stream, which holds the least number -N K there, because
        position N is another one.
        """
        width, low, scale = self.slots.width, self.precision.low, self.precision.scale
        self.add(np.pad(last[:, None], ((0, 0), (0, width - 1))), np.zeros(width, np.int64), "identity")
        codes = np.arange(len(alphabet))[:, None] * np.ones(self.length, dtype=np.int64)
        counted = np.zeros((width, 2), dtype=np.int64)
        counted[0, 0 if one_if == "none" else 1] = scale
        # The count against 1 if none is to be answered by 1, else 0 against the count; the first wins a tie.
        bias = np.array([-low, 1]) if one_if == "none" else np.array([0, -low])
        positions = low * (1 - np.eye(self.length, dtype=np.int64))
        return self.transformer(
            OneLayerTransformer,
            name,
            alphabet,
            (0, 1),
            np.hstack([-codes * scale, 0 * codes]),
            np.hstack([positions, 0 * positions]),
            self.block(self.average("embedded", "fetched"), layers=self.layers),
            read_out=self.affine(counted, bias),
        )


def equality_by_uniform_attention(length: int) -> OneLayerTransformer:
    """A transformer for ``equality_of_halves(length)``: adds up the relu units of a_j - b_j and b_j - a_j.

    >>> model = equality_by_uniform_attention(6)
    >>> model("011011"), model("011010"), model.width, model.precision.bits
    (1, 0, 12, 4)
    """
    half = _half(length)
    layers = Decoder.of(length, most=1)
    difference = np.vstack([np.eye(half, dtype=np.int64), -np.eye(half, dtype=np.int64)])
    layers.add(np.hstack([difference, -difference]), np.zeros(length, dtype=np.int64))
    return layers.reader(
        f"equality by uniform attention({length})", "01", np.ones(length, dtype=np.int64), one_if="none"
    )


def disjointness_by_uniform_attention(length: int) -> OneLayerTransformer:
    """A transformer for ``disjointness_of_halves(length)``: adds up the relu units of a_j + b_j - 1.

    >>> model = disjointness_by_uniform_attention(6)
    >>> model("011100"), model("011010")
    (1, 0)
    """
    half = _half(length)
    layers = Decoder.of(length, most=1)
    layers.add(np.vstack([np.eye(half, dtype=np.int64)] * 2), np.full(half, -1))
    return layers.reader(
        f"disjointness by uniform attention({length})", "01", np.ones(half, dtype=np.int64), one_if="none"
    )


def dyck_by_uniform_attention(length: int, brackets: int = 2, depth: int = 2) -> OneLayerTransformer:
    """A transformer for ``dyck(length, brackets, depth)``: its layers run the automaton of the stacks.

    One layer per symbol holds a unit for every transition: the relu of "in this stack" + "this symbol comes" - 1.

    >>> model = dyck_by_uniform_attention(4)
    >>> model("[()]"), model("[(])"), model.width, model.precision.bits, len(model.tokenwise.layers)
    (1, 0, 8, 5, 8)
    """
    length, symbols = require_integer("length", length, low=2), bracket_symbols(brackets)
    table = dyck_automaton(brackets, require_integer("depth", depth, low=1)).table[:-1]  # without that of failed words
    transitions = {place: int(after) for place, after in np.ndenumerate(table) if after < len(table)}
    # Weights of 2 have to fit.
    layers = Decoder.of(length, most=max(2, len(symbols) - 1))
    last = _automaton(layers, transitions, length, len(symbols), accepting=0)
    name = f"Dyck by uniform attention({length}, {brackets}, {depth})"
    return layers.reader(name, symbols, last, one_if="some")


def _half(length: int) -> int:
    length = require_integer("length", length, low=2)
    if length % 2:
        raise InputError("length", length, "an even number, for two halves")
    return length // 2


def _automaton(layers: Decoder, transitions: Transitions, length: int, symbols: int, accepting: int) -> IntArray:
    """Layers that run an automaton from state 0 on the codes of a word; which of the last units end in ``accepting``.

    Transitions lead from (state, symbol) to a state; what is missing fails.

    [code = s] is relu(code - s + 1) - 2 relu(code - s) + relu(code - s - 1). A unit of layer i is on if the word takes
    its transition at step i; the units of later symbols are carried along.
    """
    offsets = np.arange(-1, symbols + 1)
    layers.add(np.kron(np.eye(length, dtype=np.int64), np.ones((1, len(offsets)), np.int64)), np.tile(-offsets, length))
    bump = np.zeros((len(offsets), symbols), dtype=np.int64)
    for symbol in range(symbols):
        bump[symbol : symbol + 3, symbol] = (1, -2, 1)
    layers.add(np.kron(np.eye(length, dtype=np.int64), bump), np.zeros(length * symbols, dtype=np.int64))
    taken: list[tuple[int, int]] = []  # the transitions whose units come first in the layer
    for step in range(length):
        live = [key for key in sorted(transitions) if step or key[0] == 0]
        rest = symbols * (length - step)
        weights = np.zeros((len(taken) + rest, len(live) + rest - symbols), dtype=np.int64)
        bias = np.zeros(len(live) + rest - symbols, dtype=np.int64)
        for unit, (state, symbol) in enumerate(live):
            weights[: len(taken), unit] = [transitions[key] == state for key in taken]
            weights[len(taken) + symbol, unit] = 1
            bias[unit] = -1 if step else 0
        weights[len(taken) + symbols :, len(live) :] = np.eye(rest - symbols, dtype=np.int64)
        layers.add(weights, bias)
        taken = live
    return np.array([int(transitions[key] == accepting) for key in taken])
