"""Recurrent models of the fewest bits: shift registers, networks of automata, tables of recall.

A network of relu or sigmoid units has a unit for each pair of a state and a symbol, on if the automaton was in this
state and reads this symbol now; it is in its first state iff no unit that leads elsewhere is on. Such networks do not
grow with the word (Bhattamishra, Hahn, Blunsom and Kanade 2024, section 4.1 and appendix E, who cite smaller ones:
Hewitt and others 2020; Bhattamishra, Ahuja and Goyal 2020).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import ClassVar

import numpy as np

from ccsim.arithmetic import Precision
from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.models import Affine, Elman, ElmanLayer, SequenceModel
from ccsim.models.automata import Automaton
from ccsim.models.recurrent import RecurrentModel
from ccsim.problems import associative_recall, index_lookup


@dataclass(frozen=True, eq=False)
class ShiftRegister(RecurrentModel):
    """Index lookup by keeping every symbol: s_1 ... s_N p has the answer s_p. Made by :func:`shift_register`.

    The state holds the last N symbols, oldest first, each in ceiling(log2 of their number) bits; a position symbol
    moves nothing in, and the answer to it is read from its place. (Before the end of the word it represents the first
    symbol.)

    Attributes:
        alphabet: the symbols (``answers``), then the positions, as :func:`~ccsim.problems.index_lookup` orders them.
        stored: N, how many symbols are kept; the length of words is N + 1.
    """

    steps_are_cheap: ClassVar[bool] = True

    alphabet: tuple[Hashable, ...]
    answers: tuple[Hashable, ...]
    stored: int
    length: int
    name: str

    @cached_property
    def state_precisions(self) -> tuple[Precision, ...]:
        """One unit for each symbol that is kept."""
        return (Precision(1, 0, len(self.answers) - 1),) * self.stored

    def start(self) -> Array:
        """The first symbol everywhere."""
        return np.zeros(self.stored, dtype=np.int64)

    def step(self, states: Array, symbols: Array, position: int) -> Array:
        """One symbol in at the end, one out in front."""
        entering = _numbers(self.alphabet, self.answers)[symbols]
        return np.concatenate([states[:, 1:], entering[:, None]], axis=1)

    def last(self, states: Array, symbols: Array, position: int) -> Array:
        """The symbol at the place that the last symbol names."""
        places = _numbers(self.alphabet, range(1, self.stored + 1))[symbols]
        return states[np.arange(len(states)), places]

    def read_out(self, states: Array) -> Array:
        """Nothing was asked for: the first symbol that is kept."""
        return states[:, 0]


def _numbers(alphabet: Sequence[Hashable], meant: Sequence[Hashable]) -> Array:
    """For each rank in the alphabet the place of its symbol among those that are meant, 0 where it is none of them."""
    places = {symbol: place for place, symbol in enumerate(meant)}
    return np.array([places.get(symbol, 0) for symbol in alphabet], dtype=np.int64)


def shift_register(length: int, alphabet: Iterable[Hashable] = "01") -> ShiftRegister:
    """A recurrent model for ``index_lookup(length, alphabet)`` whose state has exactly as many bits as it must have.

    Over two symbols that is N = ``length`` bits, which INDEX with one-way complexity N shows to be least
    (Bhattamishra, Hahn, Blunsom and Kanade 2024, theorem 3).

    >>> model = shift_register(5)
    >>> model.state_bits, model(("0", "1", "1", "0", "1", 3)), model.is_right(index_lookup(5))
    (5, '1', True)
    """
    length = require_integer("length", length, low=1)
    symbols = require_symbols("alphabet", alphabet)
    task = index_lookup(length, symbols)
    name = f"shift_register({length}, {len(symbols)} symbols)"
    return ShiftRegister(task.alphabet, symbols, length, length + 1, name)


MOST_ANSWERS = 1 << 20
UNITS = {"relu": (Precision(1, -2, 1), 1, Fraction(1)), "sigmoid": (Precision.fixed_point(4, 4), 7, Fraction(3, 2))}
"""For each kind of unit a precision, a strength B and a threshold c: it is f(B (state + symbol - c)).

