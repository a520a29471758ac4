"""Words in which something is looked up: keys, hops, matches, neighbours, averages; and words in a frame."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from string import ascii_lowercase
from typing import Any

import numpy as np

from ccsim.errors import Array, InputError, require_integer, require_symbols
from ccsim.matrices import DONT_CARE
from ccsim.problems.inputs import NUMBER_BITS, Words, select
from ccsim.problems.sequence_tasks import Digits, SequenceTask, TaskMachine

MOST_ANSWERS = 1 << 20  # of several queries together
Rule = Callable[[list[Array], int], Array]

NOTHING = "⊥"  # the answer when a hop finds no earlier occurrence
MOST_ROWS = 20  # of a sequence all of whose rows are asked at once: 2^20 answers
MOST_SUBSETS = 1 << 16  # q-subsets that the symbols may range over


def index_lookup(length: int, alphabet: Iterable[Hashable] = "01") -> SequenceTask:
    """The symbol at a position that the last token names: s_1 ... s_length p has the answer s_p.

    The token p is an integer in 1..length; a word is a tuple. A recurrent model must carry all symbols past the last of
    them, in length * log2(size of the alphabet) bits (Bhattamishra, Hahn, Blunsom and Kanade 2024, theorems 1 and 3).

    >>> index_lookup(3)(("0", "1", "0", 2))
    '1'
    """
    length = require_integer("length", length, low=1)
    symbols = require_symbols("alphabet", alphabet)
    words = Words((symbols,) * length + (tuple(range(1, length + 1)),))
    place, code = words.numbered(range(1, length + 1)), words.numbered(symbols)

    def evaluate(word: Array) -> Array:
        return np.asarray(code[select(word[..., :length], place[word[..., length]])])

    name = f"index_lookup({length}, {len(symbols)} symbols)"
    machine = _lookup_machine(words, length, place, code)
    note = "the symbol at the position of the last token"
    return SequenceTask(name, words, symbols, evaluate, note=note, machine=machine)


def _lookup_machine(words: Words, length: int, place: Array, code: Array) -> TaskMachine:
    digits = Digits(len(words.positions[0]), length)

    def step(states: Array, read: Array, position: int) -> Array:
        if position <= length:
            return digits.put(states, position - 1, code[read])
        answer = np.zeros_like(states)
        answer[:, 0] = digits.get(states, place[read])
        return answer

    def separate(first: Array, second: Array, read: int) -> Array | None:
        if read > length:
            return None
        different = np.flatnonzero(digits.rows(first[None])[0] != digits.rows(second[None])[0])
        if not len(different):
            return None
        named = words.alphabet.index(int(different[0]) + 1)
        return np.array([words.alphabet.index(words.positions[0][0])] * (length - read) + [named])

    return TaskMachine(np.zeros(digits.units, np.int64), step, lambda states: states[:, 0], separate=separate)


def associative_recall(
    pairs: int, keys: Iterable[Hashable] | None = None, values: Iterable[Hashable] = "01"
) -> SequenceTask:
    """The value behind the queried key: x_1 y_1 ... x_n y_n x_q has the answer y_q.

    Promise: the n = ``pairs`` keys are distinct and the query is one of them. There are, unless they are given, n keys:
    letters a, b, ..., or ``key1``, ``key2``, ... beyond 26. A recurrent model needs n bits of state (Bhattamishra,
    Hahn, Blunsom and Kanade 2024, proposition 9).

    >>> associative_recall(2)("a0b1b"), associative_recall(2)("a0a1b")
    ('1', None)
    """
    pairs = require_integer("pairs", pairs, low=1)
    labels = require_symbols("values", values)
    words, evaluate, machine = _recall(pairs, 1, keys, labels)
    name = f"associative_recall({pairs}, {len(words.positions[0])} keys, {len(labels)} values)"
    note = "the value behind the key that is asked for"
    return SequenceTask(name, words, labels, evaluate, note=note, machine=machine)


def multi_query_associative_recall(
    pairs: int,
    queries: int | None = None,
    keys: Iterable[Hashable] | None = None,
    values: Iterable[Hashable] = "01",
) -> SequenceTask:
    """MQAR: the values behind several queried keys, as a tuple: x_1 y_1 ... x_n y_n q_1 ... q_m.

    Promise: the n = ``pairs`` keys are distinct, and the m queries, n unless given, are distinct keys among them
    (Arora et al. 2023; Bhattamishra, Hahn, Blunsom and Kanade 2024, appendix G and theorem 8). Keys are as in
    :func:`associative_recall`.

    >>> multi_query_associative_recall(2)("a0b1ba")
    ('1', '0')
    """
    pairs = require_integer("pairs", pairs, low=1)
    queries = require_integer("queries", pairs if queries is None else queries, low=1, high=pairs)
    labels = require_symbols("values", values)
    if len(labels) ** queries > MOST_ANSWERS:
        raise InputError("queries", queries, f"at most 2^20 answers in all, not {len(labels)}^{queries}")
    words, evaluate, machine = _recall(pairs, queries, keys, labels)
    name = f"multi_query_associative_recall({pairs}, {queries}, {len(words.positions[0])} keys)"
    answers = tuple(itertools.product(labels, repeat=queries))
    note = "the values behind all keys that are asked for"
    return SequenceTask(name, words, answers, evaluate, note=note, machine=machine)


def _recall(pairs: int, queries: int, keys: Iterable[Hashable] | None, values: tuple[Hashable, ...]) -> Any:
    """The words, an evaluation to the mixed-radix code of the values of all queries, and the machine."""
    usual = ascii_lowercase[:pairs] if pairs <= 26 else [f"key{number}" for number in range(1, pairs + 1)]
    names = require_symbols("keys", usual if keys is None else keys)
    if len(names) < pairs:
        raise InputError("keys", names, f"at least {pairs} keys, to be distinct in {pairs} pairs")
    words = Words((names, values) * pairs + (names,) * queries)
    code = words.numbered(values)

    def evaluate(word: Array) -> Array:
        held, asked = word[..., 0 : 2 * pairs : 2], word[..., 2 * pairs :]
        promised = _distinct(held) & _distinct(asked)
        answer = np.zeros(word.shape[:-1], dtype=np.int64)
        for query in range(queries):
            equal = held == asked[..., query, None]
            promised &= equal.any(axis=-1)
            answer = answer * len(values) + code[select(word, 2 * equal.argmax(axis=-1) + 1)]
        return np.where(promised, answer, DONT_CARE)

    return words, evaluate, _recall_machine(words, pairs, words.numbered(names), code)


def _recall_machine(words: Words, pairs: int, key: Array, code: Array) -> TaskMachine:
    """Units: whether the promise is broken (then all else is 0), the number of the key that waits for its value from 1,
    the code of the answer so far, and for each key 1 + its value, or 0 if it has none or was asked for."""
    names, values = words.positions[:2]

    def step(states: Array, symbols: Array, position: int) -> Array:
        after, rows = states.copy(), np.arange(len(states))
        if position <= 2 * pairs and position % 2 == 0:
            after[rows, 2 + states[:, 1]] = 1 + code[symbols]
            after[:, 1] = 0
        else:
            asked = key[symbols]
            held = states[rows, 3 + asked]
            if position <= 2 * pairs:
                after[:, 0] |= held != 0
                after[:, 1] = 1 + asked
            else:
                after[:, 0] |= held == 0
                after[:, 2] = states[:, 2] * len(values) + held - 1
                after[rows, 3 + asked] = 0
        after[after[:, 0] != 0, 1:] = 0
        return np.asarray(after)

    return TaskMachine(
        np.zeros(3 + len(names), dtype=np.int64),
        step,
        lambda states: np.where(states[:, 0], DONT_CARE, states[:, 2]),
        separate=partial(_recall_suffix, words, pairs),
    )


def _recall_suffix(words: Words, pairs: int, first: Array, second: Array, read: int) -> Array | None:
    """An end of the word that asks for a key whose values differ in two states that hold the same keys."""
    waiting, same_keys = int(first[1]), ((first[3:] != 0) == (second[3:] != 0)).all()
    different = np.flatnonzero((first[3:] != second[3:]) & (first[3:] != 0))
    if first[0] or second[0] or waiting != second[1] or first[2] != second[2] or not same_keys or not len(different):
        return None
    held = first[3:] != 0
    if waiting:
        held[waiting - 1] = True
    names, values = words.positions[0], words.positions[1]
    unused, suffix = [int(place) for place in np.flatnonzero(~held)], [values[0]] if waiting else []
    while read + len(suffix) < 2 * pairs:
        new = unused.pop(0)
        held[new] = True
        suffix += [names[new], values[0]]
    asked = [int(different[0]), *(int(place) for place in np.flatnonzero(held) if place != different[0])]
    suffix += [names[place] for place in asked[: len(words.positions) - read - len(suffix)]]
    return np.array([words.alphabet.index(symbol) for symbol in suffix])


def _distinct(symbols: Array) -> Array:
    ordered = np.sort(symbols, axis=-1)
    return np.asarray((ordered[..., 1:] != ordered[..., :-1]).all(axis=-1))


def k_hop_composition(size: int, hops: int) -> SequenceTask:
    """f_k(...f_1(x)...) for ``hops`` functions written one after another, and then x.

    Each f_t maps {0, ..., size-1} to itself and is written as its ``size`` values. For two hops this is the function
    composition that one attention layer cannot compute (Peng, Narayanan and Papadimitriou 2024, theorem 1).

    >>> k_hop_composition(3, 2)((1, 2, 0, 0, 0, 2, 1))
    2
    """
    size = require_integer("size", size, low=1)
    hops = require_integer("hops", hops, low=1)

    def evaluate(word: Array) -> Array:
        value = word[..., -1].astype(np.int64)
        for hop in range(hops):
            value = select(word, size * hop + value).astype(np.int64)
        return value

    words = Words.over(range(size), size * hops + 1)
    note = f"the last symbol, taken through {hops} tables of {size} values"
    return SequenceTask(f"k_hop_composition({size}, {hops})", words, tuple(range(size)), evaluate, note=note)


def k_hop_induction(
    length: int, hops: int, alphabet: Iterable[Hashable] = "abc", row: int | None = None
) -> SequenceTask:
    """The symbol that ``hops`` induction hops from a row lead to (Sanford, Hsu and Telgarsky 2024, k-hop).

    One hop, the induction-heads task, goes from position i to the one right after the latest position before i with the
    same symbol as i. The answer is the symbol where the last hop lands, or ``NOTHING`` if some hop finds no such
    position. ``row`` counts from 1; None means the last position.

    >>> k_hop_induction(4, 1)("abca"), k_hop_induction(5, 2)("abbab"), k_hop_induction(3, 1)("abc")
    ('b', 'b', '⊥')
    """
    length = require_integer("length", length, low=1)
    hops = require_integer("hops", hops, low=1)
    row = require_integer("row", length if row is None else row, low=1, high=length)
    symbols = require_symbols("alphabet", alphabet)
    if NOTHING in symbols:
        raise InputError("alphabet", symbols, f"symbols other than {NOTHING!r}, which represents no answer")

    def evaluate(word: Array) -> Array:
        landing = np.zeros((*word.shape[:-1], length + 1), dtype=np.int32)  # one hop; 0 is nowhere, and leads to itself
        for i in range(1, length + 1):
            for j in range(2, i + 1):
                landing[..., i] = np.where(word[..., j - 2] == word[..., i - 1], j, landing[..., i])
        place = np.full(word.shape[:-1], row, dtype=np.int64)
        for _ in range(hops):
            place = select(landing, place)
        return np.where(place == 0, len(symbols), select(word, np.maximum(place - 1, 0)))

    name = f"k_hop_induction({length}, {hops}, {len(symbols)} symbols, row {row})"
    note = f"the symbol after {hops} hops to behind the latest earlier occurrence"
    return SequenceTask(name, Words.over(symbols, length), (*symbols, NOTHING), evaluate, note=note)


def match2(length: int, modulus: int, row: int | None = 1) -> SequenceTask:
    """Match2: for a row i, whether x_i + x_j = 0 modulo ``modulus`` for some position j.

    j may be i itself. Entries are 0, ..., modulus - 1. ``row`` counts from 1; None asks for all rows, and the answer is
    the tuple of their bits. One attention unit of embedding dimension 3 computes it (Sanford, Hsu and Telgarsky 2023).

    >>> match2(3, 5)((1, 0, 4)), match2(3, 5)((1, 0, 1)), match2(3, 5, row=None)((1, 0, 4))
    (1, 0, (1, 1, 1))
    """
    what = "x_i + x_j = 0 for some j"
    return _match("match2", length, modulus, row, lambda x, i: _held(x, modulus, -x[i]), what)


def match3(length: int, modulus: int, row: int | None = 1) -> SequenceTask:
    """Match3: for a row i, whether x_i + x_j1 + x_j2 = 0 modulo ``modulus`` for some positions j1 and j2.

    j1, j2 and i may coincide. Rows and answers are as in :func:`match2`. No attention layer of size
    sublinear in the length computes it (Sanford, Hsu and Telgarsky 2023), by a reduction from disjointness.

    >>> match3(3, 7)((1, 2, 4)), match3(3, 7)((1, 2, 2)), match3(3, 7)((1, 0, 6))
    (1, 0, 1)
    """
    what = "x_i + x_j1 + x_j2 = 0 for some j1, j2"
    return _match("match3", length, modulus, row, lambda x, i: _triple(x, modulus, x[i]), what)


def match3_bigram(length: int, modulus: int, row: int | None = 1) -> SequenceTask:
    """Match3Bigram: for a row i, whether x_i + x_j + x_{j+1} = 0 modulo ``modulus`` for a j < length.

    Rows and answers are as in :func:`match2`. Two layers of dimension 3 compute it (Sanford, Hsu and Telgarsky 2023).

    >>> match3_bigram(3, 7)((1, 2, 4)), match3_bigram(3, 7)((2, 1, 4)), match3_bigram(3, 7)((1, 6, 6))
    (1, 1, 0)
    """

    def rule(x: list[Array], i: int) -> Array:
        sums = [(x[i] + first + second) % modulus for first, second in itertools.pairwise(x)]
        return np.asarray(np.logical_or.reduce([each == 0 for each in sums]))

    return _match("match3_bigram", length, modulus, row, rule, "x_i + x_j + x_{j+1} = 0 for some j")


def match3_local(length: int, modulus: int, window: int, row: int | None = 1) -> SequenceTask:
    """Match3Local: as :func:`match3`, with both positions at most ``window`` away from the row i.

    One attention layer of embedding dimension O(window log length) computes it (Sanford, Hsu and Telgarsky 2023).

    >>> match3_local(3, 7, window=1)((1, 2, 4)), match3_local(3, 7, window=2)((1, 2, 4))
    (0, 1)
    """
    window = require_integer("window", window, low=0)

    def rule(x: list[Array], i: int) -> Array:
        return _triple(x[max(i - window, 0) : i + window + 1], modulus, x[i])

    what = f"x_i + x_j1 + x_j2 = 0 for some j1, j2 at most {window} away"
    return _match("match3_local", length, modulus, row, rule, what, f", window {window}")


def _triple(x: list[Array], modulus: int, own: Array) -> Array:
    return np.asarray(np.logical_or.reduce([_held(x, modulus, -own - other) for other in x]))


def _held(x: list[Array], modulus: int, wanted: Array) -> Array:
    """Whether some entry is equal to the wanted one, by a set of residues as bits."""
    wide = np.int64 if modulus <= NUMBER_BITS else object
    residues = np.bitwise_or.reduce([np.left_shift(1, entry.astype(wide)) for entry in x])
    return np.asarray((residues >> (wanted % modulus).astype(wide)) & 1, dtype=bool)


def _match(
    name: str, length: int, modulus: int, row: int | None, rule: Rule, what: str, more: str = ""
) -> SequenceTask:
    length = require_integer("length", length, low=1)
    modulus = require_integer("modulus", modulus, low=1)
    if row is not None:
        row = require_integer("row", row, low=1, high=length)
    elif length > MOST_ROWS:
        raise InputError("row", row, f"one row, as all of {length} would have 2^{length} answers")
    rows = range(length) if row is None else [row - 1]

    def evaluate(word: Array) -> Array:
        x = [word[..., position].astype(np.int64) for position in range(length)]
        code = np.zeros(word.shape[:-1], dtype=np.int64)
        for i in rows:
            code = 2 * code + rule(x, i)
        return code

    answers = (0, 1) if row is not None else tuple(itertools.product((0, 1), repeat=length))
    asked = "all rows" if row is None else f"row {row}"
    words = Words.over(range(modulus), length)
    title = f"{name}({length}, {modulus}, {asked}{more})"
    return SequenceTask(title, words, answers, evaluate, note=f"{asked}: 1 iff {what} modulo {modulus}")


def nearest_neighbour(
    pairs: int,
    vectors: Iterable[tuple[int, ...]],
    labels: Iterable[Hashable] = "01",
    margin: int = 1,
) -> SequenceTask:
    """The label of the vector nearest to the query: x_1 y_1 ... x_n y_n x_q has the answer y_j.

    j maximises the dot product of x_j and x_q, and the promise is that it beats every other by at least ``margin``. The
    n = ``pairs`` integer vectors are of one dimension and one norm; divided by it they are the unit vectors of
    Bhattamishra, Hahn, Blunsom and Kanade 2024 (section 5.2, theorems 7 and 8), whose margin is margin / norm^2.

    >>> task = nearest_neighbour(2, [(1, 0), (0, 1), (-1, 0), (0, -1)])
    >>> task(((1, 0), "0", (0, -1), "1", (-1, 0))), task(((1, 0), "0", (-1, 0), "1", (0, 1)))
    ('1', None)
    """
    pairs = require_integer("pairs", pairs, low=1)
    margin = require_integer("margin", margin, low=1)
    try:
        points = tuple(map(tuple, vectors))
    except TypeError as error:
        raise InputError("vectors", vectors, "a list of integer vectors") from error
    require_symbols("vectors", points)
    names = require_symbols("labels", labels)
    words = Words((points, names) * pairs + (points,))
    gram = _gram(words, points)
    code = words.numbered(names)

    def evaluate(word: Array) -> Array:
        query = word[..., -1]
        scores = np.stack([gram[query, word[..., 2 * pair]] for pair in range(pairs)], axis=-1)
        close = (scores > scores.max(axis=-1, keepdims=True) - margin).sum(axis=-1)
        return np.where(close == 1, code[select(word, 2 * scores.argmax(axis=-1) + 1)], DONT_CARE)

    name = f"nearest_neighbour({pairs}, {len(points)} vectors, {len(names)} labels, margin {margin})"
    note = "the label of the vector nearest to the last one"
    return SequenceTask(name, words, names, evaluate, note=note)


def _gram(words: Words, points: tuple[tuple[int, ...], ...]) -> Array:
    """All dot products, by rank in the alphabet of the words (0 for the ranks of labels)."""
    for entry in itertools.chain.from_iterable(points):
        require_integer("vectors entry", entry, low=-(1 << 512), high=1 << 512)
    norms = [sum(int(entry) ** 2 for entry in point) for point in points]
    for point, norm in zip(points, norms, strict=True):
        if len(point) != len(points[0]) or norm != norms[0]:
            raise InputError("vectors", point, f"the dimension and the norm of the first, {points[0]}")
    gram = np.zeros((len(words.alphabet),) * 2, dtype=np.int64 if norms[0] < 1 << 61 else object)
    ranks = [words.alphabet.index(point) for point in points]
    rows = np.array([[int(entry) for entry in point] for point in points], dtype=gram.dtype)
    gram[np.ix_(ranks, ranks)] = rows @ rows.T  # none is larger than the norm that all have (Cauchy and Schwarz)
    return gram


def q_sparse_averaging(length: int, q: int, row: int | None = None) -> SequenceTask:
    """qSA: each symbol is (y_i, z_i), and the answer is the average of z_j over the positions j in y_row.

    y_i is a tuple of ``q`` different positions in 1..length, in order; z_i is -1 or +1. The answer is an exact
    fraction, one of -1, -1 + 2/q, ..., 1. ``row`` is a position in 1..length; None means the last. At most 2^16
    subsets. One attention unit of embedding dimension m and precision p needs m p of order q, by a reduction from
    disjointness on q bits (Sanford, Hsu and Telgarsky 2023, with one-dimensional vectors).

    >>> task = q_sparse_averaging(3, 2)
    >>> task((((1, 2), -1), ((1, 2), 1), ((2, 3), 1)))
    Fraction(1, 1)
    """
    length = require_integer("length", length, low=1)
    q = require_integer("q", q, low=1, high=length)
    row = require_integer("row", length if row is None else row, low=1, high=length)
    if math.comb(length, q) > MOST_SUBSETS:
        raise InputError("length, q", (length, q), f"at most {MOST_SUBSETS} subsets of q positions")
    subsets = list(itertools.combinations(range(1, length + 1), q))
    words = Words.over([(subset, z) for subset in subsets for z in (-1, 1)], length)
    member = np.array([[j in subset for j in range(1, length + 1)] for subset in subsets])

    def evaluate(word: Array) -> Array:
        chosen = member[word[..., row - 1] // 2]
        positive = np.zeros(word.shape[:-1], dtype=np.int64)
        for j in range(length):
            positive += chosen[..., j] & (word[..., j] % 2 == 1)
        return positive

    answers = tuple(Fraction(2 * positive - q, q) for positive in range(q + 1))
    name = f"q_sparse_averaging({length}, {q}, row {row})"
    note = f"the average over the {q} positions that row {row} names"
    return SequenceTask(name, words, answers, evaluate, note=note)


def framed_task(task: SequenceTask, before: Sequence[Hashable] = (), after: Sequence[Hashable] = ()) -> SequenceTask:
    """The same question about the same words, with these symbols in front of and behind each."""
    if not before and not after:
        return task
    words = Words((*((symbol,) for symbol in before), *task.positions, *((symbol,) for symbol in after)))
    start, stop = len(before), len(before) + task.length
    inner, outer, inside = words.numbered(task.alphabet), task.words.numbered(words.alphabet), task.machine

    def evaluate(rows: Array) -> Array:
        return np.asarray(task.evaluate(inner[np.asarray(rows)[..., start:stop]]))

    def step(states: Array, symbols: Array, position: int) -> Array:
        assert inside is not None
        return inside.step(states, inner[symbols], position - start) if start < position <= stop else states

    def separate(one: Array, two: Array, read: int) -> Array | None:
        assert inside is not None
        assert inside.separate is not None
        end = inside.separate(one, two, min(max(read - start, 0), stop - start))
        if end is None:
            return None
        fixed = [words.alphabet.index(choices[0]) for choices in words.positions]
        return np.concatenate([fixed[read:start], outer[end], fixed[max(read, stop) :]]).astype(np.int64)

    machine = inside and TaskMachine(inside.start, step, inside.codes, separate=inside.separate and separate)
    name = " ".join([*map(str, before), task.name, *map(str, after)])
    return SequenceTask(name, words, task.answers, evaluate, note=task.note, machine=machine)
