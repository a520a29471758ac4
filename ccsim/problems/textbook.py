"""Functions of two parties from the textbook: of bit strings, sets and graphs, and their compositions."""

from __future__ import annotations

import inspect
import itertools
import math
import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import reduce
from typing import Any

import numpy as np

from ccsim import lazy
from ccsim.errors import Array, InputError, require_integer
from ccsim.matrices import DONT_CARE, Relation
from ccsim.problems.function import MultipartyFunction, TwoPartyFunction
from ccsim.problems.inputs import (
    KINDS,
    NUMBER_BITS,
    BitStrings,
    Integers,
    ListedSets,
    Pairs,
    Subsets,
    Words,
    kind_of,
    parameters_of,
    part_rows,
    popcount,
    select,
)

networkx = lazy.load("networkx")

MOST_SETS = 1 << 14  # cliques, or independent sets, that are listed
MOST_ANSWERS = 1 << 20  # of a direct sum
MOST_VARIABLES = 10  # of a truth table


def of_two_strings(
    name: str, n: int, rule: Callable[[Array, Array], Any], note: str, answers: tuple[Hashable, ...] = (0, 1)
) -> TwoPartyFunction:
    n = require_integer("n", n, low=1)

    def evaluate(x: Array, y: Array) -> Array:
        codes = np.asarray(rule(x, y))
        return codes.astype(np.int8) if codes.dtype == bool else codes

    inputs = (BitStrings(n), BitStrings(n))
    return TwoPartyFunction(f"{name}({n})", inputs, answers, evaluate, note=note, returns="codes")


def equality(n: int) -> TwoPartyFunction:
    """EQ_n: 1 iff x = y, for two strings of ``n`` bits.

    Both parties learn the answer at a cost of exactly D = n + 1 bits; with public coins and constant error
    O(1) bits are enough (Kushilevitz and Nisan 1997, chapters 1 and 3).

    >>> equality(2).matrix.codes.tolist()
    [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    """
    return of_two_strings("equality", n, lambda x, y: x == y, "1 iff x = y")


def equality_of_three(n: int) -> MultipartyFunction:
    """1 iff x = y = z, for three strings of ``n`` bits, held by Alice, Bob and Carol.

    >>> equality_of_three(2)("01", "01", "01"), equality_of_three(2)("01", "01", "11")
    (1, 0)
    """
    n = require_integer("n", n, low=1)

    def evaluate(x: Array, y: Array, z: Array) -> Array:
        return np.asarray((x == y) & (y == z), dtype=np.int8)

    parties = ("alice", "bob", "carol")
    return MultipartyFunction(f"equality_of_three({n})", (BitStrings(n),) * 3, (0, 1), evaluate, parties, "x = y = z")


def greater_than(n: int) -> TwoPartyFunction:
    """GT_n: 1 iff x > y, for two strings of ``n`` bits read as binary numbers.

    D = n + 1 (Kushilevitz and Nisan 1997, chapter 1).

    >>> greater_than(3)("100", "011"), greater_than(3)("011", "011")
    (1, 0)
    """
    return of_two_strings("greater_than", n, lambda x, y: x > y, "1 iff x > y as numbers")


def median(n: int) -> TwoPartyFunction:
    """The lower median of two non-empty subsets of {0, ..., n-1}, taken together as a multiset.

    The lower median is the smallest m such that at least half of all elements, rounded up, are at most m; an element in
    both sets counts twice. The answers are the elements 0, ..., n-1, numbered as in the inputs. O(log n) bits are
    enough (Kushilevitz and Nisan 1997, chapter 1). The 2^n - 1 subsets are listed, so ``n`` is at most 22.

    >>> median(5)({0, 4}, {3, 4}), median(5)({0, 1}, {2, 3}), median(5)({2}, {2})
    (3, 1, 2)
    """
    n = require_integer("n", n, low=1, high=22)
    subsets = Subsets(n, range(1, n + 1))

    def evaluate(x: Array, y: Array) -> Array:
        total = popcount(x) + popcount(y)
        answer = np.zeros(total.shape, dtype=np.int8)
        for m in range(n - 1):
            up_to = (2 << m) - 1
            answer += 2 * (popcount(x & up_to) + popcount(y & up_to)) < total
        return answer

    note = "the lower median of the two sets together"
    return TwoPartyFunction(f"median({n})", (subsets, subsets), tuple(range(n)), evaluate, note=note)


