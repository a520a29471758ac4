"""Known task reductions: how two parties write their inputs to a problem into one word of a task."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from inspect import signature
from typing import Any

from ccsim.bits import Bits
from ccsim.errors import InputError, require_integer
from ccsim.problems import (
    Partition,
    SequenceTask,
    TwoPartyFunction,
    associative_recall,
    disjointness,
    disjointness_of_halves,
    dyck,
    equality,
    equality_of_halves,
    find_problem,
    function_composition,
    index,
    index_lookup,
    inequality_of_halves,
    intersection,
    intersection_of_halves,
    k_hop_composition,
    k_hop_induction,
    match3,
    multi_query_associative_recall,
    nearest_neighbour,
    pointer_chasing,
    q_sparse_averaging,
)
from protocols.reductions.reduction import TaskReduction, negation

BHATTAMISHRA = "Bhattamishra, Hahn, Blunsom and Kanade 2024"
SANFORD = "Sanford, Hsu and Telgarsky 2023"
PENG = "Peng, Narayanan and Papadimitriou 2024"


def index_to_index_lookup(n: int) -> TaskReduction:
    """A recurrent model for that needs n bits of state (Bhattamishra, Hahn, Blunsom and Kanade 2024, theorem 3)."""
    return TaskReduction(
        name="index to index lookup",
        source=index(n),
        task=index_lookup(n),
        partition=Partition.prefix(n + 1, n),
        encode_alice=str,
        encode_bob=lambda position: (position,),
        decode=int,
        note="Alice's bits are the symbols, Bob's position the last token",
        citation=f"{BHATTAMISHRA}, theorem 3",
    )


def index_to_associative_recall(n: int) -> TaskReduction:
    """A recurrent model for n pairs needs n bits of state (proposition 9; its proof has "at most" for "at least")."""
    task = associative_recall(n)
    return _by_key(n, task, task.positions[0], "index to associative recall", f"{BHATTAMISHRA}, proposition 9")


def index_to_nearest_neighbour(n: int) -> TaskReduction:
    """Alice labels n corners of {-1, 1}^d, d = ceil(log2 n) or 1, with margin 2 (section 5.2, theorem 8)."""
    dimension = max(1, (n - 1).bit_length())
    corners = list(itertools.islice(itertools.product((-1, 1), repeat=dimension), n))
    task = nearest_neighbour(n, corners, margin=2 if n > 1 else 1)
    return _by_key(n, task, tuple(corners), "index to nearest neighbour", f"{BHATTAMISHRA}, section 5.2")


def index_to_induction(n: int) -> TaskReduction:
    """A layer of H heads, width m and precision p needs H m p of order n, and a recurrent model n bits of state."""
    keys = associative_recall(n).positions[0]
    task = k_hop_induction(2 * n + 1, 1, (*keys, "0", "1"))
    return _by_key(n, task, keys, "index to an induction head", "Sanford, Hsu and Telgarsky 2024")


def _by_key(n: int, task: SequenceTask, keys: tuple[Any, ...], name: str, citation: str) -> TaskReduction:
    def alice(bits: Bits) -> tuple[Any, ...]:
        return tuple(symbol for key, bit in zip(keys, bits, strict=True) for symbol in (key, str(bit)))

    return TaskReduction(
        name=name,
        source=index(n),
        task=task,
        partition=Partition.prefix(2 * n + 1, 2 * n),
        encode_alice=alice,
        encode_bob=lambda position: (keys[position - 1],),
        decode=int,
        note="Alice pairs key i with bit i, Bob asks for the key of his position",
        citation=citation,
    )


def index_to_sparse_averaging(n: int) -> TaskReduction:
    """A recurrent model needs N - 1 = n bits: twice the (N - 1)/2 of Sanford, Hsu and Telgarsky 2023 for q = 1."""
    return TaskReduction(
        name="index to 1-sparse averaging",
        source=index(n),
        task=q_sparse_averaging(n + 1, 1),
        partition=Partition.prefix(n + 1, n),
        encode_alice=lambda bits: tuple(((1,), 2 * bit - 1) for bit in bits),
        encode_bob=lambda position: (((position,), -1),),
        decode=lambda average: int(average > 0),
        note="bit i is the sign of entry i, the last row names Bob's position",
        citation="Sanford, Hsu and Telgarsky 2023, recurrent networks and qSA",
    )


def intersection_to_multi_query_recall(n: int) -> TaskReduction:
    """Intersection on n bits (DISJ in the source) to multi-query associative recall (theorem 8): Bob decodes."""
    task = multi_query_associative_recall(n, n)
    keys = task.positions[0]

    def alice(bits: Bits) -> tuple[Any, ...]:
        return tuple(symbol for key, bit in zip(keys, bits, strict=True) for symbol in (key, str(bit)))

    def decode(values: tuple[str, ...], held: Bits) -> int:
        return int(any(value == "1" and held[i] for i, value in enumerate(values)))

    return TaskReduction(
        name="intersection to multi-query associative recall",
        source=intersection(n),
        task=task,
        partition=Partition.prefix(task.length, 2 * len(keys)),
        encode_alice=alice,
        encode_bob=lambda bits: tuple(keys),
        decode=decode,
        reader="bob",
        note="Alice pairs key i with bit i, Bob asks for all keys and reads the common ones",
        citation=f"{BHATTAMISHRA}, theorem 8",
    )


def halves(
    source: Callable[[int], TwoPartyFunction], task: Callable[[int], SequenceTask], where: str
) -> Callable[[int], TaskReduction]:

    def build(n: int) -> TaskReduction:
        function, on_words = source(n), task(2 * n)
        return TaskReduction(
            name=f"{function.name} to {on_words.name}",
            source=function,
            task=on_words,
            partition=Partition.prefix(2 * n, n),
            encode_alice=str,
            encode_bob=str,
            note="each party's string is one half of the word",
            citation=f"{BHATTAMISHRA}, {where}",
        )

    return build


def equality_to_inequality_of_halves(n: int) -> TaskReduction:
    unequal = halves(lambda size: ~equality(size), inequality_of_halves, "theorems 11 and 12")(n)
    return negation(equality(n), unequal.source).then(unequal)


def intersection_to_sparse_averaging(n: int, length: int | None = None) -> TaskReduction:
    """Intersection on n = q bits (DISJ in the source) to q-sparse averaging at row 2q + 1.

    Alice puts 2i - 1 (if a_i = 1) or 2i (if a_i = 0) into the set of row 2q + 1, where z = -1; Bob makes z_{2i-1} = +1
    if b_i = 1 and every other z = -1, in ``length`` rows, at least 2q + 1 (the default). The average is -1 iff nothing
    is common, else at least -1 + 2/q. The longer slides have this sign; the shorter ones have it turned in one place.
    """
    q = require_integer("n", n, low=1)
    length = require_integer("length", 2 * q + 1 if length is None else length, low=2 * q + 1)
    row, nobody = 2 * q + 1, tuple(range(1, q + 1))

    def alice(bits: Bits) -> tuple[Any, ...]:
        return ((tuple(2 * i - bit for i, bit in enumerate(bits, start=1)), -1),)

    def bob(bits: Bits) -> tuple[Any, ...]:
        signs = [sign for bit in bits for sign in (2 * bit - 1, -1)]
        return tuple((nobody, sign) for sign in signs + [-1] * (length - row))

    return TaskReduction(
        name=f"intersection to {q}-sparse averaging",
        source=intersection(q),
        task=q_sparse_averaging(length, q, row),
        partition=Partition.of(length, alice=[row]),
        encode_alice=alice,
        encode_bob=bob,
        decode=lambda average: int(average != Fraction(-1)),
        note=f"Alice's set chooses among pairs of rows, Bob's signs are there; row {row} averages",
        citation=f"{SANFORD}, lower bound for qSA",
    )


def intersection_to_match3(n: int, encoding: str = "wide", modulus: int | None = None, row: int = 1) -> TaskReduction:
    """Intersection on n bits (DISJ in the source) to Match3 at one row, for words of N = 2n + 1 numbers modulo M.

    The number at ``row`` is 1; Alice writes it and the first n others, and Bob the last n. "wide": a_i = 1 becomes i +
    1 and b_i = 1 becomes M - 2 - i, everything else 0; M is at least N + 3 (the default). "tight": M = N + 1 (the
    default) or N + 2, for n >= 2; a_i = 1 becomes c_i and b_i = 1 becomes M - 1 - c_i, everything else 1, with c_i = 2
    (i - 1) for M = N + 1, and c_1 = 0 and c_i = i for M = N + 2. So only the two of a common i add up to M with the 1.
    """
    n = require_integer("n", n, low=2 if encoding == "tight" else 1)
    length = 2 * n + 1
    if encoding not in ("wide", "tight"):
        raise InputError("encoding", encoding, "'wide' or 'tight'")
    least, most = (length + 3, None) if encoding == "wide" else (length + 1, length + 2)
    modulus = require_integer("modulus", least if modulus is None else modulus, low=least, high=most)
    row = require_integer("row", row, low=1, high=length)
    rest = [place for place in range(1, length + 1) if place != row]
    own = sorted([*rest[:n], row])

    def write(party: str, bits: Bits) -> list[int]:
        return [_number(encoding, party, i, bit, modulus) for i, bit in enumerate(bits, start=1)]

    def alice(bits: Bits) -> tuple[int, ...]:
        numbers = write("alice", bits)
        numbers.insert(own.index(row), 1)
        return tuple(numbers)

    return TaskReduction(
        name=f"intersection to Match3, {encoding} encoding",
        source=intersection(n),
        task=match3(length, modulus, row),
        partition=Partition.of(length, alice=own),
        encode_alice=alice,
        encode_bob=lambda bits: tuple(write("bob", bits)),
        note=f"row {row} is 1; the numbers of a common element complete it to {modulus}",
        citation=f"{SANFORD}, lower bound for Match3",
    )


def _number(encoding: str, party: str, i: int, bit: int, modulus: int) -> int:
    neutral, own = (0, i + 1) if encoding == "wide" else (1, 2 * (i - 1))
    if encoding == "tight" and modulus % 2:  # N + 2: 0, 2, 3, ..., n
        own = i if i > 1 else 0
    if not bit:
        return neutral
    return own if party == "alice" else modulus - 1 - own


def equality_to_dyck(n: int) -> TaskReduction:
    """EQ on n = N - 1 bits to Dyck-(2, 2) on words of even length N, the odd positions with Alice.

    A word of Dyck-(2, 2) is the kind of the first bracket, then two bits a pair of positions, before which the depth is
    1: whether the open bracket stays, and the kind of the other. The odd symbols alone determine all these bits, and so
    do the even ones: the odd symbols of one word and the even symbols of another are in the language iff the words are
    the same, the fooling set of lemma 1. So D(EQ) = N; with an all-zero row and column, which are missing here, D = N +
    1.

    >>> equality_to_dyck(3).word("011", "011"), equality_to_dyck(3).word("011", "010")
    ('([])', '((])')
    """
    n = require_integer("n", n, low=1)
    if n % 2 == 0:
        raise InputError("n", n, "an odd number of bits, one less than the even length of the words")
    return TaskReduction(
        name="equality to Dyck-(2, 2)",
        source=equality(n),
        task=dyck(n + 1),
        partition=Partition.odd_even(n + 1),
        encode_alice=lambda bits: dyck_word(bits)[0::2],
        encode_bob=lambda bits: dyck_word(bits)[1::2],
        note="each party writes its half of the word of Dyck-(2, 2) that its bits number",
        citation=f"{BHATTAMISHRA}, lemma 1 and theorem 5",
    )


def dyck_word(bits: Bits) -> str:
    """The word of Dyck-(2, 2) that an odd number of bits represents, one symbol more than there are bits."""
    opening, closing = "([", ")]"
    kind, word = bits[0], opening[bits[0]]
    for place in range(1, len(bits), 2):
        stays, other = bits[place], bits[place + 1]
        if stays:
            word += opening[other] + closing[other]
        else:
            word += closing[kind] + opening[other]
            kind = other
    return word + closing[kind]


def function_composition_to_two_hops(n: int) -> TaskReduction:
    return TaskReduction(
        name="function composition to two hops",
        source=function_composition(n),
        task=k_hop_composition(n, 2),
        partition=Partition.prefix(2 * n + 1, n),
        encode_alice=tuple,
        encode_bob=lambda pair: (*pair[0], pair[1]),
        note="Alice writes the table of f, Bob that of g and the argument",
        citation=f"{PENG}, theorem 1",
    )


def pointer_chasing_to_hops(n: int, hops: int = 2) -> TaskReduction:
    """Pointer chasing over n vertices to ``hops`` tables f_A, f_B, f_A, ..., as often as each is used, and vertex 0."""
    task = k_hop_composition(n, hops)
    alice = [place for place in range(1, task.length) if (place - 1) // n % 2 == 0]

    def bob(pointers: Any) -> Any:
        return (*tuple(pointers) * (hops // 2), 0)

    return TaskReduction(
        name=f"pointer chasing to {hops} hops",
        source=pointer_chasing(n, hops),
        task=task,
        partition=Partition.of(task.length, alice=alice),
        encode_alice=lambda pointers: tuple(pointers) * ((hops + 1) // 2),
        encode_bob=bob,
        note="the parties write their tables in turn, Bob the argument 0",
        citation=f"{PENG}, theorem 2",
    )


@dataclass(frozen=True)
class Reducible:
    """A family of task reductions, one for each size of the problem.

    Attributes:
        problem, task: names of families, as in ``ccsim.problems.PROBLEMS``.
        build: makes the reduction for size n; some take more by keyword.
        sizes: small sizes at which every input can be checked at once.
    """

    problem: str
    task: str
    build: Callable[..., TaskReduction] = field(repr=False)
    sizes: tuple[int, ...] = (1, 2, 3, 8)


REDUCTIONS: tuple[Reducible, ...] = (
    Reducible("index", "index-lookup", index_to_index_lookup),
    Reducible("index", "associative-recall", index_to_associative_recall),
    Reducible("index", "nearest-neighbour", index_to_nearest_neighbour, (1, 2, 3, 5)),
    Reducible("index", "k-hop-induction", index_to_induction),
    Reducible("index", "q-sparse-averaging", index_to_sparse_averaging),
    Reducible("intersection", "multi-query-associative-recall", intersection_to_multi_query_recall, (1, 2, 3, 6)),
    Reducible("intersection", "intersection-of-halves", halves(intersection, intersection_of_halves, "section 5.1")),
    Reducible("disjointness", "disjointness-of-halves", halves(disjointness, disjointness_of_halves, "section 5.1")),
    Reducible("equality", "equality-of-halves", halves(equality, equality_of_halves, "theorems 11 and 12")),
    Reducible("equality", "inequality-of-halves", equality_to_inequality_of_halves),
    Reducible("equality", "dyck", equality_to_dyck, (1, 3, 5, 7, 9)),
    Reducible("intersection", "q-sparse-averaging", intersection_to_sparse_averaging, (1, 2, 3, 4)),
    Reducible("intersection", "match3", intersection_to_match3, (1, 2, 3, 4)),
    Reducible("function-composition", "k-hop-composition", function_composition_to_two_hops, (1, 2, 3)),
    Reducible("pointer-chasing", "k-hop-composition", pointer_chasing_to_hops, (1, 2, 3)),
)
"""Every family of task reductions that is known by name."""

OPPOSITES = {"disjointness": "intersection", "intersection": "disjointness"}


def reduce(
    problem: str | TwoPartyFunction, task: str | SequenceTask, n: int | None = None, **options: Any
) -> TaskReduction:
    """How Alice and Bob encode their inputs to a problem into a word of a task, so that its answer gives theirs.

    Args:
        problem: a two-party function, or the name of a family (``"index"``); disjointness and intersection,
            which are each other's negation, both reach whatever one of them reaches.
        task: a task on words, or the name of a family (``"index-lookup"``).
        n: the size of the problem; not needed if one of them is given as an object.
        options: passed on to the reduction, such as ``encoding="tight"`` for Match3.

    Raises :class:`~ccsim.errors.InputError` for a pair that is not known, and for an object of another size.

    >>> reduce("disjointness", "match3", n=2).word("01", "11")
    (1, 0, 3, 5, 4)
    """
    names = _family("problem", problem, TwoPartyFunction), _family("task", task, SequenceTask)
    build = _builder(*names, options)
    if n is None:
        return _fitting(build, names, problem, task, options)
    made = build(require_integer("n", n, low=1), **options)
    _require_same("problem", problem, made.source)
    _require_same("task", task, made.task)
    return made


def _family(argument: str, given: Any, kind: type[TwoPartyFunction] | type[SequenceTask]) -> str:
    if isinstance(given, kind):
        return given.name.partition("(")[0].replace("_", "-")
    if not isinstance(given, str):
        raise InputError(argument, given, f"the name of a family, or a {kind.__name__}")
    return given.strip().lower().replace("_", "-")


def _builder(problem: str, task: str, options: dict[str, Any]) -> Callable[..., TaskReduction]:
    """The reduction for each size, checked to take the options; a negation comes first where it has to."""
    by_name = {(known.problem, known.task): known.build for known in REDUCTIONS}
    direct = by_name.get((problem, task)) or by_name.get((OPPOSITES.get(problem, ""), task))
    if direct is None:
        listed = ", ".join(f"{known.problem} -> {known.task}" for known in REDUCTIONS)
        raise InputError("problem, task", (problem, task), f"one of {listed}")
    taken = list(signature(direct).parameters)[1:]
    for option, value in options.items():
        if option not in taken:
            raise InputError(option, value, f"no such option, but {', '.join(taken) or 'none at all'}")
    if (problem, task) in by_name:
        return direct

    def build(n: int, **options: Any) -> TaskReduction:
        reduction, source = direct(n, **options), find_problem(problem).function(n)
        assert isinstance(source, TwoPartyFunction)
        return negation(source, reduction.source).then(reduction)

    return build


def _fitting(
    build: Callable[..., TaskReduction], names: tuple[str, str], problem: Any, task: Any, options: Any
) -> TaskReduction:
    objects: list[Any] = [given for given in (problem, task) if not isinstance(given, str)]
    if not objects:
        raise InputError("n", None, f"the size of {names[0]}, or one of the two as an object")
    most = max(int(number) for given in objects for number in re.findall(r"\d+", given.name) or ["1"])
    for n in range(1, most + 1):
        try:
            made = build(n, **options)
        except InputError:  # not every size has a reduction
            continue
        pairs = ((problem, made.source), (task, made.task))
        if all(isinstance(given, str) or given.name == own.name for given, own in pairs):
            return made
    names_given = ", ".join(given.name for given in objects)
    raise InputError("problem, task", names_given, f"what {names[0]} -> {names[1]} makes at some size n")


def _require_same(argument: str, given: Any, made: Any) -> None:
    if not isinstance(given, str) and given.name != made.name:
        raise InputError(argument, given.name, made.name)
