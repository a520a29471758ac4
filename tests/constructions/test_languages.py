"""Recognisers of formal languages by attention, and chains of thought, beside brute force."""

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.errors import InputError
from ccsim.models.automata import Automaton
from protocols.constructions.languages import (
    Always,
    And,
    Circuit,
    Not,
    ParityBySoftAttention,
    Position,
    ProbabilisticAutomaton,
    Since,
    StateChain,
    Symbol,
    TabulatedHardAttention,
    TuringChain,
    TuringMachine,
    choices_of_heads,
    determines_parity,
    hard_attention,
    majority_transformer,
    nesting,
    probabilistic_chain,
    shuffled_dyck_transformer,
    string_probabilities,
)


def holds(formula, word, place):
    """Whether a formula holds at a position of a word (the one behind the word too), by its definition."""
    match formula:
        case Always():
            return True
        case Symbol(symbol):
            return place < len(word) and word[place] == symbol
        case Position(modulus, remainder):
            return (place + 1) % modulus == remainder
        case Not(inner):
            return not holds(inner, word, place)
        case And(left, right):
            return holds(left, word, place) and holds(right, word, place)
    return any(
        holds(formula.then, word, j) and all(holds(formula.held, word, between) for between in range(j + 1, place))
        for j in range(place)
    )


FORMULAS = st.recursive(
    st.sampled_from([Always(), Symbol("a"), Symbol("b"), Position(2, 0), Position(3, 1)]),
    lambda inner: st.one_of(st.builds(Not, inner), st.builds(And, inner, inner), st.builds(Since, inner, inner)),
    max_leaves=6,
)


@settings(max_examples=25, deadline=None)
@given(FORMULAS)
def test_any_formula_by_hard_attention(formula):
    model = hard_attention(formula, "ab")
    assert sum(bool(heads) for heads, _ in model.layers) == nesting(formula)
    for length in range(5):
        for word in product("ab", repeat=length):
            assert model(word) == holds(formula, word, length), word


def test_averages_count():
    for length in (1, 2, 5, 6):
        for word in map("".join, product("01", repeat=length)):
            ones = word.count("1")
            assert majority_transformer(6)(word) == (ones > length - ones)
            assert ParityBySoftAttention()(word) == ones % 2


def test_parity_leans_by_what_the_formula_says():
    for ratio, length in product((2, 10), range(1, 7)):
        model = ParityBySoftAttention(ratio)
        n, even, odd = length + 1, length // 2 + 1, (length + 1) // 2
        for ones in range(length + 1):
            word = np.array([1] * ones + [0] * (length - ones))
            side = odd if ones % 2 == 0 else -even
            expected = Fraction((ratio * ratio - 1) * side, n * (ratio * even + odd) * (even + ratio * odd))
            assert model.differences(word) == expected


def test_shuffled_brackets_one_by_one():
    model = shuffled_dyck_transformer(2, 4)
    balanced = {"()", "[]", "()()", "[][]", "(())", "[[]]", "()[]", "[]()", "([])", "[()]", "([)]", "[(])"}
    for length in (1, 2, 3, 4):
        words = map("".join, product("()[]", repeat=length))
        assert {word for word in words if model(word)} == {word for word in balanced if len(word) == length}


def test_averages_of_long_words_lose_no_fault_to_rounding():
    brackets, majority, word = shuffled_dyck_transformer(1, 63), majority_transformer(63), "()" * 31
    assert brackets(word)
    for place in range(0, 62, 2):
        assert not brackets(word[:place] + ")(" + word[place + 2 :]), place
        assert not brackets(word[:place] + "((" + word[place + 2 :]), place
    for length in (62, 63):
        half = length // 2
        assert majority("1" * (half + 1) + "0" * (length - half - 1))
        assert not majority("0" * (length - half) + "1" * half)


def test_heads_by_all_orders():
    """Every order of all pairs, in full, tells the words apart as one of the lists does, and the other way round."""

    def known(choice):
        number = {}
        return tuple(number.setdefault(pair, len(number)) for pair in choice)

    words = list(product((0, 1), repeat=3))
    orders = permutations([(place, bit) for place in range(3) for bit in (0, 1)])
    by_orders = {known([next(p for p in order if word[2 - p[0]] == p[1]) for word in words]) for order in orders}
    assert by_orders == {known(choice.tolist()) for choice in choices_of_heads(3)}


