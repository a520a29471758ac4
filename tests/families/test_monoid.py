"""Monoids against plain definitions, and classes proved from both sides for many automata."""

import itertools
import random

import pytest

from ccsim import InputError
from ccsim.families import (
    CONSTANT,
    LINEAR,
    LOGARITHMIC,
    FamilyCertificate,
    classify,
    commuting_parties,
    letter_parties,
    linear_reduction,
    logarithmic_set,
    transition_monoid,
)
from ccsim.models.automata import Automaton
from ccsim.models.regular_expressions import from_regular_expression
from tests.cases import cases
from tests.families.test_families import every_automaton, least_automata

KNOWN = {  # size of the syntactic monoid, class
    "(b|ab*a)*": (2, CONSTANT),
    "(aa)*": (3, CONSTANT),
    "a*b*": (5, LOGARITHMIC),
    "(a|b)*a": (3, LOGARITHMIC),
    "(ab)*": (6, LINEAR),
    "(a|b)*aa(a|b)*": (6, LINEAR),
    "(aa|bb)*": (15, LINEAR),
}


def minimal(expression):
    return from_regular_expression(expression, "ab")


@cases("expression", KNOWN)
def test_known_monoids_have_their_size_and_class(expression):
    monoid = transition_monoid(minimal(expression))
    assert (monoid.size, classify(monoid).deterministic) == KNOWN[expression]


def test_products_powers_and_ideals_are_as_defined():
    rng = random.Random(4)
    for _ in range(6):
        automaton = Automaton.of("ab", [[rng.randrange(4), rng.randrange(4)] for _ in range(4)], [0, 0, 0, 1])
        monoid = transition_monoid(automaton)
        every = range(monoid.size)
        for a, b in itertools.islice(itertools.product(every, repeat=2), 400):
            product = monoid.times(a, b)
            assert all(monoid.acting(product, q) == monoid.acting(b, monoid.acting(a, q)) for q in range(4))
        for a in every:
            power = int(monoid.omega[a])
            assert monoid.times(power, power) == power
        right = {a: {monoid.times(a, b) for b in every} for a in every}
        left = {a: {monoid.times(b, a) for b in every} for a in every}
        for a, b in itertools.islice(itertools.combinations(every, 2), 400):
            for classes, ideals in ((monoid.r_classes, right), (monoid.l_classes, left)):
                assert any({a, b} <= set(found) for found in classes) == (ideals[a] == ideals[b])


def check_both_sides(automaton):
    """The class of a language with blanks, by certificates for every n on both sides, but for a logarithm above."""
    monoid = transition_monoid(automaton)
    kind = classify(monoid).deterministic
    if kind == LINEAR:
        found = linear_reduction(automaton, monoid)
        parties = letter_parties(found.family)
        certificate = FamilyCertificate.of(found.family, lower=found.witness, upper=parties.witness())
        assert certificate.lower(30 * found.block) > 20
        assert certificate.lower(60 * found.block) > certificate.lower(30 * found.block) + 20
    elif kind == LOGARITHMIC:
        family, words = logarithmic_set(automaton)
        certificate = FamilyCertificate.of(family, lower={"kind": "regular-fooling-set", "words": words.to_json()})
        assert certificate.lower(1 << 10) >= 10
    else:
        parties = commuting_parties(automaton, monoid, "AB")
        assert FamilyCertificate.of(parties.family, upper=parties.witness()).upper(1000) == parties.end_bits
    return kind


def test_classes_are_proved_from_both_sides_for_some_automata():
    rng = random.Random(7)
    found = [check_both_sides(least) for least in {a.minimise() for a in rng.sample(list(every_automaton(2)), 8)}]
    found += [check_both_sides(minimal(expression)) for expression in ("a*b*", "(ab)*", "(aa|bb)*")]
    assert set(found) == {CONSTANT, LOGARITHMIC, LINEAR}


@pytest.mark.slow
def test_classes_are_proved_from_both_sides_for_automata_of_up_to_three_states():
    found = [classify(transition_monoid(automaton)).deterministic for automaton in least_automata()]
    assert [found.count(kind) for kind in (CONSTANT, LOGARITHMIC, LINEAR)] == [80, 386, 588]
    assert [check_both_sides(automaton) for automaton in least_automata()[::2]] == found[::2]


def test_groups_count_modulo_a_prime_or_two():
    symmetric = Automaton.of("ab", [[1, 1], [2, 0], [0, 2]], [1, 0, 0])  # a turns three things, b exchanges two
    monoid = transition_monoid(symmetric)
    assert monoid.is_group
    assert linear_reduction(symmetric, monoid).problem == "counting modulo 3"
    # the dihedral group of the square: commutators are half turns
    square = Automaton.of("ab", [[1, 0], [2, 3], [3, 2], [0, 1]], [1, 0, 0, 0])
    assert linear_reduction(square, transition_monoid(square)).problem == "inner product"


def test_what_cannot_be_is_refused():
    automaton = minimal("(b|ab*a)*")
    monoid = transition_monoid(automaton)
    with pytest.raises(InputError, match="not in DO"):
        linear_reduction(automaton, monoid)
    with pytest.raises(InputError, match="do not commute"):
        logarithmic_set(automaton)
    with pytest.raises(InputError, match="a commutative monoid"):
        commuting_parties(minimal("(ab)*"), transition_monoid(minimal("(ab)*")), "AB")
    with pytest.raises(InputError, match="at most 5 elements"):
        transition_monoid(minimal("(ab)*"), most=5)
