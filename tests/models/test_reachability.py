"""States that words lead to: against sets of Python, whichever way rows are told apart, and in however many blocks."""

import itertools

import numpy as np
import pytest

from ccsim.models import reachability
from ccsim.models.reachability import (
    all_steps,
    different_rows,
    leading_to,
    reached,
    refined,
    shortest_words,
    suffix_classes,
    trace_back,
)

SPANS = (1, 3, 1 << 20, 1 << 62)


def test_different_rows_have_their_first_places():
    for shape in [(0, 2), (1, 3), (40, 1), (40, 3), (400, 1), (400, 2), (2000, 3)]:
        for span in SPANS:
            rows = np.random.default_rng(span).integers(-span, span, shape)
            rows[::3] = rows[:1] if len(rows) else 0
            plain = list(map(tuple, rows.tolist()))
            for given in (rows, np.asfortranarray(rows)):
                found, first, numbers = different_rows(given)
                assert set(map(tuple, found.tolist())) == set(plain), (shape, span)
                assert len(found) == len(set(plain)), (shape, span)
                assert first.tolist() == [plain.index(tuple(row)) for row in found.tolist()], (shape, span)
                assert found[numbers].tolist() == rows.tolist(), (shape, span)


@pytest.mark.parametrize("entries", [1, 40, 1 << 18])
def test_steps_in_blocks_give_the_first_way_to_each_state(monkeypatch, entries):
    monkeypatch.setattr(reachability, "BLOCK_ENTRIES", entries)

    def step(states, symbols, position):
        return np.stack([(states[:, 0] * 3 + symbols) % 11 - 5, (states[:, 1] - symbols * position) % 5], axis=1)

    rows, symbols, history = np.array([[0, 0]]), np.array([2, 0, 7]), []
    for position in range(1, 5):
        rows, came_from, numbers = all_steps(rows, symbols, position, step)
        history.append((came_from, symbols))
        assert numbers[came_from].tolist() == list(range(len(rows)))
    ends = {}
    for word in itertools.product(symbols, repeat=4):
        state = np.array([[0, 0]])
        for position, symbol in enumerate(word, 1):
            state = step(state, np.array([symbol]), position)
        ends.setdefault(tuple(state[0].tolist()), set()).add(word)
    assert sorted(ends) == sorted(map(tuple, rows.tolist()))
    for place, row in enumerate(rows.tolist()):
        assert tuple(trace_back(history, place)) in ends[tuple(row)]


def test_words_lead_to_their_states_and_are_shortest():
    states, table = reached([5], lambda state: (state * 2 % 31, state * 3 % 31, (state + 1) % 7))
    words = shortest_words(table)
    lengths = list(map(len, words))
    assert lengths == sorted(lengths)
    assert len(words) == len(states) == len(table)
    for place, word in enumerate(words):
        end = 0
        for symbol in word:
            end = table[end][symbol]
        assert end == place
    assert len(reached([0], lambda state: (state + 1,), most=10)[0]) == 11


def test_classes_are_those_that_words_tell_apart():
    generator = np.random.default_rng(1)
    for _ in range(20):
        table, outputs = generator.integers(0, 8, (8, 2)), generator.integers(0, 2, 8)
        seen = outputs[:, None]
        for length in range(1, 8):
            ends = np.arange(8)[:, None]
            for _ in range(length):
                ends = table[ends].reshape(8, -1)
            seen = np.concatenate([seen, outputs[ends]], axis=1)
        kinds = list(map(tuple, seen.tolist()))
        different = list(dict.fromkeys(kinds))
        first, classes = refined(table, outputs)
        assert classes.tolist() == [different.index(kind) for kind in kinds]
        assert first.tolist() == [kinds.index(kind) for kind in different]


def test_states_lead_to_goals_and_suffixes_distinguish_them():
    assert leading_to({0}, [[1], [0], [2, 1], [3]]) == {0, 1, 2}
    tables = np.array([[0, 1]]), np.array([[0, 1], [0, 2]])
    classes = suffix_classes(tables, np.array([[5], [7], [7]]))
    assert [numbers.tolist() for _, numbers in classes] == [[0, 1, 1], [0, 0], [0]]
