"""Index and intersection as retrieval: lookup, recall, nearest neighbours, induction, averaging of one entry."""

from __future__ import annotations

import itertools
from typing import Any

from ccsim.bits import Bits
from ccsim.errors import InputError
from ccsim.problems import (
    Partition,
    SequenceTask,
    associative_recall,
    index,
    index_lookup,
    intersection,
    k_hop_induction,
    multi_query_associative_recall,
    nearest_neighbour,
    q_sparse_averaging,
)
from protocols.reductions.task_reductions.reduction import TaskReduction

BHATTAMISHRA = "Bhattamishra, Hahn, Blunsom and Kanade 2024"


def index_to_index_lookup(n: int) -> TaskReduction:
    """INDEX_n to index lookup: Alice's ``n`` bits are the symbols, Bob's position is the last token.

    One message from Alice takes n bits, so a recurrent model needs n bits of state (theorem 3), and the
    bound is met by a state that is the prefix itself.

    >>> index_to_index_lookup(3).word("011", 2)
    ('0', '1', '1', 2)
    """
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
    """INDEX_n to associative recall: Alice pairs key i with bit i, Bob asks for the key of his position.

    So a recurrent model needs n bits of state for n pairs (proposition 9, whose proof ends with "at most" for
    "at least").

    >>> index_to_associative_recall(3).word("011", 2)
    'a0b1c1b'
    """
    task = associative_recall(n)
    return _by_key(n, task, task.positions[0], "index to associative recall", f"{BHATTAMISHRA}, proposition 9")


def index_to_nearest_neighbour(n: int) -> TaskReduction:
    """INDEX_n to the nearest neighbour: Alice labels n corners of a cube, Bob asks with one of them.

    The vectors are the first ``n`` of {-1, 1}^d with d = ceil(log2 n), or 1; two of them have dot product
    d - 2 at most, so the promise holds with margin 2 (section 5.2 and theorem 8, with one query).

    >>> index_to_nearest_neighbour(2).word("01", 2)
    ((-1,), '0', (1,), '1', (1,))
    """
    dimension = max(1, (n - 1).bit_length())
    corners = list(itertools.islice(itertools.product((-1, 1), repeat=dimension), n))
    task = nearest_neighbour(n, corners, margin=2 if n > 1 else 1)
    return _by_key(n, task, tuple(corners), "index to nearest neighbour", f"{BHATTAMISHRA}, section 5.2")


def index_to_induction(n: int) -> TaskReduction:
    """INDEX_n to one induction hop: keys with bits behind them, and at the end the key of Bob's position.

    So one attention layer with H heads of width m and precision p needs H m p of order n (Sanford, Hsu and
    Telgarsky 2024), and a recurrent model n bits of state.

    >>> index_to_induction(3).word("011", 2)
    'a0b1c1b'
    """
    keys = associative_recall(n).positions[0]
    task = k_hop_induction(2 * n + 1, 1, (*keys, "0", "1"))
    return _by_key(n, task, keys, "index to an induction head", "Sanford, Hsu and Telgarsky 2024")


def _by_key(n: int, task: SequenceTask, keys: tuple[Any, ...], name: str, citation: str) -> TaskReduction:
    """Alice writes key, bit, key, bit, ...; Bob writes the key of his position at the end."""

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
    """INDEX_n to 1-sparse averaging on n + 1 rows: bit i is the sign of z_i, and the last row names position i.

    So a recurrent model needs N - 1 = n bits of state: twice the (N - 1)/2 that Sanford, Hsu and Telgarsky
    2023 print for q = 1.

    >>> index_to_sparse_averaging(2).word("01", 2)
    (((1,), -1), ((1,), 1), ((2,), -1))
    """
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


def intersection_to_multi_query_recall(n: int, queries: str = "all") -> TaskReduction:
    """Intersection on n bits (DISJ in the source) to multi-query associative recall, in one of two ways.

    ``queries="all"``: Alice pairs key i with a_i, and Bob asks for all keys in order; the answer is Alice's
    string, from which Bob, who knows b, reads max_i a_i b_i. Only Bob can decode (theorem 8). The task's
    answer is so long that the task alone makes Bob learn n bits: INDEX would have given the same bound.

    ``queries="own"``: there is a second key for each i, with value 0. Bob asks for the first key of i if
    b_i = 1 and for the second if not, so the answers are a_i b_i and both can decode. There are 2 n pairs and
    n queries.

    >>> intersection_to_multi_query_recall(2).word("01", "11")
    'a0b1ab'
    >>> intersection_to_multi_query_recall(2, queries="own").word("01", "10")
    'a0b1c0d0ad'
    """
    if queries not in ("all", "own"):
        raise InputError("queries", queries, "'all' or 'own'")
    own = queries == "own"
    task = multi_query_associative_recall(2 * n if own else n, n)
    keys = task.positions[0]

    def alice(bits: Bits) -> tuple[Any, ...]:
        padded = [*bits, *[0] * (len(keys) - n)]
        return tuple(symbol for key, bit in zip(keys, padded, strict=True) for symbol in (key, str(bit)))

    def bob(bits: Bits) -> tuple[Any, ...]:
        return tuple(keys[i if bit or not own else n + i] for i, bit in enumerate(bits))

    def decode(values: tuple[str, ...], *held: Bits) -> int:
        return int(any(value == "1" and all(bits[i] for bits in held) for i, value in enumerate(values)))

    return TaskReduction(
        name=f"intersection to multi-query associative recall, {queries} queries",
        source=intersection(n),
        task=task,
        partition=Partition.prefix(task.length, 2 * len(keys)),
        encode_alice=alice,
        encode_bob=bob,
        decode=decode,
        reader="both" if own else "bob",
        note="Alice pairs key i with bit i, Bob asks for keys and reads the common ones",
        citation=f"{BHATTAMISHRA}, theorem 8",
    )
