"""Equality, disjointness and intersection as tasks on one word: halves, brackets, sparse averages, triples."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ccsim.arguments import require_integer
from ccsim.bits import Bits
from ccsim.errors import InputError
from ccsim.problems import (
    Partition,
    SequenceTask,
    TwoPartyFunction,
    disjointness,
    disjointness_of_halves,
    dyck,
    equality,
    equality_of_halves,
    inequality_of_halves,
    intersection,
    intersection_of_halves,
    match3,
    q_sparse_averaging,
)
from protocols.reductions.task_reductions.reduction import TaskReduction, negation

BHATTAMISHRA = "Bhattamishra, Hahn, Blunsom and Kanade 2024"
SANFORD = "Sanford, Hsu and Telgarsky 2023"


def _halves(source: TwoPartyFunction, task: SequenceTask, citation: str) -> TaskReduction:
    return TaskReduction(
        name=f"{source.name} to {task.name}",
        source=source,
        task=task,
        partition=Partition.prefix(task.length, task.length // 2),
        encode_alice=str,
        encode_bob=str,
        note="each party's string is one half of the word",
        citation=citation,
    )


def equality_to_equality_of_halves(n: int) -> TaskReduction:
    """EQ_n to the equality of the halves of a word of 2 n bits.

    >>> equality_to_equality_of_halves(2).word("01", "11")
    '0111'
    """
    return _halves(equality(n), equality_of_halves(2 * n), f"{BHATTAMISHRA}, theorems 11 and 12")


def equality_to_inequality_of_halves(n: int) -> TaskReduction:
    """EQ_n to INEQ of the halves of a word of 2 n bits: by way of its negation.

    >>> equality_to_inequality_of_halves(2).check() is None
    True
    """
    unequal = ~equality(n)
    halves = _halves(unequal, inequality_of_halves(2 * n), f"{BHATTAMISHRA}, theorems 11 and 12")
    return _task(negation(equality(n), unequal).then(halves))


def disjointness_to_halves(n: int) -> TaskReduction:
    """Disjointness on n bits to disjointness of the halves of a word of 2 n bits.

    >>> disjointness_to_halves(2).word("01", "11")
    '0111'
    """
    return _halves(disjointness(n), disjointness_of_halves(2 * n), f"{BHATTAMISHRA}, section 5.1")


def intersection_to_halves(n: int) -> TaskReduction:
    """Intersection on n bits (DISJ in the source) to the halves of a word of 2 n bits having a common 1.

    >>> intersection_to_halves(2).word("01", "11")
    '0111'
    """
    return _halves(intersection(n), intersection_of_halves(2 * n), f"{BHATTAMISHRA}, section 5.1")


def intersection_to_sparse_averaging(n: int, length: int | None = None) -> TaskReduction:
    """Intersection on n = q bits (DISJ in the source) to q-sparse averaging at row 2q + 1.

    Alice puts 2i - 1 (if a_i = 1) or 2i (if a_i = 0) into the set of row 2q + 1; Bob makes z_{2i-1} = +1 if
    b_i = 1 and every other z = -1. The average is -1 iff nothing is common, and at least -1 + 2/q otherwise. A
    word has ``length`` rows, at least 2q + 1 (the default). Alice holds row 2q + 1 with her set, and the fixed
    z = -1 there; everything else is Bob's. The encoding of the longer slides has this sign; the shorter deck
    has it the other way round in one place.

    >>> intersection_to_sparse_averaging(1).word("1", "1")
    (((1,), 1), ((1,), -1), ((1,), -1))
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


