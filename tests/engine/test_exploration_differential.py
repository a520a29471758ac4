"""Exploration by rectangles against running every pair, on random protocols in both forms."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import InputError, Protocol, ProtocolError, Receive, Send, blackboard
from ccsim.matrices import DONT_CARE
from ccsim.problems import equality
from protocols.classical import trivial
from tests.strategies import (
    PLAYERS,
    function_of_table,
    plans,
    protocol_of_plan,
    rounds_of,
    script,
    table_of_plan,
    tables,
    walk_plan,
)

FEW = settings(max_examples=12, deadline=None)


def every_input(function):
    return product(*map(range, function.shape))


def said_in(transcript, players=PLAYERS):
    return [(players.index(message.sender), str(message.bits)) for message in transcript]


def path_to(tree, inputs):
    """What is said on an input, read off the tree."""
    said, number = [], 0
    while not tree.nodes[number].is_leaf:
        node = tree.nodes[number]
        own = tree.function.parties.index(node.speaker)
        steps = [step for step, child in enumerate(tree.children(node)) if inputs[own] in child.sets[node.speaker]]
        assert len(steps) == 1
        said.append((own, str(node.messages[steps[0]])))
        number = node.children[steps[0]]
    return said, tree.nodes[number]


def check_against_every_pair(protocol, plan):
    """The exploration's figures are those of the oracle on all promised inputs; the runs are the oracle's."""
    function = protocol.function
    explored = protocol.explore()
    bits, rounds = [], []
    for inputs in every_input(function):
        said, codes = walk_plan(plan, inputs)
        path, leaf = path_to(explored.tree, inputs)
        assert path == said
        assert leaf.bits == sum(len(word) for _, word in said)
        assert leaf.rounds == rounds_of(said)
        run = protocol.run(*inputs)
        assert said_in(run.transcript) == said
        assert run.bits == leaf.bits
        assert run.transcript.rounds == leaf.rounds
        for role in protocol.knowing:
            assert run.answers[role] == function.answers[codes[PLAYERS.index(role)]]
        if function.codes[inputs] != DONT_CARE:
            bits.append(leaf.bits)
            rounds.append(leaf.rounds)
    assert explored.pairs == len(bits)
    assert explored.worst_bits == max(bits, default=0)
    assert explored.worst_rounds == max(rounds, default=0)
    assert explored.total_bits == sum(bits)
    assert explored.average_bits == Fraction(sum(bits), max(len(bits), 1))
    assert explored.leaves == len(explored.tree.leaves)
    return explored


@FEW
@given(plans())
def test_a_correct_random_protocol_explores_as_it_runs(planned):
    function = function_of_table(table_of_plan(planned.plan, planned.sizes), tuple(range(planned.answers)))
    protocol = protocol_of_plan(planned.plan, function, planned.forms)
    assert check_against_every_pair(protocol, planned.plan).correct


@FEW
@given(plans(), st.data())
def test_a_wrong_answer_is_reported_exactly_if_some_promised_pair_is_wrong(planned, data):
    right = table_of_plan(planned.plan, planned.sizes)
    least = data.draw(st.sampled_from([DONT_CARE, 0]))
    cells = st.integers(least, planned.answers - 1) if data.draw(st.booleans()) else st.just(DONT_CARE)
    drawn = np.array(data.draw(st.lists(cells, min_size=right.size, max_size=right.size))).reshape(right.shape)
    changed = data.draw(st.lists(st.booleans(), min_size=right.size, max_size=right.size))
    table = np.where(np.reshape(changed, right.shape), drawn, right)
    function = function_of_table(table, tuple(range(planned.answers)))
    explored = check_against_every_pair(protocol_of_plan(planned.plan, function, planned.forms), planned.plan)
    wrong = [
        inputs
        for inputs in every_input(function)
        if table[inputs] != DONT_CARE and walk_plan(planned.plan, inputs)[1][0] != table[inputs]
    ]
    assert explored.correct == (not wrong)
    for violation in explored.violations:
        assert violation.kind == "answer"
        shown = tuple(int(violation.inputs[0][player]) for player in function.parties)
        assert shown in wrong
        assert said_in(violation.transcript) == walk_plan(planned.plan, shown)[0]


@FEW
@given(plans(agree=False), st.sampled_from(["alice", "bob"]))
def test_one_party_alone_may_know_an_answer_that_depends_on_its_own_input(planned, knower):
    place = PLAYERS.index(knower)
    table = table_of_plan(planned.plan, planned.sizes, place)
    function = function_of_table(table, tuple(range(planned.answers)))
    protocol = protocol_of_plan(planned.plan, function, planned.forms, answer=knower)
    assert check_against_every_pair(protocol, planned.plan).correct
    assert protocol.knowing == (knower,)


@FEW
@given(plans(agree=False), st.sampled_from(["alice", "bob"]))
def test_only_the_answers_of_the_party_that_must_know_are_judged(planned, knower):
    table = table_of_plan(planned.plan, planned.sizes, 1 - PLAYERS.index(knower))
    function = function_of_table(table, tuple(range(planned.answers)))
    explored = protocol_of_plan(planned.plan, function, planned.forms, answer=knower).explore()
    answers = table_of_plan(planned.plan, planned.sizes, PLAYERS.index(knower))
    assert explored.correct == bool((answers == table).all())


@FEW
@given(plans(agree=False))
def test_disagreement_is_reported_exactly_if_some_pair_disagrees_or_is_wrong(planned):
    table = table_of_plan(planned.plan, planned.sizes)
    function = function_of_table(table, tuple(range(planned.answers)))
    protocol = protocol_of_plan(planned.plan, function, planned.forms)
    explored = protocol.explore()
    leaves = {}
    for inputs in every_input(function):
        said, _ = walk_plan(planned.plan, inputs)
        leaves.setdefault(tuple(said), set()).add(table[inputs])
    disagree = {inputs for inputs in every_input(function) if len(set(walk_plan(planned.plan, inputs)[1])) > 1}
    unsettled = [key for key, values in leaves.items() if len(values) > 1]
    assert explored.correct == (not disagree and not unsettled)
    for violation in explored.violations:
        assert violation.kind in ("agreement", "monochromatic")
        shown = [tuple(int(example[player]) for player in function.parties) for example in violation.inputs]
        if violation.kind == "agreement":
            assert set(shown) <= disagree
            with pytest.raises(ProtocolError, match="the parties disagree"):
                protocol.run(*shown[0])
        else:
            assert len({int(table[pair]) for pair in shown}) == 2
            assert len({tuple(walk_plan(planned.plan, pair)[0]) for pair in shown}) == 1


@settings(max_examples=12, deadline=None)
@given(plans(parties=3, most_inputs=3))
def test_three_parties_at_a_blackboard_explore_as_they_run(planned):
    function = function_of_table(table_of_plan(planned.plan, planned.sizes), tuple(range(planned.answers)))
    protocol = protocol_of_plan(planned.plan, function, planned.forms, model=blackboard())
    assert check_against_every_pair(protocol, planned.plan).correct


@FEW
@given(plans(), st.data())
def test_expected_bits_weigh_every_pair(planned, data):
    table = table_of_plan(planned.plan, planned.sizes)
    function = function_of_table(table, tuple(range(planned.answers)))
    protocol = protocol_of_plan(planned.plan, function, planned.forms)
    weights = np.array(
        data.draw(st.lists(st.integers(0, 1 << 40), min_size=table.size, max_size=table.size).filter(any))
    ).reshape(table.shape)
    total = sum(
        int(weights[inputs]) * sum(len(word) for _, word in walk_plan(planned.plan, inputs)[0])
        for inputs in every_input(function)
    )
    assert protocol.measure_error().average_bits(weights) == Fraction(total, int(weights.sum()))


@FEW
@given(tables(most_inputs=6), st.sampled_from(["alice", "bob"]))
def test_the_trivial_protocol_is_correct_for_every_function_total_or_partial(table, sender):
    function = function_of_table(table, (0, 1, 2))
    explored = trivial(function, sender).explore()
    assert explored.correct
    sent = function.shape[0 if sender == "alice" else 1]
    cost = (sent - 1).bit_length() + 2
    assert explored.worst_bits == (cost if (table != DONT_CARE).any() else 0)
    assert explored.pairs == int((table != DONT_CARE).sum())


def test_answers_may_be_of_any_hashable_kind():
    answers = ("no", ("yes", 1), 2.5, frozenset({3}))
    table = np.array([[0, 1], [2, 3]])
    function = function_of_table(table, answers)
    explored = trivial(function).explore()
    assert explored.correct
    assert {explored.tree.answer(leaf) for leaf in explored.tree.leaves} == set(answers)


def test_each_party_is_asked_per_own_input_and_node_and_never_per_pair():
    calls = {"alice": 0, "bob": 0}
    function = equality(5)

    def counting(role, party):
        def talk(value):
            calls[role] += 1
            return (yield from party(value))

        return talk

    alice, bob = script(lambda x: Send(x[:1]), answer=0), script(Receive(), answer=0)
    Protocol(
        "a bit", function, {"alice": counting("alice", alice), "bob": counting("bob", bob)}, answer="bob"
    ).explore()
    assert calls["alice"] <= 3 * 32
    assert calls["bob"] <= 4 * 32


def test_the_walk_stops_at_the_limit_of_nodes_and_tells_its_progress():
    def alice(x):
        while True:
            yield Send("0")

    def bob(y):
        while True:
            yield Receive()

    endless = Protocol("endless", equality(1), {"alice": alice, "bob": bob})
    seen = []
    with pytest.raises(InputError, match="most_nodes = 1100"):
        endless.explore(most_nodes=1100, progress=seen.append)
    assert seen == [1024]
