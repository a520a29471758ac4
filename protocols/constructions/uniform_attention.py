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

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arithmetic import IntArray, Precision
from ccsim.errors import InputError
from ccsim.models import Affine, Dense, OneLayerTransformer
from ccsim.models.automata import dyck_automaton
from ccsim.problems.sequence.languages import bracket_symbols

Transitions = dict[tuple[int, int], int]


class _Layers:
    """Dense layers on whole numbers: integer weights and biases, which count steps of the precision."""

    def __init__(self, precision: Precision) -> None:
        self.precision = precision
        self.layers: list[Dense] = []

    def add(self, weights: IntArray, bias: Sequence[int] | IntArray, activation: str = "relu") -> None:
        """A layer whose output is the exact integer weights * input + bias, if it fits."""
        affine = Affine(self.precision, np.asarray(weights) * self.precision.scale, np.asarray(bias))
        self.layers.append(Dense(affine, activation))


def equality_by_uniform_attention(length: int) -> OneLayerTransformer:
    """A transformer for ``equality_of_halves(length)``: adds up the relu units of a_j - b_j and b_j - a_j.

    >>> model = equality_by_uniform_attention(6)
    >>> model("011011"), model("011010"), model.width, model.precision.bits
    (1, 0, 12, 4)
    """
    half = _half(length)
    layers = _decoding(length, most=1)
    difference = np.vstack([np.eye(half, dtype=np.int64), -np.eye(half, dtype=np.int64)])
    layers.add(np.hstack([difference, -difference]), np.zeros(length, dtype=np.int64))
    ones = np.ones(length, dtype=np.int64)
    return _reader(f"equality by uniform attention({length})", "01", length, layers, ones, one_if="none")


def disjointness_by_uniform_attention(length: int) -> OneLayerTransformer:
    """A transformer for ``disjointness_of_halves(length)``: adds up the relu units of a_j + b_j - 1.

    >>> model = disjointness_by_uniform_attention(6)
    >>> model("011100"), model("011010")
    (1, 0)
    """
    half = _half(length)
    layers = _decoding(length, most=1)
    layers.add(np.vstack([np.eye(half, dtype=np.int64)] * 2), np.full(half, -1))
    ones = np.ones(half, dtype=np.int64)
    return _reader(f"disjointness by uniform attention({length})", "01", length, layers, ones, one_if="none")


def dyck_by_uniform_attention(length: int, brackets: int = 2, depth: int = 2) -> OneLayerTransformer:
    """A transformer for ``dyck(length, brackets, depth)``: its layers run the automaton of the stacks.

    One layer per symbol holds a unit for every transition: the relu of "in this stack" + "this symbol comes" - 1.

    >>> model = dyck_by_uniform_attention(4)
    >>> model("[()]"), model("[(])"), model.width, model.precision.bits, len(model.tokenwise.layers)
    (1, 0, 8, 5, 8)
    """
    length, symbols = require_integer("length", length, low=2), bracket_symbols(brackets)
    transitions = _stack_automaton(brackets, require_integer("depth", depth, low=1))
    # Weights of 2 have to fit.
    layers = _decoding(length, most=max(2, len(symbols) - 1))
    last = _automaton(layers, transitions, length, len(symbols), accepting=0)
    name = f"Dyck by uniform attention({length}, {brackets}, {depth})"
    return _reader(name, symbols, length, layers, last, one_if="some")


def _half(length: int) -> int:
    length = require_integer("length", length, low=2)
    if length % 2:
        raise InputError("length", length, "an even number, for two halves")
    return length // 2


def _precision(length: int, most: int) -> Precision:
    """Steps of 1/N from -K to K."""
    return Precision(length, -length * most, length * most)


def _decoding(length: int, most: int) -> _Layers:
    """The first layer: from the stream at the last position to the code of each symbol of the word."""
    layers = _Layers(_precision(length, most))
    weights = np.vstack([np.zeros((length, length), dtype=np.int64), -np.eye(length, dtype=np.int64)])
    layers.add(weights, np.full(length, -(length - 1) * most))
    return layers


def _reader(
    name: str, alphabet: Sequence[Hashable], length: int, layers: _Layers, last: IntArray, one_if: str
) -> OneLayerTransformer:
    """The model whose answer depends on whether none or some of the last units, those with weight 1, is on.

    The sum of these units is added to coordinate 1 of the stream, which holds the least number -N K there, because
    position N is another one.
    """
    precision, width = layers.precision, 2 * length
    low, scale = precision.low, precision.scale
    layers.add(np.pad(np.asarray(last)[:, None], ((0, 0), (0, width - 1))), np.zeros(width, np.int64), "identity")
    codes = np.arange(len(alphabet))[:, None] * np.ones(length, dtype=np.int64)
    first, second = np.eye(width, dtype=np.int64)[:, :length], np.eye(width, dtype=np.int64)[length:]
    counted = np.zeros((width, 2), dtype=np.int64)
    counted[0, 0 if one_if == "none" else 1] = 1
    # The count against 1 if none is to be answered by 1, else 0 against the count; the first wins a tie.
    bias = np.array([-low, 1]) if one_if == "none" else np.array([0, -low])

    def numbers(mantissas: IntArray) -> IntArray:
        return precision.fractions(mantissas)

    return OneLayerTransformer.from_arrays(
        alphabet,
        precision=precision,
        token_embedding=numbers(np.hstack([-codes * scale, np.zeros_like(codes)])),
        position_embedding=numbers(
            np.hstack([low * (1 - np.eye(length, dtype=np.int64)), np.zeros((length, length), dtype=np.int64)])
        ),
        query=np.zeros((1, width, 1)),
        key=np.zeros((1, width, 1)),
        value=first[None],
        output=second,
        tokenwise=layers.layers,
        read_out=counted,
        read_out_bias=numbers(bias),
        name=name,
    )


def _stack_automaton(brackets: int, depth: int) -> Transitions:
    """From (stack, symbol) to stack; stacks are numbered, 0 is the empty one, and what is missing fails."""
    table = dyck_automaton(brackets, depth).table[:-1]  # the last state is that of words that have failed
    return {place: int(after) for place, after in np.ndenumerate(table) if after < len(table)}


def _automaton(layers: _Layers, transitions: Transitions, length: int, symbols: int, accepting: int) -> IntArray:
    """Layers that run an automaton from state 0 on the codes of a word; which of the last units end in ``accepting``.

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