def intersection_to_match3(
    n: int, encoding: str = "wide", modulus: int | None = None, row: int = 1, owner: str = "alice"
) -> TaskReduction:
    """Intersection on n bits (DISJ in the source) to Match3 at one row, for words of N = 2n + 1 numbers.

    The number at ``row`` is 1 and known to both; ``owner`` writes it. Of the other rows Alice writes the first
    n and Bob the last n. The answer is 1 iff the sets meet.

    ``encoding="wide"``: a_i = 1 becomes i + 1 and b_i = 1 becomes M - 2 - i, everything else 0; the ``modulus`` M
    is at least N + 3 (the default). ``encoding="tight"``: M = N + 1 (the default) or N + 2, for n >= 2; a_i = 1
    becomes c_i and b_i = 1 becomes M - 1 - c_i, everything else 1, with c_i = 2 (i - 1) for M = N + 1, and c_1 = 0 and
    c_i = i for M = N + 2. All add up to M with the number at ``row``, exactly for the same i.

    >>> intersection_to_match3(2).word("01", "11")
    (1, 0, 3, 5, 4)
    >>> intersection_to_match3(2, encoding="tight", row=5).word("01", "11")
    (1, 2, 5, 3, 1)
    """
    n = require_integer("n", n, low=2 if encoding == "tight" else 1)
    length = 2 * n + 1
    if encoding not in ("wide", "tight"):
        raise InputError("encoding", encoding, "'wide' or 'tight'")
    if owner not in ("alice", "bob"):
        raise InputError("owner", owner, "'alice' or 'bob'")
    least, most = (length + 3, None) if encoding == "wide" else (length + 1, length + 2)
    modulus = require_integer("modulus", least if modulus is None else modulus, low=least, high=most)
    row = require_integer("row", row, low=1, high=length)
    rest = [place for place in range(1, length + 1) if place != row]
    held = {"alice": rest[:n], "bob": rest[n:]}

    def write(party: str, bits: Bits) -> tuple[int, ...]:
        numbers = [_number(encoding, party, i, bit, modulus) for i, bit in enumerate(bits, start=1)]
        symbols = dict(zip(held[party], numbers, strict=True))
        if owner == party:
            symbols[row] = 1
        return tuple(symbols[place] for place in sorted(symbols))

    return TaskReduction(
        name=f"intersection to Match3, {encoding} encoding",
        source=intersection(n),
        task=match3(length, modulus, row),
        partition=Partition.of(length, alice=sorted([*held["alice"], *[row] * (owner == "alice")])),
        encode_alice=lambda bits: write("alice", bits),
        encode_bob=lambda bits: write("bob", bits),
        note=f"row {row} is 1; the numbers of a common element complete it to {modulus}",
        citation=f"{SANFORD}, lower bound for Match3",
    )


def _number(encoding: str, party: str, i: int, bit: int, modulus: int) -> int:
    """What a party writes for bit i, counted from 1."""
    neutral, own = (0, i + 1) if encoding == "wide" else (1, 2 * (i - 1))
    if encoding == "tight" and modulus % 2:  # N + 2: 0, 2, 3, ..., n
        own = i if i > 1 else 0
    if not bit:
        return neutral
    return own if party == "alice" else modulus - 1 - own


def equality_to_dyck(n: int) -> TaskReduction:
    """EQ on n = N - 1 bits to Dyck-(2, 2) on words of even length N, the odd positions with Alice.

    Words of Dyck-(2, 2) are numbered by n bits: after the first bracket is opened the depth is 1 before each
    pair of positions, which closes the open bracket and opens another or opens another and closes it, of
    either kind. So a word is: the kind of the first bracket, then two bits a pair (whether the open bracket
    stays, and the kind of the other). The odd symbols alone tell all these bits, and so do the even ones; the
    odd symbols of one word with the even symbols of another are in the language iff the words are the same.
    This is the fooling set of lemma 1, for every N: 2^(N-1) words, and D(EQ) = N. What is missing here is the
    all-zero row (odd symbols that begin with a closing bracket) and the all-zero column (even symbols that end
    with an opening one); with them D = N + 1.

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
    """The word of Dyck-(2, 2) that an odd number of bits stands for, one symbol more than there are bits.

    >>> dyck_word(Bits("000")), dyck_word(Bits("111"))
    ('()()', '[[]]')
    """
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


def _task(reduction: Any) -> TaskReduction:
    assert isinstance(reduction, TaskReduction)
    return reduction
