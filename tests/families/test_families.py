"""Families against plain runs of their automata, and searches against brute force at small n."""

import itertools
import random
from functools import cache

import numpy as np
import pytest

from ccsim import InputError, Partition
from ccsim.bounds import deterministic, first_clash
from ccsim.families import (
    FamilyCertificate,
    PairAutomaton,
    RegularFamily,
    letter_parties,
    named_family,
    partitioned,
    periodic_partitions,
    regular_fooling_set,
    united,
    with_blank,
)
from ccsim.models.automata import Automaton, dyck_automaton
from ccsim.models.regular_expressions import from_regular_expression
from ccsim.problems import disjointness, dyck, equality, greater_than, inner_product, intersection, regular_language
from tests.cases import cases

FUNCTIONS = {
    "equality": equality,
    "disjointness": disjointness,
    "intersection": intersection,
    "greater-than": greater_than,
    "inner-product": inner_product,
}


@cases("name", FUNCTIONS)
def test_named_families_have_the_matrices_of_their_functions(name):
    for n in range(1, 5):
        assert named_family(name).at(n).matrix == FUNCTIONS[name](n).matrix
        assert named_family(f"{name}-of-halves").at(n).matrix == FUNCTIONS[name](n).matrix


@cases("owners", ["AB", "BA", "AAB", "ABBA"])
def test_dealt_languages_have_the_matrices_of_their_tasks(owners):
    ends_in_b = {0: {"a": 0, "b": 1}, 1: {"a": 0, "b": 1}}
    family = partitioned(Automaton.from_transitions(ends_in_b, 0, {1}), owners)
    for n in (1, 2):
        task = regular_language(n * len(owners), ends_in_b, 0, {1})
        assert family.at(n).matrix == task.split(Partition(owners * n)).matrix
    brackets = partitioned(dyck_automaton(2, 2), "AB")
    assert brackets.at(2).matrix == dyck(4).split(Partition.odd_even(4)).matrix


def random_family(rng, states=3, letters=2, free=0.0):
    table = [[[rng.randrange(states) for _ in range(letters)] for _ in range(letters)] for _ in range(states)]
    outputs = [-1 if rng.random() < free else rng.randrange(2) for _ in range(states)]
    return RegularFamily("random", tuple(range(letters)), tuple(range(letters)), table, outputs)


def test_merging_changes_no_answer():
    rng = random.Random(3)
    for _ in range(15):
        family = random_family(rng, states=4, letters=3, free=0.2)
        small, rows, columns, row_class, column_class = family.merged
        codes, merged = family.at(2).codes, small.at(2).codes
        for (x, u), (y, w) in itertools.product(np.ndindex(3, 3), np.ndindex(3, 3)):
            place = row_class[x] * len(rows) + row_class[u], column_class[y] * len(columns) + column_class[w]
            assert codes[3 * x + u, 3 * y + w] == merged[place]


def proved(family, **witnesses):
    return FamilyCertificate.of(family, **witnesses)


def words_of(automaton, n):
    """The accepted words of n pairs, each as (Alice's letters, Bob's letters)."""
    paths = [((), (), automaton.first)]
    for _ in range(n):
        paths = [((*a, x), (*b, y), after) for a, b, state in paths for x, y, after in automaton.steps[state]]
    return [(a, b) for a, b, state in paths if state in automaton.accepting]


def check_found(family, longest):
    """What is found for a family is proved for every n, and holds at small n by brute force."""
    parts = []
    for code in {0, 1} & set(family.outputs.tolist()):
        found = regular_fooling_set(family, code, rounds=3)
        if found is None:
            continue
        parts.append(found)
        for n in range(1, longest + 1):
            words = words_of(found, n)
            size = len(family.alice)
            cells = [tuple(sum(a * size ** (n - 1 - i) for i, a in enumerate(w)) for w in word) for word in words]
            matrix = family.at(n).matrix
            assert len(set(cells)) == len(words) == found.counts(n)[-1]
            assert {matrix.codes[cell] for cell in cells} <= {code}
            assert first_clash(matrix, cells) is None
    if (family.outputs < 0).all():
        return
    witness = {"kind": "regular-fooling-set", "words": united(parts).to_json()}
    certificate = proved(family, lower=witness, upper=letter_parties(family).witness())
    for n in range(1, longest + 1):
        bits = deterministic(family.at(n))
        assert certificate.lower(n) <= bits.lower == bits.upper <= certificate.upper(n)


def test_what_is_found_holds_at_small_n():
    rng = random.Random(1)
    for _ in range(4):
        check_found(random_family(rng), 2)
    check_found(random_family(rng, free=0.3), 2)


