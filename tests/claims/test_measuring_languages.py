"""What measuring averages, composed functions and languages rests on, and that what is made wrong is seen."""

from dataclasses import replace
from fractions import Fraction
from math import log2

import numpy as np
import pytest

from ccsim import Protocol
from ccsim.claims import Role, check, registered_claims
from ccsim.models import HardAttentionLanguageModel
from ccsim.problems import match3
from protocols.classical import PROTOCOLS
from protocols.constructions import SparseAveraging, assisted_match3, languages
from protocols.papers import peng2024, sanford2023, strobl2024
from protocols.papers.nowak2024 import LOADED, MACHINES, PALINDROMES, chain_tokens, string_probability
from protocols.papers.peng2024 import errors_by_balls
from protocols.papers.strobl2024 import MODULAR, STAR_FREE, circuits, layer_fails_on_parity
from protocols.reductions.feedforward_kernel import KernelCollision
from protocols.reductions.one_way_error import error_of_balls, least_one_way_error, table_lookup
from tests.slow import slow

STATED = (Role.STATEMENT, "classical")


def test_an_average_that_is_a_little_too_far_off_is_found(monkeypatch):
    errors = SparseAveraging.worst_errors
    claim = registered_claims()["sanford2023-sparse-averaging-construction"]
    assert check(claim, length=16).word == "holds"
    monkeypatch.setattr(SparseAveraging, "worst_errors", lambda self, sets: [*errors(self, sets)[:-1], self.error])
    assert "may be off" in check(claim, length=16).reason


def test_a_first_layer_that_confuses_no_two_inputs_too_much_is_found(monkeypatch):
    monkeypatch.setattr(KernelCollision, "is_too_much", False)
    assert "no two inputs show" in check(registered_claims()["sanford2023-sparse-averaging-feedforward"]).reason


def test_honest_hints_do_not_mislead_and_others_would():
    plain, task = match3(4, 5), assisted_match3(4, 5)
    assert sanford2023._misled(task, plain, 5) == []
    assert sanford2023._misled(replace(task, evaluate=lambda words: 0 * words[..., 0]), plain, 5)


def test_a_classical_protocol_is_a_claim_about_its_cost():
    known = registered_claims()
    assert all((known[entry.name].role, known[entry.name].paper.name) == STATED for entry in PROTOCOLS)
    for entry in PROTOCOLS[::9]:
        assert check(known[entry.name], length=entry.sizes[0]).measured == entry.build(entry.sizes[0]).cost.bits


@pytest.mark.parametrize(
    ("length", "bits", "least"), [(3, 4, Fraction(11, 81)), (4, 4, Fraction(9, 32)), (4, 5, Fraction(7, 32))]
)
def test_counting_proves_as_much_as_all_strategies(length, bits, least):
    assert error_of_balls(length, 1 << bits, length) == least
    found = least_one_way_error(table_lookup(length), bits)
    assert found.lower == found.upper == least


@pytest.mark.parametrize(("length", "claimed"), [(4, Fraction(1, 4)), (8, Fraction(1, 8))])
def test_the_error_that_is_claimed_of_counting(length, claimed):
    assert errors_by_balls(length).claimed == claimed


def test_where_the_error_that_is_claimed_is_irrational_it_is_rounded_up():
    found = errors_by_balls(6)
    product = 6 * log2(6)
    assert 0 <= found.claimed - Fraction((product - found.facts["b"]) / (2 * product)) < Fraction(1, 1 << 39)


@pytest.mark.parametrize(
    "measure", [peng2024.message_in_order, slow(peng2024.exact_message), slow(peng2024.chain_in_order)]
)
def test_five_different_layers_that_look_at_both_tables_are_explored(measure, monkeypatch):
    explored, explore = [], Protocol.explore
    monkeypatch.setattr(Protocol, "explore", lambda self: explored.append(self.function.codes) or explore(self))
    check(next(claim for claim in registered_claims().values() if claim.measure is measure))
    assert len({codes.tobytes() for codes in explored}) == len(explored) == 5
    assert all((codes != codes[:1]).any() and (codes != codes[:, :1]).any() for codes in explored)


def test_a_probability_of_one_string_that_is_another_one_is_found(monkeypatch):
    probabilities = HardAttentionLanguageModel.probabilities
    claim = registered_claims()["svete2024-theorem-3-1"]

    def wrong_last(self, rows):
        found = list(probabilities(self, rows))
        return [*found[:-1], found[-1] + (np.asarray(rows).shape[1] > 2)]

    monkeypatch.setattr(HardAttentionLanguageModel, "probabilities", wrong_last)
    assert check(claim, length=3).word == "broken"


def test_chains_of_all_automata_of_two_states_are_looked_at(monkeypatch):
    thinking, automata = languages.StateChain, set()

    def chain(automaton):
        automata.add((automaton.table.tobytes(), automaton.outputs.tobytes()))
        return thinking(automaton)

    monkeypatch.setattr(languages, "StateChain", chain)
    assert not chain_tokens(2).violations
    assert len(automata) == 64


def test_a_chain_that_leaves_the_run_and_a_machine_that_decides_otherwise_are_broken(monkeypatch):
    claim, run = registered_claims()["nowak2024-turing"], languages.TuringChain.run
    rules = {**PALINDROMES.rules, ("end-b", "a"): ("yes", "a", 0)}
    with monkeypatch.context() as patch:
        patch.setitem(MACHINES, "palindromes", (languages.TuringMachine(rules, "start"), MACHINES["palindromes"][1]))
        assert check(claim, length=3).word == "broken"
    monkeypatch.setattr(languages.TuringChain, "run", lambda self, word: run(self, word)[word == "bab" :])
    assert check(claim, length=3).word == "broken"


def test_a_state_that_a_chain_does_not_write_down_is_broken(monkeypatch):
    extend = languages.StateChain.extend

    def wrong_once(self, words):
        written, codes = extend(self, words)
        written[-1, 0] = 2 * self.mark + 3 - written[-1, 0]  # the other one of two states
        return written, codes

    monkeypatch.setattr(languages.StateChain, "extend", wrong_once)
    assert check(registered_claims()["nowak2024-regular"], length=2).word == "broken"


def test_a_circuit_that_differs_on_one_word_is_broken(monkeypatch):
    values = languages.Circuit.values
    monkeypatch.setattr(
        languages.Circuit, "values", lambda self, rows: values(self, rows) ^ (rows == rows[11]).all(axis=1)
    )
    assert check(registered_claims()["strobl2024-ac0"], length=4).word == "broken"


def test_languages_are_seen_to_be_star_free_or_not():
    for every, aperiodic in ((STAR_FREE, False), (MODULAR, True)):
        for language in list(every.values())[:2]:
            assert "star-free" in strobl2024._defined(language, 3, aperiodic).violations[-1]


def test_circuits_of_eight_models_have_so_many_gates():
    facts = circuits(6, 2).facts
    assert facts["gates"] <= facts["gates at most"] == 343
    assert facts["different functions"] == 8


@pytest.mark.parametrize(("heads", "tried"), [(1, 28), (2, 1019), (3, 2216)])
def test_so_many_sets_of_heads_are_tried(heads, tried):
    assert layer_fails_on_parity(heads).checked == tried


def test_the_automaton_of_the_chains_is_not_deterministic():
    strings = ("", "a", "b", "ab", "aab")
    known = Fraction(1, 7), Fraction(17, 147), Fraction(1, 7), Fraction(19, 441), Fraction(61, 3087)
    assert tuple(string_probability(LOADED, string) for string in strings) == known