def test_what_settles_parity():
    bits = [np.arange(8) >> place & 1 for place in range(3)]
    assert determines_parity(3, bits)
    assert not determines_parity(3, bits[:2])
    assert not determines_parity(3, [])


def test_circuits_of_hard_attention():
    for length, layers, seed in ((1, 1, 0), (3, 1, 4), (5, 3, 1), (6, 2, 9)):
        model = TabulatedHardAttention.random(length, layers, seed)
        circuit, rows = model.circuit(), np.array(list(product((0, 1), repeat=length)))
        assert (circuit.values(rows) == model.codes(rows)).all()
        assert circuit.depth <= 3 * layers + 2
        assert circuit.size <= 1 + length + layers * length * (4 * length + 4)
        for row in rows[:: max(1, len(rows) // 8)]:
            assert model.codes(row) == slowly(model, row.tolist())


def slowly(model, content):
    for scores, update in zip(model.scores, model.update, strict=True):
        chosen = [
            max(range(model.length), key=lambda j: (scores[i, content[i], j, content[j]], -j))
            for i in range(model.length)
        ]
        content = [int(update[content[i], content[j]]) for i, j in enumerate(chosen)]
    return content[-1]


def test_a_circuit_gate_by_gate():
    circuit = Circuit()
    first, second = circuit.add("input"), circuit.add("input")
    neither = circuit.add("not", [circuit.add("or", [first, second])])
    both = circuit.add("and", [first, second])
    circuit.add("or", [neither, both])
    assert (circuit.size, circuit.depth) == (4, 3)
    assert circuit.values(np.array([[0, 0], [0, 1], [1, 0], [1, 1]])).tolist() == [1, 0, 0, 1]


def test_a_chain_of_states():
    thirds = Automaton.of("01", [[0, 1], [2, 0], [1, 2]], [1, 0, 0])
    chain = StateChain(thirds)
    for number in range(40):
        word = f"{number:b}"
        written, codes = chain.extend(thirds.ranks(word)[None])
        assert codes == [number % 3 == 0]
        assert (written[0, :-1] - chain.mark - 1).tolist() == [
            int(word[:size], 2) % 3 for size in range(1, len(word) + 1)
        ]


def test_a_chain_that_goes_left_of_the_word():
    """Binary numbers counted up by one: the carry runs over the left end."""
    rules = {
        ("right", "0"): ("right", "0", 1),
        ("right", "1"): ("right", "1", 1),
        ("right", "_"): ("carry", "_", -1),
        ("carry", "1"): ("carry", "0", -1),
        ("carry", "0"): ("yes", "1", 0),
        ("carry", "_"): ("yes", "1", 0),
    }
    for word in map("".join, product("01", repeat=4)):
        tape, place = dict(enumerate(word)), 0
        for _, written, move in TuringChain(TuringMachine(rules, "right")).run(word):
            tape[place] = written
            place += move
        assert int("".join(tape[cell] for cell in sorted(tape) if tape[cell] != "_"), 2) == int(word, 2) + 1


def test_a_chain_that_does_not_end():
    forever = TuringMachine({("run", "_"): ("run", "_", 1)}, "run")
    with pytest.raises(InputError, match="halt"):
        TuringChain(forever).run("", most=50)
    with pytest.raises(InputError, match="a rule"):
        TuringChain(forever).run("a")


def test_a_distribution_that_no_bigram_model_has():
    """Symbols in pairs: aa or bb, and then the end."""
    pairs = ProbabilisticAutomaton(
        "ab",
        (((0, 1, 0, 0), (0, 0, 1, 0)), ((0, 0, 0, 1), (0,) * 4), ((0,) * 4, (0, 0, 0, 1)), ((0,) * 4,) * 2),
        (0, 0, 0, 1),
    )
    model = probabilistic_chain(pairs)
    found = {
        string: probability
        for length in range(4)
        for string, probability in string_probabilities(model, "ab", length).items()
        if probability
    }
    assert found == {"aa": Fraction(1, 2), "bb": Fraction(1, 2)}
