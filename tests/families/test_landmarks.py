"""Logarithmic protocols: right at every length where the search says so, and never for a language that needs more."""

import random

import pytest

from ccsim.families import classify, landmark_protocol, transition_monoid
from ccsim.families.landmarks import Scan, landmarks_determine, modulus_of
from ccsim.families.language import LINEAR
from ccsim.models.automata import Automaton
from ccsim.models.regular_expressions import from_regular_expression
from tests.cases import cases
from tests.families.test_families import least_automata
from tests.slow import slow

KNOWN = {
    "(b|ab*a)*": "3",
    "(a|b)*a": "2*ceil(log2(n + 1)) + 3",
    "a*b*": "6*ceil(log2(n + 1)) + 7",
    "(a|b)*ab*ab*": "4*ceil(log2(n + 1)) + 5",
    "(aa)*b(a|b)*": "2*ceil(log2(n + 1)) + 11",
}


def minimal(expression):
    return from_regular_expression(expression, "ab")


def found(automaton):
    return landmark_protocol(automaton, transition_monoid(automaton))


@cases("expression", KNOWN)
@pytest.mark.parametrize("partition", ["AB", slow("ABB")])
def test_every_word_of_a_few_turns_with_and_without_blanks(expression, partition):
    protocols = found(minimal(expression))
    assert protocols.formula() == KNOWN[expression]
    for blank in ("_", None):
        explored = protocols.protocol(1, partition, blank).explore()
        assert explored.correct
        assert explored.worst_bits <= protocols.bits(1, partition) == protocols.protocol(1, partition).cost.bits


@cases("expression", ["(ab)*", "(aa|bb)*"])
def test_linear_languages_have_none(expression):
    assert found(minimal(expression)) is None


def test_a_landmark_from_the_right_may_be_a_letter_that_stays_further_left():
    """At most two landmarks in every word, and a linear language all the same."""
    automaton = Automaton.of("ab", [[1, 2], [1, 0], [2, 1]], [0, 1, 1])
    assert classify(transition_monoid(automaton)).deterministic == LINEAR
    assert found(automaton) is None


def logarithmic(seed, count):
    """Some automata of the logarithmic class, mostly ones whose states are passed in order."""
    rng = random.Random(seed)
    while count:
        states = rng.choice([3, 4, 5])
        table = [
            [rng.choice([at, rng.randrange(at, states), rng.randrange(states)]) for _ in "ab"] for at in range(states)
        ]
        automaton = Automaton.of("ab", table, [rng.randrange(2) for _ in range(states)]).minimise()
        if automaton.answers == (0, 1) and classify(transition_monoid(automaton)).deterministic != LINEAR:
            count -= 1
            yield automaton


def test_long_words_of_random_languages():
    """Words of 60 positions, which no search looks at: the automaton's answer, within the bits of the formula."""
    rng = random.Random(5)
    for automaton in logarithmic(11, 3):
        protocols = found(automaton)
        assert protocols is not None
        protocol = protocols.protocol(30)
        for likely in ("ab", "a__", "aaab_", "b_____________a"):
            word = [rng.choice(likely) for _ in range(60)]
            made = protocol.run(tuple(word[0::2]), tuple(word[1::2]))
            assert set(made.answers.values()) == {automaton("".join(word).replace("_", ""))}
            assert made.transcript.bits <= protocols.bits(30)


def test_what_one_end_does_not_settle():
    automaton = minimal("(a|b)*a")
    monoid = transition_monoid(automaton)
    scans = {end: Scan.of(monoid, end) for end in ("left", "right", None)}

    def answer(element):
        return int(automaton.outputs[monoid.acting(element, automaton.first)])

    assert not landmarks_determine(scans[None], scans[None], answer)
    assert not landmarks_determine(scans["left"], scans[None], answer)
    assert landmarks_determine(scans[None], scans["right"], answer)
    assert landmarks_determine(scans["left"], scans["right"], answer)


def test_the_modulus_is_that_of_all_subgroups():
    assert modulus_of(transition_monoid(minimal("(aaa)*"))) == 3
    assert modulus_of(transition_monoid(minimal("a*b*"))) == 1


@pytest.mark.slow
def test_they_exist_for_automata_of_up_to_three_states_but_linear_ones():
    for place, automaton in enumerate(least_automata()[::2]):
        monoid = transition_monoid(automaton)
        linear = classify(monoid).deterministic == LINEAR
        if linear and place % 8:
            continue  # the search takes longest where it ends in vain
        protocols = landmark_protocol(automaton, monoid)
        assert (protocols is None) == linear
        if protocols is not None and place % 10 == 0:
            assert protocols.protocol(2).explore().correct