def every_automaton(states):
    """Every automaton of so many states over two letters with answers 0 and 1, up to the start state 0."""
    for table in itertools.product(itertools.product(range(states), repeat=2), repeat=states):
        for outputs in itertools.product((0, 1), repeat=states):
            yield Automaton.of("ab", table, outputs)


@cache
def least_automata():
    """The minimal automata of up to three states over two letters."""
    least = {automaton.minimise() for states in (1, 2, 3) for automaton in every_automaton(states)}
    return sorted(least, key=lambda one: (one.table.tolist(), one.outputs.tolist()))


@pytest.mark.slow
def test_what_is_found_for_automata_of_up_to_three_states_holds_at_small_n():
    assert len(least_automata()) == 1054
    for automaton in least_automata()[::3]:
        check_found(partitioned(automaton, "AB"), 3)


@cases(
    ("family", "code", "counts"),
    [
        (named_family("equality"), 1, [2, 4, 8]),
        (named_family("disjointness"), 1, [2, 4, 8]),
        (named_family("greater-than"), 1, [1, 3, 7]),
        (partitioned(dyck_automaton(2, 2), "AB"), 1, [2, 8, 32]),
        (partitioned(dyck_automaton(3, 2), "AB"), 1, [3, 18, 108]),
    ],
)
def test_known_fooling_sets_are_found(family, code, counts):
    assert regular_fooling_set(family, code, rounds=2).counts(3) == counts


def test_blanks_between_a_and_b_are_found_and_more():
    """{ab, __}^n is a fooling set of (ab)* with blanks under AB; the one found grows faster, as (3^n + (-1)^n) / 2."""
    family = partitioned(with_blank(from_regular_expression("(ab)*", "ab")), "AB")
    a, b, blank = (family.alice.index(letter) for letter in "ab_")
    by_hand = PairAutomaton((((a, b, 0), (blank, blank, 0)),), frozenset([0]))
    witness = {"kind": "regular-fooling-set", "words": by_hand.to_json()}
    assert proved(family, lower=witness).statements() == {"lower": ">= n bits for all n >= 1"}
    assert regular_fooling_set(family, 1).counts(6) == [1, 5, 13, 41, 121, 365]


def test_the_words_of_several_sets_are_united():
    rng = random.Random(5)
    for _ in range(20):
        parts = [
            PairAutomaton(
                tuple(
                    tuple((x, y, rng.randrange(3)) for x in (0, 1) for y in (0, 1) if rng.random() < 0.5)
                    for _ in range(3)
                ),
                frozenset(s for s in range(3) if rng.random() < 0.5),
            )
            for _ in range(2)
        ]
        both = united(parts)
        for n in (1, 2, 3):
            assert set(words_of(both, n)) == set(words_of(parts[0], n)) | set(words_of(parts[1], n))
            assert both.counts(n)[-1] == len(set(words_of(both, n)))


def test_letter_protocols_are_right_and_cost_what_they_say():
    rng = random.Random(2)
    for family in (named_family("greater-than"), random_family(rng), random_family(rng, states=4, letters=3)):
        parties = letter_parties(family)
        for n in (1, 2):
            explored = parties.protocol(n).explore()
            assert explored.worst_bits == parties.block_bits * n + parties.end_bits
            assert explored.correct


def test_partitions_are_no_repetitions():
    assert list(periodic_partitions(4)) == [
        "AB", "AAB", "ABA", "ABB", "AAAB", "AABA", "AABB", "ABAA", "ABBA", "ABBB",
    ]  # fmt: skip


@cases(
    "make",
    [
        lambda: named_family("beauty"),
        lambda: partitioned(dyck_automaton(2, 2), "AA"),
        lambda: partitioned(dyck_automaton(4, 3), "ABABABABAB"),
        lambda: with_blank(from_regular_expression("a", "a"), "a"),
        lambda: RegularFamily("none", ("a",), ("b",), [[[1]]], [0]),
        lambda: RegularFamily("none", ("a",), ("b",), [[0]], [0]),
        lambda: RegularFamily("none", ("a",), ("b",), [[[0]]], [2]),
        lambda: regular_fooling_set(named_family("equality"), 2),
        lambda: FamilyCertificate.of(named_family("equality")),
    ],
)
def test_bad_input_is_named(make):
    with pytest.raises(InputError):
        make()


def test_certificates_are_saved_and_loaded(tmp_path):
    family = named_family("equality")
    certificate = proved(family, upper=letter_parties(family).witness())
    certificate.save(tmp_path / "found.json")
    loaded = FamilyCertificate.load(tmp_path / "found.json")
    assert (loaded.verify(), loaded.upper(7), loaded.lower(7)) == (certificate.verify(), 8, None)