def hamming_distance(n: int) -> TwoPartyFunction:
    """In how many places two strings of ``n`` bits differ; the answers are 0, ..., n.

    The pairs (x, x) are a fooling set for the answer 0, so D >= n.

    >>> hamming_distance(4)("0011", "1010")
    2
    """
    n = require_integer("n", n, low=1)
    note = "the number of places that differ"
    return of_two_strings("hamming_distance", n, lambda x, y: popcount(x ^ y), note, tuple(range(n + 1)))


def gap_hamming(n: int, gap: int | None = None) -> TwoPartyFunction:
    """GHD: 1 if the distance of two strings of ``n`` >= 2 bits is at least n/2 + gap, 0 if at most n/2 - gap.

    Every other pair is outside the promise. The gap is from 1 to n/2; the default is ceil(sqrt n), the case that needs
    Omega(n) bits with randomness too (Chakrabarti and Regev 2012), or n // 2 where this is smaller.

    >>> gap_hamming(4)("0000", "1111"), gap_hamming(4)("0000", "0000"), gap_hamming(4)("0000", "0111")
    (1, 0, None)
    """
    n = require_integer("n", n, low=2)
    if gap is None:
        gap = min(math.isqrt(n - 1) + 1, n // 2)
    gap = require_integer("gap", gap, low=1, high=n // 2)

    def evaluate(x: Array, y: Array) -> Array:
        twice = 2 * popcount(x ^ y)
        return np.where(twice >= n + 2 * gap, 1, np.where(twice <= n - 2 * gap, 0, DONT_CARE)).astype(np.int8)

    inputs = (BitStrings(n), BitStrings(n))
    note = f"1 if the distance is at least n/2 + {gap}, 0 if it is at most n/2 - {gap}"
    return TwoPartyFunction(f"gap_hamming({n}, {gap})", inputs, (0, 1), evaluate, note=note)


def parity(n: int) -> TwoPartyFunction:
    """The parity of all 2n bits of two strings of ``n`` bits: 1 iff the number of ones is odd.

    D = 2: each party tells the parity of its own bits.

    >>> parity(2)("10", "11"), parity(2)("11", "11")
    (1, 0)
    """
    note = "1 iff the number of ones in x and y together is odd"
    return of_two_strings("parity", n, lambda x, y: popcount(x ^ y) & 1, note)


def majority(n: int) -> TwoPartyFunction:
    """1 iff strictly more than half of all 2n bits of two strings of ``n`` bits are ones.

    One party tells how many ones it has, the other answers: D <= ceil(log2(n + 1)) + 1.

    >>> majority(2)("11", "10"), majority(2)("11", "00")
    (1, 0)
    """
    note = "1 iff more than half of the bits of x and y together are ones"
    return of_two_strings("majority", n, lambda x, y: popcount(x) + popcount(y) > n, note)


def inner_product(n: int) -> TwoPartyFunction:
    """IP_n: the sum of x_i y_i modulo 2, for two strings of ``n`` bits.

    D = n + 1, and Omega(n) bits are needed with randomness too (Chor and Goldreich 1988; Kushilevitz and
    Nisan 1997, chapter 3).

    >>> inner_product(3)("111", "110"), inner_product(3)("111", "010")
    (0, 1)
    """
    note = "the parity of the number of common ones"
    return of_two_strings("inner_product", n, lambda x, y: popcount(x & y) & 1, note)


def index(n: int) -> TwoPartyFunction:
    """INDEX_n: the bit a_i, where Alice holds a string a of ``n`` bits and Bob a position i in 1..n.

    One message from Alice to Bob needs exactly n bits, since the 2^n rows are all different; a message from
    Bob and an answer from Alice take ceil(log2 n) + 1 bits (Kremer, Nisan and Ron 1999).

    >>> index(4)("0100", 2), index(4)("0100", 3)
    (1, 0)
    """
    n = require_integer("n", n, low=1)
    inputs = (BitStrings(n), Integers(n, low=1))
    return TwoPartyFunction(f"index({n})", inputs, (0, 1), lambda a, i: (a >> (n - i)) & 1, note="bit number y of x")


def disjointness(n: int) -> TwoPartyFunction:
    """DISJ_n as in textbooks: 1 iff no position has a 1 in both of two strings of ``n`` bits.

    D = n + 1 (Kushilevitz and Nisan 1997, chapter 1); Omega(n) bits are needed with randomness too (Kalyanasundaram and
    Schnitger 1992). :func:`intersection` is its negation, which several papers on transformers call DISJ.

    >>> disjointness(3)("101", "010"), disjointness(3)("101", "001")
    (1, 0)
    """
    return of_two_strings("disjointness", n, lambda x, y: x & y == 0, "1 iff the sets do not meet")


def intersection(n: int) -> TwoPartyFunction:
    """1 iff some position has a 1 in both of two strings of ``n`` bits: max_i x_i y_i.

    This is what Bhattamishra, Hahn, Blunsom and Kanade 2024 and Sanford, Hsu and Telgarsky 2023 call DISJ;
    :func:`disjointness` is its negation. D = n + 1.

    >>> intersection(3)("101", "010"), intersection(3)("101", "001")
    (0, 1)
    """
    return of_two_strings("intersection", n, lambda x, y: x & y != 0, "1 iff the sets meet")


def sparse_disjointness(n: int, k: int) -> TwoPartyFunction:
    """1 iff two subsets of {0, ..., n-1} of exactly ``k`` elements each do not meet.

    The deterministic cost is Theta(log C(n, k)) for k <= n/2, and O(k) bits are enough with public coins
    (Håstad and Wigderson 2007). ``n`` is at most 62, and the subsets are listed: at most 2^22 of them.

    >>> sparse_disjointness(5, 2)({0, 1}, {3, 4}), sparse_disjointness(5, 2)({0, 1}, {1, 4})
    (1, 0)
    """
    n = require_integer("n", n, low=1, high=NUMBER_BITS)
    k = require_integer("k", k, low=1, high=n)
    inputs = (Subsets(n, [k]),) * 2
    note = f"1 iff two {k}-subsets of {n} elements do not meet"
    return TwoPartyFunction(f"sparse_disjointness({n}, {k})", inputs, (0, 1), lambda x, y: x & y == 0, note=note)


def set_intersection_size(n: int) -> TwoPartyFunction:
    """How many positions have a 1 in both of two strings of ``n`` bits; the answers are 0, ..., n.

    D is n + ceil(log2(n + 1)) or one less (Tamm 1995).

    >>> set_intersection_size(4)("1101", "0111")
    2
    """
    n = require_integer("n", n, low=1)
    note = "the number of common elements"
    return of_two_strings("set_intersection_size", n, lambda x, y: popcount(x & y), note, tuple(range(n + 1)))


class VertexSets(ListedSets):
    """Some sets of vertices of a graph: values are frozen sets, array rows are masks.

    Args:
        elements: the vertices, at most 62 of them; bit ``i`` of a mask is the i-th.
        sets: some sets of them, all different.

    >>> VertexSets("abc", [frozenset("ca")]).show(frozenset("ac"))
    '{a,c}'
    """

    def __init__(self, elements: Iterable[Hashable], sets: Iterable[Iterable[Hashable]]) -> None:
        super().__init__(elements, sets)

    def describe(self) -> str:
        return f"one of {self.size} sets of the vertices {', '.join(map(str, self.elements))}"


def clique_independent_set(graph: Any) -> TwoPartyFunction:
    """CIS_G: whether Alice's clique and Bob's independent set of an undirected graph share a vertex.

    They share at most one. The empty set counts as either. O(log^2 n) bits are enough for n vertices (Yannakakis 1991),
    and there are graphs that need nearly as many (Göös, Pitassi and Watson 2015). The graph has 1 to 62 vertices, no
    loops, and at most 2^14 cliques and independent sets.

    >>> import networkx
    >>> path = clique_independent_set(networkx.path_graph(3))
    >>> path.shape, path({0, 1}, {0, 2}), path({0, 1}, set())
    ((6, 5), 1, 0)
    """
    if not isinstance(graph, networkx.Graph) or graph.is_directed():
        raise InputError("graph", graph, "an undirected networkx graph")
    vertices = list(graph.nodes)
    if not 1 <= len(vertices) <= NUMBER_BITS:
        raise InputError("graph", graph, f"from 1 to {NUMBER_BITS} vertices, not {len(vertices)}")
    loop = next(networkx.selfloop_edges(graph), None)
    if loop is not None:
        raise InputError("graph", graph, f"no loops, such as the one at {loop[0]!r}")
    simple = networkx.Graph(graph)
    alice = VertexSets(vertices, _cliques(simple, "cliques"))
    bob = VertexSets(vertices, _cliques(networkx.complement(simple), "independent sets"))
    name = f"clique_independent_set({len(vertices)} vertices, {simple.number_of_edges()} edges)"
    note = "how many vertices a clique and an independent set share"
    return TwoPartyFunction(name, (alice, bob), (0, 1), lambda x, y: x & y != 0, note=note)


def _cliques(graph: Any, what: str) -> list[frozenset[Hashable]]:
    some = itertools.islice(networkx.enumerate_all_cliques(graph), MOST_SETS)
    cliques = [frozenset[Hashable](), *map(frozenset, some)]
    if len(cliques) > MOST_SETS:
        raise InputError("graph", graph, f"at most {MOST_SETS} {what}, with the empty one")
    return cliques


def pointer_chasing(n: int, k: int) -> TwoPartyFunction:
    """The vertex v_k that ``k`` pointers lead to from v_0 = 0, where the parties hold the pointers in turn.

    Alice holds f_A and Bob f_B, functions from {0, ..., n-1} to itself written as tuples of their ``n`` values; v_t is
    f_A(v_{t-1}) for odd t and f_B(v_{t-1}) for even t. With Alice first, k messages of ceil(log2 n) bits are enough;
    with fewer than k messages, or the wrong party first, nearly n bits are needed (Nisan and Wigderson 1993).

    >>> pointer_chasing(3, 2)((1, 0, 0), (0, 2, 0))
    2
    """
    n, k = require_integer("n", n, low=1), require_integer("k", k, low=1)
    functions = Words.over(range(n), n)

    def evaluate(f: Array, g: Array) -> Array:
        vertex = np.zeros(np.broadcast_shapes(f.shape[:-1], g.shape[:-1]), dtype=np.int64)
        for step in range(k):
            vertex = select(g if step % 2 else f, vertex).astype(np.int64)
        return vertex

    note = f"the vertex after {k} pointers, Alice's and Bob's in turn, from vertex 0"
    inputs = (functions, functions)
    return TwoPartyFunction(f"pointer_chasing({n}, {k})", inputs, tuple(range(n)), evaluate, note=note)


def function_composition(n: int) -> TwoPartyFunction:
    """g(f(x)), where Alice holds f and Bob the pair (g, x), all over {0, ..., n-1}.

    Functions are tuples of their ``n`` values. One message from Alice to Bob needs about n log2 n bits, which
    is what one attention layer cannot carry (Peng, Narayanan and Papadimitriou 2024, theorem 1).

    >>> function_composition(3)((1, 2, 0), ((0, 0, 2), 1))
    2
    """
    n = require_integer("n", n, low=1)
    functions = Words.over(range(n), n)
    bob = Pairs((functions, Integers(n)))

    def evaluate(f: Array, pair: Array) -> Array:
        g, x = part_rows(bob, pair)
        return select(g, select(f, x).astype(np.int64))

    name = f"function_composition({n})"
    return TwoPartyFunction(name, (functions, bob), tuple(range(n)), evaluate, note="g(f(x)); Bob holds g, x")


def direct_sum(*functions: TwoPartyFunction) -> TwoPartyFunction:
    """All of several problems on independent inputs: the answer is the tuple of their answers.

    Each party holds a tuple with one input for each function; at most 2^20 answers in all. Inputs are outside the
    promise as soon as one of them is. Whether the cost is the sum of the costs is the direct-sum question (Karchmer,
    Raz and Wigderson 1995).

    >>> from ccsim.problems import equality, greater_than
    >>> direct_sum(equality(2), greater_than(2))(("01", "11"), ("01", "10"))
    (1, 1)
    """
    _require_functions(functions)
    count = math.prod(len(function.answers) for function in functions)
    if count > MOST_ANSWERS:
        names = [function.name for function in functions]
        raise InputError("functions", names, f"at most 2^20 answers in all, not {count}")

    def combine(codes: list[Array]) -> Array:
        whole = np.zeros((), dtype=np.int64)
        for function, code in zip(functions, codes, strict=True):
            whole = whole * len(function.answers) + code
        return np.asarray(whole)

    answers = tuple(itertools.product(*(function.answers for function in functions)))
    return _compose("direct_sum", functions, answers, combine, "the tuple of all answers")


def xor_composition(*functions: TwoPartyFunction) -> TwoPartyFunction:
    """The exclusive or of several Boolean functions on independent inputs, each party holding tuples.

    >>> xor_composition(equality(1), equality(1)).matrix.codes[0].tolist()
    [0, 1, 1, 0]
    """
    return _boolean("xor", functions, np.bitwise_xor)


def and_composition(*functions: TwoPartyFunction) -> TwoPartyFunction:
    """Whether all of several Boolean functions on independent inputs are 1, each party holding tuples.

    >>> and_composition(equality(1), equality(2))(("0", "11"), ("0", "11"))
    1
    """
    return _boolean("and", functions, np.bitwise_and)


def or_composition(*functions: TwoPartyFunction) -> TwoPartyFunction:
    """Whether one of several Boolean functions on independent inputs is 1, each party holding tuples.

    >>> from ccsim.problems import intersection
    >>> two = or_composition(intersection(1), intersection(1))
    >>> two.matrix == intersection(2).matrix
    True
    """
    return _boolean("or", functions, np.bitwise_or)


def _boolean(
    word: str, functions: tuple[TwoPartyFunction, ...], operation: Callable[[Array, Array], Array]
) -> TwoPartyFunction:
    _require_functions(functions)
    for function in functions:
        if not function.is_boolean:
            raise InputError("functions", function.name, f"answers 0 and 1, not {function.answers[:6]}")

    note = f"the {word} of the answers"
    return _compose(f"{word}_composition", functions, (0, 1), lambda codes: reduce(operation, codes), note)


def _compose(
    name: str,
    functions: tuple[TwoPartyFunction, ...],
    answers: tuple[Any, ...],
    combine: Callable[[list[Array]], Array],
    note: str,
) -> TwoPartyFunction:
    alice = Pairs(tuple(function.alice for function in functions))
    bob = Pairs(tuple(function.bob for function in functions))

    def evaluate(x: Array, y: Array) -> Array:
        rows = zip(functions, part_rows(alice, x), part_rows(bob, y), strict=True)
        codes = [np.asarray(function.evaluate(a, b), dtype=np.int64) for function, a, b in rows]
        promised = np.logical_and.reduce([code != DONT_CARE for code in np.broadcast_arrays(*codes)])
        return np.where(promised, combine(codes), DONT_CARE)

    whole = f"{name}({', '.join(function.name for function in functions)})"
    return TwoPartyFunction(whole, (alice, bob), answers, evaluate, note=note, returns="codes")


def _require_functions(functions: tuple[object, ...]) -> None:
    if not functions:
        raise InputError("functions", functions, "one or more two-party functions")
    for function in functions:
        if not isinstance(function, TwoPartyFunction):
            raise InputError("functions", function, "two-party functions")


EQ, DISJ, GT, IP, INDEX = equality, disjointness, greater_than, inner_product, index
HAM, GHD, MAJ = hamming_distance, gap_hamming, majority


def karchmer_wigderson(
    function: str | Sequence[int] | Callable[[Any], Any],
    n: int | None = None,
    *,
    monotone: bool = False,
    name: str = "karchmer_wigderson",
) -> Relation:
    """The game of a Boolean function of n bits: Alice holds an x with f(x) = 1, Bob a y with f(y) = 0, and both are to
    find an i with x_i != y_i.

    Its deterministic complexity is the least depth of a formula of AND, OR and literals that computes f, and its least
    number of leaves the least size, counted in literals (Karchmer and Wigderson 1990). In the monotone game x_i = 1 and
    y_i = 0 are asked for, and formulas have no negations.

    ``function`` gives the 2^n values of f, as text or integers, in the numerical order of the inputs, whose bit 1 is
    the most significant one; or it is a rule f(x), which needs ``n`` and is asked of all inputs: integers, or what its
    parameter is annotated with (``Bits`` or ``str``). f is not constant, and monotone for the monotone game. The
    relation has the labels 1 to n; rows and columns are the inputs with f = 1 and with f = 0, in order.

    >>> karchmer_wigderson("0110").allowed.tolist()  # exclusive or: bit 0 of a mask is the label 1
    [[2, 1], [1, 2]]
    >>> karchmer_wigderson(lambda x: x % 3 == 0, n=2) == karchmer_wigderson("1001")
    True
    """
    values = _values_of(function, n)
    n = max(1, len(values) - 1).bit_length()
    if set(values) - {0, 1} or len(values) != 1 << n or n > MOST_VARIABLES:
        raise InputError("function", function, f"2^n values 0 or 1, with n from 1 to {MOST_VARIABLES}")
    ones, zeros = ([x for x, value in enumerate(values) if value == side] for side in (1, 0))
    if not ones or not zeros:
        raise InputError("function", function, "a function that is not constant")
    if monotone and any(values[x | 1 << i] < values[x] for x in ones for i in range(n)):
        raise InputError("function", function, "a monotone function, for the monotone game")
    x, y = np.array(ones)[:, None], np.array(zeros)[None, :]
    differ = x & ~y if monotone else x ^ y
    masks = sum((differ >> n - 1 - place & 1) << place for place in range(n))
    return Relation(np.asarray(masks), range(1, n + 1), f"{name}({n})")


def _values_of(function: str | Sequence[int] | Callable[[Any], Any], n: int | None) -> list[int]:
    if not callable(function):
        given = re.sub(r"[\s,;\[\]()]", "", function) if isinstance(function, str) else function
        expected = f"2^n values 0 or 1, with n from 1 to {MOST_VARIABLES}, as a text such as '0110', or a rule f(x)"
        try:
            values = [int(value) for value in given]
        except (TypeError, ValueError):
            raise InputError("function", function, expected) from None
        if n is not None and len(values) != 1 << n:
            raise InputError("function", function, f"2^{n} values 0 or 1")
        return values
    if n is None:
        raise InputError("n", n, "how many bits x has, such as n=3")
    first = next(iter(parameters_of(function)), None)
    inputs = KINDS[kind_of(inspect.Parameter.empty if first is None else first.annotation)]
    values = []
    for x in inputs(require_integer("n", n, low=1, high=MOST_VARIABLES)):
        try:
            value = function(x)
            known = bool(value in (0, 1))
        except Exception as error:
            hint = " (x is an integer, unless it is annotated with Bits or str)" if isinstance(x, int) else ""
            expected = f"a rule that takes it, not {type(error).__name__}: {error}{hint}"
            raise InputError(f"input of {getattr(function, '__name__', 'f')}", x, expected) from error
        if not known:
            raise InputError(f"f({x!r})", value, "0 or 1, False or True")
        values.append(int(value))
    return values


def truth_table(n: int, value: Callable[[int], int]) -> str:
    require_integer("n", n, low=1, high=MOST_VARIABLES)
    return "".join(str(int(value(x.bit_count()))) for x in range(1 << n))


def _majority(n: int) -> str:
    return truth_table(n, lambda ones: 2 * ones > n)


RELATIONS: dict[str, tuple[str, Callable[[int], Relation]]] = {
    "karchmer-wigderson-parity": (
        "where an odd and an even input of n bits differ",
        lambda n: karchmer_wigderson(truth_table(n, lambda ones: ones & 1), name="karchmer_wigderson_parity"),
    ),
    "karchmer-wigderson-majority": (
        "where inputs of n bits with more and fewer ones than half differ",
        lambda n: karchmer_wigderson(_majority(n), name="karchmer_wigderson_majority"),
    ),
    "monotone-karchmer-wigderson-majority": (
        "the same, a place with 1 in the first and 0 in the other",
        lambda n: karchmer_wigderson(_majority(n), monotone=True, name="monotone_karchmer_wigderson_majority"),
    ),
}
"""Families of relations by name: what they ask at size n, in a line, and what makes them."""
