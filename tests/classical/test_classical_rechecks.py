"""The second look at classical protocols: definitions, counts, and what it finds when something is made wrong."""

from dataclasses import replace
from fractions import Fraction

import pytest

from ccsim.certified import certify_protocol
from ccsim.problems import equality
from protocols.classical import PROTOCOLS, trivial
from protocols.classical.counting import ERRORS, bits_for, worst_yannakakis
from protocols.classical.definitions import plain_answer
from protocols.classical.rechecks import finds_planted_error, recheck


@pytest.mark.parametrize(
    ("problem", "n", "inputs", "answer"),
    [
        ("gap-hamming", 4, ("0000", "0011"), None),
        ("gap-hamming", 8, ("00000000", "11111110"), 1),
        ("median", 5, ({0, 4}, {3, 4}), 3),
        ("dyck", 4, (("(", ")"), (")", "(")), 0),
        ("dyck", 4, ("((", "))"), 1),
        ("dyck", 4, ("(]", "[)"), 1),
        ("k-hop-induction", 4, ("aa", "bb"), "b"),
        ("index-lookup", 2, (("0", 2), ("1",)), "1"),
        ("function-composition", 3, ((1, 2, 0), ((0, 0, 2), 1)), 2),
        ("pointer-chasing", 3, ((1, 0, 2), (2, 1, 0)), 0),
    ],
)
def test_some_answers_are_known(problem, n, inputs, answer):
    assert plain_answer(problem, n, inputs) == answer


def test_some_counts_are_known():
    assert [bits_for(things) for things in (1, 2, 3, 4, 5)] == [0, 1, 2, 2, 3]
    assert [worst_yannakakis(n) for n in (3, 6, 9)] == [5, 10, 13]
    assert ERRORS["inner-product-equality"](3) == Fraction(1, 4)
    assert ERRORS["fingerprint-equality"](5) == Fraction(1, 3)


def test_a_second_look_finds_another_function_another_cost_and_another_measurement():
    protocol = trivial(equality(2))
    found = certify_protocol(protocol, n=2)
    look = ("trivial-equality", "equality", 2)
    assert list(recheck(*look, protocol, found)) == []
    other = replace(protocol, function=~equality(2))
    assert any("by definition" in fault for fault in recheck(*look, other, found))
    assert any("by the books" in fault for fault in recheck(*look, protocol, replace(found, claimed=4)))
    assert any("counted again" in fault for fault in recheck(*look, protocol, replace(found, measured=2)))


@pytest.mark.parametrize("entry", PROTOCOLS, ids=lambda entry: entry.name)
def test_a_planted_error_is_found(entry):
    protocol = entry.build(entry.sizes[0])
    assert finds_planted_error(protocol) or not certify_protocol(protocol, samples=4, seed=0).exact
