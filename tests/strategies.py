"""Random functions and random protocols, for properties; and plain oracles that know nothing of the engine."""

import math
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, pairwise, product

import numpy as np
from hypothesis import strategies as st

from ccsim import AnswerEach, Bits, Protocol, Receive, Send, SendEach, array_party, blackboard
from ccsim.matrices import DONT_CARE
from ccsim.problems import Integers, MultipartyFunction, TwoPartyFunction

PLAYERS = ("alice", "bob", "carol", "dave")


def function_of_table(table, answers=None, name="table"):
    """The function of an array of answer codes, one axis per party; inputs are numbers."""
    table = np.asarray(table)
    answers = tuple(range(int(table.max(initial=0)) + 1)) if answers is None else answers
    inputs = tuple(Integers(size) for size in table.shape)

    def evaluate(*rows):
        return table[rows]

    if table.ndim == 2:
        return TwoPartyFunction(name, inputs, answers, evaluate, returns="codes")
    return MultipartyFunction(name, inputs, answers, evaluate, PLAYERS[: table.ndim], returns="codes")


@st.composite
def tables(draw, parties=2, most_inputs=5, most_answers=3, partial=True):
    """Random tables of answer codes, with free cells if ``partial``."""
    shape = tuple(draw(st.integers(1, most_inputs)) for _ in range(parties))
    low = DONT_CARE if partial else 0
    size = math.prod(shape)
    cells = draw(st.lists(st.integers(low, most_answers - 1), min_size=size, max_size=size))
    return np.array(cells, dtype=np.int64).reshape(shape)


@dataclass(frozen=True)
class Plan:
    """What everybody does from some point on: who speaks, the word for each input, and what comes after each word.

    At the end ``speaker`` is None and ``codes`` holds, for each party, one answer code per input.
    """

    speaker: int | None
    choice: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    after: tuple["Plan", ...] = ()
    codes: tuple[tuple[int, ...], ...] = ()


def prefix_free_words(random, count):
    """That many words of which none begins another, and at least one of them empty if there is just one."""
    words = [""]
    while len(words) < count:
        word = words.pop(random.randrange(len(words)))
        words += [word + "0", word + "1"]
    if random.random() < 0.3:
        words = [word + random.choice(["", "0", "11"]) for word in words]
    random.shuffle(words)
    return tuple(words)


def random_plan(random, sizes, depth, answers, agree=True):
    """A random plan for parties with so many inputs each."""
    if depth == 0 or random.random() < 0.15:
        shared = random.randrange(answers)
        codes = tuple(tuple(shared if agree else random.randrange(answers) for _ in range(size)) for size in sizes)
        return Plan(None, codes=codes)
    speaker = random.randrange(len(sizes))
    count = random.randint(1, min(4, sizes[speaker]))
    return Plan(
        speaker,
        tuple(random.randrange(count) for _ in range(sizes[speaker])),
        prefix_free_words(random, count),
        tuple(random_plan(random, sizes, depth - 1, answers, agree) for _ in range(count)),
    )


def walk_plan(plan, inputs):
    """Oracle: what is said on one input per party, as (speaker, word) pairs, and each party's answer code."""
    said = []
    while plan.speaker is not None:
        choice = plan.choice[inputs[plan.speaker]]
        said.append((plan.speaker, plan.words[choice]))
        plan = plan.after[choice]
    return said, tuple(codes[value] for codes, value in zip(plan.codes, inputs, strict=True))


def rounds_of(said):
    """Oracle: maximal runs of messages by one speaker."""
    speakers = [speaker for speaker, _ in said]
    return sum(1 for place in range(len(speakers)) if place == 0 or speakers[place] != speakers[place - 1])


def table_of_plan(plan, sizes, knower=0):
    """Oracle: the answer code of one party on every input."""
    table = np.zeros(sizes, dtype=np.int64)
    for inputs in product(*map(range, sizes)):
        table[inputs] = walk_plan(plan, inputs)[1][knower]
    return table


def generator_party(plan, own, answers):
    """A plan as a generator party."""

    def party(value):
        here = plan
        while here.speaker is not None:
            if here.speaker == own:
                choice = here.choice[value]
                yield Send(here.words[choice], f"word {choice}")
            else:
                choice = here.words.index(str((yield Receive())))
            here = here.after[choice]
        return answers[here.codes[own][value]]

    return party


def script(*steps, answer=None):
    """A party that goes through steps, or functions that make them, whatever it hears, and answers."""

    def party(*inputs, **coins):
        for step in steps:
            yield step(*inputs, **coins) if callable(step) else step
        return answer

    return party


def array_form_party(plan, own, answers):
    """The same plan as an array party."""

    @array_party
    def party(values, heard):
        here = plan
        for said in heard:
            here = here.after[here.words.index(str(said.bits))]
        if here.speaker is None:
            return AnswerEach(np.array(here.codes[own])[values])
        if here.speaker != own:
            return Receive()
        words = [here.words[choice] for choice in here.choice]
        numbers, widths = np.array([int(word or "0", 2) for word in words]), np.array([len(word) for word in words])
        return SendEach(numbers[values], widths[values], "word")

    return party


FORMS = {"generator": generator_party, "array": array_form_party}


def protocol_of_plan(plan, function, forms, model=None, answer="both"):
    """A plan as a protocol, each party in its own form."""
    parties = {
        player: FORMS[form](plan, own, function.answers)
        for own, (player, form) in enumerate(zip(function.parties, forms, strict=True))
    }
    options = {} if model is None else {"model": model}
    return Protocol("plan", function, parties, answer=answer, **options)


