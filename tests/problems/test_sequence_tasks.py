"""Every task on words against an oracle in plain Python, on all words of small sizes."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ccsim.errors import InputError
from ccsim.matrices import DONT_CARE
from ccsim.problems import (
    NOTHING,
    Partition,
    SequenceTask,
    Words,
    associative_recall,
    bracket_symbols,
    disjointness_of_halves,
    dyck,
    equality_of_halves,
    index_lookup,
    inequality_of_halves,
    intersection_of_halves,
    k_hop_composition,
    k_hop_induction,
    majority_of_word,
    match2,
    match3,
    match3_bigram,
    match3_local,
    multi_query_associative_recall,
    nearest_neighbour,
    parity_of_word,
    q_sparse_averaging,
    regular_language,
)
from tests.cases import cases


def balanced(word, brackets, depth):
    symbols = bracket_symbols(brackets)
    stack = []
    for symbol in word:
        kind, closing = divmod(symbols.index(symbol), 2)
        if not closing:
            stack.append(kind)
        elif not stack or stack.pop() != kind:
            return 0
        if len(stack) > depth:
            return 0
    return int(not stack)


def halves(rule):
    return lambda word: int(rule(word[: len(word) // 2], word[len(word) // 2 :]))


def meet(a, b):
    return any(x == y == "1" for x, y in zip(a, b, strict=True))


def recall(word, pairs):
    keys, values, queries = word[0 : 2 * pairs : 2], word[1 : 2 * pairs : 2], word[2 * pairs :]
    promised = len(set(keys)) == pairs and len(set(queries)) == len(queries) and set(queries) <= set(keys)
    return tuple(values[keys.index(query)] for query in queries) if promised else None


def single_recall(word, pairs):
    found = recall(word, pairs)
    return found and found[0]


def nearest(word, margin):
    *held, query = word
    scores = [sum(a * b for a, b in zip(x, query, strict=True)) for x in held[::2]]
    order = sorted(range(len(scores)), key=scores.__getitem__)
    if len(scores) > 1 and scores[order[-1]] < scores[order[-2]] + margin:
        return None
    return held[1::2][order[-1]]


def average(word, row):
    subset, _ = word[row - 1]
    return Fraction(sum(word[j - 1][1] for j in subset), len(subset))


def match(word, modulus, groups):
    """For each row, whether some group of other entries sums to zero with it."""
    return tuple(
        int(any((word[i] + sum(word[j] for j in group)) % modulus == 0 for group in groups(i, len(word))))
        for i in range(len(word))
    )


def single(i, n):
    return [(j,) for j in range(n)]


def double(i, n):
    return list(product(range(n), repeat=2))


def bigram(i, n):
    return [(j, j + 1) for j in range(n - 1)]


def local(window):
    return lambda i, n: [pair for pair in double(i, n) if all(abs(i - j) <= window for j in pair)]


def hop(word, hops, row):
    position = row
    for _ in range(hops):
        earlier = [j for j in range(1, position) if word[j - 1] == word[position - 1]]
        if not earlier:
            return NOTHING
        position = earlier[-1] + 1
    return word[position - 1]


def through_tables(word, size, hops):
    value = word[-1]
    for step in range(hops):
        value = word[step * size : (step + 1) * size][value]
    return value


def automaton(word, transitions, start, accepting):
    state = start
    for symbol in word:
        state = transitions.get(state, {}).get(symbol)
    return int(state in accepting)


MOD_THREE = {0: {"a": 1, "b": 0}, 1: {"a": 2}, 2: {"a": 0, "b": 2}}
AXES = [(1, 0), (0, 1), (-1, 0), (0, -1)]
PYTHAGOREAN = [(5, 0), (3, 4), (-4, 3)]

ORACLES = [
    *(
        (dyck(length, *kind), lambda word, kind=kind: balanced(word, *kind))
        for length in (1, 2, 3, 4, 6)
        for kind in ((2, 2), (1, 3), (2, 1), (3, 3))
        if (2 * kind[0]) ** length < 5000
    ),
    (dyck(4, 5, 2), lambda word: balanced(word, 5, 2)),
    *((equality_of_halves(n), halves(lambda a, b: a == b)) for n in (2, 6)),
    *((inequality_of_halves(n), halves(lambda a, b: a != b)) for n in (2, 6)),
    *((disjointness_of_halves(n), halves(lambda a, b: not meet(a, b))) for n in (2, 6)),
    *((intersection_of_halves(n), halves(meet)) for n in (2, 6)),
    (index_lookup(1), lambda word: word[word[-1] - 1]),
    (index_lookup(4, "abc"), lambda word: word[word[-1] - 1]),
    (index_lookup(3, (2, 0, 1)), lambda word: word[word[-1] - 1]),
    (associative_recall(1), lambda word: single_recall(word, 1)),
    (associative_recall(2, "abc"), lambda word: single_recall(word, 2)),
    (associative_recall(2, "012", "210"), lambda word: single_recall(word, 2)),
    (multi_query_associative_recall(2), lambda word: recall(word, 2)),
    (multi_query_associative_recall(3, 1), lambda word: recall(word, 3)),
    (multi_query_associative_recall(2, 2, "abc", "xyz"), lambda word: recall(word, 2)),
    (nearest_neighbour(2, AXES), lambda word: nearest(word, 1)),
    (nearest_neighbour(2, AXES, margin=2), lambda word: nearest(word, 2)),
    (nearest_neighbour(3, PYTHAGOREAN, "abc", margin=16), lambda word: nearest(word, 16)),
    (nearest_neighbour(2, [(10**30, 0), (0, 10**30)], margin=10**50), lambda word: nearest(word, 10**50)),
    (q_sparse_averaging(1, 1), lambda word: average(word, 1)),
    (q_sparse_averaging(3, 2), lambda word: average(word, 3)),
    (q_sparse_averaging(3, 1, row=2), lambda word: average(word, 2)),
    (match2(3, 5, row=2), lambda word: match(word, 5, single)[1]),
    (match2(4, 4, row=None), lambda word: match(word, 4, single)),
    (match2(2, 70), lambda word: match(word, 70, single)[0]),
    (match3(3, 7), lambda word: match(word, 7, double)[0]),
    (match3(3, 6, row=None), lambda word: match(word, 6, double)),
    (match3(2, 64), lambda word: match(word, 64, double)[0]),
    (match3_bigram(1, 3), lambda word: match(word, 3, bigram)[0]),
    (match3_bigram(4, 5, row=None), lambda word: match(word, 5, bigram)),
    *((match3_local(4, 5, window, row=None), lambda word, w=window: match(word, 5, local(w))) for window in range(4)),
    *((k_hop_composition(2, hops), lambda word, k=hops: through_tables(word, 2, k)) for hops in (1, 2, 3)),
    (k_hop_composition(3, 1), lambda word: through_tables(word, 3, 1)),
    *(
        (k_hop_induction(5, hops, "abc", row), lambda word, k=hops, row=row: hop(word, k, row or 5))
        for hops in (1, 2, 3)
        for row in (None, 4, 1)
    ),
    *(
        (regular_language(length, MOD_THREE, 0, {0, 2}), lambda word: automaton(word, MOD_THREE, 0, {0, 2}))
        for length in (1, 5)
    ),
    *((parity_of_word(n), lambda word: word.count("1") % 2) for n in (1, 5)),
    *((majority_of_word(n), lambda word: int(2 * word.count("1") > len(word))) for n in (1, 4, 5)),
]


@cases(("task", "oracle"), ORACLES)
def test_every_word_has_the_answer_of_the_oracle(task, oracle):
    codes = task.codes().tolist()
    assert len(codes) == task.words.size
    for word, code in zip(task.words, codes, strict=True):
        assert (None if code == DONT_CARE else task.answers[code]) == oracle(word), word
    middle = task.words.value(task.words.size // 2)
    assert task(middle) == oracle(middle)


def test_dyck_words_of_great_depth_are_computed_without_a_table():
    word = "([" * 100 + "])" * 100
    assert dyck(400, 2, 200)(word) == 1
    assert dyck(400, 2, 199)(word) == 0
    assert dyck(400, 2, 200)(word[:-1] + "]") == 0
    assert dyck(60, 3, 30)("{[" * 15 + "]}" * 15) == 1  # a stack in a machine word
    assert dyck(60, 3, 30)("{[" * 15 + "}]" * 15) == 0


def test_brackets_beyond_four_kinds_are_tuples():
    assert bracket_symbols(4) == tuple("()[]{}<>")
    assert dyck(2, 4)("<>") == 1
    assert dyck(4, 6)(("(", "(6", ")6", ")")) == 1


def test_more_keys_than_letters_are_numbered():
    task = associative_recall(27)
    assert task.positions[0][26] == "key27"
    word = [token for number in range(1, 28) for token in (f"key{number}", "0")]
    word[53] = "1"
    assert task((*word, "key27")) == "1"


BAD = [
    (lambda: dyck(0), "length = 0"),
    (lambda: dyck(4, 0), "brackets = 0"),
    (lambda: dyck(4, 2, 0), "depth = 0"),
    (lambda: equality_of_halves(3), "length = 3: expected an even number"),
    (lambda: intersection_of_halves(0), "length = 0: expected an integer of at least 2"),
    (lambda: index_lookup(0), "length = 0"),
    (lambda: index_lookup(3, "aa"), "all different"),
    (lambda: index_lookup(3, None), "alphabet = None"),
    (lambda: index_lookup(3, [["a"]]), "hashable"),
    (lambda: index_lookup(np.array([3, 4])), "an integer of at least 1"),
    (lambda: associative_recall(3, values=None), "values = None"),
    (lambda: index_lookup(3)(("0", "1", "1", 4)), "at position 4 one of 1, 2, 3, not 4"),
    (lambda: associative_recall(3, keys="ab"), "at least 3 keys"),
    (lambda: associative_recall(0), "pairs = 0"),
    (lambda: multi_query_associative_recall(2, 3), "queries = 3: expected an integer from 1 to 2"),
    (lambda: multi_query_associative_recall(21), r"at most 2\^20 answers in all, not 2\^21"),
    (lambda: nearest_neighbour(2, []), "one or more symbols"),
    (lambda: nearest_neighbour(2, AXES, margin=0), "margin = 0"),
    (lambda: nearest_neighbour(2, [(1, 0), (1, 1)]), r"vectors = \(1, 1\): expected the dimension and the norm"),
    (lambda: nearest_neighbour(2, [(1, 0), (1,)]), r"vectors = \(1,\)"),
    (lambda: nearest_neighbour(2, [(1.0, 0)]), r"vectors entry = 1\.0"),
    (lambda: q_sparse_averaging(3, 4), "q = 4: expected an integer from 1 to 3"),
    (lambda: q_sparse_averaging(3, 2, row=4), "row = 4"),
    (lambda: q_sparse_averaging(40, 20), "at most 65536 subsets"),
    (lambda: match2(3, 0), "modulus = 0"),
    (lambda: match3(3, 5, row=0), "row = 0: expected an integer from 1 to 3"),
    (lambda: match3(21, 5, row=None), "row = None: expected one row"),
    (lambda: match3_local(3, 5, -1), "window = -1"),
    (lambda: match3_bigram(3, 5)((0, 1, 5)), "at position 3 one of 0, 1, 2, 3, 4, not 5"),
    (lambda: k_hop_composition(2, 0), "hops = 0"),
    (lambda: k_hop_induction(3, 1, ("a", NOTHING)), "represents no answer"),
    (lambda: k_hop_induction(3, 1, row=4), "row = 4"),
    (lambda: regular_language(2, MOD_THREE, 5, {0}), "start = 5: expected a state"),
    (lambda: regular_language(2, MOD_THREE, 0, {7}), "accepting = 7: expected a state"),
    (lambda: regular_language(2, {0: {"a": 1}}, 0, {0}), r"transitions\[0\]\['a'\] = 1"),
    (lambda: regular_language(2, MOD_THREE, 0, {0}, "a"), r"transitions\[0\] = 'b': expected symbols"),
    (lambda: parity_of_word(0), "length = 0"),
]


@cases(("attempt", "message"), BAD)
def test_bad_arguments_are_named(attempt, message):
    with pytest.raises(InputError, match=message):
        attempt()


@cases(
    ("answers", "evaluate", "message"),
    [
        ((-1, 1), lambda words: np.where(words.sum(axis=-1) % 2, 1, -1), "= -1: expected codes: places in"),
        ((5, 7), lambda words: np.where(words.sum(axis=-1) % 2, 7, 5), "or -1 off the promise"),
        (("a", "b"), lambda words: np.where(words.sum(axis=-1) % 2, "a", "b"), "one code for each word"),
        ((0, 1), lambda words: words.sum() % 2, r"shape \(\) for words of shape"),
        ((0, 1), lambda words: words.mean(axis=-1), "expected codes"),
    ],
)
def test_what_a_rule_for_words_returns_is_never_taken_for_something_else(answers, evaluate, message):
    task = SequenceTask("parity", Words.over("01", 4), answers, evaluate)
    for use in (lambda: task("0110"), task.codes, lambda: task.split(Partition.odd_even(4)).codes):
        with pytest.raises(InputError, match=message):
            use()


def test_codes_of_the_answers_minus_one_and_one_are_their_places():
    task = SequenceTask("sign", Words.over("01", 4), (-1, 1), lambda words: words.sum(axis=-1) % 2)
    assert (task("0110"), task("0111"), task.codes()[:3].tolist()) == (-1, 1, [0, 1, 1])