Relu units are 1 or 0. Sigmoid units are 15/16 from 49/16 on and 0 up to -49/16, in steps of 1/16: where one is on,
state + symbol is 31/16 at least, and where it is off 17/16 at most.
"""


def automaton_network(automaton: Automaton, activation: str = "relu") -> Elman:
    """A simple recurrent network with a unit for each pair of a state and a symbol, for words of one symbol or more.

    Args:
        automaton: what it runs; the first largest of the sums of units that lead to each answer is its answer.
        activation: "relu", on numbers of 2 bits, or "sigmoid", on numbers of 9 bits.

    >>> from ccsim.models import dyck_automaton
    >>> network = automaton_network(dyck_automaton(2, 2))
    >>> network("([])[]"), network("([)]"), network.units, network.state_bits
    (1, 0, 32, 64)
    """
    if not isinstance(automaton, Automaton):
        raise InputError("automaton", automaton, "an Automaton")
    if activation not in UNITS:
        raise InputError("activation", activation, f"one of {', '.join(UNITS)}")
    precision, strength, threshold = UNITS[activation]
    states, symbols = automaton.states, len(automaton.alphabet)
    after = np.eye(states, dtype=np.int64)[automaton.table.reshape(-1)]  # the state after each unit, (state, symbol)
    seen, started = after.copy(), np.arange(states) == automaton.first
    seen[:, started] = after[:, started] - 1  # 1 less what leads elsewhere
    table = np.vstack([np.tile(np.eye(symbols, dtype=np.int64), states), np.repeat(seen, symbols, axis=1)])
    bias = [strength * (int(first) - threshold) for first in np.repeat(started, symbols)]
    answers = np.eye(len(automaton.answers), dtype=np.int64)[automaton.outputs]
    return Elman(
        automaton.alphabet,
        automaton.answers,
        precision,
        np.eye(symbols, dtype=np.int64) * precision.scale,
        (ElmanLayer(Affine.from_arrays(precision, strength * table, bias), activation),),
        Affine.from_arrays(precision, after @ answers),
        name=f"{automaton.name} by {states * symbols} {activation} units",
    )


@dataclass(frozen=True, eq=False)
class RecallTable(RecurrentModel):
    """Recall of n pairs over n keys: x_1 y_1 ... x_n y_n x has the answer behind x. Made by :func:`recall_table`.

    After a pair the state holds a value for each key. Where keys come in any order, the last unit holds the key that
    waits after an odd number of symbols, and the others the values of the other keys; after an even number, the value
    of the last key. Where keys come in the order of the alphabet, the position tells which one waits.

    Attributes:
        alphabet: the keys, then the values (``answers``), as :func:`~ccsim.problems.associative_recall` orders them.
        pairs: n; the length of words is 2 n + 1.
        in_order: whether key i is the i-th one of every word.
    """

    steps_are_cheap: ClassVar[bool] = True

    alphabet: tuple[Hashable, ...]
    answers: tuple[Hashable, ...]
    pairs: int
    in_order: bool
    length: int
    name: str

    @cached_property
    def state_precisions(self) -> tuple[Precision, ...]:
        """A unit for the value of each key, the last of which may hold a key instead."""
        values = len(self.answers)
        last = values if self.in_order else max(values, self.pairs)
        return (*(Precision(1, 0, values - 1),) * (self.pairs - 1), Precision(1, 0, last - 1))

    def start(self) -> Array:
        """No value yet: the first one for every key."""
        return np.zeros(self.pairs, dtype=np.int64)

    def step(self, states: Array, symbols: Array, position: int) -> Array:
        """Take a key out of the table, so that it waits, or put it back with its value; a query changes nothing."""
        if position > 2 * self.pairs:
            return states
        places = np.arange(self.pairs)[None, :]
        if position % 2:
            if self.in_order:
                return states
            keys, others = self._keys[symbols][:, None], places[:, :-1]
            rest = np.take_along_axis(states, others + (others >= keys), axis=1)
            return np.concatenate([rest, keys], axis=1)
        waiting = np.full((len(states), 1), position // 2 - 1) if self.in_order else states[:, -1:]
        values = _numbers(self.alphabet, self.answers)[symbols][:, None]
        if not self.in_order:
            states = np.take_along_axis(states, np.maximum(places - (places > waiting), 0), axis=1)
        return np.where(places == waiting, values, states)

    def last(self, states: Array, symbols: Array, position: int) -> Array:
        """The value of the key that is asked for."""
        return states[np.arange(len(states)), self._keys[symbols]]

    def read_out(self, states: Array) -> Array:
        """Nothing was asked for: the value of the first key."""
        return states[:, 0] % len(self.answers)

    @cached_property
    def _keys(self) -> Array:
        return _numbers(self.alphabet, self.alphabet[: self.pairs])


def recall_table(
    pairs: int, keys: Iterable[Hashable] | None = None, values: Iterable[Hashable] = "01", *, in_order: bool = False
) -> RecallTable:
    """A recurrent model for ``associative_recall(pairs, keys, values)`` with as few bits of state as there can be.

    There are as many keys as pairs. Over two values the state has n - 1 + ceiling(log2 n) bits for n >= 2 pairs, and 1
    bit for one. That is least: with the key asked for still to come and the last value too, the waiting key and the
    values of all others must be known, n 2^(n-1) states. If keys only come ``in_order`` it has n bits, which INDEX
    shows to be least (Bhattamishra, Hahn, Blunsom and Kanade 2024, proposition 9).

    >>> model = recall_table(3)
    >>> model.state_bits, model("c1a0b0c"), model.is_right(associative_recall(3))
    (4, '1', True)
    >>> recall_table(3, in_order=True).state_bits
    3
    """
    pairs = require_integer("pairs", pairs, low=1)
    task = associative_recall(pairs, keys, values)
    names, labels = task.positions[0], require_symbols("values", task.answers)
    if len(names) != pairs:
        raise InputError("keys", names, f"{pairs} keys, one for each pair")
    if set(names) & set(labels):
        raise InputError("values", labels, "values that are no keys")
    name = f"recall_table({pairs}, {len(labels)} values{', keys in order' if in_order else ''})"
    return RecallTable(task.alphabet, labels, pairs, in_order, 2 * pairs + 1, name)


class MultiQueryRecurrent(SequenceModel):
    """A recurrent model, ``inner``, read out at each of the last positions; answers are tuples of its answers.

    Args:
        inner: answers one query.
        queries: how many positions are read out.
    """

    length: int

    def __init__(self, inner: RecallTable, queries: int) -> None:
        if len(inner.answers) ** queries > MOST_ANSWERS:
            raise InputError("queries", queries, f"at most {MOST_ANSWERS} tuples of answers")
        self.inner, self.queries, self.name = inner, queries, f"{inner.name}, {queries} queries"
        self.alphabet, self.length = inner.alphabet, inner.length + queries - 1
        self.answers = tuple(product(inner.answers, repeat=queries))

    @property
    def state_bits(self) -> int:
        """The bits that are carried from symbol to symbol."""
        return self.inner.state_bits

    def codes(self, words: Array) -> Array:
        """The codes of the tuples of answers, int64, on words of ranks (..., N)."""
        words = np.asarray(words)
        self._require_length(words.shape[-1], "words", words.shape)
        flat = words.reshape(-1, words.shape[-1])
        before = flat.shape[1] - self.queries
        states, codes = self.inner.run(flat[:, :before]), np.zeros(len(flat), dtype=np.int64)
        for place in range(before, flat.shape[1]):
            answered = self.inner.last(states, flat[:, place], place + 1)
            states = self.inner.step(states, flat[:, place], place + 1)
            codes = codes * len(self.inner.answers) + answered
        return codes.reshape(words.shape[:-1])


def multi_query_recall_table(
    pairs: int,
    queries: int | None = None,
    keys: Iterable[Hashable] | None = None,
    values: Iterable[Hashable] = "01",
    *,
    in_order: bool = False,
) -> MultiQueryRecurrent:
    """A recurrent model for ``multi_query_associative_recall``, read out at each query; queries come in any order.

    Its state is that of :func:`recall_table`, for ``in_order`` as small as theorem 8 of Bhattamishra, Hahn, Blunsom and
    Kanade 2024 asks for.

    >>> model = multi_query_recall_table(3)
    >>> model("c1a0b0cba"), model.state_bits
    (('1', '0', '0'), 4)
    """
    inner = recall_table(pairs, keys, values, in_order=in_order)
    asked = require_integer("queries", inner.pairs if queries is None else queries, low=1, high=inner.pairs)
    return MultiQueryRecurrent(inner, asked)
