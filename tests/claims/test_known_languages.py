"""Verdicts on formal languages and their chains of thought that are known."""

from fractions import Fraction

import pytest

from ccsim.claims import check, check_claim, registered_claims
from protocols.constructions import languages
from protocols.papers import strobl2024
from protocols.papers.nowak2024 import LOADED, MACHINES, PALINDROMES, chain_tokens, string_probability
from protocols.papers.strobl2024 import MODULAR, STAR_FREE, circuits, layer_fails_on_parity

KNOWN = [
    ("strobl2024-majority", {"length": 7}, "tight", 0),
    ("strobl2024-shuffle-dyck", {"length": 4}, "tight", 0),
    ("strobl2024-shuffle-dyck", {"length": 3, "kinds": 3}, "tight", 0),
    ("strobl2024-parity-soft", {"length": 6}, "tight", 0),
    ("strobl2024-parity-left-hard", {"heads": 1}, "tight on instances", 2),
    ("strobl2024-parity-left-hard", {"heads": 3}, "calculated", 4),
    ("strobl2024-ac0", {"length": 5, "layers": 1}, "holds on instances, ours", 5),
    ("strobl2024-ac0", {"length": 5, "layers": 2}, "holds on instances, ours", 8),
    *(("strobl2024-star-free", {"length": 5, "language": name}, "tight on instances", 0) for name in STAR_FREE),
    *(("strobl2024-first-order-modular", {"length": 6, "language": name}, "tight on instances", 0) for name in MODULAR),
    ("nowak2024-regular", {"length": 3}, "tight on instances", 0),
    ("nowak2024-regular-distributions", {"length": 3}, "tight on instances", 0),
    ("nowak2024-turing", {"length": 4}, "tight on instances", 0),
    ("nowak2024-turing", {"length": 5, "machine": "as-then-bs"}, "tight on instances", 0),
    ("ccsim-parity-heads", {"length": 2}, "tight", 2),
    ("ccsim-parity-heads", {"length": 3}, "tight", 3),
    ("ccsim-parity-margin", {"length": 1}, "tight", Fraction(1, 4)),
    ("ccsim-parity-margin", {"length": 7}, "tight", Fraction(1, 64)),
    ("ccsim-dyck-every-length", {"length": 600}, "tight for every N", 601),
    ("ccsim-blanks-every-length", {"length": 4}, "holds for every N", 4),
    ("ccsim-classes-every-length", {"states": 2}, "tight", 1),
    ("ccsim-state-chain", {"length": 4}, "tight on instances", 5),
]


@pytest.mark.parametrize(("name", "setting", "told", "measured"), KNOWN)
def test_a_verdict_is_known(name, setting, told, measured):
    claim = registered_claims()[name]
    verdict = check_claim(claim, claim.setting(setting))
    assert (verdict.told, verdict.reason if verdict.word == "broken" else "") == (told, "")
    assert verdict.measured == pytest.approx(float(measured))


RUN = [
    ("strobl2024-majority", {"length": 7}, 254),
    ("strobl2024-shuffle-dyck", {"length": 3, "kinds": 3}, 258),
    ("strobl2024-parity-soft", {"length": 6}, 126),
    ("strobl2024-ac0", {"length": 5}, 256),
    ("strobl2024-star-free", {"length": 4}, 31),
    ("strobl2024-star-free", {"length": 4, "language": "a-then-only-c"}, 121),
    ("strobl2024-star-free", {"length": 4, "language": "first-is-last"}, 31),
    ("strobl2024-first-order-modular", {"length": 6}, 7),
    ("strobl2024-first-order-modular", {"length": 6, "language": "b-at-multiples-of-three"}, 127),
    ("nowak2024-regular", {"length": 3}, 960),
    ("nowak2024-regular-distributions", {"length": 3}, 15),
    ("nowak2024-turing", {"length": 4}, 31),
]


@pytest.mark.parametrize(("name", "setting", "cases"), RUN)
def test_so_many_words_are_gone_through_which_are_all(name, setting, cases):
    verdict = check(registered_claims()[name], **setting)
    assert verdict.checked == verdict.of == cases


def test_chains_of_all_automata_of_two_states_are_looked_at(monkeypatch):
    thinking, automata = languages.StateChain, set()

    def chain(automaton):
        automata.add((automaton.table.tobytes(), automaton.outputs.tobytes()))
        return thinking(automaton)

    monkeypatch.setattr(languages, "StateChain", chain)
    assert chain_tokens(2).violations == ()
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
        for language in every.values():
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
