"""The number of different lines at every length, beside those of matrices; classes in other models."""

import random

import numpy as np
import pytest

from ccsim import InputError
from ccsim.families import (
    LINEAR,
    LOGARITHMIC,
    RegularFamily,
    classify,
    dealt,
    growth,
    language,
    messages,
    named_family,
    read_language,
    transition_monoid,
    with_blank,
)
from tests.families.test_families import every_automaton, random_family

DIRECTIONS = ("alice-to-bob", "bob-to-alice")
GROWS = {"O(1)": {"bounded"}, LOGARITHMIC: {"polynomial", "exponential"}, LINEAR: {"exponential"}}


def check_lines(family, lengths=(1, 2, 3)):
    found = [messages(family, direction) for direction in DIRECTIONS]
    for n in lengths:
        codes = family.at(n).matrix.codes
        true = [len(np.unique(table, axis=0)) for table in (codes, codes.T)]
        assert [one.lower(n) for one in found] == [one.upper(n) for one in found] == true
    return {growth(one) for one in found}


def test_the_lines_of_random_families_are_counted():
    rng = random.Random(5)
    for _ in range(30):
        check_lines(random_family(rng))


@pytest.mark.parametrize("name", ["greater-than", "equality", "disjointness", "inner-product"])
def test_named_functions_have_different_lines_only(name):
    assert check_lines(named_family(name)) == {"exponential"}


@pytest.mark.slow
def test_every_automaton_of_up_to_three_states_has_lines_that_grow_as_its_class_says():
    for automaton in {one.minimise() for states in (1, 2, 3) for one in every_automaton(states)}:
        (grows,) = check_lines(dealt(with_blank(automaton), "AB"))
        assert grows in GROWS[classify(transition_monoid(automaton)).deterministic]


def test_free_cells_and_other_directions_are_refused():
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


@pytest.mark.parametrize(("expression", "model", "complexity"), KNOWN)
def test_classes_in_other_models(expression, model, complexity):
    found = language(read_language(expression), longest=2, rounds=1)
    assert next(one.complexity for one in found.others if one.model == model) == complexity


def test_a_group_that_is_not_abelian_leaves_its_prime_open():
    swaps = {"a": (1, 0, 2), "b": (0, 2, 1)}
    states = [(0, 1, 2), (1, 0, 2), (0, 2, 1), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    table = [[states.index(tuple(state[place] for place in swap)) for swap in swaps.values()] for state in states]
    found = language(type(read_language("a")).of("ab", table, [1, 0, 0, 0, 0, 0]), longest=2, rounds=1)
    assert found.reduction.problem == "counting modulo 3"
    modular = next(one for one in found.others if one.model == MODULO)
    assert modular.complexity == f"{LINEAR} for every prime p but 3; there Omega(log n), O(n)"


def test_where_no_protocol_was_found_the_theorem_is_named():
    """In DO with Abelian subgroups, but landmarks do not settle it."""
    table = [[1, 2, 0], [1, 3, 1], [3, 2, 0], [3, 3, 3]]
    found = language(type(read_language("a")).of("abc", table, [1, 1, 0, 0]), longest=2, rounds=1)
    assert (found.classification.deterministic, found.landmarks) == (LOGARITHMIC, None)
    assert all("theorem of Tesson and Thérien" in one.reason for one in found.others if one.model in (MODULO, GUESS))


def test_only_automata_that_count_lines_tell_how_they_grow():
    upper = messages(named_family("equality"))
    with pytest.raises(InputError, match="regular-distinct-lines"):
        growth(type(upper)(upper.family, upper.measure, upper.parameters, {"upper": upper.proofs["upper"]}))


def test_a_first_state_that_is_free_is_met_by_no_word():
    family = RegularFamily("marks", "ab", "c", [[[1], [2]], [[1], [1]], [[2], [2]]], [-1, 0, 1])
    assert messages(family).lower(4) == 2
