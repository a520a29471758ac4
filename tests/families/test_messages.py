"""One message at every length against the matrices of small lengths; classes in other models."""

import random
from functools import cache

import numpy as np
import pytest

from ccsim import InputError
from ccsim.bounds import one_way
from ccsim.families import (
    LINEAR,
    LOGARITHMIC,
    RegularFamily,
    classify,
    growth,
    language,
    messages,
    named_family,
    one_way_bound,
    partitioned,
    read_language,
    transition_monoid,
    with_blank,
)
from ccsim.models.automata import dyck_automaton
from ccsim.models.regular_expressions import from_regular_expression
from tests.cases import cases
from tests.families.test_families import least_automata, random_family

DIRECTIONS = ("alice-to-bob", "bob-to-alice")
GROWS = {"O(1)": {"bounded"}, LOGARITHMIC: {"polynomial", "exponential"}, LINEAR: {"exponential"}}


def check_counts(family, lengths=(1, 2, 3)):
    found = [messages(family, direction) for direction in DIRECTIONS]
    for n in lengths:
        codes = family.at(n).matrix.codes
        true = [len(np.unique(table, axis=0)) for table in (codes, codes.T)]
        assert [one.lower(n) for one in found] == [one.upper(n) for one in found] == true
    return {growth(one) for one in found}


def test_the_rows_of_random_families_are_counted():
    rng = random.Random(5)
    for _ in range(15):
        check_counts(random_family(rng))


@cases("name", ["greater-than", "equality", "disjointness", "inner-product"])
def test_named_functions_have_different_rows_only(name):
    assert check_counts(named_family(name)) == {"exponential"}


@pytest.mark.slow
def test_automata_of_up_to_three_states_have_rows_that_grow_as_their_class_says():
    for automaton in least_automata()[::2]:
        (grows,) = check_counts(partitioned(with_blank(automaton), "AB"))
        assert grows in GROWS[classify(transition_monoid(automaton)).deterministic]


def test_undefined_entries_and_other_directions_are_refused():
    with pytest.raises(InputError, match="undefined entries"):
        messages(random_family(random.Random(2), free=0.9))
    with pytest.raises(InputError, match="direction"):
        messages(named_family("equality"), "to-bob")


COIN, MODULO, GUESS = "public coins", "modulo p", "non-deterministic"
KNOWN = [
    ("(b|ab*a)*", "simultaneous messages", "O(1)"),
    ("(a|b)*a", "simultaneous messages", LOGARITHMIC),
    ("(a|b)*a", COIN, "Omega(log log n), O(log n)"),
    ("(ab)*", COIN, LINEAR),
    ("(ab)*", MODULO, f"{LINEAR}, for every prime p"),
    ("(ab)*", GUESS, LINEAR),
    ("(a|b)*aa(a|b)*", GUESS, "Omega(log n), O(n)"),
    ("(b|ab*a)*c(a|b|c)*", COIN, LOGARITHMIC),
    ("(b|ab*a)*c(a|b|c)*", "simultaneous messages", LINEAR),
]


@cache
def others(expression):
    return language(read_language(expression), longest=0).others


@cases(("expression", "model", "complexity"), KNOWN)
def test_classes_in_other_models(expression, model, complexity):
    found = others(expression)
    assert next(one.complexity for one in found if one.model == model) == complexity


def test_a_group_that_is_not_abelian_leaves_its_prime_open():
    swaps = {"a": (1, 0, 2), "b": (0, 2, 1)}
    states = [(0, 1, 2), (1, 0, 2), (0, 2, 1), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    table = [[states.index(tuple(state[place] for place in swap)) for swap in swaps.values()] for state in states]
    found = language(type(read_language("a")).of("ab", table, [1, 0, 0, 0, 0, 0]), longest=0)
    assert found.reduction.problem == "counting modulo 3"
    modular = next(one for one in found.others if one.model == MODULO)
    assert modular.complexity == f"{LINEAR} for every prime p but 3; there Omega(log n), O(n)"


def test_where_no_protocol_was_found_the_theorem_is_named():
    """In DO with Abelian subgroups, but landmarks do not determine the answer."""
    table = [[1, 2, 0], [1, 3, 1], [3, 2, 0], [3, 3, 3]]
    found = language(type(read_language("a")).of("abc", table, [1, 1, 0, 0]), longest=2, rounds=1)
    assert (found.classification.deterministic, found.landmarks) == (LOGARITHMIC, None)
    assert all("theorem of Tesson and Thérien" in one.reason for one in found.others if one.model in (MODULO, GUESS))


def test_only_automata_that_count_rows_show_how_they_grow():
    upper = messages(named_family("equality"))
    with pytest.raises(InputError, match="regular-distinct-lines"):
        growth(type(upper)(upper.family, upper.measure, upper.parameters, {"upper": upper.proofs["upper"]}))


def test_a_first_state_that_is_free_is_met_by_no_word():
    family = RegularFamily("marks", "ab", "c", [[[1], [2]], [[1], [1]], [[2], [2]]], [-1, 0, 1])
    assert messages(family).lower(4) == 2


@cases("direction", DIRECTIONS)
def test_one_message_needs_what_is_proved_at_small_n(direction):
    rng = random.Random(3)
    families = [named_family(name) for name in ("greater-than", "inner-product")]
    families += [random_family(rng, free=0.2) for _ in range(6)]
    families.append(partitioned(with_blank(from_regular_expression("(ab)*", "ab")), "AB"))
    for family in families:
        certificate = one_way_bound(family, direction)
        for n in (1, 2):
            exact = one_way(family.at(n).matrix, direction=direction)
            assert certificate.lower(n) <= exact.lower == exact.upper
            if certificate.upper(n) is not None:
                assert exact.upper <= certificate.upper(n)


@cases(("name", "bits"), [("equality", 5), ("disjointness", 5), ("greater-than", 5)])
def test_named_functions_need_all_their_bits(name, bits):
    certificate = one_way_bound(named_family(name))
    assert certificate.lower(5) == certificate.upper(5) == bits


def test_brackets_and_directions():
    assert one_way_bound(partitioned(dyck_automaton(2, 2), "AB")).lower(3) >= 3
    with pytest.raises(InputError, match="direction"):
        one_way_bound(named_family("equality"), "to-bob")