@dataclass(frozen=True)
class Planned:
    """A random plan with everything that goes with it."""

    plan: Plan
    sizes: tuple[int, ...]
    forms: tuple[str, ...]
    answers: int


def tree_of(planned, answer="both"):
    """The tree of a random plan, as the protocol for the function that it computes."""
    knower = 0 if answer == "both" else PLAYERS.index(answer)
    function = function_of_table(table_of_plan(planned.plan, planned.sizes, knower), tuple(range(planned.answers)))
    return protocol_of_plan(planned.plan, function, planned.forms, answer=answer).explore().tree


@st.composite
def plans(draw, parties=2, most_inputs=5, most_depth=4, most_answers=3, agree=True):
    """Random plans for random numbers of inputs, each party in a random form."""
    random = draw(st.randoms(use_true_random=False))
    sizes = tuple(draw(st.integers(1, most_inputs)) for _ in range(parties))
    forms = tuple(draw(st.sampled_from(sorted(FORMS))) for _ in range(parties))
    answers = draw(st.integers(1, most_answers))
    plan = random_plan(random, sizes, draw(st.integers(0, most_depth)), answers, agree)
    return Planned(plan, sizes, forms, answers)


DEEP = 200


@contextmanager
def few_frames():
    """A context in which what recurses :data:`DEEP` times fails."""
    before, frame = sys.getrecursionlimit(), sys._getframe()
    depth = 0
    while frame := frame.f_back:
        depth += 1
    sys.setrecursionlimit(depth + DEEP // 2)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def caterpillar(leaves):
    """A tree with that many leaves and that depth less one: Alice and Bob strip one input after the other.

    f(x, y) = min(x, y) mod 2 on inputs 0, ..., leaves // 2: Alice says whether x = 0, Bob whether y = 0, and so on.
    """
    size = leaves // 2 + 1
    table = np.fromfunction(lambda x, y: np.minimum(x, y) % 2, (size, size), dtype=np.int64)
    function = function_of_table(table, (0, 1), f"parity of the least({size})")

    def party(first):
        @array_party
        def talk(values, heard):
            step, turn = divmod(len(heard), 2)
            if heard and heard[-1].bits[0]:
                return AnswerEach((len(heard) - 1) // 2 % 2)
            if step == size - 1:
                return AnswerEach(step % 2)
            return SendEach(values == step, 1, f"is it {step}") if (turn == 0) == first else Receive()

        return talk

    return Protocol("caterpillar", function, {"alice": party(True), "bob": party(False)})


def all_say_a_bit(parties=3):
    """Each party writes its bit on a blackboard in turn, and all find out whether the bits are equal."""

    def party(own):
        def talk(value):
            values = []
            for turn in range(parties):
                if turn == own:
                    yield Send(Bits([value]))
                    values.append(value)
                else:
                    values += yield Receive()
            return int(len(set(values)) == 1)

        return talk

    table = np.zeros((2,) * parties, dtype=int)
    table[(0,) * parties] = table[(1,) * parties] = 1
    players = PLAYERS[:parties]
    talks = {player: party(own) for own, player in enumerate(players)}
    return Protocol("all say a bit", function_of_table(table), talks, blackboard(players))


def assert_consistent(tree):
    """What must hold in every protocol tree."""
    players = tree.function.parties
    assert set(tree.root.sets) >= set(players)
    for player, size in zip(players, tree.function.shape, strict=True):
        assert tree.root.sets[player].tolist() == list(range(size))
    assert (tree.root.bits, tree.root.rounds) == (0, 0)
    parents = {child: node for node in tree.nodes for child in node.children}
    assert sorted(parents) == list(range(1, len(tree.nodes)))
    assert sum(len(node.children) for node in tree.nodes) == len(parents)
    for number, node in enumerate(tree.nodes):
        assert all(len(node.sets[player]) for player in players)
        if node.is_leaf:
            assert not node.children
            assert not node.messages
            assert set(node.answers) == set(tree.knowing)
            continue
        assert all(child > number for child in node.children)
        assert len(node.children) == len(node.messages) == len(set(node.messages)) >= 1
        words = sorted(map(str, node.messages))
        assert not any(longer.startswith(shorter) for shorter, longer in pairwise(words))
        for player in players:
            parts = [child.sets[player].tolist() for child in tree.children(node)]
            if player == node.speaker:
                assert sorted(chain.from_iterable(parts)) == node.sets[player].tolist()
            else:
                assert all(part == node.sets[player].tolist() for part in parts)
        for child, message in zip(tree.children(node), node.messages, strict=True):
            assert child.bits == node.bits + len(message)
            assert child.rounds - node.rounds == (number == 0 or parents[number].speaker != node.speaker)
    covered = np.zeros(tree.function.shape, dtype=int)
    for leaf in tree.leaves:
        covered[np.ix_(*(leaf.sets[player] for player in players))] += 1
    assert (covered == 1).all()
    assert tree.depth == max(leaf.bits for leaf in tree.leaves)
    assert tree.rounds == max(leaf.rounds for leaf in tree.leaves)


def assert_computes_its_function(tree):
    for leaf in tree.leaves:
        cells = tree.function.codes[np.ix_(*(leaf.sets[player] for player in tree.function.parties))]
        promised = set(cells[cells != DONT_CARE].tolist())
        assert promised <= {tree.function.places.get(tree.answer(leaf))}
